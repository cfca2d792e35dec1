/* SPDX-License-Identifier: MIT */
/*
 * recoverable - the protocol by hand, access by access, on a line of three
 * seats and two slots: one process alone; operations finished by a helper; the
 * dead; the heir; giving up; the end of the line.  The words themselves are
 * line.c's.
 *
 * There M is 2, so that ticket number i is (i mod 2, i div 2).
 */
#include "unit.h"

#include "algo/recoverable.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 2, .laps = 1 };

/* Its registers. */
enum { LINE_W, SLOT0, SLOT1, SEAT0, SEAT1, SEAT2, FUT0, FUT1, FUT2 };
enum { LIVE0 = 9, LIVE1, LIVE2, KEEP0, KEEP1, KEEP2, REGS };

/* Tickets: value in 13 bits, colour above. */
enum { T1 = 0x0001, T2 = 0x2000, T3 = 0x2001 };

/* --- words, put together by other means than the product's ---------------- */

static struct wicket_value seat(uint64_t seq, uint64_t phase, uint64_t d,
				uint64_t load, uint64_t number)
{
	return words(seq * 0x10000 + d * 8 + phase, load, number, 0);
}

/* A load: the ticket in slot 0, 1, ... */
static uint64_t inside(uint64_t ticket, uint64_t slot)
{
	return (slot + 1) * 0x400000 + ticket;
}

#define DIED_INSIDE 0x100000000

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
		.local = { [ME] = i, [SEQ] = seq },
	};
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
	assert_int_equal(registers(&more), 14);
	assert_int_equal(block(&more), 3);
	assert_int_equal(seat_reg(&more, 3), 5);
	assert_int_equal(fut_reg(&more, 0), 6);
	assert_int_equal(live_reg(&more, 3), 13);
	/* as shipped */
	more.variant = REMOVING;
	assert_int_equal(block(&more), 4);
	more.variant = KEPT;
	assert_int_equal(block(&more), 4);
	assert_int_equal(keep_reg(&more, 3), 17);
	assert_int_equal(registers(&more), 18);
}

static void seated_all_start_in_their_seats(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	assert_proc(start(&c, 3), (struct wicket_proc){ .pc = JOIN_SEAT });
	c.variant = SEATED;
	begin();
	for (uint32_t i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(0, LINE_IDLE, 0, 0, 0);
		regs[LIVE0 + i] = wicket_number(LINE_ALIVE);
		assert_proc(start(&c, i + 1), in_seat(TAKE_SEAT, i + 1, 0));
	}
	for (uint32_t r = 0; r < REGS; r++)
		assert_same(reg(&c, r).start, regs[r]);
	c.n = 4;
	assert_null(refuse(&c));
	c.seats = 3; /* not everybody has one */
	assert_non_null(refuse(&c));
	c.variant = 0;
	assert_null(refuse(&c));
	c.k = 3; /* as many slots as seats */
	assert_non_null(refuse(&c));
	c.seats = 17;
	assert_non_null(refuse(&c));
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
	assert_int_equal(region_at(JOIN_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(TAKE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(READ_T, 0), WICKET_TRYING);
	assert_int_equal(region_at(TAKE_BACK, 0), WICKET_TRYING);
	assert_int_equal(region_at(WAIT_SLEEP, 0), WICKET_TRYING);
	assert_int_equal(region_at(HOLD, 1), WICKET_CRITICAL);
	assert_int_equal(region_at(READ_T, EXITING), WICKET_EXIT);
	assert_int_equal(region_at(ABANDON_MARK, 0), WICKET_EXIT);
	assert_int_equal(region_at(LEAVE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, p), WICKET_REMAINDER);
}

/* --- one process alone ---------------------------------------------------- */

enum { NOTHING = -1 };

/* A step from pc, which changes this register and no other. */
struct move {
	uint16_t pc;
	int reg;
	struct wicket_value value;
};

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
		assert_int_equal(r.wakes, 0);
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
	regs[SEAT0] = seat(2, LINE_HAVE, 0, inside(T1, 0), 1);
	regs[LIVE0] = wicket_number(LINE_ALIVE);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[LAST] = pointers(T1, T2);
	p.local[MINE] = T1;
	return p;
}

static void from_join_to_hold(void **state)
{
	const struct move moves[] = {
		{ JOIN_SEAT, NOTHING, none },
		{ JOIN_LOCK, LIVE0, words(LINE_ALIVE, 0, 0, 0) },
		{ JOIN_FUT, FUT0, none },
		{ JOIN_SIT, SEAT0, seat(1, LINE_IDLE, 0, 0, 0) },
		{ TAKE_SEAT, SEAT0, seat(2, LINE_TAKING, 0, 0, 0) },
		{ TAKE_W, NOTHING, none }, /* W is not as it guessed */
		{ TAKE_W, LINE_W, w_taken },
		{ TAKE_TICKET, SEAT0, seat(2, LINE_TAKING, 0, T1, 1) },
		{ TAKE_HAVE, SEAT0, seat(2, LINE_HAVE, 0, T1, 1) },
		{ FIND, NOTHING, none },
		{ FOUND, SEAT0, seat(2, LINE_HAVE, 0, inside(T1, 0), 1) },
	};
	struct wicket_value reached[REGS];
	struct wicket_proc p;

	(void)state;
	begin();
	/* as somebody left it: the futex word is cleared */
	regs[FUT0] = wicket_number(7);
	p = assert_moves(start(&cfg, 1), moves, 11);
	memcpy(reached, regs, sizeof(regs));
	assert_proc(p, have_a_holder());
	assert_memory_equal(regs, reached, sizeof(regs));
}

static void from_hold_to_done(void **state)
{
	const struct move moves[] = {
		{ HOLD, SEAT0, seat(3, LINE_RELEASING, 0, inside(T1, 0), 1) },
		{ RELEASE_W, LINE_W, w_released },
		{ RELEASE_SLOT, SLOT0, slot(1, 0, T3, 3) },
		/* with so few tickets a colour it may have an heir */
		{ HEIR, NOTHING, none },
		{ HEIR, NOTHING, none },
		{ HEIR, NOTHING, none },
		{ RELEASE_END, SEAT0, seat(3, LINE_IDLE, 0, inside(T1, 0), 1) },
		{ LEAVE_SEAT, SEAT0, seat(3, LINE_FREE, 0, 0, 0) },
		{ LEAVE_LIVE, LIVE0, none },
	};
	struct wicket_proc p = have_a_holder();

	(void)state;
	p = assert_moves(p, moves, 9);
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
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
	assert_same(regs[SEAT0], seat(4, LINE_HAVE, 0, inside(T2, 1), 2));
	/* SLOT holds (1,1) and (0,1): colour 0 is new */
	p = follow_in(&c, p, HOLD, READ_T, READ_S, COLOURS, COLOURS, RELEASE_W);
	assert_same(regs[LINE_W], w(0x50001, T2, 0, 2, 4));
	p = follow_in(&c, p, RELEASE_SLOT, HEIR, HEIR, HEIR, RELEASE_END);
	assert_same(regs[SLOT1], slot(1, 0, 0, 4));
	assert_proc(
		p, (struct wicket_proc){ .pc = LEAVE_SEAT,
					 .local = { [ME] = 1,
						    [SEQ] = 5,
						    [LAST] = p.local[LAST] } });
}

static void w_is_most_likely_as_it_was_left(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 3), q;

	(void)state;
	begin();
	regs[LINE_W] = w(0x30001, T2, T3, 2, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0);
	p.local[LAST] = pointers(T2, T3);
	q = follow(p, TAKE_SEAT, TAKE_W);
	assert_same(regs[LINE_W], w(0x40001, T3, T3, 3, 3));
	assert_int_equal(q.pc, TAKE_TICKET);
	assert_int_equal(q.local[TICKET], 0x300000000 + T3);
	/* the same pointers, but somebody else's: that has to be settled */
	regs[LINE_W] = w(0x20002, T2, T3, 2, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0);
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

static void a_seat_that_is_taken_or_watched_is_passed(void **state)
{
	struct wicket_proc p = start(&cfg, 1), at2 = start(&cfg, 1);

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_IDLE, 0, 0, 0);
	regs[LIVE1] = wicket_number(LINE_ALIVE);
	p = follow(p, JOIN_SEAT, JOIN_SEAT, JOIN_LOCK);
	assert_value(regs[LIVE1], LINE_ALIVE, 0, 0, 0);
	at2.local[AT] = 2;
	assert_proc(p, at2);
	assert_int_equal(region(&cfg, p), WICKET_TRYING);
}

static void the_seat_of_a_dead_owner_is_joined_at_a_new_seq(void **state)
{
	struct wicket_proc p = start(&cfg, 1), locked = in_seat(JOIN_FUT, 1, 0);

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(p, JOIN_SEAT, JOIN_LOCK);
	locked.local[C0] = 0x40000;
	assert_proc(p, locked);
	p = follow(p, JOIN_FUT, JOIN_SIT);
	assert_same(regs[SEAT0], seat(5, LINE_IDLE, 0, 0, 0));
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	assert_proc(p, in_seat(TAKE_SEAT, 1, 5));
}

static void who_took_the_mark_of_a_dead_one_marks_its_seat(void **state)
{
	struct wicket_proc p = start(&cfg, 1), on = start(&cfg, 1);

	(void)state;
	begin();
	p = follow(p, JOIN_SEAT);
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0); /* and died */
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(p, JOIN_LOCK, JOIN_FUT, JOIN_SIT, JOIN_UNDO);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 1); /* settled */
	p = follow(p, JOIN_MARK, JOIN_UNDO, JOIN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 1, T1, 1));
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	p = follow(p, JOIN_UNLOCK);
	assert_value(regs[LIVE0], LINE_NOBODY, 0, 0, 0);
	on.local[AT] = 1;
	assert_proc(p, on);
}

static void without_a_free_seat_it_looks_for_the_dead(void **state)
{
	struct wicket_proc p = start(&cfg, 1);

	(void)state;
	begin();
	for (int i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(1, LINE_IDLE, 0, 0, 0);
		regs[LIVE0 + i] = wicket_number(LINE_ALIVE);
	}
	regs[LIVE1] = wicket_number(LINE_DIED);
	p = follow(p, JOIN_SEAT, JOIN_SEAT, JOIN_SEAT, SCAN_SEAT, SCAN_LIVE,
		   SCAN_SEAT, SCAN_LIVE, SCAN_MARK, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FREE, SCAN_SEAT, SCAN_LIVE);
	assert_same(regs[SEAT1], seat(1, LINE_FREE, 0, 0, 0));
	assert_proc(p, start(&cfg, 1));
}

/* --- wait ----------------------------------------------------------------- */

/* Seat 2 has number 3, which is not valid. */
static void have_a_waiter(void)
{
	begin();
	regs[LINE_W] = w(0x20002, T3, T2, 3, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, inside(T1, 0), 1);
	regs[SEAT1] = seat(2, LINE_HAVE, 0, T3, 3);
	regs[SEAT2] = seat(2, LINE_HAVE, 0, inside(T2, 1), 2);
	regs[LIVE0] = regs[LIVE1] = regs[LIVE2] = wicket_number(LINE_ALIVE);
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
	regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0);
	p.local[WT] = 0x20003;
	p.local[WS] = regs[LINE_W].w[1];
	p.local[WG] = regs[LINE_W].w[2];
	p.local[E] = pointers(T3, T2);
	p = follow(p, TAKE_W, TAKE_TICKET, TAKE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, T3, T2, 3, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, T3, 3));
	assert_proc(p, waiter(WAIT_SPIN));
	p = follow(p, WAIT_SPIN, WAIT_ARM, WAIT_LOOK);
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_proc(p, waiter(WAIT_SLEEP));
	assert_int_equal(access(&cfg, p).reg, FUT1);
	assert_value(access(&cfg, p).expect, 5, 0, 0, 0);
	/* who has slept in vain looks after the dead */
	p = follow(p, WAIT_SLEEP);
	slept = waiter(WAIT_ARM);
	slept.local[I] = 1;
	assert_proc(p, slept);
	p = follow(p, WAIT_ARM, WAIT_LOOK, SCAN_SEAT, SCAN_LIVE, SCAN_SEAT,
		   SCAN_LIVE);
	assert_proc(p, waiter(WAIT_SLEEP));
}

static void once_valid_it_finds_its_slot(void **state)
{
	struct wicket_proc p, holder = waiter(HOLD);

	(void)state;
	have_a_waiter();
	/* seat 1 has released, its slot is not yet written */
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, inside(T1, 0), 1);
	p = follow(waiter(WAIT_LOOK), WAIT_LOOK, FIND, FIND, READ_T, READ_S,
		   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, FIND, FOUND);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, T3, 3));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, inside(T3, 0), 3));
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
		regs[SEAT0] = seat(2, LINE_TAKING, d, 0, 0);
		regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_HAVE);
		assert_same(regs[SEAT0], seat(2, LINE_HAVE, d, T1, 1));
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
		assert_same(regs[SEAT0], seat(2, LINE_HAVE, 0, T1, 1));
	}
}

static void have_a_release(uint64_t d, uint64_t load)
{
	begin();
	regs[LINE_W] = w_released;
	regs[SEAT0] = seat(3, LINE_RELEASING, d, load, 1);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0);
}

static void a_helper_writes_a_release_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		const uint64_t load = inside(T1, 0) + d * DIED_INSIDE;
		struct wicket_proc p;

		have_a_release(d, load);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT);
		/* SLOT first, phase second; the next holder is told */
		assert_same(regs[SLOT0], slot(1, d, T3, 3));
		assert_same(regs[SEAT0], seat(3, LINE_RELEASING, d, load, 1));
		p = follow(p, SETTLE_DONE);
		assert_same(regs[SEAT0], seat(3, LINE_RELEASED, d, T3, 3));
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
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, T3, 3));
	assert_int_equal(p.pc, LEAVE_SEAT);
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
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, T3, 3));
	assert_int_equal(p.pc, TAKE_W);
	/* and one that has gone on since shows that all is settled */
	have_a_release(0, inside(T1, 0));
	regs[SLOT0] = slot(2, 0, 0, 4);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 0, inside(T1, 0), 1));
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
	regs[SEAT0] = seat(4, LINE_TAKING, 0, 0, 0);
	p = follow(p, SETTLE_PUT, SETTLE_DONE, SETTLE_SEAT);
	assert_same(regs[SLOT0], slot(4, 0, T1, 9));
	assert_same(regs[SEAT0], seat(4, LINE_TAKING, 0, 0, 0));
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
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0);
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(scanner(), SCAN_SEAT, SCAN_LIVE, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_TAKING, 1, 0, 0));
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
	assert_same(regs[SEAT0], seat(2, LINE_FREE, 0, 0, 0));
	assert_value(regs[LIVE0], LINE_DIED, 0, 0, 0);
	/* its own seat is skipped, the third is free */
	p = follow(p, SCAN_SEAT);
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

static void a_take_that_was_applied_is_released(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 1, 0, 0);
	p = follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT, SETTLE_HAVE, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_GIVE);
	/* it was not inside: the next holder is not told */
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 1, inside(T1, 0), 1));
	assert_int_equal(p.pc, READ_T);
}

static void d_must_have_been_seen_at_this_seq(void **state)
{
	struct wicket_proc p = drive(&cfg, in_seat(0, 2, 2), 0, 2, DRIVE_SCAN);

	(void)state;
	begin();
	regs[SEAT0] = seat(4, LINE_TAKING, 1, 0, 0);
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
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(scanner(), SCAN_SEAT, SCAN_LIVE, SCAN_MARK, READ_T, READ_S,
		   DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1, DIED_INSIDE + inside(T1, 0), 1));
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, DRIVE_W);
	assert_same(regs[LINE_W], w_released);
	p = follow(p, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR);
	assert_same(regs[SLOT0], slot(1, 1, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 1, T3, 3));
	p = follow(p, DRIVE_END, SCAN_SEAT);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0));
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

static void the_slot_of_a_dead_holder_is_the_one_with_its_ticket(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w(0x20001, T2, T2, 2, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T2, 2);
	follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
	       DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 1, inside(T2, 1), 2));
	/* no slot has it yet: W's operation is not written down */
	regs[SLOT0] = regs[SLOT1] = slot(0, 0, T1, 1);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T2, 2);
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
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T1, 1);
	follow(scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
	       DRIVE_GIVE);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 1, DIED_INSIDE + inside(T1, 0), 1));
}

static void a_dead_waiter_keeps_its_place_in_the_line(void **state)
{
	struct wicket_value before[REGS];
	struct wicket_proc p = in_seat(0, 1, 2);

	(void)state;
	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, 1, T3, 3);
	memcpy(before, regs, sizeof(regs));
	p = follow(scan(&cfg, p, SCAN_WAIT), SCAN_SEAT, READ_T, READ_S,
		   DRIVE_SEAT, SCAN_SEAT, SCAN_LIVE);
	assert_memory_equal(regs, before, sizeof(regs));
	assert_proc(p, in_seat(WAIT_SLEEP, 1, 2));
}

/* --- the heir ------------------------------------------------------------- */

/* Seat 1 is about to look for the heir of number 1: number 3, in seat 2. */
static struct wicket_proc have_an_heir(uint64_t d)
{
	struct wicket_proc p = in_seat(HOLD, 1, 2);

	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, d, T3, 3);
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
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, inside(T1, 0), 1));
	assert_int_equal(r.proc.pc, LEAVE_SEAT);
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
		assert_int_equal(p.pc, LEAVE_SEAT);
	}
}

/* Seat 1 died when it had released: seat 3 drives it. */
static struct wicket_proc have_a_dead_releaser(uint64_t heir_d)
{
	have_an_heir(heir_d);
	regs[SEAT0] = seat(3, LINE_RELEASED, 1, T3, 3);
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
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, inside(T1, 0), 1));
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_int_equal(p.local[J], 1);
	assert_int_equal(p.local[D], 2);
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE);
	assert_same(regs[SEAT1], seat(3, LINE_RELEASING, 1, inside(T3, 0), 3));
	/* what W names is its own: that is written down */
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, COLOURS, COLOURS, DRIVE_W,
		   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR,
		   DRIVE_END);
	assert_same(regs[LINE_W], w(0x30002, T3, 0, 3, 4));
	assert_same(regs[SLOT0], slot(2, 0, 0, 4));
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
	assert_int_equal(p.pc, LEAVE_SEAT);
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

	(void)state;
	for (uint16_t pc = JOIN_SEAT; pc <= DEAD; pc++) {
		struct wicket_proc p = waiter(pc);
		uint16_t then = pc == WAIT_SLEEP	      ? ABANDON_MARK :
				pc == TAKE_W || pc == COLOURS ? TAKE_BACK :
				pc == KEEP_LOCK		      ? HOLD :
								pc;

		p.local[RET] = AFTER_TAKE;
		assert_proc(turn(&cfg, p, WICKET_ABANDON), waiter(then));
	}
	releaser.local[RET] = AFTER_RELEASE;
	assert_proc(turn(&cfg, releaser, WICKET_ABANDON), releaser);
}

static void who_only_tried_takes_back(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 1);

	(void)state;
	begin();
	regs[SEAT0] = seat(1, LINE_IDLE, 0, 0, 0);
	p = follow(p, TAKE_SEAT, TAKE_W);
	assert_same(regs[SEAT0], seat(2, LINE_TAKING, 0, 0, 0));
	p = turn(&cfg, p, WICKET_ABANDON);
	p = follow(p, TAKE_BACK);
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, 0, 0));
	assert_same(regs[LINE_W], w(0, 0, T2, 0, 2));
	assert_proc(p, in_seat(LEAVE_SEAT, 1, 2));
}

static void who_abandons_gives_up_its_seat(void **state)
{
	struct wicket_proc p, q = { .pc = READ_T };

	(void)state;
	have_a_waiter();
	p = follow(waiter(ABANDON_MARK), ABANDON_MARK);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 1, T3, 3));
	assert_int_equal(region(&cfg, p), WICKET_EXIT);
	p = follow(p, ABANDON_LIVE);
	assert_value(regs[LIVE1], LINE_NOBODY, 0, 0, 0);
	q.local[SLOT] = EXITING;
	q.local[J] = 1;
	q.local[D] = 2;
	q.local[RET] = DRIVE_ABANDON | AFTER_DRIVE;
	assert_proc(p, q);
	/* its turn will come; it does not wait for that */
	p = follow(p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, DONE);
}

static void who_abandons_a_valid_ticket_releases_it(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_proc p;

	(void)state;
	c.laps = 2;
	have_a_waiter();
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SLOT0] = slot(1, 0, T3, 3);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0);
	p = follow_in(&c, waiter(ABANDON_MARK), ABANDON_MARK, ABANDON_LIVE,
		      READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_GIVE,
		      READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, COLOURS, COLOURS,
		      DRIVE_W, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK,
		      SETTLE_PUT, SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, HEIR,
		      HEIR, HEIR, DRIVE_END);
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
	/* both slots had colour 1, so number 4 is (0,0) */
	assert_same(regs[SLOT0], slot(2, 0, 0, 4));
	assert_same(regs[LINE_W], w(0x30002, T3, 0, 3, 4));
	/* it comes again, without a seat */
	assert_proc(p, (struct wicket_proc){ .pc = JOIN_SEAT,
					     .local = { [LAP] = 1 } });
}

static void death_is_the_kernels_word_on_the_held_seat(void **state)
{
	struct wicket_proc p, dies = { .pc = DIE };

	(void)state;
	have_a_waiter();
	p = turn(&cfg, waiter(WAIT_SLEEP), WICKET_FAIL);
	dies.local[ME] = 2;
	assert_proc(p, dies);
	assert_int_equal(access(&cfg, p).kind, WICKET_STORE);
	p = follow(p, DIE);
	assert_value(regs[LIVE1], LINE_DIED, 0, 0, 0);
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	assert_proc(p, (struct wicket_proc){ .pc = DEAD });
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
}

/* --- commands ------------------------------------------------------------- */

/* Three tickets a colour: numbers 1 and 2 are (1,0) and (2,0). */
static const struct wicket_cfg kept = {
	.n = 3, .k = 2, .laps = 1, .variant = KEPT
};

#define KEPT_BIT 0x200000000

/* Seat 1 is inside slot 0, and about to keep it. */
static struct wicket_proc keeper(void)
{
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_HAVE, 0, inside(T1, 0), 1);
	regs[LIVE0] = wicket_number(LINE_ALIVE);
	return in_seat(KEEP_LOCK, 1, 2);
}

/* And has died in it; its command runs. */
static struct wicket_proc orphan(void)
{
	struct wicket_proc p = follow_in(&kept, keeper(), KEEP_LOCK, KEEP_MARK);

	assert_int_equal(p.pc, HOLD);
	return follow_in(&kept, turn(&kept, p, WICKET_FAIL), DIE);
}

static struct wicket_proc kept_scanner(void)
{
	return scan(&kept, in_seat(WAIT_LOOK, 2, 2), SCAN_WAIT);
}

static void who_keeps_locks_and_says_so(void **state)
{
	struct wicket_proc p = keeper();

	(void)state;
	p = follow_in(&kept, p, KEEP_LOCK);
	assert_value(regs[KEEP0], 2, 0, 0, 0);
	p = follow_in(&kept, p, KEEP_MARK);
	assert_same(regs[SEAT0],
		    seat(2, LINE_HAVE, 0, KEPT_BIT + inside(T1, 0), 1));
	assert_int_equal(region(&kept, p), WICKET_CRITICAL);
	/* its release is as any other */
	p = follow_in(&kept, p, HOLD);
	assert_int_equal(line_phase(regs[SEAT0].w[0]), LINE_RELEASING);
	assert_int_equal(p.local[MASK], 0);
}

static void a_command_outlives_its_holder(void **state)
{
	struct wicket_proc p = orphan();

	(void)state;
	assert_int_equal(p.pc, COMMAND);
	assert_int_equal(region(&kept, p), WICKET_CRITICAL);
	assert_value(regs[LIVE0], LINE_DIED, 0, 0, 0);
	assert_value(regs[KEEP0], 2, 0, 0, 0);
	p = follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP0], 0, 0, 0, 0);
	assert_proc(p, (struct wicket_proc){ .pc = DEAD });
	/* a later one's lock is not its own */
	p = orphan();
	regs[KEEP0] = wicket_number(4);
	follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP0], 4, 0, 0, 0);
}

static void who_dies_before_there_is_a_command_leaves_none(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(), KEEP_LOCK);

	(void)state;
	p = follow_in(&kept, turn(&kept, p, WICKET_FAIL), DIE);
	assert_int_equal(p.pc, DEAD);
}

static void while_it_runs_nobody_is_marked(void **state)
{
	struct wicket_value as_it_was;
	struct wicket_proc p;

	(void)state;
	orphan();
	as_it_was = regs[SEAT0];
	p = follow_in(&kept, kept_scanner(), SCAN_SEAT, SCAN_LIVE, SCAN_KEEP);
	assert_int_equal(p.pc, SCAN_SEAT);
	assert_int_equal(p.local[AT], 2);
	assert_same(regs[SEAT0], as_it_was);
}

static void when_it_has_ended_its_holder_is_dead(void **state)
{
	(void)state;
	for (uint64_t live = LINE_NOBODY; live <= LINE_DIED;
	     live += LINE_DIED - LINE_NOBODY) {
		follow_in(&kept, orphan(), COMMAND);
		regs[LIVE0] = wicket_number(live);
		follow_in(&kept, kept_scanner(), SCAN_SEAT, SCAN_LIVE,
			  SCAN_KEEP, SCAN_MARK);
		assert_true(line_dead(regs[SEAT0].w[0]));
	}
	/* but not before it is */
	follow_in(&kept, orphan(), COMMAND);
	regs[LIVE0] = wicket_number(LINE_ALIVE);
	follow_in(&kept, kept_scanner(), SCAN_SEAT, SCAN_LIVE, SCAN_SEAT);
	assert_false(line_dead(regs[SEAT0].w[0]));
}

static void who_was_seen_before_it_kept_is_not_marked(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(), KEEP_LOCK), q;

	(void)state;
	q = follow_in(&kept, kept_scanner(), SCAN_SEAT);
	p = follow_in(&kept, p, KEEP_MARK);
	follow_in(&kept, turn(&kept, p, WICKET_FAIL), DIE);
	q = follow_in(&kept, q, SCAN_LIVE, SCAN_MARK);
	assert_false(line_dead(regs[SEAT0].w[0]));
	assert_int_equal(q.pc, READ_T);
}

static void a_joiner_leaves_a_kept_seat_to_its_command(void **state)
{
	struct wicket_proc p = { .pc = JOIN_LOCK };

	(void)state;
	orphan();
	p = follow_in(&kept, p, JOIN_LOCK, JOIN_FUT, JOIN_SIT, JOIN_UNDO,
		      JOIN_UNLOCK);
	assert_value(regs[LIVE0], LINE_NOBODY, 0, 0, 0);
	assert_false(line_dead(regs[SEAT0].w[0]));
	assert_int_equal(p.pc, JOIN_SEAT);
	assert_int_equal(p.local[AT], 1);
	/* R6 */
	assert_true(none_forgotten(&kept, regs));
	regs[SEAT0].w[1] -= KEPT_BIT;
	assert_false(none_forgotten(&kept, regs));
}

/* --- the end of the line -------------------------------------------------- */

static const struct wicket_cfg removing = {
	.n = 3, .k = 2, .laps = 1, .variant = REMOVING
};

static struct wicket_proc have_a_remover(void)
{
	struct wicket_proc p = in_seat(LEAVE_LIVE, 1, 3);

	memset(regs, 0, sizeof(regs));
	for (uint32_t r = 0; r < 3; r++)
		regs[r] = reg(&removing, r).start;
	assert_same(regs[LINE_W], w(0, 0, 2, 0, 2));
	return follow_in(&removing, p, LEAVE_LIVE);
}

static void who_has_left_removes_the_line(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
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

static void a_line_with_a_ticket_out_is_not_removed(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
	p = follow_in(&removing, p, READ_T, READ_S);
	assert_int_equal(p.pc, REMOVE_W);
	/* but somebody was faster */
	regs[LINE_W] = w(0x20002, 1, 2, 1, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0);
	p = follow_in(&removing, p, REMOVE_W, SETTLE_SEAT, SETTLE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, 1, 2, 1, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, 1, 1));
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
}

static void nobody_takes_from_a_removed_line(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 1), q;

	(void)state;
	have_a_remover();
	regs[LINE_W].w[0] = LINE_REMOVED;
	regs[SEAT0] = seat(1, LINE_IDLE, 0, 0, 0);
	q = follow_in(&removing, p, TAKE_SEAT, TAKE_W, TAKE_BACK);
	assert_same(regs[LINE_W], w(LINE_REMOVED, 0, 2, 0, 2));
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, 0, 0));
	assert_proc(q, in_seat(LEAVE_SEAT, 1, 2));
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
	regs[LIVE0] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
	p[0].pc = DONE;
	assert_false(unnoticed(&cfg, regs, p));
	p[0].pc = DEAD;
	regs[SEAT0] = seat(3, LINE_FREE, 0, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
	/* marked, but not brought to its end */
	regs[LIVE0] = wicket_number(LINE_NOBODY);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T1, 1);
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(2, LINE_TAKING, 1, 0, 0);
	assert_true(unnoticed(&cfg, regs, p));
}

static void who_sleeps_on_a_valid_ticket_waits_for_its_waker(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_an_heir(0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[LIVE0] = wicket_number(LINE_DIED);
	/* applied, and not yet written down; then so */
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T3, 3);
	assert_true(unnoticed(&cfg, regs, p));
	/* another's release does not explain it, nor another's death */
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T2, 2);
	assert_false(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0);
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
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_taken;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 1);
	assert_true(holds(&cfg, 2, regs, p));
	/* lost */
	regs[SEAT0] = seat(2, LINE_FREE, 0, 0, 0);
	assert_false(holds(&cfg, 2, regs, p));
	/* a release, likewise */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, inside(T1, 0), 1);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_released;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T3, 3);
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
	regs[SEAT0] = seat(2, LINE_HAVE, 0, 1, 1);
	assert_true(holds(&removing, 3, regs, p));
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_false(holds(&removing, 3, regs, p));
	/* a release that is not applied */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, inside(1, 0), 1);
	assert_false(holds(&removing, 3, regs, p));
	/* a take that is not */
	regs[SEAT0] = seat(4, LINE_TAKING, 0, 0, 0);
	assert_true(holds(&removing, 3, regs, p));
}

static void r5_wants_the_living_unmarked(void **state)
{
	const uint16_t may_be_marked[] = { JOIN_LOCK, JOIN_UNDO, JOIN_UNLOCK,
					   ABANDON_LIVE, DIE };
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_waiter();
	p[1] = waiter(WAIT_SLEEP);
	assert_true(holds(&cfg, 4, regs, p));
	regs[SEAT1] = seat(2, LINE_HAVE, 1, T3, 3);
	assert_false(holds(&cfg, 4, regs, p));
	for (size_t i = 0; i < 5; i++) {
		p[1].pc = may_be_marked[i];
		assert_true(holds(&cfg, 4, regs, p));
	}
	/* another's */
	p[1] = in_seat(TAKE_SEAT, 3, 2);
	assert_true(holds(&cfg, 4, regs, p));
	p[1] = in_seat(LEAVE_SEAT, 2, 2);
	assert_false(holds(&cfg, 4, regs, p));
}

/* --- names ---------------------------------------------------------------- */

static void names_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[NO_SETTLE - 1].name, "no-settle");
	assert_string_equal(mutants[NO_RELEASED - 1].name, "no-released");
	assert_string_equal(mutants[MARK_ONCE - 1].name, "mark-once");
	assert_string_equal(mutants[REMOVE_BUSY - 1].name, "remove-busy");
	assert_string_equal(mutants[MARK_STATE - 1].name, "mark-state");
	assert_null(mutants[MARK_STATE].name);
	assert_string_equal(variants[KEPT - 1].name, "kept");
	assert_string_equal(pc_names[TAKE_BACK], "take: back");
	assert_string_equal(pc_names[HOLD], "release");
	assert_string_equal(pc_names[HEIR], "heir?");
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
	regs[LIVE1] = wicket_number(LINE_DIED);
	regs[SEAT2] = seat(12, LINE_RELEASING, 0, inside(T2, 1), 2);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=3@1 ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " r3(1,1)D+ H2(1,1)Dxz R12(0,1)+");
	regs[SEAT0] = seat(4, LINE_TAKING, 0, 0, 0);
	regs[SEAT1] = seat(4, LINE_IDLE, 0, 0, 0);
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=x ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " T4+ I4xz R12(0,1)+");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_the_registers_are),
		cmocka_unit_test(seated_all_start_in_their_seats),
		cmocka_unit_test(regions),
		cmocka_unit_test(from_join_to_hold),
		cmocka_unit_test(from_hold_to_done),
		cmocka_unit_test(the_second_time_it_stays_seated),
		cmocka_unit_test(w_is_most_likely_as_it_was_left),
		cmocka_unit_test(a_lost_race_for_w_shows_what_it_is),
		cmocka_unit_test(a_seat_that_is_taken_or_watched_is_passed),
		cmocka_unit_test(
			the_seat_of_a_dead_owner_is_joined_at_a_new_seq),
		cmocka_unit_test(
			who_took_the_mark_of_a_dead_one_marks_its_seat),
		cmocka_unit_test(without_a_free_seat_it_looks_for_the_dead),
		cmocka_unit_test(a_ticket_that_is_not_valid_waits),
		cmocka_unit_test(once_valid_it_finds_its_slot),
		cmocka_unit_test(a_helper_writes_a_take_down),
		cmocka_unit_test(a_helper_writes_a_release_down),
		cmocka_unit_test(the_owner_goes_on_where_it_is_written_down),
		cmocka_unit_test(a_slot_that_is_written_is_left_alone),
		cmocka_unit_test(a_changed_w_shows_that_all_is_settled),
		cmocka_unit_test(a_late_helper_does_not_change_the_slot_again),
		cmocka_unit_test(a_take_that_was_not_applied_is_undone),
		cmocka_unit_test(a_take_that_was_applied_is_released),
		cmocka_unit_test(d_must_have_been_seen_at_this_seq),
		cmocka_unit_test(the_slot_of_a_dead_holder_is_released),
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
		cmocka_unit_test(death_is_the_kernels_word_on_the_held_seat),
		cmocka_unit_test(who_keeps_locks_and_says_so),
		cmocka_unit_test(a_command_outlives_its_holder),
		cmocka_unit_test(
			who_dies_before_there_is_a_command_leaves_none),
		cmocka_unit_test(while_it_runs_nobody_is_marked),
		cmocka_unit_test(when_it_has_ended_its_holder_is_dead),
		cmocka_unit_test(who_was_seen_before_it_kept_is_not_marked),
		cmocka_unit_test(a_joiner_leaves_a_kept_seat_to_its_command),
		cmocka_unit_test(who_has_left_removes_the_line),
		cmocka_unit_test(a_line_with_a_ticket_out_is_not_removed),
		cmocka_unit_test(nobody_takes_from_a_removed_line),
		cmocka_unit_test(
			a_death_is_unnoticed_until_the_seat_is_seen_to),
		cmocka_unit_test(
			who_sleeps_on_a_valid_ticket_waits_for_its_waker),
		cmocka_unit_test(r1_wants_distinct_slots),
		cmocka_unit_test(r2_wants_tickets_enabled_in_order),
		cmocka_unit_test(r3_wants_every_operation_applied_once),
		cmocka_unit_test(r4_wants_a_removed_line_empty),
		cmocka_unit_test(r5_wants_the_living_unmarked),
		cmocka_unit_test(names_are_as_numbered),
		cmocka_unit_test(texts_of_registers),
	};

	return cmocka_run_group_tests_name("recoverable", tests, NULL, NULL);
}
