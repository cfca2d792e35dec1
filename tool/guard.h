/* SPDX-License-Identifier: MIT */
/*
 * guard - a process that ends a command when its time is over: before the deadline, by
 * SIGTERM, and at the deadline by SIGKILL; or when the wrapper that waits for it is gone,
 * unless it spares the command then.
 *
 * It does what the wrapper could not do while it is stopped, or after it was killed.  It
 * has a session of its own, so that neither the terminal nor a signal to the wrapper's
 * group reaches it, and blocks signals.  The two are connected by a pair of sockets:
 *
 * - the command itself, before it calls exec, sends the guard a descriptor of its
 *   process.  So there is no moment at which it runs unguarded, whoever is killed, and
 *   no pid that could be somebody else's by now;
 * - the guard sends a byte when it has begun to end the command at the deadline;
 * - if all other ends are closed, the wrapper is gone.
 */
#ifndef TOOL_GUARD_H
#define TOOL_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct guard {
	/* These are the caller's to set. */
	struct timespec (*deadline)(const void *of); /* of CLOCK_BOOTTIME */
	const void *of;
	uint32_t ttl; /* seconds */
	bool spares;  /* if the wrapper is gone, the command runs on */

	pid_t pid;
	int socket, timer;
	bool has_struck;
};

/* A negative errno if it fails. */
int guard_start(struct guard *g);

/* Hands over a process, such as the caller: an errno, or 0.  Only system calls. */
int guard_send(const struct guard *g, pid_t pid);

/* It has ended, and was reaped: another takes its place, and gets the command. */
int guard_replace(struct guard *g, pid_t command);

/* Has it begun to end the command, because of the deadline? */
bool guard_has_struck(struct guard *g);

void guard_end(struct guard *g);

#endif
