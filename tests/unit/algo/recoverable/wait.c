/* SPDX-License-Identifier: MIT */
/* wait - a ticket that is not valid sleeps; a valid one finds its slot. */
#include "../recoverable.h"

static void a_ticket_that_is_not_valid_waits(void **state)
{
	struct wicket_proc p = in_seat(TAKE_W, 2, 2), slept;

	(void)state;
	have_a_waiter();
	regs[LINE_W] = w(0x20003, T2, T2, 2, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
	p.local[WT] = 0x20003;
	p.local[WS] = regs[LINE_W].w[1];
	p.local[WG] = regs[LINE_W].w[2];
	p.local[E] = pointers(T3, T2);
	p = follow(p, TAKE_W, TAKE_TICKET, TAKE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, T3, T2, 3, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, life(2) + T3, 3));
	assert_proc(p, waiter(WAIT_SPIN));
	p = follow(p, WAIT_SPIN, WAIT_ARM, WAIT_LOOK);
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_proc(p, waiter(WAIT_SLEEP));
	assert_int_equal(access(&cfg, p).reg, FUT1);
	assert_value(access(&cfg, p).expect, 5, 0, 0, 0);
	assert_int_equal(access(&cfg, p).watch, 0);
	/* who has slept in vain looks after the dead */
	p = follow(p, WAIT_SLEEP);
	slept = waiter(WAIT_ARM);
	slept.local[I] = 1;
	assert_proc(p, slept);
	p = follow(p, WAIT_ARM, WAIT_LOOK, SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		   SCAN_SEAT, SCAN_BELL, SCAN_LIFE);
	assert_proc(p, waiter(WAIT_SLEEP));
}

static void once_valid_it_finds_its_slot(void **state)
{
	struct wicket_proc p, holder = waiter(HOLD);

	(void)state;
	have_a_waiter();
	/* seat 1 has released, its slot is not yet written */
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1);
	p = follow(waiter(WAIT_LOOK), WAIT_LOOK, FIND, FIND, READ_T, READ_S,
		   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, FIND, FOUND);
	assert_same(regs[SLOT0], slot(1, 0, T3, 3));
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, life(1) + T3, 3));
	assert_same(regs[SEAT1],
		    seat(2, LINE_HAVE, 0, life(2) + inside(T3, 0), 3));
	holder.local[MINE] = regs[SLOT0].w[0];
	assert_proc(p, holder);
	/* a spinner sees it as well */
	p = follow(waiter(WAIT_SPIN), WAIT_SPIN);
	assert_proc(p, waiter(FIND));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ticket_that_is_not_valid_waits),
		cmocka_unit_test(once_valid_it_finds_its_slot),
	};

	return cmocka_run_group_tests_name("recoverable-wait", tests, NULL,
					   NULL);
}
