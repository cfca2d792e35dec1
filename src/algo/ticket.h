/* SPDX-License-Identifier: MIT */
/*
 * ticket - colored tickets: what the unbounded and the bounded algorithm share.
 *
 * Source   FLBB 1989, section 2.4 and Fig. 4.
 * Ticket   (value, colour), value in 0..M-1.  The numbered ticket i is
 *          (i mod M, i div M): M tickets of one colour make a block.
 * L1       |number(VALID) - number(ISSUE)| <= M, so that "same block?" and the
 *          two values tell which of them leads.
 */
#ifndef WICKET_TICKET_H
#define WICKET_TICKET_H

#include "algo/algo.h"

struct ticket {
	uint32_t value;
	uint32_t colour;
};

/* In a word of a process or of a register: colour above value. */
static inline uint64_t ticket_word(struct ticket t)
{
	return (uint64_t)t.colour << 32 | t.value;
}

static inline struct ticket word_ticket(uint64_t w)
{
	return (struct ticket){ (uint32_t)w, (uint32_t)(w >> 32) };
}

/* Footnote 2 of the paper: one less suffices. */
static inline uint32_t ticket_tight_block(uint32_t n, uint32_t k)
{
	return k > n - k ? k : n - k;
}

static inline int ticket_leads(struct ticket a, struct ticket b)
{
	return a.colour == b.colour ? a.value >= b.value : a.value < b.value;
}

/* leads: whether VALID leads ISSUE; asked for only if their colours differ. */
static inline int ticket_is_valid(struct ticket t, struct ticket issue,
				  struct ticket valid, int leads)
{
	return t.colour == valid.colour ? t.value <= valid.value :
	       t.colour == issue.colour ? leads :
					  1;
}

/*
 * The pointer after a, where b is the other and a block has m tickets.  Only if
 * a needs a new colour is the one given looked at.
 */
static inline int ticket_needs_colour(struct ticket a, uint32_t m, int leads)
{
	return a.value == m - 1 && leads;
}

static inline struct ticket ticket_next(struct ticket a, struct ticket b,
					uint32_t m, int leads,
					uint32_t new_colour)
{
	if (a.value < m - 1)
		return (struct ticket){ a.value + 1, a.colour };
	return (struct ticket){ 0, leads ? new_colour : b.colour };
}

static inline void ticket_show(struct wicket_text *text, struct ticket t)
{
	wicket_put_char(text, '(');
	wicket_put_number(text, t.value);
	wicket_put_char(text, ',');
	wicket_put_number(text, t.colour);
	wicket_put_char(text, ')');
}

static inline void ticket_show_pointers(struct wicket_text *text,
					struct ticket issue,
					struct ticket valid)
{
	wicket_put(text, "ISSUE=");
	ticket_show(text, issue);
	wicket_put(text, " VALID=");
	ticket_show(text, valid);
}

#endif
