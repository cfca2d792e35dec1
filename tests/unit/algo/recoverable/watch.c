/* SPDX-License-Identifier: MIT */
/* watch - who watches whom, and who tells whom, on a line of four seats. */
#include "../recoverable.h"

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
	return place_ahead(&four, p, line_cell(v.w[0], v.w[1]));
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
	assert_int_equal(place_ahead(&five, p, line_cell(have, 0x2000)), 2);
	assert_int_equal(place_ahead(&five, p, line_cell(have, 0x2001)), 1);
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
		      SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT, RETRACT_SEAT,
		      EXCHANGE_W);
	/* nor does it stay before who waits: first they exchange their tickets */
	assert_same(regs[LINE_W], w(0x30003, T4, T2, 4, 2));
	assert_int_equal(p.local[TICKET], 0x300000000 + T3);
	p = follow_in(&four, p, SETTLE_SEAT, SETTLE_FIND, SETTLE_FIND,
		      SETTLE_FIND, SETTLE_FIND, SETTLE_STILL, SETTLE_MOVE);
	assert_same(regs[SEAT_OF_1 + 3],
		    seat(2, LINE_HAVE, 0, life(4) + T3, 3));
	p = follow_in(&four, p, SETTLE_DONE);
	assert_same(regs[SEAT_OF_1 + 2],
		    seat(3, LINE_HAVE, 1, life(3) + T4, 4));
	/* then the last one is taken back */
	p = follow_in(&four, p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT,
		      RETRACT_SEAT, RETRACT_W);
	assert_same(regs[LINE_W], w(0x40003, T3, T2, 3, 2));
	p = follow_in(&four, p, SETTLE_SEAT, SETTLE_DONE);
	assert_same(regs[SEAT_OF_1 + 2], seat(4, LINE_FREE, 0, 0, 0));
	/* and that of whoever waits is not */
	p = follow_in(&four, p, HEIR, HEIR, HEIR, HEIR);
	p.local[TICKET] = 0x400000000 + T4;
	assert_sleeps(p, 4, BELL_1 + BELL_2);
}

/* 3 has given up, and 4 died when it had exchanged their tickets: whoever drives 4
   writes that down first, and finds another ticket in its seat. */
static void an_exchange_is_settled_before_a_ticket_goes_back(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	regs[LINE_W] = w(0x30003, T4, T2, 4, 2);
	regs[SEAT_OF_1 + 2] = seat(2, LINE_HAVE, 1, life(3) + T3, 3);
	regs[SEAT_OF_1 + 3] = seat(2, LINE_HAVE, 1, life(4) + T4, 4);
	p = follow_in(&four, drive(&four, standing(0, 3), 3, 2, DRIVE_ABANDON),
		      READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, SETTLE_FIND,
		      SETTLE_FIND, SETTLE_FIND, SETTLE_FIND, SETTLE_STILL,
		      SETTLE_MOVE, SETTLE_DONE, RETRACT_SEAT);
	assert_same(regs[LINE_W], w(0x30003, T4, T2, 4, 2));
	/* not the last one: its turn will come */
	p = follow_in(&four, p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, LEAVE_LIFE);
	/* the other one is, and then so is this */
	p = follow_in(&four, drive(&four, standing(0, 3), 2, 3, DRIVE_ABANDON),
		      READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, RETRACT_SEAT,
		      RETRACT_W, SETTLE_SEAT, SETTLE_DONE, HEIR, HEIR, HEIR,
		      HEIR, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT,
		      RETRACT_SEAT, RETRACT_W, SETTLE_SEAT, SETTLE_DONE);
	assert_same(regs[LINE_W], w(0x30004, T2, T2, 2, 2));
	assert_int_equal(p.pc, LEAVE_LIFE);
}

/* Whoever settles may be late: the ticket may be somebody else's by then. */
static void a_late_helper_moves_nobody(void **state)
{
	struct wicket_proc p;

	(void)state;
	have_a_line();
	regs[LINE_W] = w(0x30003, T4, T2, 4, 2);
	regs[SEAT_OF_1 + 2] = seat(2, LINE_HAVE, 1, life(3) + T3, 3);
	p = follow_in(&four, drive(&four, standing(0, 3), 2, 2, DRIVE_ABANDON),
		      READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, SETTLE_FIND,
		      SETTLE_FIND, SETTLE_FIND, SETTLE_FIND);
	regs[LINE_W] = w(0x40001, T4, T3, 4, 3);
	p = follow_in(&four, p, SETTLE_STILL);
	assert_int_equal(p.pc, READ_T);
	assert_same(regs[SEAT_OF_1 + 3],
		    seat(2, LINE_HAVE, 0, life(4) + T4, 4));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_are_watched),
		cmocka_unit_test(how_far_ahead_somebody_is),
		cmocka_unit_test(the_first_in_line_watches_all_who_are_inside),
		cmocka_unit_test(the_others_watch_the_one_right_before_them),
		cmocka_unit_test(who_has_given_up_is_not_watched),
		cmocka_unit_test(
			an_exchange_is_settled_before_a_ticket_goes_back),
		cmocka_unit_test(a_late_helper_moves_nobody),
		cmocka_unit_test(who_finds_a_holder_dead_lets_itself_in),
		cmocka_unit_test(who_enters_tells_the_next_in_line),
		cmocka_unit_test(who_is_the_last_tells_nobody),
		cmocka_unit_test(telling_skips_who_has_given_up),
		cmocka_unit_test(telling_stops_at_the_last_ticket),
		cmocka_unit_test(not_everybody_tells),
	};

	return cmocka_run_group_tests_name("recoverable-watch", tests, NULL,
					   NULL);
}
