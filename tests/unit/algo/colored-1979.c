/* SPDX-License-Identifier: MIT */
/*
 * colored-1979 - the Colored Ticket Algorithm of 1979, function by function,
 * against values computed by hand from FLBB 1979, Theorem 4.2.  Tickets are
 * written as there, by their numbers from 1.
 */
#include "../unit.h"

#include "algo/colored-1979.c"

static const struct wicket_cfg three = { .n = 3, .k = 2 };

static struct wicket_cfg mutated(uint32_t mutant)
{
	struct wicket_cfg c = three;

	c.mutant = mutant;
	return c;
}

static struct ticket tk(uint32_t number, uint32_t colour)
{
	return (struct ticket){ number - 1, colour };
}

static struct office office(struct ticket issue, struct ticket valid, int q0,
			    int q1, int q2)
{
	return (struct office){ .issue = issue,
				.valid = valid,
				.quant = { (int8_t)q0, (int8_t)q1,
					   (int8_t)q2 } };
}

static struct wicket_proc out(void)
{
	return (struct wicket_proc){ .pc = TAKE };
}

static struct wicket_proc waits(struct ticket t)
{
	return (struct wicket_proc){ .pc = TEST, .local = { ticket_word(t) } };
}

/* In C the colour is all that is left of the ticket. */
static struct wicket_proc holder(uint32_t colour)
{
	struct wicket_proc p = waits(tk(1, colour));

	p.pc = DISCARD;
	return p;
}

static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			struct office o, struct wicket_proc expected,
			struct office put)
{
	struct wicket_result r = step(c, p, office_pack(o));
	struct wicket_value v = office_pack(put);

	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_memory_equal(&r.put, &v, sizeof(v));
	assert_int_equal(r.wakes, 0);
}

static void no_pointer_leads_its_equal(void **state)
{
	struct wicket_cfg equal = mutated(LEADS_OR_EQUAL);

	(void)state;
	assert_false(leads(&three, tk(2, 1), tk(2, 1)));
	assert_true(leads(&equal, tk(2, 1), tk(2, 1)));
	assert_true(leads(&three, tk(3, 1), tk(2, 1)));
	assert_false(leads(&three, tk(2, 1), tk(3, 1)));
	assert_false(leads(&equal, tk(2, 1), tk(3, 1)));
	/* the one that has begun a new block has the lesser number */
	assert_true(leads(&three, tk(1, 1), tk(3, 0)));
	assert_false(leads(&three, tk(3, 0), tk(1, 1)));
}

/* Those after VALID up to ISSUE are not valid; any other is. */
static void validity(void **state)
{
	struct office o = office(tk(3, 0), tk(2, 0), 2, 0, 0);

	(void)state;
	assert_true(is_valid(&three, o, tk(1, 0)));
	assert_true(is_valid(&three, o, tk(2, 0)));
	assert_false(is_valid(&three, o, tk(3, 0)));
	assert_true(is_valid(&three, o, tk(3, 1)));
	/* (2,0) | (3,0) (1,1) */
	o.issue = tk(1, 1);
	assert_true(is_valid(&three, o, tk(2, 0)));
	assert_false(is_valid(&three, o, tk(3, 0)));
	assert_false(is_valid(&three, o, tk(1, 1)));
	assert_true(is_valid(&three, o, tk(1, 2)));
	/* nothing is between them if VALID leads, or if they coincide */
	o = office(tk(3, 1), tk(1, 0), 1, 1, 0);
	assert_true(is_valid(&three, o, tk(3, 1)));
	assert_true(is_valid(&three, o, tk(1, 0)));
	o.valid = tk(3, 1);
	assert_true(is_valid(&three, o, tk(3, 1)));
}

/* ISSUE is at the end of a block, so that the first ticket is (1,0). */
static void the_start(void **state)
{
	struct wicket_cfg c = three;
	struct wicket_value v = reg(&c, 0).start;
	struct wicket_value expected =
		office_pack(office(tk(3, 2), tk(2, 0), 2, 0, 0));

	(void)state;
	assert_memory_equal(&v, &expected, sizeof(v));
	c.mutant = ISSUE_COLOUR_0;
	v = reg(&c, 0).start;
	expected = office_pack(office(tk(3, 0), tk(2, 0), 2, 0, 0));
	assert_memory_equal(&v, &expected, sizeof(v));
	c = (struct wicket_cfg){ .n = 16, .k = 15 };
	/* in words: ISSUE (16,15) and VALID (15,0), values one less */
	assert_value(reg(&c, 0).start, 0x0000000e000f000f, 0, 15, 0);
}

/* Also if the ticket is valid: the test is a step of its own. */
static void a_ticket_is_taken_and_then_tested(void **state)
{
	struct office start = office(tk(3, 2), tk(2, 0), 2, 0, 0);
	struct office taken = office(tk(1, 0), tk(2, 0), 2, 0, 0);

	(void)state;
	assert_step(&three, out(), start, waits(tk(1, 0)), taken);
	assert_step(&three, waits(tk(1, 0)), taken, holder(0), taken);
}

static void who_has_no_valid_ticket_tests_again(void **state)
{
	struct office two = office(tk(2, 0), tk(2, 0), 2, 0, 0);
	struct office third = office(tk(3, 0), tk(2, 0), 2, 0, 0);

	(void)state;
	assert_step(&three, out(), two, waits(tk(3, 0)), third);
	assert_step(&three, waits(tk(3, 0)), third, waits(tk(3, 0)), third);
}

static void at_the_end_of_its_block_issue_goes_on(void **state)
{
	struct wicket_cfg equal = mutated(LEADS_OR_EQUAL);

	(void)state;
	/* with VALID's colour if VALID leads */
	assert_step(&three, out(), office(tk(3, 0), tk(1, 2), 1, 0, 1),
		    waits(tk(1, 2)), office(tk(1, 2), tk(1, 2), 1, 0, 1));
	/* with a new one if ISSUE leads */
	assert_step(&three, out(), office(tk(3, 0), tk(2, 0), 1, 1, 0),
		    waits(tk(1, 2)), office(tk(1, 2), tk(2, 0), 1, 1, 0));
	/* and if they coincide */
	assert_step(&three, out(), office(tk(3, 0), tk(3, 0), 2, 0, 0),
		    waits(tk(1, 1)), office(tk(1, 1), tk(3, 0), 2, 0, 0));
	assert_step(&equal, out(), office(tk(3, 0), tk(3, 0), 2, 0, 0),
		    waits(tk(1, 0)), office(tk(1, 0), tk(3, 0), 2, 0, 0));
}

static void a_discard_validates_the_next_ticket(void **state)
{
	(void)state;
	assert_step(&three, holder(0), office(tk(3, 0), tk(2, 0), 2, 0, 0),
		    out(), office(tk(3, 0), tk(3, 0), 2, 0, 0));
	assert_step(&three, holder(2), office(tk(1, 0), tk(1, 0), 1, 0, 1),
		    out(), office(tk(1, 0), tk(2, 0), 2, 0, 0));
}

static void at_the_end_of_its_block_valid_goes_on(void **state)
{
	struct wicket_cfg first = mutated(DISCARD_FIRST);

	(void)state;
	/* with ISSUE's colour if ISSUE leads */
	assert_step(&three, holder(0), office(tk(1, 2), tk(3, 0), 2, 0, 0),
		    out(), office(tk(1, 2), tk(1, 2), 1, 0, 1));
	/* with a new one if VALID leads, and if they coincide */
	assert_step(&three, holder(0), office(tk(2, 0), tk(3, 0), 2, 0, 0),
		    out(), office(tk(2, 0), tk(1, 1), 1, 1, 0));
	assert_step(&three, holder(1), office(tk(3, 0), tk(3, 0), 1, 1, 0),
		    out(), office(tk(3, 0), tk(1, 2), 1, 0, 1));
	/* colour 1 becomes free only now */
	assert_step(&first, holder(1), office(tk(3, 0), tk(3, 0), 1, 1, 0),
		    out(), office(tk(3, 0), tk(1, 1), 1, 1, 0));
}

static void k_colours_are_one_too_few(void **state)
{
	struct wicket_cfg c = mutated(K_COLOURS);
	struct ticket t = tk(1, 0);

	(void)state;
	assert_int_equal(new_colour(&three, office(t, t, 1, 1, 0)), 2);
	assert_int_equal(new_colour(&three, office(t, t, 1, 0, 1)), 1);
	assert_int_equal(new_colour(&c, office(t, t, 1, 1, 0)), 1);
}

/* --- invariants, bound, text -------------------------------------------- */

static void assert_holds(struct office o, struct wicket_proc a,
			 struct wicket_proc b, struct wicket_proc d,
			 const char *broken)
{
	struct wicket_proc p[] = { a, b, d };
	struct wicket_value v = office_pack(o);

	for (uint32_t i = 0; i < 5; i++)
		assert_of(broken, !!holds(&three, i, &v, p) ==
					  !strchr(broken, (int)('1' + i)));
}

static void invariants_hold_where_they_should(void **state)
{
	(void)state;
	assert_holds(office(tk(3, 2), tk(2, 0), 2, 0, 0), out(), out(), out(),
		     "");
	/* a valid ticket in T counts */
	assert_holds(office(tk(3, 0), tk(2, 0), 2, 0, 0), waits(tk(1, 0)),
		     holder(0), waits(tk(3, 0)), "");
	/* (3,0) is valid, its holder in T; so is (1,1), nobody's */
	assert_holds(office(tk(3, 0), tk(1, 1), 1, 1, 0), out(), out(),
		     waits(tk(3, 0)), "");
}

static void invariants_break_one_by_one(void **state)
{
	(void)state;
	assert_holds(office(tk(3, 2), tk(2, 0), 1, 1, 0), out(), out(), out(),
		     "1");
	assert_holds(office(tk(3, 0), tk(2, 0), 1, 0, 0), holder(0),
		     waits(tk(3, 0)), waits(tk(3, 0)), "2");
	/* the mutant's start: VALID has not begun its block after ISSUE's */
	assert_holds(office(tk(3, 0), tk(2, 0), 2, 0, 0), out(), out(), out(),
		     "3");
	/* both need a new colour, 1; somebody has one of it */
	assert_holds(office(tk(3, 0), tk(3, 0), 2, 0, 0), holder(0), holder(1),
		     out(), "14");
	assert_holds(office(tk(3, 0), tk(3, 0), 0, 1, 1), holder(1), holder(2),
		     out(), "5");
}

/* C(2k-1,k) ((k+1)n)^2 */
static void the_bound_of_theorem_4_2(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };

	(void)state;
	assert_int_equal(bound(&c), 1 * 4 * 4);
	assert_int_equal(bound(&three), 3 * 9 * 9);
	c.n = 5, c.k = 3;
	assert_int_equal(bound(&c), 10 * 20 * 20);
	c.n = 16, c.k = 15;
	assert_int_equal(bound(&c), 5082890895360);
}

static void texts(void **state)
{
	struct wicket_value v = reg(&three, 0).start;
	const struct wicket_algo *algo = &wicket_colored_1979;

	(void)state;
	assert_shows(algo, &three, &v, "ISSUE=(3,2) VALID=(2,0) QUANT=[2 0 0]");
	assert_shows_step(algo, &three, out(), "take");
	assert_shows_step(algo, &three, waits(tk(3, 1)), "test (3,1)");
	assert_shows_step(algo, &three, holder(1), "discard colour 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pointer_leads_its_equal),
		cmocka_unit_test(validity),
		cmocka_unit_test(the_start),
		cmocka_unit_test(a_ticket_is_taken_and_then_tested),
		cmocka_unit_test(who_has_no_valid_ticket_tests_again),
		cmocka_unit_test(at_the_end_of_its_block_issue_goes_on),
		cmocka_unit_test(a_discard_validates_the_next_ticket),
		cmocka_unit_test(at_the_end_of_its_block_valid_goes_on),
		cmocka_unit_test(k_colours_are_one_too_few),
		cmocka_unit_test(invariants_hold_where_they_should),
		cmocka_unit_test(invariants_break_one_by_one),
		cmocka_unit_test(the_bound_of_theorem_4_2),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("colored-1979", tests, NULL, NULL);
}
