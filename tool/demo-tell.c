/* SPDX-License-Identifier: MIT */
#include "tool/demo-tell.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool/picture.h"

#define REDRAW (100 * UINT64_C(1000000)) /* nanoseconds */

struct tale tale;

static char captions[TALE_CAPTIONS][TALE_WIDTH + 1];
static char news[TALE_NEWS][TALE_WIDTH + 1];
static size_t captioned, announced;

/* --- while it runs --------------------------------------------------------------- */

/* Where there is no picture to show it in, it is printed. */
static void write_row(char row[TALE_WIDTH + 1], const char *format,
		      va_list args)
{
	double seconds = (double)(tale.now - tale.began) / 1e9;
	int length = snprintf(row, TALE_WIDTH + 1, "%5.2f s  ", seconds);

	vsnprintf(row + length, (size_t)(TALE_WIDTH + 1 - length), format,
		  args);
	if (!screen_measure().is_terminal) {
		puts(row);
		fflush(stdout);
	}
}

void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_row(captions[captioned++ % TALE_CAPTIONS], format, args);
	va_end(args);
}

void announce(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_row(news[announced++ % TALE_NEWS], format, args);
	va_end(args);
}

void complain(const char *format, ...)
{
	char text[TALE_WIDTH];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tale.wrong++;
	announce("WRONG: %s", text);
}

void tale_draw_news(FILE *out, const struct screen *screen, size_t rows)
{
	size_t first = announced > rows ? announced - rows : 0;

	for (size_t i = first; i < first + rows; i++)
		picture_row(out, screen, "%s",
			    i < announced ? news[i % TALE_NEWS] : "");
}

void tale_draw_captions(FILE *out, const struct screen *screen, size_t rows)
{
	size_t first = captioned > rows ? captioned - rows : 0;

	for (size_t i = first; i < captioned; i++)
		picture_row(out, screen, "%s", captions[i % TALE_CAPTIONS]);
}

void tale_show(void (*draw)(FILE *out, const struct screen *screen))
{
	struct screen screen = screen_measure();
	size_t size;
	char *text;
	FILE *out;

	if (!screen.is_terminal || tale.now - tale.drawn < REDRAW)
		return;
	tale.drawn = tale.now;
	out = open_memstream(&text, &size);
	if (!out)
		return;
	draw(out, &screen);
	fclose(out);
	screen_show(&screen, text);
	free(text);
}

void tale_show_end(void (*draw)(FILE *out, const struct screen *screen))
{
	tale.drawn = 0;
	tale_show(draw);
	screen_leave();
}

void tale_wait(long milliseconds, void (*clean_up)(void))
{
	int signal = screen_wait(milliseconds);

	if (signal) {
		clean_up();
		screen_die(signal);
	}
}

/* --- at the end ------------------------------------------------------------------ */

void conclude(bool good, const char *what, const char *format, ...)
{
	va_list args;

	tale.wrong += !good;
	printf("  %-20s ", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	puts(good ? "" : "   <-- WRONG");
}

void print_log(const char *path, size_t rows)
{
	FILE *log = fopen(path, "r");
	char row[256];

	while (log && rows-- && fgets(row, sizeof(row), log))
		printf("  | %s%s", row, strchr(row, '\n') ? "" : "\n");
	if (log)
		fclose(log);
}

void print_hint(const char *program, const char *arguments, const char *what)
{
	printf("  %s %-*s%s\n", program,
	       (int)(TALE_WIDTH / 2 + 10 - strlen(program)), arguments, what);
}
