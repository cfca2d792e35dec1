/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "verify/property/property.h"

/* In the order of enum wicket_claim. */
const char *const property_names[] = {
	"k-exclusion",
	"k-deadlock-avoidance",
	"fifo-enabling",
	"deadlock-freedom",
	"k-deadlock-freedom",
	"weak-k-deadlock-freedom",
	"starvation-freedom",
	"bypass",
	"exit-wait-freedom",
	"ultrareliability",
	"nothing-lost",
	"nobody-left-behind",
	"c2",
	"c3",
	"c3-enabling",
	"c4",
	"c4-enabling",
	"c5",
	"c5-enabling",
	"c6-queuelike",
	"order-preserving",
	"bounded-numbers",
	"r-deadlock-freedom",
	"abort-resilience",
	NULL,
};

static const char bypass_from[] = "bypass-from-";

/* Those that a state has or has not. */
enum {
	OF_STATES = WICKET_K_EXCLUSION | WICKET_NOTHING_LOST |
		    WICKET_NOBODY_LEFT_BEHIND,
	WAITING = WICKET_C3 | WICKET_C3_ENABLING | WICKET_C4 |
		  WICKET_C4_ENABLING | WICKET_C5 | WICKET_C5_ENABLING,
	/* those that a finite schedule breaks, without being of states */
	FINITE = WICKET_FIFO_ENABLING | WICKET_C5 | WICKET_C5_ENABLING |
		 WICKET_C6_QUEUELIKE | WICKET_ORDER_PRESERVING,
	/* those that speak of all schedules there are, so that one that goes
	   beyond the cap might be missed where it counts as none */
	NOT_UP_TO_A_CAP = WICKET_K_DEADLOCK_AVOIDANCE | WICKET_FIFO_ENABLING |
			  WICKET_C2 | WAITING | WICKET_C6_QUEUELIKE,
};

/* The claim of this name, or 0. */
static uint32_t claim_of(const char *name)
{
	for (uint32_t i = 0; property_names[i]; i++) {
		if (!strcmp(property_names[i], name))
			return 1u << i;
	}
	return 0;
}

/* 1 + the position of a name in a table, or 0. */
static uint32_t position(const struct wicket_named *table, const char *name)
{
	for (uint32_t i = 0; table && table[i].name; i++) {
		if (!strcmp(table[i].name, name))
			return i + 1;
	}
	return 0;
}

/*
 * bypass-from-POINT: 1 + the position of the point, or 0.  Bypass itself is
 * from the first point that the algorithm names, if it names any.
 */
static uint32_t point_of(const struct wicket_algo *algo, const char *name)
{
	size_t length = strlen(bypass_from);

	if (claim_of(name) == WICKET_BYPASS)
		return algo->points ? 1 : 0;
	return strncmp(name, bypass_from, length) ?
		       0 :
		       position(algo->points, name + length);
}

bool property_known(const struct wicket_algo *algo, const char *name)
{
	return claim_of(name) || position(algo->invariants, name) ||
	       point_of(algo, name);
}

const char *property_unfit(const struct wicket_algo *algo, const char *name)
{
	uint32_t claim = claim_of(name);

	if (claim == WICKET_BOUNDED_NUMBERS && !algo->raise)
		return "is asked only of numbers explored up to a cap";
	if (claim & NOT_UP_TO_A_CAP && algo->beyond)
		return "cannot be decided up to a cap";
	return NULL;
}

bool property_is_safety(const struct wicket_algo *algo, const char *name)
{
	return claim_of(name) & OF_STATES || position(algo->invariants, name);
}

/* Nobody can do anything by itself any more. */
static bool is_over(const struct run *run)
{
	for (uint32_t i = 0; i < run->procs; i++) {
		if (run_can(run, deed_label(i, DEED_STEP, 0)) ||
		    run_can(run, deed_label(i, DEED_TIMEOUT, 0)))
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

/* A newcomer, alone: does it get into C? */
static bool gets_in(struct run *run)
{
	enum { LONG_ENOUGH = 500 };

	run->actor[0] = (struct actor){
		.proc = run->algo->start(&run->cfg, run->cfg.n + 1),
	};
	for (int t = 0; t < LONG_ENOUGH; t++) {
		if (run_region(run, 0) == WICKET_CRITICAL)
			return true;
		run_do(run, deed_label(0, DEED_STEP, 0));
	}
	return false;
}

/* When all have gone: k newcomers get in, and the k+1st does not; where the
   line is closed, not even one. */
static bool is_lost(const struct run *run)
{
	const struct wicket_algo *algo = run->algo;
	bool closed = algo->closed && algo->closed(&run->cfg, run->reg);
	uint32_t room = closed ? 0 : run->cfg.k;
	struct run after = *run;

	after.world.sleep = SLEEP_GENEROUS;
	after.procs = 1;
	for (uint32_t i = 0; i < room; i++) {
		if (!gets_in(&after))
			return true;
	}
	return gets_in(&after);
}

static bool is_crowded(const struct run *run)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < run->cfg.n; i++)
		inside += run_region(run, i) == WICKET_CRITICAL;
	return inside > run->cfg.k;
}

bool property_is_broken(const struct run *run, const char *name)
{
	uint32_t label = position(run->algo->invariants, name);
	struct wicket_proc procs[WICKET_PROCS_MAX];

	switch (claim_of(name)) {
	case WICKET_K_EXCLUSION:
		return is_crowded(run);
	case WICKET_NOTHING_LOST:
		return is_over(run) && all_have_gone(run) && is_lost(run);
	case WICKET_NOBODY_LEFT_BEHIND:
		return is_over(run) && is_left_behind(run);
	}
	for (uint32_t i = 0; i < run->procs; i++)
		procs[i] = run->actor[i].proc;
	return !run->algo->holds(&run->cfg, label - 1, run->reg, procs);
}

/* Can nobody do anything by itself in this state?  Told by the memos alone. */
static bool is_end(const struct graph *g, const uint32_t *parts)
{
	for (uint32_t i = 0; i < g->system.procs; i++) {
		if (system_memo(&g->system, parts, i)->can &
		    (1 << DEED_STEP | 1 << DEED_TIMEOUT))
			return false;
	}
	return true;
}

/* Is the property broken in a state?  The run is put there if need be. */
static bool is_bad(const struct graph *g, uint32_t state, const char *name,
		   struct run *run, bool *there)
{
	uint32_t parts[SYSTEM_PARTS_MAX];
	uint32_t claim = claim_of(name);

	if (claim == WICKET_K_EXCLUSION)
		return graph_count(g, state, WICKET_CRITICAL) > g->system.cfg.k;
	if (claim) {
		graph_unpack(g, state, parts);
		if (!is_end(g, parts))
			return false;
	}
	if (!*there)
		graph_run(g, state, run);
	*there = true;
	return property_is_broken(run, name);
}

void property_fail_in_state(const struct graph *g, uint32_t state,
			    struct finding *f)
{
	f->verdict = FAILS;
	schedule_free(&f->schedule);
	f->schedule = schedule_of(graph_depth(g, state));
	f->schedule.from = f->schedule.length;
	schedule_put_path(&f->schedule, g, state, f->schedule.length);
}

/* All properties of states among the findings, in one pass. */
static void decide_safety(struct graph *g, struct finding *f, uint32_t count)
{
	struct run run;

	run_start(&run, g->system.algo, &g->system.cfg, &g->system.world);
	for (uint32_t s = 0; s < g->states; s++) {
		bool there = false;

		if (s % 4096 == 0 && g->complete &&
		    !budget_tick(g->budget, "looking at states", s, g->states))
			return;
		for (uint32_t i = 0; i < count; i++) {
			if (f[i].verdict != FAILS &&
			    property_is_safety(g->system.algo, f[i].property) &&
			    is_bad(g, s, f[i].property, &run, &there))
				property_fail_in_state(g, s, &f[i]);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (f[i].verdict != FAILS && g->complete &&
		    property_is_safety(g->system.algo, f[i].property))
			f[i].verdict = HOLDS;
	}
}

static void decide_other(struct graph *g, struct enabled *en, struct finding *f)
{
	uint32_t claim = claim_of(f->property);

	if (claim == WICKET_K_DEADLOCK_AVOIDANCE)
		problem_deadlock(g, en, f);
	else if (claim == WICKET_FIFO_ENABLING)
		problem_fifo(g, en, f);
	else if (claim == WICKET_C2)
		robust_decide(g, en, f);
	else if (claim & WAITING)
		waiting_decide(g, en, claim, f);
	else if (claim == WICKET_C6_QUEUELIKE)
		queuelike_decide(g, en, f);
	else if (claim == WICKET_ORDER_PRESERVING)
		order_decide(g, f);
	else if (claim == WICKET_BOUNDED_NUMBERS)
		growth_decide(g, f);
	else if (claim && claim != WICKET_BYPASS)
		liveness_decide(g, claim, f);
	else
		bypass_decide(g, point_of(g->system.algo, f->property), f);
}

void property_decide(struct graph *g, const char *const *name,
		     struct finding *f, uint32_t count)
{
	struct enabled enabled = { 0 };

	for (uint32_t i = 0; i < count; i++)
		f[i] = (struct finding){
			.property = name[i],
			.verdict = UNDECIDED,
			.bound = BOUND_NONE,
		};
	decide_safety(g, f, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!property_is_safety(g->system.algo, name[i]))
			decide_other(g, &enabled, &f[i]);
	}
	enabled_free(&enabled, g);
}

void property_free(struct finding *finding)
{
	schedule_free(&finding->schedule);
}

static const char *judge(struct graph *g, struct enabled *en, const char *name,
			 const struct schedule *s, const uint32_t *state,
			 const uint64_t *edge)
{
	uint32_t claim = claim_of(name);

	if (claim == WICKET_K_DEADLOCK_AVOIDANCE)
		return problem_judge_deadlock(g, en, s, state, edge);
	if (claim == WICKET_FIFO_ENABLING)
		return problem_judge_fifo(g, en, s, state);
	if (claim == WICKET_C2)
		return robust_judge(g, en, s, state, edge);
	if (claim & WAITING)
		return waiting_judge(g, en, claim, s, state, edge);
	if (claim == WICKET_C6_QUEUELIKE)
		return queuelike_judge(g, en, s, state, edge);
	if (claim == WICKET_ORDER_PRESERVING)
		return order_judge(g, s, state);
	if (claim == WICKET_BOUNDED_NUMBERS)
		return growth_judge(g, s, state, edge);
	if (!claim || claim == WICKET_BYPASS)
		return bypass_judge(g, point_of(g->system.algo, name), s, state,
				    edge);
	return liveness_judge(g, claim, s, state, edge);
}

const char *property_judge(struct graph *g, struct enabled *en,
			   const char *name, const struct schedule *s)
{
	uint32_t n = g->system.cfg.n, *state;
	uint64_t *edge;
	const char *why;

	if (!schedule_follow(s, g, &state, &edge))
		why = "some step of it is not possible";
	else if (s->infinite && claim_of(name) & FINITE)
		why = "it should end";
	else if (s->from > s->length || s->victim > n || s->culprit > n)
		why = "it does not fit the system";
	else if (s->infinite && (s->stem >= s->length ||
				 (claim_of(name) != WICKET_BOUNDED_NUMBERS &&
				  state[s->stem] != state[s->length])))
		why = "its cycle does not close";
	else
		why = judge(g, en, name, s, state, edge);
	free(state);
	free(edge);
	return why;
}
