/* SPDX-License-Identifier: MIT */
/* sleep - futexes and the clock; a traced build brings its own. */
#ifndef WICKET_SLEEP_H
#define WICKET_SLEEP_H

#include "line/access.h"
#include "line/relax.h"

/* CLOCK_MONOTONIC, nanoseconds. */
uint64_t sleep_now(void);

#define NEVER UINT64_MAX

/* Sleeps on a word while its lower half is what was seen, until woken for one of
   these bits, or until a time.  May return for no reason. */
void sleep_on(void *word, uint32_t seen, uint32_t bits, uint64_t until);

/* Wakes so many of those who sleep on it for one of these bits. */
void sleep_wake_on(void *word, uint32_t count, uint32_t bits);

enum { WATCH_MAX = 64, ORPHANS_MAX = 8 };

/* What a sleeper watches of those ahead of it: the bells of some, and commands
   without a holder, whose end nobody tells. */
struct watch {
	uint32_t count, orphans;
	uint32_t seat[WATCH_MAX];
	struct {
		uint32_t seat;
		uint64_t state;
	} orphan[ORPHANS_MAX];
	uint64_t peek; /* how often to look whether the commands still run */
};

/*
 * Sleeps on the own FUT while it is armed, until woken, until one of those
 * watched dies, until a command ends, or until a time.  May return for no reason.
 */
void sleep_wait(struct wicket *h, const struct watch *watch, uint64_t until);

/* Does the kernel tell at once? */
bool sleep_can_watch(void);

/* Wakes the owner of a seat. */
void sleep_wake(struct wicket *h, uint32_t i);

/* The same two, as steps of the model. */
static inline void fall_asleep(enum pc at, struct wicket *h,
			       const struct watch *watch, uint64_t until)
{
	BEFORE();
	sleep_wait(h, watch, until);
	ORDERED_BY(BY_KERNEL);
	AFTER(at, SLEEP, h->me, line_armed(h->state), 0, 0, 0, 0);
}

static inline void wake(enum pc at, struct wicket *h, uint32_t i)
{
	BEFORE();
	sleep_wake(h, i);
	ORDERED_BY(BY_KERNEL);
	AFTER(at, WAKE_UP, i, 0, 0, 0, 0, 0);
}

#endif
