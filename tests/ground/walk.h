/* SPDX-License-Identifier: MIT */
/*
 * walk - a child that opens or closes a line and is taken to any instruction of
 * that, where it stands while others do something, and then goes on by one
 * instruction at a time, or is killed (see crash/trace.h).
 */
#ifndef WICKET_WALK_H
#define WICKET_WALK_H

#include "crash/trace.h"
#include "ground.h"

struct walk {
	const char *name;
	bool closes; /* else it opens */
	bool first;  /* the child is process 1 of a namespace of its own */
	/* what else the child does, before and after; null: nothing */
	bool (*prepare)(void);
	bool (*proceed)(struct wicket *line);
	struct trace trace;
};

/* Finds the way that it goes if it is alone. */
void walk_record(struct walk *w);

/* A new line of one slot, and a child at point p of its way. */
pid_t walk_to(struct walk *w, int32_t p);

/* One instruction on; false: it has come to an end. */
bool walk_on(pid_t pid);

/* On past its next system call. */
bool walk_past_call(pid_t pid);

/* Has it mapped the line? */
bool walk_sees_line(pid_t pid);

/* Is the next instruction a system call? */
bool walk_is_at_call(pid_t pid);

/* Lets it go; false: it does not come to a good end. */
bool walk_out(pid_t pid);

/* What others can see of it is what it does in one step (an instruction with a
   lock prefix) and what it asks of the kernel.  Does it do such a thing at one
   of so many points after p, or before? */
bool walk_is_near(const struct walk *w, int32_t p, int32_t before,
		  int32_t after);

#endif
