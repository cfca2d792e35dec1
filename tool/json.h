/* SPDX-License-Identifier: MIT */
/* json - lines as JSON, for programs. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <jansson.h>

#include "tool/snapshot.h"

/* Everything about a line: the object of wicket status. */
json_t *json_status(const struct snapshot *s);

/* A row of wicket list. */
json_t *json_summary(const struct snapshot *s);

/* An array of these objects, one per line, in order. */
json_t *json_all(const struct snapshots *all,
		 json_t *(*one)(const struct snapshot *s));

/* Writes and frees the value; compact: on one row. */
void json_print(json_t *value, bool compact);

#endif
