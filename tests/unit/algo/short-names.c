/* SPDX-License-Identifier: MIT */
/*
 * short-names - a queue of short names and a supervisor, function by function,
 * against values computed by hand from doc/short-names.md.
 */
#include "../unit.h"

#include "algo/short-names.c"

/* Exposed: 3, 5 and 7; colours: 7, 10 and 13. */
static const struct wicket_cfg one = { .n = 6, .k = 1, .r = 1 };
static const struct wicket_cfg two = { .n = 8, .k = 1, .r = 2 };
static const struct wicket_cfg three = { .n = 12, .k = 1, .r = 3 };

static struct ticket ticket(uint32_t colour, uint32_t number)
{
	return (struct ticket){ colour, number };
}

/* Entries by their colours, '-' is an empty one; a is the issue colour. */
static struct office office(const char *exposed)
{
	struct office o = { .quitter = 1 };

	for (; *exposed; exposed++)
		o.exposed[o.length++].colour =
			*exposed == '-' ? NONE : (uint32_t)(*exposed - 'a');
	return o;
}

static void assert_exposed(const struct office *o, const char *expected)
{
	assert_int_equal(o->length, strlen(expected));
	for (uint32_t i = 0; i < o->length; i++)
		assert_int_equal(o->exposed[i].colour,
				 expected[i] == '-' ?
					 NONE :
					 (uint32_t)(expected[i] - 'a'));
}

static struct own own(uint32_t length, const struct ticket *hidden,
		      uint32_t counted)
{
	struct own own = { .length = length, .counted = counted };

	for (uint32_t i = 0; i < length; i++)
		own.hidden[i] = hidden[i];
	return own;
}

static struct wicket_proc worker(const struct wicket_cfg *c, struct ticket t)
{
	return (struct wicket_proc){ .pc = TRY, .local = { code_of(c, t) } };
}

static struct wicket_proc supervisor(const struct wicket_cfg *c, struct own own)
{
	struct wicket_proc s = { .pc = ADVANCE };

	keep(c, &s, &own);
	return s;
}

static void assert_ticket(struct ticket t, uint32_t colour, uint32_t number)
{
	assert_int_equal(t.colour, colour);
	assert_int_equal(t.number, number);
}

static void the_sizes(void **state)
{
	struct wicket_cfg least = three;

	(void)state;
	least.variant = LEAST;
	assert_int_equal(exposed_max(&one), 3);
	assert_int_equal(exposed_max(&three), 7);
	assert_int_equal(exposed_max(&least), 2);
	assert_int_equal(colours(&one), 7);
	assert_int_equal(colours(&two), 10);
	assert_int_equal(colours(&three), 13);
	least.mutant = FEW_COLOURS;
	assert_int_equal(colours(&least), 6);
	assert_int_equal(few(&one), 1);
	assert_int_equal(few(&two), 1);
	assert_int_equal(few(&three), 2);
	assert_int_equal(hidden_max(&one), 4);
	assert_int_equal(ticket_bits(&three), 8);
	/* 3 + 5 * 4 + 1 + 1 + 4 + 4 + 10 + 6 */
	assert_int_equal(bits(&two, 0), 49);
	assert_int_equal(wicket_short_names.processes(&one), 7);
	assert_int_equal(start(&one, 6).pc, ENTER);
	assert_int_equal(start(&one, 7).pc, ADVANCE);
	assert_null(refuse(&three));
	assert_non_null(
		refuse(&(struct wicket_cfg){ .n = 15, .k = 1, .r = 4 }));
	assert_non_null(
		refuse(&(struct wicket_cfg){ .n = 15, .k = 5, .r = 3 }));
	assert_non_null(
		refuse(&(struct wicket_cfg){ .n = 16, .k = 1, .r = 1 }));
}

/* Every field comes back, at its greatest. */
static void it_is_packed(void **state)
{
	const struct wicket_cfg c = { .n = 15, .k = 2, .r = 3 };
	struct wicket_proc p = { .pc = CONVERSE };
	struct own mine = {
		.length = hidden_max(&c), .counted = 15, .one = 14, .two = 13
	};
	struct own back;
	struct office o = { .length = 9,
			    .quitter = 1,
			    .inside = 2,
			    .issue = 14,
			    .issued = 15,
			    .asked = 0x7fff,
			    .channel = { FAREWELL, TAKEN, UP_1 } };
	struct office got;

	(void)state;
	for (uint32_t i = 0; i < 9; i++)
		o.exposed[i] = (struct entry){ i ? 15 - i : NONE, i ? 3 : 0,
					       !!i };
	got = unpack(&c, pack(&c, &o));
	assert_memory_equal(got.exposed, o.exposed, 9 * sizeof(struct entry));
	assert_int_equal(got.length, 9);
	assert_int_equal(got.issued, 15);
	assert_int_equal(got.asked, 0x7fff);
	assert_memory_equal(got.channel, o.channel, sizeof(o.channel));
	for (uint32_t i = 0; i < mine.length; i++)
		mine.hidden[i] = ticket(14 - i, i);
	for (uint32_t t = 0; t < 3; t++) {
		mine.talk[t].code = 0xf0 + t;
		mine.talk[t].progress = 2 * ticket_bits(&c) - 1 - t;
	}
	keep(&c, &p, &mine);
	back = own_of(&c, p);
	assert_int_equal(back.length, mine.length);
	assert_memory_equal(back.hidden, mine.hidden,
			    mine.length * sizeof(struct ticket));
	assert_int_equal(back.counted, 15);
	assert_int_equal(back.one, 14);
	assert_int_equal(back.two, 13);
	assert_memory_equal(back.talk, mine.talk, sizeof(mine.talk));
	mine.length++; /* as a mutant may have it */
	keep(&c, &p, &mine);
	assert_int_equal(own_of(&c, p).length, hidden_max(&c));
}

static void a_name_is_a_bit(void **state)
{
	struct entry e = short_name(&three, ticket(2, 5), 1);

	(void)state;
	assert_int_equal(e.bit, 0); /* 101 */
	assert_true(names(&three, e, ticket(2, 5)));
	assert_true(names(&three, e, ticket(2, 1)));
	assert_false(names(&three, e, ticket(2, 7)));
	assert_false(names(&three, e, ticket(3, 5)));
	/* with one ticket a colour, the colour is the name */
	assert_true(
		names(&two, short_name(&two, ticket(2, 5), 0), ticket(2, 4)));
}

static void who_finds_room_is_exposed(void **state)
{
	struct office o = office("cb");
	struct wicket_proc p = start(&one, 1);

	(void)state;
	enter(&one, &o, &p);
	assert_exposed(&o, "cbd"); /* a is the issue colour */
	assert_ticket(held(&one, p), 3, 0);
	assert_int_equal(p.pc, TRY);
	p = start(&one, 1);
	o.issued = 2;
	enter(&one, &o, &p);
	assert_exposed(&o, "cbd");
	assert_ticket(held(&one, p), 0, 2);
	assert_int_equal(o.issued, 3);
}

static void the_first_k_enter(void **state)
{
	struct office o = office("cb");
	struct wicket_proc p = worker(&one, ticket(1, 0));

	(void)state;
	try(&one, &o, &p);
	assert_int_equal(p.pc, TRY);
	p = worker(&one, ticket(2, 0));
	try(&one, &o, &p);
	assert_int_equal(p.pc, LEAVE);
	assert_int_equal(o.inside, 1);
	leave(&one, &o, &p);
	assert_exposed(&o, "-b");
	assert_int_equal(o.inside, 0);
	assert_int_equal(p.pc, ENTER);
	assert_int_equal(p.local[TICKET], 0);
}

static void what_he_does_next(void **state)
{
	struct office o = office("cbd");
	struct ticket same[] = { { 0, 0 }, { 0, 1 } };
	struct own mine = { 0 };

	(void)state;
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), NOTHING);
	o = office("-bd");
	o.quitter = 0;
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), MARK);
	o.quitter = 1;
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), DELETE);
	o.issued = 1;
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), COUNT + 0);
	mine = own(1, same, 1);
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), POP_AND_CLOSE);
	o.issued = 2; /* another one came: he must know it first */
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), COUNT + 0);
	mine = own(2, same, 2);
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), BEGIN);
	assert_int_equal(decide(&three, ADVANCE, &o, &mine), POP_AND_CLOSE);
	o.issue = 5; /* it is not the issue colour, or it is exposed */
	assert_int_equal(decide(&three, ADVANCE, &o, &mine), POP);
	o.exposed[1].colour = 0;
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), POP);
}

/* C = 7: SECOND has 0 to 14, and CONVERSE with one channel 0 to 7. */
static void his_decisions_are_few(void **state)
{
	struct ticket hidden[] = { { 0, 0 }, { 0, 1 } };
	struct own mine = own(2, hidden, 2);
	struct office o = office("-bd");

	(void)state;
	assert_int_equal(c3(&one), 15);
	assert_int_equal(c3(&two), 32);
	assert_int_equal(c3(&three), 128);
	o.issued = 2;
	mine.one = 2;
	assert_int_equal(decide(&one, SECOND, &o, &mine), 7 + 4);
	o.issued = 3; /* another one came */
	assert_int_equal(decide(&one, SECOND, &o, &mine), 14);
	o.issue = 5; /* the head's colour is not issued */
	assert_int_equal(decide(&one, SECOND, &o, &mine), 4);
	o.asked = just(0);
	o.channel[0] = TAKEN;
	assert_int_equal(decide(&one, CONVERSE, &o, &mine), 3);
	o.asked = 0;
	assert_int_equal(decide(&one, CONVERSE, &o, &mine), 4 + 3);
	o.channel[1] = UP_1;
	assert_int_equal(decide(&two, CONVERSE, &o, &mine), 16 + 8 + 3);
}

/* 4 = 100 and 6 = 110 differ in bit 1. */
static void the_head_is_exposed(void **state)
{
	struct ticket hidden[] = { { 0, 4 }, { 2, 1 }, { 0, 6 } };
	struct own mine = own(3, hidden, 7);
	struct office o = office("-bdefgh");

	(void)state;
	o.issued = 7;
	change_office(&three, ADVANCE, &o, &mine, POP_AND_CLOSE);
	assert_int_equal(change_own(&three, ADVANCE, &mine, POP_AND_CLOSE),
			 ADVANCE);
	assert_exposed(&o, "bdefgha");
	assert_int_equal(o.exposed[6].position, 1);
	assert_int_equal(o.exposed[6].bit, 0);
	assert_int_equal(place_of(&three, &o, ticket(0, 4)), 6);
	assert_int_equal(place_of(&three, &o, ticket(0, 6)), 7);
	assert_int_equal(o.issue, 8); /* not c, which is hidden */
	assert_int_equal(o.issued, 0);
	assert_int_equal(mine.length, 2);
	assert_int_equal(mine.counted, 0);
	assert_ticket(mine.hidden[0], 2, 1);
	/* the next of that colour goes by the same bit */
	mine.hidden[0] = ticket(0, 6);
	o.exposed[0].colour = NONE;
	change_office(&three, ADVANCE, &o, &mine, POP);
	assert_exposed(&o, "defghaa");
	assert_int_equal(o.exposed[6].position, 1);
	assert_int_equal(o.exposed[6].bit, 1);
}

/* A supervisor's step, and the worker's, until neither does anything. */
static void converse_to_the_end(const struct wicket_cfg *c, struct office *o,
				struct wicket_proc *s, struct wicket_proc *w)
{
	for (int i = 0; i < 100; i++) {
		try(c, o, w);
		if (s->pc == CONVERSE)
			supervise(c, o, s);
	}
}

/* He finds an empty entry, and too many hidden of one colour to expose the first. */
static struct wicket_proc begin_round(const struct wicket_cfg *c,
				      struct office *o, struct own hidden)
{
	struct wicket_proc s = supervisor(c, hidden);

	supervise(c, o, &s);
	assert_int_equal(s.pc, FIRST);
	supervise(c, o, &s);
	assert_int_equal(s.pc, SECOND);
	supervise(c, o, &s);
	assert_int_equal(s.pc, CONVERSE);
	return s;
}

/* Hidden are 0, 1, 2 of the issue colour a; c and e are free. */
static void a_round(void **state)
{
	struct ticket hidden[] = { { 0, 0 }, { 0, 1 }, { 0, 2 } };
	struct wicket_proc w = worker(&one, ticket(0, 2));
	struct wicket_proc head = worker(&one, ticket(0, 0));
	struct office o = office("-bd");
	struct wicket_proc s;
	struct own mine;

	(void)state;
	o.issued = 3;
	s = begin_round(&one, &o, own(3, hidden, 3));
	mine = own_of(&one, s);
	assert_int_equal(mine.one, 2);
	assert_int_equal(mine.two, 4);
	assert_int_equal(o.issue, 5);
	assert_int_equal(o.asked, 1);
	converse_to_the_end(&one, &o, &s, &w);
	assert_ticket(held(&one, w), 4, 2);
	assert_int_equal(w.local[TALK], 0);
	assert_int_equal(o.channel[0], IDLE);
	assert_ticket(own_of(&one, s).hidden[2], 4, 2);
	assert_int_equal(s.pc, CONVERSE); /* two are left */
	converse_to_the_end(&one, &o, &s, &head);
	assert_ticket(held(&one, head), 2, 0);
	assert_int_equal(s.pc, ADVANCE);
	assert_int_equal(o.asked, 0);
	mine = own_of(&one, s);
	assert_ticket(mine.hidden[0], 2, 0);
	assert_ticket(mine.hidden[1], 0, 1);
	assert_int_equal(decide(&one, ADVANCE, &o, &mine), POP);
}

/* Two conversations; one ends the round, the other hears the farewell. */
static void a_farewell(void **state)
{
	struct ticket hidden[] = { { 3, 0 }, { 3, 1 } };
	struct wicket_proc slow = worker(&two, ticket(3, 1));
	struct wicket_proc head = worker(&two, ticket(3, 0));
	struct office o = office("-befg");
	struct wicket_proc s = begin_round(&two, &o, own(2, hidden, 0));

	(void)state;
	try(&two, &o, &slow);
	assert_int_equal(o.channel[0], UP_1);
	converse_to_the_end(&two, &o, &s, &head);
	assert_int_equal(s.pc, ADVANCE);
	assert_ticket(held(&two, head), 2, 0);
	assert_int_equal(o.channel[0], FAREWELL);
	try(&two, &o, &slow);
	assert_int_equal(o.channel[0], IDLE);
	assert_ticket(held(&two, slow), 3, 1);
	assert_int_equal(slow.local[TALK], 0);
	assert_int_equal(slow.local[PROGRESS], 0);
	try(&two, &o, &slow); /* nobody is asked any more */
	assert_int_equal(o.channel[0], IDLE);
}

static int is_new(const struct office *o, struct own mine, enum pc pc,
		  struct ticket t)
{
	struct wicket_proc procs[7] = { worker(&one, t) };
	struct wicket_value v = pack(&one, o);

	for (uint32_t i = 1; i < 6; i++)
		procs[i] = start(&one, i + 1);
	procs[6] = supervisor(&one, mine);
	procs[6].pc = (uint16_t)pc;
	return holds(&one, N5, &v, procs);
}

/* One is c, two is e; b and d are exposed, and a is issued. */
static void new_colours_are_new(void **state)
{
	struct office o = office("-bd");
	struct own mine = { .one = 2, .two = 4 };

	(void)state;
	o.issued = 2;
	assert_true(is_new(&o, mine, CONVERSE, ticket(0, 1)));
	assert_false(is_new(&o, mine, CONVERSE, ticket(0, 2)));
	assert_true(is_new(&o, mine, CONVERSE, ticket(2, 0)));
	assert_false(is_new(&o, mine, SECOND, ticket(2, 0)));
	assert_true(is_new(&o, mine, SECOND, ticket(4, 0))); /* not yet two */
	o.asked = just(4);
	assert_false(is_new(&o, mine, CONVERSE, ticket(4, 0)));
	o.asked = just(2);
	assert_false(is_new(&o, mine, CONVERSE, ticket(4, 0)));
	o.asked = just(5);
	assert_true(is_new(&o, mine, CONVERSE, ticket(4, 0)));
	mine.two = 3;
	assert_false(is_new(&o, mine, CONVERSE, ticket(5, 0)));
	mine.two = 0;
	assert_false(is_new(&o, mine, CONVERSE, ticket(5, 0)));
	mine.two = 2;
	assert_false(is_new(&o, mine, CONVERSE, ticket(5, 0)));
	mine.one = 0;
	assert_false(is_new(&o, mine, SECOND, ticket(5, 0)));
	assert_true(is_new(&o, mine, ADVANCE, ticket(5, 0)));
}

static void what_they_are_to_him(void **state)
{
	struct office o = office("-bc");
	struct ticket hidden[] = { { 4, 0 } };
	struct wicket_proc s = supervisor(&one, own(1, hidden, 0));

	(void)state;
	o.issued = 2;
	assert_int_equal(elig(&one, worker(&one, ticket(1, 0)), pack(&one, &o)),
			 WICKET_QUITTER);
	assert_int_equal(elig(&one, worker(&one, ticket(2, 0)), pack(&one, &o)),
			 WICKET_HELPER);
	assert_int_equal(elig(&one, worker(&one, ticket(0, 1)), pack(&one, &o)),
			 WICKET_HELPER);
	assert_int_equal(elig(&one, start(&one, 1), pack(&one, &o)),
			 WICKET_DRONE);
	assert_int_equal(active(&one, s, pack(&one, &o)), 5);
	o = office("bc");
	o.quitter = 0;
	o.inside = 1;
	assert_int_equal(elig(&one, worker(&one, ticket(1, 0)), pack(&one, &o)),
			 WICKET_DRONE);
	assert_int_equal(elig(&one, worker(&one, ticket(2, 0)), pack(&one, &o)),
			 WICKET_HELPER);
	assert_int_equal(active(&one, start(&one, 7), pack(&one, &o)), 1);
	assert_int_equal(c1(&two), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sizes),
		cmocka_unit_test(it_is_packed),
		cmocka_unit_test(a_name_is_a_bit),
		cmocka_unit_test(who_finds_room_is_exposed),
		cmocka_unit_test(the_first_k_enter),
		cmocka_unit_test(what_he_does_next),
		cmocka_unit_test(his_decisions_are_few),
		cmocka_unit_test(the_head_is_exposed),
		cmocka_unit_test(a_round),
		cmocka_unit_test(a_farewell),
		cmocka_unit_test(new_colours_are_new),
		cmocka_unit_test(what_they_are_to_him),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
