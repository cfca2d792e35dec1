/* SPDX-License-Identifier: MIT */
/*
 * machine - a system from the point of view of its shared variable.
 *
 * The shared values are states, the local states of processes are inputs, and
 * a step is a transition: value v, met by a process in local state x, becomes
 * another value, and the process another local state.  It is partial: only
 * what occurs together in a reachable state of the system has a transition.
 * Processes that start equal have their local states in common.
 */
#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

#include "verify/explore/graph.h"

#define MACHINE_NEVER UINT32_MAX

struct transition {
	uint32_t value; /* MACHINE_NEVER: the two never meet */
	uint32_t local;
};

struct machine {
	uint32_t values, locals;
	struct store next;     /* struct transition, by value, local */
	struct store value_of; /* uint32_t, by mixed number of parts */
	uint32_t offset[SYSTEM_PARTS_MAX]; /* by pool: its first local */
	uint32_t radix[SYSTEM_PARTS_MAX];  /* by register: its contents */
	struct budget *budget;
};

/*
 * The machine of a graph that is complete and no quotient; the value of the
 * start is 0, and values are numbered as they are met.  False: budget ended,
 * or the registers have too many contents; machine_free either way.
 */
bool machine_of(struct machine *m, struct graph *g);
void machine_free(struct machine *m);

/* The value of a reachable state, and the local state of process i in it. */
uint32_t machine_value(const struct machine *m, const struct system *s,
		       const uint32_t *parts);
uint32_t machine_local(const struct machine *m, const struct system *s,
		       const uint32_t *parts, uint32_t i);

static inline struct transition machine_next(const struct machine *m,
					     uint32_t value, uint32_t local)
{
	return ((const struct transition *)
			m->next.base)[(size_t)value * m->locals + local];
}

#endif
