/* SPDX-License-Identifier: MIT */
/*
 * allocation - how many slots are as good as taken: FLBB 1979, section 3.
 *
 * A set G of processes in T is C-group-enabled if in every schedule in which
 * each of them appears, at least |G| distinct processes, whichever, go directly
 * from T to C.  The C-allocation is the size of the largest such set.  The same
 * from E to R is the R-allocation.
 */
#ifndef VERIFY_ALLOCATION_H
#define VERIFY_ALLOCATION_H

#include "verify/property/enabled.h"

/* Computes both once; false: budget ended. */
bool allocation_know(struct enabled *en, struct graph *g);

static inline uint32_t c_allocation(const struct enabled *en, uint32_t state)
{
	return ((const uint8_t *)en->c_allocation.base)[state];
}

static inline uint32_t r_allocation(const struct enabled *en, uint32_t state)
{
	return ((const uint8_t *)en->r_allocation.base)[state];
}

#endif
