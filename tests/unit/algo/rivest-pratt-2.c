/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-2 - Rivest & Pratt 1977, Figs. 1 and 2, statement by statement
 * and with the announced failure.  Process 1 is the paper's P_0.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/rivest-pratt-2.c"

enum { DEAD = 3 }; /* the paper's D */

static const struct wicket_cfg cfg = { .n = 2, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t own,
			       uint64_t put)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = i,
		.local = { own, put },
	};
}

static void it_is_for_two(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1 };

	(void)state;
	assert_null(refuse(&cfg));
	assert_string_equal(refuse(&c), "rivest-pratt-2 is for n = 2, k = 1");
}

static void each_process_owns_a_variable_and_is_dead(void **state)
{
	(void)state;
	assert_int_equal(wicket_rivest_pratt_2.registers(&cfg), 2);
	for (uint32_t r = 0; r < 2; r++) {
		struct wicket_proc p = wicket_rivest_pratt_2.start(&cfg, r + 1);
		struct wicket_proc expected = proc(A, r + 1, 0, 0);

		assert_value(reg(&cfg, r).start, DEAD, 0, 0, 0);
		assert_int_equal(reg(&cfg, r).range, 4);
		assert_int_equal(reg(&cfg, r).owner, r + 1);
		assert_memory_equal(&p, &expected, sizeof(p));
	}
}

static void regions(void **state)
{
	const enum wicket_region expected[] = {
		[A] = WICKET_REMAINDER, [B] = WICKET_TRYING,
		[C] = WICKET_TRYING,	[AGREE] = WICKET_TRYING,
		[E] = WICKET_TRYING,	[LEAVE] = WICKET_CRITICAL,
		[FAIL] = WICKET_TRYING,
	};

	(void)state;
	for (uint16_t pc = A; pc <= FAIL; pc++)
		assert_int_equal(region(&cfg, proc(pc, 2, 0, 0)), expected[pc]);
}

static void it_reads_the_other_and_writes_its_own(void **state)
{
	const enum wicket_kind kinds[] = {
		[A] = WICKET_LOAD,     [B] = WICKET_STORE,
		[C] = WICKET_LOAD,     [AGREE] = WICKET_STORE,
		[E] = WICKET_AWAIT,    [LEAVE] = WICKET_STORE,
		[FAIL] = WICKET_STORE,
	};

	(void)state;
	for (uint16_t pc = A; pc <= FAIL; pc++) {
		int writes = kinds[pc] == WICKET_STORE;
		struct wicket_access a = access(&cfg, proc(pc, 1, 0, 0));

		assert_int_equal(a.kind, kinds[pc]);
		assert_int_equal(a.reg, writes ? 0 : 1);
		a = access(&cfg, proc(pc, 2, 0, 0));
		assert_int_equal(a.kind, kinds[pc]);
		assert_int_equal(a.reg, writes ? 1 : 0);
	}
}

static void arithmetic_is_modulo_three(void **state)
{
	(void)state;
	assert_int_equal(after(0), 1);
	assert_int_equal(after(1), 2);
	assert_int_equal(after(2), 0);
}

static void at_a_it_goes_after_the_other_or_begins_with_zero(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		assert_step(proc(A, i, 0, 0), DEAD, proc(B, i, 0, 0));
		assert_step(proc(A, i, 0, 0), 0, proc(B, i, 0, 1));
		assert_step(proc(A, i, 0, 0), 1, proc(B, i, 0, 2));
		assert_step(proc(A, i, 0, 0), 2, proc(B, i, 0, 0));
	}
}

static void at_b_it_says_so(void **state)
{
	(void)state;
	assert_write(proc(B, 1, 0, 2), 2, proc(C, 1, 2, 0));
	assert_write(proc(B, 2, 0, 1), 1, proc(C, 2, 1, 0));
	assert_write(proc(B, 2, 0, 0), 0, proc(C, 2, 0, 0));
}

static void at_c_it_goes_after_the_other_or_stays(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		assert_step(proc(C, i, 2, 0), DEAD, proc(AGREE, i, 2, 2));
		assert_step(proc(C, i, 1, 0), DEAD, proc(AGREE, i, 1, 1));
		assert_step(proc(C, i, 2, 0), 0, proc(AGREE, i, 2, 1));
		assert_step(proc(C, i, 2, 0), 1, proc(AGREE, i, 2, 2));
		assert_step(proc(C, i, 2, 0), 2, proc(AGREE, i, 2, 0));
	}
}

static void at_d_it_says_so_again(void **state)
{
	(void)state;
	assert_write(proc(AGREE, 1, 2, 0), 0, proc(E, 1, 0, 0));
	assert_write(proc(AGREE, 2, 0, 1), 1, proc(E, 2, 1, 0));
	assert_write(proc(AGREE, 2, 2, 2), 2, proc(E, 2, 2, 0));
}

static void at_e_who_is_one_behind_goes_first(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		struct wicket_proc in = proc(LEAVE, i, 0, 0);

		assert_step(proc(E, i, 0, 0), DEAD, in);
		assert_step(proc(E, i, 2, 0), DEAD, in);
		assert_step(proc(E, i, 0, 0), 1, in);
		assert_step(proc(E, i, 1, 0), 2, in);
		assert_step(proc(E, i, 2, 0), 0, in);
		/* one ahead: waits */
		assert_step(proc(E, i, 0, 0), 2, proc(E, i, 0, 0));
		assert_step(proc(E, i, 1, 0), 0, proc(E, i, 1, 0));
		assert_step(proc(E, i, 2, 0), 1, proc(E, i, 2, 0));
	}
}

static void at_e_the_first_process_wins_a_tie(void **state)
{
	(void)state;
	for (uint64_t s = 0; s < 3; s++) {
		assert_step(proc(E, 1, s, 0), s, proc(LEAVE, 1, 0, 0));
		assert_step(proc(E, 2, s, 0), s, proc(E, 2, s, 0));
	}
}

static void leaving_and_failing_are_the_same_to_others(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		assert_write(proc(LEAVE, i, 0, 0), DEAD, proc(A, i, 0, 0));
		assert_write(proc(FAIL, i, 0, 0), DEAD, proc(A, i, 0, 0));
	}
}

static void assert_event(struct wicket_proc p, enum wicket_event event,
			 struct wicket_proc expected)
{
	struct wicket_proc then = on_event(&cfg, p, event);

	assert_memory_equal(&then, &expected, sizeof(then));
}

static void it_fails_anywhere_but_in_r(void **state)
{
	(void)state;
	assert_event(proc(A, 2, 0, 0), WICKET_FAIL, proc(A, 2, 0, 0));
	assert_event(proc(B, 2, 0, 1), WICKET_FAIL, proc(FAIL, 2, 0, 0));
	assert_event(proc(C, 2, 1, 0), WICKET_FAIL, proc(FAIL, 2, 0, 0));
	assert_event(proc(AGREE, 1, 1, 2), WICKET_FAIL, proc(FAIL, 1, 0, 0));
	assert_event(proc(E, 1, 2, 0), WICKET_FAIL, proc(FAIL, 1, 0, 0));
	assert_event(proc(LEAVE, 1, 0, 0), WICKET_FAIL, proc(FAIL, 1, 0, 0));
	assert_event(proc(FAIL, 1, 0, 0), WICKET_FAIL, proc(FAIL, 1, 0, 0));
}

static void it_never_abandons(void **state)
{
	(void)state;
	for (uint16_t pc = A; pc <= FAIL; pc++)
		assert_event(proc(pc, 1, 1, 2), WICKET_ABANDON,
			     proc(pc, 1, 1, 2));
}

static void it_is_public_from_c_on_until_it_has_entered(void **state)
{
	const int public[] = { [A] = 0, [B] = 0,     [C] = 1,	[AGREE] = 1,
			       [E] = 1, [LEAVE] = 0, [FAIL] = 0 };

	(void)state;
	for (uint16_t pc = A; pc <= FAIL; pc++) {
		struct wicket_proc p = proc(pc, 2, 0, 0);

		assert_int_equal(!!passed(&cfg, p, 0), public[pc]);
		assert_int_equal(!!passed(&cfg, p, 1), pc == E);
	}
	assert_string_equal(wicket_rivest_pratt_2.points[0].name, "public");
	assert_string_equal(wicket_rivest_pratt_2.points[1].name, "E");
	assert_null(wicket_rivest_pratt_2.points[2].name);
}

static void p1_wants_the_variable_alive_in_c(void **state)
{
	/* there is no third process */
	struct wicket_proc p[] = { proc(LEAVE, 1, 0, 0), proc(E, 2, 1, 0),
				   proc(LEAVE, 3, 0, 0) };
	struct wicket_value v[] = { wicket_number(0), wicket_number(DEAD),
				    wicket_number(DEAD) };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	v[0] = wicket_number(DEAD);
	assert_false(holds(&cfg, 0, v, p));
	p[0] = proc(A, 1, 0, 0);
	assert_true(holds(&cfg, 0, v, p));
	p[1] = proc(LEAVE, 2, 0, 0);
	assert_false(holds(&cfg, 0, v, p));
	v[1] = wicket_number(2);
	assert_true(holds(&cfg, 0, v, p));
}

/* The pcs and values of a process until it is back in R, the other dead. */
static void alone_it_gets_in_and_out(void **state)
{
	const uint16_t pcs[] = { A, B, C, AGREE, E, LEAVE };
	const uint64_t own[] = { DEAD, DEAD, 0, 0, 0, 0 };

	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		struct wicket_proc p = wicket_rivest_pratt_2.start(&cfg, i);
		struct wicket_value v[] = { wicket_number(DEAD),
					    wicket_number(DEAD) };

		for (int at = 0; at < 6; at++) {
			struct wicket_access a = access(&cfg, p);
			struct wicket_result r = step(&cfg, p, v[a.reg]);

			assert_int_equal(p.pc, pcs[at]);
			assert_value(v[i - 1], own[at], 0, 0, 0);
			if (a.kind == WICKET_STORE)
				v[a.reg] = r.put;
			p = r.proc;
		}
		assert_int_equal(p.pc, A);
		assert_value(v[0], DEAD, 0, 0, 0);
		assert_value(v[1], DEAD, 0, 0, 0);
	}
}

static void the_silent_mutant_stays_dead(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .mutant = SILENT };
	struct wicket_result r;

	(void)state;
	r = step(&c, proc(B, 1, 0, 2), wicket_number(DEAD));
	assert_value(r.put, DEAD, 0, 0, 0);
	assert_int_equal(r.proc.pc, C);
	r = step(&c, proc(AGREE, 1, 0, 2), wicket_number(DEAD));
	assert_value(r.put, DEAD, 0, 0, 0);
	assert_int_equal(r.proc.pc, E);
}

static void the_one_look_mutant_leaves_c_and_d_out(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .mutant = ONE_LOOK };
	struct wicket_proc expected = proc(E, 1, 2, 0);
	struct wicket_result r;

	(void)state;
	r = step(&c, proc(B, 1, 0, 2), wicket_number(DEAD));
	assert_value(r.put, 2, 0, 0, 0);
	assert_memory_equal(&r.proc, &expected, sizeof(expected));
}

static void the_mutants_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[SILENT - 1].name, "silent");
	assert_string_equal(mutants[ONE_LOOK - 1].name, "one-look");
	assert_string_equal(mutants[UNFENCED_B - 1].name, "unfenced-b");
	assert_string_equal(mutants[UNFENCED_D - 1].name, "unfenced-d");
	assert_string_equal(mutants[UNFENCED_LEAVE - 1].name, "unfenced-leave");
	assert_string_equal(mutants[UNFENCED_FAIL - 1].name, "unfenced-fail");
	assert_null(mutants[UNFENCED_FAIL].name);
	assert_string_equal(variants[FENCED - 1].name, "fenced");
}

static void there_are_four_times_four_values(void **state)
{
	(void)state;
	assert_int_equal(bound(&cfg), 16);
}

static void assert_says(struct wicket_proc p, const char *expected)
{
	assert_shows_step(&wicket_rivest_pratt_2, &cfg, p, expected);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(DEAD), wicket_number(0) };

	(void)state;
	assert_shows(&wicket_rivest_pratt_2, &cfg, v, "S=D0");
	v[0] = wicket_number(2);
	v[1] = wicket_number(1);
	assert_shows(&wicket_rivest_pratt_2, &cfg, v, "S=21");
	assert_says(proc(A, 1, 0, 0), "A: U := S2");
	assert_says(proc(A, 2, 0, 0), "A: U := S1");
	assert_says(proc(B, 1, 0, 2), "B: S := 2");
	assert_says(proc(C, 2, 1, 0), "C: U := S1");
	assert_says(proc(AGREE, 1, 0, 1), "D: S := 1");
	assert_says(proc(E, 1, 2, 0), "E: own S is 2");
	assert_says(proc(LEAVE, 1, 0, 0), "S := D");
	assert_says(proc(FAIL, 2, 0, 0), "S := D");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_rivest_pratt_2, 0, &c, proc(A, 1, 0, 0),
		      "-F-F-FF");
	c.mutant = UNFENCED_B;
	assert_fences(&wicket_rivest_pratt_2, 0, &c, proc(A, 1, 0, 0),
		      "---F-FF");
	c.mutant = UNFENCED_D;
	assert_fences(&wicket_rivest_pratt_2, 0, &c, proc(A, 1, 0, 0),
		      "-F---FF");
	c.mutant = UNFENCED_LEAVE;
	assert_fences(&wicket_rivest_pratt_2, 0, &c, proc(A, 1, 0, 0),
		      "-F-F--F");
	c.mutant = UNFENCED_FAIL;
	assert_fences(&wicket_rivest_pratt_2, 0, &c, proc(A, 1, 0, 0),
		      "-F-F-F-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_for_two),
		cmocka_unit_test(each_process_owns_a_variable_and_is_dead),
		cmocka_unit_test(regions),
		cmocka_unit_test(it_reads_the_other_and_writes_its_own),
		cmocka_unit_test(arithmetic_is_modulo_three),
		cmocka_unit_test(
			at_a_it_goes_after_the_other_or_begins_with_zero),
		cmocka_unit_test(at_b_it_says_so),
		cmocka_unit_test(at_c_it_goes_after_the_other_or_stays),
		cmocka_unit_test(at_d_it_says_so_again),
		cmocka_unit_test(at_e_who_is_one_behind_goes_first),
		cmocka_unit_test(at_e_the_first_process_wins_a_tie),
		cmocka_unit_test(leaving_and_failing_are_the_same_to_others),
		cmocka_unit_test(it_fails_anywhere_but_in_r),
		cmocka_unit_test(it_never_abandons),
		cmocka_unit_test(it_is_public_from_c_on_until_it_has_entered),
		cmocka_unit_test(p1_wants_the_variable_alive_in_c),
		cmocka_unit_test(alone_it_gets_in_and_out),
		cmocka_unit_test(the_silent_mutant_stays_dead),
		cmocka_unit_test(the_one_look_mutant_leaves_c_and_d_out),
		cmocka_unit_test(the_mutants_are_as_numbered),
		cmocka_unit_test(there_are_four_times_four_values),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("rivest-pratt-2", tests, NULL, NULL);
}
