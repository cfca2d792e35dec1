/* SPDX-License-Identifier: MIT */
/*
 * (C3), (C4) and (C5) of FLBB 1979: nobody waits for ever; there is a bound on how
 * often another comes first; that bound is 0.  Each of them also for a wait that
 * ends when the process is enabled.
 */
#include "verify/property/wait.h"

/*
 * Whose wait has begun, in each state: in T or E, and, if it is enabling that is
 * waited for, neither critical-enabled in T nor remainder-enabled in E.
 */
static bool know_waits_1979(struct graph *g, const struct enabled *en,
			    bool enabling, struct store *waits)
{
	if (!store_room(waits, g->budget, g->states * sizeof(uint16_t)))
		return false;
	for (uint32_t s = 0; s < g->states; s++) {
		uint32_t set = 0;

		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			enum wicket_region region = graph_region(g, s, i);
			uint32_t has = region == WICKET_TRYING ?
					       critical_enabled(en, s) :
					       remainder_enabled(en, s);

			if (region & 1 && !(enabling && has >> i & 1))
				set |= 1u << i;
		}
		((uint16_t *)waits->base)[s] = (uint16_t)set;
	}
	return true;
}

/* j begins its cycle while i waits, ... */
static bool is_ahead(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return wait_lasts(w, state) &&
	       graph_region(w->g, state, w->j) == WICKET_REMAINDER;
}

/* ... and this step ends it; there may be none. */
static uint64_t entry_of(const struct wait *w, uint32_t state)
{
	uint64_t e = graph_first(w->g, state);

	while (e < graph_end(w->g, state) && !wait_sees_entry(w, state, e))
		e++;
	return e;
}

static bool may_enter(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return entry_of(w, state) < graph_end(w->g, state);
}

static bool overtake(struct wait *w, struct bfs *sp, struct finding *f)
{
	struct bfs_query query = {
		.context = w,
		.source = is_ahead,
		.keep = wait_goes_on,
		.goal = may_enter,
	};
	uint32_t last, length;

	if (!bfs_run(sp, w->g, &query))
		return false;
	if (!sp->found)
		return true;
	f->victims |= 1u << w->i;
	last = bfs_state(sp, sp->count - 1);
	length = bfs_distance(sp, sp->count - 1) + 1;
	if (f->schedule.label && f->schedule.length <= length)
		return true;
	schedule_free(&f->schedule);
	f->schedule = schedule_of(length);
	f->schedule.victim = w->i + 1;
	f->schedule.culprit = w->j + 1;
	schedule_put_bfs(&f->schedule, w->g, sp, last, length - 1);
	f->schedule.label[length - 1] = graph_label(w->g, entry_of(w, last));
	return true;
}

/* (C5): nobody is overtaken even once. */
static bool overtake_all(struct wait *w, struct finding *f)
{
	uint32_t n = w->g->system.cfg.n;
	struct bfs sp = { 0 };
	bool done = true;

	for (uint32_t p = 0; done && p < n * n; p++) {
		w->i = p / n;
		w->j = p % n;
		if (w->i != w->j)
			done = overtake(w, &sp, f);
	}
	bfs_free(&sp, w->g->budget);
	return done;
}

/* (C3): nobody waits for ever for somebody, if few enough fail. */
static bool wait_for_ever(struct wait *w, struct finding *f)
{
	uint32_t n = w->g->system.cfg.n;
	bool done = true;

	w->few = true;
	for (uint32_t p = 0; done && p < n * n; p++) {
		w->i = p / n;
		w->j = p % n;
		if (w->i != w->j)
			done = wait_endless(w, f);
	}
	f->bound = BOUND_NONE;
	return done;
}

enum {
	FOR_ENABLING = WICKET_C3_ENABLING | WICKET_C4_ENABLING |
		       WICKET_C5_ENABLING,
};

static void decide_waiting(const struct question *q, struct finding *f)
{
	uint32_t claim = q->property->claim;
	struct graph *g = q->g;
	struct store waits = { NULL, 0 };
	struct wait w = { .g = g, .en = q->en, .cycles = true };
	bool done = g->complete && enabled_know_1979(q->en, g) &&
		    know_waits_1979(g, q->en, claim & FOR_ENABLING, &waits);

	w.waits = waits.base;
	if (done && claim & (WICKET_C3 | WICKET_C3_ENABLING))
		done = wait_for_ever(&w, f);
	else if (done && claim & (WICKET_C4 | WICKET_C4_ENABLING))
		done = wait_count(&w, f);
	else if (done)
		done = overtake_all(&w, f);
	store_free(&waits, g->budget);
	property_conclude(f, done);
}

/* --- judging a schedule from elsewhere ------------------------------------ */

static const char *judge_once(const struct wait *w, const struct schedule *s,
			      const uint32_t *state)
{
	if (!is_ahead(w, state[s->from]))
		return "no process waits before the overtaker begins";
	for (uint32_t t = s->from; t < s->length; t++) {
		if (!wait_lasts(w, state[t]))
			return "the overtaken process does not wait throughout";
	}
	return graph_region(w->g, state[s->length], w->j) == WICKET_CRITICAL ?
		       NULL :
		       "the overtaker does not enter in the end";
}

static const char *judge_waiting(const struct question *q,
				 const struct schedule *s,
				 const uint32_t *state, const uint64_t *edge)
{
	uint32_t claim = q->property->claim;
	bool once = claim & (WICKET_C5 | WICKET_C5_ENABLING);
	struct store waits = { NULL, 0 };
	struct wait w = {
		.g = q->g,
		.en = q->en,
		.cycles = true,
		.few = claim & (WICKET_C3 | WICKET_C3_ENABLING),
	};
	const char *why = "memory or time ran out";

	if (!wait_read(&w, s))
		return "it does not name the overtaken process and the overtaker";
	if (enabled_know_1979(q->en, q->g) &&
	    know_waits_1979(q->g, q->en, claim & FOR_ENABLING, &waits)) {
		w.waits = waits.base;
		why = once ? judge_once(&w, s, state) :
			     wait_judge(&w, s, state, edge);
	}
	store_free(&waits, q->g->budget);
	return why;
}

/* --- the rows ------------------------------------------------------------- */

const struct property property_c3 = {
	.name = "c3",
	.says = "nobody waits in T or E for ever while another comes and goes",
	.claim = WICKET_C3,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c3_enabling = {
	.name = "c3-enabling",
	.says = "c3, with a wait that ends when one is enabled",
	.claim = WICKET_C3_ENABLING,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c4 = {
	.name = "c4",
	.says = "there is a bound on how often another comes first",
	.claim = WICKET_C4,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c4_enabling = {
	.name = "c4-enabling",
	.says = "c4, with a wait that ends when one is enabled",
	.claim = WICKET_C4_ENABLING,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c5 = {
	.name = "c5",
	.says = "nobody that comes later comes first",
	.claim = WICKET_C5,
	.finite = true,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c5_enabling = {
	.name = "c5-enabling",
	.says = "c5, with a wait that ends when one is enabled",
	.claim = WICKET_C5_ENABLING,
	.finite = true,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};
