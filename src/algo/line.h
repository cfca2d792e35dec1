/* SPDX-License-Identifier: MIT */
/*
 * line - the words of a recoverable line, and every change that is made to
 * them.  The protocol is recoverable.c's; this is its alphabet, used by the
 * model there and by src/line on real memory alike.
 *
 * Ticket   value in 0..12, colour in 13..21: the colored tickets of FLBB 1989
 *          with M = 1 + max(k, N), so that which pointer leads, and by how much,
 *          can be read off S, also when all slots are closed and nobody's ticket
 *          is valid.  N: so many may be out, one for every seat, and more where
 *          there are several slots and a seat may take several of them at once.
 * W        two words that change together
 *            T  the tag: 1 + seat in 0..15, seq in 16..63; 0 before any
 *               operation; LINE_REMOVED once nobody may come any more.  A
 *               seat's seq only grows, so a tag never comes back.
 *            S  ISSUE in 0..21, VALID in 32..53; of the slots, which are k: how
 *               many are closed in 22..30, and how many shall be in 54..62;
 *               moved in 31: the last operation has closed a slot, or opened one
 * SLOT[s]  ticket in 0..21, that of the one ticket that is valid for slot s;
 *          died in 22: the slot's last holder died inside; parked in 23: the slot
 *          is closed, and its ticket, though valid, is nobody's; stamp in 24..63:
 *          it grows with every change, so that a late helper that saw an old one
 *          changes nothing
 * SEAT[i]  state: phase in 0..2, D in 3, units in 4..12: how many of several
 *          tickets taken at once it has left, 0 if it took one alone; goes on in
 *          13: what is RELEASED is one of several slots to be opened; inside in
 *          14: it was in C, and has begun to give several back one by one; seq
 *          in 16..63
 *          payload: ticket in 0..21, 1 + slot in 22..31, died in 32 (for SLOT),
 *          kept in 33: what it HAS is held on behalf of a command; life in
 *          34..63: whose seat it is, 0 if it is free, or kept and left to guests
 *          Its owner changes them by one store each, payload first; everybody
 *          else by a compare-and-swap of both.  The state never comes back.
 *          D: its owner is dead, or has given up; its operation is anybody's
 *          to bring to its end.  D may be missing: until somebody looks for
 *          the dead, what the seat holds is not passed on.  It is never set
 *          in vain, and goes only when the seat becomes FREE.
 * RANGE[i] of a seat that takes several: the last ticket in 0..21, the first
 *          one's colour in 22..30; with m left they are the last m up to that
 *          one.  Its owner stores it before each attempt to take them; then it
 *          stays until the seat is IDLE or FREE, and nobody reads it in other
 *          states than those.  A seat of one ticket has none: its payload says
 *          which.  That of a seat of several does while it gives one back, and
 *          means nothing as long as it HAS them.
 * FUT[i]   2 seq + 1 of the operation for which the owner sleeps, or 0; odd, so
 *          that its lower half, on which the kernel waits, is not 0 either.
 *          It may be armed in vain, by an owner that is awake or dead: then a
 *          wake-up goes to nobody.  It may be 0 while the owner sleeps, if the
 *          one that cleared it died before the wake-up: then whoever brings
 *          that one's release to its end wakes without looking at it.
 * HINT[v]  a seat that waited with a ticket of value v; not in the model.  It may
 *          be stale, or somebody else's: the seat itself is asked, and if it
 *          has not this ticket all seats are searched.  A wrong hint costs
 *          time, never a wake-up.
 * LIFE     the set of lives: the kernel's word (a lock on the byte of that
 *          number, which goes with the memory of its owner).  Whoever is not
 *          in it is dead.  Every handle has its own, and no other after it.
 * BELL[i]  0 nobody's, 1 its owner lives, 2 its owner has died: the kernel's
 *          word too (a robust mutex).  It tells of a death at once, and of
 *          that of a thread, but it may fail to; it is touched by the owner
 *          of the seat alone.
 * KEEP[i]  the seq of a HAVE for which a command still runs, or anything else:
 *          the kernel's too (a lock on the byte of that number, which the
 *          command inherits).  An owner whose seat is kept is dead once both
 *          its own life and the command are gone.
 *
 * Phases   of a seat.  Above an arrow stands the step of its owner, below it that
 *          of a helper; + begins a new seq.
 *
 *            JOIN_CLAIM+          JOIN_SIT
 *       FREE ----------> JOINING ----------> IDLE
 *
 *            TAKE_SEAT+           TAKE_HAVE           HOLD+
 *       IDLE ----------> TAKING -----------> HAVE -----------> RELEASING
 *                                SETTLE_HAVE      DRIVE_GIVE+
 *
 *                                      RELEASE_END
 *       RELEASING -----------> RELEASED -----------> IDLE
 *           |     SETTLE_DONE                          ^
 *           |               RELEASE_END                |
 *           +------------------------------------------+
 *
 *            OPEN_SEAT+           OPEN_END
 *       IDLE ----------> OPENING -----------> IDLE
 *                         |   ^
 *             SETTLE_DONE |   | OPEN_NEXT+ (also from OPENING)
 *                         v   | DRIVE_ON+
 *                        RELEASED, goes on
 *
 *       TAKE_BACK leads from TAKING to IDLE: there is no ticket to be had.
 *       Several are given back one by one: as long as there are more,
 *       RELEASE_END and DRIVE_END lead to HAVE, of one unit less.
 *       A seat becomes FREE by LEAVE_SEAT, from IDLE; and if D is set by
 *       DRIVE_END, from RELEASED (if it goes on: once nothing is left to open), or by DRIVE_FREE, from JOINING, IDLE and a
 *       TAKING that has not got its ticket.  DRIVE_GIVE is done only if D is
 *       set and the ticket is valid.
 *       Two operations are of a HAVE with D whose ticket is not valid.  They have
 *       no phase of their own: they are applied when W's tag is one seq ahead of
 *       the seat.  S says which, and settle writes it down:
 *         RETRACT_W+   its ticket was the last one: ISSUE moves back to the one
 *                      before; SETTLE_DONE: HAVE(s, t, D) -> FREE(s+1)
 *         EXCHANGE_W+  S stays: whoever waits with the next ticket u takes its
 *                      place; SETTLE_MOVE: that one's HAVE(r, u) -> HAVE(r, t), then
 *                      SETTLE_DONE: HAVE(s, t, D) -> HAVE(s+1, u, D)
 *
 * Wrapping  seq has 48 bits and grows by two an entry: a tag would come back
 *           after 2^47 entries through one seat, 16 days of nothing else at
 *           100 million a second.  stamp has 40 bits: 2^40 entries through one
 *           slot, three hours at that rate; and it matters only to a helper that
 *           was stopped between two instructions for exactly that long.
 *           life has 30 bits: 2^30 - 1 openings of one line, six hours of
 *           nothing else; and it matters only to a death that nobody has
 *           looked for in the meantime.
 */
#ifndef WICKET_LINE_H
#define WICKET_LINE_H

#include "algo/ticket.h"

/* Tests make it smaller, to see it wrap. */
#ifndef LINE_STAMP_BITS
#define LINE_STAMP_BITS 40
#endif

/* Tickets out beyond one for each seat: tests have fewer, so that blocks end sooner. */
#ifndef LINE_ROOM
#define LINE_ROOM LINE_SEATS_MAX
#endif

enum {
	LINE_VALUE_BITS = 13,
	LINE_TICKET_BITS = 22,
	LINE_DIED_BIT = LINE_TICKET_BITS,
	LINE_PARKED_BIT = LINE_DIED_BIT + 1,
	LINE_STAMP_SHIFT = LINE_PARKED_BIT + 1,
	LINE_CLOSED_SHIFT = LINE_TICKET_BITS, /* in each half of S */
	LINE_MOVED_BIT = 31,
	LINE_GOES_ON_BIT = 13,
	LINE_SLOT_SHIFT = LINE_TICKET_BITS,
	LINE_SLOT_MASK = 0x3ff,
	LINE_PAYLOAD_DIED_BIT = 32,
	LINE_PAYLOAD_KEPT_BIT = 33,
	LINE_LIFE_SHIFT = 34,
	LINE_LIFE_MAX = (1 << 30) - 1,
	LINE_UNITS_SHIFT = 4,
	LINE_UNITS_MASK = 0x1ff << LINE_UNITS_SHIFT,
	LINE_INSIDE = 1 << 14,
	LINE_SEQ_SHIFT = 16,
	LINE_SLOTS_MAX = 511,  /* colours 0..k in 9 bits */
	LINE_SEATS_MAX = 8191, /* M in 13 bits */
	LINE_COLOUR_WORDS = LINE_SLOTS_MAX / 64 + 1,
};

#define LINE_TICKET_MASK ((1u << LINE_TICKET_BITS) - 1)
#define LINE_NEXT	 ((uint64_t)1 << LINE_SEQ_SHIFT) /* one more, of a seq */
#define LINE_REMOVED	 LINE_NEXT

enum line_phase {
	LINE_FREE,
	LINE_IDLE,
	LINE_TAKING,
	LINE_HAVE,
	LINE_RELEASING,
	LINE_RELEASED,
	LINE_JOINING,
	LINE_OPENING,
};

enum line_bell { LINE_NOBODY, LINE_ALIVE, LINE_DIED };

/* --- tickets and pointers -------------------------------------------------- */

/*
 * How many tickets may be out.  One for every seat; if there are several slots, as
 * many more as it takes for every seat to have k, while every other one can still
 * take one, or as can be counted.
 */
static inline uint32_t line_tickets(uint32_t seats, uint32_t k)
{
	uint32_t room = k > 1 ? seats * k : 0;
	uint32_t n = seats + (room < LINE_ROOM ? room : LINE_ROOM);

	return n < LINE_SEATS_MAX ? n : LINE_SEATS_MAX;
}

/* The tickets of one colour, if there are never more than n out: while slots are
   closed, all of them may wait. */
static inline uint32_t line_block_of(uint32_t n, uint32_t k)
{
	return 1 + (n > k ? n : k);
}

static inline uint32_t line_block(uint32_t seats, uint32_t k)
{
	return line_block_of(line_tickets(seats, k), k);
}

static inline uint32_t line_ticket_word(struct ticket t)
{
	return t.colour << LINE_VALUE_BITS | t.value;
}

static inline struct ticket line_ticket(uint32_t w)
{
	return (struct ticket){ w & ((1u << LINE_VALUE_BITS) - 1),
				(w & LINE_TICKET_MASK) >> LINE_VALUE_BITS };
}

/* S, taken apart. */
struct line_pointers {
	struct ticket issue, valid;
};

static inline uint64_t line_pointers_word(struct line_pointers s)
{
	return (uint64_t)line_ticket_word(s.valid) << 32 |
	       line_ticket_word(s.issue);
}

static inline struct line_pointers line_pointers(uint64_t s)
{
	return (struct line_pointers){ line_ticket((uint32_t)s),
				       line_ticket((uint32_t)(s >> 32)) };
}

static inline uint32_t line_issue(uint64_t s)
{
	return (uint32_t)s & LINE_TICKET_MASK;
}

static inline uint32_t line_valid(uint64_t s)
{
	return (uint32_t)(s >> 32) & LINE_TICKET_MASK;
}

/* The same S, but for its pointers. */
static inline uint64_t line_point(uint64_t s, struct line_pointers p)
{
	uint64_t both = (uint64_t)LINE_TICKET_MASK << 32 | LINE_TICKET_MASK;

	return (s & ~both) | line_pointers_word(p);
}

/* --- how many slots are open ------------------------------------------------- */

/* Slots that are closed, and that shall be. */
static inline uint32_t line_closed(uint64_t s)
{
	return (uint32_t)(s >> LINE_CLOSED_SHIFT) & LINE_SLOTS_MAX;
}

static inline uint32_t line_aim(uint64_t s)
{
	return (uint32_t)(s >> (32 + LINE_CLOSED_SHIFT)) & LINE_SLOTS_MAX;
}

/* A slot that is given back is closed, and a ticket that is not taken yet is no
   way in. */
static inline int line_is_closing(uint64_t s)
{
	return line_closed(s) < line_aim(s);
}

/* Somebody is at it. */
static inline int line_is_opening(uint64_t s)
{
	return line_closed(s) > line_aim(s);
}

/* Has the last operation closed a slot, or opened one? */
static inline int line_has_moved(uint64_t s)
{
	return s >> LINE_MOVED_BIT & 1;
}

/* Neither of these. */
static inline int line_is_steady(uint64_t s)
{
	return !((s >> 32 ^ s) & (uint64_t)0x3ff << LINE_CLOSED_SHIFT);
}

/* By an operation that does not move a slot. */
static inline uint64_t line_unmoved(uint64_t s)
{
	return s & ~((uint64_t)1 << LINE_MOVED_BIT);
}

static inline uint64_t line_close_one(uint64_t s)
{
	return (s + ((uint64_t)1 << LINE_CLOSED_SHIFT)) |
	       (uint64_t)1 << LINE_MOVED_BIT;
}

static inline uint64_t line_open_one(uint64_t s)
{
	return (s - ((uint64_t)1 << LINE_CLOSED_SHIFT)) |
	       (uint64_t)1 << LINE_MOVED_BIT;
}

static inline uint64_t line_aim_at(uint64_t s, uint32_t closed)
{
	return (line_unmoved(s) << 10 >> 10) |
	       (uint64_t)closed << (32 + LINE_CLOSED_SHIFT);
}

static inline int line_is_valid(uint64_t s, uint32_t ticket)
{
	struct line_pointers p = line_pointers(s);

	return ticket_is_valid(line_ticket(ticket), p.issue, p.valid,
			       ticket_leads(p.valid, p.issue));
}

/* The same for the ticket last issued. */
static inline int line_issue_is_valid(uint64_t s)
{
	struct line_pointers p = line_pointers(s);

	return ticket_leads(p.valid, p.issue);
}

/*
 * The same, and whether some ticket after it is, in a hurry: an error is on the side of
 * no, near the end of a block, or while slots are opened.  Of an S that is steady, or
 * that a release has made: what is above the tickets in both halves is the same then,
 * or the difference is large.
 */
static inline int line_issue_is_surely_valid(uint64_t s)
{
	return (uint32_t)(s >> 32) - (uint32_t)s < 1u << LINE_VALUE_BITS;
}

static inline int line_has_surely_no_heir(uint64_t s)
{
	return (uint32_t)(s >> 32) - (uint32_t)s - 1 <
	       (1u << LINE_VALUE_BITS) - 1;
}

/*
 * A release may hand its ticket back instead, if nobody has done anything since the
 * take: then ISSUE is that ticket, moves back to the one before, and everything is as
 * it was; the slot keeps its ticket.  Not at the beginning of a block, where S does not
 * tell the colour before.
 */
static inline int line_can_hand_back(uint64_t s)
{
	return (s & ((1u << LINE_VALUE_BITS) - 1)) != 0;
}

static inline uint64_t line_hand_back(uint64_t s)
{
	return line_unmoved(s) - 1;
}

/* A release of this ticket has made S: has it handed it back?  A ticket that is out
   is not the next one to be taken. */
static inline int line_handed_back(uint64_t s, uint32_t ticket)
{
	return line_issue(s) + 1 == ticket;
}

/* How many tickets after b, which it leads, is a? */
static inline uint32_t line_distance(struct ticket a, struct ticket b,
				     uint32_t m)
{
	return a.colour == b.colour ? a.value - b.value : a.value + m - b.value;
}

/* Valid tickets that nobody has taken yet. */
static inline uint32_t line_vacant(uint64_t s, uint32_t m)
{
	struct line_pointers p = line_pointers(s);

	return ticket_leads(p.valid, p.issue) ?
		       line_distance(p.valid, p.issue, m) :
		       0;
}

/* No ticket is out, and nobody waits. */
static inline int line_is_empty(uint64_t s, uint32_t slots, uint32_t m)
{
	return line_issue_is_valid(s) &&
	       line_vacant(s, m) + line_closed(s) == slots;
}

/* May the ticket last validated have been taken? */
static inline int line_has_heir(uint64_t s)
{
	struct line_pointers p = line_pointers(s);

	return !ticket_leads(p.valid, p.issue) ||
	       line_issue(s) == line_valid(s);
}

/* How many are before a ticket that is not valid yet, in the line. */
static inline uint32_t line_position(uint64_t s, uint32_t ticket, uint32_t m)
{
	return line_distance(line_ticket(ticket), line_pointers(s).valid, m) -
	       1;
}

/* The ticket taken right before one that is not valid, or after one that is not
   the last. */
static inline uint32_t line_ticket_before(uint64_t s, uint32_t ticket,
					  uint32_t m)
{
	struct ticket t = line_ticket(ticket);

	if (t.value)
		return ticket - 1;
	return line_ticket_word(
		(struct ticket){ m - 1, line_pointers(s).valid.colour });
}

static inline uint32_t line_ticket_after(uint64_t s, uint32_t ticket,
					 uint32_t m)
{
	if (line_ticket(ticket).value < m - 1)
		return ticket + 1;
	return line_ticket_word(
		(struct ticket){ 0, line_pointers(s).issue.colour });
}

/* Is the last of so many, of which the first is not valid, the last one taken? */
static inline int line_ends_with(uint64_t s, uint32_t first, uint32_t units,
				 uint32_t m)
{
	return line_distance(line_pointers(s).issue, line_ticket(first), m) +
		       1 ==
	       units;
}

/*
 * The last ticket, which is not valid, is taken back, or several of which this is the
 * first: then the one before it is the last, and it will be taken again.  With its
 * colour or, where a block begins, with another one: of VALID's colour is the block
 * before it.
 */
static inline uint64_t line_retract(uint64_t s, uint32_t ticket, uint32_t m)
{
	return (line_unmoved(s) & ~(uint64_t)LINE_TICKET_MASK) |
	       line_ticket_before(s, ticket, m);
}

/* Somebody has taken back this ticket or exchanged it for the next one, and made S:
   which?  Where a block begins, ISSUE's colour tells. */
static inline int line_is_retracted(uint64_t s, uint32_t ticket)
{
	struct ticket t = line_ticket(ticket);

	return t.value ? line_handed_back(s, ticket) :
			 line_pointers(s).issue.colour != t.colour;
}

/*
 * The two changes of S: a take moves ISSUE on, a release VALID.  Unless the
 * pointer ends its block, that is one added to its value.
 */
static inline int line_issue_ends_block(uint64_t s, uint32_t m)
{
	return line_ticket(line_issue(s)).value == m - 1;
}

static inline int line_valid_ends_block(uint64_t s, uint32_t m)
{
	return line_ticket(line_valid(s)).value == m - 1;
}

static inline uint64_t line_issue_on(uint64_t s)
{
	return s + 1;
}

static inline uint64_t line_valid_on(uint64_t s)
{
	return s + ((uint64_t)1 << 32);
}

/* VALID would move on. */
static inline int line_valid_needs_colour(uint64_t s, uint32_t m)
{
	struct line_pointers p = line_pointers(s);

	return ticket_needs_colour(p.valid, m, ticket_leads(p.valid, p.issue));
}

static inline uint64_t line_validate(uint64_t s, uint32_t m,
				     uint32_t new_colour)
{
	struct line_pointers p = line_pointers(s);

	if (!line_valid_ends_block(s, m))
		return line_valid_on(s);
	p.valid = ticket_next(p.valid, p.issue, m,
			      ticket_leads(p.valid, p.issue), new_colour);
	return line_point(s, p);
}

/* Where it does, it may need a colour that no valid ticket has. */
static inline int line_take_needs_colour(uint64_t s, uint32_t m)
{
	struct line_pointers p = line_pointers(s);

	return ticket_needs_colour(p.issue, m, ticket_leads(p.issue, p.valid));
}

static inline uint64_t line_take(uint64_t s, uint32_t m, uint32_t new_colour)
{
	struct line_pointers p = line_pointers(s);

	s = line_unmoved(s);
	if (!line_issue_ends_block(s, m))
		return line_issue_on(s);
	p.issue = ticket_next(p.issue, p.valid, m,
			      ticket_leads(p.issue, p.valid), new_colour);
	return line_point(s, p);
}

/* A release closes its slot, if that shall be: the ticket stays valid, and VALID
   where it is. */
static inline int line_release_needs_colour(uint64_t s, uint32_t m)
{
	return !line_is_closing(s) && line_valid_needs_colour(s, m);
}

static inline uint64_t line_release(uint64_t s, uint32_t m, uint32_t new_colour)
{
	return line_is_closing(s) ?
		       line_close_one(s) :
		       line_validate(line_unmoved(s), m, new_colour);
}

/* One slot is opened: its ticket is none any more, and the next one is valid. */
static inline uint64_t line_open(uint64_t s, uint32_t m, uint32_t new_colour)
{
	return line_open_one(line_validate(s, m, new_colour));
}

/*
 * Several tickets at once: as many takes that nobody interrupts.  They are at most k
 * <= M, so they end one block at most; and one that begins needs a colour if ISSUE,
 * at the end of its block, leads.
 */
static inline int line_units_end_block(uint64_t s, uint32_t m, uint32_t units)
{
	return line_ticket(line_issue(s)).value + units >= m;
}

static inline int line_units_need_colour(uint64_t s, uint32_t m, uint32_t units)
{
	struct line_pointers p = line_pointers(s);

	if (!line_units_end_block(s, m, units))
		return 0;
	p.issue.value = m - 1;
	return ticket_leads(p.issue, p.valid);
}

static inline uint64_t line_take_units(uint64_t s, uint32_t m, uint32_t units,
				       uint32_t new_colour)
{
	struct line_pointers p = line_pointers(s);
	uint32_t left = m - 1 - p.issue.value;

	s = line_unmoved(s);
	if (!line_units_end_block(s, m, units))
		return s + units;
	p.issue.value = m - 1;
	p.issue = ticket_next(p.issue, p.valid, m,
			      ticket_leads(p.issue, p.valid), new_colour);
	p.issue.value = units - left - 1;
	return line_point(s, p);
}

/* How many tickets are out, of k slots, open or closed. */
static inline uint32_t line_out(uint64_t s, uint32_t m, uint32_t k)
{
	struct line_pointers p = line_pointers(s);
	uint32_t open = k - line_closed(s);

	return ticket_leads(p.valid, p.issue) ?
		       open - line_vacant(s, m) :
		       open + line_distance(p.issue, p.valid, m);
}

/* May so many more be taken at once, so that afterwards every other seat can still
   take one?  One alone always may. */
static inline int line_has_room(uint64_t s, uint32_t seats, uint32_t k,
				uint32_t units)
{
	return line_out(s, line_block(seats, k), k) + units <=
	       line_tickets(seats, k) - seats + 1;
}

/* The set of colours in use, and one that is not. */
static inline void line_use_colour(uint64_t *set, uint32_t ticket)
{
	uint32_t colour = line_ticket(ticket).colour;

	set[colour / 64] |= (uint64_t)1 << colour % 64;
}

static inline uint32_t line_new_colour(const uint64_t *set)
{
	uint32_t i = 0;

	while (!~set[i])
		i++;
	return 64 * i + (uint32_t)__builtin_ctzll(~set[i]);
}

/* The line before anybody came: as many tickets as slots are open are valid, one a slot;
   those of the last slots, which are closed, have a colour that is not in use, as if
   they were old.  M is greater than the number of slots, if any is closed. */
static inline uint64_t line_start(uint32_t slots, uint32_t closed, uint32_t m)
{
	uint32_t open = slots - closed;
	uint64_t s = line_pointers_word(
		(struct line_pointers){ .valid = { open % m, open / m } });

	return line_aim_at(s, closed) | (uint64_t)closed << LINE_CLOSED_SHIFT;
}

static inline uint64_t line_start_slot(uint32_t slot, uint32_t slots,
				       uint32_t closed, uint32_t m)
{
	if (slot >= slots - closed)
		return (uint64_t)1 << LINE_PARKED_BIT |
		       line_ticket_word((struct ticket){ slot, 1 });
	return line_ticket_word(
		(struct ticket){ (slot + 1) % m, (slot + 1) / m });
}

/* --- SLOT ------------------------------------------------------------------- */

static inline uint32_t line_slot_ticket(uint64_t entry)
{
	return (uint32_t)entry & LINE_TICKET_MASK;
}

static inline int line_slot_died(uint64_t entry)
{
	return entry >> LINE_DIED_BIT & 1;
}

/* The slot is closed. */
static inline int line_slot_parked(uint64_t entry)
{
	return entry >> LINE_PARKED_BIT & 1;
}

/* (t, stamp) -> (u, stamp + 1), not parked */
static inline uint64_t line_slot_next(uint64_t entry, uint32_t ticket, int died)
{
	uint64_t stamp = (entry >> LINE_STAMP_SHIFT) + 1;

	if (LINE_STAMP_BITS + LINE_STAMP_SHIFT < 64)
		stamp %= (uint64_t)1 << LINE_STAMP_BITS;
	return stamp << LINE_STAMP_SHIFT |
	       (uint64_t)(died != 0) << LINE_DIED_BIT | ticket;
}

/* (t, stamp) -> (t, stamp + 1, parked) */
static inline uint64_t line_slot_park(uint64_t entry, int died)
{
	return line_slot_next(entry, line_slot_ticket(entry), died) |
	       (uint64_t)1 << LINE_PARKED_BIT;
}

/* A release has made S: what becomes of its slot. */
static inline uint64_t line_slot_released(uint64_t entry, uint64_t s, int died)
{
	return line_has_moved(s) ? line_slot_park(entry, died) :
				   line_slot_next(entry, line_valid(s), died);
}

/* The slot has been opened, by what made S. */
static inline uint64_t line_slot_opened(uint64_t entry, uint64_t s)
{
	return line_slot_next(entry, line_valid(s), line_slot_died(entry));
}

/* --- SEAT ------------------------------------------------------------------- */

/* range: 0, unless it took several. */
struct line_seat {
	uint64_t state, payload, range;
};

static inline enum line_phase line_phase(uint64_t state)
{
	return state & 7;
}

static inline int line_dead(uint64_t state)
{
	return state >> 3 & 1;
}

static inline uint64_t line_seq(uint64_t state)
{
	return state >> LINE_SEQ_SHIFT;
}

/* Of a seat, the words that change together. */
static inline struct line_seat line_cell(uint64_t state, uint64_t payload)
{
	return (struct line_seat){ .state = state, .payload = payload };
}

/* How many of several tickets it has left; 0: it took one alone. */
static inline uint32_t line_units(uint64_t state)
{
	return (uint32_t)(state & LINE_UNITS_MASK) >> LINE_UNITS_SHIFT;
}

/* The same, of any. */
static inline uint32_t line_left(uint64_t state)
{
	return line_units(state) ? line_units(state) : 1;
}

/* units > 1, or none are said. */
static inline uint64_t line_of_units(uint64_t state, uint32_t units)
{
	return state | (uint64_t)(units > 1 ? units : 0) << LINE_UNITS_SHIFT;
}

static inline uint64_t line_was_inside(uint64_t state)
{
	return state | LINE_INSIDE;
}

/* With one less, of which there are more: what is left. */
static inline uint64_t line_less_one(uint64_t state)
{
	return state - ((uint64_t)1 << LINE_UNITS_SHIFT);
}

/* Phase and units together. */
static inline int line_is_single(uint64_t state, enum line_phase phase)
{
	return (state & (LINE_UNITS_MASK | 7)) == phase;
}

static inline uint32_t line_payload_ticket(uint64_t payload)
{
	return (uint32_t)payload & LINE_TICKET_MASK;
}

/* 1 + slot; 0 before the owner knows it. */
static inline uint32_t line_payload_slot(uint64_t payload)
{
	return (uint32_t)(payload >> LINE_SLOT_SHIFT) & LINE_SLOT_MASK;
}

static inline int line_payload_died(uint64_t payload)
{
	return payload >> LINE_PAYLOAD_DIED_BIT & 1;
}

/* Held on behalf of a command: outlives its owner. */
static inline int line_kept(struct line_seat c)
{
	return line_phase(c.state) == LINE_HAVE &&
	       c.payload >> LINE_PAYLOAD_KEPT_BIT & 1;
}

static inline uint64_t line_keep(uint64_t payload)
{
	return payload | (uint64_t)1 << LINE_PAYLOAD_KEPT_BIT;
}

/* Its owner has gone, and left what it had to guests (guests.c). */
static inline int line_is_left(struct line_seat c)
{
	return line_kept(c) && !(c.payload >> LINE_LIFE_SHIFT);
}

static inline uint64_t line_state(uint64_t seq, enum line_phase phase)
{
	return seq << LINE_SEQ_SHIFT | phase;
}

static inline uint64_t line_payload(uint32_t ticket, uint32_t slot1, int died)
{
	return (uint64_t)(died != 0) << LINE_PAYLOAD_DIED_BIT |
	       (uint64_t)slot1 << LINE_SLOT_SHIFT | ticket;
}

/* Whose seat it is, and that as a part of its payload. */
static inline uint32_t line_life(uint64_t payload)
{
	return (uint32_t)(payload >> LINE_LIFE_SHIFT);
}

static inline uint64_t line_of_life(uint32_t life)
{
	return (uint64_t)life << LINE_LIFE_SHIFT;
}

/* Another payload, of the same owner. */
static inline uint64_t line_new_payload(struct line_seat c, uint32_t ticket,
					uint32_t slot1, int died)
{
	return line_of_life(line_life(c.payload)) |
	       line_payload(ticket, slot1, died);
}

/* --- RANGE --------------------------------------------------------------------- */

/* Of the tickets whose take makes next of s. */
static inline uint64_t line_range(uint64_t s, uint64_t next, uint32_t m)
{
	struct line_pointers p = line_pointers(s);
	uint32_t first = line_issue_ends_block(s, m) ?
				 line_pointers(next).issue.colour :
				 p.issue.colour;

	return line_issue(next) | (uint64_t)first << LINE_TICKET_BITS;
}

/* The one that so many are left of, itself the first of them. */
static inline uint32_t line_range_ticket(uint64_t range, uint32_t left,
					 uint32_t m)
{
	struct ticket t = line_ticket((uint32_t)range);

	if (t.value >= left - 1)
		return line_ticket_word(
			(struct ticket){ t.value - (left - 1), t.colour });
	return line_ticket_word((struct ticket){
		t.value + m - (left - 1),
		(uint32_t)(range >> LINE_TICKET_BITS) & 0x1ff });
}

/* The tickets that a seat HAS: the one to be given back first, and the one for
   which it waits. */
static inline uint32_t line_first(struct line_seat c, uint32_t m)
{
	return line_units(c.state) ?
		       line_range_ticket(c.range, line_units(c.state), m) :
		       line_payload_ticket(c.payload);
}

static inline uint32_t line_last(struct line_seat c)
{
	return line_units(c.state) ? (uint32_t)c.range & LINE_TICKET_MASK :
				     line_payload_ticket(c.payload);
}

/* Which of so many left of a range is this ticket?  1: the last one; 0: none. */
static inline uint32_t line_range_place(uint64_t range, uint32_t left,
					uint32_t ticket, uint32_t m)
{
	uint32_t last = line_ticket((uint32_t)range).value;
	uint32_t value = line_ticket(ticket).value;
	uint32_t place = 1 + last - value + (value > last ? m : 0);

	return place <= left && line_range_ticket(range, place, m) == ticket ?
		       place :
		       0;
}

/* Is it one of those that a seat HAS? */
static inline int line_has_ticket(struct line_seat c, uint32_t ticket,
				  uint32_t m)
{
	if (line_phase(c.state) != LINE_HAVE)
		return 0;
	return line_units(c.state) ?
		       line_range_place(c.range, line_units(c.state), ticket,
					m) != 0 :
		       line_payload_ticket(c.payload) == ticket;
}

static inline int line_has_last(struct line_seat c, uint32_t ticket)
{
	return line_phase(c.state) == LINE_HAVE && line_last(c) == ticket;
}

/* Whom does it concern that this ticket has become valid?  Who lives waits for the
   last one; of the dead the first one is to be given back. */
static inline int line_is_heir(struct line_seat c, uint32_t ticket, uint32_t m)
{
	return line_phase(c.state) == LINE_HAVE &&
	       (line_dead(c.state) ? line_first(c, m) : line_last(c)) == ticket;
}

static inline uint64_t line_tag(uint64_t state, uint32_t seat)
{
	return line_seq(state) << LINE_SEQ_SHIFT | (seat + 1);
}

static inline int line_has_tag(uint64_t t)
{
	return t && t != LINE_REMOVED;
}

static inline uint32_t line_tag_seat(uint64_t t)
{
	return (uint32_t)(t & 0xffff) - 1;
}

/* Same operation, next phase; D is kept. */
static inline uint64_t line_to_phase(uint64_t state, enum line_phase phase)
{
	return (state & ~(uint64_t)7) | phase;
}

/* The same for an owner, who knows the phase. */
static inline uint64_t line_pass(uint64_t state, enum line_phase from,
				 enum line_phase to)
{
	return state + (uint64_t)to - (uint64_t)from;
}

/* The next operation: (s, phase) -> (s+1, phase); D is kept. */
static inline uint64_t line_begin(uint64_t state, enum line_phase phase)
{
	return line_to_phase(state, phase) + LINE_NEXT;
}

static inline uint64_t line_mark(uint64_t state)
{
	return state | 8;
}

/* by a helper, of a dead one: any(s) -> any(s, D); of both words, because it may
   be kept by now */
static inline struct line_seat line_marked(struct line_seat c)
{
	return line_cell(line_mark(c.state), c.payload);
}

/* FREE(s) -> JOINING(s+1, life) */
static inline struct line_seat line_claim(struct line_seat c, uint32_t life)
{
	return line_cell(line_begin(c.state, LINE_JOINING), line_of_life(life));
}

/* by a helper: TAKING(s) -> HAVE(s, ticket) */
static inline struct line_seat line_taken(struct line_seat c, uint64_t s)
{
	return line_cell(line_to_phase(c.state, LINE_HAVE),
			 line_new_payload(c, line_issue(s), 0, 0));
}

/* Did a dead one get into C? */
static inline int line_died_inside(struct line_seat c)
{
	return line_payload_slot(c.payload) || c.state & LINE_INSIDE;
}

/*
 * by a helper: HAVE(s, t, D) -> RELEASING(s+1, t, slot, D), with the slot's word,
 * which has t.  The next holder is told if this one was inside, or if it was not and
 * has not been told either; not if it has left what it had to guests.
 */
static inline struct line_seat line_give_back(struct line_seat c, uint32_t slot,
					      uint64_t entry)
{
	int inside = line_died_inside(c);
	int died = inside ? !line_is_left(c) : line_slot_died(entry);
	uint64_t state = line_begin(c.state, LINE_RELEASING);

	if (died && inside && line_units(c.state))
		state = line_was_inside(state);
	return line_cell(state, line_new_payload(c, line_slot_ticket(entry),
						 slot + 1, died));
}

/* Are there slots left to be opened, maybe, by whoever drives this seat? */
static inline int line_goes_on(uint64_t state)
{
	return line_phase(state) == LINE_RELEASED &&
	       state >> LINE_GOES_ON_BIT & 1;
}

/* by a helper: RELEASING(s) -> RELEASED(s, u), OPENING(s) -> RELEASED(s, u, goes
   on).  If no ticket was validated, the heir is one who is inside, or nobody. */
static inline struct line_seat line_given_back(struct line_seat c, uint64_t s)
{
	uint64_t goes_on = line_phase(c.state) == LINE_OPENING;

	return line_cell(line_to_phase(c.state, LINE_RELEASED) |
				 goes_on << LINE_GOES_ON_BIT,
			 line_new_payload(c, line_valid(s), 0, 0));
}

/* by a helper: RELEASED(s, u, goes on, D) -> OPENING(s+1, t, slot, D) */
static inline struct line_seat line_go_on(struct line_seat c, uint32_t ticket,
					  uint32_t slot1)
{
	uint64_t state = c.state & ~((uint64_t)1 << LINE_GOES_ON_BIT);

	return line_cell(line_begin(state, LINE_OPENING),
			 line_new_payload(c, ticket, slot1, 0));
}

/* Is a release over, and tickets are left? */
static inline int line_has_more(uint64_t state)
{
	return line_phase(state) == LINE_RELEASED && line_units(state) > 1;
}

/* Of its owner: what follows a release, or a take of nothing.  RELEASING(s, m) ->
   HAVE(s, m-1) */
static inline uint64_t line_idle(uint64_t state)
{
	return line_state(line_seq(state), LINE_IDLE);
}

static inline uint64_t line_released(uint64_t state)
{
	return line_units(state) > 1 ?
		       line_less_one(line_to_phase(state, LINE_HAVE)) :
		       line_idle(state);
}

/* by a helper: RELEASED(s, u, m, D) -> HAVE(s, m-1, D); else any(s) -> FREE(s), or
   IDLE(s) if its owner is still there */
static inline struct line_seat line_end(struct line_seat c)
{
	if (line_has_more(c.state))
		return line_cell(
			line_less_one(line_to_phase(c.state, LINE_HAVE)),
			line_new_payload(c, 0, 0, 0));
	if (line_dead(c.state))
		return line_cell(line_state(line_seq(c.state), LINE_FREE), 0);
	return line_cell(line_to_phase(c.state, LINE_IDLE), c.payload);
}

/* by a helper: HAVE(s, t, D) -> FREE(s+1), its ticket is taken back */
static inline struct line_seat line_retracted(struct line_seat c)
{
	return line_cell(line_state(line_seq(c.state) + 1, LINE_FREE), 0);
}

/* The same seat with another ticket. */
static inline struct line_seat line_moved(struct line_seat c, uint32_t ticket)
{
	return line_cell(c.state,
			 (c.payload & ~(uint64_t)LINE_TICKET_MASK) | ticket);
}

/* by a helper: HAVE(s, t, D) -> HAVE(s+1, u, D), u is the ticket after t */
static inline struct line_seat line_moved_back(struct line_seat c, uint64_t s,
					       uint32_t m)
{
	c.state += LINE_NEXT;
	return line_moved(
		c, line_ticket_after(s, line_payload_ticket(c.payload), m));
}

static inline uint64_t line_armed(uint64_t state)
{
	return line_seq(state) << 1 | 1;
}

/* Does the bell, read after the seat, tell of its owner's death, or the seat that it
   has gone?  As long as it joins, what the bell says may be of the owner before. */
static inline int line_is_told(struct line_seat c, enum line_bell bell)
{
	return line_is_left(c) ||
	       (line_phase(c.state) != LINE_JOINING && bell == LINE_DIED);
}

/* --- what is to be done ------------------------------------------------------ */

enum line_settle {
	LINE_SETTLED,
	LINE_SETTLE_TAKE,
	LINE_SETTLE_RELEASE,
	LINE_SETTLE_BACK, /* a release that has handed its ticket back; and what
			     was to open a slot, but has not */
	LINE_SETTLE_PARK, /* a release that has closed its slot */
	LINE_SETTLE_OPEN,
	LINE_SETTLE_RETRACT,
	LINE_SETTLE_EXCHANGE,
};

/* The tag of a retraction or an exchange of what is in seat i. */
static inline uint64_t line_tag_of_next(uint64_t state, uint32_t i)
{
	return line_tag(state + LINE_NEXT, i);
}

/* W's T was read, then seat i: is its ticket taken back or exchanged, and that not
   written down? */
static inline int line_is_ahead(uint64_t t, uint32_t i, struct line_seat c)
{
	return line_phase(c.state) == LINE_HAVE && line_dead(c.state) &&
	       t == line_tag_of_next(c.state, i);
}

/* It is so: has S no ticket of this seat any more?  Several are not exchanged. */
static inline int line_took_back(uint64_t s, struct line_seat c)
{
	return line_units(c.state) ||
	       line_is_retracted(s, line_payload_ticket(c.payload));
}

/* W = (t, s): its tag names an operation; its seat was read: is it written down? */
static inline enum line_settle line_settle(uint64_t t, uint64_t s,
					   struct line_seat c)
{
	if (line_is_ahead(t, line_tag_seat(t), c))
		return line_took_back(s, c) ? LINE_SETTLE_RETRACT :
					      LINE_SETTLE_EXCHANGE;
	if (line_tag(c.state, line_tag_seat(t)) != t)
		return LINE_SETTLED;
	switch (line_phase(c.state)) {
	case LINE_TAKING:
		return LINE_SETTLE_TAKE;
	case LINE_RELEASING:
		return line_has_moved(s) ? LINE_SETTLE_PARK :
		       line_handed_back(s, line_payload_ticket(c.payload)) ?
					   LINE_SETTLE_BACK :
					   LINE_SETTLE_RELEASE;
	case LINE_OPENING:
		return line_has_moved(s) ? LINE_SETTLE_OPEN : LINE_SETTLE_BACK;
	default:
		return LINE_SETTLED;
	}
}

/* W = (t, s): how many tickets are out in seat i, taken and not given back; and the
   last of them. */
static inline uint32_t line_is_out(uint64_t t, uint64_t s, uint32_t i,
				   struct line_seat c, uint32_t *ticket)
{
	uint32_t applied = t == line_tag(c.state, i), left = line_left(c.state);

	*ticket = line_last(c);
	switch (line_phase(c.state)) {
	case LINE_TAKING:
		*ticket = line_issue(s);
		return applied ? left : 0;
	case LINE_HAVE:
		return line_is_ahead(t, i, c) && line_took_back(s, c) ? 0 :
									left;
	case LINE_RELEASING:
		return left - applied;
	case LINE_RELEASED:
		return left - 1;
	default:
		return 0;
	}
}

/* The i-th of them, from the last one, the first being 1. */
static inline uint32_t line_nth_out(struct line_seat c, uint32_t last,
				    uint32_t i, uint32_t m)
{
	return line_units(c.state) ? line_range_ticket(c.range, i, m) : last;
}

enum line_put { LINE_PUT, LINE_PUT_DONE, LINE_PUT_PAST };

/* A release, or an opening, was applied and made S; its slot was read: has it been
   put? */
static inline enum line_put line_put(uint64_t entry, struct line_seat c,
				     uint64_t s)
{
	uint32_t ticket = line_slot_ticket(entry);
	int opens = line_phase(c.state) == LINE_OPENING;

	if (ticket == line_payload_ticket(c.payload))
		return line_slot_parked(entry) == opens ? LINE_PUT :
							  LINE_PUT_DONE;
	return ticket == line_valid(s) ? LINE_PUT_DONE : LINE_PUT_PAST;
}

/* What is put there. */
static inline uint64_t line_slot_settled(uint64_t entry, struct line_seat c,
					 uint64_t s)
{
	return line_phase(c.state) == LINE_OPENING ?
		       line_slot_opened(entry, s) :
		       line_slot_released(entry, s,
					  line_payload_died(c.payload));
}

/* W = (t, s) is settled, and the slot of a seat that is OPENING was read: can it be
   opened? */
static inline int line_can_open(uint64_t s, struct line_seat c, uint64_t entry)
{
	return line_is_opening(s) && line_payload_slot(c.payload) &&
	       line_slot_parked(entry) &&
	       line_slot_ticket(entry) == line_payload_ticket(c.payload);
}

enum line_drive {
	LINE_DRIVEN,	     /* nothing is left to do, or not yet */
	LINE_DRIVE_FREE,     /* nothing was begun: free the seat */
	LINE_DRIVE_AGAIN,    /* D was not yet seen at this seq: read W again */
	LINE_DRIVE_SETTLE,   /* a take that is applied: write it down */
	LINE_DRIVE_GIVE,     /* a valid ticket: find its slot, give it back */
	LINE_DRIVE_RELEASE,  /* a release: apply it */
	LINE_DRIVE_RELEASED, /* it is applied: the heir, then free the seat */
	LINE_DRIVE_RETRACT, /* the last ticket or tickets, not valid: take back */
	LINE_DRIVE_EXCHANGE, /* the one before the driver's own, neither is valid */
	LINE_DRIVE_OPEN,     /* what opens a slot, if there is one: apply it */
	LINE_DRIVE_ON,	     /* it is applied: the heir, then the next slot */
};

/*
 * W = (t, s) was read, then seat j as c, on which D was seen at seq d and whose
 * first ticket, if it HAS one, is this: how is its operation brought to its end?
 */
static inline enum line_drive line_drive(uint64_t t, uint64_t s, uint32_t j,
					 struct line_seat c, uint32_t ticket,
					 uint64_t d, uint32_t m)
{
	if (!line_dead(c.state))
		return LINE_DRIVEN;
	switch (line_phase(c.state)) {
	case LINE_IDLE:
	case LINE_JOINING:
		return LINE_DRIVE_FREE;
	case LINE_TAKING:
		return line_seq(c.state) != d	 ? LINE_DRIVE_AGAIN :
		       t == line_tag(c.state, j) ? LINE_DRIVE_SETTLE :
						   LINE_DRIVE_FREE;
	case LINE_HAVE:
		if (line_is_ahead(t, j, c))
			return LINE_DRIVE_SETTLE;
		if (line_is_valid(s, ticket))
			return LINE_DRIVE_GIVE;
		return line_ends_with(s, ticket, line_left(c.state), m) ?
			       LINE_DRIVE_RETRACT :
			       LINE_DRIVEN; /* its turn will come */
	case LINE_RELEASING:
		return LINE_DRIVE_RELEASE;
	case LINE_RELEASED:
		return line_goes_on(c.state) ? LINE_DRIVE_ON :
					       LINE_DRIVE_RELEASED;
	case LINE_OPENING:
		return t == LINE_REMOVED ? LINE_DRIVEN : LINE_DRIVE_OPEN;
	default:
		return LINE_DRIVEN;
	}
}

/*
 * The same, by somebody who waits with one ticket of its own: if that of seat j is the
 * one right before, and alone, it goes there, and the other one nearer to the end of
 * the line, where it can be taken back.
 */
static inline enum line_drive line_drive_waiting(uint64_t t, uint64_t s,
						 uint32_t j, struct line_seat c,
						 uint32_t ticket, uint64_t d,
						 uint32_t own, uint32_t m)
{
	enum line_drive verdict = line_drive(t, s, j, c, ticket, d, m);

	return verdict == LINE_DRIVEN && line_dead(c.state) &&
			       line_is_single(c.state, LINE_HAVE) &&
			       !line_is_valid(s, own) &&
			       line_ticket_before(s, own, m) == ticket ?
		       LINE_DRIVE_EXCHANGE :
		       verdict;
}

#endif
