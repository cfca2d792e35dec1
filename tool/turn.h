/* SPDX-License-Identifier: MIT */
/* turn - waits for a slot, and reports the position in line. */
#ifndef TOOL_TURN_H
#define TOOL_TURN_H

#include <stdbool.h>
#include <time.h>

#include "tool/line.h"

struct patience {
	bool verbose;
	bool never_waits;
	bool has_deadline;
	struct timespec deadline;
	struct timespec began; /* the waiting, whatever has to be tried again */
};

/* Acquires a slot; returns what the library returns.  On a terminal, or if verbose,
   reports the position in line on stderr meanwhile. */
int wait_for_turn(struct line *line, const struct patience *patience,
		  struct grant *grant);

#endif
