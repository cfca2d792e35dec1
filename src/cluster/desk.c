/* SPDX-License-Identifier: MIT */
#include "cluster/desk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
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

/* A key has a value that there cannot be. */
__attribute__((format(printf, 3, 4))) static int refuse(struct desk *desk,
							const char *key,
							const char *format, ...)
{
	int length = snprintf(desk->problem, sizeof(desk->problem),
			      "%.*s: ", BOOK_KEY_MAX, key);
	va_list args;

	va_start(args, format);
	vsnprintf(desk->problem + length,
		  sizeof(desk->problem) - (size_t)length, format, args);
	va_end(args);
	return -EPROTO;
}

int desk_note(struct desk *desk, const char *key, int error)
{
	if (error == -EPROTO)
		refuse(desk, key, "that is no value of a line");
	else if (error)
		refuse(desk, key, "that is of another format");
	return error;
}

void desk_ask_asks(const struct desk_names *names, struct draft *d,
		   desk_adder *add)
{
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];
	const struct store_action get = {
		.key = key,
		.end = end,
		.limit = TRANSACTION_ASKS,
		.by_creation = true,
	};

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
	desk_ask_asks(names, d, add);
	desk_range(names, "line/", key, end);
	get = (struct store_action){ .key = key,
				     .end = end,
				     .limit = TRANSACTION_WAITERS };
	add(d, &get);
}

/* What is behind the last slash of a key, which is behind the kind. */
static bool read_id(const char *key, const char *kind, char id[BOOK_ID_MAX])
{
	const char *slash = strrchr(key, '/');
	size_t length = strlen(kind);

	if (!slash || !slash[1] || strlen(slash + 1) >= BOOK_ID_MAX ||
	    (size_t)(slash - key) < length ||
	    strncmp(slash - length, kind, length) != 0)
		return false;
	strcpy(id, slash + 1);
	return true;
}

int desk_read_asks(const struct store_pairs *pairs, struct desk *desk)
{
	desk->asks = 0;
	for (size_t i = 0; i < pairs->count && i < TRANSACTION_ASKS; i++) {
		struct desk_ask *a = &desk->ask[desk->asks];
		const char *key = pairs->pair[i].key;
		int error = book_read_ask(pairs->pair[i].value, &a->ask);

		if (!error && !read_id(key, "/ask", a->id))
			error = -EPROTO;
		if (error)
			return desk_note(desk, key, error);
		a->revision = pairs->pair[i].changed;
		desk->asks++;
	}
	return 0;
}

int desk_read_waiter(const char *number, const char *value,
		     struct desk_waiter *x)
{
	const struct rules_w block = { .m = BOOK_BLOCK };
	uint64_t last = strtoull(number, NULL, 10);
	int error = book_read_waiter(value, &x->waiter);

	if (error)
		return error;
	if (strlen(number) != TICKET_DIGITS ||
	    strspn(number, "0123456789") != TICKET_DIGITS ||
	    last < x->waiter.units || last / BOOK_BLOCK > INT32_MAX)
		return -EPROTO;
	x->request = rules_request_of(&block, rules_ticket(&block, last),
				      x->waiter.units);
	return 0;
}

static int read_line(const struct store_pairs *pairs, struct desk *desk)
{
	desk->more_wait = pairs->more;
	for (size_t i = 0; i < pairs->count && i < TRANSACTION_WAITERS; i++) {
		const char *key = pairs->pair[i].key;
		char number[BOOK_ID_MAX];
		int error = -EPROTO;

		if (read_id(key, "/line", number))
			error = desk_read_waiter(number, pairs->pair[i].value,
						 &desk->waiter[desk->waiters]);
		if (error)
			return desk_note(desk, key, error);
		desk->waiters++;
	}
	return 0;
}

/* --- what was read fits together ------------------------------------------------------ */

/*
 * Anybody who may write to the store can have written anything.  What no transaction makes
 * of a line is refused, before it is reckoned with.
 */

static bool is_in_line(const struct desk *desk, size_t before, const char *id)
{
	for (size_t i = 0; i < before; i++) {
		if (!strcmp(desk->waiter[i].waiter.id, id))
			return true;
	}
	return false;
}

/* Tickets in a row, each once, and issued; there may be gaps, of those who gave up. */
static int check_line(struct desk *desk, const struct store_pairs *pairs)
{
	const struct rules_w *w = &desk->w.rules;
	uint64_t last = 0;

	for (size_t i = 0; i < desk->waiters; i++) {
		const struct desk_waiter *x = &desk->waiter[i];
		const char *key = pairs->pair[i].key;

		if (rules_number(w, x->request.before) < last)
			return refuse(desk, key,
				      "it has tickets of the one before");
		last = rules_number(w, x->request.last);
		if (last > rules_number(w, w->issue))
			return refuse(desk, key, "its ticket was never issued");
		if (is_in_line(desk, i, x->waiter.id))
			return refuse(desk, key, "it is in line twice");
	}
	return 0;
}

/* Nobody is let in but by VALID: so even after k was made less, no more can be ahead of
   the front than there can be slots.  It may be behind, by those who gave up. */
static int check_tickets(struct desk *desk, const char *key)
{
	const struct rules_w *w = &desk->w.rules;
	uint64_t issue = rules_number(w, w->issue);
	uint64_t valid = rules_number(w, w->valid);
	uint64_t front = desk->waiters ?
				 rules_number(w,
					      desk->waiter[0].request.before) :
				 issue;

	if (w->issue.colour == INT32_MAX || w->valid.colour == INT32_MAX)
		return refuse(desk, key, "there are no more tickets");
	if (valid > front && valid - front >= RULES_SLOTS_MAX - w->taken)
		return refuse(desk, key,
			      "VALID is ahead of %s by %" PRIu64
			      ", and %u slots are held",
			      desk->waiters ? "the first in line" : "ISSUE",
			      valid - front, w->taken);
	if (desk->w.waiting > issue - front)
		return refuse(desk, key,
			      "more wait (%u) than there are tickets",
			      desk->w.waiting);
	return 0;
}

static int check_count(struct desk *desk, const char *key)
{
	if (desk->w.waiting < desk->waiters ||
	    (!desk->more_wait && desk->w.waiting > desk->waiters))
		return refuse(
			desk, key, "waiting is %u, and %s%zu are in the line",
			desk->w.waiting, desk->more_wait ? "at least " : "",
			desk->waiters);
	return 0;
}

static bool are_held(const struct rules_w *w, const uint32_t *slots,
		     uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!rules_is_held(w, slots[i]))
			return false;
	}
	return true;
}

/* Who waits is in the line, and who holds slots is known to. */
static bool fits(const struct desk *desk, const char *id,
		 const struct book_seat *seat)
{
	const struct rules_w *w = &desk->w.rules;

	if (seat->phase == BOOK_HOLDS)
		return are_held(w, seat->slots, seat->units);
	return seat->phase == BOOK_OUT ||
	       (rules_number(w, seat->last) <= rules_number(w, w->issue) &&
		rules_number(w, seat->last) >= seat->units &&
		(desk->more_wait || is_in_line(desk, desk->waiters, id)));
}

static int check_seat(struct desk *desk, const char *key)
{
	const char *id = strrchr(key, '/');

	if (!id || !fits(desk, id + 1, &desk->seat))
		return refuse(desk, key, "it %s, and the line does not know it",
			      desk->seat.phase == BOOK_HOLDS ? "holds slots" :
							       "waits");
	return 0;
}

static int check_asks(struct desk *desk, const struct store_pairs *pairs)
{
	for (size_t i = 0; i < desk->asks; i++) {
		const struct book_ask *a = &desk->ask[i].ask;

		if (a->kind == BOOK_ASK_LEAVE &&
		    !are_held(&desk->w.rules, a->slots, a->units))
			return refuse(desk, pairs->pair[i].key,
				      "it gives back what is not held");
	}
	return 0;
}

static int check(struct desk *desk, const struct store_pairs *got)
{
	const char *key = got[W].pair[0].key;
	int error = check_line(desk, &got[LINE]);

	if (!error)
		error = check_tickets(desk, key);
	if (!error)
		error = check_count(desk, key);
	if (!error && desk->has_seat)
		error = check_seat(desk, got[SEAT].pair[0].key);
	return error ? error : check_asks(desk, &got[ASKS]);
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
		error = desk_note(desk, got[W].pair[0].key,
				  book_read_w(got[W].pair[0].value, &desk->w));
	}
	if (!error && got[SEAT].count) {
		desk->has_seat = true;
		desk->seat_revision = got[SEAT].pair[0].changed;
		error = desk_note(
			desk, got[SEAT].pair[0].key,
			book_read_seat(got[SEAT].pair[0].value, &desk->seat));
	}
	if (got[LIVE].count) {
		desk->lives = true;
		desk->live_revision = got[LIVE].pair[0].created;
	}
	if (!error && desk->has_w)
		error = desk_read_asks(&got[ASKS], desk);
	if (!error && desk->has_w)
		error = read_line(&got[LINE], desk);
	if (!error && desk->has_w)
		error = check(desk, got);
	return error;
}

size_t desk_asks_before(const struct desk *desk, const char *id, bool leaves)
{
	size_t before = 0;

	for (size_t i = 0; i < desk->asks; i++) {
		const struct desk_ask *a = &desk->ask[i];

		if (!strcmp(a->id, id))
			break;
		before += !leaves || a->ask.kind == BOOK_ASK_LEAVE;
	}
	return before;
}

/* --- parties ------------------------------------------------------------------------ */

_Static_assert((int)BOOK_OUT == OUT && (int)BOOK_WAITS == WAITS &&
		       (int)BOOK_HOLDS == HOLDS,
	       "a seat is a seat");

/* Where it is; or how many there are. */
static uint32_t find_party(const struct desk *desk, const char *id)
{
	uint32_t i = 0;

	while (i < desk->t.parties && strcmp(desk->party[i].id, id) != 0)
		i++;
	return i;
}

/* Whoever is a party already stays what it is. */
static uint32_t read_party(struct desk *desk, const char *id, enum phase phase,
			   uint32_t units, struct ticket last)
{
	uint32_t i = find_party(desk, id);

	if (i < desk->t.parties)
		return i;
	transaction_read(&desk->t, phase, units, last);
	desk->party[i] = (struct desk_party){ .since = desk->now,
					      .in_line = phase == WAITS };
	snprintf(desk->party[i].id, BOOK_ID_MAX, "%s", id);
	return i;
}

static void read_slots(struct party *p, uint32_t units, const uint32_t *slots)
{
	for (uint32_t i = 0; i < units; i++)
		p->slots[slots[i] / 64] |= 1ULL << slots[i] % 64;
}

static void read_waiters(struct desk *desk)
{
	for (size_t n = 0; n < desk->waiters; n++) {
		const struct desk_waiter *x = &desk->waiter[n];
		uint32_t i = read_party(desk, x->waiter.id, WAITS,
					x->waiter.units, x->request.last);

		desk->party[i].since = x->waiter.since;
	}
}

static void read_askers(struct desk *desk)
{
	for (size_t n = 0; n < desk->asks; n++) {
		const struct desk_ask *a = &desk->ask[n];
		bool takes = a->ask.kind == BOOK_ASK_TAKE;
		uint32_t i = read_party(desk, a->id, takes ? OUT : HOLDS,
					a->ask.units, (struct ticket){ 0 });

		if (!takes)
			read_slots(&desk->t.party[i], a->ask.units,
				   a->ask.slots);
		transaction_asks(&desk->t, i,
				 takes ? ASKS_TO_TAKE : ASKS_TO_LEAVE);
	}
}

/* Somebody by its seat.  If it waits and was not among the first in line, it is far.  What
   the line does not know it has not got. */
static uint32_t read_sitter(struct desk *desk, const char *id,
			    const struct book_seat *as_read)
{
	static const struct book_seat out = { .phase = BOOK_OUT };
	const struct book_seat *seat = fits(desk, id, as_read) ? as_read : &out;
	uint32_t others = desk->t.parties;
	uint32_t i = read_party(desk, id, (enum phase)seat->phase, seat->units,
				seat->last);

	if (i == others) {
		desk->t.party[i].is_far = seat->phase == BOOK_WAITS;
		if (seat->phase == BOOK_HOLDS)
			read_slots(&desk->t.party[i], seat->units, seat->slots);
	}
	return i;
}

static struct book_seat seat_of(const struct desk *desk, uint32_t i)
{
	const struct party *p = &desk->t.party[i];
	struct book_seat s = { .phase = (enum book_phase)p->phase,
			       .since = desk->now };
	uint32_t units = 0;

	if (p->phase == OUT)
		return s;
	s.units = p->units;
	s.last = p->last;
	for (uint32_t slot = 0; p->phase == HOLDS && slot < RULES_SLOTS_MAX;
	     slot++) {
		if (p->slots[slot / 64] >> slot % 64 & 1)
			s.slots[units++] = slot;
	}
	return s;
}

/* --- transactions ----------------------------------------------------------------------- */

static void begin(struct desk *desk)
{
	desk->now = time(NULL);
	transaction_begin(&desk->t, &desk->w.rules, desk->w.waiting,
			  desk->more_wait);
	read_waiters(desk);
	read_askers(desk);
}

/* By the clocks of two hosts. */
static void note_wait(struct desk *desk, int64_t seconds)
{
	if (seconds > desk->w.longest_wait)
		desk->w.longest_wait = seconds;
}

static void end(struct desk *desk)
{
	const struct transaction *t = &desk->t;

	desk->w.rules = t->w;
	desk->w.waiting = t->waiting;
	desk->w.grants += t->grants;
	desk->w.abandoned += t->abandoned;
	desk->w.recovered += t->recovered;
	desk->changes = 0;
	for (uint32_t i = 0; i < t->parties; i++) {
		desk->changes += t->party[i].has_changed;
		if (t->party[i].was_let_in)
			note_wait(desk, desk->now - desk->party[i].since);
	}
}

void desk_do(struct desk *desk, enum op op, const char *id, uint32_t units)
{
	uint32_t i;

	begin(desk);
	i = read_sitter(desk, id, &desk->seat);
	if (op == TAKE)
		desk->t.party[i].units = units;
	transaction_do(&desk->t, op, i);
	end(desk);
}

void desk_reap(struct desk *desk, const char *id, const struct book_seat *seat)
{
	uint32_t i;

	begin(desk);
	i = read_sitter(desk, id, seat);
	desk->party[i].deleted = true;
	transaction_reap(&desk->t, i);
	end(desk);
}

void desk_resize(struct desk *desk, uint32_t k)
{
	begin(desk);
	transaction_resize(&desk->t, k);
	end(desk);
}

/* --- writing ------------------------------------------------------------------------ */

/* What was carried out.  What a dead one has announced is deleted by who reaps it, read
   or not. */
static void write_asks(const struct desk *desk, const struct desk_names *names,
		       struct draft *d)
{
	char key[BOOK_KEY_MAX];

	for (size_t n = 0; n < desk->asks; n++) {
		uint32_t i = desk->t.asks_nth[n];

		if (desk->t.party[i].ask != NO_ASK || desk->party[i].deleted)
			continue;
		desk_key(names, "ask/", desk->ask[n].id, key);
		draft_compare(d, key, STORE_CHANGED, desk->ask[n].revision);
		draft_delete(d, key);
	}
}

static void write_line(const struct desk *desk, const struct desk_names *names,
		       struct draft *d)
{
	char key[BOOK_KEY_MAX];

	for (uint32_t i = 0; i < desk->t.parties; i++) {
		const struct party *p = &desk->t.party[i];
		struct book_waiter waiter = { .units = p->units,
					      .since = desk->now };

		line_key(names, &desk->w.rules, p->last, key);
		if (desk->party[i].in_line && p->phase != WAITS)
			draft_delete(d, key);
		if (!p->is_new)
			continue;
		strcpy(waiter.id, desk->party[i].id);
		draft_put(d, key, book_waiter_text(&waiter), 0);
	}
}

static void write_seats(const struct desk *desk, const struct desk_names *names,
			struct draft *d)
{
	char key[BOOK_KEY_MAX];

	for (uint32_t i = 0; i < desk->t.parties; i++) {
		struct book_seat seat = seat_of(desk, i);

		if (!desk->t.party[i].has_changed)
			continue;
		desk_key(names, "seat/", desk->party[i].id, key);
		if (desk->party[i].deleted)
			draft_delete(d, key);
		else
			draft_put(d, key, book_seat_text(&seat), 0);
	}
}

void desk_write(const struct desk *desk, const struct desk_names *names,
		struct draft *d)
{
	char key[BOOK_KEY_MAX];

	desk_key(names, "w", "", key);
	draft_compare(d, key, STORE_CHANGED, desk->w_revision);
	draft_put(d, key, book_w_text(&desk->w), 0);
	write_asks(desk, names, d);
	write_line(desk, names, d);
	write_seats(desk, names, d);
}

/* --- after it ------------------------------------------------------------------------- */

/* Those who still wait, in order: those in line were read so, before those who announced
   something.  More than a transaction may let in are not kept. */
static void settle_line(struct desk *desk)
{
	size_t kept = 0;

	for (uint32_t i = 0; i < desk->t.parties; i++) {
		const struct party *p = &desk->t.party[i];
		struct desk_waiter x = {
			.waiter = { .units = p->units,
				    .since = desk->party[i].since },
			.request = rules_request_of(&desk->w.rules, p->last,
						    p->units),
		};

		if (p->phase != WAITS)
			continue;
		desk->more_wait = kept == TRANSACTION_WAITERS;
		if (desk->more_wait)
			break;
		strcpy(x.waiter.id, desk->party[i].id);
		desk->waiter[kept++] = x;
	}
	desk->waiters = kept;
}

void desk_settle(struct desk *desk, const char *id, int64_t revision)
{
	uint32_t own = find_party(desk, id);

	desk->revision = desk->w_revision = revision;
	if (own < desk->t.parties && desk->t.party[own].has_changed) {
		desk->has_seat = !desk->party[own].deleted;
		desk->seat = seat_of(desk, own);
		desk->seat_revision = desk->has_seat ? revision : 0;
	}
	settle_line(desk);
	desk->asks = desk->changes = 0;
}
