/* SPDX-License-Identifier: MIT */
/*
 * Bypass: how often process j can enter C during one wait of process i.
 *
 * In the part of the graph in which i waits: without bound, if a cycle has an
 * entry of j; else the greatest number of entries along a path, which is found
 * component by component, from the last ones backwards.
 */
#include <string.h>

#include "verify/property.h"
#include "verify/scc.h"

struct wait {
	struct graph *g;
	const uint16_t *waits; /* by state: whose wait is being counted */
	uint32_t i, j;
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

static bool any_component(const void *context, uint32_t actors,
			  const uint32_t *states, uint32_t count)
{
	(void)context, (void)actors, (void)states, (void)count;
	return true;
}

static bool j_enters(const struct wait *w, uint32_t from, uint64_t edge)
{
	return graph_region(w->g, from, w->j) != WICKET_CRITICAL &&
	       graph_region(w->g, graph_target(w->g, edge), w->j) ==
		       WICKET_CRITICAL;
}

/* Whose wait has begun, in each state. */
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

/* A cycle on which j enters although i waits: through this edge of state. */
static bool lasso(struct wait *w, uint32_t state, uint64_t edge,
		  struct finding *f)
{
	struct spread_query query = { .context = w, .keep = waits_on };
	uint32_t stem = graph_depth(w->g, state), back = state, length = 0;
	uint32_t to = graph_target(w->g, edge);
	struct spread way = { 0 };

	if (to != state &&
	    !spread_path(&way, w->g, &query, to, state, &back, &length)) {
		spread_free(&way, w->g->budget);
		return false;
	}
	if (!f->schedule.label || stem + 1 + length < f->schedule.length) {
		schedule_free(&f->schedule);
		f->schedule = schedule_of(stem + 1 + length);
		f->schedule.infinite = true;
		f->schedule.stem = f->schedule.from = stem;
		f->schedule.victim = w->i + 1;
		f->schedule.culprit = w->j + 1;
		schedule_put_path(&f->schedule, w->g, state, stem);
		f->schedule.label[stem] = graph_label(w->g, edge);
		for (uint32_t end = stem + 1 + length, at = state;
		     end > stem + 1; at = back, back = spread_from(&way, back))
			f->schedule.label[--end] = graph_label(
				w->g, graph_edge_between(w->g, back, at));
	}
	spread_free(&way, w->g->budget);
	return true;
}

/* States of components 1, 2, ... in this order; those outside come first. */
static bool sort(struct graph *g, const uint32_t *component,
		 struct store *order, struct store *ends)
{
	size_t size = (g->states + (size_t)2) * sizeof(uint32_t);
	uint32_t *end;

	if (!store_room(order, g->budget, size) ||
	    !store_room(ends, g->budget, size))
		return false;
	end = ends->base;
	memset(end, 0, size);
	for (uint32_t s = 0; s < g->states; s++)
		end[component[s] + 1]++;
	for (uint32_t c = 1; c <= g->states + 1; c++)
		end[c] += end[c - 1];
	for (uint32_t s = 0; s < g->states; s++)
		((uint32_t *)order->base)[end[component[s]]++] = s;
	return true;
}

/* The greatest number of entries of j from any state on. */
static bool count(struct wait *w, struct finding *f)
{
	struct scc_query query = {
		.context = w,
		.inside = is_waiting,
		.keep = waits_on,
		.accept = any_component,
		.what = "waits",
	};
	struct store marks = { NULL, 0 }, components = { NULL, 0 };
	struct store order = { NULL, 0 }, ends = { NULL, 0 };
	struct store bests = { NULL, 0 };
	size_t size = (w->g->states + (size_t)1) * sizeof(uint32_t);
	bool done = scc(w->g, &query, &marks, &components) &&
		    sort(w->g, components.base, &order, &ends) &&
		    store_room(&bests, w->g->budget, size);
	const uint32_t *component = components.base;
	uint32_t *best = bests.base; /* by component */

	if (done)
		memset(best, 0, size);
	for (uint32_t q = 0; done && q < w->g->states; q++) {
		uint32_t s = ((uint32_t *)order.base)[q], c = component[s];

		for (uint64_t e = graph_first(w->g, s);
		     c && done && e < graph_end(w->g, s); e++) {
			uint32_t to = component[graph_target(w->g, e)];
			bool entry = j_enters(w, s, e);

			if (!waits_on(w, s, e))
				continue;
			if (to == c && entry) {
				f->bound = BOUND_UNBOUNDED;
				done = lasso(w, s, e, f);
			} else if (best[to] + entry > best[c]) {
				best[c] = best[to] + entry;
			}
		}
		if (f->bound >= 0 && best[c] > f->bound)
			f->bound = best[c];
	}
	store_free(&marks, w->g->budget);
	store_free(&components, w->g->budget);
	store_free(&order, w->g->budget);
	store_free(&ends, w->g->budget);
	store_free(&bests, w->g->budget);
	return done;
}

void bypass_decide(struct graph *g, uint32_t point, struct finding *f)
{
	uint32_t n = g->system.cfg.n;
	struct store waits = { NULL, 0 };
	bool done = g->complete && know_waits(g, point, &waits);

	f->bound = 0;
	for (uint32_t p = 0; done && p < n * n; p++) {
		struct wait w = { g, waits.base, p / n, p % n };

		if (w.i != w.j)
			done = count(&w, f);
	}
	store_free(&waits, g->budget);
	f->verdict = !done			 ? UNDECIDED :
		     f->bound == BOUND_UNBOUNDED ? FAILS :
						   HOLDS;
	if (!done)
		f->bound = BOUND_NONE;
}

const char *bypass_judge(struct graph *g, uint32_t point,
			 const struct schedule *s, const uint32_t *state,
			 const uint64_t *edge)
{
	struct store waits = { NULL, 0 };
	struct wait w = { .g = g };
	const char *why = "the other never enters";

	if (!s->infinite || !s->victim || !s->culprit)
		return "it is not a stem and a cycle of one and another";
	if (!know_waits(g, point, &waits))
		return "memory ran out";
	w.waits = waits.base;
	w.i = s->victim - 1;
	w.j = s->culprit - 1;
	for (uint32_t t = s->stem; t < s->length; t++) {
		if (j_enters(&w, state[t], edge[t]))
			why = NULL;
	}
	for (uint32_t t = s->stem; t < s->length; t++) {
		if (!is_waiting(&w, state[t]) ||
		    !waits_on(&w, state[t], edge[t]))
			why = "the one does not wait throughout";
	}
	store_free(&waits, g->budget);
	return why;
}
