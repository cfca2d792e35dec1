/* SPDX-License-Identifier: MIT */
/* schedule - who did what in which order: a counterexample. */
#ifndef VERIFY_SCHEDULE_H
#define VERIFY_SCHEDULE_H

#include "verify/explore/graph.h"
#include "verify/search/bfs.h"

struct schedule {
	uint32_t length;
	uint16_t *label; /* actor.h */
	bool infinite;	 /* what follows the stem repeats for ever */
	uint32_t stem;
	/* what the definition asks for holds from after this many steps on */
	uint32_t from;
	uint32_t victim, culprit; /* from 1: who suffers, from whom; or 0 */
	uint32_t stopped;	  /* set of processes that have crashed */
};

struct schedule schedule_of(uint32_t length);
void schedule_free(struct schedule *s);

/* Puts the steps from the start to a state before position end. */
void schedule_put_path(struct schedule *s, const struct graph *g,
		       uint32_t state, uint32_t end);

/* The same along a search, down to its source (from is set), then on. */
void schedule_put_bfs(struct schedule *s, const struct graph *g,
		      const struct bfs *sp, uint32_t state, uint32_t end);

/*
 * Follows the schedule: the state before each step and after the last, and the
 * edge of each step.  False: some step is not possible.  Free both.
 */
bool schedule_follow(const struct schedule *s, const struct graph *g,
		     uint32_t **state, uint64_t **edge);

#endif
