/* SPDX-License-Identifier: MIT */
/*
 * lease - one lease for all processes of a host and a user, kept alive by any of them.
 *
 * They meet in a file (src/cluster/lease.c says what is in it).  Whoever has a part in
 * the lease must be out by the deadline: the lease's time, counted from the sending of
 * the last keepalive that was acknowledged to one of them, less a margin.  All have the
 * same clock.
 *
 * Who dies while others keep the lease is found by them: each has a lock in the file
 * that ends with it.  They bury it: its live key is deleted, as if its lease had ended,
 * and what it had is given back.
 *
 * Sharing only saves requests.  If there is no directory for the file, or whatever else is
 * the matter with it, a process has a lease of its own, by the same rules.
 */
#ifndef WICKET_CLUSTER_LEASE_H
#define WICKET_CLUSTER_LEASE_H

#include <pthread.h>

#include "cluster/book.h"
#include "cluster/store.h"

enum { LEASE_KEYS_MAX = BOOK_KEY_MAX / 2, LEASE_PROBLEM_MAX = 512 };

/* Of a dead participant: keys is what those of its line begin with.  By then it is to be
   back: a time of CLOCK_BOOTTIME, in ns.  0: it is done. */
typedef int lease_bury(struct store *store, const char *keys, const char *name,
		       int64_t until);

struct lease {
	struct store *store; /* its own: the thread's */
	lease_bury *bury;
	struct lease_file *file;
	int fd; /* of the file; -1: it is nobody else's */
	uint32_t place;
	uint64_t generation;
	int64_t id, seconds;
	char name[BOOK_ID_MAX];		 /* of the participant */
	char problem[LEASE_PROBLEM_MAX]; /* in words, if it could not join */
	int stop_fd;
	pid_t keeper; /* the process that has the thread; 0: none */
	pthread_t thread;
	struct lease *next; /* of this process */
};

int64_t lease_now(void); /* ns of CLOCK_BOOTTIME */
static inline int64_t lease_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
struct timespec lease_time(int64_t ns);

/* Takes part for a line whose keys begin with keys, and starts the thread.  The store is
   closed at the end, also after an error. */
int lease_join(struct lease *lease, struct store *store,
	       const struct store_options *where, int64_t seconds,
	       const char *keys, lease_bury *bury);

/* If gone, the live key is no longer there; else others find it dead. */
void lease_leave(struct lease *lease, bool gone);

/* In ns of CLOCK_BOOTTIME; 0: the lease has ended.  Also for a forked child. */
int64_t lease_deadline(const struct lease *lease);

/* The store says that there is no such lease. */
void lease_has_ended(struct lease *lease);

#endif
