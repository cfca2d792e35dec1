/* SPDX-License-Identifier: MIT */
/* wicket status: which processes hold and wait, and for how long. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/json.h"
#include "tool/picture.h"
#include "tool/tool.h"
#include "tool/users.h"

enum {
	REDRAW = 500, /* milliseconds between pictures on a terminal */
	LOOK = 50,    /* between looks for a change, elsewhere */
};

struct request {
	const char *name; /* null: all lines */
	bool json, watch;
};

enum { NO_SUCH_LINE = -1 };

/* Returns 0, NO_SUCH_LINE, or the exit code after an error message. */
static int take_line(const char *name, struct snapshots *now)
{
	int error;

	now->lines = calloc(1, sizeof(*now->lines));
	if (!now->lines)
		fail(EX_OSERR, "out of memory");
	now->count = 1;
	error = snapshot_take(now->lines, name);
	return error == -ENOENT ? NO_SUCH_LINE :
	       error		? say_error(name, error) :
				  0;
}

static int take(const struct request *r, struct snapshots *now)
{
	int code = r->name ? take_line(r->name, now) : snapshots_take(now);

	for (size_t i = 0; !code && i < now->count; i++)
		snapshot_find_people(&now->lines[i]);
	return code;
}

/* --- for people ------------------------------------------------------------------ */

static void draw_none(FILE *out, const struct screen *screen)
{
	char directory[PATH_MAX];

	if (!snapshots_directory(0, directory, sizeof(directory)))
		picture_row(out, screen, "no lines in %s", directory);
}

static void draw(FILE *out, const struct snapshots *now,
		 const struct screen *screen)
{
	if (!now->count)
		draw_none(out, screen);
	for (size_t i = 0; i < now->count; i++) {
		const struct snapshot *s = &now->lines[i];

		if (i)
			fputc('\n', out);
		picture_head(out, s, screen);
		picture_slots(out, s, screen);
		picture_waiting(out, s, screen);
		picture_counters(out, s, screen);
	}
}

static void show_picture(const struct snapshots *now,
			 const struct screen *screen)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		fail(EX_OSERR, "out of memory");
	draw(out, now, screen);
	fclose(out);
	screen_show(screen, text);
	free(text);
}

/* --- for programs ------------------------------------------------------------------ */

static void print(const struct request *r, const struct snapshots *now)
{
	json_print(r->name ? json_status(now->lines) :
			     json_all(now, json_status),
		   r->watch);
}

/* --- once, or again and again -------------------------------------------------------- */

static void show(const struct request *r, const struct snapshots *now)
{
	struct screen screen = screen_measure();

	if (r->json)
		print(r, now);
	else if (r->watch)
		show_picture(now, &screen);
	else
		draw(stdout, now, &screen);
}

/* On a terminal the times advance even if nothing else changes. */
static bool redraws(const struct request *r)
{
	return r->watch && !r->json && screen_measure().is_terminal;
}

/* Shows the next picture, if there is one to show; takes the place of last. */
static int show_next(const struct request *r, struct snapshots *last)
{
	struct snapshots now = { 0 };
	int code = take(r, &now);

	if (!code && (redraws(r) || !snapshots_are_same(last, &now))) {
		show(r, &now);
		code = screen_flush();
	}
	snapshots_free(last);
	*last = now;
	return code;
}

/* Until a signal comes, the line is removed, or something is wrong. */
static int watch(const struct request *r, struct snapshots *last)
{
	int signal = 0, code = 0;

	while (!signal && !code) {
		signal = screen_wait(redraws(r) ? REDRAW : LOOK);
		if (!signal)
			code = show_next(r, last);
	}
	if (redraws(r))
		screen_leave();
	if (signal)
		screen_die(signal);
	if (code == NO_SUCH_LINE) {
		say("%s: the line was removed", r->name);
		code = 0;
	}
	return code;
}

static int status(const struct request *r)
{
	struct snapshots now = { 0 };
	int code = take(r, &now);

	if (r->name)
		users_say_deleted(r->name);
	if (code == NO_SUCH_LINE)
		code = say_error(r->name, -ENOENT);
	if (!code) {
		if (redraws(r))
			screen_begin();
		show(r, &now);
		code = screen_flush();
	}
	if (!code && r->watch)
		code = watch(r, &now);
	snapshots_free(&now);
	return code;
}

int status_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "watch", no_argument, NULL, 'w' },
		{ 0 },
	};
	struct request r = { 0 };
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (found == 'j')
			r.json = true;
		else if (found == 'w')
			r.watch = true;
		else
			fail_option(argv, found);
	}
	if (optind < argc)
		r.name = only_operand(argc, argv, "NAME");
	return status(&r);
}
