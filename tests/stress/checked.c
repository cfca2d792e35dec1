/* SPDX-License-Identifier: MIT */
/*
 * checked [--expect-wrong] [CHECKS [SEED]] - wicket_check while processes come,
 * enter, keep, give up, are stopped and killed at any instruction: it never
 * calls anything wrong that was only on its way.  Half of the looks are at a
 * line all of whose users are stopped, wherever they are: such a line is judged
 * as a whole.
 *
 * --expect-wrong: with a library that lacks a line, damage is seen: by a schedule,
 * not by luck.
 */
#include "line/access.h"
#include "stress.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 6, MICROSECOND = 1000 };

static uint64_t seed;
static pid_t tester;

/* --- a worker -------------------------------------------------------------- */

/* A command that outlives its holder for a while, and then ends. */
static void run_command(struct wicket *line, struct dice *d)
{
	int keeps = wicket_keep(line);
	uint32_t time = draw(d, 3000) * MICROSECOND;

	if (keeps >= 0 && fork() == 0) {
		nap(time);
		_exit(0);
	}
	if (keeps >= 0)
		close(keeps);
	nap(draw(d, 3000) * MICROSECOND);
}

static void work(struct wicket *line, struct dice *d)
{
	switch (draw(d, 8)) {
	case 0:
		run_command(line, d);
		break;
	case 1:
		nap(draw(d, 200) * MICROSECOND);
		break;
	case 2:
		sched_yield();
		break;
	default:
		break;
	}
}

static int ask(struct wicket *line, struct dice *d)
{
	struct timespec deadline =
		timespec_of(now() + draw(d, 1000) * MICROSECOND);

	switch (draw(d, 4)) {
	case 0:
		return wicket_try(line, 0);
	case 1:
		return wicket_acquire_until(line, &deadline, 0);
	default:
		return wicket_acquire(line, 0);
	}
}

static void visit(struct dice *d)
{
	struct wicket *line;

	if (wicket_open(&line, line_path(), 0)) {
		nap(100 * MICROSECOND); /* no seat */
		return;
	}
	for (uint32_t i = draw(d, 100); i > 0; i--) {
		if (!ask(line, d)) {
			work(line, d);
			wicket_release(line);
		}
	}
	wicket_close(line);
}

/* In and out as fast as it can, for a while: W never rests. */
static void hurry(void)
{
	struct wicket *line;

	if (wicket_open(&line, line_path(), 0))
		return;
	for (int i = 0; i < 100000; i++) {
		if (!wicket_try(line, 0))
			wicket_release(line);
	}
	wicket_close(line);
}

static int worker(void *arg)
{
	struct dice d = dice(seed, *(uint64_t *)arg);

	signal(SIGCHLD, SIG_IGN);
	while (getppid() == tester) {
		if (draw(&d, 20) == 0)
			hurry();
		else
			visit(&d);
	}
	return 0;
}

/* --- the looks -------------------------------------------------------------- */

struct looks {
	uint32_t count, wrong, busy, notes;
	char what[256]; /* the first that was wrong */
};

static void hear(void *arg, enum wicket_finding kind, const char *text)
{
	struct looks *l = arg;

	if (kind == WICKET_WRONG && !l->wrong++)
		snprintf(l->what, sizeof(l->what), "%s", text);
	if (kind == WICKET_NOTE)
		l->notes++;
	l->busy += strstr(text, "too busy") != 0;
}

static void check(struct looks *l)
{
	int wrong = wicket_check(line_path(), hear, l);

	if (wrong < 0)
		bail_out("check: %s", strerror(-wrong));
	l->count++;
}

struct storm {
	pid_t pid[WORKERS];
	uint64_t started;
	struct dice dice;
	struct looks moving, stopped;
};

static void start(struct storm *s, uint32_t i)
{
	uint64_t number = ++s->started;

	s->pid[i] = spawn(worker, &number);
}

static void stop_all(struct storm *s)
{
	for (uint32_t i = 0; i < WORKERS; i++)
		kill(s->pid[i], SIGSTOP);
	for (uint32_t i = 0; i < WORKERS; i++) {
		int status;

		if (!stops(s->pid[i], &status))
			bail_out("a worker ended by itself: %#x", status);
	}
}

static void blow(struct storm *s)
{
	uint32_t victim = draw(&s->dice, WORKERS);

	check(&s->moving);
	nap(draw(&s->dice, 1000) * MICROSECOND);
	stop_all(s);
	check(&s->stopped);
	if (draw(&s->dice, 2)) {
		end(s->pid[victim]);
		check(&s->stopped);
		start(s, victim);
	}
	for (uint32_t i = 0; i < WORKERS; i++)
		kill(s->pid[i], SIGCONT);
}

static void storm(struct storm *s, uint32_t k, uint32_t seats, uint32_t checks)
{
	new_line(k, seats);
	for (uint32_t i = 0; i < WORKERS; i++)
		start(s, i);
	while (s->moving.count < checks && !s->moving.wrong &&
	       !s->stopped.wrong)
		blow(s);
	for (uint32_t i = 0; i < WORKERS; i++)
		end(s->pid[i]);
	while (wait(0) > 0) /* the commands that were left behind */
		;
	note("k = %u, %u seats: %u looks (%u in full motion, too busy for "
	     "more), %u at a line that was stopped, %u notes",
	     k, seats, s->moving.count, s->moving.busy, s->stopped.count,
	     s->moving.notes - s->moving.busy + s->stopped.notes);
}

static void report(const struct looks *l)
{
	if (l->wrong)
		note("wrong: %s", l->what);
}

/* A try looks for the dead, all of them: then nobody is left. */
static void look_after_the_dead(void)
{
	struct wicket *line = open_line(0);

	wicket_try(line, 0);
	wicket_close(line);
}

static void no_false_alarm(uint32_t k, uint32_t seats, uint32_t checks)
{
	struct storm s = { .dice = dice(seed, 0) };
	struct looks dead = { 0 }, rest = { 0 };

	storm(&s, k, seats, checks);
	check(&dead);
	look_after_the_dead();
	check(&rest);
	report(&s.moving);
	report(&s.stopped);
	report(&dead);
	report(&rest);
	ok(!s.moving.wrong, "k = %u, %u seats: right while it moves", k, seats);
	ok(!s.stopped.wrong && !s.stopped.busy,
	   "k = %u, %u seats: right wherever it is stopped", k, seats);
	ok(!dead.wrong && !dead.busy, "k = %u, %u seats: right when all died",
	   k, seats);
	ok(!rest.wrong, "k = %u, %u seats: right at rest", k, seats);
}

/* --- the control -------------------------------------------------------------- */

/* One who leaves, and stops before and after. */
static int leaver(void *arg)
{
	struct wicket *line = open_line(0);

	(void)arg;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) || wicket_acquire(line, 0))
		return 1;
	raise(SIGSTOP);
	wicket_release(line);
	for (;;)
		pause();
}

static int comer(void *arg)
{
	(void)arg;
	wicket_acquire(open_line(0), 0);
	return 0;
}

/* W as the file has it. */
static struct line_w w_now(int fd)
{
	struct line_w w;

	if (pread(fd, &w, sizeof(w), offsetof(struct header, w)) !=
	    (ssize_t)sizeof(w))
		bail_out("W cannot be read");
	return w;
}

/* By single instructions, until its release is in W: not yet in SLOT. */
static void step_until_w_changes(pid_t pid, int fd)
{
	struct line_w before = w_now(fd), w = before;

	while (w.t == before.t && w.s == before.s) {
		int status;

		if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			bail_out("it cannot be stepped");
		w = w_now(fd);
	}
}

/*
 * One is killed right after its release was applied; the next to come must write
 * that down before it changes W.  A library that does not loses the release: the
 * schedule leaves nothing to luck.
 */
static void a_release_is_written_down(bool expect_wrong)
{
	struct looks l = { 0 };
	int fd, status;
	pid_t pid;

	new_line(1, 4);
	fd = open(line_path(), O_RDONLY | O_CLOEXEC);
	pid = spawn(leaver, 0);
	if (!stops(pid, &status))
		bail_out("it ended instead: %#x", status);
	step_until_w_changes(pid, fd);
	if (!ends_well(spawn(comer, 0)))
		bail_out("the next did not come to an end");
	end(pid);
	check(&l);
	report(&l);
	ok(expect_wrong ? l.wrong : !l.wrong,
	   expect_wrong ? "a release that was not written down is seen" :
			  "a release is written down by the next to come");
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct {
		uint32_t k, seats;
	} sizes[] = { { 1, 256 }, { 2, 5 }, { 3, 4 }, { 5, 4096 } };
	bool expect_wrong = argc > 1 && !strcmp(argv[1], "--expect-wrong");
	uint32_t checks;

	argc -= expect_wrong;
	argv += expect_wrong;
	checks = argc > 1 ? (uint32_t)strtoul(argv[1], 0, 0) : 200;
	seed = argc > 2 ? strtoull(argv[2], 0, 0) : now();
	note("seed %llu", (unsigned long long)seed);
	tester = getpid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	a_release_is_written_down(expect_wrong);
	for (size_t i = 0; !expect_wrong && i < sizeof(sizes) / sizeof(*sizes);
	     i++)
		no_false_alarm(sizes[i].k, sizes[i].seats, checks);
	return finish();
}
