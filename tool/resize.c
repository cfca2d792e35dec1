/* SPDX-License-Identifier: MIT */
/* wicket resize: changes the number of slots of a line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "tool/damage.h"
#include "tool/store.h"
#include "tool/tool.h"

enum { LOOK = 50000000 }; /* ns, how often --wait looks */

struct order {
	const struct store *store;
	const char *name;
	uint32_t slots;
	bool waits;
};

static void parse(struct order *o, int argc, char **argv)
{
	static const struct option options[] = {
		{ "store", required_argument, NULL, 's' },
		{ "wait", no_argument, NULL, 'w' },
		{ 0 },
	};
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (found == 's')
			o->store = store_at(optarg);
		else if (found == 'w')
			o->waits = true;
		else
			fail_option(argv, found);
	}
	if (argc - optind != 2)
		fail(EX_USAGE, "resize: expected NAME and a number of slots");
	if (o->store && o->waits)
		fail(EX_USAGE, "--wait and --store: a line in a store is not "
			       "waited for");
	o->name = argv[optind];
	o->slots = parse_number("resize: slots", argv[optind + 1], 0,
				WICKET_SLOTS_MAX);
}

static struct wicket_view view_of(struct wicket *line)
{
	struct wicket_view v = { 0 };

	wicket_inspect(line, &v, NULL, 0);
	return v;
}

static int say_most(const char *name, uint32_t slots, struct wicket *line)
{
	uint32_t most = view_of(line).slots_max;

	say("%s: %u slots are more than this line can have: it was created for "
	    "at most %u; remove it when it is idle, and create it anew",
	    name, slots, most);
	return EX_CONFIG;
}

static void report(const struct order *o, int holders)
{
	printf("%s: %u slot%s", o->name, o->slots, o->slots == 1 ? "" : "s");
	if (holders)
		printf(", once %d holder%s finished", holders,
		       holders == 1 ? " has" : "s have");
	printf("\n");
	fflush(stdout);
}

/* Until enough holders have finished.  Trying finds the dead among them, too. */
static int wait_for_holders(struct wicket *line, const struct order *o)
{
	const struct timespec nap = { .tv_nsec = LOOK };
	struct wicket_view v = view_of(line);

	while (v.open > v.slots && v.slots == o->slots) {
		int error;

		nanosleep(&nap, NULL);
		error = wicket_try(line, NULL);
		if (!error)
			wicket_release(line);
		else if (error != -EAGAIN)
			return error;
		v = view_of(line);
	}
	if (v.slots == o->slots)
		return 0;
	say("%s: somebody else changed it to %u slot%s meanwhile", o->name,
	    v.slots, v.slots == 1 ? "" : "s");
	return EX_TEMPFAIL;
}

static int resize(struct wicket *line, const struct order *o)
{
	int left = wicket_resize(line, o->slots), result = 0;

	if (left == -ERANGE)
		return say_most(o->name, o->slots, line);
	if (left >= 0)
		report(o, left);
	if (left > 0 && o->waits)
		result = wait_for_holders(line, o);
	if (left < 0 || result < 0)
		return say_error(o->name, left < 0 ? left : result);
	return result;
}

int resize_main(int argc, char **argv)
{
	struct order o = { 0 };
	struct wicket *line;
	int error;

	parse(&o, argc, argv);
	if (o.store)
		return o.store->resize(o.name, o.slots);
	damage_name(o.name);
	error = wicket_open(&line, o.name, NULL);
	if (error)
		return say_error(o.name, error);
	error = resize(line, &o);
	wicket_close(line);
	return error;
}
