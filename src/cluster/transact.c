/* SPDX-License-Identifier: MIT */
/*
 * One transaction, and what is known of the line after it.
 *
 * A transaction that changes W and is done has compared W: so what it has written is how
 * things are, and need not be read.  That is worth half the time of a participant that is
 * alone.  If others are about, all is read: what they have announced, and who waits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"

void line_nap(void)
{
	const struct timespec t = lease_time(LINE_NAP);

	nanosleep(&t, NULL);
}

struct timespec line_answer_by(void)
{
	return lease_time(lease_now() +
			  (int64_t)LINE_ANSWER_WITHIN * LINE_SECOND);
}

void line_compare_own(const struct wicket_etcd *l, struct draft *d)
{
	char key[BOOK_KEY_MAX];

	desk_key(&l->names, "seat/", l->names.id, key);
	draft_compare(d, key, STORE_CHANGED, l->desk.seat_revision);
	desk_key(&l->names, "live/", l->names.id, key);
	draft_compare(d, key, STORE_CREATED, l->live_revision);
}

static int read_reply(struct wicket_etcd *l, const struct store_reply *reply)
{
	int error = desk_read(reply, &l->desk);

	if (!error && l->live_revision && !l->desk.has_w)
		error = -ESTALE; /* the line was removed */
	return error;
}

/* Nothing was read: it is known, or it must be. */
static int learn(struct wicket_etcd *l, const struct store_reply *reply,
		 enum reply *answer)
{
	int error;

	if (reply->succeeded) {
		desk_settle(&l->next, l->names.id, reply->revision);
		l->desk = l->next;
		return 0;
	}
	error = line_refresh(l);
	if (error != -ETIMEDOUT && error != -EAGAIN && error != -ECONNREFUSED)
		return error;
	*answer = SILENCE;
	return 0;
}

int line_send(struct wicket_etcd *l, struct draft *d, bool writes_next,
	      enum reply *answer)
{
	const struct timespec end = line_answer_by();
	bool knows = writes_next && l->is_calm && !l->next.w.waiting;
	struct store_transaction t;
	struct store_reply reply;
	int error;

	if (!knows)
		desk_ask_all(&l->names, d);
	t = draft_transaction(d);
	error = d->error ? d->error :
			   store_transact(l->store, &t, &end, &reply);
	draft_free(d);
	free(d);
	l->is_calm = false;
	if (error) {
		*answer = SILENCE;
		return error == -ETIMEDOUT || error == -EAGAIN ? 0 : error;
	}
	*answer = reply.succeeded ? DONE : REFUSED;
	error = knows ? learn(l, &reply, answer) : read_reply(l, &reply);
	l->is_calm = reply.succeeded && !l->desk.asks && !l->desk.w.waiting;
	store_free_reply(&reply);
	return error;
}

int line_write_next(struct wicket_etcd *l, enum reply *answer)
{
	struct draft *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	desk_write(&l->next, &l->names, d);
	return line_send(l, d, true, answer);
}

int line_read(struct wicket_etcd *l, const struct store_action *more,
	      size_t count, struct store_reply *reply)
{
	const struct timespec end = line_answer_by();
	struct draft *d = calloc(1, sizeof(*d));
	struct store_transaction t;
	int error;

	if (!d)
		return -ENOMEM;
	desk_ask_all(&l->names, d);
	for (size_t i = 0; i < count; i++)
		draft_get(d, &more[i]);
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
