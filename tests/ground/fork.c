/* SPDX-License-Identifier: MIT */
/*
 * fork [POINTS] - a thread is in the middle of wicket_open when another
 * one of its process forks; the child gets what there is at that moment, and
 * lives on.  The thread goes on, enters, and is killed: its slot comes back,
 * although the child is there.  So before everything that others can see, and
 * at about POINTS instructions more.
 */
#include "walk.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static struct cue *cue;

/* --- the process that forks ----------------------------------------------- */

/* Once it is told to. */
static void *fork_once(void *arg)
{
	while (!cue->go)
		nap(100000);
	cue->other = fork_survivor();
	return arg;
}

static bool start_thread(void)
{
	pthread_t thread;

	return !pthread_create(&thread, 0, fork_once, 0);
}

static bool enter_for_good(struct wicket *line)
{
	if (wicket_acquire(line, 0))
		return false;
	cue->inside = 1;
	for (;;)
		pause();
}

/* --- the test ------------------------------------------------------------- */

static bool has_forked(void *arg)
{
	(void)arg;
	return cue->other;
}

static bool try_point(struct walk *w, int32_t p)
{
	pid_t opener, waiter;
	bool good;

	cue = new_cue();
	opener = walk_to(w, p);
	cue->go = 1;
	if (!eventually(has_forked, 0) || cue->other < 0 || !walk_out(opener))
		bail_out("point %d: it cannot fork, or open", p);
	await_inside(cue);
	waiter = start_waiter();
	end(opener);
	good = ends_well(waiter);
	if (!good)
		note("forked at point %d of %d", p, w->trace.end);
	end(cue->other);
	return good;
}

int main(int argc, char **argv)
{
	static struct walk opening = { .name = "opening",
				       .prepare = start_thread,
				       .proceed = enter_for_good };
	int32_t others = argc > 1 ? atoi(argv[1]) : 100;

	if (!trace_works())
		return skip_all("no ptrace here");
	adopt();
	cue = new_cue();
	walk_everywhere(&opening, others, try_point);
	return finish();
}
