/* SPDX-License-Identifier: MIT */
/*
 * weak-one-bit - Taubenfeld 2013, Algorithm 2, look by look: whom a process
 * yields to, whom it waits for, and what it remembers of them.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/weak-one-bit.c"

static const struct wicket_cfg cfg = { .n = 4, .k = 2 };
static const struct wicket_cfg yields = { .n = 4, .k = 2, .mutant = ALL_YIELD };

/* About to look at j; the flags in up (bit j) were up; or so many were. */
static struct wicket_proc looking(uint16_t pc, uint32_t i, uint64_t j,
				  uint64_t up, uint64_t counter)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = i,
		.local = { j, up, counter },
	};
}

static struct wicket_proc proc(uint16_t pc, uint32_t i)
{
	return looking(pc, i, 0, 0, 0);
}

enum { UP1 = 2, UP2 = 4, UP3 = 8, UP4 = 16 };

static void each_process_owns_a_bit(void **state)
{
	struct wicket_cfg most = { .n = 16, .k = 3 };

	(void)state;
	assert_int_equal(wicket_weak_one_bit.registers(&cfg), 4);
	for (uint32_t r = 0; r < 4; r++) {
		assert_value(wicket_weak_one_bit.reg(&cfg, r).start, 0, 0, 0,
			     0);
		assert_int_equal(wicket_weak_one_bit.reg(&cfg, r).range, 2);
		assert_int_equal(wicket_weak_one_bit.reg(&cfg, r).owner, r + 1);
	}
	assert_int_equal(bound(&cfg), 16);
	assert_int_equal(bound(&most), 65536);
	assert_null(wicket_weak_one_bit.refuse);
}

static void regions(void **state)
{
	(void)state;
	for (uint16_t pc = READY; pc <= ABORT; pc++)
		assert_int_equal(region(&cfg, looking(pc, 3, 1, 0, 0)),
				 pc == READY ? WICKET_REMAINDER :
				 pc == LEAVE ? WICKET_CRITICAL :
					       WICKET_TRYING);
}

static void it_reads_the_others_and_writes_its_own(void **state)
{
	(void)state;
	for (uint16_t pc = READY; pc <= ABORT; pc++) {
		int reads = pc == LOOK || pc == WAIT || pc == REST ||
			    pc == WATCH;
		struct wicket_access a = access(&cfg,
						looking(pc, 3, 2, UP2, 0));

		assert_int_equal(a.kind, reads ? WICKET_LOAD : WICKET_STORE);
		assert_int_equal(a.reg, reads ? 1 : 2);
	}
}

static void it_raises_its_flag_and_looks_at_lesser_numbers(void **state)
{
	const uint16_t pcs[] = { READY, AGAIN };

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_write(proc(pcs[i], 3), 1, looking(LOOK, 3, 1, 0, 0));
		assert_write(proc(pcs[i], 4), 1, looking(LOOK, 4, 1, 0, 0));
		/* the first has none */
		assert_write(proc(pcs[i], 1), 1, looking(REST, 1, 2, 0, 0));
	}
}

static void it_remembers_who_is_up(void **state)
{
	(void)state;
	assert_step(looking(LOOK, 4, 1, 0, 0), 0, looking(LOOK, 4, 2, 0, 0));
	assert_step(looking(LOOK, 4, 1, 0, 0), 1, looking(LOOK, 4, 2, UP1, 0));
	assert_step(looking(LOOK, 4, 2, UP1, 0), 0,
		    looking(LOOK, 4, 3, UP1, 0));
	/* then those after it */
	assert_step(looking(LOOK, 3, 2, UP1, 0), 0,
		    looking(REST, 3, 4, UP1, 0));
	assert_step(looking(LOOK, 2, 1, 0, 0), 1, looking(REST, 2, 3, UP1, 0));
	assert_step(looking(REST, 2, 3, UP1, 0), 0,
		    looking(REST, 2, 4, UP1, 0));
	assert_step(looking(REST, 1, 2, 0, 0), 1, looking(REST, 1, 3, UP2, 0));
}

static void k_lesser_flags_make_it_lower_its_own(void **state)
{
	(void)state;
	assert_step(looking(LOOK, 3, 2, UP1, 0), 1, proc(LOWER, 3));
	assert_step(looking(LOOK, 4, 3, UP1 | UP2, 0), 0, proc(LOWER, 4));
	assert_write(proc(LOWER, 3), 0, looking(WAIT, 3, 1, 0, 0));
	assert_write(proc(LOWER, 4), 0, looking(WAIT, 4, 1, 0, 0));
}

static void with_its_flag_down_it_only_counts(void **state)
{
	(void)state;
	assert_step(looking(WAIT, 4, 1, 0, 0), 1, looking(WAIT, 4, 2, 0, 1));
	assert_step(looking(WAIT, 4, 2, 0, 1), 0, looking(WAIT, 4, 3, 0, 1));
	assert_step(looking(WAIT, 4, 3, 0, 1), 1, looking(WAIT, 4, 1, 0, 0));
	assert_step(looking(WAIT, 4, 3, 0, 2), 0, looking(WAIT, 4, 1, 0, 0));
	assert_step(looking(WAIT, 4, 3, 0, 1), 0, proc(AGAIN, 4));
	assert_step(looking(WAIT, 3, 2, 0, 0), 1, proc(AGAIN, 3));
}

static void fewer_than_k_let_it_in(void **state)
{
	(void)state;
	assert_step(looking(REST, 3, 4, UP1, 0), 0, proc(LEAVE, 3));
	assert_step(looking(REST, 1, 4, 0, 0), 1, proc(LEAVE, 1));
	assert_step(looking(LOOK, 4, 3, 0, 0), 1, proc(LEAVE, 4));
	assert_step(looking(LOOK, 4, 3, UP2, 0), 0, proc(LEAVE, 4));
}

static void k_or_more_are_watched(void **state)
{
	(void)state;
	assert_step(looking(REST, 3, 4, UP1, 0), 1,
		    looking(WATCH, 3, 1, UP1 | UP4, 0));
	assert_step(looking(REST, 1, 4, UP2 | UP3, 0), 1,
		    looking(WATCH, 1, 2, UP2 | UP3 | UP4, 0));
}

static void only_those_who_were_up_are_looked_at_again(void **state)
{
	(void)state;
	assert_step(looking(WATCH, 3, 1, UP1 | UP4, 0), 1,
		    looking(WATCH, 3, 4, UP1 | UP4, 0));
	assert_step(looking(WATCH, 3, 4, UP1 | UP4, 0), 1,
		    looking(WATCH, 3, 1, UP1 | UP4, 0));
	assert_step(looking(WATCH, 1, 2, UP2 | UP3 | UP4, 0), 0,
		    looking(WATCH, 1, 3, UP3 | UP4, 0));
}

/* The while loop tests once a pass, as printed. */
static void who_has_been_down_once_is_forgotten(void **state)
{
	(void)state;
	assert_step(looking(WATCH, 3, 1, UP1 | UP4, 0), 0,
		    looking(WATCH, 3, 4, UP4, 0));
	assert_step(looking(WATCH, 3, 4, UP4, 0), 1, proc(LEAVE, 3));
	assert_step(looking(WATCH, 3, 4, UP1 | UP4, 0), 0, proc(LEAVE, 3));
	assert_step(looking(WATCH, 1, 4, UP2 | UP3 | UP4, 0), 0,
		    looking(WATCH, 1, 2, UP2 | UP3, 0));
}

static void leaving_and_aborting_lower_the_flag(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 4; i++) {
		assert_write(proc(LEAVE, i), 0, proc(READY, i));
		assert_write(proc(ABORT, i), 0, proc(READY, i));
	}
}

static void it_aborts_anywhere_but_in_r(void **state)
{
	(void)state;
	for (uint16_t pc = READY; pc <= LEAVE; pc++) {
		struct wicket_proc p = looking(pc, 3, 2, UP1, 1);
		struct wicket_proc aborts = pc == READY ? p : proc(ABORT, 3);
		struct wicket_proc then = on_event(&cfg, p, WICKET_FAIL);

		assert_memory_equal(&then, &aborts, sizeof(then));
		then = on_event(&cfg, p, WICKET_ABANDON);
		assert_memory_equal(&then, &p, sizeof(then));
	}
}

static void one_mutant_does_not_raise_its_flag(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	c.mutant = NO_FLAG;
	assert_value(step(&c, proc(READY, 3), wicket_number(0)).put, 0, 0, 0,
		     0);
	assert_value(step(&c, proc(AGAIN, 3), wicket_number(0)).put, 0, 0, 0,
		     0);
}

static void the_other_yields_to_everybody(void **state)
{
	(void)state;
	assert_step_of(&yields, proc(READY, 1), 0, looking(LOOK, 1, 2, 0, 0));
	assert_step_of(&yields, looking(LOOK, 2, 1, 0, 0), 0,
		       looking(LOOK, 2, 3, 0, 0));
	assert_step_of(&yields, looking(LOOK, 2, 4, UP1, 0), 1, proc(LOWER, 2));
	assert_step_of(&yields, looking(LOOK, 2, 4, UP1, 0), 0, proc(LEAVE, 2));
	assert_step_of(&yields, proc(LOWER, 1), 0, looking(WAIT, 1, 2, 0, 0));
	assert_step_of(&yields, looking(WAIT, 1, 4, 0, 1), 0, proc(AGAIN, 1));
}

static void w1_wants_the_flag_up_past_itself(void **state)
{
	struct wicket_proc p[] = { proc(LEAVE, 1), looking(LOOK, 2, 1, 0, 0),
				   looking(REST, 3, 4, 0, 0),
				   looking(WAIT, 4, 1, 0, 0) };
	struct wicket_value v[4] = { { { 0 } } };

	(void)state;
	assert_false(holds(&cfg, 0, v, p));
	v[0] = wicket_number(1);
	assert_false(holds(&cfg, 0, v, p));
	v[2] = wicket_number(1);
	assert_true(holds(&cfg, 0, v, p));
	p[2] = looking(WATCH, 3, 1, UP1, 0);
	assert_true(holds(&cfg, 0, v, p));
	v[2] = wicket_number(0);
	assert_false(holds(&cfg, 0, v, p));
}

static void texts(void **state)
{
	const struct wicket_algo *a = &wicket_weak_one_bit;
	struct wicket_value v[] = { wicket_number(1), wicket_number(0),
				    wicket_number(0), wicket_number(1) };

	(void)state;
	assert_shows(a, &cfg, v, "Flag=1001");
	assert_shows_step(a, &cfg, proc(READY, 2), "Flag := 1");
	assert_shows_step(a, &cfg, proc(AGAIN, 2), "Flag := 1");
	assert_shows_step(a, &cfg, proc(LOWER, 2), "Flag := 0");
	assert_shows_step(a, &cfg, proc(LEAVE, 2), "Flag := 0");
	assert_shows_step(a, &cfg, proc(ABORT, 2), "Flag := 0");
	assert_shows_step(a, &cfg, looking(LOOK, 4, 3, 0, 0), "Flag[3]?");
	assert_shows_step(a, &cfg, looking(WATCH, 4, 3, UP3, 0),
			  "Flag[3] still?");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 4, .k = 2, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_weak_one_bit, 0, &c, looking(READY, 3, 1, UP1, 0),
		      "F---F----");
	c.mutant = UNFENCED_READY;
	assert_fences(&wicket_weak_one_bit, 0, &c, looking(READY, 3, 1, UP1, 0),
		      "----F----");
	c.mutant = UNFENCED_AGAIN;
	assert_fences(&wicket_weak_one_bit, 0, &c, looking(READY, 3, 1, UP1, 0),
		      "F--------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_process_owns_a_bit),
		cmocka_unit_test(regions),
		cmocka_unit_test(it_reads_the_others_and_writes_its_own),
		cmocka_unit_test(
			it_raises_its_flag_and_looks_at_lesser_numbers),
		cmocka_unit_test(it_remembers_who_is_up),
		cmocka_unit_test(k_lesser_flags_make_it_lower_its_own),
		cmocka_unit_test(with_its_flag_down_it_only_counts),
		cmocka_unit_test(fewer_than_k_let_it_in),
		cmocka_unit_test(k_or_more_are_watched),
		cmocka_unit_test(only_those_who_were_up_are_looked_at_again),
		cmocka_unit_test(who_has_been_down_once_is_forgotten),
		cmocka_unit_test(leaving_and_aborting_lower_the_flag),
		cmocka_unit_test(it_aborts_anywhere_but_in_r),
		cmocka_unit_test(one_mutant_does_not_raise_its_flag),
		cmocka_unit_test(the_other_yields_to_everybody),
		cmocka_unit_test(w1_wants_the_flag_up_past_itself),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("weak-one-bit", tests, NULL, NULL);
}
