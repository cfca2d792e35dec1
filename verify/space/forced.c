/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/run.h"
#include "verify/space/forced.h"

/* Who needs more steps than this on its own to get somewhere never does: it
   meets the same value in the same local state again. */
enum { PATIENCE = 1000, FORCED_MAX = 256 };

struct construction {
	struct run start; /* everybody is in R, or does not take part */
	uint32_t n, k;	  /* of those who take part */
	struct forced forced;
	struct wicket_value seen[FORCED_MAX][WICKET_REGS_MAX];
};

/* Process i, from 1 as in the paper, takes steps on its own until it enters
   the region. */
static bool goes_to(struct run *run, uint32_t i, enum wicket_region region)
{
	uint16_t label = deed_label(i - 1, DEED_STEP, 0);

	for (uint32_t steps = 0; steps < PATIENCE; steps++) {
		run_do(run, label);
		if (run_region(run, i - 1) == region)
			return true;
	}
	return false;
}

/* One step; if nobody is overtaken it is into the trying region. */
static void asks(struct run *run, uint32_t i)
{
	run_do(run, deed_label(i - 1, DEED_STEP, 0));
}

/* Steps (1) and (2): the k slots are taken, all others wait, P_1 leaves. */
static bool fill(struct run *run, uint32_t n, uint32_t k)
{
	for (uint32_t i = 1; i <= k; i++) {
		if (!goes_to(run, i, WICKET_CRITICAL))
			return false;
	}
	for (uint32_t i = k + 1; i <= n; i++)
		asks(run, i);
	return goes_to(run, 1, WICKET_REMAINDER);
}

/* Each of them in turn goes through C to R. */
static bool pass(struct run *run, uint32_t from, uint32_t to)
{
	for (uint32_t p = from; p <= to; p++) {
		if (!goes_to(run, p, WICKET_REMAINDER))
			return false;
	}
	return true;
}

static void see(struct construction *x, const struct run *run)
{
	size_t size = run->regs * sizeof(*run->reg);
	uint32_t s = 0;

	x->forced.played++;
	while (s < x->forced.distinct &&
	       memcmp(x->seen[s], run->reg, size) != 0)
		s++;
	if (s < x->forced.distinct)
		return;
	memcpy(x->seen[s], run->reg, size);
	x->forced.distinct++;
}

/* h(i,j) for all k <= j < i <= last. */
static bool play(struct construction *x, uint32_t last)
{
	for (uint32_t i = x->k + 1; i <= last; i++) {
		struct run run = x->start;

		if (!fill(&run, x->n, x->k) || !pass(&run, x->k + 1, i))
			return false;
		see(x, &run);
		for (uint32_t j = x->k + 1; j < i; j++) {
			asks(&run, j);
			see(x, &run);
		}
	}
	return true;
}

/* q'': all but P_n are in R again, P_n waits and has a slot reserved. */
static bool start_anew(struct construction *x)
{
	if (!fill(&x->start, x->n, x->k) || !pass(&x->start, 2, x->k) ||
	    !pass(&x->start, x->k + 1, x->n - 1))
		return false;
	x->n--;
	x->k--;
	return true;
}

static void begin(struct construction *x, const struct task *t)
{
	*x = (struct construction){ .n = t->cfg.n, .k = t->cfg.k };
	run_start(&x->start, t->algo, &t->cfg, &t->world);
}

struct forced forced_pairs(const struct task *t)
{
	struct construction x;

	begin(&x, t);
	x.forced.can = x.n < x.k + 2 || play(&x, x.n - 1);
	return x.forced;
}

struct forced forced_all(const struct task *t)
{
	struct construction x;
	bool can = true;

	begin(&x, t);
	if (x.n < x.k + 2)
		return (struct forced){ .can = true };
	while (can && x.k > 1)
		can = play(&x, x.n - 2) && start_anew(&x);
	x.forced.can = can && play(&x, x.n - 1);
	return x.forced;
}
