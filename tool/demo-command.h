/* SPDX-License-Identifier: MIT */
/* demo-command - the commands of the demonstration, as processes: each is a
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
	bool wicket_ended, command_ended;
	int status; /* how wicket ended, as of wait(2) */
};

/* Starts `WICKET run LINE -- sleep SECONDS`; its output goes to a file. */
int command_start(struct command *c, const char *wicket, const char *line,
		  const char *log);

/* Records which of them have ended; never waits. */
void commands_reap(struct command *commands, size_t count);

/* Kills those that are left and waits for their end. */
void commands_end(struct command *commands, size_t count);

#endif
