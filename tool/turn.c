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
	REPEAT = SECOND,	     /* between lines that stay */
	AT_ONCE = 100 * MILLISECOND, /* a turn that is reported by its end */
	STACK = 1024 * 1024,	     /* enough for TLS */
};

struct progress {
	const struct line *line;
	bool verbose;
	struct timespec began; /* as in struct patience */

	pthread_mutex_t lock;
	pthread_cond_t ends;
	bool ended;

	/* the thread's own */
	void *view;
	int told; /* the position last told */
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

/* Returns the time until the next report. */
static long tell(struct progress *p)
{
	uint32_t slots;
	int position = p->line->kind->find_position(p->view, &slots);
	bool draws = can_draw();
	char text[128];

	if (position < 0) {
		erase(p);
		p->line->kind->complain(p->view, position);
		return REPEAT;
	}
	if (!position) /* it is about to take its ticket, or has its turn */
		return REDRAW / 10;
	snprintf(text, sizeof(text),
		 "wicket: %d%s in line, %u slot%s, waiting %.1f s", position,
		 text_ordinal((uint32_t)position), slots, slots == 1 ? "" : "s",
		 seconds_since(p->began));
	if (draws)
		draw(p, text);
	else if (p->verbose && position != p->told)
		fprintf(stderr, "%s\n", text);
	p->told = position;
	return draws ? REDRAW : REPEAT;
}

/* If it was tried first, it is known that it has to wait. */
static long before_first(const struct progress *p)
{
	if (!p->verbose)
		return PATIENT_FOR;
	return p->line->kind->tries_first ? 0 : AT_ONCE;
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

static void *show_progress(void *arg)
{
	struct progress *p = arg;

	if (ends_before(p, later(now(), before_first(p))))
		return NULL;
	p->view = p->line->kind->open_view(p->line);
	if (p->view) {
		while (!ends_before(p, later(now(), tell(p))))
			;
		erase(p);
		p->line->kind->close_view(p->view);
	}
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

static int acquire(struct line *line, const struct patience *patience,
		   struct grant *grant)
{
	return line->kind->acquire(
		line, patience->has_deadline ? &patience->deadline : NULL,
		grant);
}

static int acquire_aloud(struct line *line, const struct patience *patience,
			 struct grant *grant, struct progress *p)
{
	pthread_t thread;
	bool started;
	int error = line->kind->tries_first ? line->kind->attempt(line, grant) :
					      -EAGAIN;

	if (error != -EAGAIN)
		return error;
	started = start_progress(p, &thread);
	error = acquire(line, patience, grant);
	if (started)
		end_progress(p, thread);
	return error;
}

static void say_grant(const struct progress *p, const struct grant *grant)
{
	char slots[LINE_SLOTS_TEXT];

	line_write_slots(grant, slots);
	say("slot%s %s, ticket %u:%u, after %.1f s%s",
	    grant->units == 1 ? "" : "s", slots, grant->value, grant->colour,
	    seconds_since(p->began),
	    grant->flags & WICKET_DIED ? "; its last holder died" : "");
}

static void say_end(const struct progress *p, int error,
		    const struct grant *grant)
{
	if (!error)
		say_grant(p, grant);
	else if (error == -EAGAIN)
		say("%s: no slot is free", p->line->name);
	else if (error == -ETIMEDOUT)
		say("%s: no slot was free within %.1f s", p->line->name,
		    seconds_since(p->began));
}

int wait_for_turn(struct line *line, const struct patience *patience,
		  struct grant *grant)
{
	struct progress p = { .line = line,
			      .verbose = patience->verbose,
			      .began = patience->began };
	int error;

	if (!patience->verbose && !is_terminal())
		return patience->never_waits ?
			       line->kind->attempt(line, grant) :
			       acquire(line, patience, grant);
	error = patience->never_waits ?
			line->kind->attempt(line, grant) :
			acquire_aloud(line, patience, grant, &p);
	if (p.verbose)
		say_end(&p, error, grant);
	return error;
}
