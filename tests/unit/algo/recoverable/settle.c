/* SPDX-License-Identifier: MIT */
/* settle - what W names is written down by a helper, once. */
#include "../recoverable.h"

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
		regs[SEAT0] = seat(2, LINE_TAKING, d, life(1), 0);
		regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_HAVE);
		assert_same(regs[SEAT0],
			    seat(2, LINE_HAVE, d, life(1) + T1, 1));
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
		assert_same(regs[SEAT0],
			    seat(2, LINE_HAVE, 0, life(1) + T1, 1));
	}
}

static void have_a_release(uint64_t d, uint64_t payload)
{
	begin();
	regs[LINE_W] = w_released;
	regs[SEAT0] = seat(3, LINE_RELEASING, d, life(1) + payload, 1);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
}

static void a_helper_writes_a_release_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		const uint64_t payload = inside(T1, 0) + d * DIED_INSIDE;
		struct wicket_proc p;

		have_a_release(d, payload);
		p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
			   SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT);
		/* SLOT first, phase second; the next holder is told */
		assert_same(regs[SLOT0], slot(1, d, T3, 3));
		assert_same(regs[SEAT0],
			    seat(3, LINE_RELEASING, d, life(1) + payload, 1));
		p = follow(p, SETTLE_DONE);
		assert_same(regs[SEAT0],
			    seat(3, LINE_RELEASED, d, life(1) + T3, 3));
		assert_int_equal(p.pc, TAKE_W);
		for (enum local i = C0; i <= CG; i++)
			assert_int_equal(p.local[i], 0);
	}
}

static void a_helper_finds_a_ticket_handed_back(void **state)
{
	struct wicket_proc p = have_a_holder();

	(void)state;
	p = follow(p, HOLD, RELEASE_W);
	assert_int_equal(
		follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_DONE)
			.pc,
		TAKE_W);
	assert_same(regs[SLOT0], slot(0, 0, T1, 1));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, life(1) + T2, 2));
	p = follow(p, RELEASE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, life(1) + T2, 2));
}

static void the_owner_goes_on_where_it_is_written_down(void **state)
{
	struct wicket_proc p = have_a_told_holder();

	(void)state;
	p = follow(p, HOLD, RELEASE_W);
	follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT,
	       SETTLE_LOOK, SETTLE_PUT, SETTLE_DONE);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	p = follow(p, RELEASE_SLOT);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	p = follow(p, HEIR, HEIR, HEIR, RELEASE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, life(1) + T3, 3));
	assert_int_equal(p.pc, LEAVE_BELL);
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
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, life(1) + T3, 3));
	assert_int_equal(p.pc, TAKE_W);
	/* and one that has gone on since shows that all is settled */
	have_a_release(0, inside(T1, 0));
	regs[SLOT0] = slot(2, 0, 0, 4);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT, SETTLE_SLOT);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SEAT0],
		    seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1));
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
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	p = follow(p, SETTLE_PUT, SETTLE_DONE, SETTLE_SEAT);
	assert_same(regs[SLOT0], slot(4, 0, T1, 9));
	assert_same(regs[SEAT0], seat(4, LINE_TAKING, 0, life(1), 0));
	assert_int_equal(p.pc, TAKE_W);
}

/* Somebody else has written the take down: a second look shows it. */
static void a_take_is_written_down_once(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	p = follow(taker(READ_T), READ_T, READ_S, SETTLE_SEAT);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1);
	p = follow(p, SETTLE_HAVE, SETTLE_SEAT);
	assert_same(regs[SEAT0],
		    seat(2, LINE_HAVE, 0, life(1) + inside(T1, 0), 1));
	assert_int_equal(p.pc, TAKE_W);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_helper_writes_a_take_down),
		cmocka_unit_test(a_helper_writes_a_release_down),
		cmocka_unit_test(a_helper_finds_a_ticket_handed_back),
		cmocka_unit_test(the_owner_goes_on_where_it_is_written_down),
		cmocka_unit_test(a_slot_that_is_written_is_left_alone),
		cmocka_unit_test(a_changed_w_shows_that_all_is_settled),
		cmocka_unit_test(a_late_helper_does_not_change_the_slot_again),
		cmocka_unit_test(a_take_is_written_down_once),
	};

	return cmocka_run_group_tests_name("recoverable-settle", tests, NULL,
					   NULL);
}
