/* SPDX-License-Identifier: MIT */
/*
 * scc - strongly connected components of a part of a graph.
 *
 * Answers two questions about cycles that contain a wanted edge: which states
 * lie in a component with such an edge inside (so on such a cycle), and which
 * states can reach one.
 */
#ifndef VERIFY_SCC_H
#define VERIFY_SCC_H

#include "verify/graph.h"

struct scc_query {
	const void *context;
	/* the part of the graph: its states, and which edges between them */
	bool (*inside)(const void *context, uint32_t state);
	bool (*keep)(const void *context, uint32_t from, uint64_t edge);
	/* may be null: every edge is wanted */
	bool (*wanted)(const void *context, uint32_t from, uint64_t edge);
	const char *what; /* for progress */
};

enum { SCC_REACHES = 1, SCC_ON = 2 };

/* Fills marks (one byte a state); false: budget ended. */
bool scc(const struct graph *g, const struct scc_query *query,
	 struct store *marks);

#endif
