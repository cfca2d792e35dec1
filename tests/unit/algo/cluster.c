/* SPDX-License-Identifier: MIT */
/* cluster - what a transaction does to a line in a store, and what a client does after
   an answer, by hand-computed values. */
#include "../unit.h"

#include "algo/cluster.c"

/* --- rules ------------------------------------------------------------------------ */

/* Blocks of 5 tickets. */
static struct rules_w line_of(uint32_t k)
{
	struct rules_w w = { .k = k, .m = 5 };

	rules_stock(&w);
	return w;
}

static void assert_w(const struct rules_w *w, uint32_t issue, uint32_t valid,
		     uint64_t held)
{
	assert_int_equal(rules_number(w, w->issue), issue);
	assert_int_equal(rules_number(w, w->valid), valid);
	assert_int_equal(w->held[0], held);
	assert_int_equal(w->taken, __builtin_popcountll(held));
}

static void the_first_get_in_at_once(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r;
	uint32_t slots[2];

	(void)state;
	assert_w(&w, 0, 2, 0);
	assert_true(rules_take(&w, 1, &r, slots));
	assert_int_equal(slots[0], 0);
	assert_w(&w, 1, 2, 1);
	assert_true(rules_take(&w, 1, &r, slots));
	assert_int_equal(slots[0], 1);
	assert_false(rules_take(&w, 1, &r, slots));
	assert_w(&w, 3, 2, 3);
	assert_int_equal(rules_number(&w, r.before), 2);
	assert_int_equal(rules_number(&w, r.last), 3);
}

static void who_leaves_lets_the_first_in(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, first;
	uint32_t slots[2], one = 1;

	(void)state;
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 1, &first, slots);
	rules_take(&w, 1, &r, slots);
	assert_false(rules_serve(&w, &first, slots));
	rules_let_go(&w, 1, &one);
	assert_true(rules_serve(&w, &first, slots));
	assert_int_equal(slots[0], 1);
	assert_w(&w, 4, 3, 3);
	assert_false(rules_serve(&w, &r, slots));
}

/* It gets them together one by one, and nobody passes it. */
static void two_units(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, two;
	uint32_t slots[2], zero = 0;

	(void)state;
	assert_true(rules_take(&w, 1, &r, slots));
	assert_false(rules_take(&w, 2, &two, slots));
	assert_w(&w, 3, 2, 1); /* the one spare ticket is its first */
	assert_false(rules_serve(&w, &two, slots));
	assert_false(rules_take(&w, 1, &r, slots)); /* though a slot is free */
	rules_let_go(&w, 1, &zero);
	assert_true(rules_serve(&w, &two, slots));
	assert_int_equal(slots[0], 0);
	assert_int_equal(slots[1], 1);
	assert_w(&w, 4, 3, 3);
}

/* Two units wait, the first of their tickets is valid; they go, and the one behind
   them gets in: tickets 2 and 3 are discarded. */
static void who_gives_up_is_passed(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, two, last;
	uint32_t slots[2];

	(void)state;
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 2, &two, slots);
	rules_take(&w, 1, &last, slots);
	assert_true(rules_serve(&w, &last, slots));
	assert_int_equal(slots[0], 1);
	assert_w(&w, 4, 4, 3);
	/* and when all have gone, what is free is ahead of ISSUE */
	slots[0] = 0;
	slots[1] = 1;
	rules_let_go(&w, 2, slots);
	rules_stock(&w);
	assert_w(&w, 4, 6, 0);
	assert_int_equal(w.valid.colour, 1);
}

/* One holds, one waits, and behind it more take tickets than a block has, and go. */
static void who_gives_up_wears_nothing_out(void **state)
{
	struct rules_w w = line_of(1);
	struct rules_request r, first;
	uint32_t slots[1], zero = 0;

	(void)state;
	rules_take(&w, 1, &r, slots);
	assert_false(rules_take(&w, 1, &first, slots));
	for (uint32_t i = 0; i < 3 * w.m; i++)
		assert_false(rules_take(&w, 1, &r, slots));
	assert_int_equal(w.taken, 1);
	assert_false(rules_serve(&w, &first, slots));
	rules_let_go(&w, 1, &zero);
	assert_true(rules_serve(&w, &first, slots));
	assert_false(rules_serve(&w, &r, slots));
}

static void another_k(void **state)
{
	struct rules_w w = line_of(3);
	struct rules_request r;
	uint32_t slots[1], zero = 0;

	(void)state;
	rules_take(&w, 1, &r, slots);
	w.k = 1; /* tickets 2 and 3 are issued to nobody */
	rules_stock(&w);
	assert_w(&w, 3, 3, 1);
	assert_false(rules_take(&w, 1, &r, slots));
	w.k = 0; /* drained: who leaves validates nothing */
	rules_let_go(&w, 1, &zero);
	assert_false(rules_serve(&w, &r, slots));
	assert_w(&w, 4, 3, 0);
	w.k = 2;
	assert_true(rules_serve(&w, &r, slots));
	rules_stock(&w);
	assert_w(&w, 4, 5, 1);
}

/* --- the client ---------------------------------------------------------------------- */

static enum op next_of(struct mind *m, enum reply reply, enum phase phase)
{
	return mind_next(m, reply, phase, 1);
}

static void directly_then_announced(void **state)
{
	struct mind m = { .pc = TAKING };

	(void)state;
	assert_int_equal(next_of(&m, REFUSED, OUT), ANNOUNCE_TAKE);
	assert_int_equal(next_of(&m, DONE, OUT), APPLY);
	assert_int_equal(next_of(&m, REFUSED, OUT), APPLY);
	assert_int_equal(next_of(&m, REFUSED, WAITS), NONE);
	assert_int_equal(m.pc, WATCH);
	assert_int_equal(m.announced, 0);
}

/* Somebody else's transaction let it in: it asks again before it enters. */
static void told_by_others(void **state)
{
	struct mind m = { .pc = APPLYING, .announced = ASKS_TO_TAKE };

	(void)state;
	assert_int_equal(next_of(&m, REFUSED, HOLDS), CONFIRM);
	assert_int_equal(next_of(&m, DONE, HOLDS), NONE);
	assert_int_equal(m.pc, INSIDE);
}

static void silence_is_resolved_by_a_write(void **state)
{
	struct mind m = { .pc = TAKING };

	(void)state;
	assert_int_equal(next_of(&m, SILENCE, OUT), RESOLVE);
	assert_int_equal(next_of(&m, SILENCE, OUT), RESOLVE);
	assert_int_equal(next_of(&m, DONE, OUT), TAKE);
	m.pc = SOLVING;
	assert_int_equal(next_of(&m, REFUSED, HOLDS), CONFIRM);
	m = (struct mind){ .pc = SOLVING, .been_inside = 1 };
	assert_int_equal(next_of(&m, DONE, HOLDS), LEAVE);
	m.pc = SOLVING;
	assert_int_equal(next_of(&m, REFUSED, OUT), NONE);
	assert_int_equal(m.pc, WANT);
}

/* What it has announced must not be carried out when it has gone. */
static void who_gives_up_withdraws(void **state)
{
	struct mind m = { .pc = APPLYING,
			  .announced = ASKS_TO_TAKE,
			  .gives_up = 1 };

	(void)state;
	assert_int_equal(next_of(&m, REFUSED, OUT), RESOLVE);
	assert_int_equal(next_of(&m, DONE, OUT), NONE);
	assert_int_equal(m.pc, WANT);
	m = (struct mind){ .pc = APPLYING,
			   .announced = ASKS_TO_TAKE,
			   .gives_up = 1 };
	assert_int_equal(next_of(&m, REFUSED, WAITS), LEAVE);
	assert_int_equal(next_of(&m, REFUSED, WAITS), LEAVE);
	assert_int_equal(next_of(&m, REFUSED, HOLDS), ANNOUNCE_LEAVE);
	assert_int_equal(next_of(&m, DONE, HOLDS), APPLY);
	assert_int_equal(next_of(&m, REFUSED, HOLDS), APPLY);
	assert_int_equal(next_of(&m, REFUSED, OUT), NONE);
	m = (struct mind){ .pc = SOLVING,
			   .announced = ASKS_TO_TAKE,
			   .gives_up = 1 };
	assert_int_equal(next_of(&m, REFUSED, WAITS), LEAVE);
}

static void without_a_lease(void **state)
{
	struct mind m = { .pc = LEAVING, .been_inside = 1 };

	(void)state;
	assert_int_equal(mind_next(&m, REFUSED, HOLDS, 0), NONE);
	assert_int_equal(m.pc, LOST);
}

/* --- the model ------------------------------------------------------------------------- */

static void a_world_is_packed_whole(void **state)
{
	const struct wicket_cfg c = { .n = 3, .k = 2 };
	struct wicket_value start = reg(&c, 0).start;
	struct world x;

	(void)state;
	world_unpack(&c, start, &x);
	x.client[2].sent = 3;
	x.client[1].slots = 5;
	start = world_pack(&c, &x);
	world_unpack(&c, start, &x);
	assert_int_equal(x.client[2].sent, 3);
	assert_int_equal(x.client[1].slots, 5);
	assert_int_equal(x.client[2].live, 1);
	assert_int_equal(x.valid_value, 2);
	assert_value(world_pack(&c, &x), start.w[0], start.w[1], start.w[2],
		     start.w[3]);
}

/* One that is answered, one whose W has changed since. */
static void one_request_wins(void **state)
{
	const struct wicket_cfg c = { .n = 2, .k = 1, .variant = SIMPLE };
	struct wicket_proc one = start(&c, 1), two = start(&c, 2);
	struct wicket_proc courier[2] = { start(&c, 3), start(&c, 7) };
	struct wicket_value v = reg(&c, 0).start;
	struct wicket_result r;
	struct world x;

	(void)state;
	r = step(&c, one, v), one = r.proc, v = r.put;
	r = step(&c, two, v), two = r.proc, v = r.put;
	v = step(&c, courier[0], v).put;
	v = step(&c, courier[1], v).put;
	world_unpack(&c, v, &x);
	assert_int_equal(x.client[0].reply, DONE);
	assert_int_equal(x.client[0].phase, HOLDS);
	assert_int_equal(x.client[1].reply, REFUSED);
	r = step(&c, one, v);
	assert_int_equal(region(&c, r.proc), WICKET_CRITICAL);
	r = step(&c, two, v);
	assert_int_equal(region(&c, r.proc), WICKET_TRYING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_get_in_at_once),
		cmocka_unit_test(who_leaves_lets_the_first_in),
		cmocka_unit_test(two_units),
		cmocka_unit_test(who_gives_up_is_passed),
		cmocka_unit_test(who_gives_up_wears_nothing_out),
		cmocka_unit_test(another_k),
		cmocka_unit_test(directly_then_announced),
		cmocka_unit_test(told_by_others),
		cmocka_unit_test(silence_is_resolved_by_a_write),
		cmocka_unit_test(who_gives_up_withdraws),
		cmocka_unit_test(without_a_lease),
		cmocka_unit_test(a_world_is_packed_whole),
		cmocka_unit_test(one_request_wins),
	};

	return cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
}
