/* SPDX-License-Identifier: MIT */
/* helpers - the network, the clock, and those who reap or resize. */
#ifndef WICKET_CLUSTER_HELPERS_H
#define WICKET_CLUSTER_HELPERS_H

#include "algo/cluster/requests.h"

/* The helpers of each client: where nothing is late, only its patience. */
static inline uint32_t per_client(const struct wicket_cfg *c)
{
	return c->variant == NEARSIGHTED ? 1 : 4;
}

/* Which of those, or of the others, and of whom. */
static inline uint32_t helper_of(const struct wicket_cfg *c,
				 struct wicket_proc me)
{
	uint32_t h = me.self - 1 - c->n, theirs = per_client(c) * c->n;

	return h < theirs ? h / per_client(c) : h - theirs;
}

static inline void hush(const struct wicket_cfg *c, struct client *p)
{
	if (c->variant > SIMPLE && c->variant != NEARSIGHTED)
		return;
	if (p->awaits && c->variant != NEARSIGHTED) {
		p->awaits = NOWHERE;
		p->reply = SILENCE;
		forget_request(p);
	} else if (gives_up(c) && (p->reply || p->phase == WAITS || p->mail)) {
		p->impatient = 1;
	}
}

static inline uint8_t less_one(uint8_t x)
{
	return (uint8_t)(x ? x - 1 : 0);
}

/* Not while somebody is inside who must be out by then: it leaves in time. */
static inline void tick(const struct wicket_cfg *c, struct world *x)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (x->client[i].inside && x->client[i].left == 1)
			return;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		struct client *p = &x->client[i];

		p->lease = less_one(p->lease);
		p->left = less_one(p->left);
		p->sent = less_one(p->sent);
	}
}

static inline uint16_t help(const struct wicket_cfg *c, struct world *x,
			    struct wicket_proc me)
{
	uint32_t i = helper_of(c, me);
	struct client *p = &x->client[i < c->n ? i : 0];

	switch (me.pc) {
	case DELIVER_FIRST:
		deliver(c, x, i, FIRST, 0);
		break;
	case DELIVER_TWICE:
		deliver(c, x, i, FIRST, 1);
		break;
	case DELIVER_SECOND:
		deliver(c, x, i, SECOND, 0);
		break;
	case HUSH:
		hush(c, p);
		break;
	case REAP:
		reap(c, x);
		break;
	case RESIZE:
		resize(c, x);
		break;
	case CROWD:
		x->crowded ^= 1;
		break;
	case TICK:
		tick(c, x);
		break;
	case KEEPALIVE_SEND:
		p->sent = TTL;
		return KEEPALIVE_COMMIT;
	case KEEPALIVE_COMMIT:
		if (p->live && p->sent) /* else it is of an earlier lease, or
					   so late that it helps nobody */
			p->lease = TTL;
		return KEEPALIVE_REPLY;
	case KEEPALIVE_REPLY:
		if (c->mutant == DEADLINE_FROM_REPLY)
			p->sent = TTL;
		/* one of a lease that has ended since changes nothing */
		if (p->live && p->sent > p->left)
			p->left = p->sent;
		p->sent = 0;
		return KEEPALIVE_SEND;
	}
	return me.pc;
}

/* Its lease ends: its requests fail from now on. */
static inline void end_lease(const struct wicket_cfg *c, struct client *p)
{
	if (c->variant == TIMED && p->lease)
		return;
	p->live = p->first_fresh = p->second_fresh = 0;
	p->sent = 0; /* no keepalive of it is under way any more */
	forget_request(p);
}

#endif
