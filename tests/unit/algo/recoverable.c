/* SPDX-License-Identifier: MIT */
/*
 * recoverable - the protocol by hand, access by access, on a line of three
 * seats and two slots: one process alone; operations finished by a helper; the
 * dead; the heir; giving up; the end of the line; and on one of four seats, who
 * watches whom.  The words themselves are line.c's.
 *
 * There M is 2, so that ticket number i is (i mod 2, i div 2).  Who sits in
 * seat i, from 1, has number i, unless a test says otherwise.
 */
#include "../unit.h"

#include "algo/recoverable.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 2, .laps = 1 };

/* Its registers. */
enum { LINE_W, SLOT0, SLOT1, SEAT0, SEAT1, SEAT2, FUT0, FUT1, FUT2 };
enum { BELL0 = 9, BELL1, BELL2, LIVES, KEEP0, KEEP1, KEEP2, REGS };

/* Tickets: value in 13 bits, colour above. */
enum { T1 = 0x0001, T2 = 0x2000, T3 = 0x2001 };

/* --- words, put together by other means than the product's ---------------- */

static struct wicket_value seat(uint64_t seq, uint64_t phase, uint64_t d,
				uint64_t payload, uint64_t number)
{
	return words(seq * 0x10000 + d * 8 + phase, payload, number, 0);
}

/* A payload: the ticket in slot 0, 1, ... */
static uint64_t inside(uint64_t ticket, uint64_t slot)
{
	return (slot + 1) * 0x400000 + ticket;
}

#define DIED_INSIDE 0x100000000

/* The part of a payload that says whose it is. */
static uint64_t life(uint64_t number)
{
	return number * 0x400000000;
}

/* LIFE: bit i for life i. */
enum { NOBODY = 0, ONLY_1 = 2, ONLY_2 = 4, ONLY_3 = 8, ALL_3 = 14 };

static uint64_t pointers(uint64_t issue, uint64_t valid)
{
	return valid * 0x100000000 + issue;
}

/* W, where tag is seq * 65536 + seat, seats from 1. */
static struct wicket_value w(uint64_t tag, uint64_t issue, uint64_t valid,
			     uint64_t issued, uint64_t validated)
{
	return words(tag, pointers(issue, valid),
		     validated * 0x100000000 + issued, 0);
}

static struct wicket_value slot(uint64_t stamp, uint64_t died, uint64_t ticket,
				uint64_t number)
{
	return words(stamp * 0x800000 + died * 0x400000 + ticket, number, 0, 0);
}

static struct wicket_value regs[REGS];

/* Nobody has come yet. */
static void begin(void)
{
	memset(regs, 0, sizeof(regs));
	regs[LINE_W] = w(0, 0, T2, 0, 2);
	regs[SLOT0] = slot(0, 0, T1, 1);
	regs[SLOT1] = slot(0, 0, T2, 2);
}

#define w_taken	   w(0x20001, T1, T2, 1, 2)
#define w_released w(0x30001, T1, T3, 1, 3)

/* --- steps ---------------------------------------------------------------- */

/* One access of the process, and what it leaves in the registers. */
static struct wicket_result act(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	struct wicket_access a = access(c, p);
	struct wicket_value *v = &regs[a.reg];
	struct wicket_result r = step(c, p, *v);
	int met = !memcmp(v, &a.expect, 8u * (a.words ? a.words : 4u));

	assert_in_range(a.reg, 0, REGS - 1);
	if (a.kind == WICKET_STORE || a.kind == WICKET_RMW ||
	    (a.kind == WICKET_CAS && met))
		*v = r.put;
	return r;
}

static struct wicket_proc follow_pcs(const struct wicket_cfg *c,
				     struct wicket_proc p, const uint16_t *pcs,
				     size_t length)
{
	for (size_t i = 0; i < length; i++) {
		assert_int_equal(p.pc, pcs[i]);
		p = act(c, p).proc;
	}
	return p;
}

/* The process takes one step at each of these program counters. */
#define follow_in(c, p, ...)                                                   \
	follow_pcs((c), (p), (const uint16_t[]){ __VA_ARGS__ },                \
		   sizeof((const uint16_t[]){ __VA_ARGS__ }) /                 \
			   sizeof(uint16_t))
#define follow(p, ...) follow_in(&cfg, (p), __VA_ARGS__)

static void assert_proc(struct wicket_proc p, struct wicket_proc expected)
{
	assert_memory_equal(&p, &expected, sizeof(p));
}

static void assert_same(struct wicket_value v, struct wicket_value expected)
{
	assert_value(v, expected.w[0], expected.w[1], expected.w[2],
		     expected.w[3]);
}

/* A process in seat i, from 1. */
static struct wicket_proc in_seat(uint16_t pc, uint64_t i, uint64_t seq)
{
	return (struct wicket_proc){
		.pc = pc,
		.self = (uint32_t)i,
		.local = { [ME] = i, [SEQ] = seq },
	};
}

/* Without a seat. */
static struct wicket_proc standing(uint16_t pc, uint32_t number)
{
	return (struct wicket_proc){ .pc = pc, .self = number };
}

/* --- the system ----------------------------------------------------------- */

static void where_the_registers_are(void **state)
{
	struct wicket_cfg more = { .n = 2, .k = 1, .seats = 4 };

	(void)state;
	begin();
	assert_int_equal(registers(&cfg), KEEP0);
	for (uint32_t r = 0; r < KEEP0; r++)
		assert_same(reg(&cfg, r).start, regs[r]);
	assert_int_equal(registers(&more), 15);
	assert_int_equal(block(&more), 3);
	assert_int_equal(seat_reg(&more, 3), 5);
	assert_int_equal(fut_reg(&more, 0), 6);
	assert_int_equal(bell_reg(&more, 3), 13);
	assert_int_equal(life_reg(&more), 14);
	/* as shipped */
	more.variant = REMOVING;
	assert_int_equal(block(&more), 4);
	more.variant = KEPT;
	assert_int_equal(block(&more), 4);
	assert_int_equal(keep_reg(&more, 3), 18);
	assert_int_equal(registers(&more), 19);
	more.variant = SILENT;
	assert_int_equal(block(&more), 3);
	assert_int_equal(registers(&more), 15);
	more.variant = WATCHED;
	assert_int_equal(block(&more), 3);
	assert_int_equal(registers(&more), 15);
}

static void seated_all_start_in_their_seats(void **state)
{
	const uint32_t kinds[] = { SEATED, WATCHED };
	struct wicket_cfg c = cfg;

	(void)state;
	assert_proc(start(&c, 3), standing(JOIN_LIFE, 3));
	begin();
	for (uint32_t i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(0, LINE_IDLE, 0, life(i + 1), 0);
		regs[BELL0 + i] = wicket_number(LINE_ALIVE);
	}
	regs[LIVES] = wicket_number(ALL_3);
	for (int v = 0; v < 2; v++) {
		c.variant = kinds[v];
		for (uint32_t i = 1; i <= 3; i++)
			assert_proc(start(&c, i), in_seat(TAKE_SEAT, i, 0));
		for (uint32_t r = 0; r < REGS; r++)
			assert_same(reg(&c, r).start, regs[r]);
		/* who comes later has none */
		assert_proc(start(&c, 4), standing(JOIN_LIFE, 4));
		assert_proc(start(&c, 0), standing(JOIN_LIFE, 0));
	}
}

static void sizes_that_are_refused(void **state)
{
	struct wicket_cfg c = { .n = 4, .k = 2, .variant = SEATED };

	(void)state;
	assert_null(refuse(&c));
	c.seats = 3; /* not everybody has one */
	assert_non_null(refuse(&c));
	c.variant = WATCHED;
	assert_non_null(refuse(&c));
	c.variant = SILENT;
	assert_null(refuse(&c));
	c.variant = 0;
	assert_null(refuse(&c));
	c.k = 3; /* as many slots as seats */
	assert_non_null(refuse(&c));
	c.seats = 17;
	assert_non_null(refuse(&c));
}

/* A set of numbers in words of 64. */
static void lives_are_a_set(void **state)
{
	struct wicket_value v = words(0, 0, 0, 0);

	(void)state;
	assert_false(is_alive(v, 1));
	v = with_life(v, 1);
	assert_value(v, 2, 0, 0, 0);
	v = with_life(with_life(v, 63), 64);
	assert_value(v, 0x8000000000000002, 1, 0, 0);
	v = with_life(v, 255);
	assert_value(v, 0x8000000000000002, 1, 0, 0x8000000000000000);
	assert_true(is_alive(v, 63));
	assert_true(is_alive(v, 255));
	assert_false(is_alive(v, 65));
	v = with_life(without_life(v, 63), 1); /* twice is once */
	assert_value(v, 2, 1, 0, 0x8000000000000000);
	v = without_life(without_life(v, 63), 64);
	assert_value(v, 2, 0, 0, 0x8000000000000000);
}

static enum wicket_region region_at(uint16_t pc, uint64_t own_slot)
{
	struct wicket_proc p = in_seat(pc, 1, 2);

	p.local[SLOT] = own_slot;
	return region(&cfg, p);
}

static void regions(void **state)
{
	struct wicket_proc p = { .pc = READ_T,
				 .local = { [RET] = AFTER_REMOVE } };

	(void)state;
	assert_int_equal(region_at(JOIN_LIFE, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(JOIN_SEAT, 0), WICKET_TRYING);
	assert_int_equal(region_at(JOIN_BELL, 0), WICKET_TRYING);
	assert_int_equal(region_at(TAKE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(READ_T, 0), WICKET_TRYING);
	assert_int_equal(region_at(TAKE_BACK, 0), WICKET_TRYING);
	assert_int_equal(region_at(WAIT_SLEEP, 0), WICKET_TRYING);
	/* as long as it tells of it, it has not yet come in */
	assert_int_equal(region_at(TELL_W, 1), WICKET_TRYING);
	assert_int_equal(region_at(HOLD, 1), WICKET_CRITICAL);
	assert_int_equal(region_at(READ_T, EXITING), WICKET_EXIT);
	assert_int_equal(region_at(ABANDON_BELL, 0), WICKET_EXIT);
	assert_int_equal(region_at(ABANDON_MARK, 0), WICKET_EXIT);
	assert_int_equal(region_at(LEAVE_BELL, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(LEAVE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(LEAVE_LIFE, 0), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, p), WICKET_REMAINDER);
	/* its life still has to end */
	assert_int_equal(region_at(DIE, 0), WICKET_EXIT);
	assert_int_equal(region_at(DIE_LIFE, 0), WICKET_EXIT);
	/* what it looks at may be anything but a slot of its own */
	p = in_seat(SCAN_SEAT, 1, 2);
	p.local[LOOKED] = pointers(0x3fffff, 0x3fffff);
	assert_int_equal(region(&cfg, p), WICKET_TRYING);
}

/* --- one process alone ---------------------------------------------------- */

enum { NOTHING = -1 };

/* A step from pc, which changes this register and no other. */
struct move {
	uint16_t pc;
	int reg;
	struct wicket_value value;
};

static int unlocks(struct wicket_proc p)
{
	return p.pc == ABANDON_BELL || p.pc == LEAVE_BELL;
}

static struct wicket_proc assert_moves(struct wicket_proc p,
				       const struct move *moves, size_t length)
{
	struct wicket_value expected[REGS];

	for (size_t i = 0; i < length; i++) {
		struct wicket_result r;

		assert_int_equal(p.pc, moves[i].pc);
		memcpy(expected, regs, sizeof(expected));
		if (moves[i].reg != NOTHING)
			expected[moves[i].reg] = moves[i].value;
		r = act(&cfg, p);
		/* only who unlocks a bell wakes one who watches it */
		assert_int_equal(r.wakes, unlocks(p));
		assert_int_equal(r.wake, r.wakes ? moves[i].reg : 0);
		assert_memory_equal(regs, expected, sizeof(expected));
		p = r.proc;
	}
	return p;
}

#define none words(0, 0, 0, 0)

/* Seat 1 holds number 1 and slot 0, and nobody else has come. */
static struct wicket_proc have_a_holder(void)
{
	struct wicket_proc p = in_seat(HOLD, 1, 2);

	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_1);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[LAST] = pointers(T1, T2);
	p.local[MINE] = T1;
	return p;
}

static void from_join_to_hold(void **state)
{
	const struct move moves[] = {
		{ JOIN_LIFE, LIVES, words(ONLY_1, 0, 0, 0) },
		{ JOIN_SEAT, NOTHING, none },
		{ JOIN_CLAIM, SEAT0, seat(1, LINE_JOINING, 0, life(1), 0) },
		{ JOIN_BELL, BELL0, words(LINE_ALIVE, 0, 0, 0) },
		{ JOIN_SIT, SEAT0, seat(1, LINE_IDLE, 0, life(1), 0) },
		{ TAKE_SEAT, SEAT0, seat(2, LINE_TAKING, 0, life(1), 0) },
		{ TAKE_W, NOTHING, none }, /* W is not as it guessed */
		{ TAKE_W, LINE_W, w_taken },
		{ TAKE_TICKET, SEAT0,
		  seat(2, LINE_TAKING, 0, life(1) + T1, 1) },
		{ TAKE_HAVE, SEAT0, seat(2, LINE_HAVE, 0, life(1) + T1, 1) },
		{ FIND, NOTHING, none },
		{ FOUND, SEAT0,
		  seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1) },
	};
	struct wicket_value reached[REGS];
	struct wicket_proc p;

	(void)state;
	begin();
	p = assert_moves(start(&cfg, 1), moves, 12);
	memcpy(reached, regs, sizeof(regs));
	assert_proc(p, have_a_holder());
	assert_memory_equal(regs, reached, sizeof(regs));
}

static void from_hold_to_done(void **state)
{
	const struct move moves[] = {
		{ HOLD, SEAT0,
		  seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1) },
		{ RELEASE_W, LINE_W, w_released },
		{ RELEASE_SLOT, SLOT0, slot(1, 0, T3, 3) },
		/* with so few tickets a colour it may have an heir */
		{ HEIR, NOTHING, none },
		{ HEIR, NOTHING, none },
		{ HEIR, NOTHING, none },
		{ RELEASE_END, SEAT0,
		  seat(3, LINE_IDLE, 0, life(1) + inside(T1, 0), 1) },
		/* the bell while the seat is its own, the life at the end */
		{ LEAVE_BELL, BELL0, none },
		{ LEAVE_SEAT, SEAT0, seat(3, LINE_FREE, 0, 0, 0) },
		{ LEAVE_LIFE, LIVES, none },
	};
	struct wicket_proc p = have_a_holder();

	(void)state;
	p = assert_moves(p, moves, 10);
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
}

static void who_leaves_has_no_seat_any_more(void **state)
{
	struct wicket_proc p = in_seat(LEAVE_BELL, 1, 3);

	(void)state;
	have_a_holder();
	p = follow(p, LEAVE_BELL);
	assert_proc(p, in_seat(LEAVE_SEAT, 1, 3));
	p = follow(p, LEAVE_SEAT);
	assert_proc(p, standing(LEAVE_LIFE, 1));
	assert_value(regs[LIVES], ONLY_1, 0, 0, 0);
}

static void the_second_time_it_stays_seated(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_proc p = have_a_holder();

	(void)state;
	c.laps = 2;
	p = follow_in(&c, p, HOLD, RELEASE_W, RELEASE_SLOT, HEIR, HEIR, HEIR,
		      RELEASE_END);
	assert_int_equal(p.local[LAP], 1);
	/* ISSUE ends its block and follows VALID into the next: no guess */
	p = follow_in(&c, p, TAKE_SEAT, READ_T, READ_S, TAKE_W, TAKE_TICKET,
		      TAKE_HAVE, FIND, FIND, FOUND);
	assert_same(regs[LINE_W], w(0x40001, T2, T3, 2, 3));
	assert_same(regs[SEAT0],
		    seat(4, LINE_HAVE, 0, life(1) + inside(T2, 1), 2));
	/* SLOT holds (1,1) and (0,1): colour 0 is new */
	p = follow_in(&c, p, HOLD, READ_T, READ_S, COLOURS, COLOURS, RELEASE_W);
	assert_same(regs[LINE_W], w(0x50001, T2, 0, 2, 4));
	p = follow_in(&c, p, RELEASE_SLOT, HEIR, HEIR, HEIR, RELEASE_END);
	assert_same(regs[SLOT1], slot(1, 0, 0, 4));
	assert_proc(p, in_seat(LEAVE_BELL, 1, 5));
}

static void w_is_most_likely_as_it_was_left(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 3), q;

	(void)state;
	begin();
	regs[LINE_W] = w(0x30001, T2, T3, 2, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	p.local[LAST] = pointers(T2, T3);
	q = follow(p, TAKE_SEAT, TAKE_W);
	assert_same(regs[LINE_W], w(0x40001, T3, T3, 3, 3));
	assert_int_equal(q.pc, TAKE_TICKET);
	assert_int_equal(q.local[TICKET], 0x300000000 + T3);
	/* the same pointers, but somebody else's: that has to be settled */
	regs[LINE_W] = w(0x20002, T2, T3, 2, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	q = follow(p, TAKE_SEAT, TAKE_W, SETTLE_SEAT, TAKE_W);
	assert_same(regs[LINE_W], w(0x40001, T3, T3, 3, 3));
	/* who waited does not guess */
	assert_int_equal(q.local[LAST], pointers(T3, T3));
	q = act(&cfg, in_seat(TAKE_HAVE, 1, 4)).proc;
	assert_int_equal(q.local[LAST], 0);
}

static void a_lost_race_for_w_shows_what_it_is(void **state)
{
	struct wicket_proc p = in_seat(TAKE_W, 2, 2), q = p;

	(void)state;
	p.local[WS] = pointers(0, T2);
	p.local[WG] = 0x200000000;
	p.local[E] = pointers(T1, T2);
	q.pc = SETTLE_SEAT;
	q.local[WT] = 0x20001;
	q.local[WS] = pointers(T1, T2);
	q.local[WG] = 0x200000001;
	assert_proc(step(&cfg, p, w_taken).proc, q);
	/* the numbers carried along are not compared */
	assert_int_equal(step(&cfg, p, w(0, 0, T2, 5, 9)).proc.pc, TAKE_TICKET);
	assert_int_equal(access(&cfg, p).words, 2);
	p.pc = RELEASE_W;
	p.local[RET] = q.local[RET] = AFTER_RELEASE;
	assert_proc(step(&cfg, p, w_taken).proc, q);
}

/* --- join ----------------------------------------------------------------- */

/* It lives, and looks at the first seat. */
static struct wicket_proc joiner(uint32_t number)
{
	return follow(start(&cfg, number), JOIN_LIFE);
}

static void a_life_is_taken_once_and_first(void **state)
{
	(void)state;
	begin();
	regs[LIVES] = wicket_number(ONLY_2);
	assert_proc(joiner(3), standing(JOIN_SEAT, 3));
	assert_value(regs[LIVES], ONLY_2 + ONLY_3, 0, 0, 0);
	/* the others stay as they are */
	assert_proc(joiner(1), standing(JOIN_SEAT, 1));
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
}

static void a_seat_that_is_taken_is_passed(void **state)
{
	struct wicket_proc p, at2 = standing(JOIN_SEAT, 1);

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_IDLE, 0, life(2), 0);
	regs[SEAT1] = seat(1, LINE_JOINING, 0, life(3), 0);
	p = follow(joiner(1), JOIN_SEAT, JOIN_SEAT);
	at2.local[AT] = 2;
	assert_proc(p, at2);
	assert_int_equal(region(&cfg, p), WICKET_TRYING);
}

static void a_claim_is_lost_to_whoever_was_faster(void **state)
{
	const struct wicket_value faster[] = {
		seat(5, LINE_JOINING, 0, life(2), 0),
		seat(5, LINE_IDLE, 0, life(2), 0),
		seat(5, LINE_JOINING, 1, life(2), 0),
		seat(6, LINE_FREE, 0, 0, 0), /* who has left again */
	};
	struct wicket_proc on = standing(JOIN_SEAT, 1);

	(void)state;
	on.local[AT] = 1;
	for (int i = 0; i < 4; i++) {
		struct wicket_proc p;

		begin();
		regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
		regs[BELL0] = wicket_number(LINE_ALIVE); /* the other's */
		p = follow(joiner(1), JOIN_SEAT);
		regs[SEAT0] = faster[i];
		p = follow(p, JOIN_CLAIM);
		assert_same(regs[SEAT0], faster[i]);
		assert_value(regs[BELL0], LINE_ALIVE, 0, 0, 0);
		assert_proc(p, on);
	}
}

static void after_the_last_seat_it_looks_for_the_dead(void **state)
{
	struct wicket_proc p, scans = standing(SCAN_SEAT, 1);

	(void)state;
	begin();
	regs[SEAT0] = seat(1, LINE_IDLE, 0, life(2), 0);
	regs[SEAT1] = seat(1, LINE_IDLE, 0, life(3), 0);
	p = follow(joiner(1), JOIN_SEAT, JOIN_SEAT, JOIN_SEAT);
	regs[SEAT2] = seat(1, LINE_JOINING, 0, life(4), 0);
	p = follow(p, JOIN_CLAIM);
	scans.local[RET] = SCAN_JOIN;
	assert_proc(p, scans);
}

/* It died, silently or not, or has left: its bell is as it was, or nobody's. */
static void the_bell_of_the_owner_before_is_overwritten(void **state)
{
	(void)state;
	for (uint64_t bell = LINE_NOBODY; bell <= LINE_DIED; bell++) {
		struct wicket_proc p;

		begin();
		regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
		regs[BELL0] = wicket_number(bell);
		regs[FUT0] = wicket_number(9); /* of seq 4: nobody's any more */
		p = follow(joiner(1), JOIN_SEAT, JOIN_CLAIM);
		assert_same(regs[SEAT0], seat(5, LINE_JOINING, 0, life(1), 0));
		assert_value(regs[BELL0], bell, 0, 0, 0);
		assert_proc(p, in_seat(JOIN_BELL, 1, 5));
		p = follow(p, JOIN_BELL);
		assert_value(regs[BELL0], LINE_ALIVE, 0, 0, 0);
		assert_same(regs[SEAT0], seat(5, LINE_JOINING, 0, life(1), 0));
		p = follow(p, JOIN_SIT);
		assert_same(regs[SEAT0], seat(5, LINE_IDLE, 0, life(1), 0));
		assert_value(regs[FUT0], 9, 0, 0, 0);
		assert_proc(p, in_seat(TAKE_SEAT, 1, 5));
	}
}

static void it_takes_the_first_seat_that_is_free(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[SEAT0] = seat(1, LINE_IDLE, 0, life(3), 0);
	p = follow(joiner(2), JOIN_SEAT, JOIN_SEAT, JOIN_CLAIM, JOIN_BELL,
		   JOIN_SIT);
	assert_same(regs[SEAT1], seat(1, LINE_IDLE, 0, life(2), 0));
	assert_value(regs[BELL1], LINE_ALIVE, 0, 0, 0);
	assert_value(regs[BELL0], LINE_NOBODY, 0, 0, 0);
	assert_proc(p, in_seat(TAKE_SEAT, 2, 1));
}

static void without_a_free_seat_it_looks_for_the_dead(void **state)
{
	struct wicket_proc p = start(&cfg, 4);

	(void)state;
	begin();
	for (uint64_t i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(1, LINE_IDLE, 0, life(i + 1), 0);
		regs[BELL0 + i] = wicket_number(LINE_ALIVE);
	}
	regs[LIVES] = wicket_number(ALL_3);
	regs[BELL1] = wicket_number(LINE_DIED);
	p = follow(p, JOIN_LIFE, JOIN_SEAT, JOIN_SEAT, JOIN_SEAT, SCAN_SEAT,
		   SCAN_BELL, SCAN_LIFE, SCAN_SEAT, SCAN_BELL, SCAN_MARK,
		   READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE, SCAN_SEAT, SCAN_BELL,
		   SCAN_LIFE);
	assert_same(regs[SEAT1], seat(1, LINE_FREE, 0, 0, 0));
	assert_proc(p, standing(JOIN_SEAT, 4));
}

/* --- wait ----------------------------------------------------------------- */

/* Seat 2 has number 3, which is not valid. */
static void have_a_waiter(void)
{
	begin();
	regs[LINE_W] = w(0x20002, T3, T2, 3, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
	regs[SEAT2] = seat(2, LINE_HAVE, 0, life(3) + inside(T2, 1), 2);
	regs[BELL0] = regs[BELL1] = regs[BELL2] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
}

static struct wicket_proc waiter(uint16_t pc)
{
	struct wicket_proc p = in_seat(pc, 2, 2);

	p.local[TICKET] = 0x300000000 + T3;
	return p;
}

static void a_ticket_that_is_not_valid_waits(void **state)
{
	struct wicket_proc p = in_seat(TAKE_W, 2, 2), slept;

	(void)state;
	have_a_waiter();
	regs[LINE_W] = w(0x20003, T2, T2, 2, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
	p.local[WT] = 0x20003;
	p.local[WS] = regs[LINE_W].w[1];
	p.local[WG] = regs[LINE_W].w[2];
	p.local[E] = pointers(T3, T2);
	p = follow(p, TAKE_W, TAKE_TICKET, TAKE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, T3, T2, 3, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, life(2) + T3, 3));
	assert_proc(p, waiter(WAIT_SPIN));
	p = follow(p, WAIT_SPIN, WAIT_ARM, WAIT_LOOK);
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_proc(p, waiter(WAIT_SLEEP));
	assert_int_equal(access(&cfg, p).reg, FUT1);
	assert_value(access(&cfg, p).expect, 5, 0, 0, 0);
	assert_int_equal(access(&cfg, p).watch, 0);
	/* who has slept in vain looks after the dead */
	p = follow(p, WAIT_SLEEP);
	slept = waiter(WAIT_ARM);
	slept.local[I] = 1;
	assert_proc(p, slept);
	p = follow(p, WAIT_ARM, WAIT_LOOK, SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		   SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_proc(p, waiter(WAIT_SLEEP));
}

static void once_valid_it_finds_its_slot(void **state)
{
	struct wicket_proc p, holder = waiter(HOLD);

	(void)state;
	have_a_waiter();
	/* seat 1 has released, its slot is not yet written */
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1);
	p = follow(waiter(WAIT_LOOK), WAIT_LOOK, FIND, FIND, READ_T, READ_S,
		   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, FIND, FOUND);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, life(1) + T3, 3));
	assert_same(regs[SEAT1],
		    seat(2, LINE_HAVE, 0, life(2) + inside(T3, 0), 3));
	holder.local[MINE] = regs[SLOT0].w[0];
	assert_proc(p, holder);
	/* a spinner sees it as well */
	p = follow(waiter(WAIT_SPIN), WAIT_SPIN);
	assert_proc(p, waiter(FIND));
}

/* --- settle --------------------------------------------------------------- */

/* Seat 2 takes; what W names is seat 1's. */
static struct wicket_proc taker(uint16_t pc)
{
	return in_seat(pc, 2, 2);
}

static void a_helper_writes_a_take_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		struct wicket_proc p, owner = in_seat(TAKE_TICKET, 1, 2);

		begin();
		regs[LINE_W] = w_taken;
		regs[SEAT0] = seat(2, LINE_TAKING, d, life(1), 0);
		regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_HAVE);
		assert_same(regs[SEAT0],
			    seat(2, LINE_HAVE, d, life(1) + T1, 1));
		p = follow(p, TAKE_W);
		assert_same(regs[LINE_W], w(0x20002, T2, T2, 2, 2));
		assert_int_equal(p.pc, TAKE_TICKET);
		if (d)
			continue;
		/* its owner, if it lives, stores the same bits */
		owner.local[TICKET] = 0x100000000 + T1;
		owner.local[WS] = pointers(T1, T2);
		p = follow(owner, TAKE_TICKET, TAKE_HAVE);
		assert_int_equal(p.pc, FIND);
		assert_same(regs[SEAT0],
			    seat(2, LINE_HAVE, 0, life(1) + T1, 1));
	}
}

static void have_a_release(uint64_t d, uint64_t payload)
{
	begin();
	regs[LINE_W] = w_released;
	regs[SEAT0] = seat(3, LINE_RELEASING, d, life(1) + payload, 1);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
}

static void a_helper_writes_a_release_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		const uint64_t payload = inside(T1, 0) + d * DIED_INSIDE;
		struct wicket_proc p;

		have_a_release(d, payload);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT);
		/* SLOT first, phase second; the next holder is told */
		assert_same(regs[SLOT0], slot(1, d, T3, 3));
		assert_same(regs[SEAT0],
			    seat(3, LINE_RELEASING, d, life(1) + payload, 1));
		p = follow(p, SETTLE_DONE);
		assert_same(regs[SEAT0],
			    seat(3, LINE_RELEASED, d, life(1) + T3, 3));
		assert_int_equal(p.pc, TAKE_W);
		for (enum local i = C0; i <= CG; i++)
			assert_int_equal(p.local[i], 0);
	}
}

static void the_owner_goes_on_where_it_is_written_down(void **state)
{
	struct wicket_proc p = have_a_holder();

	(void)state;
	p = follow(p, HOLD, RELEASE_W);
	follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT,
	       SETTLE_LOOK, SETTLE_PUT, SETTLE_DONE);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	p = follow(p, RELEASE_SLOT);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	p = follow(p, HEIR, HEIR, HEIR, RELEASE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, life(1) + T3, 3));
	assert_int_equal(p.pc, LEAVE_BELL);
}

static void a_slot_that_is_written_is_left_alone(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_release(0, inside(T1, 0));
	regs[SLOT0] = slot(1, 0, T3, 3);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT,
		   SETTLE_DONE);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, life(1) + T3, 3));
	assert_int_equal(p.pc, TAKE_W);
	/* and one that has gone on since shows that all is settled */
	have_a_release(0, inside(T1, 0));
	regs[SLOT0] = slot(2, 0, 0, 4);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1));
}

static void a_changed_w_shows_that_all_is_settled(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_release(0, inside(T1, 0));
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT);
	regs[LINE_W].w[0] = 0x20003;
	p = follow(p, SETTLE_LOOK);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SLOT0], slot(0, 0, T1, 1));
}

static void a_late_helper_does_not_change_the_slot_again(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_release(0, inside(T1, 0));
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT,
		   SETTLE_LOOK);
	/* the same ticket has come back at another stamp */
	regs[SLOT0] = slot(4, 0, T1, 9);
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	p = follow(p, SETTLE_PUT, SETTLE_DONE, SETTLE_SEAT);
	assert_same(regs[SLOT0], slot(4, 0, T1, 9));
	assert_same(regs[SEAT0], seat(4, LINE_TAKING, 0, life(1), 0));
	assert_int_equal(p.pc, TAKE_W);
}

/* Somebody else has written the take down: a second look shows it. */
static void a_take_is_written_down_once(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	p = follow(p, SETTLE_HAVE, SETTLE_SEAT);
	assert_same(regs[SEAT0],
		    seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1));
	assert_int_equal(p.pc, TAKE_W);
}

/* --- the dead ------------------------------------------------------------- */

/* Seat 2 looks who has died. */
static struct wicket_proc scanner(void)
{
	return scan(&cfg, in_seat(WAIT_LOOK, 2, 2), SCAN_WAIT);
}

static void a_take_that_was_not_applied_is_undone(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	regs[BELL0] = wicket_number(LINE_DIED);
	regs[LIVES] = wicket_number(ONLY_1 + ONLY_2); /* it ends later */
	p = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_TAKING, 1, life(1), 0));
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
	assert_same(regs[SEAT0], seat(2, LINE_FREE, 0, 0, 0));
	assert_value(regs[BELL0], LINE_DIED, 0, 0, 0);
	/* its own seat is skipped, the third is free */
	p = follow(p, SCAN_SEAT);
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

/* It rings no bell, or has unlocked it already: its life tells. */
static void a_silent_death_is_found_by_its_life(void **state)
{
	(void)state;
	for (uint64_t bell = LINE_NOBODY; bell <= LINE_ALIVE; bell++) {
		struct wicket_proc p;

		begin();
		regs[SEAT0] = seat(2, LINE_IDLE, 0, life(1), 0);
		regs[BELL0] = wicket_number(bell);
		regs[LIVES] = wicket_number(ALL_3);
		p = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
		assert_int_equal(p.pc, SCAN_SEAT);
		assert_int_equal(p.local[AT], 2);
		regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
		p = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
			   SCAN_MARK);
		assert_same(regs[SEAT0], seat(2, LINE_IDLE, 1, life(1), 0));
		p = follow(p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
		assert_same(regs[SEAT0], seat(2, LINE_FREE, 0, 0, 0));
		assert_value(regs[BELL0], bell, 0, 0, 0);
	}
}

/* The life is that of the seat's owner, not of the seat's number. */
static void it_is_the_owner_whose_life_is_asked_for(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[SEAT0] = seat(2, LINE_IDLE, 0, life(3), 0);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	p = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_int_equal(p.local[AT], 2);
	regs[LIVES] = wicket_number(ONLY_1 + ONLY_2);
	follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 1, life(3), 0));
}

/* As long as it joins, the bell may be that of the owner before. */
static void the_bell_is_ignored_of_a_joiner(void **state)
{
	struct wicket_proc p, q = scanner();

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
	regs[BELL0] = wicket_number(LINE_DIED);
	p = follow(joiner(1), JOIN_SEAT, JOIN_CLAIM);
	q = follow(q, SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_same(regs[SEAT0], seat(5, LINE_JOINING, 0, life(1), 0));
	assert_int_equal(q.local[AT], 2);
	/* read while it joined, asked when it sat: the bell is of nobody yet */
	q = follow(scanner(), SCAN_SEAT);
	p = follow(p, JOIN_BELL, JOIN_SIT);
	regs[BELL0] = wicket_number(LINE_DIED);
	q = follow(q, SCAN_BELL, SCAN_LIFE);
	assert_int_equal(q.local[AT], 2);
	assert_same(regs[SEAT0], seat(5, LINE_IDLE, 0, life(1), 0));
	/* from then on it is believed */
	follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_MARK);
	assert_same(regs[SEAT0], seat(5, LINE_IDLE, 1, life(1), 0));
	assert_int_equal(p.pc, TAKE_SEAT);
}

/* Wherever: the next look at its life finds it. */
static void a_joiner_that_dies_leaves_its_seat_free(void **state)
{
	(void)state;
	for (uint16_t pc = JOIN_BELL; pc <= JOIN_SIT; pc++) {
		struct wicket_proc p, q;

		begin();
		p = follow(joiner(1), JOIN_SEAT, JOIN_CLAIM);
		if (pc == JOIN_SIT)
			p = follow(p, JOIN_BELL);
		p = follow(on_event(&cfg, p, WICKET_FAIL), DIE);
		assert_value(regs[BELL0],
			     pc == JOIN_SIT ? LINE_DIED : LINE_NOBODY, 0, 0, 0);
		q = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
		assert_int_equal(q.local[AT], 2); /* not yet */
		follow(p, DIE_LIFE);
		follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_MARK,
		       READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
		assert_same(regs[SEAT0], seat(1, LINE_FREE, 0, 0, 0));
	}
}

/* If it has changed, its owner may have died since: the same seat again. */
static void a_mark_that_fails_is_tried_again(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	regs[BELL0] = wicket_number(LINE_DIED);
	p = follow(scanner(), SCAN_SEAT, SCAN_BELL);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + T1, 1); /* settled */
	p = follow(p, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 0, life(1) + T1, 1));
	assert_proc(p, scanner());
	p = follow(p, SCAN_SEAT, SCAN_BELL, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 1, life(1) + T1, 1));
	assert_int_equal(p.pc, READ_T);
	assert_int_equal(p.local[J], 0);
	assert_int_equal(p.local[D], 2);
}

static void who_comes_after_a_dead_one_is_not_marked(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[SEAT0] = seat(2, LINE_IDLE, 0, life(1), 0);
	regs[BELL0] = wicket_number(LINE_DIED);
	p = follow(scanner(), SCAN_SEAT, SCAN_BELL);
	/* somebody else has freed it, and 3 has come */
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(3), 0);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	p = follow(p, SCAN_MARK, SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, life(3), 0));
	assert_int_equal(p.pc, SCAN_SEAT);
	assert_int_equal(p.local[AT], 2);
}

static void a_take_that_was_applied_is_released(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 1, life(1), 0);
	p = follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT, SETTLE_HAVE, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_GIVE);
	/* it was not inside: the next holder is not told */
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1, life(1) + inside(T1, 0), 1));
	assert_int_equal(p.pc, READ_T);
}

static void d_must_have_been_seen_at_this_seq(void **state)
{
	struct wicket_proc p = drive(&cfg, in_seat(0, 2, 2), 0, 2, DRIVE_SCAN);

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_TAKING, 1, life(1), 0);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, READ_T);
	assert_int_equal(p.local[D], 4);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, DRIVE_FREE);
}

static void the_slot_of_a_dead_holder_is_released(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_holder();
	regs[BELL0] = wicket_number(LINE_DIED);
	p = follow(scanner(), SCAN_SEAT, SCAN_BELL, SCAN_MARK, READ_T, READ_S,
		   DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1,
			 life(1) + DIED_INSIDE + inside(T1, 0), 1));
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, DRIVE_W);
	assert_same(regs[LINE_W], w_released);
	p = follow(p, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR);
	assert_same(regs[SLOT0], slot(1, 1, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 1, life(1) + T3, 3));
	p = follow(p, DRIVE_END, SCAN_SEAT);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0));
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

/* 3 drives the same release: its own is lost, then not even tried. */
static void a_dead_ones_release_is_applied_once(void **state)
{
	struct wicket_proc p, q;

	(void)state;
	have_a_holder();
	regs[SEAT0] = seat(3, LINE_RELEASING, 1, life(1) + inside(T1, 0), 1);
	p = follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT);
	q = drive(&cfg, in_seat(0, 3, 2), 0, 3, DRIVE_SCAN);
	follow(q, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, DRIVE_W);
	assert_same(regs[LINE_W], w_released);
	p = follow(p, DRIVE_W);
	assert_same(regs[LINE_W], w_released);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, SETTLE_SLOT);
	/* it goes on where W has changed, and looks again */
	regs[LINE_W].w[0] = 0x20003;
	p = follow(p, SETTLE_LOOK);
	assert_int_equal(p.pc, READ_T);
}

static void the_slot_of_a_dead_holder_is_the_one_with_its_ticket(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w(0x20001, T2, T2, 2, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, life(1) + T2, 2);
	follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
	       DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1, life(1) + inside(T2, 1), 2));
	/* no slot has it yet: W's operation is not written down */
	regs[SLOT0] = regs[SLOT1] = slot(0, 0, T1, 1);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, life(1) + T2, 2);
	p = follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
		   DRIVE_FIND);
	assert_int_equal(p.pc, SETTLE_SEAT);
}

/* Nor was it told itself: it passes that on. */
static void who_dies_before_it_enters_was_not_inside(void **state)
{
	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SLOT0] = slot(0, 1, T1, 1);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, life(1) + T1, 1);
	follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
	       DRIVE_GIVE);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1,
			 life(1) + DIED_INSIDE + inside(T1, 0), 1));
}

static void a_dead_waiter_keeps_its_place_in_the_line(void **state)
{
	struct wicket_value before[REGS];
	struct wicket_proc p = in_seat(0, 1, 2);

	(void)state;
	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
	memcpy(before, regs, sizeof(regs));
	p = follow(scan(&cfg, p, SCAN_WAIT), SCAN_SEAT, READ_T, READ_S,
		   DRIVE_SEAT, SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_memory_equal(regs, before, sizeof(regs));
	assert_proc(p, in_seat(WAIT_SLEEP, 1, 2));
}

/* --- the heir ------------------------------------------------------------- */

/* Seat 1 is about to look for the heir of number 1: number 3, in seat 2. */
static struct wicket_proc have_an_heir(uint64_t d)
{
	struct wicket_proc p = in_seat(HOLD, 1, 2);

	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, d, life(2) + T3, 3);
	regs[FUT1] = wicket_number(5);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[MINE] = T1;
	p = follow(p, HOLD, RELEASE_W, SETTLE_SEAT, RELEASE_W, RELEASE_SLOT);
	assert_same(regs[LINE_W], w(0x30001, T3, T3, 3, 3));
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	return p;
}

static void the_heir_is_woken(void **state)
{
	struct wicket_result r;

	(void)state;
	r.proc = have_an_heir(0);
	r.proc = follow(r.proc, HEIR, HEIR, WAKE_CLEAR);
	assert_value(regs[FUT1], 0, 0, 0, 0);
	assert_int_equal(r.proc.pc, WAKE);
	r = act(&cfg, r.proc);
	assert_int_equal(r.wake, FUT1);
	assert_int_equal(r.wakes, 1);
	r.proc = follow(r.proc, RELEASE_END);
	assert_same(regs[SEAT0],
		    seat(3, LINE_IDLE, 0, life(1) + inside(T1, 0), 1));
	assert_int_equal(r.proc.pc, LEAVE_BELL);
}

static void an_heir_that_does_not_sleep_is_not_woken(void **state)
{
	const uint64_t armed_for[] = { 0, 7 }; /* nothing; another operation */

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct wicket_proc p = have_an_heir(0);

		regs[FUT1] = wicket_number(armed_for[i]);
		p = follow(p, HEIR, HEIR, WAKE_CLEAR, RELEASE_END);
		assert_value(regs[FUT1], armed_for[i], 0, 0, 0);
		assert_int_equal(p.pc, LEAVE_BELL);
	}
}

/* Seat 1 died when it had released: seat 3 drives it. */
static struct wicket_proc have_a_dead_releaser(uint64_t heir_d)
{
	have_an_heir(heir_d);
	regs[SEAT0] = seat(3, LINE_RELEASED, 1, life(1) + T3, 3);
	return drive(&cfg, in_seat(0, 3, 2), 0, 3, DRIVE_SCAN);
}

static void for_a_dead_releaser_it_is_woken_in_any_case(void **state)
{
	struct wicket_proc p = have_a_dead_releaser(0);

	(void)state;
	regs[FUT1] = wicket_number(0);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, WAKE_CLEAR, WAKE,
		   DRIVE_END);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0));
	assert_int_equal(p.pc, SCAN_SEAT);
}

static void a_dead_heir_passes_its_slot_on(void **state)
{
	struct wicket_proc p = have_an_heir(1);

	(void)state;
	p = follow(p, HEIR, HEIR, RELEASE_END);
	assert_same(regs[SEAT0],
		    seat(3, LINE_IDLE, 0, life(1) + inside(T1, 0), 1));
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_int_equal(p.local[J], 1);
	assert_int_equal(p.local[D], 2);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT1],
		    seat(3, LINE_RELEASING, 1, life(2) + inside(T3, 0), 3));
	/* what W names is its own: that is written down */
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, COLOURS, COLOURS, DRIVE_W,
		   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR,
		   DRIVE_END);
	assert_same(regs[LINE_W], w(0x30002, T3, 0, 3, 4));
	assert_same(regs[SLOT0], slot(2, 0, 0, 4));
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
	assert_int_equal(p.pc, LEAVE_BELL);
}

static void who_ends_second_goes_his_way(void **state)
{
	struct wicket_proc p = have_a_dead_releaser(1);

	(void)state;
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR);
	regs[SEAT0] = seat(3, LINE_FREE, 0, 0, 0);
	p = follow(p, DRIVE_END);
	assert_int_equal(p.pc, SCAN_SEAT);
	/* who ends first drives the heir */
	p = have_a_dead_releaser(1);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, DRIVE_END);
	assert_int_equal(p.pc, READ_T);
	assert_int_equal(p.local[J], 1);
	assert_int_equal(p.local[D], 2);
}

/* --- giving up, dying ----------------------------------------------------- */

static void only_a_sleeper_abandons(void **state)
{
	struct wicket_proc releaser = waiter(COLOURS);
	struct wicket_proc watcher = waiter(WAIT_SLEEP);

	(void)state;
	for (uint16_t pc = JOIN_LIFE; pc <= DEAD; pc++) {
		struct wicket_proc p = waiter(pc);
		uint16_t then = pc == WAIT_SLEEP	      ? ABANDON_BELL :
				pc == TAKE_W || pc == COLOURS ? TAKE_BACK :
				pc == KEEP_LOCK		      ? HOLD :
								pc;

		p.local[RET] = AFTER_TAKE;
		assert_proc(on_event(&cfg, p, WICKET_ABANDON), waiter(then));
	}
	releaser.local[RET] = AFTER_RELEASE;
	assert_proc(on_event(&cfg, releaser, WICKET_ABANDON), releaser);
	/* it watches nobody any more */
	watcher.local[LAST] = 1 << BELL0;
	assert_proc(on_event(&cfg, watcher, WICKET_ABANDON),
		    waiter(ABANDON_BELL));
}

static void who_only_tried_takes_back(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 1);

	(void)state;
	begin();
	regs[SEAT0] = seat(1, LINE_IDLE, 0, life(1), 0);
	p = follow(p, TAKE_SEAT, TAKE_W);
	assert_same(regs[SEAT0], seat(2, LINE_TAKING, 0, life(1), 0));
	p = on_event(&cfg, p, WICKET_ABANDON);
	p = follow(p, TAKE_BACK);
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, life(1), 0));
	assert_same(regs[LINE_W], w(0, 0, T2, 0, 2));
	assert_proc(p, in_seat(LEAVE_BELL, 1, 2));
}

static void who_abandons_gives_up_its_seat(void **state)
{
	struct wicket_proc p, q = standing(READ_T, 2);

	(void)state;
	have_a_waiter();
	/* the bell while the seat is still its own */
	p = follow(waiter(ABANDON_BELL), ABANDON_BELL);
	assert_value(regs[BELL1], LINE_NOBODY, 0, 0, 0);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, life(2) + T3, 3));
	assert_proc(p, waiter(ABANDON_MARK));
	p = follow(p, ABANDON_MARK);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 1, life(2) + T3, 3));
	assert_int_equal(region(&cfg, p), WICKET_EXIT);
	q.local[SLOT] = EXITING;
	q.local[J] = 1;
	q.local[D] = 2;
	q.local[RET] = DRIVE_ABANDON | AFTER_DRIVE;
	assert_proc(p, q);
	/* its turn will come; it does not wait for that */
	p = follow(p, READ_T, READ_S, DRIVE_SEAT);
	assert_proc(p, standing(LEAVE_LIFE, 2));
	p = follow(p, LEAVE_LIFE);
	assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
	assert_proc(p, standing(DONE, 0));
}

static void who_abandons_a_valid_ticket_releases_it(void **state)
{
	struct wicket_proc p, q = standing(JOIN_SEAT, 2);
	struct wicket_cfg c = cfg;

	(void)state;
	c.laps = 2;
	have_a_waiter();
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SLOT0] = slot(1, 0, T3, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	p = follow_in(&c, waiter(ABANDON_BELL), ABANDON_BELL, ABANDON_MARK,
		      READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE,
		      READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, COLOURS, COLOURS,
		      DRIVE_W, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK,
		      SETTLE_PUT, SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR,
		      HEIR, HEIR, DRIVE_END);
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
	/* both slots had colour 1, so number 4 is (0,0) */
	assert_same(regs[SLOT0], slot(2, 0, 0, 4));
	assert_same(regs[LINE_W], w(0x30002, T3, 0, 3, 4));
	/* it comes again, without a seat, and with the same life */
	q.local[LAP] = 1;
	assert_proc(p, q);
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
}

static void a_death_rings_the_bell_and_then_ends_the_life(void **state)
{
	struct wicket_proc p, dies = standing(DIE, 2);
	struct wicket_result r;

	(void)state;
	have_a_waiter();
	p = on_event(&cfg, waiter(WAIT_SLEEP), WICKET_FAIL);
	dies.local[ME] = 2;
	assert_proc(p, dies);
	assert_int_equal(access(&cfg, p).kind, WICKET_RMW);
	r = act(&cfg, p);
	assert_value(regs[BELL1], LINE_DIED, 0, 0, 0);
	assert_value(regs[BELL0], LINE_ALIVE, 0, 0, 0);
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
	/* one of those who watch it */
	assert_int_equal(r.wake, BELL1);
	assert_int_equal(r.wakes, 1);
	dies.pc = DIE_LIFE;
	assert_proc(r.proc, dies);
	r = act(&cfg, r.proc);
	assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
	assert_int_equal(r.wakes, 0);
	assert_proc(r.proc, standing(DEAD, 0));
	assert_int_equal(access(&cfg, r.proc).kind, WICKET_REST);
}

/* It was unlocked, or has rung already. */
static void a_bell_that_is_not_alive_does_not_ring(void **state)
{
	const uint64_t bells[] = { LINE_NOBODY, LINE_DIED };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct wicket_result r;

		have_a_waiter();
		regs[BELL1] = wicket_number(bells[i]);
		r = act(&cfg,
			on_event(&cfg, waiter(ABANDON_MARK), WICKET_FAIL));
		assert_value(regs[BELL1], bells[i], 0, 0, 0);
		assert_int_equal(r.wakes, 0);
		assert_int_equal(r.proc.pc, DIE_LIFE);
	}
}

/* To the kernel it is the bell of a thread of that number. */
static void the_bell_rings_whoever_sits_there(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[BELL0] = wicket_number(LINE_ALIVE); /* who died there silently */
	p = follow(joiner(1), JOIN_SEAT, JOIN_CLAIM);
	follow(on_event(&cfg, p, WICKET_FAIL), DIE);
	assert_value(regs[BELL0], LINE_DIED, 0, 0, 0);
}

static void who_has_no_seat_dies_without_a_bell(void **state)
{
	struct wicket_proc p = standing(READ_T, 0);

	(void)state;
	have_a_waiter();
	assert_proc(on_event(&cfg, standing(JOIN_SEAT, 2), WICKET_FAIL),
		    standing(DIE_LIFE, 2));
	assert_proc(on_event(&cfg, standing(LEAVE_LIFE, 2), WICKET_FAIL),
		    standing(DIE_LIFE, 2));
	/* nor without a life */
	p = on_event(&cfg, p, WICKET_FAIL);
	assert_proc(p, standing(DIE, 0));
	assert_int_equal(access(&cfg, p).kind, WICKET_LOAD);
	p = follow(p, DIE);
	assert_proc(p, standing(DEAD, 0));
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
}

static void nobody_dies_before_it_lives_or_twice(void **state)
{
	const uint16_t pcs[] = { DONE, DIE, DIE_LIFE, COMMAND, DEAD };

	(void)state;
	assert_proc(on_event(&cfg, start(&cfg, 1), WICKET_FAIL),
		    start(&cfg, 1));
	for (int i = 0; i < 5; i++) {
		struct wicket_proc p = waiter(pcs[i]);

		assert_proc(on_event(&cfg, p, WICKET_FAIL), p);
	}
}

static void of_some_the_bell_never_rings(void **state)
{
	const uint32_t kinds[] = { SILENT, KEPT };
	struct wicket_cfg c = cfg;

	(void)state;
	for (int v = 0; v < 2; v++) {
		struct wicket_proc p = in_seat(TAKE_SEAT, 2, 2);

		c.variant = kinds[v];
		p = on_event(&c, p, WICKET_FAIL);
		assert_int_equal(p.pc, DIE_LIFE);
		have_a_waiter();
		p = follow_in(&c, p, DIE_LIFE);
		assert_value(regs[BELL1], LINE_ALIVE, 0, 0, 0);
		assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
		assert_proc(p, standing(DEAD, 0));
		/* those with odd numbers are told of */
		p = on_event(&c, in_seat(TAKE_SEAT, 3, 2), WICKET_FAIL);
		assert_int_equal(p.pc, DIE);
	}
	c.variant = REMOVING;
	assert_int_equal(on_event(&c, in_seat(TAKE_SEAT, 2, 2), WICKET_FAIL).pc,
			 DIE);
	c.variant = WATCHED;
	assert_int_equal(on_event(&c, in_seat(TAKE_SEAT, 2, 2), WICKET_FAIL).pc,
			 DIE);
}

/* Who only tries, and finds no room, looks for the dead first. */
static void who_only_tries_may_look_for_the_dead(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_proc p;

	(void)state;
	c.variant = REMOVING;
	begin();
	regs[SEAT1] = seat(2, LINE_IDLE, 0, life(2), 0);
	regs[LIVES] = wicket_number(ONLY_1);
	p = on_event(&c, in_seat(TAKE_SEAT, 1, 3), WICKET_ABANDON);
	assert_int_equal(p.local[RET], SCAN_TRY);
	p = follow_in(&c, p, SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_MARK, READ_T,
		      READ_S, DRIVE_SEAT, DRIVE_FREE, SCAN_SEAT);
	assert_same(regs[SEAT1], seat(2, LINE_FREE, 0, 0, 0));
	assert_proc(p, in_seat(TAKE_SEAT, 1, 3));
}

/* --- commands ------------------------------------------------------------- */

/* Three tickets a colour: numbers 1 and 2 are (1,0) and (2,0). */
static const struct wicket_cfg kept = {
	.n = 3, .k = 2, .laps = 1, .variant = KEPT
};

#define KEPT_BIT 0x200000000

/* Seat i, from 1, is inside slot 0, and about to keep it. */
static struct wicket_proc keeper(uint32_t i)
{
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0 + i - 1] = seat(2, LINE_HAVE, 0, life(i) + inside(T1, 0), 1);
	regs[BELL0 + i - 1] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
	return in_seat(KEEP_LOCK, i, 2);
}

static struct wicket_proc dying_keeper(uint32_t i)
{
	struct wicket_proc p = follow_in(&kept, keeper(i), KEEP_LOCK,
					 KEEP_MARK);

	assert_int_equal(p.pc, HOLD);
	return on_event(&kept, p, WICKET_FAIL);
}

/* Seat 1 has died in it; its command runs. */
static struct wicket_proc orphan(void)
{
	return follow_in(&kept, dying_keeper(1), DIE, DIE_LIFE);
}

/* Seat i, from 1, looks. */
static struct wicket_proc kept_scanner(uint64_t i)
{
	return scan(&kept, in_seat(WAIT_LOOK, i, 2), SCAN_WAIT);
}

static void who_keeps_locks_and_says_so(void **state)
{
	struct wicket_proc p = keeper(1);

	(void)state;
	p = follow_in(&kept, p, KEEP_LOCK);
	assert_value(regs[KEEP0], 2, 0, 0, 0);
	p = follow_in(&kept, p, KEEP_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 0,
				      life(1) + KEPT_BIT + inside(T1, 0), 1));
	assert_int_equal(region(&kept, p), WICKET_CRITICAL);
	/* its release is as any other */
	p = follow_in(&kept, p, HOLD);
	assert_int_equal(line_phase(regs[SEAT0].w[0]), LINE_RELEASING);
	assert_int_equal(p.local[MASK], 0);
}

static void a_command_outlives_its_holder(void **state)
{
	struct wicket_proc p = dying_keeper(1);

	(void)state;
	for (uint16_t pc = DIE; pc <= COMMAND; pc++) {
		assert_int_equal(p.pc, pc);
		assert_int_equal(region(&kept, p), WICKET_CRITICAL);
		assert_value(regs[KEEP0], 2, 0, 0, 0);
		p = act(&kept, p).proc;
	}
	assert_value(regs[BELL0], LINE_DIED, 0, 0, 0);
	assert_value(regs[LIVES], ONLY_2 + ONLY_3, 0, 0, 0);
	assert_value(regs[KEEP0], 0, 0, 0, 0);
	assert_proc(p, standing(DEAD, 0));
	/* a later one's lock is not its own */
	p = orphan();
	regs[KEEP0] = wicket_number(4);
	follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP0], 4, 0, 0, 0);
}

static void who_dies_before_there_is_a_command_leaves_none(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(1), KEEP_LOCK);

	(void)state;
	p = follow_in(&kept, on_event(&kept, p, WICKET_FAIL), DIE, DIE_LIFE);
	assert_int_equal(p.pc, DEAD);
}

static void while_it_runs_nobody_is_marked(void **state)
{
	struct wicket_value as_it_was;
	struct wicket_proc p;

	(void)state;
	orphan();
	as_it_was = regs[SEAT0];
	p = follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_KEEP);
	assert_int_equal(p.pc, SCAN_SEAT);
	assert_int_equal(p.local[AT], 2);
	assert_same(regs[SEAT0], as_it_was);
}

/* Its bell never rings: the life first, then the command. */
static void kept_and_silent(void **state)
{
	struct wicket_proc p = follow_in(&kept, dying_keeper(2), DIE_LIFE);
	struct wicket_value as_it_was = regs[SEAT1];

	(void)state;
	assert_int_equal(p.pc, COMMAND);
	assert_value(regs[BELL1], LINE_ALIVE, 0, 0, 0);
	assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
	follow_in(&kept, kept_scanner(1), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_KEEP, SCAN_SEAT);
	assert_same(regs[SEAT1], as_it_was);
	follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP1], 0, 0, 0, 0);
	follow_in(&kept, kept_scanner(1), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_KEEP, SCAN_MARK);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 1,
				      life(2) + KEPT_BIT + inside(T1, 0), 1));
}

static void when_it_has_ended_its_holder_is_dead(void **state)
{
	(void)state;
	follow_in(&kept, orphan(), COMMAND);
	follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_KEEP,
		  SCAN_MARK);
	assert_true(line_dead(regs[SEAT0].w[0]));
	/* but not before it is */
	follow_in(&kept, orphan(), COMMAND);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
	follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_SEAT);
	assert_false(line_dead(regs[SEAT0].w[0]));
}

static void who_was_seen_before_it_kept_is_not_marked(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(1), KEEP_LOCK), q;

	(void)state;
	q = follow_in(&kept, kept_scanner(2), SCAN_SEAT);
	p = follow_in(&kept, p, KEEP_MARK);
	follow_in(&kept, on_event(&kept, p, WICKET_FAIL), DIE);
	/* the second look sees that it is kept */
	q = follow_in(&kept, q, SCAN_BELL, SCAN_MARK, SCAN_SEAT, SCAN_BELL,
		      SCAN_KEEP);
	assert_false(line_dead(regs[SEAT0].w[0]));
	assert_int_equal(q.pc, SCAN_SEAT);
	assert_int_equal(q.local[AT], 2);
}

/* --- who watches whom ----------------------------------------------------- */

/*
 * Four seats: those of 1 and 2 are inside, with numbers 1 and 2; 3 and 4 wait,
 * with numbers 3 and 4.  M is 2 again, and number 4 is (0,2): its block begins
 * with a new colour.
 */
static const struct wicket_cfg four = {
	.n = 4, .k = 2, .laps = 1, .variant = WATCHED
};

/* Its registers, from those of seat 1 on. */
enum { SEAT_OF_1 = 3, FUT_OF_1 = 7, BELL_OF_1 = 11, LIVES_OF_4 = 15 };
enum { T4 = 0x4000, T5 = 0x4001 };
enum { BELL_1 = 1 << 11, BELL_2 = 1 << 12, BELL_3 = 1 << 13 };

static void have_a_line(void)
{
	const uint64_t loads[] = { life(1) + inside(T1, 0),
				   life(2) + inside(T2, 1), life(3) + T3,
				   life(4) + T4 };

	begin();
	regs[LINE_W] = w(0x20004, T4, T2, 4, 2);
	for (uint64_t i = 0; i < 4; i++) {
		regs[SEAT_OF_1 + i] = seat(2, LINE_HAVE, 0, loads[i], i + 1);
		regs[BELL_OF_1 + i] = wicket_number(LINE_ALIVE);
	}
	regs[FUT_OF_1 + 2] = regs[FUT_OF_1 + 3] = wicket_number(5);
	regs[LIVES_OF_4] = wicket_number(0x1e);
}

/* Process 3 or 4 in it. */
static struct wicket_proc in_line(uint16_t pc, uint64_t i)
{
	struct wicket_proc p = in_seat(pc, i, 2);

	p.local[TICKET] = i * 0x100000000 + (i == 3 ? T3 : T4);
	return p;
}

static void the_nearest_are_watched(void **state)
{
	(void)state;
	assert_int_equal(watched(&four, 0x0000), 0);
	assert_int_equal(watched(&four, 0x00ff), BELL_1 + BELL_2);
	assert_int_equal(watched(&four, 0x0f0f), BELL_1 + BELL_3);
	assert_int_equal(watched(&four, 0x01ff), BELL_3);
	assert_int_equal(watched(&four, 0x0f1f), BELL_2);
	assert_int_equal(watched(&four, 0x0ff1), BELL_1);
	assert_int_equal(watched(&four, 0x0213), BELL_2);
	assert_int_equal(watched(&four, 0x0203), BELL_3);
	assert_int_equal(watched(&four, 0x02f3), BELL_3);
	/* of seats that there are not */
	assert_int_equal(watched(&four, 0x10000), 0);
}

static uint64_t ahead_of(uint64_t i, uint64_t phase, uint64_t payload)
{
	struct wicket_proc p = in_line(SCAN_LIFE, i);
	struct wicket_value v = seat(2, phase, 0, life(9) + payload, 0);

	p.local[LOOKED] = pointers(T4, T2);
	return place_ahead(&four, p, (struct line_seat){ v.w[0], v.w[1] });
}

static void how_far_ahead_somebody_is(void **state)
{
	const uint64_t have = seat(2, LINE_HAVE, 0, 0, 0).w[0];
	struct wicket_proc p = in_seat(SCAN_LIFE, 5, 2);
	struct wicket_cfg five = four;

	(void)state;
	assert_int_equal(ahead_of(3, LINE_HAVE, inside(T1, 0)), HOLDS);
	assert_int_equal(ahead_of(3, LINE_HAVE, T2), HOLDS); /* not yet found */
	assert_int_equal(ahead_of(3, LINE_HAVE, T4), 0);
	assert_int_equal(ahead_of(4, LINE_HAVE, inside(T1, 0)), HOLDS);
	assert_int_equal(ahead_of(4, LINE_HAVE, T3), 1);
	assert_int_equal(ahead_of(4, LINE_HAVE, T4), 0);
	/* five seats, M = 3: ahead of number 5 are (0,1) and (1,1) */
	five.n = 5;
	p.local[LOOKED] = pointers(0x2002, 2);
	p.local[TICKET] = 0x500002002;
	assert_int_equal(
		place_ahead(&five, p, (struct line_seat){ have, 0x2000 }), 2);
	assert_int_equal(
		place_ahead(&five, p, (struct line_seat){ have, 0x2001 }), 1);
	/* who has something to pass on */
	assert_int_equal(ahead_of(4, LINE_RELEASING, inside(T1, 0)), HOLDS);
	assert_int_equal(ahead_of(4, LINE_RELEASED, T3), HOLDS);
	/* who has nothing, or will wait for longer */
	assert_int_equal(ahead_of(4, LINE_FREE, 0), 0);
	assert_int_equal(ahead_of(4, LINE_JOINING, 0), 0);
	assert_int_equal(ahead_of(4, LINE_IDLE, T1), 0);
	assert_int_equal(ahead_of(4, LINE_TAKING, T3), 0);
}

static void assert_sleeps(struct wicket_proc p, uint64_t i, uint64_t watch)
{
	struct wicket_proc sleeper = in_line(WAIT_SLEEP, i);
	struct wicket_access a = access(&four, p);

	sleeper.local[LAST] = watch;
	assert_proc(p, sleeper);
	assert_int_equal(a.kind, WICKET_SLEEP);
	assert_int_equal(a.reg, FUT_OF_1 + i - 1);
	assert_value(a.expect, 5, 0, 0, 0);
	assert_int_equal(a.words, 1);
	assert_int_equal(a.watch, watch);
	assert_int_equal(a.alive, LINE_ALIVE);
}

static void the_first_in_line_watches_all_who_are_inside(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	/* it looks before it sleeps, and not only when it has */
	p = follow_in(&four, in_line(WAIT_LOOK, 3), WAIT_LOOK, SCAN_SEAT,
		      SCAN_BELL, SCAN_LIFE, SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		      SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_sleeps(p, 3, BELL_1 + BELL_2);
	/* when it wakes it has forgotten them */
	p = follow_in(&four, p, WAIT_SLEEP);
	assert_proc(p, in_line(WAIT_ARM, 3));
	/* one of them is on its way out */
	regs[SEAT_OF_1] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0),
			       1);
	regs[SEAT_OF_1 + 1] = seat(3, LINE_IDLE, 0, life(2) + T2, 2);
	p = follow_in(&four, p, WAIT_ARM, WAIT_LOOK, SCAN_SEAT, SCAN_BELL,
		      SCAN_LIFE, SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_SEAT,
		      SCAN_BELL, SCAN_LIFE);
	assert_sleeps(p, 3, BELL_1);
}

static void the_others_watch_the_one_right_before_them(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	p = follow_in(&four, in_line(WAIT_LOOK, 4), WAIT_LOOK, SCAN_SEAT,
		      SCAN_BELL, SCAN_LIFE, SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		      SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_sleeps(p, 4, BELL_3);
}

static void who_has_given_up_is_not_watched(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	regs[SEAT_OF_1 + 2] = seat(2, LINE_HAVE, 1, life(3) + T3, 3);
	p = follow_in(&four, in_line(WAIT_LOOK, 4), WAIT_LOOK, SCAN_SEAT,
		      SCAN_BELL, SCAN_LIFE, SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		      SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT);
	assert_sleeps(p, 4, BELL_1 + BELL_2);
}

/* 1 has died inside, and 3 was woken: it is the heir itself. */
static void who_finds_a_holder_dead_lets_itself_in(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	regs[BELL_OF_1] = wicket_number(LINE_DIED);
	p = follow_in(&four, in_line(WAIT_SLEEP, 3), WAIT_SLEEP, WAIT_ARM,
		      WAIT_LOOK, SCAN_SEAT, SCAN_BELL, SCAN_MARK, READ_T,
		      READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE, READ_T,
		      READ_S, DRIVE_SEAT, SETTLE_SEAT, DRIVE_W, SETTLE_SEAT,
		      SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT, SETTLE_DONE, READ_T,
		      READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR, WAKE_CLEAR, WAKE,
		      DRIVE_END);
	assert_same(regs[LINE_W], w(0x30001, T4, T3, 4, 3));
	assert_same(regs[SEAT_OF_1], seat(3, LINE_FREE, 0, 0, 0));
	assert_value(regs[FUT_OF_1 + 2], 0, 0, 0, 0);
	/* its own word is cleared, so that it does not sleep */
	p = follow_in(&four, p, SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_SEAT,
		      SCAN_BELL, SCAN_LIFE);
	assert_sleeps(p, 3, BELL_2);
	follow_in(&four, p, WAIT_SLEEP, WAIT_ARM, WAIT_LOOK, FIND, FOUND);
	assert_same(regs[SEAT_OF_1 + 2],
		    seat(2, LINE_HAVE, 0, life(3) + inside(T3, 0), 3));
}

/* 1 has released, and 3 has found slot 0: 4 is the first in line now. */
static struct wicket_proc have_an_entrant(void)
{
	struct wicket_proc p = in_line(FOUND, 3);

	have_a_line();
	regs[LINE_W] = w(0x30001, T4, T3, 4, 3);
	regs[SLOT0] = slot(1, 0, T3, 3);
	regs[SEAT_OF_1] = seat(3, LINE_IDLE, 0, life(1) + T3, 3);
	p.local[MINE] = regs[SLOT0].w[0];
	return p;
}

/* It holds slot 0, and nothing of its telling is left. */
static void assert_entered(struct wicket_proc p)
{
	struct wicket_proc holder = in_line(HOLD, 3);

	holder.local[MINE] = regs[SLOT0].w[0];
	assert_proc(p, holder);
}

static void who_enters_tells_the_next_in_line(void **state)
{
	struct wicket_proc p = have_an_entrant();
	struct wicket_result r;

	(void)state;
	p = follow_in(&four, p, FOUND, TELL_W);
	assert_same(regs[SEAT_OF_1 + 2],
		    seat(2, LINE_HAVE, 0, life(3) + inside(T3, 0), 3));
	assert_int_equal(region(&four, p), WICKET_TRYING);
	p = follow_in(&four, p, HEIR, HEIR, HEIR, HEIR, WAKE_CLEAR);
	assert_value(regs[FUT_OF_1 + 3], 0, 0, 0, 0);
	assert_int_equal(p.pc, WAKE);
	r = act(&four, p);
	assert_int_equal(r.wake, FUT_OF_1 + 3);
	assert_int_equal(r.wakes, 1);
	assert_entered(r.proc);
	/* who does not sleep will look by itself */
	p = have_an_entrant();
	regs[FUT_OF_1 + 3] = wicket_number(0);
	p = follow_in(&four, p, FOUND, TELL_W, HEIR, HEIR, HEIR, HEIR,
		      WAKE_CLEAR);
	assert_entered(p);
}

static void who_is_the_last_tells_nobody(void **state)
{
	struct wicket_proc p = have_an_entrant();

	(void)state;
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	p = follow_in(&four, p, FOUND, TELL_W);
	assert_entered(p);
}

/* 4 has given up; behind it is 1, who has come back with number 5. */
static void telling_skips_who_has_given_up(void **state)
{
	struct wicket_proc p = have_an_entrant();

	(void)state;
	regs[LINE_W] = w(0x40001, T5, T3, 5, 3);
	regs[SEAT_OF_1] = seat(4, LINE_HAVE, 0, life(1) + T5, 5);
	regs[SEAT_OF_1 + 3] = seat(2, LINE_HAVE, 1, life(4) + T4, 4);
	regs[FUT_OF_1] = wicket_number(9);
	p = follow_in(&four, p, FOUND, TELL_W, HEIR, HEIR, HEIR, HEIR, HEIR,
		      WAKE_CLEAR, WAKE);
	assert_value(regs[FUT_OF_1], 0, 0, 0, 0);
	assert_value(regs[FUT_OF_1 + 3], 5, 0, 0, 0);
	assert_entered(p);
}

static void telling_stops_at_the_last_ticket(void **state)
{
	struct wicket_proc p = have_an_entrant();

	(void)state;
	regs[SEAT_OF_1 + 3] = seat(2, LINE_HAVE, 1, life(4) + T4, 4);
	p = follow_in(&four, p, FOUND, TELL_W, HEIR, HEIR, HEIR, HEIR);
	assert_value(regs[FUT_OF_1 + 3], 5, 0, 0, 0);
	assert_entered(p);
	/* nobody has it yet: whoever took it will look by itself */
	p = have_an_entrant();
	regs[SEAT_OF_1 + 3] = seat(2, LINE_TAKING, 0, life(4), 0);
	p = follow_in(&four, p, FOUND, TELL_W, HEIR, HEIR, HEIR, HEIR);
	assert_value(regs[FUT_OF_1 + 3], 5, 0, 0, 0);
	assert_entered(p);
}

/* It has not waited; or nobody watches. */
static void not_everybody_tells(void **state)
{
	struct wicket_proc p = have_an_entrant();
	struct wicket_cfg c = four;

	(void)state;
	p.local[LAST] = pointers(T3, T3);
	assert_int_equal(follow_in(&c, p, FOUND).pc, HOLD);
	p.local[LAST] = 0;
	assert_int_equal(follow_in(&c, p, FOUND).pc, TELL_W);
	c.mutant = NOT_TOLD;
	assert_int_equal(follow_in(&c, p, FOUND).pc, HOLD);
	c.mutant = 0;
	c.variant = SEATED;
	assert_int_equal(follow_in(&c, p, FOUND).pc, HOLD);
}

/* --- planted bugs --------------------------------------------------------- */

static struct wicket_cfg planted(uint32_t mutant)
{
	struct wicket_cfg c = cfg;

	c.mutant = mutant;
	return c;
}

/* Those that have accesses or an order of their own. */
static void joiners_and_leavers_may_be_wrong(void **state)
{
	struct wicket_cfg bell_first = planted(BELL_FIRST);
	struct wicket_cfg bell_last = planted(BELL_LAST);
	struct wicket_cfg late = planted(LIFE_LATE),
			  early = planted(LIFE_EARLY);
	struct wicket_proc p;

	(void)state;
	begin();
	p = follow_in(&bell_first, start(&bell_first, 1), JOIN_LIFE, JOIN_SEAT,
		      JOIN_BELL, JOIN_CLAIM, JOIN_SIT);
	assert_proc(p, in_seat(TAKE_SEAT, 1, 1));
	p = follow_in(&bell_last, next_lap(&bell_last, p), LEAVE_SEAT,
		      LEAVE_BELL, LEAVE_LIFE);
	assert_proc(p, standing(DONE, 0));
	p = follow_in(&late, start(&late, 1), JOIN_LIFE, JOIN_SEAT);
	assert_value(regs[LIVES], NOBODY, 0, 0, 0);
	p = follow_in(&late, p, JOIN_CLAIM, JOIN_LIFE, JOIN_BELL, JOIN_SIT);
	assert_value(regs[LIVES], ONLY_1, 0, 0, 0);
	p = follow_in(&early, next_lap(&early, p), LEAVE_LIFE, LEAVE_BELL,
		      LEAVE_SEAT);
	assert_proc(p, standing(DONE, 0));
	assert_same(regs[SEAT0], seat(2, LINE_FREE, 0, 0, 0));
}

static void who_locks_the_bell_first_may_have_to_unlock_it(void **state)
{
	struct wicket_cfg bell_first = planted(BELL_FIRST);
	struct wicket_proc p, on = standing(JOIN_SEAT, 1);

	(void)state;
	begin();
	on.local[AT] = 1;
	p = follow_in(&bell_first, start(&bell_first, 1), JOIN_LIFE, JOIN_SEAT,
		      JOIN_BELL);
	regs[SEAT0] = seat(3, LINE_JOINING, 0, life(2), 0);
	p = follow_in(&bell_first, p, JOIN_CLAIM, JOIN_UNLOCK);
	assert_value(regs[BELL0], LINE_NOBODY, 0, 0, 0);
	assert_proc(p, on);
	/* nor does it take that of a living one */
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	p = follow_in(&bell_first, standing(JOIN_SEAT, 1), JOIN_SEAT,
		      JOIN_BELL);
	assert_proc(p, on);
}

static void scans_may_be_wrong(void **state)
{
	struct wicket_cfg trusted = planted(BELL_TRUSTED);
	struct wicket_cfg only = planted(BELL_ONLY), once = planted(MARK_ONCE);
	struct wicket_proc p;

	(void)state;
	begin();
	regs[SEAT0] = seat(2, LINE_JOINING, 0, life(1), 0);
	regs[BELL0] = wicket_number(LINE_DIED);
	regs[LIVES] = wicket_number(ALL_3);
	p = follow_in(&trusted, scanner(), SCAN_SEAT, SCAN_BELL);
	assert_int_equal(p.pc, SCAN_MARK);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(NOBODY);
	p = follow_in(&only, scanner(), SCAN_SEAT, SCAN_BELL);
	assert_int_equal(p.pc, SCAN_SEAT);
	assert_int_equal(p.local[AT], 2);
	p = follow_in(&once, scanner(), SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	regs[SEAT0] = seat(2, LINE_IDLE, 0, life(1), 0);
	p = follow_in(&once, p, SCAN_MARK);
	assert_int_equal(p.pc, READ_T);
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, life(1), 0));
}

/* What an earlier command left running is taken for its own. */
static void keepers_may_be_wrong(void **state)
{
	struct wicket_cfg untied = kept;
	struct wicket_proc p = keeper(1);

	(void)state;
	untied.mutant = KEEP_UNTIED;
	regs[KEEP0] = wicket_number(1);
	p = follow_in(&untied, p, KEEP_LOCK, KEEP_MARK);
	assert_value(regs[KEEP0], 2, 1, 0, 0);
	follow_in(&untied, on_event(&untied, p, WICKET_FAIL), DIE, DIE_LIFE,
		  COMMAND);
	p = follow_in(&untied, kept_scanner(2), SCAN_SEAT, SCAN_BELL,
		      SCAN_KEEP);
	assert_int_equal(p.local[AT], 2);
}

/* --- the end of the line -------------------------------------------------- */

static const struct wicket_cfg removing = {
	.n = 3, .k = 2, .laps = 1, .variant = REMOVING
};

static struct wicket_proc have_a_remover(void)
{
	memset(regs, 0, sizeof(regs));
	for (uint32_t r = 0; r < 3; r++)
		regs[r] = reg(&removing, r).start;
	regs[LIVES] = wicket_number(ONLY_1);
	assert_same(regs[LINE_W], w(0, 0, 2, 0, 2));
	return follow_in(&removing, standing(LEAVE_LIFE, 1), LEAVE_LIFE);
}

static void who_has_left_removes_the_line(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
	assert_value(regs[LIVES], NOBODY, 0, 0, 0);
	assert_int_equal(region(&removing, p), WICKET_REMAINDER);
	assert_false(closed(&removing, regs));
	p = follow_in(&removing, p, READ_T, READ_S, REMOVE_W);
	assert_same(regs[LINE_W], w(LINE_REMOVED, 0, 2, 0, 2));
	assert_true(closed(&removing, regs));
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
	/* the next one finds nothing to do */
	p = have_a_remover();
	regs[LINE_W].w[0] = LINE_REMOVED;
	p = follow_in(&removing, p, READ_T, READ_S);
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
}

static void only_where_lines_are_removed(void **state)
{
	const uint32_t kinds[] = { 0, SEATED, SILENT, WATCHED, REMOVING, KEPT };
	struct wicket_proc p = standing(LEAVE_LIFE, 1);
	struct wicket_proc tries = in_seat(TAKE_SEAT, 1, 3);
	struct wicket_cfg c = cfg;

	(void)state;
	begin();
	for (int i = 0; i < 6; i++) {
		c.variant = kinds[i];
		assert_int_equal(follow_in(&c, p, LEAVE_LIFE).pc,
				 i < 4 ? DONE : READ_T);
		assert_int_equal(on_event(&c, tries, WICKET_ABANDON).pc,
				 i < 4 ? TAKE_SEAT : SCAN_SEAT);
	}
}

static void a_line_with_a_ticket_out_is_not_removed(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
	p = follow_in(&removing, p, READ_T, READ_S);
	assert_int_equal(p.pc, REMOVE_W);
	/* but somebody was faster */
	regs[LINE_W] = w(0x20002, 1, 2, 1, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
	p = follow_in(&removing, p, REMOVE_W, SETTLE_SEAT, SETTLE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, 1, 2, 1, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, life(2) + 1, 1));
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
}

static void nobody_takes_from_a_removed_line(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 1), q;

	(void)state;
	have_a_remover();
	regs[LINE_W].w[0] = LINE_REMOVED;
	regs[SEAT0] = seat(1, LINE_IDLE, 0, life(1), 0);
	q = follow_in(&removing, p, TAKE_SEAT, TAKE_W, TAKE_BACK);
	assert_same(regs[LINE_W], w(LINE_REMOVED, 0, 2, 0, 2));
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, life(1), 0));
	assert_proc(q, in_seat(LEAVE_BELL, 1, 2));
	/* nor who reads it */
	q = follow_in(&removing, in_seat(READ_T, 1, 2), READ_T, READ_S);
	assert_proc(q, in_seat(TAKE_BACK, 1, 2));
}

/* --- unnoticed, invariants ------------------------------------------------ */

static void a_death_is_unnoticed_until_the_seat_is_seen_to(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter();
	/* it died elsewhere, and nothing is left of it */
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
	p[0].pc = DONE;
	assert_false(unnoticed(&cfg, regs, p));
	p[0].pc = DEAD;
	regs[SEAT0] = seat(3, LINE_FREE, 0, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
	/* of a joiner the bell says nothing, but its life does */
	regs[SEAT0] = seat(2, LINE_JOINING, 0, life(1), 0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	assert_true(unnoticed(&cfg, regs, p));
	/* marked, but not brought to its end */
	regs[LIVES] = wicket_number(ALL_3);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, life(1) + T1, 1);
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(2, LINE_TAKING, 1, life(1), 0);
	assert_true(unnoticed(&cfg, regs, p));
}

/* As long as its command runs, no look shows that it is dead. */
static void a_death_that_is_kept_explains_nothing(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter();
	regs[SEAT0].w[1] += KEPT_BIT;
	regs[BELL0] = wicket_number(LINE_DIED);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	regs[KEEP0] = wicket_number(2);
	assert_false(unnoticed(&kept, regs, p));
	regs[KEEP0] = wicket_number(4); /* another operation's */
	assert_true(unnoticed(&kept, regs, p));
}

/* Where all watch, one death is no excuse: only that of who was woken, too. */
static void where_all_watch_a_death_is_noticed(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };
	struct wicket_cfg c = cfg;

	(void)state;
	c.variant = WATCHED;
	have_a_waiter();
	regs[BELL0] = wicket_number(LINE_DIED);
	assert_false(unnoticed(&c, regs, p));
	p[2] = (struct wicket_proc){ .pc = DEAD };
	assert_true(unnoticed(&c, regs, p));
	regs[BELL0] = wicket_number(LINE_ALIVE);
	assert_false(unnoticed(&c, regs, p));
}

static void who_sleeps_on_a_valid_ticket_waits_for_its_waker(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_an_heir(0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_DIED);
	/* applied, and not yet written down; then so */
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T3, 3);
	assert_true(unnoticed(&cfg, regs, p));
	/* another's release does not explain it, nor another's death */
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T2, 2);
	assert_false(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	assert_false(unnoticed(&cfg, regs, p));
}

static void r1_wants_distinct_slots(void **state)
{
	struct wicket_proc p[] = { in_seat(HOLD, 1, 2),
				   { .pc = JOIN_SEAT },
				   in_seat(HOLD, 3, 2) };

	(void)state;
	begin();
	p[2].local[SLOT] = 1;
	assert_true(holds(&cfg, 0, regs, p));
	p[2].local[SLOT] = 0;
	assert_false(holds(&cfg, 0, regs, p));
	p[0].pc = FIND;
	assert_true(holds(&cfg, 0, regs, p));
}

static void r2_wants_tickets_enabled_in_order(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_waiter();
	assert_true(holds(&cfg, 1, regs, p));
	/* number 3 would be valid, or (1,1) would be number 2 */
	regs[LINE_W].w[2] = 0x300000003;
	assert_false(holds(&cfg, 1, regs, p));
	regs[LINE_W].w[2] = 0x200000003;
	regs[SEAT1].w[2] = 2;
	assert_false(holds(&cfg, 1, regs, p));
	/* a valid one beyond VALID's number */
	regs[SEAT1].w[2] = 3;
	regs[SEAT0].w[2] = 3;
	assert_false(holds(&cfg, 1, regs, p));
	regs[SEAT0].w[2] = 1;
	assert_true(holds(&cfg, 1, regs, p));
}

static void r3_wants_every_operation_applied_once(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	begin();
	assert_true(holds(&cfg, 2, regs, p));
	/* a take, from not applied to written down */
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_taken;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + T1, 1);
	assert_true(holds(&cfg, 2, regs, p));
	/* lost */
	regs[SEAT0] = seat(2, LINE_FREE, 0, 0, 0);
	assert_false(holds(&cfg, 2, regs, p));
	/* a release, likewise */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_released;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T3, 3);
	assert_true(holds(&cfg, 2, regs, p));
	/* twice */
	regs[LINE_W] = w(0x30001, T1, 0x4000, 1, 4);
	assert_false(holds(&cfg, 2, regs, p));
}

static void r4_wants_a_removed_line_empty(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_remover();
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + 1, 1);
	assert_true(holds(&removing, 3, regs, p));
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_false(holds(&removing, 3, regs, p));
	/* a release that is not applied */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(1, 0), 1);
	assert_false(holds(&removing, 3, regs, p));
	/* a take that is not */
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	assert_true(holds(&removing, 3, regs, p));
}

static void r5_wants_the_living_unmarked(void **state)
{
	const uint16_t pcs[] = { TAKE_SEAT,    WAIT_SLEEP, HOLD,      JOIN_SIT,
				 ABANDON_BELL, LEAVE_BELL, LEAVE_SEAT };
	struct wicket_proc p[3] = { standing(JOIN_SEAT, 1) };

	(void)state;
	have_a_waiter();
	for (size_t i = 0; i < sizeof(pcs) / sizeof(*pcs); i++) {
		p[1] = waiter(pcs[i]);
		regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
		assert_true(holds(&cfg, 4, regs, p));
		regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
		assert_false(holds(&cfg, 4, regs, p));
	}
	/* the dead, but not as long as their command lives on in their seat */
	for (uint16_t pc = DIE; pc <= COMMAND; pc++) {
		p[1].pc = pc;
		p[1].local[MASK] = 0;
		assert_int_equal(holds(&cfg, 4, regs, p), pc != COMMAND);
		p[1].local[MASK] = 1;
		assert_false(holds(&cfg, 4, regs, p));
	}
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
	assert_true(holds(&cfg, 4, regs, p));
	regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
	/* who has given up, and has no seat any more */
	p[1] = standing(READ_T, 2);
	assert_true(holds(&cfg, 4, regs, p));
	/* another's */
	p[1] = in_seat(TAKE_SEAT, 3, 2);
	assert_true(holds(&cfg, 4, regs, p));
}

static void r5_wants_the_living_in_their_seats(void **state)
{
	struct wicket_proc p[3] = { standing(JOIN_SEAT, 1) };
	struct wicket_cfg shared = cfg;

	(void)state;
	have_a_waiter();
	p[1] = waiter(WAIT_SLEEP);
	/* it was freed, and taken by somebody else */
	regs[SEAT1] = seat(3, LINE_FREE, 0, 0, 0);
	assert_false(holds(&cfg, 4, regs, p));
	regs[SEAT1] = seat(4, LINE_JOINING, 0, life(3), 0);
	assert_false(holds(&cfg, 4, regs, p));
	p[1].pc = DIE_LIFE;
	assert_true(holds(&cfg, 4, regs, p));
	/* where all have the same life, nobody can tell */
	p[1].pc = WAIT_SLEEP;
	shared.mutant = LIFE_SHARED;
	regs[SEAT1] = seat(4, LINE_JOINING, 0, life(1), 0);
	assert_true(holds(&shared, 4, regs, p));
}

/* A planted bug touches a bell that is not its own: what comes of it counts. */
static void r5_is_not_about_bells(void **state)
{
	struct wicket_cfg first = planted(BELL_FIRST);
	struct wicket_cfg last = planted(BELL_LAST);
	struct wicket_proc p[3] = { in_seat(JOIN_CLAIM, 1, 0) };

	(void)state;
	begin();
	assert_true(holds(&first, 4, regs, p));
	assert_false(holds(&last, 4, regs, p));
	assert_false(holds(&cfg, 4, regs, p));
	p[0].pc = JOIN_UNLOCK;
	assert_true(holds(&first, 4, regs, p));
	p[0].pc = LEAVE_BELL;
	assert_true(holds(&last, 4, regs, p));
	assert_false(holds(&first, 4, regs, p));
	p[0].pc = TAKE_SEAT;
	assert_false(holds(&first, 4, regs, p));
	assert_false(holds(&last, 4, regs, p));
}

/* Nobody is there any more but what the registers say. */
static int is_remembered(const struct wicket_cfg *c)
{
	const struct wicket_proc p[3] = { { .pc = DEAD },
					  { .pc = DEAD },
					  { .pc = DONE } };

	return holds(c, 5, regs, p);
}

static void r6_wants_every_death_marked_or_to_be_seen(void **state)
{
	struct wicket_proc p[3] = { { .pc = DEAD } };

	(void)state;
	begin();
	assert_true(is_remembered(&cfg)); /* free */
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T1, 1);
	regs[BELL1] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2);
	/* neither bell nor life tell of it */
	assert_false(is_remembered(&cfg));
	regs[BELL1] = wicket_number(LINE_NOBODY);
	assert_false(is_remembered(&cfg));
	regs[LIVES] = wicket_number(ONLY_1 + ONLY_3); /* others' */
	assert_true(is_remembered(&cfg));
	regs[LIVES] = wicket_number(ONLY_2);
	regs[BELL1] = wicket_number(LINE_DIED);
	assert_true(is_remembered(&cfg));
	/* the bell is not believed of a joiner */
	regs[SEAT1] = seat(2, LINE_JOINING, 0, life(2), 0);
	assert_false(is_remembered(&cfg));
	regs[SEAT1] = seat(2, LINE_JOINING, 1, life(2), 0);
	assert_true(is_remembered(&cfg));
	/* its owner is there, alive or dying */
	regs[SEAT1] = seat(2, LINE_JOINING, 0, life(2), 0);
	p[1] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
	p[1].pc = DIE_LIFE;
	assert_true(holds(&cfg, 5, regs, p));
	p[1].local[ME] = 3;
	assert_false(holds(&cfg, 5, regs, p));
	p[0] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
	p[0].local[ME] = 1;
	p[2] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
}

static void r6_of_a_seat_that_is_kept(void **state)
{
	struct wicket_proc p[3] = { { .pc = DEAD } };

	(void)state;
	p[1] = orphan();
	assert_true(holds(&kept, 5, regs, p));
	/* a lock that nobody will ever drop */
	assert_false(is_remembered(&kept));
	regs[KEEP0] = wicket_number(0);
	assert_true(is_remembered(&kept));
	regs[KEEP0] = wicket_number(4); /* another operation's */
	assert_true(is_remembered(&kept));
}

/* --- variant inside ------------------------------------------------------- */

static void k_are_inside_and_the_next_stays(void **state)
{
	const struct wicket_cfg inside = { .n = 4, .k = 2, .variant = INSIDE };
	struct wicket_value now[WICKET_REGS_MAX];
	struct wicket_proc procs[4];

	(void)state;
	for (uint32_t r = 0; r < registers(&inside); r++)
		now[r] = reg(&inside, r).start;
	for (uint32_t i = 0; i < 4; i++) {
		procs[i] = start(&inside, i + 1);
		assert_int_equal(region(&inside, procs[i]),
				 i < 2 ? WICKET_CRITICAL : WICKET_REMAINDER);
	}
	for (uint32_t i = 0; invariants[i].name; i++)
		assert_true(holds(&inside, i, now, procs));
	assert_int_equal(access(&inside, procs[1]).kind, WICKET_RMW);
	procs[2].pc = HOLD;
	assert_int_equal(access(&inside, procs[2]).kind, WICKET_REST);
}

/* --- variants given-up and shipped ---------------------------------------- */

/* The registers and processes of an ordinary line. */
struct story {
	struct wicket_cfg c;
	struct wicket_value now[WICKET_REGS_MAX];
	struct wicket_proc procs[3];
};

static void go_on(struct story *s, uint32_t i)
{
	struct wicket_access a = access(&s->c, s->procs[i]);
	struct wicket_result r = step(&s->c, s->procs[i], s->now[a.reg]);

	if (a.kind == WICKET_STORE || a.kind == WICKET_RMW ||
	    (a.kind == WICKET_CAS && wicket_is_expected(&a, s->now[a.reg])))
		s->now[a.reg] = r.put;
	s->procs[i] = r.proc;
}

/* 1 sits down first, but 3 takes the first ticket; 1 waits until 3 has left, and
   gives up then. */
static void play(struct story *s)
{
	for (uint32_t r = 0; r < registers(&s->c); r++)
		s->now[r] = reg(&s->c, r).start;
	for (uint32_t i = 0; i < 3; i++)
		s->procs[i] = start(&s->c, i + 1);
	while (s->procs[0].pc != TAKE_SEAT)
		go_on(s, 0);
	while (region(&s->c, s->procs[2]) != WICKET_CRITICAL)
		go_on(s, 2);
	while (s->procs[0].pc != WAIT_SLEEP)
		go_on(s, 0);
	while (access(&s->c, s->procs[2]).kind != WICKET_REST)
		go_on(s, 2);
	s->procs[0] = on_event(&s->c, s->procs[0], WICKET_ABANDON);
	while (s->procs[0].pc != ABANDON_MARK)
		go_on(s, 0);
	go_on(s, 0);
}

/* The beginning is one that an ordinary line reaches. */
static void one_has_given_up_a_valid_ticket(void **state)
{
	(void)state;
	for (uint32_t seats = 2; seats <= 4; seats++) {
		struct story s = { .c = { .n = 3, .k = 1, .seats = seats } };
		struct wicket_cfg given = s.c;
		struct wicket_proc first;

		given.variant = GIVEN_UP;
		first = start(&given, 1);
		play(&s);
		for (uint32_t r = 0; r < registers(&given); r++)
			assert_true(wicket_value_equal(reg(&given, r).start,
						       s.now[r]));
		assert_memory_equal(&first, &s.procs[0], sizeof(first));
		assert_int_equal(region(&given, first), WICKET_EXIT);
	}
	assert_non_null(refuse(&(struct wicket_cfg){
		.n = 4, .k = 2, .seats = 4, .variant = GIVEN_UP }));
}

static void as_many_tickets_as_are_shipped(void **state)
{
	const struct wicket_cfg shipped = { .n = 3,
					    .k = 2,
					    .variant = SHIPPED };
	const struct wicket_cfg seated = { .n = 3, .k = 2, .variant = SEATED };

	(void)state;
	assert_int_equal(block(&shipped), line_block(3, 2));
	assert_int_equal(block(&seated), line_block(3, 2) - 1);
	assert_int_equal(start(&shipped, 1).pc, TAKE_SEAT);
}

/* --- names ---------------------------------------------------------------- */

static void names_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[NO_SETTLE - 1].name, "no-settle");
	assert_string_equal(mutants[NO_RELEASED - 1].name, "no-released");
	assert_string_equal(mutants[REMOVE_BUSY - 1].name, "remove-busy");
	assert_string_equal(mutants[MARK_ONCE - 1].name, "mark-once");
	assert_string_equal(mutants[MARK_STATE - 1].name, "mark-state");
	assert_string_equal(mutants[BELL_ONLY - 1].name, "bell-only");
	assert_string_equal(mutants[LIFE_SHARED - 1].name, "life-shared");
	assert_string_equal(mutants[NOT_TOLD - 1].name, "not-told");
	assert_null(mutants[NOT_TOLD].name);
	assert_string_equal(variants[KEPT - 1].name, "kept");
	assert_string_equal(variants[SILENT - 1].name, "silent");
	assert_string_equal(variants[WATCHED - 1].name, "watched");
	assert_string_equal(variants[INSIDE - 1].name, "inside");
	assert_string_equal(variants[SHIPPED - 1].name, "shipped");
	assert_string_equal(variants[GIVEN_UP - 1].name, "given-up");
	assert_null(variants[GIVEN_UP].name);
	assert_string_equal(invariants[5].name, "R6");
	assert_int_equal(sizeof(pc_names) / sizeof(*pc_names), DEAD + 1);
	assert_string_equal(pc_names[JOIN_SIT], "join: sit");
	assert_string_equal(pc_names[TAKE_BACK], "take: back");
	assert_string_equal(pc_names[SCAN_LIFE], "scan: alive?");
	assert_string_equal(pc_names[HOLD], "release");
	assert_string_equal(pc_names[HEIR], "heir?");
	assert_string_equal(pc_names[LEAVE_LIFE], "leave: life");
	assert_string_equal(pc_names[TELL_W], "tell: W");
	assert_string_equal(pc_names[DIE_LIFE], "life ends");
	assert_string_equal(pc_names[DEAD], "dead");
	assert_shows_step(&wicket_recoverable, &cfg, in_seat(TAKE_W, 1, 2),
			  "take: W");
}

static void texts_of_registers(void **state)
{
	(void)state;
	begin();
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T= ISSUE=(0,0) VALID=(0,1) SLOT=(1,0)(0,1) F0- F0- F0-");
	have_a_dead_releaser(1);
	regs[BELL1] = wicket_number(LINE_DIED);
	regs[SEAT2] = seat(12, LINE_RELEASING, 0, life(3) + inside(T2, 1), 2);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=3@1 ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " r3(1,1)D+ H2(1,1)Dxz R12(0,1)+");
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	regs[SEAT1] = seat(4, LINE_IDLE, 0, life(2), 0);
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=x ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " T4+ I4xz R12(0,1)+");
	/* whose owner does not live any more; a free one has none */
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
	regs[LIVES] = wicket_number(ONLY_3);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=x ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " F4+ I4x!z R12(0,1)+");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_the_registers_are),
		cmocka_unit_test(seated_all_start_in_their_seats),
		cmocka_unit_test(sizes_that_are_refused),
		cmocka_unit_test(lives_are_a_set),
		cmocka_unit_test(regions),
		cmocka_unit_test(from_join_to_hold),
		cmocka_unit_test(from_hold_to_done),
		cmocka_unit_test(who_leaves_has_no_seat_any_more),
		cmocka_unit_test(the_second_time_it_stays_seated),
		cmocka_unit_test(w_is_most_likely_as_it_was_left),
		cmocka_unit_test(a_lost_race_for_w_shows_what_it_is),
		cmocka_unit_test(a_life_is_taken_once_and_first),
		cmocka_unit_test(a_seat_that_is_taken_is_passed),
		cmocka_unit_test(a_claim_is_lost_to_whoever_was_faster),
		cmocka_unit_test(after_the_last_seat_it_looks_for_the_dead),
		cmocka_unit_test(the_bell_of_the_owner_before_is_overwritten),
		cmocka_unit_test(it_takes_the_first_seat_that_is_free),
		cmocka_unit_test(without_a_free_seat_it_looks_for_the_dead),
		cmocka_unit_test(a_ticket_that_is_not_valid_waits),
		cmocka_unit_test(once_valid_it_finds_its_slot),
		cmocka_unit_test(a_helper_writes_a_take_down),
		cmocka_unit_test(a_helper_writes_a_release_down),
		cmocka_unit_test(the_owner_goes_on_where_it_is_written_down),
		cmocka_unit_test(a_slot_that_is_written_is_left_alone),
		cmocka_unit_test(a_changed_w_shows_that_all_is_settled),
		cmocka_unit_test(a_late_helper_does_not_change_the_slot_again),
		cmocka_unit_test(a_take_is_written_down_once),
		cmocka_unit_test(a_take_that_was_not_applied_is_undone),
		cmocka_unit_test(a_silent_death_is_found_by_its_life),
		cmocka_unit_test(it_is_the_owner_whose_life_is_asked_for),
		cmocka_unit_test(the_bell_is_ignored_of_a_joiner),
		cmocka_unit_test(a_joiner_that_dies_leaves_its_seat_free),
		cmocka_unit_test(a_mark_that_fails_is_tried_again),
		cmocka_unit_test(who_comes_after_a_dead_one_is_not_marked),
		cmocka_unit_test(a_take_that_was_applied_is_released),
		cmocka_unit_test(d_must_have_been_seen_at_this_seq),
		cmocka_unit_test(the_slot_of_a_dead_holder_is_released),
		cmocka_unit_test(a_dead_ones_release_is_applied_once),
		cmocka_unit_test(
			the_slot_of_a_dead_holder_is_the_one_with_its_ticket),
		cmocka_unit_test(who_dies_before_it_enters_was_not_inside),
		cmocka_unit_test(a_dead_waiter_keeps_its_place_in_the_line),
		cmocka_unit_test(the_heir_is_woken),
		cmocka_unit_test(an_heir_that_does_not_sleep_is_not_woken),
		cmocka_unit_test(for_a_dead_releaser_it_is_woken_in_any_case),
		cmocka_unit_test(a_dead_heir_passes_its_slot_on),
		cmocka_unit_test(who_ends_second_goes_his_way),
		cmocka_unit_test(only_a_sleeper_abandons),
		cmocka_unit_test(who_only_tried_takes_back),
		cmocka_unit_test(who_abandons_gives_up_its_seat),
		cmocka_unit_test(who_abandons_a_valid_ticket_releases_it),
		cmocka_unit_test(a_death_rings_the_bell_and_then_ends_the_life),
		cmocka_unit_test(a_bell_that_is_not_alive_does_not_ring),
		cmocka_unit_test(the_bell_rings_whoever_sits_there),
		cmocka_unit_test(who_has_no_seat_dies_without_a_bell),
		cmocka_unit_test(nobody_dies_before_it_lives_or_twice),
		cmocka_unit_test(of_some_the_bell_never_rings),
		cmocka_unit_test(who_only_tries_may_look_for_the_dead),
		cmocka_unit_test(who_keeps_locks_and_says_so),
		cmocka_unit_test(a_command_outlives_its_holder),
		cmocka_unit_test(
			who_dies_before_there_is_a_command_leaves_none),
		cmocka_unit_test(while_it_runs_nobody_is_marked),
		cmocka_unit_test(kept_and_silent),
		cmocka_unit_test(when_it_has_ended_its_holder_is_dead),
		cmocka_unit_test(who_was_seen_before_it_kept_is_not_marked),
		cmocka_unit_test(the_nearest_are_watched),
		cmocka_unit_test(how_far_ahead_somebody_is),
		cmocka_unit_test(the_first_in_line_watches_all_who_are_inside),
		cmocka_unit_test(the_others_watch_the_one_right_before_them),
		cmocka_unit_test(who_has_given_up_is_not_watched),
		cmocka_unit_test(who_finds_a_holder_dead_lets_itself_in),
		cmocka_unit_test(who_enters_tells_the_next_in_line),
		cmocka_unit_test(who_is_the_last_tells_nobody),
		cmocka_unit_test(telling_skips_who_has_given_up),
		cmocka_unit_test(telling_stops_at_the_last_ticket),
		cmocka_unit_test(not_everybody_tells),
		cmocka_unit_test(joiners_and_leavers_may_be_wrong),
		cmocka_unit_test(
			who_locks_the_bell_first_may_have_to_unlock_it),
		cmocka_unit_test(scans_may_be_wrong),
		cmocka_unit_test(keepers_may_be_wrong),
		cmocka_unit_test(who_has_left_removes_the_line),
		cmocka_unit_test(only_where_lines_are_removed),
		cmocka_unit_test(a_line_with_a_ticket_out_is_not_removed),
		cmocka_unit_test(nobody_takes_from_a_removed_line),
		cmocka_unit_test(
			a_death_is_unnoticed_until_the_seat_is_seen_to),
		cmocka_unit_test(a_death_that_is_kept_explains_nothing),
		cmocka_unit_test(where_all_watch_a_death_is_noticed),
		cmocka_unit_test(
			who_sleeps_on_a_valid_ticket_waits_for_its_waker),
		cmocka_unit_test(r1_wants_distinct_slots),
		cmocka_unit_test(r2_wants_tickets_enabled_in_order),
		cmocka_unit_test(r3_wants_every_operation_applied_once),
		cmocka_unit_test(r4_wants_a_removed_line_empty),
		cmocka_unit_test(r5_wants_the_living_unmarked),
		cmocka_unit_test(r5_wants_the_living_in_their_seats),
		cmocka_unit_test(r5_is_not_about_bells),
		cmocka_unit_test(r6_wants_every_death_marked_or_to_be_seen),
		cmocka_unit_test(r6_of_a_seat_that_is_kept),
		cmocka_unit_test(k_are_inside_and_the_next_stays),
		cmocka_unit_test(one_has_given_up_a_valid_ticket),
		cmocka_unit_test(as_many_tickets_as_are_shipped),
		cmocka_unit_test(names_are_as_numbered),
		cmocka_unit_test(texts_of_registers),
	};

	return cmocka_run_group_tests_name("recoverable", tests, NULL, NULL);
}
