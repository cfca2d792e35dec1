/* SPDX-License-Identifier: MIT */
/* turn - waiting for one's turn, and telling how far it is. */
#ifndef WICKET_TURN_H
#define WICKET_TURN_H

#include <stdbool.h>
#include <time.h>

#include "wicket.h"

struct patience {
	bool verbose;
	bool never_waits;
	bool has_deadline;
	struct timespec deadline;
};

/* What wicket_acquire and its like say.  On a terminal, or if verbose, tells on
   stderr of the position in line meanwhile. */
int wait_for_turn(struct wicket *line, const char *name,
		  const struct patience *patience, struct wicket_grant *grant);

#endif
