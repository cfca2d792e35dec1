/* SPDX-License-Identifier: MIT */
/*
 * colored - the Colored Ticket Algorithm: a line in O(n^2) shared values.
 *
 * Source   FLBB 1989, Figs. 2, 4, 6 and 7, with two corrections: LEADS
 *          compares equal colours with >= (printed >, mutant leads-strict),
 *          and QUANT[0] starts as k (printed 0, mutant quant-zero).
 *          colored:tight is footnote 2, M = max(k, n-k): it holds for every
 *          k < n with LEADS as it is; only the start differs.
 * Value    ISSUE     the ticket last issued, (value, colour)
 *          VALID     the ticket last validated
 *          QUANT[c]  how many valid tickets have colour c, c in 0..k; between
 *                    0 and k, but for mutants, where it is any integer
 *          with value in 0..M-1, M = 1 + max(k, n-k).
 * C1       QUANT counts the valid tickets: those held and those still to be
 *          issued (mutant quant-zero).  In all there are k.
 * C2       no two processes in T hold the same ticket (mutant discard-first).
 * C3       VALID is k - holders tickets ahead of ISSUE, and they are of one
 *          colour iff no block ends between them (mutant k-colours).
 * FIFO     tickets are issued and validated in the same cyclic order, and a
 *          valid ticket stays valid until it is discarded.
 * Colours  a new colour is needed only when the leading pointer ends its
 *          block.  Then every colour in use is that of one of the k valid
 *          tickets (section 2.4), so one of k+1 is free.
 * Crash    a process changes shared memory when it takes and when it
 *          discards, nowhere between: a crash in T or C costs one slot, and
 *          fewer than k of them stop nobody else.
 */
#include "algo/ticket.h"

enum pc { TAKE = WICKET_FROM_R, TEST = WICKET_FROM_T, DISCARD = WICKET_FROM_C };
enum local { TICKET }; /* in C only its colour is left */
enum variant { TIGHT = 1 };
enum mutant {
	LEADS_STRICT = 1,
	QUANT_ZERO,
	DISCARD_FIRST,
	K_COLOURS,
	SYMMETRIC_TIE
};

enum { COLOURS_MAX = WICKET_PROCS_MAX };

/* The shared value, taken apart. */

struct office {
	struct ticket issue, valid;
	int8_t quant[COLOURS_MAX];
};

static struct office unpack(struct wicket_value v)
{
	struct office o = {
		.issue = word_ticket(v.w[0]),
		.valid = word_ticket(v.w[1]),
	};

	for (int c = 0; c < COLOURS_MAX; c++)
		o.quant[c] = (int8_t)(v.w[2 + c / 8] >> c % 8 * 8);
	return o;
}

static struct wicket_value pack(struct office o)
{
	struct wicket_value v = { { ticket_word(o.issue),
				    ticket_word(o.valid) } };

	for (int c = 0; c < COLOURS_MAX; c++)
		v.w[2 + c / 8] |= (uint64_t)(uint8_t)o.quant[c] << c % 8 * 8;
	return v;
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
	uint32_t last = c->mutant == K_COLOURS ? c->k - 1 : c->k;
	uint32_t colour = 0;

	while (colour < last && o.quant[colour] > 0)
		colour++;
	return colour;
}

/* The ticket after a, where a is one pointer and b the other. */
static struct ticket next(const struct wicket_cfg *c, struct office o,
			  struct ticket a, struct ticket b)
{
	uint32_t m = block(c), colour = 0;
	int a_leads = leads(c, a, b);

	if (ticket_needs_colour(a, m, a_leads))
		colour = new_colour(c, o);
	return ticket_next(a, b, m, a_leads, colour);
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
	return (struct wicket_register){ .start = pack(o) };
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	struct office o = unpack(seen);
	struct ticket t = word_ticket(p.local[TICKET]);

	switch (p.pc) {
	case TAKE: /* (i,v,q) -> (next i,v,q) */
		t = o.issue = next(c, o, o.issue, o.valid);
		r.put = pack(o);
		r.proc.local[TICKET] = ticket_word(t);
		r.proc.pc = TEST;
		break;
	case DISCARD: /* (i,v,q) -> (i,next v,q + [v] - [t]) */
		if (c->mutant == DISCARD_FIRST)
			o.quant[t.colour]--;
		o.valid = next(c, o, o.valid, o.issue);
		o.quant[o.valid.colour]++;
		if (c->mutant != DISCARD_FIRST)
			o.quant[t.colour]--;
		r.put = pack(o);
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

/* Not by LEADS, but by counting holders: the pointers' true distance. */
static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct office o = unpack(regs[0]);
	int32_t m = (int32_t)block(c), ahead = (int32_t)c->k, counted = 0;
	int32_t from = (int32_t)o.issue.value;

	for (uint32_t j = 0; j < c->n; j++) {
		struct ticket t = word_ticket(procs[j].local[TICKET]);

		if (procs[j].pc == TAKE)
			continue;
		ahead--;
		if (procs[j].pc == DISCARD || is_valid(c, o, t))
			o.quant[t.colour]--;
		for (uint32_t h = 0; i == 1 && h < j; h++) { /* C2 */
			if (procs[j].pc == TEST && procs[h].pc == TEST &&
			    procs[h].local[TICKET] == procs[j].local[TICKET])
				return 0;
		}
	}
	if (i == 1)
		return 1;
	if (i == 2) /* C3 */
		return (from + ahead + m) % m == (int32_t)o.valid.value &&
		       (o.issue.colour == o.valid.colour) ==
			       (from + ahead >= 0 && from + ahead < m);
	for (int32_t t = from + 1; t <= from + ahead; t++) /* C1 */
		o.quant[t < m ? o.issue.colour : o.valid.colour]--;
	for (int colour = 0; colour < COLOURS_MAX; colour++)
		counted |= o.quant[colour];
	return !counted;
}

/* Theorem 4.1: C(2k,k) ((k+1)M)^2 */
static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t quants = 1, pointer = (uint64_t)(c->k + 1) * block(c);

	for (uint32_t j = 1; j <= c->k; j++)
		quants = quants * (c->k + j) / j;
	return quants * pointer * pointer;
}

/* QUANT[VALID.COLOR] is at least 1 (C1): C(2k-1,k), which is half of C(2k,k). */
static uint64_t sharper(const struct wicket_cfg *c)
{
	return bound(c) / 2;
}

/* Field by field, as in algo/word.h: two tickets, and k + 1 counts 0..k. */
static uint32_t field_bits(const struct wicket_cfg *c, uint32_t r)
{
	uint32_t colour = wicket_bits(c->k + 1);

	(void)r;
	return 2 * (wicket_bits(block(c)) + colour) + (c->k + 1) * colour;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	struct ticket ticket = word_ticket(p.local[TICKET]);

	(void)c;
	switch (p.pc) {
	case TAKE:
		wicket_put(t, "take");
		break;
	case TEST:
		wicket_put(t, "test ");
		ticket_show(t, ticket);
		break;
	case DISCARD:
		wicket_put(t, "discard colour ");
		wicket_put_number(t, ticket.colour);
		break;
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct office o = unpack(regs[0]);

	ticket_show_pointers(t, o.issue, o.valid);
	wicket_put(t, " QUANT=");
	for (uint32_t colour = 0; colour <= c->k; colour++) {
		wicket_put_char(t, colour ? ' ' : '[');
		wicket_put_number(t, o.quant[colour]);
	}
	wicket_put_char(t, ']');
}

static const struct wicket_named variants[] = {
	{ "tight", "footnote 2: M = max(k, n-k)" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "leads-strict", "Fig. 4 as printed: > for equal colours", 0 },
	{ "quant-zero", "Fig. 7 as printed: QUANT starts as all zero", 0 },
	{ "discard-first", "the old ticket goes before NEW_COLOR looks", 0 },
	{ "k-colours", "only k colours; if none is free, the last", 0 },
	{ "symmetric-tie", "unequal colours, equal values: each leads", TIGHT },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "C1", "QUANT counts the valid tickets, held or still to be issued" },
	{ "C2", "no two processes in T hold the same ticket" },
	{ "C3", "VALID is k - holders tickets ahead of ISSUE" },
	{ 0, 0 },
};

const struct wicket_algo wicket_colored = {
	.name = "colored",
	.title = "Colored Ticket Algorithm",
	.source = "FLBB 1989, Figs. 2, 4, 6, 7",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.decides = WICKET_PROBLEM_1989,
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
