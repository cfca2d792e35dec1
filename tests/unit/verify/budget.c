/* SPDX-License-Identifier: MIT */
/* budget - arrays that ask before they grow, and time that runs out. */
#include "../unit.h"

#include "verify/explore/budget.h"

static void a_store_grows_and_keeps_what_is_in_it(void **state)
{
	struct store s = { NULL, 0 };
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .memory = 1 << 20, .threads = 1 });
	for (uint32_t i = 0; i < 1000; i++) {
		assert_true(store_room(&s, &b, (i + 1) * sizeof(i)));
		assert_true(s.room >= (i + 1) * sizeof(i));
		assert_int_equal(b.used, s.room);
		((uint32_t *)s.base)[i] = i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(((uint32_t *)s.base)[i], i);
	/* it does not shrink */
	assert_true(store_room(&s, &b, 1));
	assert_true(s.room >= 4000);
	store_free(&s, &b);
	assert_int_equal(b.used, 0);
	assert_null(s.base);
	store_free(&s, &b);
	assert_int_equal(b.used, 0);
	assert_int_equal(b.end, BUDGET_LEFT);
}

static void stores_share_the_limit(void **state)
{
	struct store s = { NULL, 0 }, t = { NULL, 0 };
	struct budget b;
	size_t room;

	(void)state;
	budget_start(&b, &(struct limits){ .memory = 1000, .threads = 1 });
	assert_true(store_room(&s, &b, 400));
	assert_true(store_room(&t, &b, 100));
	room = s.room;
	assert_true(b.used <= 1000);
	assert_int_equal(b.used, s.room + t.room);
	((char *)s.base)[399] = 'x';
	assert_false(store_room(&s, &b, 1000));
	assert_int_equal(b.end, BUDGET_MEMORY);
	/* as it was */
	assert_int_equal(s.room, room);
	assert_int_equal(((char *)s.base)[399], 'x');
	assert_int_equal(b.used, s.room + t.room);
	store_free(&s, &b);
	store_free(&t, &b);
	assert_int_equal(b.used, 0);
}

static void a_limit_is_reached_but_not_passed(void **state)
{
	struct store s = { NULL, 0 };
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .threads = 1 });
	assert_true(store_room(&s, &b, 400));
	b.limit = s.room;
	store_free(&s, &b);
	assert_true(store_room(&s, &b, 400));
	store_free(&s, &b);
	b.limit--;
	assert_false(store_room(&s, &b, 400));
	assert_null(s.base);
	assert_int_equal(b.used, 0);
}

/* What this test itself could not do without is surely free. */
static void without_a_limit_there_is_most_of_the_memory(void **state)
{
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .threads = 1 });
	assert_true(b.limit > 1 << 20);
	assert_int_equal(b.used, 0);
}

static void time_runs_from_the_start(void **state)
{
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .threads = 1 });
	assert_true(budget_seconds(&b) >= 0);
	assert_true(budget_seconds(&b) < 1000);
	b.started -= 5000;
	assert_true(budget_seconds(&b) >= 5000);
}

static void without_a_deadline_there_is_time(void **state)
{
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .threads = 1 });
	b.progress = false;
	b.started -= 5000;
	assert_true(budget_tick(&b, "testing", 1, 0));
	assert_int_equal(b.end, BUDGET_LEFT);
}

static void before_the_deadline_there_is_time(void **state)
{
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .timeout = 5000, .threads = 1 });
	b.progress = false;
	assert_true(budget_tick(&b, "testing", 1, 2));
	assert_int_equal(b.end, BUDGET_LEFT);
	b.deadline -= 5000;
	assert_false(budget_tick(&b, "testing", 1, 2));
	assert_int_equal(b.end, BUDGET_TIME);
	/* and never again */
	b.deadline += 5000;
	assert_false(budget_tick(&b, "testing", 1, 2));
}

static void without_memory_there_is_no_time(void **state)
{
	struct budget b;

	(void)state;
	budget_start(&b, &(struct limits){ .threads = 1 });
	b.progress = false;
	b.end = BUDGET_MEMORY;
	assert_false(budget_tick(&b, "testing", 1, 2));
	assert_int_equal(b.end, BUDGET_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_grows_and_keeps_what_is_in_it),
		cmocka_unit_test(stores_share_the_limit),
		cmocka_unit_test(a_limit_is_reached_but_not_passed),
		cmocka_unit_test(without_a_limit_there_is_most_of_the_memory),
		cmocka_unit_test(time_runs_from_the_start),
		cmocka_unit_test(without_a_deadline_there_is_time),
		cmocka_unit_test(before_the_deadline_there_is_time),
		cmocka_unit_test(without_memory_there_is_no_time),
	};

	return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
