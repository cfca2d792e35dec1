/* SPDX-License-Identifier: MIT */
/* requests - what is under way to the store, and back. */
#ifndef WICKET_CLUSTER_REQUESTS_H
#define WICKET_CLUSTER_REQUESTS_H

#include "algo/cluster/store.h"

static inline void send(const struct wicket_cfg *c, struct client *p,
			enum op op)
{
	int knows_seat = p->knows_seat ||
			 (c->mutant == SEAT_NOT_COMPARED && compares_w(op)) ||
			 (c->mutant == RESOLVE_BY_READING && op == RESOLVE);
	uint8_t fresh = p->live && knows_seat &&
			(p->knows_w || !compares_w(op));

	if (p->first == NONE) {
		p->first = (uint8_t)op;
		p->first_fresh = fresh;
		p->awaits = FIRST;
	} else { /* what was there gets lost */
		p->second = (uint8_t)op;
		p->second_fresh = fresh;
		p->awaits = SECOND;
	}
	p->reply = NOTHING;
}

static inline void deliver(const struct wicket_cfg *c, struct world *x,
			   uint32_t i, enum way way, int again)
{
	struct client *p = &x->client[i];
	enum op op = way == FIRST ? p->first : p->second;
	int fresh = way == FIRST ? p->first_fresh : p->second_fresh;
	int awaited = p->awaits == way;

	if (op == NONE)
		return;
	if (fresh)
		commit(c, x, i, op);
	if (awaited) {
		p->awaits = NOWHERE;
		p->reply = fresh ? DONE : REFUSED;
		p->reply_phase = p->phase;
		p->reply_knows_w = p->reply_knows_seat = 1;
	}
	if (way == FIRST && !again) {
		p->first = NONE;
		p->first_fresh = 0;
	} else if (way == SECOND) {
		p->second = NONE;
		p->second_fresh = 0;
	}
	forget_request(p);
}

/* The client reads its reply. */
static inline enum reply receive(struct client *p)
{
	enum reply reply = p->reply;

	if (reply == DONE || reply == REFUSED) {
		p->knows_w = p->reply_knows_w;
		p->knows_seat = p->reply_knows_seat;
	}
	p->reply = NOTHING;
	p->reply_knows_w = p->reply_knows_seat = 0;
	return reply;
}

/* Nearsighted: carried out and answered in one step, as if it had been sent again and
   again until nothing came between. */
static inline void deliver_at_once(const struct wicket_cfg *c, struct world *x,
				   uint32_t i)
{
	struct client *p = &x->client[i];

	p->first_fresh = p->live;
	deliver(c, x, i, FIRST, 0);
	p->reply_knows_w = p->reply_knows_seat =
		0; /* it reads before it asks */
}

#endif
