/* SPDX-License-Identifier: MIT */
/*
 * bitmap - the words of a line whose free slots are a set in one word, and whose
 * grants go into the seat of whoever waits; and every change that is made to
 * them.  bitmap.c is the protocol.  The model there and bench/bitmap.c use this
 * alphabet alike.
 *
 * W        two words that change together
 *            T  the tag: 1 + seat in 0..23, seq in 24..63; 0 before any
 *               operation.  A seat's seq only grows, so a tag never comes back.
 *            S  the free slots in 0..30; what the operation in the tag did: the
 *               slot that it moved in 31..35, how in 36..37; the ticket last
 *               granted in 38..50, the ticket last taken in 51..63
 * SEAT[i]  state: phase in 0..1, D in 2, ASLEEP in 3, slot in 4..8 (of HAVE),
 *          ticket in 9..21 (of WAIT), seq in 24..63; beside it, not changed
 *          between joining and leaving, whose seat it is.
 *          The lower half is the futex on which the owner sleeps.  A state
 *          never comes back.
 *          D: its owner is dead, or has given up; never set in vain.
 *          ASLEEP: whoever grants must wake.  It may be set in vain, and is
 *          never missing while the owner sleeps, for the grant and the bit are
 *          in one word.
 *
 * Wrapping  seq has 40 bits and grows by two an entry: a tag would come back
 *           after 2^39 entries through one seat, an hour and a half at 100
 *           million a second, for a process that was stopped exactly so long.
 */
#ifndef WICKET_BITMAP_H
#define WICKET_BITMAP_H

#include <stdint.h>

enum {
	BITMAP_SLOTS_MAX = 31,
	BITMAP_SLOT_SHIFT = 31,
	BITMAP_DID_SHIFT = 36,
	BITMAP_HEAD_SHIFT = 38,
	BITMAP_TAIL_SHIFT = 51,
	BITMAP_TICKETS = 1 << 13,
	BITMAP_SEAT_SLOT_SHIFT = 4,
	BITMAP_SEAT_TICKET_SHIFT = 9,
	BITMAP_SEQ_SHIFT = 24,
};

#define BITMAP_FREE_MASK (((uint64_t)1 << BITMAP_SLOTS_MAX) - 1)
#define BITMAP_NEXT	 ((uint64_t)1 << BITMAP_SEQ_SHIFT) /* one more, of a seq */

/* What the operation did.  0 with a free slot, so that S is never 0. */
enum bitmap_did {
	BITMAP_FREED,	/* nobody waits: the slot is free now */
	BITMAP_ENTERED, /* the slot was free */
	BITMAP_QUEUED,	/* none was: a ticket */
	BITMAP_GRANTED, /* the slot is for the first in line */
};

enum bitmap_phase { BITMAP_NOBODY, BITMAP_IDLE, BITMAP_WAIT, BITMAP_HAVE };

enum { BITMAP_DEAD = 1 << 2, BITMAP_ASLEEP = 1 << 3 };

/* --- S ----------------------------------------------------------------------- */

static inline uint64_t bitmap_free(uint64_t s)
{
	return s & BITMAP_FREE_MASK;
}

static inline uint32_t bitmap_moved(uint64_t s)
{
	return (uint32_t)(s >> BITMAP_SLOT_SHIFT) & 31;
}

static inline enum bitmap_did bitmap_did(uint64_t s)
{
	return s >> BITMAP_DID_SHIFT & 3;
}

/* The ticket last granted. */
static inline uint32_t bitmap_head(uint64_t s)
{
	return (uint32_t)(s >> BITMAP_HEAD_SHIFT) & (BITMAP_TICKETS - 1);
}

/* The ticket last taken. */
static inline uint32_t bitmap_tail(uint64_t s)
{
	return (uint32_t)(s >> BITMAP_TAIL_SHIFT);
}

/* Of tickets 0..m-1. */
static inline uint32_t bitmap_after(uint32_t ticket, uint32_t m)
{
	return ticket + 1 == m ? 0 : ticket + 1;
}

static inline uint64_t bitmap_word(uint64_t free, enum bitmap_did did,
				   uint32_t slot, uint32_t head, uint32_t tail)
{
	return free | (uint64_t)slot << BITMAP_SLOT_SHIFT |
	       (uint64_t)did << BITMAP_DID_SHIFT |
	       (uint64_t)head << BITMAP_HEAD_SHIFT |
	       (uint64_t)tail << BITMAP_TAIL_SHIFT;
}

static inline uint64_t bitmap_start(uint32_t k)
{
	return ((uint64_t)1 << k) - 1;
}

/* Head and tail as they are. */
#define BITMAP_TICKETS_MASK (~(uint64_t)0 << BITMAP_HEAD_SHIFT)

/* A slot is free: nobody waits. */
static inline uint64_t bitmap_enter(uint64_t s)
{
	uint64_t free = bitmap_free(s);
	uint64_t slot = (uint64_t)__builtin_ctzll(free);

	return (s & BITMAP_TICKETS_MASK) | (free & (free - 1)) |
	       slot << BITMAP_SLOT_SHIFT |
	       (uint64_t)BITMAP_ENTERED << BITMAP_DID_SHIFT;
}

static inline uint64_t bitmap_take(uint64_t s, uint32_t m)
{
	if (bitmap_free(s))
		return bitmap_enter(s);
	return bitmap_word(0, BITMAP_QUEUED, 0, bitmap_head(s),
			   bitmap_after(bitmap_tail(s), m));
}

static inline int bitmap_has_waiters(uint64_t s)
{
	return bitmap_head(s) != bitmap_tail(s);
}

/* Nobody waits. */
static inline uint64_t bitmap_set_free(uint64_t s, uint32_t slot)
{
	return (s & (BITMAP_TICKETS_MASK | BITMAP_FREE_MASK)) |
	       (uint64_t)1 << slot | (uint64_t)slot << BITMAP_SLOT_SHIFT;
}

static inline uint64_t bitmap_release(uint64_t s, uint32_t slot, uint32_t m)
{
	if (!bitmap_has_waiters(s))
		return bitmap_set_free(s, slot);
	return bitmap_word(bitmap_free(s), BITMAP_GRANTED, slot,
			   bitmap_after(bitmap_head(s), m), bitmap_tail(s));
}

/* --- SEAT and T -------------------------------------------------------------- */

static inline uint64_t bitmap_state(uint64_t seq, enum bitmap_phase phase)
{
	return seq << BITMAP_SEQ_SHIFT | phase;
}

static inline uint64_t bitmap_waits(uint64_t seq, uint32_t ticket)
{
	return bitmap_state(seq, BITMAP_WAIT) |
	       (uint64_t)ticket << BITMAP_SEAT_TICKET_SHIFT;
}

static inline uint64_t bitmap_has(uint64_t seq, uint32_t slot)
{
	return bitmap_state(seq, BITMAP_HAVE) |
	       (uint64_t)slot << BITMAP_SEAT_SLOT_SHIFT;
}

static inline enum bitmap_phase bitmap_phase(uint64_t state)
{
	return state & 3;
}

static inline uint64_t bitmap_seq(uint64_t state)
{
	return state >> BITMAP_SEQ_SHIFT;
}

static inline uint32_t bitmap_slot(uint64_t state)
{
	return (uint32_t)(state >> BITMAP_SEAT_SLOT_SHIFT) & 31;
}

static inline uint32_t bitmap_ticket(uint64_t state)
{
	return (uint32_t)(state >> BITMAP_SEAT_TICKET_SHIFT) &
	       (BITMAP_TICKETS - 1);
}

static inline uint64_t bitmap_tag(uint64_t seq, uint32_t seat)
{
	return seq << BITMAP_SEQ_SHIFT | (seat + 1);
}

static inline uint32_t bitmap_tag_seat(uint64_t t)
{
	return (uint32_t)(t & (BITMAP_NEXT - 1)) - 1;
}

/* The operation in the tag of W = (t, s) is one ahead of its seat: it is not
   written down. */
static inline int bitmap_is_owed(uint64_t t, uint64_t state)
{
	return t && bitmap_seq(t) == bitmap_seq(state) + 1;
}

/* by a helper: the seat (s-1), with the operation s that made S written down */
static inline uint64_t bitmap_written(uint64_t state, uint64_t s)
{
	uint64_t seq = bitmap_seq(state) + 1, d = state & BITMAP_DEAD;

	switch (bitmap_did(s)) {
	case BITMAP_ENTERED:
		return bitmap_has(seq, bitmap_moved(s)) | d;
	case BITMAP_QUEUED:
		return bitmap_waits(seq, bitmap_tail(s)) | d;
	default:
		return bitmap_state(seq, BITMAP_IDLE) | d;
	}
}

/* Is it for this one that W = (t, s) has granted a slot? */
static inline int bitmap_is_heir(uint64_t state, uint64_t s)
{
	return bitmap_phase(state) == BITMAP_WAIT &&
	       bitmap_ticket(state) == bitmap_head(s);
}

/* by whoever grants: WAIT(s, ticket) -> HAVE(s, slot); D is kept */
static inline uint64_t bitmap_granted(uint64_t state, uint64_t s)
{
	return bitmap_has(bitmap_seq(state), bitmap_moved(s)) |
	       (state & BITMAP_DEAD);
}

#endif
