/* SPDX-License-Identifier: MIT */
/*
 * scc - strongly connected components of a part of a graph.
 *
 * Answers questions about cycles: which states lie in a component that the
 * caller accepts, which can reach one, and in which order components lie.
 */
#ifndef VERIFY_SCC_H
#define VERIFY_SCC_H

#include "verify/explore/graph.h"

struct scc_query {
	const void *context;
	/* the part of the graph: its states, and which edges between them */
	bool (*inside)(const void *context, uint32_t state);
	bool (*keep)(const void *context, uint32_t from, uint64_t edge);
	/*
	 * Is this component, which has an edge inside, one of those asked for?
	 * actors: who takes the edges inside, buffers included (actor.h).
	 */
	bool (*accept)(const void *context, uint32_t actors,
		       const uint32_t *states, uint32_t count);
	const char *what; /* for progress */
};

enum { SCC_REACHES = 1, SCC_ON = 2 };

/*
 * Fills marks (uint8_t a state) and, unless it is null, component (uint32_t a
 * state, from 1, 0 outside; an edge never leads to a greater one).
 * False: budget ended.
 */
bool scc(const struct graph *g, const struct scc_query *query,
	 struct store *marks, struct store *component);

/*
 * The states outside, then those of components 1, 2, ...: order (uint32_t), and
 * where each ends in it (uint32_t, by component).  False: budget ended.
 */
bool scc_sort(const struct graph *g, const uint32_t *component,
	      struct store *order, struct store *ends);

#endif
