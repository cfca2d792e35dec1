/* SPDX-License-Identifier: MIT */
/*
 * line - the words of a recoverable line, and every change that is made to
 * them.  The protocol is recoverable.c's; this is its alphabet.
 *
 * Ticket   value 0..15, colour 16..31: the colored tickets of FLBB 1989 with
 *          tight M, so that M >= max(k, seats - k).
 * W        two words that change together
 *            T  the tag: 1 + seat in 0..15, seq above; 0 before any operation.
 *               A seat's seq only grows, so a tag never comes back.
 *            S  ISSUE in 0..31, VALID in 32..63
 * SLOT[s]  ticket in 0..31, stamp above: the ticket that is valid for slot s;
 *          the stamp grows with every change, so that a late helper that saw an
 *          old one changes nothing
 * SEAT[i]  two words that change together
 *            phase in 0..2, D in 3, seq from 8 on
 *            ticket in 0..31, slot in 32..47
 * FUT[i]   seq + 1 of the operation for which the owner sleeps, or 0
 * LIVE[i]  0 nobody's, 1 its owner lives, 2 its owner has died: the kernel's
 *          word (a robust mutex)
 */
#ifndef WICKET_LINE_H
#define WICKET_LINE_H

#include "algo/ticket.h"

enum line_phase {
	LINE_FREE,
	LINE_IDLE,
	LINE_TAKING,
	LINE_HAVE,
	LINE_RELEASING,
	LINE_RELEASED,
};

enum line_live { LINE_NOBODY, LINE_ALIVE, LINE_DIED };

/* S, taken apart. */
struct line_pointers {
	struct ticket issue, valid;
};

/* A seat, taken apart. */
struct line_seat {
	uint64_t seq;
	enum line_phase phase;
	int dead; /* D */
	uint32_t ticket, slot;
};

static inline uint32_t line_ticket_word(struct ticket t)
{
	return t.colour << 16 | t.value;
}

static inline struct ticket line_ticket(uint32_t w)
{
	return (struct ticket){ w & 0xffff, w >> 16 };
}

static inline uint64_t line_tag(uint64_t seq, uint32_t seat)
{
	return seq << 16 | (seat + 1);
}

static inline uint32_t line_tag_seat(uint64_t tag)
{
	return (uint32_t)(tag & 0xffff) - 1;
}

static inline uint64_t line_tag_seq(uint64_t tag)
{
	return tag >> 16;
}

static inline uint64_t line_pointers_word(struct line_pointers s)
{
	return (uint64_t)line_ticket_word(s.valid) << 32 |
	       line_ticket_word(s.issue);
}

static inline struct line_pointers line_pointers(uint64_t w)
{
	return (struct line_pointers){ line_ticket((uint32_t)w),
				       line_ticket((uint32_t)(w >> 32)) };
}

static inline uint64_t line_seat_state(struct line_seat c)
{
	return c.seq << 8 | (uint64_t)(c.dead != 0) << 3 | c.phase;
}

static inline uint64_t line_seat_load(struct line_seat c)
{
	return (uint64_t)c.slot << 32 | c.ticket;
}

static inline struct line_seat line_seat(uint64_t state, uint64_t load)
{
	return (struct line_seat){
		.seq = state >> 8,
		.phase = state & 7,
		.dead = state >> 3 & 1,
		.ticket = (uint32_t)load,
		.slot = (uint32_t)(load >> 32),
	};
}

static inline int line_is_valid(uint64_t s, uint32_t ticket)
{
	struct line_pointers p = line_pointers(s);

	return ticket_is_valid(line_ticket(ticket), p.issue, p.valid,
			       ticket_leads(p.valid, p.issue));
}

/*
 * The pointer after a, where b is the other; a block has m tickets.  Only if
 * line_needs_colour says so is new_colour looked at.
 */
static inline int line_needs_colour(struct ticket a, struct ticket b,
				    uint32_t m)
{
	return a.value == m - 1 && ticket_leads(a, b);
}

static inline struct ticket line_next(struct ticket a, struct ticket b,
				      uint32_t m, uint32_t new_colour)
{
	if (a.value < m - 1)
		return (struct ticket){ a.value + 1, a.colour };
	return (struct ticket){ 0, ticket_leads(a, b) ? new_colour : b.colour };
}

/* The line before anybody came: k tickets are valid, one a slot. */
static inline struct line_pointers line_start(uint32_t k, uint32_t m)
{
	return (struct line_pointers){ .valid = { k % m, k / m } };
}

static inline struct ticket line_start_slot(uint32_t slot, uint32_t m)
{
	return (struct ticket){ (slot + 1) % m, (slot + 1) / m };
}

#endif
