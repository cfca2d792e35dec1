/* SPDX-License-Identifier: MIT */
/*
 * names - tickets, which are long names, and the short names of tickets; and how many
 * there are of everything, on which they depend.
 */
#ifndef WICKET_SHORT_NAMES_NAMES_H
#define WICKET_SHORT_NAMES_NAMES_H

#include "algo/short-names/lists.h"

enum {
	SLOTS_MAX = 5,
	ROBUSTNESS_MAX = 3,
	COLOURS_MAX = 16,
	EXPOSED_MAX = 11,
	NONE = COLOURS_MAX, /* no colour: the entry is empty */
};

static inline uint32_t exposed_max(const struct wicket_cfg *c)
{
	return c->variant == LEAST ? c->k + 1 : 2 * c->k + 2 * c->r - 1;
}

static inline uint32_t hidden_max(const struct wicket_cfg *c)
{
	uint32_t waiting = exposed_max(c) - c->k; /* the others may be empty */

	return c->n > waiting ? c->n - waiting : 0;
}

static inline uint32_t colours(const struct wicket_cfg *c)
{
	uint32_t less = c->mutant == FEW_COLOURS ? 2 :
			c->mutant == ONE_LESS	 ? 1 :
						   0;

	return exposed_max(c) + c->r + 3 - less;
}

static inline uint32_t colour_bits(const struct wicket_cfg *c)
{
	return wicket_bits(colours(c));
}

static inline uint32_t number_bits(const struct wicket_cfg *c)
{
	return wicket_bits(c->n);
}

static inline uint32_t ticket_bits(const struct wicket_cfg *c)
{
	return colour_bits(c) + number_bits(c);
}

/* So many tickets of one colour have short names of their own. */
static inline uint32_t few(const struct wicket_cfg *c)
{
	return supervisor_few(c);
}

/* Else the colour alone is the name. */
static inline int names_have_bits(const struct wicket_cfg *c)
{
	return few(c) > 1;
}

static inline const char *refuse(const struct wicket_cfg *c)
{
	return c->r > ROBUSTNESS_MAX ? "short-names has room for r up to 3" :
	       c->k > SLOTS_MAX || colours(c) > COLOURS_MAX ?
				       "short-names has room for 16 colours" :
	       c->n > WORKERS_MAX ? "short-names has room for 15 workers" :
				    0;
}

struct ticket {
	uint32_t colour, number;
};

/* As it is sent, bit by bit. */
static inline uint32_t code_of(const struct wicket_cfg *c, struct ticket t)
{
	return t.number << colour_bits(c) | t.colour;
}

static inline struct ticket ticket_of(const struct wicket_cfg *c, uint64_t code)
{
	uint32_t width = colour_bits(c);

	return (struct ticket){ (uint32_t)code & ((1u << width) - 1),
				(uint32_t)code >> width };
}

static inline int is_same(struct ticket a, struct ticket b)
{
	return a.colour == b.colour && a.number == b.number;
}

struct entry {
	uint32_t colour; /* or NONE */
	uint32_t position, bit;
};

static inline struct entry short_name(const struct wicket_cfg *c,
				      struct ticket t, uint32_t position)
{
	uint32_t bit = names_have_bits(c) ? t.number >> position & 1 : 0;

	return (struct entry){ t.colour, position, bit };
}

static inline int names(const struct wicket_cfg *c, struct entry e,
			struct ticket t)
{
	return e.colour == t.colour &&
	       e.bit == short_name(c, t, e.position).bit;
}

/* Sets of colours. */
static inline uint32_t just(uint32_t colour)
{
	return 1u << colour;
}

static inline int is_in(uint32_t set, uint32_t colour)
{
	return set >> colour & 1;
}

static inline uint32_t least_free(uint32_t used)
{
	return (uint32_t)__builtin_ctz(~used);
}

#endif
