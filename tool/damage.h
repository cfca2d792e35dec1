/* SPDX-License-Identifier: MIT */
/*
 * damage - a line whose file is cut short while it is mapped: the kernel says so by
 * SIGBUS, at the next look at what is gone.
 */
#ifndef WICKET_DAMAGE_H
#define WICKET_DAMAGE_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on such an end is one line on stderr and the exit code EX_DATAERR. */
void damage_heed(void);

/* The line that is looked at, to be named. */
void damage_name(const char *name);

/* Calls what touches the line on behalf of a command that was started: false if
   the file is gone, which was said, and the command is still to be waited for.
   The line must not be touched any more then. */
bool damage_survives(void (*touch)(void *arg), void *arg, pid_t command);

#endif
