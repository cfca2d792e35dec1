/* SPDX-License-Identifier: MIT */
/* shared-lease - the beat and what is decided by it, and steps of a participant, by
   hand-computed values. */
#include "../unit.h"

#include "algo/shared-lease.c"

/* --- the beat --------------------------------------------------------------------- */

enum { SECONDS = 10 };

static int64_t seconds(int64_t n)
{
	return n * BEAT_SECOND;
}

static void a_beat_is_two_numbers(void **state)
{
	uint64_t beat = beat_make(5, 1234567);

	(void)state;
	assert_int_equal(beat, 5ULL << 40 | 1);
	assert_int_equal(beat_generation(beat), 5);
	assert_int_equal(beat_sent(beat),
			 1000000); /* never later than it was */
}

static void a_later_keepalive_counts(void **state)
{
	uint64_t beat = beat_make(3, seconds(20));

	(void)state;
	assert_int_equal(beat_acknowledge(beat, 3, seconds(21)),
			 beat_make(3, seconds(21)));
	assert_int_equal(beat_acknowledge(beat, 3, seconds(19)), beat);
	/* one of another generation does not */
	assert_int_equal(beat_acknowledge(beat, 1, seconds(99)), beat);
	assert_int_equal(beat_acknowledge(beat, 5, seconds(99)), beat);
}

static void a_generation_ends_once(void **state)
{
	uint64_t beat = beat_end(beat_make(3, seconds(20)), 3);

	(void)state;
	assert_int_equal(beat, 4ULL << 40);
	assert_int_equal(beat_end(beat, 3), beat);
	assert_int_equal(beat_acknowledge(beat, 3, seconds(99)), beat);
}

static void the_deadline_is_that_of_the_own_generation(void **state)
{
	uint64_t beat = beat_make(3, seconds(20));

	(void)state;
	assert_int_equal(beat_deadline(beat, 3, SECONDS), seconds(29));
	assert_int_equal(beat_deadline(beat, 1, SECONDS), 0);
	assert_int_equal(beat_deadline(beat_end(beat, 3), 3, SECONDS), 0);
}

/* Every third of the time; and a tenth after one was tried. */
static void keepalives_are_due(void **state)
{
	uint64_t beat = beat_make(3, seconds(20));

	(void)state;
	assert_int_equal(beat_due(beat, 9), seconds(23));
	assert_int_equal(beat_next_try(beat, seconds(20), SECONDS),
			 seconds(20) + seconds(10) / 3);
	assert_int_equal(beat_next_try(beat, seconds(24), SECONDS),
			 seconds(25));
}

static void who_comes_asks_if_nobody_has_for_long(void **state)
{
	uint64_t beat = beat_make(3, seconds(20));

	(void)state;
	assert_int_equal(beat_welcome(beat, 9, seconds(23) - 1),
			 BEAT_TAKE_PART);
	assert_int_equal(beat_welcome(beat, 9, seconds(23)), BEAT_ASK);
	assert_int_equal(beat_welcome(beat_end(beat, 3), 9, seconds(20)),
			 BEAT_BEGIN);
	assert_int_equal(beat_welcome(0, 0, seconds(20)), BEAT_BEGIN);
}

static void who_is_buried(void **state)
{
	(void)state;
	assert_int_equal(beat_fate(3, 3), BEAT_BURY);
	assert_int_equal(beat_fate(1, 3), BEAT_FREE);
	assert_int_equal(beat_fate(5, 3), BEAT_LEAVE);
}

/* --- the system: process 1 of two ---------------------------------------------------- */

static const struct wicket_cfg two = { .n = 2, .k = 1 };

struct scene {
	struct wicket_cfg cfg;
	struct wicket_value reg[CELLS + PER_PLACE * PLACES];
	struct wicket_proc p;
};

static struct scene begin_scene(uint32_t mutant)
{
	struct scene s = { .cfg = two, .p = start(&two, 1) };

	s.cfg.mutant = mutant;
	for (uint32_t r = 0; r < registers(&two); r++)
		s.reg[r] = reg(&two, r).start;
	return s;
}

static void take_step(struct scene *s, struct wicket_proc *p)
{
	struct wicket_access a = access(&s->cfg, *p);
	struct wicket_result r = step(&s->cfg, *p, s->reg[a.reg]);

	if (a.kind == WICKET_STORE || a.kind == WICKET_RMW)
		s->reg[a.reg] = r.put;
	*p = r.proc;
}

/* Until it is there, the network delivering whatever it asks for. */
static void go_to(struct scene *s, enum pc pc)
{
	for (int i = 0; s->p.pc != pc; i++) {
		struct wicket_proc net = start(&two, 3 + (s->p.self - 1) * 3);

		assert_true(i < 100);
		take_step(s, &net);
		take_step(s, &s->p);
	}
}

static void the_first_begins_a_generation(void **state)
{
	struct scene s = begin_scene(0);
	struct net net;
	struct locks locks;

	(void)state;
	go_to(&s, MEMBER);
	net = net_unpack(s.reg[NET]);
	locks = locks_unpack(s.reg[LOCKS].w[0]);
	assert_int_equal(s.reg[BEAT].w[0], beat_make(1, seconds(1)));
	assert_int_equal(s.reg[RECORD].w[0], 1);
	assert_int_equal(s.reg[LAST].w[0], 1);
	assert_int_equal(s.reg[CELLS].w[0], 1);	    /* number, */
	assert_int_equal(s.reg[CELLS + 1].w[0], 1); /* generation, */
	assert_int_equal(s.reg[CELLS + 2].w[0], 1); /* keys */
	assert_int_equal(net.lease[1].end, 2);
	assert_int_equal(net.person[1].live, 1);
	assert_int_equal(locks.file, 0);
	assert_int_equal(locks.place[0], 1);
	assert_int_equal(region(&two, s.p), WICKET_CRITICAL);
	go_to(&s, LOCK);
	net = net_unpack(s.reg[NET]);
	assert_int_equal(net.person[1].live, 0);
	assert_int_equal(s.reg[CELLS].w[0], 0);
}

/* Process 1 dies; process 2 takes the other place, buries it and frees its place. */
static void the_dead_are_buried(void **state)
{
	struct scene s = begin_scene(0);
	struct net net;

	(void)state;
	go_to(&s, BREATHE);
	s.p = event(&two, s.p, WICKET_FAIL);
	go_to(&s, LOCK);
	assert_int_equal(s.reg[CELLS].w[0], 1);
	assert_int_equal(locks_unpack(s.reg[LOCKS].w[0]).place[0], 0);
	s.p = start(&two, 2);
	go_to(&s, SEE_KEYS);
	assert_int_equal(s.p.local[FATE], BEAT_BURY);
	assert_int_equal(s.p.local[SEEN], 1);
	go_to(&s, FREE);
	net = net_unpack(s.reg[NET]);
	assert_int_equal(net.person[1].live, 0);
	assert_int_equal(net.person[2].live, 1);
	assert_int_equal(s.reg[CELLS].w[0], 1);
	go_to(&s, LEAVE);
	assert_int_equal(s.reg[CELLS].w[0], 0);
}

/* A place that is another's by now is not freed; the mutant does. */
static void only_the_number_that_was_seen_is_freed(void **state)
{
	struct wicket_proc p = { .pc = FREE, .self = 1 };
	struct wicket_cfg c = two;

	(void)state;
	p.local[PLACE] = 2;
	p.local[SEEN] = 1;
	assert_int_equal(step(&c, p, wicket_number(1)).put.w[0], 0);
	assert_int_equal(step(&c, p, wicket_number(3)).put.w[0], 3);
	c.mutant = FREE_UNSEEN;
	assert_int_equal(step(&c, p, wicket_number(3)).put.w[0], 0);
}

static void a_request_may_be_done_late(void **state)
{
	struct net x = { .now = 1 };
	struct mail *m = &x.mail[0];

	(void)state;
	x.lease[1].end = 2;
	*m = (struct mail){ .op = PUT_LIVE, .number = 2, .keys = 1, .id = 1 };
	give_up(m);
	assert_int_equal(m->op, NONE);
	deliver(&x, m);
	assert_int_equal(x.person[2].live, 0);
	deliver_late(&x, m);
	assert_int_equal(x.person[2].live, 1);
	bury(&x, 2, 3); /* of another line: nobody */
	assert_int_equal(x.person[2].live, 1);
	bury(&x, 2, 1);
	assert_int_equal(x.person[2].live, 0);
}

static void a_lease_takes_its_keys_with_it(void **state)
{
	struct wicket_cfg revoked = { .n = 2, .k = 1, .variant = REVOKED };
	struct net x = { .now = 1 };

	(void)state;
	x.lease[1].end = 2;
	x.person[1] = (struct person){ .live = 1, .owner = 1, .lease = 1 };
	expire(&two, &x);
	assert_int_equal(x.person[1].live, 1);
	expire(&revoked, &x);
	assert_int_equal(x.person[1].live, 0);
	assert_int_equal(x.lease[1].end, 0);
}

static void what_there_is_comes_back_from_a_register(void **state)
{
	struct net x = { .now = 2, .granted = 3 }, y;
	struct locks locks = { 2, { 1, 3 }, 3 }, same;

	(void)state;
	x.lease[3].end = 3;
	x.person[2] = (struct person){ 1, 3, 2, 1, 1 };
	x.mail[2] = (struct mail){ GO, 3, 3, 2, SILENCE, BURY, 1, 2, 3 };
	y = net_unpack(net_pack(&x));
	assert_memory_equal(&x, &y, sizeof(x));
	same = locks_unpack(locks_pack(&locks));
	assert_memory_equal(&locks, &same, sizeof(locks));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_beat_is_two_numbers),
		cmocka_unit_test(a_later_keepalive_counts),
		cmocka_unit_test(a_generation_ends_once),
		cmocka_unit_test(the_deadline_is_that_of_the_own_generation),
		cmocka_unit_test(keepalives_are_due),
		cmocka_unit_test(who_comes_asks_if_nobody_has_for_long),
		cmocka_unit_test(who_is_buried),
		cmocka_unit_test(the_first_begins_a_generation),
		cmocka_unit_test(the_dead_are_buried),
		cmocka_unit_test(only_the_number_that_was_seen_is_freed),
		cmocka_unit_test(a_request_may_be_done_late),
		cmocka_unit_test(a_lease_takes_its_keys_with_it),
		cmocka_unit_test(what_there_is_comes_back_from_a_register),
	};

	return cmocka_run_group_tests_name("shared-lease", tests, NULL, NULL);
}
