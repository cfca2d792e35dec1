/* SPDX-License-Identifier: MIT */
/*
 * (C6) of FLBB 1979, k-queuelike: as if the whole queue were in the shared
 * variable.  Four parts: k-exclusion; null exit regions (nobody is ever in E);
 * k-full, as many processes are critical-enabled as there are slots for and
 * processes in T; and FIFO enabling, (C5').
 *
 * And the premise of its Lemma 4.1, order-preserving: who enters C first is
 * first back in R.
 */
#include "verify/property/property.h"

/* The part that fails in a state, or null. */
static const char *part_of(const struct graph *g, const struct enabled *en,
			   uint32_t state)
{
	uint32_t inside = graph_count(g, state, WICKET_CRITICAL);
	uint32_t trying = graph_count(g, state, WICKET_TRYING);
	uint32_t k = g->system.cfg.k;

	if (inside > k)
		return "k-exclusion";
	if (graph_count(g, state, WICKET_EXIT))
		return "null-exit-regions";
	return (uint32_t)__builtin_popcount(critical_enabled(en, state)) ==
			       (k - inside < trying ? k - inside : trying) ?
		       NULL :
		       "k-full";
}

void queuelike_decide(struct graph *g, struct enabled *en, struct finding *f)
{
	uint32_t depth = UINT32_MAX;
	const char *part = NULL;

	waiting_decide(g, en, WICKET_C5_ENABLING, f);
	f->victims = 0;
	if (f->verdict == FAILS) {
		f->part = "c5-enabling";
		depth = f->schedule.length;
	}
	if (f->verdict == UNDECIDED)
		return;
	/* the first is one of the nearest */
	for (uint32_t s = 0; s < g->states && !part; s++) {
		part = part_of(g, en, s);
		if (!part || graph_depth(g, s) >= depth)
			continue;
		property_fail_in_state(g, s, f);
		f->part = part;
	}
}

const char *queuelike_judge(struct graph *g, struct enabled *en,
			    const struct schedule *s, const uint32_t *state,
			    const uint64_t *edge)
{
	if (s->victim)
		return waiting_judge(g, en, WICKET_C5_ENABLING, s, state, edge);
	if (!enabled_know_1979(en, g))
		return "memory or time ran out";
	return part_of(g, en, state[s->length]) ?
		       NULL :
		       "the last state is as it should be";
}

/* --- order ---------------------------------------------------------------- */

/* Has i entered C and not yet come back to R? */
static bool is_in(const struct graph *g, uint32_t state, uint32_t i)
{
	return graph_region(g, state, i) >= WICKET_CRITICAL;
}

struct pair {
	struct graph *g;
	uint32_t first, second;
};

static bool has_one_entered(const void *context, uint32_t state)
{
	const struct pair *p = context;

	return is_in(p->g, state, p->first) && !is_in(p->g, state, p->second);
}

/* The second may enter, but neither may come back. */
static bool stays_in(const void *context, uint32_t from, uint64_t edge)
{
	const struct pair *p = context;
	uint32_t to = graph_target(p->g, edge);

	return is_in(p->g, to, p->first) &&
	       (is_in(p->g, to, p->second) || !is_in(p->g, from, p->second));
}

/* A step by which the second comes back; there may be none. */
static uint64_t return_of(const struct pair *p, uint32_t state)
{
	uint64_t e = graph_first(p->g, state);

	while (e < graph_end(p->g, state) &&
	       graph_region(p->g, graph_target(p->g, e), p->second) !=
		       WICKET_REMAINDER)
		e++;
	return e;
}

static bool may_return(const void *context, uint32_t state)
{
	const struct pair *p = context;

	return is_in(p->g, state, p->second) &&
	       return_of(p, state) < graph_end(p->g, state);
}

static bool swap(const struct pair *p, struct bfs *sp, struct finding *f)
{
	struct bfs_query query = {
		.context = p,
		.source = has_one_entered,
		.keep = stays_in,
		.goal = may_return,
		.limit = f->schedule.label ? f->schedule.length - 1 : 0,
	};
	uint32_t last, length;

	if (!bfs_run(sp, p->g, &query))
		return false;
	if (!sp->found)
		return true;
	last = bfs_state(sp, sp->count - 1);
	length = bfs_distance(sp, sp->count - 1) + 1;
	schedule_free(&f->schedule);
	f->schedule = schedule_of(length);
	schedule_put_bfs(&f->schedule, p->g, sp, last, length - 1);
	f->schedule.label[length - 1] = graph_label(p->g, return_of(p, last));
	return true;
}

void order_decide(struct graph *g, struct finding *f)
{
	uint32_t n = g->system.cfg.n;
	struct bfs sp = { 0 };
	bool done = g->complete;

	for (uint32_t q = 0; done && q < n * n; q++) {
		struct pair p = { g, q / n, q % n };

		if (p.first != p.second)
			done = swap(&p, &sp, f);
	}
	bfs_free(&sp, g->budget);
	f->verdict = !done ? UNDECIDED : f->schedule.label ? FAILS : HOLDS;
}

/* Does its last step bring somebody back before one who entered earlier? */
const char *order_judge(const struct graph *g, const struct schedule *s,
			const uint32_t *state)
{
	uint32_t entered[WICKET_PROCS_MAX] = { 0 }; /* when; 0: it is not in */
	const char *why = "nobody comes back";

	for (uint32_t t = 1; t <= s->length; t++) {
		why = "the last to come back was the first to enter";
		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			bool in = is_in(g, state[t], i);

			for (uint32_t j = 0; !in && j < g->system.cfg.n; j++) {
				if (entered[i] && entered[j] &&
				    entered[j] < entered[i])
					why = NULL;
			}
			entered[i] = !in ? 0 : entered[i] ? entered[i] : t;
		}
	}
	return why;
}
