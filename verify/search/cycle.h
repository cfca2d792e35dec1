/* SPDX-License-Identifier: MIT */
/*
 * cycle - shortest cycles on which something has to happen, and the schedules
 * that end in one.
 *
 * What happens along a cycle is a set of bits that its first state has, or its
 * steps add; a cycle is one that was asked for if it is back where it began and
 * the bits are enough.
 */
#ifndef VERIFY_CYCLE_H
#define VERIFY_CYCLE_H

#include "verify/search/schedule.h"

struct cycle_query {
	const void *context;
	bool (*keep)(const void *context, uint32_t from, uint64_t edge);
	uint32_t (*start)(const void *context, uint32_t state);
	uint32_t (*gain)(const void *context, uint32_t from, uint64_t edge);
	/* bits of a cycle through a state */
	bool (*enough)(const void *context, uint32_t state, uint32_t bits);
};

struct cycle {
	struct pool places;  /* struct place */
	struct store parent; /* uint32_t: the place before it */
	struct store via;    /* uint16_t: label of the step to it */
	uint32_t last;	     /* the place before it closes, ... */
	uint16_t by;	     /* ... and the step that closes it */
	uint32_t bits;
};

/*
 * The shortest one through a state, if there is one of less than limit steps
 * (0: no limit): *length, or 0.  False: budget ended.
 */
bool cycle_find(struct cycle *c, struct graph *g, const struct cycle_query *q,
		uint32_t state, uint32_t limit, uint32_t *length);
void cycle_free(struct cycle *c, struct budget *b);

/* Puts the cycle that was found into a schedule: its last steps, from stem on. */
void cycle_put(const struct cycle *c, struct schedule *s, uint32_t stem);

/* The way from the start to a state, and the cycle that was found there. */
struct schedule cycle_lasso(const struct cycle *c, const struct graph *g,
			    uint32_t state, uint32_t length);

/* Where a cycle begins, and what happens along it. */
struct place {
	uint32_t state, bits;
};

/*
 * The shortest such schedule whose cycle begins at a state with SCC_ON, if it
 * is shorter than *s, which it replaces; else *place is as it was.  False:
 * budget ended.
 */
bool cycle_shortest(struct graph *g, const struct cycle_query *q,
		    const uint8_t *mark, struct schedule *s,
		    struct place *place);

#endif
