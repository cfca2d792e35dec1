/* SPDX-License-Identifier: MIT */
#include "tool/damage.h"

#include <ctype.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

static char prefix[PATH_MAX + 16] = "wicket: ";
static sigjmp_buf way_out;
static volatile pid_t running; /* a command that must not be left behind */

/* Called in any thread, and stdio may be locked. */
static void write_text(const char *text)
{
	ssize_t done = write(STDERR_FILENO, text, strlen(text));

	(void)done;
}

static void write_pid(pid_t pid)
{
	char digits[16] = "";
	int i = (int)sizeof(digits) - 1;

	do {
		digits[--i] = (char)('0' + pid % 10);
		pid /= 10;
	} while (pid);
	write_text(digits + i);
}

/* A SIGBUS that a process sent has its default effect, once we return. */
static void handle(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code <= 0) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	write_text(prefix);
	write_text("its file was truncated while in use");
	if (running) {
		write_text("; its slot is no longer kept for pid ");
		write_pid(running);
		write_text("\n");
		siglongjmp(way_out, 1);
	}
	write_text("\n");
	_exit(EX_DATAERR);
}

void damage_heed(void)
{
	struct sigaction ours = { .sa_sigaction = handle,
				  .sa_flags = SA_SIGINFO };
	struct sigaction before;

	/* an ignored signal stays ignored in the command */
	if (!sigaction(SIGBUS, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGBUS, &ours, NULL);
}

void damage_name(const char *name)
{
	snprintf(prefix, sizeof(prefix), "wicket: %s: ", name);
	for (char *c = prefix; *c; c++)
		*c = iscntrl((unsigned char)*c) ? '?' : *c;
}

bool damage_survives(void (*touch)(void *arg), void *arg, pid_t command)
{
	bool survives = !sigsetjmp(way_out, 1);

	if (survives) {
		running = command;
		touch(arg);
	}
	running = 0;
	return survives;
}
