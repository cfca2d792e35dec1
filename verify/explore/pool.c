/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/pool.h"

uint64_t pool_hash(const void *bytes, size_t size)
{
	const char *b = bytes;
	uint64_t h = size, w;

	for (size_t i = 0; i < size; i += sizeof(w)) {
		memcpy(&w, b + i, sizeof(w));
		h = (h ^ w) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	h *= 0xd6e8feb86659fd93;
	return h ^ h >> 32;
}

void *pool_object(const struct pool *p, uint32_t number)
{
	return (char *)p->objects.base + number * p->size;
}

static uint32_t *pool_slot(const struct pool *p, const void *object)
{
	uint32_t *slots = p->slots.base;
	uint32_t i = (uint32_t)pool_hash(object, p->size) & p->mask;

	while (slots[i] &&
	       memcmp(pool_object(p, slots[i] - 1), object, p->size) != 0)
		i = (i + 1) & p->mask;
	return &slots[i];
}

/* Keeps the table at most half full. */
static bool pool_room(struct pool *p, struct budget *b)
{
	struct pool bigger = *p;

	if (!store_room(&p->objects, b, (p->count + (size_t)1) * p->size))
		return false;
	if (p->mask && p->count < p->mask / 2)
		return true;
	bigger.objects = p->objects;
	bigger.slots = (struct store){ NULL, 0 };
	bigger.mask = p->mask ? p->mask * 2 + 1 : 255;
	if (!store_room(&bigger.slots, b,
			(bigger.mask + (size_t)1) * sizeof(uint32_t)))
		return false;
	memset(bigger.slots.base, 0, bigger.slots.room);
	for (uint32_t i = 0; i < p->count; i++)
		*pool_slot(&bigger, pool_object(p, i)) = i + 1;
	store_free(&p->slots, b);
	*p = bigger;
	return true;
}

uint32_t pool_find(const struct pool *p, const void *object)
{
	return p->mask ? *pool_slot(p, object) - 1 : POOL_NONE;
}

uint32_t pool_number(struct pool *p, struct budget *b, const void *object)
{
	uint32_t *slot;

	if (!pool_room(p, b))
		return POOL_NONE;
	slot = pool_slot(p, object);
	if (!*slot) {
		memcpy(pool_object(p, p->count), object, p->size);
		*slot = ++p->count;
	}
	return *slot - 1;
}

void pool_clear(struct pool *p)
{
	uint32_t *slots = p->slots.base;

	for (uint32_t n = 0; n < p->count; n++) {
		uint64_t hash = pool_hash(pool_object(p, n), p->size);

		/* all of them go, so none is looked for behind a gap */
		for (uint32_t i = (uint32_t)hash & p->mask; slots[i];
		     i = (i + 1) & p->mask)
			slots[i] = 0;
	}
	p->count = 0;
}

void pool_free(struct pool *p, struct budget *b)
{
	store_free(&p->objects, b);
	store_free(&p->slots, b);
}
