/* SPDX-License-Identifier: MIT */
/*
 * brute - the definitions of FLBB 1989, 3.3 and 3.4, as naive fixpoints over
 * the graph: sets of states that shrink or grow until they do not, distances
 * that fall until they do not.  No components, no queues, nothing shared with
 * the verifier but its states and edges.  Where memory has buffers, schedules that
 * go on for ever are those in which each of them acts, or is empty, again and
 * again.
 */
#ifndef BRUTE_H
#define BRUTE_H

#include <stdbool.h>
#include <stdlib.h>

#include "verify/property/property.h"

enum { FAR = UINT32_MAX / 2 };

/* By state; sets of processes are bits. */
struct brute {
	const struct graph *g;
	uint32_t n, k, states;
	bool exits;
	uint16_t *c, *r;   /* who is C-enabled, who is R-enabled */
	uint16_t *tw, *ew; /* who is T-waiting, who is E-waiting */
	uint16_t buffers;  /* whose buffers there are */
	uint16_t *empty;   /* whose buffers are empty */
	uint32_t *depth;   /* steps from the start */
	uint32_t *begun;   /* scratch: steps of a run whose end has begun */
	uint8_t *x, *y;	   /* scratch: sets of states */
};

static inline void *brute_array(const struct brute *b, size_t size)
{
	void *a = calloc(b->states, size);

	if (!a)
		abort();
	return a;
}

static inline bool brute_in(const struct brute *b, uint32_t s, uint32_t i,
			    enum wicket_region z)
{
	return graph_region(b->g, s, i) == z;
}

/* Does an edge from s do what the actor (a process, or a buffer) owes? */
static inline bool brute_pays(const struct brute *b, uint32_t s, uint64_t e,
			      uint32_t actor)
{
	return graph_actor(b->g, e) == actor ||
	       (actor >= DEED_BUFFERS &&
		b->empty[s] >> (actor - DEED_BUFFERS) & 1);
}

/* Keeps those of x from which, staying in x, what the actor owes can be reached.
   True: some others were in it. */
static inline bool brute_shrink(struct brute *b, uint32_t actor)
{
	bool grown, shrunk = false;

	for (uint32_t s = 0; s < b->states; s++)
		b->y[s] = 0;
	do {
		grown = false;
		for (uint32_t s = b->states; s--;) {
			uint64_t e = graph_first(b->g, s);

			if (b->y[s] || !b->x[s])
				continue;
			for (; e < graph_end(b->g, s); e++) {
				uint32_t to = graph_target(b->g, e);

				if (b->y[to] ||
				    (b->x[to] && brute_pays(b, s, e, actor)))
					b->y[s] = 1;
			}
			grown |= b->y[s];
		}
	} while (grown);
	for (uint32_t s = 0; s < b->states; s++) {
		shrunk |= b->x[s] != b->y[s];
		b->x[s] = b->y[s];
	}
	return shrunk;
}

/*
 * P_i is not Z-enabled in q: some schedule with infinitely many i keeps it
 * outside Z.  The greatest set of states outside Z from each of which, staying
 * outside, a step of i that leads into the set can be reached.
 */
static inline void brute_not_enabled(struct brute *b, uint32_t i,
				     enum wicket_region z)
{
	bool shrunk = true;

	for (uint32_t s = 0; s < b->states; s++)
		b->x[s] = !brute_in(b, s, i, z);
	while (shrunk) {
		shrunk = brute_shrink(b, i);
		for (uint32_t j = 0; b->buffers >> j; j++)
			shrunk |= brute_shrink(b, DEED_BUFFERS + j);
	}
}

/* Whose buffers are empty, state by state. */
static inline void brute_look_into_buffers(struct brute *b)
{
	const struct system *x = &b->g->system;
	struct run run;

	if (x->world.memory == MEMORY_TSO)
		b->buffers = (uint16_t)((1u << x->procs) - 1);
	run_start(&run, x->algo, &x->cfg, &x->world);
	for (uint32_t s = 0; s < b->states; s++) {
		graph_run(b->g, s, &run);
		for (uint32_t i = 0; b->buffers >> i; i++)
			b->empty[s] |=
				(uint16_t)(buffer_is_empty(&run.buffer[i])
					   << i);
	}
}

static inline void brute_enable(struct brute *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		brute_not_enabled(b, i, WICKET_CRITICAL);
		for (uint32_t s = 0; s < b->states; s++) {
			bool in_t = brute_in(b, s, i, WICKET_TRYING);

			b->c[s] |= (uint16_t)(!b->x[s] << i);
			b->tw[s] |= (uint16_t)((in_t && b->x[s]) << i);
		}
		brute_not_enabled(b, i, WICKET_REMAINDER);
		for (uint32_t s = 0; s < b->states; s++) {
			bool in_e = brute_in(b, s, i, WICKET_EXIT);

			b->exits |= in_e;
			b->r[s] |= (uint16_t)(!b->x[s] << i);
			b->ew[s] |= (uint16_t)((in_e && b->x[s]) << i);
		}
	}
}

/* Lowers distance along the edges that are kept, until nothing changes. */
static inline void brute_relax(const struct brute *b, uint32_t *distance,
			       bool (*keep)(const struct brute *, uint32_t from,
					    uint32_t to, uint32_t i),
			       uint32_t i)
{
	bool changed;

	do {
		changed = false;
		for (uint32_t s = 0; s < b->states; s++) {
			uint64_t e = graph_first(b->g, s);

			for (; e < graph_end(b->g, s); e++) {
				uint32_t to = graph_target(b->g, e);

				if (distance[s] + 1 >= distance[to] ||
				    (keep && !keep(b, s, to, i)))
					continue;
				distance[to] = distance[s] + 1;
				changed = true;
			}
		}
	} while (changed);
}

static inline void brute_start(struct brute *b, const struct graph *g)
{
	*b = (struct brute){
		.g = g,
		.n = g->system.cfg.n,
		.k = g->system.cfg.k,
		.states = g->states,
	};
	b->c = brute_array(b, sizeof(*b->c));
	b->r = brute_array(b, sizeof(*b->r));
	b->tw = brute_array(b, sizeof(*b->tw));
	b->ew = brute_array(b, sizeof(*b->ew));
	b->depth = brute_array(b, sizeof(*b->depth));
	b->begun = brute_array(b, sizeof(*b->begun));
	b->empty = brute_array(b, sizeof(*b->empty));
	b->x = brute_array(b, 1);
	b->y = brute_array(b, 1);
	brute_look_into_buffers(b);
	brute_enable(b);
	for (uint32_t s = 1; s < b->states; s++)
		b->depth[s] = FAR;
	brute_relax(b, b->depth, NULL, 0);
}

static inline void brute_free(struct brute *b)
{
	free(b->c);
	free(b->r);
	free(b->tw);
	free(b->ew);
	free(b->depth);
	free(b->begun);
	free(b->empty);
	free(b->x);
	free(b->y);
}

/* The length of a shortest schedule to a crowded state; FAR: there is none. */
static inline uint32_t brute_exclusion(const struct brute *b)
{
	uint32_t best = FAR;

	for (uint32_t s = 0; s < b->states; s++) {
		uint32_t inside = 0;

		for (uint32_t i = 0; i < b->n; i++)
			inside += brute_in(b, s, i, WICKET_CRITICAL);
		if (inside > b->k && b->depth[s] < best)
			best = b->depth[s];
	}
	return best;
}

/* Nobody makes progress between two states: (1), (2), (3). */
static inline bool brute_idle(const struct brute *b, uint32_t from, uint32_t to,
			      uint32_t i)
{
	(void)i;
	return graph_regions(b->g, from) == graph_regions(b->g, to) &&
	       b->tw[from] == b->tw[to] && b->ew[from] == b->ew[to];
}

static inline bool brute_stuck(const struct brute *b, uint32_t s)
{
	return b->ew[s] ||
	       (b->tw[s] && (uint32_t)__builtin_popcount(b->c[s]) < b->k);
}

/* Lowers distance[state][who has drained since] along edges without progress, from
   a place at this distance. */
static inline bool brute_lower(const struct brute *b, uint32_t *distance,
			       uint32_t s, uint32_t drained, uint32_t at)
{
	uint32_t sets = b->buffers + 1u;
	bool changed = false;

	for (uint64_t e = graph_first(b->g, s); e < graph_end(b->g, s); e++) {
		uint32_t to = graph_target(b->g, e), then = drained;

		if (!brute_idle(b, s, to, 0))
			continue;
		then |= b->buffers &
			(b->empty[to] |
			 1u << graph_actor(b->g, e) >> DEED_BUFFERS);
		changed |= at + 1 < distance[to * sets + then];
		if (at + 1 < distance[to * sets + then])
			distance[to * sets + then] = at + 1;
	}
	return changed;
}

/* The shortest way from a state back to it without progress, on which all
   buffers drain; FAR: none. */
static inline uint32_t brute_cycle(const struct brute *b, uint32_t state)
{
	uint32_t sets = b->buffers + 1u;
	uint32_t *distance = brute_array(b, sets * sizeof(*distance));
	uint32_t best = FAR;
	bool changed = true;

	for (uint32_t i = 0; i < b->states * sets; i++)
		distance[i] = FAR;
	/* the end is another place than the beginning */
	brute_lower(b, distance, state, b->buffers & b->empty[state], 0);
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < b->states * sets; i++) {
			if (distance[i] < FAR)
				changed |= brute_lower(b, distance, i / sets,
						       i % sets, distance[i]);
		}
	}
	best = distance[state * sets + b->buffers];
	free(distance);
	return best;
}

/*
 * The length, stem and cycle, of a shortest schedule that exhibits k-deadlock:
 * it is stuck at some point, and nobody makes progress from there on.
 */
static inline uint32_t brute_deadlock(struct brute *b)
{
	uint32_t best = FAR;
	bool shrunk;

	/* x: the states from which a run without progress can be infinite */
	for (uint32_t s = 0; s < b->states; s++) {
		b->x[s] = 1;
		b->begun[s] = brute_stuck(b, s) ? b->depth[s] : FAR;
	}
	do {
		shrunk = false;
		for (uint32_t s = b->states; s--;) {
			uint64_t e = graph_first(b->g, s);
			bool stays = false;

			for (; b->x[s] && e < graph_end(b->g, s); e++) {
				uint32_t to = graph_target(b->g, e);

				stays |= b->x[to] && brute_idle(b, s, to, 0);
			}
			shrunk |= b->x[s] && !stays;
			b->x[s] = stays;
		}
	} while (shrunk);
	brute_relax(b, b->begun, brute_idle, 0);
	for (uint32_t s = 0; s < b->states; s++) {
		uint32_t cycle;

		if (!b->x[s] || b->begun[s] + 1 >= best)
			continue;
		cycle = brute_cycle(b, s);
		if (b->begun[s] + cycle < best)
			best = b->begun[s] + cycle;
	}
	return best;
}

static inline bool brute_waits_for_c(const struct brute *b, uint32_t from,
				     uint32_t to, uint32_t i)
{
	return b->tw[from] >> i & b->tw[to] >> i & 1;
}

static inline bool brute_waits_for_r(const struct brute *b, uint32_t from,
				     uint32_t to, uint32_t i)
{
	return b->ew[from] >> i & b->ew[to] >> i & 1;
}

/*
 * The length of a shortest schedule by the end of which P_j overtakes P_i: P_j
 * is in R (in C) at some point and C-enabled (R-enabled) at the end, and P_i
 * is T-waiting (E-waiting) from that point to the end.
 */
static inline uint32_t brute_overtaking(struct brute *b, uint32_t i, uint32_t j,
					bool leaving)
{
	const uint16_t *waits = leaving ? b->ew : b->tw;
	const uint16_t *enabled = leaving ? b->r : b->c;
	uint32_t best = FAR;

	for (uint32_t s = 0; s < b->states; s++) {
		bool before = brute_in(
			b, s, j, leaving ? WICKET_CRITICAL : WICKET_REMAINDER);

		b->begun[s] = before && waits[s] >> i & 1 ? b->depth[s] : FAR;
	}
	brute_relax(b, b->begun,
		    leaving ? brute_waits_for_r : brute_waits_for_c, i);
	for (uint32_t s = 0; s < b->states; s++) {
		if (enabled[s] >> j & 1 && b->begun[s] < best)
			best = b->begun[s];
	}
	return best;
}

static inline uint32_t brute_fifo(struct brute *b)
{
	uint32_t best = FAR;

	for (uint32_t i = 0; i < b->n; i++) {
		for (uint32_t j = 0; j < b->n; j++) {
			uint32_t in = brute_overtaking(b, i, j, false);
			uint32_t out = brute_overtaking(b, i, j, true);

			if (i == j)
				continue;
			best = in < best ? in : best;
			best = out < best ? out : best;
		}
	}
	return best;
}

#endif
