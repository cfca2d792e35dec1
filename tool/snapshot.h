/* SPDX-License-Identifier: MIT */
/* snapshot - a line and its people at one moment; or all lines there are. */
#ifndef WICKET_SNAPSHOT_H
#define WICKET_SNAPSHOT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/people.h"
#include "wicket.h"

struct snapshot {
	char *name, path[PATH_MAX];
	uint64_t now; /* CLOCK_MONOTONIC, nanoseconds */
	struct wicket_view view;
	size_t count;
	struct wicket_entry *entries; /* holders by slot, then the line */
	struct person *people;	      /* of the entries; null: not asked for */
};

/* One that is all zeros is none, and may be freed. */
void snapshot_free(struct snapshot *s);

/* Looks through a handle; names and people are left as they are. */
int snapshot_look(struct snapshot *s, struct wicket *line);

/* Who the entries are.  Of the dead and those of other namespaces the pid says
   nothing: they stay unknown. */
void snapshot_find_people(struct snapshot *s);

/* Looks at a line by its name, without people.  Negative errno: see wicket_open;
   -ENOENT also if it is removed. */
int snapshot_take(struct snapshot *s, const char *name);

/* How many hold, and wait: the dead, whose slots and places come back as soon as
   somebody needs them, are not counted. */
uint32_t snapshot_held(const struct snapshot *s);
uint32_t snapshot_waiting(const struct snapshot *s);

/* The same but for the time? */
bool snapshot_is_same(const struct snapshot *a, const struct snapshot *b);

struct snapshots {
	struct snapshot *lines;
	size_t count;
};

void snapshots_free(struct snapshots *all);

/* Of all lines in the directory for names, by name; what is not a line, or not
   for this user to see, is skipped.  Says what is wrong: 0 or an exit code. */
int snapshots_take(struct snapshots *all);

bool snapshots_are_same(const struct snapshots *a, const struct snapshots *b);

/* Where names live: without a slash at the end. */
int snapshots_directory(uint32_t which, char *path, size_t size);

/* Seconds between a time of the line and the snapshot. */
double snapshot_seconds(const struct snapshot *s, uint64_t since);

#endif
