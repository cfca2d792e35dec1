/* SPDX-License-Identifier: MIT */
/*
 * watch - whom a sleeper watches (variant watched).
 *
 * During a scan PLACES says of each seat, in four bits, how far ahead its living
 * owner is: 0 not at all, HOLDS inside, else so many places in line.  The first
 * in line watches all who are inside, the others the one right before them.
 */
#ifndef WICKET_RECOVERABLE_WATCH_H
#define WICKET_RECOVERABLE_WATCH_H

#include "algo/recoverable/process.h"

enum { HOLDS = 15 };

static inline uint64_t place_of(uint64_t places, uint32_t i)
{
	return places >> 4 * i & 15;
}

/* Seat s, whose owner lives, was read: how far ahead is it? */
static inline uint64_t place_ahead(const struct wicket_cfg *c,
				   struct wicket_proc p, struct line_seat s)
{
	uint32_t ticket = line_payload_ticket(s.payload), m = block(c);
	uint64_t w = p.local[LOOKED];
	uint32_t mine = line_position(w, (uint32_t)p.local[TICKET], m);

	switch (line_phase(s.state)) {
	case LINE_RELEASING:
	case LINE_RELEASED:
	case LINE_OPENING:
		return HOLDS;
	case LINE_HAVE:
		if (line_is_valid(w, ticket))
			return HOLDS;
		return line_position(w, ticket, m) < mine ?
			       mine - line_position(w, ticket, m) :
			       0;
	default:
		return 0;
	}
}

static inline uint64_t watched(const struct wicket_cfg *c, uint64_t places)
{
	uint64_t set = 0, nearest = HOLDS;

	for (uint32_t i = 0; i < seats(c); i++) {
		uint64_t place = place_of(places, i);

		if (!place || place > nearest)
			continue;
		if (place < nearest)
			set = 0;
		nearest = place;
		set |= (uint64_t)1 << bell_reg(c, i);
	}
	return set;
}

#endif
