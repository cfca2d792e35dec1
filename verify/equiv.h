/* SPDX-License-Identifier: MIT */
/*
 * equiv - FLBB 1989, section 3.2: two systems are equivalent if under every
 * finite schedule all processes are in the same regions in both.
 */
#ifndef VERIFY_EQUIV_H
#define VERIFY_EQUIV_H

#include "verify/check.h"

struct equiv {
	enum verdict verdict;
	uint64_t pairs;		  /* reachable pairs of states */
	struct schedule schedule; /* a shortest one that tells them apart */
	double seconds;
	enum budget_end end;
};

/* Both tasks have the same n and k; limits are those of the first. */
void equiv_run(struct equiv *e, const struct task *a, const struct task *b);
void equiv_free(struct equiv *e);

#endif
