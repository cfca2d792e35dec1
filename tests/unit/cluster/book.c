/* SPDX-License-Identifier: MIT */
/*
 * book - what is kept in a store: every value is read as it was written, and what is not
 * ours is refused.
 */
#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/book.h"

/* The one number of our format. */
#define OURS "\"format\":1,"
#define COUNTERS                                                               \
	"\"grants\":0,\"recovered\":0,\"abandoned\":0,\"longest_wait\":0,"

/* Whatever was there before must not matter. */
enum { DIRT = 0x5a };

#define assert_round_trip(type, value, text)                                   \
	do {                                                                   \
		struct book_##type back_;                                      \
		char *first_ = book_##type##_text(value), *second_;            \
		assert_non_null(first_);                                       \
		assert_string_equal(first_, text);                             \
		memset(&back_, DIRT, sizeof(back_));                           \
		assert_int_equal(book_read_##type(first_, &back_), 0);         \
		second_ = book_##type##_text(&back_);                          \
		assert_non_null(second_);                                      \
		assert_string_equal(second_, first_);                          \
		free(first_);                                                  \
		free(second_);                                                 \
	} while (0)

#define assert_refused(type, text, error)                                      \
	do {                                                                   \
		struct book_##type back_;                                      \
		assert_int_equal(book_read_##type(text, &back_), error);       \
	} while (0)

/* --- what is ours ----------------------------------------------------------- */

static void w_is_read_as_written(void **state)
{
	struct book_w w = {
		.rules = { .k = 511,
			   .m = BOOK_BLOCK,
			   .taken = 3,
			   .issue = { BOOK_BLOCK - 1, 7 },
			   .valid = { 0, INT32_MAX },
			   .held = { [0] = 1, [1] = 2, [7] = 1ULL << 63 } },
		.waiting = BOOK_BLOCK,
		.grants = 1LL << 53,
		.recovered = 1,
		.abandoned = 2,
		.longest_wait = 3,
	};
	struct book_w back, none = { .rules.m = BOOK_BLOCK };

	(void)state;
	assert_round_trip(w, &w,
			  "{\"abandoned\":2,\"format\":1,"
			  "\"grants\":9007199254740992,"
			  "\"issue\":[1048575,7],\"k\":511,"
			  "\"longest_wait\":3,\"recovered\":1,"
			  "\"slots\":[0,65,511],\"valid\":[0,2147483647],"
			  "\"waiting\":1048576}");
	assert_round_trip(w, &none,
			  "{\"abandoned\":0,\"format\":1,\"grants\":0,"
			  "\"issue\":[0,0],\"k\":0,\"longest_wait\":0,"
			  "\"recovered\":0,\"slots\":[],"
			  "\"valid\":[0,0],\"waiting\":0}");
	assert_int_equal(
		book_read_w("{" OURS
			    "\"k\":5,\"issue\":[1,2],\"valid\":[3,4]," COUNTERS
			    "\"slots\":[0,64],\"waiting\":6}",
			    &back),
		0);
	assert_int_equal(back.rules.k, 5);
	assert_int_equal(back.rules.m, BOOK_BLOCK);
	assert_int_equal(back.rules.issue.value, 1);
	assert_int_equal(back.rules.issue.colour, 2);
	assert_int_equal(back.rules.valid.value, 3);
	assert_int_equal(back.rules.valid.colour, 4);
	assert_int_equal(back.rules.taken, 2);
	assert_int_equal(back.rules.held[0], 1);
	assert_int_equal(back.rules.held[1], 1);
	assert_int_equal(back.waiting, 6);
}

static void seats_are_read_as_written(void **state)
{
	struct book_seat s = { .phase = BOOK_HOLDS,
			       .units = 2,
			       .last = { 5, 6 },
			       .fence = INT64_MAX,
			       .since = 8,
			       .slots = { 511, 0 } };

	(void)state;
	assert_round_trip(seat, &s,
			  "{\"fence\":9223372036854775807,\"format\":1,"
			  "\"phase\":\"holds\",\"since\":8,\"slots\":[511,0],"
			  "\"ticket\":[5,6],\"units\":2}");
	/* slots are written by those who hold them */
	s.phase = BOOK_WAITS;
	s.fence = 0;
	assert_round_trip(seat, &s,
			  "{\"fence\":0,\"format\":1,\"phase\":\"waits\","
			  "\"since\":8,\"slots\":[],\"ticket\":[5,6],"
			  "\"units\":2}");
	s = (struct book_seat){ .phase = BOOK_OUT };
	assert_round_trip(seat, &s,
			  "{\"fence\":0,\"format\":1,\"phase\":\"out\","
			  "\"since\":0,\"slots\":[],\"ticket\":[0,0],"
			  "\"units\":0}");
}

static void every_slot_can_be_held(void **state)
{
	struct book_seat s = { .phase = BOOK_HOLDS,
			       .units = RULES_SLOTS_MAX - 1 };
	struct book_seat back;
	char *text;

	(void)state;
	for (uint32_t i = 0; i < s.units; i++)
		s.slots[i] = RULES_SLOTS_MAX - 1 - i;
	text = book_seat_text(&s);
	assert_non_null(text);
	assert_int_equal(book_read_seat(text, &back), 0);
	assert_int_equal(back.units, s.units);
	assert_memory_equal(back.slots, s.slots, sizeof(s.slots));
	free(text);
}

static void requests_are_read_as_written(void **state)
{
	struct book_ask take = { .kind = BOOK_ASK_TAKE, .units = 3 };
	struct book_ask leave = { .kind = BOOK_ASK_LEAVE,
				  .units = 2,
				  .slots = { 4, 3 } };
	struct book_waiter waiter = { .id = "0123456789abcdef",
				      .units = 2,
				      .since = 7 };

	(void)state;
	assert_round_trip(ask, &take,
			  "{\"asks\":\"take\",\"format\":1,\"slots\":[],"
			  "\"units\":3}");
	assert_round_trip(ask, &leave,
			  "{\"asks\":\"leave\",\"format\":1,\"slots\":[4,3],"
			  "\"units\":2}");
	assert_round_trip(waiter, &waiter,
			  "{\"format\":1,\"id\":\"0123456789abcdef\","
			  "\"since\":7,\"units\":2}");
}

static void people_are_read_as_written(void **state)
{
	struct book_person p = { .host = "here",
				 .comm = "a \"b\" \\",
				 .pid = INT32_MAX,
				 .uid = UINT32_MAX };

	(void)state;
	assert_round_trip(person, &p,
			  "{\"comm\":\"a \\\"b\\\" \\\\\",\"format\":1,"
			  "\"host\":\"here\",\"pid\":2147483647,"
			  "\"uid\":4294967295}");
}

/* --- what is not ------------------------------------------------------------- */

/* Each is W, a seat, a request, a waiter and a person but for one thing. */
static const char *const not_json[] = {
	"",
	"hello",
	"{",
	"[]",
	"1",
	"null",
	"{}",
	"{\"format\":\"1\"}",
	"{\"format\":1.0}",
	"\"\"",
	"{\"format\":1}x",
	"{\"format\":1,\"format\":1}",
	"[1,2]",
	"{\"format\":null}",
	"{\"format\":1}",
};

#define EACH(text, error)                                                      \
	do {                                                                   \
		assert_refused(w, text, error);                                \
		assert_refused(seat, text, error);                             \
		assert_refused(ask, text, error);                              \
		assert_refused(waiter, text, error);                           \
		assert_refused(person, text, error);                           \
	} while (0)

static void what_is_no_value_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(not_json) / sizeof(*not_json); i++)
		EACH(not_json[i], -EPROTO);
	EACH(NULL, -EPROTO);
}

static void another_format_is_refused_as_such(void **state)
{
	(void)state;
	EACH("{\"format\":0}", -EPROTONOSUPPORT);
	EACH("{\"format\":2}", -EPROTONOSUPPORT);
	EACH("{\"format\":-1}", -EPROTONOSUPPORT);
	/* whatever else it says */
	EACH("{\"format\":2,\"k\":-1,\"units\":\"many\",\"id\":3}",
	     -EPROTONOSUPPORT);
}

/* The value of one field, as text; null: it is missing. */
struct field {
	const char *name, *good;
	const char *bad[10];
};

#define NUMBERS "-1", "1.5", "\"1\"", "null", "[]", "true"
#define TICKETS                                                                \
	"[0]", "[0,0,0]", "[-1,0]", "[0,-1]", "[1048576,0]", "[0,2147483648]", \
		"{}", "[\"0\",0]", "[0,null]", "0"

static const struct field w_fields[] = {
	{ "k", "3", { NUMBERS, "512" } },
	{ "issue", "[0,0]", { TICKETS } },
	{ "valid", "[3,0]", { TICKETS } },
	{ "slots",
	  "[0,2]",
	  { "[0,2,0]", "[512]", "[-1]", "[null]", "[\"0\"]", "0", "{}",
	    "[1.0]" } },
	{ "waiting", "0", { NUMBERS, "1048577" } },
	{ "grants", "0", { NUMBERS, "9007199254740993" } },
	{ "recovered", "0", { NUMBERS, "9007199254740993" } },
	{ "abandoned", "0", { NUMBERS, "9007199254740993" } },
	{ "longest_wait", "0", { NUMBERS } },
	{ 0 },
};

static const struct field seat_fields[] = {
	{ "phase",
	  "\"holds\"",
	  { "\"waits\"", "\"out\"", "\"Holds\"", "\"\"", "2", "null",
	    "\"holds \"" } },
	{ "units", "2", { NUMBERS, "512", "1", "3" } },
	{ "ticket", "[3,0]", { TICKETS } },
	{ "fence", "0", { NUMBERS } },
	{ "since", "1", { NUMBERS } },
	{ "slots",
	  "[0,2]",
	  { "[2,2]", "[0,512]", "[0]", "[0,1,2]", "[0,-1]" } },
	{ 0 },
};

static const struct field leave_fields[] = {
	{ "asks", "\"leave\"", { "\"take\"", "\"Leave\"", "\"\"", "1" } },
	{ "units", "1", { NUMBERS, "512", "0", "2" } },
	{ "slots", "[5]", { "[]", "[5,5]", "[512]", "[-5]", "5" } },
	{ 0 },
};

static const struct field take_fields[] = {
	{ "asks", "\"take\"", { "\"leave\"" } },
	{ "units", "1", { NUMBERS, "512", "0" } },
	{ "slots", "[]", { "[1]" } },
	{ 0 },
};

static const struct field wait_fields[] = {
	{ "phase", "\"waits\"", { "\"out\"", "\"holds\"" } },
	{ "units", "1", { NUMBERS, "512", "0" } },
	{ "ticket", "[3,0]", { TICKETS } },
	{ "fence", "0", { NUMBERS } },
	{ "since", "1", { NUMBERS } },
	{ "slots", "[]", { "[1]" } },
	{ 0 },
};

static const struct field waiter_fields[] = {
	{ "id",
	  "\"7\"",
	  { "7", "null", "\"\"", "\"../7\"",
	    "\"0123456789012345678901234567890123456789\"" } },
	{ "units", "1", { NUMBERS, "512", "0" } },
	{ "since", "0", { NUMBERS } },
	{ 0 },
};

static const struct field person_fields[] = {
	{ "host",
	  "\"h\"",
	  { "1", "null",
	    "\"0123456789012345678901234567890123456789012345678901234567"
	    "8901234\"" } },
	{ "comm", "\"c\"", { "1", "null", "\"0123456789abcdef\"" } },
	{ "pid", "1", { NUMBERS, "2147483648" } },
	{ "uid", "0", { NUMBERS, "4294967296" } },
	{ 0 },
};

/* An object of these fields, but that of one is other. */
static const char *object(const struct field *fields, const struct field *one,
			  const char *other)
{
	static char text[1024];
	size_t at = 0;

	at += (size_t)snprintf(text, sizeof(text), "{\"format\":1");
	for (const struct field *f = fields; f->name; f++) {
		const char *value = f == one ? other : f->good;

		if (value)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       ",\"%s\":%s", f->name, value);
	}
	snprintf(text + at, sizeof(text) - at, "}");
	return text;
}

#define assert_each_field_matters(type, fields)                                \
	do {                                                                   \
		struct book_##type back_;                                      \
		assert_of(object(fields, NULL, NULL),                          \
			  !book_read_##type(object(fields, NULL, NULL),        \
					    &back_));                          \
		for (const struct field *f_ = (fields); f_->name; f_++) {      \
			assert_of(object(fields, f_, NULL),                    \
				  book_read_##type(object(fields, f_, NULL),   \
						   &back_) == -EPROTO);        \
			for (size_t i_ = 0; i_ < 10 && f_->bad[i_]; i_++)      \
				assert_of(                                     \
					object(fields, f_, f_->bad[i_]),       \
					book_read_##type(object(fields, f_,    \
								f_->bad[i_]),  \
							 &back_) == -EPROTO);  \
		}                                                              \
	} while (0)

static void every_field_of_w_matters(void **state)
{
	(void)state;
	assert_each_field_matters(w, w_fields);
}

static void every_field_of_a_seat_matters(void **state)
{
	(void)state;
	assert_each_field_matters(seat, seat_fields);
	assert_each_field_matters(seat, wait_fields);
}

static void every_field_of_a_request_matters(void **state)
{
	(void)state;
	assert_each_field_matters(ask, leave_fields);
	assert_each_field_matters(ask, take_fields);
	assert_each_field_matters(waiter, waiter_fields);
}

static void every_field_of_a_person_matters(void **state)
{
	(void)state;
	assert_each_field_matters(person, person_fields);
}

/* Each once; one less than there are numbers for. */
static void more_slots_than_there_can_be_are_refused(void **state)
{
	char text[8192];

	(void)state;
	for (int most = RULES_SLOTS_MAX - 1; most <= RULES_SLOTS_MAX; most++) {
		struct book_w back;
		size_t at = (size_t)snprintf(
			text, sizeof(text),
			"{" OURS COUNTERS "\"k\":1,\"issue\":[0,0],"
			"\"valid\":[0,0],\"waiting\":0,\"slots\":[");

		for (int i = 0; i < most; i++)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%d,", i);
		snprintf(text + at - 1, sizeof(text) - at, "]}");
		assert_int_equal(book_read_w(text, &back),
				 most < RULES_SLOTS_MAX ? 0 : -EPROTO);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(w_is_read_as_written),
		cmocka_unit_test(seats_are_read_as_written),
		cmocka_unit_test(every_slot_can_be_held),
		cmocka_unit_test(requests_are_read_as_written),
		cmocka_unit_test(people_are_read_as_written),
		cmocka_unit_test(what_is_no_value_is_refused),
		cmocka_unit_test(another_format_is_refused_as_such),
		cmocka_unit_test(every_field_of_w_matters),
		cmocka_unit_test(every_field_of_a_seat_matters),
		cmocka_unit_test(every_field_of_a_request_matters),
		cmocka_unit_test(every_field_of_a_person_matters),
		cmocka_unit_test(more_slots_than_there_can_be_are_refused),
	};

	return cmocka_run_group_tests_name("book", tests, NULL, NULL);
}
