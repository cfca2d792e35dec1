/* SPDX-License-Identifier: MIT */
/*
 * contract - does an algorithm keep what its own declarations say?
 *
 * An algorithm declares its registers: how many, whose, and of which type.  A
 * driver believes it, so an access that breaks the declaration would make every
 * verdict worthless.  Each function returns null if all is well, else what is
 * wrong, to be continued by the number of a register.
 */
#ifndef WICKET_CONTRACT_H
#define WICKET_CONTRACT_H

#include "step/step.h"

/* The number of registers may be anything up to the most. */
static inline const char *wicket_wrong_access(const struct wicket_access *a,
					      uint32_t regs)
{
	if (a->kind > WICKET_SLEEP)
		return "does what is no access, to register";
	if (a->kind == WICKET_REST)
		return 0;
	if (a->reg >= regs)
		return "uses a register that does not exist, register";
	if (a->words > WICKET_WORDS)
		return "compares more words than there are in register";
	if (regs < 64 && a->watch >> regs)
		return "watches registers that do not exist, beside register";
	return 0;
}

/* A region is one of four; to be continued by what it is instead. */
static inline const char *wicket_wrong_region(uint32_t region)
{
	return region > WICKET_EXIT ? "is in what is no region," : 0;
}

/* Does what it wants write, if it finds this value? */
static inline int wicket_writes(const struct wicket_access *a,
				struct wicket_value found)
{
	return a->kind == WICKET_STORE || a->kind == WICKET_RMW ||
	       (a->kind == WICKET_CAS && wicket_is_expected(a, found));
}

/* Is a value of the register's type? */
static inline int wicket_fits(const struct wicket_register *reg,
			      struct wicket_value v)
{
	uint64_t above = 0;

	for (int i = 1; i < WICKET_WORDS; i++)
		above |= v.w[i];
	return !reg->range || (!above && v.w[0] < reg->range);
}

/* Process who (from 1) writes a value. */
static inline const char *wicket_wrong_write(const struct wicket_register *reg,
					     uint32_t who,
					     struct wicket_value v)
{
	if (reg->owner && reg->owner != who)
		return "writes what belongs to another process, register";
	if (!wicket_fits(reg, v))
		return "writes a value outside the range of register";
	return 0;
}

#endif
