/* SPDX-License-Identifier: MIT */
/*
 * stopped-join [TIMES [SEED]] - a newcomer is stopped at an instruction of
 * wicket_open; another sits down, enters and is killed; the newcomer goes on
 * until it has done nothing, or one thing, or two, ... that others can see, and
 * is stopped again.  It has no ticket: whatever it has seen and done, a third
 * gets in.  Then it is killed; or it goes on, and nobody has taken it for dead,
 * nor its seat: it waits for a fourth, and enters.
 *
 * That is right before everything that it does and others can see, and a few of
 * those things on; and TIMES times anywhere, and anywhere behind that.  In a
 * line that is new, and in one where others died before.
 */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ON = 3 };

static struct dice fate;
static struct cue *cue;

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

/* One thing that others can see; false: it has opened the line before. */
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
static void do_things(pid_t newcomer, uint32_t things)
{
	bool sees_line = false, more = true;

	while (more && things--) {
		sees_line = sees_line || walk_sees_line(newcomer);
		more = sees_line ? do_thing(newcomer) :
				   walk_past_call(newcomer);
	}
}

/* When it is let go, another is inside, in a seat of its own, who leaves
   then. */
static bool enter(struct wicket *line)
{
	struct timespec deadline = limit();
	int tried = wicket_try(line, 0), waited;
	uint32_t seated = look(line).seated;

	cue->go = 1;
	waited = wicket_acquire_until(line, &deadline, 0);
	if (tried == -EAGAIN && seated >= 2 && !waited)
		return !wicket_release(line) && !wicket_close(line);
	note("a slot that is taken: try %d; and then: acquire %d; %u seats",
	     tried, waited, seated);
	return false;
}

static bool goes_on(pid_t newcomer)
{
	pid_t holder;
	bool good;

	cue = new_cue();
	holder = start_holder(cue);
	good = walk_out(newcomer);
	if (!good)
		end(newcomer);
	good = good && ends_well(newcomer);
	cue->go = 1;
	return ends_well(holder) && good;
}

/* --- the others ----------------------------------------------------------- */

static void come_and_die(void)
{
	cue = new_cue();
	end(start_holder(cue));
}

static void die_before(void)
{
	come_and_die();
	if (!ends_well(spawn(queue, 0)))
		bail_out("a death is not noticed");
}

static bool try_point(struct walk *w, int32_t p, uint32_t things, bool killed)
{
	pid_t newcomer = walk_to(w, p);
	bool good;

	come_and_die();
	see_memory();
	do_things(newcomer, things);
	see_no_memory();
	good = ends_well(spawn(queue, 0));
	if (good && !killed)
		good = goes_on(newcomer);
	else
		end(newcomer);
	return good && all_are_back(1);
}

static bool is_good(struct walk *w, int32_t p, uint32_t things, bool killed)
{
	bool good = try_point(w, p, things, killed);

	if (!good)
		note("%s: stopped at point %d of %d, and %u things on; %s",
		     w->name, p, w->trace.end, things,
		     killed ? "killed" : "let go");
	return good;
}

static void before_everything(struct walk *w)
{
	uint32_t points = 0;
	bool good = true;

	for (int32_t p = 0; good && p < w->trace.end; p++) {
		if (!walk_acts(w, p))
			continue;
		for (uint32_t i = 0; good && i <= ON; i++, points++)
			good = is_good(w, p, i, false);
	}
	ok(good, "%s: stopped before what others see: %u points", w->name,
	   points);
}

static void anywhere(struct walk *w, uint32_t times)
{
	bool good = true;

	for (uint32_t i = 0; good && i < times; i++) {
		int32_t p = (int32_t)draw(&fate, (uint32_t)w->trace.end);
		uint32_t killed = draw(&fate, 2), left = 1;

		for (int32_t j = p; j < w->trace.end; j++)
			left += walk_acts(w, j);
		good = is_good(w, p, draw(&fate, left), killed);
	}
	ok(good, "%s: stopped anywhere: %u points", w->name, times);
}

int main(int argc, char **argv)
{
	static struct walk ways[] = {
		{ .name = "new line", .proceed = enter },
		{ .name = "old line", .proceed = enter, .set_up = die_before },
	};
	uint32_t times = argc > 1 ? (uint32_t)strtoul(argv[1], 0, 0) : 50;
	uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();

	if (!trace_works())
		return skip_all("no ptrace here");
	note("seed %llu", (unsigned long long)seed);
	fate = dice(seed, 0);
	cue = new_cue();
	for (int i = 0; i < 2; i++) {
		walk_record(&ways[i]);
		before_everything(&ways[i]);
		anywhere(&ways[i], times);
	}
	return finish();
}
