/* SPDX-License-Identifier: MIT */
/*
 * enabled - who is enabled, and who waits.
 *
 * FLBB 1989, section 3.3: a process is Z-enabled if every schedule in which it
 * occurs infinitely often brings it into region Z, whatever the others do: it is
 * not, iff a cycle with a step of it can be reached without it ever being in Z.
 * Where memory has buffers only those schedules count in which everything that
 * was stored reaches memory: each buffer acts on the cycle, or is empty there.
 *
 * FLBB 1979, section 2: a process is critical-able (remainder-able) if its next
 * step takes it to C (to R), and -enabled if it is able, and remains so whatever
 * the others do before it takes that step.  That is neither weaker nor stronger
 * than the above: one step must do, but a process in R may be enabled too.
 */
#ifndef VERIFY_ENABLED_H
#define VERIFY_ENABLED_H

#include "verify/explore/graph.h"

struct enabled {
	bool known, exits; /* exits: some state has a process in E */
	struct store c, r; /* uint16_t by state: set of processes */
	/* of 1979, and who can do nothing by itself; the same */
	bool known_1979;
	struct store critical, remainder, rests;
	/* allocation.h; uint8_t by state */
	bool known_allocation;
	struct store c_allocation, r_allocation;
};

/* Of a component: does everything that is stored in it reach memory, if it is
   gone round for ever? */
bool all_drain(const struct graph *g, uint32_t actors, const uint32_t *states,
	       uint32_t count);

/* Computes it once; false: budget ended. */
bool enabled_know(struct enabled *en, struct graph *g);
bool enabled_know_1979(struct enabled *en, struct graph *g);
void enabled_free(struct enabled *en, struct graph *g);

static inline bool c_enabled(const struct enabled *en, uint32_t state,
			     uint32_t i)
{
	return ((const uint16_t *)en->c.base)[state] >> i & 1;
}

/* Only where there are exits. */
static inline bool r_enabled(const struct enabled *en, uint32_t state,
			     uint32_t i)
{
	return ((const uint16_t *)en->r.base)[state] >> i & 1;
}

static inline bool t_waiting(const struct enabled *en, const struct graph *g,
			     uint32_t state, uint32_t i)
{
	return graph_region(g, state, i) == WICKET_TRYING &&
	       !c_enabled(en, state, i);
}

static inline bool e_waiting(const struct enabled *en, const struct graph *g,
			     uint32_t state, uint32_t i)
{
	return en->exits && graph_region(g, state, i) == WICKET_EXIT &&
	       !r_enabled(en, state, i);
}

/* The sets of 1979: CEn, REn, and who can do nothing by itself. */
static inline uint32_t critical_enabled(const struct enabled *en,
					uint32_t state)
{
	return ((const uint16_t *)en->critical.base)[state];
}

static inline uint32_t remainder_enabled(const struct enabled *en,
					 uint32_t state)
{
	return ((const uint16_t *)en->remainder.base)[state];
}

static inline uint32_t rests(const struct enabled *en, uint32_t state)
{
	return ((const uint16_t *)en->rests.base)[state];
}

#endif
