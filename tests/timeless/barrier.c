/* SPDX-License-Identifier: MIT */
/*
 * barrier [--give-up] [--expect-stuck] [ROUNDS [SEED]] - a sleeper arms FUT and then looks at
 * W for the last time; whoever gives it the slot changes W and then looks at FUT.
 * One of them sees the other, if the sleeper's store is out of its store buffer
 * before it looks.  Two processes, each with a processor of its own (so that
 * nobody spins, and both really run at once), meet there ROUNDS times: one has
 * the slot, tells the other to come, and gives it back a little later.
 *
 * With --give-up the other one does not sleep: it gives up at once.  Its ticket is taken
 * back, unless whoever gives it the slot changes W first; then one of them passes the
 * slot on.  When both have come back, it is vacant.  This has no control: a library
 * that sets D without a barrier is right here, since taking the ticket back is one.
 * (It is wrong if somebody waits behind: inside@mark-plain in tests/protocol.tsv.)
 *
 * The control of the first is a library that arms FUT without the barrier.  Measured on two
 * processors with a load of 20 to 36 beside it: 30 runs of it were stuck after 26
 * to 8,484 rounds, 2,214 on average.  Were it 20 times as many, a million rounds
 * would miss it with a chance of e^-22.6, 1.6 in 10^10.
 */
#include "asleep.h"
#include "mapping.h"

#include "../stress/stress.h"
#include "line/relax.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	SPREADS = 10,
	SPINS = 1000,
	LOOK_EVERY = 1000000, /* nanoseconds */
	ROUNDS = 100000,
	ROUNDS_MOST = 3000000, /* with --expect-stuck */
};

/* How far they are, in rounds, each on a cache line of its own. */
struct race {
	_Atomic uint32_t seat;		       /* 1 + the taker's */
	_Alignas(128) _Atomic uint32_t called; /* the taker, which is */
	_Alignas(128) _Atomic uint32_t here;   /* and runs; then it is */
	_Alignas(128) _Atomic uint32_t told;   /* to ask */
	_Alignas(128) _Atomic uint32_t given;  /* the slot */
	_Alignas(128) _Atomic uint32_t over;
	_Atomic uint32_t lost; /* the round after which nobody has the slot */
};

struct racers {
	bool gives_up;
	int cpu[2];
	pid_t giver, taker;
	uint32_t rounds;
	uint64_t seed;
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

static void reach(_Atomic uint32_t *word, uint32_t round)
{
	*word = round;
	syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
}

/* If it takes long, the other one does not run, since others need its
   processor: who spins then does not run when it matters. */
static void wait_for(_Atomic uint32_t *word, uint32_t round)
{
	uint32_t seen;

	for (uint32_t i = 0; i < SPINS && *word < round; i++)
		relax();
	while ((seen = *word) < round)
		syscall(SYS_futex, word, FUTEX_WAIT, seen, 0, 0, 0);
}

/* The other one runs. */
static void spin_for(_Atomic uint32_t *word, uint32_t round)
{
	while (atomic_load_explicit(word, memory_order_acquire) < round)
		relax();
}

/* From no time to a few microseconds: how long the other one takes to arm
   depends on the machine. */
static void dawdle(struct dice *d)
{
	uint32_t spread = 8u << draw(d, SPREADS);

	for (_Atomic uint32_t i = draw(d, spread); i > 0; i--)
		;
}

static void put_away(const struct seat *s)
{
	__builtin_ia32_clflush(&s->word);
	__builtin_ia32_clflush(&s->fut);
}

/* The taker's seat, with its FUT, is in no cache: so a store to it takes long.
   Else it takes no time if the two processors are halves of one core. */
static void give_slowly(struct dice *d, const struct seat *taker)
{
	uint32_t flush = draw(d, 3);

	if (flush == 1)
		put_away(taker);
	dawdle(d);
	if (flush == 2)
		put_away(taker);
}

static bool is_vacant(const struct wicket *mapping)
{
	return line_vacant(mapping->w->high, mapping->block);
}

static int give(void *arg)
{
	struct racers *two = arg;
	struct dice d = dice(two->seed, 0);
	struct wicket *line, mapping;

	run_on(two->cpu[0]);
	line = open_line(0);
	map_line(&mapping);
	wait_for(&race->seat, 1);
	for (uint32_t i = 1; i <= two->rounds; i++) {
		if (wicket_acquire(line, 0))
			return 1;
		reach(&race->called, i);
		wait_for(&race->here, i);
		race->told = i;
		give_slowly(&d, &mapping.seats[race->seat - 1]);
		if (wicket_release(line))
			return 1;
		race->given = i;
		wait_for(&race->over, i);
		if (two->gives_up && !is_vacant(&mapping)) {
			race->lost = i;
			return 0;
		}
	}
	return 0;
}

/* It gives up unless the slot is its own at once. */
static bool comes_and_goes(struct wicket *line, bool gives_up)
{
	const struct timespec past = { 0, 0 };
	int error = gives_up ? wicket_acquire_until(line, &past, 0) :
			       wicket_acquire(line, 0);

	if (gives_up && error == -ETIMEDOUT)
		return true;
	return !error && !wicket_release(line);
}

static int take(void *arg)
{
	struct racers *two = arg;
	struct wicket *line;

	run_on(two->cpu[1]);
	line = open_line(0);
	reach(&race->seat, 1 + line->me);
	for (uint32_t i = 1; i <= two->rounds; i++) {
		wait_for(&race->called, i);
		reach(&race->here, i);
		spin_for(&race->told, i);
		if (!comes_and_goes(line, two->gives_up))
			return 1;
		reach(&race->over, i);
	}
	return 0;
}

/* It was given the slot and everybody has come back who could wake it. */
static bool is_left_asleep(const struct racers *two)
{
	uint32_t over = race->over;

	return race->given == over + 1 && sleeps_for_good(two->taker) &&
	       race->over == over;
}

static bool is_decided(void *arg)
{
	struct racers *two = arg;
	uint32_t before = race->over;

	nap(LOOK_EVERY);
	return race->over == two->rounds || race->lost ||
	       (race->over == before && is_left_asleep(two));
}

/* Until all rounds are over, or one never ends. */
static void watch(struct racers *two)
{
	uint32_t before;

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
	all = race->over == two->rounds && !race->lost;
	if (expect_stuck)
		ok(!all, "a missing barrier is noticed, after %u rounds",
		   race->over);
	else
		ok(all, "all of %u rounds end, %u did", two->rounds,
		   race->over);
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
	bool gives_up = argc > 1 && !strcmp(argv[1], "--give-up");
	bool expect_stuck = argc > 1 + gives_up &&
			    !strcmp(argv[1 + gives_up], "--expect-stuck");
	struct racers two = { .gives_up = gives_up,
			      .rounds = expect_stuck ? ROUNDS_MOST : ROUNDS,
			      .seed = now() };

	argc -= expect_stuck + gives_up;
	argv += expect_stuck + gives_up;
	if (argc > 1)
		two.rounds = (uint32_t)strtoul(argv[1], 0, 0);
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
