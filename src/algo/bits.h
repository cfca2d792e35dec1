/* SPDX-License-Identifier: MIT */
/* bits - small numbers side by side in one word, or in a few; the first in the lowest
   bits. */
#ifndef WICKET_BITS_H
#define WICKET_BITS_H

#include <stdint.h>

struct bits {
	uint64_t word;
	uint32_t used;
};

static inline void bits_put(struct bits *b, uint64_t x, uint32_t width)
{
	b->word |= x << b->used;
	b->used += width;
}

static inline uint32_t bits_take(struct bits *b, uint32_t width)
{
	uint64_t x = b->word >> b->used & (((uint64_t)1 << width) - 1);

	b->used += width;
	return (uint32_t)x;
}

enum { WIDE_WORDS = 3 };

struct wide {
	uint64_t w[WIDE_WORDS];
	uint32_t used;
};

/* What does not fit is cut off: that is a bug of a mutant. */
static inline void wide_put(struct wide *b, uint64_t x, uint32_t width)
{
	uint32_t i = b->used / 64, shift = b->used % 64;

	x &= ((uint64_t)1 << width) - 1;
	b->w[i] |= x << shift;
	if (shift + width > 64)
		b->w[i + 1] |= x >> (64 - shift);
	b->used += width;
}

static inline uint32_t wide_take(struct wide *b, uint32_t width)
{
	uint32_t i = b->used / 64, shift = b->used % 64;
	uint64_t x = b->w[i] >> shift;

	if (shift + width > 64)
		x |= b->w[i + 1] << (64 - shift);
	b->used += width;
	return (uint32_t)(x & (((uint64_t)1 << width) - 1));
}

#endif
