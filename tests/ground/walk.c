/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEATS = 4, BAD_MAX = 3 };

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
	if (w->set_up)
		w->set_up();
	pid = (w->first ? spawn_first : spawn)(walker, w);
	if (trace_start(pid) != TRACE_THERE)
		bail_out("%s: cannot be traced", w->name);
	return pid;
}

pid_t walk_to(struct walk *w, int32_t p)
{
	pid_t pid = start(w);

	/* what goes astray is still somewhere; at 0 is the first mark */
	if (trace_go(pid, &w->trace, p ? p : 1) == TRACE_LOST)
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
bool walk_acts(const struct walk *w, int32_t p)
{
	const uint8_t *code = (const uint8_t *)w->trace.at[p];

	return p < w->trace.end &&
	       (code[0] == 0xf0 || (code[0] == 0x0f && code[1] == 0x05));
}

static bool is_near(const struct walk *w, int32_t p)
{
	for (int32_t i = p ? p - 1 : p; i <= p + w->before; i++) {
		if (walk_acts(w, i))
			return true;
	}
	return false;
}

void walk_everywhere(struct walk *w, int32_t others,
		     bool (*is_good)(struct walk *w, int32_t p))
{
	int32_t stride, points = 0, bad = 0;

	walk_record(w);
	stride = 1 + w->trace.end / others;
	for (int32_t p = 0; p <= w->trace.end && bad < BAD_MAX; p++) {
		if (p % stride && !is_near(w, p))
			continue;
		points++;
		bad += !is_good(w, p);
	}
	ok(!bad, "%s: %d points of %d", w->name, points, w->trace.end + 1);
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

/* The trap of a mark is the processor's. */
static bool is_at_mark(pid_t pid)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, pid, 0, &info) &&
	       info.si_code == SI_KERNEL;
}

bool walk_on(pid_t pid)
{
	return resume(pid, PTRACE_SINGLESTEP) && !is_at_mark(pid);
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

/* A mark that nobody sees is deadly. */
bool walk_out(pid_t pid)
{
	if (!is_at_mark(pid) && (!resume(pid, PTRACE_CONT) || !is_at_mark(pid)))
		return false;
	trace_let_go(pid);
	return true;
}
