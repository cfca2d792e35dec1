/* SPDX-License-Identifier: MIT */
/* picture - a line as people read it: one row per slot, one row per waiter. */
#ifndef TOOL_PICTURE_H
#define TOOL_PICTURE_H

#include <stdio.h>

#include "tool/screen.h"
#include "tool/snapshot.h"

/* These need snapshot_find_people first. */
void picture_head(FILE *out, const struct snapshot *s,
		  const struct screen *screen);
void picture_slots(FILE *out, const struct snapshot *s,
		   const struct screen *screen);
void picture_waiting(FILE *out, const struct snapshot *s,
		     const struct screen *screen);
void picture_counters(FILE *out, const struct snapshot *s,
		      const struct screen *screen);

/* A row of text, cut to what fits. */
void picture_row(FILE *out, const struct screen *screen, const char *format,
		 ...) __attribute__((format(printf, 3, 4)));

/* A time with a suitable unit: 1.2 s, 12 min, 3.4 h. */
enum { PICTURE_TIME = 16 };
void picture_time(char text[PICTURE_TIME], double seconds);

#endif
