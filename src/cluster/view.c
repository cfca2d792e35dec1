/* SPDX-License-Identifier: MIT */
/*
 * Looking at a line: all its keys are read at one moment, and put together; who holds,
 * who waits, and what is wrong.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"

/* --- reading ------------------------------------------------------------------------- */

struct sitter {
	char id[BOOK_ID_MAX];
	int64_t revision;
	struct book_seat seat;
};

struct alive {
	char id[BOOK_ID_MAX];
	struct book_person person;
};

/* Everything that is kept about a line.  Sitters and those alive are by id. */
struct all {
	bool has_w;
	struct book_w w;
	int64_t revision;
	struct sitter *sitter;
	struct alive *alive;
	struct desk_waiter *waiter;
	size_t sitters, living, waiters;
};

static void forget(struct all *all)
{
	free(all->sitter);
	free(all->alive);
	free(all->waiter);
}

/* What is after the line's prefix and a kind of key; null: it is of another kind. */
static const char *of_kind(const char *key, size_t prefix, const char *kind)
{
	size_t length = strlen(kind);

	return strncmp(key + prefix, kind, length) != 0 ? NULL :
							  key + prefix + length;
}

static bool copy_id(char id[BOOK_ID_MAX], const char *text)
{
	return (size_t)snprintf(id, BOOK_ID_MAX, "%s", text) < BOOK_ID_MAX;
}

static int read_pair(struct all *all, const struct store_pair *pair,
		     size_t prefix)
{
	const char *rest;
	int error;

	if (!strcmp(pair->key + prefix, "w")) {
		all->has_w = true;
		return book_read_w(pair->value, &all->w);
	}
	if ((rest = of_kind(pair->key, prefix, "seat/"))) {
		struct sitter *s = &all->sitter[all->sitters++];

		s->revision = pair->changed;
		error = book_read_seat(pair->value, &s->seat);
		return error ? error : copy_id(s->id, rest) ? 0 : -EPROTO;
	}
	if ((rest = of_kind(pair->key, prefix, "live/"))) {
		struct alive *a = &all->alive[all->living++];

		error = book_read_person(pair->value, &a->person);
		return error ? error : copy_id(a->id, rest) ? 0 : -EPROTO;
	}
	if ((rest = of_kind(pair->key, prefix, "line/")))
		return desk_read_waiter(rest, pair->value,
					&all->waiter[all->waiters++]);
	return 0; /* what was announced is not yet of the line */
}

/* The keys are in order, and those of seats and lives by id. */
static int read_pairs(struct all *all, const struct store_pairs *pairs,
		      size_t prefix, struct desk *desk)
{
	size_t n = pairs->count;
	int error = 0;

	all->sitter = calloc(n + 1, sizeof(*all->sitter));
	all->alive = calloc(n + 1, sizeof(*all->alive));
	all->waiter = calloc(n + 1, sizeof(*all->waiter));
	if (!all->sitter || !all->alive || !all->waiter)
		error = -ENOMEM;
	for (size_t i = 0; !error && i < n; i++) {
		error = read_pair(all, &pairs->pair[i], prefix);
		if (error)
			desk_note(desk, pairs->pair[i].key, error);
	}
	if (!error && !all->has_w)
		error = -ESTALE;
	return error;
}

static int read_all(struct wicket_etcd *l, struct all *all)
{
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];
	const struct store_action get = { .kind = STORE_GET,
					  .key = key,
					  .end = end };
	const struct store_transaction t = { .then = &get, .thens = 1 };
	const struct timespec by = line_answer_by(l);
	size_t prefix = strlen(l->names.prefix);
	struct store_reply reply;
	int error;

	memset(all, 0, sizeof(*all));
	*l->desk.problem = '\0';
	desk_range(&l->names, "", key, end);
	error = store_transact(l->store, &t, &by, &reply);
	if (error)
		return error;
	all->revision = reply.revision;
	error = read_pairs(all, &reply.got[0], prefix, &l->desk);
	store_free_reply(&reply);
	if (error)
		forget(all);
	return error;
}

/* Both begin with the id. */
static int by_id(const void *a, const void *b)
{
	return strcmp(a, b);
}

static const struct sitter *find_sitter(const struct all *all, const char *id)
{
	return bsearch(id, all->sitter, all->sitters, sizeof(*all->sitter),
		       by_id);
}

static const struct alive *find_alive(const struct all *all, const char *id)
{
	return bsearch(id, all->alive, all->living, sizeof(*all->alive), by_id);
}

/* --- who holds, and who waits --------------------------------------------------------- */

static struct wicket_etcd_entry entry_of(const struct all *all, const char *id)
{
	const struct alive *a = find_alive(all, id);
	const struct sitter *s = find_sitter(all, id);
	struct wicket_etcd_entry e = { .flags = a ? 0 : WICKET_LEFT };

	if (a) {
		memcpy(e.host, a->person.host, sizeof(e.host));
		memcpy(e.comm, a->person.comm, sizeof(e.comm));
		e.pid = a->person.pid;
		e.uid = a->person.uid;
	}
	if (s) {
		e.units = s->seat.units;
		e.value = s->seat.last.value;
		e.colour = s->seat.last.colour;
		e.since = s->seat.since;
	}
	return e;
}

static int by_slot(const void *a, const void *b)
{
	const struct wicket_etcd_entry *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* One for each slot; room for all of them. */
static size_t list_holders(const struct all *all,
			   struct wicket_etcd_entry *entries)
{
	size_t count = 0;

	for (size_t i = 0; i < all->sitters; i++) {
		const struct sitter *s = &all->sitter[i];
		struct wicket_etcd_entry e = entry_of(all, s->id);

		if (s->seat.phase != BOOK_HOLDS)
			continue;
		e.flags |= WICKET_HOLDS;
		e.fence = s->seat.fence ? s->seat.fence : s->revision;
		for (uint32_t u = 0; u < s->seat.units; u++) {
			e.place = s->seat.slots[u];
			entries[count++] = e;
		}
	}
	qsort(entries, count, sizeof(*entries), by_slot);
	return count;
}

static size_t count_held(const struct all *all)
{
	size_t count = 0;

	for (size_t i = 0; i < all->sitters; i++)
		count += all->sitter[i].seat.phase == BOOK_HOLDS ?
				 all->sitter[i].seat.units :
				 0;
	return count;
}

static int list_entries(const struct all *all, struct wicket_etcd_view *view,
			struct wicket_etcd_entry *entries, size_t room)
{
	size_t held = count_held(all), count = held + all->waiters;
	struct wicket_etcd_entry *list = calloc(count + 1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	list_holders(all, list);
	for (size_t i = 0; i < all->waiters; i++) {
		list[held + i] = entry_of(all, all->waiter[i].waiter.id);
		list[held + i].place = (uint32_t)i + 1;
	}
	if (room)
		memcpy(entries, list,
		       (count < room ? count : room) * sizeof(*list));
	free(list);
	*view = (struct wicket_etcd_view){
		.slots = all->w.rules.k,
		.holding = (uint32_t)held,
		.waiting = (uint32_t)all->waiters,
		.grants = (uint64_t)all->w.grants,
		.recovered = (uint64_t)all->w.recovered,
		.abandoned = (uint64_t)all->w.abandoned,
		.longest_wait = all->w.longest_wait,
		.revision = all->revision,
	};
	return (int)count;
}

int wicket_etcd_inspect(struct wicket_etcd *l, struct wicket_etcd_view *view,
			struct wicket_etcd_entry *entries, size_t room)
{
	struct all all;
	int count = read_all(l, &all);

	if (!count) {
		count = list_entries(&all, view, entries, room);
		forget(&all);
	}
	return count;
}

/* --- what is wrong ---------------------------------------------------------------------- */

struct doctor {
	void (*tell)(void *arg, enum wicket_finding kind, const char *text);
	void *arg;
	int wrong;
};

__attribute__((format(printf, 3, 4))) static void find(struct doctor *d,
						       enum wicket_finding kind,
						       const char *format, ...)
{
	char text[DESK_PROBLEM];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	d->tell(d->arg, kind, text);
	d->wrong += kind == WICKET_WRONG;
}

/* K1: a slot that is held has one holder, and W knows it. */
static void check_slots(struct doctor *d, const struct all *all)
{
	uint32_t holders[RULES_SLOTS_MAX] = { 0 };

	for (size_t i = 0; i < all->sitters; i++) {
		const struct book_seat *s = &all->sitter[i].seat;

		for (uint32_t u = 0; s->phase == BOOK_HOLDS && u < s->units;
		     u++)
			holders[s->slots[u]]++;
	}
	for (uint32_t slot = 0; slot < RULES_SLOTS_MAX; slot++) {
		uint32_t held = (uint32_t)rules_is_held(&all->w.rules, slot);

		if (holders[slot] != held)
			find(d, WICKET_WRONG,
			     "slot %u is %s, and has %u holders", slot,
			     held ? "held" : "free", holders[slot]);
	}
	if (all->w.rules.taken > all->w.rules.k)
		find(d, WICKET_NOTE,
		     "%u slots are held, and the line has %u: it was made "
		     "smaller",
		     all->w.rules.taken, all->w.rules.k);
}

static bool are_same(struct ticket a, struct ticket b)
{
	return a.value == b.value && a.colour == b.colour;
}

/* Who waits has a ticket in the line, and who is in the line waits. */
static void check_line(struct doctor *d, const struct all *all)
{
	size_t waiting = 0;

	for (size_t i = 0; i < all->sitters; i++)
		waiting += all->sitter[i].seat.phase == BOOK_WAITS;
	if (waiting != all->waiters || waiting != all->w.waiting)
		find(d, WICKET_WRONG,
		     "%zu seats wait, %zu are in the line, and its count is %u",
		     waiting, all->waiters, all->w.waiting);
	for (size_t i = 0; i < all->waiters; i++) {
		const struct desk_waiter *x = &all->waiter[i];
		const struct sitter *s = find_sitter(all, x->waiter.id);

		if (!s || s->seat.phase != BOOK_WAITS ||
		    s->seat.units != x->waiter.units ||
		    !are_same(s->seat.last, x->request.last))
			find(d, WICKET_WRONG,
			     "ticket %u:%u is in the line, and its seat does "
			     "not wait with it",
			     x->request.last.value, x->request.last.colour);
	}
}

/* K2, and what holds of W whoever is in the line. */
static void check_w(struct doctor *d, const struct all *all)
{
	const struct rules_w *w = &all->w.rules;
	uint64_t issue = rules_number(w, w->issue);
	uint64_t valid = rules_number(w, w->valid);
	uint64_t front =
		all->waiters ? rules_number(w, all->waiter[0].request.before) :
			       issue;
	uint64_t spare = valid > front ? valid - front : 0;

	if (all->waiters &&
	    rules_number(w, all->waiter[all->waiters - 1].request.last) > issue)
		find(d, WICKET_WRONG, "a ticket in the line was never issued");
	if (spare && w->taken + spare > w->k)
		find(d, WICKET_WRONG,
		     "%u slots are held and %" PRIu64
		     " more are granted, of %u",
		     w->taken, spare, w->k);
	if (all->waiters && w->taken + all->waiter[0].waiter.units <= w->k)
		find(d, WICKET_NOTE,
		     "the first in line could be served, and was not yet");
}

static void note_the_dead(struct doctor *d, const struct all *all)
{
	for (size_t i = 0; i < all->sitters; i++) {
		const struct sitter *s = &all->sitter[i];

		if (find_alive(all, s->id) || s->seat.phase == BOOK_OUT)
			continue;
		find(d, WICKET_NOTE,
		     "the lease of a participant that %s has ended (%s): the "
		     "first who waits gives that back",
		     s->seat.phase == BOOK_HOLDS ? "holds slots" : "waits",
		     s->id);
	}
	if (!all->w.rules.k)
		find(d, WICKET_NOTE, "the line has no slots: nobody is let in");
}

int wicket_etcd_check(struct wicket_etcd *l,
		      void (*tell)(void *arg, enum wicket_finding kind,
				   const char *text),
		      void *arg)
{
	struct doctor d = { .tell = tell, .arg = arg };
	struct all all;
	int error = line_refresh(l);

	if (error == -EPROTO && *l->desk.problem)
		find(&d, WICKET_WRONG, "%s", l->desk.problem);
	else if (error)
		return error;
	error = read_all(l, &all);
	if (error == -EPROTO && d.wrong)
		return d.wrong; /* more cannot be said */
	if (error)
		return error;
	check_slots(&d, &all);
	check_line(&d, &all);
	check_w(&d, &all);
	note_the_dead(&d, &all);
	forget(&all);
	return d.wrong;
}
