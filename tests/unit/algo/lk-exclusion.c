/* SPDX-License-Identifier: MIT */
/*
 * lk-exclusion - Taubenfeld 2013, 3.3: who is free, who competes by which
 * algorithm, and how the registers of that one are handed on.
 */
#include "../unit.h"

#include "algo/lk-exclusion.c"

/* Processes 1 and 2 are free, 3, 4 and 5 compete for one slot, by one-bit. */
static const struct wicket_cfg cfg = {
	.n = 5, .k = 3, .r = 1, .inner = &wicket_one_bit
};
/* Process 1 is free, 2 to 5 compete for two slots, by two-bits. */
static const struct wicket_cfg two = {
	.n = 5, .k = 3, .r = 2, .inner = &wicket_two_bits
};
static const struct wicket_cfg mutant = { .n = 5,
					  .k = 3,
					  .r = 1,
					  .mutant = ONE_MORE_FREE,
					  .inner = &wicket_one_bit };

static struct wicket_proc is_free(uint16_t pc)
{
	return (struct wicket_proc){ .pc = pc, .outer = IS_FREE };
}

static void no_more_robust_than_slots(void **state)
{
	struct wicket_cfg c = { .n = 4, .k = 2, .r = 2 };

	(void)state;
	assert_null(refuse(&c));
	c.r = 3;
	assert_string_equal(
		refuse(&c),
		"lk-exclusion: r can be at most k, the number of slots");
}

static void so_many_are_free(void **state)
{
	struct wicket_cfg none = { .n = 4, .k = 3, .r = 3 };
	struct wicket_cfg unsaid = { .n = 4, .k = 3 };

	(void)state;
	assert_int_equal(free_processes(&cfg), 2);
	assert_int_equal(free_processes(&two), 1);
	assert_int_equal(free_processes(&none), 0);
	assert_int_equal(free_processes(&unsaid), 2);
	assert_int_equal(free_processes(&mutant), 3);
	assert_int_equal(inner(&cfg).n, 3);
	assert_int_equal(inner(&cfg).k, 1);
	assert_int_equal(inner(&two).n, 4);
	assert_int_equal(inner(&two).k, 2);
	assert_int_equal(inner(&mutant).n, 2);
}

/* Theorem 3.4: n-l+1 bits, or 2(n-l+k)-2. */
static void the_bits_are_those_of_who_compete(void **state)
{
	const uint32_t owners[] = { 2, 3, 4, 3, 4, 5 };

	(void)state;
	assert_int_equal(registers(&cfg), 3);
	for (uint32_t r = 0; r < 3; r++) {
		assert_int_equal(reg(&cfg, r).owner, r + 3);
		assert_int_equal(reg(&cfg, r).range, 2);
	}
	assert_int_equal(registers(&two), 6);
	for (uint32_t r = 0; r < 6; r++)
		assert_int_equal(reg(&two, r).owner, owners[r]);
	assert_int_equal(bound(&cfg), 8);
	assert_int_equal(bound(&two), 64);
}

static void who_competes_starts_as_if_alone(void **state)
{
	struct wicket_cfg in = inner(&cfg);

	(void)state;
	for (uint32_t i = 1; i <= 5; i++) {
		struct wicket_proc p = start(&cfg, i);
		struct wicket_proc expected =
			i <= 2 ? is_free(OUTSIDE) :
				 wicket_one_bit.start(&in, i - 2);

		assert_memory_equal(&p, &expected, sizeof(p));
		assert_int_equal(region(&cfg, p), WICKET_REMAINDER);
	}
}

static void the_free_come_and_go(void **state)
{
	(void)state;
	for (uint64_t seen = 0; seen < 2; seen++) {
		struct wicket_value v = wicket_number(seen);
		struct wicket_result r = step(&cfg, is_free(OUTSIDE), v);
		struct wicket_proc inside = is_free(INSIDE);
		struct wicket_proc outside = is_free(OUTSIDE);

		assert_int_equal(access(&cfg, outside).kind, WICKET_LOAD);
		assert_int_equal(access(&cfg, inside).kind, WICKET_LOAD);
		assert_memory_equal(&r.proc, &inside, sizeof(inside));
		r = step(&cfg, inside, v);
		assert_memory_equal(&r.proc, &outside, sizeof(outside));
	}
	assert_int_equal(region(&cfg, is_free(OUTSIDE)), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, is_free(INSIDE)), WICKET_CRITICAL);
}

/* The last of those who compete, all others resting: into C and out again. */
static void who_competes_does_what_the_inner_one_does(void **state)
{
	struct wicket_cfg in = inner(&two);
	struct wicket_proc p = start(&two, 5),
			   q = wicket_two_bits.start(&in, 4);
	struct wicket_value v[6] = { { { 0 } } };
	int inside = 0;

	(void)state;
	for (int t = 0; t < 12; t++) {
		struct wicket_access a = access(&two, p);
		struct wicket_access b = wicket_two_bits.access(&in, q);
		struct wicket_result r = step(&two, p, v[a.reg]);

		assert_memory_equal(&a, &b, sizeof(a));
		q = wicket_two_bits.step(&in, q, v[a.reg]).proc;
		assert_memory_equal(&r.proc, &q, sizeof(q));
		if (a.kind == WICKET_STORE)
			v[a.reg] = r.put;
		p = r.proc;
		inside += region(&two, p) == WICKET_CRITICAL;
	}
	assert_int_equal(inside, 1);
	assert_int_equal(region(&two, p), WICKET_REMAINDER);
}

static void l1_counts_the_free_inside(void **state)
{
	struct wicket_proc p[5] = { is_free(INSIDE), is_free(INSIDE),
				    start(&cfg, 3), start(&cfg, 4),
				    start(&cfg, 5) };

	(void)state;
	assert_true(holds(&cfg, 0, NULL, p));
	assert_false(holds(&two, 0, NULL, p));
	p[2] = is_free(INSIDE);
	assert_false(holds(&cfg, 0, NULL, p));
	p[0] = is_free(OUTSIDE);
	assert_true(holds(&cfg, 0, NULL, p));
}

static void texts(void **state)
{
	const struct wicket_algo *a = &wicket_lk_exclusion;
	struct wicket_value v[] = { wicket_number(1), wicket_number(0),
				    wicket_number(1) };

	(void)state;
	assert_shows(a, &cfg, v, "want=101");
	assert_shows_step(a, &cfg, is_free(OUTSIDE), "comes");
	assert_shows_step(a, &cfg, is_free(INSIDE), "goes");
	assert_shows_step(a, &cfg, start(&cfg, 4), "want := 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_more_robust_than_slots),
		cmocka_unit_test(so_many_are_free),
		cmocka_unit_test(the_bits_are_those_of_who_compete),
		cmocka_unit_test(who_competes_starts_as_if_alone),
		cmocka_unit_test(the_free_come_and_go),
		cmocka_unit_test(who_competes_does_what_the_inner_one_does),
		cmocka_unit_test(l1_counts_the_free_inside),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("lk-exclusion", tests, NULL, NULL);
}
