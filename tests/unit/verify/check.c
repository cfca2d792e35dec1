/* SPDX-License-Identifier: MIT */
/*
 * check - one system, its counts, bounds and verdicts; and that a limit may
 * keep a verdict open but never changes it.
 */
#include <stdbool.h>
#include <sysexits.h>

#include "named.h"

#include "verify/check.h"

/* Those properties of the set, and all invariants. */
static struct task task_of(const char *name, uint32_t n, uint32_t k,
			   uint32_t claims)
{
	struct named s = named(name, n, k);
	struct task t = { .name = name, .algo = s.algo, .cfg = s.cfg };
	uint32_t count = 0;

	for (int i = 0; properties[i]; i++) {
		if (claims & properties[i]->claim &&
		    !property_unfit(s.algo, properties[i]->name))
			t.property[count++] = properties[i]->name;
	}
	for (int i = 0; s.algo->invariants && s.algo->invariants[i].name; i++)
		t.property[count++] = s.algo->invariants[i].name;
	return t;
}

/* What the algorithm's paper discusses, and all invariants. */
static struct task task(const char *name, uint32_t n, uint32_t k)
{
	return task_of(name, n, k, named(name, n, k).algo->discusses);
}

static void assert_check(const char *name, uint32_t n, uint32_t k, int exits)
{
	struct task t = task(name, n, k);
	struct check c;

	check_run(&c, &t);
	assert_of(name, c.complete);
	assert_of(name, c.end == BUDGET_LEFT);
	assert_of(name, check_exit(&c) == exits);
	check_free(&c);
}

static void what_holds_and_what_fails(void **state)
{
	(void)state;
	assert_check("queue", 3, 2, 0);
	assert_check("colored", 3, 1, 0);
	assert_check("bank", 3, 1, 0);
	assert_check("bank", 3, 2, 1);
	assert_check("semaphore", 2, 1, 1);
	assert_check("colored@quant-zero", 3, 1, 1);
}

/* Of queue 3 2: 55 states (see equiv.c), 16 lines. */
static void counts(void **state)
{
	struct task t = task("queue", 3, 2);
	struct check c;

	(void)state;
	check_run(&c, &t);
	assert_ptr_equal(c.task, &t);
	assert_int_equal(c.states, 55);
	assert_int_equal(c.transitions, 3 * 55);
	assert_int_equal(c.shared_values, 16);
	assert_int_equal(c.upper_bound, 16);
	assert_int_equal(c.findings, 7);
	assert_string_equal(c.finding[0].property, "k-exclusion");
	assert_string_equal(c.finding[6].property, "Q2");
	check_free(&c);
}

static struct check counted(const char *name, uint32_t n, uint32_t k)
{
	struct task t = task(name, n, k);
	struct check c;

	t.property[0] = NULL;
	check_run(&c, &t);
	assert_of(name, c.findings == 0);
	check_free(&c);
	return c;
}

static uint64_t lower(const char *name, uint32_t n, uint32_t k)
{
	return counted(name, n, k).lower_bound;
}

static uint64_t upper(const char *name, uint32_t n, uint32_t k)
{
	return counted(name, n, k).upper_bound;
}

/* Theorem 5.8: k C(N-k-1, 2) + N-k-1 if N >= k+2 */
static void the_lower_bound_of_theorem_5_8(void **state)
{
	(void)state;
	assert_int_equal(lower("queue", 3, 1), 0 + 1);
	assert_int_equal(lower("queue", 3, 2), 0);
	assert_int_equal(lower("numbered", 4, 1), 1 + 2);
	assert_int_equal(lower("numbered", 5, 2), 2 * 1 + 2);
	assert_int_equal(lower("numbered", 6, 2), 2 * 3 + 3);
	/* it is about those who solve the problem */
	assert_int_equal(lower("semaphore", 6, 2), 0);
	assert_int_equal(lower("bank:numbered", 5, 2), 0);
	assert_int_equal(lower("queue@lifo", 3, 1), 0);
}

static void the_upper_bound_is_the_algorithms(void **state)
{
	(void)state;
	assert_int_equal(upper("semaphore", 3, 2), 3);
	assert_int_equal(upper("colored", 3, 1), 2 * 6 * 6);
	assert_int_equal(upper("numbered", 3, 1), 0);
	/* a mutant keeps to nothing */
	assert_int_equal(upper("semaphore@no-test", 3, 2), 0);
}

static void exit_codes(void **state)
{
	struct check c = { .findings = 2 };

	(void)state;
	c.finding[0].verdict = HOLDS;
	c.finding[1].verdict = HOLDS;
	assert_int_equal(check_exit(&c), 0);
	c.finding[0].verdict = UNDECIDED;
	c.end = BUDGET_MEMORY;
	assert_int_equal(check_exit(&c), EX_UNAVAILABLE);
	c.end = BUDGET_TIME;
	assert_int_equal(check_exit(&c), EX_TEMPFAIL);
	c.finding[0].verdict = HOLDS;
	c.premise.there = true;
	c.premise.finding.verdict = UNDECIDED;
	c.premise.end = BUDGET_MEMORY;
	assert_int_equal(check_exit(&c), EX_UNAVAILABLE);
	c.premise.finding.verdict = HOLDS;
	assert_int_equal(check_exit(&c), 0);
	c.premise.finding.verdict = FAILS;
	assert_int_equal(check_exit(&c), 1);
	c.premise.there = false;
	c.finding[0].verdict = UNDECIDED;
	c.finding[1].verdict = FAILS; /* what is refuted is refuted */
	assert_int_equal(check_exit(&c), 1);
}

/* --- limits ------------------------------------------------------------- */

/* The same verdict as without a limit, or none. */
static bool agrees(const struct finding *f, const struct finding *unlimited)
{
	return f->verdict == UNDECIDED ||
	       (f->verdict == unlimited->verdict &&
		f->schedule.length == unlimited->schedule.length &&
		f->schedule.stem == unlimited->schedule.stem);
}

/* All properties, whether its paper discusses them or not. */
static void try_limits(const char *name, uint32_t n, uint32_t k, size_t by)
{
	struct task t = task_of(name, n, k, UINT32_MAX);
	struct check unlimited, c;
	uint32_t limits = 0, open;

	check_run(&unlimited, &t);
	assert_of(name, unlimited.complete);
	do {
		t.limits.memory += by;
		check_run(&c, &t);
		limits++;
		open = 0;
		for (uint32_t i = 0; i < c.findings; i++) {
			assert_of(name,
				  agrees(&c.finding[i], &unlimited.finding[i]));
			open += c.finding[i].verdict == UNDECIDED;
		}
		assert_of(name, !open || c.end == BUDGET_MEMORY);
		assert_of(name, c.complete || c.states <= unlimited.states);
		check_free(&c);
	} while (open);
	assert_of(name, limits > 10);
	check_free(&unlimited);
}

static void a_time_limit_leaves_verdicts_open(void **state)
{
	struct task t = task("colored", 4, 2);
	struct check c;

	(void)state;
	t.limits.timeout = 1e-9; /* over before the first state is expanded */
	check_run(&c, &t);
	assert_false(c.complete);
	assert_int_equal(c.end, BUDGET_TIME);
	assert_int_equal(check_exit(&c), EX_TEMPFAIL);
	check_free(&c);
}

static void a_memory_limit_never_changes_a_verdict(void **state)
{
	(void)state;
	try_limits("semaphore", 3, 1, 64);
	try_limits("semaphore@no-test", 3, 2, 64);
	try_limits("queue@lifo", 3, 2, 64);
	try_limits("queue", 3, 2, 64);
	try_limits("numbered", 4, 1, 64);
	try_limits("colored", 3, 1, 64);
	try_limits("bank", 3, 2, 64);
	try_limits("one-bit@no-want", 3, 1, 64);
	try_limits("bakery-2", 2, 1, 64);
	try_limits("bakery@keep", 2, 1, 512);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_holds_and_what_fails),
		cmocka_unit_test(counts),
		cmocka_unit_test(the_lower_bound_of_theorem_5_8),
		cmocka_unit_test(the_upper_bound_is_the_algorithms),
		cmocka_unit_test(exit_codes),
		cmocka_unit_test(a_time_limit_leaves_verdicts_open),
		cmocka_unit_test(a_memory_limit_never_changes_a_verdict),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
