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
	void (*set_up)(void); /* what is done to the new line; null: nothing */
	/* what else the child does, before and after; null: nothing */
	bool (*prepare)(void);
	bool (*proceed)(struct wicket *line);
	int32_t before; /* so many points before each that matters do, too */
	struct trace trace;
};

/* Finds the way that it goes if it is alone. */
void walk_record(struct walk *w);

/* A new line of one slot, and a child at point p of its way. */
pid_t walk_to(struct walk *w, int32_t p);

/* One instruction on; false: it has opened or closed the line. */
bool walk_on(pid_t pid);

/* On past its next system call. */
bool walk_past_call(pid_t pid);

/* Has it mapped the line? */
bool walk_sees_line(pid_t pid);

/* Is the next instruction a system call? */
bool walk_is_at_call(pid_t pid);

/* Lets it go; false: it does not get to the end of opening or closing. */
bool walk_out(pid_t pid);

/* At point p, does it something that others can see: in one step (a lock
   prefix), or by asking the kernel? */
bool walk_acts(const struct walk *w, int32_t p);

/* Is it good at each of these points, and at about so many others (all, if
   there are no more)?  Says so. */
void walk_everywhere(struct walk *w, int32_t others,
		     bool (*is_good)(struct walk *w, int32_t p));

#endif
