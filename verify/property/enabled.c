/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/property/enabled.h"
#include "verify/search/scc.h"

/* Process i, and the region that it must keep out of. */
struct question {
	const struct graph *g;
	uint32_t i;
	enum wicket_region zone;
};

static bool is_outside(const void *context, uint32_t state)
{
	const struct question *q = context;

	return graph_region(q->g, state, q->i) != q->zone;
}

static bool any_edge(const void *context, uint32_t from, uint64_t edge)
{
	(void)context, (void)from, (void)edge;
	return true;
}

bool all_drain(const struct graph *g, uint32_t actors, const uint32_t *states,
	       uint32_t count)
{
	uint32_t left = graph_buffers(g) & ~actors;

	for (uint32_t i = 0; left && i < count; i++)
		left &= ~graph_drained(g, states[i]);
	return !left;
}

static bool has_own_step(const void *context, uint32_t actors,
			 const uint32_t *states, uint32_t count)
{
	const struct question *q = context;

	return actors >> q->i & 1 && all_drain(q->g, actors, states, count);
}

static bool enable_zone(struct graph *g, enum wicket_region zone,
			struct store *sets)
{
	struct store marks = { NULL, 0 };
	bool done = store_room(sets, g->budget, g->states * sizeof(uint16_t));
	uint16_t *set = sets->base;

	if (done)
		memset(set, 0, g->states * sizeof(*set));
	for (uint32_t i = 0; done && i < g->system.cfg.n; i++) {
		struct question q = { g, i, zone };
		struct scc_query query = {
			.context = &q,
			.inside = is_outside,
			.keep = any_edge,
			.accept = has_own_step,
			.what = "who is enabled",
		};

		done = scc(g, &query, &marks, NULL);
		for (uint32_t s = 0; done && s < g->states; s++) {
			if (!(((uint8_t *)marks.base)[s] & SCC_REACHES))
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
		uint32_t r = graph_regions(g, s);

		if (r & r >> 1 & 0x55555555) /* E is both bits of a pair */
			return true;
	}
	return false;
}

bool enabled_know(struct enabled *en, struct graph *g)
{
	if (en->known)
		return true;
	en->exits = has_exits(g);
	en->known = enable_zone(g, WICKET_CRITICAL, &en->c) &&
		    (!en->exits || enable_zone(g, WICKET_REMAINDER, &en->r));
	return en->known;
}

/* Who is able, and who can do nothing by itself. */
static void know_able(const struct graph *g, uint32_t state, uint16_t *c,
		      uint16_t *r, uint16_t *rest)
{
	uint32_t workers = (1u << g->system.cfg.n) - 1;
	uint32_t acts = 0, steps = 0, not_c = 0, not_r = 0;

	for (uint64_t e = graph_first(g, state); e < graph_end(g, state); e++) {
		uint32_t i = graph_actor(g, e), to = graph_target(g, e);
		enum deed deed = deed_kind(graph_label(g, e));

		acts |= (uint32_t)(deed == DEED_STEP || deed == DEED_TIMEOUT)
			<< i;
		if (deed != DEED_STEP)
			continue;
		steps |= 1u << i;
		if (graph_region(g, to, i) != WICKET_CRITICAL)
			not_c |= 1u << i;
		if (graph_region(g, to, i) != WICKET_REMAINDER)
			not_r |= 1u << i;
	}
	*c = (uint16_t)(workers & steps & ~not_c);
	*r = (uint16_t)(workers & steps & ~not_r);
	*rest = (uint16_t)(((1u << g->system.procs) - 1) & ~acts);
}

/* Enabled remain those whom no step of others makes lose it. */
static bool keep_enabled(const struct graph *g, uint16_t *set)
{
	bool changed = false;

	for (uint32_t s = g->states; s--;) {
		uint32_t left = set[s];

		for (uint64_t e = graph_first(g, s);
		     left && e < graph_end(g, s); e++)
			left &= set[graph_target(g, e)] |
				1u << graph_actor(g, e);
		changed |= left != set[s];
		set[s] = (uint16_t)left;
	}
	return changed;
}

static bool enable_1979(struct graph *g, uint16_t *c, uint16_t *r,
			uint16_t *rest)
{
	bool changed = true;

	for (uint32_t s = 0; s < g->states; s++)
		know_able(g, s, &c[s], &r[s], &rest[s]);
	while (changed) {
		if (!budget_tick(g->budget, "who is enabled", 0, 0))
			return false;
		changed = keep_enabled(g, c);
		changed |= keep_enabled(g, r);
	}
	return true;
}

bool enabled_know_1979(struct enabled *en, struct graph *g)
{
	size_t size = g->states * sizeof(uint16_t);

	if (en->known_1979)
		return true;
	en->exits = has_exits(g);
	en->known_1979 = store_room(&en->critical, g->budget, size) &&
			 store_room(&en->remainder, g->budget, size) &&
			 store_room(&en->rests, g->budget, size) &&
			 enable_1979(g, en->critical.base, en->remainder.base,
				     en->rests.base);
	return en->known_1979;
}

void enabled_free(struct enabled *en, struct graph *g)
{
	struct store *stores[] = { &en->c,	     &en->r,
				   &en->critical,    &en->remainder,
				   &en->rests,	     &en->c_allocation,
				   &en->r_allocation };

	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		store_free(stores[i], g->budget);
	en->known = en->known_1979 = en->known_allocation = false;
}
