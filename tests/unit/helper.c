/* SPDX-License-Identifier: MIT */
/*
 * helper - a system with one process more than its n: the last takes steps
 * like any other, but it has no region and wants nothing.
 */
#include "toy.h"

/*
 * A client that leaves gives its permit to the helper, who lays it out for
 * the next one.  Register 0: where the permit is.
 */
enum { WITH_CLIENT, LAID_OUT, WITH_HELPER };
enum { ASK, TAKE, GIVE, SERVE, SERVED }; /* a helper has the last two */
enum { LAZY = 1 };			 /* mutant: serves once */

static uint32_t one_more(const struct wicket_cfg *c)
{
	return c->n + 1;
}

static struct wicket_register with_helper(const struct wicket_cfg *c,
					  uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .start.w[0] = WITH_HELPER,
					 .range = 3 };
}

static struct wicket_proc client_or_helper(const struct wicket_cfg *c,
					   uint32_t i)
{
	return (struct wicket_proc){ .pc = i <= c->n ? ASK : SERVE };
}

static enum wicket_region client_region(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	(void)c;
	if (p.pc >= SERVE)
		fail_msg("a helper has no region");
	return p.pc == ASK  ? WICKET_REMAINDER :
	       p.pc == TAKE ? WICKET_TRYING :
			      WICKET_CRITICAL;
}

static struct wicket_access permit_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	(void)c;
	return wicket_ask(p.pc == SERVED ? WICKET_REST : WICKET_RMW, 0);
}

static struct wicket_result permit_step(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (p.pc == SERVE && seen.w[0] == WITH_HELPER) {
		r.put = wicket_number(LAID_OUT);
		r.proc.pc = c->mutant == LAZY ? SERVED : SERVE;
	} else if (p.pc == GIVE) {
		r.put = wicket_number(WITH_HELPER);
		r.proc.pc = ASK;
	} else if (p.pc == ASK) {
		r.proc.pc = TAKE;
	} else if (p.pc == TAKE && seen.w[0] == LAID_OUT) {
		r.put = wicket_number(WITH_CLIENT);
		r.proc.pc = GIVE;
	}
	return r;
}

static const struct wicket_algo permit = {
	.name = "permit",
	.processes = one_more,
	.registers = one_register,
	.reg = with_helper,
	.start = client_or_helper,
	.region = client_region,
	.access = permit_access,
	.step = permit_step,
};

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

		budget_start(&budget, 0, 0);
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
