/* SPDX-License-Identifier: MIT */
/*
 * nowaitv [PROGRAM ARG...] - runs a program as on a kernel without futex_waitv
 * (older than 5.16); everything must hold there as well.  Without a program it
 * tests that the filter works, that the library uses futex_waitv where there is
 * one, and that a sleeper gets in after a kill where there is none.
 */
#include "stress.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From now on futex_waitv does this (SECCOMP_RET_...), for good. */
static int make_waitv(uint32_t action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex_waitv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				     &program) ?
		       -errno :
		       0;
}

enum { ABSENT = SECCOMP_RET_ERRNO | ENOSYS };

/* Asked for nothing, it says EINVAL if it is there. */
static bool has_waitv(void)
{
	return syscall(SYS_futex_waitv, 0, 0, 0, 0, 0) < 0 && errno != ENOSYS;
}

static int finds_none(void *arg)
{
	(void)arg;
	return make_waitv(ABSENT) || has_waitv();
}

/* --- a holder and a waiter ------------------------------------------------ */

static int hold(void *arg)
{
	(void)arg;
	wicket_acquire(open_line(0), 0);
	for (;;)
		pause();
	return 0;
}

static int wait_with(void *arg)
{
	struct wicket *line = open_line(0);

	if (make_waitv(*(uint32_t *)arg))
		return 1;
	return wicket_acquire(line, 0) || wicket_close(line);
}

static struct wicket *view;

static bool is_held(void *arg)
{
	(void)arg;
	return look(view).holding == 1;
}

static bool is_awaited(void *arg)
{
	(void)arg;
	return look(view).waiting == 1;
}

/* A holder, and behind it a waiter for whom futex_waitv does that. */
static void line_up(uint32_t action, pid_t *holder, pid_t *waiter)
{
	new_line(1, 0);
	view = open_line(WICKET_VIEW);
	*holder = spawn(hold, 0);
	if (!eventually(is_held, 0))
		bail_out("nobody holds");
	*waiter = spawn(wait_with, &action);
}

static void sleeper_gets_in(void)
{
	pid_t holder, waiter;
	bool awaited;

	line_up(ABSENT, &holder, &waiter);
	awaited = eventually(is_awaited, 0);
	end(holder);
	ok(awaited && ends_well(waiter),
	   "without futex_waitv a sleeper gets in after a kill");
	wicket_close(view);
}

static bool has_died(void *arg)
{
	pid_t *pid = arg;
	int status;

	if (waitpid(*pid, &status, WNOHANG) <= 0)
		return false;
	*pid = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? 0 : -1;
	return true;
}

/* If it is deadly to call it, a sleeper dies. */
static void sleeper_calls_it(void)
{
	pid_t holder, waiter;

	line_up(SECCOMP_RET_KILL_PROCESS, &holder, &waiter);
	ok(eventually(has_died, &waiter) && waiter == 0,
	   "with futex_waitv a sleeper calls it");
	if (waiter > 0)
		end(waiter);
	end(holder);
	wicket_close(view);
}

static void run(char **command)
{
	int error = make_waitv(ABSENT);

	if (error)
		bail_out("seccomp: %s", strerror(-error));
	execvp(*command, command);
	bail_out("%s: %s", *command, strerror(errno));
}

int main(int argc, char **argv)
{
	if (argc > 1)
		run(argv + 1);
	if (prctl(PR_GET_SECCOMP) < 0) {
		puts("1..0 # SKIP no seccomp");
		return 77;
	}
	ok(ends_well(spawn(finds_none, 0)), "the filter hides futex_waitv");
	sleeper_gets_in();
	if (has_waitv())
		sleeper_calls_it();
	else
		skip("with futex_waitv a sleeper calls it", "there is none");
	return finish();
}
