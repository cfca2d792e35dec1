/* SPDX-License-Identifier: MIT */
/* command - a command in a slot, as if it had been started without us. */
#ifndef WICKET_COMMAND_H
#define WICKET_COMMAND_H

#include <stdbool.h>

#include "wicket.h"

/*
 * Runs argv in the slot that the line has granted, gives the slot back the moment
 * it ends, and closes the line.  If passes_on, the command keeps the slot should
 * we be killed.  Returns the exit code, unless the terminal interrupted both: then
 * dies of that.
 */
int run_command(struct wicket *line, char **argv, bool passes_on);

#endif
