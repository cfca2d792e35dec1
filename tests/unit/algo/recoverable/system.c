/* SPDX-License-Identifier: MIT */
/* system - registers, the start, regions, names and texts. */
#include "../recoverable.h"

static void where_the_registers_are(void **state)
{
	struct wicket_cfg more = { .n = 2, .k = 1, .seats = 4 };

	(void)state;
	begin();
	assert_int_equal(registers(&cfg), KEEP0);
	for (uint32_t r = 0; r < KEEP0; r++)
		assert_same(reg(&cfg, r).start, regs[r]);
	assert_int_equal(registers(&more), 15);
	assert_int_equal(block(&more), 3);
	assert_int_equal(seat_reg(&more, 3), 5);
	assert_int_equal(fut_reg(&more, 0), 6);
	assert_int_equal(bell_reg(&more, 3), 13);
	assert_int_equal(life_reg(&more), 14);
	/* as shipped */
	more.variant = REMOVING;
	assert_int_equal(block(&more), 5);
	more.variant = KEPT;
	assert_int_equal(block(&more), 5);
	assert_int_equal(keep_reg(&more, 3), 18);
	assert_int_equal(registers(&more), 19);
	more.variant = SILENT;
	assert_int_equal(block(&more), 3);
	assert_int_equal(registers(&more), 15);
	more.variant = WATCHED;
	assert_int_equal(block(&more), 3);
	assert_int_equal(registers(&more), 15);
}

static void seated_all_start_in_their_seats(void **state)
{
	const uint32_t kinds[] = { SEATED, WATCHED };
	struct wicket_cfg c = cfg;

	(void)state;
	assert_proc(start(&c, 3), standing(JOIN_LIFE, 3));
	begin();
	for (uint32_t i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(0, LINE_IDLE, 0, life(i + 1), 0);
		regs[BELL0 + i] = wicket_number(LINE_ALIVE);
	}
	regs[LIVES] = wicket_number(ALL_3);
	for (int v = 0; v < 2; v++) {
		c.variant = kinds[v];
		for (uint32_t i = 1; i <= 3; i++)
			assert_proc(start(&c, i), in_seat(TAKE_SEAT, i, 0));
		for (uint32_t r = 0; r < REGS; r++)
			assert_same(reg(&c, r).start, regs[r]);
		/* who comes later has none */
		assert_proc(start(&c, 4), standing(JOIN_LIFE, 4));
		assert_proc(start(&c, 0), standing(JOIN_LIFE, 0));
	}
}

static void sizes_that_are_refused(void **state)
{
	struct wicket_cfg c = { .n = 4, .k = 2, .variant = SEATED };

	(void)state;
	assert_null(refuse(&c));
	c.seats = 3; /* not everybody has one */
	assert_non_null(refuse(&c));
	c.variant = WATCHED;
	assert_non_null(refuse(&c));
	c.variant = SILENT;
	assert_null(refuse(&c));
	c.variant = 0;
	assert_null(refuse(&c));
	c.k = 3; /* as many slots as seats */
	assert_non_null(refuse(&c));
	c.seats = 17;
	assert_non_null(refuse(&c));
}

/* A set of numbers in words of 64. */
static void lives_are_a_set(void **state)
{
	struct wicket_value v = words(0, 0, 0, 0);

	(void)state;
	assert_false(is_alive(v, 1));
	v = with_life(v, 1);
	assert_value(v, 2, 0, 0, 0);
	v = with_life(with_life(v, 63), 64);
	assert_value(v, 0x8000000000000002, 1, 0, 0);
	v = with_life(v, 255);
	assert_value(v, 0x8000000000000002, 1, 0, 0x8000000000000000);
	assert_true(is_alive(v, 63));
	assert_true(is_alive(v, 255));
	assert_false(is_alive(v, 65));
	v = with_life(without_life(v, 63), 1); /* twice is once */
	assert_value(v, 2, 1, 0, 0x8000000000000000);
	v = without_life(without_life(v, 63), 64);
	assert_value(v, 2, 0, 0, 0x8000000000000000);
}

static enum wicket_region region_at(uint16_t pc, uint64_t own_slot)
{
	struct wicket_proc p = in_seat(pc, 1, 2);

	p.local[SLOT] = own_slot;
	return region(&cfg, p);
}

static void regions(void **state)
{
	struct wicket_proc p = { .pc = READ_T,
				 .local = { [RET] = AFTER_REMOVE } };

	(void)state;
	assert_int_equal(region_at(JOIN_LIFE, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(JOIN_SEAT, 0), WICKET_TRYING);
	assert_int_equal(region_at(JOIN_BELL, 0), WICKET_TRYING);
	assert_int_equal(region_at(TAKE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(READ_T, 0), WICKET_TRYING);
	assert_int_equal(region_at(TAKE_BACK, 0), WICKET_TRYING);
	assert_int_equal(region_at(WAIT_SLEEP, 0), WICKET_TRYING);
	/* as long as it tells of it, it has not yet come in */
	assert_int_equal(region_at(TELL_W, 1), WICKET_TRYING);
	assert_int_equal(region_at(HOLD, 1), WICKET_CRITICAL);
	assert_int_equal(region_at(READ_T, EXITING), WICKET_EXIT);
	assert_int_equal(region_at(ABANDON_BELL, 0), WICKET_EXIT);
	assert_int_equal(region_at(ABANDON_MARK, 0), WICKET_EXIT);
	assert_int_equal(region_at(LEAVE_BELL, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(LEAVE_SEAT, 0), WICKET_REMAINDER);
	assert_int_equal(region_at(LEAVE_LIFE, 0), WICKET_REMAINDER);
	assert_int_equal(region(&cfg, p), WICKET_REMAINDER);
	/* its life still has to end */
	assert_int_equal(region_at(DIE, 0), WICKET_EXIT);
	assert_int_equal(region_at(DIE_LIFE, 0), WICKET_EXIT);
	/* what it looks at may be anything but a slot of its own */
	p = in_seat(SCAN_SEAT, 1, 2);
	p.local[LOOKED] = pointers(0x3fffff, 0x3fffff);
	assert_int_equal(region(&cfg, p), WICKET_TRYING);
}

static void names_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[NO_SETTLE - 1].name, "no-settle");
	assert_string_equal(mutants[NO_RELEASED - 1].name, "no-released");
	assert_string_equal(mutants[REMOVE_BUSY - 1].name, "remove-busy");
	assert_string_equal(mutants[MARK_ONCE - 1].name, "mark-once");
	assert_string_equal(mutants[MARK_STATE - 1].name, "mark-state");
	assert_string_equal(mutants[BELL_ONLY - 1].name, "bell-only");
	assert_string_equal(mutants[LIFE_SHARED - 1].name, "life-shared");
	assert_string_equal(mutants[NOT_TOLD - 1].name, "not-told");
	assert_string_equal(mutants[LEAVE_ONCE - 1].name, "leave-once");
	assert_string_equal(mutants[CLEAR_PLAIN - 1].name, "clear-plain");
	assert_string_equal(mutants[SLOT_LATE - 1].name, "slot-late");
	assert_string_equal(mutants[UNITS_FIRST - 1].name, "units-first");
	assert_string_equal(mutants[NO_RESCAN - 1].name, "no-rescan");
	assert_string_equal(mutants[OPENED_ASLEEP - 1].name, "opened-asleep");
	assert_null(mutants[OPENED_ASLEEP].name);
	assert_string_equal(variants[KEPT - 1].name, "kept");
	assert_string_equal(variants[SILENT - 1].name, "silent");
	assert_string_equal(variants[WATCHED - 1].name, "watched");
	assert_string_equal(variants[INSIDE - 1].name, "inside");
	assert_string_equal(variants[SHIPPED - 1].name, "shipped");
	assert_string_equal(variants[GIVEN_UP - 1].name, "given-up");
	assert_string_equal(variants[TORN - 1].name, "torn");
	assert_string_equal(variants[HALVES - 1].name, "halves");
	assert_string_equal(variants[BEHIND - 1].name, "behind");
	assert_string_equal(variants[UNITS - 1].name, "units");
	assert_string_equal(variants[QUEUED - 1].name, "queued");
	assert_string_equal(mutants[RETRACT_ALONE - 1].name, "retract-alone");
	assert_string_equal(mutants[EXCHANGE_FIRST - 1].name, "exchange-first");
	assert_string_equal(variants[DRAINED - 1].name, "drained");
	assert_string_equal(variants[NARROWED - 1].name, "narrowed");
	assert_null(variants[NARROWED].name);
	assert_string_equal(invariants[5].name, "R6");
	assert_string_equal(invariants[7].name, "R8");
	assert_int_equal(sizeof(pc_names) / sizeof(*pc_names), DEAD + 1);
	assert_string_equal(pc_names[JOIN_SIT], "join: sit");
	assert_string_equal(pc_names[TAKE_BACK], "take: back");
	assert_string_equal(pc_names[SCAN_LIFE], "scan: alive?");
	assert_string_equal(pc_names[HOLD], "release");
	assert_string_equal(pc_names[HEIR], "heir?");
	assert_string_equal(pc_names[LEAVE_LIFE], "leave: life");
	assert_string_equal(pc_names[TELL_W], "tell: W");
	assert_string_equal(pc_names[DIE_LIFE], "life ends");
	assert_string_equal(pc_names[DEAD], "dead");
	assert_shows_step(&wicket_recoverable, &cfg, in_seat(TAKE_W, 1, 2),
			  "take: W");
}

static void texts_of_registers(void **state)
{
	(void)state;
	begin();
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T= ISSUE=(0,0) VALID=(0,1) SLOT=(1,0)(0,1) F0- F0- F0-");
	have_a_dead_releaser(1);
	regs[BELL1] = wicket_number(LINE_DIED);
	regs[SEAT2] = seat(12, LINE_RELEASING, 0, life(3) + inside(T2, 1), 2);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=3@1 ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " r3(1,1)D+ H2(1,1)Dxz R12(0,1)+");
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	regs[SEAT1] = seat(4, LINE_IDLE, 0, life(2), 0);
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=x ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " T4+ I4xz R12(0,1)+");
	/* whose owner does not live any more; a free one has none */
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0);
	regs[LIVES] = wicket_number(ONLY_3);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=x ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " F4+ I4x!z R12(0,1)+");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_the_registers_are),
		cmocka_unit_test(seated_all_start_in_their_seats),
		cmocka_unit_test(sizes_that_are_refused),
		cmocka_unit_test(lives_are_a_set),
		cmocka_unit_test(regions),
		cmocka_unit_test(names_are_as_numbered),
		cmocka_unit_test(texts_of_registers),
	};

	return cmocka_run_group_tests_name("recoverable-system", tests, NULL,
					   NULL);
}
