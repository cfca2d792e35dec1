/* SPDX-License-Identifier: MIT */
/*
 * world - what there is outside the clients: the store, the requests that are under way
 * to it, the replies under way back, leases and clocks.  One register holds it all,
 * because one transaction changes any of it at once.
 *
 * A request compares revisions with those that its client knows.  Revisions never come
 * back, so of each request only one thing matters: whether all that it compares is still
 * as its client knew it.  It is fresh then, and once it is not, it fails for ever.  The
 * same is kept of what a client knows, and of what a reply tells it.
 */
#ifndef WICKET_CLUSTER_WORLD_H
#define WICKET_CLUSTER_WORLD_H

#include "algo/cluster/transaction.h"

enum { CLIENTS_MAX = 4, SLOTS_MAX = 3 };

/* Two requests of a client can be under way: one that it has given up, and another. */
enum way { NOWHERE, FIRST, SECOND };

/* X(field, bits) of a client */
#define CLIENT_FIELDS(X)                                                         \
	/* in the store */                                                       \
	X(live, 1) /* its lease */                                               \
	X(phase, 2)                                                              \
	X(value, 4) /* of its last ticket, if it waits */                        \
	X(colour, 2)                                                             \
	X(ask, 2)                                                                \
	X(asked, 2) /* so many have asked before it */                           \
	X(slots, 3) /* a set: what it holds, or thinks it holds */               \
	/* on the way: requests, the reply, the message that it was let in */    \
	X(first, 3)                                                              \
	X(first_fresh, 1)                                                        \
	X(second, 3)                                                             \
	X(second_fresh, 1)                                                       \
	X(awaits, 2) /* enum way: which one is to be answered */                 \
	X(reply, 2)                                                              \
	X(reply_phase, 2)                                                        \
	X(reply_knows_w, 1)                                                      \
	X(reply_knows_seat, 1)                                                   \
	X(impatient, 1) /* its own deadline has passed: it gives up */           \
	X(mail, 1)                                                               \
	/* what it knows is still so */                                          \
	X(knows_w, 1)                                                            \
	X(knows_seat, 1)                                                         \
	/* its fence: how many were granted a slot of its since; has one of   \
	   them written? */  \
	X(later, 2)                                                              \
	X(fenced, 1)                                                             \
	/* timed: what is left of its lease, of the time until it must be out, \
	   and of that if the keepalive under way is acknowledged */ \
	X(inside, 1)                                                             \
	X(lease, 2)                                                              \
	X(left, 2)                                                               \
	X(sent, 2)

/* X(field, bits) of everything else */
#define WORLD_FIELDS(X)                                                             \
	X(k, 2)                                                                     \
	X(held, 3)                                                                  \
	X(issue_value, 4)                                                           \
	X(issue_colour, 2)                                                          \
	X(valid_value, 4)                                                           \
	X(valid_colour, 2)                                                          \
	X(late_write, 1) /* has been accepted */                                    \
	X(overtaken, 1)	 /* somebody in line has been */                            \
	/* nearsighted: who begins announces that; the first in line has looked   \
	   since W was changed */ \
	X(crowded, 1)                                                               \
	X(looked, 1)

#define FIELD(name, bits) uint8_t name;
struct client {
	CLIENT_FIELDS(FIELD)
};
struct world {
	WORLD_FIELDS(FIELD)
	struct client client[CLIENTS_MAX];
};
#undef FIELD

struct cursor {
	uint32_t bit;
	struct wicket_value v;
};

static inline uint8_t take_bits(struct cursor *c, uint32_t bits)
{
	uint64_t word = c->v.w[c->bit / 64] >> c->bit % 64;

	if (c->bit % 64 + bits > 64)
		word |= c->v.w[c->bit / 64 + 1] << (64 - c->bit % 64);
	c->bit += bits;
	return (uint8_t)(word & ((1u << bits) - 1));
}

static inline void put_bits(struct cursor *c, uint8_t x, uint32_t bits)
{
	uint64_t word = x & ((1u << bits) - 1);

	c->v.w[c->bit / 64] |= word << c->bit % 64;
	if (c->bit % 64 + bits > 64)
		c->v.w[c->bit / 64 + 1] |= word >> (64 - c->bit % 64);
	c->bit += bits;
}

static inline void world_unpack(const struct wicket_cfg *cfg,
				struct wicket_value v, struct world *w)
{
	struct cursor c = { 0, v };

#define TAKE_FIELD(name, bits) w->name = take_bits(&c, bits);
	WORLD_FIELDS(TAKE_FIELD)
#undef TAKE_FIELD
#define TAKE_FIELD(name, bits) w->client[i].name = take_bits(&c, bits);
	for (uint32_t i = 0; i < cfg->n; i++) {
		CLIENT_FIELDS(TAKE_FIELD)
	}
#undef TAKE_FIELD
}

static inline struct wicket_value world_pack(const struct wicket_cfg *cfg,
					     const struct world *w)
{
	struct cursor c = { 0, wicket_number(0) };

#define PUT_FIELD(name, bits) put_bits(&c, w->name, bits);
	WORLD_FIELDS(PUT_FIELD)
#undef PUT_FIELD
#define PUT_FIELD(name, bits) put_bits(&c, w->client[i].name, bits);
	for (uint32_t i = 0; i < cfg->n; i++) {
		CLIENT_FIELDS(PUT_FIELD)
	}
#undef PUT_FIELD
	return c.v;
}

#endif
