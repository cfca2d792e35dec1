/* SPDX-License-Identifier: MIT */
/* semaphore - the counter of FLBB 1989, 1.3.1, step by step. */
#include "../unit.h"

#include "algo/semaphore.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 2 };

static struct wicket_proc proc(uint16_t pc)
{
	return (struct wicket_proc){ .pc = pc };
}

static void assert_step(uint32_t mutant, uint16_t pc, uint64_t count,
			uint16_t then, uint64_t put)
{
	struct wicket_cfg c = cfg;
	struct wicket_result r;

	c.mutant = mutant;
	r = step(&c, proc(pc), wicket_number(count));
	assert_int_equal(r.proc.pc, then);
	assert_value(r.put, put, 0, 0, 0);
}

static void who_finds_a_slot_enters(void **state)
{
	(void)state;
	assert_step(0, TAKE, 0, GIVE, 1);
	assert_step(0, TAKE, 1, GIVE, 2);
	assert_step(0, TEST, 1, GIVE, 2);
}

static void who_finds_none_tries_again(void **state)
{
	(void)state;
	assert_step(0, TAKE, 2, TEST, 2);
	assert_step(0, TEST, 2, TEST, 2);
}

static void who_leaves_gives_back(void **state)
{
	(void)state;
	assert_step(0, GIVE, 2, TAKE, 1);
	assert_step(0, GIVE, 1, TAKE, 0);
}

static void planted_bugs(void **state)
{
	(void)state;
	assert_step(NO_TEST, TAKE, 2, GIVE, 3);
	assert_step(NO_TEST, TEST, 2, GIVE, 3);
	assert_step(NO_TEST, GIVE, 3, TAKE, 2);
	assert_step(NO_COUNT, TAKE, 1, GIVE, 2);
	assert_step(NO_COUNT, TAKE, 2, TEST, 2);
	assert_step(NO_COUNT, GIVE, 2, TAKE, 2);
}

static void s1_counts_who_is_inside(void **state)
{
	/* there is no fourth process */
	struct wicket_proc p[] = { proc(GIVE), proc(TAKE), proc(TEST),
				   proc(GIVE) };
	struct wicket_value v = wicket_number(1);

	(void)state;
	assert_true(holds(&cfg, 0, &v, p));
	v = wicket_number(2);
	assert_false(holds(&cfg, 0, &v, p));
	p[2] = proc(GIVE);
	assert_true(holds(&cfg, 0, &v, p));
}

static void s2_limits_the_count(void **state)
{
	struct wicket_proc p[3] = { 0 };
	struct wicket_value v = wicket_number(2);

	(void)state;
	assert_true(holds(&cfg, 1, &v, p));
	v = wicket_number(3);
	assert_false(holds(&cfg, 1, &v, p));
}

static void the_register_counts_to_k(void **state)
{
	struct wicket_register r = reg(&cfg, 0);

	(void)state;
	assert_value(r.start, 0, 0, 0, 0);
	assert_int_equal(r.range, 3);
	assert_int_equal(r.owner, 0);
	assert_int_equal(bound(&cfg), 3);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(2), wicket_number(1) };

	(void)state;
	assert_shows(&wicket_semaphore, &cfg, v, "COUNT=2");
	assert_shows_step(&wicket_semaphore, &cfg, proc(TAKE), "take if free");
	assert_shows_step(&wicket_semaphore, &cfg, proc(TEST), "take if free");
	assert_shows_step(&wicket_semaphore, &cfg, proc(GIVE), "give back");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_finds_a_slot_enters),
		cmocka_unit_test(who_finds_none_tries_again),
		cmocka_unit_test(who_leaves_gives_back),
		cmocka_unit_test(planted_bugs),
		cmocka_unit_test(s1_counts_who_is_inside),
		cmocka_unit_test(s2_limits_the_count),
		cmocka_unit_test(the_register_counts_to_k),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("semaphore", tests, NULL, NULL);
}
