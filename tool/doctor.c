/* SPDX-License-Identifier: MIT */
/* wicket doctor: reports damage, and notes what is worth knowing. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>

#include "tool/text.h"
#include "tool/tool.h"
#include "tool/users.h"

/* The report starts with the path, unless the line does not exist. */
struct report {
	const char *name;
	bool begun;
};

static void begin(struct report *r)
{
	char path[PATH_MAX];

	if (!r->begun && wicket_path(r->name, path, sizeof(path)) >= 0) {
		text_make_printable(path);
		printf("%s\n", path);
	}
	r->begun = true;
}

static void tell(void *arg, enum wicket_finding kind, const char *text)
{
	begin(arg);
	printf("%s: %s\n", kind == WICKET_WRONG ? "wrong" : "note", text);
}

/* A stopped process keeps its slot: that is correct, but rarely intended. */
static void note_stopped(const char *name)
{
	struct snapshot s = { 0 };

	if (!snapshot_take(&s, name)) {
		snapshot_find_people(&s);
		for (size_t i = 0; i < s.view.holding && i < s.count; i++) {
			if (person_is_stopped(&s.people[i]))
				printf("note: pid %d (%s) in slot %u is "
				       "stopped\n",
				       s.entries[i].pid, s.people[i].comm,
				       s.entries[i].place);
		}
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
	static const struct option options[] = { { 0 } };
	struct report report = { 0 };
	int found, wrong;
	bool deleted;

	opterr = 0;
	found = getopt_long(argc, argv, ":", options, NULL);
	if (found != -1)
		fail_option(argv, found);
	report.name = only_operand(argc, argv, "NAME");
	wrong = wicket_check(report.name, tell, &report);
	deleted = users_say_deleted(report.name);
	if (wrong >= 0) {
		begin(&report);
		/* the users of a damaged line are not known */
		if (!wrong)
			note_stopped(report.name);
		sum_up(report.name, wrong);
	}
	if (fflush(stdout))
		fail(EX_IOERR, "cannot write to standard output");
	return wrong < 0 ? say_error(report.name, wrong) : wrong > 0 || deleted;
}
