/* SPDX-License-Identifier: MIT */
/* abandon - giving up: a place in line is left to others, a try takes back. */
#include "../recoverable.h"

static void only_a_sleeper_abandons(void **state)
{
	struct wicket_proc releaser = waiter(COLOURS);
	struct wicket_proc watcher = waiter(WAIT_SLEEP);

	(void)state;
	for (uint16_t pc = JOIN_LIFE; pc <= DEAD; pc++) {
		struct wicket_proc p = waiter(pc);
		uint16_t then = pc == WAIT_SLEEP ? ABANDON_BELL :
				pc == TAKE_W || pc == TAKE_RANGE ||
						pc == COLOURS ?
						   TAKE_BACK :
				pc == KEEP_LOCK ? HOLD :
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

/* Whoever watches may have been woken by a death that nobody else is told of. */
static void who_watches_looks_before_it_gives_up(void **state)
{
	const struct wicket_cfg watched = {
		.n = 3, .k = 2, .laps = 1, .variant = WATCHED
	};
	struct wicket_proc p = waiter(WAIT_SLEEP);

	(void)state;
	have_a_waiter();
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T1, 3);
	regs[BELL0] = wicket_number(LINE_DIED);
	p.local[LAST] = 1 << BELL0;
	p = on_event(&watched, p, WICKET_ABANDON);
	p = follow_in(&watched, p, SCAN_SEAT, SCAN_BELL, SCAN_MARK, READ_T,
		      READ_S, DRIVE_SEAT, HEIR, HEIR, HEIR, DRIVE_END,
		      SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0));
	assert_proc(p, waiter(ABANDON_BELL));
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
	/* nobody came after it: its ticket is taken back */
	p = follow(p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, RETRACT_SEAT,
		   RETRACT_W, SETTLE_SEAT, SETTLE_DONE);
	assert_same(regs[LINE_W], w(0x30002, T2, T2, 2, 2));
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_sleeper_abandons),
		cmocka_unit_test(who_watches_looks_before_it_gives_up),
		cmocka_unit_test(who_only_tried_takes_back),
		cmocka_unit_test(who_abandons_gives_up_its_seat),
		cmocka_unit_test(who_abandons_a_valid_ticket_releases_it),
		cmocka_unit_test(who_only_tries_may_look_for_the_dead),
	};

	return cmocka_run_group_tests_name("recoverable-abandon", tests, NULL,
					   NULL);
}
