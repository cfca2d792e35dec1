/* SPDX-License-Identifier: MIT */
/* All lines of a store; and a line is removed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/line.h"

/* --- list ------------------------------------------------------------------------------ */

/* The name in the first key from a key on: what is before the next slash.  To be freed;
   null: there are no more. */
static int next_name(struct wicket_etcd *l, const char *from, char **name)
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

	*name = NULL;
	strcpy(end, l->address.prefix);
	desk_end(end);
	error = store_transact(l->store, &t, &by, &reply);
	if (error)
		return error;
	if (reply.got[0].count) {
		const char *key = reply.got[0].pair[0].key + prefix;

		*name = strndup(key, strcspn(key, "/"));
		error = *name ? 0 : -ENOMEM;
	}
	store_free_reply(&reply);
	return error;
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

/* The key behind all that begins with the name and a slash. */
static char *behind(const struct wicket_etcd *l, const char *name)
{
	char *key;

	return asprintf(&key, "%s%s0", l->address.prefix, name) < 0 ? NULL :
								      key;
}

static int list(struct wicket_etcd *l,
		void (*tell)(void *arg, const char *name), void *arg)
{
	char *from = strdup(l->address.prefix), *name = NULL;
	int error = from ? next_name(l, from, &name) : -ENOMEM;

	while (!error && name) {
		bool has = false;

		/* longer names are not ours */
		if (strlen(name) <= ADDRESS_NAME_MAX)
			error = has_w(l, name, &has);
		if (has)
			tell(arg, name);
		free(from);
		from = behind(l, name);
		free(name);
		name = NULL;
		if (!error)
			error = from ? next_name(l, from, &name) : -ENOMEM;
	}
	free(name);
	free(from);
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
	static const char *const kinds[] = { "ask/", "line/", "live/",
					     "seat/" };
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX], end[BOOK_KEY_MAX];

	if (!d)
		return -ENOMEM;
	desk_key(&l->names, "w", "", key);
	draft_compare(d, key, STORE_CHANGED, l->desk.w_revision);
	draft_delete(d, key);
	/* what else is there may be lines with a longer prefix */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		desk_range(&l->names, kinds[i], key, end);
		draft_delete_range(d, key, end);
	}
	return line_send(l, d, READ_ALL, answer);
}

/* If the answer does not come, another look tells. */
static int remove_line(struct wicket_etcd *l)
{
	int64_t until = lease_now() +
			(int64_t)WICKET_ETCD_TTL_DEFAULT * LINE_SECOND;
	bool tried = false;
	int error = line_refresh(l);

	/* what the dead had is no use */
	if (!error && l->desk.has_w)
		error = line_look_after_the_dead(l);
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
