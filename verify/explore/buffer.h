/* SPDX-License-Identifier: MIT */
/*
 * buffer - what a process has stored and memory does not hold yet.
 *
 * Memory that is not sequentially consistent, but as x86-64 has it (total
 * store order): a STORE enters the buffer of its process, whose own loads look
 * there first; the oldest store reaches memory at some later time, which is a
 * deed of its own (DEED_DRAIN).  What is locked, what enters the kernel, and a
 * fence wait until the buffer is empty.
 *
 * The words of a register are stored one by one if the access says so (part):
 * an entry has the words that were stored, the others are 0.
 */
#ifndef VERIFY_BUFFER_H
#define VERIFY_BUFFER_H

#include <stdbool.h>

#include "step/step.h"

enum {
	BUFFER_MAX = 8,
	BUFFER_DEFAULT = 4, /* how many stores it has room for */
};

struct buffered {
	uint32_t reg;
	uint32_t part; /* set of words, never empty; 0: there is no entry */
	struct wicket_value value;
};

/* The oldest first; what is not used is 0, so that equal ones have equal bytes. */
struct buffer {
	struct buffered store[BUFFER_MAX];
};

_Static_assert(sizeof(struct buffer) ==
		       BUFFER_MAX * (8 + sizeof(struct wicket_value)),
	       "padding");

static inline bool buffer_is_empty(const struct buffer *b)
{
	return !b->store[0].part;
}

static inline bool buffer_is_full(const struct buffer *b, uint32_t room)
{
	return b->store[room - 1].part;
}

/* Adds a store, for which there must be room. */
void buffer_put(struct buffer *b, const struct wicket_access *access,
		struct wicket_value value);

/* Takes the oldest one out; there must be one. */
struct buffered buffer_take(struct buffer *b);

/* What a register that held v holds after the store. */
struct wicket_value buffered_on(const struct buffered *store,
				struct wicket_value v);

/* What the process sees of a register that holds v in memory. */
struct wicket_value buffer_see(const struct buffer *b, uint32_t reg,
			       struct wicket_value v);

#endif
