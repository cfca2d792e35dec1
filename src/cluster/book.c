/* SPDX-License-Identifier: MIT */
#include "cluster/book.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <string.h>

enum { COMPACT = JSON_COMPACT | JSON_SORT_KEYS };

/* No line comes that far, and one more can always be counted. */
static const int64_t MOST_COUNTED = 1LL << 53;

static char *text_of(json_t *object)
{
	char *text = object ? json_dumps(object, COMPACT) : NULL;

	json_decref(object);
	return text;
}

/* The object in a text, if it is of our format. */
static int parse(const char *text, json_t **object)
{
	json_t *format;
	int error = 0;

	*object = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
	format = json_object_get(*object, "format");
	if (!json_is_integer(format))
		error = -EPROTO;
	else if (json_integer_value(format) != BOOK_FORMAT)
		error = -EPROTONOSUPPORT;
	if (error) {
		json_decref(*object);
		*object = NULL;
	}
	return error;
}

/* --- numbers --------------------------------------------------------------------- */

static bool get_number(const json_t *object, const char *name, int64_t most,
		       int64_t *number)
{
	const json_t *x = json_object_get(object, name);

	*number = json_integer_value(x);
	return json_is_integer(x) && *number >= 0 && *number <= most;
}

static bool get_small(const json_t *object, const char *name, uint32_t most,
		      uint32_t *number)
{
	int64_t x;
	bool good = get_number(object, name, most, &x);

	*number = good ? (uint32_t)x : 0;
	return good;
}

static json_t *ticket_json(struct ticket t)
{
	return json_pack("[i,i]", (int)t.value, (int)t.colour);
}

static bool get_ticket(const json_t *object, const char *name, struct ticket *t)
{
	const json_t *pair = json_object_get(object, name);
	const json_t *value = json_array_get(pair, 0);
	const json_t *colour = json_array_get(pair, 1);

	*t = (struct ticket){ (uint32_t)json_integer_value(value),
			      (uint32_t)json_integer_value(colour) };
	return json_array_size(pair) == 2 && json_is_integer(value) &&
	       json_is_integer(colour) && json_integer_value(value) >= 0 &&
	       json_integer_value(value) < BOOK_BLOCK &&
	       json_integer_value(colour) >= 0 &&
	       json_integer_value(colour) <= INT32_MAX;
}

static json_t *slots_json(const uint32_t *slots, uint32_t count)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(array, json_integer(slots[i]));
	return array;
}

/* Slots, each once. */
static bool get_slots(const json_t *object, uint32_t *slots, uint32_t *count)
{
	const json_t *array = json_object_get(object, "slots");
	uint64_t seen[RULES_SLOTS_MAX / 64] = { 0 };
	const json_t *x;
	size_t i;

	*count = 0;
	if (!json_is_array(array) || json_array_size(array) > RULES_SLOTS_MAX)
		return false;
	json_array_foreach(array, i, x)
	{
		json_int_t slot = json_integer_value(x);

		if (!json_is_integer(x) || slot < 0 ||
		    slot >= RULES_SLOTS_MAX || seen[slot / 64] >> slot % 64 & 1)
			return false;
		seen[slot / 64] |= 1ULL << slot % 64;
		slots[(*count)++] = (uint32_t)slot;
	}
	return true;
}

/* --- W ----------------------------------------------------------------------------- */

char *book_w_text(const struct book_w *w)
{
	const struct rules_w *r = &w->rules;
	uint32_t slots[RULES_SLOTS_MAX], count = 0;

	for (uint32_t s = 0; s < RULES_SLOTS_MAX; s++) {
		if (rules_is_held(r, s))
			slots[count++] = s;
	}
	return text_of(json_pack(
		"{s:i,s:i,s:o,s:o,s:o,s:i,s:I,s:I,s:I,s:I}", "format",
		BOOK_FORMAT, "k", (int)r->k, "issue", ticket_json(r->issue),
		"valid", ticket_json(r->valid), "slots",
		slots_json(slots, count), "waiting", (int)w->waiting, "grants",
		(json_int_t)w->grants, "recovered", (json_int_t)w->recovered,
		"abandoned", (json_int_t)w->abandoned, "longest_wait",
		(json_int_t)w->longest_wait));
}

int book_read_w(const char *text, struct book_w *w)
{
	struct rules_w *r = &w->rules;
	uint32_t slots[RULES_SLOTS_MAX], count = 0;
	json_t *object;
	int error = parse(text, &object);

	if (error)
		return error;
	memset(w, 0, sizeof(*w));
	r->m = BOOK_BLOCK;
	if (!get_small(object, "k", RULES_SLOTS_MAX - 1, &r->k) ||
	    !get_ticket(object, "issue", &r->issue) ||
	    !get_ticket(object, "valid", &r->valid) ||
	    !get_slots(object, slots, &count) || count >= RULES_SLOTS_MAX ||
	    !get_small(object, "waiting", BOOK_BLOCK, &w->waiting) ||
	    !get_number(object, "grants", MOST_COUNTED, &w->grants) ||
	    !get_number(object, "recovered", MOST_COUNTED, &w->recovered) ||
	    !get_number(object, "abandoned", MOST_COUNTED, &w->abandoned) ||
	    !get_number(object, "longest_wait", INT64_MAX, &w->longest_wait))
		error = -EPROTO;
	for (uint32_t i = 0; !error && i < count; i++)
		r->held[slots[i] / 64] |= 1ULL << slots[i] % 64;
	r->taken = count;
	json_decref(object);
	return error;
}

/* --- seats ------------------------------------------------------------------------- */

static const char *const phases[] = {
	[BOOK_OUT] = "out",
	[BOOK_WAITS] = "waits",
	[BOOK_HOLDS] = "holds",
};

static bool get_word(const json_t *object, const char *name,
		     const char *const *words, uint32_t count, uint32_t *which)
{
	const char *word = json_string_value(json_object_get(object, name));

	for (*which = 0; word && *which < count; ++*which) {
		if (!strcmp(words[*which], word))
			return true;
	}
	return false;
}

char *book_seat_text(const struct book_seat *s)
{
	uint32_t held = s->phase == BOOK_HOLDS ? s->units : 0;

	return text_of(json_pack(
		"{s:i,s:s,s:i,s:o,s:I,s:I,s:o}", "format", BOOK_FORMAT, "phase",
		phases[s->phase], "units", (int)s->units, "ticket",
		ticket_json(s->last), "fence", (json_int_t)s->fence, "since",
		(json_int_t)s->since, "slots", slots_json(s->slots, held)));
}

int book_read_seat(const char *text, struct book_seat *s)
{
	uint32_t phase = 0, held = 0;
	json_t *object;
	int error = parse(text, &object);

	if (error)
		return error;
	memset(s, 0, sizeof(*s));
	if (!get_word(object, "phase", phases, 3, &phase) ||
	    !get_small(object, "units", RULES_SLOTS_MAX - 1, &s->units) ||
	    !get_ticket(object, "ticket", &s->last) ||
	    !get_number(object, "fence", INT64_MAX, &s->fence) ||
	    !get_number(object, "since", INT64_MAX, &s->since) ||
	    !get_slots(object, s->slots, &held) ||
	    (phase == BOOK_OUT) != !s->units ||
	    held != (phase == BOOK_HOLDS ? s->units : 0))
		error = -EPROTO;
	s->phase = (enum book_phase)phase;
	json_decref(object);
	return error;
}

/* --- requests ------------------------------------------------------------------------ */

static const char *const asks[] = {
	[BOOK_ASK_TAKE] = "take",
	[BOOK_ASK_LEAVE] = "leave",
};

char *book_ask_text(const struct book_ask *a)
{
	uint32_t held = a->kind == BOOK_ASK_LEAVE ? a->units : 0;

	return text_of(json_pack("{s:i,s:s,s:i,s:o}", "format", BOOK_FORMAT,
				 "asks", asks[a->kind], "units", (int)a->units,
				 "slots", slots_json(a->slots, held)));
}

int book_read_ask(const char *text, struct book_ask *a)
{
	uint32_t kind = 0, held = 0;
	json_t *object;
	int error = parse(text, &object);

	if (error)
		return error;
	memset(a, 0, sizeof(*a));
	if (!get_word(object, "asks", asks, 2, &kind) ||
	    !get_small(object, "units", RULES_SLOTS_MAX - 1, &a->units) ||
	    !a->units || !get_slots(object, a->slots, &held) ||
	    held != (kind == BOOK_ASK_LEAVE ? a->units : 0))
		error = -EPROTO;
	a->kind = (enum book_ask_kind)kind;
	json_decref(object);
	return error;
}

static bool get_text(const json_t *object, const char *name, char *text,
		     size_t size)
{
	const char *s = json_string_value(json_object_get(object, name));

	if (!s || strlen(s) >= size)
		return false;
	strcpy(text, s);
	return true;
}

char *book_waiter_text(const struct book_waiter *w)
{
	return text_of(json_pack("{s:i,s:s,s:i,s:I}", "format", BOOK_FORMAT,
				 "id", w->id, "units", (int)w->units, "since",
				 (json_int_t)w->since));
}

int book_read_waiter(const char *text, struct book_waiter *w)
{
	json_t *object;
	int error = parse(text, &object);

	if (error)
		return error;
	if (!get_text(object, "id", w->id, sizeof(w->id)) || !*w->id ||
	    strchr(w->id, '/') || /* it is the end of a key */
	    !get_small(object, "units", RULES_SLOTS_MAX - 1, &w->units) ||
	    !w->units || !get_number(object, "since", INT64_MAX, &w->since))
		error = -EPROTO;
	json_decref(object);
	return error;
}

/* --- who it is ----------------------------------------------------------------------- */

char *book_person_text(const struct book_person *p)
{
	return text_of(json_pack("{s:i,s:s,s:s,s:I,s:I}", "format", BOOK_FORMAT,
				 "host", p->host, "comm", p->comm, "pid",
				 (json_int_t)p->pid, "uid",
				 (json_int_t)p->uid));
}

int book_read_person(const char *text, struct book_person *p)
{
	json_t *object;
	int error = parse(text, &object);

	if (error)
		return error;
	if (!get_text(object, "host", p->host, sizeof(p->host)) ||
	    !get_text(object, "comm", p->comm, sizeof(p->comm)) ||
	    !get_number(object, "pid", INT32_MAX, &p->pid) ||
	    !get_number(object, "uid", UINT32_MAX, &p->uid))
		error = -EPROTO;
	json_decref(object);
	return error;
}
