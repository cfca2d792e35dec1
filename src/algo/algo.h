/* SPDX-License-Identifier: MIT */
/* algo - every algorithm of the tree; what each file of src/algo includes. */
#ifndef WICKET_ALGO_H
#define WICKET_ALGO_H

#include "step/step.h"
#include "step/text.h"

extern const struct wicket_algo wicket_semaphore;
extern const struct wicket_algo wicket_bank;
extern const struct wicket_algo wicket_queue;
extern const struct wicket_algo wicket_numbered;
extern const struct wicket_algo wicket_unbounded_colored;
extern const struct wicket_algo wicket_colored;
extern const struct wicket_algo wicket_colored_1979;
extern const struct wicket_algo wicket_bakery_2;
extern const struct wicket_algo wicket_bakery_n;
extern const struct wicket_algo wicket_bakery;
extern const struct wicket_algo wicket_fast_outline;
extern const struct wicket_algo wicket_fast_2;
extern const struct wicket_algo wicket_fast;
extern const struct wicket_algo wicket_fischer;
extern const struct wicket_algo wicket_one_bit;
extern const struct wicket_algo wicket_central_server;
extern const struct wicket_algo wicket_recoverable;
extern const struct wicket_algo wicket_two_bits;
extern const struct wicket_algo wicket_weak_one_bit;
extern const struct wicket_algo wicket_lk_exclusion;
extern const struct wicket_algo wicket_rivest_pratt_2;
extern const struct wicket_algo wicket_rivest_pratt_n;
extern const struct wicket_algo wicket_rivest_pratt_linear;

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

/* Processes that need not know who they are. */
static inline struct wicket_proc wicket_anonymous(const struct wicket_cfg *c,
						  uint32_t i)
{
	(void)c, (void)i;
	return (struct wicket_proc){ .pc = WICKET_FROM_R };
}

#endif
