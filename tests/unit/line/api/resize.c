/* SPDX-License-Identifier: MIT */
/* resize - the number of slots is changed while the line is used. */
#include "../api.h"

static uint32_t open_now(struct wicket *line)
{
	return view_of(line).open;
}

static uint32_t slots_of(struct wicket *line)
{
	return view_of(line).slots;
}

static struct wicket *resizable(uint32_t slots, uint32_t most)
{
	return open_line("line", OPTIONS(.slots = slots, .slots_max = most,
					 .seats = 12, .flags = WICKET_CREATE));
}

/* So many get in, one after the other, and the next does not. */
static void assert_room(uint32_t room)
{
	struct wicket *h[6];
	struct wicket_grant grant;
	uint32_t taken = 0;

	for (uint32_t i = 0; i <= room; i++)
		h[i] = join_line();
	for (uint32_t i = 0; i < room; i++) {
		assert_call(wicket_try(h[i], &grant), 0);
		assert_in_range(grant.slot, 0, 31);
		assert_false(taken >> grant.slot & 1);
		taken |= 1u << grant.slot;
	}
	assert_call(wicket_try(h[room], 0), -EAGAIN);
	for (uint32_t i = 0; i <= room; i++)
		close_line(h[i]);
}

static void an_idle_line_is_changed_at_once(void **state)
{
	const uint32_t steps[] = { 4, 1, 0, 3, 0, 5, 2, 2 };
	struct wicket *line = resizable(2, 5);

	(void)state;
	assert_room(2);
	for (size_t i = 0; i < LENGTH(steps); i++) {
		assert_call(wicket_resize(line, steps[i]), 0);
		assert_int_equal(slots_of(line), steps[i]);
		assert_int_equal(open_now(line), steps[i]);
		assert_room(steps[i]);
		assert_int_equal(try_open("line", OPTIONS(.slots = 2)),
				 !steps[i] || steps[i] == 2 ? 0 : -EEXIST);
	}
}

static void a_new_line_has_the_first_slots(void **state)
{
	struct wicket *a = resizable(2, 5), *b = join_line();
	struct wicket_grant grant;

	(void)state;
	for (int i = 0; i < 40; i++) {
		assert_call(wicket_acquire(a, &grant), 0);
		assert_in_range(grant.slot, 0, 1);
		assert_call(wicket_acquire(b, &grant), 0);
		assert_in_range(grant.slot, 0, 1);
		leave(a);
		leave(b);
	}
}

static void holders_finish(void **state)
{
	struct wicket *a = resizable(3, 3), *b = join_line(), *c = join_line();
	struct wicket *r = join_line();

	(void)state;
	enter(a);
	enter(b);
	enter(c);
	assert_call(wicket_resize(r, 1), 2);
	assert_int_equal(slots_of(r), 1);
	assert_int_equal(open_now(r), 3);
	leave(b);
	assert_call(wicket_try(r, 0), -EAGAIN);
	leave(a);
	assert_int_equal(open_now(r), 1);
	assert_call(wicket_try(r, 0), -EAGAIN);
	leave(c);
	assert_room(1);
}

/* Drained, with two in line: who came first enters first, and only when there are
   slots again. */
static void waiters_keep_their_places(void **state)
{
	struct wicket *line = resizable(1, 2), *r = join_line();
	struct peer *p, *q;

	(void)state;
	enter(line);
	assert_call(wicket_resize(r, 0), 1);
	p = new_waiter(line);
	q = new_waiter(line);
	leave(line);
	assert_int_equal(waiting(line), 2);
	assert_int_equal(open_now(line), 0);
	assert_call(wicket_resize(r, 1), 0);
	assert_int_equal(answer(p).result, 0);
	assert_false(has_answered(q));
	assert_int_equal(waiting(line), 1);
	assert_call(wicket_resize(r, 2), 0);
	assert_int_equal(answer(q).result, 0);
}

static void wrong_numbers_change_nothing(void **state)
{
	struct wicket *line = resizable(2, 3);

	(void)state;
	assert_call(wicket_resize(line, 4), -ERANGE);
	assert_call(wicket_resize(line, UINT32_MAX), -ERANGE);
	enter(line);
	assert_call(wicket_resize(line, 1), -EDEADLK);
	leave(line);
	assert_int_equal(slots_of(line), 2);
	assert_int_equal(try_open("line", OPTIONS(.slots = 4, .slots_max = 3)),
			 -EINVAL);
}

static void the_most_is_64_or_as_many(void **state)
{
	struct wicket *line =
		open_line("line", OPTIONS(.slots = 1, .flags = WICKET_CREATE));

	(void)state;
	assert_call(wicket_resize(line, 65), -ERANGE);
	assert_call(wicket_resize(line, 64), 0);
	line = open_line("small", OPTIONS(.slots = 1, .seats = 8,
					  .flags = WICKET_CREATE));
	assert_call(wicket_resize(line, 8), -ERANGE);
	assert_call(wicket_resize(line, 7), 0);
	line = open_line("large",
			 OPTIONS(.slots = 100, .flags = WICKET_CREATE));
	assert_call(wicket_resize(line, 101), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(an_idle_line_is_changed_at_once),
		test(a_new_line_has_the_first_slots),
		test(holders_finish),
		test(waiters_keep_their_places),
		test(wrong_numbers_change_nothing),
		test(the_most_is_64_or_as_many),
	};

	return cmocka_run_group_tests_name("api-resize", tests, tidy_up_at_exit,
					   NULL);
}
