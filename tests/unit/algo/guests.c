/* SPDX-License-Identifier: MIT */
/* guests - the word, and steps of each part, by hand-computed values. */
#include "../unit.h"

#include "algo/guests.c"

static const struct wicket_cfg three = { .n = 3, .k = 1, .r = 1 };

static void a_word_counts_who_has_joined(void **state)
{
	uint64_t word = guests_open(5);

	(void)state;
	assert_int_equal(word, 5ULL << 32 | 0x400);
	assert_true(guests_may_join(word, 5));
	assert_false(guests_may_join(word, 6));
	assert_false(guests_may_go(word, 5)); /* there is nobody */
	word = guests_join(guests_join(word));
	assert_int_equal(guests_count(word), 2);
	assert_false(guests_may_go(word, 6));
	assert_int_equal(word, 5ULL << 32 | 2 << 11 | 0x400 | 2);
	assert_int_equal(guests_go(word), word - 1); /* it came second */
	assert_int_equal(guests_close(word), 5ULL << 32);
	assert_false(guests_may_join(guests_close(word), 5));
	assert_false(guests_may_go(guests_close(word), 5));
}

static void a_full_word_lets_nobody_in(void **state)
{
	(void)state;
	assert_true(guests_may_join(guests_open(5) + GUESTS_MAX - 1, 5));
	assert_false(guests_may_join(guests_open(5) + GUESTS_MAX, 5));
}

static void the_number_wraps_within_its_bits(void **state)
{
	uint64_t all = guests_open(5) | (0xffffffffULL & ~0x7ffULL);

	(void)state;
	assert_int_equal(guests_join(all), guests_open(5) + 1);
}

static struct wicket_proc at(enum pc pc, uint32_t self, uint64_t seq)
{
	struct wicket_proc p = { .pc = (uint16_t)pc, .self = self };

	p.local[SEQ] = seq;
	return p;
}

static void who_ends_closes_if_nobody_is_counted(void **state)
{
	struct wicket_value word = wicket_number(guests_open(1));
	struct wicket_result r = step(&three, at(END_GUESTS, 1, 1), word);

	(void)state;
	assert_int_equal(r.proc.pc, END_CLOSE);
	r = step(&three, r.proc, word);
	assert_int_equal(r.put.w[0], 1ULL << 32);
	assert_int_equal(r.proc.pc, RELEASE);
}

static void who_ends_asks_if_somebody_is_counted(void **state)
{
	struct wicket_value word = wicket_number(guests_open(1) + 1);
	struct wicket_value locks = { .w = { 0, 4 } };
	struct wicket_result r = step(&three, at(END_GUESTS, 1, 1), word);

	(void)state;
	assert_int_equal(r.proc.pc, END_LOCK);
	assert_int_equal(step(&three, r.proc, locks).proc.pc, LEAVE);
	/* it was killed */
	locks.w[1] = 0;
	assert_int_equal(step(&three, r.proc, locks).proc.pc, END_CLOSE);
}

static void a_guest_joins_what_it_was_started_in(void **state)
{
	struct wicket_value seat = wicket_number(seat_of(1, 1) | KEPT);
	struct wicket_value later = wicket_number(guests_open(2));
	struct wicket_result r = step(&three, at(COME, 2, 0), seat);

	(void)state;
	assert_int_equal(r.proc.local[SEQ], 1);
	r = step(&three, r.proc, wicket_number(0));
	assert_int_equal(r.put.w[1], 4); /* its lock */
	assert_int_equal(step(&three, r.proc, later).proc.pc, UNLOCK);
	r = step(&three, r.proc, wicket_number(guests_open(1)));
	assert_int_equal(r.proc.pc, JOIN);
	r = step(&three, r.proc, wicket_number(guests_open(1)));
	assert_int_equal(r.put.w[0], guests_join(guests_open(1)));
	assert_true(r.proc.local[RUNS]);
}

static void nobody_is_told_of_a_holder_that_left(void **state)
{
	struct wicket_value left = wicket_number(seat_of(1, 1) | KEPT | LEFT);
	struct wicket_value dead = wicket_number(seat_of(1, 1) | KEPT);
	struct wicket_proc p = at(TAKE, 3, 0);

	(void)state;
	p.local[SEEN] = left.w[0];
	assert_int_equal(step(&three, p, left).proc.local[TOLD], 0);
	p.local[SEEN] = dead.w[0];
	assert_int_equal(step(&three, p, dead).proc.local[TOLD], 1);
	assert_int_equal(step(&three, p, dead).put.w[0], seat_of(2, 3));
}

static void a_command_outlives_what_started_it(void **state)
{
	struct wicket_value locks = { .w = { 0, 2 } };
	struct wicket_proc p = at(HOLD, 1, 1);

	(void)state;
	p.local[RUNS] = 1;
	p = event(&three, p, WICKET_FAIL);
	p = step(&three, p, wicket_number(14)).proc;
	assert_int_equal(p.pc, COMMAND);
	assert_true(p.local[RUNS]);
	assert_int_equal(step(&three, p, locks).put.w[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_counts_who_has_joined),
		cmocka_unit_test(a_full_word_lets_nobody_in),
		cmocka_unit_test(the_number_wraps_within_its_bits),
		cmocka_unit_test(who_ends_closes_if_nobody_is_counted),
		cmocka_unit_test(who_ends_asks_if_somebody_is_counted),
		cmocka_unit_test(a_guest_joins_what_it_was_started_in),
		cmocka_unit_test(nobody_is_told_of_a_holder_that_left),
		cmocka_unit_test(a_command_outlives_what_started_it),
	};

	return cmocka_run_group_tests_name("guests", tests, NULL, NULL);
}
