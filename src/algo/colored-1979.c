/* SPDX-License-Identifier: MIT */
/*
 * colored-1979 - the Colored Ticket Algorithm as it was first published.
 *
 * Source   FLBB 1979, Theorem 4.2; it works as printed.  Against colored:
 *          a block has n tickets, numbered 1 to n, and not 1 + max(k, n-k);
 *          the first ticket issued is the first of its block, so ISSUE starts
 *          at the end of a block that never was, (n, k); a pointer does not
 *          lead its equal; and taking a ticket and testing it are two steps,
 *          so that nobody goes from R straight to C.
 * Value    that of office.h, with value in 0..n-1; shown as number = value+1.
 * O1 - O5  those of office.h (mutants issue-colour-0 for O3, k-colours for
 *          O4, leads-or-equal and discard-first for the others).
 * FIFO     as colored.
 * Leads    the pointers are at most max(k, n-k) < n tickets apart.  So those
 *          with equal values coincide, and of two that do not exactly one
 *          leads: "VALID leads ISSUE, else a new colour" is colored's "ISSUE
 *          leads VALID, then a new colour" with its >=.
 * Colours  as colored.
 * Crash    as colored.
 */
#include "algo/office.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, DISCARD = WICKET_FROM_C };
enum local { TICKET }; /* in C only its colour is left */
enum mutant { LEADS_OR_EQUAL = 1, ISSUE_COLOUR_0, DISCARD_FIRST, K_COLOURS };

static int leads(const struct wicket_cfg *c, struct ticket a, struct ticket b)
{
	return ticket_leads(a, b) && (ticket_word(a) != ticket_word(b) ||
				      c->mutant == LEADS_OR_EQUAL);
}

/* Is it not one of those after VALID up to ISSUE? */
static int is_valid(const struct wicket_cfg *c, struct office o,
		    struct ticket t)
{
	return ticket_is_valid(t, o.issue, o.valid, leads(c, o.valid, o.issue));
}

static uint32_t new_colour(const struct wicket_cfg *c, struct office o)
{
	return office_free_colour(o, c->mutant == K_COLOURS ? c->k - 1 : c->k);
}

/* The ticket after a, where a is one pointer and b the other. */
static struct ticket next(const struct wicket_cfg *c, struct office o,
			  struct ticket a, struct ticket b)
{
	return ticket_next(a, b, c->n, !leads(c, b, a), new_colour(c, o));
}

/* The ticket after VALID becomes valid, and one of that colour goes. */
static struct office discard(const struct wicket_cfg *c, struct office o,
			     uint32_t colour)
{
	struct office seen = o; /* by Newcolor */

	if (c->mutant == DISCARD_FIRST)
		seen.quant[colour]--;
	return office_exchange(o, next(c, seen, o.valid, o.issue), colour);
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = {
		.issue = { c->n - 1, c->mutant == ISSUE_COLOUR_0 ? 0 : c->k },
		.valid = { c->k - 1, 0 },
		.quant = { (int8_t)c->k },
	};

	(void)r;
	return (struct wicket_register){ .start = office_pack(o) };
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	struct office o = office_unpack(seen);
	struct ticket t = word_ticket(p.local[TICKET]);

	switch (p.pc) {
	case TAKE: /* (i,v,q) -> (next i,v,q) */
		o.issue = next(c, o, o.issue, o.valid);
		r.proc.local[TICKET] = ticket_word(o.issue);
		r.proc.pc = TEST;
		break;
	case TEST:
		if (!is_valid(c, o, t))
			break;
		r.proc.local[TICKET] =
			ticket_word((struct ticket){ 0, t.colour });
		r.proc.pc = DISCARD;
		break;
	case DISCARD: /* (i,v,q) -> (i,next v,q + [v] - [t]) */
		o = discard(c, o, t.colour);
		r.proc.local[TICKET] = 0;
		r.proc.pc = TAKE;
		break;
	}
	r.put = office_pack(o);
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct office o = office_unpack(regs[0]);
	int valid_leads = leads(c, o.valid, o.issue);
	int issue_leads = leads(c, o.issue, o.valid);
	struct survey s = office_survey(c, o, c->n, valid_leads, procs);
	uint32_t new = new_colour(c, o);

	switch (i) {
	case 0:
		return office_o1(o, s);
	case 1:
		return office_o2(c, procs);
	case 2:
		return office_o3(o, s, c->n);
	case 3:
		return office_o4(s, o.valid, c->n, !issue_leads, new) &&
		       office_o4(s, o.issue, c->n, !valid_leads, new);
	default:
		return office_o5(o);
	}
}

/* Theorem 4.2: C(2k-1,k) ((k+1)n)^2, and C(2k-1,k) is half of C(2k,k). */
static uint64_t bound(const struct wicket_cfg *c)
{
	return office_bound(c->k, c->n) / 2;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	office_show_step(p, 1, t);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	office_show(office_unpack(regs[0]), c->k, 1, t);
}

static const struct wicket_mutant mutants[] = {
	{ "leads-or-equal", "a pointer leads its equal, as in 1989", 0 },
	{ "issue-colour-0", "ISSUE starts in VALID's own colour", 0 },
	{ "discard-first", "the old ticket goes before Newcolor looks", 0 },
	{ "k-colours", "only k colours; if none is free, the last", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "O1", "QUANT counts the valid tickets, held or still to be issued" },
	{ "O2", "no two processes in T hold the same ticket" },
	{ "O3", "VALID is k - holders tickets ahead of ISSUE" },
	{ "O4", "a new colour is that of no ticket held or valid" },
	{ "O5", "QUANT[VALID.COLOR] > 0" },
	{ 0, 0 },
};

const struct wicket_algo wicket_colored_1979 = {
	.name = "colored-1979",
	.title = "Colored Ticket Algorithm of 1979",
	.source = "FLBB 1979, Theorem 4.2",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989 | WICKET_C2 | WICKET_C6_QUEUELIKE,
	.solves = WICKET_PROBLEM_1989 | WICKET_C2 | WICKET_C6_QUEUELIKE,
	.registers = wicket_one_register,
	.reg = reg,
	.start = wicket_anonymous,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
