/* SPDX-License-Identifier: MIT */
/*
 * The main thread sleeps in the library until its turn.  Meanwhile a second thread
 * inspects the line and reports the position.  It exists only if there is somebody
 * to read the report.
 */
#include "tool/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tool/text.h"
#include "tool/tool.h"

enum {
	MILLISECOND = 1000000,
	SECOND = 1000 * MILLISECOND,
	PATIENT_FOR = SECOND, /* on a terminal, before the first report */
	REDRAW = 200 * MILLISECOND,
	REPEAT = SECOND, /* between lines that stay */
	STACK = 256 * 1024,
};

struct progress {
	const char *name;
	bool verbose;
	struct timespec began;

	pthread_mutex_t lock;
	pthread_cond_t ends;
	bool ended;

	/* the thread's own */
	struct wicket *line;
	struct wicket_entry *entries;
	size_t room;
	uint32_t told; /* the position last told */
	bool drawn;
};

static struct timespec later(struct timespec t, long nanoseconds)
{
	t.tv_nsec += nanoseconds;
	t.tv_sec += t.tv_nsec / SECOND;
	t.tv_nsec %= SECOND;
	return t;
}

static struct timespec now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static double seconds_since(struct timespec began)
{
	struct timespec t = now();

	return (double)(t.tv_sec - began.tv_sec) +
	       (double)(t.tv_nsec - began.tv_nsec) / SECOND;
}

/* --- where it is told -------------------------------------------------------------- */

/* Only one of several waiters on a terminal draws: the one that has this lock. */
static bool lock_terminal(short type)
{
	struct flock lock = { .l_type = type, .l_len = 1 };

	return !fcntl(STDERR_FILENO, F_SETLK, &lock);
}

static bool is_terminal(void)
{
	const char *kind = getenv("TERM");

	return (!kind || strcmp(kind, "dumb") != 0) && isatty(STDERR_FILENO);
}

/* We redraw one row, and only if the terminal is ours: in the foreground. */
static bool can_draw(void)
{
	return is_terminal() && tcgetpgrp(STDERR_FILENO) == getpgrp() &&
	       lock_terminal(F_WRLCK);
}

static void draw(struct progress *p, const char *text)
{
	struct winsize size;
	int width = INT_MAX;

	/* a row that wraps cannot be drawn over */
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		width = size.ws_col - 1;
	fprintf(stderr, "\r%.*s\033[K", width, text);
	p->drawn = true;
}

static void erase(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
	lock_terminal(F_UNLCK);
}

/* --- what is told -------------------------------------------------------------------- */

/* From 1; 0: it does not wait.  Waiters that gave up do not count. */
static uint32_t find_position(struct progress *p, struct wicket_view *view)
{
	int count = wicket_inspect(p->line, view, p->entries, p->room);
	uint32_t position = 0;

	for (int i = 0; i < count && i < (int)p->room; i++) {
		const struct wicket_entry *e = &p->entries[i];

		if (e->flags & (WICKET_HOLDS | WICKET_LEFT))
			continue;
		position++;
		if (e->pid == getpid() && !(e->flags & WICKET_FOREIGN))
			return position;
	}
	return 0;
}

/* Returns the time until the next report. */
static long tell(struct progress *p)
{
	struct wicket_view view;
	uint32_t position = find_position(p, &view);
	bool draws = can_draw();
	char text[128];

	if (!position) /* it is about to take its ticket, or has its turn */
		return REDRAW / 10;
	snprintf(text, sizeof(text),
		 "wicket: %u%s in line, %u slot%s, waiting %.1f s", position,
		 text_ordinal(position), view.slots, view.slots == 1 ? "" : "s",
		 seconds_since(p->began));
	if (draws)
		draw(p, text);
	else if (p->verbose && position != p->told)
		fprintf(stderr, "%s\n", text);
	p->told = position;
	return draws ? REDRAW : REPEAT;
}

/* --- the thread ----------------------------------------------------------------------- */

static bool ends_before(struct progress *p, struct timespec until)
{
	int error = 0;
	bool ended;

	pthread_mutex_lock(&p->lock);
	while (!p->ended && !error)
		error = pthread_cond_timedwait(&p->ends, &p->lock, &until);
	ended = p->ended;
	pthread_mutex_unlock(&p->lock);
	return ended;
}

static bool open_view(struct progress *p)
{
	const struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket_view view;

	if (wicket_open(&p->line, p->name, &options) < 0)
		return false;
	if (wicket_inspect(p->line, &view, NULL, 0) >= 0)
		p->entries = calloc(view.seats, sizeof(*p->entries));
	if (p->entries)
		p->room = view.seats;
	return p->entries;
}

static void *show_progress(void *arg)
{
	struct progress *p = arg;

	if (ends_before(p, later(p->began, p->verbose ? 0 : PATIENT_FOR)))
		return NULL;
	if (open_view(p)) {
		while (!ends_before(p, later(now(), tell(p))))
			;
		erase(p);
	}
	if (p->line)
		wicket_close(p->line);
	free(p->entries);
	return NULL;
}

static void init_progress(struct progress *p)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->ends, &attr);
	pthread_mutex_init(&p->lock, NULL);
}

/* It takes no signals: they are for the main thread. */
static bool start_progress(struct progress *p, pthread_t *thread)
{
	pthread_attr_t attr;
	sigset_t all;
	int error;

	init_progress(p);
	sigfillset(&all);
	sigdelset(&all, SIGBUS); /* handled in each thread: see damage.h */
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setsigmask_np(&attr, &all);
	error = pthread_create(thread, &attr, show_progress, p);
	pthread_attr_destroy(&attr);
	return !error;
}

static void end_progress(struct progress *p, pthread_t thread)
{
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_signal(&p->ends);
	pthread_mutex_unlock(&p->lock);
	pthread_join(thread, NULL);
}

/* --- the turn ------------------------------------------------------------------------------ */

static int acquire(struct wicket *line, const struct patience *patience,
		   struct wicket_grant *grant)
{
	if (patience->has_deadline)
		return wicket_acquire_until(line, &patience->deadline, grant);
	return wicket_acquire(line, grant);
}

static int acquire_aloud(struct wicket *line, const struct patience *patience,
			 struct wicket_grant *grant, struct progress *p)
{
	pthread_t thread;
	bool started;
	int error = wicket_try(line, grant);

	if (error != -EAGAIN)
		return error;
	started = start_progress(p, &thread);
	error = acquire(line, patience, grant);
	if (started)
		end_progress(p, thread);
	return error;
}

static void say_end(const struct progress *p, int error,
		    const struct wicket_grant *grant)
{
	if (!error)
		say("slot %u, ticket %u:%u, after %.1f s%s", grant->slot,
		    grant->value, grant->colour, seconds_since(p->began),
		    grant->flags & WICKET_DIED ? "; its last holder died" : "");
	else if (error == -EAGAIN)
		say("%s: no slot is free", p->name);
	else if (error == -ETIMEDOUT)
		say("%s: no slot was free within %.1f s", p->name,
		    seconds_since(p->began));
}

int wait_for_turn(struct wicket *line, const char *name,
		  const struct patience *patience, struct wicket_grant *grant)
{
	struct progress p = { .name = name, .verbose = patience->verbose };
	int error;

	if (!patience->verbose && !is_terminal())
		return patience->never_waits ? wicket_try(line, grant) :
					       acquire(line, patience, grant);
	p.began = now();
	error = patience->never_waits ?
			wicket_try(line, grant) :
			acquire_aloud(line, patience, grant, &p);
	if (p.verbose)
		say_end(&p, error, grant);
	return error;
}
