/* SPDX-License-Identifier: MIT */
/* etcd - lines in etcd: what the commands of wicket-etcd have in common. */
#ifndef TOOL_ETCD_H
#define TOOL_ETCD_H

#include <stdbool.h>
#include <stdint.h>

#include "wicket-etcd.h"

struct grant;
struct line;
struct request;
struct snapshot;
struct snapshots;

/* The store of --store. */
const char *etcd_url(void);

/* Opens a line there; problem has WICKET_ETCD_PROBLEM bytes. */
int etcd_open(struct wicket_etcd **line, const char *name, uint32_t flags,
	      char *problem);

/* Copies what the library says, as far as there is room. */
void etcd_keep_problem(char *problem, const struct wicket_etcd *line);

/* Is it only that no server answers, or that too few do?  Then they may later. */
bool etcd_is_away(int error);

/* Explains an error about a line, or about the store if name is null, and returns the
   exit code. */
int etcd_say_error(const char *name, int error, const char *problem);

/* Writes down that no server answers, in STORE_AWAY bytes. */
void etcd_tell_away(char *text, int error, const char *problem);

/* Says that no server answers, and whether we try on: once, until etcd_say_back. */
void etcd_say_away(const char *name, int error, const char *problem,
		   bool tries_on);
void etcd_say_back(void);
/* Also for a signal handler. */
bool etcd_has_said_away(void);

/* How many slots it has; or an error. */
int etcd_count_slots(const char *name, uint32_t *slots, char *problem);

/* Fills an empty snapshot, people included, but for name and path. */
void etcd_copy(struct snapshot *s, const struct wicket_etcd_view *view,
	       const struct wicket_etcd_entry *entries, size_t count);

/* The functions of struct store: see store.h. */
void etcd_enter(const struct request *r, struct line *line,
		struct grant *grant);
int etcd_take(struct snapshot *s, const char *name, char *away);
int etcd_take_all(struct snapshots *all, char *away);
int etcd_remove(const char *name);
int etcd_resize(const char *name, uint32_t slots);
int etcd_check(const char *name,
	       void (*tell)(void *arg, enum wicket_finding kind,
			    const char *text),
	       void *arg);
void etcd_path(const char *name, char *path, size_t size);

#endif
