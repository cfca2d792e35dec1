/* SPDX-License-Identifier: MIT */
/* wicket doctor: reports damage, and notes what is worth knowing. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/store.h"
#include "tool/text.h"
#include "tool/tool.h"
#include "tool/users.h"

static void collect(void *arg, enum wicket_finding kind, const char *text)
{
	fprintf(arg, "%s: %s\n", kind == WICKET_WRONG ? "wrong" : "note", text);
}

static void tell(const char *name, const struct store *store,
		 const char *findings)
{
	char path[PATH_MAX];
	int length = 0;

	if (store)
		store->path(name, path, sizeof(path));
	else
		length = wicket_path(name, path, sizeof(path));
	if (length >= 0) {
		text_make_printable(path);
		printf("%s\n", path);
	}
	fputs(findings, stdout);
}

/* How many things are wrong; or an error, which says all there is to say: of a file
   that is no line it names what was found. */
static int examine(const char *name, const struct store *store)
{
	char *findings = NULL;
	size_t length;
	FILE *out = open_memstream(&findings, &length);
	int wrong;

	if (!out)
		fail(EX_OSERR, "out of memory");
	wrong = store ? store->check(name, collect, out) :
			wicket_check(name, collect, out);
	fclose(out);
	if (wrong >= 0)
		tell(name, store, findings);
	free(findings);
	return wrong;
}

/* A stopped process keeps its slot: that is correct, but rarely intended. */
static void note_stopped(const struct snapshot *s)
{
	for (size_t i = 0; i < s->view.holding && i < s->count; i++) {
		if (person_is_stopped(&s->people[i]))
			printf("note: pid %d (%s) in slot %u is stopped\n",
			       s->entries[i].pid, s->people[i].comm,
			       s->entries[i].place);
	}
}

/* The command in the slot may wait until it has got one. */
static void note_inside(const struct snapshot *s)
{
	for (size_t i = s->view.holding; i < s->count; i++) {
		if (s->people[i].inside)
			printf("note: pid %d (%s) waits for a slot, and what "
			       "started it holds slot %u: it may wait for "
			       "itself\n",
			       s->entries[i].pid, s->people[i].comm,
			       s->people[i].inside - 1);
	}
}

static void note_people(const char *name)
{
	struct snapshot s = { 0 };

	if (!snapshot_take(&s, name)) {
		snapshot_find_people(&s);
		note_stopped(&s);
		note_inside(&s);
	}
	snapshot_free(&s);
}

static void sum_up(const char *name, int wrong)
{
	char shown[PATH_MAX];

	snprintf(shown, sizeof(shown), "%s", name);
	text_make_printable(shown);
	if (!wrong)
		printf("%s: no damage found\n", shown);
	else
		printf("%s: %d thing%s wrong\n", shown, wrong,
		       wrong == 1 ? " is" : "s are");
}

int doctor_main(int argc, char **argv)
{
	const struct store *store = only_store(argc, argv);
	const char *name = only_operand(argc, argv, "NAME");
	int wrong = examine(name, store);
	bool deleted = !store && users_say_deleted(name);

	/* the users of a damaged line are not known */
	if (!wrong && !store)
		note_people(name);
	if (wrong >= 0)
		sum_up(name, wrong);
	if (fflush(stdout))
		fail(EX_IOERR, "cannot write to standard output");
	if (wrong < 0)
		return store ? -wrong : say_error(name, wrong);
	return wrong > 0 || deleted;
}
