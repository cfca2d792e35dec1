/* SPDX-License-Identifier: MIT */
/*
 * In the part of the graph in which i waits: without bound, if a cycle has an
 * entry of j into C; else the greatest number of entries along a path, which is
 * found component by component, from the last ones backwards.
 */
#include <string.h>

#include "verify/property/admissible.h"
#include "verify/property/wait.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

bool wait_lasts(const void *context, uint32_t state)
{
	const struct wait *w = context;

	return w->waits[state] >> w->i & 1;
}

bool wait_goes_on(const void *context, uint32_t from, uint64_t edge)
{
	const struct wait *w = context;

	(void)from;
	return wait_lasts(w, graph_target(w->g, edge)) &&
	       !(graph_actor(w->g, edge) == w->i &&
		 deed_kind(graph_label(w->g, edge)) == DEED_FAIL);
}

bool wait_sees_entry(const struct wait *w, uint32_t from, uint64_t edge)
{
	return graph_region(w->g, from, w->j) != WICKET_CRITICAL &&
	       graph_region(w->g, graph_target(w->g, edge), w->j) ==
		       WICKET_CRITICAL;
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

static bool stays_on_track(const void *context, uint32_t from, uint64_t edge)
{
	const struct wait *w = context;

	return w->mark[graph_target(w->g, edge)] & SCC_ON &&
	       wait_goes_on(w, from, edge);
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
	uint32_t bits = (uint32_t)wait_sees_entry(w, from, edge) << ENTERED;

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
		.keep = stays_on_track,
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
		.inside = wait_lasts,
		.keep = wait_goes_on,
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

bool wait_endless(struct wait *w, struct finding *f)
{
	struct parts parts = { 0 };
	bool endless = false;
	bool done = seek(w, &parts, &endless) &&
		    (!endless || report_endless(w, f));

	parts_free(&parts, w->g->budget);
	return done;
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
		uint32_t entries = wait_sees_entry(w, state, e);

		if (wait_goes_on(w, state, e))
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

bool wait_count(struct wait *w, struct finding *f)
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
	property_conclude(f, done);
	if (!done)
		f->bound = BOUND_NONE;
	return done;
}

/* --- judging a schedule from elsewhere ------------------------------------ */

const char *wait_judge(const struct wait *w, const struct schedule *s,
		       const uint32_t *state, const uint64_t *edge)
{
	uint32_t bits = 0;

	if (!s->infinite)
		return "it is not a stem and a cycle of two processes";
	for (uint32_t t = s->stem; t < s->length; t++) {
		if (!wait_lasts(w, state[t]) ||
		    !wait_goes_on(w, state[t], edge[t]))
			return "the overtaken process does not wait throughout";
		bits |= gained(w, state[t], edge[t]);
	}
	if (!(bits >> ENTERED & 1))
		return "the overtaker never enters";
	return is_enough(w, state[s->stem], bits) ?
		       NULL :
		       "too many processes crash or stop, or the supervisor does";
}

bool wait_read(struct wait *w, const struct schedule *s)
{
	if (!s->victim || !s->culprit || s->victim == s->culprit)
		return false;
	w->i = s->victim - 1;
	w->j = s->culprit - 1;
	return true;
}
