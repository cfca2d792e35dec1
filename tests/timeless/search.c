/* SPDX-License-Identifier: MIT */
/*
 * search [--expect-stuck] [EVENTS [SEED]] - a hint is no more than a hint: whoever
 * waits leaves its seat's number in HINT, for whoever gives it a slot, but the
 * hint may be another's by then.  Here all hints are wrong, always: they name a
 * seat in which nobody waits.  Still everybody is found and woken.
 *
 * The control is a library that looks no further than the hint: with
 * --expect-stuck, each case must leave somebody asleep who should be inside.
 */
#include "asleep.h"
#include "mapping.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

static struct wicket *idle; /* it has a seat, and never waits */
static struct wicket mapping;

static void spoil_hints(void)
{
	for (uint32_t i = 0; i < mapping.block; i++)
		atomic_store_explicit(&mapping.hint[i], (uint16_t)idle->me,
				      memory_order_relaxed);
}

static void open_spoiled(uint32_t slots)
{
	open_scene(slots);
	idle = open_line(0);
	map_line(&mapping);
	before_event = spoil_hints;
}

static void close_spoiled(void)
{
	close_scene();
	unmap_line(&mapping);
	wicket_close(idle);
}

static void hand_over(uint32_t slots, uint32_t waiters, bool expect_stuck)
{
	bool good;

	open_spoiled(slots);
	good = let_come(slots + waiters) && let_all_leave();
	if (expect_stuck)
		good = !good && is_stuck();
	ok(good, "k = %u, %u wait, all hints are wrong%s", slots, waiters,
	   expect_stuck ? ", which is noticed" : "");
	close_spoiled();
}

static void play_at_random(uint32_t slots, uint32_t events, uint64_t seed)
{
	struct dice d = dice(seed, slots);

	open_spoiled(slots);
	ok(let_anything_happen(events, &d) && let_all_leave(),
	   "k = %u, %u events by chance, all hints are wrong", slots, events);
	close_spoiled();
}

int main(int argc, char **argv)
{
	bool expect_stuck = argc > 1 && !strcmp(argv[1], "--expect-stuck");
	uint32_t events = 200;
	uint64_t seed = now();

	be_an_extra(argc, argv);
	if (!can_see_sleepers()) {
		skip("heirs are found", "/proc/PID/syscall cannot be read");
		return finish();
	}
	hand_over(1, 1, expect_stuck);
	hand_over(1, 5, expect_stuck);
	hand_over(2, 5, expect_stuck);
	if (expect_stuck)
		return finish();
	if (argc > 1)
		events = (uint32_t)strtoul(argv[1], 0, 0);
	if (argc > 2)
		seed = strtoull(argv[2], 0, 0);
	note("seed %llu", (unsigned long long)seed);
	for (uint32_t k = 1; k <= 2; k++)
		play_at_random(k, events, seed);
	return finish();
}
