/* SPDX-License-Identifier: MIT */
/*
 * store - lines that are not on this machine: what --store makes of the commands.
 *
 * They are not in wicket itself.  libcurl alone loads some thirty libraries, which takes
 * longer than all that `wicket run` does on this machine.  So there is a second program,
 * wicket-etcd, made of the same files and those that need libcurl; when wicket meets
 * --store among its options, it becomes that program by exec, with the same arguments.
 * That needs no interface between the two, and nothing is loaded into a running program.
 */
#ifndef TOOL_STORE_H
#define TOOL_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "wicket.h"

struct grant;
struct line;
struct request;
struct snapshot;
struct snapshots;

enum { STORE_AWAY = 1024 };

/* Those that return an exit code have said what is wrong. */
struct store {
	const char *url;
	/* As here_enter. */
	void (*enter)(const struct request *r, struct line *line,
		      struct grant *grant);
	/* Exit codes; but -ENOENT: there is no such line.  With people.  -EAGAIN: no
	   server answers, which away says, in STORE_AWAY bytes; if it is null, it was
	   said, and there is an exit code for it. */
	int (*take)(struct snapshot *s, const char *name, char *away);
	int (*take_all)(struct snapshots *all, char *away);
	int (*remove)(const char *name);
	int (*resize)(const char *name, uint32_t slots);
	/* How many findings are wrong; or minus an exit code. */
	int (*check)(const char *name,
		     void (*tell)(void *arg, enum wicket_finding kind,
				  const char *text),
		     void *arg);
	/* Where the line is. */
	void (*path)(const char *name, char *path, size_t size);
};

/* In wicket-etcd: the store.  In wicket: does not return. */
const struct store *store_at(const char *url);

/* The arguments of main, for the other program. */
void store_keep_arguments(char **argv);

#endif
