/* SPDX-License-Identifier: MIT */
/*
 * layout - the shared variable: what is in it, how it is packed, and how many values
 * it has.
 */
#ifndef WICKET_SHORT_NAMES_LAYOUT_H
#define WICKET_SHORT_NAMES_LAYOUT_H

#include "algo/bits.h"
#include "algo/short-names/names.h"

/* Up: bits of the ticket that a worker has; down: of the one that it gets. */
enum channel { IDLE, UP_0, UP_1, NEXT, DOWN_0, DOWN_1, TAKEN, FAREWELL };

struct office {
	uint32_t length; /* of exposed */
	struct entry exposed[EXPOSED_MAX];
	uint32_t quitter, inside;
	uint32_t issue, issued;
	uint32_t asked; /* a set of colours */
	uint32_t channel[ROBUSTNESS_MAX];
};

/* Of the fields, in the order in which they are packed. */
struct widths {
	uint32_t length, colour, position, bit, quitter, inside, issue, issued,
		asked, channel;
};

static inline struct widths widths_of(const struct wicket_cfg *c)
{
	uint32_t bit = (uint32_t)names_have_bits(c);

	return (struct widths){
		.length = wicket_bits(exposed_max(c) + 1),
		.colour = wicket_bits(colours(c) + 1),
		.position = bit ? wicket_bits(number_bits(c)) : 0,
		.bit = bit,
		.quitter = 1,
		.inside = wicket_bits(c->k + 1),
		.issue = colour_bits(c),
		.issued = wicket_bits(c->n + 1),
		.asked = colours(c),
		.channel = wicket_bits(FAREWELL + 1),
	};
}

static inline struct wide office_bits(const struct wicket_cfg *c,
				      const struct office *o)
{
	struct widths width = widths_of(c);
	struct wide b = { 0 };

	wide_put(&b, o->length, width.length);
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		struct entry e = { 0, 0, 0 };

		if (i < o->length)
			e = o->exposed[i];
		wide_put(&b, e.colour == NONE ? colours(c) : e.colour,
			 width.colour);
		wide_put(&b, e.position, width.position);
		wide_put(&b, e.bit, width.bit);
	}
	wide_put(&b, o->quitter, width.quitter);
	wide_put(&b, o->inside, width.inside);
	wide_put(&b, o->issue, width.issue);
	wide_put(&b, o->issued, width.issued);
	wide_put(&b, o->asked, width.asked);
	for (uint32_t t = 0; t < c->r; t++)
		wide_put(&b, o->channel[t], width.channel);
	return b;
}

static inline struct wicket_value pack(const struct wicket_cfg *c,
				       const struct office *o)
{
	struct wide b = office_bits(c, o);

	return (struct wicket_value){ { b.w[0], b.w[1], b.w[2] } };
}

static inline struct office unpack(const struct wicket_cfg *c,
				   struct wicket_value v)
{
	struct widths width = widths_of(c);
	struct wide b = { .w = { v.w[0], v.w[1], v.w[2] } };
	struct office o;

	o.length = wide_take(&b, width.length);
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		uint32_t colour = wide_take(&b, width.colour);

		o.exposed[i].colour = colour == colours(c) ? NONE : colour;
		o.exposed[i].position = wide_take(&b, width.position);
		o.exposed[i].bit = wide_take(&b, width.bit);
	}
	o.quitter = wide_take(&b, width.quitter);
	o.inside = wide_take(&b, width.inside);
	o.issue = wide_take(&b, width.issue);
	o.issued = wide_take(&b, width.issued);
	o.asked = wide_take(&b, width.asked);
	for (uint32_t t = 0; t < c->r; t++)
		o.channel[t] = wide_take(&b, width.channel);
	return o;
}

static inline struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = { 0 };

	(void)r;
	return (struct wicket_register){ .start = pack(c, &o) };
}

static inline uint32_t bits(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = { 0 };

	(void)r;
	return office_bits(c, &o).used;
}

/* O(n log^c n) for fixed k and r, where c is 2k+2r-1 if names have bits. */
static inline uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t colour = colours(c);
	uint64_t name = names_have_bits(c) ? 2 * number_bits(c) : 1;
	uint64_t values = (c->n + 1) * colour * (c->k + 1) * 2;
	uint64_t exposed = 1;

	/* of each length: every entry a name, or empty */
	for (uint32_t i = 0; i < exposed_max(c); i++) {
		exposed = wicket_times(exposed, colour * name + 1);
		exposed += !!exposed;
	}
	values = wicket_times(values, exposed);
	values = wicket_times(values, (uint64_t)1 << colour);
	return wicket_times(values, (uint64_t)1 << 3 * c->r);
}

/* Where a ticket is exposed; else the length. */
static inline uint32_t place_of(const struct wicket_cfg *c,
				const struct office *o, struct ticket t)
{
	uint32_t i = 0;

	while (i < o->length && !names(c, o->exposed[i], t))
		i++;
	return i;
}

/* The first entry of that colour, which may be NONE; else the length. */
static inline uint32_t first_of(const struct office *o, uint32_t colour)
{
	uint32_t i = 0;

	while (i < o->length && o->exposed[i].colour != colour)
		i++;
	return i;
}

static inline uint32_t exposed_colours(const struct office *o)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < o->length; i++)
		set |= just(o->exposed[i].colour);
	return set & ~just(NONE);
}

#endif
