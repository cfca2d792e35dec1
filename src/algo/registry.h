/* SPDX-License-Identifier: MIT */
/*
 * registry - every algorithm by its name: NAME[:VARIANT][@MUTANT], or
 * NAME:INNER[@MUTANT] for one that is built from another.  Where the paper says from
 * which, NAME:VARIANT is built from that one's variant of the same name.
 */
#ifndef WICKET_REGISTRY_H
#define WICKET_REGISTRY_H

#include <stddef.h>

#include "step/step.h"

/* All of them, in the order of the papers; ends with a null pointer. */
extern const struct wicket_algo *const wicket_algos[];

/* The part of a name that means nothing, and the algorithm that has no such
   variant or mutant (null: the algorithm itself is unknown). */
struct wicket_unknown {
	const char *part;
	size_t length;
	const struct wicket_algo *known;
};

/*
 * Finds the algorithm that name means and sets variant, mutant and inner of
 * cfg.  Returns 0 (cfg untouched) if there is none; then *unknown, unless it is
 * null, says why.
 */
const struct wicket_algo *wicket_find(const char *name, struct wicket_cfg *cfg,
				      struct wicket_unknown *unknown);

/*
 * The first name or function that every algorithm must have, or that what it
 * declares calls for, and that this one has not; null: it has them all.
 */
const char *wicket_missing(const struct wicket_algo *algo);

#endif
