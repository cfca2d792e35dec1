/* SPDX-License-Identifier: MIT */
/* options - what commands check on their command line. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tool/store.h"
#include "tool/tool.h"

uint32_t parse_number(const char *option, const char *text, uint32_t least,
		      uint32_t most)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long x = 0;

	errno = 0;
	if (digits && !text[digits])
		x = strtoul(text, NULL, 10);
	if (!digits || text[digits] || errno || x < least || x > most)
		fail(EX_USAGE, "%s %s: expected a whole number, %u to %u",
		     option, *text ? text : "''", least, most);
	return (uint32_t)x;
}

void fail_option(char **argv, int found)
{
	const char *typed = argv[optind - 1];

	if (found == ':')
		fail(EX_USAGE, "%s: %s needs a value", argv[0], typed);
	/* a letter may stand among others; a long one that takes no value also
	   has a letter */
	if (optopt && strncmp(typed, "--", 2) != 0)
		fail(EX_USAGE, "%s has no option '-%c'; see wicket --help",
		     argv[0], optopt);
	fail(EX_USAGE, "%s has no option '%s'; see wicket --help", argv[0],
	     typed);
}

const struct store *only_store(int argc, char **argv)
{
	static const struct option options[] = {
		{ "store", required_argument, NULL, 's' },
		{ 0 },
	};
	const struct store *store = NULL;
	int found;

	opterr = 0;
	while ((found = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (found != 's')
			fail_option(argv, found);
		store = store_at(optarg);
	}
	return store;
}

const char *only_operand(int argc, char **argv, const char *what)
{
	if (argc - optind != 1)
		fail(EX_USAGE, "%s: expected %s, and nothing else", argv[0],
		     what);
	return argv[optind];
}
