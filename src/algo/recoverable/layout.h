/* SPDX-License-Identifier: MIT */
/*
 * layout - which registers there are, what they hold before the first step, and
 * how wide they are; what a variant changes in that.
 */
#ifndef WICKET_RECOVERABLE_LAYOUT_H
#define WICKET_RECOVERABLE_LAYOUT_H

#include "algo/line.h"
#include "algo/recoverable/lists.h"

static inline uint32_t seats(const struct wicket_cfg *c)
{
	return c->seats ? c->seats : c->n;
}

static inline int is_removing(const struct wicket_cfg *c)
{
	return c->variant == REMOVING || c->variant == KEPT ||
	       c->variant == RESTORING || c->variant == DRAINED;
}

static inline int takes_several(const struct wicket_cfg *c)
{
	return c->variant == UNITS || c->variant == QUEUED ||
	       c->variant == NARROWED;
}

static inline int is_resized(const struct wicket_cfg *c)
{
	return c->variant == RESIZED || c->variant == DRAINED ||
	       c->variant == NARROWED;
}

/* Explored with fewer tickets a colour than what is shipped, so that they come back
   sooner: with FLBB's footnote 2, but then an empty line cannot be told from a full
   one; and, where no slot is ever closed, as many as can wait then.  And with no more
   tickets out than there can be, where the shipped line with several slots has room for
   those of seats that take several. */
static inline uint32_t block(const struct wicket_cfg *c)
{
	uint32_t most = seats(c) * (takes_several(c) ? c->k : 1);

	return is_removing(c)	     ? line_block(seats(c), c->k) :
	       c->variant == SHIPPED ? line_block_of(most, c->k) :
	       is_resized(c)	     ? line_block_of(most, c->k) - 1 :
				       ticket_tight_block(most, c->k);
}

/* Closed in the beginning. */
static inline uint32_t closed_first(const struct wicket_cfg *c)
{
	return c->variant == DRAINED ? c->k : 0;
}

static inline uint32_t slot_reg(uint64_t s)
{
	return 1 + (uint32_t)s;
}

static inline uint32_t seat_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + (uint32_t)i;
}

static inline uint32_t fut_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + seats(c) + (uint32_t)i;
}

static inline uint32_t bell_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + 2 * seats(c) + (uint32_t)i;
}

static inline uint32_t life_reg(const struct wicket_cfg *c)
{
	return 1 + c->k + 3 * seats(c);
}

static inline uint32_t keep_reg(const struct wicket_cfg *c, uint64_t i)
{
	return life_reg(c) + 1 + (uint32_t)i;
}

static inline uint32_t registers(const struct wicket_cfg *c)
{
	return keep_reg(c, c->variant == KEPT ? seats(c) : 0);
}

/* A process's number is that of its life. */
static inline uint32_t life_of(const struct wicket_cfg *c, struct wicket_proc p)
{
	return c->mutant == LIFE_SHARED ? 1 : p.self;
}

static inline int is_alive(struct wicket_value lives, uint32_t life)
{
	return lives.w[life / 64] >> life % 64 & 1;
}

static inline struct wicket_value with_life(struct wicket_value lives,
					    uint32_t life)
{
	lives.w[life / 64] |= (uint64_t)1 << life % 64;
	return lives;
}

static inline struct wicket_value without_life(struct wicket_value lives,
					       uint32_t life)
{
	lives.w[life / 64] &= ~((uint64_t)1 << life % 64);
	return lives;
}

static inline int is_watched(const struct wicket_cfg *c)
{
	return c->variant == WATCHED || c->variant == INSIDE ||
	       c->variant == BEHIND;
}

static inline int is_seated(const struct wicket_cfg *c)
{
	return c->variant == SEATED || c->variant == SHIPPED ||
	       c->variant == TORN || c->variant == HALVES || is_watched(c) ||
	       is_resized(c);
}

/* Does the kernel fail to ring the bell when this one dies? */
static inline int is_silent(const struct wicket_cfg *c, struct wicket_proc p)
{
	return (c->variant == SILENT || c->variant == KEPT) && !(p.self & 1);
}

static inline const char *refuse(const struct wicket_cfg *c)
{
	if (seats(c) <= c->k || seats(c) > 16 || registers(c) > WICKET_REGS_MAX)
		return "recoverable needs more seats than slots, at most 16";
	if (c->variant == GIVEN_UP && c->k > 1)
		return "recoverable:given-up has one slot";
	if (c->variant == BEHIND && c->k > 1)
		return "recoverable:behind has one slot";
	if ((c->variant == UNITS || c->variant == NARROWED) && c->k < 2)
		return "recoverable:units and narrowed have several slots";
	if (c->variant == QUEUED && (c->n != 4 || c->k != 3 || seats(c) != 4))
		return "recoverable:queued has four processes and seats, and "
		       "three slots";
	if (c->variant != UNITS && c->variant != NARROWED && c->k >= c->n)
		return "recoverable needs more processes than slots";
	return is_seated(c) && seats(c) < c->n ? "not everybody has a seat" : 0;
}

/* That of slot i - 1 in the beginning. */
static inline uint32_t first_ticket(const struct wicket_cfg *c, uint32_t i)
{
	return (uint32_t)line_start_slot(i - 1, c->k, 0, block(c));
}

/* The first k have taken their tickets and are inside. */
static inline struct wicket_value past_inside(const struct wicket_cfg *c,
					      uint32_t r, struct wicket_value v)
{
	uint32_t i = r - seat_reg(c, 0) + 1;

	if (r == 0) {
		v.w[0] = line_tag(line_state(1, LINE_HAVE), c->k - 1);
		v.w[1] |= line_valid(v.w[1]);
		v.w[2] |= c->k;
	} else if (r >= seat_reg(c, 0) && i <= c->k) {
		v.w[0] = line_state(1, LINE_HAVE);
		v.w[1] = line_of_life(i) |
			 line_payload(first_ticket(c, i), i, 0);
		v.w[2] = i;
	}
	return v;
}

/* In the past of variant given-up, the seq of the second seat when it was left,
   and that of the first, which process 1 has joined and has a ticket in. */
enum { LEFT_SEQ = 3, GIVEN_UP_SEQ = 2 };

/* S after two takes and a release; of the two colours one is in the slot. */
static inline uint64_t past_pointers(const struct wicket_cfg *c)
{
	uint32_t m = block(c);
	uint32_t other = !line_ticket(first_ticket(c, 1)).colour;
	uint64_t s = line_take(line_start(c->k, 0, m), m, other);

	return line_release(line_take(s, m, other), m, other);
}

/*
 * Somebody took the first ticket in the second seat and was inside; process 1
 * took the second one, waited and gave up; the other released, which made that
 * ticket valid, and has left.
 */
static inline struct wicket_value past_given_up(const struct wicket_cfg *c,
						uint32_t r,
						struct wicket_value v)
{
	uint64_t s = past_pointers(c);

	if (r == 0) {
		v.w[0] = line_tag(line_state(LEFT_SEQ, LINE_RELEASING), 1);
		v.w[1] = s;
		v.w[2] = (uint64_t)2 << 32 | 2;
	} else if (r == slot_reg(0)) {
		v.w[0] = line_slot_next(v.w[0], line_issue(s), 0);
		v.w[1] = 2;
	} else if (r == seat_reg(c, 0)) {
		v.w[0] = line_mark(line_state(GIVEN_UP_SEQ, LINE_HAVE));
		v.w[1] = line_of_life(1) | line_payload(line_issue(s), 0, 0);
		v.w[2] = 2;
	} else if (r == seat_reg(c, 1)) {
		v.w[0] = line_state(LEFT_SEQ, LINE_FREE);
	} else if (r == life_reg(c)) {
		v.w[0] = 1 << 1;
	}
	return v;
}

/* S after so many takes, where one slot has the first ticket. */
static inline uint64_t past_taken(const struct wicket_cfg *c, uint32_t takes)
{
	uint32_t m = block(c);
	uint64_t s = line_start(c->k, 0, m);

	while (takes--)
		s = line_take(s, m, !line_ticket(first_ticket(c, 1)).colour);
	return s;
}

static inline uint64_t armed(const struct wicket_cfg *c, uint64_t seq)
{
	return c->mutant == FLAG_FUTEX ? 1 :
					 line_armed(line_state(seq, LINE_FREE));
}

/* All have taken a ticket, in order; the first is inside, the second has left its
   seat, the third sleeps. */
static inline struct wicket_value past_behind(const struct wicket_cfg *c,
					      uint32_t r, struct wicket_value v)
{
	uint32_t i = r - seat_reg(c, 0) + 1;

	if (r == 0) {
		v.w[0] = line_tag(line_state(1, LINE_HAVE), c->n - 1);
		v.w[1] = past_taken(c, c->n);
		v.w[2] |= c->n;
	} else if (r >= seat_reg(c, 0) && i <= c->n) {
		v.w[0] = line_state(1, LINE_HAVE);
		if (i == 2)
			v.w[0] = line_mark(v.w[0]);
		v.w[1] = line_of_life(i) |
			 line_payload(line_issue(past_taken(c, i)), i == 1, 0);
		v.w[2] = i;
	} else if (r == fut_reg(c, 2)) {
		v.w[0] = armed(c, 1);
	} else if (r == bell_reg(c, 1)) {
		v.w[0] = LINE_NOBODY;
	}
	return v;
}

/* In variant queued, the last tickets of those who have come: of the first, who had
   all slots and has given two back; of the second, who has these now, but was giving
   up; and of the fourth, who has given up, and died before it could take its ticket
   back.  The third has not come yet. */
enum { HAD_ALL = 3, WAITED = 5, BEHIND_IT = 6, TWO = 2, GAVE_BACK_SEQ = 3 };

static inline struct wicket_value past_queued(const struct wicket_cfg *c,
					      uint32_t r, struct wicket_value v)
{
	const uint64_t gave_back = line_was_inside(
		line_state(GAVE_BACK_SEQ, LINE_HAVE) | 1 << LINE_UNITS_SHIFT);
	const uint64_t states[] = {
		gave_back,
		line_of_units(line_state(1, LINE_HAVE), TWO),
		line_mark(line_state(1, LINE_HAVE)),
		line_state(0, LINE_IDLE),
	};
	const uint32_t last[] = { HAD_ALL, WAITED, BEHIND_IT, 0 };
	const uint32_t lives[] = { 1, 2, 4, 3 };
	uint32_t i = r - seat_reg(c, 0);

	if (r == 0) {
		v.w[0] = line_tag(gave_back, 0);
		v.w[1] += BEHIND_IT + ((uint64_t)TWO << 32);
		v.w[2] += BEHIND_IT * 1 + ((uint64_t)TWO << 32);
	} else if (r <= slot_reg(1)) {
		v.w[0] = line_slot_next(v.w[0], r + HAD_ALL, 0);
		v.w[1] = r + HAD_ALL;
	} else if (r >= seat_reg(c, 0) && r < fut_reg(c, 0)) {
		v.w[0] = states[i];
		v.w[1] = line_of_life(lives[i]) | line_payload(last[i], 0, 0);
		v.w[2] = last[i];
		v.w[3] = line_units(states[i]) ? last[i] : 0;
	} else if (r >= bell_reg(c, 0) && r < life_reg(c)) {
		v.w[0] = r == bell_reg(c, 2) ? LINE_NOBODY : LINE_ALIVE;
	} else if (r == life_reg(c)) {
		v.w[0] = 0xe;
	}
	return v;
}

/* In seat n, which is nobody's, somebody died who was about to open the first slot. */
static inline struct wicket_value past_drained(const struct wicket_cfg *c,
					       uint32_t r,
					       struct wicket_value v)
{
	enum { LIFE_ENDED = 100 };

	if (r == seat_reg(c, c->n) && r < fut_reg(c, 0)) {
		v.w[0] = line_mark(line_state(2, LINE_OPENING));
		v.w[1] = line_of_life(LIFE_ENDED) |
			 line_payload(line_slot_ticket(line_start_slot(
					      0, c->k, c->k, block(c))),
				      1, 0);
	}
	return v;
}

static inline struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_register x = { .range = 0 };

	if (r == 0) {
		x.start.w[1] = line_start(c->k, closed_first(c), block(c));
		x.start.w[2] = (uint64_t)(c->k - closed_first(c)) << 32;
	} else if (is_seated(c) && r >= seat_reg(c, 0) &&
		   r < seat_reg(c, c->n)) {
		x.start.w[0] = line_state(0, LINE_IDLE);
		x.start.w[1] = line_of_life(r - seat_reg(c, 0) + 1);
	} else if (is_seated(c) && r >= bell_reg(c, 0) &&
		   r < bell_reg(c, c->n)) {
		x.start.w[0] = LINE_ALIVE;
	} else if (is_seated(c) && r == life_reg(c)) {
		x.start.w[0] = ((uint64_t)2 << c->n) - 2;
	} else if (r <= c->k) {
		x.start.w[0] = line_start_slot(r - 1, c->k, closed_first(c),
					       block(c));
		x.start.w[1] = r;
	}
	if (c->variant == INSIDE)
		x.start = past_inside(c, r, x.start);
	if (c->variant == DRAINED)
		x.start = past_drained(c, r, x.start);
	if (c->variant == GIVEN_UP)
		x.start = past_given_up(c, r, x.start);
	if (c->variant == BEHIND)
		x.start = past_behind(c, r, x.start);
	if (c->variant == QUEUED)
		x.start = past_queued(c, r, x.start);
	return x;
}

/* The fields of algo/line.h, each as wide as this n and this k need; of seq and
   stamp, which only have to be large, as wide as there.  (A seat of one ticket needs
   neither units nor RANGE.) */
static inline uint32_t field_bits(const struct wicket_cfg *c, uint32_t r)
{
	enum { SEQ_BITS = 64 - LINE_SEQ_SHIFT, PHASE = 3, FLAG = 1, BELL = 2 };
	enum { LIFE_BITS = 64 - LINE_LIFE_SHIFT };
	uint32_t slot = wicket_bits(c->k + 1); /* so many colours, too */
	uint32_t ticket = wicket_bits(line_block_of(seats(c), c->k)) + slot;

	if (r < slot_reg(0))
		return wicket_bits(seats(c) + 1) + SEQ_BITS +
		       2 * (ticket + slot) + FLAG;
	if (r < seat_reg(c, 0))
		return ticket + 2 * FLAG + LINE_STAMP_BITS;
	if (r < fut_reg(c, 0))
		return PHASE + 2 * FLAG + SEQ_BITS + ticket + slot + 2 * FLAG +
		       LIFE_BITS;
	if (r < bell_reg(c, 0))
		return SEQ_BITS + FLAG;
	return r < life_reg(c) ? BELL : r == life_reg(c) ? c->n : SEQ_BITS;
}

#endif
