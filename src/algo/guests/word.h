/* SPDX-License-Identifier: MIT */
/*
 * word - GUESTS[i]: who has joined what seat i HAS, besides the command for which it is
 * kept.  src/line makes the changes that algo/guests.c makes.
 *
 * Bits     how many in 0..9; open in 10: they may join; how many ever joined in 11..31;
 *          of which operation of the seat in 32..63, the lower half of its seq.
 *          It may count too many: a guest that is killed does not go.  Never too few.
 * Wrapping  2^21 joins of one stay, which matters only to who is stopped between reading
 *          the word and closing it for exactly that long.  2^31 entries through one seat
 *          matter only to a guest that is stopped as it joins; it looks at the seat again.
 */
#ifndef WICKET_GUESTS_WORD_H
#define WICKET_GUESTS_WORD_H

#include <stdint.h>

enum {
	GUESTS_MAX = 0x3ff,
	GUESTS_OPEN = 0x400,
	GUESTS_NUMBER = 0x800, /* one more that ever joined */
	GUESTS_SEQ_SHIFT = 32,
};

static inline uint32_t guests_count(uint64_t word)
{
	return (uint32_t)(word & GUESTS_MAX);
}

static inline int guests_are_of(uint64_t word, uint64_t seq)
{
	return word >> GUESTS_SEQ_SHIFT == (uint32_t)seq;
}

/* anything -> (seq, open, 0), by the seat's owner */
static inline uint64_t guests_open(uint64_t seq)
{
	return seq << GUESTS_SEQ_SHIFT | GUESTS_OPEN;
}

static inline int guests_may_join(uint64_t word, uint64_t seq)
{
	return guests_are_of(word, seq) && word & GUESTS_OPEN &&
	       guests_count(word) < GUESTS_MAX;
}

/* (seq, open, joins, g) -> (seq, open, joins+1, g+1) */
static inline uint64_t guests_join(uint64_t word)
{
	const uint64_t numbers = UINT32_MAX - (GUESTS_NUMBER - 1);

	return ((word & ~numbers) + 1) | ((word + GUESTS_NUMBER) & numbers);
}

static inline int guests_may_go(uint64_t word, uint64_t seq)
{
	return guests_are_of(word, seq) && guests_count(word);
}

/* (seq, open, joins, g) -> (seq, open, joins, g-1) */
static inline uint64_t guests_go(uint64_t word)
{
	return word - 1;
}

/* (seq, open, joins, g) -> (seq, closed), by whoever takes the slot from the seat */
static inline uint64_t guests_close(uint64_t word)
{
	return word >> GUESTS_SEQ_SHIFT << GUESTS_SEQ_SHIFT;
}

#endif
