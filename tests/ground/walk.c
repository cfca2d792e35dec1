/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEATS = 4 };

static int walker(void *arg)
{
	const struct walk *w = arg;
	struct wicket *line = w->closes ? open_line(0) : 0;
	int error;

	if (w->prepare && !w->prepare())
		return 1;
	trace_me();
	TRACE_MARK();
	if (w->closes)
		error = wicket_close(line);
	else
		error = wicket_open(&line, line_path(), 0);
	TRACE_MARK();
	return error || (w->proceed && !w->proceed(line));
}

static pid_t start(struct walk *w)
{
	pid_t pid;

	new_line(1, SEATS);
	pid = (w->first ? spawn_first : spawn)(walker, w);
	if (trace_start(pid) != TRACE_THERE)
		bail_out("%s: cannot be traced", w->name);
	return pid;
}

pid_t walk_to(struct walk *w, int32_t p)
{
	pid_t pid = start(w);

	/* what goes astray is still somewhere */
	if (trace_go(pid, &w->trace, p) == TRACE_LOST)
		bail_out("%s: does not get to point %d", w->name, p);
	return pid;
}

void walk_record(struct walk *w)
{
	pid_t pid = start(w);

	if (trace_record(pid, &w->trace, 0) != TRACE_THERE)
		bail_out("%s: does not get to the end", w->name);
	trace_let_go(pid);
	if (w->proceed)
		end(pid);
	else if (!ends_well(pid))
		bail_out("%s: does not work", w->name);
}

/* --- where to ------------------------------------------------------------- */

/* The code is the same here as in the child. */
static bool is_visible(const struct walk *w, int32_t p)
{
	const uint8_t *code = (const uint8_t *)w->trace.at[p];

	return code[0] == 0xf0 || (code[0] == 0x0f && code[1] == 0x05);
}

bool walk_is_near(const struct walk *w, int32_t p, int32_t before,
		  int32_t after)
{
	for (int32_t i = p - after; i <= p + before; i++) {
		if (i >= 0 && i < w->trace.end && is_visible(w, i))
			return true;
	}
	return false;
}

/* --- on from there -------------------------------------------------------- */

/* If it ends, that is left for others to see. */
static bool resume(pid_t pid, enum __ptrace_request how)
{
	siginfo_t info;

	return !ptrace(how, pid, 0, 0) &&
	       !waitid(P_PID, (id_t)pid, &info, WSTOPPED | WEXITED | WNOWAIT) &&
	       info.si_code == CLD_TRAPPED && waitpid(pid, 0, 0) == pid;
}

bool walk_on(pid_t pid)
{
	return resume(pid, PTRACE_SINGLESTEP);
}

bool walk_sees_line(pid_t pid)
{
	char path[64], text[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && !found && fgets(text, sizeof(text), f))
		found = strstr(text, line_path());
	if (f)
		fclose(f);
	return found;
}

/* It stops when it calls, and when it returns. */
bool walk_past_call(pid_t pid)
{
	return resume(pid, PTRACE_SYSCALL) && resume(pid, PTRACE_SYSCALL);
}

bool walk_is_at_call(pid_t pid)
{
	struct user_regs_struct regs;

	return !ptrace(PTRACE_GETREGS, pid, 0, &regs) &&
	       (ptrace(PTRACE_PEEKTEXT, pid, regs.rip, 0) & 0xffff) == 0x050f;
}

/* The marks that are still before it would be deadly if nobody saw them. */
bool walk_out(pid_t pid)
{
	int status;

	ptrace(PTRACE_CONT, pid, 0, 0);
	while (stops(pid, &status))
		ptrace(PTRACE_CONT, pid, 0, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
