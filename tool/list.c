/* SPDX-License-Identifier: MIT */
/* wicket list: a table of all lines. */
#include <getopt.h>
#include <stdio.h>

#include "tool/json.h"
#include "tool/picture.h"
#include "tool/store.h"
#include "tool/tool.h"

static void print_table(const struct snapshots *all)
{
	struct screen screen = screen_measure();

	if (all->count)
		picture_row(stdout, &screen, "%6s %6s %8s %13s  %s", "slots",
			    "held", "waiting", "longest wait", "line");
	for (size_t i = 0; i < all->count; i++) {
		const struct snapshot *s = &all->lines[i];
		char longest[PICTURE_TIME];

		picture_time(longest, (double)s->view.longest_wait / 1e9);
		picture_row(stdout, &screen, "%6u %6u %8u %13s  %s",
			    s->view.slots, snapshot_held(s),
			    snapshot_waiting(s), longest, s->name);
	}
}

static int list(bool json, const struct store *store)
{
	struct snapshots all;
	int code = store ? store->take_all(&all, NULL) : snapshots_take(&all);

	if (!code) {
		if (json)
			json_print(json_all(&all, json_summary), false);
		else
			print_table(&all);
		code = screen_flush();
	}
	snapshots_free(&all);
	return code;
}

int list_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "store", required_argument, NULL, 's' },
		{ 0 },
	};
	const struct store *store = NULL;
	bool json = false;
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (found == 'j')
			json = true;
		else if (found == 's')
			store = store_at(optarg);
		else
			fail_option(argv, found);
	}
	if (optind < argc)
		fail(EX_USAGE, "list: too many arguments: '%s'; it takes none",
		     argv[optind]);
	return list(json, store);
}
