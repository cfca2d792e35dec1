/* SPDX-License-Identifier: MIT */
/*
 * graph - all reachable states of a system and the steps between them.
 *
 * States are numbered in breadth-first order, so the first one with a bad
 * property is one of the nearest to the start, and no state has a parent before
 * that of the one before it.
 */
#ifndef VERIFY_GRAPH_H
#define VERIFY_GRAPH_H

#include "verify/explore/packed.h"
#include "verify/explore/team.h"

/* Of so many states the parent of one is kept; those of the others are looked for
   from there on. */
enum { GRAPH_BORN_EACH = 32 };

/* So many, or more. */
#define GRAPH_UNCOUNTED ((uint64_t)INT64_MAX)

struct graph {
	struct system system;
	struct budget *budget;
	bool complete;
	bool lean; /* neither the steps between states nor regions are kept */
	uint32_t states;
	uint64_t edges;
	uint64_t all_states, all_edges; /* unsorted: see system_sort */
	bool unsorted;			/* sorting was not allowed */
	struct packed packed;
	struct store born;    /* uint32_t: the parent of every
				 GRAPH_BORN_EACH-th state */
	struct store regions; /* uint32_t, by state: system_regions */
	struct store first;   /* uint64_t, by state: its first edge */
	struct store target;  /* uint32_t, by edge */
	struct store label;   /* uint16_t, by edge: actor.h */
	struct store level;   /* uint32_t, by depth: its first state */
	uint32_t depth;	      /* of the deepest state so far */
	struct team team;     /* whoever works on it */
};

/*
 * Explores until all is known or the budget ends; graph_free either way.
 * complete says which it was.
 */
void graph_explore(struct graph *g, const struct wicket_algo *algo,
		   const struct wicket_cfg *cfg, const struct world *world,
		   struct budget *budget);
/* The same without edges and regions: enough for properties of states. */
void graph_explore_states(struct graph *g, const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg,
			  const struct world *world, struct budget *budget);
/* The same, and of the states that differ only in which process is which, one. */
void graph_explore_sorted(struct graph *g, const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg,
			  const struct world *world, struct budget *budget);
void graph_free(struct graph *g);

/* The numbers of the parts of a state. */
void graph_unpack(const struct graph *g, uint32_t state, uint32_t *parts);

/* Puts a run, which has been started, into a state; or into that of these parts. */
struct run;
void graph_run(const struct graph *g, uint32_t state, struct run *run);
void graph_run_parts(const struct graph *g, const uint32_t *parts,
		     struct run *run);

/* How many distinct contents of all registers together; 0: no memory. */
uint64_t graph_shared_values(struct graph *g);

/* Number of steps from the start. */
uint32_t graph_depth(const struct graph *g, uint32_t state);

/* The states of at most this depth are those below ... */
static inline uint32_t graph_level_end(const struct graph *g, uint32_t depth)
{
	return depth < g->depth ? ((const uint32_t *)g->level.base)[depth + 1] :
				  g->states;
}

static inline uint32_t graph_regions(const struct graph *g, uint32_t state)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (!g->lean)
		return ((const uint32_t *)g->regions.base)[state];
	graph_unpack(g, state, parts);
	return system_regions(&g->system, parts);
}

static inline enum wicket_region graph_region(const struct graph *g,
					      uint32_t state, uint32_t i)
{
	return graph_regions(g, state) >> 2 * i & 3;
}

/* How many processes are in a region. */
static inline uint32_t graph_count(const struct graph *g, uint32_t state,
				   enum wicket_region region)
{
	return system_count(&g->system, graph_regions(g, state), region);
}

/* The set of those whose crash was an event on the way to a state. */
static inline uint32_t graph_dead(const struct graph *g, uint32_t state)
{
	uint32_t parts[SYSTEM_PARTS_MAX], set = 0;

	if (!g->system.world.crashes)
		return 0;
	graph_unpack(g, state, parts);
	for (uint32_t i = 0; i < g->system.procs; i++) {
		const struct memo *m = system_memo(&g->system, parts, i);

		set |= (uint32_t) !!(m->mode & ACTOR_DEAD) << i;
	}
	return set;
}

/*
 * Buffers as actors: the set of them all, and of those that have nothing to do
 * in a state.  Without buffers both are empty.
 */
static inline uint32_t graph_buffers(const struct graph *g)
{
	return system_has_buffers(&g->system) ?
		       ((1u << g->system.procs) - 1) << DEED_BUFFERS :
		       0;
}

static inline uint32_t graph_drained(const struct graph *g, uint32_t state)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (!system_has_buffers(&g->system))
		return 0;
	graph_unpack(g, state, parts);
	return system_drained(&g->system, parts) << DEED_BUFFERS;
}

/* The edges of a state: first <= e < end. */
static inline uint64_t graph_first(const struct graph *g, uint32_t state)
{
	return ((const uint64_t *)g->first.base)[state];
}

static inline uint64_t graph_end(const struct graph *g, uint32_t state)
{
	return graph_first(g, state + 1);
}

static inline uint32_t graph_target(const struct graph *g, uint64_t edge)
{
	return ((const uint32_t *)g->target.base)[edge];
}

static inline uint16_t graph_label(const struct graph *g, uint64_t edge)
{
	return ((const uint16_t *)g->label.base)[edge];
}

/* Who takes it: a process, or the buffer of one. */
static inline uint32_t graph_actor(const struct graph *g, uint64_t edge)
{
	return deed_who(graph_label(g, edge));
}

/* The state from which this one, which is not the start, was first reached, and by
   which deed. */
uint32_t graph_parent(const struct graph *g, uint32_t state, uint16_t *via);

/* An edge from a state to another; there must be one. */
uint64_t graph_edge_between(const struct graph *g, uint32_t from, uint32_t to);

#endif
