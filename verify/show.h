/* SPDX-License-Identifier: MIT */
/* show - a counterexample for people: a table, what it means, a legend. */
#ifndef VERIFY_SHOW_H
#define VERIFY_SHOW_H

#include "verify/check.h"

/*
 * A schedule as a table: step, process, what it did, regions, shared value.
 * Below it who has stopped, who stays in C, who waits, how many slots are free, and
 * a line that explains the letters.
 */
void show_schedule(const struct task *task, const struct schedule *s);

/* The same, one row for each line of standard input, until that ends. */
void show_step_by_step(const struct task *task, const struct schedule *s);

/* The same, for a second system beside the first: only regions of both. */
void show_difference(const struct task *a, const struct task *b,
		     const struct schedule *s);

/* "" of one, "s" of any other number. */
const char *show_plural(uint64_t count);

#endif
