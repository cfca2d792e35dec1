/* SPDX-License-Identifier: MIT */
/*
 * next - what comes next: each function sets a process, which has taken a step,
 * to the next one, and forgets what it will not need again.
 */
#ifndef WICKET_RECOVERABLE_NEXT_H
#define WICKET_RECOVERABLE_NEXT_H

#include "algo/recoverable/watch.h"

/* --- for all ----------------------------------------------------------------- */

static inline struct wicket_proc forget(struct wicket_proc p, enum local from,
					enum local to)
{
	for (enum local i = from; i <= to; i++)
		p.local[i] = 0;
	return p;
}

/* What was read besides W, and where a loop stands. */
static inline struct wicket_proc forget_looks(struct wicket_proc p)
{
	return forget(forget(p, C0, E), I, MASK);
}

static inline struct wicket_proc with_ret(struct wicket_proc p, uint64_t bits,
					  uint64_t value)
{
	p.local[RET] = (p.local[RET] & ~bits) | value;
	return p;
}

static inline struct wicket_proc read_w(const struct wicket_cfg *c,
					struct wicket_proc p, uint64_t then)
{
	p = forget(forget(p, WT, E), I, MASK);
	p = with_ret(p, SETTLE_BITS, then);
	p.pc = c->mutant == SEAT_FIRST && then == AFTER_DRIVE ? DRIVE_SEAT :
								READ_T;
	return p;
}

/* In C; the next step begins the release. */
static inline struct wicket_proc go_in(struct wicket_proc p)
{
	p.pc = units_left(p) ? RELEASE_FIND : HOLD;
	return p;
}

/* Not in C, though its tickets are valid: it gives them back. */
static inline struct wicket_proc to_return(struct wicket_proc p)
{
	p.pc = RETURN;
	if (units_left(p)) {
		p.pc = RELEASE_FIND;
		p.local[SLOT] |= RETURNING;
	}
	return p;
}

/* --- take, find, drive ------------------------------------------------------- */

/* Does its release hand the ticket back?  Its own take was the last operation; and
   nobody is to be told of a death in the slot. */
static inline int hands_back(struct wicket_proc p)
{
	return line_can_hand_back(p.local[LAST]) &&
	       !line_slot_died(p.local[MINE]);
}

/*
 * The next operation of the own seat begins.  Most likely W is as the last one
 * left it: a CAS from there succeeds only if nobody has done anything since, so
 * that nothing is owed; if it fails, it shows what W is.
 */
static inline struct wicket_proc guess_w(const struct wicket_cfg *c,
					 struct wicket_proc p, uint64_t then)
{
	uint64_t last = p.local[LAST];
	uint32_t m = (uint32_t)block(c);
	uint64_t tag = line_tag(own_state(p, LINE_FREE),
				(uint32_t)p.local[ME] - 1);
	int take = then == AFTER_TAKE, back = !take && hands_back(p);

	p.local[SEQ]++;
	if (take)
		p = with_several(p, units_wanted(c, p));
	p = read_w(c, p, then);
	if (!line_is_steady(last) || c->mutant == WAKE_EARLY || units_left(p) ||
	    (take ? line_issue_ends_block(last, m) :
		    !back && line_valid_ends_block(last, m)))
		return p;
	p.local[WT] = tag;
	p.local[WS] = last;
	p.local[NEXT_S] = take ? line_issue_on(last) :
			  back ? line_hand_back(last) :
				 line_valid_on(last);
	p.pc = take ? TAKE_W : RELEASE_W;
	return p;
}

/* Does this one change the number of slots? */
static inline int resizes(const struct wicket_cfg *c, struct wicket_proc p)
{
	int most = c->variant == DRAINED && seats(c) == c->n;

	return is_resized(c) && p.self <= c->n &&
	       (most ? p.self > 1 : !(p.self & 1));
}

/* And how many shall be closed then? */
static inline uint32_t aim_of(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint32_t lap = (uint32_t)p.local[LAP],
		 but_one = c->k > 1 ? c->k - 1 : 1;

	if (c->variant == DRAINED)
		return lap & 1 ? c->k : 0;
	return lap & 1 ? 0 : lap & 2 ? c->k : but_one;
}

/* The next operation, in its seat. */
static inline uint16_t first_step(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	return resizes(c, p) ? OPEN_SEAT : TAKE_SEAT;
}

static inline struct wicket_proc find(struct wicket_proc p)
{
	p = forget(p, WT, RET);
	p.pc = FIND;
	return p;
}

static inline struct wicket_proc drive(const struct wicket_cfg *c,
				       struct wicket_proc p, uint64_t j,
				       uint64_t d, uint64_t driver)
{
	p.local[J] = j;
	p.local[D] = d;
	p = with_ret(p, DRIVE_BITS | APPLIED, driver);
	return read_w(c, p, AFTER_DRIVE);
}

/* --- the beginning and the end ---------------------------------------------- */

/* After ABANDON_MARK. */
static inline struct wicket_proc start_given_up(const struct wicket_cfg *c,
						uint32_t i)
{
	struct wicket_proc p = {
		.self = i,
		.local = { [LAP] = c->laps ? c->laps - 1 : 0,
			   [SLOT] = EXITING },
	};

	return drive(c, p, i - 1, GIVEN_UP_SEQ, DRIVE_ABANDON);
}

static inline struct wicket_proc next_lap(const struct wicket_cfg *c,
					  struct wicket_proc p);

/* Inside; asleep since before the second gave up; or about to wait: all in their last
   lap.  The second has given up in its first one. */
static inline struct wicket_proc start_behind(const struct wicket_cfg *c,
					      uint32_t i)
{
	struct wicket_proc p = { .pc = i == 1 ? HOLD :
				       i == 3 ? WAIT_SLEEP :
						WAIT_SPIN,
				 .self = i };

	if (i == 2)
		return next_lap(c, p);
	p.local[LAP] = c->laps ? c->laps - 1 : 0;
	p.local[ME] = i;
	p.local[SEQ] = 1;
	p.local[TICKET] = (uint64_t)i << 32 | line_issue(past_taken(c, i));
	if (i == 1)
		p.local[MINE] = first_ticket(c, i);
	if (i == 3)
		p.local[WATCHES] = (uint64_t)1 << bell_reg(c, i - 2);
	return p;
}

/* The first stays inside, the second is at ABANDON_MARK. */
static inline struct wicket_proc start_queued(uint32_t i)
{
	struct wicket_proc p = {
		.pc = i == 3 ? TAKE_SEAT :
		      i == 4 ? DONE :
			       ABANDON_MARK,
		.self = i == 4 ? 0 : i,
		.local = { [ME] = i == 3 ? 4 :
				  i == 4 ? 0 :
					   i,
			   [SEQ] = i == 2,
			   [TICKET] = i == 2 ? (uint64_t)WAITED << 32 | WAITED :
					       0 },
	};

	if (i == 2)
		return with_several(p, TWO);
	if (i != 1)
		return p;
	p.pc = RELEASE_FIND;
	p.local[SEQ] = GAVE_BACK_SEQ;
	p.local[TICKET] = (uint64_t)HAD_ALL << 32 | HAD_ALL;
	p.local[STAYS] = 1;
	return with_several(p, 1 | 1 << GIVING_BIT | 1 << (2 + HELD_SHIFT));
}

static inline struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	if (c->variant == QUEUED && i && i <= c->n)
		return start_queued(i);
	if (c->variant == GIVEN_UP && i && i <= c->k)
		return start_given_up(c, i);
	if (c->variant == BEHIND && i && i <= c->n)
		return start_behind(c, i);
	if (c->variant == INSIDE && i && i <= c->k)
		return (struct wicket_proc){
			.pc = HOLD,
			.self = i,
			.local = { [ME] = i,
				   [LAP] = c->laps ? c->laps - 1 : 0,
				   [SEQ] = 1,
				   [TICKET] = (uint64_t)i << 32 |
					      first_ticket(c, i),
				   [SLOT] = i - 1,
				   [MINE] = first_ticket(c, i) },
		};
	if (is_seated(c) && i && i <= c->n) {
		struct wicket_proc p = { .self = i, .local[ME] = i };

		p.pc = first_step(c, p);
		return p;
	}
	return (struct wicket_proc){ .pc = JOIN_LIFE, .self = i };
}

/* It takes no step of its own any more. */
static inline struct wicket_proc stop(const struct wicket_cfg *c, uint16_t pc)
{
	struct wicket_proc p = start(c, 0);

	p.pc = pc;
	return p;
}

/* --- the end of a lap -------------------------------------------------------- */

/* It has no life any more, and will not come again. */
static inline struct wicket_proc gone(const struct wicket_cfg *c)
{
	return is_removing(c) ? read_w(c, start(c, 0), AFTER_REMOVE) :
				stop(c, DONE);
}

/* Once more, or no more; with or without a seat. */
static inline struct wicket_proc next_lap(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	uint32_t laps = c->laps ? c->laps : 1;

	p = forget(p, WT, RET);
	if (units_left(p) && is_giving(p)) { /* has one less */
		p.local[SLOT] &= RETURNING;
		return go_in(p);
	}
	p = with_several(p, 0);
	p.local[LAP] += !is_returning(p); /* else again */
	p.local[TICKET] = p.local[SLOT] = 0;
	if (p.local[LAP] < laps) {
		p.pc = p.local[ME] ? first_step(c, p) : JOIN_SEAT;
		return p;
	}
	p.local[LAP] = p.local[LAST] = 0;
	p.pc = p.local[ME] ? LEAVE_BELL : LEAVE_LIFE;
	if (c->mutant == BELL_LAST && p.local[ME])
		p.pc = LEAVE_SEAT;
	if (c->mutant == LIFE_EARLY && p.local[ME])
		p.pc = LEAVE_LIFE;
	return p;
}

/* --- scan, join -------------------------------------------------------------- */

/* Looks at the next seat that is not its own, from AT on. */
static inline struct wicket_proc scan_on(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint64_t at = p.local[AT], ret = p.local[RET] & SCAN_BITS;

	p = forget(p, WT, RET);
	p.local[RET] = ret;
	if (at + 1 == p.local[ME])
		at++;
	p.local[AT] = at;
	p.pc = SCAN_SEAT;
	if (at < seats(c))
		return p;
	p.local[AT] = p.local[RET] = 0;
	if (ret == SCAN_LEFT)
		return next_lap(c, p);
	if (ret == SCAN_LEFT_OPENING)
		return read_w(c, p, AFTER_OPEN);
	p.pc = ret == SCAN_JOIN	   ? JOIN_SEAT :
	       ret == SCAN_TRY	   ? TAKE_SEAT :
	       ret == SCAN_ABANDON ? ABANDON_BELL :
				     WAIT_SLEEP;
	if (p.pc == WAIT_SLEEP) {
		p.local[WATCHES] = watched(c, p.local[PLACES]);
		p.local[LOOKED] = 0;
	}
	return p;
}

static inline struct wicket_proc scan(const struct wicket_cfg *c,
				      struct wicket_proc p, uint64_t then)
{
	p.local[AT] = 0;
	p = with_ret(p, SCAN_BITS, then);
	return scan_on(c, p);
}

/* The owner of the seat that was read into C lives. */
static inline struct wicket_proc scan_alive(const struct wicket_cfg *c,
					    struct wicket_proc p)
{
	uint64_t at = p.local[AT]++;

	/* who gives up is not waited for, and watches nobody */
	if (p.local[BELL_SEEN] == LINE_ALIVE && p.local[LOOKED])
		p.local[PLACES] |= place_ahead(c, p, seen_seat(p)) << 4 * at;
	return scan_on(c, p);
}

/* It does not; but if the seat is kept, does a command? */
static inline struct wicket_proc scan_kept(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	p.pc = line_kept(seen_seat(p)) && c->mutant != KEEP_UNASKED ?
		       SCAN_KEEP :
		       SCAN_MARK;
	return p;
}

/* Not this seat: the next one, and when all were looked at, the dead. */
static inline struct wicket_proc join_on(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint64_t at = p.local[AT] + 1;

	p = forget(p, WT, RET);
	p.local[ME] = p.local[SEQ] = 0;
	p.local[AT] = at;
	p.pc = JOIN_SEAT;
	return at < seats(c) ? p : scan(c, p, SCAN_JOIN);
}

/* --- what was driven is at its end ---------------------------------------------- */

static inline struct wicket_proc driven(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	int left = (p.local[RET] & LEFT_BEHIND) && c->mutant != NO_RESCAN;

	p = with_ret(p, LEFT_BEHIND, 0);
	switch (p.local[RET] & DRIVE_BITS) {
	case DRIVE_SCAN:
		p.local[AT] = left ? 0 : p.local[AT] + 1;
		return scan_on(c, p);
	case DRIVE_OPEN:
		p = forget(p, J, D);
		return left ? scan(c, p, SCAN_LEFT_OPENING) :
			      read_w(c, p, AFTER_OPEN);
	default:
		return left ? scan(c, p, SCAN_LEFT) : next_lap(c, p);
	}
}

/* --- W is put, settled, read ------------------------------------------------- */

/* By S as its last take left it, or as it is. */
static inline uint64_t release_of(const struct wicket_cfg *c,
				  struct wicket_proc p, uint32_t colour)
{
	uint64_t s = p.local[WS], next = line_release(s, block(c), colour);

	if (c->mutant == BACK_LATE && after(p) == AFTER_RELEASE &&
	    line_can_hand_back(s))
		return line_hand_back(s);
	if (c->mutant == PARK_UNFLAGGED)
		return line_unmoved(next);
	if (c->mutant == PARK_EARLY && after(p) == AFTER_RELEASE &&
	    !line_is_closing(p.local[LAST]))
		return line_validate(line_unmoved(s), block(c), colour);
	return next;
}

/* The S after w's; colour: if one was needed. */
static inline struct wicket_proc put_pointers(const struct wicket_cfg *c,
					      struct wicket_proc p,
					      uint32_t colour)
{
	uint64_t s = p.local[WS];
	uint32_t units = units_left(p);

	switch (after(p)) {
	case AFTER_TAKE:
		p.local[NEXT_S] = units ? line_take_units(s, block(c), units,
							  colour) :
					  line_take(s, block(c), colour);
		p.pc = units && c->mutant != RANGE_LATE ? TAKE_RANGE : TAKE_W;
		break;
	case AFTER_RELEASE:
		p.local[NEXT_S] = release_of(c, p, colour);
		p.pc = c->mutant == WAKE_EARLY ? HEIR : RELEASE_W;
		break;
	case AFTER_OPEN:
		p.local[NEXT_S] = line_open(s, block(c), colour);
		p.pc = OPEN_W;
		break;
	case AFTER_DRIVE_OPEN: /* or nothing: then W says so */
		p.local[NEXT_S] = to_open(p) ? line_open(s, block(c), colour) :
					       line_unmoved(s);
		p.pc = DRIVE_W;
		break;
	default:
		p.local[NEXT_S] = release_of(c, p, colour);
		p.pc = c->mutant == WAKE_EARLY ? HEIR : DRIVE_W;
		break;
	}
	return forget(p, I, MASK);
}

static inline int needs_colour(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint64_t s = p.local[WS];

	switch (after(p)) {
	case AFTER_TAKE:
		return line_units_need_colour(
			s, block(c), units_left(p) ? units_left(p) : 1);
	case AFTER_OPEN:
		return line_valid_needs_colour(s, block(c));
	case AFTER_DRIVE_OPEN:
		return to_open(p) && line_valid_needs_colour(s, block(c));
	default:
		return line_release_needs_colour(s, block(c)) ||
		       (c->mutant == PARK_EARLY &&
			line_valid_needs_colour(s, block(c)));
	}
}

static inline struct wicket_proc advance(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	p = forget_looks(p);
	if (!needs_colour(c, p))
		return put_pointers(c, p, 0);
	p.pc = COLOURS;
	return p;
}

/* The dead seat's release: if the tag says that it is applied, look again. */
static inline struct wicket_proc drive_release(const struct wicket_cfg *c,
					       struct wicket_proc p)
{
	uint64_t state = line_state(p.local[D], LINE_FREE);

	if (p.local[WT] == line_tag(state, driven_seat(p)))
		return read_w(c, p, AFTER_DRIVE);
	return advance(c, p);
}

/* The dead one's opening: the same; else, is there a slot to be opened? */
static inline struct wicket_proc drive_opening(const struct wicket_cfg *c,
					       struct wicket_proc p)
{
	uint64_t state = line_state(p.local[D], LINE_FREE);

	if (p.local[WT] == line_tag(state, driven_seat(p)))
		return read_w(c, p, AFTER_DRIVE);
	if (!line_is_opening(p.local[WS]) || !to_open(p)) {
		p.local[J] = driven_seat(p);
		return advance(c, p);
	}
	p.pc = DRIVE_LOOK;
	return p;
}

/* --- resize ------------------------------------------------------------------ */

static inline struct wicket_proc open_none(struct wicket_proc p)
{
	p.local[MINE] = 0;
	p.local[SLOT] = EXITING;
	return p;
}

/* W is settled, and known: are there slots to be opened?  One that is may have been
   found. */
static inline struct wicket_proc open_next(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	p = forget_looks(p);
	if (!line_is_opening(p.local[WS]) || p.local[WT] == LINE_REMOVED) {
		p = forget(p, WT, RET);
		p.pc = OPEN_END;
		return p;
	}
	if (p.local[MINE] && c->mutant == OPEN_UNCHECKED)
		return advance(c, p);
	p.pc = p.local[MINE] ? OPEN_LOOK : OPEN_NEXT;
	return p;
}

static inline struct wicket_proc remove_line(const struct wicket_cfg *c,
					     struct wicket_proc p)
{
	if (p.local[WT] != LINE_REMOVED &&
	    (line_is_empty(p.local[WS], c->k, block(c)) ||
	     c->mutant == REMOVE_BUSY)) {
		p = forget(p, C0, E);
		p.pc = REMOVE_W;
		return p;
	}
	return stop(c, DONE);
}

/* Who has a ticket: see inherited. */
static inline struct wicket_proc seek_heir(struct wicket_proc p)
{
	p = forget(forget(p, WT, WG), I, MASK);
	p.pc = HEIR;
	return p;
}

/* Settled: what is in the driven seat now?  Settling may have changed its ticket. */
static inline struct wicket_proc
look_before_retracting(const struct wicket_cfg *c, struct wicket_proc p)
{
	p = forget_looks(p);
	if (c->mutant == RETRACT_SEEN) { /* it was the last ticket */
		p.local[C0] = line_mark(line_state(p.local[D], LINE_HAVE));
		p.local[C1] = line_issue(p.local[WS]);
		p.local[NEXT_S] = line_retract(
			p.local[WS], line_issue(p.local[WS]), block(c));
		p.pc = RETRACT_W;
		return p;
	}
	p.pc = RETRACT_SEAT;
	return p;
}

/* The ticket before is the last one now: does anybody want it? */
static inline struct wicket_proc retracted(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	uint64_t s = p.local[WS];

	if (line_issue_is_valid(s) || c->mutant == RETRACT_ALONE)
		return driven(c, p);
	p = seek_heir(forget(p, C0, E));
	p.local[TOLD] = (uint64_t)line_issue(s) << 32;
	return p;
}

/* W's last operation is written down: on with whatever needed it. */
static inline struct wicket_proc settled(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	switch (after(p)) {
	case AFTER_TAKE:
	case AFTER_RELEASE:
		return advance(c, p);
	case AFTER_FIND:
		return find(p);
	case AFTER_DRIVE_RELEASE:
		return drive_release(c, p);
	case AFTER_DRIVE_OPEN:
		return drive_opening(c, p);
	case AFTER_AIM:
		p = forget_looks(p);
		p.local[NEXT_S] = line_aim_at(p.local[WS],
					      (uint32_t)p.local[AIM]);
		p.pc = OPEN_AIM;
		return p;
	case AFTER_OPEN:
		return open_next(c, p);
	case AFTER_REMOVE:
		return remove_line(c, p);
	case AFTER_LATE:
		p = forget(p, WT, RET);
		p.pc = TAKE_TICKET;
		return p;
	case AFTER_DRIVE_RETRACT:
		return look_before_retracting(c, p);
	case AFTER_RETRACT:
		return retracted(c, p);
	default:
		return read_w(c, p, AFTER_DRIVE);
	}
}

static inline struct wicket_proc settle(const struct wicket_cfg *c,
					struct wicket_proc p, uint64_t then)
{
	p = with_ret(p, SETTLE_BITS, then);
	p = forget_looks(p);
	/* what its own seat did before, it has written down itself */
	if (!line_has_tag(p.local[WT]) || c->mutant == NO_SETTLE ||
	    (line_tag_seat(p.local[WT]) + 1 == p.local[ME] &&
	     then != AFTER_LATE))
		return settled(c, p);
	p.pc = SETTLE_SEAT;
	return p;
}

/* The seat that W's tag names has been read into C. */
static inline struct wicket_proc settle_seat(const struct wicket_cfg *c,
					     struct wicket_proc p)
{
	switch (line_settle(p.local[WT], p.local[WS], seen_seat(p))) {
	case LINE_SETTLE_TAKE:
		p.pc = SETTLE_HAVE;
		return p;
	case LINE_SETTLE_RELEASE:
	case LINE_SETTLE_PARK:
	case LINE_SETTLE_OPEN:
		p.pc = c->mutant == PHASE_FIRST ? SETTLE_DONE : SETTLE_SLOT;
		return p;
	case LINE_SETTLE_BACK:
		p.pc = c->mutant == BACK_UNSEEN ? SETTLE_SLOT : SETTLE_DONE;
		return c->mutant == NO_RELEASED ? settled(c, p) : p;
	case LINE_SETTLE_RETRACT:
		p.pc = SETTLE_DONE;
		return p;
	case LINE_SETTLE_EXCHANGE:
		p.pc = c->mutant == EXCHANGE_FIRST ? SETTLE_DONE : SETTLE_FIND;
		return p;
	default:
		return settled(c, p);
	}
}

/* An exchange: the seat that had the other ticket is found, or another look at
   the next one.  If there is none, somebody has written it there. */
static inline struct wicket_proc settle_found(const struct wicket_cfg *c,
					      struct wicket_proc p,
					      struct line_seat s)
{
	uint32_t ticket = line_ticket_after(
		p.local[WS], line_payload_ticket(p.local[C1]), block(c));

	if (p.local[I] != line_tag_seat(p.local[WT]) &&
	    line_has_last(s, ticket)) {
		p.local[FOUND_STATE] = s.state;
		p.local[FOUND_PAYLOAD] = s.payload;
		p.pc = c->mutant == EXCHANGE_LATE ? SETTLE_MOVE : SETTLE_STILL;
		return p;
	}
	if (++p.local[I] < seats(c))
		return p;
	p.local[I] = 0;
	p.pc = SETTLE_DONE;
	return p;
}

/* The slot of a release that is applied has been read into ENTRY. */
static inline struct wicket_proc settle_slot(const struct wicket_cfg *c,
					     struct wicket_proc p)
{
	switch (line_put(p.local[ENTRY], seen_seat(p), p.local[WS])) {
	case LINE_PUT:
		p.pc = c->mutant == NO_SECOND_LOOK ? SETTLE_PUT : SETTLE_LOOK;
		return p;
	case LINE_PUT_DONE:
		p.pc = SETTLE_DONE;
		if (c->mutant != PHASE_FIRST && c->mutant != NO_RELEASED)
			return p;
		break;
	case LINE_PUT_PAST:
		break;
	}
	return settled(c, p);
}

/* --- release, drive; W has been read ----------------------------------------- */

static inline struct wicket_proc slot_given_back(struct wicket_proc p)
{
	p.local[MINE] = 0;
	p.local[SLOT] = EXITING | (p.local[SLOT] & RETURNING);
	return p;
}

static inline struct wicket_proc release_end(struct wicket_proc p)
{
	p = forget(p, WT, I);
	p.pc = RELEASE_END;
	return p;
}

/* The ticket that was validated: its holder is the heir. */
static inline uint32_t inherited(struct wicket_proc p)
{
	if (!p.local[C0]) /* the owner's release, or mutant wake-early */
		return line_valid(p.local[NEXT_S]); /* or TOLD */
	return p.local[RET] & APPLIED ? (uint32_t)p.local[VALIDATED] :
					line_payload_ticket(p.local[C1]);
}

/* The driven seat HAS a ticket, which is to be given back first. */
static inline uint32_t driven_ticket(struct wicket_proc p)
{
	return line_units(p.local[C0]) ? (uint32_t)p.local[FIRST] :
					 line_payload_ticket(p.local[C1]);
}

/* Does it look after the dead because it waits itself? */
static inline int scans_waiting(struct wicket_proc p)
{
	return (p.local[RET] & (DRIVE_BITS | SCAN_BITS)) ==
	       (DRIVE_SCAN | SCAN_WAIT);
}

/* Mutants that see an exchange or a retraction where there is none to be had. */
static inline enum line_drive mistaken(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       enum line_drive verdict)
{
	struct line_seat s = seen_seat(p);
	uint64_t w = p.local[WS];
	uint32_t ticket = driven_ticket(p);
	uint32_t own = (uint32_t)p.local[TICKET];

	if (c->mutant == RETRACT_MIDDLE && verdict == LINE_DRIVEN &&
	    line_phase(s.state) == LINE_HAVE && line_dead(s.state))
		return LINE_DRIVE_RETRACT;
	if (c->mutant == EXCHANGE_VALID && verdict == LINE_DRIVE_GIVE &&
	    scans_waiting(p) && !line_is_valid(w, own) &&
	    line_ticket_before(w, own, block(c)) == ticket)
		return LINE_DRIVE_EXCHANGE;
	if (c->mutant == EXCHANGE_FAR && verdict == LINE_DRIVEN &&
	    line_phase(s.state) == LINE_HAVE && line_dead(s.state) &&
	    scans_waiting(p) && !line_is_valid(w, own) &&
	    line_position(w, ticket, block(c)) <
		    line_position(w, own, block(c)))
		return LINE_DRIVE_EXCHANGE;
	return verdict;
}

/* The driven seat has been read into C, after W: what is to be done? */
static inline enum line_drive verdict_on(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	struct line_seat s = seen_seat(p);
	uint64_t d = c->mutant == D_UNTIED ? line_seq(s.state) : p.local[D];
	uint32_t j = driven_seat(p);
	uint32_t ticket = driven_ticket(p), m = block(c);

	return mistaken(c, p,
			scans_waiting(p) && !units_left(p) ?
				line_drive_waiting(
					p.local[WT], p.local[WS], j, s, ticket,
					d, (uint32_t)p.local[TICKET], m) :
				line_drive(p.local[WT], p.local[WS], j, s,
					   ticket, d, m));
}

/* W is settled, and the seat was read after that; or a mutant. */
static inline struct wicket_proc retract(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint64_t s = p.local[WS];
	uint32_t ticket = driven_ticket(p);

	switch (verdict_on(c, p)) {
	case LINE_DRIVE_RETRACT:
		p.local[NEXT_S] = line_retract(s, ticket, block(c));
		p.pc = RETRACT_W;
		return p;
	case LINE_DRIVE_EXCHANGE:
		p.local[NEXT_S] = line_unmoved(s);
		p.pc = EXCHANGE_W;
		return p;
	default:
		return read_w(c, p, AFTER_DRIVE);
	}
}

/* What an OPENING seat is to open: ticket and slot of its payload; 0: nothing. */
static inline uint64_t opens(struct line_seat s)
{
	uint64_t both = s.payload &
			(((uint64_t)1 << LINE_PAYLOAD_DIED_BIT) - 1);

	return line_payload_slot(s.payload) ? both : 0;
}

/* W has been read after a seat that goes on: are there more slots to be opened? */
static inline struct wicket_proc drive_on(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	int more = line_is_opening(p.local[WS]) &&
		   c->mutant != OPENING_FORGOTTEN;

	p = forget(forget(p, WT, WG), E, E);
	p.local[I] = p.local[MASK] = 0;
	p.pc = more ? DRIVE_PARKED : DRIVE_END;
	return p;
}

/* The driven seat has been read into C, after W. */
static inline struct wicket_proc drive_seat(const struct wicket_cfg *c,
					    struct wicket_proc p)
{
	struct line_seat s = seen_seat(p);

	switch (verdict_on(c, p)) {
	case LINE_DRIVE_FREE:
		p.pc = DRIVE_FREE;
		return p;
	case LINE_DRIVE_AGAIN:
		p.local[D] = line_seq(s.state);
		return read_w(c, p, AFTER_DRIVE);
	case LINE_DRIVE_SETTLE:
		return settle(c, p, AFTER_DRIVE);
	case LINE_DRIVE_GIVE:
		p.local[I] = 0;
		p.pc = DRIVE_FIND;
		return p;
	case LINE_DRIVE_RELEASE:
		if (p.local[RET] & APPLIED)
			return seek_heir(p);
		p.local[D] = line_seq(s.state);
		if (c->mutant == SETTLE_LATE)
			return drive_release(c, with_ret(p, SETTLE_BITS,
							 AFTER_DRIVE_RELEASE));
		return settle(c, p, AFTER_DRIVE_RELEASE);
	case LINE_DRIVE_RELEASED:
	case LINE_DRIVE_ON:
		return seek_heir(p);
	case LINE_DRIVE_RETRACT:
		p.local[D] = line_seq(s.state);
		return c->mutant == RETRACT_UNSETTLED ?
			       retract(c, p) :
			       settle(c, p, AFTER_DRIVE_RETRACT);
	case LINE_DRIVE_EXCHANGE:
		return c->mutant == RETRACT_UNSETTLED ||
				       c->mutant == RETRACT_SEEN ?
			       retract(c, p) :
			       settle(c, p, AFTER_DRIVE_RETRACT);
	case LINE_DRIVE_OPEN:
		if (c->mutant == OPENING_CANCELLED &&
		    !line_is_opening(p.local[WS]) &&
		    p.local[WT] != line_tag(s.state, driven_seat(p))) {
			p.pc = DRIVE_FREE;
			return p;
		}
		p.local[D] = line_seq(s.state);
		p.local[J] = driven_seat(p) | opens(s) << 8;
		return settle(c, p, AFTER_DRIVE_OPEN);
	default:
		return driven(c, p);
	}
}

/* W has been read. */
static inline struct wicket_proc have_w(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	uint64_t then = after(p);

	if (then == AFTER_TAKE && p.local[WT] == LINE_REMOVED) {
		p = forget(p, WT, RET);
		p.pc = TAKE_BACK;
		return p;
	}
	if (c->mutant == SETTLE_LATE &&
	    (then == AFTER_TAKE || then == AFTER_RELEASE))
		return advance(c, p);
	if ((then == AFTER_AIM || then == AFTER_OPEN) &&
	    p.local[WT] == LINE_REMOVED)
		return open_next(c, p);
	if (then == AFTER_ON)
		return drive_on(c, p);
	if (then != AFTER_DRIVE)
		return settle(c, p, then);
	if (c->mutant == SEAT_FIRST)
		return drive_seat(c, p);
	p.pc = DRIVE_SEAT;
	return p;
}

/* A CAS on W has failed, and shows what W is. */
static inline struct wicket_proc other_w(const struct wicket_cfg *c,
					 struct wicket_proc p,
					 struct wicket_value seen)
{
	p = forget_looks(p);
	p.local[WT] = seen.w[0];
	p.local[WS] = seen.w[1];
	p.local[WG] = seen.w[2];
	return have_w(c, p);
}

/* --- the heir; the end of a release ------------------------------------------ */

/* It goes in; in TOLD is the last ticket that it has told of, as if VALID, and the
   last one that is taken. */
static inline struct wicket_proc tell(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	uint64_t s = p.local[TOLD];
	uint32_t ticket = line_valid(s);
	int told = p.local[THE_HEIR] && !heir_dead(p);

	if (told || ticket == line_issue(s)) {
		p = go_in(forget(forget(p, WT, E), I, RET));
		if (c->variant == KEPT)
			p.pc = KEEP_LOCK;
		return p;
	}
	p.local[TOLD] = (uint64_t)line_ticket_after(s, ticket, block(c)) << 32 |
			line_issue(s);
	return seek_heir(p);
}

static inline int passes_on(const struct wicket_cfg *c, struct wicket_proc p)
{
	return p.local[THE_HEIR] && heir_dead(p) && c->mutant != HEIR_IGNORED;
}

/* The release has come to its end; a dead heir passes its slot on.  several: the
   driven seat has more to give back. */
static inline struct wicket_proc released(const struct wicket_cfg *c,
					  struct wicket_proc p, int several)
{
	uint64_t driver = p.local[RET] & DRIVE_BITS;

	if (passes_on(c, p)) {
		if (several)
			p = with_ret(p, LEFT_BEHIND, LEFT_BEHIND);
		return drive(c, p, heir_of(p), heir_seq(p), driver);
	}
	return several ? drive(c, p, driven_seat(p), p.local[D], driver) :
			 driven(c, p);
}

/* A slot was opened by the own seat; a dead heir passes it on. */
static inline struct wicket_proc opened_to(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	if (passes_on(c, p))
		return drive(c, p, heir_of(p), heir_seq(p), DRIVE_OPEN);
	return read_w(c, forget(p, J, D), AFTER_OPEN);
}

/* The same by a dead one's, which is driven: after its heir it is looked at again. */
static inline struct wicket_proc went_on(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint64_t driver = p.local[RET] & DRIVE_BITS;

	if (passes_on(c, p))
		return drive(c, with_ret(p, LEFT_BEHIND, LEFT_BEHIND),
			     heir_of(p), heir_seq(p), driver);
	p = forget(forget(p, WT, WG), E, E);
	p.local[I] = p.local[MASK] = 0;
	p = with_ret(p, SETTLE_BITS, AFTER_ON);
	p.pc = READ_T;
	return p;
}

/* Done with the heir: free the seat, or (mutant wake-early) apply it now. */
static inline struct wicket_proc heir_told(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	int own = after(p) == AFTER_RELEASE;

	if (after(p) == AFTER_TELL)
		return tell(c, p);
	if (after(p) == AFTER_RETRACT)
		return released(c, p, 0);
	if (c->mutant == WAKE_EARLY && !p.local[C0]) {
		p.pc = own ? RELEASE_W : DRIVE_W;
		return p;
	}
	if (own)
		return release_end(p);
	if (after(p) == AFTER_OPEN)
		return opened_to(c, p);
	if (line_goes_on(p.local[C0]))
		return went_on(c, p);
	p.pc = DRIVE_END;
	return p;
}

/* All seats have been looked at for the heir, or it has been found. */
static inline struct wicket_proc heir_known(const struct wicket_cfg *c,
					    struct wicket_proc p)
{
	p.local[I] = 0;
	if (!p.local[THE_HEIR] || heir_dead(p) || after(p) == AFTER_RETRACT ||
	    (c->mutant == WAKE_EARLY && p.local[C0]))
		return heir_told(c, p);
	p.pc = WAKE_CLEAR;
	return p;
}

#endif
