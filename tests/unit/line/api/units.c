/* SPDX-License-Identifier: MIT */
/* units - several slots at once: all or nothing, in the same line. */
#include "../api.h"

static uint32_t slots[8];

static int take(struct wicket *line, uint32_t units, struct wicket_grant *grant)
{
	struct timespec end = patience_end(CLOCK_MONOTONIC);

	return CALL(wicket_acquire_units(line, units, &end, slots, grant));
}

/* All k can be had: nothing was lost. */
static void assert_whole(struct wicket *line, uint32_t k)
{
	assert_int_equal(take(line, k, NULL), 0);
	leave(line);
	assert_int_equal(view_of(line).holding, 0);
}

static void the_grant_names_the_slots_in_the_order_of_tickets(void **state)
{
	struct wicket *a = new_line(3, 6), *b = join_line();
	struct wicket_grant grant;

	(void)state;
	assert_int_equal(take(a, 3, &grant), 0);
	assert_int_equal(slots[0], 0);
	assert_int_equal(slots[1], 1);
	assert_int_equal(slots[2], 2);
	assert_int_equal(grant.slot, 0);
	assert_int_equal(grant.flags, 0);
	assert_int_equal(grant.value, 3);
	/* in part: the first of them */
	assert_call(wicket_release_units(a, 1), 0);
	assert_int_equal(enter(b).slot, 0);
	assert_call(wicket_release_units(a, 1), 0);
	leave(b);
	assert_int_equal(take(b, 2, &grant), 0);
	assert_int_equal(slots[0], 1);
	assert_int_equal(slots[1], 0);
	leave(a);
	leave(b);
	assert_whole(a, 3);
}

static void nobody_overtakes_a_large_request(void **state)
{
	struct wicket *line = new_line(3, 8), *other = join_line();
	struct peer *large, *small;

	(void)state;
	enter(line);
	large = new_peer();
	tell(large, '3');
	eventually(waiting(line) == 1);
	/* two slots are free, but not for those who come later */
	assert_call(wicket_try(other, NULL), -EAGAIN);
	assert_call(wicket_try_units(other, 2, slots, NULL), -EAGAIN);
	assert_call(wicket_acquire_until(other, &past, NULL), -ETIMEDOUT);
	small = new_waiter(line);
	assert_false(has_answered(large));
	assert_false(has_answered(small));
	leave(line);
	assert_int_equal(answer(large).result, 0);
	assert_false(has_answered(small));
	assert_int_equal(ask(large, 'u').result, 0);
	assert_int_equal(answer(small).result, 0);
	assert_int_equal(ask(large, 'r').result, 0);
	assert_int_equal(ask(small, 'r').result, 0);
	assert_whole(line, 3);
}

static void impossible_numbers_change_nothing(void **state)
{
	struct wicket *line = new_line(2, 4);
	const struct timespec wrong = { 0, -1 };

	(void)state;
	assert_call(wicket_acquire_units(line, 3, NULL, slots, NULL), -EINVAL);
	assert_call(wicket_acquire_units(line, 0, NULL, slots, NULL), -EINVAL);
	assert_call(wicket_acquire_units(line, 2, &wrong, slots, NULL),
		    -EINVAL);
	assert_call(wicket_try_units(line, 3, slots, NULL), -EINVAL);
	assert_call(wicket_try_units(line, 0, slots, NULL), -EINVAL);
	assert_call(wicket_release_units(line, 1), -EPERM);
	assert_int_equal(view_of(line).grants, 0);
	assert_int_equal(take(line, 2, NULL), 0);
	assert_int_equal(take(line, 1, NULL), -EDEADLK);
	assert_call(wicket_release_units(line, 0), -EINVAL);
	assert_call(wicket_release_units(line, 3), -EINVAL);
	assert_int_equal(view_of(line).holding, 2);
	assert_call(wicket_release_units(line, 2), 0);
	assert_int_equal(view_of(line).holding, 0);
}

/* So many may be out that every other seat can take one: 8190 seats, 2 slots. */
static void there_is_always_room_for_one(void **state)
{
	struct wicket *a = new_line(2, 8190), *b = join_line();

	(void)state;
	assert_int_equal(take(a, 2, NULL), 0);
	assert_call(wicket_acquire_units(b, 2, &past, slots, NULL), -EUSERS);
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	leave(a);
	assert_int_equal(take(b, 2, NULL), 0);
	leave(b);
}

static void what_is_held_for_a_command_is_given_back_whole(void **state)
{
	struct wicket *line = new_line(2, 4);
	int fd;

	(void)state;
	assert_int_equal(take(line, 2, NULL), 0);
	fd = CALL(wicket_keep(line));
	assert_true(fd >= 0);
	assert_call(wicket_release_units(line, 1), -EBUSY);
	assert_int_equal(view_of(line).holding, 2);
	leave(line);
	close(fd);
	assert_int_equal(take(line, 2, NULL), 0);
	assert_call(wicket_release_units(line, 1), 0);
	leave(line);
}

static void a_dead_holder_gives_all_back(void **state)
{
	struct wicket *line = new_line(3, 6);
	struct peer *p = new_peer();
	struct wicket_grant grant;

	(void)state;
	assert_int_equal(ask(p, '3').result, 0);
	assert_int_equal(ask(p, 'u').result, 0);
	slay(p);
	assert_int_equal(take(line, 3, &grant), 0);
	assert_int_equal(grant.flags, WICKET_DIED);
	leave(line);
	assert_int_equal(take(line, 3, &grant), 0);
	assert_int_equal(grant.flags, 0);
	leave(line);
}

static void a_dead_waiter_passes_each_ticket_on(void **state)
{
	struct wicket *line = new_line(2, 8);
	struct peer *holder = new_peer(), *waiter = new_peer(), *next;

	(void)state;
	assert_int_equal(ask(holder, '2').result, 0);
	tell(waiter, '2');
	eventually(waiting(line) == 1);
	next = new_waiter(line);
	slay(waiter);
	assert_int_equal(ask(holder, 'u').result, 0);
	assert_int_equal(answer(next).result, 0);
	assert_int_equal(ask(holder, 'r').result, 0);
	assert_int_equal(ask(next, 'r').result, 0);
	assert_whole(line, 2);
}

static void who_gives_up_takes_them_back(void **state)
{
	struct wicket *line = new_line(2, 8), *hasty = join_line();
	struct peer *holder = new_peer(), *next;

	(void)state;
	assert_int_equal(ask(holder, '2').result, 0);
	assert_call(wicket_acquire_units(hasty, 2, &past, slots, NULL),
		    -ETIMEDOUT);
	assert_call(wicket_acquire_until(hasty, &past, NULL), -ETIMEDOUT);
	next = new_peer();
	tell(next, '2');
	eventually(view_of(line).waiting == 1); /* nobody else */
	assert_int_equal(ask(holder, 'u').result, 0);
	assert_false(has_answered(next));
	assert_int_equal(ask(holder, 'r').result, 0);
	assert_int_equal(answer(next).result, 0);
	assert_int_equal(ask(next, 'r').result, 0);
	assert_whole(line, 2);
}

static void each_slot_and_each_waiter_has_an_entry(void **state)
{
	struct wicket *line = new_line(3, 6);
	struct peer *first = new_peer(), *second = new_peer();
	struct wicket_entry e[9];
	struct wicket_view v;

	(void)state;
	assert_int_equal(take(line, 2, NULL), 0);
	tell(first, '2');
	eventually(waiting(line) == 1);
	tell(second, '1');
	eventually(waiting(line) == 2);
	assert_call(wicket_inspect(line, &v, e, 9), 4);
	assert_int_equal(v.holding, 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(e[i].flags, WICKET_HOLDS);
		assert_int_equal(e[i].place, i);
		assert_int_equal(e[i].units, 2);
		assert_int_equal(e[i].value, i + 1);
	}
	assert_int_equal(e[2].pid, first->pid);
	assert_int_equal(e[2].units, 2);
	assert_int_equal(e[2].place, 1);
	assert_int_equal(e[3].pid, second->pid);
	assert_int_equal(e[3].units, 1);
	assert_int_equal(e[3].place, 2);
	leave(line);
	assert_int_equal(answer(first).result, 0);
	assert_int_equal(answer(second).result, 0);
}

/* M = 1 + 24 - 3: ten times round. */
static void several_go_over_the_end_of_a_block(void **state)
{
	struct wicket *a = new_line(3, 6), *b = join_line();

	(void)state;
	for (uint32_t i = 0; i < 110; i++) {
		uint32_t mine[2];

		assert_int_equal(take(a, 1 + i % 2, NULL), 0);
		memcpy(mine, slots, sizeof(mine));
		assert_int_equal(take(b, 1, NULL), 0);
		assert_int_not_equal(slots[0], mine[0]);
		if (i % 2)
			assert_int_not_equal(slots[0], mine[1]);
		leave(i % 3 ? a : b);
		leave(i % 3 ? b : a);
	}
	assert_whole(a, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_grant_names_the_slots_in_the_order_of_tickets),
		test(nobody_overtakes_a_large_request),
		test(impossible_numbers_change_nothing),
		test(there_is_always_room_for_one),
		test(what_is_held_for_a_command_is_given_back_whole),
		test(a_dead_holder_gives_all_back),
		test(a_dead_waiter_passes_each_ticket_on),
		test(who_gives_up_takes_them_back),
		test(each_slot_and_each_waiter_has_an_entry),
		test(several_go_over_the_end_of_a_block),
	};

	return cmocka_run_group_tests_name("api-units", tests, tidy_up_at_exit,
					   NULL);
}
