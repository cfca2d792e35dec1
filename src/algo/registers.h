/* SPDX-License-Identifier: MIT */
/*
 * registers - what the algorithms on single-writer registers have in common, as
 * algo.h has for those on one variable.
 */
#ifndef WICKET_REGISTERS_H
#define WICKET_REGISTERS_H

#include "step/step.h"

/* One register a process. */
static inline uint32_t wicket_one_each(const struct wicket_cfg *c)
{
	return c->n;
}

/* A bit that its process alone may write. */
static inline struct wicket_register wicket_own_bit(const struct wicket_cfg *c,
						    uint32_t r)
{
	(void)c;
	return (struct wicket_register){ .range = 2, .owner = r + 1 };
}

/* A process that knows who it is, at the first of its program counters. */
static inline struct wicket_proc wicket_known(const struct wicket_cfg *c,
					      uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

/* The exit code is a single write, which leaves C: then there is no E. */
static inline enum wicket_region wicket_region_without_exit(int rests,
							    int leaves)
{
	return rests  ? WICKET_REMAINDER :
	       leaves ? WICKET_CRITICAL :
			WICKET_TRYING;
}

/* The values that so many registers of so many values each have; 0: 2^64 or
   more. */
static inline uint64_t wicket_power(uint64_t each, uint32_t registers)
{
	uint64_t values = 1;

	while (registers--) {
		if (__builtin_mul_overflow(values, each, &values))
			return 0;
	}
	return values;
}

#endif
