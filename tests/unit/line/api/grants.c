/* SPDX-License-Identifier: MIT */
/* grants - slots are granted in the order of tickets, one per handle. */
#include "../api.h"

static void grants_come_in_the_order_of_tickets(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();
	struct wicket_grant grant;

	(void)state;
	/* M = 1 + 4 * 3 */
	for (uint32_t i = 1; i < 100; i++) {
		uint32_t slot;

		assert_call(wicket_acquire(a, &grant), 0);
		assert_int_equal(grant.flags, 0);
		assert_int_equal(grant.value, (2 * i - 1) % 13);
		assert_in_range(grant.colour, 0, 2);
		assert_in_range(grant.slot, 0, 1);
		slot = grant.slot;
		assert_call(wicket_acquire(b, &grant), 0);
		assert_int_equal(grant.value, 2 * i % 13);
		assert_int_equal(grant.slot, 1 - slot);
		leave(a);
		leave(b);
	}
}

static void a_grant_may_be_null(void **state)
{
	struct wicket *a = new_line(1, 2);

	(void)state;
	assert_call(wicket_acquire(a, NULL), 0);
	leave(a);
	assert_call(wicket_acquire_until(a, &past, NULL), 0);
	leave(a);
	assert_call(wicket_try(a, NULL), 0);
	leave(a);
}

static void nobody_overtakes(void **state)
{
	struct wicket *line = new_line(1, 8);
	struct peer *p[4];

	(void)state;
	enter(line);
	for (size_t i = 0; i < LENGTH(p); i++)
		p[i] = new_waiter(line);
	leave(line);
	for (size_t i = 0; i < LENGTH(p); i++) {
		assert_int_equal(answer(p[i]).result, 0);
		for (size_t j = i + 1; j < LENGTH(p); j++)
			assert_false(has_answered(p[j]));
		assert_call(wicket_try(line, NULL), -EAGAIN);
		assert_int_equal(ask(p[i], 'r').result, 0);
	}
	assert_call(wicket_try(line, NULL), 0);
}

/* Though nobody waits who could have looked for it. */
static void trying_finds_the_dead(void **state)
{
	struct wicket *line = new_line(1, 3);
	struct peer *p = new_holder();
	struct wicket_grant grant;

	(void)state;
	assert_call(wicket_try(line, &grant), -EAGAIN);
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	assert_call(wicket_try(line, &grant), 0);
	assert_int_equal(grant.flags, WICKET_DIED);
	leave(line);
}

static void trying_takes_no_ticket(void **state)
{
	struct wicket *a = new_line(1, 3), *b = join_line();
	struct wicket_grant grant = { 9, 9, 9, 9 }, before = grant;

	(void)state;
	enter(a);
	for (int i = 0; i < 10; i++)
		assert_call(wicket_try(b, &grant), -EAGAIN);
	assert_memory_equal(&grant, &before, sizeof(grant));
	assert_int_equal(waiting(a), 0);
	leave(a);
	assert_call(wicket_try(b, &grant), 0);
	assert_int_equal(grant.value, 1); /* the one that a handed back */
}

/* The slot goes to the next one with the ticket, which is not the first. */
static void a_ticket_nobody_came_after_is_handed_back(void **state)
{
	struct wicket *a = new_line(2, 4), *b = join_line();
	struct wicket_grant first, again, other;

	(void)state;
	assert_call(wicket_acquire(a, &first), 0);
	leave(a);
	assert_call(wicket_acquire(b, &again), 0);
	assert_int_equal(again.value, first.value);
	assert_int_equal(again.slot, first.slot);
	/* and not if somebody has come */
	assert_call(wicket_acquire(a, &other), 0);
	assert_int_equal(other.value, first.value + 1);
	assert_int_not_equal(other.slot, first.slot);
	leave(b);
	assert_call(wicket_acquire(b, &again), 0);
	assert_int_not_equal(again.value, first.value);
	assert_int_equal(again.slot, first.slot);
	leave(b);
	leave(a);
}

static void one_slot_a_handle(void **state)
{
	struct wicket *a = new_line(2, 3), *b = join_line();

	(void)state;
	assert_call(wicket_release(a), -EPERM);
	enter(a);
	assert_call(wicket_acquire(a, NULL), -EDEADLK);
	assert_call(wicket_acquire_until(a, &past, NULL), -EDEADLK);
	assert_call(wicket_try(a, NULL), -EDEADLK);
	assert_int_equal(view_of(a).holding, 1);
	/* but as many handles as it likes */
	enter(b);
	leave(a);
	assert_call(wicket_release(a), -EPERM);
}

static void handles_of_several_lines(void **state)
{
	struct wicket *a = new_line(1, 2);
	struct wicket *b =
		open_line("other", OPTIONS(.slots = 1, .flags = WICKET_CREATE));

	(void)state;
	enter(a);
	enter(b);
	leave(a);
	leave(b);
}

static void closing_gives_the_slot_back(void **state)
{
	struct wicket *a = new_line(1, 3), *b = join_line();
	struct peer *p;

	(void)state;
	enter(a);
	p = new_waiter(b);
	close_line(a);
	assert_int_equal(answer(p).grant.flags, 0);
}

static void a_stopped_holder_costs_its_slot(void **state)
{
	struct wicket *line = new_line(2, 4);
	struct peer *p = new_holder();

	(void)state;
	kill(p->pid, SIGSTOP);
	for (int i = 0; i < 1000; i++) {
		enter(line);
		leave(line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(grants_come_in_the_order_of_tickets),
		test(a_grant_may_be_null),
		test(nobody_overtakes),
		test(trying_finds_the_dead),
		test(trying_takes_no_ticket),
		test(a_ticket_nobody_came_after_is_handed_back),
		test(one_slot_a_handle),
		test(handles_of_several_lines),
		test(closing_gives_the_slot_back),
		test(a_stopped_holder_costs_its_slot),
	};

	return cmocka_run_group_tests_name("api-grants", tests, tidy_up_at_exit,
					   NULL);
}
