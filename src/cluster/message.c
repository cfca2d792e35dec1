/* SPDX-License-Identifier: MIT */
#include "cluster/message.h"
#include "cluster/base64.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- building -------------------------------------------------------------- */

/* Each takes over the object, and gives it back, or null if there was no memory for
   it or for the member, so that they can be called one in another. */
static json_t *with(json_t *object, const char *name, json_t *value)
{
	if (object && value && !json_object_set_new(object, name, value))
		return object;
	if (!object)
		json_decref(value);
	json_decref(object);
	return NULL;
}

static json_t *with_bytes(json_t *object, const char *name, const char *text)
{
	char *code = base64_encode(text);
	json_t *value = code ? json_string(code) : NULL;

	free(code);
	return with(object, name, value);
}

static json_t *with_number(json_t *object, const char *name, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return with(object, name, json_string(text));
}

static json_t *with_word(json_t *object, const char *name, const char *word)
{
	return with(object, name, json_string(word));
}

static json_t *around(const char *name, json_t *inner)
{
	return with(json_object(), name, inner);
}

static json_t *key_of(const char *key)
{
	return with_bytes(json_object(), "key", key);
}

static json_t *comparison(const struct store_compare *c)
{
	bool changed = c->what == STORE_CHANGED;
	json_t *object = key_of(c->key);

	object = with_word(object, "target", changed ? "MOD" : "CREATE");
	return with_number(object, changed ? "mod_revision" : "create_revision",
			   c->revision);
}

static json_t *range(const struct store_action *a)
{
	json_t *object = key_of(a->key);

	if (a->end)
		object = with_bytes(object, "range_end", a->end);
	return object;
}

static json_t *get(const struct store_action *a)
{
	json_t *object = range(a);

	if (a->limit)
		object = with_number(object, "limit", a->limit);
	if (a->by_creation) {
		object = with_word(object, "sort_target", "CREATE");
		object = with_word(object, "sort_order", "ASCEND");
	}
	if (a->keys_only)
		object = with(object, "keys_only", json_true());
	return around("request_range", object);
}

static json_t *put(const struct store_action *a)
{
	json_t *object = with_bytes(key_of(a->key), "value", a->value);

	if (a->lease)
		object = with_number(object, "lease", a->lease);
	return around("request_put", object);
}

static json_t *action(const struct store_action *a)
{
	switch (a->kind) {
	case STORE_PUT:
		return put(a);
	case STORE_DELETE:
		return around("request_delete_range", range(a));
	default:
		return get(a);
	}
}

/* Takes over the array, as with does. */
static json_t * and (json_t * array, json_t *value)
{
	if (array && value && !json_array_append_new(array, value))
		return array;
	if (!array)
		json_decref(value);
	json_decref(array);
	return NULL;
}

static json_t *actions(const struct store_action *a, size_t count)
{
	json_t *all = json_array();

	for (size_t i = 0; i < count; i++)
		all = and(all, action(&a[i]));
	return all;
}

json_t *message_transaction(const struct store_transaction *t)
{
	json_t *all = json_array(), *object;

	for (size_t i = 0; i < t->compares; i++)
		all = and(all, comparison(&t->compare[i]));
	object = around("compare", all);
	object = with(object, "success", actions(t->then, t->thens));
	return with(object, "failure", actions(t->otherwise, t->otherwises));
}

json_t *message_watch(const char *key, int64_t revision)
{
	json_t *object = with_number(key_of(key), "start_revision", revision);

	return around("create_request", object);
}

json_t *message_grant(int64_t seconds)
{
	return with_number(json_object(), "TTL", seconds);
}

json_t *message_lease(int64_t lease)
{
	return with_number(json_object(), "ID", lease);
}

json_t *message_login(const char *name, const char *password)
{
	json_t *object = with_word(json_object(), "name", name);

	return with_word(object, "password", password);
}

/* --- reading --------------------------------------------------------------- */

const char *message_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

int64_t message_number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	const char *text = json_string_value(value);

	/* 32-bit ones, as codes of errors, are no strings */
	return text ? strtoll(text, NULL, 10) : json_integer_value(value);
}

bool message_is_true(const json_t *object, const char *name)
{
	return json_is_true(json_object_get(object, name));
}

int64_t message_revision(const json_t *answer)
{
	return message_number(json_object_get(answer, "header"), "revision");
}

static char *read_bytes(const json_t *object, const char *name)
{
	const char *code = message_text(object, name);

	return base64_decode(code ? code : "");
}

int message_read_pair(const json_t *object, bool has_value,
		      struct store_pair *pair)
{
	int error;

	errno = ENOMEM;
	*pair = (struct store_pair){
		.key = read_bytes(object, "key"),
		.value = has_value ? read_bytes(object, "value") : NULL,
		.changed = message_number(object, "mod_revision"),
		.created = message_number(object, "create_revision"),
	};
	error = pair->changed > 0 ? -errno : -EPROTO;
	if (pair->key && (pair->value || !has_value) && pair->changed > 0)
		return 0;
	store_free_pair(pair);
	return error;
}

static int read_pairs(const json_t *range_answer, struct store_pairs *pairs)
{
	const json_t *list = json_object_get(range_answer, "kvs"), *one;
	size_t i;

	*pairs = (struct store_pairs){
		.pair = calloc(json_array_size(list) + 1, sizeof(*pairs->pair)),
		.more = message_is_true(range_answer, "more"),
	};
	if (!pairs->pair)
		return -ENOMEM;
	json_array_foreach(list, i, one)
	{
		int result = message_read_pair(one, true, &pairs->pair[i]);

		if (result)
			return result;
		pairs->count++;
	}
	return 0;
}

static int read_gets(const json_t *responses, const struct store_action *a,
		     size_t count, struct store_reply *reply)
{
	for (size_t i = 0; i < count; i++) {
		const json_t *one = json_object_get(
			json_array_get(responses, i), "response_range");
		int result;

		if (a[i].kind != STORE_GET)
			continue;
		if (!one)
			return -EPROTO;
		result = read_pairs(one, &reply->got[reply->gets++]);
		if (result)
			return result;
	}
	return 0;
}

int message_read_reply(const json_t *answer, const struct store_transaction *t,
		       struct store_reply *reply)
{
	const json_t *responses = json_object_get(answer, "responses");
	bool held = message_is_true(answer, "succeeded");
	size_t count = held ? t->thens : t->otherwises;
	int result;

	*reply = (struct store_reply){ .succeeded = held,
				       .revision = message_revision(answer) };
	if (json_array_size(responses) != count)
		return -EPROTO;
	result = read_gets(responses, held ? t->then : t->otherwise, count,
			   reply);
	if (result)
		store_free_reply(reply);
	return result;
}
