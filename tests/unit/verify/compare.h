/* SPDX-License-Identifier: MIT */
/*
 * compare - the graph of a system beside the plain exploration of it: states,
 * depths, parents and every edge.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "plain.h"

#include "verify/explore/graph.h"

static inline void values_of(const struct graph *g, uint32_t state,
			     struct run *run)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	system_values(&g->system, parts, run->reg, run->actor);
	system_buffers(&g->system, parts, run->buffer);
}

/*
 * The edges from state q, where the run is, are what can happen there, and lead
 * where it leads.
 */
static inline void compare_edges(const struct named *s, struct graph *g,
				 struct plain *x, uint32_t q,
				 const struct run *run)
{
	unsigned char key[sizeof(struct key)];
	uint64_t e = graph_first(g, q);

	for (uint32_t i = 0; i < run->procs; i++) {
		enum deed deed = next_deed(run, i, DEED_STEP);

		for (; deed < DEEDS; deed = next_deed(run, i, deed + 1)) {
			uint16_t label = deed_of(i, deed);
			struct run next = *run;

			run_do(&next, label);
			pack(&next, key);
			assert_of(s->name, e < graph_end(g, q));
			assert_of(s->name, graph_label(g, e) == label);
			assert_of(s->name, graph_target(g, e) ==
						   number(&x->states, key));
			e++;
		}
	}
	assert_of(s->name, e == graph_end(g, q));
}

/* Every state of the graph is one of the plain ones, as deep; regions are those
   of the processes. */
static inline void compare_states(const struct named *s, struct graph *g,
				  struct plain *x)
{
	unsigned char key[sizeof(struct key)];
	struct run run;

	run_start(&run, s->algo, &s->cfg, &g->system.world);
	for (uint32_t q = 0; q < g->states; q++) {
		values_of(g, q, &run);
		pack(&run, key);
		/* both number the states as they meet them */
		assert_of(s->name, number(&x->states, key) == q);
		assert_of(s->name, graph_depth(g, q) == x->depths[q]);
		for (uint32_t i = 0; i < s->cfg.n; i++)
			assert_of(s->name,
				  graph_region(g, q, i) == run_region(&run, i));
		compare_edges(s, g, x, q, &run);
	}
}

static inline void compare_parents(const struct named *s, const struct graph *g)
{
	for (uint32_t q = 1; q < g->states; q++) {
		uint16_t via;
		uint32_t parent = graph_parent(g, q, &via);
		uint64_t e = graph_edge_between(g, parent, q);

		assert_of(s->name, e >= graph_first(g, parent) &&
					   e < graph_end(g, parent));
		assert_of(s->name, graph_target(g, e) == q);
		assert_of(s->name, graph_label(g, e) == via);
		assert_of(s->name,
			  graph_depth(g, q) == graph_depth(g, parent) + 1);
	}
}

static inline void compare_in(const struct named *s, const struct world *world)
{
	struct budget budget;
	struct plain x;
	struct graph g;

	/* a quotient has states of its own */
	if (wicket_has_quotient(s->algo, &s->cfg))
		return;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s->algo, &s->cfg, world, &budget);
	explore(&x, s, world);
	assert_of(s->name, g.complete);
	assert_of(s->name, budget.end == BUDGET_LEFT);
	assert_of(s->name, g.states == x.states.count);
	assert_of(s->name, g.edges == x.steps);
	assert_of(s->name, g.system.buffer_full == x.full);
	assert_of(s->name, g.depth == x.depth);
	assert_of(s->name, graph_shared_values(&g) == x.shared.count);
	compare_states(s, &g, &x);
	assert_of(s->name, g.states == x.states.count);
	compare_parents(s, &g);
	plain_free(&x);
	graph_free(&g);
	assert_of(s->name, budget.used == 0);
}

#endif
