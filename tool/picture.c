/* SPDX-License-Identifier: MIT */
#include "tool/picture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool/text.h"

enum { PLACE = 8, PID = 7, TICKET = 8, TIME = 8 };

void picture_time(char text[PICTURE_TIME], double seconds)
{
	if (seconds < 100)
		snprintf(text, PICTURE_TIME, "%.1f s", seconds);
	else if (seconds < 100 * 60)
		snprintf(text, PICTURE_TIME, "%.0f min", seconds / 60);
	else if (seconds < 48 * 3600)
		snprintf(text, PICTURE_TIME, "%.1f h", seconds / 3600);
	else
		snprintf(text, PICTURE_TIME, "%.1f d", seconds / 86400);
}

/* The rest of a row, after the columns that are already written. */
static void end_row(FILE *out, const struct screen *screen, size_t written,
		    const char *text)
{
	size_t room = screen->columns > written ? screen->columns - written : 0;
	size_t bytes = screen->columns ? text_fit(text, room) : strlen(text);

	fwrite(text, 1, bytes, out);
	fputc('\n', out);
}

void picture_row(FILE *out, const struct screen *screen, const char *format,
		 ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (!text)
		return;
	text_make_printable(text);
	end_row(out, screen, 0, text);
	free(text);
}

void picture_head(FILE *out, const struct snapshot *s,
		  const struct screen *screen)
{
	uint32_t closing = s->view.open > s->view.slots ?
				   s->view.open - s->view.slots :
				   0;
	char more[32] = "";

	if (closing)
		snprintf(more, sizeof(more), " (closing %u)", closing);
	picture_row(out, screen, "%s: %u slot%s%s, %u held, %u waiting (%s)",
		    s->name, s->view.slots, s->view.slots == 1 ? "" : "s", more,
		    snapshot_held(s), snapshot_waiting(s), s->path);
}

/* What the other columns do not show. */
static const char *note_on(const struct wicket_entry *e,
			   const struct person *person)
{
	if (e->flags & WICKET_JOINED)
		return "[ended, nested commands run on]";
	if (e->flags & WICKET_ORPHAN)
		return "[wicket killed, command runs on]";
	if (e->flags & WICKET_LEFT)
		return e->flags & WICKET_HOLDS ?
			       "[dead, slot goes to the next]" :
			       "[dead or gave up, will be skipped]";
	if (e->flags & WICKET_FOREIGN)
		return "[in another pid namespace]";
	if (person->inside)
		return "[may wait for itself]";
	if (person_is_stopped(person))
		return "[stopped]";
	return e->joined ? "[nested commands in it]" : "";
}

/* What the process is; "train, 2 units"; "train on node7, 2 units, fence 41" in a
   store.  To be freed. */
static char *describe(const struct snapshot *s, size_t i)
{
	const struct person *person = &s->people[i];
	const struct abroad *a = s->abroad ? &s->abroad[i] : NULL;
	const char *what = person->command ? person->command : person->comm;
	char units[32] = "", fence[32] = "", *text;

	if (s->entries[i].units > 1)
		snprintf(units, sizeof(units), ", %u units",
			 s->entries[i].units);
	if (!a)
		return asprintf(&text, "%s%s", what, units) < 0 ? NULL : text;
	if (s->entries[i].flags & WICKET_HOLDS)
		snprintf(fence, sizeof(fence), ", fence %jd",
			 (intmax_t)a->fence);
	return asprintf(&text, "%s on %s%s%s", what, *a->host ? a->host : "?",
			units, fence) < 0 ?
		       NULL :
		       text;
}

/* In the colour of the ticket, if the terminal has colours. */
static void write_ticket(FILE *out, const struct screen *screen,
			 const struct wicket_entry *e)
{
	static const int colours[] = { 32, 33, 36, 35, 34, 31 };
	size_t count = sizeof(colours) / sizeof(*colours);
	char ticket[32];

	snprintf(ticket, sizeof(ticket), "%u:%u", e->value, e->colour);
	if (screen->has_colour)
		fprintf(out, "\033[1;%dm%-*s\033[0m",
			colours[e->colour % count], TICKET, ticket);
	else
		fprintf(out, "%-*s", TICKET, ticket);
}

static void write_entry(FILE *out, const struct snapshot *s, size_t i,
			const struct screen *screen, const char *place)
{
	const struct wicket_entry *e = &s->entries[i];
	const char *note = note_on(e, &s->people[i]);
	char *command = describe(s, i);
	char time[PICTURE_TIME] = "?", *rest;

	if (e->since)
		picture_time(time, snapshot_seconds(s, e->since));
	fprintf(out, "  %-*s %*d  ", PLACE, place, PID, e->pid);
	write_ticket(out, screen, e);
	fprintf(out, " %*s  ", TIME, time);
	if (!command || asprintf(&rest, "%s%s%s", note,
				 *note && *command ? " " : "", command) < 0)
		rest = NULL;
	end_row(out, screen, 2 + PLACE + 1 + PID + 2 + TICKET + 1 + TIME + 2,
		rest ? rest : "");
	free(rest);
	free(command);
}

static bool is_closed(const struct snapshot *s, uint32_t slot)
{
	return s->view.closed[slot / 64] >> slot % 64 & 1;
}

/* Who held a slot when the line got fewer keeps it. */
static uint32_t count_rows(const struct snapshot *s)
{
	uint32_t rows = s->view.slots_max;

	for (size_t i = 0; i < s->view.holding; i++) {
		if (s->entries[i].place >= rows)
			rows = s->entries[i].place + 1;
	}
	return rows;
}

void picture_slots(FILE *out, const struct snapshot *s,
		   const struct screen *screen)
{
	const uint32_t rows = count_rows(s);
	size_t i = 0;

	for (uint32_t slot = 0; slot < rows; slot++) {
		char place[32];

		snprintf(place, sizeof(place), "slot %u", slot);
		if (slot < s->view.slots_max && !is_closed(s, slot) &&
		    (i >= s->view.holding || s->entries[i].place != slot))
			picture_row(out, screen, "  %-*s %*s", PLACE, place,
				    PID, "free");
		for (; i < s->view.holding && s->entries[i].place == slot; i++)
			write_entry(out, s, i, screen, place);
	}
}

void picture_waiting(FILE *out, const struct snapshot *s,
		     const struct screen *screen)
{
	for (size_t i = s->view.holding; i < s->count; i++) {
		uint32_t position = s->entries[i].place;
		char place[32];

		snprintf(place, sizeof(place), "%u%s", position,
			 text_ordinal(position));
		write_entry(out, s, i, screen, place);
	}
}

void picture_counters(FILE *out, const struct snapshot *s,
		      const struct screen *screen)
{
	char longest[PICTURE_TIME];

	picture_time(longest, (double)s->view.longest_wait / 1e9);
	picture_row(out, screen,
		    "  %ju granted, %ju recovered, %ju abandoned, "
		    "longest wait %s",
		    (uintmax_t)s->view.grants, (uintmax_t)s->view.recovered,
		    (uintmax_t)s->view.abandoned, longest);
}
