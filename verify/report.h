/* SPDX-License-Identifier: MIT */
/* report - what was found, for people (report.c) and machines (report-json.c). */
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include <jansson.h>

#include "verify/adversary.h"
#include "verify/check.h"
#include "verify/equiv.h"

void report_check(const struct check *c);

/* What is special about a world, a line each; was one of its buffers ever full? */
void report_world(const struct world *world, bool full);

void report_adversary(const struct adversary *a, const struct task *task);
json_t *report_adversary_json(const struct adversary *a,
			      const struct task *task);

/* Every algorithm of the registry, with variants, mutants and invariants; and
   every property. */
void report_list(void);
json_t *report_list_json(void);
/* Is the mutant planted in one variant only? */
bool report_is_bound(const struct wicket_mutant *m);

json_t *report_check_json(const struct check *c);
json_t *report_equiv_json(const struct equiv *e, const struct task *task);
json_t *report_steps_json(const struct task *task, const struct schedule *s,
			  uint32_t from);

/* A word for the world: atomic, safe, mid-write or failures. */
const char *report_model(const struct world *world);
json_t *report_world_json(const struct world *world);
/* The same, and what is to be said of its buffers: was one ever full? */
json_t *report_buffered_world_json(const struct world *world, bool full);
json_t *report_verdict_json(enum verdict v); /* true, false or null */

/* One object on stdout; takes it. */
void report_print_json(json_t *object);

#endif
