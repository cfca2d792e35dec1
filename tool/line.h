/* SPDX-License-Identifier: MIT */
/* line - a line as `wicket run` uses it: in a file of this machine, or in a store. */
#ifndef TOOL_LINE_H
#define TOOL_LINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "wicket.h"

struct grant {
	uint32_t units;
	uint32_t flags;		/* WICKET_DIED */
	uint32_t value, colour; /* the ticket, or the last of several */
	int64_t fence;		/* 0: there are none here */
	uint64_t tag; /* by which to join it; 0: it cannot be joined */
	uint32_t slots[WICKET_SLOTS_MAX + 1]; /* units of them */
};

struct line {
	const struct line_kind *kind;
	const char *name;
	void *handle; /* the kind's own */
};

/* Errors are negative errno, as the libraries have them. */
struct line_kind {
	/* An attempt costs so little that it may come before each acquire. */
	bool tries_first;
	int (*attempt)(struct line *line, struct grant *grant);
	/* deadline is of CLOCK_MONOTONIC, or null. */
	int (*acquire)(struct line *line, const struct timespec *deadline,
		       struct grant *grant);
	void (*close)(struct line *line);

	/* For the thread that reports the position: null if it cannot look.
	   find_position counts from 1; 0: we do not wait; complain says why it
	   has failed. */
	void *(*open_view)(const struct line *line);
	int (*find_position)(void *view, uint32_t *slots);
	void (*complain)(void *view, int error);
	void (*close_view)(void *view);

	/* What follows is called by run_command, in this order. */

	/* Before there is a command; does not return if it fails. */
	void (*begin)(struct line *line, const char *command);
	/* In the child, before it calls exec: it shares our memory and may do
	   nothing but system calls.  Returns an errno. */
	int (*prepare)(struct line *line);
	/* Null; or another child has ended (and is reaped) or stopped. */
	void (*attend)(struct line *line, pid_t command, const siginfo_t *news);
	/* The command has ended, but is not reaped: its pid is still its own.
	   Returns 0, or an exit code that matters more than the command's. */
	int (*leave)(struct line *line, pid_t command, const char *what);
};

/* "0", or "0,3,4". */
enum { LINE_SLOTS_TEXT = 4 * (WICKET_SLOTS_MAX + 1) };
void line_write_slots(const struct grant *grant, char text[LINE_SLOTS_TEXT]);

#endif
