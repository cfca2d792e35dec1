/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "algo/registry.h"
#include "verify/error.h"
#include "verify/task.h"

/* A number that a process happens to see must fit a label. */
enum { CAP_MAX = DEED_RANGE_MAX - 1 };

/* Levenshtein's distance; long names are cut. */
static size_t distance(const char *a, size_t length, const char *b)
{
	enum { LONGEST = 63 };
	size_t row[LONGEST + 1], m = strlen(b);

	if (length > LONGEST)
		length = LONGEST;
	for (size_t i = 0; i <= length; i++)
		row[i] = i;
	for (size_t j = 1; j <= m; j++) {
		size_t corner = row[0];

		row[0] = j;
		for (size_t i = 1; i <= length; i++) {
			size_t best = corner + (a[i - 1] != b[j - 1]);

			if (row[i] + 1 < best)
				best = row[i] + 1;
			if (row[i - 1] + 1 < best)
				best = row[i - 1] + 1;
			corner = row[i];
			row[i] = best;
		}
	}
	return row[length];
}

/* The nearest of the names offered so far. */
struct nearest {
	const char *part, *name;
	size_t length, distance;
};

static void offer(struct nearest *best, const char *name)
{
	size_t d = distance(best->part, best->length, name);

	/* who types the beginning means the whole */
	if (d && best->length && !strncmp(best->part, name, best->length))
		d = 1;
	if (!best->name || d < best->distance) {
		best->name = name;
		best->distance = d;
	}
}

/* Could it have been meant, or is it just the least unlike of all? */
static bool is_near(const struct nearest *best)
{
	return best->length &&
	       (best->distance <= 1 || 2 * best->distance < best->length ||
		strstr(best->name, strndupa(best->part, best->length)));
}

/* "the nearest name is 'X'", or where all names are to be found. */
static const char *hint(const struct nearest *best, const char *where,
			char text[128])
{
	if (is_near(best))
		snprintf(text, 128, "the nearest name is '%s'", best->name);
	else
		snprintf(text, 128, "%s", where);
	return text;
}

static const char in_list[] = "'wicket-verify list' shows them all";

_Noreturn static void unknown(const struct wicket_unknown *u, const char *file)
{
	const struct wicket_algo *known = u->known;
	struct nearest best = { .part = u->part, .length = u->length };
	bool mutant = known && u->part[-1] == '@';
	char text[128];

	if (!known) {
		for (size_t i = 0; wicket_algos[i]; i++)
			offer(&best, wicket_algos[i]->name);
		if (!best.distance) /* there is one, but not as an inner one */
			fail_in(file, EX_USAGE,
				"nothing can be built from '%s', which is itself built from another",
				best.name);
		fail_in(file, EX_USAGE, "no algorithm '%.*s'; %s",
			(int)u->length, u->part, hint(&best, in_list, text));
	}
	for (size_t i = 0; mutant && known->mutants && known->mutants[i].name;
	     i++) {
		uint32_t variant = known->mutants[i].variant; /* not any */

		offer(&best, known->mutants[i].name);
		if (best.distance == 0)
			fail_in(file, EX_USAGE,
				"the mutant '%s' is planted in %s%s%s",
				best.name, known->name, variant ? ":" : "",
				variant ? known->variants[variant - 1].name :
					  "");
	}
	for (size_t i = 0;
	     !mutant && known->variants && known->variants[i].name; i++)
		offer(&best, known->variants[i].name);
	if (!best.name)
		fail_in(file, EX_USAGE, "%s has no %s", known->name,
			mutant ? "mutants" : "variants");
	fail_in(file, EX_USAGE, "%s has no %s '%.*s'; %s", known->name,
		mutant ? "mutant" : "variant", (int)u->length, u->part,
		hint(&best, in_list, text));
}

/* Whoever takes several slots at once waits for others, however few they are. */
static uint32_t most_slots(const struct wicket_algo *algo, uint32_t n)
{
	return algo && algo->units ? WICKET_PROCS_MAX - 1 : n - 1;
}

static void check_size(const struct wicket_algo *algo,
		       const struct wicket_cfg *size, const char *file)
{
	uint32_t n = size->n, k = size->k;

	if (size->r < 1)
		fail_in(file, EX_DATAERR, "r = 0: expected 1 or more");
	if (n < 2 || n > WICKET_PROCS_MAX)
		fail_in(file, EX_DATAERR, "n = %u: expected 2 to %u processes",
			n, WICKET_PROCS_MAX);
	if (k < 1 || k > most_slots(algo, n))
		fail_in(file, EX_DATAERR,
			"k = %u: expected 1 to %u slots for n = %u", k,
			most_slots(algo, n), n);
}

void task_check_size(const struct wicket_cfg *size)
{
	check_size(NULL, size, NULL);
}

bool task_admits_one_slot_only(const char *name, struct wicket_cfg size)
{
	struct wicket_unknown u;
	const struct wicket_algo *algo = wicket_find(name, &size, &u);

	if (!algo)
		unknown(&u, NULL);
	if (size.n > WICKET_PROCS_MAX) /* refused in its turn */
		return true;
	for (size.k = 2; size.k < size.n; size.k++) {
		if (!algo->refuse || !algo->refuse(&size))
			return false;
	}
	return true;
}

void task_resolve(struct task *task, const char *name, struct wicket_cfg size,
		  const char *file)
{
	struct wicket_unknown u;
	const char *why;

	task->name = name;
	task->cfg = size;
	task->algo = wicket_find(name, &task->cfg, &u);
	if (!task->algo)
		unknown(&u, file);
	check_size(task->algo, &size, file);
	why = task->algo->refuse ? task->algo->refuse(&task->cfg) : NULL;
	if (why)
		fail_in(file, EX_DATAERR, "%s", why);
	if (size.cap && !task->algo->beyond)
		fail_in(file, EX_DATAERR,
			"%s has no numbers that are explored up to a cap",
			name);
	if (size.cap > CAP_MAX)
		fail_in(file, EX_DATAERR, "cap = %u: expected at most %u",
			size.cap, CAP_MAX);
	if (task->algo->registers(&task->cfg) > WICKET_REGS_MAX ||
	    wicket_processes(task->algo, &task->cfg) > WICKET_PROCS_MAX)
		fail_in(file, EX_DATAERR, "%s with n = %u is too large", name,
			size.n);
}

bool task_may_be_safe(const struct task *task)
{
	for (uint32_t r = 0; r < task->algo->registers(&task->cfg); r++) {
		struct wicket_register reg = task->algo->reg(&task->cfg, r);

		if (!reg.range || !reg.owner || reg.range > DEED_RANGE_MAX)
			return false;
	}
	return true;
}

void task_check_world(const struct task *task, const char *file)
{
	const struct wicket_algo *algo = task->algo;
	const struct world *w = &task->world;

	if (w->safe && !task_may_be_safe(task))
		fail_in(file, EX_DATAERR,
			"%s: its registers cannot be safe, only atomic",
			task->name);
	if (w->safe && w->memory != MEMORY_SC)
		fail_in(file, EX_DATAERR,
			"--memory-model %s: safe registers are not a machine's memory; expected --registers atomic",
			memory_names[w->memory]);
	if (w->mid_write && w->memory != MEMORY_SC)
		fail_in(file, EX_DATAERR,
			"--memory-model %s: a store has no middle; expected no --mid-write",
			memory_names[w->memory]);
	if (w->buffer && w->memory == MEMORY_SC)
		fail_in(file, EX_DATAERR,
			"--buffer: nothing waits with --memory-model sc; expected tso");
	if (w->mid_write && !w->safe)
		fail_in(file, EX_DATAERR,
			"--mid-write: only a write to safe registers has a middle");
	if (w->failures && (!algo->event || algo->has_seats))
		fail_in(file, EX_DATAERR, "%s has no announced failures",
			task->name);
	if (!algo->has_seats &&
	    (w->abandons || w->sleep || task->cfg.seats || task->cfg.laps))
		fail_in(file, EX_DATAERR,
			"%s has no seats, laps, abandons or sleep", task->name);
}

static void add(struct task *task, const char *property)
{
	const struct property *row = property_find(property);
	size_t i = 0;

	if (row && row->failures)
		task->world.failures = true;
	while (task->property[i]) {
		if (!strcmp(task->property[i++], property))
			return;
	}
	if (i + 1 < FINDINGS_MAX)
		task->property[i] = property;
}

void task_add_property(struct task *task, const char *property,
		       const char *file)
{
	const struct wicket_named *label = task->algo->invariants;
	struct nearest best = { .part = property, .length = strlen(property) };
	const char *why;
	char text[128];

	if (property_known(task->algo, property)) {
		why = property_unfit(task->algo, property);
		if (why)
			fail_in(file, EX_DATAERR, "%s: %s %s", task->algo->name,
				property, why);
		add(task, property);
		return;
	}
	if (!file && !strcmp(property, "invariants")) {
		for (; label && label->name; label++)
			add(task, label->name);
		return;
	}
	for (size_t i = 0; properties[i]; i++)
		offer(&best, properties[i]->name);
	for (; label && label->name; label++)
		offer(&best, label->name);
	fail_in(file, EX_USAGE, "%s has no property '%s'; %s", task->algo->name,
		property,
		hint(&best, "see PROPERTIES in wicket-verify(1)", text));
}

void task_add_default(struct task *task)
{
	for (size_t i = 0; properties[i]; i++) {
		if (properties[i]->apart && !task->world.failures)
			continue;
		if (properties[i]->unbuffered &&
		    task->world.memory != MEMORY_SC)
			continue;
		if (task->algo->discusses & properties[i]->claim)
			add(task, properties[i]->name);
	}
}
