/* SPDX-License-Identifier: MIT */
/*
 * screen - standard output, a terminal or not, and pictures that replace each
 * other on it.
 *
 * After screen_begin, signals that would end or stop the program arrive only in
 * screen_wait, so the terminal can always be restored first.
 */
#ifndef TOOL_SCREEN_H
#define TOOL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct screen {
	bool is_terminal; /* one that obeys escapes */
	bool has_colour;
	size_t columns; /* 0: as many as it takes */
	size_t rows;
};

/* The screen as it is now; its size may change. */
struct screen screen_measure(void);

/* Signals that are ignored stay ignored. */
void screen_begin(void);

/* Sleeps; returns a signal that came meanwhile, or 0.  It handles being stopped. */
int screen_wait(long milliseconds);

/* Dies of a signal that screen_wait returned. */
void screen_die(int signal);

/* On a terminal a picture replaces the previous one, and is cut to what fits;
   elsewhere it follows it. */
void screen_show(const struct screen *screen, const char *picture);

/* The last picture stays; the cursor is shown again. */
void screen_leave(void);

/* Says so if something could not be written: 0 or the exit code. */
int screen_flush(void);

#endif
