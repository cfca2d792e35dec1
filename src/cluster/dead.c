/* SPDX-License-Identifier: MIT */
/* Who has gone without a word: its live key is missing, and its seat is still there, or
   what it has announced. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"

enum {
	SEATS_READ = 256, /* at a time */
	BURY_TRIES = 4,
	NEAR = 4, /* so many of those in line look for the dead */
};

bool line_is_first(const struct wicket_etcd *l)
{
	return l->desk.waiters &&
	       !strcmp(l->desk.waiter[0].waiter.id, l->names.id);
}

/* The first of all may be stopped. */
static bool is_near(const struct wicket_etcd *l)
{
	for (size_t i = 0; i < l->desk.waiters && i < NEAR; i++) {
		if (!strcmp(l->desk.waiter[i].waiter.id, l->names.id))
			return true;
	}
	return false;
}

static bool is_alive(const struct store_pairs *lives, const char *id)
{
	for (size_t i = 0; i < lives->count; i++) {
		const char *slash = strrchr(lives->pair[i].key, '/');

		if (slash && !strcmp(slash + 1, id))
			return true;
	}
	return false;
}

/* Gives back what one had whose lease has ended.  After it, W is another. */
static int reap(struct wicket_etcd *l, const char *id,
		const struct store_pair *pair)
{
	struct draft *d;
	char key[BOOK_KEY_MAX];
	struct book_seat seat;
	enum reply answer;
	int error = book_read_seat(pair->value, &seat);

	if (error)
		return error;
	d = calloc(1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	l->next = l->desk;
	desk_reap(&l->next, id, &seat);
	desk_key(&l->names, "live/", id, key);
	draft_compare(d, key, STORE_CREATED, 0);
	draft_compare(d, pair->key, STORE_CHANGED, pair->changed);
	desk_write(&l->next, &l->names, d);
	desk_key(&l->names, "ask/", id, key);
	draft_delete(d, key);
	return line_send(l, d, READ_ALL, &answer);
}

/* The seat of one who is surely dead. */
static int reap_seat(struct wicket_etcd *l, const char *id)
{
	char key[BOOK_KEY_MAX];
	const struct store_action more = { .key = key };
	struct store_reply reply;
	const struct store_pairs *seat;
	int error;

	desk_key(&l->names, "seat/", id, key);
	error = line_read(l, &more, 1, &reply);
	if (error)
		return error;
	seat = &reply.got[reply.gets - 1];
	if (seat->count && l->desk.has_w)
		error = reap(l, id, &seat->pair[0]);
	if (!error && seat->count && l->desk.has_w)
		error = -EAGAIN; /* is it done? */
	store_free_reply(&reply);
	return error;
}

/* Its live key first: without that it is found by others, if there is no time for more. */
int line_bury(struct store *store, const char *keys, const char *name,
	      int64_t until)
{
	struct wicket_etcd *l = calloc(1, sizeof(*l));
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];
	enum reply answer;
	int error;

	if (!l || !d) {
		free(l);
		free(d);
		return -ENOMEM;
	}
	l->store = store;
	l->no_later = until;
	snprintf(l->names.prefix, sizeof(l->names.prefix), "%s", keys);
	desk_key(&l->names, "live/", name, key);
	draft_delete(d, key);
	desk_key(&l->names, "ask/", name, key);
	draft_delete(d, key);
	answer = SILENCE;
	error = line_send(l, d, READ_ALL, &answer);
	for (int i = 0; i < BURY_TRIES && lease_now() < until &&
			(!i ? !error : error == -EAGAIN);
	     i++)
		error = reap_seat(l, name);
	free(l);
	return answer == DONE ? 0 : -EAGAIN;
}

static bool are_all_alive(const struct wicket_etcd *l,
			  const struct store_pairs *lives)
{
	size_t i = 0;

	while (i < l->desk.asks && is_alive(lives, l->desk.ask[i].id))
		i++;
	return i == l->desk.asks;
}

/* What those have announced that were read, and do not live.  W stays as it is: whoever
   carries that out meanwhile compares it, too. */
static int withdraw(struct wicket_etcd *l, const struct store_pairs *lives)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];
	enum reply answer;

	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < l->desk.asks; i++) {
		const struct desk_ask *a = &l->desk.ask[i];

		if (is_alive(lives, a->id))
			continue;
		desk_key(&l->names, "live/", a->id, key);
		draft_compare(d, key, STORE_CREATED, 0);
		desk_key(&l->names, "ask/", a->id, key);
		draft_compare(d, key, STORE_CHANGED, a->revision);
		draft_delete(d, key);
	}
	return line_send(l, d, READ_ALL, &answer);
}

/* Some seats, from a key on, and who lives. */
static int read_seats(struct wicket_etcd *l, const char *from,
		      struct store_reply *reply)
{
	char key[BOOK_KEY_MAX], seats[BOOK_KEY_MAX], live[BOOK_KEY_MAX],
		all[BOOK_KEY_MAX];
	const struct store_action more[] = {
		{ .key = from, .end = seats, .limit = SEATS_READ },
		{ .key = live, .end = all, .keys_only = true },
	};

	desk_range(&l->names, "seat/", key, seats);
	desk_range(&l->names, "live/", live, all);
	return line_read(l, more, 2, reply);
}

/* What the dead have announced; if that is nothing, the first dead one among the seats
   from a key on.  That is then the key from which to
   go on; empty: there are no more. */
static int reap_one(struct wicket_etcd *l, char from[BOOK_KEY_MAX])
{
	struct store_reply reply;
	const struct store_pairs *seats, *lives;
	int error = read_seats(l, from, &reply);
	size_t i = 0;

	if (error)
		return error;
	seats = &reply.got[reply.gets - 2];
	lives = &reply.got[reply.gets - 1];
	while (i < seats->count &&
	       is_alive(lives, strrchr(seats->pair[i].key, '/') + 1))
		i++;
	if (!l->desk.has_w) {
		*from = '\0'; /* it was removed */
	} else if (!are_all_alive(l, lives)) {
		/* from the first again: it may have got a seat instead */
		desk_key(&l->names, "seat/", "", from);
		error = withdraw(l, lives);
	} else if (i < seats->count) {
		const char *key = seats->pair[i].key;

		snprintf(from, BOOK_KEY_MAX, "%s", key);
		error = reap(l, strrchr(key, '/') + 1, &seats->pair[i]);
	} else if (seats->more) {
		/* '!' is before whatever a name can go on with */
		snprintf(from, BOOK_KEY_MAX, "%s!", seats->pair[i - 1].key);
	} else {
		*from = '\0';
	}
	store_free_reply(&reply);
	return error;
}

int line_look_after_the_dead(struct wicket_etcd *l)
{
	char from[BOOK_KEY_MAX];
	int error = 0;

	desk_key(&l->names, "seat/", "", from);
	while (!error && *from)
		error = reap_one(l, from);
	return error;
}

/* Does whoever was first in line when the desk was read last live? */
static int read_desk(struct wicket_etcd *l, bool *first_lives)
{
	char key[BOOK_KEY_MAX];
	const struct store_action more = { .key = key, .keys_only = true };
	struct store_reply reply;
	size_t first = l->desk.waiters;
	int error;

	desk_key(&l->names, "live/",
		 first ? l->desk.waiter[0].waiter.id : l->names.id, key);
	error = line_read(l, &more, 1, &reply);
	if (error)
		return error;
	*first_lives = !first || reply.got[reply.gets - 1].count > 0;
	store_free_reply(&reply);
	return 0;
}

int line_let_in(struct wicket_etcd *l)
{
	enum reply answer = DONE;
	int error = 0;

	while (!error && answer == DONE && l->is_fresh && l->desk.w.waiting) {
		l->next = l->desk;
		desk_resize(&l->next, l->desk.w.rules.k);
		if (!l->next.changes)
			break;
		error = line_write_next(l, &answer);
	}
	return error;
}

int line_look(struct wicket_etcd *l)
{
	bool first_lives = true;
	int error = 0;

	if (!line_is_first(l))
		error = read_desk(l, &first_lives);
	if (!error && (is_near(l) || !first_lives))
		error = line_look_after_the_dead(l);
	if (!error && is_near(l))
		error = line_let_in(l);
	return error == -ETIMEDOUT || error == -EAGAIN ||
			       error == -ECONNREFUSED ?
		       0 :
		       error;
}
