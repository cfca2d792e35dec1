/* SPDX-License-Identifier: MIT */
/*
 * demo-see - what a demonstration sees of its commands in the line: who comes, who gets
 * which slot, who is gone; from one snapshot to the next.
 */
#ifndef TOOL_DEMO_SEE_H
#define TOOL_DEMO_SEE_H

#include "tool/demo-command.h"
#include "tool/snapshot.h"

enum { PLAY_MAX = 16 };

struct order {
	size_t number[PLAY_MAX], count;
};

struct play {
	/* These are the demonstration's to set.  Commands come in the order in which
	   they are here. */
	struct command *commands;
	size_t count, started;
	uint32_t slots;
	/* Null: it is none of ours. */
	struct command *(*find)(const struct wicket_entry *e);
	/* After it is noted: what is special about the i-th entry of the snapshot,
	   which has just entered; or about one that is gone. */
	void (*enters)(struct command *c, size_t i);
	void (*leaves)(struct command *c);

	struct snapshot now;
	struct order arrivals, enablings;
	uint32_t most_inside;
};

/* From 1. */
size_t play_number(const struct play *p, const struct command *c);

/* The one that has this ticket, or null. */
struct command *play_find_ticket(const struct play *p,
				 const struct wicket_entry *e);

/* Compares the snapshot with what was known before, tells what has changed, and
   complains of what must not be. */
void play_see(struct play *p);

/* Of those that were started: ended before they were seen in line. */
void play_check_ends(struct play *p);

/* Has the one that was started last been seen? */
bool play_has_come(const struct play *p);

/* All have come, and are gone. */
bool play_is_over(const struct play *p);

/* Concludes: they were enabled in the order in which they came; and never too many at a
   time. */
void play_judge(const struct play *p);

#endif
