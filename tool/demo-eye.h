/* SPDX-License-Identifier: MIT */
/*
 * demo-eye - a thread that looks at a line in etcd, again and again.  While no server
 * answers, a look takes seconds: the demonstration goes on meanwhile.
 */
#ifndef TOOL_DEMO_EYE_H
#define TOOL_DEMO_EYE_H

#include <stdbool.h>
#include <stdint.h>

#include "tool/snapshot.h"

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t eye_clock(void);

/* Begins to look at the line; the texts must stay. */
int eye_open(const char *store, const char *name);

/* Replaces the snapshot by a newer one, if there is one: when it was asked for, or 0. */
uint64_t eye_take(struct snapshot *s);

/* When the last answer came. */
uint64_t eye_answered(void);

/* Waits for the end of the last look. */
void eye_close(void);

#endif
