/* SPDX-License-Identifier: MIT */
/*
 * bfs - breadth-first search from many states at once, each of which has
 * the distance that it has from the start of the graph.  So the first goal
 * found ends a shortest schedule of the form: any way to a source, then only
 * along kept edges to the goal.
 */
#ifndef VERIFY_BFS_H
#define VERIFY_BFS_H

#include "verify/explore/graph.h"

struct bfs_query {
	const void *context;
	bool (*source)(const void *context, uint32_t state);
	bool (*keep)(const void *context, uint32_t from, uint64_t edge);
	bool (*goal)(const void *context, uint32_t state); /* may be null */
	uint32_t limit; /* no goal at this distance or more; 0: none */
};

struct bfs {
	uint32_t count; /* states reached; the goal, if found, is last */
	bool found;
	struct store order;    /* uint32_t: the states, nearest first */
	struct store distance; /* uint32_t: theirs, in the same order */
	struct store from;     /* uint32_t by state: predecessor, itself at a
				   source, UINT32_MAX if not reached */
};

/* May be called again with the same struct; false: budget ended. */
bool bfs_run(struct bfs *sp, struct graph *g, const struct bfs_query *q);
void bfs_free(struct bfs *sp, struct budget *b);

static inline uint32_t bfs_state(const struct bfs *sp, uint32_t i)
{
	return ((const uint32_t *)sp->order.base)[i];
}

static inline uint32_t bfs_distance(const struct bfs *sp, uint32_t i)
{
	return ((const uint32_t *)sp->distance.base)[i];
}

static inline uint32_t bfs_from(const struct bfs *sp, uint32_t state)
{
	return ((const uint32_t *)sp->from.base)[state];
}

static inline bool bfs_has(const struct bfs *sp, uint32_t state)
{
	return bfs_from(sp, state) != UINT32_MAX;
}

#endif
