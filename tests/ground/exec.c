/* SPDX-License-Identifier: MIT */
/*
 * exec - ways to leave a process, or to leave parts of it behind, in which what
 * tells that it lives might outlive it or be lost: execve by any thread, a
 * thread that ends, a fork that lives on, descriptors that are closed or have
 * become those of other files.  Who is gone gives its slot back; who is there
 * keeps it.
 */
#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MILLISECOND = 1000000, FILES = 32 };

/* --- who goes ------------------------------------------------------------- */

/* What is executed: it shows that it is there. */
static int be_another(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* of this thread: not yet known */
	raise(SIGSTOP);
	return 0;
}

static void become_another(void)
{
	execl("/proc/self/exe", "exec", "--stop", (char *)0);
	bail_out("exec: %s", strerror(errno));
}

static void enter_and_stay(struct cue *cue)
{
	if (wicket_acquire(open_line(0), 0))
		bail_out("cannot enter");
	stay(cue);
}

static void *enter_and_become_another(void *arg)
{
	enter_and_stay(arg);
	become_another();
	return 0;
}

static void enter_and_fork(struct cue *cue)
{
	if (wicket_acquire(open_line(0), 0))
		bail_out("cannot enter");
	cue->other = fork_survivor();
	stay(cue);
}

static void *enter_fork_and_become_another(void *arg)
{
	enter_and_fork(arg);
	become_another();
	return 0;
}

static void *enter_and_return(void *arg)
{
	enter_and_stay(arg);
	return 0;
}

static int first_executes(void *arg)
{
	enter_and_become_another(arg);
	return 1;
}

static int run_thread(void *(*body)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, 0, body, arg) || pthread_join(thread, 0))
		return 1;
	raise(SIGSTOP);
	return 0;
}

static int second_executes(void *arg)
{
	return run_thread(enter_and_become_another, arg);
}

static int second_forks_and_executes(void *arg)
{
	return run_thread(enter_fork_and_become_another, arg);
}

static int second_returns(void *arg)
{
	return run_thread(enter_and_return, arg);
}

/* The slot of one that holds it until it is told to go; it stops when it has
   done so. */
static void goes(const char *name, int (*body)(void *))
{
	struct cue *cue = new_cue();
	pid_t victim, waiter;
	bool there;
	int status;

	new_line(1, 0);
	victim = spawn(body, cue);
	await_inside(cue);
	waiter = start_waiter();
	cue->go = 1;
	there = stops(victim, &status);
	ok(there && ends_well(waiter), "%s: the slot comes back", name);
	if (there)
		end(victim);
	if (cue->other)
		end(cue->other);
}

/* --- who is killed, and leaves something behind --------------------------- */

static int forks(void *arg)
{
	enter_and_fork(arg);
	return 1;
}

static bool close_all(void)
{
	return !syscall(SYS_close_range, 3, ~0u, 0);
}

static int closes_all(void *arg)
{
	struct wicket *line = open_line(0);

	if (wicket_acquire(line, 0) || !close_all())
		return 1;
	stay(arg);
	return wicket_release(line) || wicket_close(line);
}

static void is_killed(const char *name, int (*body)(void *))
{
	struct cue *cue = new_cue();
	pid_t victim, waiter;

	new_line(1, 0);
	victim = spawn(body, cue);
	await_inside(cue);
	ok(ends_well(spawn(is_refused, 0)), "%s: it keeps its slot", name);
	waiter = start_waiter();
	end(victim);
	ok(ends_well(waiter), "%s, killed: the slot comes back", name);
	if (cue->other)
		end(cue->other);
}

static void leaves_without_descriptors(void)
{
	struct cue *cue = new_cue();
	pid_t holder, waiter;

	new_line(1, 0);
	holder = spawn(closes_all, cue);
	await_inside(cue);
	waiter = start_waiter();
	cue->go = 1;
	ok(ends_well(holder) && ends_well(waiter) && all_are_back(1),
	   "all descriptors closed: it can still release");
}

/* --- descriptors that are another's --------------------------------------- */

/* Files of nobody's, wherever one of the line's may have been. */
static bool open_others(struct stat *others)
{
	for (int i = 3; i < FILES; i++) {
		if (memfd_create("another", 0) != i || fstat(i, &others[i]))
			return false;
	}
	return true;
}

static bool are_untouched(const struct stat *others)
{
	for (int i = 3; i < FILES; i++) {
		struct stat st;

		if (fstat(i, &st) || st.st_ino != others[i].st_ino ||
		    st.st_size) {
			note("descriptor %d was closed or written", i);
			return false;
		}
	}
	return true;
}

/* Long enough to look for the dead more than once. */
static bool finds_holder_alive(struct wicket *line)
{
	struct timespec soon = timespec_of(now() + 400 * MILLISECOND);
	int tried = wicket_try(line, 0);
	int waited = wicket_acquire_until(line, &soon, 0);

	if (tried == -EAGAIN && waited == -ETIMEDOUT)
		return true;
	note("a slot that is held: try %d, acquire %d", tried, waited);
	return false;
}

static int waits_with_others(void *arg)
{
	struct wicket *line = open_line(0);
	struct timespec deadline = limit();
	struct stat others[FILES];
	struct cue *cue = arg;
	int error;

	if (!close_all() || !open_others(others) || !finds_holder_alive(line))
		return 1;
	cue->other = 1;
	error = wicket_acquire_until(line, &deadline, 0);
	if (error)
		note("waited in vain: %s", strerror(-error));
	return error || wicket_close(line) || !are_untouched(others);
}

static bool has_others(void *arg)
{
	return ((struct cue *)arg)->other;
}

static void waiter_has_others(const char *name, bool holder_is_killed)
{
	struct cue *cue = new_cue();
	pid_t holder, waiter;

	new_line(1, 0);
	holder = start_holder(cue);
	waiter = spawn(waits_with_others, cue);
	eventually(has_others, cue);
	ok(cue->other, "%s: the holder is not taken for dead", name);
	if (holder_is_killed)
		end(holder);
	cue->go = 1;
	ok(ends_well(waiter), "%s: it gets in, and closes no other file", name);
	ok((holder_is_killed || ends_well(holder)) && all_are_back(1),
	   "%s: all is as before", name);
}

/* A holder whose descriptors are another's closes its handle. */
static int closes_with_others(void *arg)
{
	struct wicket *line = open_line(0);
	struct stat others[FILES];

	(void)arg;
	return wicket_acquire(line, 0) || !close_all() ||
	       !open_others(others) || wicket_close(line) ||
	       !are_untouched(others);
}

static void with_closed_descriptors(void)
{
	is_killed("all descriptors closed", closes_all);
	leaves_without_descriptors();
	waiter_has_others("other files, the holder leaves", false);
	waiter_has_others("other files, the holder is killed", true);
	new_line(1, 0);
	ok(ends_well(spawn(closes_with_others, 0)) && all_are_back(1),
	   "other files: a holder closes its handle, and none of them");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--stop"))
		return be_another();
	adopt();
	goes("the first thread executes another program", first_executes);
	goes("the second thread executes another program", second_executes);
	goes("the second thread forks, and executes another program",
	     second_forks_and_executes);
	goes("the second thread returns", second_returns);
	is_killed("a fork lives on", forks);
	if (syscall(SYS_close_range, ~0u, ~0u, 0) && errno == ENOSYS)
		skip("without descriptors", "there is no close_range");
	else
		with_closed_descriptors();
	return finish();
}
