/* SPDX-License-Identifier: MIT */
/*
 * registry - every algorithm by its name: NAME[:VARIANT][@MUTANT], or
 * NAME:INNER[@MUTANT] for one that is built from another.
 */
#ifndef WICKET_REGISTRY_H
#define WICKET_REGISTRY_H

#include <stddef.h>

#include "step/step.h"

/* All of them, in the order of the papers; ends with a null pointer. */
extern const struct wicket_algo *const wicket_algos[];

/*
 * Finds the algorithm that name means and sets variant, mutant and inner of
 * cfg.  Returns 0 (cfg untouched) if there is none; then *part points to the
 * part of name that is unknown, *length long, and *known to the algorithm
 * that has no such variant or mutant (0: the algorithm itself is unknown).
 */
const struct wicket_algo *wicket_find(const char *name, struct wicket_cfg *cfg,
				      const char **part, size_t *length,
				      const struct wicket_algo **known);

/*
 * The first name or function that every algorithm must have, or that what it
 * declares calls for, and that this one has not; null: it has them all.
 */
const char *wicket_missing(const struct wicket_algo *algo);

#endif
