/* SPDX-License-Identifier: MIT */
/* bits - small numbers side by side in one word, the first in the lowest bits. */
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

#endif
