/* SPDX-License-Identifier: MIT */
/*
 * trace - a counterexample as a file: JSON, with the regions after every step,
 * so that a trace that no longer fits its algorithm is noticed.
 */
#ifndef VERIFY_TRACE_H
#define VERIFY_TRACE_H

#include "verify/check.h"

/* Writes the finding or fails (73), leaving nothing behind. */
void trace_write(const char *path, const struct task *task,
		 const struct finding *f);

/* A trace that was read: its strings live as long as root. */
struct trace {
	void *root;
	struct task task;
	struct finding finding;
};

/* Reads it or fails (66). */
void trace_read(const char *path, struct trace *trace);

/* Null if it breaks what it claims to break, else why not; or budget ended. */
const char *trace_judge(const struct trace *trace, struct budget *budget);
void trace_free(struct trace *trace);

#endif
