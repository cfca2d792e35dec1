/* SPDX-License-Identifier: MIT */
/*
 * stopped [POINTS [SEED]] - who is stopped costs its slot and nothing else:
 * with k - 1 stopped, wherever they are, everybody else goes on.
 *
 * Wherever: inside, in line, and in the middle of acquire, of release, of
 * giving up, of looking after the dead.  There the victims are traced and run
 * one instruction at a time: up to every instruction that changes the line,
 * which is all that others can see of them, and up to about POINTS others (all,
 * if there are no more).  Afterwards half of them are let go on and half are
 * killed, and all slots must be back.
 */
#include "stress.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	SLOTS_MAX = 3,
	SEATS = 8,
	ROUNDS = 3,
	FAR = 200000, /* instructions: nothing takes as many */
	NO_TRACING = 77,
};

/* What a victim is doing when it is stopped. */
struct phase {
	const char *name;
	bool holds;   /* it has a slot when it begins */
	bool dead;    /* all slots are those of somebody who was killed */
	bool awaited; /* somebody waits for the slot that it gives back */
	void (*act)(void);
};

struct victim {
	const struct phase *phase;
	_Atomic uint32_t begun, done;
};

static uint32_t slots;
static struct victim *victims; /* shared */
static struct wicket *line;
static struct dice fate;

/* --- phases --------------------------------------------------------------- */

static void do_acquire(void)
{
	wicket_acquire(line, 0);
}

static void do_release(void)
{
	wicket_release(line);
}

static void do_give_up(void)
{
	struct timespec long_ago = { .tv_sec = 0 };

	wicket_acquire_until(line, &long_ago, 0);
}

static void do_close(void)
{
	wicket_close(line);
	line = 0;
}

static void do_open(void)
{
	wicket_open(&line, line_path(), 0);
}

static const struct phase phases[] = {
	{ .name = "acquiring", .act = do_acquire },
	{ .name = "releasing", .holds = true, .act = do_release },
	{ .name = "releasing to another",
	  .holds = true,
	  .awaited = true,
	  .act = do_release },
	{ .name = "recovering", .dead = true, .act = do_acquire },
	{ .name = "giving up", .dead = true, .act = do_give_up },
	{ .name = "closing", .holds = true, .act = do_close },
	{ .name = "opening", .act = do_open },
};

enum { PHASES = sizeof(phases) / sizeof(*phases) };

/* --- victims -------------------------------------------------------------- */

static int traced(void *arg)
{
	struct victim *me = arg;

	line = me->phase->act == do_open ? 0 : open_line(0);
	if (me->phase->holds && wicket_acquire(line, 0))
		return 1;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		return NO_TRACING;
	raise(SIGSTOP);
	me->begun = 1;
	me->phase->act();
	me->done = 1;
	if (line)
		wicket_close(line);
	return 0;
}

static bool step(pid_t pid)
{
	int status;

	return !ptrace(PTRACE_SINGLESTEP, pid, 0, 0) &&
	       waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
}

/* The line as it lies in memory, and as it was. */
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

/* How far into its phase: instructions done, changes made to the line. */
struct point {
	uint32_t instructions, changes;
};

/* Lets a victim go on until it has reached one of the two, or is done; returns
   where it is. */
static struct point advance(struct victim *v, pid_t pid, struct point until)
{
	struct point at = { 0, 0 };

	line_has_changed();
	while (!v->done && at.instructions < until.instructions &&
	       at.changes < until.changes) {
		if (!step(pid))
			bail_out("%s: the victim died", v->phase->name);
		at.instructions += v->begun;
		at.changes += line_has_changed();
	}
	return at;
}

static pid_t start(struct victim *v, const struct phase *phase)
{
	pid_t pid;
	int status;

	v->phase = phase;
	v->begun = 0;
	v->done = 0;
	pid = spawn(traced, v);
	if (stops(pid, &status))
		return pid;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_TRACING)
		return 0;
	bail_out("%s: no victim", phase->name);
}

static int hold_all_and_die(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < slots; i++)
		wicket_acquire(open_line(0), 0);
	return raise(SIGKILL);
}

/* --- everybody else ------------------------------------------------------- */

static int come_and_go(void *arg)
{
	struct wicket *mine = open_line(0);
	struct timespec deadline = limit();

	(void)arg;
	for (int i = 0; i < ROUNDS; i++) {
		if (wicket_acquire_until(mine, &deadline, 0) ||
		    wicket_release(mine))
			return 1;
	}
	wicket_close(mine);
	return 0;
}

static struct wicket *view;

static bool somebody_waits(void *arg)
{
	(void)arg;
	return look(view).waiting == 1;
}

/* The last slot is ours; somebody comes to wait for any. */
static pid_t have_it_awaited(struct wicket **ours)
{
	pid_t other;

	*ours = open_line(0);
	wicket_acquire(*ours, 0);
	other = spawn(come_and_go, 0);
	if (!eventually(somebody_waits, 0))
		bail_out("%u hold, and another does not wait", slots);
	return other;
}

/* Victims of a phase, the first stopped here, the others there: does everybody
   else go on?  Returns where the first was; false if it cannot be traced. */
static bool try_point(const struct phase *phase, struct point here,
		      struct point there, struct point *at, bool *good)
{
	pid_t pid[SLOTS_MAX], other = 0;
	struct wicket *ours = 0;

	if (phase->dead)
		waitpid(spawn(hold_all_and_die, 0), 0, 0);
	for (uint32_t i = 0; i < slots - 1; i++) {
		pid[i] = start(&victims[i], phase);
		if (!pid[i])
			return false;
	}
	if (phase->awaited)
		other = have_it_awaited(&ours);
	*at = advance(&victims[0], pid[0], here);
	for (uint32_t i = 1; i < slots - 1; i++)
		advance(&victims[i], pid[i], there);
	if (ours)
		wicket_close(ours);
	else
		other = spawn(come_and_go, 0);
	*good = ends_well(other);
	for (uint32_t i = 0; i < slots - 1; i++) {
		if (draw(&fate, 2)) {
			end(pid[i]);
		} else {
			ptrace(PTRACE_DETACH, pid[i], 0, 0);
			*good &= ends_well(pid[i]);
		}
	}
	*good &= all_are_back(slots);
	return true;
}

static bool try_changes(const struct phase *phase, struct point last)
{
	struct point at;
	bool good = true;

	for (uint32_t i = 0; good && i <= last.changes; i++) {
		struct point here = { FAR, i };
		struct point there = { FAR, last.changes - i };

		try_point(phase, here, there, &at, &good);
		if (!good)
			note("%s: stopped after %u changes", phase->name, i);
	}
	return good;
}

static bool try_instructions(const struct phase *phase, struct point last,
			     uint32_t points)
{
	uint32_t stride = 1 + last.instructions / points;
	struct point at;
	bool good = true;

	for (uint32_t i = draw(&fate, stride); good && i < last.instructions;
	     i += stride) {
		struct point here = { i, FAR };
		struct point there = { last.instructions - i, FAR };

		try_point(phase, here, there, &at, &good);
		if (!good)
			note("%s: stopped after %u instructions", phase->name,
			     i);
	}
	return good;
}

static bool stop_everywhere(const struct phase *phase, uint32_t points)
{
	struct point far = { FAR, FAR }, last;
	bool good = true;

	new_line(slots, SEATS);
	view = open_line(WICKET_VIEW);
	see_memory();
	if (!try_point(phase, far, far, &last, &good)) {
		skip(phase->name, "ptrace is not allowed");
	} else {
		good = good && last.instructions < FAR &&
		       try_changes(phase, last) &&
		       try_instructions(phase, last, points);
		ok(good, "k = %u, %s: %u instructions, %u changes", slots,
		   phase->name, last.instructions, last.changes);
	}
	see_no_memory();
	wicket_close(view);
	return good;
}

/* --- without tracing ------------------------------------------------------ */

static int pass_through(void *stop_inside)
{
	line = open_line(0);
	wicket_acquire(line, 0);
	if (stop_inside)
		raise(SIGSTOP);
	wicket_close(line);
	return 0;
}

static bool all_wait(void *arg)
{
	(void)arg;
	return look(view).waiting == slots - 1;
}

static void stop_holding(pid_t *pid)
{
	for (uint32_t i = 0; i < slots - 1; i++)
		pid[i] = spawn(pass_through, &slots);
}

/* All slots are ours until they are stopped. */
static void stop_in_line(pid_t *pid)
{
	struct wicket *ours[SLOTS_MAX];

	for (uint32_t i = 0; i < slots; i++) {
		ours[i] = open_line(0);
		wicket_acquire(ours[i], 0);
	}
	for (uint32_t i = 0; i < slots - 1; i++)
		pid[i] = spawn(pass_through, 0);
	if (!eventually(all_wait, 0))
		bail_out("%u hold, and others do not wait", slots);
	for (uint32_t i = 0; i < slots - 1; i++)
		kill(pid[i], SIGSTOP);
	for (uint32_t i = 0; i < slots; i++)
		wicket_close(ours[i]);
}

static void stop_by_signal(const char *where, void (*stop)(pid_t *pid))
{
	pid_t pid[SLOTS_MAX];
	bool good = true;
	int status;

	new_line(slots, SEATS);
	view = open_line(WICKET_VIEW);
	stop(pid);
	for (uint32_t i = 0; i < slots - 1; i++)
		good &= stops(pid[i], &status);
	good &= ends_well(spawn(come_and_go, 0));
	for (uint32_t i = 0; i < slots - 1; i++) {
		kill(pid[i], SIGCONT);
		good &= ends_well(pid[i]);
	}
	ok(good && all_are_back(slots), "k = %u, %s", slots, where);
	wicket_close(view);
}

int main(int argc, char **argv)
{
	uint32_t points = argc > 1 ? (uint32_t)strtoul(argv[1], 0, 0) : 20;
	uint64_t seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();
	bool good = true;

	note("seed %llu", (unsigned long long)seed);
	fate = dice(seed, 0);
	victims = share(SLOTS_MAX * sizeof(*victims));
	for (slots = 2; good && slots <= SLOTS_MAX; slots++) {
		stop_by_signal("inside", stop_holding);
		stop_by_signal("in line", stop_in_line);
		for (size_t i = 0; good && i < PHASES; i++)
			good = stop_everywhere(&phases[i], points);
	}
	return finish();
}
