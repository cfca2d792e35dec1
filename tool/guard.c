/* SPDX-License-Identifier: MIT */
#include "tool/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	SECOND = 1000000000,
	/*
	 * SIGTERM comes a tenth of the time to live before SIGKILL.  The library's
	 * deadline is nine tenths after a keepalive was sent; the next one is sent after
	 * a third, and given up after two, and there is time for one more before eight
	 * tenths.  So one lost packet does not end a command.
	 */
	NOTICE = 10,
	GRACE = 10, /* seconds, at most, for the command of a wrapper that is gone */
};

/* The guard's descriptors, in place of the standard ones. */
enum { SOCKET, TIMER, COMMAND, DESCRIPTORS };

struct watch {
	const struct guard *of;
	int64_t kill_at; /* 0: it may run */
	bool has_command, is_alone, has_killed;
};

static int64_t nanoseconds(struct timespec t)
{
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return nanoseconds(t);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- in the guard ---------------------------------------------------------------- */

static void send_signal(int sig)
{
	syscall(SYS_pidfd_send_signal, COMMAND, sig, NULL, 0);
}

/* A stopped command is continued, as timeout(1) does it: it could not end otherwise. */
static void terminate(struct watch *w, int64_t kill_at)
{
	w->kill_at = kill_at;
	send_signal(SIGTERM);
	send_signal(SIGCONT);
}

static int64_t deadline_of(const struct watch *w)
{
	return nanoseconds(w->of->deadline(w->of->of));
}

static int64_t notice_of(const struct watch *w)
{
	return (int64_t)w->of->ttl * SECOND / NOTICE;
}

/* Decides once: a command that was told to end is not told otherwise. */
static void look_at_clock(struct watch *w)
{
	const int64_t grace = (int64_t)GRACE * SECOND;
	int64_t deadline = deadline_of(w), notice = notice_of(w);

	if (now() >= deadline - notice) {
		send(SOCKET, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
		terminate(w, deadline > 0 ? deadline : now());
	} else if (w->is_alone) {
		terminate(w, earlier(deadline, now() + earlier(notice, grace)));
	}
}

/* Takes over the descriptor of the command; if there is no more to come, the wrapper
   is gone. */
static void listen_to_wrapper(struct watch *w)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} room;
	char byte;
	struct iovec one = { &byte, 1 };
	struct msghdr message = { .msg_iov = &one,
				  .msg_iovlen = 1,
				  .msg_control = room.bytes,
				  .msg_controllen = sizeof(room) };
	const struct cmsghdr *header;
	int fd;

	if (recvmsg(SOCKET, &message, 0) <= 0) {
		w->is_alone = true;
		return;
	}
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	dup2(fd, COMMAND);
	close(fd);
	w->has_command = true;
}

/* The lease may end at any time, and not only by being forgotten: so it looks more
   often than at the deadline. */
static void set_timer(const struct watch *w)
{
	int64_t next = now() + notice_of(w) / 2;
	struct itimerspec when = { 0 };

	if (w->has_command)
		next = earlier(next, w->kill_at ?
					     w->kill_at :
					     deadline_of(w) - notice_of(w));
	if (next < 1)
		next = 1; /* 0 would be never */
	when.it_value = (struct timespec){ next / SECOND, next % SECOND };
	timerfd_settime(TIMER, TFD_TIMER_ABSTIME, &when, NULL);
}

static void wait_for_news(struct watch *w)
{
	struct pollfd fds[DESCRIPTORS] = {
		{ .fd = w->is_alone ? -1 : SOCKET, .events = POLLIN },
		{ .fd = w->has_killed ? -1 : TIMER, .events = POLLIN },
		{ .fd = w->has_command ? COMMAND : -1, .events = POLLIN },
	};

	set_timer(w);
	if (poll(fds, DESCRIPTORS, -1) < 0)
		return;
	if (fds[COMMAND].revents)
		w->has_command = false;
	else if (fds[SOCKET].revents)
		listen_to_wrapper(w);
}

/* A command that was told to end because of the deadline is not let go any more. */
static bool lets_go(const struct watch *w)
{
	return w->of->spares && w->is_alone && !w->kill_at;
}

/* It ends after the wrapper, and after the command unless it spares that: if it ended
   earlier, the wrapper would take it for killed. */
static _Noreturn void watch(const struct guard *g)
{
	struct watch w = { .of = g };

	while (w.has_command || !w.is_alone) {
		wait_for_news(&w);
		if (lets_go(&w))
			break;
		if (w.has_command && !w.kill_at)
			look_at_clock(&w);
		if (w.has_command && w.kill_at && now() >= w.kill_at) {
			send_signal(SIGKILL);
			w.has_killed = true;
		}
	}
	_exit(0);
}

/* Somebody has truncated the file with the deadline: there is none any more. */
static void end_at_once(int sig)
{
	(void)sig;
	send_signal(SIGKILL);
	_exit(EXIT_FAILURE);
}

/*
 * It closes everything: a pipe to which the command writes must end with the command,
 * and a connection with the wrapper.  What stays mapped is the file with the deadline.
 * By its lock the other processes of this host see that we live, and the mapping keeps
 * that, too: so nobody gets the slot of a wrapper that was killed before its command is
 * dead.  If the command is to be spared, the guard ends at once, and with it the lock.
 */
static _Noreturn void be_guard(const struct guard *g, int socket)
{
	const struct sigaction on_damage = { .sa_handler = end_at_once };
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigaction(SIGBUS, &on_damage, NULL);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "wicket-guard");
	dup2(socket, SOCKET);
	dup2(g->timer, TIMER);
	dup2(SOCKET, COMMAND); /* until there is one */
	syscall(SYS_close_range, DESCRIPTORS, ~0U, 0);
	watch(g);
}

/* --- in the wrapper ---------------------------------------------------------------- */

/* Are there the system calls that it needs? */
static int check_system(void)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	if (fd < 0)
		return -errno;
	close(fd);
	/* no descriptor has such a number */
	return syscall(SYS_close_range, ~0U, ~0U, 0) ? -errno : 0;
}

int guard_start(struct guard *g)
{
	int ends[2], error = check_system();

	if (error)
		return error;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	g->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
	g->pid = g->timer < 0 ? -1 : fork();
	if (!g->pid) {
		close(ends[0]);
		be_guard(g, ends[1]);
	}
	error = g->pid < 0 ? -errno : 0;
	close(ends[1]);
	if (g->timer >= 0)
		close(g->timer);
	if (error)
		close(ends[0]);
	g->socket = ends[0];
	return error;
}

int guard_send(const struct guard *g, pid_t pid)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} room = { 0 };
	char byte = 0;
	struct iovec one = { &byte, 1 };
	struct msghdr message = { .msg_iov = &one,
				  .msg_iovlen = 1,
				  .msg_control = room.bytes,
				  .msg_controllen = sizeof(room) };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int error = 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0)
		return errno;
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	if (sendmsg(g->socket, &message, MSG_NOSIGNAL) < 0)
		error = errno;
	close(fd);
	return error;
}

bool guard_has_struck(struct guard *g)
{
	char byte;

	if (recv(g->socket, &byte, 1, MSG_DONTWAIT) == 1)
		g->has_struck = true;
	return g->has_struck;
}

int guard_replace(struct guard *g, pid_t command)
{
	int error;

	guard_has_struck(g);
	close(g->socket);
	error = guard_start(g);
	return error ? error : -guard_send(g, command);
}

void guard_end(struct guard *g)
{
	siginfo_t end;

	kill(g->pid, SIGKILL);
	waitid(P_PID, (id_t)g->pid, &end, WEXITED);
	close(g->socket);
}
