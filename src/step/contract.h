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

/* May an access of this kind be ordered so? */
static inline int wicket_has_order(uint32_t kind, uint32_t order)
{
	switch (kind) {
	case WICKET_LOAD:
	case WICKET_AWAIT:
		return order < WICKET_LOCKED && order != WICKET_RELEASE;
	case WICKET_STORE:
		return order < WICKET_LOCKED && order != WICKET_ACQUIRE;
	case WICKET_RMW:
	case WICKET_CAS:
		return order <= WICKET_LOCKED;
	default:
		return order == WICKET_PLAIN;
	}
}

/* The number of registers may be anything up to the most. */
static inline const char *wicket_wrong_access(const struct wicket_access *a,
					      uint32_t regs)
{
	if (a->kind > WICKET_FENCE)
		return "does what is no access, to register";
	if (!wicket_has_order(a->kind, a->order))
		return "orders an access as there is none, to register";
	if (a->kind == WICKET_REST)
		return 0;
	if (a->kind == WICKET_FENCE && a->reg)
		return "has a fence, which touches no register, but names register";
	if (a->reg >= regs)
		return "uses a register that does not exist, register";
	if (a->words > WICKET_WORDS)
		return "compares more words than there are in register";
	if (a->part >> WICKET_WORDS)
		return "touches words that are not in register";
	if (a->part && a->kind != WICKET_LOAD && a->kind != WICKET_STORE)
		return "touches a part only, though it neither loads nor stores, of register";
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
