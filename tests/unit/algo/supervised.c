/* SPDX-License-Identifier: MIT */
/*
 * supervised - buckets and a supervisor, function by function, against values
 * computed by hand from FLBB 1979, Lemma 4.4.
 */
#include "../unit.h"

#include "algo/supervised.c"

static const struct wicket_cfg two = { .n = 4, .k = 2, .r = 2 };
static const struct wicket_cfg three = { .n = 4, .k = 2, .r = 3 };

static struct wicket_cfg mutated(uint32_t mutant)
{
	struct wicket_cfg c = two;

	c.mutant = mutant;
	return c;
}

static struct office office(uint32_t buf, uint32_t main, uint32_t gate)
{
	return (struct office){ .buf = buf, .main = main, .gate = gate };
}

static struct wicket_proc in_t(uint32_t colour)
{
	return (struct wicket_proc){ .pc = LOOK, .local = { colour } };
}

static struct wicket_proc supervisor(const struct wicket_cfg *c, enum pc pc,
				     struct own own)
{
	return (struct wicket_proc){ .pc = (uint16_t)pc,
				     .local = { own_bits(c, own).word } };
}

static void assert_step(const struct wicket_cfg *c, struct wicket_proc p,
			struct office o, struct wicket_proc expected,
			struct office put)
{
	struct wicket_result r = step(c, p, pack(&o));
	struct wicket_value v = pack(&put);

	assert_int_equal(r.proc.pc, expected.pc);
	assert_memory_equal(&r.proc, &expected, sizeof(expected));
	assert_memory_equal(&r.put, &v, sizeof(v));
	assert_int_equal(r.wakes, 0);
}

static void the_start(void **state)
{
	struct office o = unpack(reg(&two, 0).start), all = { 0 };
	struct wicket_value v;

	(void)state;
	assert_int_equal(o.buf, 0);
	assert_int_equal(o.main, 1);
	assert_int_equal(o.gate, 2);
	assert_int_equal(o.bufcount + o.move + o.cscount, 0);
	assert_int_equal(start(&two, 4).pc, ENTER);
	assert_int_equal(start(&two, 5).pc, DELETE);
	assert_int_equal(wicket_supervised.processes(&two), 5);
	/* every field comes back, at its greatest */
	all = (struct office){ .buf = 7,
			       .main = 6,
			       .gate = 5,
			       .bufcount = 15,
			       .move = 1,
			       .cscount = 14 };
	for (uint32_t i = 0; i < COLOURS_MAX; i++) {
		all.enb[i] = 7 - i;
		all.elig[i] = i % 3;
	}
	v = pack(&all);
	o = unpack(v);
	assert_memory_equal(&o, &all, sizeof(o));
}

static void a_worker(void **state)
{
	struct office o = office(3, 1, 2), then = o;

	(void)state;
	/* R: joins buf */
	o.bufcount = 1;
	then.bufcount = 2;
	assert_step(&two, start(&two, 1), o, in_t(3), then);
	/* T: nothing to be had */
	assert_step(&two, in_t(3), o, in_t(3), o);
	/* somebody of main shall move: only who is there does */
	o.move = then.move = 1;
	assert_step(&two, in_t(3), o, in_t(3), o);
	then = o;
	then.move = 0;
	assert_step(&two, in_t(1), o, in_t(2), then);
	/* one of its bucket may enter, even if it should move */
	o.enb[1] = 2;
	then = o;
	then.enb[1] = 1;
	then.cscount = 1;
	assert_step(&two, in_t(1), o, (struct wicket_proc){ .pc = LEAVE },
		    then);
	/* C */
	o = then;
	then.cscount = 0;
	assert_step(&two, (struct wicket_proc){ .pc = LEAVE }, o,
		    start(&two, 1), then);
}

static void empty_buckets_are_deleted(void **state)
{
	struct office o = office(0, 1, 2);
	struct own own = { 3, 1, 2, { 3, 4 }, { 0, 1 } };
	struct own left = { 3, 1, 1, { 4 }, { 1 } };

	(void)state;
	assert_step(&two, supervisor(&two, DELETE, own), o,
		    supervisor(&two, APPEND, left), o);
	o.enb[3] = 1; /* one of its bucket is on its way in */
	assert_step(&two, supervisor(&two, DELETE, own), o,
		    supervisor(&two, ENABLE, own), o);
}

static uint16_t next(enum pc done, uint32_t maincount, uint32_t gatecount,
		     uint32_t queued)
{
	return after(&two, done,
		     (struct own){ .maincount = maincount,
				   .gatecount = gatecount,
				   .length = queued });
}

/* The tests of maincount, gatecount and the queue's length are no steps. */
static void what_comes_next(void **state)
{
	(void)state;
	assert_int_equal(next(DELETE, 0, 1, 2), COUNT);
	assert_int_equal(next(DELETE, 1, 0, 2), FILL);
	assert_int_equal(next(DELETE, 1, 1, 1), APPEND);
	assert_int_equal(next(DELETE, 1, 1, 2), ENABLE);
	assert_int_equal(next(COUNT, 1, 0, 2), FILL);
	assert_int_equal(next(FILL, 0, 0, 2), ENABLE);
	assert_int_equal(next(MOVING, 0, 1, 0), APPEND);
	assert_int_equal(next(APPEND, 0, 0, 1), ENABLE);
	assert_int_equal(next(ENABLE, 0, 0, 1), DELETE);
}

static void buf_is_counted_and_becomes_main(void **state)
{
	struct office o = office(0, 1, 2), then;
	struct own own = { 1, 1, 1, { 3 }, { 1 } };
	struct own more = { 2, 1, 1, { 3 }, { 1 } };

	(void)state;
	o.bufcount = 2;
	assert_step(&two, supervisor(&two, COUNT, own), o,
		    supervisor(&two, COUNT, more), o);
	/* 0 is main now, 2 gate, 3 in the queue: the least that is free is 1 */
	then = office(1, 0, 2);
	o.elig[1] = WICKET_DRONE;
	assert_step(&two, supervisor(&two, COUNT, more), o,
		    supervisor(&two, APPEND, more), then);
}

static void gate_is_filled(void **state)
{
	struct wicket_cfg less = mutated(GATE_LESS_THAN);
	struct wicket_cfg all = mutated(GATE_ALL);
	struct office o = office(0, 1, 2), moving = o, filled = office(0, 2, 1);
	struct own one = { 1, 0, 1, { 3 }, { 1 } };
	struct own two_of_them = { 2, 0, 1, { 3 }, { 1 } };

	(void)state;
	moving.move = 1;
	/* r - 1 go at once */
	assert_step(
		&two, supervisor(&two, FILL, one), o,
		supervisor(&two, APPEND, (struct own){ 0, 1, 1, { 3 }, { 1 } }),
		filled);
	assert_step(&less, supervisor(&less, FILL, one), o,
		    supervisor(&less, MOVING, one), moving);
	/* of r, one is asked to */
	assert_step(&two, supervisor(&two, FILL, two_of_them), o,
		    supervisor(&two, MOVING, two_of_them), moving);
	assert_step(&three, supervisor(&three, FILL, two_of_them), o,
		    supervisor(&three, APPEND,
			       (struct own){ 0, 2, 1, { 3 }, { 1 } }),
		    filled);
	assert_step(
		&all, supervisor(&all, FILL, two_of_them), o,
		supervisor(&all, APPEND, (struct own){ 0, 2, 1, { 3 }, { 1 } }),
		filled);
}

static void one_moves(void **state)
{
	struct wicket_cfg uncounted = mutated(MOVE_UNCOUNTED);
	struct office o = office(0, 1, 2);
	struct own own = { 2, 0, 2, { 3, 4 }, { 1, 1 } };
	struct own then = { 1, 1, 2, { 3, 4 }, { 1, 1 } };

	(void)state;
	o.move = 1;
	assert_step(&two, supervisor(&two, MOVING, own), o,
		    supervisor(&two, MOVING, own), o);
	o.move = 0;
	assert_step(&two, supervisor(&two, MOVING, own), o,
		    supervisor(&two, ENABLE, then), o);
	then.maincount = 2;
	assert_step(&uncounted, supervisor(&uncounted, MOVING, own), o,
		    supervisor(&uncounted, ENABLE, then), o);
}

static void gate_is_appended(void **state)
{
	struct wicket_cfg in_use = mutated(COLOUR_IN_USE);
	struct office o = office(0, 1, 3), then = office(0, 1, 4);
	struct own own = { 2, 1, 1, { 2 }, { 1 } };
	struct own longer = { 2, 0, 2, { 2, 3 }, { 1, 1 } };

	(void)state;
	o.enb[3] = 1; /* of an older bucket: none of this one may enter yet */
	o.elig[4] = WICKET_DRONE;
	then.elig[3] = WICKET_QUITTER;
	assert_step(&two, supervisor(&two, APPEND, own), o,
		    supervisor(&two, ENABLE, longer), then);
	/* 2 is in the queue, and 4 is still as it was */
	then = office(0, 1, 2);
	then.elig[3] = WICKET_QUITTER;
	then.elig[4] = WICKET_DRONE;
	assert_step(&in_use, supervisor(&in_use, APPEND, own), o,
		    supervisor(&in_use, ENABLE, longer), then);
}

static void the_first_who_can_is_enabled(void **state)
{
	struct wicket_cfg more = mutated(ENABLE_MORE);
	struct office o = office(0, 1, 2), then;
	struct own own = { 0, 0, 2, { 3, 4 }, { 0, 1 } };
	struct own done = { 0, 0, 2, { 3, 4 }, { 0, 0 } };

	(void)state;
	o.enb[3] = 1;
	then = o;
	then.enb[4] = 1;
	then.elig[4] = WICKET_DRONE;
	assert_step(&two, supervisor(&two, ENABLE, own), o,
		    supervisor(&two, DELETE, done), then);
	/* no slot is left: one is inside, one on its way */
	o.cscount = then.cscount = 1;
	assert_step(&two, supervisor(&two, ENABLE, own), o,
		    supervisor(&two, DELETE, own), o);
	assert_step(&more, supervisor(&more, ENABLE, own), o,
		    supervisor(&more, DELETE, done), then);
	/* nobody is left */
	o.cscount = 0;
	assert_step(&two, supervisor(&two, ENABLE, done), o,
		    supervisor(&two, DELETE, done), o);
}

static void invariants_hold_and_break(void **state)
{
	struct office o = office(0, 1, 2);
	struct own own = { 1, 1, 1, { 3 }, { 0 } };
	struct wicket_proc procs[5] = { in_t(0), in_t(1), in_t(2), in_t(3) };
	struct wicket_value v;

	(void)state;
	o.bufcount = 1;
	o.enb[3] = 1;
	v = pack(&o);
	procs[4] = supervisor(&two, DELETE, own);
	for (uint32_t i = 0; i < 4; i++)
		assert_true(holds(&two, i, &v, procs));
	/* somebody has moved whom the supervisor has not seen yet */
	own = (struct own){ 2, 0, 1, { 3 }, { 0 } };
	procs[4] = supervisor(&two, MOVING, own);
	assert_true(holds(&two, 1, &v, procs));
	o.move = 1;
	v = pack(&o);
	assert_false(holds(&two, 1, &v, procs));
	/* V1: an uncounted one inside; and one too many enabled */
	procs[3] = (struct wicket_proc){ .pc = LEAVE };
	assert_false(holds(&two, 0, &v, procs));
	o.cscount = 1;
	v = pack(&o);
	assert_true(holds(&two, 0, &v, procs));
	o.enb[4] = 1;
	v = pack(&o);
	assert_false(holds(&two, 0, &v, procs));
	/* V3: two in a bucket, for r = 2 */
	own = (struct own){ 0, 0, 1, { 3 }, { 1 } };
	procs[4] = supervisor(&two, DELETE, own);
	assert_false(holds(&two, 2, &v, procs));
	procs[4] = supervisor(&three, DELETE, own);
	assert_true(holds(&three, 2, &v, procs));
	/* V4 */
	own = (struct own){ 0, 0, 2, { 3, 3 }, { 1, 1 } };
	procs[4] = supervisor(&two, DELETE, own);
	assert_false(holds(&two, 3, &v, procs));
	own.queue[1] = 0;
	procs[4] = supervisor(&two, DELETE, own);
	assert_false(holds(&two, 3, &v, procs));
}

static void what_lemma_4_3_asks(void **state)
{
	struct office o = office(0, 1, 2);
	struct own own = { 1, 1, 1, { 3 }, { 1 } };
	struct wicket_proc p = supervisor(&two, DELETE, own), q;

	(void)state;
	o.elig[3] = WICKET_QUITTER;
	o.elig[4] = WICKET_DRONE;
	o.bufcount = 1;
	o.enb[3] = 1;
	assert_int_equal(elig(&two, in_t(0), pack(&o)), WICKET_HELPER);
	assert_int_equal(elig(&two, in_t(3), pack(&o)), WICKET_QUITTER);
	assert_int_equal(elig(&two, in_t(4), pack(&o)), WICKET_DRONE);
	assert_int_equal(elig(&two, start(&two, 1), pack(&o)), WICKET_DRONE);
	assert_int_equal(active(&two, p, pack(&o)), 1 + 1 + 1 + 1 + 1);
	/* while buf is counted, main is empty */
	p.pc = COUNT;
	assert_int_equal(active(&two, p, pack(&o)), 1 + 1 + 1 + 1);
	assert_int_equal(c1(&two), 2 * 1 + 2);
	assert_int_equal(c1(&three), 2 * 2 + 4);
	assert_int_equal(printed_c1(&two), 2 * 1 + 2);
	assert_int_equal(
		printed_c1(&(struct wicket_cfg){ .n = 2, .k = 1, .r = 1 }), 0);
	/* pc; maincount 0..4; gatecount 0..1; none, one or two of 5 colours;
	   their counts */
	assert_int_equal(c2(&two), 6 * 5 * 2 * (1 + 5 + 20) * 4);
	assert_int_equal(c3(&two), 5);
	q = unpack_state(&two, pack_state(&two, p));
	assert_memory_equal(&q, &p, sizeof(p));
	/* pc; maincount 0..4; gatecount 0..1; length 0..2; two of 5 colours,
	   each with a count of 0..1 */
	assert_int_equal(length(&two), 3 + 3 + 1 + 2 + 2 * (3 + 1));
}

/* What a number leads to is what the step leads to. */
static void numbers_tell_steps(void **state)
{
	struct own own = { 1, 0, 2, { 3, 4 }, { 0, 1 } };
	uint32_t seen = 0;

	(void)state;
	for (uint16_t pc = DELETE; pc <= ENABLE; pc++) {
		for (uint32_t i = 0; i < 64; i++) {
			struct office o = office(0, 1, 2);
			struct wicket_proc p, q;
			struct wicket_value v;

			o.bufcount = 1 + (i & 1);
			o.move = i >> 1 & 1;
			o.enb[3] = i >> 2 & 1;
			o.enb[4] = i >> 3 & 1;
			o.cscount = i >> 4 & 1;
			o.gate = i >> 5 & 1 ? 5 : 2;
			own.length = pc == APPEND ? 1 : 2;
			own.queue[1] = pc == APPEND ? 0 : 4;
			own.count[1] = pc != APPEND;
			p = supervisor(&two, pc, own);
			v = pack(&o);
			q = step(&two, p, v).proc;
			p = newstate(&two, p, transno(&two, p, v));
			assert_memory_equal(&p, &q, sizeof(p));
			seen |= 1u
				<< transno(&two, supervisor(&two, pc, own), v);
		}
	}
	assert_int_equal(seen, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5);
}

static void sizes(void **state)
{
	struct wicket_cfg c = { .n = 15, .k = 5, .r = 8 };

	(void)state;
	assert_null(refuse(&c));
	c.k = 6;
	assert_non_null(refuse(&c));
	c = (struct wicket_cfg){ .n = 15, .k = 5, .r = 9 };
	assert_non_null(refuse(&c));
	c = (struct wicket_cfg){ .n = 16, .k = 5, .r = 1 };
	assert_non_null(refuse(&c));
	/* n + 1; 4 3 2; 2; C(6,1); 3^4 */
	c = (struct wicket_cfg){ .n = 2, .k = 1, .r = 1 };
	assert_int_equal(bound(&c), 3 * 24 * 2 * 6 * 81);
	assert_int_equal(bits(&c, 0), 3 * 2 + 2 + 1 + 1 + 4 * (1 + 2));
}

static void text(void **state)
{
	struct office o = office(0, 1, 2);
	struct wicket_text t = { 0 };
	struct wicket_value v;

	(void)state;
	o.enb[1] = 1;
	o.elig[1] = WICKET_DRONE;
	o.elig[2] = WICKET_QUITTER;
	v = pack(&o);
	show(&two, &v, &t);
	assert_string_equal(t.s, "buf=0 main=1 gate=2 bufcount=0 move=0 "
				 "cscount=0 enb=01000 elig=HDQHH");
	t = (struct wicket_text){ 0 };
	show_step(&two, in_t(3), &t);
	assert_string_equal(t.s, "look, colour 3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_start),
		cmocka_unit_test(a_worker),
		cmocka_unit_test(empty_buckets_are_deleted),
		cmocka_unit_test(what_comes_next),
		cmocka_unit_test(buf_is_counted_and_becomes_main),
		cmocka_unit_test(gate_is_filled),
		cmocka_unit_test(one_moves),
		cmocka_unit_test(gate_is_appended),
		cmocka_unit_test(the_first_who_can_is_enabled),
		cmocka_unit_test(invariants_hold_and_break),
		cmocka_unit_test(what_lemma_4_3_asks),
		cmocka_unit_test(numbers_tell_steps),
		cmocka_unit_test(sizes),
		cmocka_unit_test(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
