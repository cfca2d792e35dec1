/* SPDX-License-Identifier: MIT */
/*
 * stress - what the stress tests share: TAP, one line in a directory that goes
 * away, children that do, patience, and dice.
 */
#ifndef WICKET_STRESS_H
#define WICKET_STRESS_H

#include "wicket.h"

#include <stdbool.h>
#include <sys/types.h>

/* --- TAP ------------------------------------------------------------------ */

#define LIKE_PRINTF(n) __attribute__((format(printf, n, n + 1)))

void ok(bool good, const char *format, ...) LIKE_PRINTF(2);
void skip(const char *what, const char *why);
void note(const char *format, ...) LIKE_PRINTF(1);

/* The test cannot go on. */
_Noreturn void bail_out(const char *format, ...) LIKE_PRINTF(1);

/* The plan; returns the exit status. */
int finish(void);

/* --- the line ------------------------------------------------------------- */

/* Its path, in a directory of this test's own. */
const char *line_path(void);

/* A line that nobody has used yet; seats as in wicket_options. */
void new_line(uint32_t slots, uint32_t seats);

/* A handle on it, or the end of the test. */
struct wicket *open_line(uint32_t flags);

/* How many wait, how many hold. */
struct wicket_view look(struct wicket *view);

/* Can all k slots be had at once, each once, and no more? */
bool all_are_back(uint32_t slots);

/* --- others --------------------------------------------------------------- */

void *share(size_t bytes);

/* A child that runs body and ends with what it returns. */
pid_t spawn(int (*body)(void *), void *arg);

/* Does it end within our patience, and well?  If it does not, it is killed. */
bool ends_well(pid_t pid);

/* Does it stop within our patience?  It may have ended instead. */
bool stops(pid_t pid, int *status);

/* Kills it, and returns when it is dead. */
void end(pid_t pid);

/* --- time ----------------------------------------------------------------- */

enum { PATIENCE = 60 }; /* seconds: longer is a hang */

/* CLOCK_MONOTONIC, nanoseconds. */
uint64_t now(void);
struct timespec timespec_of(uint64_t t);

/* A deadline: early enough for whoever waits for us. */
struct timespec limit(void);

void nap(uint64_t nanoseconds);

/* Does it become true within our patience? */
bool eventually(bool (*holds)(void *), void *arg);

/* --- dice ----------------------------------------------------------------- */

struct dice {
	uint64_t state;
};

/* Different dice for every seed and number. */
struct dice dice(uint64_t seed, uint64_t number);
uint32_t draw(struct dice *dice, uint32_t below);

#endif
