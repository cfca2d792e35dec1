/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/search/bfs.h"

/* Forgets what was reached before; from[] stays allocated. */
static bool clear(struct bfs *sp, struct graph *g)
{
	size_t size = g->states * sizeof(uint32_t);
	bool fresh = !sp->from.base;

	if (!store_room(&sp->from, g->budget, size))
		return false;
	if (fresh) {
		memset(sp->from.base, 0xff, size);
	} else {
		for (uint32_t i = 0; i < sp->count; i++)
			((uint32_t *)sp->from.base)[bfs_state(sp, i)] =
				UINT32_MAX;
	}
	sp->count = 0;
	sp->found = false;
	return true;
}

static bool reach(struct bfs *sp, struct budget *b, uint32_t state,
		  uint32_t from, uint32_t distance)
{
	size_t size = (sp->count + (size_t)1) * sizeof(uint32_t);

	if (bfs_has(sp, state))
		return true;
	if (!store_room(&sp->order, b, size) ||
	    !store_room(&sp->distance, b, size))
		return false;
	((uint32_t *)sp->from.base)[state] = from;
	((uint32_t *)sp->order.base)[sp->count] = state;
	((uint32_t *)sp->distance.base)[sp->count++] = distance;
	return true;
}

bool bfs_run(struct bfs *sp, struct graph *g, const struct bfs_query *q)
{
	uint32_t next = 0, source = 0, distance = 0;

	if (!clear(sp, g))
		return false;
	for (;;) {
		uint32_t end;

		/* the sources at this distance join those reached at it */
		for (; source < graph_level_end(g, distance); source++) {
			if (q->source(q->context, source) &&
			    !reach(sp, g->budget, source, source, distance))
				return false;
		}
		if (!budget_tick(g->budget, "searching", source, g->states) ||
		    (q->limit && distance >= q->limit))
			return g->budget->end == BUDGET_LEFT;
		for (end = sp->count; next < end; next++) {
			uint32_t s = bfs_state(sp, next);

			if (q->goal && q->goal(q->context, s)) {
				sp->found = true;
				/* what lies behind it is not needed */
				while (sp->count > next + 1)
					((uint32_t *)sp->from.base)[bfs_state(
						sp, --sp->count)] = UINT32_MAX;
				return true;
			}
			for (uint64_t e = graph_first(g, s);
			     e < graph_end(g, s); e++) {
				if (q->keep(q->context, s, e) &&
				    !reach(sp, g->budget, graph_target(g, e), s,
					   distance + 1))
					return false;
			}
		}
		if (next == sp->count && source == g->states)
			return true;
		distance++;
	}
}

void bfs_free(struct bfs *sp, struct budget *b)
{
	store_free(&sp->order, b);
	store_free(&sp->distance, b);
	store_free(&sp->from, b);
}
