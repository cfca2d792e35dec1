/* SPDX-License-Identifier: MIT */
/*
 * recover - what processes do for each other: write down an applied operation,
 * complete the operation of a dead process, wake the heir.
 *
 * Damage   the words may contain anything: a number that is read from them is
 *          checked before it is used as an index, and a loop that waits for a step
 *          which the helper itself performs ends if that step changes nothing.
 *          Functions that return an int return -EUCLEAN then.  Damage is concluded
 *          from the words alone, never from time: see each function.
 */
#ifndef WICKET_RECOVER_H
#define WICKET_RECOVER_H

#include "line/sleep.h"

/* Writes the operation down that W's tag names: 0 or -EUCLEAN. */
int recover_settle(struct wicket *h, struct line_w w);

/* The seat of whoever waits, or has waited, with this ticket; false: not known without
   a search. */
bool recover_is_hinted(struct wicket *h, uint32_t ticket, uint32_t *heir);

/* Wakes the holder of the ticket just validated; if anyway, even if its FUT is not
   armed.  True if the holder has gone: then the caller has to drive it. */
bool recover_hand_over(struct wicket *h, uint32_t ticket, bool anyway,
		       uint32_t *heir, uint64_t *seq);

/* Our ticket has become valid.  The process that is the first in line now sleeps,
   and watches only us: tell it to watch all holders. */
void recover_tell_first(struct wicket *h);

/* Brings the operation of seat j, on which D was seen at seq d, to its end: 0 or
   -EUCLEAN. */
int recover_drive(struct wicket *h, uint32_t j, uint64_t d);

/* The bells tell of most deaths.  Of whom is it also asked whether they live?
   Each question is a system call whose cost grows with the number of handles. */
enum whom {
	NOBODY,
	A_FEW_AHEAD, /* others every time */
	AHEAD,	     /* whose death would let somebody in */
	EVERYBODY,
};

/* Looks for the dead in all seats; adds those to watch (may be null) whose death
   would let somebody in.  0 or -EUCLEAN. */
int recover_scan(struct wicket *h, enum whom asked, struct watch *watch);

/* As long as whoever had the ticket right before the own one has gone: exchanges
   them.  0 or -EUCLEAN. */
int recover_step_forward(struct wicket *h);

/* Leaves the own seat where the own ticket is looked for. */
void recover_leave_hint(struct wicket *h);

/* Fills watch with the one right before the own ticket in line, who lives and
   still waits; false: there is none.  dead: there is one whose death nobody has
   marked yet. */
bool recover_watch_predecessor(struct wicket *h, uint64_t s,
			       struct watch *watch, bool *dead);

/* Are as many tickets out as ISSUE and VALID say?  Also if that cannot be told. */
bool recover_adds_up(struct wicket *h);

/* Does W's tag name somebody else's operation? */
static inline bool owes(const struct wicket *h, struct line_w w)
{
	return line_has_tag(w.t) && line_tag_seat(w.t) != h->me;
}

static inline bool is_same_w(struct line_w a, struct line_w b)
{
	return a.t == b.t && a.s == b.s;
}

/* A slot that is closed, and its word; false: none is marked so. */
bool recover_find_parked(enum pc at, struct wicket *h, uint32_t *slot,
			 uint64_t *entry);

#endif
