/* SPDX-License-Identifier: MIT */
/* drive - the operation of a dead owner is brought to its end. */
#include "../recoverable.h"

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
	enum { T4 = 0x4000 };
	struct wicket_value before[REGS];
	struct wicket_proc p = in_seat(0, 1, 2);

	(void)state;
	have_a_waiter();
	regs[LINE_W] = w(0x20003, T4, T2, 4, 2);
	regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
	regs[SEAT2] = seat(2, LINE_HAVE, 0, life(3) + T4, 4);
	memcpy(before, regs, sizeof(regs));
	p = follow(scan(&cfg, p, SCAN_TRY), SCAN_SEAT, READ_T, READ_S,
		   DRIVE_SEAT, SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_memory_equal(regs, before, sizeof(regs));
	assert_int_equal(p.pc, TAKE_SEAT);
}

static void but_not_at_its_end(void **state)
{
	struct wicket_proc p = in_seat(0, 1, 2);

	(void)state;
	have_a_waiter();
	regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
	p = follow(scan(&cfg, p, SCAN_TRY), SCAN_SEAT, READ_T, READ_S,
		   DRIVE_SEAT, SETTLE_SEAT, RETRACT_SEAT, RETRACT_W,
		   SETTLE_SEAT, SETTLE_DONE, SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_same(regs[LINE_W], w(0x30002, T2, T2, 2, 2));
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0));
	assert_int_equal(p.pc, TAKE_SEAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_take_that_was_not_applied_is_undone),
		cmocka_unit_test(a_take_that_was_applied_is_released),
		cmocka_unit_test(d_must_have_been_seen_at_this_seq),
		cmocka_unit_test(the_slot_of_a_dead_holder_is_released),
		cmocka_unit_test(a_dead_ones_release_is_applied_once),
		cmocka_unit_test(
			the_slot_of_a_dead_holder_is_the_one_with_its_ticket),
		cmocka_unit_test(who_dies_before_it_enters_was_not_inside),
		cmocka_unit_test(a_dead_waiter_keeps_its_place_in_the_line),
		cmocka_unit_test(but_not_at_its_end),
	};

	return cmocka_run_group_tests_name("recoverable-drive", tests, NULL,
					   NULL);
}
