/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-n - Rivest & Pratt 1977, Fig. 4 corrected, statement by
 * statement; the race against oneself, which takes no fetch; failures.
 *
 * A public variable is D (0) or 1 + 3 R + S, so for three processes
 *
 *      R=0  1 2 3     R=1  4 5 6     R=2  7 8 9     with S = 0 1 2.
 */
#include "../unit.h"
#include "fenced.h"

#include "algo/rivest-pratt-n.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
static const struct wicket_cfg printed = { .n = 3, .k = 1, .mutant = PRINTED };

static struct wicket_proc proc(uint16_t pc, uint32_t i, uint64_t j,
			       uint64_t own, uint64_t put)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = i,
		.local = { j, own, put },
	};
}

static void it_is_mutual_exclusion(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2 };

	(void)state;
	assert_null(refuse(&cfg));
	assert_string_equal(refuse(&c),
			    "rivest-pratt-n is mutual exclusion: k must be 1");
}

static void each_process_owns_a_variable_and_is_dead(void **state)
{
	struct wicket_cfg five = { .n = 5, .k = 1 };

	(void)state;
	assert_int_equal(wicket_rivest_pratt_n.registers(&cfg), 3);
	for (uint32_t r = 0; r < 3; r++) {
		assert_value(reg(&cfg, r).start, 0, 0, 0, 0);
		assert_int_equal(reg(&cfg, r).range, 10);
		assert_int_equal(reg(&cfg, r).owner, r + 1);
	}
	assert_int_equal(wicket_rivest_pratt_n.registers(&five), 5);
	assert_int_equal(reg(&five, 4).range, 16);
}

static void the_first_process_starts_at_b_the_others_at_a(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		struct wicket_proc p = start(&cfg, i);
		struct wicket_proc expected = proc(i == 1 ? B : A, i, 0, 0, 0);

		assert_memory_equal(&p, &expected, sizeof(p));
	}
}

static void race_and_s_in_one_number(void **state)
{
	(void)state;
	assert_int_equal(wicket_race_shown(0, 0), 1);
	assert_int_equal(wicket_race_shown(0, 2), 3);
	assert_int_equal(wicket_race_shown(1, 0), 4);
	assert_int_equal(wicket_race_shown(2, 1), 8);
	assert_int_equal(wicket_race_shown(2, 2), 9);
}

static void regions(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, start(&cfg, 1)), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, start(&cfg, 2)), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, start(&cfg, 3)), WICKET_REMAINDER);
	/* B of the first race is T, unless it is the start */
	assert_int_equal(region(&cfg, proc(B, 2, 0, 0, 0)), WICKET_TRYING);
	/* A and B of later races */
	assert_int_equal(region(&cfg, proc(A, 3, 1, 0, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(B, 1, 1, 0, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(C, 2, 0, 0, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(AGREE, 1, 0, 0, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(E, 2, 0, 0, 0)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 2, 0, 0, 0)),
			 WICKET_CRITICAL);
	assert_int_equal(region(&cfg, proc(FAIL, 2, 0, 0, 0)), WICKET_TRYING);
}

static void it_reads_its_rival_and_writes_its_own(void **state)
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
		struct wicket_access a = access(&cfg, proc(pc, 2, 0, 0, 0));

		assert_int_equal(a.kind, kinds[pc]);
		assert_int_equal(a.reg, writes ? 1 : 0);
		a = access(&cfg, proc(pc, 1, 2, 0, 0));
		assert_int_equal(a.kind, kinds[pc]);
		assert_int_equal(a.reg, writes ? 0 : 2);
	}
}

/* A read; what it puts is ignored. */
static void assert_read(const struct wicket_cfg *c, struct wicket_proc p,
			uint64_t seen, struct wicket_proc expected)
{
	struct wicket_result r = step(c, p, wicket_number(seen));

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_int_equal(r.wakes, 0);
}

/* A write does not depend on what was there. */
static void assert_write(const struct wicket_cfg *c, struct wicket_proc p,
			 uint64_t put, struct wicket_proc expected)
{
	for (uint64_t seen = 0; seen < 10; seen++) {
		assert_read(c, p, seen, expected);
		assert_value(step(c, p, wicket_number(seen)).put, put, 0, 0, 0);
	}
}

static void racing_is_with_us_or_beyond(void **state)
{
	(void)state;
	for (uint64_t seen = 0; seen < 10; seen++) {
		assert_int_equal(!!is_racing(&cfg, start(&cfg, 1), seen),
				 seen > 0);
		assert_int_equal(!!is_racing(&cfg, start(&cfg, 2), seen),
				 seen > 3);
		assert_int_equal(!!is_racing(&cfg, start(&cfg, 3), seen),
				 seen > 6);
	}
}

static void the_figure_asks_only_whether_it_is_alive(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		for (uint64_t seen = 0; seen < 10; seen++) {
			assert_int_equal(
				!!is_racing(&printed, start(&printed, i), seen),
				seen > 0);
		}
	}
}

static void at_a_it_goes_after_who_is_racing(void **state)
{
	(void)state;
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 0, proc(B, 2, 0, 0, 0));
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 2, proc(B, 2, 0, 0, 0));
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 4, proc(B, 2, 0, 0, 1));
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 5, proc(B, 2, 0, 0, 2));
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 6, proc(B, 2, 0, 0, 0));
	assert_read(&cfg, proc(A, 2, 0, 0, 0), 8, proc(B, 2, 0, 0, 2));
	assert_read(&cfg, proc(A, 1, 2, 1, 0), 1, proc(B, 1, 2, 1, 1));
	assert_read(&printed, proc(A, 2, 0, 0, 0), 0, proc(B, 2, 0, 0, 0));
	assert_read(&printed, proc(A, 2, 0, 0, 0), 2, proc(B, 2, 0, 0, 2));
}

static void at_b_it_says_so(void **state)
{
	(void)state;
	assert_write(&cfg, proc(B, 2, 0, 0, 2), 3, proc(C, 2, 0, 2, 0));
	assert_write(&cfg, proc(B, 2, 2, 1, 0), 7, proc(C, 2, 2, 0, 0));
	assert_write(&cfg, proc(B, 3, 1, 0, 1), 5, proc(C, 3, 1, 1, 0));
}

static void at_c_it_fetches_again(void **state)
{
	(void)state;
	assert_read(&cfg, proc(C, 2, 0, 2, 0), 0, proc(E, 2, 0, 2, 0));
	assert_read(&cfg, proc(C, 2, 0, 2, 0), 2, proc(E, 2, 0, 2, 0));
	assert_read(&cfg, proc(C, 2, 0, 2, 0), 4, proc(AGREE, 2, 0, 2, 1));
	assert_read(&cfg, proc(C, 2, 0, 2, 0), 6, proc(AGREE, 2, 0, 2, 0));
	assert_read(&cfg, proc(C, 2, 0, 2, 0), 8, proc(AGREE, 2, 0, 2, 2));
	assert_read(&printed, proc(C, 2, 0, 2, 0), 0, proc(E, 2, 0, 2, 0));
	assert_read(&printed, proc(C, 2, 0, 2, 0), 1, proc(AGREE, 2, 0, 2, 1));
}

static void at_d_it_says_so_again(void **state)
{
	(void)state;
	assert_write(&cfg, proc(AGREE, 2, 0, 1, 2), 3, proc(E, 2, 0, 2, 0));
	assert_write(&cfg, proc(AGREE, 1, 2, 1, 0), 7, proc(E, 1, 2, 0, 0));
}

static void a_race_is_won_against_the_dead_and_the_slow(void **state)
{
	(void)state;
	/* process 3, the paper's 2, against process 1 */
	for (uint64_t seen = 0; seen <= 6; seen++)
		assert_true(wicket_race_won(seen, 2, 0, 1));
	/* who is beyond has beaten us */
	for (uint64_t seen = 7; seen <= 9; seen++)
		assert_false(wicket_race_won(seen, 1, 0, 1));
	for (uint64_t seen = 4; seen <= 9; seen++)
		assert_false(wicket_race_won(seen, 0, 2, 1));
	assert_true(wicket_race_won(0, 0, 2, 1));
}

static void face_to_face_s_decides(void **state)
{
	(void)state;
	/* against a lesser number a tie is lost */
	assert_false(wicket_race_won(4, 1, 0, 1));
	assert_false(wicket_race_won(5, 1, 0, 1));
	assert_true(wicket_race_won(6, 1, 0, 1));
	assert_true(wicket_race_won(4, 1, 0, 2));
	assert_false(wicket_race_won(5, 1, 0, 2));
	/* against a greater one it is won */
	assert_false(wicket_race_won(1, 0, 1, 1));
	assert_true(wicket_race_won(2, 0, 1, 1));
	assert_true(wicket_race_won(3, 0, 1, 1));
	assert_true(wicket_race_won(1, 0, 1, 2));
}

static void at_e_it_waits_or_goes_to_the_next_race(void **state)
{
	(void)state;
	assert_read(&cfg, proc(E, 1, 1, 1, 0), 1, proc(E, 1, 1, 1, 0));
	assert_read(&cfg, proc(E, 1, 1, 1, 0), 4, proc(E, 1, 1, 1, 0));
	assert_read(&cfg, proc(E, 1, 1, 1, 0), 2, proc(A, 1, 2, 1, 0));
	assert_read(&cfg, proc(E, 3, 0, 2, 0), 0, proc(A, 3, 1, 2, 0));
	/* the last race: C, and nothing is remembered */
	assert_read(&cfg, proc(E, 1, 2, 1, 0), 0, proc(LEAVE, 1, 0, 0, 0));
	assert_read(&cfg, proc(E, 2, 2, 2, 0), 3, proc(LEAVE, 2, 0, 0, 0));
	assert_read(&cfg, proc(E, 2, 2, 2, 0), 7, proc(E, 2, 2, 2, 0));
}

static void the_first_process_races_with_itself_first(void **state)
{
	struct wicket_proc p = start(&cfg, 1);

	(void)state;
	assert_write(&cfg, p, 1, proc(AGREE, 1, 0, 0, 1));
	assert_write(&cfg, proc(AGREE, 1, 0, 0, 1), 2, proc(A, 1, 1, 1, 0));
}

static void the_race_against_oneself_takes_no_fetch(void **state)
{
	(void)state;
	/* S_i was that of a lesser race: not racing */
	assert_read(&cfg, proc(E, 2, 0, 1, 0), 0, proc(B, 2, 1, 1, 0));
	assert_write(&cfg, proc(B, 2, 1, 1, 0), 4, proc(AGREE, 2, 1, 0, 1));
	assert_write(&cfg, proc(AGREE, 2, 1, 0, 1), 5, proc(A, 2, 2, 1, 0));
}

static void the_last_process_enters_by_its_d_write(void **state)
{
	(void)state;
	assert_read(&cfg, proc(E, 3, 1, 1, 0), 0, proc(B, 3, 2, 1, 0));
	assert_write(&cfg, proc(B, 3, 2, 1, 0), 7, proc(AGREE, 3, 2, 0, 1));
	assert_write(&cfg, proc(AGREE, 3, 2, 0, 1), 8, proc(LEAVE, 3, 0, 0, 0));
}

static void the_figure_races_with_its_own_past(void **state)
{
	(void)state;
	assert_read(&printed, proc(E, 2, 0, 1, 0), 0, proc(B, 2, 1, 1, 2));
	assert_write(&printed, proc(B, 2, 1, 1, 2), 6, proc(AGREE, 2, 1, 2, 0));
}

static void leaving_and_failing_are_the_same_to_others(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		struct wicket_proc rest = proc(i == 1 ? B : A, i, 0, 0, 0);

		assert_write(&cfg, proc(LEAVE, i, 0, 0, 0), 0, rest);
		assert_write(&cfg, proc(FAIL, i, 0, 0, 0), 0, rest);
	}
}

struct stop {
	uint16_t pc;
	uint64_t own; /* what its variable holds then */
};

/* A process from R to R, all others dead. */
static void assert_alone(uint32_t i, const struct stop *stops, int length)
{
	struct wicket_value v[3] = { { { 0 } } };
	struct wicket_proc p = start(&cfg, i);

	for (int at = 0; at < length; at++) {
		struct wicket_access a = access(&cfg, p);
		struct wicket_result r = step(&cfg, p, v[a.reg]);

		assert_int_equal(p.pc, stops[at].pc);
		assert_value(v[i - 1], stops[at].own, 0, 0, 0);
		if (a.kind == WICKET_STORE)
			v[a.reg] = r.put;
		p = r.proc;
	}
	assert_int_equal(region(&cfg, p), WICKET_REMAINDER);
	assert_value(v[i - 1], 0, 0, 0, 0);
}

static void alone_everybody_gets_in_and_out(void **state)
{
	const struct stop first[] = {
		{ B, 0 }, { AGREE, 1 }, { A, 2 },     { B, 2 },
		{ C, 4 }, { E, 4 },	{ A, 4 },     { B, 4 },
		{ C, 7 }, { E, 7 },	{ LEAVE, 7 },
	};
	const struct stop second[] = {
		{ A, 0 }, { B, 0 },	{ C, 1 },     { E, 1 },
		{ B, 1 }, { AGREE, 4 }, { A, 5 },     { B, 5 },
		{ C, 7 }, { E, 7 },	{ LEAVE, 7 },
	};
	const struct stop third[] = {
		{ A, 0 }, { B, 0 },	{ C, 1 },     { E, 1 },
		{ A, 1 }, { B, 1 },	{ C, 4 },     { E, 4 },
		{ B, 4 }, { AGREE, 7 }, { LEAVE, 8 },
	};

	(void)state;
	assert_alone(1, first, 11);
	assert_alone(2, second, 11);
	assert_alone(3, third, 11);
}

static void assert_event(struct wicket_proc p, enum wicket_event event,
			 struct wicket_proc expected)
{
	struct wicket_proc then = on_event(&cfg, p, event);

	assert_memory_equal(&then, &expected, sizeof(then));
}

static void it_fails_anywhere_but_in_r(void **state)
{
	const struct wicket_proc first = proc(FAIL, 1, 0, 0, 0);
	const struct wicket_proc second = proc(FAIL, 2, 0, 0, 0);

	(void)state;
	assert_event(start(&cfg, 1), WICKET_FAIL, start(&cfg, 1));
	assert_event(start(&cfg, 2), WICKET_FAIL, start(&cfg, 2));
	assert_event(proc(B, 2, 0, 0, 1), WICKET_FAIL, second);
	assert_event(proc(A, 2, 2, 1, 0), WICKET_FAIL, second);
	assert_event(proc(B, 1, 1, 1, 2), WICKET_FAIL, first);
	assert_event(proc(C, 2, 0, 1, 0), WICKET_FAIL, second);
	assert_event(proc(AGREE, 1, 0, 0, 1), WICKET_FAIL, first);
	assert_event(proc(E, 2, 2, 1, 0), WICKET_FAIL, second);
	assert_event(proc(LEAVE, 1, 0, 0, 0), WICKET_FAIL, first);
	assert_event(second, WICKET_FAIL, second);
}

static void it_never_abandons(void **state)
{
	(void)state;
	for (uint16_t pc = A; pc <= FAIL; pc++)
		assert_event(proc(pc, 2, 1, 1, 2), WICKET_ABANDON,
			     proc(pc, 2, 1, 1, 2));
}

static void it_is_public_once_it_has_written(void **state)
{
	(void)state;
	assert_false(passed(&cfg, start(&cfg, 1), 0));
	assert_false(passed(&cfg, start(&cfg, 2), 0));
	assert_false(passed(&cfg, proc(B, 2, 0, 0, 1), 0));
	assert_true(passed(&cfg, proc(AGREE, 1, 0, 0, 1), 0));
	assert_true(passed(&cfg, proc(C, 2, 0, 1, 0), 0));
	assert_true(passed(&cfg, proc(E, 2, 0, 1, 0), 0));
	assert_true(passed(&cfg, proc(A, 1, 1, 1, 0), 0));
	assert_true(passed(&cfg, proc(B, 2, 1, 1, 0), 0));
	assert_string_equal(wicket_rivest_pratt_n.points[0].name, "public");
	assert_null(wicket_rivest_pratt_n.points[1].name);
}

static void n1_wants_the_last_race_shown_in_c(void **state)
{
	/* there is no fourth process */
	struct wicket_proc p[] = { proc(LEAVE, 1, 0, 0, 0), start(&cfg, 2),
				   proc(E, 3, 0, 0, 0),
				   proc(LEAVE, 4, 0, 0, 0) };
	struct wicket_value v[] = { wicket_number(7), wicket_number(0),
				    wicket_number(1), wicket_number(0) };

	(void)state;
	assert_true(holds(&cfg, 0, v, p));
	v[0] = wicket_number(9);
	assert_true(holds(&cfg, 0, v, p));
	v[0] = wicket_number(6);
	assert_false(holds(&cfg, 0, v, p));
	v[0] = wicket_number(0);
	assert_false(holds(&cfg, 0, v, p));
	p[0] = start(&cfg, 1);
	assert_true(holds(&cfg, 0, v, p));
	p[2] = proc(LEAVE, 3, 0, 0, 0);
	assert_false(holds(&cfg, 0, v, p));
	v[2] = wicket_number(8);
	assert_true(holds(&cfg, 0, v, p));
}

static void the_silent_mutant_stays_dead(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .mutant = SILENT };

	(void)state;
	assert_write(&c, proc(B, 2, 0, 0, 2), 0, proc(C, 2, 0, 2, 0));
	assert_write(&c, proc(AGREE, 2, 0, 1, 2), 0, proc(E, 2, 0, 2, 0));
}

static void the_mutants_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[PRINTED - 1].name, "printed");
	assert_string_equal(mutants[SILENT - 1].name, "silent");
	assert_string_equal(mutants[FORGETS - 1].name, "forgets");
	assert_string_equal(mutants[UNFENCED_B - 1].name, "unfenced-b");
	assert_string_equal(mutants[UNFENCED_FAIL - 1].name, "unfenced-fail");
	assert_int_equal(mutants[UNFENCED_FAIL - 1].variant, FENCED);
	assert_string_equal(mutants[UNFENCED_COPIES - 1].name, "unfenced-b");
	assert_int_equal(mutants[UNFENCED_COPIES - 1].variant, COPIES_FENCED);
	assert_null(mutants[UNFENCED_COPIES + 3].name);
	assert_string_equal(variants[COPIES - 1].name, "copies");
	assert_string_equal(variants[FENCED - 1].name, "fenced");
	assert_string_equal(variants[COPIES_FENCED - 1].name, "copies-fenced");
	assert_null(variants[3].name);
}

/*
 * Copies: a digit modulo 4 for each opponent, 0 is D, else 1 + S; so (S_1, S_3)
 * of process 2 of three is S_1 + 1 + 16 (S_3 + 1).
 */
static const struct wicket_cfg copies = { .n = 3, .k = 1, .variant = COPIES };

static void who_has_copies_starts_with_an_opponent(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		struct wicket_proc p = start(&copies, i);
		struct wicket_proc expected = proc(A, i, i == 1, 0, 0);

		assert_memory_equal(&p, &expected, sizeof(p));
		assert_int_equal(region(&copies, p), WICKET_REMAINDER);
		assert_int_equal(reg(&copies, i - 1).range, 0);
		assert_value(reg(&copies, i - 1).start, 0, 0, 0, 0);
		assert_int_equal(reg(&copies, i - 1).owner, i);
	}
	assert_int_equal(region(&copies, proc(A, 2, 2, 1, 0)), WICKET_TRYING);
	assert_int_equal(region(&copies, proc(B, 1, 1, 0, 0)), WICKET_TRYING);
}

static void it_looks_at_the_copy_that_is_for_it(void **state)
{
	(void)state;
	/* process 2 of process 1: the digit of 4 */
	assert_read(&copies, proc(A, 2, 0, 0, 0), 48, proc(B, 2, 0, 0, 0));
	assert_read(&copies, proc(A, 2, 0, 0, 0), 4, proc(B, 2, 0, 0, 1));
	assert_read(&copies, proc(A, 2, 0, 0, 0), 48 + 8, proc(B, 2, 0, 0, 2));
	assert_read(&copies, proc(A, 2, 0, 0, 0), 12, proc(B, 2, 0, 0, 0));
	assert_read(&copies, proc(C, 2, 0, 1, 0), 48, proc(E, 2, 0, 1, 0));
	assert_read(&copies, proc(C, 2, 0, 1, 0), 4, proc(AGREE, 2, 0, 1, 1));
}

static void it_changes_one_copy_and_keeps_the_others(void **state)
{
	(void)state;
	/* of process 2: that for 3, while that for 1 is S = 1 */
	for (uint64_t seen = 0; seen < 64; seen += 21) {
		struct wicket_value v = wicket_number(seen);
		struct wicket_proc p = proc(B, 2, 2, 2, 2);
		struct wicket_proc then = proc(C, 2, 2, 50, 0);
		struct wicket_result r = step(&copies, p, v);

		assert_memory_equal(&r.proc, &then, sizeof(then));
		assert_value(r.put, 2 + 48, 0, 0, 0);
		p = proc(AGREE, 2, 2, 50, 0);
		then = proc(E, 2, 2, 18, 0);
		r = step(&copies, p, v);
		assert_memory_equal(&r.proc, &then, sizeof(then));
		assert_value(r.put, 2 + 16, 0, 0, 0);
	}
}

static void copies_decide_a_race(void **state)
{
	const struct wicket_proc next = proc(A, 2, 2, 2, 0);

	(void)state;
	/* process 2 with S = 1 against process 1, which wins a tie */
	assert_read(&copies, proc(E, 2, 0, 2, 0), 0, next);
	assert_read(&copies, proc(E, 2, 0, 2, 0), 48, next);
	assert_read(&copies, proc(E, 2, 0, 2, 0), 4, proc(E, 2, 0, 2, 0));
	assert_read(&copies, proc(E, 2, 0, 2, 0), 8, proc(E, 2, 0, 2, 0));
	assert_read(&copies, proc(E, 2, 0, 2, 0), 12, next);
	/* process 1 against process 3 */
	assert_read(&copies, proc(E, 1, 2, 36, 0), 2, proc(LEAVE, 1, 0, 0, 0));
	assert_read(&copies, proc(E, 1, 2, 36, 0), 1, proc(E, 1, 2, 36, 0));
}

static void with_copies_it_does_not_race_with_itself(void **state)
{
	(void)state;
	assert_read(&copies, proc(E, 2, 0, 1, 0), 0, proc(A, 2, 2, 1, 0));
	assert_read(&copies, proc(E, 3, 1, 5, 0), 0, proc(LEAVE, 3, 0, 0, 0));
}

static void the_forgetful_mutant_shows_one_copy(void **state)
{
	struct wicket_cfg c = copies;

	(void)state;
	c.mutant = FORGETS;
	assert_read(&c, proc(E, 2, 0, 2, 0), 0, proc(A, 2, 2, 0, 0));
}

static void n1_wants_all_copies_shown_in_c(void **state)
{
	struct wicket_proc p[] = { start(&copies, 1), proc(LEAVE, 2, 0, 0, 0),
				   start(&copies, 3) };
	struct wicket_value v[3] = { { { 0 } } };

	(void)state;
	v[1] = wicket_number(1 + 16);
	assert_true(holds(&copies, 0, v, p));
	v[1] = wicket_number(48);
	assert_false(holds(&copies, 0, v, p));
	v[1] = wicket_number(3);
	assert_false(holds(&copies, 0, v, p));
	p[1] = start(&copies, 2);
	assert_true(holds(&copies, 0, v, p));
}

static void copies_in_words_and_numbers(void **state)
{
	struct wicket_cfg two = { .n = 2, .k = 1, .variant = COPIES };
	struct wicket_cfg seven = { .n = 7, .k = 1, .variant = COPIES };
	struct wicket_value v[] = { wicket_number(4 + 48), wicket_number(0),
				    wicket_number(2) };

	(void)state;
	assert_shows(&wicket_rivest_pratt_n, &copies, v, "S=-02 D-D 1D-");
	assert_int_equal(bound(&two), 16);
	assert_int_equal(bound(&copies), 4096);
	assert_int_equal(bound(&seven), 0); /* too many to say */
	assert_int_equal(bits(&copies, 1), 4);
	assert_int_equal(bits(&cfg, 1), 4); /* of 10 values */
	assert_false(passed(&copies, proc(B, 1, 1, 0, 2), 0));
	assert_true(passed(&copies, proc(C, 1, 1, 12, 0), 0));
	assert_false(passed(&copies, proc(LEAVE, 1, 0, 0, 0), 0));
}

static void so_many_variables_have_so_many_values(void **state)
{
	struct wicket_cfg two = { .n = 2, .k = 1 }, five = { .n = 5, .k = 1 };

	(void)state;
	assert_int_equal(bound(&two), 49);
	assert_int_equal(bound(&cfg), 1000);
	assert_int_equal(bound(&five), 1048576);
}

static void assert_says(struct wicket_proc p, const char *expected)
{
	assert_shows_step(&wicket_rivest_pratt_n, &cfg, p, expected);
}

static void texts(void **state)
{
	struct wicket_value v[] = { wicket_number(9), wicket_number(0),
				    wicket_number(2) };

	(void)state;
	assert_shows(&wicket_rivest_pratt_n, &cfg, v, "(S,R)=(2,3) D (1,1)");
	assert_says(proc(A, 2, 0, 0, 0), "A: fetch from 1");
	assert_says(proc(C, 2, 2, 0, 0), "C: fetch from 3");
	assert_says(proc(E, 3, 1, 0, 0), "E: fetch from 2");
	assert_says(proc(B, 2, 0, 0, 2), "B: := (2,1)");
	assert_says(proc(AGREE, 2, 1, 0, 1), "D: := (1,2)");
	assert_says(proc(LEAVE, 2, 0, 0, 0), "R := D");
	assert_says(proc(FAIL, 2, 0, 0, 0), "R := D");
}

static void fences_are_after_what_must_be_seen(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .variant = FENCED };

	(void)state;
	assert_fences(&wicket_rivest_pratt_n, 0, &c, proc(A, 1, 1, 0, 0),
		      "-F-F-FF");
	c.mutant = UNFENCED_B;
	assert_fences(&wicket_rivest_pratt_n, 0, &c, proc(A, 1, 1, 0, 0),
		      "---F-FF");
	c.mutant = UNFENCED_FAIL;
	assert_fences(&wicket_rivest_pratt_n, 0, &c, proc(A, 1, 1, 0, 0),
		      "-F-F-F-");
	c.mutant = UNFENCED_COPIES;
	assert_fences(&wicket_rivest_pratt_n, 0, &c, proc(A, 1, 1, 0, 0),
		      "-F-F-FF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_mutual_exclusion),
		cmocka_unit_test(each_process_owns_a_variable_and_is_dead),
		cmocka_unit_test(the_first_process_starts_at_b_the_others_at_a),
		cmocka_unit_test(race_and_s_in_one_number),
		cmocka_unit_test(regions),
		cmocka_unit_test(it_reads_its_rival_and_writes_its_own),
		cmocka_unit_test(racing_is_with_us_or_beyond),
		cmocka_unit_test(the_figure_asks_only_whether_it_is_alive),
		cmocka_unit_test(at_a_it_goes_after_who_is_racing),
		cmocka_unit_test(at_b_it_says_so),
		cmocka_unit_test(at_c_it_fetches_again),
		cmocka_unit_test(at_d_it_says_so_again),
		cmocka_unit_test(a_race_is_won_against_the_dead_and_the_slow),
		cmocka_unit_test(face_to_face_s_decides),
		cmocka_unit_test(at_e_it_waits_or_goes_to_the_next_race),
		cmocka_unit_test(the_first_process_races_with_itself_first),
		cmocka_unit_test(the_race_against_oneself_takes_no_fetch),
		cmocka_unit_test(the_last_process_enters_by_its_d_write),
		cmocka_unit_test(the_figure_races_with_its_own_past),
		cmocka_unit_test(leaving_and_failing_are_the_same_to_others),
		cmocka_unit_test(alone_everybody_gets_in_and_out),
		cmocka_unit_test(it_fails_anywhere_but_in_r),
		cmocka_unit_test(it_never_abandons),
		cmocka_unit_test(it_is_public_once_it_has_written),
		cmocka_unit_test(n1_wants_the_last_race_shown_in_c),
		cmocka_unit_test(the_silent_mutant_stays_dead),
		cmocka_unit_test(the_mutants_are_as_numbered),
		cmocka_unit_test(who_has_copies_starts_with_an_opponent),
		cmocka_unit_test(it_looks_at_the_copy_that_is_for_it),
		cmocka_unit_test(it_changes_one_copy_and_keeps_the_others),
		cmocka_unit_test(copies_decide_a_race),
		cmocka_unit_test(with_copies_it_does_not_race_with_itself),
		cmocka_unit_test(the_forgetful_mutant_shows_one_copy),
		cmocka_unit_test(n1_wants_all_copies_shown_in_c),
		cmocka_unit_test(copies_in_words_and_numbers),
		cmocka_unit_test(so_many_variables_have_so_many_values),
		cmocka_unit_test(texts),
		cmocka_unit_test(fences_are_after_what_must_be_seen),
	};

	return cmocka_run_group_tests_name("rivest-pratt-n", tests, NULL, NULL);
}
