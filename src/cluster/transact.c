/* SPDX-License-Identifier: MIT */
/*
 * One transaction, and what is known of the line after it.
 *
 * A transaction that changes W and is done has compared W: so what it has written is how
 * things are, and need not be read.  That is worth half the time of a participant that is
 * alone.  But it always reads what others have announced meanwhile.  One that is far away
 * can do no more than announce something: W is another whenever its own transaction arrives.
 * One that merely announces something reads that, too: if there are others, somebody else
 * is going to need the rest.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"
#include "cluster/wire.h"

enum {
	KNOWN_FOR = 8, /* round trips */
	CROWDED_FOR = LINE_SECOND,
	FAR = 1000000000, /* seconds: as good as never */
};

void line_nap(void)
{
	const struct timespec t = lease_time(LINE_NAP);

	nanosleep(&t, NULL);
}

int64_t line_until(const struct timespec *t)
{
	struct timespec now;

	if (!t)
		return INT64_MAX;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (t->tv_sec - now.tv_sec > FAR)
		return INT64_MAX;
	return lease_now() + (int64_t)(t->tv_sec - now.tv_sec) * LINE_SECOND +
	       (t->tv_nsec - now.tv_nsec);
}

struct timespec line_answer_by(const struct wicket_etcd *l)
{
	int64_t now = lease_now();
	int64_t end = now + (int64_t)LINE_ANSWER_WITHIN * LINE_SECOND;

	if (l->no_later)
		return lease_time(l->no_later < end ? l->no_later : end);
	/* what it sends when its time is up gets as long as everything else */
	return lease_time(l->until > now && l->until < end ? l->until : end);
}

void line_compare_own(const struct wicket_etcd *l, struct draft *d)
{
	char key[BOOK_KEY_MAX];

	desk_key(&l->names, "seat/", l->names.id, key);
	draft_compare(d, key, STORE_CHANGED, l->desk.seat_revision);
	desk_key(&l->names, "live/", l->names.id, key);
	draft_compare(d, key, STORE_CREATED, l->live_revision);
}

static void note_asks(struct wicket_etcd *l)
{
	bool leaves = l->mind.announced == ASKS_TO_LEAVE;
	size_t others = l->desk.asks;

	for (size_t i = 0; i < l->desk.asks; i++)
		others -= !strcmp(l->desk.ask[i].id, l->names.id);
	if (others)
		l->crowded = lease_now();
	else if (!l->desk.w.waiting)
		l->crowded = 0;
	l->before = desk_asks_before(&l->desk, l->names.id, leaves);
}

static int read_reply(struct wicket_etcd *l, const struct store_reply *reply)
{
	int error = desk_read(reply, &l->desk);

	if (!error && l->live_revision && !l->desk.has_w)
		error = -ESTALE; /* the line was removed */
	if (error)
		return error;
	l->is_fresh = true;
	l->heard = lease_now();
	l->is_calm = l->is_calm && !l->desk.asks && !l->desk.w.waiting;
	note_asks(l);
	return 0;
}

/* A transaction that loses is dearer than a reading. */
bool line_is_known(const struct wicket_etcd *l)
{
	return l->is_fresh &&
	       lease_now() - l->heard <= KNOWN_FOR * l->round_trip;
}

bool line_is_crowded(const struct wicket_etcd *l)
{
	return l->crowded && lease_now() - l->crowded < CROWDED_FOR;
}

/* What is hardly ever refused reads nothing for that: so it is, too, with one alone. */
static void ask(const struct wicket_etcd *l, enum reading reading,
		struct draft *d)
{
	bool is_alone = l->is_calm && !l->next.w.waiting;

	if (reading == READ_ALL)
		desk_ask_all(&l->names, d, draft_get_if_done);
	else if (reading != READ_NOTHING)
		desk_ask_asks(&l->names, d, draft_get_if_done);
	if (reading == READ_ALL || (reading == READ_NEXT && !is_alone))
		desk_ask_all(&l->names, d, draft_get_if_refused);
}

/* It was done, and not all was read. */
static int learn(struct wicket_etcd *l, enum reading reading,
		 const struct store_reply *reply)
{
	int error;

	if (reading == READ_NEXT) {
		desk_settle(&l->next, l->names.id, reply->revision);
		l->desk = l->next;
		l->is_fresh = true;
		l->heard = lease_now();
	} else {
		l->desk.revision = reply->revision;
	}
	if (!reply->gets)
		return 0;
	error = desk_read_asks(&reply->got[0], &l->desk);
	note_asks(l);
	return error;
}

static void note_time(struct wicket_etcd *l, int64_t taken)
{
	l->round_trip = l->round_trip ? (3 * l->round_trip + taken) / 4 : taken;
}

static int understand(struct wicket_etcd *l, enum reading reading,
		      const struct store_reply *reply, enum reply *answer)
{
	int error;

	*answer = reply->succeeded ? DONE : REFUSED;
	if (!reply->succeeded && !reply->gets)
		error = line_refresh(l);
	else if (reply->succeeded && reading != READ_ALL)
		error = learn(l, reading, reply);
	else
		error = read_reply(l, reply);
	l->is_calm = reply->succeeded && l->is_fresh && !l->desk.asks &&
		     !l->desk.w.waiting;
	if (error != -ETIMEDOUT && error != -EAGAIN && error != -ECONNREFUSED)
		return error;
	*answer = SILENCE; /* it is refused, but nobody says why */
	return 0;
}

int line_send(struct wicket_etcd *l, struct draft *d, enum reading reading,
	      enum reply *answer)
{
	const struct timespec end = line_answer_by(l);
	int64_t sent = lease_now();
	struct store_transaction t;
	struct store_reply reply;
	int error;

	if (reading == READ_NEXT && l->next.more_wait)
		reading = READ_ALL; /* not all of the line is known */
	ask(l, reading, d);
	t = draft_transaction(d);
	error = d->error ? d->error :
			   store_transact(l->store, &t, &end, &reply);
	draft_free(d);
	free(d);
	l->is_calm = l->is_fresh = false;
	/* it was answered, or the connection broke, at once: not to ask without end */
	if (error == -EAGAIN || (error == -ETIMEDOUT && !wire_is_past(&end)))
		line_nap();
	if (error) {
		*answer = SILENCE;
		return error == -ETIMEDOUT || error == -EAGAIN ? 0 : error;
	}
	note_time(l, lease_now() - sent);
	error = understand(l, reading, &reply, answer);
	store_free_reply(&reply);
	return error;
}

int line_write_next(struct wicket_etcd *l, enum reply *answer)
{
	struct draft *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	desk_write(&l->next, &l->names, d);
	return line_send(l, d, READ_NEXT, answer);
}

int line_read(struct wicket_etcd *l, const struct store_action *more,
	      size_t count, struct store_reply *reply)
{
	const struct timespec end = line_answer_by(l);
	struct draft *d = calloc(1, sizeof(*d));
	struct store_transaction t;
	int error;

	if (!d)
		return -ENOMEM;
	desk_ask_all(&l->names, d, draft_get_if_done);
	for (size_t i = 0; i < count; i++)
		draft_get_if_done(d, &more[i]);
	t = draft_transaction(d);
	error = d->error ? d->error : store_transact(l->store, &t, &end, reply);
	draft_free(d);
	free(d);
	if (error)
		return error;
	reply->gets -= count;
	error = read_reply(l, reply);
	reply->gets += count;
	if (error)
		store_free_reply(reply);
	return error;
}

int line_refresh(struct wicket_etcd *l)
{
	struct store_reply reply;
	int error = line_read(l, NULL, 0, &reply);

	if (!error)
		store_free_reply(&reply);
	return error;
}
