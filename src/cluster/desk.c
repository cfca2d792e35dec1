/* SPDX-License-Identifier: MIT */
#include "cluster/desk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- keys -------------------------------------------------------------------------- */

void desk_key(const struct desk_names *names, const char *what, const char *id,
	      char key[BOOK_KEY_MAX])
{
	snprintf(key, BOOK_KEY_MAX, "%s%s%s", names->prefix, what, id);
}

static void line_key(const struct desk_names *names, const struct rules_w *w,
		     struct ticket last, char key[BOOK_KEY_MAX])
{
	char number[24];

	snprintf(number, sizeof(number), "%020" PRIu64, rules_number(w, last));
	desk_key(names, "line/", number, key);
}

/* --- reading ------------------------------------------------------------------------ */

enum answer { W, SEAT, LIVE, ASKS, LINE, ANSWERS };

void desk_ask_all(const struct desk_names *names, struct draft *d)
{
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];
	struct store_action get = { .key = key };

	desk_key(names, "w", "", key);
	draft_get(d, &get);
	desk_key(names, "seat/", names->id, key);
	draft_get(d, &get);
	desk_key(names, "live/", names->id, key);
	get.keys_only = true;
	draft_get(d, &get);
	/* '0' is the character after '/' */
	desk_key(names, "ask/", "", key);
	desk_key(names, "ask0", "", end);
	get = (struct store_action){
		.key = key, .end = end, .limit = DESK_ASKS, .by_creation = true
	};
	draft_get(d, &get);
	desk_key(names, "line/", "", key);
	desk_key(names, "line0", "", end);
	get.limit = DESK_WAITERS;
	get.by_creation = false;
	draft_get(d, &get);
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

static int read_line(const struct store_pairs *pairs, struct desk *desk)
{
	const struct rules_w *w = &desk->w.rules;

	desk->more_wait = pairs->more;
	for (size_t i = 0; i < pairs->count && i < DESK_WAITERS; i++) {
		struct desk_waiter *x = &desk->waiter[desk->waiters];
		char number[BOOK_ID_MAX];
		uint64_t last, before;
		int error = book_read_waiter(pairs->pair[i].value, &x->waiter);

		if (error || !read_id(pairs->pair[i].key, number))
			return error ? error : -EPROTO;
		last = strtoull(number, NULL, 10);
		before = last - x->waiter.units;
		x->request = (struct rules_request){
			.before = { (uint32_t)(before % w->m),
				    (uint32_t)(before / w->m) },
			.last = { (uint32_t)(last % w->m),
				  (uint32_t)(last / w->m) },
			.units = x->waiter.units,
		};
		desk->waiters++;
	}
	return 0;
}

int desk_read(const struct desk_names *names, const struct store_reply *reply,
	      struct desk *desk)
{
	const struct store_pairs *got = reply->got;
	int error = 0;

	(void)names;
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

static struct book_seat *change(struct desk *desk, const char *id)
{
	size_t i = 0;

	while (i < desk->changes && strcmp(desk->changed[i].id, id) != 0)
		i++;
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
	for (size_t i = 0; i < desk->changes; i++) {
		if (!strcmp(desk->changed[i].id, id))
			return &desk->changed[i].seat;
	}
	return NULL;
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
	if (seat->phase == BOOK_HOLDS)
		rules_let_go(&desk->w.rules, seat->units, seat->slots);
	else if (seat->phase == BOOK_WAITS)
		leave_line(desk, seat);
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

void desk_clear(struct desk *desk, const char *id)
{
	change(desk, id);
	for (size_t i = 0; i < desk->changes; i++) {
		if (!strcmp(desk->changed[i].id, id))
			desk->changed[i].deleted = true;
	}
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
