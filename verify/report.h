/* SPDX-License-Identifier: MIT */
/* report - what was found, for people and (JSON) for machines. */
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include <jansson.h>

#include "verify/adversary.h"
#include "verify/check.h"
#include "verify/equiv.h"

void report_check(const struct check *c);

void report_adversary(const struct adversary *a, const struct task *task);
json_t *report_adversary_json(const struct adversary *a,
			      const struct task *task);

/* Every algorithm of the registry, with variants, mutants and invariants; and
   every property. */
void report_list(bool json);

json_t *report_check_json(const struct check *c);
json_t *report_equiv_json(const struct equiv *e, const struct task *task);
json_t *report_steps_json(const struct task *task, const struct schedule *s,
			  uint32_t from);

/* One letter, which schedules have for a helper. */
const char *report_helper(const struct task *task);

/*
 * A deed as one word: "2" process 2 takes a step (a supervisor is "S"), "2=1"
 * it reads 1 from a register that is being written, "2!" it fails, "2?" it
 * gives up waiting, "2~" its sleep times out.
 */
const char *report_label(const struct task *task, uint16_t label,
			 char text[16]);
/* The same backwards; false: no such deed. */
bool report_parse_label(const struct task *task, const char *text,
			uint16_t *label);

/* A word for the world: atomic, safe, mid-write or failures. */
const char *report_model(const struct world *world);
json_t *report_world_json(const struct world *world);
json_t *report_verdict_json(enum verdict v); /* true, false or null */

/* One object on stdout; takes it. */
void report_print_json(json_t *object);

/* "R T C": the regions of all processes of a run. */
struct run;
void report_regions(const struct run *run, char *text, const char *between);

#endif
