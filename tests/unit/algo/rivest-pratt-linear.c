/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-linear - Rivest & Pratt 1977, Figs. 5 and 6, step by step: what
 * sysclock makes of the clocks it sees, joining, waiting, ticking; the window.
 */
#include "fenced.h"

#include "algo/rivest-pratt-linear.c"

/* Clocks modulo 3; the paper's P_0 .. P_2 are processes 1 .. 3. */
static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
/* Clocks modulo 15; process 2 has number 5, process 3 number 10. */
static const struct wicket_cfg padded = { .n = 3, .k = 1, .variant = PADDED };

enum { Q3 = 4 }; /* R = Q among three */

static struct wicket_proc proc(uint16_t pc, uint32_t i)
{
	return (struct wicket_proc){ .pc = pc, .self = i };
}

static struct wicket_proc racing(uint16_t pc, uint32_t i, uint64_t j,
				 uint64_t own, uint64_t put, uint64_t clock)
{
	struct wicket_proc p = proc(pc, i);

	p.local[J] = j;
	p.local[OWN] = own;
	p.local[PUT] = put;
	p.local[CLOCK] = clock;
	return p;
}

/* In sysclock; seen: 1 + what it has found. */
static struct wicket_proc scanning(uint16_t pc, uint32_t i, uint64_t j,
				   uint64_t own, uint64_t clock, uint64_t seen)
{
	struct wicket_proc p = racing(pc, i, j, own, 0, clock);

	p.local[FOUND] = seen;
	return p;
}

static struct wicket_proc waiting(uint32_t i, uint64_t j, uint64_t clock,
				  uint64_t ticked)
{
	struct wicket_proc p = racing(WAIT, i, j, 0, 0, clock);

	p.local[TICKED] = ticked;
	return p;
}

static void it_is_mutual_exclusion(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2 };

	(void)state;
	assert_null(refuse(&cfg));
	assert_string_equal(
		refuse(&c),
		"rivest-pratt-linear is mutual exclusion: k must be 1");
}

static void clocks_and_numbers(void **state)
{
	(void)state;
	assert_int_equal(hours(&cfg), 3);
	assert_int_equal(hours(&padded), 15);
	assert_int_equal(number(&cfg, 2), 2);
	assert_int_equal(number(&padded, 2), 10);
	assert_int_equal(wicket_rivest_pratt_linear.registers(&cfg), 3);
	assert_int_equal(reg(&cfg, 1).owner, 2);
	assert_value(reg(&cfg, 1).start, DEAD, 0, 0, 0);
}

/* (3nM+M+1) values each. */
static void so_many_values(void **state)
{
	struct wicket_cfg two = { .n = 2, .k = 1, .variant = PADDED };
	struct wicket_cfg most = { .n = 16, .k = 1, .variant = PADDED };

	(void)state;
	assert_int_equal(bound(&two), 71 * 71);
	assert_int_equal(bound(&cfg), 31 * 31 * 31);
	assert_int_equal(bound(&most), 0);
	assert_int_equal(bits(&two, 0), 7); /* of 71 values */
	assert_int_equal(bits(&cfg, 2), 5); /* of 31 */
}

static void regions(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++)
		assert_int_equal(region(&cfg, start(&cfg, i)),
				 WICKET_REMAINDER);
	assert_int_equal(region(&cfg, scanning(SCAN1, 2, 2, 0, 0, 0)),
			 WICKET_TRYING);
	for (uint16_t pc = A; pc <= TICK; pc++)
		assert_int_equal(region(&cfg, proc(pc, 2)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 2)), WICKET_CRITICAL);
}

static void it_reads_the_others_and_writes_its_own(void **state)
{
	const enum wicket_kind kinds[] = {
		[SCAN1] = WICKET_LOAD,	[A] = WICKET_LOAD,
		[B] = WICKET_STORE,	[C] = WICKET_LOAD,
		[AGREE] = WICKET_STORE, [E] = WICKET_AWAIT,
		[SCAN3] = WICKET_LOAD,	[SET] = WICKET_STORE,
		[SCAN4] = WICKET_LOAD,	[JOIN] = WICKET_STORE,
		[WAIT] = WICKET_AWAIT,	[TICK] = WICKET_STORE,
		[LEAVE] = WICKET_STORE, [FAIL] = WICKET_STORE,
	};

	(void)state;
	for (uint16_t pc = SCAN1; pc <= FAIL; pc++) {
		struct wicket_access a = access(&cfg,
						racing(pc, 2, 2, 0, 0, 0));

		assert_int_equal(a.kind, kinds[pc]);
		assert_int_equal(a.reg, a.kind == WICKET_STORE ? 1 : 2);
	}
}

static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			struct wicket_value seen, struct wicket_proc expected)
{
	struct wicket_result r = step(c, p, seen);

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
}

static void assert_write(const struct wicket_cfg *c, struct wicket_proc p,
			 struct wicket_value put, struct wicket_proc expected)
{
	struct wicket_result r = step(c, p, words(0, 0, 0, 0));

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_value(r.put, put.w[0], put.w[1], put.w[2], 0);
}

/* The paper's fifth problem: not one behind the last. */
static void sysclock_passes_over_clocks_one_behind(void **state)
{
	struct wicket_proc p = scanning(SCAN4, 1, 1, 0, 0, 0);

	(void)state;
	assert_int_equal(sysclock(&padded, p, words(Q3, 0, 7, 0)), 8);
	assert_int_equal(sysclock(&padded, p, words(DEAD, 0, 7, 0)), 0);
	assert_int_equal(sysclock(&padded, p, words(3, 1, 7, 0)), 0);
	p.local[FOUND] = 8; /* 7 */
	assert_int_equal(sysclock(&padded, p, words(Q3, 0, 6, 0)), 8);
	assert_int_equal(sysclock(&padded, p, words(Q3, 0, 8, 0)), 9);
	assert_int_equal(sysclock(&padded, p, words(Q3, 0, 5, 0)), 6);
	assert_int_equal(sysclock(&padded, p, words(DEAD, 0, 8, 0)), 8);
	p.local[FOUND] = 1; /* 0 */
	assert_int_equal(sysclock(&padded, p, words(Q3, 0, 14, 0)), 1);
}

static void step_1_is_a_fetch_from_each_other(void **state)
{
	(void)state;
	assert_step(&padded, start(&padded, 2), words(Q3, 0, 7, 0),
		    scanning(SCAN1, 2, 2, 0, 0, 8));
	assert_step(&padded, scanning(SCAN1, 2, 2, 0, 0, 8),
		    words(DEAD, 0, 0, 0), racing(A, 2, 0, 0, 0, 7));
	assert_step(&padded, scanning(SCAN1, 2, 2, 0, 0, 0),
		    words(DEAD, 0, 0, 0), racing(A, 2, 0, 0, 0, 0));
	/* process 1 races with itself first, which takes no fetch */
	assert_step(&padded, scanning(SCAN1, 1, 2, 0, 0, 0), words(Q3, 0, 4, 0),
		    racing(B, 1, 0, 0, 0, 4));
}

static void in_the_races_q_is_as_good_as_dead(void **state)
{
	(void)state;
	assert_step(&padded, racing(A, 2, 0, 0, 0, 7), words(Q3, 0, 7, 0),
		    racing(B, 2, 0, 0, 0, 7));
	/* process 1 racing with process 2, S = 1 */
	assert_step(&padded, racing(A, 2, 0, 0, 0, 7), words(2, 1, 7, 0),
		    racing(B, 2, 0, 0, 2, 7));
	assert_step(&padded, racing(C, 2, 0, 2, 0, 7), words(Q3, 0, 7, 0),
		    racing(E, 2, 0, 2, 0, 7));
	assert_step(&padded, racing(C, 2, 0, 2, 0, 7), words(2, 1, 7, 0),
		    racing(AGREE, 2, 0, 2, 2, 7));
	assert_step(&padded, racing(E, 3, 0, 2, 0, 7), words(Q3, 0, 1, 0),
		    racing(A, 3, 1, 2, 0, 7));
	assert_step(&padded, racing(E, 2, 0, 2, 0, 7), words(2, 1, 7, 0),
		    racing(E, 2, 0, 2, 0, 7));
}

static void a_racer_shows_its_clock(void **state)
{
	(void)state;
	assert_write(&padded, racing(B, 2, 0, 0, 2, 7), words(1, 2, 7, 0),
		     racing(C, 2, 0, 2, 0, 7));
	assert_write(&padded, racing(AGREE, 2, 2, 1, 0, 7), words(3, 0, 7, 0),
		     racing(E, 2, 2, 0, 0, 7));
	/* against itself */
	assert_write(&padded, racing(B, 1, 0, 0, 0, 4), words(1, 0, 4, 0),
		     racing(AGREE, 1, 0, 0, 1, 4));
	assert_write(&padded, racing(AGREE, 1, 0, 0, 1, 4), words(1, 1, 4, 0),
		     racing(A, 1, 1, 1, 0, 4));
}

static void the_last_race_is_followed_by_step_3(void **state)
{
	(void)state;
	assert_step(&padded, racing(E, 1, 2, 1, 0, 4), words(DEAD, 0, 0, 0),
		    scanning(SCAN3, 1, 1, 1, 0, 0));
	assert_write(&padded, racing(AGREE, 3, 2, 0, 1, 4), words(3, 1, 4, 0),
		     scanning(SCAN3, 3, 0, 1, 0, 0));
	assert_step(&padded, scanning(SCAN3, 3, 1, 1, 0, 9),
		    words(DEAD, 0, 0, 0), racing(SET, 3, 0, 1, 0, 8));
	assert_write(&padded, racing(SET, 3, 0, 1, 0, 8), words(3, 1, 8, 0),
		     scanning(SCAN4, 3, 0, 1, 8, 0));
}

/* The fourth problem: a clock behind the own one is out of date. */
static void step_4_does_not_step_back(void **state)
{
	struct wicket_cfg c = padded;

	(void)state;
	assert_step(&padded, scanning(SCAN4, 3, 1, 1, 8, 0), words(Q3, 0, 9, 0),
		    racing(JOIN, 3, 0, 1, 0, 9));
	assert_step(&padded, scanning(SCAN4, 3, 1, 1, 8, 0), words(Q3, 0, 8, 0),
		    racing(JOIN, 3, 0, 1, 0, 8));
	assert_step(&padded, scanning(SCAN4, 3, 1, 1, 8, 0), words(Q3, 0, 7, 0),
		    racing(JOIN, 3, 0, 1, 0, 8));
	assert_step(&padded, scanning(SCAN4, 3, 1, 1, 0, 0),
		    words(Q3, 0, 14, 0), racing(JOIN, 3, 0, 1, 0, 0));
	/* nobody is in the system */
	assert_step(&padded, scanning(SCAN4, 3, 1, 1, 8, 0),
		    words(DEAD, 0, 7, 0), racing(JOIN, 3, 0, 1, 0, 0));
	c.mutant = STEP_BACK;
	assert_step(&c, scanning(SCAN4, 3, 1, 1, 8, 0), words(Q3, 0, 7, 0),
		    racing(JOIN, 3, 0, 1, 0, 7));
}

static void it_joins_and_waits(void **state)
{
	struct wicket_cfg c = padded;

	(void)state;
	assert_write(&padded, racing(JOIN, 3, 0, 1, 0, 9), words(Q3, 0, 9, 0),
		     waiting(3, 0, 9, 0));
	assert_write(&padded, racing(JOIN, 1, 0, 1, 0, 9), words(Q3, 0, 9, 0),
		     waiting(1, 1, 9, 0));
	c.mutant = SILENT;
	assert_write(&c, racing(JOIN, 3, 0, 1, 0, 9), words(DEAD, 0, 9, 0),
		     waiting(3, 0, 9, 0));
}

static void it_waits_for_who_is_behind_or_far_ahead(void **state)
{
	struct wicket_cfg c = padded;

	(void)state;
	assert_step(&padded, waiting(3, 0, 9, 0), words(Q3, 0, 8, 0),
		    waiting(3, 0, 9, 0));
	assert_step(&padded, waiting(3, 0, 9, 0), words(Q3, 0, 11, 0),
		    waiting(3, 0, 9, 0));
	/* also for who is still racing */
	assert_step(&padded, waiting(3, 0, 9, 0), words(2, 1, 8, 0),
		    waiting(3, 0, 9, 0));
	assert_step(&padded, waiting(3, 0, 9, 0), words(Q3, 0, 9, 0),
		    waiting(3, 1, 9, 0));
	assert_step(&padded, waiting(3, 0, 9, 0), words(2, 1, 10, 0),
		    waiting(3, 1, 9, 0));
	assert_step(&padded, waiting(3, 0, 9, 0), words(DEAD, 0, 3, 0),
		    waiting(3, 1, 9, 0));
	assert_step(&padded, waiting(3, 0, 14, 1), words(Q3, 0, 0, 0),
		    waiting(3, 1, 14, 1));
	c.mutant = NO_WAIT;
	assert_step(&c, waiting(3, 0, 9, 0), words(Q3, 0, 8, 0),
		    waiting(3, 1, 9, 0));
}

static void at_its_hour_it_enters_if_it_has_ticked(void **state)
{
	struct wicket_cfg c = padded;
	struct wicket_value dead = words(DEAD, 0, 0, 0);

	(void)state;
	assert_step(&padded, waiting(3, 1, 10, 1), dead, proc(LEAVE, 3));
	assert_step(&padded, waiting(3, 1, 10, 0), dead,
		    racing(TICK, 3, 0, 0, 0, 10));
	assert_step(&padded, waiting(3, 1, 9, 1), dead,
		    racing(TICK, 3, 0, 0, 0, 9));
	assert_step(&cfg, waiting(3, 1, 2, 1), dead, proc(LEAVE, 3));
	/* the first looks at process 3 last */
	assert_step(&padded, waiting(1, 2, 0, 1), dead, proc(LEAVE, 1));
	c.mutant = NO_OK;
	assert_step(&c, waiting(3, 1, 10, 0), dead, proc(LEAVE, 3));
}

static void a_tick_is_a_write(void **state)
{
	(void)state;
	assert_write(&padded, racing(TICK, 3, 0, 0, 0, 9), words(Q3, 0, 10, 0),
		     waiting(3, 0, 10, 1));
	assert_write(&padded, racing(TICK, 1, 0, 0, 0, 14), words(Q3, 0, 0, 0),
		     waiting(1, 1, 0, 1));
	assert_write(&cfg, racing(TICK, 1, 0, 0, 0, 2), words(Q3, 0, 0, 0),
		     waiting(1, 1, 0, 1));
}

static void one_mutant_leaves_out_step_3(void **state)
{
	struct wicket_cfg c = padded;

	(void)state;
	c.mutant = NO_MIDDLE;
	assert_step(&c, racing(E, 1, 2, 1, 0, 4), words(DEAD, 0, 0, 0),
		    scanning(SCAN4, 1, 1, 1, 4, 0));
}

static void leaving_and_failing_are_the_same_to_others(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		struct wicket_proc fails = proc(FAIL, i);
		struct wicket_proc rest = start(&cfg, i), then;

		assert_write(&cfg, proc(LEAVE, i), words(DEAD, 0, 0, 0), rest);
		assert_write(&cfg, fails, words(DEAD, 0, 0, 0), rest);
		then = on_event(&cfg, rest, WICKET_FAIL);
		assert_memory_equal(&then, &rest, sizeof(rest));
		then = on_event(&cfg, waiting(i, 1, 2, 1), WICKET_FAIL);
		assert_memory_equal(&then, &fails, sizeof(then));
		then = on_event(&cfg, proc(LEAVE, i), WICKET_FAIL);
		assert_memory_equal(&then, &fails, sizeof(then));
	}
}

static void points_of_a_wait(void **state)
{
	(void)state;
	assert_false(passed(&cfg, scanning(SCAN1, 2, 2, 0, 0, 0), 0));
	assert_false(passed(&cfg, racing(A, 2, 0, 0, 0, 1), 0));
	assert_false(passed(&cfg, racing(B, 2, 0, 0, 1, 1), 0));
	assert_true(passed(&cfg, racing(C, 2, 0, 1, 0, 1), 0));
	assert_true(passed(&cfg, racing(A, 2, 2, 1, 0, 1), 0));
	assert_true(passed(&cfg, proc(SCAN3, 2), 0));
	assert_false(passed(&cfg, proc(JOIN, 2), 1));
	assert_true(passed(&cfg, proc(WAIT, 2), 0));
	assert_true(passed(&cfg, proc(WAIT, 2), 1));
	assert_true(passed(&cfg, proc(TICK, 2), 1));
	assert_false(passed(&cfg, proc(LEAVE, 2), 0));
	assert_false(passed(&cfg, proc(LEAVE, 2), 1));
	assert_string_equal(points[0].name, "public");
	assert_string_equal(points[1].name, "Q");
}

static void wh_wants_all_system_clocks_in_a_window(void **state)
{
	struct wicket_value v[] = { words(Q3, 0, 14, 0), words(Q3, 0, 0, 0),
				    words(2, 0, 7, 0) };

	(void)state;
	assert_true(holds(&padded, 0, v, NULL));
	v[2].w[0] = DEAD;
	assert_true(holds(&padded, 0, v, NULL));
	v[2] = words(Q3, 0, 14, 0);
	assert_true(holds(&padded, 0, v, NULL));
	v[2] = words(Q3, 0, 1, 0);
	assert_false(holds(&padded, 0, v, NULL));
	/* each two of 0, 1, 2 are next to each other modulo 3: no window */
	v[0] = words(Q3, 0, 2, 0);
	assert_false(holds(&cfg, 0, v, NULL));
}

static void ws_speaks_of_those_it_has_passed(void **state)
{
	struct wicket_proc p[] = { proc(A, 1), start(&padded, 2),
				   waiting(3, 0, 9, 0) };
	struct wicket_value v[] = { words(Q3, 0, 8, 0), words(DEAD, 0, 0, 0),
				    words(Q3, 0, 9, 0) };

	(void)state;
	assert_true(holds(&padded, 1, v, p));
	p[2] = waiting(3, 1, 9, 0);
	assert_false(holds(&padded, 1, v, p));
	v[0] = words(Q3, 0, 10, 0);
	assert_true(holds(&padded, 1, v, p));
	v[1] = words(Q3, 0, 8, 0);
	assert_true(holds(&padded, 1, v, p));
	p[2] = proc(TICK, 3);
	assert_false(holds(&padded, 1, v, p));
	p[2] = proc(LEAVE, 3);
	assert_false(holds(&padded, 1, v, p));
}

static void q1_wants_the_own_hour_in_c(void **state)
{
	struct wicket_proc p[] = { start(&padded, 1), proc(LEAVE, 2),
				   start(&padded, 3) };
	struct wicket_value v[3] = { { { 0 } } };

	(void)state;
	v[1] = words(Q3, 0, 5, 0);
	assert_true(holds(&padded, 2, v, p));
	v[1] = words(Q3, 0, 6, 0);
	assert_false(holds(&padded, 2, v, p));
	v[1] = words(3, 0, 5, 0);
	assert_false(holds(&padded, 2, v, p));
}

static void names_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[NO_WAIT - 1].name, "no-wait");
	assert_string_equal(mutants[NO_MIDDLE - 1].name, "no-middle");
	assert_string_equal(mutants[STEP_BACK - 1].name, "step-back");
	assert_string_equal(mutants[NO_OK - 1].name, "no-ok");
	assert_string_equal(mutants[SILENT - 1].name, "silent");
	assert_string_equal(mutants[UNFENCED_B - 1].name, "unfenced-b");
	assert_string_equal(mutants[UNFENCED_D - 1].name, "unfenced-d");
	assert_string_equal(mutants[UNFENCED_SET - 1].name, "unfenced-set");
	assert_string_equal(mutants[UNFENCED_TICK - 1].name, "unfenced-tick");
	assert_null(mutants[UNFENCED_TICK].name);
	assert_string_equal(variants[PADDED - 1].name, "padded");
	assert_string_equal(variants[PADDED_FENCED - 1].name, "padded-fenced");
}

static void texts(void **state)
{
	const struct wicket_algo *a = &wicket_rivest_pratt_linear;
	struct wicket_value v[] = { words(DEAD, 0, 0, 0), words(3, 2, 7, 0),
				    words(Q3, 0, 12, 0) };

	(void)state;
	assert_shows(a, &padded, v, "(S,R)@c=D (2,3)@7 Q@12");
	assert_shows_step(a, &padded, start(&padded, 1), "1: clock of 2");
	assert_shows_step(a, &padded, racing(A, 2, 0, 0, 0, 0),
			  "A: fetch from 1");
	assert_shows_step(a, &padded, racing(B, 2, 0, 0, 2, 0), "B: := (2,1)");
	assert_shows_step(a, &padded, racing(AGREE, 2, 2, 0, 1, 0),
			  "D: := (1,3)");
	assert_shows_step(a, &padded, racing(SET, 2, 0, 0, 0, 9), "3: c := 9");
	assert_shows_step(a, &padded, racing(JOIN, 2, 0, 0, 0, 9),
			  "4: := Q, 9");
	assert_shows_step(a, &padded, racing(TICK, 2, 0, 0, 0, 14),
			  "6: c := 0");
	assert_shows_step(a, &padded, waiting(2, 2, 0, 0), "5: clock of 3");
	assert_shows_step(a, &padded, proc(LEAVE, 2), "R := D");
}

/* pcs from SCAN1 to FAIL */
static void fences_are_after_what_must_be_seen(void **state)
{
	const struct {
		uint32_t mutant;
		const char *expected;
	} of[] = {
		{ 0, "--F-F--F---F--" },
		{ UNFENCED_B, "----F--F---F--" },
		{ UNFENCED_D, "--F----F---F--" },
		{ UNFENCED_SET, "--F-F------F--" },
		{ UNFENCED_TICK, "--F-F--F------" },
	};
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = PADDED_FENCED };

	(void)state;
	for (int i = 0; i < 5; i++) {
		c.mutant = of[i].mutant;
		assert_fences(&wicket_rivest_pratt_linear, PADDED, &c,
			      racing(SCAN1, 2, 2, 0, 0, 0), of[i].expected);
	}
}

/* The wait is counted from where memory has what it stored at B. */
static void it_is_public_when_its_first_fence_is_done(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = PADDED_FENCED };
	struct wicket_value v = words(DEAD, 0, 0, 0);

	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		struct wicket_proc p = racing(B, i, 0, 0, 0, 1);

		p = step_or_fence(&c, p, v).proc;
		assert_true(wicket_owes_fence(p));
		assert_false(passed(&c, p, 0));
		p = step_or_fence(&c, p, v).proc;
		assert_true(passed(&c, p, 0));
		/* later ones do not hide it again */
		p = step_or_fence(&c, racing(AGREE, i, 0, 0, 1, 1), v).proc;
		assert_true(wicket_owes_fence(p));
		assert_true(passed(&c, p, 0));
		p = step_or_fence(&c, proc(TICK, i), v).proc;
		assert_true(wicket_owes_fence(p));
		assert_true(passed(&c, p, 0));
		assert_true(passed(&c, p, 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_mutual_exclusion),
		cmocka_unit_test(clocks_and_numbers),
		cmocka_unit_test(so_many_values),
		cmocka_unit_test(regions),
		cmocka_unit_test(it_reads_the_others_and_writes_its_own),
		cmocka_unit_test(sysclock_passes_over_clocks_one_behind),
		cmocka_unit_test(step_1_is_a_fetch_from_each_other),
		cmocka_unit_test(in_the_races_q_is_as_good_as_dead),
		cmocka_unit_test(a_racer_shows_its_clock),
		cmocka_unit_test(the_last_race_is_followed_by_step_3),
		cmocka_unit_test(step_4_does_not_step_back),
		cmocka_unit_test(it_joins_and_waits),
		cmocka_unit_test(it_waits_for_who_is_behind_or_far_ahead),
		cmocka_unit_test(at_its_hour_it_enters_if_it_has_ticked),
		cmocka_unit_test(a_tick_is_a_write),
		cmocka_unit_test(one_mutant_leaves_out_step_3),
		cmocka_unit_test(leaving_and_failing_are_the_same_to_others),
		cmocka_unit_test(points_of_a_wait),
		cmocka_unit_test(wh_wants_all_system_clocks_in_a_window),
		cmocka_unit_test(ws_speaks_of_those_it_has_passed),
		cmocka_unit_test(q1_wants_the_own_hour_in_c),
		cmocka_unit_test(names_are_as_numbered),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
		cmocka_unit_test(it_is_public_when_its_first_fence_is_done),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("rivest-pratt-linear", tests, NULL,
					   NULL);
}
