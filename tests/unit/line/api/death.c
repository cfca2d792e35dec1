/* SPDX-License-Identifier: MIT */
/* death - the slot of a killed process is given back, and its next holder is
   told. */
#include "../api.h"

static void who_is_killed_inside_gives_the_slot_back(void **state)
{
	struct wicket *line = new_line(1, 4);

	(void)state;
	slay(new_holder());
	assert_int_equal(enter(line).flags, WICKET_DIED);
	assert_int_equal(view_of(line).recovered, 1);
	leave(line);
	/* told once */
	assert_int_equal(enter(line).flags, 0);
}

static void death_is_told_of_the_slot(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();
	struct wicket_grant grant;
	struct peer *p;

	(void)state;
	enter(a);
	p = new_peer();
	grant = ask(p, 'a').grant;
	assert_int_equal(grant.slot, 1);
	slay(p);
	leave(a);
	grant = enter(a);
	assert_int_equal(grant.flags, grant.slot == 1 ? WICKET_DIED : 0);
	grant = enter(b);
	assert_int_equal(grant.flags, grant.slot == 1 ? WICKET_DIED : 0);
}

static void nobody_died_inside(void **state)
{
	struct wicket *line = new_line(1, 4);
	struct peer *p;

	(void)state;
	enter(line);
	slay(new_waiter(line));
	leave(line);
	assert_int_equal(enter(line).flags, 0);
	leave(line);

	p = new_holder();
	assert_int_equal(ask(p, 'r').result, 0);
	slay(p);
	assert_int_equal(enter(line).flags, 0);
	assert_int_equal(view_of(line).recovered, 0);
}

static void an_heir_that_has_gone_passes_it_on(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder(), *q;

	(void)state;
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	q = new_waiter(a);
	slay(q);
	slay(p);
	assert_int_equal(enter(a).flags, WICKET_DIED);
	leave(a);
	assert_int_equal(enter(b).flags, 0);
	assert_int_equal(view_of(a).recovered, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(who_is_killed_inside_gives_the_slot_back),
		test(death_is_told_of_the_slot),
		test(nobody_died_inside),
		test(an_heir_that_has_gone_passes_it_on),
	};

	return cmocka_run_group_tests_name("api-death", tests, tidy_up_at_exit,
					   NULL);
}
