/* SPDX-License-Identifier: MIT */
/* wicket resize: changes the number of slots of a line in a store. */
#include <getopt.h>

#include "tool/store.h"
#include "tool/tool.h"

int resize_main(int argc, char **argv)
{
	const struct store *store = only_store(argc, argv);
	uint32_t slots;

	if (argc - optind != 2)
		fail(EX_USAGE, "resize: expected NAME and a number of slots");
	slots = parse_number("resize: slots", argv[optind + 1], 0,
			     WICKET_SLOTS_MAX);
	if (!store)
		fail(EX_USAGE,
		     "resize needs --store: a line of one machine keeps its "
		     "number of slots; remove it when it is idle, and create "
		     "it again");
	return store->resize(argv[optind], slots);
}
