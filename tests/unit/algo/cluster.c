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
	uint64_t slots[RULES_SET];

	(void)state;
	assert_w(&w, 0, 2, 0);
	assert_true(rules_take(&w, 1, &r, slots));
	assert_int_equal(slots[0], 1);
	assert_w(&w, 1, 2, 1);
	assert_true(rules_take(&w, 1, &r, slots));
	assert_int_equal(slots[0], 2);
	assert_false(rules_take(&w, 1, &r, slots));
	assert_w(&w, 3, 2, 3);
	assert_int_equal(rules_number(&w, r.before), 2);
	assert_int_equal(rules_number(&w, r.last), 3);
}

static void who_leaves_lets_the_first_in(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, first;
	uint64_t slots[RULES_SET], slot_1[RULES_SET] = { 2 };

	(void)state;
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 1, &first, slots);
	rules_take(&w, 1, &r, slots);
	assert_false(rules_serve(&w, &first, slots));
	rules_let_go(&w, 1, slot_1);
	assert_true(rules_serve(&w, &first, slots));
	assert_int_equal(slots[0], 2);
	assert_w(&w, 4, 3, 3);
	assert_false(rules_serve(&w, &r, slots));
}

/* It gets them together one by one, and nobody passes it. */
static void two_units(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, two;
	uint64_t slots[RULES_SET], slot_0[RULES_SET] = { 1 };

	(void)state;
	assert_true(rules_take(&w, 1, &r, slots));
	assert_false(rules_take(&w, 2, &two, slots));
	assert_w(&w, 3, 2, 1); /* the one spare ticket is its first */
	assert_false(rules_serve(&w, &two, slots));
	assert_false(rules_take(&w, 1, &r, slots)); /* though a slot is free */
	rules_let_go(&w, 1, slot_0);
	assert_true(rules_serve(&w, &two, slots));
	assert_int_equal(slots[0], 3);
	assert_w(&w, 4, 3, 3);
}

/* Two units wait, the first of their tickets is valid; they go, and the one behind
   them gets in: tickets 2 and 3 are discarded. */
static void who_gives_up_is_passed(void **state)
{
	struct rules_w w = line_of(2);
	struct rules_request r, two, last;
	uint64_t slots[RULES_SET];

	(void)state;
	rules_take(&w, 1, &r, slots);
	rules_take(&w, 2, &two, slots);
	rules_take(&w, 1, &last, slots);
	assert_true(rules_serve(&w, &last, slots));
	assert_int_equal(slots[0], 2);
	assert_w(&w, 4, 4, 3);
	/* and when all have gone, what is free is ahead of ISSUE */
	slots[0] = 3;
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
	uint64_t slots[RULES_SET], slot_0[RULES_SET] = { 1 };

	(void)state;
	rules_take(&w, 1, &r, slots);
	assert_false(rules_take(&w, 1, &first, slots));
	for (uint32_t i = 0; i < 3 * w.m; i++)
		assert_false(rules_take(&w, 1, &r, slots));
	assert_int_equal(w.taken, 1);
	assert_false(rules_serve(&w, &first, slots));
	rules_let_go(&w, 1, slot_0);
	assert_true(rules_serve(&w, &first, slots));
	assert_false(rules_serve(&w, &r, slots));
}

static void another_k(void **state)
{
	struct rules_w w = line_of(3);
	struct rules_request r;
	uint64_t slots[RULES_SET], slot_0[RULES_SET] = { 1 };

	(void)state;
	rules_take(&w, 1, &r, slots);
	w.k = 1; /* tickets 2 and 3 are issued to nobody */
	rules_stock(&w);
	assert_w(&w, 3, 3, 1);
	assert_false(rules_take(&w, 1, &r, slots));
	w.k = 0; /* drained: who leaves validates nothing */
	rules_let_go(&w, 1, slot_0);
	assert_false(rules_serve(&w, &r, slots));
	assert_w(&w, 4, 3, 0);
	w.k = 2;
	assert_true(rules_serve(&w, &r, slots));
	rules_stock(&w);
	assert_w(&w, 4, 5, 1);
}

/* --- transactions ------------------------------------------------------------------- */

/* Nobody holds; so many in line; more_wait: behind those who are read. */
static struct transaction reading_of(uint32_t k, uint32_t waiting,
				     int more_wait)
{
	struct rules_w w = line_of(k);
	struct transaction t;

	transaction_begin(&t, &w, waiting, more_wait);
	return t;
}

/* Who is out, and wants so many. */
static uint32_t newcomer(struct transaction *t, uint32_t units)
{
	transaction_read(t, OUT, units, (struct ticket){ 0, 0 });
	return t->parties - 1;
}

static void all_in_the_order_in_which_they_ask(void **state)
{
	struct transaction t = reading_of(2, 0, 0);
	uint32_t a = newcomer(&t, 1), b = newcomer(&t, 2), own;

	(void)state;
	transaction_asks(&t, b, ASKS_TO_TAKE);
	transaction_asks(&t, a, ASKS_TO_TAKE);
	own = newcomer(&t, 1);
	transaction_do(&t, TAKE, own);
	assert_int_equal(t.party[b].phase, HOLDS);
	assert_int_equal(t.party[b].slots[0], 3);
	assert_int_equal(t.party[a].phase, WAITS);
	assert_int_equal(t.party[a].last.value, 3);
	assert_int_equal(t.party[own].last.value, 4);
	assert_int_equal(t.waiting, 2);
	assert_int_equal(t.grants, 1);
	assert_int_equal(t.party[a].ask, NO_ASK);
}

/* What it carries out lets it in, and then it leaves: with a slot, not with tickets. */
static void who_gives_up_may_have_been_let_in(void **state)
{
	struct transaction t = reading_of(1, 0, 0);
	uint32_t holder = newcomer(&t, 1), me = newcomer(&t, 1);

	(void)state;
	transaction_take(&t, holder);
	transaction_take(&t, me);
	assert_int_equal(t.party[me].phase, WAITS);
	assert_true(t.party[me].is_new);
	transaction_asks(&t, holder, ASKS_TO_LEAVE);
	transaction_do(&t, LEAVE, me);
	assert_int_equal(t.party[me].phase, OUT);
	assert_false(t.party[me].is_new || t.party[me].was_let_in);
	assert_int_equal(t.waiting, 0);
	assert_int_equal(t.abandoned, 0);
	assert_w(&t.w, 2, 3, 0);
}

/* One was read, one was not, and one joins behind both. */
static void who_is_far_is_not_let_in(void **state)
{
	for (int more_wait = 0; more_wait <= 1; more_wait++) {
		struct transaction t = reading_of(3, 0, 0);
		uint32_t holder = newcomer(&t, 3), near = newcomer(&t, 1), far;

		(void)state;
		transaction_take(&t, holder);
		transaction_take(&t, near);
		if (more_wait) { /* ticket 5 */
			t.w.issue = rules_next(&t.w, t.w.issue);
			t.waiting++;
			t.more_wait = 1;
		}
		far = newcomer(&t, 1);
		transaction_take(&t, far);
		transaction_leave(&t, holder);
		assert_int_equal(t.party[near].phase, HOLDS);
		assert_true(t.party[near].was_let_in);
		assert_int_equal(t.party[far].is_far, more_wait);
		assert_int_equal(t.party[far].phase, more_wait ? WAITS : HOLDS);
		assert_int_equal(t.waiting, 2 * more_wait);
		assert_int_equal(rules_number(&t.w, t.w.valid),
				 more_wait ? 4 : 6);
	}
}

static void what_the_dead_had_is_given_back(void **state)
{
	struct transaction t = reading_of(2, 0, 0);
	uint32_t dead = newcomer(&t, 2), other = newcomer(&t, 1);

	(void)state;
	transaction_take(&t, dead);
	transaction_take(&t, other);
	transaction_asks(&t, dead, ASKS_TO_LEAVE);
	transaction_reap(&t, dead);
	assert_int_equal(t.party[dead].phase, OUT);
	assert_int_equal(t.party[dead].ask, NO_ASK);
	assert_int_equal(t.recovered, 1);
	assert_int_equal(t.party[other].phase, HOLDS);
	transaction_resize(&t, 0);
	assert_w(&t.w, 4, 4, 1); /* ticket 4 is issued to nobody */
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

/* They are called off in any order, and the others keep theirs. */
static void who_asked_first_is_first(void **state)
{
	const struct wicket_cfg c = { .n = 3, .k = 1 };
	struct transaction t;
	struct world x;

	(void)state;
	world_unpack(&c, reg(&c, 0).start, &x);
	announce(&c, &x, &x.client[2], ASKS_TO_TAKE);
	announce(&c, &x, &x.client[0], ASKS_TO_TAKE);
	announce(&c, &x, &x.client[2], ASKS_TO_TAKE);
	announce(&c, &x, &x.client[1], ASKS_TO_TAKE);
	forget_ask(&c, &x, &x.client[0]);
	forget_ask(&c, &x, &x.client[0]);
	read_store(&c, &x, 3, &t);
	assert_int_equal(t.asks, 2);
	assert_int_equal(t.asks_nth[0], 2);
	assert_int_equal(t.asks_nth[1], 1);
	commit(&c, &x, 0, APPLY);
	assert_int_equal(x.client[2].phase, HOLDS);
	assert_int_equal(x.client[1].phase, WAITS);
	assert_int_equal(x.client[1].ask, NO_ASK);
	assert_int_equal(x.client[0].phase, OUT);
}

/* Of three in line and two who ask, one each. */
static void the_nearsighted_read_one_of_each(void **state)
{
	const struct wicket_cfg c = { .n = 4, .k = 2, .variant = NEARSIGHTED };
	struct transaction t;
	struct world x;

	(void)state;
	world_unpack(&c, reg(&c, 0).start, &x);
	commit(&c, &x, 0, TAKE);
	assert_int_equal(x.client[0].slots, 3);
	commit(&c, &x, 2, TAKE);
	commit(&c, &x, 1, TAKE);
	announce(&c, &x, &x.client[3], ASKS_TO_TAKE);
	announce(&c, &x, &x.client[0], ASKS_TO_LEAVE);
	read_store(&c, &x, 1, &t);
	assert_true(t.more_wait);
	assert_true(t.party[1].is_far);
	assert_false(t.party[2].is_far);
	assert_int_equal(t.asks, 1);
	read_store(&c, &x, 3, &t);
	assert_int_equal(t.party[1].phase, OUT);
	assert_int_equal(t.waiting, 2);
	commit(&c, &x, 0, LEAVE);
	/* one slot is free: 2 is first, and 4 joins behind it */
	assert_int_equal(x.client[2].phase, HOLDS);
	assert_int_equal(x.client[1].phase, WAITS);
	assert_int_equal(x.client[1].value, 1);
	assert_int_equal(x.client[3].value, 2);
	assert_int_equal(x.held, 1);
	look(&c, &x, 3);
	assert_int_equal(x.held, 1);
	look(&c, &x, 1);
	assert_int_equal(x.client[1].phase, HOLDS);
	assert_int_equal(x.client[3].phase, WAITS);
	assert_int_equal(x.overtaken, 0);
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
		cmocka_unit_test(all_in_the_order_in_which_they_ask),
		cmocka_unit_test(who_gives_up_may_have_been_let_in),
		cmocka_unit_test(who_is_far_is_not_let_in),
		cmocka_unit_test(what_the_dead_had_is_given_back),
		cmocka_unit_test(directly_then_announced),
		cmocka_unit_test(told_by_others),
		cmocka_unit_test(silence_is_resolved_by_a_write),
		cmocka_unit_test(who_gives_up_withdraws),
		cmocka_unit_test(without_a_lease),
		cmocka_unit_test(a_world_is_packed_whole),
		cmocka_unit_test(one_request_wins),
		cmocka_unit_test(who_asked_first_is_first),
		cmocka_unit_test(the_nearsighted_read_one_of_each),
	};

	return cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
}
