/* SPDX-License-Identifier: MIT */
/* variants - where the variants inside, given-up and shipped begin. */
#include "../recoverable.h"

static void k_are_inside_and_the_next_stays(void **state)
{
	const struct wicket_cfg inside = { .n = 4, .k = 2, .variant = INSIDE };
	struct wicket_value now[WICKET_REGS_MAX];
	struct wicket_proc procs[4];

	(void)state;
	for (uint32_t r = 0; r < registers(&inside); r++)
		now[r] = reg(&inside, r).start;
	for (uint32_t i = 0; i < 4; i++) {
		procs[i] = start(&inside, i + 1);
		assert_int_equal(region(&inside, procs[i]),
				 i < 2 ? WICKET_CRITICAL : WICKET_REMAINDER);
	}
	for (uint32_t i = 0; invariants[i].name; i++)
		assert_true(holds(&inside, i, now, procs));
	assert_int_equal(access(&inside, procs[1]).kind, WICKET_STORE);
	procs[2].pc = HOLD;
	assert_int_equal(access(&inside, procs[2]).kind, WICKET_REST);
}

/* The registers and processes of an ordinary line. */
struct story {
	struct wicket_cfg c;
	struct wicket_value now[WICKET_REGS_MAX];
	struct wicket_proc procs[3];
};

static void go_on(struct story *s, uint32_t i)
{
	struct wicket_access a = access(&s->c, s->procs[i]);
	struct wicket_value *v = &s->now[a.reg];
	struct wicket_result r = step(&s->c, s->procs[i], wicket_part(&a, *v));

	if (wicket_writes(&a, *v))
		*v = wicket_merged(&a, *v, r.put);
	s->procs[i] = r.proc;
}

/* 1 sits down first, but 3 takes the first ticket; 1 waits until 3 has left, and
   gives up then. */
static void play(struct story *s)
{
	for (uint32_t r = 0; r < registers(&s->c); r++)
		s->now[r] = reg(&s->c, r).start;
	for (uint32_t i = 0; i < 3; i++)
		s->procs[i] = start(&s->c, i + 1);
	while (s->procs[0].pc != TAKE_SEAT)
		go_on(s, 0);
	while (region(&s->c, s->procs[2]) != WICKET_CRITICAL)
		go_on(s, 2);
	while (s->procs[0].pc != WAIT_SLEEP)
		go_on(s, 0);
	while (access(&s->c, s->procs[2]).kind != WICKET_REST)
		go_on(s, 2);
	s->procs[0] = on_event(&s->c, s->procs[0], WICKET_ABANDON);
	while (s->procs[0].pc != ABANDON_MARK)
		go_on(s, 0);
	go_on(s, 0);
}

/* The beginning is one that an ordinary line reaches. */
static void one_has_given_up_a_valid_ticket(void **state)
{
	(void)state;
	for (uint32_t seats = 2; seats <= 4; seats++) {
		struct story s = { .c = { .n = 3, .k = 1, .seats = seats } };
		struct wicket_cfg given = s.c;
		struct wicket_proc first;

		given.variant = GIVEN_UP;
		first = start(&given, 1);
		play(&s);
		for (uint32_t r = 0; r < registers(&given); r++)
			assert_true(wicket_value_equal(reg(&given, r).start,
						       s.now[r]));
		assert_memory_equal(&first, &s.procs[0], sizeof(first));
		assert_int_equal(region(&given, first), WICKET_EXIT);
	}
	assert_non_null(refuse(&(struct wicket_cfg){
		.n = 4, .k = 2, .seats = 4, .variant = GIVEN_UP }));
}

/* All of a story sit down in order; then 1 goes in, 2 waits, 3 waits behind it, and 2
   gives up. */
static void play_behind(struct story *s)
{
	for (uint32_t r = 0; r < registers(&s->c); r++)
		s->now[r] = reg(&s->c, r).start;
	for (uint32_t i = 0; i < 3; i++)
		s->procs[i] = start(&s->c, i + 1);
	while (region(&s->c, s->procs[0]) != WICKET_CRITICAL)
		go_on(s, 0);
	for (uint32_t i = 1; i < 3; i++) {
		while (s->procs[i].pc != WAIT_SLEEP)
			go_on(s, i);
	}
	s->procs[1] = on_event(&s->c, s->procs[1], WICKET_ABANDON);
	while (s->procs[1].pc != LEAVE_LIFE)
		go_on(s, 1);
}

/* But for what was armed for who does not wait any more. */
static void one_has_given_up_before_another(void **state)
{
	struct story s = {
		.c = { .n = 3, .k = 1, .seats = 3, .variant = WATCHED }
	};
	struct wicket_cfg behind = s.c;

	(void)state;
	behind.variant = BEHIND;
	play_behind(&s);
	s.now[fut_reg(&behind, 1)] = wicket_number(0);
	for (uint32_t r = 0; r < registers(&behind); r++)
		assert_true(
			wicket_value_equal(reg(&behind, r).start, s.now[r]));
	for (uint32_t i = 0; i < 3; i++) {
		struct wicket_proc p = start(&behind, i + 1);

		s.procs[i].local[LAST] = i == 0 ? 0 : s.procs[i].local[LAST];
		assert_memory_equal(&p, &s.procs[i], sizeof(p));
	}
	assert_non_null(refuse(&(struct wicket_cfg){
		.n = 4, .k = 2, .seats = 4, .variant = BEHIND }));
}

static void as_many_tickets_as_are_shipped(void **state)
{
	const struct wicket_cfg shipped = { .n = 3,
					    .k = 2,
					    .variant = SHIPPED };
	const struct wicket_cfg seated = { .n = 3, .k = 2, .variant = SEATED };

	(void)state;
	assert_int_equal(block(&shipped), line_block_of(3, 2));
	assert_int_equal(block(&seated), 2);
	assert_int_equal(start(&shipped, 1).pc, TAKE_SEAT);
}

/* The state, the payload with the number, the state again. */
static void a_seat_is_read_by_halves(void **state)
{
	const struct wicket_cfg halves = { .n = 3, .k = 2, .variant = HALVES };
	const uint8_t parts[] = { STATE_WORD, PAYLOAD_WORD | NUMBER_WORD,
				  STATE_WORD };
	struct wicket_proc p = scan(&halves, in_seat(WAIT_LOOK, 1, 2),
				    SCAN_WAIT);
	struct wicket_proc begun = p;

	(void)state;
	begin();
	regs[SEAT1] = seat(2, LINE_IDLE, 0, life(2) + T1, 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(access(&halves, p).part, parts[i]);
		p = follow_in(&halves, p, SCAN_SEAT);
	}
	assert_int_equal(p.pc, SCAN_BELL);
	assert_int_equal(p.local[C0], regs[SEAT1].w[0]);
	assert_int_equal(p.local[C1], life(2) + T1);
	assert_int_equal(p.local[CG], 1);
	assert_int_equal(p.local[RET], begun.local[RET]);
	/* it has changed: from the beginning */
	p = follow_in(&halves, begun, SCAN_SEAT, SCAN_SEAT);
	regs[SEAT1] = seat(3, LINE_TAKING, 0, life(2) + T1, 1);
	p = follow_in(&halves, p, SCAN_SEAT);
	assert_proc(p, begun);
	/* where the seat that is driven must be remembered meanwhile */
	p = in_seat(HEIR, 1, 2);
	p.local[C0] = 7;
	p.local[I] = 1;
	p = follow_in(&halves, p, HEIR, HEIR);
	assert_int_equal(p.local[C0], 7);
	assert_int_equal(p.local[WT], regs[SEAT1].w[0]);
	p = follow_in(&halves, p, HEIR);
	assert_int_equal(p.local[WT], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_are_inside_and_the_next_stays),
		cmocka_unit_test(one_has_given_up_a_valid_ticket),
		cmocka_unit_test(one_has_given_up_before_another),
		cmocka_unit_test(as_many_tickets_as_are_shipped),
		cmocka_unit_test(a_seat_is_read_by_halves),
	};

	return cmocka_run_group_tests_name("recoverable-variants", tests, NULL,
					   NULL);
}
