/* SPDX-License-Identifier: MIT */
/* Properties that a state has or has not. */
#include <string.h>

#include "verify/property/property.h"

/* Nobody can do anything by itself any more, and everything stored is in memory. */
static bool is_over(const struct run *run)
{
	for (uint32_t i = 0; i < run->procs; i++) {
		if (run_can(run, deed_of(i, DEED_STEP)) ||
		    run_can(run, deed_of(i, DEED_TIMEOUT)) ||
		    run_can(run, deed_of(i, DEED_DRAIN)))
			return false;
	}
	return true;
}

static bool all_have_gone(const struct run *run)
{
	for (uint32_t i = 0; i < run->cfg.n; i++) {
		if (run_region(run, i) != WICKET_REMAINDER)
			return false;
	}
	return true;
}

/* Somebody has not, though no death is left that only a look can show. */
static bool is_left_behind(const struct run *run)
{
	struct wicket_proc procs[WICKET_PROCS_MAX];

	for (uint32_t i = 0; i < run->cfg.n; i++)
		procs[i] = run->actor[i].proc;
	return !all_have_gone(run) &&
	       !(run->algo->unnoticed &&
		 run->algo->unnoticed(&run->cfg, run->reg, procs));
}

static bool is_like(const struct run *a, const struct run *b)
{
	return !memcmp(a->reg, b->reg, a->regs * sizeof(*a->reg)) &&
	       !memcmp(a->actor, b->actor, sizeof(*a->actor));
}

/* A newcomer, alone: does it get into C?  Where it has been before, it will be
   again: it is compared with where it was after 1, 2, 4, 8... steps. */
static bool gets_in(struct run *run)
{
	enum { LONG_ENOUGH = 500 };
	struct run before = *run;

	run->actor[0] = (struct actor){
		.proc = run->algo->start(&run->cfg, run->cfg.n + 1),
	};
	for (uint32_t t = 0; t < LONG_ENOUGH; t++) {
		if (run_region(run, 0) == WICKET_CRITICAL)
			return true;
		if (t && is_like(run, &before))
			return false;
		if (!(t & (t - 1)))
			before = *run;
		run_do(run, deed_label(0, DEED_STEP, 0));
	}
	return false;
}

/* When all have gone: k newcomers get in, or as many as there is room for, and the
   next one does not. */
static bool is_lost(const struct run *run)
{
	const struct wicket_algo *algo = run->algo;
	uint32_t room = algo->room ? algo->room(&run->cfg, run->reg) :
				     run->cfg.k;
	struct run after = *run;

	after.world.sleep = SLEEP_GENEROUS;
	after.world.memory = MEMORY_SC; /* all have drained, and it is alone */
	after.procs = 1;
	for (uint32_t i = 0; i < room; i++) {
		if (!gets_in(&after))
			return true;
	}
	return gets_in(&after);
}

static bool is_crowded(const struct run *run)
{
	const struct wicket_algo *algo = run->algo;
	uint32_t inside = 0;

	for (uint32_t i = 0; i < run->cfg.n; i++) {
		if (run_region(run, i) == WICKET_CRITICAL)
			inside += algo->units ?
					  algo->units(&run->cfg,
						      run->actor[i].proc) :
					  1;
	}
	return inside > run->cfg.k;
}

/* Can nobody do anything by itself in this state?  Told by the memos alone. */
static bool is_end(const struct system *s, const uint32_t *parts)
{
	for (uint32_t i = 0; i < s->procs; i++) {
		if (system_memo(s, parts, i)->can &
		    (1 << DEED_STEP | 1 << DEED_TIMEOUT))
			return false;
	}
	return system_drained(s, parts) == (1u << s->procs) - 1;
}

/* --- the rows ------------------------------------------------------------- */

static bool has_too_many(const struct system *s, const uint32_t *parts)
{
	uint32_t inside = system_count(s, system_regions(s, parts),
				       WICKET_CRITICAL);

	return s->algo->units ? inside > 1 : inside > s->cfg.k;
}

const struct property property_k_exclusion = {
	.name = "k-exclusion",
	.says = "never more than k processes are in C",
	.claim = WICKET_K_EXCLUSION,
	.suspect = has_too_many,
	.broken = is_crowded,
};

static bool is_something_lost(const struct run *run)
{
	return is_over(run) && all_have_gone(run) && is_lost(run);
}

const struct property property_nothing_lost = {
	.name = "nothing-lost",
	.says = "when all have gone, k newcomers get into C, and no more",
	.claim = WICKET_NOTHING_LOST,
	.suspect = is_end,
	.broken = is_something_lost,
};

static bool is_somebody_left(const struct run *run)
{
	return is_over(run) && is_left_behind(run);
}

const struct property property_nobody_left_behind = {
	.name = "nobody-left-behind",
	.says = "when nobody can act, all are in R, or a death is unnoticed",
	.claim = WICKET_NOBODY_LEFT_BEHIND,
	.suspect = is_end,
	.broken = is_somebody_left,
};
