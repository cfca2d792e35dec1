/* SPDX-License-Identifier: MIT */
/*
 * screen - standard output, a terminal or not, and pictures that replace each
 * other on it.
 *
 * After screen_begin, signals that would end or stop the program arrive only in
 * screen_wait: so there is always a moment to leave the terminal as it was.
 */
#ifndef WICKET_SCREEN_H
#define WICKET_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct screen {
	bool is_terminal; /* one that obeys escapes */
	bool has_colour;
	size_t columns; /* 0: as many as it takes */
	size_t rows;
};

/* As it is now; its size may change. */
struct screen screen_measure(void);

/* Signals that are ignored stay so. */
void screen_begin(void);

/* Sleeps; a signal that came meanwhile, or 0.  Being stopped is dealt with. */
int screen_wait(long milliseconds);

/* Dies of a signal that screen_wait returned. */
void screen_die(int signal);

/* A picture takes the place of the one before, and is cut to what fits; if it is
   no terminal it follows it. */
void screen_show(const struct screen *screen, const char *picture);

/* The last one stays; the cursor comes back. */
void screen_leave(void);

/* Says so if something could not be written: 0 or the exit code. */
int screen_flush(void);

#endif
