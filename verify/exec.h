/* SPDX-License-Identifier: MIT */
/* exec - an algorithm on real memory, and what was seen of it. */
#ifndef VERIFY_EXEC_H
#define VERIFY_EXEC_H

#include "verify/check.h"

struct exec_options {
	double seconds;
	bool processes; /* else threads */
	uint32_t kill;	/* how many a second, if the world has failures */
	int order;
};

extern const struct exec_options exec_defaults;

/* relaxed, acqrel or seq-cst; false: none of them. */
bool exec_order(const char *name, int *order);

/* Runs it and reports; returns 0, or 1 if more than k were inside. */
int exec_run(const struct task *task, const struct exec_options *options,
	     bool json);

#endif
