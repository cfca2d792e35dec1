/* SPDX-License-Identifier: MIT */
/* task - what to check, and how hard to try. */
#ifndef VERIFY_EXPLORE_TASK_H
#define VERIFY_EXPLORE_TASK_H

#include <stddef.h>

#include "verify/explore/actor.h"
#include "verify/explore/budget.h"

enum { FINDINGS_MAX = 32 };

struct task {
	const char *name; /* as the user wrote it */
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	struct world world;
	const char *property[FINDINGS_MAX]; /* ends with null */
	bool symmetry; /* explore one of the states that differ only in which
			  process is which */
	struct limits limits;
};

#endif
