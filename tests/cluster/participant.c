/* SPDX-License-Identifier: MIT */
/*
 * participant - one of those in a line in a store; line.sh starts many.  Every event is a
 * line, written at once: TIME PID EVENT, in nanoseconds of CLOCK_BOOTTIME.  judge.py
 * reads them.
 *
 *   in SLOTS VALUE:COLOUR FENCE   leaving   out   lost   gave-up   deadline NS
 *   wrote FENCE   refused FENCE
 *
 * It holds no longer than until its deadline.  SIGTERM ends the holding, or the waiting,
 * and all further rounds.  Exits 0; 75 not got; 76 lost; 1 an error.
 *
 * usage: participant NAME K [--units U] [--rounds R] [--hold MS] [--ttl S] [--wait MS]
 *        [--try] [--persist] [--write FILE [--heedless]]
 *            K is 0: as many slots as the line has; --persist: opens another handle if
 *            the first is of no use any more, until it has had its rounds or is told to
 *            end; --write: see resource.h
 *        participant --resize NAME K
 *        participant --remove NAME 0
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cluster/resource.h"
#include "wicket-etcd.h"

enum { GOOD = 0, BAD = 1, NOT_GOT = 75, LOST_IT = 76 };
enum { SECOND = 1000000000, MILLISECOND = 1000000 };

static struct {
	const char *name;
	uint32_t k, units;
	int64_t rounds, hold, ttl, wait; /* wait < 0: for ever */
	int tries, resizes, removes, persists, heedless;
	const char *resource;
} want = { .units = 1, .rounds = 1, .wait = -1 };

static struct wicket_etcd *_Atomic handle;
static volatile sig_atomic_t told;

static void on_term(int number)
{
	struct wicket_etcd *line = handle;

	(void)number;
	told = 1;
	if (line)
		wicket_etcd_cancel(line);
}

static int64_t nanoseconds(struct timespec t)
{
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return nanoseconds(t);
}

/* One write: it is all there, or not at all, if we are killed. */
static void say(int64_t time, const char *format, ...)
{
	char line[8192];
	va_list args;
	int at = snprintf(line, sizeof(line), "%" PRId64 " %d ", time,
			  (int)getpid());

	va_start(args, format);
	at += vsnprintf(line + at, sizeof(line) - (size_t)at, format, args);
	va_end(args);
	line[at++] = '\n';
	if (write(STDOUT_FILENO, line, (size_t)at) != at)
		abort();
}

static void say_in(const struct wicket_etcd_grant *g)
{
	char slots[4096] = "";
	size_t at = 0;

	for (uint32_t i = 0; i < g->units; i++)
		at += (size_t)snprintf(slots + at, sizeof(slots) - at,
				       "%s%" PRIu32, i ? "," : "", g->slots[i]);
	say(now(), "in %s %" PRIu32 ":%" PRIu32 " %" PRId64, slots, g->value,
	    g->colour, g->fence);
}

static void write_with(int64_t fence)
{
	if (want.resource)
		say(now(), "%s %" PRId64,
		    resource_write(want.resource, fence, want.heedless) ?
			    "wrote" :
			    "refused",
		    fence);
}

/* Says the deadline whenever it is another. */
static void hold(const struct wicket_etcd *line)
{
	const struct timespec moment = { .tv_nsec = 20 * MILLISECOND };
	int64_t end = now() + want.hold * MILLISECOND, deadline = -1;
	bool over;

	do {
		int64_t other = nanoseconds(wicket_etcd_deadline(line));

		if (other != deadline)
			say(now(), "deadline %" PRId64, deadline = other);
		over = told || now() >= end || now() >= deadline;
		if (!over)
			nanosleep(&moment, NULL);
	} while (!over);
}

static int failed(const struct wicket_etcd *line, const char *what, int error)
{
	fprintf(stderr, "%s: %s (%s)\n", what, strerror(-error),
		line ? wicket_etcd_problem(line) : "");
	return BAD;
}

static int get(struct wicket_etcd *line, struct wicket_etcd_grant *grant)
{
	int64_t end = now() + want.wait * MILLISECOND;
	struct timespec deadline = { end / SECOND, end % SECOND };

	if (want.tries)
		return wicket_etcd_try(line, want.units, grant);
	return wicket_etcd_acquire(line, want.units,
				   want.wait < 0 ? NULL : &deadline, grant);
}

static int give_back(struct wicket_etcd *line)
{
	/* before: whoever comes next may be in before this returns, and we may
	   be killed before we can say that it has */
	int64_t left = now();
	int error;

	say(left, "leaving");
	error = wicket_etcd_release(line);
	say(left, error ? "lost" : "out");
	return !error		? GOOD :
	       error == -ENOLCK ? LOST_IT :
				  failed(line, "release", error);
}

static int visit(struct wicket_etcd *line)
{
	struct wicket_etcd_grant grant;
	int error = get(line, &grant);

	if (error == -ETIMEDOUT || error == -EAGAIN || error == -ECANCELED) {
		say(now(), "gave-up");
		return NOT_GOT;
	}
	if (error == -ENOLCK) {
		say(now(), "lost");
		return LOST_IT;
	}
	if (error)
		return failed(line, "acquire", error);
	say_in(&grant);
	write_with(grant.fence);
	hold(line);
	/* it may have been stopped since it looked at its clock */
	write_with(grant.fence);
	return give_back(line);
}

/* rounds: how many are left. */
static int take_part(int64_t *rounds)
{
	const struct wicket_etcd_options options = {
		.slots = want.resizes ? 0 : want.k,
		.flags = !want.resizes && want.k ? WICKET_CREATE : 0,
		.ttl = (uint32_t)want.ttl,
		.store = "etcd://",
	};
	struct wicket_etcd *line;
	int error, code = GOOD;

	if (want.removes) {
		error = wicket_etcd_remove(want.name, &options);
		return error ? failed(NULL, "remove", error) : GOOD;
	}
	error = wicket_etcd_open(&line, want.name, &options);
	if (error)
		return failed(NULL, "open", error);
	handle = line;
	if (want.resizes) {
		error = wicket_etcd_resize(line, want.k);
		code = error ? failed(line, "resize", error) : GOOD;
	} else {
		while (code == GOOD && *rounds > 0 && !told) {
			code = visit(line);
			*rounds -= code == GOOD;
		}
	}
	handle = NULL;
	wicket_etcd_close(line);
	return code;
}

/* It says what was wrong, and begins anew after a moment. */
static int persist(void)
{
	const struct timespec moment = { .tv_nsec = 100 * MILLISECOND };
	int64_t rounds = want.rounds;
	int code = take_part(&rounds);

	while (want.persists && rounds > 0 && !told) {
		nanosleep(&moment, NULL);
		code = take_part(&rounds);
	}
	return want.persists ? GOOD : code;
}

static int usage(void)
{
	fputs("usage: participant NAME K [OPTION...]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	const struct option options[] = {
		{ "units", required_argument, NULL, 'u' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "hold", required_argument, NULL, 'h' },
		{ "ttl", required_argument, NULL, 't' },
		{ "wait", required_argument, NULL, 'w' },
		{ "try", no_argument, &want.tries, 1 },
		{ "persist", no_argument, &want.persists, 1 },
		{ "write", required_argument, NULL, 'W' },
		{ "heedless", no_argument, &want.heedless, 1 },
		{ "resize", no_argument, &want.resizes, 1 },
		{ "remove", no_argument, &want.removes, 1 },
		{ 0 },
	};
	const struct sigaction term = { .sa_handler = on_term };
	int64_t *number;

	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == '?')
			return usage();
		if (c == 'u')
			want.units = (uint32_t)atoi(optarg);
		if (c == 'W')
			want.resource = optarg;
		number = c == 'r' ? &want.rounds :
			 c == 'h' ? &want.hold :
			 c == 't' ? &want.ttl :
			 c == 'w' ? &want.wait :
				    NULL;
		if (number)
			*number = atoll(optarg);
	}
	if (argc - optind != 2)
		return usage();
	want.name = argv[optind];
	want.k = (uint32_t)atoi(argv[optind + 1]);
	sigaction(SIGTERM, &term, NULL);
	return persist();
}
