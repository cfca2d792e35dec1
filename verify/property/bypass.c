/* SPDX-License-Identifier: MIT */
/*
 * How often process j can come first during one wait of process i.
 *
 * In the part of the graph in which i waits: without bound, if a cycle has an
 * entry of j into C; else the greatest number of entries along a path, which is
 * found component by component, from the last ones backwards.
 *
 * Bypass counts the entries of j.  (C3), (C4) and (C5) of FLBB 1979 count its
 * cycles from R to C: the first entry counts only if j was in R when i waited
 * already, and between two entries it always is (section 2, (c) and (d)).  Of a
 * wait in their sense only proper prefixes are without progress of i: the entry
 * of j that is counted last may enable i.
 */
#include <string.h>

#include "verify/property/admissible.h"
#include "verify/property/property.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

struct wait {
	struct graph *g;
	const struct enabled *en;
	const uint16_t *waits; /* by state: whose wait is being counted */
	uint32_t i, j;
	bool cycles; /* as 1979 counts */
	bool few;    /* fewer than R processes may fail */
	const uint8_t *mark;
};

static bool is_waiting(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return w->waits[state] >> w->i & 1;
}

/* i may be slow, but it goes on waiting. */
static bool waits_on(const void *context, uint32_t from, uint64_t edge)
{
	const struct wait *w = context;

	(void)from;
	return is_waiting(w, graph_target(w->g, edge)) &&
	       !(graph_actor(w->g, edge) == w->i &&
		 deed_kind(graph_label(w->g, edge)) == DEED_FAIL);
}

static bool j_enters(const struct wait *w, uint32_t from, uint64_t edge)
{
	return graph_region(w->g, from, w->j) != WICKET_CRITICAL &&
	       graph_region(w->g, graph_target(w->g, edge), w->j) ==
		       WICKET_CRITICAL;
}

/* --- whose wait has begun ------------------------------------------------- */

/* ... in each state, from a point of the algorithm on. */
static bool know_waits(struct graph *g, uint32_t point, struct store *waits)
{
	const struct wicket_algo *algo = g->system.algo;
	struct wicket_value regs[WICKET_REGS_MAX];
	struct actor actors[WICKET_PROCS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (!store_room(waits, g->budget, g->states * sizeof(uint16_t)))
		return false;
	for (uint32_t s = 0; s < g->states; s++) {
		uint32_t set = 0;

		if (point) {
			graph_unpack(g, s, parts);
			system_values(&g->system, parts, regs, actors);
		}
		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			bool in = graph_region(g, s, i) == WICKET_TRYING;

			if (in && point)
				in = algo->passed(&g->system.cfg,
						  actors[i].proc, point - 1);
			set |= (uint32_t)in << i;
		}
		((uint16_t *)waits->base)[s] = (uint16_t)set;
	}
	return true;
}

/*
 * ... as FLBB 1979 has it: in T or E, and, if it is enabling that is waited for,
 * neither critical-enabled in T nor remainder-enabled in E.
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

/* --- without bound -------------------------------------------------------- */

/* A component in which j is inside and outside has an entry of j. */
static bool is_endless(const void *context, uint32_t actors,
		       const uint32_t *states, uint32_t count)
{
	const struct wait *w = context;
	uint32_t inside = 0;

	for (uint32_t q = 0; q < count; q++)
		inside += graph_region(w->g, states[q], w->j) ==
			  WICKET_CRITICAL;
	return inside && inside < count &&
	       (!w->few ||
		is_admissible(w->g, states[0],
			      actors | who_rests(w->en, states, count)));
}

static bool waits_on_track(const void *context, uint32_t from, uint64_t edge)
{
	const struct wait *w = context;

	return w->mark[graph_target(w->g, edge)] & SCC_ON &&
	       waits_on(w, from, edge);
}

/* Bits: who has acted or rests, if that matters; and whether j has entered. */
enum { ENTERED = WICKET_PROCS_MAX };

static uint32_t resting(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return w->few ? rests(w->en, state) : 0;
}

static uint32_t gained(const void *context, uint32_t from, uint64_t edge)
{
	const struct wait *w = context;
	uint32_t bits = (uint32_t)j_enters(w, from, edge) << ENTERED;

	if (w->few)
		bits |= 1u << graph_actor(w->g, edge) |
			resting(w, graph_target(w->g, edge));
	return bits;
}

static bool is_enough(const void *context, uint32_t state, uint32_t bits)
{
	const struct wait *w = context;

	return bits >> ENTERED & 1 &&
	       (!w->few || is_admissible(w->g, state, bits));
}

/* The shortest schedule with a cycle on which j enters although i waits. */
static bool lasso(struct wait *w, struct finding *f)
{
	struct cycle_query query = {
		.context = w,
		.keep = waits_on_track,
		.start = resting,
		.gain = gained,
		.enough = is_enough,
	};
	struct place p = { 0 };

	if (!cycle_shortest(w->g, &query, w->mark, &f->schedule, &p))
		return false;
	if (p.bits) {
		f->schedule.victim = w->i + 1;
		f->schedule.culprit = w->j + 1;
		if (w->few)
			f->schedule.stopped = failed(w->g, p.state, p.bits);
	}
	return true;
}

struct parts {
	struct store marks, components, order, ends, bests;
};

static void parts_free(struct parts *p, struct budget *b)
{
	store_free(&p->marks, b);
	store_free(&p->components, b);
	store_free(&p->order, b);
	store_free(&p->ends, b);
	store_free(&p->bests, b);
}

/* The components of the wait; *endless: whether there is a cycle as sought. */
static bool seek(struct wait *w, struct parts *p, bool *endless)
{
	struct scc_query query = {
		.context = w,
		.inside = is_waiting,
		.keep = waits_on,
		.accept = is_endless,
		.what = "waits",
	};

	if (!scc(w->g, &query, &p->marks, &p->components))
		return false;
	w->mark = p->marks.base;
	*endless = false;
	for (uint32_t s = 0; s < w->g->states && !*endless; s++)
		*endless = w->mark[s] & SCC_ON;
	return true;
}

static bool report_endless(struct wait *w, struct finding *f)
{
	f->bound = BOUND_UNBOUNDED;
	if (w->cycles)
		f->victims |= 1u << w->i;
	return lasso(w, f);
}

/* --- with a bound --------------------------------------------------------- */

/* What a state adds to what is known of its component. */
static void count_state(const struct wait *w, const struct parts *p,
			uint32_t state)
{
	const uint32_t *component = p->components.base;
	uint32_t *best = p->bests.base; /* by component */
	uint32_t *own = &best[component[state]];

	for (uint64_t e = graph_first(w->g, state); e < graph_end(w->g, state);
	     e++) {
		uint32_t entries = j_enters(w, state, e);

		if (waits_on(w, state, e))
			entries += best[component[graph_target(w->g, e)]];
		else if (!w->cycles)
			entries = 0; /* i does not wait to the end */
		if (entries > *own)
			*own = entries;
	}
}

/* The greatest number of entries of j from any state on. */
static bool count(struct wait *w, struct finding *f)
{
	size_t size = (w->g->states + (size_t)1) * sizeof(uint32_t);
	struct parts p = { 0 };
	bool endless = false;
	bool done = seek(w, &p, &endless);
	const uint32_t *component = p.components.base;

	if (done && endless) {
		done = report_endless(w, f);
	} else if (done && f->bound != BOUND_UNBOUNDED) {
		done = scc_sort(w->g, component, &p.order, &p.ends) &&
		       store_room(&p.bests, w->g->budget, size);
		if (done)
			memset(p.bests.base, 0, size);
		for (uint32_t q = 0; done && q < w->g->states; q++) {
			uint32_t s = ((uint32_t *)p.order.base)[q];

			if (component[s])
				count_state(w, &p, s);
		}
		for (uint32_t s = 0; done && s < w->g->states; s++) {
			uint32_t best =
				((uint32_t *)p.bests.base)[component[s]];

			if (w->cycles &&
			    graph_region(w->g, s, w->j) != WICKET_REMAINDER)
				continue;
			if (component[s] && best > f->bound)
				f->bound = best;
		}
	}
	parts_free(&p, w->g->budget);
	return done;
}

/* Of every i for every j. */
static bool count_all(struct wait *w, struct finding *f)
{
	uint32_t n = w->g->system.cfg.n;
	bool done = true;

	f->bound = 0;
	for (uint32_t p = 0; done && p < n * n; p++) {
		w->i = p / n;
		w->j = p % n;
		if (w->i != w->j)
			done = count(w, f);
	}
	f->verdict = !done			 ? UNDECIDED :
		     f->bound == BOUND_UNBOUNDED ? FAILS :
						   HOLDS;
	if (!done)
		f->bound = BOUND_NONE;
	return done;
}

static void decide_bypass(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct store waits = { NULL, 0 };
	struct wait w = { .g = g };

	f->verdict = UNDECIDED;
	if (g->complete && know_waits(g, q->point, &waits)) {
		w.waits = waits.base;
		count_all(&w, f);
	}
	store_free(&waits, g->budget);
}

/* --- FLBB 1979 ------------------------------------------------------------ */

/* j begins its cycle while i waits, ... */
static bool is_ahead(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return is_waiting(w, state) &&
	       graph_region(w->g, state, w->j) == WICKET_REMAINDER;
}

/* ... and this step ends it; there may be none. */
static uint64_t entry_of(const struct wait *w, uint32_t state)
{
	uint64_t e = graph_first(w->g, state);

	while (e < graph_end(w->g, state) && !j_enters(w, state, e))
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
		.keep = waits_on,
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
	bool done = true, endless = false;

	w->few = true;
	for (uint32_t p = 0; done && p < n * n; p++) {
		struct parts parts = { 0 };

		w->i = p / n;
		w->j = p % n;
		if (w->i == w->j)
			continue;
		done = seek(w, &parts, &endless) &&
		       (!endless || report_endless(w, f));
		parts_free(&parts, w->g->budget);
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
		done = count_all(&w, f);
	else if (done)
		done = overtake_all(&w, f);
	store_free(&waits, g->budget);
	f->verdict = !done ? UNDECIDED : f->schedule.label ? FAILS : HOLDS;
}

/* --- judging a schedule from elsewhere ------------------------------------ */

/* A cycle on which the one waits and the other enters. */
static const char *judge_cycle(const struct wait *w, const struct schedule *s,
			       const uint32_t *state, const uint64_t *edge)
{
	uint32_t bits = 0;

	if (!s->infinite)
		return "it is not a stem and a cycle of one and another";
	for (uint32_t t = s->stem; t < s->length; t++) {
		if (!is_waiting(w, state[t]) || !waits_on(w, state[t], edge[t]))
			return "the one does not wait throughout";
		bits |= gained(w, state[t], edge[t]);
	}
	if (!(bits >> ENTERED & 1))
		return "the other never enters";
	return is_enough(w, state[s->stem], bits) ?
		       NULL :
		       "too many processes crash or stop, or the supervisor does";
}

static const char *judge_once(const struct wait *w, const struct schedule *s,
			      const uint32_t *state)
{
	if (!is_ahead(w, state[s->from]))
		return "nobody waits while the other has not begun";
	for (uint32_t t = s->from; t < s->length; t++) {
		if (!is_waiting(w, state[t]))
			return "the one does not wait throughout";
	}
	return graph_region(w->g, state[s->length], w->j) == WICKET_CRITICAL ?
		       NULL :
		       "the other does not enter in the end";
}

/* Who waits for whom; false: it does not say. */
static bool read_pair(struct wait *w, const struct schedule *s)
{
	if (!s->victim || !s->culprit || s->victim == s->culprit)
		return false;
	w->i = s->victim - 1;
	w->j = s->culprit - 1;
	return true;
}

static const char *judge_bypass(const struct question *q,
				const struct schedule *s, const uint32_t *state,
				const uint64_t *edge)
{
	struct store waits = { NULL, 0 };
	struct wait w = { .g = q->g };
	const char *why = "memory ran out";

	if (!read_pair(&w, s))
		return "it is not a stem and a cycle of one and another";
	if (know_waits(q->g, q->point, &waits)) {
		w.waits = waits.base;
		why = judge_cycle(&w, s, state, edge);
	}
	store_free(&waits, q->g->budget);
	return why;
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

	if (!read_pair(&w, s))
		return "it does not say who overtakes whom";
	if (enabled_know_1979(q->en, q->g) &&
	    know_waits_1979(q->g, q->en, claim & FOR_ENABLING, &waits)) {
		w.waits = waits.base;
		why = once ? judge_once(&w, s, state) :
			     judge_cycle(&w, s, state, edge);
	}
	store_free(&waits, q->g->budget);
	return why;
}

/* --- the rows ------------------------------------------------------------- */

const struct property property_bypass = {
	.name = "bypass",
	.says = "how often one may enter C while another waits; is it bounded?",
	.claim = WICKET_BYPASS,
	.decide = decide_bypass,
	.judge = judge_bypass,
};

const struct property property_c3 = {
	.name = "c3",
	.says = "nobody waits in T or E for ever while another comes and goes",
	.claim = WICKET_C3,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c3_enabling = {
	.name = "c3-enabling",
	.says = "c3, with a wait that ends when one is enabled",
	.claim = WICKET_C3_ENABLING,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c4 = {
	.name = "c4",
	.says = "there is a bound on how often another comes first",
	.claim = WICKET_C4,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c4_enabling = {
	.name = "c4-enabling",
	.says = "c4, with a wait that ends when one is enabled",
	.claim = WICKET_C4_ENABLING,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c5 = {
	.name = "c5",
	.says = "nobody that comes later comes first",
	.claim = WICKET_C5,
	.finite = true,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};

const struct property property_c5_enabling = {
	.name = "c5-enabling",
	.says = "c5, with a wait that ends when one is enabled",
	.claim = WICKET_C5_ENABLING,
	.finite = true,
	.uncapped = true,
	.decide = decide_waiting,
	.judge = judge_waiting,
};
