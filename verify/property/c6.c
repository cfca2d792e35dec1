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
		return property_k_exclusion.name;
	if (graph_count(g, state, WICKET_EXIT))
		return "null-exit-regions";
	return (uint32_t)__builtin_popcount(critical_enabled(en, state)) ==
			       (k - inside < trying ? k - inside : trying) ?
		       NULL :
		       "k-full";
}

/* The last part is a property of its own. */
static struct question ask_c5_enabling(const struct question *q)
{
	struct question c5 = *q;

	c5.property = &property_c5_enabling;
	return c5;
}

static void decide_queuelike(const struct question *q, struct finding *f)
{
	struct question c5 = ask_c5_enabling(q);
	struct graph *g = q->g;
	uint32_t depth = UINT32_MAX;
	const char *part = NULL;

	c5.property->decide(&c5, f);
	f->victims = 0;
	if (f->verdict == FAILS) {
		f->part = c5.property->name;
		depth = f->schedule.length;
	}
	if (f->verdict == UNDECIDED)
		return;
	/* the first is one of the nearest */
	for (uint32_t s = 0; s < g->states && !part; s++) {
		part = part_of(g, q->en, s);
		if (!part || graph_depth(g, s) >= depth)
			continue;
		property_fail_in_state(g, s, f);
		f->part = part;
	}
}

static const char *judge_queuelike(const struct question *q,
				   const struct schedule *s,
				   const uint32_t *state, const uint64_t *edge)
{
	struct question c5 = ask_c5_enabling(q);

	if (s->victim)
		return c5.property->judge(&c5, s, state, edge);
	if (!enabled_know_1979(q->en, q->g))
		return "memory or time ran out";
	return part_of(q->g, q->en, state[s->length]) ?
		       NULL :
		       "the last state is as it should be";
}

const struct property property_c6_queuelike = {
	.name = "c6-queuelike",
	.says = "as if the whole queue were in the shared variable",
	.claim = WICKET_C6_QUEUELIKE,
	.finite = true,
	.uncapped = true,
	.unbuffered = true,
	.decide = decide_queuelike,
	.judge = judge_queuelike,
};

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

static void decide_order(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	uint32_t n = g->system.cfg.n;
	struct bfs sp = { 0 };
	bool done = g->complete;

	for (uint32_t i = 0; done && i < n * n; i++) {
		struct pair p = { g, i / n, i % n };

		if (p.first != p.second)
			done = swap(&p, &sp, f);
	}
	bfs_free(&sp, g->budget);
	property_conclude(f, done);
}

/* Does its last step bring somebody back before one who entered earlier? */
static const char *judge_order(const struct question *q,
			       const struct schedule *s, const uint32_t *state,
			       const uint64_t *edge)
{
	const struct graph *g = q->g;
	uint32_t entered[WICKET_PROCS_MAX] = { 0 }; /* when; 0: it is not in */
	const char *why = "nobody comes back";

	(void)edge;
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

const struct property property_order_preserving = {
	.name = "order-preserving",
	.says = "whoever enters C first is first back in R",
	.claim = WICKET_ORDER_PRESERVING,
	.finite = true,
	.unbuffered = true,
	.decide = decide_order,
	.judge = judge_order,
};
