/* SPDX-License-Identifier: MIT */
#include "actor.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct actor actor_start(void (*part)(int fd, int which), int which)
{
	pid_t parent = getpid();
	struct actor a;
	int ends[2];

	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) ||
	    (a.pid = fork()) < 0) {
		perror("actor");
		exit(1);
	}
	if (!a.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent) /* it was killed before that */
			_exit(0);
		close(ends[0]);
		part(ends[1], which);
		_exit(0);
	}
	close(ends[1]);
	a.fd = ends[0];
	return a;
}

void actor_kill(struct actor *a)
{
	if (!a->pid)
		return;
	kill(a->pid, SIGKILL);
	waitpid(a->pid, 0, __WALL);
	close(a->fd);
	a->pid = 0;
}

void actor_say(int fd, const char *format, ...)
{
	char text[ACTOR_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	send(fd, text, strlen(text), MSG_NOSIGNAL);
}

void actor_hear(int fd, char text[ACTOR_TEXT], int seconds)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got = -1;

	if (poll(&p, 1, seconds < 0 ? -1 : seconds * 1000) == 1)
		got = recv(fd, text, ACTOR_TEXT - 1, 0);
	if (got > 0)
		text[got] = 0;
	else
		strcpy(text, got ? "nothing, for long" : "it is gone");
}

bool actor_rests(pid_t pid)
{
	char path[32], text[256] = "";
	const char *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return true;
	state = fgets(text, sizeof(text), f) ? strrchr(text, ')') : 0;
	fclose(f);
	return !state || strchr("StTZ", state[2]);
}

void actor_nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20000 }, 0);
}
