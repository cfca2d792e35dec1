/* SPDX-License-Identifier: MIT */
/*
 * bakery - Ben-Ari, 5.3, at the grain of single reads and writes.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/bakery.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t j,
			       uint64_t number)
{
	return (struct wicket_proc){ .pc = pc,
				     .self = i,
				     .local = { j, number } };
}

static void each_process_owns_a_number_and_a_bit(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .cap = 9 };

	(void)state;
	assert_int_equal(registers(&cfg), 6);
	assert_int_equal(reg(&cfg, 1).owner, 2);
	assert_int_equal(reg(&cfg, 1).range, 7);
	assert_int_equal(reg(&c, 1).range, 10);
	assert_int_equal(reg(&cfg, 4).owner, 2);
	assert_int_equal(reg(&cfg, 4).range, 2);
	assert_null(refuse(&cfg));
	c.k = 2;
	assert_non_null(refuse(&c));
}

static void accesses(void **state)
{
	(void)state;
	assert_access(proc(CHOOSE, 2, 0, 0), WICKET_STORE, 4);
	assert_access(proc(LOOK, 2, 3, 0), WICKET_LOAD, 2);
	assert_access(proc(TAKE, 2, 0, 0), WICKET_STORE, 1);
	assert_access(proc(CHOSEN, 2, 0, 1), WICKET_STORE, 4);
	assert_access(proc(ASK, 2, 3, 1), WICKET_AWAIT, 5);
	assert_access(proc(WAIT, 2, 3, 1), WICKET_AWAIT, 2);
	assert_access(proc(LEAVE, 2, 0, 0), WICKET_STORE, 1);
}

static void regions(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, wicket_bakery.start(&cfg, 2)),
			 WICKET_REMAINDER);
	for (uint16_t pc = LOOK; pc <= WAIT; pc++)
		assert_int_equal(region(&cfg, proc(pc, 2, 1, 1)),
				 WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 2, 0, 0)), WICKET_CRITICAL);
}

static void the_maximum_of_the_others_plus_1(void **state)
{
	(void)state;
	assert_write(proc(CHOOSE, 2, 0, 0), 1, proc(LOOK, 2, 1, 0));
	assert_step(proc(LOOK, 2, 1, 0), 5, proc(LOOK, 2, 3, 5));
	assert_step(proc(LOOK, 2, 3, 5), 4, proc(TAKE, 2, 0, 5));
	assert_step(proc(LOOK, 3, 2, 5), 6, proc(TAKE, 3, 0, 6));
	assert_write(proc(TAKE, 2, 0, 5), 6, proc(CHOSEN, 2, 0, 6));
	assert_write(proc(CHOSEN, 2, 0, 6), 0, proc(ASK, 2, 1, 6));
	assert_write(proc(CHOSEN, 1, 0, 6), 0, proc(ASK, 1, 2, 6));
}

static void who_is_choosing_is_waited_for(void **state)
{
	(void)state;
	assert_step(proc(ASK, 2, 1, 6), 1, proc(ASK, 2, 1, 6));
	assert_step(proc(ASK, 2, 1, 6), 0, proc(WAIT, 2, 1, 6));
}

static void so_is_whoever_comes_before(void **state)
{
	(void)state;
	assert_step(proc(WAIT, 2, 1, 6), 5, proc(WAIT, 2, 1, 6));
	assert_step(proc(WAIT, 2, 1, 6), 6, proc(WAIT, 2, 1, 6));
	assert_step(proc(WAIT, 2, 1, 6), 7, proc(ASK, 2, 3, 6));
	assert_step(proc(WAIT, 2, 1, 6), 0, proc(ASK, 2, 3, 6));
	assert_step(proc(WAIT, 2, 3, 6), 5, proc(WAIT, 2, 3, 6));
	assert_step(proc(WAIT, 2, 3, 6), 6, proc(LEAVE, 2, 0, 0));
	assert_write(proc(LEAVE, 2, 0, 0), 0, wicket_bakery.start(&cfg, 2));
}

static void mutants_do_what_they_say(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_result r;

	(void)state;
	c.mutant = NO_CHOOSING;
	assert_write_of(&c, proc(CHOOSE, 2, 0, 0), 0, proc(LOOK, 2, 1, 0));
	c.mutant = KEEP;
	r = step(&c, proc(WAIT, 2, 3, 6), wicket_number(0));
	assert_write_of(&c, r.proc, 6, wicket_bakery.start(&cfg, 2));
}

static void invariants_hold_and_fail(void **state)
{
	struct wicket_proc p[] = { proc(CHOOSE, 1, 0, 0), proc(TAKE, 2, 0, 3),
				   proc(LEAVE, 3, 0, 0) };
	struct wicket_value v[6] = { [2] = { { 3 } }, [4] = { { 1 } } };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	assert_true(holds(&cfg, 1, v, p));
	v[4] = wicket_number(0);
	assert_true(holds(&cfg, 0, v, p));
	assert_false(holds(&cfg, 1, v, p));
	v[2] = wicket_number(0);
	assert_false(holds(&cfg, 0, v, p));
	v[2] = v[0] = wicket_number(3);
	assert_false(holds(&cfg, 0, v, p));
}

static void numbers_above_1_can_be_raised(void **state)
{
	struct wicket_proc p[] = { proc(TAKE, 1, 0, 1), proc(TAKE, 2, 0, 2),
				   proc(ASK, 3, 1, 4) };
	struct wicket_value v[6] = {
		[1] = { { 1 } }, [2] = { { 4 } }, [4] = { { 1 } }
	};

	(void)state;
	raise(&cfg, v, p, 10);
	assert_int_equal(v[0].w[0], 0);
	assert_int_equal(v[1].w[0], 1);
	assert_int_equal(v[2].w[0], 14);
	assert_int_equal(v[4].w[0], 1);
	assert_int_equal(p[0].local[NUMBER], 1);
	assert_int_equal(p[1].local[NUMBER], 12);
	assert_int_equal(p[2].local[NUMBER], 14);
}

static void texts(void **state)
{
	struct wicket_value v[6] = { [1] = { { 12 } }, [3] = { { 1 } } };

	(void)state;
	assert_shows(&wicket_bakery, &cfg, v, "number=0,12,0 choosing=100");
	assert_shows_step(&wicket_bakery, &cfg, proc(CHOOSE, 1, 0, 0),
			  "choosing := 1");
	assert_shows_step(&wicket_bakery, &cfg, proc(LOOK, 1, 2, 0),
			  "look at number 2");
	assert_shows_step(&wicket_bakery, &cfg, proc(TAKE, 1, 0, 3),
			  "number := 4");
	assert_shows_step(&wicket_bakery, &cfg, proc(CHOSEN, 1, 0, 3),
			  "choosing := 0");
	assert_shows_step(&wicket_bakery, &cfg, proc(ASK, 1, 2, 3),
			  "await choosing 2");
	assert_shows_step(&wicket_bakery, &cfg, proc(WAIT, 1, 2, 3),
			  "await number 2");
	assert_shows_step(&wicket_bakery, &cfg, proc(LEAVE, 1, 0, 0),
			  "number := 0");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_bakery, 0, &c, proc(CHOOSE, 2, 1, 1), "F-F----");
	c.mutant = UNFENCED_CHOOSING;
	assert_fences(&wicket_bakery, 0, &c, proc(CHOOSE, 2, 1, 1), "--F----");
	c.mutant = UNFENCED_NUMBER;
	assert_fences(&wicket_bakery, 0, &c, proc(CHOOSE, 2, 1, 1), "F------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_process_owns_a_number_and_a_bit),
		cmocka_unit_test(accesses),
		cmocka_unit_test(regions),
		cmocka_unit_test(the_maximum_of_the_others_plus_1),
		cmocka_unit_test(who_is_choosing_is_waited_for),
		cmocka_unit_test(so_is_whoever_comes_before),
		cmocka_unit_test(mutants_do_what_they_say),
		cmocka_unit_test(invariants_hold_and_fail),
		cmocka_unit_test(numbers_above_1_can_be_raised),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("bakery", tests, NULL, NULL);
}
