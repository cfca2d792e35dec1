/* SPDX-License-Identifier: MIT */
/* giving-up - deadlines, cancelling and signals. */
#include "../api.h"

static void a_deadline(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	struct wicket_grant grant = { 9, 9, 9, 9 }, before = grant;
	struct timespec end = soon();

	(void)state;
	/* it need not wait */
	assert_call(wicket_acquire_until(a, &past, NULL), 0);
	assert_call(wicket_acquire_until(b, &past, &grant), -ETIMEDOUT);
	assert_call(wicket_acquire_until(b, &end, &grant), -ETIMEDOUT);
	assert_true(is_past(end));
	assert_memory_equal(&grant, &before, sizeof(grant));
	assert_call(wicket_release(b), -EPERM);
	/* its tickets were taken back */
	assert_int_equal(waiting(a), 0);
	assert_int_equal(view_of(a).abandoned, 2);
	leave(a);
	assert_int_equal(view_of(a).holding, 0);
	assert_call(wicket_acquire_until(b, &past, &grant), 0);
}

static uint64_t own_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* It hopes for less than a millisecond each time, or not at all, and then sleeps. */
static void who_waits_in_vain_sleeps(void **state)
{
	enum { WAITS = 20, EACH = 30000000, LEAST = WAITS * (EACH / 10) };
	struct wicket *a = new_line(1, 64), *b = join_line();
	uint64_t began;

	(void)state;
	enter(a);
	began = own_cpu();
	for (int i = 0; i < WAITS; i++) {
		struct timespec end;

		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_nsec += EACH;
		end.tv_sec += end.tv_nsec / 1000000000;
		end.tv_nsec %= 1000000000;
		assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
	}
	assert_true(own_cpu() - began < LEAST);
}

static void impossible_deadlines(void **state)
{
	const struct timespec bad[] = {
		{ 0, 1000000000 }, { 0, -1 }, { -1, 0 }, { 1, LONG_MAX }
	};
	struct wicket *line = new_line(1, 2);

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++)
		assert_call(wicket_acquire_until(line, &bad[i], NULL), -EINVAL);
	assert_int_equal(view_of(line).holding, 0);
}

static void deadlines_after_all_time(void **state)
{
	const struct timespec never = { INT64_MAX, 999999999 };
	struct wicket *a = new_line(1, 3), *b = join_line();

	(void)state;
	enter(a);
	assert_call(wicket_cancel(b), 0); /* it would wait */
	assert_call(wicket_acquire_until(b, &never, NULL), -ECANCELED);
	leave(a);
	assert_call(wicket_acquire_until(b, &never, NULL), 0);
}

static void who_gave_up_may_find_no_seat(void **state)
{
	struct wicket *a = new_line(1, 2), *b = join_line(), *c;

	(void)state;
	enter(a);
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	/* somebody else sits down there */
	c = join_line();
	assert_int_equal(acquire(b), -EUSERS);
	assert_call(wicket_try(b, NULL), -EUSERS);
	close_line(c);
	leave(a);
	assert_int_equal(acquire(b), 0);
}

/* More often than there are seats, and tickets of a colour; nobody leaves meanwhile. */
static void giving_up_takes_no_seat(void **state)
{
	enum { TIMES = 5000 };
	struct wicket *a = new_line(1, 4), *b = join_line(), *c;

	(void)state;
	enter(a);
	for (int i = 0; i < TIMES; i++)
		assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	assert_int_equal(view_of(a).abandoned, TIMES);
	assert_int_equal(view_of(a).seated, 1);
	c = join_line(); /* a newcomer is not refused */
	leave(a);
	enter(c);
	leave(c);
	enter(b);
}

static bool is_seated(struct wicket *line, uint32_t count)
{
	return view_of(line).seated == count;
}

/* One after another comes before the one before it gives up: there is always somebody
   behind.  Whoever waits steps forward, over those that have given up. */
static void nor_does_a_relay(void **state)
{
	enum { TIMES = 6 };
	struct wicket *a = new_line(1, 5);
	struct peer *last, *next;

	(void)state;
	enter(a);
	last = new_waiter(a);
	for (int i = 0; i < TIMES; i++) {
		next = new_waiter(a);
		slay(last);
		/* the holder, who waits, and nobody else */
		eventually(is_seated(a, 2));
		last = next;
	}
	assert_int_equal(waiting(a), 1);
	leave(a);
	assert_int_equal(answer(last).result, 0);
}

static void a_ticket_is_passed_on(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct peer *p[3];

	(void)state;
	enter(a);
	p[0] = new_waiter(a);
	assert_call(wicket_acquire_until(b, &past, NULL), -ETIMEDOUT);
	p[1] = new_waiter(a);
	p[2] = new_waiter(a);
	assert_int_equal(waiting(a), 3);
	slay(p[1]);
	leave(a);
	assert_int_equal(answer(p[0]).result, 0);
	assert_int_equal(ask(p[0], 'r').result, 0);
	assert_int_equal(answer(p[2]).result, 0);
}

static void cancelling_before_it_waits(void **state)
{
	struct wicket *a = new_line(1, 8), *b = join_line();
	struct timespec end = soon();

	(void)state;
	enter(a);
	assert_call(wicket_cancel(b), 0);
	assert_call(wicket_cancel(b), 0);
	assert_int_equal(acquire(b), -ECANCELED);
	assert_call(wicket_release(b), -EPERM);
	/* forgotten */
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
	leave(a);
	/* forgotten when it need not wait */
	assert_call(wicket_acquire_until(b, &past, NULL), 0);
	leave(b);
	assert_call(wicket_cancel(b), 0);
	assert_int_equal(acquire(b), 0);
	leave(b);
	enter(a);
	end = soon();
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
}

static void *cancel_waiter(void *line)
{
	struct wicket *viewer = view_line();

	eventually(waiting(viewer) == 1);
	assert_call(wicket_cancel(line), 0);
	close_line(viewer);
	return NULL;
}

static void cancelling_from_another_thread(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	pthread_t thread;

	(void)state;
	enter(a);
	assert_int_equal(pthread_create(&thread, NULL, cancel_waiter, b), 0);
	assert_int_equal(acquire(b), -ECANCELED);
	join(thread);
}

static void cancelling_from_a_signal_handler(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();

	(void)state;
	enter(a);
	to_cancel = b;
	ring(5000);
	assert_int_equal(acquire(b), -ECANCELED);
}

static void signals_do_not_end_a_wait(void **state)
{
	struct wicket *a = new_line(1, 4), *b = join_line();
	struct timespec end;

	(void)state;
	enter(a);
	ring(1000);
	end = soon();
	assert_call(wicket_acquire_until(b, &end, NULL), -ETIMEDOUT);
	assert_true(is_past(end));
	assert_true(signals > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_deadline),
		test(who_waits_in_vain_sleeps),
		test(impossible_deadlines),
		test(deadlines_after_all_time),
		test(who_gave_up_may_find_no_seat),
		test(giving_up_takes_no_seat),
		test(nor_does_a_relay),
		test(a_ticket_is_passed_on),
		test(cancelling_before_it_waits),
		test(cancelling_from_another_thread),
		test(cancelling_from_a_signal_handler),
		test(signals_do_not_end_a_wait),
	};

	return cmocka_run_group_tests_name("api-giving-up", tests,
					   tidy_up_at_exit, NULL);
}
