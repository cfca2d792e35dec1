/* SPDX-License-Identifier: MIT */
/* options - the command line of wicket-verify: one row for one option. */
#ifndef VERIFY_OPTIONS_H
#define VERIFY_OPTIONS_H

#include "verify/exec.h"
#include "verify/random.h"

struct options {
	uint32_t n, k, r, upto, seats, laps, cap;
	bool n_given, k_given, json, step, bits, symmetry;
	struct world world;
	const char *property[FINDINGS_MAX];
	size_t properties;
	const char *trace, *plot, *growth;
	struct limits limits;
	struct exec_options exec;
	struct random_options random;
};

/* Sets of commands: whoever takes an option. */
enum {
	LIST = 1 << 0,
	CHECK = 1 << 1,
	EQUIV = 1 << 2,
	ADVERSARY = 1 << 3,
	SPACE = 1 << 4,
	EXEC = 1 << 5,
	TABLE = 1 << 6,
	REPLAY = 1 << 7,
	RANDOM = 1 << 8,
	EVERY = (1 << 9) - 1,
};

struct command {
	const char *name;
	uint32_t bit; /* one of the above */
	int operands;
	const char *synopsis; /* after the name: operands, then options */
	const char *says;
	int (*run)(const struct options *o, char **operand);
};

/*
 * Reads what follows the command; optind is then its first operand.  Fails (64,
 * 65) if an option is unknown, not for this command or has a wrong value, and if
 * the number of operands or the size is missing.
 */
void options_parse(struct options *o, const struct command *c, int argc,
		   char **argv);

/* Prints the command's options; completion reads this (completions/). */
void options_help(const struct command *c);

#endif
