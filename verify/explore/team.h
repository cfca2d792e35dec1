/* SPDX-License-Identifier: MIT */
/*
 * team - threads that share a piece of work.
 *
 * A piece is a number of items, each done by one of the threads.  What the items
 * write must not overlap; all that was written before team_run is seen by the items,
 * and all that they wrote is seen behind it.
 *
 * Each thread begins with a share of its own, the same one whenever there are as
 * many items: what it wrote in one piece is near to it in the next.  Who is done
 * helps the others, whose last items come first.
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
	uint32_t ready;	  /* ... and have found their share */
	pthread_t other[TEAM_MAX - 1];
	uint32_t looks; /* before one sleeps: see wait_for */
	pthread_mutex_t lock;
	pthread_cond_t begun, ended;
	void (*work)(void *context, uint32_t item);
	void *context;
	struct share {
		uint32_t next, end;
	} share[TEAM_MAX]; /* items of this piece that nobody has taken up */
	uint32_t left;	   /* how many those are */
	uint32_t busy;	   /* threads that have an item */
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
