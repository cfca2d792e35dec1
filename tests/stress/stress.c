/* SPDX-License-Identifier: MIT */
#include "stress.h"

#include "tests/scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

/* --- TAP ------------------------------------------------------------------ */

static int count, failed;

/* Whole lines, at once: a child that is forked has none of ours to print. */
static void say(const char *prefix, const char *format, va_list args)
{
	fputs(prefix, stdout);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
}

void ok(bool good, const char *format, ...)
{
	char prefix[32];
	va_list args;

	failed += !good;
	snprintf(prefix, sizeof(prefix), "%s %d - ", good ? "ok" : "not ok",
		 ++count);
	va_start(args, format);
	say(prefix, format, args);
	va_end(args);
}

void skip(const char *what, const char *why)
{
	ok(true, "%s # SKIP %s", what, why);
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("# ", format, args);
	va_end(args);
}

void bail_out(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("Bail out! ", format, args);
	va_end(args);
	exit(1);
}

int finish(void)
{
	printf("1..%d\n", count);
	return failed > 0;
}

/* --- the line ------------------------------------------------------------- */

static char dir[SCRATCH_DIR], path[PATH_MAX];
static pid_t owner;

static void clean_up(void)
{
	if (getpid() == owner) {
		unlink(path);
		rmdir(dir);
	}
}

static void on_end(int number)
{
	clean_up();
	_exit(128 + number);
}

const char *line_path(void)
{
	if (owner)
		return path;
	if (!scratch_make(dir, "stress"))
		bail_out("%s: %s", dir, strerror(errno));
	snprintf(path, sizeof(path), "%s/line", dir);
	owner = getpid();
	atexit(clean_up);
	signal(SIGTERM, on_end);
	signal(SIGINT, on_end);
	return path;
}

void new_line(uint32_t slots, uint32_t seats)
{
	struct wicket_options options = { .slots = slots,
					  .slots_max = slots,
					  .seats = seats,
					  .flags = WICKET_CREATE };
	struct wicket *line;
	int error;

	unlink(line_path());
	error = wicket_open(&line, line_path(), &options);
	if (error)
		bail_out("%s: %s", path, strerror(-error));
	wicket_close(line);
}

struct wicket *open_line(uint32_t flags)
{
	struct wicket_options options = { .flags = flags };
	struct wicket *line;
	int error = wicket_open(&line, path, &options);

	if (error)
		bail_out("open: %s", strerror(-error));
	return line;
}

struct wicket_view look(struct wicket *view)
{
	struct wicket_view v;
	int error = wicket_inspect(view, &v, 0, 0);

	if (error < 0)
		bail_out("inspect: %s", strerror(-error));
	return v;
}

static int take_all(void *arg)
{
	uint32_t slots = *(uint32_t *)arg;
	struct timespec deadline = limit();
	bool taken[WICKET_SLOTS_MAX] = { false };

	for (uint32_t i = 0; i < slots; i++) {
		struct wicket_grant grant = { .slot = 0 };
		int error = wicket_acquire_until(open_line(0), &deadline,
						 &grant);

		if (error || grant.slot >= slots || taken[grant.slot]) {
			note("slot %u, number %u to come back: %s", grant.slot,
			     i + 1, error ? strerror(-error) : "not its own");
			return 1;
		}
		taken[grant.slot] = true;
	}
	return wicket_try(open_line(0), 0) != -EAGAIN;
}

/* By a child: in a line that is broken it may never return. */
bool all_are_back(uint32_t slots)
{
	return ends_well(spawn(take_all, &slots));
}

/* --- others --------------------------------------------------------------- */

void *share(size_t bytes)
{
	void *p = mmap(0, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bail_out("mmap: %s", strerror(errno));
	return p;
}

pid_t spawn(int (*body)(void *), void *arg)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		bail_out("fork: %s", strerror(errno));
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(getppid() == parent ? body(arg) : 1);
	}
	return pid;
}

struct change {
	pid_t pid;
	int options, status;
};

static bool has_changed(void *arg)
{
	struct change *c = arg;

	return waitpid(c->pid, &c->status, c->options | WNOHANG) != 0;
}

bool ends_well(pid_t pid)
{
	struct change c = { .pid = pid };

	if (eventually(has_changed, &c))
		return WIFEXITED(c.status) && !WEXITSTATUS(c.status);
	end(pid);
	return false;
}

bool stops(pid_t pid, int *status)
{
	struct change c = { .pid = pid, .options = WUNTRACED };
	bool changed = eventually(has_changed, &c);

	*status = c.status;
	return changed && WIFSTOPPED(c.status);
}

void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, 0, 0);
}

/* --- time ----------------------------------------------------------------- */

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

struct timespec timespec_of(uint64_t t)
{
	return (struct timespec){ (time_t)(t / SECOND), (long)(t % SECOND) };
}

struct timespec limit(void)
{
	return timespec_of(now() + (uint64_t)PATIENCE / 2 * SECOND);
}

void nap(uint64_t nanoseconds)
{
	struct timespec t = timespec_of(nanoseconds);

	nanosleep(&t, 0);
}

bool eventually(bool (*holds)(void *), void *arg)
{
	uint64_t end_of_patience = now() + (uint64_t)PATIENCE * SECOND;

	while (!holds(arg)) {
		if (now() > end_of_patience)
			return false;
		nap(100000);
	}
	return true;
}

/* --- dice ----------------------------------------------------------------- */

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

struct dice dice(uint64_t seed, uint64_t number)
{
	struct dice d = { seed };

	d.state = next(&d.state) + number * 0xd1342543de82ef95;
	return d;
}

uint32_t draw(struct dice *d, uint32_t below)
{
	return (uint32_t)(next(&d->state) >> 32) % below;
}
