/* SPDX-License-Identifier: MIT */
/* bitmap - the words, and the steps of a few schedules, by hand. */
#include "../unit.h"

#include "algo/bitmap.c"

enum { N = 3, K = 2, M = 2 }; /* three seats, two slots, two tickets */

static const struct wicket_cfg cfg = { .n = N, .k = K };
static struct wicket_value regs[N + 2];

static void begin(void)
{
	for (uint32_t i = 0; i < registers(&cfg); i++)
		regs[i] = reg(&cfg, i).start;
}

/* Takes one step on the registers, at this program counter. */
static struct wicket_proc at(uint16_t pc, struct wicket_proc p)
{
	struct wicket_access a = access(&cfg, p);
	struct wicket_value v = regs[a.reg];
	struct wicket_result r;

	assert_int_equal(p.pc, pc);
	r = step(&cfg, p, wicket_part(&a, v));
	if (a.kind == WICKET_STORE)
		regs[a.reg] = wicket_merged(&a, v, r.put);
	else if (a.kind == WICKET_RMW ||
		 (a.kind == WICKET_CAS && wicket_is_expected(&a, v)))
		regs[a.reg] = r.put;
	return r.proc;
}

/* Process i, inside: nobody has done anything before. */
static struct wicket_proc goes_in(uint32_t i)
{
	struct wicket_proc p = at(TAKE, start(&cfg, i));

	p = at(READ_S, p);
	if (i > 1) /* the one before has written its own seat already */
		p = at(SETTLE_SEAT, p);
	return at(ENTERED, at(TAKE_W, p));
}

/* Process 3 finds no slot. */
static struct wicket_proc queues(void)
{
	struct wicket_proc p = at(READ_S, at(TAKE, start(&cfg, 3)));

	return at(TAKE_W, at(SETTLE_SEAT, p));
}

static void s_says_what_was_done(void **state)
{
	uint64_t s = bitmap_start(K);

	(void)state;
	assert_int_equal(s, 3);
	s = bitmap_take(s, M);
	assert_true(s == bitmap_word(2, BITMAP_ENTERED, 0, 0, 0));
	s = bitmap_take(s, M);
	assert_true(s == bitmap_word(0, BITMAP_ENTERED, 1, 0, 0));
	s = bitmap_take(s, M);
	assert_true(s == bitmap_word(0, BITMAP_QUEUED, 0, 0, 1));
	assert_true(bitmap_has_waiters(s));
	s = bitmap_release(s, 1, M);
	assert_true(s == bitmap_word(0, BITMAP_GRANTED, 1, 1, 1));
	assert_false(bitmap_has_waiters(s));
	s = bitmap_release(s, 0, M);
	assert_true(s == bitmap_word(1, BITMAP_FREED, 0, 1, 1));
	/* tickets come round */
	s = bitmap_take(bitmap_take(s, M), M);
	assert_true(s == bitmap_word(0, BITMAP_QUEUED, 0, 1, 0));
	/* the widest of all fields */
	s = bitmap_word(BITMAP_FREE_MASK, BITMAP_GRANTED, 30, 8191, 8191);
	assert_true(bitmap_free(s) == BITMAP_FREE_MASK);
	assert_int_equal(bitmap_did(s), BITMAP_GRANTED);
	assert_int_equal(bitmap_moved(s), 30);
	assert_int_equal(bitmap_head(s), 8191);
	assert_int_equal(bitmap_tail(s), 8191);
}

static void a_helper_writes_what_the_owner_would(void **state)
{
	uint64_t idle = bitmap_state(4, BITMAP_IDLE);
	uint64_t s = bitmap_word(0, BITMAP_QUEUED, 0, 7, 9);

	(void)state;
	assert_true(bitmap_written(idle, s) == bitmap_waits(5, 9));
	s = bitmap_word(0, BITMAP_ENTERED, 3, 7, 7);
	assert_true(bitmap_written(idle, s) == bitmap_has(5, 3));
	assert_true(bitmap_written(idle | BITMAP_DEAD, s) ==
		    (bitmap_has(5, 3) | BITMAP_DEAD));
	s = bitmap_word(0, BITMAP_GRANTED, 3, 8, 9);
	assert_true(bitmap_written(bitmap_has(4, 3), s) ==
		    bitmap_state(5, BITMAP_IDLE));
	assert_true(bitmap_is_heir(bitmap_waits(2, 8), s));
	assert_false(bitmap_is_heir(bitmap_waits(2, 9), s));
	assert_true(bitmap_granted(bitmap_waits(2, 8) | BITMAP_ASLEEP, s) ==
		    bitmap_has(2, 3));
}

static void alone_it_is_two_changes_of_w(void **state)
{
	struct wicket_proc p;

	(void)state;
	begin();
	p = goes_in(1);
	assert_value(regs[0], bitmap_tag(1, 0),
		     bitmap_word(2, BITMAP_ENTERED, 0, 0, 0), 0, 0);
	assert_value(regs[1], bitmap_has(1, 0), 1, 0, 0);
	p = at(RELEASE_END, at(HOLD, p));
	assert_value(regs[0], bitmap_tag(2, 0), bitmap_start(K), 0, 0);
	assert_value(regs[1], bitmap_state(2, BITMAP_IDLE), 1, 0, 0);
	assert_int_equal(p.pc, LEAVE);
	p = at(LEAVE, p);
	assert_value(regs[1], bitmap_state(2, BITMAP_NOBODY), 0, 0, 0);
	assert_int_equal(p.pc, DONE);
}

static void the_slot_goes_into_the_seat_of_who_sleeps(void **state)
{
	struct wicket_proc p[N];

	(void)state;
	begin();
	p[0] = goes_in(1);
	p[1] = goes_in(2);
	p[2] = at(WAIT_ARM, at(WAIT_SPIN, at(QUEUED, queues())));
	p[1] = at(SETTLE_SEAT, at(HOLD, p[1]));
	p[1] = at(RELEASE_W, p[1]);
	for (uint32_t i = 0; i < N; i++)
		p[1] = at(GRANT_SEAT, p[1]);
	p[1] = at(GRANT_PUT, at(GRANT_LOOK, p[1]));
	assert_value(regs[3], bitmap_has(1, 1), 3, 1, 0);
	p[1] = at(RELEASE_END, at(GRANT_WAKE, p[1]));
	assert_int_equal(p[1].pc, LEAVE);
	p[2] = at(WAIT_LOOK, at(WAIT_SLEEP, p[2]));
	assert_int_equal(p[2].pc, HOLD);
	assert_int_equal(p[2].local[SLOT], 1);
}

static void who_releases_settles_first(void **state)
{
	struct wicket_proc p[N];

	(void)state;
	begin();
	p[0] = goes_in(1);
	p[1] = goes_in(2);
	p[2] = queues(); /* and has not written it */
	assert_value(regs[3], bitmap_state(0, BITMAP_IDLE), 3, 0, 0);
	p[1] = at(SETTLE_PUT, at(SETTLE_SEAT, at(HOLD, p[1])));
	assert_value(regs[3], bitmap_waits(1, 1), 3, 1, 0);
	for (uint32_t i = 0; i < 5; i++)
		assert_true(holds(&cfg, i, regs, p));
	p[1] = at(RELEASE_W, p[1]);
	assert_true(is_on_its_way(&cfg, regs, 1));
	for (uint32_t i = 0; i < 5; i++)
		assert_true(holds(&cfg, i, regs, p));
}

static void a_dead_holder_is_driven(void **state)
{
	struct wicket_proc p, dead;

	(void)state;
	begin();
	goes_in(1);
	dead = on_event(&cfg, (struct wicket_proc){ .pc = HOLD, .self = 1 },
			WICKET_FAIL);
	assert_int_equal(at(DIE, dead).pc, DEAD);
	goes_in(2);
	p = at(WAIT_ARM, at(WAIT_SPIN, at(QUEUED, queues())));
	p = at(WAIT_LOOK, at(WAIT_SLEEP, p));
	p = at(SCAN_MARK, at(SCAN_LIFE, at(SCAN_SEAT, p)));
	assert_value(regs[1], bitmap_has(1, 0) | BITMAP_DEAD, 1, 0, 0);
	p = at(DRIVE_SEAT, at(READ_S, at(READ_T, p)));
	p = at(DRIVE_W, p); /* the last operation is its own */
	p = at(SETTLE_SEAT, p);
	for (uint32_t i = 0; i < N; i++)
		p = at(GRANT_SEAT, p);
	p = at(GRANT_WAKE, at(GRANT_PUT, at(GRANT_LOOK, p)));
	assert_value(regs[3], bitmap_has(1, 0), 3, 1, 0);
	p = at(SETTLE_PUT, p);
	assert_value(regs[1], bitmap_state(2, BITMAP_IDLE) | BITMAP_DEAD, 1, 0,
		     0);
}

static void texts(void **state)
{
	(void)state;
	begin();
	assert_shows(&wicket_bitmap, &cfg, regs, "T= FREE=11 #0..0 I0 I0 I0");
	goes_in(1);
	goes_in(2);
	at(WAIT_ARM, at(WAIT_SPIN, at(QUEUED, queues())));
	regs[1].w[0] |= BITMAP_DEAD;
	assert_shows(&wicket_bitmap, &cfg, regs,
		     "T=1@3q0 FREE=00 #0..1 H1/0D H1/1 W1#1z");
	assert_shows_step(&wicket_bitmap, &cfg, start(&cfg, 1), "take");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(s_says_what_was_done),
		cmocka_unit_test(a_helper_writes_what_the_owner_would),
		cmocka_unit_test(alone_it_is_two_changes_of_w),
		cmocka_unit_test(the_slot_goes_into_the_seat_of_who_sleeps),
		cmocka_unit_test(who_releases_settles_first),
		cmocka_unit_test(a_dead_holder_is_driven),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests_name("bitmap", tests, NULL, NULL);
}
