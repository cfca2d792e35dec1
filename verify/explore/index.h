/* SPDX-License-Identifier: MIT */
/*
 * index - finds the number of a state by its hash.
 *
 * A table with open addressing, cut into partitions by the first bits of the hash,
 * so that threads which work on different partitions do not meet.  An entry is a
 * number and, so that most others are told apart without looking at a state, a
 * byte of the hash.
 */
#ifndef VERIFY_INDEX_H
#define VERIFY_INDEX_H

#include <string.h>

#include "verify/explore/budget.h"

enum { INDEX_PARTITIONS = 32, INDEX_NONE = 0 };

struct index {
	uint32_t capacity; /* entries that a partition has place for */
	uint32_t used[INDEX_PARTITIONS]; /* by whoever puts in; not one by one:
					    who is in another partition looks at
					    this very line of the cache */
	struct store entries;
};

/* Kept in five bytes. */
struct entry {
	uint32_t number; /* 1 + that of a state, or INDEX_NONE */
	uint8_t tag;
};

enum { ENTRY_BYTES = 5 };

/* Makes it so large; false: out of memory.  Then each partition is to be cleared. */
bool index_start(struct index *x, struct budget *b, uint32_t capacity);
void index_clear(struct index *x, uint32_t partition);

/* The capacity with which so many more can be put in, for each partition: that
   which it has, if it is enough. */
uint32_t index_needs(const struct index *x, const uint32_t *more);

static inline uint32_t index_partition(uint64_t hash)
{
	return (uint32_t)(hash >> 59);
}

static inline uint8_t index_tag(uint64_t hash)
{
	return (uint8_t)(hash >> 32);
}

/* Where it is looked for first, counted through all partitions; and the next
   place of the same partition. */
static inline size_t index_place(const struct index *x, uint64_t hash)
{
	return (size_t)index_partition(hash) * x->capacity +
	       ((uint64_t)(uint32_t)hash * x->capacity >> 32);
}

static inline size_t index_next(const struct index *x, uint64_t hash,
				size_t place)
{
	size_t from = (size_t)index_partition(hash) * x->capacity;

	return ++place == from + x->capacity ? from : place;
}

static inline char *index_at(const struct index *x, size_t place)
{
	return (char *)x->entries.base + place * ENTRY_BYTES;
}

static inline struct entry index_get(const struct index *x, size_t place)
{
	struct entry e;

	memcpy(&e.number, index_at(x, place), sizeof(e.number));
	memcpy(&e.tag, index_at(x, place) + sizeof(e.number), sizeof(e.tag));
	return e;
}

/* Puts the number of a state there, and counts nothing. */
static inline void index_put(struct index *x, size_t place, uint64_t hash,
			     uint32_t state)
{
	uint32_t number = state + 1;
	uint8_t tag = index_tag(hash);

	memcpy(index_at(x, place), &number, sizeof(number));
	memcpy(index_at(x, place) + sizeof(number), &tag, sizeof(tag));
}

/* Adds a state that is not in it, and counts nothing. */
void index_add(struct index *x, uint64_t hash, uint32_t state);

#endif
