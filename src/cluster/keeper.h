/* SPDX-License-Identifier: MIT */
/*
 * keeper - a lease, and the thread that keeps it alive.
 *
 * Whoever has the lease must be out by the deadline: the lease's time, counted from the
 * sending of the last keepalive that was acknowledged, less a margin.
 */
#ifndef WICKET_CLUSTER_KEEPER_H
#define WICKET_CLUSTER_KEEPER_H

#include <pthread.h>

#include "cluster/store.h"

struct keeper {
	struct store *store;
	int64_t lease, seconds;
	_Atomic int64_t
		deadline; /* ns of CLOCK_BOOTTIME; 0: the lease has ended */
	int stop_fd;
	pthread_t thread;
};

int64_t keeper_now(void); /* ns of CLOCK_BOOTTIME */
struct timespec keeper_time(int64_t ns);

/* On a store of its own, which is closed at the end. */
int keeper_start(struct keeper *k, struct store *store, int64_t seconds);
/* Ends the lease. */
void keeper_stop(struct keeper *k);

#endif
