/* SPDX-License-Identifier: MIT */
/* algo - every algorithm of the tree; what each file of src/algo includes. */
#ifndef WICKET_ALGO_H
#define WICKET_ALGO_H

#include "step/step.h"
#include "step/text.h"

/* X(name after wicket_): every algorithm, in the order of the papers; meson.build
   lists the files. */
#define WICKET_ALGOS(X)                                                        \
	X(semaphore)                                                           \
	X(bank)                                                                \
	X(queue)                                                               \
	X(numbered)                                                            \
	X(unbounded_colored)                                                   \
	X(colored)                                                             \
	X(colored_1979)                                                        \
	X(supervised)                                                          \
	X(short_names)                                                         \
	X(eliminate)                                                           \
	X(recoverable)                                                         \
	X(guests)                                                              \
	X(bitmap)                                                              \
	X(rivest_pratt_2)                                                      \
	X(rivest_pratt_n)                                                      \
	X(rivest_pratt_linear)                                                 \
	X(two_bits)                                                            \
	X(lk_exclusion)                                                        \
	X(weak_one_bit)                                                        \
	X(bakery_2)                                                            \
	X(bakery_n)                                                            \
	X(bakery)                                                              \
	X(fast_outline)                                                        \
	X(fast_2)                                                              \
	X(fast)                                                                \
	X(fischer)                                                             \
	X(one_bit)                                                             \
	X(central_server)                                                      \
	X(cluster)                                                             \
	X(shared_lease)

#define WICKET_DECLARE(name) extern const struct wicket_algo wicket_##name;
WICKET_ALGOS(WICKET_DECLARE)
#undef WICKET_DECLARE

/*
 * For the many algorithms whose whole shared memory is one variable that
 * every step reads and rewrites, and whose process has one program counter a
 * region: its next step is the one that leaves R, tests in T, or leaves C.
 */
static inline uint32_t wicket_one_register(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

/* The processes, and one that helps them. */
static inline uint32_t wicket_one_helper(const struct wicket_cfg *c)
{
	return c->n + 1;
}

static inline struct wicket_access
wicket_whole_action(const struct wicket_cfg *c, struct wicket_proc p)
{
	(void)c, (void)p;
	return wicket_ask(WICKET_RMW, 0);
}

enum { WICKET_FROM_R, WICKET_FROM_T, WICKET_FROM_C };

static inline enum wicket_region wicket_pc_is_region(const struct wicket_cfg *c,
						     struct wicket_proc p)
{
	(void)c;
	return p.pc == WICKET_FROM_R ? WICKET_REMAINDER :
	       p.pc == WICKET_FROM_T ? WICKET_TRYING :
				       WICKET_CRITICAL;
}

/* Of a bound: 0 once it is more than 2^63. */
static inline uint64_t wicket_times(uint64_t x, uint64_t y)
{
	uint64_t product;

	return __builtin_mul_overflow(x, y, &product) || product >> 63 ?
		       0 :
		       product;
}

/* Processes that need not know who they are. */
static inline struct wicket_proc wicket_anonymous(const struct wicket_cfg *c,
						  uint32_t i)
{
	(void)c, (void)i;
	return (struct wicket_proc){ .pc = WICKET_FROM_R };
}

#endif
