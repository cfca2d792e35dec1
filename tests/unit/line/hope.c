/* SPDX-License-Identifier: MIT */
/*
 * hope - how waiters pass their time, by a clock of the test's own: it goes on when a
 * waiter gives up the processor, and when it sleeps.  Nobody else is there, so that every
 * sleep lasts until its end.
 */
#include "api.h"

#include "line/handle.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>

enum {
	US = 1000,
	MS = 1000 * US,
	SEC = 1000 * MS,
	HOPES = 200 * US, /* how long a waiter stays awake */
	BETWEEN = 100,	  /* ns: two looks at the clock */
};

static struct {
	uint64_t now;
	uint64_t yield; /* how long somebody else has the processor */
	uint32_t yields, sleeps;
	uint64_t first; /* how long the first sleep lasted */
	bool watched;	/* in it */
	void (*meanwhile)(void);
	uint32_t to_come; /* so many wait behind whoever sleeps first */
	uint64_t patience;
} world;

static bool stays_awake(struct wicket *line, uint64_t ns);

/* --- what the library calls ---------------------------------------------------- */

int clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	world.now += BETWEEN;
	t->tv_sec = (time_t)(world.now / SEC);
	t->tv_nsec = (long)(world.now % SEC);
	return 0;
}

int sched_yield(void)
{
	world.yields++;
	world.now += world.yield;
	if (world.meanwhile)
		world.meanwhile();
	return 0;
}

static long sleep_until(const struct timespec *t, bool watches)
{
	uint64_t end;

	assert_non_null(t);
	if (world.to_come) {
		world.to_come--;
		stays_awake(join_line(), world.patience);
	}
	end = (uint64_t)t->tv_sec * SEC + (uint64_t)t->tv_nsec;
	if (!world.sleeps++) {
		world.first = end - world.now;
		world.watched = watches;
	}
	world.now = end > world.now ? end : world.now;
	errno = ETIMEDOUT;
	return -1;
}

long syscall(long number, ...)
{
	long a[6], result;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_futex_waitv ||
	    (number == SYS_futex &&
	     (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET))
		return sleep_until((const struct timespec *)(uintptr_t)a[3],
				   number == SYS_futex_waitv);
	{
		register long r10 __asm__("r10") = a[3];
		register long r8 __asm__("r8") = a[4];
		register long r9 __asm__("r9") = a[5];

		__asm__ volatile("syscall"
				 : "=a"(result)
				 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]),
				   "r"(r10), "r"(r8), "r"(r9)
				 : "rcx", "r11", "memory");
	}
	if (result < 0 && result > -PAGE) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

/* --- scenes ---------------------------------------------------------------------- */

static struct wicket *holder;

static struct wicket *new_scene(void)
{
	memset(&world, 0, sizeof(world));
	world.now = 1000 * (uint64_t)SEC;
	world.yield = 10 * US;
	holder = new_line(1, 64);
	enter(holder);
	holder->area->released = world.now;
	return holder;
}

/* A handle that has two processors, and has not hoped in vain. */
static struct wicket *new_hopeful(void)
{
	struct wicket *line = join_line();

	line->processors = 2;
	line->vain = line->discouraged = 0;
	return line;
}

/* Waits for so long, in vain; true: it gave up the processor meanwhile. */
static bool stays_awake(struct wicket *line, uint64_t ns)
{
	uint64_t end = world.now + ns;
	struct timespec t = { (time_t)(end / SEC), (long)(end % SEC) };

	world.yields = world.sleeps = 0;
	assert_call(wicket_acquire_until(line, &t, NULL), -ETIMEDOUT);
	return world.yields > 0;
}

/* Those who gave up are passed over. */
static void pass_over(void)
{
	leave(holder);
	enter(holder);
}

static uint32_t waits_asleep(struct wicket *line)
{
	uint32_t count = 0;

	while (!stays_awake(line, MS)) {
		pass_over();
		assert_true(count++ < 1000);
	}
	pass_over();
	return count;
}

/* --- tests ------------------------------------------------------------------------ */

static void who_hoped_in_vain_stays_asleep(void **state)
{
	static const uint32_t expected[] = { 7, 15, 31, 63, 63 };
	struct wicket *line;

	(void)state;
	new_scene();
	line = join_line();
	line->processors = 2;
	for (size_t i = 0; i < LENGTH(expected); i++)
		assert_int_equal(waits_asleep(line), expected[i]);
}

static void leave_now(void)
{
	world.meanwhile = NULL;
	leave(holder);
}

static void who_hoped_and_entered_hopes_again(void **state)
{
	struct wicket *line;

	(void)state;
	new_scene();
	line = new_hopeful();
	line->vain = 6;
	world.meanwhile = leave_now;
	enter(line);
	assert_int_equal(world.yields, 1);
	assert_int_equal(world.sleeps, 0);
	leave(line);
	enter(holder);
	assert_true(stays_awake(line, MS));
}

static void nobody_hopes_for_long(void **state)
{
	struct wicket *line;

	(void)state;
	new_scene();
	line = new_hopeful();
	assert_true(stays_awake(line, SEC));
	assert_true(world.yields <= HOPES / (world.yield + BETWEEN) + 1);
	assert_true(world.sleeps > 0);
}

static void nobody_hopes_where_sections_are_long(void **state)
{
	(void)state;
	new_scene();
	holder->area->section = 100 * US;
	assert_false(stays_awake(new_hopeful(), MS));
	holder->area->section = 10 * US;
	assert_true(stays_awake(new_hopeful(), MS));
}

static void nobody_hopes_beside_others_at_work(void **state)
{
	(void)state;
	new_scene();
	world.yield = 2 * MS;
	assert_true(stays_awake(new_hopeful(), 10 * MS));
	assert_int_equal(world.yields, 1);
	world.yield = 10 * US;
	assert_false(stays_awake(new_hopeful(), 10 * MS));
	world.now += SEC;
	assert_true(stays_awake(new_hopeful(), 10 * MS));
}

static void release_now(void)
{
	holder->area->released = world.now;
}

/* Then it was one of the line who had the processor. */
static void a_line_that_goes_on_is_not_crowded(void **state)
{
	(void)state;
	new_scene();
	world.yield = 2 * MS;
	world.meanwhile = release_now;
	assert_true(stays_awake(new_hopeful(), 10 * MS));
	world.meanwhile = NULL;
	assert_true(stays_awake(new_hopeful(), 10 * MS));
}

/* Each comes while the one before it sleeps; what world says of the first sleep is of
   the last one, which has so many before it. */
static void wait_behind(uint32_t ahead, uint64_t ns)
{
	world.to_come = ahead;
	world.patience = ns;
	stays_awake(join_line(), ns);
}

/* How long it sleeps before it looks for the dead, if the line moves quickly: each may
   have become the first in line meanwhile. */
static void a_busy_line_is_looked_at_soon(void **state)
{
	(void)state;
	for (uint32_t ahead = 0; ahead < 40; ahead += 4) {
		new_scene();
		holder->area->section = 100 * US;
		holder->area->released = world.now;
		wait_behind(ahead, 20 * (uint64_t)SEC);
		assert_int_equal((world.first + MS / 2) / MS,
				 ahead < 8 ? 10 : 100);
		assert_false(world.watched);
		assert_true(holder->area->scanned != 0);
		leave(holder);
		assert_call(wicket_remove("line"), 0);
	}
}

static void in_a_line_that_stands_still_one_watches_at_once(void **state)
{
	(void)state;
	new_scene();
	holder->area->section = 100 * US;
	holder->area->released = world.now - 10 * MS;
	wait_behind(10, MS);
	assert_true(world.watched);
}

/* A few that lost their processor inside do not make a section long. */
static void a_section_is_a_median(void **state)
{
	struct wicket *line;

	(void)state;
	new_scene();
	leave(holder);
	line = new_hopeful();
	for (uint32_t i = 0; i < 400; i++) {
		enter(holder);
		world.meanwhile = leave_now;
		line->discouraged = 0;
		enter(line);
		world.now += i % 4 == 3 ? 5 * MS : 2 * US;
		leave(line);
	}
	assert_in_range(holder->area->section, US, 5 * US);
	for (uint32_t i = 0; i < 100; i++) {
		enter(holder);
		world.meanwhile = leave_now;
		line->discouraged = 0;
		if (holder->area->section >= 50 * US)
			break;
		enter(line);
		world.now += 100 * US;
		leave(line);
	}
	assert_true(holder->area->section >= 50 * US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(who_hoped_in_vain_stays_asleep),
		test(who_hoped_and_entered_hopes_again),
		test(nobody_hopes_for_long),
		test(nobody_hopes_where_sections_are_long),
		test(nobody_hopes_beside_others_at_work),
		test(a_line_that_goes_on_is_not_crowded),
		test(a_busy_line_is_looked_at_soon),
		test(in_a_line_that_stands_still_one_watches_at_once),
		test(a_section_is_a_median),
	};

	return cmocka_run_group_tests_name("hope", tests, tidy_up_at_exit,
					   NULL);
}
