/* SPDX-License-Identifier: MIT */
/*
 * world - what one process of a host sees of the others, of the store, and of time.  Each
 * thing is a register: the beat, which is the very word of the file; the record; the number
 * last given; of each place its number, generation and keys; the kernel's locks; and the
 * net: the store with its clock, the requests under way to it, and the answers.
 *
 * Numbers and ids are never given twice.  In the store, number n has the keys of its owner.
 */
#ifndef WICKET_SHARED_LEASE_WORLD_H
#define WICKET_SHARED_LEASE_WORLD_H

#include "algo/bits.h"
#include "algo/shared-lease/beat.h"
#include "step/step.h"

/* Of time there are ticks, which are seconds: from 1 to the HORIZON. */
enum { PEOPLE_MAX = 3, PLACES = 2, JOINS_MAX = 3, TTL = 1, HORIZON = 2 };

enum op { NONE, KEEP, GRANT, PUT_LIVE, BURY, TAKE, GO };
enum reply { NOTHING, DONE, REFUSED, SILENCE };

/* X(field, bits) */
#define NET_FIELDS(X)                                                          \
	X(now, 2)     /* no later than the HORIZON */                          \
	X(granted, 3) /* ids */

/* Of an id. */
#define LEASE_FIELDS(X)                                                        \
	X(end, 3) /* it lives at least until then; 0: it has ended */

/* Of a number. */
#define PERSON_FIELDS(X)                                                       \
	X(live, 1)   /* its live key is there: */                              \
	X(owner, 2)  /* of that line, */                                       \
	X(lease, 3)  /* and tied to that */                                    \
	X(holds, 1)  /* the slot */                                            \
	X(buried, 1) /* somebody has deleted its live key */

/* Of a process: its request, the answer, and a request that it has given up. */
#define MAIL_FIELDS(X)                                                         \
	X(op, 3)                                                               \
	X(number, 3)                                                           \
	X(keys, 2)                                                             \
	X(id, 3)                                                               \
	X(reply, 2)                                                            \
	X(late_op, 3)                                                          \
	X(late_number, 3)                                                      \
	X(late_keys, 2)                                                        \
	X(late_id, 3)

#define FIELD(name, bits) uint8_t name;
struct lease {
	LEASE_FIELDS(FIELD)
};
struct person {
	PERSON_FIELDS(FIELD)
};
struct mail {
	MAIL_FIELDS(FIELD)
};
struct net {
	NET_FIELDS(FIELD)
	struct lease lease[JOINS_MAX + 1];   /* by id, from 1 */
	struct person person[JOINS_MAX + 1]; /* by number, from 1 */
	struct mail mail[PEOPLE_MAX];
};
#undef FIELD

static inline struct net net_unpack(struct wicket_value v)
{
	struct wide b = { { v.w[0], v.w[1], v.w[2] }, 0 };
	struct net x = { 0 };

#define TAKE_FIELD(name, bits) at->name = (uint8_t)wide_take(&b, bits);
	for (struct net *at = &x; at <= &x; at++) {
		NET_FIELDS(TAKE_FIELD)
	}
	for (struct lease *at = x.lease + 1; at <= x.lease + JOINS_MAX; at++) {
		LEASE_FIELDS(TAKE_FIELD)
	}
	for (struct person *at = x.person + 1; at <= x.person + JOINS_MAX;
	     at++) {
		PERSON_FIELDS(TAKE_FIELD)
	}
	for (struct mail *at = x.mail; at < x.mail + PEOPLE_MAX; at++) {
		MAIL_FIELDS(TAKE_FIELD)
	}
#undef TAKE_FIELD
	return x;
}

static inline struct wicket_value net_pack(const struct net *x)
{
	struct wide b = { 0 };

#define PUT_FIELD(name, bits) wide_put(&b, at->name, bits);
	for (const struct net *at = x; at <= x; at++) {
		NET_FIELDS(PUT_FIELD)
	}
	for (const struct lease *at = x->lease + 1; at <= x->lease + JOINS_MAX;
	     at++) {
		LEASE_FIELDS(PUT_FIELD)
	}
	for (const struct person *at = x->person + 1;
	     at <= x->person + JOINS_MAX; at++) {
		PERSON_FIELDS(PUT_FIELD)
	}
	for (const struct mail *at = x->mail; at < x->mail + PEOPLE_MAX; at++) {
		MAIL_FIELDS(PUT_FIELD)
	}
#undef PUT_FIELD
	return (struct wicket_value){ { b.w[0], b.w[1], b.w[2] } };
}

/* The kernel's locks, by the numbers of the processes that have them; and how many have
   come so far: a bound of the model. */
struct locks {
	uint8_t file, place[PLACES], joins;
};

static inline struct locks locks_unpack(uint64_t word)
{
	struct bits b = { word, 0 };
	struct locks x;

	x.file = (uint8_t)bits_take(&b, 2);
	for (uint32_t i = 0; i < PLACES; i++)
		x.place[i] = (uint8_t)bits_take(&b, 2);
	x.joins = (uint8_t)bits_take(&b, 3);
	return x;
}

static inline uint64_t locks_pack(const struct locks *x)
{
	struct bits b = { 0 };

	bits_put(&b, x->file, 2);
	for (uint32_t i = 0; i < PLACES; i++)
		bits_put(&b, x->place[i], 2);
	bits_put(&b, x->joins, 3);
	return b.word;
}

static inline int64_t time_of(uint64_t ticks)
{
	return (int64_t)ticks * BEAT_SECOND;
}

#endif
