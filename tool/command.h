/* SPDX-License-Identifier: MIT */
/* command - a command in a slot, as if it had been started without us. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "tool/line.h"

/*
 * The first process of a pid namespace, as in a container, has duties: it becomes the
 * parent of all orphans, and a signal that it does not handle is ignored.  So it
 * reaps the orphans, and ends by the signals that end other processes.  For any other
 * process this function does nothing.
 */
void act_as_init(void);

/*
 * Runs argv in the slots that the line has granted, gives them back as soon as it
 * ends, and closes the line.  Returns the exit code; but if the terminal interrupted
 * both, dies of SIGINT.
 */
int run_command(struct line *line, char **argv);

#endif
