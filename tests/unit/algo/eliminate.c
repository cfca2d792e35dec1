/* SPDX-License-Identifier: MIT */
/*
 * eliminate - supervisor elimination, function by function, against values
 * computed by hand from FLBB 1979, Lemma 4.3, on the system of Lemma 4.4.
 */
#include "../unit.h"

#include "algo/eliminate.c"

static const struct wicket_cfg one = {
	.n = 2, .k = 1, .r = 1, .inner = &wicket_supervised
};
static const struct wicket_cfg two = {
	.n = 4, .k = 1, .r = 2, .inner = &wicket_supervised
};

/* His state has 64 bits: the most there is room for. */
static const struct wicket_cfg long_state = { .n = 6,
					      .k = 1,
					      .r = 2,
					      .inner_variant = 1, /* least */
					      .inner = &wicket_short_names };

static struct wicket_cfg mutated(uint32_t mutant)
{
	struct wicket_cfg c = one;

	c.mutant = mutant;
	return c;
}

/* Everything as it is at the beginning. */
static struct office first(const struct wicket_cfg *c)
{
	return unpack(reg(c, 0).start);
}

static struct worker idle(const struct wicket_cfg *c)
{
	return worker_of(start(c, 1));
}

/* One that has just gone into buf: a helper. */
static struct worker helper(const struct wicket_cfg *c, struct office *o)
{
	struct wicket_cfg in = wicket_original(c);
	struct wicket_result r = c->inner->step(&in, start(c, 1), o->v);

	o->v = r.put;
	return worker_of(r.proc);
}

static struct worker holder(const struct wicket_cfg *c, struct office *o,
			    uint32_t slot, enum status status)
{
	struct worker me = helper(c, o);

	me.s = slot;
	o->status[slot - 1] = (uint8_t)status;
	return me;
}

static void fields_come_back(void **state)
{
	struct office o = { .v = { { 77 } },
			    .xs = 1234,
			    .loccur = DIST,
			    .locprev = DIST,
			    .stateholders = 2,
			    .step = 255 },
		      p;
	struct worker me = { .w = { .pc = 1, .local = { 5, 6, 7, 8 } },
			     .s = 5,
			     .prevhelper = 1,
			     .x = 99 },
		      you;

	(void)state;
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		o.status[t] = (uint8_t)t;
		for (uint32_t u = 0; u < SLOTS_MAX; u++)
			o.channel[t][u] = (uint8_t)((t + 2 * u) % 4);
		me.sent[t] = (uint8_t)(64 - t);
		me.got[t] = (uint8_t)t;
		me.rbuf[t] = (uint64_t)1 << (60 + t % 4);
	}
	p = unpack(pack(&o));
	assert_memory_equal(&o, &p, sizeof(o));
	you = worker_of(proc_of(&me));
	assert_memory_equal(&you.w, &me.w, sizeof(me.w));
	assert_int_equal(you.s, 5);
	assert_int_equal(you.prevhelper, 1);
	assert_int_equal(you.x, 99);
	assert_memory_equal(you.sent, me.sent, sizeof(me.sent));
	assert_memory_equal(you.got, me.got, sizeof(me.got));
	assert_memory_equal(you.rbuf, me.rbuf, sizeof(me.rbuf));
}

static void the_start(void **state)
{
	struct wicket_cfg in = wicket_original(&one);
	struct office o = first(&one);

	(void)state;
	assert_int_equal(o.loccur, SHARE);
	assert_int_equal(o.locprev, SHARE);
	assert_int_equal(o.stateholders + o.step, 0);
	assert_int_equal(o.v.w[0], wicket_supervised.reg(&in, 0).start.w[0]);
	assert_int_equal(o.xs, 0); /* S0, nothing counted, nothing queued */
	assert_int_equal(slots(&one), 2);
	assert_int_equal(slots(&two), 5);
}

/* While his state is shared, everybody takes a step of the supervisor. */
static void whoever_comes_simulates(void **state)
{
	struct wicket_cfg in = wicket_original(&one);
	struct office o = first(&one);
	struct worker me = helper(&one, &o);
	struct wicket_proc supervisor = wicket_supervised.start(&in, 3);

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct wicket_result r = wicket_supervised.step(&in, supervisor,
								o.v);

		simulate(&one, &o, &me);
		assert_int_equal(o.v.w[0], r.put.w[0]);
		assert_int_equal(o.xs, told(&one)->pack(&in, r.proc));
		assert_int_equal(o.loccur, SHARE);
		supervisor = r.proc;
	}
}

/* Two in T are more than c1 = 1. */
static void many_have_it_distributed(void **state)
{
	struct wicket_cfg printed = mutated(PRINTED_C1);
	struct office o = first(&one), before;
	struct worker me = helper(&one, &o);

	(void)state;
	before = o;
	simulate(&printed, &o, &me); /* one is more than 0 */
	assert_int_equal(o.loccur, DIST);
	o = before;
	helper(&one, &o);
	o.status[0] = DEAD;
	simulate(&one, &o, &me);
	assert_int_equal(o.loccur, DIST);
	assert_int_equal(o.locprev, SHARE);
	assert_int_equal(o.xs, before.xs); /* step leads on from it */
	assert_int_equal(o.status[0], DEAD);
	assert_int_equal(o.status[1], FREE);
	/* without a copy, nobody can go on */
	before = o;
	simulate(&one, &o, &me);
	assert_memory_equal(&o, &before, sizeof(o));
}

static void a_new_state_makes_the_others_old(void **state)
{
	struct wicket_cfg keep = { .n = 4,
				   .k = 1,
				   .r = 2,
				   .mutant = KEEP_CHANNELS,
				   .inner = &wicket_supervised };
	struct office o = first(&two), then;

	(void)state;
	o.loccur = DIST;
	o.xs = 5;
	for (uint32_t t = 0; t < 5; t++)
		o.status[t] = (uint8_t)t;
	o.channel[1][2] = BIT_1;
	then = o;
	distribute(&two, &then);
	assert_int_equal(then.status[0], FREE);
	assert_int_equal(then.status[1], DEAD);	    /* RECEIVE */
	assert_int_equal(then.status[2], PREVIOUS); /* CURRENT */
	assert_int_equal(then.status[3], DEAD);	    /* PREVIOUS */
	assert_int_equal(then.status[4], DEAD);
	assert_int_equal(then.channel[1][2], READY);
	assert_int_equal(then.xs, 0);
	then = o;
	distribute(&keep, &then);
	assert_int_equal(then.channel[1][2], BIT_1);
	then = o;
	share(&two, &then, 9);
	for (uint32_t t = 1; t < 5; t++)
		assert_int_equal(then.status[t], DEAD);
	assert_int_equal(then.status[0], FREE);
	assert_int_equal(then.xs, 9);
	assert_int_equal(then.loccur, SHARE);
}

static void the_step_looks_at_the_old_value(void **state)
{
	struct wicket_cfg late = mutated(TRANSNO_LATE);
	struct wicket_cfg in = wicket_original(&one);
	struct office o = first(&one), then;
	struct worker me = helper(&one, &o);
	struct wicket_proc x = { .pc = 4 }; /* S1: buf is empty */

	(void)state;
	o = first(&one);
	o.xs = told(&one)->pack(&in, x);
	then = o;
	simulate(&one, &then, &me);
	assert_int_equal(then.xs, told(&one)->pack(&in, (struct wicket_proc){
								.pc = 5 }));
	/* S4 puts the colour of gate into the queue: the old one, 2 */
	x.pc = 7;
	o.xs = told(&one)->pack(&in, x);
	then = o;
	simulate(&one, &then, &me);
	assert_int_equal(told(&one)->unpack(&in, then.xs).local[0] >> 4 & 3, 2);
	then = o;
	simulate(&late, &then, &me);
	assert_int_equal(told(&one)->unpack(&in, then.xs).local[0] >> 4 & 3, 3);
}

static void slots_are_taken_and_released(void **state)
{
	struct office o = first(&one);
	struct worker me = helper(&one, &o), drone = idle(&one);

	(void)state;
	take_slot(&one, &o, &me); /* his state is shared */
	assert_int_equal(me.s, 0);
	o.loccur = DIST;
	take_slot(&one, &o, &drone);
	assert_int_equal(drone.s, 0);
	o.status[0] = CURRENT;
	take_slot(&one, &o, &me);
	assert_int_equal(me.s, 2);
	assert_int_equal(o.status[1], RECEIVE);
	release_slot(&one, &o, &me);
	assert_int_equal(me.s, 2);
	o.status[1] = PREVIOUS;
	me.prevhelper = 1;
	release_slot(&one, &o, &me);
	assert_int_equal(me.s, 2);
	me.prevhelper = 0; /* it was not to have one any more */
	release_slot(&one, &o, &me);
	assert_int_equal(me.s, 0);
	assert_int_equal(o.status[1], FREE);
	me.s = 2;
	o.status[1] = DEAD;
	release_slot(&one, &o, &me);
	assert_int_equal(me.s, 0);
	drone.s = 2;
	o.status[1] = CURRENT;
	release_slot(&one, &o, &drone);
	assert_int_equal(drone.s, 0);
	assert_int_equal(o.status[1], FREE);
}

/* The state of n = 2, k = r = 1 has 10 bits; this is 1, 1, 0, 1, 0... */
static void bits_go_one_at_a_time(void **state)
{
	struct wicket_cfg in = wicket_original(&two);
	struct office o = first(&two);
	struct worker from = holder(&two, &o, 1, CURRENT);
	struct worker to = holder(&two, &o, 2, RECEIVE);
	uint32_t length = told(&two)->length(&in);

	(void)state;
	o.loccur = o.locprev = DIST;
	from.x = 0xb;
	service_slot(&two, &o, &from);
	assert_int_equal(o.channel[0][1], BIT_1);
	service_slot(&two, &o, &from); /* the channel is not clear */
	assert_int_equal(from.sent[1], 1);
	service_slot(&two, &o, &to);
	assert_int_equal(o.channel[0][1], READY);
	assert_int_equal(to.rbuf[0], 1);
	for (uint32_t i = 1; i < length; i++) {
		service_slot(&two, &o, &from);
		service_slot(&two, &o, &to);
		assert_int_equal(to.got[0], i + 1);
	}
	assert_int_equal(to.rbuf[0], 0xb);
	service_slot(&two, &o, &from);
	assert_int_equal(o.channel[0][1], DONE);
	assert_int_equal(o.status[1], RECEIVE);
	service_slot(&two, &o, &to);
	assert_int_equal(o.status[1], CURRENT);
	assert_int_equal(to.x, 0xb);
	assert_int_equal(to.rbuf[0], 0);
	assert_int_equal(o.stateholders, 1);
}

/* r = 2: two helpers must have it, and the second gives the step. */
static void r_holders_are_needed(void **state)
{
	struct wicket_cfg less = two;
	struct office o = first(&two), then;
	struct worker me = holder(&two, &o, 1, CURRENT);

	(void)state;
	less.mutant = ONE_HOLDER;
	for (int i = 0; i < 3; i++) /* four in T are more than c1 = 3 */
		helper(&two, &o);
	o.loccur = DIST;
	o.stateholders = 1;
	then = o;
	simulate(&two, &then, &me);
	assert_memory_equal(&then, &o, sizeof(o));
	simulate(&less, &then, &me);
	assert_int_equal(then.stateholders, 0);
	then = o;
	then.stateholders = 2;
	simulate(&two, &then, &me);
	assert_int_equal(then.stateholders, 0);
	assert_int_equal(then.status[0], PREVIOUS);
	assert_int_equal(then.loccur, DIST);
	then = o;
	then.stateholders = 2;
	me.s = 2; /* its slot is free: the state is not there */
	simulate(&two, &then, &me);
	assert_int_equal(then.stateholders, 2);
}

/* r = 2: one slot of somebody who stopped, one of a quitter, and two others. */
static void all_slots_are_taken(void **state)
{
	struct wicket_cfg less = two;
	struct office o = first(&two);
	struct worker me;

	(void)state;
	less.mutant = FEW_SLOTS;
	o.loccur = DIST;
	for (uint32_t t = 0; t < 5; t++) {
		me = helper(&two, &o);
		if (t >= 3) {
			take_slot(&less, &o, &me);
			assert_int_equal(me.s, 0);
		}
		take_slot(&two, &o, &me);
		assert_int_equal(me.s, t + 1);
		assert_int_equal(o.status[t], RECEIVE);
	}
	me = helper(&two, &o);
	take_slot(&two, &o, &me);
	assert_int_equal(me.s, 0);
}

static void all_slots_are_served(void **state)
{
	struct wicket_cfg less = two;
	struct office o = first(&two);
	struct worker from = holder(&two, &o, 2, CURRENT), other = from;

	(void)state;
	less.mutant = SEND_FIRST;
	from.x = other.x = 1;
	send(&less, &o, &other);
	assert_int_equal(o.channel[1][0], BIT_1);
	assert_int_equal(o.channel[1][1], READY);
	o.channel[1][0] = READY;
	send(&two, &o, &from);
	for (uint32_t t = 0; t < 5; t++) {
		assert_int_equal(o.channel[1][t], BIT_1);
		assert_int_equal(from.sent[t], 1);
		assert_int_equal(o.channel[0][t], READY);
	}
}

/* From each slot a copy of its own; the first that is complete is taken. */
static void all_slots_are_heard(void **state)
{
	struct wicket_cfg less = two;
	struct office o = first(&two);
	struct worker to = holder(&two, &o, 3, RECEIVE), other = to;

	(void)state;
	less.mutant = RECEIVE_FIRST;
	for (uint32_t t = 0; t < 5; t++)
		o.channel[t][2] = t % 2 ? BIT_1 : BIT_0;
	receive(&less, &o, &other);
	assert_int_equal(o.channel[0][2], READY);
	assert_int_equal(o.channel[1][2], BIT_1);
	o.channel[0][2] = BIT_0;
	receive(&two, &o, &to);
	for (uint32_t t = 0; t < 5; t++) {
		assert_int_equal(to.got[t], 1);
		assert_int_equal(to.rbuf[t], t % 2);
		assert_int_equal(o.channel[t][2], READY);
	}
	o.channel[4][2] = DONE;
	to.rbuf[4] = 7;
	receive(&two, &o, &to);
	assert_int_equal(o.status[2], CURRENT);
	assert_int_equal(to.x, 7);
}

static void the_previous_state_is_updated(void **state)
{
	struct office o = first(&two);
	struct worker me = holder(&two, &o, 3, RECEIVE);

	(void)state;
	o.loccur = DIST;
	o.xs = 0; /* S0 */
	service_slot(&two, &o, &me);
	assert_int_equal(o.status[2], PREVIOUS);
	assert_int_equal(me.x, 0);
	assert_int_equal(o.stateholders, 0);
	service_slot(&two, &o, &me);
	assert_int_equal(o.status[2], CURRENT);
	assert_int_equal(me.x, newstate(&two, 0, 0)); /* S1 */
	assert_int_equal(o.stateholders, 1);
	/* enough have it */
	o.stateholders = 2;
	service_slot(&two, &o, &me);
	assert_int_equal(o.channel[2][0], READY);
}

static void quitters_do_not_count(void **state)
{
	struct wicket_cfg all = two;
	struct office o = first(&two);
	struct worker me = idle(&two);

	(void)state;
	all.mutant = COUNT_ALL;
	me.s = 1;
	hold_current(&two, &o, &me, 1);
	assert_int_equal(o.stateholders, 0);
	hold_current(&all, &o, &me, 1);
	assert_int_equal(o.stateholders, 1);
}

static void invariants_hold_and_break(void **state)
{
	struct office o = first(&one);
	struct worker a = holder(&one, &o, 1, CURRENT), b;
	struct wicket_proc procs[2];
	struct wicket_value v;

	(void)state;
	b = holder(&one, &o, 2, RECEIVE);
	o.loccur = o.locprev = DIST;
	o.stateholders = 1;
	a.x = 5;
	b.rbuf[0] = 1;
	b.got[0] = 2;
	procs[0] = proc_of(&a);
	procs[1] = proc_of(&b);
	v = pack(&o);
	for (uint32_t i = 0; i < 3; i++)
		assert_true(holds(&one, i, &v, procs));
	b.rbuf[0] = 3; /* E3: 5 is 1, 0, 1 */
	procs[1] = proc_of(&b);
	assert_false(holds(&one, 2, &v, procs));
	o.stateholders = 0; /* E2 */
	v = pack(&o);
	assert_false(holds(&one, 1, &v, procs));
	o.status[1] = CURRENT; /* E1: they differ */
	b.x = 4;
	procs[1] = proc_of(&b);
	v = pack(&o);
	assert_false(holds(&one, 0, &v, procs));
	o.status[0] = o.status[1] = DEAD; /* E1: there is none */
	v = pack(&o);
	assert_false(holds(&one, 0, &v, procs));
	o.locprev = SHARE; /* but there is one that it came from */
	v = pack(&o);
	assert_true(holds(&one, 0, &v, procs));
}

/* --- whole runs ------------------------------------------------------------------ */

struct run {
	const struct wicket_cfg *c;
	struct wicket_value v;
	struct wicket_proc p[8];
	uint64_t dice;
};

static struct run run_of(const struct wicket_cfg *c)
{
	struct run run = { .c = c, .v = reg(c, 0).start, .dice = 1 };

	assert_null(refuse(c));
	for (uint32_t i = 0; i < c->n; i++)
		run.p[i] = start(c, i + 1);
	return run;
}

static void move(struct run *run, uint32_t i)
{
	struct wicket_result r = step(run->c, run->p[i], run->v);

	run->p[i] = r.proc;
	run->v = r.put;
}

/* A worker, by a linear congruence. */
static uint32_t anybody(struct run *run)
{
	run->dice = run->dice * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(run->dice >> 33) % run->c->n;
}

/* E3 of a state that has been received to the last of 64 bits. */
static void the_longest_state_is_received(void **state)
{
	struct wicket_cfg in = wicket_original(&long_state);
	struct run run = run_of(&long_state);
	uint32_t whole = 0;

	(void)state;
	assert_int_equal(told(&long_state)->length(&in), 64);
	assert_int_equal(beginning(UINT64_MAX, 64), UINT64_MAX);
	assert_int_equal(beginning(UINT64_MAX, 63), UINT64_MAX >> 1);
	assert_int_equal(beginning(UINT64_MAX, 0), 0);
	for (int i = 0; i < 3000; i++) {
		move(&run, anybody(&run));
		for (uint32_t e = 0; e < 3; e++)
			assert_true(holds(&long_state, e, &run.v, run.p));
		for (uint32_t t = 0; t < 5 * long_state.n; t++)
			whole += worker_of(run.p[t / 5]).got[t % 5] == 64;
	}
	assert_int_not_equal(whole, 0);
}

/* The bound counts c3 values of step, and as many as r + 1 of stateholders. */
static void what_is_stored_is_bounded(void **state)
{
	const struct wicket_cfg rounds = {
		.n = 6, .k = 1, .r = 1, .inner = &wicket_short_names
	};
	const struct wicket_cfg *each[] = { &one, &two, &rounds, &long_state };

	(void)state;
	for (uint32_t s = 0; s < 4; s++) {
		struct wicket_cfg in = wicket_original(each[s]);
		struct run run = run_of(each[s]);

		for (int i = 0; i < 3000; i++) {
			move(&run, anybody(&run));
			assert_in_range(unpack(run.v).step, 0,
					told(each[s])->c3(&in) - 1);
			assert_in_range(unpack(run.v).stateholders, 0,
					each[s]->r);
		}
	}
}

/* Of a step of i: does it simulate one of the supervisor?  While his state is
   distributed, nothing else makes stateholders fewer. */
static uint32_t moves_him(struct run *run, uint32_t i)
{
	struct office before = unpack(run->v);

	move(run, i);
	return before.loccur == SHARE ||
	       unpack(run->v).stateholders < before.stateholders;
}

/* (S4): does he go on while all but one take turns?  A bit takes a turn or two: 400
   are enough for two states of 64 bits. */
static int goes_on_without(struct run run, uint32_t stopped)
{
	uint32_t moved = 0;

	for (uint32_t i = 0; i < 400 * run.c->n && moved < 2; i++) {
		if (i % run.c->n != stopped)
			moved += moves_him(&run, i % run.c->n);
	}
	return moved >= 2;
}

/* After every step of a run everybody stops once: how often do the others hang? */
static uint32_t hangs(const struct wicket_cfg *c, uint32_t steps)
{
	struct run run = run_of(c);
	uint32_t hung = 0, distributed = 0;

	for (uint32_t i = 0; i < steps && !hung; i++) {
		move(&run, anybody(&run));
		distributed += unpack(run.v).loccur == DIST;
		for (uint32_t w = 0; w < c->n; w++)
			hung += !goes_on_without(run, w);
		for (uint32_t e = 0; e < 3; e++)
			assert_true(holds(c, e, &run.v, run.p));
	}
	assert_true(hung || distributed > steps / 2);
	return hung;
}

/* r = 2: one may stop anywhere, also while the supervisor's state is distributed,
   which no size that can be explored has. */
static void one_may_stop(void **state)
{
	struct wicket_cfg c = {
		.n = 6, .k = 2, .r = 2, .inner = &wicket_supervised
	};
	struct wicket_cfg queue = c;

	(void)state;
	queue.n = 7;
	queue.inner = &wicket_short_names;
	assert_int_equal(hangs(&c, 400), 0);
	assert_int_equal(hangs(&queue, 100), 0);
	for (c.mutant = ONE_HOLDER; c.mutant <= RECEIVE_FIRST; c.mutant++)
		assert_int_not_equal(hangs(&c, 400), 0);
}

static void the_original_is_shown(void **state)
{
	struct wicket_cfg in = wicket_original(&one);
	struct wicket_value v = reg(&one, 0).start, shown;
	struct wicket_proc procs[2] = { start(&one, 1), start(&one, 2) };
	struct wicket_proc originals[3], supervisor;

	(void)state;
	original(&one, &v, procs, &shown, originals);
	supervisor = wicket_supervised.start(&in, 3);
	assert_int_equal(shown.w[0], v.w[0]);
	assert_memory_equal(&originals[0], &procs[0], sizeof(*procs));
	assert_memory_equal(&originals[2], &supervisor, sizeof(supervisor));
}

static void sizes(void **state)
{
	struct wicket_cfg c = two;

	(void)state;
	assert_null(refuse(&c));
	c.r = 3;
	assert_non_null(refuse(&c));
	c = two;
	c.inner = &wicket_queue;
	assert_non_null(refuse(&c));
	c = two;
	c.k = 6;
	assert_non_null(refuse(&c)); /* as the original */
	/* the bound of supervised; c2: pc, maincount, gatecount, queue, count;
	   c3; loccur and locprev; stateholders; two slots; four channels */
	assert_int_equal(bound(&one), (uint64_t)69984 * (6 * 2 * 2 * 5 * 2) *
					      4 * 4 * 2 * 25 * 256);
	assert_int_equal(bound(&two), 0); /* more than 2^63 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_come_back),
		cmocka_unit_test(the_start),
		cmocka_unit_test(whoever_comes_simulates),
		cmocka_unit_test(many_have_it_distributed),
		cmocka_unit_test(a_new_state_makes_the_others_old),
		cmocka_unit_test(the_step_looks_at_the_old_value),
		cmocka_unit_test(slots_are_taken_and_released),
		cmocka_unit_test(bits_go_one_at_a_time),
		cmocka_unit_test(r_holders_are_needed),
		cmocka_unit_test(all_slots_are_taken),
		cmocka_unit_test(all_slots_are_served),
		cmocka_unit_test(all_slots_are_heard),
		cmocka_unit_test(the_previous_state_is_updated),
		cmocka_unit_test(quitters_do_not_count),
		cmocka_unit_test(invariants_hold_and_break),
		cmocka_unit_test(the_longest_state_is_received),
		cmocka_unit_test(what_is_stored_is_bounded),
		cmocka_unit_test(one_may_stop),
		cmocka_unit_test(the_original_is_shown),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
