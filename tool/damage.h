/* SPDX-License-Identifier: MIT */
/*
 * damage - a line whose file is truncated while it is mapped: the kernel sends SIGBUS
 * at the next access to the missing part.
 */
#ifndef TOOL_DAMAGE_H
#define TOOL_DAMAGE_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on SIGBUS prints one line on stderr and exits with EX_DATAERR. */
void damage_heed(void);

/* Sets the name of the line for that message. */
void damage_name(const char *name);

/* Calls touch, which accesses the line while a command runs.  Returns false if the
   file was truncated: that was reported, the caller still waits for the command, and
   it must not access the line any more. */
bool damage_survives(void (*touch)(void *arg), void *arg, pid_t command);

#endif
