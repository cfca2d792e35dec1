/* SPDX-License-Identifier: MIT */
/* wicket rm: removes a line that nobody uses. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/snapshot.h"
#include "tool/tool.h"

enum { NAMED = 8 }; /* holders that are named one by one */

static void write_holder(FILE *out, const struct wicket_entry *e,
			 const struct person *person)
{
	fprintf(out, "slot %u by %d", e->place, e->pid);
	if (*person->comm)
		fprintf(out, " (%s)", person->comm);
}

static void write_users(FILE *out, const struct snapshot *s)
{
	const char *between = "";

	for (size_t i = 0; i < s->view.holding && i < NAMED; i++) {
		fputs(between, out);
		write_holder(out, &s->entries[i], &s->people[i]);
		between = ", ";
	}
	if (s->view.holding > NAMED)
		fprintf(out, " and %u more", s->view.holding - NAMED);
	if (s->view.waiting)
		fprintf(out, "%s%u waiting", s->view.holding ? "; " : "",
			s->view.waiting);
}

/* Says who uses it; false if nobody does, by now. */
static bool say_who(const char *name)
{
	struct snapshot s = { 0 };
	bool used = !snapshot_take(&s, name) && s.count;
	char *text = NULL;
	size_t size;
	FILE *out = used ? open_memstream(&text, &size) : NULL;

	if (out) {
		snapshot_find_people(&s);
		write_users(out, &s);
		fclose(out);
		say("line '%s' is in use: %s", name, text);
	}
	free(text);
	snapshot_free(&s);
	return out;
}

int rm_main(int argc, char **argv)
{
	static const struct option options[] = { { 0 } };
	const char *name;
	int error, found;

	opterr = 0;
	found = getopt_long(argc, argv, ":", options, NULL);
	if (found != -1)
		fail_option(argv, found);
	name = only_operand(argc, argv, "NAME");
	error = wicket_remove(name);
	if (error == -EBUSY && say_who(name))
		return EX_TEMPFAIL;
	return error ? say_error(name, error) : 0;
}
