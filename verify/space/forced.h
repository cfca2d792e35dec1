/* SPDX-License-Identifier: MIT */
/*
 * forced - the schedules of FLBB 1989, section 5: whoever solves the problem
 * has another shared value after each of them.
 */
#ifndef VERIFY_FORCED_H
#define VERIFY_FORCED_H

#include "verify/explore/task.h"

struct forced {
	bool can;	   /* who is to get somewhere on its own does */
	uint32_t played;   /* how many; 0: the size has none (n < k + 2) */
	uint32_t distinct; /* shared values after them */
};

/* h(i,j) of section 5.2, for all k <= j < i <= n-1: Lemma 5.7. */
struct forced forced_pairs(const struct task *t);

/* The whole construction of Theorem 5.8, which starts anew for each slot, with one
   process less: that one is enabled and waits. */
struct forced forced_all(const struct task *t);

#endif
