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

static uint32_t order_of(const struct wicket_cfg *c, uint16_t pc)
{
	return access(c, in_seat(pc, 1, 3)).order;
}

/* What must not wait while W is read is no plain store. */
static void stores_may_be_plain(void **state)
{
	struct wicket_cfg arm = planted(ARM_PLAIN), mark = planted(MARK_PLAIN);
	struct wicket_cfg torn = cfg;

	(void)state;
	torn.variant = TORN;
	assert_int_equal(order_of(&cfg, WAIT_ARM), WICKET_SEQ_CST);
	assert_int_equal(order_of(&arm, WAIT_ARM), WICKET_RELEASE);
	assert_int_equal(order_of(&cfg, ABANDON_MARK), WICKET_SEQ_CST);
	assert_int_equal(order_of(&mark, ABANDON_MARK), WICKET_RELEASE);
	for (uint16_t pc = ABANDON_BELL; pc <= LEAVE_BELL; pc += 2) {
		assert_int_equal(order_of(&cfg, pc), WICKET_SEQ_CST);
		assert_int_equal(order_of(&torn, pc), WICKET_RELEASE);
		assert_int_equal(act(&torn, in_seat(pc, 1, 3)).wakes, 0);
	}
}

/* The payload has changed since it was looked at: the seat stays taken. */
static void who_leaves_may_try_once(void **state)
{
	struct wicket_cfg once = planted(LEAVE_ONCE);
	struct wicket_proc p = in_seat(LEAVE_BELL, 1, 3);

	(void)state;
	begin();
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1) + T1, 1);
	follow_in(&once, p, LEAVE_BELL, LEAVE_LOOK, LEAVE_SEAT, LEAVE_LIFE);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1) + T1, 1);
	p = follow_in(&once, p, LEAVE_BELL, LEAVE_LOOK);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1) + T2, 2);
	p = follow_in(&once, p, LEAVE_SEAT);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, life(1) + T2, 2));
	assert_proc(p, standing(LEAVE_LIFE, 1));
}

/* It looks, and clears what is armed for a later operation by then. */
static void a_waker_may_clear_without_looking(void **state)
{
	struct wicket_cfg plain = planted(CLEAR_PLAIN);
	struct wicket_proc p = in_seat(WAKE_CLEAR, 1, 3);

	(void)state;
	begin();
	p.local[THE_HEIR] = 2 | 4 << 16;
	regs[FUT1] = wicket_number(9);
	p = follow_in(&plain, p, WAKE_CLEAR);
	regs[FUT1] = wicket_number(13);
	p = follow_in(&plain, p, WAKE_STORE);
	assert_value(regs[FUT1], 0, 0, 0, 0);
	assert_int_equal(p.pc, WAKE);
	/* it is not armed: nobody is woken */
	p = in_seat(WAKE_CLEAR, 1, 3);
	p.local[THE_HEIR] = 2 | 4 << 16;
	p = follow_in(&plain, p, WAKE_CLEAR);
	assert_int_not_equal(p.pc, WAKE);
	assert_int_not_equal(p.pc, WAKE_STORE);
}

/* The state is stored before the payload that belongs to it. */
static void stores_may_be_exchanged(void **state)
{
	struct wicket_cfg have = planted(HAVE_FIRST), late = planted(SLOT_LATE);
	struct wicket_proc p;

	(void)state;
	late.variant = SEATED;
	begin();
	p = follow_in(&have, in_seat(TAKE_SEAT, 1, 1), TAKE_SEAT, TAKE_W,
		      TAKE_W, TAKE_HAVE);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 0, 0, 0));
	p = follow_in(&have, p, TAKE_TICKET, FIND, FOUND);
	assert_int_equal(p.pc, HOLD);
	begin();
	p = follow_in(&late, in_seat(TAKE_SEAT, 1, 1), TAKE_SEAT, TAKE_W,
		      TAKE_W, TAKE_TICKET, TAKE_HAVE, FIND, HOLD);
	assert_int_equal(line_phase(regs[SEAT0].w[0]), LINE_RELEASING);
	assert_int_equal(line_payload_slot(regs[SEAT0].w[1]), 0);
	p = follow_in(&late, p, FOUND);
	assert_int_equal(line_payload_slot(regs[SEAT0].w[1]), 1);
	assert_int_equal(line_phase(regs[SEAT0].w[0]), LINE_RELEASING);
	assert_int_equal(p.pc, RELEASE_W);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joiners_and_leavers_may_be_wrong),
		cmocka_unit_test(
			who_locks_the_bell_first_may_have_to_unlock_it),
		cmocka_unit_test(scans_may_be_wrong),
		cmocka_unit_test(keepers_may_be_wrong),
		cmocka_unit_test(stores_may_be_plain),
		cmocka_unit_test(who_leaves_may_try_once),
		cmocka_unit_test(a_waker_may_clear_without_looking),
		cmocka_unit_test(stores_may_be_exchanged),
	};

	return cmocka_run_group_tests_name("recoverable-mutants", tests, NULL,
					   NULL);
}
