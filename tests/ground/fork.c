/* SPDX-License-Identifier: MIT */
/*
 * fork [POINTS [SEED]] - a thread is in the middle of wicket_open when another
 * one of its process forks; the child gets what there is at that moment, and
 * lives on.  The thread goes on, enters, and is killed: its slot comes back,
 * although the child is there.  So before everything that others can see, and
 * at about POINTS instructions more.
 */
#include "walk.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BAD_MAX = 3 };

static struct cue *cue;
static pid_t test;

/* --- the process that forks ----------------------------------------------- */

static void outlive(pid_t parent)
{
	while (getppid() == parent || getppid() == test)
		nap(1000000);
	_exit(0);
}

/* Once it is told to. */
static void *fork_once(void *arg)
{
	pid_t me = getpid(), pid;

	while (!cue->go)
		nap(100000);
	pid = fork();
	if (pid == 0)
		outlive(me);
	cue->other = pid;
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

/* Past the mark at the end, and on. */
static bool let_enter(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_CONT, pid, 0, 0) || !stops(pid, &status))
		return false;
	trace_let_go(pid);
	await_inside(cue);
	return true;
}

static bool try_point(struct walk *w, int32_t p)
{
	pid_t opener, waiter;
	bool good;

	cue = new_cue();
	opener = walk_to(w, p);
	cue->go = 1;
	if (!eventually(has_forked, 0) || cue->other < 0 || !let_enter(opener))
		bail_out("point %d: it cannot fork, or enter", p);
	waiter = start_waiter();
	end(opener);
	good = ends_well(waiter);
	if (!good)
		note("forked at point %d of %d", p, w->trace.end);
	end(cue->other);
	return good;
}

static void fork_everywhere(struct walk *w, int32_t others)
{
	int32_t stride, points = 0, bad = 0;

	cue = new_cue();
	walk_record(w);
	stride = 1 + w->trace.end / others;
	for (int32_t p = 0; p <= w->trace.end && bad < BAD_MAX; p++) {
		if (p % stride && !walk_is_near(w, p, 0, 0))
			continue;
		points++;
		bad += !try_point(w, p);
	}
	ok(!bad, "%d points of %d", points, w->trace.end + 1);
}

int main(int argc, char **argv)
{
	static struct walk opening = { .name = "opening",
				       .prepare = start_thread,
				       .proceed = enter_for_good };
	int32_t others = argc > 1 ? atoi(argv[1]) : 100;

	if (!trace_works())
		return skip_all("no ptrace here");
	test = getpid();
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that who outlives is ours */
	fork_everywhere(&opening, others);
	return finish();
}
