/* SPDX-License-Identifier: MIT */
/*
 * chain - a thread uses two lines; the file of one is truncated, so that
 * whoever touches its memory fails, the kernel too when it goes through what
 * the dead thread had; the thread is killed: its slot of the other line comes
 * back.
 */
#include "ground.h"

#include <stdio.h>
#include <unistd.h>

static char second_path[300];

/* A line that is to be spoilt: its name goes before anything else happens. */
static struct wicket *open_second(void)
{
	struct wicket_options options = { .slots = 1, .flags = WICKET_CREATE };
	struct wicket *line;

	if (wicket_open(&line, second_path, &options))
		bail_out("no second line");
	return line;
}

static int second_last(void *arg)
{
	wicket_acquire(open_line(0), 0);
	open_second();
	stay(arg);
	return 1;
}

static int second_first(void *arg)
{
	open_second();
	wicket_acquire(open_line(0), 0);
	stay(arg);
	return 1;
}

static int second_held(void *arg)
{
	wicket_acquire(open_line(0), 0);
	wicket_acquire(open_second(), 0);
	stay(arg);
	return 1;
}

static void spoil_second(bool truncated)
{
	if (truncated && truncate(second_path, 0))
		bail_out("cannot truncate");
	unlink(second_path);
}

static void try_order(const char *name, int (*body)(void *), bool truncated)
{
	struct cue *cue = new_cue();
	pid_t user, waiter;

	new_line(1, 0);
	user = spawn(body, cue);
	await_inside(cue);
	waiter = start_waiter();
	spoil_second(truncated);
	end(user);
	ok(ends_well(waiter) && all_are_back(1), "%s, %s: the slot comes back",
	   name, truncated ? "truncated" : "whole");
}

int main(void)
{
	snprintf(second_path, sizeof(second_path), "%s2", line_path());
	for (int truncated = 0; truncated < 2; truncated++) {
		try_order("a line opened later", second_last, truncated);
		try_order("a line opened earlier", second_first, truncated);
		try_order("a line held as well", second_held, truncated);
	}
	return finish();
}
