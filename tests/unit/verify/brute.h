/* SPDX-License-Identifier: MIT */
/*
 * brute - the definitions of FLBB 1989, 3.3 and 3.4, as naive fixpoints over
 * the graph: sets of states that shrink or grow until they do not, distances
 * that fall until they do not.  No components, no queues, nothing shared with
 * the verifier but its states and edges.
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

/*
 * P_i is not Z-enabled in q: some schedule with infinitely many i keeps it
 * outside Z.  The greatest set of states outside Z from each of which, staying
 * outside, a step of i that leads into the set can be reached.
 */
static inline void brute_not_enabled(struct brute *b, uint32_t i,
				     enum wicket_region z)
{
	bool grown, shrunk;

	for (uint32_t s = 0; s < b->states; s++)
		b->x[s] = !brute_in(b, s, i, z);
	do {
		for (uint32_t s = 0; s < b->states; s++)
			b->y[s] = 0;
		do {
			grown = false;
			for (uint32_t s = b->states; s--;) {
				uint64_t e = graph_first(b->g, s);

				if (b->y[s] || brute_in(b, s, i, z))
					continue;
				for (; e < graph_end(b->g, s); e++) {
					uint32_t to = graph_target(b->g, e);

					if (b->y[to] ||
					    (graph_actor(b->g, e) == i &&
					     b->x[to]))
						b->y[s] = 1;
				}
				grown |= b->y[s];
			}
		} while (grown);
		shrunk = false;
		for (uint32_t s = 0; s < b->states; s++) {
			shrunk |= b->x[s] != b->y[s];
			b->x[s] = b->y[s];
		}
	} while (shrunk);
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
	b->x = brute_array(b, 1);
	b->y = brute_array(b, 1);
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

/* The shortest way from a state back to it without progress; FAR: none. */
static inline uint32_t brute_cycle(const struct brute *b, uint32_t state)
{
	uint32_t *distance = brute_array(b, sizeof(*distance));
	uint32_t best = FAR;

	for (uint32_t s = 0; s < b->states; s++)
		distance[s] = s == state ? 0 : FAR;
	brute_relax(b, distance, brute_idle, 0);
	for (uint32_t s = 0; s < b->states; s++) {
		uint64_t e = graph_first(b->g, s);

		for (; e < graph_end(b->g, s); e++) {
			if (graph_target(b->g, e) == state &&
			    brute_idle(b, s, state, 0) &&
			    distance[s] + 1 < best)
				best = distance[s] + 1;
		}
	}
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
