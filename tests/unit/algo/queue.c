/* SPDX-License-Identifier: MIT */
/*
 * queue - the line of FLBB 1989, Fig. 1, and at the grain of 1979; lines of
 * more than 16 places, which fill more than two words, included.
 */
#include "../unit.h"

#include "algo/queue.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
/* only the functions on lines are called with so many */
static const struct wicket_cfg many = { .n = PLACES, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i)
{
	return (struct wicket_proc){ .pc = pc, .self = i };
}

/* first, first + 1, ..., last in the first places */
static struct wicket_value line(uint32_t first, uint32_t last)
{
	struct wicket_value q = { { 0 } };

	for (uint32_t i = first; i <= last; i++)
		q.w[(i - first) / 8] |= (uint64_t)i << 8 * ((i - first) % 8);
	return q;
}

static void assert_line(struct wicket_value q, struct wicket_value expected)
{
	assert_memory_equal(&q, &expected, sizeof(q));
}

static void places_are_bytes_from_the_low_end(void **state)
{
	struct wicket_value q = words(0x0807060504030201, 0, 0x2a00, 0xff);

	(void)state;
	assert_int_equal(at(q, 0), 1);
	assert_int_equal(at(q, 7), 8);
	assert_int_equal(at(q, 8), 0);
	assert_int_equal(at(q, 17), 0x2a);
	assert_int_equal(at(q, 24), 0xff);
	assert_int_equal(at(q, 31), 0);
}

static void a_place_is_replaced_alone(void **state)
{
	struct wicket_value q = words(~0ull, ~0ull, ~0ull, ~0ull);

	(void)state;
	assert_value(with(q, 0, 0), ~0xffull, ~0ull, ~0ull, ~0ull);
	assert_value(with(q, 9, 3), ~0ull, 0xffffffffffff03ff, ~0ull, ~0ull);
	assert_value(with(q, 31, 1), ~0ull, ~0ull, ~0ull, 0x01ffffffffffffff);
	assert_value(with(words(0, 0, 0, 0), 16, 16), 0, 0, 16, 0);
}

static void the_length_ends_at_the_first_empty_place(void **state)
{
	(void)state;
	assert_int_equal(length(line(1, 0)), 0);
	assert_int_equal(length(line(1, 1)), 1);
	assert_int_equal(length(line(1, 8)), 8);
	assert_int_equal(length(line(1, 17)), 17);
	assert_int_equal(length(line(1, 32)), 32);
}

static void everyone_is_found_in_his_place(void **state)
{
	struct wicket_value q = line(11, 30); /* 20 of them */

	(void)state;
	assert_int_equal(place_of(q, 11), 0);
	assert_int_equal(place_of(q, 18), 7);
	assert_int_equal(place_of(q, 19), 8);
	assert_int_equal(place_of(q, 27), 16);
	assert_int_equal(place_of(q, 30), 19);
	assert_int_equal(place_of(q, 31), 20);
	assert_int_equal(place_of(line(1, 0), 1), 0);
}

static void newcomers_stand_behind_all_others(void **state)
{
	(void)state;
	assert_line(enqueue(&cfg, line(2, 1), 2), line(2, 2));
	assert_line(enqueue(&cfg, line(2, 2), 3), line(2, 3));
	assert_line(enqueue(&many, line(1, 7), 8), line(1, 8));
	assert_line(enqueue(&many, line(1, 8), 9), line(1, 9));
	assert_line(enqueue(&many, line(1, 16), 17), line(1, 17));
	assert_line(enqueue(&many, line(1, 31), 32), line(1, 32));
}

static void a_full_line_takes_nobody(void **state)
{
	(void)state;
	assert_line(enqueue(&cfg, line(1, 3), 1), line(1, 3));
	assert_line(enqueue(&many, line(1, 32), 1), line(1, 32));
}

static void lifo_puts_newcomers_in_front(void **state)
{
	struct wicket_cfg c = many;

	(void)state;
	c.mutant = LIFO;
	assert_line(enqueue(&c, line(2, 1), 2), line(2, 2));
	assert_line(enqueue(&c, line(2, 19), 1), line(1, 19));
}

static void who_leaves_lets_the_others_move_up(void **state)
{
	struct wicket_value q = line(1, 20);

	(void)state;
	assert_line(without(q, 1), line(2, 20));
	assert_line(without(q, 20), line(1, 19));
	assert_line(without(line(1, 1), 1), line(1, 0));
	assert_line(without(q, 21), q);
	/* the ninth, tenth and eleventh move across the words */
	q = without(q, 5);
	assert_value(q, 0x0908070604030201, 0x11100f0e0d0c0b0a, 0x141312, 0);
}

static void without_a_full_line(void **state)
{
	(void)state;
	assert_line(without(line(1, 32), 1), line(2, 32));
	assert_line(without(line(1, 32), 32), line(1, 31));
}

/* --- steps -------------------------------------------------------------- */

static void assert_step(const struct wicket_cfg *c, uint16_t pc, uint32_t i,
			struct wicket_value q, uint16_t then,
			struct wicket_value put)
{
	struct wicket_result r = step(c, proc(pc, i), q);
	struct wicket_proc expected = proc(then, i);

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_line(r.put, put);
}

static void the_first_k_enter_at_once(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2 };

	(void)state;
	assert_step(&c, ENQUEUE, 1, line(1, 0), REMOVE, line(1, 1));
	assert_step(&c, ENQUEUE, 2, line(1, 1), REMOVE, line(1, 2));
	assert_step(&c, ENQUEUE, 3, line(1, 2), LOOK, line(1, 3));
}

static void the_others_look_until_they_are(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2 };

	(void)state;
	assert_step(&c, LOOK, 3, line(1, 3), LOOK, line(1, 3));
	assert_step(&c, LOOK, 3, line(2, 3), REMOVE, line(2, 3));
}

static void who_is_done_is_removed(void **state)
{
	(void)state;
	assert_step(&cfg, REMOVE, 1, line(1, 3), ENQUEUE, line(2, 3));
	assert_step(&cfg, REMOVE, 2, line(2, 2), ENQUEUE, line(2, 1));
}

static void in_1979_looking_was_a_step_of_its_own(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = FLBB_1979 };

	(void)state;
	assert_step(&c, ENQUEUE, 1, line(1, 0), LOOK, line(1, 1));
	assert_step(&c, LOOK, 1, line(1, 1), REMOVE, line(1, 1));
	assert_step(&c, LOOK, 2, line(1, 2), LOOK, line(1, 2));
	assert_step(&c, REMOVE, 1, line(1, 2), ENQUEUE, line(2, 2));
}

static void planted_bugs(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	c.mutant = NO_REMOVE;
	assert_step(&c, REMOVE, 1, line(1, 2), ENQUEUE, line(1, 2));
	c.mutant = LIFO;
	assert_step(&c, ENQUEUE, 1, line(2, 3), REMOVE, line(1, 3));
}

static void processes_know_their_numbers(void **state)
{
	struct wicket_proc p = start(&cfg, 3);

	(void)state;
	assert_int_equal(p.self, 3);
	assert_int_equal(p.pc, ENQUEUE);
	assert_value(reg(&cfg, 0).start, 0, 0, 0, 0);
	assert_int_equal(reg(&cfg, 0).range, 0);
	assert_int_equal(reg(&cfg, 0).owner, 0);
}

/* --- invariants, bound, text -------------------------------------------- */

static void q1_wants_each_process_outside_r_once(void **state)
{
	struct wicket_proc p[] = { proc(REMOVE, 1), proc(LOOK, 2),
				   proc(ENQUEUE, 3) };
	struct wicket_value q = line(1, 2);

	(void)state;
	assert_true(holds(&cfg, 0, &q, p));
	q = line(1, 3); /* one too many */
	assert_false(holds(&cfg, 0, &q, p));
	q = line(2, 3); /* 3 in the place of 1 */
	assert_false(holds(&cfg, 0, &q, p));
	q = line(1, 1); /* one too few */
	assert_false(holds(&cfg, 0, &q, p));
	q = with(line(1, 2), 2, 1); /* 1 twice */
	assert_false(holds(&cfg, 0, &q, p));
}

static void q2_wants_c_in_the_first_k_places(void **state)
{
	struct wicket_proc p[] = { proc(REMOVE, 1), proc(LOOK, 2),
				   proc(ENQUEUE, 3) };
	struct wicket_value q = line(1, 3);

	(void)state;
	assert_true(holds(&cfg, 1, &q, p)); /* that 3 is in line is Q1's */
	p[1] = proc(REMOVE, 2);
	assert_false(holds(&cfg, 1, &q, p));
	p[0] = proc(LOOK, 1);
	assert_false(holds(&cfg, 1, &q, p));
	q = line(2, 3);
	assert_true(holds(&cfg, 1, &q, p));
}

/* Ordered selections: of 3, 1 + 3 + 6 + 6. */
static void the_bound_counts_lines(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };

	(void)state;
	assert_int_equal(bound(&c), 5);
	assert_int_equal(bound(&cfg), 16);
	c.n = 4;
	assert_int_equal(bound(&c), 65);
	c.n = 5;
	assert_int_equal(bound(&c), 326);
	c.n = 16;
	assert_int_equal(bound(&c), 56874039553217);
	c.n = 20;
	assert_int_equal(bound(&c), 6613313319248080001);
	c.n = 21; /* more than 2^63 */
	assert_int_equal(bound(&c), 0);
}

static void texts(void **state)
{
	struct wicket_value q = line(1, 0);

	(void)state;
	assert_shows(&wicket_queue, &cfg, &q, "QUEUE=()");
	q = line(2, 2);
	assert_shows(&wicket_queue, &cfg, &q, "QUEUE=(2)");
	q = line(7, 24);
	assert_shows(&wicket_queue, &many, &q,
		     "QUEUE=(7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 "
		     "24)");
	assert_shows_step(&wicket_queue, &cfg, proc(ENQUEUE, 1), "enqueue");
	assert_shows_step(&wicket_queue, &cfg, proc(LOOK, 1), "look");
	assert_shows_step(&wicket_queue, &cfg, proc(REMOVE, 1), "remove");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_bytes_from_the_low_end),
		cmocka_unit_test(a_place_is_replaced_alone),
		cmocka_unit_test(the_length_ends_at_the_first_empty_place),
		cmocka_unit_test(everyone_is_found_in_his_place),
		cmocka_unit_test(newcomers_stand_behind_all_others),
		cmocka_unit_test(a_full_line_takes_nobody),
		cmocka_unit_test(lifo_puts_newcomers_in_front),
		cmocka_unit_test(who_leaves_lets_the_others_move_up),
		cmocka_unit_test(without_a_full_line),
		cmocka_unit_test(the_first_k_enter_at_once),
		cmocka_unit_test(the_others_look_until_they_are),
		cmocka_unit_test(who_is_done_is_removed),
		cmocka_unit_test(in_1979_looking_was_a_step_of_its_own),
		cmocka_unit_test(planted_bugs),
		cmocka_unit_test(processes_know_their_numbers),
		cmocka_unit_test(q1_wants_each_process_outside_r_once),
		cmocka_unit_test(q2_wants_c_in_the_first_k_places),
		cmocka_unit_test(the_bound_counts_lines),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
