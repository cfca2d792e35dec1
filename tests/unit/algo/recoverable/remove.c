/* SPDX-License-Identifier: MIT */
/* remove - the end of the line. */
#include "../recoverable.h"

static void who_has_left_removes_the_line(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
	assert_value(regs[LIVES], NOBODY, 0, 0, 0);
	assert_int_equal(region(&removing, p), WICKET_REMAINDER);
	assert_false(closed(&removing, regs));
	p = follow_in(&removing, p, READ_T, READ_S, REMOVE_W);
	assert_same(regs[LINE_W], w(LINE_REMOVED, 0, 2, 0, 2));
	assert_true(closed(&removing, regs));
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
	/* the next one finds nothing to do */
	p = have_a_remover();
	regs[LINE_W].w[0] = LINE_REMOVED;
	p = follow_in(&removing, p, READ_T, READ_S);
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
}

static void only_where_lines_are_removed(void **state)
{
	const uint32_t kinds[] = { 0, SEATED, SILENT, WATCHED, REMOVING, KEPT };
	struct wicket_proc p = standing(LEAVE_LIFE, 1);
	struct wicket_proc tries = in_seat(TAKE_SEAT, 1, 3);
	struct wicket_cfg c = cfg;

	(void)state;
	begin();
	for (int i = 0; i < 6; i++) {
		c.variant = kinds[i];
		assert_int_equal(follow_in(&c, p, LEAVE_LIFE).pc,
				 i < 4 ? DONE : READ_T);
		assert_int_equal(on_event(&c, tries, WICKET_ABANDON).pc,
				 i < 4 ? TAKE_SEAT : SCAN_SEAT);
	}
}

static void a_line_with_a_ticket_out_is_not_removed(void **state)
{
	struct wicket_proc p = have_a_remover();

	(void)state;
	p = follow_in(&removing, p, READ_T, READ_S);
	assert_int_equal(p.pc, REMOVE_W);
	/* but somebody was faster */
	regs[LINE_W] = w(0x20002, 1, 2, 1, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, life(2), 0);
	p = follow_in(&removing, p, REMOVE_W, SETTLE_SEAT, SETTLE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, 1, 2, 1, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, life(2) + 1, 1));
	assert_proc(p, (struct wicket_proc){ .pc = DONE });
}

static void nobody_takes_from_a_removed_line(void **state)
{
	struct wicket_proc p = in_seat(TAKE_SEAT, 1, 1), q;

	(void)state;
	have_a_remover();
	regs[LINE_W].w[0] = LINE_REMOVED;
	regs[SEAT0] = seat(1, LINE_IDLE, 0, life(1), 0);
	q = follow_in(&removing, p, TAKE_SEAT, TAKE_W, TAKE_BACK);
	assert_same(regs[LINE_W], w(LINE_REMOVED, 0, 2, 0, 2));
	assert_same(regs[SEAT0], seat(2, LINE_IDLE, 0, life(1), 0));
	assert_proc(q, in_seat(LEAVE_BELL, 1, 2));
	/* nor who reads it */
	q = follow_in(&removing, in_seat(READ_T, 1, 2), READ_T, READ_S);
	assert_proc(q, in_seat(TAKE_BACK, 1, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_has_left_removes_the_line),
		cmocka_unit_test(only_where_lines_are_removed),
		cmocka_unit_test(a_line_with_a_ticket_out_is_not_removed),
		cmocka_unit_test(nobody_takes_from_a_removed_line),
	};

	return cmocka_run_group_tests_name("recoverable-remove", tests, NULL,
					   NULL);
}
