/* SPDX-License-Identifier: MIT */
/*
 * barrier [--expect-stuck] [ROUNDS [SEED]] - a sleeper arms FUT and then looks at
 * W for the last time; whoever gives it the slot changes W and then looks at FUT.
 * One of them sees the other, if the sleeper's store is out of its store buffer
 * before it looks.  Two processes, each with a processor of its own (so that
 * nobody spins, and both really run at once), meet there ROUNDS times: one has
 * the slot, tells the other to come, and gives it back a little later.
 *
 * The control is a library that arms FUT without the barrier.
 */
#include "asleep.h"
#include "mapping.h"

#include "../stress/stress.h"
#include "line/relax.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SPREADS = 10, SPINS = 10000, LOOK_EVERY = 1000000 /* nanoseconds */ };

/* Rounds, each on a cache line of its own: told to come, given back, over. */
struct race {
	_Atomic uint32_t seat; /* 1 + the taker's */
	_Alignas(128) _Atomic uint64_t told;
	_Alignas(128) _Atomic uint64_t given;
	_Alignas(128) _Atomic uint64_t over;
};

struct racers {
	int cpu[2];
	pid_t giver, taker;
	uint64_t rounds, seed;
};

static struct race *race; /* shared */

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bail_out("no processor");
}

/* If it takes long, the other one does not run: somebody else may need the
   processor. */
static void wait_for(_Atomic uint64_t *word, uint64_t round)
{
	uint32_t spins = 0;

	while (atomic_load_explicit(word, memory_order_acquire) < round) {
		relax();
		if (++spins > SPINS)
			sched_yield();
	}
}

/* From no time to a few microseconds: how long the other one takes to arm
   depends on the machine. */
static void dawdle(struct dice *d)
{
	uint32_t spread = 8u << draw(d, SPREADS);

	for (_Atomic uint32_t i = draw(d, spread); i > 0; i--)
		;
}

/* The taker's seat, with its FUT, is in no cache: so a store to it takes long.
   Else it takes no time if the two processors are halves of one core. */
static void give_slowly(struct dice *d, const struct seat *taker)
{
	uint32_t flush = draw(d, 3);

	if (flush == 1)
		__builtin_ia32_clflush(&taker->fut);
	dawdle(d);
	if (flush == 2)
		__builtin_ia32_clflush(&taker->fut);
}

static int give(void *arg)
{
	struct racers *two = arg;
	struct dice d = dice(two->seed, 0);
	struct wicket *line, mapping;

	run_on(two->cpu[0]);
	line = open_line(0);
	map_line(&mapping);
	while (!race->seat)
		sched_yield();
	for (uint64_t i = 1; i <= two->rounds; i++) {
		if (wicket_acquire(line, 0))
			return 1;
		race->told = i;
		give_slowly(&d, &mapping.seats[race->seat - 1]);
		if (wicket_release(line))
			return 1;
		race->given = i;
		wait_for(&race->over, i);
	}
	return 0;
}

static int take(void *arg)
{
	struct racers *two = arg;
	struct wicket *line;

	run_on(two->cpu[1]);
	line = open_line(0);
	race->seat = 1 + line->me;
	for (uint64_t i = 1; i <= two->rounds; i++) {
		wait_for(&race->told, i);
		if (wicket_acquire(line, 0) || wicket_release(line))
			return 1;
		race->over = i;
	}
	return 0;
}

/* It was given the slot and everybody has come back who could wake it. */
static bool is_left_asleep(const struct racers *two)
{
	uint64_t over = race->over;

	return race->given == over + 1 && sleeps_for_good(two->taker) &&
	       race->over == over;
}

static bool is_decided(void *arg)
{
	struct racers *two = arg;
	uint64_t before = race->over;

	nap(LOOK_EVERY);
	return race->over == two->rounds ||
	       (race->over == before && is_left_asleep(two));
}

/* Until all rounds are over, or one never ends. */
static void watch(struct racers *two)
{
	uint64_t before;

	do {
		before = race->over;
		if (eventually(is_decided, two))
			return;
	} while (race->over != before);
	bail_out("nothing goes on, and nobody sleeps");
}

static void run_race(struct racers *two, bool expect_stuck)
{
	bool all;

	race = share(sizeof(*race));
	new_line(1, 4);
	two->giver = spawn(give, two);
	two->taker = spawn(take, two);
	watch(two);
	all = race->over == two->rounds;
	if (expect_stuck)
		ok(!all, "a missing barrier is noticed, after %llu rounds",
		   (unsigned long long)race->over);
	else
		ok(all, "all of %llu rounds end, %llu did",
		   (unsigned long long)two->rounds,
		   (unsigned long long)race->over);
	end(two->giver);
	end(two->taker);
}

/* The first and the last: most likely not two halves of one core. */
static bool find_processors(struct racers *two)
{
	cpu_set_t set;
	int found = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return false;
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &set))
			two->cpu[found++ > 0] = i;
	}
	return found > 1;
}

int main(int argc, char **argv)
{
	bool expect_stuck = argc > 1 && !strcmp(argv[1], "--expect-stuck");
	struct racers two = { .rounds = 100000, .seed = now() };

	argc -= expect_stuck;
	argv += expect_stuck;
	if (argc > 1)
		two.rounds = strtoull(argv[1], 0, 0);
	if (argc > 2)
		two.seed = strtoull(argv[2], 0, 0);
	note("seed %llu", (unsigned long long)two.seed);
	if (!find_processors(&two))
		skip("the barrier", "there is one processor only");
	else if (!can_see_sleepers())
		skip("the barrier", "/proc/PID/syscall cannot be read");
	else
		run_race(&two, expect_stuck);
	return finish();
}
