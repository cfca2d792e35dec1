/* SPDX-License-Identifier: MIT */
/* mutants - planted bugs with accesses or an order of their own. */
#include "../recoverable.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joiners_and_leavers_may_be_wrong),
		cmocka_unit_test(
			who_locks_the_bell_first_may_have_to_unlock_it),
		cmocka_unit_test(scans_may_be_wrong),
		cmocka_unit_test(keepers_may_be_wrong),
	};

	return cmocka_run_group_tests_name("recoverable-mutants", tests, NULL,
					   NULL);
}
