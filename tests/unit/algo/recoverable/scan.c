/* SPDX-License-Identifier: MIT */
/* scan - who has died: the bell tells, or the life. */
#include "../recoverable.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_silent_death_is_found_by_its_life),
		cmocka_unit_test(it_is_the_owner_whose_life_is_asked_for),
		cmocka_unit_test(the_bell_is_ignored_of_a_joiner),
		cmocka_unit_test(a_joiner_that_dies_leaves_its_seat_free),
		cmocka_unit_test(a_mark_that_fails_is_tried_again),
		cmocka_unit_test(who_comes_after_a_dead_one_is_not_marked),
	};

	return cmocka_run_group_tests_name("recoverable-scan", tests, NULL,
					   NULL);
}
