/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include "actor.h"

#include <inttypes.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	LOST_AFTER = 20,  /* seconds without a stop, */
	ASLEEP_AFTER = 3, /* or asleep: it is tried again */
};

static void interrupt(int signal)
{
	(void)signal;
}

/* A signal every second, so that one that comes before the wait does no harm. */
static void tick(time_t seconds)
{
	struct sigaction interrupts = { .sa_handler = interrupt };
	struct itimerval every = { { seconds, 0 }, { seconds, 0 } };

	sigaction(SIGALRM, &interrupts, 0);
	setitimer(ITIMER_REAL, &every, 0);
}

/* Until it stops; if it ends instead, that is left for actor_kill to see. */
static enum trace_way wait_for(pid_t pid)
{
	siginfo_t info = { 0 };
	int waited = 0, asleep = 0;

	tick(1);
	while (waitid(P_PID, (id_t)pid, &info,
		      WSTOPPED | WEXITED | WNOWAIT | __WALL) &&
	       waited++ < LOST_AFTER && asleep < ASLEEP_AFTER)
		asleep = actor_rests(pid) ? asleep + 1 : 0;
	tick(0);
	if (info.si_code != CLD_TRAPPED || info.si_status != SIGTRAP)
		return TRACE_LOST;
	waitpid(pid, 0, __WALL);
	return TRACE_THERE;
}

static enum trace_way resume(pid_t pid, enum __ptrace_request how)
{
	return ptrace(how, pid, 0, 0) ? TRACE_LOST : wait_for(pid);
}

/* Past a mark? */
static bool is_marked(pid_t pid)
{
	siginfo_t info;

	return !ptrace(PTRACE_GETSIGINFO, pid, 0, &info) &&
	       info.si_code == SI_KERNEL;
}

static uint64_t position(pid_t pid)
{
	return (uint64_t)ptrace(PTRACE_PEEKUSER, pid,
				offsetof(struct user, regs.rip), 0);
}

/* Runs to an instruction, by a breakpoint of the processor's; false: it has
   none. */
static bool run_to(pid_t pid, uint64_t address, enum trace_way *way)
{
	const size_t where = offsetof(struct user, u_debugreg[0]);
	const size_t control = offsetof(struct user, u_debugreg[7]);

	if (ptrace(PTRACE_POKEUSER, pid, where, address) ||
	    ptrace(PTRACE_POKEUSER, pid, control, 1))
		return false;
	*way = resume(pid, PTRACE_CONT);
	ptrace(PTRACE_POKEUSER, pid, control, 0);
	return true;
}

/*
 * The clock, as one instruction: it reads and returns, and so leaves nothing behind
 * wherever it is killed, but it tries again if the kernel changes the time meanwhile,
 * which it does on and on while it is stepped through.  Recorded, such a way would
 * never be found again.  False: no breakpoint is to be had.
 */
static bool pass_clock(pid_t pid, enum trace_way *way)
{
	struct user_regs_struct regs;

	return !ptrace(PTRACE_GETREGS, pid, 0, &regs) &&
	       run_to(pid, (uint64_t)ptrace(PTRACE_PEEKTEXT, pid, regs.rsp, 0),
		      way);
}

/* One instruction, however often it repeats itself (rep). */
static enum trace_way step(pid_t pid)
{
	uint64_t at = position(pid);
	enum trace_way way;

	if (at == (uintptr_t)clock_gettime && pass_clock(pid, &way))
		return way;
	do
		way = resume(pid, PTRACE_SINGLESTEP);
	while (way == TRACE_THERE && position(pid) == at);
	return way == TRACE_THERE && is_marked(pid) ? TRACE_ASTRAY : way;
}

bool trace_works(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void trace_me(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
}

enum trace_way trace_start(pid_t pid)
{
	enum trace_way way = wait_for(pid);

	if (way == TRACE_THERE)
		ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_EXITKILL);
	return way;
}

void trace_let_go(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, 0, 0);
}

/* --- what it would leave ----------------------------------------------------------- */

/*
 * What the others and the kernel find when a process is killed: its shared memory, its
 * robust list, and what it asked of the kernel.  An instruction that is no system call
 * and changes neither of the first two leaves nothing new.
 */
enum { SHARED_MAX = 4, ROBUST_MAX = 64 };

struct left {
	uint64_t start[SHARED_MAX], size[SHARED_MAX];
	uint32_t shared;
	uint64_t sum;
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
	return (sum ^ word) * 0x100000001b3u + (sum >> 29);
}

static uint64_t word_at(pid_t pid, uint64_t address)
{
	return (uint64_t)ptrace(PTRACE_PEEKDATA, pid, address, 0);
}

/* The kernel alone changes these. */
static void find_shared(pid_t pid, struct left *left)
{
	char path[32], text[512], how[5];
	uint64_t start, end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	left->shared = 0;
	f = fopen(path, "re");
	while (f && left->shared < SHARED_MAX && fgets(text, sizeof(text), f)) {
		if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s", &start, &end,
			   how) != 3 ||
		    strcmp(how, "rw-s") != 0)
			continue;
		left->start[left->shared] = start;
		left->size[left->shared++] = end - start;
	}
	if (f)
		fclose(f);
}

static uint64_t sum_of_memory(pid_t pid, uint64_t sum, uint64_t start,
			      uint64_t size)
{
	static uint64_t words[1 << 14];

	for (uint64_t at = 0; at < size; at += sizeof(words)) {
		uint64_t some = size - at < sizeof(words) ? size - at :
							    sizeof(words);
		struct iovec here = { words, some };
		struct iovec there = { (void *)(start + at), some };
		ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);

		for (ssize_t i = 0; i < got / 8; i++)
			sum = mix(sum, words[i]);
	}
	return sum;
}

static uint64_t sum_of_robust_list(pid_t pid, uint64_t sum)
{
	struct robust_list_head *head;
	uint64_t node;
	size_t size;

	if (syscall(SYS_get_robust_list, pid, &head, &size))
		return sum;
	node = (uint64_t)head;
	for (int i = 0; i < ROBUST_MAX; i++) {
		node = word_at(pid, node & ~1ULL);
		sum = mix(sum, node);
		if ((node & ~1ULL) == (uint64_t)head)
			break;
	}
	return mix(sum, word_at(pid, (uint64_t)&head->list_op_pending));
}

static void look_at_left(pid_t pid, struct left *left)
{
	left->sum = sum_of_robust_list(pid, 0);
	for (uint32_t i = 0; i < left->shared; i++)
		left->sum = sum_of_memory(pid, left->sum, left->start[i],
					  left->size[i]);
}

/* Did that step leave something new? */
static bool leaves_more(pid_t pid, struct left *left, bool called)
{
	uint64_t before = left->sum;

	if (called)
		find_shared(pid, left);
	look_at_left(pid, left);
	return called || left->shared == SHARED_MAX || left->sum != before;
}

/* --- events --------------------------------------------------------------------- */

/* syscall */
static bool is_call(uint64_t code)
{
	return (code & 0xffff) == 0x050f;
}

static enum trace_kind kind_of_next(pid_t pid)
{
	struct user_regs_struct regs;
	uint64_t code;

	if (ptrace(PTRACE_GETREGS, pid, 0, &regs))
		return TRACE_NONE;
	if (regs.rip == (uintptr_t)clock_gettime)
		return TRACE_CLOCK;
	code = word_at(pid, regs.rip);
	if ((code & 0xff) == 0xf0) /* lock */
		return TRACE_LOCKED;
	if (is_call(code) &&
	    (regs.rax == SYS_futex_waitv ||
	     (regs.rax == SYS_futex && regs.rsi == FUTEX_WAIT_BITSET)))
		return TRACE_SLEEP;
	return TRACE_NONE;
}

/* Is this it?  event counts down. */
static bool is_next(enum trace_kind kind, struct trace_event *event)
{
	return event->nth && kind == event->kind && !--event->nth;
}

/* Begins to sleep. */
static enum trace_way fall_asleep(pid_t pid)
{
	if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0))
		return TRACE_LOST;
	while (!actor_rests(pid))
		actor_nap();
	return TRACE_THERE;
}

static enum trace_way pass_event(pid_t pid, const struct trace *t)
{
	if (t->event.kind != TRACE_SLEEP)
		return t->happen() ? step(pid) : TRACE_LOST;
	if (fall_asleep(pid) != TRACE_THERE || !t->happen())
		return TRACE_LOST;
	return wait_for(pid);
}

enum trace_way trace_past(pid_t pid, struct trace_event event)
{
	enum trace_way way = TRACE_THERE;

	while (way == TRACE_THERE && !is_next(kind_of_next(pid), &event))
		way = step(pid);
	return way == TRACE_THERE ? step(pid) : way;
}

/* --- the way --------------------------------------------------------------------- */

static int32_t last_at(const struct trace *t, int32_t p)
{
	int32_t i = p - 1;

	while (i >= 0 && t->at[i] != t->at[p])
		i--;
	return i;
}

enum trace_way trace_record(pid_t pid, struct trace *t, int32_t from)
{
	struct trace_event event = { 0 };
	struct left left = { 0 };
	bool calls = true;
	enum trace_way way;

	if (!from) {
		event = t->event;
		t->event_at = t->lock_at = TRACE_MAX;
	}
	for (t->end = from; t->end < TRACE_MAX; t->end++) {
		enum trace_kind kind = kind_of_next(pid);

		t->at[t->end] = position(pid);
		t->last[t->end] = last_at(t, t->end);
		t->leaves[t->end] = leaves_more(pid, &left, calls);
		calls = is_call(word_at(pid, t->at[t->end]));
		if (kind == TRACE_LOCKED && t->lock_at == TRACE_MAX)
			t->lock_at = t->end;
		if (is_next(kind, &event)) {
			t->event_at = t->end;
			way = pass_event(pid, t);
		} else {
			way = step(pid);
		}
		if (way == TRACE_ASTRAY) /* the mark */
			return TRACE_THERE;
		if (way == TRACE_LOST)
			break;
	}
	return TRACE_LOST;
}

static bool sleeps(const struct trace *t)
{
	return t->event.kind == TRACE_SLEEP && t->event_at < TRACE_MAX;
}

int32_t trace_points(const struct trace *t)
{
	return t->end + 1 + sleeps(t);
}

/* From one point to another, no event between: to the farthest instruction that
   does not occur before, and so on. */
static enum trace_way run(pid_t pid, const struct trace *t, int32_t from,
			  int32_t to)
{
	enum trace_way way = TRACE_THERE;

	while (way == TRACE_THERE && from < to) {
		int32_t p = to;

		while (p > from + 1 && t->last[p] >= from)
			p--;
		if (p == from + 1 || !run_to(pid, t->at[p], &way)) {
			p = from + 1;
			way = step(pid);
		}
		if (way == TRACE_THERE && position(pid) != t->at[p])
			way = TRACE_ASTRAY;
		from = p;
	}
	return way;
}

enum trace_way trace_go(pid_t pid, const struct trace *t, int32_t p)
{
	enum trace_way way;

	if (p <= t->event_at)
		return run(pid, t, 0, p);
	way = run(pid, t, 0, t->event_at);
	if (way == TRACE_THERE && p > t->end)
		return fall_asleep(pid);
	if (way == TRACE_THERE)
		way = pass_event(pid, t);
	return way == TRACE_THERE ? run(pid, t, t->event_at + 1, p) : way;
}
