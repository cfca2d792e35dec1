/* SPDX-License-Identifier: MIT */
/*
 * bakery-2, bakery-n - Ben-Ari, 5.1 and 5.2: which numbers are taken, who
 * comes before whom.
 */
#include "../unit.h"

#include "algo/bakery-n.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
static const struct wicket_cfg split = { .n = 3, .k = 1, .mutant = SPLIT };
static const struct wicket_cfg exercise = {
	.n = 2,
	.k = 1,
	.variant = EXERCISE_2,
};

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t j,
			       uint64_t temp)
{
	return (struct wicket_proc){ .pc = pc,
				     .self = i,
				     .local = { j, temp } };
}

static struct wicket_value numbers(uint64_t a, uint64_t b, uint64_t c)
{
	return wicket_number(a | b << 16 | c << 32);
}

static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			struct wicket_value v, struct wicket_proc next,
			struct wicket_value put)
{
	struct wicket_result r = step(c, p, v);

	assert_memory_equal(&r.proc, &next, sizeof(next));
	assert_memory_equal(&r.put, &put, sizeof(put));
}

static void sizes(void **state)
{
	(void)state;
	assert_null(refuse_n(&cfg));
	assert_non_null(refuse_n(&(struct wicket_cfg){ .n = 3, .k = 2 }));
	assert_null(refuse_2(&exercise));
	assert_non_null(refuse_2(&cfg));
}

/* Four to a word, and the last of sixteen in the last one. */
static void every_process_has_its_own_number(void **state)
{
	struct wicket_value v = { { 0 } };

	(void)state;
	for (uint64_t i = 1; i <= 16; i++)
		v = with_number(v, i, 100 + i);
	for (uint64_t i = 1; i <= 16; i++)
		assert_int_equal(number(v, i), 100 + i);
	v = with_number(v, 5, 0);
	assert_int_equal(number(v, 4), 104);
	assert_int_equal(number(v, 5), 0);
	assert_int_equal(number(v, 6), 106);
	assert_value(with_number(words(0, 0, 0, 0), 16, 7), 0, 0, 0,
		     (uint64_t)7 << 48);
}

static void a_number_is_above_all(void **state)
{
	(void)state;
	assert_step(&cfg, start(&cfg, 1), numbers(0, 0, 0), proc(WAIT, 1, 2, 0),
		    numbers(1, 0, 0));
	assert_step(&cfg, start(&cfg, 2), numbers(3, 0, 5), proc(WAIT, 2, 1, 0),
		    numbers(3, 6, 5));
}

static void the_mutant_looks_first(void **state)
{
	(void)state;
	assert_step(&split, start(&split, 2), numbers(4, 0, 2),
		    proc(LOOK, 2, 3, 4), numbers(4, 0, 2));
	assert_step(&split, proc(LOOK, 2, 3, 4), numbers(0, 0, 2),
		    proc(PUT, 2, 0, 4), numbers(0, 0, 2));
	assert_step(&split, proc(PUT, 2, 0, 4), numbers(7, 0, 7),
		    proc(WAIT, 2, 1, 0), numbers(7, 5, 7));
}

static void exercise_2_puts_1_first(void **state)
{
	(void)state;
	assert_step(&exercise, start(&exercise, 1), numbers(0, 4, 0),
		    proc(LOOK, 1, 2, 0), numbers(1, 4, 0));
	assert_step(&exercise, proc(LOOK, 1, 2, 0), numbers(1, 4, 0),
		    proc(PUT, 1, 0, 4), numbers(1, 4, 0));
	assert_step(&exercise, proc(PUT, 1, 0, 4), numbers(1, 0, 0),
		    proc(WAIT, 1, 2, 0), numbers(5, 0, 0));
}

static void the_lesser_number_comes_first(void **state)
{
	(void)state;
	/* 2 waits for 1, who has a lesser one, and for nobody without one */
	assert_step(&cfg, proc(WAIT, 2, 1, 0), numbers(1, 2, 0),
		    proc(WAIT, 2, 1, 0), numbers(1, 2, 0));
	assert_step(&cfg, proc(WAIT, 2, 1, 0), numbers(3, 2, 0),
		    proc(WAIT, 2, 3, 0), numbers(3, 2, 0));
	assert_step(&cfg, proc(WAIT, 2, 3, 0), numbers(3, 2, 0),
		    proc(LEAVE, 2, 0, 0), numbers(3, 2, 0));
	assert_step(&cfg, proc(WAIT, 1, 3, 0), numbers(3, 2, 1),
		    proc(WAIT, 1, 3, 0), numbers(3, 2, 1));
}

static void of_equal_numbers_the_lesser_process(void **state)
{
	(void)state;
	assert_true(comes_before(numbers(2, 2, 1), 1, 2));
	assert_false(comes_before(numbers(2, 2, 1), 2, 1));
	assert_false(comes_before(numbers(2, 2, 1), 1, 3));
}

static void leaving_gives_the_number_back(void **state)
{
	struct wicket_cfg keep = cfg;

	(void)state;
	assert_step(&cfg, proc(LEAVE, 2, 0, 0), numbers(3, 2, 1),
		    start(&cfg, 2), numbers(3, 0, 1));
	keep.mutant = KEEP;
	assert_step(&keep, proc(LEAVE, 2, 0, 0), numbers(3, 2, 1),
		    start(&cfg, 2), numbers(3, 2, 1));
}

static void regions_and_accesses(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, start(&cfg, 1)), WICKET_REMAINDER);
	assert_int_equal(region(&split, start(&split, 1)), WICKET_REMAINDER);
	assert_int_equal(region(&split, proc(LOOK, 1, 3, 0)), WICKET_TRYING);
	assert_int_equal(region(&exercise, start(&exercise, 1)),
			 WICKET_REMAINDER);
	assert_int_equal(region(&exercise, proc(LOOK, 1, 2, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(WAIT, 1, 2, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 1, 0, 0)), WICKET_CRITICAL);
	assert_int_equal(access(&cfg, proc(TAKE, 1, 0, 0)).kind, WICKET_RMW);
	assert_int_equal(access(&cfg, proc(LOOK, 1, 2, 0)).kind, WICKET_LOAD);
	assert_int_equal(access(&cfg, proc(WAIT, 1, 2, 0)).kind, WICKET_AWAIT);
	assert_int_equal(access(&cfg, proc(LEAVE, 1, 0, 0)).kind, WICKET_RMW);
}

static void invariants_hold_and_fail(void **state)
{
	struct wicket_proc p[] = { proc(LEAVE, 1, 0, 0), proc(WAIT, 2, 1, 0),
				   proc(TAKE, 3, 0, 0) };
	struct wicket_value v = numbers(2, 3, 0);

	(void)state;
	assert_true(holds(&cfg, 0, &v, p));
	assert_true(holds(&cfg, 1, &v, p));
	v = numbers(2, 0, 0); /* B1: it waits without one */
	assert_false(holds(&cfg, 0, &v, p));
	v = numbers(2, 3, 1); /* B1: in R with one */
	assert_false(holds(&cfg, 0, &v, p));
	v = numbers(2, 1, 0); /* B2: it was not its turn */
	assert_true(holds(&cfg, 0, &v, p));
	assert_false(holds(&cfg, 1, &v, p));
	/* exercise-2 has one as soon as it begins to look */
	p[1] = proc(LOOK, 2, 1, 0);
	v = numbers(2, 1, 0);
	assert_true(holds(&exercise, 0, &v, p));
	assert_true(holds(&exercise, 1, &v, p));
	v = numbers(2, 0, 0);
	assert_false(holds(&exercise, 0, &v, p));
}

static void numbers_above_1_can_be_raised(void **state)
{
	struct wicket_proc p[] = { proc(PUT, 1, 0, 1), proc(PUT, 2, 0, 2),
				   proc(WAIT, 3, 1, 0) };
	struct wicket_value v = numbers(0, 1, 2);

	(void)state;
	raise(&cfg, &v, p, 10);
	assert_value(v, 0 | 1 << 16 | (uint64_t)12 << 32, 0, 0, 0);
	assert_int_equal(p[0].local[TEMP], 1);
	assert_int_equal(p[1].local[TEMP], 12);
	assert_int_equal(p[2].local[TEMP], 0);
}

static void the_cap_is_twice_n_unless_given(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	assert_false(beyond(&c, numbers(1, 6, 2)));
	assert_true(beyond(&c, numbers(1, 2, 7)));
	c.cap = 7;
	assert_false(beyond(&c, numbers(1, 2, 7)));
}

static void texts(void **state)
{
	struct wicket_value v = numbers(0, 12, 3);

	(void)state;
	assert_shows(&wicket_bakery_n, &cfg, &v, "number=0,12,3");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(TAKE, 1, 0, 0),
			  "take a number");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(ONE, 1, 0, 0),
			  "number := 1");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(LOOK, 1, 2, 0),
			  "look at 2");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(PUT, 1, 0, 4),
			  "number := 5");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(WAIT, 1, 3, 0),
			  "await 3");
	assert_shows_step(&wicket_bakery_n, &cfg, proc(LEAVE, 1, 0, 0),
			  "number := 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(every_process_has_its_own_number),
		cmocka_unit_test(a_number_is_above_all),
		cmocka_unit_test(the_mutant_looks_first),
		cmocka_unit_test(exercise_2_puts_1_first),
		cmocka_unit_test(the_lesser_number_comes_first),
		cmocka_unit_test(of_equal_numbers_the_lesser_process),
		cmocka_unit_test(leaving_gives_the_number_back),
		cmocka_unit_test(regions_and_accesses),
		cmocka_unit_test(invariants_hold_and_fail),
		cmocka_unit_test(numbers_above_1_can_be_raised),
		cmocka_unit_test(the_cap_is_twice_n_unless_given),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("bakery-n", tests, NULL, NULL);
}
