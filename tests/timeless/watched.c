/* SPDX-License-Identifier: MIT */
/*
 * watched [--expect-stuck] [EVENTS [SEED]] - whoever sleeps is told of every death
 * that matters to it, without ever looking by time: holders and waiters die, one
 * at a time, and each time those enter who should, in order.  First the cases
 * that once went wrong or are hard to get right, then EVENTS that the dice have
 * chosen, giving up and stopping included.
 *
 * The control is a library that does not ask the kernel to tell (FUTEX_WAITERS is
 * never set in a bell): with --expect-stuck, every case that rests on being told
 * must leave somebody asleep who should be inside, or the test fails.
 */
#include "asleep.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

struct scenario {
	const char *name;
	/* with so many slots, all of them held, and so many who wait */
	bool (*play)(uint32_t k, uint32_t waiters);
	uint32_t slots, waiters;
	bool told; /* without being told nobody can know */
};

/* --- waiters die ---------------------------------------------------------- */

/* Its successor sleeps, and must pass its ticket on when its turn comes. */
static bool far_back(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_die(k + waiters * 7 / 10, KILLED) &&
	       let_all_leave();
}

static bool last_in_line(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_die(k + waiters - 1, KILLED) &&
	       let_come(1) && let_all_leave();
}

static bool all_from_the_back(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = k + waiters; good && i > k; i--)
		good = let_die(i - 1, KILLED);
	return good && let_come(1) && let_die(0, KILLED) && let_all_leave();
}

static bool all_from_the_front(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = k; good && i < k + waiters; i++)
		good = let_die(i, KILLED);
	return good && let_come(1) && let_die(0, KILLED) && let_all_leave();
}

/* --- holders die ---------------------------------------------------------- */

/* Everybody, as soon as it is inside. */
static bool one_after_another(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = 0; good && i < k + waiters; i++)
		good = let_die(i, KILLED);
	return good && let_all_leave();
}

/* The same, but those who were there first stay until the end. */
static bool newest_first(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = k - 1; good && i < k + waiters; i++)
		good = let_die(i, KILLED);
	return good && let_all_leave();
}

/* The first stays inside while another slot passes from waiter to waiter, and
   then stays: each who becomes the first in line must watch it. */
static bool old_holder(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = 1; good && i < k + waiters / 2; i++)
		good = let_leave(i);
	return good && let_die(0, KILLED) && let_all_leave();
}

static bool each_kind(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = 0; good && i < waiters; i++)
		good = let_die(i, i % DEATHS);
	return good && let_all_leave();
}

/* --- both ----------------------------------------------------------------- */

static bool first_then_holder(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_die(k, KILLED) &&
	       let_die(0, KILLED) && let_all_leave();
}

static bool first_then_all_leave(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_die(k, KILLED) && let_all_leave();
}

/* --- others give up ------------------------------------------------------- */

static bool behind_one_who_gave_up(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_give_up(k) &&
	       let_die(k + 1, KILLED) && let_die(0, KILLED) && let_all_leave();
}

static bool before_one_who_gave_up(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_die(k, KILLED) &&
	       let_give_up(k + 1) && let_die(0, KILLED) && let_all_leave();
}

static bool all_before_gave_up(uint32_t k, uint32_t waiters)
{
	bool good = let_come(k + waiters);

	for (uint32_t i = k + waiters - 1; good && i > k; i--)
		good = let_give_up(i - 1);
	return good && let_die(0, KILLED) && let_all_leave();
}

/* --- one is stopped ------------------------------------------------------- */

/* It is the one who is told; nobody else can go before it. */
static bool first_is_stopped(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_stop(k) && let_die(0, KILLED) &&
	       let_go_on(k) && let_all_leave();
}

static bool stopped_when_its_turn_comes(uint32_t k, uint32_t waiters)
{
	return let_come(k + waiters) && let_stop(k) && let_leave(0) &&
	       let_go_on(k) && let_all_leave();
}

/* --- all of them ---------------------------------------------------------- */

static const struct scenario scenarios[] = {
	{ "a waiter far back is killed", far_back, 1, 20, false },
	{ "a waiter far back is killed", far_back, 2, 20, false },
	{ "a waiter far back is killed", far_back, 3, 20, false },
	{ "the last in line is killed", last_in_line, 1, 3, false },
	{ "all waiters are killed, from the back", all_from_the_back, 1, 5,
	  true },
	{ "all waiters are killed, from the back", all_from_the_back, 2, 5,
	  true },
	{ "all waiters are killed, from the front", all_from_the_front, 1, 5,
	  true },
	{ "all waiters are killed, from the front", all_from_the_front, 2, 5,
	  true },
	{ "each is killed inside", one_after_another, 1, 1, true },
	{ "each is killed inside", one_after_another, 1, 20, true },
	{ "each is killed inside", one_after_another, 2, 1, true },
	{ "each is killed inside", one_after_another, 2, 20, true },
	{ "each is killed inside", one_after_another, 3, 1, true },
	{ "each is killed inside", one_after_another, 3, 2, true },
	{ "each is killed inside", one_after_another, 3, 20, true },
	{ "whoever is new is killed inside", newest_first, 2, 20, true },
	{ "whoever is new is killed inside", newest_first, 3, 20, true },
	{ "an old holder is killed", old_holder, 2, 20, true },
	{ "an old holder is killed", old_holder, 3, 20, true },
	{ "holders die in all ways there are", each_kind, 1, 2 * DEATHS, true },
	{ "holders die in all ways there are", each_kind, 3, 2 * DEATHS, true },
	{ "the first in line is killed, then a holder", first_then_holder, 1, 3,
	  true },
	{ "the first in line is killed, then a holder", first_then_holder, 2, 3,
	  true },
	{ "the first in line is killed, then all leave", first_then_all_leave,
	  1, 3, true },
	{ "the first in line is killed, then all leave", first_then_all_leave,
	  2, 3, true },
	{ "a waiter is killed behind one who gave up", behind_one_who_gave_up,
	  1, 4, true },
	{ "a waiter is killed behind one who gave up", behind_one_who_gave_up,
	  2, 4, true },
	{ "a waiter is killed before one who gave up", before_one_who_gave_up,
	  1, 4, true },
	{ "a waiter is killed before one who gave up", before_one_who_gave_up,
	  2, 4, true },
	{ "a holder is killed, all but the last gave up", all_before_gave_up, 1,
	  5, true },
	{ "a holder is killed, all but the last gave up", all_before_gave_up, 2,
	  5, true },
	/* to go on is to look */
	{ "a holder is killed, the first is stopped", first_is_stopped, 1, 3,
	  false },
	{ "a holder is killed, the first is stopped", first_is_stopped, 2, 3,
	  false },
	{ "a holder leaves, the first is stopped", stopped_when_its_turn_comes,
	  1, 3, false },
	{ "a holder leaves, the first is stopped", stopped_when_its_turn_comes,
	  2, 3, false },
};

static void play(const struct scenario *s, bool expect_stuck)
{
	bool good;

	open_scene(s->slots);
	good = s->play(s->slots, s->waiters);
	if (expect_stuck)
		good = !good && is_stuck();
	ok(good, "k = %u, %u wait: %s%s", s->slots, s->waiters, s->name,
	   expect_stuck ? ", which is noticed" : "");
	close_scene();
}

static void play_at_random(uint32_t slots, uint32_t events, uint64_t seed)
{
	struct dice d = dice(seed, slots);

	open_scene(slots);
	ok(let_anything_happen(events, &d) && let_all_leave(),
	   "k = %u, %u events by chance", slots, events);
	close_scene();
}

int main(int argc, char **argv)
{
	bool expect_stuck = argc > 1 && !strcmp(argv[1], "--expect-stuck");
	uint32_t events = 300;
	uint64_t seed = now();

	be_an_extra(argc, argv);
	if (!can_see_sleepers()) {
		skip("deaths are told", "/proc/PID/syscall cannot be read");
		return finish();
	}
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		if (scenarios[i].told || !expect_stuck)
			play(&scenarios[i], expect_stuck);
	}
	if (expect_stuck)
		return finish();
	if (argc > 1)
		events = (uint32_t)strtoul(argv[1], 0, 0);
	if (argc > 2)
		seed = strtoull(argv[2], 0, 0);
	note("seed %llu", (unsigned long long)seed);
	for (uint32_t k = 1; k <= 4; k++)
		play_at_random(k, events, seed);
	return finish();
}
