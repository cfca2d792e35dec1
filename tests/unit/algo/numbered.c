/* SPDX-License-Identifier: MIT */
/* numbered - FLBB 1989, Figs. 2 and 3, and the quotient that bounds it. */
#include "../unit.h"

#include "algo/numbered.c"

static const struct wicket_cfg cfg = { .n = 4, .k = 2 };

static struct wicket_proc proc(uint16_t pc, uint64_t ticket)
{
	return (struct wicket_proc){ .pc = pc, .local = { ticket } };
}

static struct wicket_value pointers(uint64_t issue, uint64_t valid)
{
	return words(issue, valid, 0, 0);
}

static void assert_result(struct wicket_result r, uint16_t pc, uint64_t ticket,
			  uint64_t issue, uint64_t valid)
{
	struct wicket_proc expected = proc(pc, ticket);

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_value(r.put, issue, valid, 0, 0);
}

static void k_tickets_are_valid_at_the_start(void **state)
{
	(void)state;
	assert_value(reg(&cfg, 0).start, 0, 2, 0, 0);
	assert_int_equal(reg(&cfg, 0).range, 0);
	assert_int_equal(reg(&cfg, 0).owner, 0);
}

static void a_valid_ticket_leads_straight_to_c(void **state)
{
	(void)state;
	assert_result(step(&cfg, proc(TAKE, 0), pointers(0, 2)), DISCARD, 0, 1,
		      2);
	assert_result(step(&cfg, proc(TAKE, 0), pointers(6, 7)), DISCARD, 0, 7,
		      7);
}

static void an_invalid_ticket_is_kept_in_t(void **state)
{
	(void)state;
	assert_result(step(&cfg, proc(TAKE, 0), pointers(7, 7)), TEST, 8, 8, 7);
	assert_result(step(&cfg, proc(TEST, 8), pointers(8, 7)), TEST, 8, 8, 7);
}

static void a_test_passes_once_the_ticket_is_valid(void **state)
{
	(void)state;
	assert_result(step(&cfg, proc(TEST, 8), pointers(9, 8)), DISCARD, 0, 9,
		      8);
	assert_result(step(&cfg, proc(TEST, 8), pointers(9, 11)), DISCARD, 0, 9,
		      11);
}

static void a_discard_validates_the_next_ticket(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	assert_result(step(&cfg, proc(DISCARD, 0), pointers(9, 8)), TAKE, 0, 9,
		      9);
	c.mutant = NO_VALIDATE;
	assert_result(step(&c, proc(DISCARD, 0), pointers(9, 8)), TAKE, 0, 9,
		      8);
}

/* VALID becomes k, here from 10 to 2. */
static void the_quotient_shifts_all_numbers(void **state)
{
	(void)state;
	assert_result(quotient(&cfg, proc(TAKE, 0), pointers(12, 10)), TAKE, 0,
		      4, 2);
	assert_result(quotient(&cfg, proc(TEST, 12), pointers(12, 10)), TEST, 4,
		      4, 2);
	assert_result(quotient(&cfg, proc(DISCARD, 0), pointers(9, 10)),
		      DISCARD, 0, 1, 2);
}

static void the_quotient_makes_valid_tickets_equal(void **state)
{
	(void)state;
	assert_result(quotient(&cfg, proc(TEST, 10), pointers(12, 10)), TEST, 2,
		      4, 2);
	assert_result(quotient(&cfg, proc(TEST, 9), pointers(12, 10)), TEST, 2,
		      4, 2);
	/* a ticket so old that the shift would make it negative */
	assert_result(quotient(&cfg, proc(TEST, 1), pointers(12, 10)), TEST, 2,
		      4, 2);
}

static void the_quotient_leaves_the_start_alone(void **state)
{
	(void)state;
	assert_result(quotient(&cfg, proc(TAKE, 0), pointers(0, 2)), TAKE, 0, 0,
		      2);
}

static void n1_ties_the_pointers_to_the_holders(void **state)
{
	/* there is no fifth process */
	struct wicket_proc p[5] = { [4] = proc(DISCARD, 0) };
	struct wicket_value v = pointers(0, 2);

	(void)state;
	assert_true(holds(&cfg, 0, &v, p));
	v = pointers(1, 2);
	assert_false(holds(&cfg, 0, &v, p));
	p[1] = proc(DISCARD, 0);
	assert_true(holds(&cfg, 0, &v, p));
	/* three holders: VALID is one behind */
	p[0] = proc(DISCARD, 0);
	p[3] = proc(TEST, 9);
	v = pointers(9, 8);
	assert_true(holds(&cfg, 0, &v, p));
	v = pointers(9, 9);
	assert_false(holds(&cfg, 0, &v, p));
}

static void nothing_bounds_it(void **state)
{
	(void)state;
	assert_null(wicket_numbered.bound);
	assert_true(wicket_has_quotient(&wicket_numbered, &cfg));
}

static void texts(void **state)
{
	struct wicket_value v = pointers(12, 7);

	(void)state;
	assert_shows(&wicket_numbered, &cfg, &v, "ISSUE=12 VALID=7");
	assert_shows_step(&wicket_numbered, &cfg, proc(TAKE, 0), "take");
	assert_shows_step(&wicket_numbered, &cfg, proc(TEST, 8), "test 8");
	assert_shows_step(&wicket_numbered, &cfg, proc(DISCARD, 0), "discard");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_tickets_are_valid_at_the_start),
		cmocka_unit_test(a_valid_ticket_leads_straight_to_c),
		cmocka_unit_test(an_invalid_ticket_is_kept_in_t),
		cmocka_unit_test(a_test_passes_once_the_ticket_is_valid),
		cmocka_unit_test(a_discard_validates_the_next_ticket),
		cmocka_unit_test(the_quotient_shifts_all_numbers),
		cmocka_unit_test(the_quotient_makes_valid_tickets_equal),
		cmocka_unit_test(the_quotient_leaves_the_start_alone),
		cmocka_unit_test(n1_ties_the_pointers_to_the_holders),
		cmocka_unit_test(nothing_bounds_it),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("numbered", tests, NULL, NULL);
}
