/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/enabled.h"
#include "verify/scc.h"

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

static bool has_own_step(const void *context, uint32_t actors,
			 const uint32_t *states, uint32_t count)
{
	const struct question *q = context;

	(void)states, (void)count;
	return actors >> q->i & 1;
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

void enabled_free(struct enabled *en, struct graph *g)
{
	store_free(&en->c, g->budget);
	store_free(&en->r, g->budget);
	en->known = false;
}
