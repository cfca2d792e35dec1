/* SPDX-License-Identifier: MIT */
/*
 * equiv - FLBB 1989, 3.2: systems that are the same, systems that are not with
 * a shortest schedule that shows it, and comparisons that cannot be finished.
 */
#include <stdbool.h>

#include "named.h"

#include "verify/equiv.h"
#include "verify/explore/run.h"

static struct task task(const char *name, uint32_t n, uint32_t k)
{
	struct named s = named(name, n, k);

	return (struct task){ .name = name, .algo = s.algo, .cfg = s.cfg };
}

static struct equiv compared(const char *a, const char *b, uint32_t n,
			     uint32_t k)
{
	struct task x = task(a, n, k), y = task(b, n, k);
	struct equiv e;

	equiv_run(&e, &x, &y);
	return e;
}

static uint32_t states(const char *name, uint32_t n, uint32_t k)
{
	struct named s = named(name, n, k);
	struct budget budget;
	uint32_t count;
	struct graph g;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 }, &budget);
	count = g.states;
	graph_free(&g);
	return count;
}

static void assert_equal(const char *a, const char *b, uint32_t n, uint32_t k)
{
	struct equiv e = compared(a, b, n, k);

	assert_of(b, e.verdict == HOLDS);
	assert_of(b, e.end == BUDGET_LEFT);
	assert_of(b, e.pairs > 0);
	assert_of(b, !e.schedule.label);
	equiv_free(&e);
}

/* The regions of both after a schedule, counted in base n, of this length. */
static bool differ(const struct task *a, const struct task *b, uint32_t length,
		   uint32_t schedule)
{
	struct run x, y;
	bool differs = false;

	run_start(&x, a->algo, &a->cfg, &a->world);
	run_start(&y, b->algo, &b->cfg, &b->world);
	for (; length--; schedule /= a->cfg.n) {
		uint16_t label = deed_label(schedule % a->cfg.n, DEED_STEP, 0);

		run_do(&x, label);
		run_do(&y, label);
	}
	for (uint32_t i = 0; i < a->cfg.n; i++)
		differs |= run_region(&x, i) != run_region(&y, i);
	return differs;
}

/* Told apart by a schedule of this length, and by none that is shorter. */
static void assert_differ(const char *a, const char *b, uint32_t n, uint32_t k,
			  uint32_t length)
{
	struct task x = task(a, n, k), y = task(b, n, k);
	struct equiv e = compared(a, b, n, k);
	uint32_t all = 1, witness = 0;

	assert_of(b, e.verdict == FAILS);
	assert_of(b, e.schedule.length == length);
	assert_of(b, !e.schedule.infinite);
	for (uint32_t l = 0; l < length; l++, all *= n) {
		for (uint32_t s = 0; s < all; s++)
			assert_of(b, !differ(&x, &y, l, s));
	}
	for (uint32_t t = length; t--;) {
		uint32_t i = deed_who(e.schedule.label[t]);

		assert_of(b, i < n);
		assert_of(b,
			  e.schedule.label[t] == deed_label(i, DEED_STEP, 0));
		witness = witness * n + i;
	}
	assert_of(b, differ(&x, &y, length, witness));
	equiv_free(&e);
}

static void the_ticket_family_is_one(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 4; n++) {
		for (uint32_t k = 1; k < n; k++) {
			assert_equal("queue", "numbered", n, k);
			assert_equal("queue", "unbounded-colored", n, k);
			assert_equal("colored:tight", "queue", n, k);
			assert_equal("queue:1979", "colored-1979", n, k);
		}
	}
	assert_equal("colored:stack", "colored", 3, 2);
	assert_equal("queue", "colored", 3, 2);
	assert_equal("queue", "colored", 4, 1);
	assert_equal("colored", "colored:tight", 4, 2);
}

static void so_are_banks_with_equal_lines(void **state)
{
	(void)state;
	assert_equal("bank:queue", "bank:numbered", 3, 2);
	assert_equal("bank", "bank:colored", 3, 2);
	assert_equal("bank:colored:stack", "bank:colored", 3, 2);
	assert_equal("bank:queue:1979", "bank:colored-1979", 3, 2);
	assert_equal("bank:unbounded-colored", "bank:colored:tight", 3, 1);
}

/*
 * Each state is paired with itself only.  Lines of 0, 1, 2 and 3 processes:
 * 1 + 3 * 2 + 6 * 4 + 6 * 4 states, as the first two may have looked or not.
 */
static void a_system_is_equal_to_itself(void **state)
{
	struct equiv e = compared("queue", "queue", 3, 2);

	(void)state;
	assert_int_equal(e.verdict, HOLDS);
	assert_int_equal(e.pairs, 1 + 6 + 24 + 24);
	equiv_free(&e);
	/* so many that the table of pairs has to grow */
	e = compared("colored", "colored", 4, 2);
	assert_int_equal(e.verdict, HOLDS);
	assert_int_equal(e.pairs, states("colored", 4, 2));
	equiv_free(&e);
}

/* Who enters an empty line is in C, or has yet to look. */
static void the_grain_of_1979_shows_in_one_step(void **state)
{
	(void)state;
	assert_differ("queue", "queue:1979", 2, 1, 1);
	assert_differ("queue:1979", "queue", 3, 2, 1);
	assert_differ("colored", "colored-1979", 3, 2, 1);
	assert_differ("bank", "queue", 3, 2, 1);
}

/* One is inside, one waits, the first leaves and is there again at once. */
static void a_semaphore_forgets_who_was_first(void **state)
{
	(void)state;
	assert_differ("queue", "semaphore", 2, 1, 4);
	assert_differ("semaphore", "numbered", 3, 1, 4);
	assert_differ("queue", "semaphore", 3, 2, 5);
}

static void planted_bugs_show(void **state)
{
	(void)state;
	/* the second newcomer stands in front of the first */
	assert_differ("queue", "queue@lifo", 2, 1, 2);
	/* 1 enters, 1 leaves, 2 finds 1 still in line */
	assert_differ("queue", "queue@no-remove", 2, 1, 3);
	assert_differ("numbered", "numbered@no-validate", 2, 1, 3);
}

/* For neither graph, for one of them, for both but not for the product. */
static void try_limits(const char *first, const char *second,
		       enum verdict verdict)
{
	struct task a = task(first, 3, 2), b = task(second, 3, 2);
	uint32_t limits = 0;
	struct equiv e;

	do {
		a.limits.memory += 512;
		limits++;
		equiv_run(&e, &a, &b);
		assert_of(first,
			  e.verdict == UNDECIDED || e.verdict == verdict);
		assert_of(first,
			  (e.verdict == UNDECIDED) == (e.end == BUDGET_MEMORY));
		assert_of(first, (e.verdict == FAILS) == !!e.schedule.label);
		equiv_free(&e);
	} while (e.verdict == UNDECIDED);
	assert_of(first, limits > 50);
}

static void a_comparison_may_run_out_of_memory(void **state)
{
	(void)state;
	try_limits("queue", "colored:tight", HOLDS);
	try_limits("colored:tight", "queue", HOLDS);
	try_limits("colored:tight", "semaphore", FAILS);
}

static void a_comparison_may_run_out_of_time(void **state)
{
	struct task a = task("colored", 4, 3), b = task("queue", 4, 3);
	struct equiv e;

	(void)state;
	a.limits.timeout = 1e-9; /* over before the first state is expanded */
	equiv_run(&e, &a, &b);
	assert_int_equal(e.verdict, UNDECIDED);
	assert_int_equal(e.end, BUDGET_TIME);
	equiv_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ticket_family_is_one),
		cmocka_unit_test(so_are_banks_with_equal_lines),
		cmocka_unit_test(a_system_is_equal_to_itself),
		cmocka_unit_test(the_grain_of_1979_shows_in_one_step),
		cmocka_unit_test(a_semaphore_forgets_who_was_first),
		cmocka_unit_test(planted_bugs_show),
		cmocka_unit_test(a_comparison_may_run_out_of_time),
		cmocka_unit_test(a_comparison_may_run_out_of_memory),
	};

	return cmocka_run_group_tests_name("equiv", tests, NULL, NULL);
}
