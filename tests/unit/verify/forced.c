/* SPDX-License-Identifier: MIT */
/*
 * forced, bound - the schedules of FLBB 1989, section 5, played at every size,
 * and the bounds of the papers by hand.
 */
#include "named.h"

#include "verify/space/bound.h"
#include "verify/space/forced.h"

static struct task task(const char *name, uint32_t n, uint32_t k)
{
	struct named s = named(name, n, k);

	return (struct task){ .name = name, .algo = s.algo, .cfg = s.cfg };
}

static uint32_t choose_2(uint32_t n)
{
	return n * (n - 1) / 2;
}

static void check_solution(const char *name, uint32_t n, uint32_t k)
{
	struct task t = task(name, n, k);
	struct forced pairs = forced_pairs(&t), all = forced_all(&t);

	assert_of(name, pairs.can && all.can);
	assert_of(name, pairs.played == (n < k + 2 ? 0 : choose_2(n - k)));
	assert_of(name, pairs.distinct == pairs.played);
	assert_of(name, all.played == bound_lower(&t, THEOREM_5_8));
	assert_of(name, all.distinct == all.played);
}

static void who_solves_the_problem_has_a_value_for_each(void **state)
{
	static const char *const names[] = {
		"queue",	 "queue:1979",
		"numbered",	 "unbounded-colored",
		"colored",	 "colored:tight",
		"colored:stack", "colored-1979"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		for (uint32_t n = 2; n <= WICKET_PROCS_MAX; n++) {
			for (uint32_t k = 1; k < n; k++)
				check_solution(names[i], n, k);
		}
	}
}

/* COUNT is k-1 after h(i,k), then k: whoever comes gets in, out of turn. */
static void a_semaphore_has_two(void **state)
{
	(void)state;
	for (uint32_t n = 4; n <= WICKET_PROCS_MAX; n++) {
		for (uint32_t k = 1; k + 3 <= n; k++) {
			struct task t = task("semaphore", n, k);
			struct forced pairs = forced_pairs(&t);

			assert_true(pairs.can);
			assert_int_equal(pairs.played, choose_2(n - k));
			assert_int_equal(pairs.distinct, 2);
		}
	}
}

/* P_n, who has stopped at the head, lets nobody pass: no slot is left to the
   second round. */
static void a_bank_closes(void **state)
{
	struct task t = task("bank", 5, 2);

	(void)state;
	assert_true(forced_pairs(&t).can);
	assert_false(forced_all(&t).can);
}

static void assert_bounds(const char *name, uint32_t n, uint32_t k,
			  uint64_t upper, uint64_t sharper, uint64_t b58,
			  uint64_t b51, uint64_t b52, uint64_t b53)
{
	struct task t = task(name, n, k);

	assert_of(name, bound_upper(&t) == upper);
	assert_of(name, bound_sharper(&t) == sharper);
	assert_of(name, bound_lower(&t, THEOREM_5_8) == b58);
	assert_of(name, bound_lower(&t, THEOREM_5_1) == b51);
	assert_of(name, bound_lower(&t, THEOREM_5_2) == b52);
	assert_of(name, bound_lower(&t, THEOREM_5_3) == b53);
}

static void bounds_are_those_of_the_papers(void **state)
{
	(void)state;
	/* C(4,2) (3 * 4)^2 and half of it; 2 C(3,2) + 3; 2 * 4 */
	assert_bounds("colored", 6, 2, 6 * 225, 3 * 225, 9, 0, 6, 8);
	assert_bounds("colored:tight", 6, 2, 6 * 144, 3 * 144, 9, 0, 6, 8);
	/* (3 * 6)^2; and a stack of two colours */
	assert_bounds("colored-1979", 6, 2, 3 * 324, 0, 9, 0, 6, 8);
	assert_bounds("colored:stack", 6, 2, 4 * 6 * 225, 2 * 3 * 225, 9, 0, 6,
		      8);
	assert_bounds("queue", 3, 1, 16, 0, 1, 0, 0, 2);
	/* Theorem 5.8 is for n >= k + 2 */
	assert_bounds("queue", 3, 2, 16, 0, 0, 0, 0, 2);
	assert_bounds("bank", 4, 2, 195, 0, 0, 4, 0, 0);
	assert_bounds("semaphore", 4, 2, 3, 0, 0, 0, 0, 0);
	/* of an algorithm with a planted bug nothing is known */
	assert_bounds("colored@quant-zero", 6, 2, 0, 0, 0, 0, 0, 0);
	assert_bounds("one-bit", 3, 1, 8, 0, 0, 0, 0, 0);
}

static void the_greatest_bound_wins(void **state)
{
	struct task small = task("queue", 4, 2), large = task("queue", 9, 2);
	struct task none = task("semaphore", 4, 2);
	uint32_t theorem;

	(void)state;
	assert_int_equal(bound_greatest(&small, &theorem), 4);
	assert_int_equal(theorem, THEOREM_5_3);
	assert_int_equal(bound_greatest(&large, &theorem), 36);
	assert_int_equal(theorem, THEOREM_5_8);
	assert_string_equal(bound_theorem(theorem), "FLBB 1989, Theorem 5.8");
	assert_int_equal(bound_greatest(&none, &theorem), 0);
}

static void bits_are_counted(void **state)
{
	(void)state;
	assert_int_equal(wicket_bits(0), 0);
	assert_int_equal(wicket_bits(1), 0);
	assert_int_equal(wicket_bits(2), 1);
	assert_int_equal(wicket_bits(3), 2);
	assert_int_equal(wicket_bits(4), 2);
	assert_int_equal(wicket_bits(5), 3);
	assert_int_equal(wicket_bits(UINT64_MAX), 64);
}

/* The largest line fills the words of algo/line.h. */
static void fields_are_as_wide_as_needed(void **state)
{
	struct task c = task("colored", 6, 2);
	struct task l = task("recoverable", 8191, 511);

	(void)state;
	/* M = 5: 3 bits, 3 colours: 2; two tickets, three counts 0..2 */
	assert_int_equal(c.algo->bits(&c.cfg, 0), 2 * (3 + 2) + 3 * 2);
	/* tag 13 + 48, two tickets of 13 + 9, two counts of slots, moved */
	assert_int_equal(l.algo->bits(&l.cfg, 0), 13 + 48 + 2 * 22 + 2 * 9 + 1);
	assert_int_equal(l.algo->bits(&l.cfg, 1), 64);
	assert_int_equal(l.algo->bits(&l.cfg, 511), 64);
	/* phase, D, goes on, seq, ticket, 1 + slot, died, kept, life */
	assert_int_equal(l.algo->bits(&l.cfg, 512),
			 3 + 2 + 48 + 22 + 9 + 1 + 1 + 30);
	assert_int_equal(l.algo->bits(&l.cfg, 512 + 8191), 49);
	assert_int_equal(l.algo->bits(&l.cfg, 512 + 2 * 8191), 2);
	/* one set of lives, a bit each; what is kept, by its seq */
	assert_int_equal(l.algo->bits(&l.cfg, 512 + 3 * 8191 - 1), 2);
	assert_int_equal(l.algo->bits(&l.cfg, 512 + 3 * 8191), 8191);
	assert_int_equal(l.algo->bits(&l.cfg, 512 + 3 * 8191 + 1), 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_solves_the_problem_has_a_value_for_each),
		cmocka_unit_test(a_semaphore_has_two),
		cmocka_unit_test(a_bank_closes),
		cmocka_unit_test(bounds_are_those_of_the_papers),
		cmocka_unit_test(the_greatest_bound_wins),
		cmocka_unit_test(bits_are_counted),
		cmocka_unit_test(fields_are_as_wide_as_needed),
	};

	return cmocka_run_group_tests_name("forced", tests, NULL, NULL);
}
