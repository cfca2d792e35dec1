/* SPDX-License-Identifier: MIT */
/*
 * hope - how a waiter passes its time: whether it stays awake or sleeps, and how soon
 * it looks again.
 *
 * None of this changes what the protocol guarantees.  Times and averages may be wrong,
 * and any process may write them: that costs time, or a wake-up for nothing.
 */
#ifndef WICKET_HOPE_H
#define WICKET_HOPE_H

#include "line/recover.h"

/* Of a ticket that is not valid: is it one, and has it a place in line? */
static inline bool is_in_line(const struct wicket *h, uint64_t s)
{
	return line_ticket(h->ticket).value < h->block &&
	       line_position(s, h->ticket, h->block) < h->block;
}

/* Passes some time awake, if the turn is likely to come soon; slept: how many times it
   has slept in this wait. */
void hope_for_turn(struct wicket *h, uint32_t slept, uint64_t deadline);

/* Before it sleeps: looks for the dead, and fills in what to watch in the sleep.  How
   many ns it may last; error: 0 or -EUCLEAN. */
uint64_t hope_look_again(struct wicket *h, uint64_t s, uint32_t slept,
			 struct watch *watch, int *error);

/* The wait that began then is over.  True: it was so long that others may have slept as
   long, and must be told. */
bool hope_note_wait(struct wicket *h, uint64_t began);

/* Releases a slot for which it had waited. */
void hope_note_section(struct wicket *h);

/* The ticket has been made valid, and its owner, the heir, told. */
void hope_rouse(struct wicket *h, uint32_t ticket, uint32_t heir);

#endif
