/* SPDX-License-Identifier: MIT */
/* demo-command - the commands of a demonstration, as processes: each is a
   `wicket run` in a process group of its own. */
#ifndef TOOL_DEMO_COMMAND_H
#define TOOL_DEMO_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum stage { TO_COME, STARTED, WAITS, INSIDE, GONE };

struct command {
	const char *seconds; /* how long it sleeps once inside */
	enum stage stage;    /* as seen in the line */
	pid_t wicket;	     /* the process that waits, and its group */
	pid_t pid;	     /* the command itself; 0: not known yet */
	uint32_t value, colour, slot;
	uint64_t entered; /* when it was seen inside: nanoseconds */
	bool is_orphan;
	bool wicket_ended;
	bool all_ended; /* the command, too */
	int status;	/* how wicket ended, as of wait(2) */
};

/* Starts a program, found as by a shell, in a group of its own; its output goes to a
   file. */
int process_start(pid_t *pid, const char *const *argv, const char *log);

/* The same for a command; argv is that of its wicket. */
int command_start(struct command *c, const char *const *argv, const char *log);

/* Records which of them have ended; never waits. */
void commands_reap(struct command *commands, size_t count);

/* Kills those that are left and waits for the end of all children.  To be called by
   the process that orphans are given to: see PR_SET_CHILD_SUBREAPER. */
void commands_end(struct command *commands, size_t count);

#endif
