/* SPDX-License-Identifier: MIT */
/* registers - what algorithms on single-writer registers share. */
#include "../unit.h"

#include "algo/registers.h"

static void a_process_owns_its_bit(void **state)
{
	const struct wicket_cfg c = { .n = 4, .k = 1 };

	(void)state;
	assert_int_equal(wicket_one_each(&c), 4);
	assert_int_equal(wicket_own_bit(&c, 2).owner, 3);
	assert_int_equal(wicket_own_bit(&c, 2).range, 2);
	assert_value(wicket_own_bit(&c, 2).start, 0, 0, 0, 0);
	assert_int_equal(wicket_known(&c, 3).self, 3);
	assert_int_equal(wicket_known(&c, 3).pc, 0);
}

static void a_region_is_rest_or_leave_or_else(void **state)
{
	(void)state;
	assert_int_equal(wicket_region_without_exit(1, 0), WICKET_REMAINDER);
	assert_int_equal(wicket_region_without_exit(0, 1), WICKET_CRITICAL);
	assert_int_equal(wicket_region_without_exit(0, 0), WICKET_TRYING);
}

static void a_product_that_does_not_fit_is_0(void **state)
{
	(void)state;
	assert_int_equal(wicket_power(7, 0), 1);
	assert_int_equal(wicket_power(7, 3), 343);
	assert_true(wicket_power(2, 63) == (uint64_t)1 << 63);
	assert_int_equal(wicket_power(2, 64), 0);
	assert_true(wicket_power(3, 40) == 12157665459056928801u);
	assert_int_equal(wicket_power(3, 41), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_owns_its_bit),
		cmocka_unit_test(a_region_is_rest_or_leave_or_else),
		cmocka_unit_test(a_product_that_does_not_fit_is_0),
	};

	return cmocka_run_group_tests_name("registers", tests, NULL, NULL);
}
