/* SPDX-License-Identifier: MIT */
/* wicket status: which processes hold and wait, and for how long. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tool/json.h"
#include "tool/picture.h"
#include "tool/store.h"
#include "tool/tool.h"
#include "tool/users.h"

enum {
	REDRAW = 500, /* milliseconds between pictures on a terminal */
	LOOK = 50,    /* between looks for a change, elsewhere */
	ASK = 500,    /* the same, if a server has to be asked */
};

struct request {
	const char *name; /* null: all lines */
	bool json, watch;
	const struct store *store; /* null: on this machine */
};

/* What was seen last. */
struct sight {
	struct snapshots lines;
	struct timespec at;    /* by CLOCK_MONOTONIC */
	char away[STORE_AWAY]; /* not empty: no server answers since then */
};

enum { NO_SUCH_LINE = -ENOENT, NO_ANSWER = -EAGAIN };

static struct timespec clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

/* Returns 0, NO_SUCH_LINE, NO_ANSWER, or the exit code after an error message. */
static int take_line(const struct request *r, struct snapshots *now, char *away)
{
	int error;

	now->lines = calloc(1, sizeof(*now->lines));
	if (!now->lines)
		fail(EX_OSERR, "out of memory");
	now->count = 1;
	if (r->store)
		return r->store->take(now->lines, r->name, away);
	error = snapshot_take(now->lines, r->name);
	return error && error != NO_SUCH_LINE ? say_error(r->name, error) :
						error;
}

/* Null: that no server answers is an error like any other. */
static int take(const struct request *r, struct sight *now, char *away)
{
	struct snapshots *all = &now->lines;
	int code = r->name  ? take_line(r, all, away) :
		   r->store ? r->store->take_all(all, away) :
			      snapshots_take(all);

	now->at = clock_now();
	for (size_t i = 0; !code && i < all->count; i++)
		snapshot_find_people(&all->lines[i]);
	return code;
}

static int say_missing(const struct request *r)
{
	if (!r->store)
		return say_error(r->name, -ENOENT);
	say("%s: there is no such line (%s)", r->name, r->store->url);
	return EX_NOINPUT;
}

/* --- for people ------------------------------------------------------------------ */

static void draw_none(const struct request *r, FILE *out,
		      const struct screen *screen)
{
	char directory[PATH_MAX];

	if (r->store)
		picture_row(out, screen, "no lines in %s", r->store->url);
	else if (!snapshots_directory(0, directory, sizeof(directory)))
		picture_row(out, screen, "no lines in %s", directory);
}

static void draw_away(FILE *out, const struct sight *now,
		      const struct screen *screen)
{
	struct timespec t = clock_now();
	char age[PICTURE_TIME];

	picture_time(age, (double)(t.tv_sec - now->at.tv_sec) +
				  (double)(t.tv_nsec - now->at.tv_nsec) / 1e9);
	picture_row(out, screen, "as it was %s ago: %s", age, now->away);
}

static void draw(const struct request *r, FILE *out, const struct sight *now,
		 const struct screen *screen)
{
	if (*now->away)
		draw_away(out, now, screen);
	if (!now->lines.count)
		draw_none(r, out, screen);
	for (size_t i = 0; i < now->lines.count; i++) {
		const struct snapshot *s = &now->lines.lines[i];

		if (i)
			fputc('\n', out);
		picture_head(out, s, screen);
		picture_slots(out, s, screen);
		picture_waiting(out, s, screen);
		picture_counters(out, s, screen);
	}
}

static void show_picture(const struct request *r, const struct sight *now,
			 const struct screen *screen)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		fail(EX_OSERR, "out of memory");
	draw(r, out, now, screen);
	fclose(out);
	screen_show(screen, text);
	free(text);
}

/* --- for programs ------------------------------------------------------------------ */

static void print(const struct request *r, const struct sight *now)
{
	if (*now->away)
		say("%s: %s; still trying", r->name ? r->name : r->store->url,
		    now->away);
	else
		json_print(r->name ? json_status(now->lines.lines) :
				     json_all(&now->lines, json_status),
			   r->watch);
}

/* --- once, or again and again -------------------------------------------------------- */

static void show(const struct request *r, const struct sight *now)
{
	struct screen screen = screen_measure();

	if (r->json)
		print(r, now);
	else if (r->watch)
		show_picture(r, now, &screen);
	else
		draw(r, stdout, now, &screen);
}

/* On a terminal the times advance even if nothing else changes. */
static bool redraws(const struct request *r)
{
	return r->watch && !r->json && screen_measure().is_terminal;
}

static bool has_changed(const struct sight *last, const struct sight *now)
{
	return !*last->away != !*now->away ||
	       !snapshots_are_same(&last->lines, &now->lines);
}

/* Shows the next picture, if there is one to show; takes the place of last.  While no
   server answers, that is what was seen last. */
static int show_next(const struct request *r, struct sight *last)
{
	struct sight now = { 0 };
	int code = take(r, &now, now.away);
	const bool stays = code == NO_ANSWER;

	if (stays) {
		snapshots_free(&now.lines);
		now.lines = last->lines;
		now.at = last->at;
		code = 0;
	}
	if (!code && (redraws(r) || has_changed(last, &now))) {
		show(r, &now);
		code = screen_flush();
	}
	if (!stays)
		snapshots_free(&last->lines);
	*last = now;
	return code;
}

/* Until a signal comes, the line is removed, or something is wrong. */
static int watch(const struct request *r, struct sight *last)
{
	int signal = 0, code = 0;

	while (!signal && !code) {
		signal = screen_wait(redraws(r) ? REDRAW :
				     r->store	? ASK :
						  LOOK);
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
	struct sight now = { 0 };
	int code = take(r, &now, NULL);

	if (r->name && !r->store)
		users_say_deleted(r->name);
	if (code == NO_SUCH_LINE)
		code = say_missing(r);
	if (!code) {
		if (redraws(r))
			screen_begin();
		show(r, &now);
		code = screen_flush();
	}
	if (!code && r->watch)
		code = watch(r, &now);
	snapshots_free(&now.lines);
	return code;
}

int status_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "watch", no_argument, NULL, 'w' },
		{ "store", required_argument, NULL, 's' },
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
		else if (found == 's')
			r.store = store_at(optarg);
		else
			fail_option(argv, found);
	}
	if (optind < argc)
		r.name = only_operand(argc, argv, "NAME");
	return status(&r);
}
