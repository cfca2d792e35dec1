/* SPDX-License-Identifier: MIT */
/*
 * minimal - how few shared values the same processes could do with.
 *
 * Two values may be told apart by a process in a local state in which it can
 * meet both.  A partition of the values is compatible if whoever can meet two
 * values of one class steps, from both, into the same local state and leaves
 * values of one class: then the classes can be the values (doc/space.md).
 * This is the minimisation of a partial machine, and as hard as that; so it is
 * enclosed between two numbers.
 */
#ifndef VERIFY_MINIMAL_H
#define VERIFY_MINIMAL_H

#include "verify/space/machine.h"

struct minimal {
	uint32_t at_least;     /* so many values are distinguishable in pairs */
	uint32_t at_most;      /* classes of a compatible partition */
	uint32_t canonical;    /* classes of the coarsest one whose classes are
			       met by the same local states */
	struct store class_of; /* uint32_t, by value: of the at_most classes */
};

/* False: budget ended; minimal_free either way. */
bool minimal_find(struct minimal *x, const struct machine *m);
void minimal_free(struct minimal *x, struct budget *b);

#endif
