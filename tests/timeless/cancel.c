/* SPDX-License-Identifier: MIT */
/*
 * cancel [--expect-stuck] - whoever is cancelled comes back, even if nobody hears
 * from the canceller again once it has woken the waiter: its flag is set before.
 * The canceller is traced, and held right behind its futex call.
 *
 * The control is a library that sets the flag after that call: with
 * --expect-stuck, the waiter must have gone back to sleep, for good.
 */
#include "asleep.h"

#include "../stress/stress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared with the process in which one thread waits, and one cancels. */
struct scene {
	_Atomic pid_t canceller;
	_Atomic uint32_t cannot_trace, cancels, is_back;
	_Atomic int32_t error;
};

static struct scene *scene;
static pid_t waiter;

/* --- the process ---------------------------------------------------------- */

static void *cancel(void *line)
{
	pid_t me = gettid();

	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		scene->cannot_trace = 1;
	scene->canceller = me;
	if (scene->cannot_trace)
		return 0;
	tgkill(getpid(), me, SIGSTOP); /* until the other one sleeps */
	scene->cancels = 1;
	wicket_cancel(line);
	return 0;
}

static int wait_in_line(void *arg)
{
	struct wicket *line = open_line(0);
	pthread_t canceller;

	(void)arg;
	if (pthread_create(&canceller, 0, cancel, line))
		return 1;
	scene->error = wicket_acquire(line, 0);
	scene->is_back = 1;
	pthread_join(canceller, 0);
	return wicket_close(line);
}

/* --- the tracer ----------------------------------------------------------- */

static bool is_there(void *arg)
{
	(void)arg;
	return scene->canceller;
}

static bool is_stopped(void *status)
{
	return waitpid(scene->canceller, status, __WALL | WNOHANG) != 0;
}

/* The canceller stops: is it because of this? */
static bool stops_for(int signal)
{
	int status = 0;

	return eventually(is_stopped, &status) && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == signal;
}

static bool waiter_sleeps(void *arg)
{
	(void)arg;
	return sleeps_for_good(waiter);
}

/* Goes on to the next system call, or to its end. */
static bool step(struct __ptrace_syscall_info *call)
{
	return !ptrace(PTRACE_SYSCALL, scene->canceller, 0, 0) &&
	       stops_for(SIGTRAP | 0x80) &&
	       ptrace(PTRACE_GET_SYSCALL_INFO, scene->canceller, sizeof(*call),
		      call) > 0;
}

/* The one futex call of wicket_cancel has returned. */
static bool hold_after_wake(void)
{
	struct __ptrace_syscall_info call;
	bool wakes = false;

	ptrace(PTRACE_SETOPTIONS, scene->canceller, 0, PTRACE_O_TRACESYSGOOD);
	do {
		if (!step(&call))
			return false;
		wakes |= scene->cancels &&
			 call.op == PTRACE_SYSCALL_INFO_ENTRY &&
			 call.entry.nr == SYS_futex;
	} while (!wakes || call.op != PTRACE_SYSCALL_INFO_EXIT);
	return true;
}

/* The call has woken it: if it sleeps, then once more. */
static bool is_back_or_sleeps(void *arg)
{
	(void)arg;
	return scene->is_back || sleeps_for_good(waiter);
}

static void see_cancelled(bool expect_stuck)
{
	bool settled = eventually(is_back_or_sleeps, 0);

	if (expect_stuck) {
		ok(settled && !scene->is_back,
		   "a flag that is set after the wake-up is noticed");
		ptrace(PTRACE_DETACH, scene->canceller, 0, 0);
		end(waiter);
		return;
	}
	ok(settled && scene->is_back && scene->error == -ECANCELED,
	   "who is cancelled comes back while the canceller is held");
	ptrace(PTRACE_DETACH, scene->canceller, 0, 0);
	ok(ends_well(waiter), "and the canceller goes on");
}

int main(int argc, char **argv)
{
	bool expect_stuck = argc > 1 && !strcmp(argv[1], "--expect-stuck");
	struct wicket *ours;

	if (!can_see_sleepers()) {
		skip("cancelling", "/proc/PID/syscall cannot be read");
		return finish();
	}
	scene = share(sizeof(*scene));
	new_line(1, 4);
	ours = open_line(0);
	if (wicket_acquire(ours, 0))
		bail_out("acquire");
	waiter = spawn(wait_in_line, 0);
	if (!eventually(is_there, 0))
		bail_out("there is no canceller");
	if (scene->cannot_trace) {
		end(waiter);
		skip("cancelling", "ptrace is not allowed");
		return finish();
	}
	if (!stops_for(SIGSTOP) || !eventually(waiter_sleeps, 0) ||
	    !hold_after_wake())
		bail_out("the canceller cannot be held");
	see_cancelled(expect_stuck);
	wicket_close(ours);
	return finish();
}
