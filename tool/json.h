/* SPDX-License-Identifier: MIT */
/* json - lines as programs read them. */
#ifndef WICKET_JSON_H
#define WICKET_JSON_H

#include <jansson.h>

#include "tool/snapshot.h"

/* Everything about a line: the object of wicket status. */
json_t *json_status(const struct snapshot *s);

/* A row of wicket list. */
json_t *json_summary(const struct snapshot *s);

/* One of these a line, in order. */
json_t *json_all(const struct snapshots *all,
		 json_t *(*one)(const struct snapshot *s));

/* Writes and releases it; compact: on one row. */
void json_print(json_t *value, bool compact);

#endif
