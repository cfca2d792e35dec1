/* SPDX-License-Identifier: MIT */
/* invariants - R1 to R11, and deaths that nobody has noticed yet. */
#include "../recoverable.h"

static void a_death_is_unnoticed_until_the_seat_is_seen_to(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter();
	/* it died elsewhere, and nothing is left of it */
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
	p[0].pc = DONE;
	assert_false(unnoticed(&cfg, regs, p));
	p[0].pc = DEAD;
	regs[SEAT0] = seat(3, LINE_FREE, 0, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
	/* of a joiner the bell says nothing, but its life does */
	regs[SEAT0] = seat(2, LINE_JOINING, 0, life(1), 0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	assert_true(unnoticed(&cfg, regs, p));
	/* marked, but not brought to its end */
	regs[LIVES] = wicket_number(ALL_3);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, life(1) + T1, 1);
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(2, LINE_TAKING, 1, life(1), 0);
	assert_true(unnoticed(&cfg, regs, p));
}

/* As long as its command runs, no look shows that it is dead. */
static void a_death_that_is_kept_explains_nothing(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter();
	regs[SEAT0].w[1] += KEPT_BIT;
	regs[BELL0] = wicket_number(LINE_DIED);
	regs[LIVES] = wicket_number(ONLY_2 + ONLY_3);
	regs[KEEP0] = wicket_number(2);
	assert_false(unnoticed(&kept, regs, p));
	regs[KEEP0] = wicket_number(4); /* another operation's */
	assert_true(unnoticed(&kept, regs, p));
}

/* Where all watch, one death is no excuse: only that of who was woken, too. */
static void where_all_watch_a_death_is_noticed(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };
	struct wicket_cfg c = cfg;

	(void)state;
	c.variant = WATCHED;
	have_a_waiter();
	regs[BELL0] = wicket_number(LINE_DIED);
	assert_false(unnoticed(&c, regs, p));
	p[2] = (struct wicket_proc){ .pc = DEAD };
	assert_true(unnoticed(&c, regs, p));
	regs[BELL0] = wicket_number(LINE_ALIVE);
	assert_false(unnoticed(&c, regs, p));
}

static void who_sleeps_on_a_valid_ticket_waits_for_its_waker(void **state)
{
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_an_heir(0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[BELL0] = wicket_number(LINE_DIED);
	/* applied, and not yet written down; then so */
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T3, 3);
	assert_true(unnoticed(&cfg, regs, p));
	/* another's release does not explain it, nor another's death */
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T2, 2);
	assert_false(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	assert_false(unnoticed(&cfg, regs, p));
}

static void r1_wants_distinct_slots(void **state)
{
	struct wicket_proc p[] = { in_seat(HOLD, 1, 2),
				   { .pc = JOIN_SEAT },
				   in_seat(HOLD, 3, 2) };

	(void)state;
	begin();
	p[2].local[SLOT] = 1;
	assert_true(holds(&cfg, 0, regs, p));
	p[2].local[SLOT] = 0;
	assert_false(holds(&cfg, 0, regs, p));
	p[0].pc = FIND;
	assert_true(holds(&cfg, 0, regs, p));
}

static void r2_wants_tickets_enabled_in_order(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_waiter();
	assert_true(holds(&cfg, 1, regs, p));
	/* number 3 would be valid, or (1,1) would be number 2 */
	regs[LINE_W].w[2] = 0x300000003;
	assert_false(holds(&cfg, 1, regs, p));
	regs[LINE_W].w[2] = 0x200000003;
	regs[SEAT1].w[2] = 2;
	assert_false(holds(&cfg, 1, regs, p));
	/* a valid one beyond VALID's number */
	regs[SEAT1].w[2] = 3;
	regs[SEAT0].w[2] = 3;
	assert_false(holds(&cfg, 1, regs, p));
	regs[SEAT0].w[2] = 1;
	assert_true(holds(&cfg, 1, regs, p));
}

static void r3_wants_every_operation_applied_once(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	begin();
	assert_true(holds(&cfg, 2, regs, p));
	/* a take, from not applied to written down */
	regs[SEAT0] = seat(2, LINE_TAKING, 0, life(1), 0);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_taken;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + T1, 1);
	assert_true(holds(&cfg, 2, regs, p));
	/* lost */
	regs[SEAT0] = seat(2, LINE_FREE, 0, 0, 0);
	assert_false(holds(&cfg, 2, regs, p));
	/* a release, likewise */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_released;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, life(1) + T3, 3);
	assert_true(holds(&cfg, 2, regs, p));
	/* twice */
	regs[LINE_W] = w(0x30001, T1, 0x4000, 1, 4);
	assert_false(holds(&cfg, 2, regs, p));
}

static void r4_wants_a_removed_line_empty(void **state)
{
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_remover();
	regs[SEAT0] = seat(2, LINE_HAVE, 0, life(1) + 1, 1);
	assert_true(holds(&removing, 3, regs, p));
	regs[LINE_W].w[0] = LINE_REMOVED;
	assert_false(holds(&removing, 3, regs, p));
	/* a release that is not applied */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(1, 0), 1);
	assert_false(holds(&removing, 3, regs, p));
	/* a take that is not */
	regs[SEAT0] = seat(4, LINE_TAKING, 0, life(1), 0);
	assert_true(holds(&removing, 3, regs, p));
}

static void r5_wants_the_living_unmarked(void **state)
{
	const uint16_t pcs[] = { TAKE_SEAT,    WAIT_SLEEP, HOLD,      JOIN_SIT,
				 ABANDON_BELL, LEAVE_BELL, LEAVE_SEAT };
	struct wicket_proc p[3] = { standing(JOIN_SEAT, 1) };

	(void)state;
	have_a_waiter();
	for (size_t i = 0; i < sizeof(pcs) / sizeof(*pcs); i++) {
		p[1] = waiter(pcs[i]);
		regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
		assert_true(holds(&cfg, 4, regs, p));
		regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
		assert_false(holds(&cfg, 4, regs, p));
	}
	/* the dead, but not as long as their command lives on in their seat */
	for (uint16_t pc = DIE; pc <= COMMAND; pc++) {
		p[1].pc = pc;
		p[1].local[MASK] = 0;
		assert_int_equal(holds(&cfg, 4, regs, p), pc != COMMAND);
		p[1].local[MASK] = 1;
		assert_false(holds(&cfg, 4, regs, p));
	}
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T3, 3);
	assert_true(holds(&cfg, 4, regs, p));
	regs[SEAT1] = seat(2, LINE_HAVE, 1, life(2) + T3, 3);
	/* who has given up, and has no seat any more */
	p[1] = standing(READ_T, 2);
	assert_true(holds(&cfg, 4, regs, p));
	/* another's */
	p[1] = in_seat(TAKE_SEAT, 3, 2);
	assert_true(holds(&cfg, 4, regs, p));
}

static void r5_wants_the_living_in_their_seats(void **state)
{
	struct wicket_proc p[3] = { standing(JOIN_SEAT, 1) };
	struct wicket_cfg shared = cfg;

	(void)state;
	have_a_waiter();
	p[1] = waiter(WAIT_SLEEP);
	/* it was freed, and taken by somebody else */
	regs[SEAT1] = seat(3, LINE_FREE, 0, 0, 0);
	assert_false(holds(&cfg, 4, regs, p));
	regs[SEAT1] = seat(4, LINE_JOINING, 0, life(3), 0);
	assert_false(holds(&cfg, 4, regs, p));
	p[1].pc = DIE_LIFE;
	assert_true(holds(&cfg, 4, regs, p));
	/* where all have the same life, nobody can tell */
	p[1].pc = WAIT_SLEEP;
	shared.mutant = LIFE_SHARED;
	regs[SEAT1] = seat(4, LINE_JOINING, 0, life(1), 0);
	assert_true(holds(&shared, 4, regs, p));
}

/* A planted bug touches a bell that is not its own: what comes of it counts. */
static void r5_is_not_about_bells(void **state)
{
	struct wicket_cfg first = planted(BELL_FIRST);
	struct wicket_cfg last = planted(BELL_LAST);
	struct wicket_proc p[3] = { in_seat(JOIN_CLAIM, 1, 0) };

	(void)state;
	begin();
	assert_true(holds(&first, 4, regs, p));
	assert_false(holds(&last, 4, regs, p));
	assert_false(holds(&cfg, 4, regs, p));
	p[0].pc = JOIN_UNLOCK;
	assert_true(holds(&first, 4, regs, p));
	p[0].pc = LEAVE_BELL;
	assert_true(holds(&last, 4, regs, p));
	assert_false(holds(&first, 4, regs, p));
	p[0].pc = TAKE_SEAT;
	assert_false(holds(&first, 4, regs, p));
	assert_false(holds(&last, 4, regs, p));
}

/* Nobody is there any more but what the registers say. */
static int is_remembered(const struct wicket_cfg *c)
{
	const struct wicket_proc p[3] = { { .pc = DEAD },
					  { .pc = DEAD },
					  { .pc = DONE } };

	return holds(c, 5, regs, p);
}

static void r6_wants_every_death_marked_or_to_be_seen(void **state)
{
	struct wicket_proc p[3] = { { .pc = DEAD } };

	(void)state;
	begin();
	assert_true(is_remembered(&cfg)); /* free */
	regs[SEAT1] = seat(2, LINE_HAVE, 0, life(2) + T1, 1);
	regs[BELL1] = wicket_number(LINE_ALIVE);
	regs[LIVES] = wicket_number(ONLY_2);
	/* neither bell nor life tell of it */
	assert_false(is_remembered(&cfg));
	regs[BELL1] = wicket_number(LINE_NOBODY);
	assert_false(is_remembered(&cfg));
	regs[LIVES] = wicket_number(ONLY_1 + ONLY_3); /* others' */
	assert_true(is_remembered(&cfg));
	regs[LIVES] = wicket_number(ONLY_2);
	regs[BELL1] = wicket_number(LINE_DIED);
	assert_true(is_remembered(&cfg));
	/* the bell is not believed of a joiner */
	regs[SEAT1] = seat(2, LINE_JOINING, 0, life(2), 0);
	assert_false(is_remembered(&cfg));
	regs[SEAT1] = seat(2, LINE_JOINING, 1, life(2), 0);
	assert_true(is_remembered(&cfg));
	/* its owner is there, alive or dying */
	regs[SEAT1] = seat(2, LINE_JOINING, 0, life(2), 0);
	p[1] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
	p[1].pc = DIE_LIFE;
	assert_true(holds(&cfg, 5, regs, p));
	p[1].local[ME] = 3;
	assert_false(holds(&cfg, 5, regs, p));
	p[0] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
	p[0].local[ME] = 1;
	p[2] = in_seat(JOIN_BELL, 2, 2);
	assert_true(holds(&cfg, 5, regs, p));
}

static void r6_of_a_seat_that_is_kept(void **state)
{
	struct wicket_proc p[3] = { { .pc = DEAD } };

	(void)state;
	p[1] = orphan();
	assert_true(holds(&kept, 5, regs, p));
	/* a lock that nobody will ever drop */
	assert_false(is_remembered(&kept));
	regs[KEEP0] = wicket_number(0);
	assert_true(is_remembered(&kept));
	regs[KEEP0] = wicket_number(4); /* another operation's */
	assert_true(is_remembered(&kept));
}

/* --- how many slots are open ------------------------------------------------ */

/* S with so many closed, and to be closed; moved or not. */
static void close_slots(uint64_t closed, uint64_t aim, uint64_t moved)
{
	regs[LINE_W].w[1] += closed * 0x400000 + moved * 0x80000000 +
			     aim * 0x40000000000000;
}

static void r9_wants_somebody_to_open_slots(void **state)
{
	(void)state;
	begin();
	close_slots(1, 1, 0);
	assert_true(holds(&cfg, R9, regs, 0));
	begin();
	close_slots(0, 1, 0);
	assert_true(holds(&cfg, R9, regs, 0));
	begin();
	close_slots(2, 1, 0);
	assert_false(holds(&cfg, R9, regs, 0));
	regs[SEAT1] = seat(3, LINE_OPENING, 1, life(2), 0);
	assert_true(holds(&cfg, R9, regs, 0));
	regs[SEAT1] = seat(3, LINE_RELEASED, 1, life(2), 0);
	assert_false(holds(&cfg, R9, regs, 0));
	regs[SEAT1].w[0] += 0x2000; /* it goes on */
	assert_true(holds(&cfg, R9, regs, 0));
}

static void r10_wants_no_more_newcomers_than_open_slots(void **state)
{
	struct wicket_proc p[] = { in_seat(HOLD, 1, 2), in_seat(HOLD, 2, 2),
				   in_seat(TAKE_SEAT, 3, 0) };

	(void)state;
	begin();
	p[0].local[TICKET] = 1ull << 32 | T1;
	p[1].local[TICKET] = 2ull << 32 | T2;
	assert_true(holds(&cfg, R10, regs, p));
	close_slots(0, 1, 0); /* of the two, none was there before */
	assert_false(holds(&cfg, R10, regs, p));
	regs[LINE_W].w[2] += 1 << 16; /* the first was */
	assert_true(holds(&cfg, R10, regs, p));
	close_slots(0, 1, 0); /* none is open */
	assert_false(holds(&cfg, R10, regs, p));
	regs[LINE_W].w[2] += 1 << 16;
	assert_true(holds(&cfg, R10, regs, p));
}

static void r11_wants_closed_slots_marked(void **state)
{
	const uint64_t parked = 0x800000;

	(void)state;
	begin();
	close_slots(1, 1, 0);
	assert_false(holds(&cfg, R11, regs, 0));
	regs[SLOT1].w[0] += parked;
	assert_true(holds(&cfg, R11, regs, 0));
	regs[SLOT0].w[0] += parked;
	assert_false(holds(&cfg, R11, regs, 0));
	/* closed by the operation in W's tag, and not written down */
	begin();
	close_slots(1, 1, 1);
	regs[LINE_W].w[0] = 0x30001;
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, life(1) + inside(T1, 0), 1);
	assert_true(holds(&cfg, R11, regs, 0));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, life(1), 0);
	assert_false(holds(&cfg, R11, regs, 0));
	/* opened */
	regs[LINE_W].w[1] -= 0x400000;
	regs[SLOT0].w[0] += parked;
	regs[SEAT0] = seat(3, LINE_OPENING, 0, life(1) + inside(T1, 0), 0);
	assert_true(holds(&cfg, R11, regs, 0));
	regs[SLOT1].w[0] += parked;
	assert_false(holds(&cfg, R11, regs, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_death_is_unnoticed_until_the_seat_is_seen_to),
		cmocka_unit_test(a_death_that_is_kept_explains_nothing),
		cmocka_unit_test(where_all_watch_a_death_is_noticed),
		cmocka_unit_test(
			who_sleeps_on_a_valid_ticket_waits_for_its_waker),
		cmocka_unit_test(r1_wants_distinct_slots),
		cmocka_unit_test(r2_wants_tickets_enabled_in_order),
		cmocka_unit_test(r3_wants_every_operation_applied_once),
		cmocka_unit_test(r4_wants_a_removed_line_empty),
		cmocka_unit_test(r5_wants_the_living_unmarked),
		cmocka_unit_test(r5_wants_the_living_in_their_seats),
		cmocka_unit_test(r5_is_not_about_bells),
		cmocka_unit_test(r6_wants_every_death_marked_or_to_be_seen),
		cmocka_unit_test(r6_of_a_seat_that_is_kept),
		cmocka_unit_test(r9_wants_somebody_to_open_slots),
		cmocka_unit_test(r10_wants_no_more_newcomers_than_open_slots),
		cmocka_unit_test(r11_wants_closed_slots_marked),
	};

	return cmocka_run_group_tests_name("recoverable-invariants", tests,
					   NULL, NULL);
}
