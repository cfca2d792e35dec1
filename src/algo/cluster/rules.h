/* SPDX-License-Identifier: MIT */
/*
 * rules - what one transaction does to a line that is kept in a store.  The model
 * (src/algo/cluster.c) and the library (src/cluster) run these very functions.
 *
 * Source   FLBB 1989, Fig. 4: tickets (value, colour), with colours that are counted up
 *          for ever.  A request for u units is u processes of the paper that act
 *          together: it takes u tickets in a row, is enabled when the last of them is
 *          valid, and discards them all.
 * W        k, how many slots are open; ISSUE and VALID, the ticket last issued and the
 *          one last validated; held, the slots that are held.
 * Line     the requests that wait, in the order of their tickets.  The front is the
 *          ticket before the first of theirs, or ISSUE if nobody waits.  A ticket up
 *          to the front belongs to somebody who holds slots, or who has gone.
 * Spare    the valid tickets behind the front: those still to be issued, or those that
 *          the first in line has got together so far.  held + spare <= k, unless k has
 *          been made less.
 */
#ifndef WICKET_CLUSTER_RULES_H
#define WICKET_CLUSTER_RULES_H

#include "algo/ticket.h"

enum {
	RULES_SLOTS_MAX = 512,
	RULES_SET = RULES_SLOTS_MAX / 64, /* words of a set of them */
};

struct rules_w {
	uint32_t k;
	uint32_t m;	/* tickets of a block: fewer may wait */
	uint32_t taken; /* how many slots are held */
	struct ticket issue, valid;
	uint64_t held[RULES_SET];
};

/* One that waits: the tickets after before, up to last. */
struct rules_request {
	struct ticket before, last;
	uint32_t units;
};

static inline struct ticket rules_next(const struct rules_w *w, struct ticket t)
{
	struct ticket none = { 0, 0 };

	/* whoever ends a block leads, and the next colour is new */
	return ticket_next(t, none, w->m, 1, t.colour + 1);
}

static inline uint64_t rules_number(const struct rules_w *w, struct ticket t)
{
	return (uint64_t)t.colour * w->m + t.value;
}

static inline struct ticket rules_ticket(const struct rules_w *w,
					 uint64_t number)
{
	return (struct ticket){ (uint32_t)(number % w->m),
				(uint32_t)(number / w->m) };
}

static inline struct rules_request rules_request_of(const struct rules_w *w,
						    struct ticket last,
						    uint32_t units)
{
	return (struct rules_request){
		.before = rules_ticket(w, rules_number(w, last) - units),
		.last = last,
		.units = units,
	};
}

/* By numbers, since no colour comes back: L1 of ticket.h does not hold, for while one
   waits, others can take tickets and give up without end. */
static inline int rules_is_valid(const struct rules_w *w, struct ticket t)
{
	return rules_number(w, t) <= rules_number(w, w->valid);
}

static inline int rules_is_held(const struct rules_w *w, uint32_t slot)
{
	return w->held[slot / 64] >> slot % 64 & 1;
}

/* The lowest slots that are free, as a set.  False, and nothing has changed: there are
   fewer, which the tickets say cannot be; but what is kept in a store may be anything. */
static inline int rules_hold(struct rules_w *w, uint32_t units,
			     uint64_t slots[RULES_SET])
{
	uint32_t end = w->taken + units;

	if (end > RULES_SLOTS_MAX)
		return 0;
	for (uint32_t i = 0; i < RULES_SET; i++)
		slots[i] = 0;
	for (uint32_t s = 0; s < RULES_SLOTS_MAX && w->taken < end; s++) {
		if (rules_is_held(w, s))
			continue;
		w->held[s / 64] |= 1ULL << s % 64;
		slots[s / 64] |= 1ULL << s % 64;
		w->taken++;
	}
	return 1;
}

static inline void rules_let_go(struct rules_w *w, uint32_t units,
				const uint64_t slots[RULES_SET])
{
	for (uint32_t i = 0; i < RULES_SET; i++)
		w->held[i] &= ~slots[i];
	w->taken -= units;
}

/*
 * Takes the tickets of a request.  True: the last of them is valid, and it holds the
 * slots.  False: it is the last in line.
 */
static inline int rules_take(struct rules_w *w, uint32_t units,
			     struct rules_request *r, uint64_t slots[RULES_SET])
{
	r->before = w->issue;
	for (uint32_t i = 0; i < units; i++)
		w->issue = rules_next(w, w->issue);
	r->last = w->issue;
	r->units = units;
	return rules_is_valid(w, r->last) && rules_hold(w, units, slots);
}

/* Somebody has gone, or k is another: VALID up to where it can be, and no farther
   than to.  The tickets of those who have gone are discarded. */
static inline void rules_validate(struct rules_w *w, struct ticket front,
				  struct ticket to)
{
	uint64_t spare;

	if (rules_number(w, w->valid) < rules_number(w, front))
		w->valid = front;
	spare = rules_number(w, w->valid) - rules_number(w, front);
	while (w->taken + spare < w->k && !rules_is_valid(w, to)) {
		w->valid = rules_next(w, w->valid);
		spare++;
	}
}

/* The first in line.  True: it holds the slots, and is in line no longer. */
static inline int rules_serve(struct rules_w *w, const struct rules_request *r,
			      uint64_t slots[RULES_SET])
{
	rules_validate(w, r->before, r->last);
	return rules_is_valid(w, r->last) && rules_hold(w, r->units, slots);
}

/* Nobody is in line: what is free is ahead of ISSUE, and if that is more than is
   open, the rest is issued to nobody. */
static inline void rules_stock(struct rules_w *w)
{
	uint64_t valid = rules_number(w, w->valid), issue, most;

	if (valid < rules_number(w, w->issue))
		w->valid = w->issue;
	valid = rules_number(w, w->valid);
	issue = rules_number(w, w->issue);
	most = w->k > w->taken ? w->k - w->taken : 0;
	if (valid - issue < most)
		w->valid = rules_ticket(w, issue + most);
	else
		w->issue = rules_ticket(w, valid - most);
}

#endif
