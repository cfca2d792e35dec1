/* SPDX-License-Identifier: MIT */
/*
 * peer - the contestants: our line and bare word, and what else there is.
 *
 * They lie in memory, files and kernel objects of the process that calls
 * peers_create; forked ones join.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	LINE,
	BITMAP, /* the candidate for its layout: see bitmap.h */
	WORD,
	SEM_T,
	SYSTEM_V, /* SEM_UNDO */
	MUTEX,	  /* robust, only where k = 1 */
	FLOOR,	  /* the least that is in order: see peer.c */
	SWAPS,	  /* two changes of W, where n = 1 */
	PEERS,
};

/* Sections one after the other until told to stop. */
struct task {
	const _Atomic uint64_t *stop;
	uint32_t work;	 /* iterations in a section */
	uint32_t *waits; /* a histogram, or null */
};

struct peer {
	const char *name;
	void (*join)(void); /* null: nothing to do */
	void (*quit)(void);
	uint64_t (*enter)(void); /* what leave wants to have */
	void (*leave)(uint64_t ticket);
	uint64_t (*run)(const struct task *task); /* how many sections */
};

extern const struct peer peers[PEERS];

/* All of them, with k slots. */
void peers_create(uint32_t k);
/* May be called by a signal handler, and twice. */
void peers_destroy(void);

/* CLOCK_MONOTONIC, nanoseconds. */
uint64_t now(void);

/* Busy-work that does not look at a clock. */
void work(uint32_t iterations);

/* Buckets of less than 1 % of what is in them, to 2^36 ns. */
enum { WAIT_BUCKETS = 4096 };
uint64_t wait_of_bucket(uint32_t bucket);

/* Says what went wrong, and why if error is not 0; ends this process. */
void fail(const char *what, int error) __attribute__((noreturn));

#endif
