/* SPDX-License-Identifier: MIT */
#include "tool/demo-eye.h"

#include <pthread.h>
#include <time.h>

#include "tool/etcd.h"

enum {
	ROOM = 64,
	PAUSE = 10 * 1000000, /* nanoseconds */
};

/* The lock is for all that follows it. */
static struct {
	const char *store, *name;
	pthread_t thread;
	bool is_open;
	pthread_mutex_t lock;
	bool is_over;
	struct snapshot newest;
	uint64_t asked; /* for the newest; 0: it was taken */
	uint64_t answered;
} eye = { .lock = PTHREAD_MUTEX_INITIALIZER };

uint64_t eye_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void keep(const struct wicket_etcd_view *view,
		 const struct wicket_etcd_entry *entries, size_t count,
		 uint64_t asked)
{
	pthread_mutex_lock(&eye.lock);
	snapshot_free(&eye.newest);
	etcd_copy(&eye.newest, view, entries, count);
	eye.asked = asked;
	eye.answered = eye_clock();
	pthread_mutex_unlock(&eye.lock);
}

static void look(struct wicket_etcd *line)
{
	static struct wicket_etcd_entry entries[ROOM];
	struct wicket_etcd_view view;
	uint64_t asked = eye_clock();
	int count = wicket_etcd_inspect(line, &view, entries, ROOM);

	if (count >= 0)
		keep(&view, entries, count < ROOM ? (size_t)count : ROOM,
		     asked);
}

static bool goes_on(void)
{
	bool answer;

	pthread_mutex_lock(&eye.lock);
	answer = !eye.is_over;
	pthread_mutex_unlock(&eye.lock);
	return answer;
}

/* A handle belongs to the thread that opened it. */
static void *watch(void *arg)
{
	const struct wicket_etcd_options options = { .store = eye.store,
						     .flags = WICKET_VIEW };
	const struct timespec pause = { .tv_nsec = PAUSE };
	struct wicket_etcd *line = NULL;

	while (goes_on()) {
		if (!line && wicket_etcd_open(&line, eye.name, &options))
			line = NULL;
		if (line)
			look(line);
		nanosleep(&pause, NULL);
	}
	if (line)
		wicket_etcd_close(line);
	return arg;
}

int eye_open(const char *store, const char *name)
{
	int error;

	eye.store = store;
	eye.name = name;
	error = pthread_create(&eye.thread, NULL, watch, NULL);
	eye.is_open = !error;
	return -error;
}

uint64_t eye_take(struct snapshot *s)
{
	uint64_t asked;

	pthread_mutex_lock(&eye.lock);
	asked = eye.asked;
	if (asked) {
		snapshot_free(s);
		*s = eye.newest;
		eye.newest = (struct snapshot){ 0 };
		eye.asked = 0;
	}
	pthread_mutex_unlock(&eye.lock);
	return asked;
}

uint64_t eye_answered(void)
{
	uint64_t answered;

	pthread_mutex_lock(&eye.lock);
	answered = eye.answered;
	pthread_mutex_unlock(&eye.lock);
	return answered;
}

void eye_close(void)
{
	if (!eye.is_open)
		return;
	pthread_mutex_lock(&eye.lock);
	eye.is_over = true;
	pthread_mutex_unlock(&eye.lock);
	pthread_join(eye.thread, NULL);
	eye.is_open = false;
	snapshot_free(&eye.newest);
}
