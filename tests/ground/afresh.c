/* SPDX-License-Identifier: MIT */
/*
 * afresh [POINTS] - a process opens a line that nobody uses, and another one
 * comes in the middle of that; one of them has another boot id, so that it
 * starts the line afresh if it thinks that it may.  Whatever it thinks, both
 * get in, and never at the same time.  So before everything that others can see
 * of the first, and at about POINTS instructions more.
 */
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { A_BIT = 20000000 };

static struct cue *cue;

/* cue->other is how many are inside. */
static bool enter(void)
{
	if (atomic_fetch_add(&cue->other, 1) == 0)
		return true;
	note("two in one slot");
	return false;
}

static bool leave(struct wicket *line)
{
	atomic_fetch_sub(&cue->other, 1);
	return !wicket_release(line) && !wicket_close(line);
}

static bool acquire(struct wicket *line)
{
	struct timespec deadline = limit();
	int error = wicket_acquire_until(line, &deadline, 0);

	if (error)
		note("waited in vain: %s", strerror(-error));
	return !error;
}

/* The first, when it is let go on: the other may be inside. */
static bool proceed(struct wicket *line)
{
	bool good = wicket_try(line, 0) == 0;

	cue->go = 1;
	good = (good || acquire(line)) && enter();
	return leave(line) && good;
}

/* The other: who starts a line afresh, and is stopped, keeps it out. */
static int visit(void *arg)
{
	struct wicket *line;
	bool good;
	int error;

	(void)arg;
	do
		error = wicket_open(&line, line_path(), 0);
	while (error == -EBUSY);
	if (error || !acquire(line))
		return 1;
	good = enter();
	stay(cue);
	return !(leave(line) && good);
}

/* Either it is inside soon, or it has to wait for the first. */
static void give_it_time(void)
{
	uint64_t end_of_time = now() + A_BIT;

	while (!cue->inside && now() < end_of_time)
		nap(100000);
}

static bool try_point(struct walk *w, int32_t p)
{
	pid_t first, second;
	bool good;

	cue = new_cue();
	first = walk_to(w, p);
	second = (w->prepare ? spawn : spawn_elsewhere)(visit, 0);
	give_it_time();
	good = walk_out(first);
	if (!good)
		end(first);
	good = good && ends_well(first);
	cue->go = 1;
	good &= ends_well(second);
	if (!good)
		note("%s: met at point %d of %d", w->name, p, w->trace.end);
	return good && all_are_back(1);
}

static bool boots(void)
{
	return boot() == 0;
}

int main(int argc, char **argv)
{
	static struct walk home = { .name = "the first is at home",
				    .proceed = proceed };
	static struct walk elsewhere = { .name = "the first is elsewhere",
					 .proceed = proceed,
					 .prepare = boots };
	int32_t others = argc > 1 ? atoi(argv[1]) : 60;

	line_path();
	if (!trace_works())
		return skip_all("no ptrace here");
	if (!can_boot())
		return skip_all("boot ids cannot be changed here");
	cue = new_cue();
	walk_everywhere(&home, others, try_point);
	walk_everywhere(&elsewhere, others, try_point);
	return finish();
}
