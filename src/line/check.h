/* SPDX-License-Identifier: MIT */
/*
 * check - what the three files that look for damage share: two copies of a line, and
 * what is told of them.
 *
 * Moment   the file is copied twice.  W's tag, SLOT and a seat's state never
 *          come back, and a payload does not while its state stays: what is the
 *          same in both copies was so at the moment between them.  If all of
 *          them are, the line stood still, and whatever holds at every step of
 *          algo/recoverable.c must hold between them (R1 to R4, R7, R9).
 * Order    what does come back (BELL, FUT, HINT) is judged as the first copy has
 *          it, by words that are the same in both; what only grows (used), as
 *          the second has it.  Then they were read in between, or later.
 *
 * So a word that is being changed is not judged, and an operation in progress is
 * not reported as damage.
 */
#ifndef WICKET_CHECK_H
#define WICKET_CHECK_H

#include "line/access.h"

struct exam {
	void (*tell)(void *arg, enum wicket_finding kind, const char *text);
	void *arg;
	int wrong;
	bool still;
	/* the copies; what is where in them */
	struct wicket first, second;
	struct line_w w;
	uint32_t bell_kind;
	/* seats by slot, and the positions in line that are taken */
	uint16_t owner[LINE_SLOTS_MAX];
	uint64_t waits[LINE_SEATS_MAX / 64 + 1];
};

/* Counts what is wrong and, unless there was too much already, tells it. */
__attribute__((format(printf, 2, 3))) void check_wrong(struct exam *x,
						       const char *format, ...);

/* Each word by itself. */
void check_words(struct exam *x);

/* One word against another, in a line that stood still. */
void check_relations(struct exam *x);

static inline struct line_w w_of(struct wicket *copy)
{
	return (struct line_w){ load(&copy->w->low), load(&copy->w->high) };
}

static inline uint32_t used_of(struct wicket *copy)
{
	return atomic_load_explicit(&copy->area->used, memory_order_relaxed);
}

static inline struct line_seat seat_of(struct wicket *copy, uint32_t i)
{
	union pair *p = &copy->seats[i].word;

	return (struct line_seat){ load(&p->low), load(&p->high),
				   copy->seats[i].range };
}

static inline bool is_same_w(struct exam *x)
{
	struct line_w a = w_of(&x->first), b = w_of(&x->second);

	return a.t == b.t && a.s == b.s;
}

static inline bool is_same_slot(struct exam *x, uint32_t i)
{
	return load(&x->first.slot[i]) == load(&x->second.slot[i]);
}

static inline bool is_same_seat(struct exam *x, uint32_t i)
{
	struct line_seat a = seat_of(&x->first, i), b = seat_of(&x->second, i);

	return a.state == b.state && a.payload == b.payload &&
	       a.range == b.range;
}

#endif
