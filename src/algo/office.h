/* SPDX-License-Identifier: MIT */
/*
 * office - where colored tickets are issued, validated and counted: what the
 * Colored Ticket Algorithms of 1989 and of 1979 share.
 *
 * Source   FLBB 1989, Figs. 6, 7 and section 2.4; FLBB 1979, Theorem 4.2.
 * Value    ISSUE     the ticket last issued, (value, colour)
 *          VALID     the ticket last validated
 *          QUANT[c]  how many valid tickets have colour c, c in 0..k; between
 *                    0 and k, but for mutants, where it is any integer
 *          the stack of colored:stack, else 0
 * O1       QUANT counts the valid tickets: those held and those still to be
 *          issued.  In all there are k.
 * O2       no two processes in T hold the same ticket.
 * O3       VALID is k - holders tickets ahead of ISSUE, and they are of one
 *          colour iff no block ends between them.
 * O4       what NEW_COLOR gives to a pointer that needs it is the colour of no
 *          ticket that is held or valid.
 * O5       QUANT[VALID.COLOR] > 0: VALID itself is valid, for whoever discards
 *          a ticket has moved VALID on before.  So once VALID is known there
 *          are C(2k-1,k) values of QUANT and not C(2k,k).
 *
 * The invariants are decided by counting who holds what, never by LEADS.
 */
#ifndef WICKET_OFFICE_H
#define WICKET_OFFICE_H

#include "algo/ticket.h"

enum { COLOURS_MAX = WICKET_PROCS_MAX };

struct office {
	struct ticket issue, valid;
	uint64_t stack;
	int8_t quant[COLOURS_MAX];
};

/* Half a word: value and colour are less than 17. */
static inline uint64_t office_half(struct ticket t)
{
	return (uint64_t)t.colour << 16 | t.value;
}

static inline struct ticket office_pointer(uint64_t half)
{
	return (struct ticket){ half & 0xffff, half >> 16 & 0xffff };
}

static inline struct office office_unpack(struct wicket_value v)
{
	struct office o = {
		.issue = office_pointer(v.w[0]),
		.valid = office_pointer(v.w[0] >> 32),
		.stack = v.w[1],
	};

	for (int c = 0; c < COLOURS_MAX; c++)
		o.quant[c] = (int8_t)(v.w[2 + c / 8] >> c % 8 * 8);
	return o;
}

static inline struct wicket_value office_pack(struct office o)
{
	struct wicket_value v = {
		{ office_half(o.issue) | office_half(o.valid) << 32, o.stack }
	};

	for (int c = 0; c < COLOURS_MAX; c++)
		v.w[2 + c / 8] |= (uint64_t)(uint8_t)o.quant[c] << c % 8 * 8;
	return v;
}

/* Fig. 6; last, of which mutants only may find it taken. */
static inline uint32_t office_free_colour(struct office o, uint32_t last)
{
	uint32_t colour = 0;

	while (colour < last && o.quant[colour] > 0)
		colour++;
	return colour;
}

/* (i,v,q) -> (i,next,q + [next] - [old]) */
static inline struct office office_exchange(struct office o, struct ticket next,
					    uint32_t old)
{
	o.valid = next;
	o.quant[next.colour]++;
	o.quant[old]--;
	return o;
}

/*
 * What there is to be seen without looking at QUANT: the tickets of each
 * colour that are held or valid, those that are valid, and how far VALID is
 * ahead of ISSUE.
 */
struct survey {
	int32_t ahead;
	int32_t used[COLOURS_MAX], valid[COLOURS_MAX];
};

/* A block has m tickets; leads: whether VALID leads ISSUE. */
static inline struct survey office_survey(const struct wicket_cfg *c,
					  struct office o, uint32_t m,
					  int leads,
					  const struct wicket_proc *procs)
{
	struct survey s = { .ahead = (int32_t)c->k };

	for (uint32_t j = 0; j < c->n; j++) {
		struct ticket t = word_ticket(procs[j].local[0]);

		if (procs[j].pc == WICKET_FROM_R)
			continue;
		s.ahead--;
		s.used[t.colour]++;
		s.valid[t.colour] += procs[j].pc == WICKET_FROM_C ||
				     ticket_is_valid(t, o.issue, o.valid,
						     leads);
	}
	for (int32_t t = 1; t <= s.ahead; t++) { /* still to be issued */
		uint32_t colour = o.issue.value + (uint32_t)t < m ?
					  o.issue.colour :
					  o.valid.colour;

		s.used[colour]++;
		s.valid[colour]++;
	}
	return s;
}

static inline int office_o1(struct office o, struct survey s)
{
	int equal = 1;

	for (int c = 0; c < COLOURS_MAX; c++)
		equal &= s.valid[c] == o.quant[c];
	return equal;
}

static inline int office_o2(const struct wicket_cfg *c,
			    const struct wicket_proc *procs)
{
	for (uint32_t j = 0; j < c->n; j++) {
		for (uint32_t h = 0; h < j; h++) {
			if (procs[j].pc == WICKET_FROM_T &&
			    procs[h].pc == WICKET_FROM_T &&
			    procs[h].local[0] == procs[j].local[0])
				return 0;
		}
	}
	return 1;
}

static inline int office_o3(struct office o, struct survey s, uint32_t m)
{
	int32_t to = (int32_t)o.issue.value + s.ahead, block = (int32_t)m;

	return (to + block) % block == (int32_t)o.valid.value &&
	       (o.issue.colour == o.valid.colour) == (to >= 0 && to < block);
}

/* a: a pointer; leads: whether it leads the other. */
static inline int office_o4(struct survey s, struct ticket a, uint32_t m,
			    int leads, uint32_t new_colour)
{
	return !ticket_needs_colour(a, m, leads) || !s.used[new_colour];
}

static inline int office_o5(struct office o)
{
	return o.quant[o.valid.colour] > 0;
}

/* FLBB 1989, section 2.4: C(2k,k) ((k+1)m)^2 */
static inline uint64_t office_bound(uint32_t k, uint32_t m)
{
	uint64_t quants = 1, pointer = (uint64_t)(k + 1) * m;

	for (uint32_t j = 1; j <= k; j++)
		quants = quants * (k + j) / j;
	return wicket_times(quants, wicket_times(pointer, pointer));
}

/* first: the number of the first ticket of a block. */
static inline void office_show_step(struct wicket_proc p, uint32_t first,
				    struct wicket_text *t)
{
	struct ticket ticket = word_ticket(p.local[0]);

	switch (p.pc) {
	case WICKET_FROM_R:
		wicket_put(t, "take");
		break;
	case WICKET_FROM_T:
		ticket.value += first;
		wicket_put(t, "test ");
		ticket_show(t, ticket);
		break;
	case WICKET_FROM_C:
		wicket_put(t, "discard colour ");
		wicket_put_number(t, ticket.colour);
		break;
	}
}

static inline void office_show(struct office o, uint32_t k, uint32_t first,
			       struct wicket_text *t)
{
	o.issue.value += first;
	o.valid.value += first;
	ticket_show_pointers(t, o.issue, o.valid);
	wicket_put(t, " QUANT=");
	for (uint32_t colour = 0; colour <= k; colour++) {
		wicket_put_char(t, colour ? ' ' : '[');
		wicket_put_number(t, o.quant[colour]);
	}
	wicket_put_char(t, ']');
}

#endif
