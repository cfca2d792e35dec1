/* SPDX-License-Identifier: MIT */
/*
 * draft - a transaction in the making.  It owns its texts, and remembers if there was no
 * memory or no room, so that only its end need be looked at.
 */
#ifndef WICKET_CLUSTER_DRAFT_H
#define WICKET_CLUSTER_DRAFT_H

#include "cluster/store.h"

enum { DRAFT_COMPARES_MAX = 64, DRAFT_TEXTS_MAX = 384 };

struct draft {
	struct store_compare compare[DRAFT_COMPARES_MAX];
	struct store_action then[STORE_ACTIONS_MAX];
	struct store_action otherwise[STORE_GETS_MAX];
	size_t compares, thens, otherwises, texts;
	char *text[DRAFT_TEXTS_MAX];
	int error;
};

/* Keys are copied; a value is owned from now on, and null: there was no memory. */
void draft_compare(struct draft *d, const char *key, enum store_what what,
		   int64_t revision);
void draft_put(struct draft *d, const char *key, char *value, int64_t lease);
void draft_delete(struct draft *d, const char *key);
/* All from key on that are before end. */
void draft_delete_range(struct draft *d, const char *key, const char *end);
/* After all that is done; or if nothing is done. */
void draft_get_if_done(struct draft *d, const struct store_action *get);
void draft_get_if_refused(struct draft *d, const struct store_action *get);

struct store_transaction draft_transaction(const struct draft *d);
void draft_free(struct draft *d);

#endif
