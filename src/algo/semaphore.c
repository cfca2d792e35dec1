/* SPDX-License-Identifier: MIT */
/*
 * semaphore - a counter of the slots in use.
 *
 * Source   FLBB 1989, section 1.3.1 (generalised semaphore).
 * Word     COUNT, 0..k.
 * S1       COUNT = number of processes in their critical region
 *          (mutant no-count).
 * S2       COUNT <= k (mutant no-test).
 * FIFO     none: whoever looks first after a release gets the slot, so a
 *          process can be overtaken for ever.
 * Crash    a crash in the critical region costs its slot; a crash anywhere
 *          else costs nothing.
 */
#include "algo/algo.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, GIVE = WICKET_FROM_C };
enum mutant { NO_TEST = 1, NO_COUNT };

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	/* without the test all may be counted */
	return (struct wicket_register){
		.range = (c->mutant == NO_TEST ? c->n : c->k) + 1,
	};
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint64_t count = seen.w[0];

	switch (p.pc) {
	case TAKE:
	case TEST:
		if (count < c->k || c->mutant == NO_TEST) {
			/* COUNT -> COUNT+1 */
			r.put = wicket_number(count + 1);
			r.proc.pc = GIVE;
		} else {
			r.proc.pc = TEST;
		}
		break;
	case GIVE: /* COUNT -> COUNT-1 */
		if (c->mutant != NO_COUNT)
			r.put = wicket_number(count - 1);
		r.proc.pc = TAKE;
		break;
	}
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint64_t inside = 0;

	if (i == 1)
		return regs[0].w[0] <= c->k; /* S2 */
	for (uint32_t j = 0; j < c->n; j++)
		inside += procs[j].pc == GIVE;
	return regs[0].w[0] == inside; /* S1 */
}

static uint64_t bound(const struct wicket_cfg *c)
{
	return c->k + 1;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	wicket_put(t, p.pc == GIVE ? "give back" : "take if free");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c;
	wicket_put(t, "COUNT=");
	wicket_put_number(t, (int64_t)regs[0].w[0]);
}

static const struct wicket_mutant mutants[] = {
	{ "no-test", "enters whatever COUNT is", 0 },
	{ "no-count", "leaves COUNT as it was when it goes", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "S1", "COUNT is the number of processes in C" },
	{ "S2", "COUNT is at most k" },
	{ 0, 0 },
};

const struct wicket_algo wicket_semaphore = {
	.name = "semaphore",
	.title = "generalised semaphore",
	.source = "FLBB 1989, 1.3.1",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989,
	.solves = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_AVOIDANCE,
	.registers = wicket_one_register,
	.reg = reg,
	.start = wicket_anonymous,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
