/* SPDX-License-Identifier: MIT */
/*
 * plain - an exploration that is as plain as it can be: the bytes of whole
 * states in a hash table, run_do and nothing else.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdlib.h>

#include "named.h"

#include "verify/explore/run.h"

/* Keys of one size, numbered in the order of discovery. */
struct set {
	size_t size;
	uint32_t count, room;
	unsigned char *keys;
	uint32_t *slots; /* 1 + number; room is twice that of the keys */
};

static inline uint64_t fnv(const unsigned char *bytes, size_t size)
{
	uint64_t h = 0xcbf29ce484222325;

	while (size--)
		h = (h ^ *bytes++) * 0x100000001b3;
	return h ^ h >> 29;
}

static inline uint32_t *slot(const struct set *s, const void *key)
{
	uint64_t i = fnv(key, s->size) % (2 * s->room);

	while (s->slots[i] &&
	       memcmp(s->keys + (s->slots[i] - 1) * s->size, key, s->size) != 0)
		i = (i + 1) % (2 * s->room);
	return &s->slots[i];
}

static inline void grow(struct set *s)
{
	s->room = s->room ? 2 * s->room : 256;
	s->keys = realloc(s->keys, s->room * s->size);
	free(s->slots);
	s->slots = calloc(2 * (size_t)s->room, sizeof(*s->slots));
	assert_non_null(s->keys);
	assert_non_null(s->slots);
	for (uint32_t i = 0; i < s->count; i++)
		*slot(s, s->keys + i * s->size) = i + 1;
}

/* The number of a key; a new one if it is new. */
static inline uint32_t number(struct set *s, const void *key)
{
	uint32_t *place;

	if (s->count == s->room)
		grow(s);
	place = slot(s, key);
	if (!*place) {
		memcpy(s->keys + s->count * s->size, key, s->size);
		*place = ++s->count;
	}
	return *place - 1;
}

static inline void set_free(struct set *s)
{
	free(s->keys);
	free(s->slots);
}

/* All of a state, registers first. */
struct key {
	struct wicket_value reg[WICKET_REGS_MAX];
	struct actor actor[WICKET_PROCS_MAX];
	struct buffer buffer[WICKET_PROCS_MAX];
};

static inline size_t pack(const struct run *run, unsigned char *key)
{
	size_t regs = run->regs * sizeof(*run->reg);
	size_t procs = run->procs * sizeof(*run->actor);

	size_t buffers = run->procs * sizeof(*run->buffer);

	memcpy(key, run->reg, regs);
	memcpy(key + regs, run->actor, procs);
	memcpy(key + regs + procs, run->buffer, buffers);
	return regs + procs + buffers;
}

static inline void unpack(struct run *run, const unsigned char *key)
{
	size_t regs = run->regs * sizeof(*run->reg);
	size_t procs = run->procs * sizeof(*run->actor);

	memcpy(run->reg, key, regs);
	memcpy(run->actor, key + regs, procs);
	memcpy(run->buffer, key + regs + procs,
	       run->procs * sizeof(*run->buffer));
}

struct plain {
	struct set states, shared;
	uint64_t steps;
	uint32_t depth;
	uint32_t *depths; /* by state */
	bool full;	  /* somebody had to wait for room in a buffer */
};

/* Whatever process i, or its buffer, can do, in the order of enum deed; else DEEDS. */
static inline enum deed next_deed(const struct run *run, uint32_t i,
				  enum deed deed)
{
	while (deed < DEEDS && !run_can(run, deed_of(i, deed)))
		deed++;
	return deed;
}

/* The run, which is put into state q, does this. */
static inline void explore_deed(struct plain *x, struct run *run, uint32_t q,
				uint16_t label)
{
	unsigned char key[sizeof(struct key)];
	uint32_t before = x->states.count, room = x->states.room;

	run_do(run, label);
	pack(run, key);
	number(&x->shared, key);
	number(&x->states, key);
	x->steps++;
	if (x->states.room != room)
		x->depths = realloc(x->depths,
				    x->states.room * sizeof(*x->depths));
	assert_non_null(x->depths);
	if (x->states.count == before)
		return;
	x->depth = x->depths[q] + 1;
	x->depths[before] = x->depth;
}

static inline void explore(struct plain *x, const struct named *s,
			   const struct world *world)
{
	unsigned char key[sizeof(struct key)];
	struct run run, at;

	*x = (struct plain){ 0 };
	run_start(&run, s->algo, &s->cfg, world);
	x->states.size = pack(&run, key);
	x->shared.size = run.regs * sizeof(*run.reg);
	number(&x->states, key);
	number(&x->shared, key);
	x->depths = calloc(x->states.room, sizeof(*x->depths));
	assert_non_null(x->depths);
	for (uint32_t q = 0; q < x->states.count; q++) {
		unpack(&run, x->states.keys + q * x->states.size);
		x->full |= run_is_full(&run);
		for (uint32_t i = 0; i < run.procs; i++) {
			enum deed deed = next_deed(&run, i, DEED_STEP);

			for (; deed < DEEDS;
			     deed = next_deed(&run, i, deed + 1)) {
				at = run;
				explore_deed(x, &at, q, deed_of(i, deed));
			}
		}
	}
}

static inline void plain_free(struct plain *x)
{
	set_free(&x->states);
	set_free(&x->shared);
	free(x->depths);
}

#endif
