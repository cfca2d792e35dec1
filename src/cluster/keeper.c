/* SPDX-License-Identifier: MIT */
#include "cluster/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
	SECOND = 1000000000,
	OFTEN = 3,   /* keepalives in the time of a lease */
	HASTE = 10,  /* if one was not answered */
	MARGIN = 10, /* this part of the lease's time, for stopping what runs */
};

int64_t keeper_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

struct timespec keeper_time(int64_t ns)
{
	return (struct timespec){ ns / SECOND, ns % SECOND };
}

static int64_t deadline_of(const struct keeper *k, int64_t sent)
{
	return sent + k->seconds * SECOND / MARGIN * (MARGIN - 1);
}

/* Waits so long; true: it is to stop. */
static bool rest(const struct keeper *k, int64_t ns)
{
	struct pollfd fd = { .fd = k->stop_fd, .events = POLLIN };

	return poll(&fd, 1, (int)(ns / 1000000)) > 0;
}

/* The time until the next one. */
static int64_t keep_alive(struct keeper *k)
{
	int64_t sent = keeper_now(), left;
	struct timespec end = keeper_time(sent + k->seconds * SECOND / OFTEN);
	int error = store_keep_alive(k->store, k->lease, &end, &left);

	if (error == -ENOENT)
		k->deadline = 0;
	else if (!error && deadline_of(k, sent) > k->deadline)
		k->deadline = deadline_of(k, sent);
	return k->seconds * SECOND / (error ? HASTE : OFTEN);
}

static void *keep(void *context)
{
	struct keeper *k = context;
	int64_t pause = k->seconds * SECOND / OFTEN;

	while (!rest(k, pause) && k->deadline)
		pause = keep_alive(k);
	return NULL;
}

/* Signals are for the caller's threads. */
static int start_thread(struct keeper *k)
{
	sigset_t all, old;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&k->thread, NULL, keep, k);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -error;
}

static void end_lease(struct keeper *k)
{
	struct timespec end = keeper_time(keeper_now() + SECOND);

	store_revoke(k->store, k->lease, &end);
}

int keeper_start(struct keeper *k, struct store *store, int64_t seconds)
{
	int64_t sent = keeper_now();
	struct timespec end = keeper_time(sent + seconds * SECOND);
	int error;

	k->store = store;
	error = store_grant(store, seconds, &end, &k->lease, &k->seconds);
	if (error)
		return error;
	k->deadline = deadline_of(k, sent);
	k->stop_fd = eventfd(0, EFD_CLOEXEC);
	error = k->stop_fd < 0 ? -errno : start_thread(k);
	if (error) {
		end_lease(k);
		if (k->stop_fd >= 0)
			close(k->stop_fd);
	}
	return error;
}

void keeper_stop(struct keeper *k)
{
	const uint64_t one = 1;

	if (write(k->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(k->thread, NULL);
	end_lease(k);
	close(k->stop_fd);
	store_close(k->store);
}
