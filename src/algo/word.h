/* SPDX-License-Identifier: MIT */
/*
 * word - the Colored Ticket Algorithm (algo/colored.c) in one 64-bit word.
 *
 * Word     from the lowest bit on: VALID's value and colour, QUANT[0..k],
 *          ISSUE's value and colour, each in as many bits as it needs, with
 *          M = 1 + max(k, n - k).  VALID lies in the lower half, on which the
 *          kernel can wait.
 * Ticket   value, colour above it, as in the word.
 * Limit    2 (value bits + colour bits) + (k + 1) count bits <= 64: k <= 11.
 *          A dense code would reach C(2k,k) ((k+1) M)^2 <= 2^64.
 */
#ifndef WICKET_WORD_H
#define WICKET_WORD_H

#include "algo/ticket.h"

struct word_shape {
	uint64_t value_mask, valid_mask;
	uint32_t k, n, m;
	uint8_t value_bits; /* of a value; a colour and a count have as many */
	uint8_t colour_bits;
	uint8_t quant, issue; /* where they begin */
};

/* Returns the bits that are needed in all; 64 or less: s is the shape. */
static inline uint32_t word_shape(struct word_shape *s, uint32_t k, uint32_t n)
{
	uint32_t m = 1 + ticket_tight_block(n, k);
	uint32_t value = wicket_bits(m), colour = wicket_bits(k + 1);
	uint32_t issue = value + colour + (k + 1) * colour;

	if (issue + value + colour <= 64)
		*s = (struct word_shape){
			.value_mask = ((uint64_t)1 << value) - 1,
			.valid_mask = ((uint64_t)1 << (value + colour)) - 1,
			.k = k,
			.n = n,
			.m = m,
			.value_bits = (uint8_t)value,
			.colour_bits = (uint8_t)colour,
			.quant = (uint8_t)(value + colour),
			.issue = (uint8_t)issue,
		};
	return issue + value + colour;
}

static inline struct ticket word_ticket_of(const struct word_shape *s,
					   uint64_t t)
{
	return (struct ticket){ (uint32_t)(t & s->value_mask),
				(uint32_t)(t >> s->value_bits) };
}

static inline uint64_t word_ticket_bits(const struct word_shape *s,
					struct ticket t)
{
	return (uint64_t)t.colour << s->value_bits | t.value;
}

/* ISSUE has nothing above it, VALID nothing below. */
static inline uint64_t word_issue(const struct word_shape *s, uint64_t w)
{
	return w >> s->issue;
}

static inline uint64_t word_valid(const struct word_shape *s, uint64_t w)
{
	return w & s->valid_mask;
}

static inline uint64_t word_one(const struct word_shape *s, uint32_t colour)
{
	return (uint64_t)1 << (s->quant + colour * s->colour_bits);
}

static inline uint32_t word_quant(const struct word_shape *s, uint64_t w,
				  uint32_t colour)
{
	return (uint32_t)(w >> (s->quant + colour * s->colour_bits) &
			  (((uint64_t)1 << s->colour_bits) - 1));
}

static inline uint32_t word_new_colour(const struct word_shape *s, uint64_t w)
{
	uint32_t colour = 0;

	while (colour < s->k && word_quant(s, w, colour))
		colour++;
	return colour;
}

/* The ticket after a, where a is one pointer and b the other. */
static inline uint64_t word_next(const struct word_shape *s, uint64_t w,
				 uint64_t a, uint64_t b)
{
	struct ticket one = word_ticket_of(s, a), other = word_ticket_of(s, b);
	int leads;

	if (__builtin_expect(one.value != s->m - 1, 1))
		return a + 1;
	leads = ticket_leads(one, other);
	return word_ticket_bits(s,
				ticket_next(one, other, s->m, leads,
					    leads ? word_new_colour(s, w) : 0));
}

static inline uint64_t word_start(const struct word_shape *s)
{
	uint64_t w = word_ticket_bits(
		s, (struct ticket){ s->k % s->m, s->k / s->m });

	for (uint32_t t = 1; t <= s->k; t++)
		w += word_one(s, t / s->m);
	return w;
}

/* (i,v,q) -> (next i,v,q); the ticket is then ISSUE. */
static inline uint64_t word_take(const struct word_shape *s, uint64_t w)
{
	uint64_t issue = word_issue(s, w);

	return w +
	       ((word_next(s, w, issue, word_valid(s, w)) - issue) << s->issue);
}

/* (i,v,q) -> (i,next v,q + [v] - [t]) */
static inline uint64_t word_discard(const struct word_shape *s, uint64_t w,
				    uint64_t ticket)
{
	uint64_t valid = word_valid(s, w);
	uint64_t next = word_next(s, w, valid, word_issue(s, w));

	w += next - valid;
	if (__builtin_expect((next ^ ticket) <= s->value_mask, 1))
		return w; /* the same colour */
	return w + word_one(s, (uint32_t)(next >> s->value_bits)) -
	       word_one(s, (uint32_t)(ticket >> s->value_bits));
}

/* Does a lead b, or is it the same? */
static inline int word_leads(const struct word_shape *s, uint64_t a, uint64_t b)
{
	/* in one block, by less than M; near its end it takes longer to tell */
	return a - b < s->m ||
	       ticket_leads(word_ticket_of(s, a), word_ticket_of(s, b));
}

/* Has the ticket last validated been taken? */
static inline int word_has_heir(const struct word_shape *s, uint64_t w)
{
	uint64_t issue = word_issue(s, w), valid = word_valid(s, w);

	return valid - issue - 1 >= s->m - 1 && word_leads(s, issue, valid);
}

static inline int word_is_valid(const struct word_shape *s, uint64_t w,
				uint64_t ticket)
{
	uint64_t valid = word_valid(s, w);

	return valid - ticket < s->m ||
	       ticket_is_valid(word_ticket_of(s, ticket),
			       word_ticket_of(s, word_issue(s, w)),
			       word_ticket_of(s, valid),
			       word_leads(s, valid, word_issue(s, w)));
}

#endif
