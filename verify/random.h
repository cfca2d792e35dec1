/* SPDX-License-Identifier: MIT */
/*
 * random - one long run of a system that is too large to be explored: whatever
 * can be told of a state or of a step is checked after every step.
 */
#ifndef VERIFY_RANDOM_H
#define VERIFY_RANDOM_H

#include "verify/task.h"

struct random_options {
	uint32_t steps, seed;
	bool adversarial;
};

extern const struct random_options random_defaults;

/* False: there is no such schedule. */
bool random_schedule(const char *name, bool *adversarial);

/* Runs, reports; the exit code. */
int random_run(const struct task *task, const struct random_options *o,
	       bool json);

#endif
