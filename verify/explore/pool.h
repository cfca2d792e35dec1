/* SPDX-License-Identifier: MIT */
/*
 * pool - distinct objects of one size, numbered from 0 in the order in which they
 * were met.
 */
#ifndef VERIFY_POOL_H
#define VERIFY_POOL_H

#include "verify/explore/budget.h"

#define POOL_NONE UINT32_MAX

struct pool {
	size_t size; /* of an object, a multiple of 8; the rest starts as 0 */
	uint32_t count;
	struct store objects;
	struct store slots; /* open addressing: 1 + number, or 0 */
	uint32_t mask;
};

/* The object's number; POOL_NONE: it has none yet. */
uint32_t pool_find(const struct pool *p, const void *object);
/* The object's number, a new one if need be; POOL_NONE: out of memory. */
uint32_t pool_number(struct pool *p, struct budget *b, const void *object);
void *pool_object(const struct pool *p, uint32_t number);

/* Forgets the objects, in time that depends on how many there are. */
void pool_clear(struct pool *p);
void pool_free(struct pool *p, struct budget *b);

/* A well-mixed hash of bytes (a multiple of 8 of them). */
uint64_t pool_hash(const void *bytes, size_t size);

#endif
