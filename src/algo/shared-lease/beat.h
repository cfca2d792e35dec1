/* SPDX-License-Identifier: MIT */
/*
 * beat - the word by which the processes of a host share a lease, and what they decide by
 * it.  The model (src/algo/shared-lease.c) and the library (src/cluster/lease.c) run these
 * very functions.
 *
 * A beat is a generation, and when the last acknowledged keepalive of its lease was sent:
 * milliseconds, never later than it was, and 0 if there is no lease.  Times are in
 * nanoseconds.
 */
#ifndef WICKET_SHARED_LEASE_BEAT_H
#define WICKET_SHARED_LEASE_BEAT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BEAT_SECOND = 1000000000,
	BEAT_MILLISECOND = 1000000,
	BEAT_SENT_BITS = 40, /* for 34 years */
	BEAT_OFTEN = 3,	     /* keepalives in the time of a lease */
	BEAT_HASTE =
		10, /* one that was not answered is followed by another after
			    this part of it */
	BEAT_MARGIN = 10, /* this part of it is for stopping what runs */
};

static inline uint64_t beat_generation(uint64_t beat)
{
	return beat >> BEAT_SENT_BITS;
}

static inline int64_t beat_sent(uint64_t beat)
{
	return (int64_t)(beat & ((1ULL << BEAT_SENT_BITS) - 1)) *
	       BEAT_MILLISECOND;
}

static inline uint64_t beat_make(uint64_t generation, int64_t sent)
{
	return generation << BEAT_SENT_BITS |
	       (uint64_t)(sent / BEAT_MILLISECOND);
}

/* After a keepalive of that generation, which was sent then, was acknowledged. */
static inline uint64_t beat_acknowledge(uint64_t beat, uint64_t generation,
					int64_t sent)
{
	uint64_t ours = beat_make(generation, sent);

	return beat_generation(beat) == generation && beat < ours ? ours : beat;
}

/* After the store has said that the lease of that generation has ended. */
static inline uint64_t beat_end(uint64_t beat, uint64_t generation)
{
	return beat_generation(beat) == generation ?
		       beat_make(generation + 1, 0) :
		       beat;
}

/* Until when whoever has a part in that generation may go on; 0: it is over. */
static inline int64_t beat_deadline(uint64_t beat, uint64_t generation,
				    int64_t seconds)
{
	if (beat_generation(beat) != generation)
		return 0;
	return beat_sent(beat) +
	       seconds * BEAT_SECOND / BEAT_MARGIN * (BEAT_MARGIN - 1);
}

/* When the next keepalive is due. */
static inline int64_t beat_due(uint64_t beat, int64_t seconds)
{
	return beat_sent(beat) + seconds * BEAT_SECOND / BEAT_OFTEN;
}

/* The same, if one was tried at a time, perhaps in vain. */
static inline int64_t beat_next_try(uint64_t beat, int64_t tried,
				    int64_t seconds)
{
	int64_t due = beat_due(beat, seconds);
	int64_t again = tried + seconds * BEAT_SECOND / BEAT_HASTE;

	return due > again ? due : again;
}

/* To one who comes, the lease that there is: it takes part; or asks first whether it
   lives, since it may have been left to itself; or there is none. */
enum beat_welcome { BEAT_TAKE_PART, BEAT_ASK, BEAT_BEGIN };

static inline enum beat_welcome beat_welcome(uint64_t beat, int64_t seconds,
					     int64_t now)
{
	if (!beat_sent(beat))
		return BEAT_BEGIN;
	return beat_due(beat, seconds) <= now ? BEAT_ASK : BEAT_TAKE_PART;
}

/*
 * Of a place that has a number, and was taken in some generation, by one who has a part in
 * another.  What is of an earlier lease went with that, and a later one is the business of
 * those who have it.
 */
enum beat_fate { BEAT_BURY, BEAT_FREE, BEAT_LEAVE };

static inline enum beat_fate beat_fate(uint64_t taken_in, uint64_t generation)
{
	return taken_in > generation ? BEAT_LEAVE :
	       taken_in < generation ? BEAT_FREE :
				       BEAT_BURY;
}

#endif
