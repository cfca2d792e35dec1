/* SPDX-License-Identifier: MIT */
/* heir - a release wakes the next holder, or passes on what it cannot take. */
#include "../recoverable.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heir_is_woken),
		cmocka_unit_test(an_heir_that_does_not_sleep_is_not_woken),
		cmocka_unit_test(for_a_dead_releaser_it_is_woken_in_any_case),
		cmocka_unit_test(a_dead_heir_passes_its_slot_on),
		cmocka_unit_test(who_ends_second_goes_his_way),
	};

	return cmocka_run_group_tests_name("recoverable-heir", tests, NULL,
					   NULL);
}
