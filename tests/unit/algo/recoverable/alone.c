/* SPDX-License-Identifier: MIT */
/* alone - one process, from join to leave, each step and each register. */
#include "../recoverable.h"

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
		{ RELEASE_W, LINE_W, w_handed },
		{ RELEASE_END, SEAT0,
		  seat(3, LINE_IDLE, 0, life(1) + inside(T1, 0), 1) },
		/* the bell while the seat is its own, the life at the end */
		{ LEAVE_BELL, BELL0, none },
		{ LEAVE_SEAT, SEAT0, seat(3, LINE_FREE, 0, 0, 0) },
		{ LEAVE_LIFE, LIVES, none },
	};
	struct wicket_proc p = have_a_holder();

	(void)state;
	p = assert_moves(p, moves, 6);
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
}

static void who_was_told_tells_nobody_again(void **state)
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
	};
	struct wicket_proc p = have_a_told_holder();

	(void)state;
	p = assert_moves(p, moves, 7);
	assert_int_equal(p.pc, LEAVE_BELL);
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
	struct wicket_proc p = have_a_told_holder();

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

static void a_ticket_handed_back_is_taken_again(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_proc p = have_a_holder();

	(void)state;
	c.laps = 2;
	p = follow_in(&c, p, HOLD, RELEASE_W, RELEASE_END, TAKE_SEAT, TAKE_W,
		      TAKE_TICKET, TAKE_HAVE, FIND, FOUND);
	assert_same(regs[LINE_W], w(0x40001, T1, T2, 1, 2));
	assert_same(regs[SEAT0],
		    seat(4, LINE_HAVE, 0, life(1) + inside(T1, 0), 1));
	assert_same(regs[SLOT0], slot(0, 0, T1, 1));
}

static void a_ticket_is_not_handed_back_over_another(void **state)
{
	struct wicket_proc p = have_a_holder();

	(void)state;
	regs[LINE_W] = w(0x20002, T2, T2, 2, 2);
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T2, 2);
	p = follow(p, HOLD, RELEASE_W, SETTLE_SEAT, RELEASE_W);
	assert_same(regs[LINE_W], w(0x30001, T2, T3, 2, 3));
	assert_int_equal(p.pc, RELEASE_SLOT);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_join_to_hold),
		cmocka_unit_test(from_hold_to_done),
		cmocka_unit_test(who_was_told_tells_nobody_again),
		cmocka_unit_test(who_leaves_has_no_seat_any_more),
		cmocka_unit_test(the_second_time_it_stays_seated),
		cmocka_unit_test(a_ticket_handed_back_is_taken_again),
		cmocka_unit_test(a_ticket_is_not_handed_back_over_another),
		cmocka_unit_test(w_is_most_likely_as_it_was_left),
		cmocka_unit_test(a_lost_race_for_w_shows_what_it_is),
	};

	return cmocka_run_group_tests_name("recoverable-alone", tests, NULL,
					   NULL);
}
