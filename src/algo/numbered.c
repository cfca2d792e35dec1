/* SPDX-License-Identifier: MIT */
/*
 * numbered - tickets are the natural numbers.
 *
 * Source   FLBB 1989, Figs. 2 and 3.
 * Value    (ISSUE, VALID): the ticket last issued, the ticket last validated.
 * N1       VALID - ISSUE = k - number of ticket holders (mutant no-validate).
 * FIFO     tickets are validated in the order in which they are issued.
 * Crash    a crashed holder keeps its ticket: one slot, once it is valid.
 *
 * Both numbers grow for ever.  The quotient makes the system finite and
 * changes nothing that can be observed:
 *   - all numbers are shifted so that VALID = k: steps only add 1 and compare;
 *   - a valid ticket becomes VALID: it is only ever compared with VALID, which
 *     never falls, so from now on every comparison says "valid".
 */
#include "algo/algo.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, DISCARD = WICKET_FROM_C };
enum local { TICKET };
enum mutant { NO_VALIDATE = 1 };

enum word { ISSUE, VALID };

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return (struct wicket_register){ .start.w[VALID] = c->k };
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	switch (p.pc) {
	case TAKE: /* (i,v) -> (i+1,v) */
		r.proc.local[TICKET] = ++r.put.w[ISSUE];
		r.proc.pc = TEST;
		break;
	case DISCARD: /* (i,v) -> (i,v+1) */
		if (c->mutant != NO_VALIDATE)
			r.put.w[VALID]++;
		r.proc.pc = TAKE;
		return r;
	}
	if (r.proc.local[TICKET] <= r.put.w[VALID]) {
		r.proc.local[TICKET] = 0;
		r.proc.pc = DISCARD;
	}
	return r;
}

static struct wicket_result quotient(const struct wicket_cfg *c,
				     struct wicket_proc p,
				     struct wicket_value v)
{
	struct wicket_result r = { .proc = p, .put = v };
	uint64_t shift = v.w[VALID] - c->k;

	r.put.w[ISSUE] -= shift;
	r.put.w[VALID] -= shift;
	if (p.pc == TEST)
		r.proc.local[TICKET] = p.local[TICKET] <= v.w[VALID] ?
					       c->k :
					       p.local[TICKET] - shift;
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint64_t holders = 0;

	(void)i;
	for (uint32_t j = 0; j < c->n; j++)
		holders += procs[j].pc != TAKE;
	return regs[0].w[VALID] + holders == regs[0].w[ISSUE] + c->k; /* N1 */
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	if (p.pc == TEST) {
		wicket_put(t, "test ");
		wicket_put_number(t, (int64_t)p.local[TICKET]);
	} else {
		wicket_put(t, p.pc == TAKE ? "take" : "discard");
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c;
	wicket_put(t, "ISSUE=");
	wicket_put_number(t, (int64_t)regs[0].w[ISSUE]);
	wicket_put(t, " VALID=");
	wicket_put_number(t, (int64_t)regs[0].w[VALID]);
}

static const struct wicket_mutant mutants[] = {
	{ "no-validate", "who leaves C validates no ticket", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "N1", "VALID - ISSUE = k - number of ticket holders" },
	{ 0, 0 },
};

const struct wicket_algo wicket_numbered = {
	.name = "numbered",
	.title = "Numbered Ticket Algorithm",
	.source = "FLBB 1989, Figs. 2, 3",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989,
	.solves = WICKET_PROBLEM_1989,
	.registers = wicket_one_register,
	.reg = reg,
	.start = wicket_anonymous,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.quotient = quotient,
	.holds = holds,
	.show_step = show_step,
	.show = show,
};
