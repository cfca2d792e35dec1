/* SPDX-License-Identifier: MIT */
/*
 * (C2) of FLBB 1979: a (K,k)-deadlock is an infinite schedule in which fewer than
 * K processes fail, nobody changes region and the allocations stay the same,
 * although
 *
 *   d1   slots are neither taken nor allocated, and there are processes in T
 *        to which none is allocated, or
 *   d2   there are processes in E to which no place in R is allocated.
 *
 * (In d1 the paper prints >= for >, which would call a supervisor that has
 * nothing to do deadlocked.)  Such a schedule ends up in a strongly connected
 * part of the graph; the one with the fewest failures is the one in which every
 * process that can act there does.
 */
#include "verify/property/admissible.h"
#include "verify/property/allocation.h"
#include "verify/property/property.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

struct view {
	struct graph *g;
	const struct enabled *en;
	const uint8_t *mark;
	uint32_t *fewest; /* failures of a deadlock */
};

/* d1 or d2 */
static bool is_denied(const void *context, uint32_t state)
{
	const struct view *v = context;
	uint32_t allocated = c_allocation(v->en, state);

	return (graph_count(v->g, state, WICKET_TRYING) > allocated &&
		graph_count(v->g, state, WICKET_CRITICAL) + allocated <
			v->g->system.cfg.k) ||
	       graph_count(v->g, state, WICKET_EXIT) >
		       r_allocation(v->en, state);
}

/* Then what is denied remains so, too. */
static bool is_idle(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;
	uint32_t to = graph_target(v->g, edge);

	return graph_regions(v->g, from) == graph_regions(v->g, to) &&
	       c_allocation(v->en, from) == c_allocation(v->en, to) &&
	       r_allocation(v->en, from) == r_allocation(v->en, to);
}

static bool is_deadlock(const void *context, uint32_t actors,
			const uint32_t *states, uint32_t count)
{
	const struct view *v = context;
	uint32_t acts = actors | who_rests(v->en, states, count);
	uint32_t failures =
		(uint32_t)__builtin_popcount(failed(v->g, states[0], acts));

	if (is_supervised(v->g, acts) && failures < *v->fewest)
		*v->fewest = failures;
	return is_admissible(v->g, states[0], acts);
}

/* --- the shortest one ----------------------------------------------------- */

static bool is_idle_and_bad(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;

	return v->mark[graph_target(v->g, edge)] & SCC_ON &&
	       is_idle(v, from, edge);
}

/* Bits: who has acted, or rests. */
static uint32_t resting(const void *context, uint32_t state)
{
	return rests(((const struct view *)context)->en, state);
}

static uint32_t acting(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;

	(void)from;
	return 1u << graph_actor(v->g, edge) |
	       rests(v->en, graph_target(v->g, edge));
}

static bool few_fail(const void *context, uint32_t state, uint32_t bits)
{
	return is_admissible(((const struct view *)context)->g, state, bits);
}

static bool shortest(struct view *v, struct finding *f)
{
	struct cycle_query query = {
		.context = v,
		.keep = is_idle_and_bad,
		.start = resting,
		.gain = acting,
		.enough = few_fail,
	};
	struct place p = { 0 };

	if (!cycle_shortest(v->g, &query, v->mark, &f->schedule, &p))
		return false;
	f->schedule.stopped = p.bits ? failed(v->g, p.state, p.bits) : 0;
	return true;
}

static void decide(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	uint32_t fewest = UINT32_MAX;
	struct view v = { .g = g, .en = q->en, .fewest = &fewest };
	struct scc_query deadlocks = {
		.context = &v,
		.inside = is_denied,
		.keep = is_idle,
		.accept = is_deadlock,
		.what = "deadlocks",
	};
	struct store marks = { NULL, 0 };
	bool done = g->complete && allocation_know(q->en, g) &&
		    scc(g, &deadlocks, &marks, NULL);

	v.mark = marks.base;
	done = done && shortest(&v, f);
	property_conclude(f, done);
	if (done)
		f->bound = fewest == UINT32_MAX ? BOUND_UNBOUNDED :
						  (int64_t)fewest;
	store_free(&marks, g->budget);
}

static const char *judge(const struct question *q, const struct schedule *s,
			 const uint32_t *state, const uint64_t *edge)
{
	struct view v = { .g = q->g, .en = q->en };
	uint32_t acts = 0;

	if (!s->infinite)
		return "it is not a stem and a cycle";
	if (!allocation_know(q->en, q->g))
		return "memory or time ran out";
	for (uint32_t t = s->stem; t < s->length; t++) {
		if (!is_denied(&v, state[t]))
			return "no process is denied a slot";
		if (!is_idle(&v, state[t], edge[t]))
			return "a process changes region, or an allocation changes";
		acts |= acting(&v, state[t], edge[t]);
	}
	return is_admissible(q->g, state[s->stem], acts) ?
		       NULL :
		       "too many processes crash or stop, or the supervisor does";
}

/* bound: the greatest K for which no (K,k)-deadlock exists */
const struct property property_c2 = {
	.name = "c2",
	.says = "no deadlock if fewer than r processes fail",
	.claim = WICKET_C2,
	.uncapped = true,
	.robustness = true,
	.unbuffered = true,
	.decide = decide,
	.judge = judge,
};
