/* SPDX-License-Identifier: MIT */
/*
 * one-bit - Ben-Ari, 5.8, at the grain of single reads and writes: which
 * register each program counter uses, how, and what follows.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/one-bit.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t j)
{
	return (struct wicket_proc){ .pc = pc, .self = i, .local = { j } };
}

static void it_is_mutual_exclusion(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2 };

	(void)state;
	assert_null(refuse(&cfg));
	assert_string_equal(refuse(&c),
			    "one-bit is mutual exclusion: k must be 1");
}

static void each_process_owns_a_bit(void **state)
{
	(void)state;
	assert_int_equal(wicket_one_bit.registers(&cfg), 3);
	for (uint32_t r = 0; r < 3; r++) {
		assert_value(wicket_one_bit.reg(&cfg, r).start, 0, 0, 0, 0);
		assert_int_equal(wicket_one_bit.reg(&cfg, r).range, 2);
		assert_int_equal(wicket_one_bit.reg(&cfg, r).owner, r + 1);
		assert_int_equal(wicket_one_bit.start(&cfg, r + 1).self, r + 1);
		assert_int_equal(wicket_one_bit.start(&cfg, r + 1).pc, WANT);
	}
}

static void only_leave_is_critical(void **state)
{
	const enum wicket_region regions[] = {
		[WANT] = WICKET_REMAINDER, [LOOK] = WICKET_TRYING,
		[YIELD] = WICKET_TRYING,   [WAIT] = WICKET_TRYING,
		[AGAIN] = WICKET_TRYING,   [PASS] = WICKET_TRYING,
		[LEAVE] = WICKET_CRITICAL,
	};

	(void)state;
	for (uint16_t pc = WANT; pc <= LEAVE; pc++)
		assert_int_equal(region(&cfg, proc(pc, 2, 1)), regions[pc]);
}

static void writes_go_to_the_own_bit(void **state)
{
	(void)state;
	assert_access(proc(WANT, 2, 0), WICKET_STORE, 1);
	assert_access(proc(AGAIN, 2, 0), WICKET_STORE, 1);
	assert_access(proc(YIELD, 3, 1), WICKET_STORE, 2);
	assert_access(proc(LEAVE, 1, 0), WICKET_STORE, 0);
}

static void reads_go_to_the_others_bits(void **state)
{
	(void)state;
	assert_access(proc(LOOK, 3, 1), WICKET_LOAD, 0);
	assert_access(proc(LOOK, 3, 2), WICKET_LOAD, 1);
	assert_access(proc(WAIT, 3, 2), WICKET_AWAIT, 1);
	assert_access(proc(PASS, 1, 3), WICKET_AWAIT, 2);
}

static void wanting_begins_with_the_first_other_bit(void **state)
{
	(void)state;
	assert_write(proc(WANT, 1, 0), 1, proc(PASS, 1, 2));
	assert_write(proc(WANT, 2, 0), 1, proc(LOOK, 2, 1));
	assert_write(proc(WANT, 3, 0), 1, proc(LOOK, 3, 1));
	assert_write(proc(AGAIN, 2, 0), 1, proc(LOOK, 2, 1));
}

static void a_lesser_process_that_wants_goes_first(void **state)
{
	(void)state;
	assert_step(proc(LOOK, 3, 2), 1, proc(YIELD, 3, 2));
	assert_write(proc(YIELD, 3, 2), 0, proc(WAIT, 3, 2));
	assert_step(proc(WAIT, 3, 2), 1, proc(WAIT, 3, 2));
	assert_step(proc(WAIT, 3, 2), 0, proc(AGAIN, 3, 0));
}

static void looking_skips_the_own_bit(void **state)
{
	(void)state;
	assert_step(proc(LOOK, 3, 1), 0, proc(LOOK, 3, 2));
	assert_step(proc(LOOK, 2, 1), 0, proc(PASS, 2, 3));
	/* nobody comes after the last */
	assert_step(proc(LOOK, 3, 2), 0, proc(LEAVE, 3, 0));
}

static void greater_processes_are_waited_for(void **state)
{
	(void)state;
	assert_step(proc(PASS, 1, 2), 1, proc(PASS, 1, 2));
	assert_step(proc(PASS, 1, 2), 0, proc(PASS, 1, 3));
	assert_step(proc(PASS, 1, 3), 1, proc(PASS, 1, 3));
	assert_step(proc(PASS, 1, 3), 0, proc(LEAVE, 1, 0));
}

static void leaving_takes_the_bit_back(void **state)
{
	(void)state;
	assert_write(proc(LEAVE, 2, 0), 0, proc(WANT, 2, 0));
}

static void the_mutant_does_not_set_its_bit(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_result r;

	(void)state;
	c.mutant = NO_WANT;
	r = step(&c, proc(WANT, 1, 0), wicket_number(0));
	assert_value(r.put, 0, 0, 0, 0);
	assert_int_equal(r.proc.pc, PASS);
	assert_value(step(&c, proc(AGAIN, 2, 0), wicket_number(0)).put, 0, 0, 0,
		     0);
}

static void o1_wants_the_bit_set_past_oneself(void **state)
{
	/* there is no fourth process */
	struct wicket_proc p[] = { proc(PASS, 1, 2), proc(WAIT, 2, 1),
				   proc(LOOK, 3, 1), proc(LEAVE, 4, 0) };
	struct wicket_value v[] = { wicket_number(1), wicket_number(0),
				    wicket_number(0), wicket_number(0) };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	v[0] = wicket_number(0);
	assert_false(holds(&cfg, 0, v, p));
	p[0] = proc(WANT, 1, 0);
	assert_true(holds(&cfg, 0, v, p));
	p[2] = proc(LEAVE, 3, 0);
	assert_false(holds(&cfg, 0, v, p));
	v[2] = wicket_number(1);
	assert_true(holds(&cfg, 0, v, p));
}

static void n_bits_have_two_to_the_n_values(void **state)
{
	struct wicket_cfg c = { .n = 16, .k = 1 };

	(void)state;
	assert_int_equal(bound(&cfg), 8);
	assert_int_equal(bound(&c), 65536);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(0), wicket_number(1),
				    wicket_number(1) };

	(void)state;
	assert_shows(&wicket_one_bit, &cfg, v, "want=011");
	assert_shows_step(&wicket_one_bit, &cfg, proc(WANT, 2, 0), "want := 1");
	assert_shows_step(&wicket_one_bit, &cfg, proc(AGAIN, 2, 0),
			  "want := 1");
	assert_shows_step(&wicket_one_bit, &cfg, proc(YIELD, 2, 1),
			  "want := 0");
	assert_shows_step(&wicket_one_bit, &cfg, proc(LEAVE, 2, 0),
			  "want := 0");
	assert_shows_step(&wicket_one_bit, &cfg, proc(LOOK, 2, 1), "look at 1");
	assert_shows_step(&wicket_one_bit, &cfg, proc(WAIT, 2, 1), "await 1");
	assert_shows_step(&wicket_one_bit, &cfg, proc(PASS, 2, 3), "await 3");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_one_bit, 0, &c, proc(WANT, 2, 1), "F---F--");
	c.mutant = UNFENCED_WANT;
	assert_fences(&wicket_one_bit, 0, &c, proc(WANT, 2, 1), "----F--");
	c.mutant = UNFENCED_AGAIN;
	assert_fences(&wicket_one_bit, 0, &c, proc(WANT, 2, 1), "F------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_mutual_exclusion),
		cmocka_unit_test(each_process_owns_a_bit),
		cmocka_unit_test(only_leave_is_critical),
		cmocka_unit_test(writes_go_to_the_own_bit),
		cmocka_unit_test(reads_go_to_the_others_bits),
		cmocka_unit_test(wanting_begins_with_the_first_other_bit),
		cmocka_unit_test(a_lesser_process_that_wants_goes_first),
		cmocka_unit_test(looking_skips_the_own_bit),
		cmocka_unit_test(greater_processes_are_waited_for),
		cmocka_unit_test(leaving_takes_the_bit_back),
		cmocka_unit_test(the_mutant_does_not_set_its_bit),
		cmocka_unit_test(o1_wants_the_bit_set_past_oneself),
		cmocka_unit_test(n_bits_have_two_to_the_n_values),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("one-bit", tests, NULL, NULL);
}
