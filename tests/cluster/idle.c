/* SPDX-License-Identifier: MIT */
/*
 * idle - a handle that is kept, whatever became of it.  It waits for a line of its input
 * before each step, and says what came of the step: a word of errno, or nothing wrong.
 *
 *   acquire MS   for so long at most: 0: for ever
 *   release   resize K   remove   close
 *
 * usage: idle NAME K TTL <STEPS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wicket-etcd.h"

enum { SECOND = 1000000000, MILLISECOND = 1000000 };

static int acquire(struct wicket_etcd *line, int64_t ms)
{
	struct timespec t;
	int64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns = t.tv_nsec + ms % 1000 * MILLISECOND;
	t.tv_sec += (time_t)(ms / 1000 + ns / SECOND);
	t.tv_nsec = (long)(ns % SECOND);
	return wicket_etcd_acquire(line, 1, ms ? &t : NULL, NULL);
}

static int step(struct wicket_etcd *line, const char *name,
		const struct wicket_etcd_options *options, const char *what,
		int64_t number)
{
	if (!strcmp(what, "acquire"))
		return acquire(line, number);
	if (!strcmp(what, "release"))
		return wicket_etcd_release(line);
	if (!strcmp(what, "resize"))
		return wicket_etcd_resize(line, (uint32_t)number);
	if (!strcmp(what, "remove"))
		return wicket_etcd_remove(name, options);
	fprintf(stderr, "no such step: %s\n", what);
	exit(2);
}

static void say(const char *what, int error)
{
	printf("%s: %s\n", what, error ? strerror(-error) : "done");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct wicket_etcd_options options = { .flags = WICKET_CREATE,
					       .store = "etcd://" };
	char text[80], what[sizeof(text)];
	struct wicket_etcd *line;
	int error;

	if (argc != 4)
		return 2;
	options.slots = (uint32_t)atoi(argv[2]);
	options.ttl = (uint32_t)atoi(argv[3]);
	error = wicket_etcd_open(&line, argv[1], &options);
	say("open", error);
	while (!error && fgets(text, sizeof(text), stdin)) {
		long number = 0;

		if (sscanf(text, "%79s %ld", what, &number) < 1)
			continue;
		if (!strcmp(what, "close"))
			break;
		say(what, step(line, argv[1], &options, what, number));
	}
	if (!error) {
		wicket_etcd_close(line);
		say("close", 0);
	}
	return error ? 1 : 0;
}
