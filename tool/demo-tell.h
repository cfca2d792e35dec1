/* SPDX-License-Identifier: MIT */
/*
 * demo-tell - what a demonstration tells: while it runs, below its picture, or row by
 * row where there is none; and at the end what was seen.
 */
#ifndef TOOL_DEMO_TELL_H
#define TOOL_DEMO_TELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tool/screen.h"

enum { TALE_WIDTH = 76, TALE_CAPTIONS = 6, TALE_NEWS = 5 };

/* There is one in a program.  Times are nanoseconds of any clock. */
extern struct tale {
	uint64_t began, now; /* the demonstration's to set */
	uint64_t drawn;
	unsigned wrong; /* so much was not as it should be */
} tale;

/* --- while it runs --------------------------------------------------------------- */

/* Shown below the picture until there is something newer. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shown to the end. */
void announce(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Something that should not be: announced, and counted as wrong. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* So many rows of each, for the picture. */
void tale_draw_news(FILE *out, const struct screen *screen, size_t rows);
void tale_draw_captions(FILE *out, const struct screen *screen, size_t rows);

/* Draws the picture, if there is a terminal and the last picture is not quite new. */
void tale_show(void (*draw)(FILE *out, const struct screen *screen));
/* The last picture, which stays. */
void tale_show_end(void (*draw)(FILE *out, const struct screen *screen));

/* Sleeps; if a signal comes that ends us, cleans up and dies of it. */
void tale_wait(long milliseconds, void (*clean_up)(void));

/* --- at the end ------------------------------------------------------------------ */

/* A row of what was seen, and whether that is as it should be. */
void conclude(bool good, const char *what, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What the processes wrote: at most so many rows. */
void print_log(const char *path, size_t rows);

/* What to type next. */
void print_hint(const char *program, const char *arguments, const char *what);

#endif
