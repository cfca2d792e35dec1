/* SPDX-License-Identifier: MIT */
/*
 * task - a task made from what a user typed, or what a file says; with errors
 * that help: the right exit code, and what was perhaps meant.
 */
#ifndef VERIFY_TASK_H
#define VERIFY_TASK_H

#include "verify/check.h"

/*
 * Sets algo and cfg of the task from its name and size; fails (64, 65) with
 * the nearest name if there is no such algorithm, or if n and k do not fit.
 * If they come from a file, it is named too, and the exit code is 66.
 */
void task_resolve(struct task *task, const char *name, struct wicket_cfg size,
		  const char *file);

/* Is one slot all that it admits?  Fails (64) if there is no such algorithm. */
bool task_admits_one_slot_only(const char *name, struct wicket_cfg size);

/* Fails (65) unless there can be so many processes and slots, and such an r. */
void task_check_size(const struct wicket_cfg *size);

/* Fails (65, or 66 for a file) if the task's world makes no sense for it. */
void task_check_world(const struct task *task, const char *file);

/* Are all registers plain numbers up to 254 with one writer, so that they may be
   safe? */
bool task_may_be_safe(const struct task *task);

/* Adds a property to a task; "invariants" adds all of the algorithm's. */
void task_add_property(struct task *task, const char *property,
		       const char *file);

/* The properties that an algorithm's paper discusses, if none was asked for. */
void task_add_default(struct task *task);

#endif
