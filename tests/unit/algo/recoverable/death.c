/* SPDX-License-Identifier: MIT */
/* death - the end of a life: the bell rings, then the life ends. */
#include "../recoverable.h"

static void a_death_rings_the_bell_and_then_ends_the_life(void **state)
{
	struct wicket_proc p, dies = standing(DIE, 2);
	struct wicket_result r;

	(void)state;
	have_a_waiter();
	p = on_event(&cfg, waiter(WAIT_SLEEP), WICKET_FAIL);
	dies.local[ME] = 2;
	assert_proc(p, dies);
	assert_int_equal(access(&cfg, p).kind, WICKET_RMW);
	r = act(&cfg, p);
	assert_value(regs[BELL1], LINE_DIED, 0, 0, 0);
	assert_value(regs[BELL0], LINE_ALIVE, 0, 0, 0);
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
	/* one of those who watch it */
	assert_int_equal(r.wake, BELL1);
	assert_int_equal(r.wakes, 1);
	dies.pc = DIE_LIFE;
	assert_proc(r.proc, dies);
	r = act(&cfg, r.proc);
	assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
	assert_int_equal(r.wakes, 0);
	assert_proc(r.proc, standing(DEAD, 0));
	assert_int_equal(access(&cfg, r.proc).kind, WICKET_REST);
}

/* It was unlocked, or has rung already. */
static void a_bell_that_is_not_alive_does_not_ring(void **state)
{
	const uint64_t bells[] = { LINE_NOBODY, LINE_DIED };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct wicket_result r;

		have_a_waiter();
		regs[BELL1] = wicket_number(bells[i]);
		r = act(&cfg,
			on_event(&cfg, waiter(ABANDON_MARK), WICKET_FAIL));
		assert_value(regs[BELL1], bells[i], 0, 0, 0);
		assert_int_equal(r.wakes, 0);
		assert_int_equal(r.proc.pc, DIE_LIFE);
	}
}

/* To the kernel it is the bell of a thread of that number. */
static void the_bell_rings_whoever_sits_there(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	regs[BELL0] = wicket_number(LINE_ALIVE); /* who died there silently */
	p = follow(joiner(1), JOIN_SEAT, JOIN_CLAIM);
	follow(on_event(&cfg, p, WICKET_FAIL), DIE);
	assert_value(regs[BELL0], LINE_DIED, 0, 0, 0);
}

static void who_has_no_seat_dies_without_a_bell(void **state)
{
	struct wicket_proc p = standing(READ_T, 0);

	(void)state;
	have_a_waiter();
	assert_proc(on_event(&cfg, standing(JOIN_SEAT, 2), WICKET_FAIL),
		    standing(DIE_LIFE, 2));
	assert_proc(on_event(&cfg, standing(LEAVE_LIFE, 2), WICKET_FAIL),
		    standing(DIE_LIFE, 2));
	/* nor without a life */
	p = on_event(&cfg, p, WICKET_FAIL);
	assert_proc(p, standing(DIE, 0));
	assert_int_equal(access(&cfg, p).kind, WICKET_LOAD);
	p = follow(p, DIE);
	assert_proc(p, standing(DEAD, 0));
	assert_value(regs[LIVES], ALL_3, 0, 0, 0);
}

static void nobody_dies_before_it_lives_or_twice(void **state)
{
	const uint16_t pcs[] = { DONE, DIE, DIE_LIFE, COMMAND, DEAD };

	(void)state;
	assert_proc(on_event(&cfg, start(&cfg, 1), WICKET_FAIL),
		    start(&cfg, 1));
	for (int i = 0; i < 5; i++) {
		struct wicket_proc p = waiter(pcs[i]);

		assert_proc(on_event(&cfg, p, WICKET_FAIL), p);
	}
}

static void of_some_the_bell_never_rings(void **state)
{
	const uint32_t kinds[] = { SILENT, KEPT };
	struct wicket_cfg c = cfg;

	(void)state;
	for (int v = 0; v < 2; v++) {
		struct wicket_proc p = in_seat(TAKE_SEAT, 2, 2);

		c.variant = kinds[v];
		p = on_event(&c, p, WICKET_FAIL);
		assert_int_equal(p.pc, DIE_LIFE);
		have_a_waiter();
		p = follow_in(&c, p, DIE_LIFE);
		assert_value(regs[BELL1], LINE_ALIVE, 0, 0, 0);
		assert_value(regs[LIVES], ONLY_1 + ONLY_3, 0, 0, 0);
		assert_proc(p, standing(DEAD, 0));
		/* those with odd numbers are told of */
		p = on_event(&c, in_seat(TAKE_SEAT, 3, 2), WICKET_FAIL);
		assert_int_equal(p.pc, DIE);
	}
	c.variant = REMOVING;
	assert_int_equal(on_event(&c, in_seat(TAKE_SEAT, 2, 2), WICKET_FAIL).pc,
			 DIE);
	c.variant = WATCHED;
	assert_int_equal(on_event(&c, in_seat(TAKE_SEAT, 2, 2), WICKET_FAIL).pc,
			 DIE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_death_rings_the_bell_and_then_ends_the_life),
		cmocka_unit_test(a_bell_that_is_not_alive_does_not_ring),
		cmocka_unit_test(the_bell_rings_whoever_sits_there),
		cmocka_unit_test(who_has_no_seat_dies_without_a_bell),
		cmocka_unit_test(nobody_dies_before_it_lives_or_twice),
		cmocka_unit_test(of_some_the_bell_never_rings),
	};

	return cmocka_run_group_tests_name("recoverable-death", tests, NULL,
					   NULL);
}
