/* SPDX-License-Identifier: MIT */
/*
 * colored - the Colored Ticket Algorithm, function by function, against values
 * computed by hand from FLBB 1989, Figs. 2, 4, 6, 7, the remark after Fig. 6
 * and footnote 2.
 */
#include "../unit.h"

#include "algo/colored.c"

/* M = 1 + max(2, 2) = 3; tight: M = 2 */
static const struct wicket_cfg four = { .n = 4, .k = 2 };
static const struct wicket_cfg tight = { .n = 4, .k = 2, .variant = TIGHT };
static const struct wicket_cfg piled = { .n = 4, .k = 2, .variant = STACK };
/* M = 1 + max(1, 1) = 2 */
static const struct wicket_cfg two = { .n = 2, .k = 1 };

static struct wicket_cfg mutated(struct wicket_cfg c, uint32_t mutant)
{
	c.mutant = mutant;
	return c;
}

static struct ticket tk(uint32_t value, uint32_t colour)
{
	return (struct ticket){ value, colour };
}

static struct office office(struct ticket issue, struct ticket valid, int q0,
			    int q1, int q2)
{
	return (struct office){ .issue = issue,
				.valid = valid,
				.quant = { (int8_t)q0, (int8_t)q1,
					   (int8_t)q2 } };
}

static struct wicket_proc proc(uint16_t pc, struct ticket t)
{
	return (struct wicket_proc){ .pc = pc, .local = { ticket_word(t) } };
}

#define assert_ticket(t, value, colour)                                        \
	assert_int_equal(ticket_word(t), ticket_word(tk(value, colour)))

static void assert_office(struct wicket_value v, struct office expected)
{
	struct office o = office_unpack(v);

	assert_ticket(o.issue, expected.issue.value, expected.issue.colour);
	assert_ticket(o.valid, expected.valid.value, expected.valid.colour);
	assert_int_equal(o.stack, expected.stack);
	for (int c = 0; c < COLOURS_MAX; c++)
		assert_int_equal(o.quant[c], expected.quant[c]);
}

static void assert_proc(struct wicket_proc p, uint16_t pc, struct ticket t)
{
	struct wicket_proc expected = proc(pc, t);

	assert_memory_equal(&p, &expected, sizeof(p));
}

/* --- tickets ------------------------------------------------------------ */

static void a_ticket_fits_a_word(void **state)
{
	(void)state;
	assert_int_equal(ticket_word(tk(5, 0)), 5);
	assert_int_equal(ticket_word(tk(0, 3)), 0x300000000);
	assert_int_equal(word_ticket(0x700000002).value, 2);
	assert_int_equal(word_ticket(0x700000002).colour, 7);
	assert_ticket(word_ticket(0x9ffffffff), UINT32_MAX, 9);
}

static void equal_colours_lead_by_value(void **state)
{
	(void)state;
	assert_true(ticket_leads(tk(2, 1), tk(1, 1)));
	assert_false(ticket_leads(tk(1, 1), tk(2, 1)));
	assert_true(ticket_leads(tk(1, 1), tk(1, 1))); /* >=, not > */
	assert_true(leads(&four, tk(1, 1), tk(1, 1)));
}

/* The one that has begun a new block has the lesser value. */
static void unequal_colours_lead_against_value(void **state)
{
	(void)state;
	assert_true(ticket_leads(tk(0, 1), tk(2, 0)));
	assert_false(ticket_leads(tk(2, 0), tk(0, 1)));
	assert_false(ticket_leads(tk(1, 0), tk(1, 1)));
	assert_false(ticket_leads(tk(1, 1), tk(1, 0)));
	assert_true(leads(&four, tk(0, 1), tk(2, 0)));
	assert_false(leads(&tight, tk(1, 0), tk(1, 1)));
}

static void mutants_lead_otherwise(void **state)
{
	struct wicket_cfg strict = mutated(four, LEADS_STRICT);
	struct wicket_cfg tie = mutated(tight, SYMMETRIC_TIE);

	(void)state;
	assert_false(leads(&strict, tk(1, 1), tk(1, 1)));
	assert_true(leads(&strict, tk(2, 1), tk(1, 1)));
	assert_true(leads(&strict, tk(0, 1), tk(2, 0)));

	assert_true(leads(&tie, tk(1, 0), tk(1, 1)));
	assert_true(leads(&tie, tk(1, 1), tk(1, 0)));
	assert_true(leads(&tie, tk(0, 0), tk(1, 1)));
	assert_false(leads(&tie, tk(1, 1), tk(0, 0)));
	assert_true(leads(&tie, tk(1, 1), tk(1, 1)));
}

static void validity_by_value_in_the_valid_block(void **state)
{
	struct office o = office(tk(0, 0), tk(1, 0), 2, 0, 0);

	(void)state;
	assert_true(is_valid(&four, o, tk(0, 0)));
	assert_true(is_valid(&four, o, tk(1, 0)));
	assert_false(is_valid(&four, o, tk(2, 0)));
	/* also if ISSUE has another colour */
	o.issue = tk(0, 1);
	assert_true(is_valid(&four, o, tk(1, 0)));
	assert_false(is_valid(&four, o, tk(2, 0)));
}

static void validity_by_leading_in_the_issue_block(void **state)
{
	struct office ahead = office(tk(2, 1), tk(0, 0), 1, 1, 0);
	struct office behind = office(tk(1, 1), tk(2, 0), 2, 0, 0);

	(void)state;
	assert_true(is_valid(&four, ahead, tk(1, 1)));
	assert_true(is_valid(&four, ahead, tk(2, 1)));
	assert_false(is_valid(&four, behind, tk(0, 1)));
	assert_false(is_valid(&four, behind, tk(1, 1)));
}

static void validity_of_any_other_colour(void **state)
{
	struct office o = office(tk(1, 1), tk(2, 0), 1, 0, 1);

	(void)state;
	assert_true(is_valid(&four, o, tk(2, 2)));
	o.issue = tk(1, 0);
	assert_true(is_valid(&four, o, tk(0, 1)));
}

/* --- the shared value --------------------------------------------------- */

static void the_value_is_packed_and_unpacked(void **state)
{
	struct office o = { .issue = { 1, 2 }, .valid = { 3, 4 } };

	o.stack = 0xfedcba9876543210;
	(void)state;
	o.quant[0] = 5;
	o.quant[1] = -1;
	o.quant[7] = 6;
	o.quant[8] = 7;
	o.quant[15] = -128;
	assert_value(office_pack(o), 0x0004000300020001, 0xfedcba9876543210,
		     0x060000000000ff05, 0x8000000000000007);
	assert_office(office_pack(o), o);
	o.issue = tk(16, 15);
	o.valid = tk(15, 14);
	for (int c = 0; c < COLOURS_MAX; c++)
		o.quant[c] = (int8_t)(c * 16 - 127);
	assert_office(office_pack(o), o);
}

static void a_block_is_one_more_than_needed(void **state)
{
	struct wicket_cfg c = four;

	(void)state;
	assert_int_equal(block(&c), 3);
	c = (struct wicket_cfg){ .n = 5, .k = 1 };
	assert_int_equal(block(&c), 5);
	c.k = 4;
	assert_int_equal(block(&c), 5);
	c = (struct wicket_cfg){ .n = 16, .k = 9 };
	assert_int_equal(block(&c), 10);
}

static void a_tight_block_is_not(void **state)
{
	struct wicket_cfg c = tight;

	(void)state;
	assert_int_equal(block(&c), 2);
	c.n = 5, c.k = 1;
	assert_int_equal(block(&c), 4);
	c.k = 4;
	assert_int_equal(block(&c), 4);
	assert_int_equal(ticket_tight_block(2, 1), 1);
}

static void the_least_free_colour_is_new(void **state)
{
	struct ticket t = tk(0, 0);

	(void)state;
	assert_int_equal(new_colour(&four, office(t, t, 0, 1, 1)), 0);
	assert_int_equal(new_colour(&four, office(t, t, 2, 0, 0)), 1);
	assert_int_equal(new_colour(&four, office(t, t, 1, 1, 0)), 2);
	assert_int_equal(new_colour(&four, office(t, t, 1, 0, 1)), 1);
	/* of k+1 colours one is free but for mutants: they get the last */
	assert_int_equal(new_colour(&four, office(t, t, 1, 1, 1)), 2);
}

static void with_k_colours_none_may_be_free(void **state)
{
	struct wicket_cfg c = mutated(four, K_COLOURS);
	struct ticket t = tk(0, 0);

	(void)state;
	assert_int_equal(new_colour(&c, office(t, t, 1, 1, 0)), 1);
	assert_int_equal(new_colour(&c, office(t, t, 2, 0, 0)), 1);
	assert_int_equal(new_colour(&c, office(t, t, 0, 2, 0)), 0);
}

static void within_a_block_only_the_value_grows(void **state)
{
	struct office o = office(tk(1, 2), tk(0, 0), 0, 0, 2);

	(void)state;
	assert_ticket(next(&four, o, o.issue, o.valid), 2, 2);
	assert_ticket(next(&four, o, o.valid, o.issue), 1, 0);
}

static void the_leading_pointer_takes_a_new_colour(void **state)
{
	struct office o = office(tk(0, 0), tk(2, 0), 2, 0, 0);
	struct wicket_cfg strict = mutated(four, LEADS_STRICT);

	(void)state;
	assert_ticket(next(&four, o, o.valid, o.issue), 0, 1);
	/* a pointer leads its equal */
	o = office(tk(2, 1), tk(2, 1), 1, 1, 0);
	assert_ticket(next(&four, o, o.issue, o.valid), 0, 2);
	assert_ticket(next(&strict, o, o.issue, o.valid), 0, 1);
}

static void the_trailing_pointer_takes_the_others_colour(void **state)
{
	struct office o = office(tk(2, 0), tk(1, 2), 1, 0, 1);

	(void)state;
	assert_ticket(next(&four, o, o.issue, o.valid), 0, 2);
	o = office(tk(0, 1), tk(2, 0), 2, 0, 0);
	assert_ticket(next(&four, o, o.valid, o.issue), 0, 1);
}

static void a_tight_block_ends_earlier(void **state)
{
	struct office o = office(tk(0, 0), tk(1, 0), 2, 0, 0);

	(void)state;
	assert_ticket(next(&tight, o, o.issue, o.valid), 1, 0);
	assert_ticket(next(&tight, o, o.valid, o.issue), 0, 1);
}

/* --- the start ---------------------------------------------------------- */

static void the_first_k_tickets_are_valid_at_the_start(void **state)
{
	struct wicket_register r = reg(&four, 0);

	(void)state;
	assert_office(r.start, office(tk(0, 0), tk(2, 0), 2, 0, 0));
	assert_int_equal(r.range, 0);
	assert_int_equal(r.owner, 0);
	assert_int_equal(wicket_colored.registers(&four), 1);
}

/* Footnote 2: VALID = (k mod M, k div M); ticket t has colour t div M. */
static void the_tight_start_may_span_two_blocks(void **state)
{
	struct wicket_cfg c = tight;

	(void)state;
	/* M = 2: tickets 1 and 2 are (1,0) and (0,1) */
	assert_office(reg(&c, 0).start, office(tk(0, 0), tk(0, 1), 1, 1, 0));
	/* M = 3: tickets 1 and 2 are (1,0) and (2,0) */
	c.n = 5;
	assert_office(reg(&c, 0).start, office(tk(0, 0), tk(2, 0), 2, 0, 0));
	/* M = 3: tickets 1, 2, 3 are (1,0), (2,0), (0,1) */
	c.k = 3;
	assert_office(reg(&c, 0).start, office(tk(0, 0), tk(0, 1), 2, 1, 0));
	/* M = 1: each ticket is a block */
	c.n = 2, c.k = 1;
	assert_office(reg(&c, 0).start, office(tk(0, 0), tk(0, 1), 0, 1, 0));
}

static void as_printed_nothing_is_counted_at_the_start(void **state)
{
	struct wicket_cfg c = mutated(four, QUANT_ZERO);

	(void)state;
	assert_office(reg(&c, 0).start, office(tk(0, 0), tk(2, 0), 0, 0, 0));
}

static void processes_start_alike_in_the_remainder(void **state)
{
	struct wicket_proc a = wicket_colored.start(&four, 1);
	struct wicket_proc b = wicket_colored.start(&four, 4);

	(void)state;
	assert_proc(a, TAKE, tk(0, 0));
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(wicket_colored.region(&four, a), WICKET_REMAINDER);
	assert_int_equal(wicket_colored.region(&four, proc(TEST, tk(0, 0))),
			 WICKET_TRYING);
	assert_int_equal(wicket_colored.region(&four, proc(DISCARD, tk(0, 0))),
			 WICKET_CRITICAL);
}

static void every_step_is_one_action_on_the_variable(void **state)
{
	(void)state;
	for (uint16_t pc = TAKE; pc <= DISCARD; pc++) {
		struct wicket_access a =
			wicket_colored.access(&four, proc(pc, tk(0, 0)));

		assert_int_equal(a.kind, WICKET_RMW);
		assert_int_equal(a.reg, 0);
	}
}

/* --- steps -------------------------------------------------------------- */

static struct wicket_result stepped(const struct wicket_cfg *c,
				    struct wicket_proc p, struct office o)
{
	return step(c, p, office_pack(o));
}

static void a_valid_ticket_leads_straight_to_c(void **state)
{
	struct wicket_result r;

	(void)state;
	r = stepped(&four, proc(TAKE, tk(0, 0)),
		    office(tk(0, 1), tk(1, 1), 1, 1, 0));
	assert_office(r.put, office(tk(1, 1), tk(1, 1), 1, 1, 0));
	/* only the colour is ever needed again */
	assert_proc(r.proc, DISCARD, tk(0, 1));
	assert_int_equal(r.wakes, 0);
}

static void an_invalid_ticket_is_kept_in_t(void **state)
{
	struct wicket_result r;

	(void)state;
	/* both pointers at the end of block 0: ISSUE leads, so colour 1 */
	r = stepped(&four, proc(TAKE, tk(0, 0)),
		    office(tk(2, 0), tk(2, 0), 2, 0, 0));
	assert_office(r.put, office(tk(0, 1), tk(2, 0), 2, 0, 0));
	assert_proc(r.proc, TEST, tk(0, 1));
}

static void a_test_changes_nothing_shared(void **state)
{
	struct office waits = office(tk(1, 1), tk(2, 0), 2, 0, 0);
	struct office passes = office(tk(1, 1), tk(0, 1), 1, 1, 0);
	struct wicket_result r;

	(void)state;
	r = stepped(&four, proc(TEST, tk(0, 1)), waits);
	assert_office(r.put, waits);
	assert_proc(r.proc, TEST, tk(0, 1));

	r = stepped(&four, proc(TEST, tk(0, 1)), passes);
	assert_office(r.put, passes);
	assert_proc(r.proc, DISCARD, tk(0, 1));

	r = stepped(&four, proc(TEST, tk(1, 1)), passes);
	assert_proc(r.proc, TEST, tk(1, 1));
}

static void a_discard_validates_the_next_ticket(void **state)
{
	struct wicket_result r;

	(void)state;
	r = stepped(&four, proc(DISCARD, tk(0, 0)),
		    office(tk(1, 1), tk(0, 1), 1, 1, 0));
	assert_office(r.put, office(tk(1, 1), tk(1, 1), 0, 2, 0));
	/* in R there is no ticket at all */
	assert_proc(r.proc, TAKE, tk(0, 0));

	r = stepped(&four, proc(DISCARD, tk(0, 2)),
		    office(tk(1, 1), tk(0, 1), 0, 1, 1));
	assert_office(r.put, office(tk(1, 1), tk(1, 1), 0, 2, 0));
	assert_proc(r.proc, TAKE, tk(0, 0));
}

static void a_discard_at_the_end_of_the_block(void **state)
{
	struct wicket_result r;

	(void)state;
	/* VALID trails: it follows ISSUE into colour 1 */
	r = stepped(&four, proc(DISCARD, tk(0, 0)),
		    office(tk(0, 1), tk(2, 0), 2, 0, 0));
	assert_office(r.put, office(tk(0, 1), tk(0, 1), 1, 1, 0));
	/* VALID leads: the least colour of which no ticket is valid */
	r = stepped(&four, proc(DISCARD, tk(0, 1)),
		    office(tk(1, 0), tk(2, 0), 1, 1, 0));
	assert_office(r.put, office(tk(1, 0), tk(0, 2), 1, 0, 1));
}

/* The only ticket of colour 0 is being discarded: is its colour free? */
static void the_old_ticket_goes_after_the_new_colour(void **state)
{
	struct office o = office(tk(1, 0), tk(1, 0), 1, 0, 0);
	struct wicket_cfg first = mutated(two, DISCARD_FIRST);
	struct wicket_result r;

	(void)state;
	r = stepped(&two, proc(DISCARD, tk(0, 0)), o);
	assert_office(r.put, office(tk(1, 0), tk(0, 1), 0, 1, 0));
	r = stepped(&first, proc(DISCARD, tk(0, 0)), o);
	assert_office(r.put, office(tk(1, 0), tk(0, 0), 1, 0, 0));
}

/* --- invariants, bound, text -------------------------------------------- */

/*
 * Tickets 1 to 4 are (1,0), (2,0), (0,1), (1,1); the first two are valid and
 * their holders in C.
 */
struct scene {
	struct office o;
	struct wicket_proc p[4];
};

static struct scene all_outside(void)
{
	return (struct scene){
		.o = office(tk(1, 1), tk(2, 0), 2, 0, 0),
		.p = { proc(DISCARD, tk(0, 0)), proc(DISCARD, tk(0, 0)),
		       proc(TEST, tk(0, 1)), proc(TEST, tk(1, 1)) },
	};
}

static int scene_holds(const struct scene *s, uint32_t i)
{
	struct wicket_value v = office_pack(s->o);

	return holds(&four, i, &v, s->p);
}

static void assert_holds(const struct scene *s, int o1, int o2, int o3, int o4,
			 int o5)
{
	assert_int_equal(!!scene_holds(s, 0), o1);
	assert_int_equal(!!scene_holds(s, 1), o2);
	assert_int_equal(!!scene_holds(s, 2), o3);
	assert_int_equal(!!scene_holds(s, 3), o4);
	assert_int_equal(!!scene_holds(s, 4), o5);
}

static void invariants_hold_where_they_should(void **state)
{
	struct scene start = { .o = office(tk(0, 0), tk(2, 0), 2, 0, 0) };
	struct scene s = all_outside();

	(void)state;
	assert_holds(&start, 1, 1, 1, 1, 1);
	assert_holds(&s, 1, 1, 1, 1, 1);
	/* the first leaves: ticket 3 = (0,1) is valid, its holder in T */
	s.o = office(tk(1, 1), tk(0, 1), 1, 1, 0);
	s.p[0] = proc(TAKE, tk(0, 0));
	assert_holds(&s, 1, 1, 1, 1, 1);
	/* all leave: tickets 5 and 6 = (2,1), (0,2) are valid, nobody's */
	s = (struct scene){ .o = office(tk(1, 1), tk(0, 0), 1, 1, 0) };
	assert_holds(&s, 1, 1, 1, 1, 1);
}

static void the_tight_start_satisfies_the_invariants(void **state)
{
	struct wicket_value v = reg(&tight, 0).start;
	struct wicket_proc p[4] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 5; i++)
		assert_true(holds(&tight, i, &v, p));
}

static void o1_breaks_with_the_count(void **state)
{
	struct scene s = all_outside();

	(void)state;
	s.o.quant[0] = 1;
	assert_holds(&s, 0, 1, 1, 1, 1);
	/* as many in all, but not of these colours */
	s.o.quant[1] = 1;
	assert_holds(&s, 0, 1, 1, 1, 1);
	/* too many and too few must not cancel out */
	s.o.quant[0] = 3;
	s.o.quant[1] = -1;
	assert_holds(&s, 0, 1, 1, 1, 1);
	/* tickets still to be issued count as well */
	s = (struct scene){ .o = office(tk(0, 0), tk(1, 0), 0, 0, 0) };
	s.p[0] = proc(DISCARD, tk(0, 0));
	assert_holds(&s, 0, 1, 1, 1, 0);
}

static void o2_breaks_with_a_ticket_issued_twice(void **state)
{
	struct scene s = all_outside();

	(void)state;
	s.p[2] = s.p[3];
	assert_holds(&s, 1, 0, 1, 1, 1);
	s = all_outside();
	s.p[0] = s.p[3];
	assert_int_equal(!!scene_holds(&s, 1), 0);
	/* in C it is not the ticket that is left, but its colour */
	s.p[0] = s.p[3] = proc(DISCARD, tk(0, 1));
	assert_int_equal(!!scene_holds(&s, 1), 1);
}

static void o3_breaks_with_the_distance(void **state)
{
	struct scene s = all_outside();

	(void)state;
	s.o.valid = tk(1, 0);
	assert_holds(&s, 1, 1, 0, 1, 1);
	/* the right distance, but VALID's block has ISSUE's colour */
	s = (struct scene){ .o = office(tk(1, 0), tk(0, 0), 2, 0, 0) };
	assert_int_equal(!!scene_holds(&s, 2), 0);
	/* no block ends between them, and yet another colour */
	s = (struct scene){ .o = office(tk(0, 0), tk(2, 1), 2, 0, 0) };
	assert_int_equal(!!scene_holds(&s, 2), 0);
}

/* Both pointers are at the end of block 0 and lead: the next colour is 1. */
static void o4_breaks_with_a_new_colour_that_is_in_use(void **state)
{
	struct scene s = { .o = office(tk(2, 0), tk(2, 0), 1, 0, 1) };

	(void)state;
	s.p[0] = proc(DISCARD, tk(0, 0));
	s.p[1] = proc(DISCARD, tk(0, 2));
	assert_holds(&s, 1, 1, 1, 1, 1);
	/* QUANT forgets the ticket of colour 1 */
	s.p[1] = proc(DISCARD, tk(0, 1));
	assert_holds(&s, 0, 1, 1, 0, 1);
	/* only one of them leads and needs it: VALID, then ISSUE */
	s.o.issue = tk(1, 0);
	assert_int_equal(!!scene_holds(&s, 3), 0);
	s.o.issue = tk(2, 0);
	s.o.valid = tk(1, 0);
	assert_int_equal(!!scene_holds(&s, 3), 0);
	/* nobody does */
	s.o.issue = tk(1, 0);
	assert_int_equal(!!scene_holds(&s, 3), 1);
}

static void o5_breaks_with_a_valid_that_is_not_counted(void **state)
{
	struct scene s = all_outside();

	(void)state;
	s.o.quant[0] = 0;
	assert_holds(&s, 0, 1, 1, 1, 0);
	s.o.quant[0] = -1;
	assert_int_equal(!!scene_holds(&s, 4), 0);
}

/* --- the stack ----------------------------------------------------------- */

/* From the bottom: a height in the last digit, then the colours. */
static void a_stack_fits_a_word(void **state)
{
	struct wicket_cfg c = { .n = 16, .k = 15, .variant = STACK };
	uint64_t stack = 0;

	(void)state;
	stack = push(&c, stack, 7);
	assert_int_equal(stack, 0x71);
	stack = push(&c, stack, 0);
	stack = push(&c, stack, 15);
	assert_int_equal(stack, 0xf073);
	assert_int_equal(height(stack), 3);
	assert_int_equal(place(stack, 0), 7);
	assert_int_equal(place(stack, 1), 0);
	assert_int_equal(top(stack), 15);
	stack = pop(stack);
	assert_int_equal(stack, 0x072);
	assert_int_equal(top(stack), 0);
	assert_int_equal(pop(pop(stack)), 0);
	/* nothing is left behind, and none is not a colour too many */
	assert_int_equal(pop(0), 0);
	assert_int_equal(top(0), 0);
	stack = 0;
	for (uint32_t colour = 15; colour; colour--)
		stack = push(&c, stack, colour);
	assert_int_equal(stack, 0x123456789abcdeff);
	assert_int_equal(push(&c, stack, 0), stack);
	c.k = 3;
	assert_int_equal(push(&c, 0x2313, 5), 0x2313);
}

static struct office with_stack(struct office o, uint64_t stack)
{
	o.stack = stack;
	return o;
}

static void all_colours_but_the_first_are_free_at_the_start(void **state)
{
	struct wicket_cfg c = piled;
	struct office o = office(tk(0, 0), tk(2, 0), 2, 0, 0);

	(void)state;
	assert_office(reg(&c, 0).start, with_stack(o, 0x122));
	c.n = 16, c.k = 15;
	o.valid = tk(15, 0);
	o.quant[0] = 15;
	assert_office(reg(&c, 0).start, with_stack(o, 0x123456789abcdeff));
}

/* At the end of block 0 ISSUE leads: it takes what is on top, not the least. */
static void a_new_colour_is_popped(void **state)
{
	struct office o = office(tk(2, 0), tk(2, 0), 2, 0, 0);
	struct wicket_cfg mutant = mutated(piled, NO_POP);
	struct wicket_result r;

	(void)state;
	assert_int_equal(new_colour(&piled, with_stack(o, 0x212)), 2);
	r = stepped(&piled, proc(TAKE, tk(0, 0)), with_stack(o, 0x212));
	o.issue = tk(0, 2);
	assert_office(r.put, with_stack(o, 0x11));
	assert_proc(r.proc, TEST, tk(0, 2));
	/* VALID follows: nothing is popped; colour 0 has a ticket left */
	r = stepped(&piled, proc(DISCARD, tk(0, 0)), with_stack(o, 0x11));
	assert_office(r.put,
		      with_stack(office(tk(0, 2), tk(0, 2), 1, 0, 1), 0x11));
	/* now it is ISSUE that moves within its block */
	r = stepped(&piled, proc(TAKE, tk(0, 0)), office_unpack(r.put));
	assert_office(r.put,
		      with_stack(office(tk(1, 2), tk(0, 2), 1, 0, 1), 0x11));
	o.issue = tk(2, 0);
	r = stepped(&mutant, proc(TAKE, tk(0, 0)), with_stack(o, 0x212));
	o.issue = tk(0, 2);
	assert_office(r.put, with_stack(o, 0x212));
}

/* Whose last ticket is discarded, its colour is pushed. */
static void a_colour_is_pushed_when_its_quant_falls_to_0(void **state)
{
	struct office o = office(tk(1, 2), tk(0, 2), 1, 0, 1);
	struct wicket_cfg mutant = mutated(piled, NO_PUSH);
	struct wicket_result r;

	(void)state;
	r = stepped(&piled, proc(DISCARD, tk(0, 0)), with_stack(o, 0x11));
	assert_office(r.put,
		      with_stack(office(tk(1, 2), tk(1, 2), 0, 0, 2), 0x012));
	r = stepped(&mutant, proc(DISCARD, tk(0, 0)), with_stack(o, 0x11));
	assert_office(r.put,
		      with_stack(office(tk(1, 2), tk(1, 2), 0, 0, 2), 0x11));
	/* VALID takes colour 1 in the very step in which 0 becomes free */
	o = office(tk(2, 2), tk(2, 2), 1, 0, 1);
	r = stepped(&piled, proc(DISCARD, tk(0, 0)), with_stack(o, 0x11));
	assert_office(r.put,
		      with_stack(office(tk(2, 2), tk(0, 1), 0, 1, 1), 0x01));
}

static int piled_holds(struct scene s, uint64_t stack)
{
	struct wicket_value v = office_pack(with_stack(s.o, stack));

	return holds(&piled, 3, &v, s.p);
}

static void o4_breaks_with_a_stack_that_is_not_exact(void **state)
{
	struct scene start = { .o = office(tk(0, 0), tk(2, 0), 2, 0, 0) };
	struct scene s = all_outside();

	(void)state;
	assert_true(piled_holds(start, 0x122));
	assert_true(piled_holds(start, 0x212));
	assert_false(piled_holds(start, 0x11)); /* 2 is missing */
	assert_false(piled_holds(start, 0));
	assert_false(piled_holds(start, 0x112)); /* 1 is there twice */
	assert_false(piled_holds(start, 0x012)); /* 0 is in use */
	/* colour 1 has QUANT 0, but ISSUE is in it */
	assert_true(piled_holds(s, 0x21));
	assert_false(piled_holds(s, 0x122));
}

/* C(2k,k) ((k+1)M)^2 */
static void the_bound_of_theorem_4_1(void **state)
{
	struct wicket_cfg c = two;

	(void)state;
	assert_int_equal(bound(&c), 2 * 4 * 4);
	assert_int_equal(bound(&four), 6 * 9 * 9);
	assert_int_equal(bound(&tight), 6 * 6 * 6);
	c.n = 5, c.k = 3;
	assert_int_equal(bound(&c), 20 * 16 * 16);
	c.n = 16, c.k = 8;
	assert_int_equal(bound(&c), 84440070);
	c.k = 15;
	assert_int_equal(bound(&c), 10165781790720);
	/* with a stack k^k times as many, as long as that is a number */
	assert_int_equal(bound(&piled), 4 * 6 * 9 * 9);
	c.variant = STACK;
	assert_int_equal(bound(&c), 0);
	c.k = 10;
	assert_int_equal(bound(&c), 0);
	c.k = 9; /* 9^9 C(18,9) (10 * 10)^2 */
	assert_int_equal(bound(&c), 188363841751800000);
	c = (struct wicket_cfg){ .n = 65536, .k = 15 }; /* more than 2^63 */
	assert_int_equal(bound(&c), 0);
}

/* C(2k-1,k) for C(2k,k), k! for k^k */
static void the_sharper_bound(void **state)
{
	struct wicket_cfg c = { .n = 5, .k = 3, .variant = STACK };

	(void)state;
	assert_int_equal(sharper(&two), 1 * 4 * 4);
	assert_int_equal(sharper(&four), 3 * 9 * 9);
	assert_int_equal(sharper(&piled), 2 * 3 * 9 * 9);
	assert_int_equal(sharper(&c), 6 * 10 * 16 * 16);
	c.n = 16, c.k = 15;
	assert_int_equal(sharper(&c), 0);
}

/* M = 3 and 3 colours: two bits each, also for the counts and the height. */
static void the_bits_of_the_fields(void **state)
{
	(void)state;
	assert_int_equal(field_bits(&four, 0), 2 * (2 + 2) + 3 * 2);
	assert_int_equal(field_bits(&tight, 0), 2 * (1 + 2) + 3 * 2);
	assert_int_equal(field_bits(&piled, 0),
			 2 * (2 + 2) + 3 * 2 + 2 + 2 * 2);
}

static void the_value_in_the_papers_notation(void **state)
{
	struct wicket_value v = reg(&four, 0).start;
	struct office o = office(tk(1, 12), tk(2, 0), 0, -1, 3);

	(void)state;
	assert_shows(&wicket_colored, &four, &v,
		     "ISSUE=(0,0) VALID=(2,0) QUANT=[2 0 0]");
	v = office_pack(o);
	assert_shows(&wicket_colored, &four, &v,
		     "ISSUE=(1,12) VALID=(2,0) QUANT=[0 -1 3]");
	assert_shows(&wicket_colored, &two, &v,
		     "ISSUE=(1,12) VALID=(2,0) QUANT=[0 -1]");
	v = reg(&piled, 0).start;
	assert_shows(&wicket_colored, &piled, &v,
		     "ISSUE=(0,0) VALID=(2,0) QUANT=[2 0 0] STACK=(2 1)");
}

static void steps_in_a_word_or_two(void **state)
{
	(void)state;
	assert_shows_step(&wicket_colored, &four, proc(TAKE, tk(0, 0)), "take");
	assert_shows_step(&wicket_colored, &four, proc(TEST, tk(2, 1)),
			  "test (2,1)");
	assert_shows_step(&wicket_colored, &four, proc(DISCARD, tk(0, 1)),
			  "discard colour 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ticket_fits_a_word),
		cmocka_unit_test(equal_colours_lead_by_value),
		cmocka_unit_test(unequal_colours_lead_against_value),
		cmocka_unit_test(mutants_lead_otherwise),
		cmocka_unit_test(validity_by_value_in_the_valid_block),
		cmocka_unit_test(validity_by_leading_in_the_issue_block),
		cmocka_unit_test(validity_of_any_other_colour),
		cmocka_unit_test(the_value_is_packed_and_unpacked),
		cmocka_unit_test(a_block_is_one_more_than_needed),
		cmocka_unit_test(a_tight_block_is_not),
		cmocka_unit_test(the_least_free_colour_is_new),
		cmocka_unit_test(with_k_colours_none_may_be_free),
		cmocka_unit_test(within_a_block_only_the_value_grows),
		cmocka_unit_test(the_leading_pointer_takes_a_new_colour),
		cmocka_unit_test(the_trailing_pointer_takes_the_others_colour),
		cmocka_unit_test(a_tight_block_ends_earlier),
		cmocka_unit_test(the_first_k_tickets_are_valid_at_the_start),
		cmocka_unit_test(the_tight_start_may_span_two_blocks),
		cmocka_unit_test(as_printed_nothing_is_counted_at_the_start),
		cmocka_unit_test(processes_start_alike_in_the_remainder),
		cmocka_unit_test(every_step_is_one_action_on_the_variable),
		cmocka_unit_test(a_valid_ticket_leads_straight_to_c),
		cmocka_unit_test(an_invalid_ticket_is_kept_in_t),
		cmocka_unit_test(a_test_changes_nothing_shared),
		cmocka_unit_test(a_discard_validates_the_next_ticket),
		cmocka_unit_test(a_discard_at_the_end_of_the_block),
		cmocka_unit_test(the_old_ticket_goes_after_the_new_colour),
		cmocka_unit_test(invariants_hold_where_they_should),
		cmocka_unit_test(the_tight_start_satisfies_the_invariants),
		cmocka_unit_test(o1_breaks_with_the_count),
		cmocka_unit_test(o2_breaks_with_a_ticket_issued_twice),
		cmocka_unit_test(o3_breaks_with_the_distance),
		cmocka_unit_test(o4_breaks_with_a_new_colour_that_is_in_use),
		cmocka_unit_test(o5_breaks_with_a_valid_that_is_not_counted),
		cmocka_unit_test(a_stack_fits_a_word),
		cmocka_unit_test(
			all_colours_but_the_first_are_free_at_the_start),
		cmocka_unit_test(a_new_colour_is_popped),
		cmocka_unit_test(a_colour_is_pushed_when_its_quant_falls_to_0),
		cmocka_unit_test(o4_breaks_with_a_stack_that_is_not_exact),
		cmocka_unit_test(the_bound_of_theorem_4_1),
		cmocka_unit_test(the_sharper_bound),
		cmocka_unit_test(the_bits_of_the_fields),
		cmocka_unit_test(the_value_in_the_papers_notation),
		cmocka_unit_test(steps_in_a_word_or_two),
	};

	return cmocka_run_group_tests_name("colored", tests, NULL, NULL);
}
