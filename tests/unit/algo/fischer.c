/* SPDX-License-Identifier: MIT */
/*
 * fischer - Ben-Ari, 5.7, with time: how long a write may take, how long the
 * delay lasts, and when the clock may not tick.
 */
#include "../unit.h"

#include "algo/fischer.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 1 };
static const struct wicket_cfg shortened = { .n = 3, .k = 1, .mutant = 1 };
static const struct wicket_cfg slow = { .n = 3, .k = 1, .variant = SLOW };
static const struct wicket_cfg slow_short = {
	.n = 3,
	.k = 1,
	.variant = SLOW,
	.mutant = 2,
};

static struct wicket_proc proc(uint16_t pc, uint32_t i)
{
	return (struct wicket_proc){ .pc = pc, .self = i };
}

/* Clocks of processes 3, 2, 1 as hexadecimal digits. */
static struct wicket_value value(uint64_t gate, uint64_t due, uint64_t wait)
{
	return words(gate, due, wait, 0);
}

static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			struct wicket_value v, uint16_t pc,
			struct wicket_value put)
{
	struct wicket_result r = step(c, p, v);

	p.pc = pc;
	assert_memory_equal(&r.proc, &p, sizeof(p));
	assert_memory_equal(&r.put, &put, sizeof(put));
}

static void there_is_a_clock(void **state)
{
	(void)state;
	assert_null(refuse(&cfg));
	assert_non_null(refuse(&(struct wicket_cfg){ .n = 3, .k = 2 }));
	assert_int_equal(wicket_fischer.processes(&cfg), 4);
	assert_int_equal(start(&cfg, 3).pc, ENTER);
	assert_int_equal(start(&cfg, 4).pc, TICK);
	assert_string_equal(wicket_fischer.helper.name, "t");
	assert_int_equal(bits(&cfg, 0), 2); /* gate is 0 to 3 */
}

static void a_delay_is_longer_than_a_write(void **state)
{
	(void)state;
	assert_int_equal(longest(&cfg), 1);
	assert_int_equal(delay(&cfg), 2);
	assert_int_equal(delay(&shortened), 1);
	assert_int_equal(longest(&slow), 2);
	assert_int_equal(delay(&slow), 3);
	assert_int_equal(delay(&slow_short), 2);
}

static void a_free_gate_is_written_soon(void **state)
{
	(void)state;
	assert_step(&cfg, proc(ENTER, 2), value(0, 0x200, 0x001), WRITE,
		    value(0, 0x220, 0x001));
	assert_step(&cfg, proc(AWAIT, 2), value(0, 0, 0), WRITE,
		    value(0, 0x020, 0));
	assert_step(&slow, proc(AWAIT, 1), value(0, 0, 0), WRITE,
		    value(0, 0x003, 0));
	assert_step(&cfg, proc(ENTER, 2), value(3, 0, 0), AWAIT,
		    value(3, 0, 0));
	assert_step(&cfg, proc(AWAIT, 2), value(3, 0, 0), AWAIT,
		    value(3, 0, 0));
}

static void writing_begins_the_delay(void **state)
{
	(void)state;
	assert_step(&cfg, proc(WRITE, 2), value(1, 0x210, 0x001), CHECK,
		    value(2, 0x200, 0x021));
	assert_step(&shortened, proc(WRITE, 2), value(1, 0x210, 0), CHECK,
		    value(2, 0x200, 0x010));
}

static void the_gate_is_looked_at_after_the_delay(void **state)
{
	(void)state;
	assert_step(&cfg, proc(CHECK, 2), value(2, 0, 0x010), CHECK,
		    value(2, 0, 0x010));
	assert_step(&cfg, proc(CHECK, 2), value(2, 0, 0x101), LEAVE,
		    value(2, 0, 0x101));
	assert_step(&cfg, proc(CHECK, 2), value(1, 0, 0), AWAIT,
		    value(1, 0, 0));
	assert_step(&cfg, proc(CHECK, 2), value(0, 0, 0), AWAIT,
		    value(0, 0, 0));
	assert_step(&cfg, proc(LEAVE, 2), value(2, 0, 0x100), ENTER,
		    value(0, 0, 0x100));
}

static void a_tick_brings_all_clocks_forward(void **state)
{
	(void)state;
	assert_step(&cfg, proc(TICK, 4), value(1, 0x200, 0x012), TICK,
		    value(1, 0x100, 0x001));
	assert_step(&cfg, proc(TICK, 4), value(1, 0, 0), TICK, value(1, 0, 0));
}

static void no_tick_while_somebody_must_write(void **state)
{
	(void)state;
	assert_step(&cfg, proc(TICK, 4), value(1, 0x120, 0x002), TICK,
		    value(1, 0x120, 0x002));
}

static void regions(void **state)
{
	(void)state;
	assert_int_equal(region(&cfg, proc(ENTER, 1)), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, proc(AWAIT, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(WRITE, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(CHECK, 1)), WICKET_TRYING);
	assert_int_equal(region(&cfg, proc(LEAVE, 1)), WICKET_CRITICAL);
}

static void invariants_hold_and_fail(void **state)
{
	struct wicket_proc p[] = { proc(LEAVE, 1), proc(CHECK, 2),
				   proc(AWAIT, 3), proc(TICK, 4) };
	struct wicket_value v = value(1, 0, 0);

	(void)state;
	assert_true(holds(&cfg, 0, &v, p));
	assert_true(holds(&cfg, 1, &v, p));
	p[2] = proc(WRITE, 3);
	assert_true(holds(&cfg, 0, &v, p));
	assert_false(holds(&cfg, 1, &v, p));
	p[0] = proc(ENTER, 1);
	assert_true(holds(&cfg, 1, &v, p));
	p[1] = proc(LEAVE, 2);
	assert_false(holds(&cfg, 0, &v, p));
}

static void texts(void **state)
{
	struct wicket_value v = value(3, 0x021, 0x300);

	(void)state;
	assert_shows(&wicket_fischer, &cfg, &v, "gate=3 due=01- wait=003");
	assert_shows_step(&wicket_fischer, &cfg, proc(ENTER, 2),
			  "await gate = 0");
	assert_shows_step(&wicket_fischer, &cfg, proc(AWAIT, 2),
			  "await gate = 0");
	assert_shows_step(&wicket_fischer, &cfg, proc(WRITE, 2), "gate := 2");
	assert_shows_step(&wicket_fischer, &cfg, proc(CHECK, 2),
			  "delay, gate?");
	assert_shows_step(&wicket_fischer, &cfg, proc(LEAVE, 2), "gate := 0");
	assert_shows_step(&wicket_fischer, &cfg, proc(TICK, 4), "tick");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_a_clock),
		cmocka_unit_test(a_delay_is_longer_than_a_write),
		cmocka_unit_test(a_free_gate_is_written_soon),
		cmocka_unit_test(writing_begins_the_delay),
		cmocka_unit_test(the_gate_is_looked_at_after_the_delay),
		cmocka_unit_test(a_tick_brings_all_clocks_forward),
		cmocka_unit_test(no_tick_while_somebody_must_write),
		cmocka_unit_test(regions),
		cmocka_unit_test(invariants_hold_and_fail),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("fischer", tests, NULL, NULL);
}
