/* SPDX-License-Identifier: MIT */
#include "tool/json.h"

#include <stdlib.h>
#include <string.h>

#include "tool/text.h"
#include "tool/tool.h"

/* A text that may be anything; null for none. */
static json_t *text_of(const char *text)
{
	char *valid = text && *text ? strdup(text) : NULL;
	json_t *value;

	if (!valid)
		return json_null();
	text_make_valid(valid);
	value = json_string(valid);
	free(valid);
	return value;
}

static json_t *number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *since_of(const struct snapshot *s, const struct wicket_entry *e)
{
	return e->since ? json_real(snapshot_seconds(s, e->since)) :
			  json_null();
}

static json_t *state_of(const struct person *person)
{
	char letter[] = { person->state, 0 };

	return text_of(letter);
}

static json_t *abroad_of(const struct abroad *a, bool holds)
{
	return json_pack("{s:o, s:I, s:o}", "host", text_of(a->host), "uid",
			 (json_int_t)a->uid, "fence",
			 holds ? json_integer(a->fence) : json_null());
}

static json_t *entry_of(const struct snapshot *s, size_t i)
{
	const struct wicket_entry *e = &s->entries[i];
	const struct person *person = &s->people[i];
	bool holds = e->flags & WICKET_HOLDS;
	char ticket[32];
	json_t *entry;

	snprintf(ticket, sizeof(ticket), "%u:%u", e->value, e->colour);
	entry = json_pack("{s:I, s:I, s:i, s:o, s:s, s:o, s:o, s:o, s:b, s:b, "
			  "s:b, s:I, s:o}",
			  holds ? "slot" : "position", (json_int_t)e->place,
			  "units", (json_int_t)e->units, "pid", e->pid, "comm",
			  text_of(person->comm), "ticket", ticket, "since",
			  since_of(s, e), "command", text_of(person->command),
			  "state", state_of(person), "foreign",
			  !!(e->flags & WICKET_FOREIGN), "left",
			  !!(e->flags & WICKET_LEFT), "orphan",
			  !!(e->flags & WICKET_ORPHAN), "nested",
			  (json_int_t)e->joined, "inside",
			  person->inside ? json_integer(person->inside - 1) :
					   json_null());
	if (s->abroad)
		json_object_update_new(entry, abroad_of(&s->abroad[i], holds));
	return entry;
}

static json_t *entries_of(const struct snapshot *s, size_t from, size_t to)
{
	json_t *array = json_array();

	for (size_t i = from; i < to; i++)
		json_array_append_new(array, entry_of(s, i));
	return array;
}

static json_t *longest_wait_of(const struct snapshot *s)
{
	return json_real((double)s->view.longest_wait / 1e9);
}

static json_t *counters_of(const struct snapshot *s)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o}", "grants", number(s->view.grants),
		"recovered", number(s->view.recovered), "abandoned",
		number(s->view.abandoned), "longest_wait", longest_wait_of(s));
}

/* A store has as many as are needed. */
static json_t *seats_of(const struct snapshot *s)
{
	return s->abroad ? json_null() : number(s->view.seats);
}

json_t *json_status(const struct snapshot *s)
{
	uint32_t closing = s->view.open > s->view.slots ?
				   s->view.open - s->view.slots :
				   0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "line", text_of(s->name), "path", text_of(s->path),
			 "slots", number(s->view.slots), "declared",
			 number(s->view.slots), "slots_max",
			 number(s->view.slots_max), "closing", number(closing),
			 "seats", seats_of(s), "holders",
			 entries_of(s, 0, s->view.holding), "waiting",
			 entries_of(s, s->view.holding, s->count), "counters",
			 counters_of(s));
}

json_t *json_summary(const struct snapshot *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "line",
			 text_of(s->name), "path", text_of(s->path), "slots",
			 number(s->view.slots), "held",
			 number(snapshot_held(s)), "waiting",
			 number(snapshot_waiting(s)), "longest_wait",
			 longest_wait_of(s));
}

json_t *json_all(const struct snapshots *all,
		 json_t *(*one)(const struct snapshot *s))
{
	json_t *array = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(array, one(&all->lines[i]));
	return array;
}

void json_print(json_t *value, bool compact)
{
	/* nanoseconds are not worth 17 digits */
	size_t flags = JSON_REAL_PRECISION(9) |
		       (compact ? JSON_COMPACT : JSON_INDENT(2));
	char *text = value ? json_dumps(value, flags) : NULL;

	if (!text)
		fail(EX_OSERR, "out of memory");
	puts(text);
	free(text);
	json_decref(value);
}
