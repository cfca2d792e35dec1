/* SPDX-License-Identifier: MIT */
/* inspect - what wicket_inspect() shows, and what a view may do. */
#include "../api.h"

#include <sched.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void assert_entry(struct wicket_entry e, pid_t pid, uint32_t flags,
			 uint32_t place, uint32_t value)
{
	assert_int_equal(e.pid, pid);
	assert_int_equal(e.flags, flags);
	assert_int_equal(e.place, place);
	assert_int_equal(e.value, value);
	assert_int_equal(e.colour, 0);
}

static void holders_by_slot_then_the_line_in_order(void **state)
{
	struct wicket *line = new_line(2, 8);
	struct wicket_view v;
	struct wicket_entry e[8];
	struct peer *p, *q, *r;
	struct wicket_grant grant;
	uint64_t began;

	(void)state;
	assert_call(wicket_inspect(line, &v, e, 8), 0);
	enter(line);
	p = new_holder();
	began = now();
	q = new_waiter(line);
	r = new_waiter(line);
	/* M = 7: the tickets are 1 to 4 */
	assert_call(wicket_inspect(line, &v, e, 8), 4);
	assert_entry(e[0], getpid(), WICKET_HOLDS, 0, 1);
	assert_entry(e[1], p->pid, WICKET_HOLDS, 1, 2);
	assert_entry(e[2], q->pid, 0, 1, 3);
	assert_entry(e[3], r->pid, 0, 2, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(e[i].seat, i);
	assert_int_equal(e[0].since, 0);
	assert_int_equal(e[1].since, 0);
	assert_in_range(e[2].since, began, now());
	assert_in_range(e[3].since, e[2].since, now());
	assert_int_equal(v.slots, 2);
	assert_int_equal(v.seats, 8);
	assert_int_equal(v.seated, 4);
	assert_int_equal(v.holding, 2);
	assert_int_equal(v.waiting, 2);
	assert_int_equal(v.removed, 0);
	assert_int_equal(v.grants, 2);
	assert_int_equal(v.recovered, 0);
	assert_int_equal(v.abandoned, 0);
	assert_int_equal(v.longest_wait, 0);

	leave(line);
	grant = answer(q).grant;
	assert_int_equal(grant.slot, 0);
	assert_int_equal(grant.value, 3);
	assert_call(wicket_inspect(line, &v, e, 8), 3);
	assert_entry(e[0], q->pid, WICKET_HOLDS, 0, 3);
	assert_entry(e[1], p->pid, WICKET_HOLDS, 1, 2);
	assert_entry(e[2], r->pid, 0, 1, 4);
	/* the grant's, of who had to wait */
	assert_in_range(e[0].since, began, now());
	assert_int_equal(v.grants, 3);
	assert_in_range(v.longest_wait, 1, now() - began);
}

static void room_for_the_first_of_them(void **state)
{
	struct wicket *line = new_line(1, 8);
	struct peer *first = new_peer(), *holder = new_holder();
	struct wicket_view v;
	struct wicket_entry e[4], untouched;

	(void)state;
	tell(first, 'a');
	eventually(waiting(line) == 1);
	memset(&untouched, 0x55, sizeof(untouched));
	e[1] = untouched;
	assert_call(wicket_inspect(line, &v, e, 1), 2);
	assert_memory_equal(&e[1], &untouched, sizeof(untouched));
	assert_int_equal(v.holding, 1);
	assert_int_equal(v.waiting, 1);
	assert_entry(e[0], holder->pid, WICKET_HOLDS, 0, 1);
}

static void who_has_left(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p = new_holder(), *q;
	struct wicket_view v;
	struct wicket_entry e[4];

	(void)state;
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	/* its ticket is the next one's */
	q = new_waiter(a);
	assert_call(wicket_inspect(a, &v, e, 4), 2);
	assert_entry(e[0], p->pid, WICKET_HOLDS, 0, 1);
	assert_entry(e[1], q->pid, 0, 1, 2);
	assert_int_equal(v.abandoned, 1);
	kill(q->pid, SIGKILL);
	waitpid(q->pid, NULL, 0);
	assert_call(wicket_inspect(a, &v, e, 4), 2);
	assert_entry(e[1], q->pid, WICKET_LEFT, 1, 2);
}

/* Those who gave up do not look after the dead; else it would take seconds. */
static void who_has_only_the_gone_before_it_is_first(void **state)
{
	enum { GONE = 40, SECONDS = 6 };
	struct wicket *a = new_line(1, 64), *b = join_line();
	struct peer *p = new_holder(), *q;
	struct timespec end;

	(void)state;
	for (int i = 0; i < GONE; i++)
		assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	q = new_waiter(a);
	usleep(300000); /* until it sleeps for long */
	slay(p);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += SECONDS;
	while (!has_answered(q) && !is_past(end))
		nap();
	assert_true(has_answered(q));
}

/* By a process to which the holder's pid means nothing. */
static void look_from_outside(struct wicket *unused)
{
	struct wicket_options o = { .flags = WICKET_VIEW };
	struct wicket_view v;
	struct wicket_entry e;
	int status;

	if (geteuid() || unshare(CLONE_NEWPID))
		_exit(CANNOT);
	if (fork()) {
		child_assert(wait(&status) > 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	child_assert(wicket_open(&unused, "line", &o) == 0);
	child_assert(wicket_inspect(unused, &v, &e, 1) == 1);
	child_assert(e.flags == (WICKET_HOLDS | WICKET_FOREIGN));
}

static void pids_of_another_namespace(void **state)
{
	int result;

	(void)state;
	enter(new_line(1, 4));
	result = in_child(look_from_outside, NULL);
	if (result == CANNOT)
		leave_out("not root");
	assert_int_equal(result, 0);
}

static void the_clock_of_grants(void **state)
{
	struct wicket *line = open_line(
		"line",
		OPTIONS(.slots = 1, .flags = WICKET_CREATE | WICKET_CLOCK));
	struct wicket_view v;
	struct wicket_entry e;

	(void)state;
	for (int i = 0; i < 3; i++) {
		uint64_t began = now();

		enter(line);
		assert_call(wicket_inspect(line, &v, &e, 1), 1);
		assert_in_range(e.since, began, now());
		leave(line);
	}
}

static void a_view_only_looks(void **state)
{
	struct wicket *line = new_line(1, 2), *viewer;

	(void)state;
	join_line();
	viewer = view_line();
	enter(line);
	assert_int_equal(view_of(viewer).seated, 2);
	assert_int_equal(view_of(viewer).holding, 1);
	assert_call(wicket_acquire(viewer, NULL), -EPERM);
	assert_call(wicket_acquire_until(viewer, &past, NULL), -EPERM);
	assert_call(wicket_try(viewer, NULL), -EPERM);
	assert_call(wicket_release(viewer), -EPERM);
	leave(line);
	assert_int_equal(view_of(viewer).holding, 0);
}

static void check_reader(struct wicket *unused)
{
	struct wicket_options o = { .flags = WICKET_VIEW };
	struct wicket_view v;

	if (geteuid() == 0 && setuid(65534))
		_exit(CANNOT);
	child_assert(wicket_open(&unused, "line", NULL) == -EACCES);
	child_assert(wicket_remove("line") == -EACCES);
	child_assert(wicket_open(&unused, "line", &o) == 0);
	child_assert(wicket_inspect(unused, &v, NULL, 0) == 1);
	child_assert(v.slots == 2 && v.holding == 1);
	child_assert(wicket_close(unused) == 0);
}

static void a_view_of_what_it_may_only_read(void **state)
{
	struct wicket *line = new_line(2, 3);
	int result;

	(void)state;
	enter(line);
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(chmod(in_dir("line"), 0444), 0);
	result = in_child(check_reader, NULL);
	if (result == CANNOT)
		leave_out("not root");
	assert_int_equal(result, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(holders_by_slot_then_the_line_in_order),
		test(room_for_the_first_of_them),
		test(who_has_left),
		test(who_has_only_the_gone_before_it_is_first),
		test(pids_of_another_namespace),
		test(the_clock_of_grants),
		test(a_view_only_looks),
		test(a_view_of_what_it_may_only_read),
	};

	return cmocka_run_group_tests_name("api-inspect", tests,
					   tidy_up_at_exit, NULL);
}
