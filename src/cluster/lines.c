/* SPDX-License-Identifier: MIT */
/* All lines of a store; and a line is removed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"

/* --- list ------------------------------------------------------------------------------ */

/* The first key from a key on: its name is what is before the next slash. */
static int next_name(struct wicket_etcd *l, const char *from, char *name,
		     size_t size)
{
	size_t prefix = strlen(l->address.prefix);
	char end[ADDRESS_PREFIX_MAX];
	const struct store_action get = { .kind = STORE_GET,
					  .key = from,
					  .end = end,
					  .limit = 1,
					  .keys_only = true };
	const struct store_transaction t = { .then = &get, .thens = 1 };
	const struct timespec by = line_answer_by(l);
	struct store_reply reply;
	int error;

	strcpy(end, l->address.prefix);
	end[prefix - 1]++; /* the character after '/' */
	error = store_transact(l->store, &t, &by, &reply);
	if (error)
		return error;
	*name = '\0';
	if (reply.got[0].count) {
		const char *key = reply.got[0].pair[0].key + prefix;

		snprintf(name, size, "%.*s", (int)strcspn(key, "/"), key);
	}
	store_free_reply(&reply);
	return 0;
}

/* Whether there is a line of that name, or other keys. */
static int has_w(struct wicket_etcd *l, const char *name, bool *has)
{
	char key[BOOK_KEY_MAX];
	const struct store_action get = { .kind = STORE_GET,
					  .key = key,
					  .keys_only = true };
	const struct store_transaction t = { .then = &get, .thens = 1 };
	const struct timespec by = line_answer_by(l);
	struct store_reply reply;
	int error;

	snprintf(key, sizeof(key), "%s%s/w", l->address.prefix, name);
	error = store_transact(l->store, &t, &by, &reply);
	if (error)
		return error;
	*has = reply.got[0].count > 0;
	store_free_reply(&reply);
	return 0;
}

static int list(struct wicket_etcd *l,
		void (*tell)(void *arg, const char *name), void *arg)
{
	char from[BOOK_KEY_MAX], name[BOOK_KEY_MAX / 4];
	int error;

	snprintf(from, sizeof(from), "%s", l->address.prefix);
	while (!(error = next_name(l, from, name, sizeof(name))) && *name) {
		bool has = false;

		error = has_w(l, name, &has);
		if (error)
			break;
		if (has)
			tell(arg, name);
		/* behind all that begins with NAME and a slash */
		snprintf(from, sizeof(from), "%s%s0", l->address.prefix, name);
	}
	return error;
}

int wicket_etcd_list(const struct wicket_etcd_options *options,
		     void (*tell)(void *arg, const char *name), void *arg)
{
	struct wicket_etcd *l;
	int error = line_new(&l, NULL, options);

	if (error)
		return error;
	error = line_explain(l, options, list(l, tell, arg));
	line_free(l);
	return error;
}

/* --- remove ---------------------------------------------------------------------------- */

/* If W is as it was read: nobody holds or waits. */
static int delete_all(struct wicket_etcd *l, enum reply *answer)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];

	if (!d)
		return -ENOMEM;
	desk_key(&l->names, "w", "", key);
	draft_compare(d, key, STORE_CHANGED, l->desk.w_revision);
	desk_key(&l->names, "", "", key);
	desk_key(&l->names, "", "", end);
	end[strlen(end) - 1]++;
	draft_delete_range(d, key, end);
	return line_send(l, d, READ_ALL, answer);
}

/* If the answer does not come, another look tells. */
static int remove_line(struct wicket_etcd *l)
{
	int64_t until = lease_now() +
			(int64_t)WICKET_ETCD_TTL_DEFAULT * LINE_SECOND;
	bool tried = false;
	int error = line_refresh(l);

	while (!error) {
		enum reply answer;

		if (!l->desk.has_w)
			return tried ? 0 : -ENOENT;
		if (l->desk.w.rules.taken || l->desk.w.waiting || l->desk.asks)
			return -EBUSY;
		tried = true;
		error = delete_all(l, &answer);
		if (!error && answer == DONE)
			return 0;
		if (!error && answer == SILENCE && lease_now() >= until)
			error = -ETIMEDOUT;
		if (!error)
			error = line_refresh(l);
	}
	return error;
}

int wicket_etcd_remove(const char *name,
		       const struct wicket_etcd_options *options)
{
	struct wicket_etcd *l;
	int error = line_new(&l, name, options);

	if (error)
		return error;
	error = remove_line(l);
	if (error == -ENOENT)
		l->problem = "there is no such line";
	else if (error == -EBUSY)
		l->problem = "somebody holds a slot, or waits";
	line_explain(l, options, error);
	line_free(l);
	return error;
}
