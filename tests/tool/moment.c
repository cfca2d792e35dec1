/* SPDX-License-Identifier: MIT */
/*
 * moment - runs a command and sends it, or its process group, a signal at a
 * given moment: when it, or a child of it that has not called exec, enters or
 * leaves its N-th system call; at the latest when it begins to wait for a
 * child.  Prints which moment it was, exits as the command does, and dies of the
 * signal that killed it.
 * usage: moment N SIGNAL self|group COMMAND [ARG]...
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	SYSTEM_CALL = SIGTRAP | 0x80, /* see PTRACE_O_TRACESYSGOOD */
	OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEVFORK |
		  PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC,
};

struct moment {
	pid_t pid, target; /* the target is as for kill(2) */
	long at, now;
	int sig;
	bool begun, sent;
};

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(2);
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		setpgid(0, 0);
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			die("ptrace");
		raise(SIGSTOP);
		execv(argv[0], argv);
		die(argv[0]);
	}
	if (waitpid(pid, NULL, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, OPTIONS) ||
	    ptrace(PTRACE_SYSCALL, pid, 0, 0))
		die("ptrace");
	return pid;
}

static bool begins_to_wait(pid_t pid)
{
	struct __ptrace_syscall_info call;

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) > 0 &&
	       call.op == PTRACE_SYSCALL_INFO_ENTRY &&
	       (call.entry.nr == SYS_waitid || call.entry.nr == SYS_wait4);
}

static void meet_system_call(struct moment *m, pid_t who)
{
	if (!m->begun || m->sent)
		return;
	m->now++;
	if (m->now == m->at || begins_to_wait(who)) {
		kill(m->target, m->sig);
		m->sent = true;
	}
}

/* Returns the signal that the process shall get. */
static int meet(struct moment *m, pid_t who, int stop, int event)
{
	if (event == PTRACE_EVENT_EXEC && who == m->pid)
		m->begun = true;
	if (stop == SYSTEM_CALL)
		meet_system_call(m, who);
	/* a new child stops once, for us */
	return event || stop == SYSTEM_CALL || stop == SIGSTOP ? 0 : stop;
}

static void go_on(const struct moment *m, pid_t who, int event, int sig)
{
	bool is_command = event == PTRACE_EVENT_EXEC && who != m->pid;

	/* it may have been killed meanwhile */
	if (ptrace(is_command ? PTRACE_DETACH :
		   m->sent    ? PTRACE_CONT :
				PTRACE_SYSCALL,
		   who, 0, (long)sig) &&
	    errno != ESRCH)
		die("ptrace");
}

/* Returns the status of the command. */
static int watch(struct moment *m)
{
	int status;
	pid_t who;

	while ((who = waitpid(-1, &status, __WALL)) > 0) {
		int event = status >> 16;

		if (WIFSTOPPED(status))
			go_on(m, who, event,
			      meet(m, who, WSTOPSIG(status), event));
		else if (who == m->pid)
			return status;
	}
	die("waitpid");
}

int main(int argc, char **argv)
{
	struct moment m = { 0 };
	int status;

	if (argc < 5) {
		fprintf(stderr, "usage: moment N SIGNAL self|group COMMAND\n");
		return 2;
	}
	m.at = atol(argv[1]);
	m.sig = atoi(argv[2]);
	m.pid = start(argv + 4);
	m.target = strcmp(argv[3], "group") ? m.pid : -m.pid;
	status = watch(&m);
	printf("%ld\n", m.now);
	fflush(stdout);
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 2;
}
