/* SPDX-License-Identifier: MIT */
/*
 * desk - a line as it was read, what the rules make of it, and the transaction: every
 * comparison and action of it, each key once.
 */
#include "../unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/desk.h"

static const struct desk_names names = { .prefix = "p/line/", .id = "me" };

/* --- a reply, by hand --------------------------------------------------------- */

enum { PAIRS = 32, SHOWN = 8192 };

/* What the store would have answered: W, the own seat, the own live key, what was
   announced, and who waits. */
static struct {
	struct store_reply reply;
	struct store_pair pair[5][PAIRS];
	char *text[3 * 5 * PAIRS];
	size_t texts;
} hand;

enum { W_, SEAT_, LIVE_, ASKS_, LINE_ };

static char *keep(char *text)
{
	assert_non_null(text);
	return hand.text[hand.texts++] = text;
}

static void add(int where, const char *key, char *value, int64_t changed,
		int64_t created)
{
	struct store_pairs *got = &hand.reply.got[where];

	assert_in_range(got->count, 0, PAIRS - 1);
	hand.pair[where][got->count++] = (struct store_pair){
		.key = keep(strdup(key)),
		.value = keep(value),
		.changed = changed,
		.created = created,
	};
}

static int begin(void **state)
{
	(void)state;
	memset(&hand, 0, sizeof(hand));
	hand.reply.succeeded = true;
	hand.reply.revision = 1000;
	hand.reply.gets = 5;
	for (int i = 0; i < 5; i++)
		hand.reply.got[i].pair = hand.pair[i];
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (size_t i = 0; i < hand.texts; i++)
		free(hand.text[i]);
	return 0;
}

static struct ticket ticket(uint64_t number)
{
	return (struct ticket){ (uint32_t)(number % BOOK_BLOCK),
				(uint32_t)(number / BOOK_BLOCK) };
}

/* k slots, of which the first are held; ISSUE and VALID by number. */
static void add_w(uint32_t k, uint32_t held, uint64_t issue, uint64_t valid,
		  uint32_t waiting)
{
	struct book_w w = { .rules = { .k = k,
				       .m = BOOK_BLOCK,
				       .issue = ticket(issue),
				       .valid = ticket(valid) },
			    .waiting = waiting };

	for (uint32_t i = 0; i < held; i++)
		w.rules.held[i / 64] |= 1ULL << i % 64;
	add(W_, "p/line/w", book_w_text(&w), 100, 1);
}

static void add_live(void)
{
	add(LIVE_, "p/line/live/me", strdup(""), 90, 90);
}

static struct book_seat holding(uint32_t first, uint32_t units)
{
	struct book_seat s = { .phase = BOOK_HOLDS,
			       .units = units,
			       .last = { 1, 0 },
			       .since = 5 };

	for (uint32_t i = 0; i < units; i++)
		s.slots[i] = first + i;
	return s;
}

static struct book_seat waiting(uint64_t last, uint32_t units)
{
	return (struct book_seat){ .phase = BOOK_WAITS,
				   .units = units,
				   .last = ticket(last) };
}

static void add_seat(struct book_seat s)
{
	add(SEAT_, "p/line/seat/me", book_seat_text(&s), 95, 91);
}

static void add_take(const char *id, uint32_t units, int64_t changed)
{
	struct book_ask a = { .kind = BOOK_ASK_TAKE, .units = units };
	char key[64];

	snprintf(key, sizeof(key), "p/line/ask/%s", id);
	add(ASKS_, key, book_ask_text(&a), changed, changed);
}

static void add_leave(const char *id, uint32_t first, uint32_t units,
		      int64_t changed)
{
	struct book_ask a = { .kind = BOOK_ASK_LEAVE, .units = units };
	char key[64];

	for (uint32_t i = 0; i < units; i++)
		a.slots[i] = first + i;
	snprintf(key, sizeof(key), "p/line/ask/%s", id);
	add(ASKS_, key, book_ask_text(&a), changed, changed);
}

static void add_waiter(const char *id, uint64_t last, uint32_t units)
{
	struct book_waiter w = { .units = units };
	char key[64];

	snprintf(w.id, sizeof(w.id), "%s", id);
	snprintf(key, sizeof(key), "p/line/line/%020" PRIu64, last);
	add(LINE_, key, book_waiter_text(&w), 80, 80);
}

static struct desk desk;

static void read_it(void)
{
	assert_int_equal(desk_read(&hand.reply, &desk), 0);
}

/* Whoever asks is one whose own seat this is. */
static void leave(const char *id, const struct book_seat *seat)
{
	desk.seat = *seat;
	desk_do(&desk, LEAVE, id, 0);
}

/* Who is of the transaction. */
static const struct party *party(const char *id)
{
	for (uint32_t i = 0; i < desk.t.parties; i++) {
		if (!strcmp(desk.party[i].id, id))
			return &desk.t.party[i];
	}
	fail_msg("%s is no party", id);
	return NULL;
}

/* --- a transaction, as text --------------------------------------------------- */

static void show(char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void show(char *text, const char *format, ...)
{
	size_t at = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + at, SHOWN - at, format, args);
	va_end(args);
}

static const char *bare(const char *key)
{
	assert_memory_equal(key, names.prefix, strlen(names.prefix));
	return key + strlen(names.prefix);
}

static void show_slots(char *text, const struct book_seat *s)
{
	for (uint32_t i = 0; i < s->units; i++)
		show(text, "%s%" PRIu32, i ? "," : " ", s->slots[i]);
}

static void show_w(char *text, const char *value)
{
	struct book_w w;

	assert_int_equal(book_read_w(value, &w), 0);
	show(text,
	     "+w k%" PRIu32 " held%" PRIu32 " %" PRIu64 "/%" PRIu64
	     " waiting%" PRIu32 "\n",
	     w.rules.k, w.rules.taken, rules_number(&w.rules, w.rules.issue),
	     rules_number(&w.rules, w.rules.valid), w.waiting);
}

static void show_seat(char *text, const char *key, const char *value)
{
	const struct rules_w w = { .m = BOOK_BLOCK };
	struct book_seat s;

	assert_int_equal(book_read_seat(value, &s), 0);
	assert_int_equal(s.fence, 0);
	show(text, "+%s", bare(key));
	if (s.phase == BOOK_OUT) {
		show(text, " out\n");
		return;
	}
	show(text, " %s %" PRIu64, s.phase == BOOK_HOLDS ? "holds" : "waits",
	     rules_number(&w, s.last));
	if (s.phase == BOOK_HOLDS)
		show_slots(text, &s);
	else
		show(text, " %" PRIu32, s.units);
	show(text, "\n");
}

static void show_waiter(char *text, const char *key, const char *value)
{
	struct book_waiter w;

	assert_int_equal(book_read_waiter(value, &w), 0);
	show(text, "+%s %s %" PRIu32 "\n", bare(key), w.id, w.units);
}

static void show_action(char *text, const struct store_action *a)
{
	assert_int_equal(a->lease, 0);
	assert_null(a->end);
	if (a->kind == STORE_DELETE)
		show(text, "-%s\n", bare(a->key));
	else if (!strcmp(bare(a->key), "w"))
		show_w(text, a->value);
	else if (!strncmp(bare(a->key), "seat/", 5))
		show_seat(text, a->key, a->value);
	else
		show_waiter(text, a->key, a->value);
}

/* Two changes of one key are refused by the store; reading it is none. */
static void assert_each_key_once(const struct draft *d)
{
	for (size_t i = 0; i < d->thens; i++) {
		for (size_t j = 0; j < i && d->then[i].kind != STORE_GET; j++)
			assert_string_not_equal(d->then[i].key, d->then[j].key);
	}
	for (size_t i = 0; i < d->compares; i++) {
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(d->compare[i].key,
						d->compare[j].key);
	}
}

/* Comparisons are =KEY@REVISION, puts +, deletes -, in the order of the draft. */
static void assert_writes(const char *expected)
{
	struct draft *d = calloc(1, sizeof(*d));
	char text[SHOWN] = "";

	assert_non_null(d);
	desk_write(&desk, &names, d);
	assert_int_equal(d->error, 0);
	assert_int_equal(d->otherwises, 0);
	assert_each_key_once(d);
	for (size_t i = 0; i < d->compares; i++) {
		assert_int_equal(d->compare[i].what, STORE_CHANGED);
		show(text, "=%s@%" PRId64 "\n", bare(d->compare[i].key),
		     d->compare[i].revision);
	}
	for (size_t i = 0; i < d->thens; i++)
		show_action(text, &d->then[i]);
	draft_free(d);
	free(d);
	assert_string_equal(text, expected);
}

/* --- reading --------------------------------------------------------------------- */

static void one_reading_asks_for_everything(void **state)
{
	struct draft *d = calloc(1, sizeof(*d));

	(void)state;
	assert_non_null(d);
	desk_ask_all(&names, d, draft_get_if_done);
	desk_ask_all(&names, d, draft_get_if_refused);
	assert_int_equal(d->error, 0);
	assert_int_equal(d->compares, 0);
	assert_int_equal(d->thens, 5);
	/* whether it was done or refused */
	assert_int_equal(d->otherwises, 5);
	for (int i = 0; i < 5; i++) {
		assert_string_equal(d->then[i].key, d->otherwise[i].key);
		assert_int_equal(d->then[i].limit, d->otherwise[i].limit);
	}
	assert_string_equal(d->then[W_].key, "p/line/w");
	assert_null(d->then[W_].end);
	assert_string_equal(d->then[SEAT_].key, "p/line/seat/me");
	assert_string_equal(d->then[LIVE_].key, "p/line/live/me");
	assert_true(d->then[LIVE_].keys_only);
	assert_string_equal(d->then[ASKS_].key, "p/line/ask/");
	assert_string_equal(d->then[ASKS_].end, "p/line/ask0");
	assert_int_equal(d->then[ASKS_].limit, TRANSACTION_ASKS);
	assert_true(d->then[ASKS_].by_creation);
	assert_string_equal(d->then[LINE_].key, "p/line/line/");
	assert_string_equal(d->then[LINE_].end, "p/line/line0");
	assert_int_equal(d->then[LINE_].limit, TRANSACTION_WAITERS);
	assert_false(d->then[LINE_].by_creation);
	assert_false(d->then[LINE_].keys_only);
	draft_free(d);
	free(d);
}

static void an_empty_store_is_read(void **state)
{
	(void)state;
	read_it();
	assert_false(desk.has_w);
	assert_false(desk.has_seat);
	assert_false(desk.lives);
	assert_int_equal(desk.revision, 1000);
	assert_int_equal(desk.asks, 0);
	assert_int_equal(desk.waiters, 0);
}

static void a_reply_is_read(void **state)
{
	(void)state;
	add_w(3, 2, BOOK_BLOCK + 3, 2, 2);
	add_seat(holding(1, 1));
	add_live();
	add_take("a", 2, 70);
	add_leave("b", 0, 1, 71);
	add_waiter("c", BOOK_BLOCK + 1, 2);
	add_waiter("d", BOOK_BLOCK + 3, 2);
	hand.reply.got[LINE_].more = true;
	read_it();
	assert_true(desk.has_w && desk.has_seat && desk.lives);
	assert_int_equal(desk.w_revision, 100);
	assert_int_equal(desk.seat_revision, 95);
	assert_int_equal(desk.live_revision, 90);
	assert_int_equal(desk.seat.slots[0], 1);
	assert_int_equal(desk.asks, 2);
	assert_string_equal(desk.ask[0].id, "a");
	assert_int_equal(desk.ask[0].revision, 70);
	assert_int_equal(desk.ask[1].ask.kind, BOOK_ASK_LEAVE);
	assert_int_equal(desk.waiters, 2);
	assert_true(desk.more_wait);
	assert_string_equal(desk.waiter[1].waiter.id, "d");
	/* a block ends between its tickets and those before */
	assert_int_equal(desk.waiter[0].request.before.value, BOOK_BLOCK - 1);
	assert_int_equal(desk.waiter[0].request.before.colour, 0);
	assert_int_equal(desk.waiter[0].request.last.value, 1);
	assert_int_equal(desk.waiter[0].request.last.colour, 1);
}

static void what_is_not_ours_is_refused(void **state)
{
	static const char other[] = "{\"format\":2}";

	for (int where = W_; where <= LINE_; where++) {
		if (where == LIVE_) /* its value is not asked for */
			continue;
		begin(state);
		if (where != W_)
			add_w(3, 0, 0, 3, 0);
		add(where, where == LINE_ ? "p/line/line/y" : "p/line/ask/y",
		    strdup("garbage"), 1, 1);
		assert_int_equal(desk_read(&hand.reply, &desk), -EPROTO);
		free(hand.pair[where][0].value);
		hand.texts--;
		hand.pair[where][0].value = keep(strdup(other));
		assert_int_equal(desk_read(&hand.reply, &desk),
				 -EPROTONOSUPPORT);
		end(state);
	}
	begin(state);
	hand.reply.gets = 4;
	assert_int_equal(desk_read(&hand.reply, &desk), -EPROTO);
	hand.reply.gets = 5;
	add_w(3, 0, 0, 3, 0);
	add_take("an-id-that-is-longer-than-any-that-there-is", 1, 1);
	assert_int_equal(desk_read(&hand.reply, &desk), -EPROTO);
}

/* --- values that each can be, but not together --------------------------------------- */

static void assert_does_not_fit(const char *key, const char *words)
{
	assert_int_equal(desk_read(&hand.reply, &desk), -EPROTO);
	assert_memory_equal(desk.problem, key, strlen(key));
	if (!strstr(desk.problem, words))
		fail_msg("%s, not: %s", desk.problem, words);
	end(NULL);
	begin(NULL);
}

static void valid_ahead_of_all_slots_is_refused(void **state)
{
	const uint64_t end_of_all = (uint64_t)INT32_MAX * BOOK_BLOCK;

	(void)state;
	add_w(1, 0, 0, end_of_all - 1, 0);
	assert_does_not_fit("p/line/w: ", "VALID is ahead of ISSUE by");
	add_w(511, 511, 0, 1, 0);
	assert_does_not_fit("p/line/w: ", "VALID is ahead of ISSUE by 1,");
	add_w(511, 0, 0, 512, 0);
	assert_does_not_fit("p/line/w: ", "VALID is ahead of ISSUE by 512,");
	add_w(511, 0, 1022, 1022, 2);
	add_waiter("x", 511, 511);
	add_waiter("y", 1022, 511);
	assert_does_not_fit("p/line/w: ", "VALID is ahead of the first");
	add_w(1, 0, end_of_all, end_of_all, 0);
	assert_does_not_fit("p/line/w: ", "no more tickets");
}

static void a_line_that_is_none_is_refused(void **state)
{
	(void)state;
	add_w(2, 0, 2, 0, 2);
	add_waiter("x", 2, 1);
	add_waiter("y", 2, 1);
	assert_does_not_fit("p/line/line/00000000000000000002: ",
			    "tickets of the one before");
	add_w(3, 0, 3, 0, 2);
	add_waiter("x", 2, 1);
	add_waiter("y", 3, 2);
	assert_does_not_fit("p/line/line/00000000000000000003: ",
			    "tickets of the one before");
	add_w(1, 0, 1, 0, 1);
	add_waiter("x", 2, 1);
	assert_does_not_fit("p/line/line/00000000000000000002: ",
			    "never issued");
	add_w(3, 0, 3, 0, 2);
	add_waiter("x", 1, 1);
	add_waiter("x", 2, 1);
	assert_does_not_fit("p/line/line/00000000000000000002: ", "twice");
}

static void another_count_of_those_who_wait_is_refused(void **state)
{
	(void)state;
	add_w(1, 0, 9, 0, 0);
	add_waiter("x", 1, 1);
	assert_does_not_fit("p/line/w: ", "waiting is 0, and 1");
	add_w(1, 0, 9, 0, 2);
	add_waiter("x", 1, 1);
	assert_does_not_fit("p/line/w: ", "waiting is 2, and 1");
	add_w(1, 0, 9, 0, 1);
	add_waiter("x", 1, 1);
	add_waiter("y", 2, 1);
	hand.reply.got[LINE_].more = true;
	assert_does_not_fit("p/line/w: ", "waiting is 1, and at least 2");
	add_w(1, 0, 3, 0, 4);
	add_waiter("x", 1, 1);
	hand.reply.got[LINE_].more = true;
	assert_does_not_fit("p/line/w: ", "more wait (4)");
}

static void what_the_line_does_not_know_is_refused(void **state)
{
	(void)state;
	add_w(2, 1, 1, 2, 0);
	add_seat(holding(1, 1));
	assert_does_not_fit("p/line/seat/me: ", "holds slots");
	add_w(2, 2, 2, 2, 0);
	add_seat(waiting(2, 1));
	assert_does_not_fit("p/line/seat/me: ", "waits");
	add_w(2, 1, 1, 2, 0);
	add_leave("x", 0, 2, 70);
	assert_does_not_fit("p/line/ask/x: ", "not held");
	add_w(2, 1, 1, 2, 0);
	add_take("x/y", 1, 70);
	assert_does_not_fit("p/line/ask/x/y: ", "no value");
}

/* What a line can be like after k was made less, and many gave up. */
static void what_can_be_is_read(void **state)
{
	(void)state;
	add_w(0, 500, 9, 20, 0);
	read_it();
	end(state);
	begin(state);
	add_w(1, 9, BOOK_BLOCK, 13, 1);
	add_waiter("x", 18, 9);
	read_it();
	end(state);
	begin(state);
	add_w(1, 1, BOOK_BLOCK + 9, 1, 2);
	add_waiter("x", BOOK_BLOCK - 1, 2);
	add_waiter("me", BOOK_BLOCK + 2, 2);
	add_seat(waiting(BOOK_BLOCK + 2, 2));
	read_it();
}

/* It gives back nothing: not a slot that is free, nor a place in line. */
static void what_a_dead_one_never_had_is_not_given_back(void **state)
{
	struct book_seat holds = holding(1, 2), waits = waiting(2, 1);

	(void)state;
	add_w(2, 1, 2, 3, 0);
	read_it();
	desk_reap(&desk, "dead", &holds);
	assert_writes("=w@100\n"
		      "+w k2 held1 2/3 waiting0\n"
		      "-seat/dead\n");
	read_it();
	desk_reap(&desk, "dead", &waits);
	assert_writes("=w@100\n"
		      "+w k2 held1 2/3 waiting0\n"
		      "-seat/dead\n");
}

/* The rules do not rely on whoever read it. */
static void wrong_values_stay_within_their_bounds(void **state)
{
	struct rules_w w = { .k = 511, .m = BOOK_BLOCK, .valid = { 1022, 0 } };
	struct rules_request r = { .last = { 511, 0 }, .units = 511 };
	uint64_t slots[RULES_SET];

	(void)state;
	assert_true(rules_serve(&w, &r, slots));
	assert_int_equal(w.taken, 511);
	assert_false(rules_serve(&w, &r, slots));
	assert_int_equal(w.taken, 511);
	assert_int_equal(w.held[RULES_SET - 1], UINT64_MAX >> 1);
	rules_let_go(&w, 511, slots);
	assert_int_equal(w.taken, 0);
	w = (struct rules_w){ .k = 1,
			      .m = BOOK_BLOCK,
			      .valid = { 0, INT32_MAX } };
	rules_stock(&w);
	assert_int_equal(rules_number(&w, w.valid),
			 rules_number(&w, w.issue) + 1);
}

/* --- one at a time ------------------------------------------------------------------ */

static void who_finds_a_slot_takes_it(void **state)
{
	(void)state;
	add_w(3, 1, 1, 3, 0);
	read_it();
	desk_do(&desk, TAKE, "me", 2);
	assert_writes("=w@100\n"
		      "+w k3 held3 3/3 waiting0\n"
		      "+seat/me holds 3 1,2\n");
	assert_int_equal(desk.changes, 1);
}

static void who_does_not_waits(void **state)
{
	(void)state;
	add_w(3, 2, 2, 3, 0);
	read_it();
	desk_do(&desk, TAKE, "me", 2);
	assert_writes("=w@100\n"
		      "+w k3 held2 4/3 waiting1\n"
		      "+line/00000000000000000004 me 2\n"
		      "+seat/me waits 4 2\n");
}

static void nobody_is_overtaken(void **state)
{
	(void)state;
	add_w(3, 2, 4, 3, 1);
	add_waiter("a", 4, 2);
	read_it();
	desk_do(&desk, TAKE, "me", 1);
	assert_writes("=w@100\n"
		      "+w k3 held2 5/3 waiting2\n"
		      "+line/00000000000000000005 me 1\n"
		      "+seat/me waits 5 1\n");
}

static void who_leaves_lets_the_first_in(void **state)
{
	struct book_seat mine = holding(1, 1);

	(void)state;
	add_w(2, 2, 4, 2, 2);
	add_waiter("a", 3, 1);
	add_waiter("b", 4, 1);
	read_it();
	leave("me", &mine);
	assert_writes("=w@100\n"
		      "+w k2 held2 4/3 waiting1\n"
		      "-line/00000000000000000003\n"
		      "+seat/a holds 3 1\n"
		      "+seat/me out\n");
}

static void who_leaves_last_stocks_up(void **state)
{
	struct book_seat mine = holding(0, 2);

	(void)state;
	add_w(2, 2, 2, 2, 0);
	read_it();
	leave("me", &mine);
	assert_writes("=w@100\n"
		      "+w k2 held0 2/4 waiting0\n"
		      "+seat/me out\n");
}

static void who_gives_up_leaves_a_gap(void **state)
{
	struct book_seat mine = waiting(3, 1), first = holding(0, 1);

	(void)state;
	add_w(1, 1, 4, 1, 3);
	add_waiter("a", 2, 1);
	add_waiter("me", 3, 1);
	add_waiter("b", 4, 1);
	read_it();
	leave("me", &mine);
	assert_writes("=w@100\n"
		      "+w k1 held1 4/1 waiting2\n"
		      "-line/00000000000000000003\n"
		      "+seat/me out\n");
	/* which nobody waits for */
	end(state);
	begin(state);
	add_w(1, 1, 4, 3, 1);
	add_waiter("b", 4, 1);
	read_it();
	leave("me", &first);
	assert_writes("=w@100\n"
		      "+w k1 held1 4/4 waiting0\n"
		      "-line/00000000000000000004\n"
		      "+seat/b holds 4 0\n"
		      "+seat/me out\n");
}

static void who_was_not_read_can_leave(void **state)
{
	struct book_seat mine = waiting(30, 1);
	char id[8];

	(void)state;
	add_w(1, 1, 31, 1, 30);
	for (uint64_t i = 0; i < TRANSACTION_WAITERS; i++) {
		snprintf(id, sizeof(id), "a%d", (int)i);
		add_waiter(id, 2 + i, 1);
	}
	hand.reply.got[LINE_].more = true;
	read_it();
	leave("me", &mine);
	assert_writes("=w@100\n"
		      "+w k1 held1 31/1 waiting29\n"
		      "-line/00000000000000000030\n"
		      "+seat/me out\n");
}

static void the_dead_are_cleared_away(void **state)
{
	struct book_seat dead = holding(0, 1);

	(void)state;
	add_w(1, 1, 2, 1, 1);
	add_waiter("me", 2, 1);
	read_it();
	desk_reap(&desk, "dead", &dead);
	assert_int_equal(desk.w.recovered, 1);
	assert_writes("=w@100\n"
		      "+w k1 held1 2/2 waiting0\n"
		      "-line/00000000000000000002\n"
		      "+seat/me holds 2 0\n"
		      "-seat/dead\n");
}

/* It gives up, and carries out what others have announced: by that it is let in. */
static void who_gives_up_may_have_been_let_in(void **state)
{
	struct book_seat waits = { .phase = BOOK_WAITS,
				   .units = 1,
				   .last = { 2, 0 } };

	(void)state;
	add_w(1, 1, 2, 1, 1);
	add_waiter("me", 2, 1);
	add_leave("holder", 0, 1, 70);
	read_it();
	leave("me", &waits);
	assert_writes("=w@100\n"
		      "=ask/holder@70\n"
		      "+w k1 held0 2/3 waiting0\n"
		      "-ask/holder\n"
		      "-line/00000000000000000002\n"
		      "+seat/me out\n"
		      "+seat/holder out\n");
}

/* What is known after a transaction is what would be read. */
static void what_was_written_is_known(void **state)
{
	struct book_w before;

	(void)state;
	add_w(2, 0, 0, 2, 0);
	read_it();
	desk_do(&desk, TAKE, "me", 1);
	before = desk.w;
	desk_settle(&desk, "me", 500);
	assert_int_equal(desk.revision, 500);
	assert_int_equal(desk.w_revision, 500);
	assert_int_equal(desk.seat_revision, 500);
	assert_true(desk.has_seat);
	assert_memory_equal(&desk.w, &before, sizeof(desk.w));
	assert_int_equal(desk.seat.phase, BOOK_HOLDS);
	assert_int_equal(desk.seat.units, 1);
	assert_int_equal(desk.seat.last.value, 1);
	assert_int_equal(desk.seat.slots[0], 0);
	assert_int_equal(desk.changes, 0);
	assert_int_equal(desk.w.grants, 1);
	/* somebody else's seat is not ours */
	desk_do(&desk, TAKE, "another", 1);
	desk_settle(&desk, "me", 600);
	assert_int_equal(desk.w_revision, 600);
	assert_int_equal(desk.seat_revision, 500);
}

/* So are those who still wait, and the next transaction lets them in. */
static void who_still_waits_is_known(void **state)
{
	const struct book_seat held = holding(0, 1);

	(void)state;
	add_w(1, 1, 3, 1, 2);
	add_waiter("a", 2, 1);
	add_waiter("b", 3, 1);
	read_it();
	leave("holder", &held);
	desk_settle(&desk, "holder", 500);
	assert_int_equal(desk.waiters, 1);
	desk_do(&desk, TAKE, "c", 1);
	desk_settle(&desk, "c", 501);
	assert_int_equal(desk.waiters, 2);
	leave("a", &held);
	assert_writes("=w@501\n"
		      "+w k1 held1 4/3 waiting1\n"
		      "-line/00000000000000000003\n"
		      "+seat/b holds 3 0\n"
		      "+seat/a out\n");
}

/* No more of them are kept than a transaction may let in. */
static void the_end_of_a_long_line_is_not_known(void **state)
{
	(void)state;
	add_w(1, 1, 1 + TRANSACTION_WAITERS, 1, TRANSACTION_WAITERS);
	for (unsigned i = 0; i < TRANSACTION_WAITERS; i++) {
		char id[8];

		snprintf(id, sizeof(id), "%u", i);
		add_waiter(id, 2 + i, 1);
	}
	read_it();
	assert_false(desk.more_wait);
	desk_do(&desk, TAKE, "another", 1);
	desk_settle(&desk, "another", 500);
	assert_true(desk.more_wait);
	assert_int_equal(desk.waiters, TRANSACTION_WAITERS);
	assert_int_equal(desk.w.waiting, TRANSACTION_WAITERS + 1);
}

static void slots_become_more_and_fewer(void **state)
{
	(void)state;
	add_w(1, 1, 4, 1, 3);
	add_waiter("a", 2, 1);
	add_waiter("b", 3, 1);
	add_waiter("c", 4, 1);
	read_it();
	desk_resize(&desk, 3);
	assert_writes("=w@100\n"
		      "+w k3 held3 4/3 waiting1\n"
		      "-line/00000000000000000002\n"
		      "-line/00000000000000000003\n"
		      "+seat/a holds 2 1\n"
		      "+seat/b holds 3 2\n");
	/* none: the valid tickets are issued to nobody */
	end(state);
	begin(state);
	add_w(3, 1, 1, 3, 0);
	read_it();
	desk_resize(&desk, 0);
	assert_writes("=w@100\n"
		      "+w k0 held1 3/3 waiting0\n");
}

/* --- what was announced --------------------------------------------------------------- */

/* Whoever leaves carries out the rest: only others who leave were before it. */
static void who_has_asked_before(void **state)
{
	(void)state;
	add_w(2, 2, 2, 2, 0);
	add_take("a", 1, 70);
	add_leave("b", 0, 1, 71);
	add_take("c", 1, 72);
	add_leave("d", 1, 1, 73);
	read_it();
	assert_int_equal(desk_asks_before(&desk, "c", false), 2);
	assert_int_equal(desk_asks_before(&desk, "d", false), 3);
	assert_int_equal(desk_asks_before(&desk, "b", true), 0);
	assert_int_equal(desk_asks_before(&desk, "d", true), 1);
	assert_int_equal(desk_asks_before(&desk, "who is not read", true), 2);
	assert_int_equal(desk_asks_before(&desk, "a", false), 0);
}

static void all_that_was_announced_is_done(void **state)
{
	(void)state;
	add_w(2, 2, 2, 2, 0);
	add_take("a", 1, 70);
	add_leave("b", 1, 1, 71);
	add_take("c", 1, 72);
	read_it();
	desk_do(&desk, APPLY, "me", 0);
	/* a has never been in line: its key is not written, nor deleted */
	assert_writes("=w@100\n"
		      "=ask/a@70\n"
		      "=ask/b@71\n"
		      "=ask/c@72\n"
		      "+w k2 held2 4/3 waiting1\n"
		      "-ask/a\n"
		      "-ask/b\n"
		      "-ask/c\n"
		      "+line/00000000000000000004 c 1\n"
		      "+seat/a holds 3 1\n"
		      "+seat/b out\n"
		      "+seat/c waits 4 1\n");
}

static void then_the_own_request(void **state)
{
	struct book_seat mine = holding(0, 1);

	(void)state;
	add_w(2, 2, 2, 2, 0);
	add_take("a", 2, 70);
	read_it();
	leave("me", &mine);
	assert_writes("=w@100\n"
		      "=ask/a@70\n"
		      "+w k2 held1 4/3 waiting1\n"
		      "-ask/a\n"
		      "+line/00000000000000000004 a 2\n"
		      "+seat/a waits 4 2\n"
		      "+seat/me out\n");
}

/* --- many -------------------------------------------------------------------------------- */

/* k slots, all held; so many wait for one each, of whom no more than fit are read. */
static void add_crowd(uint32_t k, uint32_t count)
{
	char id[8];

	add_w(k, k, k + count, k, count);
	for (uint32_t i = 0; i < count && i < TRANSACTION_WAITERS; i++) {
		snprintf(id, sizeof(id), "w%02d", (int)i);
		add_waiter(id, k + 1 + i, 1);
	}
	hand.reply.got[LINE_].more = count > TRANSACTION_WAITERS;
}

static void add_takers(uint32_t count)
{
	char id[8];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(id, sizeof(id), "a%02d", (int)i);
		add_take(id, 1, 200 + i);
	}
}

static size_t count_seats(enum phase phase)
{
	size_t count = 0;

	for (uint32_t i = 0; i < desk.t.parties; i++)
		count += desk.t.party[i].has_changed &&
			 desk.t.party[i].phase == phase;
	return count;
}

/* With all that the line adds to it: two comparisons, and an ask that is deleted. */
static void assert_fits(size_t thens)
{
	struct draft *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	draft_compare(d, "p/line/seat/me", STORE_CHANGED, 1);
	draft_compare(d, "p/line/live/me", STORE_CREATED, 1);
	desk_write(&desk, &names, d);
	draft_delete(d, "p/line/ask/me");
	desk_ask_all(&names, d, draft_get_if_done);
	desk_ask_all(&names, d, draft_get_if_refused);
	assert_int_equal(d->error, 0);
	assert_int_equal(d->thens, thens);
	assert_in_range(d->thens, 1, STORE_ACTIONS_MAX);
	assert_each_key_once(d);
	draft_free(d);
	free(d);
}

static void the_most_at_once_fit(void **state)
{
	struct book_seat mine = holding(0, 24);

	(void)state;
	/* all who wait are let in, and all who ask wait after them: W, 16 asks, 24 + 16
	   in line, 41 seats, my ask, 5 gets */
	add_crowd(24, TRANSACTION_WAITERS);
	add_takers(TRANSACTION_ASKS);
	read_it();
	leave("me", &mine);
	assert_int_equal(count_seats(WAITS), TRANSACTION_ASKS);
	assert_int_equal(count_seats(HOLDS), TRANSACTION_WAITERS);
	assert_fits(1 + 16 + 24 + 16 + 41 + 1 + 5);
}

static void all_are_let_in_at_once(void **state)
{
	struct book_seat mine = holding(0, 40);

	(void)state;
	add_crowd(40, TRANSACTION_WAITERS);
	add_takers(TRANSACTION_ASKS);
	read_it();
	leave("me", &mine);
	assert_int_equal(count_seats(HOLDS), 40);
	assert_int_equal(desk.w.waiting, 0);
	assert_int_equal(desk.w.rules.taken, 40);
	assert_fits(1 + 16 + 24 + 41 + 1 + 5);
}

/* Between those who were read and those who ask now, somebody waits. */
static void who_was_not_read_is_not_overtaken(void **state)
{
	struct book_seat mine = holding(0, 40);

	(void)state;
	add_crowd(40, TRANSACTION_WAITERS + 6);
	add_takers(2);
	read_it();
	leave("me", &mine);
	assert_int_equal(count_seats(HOLDS), TRANSACTION_WAITERS);
	assert_int_equal(party("a00")->phase, WAITS);
	assert_int_equal(desk.w.waiting, 8);
	assert_int_equal(desk.w.rules.taken, TRANSACTION_WAITERS);
	assert_int_equal(rules_number(&desk.w.rules, desk.w.rules.valid),
			 40 + TRANSACTION_WAITERS);
}

/* I wait, too far behind to be read, and carry out that all slots are given back. */
static void who_was_not_read_is_not_let_in(void **state)
{
	(void)state;
	add_crowd(40, TRANSACTION_WAITERS + 6);
	add_leave("holder", 0, 40, 70);
	read_it();
	desk.seat = waiting(40 + TRANSACTION_WAITERS + 1, 1);
	desk_do(&desk, APPLY, "me", 0);
	assert_int_equal(count_seats(HOLDS), TRANSACTION_WAITERS);
	assert_int_equal(party("me")->phase, WAITS);
	assert_false(party("me")->has_changed);
	assert_int_equal(desk.w.waiting, 6);
}

/* What it has announced was read: whoever clears it away deletes that. */
static void what_the_dead_announced_is_not_done(void **state)
{
	struct book_seat out = { .phase = BOOK_OUT };

	(void)state;
	add_w(1, 0, 0, 1, 0);
	add_take("dead", 1, 70);
	add_take("you", 1, 71);
	read_it();
	desk_reap(&desk, "dead", &out);
	assert_int_equal(desk.w.recovered, 0);
	assert_writes("=w@100\n"
		      "+w k1 held0 0/1 waiting0\n"
		      "-seat/dead\n");
}

#define test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(one_reading_asks_for_everything),
		test(an_empty_store_is_read),
		test(a_reply_is_read),
		test(what_is_not_ours_is_refused),
		test(valid_ahead_of_all_slots_is_refused),
		test(a_line_that_is_none_is_refused),
		test(another_count_of_those_who_wait_is_refused),
		test(what_the_line_does_not_know_is_refused),
		test(what_can_be_is_read),
		test(what_a_dead_one_never_had_is_not_given_back),
		test(wrong_values_stay_within_their_bounds),
		test(who_finds_a_slot_takes_it),
		test(who_does_not_waits),
		test(nobody_is_overtaken),
		test(who_leaves_lets_the_first_in),
		test(who_leaves_last_stocks_up),
		test(who_gives_up_leaves_a_gap),
		test(who_was_not_read_can_leave),
		test(the_dead_are_cleared_away),
		test(who_gives_up_may_have_been_let_in),
		test(what_was_written_is_known),
		test(who_still_waits_is_known),
		test(the_end_of_a_long_line_is_not_known),
		test(slots_become_more_and_fewer),
		test(who_has_asked_before),
		test(all_that_was_announced_is_done),
		test(then_the_own_request),
		test(the_most_at_once_fit),
		test(all_are_let_in_at_once),
		test(who_was_not_read_is_not_overtaken),
		test(who_was_not_read_is_not_let_in),
		test(what_the_dead_announced_is_not_done),
	};

	return cmocka_run_group_tests_name("desk", tests, NULL, NULL);
}
