/* SPDX-License-Identifier: MIT */
/* snapshot - a line and its people at one moment; or all lines there are. */
#ifndef TOOL_SNAPSHOT_H
#define TOOL_SNAPSHOT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/people.h"
#include "wicket.h"

/* What an entry has besides, if the line is in a store. */
struct abroad {
	char host[65]; /* printable */
	int64_t uid;
	int64_t fence; /* of a holder */
};

struct snapshot {
	char *name, path[PATH_MAX];
	uint64_t
		now; /* nanoseconds by the clock of the entries: CLOCK_MONOTONIC;
			 or CLOCK_REALTIME in a store */
	struct wicket_view view;
	size_t count;
	struct wicket_entry *entries; /* holders by slot, then the line */
	struct person *people;	      /* of the entries; null: not asked for */
	struct abroad *abroad;	      /* the same; null: it is not in a store */
};

/* A snapshot of all zeros is empty, and may be freed. */
void snapshot_free(struct snapshot *s);

/* Looks through a handle; names and people are left as they are. */
int snapshot_look(struct snapshot *s, struct wicket *line);

/* Finds the processes of the entries, unless a store has told.  Those of dead processes and of other pid
   namespaces stay unknown: their pids mean nothing here. */
void snapshot_find_people(struct snapshot *s);

/* Looks at a line by its name, without people.  Negative errno: see wicket_open;
   -ENOENT also if it is removed. */
int snapshot_take(struct snapshot *s, const char *name);

/* How many processes hold, and wait.  The dead are not counted: their slots and
   places are passed on as soon as they are needed. */
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
