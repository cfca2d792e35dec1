/* SPDX-License-Identifier: MIT */
/*
 * unbounded-colored - numbered tickets written as (value, colour).
 *
 * Source   FLBB 1989, Figs. 2, 4 and 5.
 * Value    (ISSUE, VALID), colored tickets; colours are counted up for ever.
 * U1       VALID - ISSUE = k - number of ticket holders, as numbers
 *          (mutant one-colour).
 * FIFO     as numbered, of which it is another spelling.
 * Crash    as numbered.
 *
 * Quotient, as for numbered: colours are shifted so that the lesser of the
 * two pointers' colours is 0 (they are only compared for equality and counted
 * up), and a valid ticket becomes VALID, because it stays valid for ever.
 */
#include "algo/ticket.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, DISCARD = WICKET_FROM_C };
enum local { TICKET };
enum mutant { ONE_COLOUR = 1 };

enum word { ISSUE, VALID };

static uint32_t block(const struct wicket_cfg *c)
{
	return 1 + ticket_tight_block(c->n, c->k);
}

static int is_valid(struct ticket t, struct wicket_value v)
{
	struct ticket issue = word_ticket(v.w[ISSUE]);
	struct ticket valid = word_ticket(v.w[VALID]);

	return ticket_is_valid(t, issue, valid, ticket_leads(valid, issue));
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return (struct wicket_register){
		.start.w[VALID] = ticket_word((struct ticket){ c->k, 0 }),
	};
}

static uint64_t next(const struct wicket_cfg *c, uint64_t w)
{
	struct ticket t = word_ticket(w);

	if (t.value < block(c) - 1)
		t.value++;
	else
		t = (struct ticket){ 0, t.colour + (c->mutant != ONE_COLOUR) };
	return ticket_word(t);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	switch (p.pc) {
	case TAKE: /* (i,v) -> (next i,v) */
		r.put.w[ISSUE] = next(c, seen.w[ISSUE]);
		r.proc.local[TICKET] = r.put.w[ISSUE];
		r.proc.pc = TEST;
		break;
	case DISCARD: /* (i,v) -> (i,next v) */
		r.put.w[VALID] = next(c, seen.w[VALID]);
		r.proc.pc = TAKE;
		return r;
	}
	if (is_valid(word_ticket(r.proc.local[TICKET]), r.put)) {
		r.proc.local[TICKET] = 0;
		r.proc.pc = DISCARD;
	}
	return r;
}

static struct wicket_result quotient(const struct wicket_cfg *c,
				     struct wicket_proc p,
				     struct wicket_value v)
{
	struct wicket_result r = { .proc = p, .put = v };
	struct ticket issue = word_ticket(v.w[ISSUE]);
	struct ticket valid = word_ticket(v.w[VALID]);
	uint32_t colour = issue.colour < valid.colour ? issue.colour :
							valid.colour;
	uint64_t shift = ticket_word((struct ticket){ 0, colour });

	if (c->mutant == ONE_COLOUR)
		return r; /* finite, and nothing stays valid for ever */
	r.put.w[ISSUE] -= shift;
	r.put.w[VALID] -= shift;
	if (p.pc == TEST && is_valid(word_ticket(p.local[TICKET]), v))
		r.proc.local[TICKET] = r.put.w[VALID];
	else if (p.pc == TEST)
		r.proc.local[TICKET] -= shift;
	return r;
}

static uint64_t number(const struct wicket_cfg *c, uint64_t w)
{
	struct ticket t = word_ticket(w);

	return (uint64_t)t.colour * block(c) + t.value;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint64_t holders = 0;

	(void)i;
	for (uint32_t j = 0; j < c->n; j++)
		holders += procs[j].pc != TAKE;
	return number(c, regs[0].w[VALID]) + holders ==
	       number(c, regs[0].w[ISSUE]) + c->k; /* U1 */
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	if (p.pc == TEST) {
		wicket_put(t, "test ");
		ticket_show(t, word_ticket(p.local[TICKET]));
	} else {
		wicket_put(t, p.pc == TAKE ? "take" : "discard");
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c;
	ticket_show_pointers(t, word_ticket(regs[0].w[ISSUE]),
			     word_ticket(regs[0].w[VALID]));
}

static const struct wicket_mutant mutants[] = {
	{ "one-colour", "a new block keeps the colour of the old one", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "U1", "VALID - ISSUE = k - number of ticket holders" },
	{ 0, 0 },
};

const struct wicket_algo wicket_unbounded_colored = {
	.name = "unbounded-colored",
	.title = "Unbounded Colored Ticket Algorithm",
	.source = "FLBB 1989, Figs. 2, 4, 5",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989,
	.solves = WICKET_PROBLEM_1989,
	.registers = wicket_one_register,
	.reg = reg,
	.start = wicket_anonymous,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.quotient = quotient,
	.holds = holds,
	.show_step = show_step,
	.show = show,
};
