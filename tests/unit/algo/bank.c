/* SPDX-License-Identifier: MIT */
/*
 * bank - FLBB 1989, 1.3.2: each step of a process goes to the inner lock or to
 * COUNT, and to the right register.  Over queue (one register), over numbered
 * (unbounded) and over one-bit (as many registers as processes).
 */
#include "../unit.h"

#include "algo/bank.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 2, .inner = &wicket_queue };

/* The program counters of the inner locks, as seen through their regions. */
enum { OUT = WICKET_FROM_R, WAITS = WICKET_FROM_T, HEAD = WICKET_FROM_C };

static struct wicket_proc proc(uint16_t at, uint16_t pc, uint32_t i)
{
	return (struct wicket_proc){ .pc = pc, .outer = at, .self = i };
}

static struct wicket_cfg over(const struct wicket_algo *lock)
{
	struct wicket_cfg c = cfg;

	c.inner = lock;
	return c;
}

static struct wicket_cfg mutated(uint32_t mutant)
{
	struct wicket_cfg c = cfg;

	c.mutant = mutant;
	return c;
}

static void the_inner_lock_is_for_one(void **state)
{
	struct wicket_cfg c = { .n = 5, .k = 3, .r = 2 }, in;

	(void)state;
	c.inner_variant = 1;
	c.mutant = NO_COUNT;
	in = inner(&c);
	assert_int_equal(in.n, 5);
	assert_int_equal(in.k, 1);
	assert_int_equal(in.r, 2);
	assert_int_equal(in.variant, 1);
	assert_int_equal(in.mutant, 0);
}

static void the_inner_lock_may_refuse(void **state)
{
	struct wicket_cfg c = over(&wicket_one_bit);

	(void)state;
	/* it asks about k = 1, whatever the number of tellers */
	assert_null(refuse(&c));
	assert_null(refuse(&cfg));
	assert_int_equal(processes(&cfg), 3);
	c = over(&wicket_rivest_pratt_2); /* for two processes */
	assert_string_equal(refuse(&c), wicket_rivest_pratt_2.refuse(&c));
	c.n = 2;
	assert_null(refuse(&c));
}

static void a_line_is_no_inner_lock(void **state)
{
	struct wicket_cfg c = over(&wicket_recoverable);

	(void)state;
	assert_string_equal(refuse(&c),
			    "a line with seats of its own is no inner lock");
}

static void count_is_the_last_register(void **state)
{
	struct wicket_cfg c = over(&wicket_one_bit);

	(void)state;
	assert_int_equal(registers(&cfg), 2);
	assert_int_equal(reg(&cfg, 1).range, 3);
	assert_value(reg(&cfg, 1).start, 0, 0, 0, 0);
	assert_int_equal(registers(&c), 4);
	assert_int_equal(reg(&c, 0).owner, 1);
	assert_int_equal(reg(&c, 2).owner, 3);
	assert_int_equal(reg(&c, 3).owner, 0);
	assert_int_equal(reg(&c, 3).range, 3);
	c = over(&wicket_numbered); /* VALID = 1: one head */
	assert_value(reg(&c, 0).start, 0, 1, 0, 0);
}

static void processes_start_in_the_inner_remainder(void **state)
{
	struct wicket_proc p = start(&cfg, 2);

	(void)state;
	assert_int_equal(p.self, 2);
	assert_int_equal(p.pc, OUT);
	assert_int_equal(p.outer, QUEUE_UP);
}

static void regions(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, proc(QUEUE_UP, OUT, 1)),
			 WICKET_REMAINDER);
	assert_int_equal(region(&cfg, proc(QUEUE_UP, WAITS, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(COUNT_IN, HEAD, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE_QUEUE, HEAD, 1)),
			 WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(COUNT_OUT, OUT, 1)),
			 WICKET_CRITICAL);
}

static void assert_access(const struct wicket_cfg *c, struct wicket_proc p,
			  uint32_t kind, uint32_t r)
{
	struct wicket_access a = access(c, p);

	assert_int_equal(a.kind, kind);
	assert_int_equal(a.reg, r);
}

static void each_step_uses_the_right_register(void **state)
{
	struct wicket_cfg c = over(&wicket_one_bit);

	(void)state;
	assert_access(&cfg, proc(QUEUE_UP, OUT, 2), WICKET_RMW, 0);
	assert_access(&cfg, proc(COUNT_IN, HEAD, 2), WICKET_RMW, 1);
	assert_access(&cfg, proc(LEAVE_QUEUE, HEAD, 2), WICKET_RMW, 0);
	assert_access(&cfg, proc(COUNT_OUT, OUT, 2), WICKET_RMW, 1);
	/* process 2 of one-bit writes want[2], which is register 1 */
	assert_access(&c, c.inner->start(&c, 2), WICKET_STORE, 1);
	assert_access(&c, proc(COUNT_IN, 0, 2), WICKET_RMW, 3);
	assert_access(&c, proc(LEAVE_QUEUE, 0, 2), WICKET_STORE, 1);
	assert_access(&c, proc(COUNT_OUT, 0, 2), WICKET_RMW, 3);
}

/* seen and put: the queue (places are bytes) or COUNT */
static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			uint64_t seen, struct wicket_proc expected,
			uint64_t put)
{
	struct wicket_result r = step(c, p, wicket_number(seen));

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_value(r.put, put, 0, 0, 0);
}

static void the_head_goes_on_and_the_others_wait(void **state)
{
	(void)state;
	assert_step(&cfg, proc(QUEUE_UP, OUT, 1), 0, proc(COUNT_IN, HEAD, 1),
		    1);
	assert_step(&cfg, proc(QUEUE_UP, OUT, 2), 1, proc(QUEUE_UP, WAITS, 2),
		    0x201);
	assert_step(&cfg, proc(QUEUE_UP, WAITS, 2), 0x201,
		    proc(QUEUE_UP, WAITS, 2), 0x201);
	assert_step(&cfg, proc(QUEUE_UP, WAITS, 2), 2, proc(COUNT_IN, HEAD, 2),
		    2);
}

static void the_head_waits_for_a_teller(void **state)
{
	(void)state;
	assert_step(&cfg, proc(COUNT_IN, HEAD, 2), 1,
		    proc(LEAVE_QUEUE, HEAD, 2), 2);
	assert_step(&cfg, proc(COUNT_IN, HEAD, 2), 2, proc(COUNT_IN, HEAD, 2),
		    2);
}

static void then_it_leaves_the_line_and_is_served(void **state)
{
	(void)state;
	assert_step(&cfg, proc(LEAVE_QUEUE, HEAD, 2), 0x302,
		    proc(COUNT_OUT, OUT, 2), 3);
	assert_step(&cfg, proc(COUNT_OUT, OUT, 2), 2, proc(QUEUE_UP, OUT, 2),
		    1);
}

static void the_grain_of_the_inner_lock_is_kept(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	c.inner_variant = 1; /* queue:1979 looks in a step of its own */
	assert_step(&c, proc(QUEUE_UP, OUT, 1), 0, proc(QUEUE_UP, WAITS, 1), 1);
	assert_step(&c, proc(QUEUE_UP, WAITS, 1), 1, proc(COUNT_IN, HEAD, 1),
		    1);
}

/* Only the step that enters the inner C leads to the teller. */
static void over_one_bit_a_line_of_many_steps(void **state)
{
	struct wicket_cfg c = over(&wicket_one_bit);
	struct wicket_proc p = start(&c, 1);

	(void)state;
	p = step(&c, p, wicket_number(0)).proc; /* want[1] := 1 */
	assert_int_equal(p.outer, QUEUE_UP);
	p = step(&c, p, wicket_number(0)).proc; /* not want[2] */
	assert_int_equal(p.outer, QUEUE_UP);
	p = step(&c, p, wicket_number(0)).proc; /* not want[3] */
	assert_int_equal(p.outer, COUNT_IN);
	p = step(&c, p, wicket_number(1)).proc;
	assert_int_equal(p.outer, LEAVE_QUEUE);
	p = step(&c, p, wicket_number(0)).proc; /* want[1] := 0 */
	assert_int_equal(p.outer, COUNT_OUT);
}

static void no_count_keeps_the_teller(void **state)
{
	struct wicket_cfg c = mutated(NO_COUNT);

	(void)state;
	assert_step(&c, proc(COUNT_OUT, OUT, 2), 2, proc(QUEUE_UP, OUT, 2), 2);
}

static void no_line_goes_to_a_teller_from_anywhere(void **state)
{
	struct wicket_cfg c = mutated(NO_LINE);

	(void)state;
	assert_step(&c, proc(QUEUE_UP, OUT, 2), 1, proc(COUNT_IN, WAITS, 2),
		    0x201);
	assert_step(&c, proc(LEAVE_QUEUE, WAITS, 2), 0x201,
		    proc(COUNT_OUT, WAITS, 2), 0x201);
}

static void the_quotient_is_the_inner_one(void **state)
{
	struct wicket_cfg c = over(&wicket_numbered);
	struct wicket_proc p = proc(QUEUE_UP, WAITS, 0);
	struct wicket_result r;

	(void)state;
	p.local[0] = 9;
	r = quotient(&c, p, words(9, 7, 0, 0));
	/* VALID becomes the inner k, which is 1 */
	assert_value(r.put, 3, 1, 0, 0);
	assert_int_equal(r.proc.local[0], 3);
	assert_int_equal(r.proc.outer, QUEUE_UP);
	assert_true(wicket_has_quotient(&wicket_bank, &c));
	assert_false(wicket_has_quotient(&wicket_bank, &cfg));
}

static void b1_counts_who_has_a_teller(void **state)
{
	struct wicket_proc p[] = { proc(COUNT_OUT, OUT, 1),
				   proc(LEAVE_QUEUE, HEAD, 2),
				   proc(QUEUE_UP, WAITS, 3) };
	struct wicket_value v[] = { wicket_number(0x302), wicket_number(2) };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	v[1] = wicket_number(1);
	assert_false(holds(&cfg, 0, v, p));
	p[1] = proc(COUNT_IN, HEAD, 2);
	assert_true(holds(&cfg, 0, v, p));
}

static void b2_allows_one_head(void **state)
{
	struct wicket_proc p[] = { proc(COUNT_OUT, OUT, 1),
				   proc(LEAVE_QUEUE, HEAD, 2),
				   proc(QUEUE_UP, WAITS, 3) };
	struct wicket_value v[] = { wicket_number(0x302), wicket_number(2) };

	(void)state;
	assert_true(holds(&cfg, 1, v, p));
	p[2] = proc(COUNT_IN, HEAD, 3);
	assert_false(holds(&cfg, 1, v, p));
	p[1] = proc(COUNT_IN, HEAD, 2);
	assert_false(holds(&cfg, 1, v, p));
	p[1] = proc(COUNT_OUT, OUT, 2);
	assert_true(holds(&cfg, 1, v, p));
}

/* two-bits lowers Flag2, then Flag1: from the first on others may follow. */
static void b2_does_not_count_who_is_leaving(void **state)
{
	struct wicket_cfg c = over(&wicket_two_bits), in = inner(&c);
	struct wicket_proc head = start(&c, 2), p[3] = { 0 };
	struct wicket_value v[6] = { 0 };

	(void)state;
	while (head.outer == QUEUE_UP)
		head = step(&c, head, wicket_number(0)).proc;
	p[0] = proc(QUEUE_UP, start(&c, 1).pc, 1);
	p[1] = step(&c, head, wicket_number(0)).proc;
	p[2] = head;
	assert_int_equal(p[1].outer, LEAVE_QUEUE);
	assert_int_equal(in.k, 1);
	assert_false(holds(&c, 1, v, p));
	p[1] = step(&c, p[1], wicket_number(1)).proc;
	assert_int_equal(p[1].outer, LEAVE_QUEUE);
	assert_int_equal(c.inner->region(&in, p[1]), WICKET_EXIT);
	assert_true(holds(&c, 1, v, p));
	p[1] = step(&c, p[1], wicket_number(1)).proc;
	assert_int_equal(p[1].outer, COUNT_OUT);
	assert_true(holds(&c, 1, v, p));
}

/* (k+1) times the bound of the inner lock for k = 1 */
static void the_bound_is_k_plus_1_inner_ones(void **state)
{
	struct wicket_cfg c = over(&wicket_one_bit);

	(void)state;
	assert_int_equal(bound(&cfg), 3 * 16);
	assert_int_equal(bound(&c), 3 * 8);
	c = over(&wicket_colored); /* n = 3, k = 1: 2 (2 * 3)^2 = 72 */
	assert_int_equal(bound(&c), 3 * 72);
	c = over(&wicket_numbered);
	assert_int_equal(bound(&c), 0);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(0x302), wicket_number(1) };

	(void)state;
	assert_shows(&wicket_bank, &cfg, v, "QUEUE=(2 3) COUNT=1");
	assert_shows_step(&wicket_bank, &cfg, proc(QUEUE_UP, OUT, 1),
			  "enqueue");
	assert_shows_step(&wicket_bank, &cfg, proc(QUEUE_UP, WAITS, 1), "look");
	assert_shows_step(&wicket_bank, &cfg, proc(COUNT_IN, HEAD, 1),
			  "count in");
	assert_shows_step(&wicket_bank, &cfg, proc(LEAVE_QUEUE, HEAD, 1),
			  "remove");
	assert_shows_step(&wicket_bank, &cfg, proc(COUNT_OUT, OUT, 1),
			  "count out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_inner_lock_is_for_one),
		cmocka_unit_test(the_inner_lock_may_refuse),
		cmocka_unit_test(a_line_is_no_inner_lock),
		cmocka_unit_test(count_is_the_last_register),
		cmocka_unit_test(processes_start_in_the_inner_remainder),
		cmocka_unit_test(regions),
		cmocka_unit_test(each_step_uses_the_right_register),
		cmocka_unit_test(the_head_goes_on_and_the_others_wait),
		cmocka_unit_test(the_head_waits_for_a_teller),
		cmocka_unit_test(then_it_leaves_the_line_and_is_served),
		cmocka_unit_test(the_grain_of_the_inner_lock_is_kept),
		cmocka_unit_test(over_one_bit_a_line_of_many_steps),
		cmocka_unit_test(no_count_keeps_the_teller),
		cmocka_unit_test(no_line_goes_to_a_teller_from_anywhere),
		cmocka_unit_test(the_quotient_is_the_inner_one),
		cmocka_unit_test(b1_counts_who_has_a_teller),
		cmocka_unit_test(b2_allows_one_head),
		cmocka_unit_test(b2_does_not_count_who_is_leaving),
		cmocka_unit_test(the_bound_is_k_plus_1_inner_ones),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("bank", tests, NULL, NULL);
}
