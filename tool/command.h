/* SPDX-License-Identifier: MIT */
/* command - a command in a slot, as if it had been started without us. */
#ifndef WICKET_COMMAND_H
#define WICKET_COMMAND_H

#include <stdbool.h>

#include "wicket.h"

/*
 * The first process of a pid namespace, as of a container, has duties: its children
 * are all those whose parents have ended, and a signal that it does not handle is
 * ignored.  So it reaps them, and ends by those that end other processes.  Does
 * nothing for any other process.
 */
void act_as_init(void);

/*
 * Runs argv in the slot that the line has granted, gives the slot back the moment
 * it ends, and closes the line.  If passes_on, the command keeps the slot should
 * we be killed.  Returns the exit code, unless the terminal interrupted both: then
 * dies of that.
 */
int run_command(struct wicket *line, const char *name, char **argv,
		bool passes_on);

#endif
