/* SPDX-License-Identifier: MIT */
/*
 * fast-outline, fast-2, fast - Ben-Ari, 5.4 and 5.6, at the grain of single
 * reads and writes.
 */
#include "fenced.h"
#include "steps.h"

#include "algo/fast.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
static const struct wicket_cfg two = { .n = 2, .k = 1 };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t j)
{
	return (struct wicket_proc){ .pc = pc, .self = i, .local = { j } };
}

static void sizes(void **state)
{
	(void)state;
	assert_null(refuse(&cfg));
	assert_non_null(refuse(&(struct wicket_cfg){ .n = 3, .k = 2 }));
	assert_null(refuse_2(&two));
	assert_non_null(refuse_2(&cfg));
	assert_int_equal(registers(&cfg), 5);
	assert_int_equal(gates(&two), 2);
	assert_int_equal(reg(&cfg, 1).owner, 0);
	assert_int_equal(reg(&cfg, 1).range, 4);
	assert_int_equal(reg(&cfg, 4).owner, 3);
	assert_int_equal(reg(&cfg, 4).range, 2);
}

/* Two gates, the want, two looks; then two writes to leave. */
static void alone_nobody_waits(void **state)
{
	(void)state;
	assert_store(proc(ENTER, 2, 0), 0, 2, proc(WANT, 2, 0));
	assert_store(proc(WANT, 2, 0), 3, 1, proc(LOOK2, 2, 0));
	assert_load(proc(LOOK2, 2, 0), WICKET_LOAD, 1, 0, proc(GATE2, 2, 0));
	assert_store(proc(GATE2, 2, 0), 1, 2, proc(LOOK1, 2, 0));
	assert_load(proc(LOOK1, 2, 0), WICKET_LOAD, 0, 2, proc(LEAVE, 2, 0));
	assert_store(proc(LEAVE, 2, 0), 1, 0, proc(CLEAR, 2, 0));
	assert_store(proc(CLEAR, 2, 0), 3, 0, proc(ENTER, 2, 0));
}

static void gate_2_turns_back(void **state)
{
	(void)state;
	assert_load(proc(LOOK2, 2, 0), WICKET_LOAD, 1, 3, proc(YIELD2, 2, 0));
	assert_store(proc(YIELD2, 2, 0), 3, 0, proc(RETURN, 2, 0));
	assert_load(proc(RETURN, 2, 0), WICKET_AWAIT, 1, 3, proc(RETURN, 2, 0));
	assert_load(proc(RETURN, 2, 0), WICKET_AWAIT, 1, 0, proc(AGAIN, 2, 0));
	assert_store(proc(AGAIN, 2, 0), 0, 2, proc(WANT, 2, 0));
}

static void gate_1_makes_one_wait_for_the_others(void **state)
{
	(void)state;
	assert_load(proc(LOOK1, 2, 0), WICKET_LOAD, 0, 1, proc(YIELD1, 2, 0));
	assert_store(proc(YIELD1, 2, 0), 3, 0, proc(OTHERS, 2, 1));
	assert_load(proc(OTHERS, 2, 1), WICKET_AWAIT, 2, 1, proc(OTHERS, 2, 1));
	assert_load(proc(OTHERS, 2, 1), WICKET_AWAIT, 2, 0, proc(OTHERS, 2, 3));
	assert_load(proc(OTHERS, 2, 3), WICKET_AWAIT, 4, 0, proc(OWN, 2, 0));
	assert_load(proc(OWN, 2, 0), WICKET_LOAD, 1, 2, proc(RESUME, 2, 0));
	assert_load(proc(OWN, 2, 0), WICKET_LOAD, 1, 3, proc(RETURN, 2, 0));
	assert_load(proc(OWN, 2, 0), WICKET_LOAD, 1, 0, proc(RETURN, 2, 0));
	assert_store(proc(RESUME, 2, 0), 3, 1, proc(LEAVE, 2, 0));
}

static void the_book_does_not_wait_for_gate_2(void **state)
{
	struct wicket_cfg book = cfg;

	(void)state;
	book.mutant = BOOK;
	assert_int_equal(
		step(&book, proc(YIELD2, 2, 0), wicket_number(0)).proc.pc,
		AGAIN);
	assert_int_equal(step(&book, proc(OWN, 2, 0), wicket_number(3)).proc.pc,
			 AGAIN);
	assert_int_equal(step(&book, proc(OWN, 2, 0), wicket_number(2)).proc.pc,
			 RESUME);
}

static void one_await_is_the_first(void **state)
{
	struct wicket_cfg one = cfg;

	(void)state;
	one.variant = ONE_AWAIT;
	assert_int_equal(
		step(&one, proc(YIELD2, 2, 0), wicket_number(0)).proc.pc,
		RETURN);
	assert_int_equal(step(&one, proc(OWN, 2, 0), wicket_number(3)).proc.pc,
			 AGAIN);
	assert_int_equal(step(&one, proc(OWN, 2, 0), wicket_number(2)).proc.pc,
			 RESUME);
}

static void the_mutant_does_not_say_that_it_wants(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	c.mutant = NO_WANT;
	assert_value(step(&c, proc(WANT, 1, 0), wicket_number(0)).put, 0, 0, 0,
		     0);
	assert_value(step(&c, proc(RESUME, 1, 0), wicket_number(0)).put, 0, 0,
		     0, 0);
}

static void assert_outline(uint16_t pc, uint64_t seen, uint16_t next)
{
	struct wicket_result r = outline_step(&two, proc(pc, 2, 0),
					      wicket_number(seen));

	assert_int_equal(r.proc.pc, next);
}

static void the_outline_knows_no_wants(void **state)
{
	(void)state;
	assert_outline(ENTER, 0, LOOK2);
	assert_outline(LOOK2, 1, AGAIN);
	assert_outline(AGAIN, 0, LOOK2);
	assert_outline(LOOK2, 0, GATE2);
	assert_outline(GATE2, 0, LOOK1);
	assert_outline(LOOK1, 2, LEAVE);
	assert_outline(LOOK1, 1, OWN);
	assert_outline(OWN, 2, LEAVE);
	assert_outline(OWN, 1, AGAIN);
	assert_outline(LEAVE, 0, ENTER);
	assert_value(
		outline_step(&two, proc(GATE2, 2, 0), wicket_number(0)).put, 2,
		0, 0, 0);
}

static void regions(void **state)
{
	(void)state;
	for (uint16_t pc = ENTER; pc <= CLEAR; pc++)
		assert_int_equal(region(&cfg, proc(pc, 1, 0)),
				 pc == ENTER ? WICKET_REMAINDER :
				 pc == LEAVE ? WICKET_CRITICAL :
				 pc == CLEAR ? WICKET_EXIT :
					       WICKET_TRYING);
}

static int lemma_of(uint32_t i, uint64_t gate1, uint64_t gate2, uint16_t pc1,
		    uint16_t pc2)
{
	struct wicket_value v[] = { wicket_number(gate1), wicket_number(gate2),
				    wicket_number(0), wicket_number(0) };
	struct wicket_proc p[] = { proc(pc1, 1, 0), proc(pc2, 2, 0) };

	return holds_2(&two, i, v, p);
}

/* By the position in the table; the even ones speak of p = 1. */
static void the_lemmas_of_the_book(void **state)
{
	enum { P51, P52, P53, P55, P54, P56 };

	(void)state;
	assert_string_equal(invariants_2[P51].name, "5.1");
	assert_string_equal(invariants_2[P55].name, "5.5");
	assert_string_equal(invariants_2[P56].name, "5.6");
	assert_false(lemma_of(P51, 2, 1, OWN, GATE2));
	assert_false(lemma_of(P51, 2, 1, RESUME, LEAVE));
	assert_false(lemma_of(P51, 2, 1, OWN, YIELD1));
	assert_true(lemma_of(P51, 2, 1, OWN, OTHERS));
	assert_true(lemma_of(P51, 2, 2, OWN, LEAVE));
	assert_true(lemma_of(P51, 2, 1, OTHERS, LEAVE));
	assert_false(lemma_of(P52, 1, 2, LOOK1, OWN));
	assert_true(lemma_of(P52, 1, 1, LOOK1, OWN));
	assert_false(lemma_of(P53, 1, 0, LOOK1, ENTER));
	assert_true(lemma_of(P53, 2, 0, LOOK1, ENTER));
	assert_true(lemma_of(P53, 1, 2, LOOK1, ENTER));
	assert_false(lemma_of(P55, 2, 0, ENTER, LOOK1));
	assert_true(lemma_of(P55, 2, 0, LOOK1, ENTER));
	assert_false(lemma_of(P54, 1, 0, LEAVE, ENTER));
	assert_false(lemma_of(P54, 1, 1, LEAVE, LEAVE));
	assert_false(lemma_of(P54, 2, 1, LEAVE, GATE2));
	assert_true(lemma_of(P54, 1, 1, LEAVE, GATE2));
	assert_false(lemma_of(P56, 1, 2, LOOK1, LEAVE));
	assert_true(lemma_of(P56, 2, 2, LOOK1, LEAVE));
}

static void wants_are_set_where_they_should(void **state)
{
	const uint16_t set[] = { LOOK2,	 YIELD2, GATE2, LOOK1,
				 YIELD1, LEAVE,	 CLEAR };
	struct wicket_value v[5] = { { { 0 } } };

	(void)state;
	for (uint16_t pc = ENTER; pc <= CLEAR; pc++) {
		struct wicket_proc p[] = { proc(ENTER, 1, 0), proc(pc, 2, 0),
					   proc(ENTER, 3, 0) };
		int expected = 0;

		for (size_t i = 0; i < sizeof(set) / sizeof(*set); i++)
			expected |= set[i] == pc;
		v[3] = wicket_number(1);
		assert_int_equal(holds(&cfg, 0, v, p), expected);
		v[3] = wicket_number(0);
		assert_int_equal(holds(&cfg, 0, v, p), !expected);
	}
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(3), wicket_number(1),
				    wicket_number(1), wicket_number(0),
				    wicket_number(1) };
	static const char *const does[] = {
		[ENTER] = "gate1 := 2", [AGAIN] = "gate1 := 2",
		[WANT] = "want := 1",	[LOOK2] = "gate2?",
		[YIELD2] = "want := 0", [RETURN] = "await gate2 = 0",
		[GATE2] = "gate2 := 2", [LOOK1] = "gate1?",
		[YIELD1] = "want := 0", [OTHERS] = "await 3",
		[OWN] = "gate2?",	[RESUME] = "want := 1",
		[LEAVE] = "gate2 := 0", [CLEAR] = "want := 0",
	};

	(void)state;
	assert_shows(&wicket_fast, &cfg, v, "gate1=3 gate2=1 want=101");
	assert_shows(&wicket_fast_outline, &two, v, "gate1=3 gate2=1");
	for (uint16_t pc = ENTER; pc <= CLEAR; pc++)
		assert_shows_step(&wicket_fast, &cfg, proc(pc, 2, 3), does[pc]);
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_fast, 0, &c, proc(ENTER, 2, 1), "--F---F-------");
	c.mutant = UNFENCED_WANT;
	assert_fences(&wicket_fast, 0, &c, proc(ENTER, 2, 1), "------F-------");
	c.mutant = UNFENCED_GATE2;
	assert_fences(&wicket_fast, 0, &c, proc(ENTER, 2, 1), "--F-----------");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(alone_nobody_waits),
		cmocka_unit_test(gate_2_turns_back),
		cmocka_unit_test(gate_1_makes_one_wait_for_the_others),
		cmocka_unit_test(the_book_does_not_wait_for_gate_2),
		cmocka_unit_test(one_await_is_the_first),
		cmocka_unit_test(the_mutant_does_not_say_that_it_wants),
		cmocka_unit_test(the_outline_knows_no_wants),
		cmocka_unit_test(regions),
		cmocka_unit_test(the_lemmas_of_the_book),
		cmocka_unit_test(wants_are_set_where_they_should),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("fast", tests, NULL, NULL);
}
