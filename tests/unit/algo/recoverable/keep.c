/* SPDX-License-Identifier: MIT */
/* keep - a command outlives its holder, and keeps the slot. */
#include "../recoverable.h"

static void who_keeps_locks_and_says_so(void **state)
{
	struct wicket_proc p = keeper(1);

	(void)state;
	p = follow_in(&kept, p, KEEP_LOCK);
	assert_value(regs[KEEP0], 2, 0, 0, 0);
	p = follow_in(&kept, p, KEEP_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 0,
				      life(1) + KEPT_BIT + inside(T1, 0), 1));
	assert_int_equal(region(&kept, p), WICKET_CRITICAL);
	/* its release is as any other */
	p = follow_in(&kept, p, HOLD);
	assert_int_equal(line_phase(regs[SEAT0].w[0]), LINE_RELEASING);
	assert_int_equal(p.local[MASK], 0);
}

static void a_command_outlives_its_holder(void **state)
{
	struct wicket_proc p = dying_keeper(1);

	(void)state;
	for (uint16_t pc = DIE; pc <= COMMAND; pc++) {
		assert_int_equal(p.pc, pc);
		assert_int_equal(region(&kept, p), WICKET_CRITICAL);
		assert_value(regs[KEEP0], 2, 0, 0, 0);
		p = act(&kept, p).proc;
	}
	assert_value(regs[BELL0], LINE_DIED, 0, 0, 0);
	assert_value(regs[LIVES], ONLY_2 + ONLY_3, 0, 0, 0);
	assert_value(regs[KEEP0], 0, 0, 0, 0);
	assert_proc(p, standing(DEAD, 0));
	/* a later one's lock is not its own */
	p = orphan();
	regs[KEEP0] = wicket_number(4);
	follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP0], 4, 0, 0, 0);
}

static void who_dies_before_there_is_a_command_leaves_none(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(1), KEEP_LOCK);

	(void)state;
	p = follow_in(&kept, on_event(&kept, p, WICKET_FAIL), DIE, DIE_LIFE);
	assert_int_equal(p.pc, DEAD);
}

static void while_it_runs_nobody_is_marked(void **state)
{
	struct wicket_value as_it_was;
	struct wicket_proc p;

	(void)state;
	orphan();
	as_it_was = regs[SEAT0];
	p = follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_KEEP);
	assert_int_equal(p.pc, SCAN_SEAT);
	assert_int_equal(p.local[AT], 2);
	assert_same(regs[SEAT0], as_it_was);
}

/* Its bell never rings: the life first, then the command. */
static void kept_and_silent(void **state)
{
	struct wicket_proc p = follow_in(&kept, dying_keeper(2), DIE_LIFE);
	struct wicket_value as_it_was = regs[SEAT1];

	(void)state;
	assert_int_equal(p.pc, COMMAND);
	assert_value(regs[BELL1], LINE_ALIVE, 0, 0, 0);
	assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
	follow_in(&kept, kept_scanner(1), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_KEEP, SCAN_SEAT);
	assert_same(regs[SEAT1], as_it_was);
	follow_in(&kept, p, COMMAND);
	assert_value(regs[KEEP1], 0, 0, 0, 0);
	follow_in(&kept, kept_scanner(1), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_KEEP, SCAN_MARK);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 1,
				      life(2) + KEPT_BIT + inside(T1, 0), 1));
}

static void when_it_has_ended_its_holder_is_dead(void **state)
{
	(void)state;
	follow_in(&kept, orphan(), COMMAND);
	follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_KEEP,
		  SCAN_MARK);
	assert_true(line_dead(regs[SEAT0].w[0]));
	/* but not before it is */
	follow_in(&kept, orphan(), COMMAND);
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ALL_3);
	follow_in(&kept, kept_scanner(2), SCAN_SEAT, SCAN_BELL, SCAN_LIFE,
		  SCAN_SEAT);
	assert_false(line_dead(regs[SEAT0].w[0]));
}

static void who_was_seen_before_it_kept_is_not_marked(void **state)
{
	struct wicket_proc p = follow_in(&kept, keeper(1), KEEP_LOCK), q;

	(void)state;
	q = follow_in(&kept, kept_scanner(2), SCAN_SEAT);
	p = follow_in(&kept, p, KEEP_MARK);
	follow_in(&kept, on_event(&kept, p, WICKET_FAIL), DIE);
	/* the second look sees that it is kept */
	q = follow_in(&kept, q, SCAN_BELL, SCAN_MARK, SCAN_SEAT, SCAN_BELL,
		      SCAN_KEEP);
	assert_false(line_dead(regs[SEAT0].w[0]));
	assert_int_equal(q.pc, SCAN_SEAT);
	assert_int_equal(q.local[AT], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_keeps_locks_and_says_so),
		cmocka_unit_test(a_command_outlives_its_holder),
		cmocka_unit_test(
			who_dies_before_there_is_a_command_leaves_none),
		cmocka_unit_test(while_it_runs_nobody_is_marked),
		cmocka_unit_test(kept_and_silent),
		cmocka_unit_test(when_it_has_ended_its_holder_is_dead),
		cmocka_unit_test(who_was_seen_before_it_kept_is_not_marked),
	};

	return cmocka_run_group_tests_name("recoverable-keep", tests, NULL,
					   NULL);
}
