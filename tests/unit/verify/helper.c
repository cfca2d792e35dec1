/* SPDX-License-Identifier: MIT */
/*
 * helper - a system with one process more than its n: the last takes steps
 * like any other, but it has no region and wants nothing.
 */
#include "permit.h"

static void a_helper_takes_steps_but_has_no_region(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct run run;

	(void)state;
	run_start(&run, &permit, &c, &(struct world){ 0 });
	assert_int_equal(run.procs, 3);
	steps(&run, "111"); /* nothing is laid out yet */
	assert_int_equal(run_region(&run, 0), WICKET_TRYING);
	assert_int_equal(run_region(&run, 2), WICKET_REMAINDER);
	steps(&run, "3");
	assert_int_equal(run_region(&run, 2), WICKET_REMAINDER);
	assert_value(run.reg[0], LAID_OUT, 0, 0, 0);
	steps(&run, "1");
	assert_int_equal(run_region(&run, 0), WICKET_CRITICAL);
}

static void a_helper_that_rests_stays_as_it_is(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .mutant = LAZY };
	struct run run;

	(void)state;
	run_start(&run, &permit, &c, &(struct world){ 0 });
	steps(&run, "1131");
	assert_false(run_can(&run, deed_label(2, DEED_STEP, 0)));
	assert_value(run.reg[0], WITH_CLIENT, 0, 0, 0);
	steps(&run, "1"); /* 1 leaves, and the permit is never laid out */
	assert_false(run_can(&run, deed_label(2, DEED_STEP, 0)));
	assert_value(run.reg[0], WITH_HELPER, 0, 0, 0);
	assert_int_equal(run.actor[2].proc.pc, SERVED);
}

/*
 * The permit is with one of n clients, who is in C while the others are in R
 * or T, or laid out or with the helper, while all are in R or T.
 */
static void a_helper_is_part_of_the_state_space(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 4; n++) {
		struct wicket_cfg c = { .n = n, .k = 1 };
		uint32_t idle = 2u << n, taken = n << (n - 1), helped = 0;
		struct budget budget;
		struct graph g;

		budget_start(&budget, &(struct limits){ .threads = 1 });
		graph_explore(&g, &permit, &c, &(struct world){ 0 }, &budget);
		assert_true(g.complete);
		assert_int_equal(g.states, idle + taken);
		assert_int_equal(g.edges, (idle + taken) * (n + 1));
		for (uint32_t s = 0; s < g.states; s++) {
			uint64_t e = graph_end(&g, s) - 1;

			assert_int_equal(graph_actor(&g, e), n);
			assert_int_equal(graph_end(&g, s) - graph_first(&g, s),
					 n + 1);
			assert_int_equal(graph_regions(&g, s) >> 2 * n, 0);
			helped += graph_target(&g, e) != s;
		}
		assert_int_equal(helped, idle / 2);
		graph_free(&g);
		assert_int_equal(budget.used, 0);
	}
}

/* Clients wait for the helper: it may have stopped. */
static void a_system_that_needs_its_helper_is_not_robust(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };

	(void)state;
	assert_decided(&permit, &c, "k-exclusion", HOLDS);
	assert_decided(&permit, &c, "k-deadlock-avoidance", FAILS);
	c.mutant = LAZY;
	assert_decided(&permit, &c, "k-exclusion", HOLDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_helper_takes_steps_but_has_no_region),
		cmocka_unit_test(a_helper_that_rests_stays_as_it_is),
		cmocka_unit_test(a_helper_is_part_of_the_state_space),
		cmocka_unit_test(a_system_that_needs_its_helper_is_not_robust),
	};

	return cmocka_run_group_tests_name("helper", tests, NULL, NULL);
}
