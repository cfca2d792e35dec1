/* SPDX-License-Identifier: MIT */
/* removed - removing a line, and what is left to those who have it open. */
#include "../api.h"

static void removing_a_line_in_use(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();

	(void)state;
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	enter(b);
	assert_call(wicket_acquire_until(join_line(), &past, NULL), -ETIMEDOUT);
	leave(b);
	leave(a);
	enter(a);
	assert_call(wicket_remove("line"), -EBUSY);
	leave(a);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(entries_in(dir), 0);
	assert_call(wicket_remove("line"), -ENOENT);
}

static void removing_a_line_that_is_waited_for(void **state)
{
	struct wicket *line = new_line(1, 4);
	struct peer *p = new_holder(), *q = new_waiter(line);

	(void)state;
	assert_call(wicket_remove("line"), -EBUSY);
	assert_int_equal(ask(p, 'r').result, 0);
	assert_call(wicket_remove("line"), -EBUSY);
	assert_int_equal(answer(q).result, 0);
	assert_call(wicket_remove("line"), -EBUSY);
	/* the dead do not hold it */
	slay(q);
	assert_call(wicket_remove("line"), 0);
}

static void handles_of_a_removed_line(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line(), *fresh;
	struct wicket *viewer = view_line();

	(void)state;
	enter(a);
	leave(a);
	assert_int_equal(view_of(viewer).removed, 0);
	assert_call(wicket_remove("line"), 0);
	for (int i = 0; i < 2; i++) {
		assert_call(wicket_acquire(a, NULL), -ESTALE);
		assert_call(wicket_acquire_until(a, &past, NULL), -ESTALE);
		assert_call(wicket_try(a, NULL), -ESTALE);
		assert_call(wicket_release(a), -EPERM);
		assert_call(wicket_acquire(b, NULL), -ESTALE);
	}
	assert_int_equal(view_of(viewer).removed, 1);
	assert_int_equal(view_of(a).removed, 1);
	/* another under its name */
	fresh = new_line(3, 4);
	enter(fresh);
	assert_int_equal(view_of(fresh).slots, 3);
	assert_call(wicket_acquire(a, NULL), -ESTALE);
	close_line(a);
	close_line(b);
	close_line(viewer);
	close_line(fresh);
	assert_int_equal(entries_in(dir), 1);
}

/* A remover that is killed before it unlinks leaves what a second name of the
   file is. */
static void a_line_that_is_half_removed(void **state)
{
	char half[PATH_MAX];

	(void)state;
	close_line(new_line(1, 2));
	strcpy(half, in_dir("half"));
	assert_int_equal(link(in_dir("line"), half), 0);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(try_join("half"), -ENOENT);
	assert_int_equal(entries_in(dir), 0);

	close_line(new_line(1, 2));
	assert_int_equal(link(in_dir("line"), half), 0);
	assert_call(wicket_remove("line"), 0);
	assert_int_equal(try_create("half"), 0);
	assert_int_equal(try_join("half"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(removing_a_line_in_use),
		test(removing_a_line_that_is_waited_for),
		test(handles_of_a_removed_line),
		test(a_line_that_is_half_removed),
	};

	return cmocka_run_group_tests_name("api-removed", tests,
					   tidy_up_at_exit, NULL);
}
