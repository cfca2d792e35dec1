/* SPDX-License-Identifier: MIT */
#include "tool/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tool/tool.h"

#define HOME	    "\033[H"
#define CLEAR_LINE  "\033[K"
#define CLEAR_BELOW "\033[J"
/* and cut rows at the margin, whatever was counted wrong */
#define HIDE_CURSOR "\033[?25l\033[?7l"
#define SHOW_CURSOR "\033[?25h\033[?7h"

/* --- what it is ------------------------------------------------------------------ */

static size_t number_of(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	unsigned long number;

	if (!text || *text < '0' || *text > '9')
		return 0;
	number = strtoul(text, &end, 10);
	return *end || number > 10000 ? 0 : number;
}

/* A terminal that knows no escapes is one to which pictures are only added. */
static bool obeys_escapes(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb");
}

static bool may_have_colour(void)
{
	const char *refused = getenv("NO_COLOR");

	return !(refused && *refused);
}

struct screen screen_measure(void)
{
	struct screen s = { .is_terminal = obeys_escapes() };
	struct winsize size;

	s.columns = number_of("COLUMNS");
	if (!isatty(STDOUT_FILENO))
		return s;
	s.has_colour = s.is_terminal && may_have_colour();
	s.rows = number_of("LINES");
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) {
		s.columns = size.ws_col ? size.ws_col : s.columns;
		s.rows = size.ws_row ? size.ws_row : s.rows;
	}
	s.columns = s.columns ? s.columns : 80;
	s.rows = s.rows > 2 ? s.rows : 24;
	return s;
}

/* --- signals ------------------------------------------------------------------------ */

static sigset_t caught;

static bool is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) &&
	       action.sa_handler == SIG_IGN;
}

void screen_begin(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGTSTP };

	sigemptyset(&caught);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (!is_ignored(signals[i]))
			sigaddset(&caught, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &caught, NULL);
}

static void take_default_action(int signal)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, signal);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
}

void screen_leave(void)
{
	if (obeys_escapes())
		fputs(SHOW_CURSOR, stdout);
	fflush(stdout);
}

int screen_wait(long milliseconds)
{
	struct timespec time = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000 };
	int signal = sigtimedwait(&caught, NULL, &time);

	if (signal == SIGTSTP) {
		screen_leave();
		take_default_action(signal);
		signal = 0;
	}
	return signal > 0 ? signal : 0;
}

void screen_die(int signal)
{
	take_default_action(signal);
	_exit(128 + signal); /* not reached: it was not ignored */
}

/* --- pictures ------------------------------------------------------------------------- */

static size_t rows_of(const char *picture)
{
	size_t rows = 0;

	for (; *picture; picture++)
		rows += *picture == '\n';
	return rows;
}

static void show_row(const char *row, size_t length)
{
	fwrite(row, 1, length, stdout);
	fputs(CLEAR_LINE "\n", stdout);
}

void screen_show(const struct screen *screen, const char *picture)
{
	size_t rows = rows_of(picture), room = screen->rows - 1;
	size_t shown = rows <= room ? rows : room - 1;

	if (!screen->is_terminal) {
		fputs(picture, stdout);
		fflush(stdout);
		return;
	}
	fputs(HIDE_CURSOR HOME, stdout);
	for (size_t i = 0; i < shown; i++) {
		size_t length = strcspn(picture, "\n");

		show_row(picture, length);
		picture += length + 1;
	}
	if (shown < rows)
		printf("... %zu more" CLEAR_LINE "\n", rows - shown);
	fputs(CLEAR_BELOW, stdout);
	fflush(stdout);
}

int screen_flush(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	say("cannot write to standard output: %s", strerror(errno));
	return EX_IOERR;
}
