/* SPDX-License-Identifier: MIT */
/*
 * team - threads that share a piece of work.
 *
 * A piece is a number of items, which are taken up in order, each by one of the
 * threads.  What the items write must not overlap; all that was written before
 * team_run is seen by the items, and all that they wrote is seen behind it.
 */
#ifndef VERIFY_TEAM_H
#define VERIFY_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEAM_MAX = 64 };

struct team {
	uint32_t threads; /* that there should be, the caller among them */
	uint32_t others;  /* that were started */
	pthread_t other[TEAM_MAX - 1];
	pthread_mutex_t lock;
	pthread_cond_t begun, ended;
	void (*work)(void *context, uint32_t item);
	void *context;
	uint32_t items, next; /* of this piece */
	uint32_t busy;	      /* threads that have an item */
	bool over;
};

/* 0 threads: as many as there are processors.  They are started when they are first
   needed; if no more can be started, those that there are do all the work. */
void team_start(struct team *t, uint32_t threads);
void team_end(struct team *t);

/* Does work(context, i) for every i below items. */
void team_run(struct team *t, void (*work)(void *context, uint32_t item),
	      void *context, uint32_t items);

#endif
