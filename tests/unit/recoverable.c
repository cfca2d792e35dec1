/* SPDX-License-Identifier: MIT */
/*
 * recoverable - the words of algo/line.h against plain numbers, and the
 * protocol by hand, access by access, on a line of three seats and two slots:
 * one process alone; operations finished by a helper; the dead; the heir.
 *
 * There M is 2, so that ticket number i is (i mod 2, i div 2).
 */
#include "unit.h"

#include "algo/recoverable.c"

static const struct wicket_cfg cfg = { .n = 3, .k = 2, .laps = 1 };

/* Its registers. */
enum { LINE_W, SLOT0, SLOT1, SEAT0, SEAT1, SEAT2, FUT0, FUT1, FUT2 };
enum { LIVE0 = 9, LIVE1, LIVE2, REGS };

/* Tickets: value low, colour high. */
enum { T1 = 0x00001, T2 = 0x10000, T3 = 0x10001 };

/* A seat, put together by other means than the product's. */
static struct wicket_value seat(uint64_t seq, uint64_t phase, uint64_t d,
				uint64_t ticket, uint64_t slot, uint64_t number)
{
	return words(seq * 256 + d * 8 + phase, slot * 0x100000000 + ticket,
		     number, 0);
}

/* W, where tag is seq * 65536 + seat, seats from 1. */
static struct wicket_value w(uint64_t tag, uint64_t issue, uint64_t valid,
			     uint64_t issued, uint64_t validated)
{
	return words(tag, valid * 0x100000000 + issue,
		     validated * 0x100000000 + issued, 0);
}

/* Nobody has come yet. */
static void begin(struct wicket_value *regs)
{
	memset(regs, 0, REGS * sizeof(*regs));
	regs[LINE_W] = w(0, 0, T2, 0, 2);
	regs[SLOT0] = words(T1, 1, 0, 0);
	regs[SLOT1] = words(T2, 2, 0, 0);
}

/* One access of the process, and what it leaves in the registers. */
static struct wicket_result act(const struct wicket_cfg *c,
				struct wicket_value *regs, struct wicket_proc p)
{
	struct wicket_access a = access(c, p);
	struct wicket_value *v = &regs[a.reg];
	struct wicket_result r = step(c, p, *v);
	int met = !memcmp(v, &a.expect, 8u * (a.words ? a.words : 4u));

	assert_in_range(a.reg, 0, REGS - 1);
	if (a.kind == WICKET_STORE || (a.kind == WICKET_CAS && met))
		*v = r.put;
	return r;
}

static struct wicket_proc follow_pcs(const struct wicket_cfg *c,
				     struct wicket_value *regs,
				     struct wicket_proc p, const uint16_t *pcs,
				     size_t length)
{
	for (size_t i = 0; i < length; i++) {
		assert_int_equal(p.pc, pcs[i]);
		p = act(c, regs, p).proc;
	}
	return p;
}

/* The process takes one step at each of these program counters. */
#define follow(c, regs, p, ...)                                                \
	follow_pcs((c), (regs), (p), (const uint16_t[]){ __VA_ARGS__ },        \
		   sizeof((const uint16_t[]){ __VA_ARGS__ }) /                 \
			   sizeof(uint16_t))

static void assert_proc(struct wicket_proc p, struct wicket_proc expected)
{
	assert_memory_equal(&p, &expected, sizeof(p));
}

static void assert_same(struct wicket_value v, struct wicket_value expected)
{
	assert_value(v, expected.w[0], expected.w[1], expected.w[2],
		     expected.w[3]);
}

/* A process in seat i, from 1. */
static struct wicket_proc in_seat(uint16_t pc, uint64_t i, uint64_t seq)
{
	return (struct wicket_proc){
		.pc = pc,
		.local = { [ME] = i, [SEQ] = seq },
	};
}

/* --- line.h --------------------------------------------------------------- */

static void tags_round_trip(void **state)
{
	const uint64_t last = 0xffffffffffff;

	(void)state;
	assert_int_equal(line_tag(2, 0), 0x20001);
	assert_int_equal(line_tag(5, 2), 0x50003);
	assert_int_equal(line_tag(last, 15), 0xffffffffffff0010);
	assert_int_equal(line_tag_seat(0x50003), 2);
	assert_int_equal(line_tag_seq(0x50003), 5);
	assert_int_equal(line_tag_seat(line_tag(last, 15)), 15);
	assert_int_equal(line_tag_seq(line_tag(last, 15)), last);
	/* the least tag is not 0, which is none */
	assert_int_equal(line_tag(0, 0), 1);
	assert_int_equal(line_tag_seat(line_tag(1, 65534)), 65534);
}

static void tickets_and_pointers_round_trip(void **state)
{
	struct line_pointers s = { { 3, 1 }, { 2, 5 } };

	(void)state;
	assert_int_equal(line_ticket_word((struct ticket){ 3, 1 }), 0x10003);
	assert_int_equal(line_ticket(0xfffe0007).value, 7);
	assert_int_equal(line_ticket(0xfffe0007).colour, 0xfffe);
	assert_int_equal(line_ticket_word(line_ticket(0xffffffff)), 0xffffffff);
	assert_int_equal(line_pointers_word(s), 0x0005000200010003);
	s = line_pointers(0xfffd0004fffe0007);
	assert_int_equal(s.issue.value, 7);
	assert_int_equal(s.issue.colour, 0xfffe);
	assert_int_equal(s.valid.value, 4);
	assert_int_equal(s.valid.colour, 0xfffd);
	assert_int_equal(line_pointers_word(s), 0xfffd0004fffe0007);
}

static void assert_seat_round_trip(struct line_seat s)
{
	struct line_seat t = line_seat(line_seat_state(s), line_seat_load(s));

	assert_int_equal(t.seq, s.seq);
	assert_int_equal(t.phase, s.phase);
	assert_int_equal(t.dead, s.dead);
	assert_int_equal(t.ticket, s.ticket);
	assert_int_equal(t.slot, s.slot);
}

static void seats_round_trip(void **state)
{
	struct line_seat s = { 7, LINE_RELEASING, 1, 0x10003, 9 };

	(void)state;
	assert_int_equal(line_seat_state(s), 0x70c);
	assert_int_equal(line_seat_load(s), 0x900010003);
	for (int phase = LINE_FREE; phase <= LINE_RELEASED; phase++) {
		for (int dead = 0; dead < 2; dead++) {
			s.phase = (enum line_phase)phase;
			s.dead = dead;
			assert_seat_round_trip(s);
		}
	}
	/* what is true is 1 */
	s.dead = 4;
	assert_int_equal(line_seat(line_seat_state(s), 0).dead, 1);
}

static void seats_round_trip_with_a_large_seq(void **state)
{
	struct line_seat s = { 0xffffffffffffff, LINE_RELEASED, 1, 0xffffffff,
			       0xffff };

	(void)state;
	assert_int_equal(line_seat_state(s), 0xffffffffffffff0d);
	assert_int_equal(line_seat_load(s), 0xffffffffffff);
	assert_seat_round_trip(s);
	s.seq = (uint64_t)1 << 40;
	s.dead = 0;
	assert_int_equal(line_seat_state(s), 0x1000000000005);
	assert_seat_round_trip(s);
}

/* The colored ticket of a number. */
static struct ticket colored(uint32_t i, uint32_t m)
{
	return (struct ticket){ i % m, i / m };
}

static void assert_ticket(struct ticket t, uint32_t i, uint32_t m)
{
	assert_int_equal(t.value, i % m);
	assert_int_equal(t.colour, i / m);
}

/* ISSUE is number i, so many tickets are out, and so VALID is i + k - out. */
static void check_state(uint32_t k, uint32_t seats_, uint32_t m, uint32_t i,
			uint32_t out)
{
	uint32_t v = i + k - out;
	struct ticket issue = colored(i, m), valid = colored(v, m);
	/* a colour that is not to be looked at: none of the block's */
	uint32_t news = i % m == m - 1 && i >= v ? i / m + 1 : 60000;
	uint64_t s = ((uint64_t)(v / m) << 48) + ((uint64_t)(v % m) << 32) +
		     (uint64_t)(i / m) * 65536 + i % m;

	if (out < seats_) {
		assert_int_equal(!!line_needs_colour(issue, valid, m),
				 i % m == m - 1 && i >= v);
		assert_ticket(line_next(issue, valid, m, news), i + 1, m);
	}
	news = v % m == m - 1 && v >= i ? v / m + 1 : 60000;
	if (out > 0) {
		assert_int_equal(!!line_needs_colour(valid, issue, m),
				 v % m == m - 1 && v >= i);
		assert_ticket(line_next(valid, issue, m, news), v + 1, m);
	}
	for (uint32_t t = 1; out > 0 && t <= i; t++) {
		assert_int_equal(!!line_is_valid(s, t / m * 65536 + t % m),
				 t <= v);
	}
}

static void pointers_move_as_numbers_do(void **state)
{
	/* k, seats and by hand M = max(k, seats - k) */
	const uint32_t sizes[][3] = {
		{ 1, 2, 1 },   { 1, 3, 2 },  { 2, 3, 2 },   { 2, 4, 2 },
		{ 3, 4, 3 },   { 2, 5, 3 },  { 3, 8, 5 },   { 7, 8, 7 },
		{ 1, 16, 15 }, { 8, 16, 8 }, { 15, 16, 15 }
	};

	(void)state;
	for (size_t x = 0; x < sizeof(sizes) / sizeof(*sizes); x++) {
		uint32_t k = sizes[x][0], n = sizes[x][1], m = sizes[x][2];

		for (uint32_t i = 0; i <= 5 * m; i++) {
			for (uint32_t out = 0; out <= n && out <= i; out++)
				check_state(k, n, m, i, out);
		}
	}
}

static void at_the_start_k_tickets_are_valid(void **state)
{
	struct line_pointers s = line_start(3, 3);

	(void)state;
	assert_ticket(s.issue, 0, 3);
	assert_ticket(s.valid, 3, 3);
	assert_int_equal(s.valid.value, 0);
	assert_int_equal(s.valid.colour, 1);
	assert_ticket(line_start(2, 5).valid, 2, 5);
	for (uint32_t m = 3; m <= 5; m++) {
		for (uint32_t slot = 0; slot < 3; slot++)
			assert_ticket(line_start_slot(slot, m), slot + 1, m);
	}
	assert_ticket(line_start_slot(0, 1), 1, 1);
}

/* --- the system ----------------------------------------------------------- */

static void where_the_registers_are(void **state)
{
	struct wicket_cfg more = { .n = 2, .k = 1, .seats = 4 };
	struct wicket_value regs[REGS];

	(void)state;
	begin(regs);
	assert_int_equal(registers(&cfg), REGS);
	for (uint32_t r = 0; r < REGS; r++) {
		assert_same(reg(&cfg, r).start, regs[r]);
		assert_int_equal(reg(&cfg, r).range, 0);
		assert_int_equal(reg(&cfg, r).owner, 0);
	}
	assert_int_equal(registers(&more), 14);
	assert_int_equal(block(&more), 3);
	assert_value(reg(&more, 0).start, 0, 0x100000000, 0x100000000, 0);
	assert_value(reg(&more, 1).start, 1, 1, 0, 0);
	assert_int_equal(seat_reg(&more, 3), 5);
	assert_int_equal(fut_reg(&more, 0), 6);
	assert_int_equal(live_reg(&more, 3), 13);
}

static void a_line_needs_more_seats_than_slots(void **state)
{
	struct wicket_cfg c = cfg;

	(void)state;
	assert_null(refuse(&c));
	c.seats = 16;
	assert_null(refuse(&c));
	c.seats = 17;
	assert_non_null(refuse(&c));
	c.seats = 3;
	c.k = 3;
	c.n = 4;
	assert_non_null(refuse(&c));
}

static void all_start_without_a_seat(void **state)
{
	struct wicket_proc nobody = { .pc = JOIN_SEAT };

	(void)state;
	for (uint32_t i = 1; i <= 3; i++)
		assert_proc(start(&cfg, i), nobody);
	assert_null(wicket_recoverable.processes);
	assert_null(wicket_recoverable.bound);
	assert_null(wicket_recoverable.passed);
	assert_null(wicket_recoverable.quotient);
}

static void seated_all_start_in_their_seats(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_value regs[REGS];

	(void)state;
	c.variant = SEATED;
	begin(regs);
	for (uint32_t i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(0, LINE_IDLE, 0, 0, 0, 0);
		regs[LIVE0 + i] = wicket_number(LINE_ALIVE);
		assert_proc(start(&c, i + 1), in_seat(TAKE_SEAT, i + 1, 0));
	}
	for (uint32_t r = 0; r < REGS; r++)
		assert_same(reg(&c, r).start, regs[r]);
	c.seats = 4;
	c.n = 2;
	assert_null(refuse(&c));
	assert_value(reg(&c, 5).start, 0, 0, 0, 0); /* the third seat */
	c.n = 5;
	assert_non_null(refuse(&c));
}

static void regions(void **state)
{
	const uint16_t rest[] = { JOIN_SEAT, TAKE_SEAT, LEAVE_SEAT, LEAVE_LIVE,
				  DONE,	     DIE,	DEAD };
	const uint16_t either[] = { READ_T,	READ_S,	 COLOURS,   SETTLE_PUT,
				    DRIVE_SEAT, DRIVE_W, DRIVE_END, WAKE };
	struct wicket_proc p = { .local = { [SLOT] = EXITING } };

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		struct wicket_proc q = { .pc = rest[i] };

		assert_int_equal(region(&cfg, q), WICKET_REMAINDER);
	}
	for (size_t i = 0; i < 8; i++) {
		struct wicket_proc q = { .pc = either[i] };

		assert_int_equal(region(&cfg, q), WICKET_TRYING);
		p.pc = either[i];
		assert_int_equal(region(&cfg, p), WICKET_EXIT);
	}
	assert_int_equal(region(&cfg, in_seat(HOLD, 1, 2)), WICKET_CRITICAL);
	assert_int_equal(region(&cfg, in_seat(TAKE_W, 1, 2)), WICKET_TRYING);
	assert_int_equal(region(&cfg, in_seat(WAIT_SLEEP, 1, 2)),
			 WICKET_TRYING);
	assert_int_equal(region(&cfg, in_seat(ABANDON_MARK, 1, 2)),
			 WICKET_EXIT);
	assert_int_equal(region(&cfg, in_seat(ABANDON_LIVE, 1, 2)),
			 WICKET_EXIT);
}

/* --- one process alone ---------------------------------------------------- */

enum { NOTHING = -1 };

/* A step from pc, which changes this register and no other. */
struct move {
	uint16_t pc;
	int reg;
	struct wicket_value value;
};

static struct wicket_proc assert_moves(const struct wicket_cfg *c,
				       struct wicket_value *regs,
				       struct wicket_proc p,
				       const struct move *moves, size_t length)
{
	struct wicket_value expected[REGS];

	for (size_t i = 0; i < length; i++) {
		struct wicket_result r;

		assert_int_equal(p.pc, moves[i].pc);
		memcpy(expected, regs, sizeof(expected));
		if (moves[i].reg != NOTHING)
			expected[moves[i].reg] = moves[i].value;
		r = act(c, regs, p);
		assert_int_equal(r.wakes, 0);
		assert_memory_equal(regs, expected, sizeof(expected));
		p = r.proc;
	}
	return p;
}

#define none	   words(0, 0, 0, 0)
#define w_taken	   w(0x20001, T1, T2, 1, 2)
#define w_released w(0x30001, T1, T3, 1, 3)

static void from_join_to_hold(void **state)
{
	const struct move moves[] = {
		{ JOIN_SEAT, NOTHING, none },
		{ JOIN_LIVE, NOTHING, none },
		{ JOIN_LOCK, LIVE0, words(LINE_ALIVE, 0, 0, 0) },
		{ JOIN_FUT, FUT0, none },
		{ JOIN_TAKE, SEAT0, seat(1, LINE_IDLE, 0, 0, 0, 0) },
		{ TAKE_SEAT, SEAT0, seat(2, LINE_TAKING, 0, 0, 0, 0) },
		{ READ_T, NOTHING, none },
		{ READ_S, NOTHING, none },
		{ TAKE_W, LINE_W, w_taken },
		{ TAKE_HAVE, SEAT0, seat(2, LINE_HAVE, 0, T1, 0, 1) },
		{ FIND, NOTHING, none },
	};
	struct wicket_value regs[REGS];
	struct wicket_proc p, holder = in_seat(HOLD, 1, 2);

	(void)state;
	begin(regs);
	/* as somebody left it: the futex word is cleared */
	regs[FUT0] = wicket_number(7);
	p = assert_moves(&cfg, regs, start(&cfg, 1), moves, 11);
	holder.local[TICKET] = 0x100000000 + T1;
	holder.local[SLOT] = 0;
	assert_proc(p, holder);
}

static void from_hold_to_done(void **state)
{
	const struct move moves[] = {
		{ HOLD, SEAT0, seat(3, LINE_RELEASING, 0, T1, 0, 1) },
		{ READ_T, NOTHING, none },
		{ READ_S, NOTHING, none },
		{ DRIVE_SEAT, NOTHING, none },
		{ SETTLE_SEAT, NOTHING, none }, /* the take is written down */
		{ DRIVE_W, LINE_W, w_released },
		{ SETTLE_SEAT, NOTHING, none },
		{ SETTLE_SLOT, NOTHING, none },
		{ SETTLE_LOOK, NOTHING, none },
		{ SETTLE_PUT, SLOT0, words(0x100000000 + T3, 3, 0, 0) },
		{ SETTLE_DONE, SEAT0, seat(3, LINE_RELEASED, 0, T3, 0, 3) },
		{ READ_T, NOTHING, none },
		{ READ_S, NOTHING, none },
		{ DRIVE_SEAT, NOTHING, none },
		{ DRIVE_HEIR, NOTHING, none },
		{ DRIVE_HEIR, NOTHING, none },
		{ DRIVE_HEIR, NOTHING, none },
		{ DRIVE_END, SEAT0, seat(3, LINE_IDLE, 0, 0, 0, 0) },
		{ LEAVE_SEAT, SEAT0, seat(3, LINE_FREE, 0, 0, 0, 0) },
		{ LEAVE_LIVE, LIVE0, none },
	};
	struct wicket_value regs[REGS];
	struct wicket_proc p = in_seat(HOLD, 1, 2), done = { .pc = DONE };

	(void)state;
	begin(regs);
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 0, 1);
	regs[LIVE0] = wicket_number(LINE_ALIVE);
	p.local[TICKET] = 0x100000000 + T1;
	p = assert_moves(&cfg, regs, p, moves, 20);
	assert_proc(p, done);
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
}

static void the_exit_begins_with_the_step_out_of_hold(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = in_seat(HOLD, 1, 2);
	struct wicket_proc then = in_seat(READ_T, 1, 3);

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 0, 1);
	p.local[TICKET] = 0x100000000 + T1;
	p.local[SLOT] = 1;
	p = follow(&cfg, regs, p, HOLD);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 0, T1, 1, 1));
	then.local[SLOT] = EXITING;
	then.local[D] = 3;
	then.local[RET] = AFTER_DRIVE;
	assert_proc(p, then);
	assert_int_equal(region(&cfg, p), WICKET_EXIT);
}

static void the_second_time_it_stays_seated_and_needs_a_colour(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_value regs[REGS];
	struct wicket_proc p = in_seat(DRIVE_END, 1, 3);

	(void)state;
	c.laps = 2;
	begin(regs);
	regs[LINE_W] = w_released;
	regs[SLOT0] = words(0x100000000 + T3, 3, 0, 0);
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T3, 0, 3);
	p.local[SLOT] = EXITING;
	p.local[C0] = 0x305;
	p.local[C1] = T3;
	p.local[CG] = 3;
	p.local[D] = 3;
	p.local[RET] = AFTER_DRIVE;
	p = follow(&c, regs, p, DRIVE_END, TAKE_SEAT, READ_T, READ_S,
		   SETTLE_SEAT, TAKE_W, TAKE_HAVE, FIND, FIND, HOLD);
	/* number 2 has slot 1 */
	assert_same(regs[SEAT0], seat(5, LINE_RELEASING, 0, T2, 1, 2));
	assert_same(regs[LINE_W], w(0x40001, T2, T3, 2, 3));
	assert_int_equal(p.local[LAP], 1);
	/* SLOT holds (1,1) and (0,1): colour 0 is new */
	p = follow(&c, regs, p, READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT,
		   COLOURS, COLOURS, DRIVE_W);
	assert_same(regs[LINE_W], w(0x50001, T2, 0, 2, 4));
	p = follow(&c, regs, p, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK,
		   SETTLE_PUT, SETTLE_DONE);
	/* the slot has been given away */
	assert_same(regs[SEAT0], seat(5, LINE_RELEASED, 0, 0, 0, 4));
	p = follow(&c, regs, p, READ_T, READ_S, DRIVE_SEAT, DRIVE_HEIR,
		   DRIVE_HEIR, DRIVE_HEIR, DRIVE_END);
	assert_value(regs[SLOT1], 0x100000000, 4, 0, 0);
	assert_proc(p,
		    (struct wicket_proc){ .pc = LEAVE_SEAT,
					  .local = { [ME] = 1, [SEQ] = 5 } });
}

static void a_lost_race_for_w_reads_it_again(void **state)
{
	struct wicket_proc p = in_seat(TAKE_W, 2, 2), q;

	(void)state;
	p.local[WS] = 0x1000000000000;
	p.local[WG] = 0x200000000;
	p.local[E] = 0x1000000000001;
	q = step(&cfg, p, w_taken).proc;
	assert_proc(q, in_seat(READ_T, 2, 2));
	/* the numbers carried along are not compared */
	q = step(&cfg, p, w(0, 0, T2, 5, 9)).proc;
	assert_int_equal(q.pc, TAKE_HAVE);
	assert_int_equal(access(&cfg, p).words, 2);
}

/* --- join ----------------------------------------------------------------- */

static void a_seat_that_is_taken_or_watched_is_passed(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = start(&cfg, 1), at2 = start(&cfg, 1);

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(4, LINE_IDLE, 0, 0, 0, 0);
	regs[LIVE1] = wicket_number(LINE_ALIVE);
	p = follow(&cfg, regs, p, JOIN_SEAT, JOIN_SEAT, JOIN_LIVE);
	at2.local[AT] = 2;
	assert_proc(p, at2);
	assert_int_equal(region(&cfg, p), WICKET_TRYING);
}

static void the_seat_of_a_dead_owner_is_joined_at_a_new_seq(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = start(&cfg, 1), locked = in_seat(JOIN_FUT, 1, 0);

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(4, LINE_FREE, 0, 0, 0, 0);
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(&cfg, regs, p, JOIN_SEAT, JOIN_LIVE, JOIN_LOCK);
	locked.local[C0] = 0x400;
	assert_proc(p, locked);
	p = follow(&cfg, regs, p, JOIN_FUT, JOIN_TAKE);
	assert_same(regs[SEAT0], seat(5, LINE_IDLE, 0, 0, 0, 0));
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	assert_proc(p, in_seat(TAKE_SEAT, 1, 5));
}

static void who_took_the_mark_of_a_dead_one_marks_its_seat(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = start(&cfg, 1), on = start(&cfg, 1);

	(void)state;
	begin(regs);
	p = follow(&cfg, regs, p, JOIN_SEAT, JOIN_LIVE);
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0, 0); /* and died */
	p = follow(&cfg, regs, p, JOIN_LOCK, JOIN_FUT, JOIN_TAKE, JOIN_UNDO);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 0, 1); /* settled */
	p = follow(&cfg, regs, p, JOIN_MARK, JOIN_UNDO, JOIN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 1, T1, 0, 1));
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	p = follow(&cfg, regs, p, JOIN_UNLOCK);
	assert_value(regs[LIVE0], LINE_NOBODY, 0, 0, 0);
	on.local[AT] = 1;
	assert_proc(p, on);
}

static void undoing_depends_on_the_seat(void **state)
{
	struct wicket_proc p = in_seat(JOIN_UNDO, 1, 0);
	struct wicket_proc q;

	(void)state;
	q = step(&cfg, p, seat(6, LINE_FREE, 0, 0, 0, 0)).proc;
	assert_int_equal(q.pc, JOIN_TAKE);
	assert_int_equal(q.local[C0], 0x600);
	q = step(&cfg, p, seat(6, LINE_HAVE, 1, T1, 0, 1)).proc;
	assert_int_equal(q.pc, JOIN_UNLOCK);
	q = step(&cfg, p, seat(6, LINE_IDLE, 0, 0, 0, 0)).proc;
	assert_int_equal(q.pc, JOIN_MARK);
}

static void without_a_free_seat_it_looks_for_the_dead(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = start(&cfg, 1);

	(void)state;
	begin(regs);
	for (int i = 0; i < 3; i++) {
		regs[SEAT0 + i] = seat(1, LINE_IDLE, 0, 0, 0, 0);
		regs[LIVE0 + i] = wicket_number(LINE_ALIVE);
	}
	regs[LIVE1] = wicket_number(LINE_DIED);
	p = follow(&cfg, regs, p, JOIN_SEAT, JOIN_SEAT, JOIN_SEAT, SCAN_SEAT,
		   SCAN_LIVE, SCAN_SEAT, SCAN_LIVE, SCAN_MARK, READ_T, READ_S,
		   DRIVE_SEAT, DRIVE_FREE, SCAN_SEAT, SCAN_LIVE);
	assert_same(regs[SEAT1], seat(1, LINE_FREE, 0, 0, 0, 0));
	assert_proc(p, start(&cfg, 1));
}

/* --- wait ----------------------------------------------------------------- */

/* Seat 2 has number 3, which is not valid. */
static void have_a_waiter(struct wicket_value *regs)
{
	begin(regs);
	regs[LINE_W] = w(0x20002, T3, T2, 3, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 0, 1);
	regs[SEAT1] = seat(2, LINE_HAVE, 0, T3, 0, 3);
	regs[SEAT2] = seat(2, LINE_HAVE, 0, T2, 0, 2);
	regs[LIVE0] = regs[LIVE1] = regs[LIVE2] = wicket_number(LINE_ALIVE);
}

static struct wicket_proc waiter(uint16_t pc)
{
	struct wicket_proc p = in_seat(pc, 2, 2);

	p.local[TICKET] = 0x300000000 + T3;
	return p;
}

static void a_ticket_that_is_not_valid_waits(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = in_seat(TAKE_W, 2, 2);

	(void)state;
	have_a_waiter(regs);
	regs[LINE_W] = w(0x20003, T2, T2, 2, 2);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0, 0);
	p.local[WT] = 0x20003;
	p.local[WS] = regs[LINE_W].w[1];
	p.local[WG] = regs[LINE_W].w[2];
	p.local[E] = 0x1000000010001;
	p = follow(&cfg, regs, p, TAKE_W, TAKE_HAVE);
	assert_same(regs[LINE_W], w(0x20002, T3, T2, 3, 2));
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 0, T3, 0, 3));
	assert_proc(p, waiter(WAIT_ARM));
	p = follow(&cfg, regs, p, WAIT_ARM, WAIT_LOOK, SCAN_SEAT, SCAN_LIVE,
		   SCAN_SEAT, SCAN_LIVE);
	assert_value(regs[FUT1], 3, 0, 0, 0);
	assert_proc(p, waiter(WAIT_SLEEP));
}

static void it_sleeps_for_its_own_seq(void **state)
{
	struct wicket_access a = access(&cfg, waiter(WAIT_SLEEP));

	(void)state;
	assert_int_equal(a.kind, WICKET_SLEEP);
	assert_int_equal(a.reg, FUT1);
	assert_int_equal(a.words, 1);
	assert_value(a.expect, 3, 0, 0, 0);
	assert_proc(step(&cfg, waiter(WAIT_SLEEP), wicket_number(0)).proc,
		    waiter(WAIT_ARM));
}

static void once_valid_it_finds_its_slot(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p, holder = waiter(HOLD);

	(void)state;
	have_a_waiter(regs);
	/* seat 1 has released, its slot is not yet written */
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, T1, 0, 1);
	p = follow(&cfg, regs, waiter(WAIT_LOOK), WAIT_LOOK, FIND, FIND, READ_T,
		   READ_S, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, FIND);
	assert_value(regs[SLOT0], 0x100000000 + T3, 3, 0, 0);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, T3, 0, 3));
	assert_proc(p, holder);
}

/* --- settle --------------------------------------------------------------- */

/* Seat 2 takes; what W names is seat 1's. */
static struct wicket_proc taker(uint16_t pc)
{
	return in_seat(pc, 2, 2);
}

static void a_helper_writes_a_take_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		struct wicket_value regs[REGS];
		struct wicket_proc p, then = taker(TAKE_HAVE);

		begin(regs);
		regs[LINE_W] = w_taken;
		regs[SEAT0] = seat(2, LINE_TAKING, d, 0, 0, 0);
		regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0, 0);
		p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S,
			   SETTLE_SEAT, SETTLE_HAVE);
		assert_same(regs[SEAT0], seat(2, LINE_HAVE, d, T1, 0, 1));
		assert_int_equal(p.local[C0], 0);
		p = follow(&cfg, regs, p, TAKE_W);
		assert_same(regs[LINE_W], w(0x20002, T2, T2, 2, 2));
		/* of W, only the pointers are read again */
		p.local[WT] = p.local[WG] = 0;
		then.local[WS] = regs[LINE_W].w[1];
		then.local[TICKET] = 0x200000000 + T2;
		assert_proc(p, then);
	}
}

static void a_seat_that_changed_is_read_again(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0, 0);
	p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT);
	regs[SEAT0] = seat(2, LINE_TAKING, 1, 0, 0, 0); /* marked */
	p = follow(&cfg, regs, p, SETTLE_HAVE, SETTLE_SEAT);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T1, 0, 1); /* done */
	p = follow(&cfg, regs, p, SETTLE_HAVE, SETTLE_SEAT);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SEAT0], seat(2, LINE_HAVE, 1, T1, 0, 1));
}

static void have_a_release(struct wicket_value *regs, uint64_t d)
{
	begin(regs);
	regs[LINE_W] = w_released;
	regs[SEAT0] = seat(3, LINE_RELEASING, d, T1, 0, 1);
	regs[SEAT1] = seat(2, LINE_TAKING, 0, 0, 0, 0);
}

static void a_helper_writes_a_release_down(void **state)
{
	(void)state;
	for (uint64_t d = 0; d < 2; d++) {
		struct wicket_value regs[REGS];
		struct wicket_proc p;

		have_a_release(regs, d);
		p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S,
			   SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT);
		/* SLOT first, phase second */
		assert_value(regs[SLOT0], 0x100000000 + T3, 3, 0, 0);
		assert_same(regs[SEAT0], seat(3, LINE_RELEASING, d, T1, 0, 1));
		p = follow(&cfg, regs, p, SETTLE_DONE);
		assert_same(regs[SEAT0], seat(3, LINE_RELEASED, d, T3, 0, 3));
		assert_int_equal(p.pc, TAKE_W);
		assert_int_equal(p.local[C0], 0);
		assert_int_equal(p.local[C1], 0);
		assert_int_equal(p.local[CG], 0);
	}
}

static void a_slot_that_is_written_is_left_alone(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_a_release(regs, 0);
	regs[SLOT0] = words(0x100000000 + T3, 3, 0, 0);
	p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
		   SETTLE_SLOT, SETTLE_DONE);
	assert_value(regs[SLOT0], 0x100000000 + T3, 3, 0, 0);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 0, T3, 0, 3));
	assert_int_equal(p.pc, TAKE_W);
	/* and one that has gone on since shows that all is settled */
	have_a_release(regs, 0);
	regs[SLOT0] = words(0x200000000, 4, 0, 0);
	p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
		   SETTLE_SLOT);
	assert_int_equal(p.pc, TAKE_W);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 0, T1, 0, 1));
}

static void a_changed_w_shows_that_all_is_settled(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_a_release(regs, 0);
	p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
		   SETTLE_SLOT);
	regs[LINE_W].w[0] = 0x20003;
	p = follow(&cfg, regs, p, SETTLE_LOOK);
	assert_int_equal(p.pc, TAKE_W);
	assert_value(regs[SLOT0], T1, 1, 0, 0);
}

static void a_late_helper_does_not_change_the_slot_again(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_a_release(regs, 0);
	p = follow(&cfg, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
		   SETTLE_SLOT, SETTLE_LOOK);
	/* the same ticket has come back at another stamp */
	regs[SLOT0] = words(0x400000000 + T1, 9, 0, 0);
	regs[SEAT0] = seat(4, LINE_TAKING, 0, 0, 0, 0);
	p = follow(&cfg, regs, p, SETTLE_PUT, SETTLE_DONE, SETTLE_SEAT);
	assert_value(regs[SLOT0], 0x400000000 + T1, 9, 0, 0);
	assert_same(regs[SEAT0], seat(4, LINE_TAKING, 0, 0, 0, 0));
	assert_int_equal(p.pc, TAKE_W);
}

/* --- the dead ------------------------------------------------------------- */

/* Seat 2 looks who has died. */
static struct wicket_proc scanner(void)
{
	return scan(&cfg, in_seat(WAIT_LOOK, 2, 2), SCAN_WAIT);
}

static void a_take_that_was_not_applied_is_undone(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0, 0);
	regs[LIVE0] = wicket_number(LINE_DIED);
	p = follow(&cfg, regs, scanner(), SCAN_SEAT, SCAN_LIVE, SCAN_MARK);
	assert_same(regs[SEAT0], seat(2, LINE_TAKING, 1, 0, 0, 0));
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
	assert_same(regs[SEAT0], seat(2, LINE_FREE, 0, 0, 0, 0));
	assert_value(regs[LIVE0], LINE_DIED, 0, 0, 0);
	/* its own seat is skipped, the third is free */
	p = follow(&cfg, regs, p, SCAN_SEAT);
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

static void a_take_that_was_applied_is_released(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_TAKING, 1, 0, 0, 0);
	p = follow(&cfg, regs, scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT, SETTLE_HAVE, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_RELEASE);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 1, T1, 0, 1));
	assert_int_equal(p.pc, READ_T);
}

static void d_must_have_been_seen_at_this_seq(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p = drive(&cfg, in_seat(0, 2, 2), 0, 2, DRIVE_SCAN);

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(4, LINE_TAKING, 1, 0, 0, 0);
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, READ_T);
	assert_int_equal(p.local[D], 4);
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, DRIVE_FREE);
}

static void the_slot_of_a_dead_holder_is_released(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[LINE_W] = w_taken;
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T1, 0, 1);
	p = follow(&cfg, regs, scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_RELEASE, READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT, DRIVE_W);
	assert_same(regs[LINE_W], w_released);
	p = follow(&cfg, regs, p, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK,
		   SETTLE_PUT, SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR, DRIVE_HEIR);
	assert_value(regs[SLOT0], 0x100000000 + T3, 3, 0, 0);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASED, 1, T3, 0, 3));
	p = follow(&cfg, regs, p, DRIVE_END, SCAN_SEAT);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0, 0));
	assert_proc(p, in_seat(WAIT_SLEEP, 2, 2));
}

static void the_slot_of_a_dead_holder_is_the_one_with_its_ticket(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[LINE_W] = w(0x20001, T2, T2, 2, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T2, 0, 2);
	p = follow(&cfg, regs, scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_FIND, DRIVE_RELEASE);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 1, T2, 1, 2));
	/* no slot has it yet: W's operation is not written down */
	regs[SLOT0] = regs[SLOT1] = words(T1, 1, 0, 0);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T2, 0, 2);
	p = follow(&cfg, regs, scanner(), SCAN_SEAT, READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_FIND, DRIVE_FIND);
	assert_int_equal(p.pc, SETTLE_SEAT);
}

static void a_dead_waiter_keeps_its_place_in_the_line(void **state)
{
	struct wicket_value regs[REGS], before[REGS];
	struct wicket_proc p = in_seat(0, 1, 2);

	(void)state;
	have_a_waiter(regs);
	regs[SEAT1] = seat(2, LINE_HAVE, 1, T3, 0, 3);
	memcpy(before, regs, sizeof(regs));
	p = follow(&cfg, regs, scan(&cfg, p, SCAN_WAIT), SCAN_SEAT, READ_T,
		   READ_S, DRIVE_SEAT, SCAN_SEAT, SCAN_LIVE);
	assert_memory_equal(regs, before, sizeof(regs));
	assert_proc(p, in_seat(WAIT_SLEEP, 1, 2));
}

/* --- the heir ------------------------------------------------------------- */

/* Seat 1 has released number 1 and slot 0, which number 3 inherits. */
static void have_an_heir(struct wicket_value *regs, uint64_t d, uint64_t heir_d)
{
	have_a_waiter(regs);
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SLOT0] = words(0x100000000 + T3, 3, 0, 0);
	regs[SEAT0] = seat(3, LINE_RELEASED, d, T3, 0, 3);
	regs[SEAT1] = seat(2, LINE_HAVE, heir_d, T3, 0, 3);
	regs[FUT1] = wicket_number(3);
}

static struct wicket_proc own_driver(void)
{
	return drive(&cfg, in_seat(0, 1, 3), 0, 3, DRIVE_OWN);
}

static void the_heir_is_woken(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_result r;

	(void)state;
	have_an_heir(regs, 0, 0);
	r.proc = follow(&cfg, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
			DRIVE_HEIR, DRIVE_HEIR, WAKE_CLEAR);
	assert_value(regs[FUT1], 0, 0, 0, 0);
	assert_int_equal(r.proc.pc, WAKE);
	r = act(&cfg, regs, r.proc);
	assert_int_equal(r.wake, FUT1);
	assert_int_equal(r.wakes, 1);
	r.proc = follow(&cfg, regs, r.proc, DRIVE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, 0, 0, 0));
	assert_int_equal(r.proc.pc, LEAVE_SEAT);
}

static void an_heir_that_does_not_sleep_is_not_woken(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_an_heir(regs, 0, 0);
	regs[FUT1] = wicket_number(0);
	p = follow(&cfg, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR, WAKE_CLEAR, DRIVE_END);
	assert_int_equal(p.pc, LEAVE_SEAT);
	/* nor one that sleeps for another operation */
	have_an_heir(regs, 0, 0);
	regs[FUT1] = wicket_number(5);
	p = follow(&cfg, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR, WAKE_CLEAR, DRIVE_END);
	assert_value(regs[FUT1], 5, 0, 0, 0);
	assert_int_equal(p.pc, LEAVE_SEAT);
}

static void for_a_dead_releaser_it_is_woken_in_any_case(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_an_heir(regs, 1, 0);
	regs[FUT1] = wicket_number(0);
	p = drive(&cfg, in_seat(0, 3, 2), 0, 3, DRIVE_SCAN);
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT, DRIVE_HEIR,
		   DRIVE_HEIR, WAKE_CLEAR, WAKE, DRIVE_END);
	assert_same(regs[SEAT0], seat(3, LINE_FREE, 0, 0, 0, 0));
	assert_int_equal(p.pc, SCAN_SEAT);
}

static void a_dead_heir_passes_its_slot_on(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_an_heir(regs, 0, 1);
	p = follow(&cfg, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR, DRIVE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, 0, 0, 0));
	assert_value(regs[FUT1], 3, 0, 0, 0);
	assert_int_equal(p.local[J], 1);
	assert_int_equal(p.local[D], 2);
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND,
		   DRIVE_RELEASE);
	assert_same(regs[SEAT1], seat(3, LINE_RELEASING, 1, T3, 0, 3));
}

static void who_ends_second_goes_his_way(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	have_an_heir(regs, 0, 1);
	p = follow(&cfg, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0, 0);
	p = follow(&cfg, regs, p, DRIVE_END);
	assert_int_equal(p.pc, LEAVE_SEAT);
}

/* --- events --------------------------------------------------------------- */

static void only_a_sleeper_abandons(void **state)
{
	(void)state;
	for (uint16_t pc = JOIN_SEAT; pc <= DEAD; pc++) {
		if (pc == WAIT_SLEEP)
			continue;
		assert_proc(turn(&cfg, waiter(pc), WICKET_ABANDON), waiter(pc));
	}
	assert_proc(turn(&cfg, waiter(WAIT_SLEEP), WICKET_ABANDON),
		    waiter(ABANDON_MARK));
}

static void who_abandons_gives_up_its_seat(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p, q = { .pc = READ_T };

	(void)state;
	have_a_waiter(regs);
	p = follow(&cfg, regs, waiter(ABANDON_MARK), ABANDON_MARK);
	assert_same(regs[SEAT1], seat(2, LINE_HAVE, 1, T3, 0, 3));
	assert_int_equal(region(&cfg, p), WICKET_EXIT);
	p = follow(&cfg, regs, p, ABANDON_LIVE);
	assert_value(regs[LIVE1], LINE_NOBODY, 0, 0, 0);
	q.local[SLOT] = EXITING;
	q.local[J] = 1;
	q.local[D] = 2;
	q.local[RET] = DRIVE_ABANDON | AFTER_DRIVE;
	assert_proc(p, q);
	/* its turn will come; it does not wait for that */
	p = follow(&cfg, regs, p, READ_T, READ_S, DRIVE_SEAT);
	assert_int_equal(p.pc, DONE);
}

static void who_abandons_a_valid_ticket_releases_it(void **state)
{
	struct wicket_cfg c = cfg;
	struct wicket_value regs[REGS];
	struct wicket_proc p;

	(void)state;
	c.laps = 2;
	have_a_waiter(regs);
	regs[LINE_W] = w(0x30001, T3, T3, 3, 3);
	regs[SLOT0] = words(0x100000000 + T3, 3, 0, 0);
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0, 0);
	p = follow(&c, regs, waiter(ABANDON_MARK), ABANDON_MARK, ABANDON_LIVE,
		   READ_T, READ_S, DRIVE_SEAT, DRIVE_FIND, DRIVE_RELEASE,
		   READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT, COLOURS, COLOURS,
		   DRIVE_W, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
		   SETTLE_DONE, READ_T, READ_S, DRIVE_SEAT, DRIVE_HEIR,
		   DRIVE_HEIR, DRIVE_HEIR, DRIVE_END);
	assert_same(regs[SEAT1], seat(3, LINE_FREE, 0, 0, 0, 0));
	/* both slots had colour 1, so number 4 is (0,0) */
	assert_value(regs[SLOT0], 0x200000000, 4, 0, 0);
	assert_same(regs[LINE_W], w(0x30002, T3, 0, 3, 4));
	/* it comes again, without a seat */
	assert_proc(p, (struct wicket_proc){ .pc = JOIN_SEAT,
					     .local = { [LAP] = 1 } });
}

static void death_is_the_kernels_word_on_the_held_seat(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p, dies = { .pc = DIE }, dead = { .pc = DEAD };

	(void)state;
	have_a_waiter(regs);
	p = turn(&cfg, waiter(WAIT_SLEEP), WICKET_FAIL);
	dies.local[ME] = 2;
	assert_proc(p, dies);
	assert_int_equal(access(&cfg, p).kind, WICKET_STORE);
	p = follow(&cfg, regs, p, DIE);
	assert_value(regs[LIVE1], LINE_DIED, 0, 0, 0);
	assert_value(regs[LIVE0], LINE_ALIVE, 0, 0, 0);
	assert_proc(p, dead);
	assert_int_equal(access(&cfg, p).kind, WICKET_REST);
}

static void who_holds_no_seat_dies_without_a_trace(void **state)
{
	struct wicket_value regs[REGS], before[REGS];
	struct wicket_proc p = { .pc = JOIN_LIVE };

	(void)state;
	have_a_waiter(regs);
	memcpy(before, regs, sizeof(regs));
	p.local[AT] = 1;
	p = turn(&cfg, p, WICKET_FAIL);
	assert_proc(p, (struct wicket_proc){ .pc = DIE });
	assert_int_equal(access(&cfg, p).kind, WICKET_LOAD);
	p = follow(&cfg, regs, p, DIE);
	assert_memory_equal(regs, before, sizeof(regs));
	assert_proc(p, (struct wicket_proc){ .pc = DEAD });
}

static void not_everybody_can_die(void **state)
{
	const uint16_t pcs[] = { JOIN_SEAT, DONE, DEAD };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct wicket_proc p = { .pc = pcs[i] };

		assert_proc(turn(&cfg, p, WICKET_FAIL), p);
	}
	for (uint16_t pc = JOIN_LIVE; pc < DONE; pc++) {
		struct wicket_proc p = turn(&cfg, waiter(pc), WICKET_FAIL);

		assert_int_equal(p.pc, DIE);
		assert_int_equal(p.local[ME], 2);
		assert_int_equal(p.local[TICKET], 0);
	}
}

/* --- unnoticed, invariants ------------------------------------------------ */

static void a_death_is_unnoticed_until_the_seat_is_seen_to(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter(regs);
	/* it died elsewhere, and nothing is left of it */
	assert_false(unnoticed(&cfg, regs, p));
	regs[LIVE0] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
	p[0].pc = DONE;
	assert_false(unnoticed(&cfg, regs, p));
	p[0].pc = DEAD;
	regs[SEAT0] = seat(3, LINE_FREE, 0, 0, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
	/* marked, but not brought to its end */
	regs[LIVE0] = wicket_number(LINE_NOBODY);
	regs[SEAT0] = seat(2, LINE_HAVE, 1, T1, 0, 1);
	assert_true(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(2, LINE_TAKING, 1, 0, 0, 0);
	assert_true(unnoticed(&cfg, regs, p));
}

static void a_dead_waiter_is_nothing_to_be_seen_to(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p[] = { in_seat(WAIT_SLEEP, 1, 2),
				   { .pc = DEAD },
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_a_waiter(regs);
	/* seats 1 and 2 wait, 2 is marked: numbers 4 and 3 */
	regs[LINE_W] = w(0x20001, 0x20000, T2, 4, 2);
	regs[SEAT0] = seat(2, LINE_HAVE, 0, 0x20000, 0, 4);
	p[0].local[TICKET] = 0x400020000;
	regs[SEAT1] = seat(2, LINE_HAVE, 1, T3, 0, 3);
	regs[LIVE1] = wicket_number(LINE_NOBODY);
	assert_false(unnoticed(&cfg, regs, p));
	regs[LIVE1] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
}

static void who_sleeps_on_a_valid_ticket_waits_for_its_waker(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p[] = { { .pc = DEAD },
				   waiter(WAIT_SLEEP),
				   in_seat(HOLD, 3, 2) };

	(void)state;
	have_an_heir(regs, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
	regs[LIVE0] = wicket_number(LINE_DIED);
	assert_true(unnoticed(&cfg, regs, p));
	/* applied, and not yet written down */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, T1, 0, 1);
	assert_true(unnoticed(&cfg, regs, p));
	/* another's release does not explain it, nor another's death */
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T2, 0, 2);
	assert_false(unnoticed(&cfg, regs, p));
	regs[SEAT0] = seat(3, LINE_IDLE, 0, 0, 0, 0);
	assert_false(unnoticed(&cfg, regs, p));
}

static void r1_wants_distinct_slots(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p[] = { in_seat(HOLD, 1, 2),
				   { .pc = JOIN_SEAT },
				   in_seat(HOLD, 3, 2) };

	(void)state;
	begin(regs);
	p[2].local[SLOT] = 1;
	assert_true(holds(&cfg, 0, regs, p));
	p[2].local[SLOT] = 0;
	assert_false(holds(&cfg, 0, regs, p));
	p[0].pc = FIND;
	assert_true(holds(&cfg, 0, regs, p));
}

static void r2_wants_tickets_enabled_in_order(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	have_a_waiter(regs);
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
	struct wicket_value regs[REGS];
	struct wicket_proc p[3] = { { .pc = JOIN_SEAT } };

	(void)state;
	begin(regs);
	assert_true(holds(&cfg, 2, regs, p));
	/* a take, from not applied to written down */
	regs[SEAT0] = seat(2, LINE_TAKING, 0, 0, 0, 0);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_taken;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(2, LINE_HAVE, 0, T1, 0, 1);
	assert_true(holds(&cfg, 2, regs, p));
	/* lost */
	regs[SEAT0] = seat(2, LINE_FREE, 0, 0, 0, 0);
	assert_false(holds(&cfg, 2, regs, p));
	/* a release, likewise */
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, T1, 0, 1);
	assert_true(holds(&cfg, 2, regs, p));
	regs[LINE_W] = w_released;
	assert_true(holds(&cfg, 2, regs, p));
	regs[SEAT0] = seat(3, LINE_RELEASED, 0, T3, 0, 3);
	assert_true(holds(&cfg, 2, regs, p));
	/* twice */
	regs[LINE_W] = w(0x30001, T1, 0x20000, 1, 4);
	assert_false(holds(&cfg, 2, regs, p));
}

/* --- planted bugs --------------------------------------------------------- */

static struct wicket_cfg with_mutant(uint32_t mutant)
{
	struct wicket_cfg c = cfg;

	c.mutant = mutant;
	return c;
}

static void the_mutants_are_as_numbered(void **state)
{
	(void)state;
	assert_string_equal(mutants[NO_SETTLE - 1].name, "no-settle");
	assert_string_equal(mutants[SETTLE_LATE - 1].name, "settle-late");
	assert_string_equal(mutants[NO_SECOND_LOOK - 1].name, "no-second-look");
	assert_string_equal(mutants[NO_STAMP - 1].name, "no-stamp");
	assert_string_equal(mutants[FEW_STAMPS - 1].name, "few-stamps");
	assert_string_equal(mutants[PHASE_FIRST - 1].name, "phase-first");
	assert_string_equal(mutants[NO_RELEASED - 1].name, "no-released");
	assert_string_equal(mutants[SEAT_FIRST - 1].name, "seat-first");
	assert_string_equal(mutants[D_UNTIED - 1].name, "d-untied");
	assert_string_equal(mutants[FLAG_FUTEX - 1].name, "flag-futex");
	assert_string_equal(mutants[JOIN_SAME_SEQ - 1].name, "join-same-seq");
	assert_string_equal(mutants[HEIR_IGNORED - 1].name, "heir-ignored");
	assert_string_equal(mutants[WAKE_EARLY - 1].name, "wake-early");
}

static void mutants_of_settle(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_cfg c = with_mutant(NO_SETTLE);
	struct wicket_proc p;

	(void)state;
	have_a_release(regs, 0);
	follow(&c, regs, taker(READ_T), READ_T, READ_S, TAKE_W);
	have_a_release(regs, 0);
	c = with_mutant(SETTLE_LATE);
	p = follow(&c, regs, taker(READ_T), READ_T, READ_S, TAKE_W);
	assert_int_equal(p.pc, SETTLE_SEAT);
	have_a_release(regs, 0);
	c = with_mutant(NO_SECOND_LOOK);
	follow(&c, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
	       SETTLE_SLOT, SETTLE_PUT, SETTLE_DONE);
	have_a_release(regs, 0);
	c = with_mutant(PHASE_FIRST);
	follow(&c, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
	       SETTLE_DONE, SETTLE_SLOT);
	have_a_release(regs, 0);
	c = with_mutant(NO_RELEASED);
	follow(&c, regs, taker(READ_T), READ_T, READ_S, SETTLE_SEAT,
	       SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT, TAKE_W);
	assert_same(regs[SEAT0], seat(3, LINE_RELEASING, 0, T1, 0, 1));
}

static void mutants_of_words(void **state)
{
	struct wicket_cfg c = with_mutant(NO_STAMP);
	struct wicket_proc p = { .pc = JOIN_TAKE };

	(void)state;
	assert_int_equal(stamped(&cfg, 0x700000001, T3), 0x800010001);
	assert_int_equal(stamped(&c, 0x700000001, T3), T3);
	c = with_mutant(FEW_STAMPS);
	assert_int_equal(stamped(&c, 0x000000001, T3), 0x100010001);
	assert_int_equal(stamped(&c, 0x100000001, T3), T3);
	c = with_mutant(FLAG_FUTEX);
	assert_int_equal(armed(&cfg, 6), 7);
	assert_int_equal(armed(&c, 6), 1);
	c = with_mutant(JOIN_SAME_SEQ);
	p.local[C0] = 0x400;
	assert_value(step(&cfg, p, words(0x400, 0, 0, 0)).put, 0x501, 0, 0, 0);
	assert_value(step(&c, p, words(0x400, 0, 0, 0)).put, 0x401, 0, 0, 0);
}

static void mutants_of_drive(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_cfg c = with_mutant(SEAT_FIRST);
	struct wicket_proc p;

	(void)state;
	begin(regs);
	regs[SEAT0] = seat(4, LINE_TAKING, 1, 0, 0, 0);
	p = drive(&c, in_seat(0, 2, 2), 0, 4, DRIVE_SCAN);
	follow(&c, regs, p, DRIVE_SEAT, READ_T, READ_S, DRIVE_FREE);
	regs[SEAT0] = seat(4, LINE_TAKING, 1, 0, 0, 0);
	c = with_mutant(D_UNTIED);
	p = drive(&c, in_seat(0, 2, 2), 0, 2, DRIVE_SCAN);
	follow(&c, regs, p, READ_T, READ_S, DRIVE_SEAT, DRIVE_FREE);
	have_an_heir(regs, 0, 1);
	c = with_mutant(HEIR_IGNORED);
	p = follow(&c, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   DRIVE_HEIR, DRIVE_HEIR, DRIVE_END);
	assert_int_equal(p.pc, LEAVE_SEAT);
	have_a_waiter(regs);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, T1, 0, 1);
	regs[FUT1] = wicket_number(3);
	c = with_mutant(WAKE_EARLY);
	follow(&c, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT, SETTLE_SEAT,
	       DRIVE_HEIR, DRIVE_HEIR, WAKE_CLEAR, WAKE, DRIVE_W);
}

static void without_released_the_driver_remembers(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_cfg c = with_mutant(NO_RELEASED);
	struct wicket_proc p;

	(void)state;
	have_a_waiter(regs);
	regs[SEAT0] = seat(3, LINE_RELEASING, 0, T1, 0, 1);
	regs[FUT1] = wicket_number(3);
	p = follow(&c, regs, own_driver(), READ_T, READ_S, DRIVE_SEAT,
		   SETTLE_SEAT, DRIVE_W, SETTLE_SEAT, SETTLE_SLOT, SETTLE_LOOK,
		   SETTLE_PUT, READ_T, READ_S, DRIVE_SEAT, DRIVE_HEIR,
		   DRIVE_HEIR, WAKE_CLEAR, WAKE, DRIVE_END);
	assert_same(regs[SEAT0], seat(3, LINE_IDLE, 0, 0, 0, 0));
	assert_int_equal(p.pc, LEAVE_SEAT);
}

static void settle_late_settles_its_own_take(void **state)
{
	struct wicket_value regs[REGS];
	struct wicket_cfg c = with_mutant(SETTLE_LATE);
	struct wicket_proc p;

	(void)state;
	have_a_release(regs, 0);
	p = follow(&c, regs, taker(READ_T), READ_T, READ_S, TAKE_W, SETTLE_SEAT,
		   SETTLE_SLOT, SETTLE_LOOK, TAKE_HAVE);
	assert_int_equal(p.pc, WAIT_ARM);
}

/* --- for people ----------------------------------------------------------- */

static void assert_says(uint16_t pc, const char *expected)
{
	assert_shows_step(&wicket_recoverable, &cfg, in_seat(pc, 1, 2),
			  expected);
}

static void texts_of_steps(void **state)
{
	(void)state;
	assert_says(JOIN_SEAT, "join: seat?");
	assert_says(JOIN_UNLOCK, "join: unlock");
	assert_says(TAKE_W, "take: W");
	assert_says(READ_T, "read T");
	assert_says(COLOURS, "colours");
	assert_says(SETTLE_DONE, "settle: done");
	assert_says(FIND, "find");
	assert_says(WAIT_SLEEP, "sleep");
	assert_says(SCAN_MARK, "scan: mark D");
	assert_says(HOLD, "release");
	assert_says(DRIVE_W, "drive: W");
	assert_says(WAKE, "wake");
	assert_says(DRIVE_END, "drive: end");
	assert_says(ABANDON_LIVE, "abandon: unlock");
	assert_says(LEAVE_LIVE, "leave: unlock");
	assert_says(DONE, "done");
	assert_says(DIE, "dies");
	assert_says(DEAD, "dead");
}

static void texts_of_registers(void **state)
{
	struct wicket_value regs[REGS];

	(void)state;
	begin(regs);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T= ISSUE=(0,0) VALID=(0,1) SLOT=(1,0)(0,1) F0- F0- F0-");
	have_an_heir(regs, 0, 1);
	regs[LIVE1] = wicket_number(LINE_DIED);
	regs[SEAT2] = seat(12, LINE_RELEASING, 0, T2, 1, 2);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=3@1 ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " r3(1,1)+ H2(1,1)Dxz R12(0,1)+");
	regs[SEAT0] = seat(4, LINE_TAKING, 0, 0, 0, 0);
	regs[SEAT1] = seat(4, LINE_IDLE, 0, 0, 0, 0);
	regs[LINE_W] = w(0x50003, T3, T3, 3, 3);
	assert_shows(&wicket_recoverable, &cfg, regs,
		     "T=5@3 ISSUE=(1,1) VALID=(1,1) SLOT=(1,1)(0,1)"
		     " T4+ I4xz R12(0,1)+");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_round_trip),
		cmocka_unit_test(tickets_and_pointers_round_trip),
		cmocka_unit_test(seats_round_trip),
		cmocka_unit_test(seats_round_trip_with_a_large_seq),
		cmocka_unit_test(pointers_move_as_numbers_do),
		cmocka_unit_test(at_the_start_k_tickets_are_valid),
		cmocka_unit_test(where_the_registers_are),
		cmocka_unit_test(a_line_needs_more_seats_than_slots),
		cmocka_unit_test(all_start_without_a_seat),
		cmocka_unit_test(seated_all_start_in_their_seats),
		cmocka_unit_test(regions),
		cmocka_unit_test(from_join_to_hold),
		cmocka_unit_test(from_hold_to_done),
		cmocka_unit_test(the_exit_begins_with_the_step_out_of_hold),
		cmocka_unit_test(
			the_second_time_it_stays_seated_and_needs_a_colour),
		cmocka_unit_test(a_lost_race_for_w_reads_it_again),
		cmocka_unit_test(a_seat_that_is_taken_or_watched_is_passed),
		cmocka_unit_test(
			the_seat_of_a_dead_owner_is_joined_at_a_new_seq),
		cmocka_unit_test(
			who_took_the_mark_of_a_dead_one_marks_its_seat),
		cmocka_unit_test(undoing_depends_on_the_seat),
		cmocka_unit_test(without_a_free_seat_it_looks_for_the_dead),
		cmocka_unit_test(a_ticket_that_is_not_valid_waits),
		cmocka_unit_test(it_sleeps_for_its_own_seq),
		cmocka_unit_test(once_valid_it_finds_its_slot),
		cmocka_unit_test(a_helper_writes_a_take_down),
		cmocka_unit_test(a_seat_that_changed_is_read_again),
		cmocka_unit_test(a_helper_writes_a_release_down),
		cmocka_unit_test(a_slot_that_is_written_is_left_alone),
		cmocka_unit_test(a_changed_w_shows_that_all_is_settled),
		cmocka_unit_test(a_late_helper_does_not_change_the_slot_again),
		cmocka_unit_test(a_take_that_was_not_applied_is_undone),
		cmocka_unit_test(a_take_that_was_applied_is_released),
		cmocka_unit_test(d_must_have_been_seen_at_this_seq),
		cmocka_unit_test(the_slot_of_a_dead_holder_is_released),
		cmocka_unit_test(
			the_slot_of_a_dead_holder_is_the_one_with_its_ticket),
		cmocka_unit_test(a_dead_waiter_keeps_its_place_in_the_line),
		cmocka_unit_test(the_heir_is_woken),
		cmocka_unit_test(an_heir_that_does_not_sleep_is_not_woken),
		cmocka_unit_test(for_a_dead_releaser_it_is_woken_in_any_case),
		cmocka_unit_test(a_dead_heir_passes_its_slot_on),
		cmocka_unit_test(who_ends_second_goes_his_way),
		cmocka_unit_test(only_a_sleeper_abandons),
		cmocka_unit_test(who_abandons_gives_up_its_seat),
		cmocka_unit_test(who_abandons_a_valid_ticket_releases_it),
		cmocka_unit_test(death_is_the_kernels_word_on_the_held_seat),
		cmocka_unit_test(who_holds_no_seat_dies_without_a_trace),
		cmocka_unit_test(not_everybody_can_die),
		cmocka_unit_test(
			a_death_is_unnoticed_until_the_seat_is_seen_to),
		cmocka_unit_test(a_dead_waiter_is_nothing_to_be_seen_to),
		cmocka_unit_test(
			who_sleeps_on_a_valid_ticket_waits_for_its_waker),
		cmocka_unit_test(r1_wants_distinct_slots),
		cmocka_unit_test(r2_wants_tickets_enabled_in_order),
		cmocka_unit_test(r3_wants_every_operation_applied_once),
		cmocka_unit_test(the_mutants_are_as_numbered),
		cmocka_unit_test(mutants_of_settle),
		cmocka_unit_test(mutants_of_words),
		cmocka_unit_test(mutants_of_drive),
		cmocka_unit_test(without_released_the_driver_remembers),
		cmocka_unit_test(settle_late_settles_its_own_take),
		cmocka_unit_test(texts_of_steps),
		cmocka_unit_test(texts_of_registers),
	};

	return cmocka_run_group_tests_name("recoverable", tests, NULL, NULL);
}
