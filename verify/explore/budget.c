/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

void budget_start(struct budget *b, const struct limits *limits)
{
	*b = (struct budget){
		.limit = limits->memory ? limits->memory :
					  memory_free() / 10 * 9,
		.started = now(),
		.threads = limits->threads,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.progress = isatty(STDERR_FILENO),
	};
	b->deadline = limits->timeout > 0 ? b->started + limits->timeout : 0;
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

/* A quarter more than asked for, or a little of what is large already: its pages
   move when it grows, its bytes are not copied. */
static size_t with_room_to_grow(size_t bytes)
{
	enum { SPARE_MOST = 64 << 20 };
	size_t spare = bytes / 4 < SPARE_MOST ? bytes / 4 : SPARE_MOST;

	return (bytes + spare + 63) / 64 * 64;
}

/* A large store has pages of its own, huge ones if there are: what is looked up in
   it lies anywhere, and each page would have to be found. */
enum { LARGE = 4 << 20, PAGE = 2 << 20 };

static size_t in_pages(size_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

static void *large_pages(const struct store *s, size_t bytes)
{
	void *base;

	if (s->room >= LARGE) {
		base = mremap(s->base, s->room, bytes, MREMAP_MAYMOVE);
	} else {
		base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (base != MAP_FAILED && s->base) {
			memcpy(base, s->base, s->room);
			free(s->base);
		}
	}
	if (base == MAP_FAILED)
		return NULL;
	madvise(base, bytes, MADV_HUGEPAGE); /* or as pages are by default */
	return base;
}

bool store_exactly(struct store *s, struct budget *b, size_t bytes)
{
	bool done = false;
	void *base;

	if (bytes <= s->room)
		return true;
	if (bytes >= LARGE)
		bytes = in_pages(bytes);
	pthread_mutex_lock(&b->lock);
	if (b->used <= b->limit && b->limit - b->used >= bytes - s->room &&
	    (base = bytes < LARGE ? realloc(s->base, bytes) :
				    large_pages(s, bytes))) {
		b->used += bytes - s->room;
		if (b->peak < b->used)
			b->peak = b->used;
		*s = (struct store){ base, bytes };
		done = true;
	} else {
		b->end = BUDGET_MEMORY;
	}
	pthread_mutex_unlock(&b->lock);
	return done;
}

bool store_room(struct store *s, struct budget *b, size_t bytes)
{
	return bytes <= s->room ||
	       store_exactly(s, b, with_room_to_grow(bytes));
}

void store_free(struct store *s, struct budget *b)
{
	if (s->room < LARGE)
		free(s->base);
	else
		munmap(s->base, s->room);
	pthread_mutex_lock(&b->lock);
	b->used -= s->room;
	pthread_mutex_unlock(&b->lock);
	*s = (struct store){ NULL, 0 };
}
