/* SPDX-License-Identifier: MIT */
/*
 * busy [--expect-stuck] - a death in a busy line is noticed, although all who wait came
 * when many were ahead, watch nobody yet, and are not told that they have become the
 * first in line: each looks for itself after its first sleep.
 *
 * The library that this is run with looks again an hour later, so that nothing but the
 * first look helps.  The control is one whose first look from far back is an hour later,
 * too: with --expect-stuck, the line must stand still.
 */
#include "stress.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>

enum {
	CROWD = 24,
	KILLS = 12,
	ROUND = 10 *
		CROWD,	  /* entries, after which all have come from the back */
	SECTION = 100000, /* ns: too long to stay awake for, and not long */
	STUCK = 5,	  /* seconds in which nobody enters */
};

static struct {
	_Atomic uint64_t entries;
	_Atomic uint32_t
		victim; /* 1 + who stays inside to be killed; 0: asked for */
} * scene;

enum { NOBODY_YET = 0, NOBODY = CROWD + 1 };

static pid_t crowd[CROWD];

static void stay(void)
{
	uint64_t end = now() + SECTION;

	while (now() < end)
		;
}

static int come_and_go(void *arg)
{
	struct wicket *line = open_line(0);
	uint32_t me = (uint32_t)(uintptr_t)arg;

	for (;;) {
		uint32_t asked = NOBODY_YET;

		if (wicket_acquire(line, 0))
			return 1;
		scene->entries++;
		stay();
		if (atomic_compare_exchange_strong(&scene->victim, &asked,
						   1 + me)) {
			for (;;)
				nap(1000000);
		}
		if (wicket_release(line))
			return 1;
	}
}

static bool goes_on(uint64_t seconds)
{
	uint64_t goal = scene->entries + ROUND, last = scene->entries;
	uint64_t end = now() + seconds * 1000000000;

	while (scene->entries < goal && now() < end) {
		nap(1000000);
		if (scene->entries != last) {
			last = scene->entries;
			end = now() + seconds * 1000000000;
		}
	}
	return scene->entries >= goal;
}

static bool has_victim(void *arg)
{
	(void)arg;
	return scene->victim != NOBODY_YET;
}

/* Asked for while the line moves: the others are in their first sleep. */
static void kill_holder(void)
{
	uint32_t victim;

	scene->victim = NOBODY_YET;
	if (!eventually(has_victim, 0))
		bail_out("nobody enters");
	victim = scene->victim - 1;
	scene->victim = NOBODY;
	end(crowd[victim]);
	crowd[victim] = 0;
}

int main(int argc, char **argv)
{
	bool expect_stuck = argc > 1 && !strcmp(argv[1], "--expect-stuck");
	uint64_t seconds = expect_stuck ? STUCK : PATIENCE;
	uint32_t kills = 0;
	bool goes;

	scene = share(sizeof(*scene));
	scene->victim = NOBODY;
	new_line(1, CROWD);
	for (uint32_t i = 0; i < CROWD; i++)
		crowd[i] = spawn(come_and_go, (void *)(uintptr_t)i);
	goes = goes_on(PATIENCE);
	if (!goes)
		bail_out("the line does not begin to move");
	while (goes && kills < KILLS) {
		kill_holder();
		kills++;
		goes = goes_on(seconds);
	}
	ok(goes != expect_stuck,
	   "a line of %u, of which %u were killed inside: %s", CROWD, kills,
	   goes ? "it goes on" : "it stands still");
	for (uint32_t i = 0; i < CROWD; i++) {
		if (crowd[i])
			end(crowd[i]);
	}
	return finish();
}
