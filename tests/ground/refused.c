/* SPDX-License-Identifier: MIT */
/*
 * refused - system calls that a sandbox refuses.  Without futex_waitv, whatever
 * it says instead, a waiter sleeps and gets in all the same.  Where the kernel
 * will not tell of a death, or a lock cannot be had, wicket_open says that it
 * cannot work here, and nobody has a slot that could be lost.
 */
#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- futex_waitv ---------------------------------------------------------- */

enum { LOOKS = 20, BETWEEN_LOOKS = 5000000 /* nanoseconds */ };

struct sleeper {
	pid_t pid;
	struct wicket *view;
};

static int enters(void *arg)
{
	struct wicket *line = open_line(0);
	struct timespec deadline = limit();
	int error = refuse(SYS_futex_waitv, ANY, *(int *)arg);

	if (!error)
		error = wicket_acquire_until(line, &deadline, 0);
	if (error)
		note("waited in vain: %s", strerror(-error));
	return error || wicket_close(line);
}

static char state_of(pid_t pid)
{
	char path[32], text[256] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	end = f && fgets(text, sizeof(text), f) ? strrchr(text, ')') : 0;
	if (f)
		fclose(f);
	return end ? end[2] : '?';
}

/* In line, and asleep whenever it is looked at: one that spins is so for the first
   2 ms at most.  One that polls may be caught awake, and is looked at again. */
static bool is_asleep(void *arg)
{
	const struct sleeper *s = arg;
	int looks = look(s->view).waiting ? LOOKS : 0;

	while (looks > 0 && state_of(s->pid) == 'S') {
		nap(BETWEEN_LOOKS);
		if (!--looks)
			return true;
	}
	return false;
}

static void without_waitv(int error, bool killed)
{
	struct cue *cue = new_cue();
	struct sleeper waiter;
	pid_t holder;
	bool sleeps;

	new_line(1, 0);
	holder = start_holder(cue);
	waiter.view = open_line(WICKET_VIEW);
	waiter.pid = spawn(enters, &error);
	sleeps = eventually(is_asleep, &waiter);
	wicket_close(waiter.view);
	if (killed)
		end(holder);
	else
		cue->go = 1;
	ok(ends_well(waiter.pid) && sleeps && (killed || ends_well(holder)) &&
		   all_are_back(1),
	   "futex_waitv: %s, the holder %s", strerrorname_np(error),
	   killed ? "is killed" : "leaves");
}

/* --- set_robust_list ------------------------------------------------------ */

enum { NOT_HERE = 3 };

static const char *where;

/* Either it cannot be opened; or it is held, and stops to show it. */
static int hold_or_refuse(void)
{
	struct wicket *line;
	int error = wicket_open(&line, where, 0);

	if (error == -ENOTSUP)
		return NOT_HERE;
	if (!error)
		error = wicket_acquire(line, 0);
	if (!error)
		return raise(SIGSTOP);
	note("refused: %s", strerror(-error));
	return 1;
}

/* The call is made when a program starts, ... */
static int in_a_program(struct cue *cue)
{
	(void)cue;
	execl("/proc/self/exe", "refused", "--hold", where, (char *)0);
	return 1;
}

/* ... in a child that is forked; ours is, once its parent is gone; ... */
static int in_a_fork(struct cue *cue)
{
	pid_t pid = fork();

	if (pid) {
		cue->other = pid;
		return pid < 0;
	}
	while (!is_adopted())
		nap(100000);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return hold_or_refuse();
}

static void *thread_body(void *result)
{
	*(int *)result = hold_or_refuse();
	return 0;
}

/* ... and in a thread, which is as good as dead when it has returned. */
static int in_a_thread(struct cue *cue)
{
	pthread_t thread;
	int result;

	(void)cue;
	if (pthread_create(&thread, 0, thread_body, &result) ||
	    pthread_join(thread, 0))
		return 1;
	while (!result)
		pause();
	return result;
}

struct sandbox {
	const char *name;
	int (*inside)(struct cue *);
	int error;
	struct cue *cue;
};

static int in_sandbox(void *arg)
{
	struct sandbox *box = arg;

	return refuse(SYS_set_robust_list, ANY, box->error) ?
		       1 :
		       box->inside(box->cue);
}

/* Of the victim: it is killed, or its thread returns. */
static bool is_noticed(struct sandbox *box, pid_t victim)
{
	pid_t waiter = start_waiter();
	bool noticed;

	if (box->inside == in_a_thread)
		kill(victim, SIGCONT);
	else
		end(victim);
	noticed = ends_well(waiter);
	if (box->inside == in_a_thread)
		end(victim);
	return noticed;
}

static void without_robust(struct sandbox box)
{
	const char *how = "it cannot be opened";
	int status;
	bool good;
	pid_t victim;

	box.cue = new_cue();
	new_line(1, 0);
	victim = spawn(in_sandbox, &box);
	if (box.inside == in_a_fork)
		victim = ends_well(victim) ? box.cue->other : victim;
	if (stops(victim, &status)) {
		how = "a death is noticed";
		good = is_noticed(&box, victim);
	} else {
		good = WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE;
	}
	ok(good && all_are_back(1), "set_robust_list: %s in %s: %s",
	   strerrorname_np(box.error), box.name, how);
}

/* --- F_OFD_SETLK ---------------------------------------------------------- */

static int cannot_open(void *arg)
{
	struct wicket_options options = { .slots = 1, .flags = WICKET_CREATE };
	struct wicket *line;
	int error = refuse(SYS_fcntl, F_OFD_SETLK, *(int *)arg);

	if (error)
		return 1;
	error = wicket_open(&line, where, &options);
	if (error != -ENOTSUP)
		note("open: %s", error ? strerror(-error) : "as always");
	return error != -ENOTSUP;
}

static void without_locks(const char *what)
{
	int error = EINVAL;

	ok(ends_well(spawn(cannot_open, &error)),
	   "F_OFD_SETLK: EINVAL: %s cannot be opened", what);
}

static void refuse_all(void)
{
	static const int errors[] = { EPERM, EACCES, EINVAL, ENOSYS, EFAULT };
	static const struct sandbox boxes[] = {
		{ "a program", in_a_program, ENOSYS, 0 },
		{ "a program", in_a_program, EPERM, 0 },
		{ "a fork", in_a_fork, ENOSYS, 0 },
		{ "a fork", in_a_fork, EPERM, 0 },
		{ "a thread", in_a_thread, ENOSYS, 0 },
		{ "a thread", in_a_thread, EPERM, 0 },
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		without_waitv(errors[i], false);
		without_waitv(errors[i], true);
	}
	for (size_t i = 0; i < sizeof(boxes) / sizeof(*boxes); i++)
		without_robust(boxes[i]);
	new_line(1, 0);
	without_locks("a line");
	unlink(where);
	without_locks("a new line");
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--hold")) {
		where = argv[2];
		return hold_or_refuse();
	}
	if (!can_refuse())
		return skip_all("no seccomp");
	where = line_path();
	adopt();
	refuse_all();
	return finish();
}
