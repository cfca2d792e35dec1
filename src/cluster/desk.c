/* SPDX-License-Identifier: MIT */
#include "cluster/desk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICKET_DIGITS = 20 };

/* --- keys -------------------------------------------------------------------------- */

void desk_key(const struct desk_names *names, const char *what, const char *id,
	      char key[BOOK_KEY_MAX])
{
	snprintf(key, BOOK_KEY_MAX, "%s%s%s", names->prefix, what, id);
}

void desk_end(char *key)
{
	key[strlen(key) - 1]++; /* '0' is the character after '/' */
}

void desk_range(const struct desk_names *names, const char *what,
		char key[BOOK_KEY_MAX], char end[BOOK_KEY_MAX])
{
	desk_key(names, what, "", key);
	desk_key(names, what, "", end);
	desk_end(end);
}

static void line_key(const struct desk_names *names, const struct rules_w *w,
		     struct ticket last, char key[BOOK_KEY_MAX])
{
	char number[24];

	snprintf(number, sizeof(number), "%0*" PRIu64, TICKET_DIGITS,
		 rules_number(w, last));
	desk_key(names, "line/", number, key);
}

/* --- reading ------------------------------------------------------------------------ */

enum answer { W, SEAT, LIVE, ASKS, LINE, ANSWERS };

static void ask_asks(const struct desk_names *names, struct draft *d,
		     desk_adder *add, bool keys_only)
{
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];
	const struct store_action get = { .key = key,
					  .end = end,
					  .limit = DESK_ASKS,
					  .by_creation = true,
					  .keys_only = keys_only };

	desk_range(names, "ask/", key, end);
	add(d, &get);
}

void desk_ask_all(const struct desk_names *names, struct draft *d,
		  desk_adder *add)
{
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];
	struct store_action get = { .key = key };

	desk_key(names, "w", "", key);
	add(d, &get);
	desk_key(names, "seat/", names->id, key);
	add(d, &get);
	desk_key(names, "live/", names->id, key);
	get.keys_only = true;
	add(d, &get);
	ask_asks(names, d, add, false);
	desk_range(names, "line/", key, end);
	get = (struct store_action){ .key = key,
				     .end = end,
				     .limit = DESK_WAITERS };
	add(d, &get);
}

void desk_ask_who_asks(const struct desk_names *names, struct draft *d,
		       desk_adder *add)
{
	ask_asks(names, d, add, true);
}

size_t desk_count_before(const struct store_pairs *asks, const char *id)
{
	size_t before = 0;

	while (before < asks->count &&
	       strcmp(strrchr(asks->pair[before].key, '/') + 1, id) != 0)
		before++;
	return before;
}

/* What is behind the last slash of a key. */
static bool read_id(const char *key, char id[BOOK_ID_MAX])
{
	const char *slash = strrchr(key, '/');

	if (!slash || strlen(slash + 1) >= BOOK_ID_MAX)
		return false;
	strcpy(id, slash + 1);
	return true;
}

static int read_asks(const struct store_pairs *pairs, struct desk *desk)
{
	for (size_t i = 0; i < pairs->count && i < DESK_ASKS; i++) {
		struct desk_ask *a = &desk->ask[desk->asks];
		int error = book_read_ask(pairs->pair[i].value, &a->ask);

		if (error || !read_id(pairs->pair[i].key, a->id))
			return error ? error : -EPROTO;
		a->revision = pairs->pair[i].changed;
		desk->asks++;
	}
	return 0;
}

static struct ticket ticket_of(uint64_t number)
{
	return (struct ticket){ (uint32_t)(number % BOOK_BLOCK),
				(uint32_t)(number / BOOK_BLOCK) };
}

int desk_read_waiter(const char *number, const char *value,
		     struct desk_waiter *x)
{
	uint64_t last = strtoull(number, NULL, 10);
	int error = book_read_waiter(value, &x->waiter);

	if (error)
		return error;
	if (strlen(number) != TICKET_DIGITS ||
	    strspn(number, "0123456789") != TICKET_DIGITS ||
	    last < x->waiter.units || last / BOOK_BLOCK > INT32_MAX)
		return -EPROTO;
	x->request = (struct rules_request){
		.before = ticket_of(last - x->waiter.units),
		.last = ticket_of(last),
		.units = x->waiter.units,
	};
	return 0;
}

static int read_line(const struct store_pairs *pairs, struct desk *desk)
{
	desk->more_wait = pairs->more;
	for (size_t i = 0; i < pairs->count && i < DESK_WAITERS; i++) {
		char number[BOOK_ID_MAX];
		int error = -EPROTO;

		if (read_id(pairs->pair[i].key, number))
			error = desk_read_waiter(number, pairs->pair[i].value,
						 &desk->waiter[desk->waiters]);
		if (error)
			return error;
		desk->waiters++;
	}
	return 0;
}

int desk_read(const struct store_reply *reply, struct desk *desk)
{
	const struct store_pairs *got = reply->got;
	int error = 0;

	memset(desk, 0, sizeof(*desk));
	desk->revision = reply->revision;
	if (reply->gets != ANSWERS)
		return -EPROTO;
	if (got[W].count) {
		desk->has_w = true;
		desk->w_revision = got[W].pair[0].changed;
		error = book_read_w(got[W].pair[0].value, &desk->w);
	}
	if (!error && got[SEAT].count) {
		desk->has_seat = true;
		desk->seat_revision = got[SEAT].pair[0].changed;
		error = book_read_seat(got[SEAT].pair[0].value, &desk->seat);
	}
	if (got[LIVE].count) {
		desk->lives = true;
		desk->live_revision = got[LIVE].pair[0].created;
	}
	if (!error && desk->has_w)
		error = read_asks(&got[ASKS], desk);
	if (!error && desk->has_w)
		error = read_line(&got[LINE], desk);
	return error;
}

/* --- what changes ------------------------------------------------------------------ */

/* Where it is; or how many there are. */
static size_t find_change(const struct desk *desk, const char *id)
{
	size_t i = 0;

	while (i < desk->changes && strcmp(desk->changed[i].id, id) != 0)
		i++;
	return i;
}

static struct book_seat *change(struct desk *desk, const char *id)
{
	size_t i = find_change(desk, id);

	if (i == DESK_SEATS) /* more than can change: a bug */
		abort();
	if (i == desk->changes) {
		desk->changes++;
		memset(&desk->changed[i], 0, sizeof(desk->changed[i]));
		snprintf(desk->changed[i].id, BOOK_ID_MAX, "%s", id);
	}
	return &desk->changed[i].seat;
}

const struct book_seat *desk_seat(const struct desk *desk, const char *id)
{
	size_t i = find_change(desk, id);

	return i < desk->changes ? &desk->changed[i].seat : NULL;
}

static void set_seat(struct desk *desk, const char *id, enum book_phase phase,
		     const struct rules_request *r, const uint32_t *slots)
{
	struct book_seat *s = change(desk, id);

	memset(s, 0, sizeof(*s));
	s->phase = phase;
	s->since = time(NULL);
	if (r) {
		s->units = r->units;
		s->last = r->last;
	}
	if (slots)
		memcpy(s->slots, slots, s->units * sizeof(*slots));
	desk->w.grants += phase == BOOK_HOLDS;
}

/* By the clocks of two hosts. */
static void note_wait(struct desk *desk, int64_t seconds)
{
	if (seconds > desk->w.longest_wait)
		desk->w.longest_wait = seconds;
}

/* All whose turn it is; false: there may be more, who were not read. */
static bool serve(struct desk *desk)
{
	uint32_t slots[RULES_SLOTS_MAX];

	for (size_t i = 0; i < desk->waiters; i++) {
		struct desk_waiter *x = &desk->waiter[i];

		if (x->gone)
			continue;
		if (x->is_new && desk->more_wait) /* somebody is before it */
			return false;
		if (!rules_serve(&desk->w.rules, &x->request, slots))
			return true;
		set_seat(desk, x->waiter.id, BOOK_HOLDS, &x->request, slots);
		note_wait(desk, time(NULL) - x->waiter.since);
		x->gone = true;
		desk->w.waiting--;
	}
	if (desk->w.waiting)
		return false;
	rules_stock(&desk->w.rules);
	return true;
}

void desk_take(struct desk *desk, const char *id, uint32_t units)
{
	uint32_t slots[RULES_SLOTS_MAX], alone = !desk->w.waiting;
	struct desk_waiter *x = &desk->waiter[desk->waiters];

	if (rules_take(&desk->w.rules, units, &x->request, slots)) {
		set_seat(desk, id, BOOK_HOLDS, &x->request, slots);
		return;
	}
	set_seat(desk, id, BOOK_WAITS, &x->request, NULL);
	snprintf(x->waiter.id, BOOK_ID_MAX, "%s", id);
	x->waiter.units = units;
	x->waiter.since = time(NULL);
	x->is_new = true;
	x->gone = false;
	desk->waiters++;
	desk->w.waiting++;
	if (alone)
		serve(desk);
}

static void leave_line(struct desk *desk, const struct book_seat *seat)
{
	desk->w.waiting--;
	desk->w.abandoned++;
	for (size_t i = 0; i < desk->waiters; i++) {
		struct ticket t = desk->waiter[i].request.last;

		if (t.value == seat->last.value &&
		    t.colour == seat->last.colour) {
			desk->waiter[i].gone = true;
			return;
		}
	}
	desk->has_stray = true;
	desk->stray = seat->last;
}

void desk_leave(struct desk *desk, const char *id, const struct book_seat *seat)
{
	const struct book_seat *other = desk_seat(desk, id);
	/* what was carried out before it may have let it in */
	const struct book_seat now = other ? *other : *seat;

	if (now.phase == BOOK_HOLDS)
		rules_let_go(&desk->w.rules, now.units, now.slots);
	else if (now.phase == BOOK_WAITS)
		leave_line(desk, &now);
	set_seat(desk, id, BOOK_OUT, NULL, NULL);
	serve(desk);
}

void desk_resize(struct desk *desk, uint32_t k)
{
	desk->w.rules.k = k;
	serve(desk);
}

void desk_apply(struct desk *desk)
{
	for (size_t i = 0; i < desk->asks; i++) {
		struct desk_ask *a = &desk->ask[i];
		struct book_seat seat = { .phase = BOOK_HOLDS,
					  .units = a->ask.units };

		a->done = true;
		if (a->ask.kind == BOOK_ASK_TAKE) {
			desk_take(desk, a->id, a->ask.units);
			continue;
		}
		memcpy(seat.slots, a->ask.slots, sizeof(seat.slots));
		desk_leave(desk, a->id, &seat);
	}
}

void desk_reap(struct desk *desk, const char *id, const struct book_seat *seat)
{
	desk_leave(desk, id, seat);
	desk->changed[find_change(desk, id)].deleted = true;
	if (seat->phase == BOOK_HOLDS)
		desk->w.recovered++;
}

/* --- writing ------------------------------------------------------------------------ */

static void write_line(const struct desk *desk, const struct desk_names *names,
		       struct draft *d)
{
	char key[BOOK_KEY_MAX];

	if (desk->has_stray) {
		line_key(names, &desk->w.rules, desk->stray, key);
		draft_delete(d, key);
	}
	for (size_t i = 0; i < desk->waiters; i++) {
		const struct desk_waiter *x = &desk->waiter[i];

		line_key(names, &desk->w.rules, x->request.last, key);
		if (x->gone && !x->is_new)
			draft_delete(d, key);
		else if (!x->gone && x->is_new)
			draft_put(d, key, book_waiter_text(&x->waiter), 0);
	}
}

void desk_write(const struct desk *desk, const struct desk_names *names,
		struct draft *d)
{
	char key[BOOK_KEY_MAX];

	desk_key(names, "w", "", key);
	draft_compare(d, key, STORE_CHANGED, desk->w_revision);
	draft_put(d, key, book_w_text(&desk->w), 0);
	for (size_t i = 0; i < desk->asks; i++) {
		if (!desk->ask[i].done)
			continue;
		desk_key(names, "ask/", desk->ask[i].id, key);
		draft_compare(d, key, STORE_CHANGED, desk->ask[i].revision);
		draft_delete(d, key);
	}
	write_line(desk, names, d);
	for (size_t i = 0; i < desk->changes; i++) {
		const struct desk_seat *s = &desk->changed[i];

		desk_key(names, "seat/", s->id, key);
		if (s->deleted)
			draft_delete(d, key);
		else
			draft_put(d, key, book_seat_text(&s->seat), 0);
	}
}

/* --- after it ------------------------------------------------------------------------- */

void desk_settle(struct desk *desk, const char *id, int64_t revision)
{
	size_t own = find_change(desk, id);

	desk->revision = desk->w_revision = revision;
	if (own < desk->changes) {
		desk->has_seat = !desk->changed[own].deleted;
		desk->seat = desk->changed[own].seat;
		desk->seat_revision = desk->has_seat ? revision : 0;
	}
	desk->waiters = desk->changes = desk->asks = 0;
	desk->more_wait = desk->has_stray = false;
}
