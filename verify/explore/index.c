/* SPDX-License-Identifier: MIT */
#include "verify/explore/index.h"

bool index_start(struct index *x, struct budget *b, uint32_t capacity)
{
	size_t bytes = (size_t)INDEX_PARTITIONS * capacity * ENTRY_BYTES;

	if (bytes > x->entries.room) {
		store_free(&x->entries, b); /* nothing of it is needed */
		if (!store_exactly(&x->entries, b, bytes))
			return false;
	}
	x->capacity = capacity;
	return true;
}

void index_clear(struct index *x, uint32_t partition)
{
	memset(index_at(x, (size_t)partition * x->capacity), 0,
	       (size_t)x->capacity * ENTRY_BYTES);
	x->used[partition] = 0;
}

/* At most four fifths are used.  A small one grows to four times its size, a large one
   by half. */
uint32_t index_needs(const struct index *x, const uint32_t *more)
{
	enum { LARGE = 1 << 18 };
	uint64_t most = 0, needs, least;

	for (uint32_t p = 0; p < INDEX_PARTITIONS; p++) {
		if (x->used[p] + (uint64_t)more[p] > most)
			most = x->used[p] + (uint64_t)more[p];
	}
	needs = most + most / 4 + 1;
	if (needs <= x->capacity)
		return x->capacity;
	least = x->capacity < LARGE ? x->capacity * (uint64_t)4 :
				      x->capacity + (uint64_t)x->capacity / 2;
	if (needs < least)
		needs = least;
	return needs < UINT32_MAX ? (uint32_t)needs : UINT32_MAX;
}

void index_add(struct index *x, uint64_t hash, uint32_t state)
{
	size_t place = index_place(x, hash);

	while (index_get(x, place).number != INDEX_NONE)
		place = index_next(x, hash, place);
	index_put(x, place, hash, state);
}
