/* SPDX-License-Identifier: MIT */
/*
 * stopped-join [TIMES [SEED]] - a newcomer is stopped at an instruction of
 * wicket_open; another sits down, enters and is killed; the newcomer goes on
 * until it has done nothing, or one thing, or two, ... that others can see, and
 * is stopped for good.  It has no ticket: whatever it has seen and done, a
 * third gets in.
 *
 * That is right before everything that it does and others can see, and a few of
 * those things on; and TIMES times anywhere, and anywhere behind that.
 */
#include "walk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ON = 5 };

static struct dice fate;

/* --- the line as it lies in memory, and as it was ------------------------- */

static struct {
	size_t bytes;
	char *now, *before;
} memory;

static void see_memory(void)
{
	int fd = open(line_path(), O_RDONLY | O_CLOEXEC);

	memory.bytes = (size_t)lseek(fd, 0, SEEK_END);
	memory.now = mmap(0, memory.bytes, PROT_READ, MAP_SHARED, fd, 0);
	memory.before = malloc(memory.bytes);
	close(fd);
	if (memory.now == MAP_FAILED || !memory.before)
		bail_out("no memory");
	memcpy(memory.before, memory.now, memory.bytes);
}

static void see_no_memory(void)
{
	munmap(memory.now, memory.bytes);
	free(memory.before);
}

static bool line_has_changed(void)
{
	if (!memcmp(memory.before, memory.now, memory.bytes))
		return false;
	memcpy(memory.before, memory.now, memory.bytes);
	return true;
}

/* --- the newcomer --------------------------------------------------------- */

/* One thing that others can see; false: it ended before. */
static bool do_thing(pid_t newcomer)
{
	bool seen = false;

	while (!seen) {
		seen = walk_is_at_call(newcomer);
		if (!walk_on(newcomer))
			return false;
		seen |= line_has_changed();
	}
	return true;
}

/* Who does not see the line cannot change it: faster. */
static bool do_things(pid_t newcomer, uint32_t things)
{
	bool sees_line = false, lives = true;

	while (lives && things--) {
		sees_line = sees_line || walk_sees_line(newcomer);
		lives = sees_line ? do_thing(newcomer) :
				    walk_past_call(newcomer);
	}
	return lives;
}

static void come_and_die(void)
{
	struct cue *cue = new_cue();

	end(start_holder(cue));
}

/* Stopped for good, or not for so long. */
static bool part(pid_t newcomer)
{
	if (draw(&fate, 2))
		return walk_out(newcomer);
	end(newcomer);
	return true;
}

/* over: the newcomer has nothing more to do than that. */
static bool try_point(struct walk *w, int32_t p, uint32_t things, bool *over)
{
	pid_t newcomer = walk_to(w, p);
	bool good;

	come_and_die();
	see_memory();
	*over = !do_things(newcomer, things);
	see_no_memory();
	good = ends_well(spawn(queue, 0));
	if (*over)
		end(newcomer);
	else
		good &= part(newcomer);
	return good && all_are_back(1);
}

static bool is_good(struct walk *w, int32_t p, uint32_t things)
{
	bool over, good = try_point(w, p, things, &over);

	if (!good)
		note("stopped at point %d of %d, and %u things on", p,
		     w->trace.end, things);
	return good;
}

static void before_everything(struct walk *w)
{
	uint32_t points = 0;
	bool good = true;

	for (int32_t p = 0; good && p < w->trace.end; p++) {
		if (!walk_is_near(w, p, 0, 0))
			continue;
		for (uint32_t i = 0; good && i <= ON; i++, points++)
			good = is_good(w, p, i);
	}
	ok(good, "stopped before what others see: %u points", points);
}

static void anywhere(struct walk *w, uint32_t times)
{
	bool good = true;

	for (uint32_t i = 0; good && i < times; i++) {
		int32_t p = (int32_t)draw(&fate, (uint32_t)w->trace.end);
		uint32_t left = 1;

		for (int32_t j = p; j < w->trace.end; j++)
			left += walk_is_near(w, j, 0, 0);
		good = is_good(w, p, draw(&fate, left));
	}
	ok(good, "stopped anywhere: %u points", times);
}

int main(int argc, char **argv)
{
	static struct walk opening = { .name = "opening" };
	uint32_t times = argc > 1 ? (uint32_t)strtoul(argv[1], 0, 0) : 150;
	uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();

	if (!trace_works())
		return skip_all("no ptrace here");
	note("seed %llu", (unsigned long long)seed);
	fate = dice(seed, 0);
	walk_record(&opening);
	before_everything(&opening);
	anywhere(&opening, times);
	return finish();
}
