/* SPDX-License-Identifier: MIT */
/*
 * ground - what the tests of life and death share: processes that have the same
 * number, or another boot id; one who holds, one who waits; and system calls
 * that are refused.
 */
#ifndef WICKET_GROUND_H
#define WICKET_GROUND_H

#include "stress/stress.h"

#include <stdatomic.h>

/* Of the whole test; returns the exit status. */
int skip_all(const char *why);

/* --- namespaces ----------------------------------------------------------- */

/* May we have pid namespaces? */
bool can_spawn_first(void);

/* As spawn, if we may; the child is process 1, thread 1, of a namespace of its
   own.  It has the same number as every other one of these. */
pid_t spawn_first(int (*body)(void *), void *arg);

/* --- forks ---------------------------------------------------------------- */

/* From now on who loses its parent is ours. */
void adopt(void);

/* For a child: has it lost its parent? */
bool is_adopted(void);

/* For a child: forks one that does nothing, and lives on whoever dies, as long
   as there is a test. */
pid_t fork_survivor(void);

/* --- another boot --------------------------------------------------------- */

/* From now on the boot id is another, for this process and its children; 0 or
   -errno. */
int boot(void);
bool can_boot(void);

/* As spawn; the child has another boot id. */
pid_t spawn_elsewhere(int (*body)(void *), void *arg);

/* --- one who holds, one who waits ----------------------------------------- */

/* Between a child and us. */
struct cue {
	_Atomic int32_t inside, go, other;
};

/* Ours; what it said before is forgotten. */
struct cue *new_cue(void);

/* Does it say, within our patience, that it is inside?  If it must, the test
   ends if it does not. */
bool gets_inside(struct cue *cue);
void await_inside(struct cue *cue);

/* For a child: says that it is inside, and stays there until told to go. */
void stay(struct cue *cue);

/* Bodies.  hold enters, stays and leaves (arg is a cue); queue waits within our
   patience, enters and leaves; is_refused finds the slots taken. */
int hold(void *arg);
int queue(void *arg);
int is_refused(void *arg);

/* One that holds a slot already; one that stands in line, all slots being
   taken. */
pid_t start_holder(struct cue *cue);
pid_t start_waiter(void);

/* --- system calls --------------------------------------------------------- */

enum { ANY = -1 };

/* From now on a system call, if its second argument is this one, fails with
   that error, for good; 0 or -errno. */
int refuse(long call, int second, int error);

/* Of such a filter. */
bool can_refuse(void);

#endif
