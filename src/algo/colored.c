/* SPDX-License-Identifier: MIT */
/*
 * colored - the Colored Ticket Algorithm: a line in O(n^2) shared values.
 *
 * Source   FLBB 1989, Figs. 2, 4, 6 and 7, with two corrections: LEADS
 *          compares equal colours with >= (printed >, mutant leads-strict),
 *          and QUANT[0] starts as k (printed 0, mutant quant-zero).
 *          colored:tight is footnote 2, M = max(k, n-k): it holds for every
 *          k < n with LEADS as it is; only the start differs.
 *          colored:stack is the remark after Fig. 6: NEW_COLOR need not look
 *          for a colour, the free ones lie on a stack.
 * Value    that of office.h, with value in 0..M-1, M = 1 + max(k, n-k);
 *          colored:stack: also STACK, at most k colours, its top is the last.
 * O1 - O5  those of office.h (mutants quant-zero for O1 and O5, discard-first
 *          for O2, k-colours for O3 and O4).  With a stack O4 is more: STACK
 *          holds each free colour once (mutant no-push) and no other (mutant
 *          no-pop).
 * FIFO     tickets are issued and validated in the same cyclic order, and a
 *          valid ticket stays valid until it is discarded.
 * Colours  a new colour is needed only when the leading pointer ends its
 *          block.  Then every colour in use is that of one of the k valid
 *          tickets (section 2.4), so one of k+1 is free.
 * Stack    a colour is free if no ticket of it is held or valid.  It stops
 *          being free when a pointer begins a block with it, and that pops it:
 *          the other pointer, when it follows, takes over what is popped
 *          already.  So a colour of ISSUE that VALID has not reached has
 *          QUANT 0 and is not on the stack.  It becomes free when its last
 *          valid ticket is discarded: QUANT falls to 0 in that step and in no
 *          other, and it is pushed; a ticket of that colour that is not valid
 *          yet would lie ahead of VALID, in VALID's own block, whose QUANT is
 *          not 0 (O5), or in the next, which has no valid ticket to discard.
 *          As VALID's own colour is in use, k places suffice.
 * Crash    a process changes shared memory when it takes and when it
 *          discards, nowhere between: a crash in T or C costs one slot, and
 *          fewer than k of them stop nobody else.
 */
#include "algo/office.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, DISCARD = WICKET_FROM_C };
enum local { TICKET }; /* in C only its colour is left */
enum variant { TIGHT = 1, STACK };
enum mutant {
	LEADS_STRICT = 1,
	QUANT_ZERO,
	DISCARD_FIRST,
	K_COLOURS,
	SYMMETRIC_TIE,
	NO_PUSH,
	NO_POP
};

/* A stack in a word: its height in the last four bits, four bits a place. */

static uint32_t height(uint64_t stack)
{
	return stack & 0xf;
}

static uint32_t place(uint64_t stack, uint32_t i)
{
	return stack >> (4 * i + 4) & 0xf;
}

/* (a) -> (a,colour), if there is room: mutants only find none. */
static uint64_t push(const struct wicket_cfg *c, uint64_t stack,
		     uint32_t colour)
{
	uint32_t h = height(stack);

	return h == c->k ? stack :
			   (stack + 1) | (uint64_t)colour << (4 * h + 4);
}

/* (a,colour) -> colour; mutants only find nothing. */
static uint32_t top(uint64_t stack)
{
	return height(stack) ? place(stack, height(stack) - 1) : 0;
}

/* (a,colour) -> (a) */
static uint64_t pop(uint64_t stack)
{
	uint32_t h = height(stack);

	return h ? (stack - 1) & ~((uint64_t)0xf << 4 * h) : stack;
}

static uint32_t block(const struct wicket_cfg *c)
{
	return ticket_tight_block(c->n, c->k) + (c->variant != TIGHT);
}

static int leads(const struct wicket_cfg *c, struct ticket a, struct ticket b)
{
	if (c->mutant == LEADS_STRICT && a.colour == b.colour)
		return a.value > b.value;
	if (c->mutant == SYMMETRIC_TIE && a.colour != b.colour)
		return a.value <= b.value;
	return ticket_leads(a, b);
}

static int is_valid(const struct wicket_cfg *c, struct office o,
		    struct ticket t)
{
	return ticket_is_valid(t, o.issue, o.valid, leads(c, o.valid, o.issue));
}

static uint32_t new_colour(const struct wicket_cfg *c, struct office o)
{
	return c->variant == STACK ?
		       top(o.stack) :
		       office_free_colour(o, c->mutant == K_COLOURS ? c->k - 1 :
								      c->k);
}

/* The ticket after a, where a is one pointer and b the other. */
static struct ticket next(const struct wicket_cfg *c, struct office o,
			  struct ticket a, struct ticket b)
{
	return ticket_next(a, b, block(c), leads(c, a, b), new_colour(c, o));
}

/* The stack once a has moved on. */
static uint64_t stack_after(const struct wicket_cfg *c, struct office o,
			    struct ticket a, struct ticket b)
{
	return ticket_needs_colour(a, block(c), leads(c, a, b)) &&
			       c->mutant != NO_POP ?
		       pop(o.stack) :
		       o.stack;
}

/* The ticket after VALID becomes valid, and one of that colour goes. */
static struct office discard(const struct wicket_cfg *c, struct office o,
			     uint32_t colour)
{
	struct office seen = o; /* by NEW_COLOR */

	if (c->mutant == DISCARD_FIRST)
		seen.quant[colour]--;
	o.stack = stack_after(c, o, o.valid, o.issue);
	o = office_exchange(o, next(c, seen, o.valid, o.issue), colour);
	if (c->variant == STACK && !o.quant[colour] && c->mutant != NO_PUSH)
		o.stack = push(c, o.stack, colour);
	return o;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	uint32_t m = block(c);
	struct office o = { .valid = { c->k % m, c->k / m } };

	(void)r;
	if (c->mutant != QUANT_ZERO) {
		for (uint32_t t = 1; t <= c->k; t++)
			o.quant[t / m]++;
	}
	/* the least on top, as Fig. 6 would choose */
	for (uint32_t colour = c->k; c->variant == STACK && colour; colour--)
		o.stack = push(c, o.stack, colour);
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
		t = next(c, o, o.issue, o.valid);
		o.stack = stack_after(c, o, o.issue, o.valid);
		o.issue = t;
		r.put = office_pack(o);
		r.proc.local[TICKET] = ticket_word(t);
		r.proc.pc = TEST;
		break;
	case DISCARD: /* (i,v,q) -> (i,next v,q + [v] - [t]) */
		r.put = office_pack(discard(c, o, t.colour));
		r.proc.local[TICKET] = 0;
		r.proc.pc = TAKE;
		return r;
	}
	if (is_valid(c, o, t)) {
		r.proc.local[TICKET] =
			ticket_word((struct ticket){ 0, t.colour });
		r.proc.pc = DISCARD;
	}
	return r;
}

/* Is each colour on the stack as often as it is free? */
static int stack_is_exact(const struct wicket_cfg *c, struct office o,
			  struct survey s)
{
	for (uint32_t colour = 0; colour <= c->k; colour++) {
		int32_t found = 0;

		for (uint32_t i = 0; i < height(o.stack); i++)
			found += place(o.stack, i) == colour;
		if (found != !s.used[colour])
			return 0;
	}
	return 1;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct office o = office_unpack(regs[0]);
	uint32_t m = block(c), new = new_colour(c, o);
	int ahead = leads(c, o.valid, o.issue);
	struct survey s = office_survey(c, o, m, ahead, procs);

	switch (i) {
	case 0:
		return office_o1(o, s);
	case 1:
		return office_o2(c, procs);
	case 2:
		return office_o3(o, s, m);
	case 3:
		return (c->variant != STACK || stack_is_exact(c, o, s)) &&
		       office_o4(s, o.valid, m, ahead, new) &&
		       office_o4(s, o.issue, m, leads(c, o.issue, o.valid),
				 new);
	default:
		return office_o5(o);
	}
}

/* Theorem 4.1; colored:stack: and the remark's factor k^k, which from k = 10 on is
   more than a number holds. */
static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t values = office_bound(c->k, block(c));

	for (uint32_t j = 1; c->variant == STACK && j <= c->k; j++)
		values = wicket_times(values, c->k);
	return values;
}

/*
 * QUANT[VALID.COLOR] is at least 1 (O5): C(2k-1,k), which is half of C(2k,k).
 * Which colours lie on the stack is known by the rest of the value (O4), and k
 * at most can be put in order in k! ways.
 */
static uint64_t sharper(const struct wicket_cfg *c)
{
	uint64_t values = office_bound(c->k, block(c)) / 2;

	for (uint32_t j = 1; c->variant == STACK && j <= c->k; j++)
		values = wicket_times(values, j);
	return values;
}

/*
 * Field by field, as in algo/word.h: two tickets, and k + 1 counts 0..k; then
 * the height of the stack, which is such a count too, and its k places.
 */
static uint32_t field_bits(const struct wicket_cfg *c, uint32_t r)
{
	uint32_t colour = wicket_bits(c->k + 1);
	uint32_t counts = (c->k + 1) * colour;

	(void)r;
	return 2 * (wicket_bits(block(c)) + colour) + counts +
	       (c->variant == STACK ? counts : 0);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	office_show_step(p, 0, t);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct office o = office_unpack(regs[0]);

	office_show(o, c->k, 0, t);
	if (c->variant != STACK)
		return;
	wicket_put(t, " STACK=(");
	for (uint32_t i = 0; i < height(o.stack); i++) {
		if (i)
			wicket_put_char(t, ' ');
		wicket_put_number(t, place(o.stack, i));
	}
	wicket_put_char(t, ')');
}

static const struct wicket_named variants[] = {
	{ "tight", "footnote 2: M = max(k, n-k)" },
	{ "stack", "remark after Fig. 6: free colours lie on a stack" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "leads-strict", "Fig. 4 as printed: > for equal colours", 0 },
	{ "quant-zero", "Fig. 7 as printed: QUANT starts as all zero", 0 },
	{ "discard-first", "the old ticket goes before NEW_COLOR looks", 0 },
	{ "k-colours", "only k colours; if none is free, the last", 0 },
	{ "symmetric-tie", "unequal colours, equal values: each leads", TIGHT },
	{ "no-push", "a colour that becomes free is not pushed", STACK },
	{ "no-pop", "the colour in use stays on the stack", STACK },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "O1", "QUANT counts the valid tickets, held or still to be issued" },
	{ "O2", "no two processes in T hold the same ticket" },
	{ "O3", "VALID is k - holders tickets ahead of ISSUE" },
	{ "O4", "a new colour is free; the stack is of all that are" },
	{ "O5", "QUANT[VALID.COLOR] > 0" },
	{ 0, 0 },
};

const struct wicket_algo wicket_colored = {
	.name = "colored",
	.title = "Colored Ticket Algorithm",
	.source = "FLBB 1989, Figs. 2, 4, 6, 7",
	.variants = variants,
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
	.holds = holds,
	.bound = bound,
	.sharper = sharper,
	.bits = field_bits,
	.show_step = show_step,
	.show = show,
};
