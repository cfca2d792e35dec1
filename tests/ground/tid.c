/* SPDX-License-Identifier: MIT */
/*
 * tid [POINTS [SEED]] - two processes that have the same number, each in a pid
 * namespace of its own, so that the kernel cannot tell their locks apart.  One
 * stands at an instruction of wicket_open or wicket_close: at every one near
 * those that others can see, and at about POINTS others, or all if there are no
 * more.  The other comes, sits down where it may, and enters; the first goes on
 * for a few instructions, or for none, and is killed.  The other is not taken
 * for dead: a third finds the slot taken.
 */
#include "walk.h"

#include <stdlib.h>

enum { ON = 40, BEFORE = 12 };

static struct dice fate;

static bool try_point(struct walk *w, int32_t p, uint32_t on)
{
	struct cue *cue = new_cue();
	pid_t first = walk_to(w, p), second = spawn_first(hold, cue);
	bool good;

	await_inside(cue);
	while (on-- && walk_on(first))
		;
	end(first);
	good = ends_well(spawn(is_refused, 0));
	if (draw(&fate, 2)) {
		end(second);
	} else {
		cue->go = 1;
		good &= ends_well(second);
	}
	return good && all_are_back(1);
}

static bool try_twice(struct walk *w, int32_t p)
{
	for (int i = 0; i < 2; i++) {
		uint32_t on = i ? 1 + draw(&fate, ON) : 0;

		if (!try_point(w, p, on)) {
			note("killed at point %d of %d, and %u on", p,
			     w->trace.end, on);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	static struct walk opening = { .name = "opening",
				       .first = true,
				       .before = BEFORE };
	static struct walk closing = { .name = "closing",
				       .first = true,
				       .closes = true,
				       .before = BEFORE };
	int32_t others = argc > 1 ? atoi(argv[1]) : 250;
	uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();

	if (!trace_works())
		return skip_all("no ptrace here");
	if (!can_spawn_first())
		return skip_all("no pid namespaces here");
	note("seed %llu", (unsigned long long)seed);
	fate = dice(seed, 0);
	walk_everywhere(&closing, others, try_twice);
	walk_everywhere(&opening, others, try_twice);
	return finish();
}
