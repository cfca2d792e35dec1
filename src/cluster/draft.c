/* SPDX-License-Identifier: MIT */
#include "cluster/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A text that is the draft's. */
static const char *own(struct draft *d, char *text)
{
	if (!text)
		d->error = -ENOMEM;
	else if (d->texts == DRAFT_TEXTS_MAX)
		d->error = -E2BIG;
	if (d->error) {
		free(text);
		return "";
	}
	return d->text[d->texts++] = text;
}

static const char *copy(struct draft *d, const char *text)
{
	return text ? own(d, strdup(text)) : NULL;
}

void draft_compare(struct draft *d, const char *key, enum store_what what,
		   int64_t revision)
{
	if (d->compares == DRAFT_COMPARES_MAX) {
		d->error = -E2BIG;
		return;
	}
	d->compare[d->compares++] = (struct store_compare){ copy(d, key), what,
							    revision };
}

static void add(struct draft *d, struct store_action action)
{
	if (d->thens == STORE_ACTIONS_MAX)
		d->error = -E2BIG;
	else
		d->then[d->thens++] = action;
}

void draft_put(struct draft *d, const char *key, char *value, int64_t lease)
{
	add(d, (struct store_action){ .kind = STORE_PUT,
				      .key = copy(d, key),
				      .value = own(d, value),
				      .lease = lease });
}

void draft_delete(struct draft *d, const char *key)
{
	add(d,
	    (struct store_action){ .kind = STORE_DELETE, .key = copy(d, key) });
}

void draft_delete_range(struct draft *d, const char *key, const char *end)
{
	add(d, (struct store_action){ .kind = STORE_DELETE,
				      .key = copy(d, key),
				      .end = copy(d, end) });
}

static struct store_action copy_of(struct draft *d,
				   const struct store_action *get)
{
	struct store_action action = *get;

	action.kind = STORE_GET;
	action.key = copy(d, get->key);
	action.end = copy(d, get->end);
	return action;
}

void draft_get_if_done(struct draft *d, const struct store_action *get)
{
	add(d, copy_of(d, get));
}

void draft_get_if_refused(struct draft *d, const struct store_action *get)
{
	if (d->otherwises == STORE_GETS_MAX)
		d->error = -E2BIG;
	else
		d->otherwise[d->otherwises++] = copy_of(d, get);
}

struct store_transaction draft_transaction(const struct draft *d)
{
	return (struct store_transaction){
		.compare = d->compare,
		.compares = d->compares,
		.then = d->then,
		.thens = d->thens,
		.otherwise = d->otherwise,
		.otherwises = d->otherwises,
	};
}

void draft_free(struct draft *d)
{
	for (size_t i = 0; i < d->texts; i++)
		free(d->text[i]);
	memset(d, 0, sizeof(*d));
}
