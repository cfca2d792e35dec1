/* SPDX-License-Identifier: MIT */
/* fenced - after which steps an algorithm's variant takes a fence. */
#ifndef FENCED_H
#define FENCED_H

#include "../unit.h"

#include "algo/fence.h"

/*
 * After p's step, is there a fence before what the plain variant does next?  Where
 * there is, it is a step of its own, and otherwise nothing has changed.
 */
static inline int is_fenced(const struct wicket_algo *algo, uint32_t variant,
			    const struct wicket_cfg *c, struct wicket_proc p)
{
	struct wicket_cfg plain = { .n = c->n, .k = c->k, .variant = variant };
	struct wicket_value zero = wicket_number(0);
	struct wicket_proc next = algo->step(&plain, p, zero).proc;
	struct wicket_proc q = algo->step(c, p, zero).proc;
	struct wicket_text text = { 0 };

	if (!wicket_owes_fence(q)) {
		assert_memory_equal(&q, &next, sizeof(next));
		return 0;
	}
	assert_int_equal(algo->region(c, q), algo->region(&plain, next));
	assert_int_equal(algo->access(c, q).kind, WICKET_FENCE);
	algo->show_step(c, q, &text);
	assert_string_equal(text.s, "fence");
	q = algo->step(c, q, zero).proc;
	assert_memory_equal(&q, &next, sizeof(next));
	return 1;
}

/* Of p at each program counter from 0 on: F if it is followed by a fence, else -. */
static inline void assert_fences(const struct wicket_algo *algo, uint32_t plain,
				 const struct wicket_cfg *c,
				 struct wicket_proc p, const char *expected)
{
	for (p.pc = 0; expected[p.pc]; p.pc++) {
		if (is_fenced(algo, plain, c, p) != (expected[p.pc] != '-'))
			fail_msg("after pc %u, expected %s", p.pc, expected);
	}
}

#endif
