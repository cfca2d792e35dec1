/* SPDX-License-Identifier: MIT */
/*
 * admissible - who fails in an infinite schedule: FLBB 1979, section 2.
 *
 * The schedule goes round a cycle for ever.  Who takes no step on it has halted,
 * and has failed if that was in T or E; where it halts its region stays what it
 * is.  Who rests takes steps that change nothing.  Who has crashed on the way has
 * failed, wherever it is now.  A supervisor may halt only if all the others do.
 */
#ifndef VERIFY_ADMISSIBLE_H
#define VERIFY_ADMISSIBLE_H

#include "verify/property/enabled.h"

/* acts: who takes steps on the cycle, or rests; state: any on it. */
static inline uint32_t failed(const struct graph *g, uint32_t state,
			      uint32_t acts)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < g->system.cfg.n; i++)
		set |= (uint32_t)(graph_region(g, state, i) & 1) << i;
	return (set & ~acts) | graph_dead(g, state);
}

static inline bool is_supervised(const struct graph *g, uint32_t acts)
{
	uint32_t workers = (1u << g->system.cfg.n) - 1;
	uint32_t all = (1u << g->system.procs) - 1;

	return !(acts & workers) || !(all & ~workers & ~acts);
}

/* R-admissible: fewer than R processes fail. */
static inline bool is_admissible(const struct graph *g, uint32_t state,
				 uint32_t acts)
{
	return is_supervised(g, acts) &&
	       (uint32_t)__builtin_popcount(failed(g, state, acts)) <
		       g->system.cfg.r;
}

/* Those who rest somewhere in a component. */
static inline uint32_t who_rests(const struct enabled *en,
				 const uint32_t *states, uint32_t count)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < count; i++)
		set |= rests(en, states[i]);
	return set;
}

#endif
