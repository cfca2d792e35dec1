/* SPDX-License-Identifier: MIT */
/* unbounded-colored - FLBB 1989, Figs. 2, 4 and 5, and its quotient. */
#include "../unit.h"

#include "algo/unbounded-colored.c"

/* M = 1 + max(2, 2) = 3: ticket number i is (i mod 3, i div 3) */
static const struct wicket_cfg cfg = { .n = 4, .k = 2 };

static uint64_t tk(uint32_t value, uint32_t colour)
{
	return (uint64_t)colour << 32 | value;
}

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

static void blocks_are_one_more_than_needed(void **state)
{
	struct wicket_cfg c = { .n = 7, .k = 2 };

	(void)state;
	assert_int_equal(block(&cfg), 3);
	assert_int_equal(block(&c), 6);
	c.k = 6;
	assert_int_equal(block(&c), 7);
}

static void a_new_block_has_the_next_colour(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	assert_int_equal(next(&cfg, tk(0, 0)), tk(1, 0));
	assert_int_equal(next(&cfg, tk(1, 5)), tk(2, 5));
	assert_int_equal(next(&cfg, tk(2, 0)), tk(0, 1));
	assert_int_equal(next(&cfg, tk(2, 9)), tk(0, 10));
	c.mutant = ONE_COLOUR;
	assert_int_equal(next(&c, tk(2, 0)), tk(0, 0));
	assert_int_equal(next(&c, tk(1, 0)), tk(2, 0));
}

static void validity_by_block(void **state)
{
	struct ticket t = { 1, 4 };

	(void)state;
	/* of VALID's colour */
	assert_true(is_valid(t, pointers(tk(2, 4), tk(1, 4))));
	assert_false(is_valid(t, pointers(tk(2, 4), tk(0, 4))));
	/* of ISSUE's, VALID in the block before, or in the one after */
	assert_false(is_valid(t, pointers(tk(1, 4), tk(2, 3))));
	assert_true(is_valid(t, pointers(tk(1, 4), tk(0, 5))));
	/* of neither */
	assert_true(is_valid(t, pointers(tk(0, 5), tk(0, 5))));
}

static void k_tickets_are_valid_at_the_start(void **state)
{
	(void)state;
	assert_value(reg(&cfg, 0).start, 0, tk(2, 0), 0, 0);
	assert_int_equal(reg(&cfg, 0).range, 0);
	assert_int_equal(reg(&cfg, 0).owner, 0);
}

static void a_valid_ticket_leads_straight_to_c(void **state)
{
	struct wicket_value v = pointers(tk(2, 3), tk(0, 4));

	(void)state;
	assert_result(step(&cfg, proc(TAKE, 0), v), DISCARD, 0, tk(0, 4),
		      tk(0, 4));
}

static void an_invalid_ticket_is_kept_in_t(void **state)
{
	struct wicket_value v = pointers(tk(2, 3), tk(2, 3));

	(void)state;
	assert_result(step(&cfg, proc(TAKE, 0), v), TEST, tk(0, 4), tk(0, 4),
		      tk(2, 3));
	v = pointers(tk(0, 4), tk(2, 3));
	assert_result(step(&cfg, proc(TEST, tk(0, 4)), v), TEST, tk(0, 4),
		      tk(0, 4), tk(2, 3));
}

static void a_test_passes_once_the_ticket_is_valid(void **state)
{
	struct wicket_value v = pointers(tk(0, 4), tk(0, 4));

	(void)state;
	assert_result(step(&cfg, proc(TEST, tk(0, 4)), v), DISCARD, 0, tk(0, 4),
		      tk(0, 4));
}

static void a_discard_validates_the_next_ticket(void **state)
{
	struct wicket_value v = pointers(tk(0, 4), tk(2, 3));

	(void)state;
	assert_result(step(&cfg, proc(DISCARD, 0), v), TAKE, 0, tk(0, 4),
		      tk(0, 4));
	v = pointers(tk(0, 4), tk(0, 4));
	assert_result(step(&cfg, proc(DISCARD, 0), v), TAKE, 0, tk(0, 4),
		      tk(1, 4));
}

static void the_quotient_counts_colours_from_the_lesser(void **state)
{
	struct wicket_value v = pointers(tk(0, 7), tk(1, 6));

	(void)state;
	assert_result(quotient(&cfg, proc(TAKE, 0), v), TAKE, 0, tk(0, 1),
		      tk(1, 0));
	assert_result(quotient(&cfg, proc(TEST, tk(0, 7)), v), TEST, tk(0, 1),
		      tk(0, 1), tk(1, 0));
	assert_result(quotient(&cfg, proc(TEST, tk(2, 6)), v), TEST, tk(2, 0),
		      tk(0, 1), tk(1, 0));
	v = pointers(tk(2, 6), tk(1, 7));
	assert_result(quotient(&cfg, proc(DISCARD, 0), v), DISCARD, 0, tk(2, 0),
		      tk(1, 1));
}

static void the_quotient_makes_valid_tickets_equal(void **state)
{
	struct wicket_value v = pointers(tk(0, 7), tk(1, 6));

	(void)state;
	assert_result(quotient(&cfg, proc(TEST, tk(1, 6)), v), TEST, tk(1, 0),
		      tk(0, 1), tk(1, 0));
	assert_result(quotient(&cfg, proc(TEST, tk(0, 6)), v), TEST, tk(1, 0),
		      tk(0, 1), tk(1, 0));
	/* of a colour that is long gone */
	assert_result(quotient(&cfg, proc(TEST, tk(2, 1)), v), TEST, tk(1, 0),
		      tk(0, 1), tk(1, 0));
}

static void tickets_have_numbers(void **state)
{
	(void)state;
	assert_int_equal(number(&cfg, tk(2, 0)), 2);
	assert_int_equal(number(&cfg, tk(1, 4)), 13);
}

static void u1_ties_the_pointers_to_the_holders(void **state)
{
	/* there is no fifth process */
	struct wicket_proc p[5] = { [4] = proc(DISCARD, 0) };
	struct wicket_value v = pointers(0, tk(2, 0));

	(void)state;
	assert_true(holds(&cfg, 0, &v, p));
	v = pointers(tk(1, 0), tk(2, 0));
	assert_false(holds(&cfg, 0, &v, p));
	/* three holders: VALID is one behind, in another block */
	p[0] = proc(DISCARD, 0);
	p[1] = proc(DISCARD, 0);
	p[3] = proc(TEST, tk(0, 4));
	v = pointers(tk(0, 4), tk(2, 3));
	assert_true(holds(&cfg, 0, &v, p));
	v = pointers(tk(0, 4), tk(2, 4));
	assert_false(holds(&cfg, 0, &v, p));
	v = pointers(tk(0, 4), tk(1, 3));
	assert_false(holds(&cfg, 0, &v, p));
}

static void texts(void **state)
{
	struct wicket_value v = pointers(tk(0, 7), tk(1, 6));

	(void)state;
	assert_shows(&wicket_unbounded_colored, &cfg, &v,
		     "ISSUE=(0,7) VALID=(1,6)");
	assert_shows_step(&wicket_unbounded_colored, &cfg, proc(TAKE, 0),
			  "take");
	assert_shows_step(&wicket_unbounded_colored, &cfg, proc(TEST, tk(2, 6)),
			  "test (2,6)");
	assert_shows_step(&wicket_unbounded_colored, &cfg, proc(DISCARD, 0),
			  "discard");
	assert_null(wicket_unbounded_colored.bound);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_one_more_than_needed),
		cmocka_unit_test(a_new_block_has_the_next_colour),
		cmocka_unit_test(validity_by_block),
		cmocka_unit_test(k_tickets_are_valid_at_the_start),
		cmocka_unit_test(a_valid_ticket_leads_straight_to_c),
		cmocka_unit_test(an_invalid_ticket_is_kept_in_t),
		cmocka_unit_test(a_test_passes_once_the_ticket_is_valid),
		cmocka_unit_test(a_discard_validates_the_next_ticket),
		cmocka_unit_test(the_quotient_counts_colours_from_the_lesser),
		cmocka_unit_test(the_quotient_makes_valid_tickets_equal),
		cmocka_unit_test(tickets_have_numbers),
		cmocka_unit_test(u1_ties_the_pointers_to_the_holders),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("unbounded-colored", tests, NULL,
					   NULL);
}
