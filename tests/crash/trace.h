/* SPDX-License-Identifier: MIT */
/*
 * trace - takes a child to every instruction of an operation in turn.
 *
 * The child calls trace_me, prepares itself, and puts TRACE_MARK before and
 * after the operation.  One child is stepped from mark to mark and its way
 * recorded; the next ones, forked alike, run freely to the last instruction
 * before the point that occurs for the first time (a hardware breakpoint), and
 * are stepped from there.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define TRACE_MARK() __asm__ volatile("int3" ::: "memory")

/* On its way something happens: before its nth instruction of a kind, or while
   it sleeps in it. */
enum trace_kind {
	TRACE_NONE,
	TRACE_LOCKED, /* an instruction with a lock prefix */
	TRACE_CLOCK,  /* a call of clock_gettime */
	TRACE_SLEEP,  /* a futex */
};

struct trace_event {
	enum trace_kind kind;
	uint32_t nth;
};

enum { TRACE_MAX = 20000 };

struct trace {
	uint64_t at[TRACE_MAX];	 /* point p is before the instruction at[p] */
	int32_t last[TRACE_MAX]; /* the point at the same instruction before */
	bool leaves[TRACE_MAX];	 /* killed here it leaves something else than
				    one instruction before */
	int32_t end;		 /* the last point: the operation is over */
	int32_t lock_at;	 /* the first TRACE_LOCKED */
	struct trace_event event;
	int32_t event_at;     /* a point; TRACE_MAX: it does not happen */
	bool (*happen)(void); /* what happens then; false: it went wrong */
};

enum trace_way {
	TRACE_THERE,
	TRACE_ASTRAY, /* another way than recorded: stopped elsewhere */
	TRACE_LOST,   /* it hangs, or crashed */
};

bool trace_works(void);

void trace_me(void);

/* Waits until it stands at the first mark. */
enum trace_way trace_start(pid_t pid);

/* The way from a point on: from 0, or from behind the event.  The child has
   then passed the last mark. */
enum trace_way trace_record(pid_t pid, struct trace *t, int32_t from);

/* How many points there are: up to the end, and asleep. */
int32_t trace_points(const struct trace *t);

/* To point p, or asleep. */
enum trace_way trace_go(pid_t pid, const struct trace *t, int32_t p);

/* Past the first event. */
enum trace_way trace_past(pid_t pid, struct trace_event event);

void trace_let_go(pid_t pid);

#endif
