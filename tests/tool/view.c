/* SPDX-License-Identifier: MIT */
/*
 * view - what wicket_inspect says of a line, for the tests, which shall not
 * depend on wicket(1) for it.  Answers each line read by one line of JSON:
 * everything, or only the numbers if the line read is "numbers"; null if there
 * is no such line.
 * usage: view NAME
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "wicket.h"

static struct wicket_entry entries[WICKET_SEATS_MAX + WICKET_SLOTS_MAX];

enum { ROOM = sizeof(entries) / sizeof(*entries) };

static void print_numbers(const struct wicket_view *view)
{
	printf("{\"slots\": %" PRIu32 ", \"seats\": %" PRIu32
	       ", \"seated\": %" PRIu32 ", \"holding\": %" PRIu32
	       ", \"waiting\": %" PRIu32 ", \"grants\": %" PRIu64
	       ", \"recovered\": %" PRIu64 ", \"abandoned\": %" PRIu64,
	       view->slots, view->seats, view->seated, view->holding,
	       view->waiting, view->grants, view->recovered, view->abandoned);
}

static void print_entry(const struct wicket_entry *entry)
{
	printf("{\"pid\": %" PRId32 ", \"flags\": %" PRIu32
	       ", \"place\": %" PRIu32 ", \"ticket\": \"%" PRIu32 ":%" PRIu32
	       "\", \"seat\": %" PRIu32 ", \"since\": %" PRIu64 "}",
	       entry->pid, entry->flags, entry->place, entry->value,
	       entry->colour, entry->seat, entry->since);
}

static void answer(struct wicket *line, bool all)
{
	struct wicket_view view;
	int count = wicket_inspect(line, &view, entries, ROOM);

	if (count < 0) {
		printf("{\"error\": %d}\n", count);
		return;
	}
	print_numbers(&view);
	printf(", \"entries\": [");
	for (int i = 0; all && i < count; i++) {
		printf("%s", i ? ", " : "");
		print_entry(&entries[i]);
	}
	printf("]}\n");
}

int main(int argc, char **argv)
{
	const struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket *line = NULL;
	char asked[16];

	if (argc != 2) {
		fprintf(stderr, "usage: view NAME\n");
		return 2;
	}
	while (fgets(asked, sizeof(asked), stdin)) {
		if (!line && wicket_open(&line, argv[1], &options) < 0) {
			line = NULL;
			printf("null\n");
		} else {
			answer(line, strcmp(asked, "numbers\n") != 0);
		}
		fflush(stdout);
	}
	if (line)
		wicket_close(line);
	return 0;
}
