/* SPDX-License-Identifier: MIT */
/*
 * two-bits - Taubenfeld 2013, 3.1, at the grain of single reads and writes:
 * who has which flags, who looks at whose, and what the count leads to.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/two-bits.c"

/* Flag1[1..3] are registers 0..2, Flag2[2..4] are registers 3..5. */
static const struct wicket_cfg cfg = { .n = 4, .k = 2 };

static struct wicket_proc proc(uint16_t pc, uint32_t i)
{
	return (struct wicket_proc){ .pc = pc, .self = i };
}

/* About to look at a flag of process j, having counted so many. */
static struct wicket_proc looking(uint16_t pc, uint32_t i, uint64_t j,
				  uint64_t flag, uint64_t counter)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = i,
		.local = { j, flag, counter },
	};
}

static void the_first_and_the_last_have_one_flag(void **state)
{
	const uint32_t owners[] = { 1, 2, 3, 2, 3, 4 };

	(void)state;
	assert_int_equal(registers(&cfg), 6);
	for (uint32_t r = 0; r < 6; r++) {
		assert_value(reg(&cfg, r).start, 0, 0, 0, 0);
		assert_int_equal(reg(&cfg, r).range, 2);
		assert_int_equal(reg(&cfg, r).owner, owners[r]);
	}
}

static void two_processes_have_two_bits(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };

	(void)state;
	assert_int_equal(registers(&c), 2);
	assert_int_equal(reg(&c, 0).owner, 1);
	assert_int_equal(reg(&c, 1).owner, 2);
}

static void all_are_ready_at_the_start(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 4; i++) {
		struct wicket_proc p = wicket_two_bits.start(&cfg, i),
				   expected = { 0 };

		expected.self = i; /* READY is 0 */
		assert_memory_equal(&p, &expected, sizeof(p));
	}
}

static void regions(void **state)
{
	const enum wicket_region expected[] = {
		[READY] = WICKET_REMAINDER, [COUNT] = WICKET_TRYING,
		[RAISE] = WICKET_TRYING,    [AGAIN] = WICKET_TRYING,
		[LOWER] = WICKET_TRYING,    [LEAVE] = WICKET_CRITICAL,
		[CLEAR] = WICKET_EXIT,
	};

	(void)state;
	for (uint16_t pc = READY; pc <= CLEAR; pc++) {
		assert_int_equal(region(&cfg, looking(pc, 3, 1, 1, 0)),
				 expected[pc]);
	}
	/* also of process n, although it begins with a look */
	assert_int_equal(region(&cfg, proc(READY, 4)), WICKET_REMAINDER);
}

static void writes_go_to_the_own_flags(void **state)
{
	(void)state;
	assert_access(proc(READY, 1), WICKET_STORE, 0);
	assert_access(proc(READY, 2), WICKET_STORE, 1);
	assert_access(proc(READY, 3), WICKET_STORE, 2);
	assert_access(proc(RAISE, 2), WICKET_STORE, 3);
	assert_access(proc(RAISE, 4), WICKET_STORE, 5);
	assert_access(proc(LOWER, 3), WICKET_STORE, 4);
	assert_access(proc(LEAVE, 1), WICKET_STORE, 0);
	assert_access(proc(LEAVE, 2), WICKET_STORE, 3);
	assert_access(proc(LEAVE, 4), WICKET_STORE, 5);
	assert_access(proc(CLEAR, 2), WICKET_STORE, 1);
	assert_access(proc(CLEAR, 3), WICKET_STORE, 2);
}

static void reads_go_to_the_others_flags(void **state)
{
	const uint16_t pcs[] = { COUNT, AGAIN };

	(void)state;
	for (int i = 0; i < 2; i++) {
		uint16_t pc = pcs[i];

		assert_access(looking(pc, 3, 1, 1, 0), WICKET_LOAD, 0);
		assert_access(looking(pc, 3, 2, 1, 0), WICKET_LOAD, 1);
		assert_access(looking(pc, 3, 2, 2, 0), WICKET_LOAD, 3);
		assert_access(looking(pc, 3, 4, 2, 1), WICKET_LOAD, 5);
		assert_access(looking(pc, 1, 2, 2, 0), WICKET_LOAD, 3);
		assert_access(looking(pc, 4, 3, 1, 0), WICKET_LOAD, 2);
		assert_access(looking(pc, 4, 3, 2, 0), WICKET_LOAD, 4);
	}
}

static void the_last_process_begins_with_a_look(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct wicket_access a = access(&c, proc(READY, 2));

	(void)state;
	assert_access(proc(READY, 4), WICKET_LOAD, 0);
	assert_int_equal(a.kind, WICKET_LOAD);
	assert_int_equal(a.reg, 0);
}

static void wanting_begins_a_count(void **state)
{
	(void)state;
	assert_write(proc(READY, 1), 1, looking(COUNT, 1, 2, 2, 0));
	assert_write(proc(READY, 2), 1, looking(COUNT, 2, 1, 1, 0));
	assert_write(proc(READY, 3), 1, looking(COUNT, 3, 1, 1, 0));
	/* process 1 has no second flag to be asked for */
	assert_step(proc(READY, 4), 0, looking(COUNT, 4, 2, 1, 0));
	assert_step(proc(READY, 4), 1, looking(COUNT, 4, 2, 1, 1));
}

static void the_first_process_has_no_second_flag(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 3, 1, 1, 0), 0, looking(COUNT, 3, 2, 1, 0));
	assert_step(looking(COUNT, 3, 1, 1, 0), 1, looking(COUNT, 3, 2, 1, 1));
	assert_step(looking(AGAIN, 2, 1, 1, 0), 0, looking(AGAIN, 2, 3, 2, 0));
	assert_step(looking(AGAIN, 2, 1, 1, 0), 1, looking(AGAIN, 2, 3, 2, 1));
}

static void who_wants_is_not_asked_whether_it_may(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 3, 2, 1, 1), 1, looking(COUNT, 3, 4, 2, 2));
	assert_step(looking(COUNT, 3, 2, 1, 1), 0, looking(COUNT, 3, 2, 2, 1));
	assert_step(looking(COUNT, 3, 2, 2, 1), 1, looking(COUNT, 3, 4, 2, 2));
	assert_step(looking(COUNT, 3, 2, 2, 1), 0, looking(COUNT, 3, 4, 2, 1));
	assert_step(looking(AGAIN, 4, 2, 1, 0), 1, looking(AGAIN, 4, 3, 1, 1));
	assert_step(looking(AGAIN, 4, 2, 1, 0), 0, looking(AGAIN, 4, 2, 2, 0));
	assert_step(looking(AGAIN, 4, 2, 2, 0), 1, looking(AGAIN, 4, 3, 1, 1));
}

static void greater_processes_are_asked_whether_they_may(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 1, 2, 2, 0), 0, looking(COUNT, 1, 3, 2, 0));
	assert_step(looking(COUNT, 1, 2, 2, 0), 1, looking(COUNT, 1, 3, 2, 1));
	assert_step(looking(AGAIN, 2, 3, 2, 1), 0, looking(AGAIN, 2, 4, 2, 1));
	assert_step(looking(AGAIN, 2, 3, 2, 1), 1, looking(AGAIN, 2, 4, 2, 2));
}

static void fewer_than_k_let_it_raise_its_flag(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 3, 4, 2, 1), 0, proc(RAISE, 3));
	assert_step(looking(COUNT, 3, 4, 2, 0), 1, proc(RAISE, 3));
	assert_step(looking(COUNT, 4, 3, 1, 0), 1, proc(RAISE, 4));
	assert_step(looking(COUNT, 4, 3, 2, 1), 0, proc(RAISE, 4));
	assert_write(proc(RAISE, 3), 1, looking(AGAIN, 3, 1, 1, 0));
	assert_write(proc(RAISE, 4), 1, looking(AGAIN, 4, 1, 1, 0));
	assert_write(proc(RAISE, 2), 1, looking(AGAIN, 2, 1, 1, 0));
}

static void k_or_more_make_it_count_again(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 3, 4, 2, 1), 1, looking(COUNT, 3, 1, 1, 0));
	assert_step(looking(COUNT, 3, 4, 2, 2), 0, looking(COUNT, 3, 1, 1, 0));
	assert_step(looking(COUNT, 3, 4, 2, 2), 1, looking(COUNT, 3, 1, 1, 0));
	assert_step(looking(COUNT, 1, 4, 2, 1), 1, looking(COUNT, 1, 2, 2, 0));
}

static void the_first_process_raises_nothing_and_counts_again(void **state)
{
	(void)state;
	assert_step(looking(COUNT, 1, 4, 2, 1), 0, looking(AGAIN, 1, 2, 2, 0));
	assert_step(looking(AGAIN, 1, 4, 2, 1), 0, proc(LEAVE, 1));
	assert_step(looking(AGAIN, 1, 4, 2, 0), 1, proc(LEAVE, 1));
	/* nor lowers it anything */
	assert_step(looking(AGAIN, 1, 4, 2, 1), 1, looking(COUNT, 1, 2, 2, 0));
}

static void fewer_than_k_after_raising_let_it_in(void **state)
{
	(void)state;
	assert_step(looking(AGAIN, 3, 4, 2, 1), 0, proc(LEAVE, 3));
	assert_step(looking(AGAIN, 4, 3, 1, 0), 1, proc(LEAVE, 4));
	assert_step(looking(AGAIN, 4, 3, 2, 0), 0, proc(LEAVE, 4));
}

static void k_or_more_after_raising_make_it_lower(void **state)
{
	(void)state;
	assert_step(looking(AGAIN, 3, 4, 2, 1), 1, proc(LOWER, 3));
	assert_step(looking(AGAIN, 4, 3, 2, 2), 0, proc(LOWER, 4));
	assert_write(proc(LOWER, 3), 0, looking(COUNT, 3, 1, 1, 0));
	assert_write(proc(LOWER, 4), 0, looking(COUNT, 4, 1, 1, 0));
}

static void leaving_takes_both_flags_back_the_second_first(void **state)
{
	(void)state;
	assert_write(proc(LEAVE, 2), 0, proc(CLEAR, 2));
	assert_write(proc(CLEAR, 2), 0, proc(READY, 2));
	assert_write(proc(LEAVE, 3), 0, proc(CLEAR, 3));
	assert_write(proc(CLEAR, 3), 0, proc(READY, 3));
}

static void who_has_one_flag_leaves_in_one_step(void **state)
{
	(void)state;
	assert_write(proc(LEAVE, 1), 0, proc(READY, 1));
	assert_write(proc(LEAVE, 4), 0, proc(READY, 4));
}

/* The pcs that a process comes by until it is back in R, all others resting. */
static void assert_alone(uint32_t i, const uint16_t *pcs, uint32_t length)
{
	struct wicket_value regs[6] = { { { 0 } } }, zero[6] = { { { 0 } } };
	struct wicket_proc p = wicket_two_bits.start(&cfg, i);

	for (uint32_t at = 0; at < length; at++) {
		struct wicket_access a = access(&cfg, p);
		struct wicket_result r = step(&cfg, p, regs[a.reg]);

		assert_int_equal(p.pc, pcs[at]);
		if (a.kind == WICKET_STORE)
			regs[a.reg] = r.put;
		p = r.proc;
	}
	assert_int_equal(p.pc, READY);
	assert_memory_equal(regs, zero, sizeof(regs));
}

static void alone_everybody_gets_in_and_out(void **state)
{
	const uint16_t first[] = { READY, COUNT, COUNT, COUNT,
				   AGAIN, AGAIN, AGAIN, LEAVE };
	const uint16_t third[] = { READY, COUNT, COUNT, COUNT, COUNT, RAISE,
				   AGAIN, AGAIN, AGAIN, AGAIN, LEAVE, CLEAR };
	/* Flag1[1], and both flags of 2 and of 3; the first look is READY */
	const uint16_t last[] = { READY, COUNT, COUNT, COUNT, COUNT, RAISE,
				  AGAIN, AGAIN, AGAIN, AGAIN, AGAIN, LEAVE };

	(void)state;
	assert_alone(1, first, 8);
	assert_alone(3, third, 12);
	assert_alone(4, last, 12);
}

static void the_mutant_does_not_raise_its_flag(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_proc expected = looking(AGAIN, 3, 1, 1, 0);
	struct wicket_result r;

	(void)state;
	c.mutant = NO_FLAG;
	r = step(&c, proc(RAISE, 3), wicket_number(0));
	assert_value(r.put, 0, 0, 0, 0);
	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_value(step(&c, proc(READY, 3), wicket_number(0)).put, 1, 0, 0,
		     0);
}

static void t1_wants_the_last_flag_set_in_c(void **state)
{
	/* there is no fifth process */
	struct wicket_proc p[] = { proc(LEAVE, 1), looking(COUNT, 2, 1, 1, 0),
				   proc(LEAVE, 3), proc(READY, 4),
				   proc(LEAVE, 5) };
	struct wicket_value v[7] = {
		[0] = wicket_number(1), [4] = wicket_number(1)
	};

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	v[0] = wicket_number(0);
	assert_false(holds(&cfg, 0, v, p));
	p[0] = proc(READY, 1);
	assert_true(holds(&cfg, 0, v, p));
	/* Flag1[3] will not do */
	v[4] = wicket_number(0);
	v[2] = wicket_number(1);
	assert_false(holds(&cfg, 0, v, p));
	p[2] = proc(CLEAR, 3);
	assert_true(holds(&cfg, 0, v, p));
	p[3] = proc(LEAVE, 4);
	assert_false(holds(&cfg, 0, v, p));
	v[5] = wicket_number(1);
	assert_true(holds(&cfg, 0, v, p));
}

static void so_many_bits_have_so_many_values(void **state)
{
	struct wicket_cfg two = { .n = 2, .k = 1 }, most = { .n = 16, .k = 1 };

	(void)state;
	assert_int_equal(bound(&two), 4);
	assert_int_equal(bound(&cfg), 64);
	assert_int_equal(bound(&most), 1073741824);
}

static void nobody_gives_up(void **state)
{
	(void)state;
	assert_null(wicket_two_bits.passed);
	assert_null(wicket_two_bits.refuse);
	assert_null(wicket_two_bits.processes);
	assert_true(wicket_two_bits.discusses & WICKET_STARVATION_FREEDOM);
	assert_false(wicket_two_bits.solves & WICKET_STARVATION_FREEDOM);
}

static void assert_says(struct wicket_proc p, const char *expected)
{
	assert_shows_step(&wicket_two_bits, &cfg, p, expected);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(1), wicket_number(0),
				    wicket_number(1), wicket_number(0),
				    wicket_number(0), wicket_number(1) };

	(void)state;
	assert_shows(&wicket_two_bits, &cfg, v, "Flag1=101- Flag2=-001");
	assert_says(proc(READY, 2), "Flag1 := 1");
	assert_says(proc(READY, 4), "Flag1[1]?");
	assert_says(looking(COUNT, 3, 2, 1, 0), "Flag1[2]?");
	assert_says(looking(COUNT, 3, 2, 2, 0), "Flag2[2]?");
	assert_says(looking(AGAIN, 3, 4, 2, 1), "Flag2[4]?");
	assert_says(proc(RAISE, 3), "Flag2 := 1");
	assert_says(proc(LOWER, 3), "Flag2 := 0");
	assert_says(proc(LEAVE, 3), "Flag2 := 0");
	assert_says(proc(LEAVE, 1), "Flag1 := 0");
	assert_says(proc(CLEAR, 3), "Flag1 := 0");
}

static void assert_event(struct wicket_proc p, enum wicket_event event,
			 struct wicket_proc expected)
{
	struct wicket_proc then = on_event(&cfg, p, event);

	assert_memory_equal(&then, &expected, sizeof(then));
}

static void an_abort_is_the_way_out(void **state)
{
	(void)state;
	assert_event(proc(READY, 2), WICKET_FAIL, proc(READY, 2));
	assert_event(proc(CLEAR, 2), WICKET_FAIL, proc(CLEAR, 2));
	assert_event(looking(COUNT, 2, 1, 1, 1), WICKET_FAIL, proc(ABORT, 2));
	assert_event(looking(AGAIN, 4, 3, 2, 1), WICKET_FAIL, proc(ABORT, 4));
	assert_event(proc(RAISE, 3), WICKET_FAIL, proc(ABORT, 3));
	assert_event(proc(LOWER, 3), WICKET_FAIL, proc(ABORT, 3));
	assert_event(proc(LEAVE, 1), WICKET_FAIL, proc(ABORT, 1));
	assert_event(proc(RAISE, 3), WICKET_ABANDON, proc(RAISE, 3));
	assert_access(proc(ABORT, 1), WICKET_STORE, 0);
	assert_access(proc(ABORT, 3), WICKET_STORE, 4);
	assert_write(proc(ABORT, 1), 0, proc(READY, 1));
	assert_write(proc(ABORT, 3), 0, proc(CLEAR, 3));
	assert_write(proc(ABORT, 4), 0, proc(READY, 4));
	assert_says(proc(ABORT, 3), "Flag2 := 0");
}

/* --- both flags in one register ------------------------------------------- */

static const struct wicket_cfg three = {
	.n = 4,
	.k = 2,
	.variant = THREE_VALUED,
};

static void assert_three(struct wicket_proc p, uint64_t seen, uint64_t put,
			 struct wicket_proc expected)
{
	struct wicket_result r = step(&three, p, wicket_number(seen));

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_value(r.put, put, 0, 0, 0);
}

static void two_have_a_bit_the_others_three_values(void **state)
{
	const uint32_t ranges[] = { 2, 3, 3, 2 };

	(void)state;
	assert_int_equal(registers(&three), 4);
	for (uint32_t r = 0; r < 4; r++) {
		assert_int_equal(reg(&three, r).range, ranges[r]);
		assert_int_equal(reg(&three, r).owner, r + 1);
	}
	assert_int_equal(bound(&three), 36);
}

static void three_values_are_no_flag_the_first_and_both(void **state)
{
	(void)state;
	assert_three(proc(READY, 2), 0, 1, looking(COUNT, 2, 1, 1, 0));
	assert_three(proc(RAISE, 2), 1, 2, looking(AGAIN, 2, 1, 1, 0));
	assert_three(proc(LOWER, 2), 2, 1, looking(COUNT, 2, 1, 1, 0));
	assert_three(proc(LEAVE, 2), 2, 0, proc(READY, 2));
	assert_three(proc(ABORT, 2), 1, 0, proc(READY, 2));
	/* process n has but the second */
	assert_three(proc(RAISE, 4), 0, 1, looking(AGAIN, 4, 1, 1, 0));
	assert_three(proc(LOWER, 4), 1, 0, looking(COUNT, 4, 1, 1, 0));
	assert_three(proc(LEAVE, 4), 1, 0, proc(READY, 4));
}

static void one_look_tells_both(void **state)
{
	(void)state;
	/* of a lesser number any flag counts */
	assert_three(looking(COUNT, 3, 2, 1, 0), 0, 0,
		     looking(COUNT, 3, 4, 2, 0));
	assert_three(looking(COUNT, 3, 2, 1, 0), 1, 1,
		     looking(COUNT, 3, 4, 2, 1));
	assert_three(looking(COUNT, 3, 2, 1, 0), 2, 2,
		     looking(COUNT, 3, 4, 2, 1));
	/* of a greater one only the second */
	assert_three(looking(AGAIN, 2, 3, 2, 0), 0, 0,
		     looking(AGAIN, 2, 4, 2, 0));
	assert_three(looking(AGAIN, 2, 3, 2, 0), 1, 1,
		     looking(AGAIN, 2, 4, 2, 0));
	assert_three(looking(AGAIN, 2, 3, 2, 0), 2, 2,
		     looking(AGAIN, 2, 4, 2, 1));
	/* which process n shows by its only bit */
	assert_three(looking(AGAIN, 2, 4, 2, 1), 0, 0, proc(LEAVE, 2));
	assert_three(looking(AGAIN, 2, 4, 2, 1), 1, 1, proc(LOWER, 2));
}

static void t1_wants_both_flags_in_c(void **state)
{
	struct wicket_proc p[] = { proc(READY, 1), proc(LEAVE, 2),
				   proc(READY, 3), proc(LEAVE, 4) };
	struct wicket_value v[] = { wicket_number(0), wicket_number(2),
				    wicket_number(0), wicket_number(1) };

	(void)state;
	assert_true(holds(&three, 0, v, p));
	v[1] = wicket_number(1);
	assert_false(holds(&three, 0, v, p));
	assert_shows(&wicket_two_bits, &three, v, "R=0101");
	assert_shows_step(&wicket_two_bits, &three, proc(RAISE, 2), "R := 2");
	assert_shows_step(&wicket_two_bits, &three, proc(LOWER, 4), "R := 0");
	assert_shows_step(&wicket_two_bits, &three, proc(LOWER, 2), "R := 1");
	assert_shows_step(&wicket_two_bits, &three, proc(READY, 2), "R := 1");
	assert_shows_step(&wicket_two_bits, &three, looking(COUNT, 2, 3, 2, 0),
			  "R[3]?");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 4, .k = 2, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 1), "F-------");
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 2), "--F-----");
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 4), "--F-----");
	c.mutant = UNFENCED_FIRST;
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 1), "--------");
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 2), "--F-----");
	c.mutant = UNFENCED_RAISE;
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 1), "F-------");
	assert_fences(&wicket_two_bits, 0, &c, proc(READY, 2), "--------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_and_the_last_have_one_flag),
		cmocka_unit_test(two_processes_have_two_bits),
		cmocka_unit_test(all_are_ready_at_the_start),
		cmocka_unit_test(regions),
		cmocka_unit_test(writes_go_to_the_own_flags),
		cmocka_unit_test(reads_go_to_the_others_flags),
		cmocka_unit_test(the_last_process_begins_with_a_look),
		cmocka_unit_test(wanting_begins_a_count),
		cmocka_unit_test(the_first_process_has_no_second_flag),
		cmocka_unit_test(who_wants_is_not_asked_whether_it_may),
		cmocka_unit_test(greater_processes_are_asked_whether_they_may),
		cmocka_unit_test(fewer_than_k_let_it_raise_its_flag),
		cmocka_unit_test(k_or_more_make_it_count_again),
		cmocka_unit_test(
			the_first_process_raises_nothing_and_counts_again),
		cmocka_unit_test(fewer_than_k_after_raising_let_it_in),
		cmocka_unit_test(k_or_more_after_raising_make_it_lower),
		cmocka_unit_test(
			leaving_takes_both_flags_back_the_second_first),
		cmocka_unit_test(who_has_one_flag_leaves_in_one_step),
		cmocka_unit_test(alone_everybody_gets_in_and_out),
		cmocka_unit_test(the_mutant_does_not_raise_its_flag),
		cmocka_unit_test(t1_wants_the_last_flag_set_in_c),
		cmocka_unit_test(so_many_bits_have_so_many_values),
		cmocka_unit_test(nobody_gives_up),
		cmocka_unit_test(texts),
		cmocka_unit_test(an_abort_is_the_way_out),
		cmocka_unit_test(two_have_a_bit_the_others_three_values),
		cmocka_unit_test(three_values_are_no_flag_the_first_and_both),
		cmocka_unit_test(one_look_tells_both),
		cmocka_unit_test(t1_wants_both_flags_in_c),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("two-bits", tests, NULL, NULL);
}
