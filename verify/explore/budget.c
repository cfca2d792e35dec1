/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "verify/explore/budget.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What the kernel thinks can be used without swapping. */
static size_t memory_free(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	size_t kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
			break;
	}
	if (f)
		fclose(f);
	return kib ? kib * 1024 :
		     (size_t)sysconf(_SC_PHYS_PAGES) *
			       (size_t)sysconf(_SC_PAGESIZE);
}

void budget_start(struct budget *b, size_t memory, double seconds)
{
	*b = (struct budget){
		.limit = memory ? memory : memory_free() / 10 * 9,
		.started = now(),
		.progress = isatty(STDERR_FILENO),
	};
	b->deadline = seconds > 0 ? b->started + seconds : 0;
}

double budget_seconds(const struct budget *b)
{
	return now() - b->started;
}

bool budget_tick(struct budget *b, const char *what, uint64_t done,
		 uint64_t total)
{
	double t;

	if (b->end)
		return false;
	if (b->deadline <= 0 && !b->progress)
		return true;
	t = now();
	if (b->deadline > 0 && t > b->deadline) {
		b->end = BUDGET_TIME;
		return false;
	}
	if (b->progress && t > b->started + 2 && t > b->shown + 0.2) {
		b->shown = t;
		fprintf(stderr, "\r\033[K%s: %llu", what,
			(unsigned long long)done);
		if (total)
			fprintf(stderr, " of %llu", (unsigned long long)total);
		fprintf(stderr, " states, %zu MiB, %.0f s", b->used >> 20,
			t - b->started);
		fflush(stderr);
	}
	return true;
}

int budget_exit(enum budget_end end)
{
	return end == BUDGET_TIME ? EX_TEMPFAIL : EX_UNAVAILABLE;
}

void budget_quiet(struct budget *b)
{
	if (b->shown > 0)
		fputs("\r\033[K", stderr);
	b->shown = 0;
}

bool store_room(struct store *s, struct budget *b, size_t bytes)
{
	/* a quarter more than asked for: large blocks grow without copying */
	size_t room = (bytes + bytes / 4 + 63) / 64 * 64;
	void *base;

	if (bytes <= s->room)
		return true;
	if (b->used > b->limit || b->limit - b->used < room - s->room ||
	    !(base = realloc(s->base, room))) {
		b->end = BUDGET_MEMORY;
		return false;
	}
	b->used += room - s->room;
	*s = (struct store){ base, room };
	return true;
}

void store_free(struct store *s, struct budget *b)
{
	free(s->base);
	b->used -= s->room;
	*s = (struct store){ NULL, 0 };
}
