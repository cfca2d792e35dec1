/* SPDX-License-Identifier: MIT */
/* report - what was found, for people and (JSON) for machines. */
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include <jansson.h>

#include "verify/check.h"
#include "verify/equiv.h"

/*
 * A schedule as a table: step, process, what it did, regions, shared value;
 * slowly: each step when the reader presses return.
 */
void report_schedule(const struct task *task, const struct schedule *s,
		     bool slowly);

/* The same, for a second system beside the first: only regions of both. */
void report_difference(const struct task *a, const struct task *b,
		       const struct schedule *s);

void report_check(const struct check *c);

/* Every algorithm of the registry, with variants, mutants and invariants. */
void report_list(bool json);

json_t *report_check_json(const struct check *c);
json_t *report_equiv_json(const struct equiv *e);
json_t *report_steps_json(const struct task *task, const struct schedule *s,
			  uint32_t from);

/* One object on stdout; takes it. */
void report_print_json(json_t *object);

/* "R T C": the regions of all processes of a run. */
struct run;
void report_regions(const struct run *run, char *text, const char *between);

#endif
