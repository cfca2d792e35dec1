/* SPDX-License-Identifier: MIT */
/* process - what nobody else can see: a worker's ticket, and what the supervisor keeps. */
#ifndef WICKET_SHORT_NAMES_PROCESS_H
#define WICKET_SHORT_NAMES_PROCESS_H

#include "algo/short-names/layout.h"

/* Of a worker: its ticket; of a conversation 1 + its channel, how many bits have gone
   up and come down, and those that have come. */
enum local { TICKET, TALK, PROGRESS, NEWS };

static inline struct ticket held(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	return ticket_of(c, p.local[TICKET]);
}

/* Where it is exposed; else the length. */
static inline uint32_t place(const struct wicket_cfg *c, const struct office *o,
			     struct wicket_proc p)
{
	return place_of(c, o, held(c, p));
}

struct own {
	uint32_t length; /* of hidden */
	struct ticket hidden[WICKET_PROCS_MAX];
	uint32_t counted;
	uint32_t one, two; /* colours of the round */
	struct {
		uint32_t code, progress;
	} talk[ROBUSTNESS_MAX];
};

static inline struct wide own_bits(const struct wicket_cfg *c,
				   const struct own *own)
{
	uint32_t most = hidden_max(c);
	/* a mutant may hide one too many, who is lost */
	uint32_t length = own->length < most ? own->length : most;
	uint32_t width = ticket_bits(c);
	struct wide b = { 0 };

	wide_put(&b, length, wicket_bits(most + 1));
	for (uint32_t i = 0; i < most; i++)
		wide_put(&b, i < own->length ? code_of(c, own->hidden[i]) : 0,
			 width);
	wide_put(&b, own->counted, wicket_bits(c->n + 1));
	wide_put(&b, own->one, colour_bits(c));
	wide_put(&b, own->two, colour_bits(c));
	for (uint32_t t = 0; t < c->r; t++) {
		wide_put(&b, own->talk[t].code, width);
		wide_put(&b, own->talk[t].progress, wicket_bits(2 * width));
	}
	return b;
}

static inline struct own own_of(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	uint32_t width = ticket_bits(c);
	struct wide b = { .w = { p.local[0], p.local[1], p.local[2] } };
	struct own own;

	own.length = wide_take(&b, wicket_bits(hidden_max(c) + 1));
	for (uint32_t i = 0; i < hidden_max(c); i++)
		own.hidden[i] = ticket_of(c, wide_take(&b, width));
	own.counted = wide_take(&b, wicket_bits(c->n + 1));
	own.one = wide_take(&b, colour_bits(c));
	own.two = wide_take(&b, colour_bits(c));
	for (uint32_t t = 0; t < c->r; t++) {
		own.talk[t].code = wide_take(&b, width);
		own.talk[t].progress = wide_take(&b, wicket_bits(2 * width));
	}
	return own;
}

static inline void keep(const struct wicket_cfg *c, struct wicket_proc *p,
			const struct own *own)
{
	struct wide b = own_bits(c, own);

	for (uint32_t i = 0; i < WIDE_WORDS; i++)
		p->local[i] = b.w[i];
}

/* All whom the workers cannot see, counted by him or not. */
static inline uint32_t all_hidden(const struct office *o, const struct own *own)
{
	return own->length + o->issued - own->counted;
}

/* How many of hidden have one of these colours. */
static inline uint32_t count_hidden(const struct own *own, uint32_t set)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < own->length; i++)
		sum += (uint32_t)is_in(set, own->hidden[i].colour);
	return sum;
}

static inline uint32_t hidden_colours(const struct own *own)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < own->length; i++)
		set |= just(own->hidden[i].colour);
	return set;
}

/* No other colour has a holder: N5. */
static inline uint32_t used_colours(const struct wicket_cfg *c,
				    const struct office *o,
				    const struct own *own)
{
	uint32_t hidden = c->mutant == COLOUR_IN_USE ? 0 : hidden_colours(own);

	return exposed_colours(o) | hidden | just(o->issue);
}

/* Where a ticket is in hidden; it is there. */
static inline uint32_t index_of(const struct own *own, struct ticket t)
{
	uint32_t i = 0;

	while (i + 1 < own->length && !is_same(own->hidden[i], t))
		i++;
	return i;
}

#endif
