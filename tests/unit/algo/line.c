/* SPDX-License-Identifier: MIT */
/*
 * line - the words of algo/line.h against plain shifts and numbers, and its
 * pointers against tickets that are counted without bound.
 */
#include "../unit.h"

#include "algo/line.h"

#define BIT(n)	  ((uint64_t)1 << (n))
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* The words, put together by other means than the product's. */
static uint32_t ticket(uint32_t value, uint32_t colour)
{
	return colour * 8192 + value;
}

static uint64_t pointers(uint32_t issue, uint32_t valid)
{
	return valid * BIT(32) + issue;
}

static uint64_t state_word(uint64_t seq, uint64_t d, uint64_t phase)
{
	return seq * 65536 + d * 8 + phase;
}

static struct line_seat seat(uint64_t seq, uint64_t d, uint64_t phase,
			     uint64_t payload)
{
	return line_cell(state_word(seq, d, phase), payload);
}

/* What a payload is beside that: whose. */
static uint64_t of_life(uint64_t life)
{
	return life * BIT(34);
}

#define assert_seat(seat, state_, payload_)                                    \
	do {                                                                   \
		struct line_seat seat_ = (seat);                               \
		assert_int_equal(seat_.state, (state_));                       \
		assert_int_equal(seat_.payload, (payload_));                   \
	} while (0)

/* --- where the fields are ------------------------------------------------- */

static void a_ticket_has_13_and_9_bits(void **state)
{
	const struct ticket t = line_ticket(0xffc06005);

	(void)state;
	assert_int_equal(line_ticket_word((struct ticket){ 5, 3 }), 0x6005);
	assert_int_equal(line_ticket_word((struct ticket){ 8191, 0 }), 0x1fff);
	assert_int_equal(line_ticket_word((struct ticket){ 0, 511 }), 0x3fe000);
	/* what lies above is not its */
	assert_int_equal(t.value, 5);
	assert_int_equal(t.colour, 3);
	assert_int_equal(line_ticket(0x3fffff).value, 8191);
	assert_int_equal(line_ticket(0x3fffff).colour, 511);
}

static void s_has_issue_below_valid(void **state)
{
	const uint64_t s = 0x000080070000600a;
	const struct line_pointers p = line_pointers(s);

	(void)state;
	assert_int_equal(p.issue.value, 10);
	assert_int_equal(p.issue.colour, 3);
	assert_int_equal(p.valid.value, 7);
	assert_int_equal(p.valid.colour, 4);
	assert_int_equal(line_pointers_word(p), s);
	assert_int_equal(line_issue(s), 0x600a);
	assert_int_equal(line_valid(s), 0x8007);
	assert_int_equal(line_issue_on(s), 0x000080070000600b);
	assert_int_equal(line_valid_on(s), 0x000080080000600a);
}

static void a_slot_has_ticket_died_and_stamp(void **state)
{
	const uint64_t entry = 0x006005 + BIT(22) + 9 * BIT(23);

	(void)state;
	assert_int_equal(line_slot_ticket(entry), 0x6005);
	assert_true(line_slot_died(entry));
	assert_false(line_slot_died(entry - BIT(22)));
	assert_int_equal(line_slot_ticket(UINT64_MAX), 0x3fffff);
	assert_int_equal(line_slot_next(entry, 0x8007, 0),
			 0x8007 + 10 * BIT(23));
	/* what is true is one bit */
	assert_int_equal(line_slot_next(entry, 0x8007, 4),
			 0x8007 + BIT(22) + 10 * BIT(23));
	/* the stamp has 41 bits, and wraps */
	assert_int_equal(line_slot_next(UINT64_MAX, 0x8007, 0), 0x8007);
	assert_int_equal(line_slot_next((BIT(40) - 1) * BIT(23), 1, 0),
			 1 + BIT(63));
}

static void a_state_has_phase_d_and_seq(void **state)
{
	const uint64_t last = BIT(48) - 1;

	(void)state;
	for (unsigned phase = LINE_FREE; phase <= LINE_JOINING; phase++) {
		const uint64_t s = state_word(7, 0, phase);
		const uint64_t d = state_word(last, 1, phase);

		assert_int_equal(line_state(7, (enum line_phase)phase), s);
		assert_int_equal(line_phase(s), phase);
		assert_int_equal(line_phase(d), phase);
		assert_int_equal(line_dead(s), 0);
		assert_int_equal(line_dead(d), 1);
		assert_int_equal(line_seq(s), 7);
		assert_int_equal(line_seq(d), last);
	}
	assert_int_equal(LINE_FREE, 0); /* what a new file holds */
	assert_int_equal(LINE_NOBODY, 0);
}

static void a_payload_has_ticket_slot_and_died(void **state)
{
	const uint64_t payload = 0x6005 + 3 * BIT(22) + BIT(32);

	(void)state;
	assert_int_equal(line_payload(0x6005, 3, 1), payload);
	assert_int_equal(line_payload(0x6005, 3, 8), payload);
	assert_int_equal(line_payload(0x6005, 0, 0), 0x6005);
	assert_int_equal(line_payload_ticket(payload), 0x6005);
	assert_int_equal(line_payload_slot(payload), 3);
	assert_true(line_payload_died(payload));
	assert_false(line_payload_died(payload - BIT(32)));
	assert_int_equal(line_payload_slot(0x6005), 0);
}

static void a_payload_may_be_kept(void **state)
{
	const uint64_t payload = line_keep(0x6005 + 3 * BIT(22));
	const struct line_seat have = line_cell(0x50003, payload);
	const struct line_seat releasing = line_cell(0x60004, payload);

	(void)state;
	assert_int_equal(payload, 0x6005 + 3 * BIT(22) + BIT(33));
	assert_int_equal(line_payload_slot(payload), 3);
	assert_false(line_payload_died(payload));
	assert_true(line_kept(have));
	assert_false(line_kept(releasing));
	assert_false(line_kept(line_cell(0x50003, 0x6005)));
	assert_int_equal(line_marked(have).state, 0x5000b);
	assert_int_equal(line_marked(have).payload, payload);
}

static void a_payload_says_whose_seat_it_is(void **state)
{
	const uint64_t rest = BIT(34) - 1, payload = 0xabc * BIT(34) + 0x6005;

	(void)state;
	assert_int_equal(LINE_LIFE_MAX, BIT(30) - 1);
	assert_int_equal(line_of_life(1), 0x400000000);
	assert_int_equal(line_of_life(LINE_LIFE_MAX), ~rest);
	assert_int_equal(line_life(payload), 0xabc);
	assert_int_equal(line_life(UINT64_MAX), LINE_LIFE_MAX);
	/* all that lies below is not its, nor is it theirs */
	assert_int_equal(line_life(rest), 0);
	assert_int_equal(line_payload_ticket(~rest), 0);
	assert_int_equal(line_payload_slot(~rest), 0);
	assert_false(line_payload_died(~rest));
	assert_false(line_kept(seat(5, 0, LINE_HAVE, ~rest)));
	assert_int_equal(line_life(line_keep(payload)), 0xabc);
}

static void another_payload_is_of_the_same_owner(void **state)
{
	const uint64_t all = of_life(7) + BIT(34) - 1;

	(void)state;
	assert_int_equal(line_new_payload(seat(5, 0, LINE_IDLE, of_life(7)),
					  0x6005, 3, 1),
			 of_life(7) + BIT(32) + 3 * BIT(22) + 0x6005);
	/* of the old one only the owner is left: it is not kept, either */
	assert_int_equal(
		line_new_payload(seat(5, 1, LINE_HAVE, all), 0x6005, 0, 0),
		of_life(7) + 0x6005);
	assert_int_equal(
		line_new_payload(seat(5, 0, LINE_HAVE, 0x6005), 0x8007, 0, 0),
		0x8007);
	assert_int_equal(
		line_new_payload(seat(5, 0, LINE_HAVE, UINT64_MAX), 0, 0, 0),
		of_life(LINE_LIFE_MAX));
}

static void a_tag_is_seq_and_seat(void **state)
{
	(void)state;
	assert_int_equal(line_tag(state_word(5, 1, LINE_HAVE), 2), 0x50003);
	assert_int_equal(line_tag(0, 0), 1); /* 0 is none */
	assert_int_equal(line_tag_seat(0x50003), 2);
	assert_int_equal(line_tag_seat(0xffffffffffff2000), 8191);
	assert_false(line_has_tag(0));
	assert_true(line_has_tag(1));
	assert_true(line_has_tag(0x10001));
	/* removed: a seq and no seat */
	assert_int_equal(LINE_REMOVED, 0x10000);
	assert_false(line_has_tag(0x10000));
}

/* The fields of the largest line do not touch each other. */
static void limits(void **state)
{
	const uint32_t last = ticket(8190, 511);
	const uint64_t all = line_payload(last, 511, 1);
	const uint64_t full = line_keep(all) | line_of_life(LINE_LIFE_MAX);

	(void)state;
	/* no bit of a payload is taken twice; 0 is 8190's, 31 is to spare */
	assert_int_equal(full, UINT64_MAX - 1 - BIT(31));
	assert_int_equal(all + BIT(33) + of_life(LINE_LIFE_MAX), full);
	assert_int_equal(LINE_SLOTS_MAX, 511);
	assert_int_equal(LINE_SEATS_MAX, 8191);
	assert_int_equal(line_ticket_word((struct ticket){ 8190, 511 }), last);
	assert_int_equal(line_payload_ticket(all), last);
	assert_int_equal(line_payload_slot(all), 511);
	assert_true(line_payload_died(all));
	assert_int_equal(line_payload_slot(line_payload(last, 0, 1)), 0);
	assert_int_equal(line_payload_slot(line_payload(0, 511, 0)), 511);
	assert_int_equal(line_payload_ticket(line_payload(0, 511, 1)), 0);
	assert_int_equal(line_slot_ticket(line_slot_next(0, last, 1)), last);
	assert_int_equal(line_slot_next(0, last, 0), last + BIT(24));
	assert_int_equal(line_tag_seat(line_tag(UINT64_MAX, 8190)), 8190);
	assert_int_equal(line_seq(line_tag(state_word(6, 1, 5), 8190)), 6);
}

/* --- several units ---------------------------------------------------------- */

static void units_are_in_a_state_above_d(void **state)
{
	const uint64_t three = 0x70032; /* TAKING(7, 3) */

	(void)state;
	assert_int_equal(line_of_units(0x70002, 3), three);
	assert_int_equal(line_of_units(0x70002, 1), 0x70002);
	assert_int_equal(line_of_units(0, 511), 0x1ff0);
	assert_int_equal(line_units(three), 3);
	assert_int_equal(line_left(three), 3);
	assert_int_equal(line_units(0x70002), 0);
	assert_int_equal(line_left(0x70002), 1);
	assert_int_equal(line_seq(0x71ff2), 7);
	assert_true(line_is_single(0x70003, LINE_HAVE));
	assert_false(line_is_single(0x70013, LINE_HAVE));
	assert_int_equal(line_was_inside(three), 0x74032);
	assert_int_equal(line_released(0x74034), 0x74023);
	assert_int_equal(line_released(0x74024), 0x74013);
	assert_int_equal(line_released(0x74014), 0x70001);
	assert_int_equal(line_released(0x70004), 0x70001);
	assert_int_equal(line_idle(three), 0x70001);
}

/* M = 5: three of (3,0), (4,0), (0,2); four within one block. */
static void a_range_is_its_last_ticket_and_its_first_colour(void **state)
{
	const uint64_t over = line_range(pointers(ticket(2, 0), ticket(3, 0)),
					 pointers(ticket(0, 2), ticket(3, 0)),
					 5);
	const uint64_t whole = line_range(pointers(ticket(4, 1), ticket(1, 2)),
					  pointers(ticket(3, 2), ticket(1, 2)),
					  5);

	(void)state;
	assert_int_equal(over, ticket(0, 2));
	assert_int_equal(whole, ticket(3, 2) | 2 << 22);
	assert_int_equal(line_range_ticket(over, 1, 5), ticket(0, 2));
	assert_int_equal(line_range_ticket(over, 2, 5), ticket(4, 0));
	assert_int_equal(line_range_ticket(over, 3, 5), ticket(3, 0));
	assert_int_equal(line_range_ticket(whole, 4, 5), ticket(0, 2));
	assert_int_equal(line_range_place(over, 3, ticket(3, 0), 5), 3);
	assert_int_equal(line_range_place(over, 2, ticket(3, 0), 5), 0);
	assert_int_equal(line_range_place(over, 3, ticket(3, 2), 5), 0);
	assert_int_equal(line_range_place(over, 3, ticket(0, 2), 5), 1);
	assert_int_equal(line_range_place(over, 3, ticket(1, 2), 5), 0);
	assert_int_equal(line_range_place(over, 3, ticket(0, 0), 5), 0);
}

/* M = 5. */
static void several_are_as_many_takes(void **state)
{
	const uint64_t near = pointers(ticket(2, 0), ticket(4, 0));
	const uint64_t led = pointers(ticket(3, 0), ticket(1, 1));

	(void)state;
	assert_false(line_units_need_colour(near, 5, 2));
	assert_true(line_units_need_colour(near, 5, 3));
	assert_false(line_units_need_colour(led, 5, 3));
	assert_int_equal(line_take_units(near, 5, 2, 7),
			 pointers(ticket(4, 0), ticket(4, 0)));
	assert_int_equal(line_take_units(near, 5, 3, 7),
			 pointers(ticket(0, 7), ticket(4, 0)));
	assert_int_equal(line_take_units(near, 5, 5, 7),
			 pointers(ticket(2, 7), ticket(4, 0)));
	assert_int_equal(line_take_units(led, 5, 4, 7),
			 pointers(ticket(2, 1), ticket(1, 1)));
	assert_int_equal(line_out(near, 5, 2), 0);
	assert_int_equal(line_out(pointers(ticket(1, 1), ticket(3, 0)), 5, 2),
			 5);
}

/* 3 seats, 2 slots: 9 may be out.  8191 are as many as can be counted: of 8188 seats
   with 4 slots one can take them all. */
static void one_alone_always_has_room(void **state)
{
	(void)state;
	assert_int_equal(line_tickets(3, 2), 9);
	assert_int_equal(line_tickets(3, 1), 3);
	assert_int_equal(line_tickets(4096, 511), 8191);
	assert_int_equal(line_tickets(8191, 4), 8191);
	/* as many as all seats can have: two others have two */
	assert_true(line_has_room(pointers(4, 2), 3, 2, 2));
	assert_true(line_has_room(line_start(4, 0, 8192), 8188, 4, 4));
	assert_false(line_has_room(pointers(1, 4), 8188, 4, 4));
	assert_true(line_has_room(pointers(1, 4), 8188, 4, 3));
	assert_false(line_has_room(line_start(4, 0, 8192), 8191, 4, 2));
	/* of half as many seats, one more often */
	assert_true(line_has_room(line_start(511, 0, 8192), 4096, 511, 511));
}

/* HAVE(5), three left of (3,0), (4,0), (0,2). */
static void whom_a_valid_ticket_concerns(void **state)
{
	struct line_seat c = { 0x50033, 0, ticket(0, 2) };
	struct line_seat one = line_cell(0x50003, ticket(4, 0));

	(void)state;
	assert_int_equal(line_first(c, 5), ticket(3, 0));
	assert_int_equal(line_last(c), ticket(0, 2));
	assert_true(line_is_heir(c, ticket(0, 2), 5));
	assert_false(line_is_heir(c, ticket(3, 0), 5));
	assert_true(line_has_ticket(c, ticket(4, 0), 5));
	c.state = line_mark(c.state);
	assert_false(line_is_heir(c, ticket(0, 2), 5));
	assert_true(line_is_heir(c, ticket(3, 0), 5));
	c.state = line_to_phase(c.state, LINE_RELEASED);
	assert_false(line_is_heir(c, ticket(3, 0), 5));
	assert_false(line_has_ticket(c, ticket(4, 0), 5));
	assert_int_equal(line_first(one, 5), ticket(4, 0));
	assert_true(line_is_heir(one, ticket(4, 0), 5));
}

/* Of a dead one that was inside, each next holder is told. */
static void a_dead_seat_gives_several_back(void **state)
{
	struct line_seat c = { 0x5003b, line_payload(ticket(3, 0), 2, 0),
			       ticket(0, 2) };
	struct line_seat last = { 0x7401d, line_payload(ticket(1, 1), 0, 0),
				  ticket(0, 2) };
	uint32_t out;

	(void)state;
	assert_int_equal(line_is_out(0, 0, 0, c, &out), 3);
	assert_int_equal(out, ticket(0, 2));
	assert_int_equal(line_nth_out(c, out, 2, 5), ticket(4, 0));
	c = line_give_back(c, 1, ticket(3, 0));
	assert_int_equal(c.state, 0x6403c);
	assert_int_equal(c.payload, line_payload(ticket(3, 0), 2, 1));
	assert_int_equal(line_is_out(0, 0, 0, c, &out), 3);
	assert_int_equal(line_is_out(line_tag(c.state, 0), 0, 0, c, &out), 2);
	c = line_given_back(c, pointers(0, ticket(1, 1)));
	assert_int_equal(c.state, 0x6403d);
	assert_int_equal(line_is_out(0, 0, 0, c, &out), 2);
	assert_true(line_has_more(c.state));
	c = line_end(c);
	assert_int_equal(c.state, 0x6402b);
	assert_int_equal(c.payload, 0);
	c.range = ticket(0, 2);
	assert_int_equal(line_first(c, 5), ticket(4, 0));
	assert_int_equal(
		line_payload_died(line_give_back(c, 0, ticket(4, 0)).payload),
		1);
	assert_false(line_has_more(last.state));
	assert_int_equal(line_end(line_cell(0x7401d, 0)).state, 0x70000);
}

/* --- pointers ------------------------------------------------------------- */

static void a_block_is_one_more_than_can_be_between(void **state)
{
	(void)state;
	assert_int_equal(line_block(2, 1), 3);
	assert_int_equal(line_block(256, 1), 257);
	assert_int_equal(line_block(8191, 1), 8192); /* 13 bits */
	assert_int_equal(line_block(3, 2), 10);
	assert_int_equal(line_block(256, 8), 2305);
	assert_int_equal(line_block(512, 511), 8192);
	assert_int_equal(line_block(8191, 511), 8192);
	assert_int_equal(line_block_of(3, 2), 4);
	assert_int_equal(line_block_of(256, 8), 257);
	/* fewer seats than slots make no line, but no nonsense either */
	assert_int_equal(line_block_of(2, 3), 4);
}

static void at_the_start_k_tickets_are_valid(void **state)
{
	(void)state;
	assert_int_equal(line_start(2, 0, 3), 2 * BIT(32));
	assert_int_equal(line_start(3, 0, 3), ticket(0, 1) * BIT(32));
	assert_int_equal(line_start(1, 0, 1), ticket(0, 1) * BIT(32));
	assert_int_equal(line_start(511, 0, 512), 511 * BIT(32));
	assert_int_equal(line_start_slot(0, 1, 0, 3), 1);
	assert_int_equal(line_start_slot(1, 2, 0, 3), 2);
	assert_int_equal(line_start_slot(2, 3, 0, 3), ticket(0, 1));
	assert_int_equal(line_start_slot(0, 1, 0, 1), ticket(0, 1));
	assert_int_equal(line_start_slot(510, 511, 0, 512), 511);
}

/* Two of five are open, the first ones. */
static void closed_slots_have_old_tickets(void **state)
{
	const uint64_t s = line_start(5, 3, 9);

	(void)state;
	assert_int_equal(s, 3 * BIT(54) | 2 * BIT(32) | 3 * BIT(22));
	assert_int_equal(line_closed(s), 3);
	assert_int_equal(line_aim(s), 3);
	assert_true(line_is_steady(s));
	assert_int_equal(line_vacant(s, 9), 2);
	assert_true(line_is_empty(s, 5, 9));
	assert_int_equal(line_start_slot(0, 5, 3, 9), 1);
	assert_int_equal(line_start_slot(1, 5, 3, 9), 2);
	assert_int_equal(line_start_slot(2, 5, 3, 9), BIT(23) | ticket(2, 1));
	assert_int_equal(line_start_slot(4, 5, 3, 9), BIT(23) | ticket(4, 1));
	assert_true(line_is_valid(s, ticket(4, 1)));
	assert_int_equal(line_vacant(line_start(5, 5, 9), 9), 0);
}

/* --- how many slots are open ------------------------------------------------ */

/* S with so many closed, and to be closed. */
static uint64_t closed_of(uint64_t s, uint64_t closed, uint64_t aim, int moved)
{
	return s | aim << 54 | closed << 22 | (uint64_t)moved << 31;
}

static void the_aim_is_changed_alone(void **state)
{
	const uint64_t s = pointers(ticket(8191, 511), ticket(8191, 511));

	(void)state;
	assert_int_equal(line_aim_at(closed_of(s, 511, 0, 1), 511),
			 closed_of(s, 511, 511, 0));
	assert_int_equal(line_aim_at(closed_of(s, 511, 511, 0), 0),
			 closed_of(s, 511, 0, 0));
	assert_int_equal(line_issue(closed_of(s, 511, 511, 1)),
			 ticket(8191, 511));
	assert_int_equal(line_valid(closed_of(s, 511, 511, 1)),
			 ticket(8191, 511));
}

static void is_steady_if_as_many_are_closed_as_shall_be(void **state)
{
	const uint64_t s = pointers(ticket(3, 1), ticket(1, 2));

	(void)state;
	assert_true(line_is_steady(s));
	assert_true(line_is_steady(closed_of(s, 511, 511, 0)));
	assert_false(line_is_steady(closed_of(s, 511, 511, 1)));
	assert_false(line_is_steady(closed_of(s, 1, 0, 0)));
	assert_false(line_is_steady(closed_of(s, 0, 1, 0)));
	assert_true(line_is_opening(closed_of(s, 1, 0, 0)));
	assert_false(line_is_closing(closed_of(s, 1, 0, 0)));
	assert_true(line_is_closing(closed_of(s, 256, 511, 0)));
	assert_false(line_is_opening(closed_of(s, 256, 511, 0)));
	assert_false(line_is_closing(closed_of(s, 3, 3, 1)));
}

static void a_release_closes_a_slot_or_validates(void **state)
{
	const uint64_t s = pointers(ticket(2, 0), ticket(4, 0));

	(void)state;
	/* M = 5: at the end of the block, and no colour is asked for */
	assert_int_equal(line_release(closed_of(s, 1, 2, 0), 5, 3),
			 closed_of(s, 2, 2, 1));
	assert_false(line_release_needs_colour(closed_of(s, 1, 2, 0), 5));
	assert_true(line_release_needs_colour(closed_of(s, 2, 2, 1), 5));
	assert_int_equal(
		line_release(closed_of(s, 2, 2, 1), 5, 3),
		closed_of(pointers(ticket(2, 0), ticket(0, 3)), 2, 2, 0));
	assert_int_equal(
		line_take(closed_of(s, 1, 2, 1), 5, 0),
		closed_of(pointers(ticket(3, 0), ticket(4, 0)), 1, 2, 0));
}

static void an_opening_validates_the_next_ticket(void **state)
{
	const uint64_t s = pointers(ticket(2, 0), ticket(1, 0));

	(void)state;
	assert_int_equal(
		line_open(closed_of(s, 2, 0, 0), 5, 0),
		closed_of(pointers(ticket(2, 0), ticket(2, 0)), 1, 0, 1));
}

static void who_waits_keeps_a_line_from_being_empty(void **state)
{
	(void)state;
	/* both slots are closed */
	assert_true(line_is_empty(
		closed_of(pointers(ticket(2, 0), ticket(2, 0)), 2, 2, 0), 2,
		5));
	assert_false(line_is_empty(
		closed_of(pointers(ticket(3, 0), ticket(2, 0)), 2, 2, 0), 2,
		5));
	/* one is, and the other held */
	assert_false(line_is_empty(
		closed_of(pointers(ticket(2, 0), ticket(2, 0)), 1, 1, 0), 2,
		5));
}

static void a_slot_is_parked_and_opened(void **state)
{
	const uint64_t moved = closed_of(0, 1, 1, 1) | 7 * BIT(32);
	const uint64_t entry = 4 * BIT(24) | 3;
	const struct line_seat releasing = line_cell(
		state_word(5, 0, LINE_RELEASING), line_payload(3, 2, 0));
	const struct line_seat opening = line_cell(
		state_word(5, 0, LINE_OPENING), line_payload(3, 2, 0));

	(void)state;
	assert_int_equal(line_slot_released(entry, moved, 0),
			 5 * BIT(24) | BIT(23) | 3);
	assert_int_equal(line_slot_released(entry, line_unmoved(moved), 1),
			 5 * BIT(24) | BIT(22) | 7);
	assert_int_equal(line_slot_opened(entry | BIT(23), moved),
			 5 * BIT(24) | 7);
	/* and whoever died there is told of */
	assert_int_equal(line_slot_opened(entry | BIT(23) | BIT(22), moved),
			 5 * BIT(24) | BIT(22) | 7);
	assert_int_equal(line_put(entry, releasing, moved), LINE_PUT);
	assert_int_equal(line_put(entry | BIT(23), releasing, moved),
			 LINE_PUT_DONE);
	assert_int_equal(line_put(entry | BIT(23), opening, moved), LINE_PUT);
	assert_int_equal(line_put(5 * BIT(24) | 7, opening, moved),
			 LINE_PUT_DONE);
	assert_int_equal(line_put(5 * BIT(24) | 8, opening, moved),
			 LINE_PUT_PAST);
	assert_int_equal(line_slot_settled(entry, releasing, moved),
			 line_slot_released(entry, moved, 0));
	assert_int_equal(line_slot_settled(entry, opening, moved),
			 line_slot_opened(entry, moved));
	assert_int_equal(
		line_settle(line_tag(releasing.state, 1), moved, releasing),
		LINE_SETTLE_PARK);
	assert_int_equal(
		line_settle(line_tag(opening.state, 1), moved, opening),
		LINE_SETTLE_OPEN);
	assert_int_equal(line_settle(line_tag(opening.state, 1),
				     line_unmoved(moved), opening),
			 LINE_SETTLE_BACK);
}

static void only_a_parked_slot_with_its_ticket_is_opened(void **state)
{
	const uint64_t opens = closed_of(0, 1, 0, 0);
	const uint64_t parked = BIT(23) | 3;
	const struct line_seat c = line_cell(state_word(5, 1, LINE_OPENING),
					     line_payload(3, 2, 0));
	const struct line_seat none = line_cell(c.state, line_payload(3, 0, 0));

	(void)state;
	assert_true(line_can_open(opens, c, parked));
	assert_false(line_can_open(opens, c, 3));
	assert_false(line_can_open(opens, c, parked + 1));
	assert_false(line_can_open(opens, none, parked));
	assert_false(line_can_open(closed_of(0, 1, 1, 0), c, parked));
}

static void an_opening_goes_on_until_it_is_over(void **state)
{
	const struct line_seat c = line_cell(state_word(5, 1, LINE_OPENING),
					     line_of_life(9) |
						     line_payload(3, 2, 0));
	const struct line_seat done = line_given_back(c, 7 * BIT(32));
	const struct line_seat next = line_go_on(done, 4, 1);

	(void)state;
	assert_int_equal(line_drive(0, 0, 1, c, 3, 5, 8), LINE_DRIVE_OPEN);
	assert_int_equal(line_drive(LINE_REMOVED, 0, 1, c, 3, 5, 8),
			 LINE_DRIVEN);
	assert_int_equal(done.state, state_word(5, 1, LINE_RELEASED) | BIT(13));
	assert_int_equal(line_payload_ticket(done.payload), 7);
	assert_true(line_goes_on(done.state));
	assert_int_equal(line_drive(0, 0, 1, done, 3, 5, 8), LINE_DRIVE_ON);
	assert_int_equal(next.state, state_word(6, 1, LINE_OPENING));
	assert_int_equal(next.payload, line_of_life(9) | line_payload(4, 1, 0));
	assert_int_equal(line_end(done).state, state_word(5, 0, LINE_FREE));
}

static void distances_over_the_end_of_a_block(void **state)
{
	const struct ticket a = { 4, 1 }, b = { 1, 1 }, c = { 3, 0 };
	/* M = 5: ISSUE (3,0), VALID (1,1) is three ahead */
	const uint64_t vacant = pointers(ticket(3, 0), ticket(1, 1));
	const uint64_t full = pointers(ticket(1, 1), ticket(3, 0));

	(void)state;
	assert_int_equal(line_distance(a, b, 5), 3);
	assert_int_equal(line_distance(b, b, 5), 0);
	assert_int_equal(line_distance(b, c, 5), 3);
	assert_int_equal(line_vacant(vacant, 5), 3);
	assert_int_equal(line_vacant(full, 5), 0);
	assert_int_equal(line_vacant(pointers(3, 3), 5), 0);
	assert_int_equal(line_vacant(pointers(1, 3), 5), 2);
	/* (4,0) is the first in line, (0,1) and (1,1) follow */
	assert_int_equal(line_position(full, ticket(4, 0), 5), 0);
	assert_int_equal(line_position(full, ticket(0, 1), 5), 1);
	assert_int_equal(line_position(full, ticket(1, 1), 5), 2);
}

/* ISSUE (1,1), VALID (3,0), M = 5: in line are (4,0), (0,1) and (1,1). */
static void who_is_before_and_who_is_after(void **state)
{
	const uint64_t s = pointers(ticket(1, 1), ticket(3, 0));

	(void)state;
	assert_int_equal(line_ticket_before(s, ticket(4, 0), 5), ticket(3, 0));
	assert_int_equal(line_ticket_before(s, ticket(0, 1), 5), ticket(4, 0));
	assert_int_equal(line_ticket_before(s, ticket(1, 1), 5), ticket(0, 1));
	assert_int_equal(line_ticket_after(s, ticket(3, 0), 5), ticket(4, 0));
	assert_int_equal(line_ticket_after(s, ticket(4, 0), 5), ticket(0, 1));
	assert_int_equal(line_ticket_after(s, ticket(0, 1), 5), ticket(1, 1));
	/* a block of one, as the model has it, always ends */
	assert_int_equal(
		line_ticket_before(pointers(ticket(0, 1), 0), ticket(0, 1), 1),
		0);
	assert_int_equal(line_ticket_after(pointers(ticket(0, 1), 0), 0, 1),
			 ticket(0, 1));
	/* the largest: no carry from the value into the colour */
	assert_int_equal(
		line_ticket_after(pointers(ticket(0, 3), 8190), 8190, 8191),
		ticket(0, 3));
	assert_int_equal(line_ticket_before(pointers(ticket(0, 3), 8190),
					    ticket(0, 3), 8191),
			 8190);
}

static void validity_and_the_heir(void **state)
{
	const uint64_t full = pointers(ticket(1, 1), ticket(3, 0));
	const uint64_t vacant = pointers(ticket(3, 0), ticket(1, 1));

	(void)state;
	assert_true(line_is_valid(full, ticket(3, 0)));
	assert_true(line_is_valid(full, ticket(4, 7)));
	assert_false(line_is_valid(full, ticket(4, 0)));
	assert_false(line_is_valid(full, ticket(0, 1)));
	assert_true(line_is_valid(vacant, ticket(3, 0)));
	assert_true(line_is_valid(vacant, ticket(1, 1)));
	assert_false(line_issue_is_valid(full));
	assert_true(line_issue_is_valid(vacant));
	assert_true(line_issue_is_valid(pointers(3, 3)));
	assert_true(line_has_heir(full));
	assert_false(line_has_heir(vacant));
	assert_true(line_has_heir(pointers(3, 3)));
	assert_false(line_has_heir(pointers(2, 3)));
	assert_true(line_has_heir(pointers(4, 3)));
}

static void in_a_hurry_an_error_is_on_the_side_of_no(void **state)
{
	(void)state;
	assert_true(line_issue_is_surely_valid(pointers(3, 3)));
	assert_true(line_issue_is_surely_valid(pointers(2, 3)));
	assert_false(line_issue_is_surely_valid(pointers(4, 3)));
	assert_false(line_has_surely_no_heir(pointers(3, 3)));
	assert_true(line_has_surely_no_heir(pointers(2, 3)));
	assert_true(line_has_surely_no_heir(pointers(0, 8190)));
	assert_false(line_has_surely_no_heir(pointers(4, 3)));
	/* VALID two tickets ahead, in another block: M = 5 */
	assert_false(line_issue_is_surely_valid(
		pointers(ticket(4, 1), ticket(1, 0))));
	assert_false(
		line_has_surely_no_heir(pointers(ticket(4, 1), ticket(1, 0))));
	/* a whole block apart, which M tickets never are */
	assert_false(line_issue_is_surely_valid(
		pointers(ticket(3, 0), ticket(3, 1))));
	assert_false(
		line_has_surely_no_heir(pointers(ticket(3, 0), ticket(3, 1))));
	/* two behind: never an error */
	assert_false(line_issue_is_surely_valid(
		pointers(ticket(1, 1), ticket(4, 0))));
	assert_false(line_issue_is_surely_valid(
		pointers(ticket(1, 0), ticket(4, 1))));
	assert_false(
		line_has_surely_no_heir(pointers(ticket(1, 0), ticket(4, 1))));
}

static void within_a_block_one_is_added(void **state)
{
	const uint64_t s = pointers(ticket(2, 0), ticket(3, 1));

	(void)state;
	assert_false(line_issue_ends_block(s, 5));
	assert_false(line_valid_ends_block(s, 5));
	assert_false(line_take_needs_colour(s, 5));
	assert_false(line_release_needs_colour(s, 5));
	/* a colour that is not needed is not looked at */
	assert_int_equal(line_take(s, 5, 9),
			 pointers(ticket(3, 0), ticket(3, 1)));
	assert_int_equal(line_release(s, 5, 9),
			 pointers(ticket(2, 0), ticket(4, 1)));
}

static void who_leads_needs_a_colour(void **state)
{
	const uint64_t issue = pointers(ticket(4, 2), ticket(3, 2));
	const uint64_t valid = pointers(ticket(3, 2), ticket(4, 2));
	const uint64_t both = pointers(ticket(4, 2), ticket(4, 2));
	const uint64_t other = pointers(ticket(4, 2), ticket(0, 7));
	const uint64_t behind = pointers(ticket(0, 7), ticket(4, 2));

	(void)state;
	assert_true(line_issue_ends_block(issue, 5));
	assert_false(line_valid_ends_block(issue, 5));
	assert_true(line_take_needs_colour(issue, 5));
	assert_int_equal(line_take(issue, 5, 9),
			 pointers(ticket(0, 9), ticket(3, 2)));
	assert_false(line_release_needs_colour(issue, 5));

	assert_true(line_valid_ends_block(valid, 5));
	assert_true(line_release_needs_colour(valid, 5));
	assert_false(line_take_needs_colour(valid, 5));
	assert_int_equal(line_release(valid, 5, 9),
			 pointers(ticket(3, 2), ticket(0, 9)));

	assert_true(line_take_needs_colour(both, 5));
	assert_true(line_release_needs_colour(both, 5));

	/* the other one follows into the block that was begun */
	assert_false(line_take_needs_colour(other, 5));
	assert_int_equal(line_take(other, 5, 9),
			 pointers(ticket(0, 7), ticket(0, 7)));
	assert_false(line_release_needs_colour(behind, 5));
	assert_int_equal(line_release(behind, 5, 9),
			 pointers(ticket(0, 7), ticket(0, 7)));
}

static void colours_are_a_set_of_512(void **state)
{
	uint64_t set[8] = { 0 };

	(void)state;
	assert_int_equal(LINE_COLOUR_WORDS, LENGTH(set));
	assert_int_equal(line_new_colour(set), 0);
	for (uint32_t i = 0; i < 511; i++) {
		line_use_colour(set, ticket(i * 7 % 8191, i));
		assert_int_equal(set[i / 64] >> i % 64, 1);
		assert_int_equal(line_new_colour(set), i + 1);
	}
	/* the least one, wherever it is */
	set[2] &= ~BIT(3);
	assert_int_equal(line_new_colour(set), 131);
	line_use_colour(set, ticket(0, 131));
	assert_int_equal(line_new_colour(set), 511);
}

/* --- seats ---------------------------------------------------------------- */

static void an_operation_and_its_phases(void **state)
{
	(void)state;
	assert_int_equal(line_begin(state_word(6, 0, LINE_IDLE), LINE_TAKING),
			 state_word(7, 0, LINE_TAKING));
	assert_int_equal(
		line_to_phase(state_word(7, 0, LINE_TAKING), LINE_HAVE),
		state_word(7, 0, LINE_HAVE));
	/* D is kept */
	assert_int_equal(
		line_begin(state_word(7, 1, LINE_HAVE), LINE_RELEASING),
		state_word(8, 1, LINE_RELEASING));
	assert_int_equal(
		line_to_phase(state_word(8, 1, LINE_RELEASED), LINE_FREE),
		state_word(8, 1, LINE_FREE));
	assert_int_equal(line_pass(state_word(8, 1, LINE_RELEASING),
				   LINE_RELEASING, LINE_IDLE),
			 state_word(8, 1, LINE_IDLE));
	assert_int_equal(line_pass(state_word(8, 0, LINE_TAKING), LINE_TAKING,
				   LINE_HAVE),
			 state_word(8, 0, LINE_HAVE));
	assert_int_equal(line_mark(state_word(8, 0, LINE_HAVE)),
			 state_word(8, 1, LINE_HAVE));
	assert_int_equal(line_mark(state_word(8, 1, LINE_HAVE)),
			 state_word(8, 1, LINE_HAVE));
}

static void who_claims_a_seat_joins_at_the_next_seq(void **state)
{
	(void)state;
	assert_seat(line_claim(seat(6, 0, LINE_FREE, 0), 5),
		    state_word(7, 0, LINE_JOINING), of_life(5));
	/* of what was there nothing is left */
	assert_seat(line_claim(seat(6, 0, LINE_FREE, 0x6005 + of_life(9)), 5),
		    state_word(7, 0, LINE_JOINING), of_life(5));
	assert_seat(line_claim(seat(0, 0, LINE_FREE, 0), LINE_LIFE_MAX),
		    state_word(1, 0, LINE_JOINING), of_life(BIT(30) - 1));
}

static void a_take_is_written_down(void **state)
{
	const uint64_t s = pointers(0x6005, 0x8007);

	(void)state;
	assert_seat(line_taken(seat(7, 0, LINE_TAKING, 0xabc), s),
		    state_word(7, 0, LINE_HAVE), 0x6005);
	assert_seat(line_taken(seat(7, 1, LINE_TAKING, 0xabc), s),
		    state_word(7, 1, LINE_HAVE), 0x6005);
	assert_seat(line_taken(seat(7, 1, LINE_TAKING, of_life(9) + 0xabc), s),
		    state_word(7, 1, LINE_HAVE), of_life(9) + 0x6005);
}

/* died: was it inside?  Else it passes on what it was not told. */
static void a_dead_ones_slot_is_given_back(void **state)
{
	const uint64_t inside = 0x6005 + 2 * BIT(22), outside = 0x6005;
	const uint64_t quiet = 0x6005 + 9 * BIT(23), told = quiet + BIT(22);
	const uint64_t next = state_word(8, 1, LINE_RELEASING);
	const uint64_t payload = 0x6005 + 5 * BIT(22);

	(void)state;
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE, inside), 4, quiet),
		    next, payload + BIT(32));
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE, inside), 4, told),
		    next, payload + BIT(32));
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE, outside), 4, quiet),
		    next, payload);
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE, outside), 4, told),
		    next, payload + BIT(32));
	/* it is no longer kept, and whose it was does not change */
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE,
					of_life(9) + BIT(33) + inside),
				   4, quiet),
		    next, of_life(9) + payload + BIT(32));
	/* nor was there a death if it was left to guests: of several, none of them */
	assert_seat(line_give_back(seat(7, 1, LINE_HAVE, BIT(33) + inside), 4,
				   quiet),
		    next, payload);
	assert_seat(
		line_give_back(line_cell(state_word(7, 1, LINE_HAVE) + (2 << 4),
					 BIT(33) + inside),
			       4, quiet),
		next + (2 << 4), payload);
	assert_seat(
		line_give_back(line_cell(state_word(7, 1, LINE_HAVE) + (2 << 4),
					 of_life(9) + inside),
			       4, quiet),
		next + (2 << 4) + (1 << 14), of_life(9) + payload + BIT(32));
}

static void a_release_is_written_down(void **state)
{
	const uint64_t s = pointers(0x6005, 0x8007);
	const uint64_t payload = 0x6004 + 2 * BIT(22) + BIT(32);

	(void)state;
	assert_seat(line_given_back(seat(8, 0, LINE_RELEASING, payload), s),
		    state_word(8, 0, LINE_RELEASED), 0x8007);
	assert_seat(line_given_back(seat(8, 1, LINE_RELEASING, payload), s),
		    state_word(8, 1, LINE_RELEASED), 0x8007);
	assert_seat(
		line_given_back(
			seat(8, 0, LINE_RELEASING, of_life(9) + payload), s),
		state_word(8, 0, LINE_RELEASED), of_life(9) + 0x8007);
}

static void the_end_depends_on_d(void **state)
{
	(void)state;
	assert_seat(line_end(seat(8, 1, LINE_RELEASED, 0x8007)),
		    state_word(8, 0, LINE_FREE), 0);
	assert_seat(line_end(seat(8, 1, LINE_TAKING, 0)),
		    state_word(8, 0, LINE_FREE), 0);
	assert_seat(line_end(seat(8, 1, LINE_JOINING, of_life(9))),
		    state_word(8, 0, LINE_FREE), 0);
	assert_seat(line_end(seat(8, 0, LINE_RELEASED, 0x8007)),
		    state_word(8, 0, LINE_IDLE), 0x8007);
	/* a free seat is nobody's, one that is not stays its owner's */
	assert_seat(line_end(seat(8, 1, LINE_RELEASED, of_life(9) + 0x8007)),
		    state_word(8, 0, LINE_FREE), 0);
	assert_seat(line_end(seat(8, 0, LINE_RELEASED, of_life(9) + 0x8007)),
		    state_word(8, 0, LINE_IDLE), of_life(9) + 0x8007);
}

static void an_armed_word_is_odd(void **state)
{
	(void)state;
	assert_int_equal(line_armed(state_word(6, 1, LINE_HAVE)), 13);
	assert_int_equal(line_armed(state_word(0, 0, LINE_HAVE)), 1);
	/* the half on which the kernel waits is not 0 */
	assert_int_equal(line_armed(state_word(BIT(31), 0, LINE_HAVE)),
			 BIT(32) + 1);
}

/* While it joins, the bell is that of the owner before. */
static void the_bell_tells_of_all_but_joiners(void **state)
{
	(void)state;
	for (uint64_t phase = LINE_FREE; phase <= LINE_JOINING; phase++) {
		for (uint64_t d = 0; d < 2; d++) {
			const struct line_seat c = seat(7, d, phase, 0);

			assert_false(line_is_told(c, LINE_NOBODY));
			assert_false(line_is_told(c, LINE_ALIVE));
			assert_int_equal(line_is_told(c, LINE_DIED),
					 phase != LINE_JOINING);
		}
	}
}

/* --- decisions ------------------------------------------------------------ */

static void what_settle_finds(void **state)
{
	const enum line_settle found[] = {
		[LINE_FREE] = LINE_SETTLED,
		[LINE_IDLE] = LINE_SETTLED,
		[LINE_TAKING] = LINE_SETTLE_TAKE,
		[LINE_HAVE] = LINE_SETTLED,
		[LINE_RELEASING] = LINE_SETTLE_RELEASE,
		[LINE_RELEASED] = LINE_SETTLED,
		[LINE_JOINING] = LINE_SETTLED,
	};

	const uint64_t s = pointers(0x6009, 0x8007);

	(void)state;
	for (uint32_t phase = 0; phase < LENGTH(found); phase++) {
		for (uint32_t d = 0; d < 2; d++) {
			const struct line_seat c = seat(7, d, phase, 0x6009);

			assert_int_equal(line_settle(0x70003, s, c),
					 found[phase]);
			assert_int_equal(line_settle(0x60003, s, c),
					 LINE_SETTLED);
			/* W's tag may be ahead of what was given up */
			assert_int_equal(line_settle(0x80003, s, c),
					 d && phase == LINE_HAVE ?
						 LINE_SETTLE_EXCHANGE :
						 LINE_SETTLED);
		}
	}
}

/* A release made S: its ticket is the next to be taken, or is not. */
static void what_has_been_handed_back(void **state)
{
	const uint64_t s = pointers(0x6009, 0x8007);

	(void)state;
	assert_int_equal(
		line_settle(0x70003, s, seat(7, 0, LINE_RELEASING, 0x600a)),
		LINE_SETTLE_BACK);
	assert_int_equal(
		line_settle(0x70003, s,
			    seat(7, 1, LINE_RELEASING, 0x600a + BIT(22))),
		LINE_SETTLE_BACK);
	assert_int_equal(
		line_settle(0x70003, s, seat(7, 0, LINE_RELEASING, 0x800a)),
		LINE_SETTLE_RELEASE);
	assert_int_equal(
		line_settle(0x60003, s, seat(7, 0, LINE_RELEASING, 0x600a)),
		LINE_SETTLED);
	assert_int_equal(line_settle(0x70003, s, seat(7, 0, LINE_HAVE, 0x600a)),
			 LINE_SETTLED);
}

/* A take, undone; where the colour before is not known, it cannot be. */
static void a_ticket_goes_back(void **state)
{
	const uint64_t before = pointers(0x6009, 0x8007);
	const uint64_t s = line_issue_on(before);

	(void)state;
	assert_true(line_can_hand_back(s));
	assert_int_equal(line_hand_back(s), before);
	assert_true(line_handed_back(before, line_issue(s)));
	assert_false(line_handed_back(s, line_issue(s)));
	assert_false(line_can_hand_back(pointers(0x6000, 0x8007)));
	assert_false(line_can_hand_back(0)); /* it waited */
}

/* A ticket given up was the last one, or has been exchanged for the next one; in blocks
   of 12. */
static void what_became_of_a_ticket(void **state)
{
	enum { M = 12 };
	const struct {
		uint32_t valid, before, ticket, after;
	} last[] = { { 0x8007, 0x6003, 0x6004, 0x6005 },
		     { 0x8007, 0x800b, 0x6000, 0x6001 },
		     { 0x8007, 0x8007, 0x8008, 0x8009 },
		     { 0x6007, 0x600a, 0x600b, 0xa000 } };

	(void)state;
	for (size_t i = 0; i < LENGTH(last); i++) {
		const struct line_seat c = seat(7, 1, LINE_HAVE,
						of_life(3) + last[i].ticket);
		const uint64_t s = pointers(last[i].ticket, last[i].valid);
		const uint64_t retracted = line_retract(s, last[i].ticket, M);
		const uint64_t more = pointers(last[i].after, last[i].valid);
		uint32_t ticket;

		assert_int_equal(retracted,
				 pointers(last[i].before, last[i].valid));
		assert_int_equal(line_settle(0x80003, retracted, c),
				 LINE_SETTLE_RETRACT);
		assert_int_equal(line_settle(0x80003, more, c),
				 LINE_SETTLE_EXCHANGE);
		assert_true(line_is_out(0x80003, more, 2, c, &ticket));
		assert_false(line_is_out(0x80003, retracted, 2, c, &ticket));
		assert_true(line_is_out(0x70003, s, 2, c, &ticket));
		assert_seat(line_retracted(c), 8 * 0x10000 + LINE_FREE, 0);
		assert_seat(line_moved_back(c, more, M),
			    8 * 0x10000 + 8 + LINE_HAVE,
			    of_life(3) + last[i].after);
		assert_int_equal(line_drive(0x80003, retracted, 2, c,
					    last[i].ticket, 7, M),
				 LINE_DRIVE_SETTLE);
		assert_int_equal(
			line_drive(0x70003, s, 2, c, last[i].ticket, 7, M),
			LINE_DRIVE_RETRACT);
		assert_int_equal(
			line_drive(0x70003, more, 2, c, last[i].ticket, 7, M),
			LINE_DRIVEN);
		assert_int_equal(line_drive_waiting(0x70003, more, 2, c,
						    last[i].ticket, 7,
						    last[i].after, M),
				 LINE_DRIVE_EXCHANGE);
		/* nor for who waits farther back, or has given up nothing */
		assert_int_equal(line_drive_waiting(0x70003, more, 2, c,
						    last[i].ticket, 7,
						    last[i].after + 1, M),
				 LINE_DRIVEN);
		assert_int_equal(line_drive_waiting(
					 0x70003, more, 2,
					 seat(7, 0, LINE_HAVE, last[i].ticket),
					 last[i].ticket, 7, last[i].after, M),
				 LINE_DRIVEN);
	}
}

static void what_a_slot_shows(void **state)
{
	const uint64_t s = pointers(0x6009, 0x8007);
	const struct line_seat c = seat(7, 0, LINE_RELEASING,
					0x6005 + 2 * BIT(22) + BIT(32));

	(void)state;
	assert_int_equal(line_put(0x6005 + 9 * BIT(24), c, s), LINE_PUT);
	assert_int_equal(line_put(0x6005 + BIT(22), c, s), LINE_PUT);
	assert_int_equal(line_put(0x8007 + 9 * BIT(24), c, s), LINE_PUT_DONE);
	assert_int_equal(line_put(0x8007 + BIT(22), c, s), LINE_PUT_DONE);
	assert_int_equal(line_put(0x8008 + 9 * BIT(24), c, s), LINE_PUT_PAST);
	/* not ISSUE */
	assert_int_equal(line_put(0x6009, c, s), LINE_PUT_PAST);
}

/* How seat 2 is driven, on which D was seen at seq d; tickets up to 4 are
   valid. */
static enum line_drive driven(uint64_t t, uint64_t d, struct line_seat c)
{
	return line_drive(t, pointers(7, 4), 2, c,
			  line_payload_ticket(c.payload), d, 12);
}

static void how_a_dead_seat_is_driven(void **state)
{
	const uint64_t tags[] = { 0, 0x70003, 0x60003, 0x70002, LINE_REMOVED };

	(void)state;
	for (size_t i = 0; i < LENGTH(tags); i++) {
		const uint64_t t = tags[i];

		for (uint64_t d = 6; d <= 8; d++) {
			assert_int_equal(driven(t, d, seat(7, 1, LINE_FREE, 0)),
					 LINE_DRIVEN);
			assert_int_equal(driven(t, d, seat(7, 1, LINE_IDLE, 0)),
					 LINE_DRIVE_FREE);
			assert_int_equal(
				driven(t, d, seat(7, 1, LINE_JOINING, 0)),
				LINE_DRIVE_FREE);
			assert_int_equal(driven(t, d, seat(7, 1, LINE_HAVE, 4)),
					 LINE_DRIVE_GIVE);
			assert_int_equal(driven(t, d, seat(7, 1, LINE_HAVE, 5)),
					 LINE_DRIVEN);
			assert_int_equal(
				driven(t, d, seat(7, 1, LINE_RELEASING, 4)),
				LINE_DRIVE_RELEASE);
			assert_int_equal(
				driven(t, d, seat(7, 1, LINE_RELEASED, 5)),
				LINE_DRIVE_RELEASED);
			assert_int_equal(
				driven(t, d, seat(7, 1, LINE_TAKING, 0)),
				d != 7	     ? LINE_DRIVE_AGAIN :
				t == 0x70003 ? LINE_DRIVE_SETTLE :
					       LINE_DRIVE_FREE);
			for (uint64_t phase = 0; phase <= 6; phase++)
				assert_int_equal(
					driven(t, d, seat(7, 0, phase, 4)),
					LINE_DRIVEN);
		}
	}
	/* of HAVE's payload only the ticket counts */
	assert_int_equal(driven(0, 7, seat(7, 1, LINE_HAVE, 4 + 2 * BIT(22))),
			 LINE_DRIVE_GIVE);
	assert_int_equal(driven(0, 7, seat(7, 1, LINE_HAVE, of_life(3) + 4)),
			 LINE_DRIVE_GIVE);
	assert_int_equal(driven(0, 7, seat(7, 1, LINE_HAVE, of_life(3) + 5)),
			 LINE_DRIVEN);
}

/* --- a walk --------------------------------------------------------------- */

/*
 * A line whose tickets are numbered without bound: the first is 1, those up to
 * valid are valid, those up to issue are taken.  Number i is (i mod m, the
 * colour of block i div m).
 */
enum { STEPS = 60000, SEATS = 8191 };

static struct walk {
	uint32_t k, seats, m;
	uint64_t s;
	uint32_t issue, valid;
	uint32_t colour[STEPS + 2]; /* of a block */
	uint32_t slot[511];	    /* the numbers that are valid */
	uint32_t out[SEATS];	    /* those that are taken, oldest first */
	uint32_t count;
	uint32_t most_colours;
	uint32_t seed;
} walk;

static uint32_t draw(uint32_t limit)
{
	walk.seed = walk.seed * 1664525 + 1013904223;
	return (walk.seed >> 8) % limit;
}

static uint32_t numbered(uint32_t i)
{
	return ticket(i % walk.m, walk.colour[i / walk.m]);
}

/* A new colour for the block that begins with number i. */
static void begin_block(uint32_t i)
{
	uint64_t set[LINE_COLOUR_WORDS] = { 0 };
	uint32_t colour, used = 0;

	for (uint32_t s = 0; s < walk.k; s++)
		line_use_colour(set, numbered(walk.slot[s]));
	colour = line_new_colour(set);
	assert_in_range(colour, 0, walk.k);
	for (uint32_t s = 0; s < walk.k; s++)
		assert_int_not_equal(colour,
				     walk.colour[walk.slot[s] / walk.m]);
	for (size_t w = 0; w < LINE_COLOUR_WORDS; w++)
		used += (uint32_t)__builtin_popcountll(set[w]);
	if (used > walk.most_colours)
		walk.most_colours = used;
	walk.colour[i / walk.m] = colour;
}

static void take(void)
{
	uint32_t i = walk.issue + 1;
	int ends = walk.issue % walk.m == walk.m - 1;
	int needs = ends && walk.issue >= walk.valid;

	assert_int_equal(!!line_issue_ends_block(walk.s, walk.m), ends);
	assert_int_equal(!!line_take_needs_colour(walk.s, walk.m), needs);
	if (needs)
		begin_block(i);
	walk.s = line_take(walk.s, walk.m,
			   needs ? walk.colour[i / walk.m] : 500);
	for (uint32_t j = 0; j < walk.count; j++)
		assert_int_not_equal(numbered(walk.out[j]), numbered(i));
	walk.issue = walk.out[walk.count++] = i;
}

/* The ticket at this position of those out. */
static void release(uint32_t at)
{
	uint32_t i = walk.valid + 1, s = 0;
	int ends = walk.valid % walk.m == walk.m - 1;
	int needs = ends && walk.valid >= walk.issue;

	assert_int_equal(!!line_valid_ends_block(walk.s, walk.m), ends);
	assert_int_equal(!!line_release_needs_colour(walk.s, walk.m), needs);
	if (needs)
		begin_block(i);
	walk.s = line_release(walk.s, walk.m,
			      needs ? walk.colour[i / walk.m] : 500);
	while (walk.slot[s] != walk.out[at])
		s++;
	walk.valid = walk.slot[s] = i;
	walk.count--;
	memmove(&walk.out[at], &walk.out[at + 1],
		(walk.count - at) * sizeof(*walk.out));
}

static void check_ticket(uint32_t number)
{
	int valid = number <= walk.valid;

	assert_int_equal(!!line_is_valid(walk.s, numbered(number)), valid);
	if (valid)
		return;
	assert_int_equal(line_position(walk.s, numbered(number), walk.m),
			 number - walk.valid - 1);
	assert_int_equal(line_ticket_before(walk.s, numbered(number), walk.m),
			 numbered(number - 1));
	assert_int_equal(
		line_ticket_after(walk.s, numbered(number - 1), walk.m),
		numbered(number));
}

static void check_walk(void)
{
	uint32_t from = draw(64), block_of_valid = walk.valid / walk.m;

	assert_int_equal(walk.s,
			 pointers(numbered(walk.issue), numbered(walk.valid)));
	assert_int_equal(line_vacant(walk.s, walk.m),
			 walk.valid > walk.issue ? walk.valid - walk.issue : 0);
	assert_int_equal(!!line_has_heir(walk.s), walk.valid <= walk.issue);
	assert_int_equal(!!line_issue_is_valid(walk.s),
			 walk.issue <= walk.valid);
	if (walk.issue > walk.valid || walk.issue / walk.m == block_of_valid)
		assert_int_equal(!!line_issue_is_surely_valid(walk.s),
				 walk.issue <= walk.valid);
	if (walk.issue >= walk.valid || walk.issue / walk.m == block_of_valid)
		assert_int_equal(!!line_has_surely_no_heir(walk.s),
				 walk.issue < walk.valid);
	/* the first and the last, and if there are many, some between */
	for (uint32_t i = 0; i < walk.count; i++) {
		if (walk.count <= 64 || i % 64 == from || i < 2 ||
		    i + 2 >= walk.count)
			check_ticket(walk.out[i]);
	}
}

/* How many of those out are valid: the first ones. */
static uint32_t holders(void)
{
	uint32_t waiting = walk.issue > walk.valid ? walk.issue - walk.valid :
						     0;

	return walk.count - waiting;
}

/*
 * It fills up and empties by turns, until so many are left.  Mostly the
 * youngest releases, so that old tickets stay and many colours are in use.
 */
static void walk_of(uint32_t k, uint32_t seats, uint32_t least)
{
	uint32_t m = 1 + seats;
	uint32_t steps = 300 * m < STEPS ? 300 * m : STEPS;
	int fills = 1;

	walk = (struct walk){ .k = k, .seats = seats, .m = m, .valid = k };
	walk.s = line_start(k, 0, line_block_of(seats, k));
	for (uint32_t s = 0; s < k; s++) {
		walk.slot[s] = s + 1;
		assert_int_equal(line_start_slot(s, k, 0, m), numbered(s + 1));
	}
	for (uint32_t i = 0; i < steps; i++) {
		int rather = draw(4) ? fills : !fills;
		uint32_t held = holders();

		if (walk.count < seats && (rather || !held))
			take();
		else
			release(draw(m) ? held - 1 : draw(2) ? 0 : draw(held));
		check_walk();
		if (walk.count <= least || walk.count == seats)
			fills = walk.count <= least;
	}
	assert_true(walk.issue > 3 * m);
}

static void pointers_walk_as_numbers_do(void **state)
{
	const uint32_t sizes[][2] = {
		{ 1, 2 },   { 1, 3 },	  { 2, 3 },    { 2, 4 },
		{ 2, 5 },   { 3, 4 },	  { 3, 8 },    { 7, 8 },
		{ 8, 16 },  { 1, 16 },	  { 15, 16 },  { 8, 64 },
		{ 65, 66 }, { 256, 600 }, { 1, 8191 }, { 511, 512 },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++)
		walk_of(sizes[i][0], sizes[i][1], 0);
}

static void a_walk_through_more_than_64_colours(void **state)
{
	(void)state;
	walk_of(200, 210, 199);
	assert_true(walk.most_colours > 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ticket_has_13_and_9_bits),
		cmocka_unit_test(s_has_issue_below_valid),
		cmocka_unit_test(a_slot_has_ticket_died_and_stamp),
		cmocka_unit_test(a_state_has_phase_d_and_seq),
		cmocka_unit_test(a_payload_has_ticket_slot_and_died),
		cmocka_unit_test(a_payload_may_be_kept),
		cmocka_unit_test(a_payload_says_whose_seat_it_is),
		cmocka_unit_test(another_payload_is_of_the_same_owner),
		cmocka_unit_test(a_tag_is_seq_and_seat),
		cmocka_unit_test(limits),
		cmocka_unit_test(units_are_in_a_state_above_d),
		cmocka_unit_test(
			a_range_is_its_last_ticket_and_its_first_colour),
		cmocka_unit_test(several_are_as_many_takes),
		cmocka_unit_test(one_alone_always_has_room),
		cmocka_unit_test(whom_a_valid_ticket_concerns),
		cmocka_unit_test(a_dead_seat_gives_several_back),
		cmocka_unit_test(a_block_is_one_more_than_can_be_between),
		cmocka_unit_test(at_the_start_k_tickets_are_valid),
		cmocka_unit_test(closed_slots_have_old_tickets),
		cmocka_unit_test(the_aim_is_changed_alone),
		cmocka_unit_test(is_steady_if_as_many_are_closed_as_shall_be),
		cmocka_unit_test(a_release_closes_a_slot_or_validates),
		cmocka_unit_test(an_opening_validates_the_next_ticket),
		cmocka_unit_test(who_waits_keeps_a_line_from_being_empty),
		cmocka_unit_test(a_slot_is_parked_and_opened),
		cmocka_unit_test(only_a_parked_slot_with_its_ticket_is_opened),
		cmocka_unit_test(an_opening_goes_on_until_it_is_over),
		cmocka_unit_test(distances_over_the_end_of_a_block),
		cmocka_unit_test(who_is_before_and_who_is_after),
		cmocka_unit_test(validity_and_the_heir),
		cmocka_unit_test(in_a_hurry_an_error_is_on_the_side_of_no),
		cmocka_unit_test(within_a_block_one_is_added),
		cmocka_unit_test(who_leads_needs_a_colour),
		cmocka_unit_test(colours_are_a_set_of_512),
		cmocka_unit_test(an_operation_and_its_phases),
		cmocka_unit_test(who_claims_a_seat_joins_at_the_next_seq),
		cmocka_unit_test(a_take_is_written_down),
		cmocka_unit_test(a_dead_ones_slot_is_given_back),
		cmocka_unit_test(a_release_is_written_down),
		cmocka_unit_test(the_end_depends_on_d),
		cmocka_unit_test(an_armed_word_is_odd),
		cmocka_unit_test(the_bell_tells_of_all_but_joiners),
		cmocka_unit_test(what_settle_finds),
		cmocka_unit_test(what_has_been_handed_back),
		cmocka_unit_test(a_ticket_goes_back),
		cmocka_unit_test(what_became_of_a_ticket),
		cmocka_unit_test(what_a_slot_shows),
		cmocka_unit_test(how_a_dead_seat_is_driven),
		cmocka_unit_test(pointers_walk_as_numbers_do),
		cmocka_unit_test(a_walk_through_more_than_64_colours),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
