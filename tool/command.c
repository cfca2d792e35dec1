/* SPDX-License-Identifier: MIT */
/*
 * A signal must have the same effect on the command as if the command had been
 * started without us, whenever it arrives:
 *
 * before   there is a child, it has its default effect on us;
 * while    the child has not called exec, it has its default effect on the child.
 *          vfork shares memory, so we know which signal it was, and it suspends us
 *          until exec.  Signals pending before vfork are delivered to us first;
 *          later ones sent to the group reach both processes;
 * after    exec, it is passed on if a process sent it to us.  A signal from the
 *          terminal has already reached the command, which is in the same group.
 */
#include "tool/command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/damage.h"
#include "tool/tool.h"

enum {
	ENDED = -1, /* no child any more: signals come too late */
	CANNOT_EXECUTE = 126,
	NOT_FOUND = 127,
	KILLED = 128,
};

static const int passed_on[] = { SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGUSR1,
				 SIGUSR2, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU };

enum { PASSED_ON = sizeof(passed_on) / sizeof(*passed_on) };

/* Shared by the signal handler, by us, and by the child until it calls exec. */
static pid_t wrapper;
static volatile pid_t child; /* 0: not born yet */
static volatile sig_atomic_t exec_error, stop_owed, continued, interrupted,
	suspended;

/* --- signals ----------------------------------------------------------------- */

static bool is_init(void)
{
	return getpid() == 1;
}

static bool is_stop_of_job(int sig)
{
	return sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* Returns only if the process goes on: after a stop, when it is continued.  Otherwise
   a child that shares our memory would leave behind what the address sanitizer notes
   of its stack, and our own handler would run into that. */
__attribute__((no_sanitize_address)) static void take_default(int sig)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL }, before;
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, sig);
	sigaction(sig, &by_default, &before);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	kill(getpid(), sig);
	if (is_init() && !is_stop_of_job(sig) && sig != SIGCONT)
		_exit(KILLED + sig);
	sigaction(sig, &before, NULL);
}

/* We cannot run until the child calls exec, so we could not follow a stop.  A stop
   is delayed until then. */
static void handle_in_child(int sig)
{
	if (is_stop_of_job(sig))
		stop_owed = sig;
	else if (sig == SIGCONT)
		stop_owed = 0;
	else
		take_default(sig);
}

/* When a terminal hangs up, only the session leader gets the signal. */
static bool has_reached_child(int sig, int code)
{
	if (sig != SIGHUP && sig != SIGCONT)
		return code == SI_KERNEL;
	return code == SI_KERNEL && getsid(0) != wrapper;
}

static void handle_in_wrapper(int sig, int code)
{
	if (sig == SIGCONT) {
		continued = 1;
		suspended = 0;
	}
	if (sig == SIGTSTP && code == SI_KERNEL)
		suspended = 1;
	if (sig == SIGINT && code == SI_KERNEL)
		interrupted = 1;
	if (!has_reached_child(sig, code))
		kill(child, sig);
}

static void handle(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (getpid() != wrapper)
		handle_in_child(sig);
	else if (child > 0)
		handle_in_wrapper(sig, info->si_code);
	else if (child != ENDED || is_stop_of_job(sig))
		take_default(sig);
	errno = saved;
}

/* Signals that are ignored stay ignored, here and in the command. */
static void install_handlers(sigset_t *all)
{
	struct sigaction ours = { .sa_sigaction = handle,
				  .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction before;

	wrapper = getpid();
	sigemptyset(all);
	for (int i = 0; i < PASSED_ON; i++)
		sigaddset(all, passed_on[i]);
	ours.sa_mask = *all;
	for (int i = 0; i < PASSED_ON; i++) {
		sigaction(passed_on[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &ours, NULL);
	}
}

/* --- the first process of a namespace --------------------------------------------- */

/* How many of passed_on end a process by default: the first ones. */
enum { ENDING = 6 };

/* The dispositions with which the first process of a namespace was started. */
static struct sigaction inherited[ENDING];

/* A shell makes its background jobs ignore signals from the terminal.  A signal that
   a process sends ends us nevertheless: within the namespace there is no other way,
   not even SIGKILL. */
static void end_init(int sig, siginfo_t *info, void *context)
{
	(void)context;
	for (int i = 0; i < ENDING; i++) {
		if (passed_on[i] == sig && info->si_code == SI_KERNEL &&
		    inherited[i].sa_handler == SIG_IGN)
			return;
	}
	_exit(KILLED + sig);
}

void act_as_init(void)
{
	const struct sigaction ends = { .sa_sigaction = end_init,
					.sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction reaps;

	if (!is_init())
		return;
	for (int i = 0; i < ENDING; i++)
		sigaction(passed_on[i], &ends, &inherited[i]);
	sigaction(SIGCHLD, NULL, &reaps);
	reaps.sa_flags |= SA_NOCLDWAIT;
	sigaction(SIGCHLD, &reaps, NULL);
}

/* Signals are blocked meanwhile: the default action would be to ignore them. */
static void act_as_before(void)
{
	for (int i = 0; is_init() && i < ENDING; i++)
		sigaction(passed_on[i], &inherited[i], NULL);
}

/* --- the command --------------------------------------------------------------- */

struct spawn {
	char **argv;
	struct line *line;
	struct sigaction on_child; /* what is done about SIGCHLD */
};

static _Noreturn void become_command(const struct spawn *s)
{
	exec_error = s->line->kind->prepare(s->line);
	if (exec_error)
		_exit(NOT_FOUND);
	if (s->on_child.sa_handler == SIG_IGN)
		sigaction(SIGCHLD, &s->on_child, NULL);
	execvp(s->argv[0], s->argv);
	exec_error = errno;
	_exit(NOT_FOUND);
}

static pid_t start(const struct spawn *s)
{
	pid_t pid = vfork();

	if (!pid) {
		child = getpid();
		become_command(s);
	}
	return pid;
}

/* The signal with which to stop ourselves, or 0.  A command may answer ^Z by sending
   SIGSTOP to itself.  The shell need not know of any other SIGSTOP. */
static int stop_of_job(int sig)
{
	if (sig == SIGSTOP && suspended)
		return SIGTSTP;
	return is_stop_of_job(sig) ? sig : 0;
}

/* Consumes the notification of the stop. */
static bool is_still_stopped(pid_t pid)
{
	siginfo_t stop = { 0 };

	return !waitid(P_PID, (id_t)pid, &stop, WSTOPPED | WNOHANG) &&
	       stop.si_pid;
}

/* A SIGCONT that arrives before we have stopped would be lost.  So the stop signal is
   kept pending, where SIGCONT cancels it, until we know that none came earlier, to
   us or to the child alone. */
static bool stop_with(pid_t pid, int sig)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;
	sigset_t only;
	bool stops;

	continued = 0;
	sigemptyset(&only);
	sigaddset(&only, sig);
	sigprocmask(SIG_BLOCK, &only, NULL);
	kill(getpid(), sig);
	stops = is_still_stopped(pid) && !continued;
	if (!stops)
		action.sa_handler = SIG_IGN; /* discards a pending one */
	sigaction(sig, &action, &before);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigaction(sig, &before, NULL);
	return stops;
}

/* If the terminal stopped the child, we stop too: the shell watches us. */
static void follow_stop(pid_t pid, int sig)
{
	if (!stop_of_job(sig) || is_init()) /* which cannot stop */
		is_still_stopped(pid);
	else if (stop_with(pid, stop_of_job(sig)) && !continued)
		kill(pid, SIGCONT);
}

/* Consumes the notification of a child that is not the command. */
static void take_away(struct line *line, pid_t pid, siginfo_t news)
{
	siginfo_t same;

	waitid(P_PID, (id_t)news.si_pid, &same, WEXITED | WSTOPPED | WNOHANG);
	if (line->kind->attend)
		line->kind->attend(line, pid, &news);
}

/* Does not reap it: its pid is not reused until then. */
static siginfo_t wait_for_end(struct line *line, pid_t pid)
{
	const idtype_t whose = is_init() || line->kind->attend ? P_ALL : P_PID;

	for (;;) {
		siginfo_t end = { 0 };

		if (waitid(whose, (id_t)pid, &end,
			   WEXITED | WSTOPPED | WNOWAIT))
			continue;
		if (end.si_pid != pid)
			take_away(line, pid, end);
		else if (end.si_code != CLD_STOPPED)
			return end;
		else
			follow_stop(pid, end.si_status);
	}
}

static void reap(pid_t pid)
{
	siginfo_t end;

	child = ENDED;
	waitid(P_PID, (id_t)pid, &end, WEXITED);
}

static int say_exec_error(const char *command)
{
	say("cannot run %s: %s", *command ? command : "''",
	    strerror(exec_error));
	return exec_error == ENOENT ? NOT_FOUND : CANNOT_EXECUTE;
}

static int code_of(const siginfo_t *end)
{
	return end->si_code == CLD_EXITED ? end->si_status :
					    KILLED + end->si_status;
}

/* --- the line, as long as there is a command ------------------------------------ */

struct tenant {
	struct line *line;
	const char *command;
	pid_t pid;
	int code; /* 0: that of the command */
};

static void leave(void *arg)
{
	struct tenant *t = arg;

	t->code = t->line->kind->leave(t->line, t->pid, t->command);
	reap(t->pid);
	t->line->kind->close(t->line);
}

static siginfo_t stay(struct tenant *t)
{
	siginfo_t end = wait_for_end(t->line, t->pid);

	damage_survives(leave, t, t->pid);
	if (child != ENDED)
		reap(t->pid);
	return end;
}

int run_command(struct line *line, char **argv)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	struct spawn s = { .argv = argv, .line = line };
	struct tenant t = { .line = line, .command = argv[0] };
	sigset_t all, mask;
	siginfo_t end;

	sigaction(SIGCHLD, &by_default, &s.on_child);
	line->kind->begin(line, argv[0]);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	act_as_before();
	install_handlers(&all);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	t.pid = start(&s);
	if (t.pid < 0)
		fail(EX_OSERR, "cannot start a process for %s: %s", argv[0],
		     strerror(errno));
	child = t.pid;
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	if (stop_owed)
		kill(t.pid, stop_owed);
	end = stay(&t);
	if (exec_error)
		return say_exec_error(argv[0]);
	if (t.code)
		return t.code;
	if (interrupted && end.si_code != CLD_EXITED && end.si_status == SIGINT)
		take_default(SIGINT);
	return code_of(&end);
}
