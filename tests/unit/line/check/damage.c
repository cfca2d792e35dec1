/* SPDX-License-Identifier: MIT */
/* damage - wicket_check names each kind of damage done to a copy of a line in use.
   An operation in progress is not damage. */
#include "../check.h"

static void the_copy_is_right(void **state)
{
	(void)state;
	assert_int_equal(check_untouched(copy_file), 0);
	assert_int_equal(told.notes, 5); /* nobody lives there */
	for (uint32_t i = 0; i < SEATS; i++)
		assert_int_equal(line_phase(copy.seats[i].word.low),
				 i < 4	? LINE_HAVE :
				 i == 4 ? LINE_IDLE :
					  LINE_FREE);
}

/* One field, what is put there, and the words by which that is told. */
struct damage {
	size_t at;
	uint32_t size;
	uint64_t change; /* exclusive or */
	const char *told;
};

#define HEADER(field)                                                          \
	offsetof(struct header, field), sizeof(((struct header *)0)->field)
#define W_S 264, 8
#define W_T 256, 8

static const struct damage damages[] = {
	{ HEADER(version), 1, "wrong: header: it was made by a newer" },
	{ HEADER(version), 4, "wrong: header: it was made by an older" },
	{ HEADER(libc), 1, "wrong: header: it was made with another libc" },
	{ HEADER(bytes), 0x80, "wrong: header: bytes" },
	{ HEADER(slots), 2, "wrong: header: no line has that number of slots" },
	{ HEADER(slots), 0x200,
	  "wrong: header: no line has that number of sl" },
	{ HEADER(slots), 1, "wrong: header: no line has that number of slots" },
	{ HEADER(seats), 6, "wrong: header: no line with these slots" },
	{ HEADER(seats), 0x2000, "wrong: header: no line with these slots" },
	{ HEADER(seats), 1, "wrong: header: block" },
	{ HEADER(block), 1, "wrong: header: block" },
	{ HEADER(map_at), 1, "wrong: header: map" },
	{ HEADER(slots_max), 2,
	  "wrong: header: no line has that number of sl" },
	{ HEADER(slots_max), 0x200,
	  "wrong: header: no line has that number of sl" },
	{ HEADER(slots_max), 4, "wrong: header: no line with these slots" },
	{ HEADER(boot), 1, "note: boot" },
	{ HEADER(used), 0x100, "wrong: header: used" },
	{ HEADER(used), 4, "wrong: SEAT 1: taken or left, though nobody ever" },
	{ W_S, 0x1f, "wrong: W: ISSUE (" },
	{ W_S, 0x6000, "wrong: W: ISSUE (" },
	{ W_S, 0x400000, "wrong: W: 1 slots are closed, but 0 are marked so" },
	{ W_S, 0x1000000, "wrong: W: 4 slots are closed and 0 shall be, of 2" },
	{ W_S, 0x1f00000000, "wrong: W: VALID (" },
	{ W_S, 0x100000000000000,
	  "wrong: W: 0 slots are closed and 4 shall be, of 2" },
	{ W_S, 0x8000000000000000, "wrong: W: S has a bit that means nothing" },
	{ W_T, 0x18, "wrong: W: the tag names seat" },
	{ W_T, 0x100000000, "wrong: W: the tag names operation" },
};

static void put(const struct damage *d)
{
	uint64_t word = 0;
	char *at = (char *)copy.area + d->at;
	size_t size = d->size < sizeof(word) ? d->size : sizeof(word);

	memcpy(&word, at, size);
	word ^= d->change;
	memcpy(at, &word, size);
}

static void damage_to_a_field_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(damages); i++) {
		put(&damages[i]);
		assert_true(check_untouched(copy_file) >= 0);
		if (!strstr(told.text, damages[i].told))
			fail_msg("%zu: not told: %s; but: %s", i,
				 damages[i].told, told.text);
		put(&damages[i]);
	}
	assert_right(copy_file);
}

static void assert_wrong(const char *words)
{
	assert_true(check_untouched(copy_file) > 0);
	assert_told(words);
	mend();
}

static void damage_to_w_is_named(void **state)
{
	(void)state;
	copy.w->high -= line_valid_on(0);
	assert_wrong("wrong: W: by ISSUE and VALID 5 tickets are out, not 4");
	copy.w->high = line_valid_on(copy.w->high);
	assert_wrong("wrong: W: by ISSUE and VALID 3 tickets are out, not 4");
	copy.w->high -= line_issue_on(0); /* same colour, too high a value */
	assert_wrong("wrong: SEAT 3: its ticket (4,0) is neither valid nor in");
	for (int i = 0; i < 5; i++) /* for the two who wait, and three more */
		copy.w->high = line_release(copy.w->high, copy.block, 1);
	assert_wrong("wrong: W: VALID is 3 ahead of ISSUE, with 2 slots");
	copy.w->low = 0;
	assert_wrong("wrong: W: the tag says that nobody has come yet");
	copy.w->low = LINE_REMOVED;
	assert_wrong("wrong: W: removed, though 4 tickets are out");
	copy.w->low += LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
	copy.w->low -= LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
}

static void damage_to_a_slot_is_named(void **state)
{
	(void)state;
	copy.slot[0] |= 0x1fff;
	assert_wrong("wrong: SLOT 0: (8191,");
	copy.slot[1] |= 0x3fe000;
	assert_wrong("wrong: SLOT 1: (");
	copy.slot[1] = copy.slot[0];
	assert_wrong("wrong: SLOT 1: has the ticket of slot 0");
	copy.slot[1] = line_payload_ticket(copy.seats[2].word.high);
	assert_wrong("wrong: SEAT 1: no slot has its valid ticket");
	copy.slot[1] = line_payload_ticket(copy.seats[2].word.high);
	assert_wrong("wrong: SLOT 1: nobody has its ticket");
}

static void damage_to_a_state_is_named(void **state)
{
	union pair *seat = &copy.seats[0].word;

	(void)state;
	copy.seats[0].range = 0x80000000;
	assert_wrong("wrong: RANGE 0: 0x80000000 is none of tickets");
	copy.seats[0].range = 0x1fff; /* of two: no value is so great */
	seat->low |= 0x20;
	assert_wrong("wrong: RANGE 0: 0x1fff is none of tickets");
	copy.seats[0].range = line_payload_ticket(seat->high);
	seat->low |= 0x20; /* the other one is somebody else's, or nobody's */
	assert_wrong("wrong: ");
	seat->low |= 0x2000; /* HAVE does not go on */
	assert_wrong("wrong: SEAT 0: state has bits");
	seat->low |= 0x30;
	assert_wrong("wrong: SEAT 0: phase 3 does not go with 3 units");
	seat->low |= 0x4000;
	assert_wrong("wrong: SEAT 0: phase 3 does not go with 0 units");
	seat->low = line_to_phase(seat->low, LINE_FREE);
	assert_wrong("wrong: SEAT 0: free, but not empty");
	copy.seats[4].word.low =
		line_mark(line_to_phase(copy.seats[4].word.low, LINE_FREE));
	copy.seats[4].word.high = 0;
	assert_wrong("wrong: SEAT 4: free, but not empty");
	seat->low = line_to_phase(seat->low, LINE_IDLE);
	assert_wrong("wrong: W: by ISSUE and VALID 4 tickets are out, not 3");
	seat->low = line_to_phase(seat->low, LINE_RELEASED);
	assert_wrong("wrong: SEAT 0: payload");
	copy.seats[5].word.low = line_state(1, LINE_IDLE);
	assert_wrong("wrong: SEAT 5: taken or left, though nobody ever sat");
	/* the last to take a ticket is seat 3 */
	copy.seats[3].word.low += LINE_NEXT;
	assert_wrong("wrong: W: the tag names operation");
}

static void damage_to_a_payload_is_named(void **state)
{
	(void)state;
	copy.seats[0].word.high |= (uint64_t)1 << 40;
	assert_wrong("wrong: SEAT 0: of a life that nobody has begun");
	copy.seats[0].word.high |= 0x1fff;
	assert_wrong("wrong: SEAT 0: (8191,");
	copy.seats[0].word.high |= 0x20000000;
	assert_wrong("wrong: SEAT 0: there is no slot 128");
	copy.seats[0].word.high |= (uint64_t)1 << LINE_PAYLOAD_DIED_BIT;
	assert_wrong("wrong: SEAT 0: payload");
	copy.seats[2].word.high = line_keep(copy.seats[2].word.high);
	assert_wrong("wrong: SEAT 2: payload");
	copy.seats[1].word.high = copy.seats[0].word.high;
	assert_wrong("wrong: SEAT 1: seat 0 has its ticket");
	copy.seats[0].word.high ^= 0xc00000;
	assert_wrong("wrong: SEAT 0: in slot 1, but");
	copy.seats[2].word.high |= 0x400000;
	assert_wrong("wrong: SEAT 2: in slot 0, but");
	copy.seats[2].word.high = copy.seats[3].word.high;
	assert_wrong("wrong: SEAT 3: another one has its ticket");
	copy.seats[3].word.high = copy.seats[2].word.high;
	assert_wrong("wrong: SEAT 3: took the last ticket, but has another");
}

static void damage_to_the_rest_is_named(void **state)
{
	(void)state;
	copy.seats[0].word.high &= line_of_life(1) - 1;
	assert_wrong("wrong: SEAT 0: taken, but by nobody whose death");
	copy.seats[5].bell.__data.__kind = 0;
	assert_wrong("wrong: BELL 5: not a mutex");
	copy.seats[2].fut = line_armed(copy.seats[2].word.low) + 2;
	assert_wrong("wrong: FUT 2: ");
	copy.seats[4].fut = 2;
	assert_wrong("wrong: FUT 4: ");
	copy.hint[1] = 5;
	assert_wrong("wrong: HINT 1: names seat 5, where nobody ever sat");
}

/* What happens between two steps is no damage, and what must follow is seen. */
static void half_a_release_is_right(void **state)
{
	union pair *seat = &copy.seats[0].word;
	struct line_seat mine = line_cell(seat->low, seat->high);
	uint64_t next = line_valid_on(copy.w->high);

	(void)state;
	seat->low = line_begin(seat->low, LINE_RELEASING);
	assert_right(copy_file);
	copy.w->high = next;
	copy.w->low = line_tag(seat->low, 0);
	assert_right(copy_file);
	copy.slot[0] = line_slot_next(copy.slot[0], line_valid(next), 0);
	assert_right(copy_file);
	copy.slot[0] = line_slot_next(copy.slot[0], line_issue(next), 0);
	assert_true(check(copy_file) > 0);
	assert_told("wrong: SLOT 0: neither the ticket that seat 0 gives back");
	copy.slot[0] = line_slot_next(copy.slot[0], line_valid(next), 0);
	seat->low = line_to_phase(seat->low, LINE_RELEASED);
	seat->high = line_new_payload(mine, line_valid(next), 0, 0);
	assert_right(copy_file);
	seat->high = line_new_payload(mine, line_issue(next), 0, 0);
	assert_wrong("wrong: SEAT 0: validated the last ticket, but says");
}

/* Seat 2 has given up, and 3 waits with the next ticket, the last one. */
static void half_an_exchange_is_right(void **state)
{
	union pair *dead = &copy.seats[2].word, *last = &copy.seats[3].word;
	struct line_seat given = line_cell(dead->low, dead->high);
	uint32_t ticket = line_payload_ticket(given.payload);

	(void)state;
	copy.w->low = line_tag_of_next(dead->low, 2);
	assert_right(copy_file);
	last->high -= line_issue(copy.w->high) - ticket;
	assert_right(copy_file);
	given = line_moved_back(given, copy.w->high, copy.block);
	dead->low = given.state;
	dead->high = given.payload;
	assert_right(copy_file);
	/* it has the last one now, which is taken back */
	copy.w->low = line_tag_of_next(dead->low, 2);
	assert_true(check(copy_file) > 0);
	assert_told("wrong: W: the tag names operation");
	copy.w->high = line_retract(copy.w->high, line_issue(copy.w->high),
				    copy.block);
	assert_right(copy_file);
	given = line_retracted(given);
	dead->low = given.state;
	dead->high = given.payload;
	assert_right(copy_file);
	copy.w->high = line_retract(copy.w->high, line_issue(copy.w->high),
				    copy.block);
	assert_wrong("wrong: SEAT 3: its ticket");
}

static void many_findings_are_counted(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < copy.block; i++)
		copy.hint[i] = 999;
	for (uint32_t i = 0; i < SEATS; i++) {
		copy.seats[i].bell.__data.__kind = 0;
		copy.seats[i].word.high = UINT64_MAX;
		copy.seats[i].word.low = 0x4007;
		copy.seats[i].fut = 2;
	}
	copy.area->used = SEATS;
	copy.w->high = UINT64_MAX;
	copy.slot[0] = copy.slot[1] = UINT64_MAX;
	assert_int_equal(check(copy_file),
			 (int)copy.block + 4 * SEATS + 3 + 2 + 1);
	assert_int_equal(told.wrong, 32);
	assert_told("note: 17 more things are wrong");
	mend();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		COPY_TEST(the_copy_is_right),
		COPY_TEST(damage_to_a_field_is_named),
		COPY_TEST(damage_to_w_is_named),
		COPY_TEST(damage_to_a_slot_is_named),
		COPY_TEST(damage_to_a_state_is_named),
		COPY_TEST(damage_to_a_payload_is_named),
		COPY_TEST(damage_to_the_rest_is_named),
		COPY_TEST(half_a_release_is_right),
		COPY_TEST(half_an_exchange_is_right),
		COPY_TEST(many_findings_are_counted),
	};

	return cmocka_run_group_tests_name("check-damage", tests, make_dir,
					   remove_dir);
}
