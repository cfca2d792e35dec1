/* SPDX-License-Identifier: MIT */
/*
 * race - one process against one other, by the two-process algorithm of Rivest
 * and Pratt: what those who race with many, one after the other, have in common.
 *
 * Process i (from 0) races with process j, and fetches what j shows: 0 if j is
 * not in any race (dead, or through with them), else 1 + 3 R + S.
 */
#ifndef WICKET_RACE_H
#define WICKET_RACE_H

#include <stdint.h>

/* S is a number modulo 3; who is one behind the other goes first. */
static inline uint64_t wicket_race_after(uint64_t s)
{
	return (s + 1) % 3;
}

static inline uint64_t wicket_race_shown(uint64_t r, uint64_t s)
{
	return 1 + 3 * r + s;
}

static inline uint64_t wicket_race_r(uint64_t shown)
{
	return (shown - 1) / 3;
}

static inline uint64_t wicket_race_s(uint64_t shown)
{
	return (shown - 1) % 3;
}

/* Statements A to D: is j racing with i, or beyond? */
static inline int wicket_race_on(uint64_t shown, uint64_t i)
{
	return shown && wicket_race_r(shown) >= i;
}

/* Statement E: has i, whose S is own, won? */
static inline int wicket_race_won(uint64_t shown, uint64_t i, uint64_t j,
				  uint64_t own)
{
	uint64_t r = wicket_race_r(shown), s = wicket_race_s(shown);

	return !shown || r < i ||
	       (r == i &&
		(s == wicket_race_after(own) || (s == own && i <= j)));
}

#endif
