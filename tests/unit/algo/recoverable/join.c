/* SPDX-License-Identifier: MIT */
/* join - a life, then the first seat that is free. */
#include "../recoverable.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life_is_taken_once_and_first),
		cmocka_unit_test(a_seat_that_is_taken_is_passed),
		cmocka_unit_test(a_claim_is_lost_to_whoever_was_faster),
		cmocka_unit_test(after_the_last_seat_it_looks_for_the_dead),
		cmocka_unit_test(the_bell_of_the_owner_before_is_overwritten),
		cmocka_unit_test(it_takes_the_first_seat_that_is_free),
		cmocka_unit_test(without_a_free_seat_it_looks_for_the_dead),
	};

	return cmocka_run_group_tests_name("recoverable-join", tests, NULL,
					   NULL);
}
