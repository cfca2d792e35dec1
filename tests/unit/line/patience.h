/* SPDX-License-Identifier: MIT */
/* patience - waiting for what other threads and processes do: long, not for
   ever. */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <pthread.h>
#include <time.h>

#include "../unit.h"

enum { PATIENCE = 20 /* seconds */ };

static inline struct timespec patience_end(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += PATIENCE;
	return t;
}

static inline int is_past(struct timespec end)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec > end.tv_sec ||
	       (t.tv_sec == end.tv_sec && t.tv_nsec >= end.tv_nsec);
}

static inline void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

#define eventually(condition)                                                  \
	do {                                                                   \
		struct timespec end_ = patience_end(CLOCK_MONOTONIC);          \
		while (!(condition) && !is_past(end_))                         \
			nap();                                                 \
		assert_true(condition);                                        \
	} while (0)

static inline void join(pthread_t thread)
{
	struct timespec end = patience_end(CLOCK_REALTIME);

	assert_int_equal(pthread_timedjoin_np(thread, NULL, &end), 0);
}

#endif
