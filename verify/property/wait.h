/* SPDX-License-Identifier: MIT */
/*
 * wait - how often process j can come first during one wait of process i.
 *
 * Bypass counts the entries of j.  (C3), (C4) and (C5) of FLBB 1979 count its
 * cycles from R to C: the first entry counts only if j was in R when i waited
 * already, and between two entries it always is (section 2, (c) and (d)).  Of a
 * wait in their sense only proper prefixes are without progress of i: the entry
 * of j that is counted last may enable i.
 */
#ifndef VERIFY_WAIT_H
#define VERIFY_WAIT_H

#include "verify/property/property.h"

struct wait {
	struct graph *g;
	const struct enabled *en;
	const uint16_t *waits; /* by state: whose wait is being counted */
	uint32_t i, j;
	bool cycles; /* as 1979 counts */
	bool few;    /* fewer than R processes may fail */
	const uint8_t *mark;
};

/* For searches, with a struct wait as context: i waits; and, though it may be
   slow, it goes on waiting. */
bool wait_lasts(const void *context, uint32_t state);
bool wait_goes_on(const void *context, uint32_t from, uint64_t edge);

/* j enters C by this step. */
bool wait_sees_entry(const struct wait *w, uint32_t from, uint64_t edge);

/* Fails f, with a shortest schedule, if j can enter for ever while i waits.
   False: budget ended. */
bool wait_endless(struct wait *w, struct finding *f);

/* The bound of f: the greatest number of entries, of every j for every i.
   False: budget ended. */
bool wait_count(struct wait *w, struct finding *f);

/* Who waits for whom; false: the schedule does not say. */
bool wait_read(struct wait *w, const struct schedule *s);

/* Null if there is a cycle on which the one waits and the other enters. */
const char *wait_judge(const struct wait *w, const struct schedule *s,
		       const uint32_t *state, const uint64_t *edge);

#endif
