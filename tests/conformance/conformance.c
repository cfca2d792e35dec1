/* SPDX-License-Identifier: MIT */
/*
 * conformance - src/line does what algo/recoverable.c says, access by access.
 *
 * Real processes use a real line, built so that each of them asks before every
 * access to it (line/trace.h).  One of them at a time is let go, by chance; now
 * and then one is killed instead.  Each access is given to the model, which must
 * have predicted it: the program counter that the library names at the access,
 * the same register and words of it, the same kind, the same order, what was
 * found there and what is there afterwards.
 *
 * What the model need not predict: looks at seats that the library knows to be
 * empty or skips because of a hint, which change nothing; and what the
 * environment decides: to leave, to give up, to try only, to hold on behalf of a
 * command.  A command is a copy of the descriptor, which outlives the process.
 * When all have gone, somebody removes the line, and now and then is not allowed to
 * unlink it.
 *
 * --misname: of each step in turn the library gives the name of the next one
 * instead, and the model must notice.
 * --misorder: the access of each step in turn is ordered in another way, by a
 * relaxed load or store if it is not, and the model must notice.
 * --expect-order STEP: this library has this step ordered otherwise, and the model
 * must notice that first.
 *
 * usage: conformance [--expect-wrong | --misname | --misorder |
 *                     --expect-order STEP] [SCHEDULES [SEED]]
 */
#include "conformance/model.h"

#include "line/sleep.h"
#include "tests/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPERATIONS = 6, STEPS_MAX = 3000, TOLD_MAX = 8 };

/* What a child is doing; it runs only when it is told to. */
enum { RUNNING, READY, OVER };

struct child {
	_Atomic uint32_t phase;
	struct told told[TOLD_MAX]; /* since it was let go */
	uint32_t count;
	int kept; /* its descriptor, while it has a command */
	uint64_t clock;
};

static struct child *children; /* shared */
static pid_t pids[CHILDREN];
static int commands[COMMANDS]; /* descriptors; 0: none */
static struct child *self;     /* in a child */
static char path[PATH_MAX];
static uint32_t slots; /* of the line */

static uint64_t draws;

static uint32_t misnamed = UINT32_MAX;	 /* a step */
static uint32_t misordered = UINT32_MAX; /* a step */
static enum trace_order ordered_by;	 /* the access that is going on */

static uint32_t draw(uint32_t below)
{
	draws ^= draws << 13;
	draws ^= draws >> 7;
	draws ^= draws << 17;
	return (uint32_t)(draws >> 16) % below;
}

static void futex(_Atomic uint32_t *word, int operation, uint32_t value)
{
	syscall(SYS_futex, word, operation, value, 0, 0, 0);
}

/* --- the child's side ----------------------------------------------------------- */

static void stop_here(uint32_t phase)
{
	if (!self) /* whoever creates the line */
		return;
	atomic_store_explicit(&self->phase, phase, memory_order_seq_cst);
	futex(&self->phase, FUTEX_WAKE, 1);
	while (atomic_load_explicit(&self->phase, memory_order_seq_cst) ==
	       phase)
		futex(&self->phase, FUTEX_WAIT, phase);
}

static void tell(struct told told)
{
	if (self && self->count < TOLD_MAX)
		self->told[self->count++] = told;
}

void trace_before(void)
{
	stop_here(READY);
	ordered_by = BY_NOTHING;
}

void trace_order(enum trace_order by)
{
	ordered_by = by;
}

void trace_after(enum pc at, enum trace_kind kind, uint32_t index, uint64_t a,
		 uint64_t b, uint64_t c, uint64_t d, int met)
{
	tell((struct told){ ACCESS, at == misnamed ? at + 1 : at, kind,
			    at == misordered ? BY_RELAXED : ordered_by, index,
			    (uint32_t)met, a, b, c, d });
}

void trace_seeks(uint32_t ticket)
{
	tell((struct told){ .what = SEEKING, .a = ticket });
}

void sleep_wait(struct wicket *h, const struct watch *watch, uint64_t until)
{
	(void)h, (void)watch, (void)until;
}

bool sleep_can_watch(void)
{
	return true;
}

void sleep_wake(struct wicket *h, uint32_t i)
{
	(void)h, (void)i;
}

uint64_t sleep_now(void)
{
	return self ? self->clock += 1000000 : 0;
}

/* Another number of slots; all of them, more often than not. */
static void resize(struct wicket *line)
{
	uint32_t open = draw(2) ? line->slots : draw(line->slots + 1);

	if (wicket_resize(line, open) == -EUSERS)
		tell((struct told){ .what = NO_SEAT_LEFT });
}

/* One or several, in one of several ways. */
static int take(struct wicket *line, uint32_t units)
{
	struct timespec soon = { 0, (long)(self->clock + draw(30) * 1000000) };

	if (draw(4) == 0) {
		resize(line);
		return -EAGAIN;
	}
	switch (draw(4)) {
	case 0:
		return units ? wicket_try_units(line, units, 0, 0) :
			       wicket_try(line, 0);
	case 1:
		return units ? wicket_acquire_units(line, units, &soon, 0, 0) :
			       wicket_acquire_until(line, &soon, 0);
	default:
		return units ? wicket_acquire_units(line, units, 0, 0, 0) :
			       wicket_acquire(line, 0);
	}
}

/* A turn; maybe given back at once, or in parts. */
static void use(struct wicket *line)
{
	uint32_t units = draw(2) ? 1 + draw(slots) : 0;
	int error = take(line, units);

	if (error == -EUSERS)
		tell((struct told){ .what = NO_SEAT_LEFT });
	if (error)
		return;
	if (draw(2)) {
		if (units > 1 && draw(2))
			wicket_release_units(line, 1 + draw(units - 1));
		wicket_release(line);
		return;
	}
	self->kept = wicket_keep(line);
	wicket_release(line);
	close(self->kept);
	tell((struct told){ .what = COMMAND_ENDED });
}

static void live(uint64_t seed)
{
	struct wicket *line;

	draws = seed;
	for (int rounds = 0; rounds < 2; rounds++) {
		if (wicket_open(&line, path, 0)) {
			tell((struct told){ .what = NO_SEAT_LEFT });
			continue;
		}
		for (uint32_t i = draw(OPERATIONS); i > 0; i--)
			use(line);
		wicket_close(line);
		tell((struct told){ .what = CLOSED });
	}
	stop_here(OVER);
}

static bool refused;

/* What it would remove is not its own, so to speak. */
int unlink(const char *name)
{
	if (refused) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_unlink, name);
}

static void remove_line(uint64_t seed)
{
	draws = seed;
	refused = draw(2);
	wicket_remove(path);
	stop_here(OVER);
}

/* --- one schedule ---------------------------------------------------------------- */

static uint64_t accesses, kills;
static const char *wrong;   /* in the last schedule */
static uint32_t wrong_step; /* the last one that was taken */

static void await(struct child *c)
{
	while (atomic_load_explicit(&c->phase, memory_order_seq_cst) == RUNNING)
		futex(&c->phase, FUTEX_WAIT, RUNNING);
}

static void spawn(uint32_t i, void (*do_things)(uint64_t))
{
	struct child *c = &children[i];
	uint64_t seed = draws + i + 1;

	draw(2);
	*c = (struct child){ .phase = RUNNING };
	model_spawn(i);
	pids[i] = fork();
	if (!pids[i]) {
		for (uint32_t j = 0; j < COMMANDS; j++) {
			if (commands[j])
				close(commands[j]);
		}
		self = c;
		do_things(seed * 0x9e3779b97f4a7c15 | 1);
		_exit(0);
	}
	await(c);
}

static void let_go(struct child *c)
{
	c->count = 0;
	atomic_store_explicit(&c->phase, RUNNING, memory_order_seq_cst);
	futex(&c->phase, FUTEX_WAKE, 1);
	await(c);
}

static void kill_child(uint32_t i)
{
	kill(pids[i], SIGKILL);
	waitpid(pids[i], 0, 0);
	children[i].phase = OVER;
	pids[i] = 0;
}

static int copy_of(pid_t pid, int fd)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	int copy = (int)syscall(SYS_pidfd_getfd, process, fd, 0);

	close(process);
	return copy;
}

static uint64_t orphans;

static void end_command(uint32_t j)
{
	if (!commands[j])
		return;
	close(commands[j]);
	commands[j] = 0;
	model_end(j);
}

static void die(uint32_t i)
{
	uint32_t j = draw(COMMANDS);

	if (model_has_command(i) && !commands[j] && draw(4)) {
		commands[j] = copy_of(pids[i], children[i].kept);
		kill_child(i);
		model_orphan(i, j);
		orphans++;
	} else {
		kill_child(i);
		model_die(i);
	}
	kills++;
	if (draw(2))
		spawn(i, live);
}

static bool follow_all(uint32_t i)
{
	struct child *c = &children[i];

	for (uint32_t j = 0; j < c->count; j++) {
		accesses++;
		wrong = model_follow(i, &c->told[j]);
		wrong_step = c->told[j].at;
		if (wrong)
			return false;
	}
	return true;
}

static void end_all(void)
{
	for (uint32_t i = 0; i < CHILDREN; i++) {
		if (!pids[i])
			continue;
		kill_child(i);
		model_die(i);
	}
	for (uint32_t j = 0; j < COMMANDS; j++)
		end_command(j);
}

static bool run_removal(void)
{
	bool good = true;

	spawn(0, remove_line);
	model_remove(0);
	while (good && children[0].phase == READY) {
		let_go(&children[0]);
		good = follow_all(0);
	}
	kill_child(0);
	return good;
}

static bool run_schedule(uint32_t k, uint32_t seat_count)
{
	struct wicket_options options = { .slots = k,
					  .slots_max = k,
					  .seats = seat_count,
					  .flags = WICKET_CREATE };
	struct wicket *line;
	bool good = true;

	model_start(k, seat_count);
	slots = k;
	if (wicket_open(&line, path, &options) || wicket_close(line))
		return false;
	for (uint32_t i = 0; i < CHILDREN; i++)
		spawn(i, live);
	for (int steps = 0; good && steps < STEPS_MAX; steps++) {
		uint32_t i = draw(CHILDREN), alive = 0;

		for (uint32_t j = 0; j < CHILDREN; j++)
			alive += children[j].phase == READY;
		if (!alive)
			break;
		while (children[i].phase != READY)
			i = (i + 1) % CHILDREN;
		if (draw(50) == 0)
			end_command(draw(COMMANDS));
		if (draw(model_has_command(i) ? 10 : 100) == 0) {
			die(i);
			continue;
		}
		/* a few in a row: long stalls of the others */
		for (uint32_t run = 1 + draw(2) * draw(20);
		     good && run > 0 && children[i].phase == READY; run--) {
			let_go(&children[i]);
			good = follow_all(i);
		}
	}
	end_all();
	good = good && run_removal();
	unlink(path);
	return good;
}

static int tests;

static int say(bool good, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, what);
	fflush(stdout);
	return !good;
}

static const struct {
	uint32_t k, seats;
} lines[] = { { 1, 2 }, { 1, 3 }, { 1, 5 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };

enum { LINES = sizeof(lines) / sizeof(*lines) };

static int compare(int schedules, bool control)
{
	char what[64];
	int bad = 0;

	for (int i = 0; i < LINES; i++) {
		bool good = true;

		for (int j = 0; good && j < schedules / LINES; j++)
			good = run_schedule(lines[i].k, lines[i].seats);
		snprintf(what, sizeof(what), "%s k = %u, %u seats",
			 control ? "the model notices," : "as predicted,",
			 lines[i].k, lines[i].seats);
		bad += say(good != control, what);
	}
	if (!control)
		bad += say(!model_unmet(), "every step of the model was met");
	return bad;
}

/* Schedules, until something is wrong, which must be this. */
static bool finds(const char *it, int schedules)
{
	bool good = true;
	int i = 0;

	for (; good && i < schedules; i++)
		good = run_schedule(lines[i % LINES].k, lines[i % LINES].seats);
	printf("# after %d schedules\n", i);
	return !good && wrong == it;
}

static int misname(int schedules)
{
	char what[64];
	int bad = 0;

	for (misnamed = 0; misnamed < model_steps; misnamed++) {
		snprintf(what, sizeof(what), "%s for %s is noticed",
			 model_step_name(misnamed + 1),
			 model_step_name(misnamed));
		bad += say(finds(model_other_step, schedules), what);
	}
	return bad;
}

static int misorder(int schedules)
{
	char what[64];
	int bad = 0;

	for (misordered = 0; misordered < model_steps; misordered++) {
		snprintf(what, sizeof(what), "%s in another order is noticed",
			 model_step_name(misordered));
		bad += say(finds(model_other_order, schedules), what);
	}
	return bad;
}

static int expect_order(const char *step, int schedules)
{
	char what[64];

	snprintf(what, sizeof(what), "the order of %s is noticed", step);
	return say(finds(model_other_order, schedules) &&
			   !strcmp(model_step_name(wrong_step), step),
		   what);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	bool orders = !strcmp(mode, "--expect-order") && argc > 2;
	int first = 1 + !!*mode + orders, bad;
	int schedules = argc > first ? atoi(argv[first]) : 3000;
	char dir[SCRATCH_DIR];

	draws = argc > first + 1 ? strtoull(argv[first + 1], 0, 0) :
				   (uint64_t)getpid() << 20 | 1;
	printf("# seed %lu\n", draws);
	if (!scratch_make(dir, "wicket-conformance"))
		return 1;
	snprintf(path, sizeof(path), "%s/line", dir);
	children = mmap(0, CHILDREN * sizeof(*children), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bad = orders ? expect_order(argv[2], schedules) :
	      !strcmp(mode, "--misname") ?
		       misname(schedules) :
	      !strcmp(mode, "--misorder") ?
		       misorder(schedules) :
		       compare(schedules, !strcmp(mode, "--expect-wrong"));
	printf("# %lu accesses, %lu kills, %lu commands left\n", accesses,
	       kills, orphans);
	printf("1..%d\n", tests);
	rmdir(dir);
	return bad > 0;
}
