/* SPDX-License-Identifier: MIT */
/* owner - a handle belongs to the thread that opened it: not to other threads,
   not to a child. */
#include "../api.h"

struct elsewhere {
	void (*check)(struct wicket *);
	struct wicket *line;
};

static void *run_check(void *argument)
{
	struct elsewhere *e = argument;

	e->check(e->line);
	return NULL;
}

static void in_thread(void (*check)(struct wicket *), struct wicket *line)
{
	struct elsewhere e = { check, line };
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run_check, &e), 0);
	join(thread);
}

/* The first call that says anything else; NULL: none. */
static const char *other_than(struct wicket *line, int expected)
{
	struct wicket_view view;

	return wicket_acquire(line, NULL) != expected		   ? "acquire" :
	       wicket_acquire_until(line, &past, NULL) != expected ? "until" :
	       wicket_try(line, NULL) != expected		   ? "try" :
	       wicket_release(line) != expected			   ? "release" :
	       wicket_inspect(line, &view, NULL, 0) != expected	   ? "inspect" :
								     NULL;
}

static const char *said_otherwise;

static void use_as_stranger(struct wicket *line)
{
	said_otherwise = other_than(line, -EPERM);
	if (wicket_close(line) != -EPERM)
		said_otherwise = "close";
	if (wicket_cancel(line) != 0)
		said_otherwise = "cancel";
}

static void a_handle_is_its_threads(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	for (int i = 0; i < 2; i++) {
		in_thread(use_as_stranger, line);
		if (said_otherwise)
			fail_msg("%s", said_otherwise);
		if (i == 0)
			enter(line);
	}
	assert_int_equal(view_of(line).holding, 1);
	leave(line);
}

static void use_as_child(struct wicket *line)
{
	struct wicket *own;

	child_assert(!other_than(line, -ECHILD));
	child_assert(wicket_cancel(line) == -ECHILD);
	/* it has another */
	child_assert(wicket_open(&own, "line", NULL) == 0);
	child_assert(wicket_try(own, NULL) == -EAGAIN);
	child_assert(wicket_close(own) == 0);
	wicket_close(line);
}

static void in_a_child_a_handle_is_dead(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	enter(line);
	assert_int_equal(in_child(use_as_child, line), 0);
	assert_int_equal(view_of(line).holding, 1);
	leave(line);
}

static int child_result;

static void have_a_child(struct wicket *line)
{
	child_result = in_child(use_as_child, line);
}

/* Even one that never opened a line. */
static void whichever_thread_has_the_child(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	enter(line);
	in_thread(have_a_child, line);
	assert_int_equal(child_result, 0);
}

static void hold_and_go(struct wicket *unused)
{
	struct wicket *line = join_line();

	(void)unused;
	enter(line);
}

static void a_threads_exit_is_its_death(void **state)
{
	struct wicket *line = new_line(1, 3);

	(void)state;
	in_thread(hold_and_go, NULL);
	assert_int_equal(enter(line).flags, WICKET_DIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_handle_is_its_threads),
		test(in_a_child_a_handle_is_dead),
		test(whichever_thread_has_the_child),
		test(a_threads_exit_is_its_death),
	};

	return cmocka_run_group_tests_name("api-owner", tests, tidy_up_at_exit,
					   NULL);
}
