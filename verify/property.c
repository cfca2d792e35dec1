/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "verify/property.h"
#include "verify/scc.h"
#include "verify/spread.h"

const char *const property_names[] = {
	"k-exclusion",
	"k-deadlock-avoidance",
	"fifo-enabling",
	NULL,
};

/* A graph, who is enabled in it, and the processes a question is about. */
struct view {
	struct graph *g;
	struct enabled *en;
	uint32_t i, j;		 /* from 0 */
	enum wicket_region zone; /* the region i may or may not be in */
};

/* --- who is enabled ---------------------------------------------------- */

static bool is_outside(const void *context, uint32_t state)
{
	const struct view *v = context;

	return graph_region(v->g, state, v->i) != v->zone;
}

static bool any_edge(const void *context, uint32_t from, uint64_t edge)
{
	(void)context, (void)from, (void)edge;
	return true;
}

static bool is_own_step(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;

	(void)from;
	return graph_actor(v->g, edge) == v->i;
}

static bool enable_zone(struct graph *g, enum wicket_region zone,
			struct store *sets)
{
	struct store marks = { NULL, 0 };
	bool done = store_room(sets, g->budget, g->states * sizeof(uint16_t));
	uint16_t *set = sets->base;
	const uint8_t *mark;

	if (done)
		memset(set, 0, g->states * sizeof(*set));
	for (uint32_t i = 0; done && i < g->system.cfg.n; i++) {
		struct view v = { .g = g, .i = i, .zone = zone };
		struct scc_query query = {
			.context = &v,
			.inside = is_outside,
			.keep = any_edge,
			.wanted = is_own_step,
			.what = "who is enabled",
		};

		done = scc(g, &query, &marks);
		mark = marks.base;
		for (uint32_t s = 0; done && s < g->states; s++) {
			if (!(mark[s] & SCC_REACHES))
				set[s] |= (uint16_t)(1 << i);
		}
	}
	store_free(&marks, g->budget);
	return done;
}

/* Nobody can wait in E if nobody is ever there. */
static bool has_exits(const struct graph *g)
{
	for (uint32_t s = 0; s < g->states; s++) {
		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			if (graph_region(g, s, i) == WICKET_EXIT)
				return true;
		}
	}
	return false;
}

static bool enable(struct graph *g, struct enabled *en)
{
	if (en->known)
		return true;
	en->exits = has_exits(g);
	en->known = enable_zone(g, WICKET_CRITICAL, &en->c) &&
		    (!en->exits || enable_zone(g, WICKET_REMAINDER, &en->r));
	return en->known;
}

void enabled_free(struct graph *g, struct enabled *en)
{
	store_free(&en->c, g->budget);
	store_free(&en->r, g->budget);
	en->known = false;
}

static bool c_enabled(const struct view *v, uint32_t state, uint32_t i)
{
	return ((const uint16_t *)v->en->c.base)[state] >> i & 1;
}

static bool r_enabled(const struct view *v, uint32_t state, uint32_t i)
{
	return ((const uint16_t *)v->en->r.base)[state] >> i & 1;
}

static bool t_waiting(const struct view *v, uint32_t state, uint32_t i)
{
	return graph_region(v->g, state, i) == WICKET_TRYING &&
	       !c_enabled(v, state, i);
}

static bool e_waiting(const struct view *v, uint32_t state, uint32_t i)
{
	return v->en->exits && graph_region(v->g, state, i) == WICKET_EXIT &&
	       !r_enabled(v, state, i);
}

/* --- schedules --------------------------------------------------------- */

static struct schedule schedule_of(uint32_t length)
{
	struct schedule s = { .length = length };

	s.step = calloc(length + 1, 1);
	if (!s.step)
		abort();
	return s;
}

/* Puts the steps from the start to a state before position end. */
static void put_path(const struct graph *g, struct schedule *s, uint32_t state,
		     uint32_t end)
{
	while (end--) {
		uint32_t parent = graph_parent(g, state);

		s->step[end] =
			(uint8_t)(1 + graph_step_between(g, parent, state));
		state = parent;
	}
}

/* The same along a spread, down to its source, then to the start. */
static void put_spread(const struct graph *g, const struct spread *sp,
		       struct schedule *s, uint32_t state, uint32_t end)
{
	uint32_t from;

	while ((from = spread_from(sp, state)) != state) {
		s->step[--end] =
			(uint8_t)(1 + graph_step_between(g, from, state));
		state = from;
	}
	s->from = end;
	put_path(g, s, state, end);
}

/* --- safety: a state is bad or it is not -------------------------------- */

static bool is_crowded(const struct graph *g, uint32_t state)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < g->system.cfg.n; i++)
		inside += graph_region(g, state, i) == WICKET_CRITICAL;
	return inside > g->system.cfg.k;
}

/* The position of an invariant in its algorithm's table, or -1. */
static int invariant(const struct wicket_algo *algo, const char *name)
{
	for (int i = 0; algo->invariants && algo->invariants[i].name; i++) {
		if (!strcmp(algo->invariants[i].name, name))
			return i;
	}
	return -1;
}

static bool is_bad(const struct graph *g, uint32_t state, int label)
{
	struct wicket_value regs[WICKET_REGS_MAX];
	struct wicket_proc procs[WICKET_PROCS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (label < 0)
		return is_crowded(g, state);
	graph_unpack(g, state, parts);
	system_values(&g->system, parts, regs, procs);
	return !g->system.algo->holds(&g->system.cfg, (uint32_t)label, regs,
				      procs);
}

/* label: which invariant; -1 is k-exclusion. */
static void decide_safety(struct graph *g, int label, struct finding *f)
{
	for (uint32_t s = 0; s < g->states; s++) {
		if (!is_bad(g, s, label))
			continue;
		f->verdict = FAILS;
		f->schedule = schedule_of(graph_depth(g, s));
		f->schedule.from = f->schedule.length;
		put_path(g, &f->schedule, s, f->schedule.length);
		return;
	}
	f->verdict = g->complete ? HOLDS : UNDECIDED;
}

/* --- avoidance of k-deadlock -------------------------------------------- */

/* Somebody waits although the state is not k-full, or waits to leave. */
static bool is_stuck(const void *context, uint32_t state)
{
	const struct view *v = context;
	uint32_t full = 0;
	bool waits = false;

	for (uint32_t i = 0; i < v->g->system.cfg.n; i++) {
		if (e_waiting(v, state, i))
			return true;
		waits |= t_waiting(v, state, i);
		full += c_enabled(v, state, i);
	}
	return waits && full < v->g->system.cfg.k;
}

/* Nobody changes region, nobody stops waiting. */
static bool is_idle(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;
	uint32_t to = graph_target(v->g, edge);

	if (graph_regions(v->g, from) != graph_regions(v->g, to))
		return false;
	for (uint32_t i = 0; i < v->g->system.cfg.n; i++) {
		if (t_waiting(v, from, i) != t_waiting(v, to, i) ||
		    e_waiting(v, from, i) != e_waiting(v, to, i))
			return false;
	}
	return true;
}

struct stuck {
	struct view view;
	struct spread stuck; /* what an idle run from a stuck state reaches */
};

static bool is_reached(const void *context, uint32_t state)
{
	const struct stuck *x = context;

	return spread_has(&x->stuck, state);
}

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct stuck *x = context;

	return is_idle(&x->view, from, edge);
}

/*
 * The shortest stem and cycle: for each state on an idle cycle, nearest
 * first, the shortest way back to itself.
 */
static bool shortest_lasso(struct stuck *x, const uint8_t *mark,
			   struct finding *f)
{
	struct graph *g = x->view.g;
	struct spread cycle = { 0 };
	uint32_t best = UINT32_MAX;
	bool done = true;

	for (uint32_t q = 0; done && q < x->stuck.count; q++) {
		uint32_t state = spread_state(&x->stuck, q);
		uint32_t stem = spread_distance(&x->stuck, q);
		struct spread_query idle = {
			.context = &x->view,
			.keep = is_idle,
			.limit = best - stem,
		};
		struct schedule s;
		uint32_t back, length;

		if (stem + 1 >= best)
			break;
		if (!(mark[state] & SCC_ON))
			continue;
		done = spread_cycle(&cycle, g, &idle, state, &back, &length);
		if (!done || !length)
			continue;
		best = stem + length;
		s = schedule_of(best);
		s.infinite = true;
		s.stem = stem;
		put_spread(g, &x->stuck, &s, state, stem);
		for (uint32_t end = best, to = state; end > stem;
		     to = back, back = spread_from(&cycle, back))
			s.step[--end] =
				(uint8_t)(1 + graph_step_between(g, back, to));
		free(f->schedule.step);
		f->schedule = s;
	}
	spread_free(&cycle, g->budget);
	return done;
}

static void decide_deadlock(struct graph *g, struct enabled *en,
			    struct finding *f)
{
	struct stuck x = { .view = { .g = g, .en = en } };
	struct spread_query from_stuck = {
		.context = &x.view,
		.source = is_stuck,
		.keep = is_idle,
	};
	struct scc_query cycles = {
		.context = &x,
		.inside = is_reached,
		.keep = is_kept,
		.what = "cycles without progress",
	};
	struct store marks = { NULL, 0 };

	f->verdict = UNDECIDED;
	if (g->complete && enable(g, en) && spread(&x.stuck, g, &from_stuck) &&
	    scc(g, &cycles, &marks) && shortest_lasso(&x, marks.base, f))
		f->verdict = f->schedule.step ? FAILS : HOLDS;
	store_free(&marks, g->budget);
	spread_free(&x.stuck, g->budget);
}

/* --- FIFO enabling ------------------------------------------------------ */

/* Process i waits to get to the view's zone. */
static bool is_waiting(const struct view *v, uint32_t state)
{
	return v->zone == WICKET_CRITICAL ? t_waiting(v, state, v->i) :
					    e_waiting(v, state, v->i);
}

/* ... while j has not even begun to want that. */
static bool is_ahead(const void *context, uint32_t state)
{
	const struct view *v = context;

	return is_waiting(v, state) &&
	       graph_region(v->g, state, v->j) == (v->zone == WICKET_CRITICAL ?
							   WICKET_REMAINDER :
							   WICKET_CRITICAL);
}

static bool still_waits(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;

	(void)from;
	return is_waiting(v, graph_target(v->g, edge));
}

static bool is_overtaken(const void *context, uint32_t state)
{
	const struct view *v = context;

	return v->zone == WICKET_CRITICAL ? c_enabled(v, state, v->j) :
					    r_enabled(v, state, v->j);
}

static void decide_fifo(struct graph *g, struct enabled *en, struct finding *f)
{
	uint32_t n = g->system.cfg.n, best = UINT32_MAX;
	struct spread sp = { 0 };
	bool done = g->complete && enable(g, en);

	for (uint32_t p = 0; done && p < n * n * (1 + en->exits); p++) {
		struct view v = {
			.g = g,
			.en = en,
			.i = p / n % n,
			.j = p % n,
			.zone = p < n * n ? WICKET_CRITICAL : WICKET_REMAINDER,
		};
		struct spread_query overtaking = {
			.context = &v,
			.source = is_ahead,
			.keep = still_waits,
			.goal = is_overtaken,
			.limit = best,
		};

		if (v.i == v.j)
			continue;
		done = spread(&sp, g, &overtaking);
		if (!done || !sp.found)
			continue;
		best = spread_distance(&sp, sp.count - 1);
		free(f->schedule.step);
		f->schedule = schedule_of(best);
		f->schedule.victim = v.i + 1;
		f->schedule.culprit = v.j + 1;
		put_spread(g, &sp, &f->schedule,
			   spread_state(&sp, sp.count - 1), best);
	}
	spread_free(&sp, g->budget);
	f->verdict = !done ? UNDECIDED : f->schedule.step ? FAILS : HOLDS;
}

/* ----------------------------------------------------------------------- */

bool property_known(const struct wicket_algo *algo, const char *name)
{
	for (int i = 0; property_names[i]; i++) {
		if (!strcmp(property_names[i], name))
			return true;
	}
	return invariant(algo, name) >= 0;
}

bool property_decide(struct graph *g, struct enabled *en, const char *name,
		     struct finding *finding)
{
	*finding = (struct finding){ .property = name };
	if (!strcmp(name, "k-exclusion"))
		decide_safety(g, -1, finding);
	else if (!strcmp(name, "k-deadlock-avoidance"))
		decide_deadlock(g, en, finding);
	else if (!strcmp(name, "fifo-enabling"))
		decide_fifo(g, en, finding);
	else if (invariant(g->system.algo, name) >= 0)
		decide_safety(g, invariant(g->system.algo, name), finding);
	else
		return false;
	return true;
}

void property_free(struct finding *finding)
{
	free(finding->schedule.step);
	finding->schedule.step = NULL;
}

/* --- judging a schedule from elsewhere ---------------------------------- */

/* The edge by which process i leaves a state. */
static uint64_t edge_of(const struct graph *g, uint32_t state, uint32_t i)
{
	uint64_t e = graph_first(g, state);

	while (e < graph_end(g, state) && graph_actor(g, e) != i)
		e++;
	return e;
}

static const char *judge_safety(const struct graph *g, const char *name,
				uint32_t last)
{
	if (is_bad(g, last, invariant(g->system.algo, name)))
		return NULL;
	return "the last state is as it should be";
}

/* edge: those of the schedule; state: before each, and after the last. */
static const char *judge_deadlock(const struct view *v,
				  const struct schedule *s,
				  const uint64_t *edge, const uint32_t *state)
{
	if (!s->infinite || s->from > s->stem)
		return "it is not a stem and a cycle";
	if (state[s->stem] != state[s->length])
		return "its cycle does not close";
	if (!is_stuck(v, state[s->from]))
		return "nobody waits in vain";
	for (uint32_t t = s->from; t < s->length; t++) {
		if (!is_idle(v, state[t], edge[t]))
			return "somebody makes progress";
	}
	return NULL;
}

static const char *judge_fifo(struct view *v, const struct schedule *s,
			      const uint32_t *state)
{
	uint32_t n = v->g->system.cfg.n;

	if (!s->victim || !s->culprit || s->victim > n || s->culprit > n ||
	    s->victim == s->culprit)
		return "it does not say who overtakes whom";
	v->i = s->victim - 1;
	v->j = s->culprit - 1;
	v->zone = WICKET_CRITICAL;
	if (!is_ahead(v, state[s->from]))
		v->zone = WICKET_REMAINDER;
	if (!is_ahead(v, state[s->from]))
		return "nobody waits while the other has not begun";
	for (uint32_t t = s->from; t <= s->length; t++) {
		if (!is_waiting(v, state[t]))
			return "the overtaken process does not wait throughout";
	}
	if (!is_overtaken(v, state[s->length]))
		return "the overtaker is not enabled in the end";
	return NULL;
}

const char *property_judge(struct graph *g, struct enabled *en,
			   const char *name, const struct schedule *s)
{
	struct view v = { .g = g, .en = en };
	uint32_t *state = calloc(s->length + 1, sizeof(*state));
	uint64_t *edge = calloc(s->length + 1, sizeof(*edge));
	const char *why;

	if (!state || !edge)
		abort();
	for (uint32_t t = 0; t < s->length; t++) {
		edge[t] = edge_of(g, state[t], s->step[t] - 1u);
		state[t + 1] = graph_target(g, edge[t]);
	}
	if (s->from > s->length)
		why = "it ends too early";
	else if (!strcmp(name, "k-deadlock-avoidance"))
		why = enable(g, en) ? judge_deadlock(&v, s, edge, state) :
				      "memory or time ran out";
	else if (!strcmp(name, "fifo-enabling"))
		why = enable(g, en) ? judge_fifo(&v, s, state) :
				      "memory or time ran out";
	else
		why = judge_safety(g, name, state[s->length]);
	free(state);
	free(edge);
	return why;
}
