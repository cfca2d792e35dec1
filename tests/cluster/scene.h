/* SPDX-License-Identifier: MIT */
/*
 * scene - what the scenes of the store test share.  A scene returns if all is well, or
 * ends the program when it has said what was wrong.
 */
#ifndef SCENE_H
#define SCENE_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster/store.h"

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

extern struct store *store;

#define MUST(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: %s; the problem: %s\n",        \
				__FILE__, __LINE__, #condition,                \
				store ? store_problem(store) : "none");        \
			exit(1);                                               \
		}                                                              \
	} while (0)

#define MUST_BE(call, expected)                                                \
	do {                                                                   \
		int got_ = (call);                                             \
		if (got_ != (expected)) {                                      \
			fprintf(stderr,                                        \
				"%s:%d: %s is %d, not %s; the problem: "       \
				"%s\n",                                        \
				__FILE__, __LINE__, #call, got_, #expected,    \
				store ? store_problem(store) : "none");        \
			exit(1);                                               \
		}                                                              \
	} while (0)

/* By etcdctl's variables. */
void open_store(void);

/* The last problem names an endpoint, and has these words. */
void must_say(const char *words);

/* What has to happen has so long; what must not happen, or is known not to, less. */
const struct timespec *patience(void);
const struct timespec *moment(void);

/* The revision is that of the change, unless it is null. */
int try_put(const char *key, const char *value, int64_t lease,
	    const struct timespec *deadline, int64_t *revision);
/* These must succeed, and give the revision. */
int64_t put(const char *key, const char *value);
int64_t drop(const char *key, const char *end);

/* Null: the key is not there, was deleted. */
void must_have(const char *key, const char *value);
void must_see(const char *key, int64_t from, const char *value,
	      int64_t changed);

/* --- servers.c: with servers that are not there, or not as they should be */

void scene_absent(char **arg);
void scene_greeted(char **arg);
void scene_unencrypted(char **arg);
void scene_there(char **arg);
void scene_refused(char **arg);
void scene_forbidden(char **arg);
void scene_expires(char **arg);
void scene_stopped(char **arg);
void scene_follows(char **arg);
void scene_killed(char **arg);
void scene_minority(char **arg);

#endif
