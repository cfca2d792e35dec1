/* SPDX-License-Identifier: MIT */
/*
 * bank - one line for all the tellers: only its head may go to a teller.
 *
 * Source   FLBB 1989, section 1.3.2; FLBB 1979, section 1.  bank:NAME stands
 *          in line by any lock NAME for one process; bank is bank:queue.
 *          Not by recoverable: a line whose seats and deaths are its own
 *          would have to tell the bank of them.  Nor by one that has a helper,
 *          who would be no customer, or whose numbers are explored up to a cap.
 * Value    the registers of the inner lock, then COUNT, 0..k.
 * B1       COUNT = number of processes in C or on their way from the head of
 *          the line to a teller (mutant no-count).
 * B2       at most one process is at the head (mutant no-line).  Whoever is
 *          in the exit code of the inner lock is not there any more.
 * FIFO     that of the inner lock.
 * Crash    for k >= 2 a single crash at the head closes the bank, tellers
 *          idle: the flaw for which the paper exists.  (For k = 1 the head has
 *          a teller reserved, so nothing is lost but that one slot.)
 */
#include "algo/algo.h"

/* proc.outer; proc.pc is the inner lock's. */
enum outer { QUEUE_UP, COUNT_IN, LEAVE_QUEUE, COUNT_OUT };
enum mutant { NO_COUNT = 1, NO_LINE };

static struct wicket_cfg inner(const struct wicket_cfg *c)
{
	return (struct wicket_cfg){
		.n = c->n, .k = 1, .r = c->r, .variant = c->inner_variant
	};
}

static const char *refuse(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	if (c->inner->has_seats)
		return "a line with seats of its own is no inner lock";
	if (c->inner->beyond || c->inner->processes)
		return "a lock with a helper or a cap is no inner lock";
	return c->inner->refuse ? c->inner->refuse(&in) : 0;
}

static uint32_t processes(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	return wicket_processes(c->inner, &in);
}

static uint32_t count_register(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	return c->inner->registers(&in);
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return count_register(c) + 1;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_cfg in = inner(c);

	if (r == count_register(c))
		return (struct wicket_register){ .range = c->k + 1 };
	return c->inner->reg(&in, r);
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_cfg in = inner(c);

	return c->inner->start(&in, i);
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	struct wicket_cfg in = inner(c);

	return p.outer == QUEUE_UP  ? c->inner->region(&in, p) :
	       p.outer == COUNT_OUT ? WICKET_CRITICAL :
				      WICKET_TRYING;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	struct wicket_cfg in = inner(c);

	if (p.outer == COUNT_IN || p.outer == COUNT_OUT)
		return wicket_ask(WICKET_RMW, count_register(c));
	return c->inner->access(&in, p);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_cfg in = inner(c);
	struct wicket_result r = { .proc = p, .put = seen };

	switch (p.outer) {
	case QUEUE_UP:
		r = c->inner->step(&in, p, seen);
		if (c->inner->region(&in, r.proc) == WICKET_CRITICAL ||
		    c->mutant == NO_LINE)
			r.proc.outer = COUNT_IN; /* B2 */
		break;
	case COUNT_IN:
		if (seen.w[0] < c->k) { /* COUNT -> COUNT+1 */
			r.put.w[0]++;
			r.proc.outer = LEAVE_QUEUE;
		}
		break;
	case LEAVE_QUEUE:
		r = c->inner->step(&in, p, seen);
		if (c->inner->region(&in, r.proc) == WICKET_REMAINDER ||
		    c->mutant == NO_LINE)
			r.proc.outer = COUNT_OUT;
		break;
	case COUNT_OUT: /* COUNT -> COUNT-1 */
		if (c->mutant != NO_COUNT)
			r.put.w[0]--;
		r.proc.outer = QUEUE_UP;
		break;
	}
	return r;
}

/* COUNT is bounded; the inner lock has a quotient whenever this is called. */
static struct wicket_result quotient(const struct wicket_cfg *c,
				     struct wicket_proc p,
				     struct wicket_value v)
{
	struct wicket_cfg in = inner(c);

	return c->inner->quotient(&in, p, v);
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct wicket_cfg in = inner(c);
	uint64_t counted = 0, heads = 0;

	for (uint32_t j = 0; j < c->n; j++) {
		counted += procs[j].outer >= LEAVE_QUEUE;
		heads += procs[j].outer == COUNT_IN ||
			 (procs[j].outer == LEAVE_QUEUE &&
			  c->inner->region(&in, procs[j]) != WICKET_EXIT);
	}
	return i == 0 ? regs[count_register(c)].w[0] == counted : /* B1 */
			heads <= 1;				  /* B2 */
}

static uint64_t bound(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	return c->inner->bound ? (c->k + 1) * c->inner->bound(&in) : 0;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	struct wicket_cfg in = inner(c);

	if (p.outer == COUNT_IN)
		wicket_put(t, "count in");
	else if (p.outer == COUNT_OUT)
		wicket_put(t, "count out");
	else
		c->inner->show_step(&in, p, t);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct wicket_cfg in = inner(c);

	c->inner->show(&in, regs, t);
	wicket_put(t, " COUNT=");
	wicket_put_number(t, (int64_t)regs[count_register(c)].w[0]);
}

static const struct wicket_mutant mutants[] = {
	{ "no-count", "who leaves C leaves COUNT as it was", 0 },
	{ "no-line", "goes to a teller without being at the head", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "B1", "COUNT is the number of processes at or going to a teller" },
	{ "B2", "at most one process is at the head of the line" },
	{ 0, 0 },
};

const struct wicket_algo wicket_bank = {
	.name = "bank",
	.title = "Bank Algorithm",
	.source = "FLBB 1989, 1.3.2; FLBB 1979, 1",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989 | WICKET_C2 | WICKET_C5,
	.solves = WICKET_K_EXCLUSION | WICKET_FIFO_ENABLING | WICKET_C2 |
		  WICKET_C5,
	.composite = WICKET_OF_ANY,
	.refuse = refuse,
	.processes = processes,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.quotient = quotient,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
