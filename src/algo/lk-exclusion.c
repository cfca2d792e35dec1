/* SPDX-License-Identifier: MIT */
/*
 * lk-exclusion - l slots, of which only k must survive crashes, in less space.
 *
 * Source   Taubenfeld 2013, section 3.3, Theorem 3.4.  Its l is our k, the
 *          number of slots; its k is our r, the robustness: k-exclusion that
 *          fewer than r crashes cannot stop.
 * Value    none for processes 1 .. k-r, who come and go as they like.  The
 *          other n-k+r compete for r slots by two-bits (r >= 2) or one-bit
 *          (r = 1), whose registers these are: 2(n-k+r)-2 or n-k+1 bits.  In the
 *          steps and values shown they are numbered from 1 among themselves.
 * L1       at most k-r of the processes in C came in freely (mutant
 *          one-more-free).
 * Safety   L1, and at most r of the others by the inner algorithm.
 * Fences   :fenced, for memory in which stores wait in buffers: those of the
 *          inner algorithm's variant of that name.  The free store nothing.
 * FIFO     none.
 * Crash    fewer than r crashes stop nobody else.  For r < k, k-1 can, though
 *          slots are left: those of the free are not for the others.
 */
#include "algo/algo.h"

enum outer { COMPETES, IS_FREE }; /* proc.outer; proc.pc is the inner one's */
enum free_pc { OUTSIDE, INSIDE }; /* ... or of a free process, one of these */
enum mutant { ONE_MORE_FREE = 1 };

static uint32_t robustness(const struct wicket_cfg *c)
{
	return c->r ? c->r : 1;
}

static uint32_t free_processes(const struct wicket_cfg *c)
{
	return c->k - robustness(c) + (c->mutant == ONE_MORE_FREE);
}

static struct wicket_cfg inner(const struct wicket_cfg *c)
{
	return (struct wicket_cfg){ .n = c->n - free_processes(c),
				    .k = robustness(c),
				    .variant = c->inner_variant };
}

static const char *refuse(const struct wicket_cfg *c)
{
	return robustness(c) <= c->k ?
		       0 :
		       "lk-exclusion: r can be at most k, the number of slots";
}

static uint32_t registers(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	return c->inner->registers(&in);
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_cfg in = inner(c);
	struct wicket_register its = c->inner->reg(&in, r);

	its.owner += free_processes(c);
	return its;
}

/* A free process need not know who it is. */
static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_cfg in = inner(c);

	if (i <= free_processes(c))
		return (struct wicket_proc){ .pc = OUTSIDE, .outer = IS_FREE };
	return c->inner->start(&in, i - free_processes(c));
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	struct wicket_cfg in = inner(c);

	if (p.outer == IS_FREE)
		return p.pc == INSIDE ? WICKET_CRITICAL : WICKET_REMAINDER;
	return c->inner->region(&in, p);
}

/* To be seen coming and going it takes a step, a look that it ignores. */
static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	struct wicket_cfg in = inner(c);

	return p.outer == IS_FREE ? wicket_ask(WICKET_LOAD, 0) :
				    c->inner->access(&in, p);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_cfg in = inner(c);

	if (p.outer != IS_FREE)
		return c->inner->step(&in, p, seen);
	p.pc = p.pc == INSIDE ? OUTSIDE : INSIDE;
	return (struct wicket_result){ .proc = p, .put = seen };
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint32_t inside = 0;

	(void)i, (void)regs;
	for (uint32_t j = 0; j < c->n; j++)
		inside += procs[j].outer == IS_FREE && procs[j].pc == INSIDE;
	return inside <= c->k - robustness(c);
}

static uint64_t bound(const struct wicket_cfg *c)
{
	struct wicket_cfg in = inner(c);

	return c->inner->bound ? c->inner->bound(&in) : 0;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	struct wicket_cfg in = inner(c);

	if (p.outer == IS_FREE)
		wicket_put(t, p.pc == INSIDE ? "goes" : "comes");
	else
		c->inner->show_step(&in, p, t);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct wicket_cfg in = inner(c);

	c->inner->show(&in, regs, t);
}

static const struct wicket_named variants[] = {
	{ "fenced", "with the fences of the inner algorithm" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "one-more-free", "one process too many enters as it likes", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "L1", "at most k-r of the processes in C came in freely" },
	{ 0, 0 },
};

const struct wicket_algo wicket_lk_exclusion = {
	.name = "lk-exclusion",
	.title = "k slots that fewer than r crashes cannot stop",
	.source = "Taubenfeld 2013, 3.3",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_EXIT_WAIT_FREEDOM |
		     WICKET_R_DEADLOCK_FREEDOM,
	.solves = WICKET_K_EXCLUSION | WICKET_EXIT_WAIT_FREEDOM |
		  WICKET_R_DEADLOCK_FREEDOM,
	.composite = WICKET_OF_ITS_OWN,
	.refuse = refuse,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
