/* SPDX-License-Identifier: MIT */
/*
 * bound - what the papers prove about the number of shared values.  Bounds speak
 * of the algorithm, not of what a planted bug makes of it.
 */
#ifndef VERIFY_BOUND_H
#define VERIFY_BOUND_H

#include "verify/explore/task.h"

/* That of its own paper; the one that its invariants give.  0: none. */
uint64_t bound_upper(const struct task *t);
uint64_t bound_sharper(const struct task *t);

/* Is it declared to solve the k-critical section problem of FLBB 1989? */
bool bound_solves_1989(const struct task *t);

/*
 * The lower bounds, theorem by theorem; the first is Theorem 5.8 of FLBB 1989.
 * bound_lower gives 0 if the algorithm or its size is not one of which the
 * theorem speaks, or if it says nothing.
 */
enum { THEOREM_5_8, THEOREM_5_1, THEOREM_5_2, THEOREM_5_3, THEOREMS };

uint64_t bound_lower(const struct task *t, uint32_t theorem);
const char *bound_theorem(uint32_t theorem);

/* The greatest of them, and which; 0: none. */
uint64_t bound_greatest(const struct task *t, uint32_t *theorem);

#endif
