/* SPDX-License-Identifier: MIT */
/* wicket run: its options, and the environment of the command. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/command.h"
#include "tool/damage.h"
#include "tool/run.h"
#include "tool/tool.h"

enum {
	OWNER = 0600,
	MODE_MAX = 0777,
	SECONDS_MAX = 1000000000,
	TTL_MIN = 2, /* as in wicket-etcd.h */
	TTL_MAX = 86400,
	SECOND = 1000000000,
};

/* --- options ------------------------------------------------------------------ */

static void parse_timeout(struct request *r, const char *text)
{
	struct timespec *end = &r->patience.deadline;
	char *rest;
	double seconds = strtod(text, &rest);

	/* neither a sign nor an exponent nor a word */
	if (text[strspn(text, "0123456789.")] || rest == text || *rest ||
	    seconds > SECONDS_MAX)
		fail(EX_USAGE, "-w %s: expected seconds, 0 to %d, such as 2.5",
		     *text ? text : "''", SECONDS_MAX);
	clock_gettime(CLOCK_MONOTONIC, end);
	end->tv_sec += (time_t)seconds;
	end->tv_nsec += (long)((seconds - (double)(time_t)seconds) * SECOND);
	end->tv_sec += end->tv_nsec / SECOND;
	end->tv_nsec %= SECOND;
	r->has_timeout = true;
	r->patience.has_deadline = seconds > 0;
}

static uint32_t parse_mode(const char *text)
{
	char *end;
	unsigned long mode = strtoul(text, &end, 8);

	if (text[strspn(text, "01234567")] || !*text || mode > MODE_MAX ||
	    (mode & OWNER) != OWNER)
		fail(EX_USAGE,
		     "--mode %s: expected permissions in octal, 600 to 777, "
		     "that let the owner read and write",
		     *text ? text : "''");
	return (uint32_t)mode;
}

static const char *parse_variable(const char *text)
{
	bool good = *text && !isdigit((unsigned char)*text);

	for (const char *c = text; *c; c++)
		good = good && (isalnum((unsigned char)*c) || *c == '_');
	if (!good)
		fail(EX_USAGE,
		     "--slot-var %s: expected the name of a variable: letters, "
		     "digits and _",
		     *text ? text : "''");
	return text;
}

static uint32_t parse_units(const char *text)
{
	return strcmp(text, "all") ?
		       parse_number("-N", text, 1, WICKET_SLOTS_MAX) :
		       RUN_ALL_UNITS;
}

static enum nested parse_nested(const char *text)
{
	static const char *const words[] = {
		[NESTED_PASS] = "pass",
		[NESTED_TAKE] = "take",
		[NESTED_REFUSE] = "refuse",
	};

	for (int i = NESTED_PASS; i <= NESTED_REFUSE; i++) {
		if (!strcmp(text, words[i]))
			return (enum nested)i;
	}
	fail(EX_USAGE, "--nested %s: expected pass, take or refuse",
	     *text ? text : "''");
}

enum { SLOT_VAR = 256, MAP, MODE, TRUST, STORE, TTL, NESTED };

static void parse_option(struct request *r, int option)
{
	switch (option) {
	case 'j':
		r->slots = parse_number("-j", optarg, 1, WICKET_SLOTS_MAX);
		break;
	case 'n':
		r->patience.never_waits = true;
		break;
	case 'w':
		parse_timeout(r, optarg);
		break;
	case 'E':
		r->conflict_code = parse_number("-E", optarg, 0, UINT8_MAX);
		break;
	case 'o':
		r->closes = true;
		break;
	case 'c':
		r->is_string = true;
		break;
	case 'v':
		r->patience.verbose = true;
		break;
	case SLOT_VAR:
		r->slot_var = parse_variable(optarg);
		break;
	case MAP:
		r->map = optarg;
		break;
	case MODE:
		r->mode = parse_mode(optarg);
		break;
	case TRUST:
		r->trusts = true;
		break;
	case 'N':
		r->units = parse_units(optarg);
		break;
	case NESTED:
		r->nested = parse_nested(optarg);
		break;
	case TTL:
		r->ttl = parse_number("--ttl", optarg, TTL_MIN, TTL_MAX);
		break;
	case STORE:
		r->store = store_at(optarg);
		break;
	}
}

static void parse_options(struct request *r, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "slots", required_argument, NULL, 'j' },
		{ "nb", no_argument, NULL, 'n' },
		{ "nonblock", no_argument, NULL, 'n' },
		{ "wait", required_argument, NULL, 'w' },
		{ "timeout", required_argument, NULL, 'w' },
		{ "conflict-exit-code", required_argument, NULL, 'E' },
		{ "close", no_argument, NULL, 'o' },
		{ "command", no_argument, NULL, 'c' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "slot-var", required_argument, NULL, SLOT_VAR },
		{ "map", required_argument, NULL, MAP },
		{ "mode", required_argument, NULL, MODE },
		{ "trust", no_argument, NULL, TRUST },
		{ "store", required_argument, NULL, STORE },
		{ "units", required_argument, NULL, 'N' },
		{ "ttl", required_argument, NULL, TTL },
		{ "nested", required_argument, NULL, NESTED },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:j:nw:E:ocvN:hV", longs,
				     NULL)) != -1) {
		if (option == '?' || option == ':')
			fail_option(argv, option);
		if (option == 'h' || option == 'V')
			answer(option);
		parse_option(r, option);
	}
}

/* The command after NAME; -c may stand there, as with flock(1). */
static void parse_command(struct request *r, char **words)
{
	const char *first = *words ? *words : "";

	if (!r->is_string &&
	    (!strcmp(first, "-c") || !strcmp(first, "--command"))) {
		r->is_string = true;
		words++;
	} else if (!strcmp(first, "--")) {
		words++;
	} else if (*first == '-') {
		fail(EX_USAGE,
		     "%s: options go before the name of the line; a command "
		     "that begins with '-' goes after --",
		     first);
	}
	if (!*words)
		fail(EX_USAGE, "run: expected %s after %s",
		     r->is_string ? "a string for the shell" : "a command",
		     r->name);
	if (r->is_string && words[1])
		fail(EX_USAGE,
		     "-c: expected one string for the shell; %s is "
		     "one too many",
		     words[1]);
	r->command = words;
}

static void use_shell(struct request *r)
{
	static char dash_c[] = "-c", sh[] = "/bin/sh";
	char *shell = getenv("SHELL");

	r->shell[0] = shell && *shell ? shell : sh;
	r->shell[1] = dash_c;
	r->shell[2] = r->command[0];
	r->command = r->shell;
}

static uint32_t count_values(const char *map)
{
	uint32_t count = 1;

	for (; *map; map++)
		count += *map == ',';
	return count;
}

static void check_map(struct request *r)
{
	uint32_t values = count_values(r->map);

	if (!r->slot_var)
		fail(EX_USAGE, "--map needs --slot-var, the variable to put "
			       "the value into");
	if (values > WICKET_SLOTS_MAX)
		fail(EX_USAGE,
		     "--map: %u values are too many; a line has at "
		     "most %d slots",
		     values, WICKET_SLOTS_MAX);
	if (r->slots > values)
		fail(EX_USAGE,
		     "--map has %u value%s, too few for the %u slots of -j",
		     values, values == 1 ? "" : "s", r->slots);
	r->values = values;
}

/* What belongs to a file, and what belongs to a store. */
static void check_place(const struct request *r)
{
	if (!r->store && r->ttl)
		fail(EX_USAGE, "--ttl needs --store: only a line in a store "
			       "has leases");
	if (r->store &&
	    (r->nested == NESTED_PASS || r->nested == NESTED_REFUSE))
		fail(EX_USAGE,
		     "--nested and --store: expected take; a line in a store "
		     "does not know what runs inside");
	if (r->store && (r->mode || r->trusts))
		fail(EX_USAGE,
		     "%s and --store: a store has users of its own, and a line "
		     "in it has no file",
		     r->mode ? "--mode" : "--trust");
}

/* Before a line is made that has fewer slots than are wanted of it. */
static void check_units(const struct request *r)
{
	uint32_t most = r->slots ? r->slots : r->values;

	if (most && r->units != RUN_ALL_UNITS && r->units > most)
		fail(EX_CONFIG, "%s: %s has %u slot%s, fewer than -N %u",
		     r->name, r->slots ? "a line of -j" : "a line of --map",
		     most, most == 1 ? "" : "s", r->units);
}

static void parse(struct request *r, int argc, char **argv)
{
	clock_gettime(CLOCK_MONOTONIC, &r->patience.began);
	parse_options(r, argc, argv);
	if (r->patience.never_waits && r->has_timeout)
		fail(EX_USAGE, "-n and -w: expected one of them");
	if (r->has_timeout && !r->patience.has_deadline)
		r->patience.never_waits = true;
	check_place(r);
	if (r->map)
		check_map(r);
	if (optind == argc)
		fail(EX_USAGE,
		     "run: expected the name of a line and a command");
	r->name = argv[optind];
	check_units(r);
	parse_command(r, argv + optind + 1);
	if (r->is_string)
		use_shell(r);
}

/* --- the line ------------------------------------------------------------------ */

int say_disagreement(const struct request *r, uint32_t slots)
{
	say("%s: the line has %u slot%s, not %u as -j says", r->name, slots,
	    slots == 1 ? "" : "s", r->slots);
	return EX_CONFIG;
}

void check_values(const struct request *r, uint32_t slots)
{
	if (slots > r->values)
		fail(EX_CONFIG,
		     "%s: the line has %u slots, more than --map has values "
		     "(%u)",
		     r->name, slots, r->values);
}

/* --- the environment of the command ----------------------------------------------- */

static void put(const char *variable, const char *value)
{
	if (setenv(variable, value, 1))
		fail(EX_OSERR, "cannot set %s: %s", variable, strerror(errno));
}

/* The values of the slots, by commas: each is shorter than the map. */
static void put_mapped(const struct request *r, const struct grant *grant)
{
	char *all = calloc(grant->units, strlen(r->map) + 1), *end = all;

	if (!all)
		fail(EX_OSERR, "out of memory");
	for (uint32_t i = 0; i < grant->units; i++) {
		const char *value = r->map;

		for (uint32_t slot = grant->slots[i]; slot; slot--)
			value = strchr(value, ',') + 1;
		if (i)
			*end++ = ',';
		end = mempcpy(end, value, strcspn(value, ","));
	}
	put(r->slot_var, all);
	free(all);
}

/* Of this slot, and of those around it, which may be of other lines. */
static void put_tags(uint64_t tag)
{
	const char *around = getenv("WICKET_TAG");
	char *all;

	if (asprintf(&all, "%ju%s%s", (uintmax_t)tag,
		     around && *around ? "," : "", around ? around : "") < 0)
		fail(EX_OSERR, "out of memory");
	put("WICKET_TAG", all);
	free(all);
}

static void put_environment(const struct request *r, const struct grant *grant)
{
	char slots[LINE_SLOTS_TEXT], number[32];

	put("WICKET_LINE", r->name);
	snprintf(number, sizeof(number), "%u", grant->slots[0]);
	put("WICKET_SLOT", number);
	line_write_slots(grant, slots);
	put("WICKET_SLOTS", slots);
	snprintf(number, sizeof(number), "%u:%u", grant->value, grant->colour);
	put("WICKET_TICKET", number);
	snprintf(number, sizeof(number), "%jd", (intmax_t)grant->fence);
	if (grant->fence)
		put("WICKET_FENCE", number);
	else
		unsetenv("WICKET_FENCE"); /* of a line around this one */
	if (grant->tag)
		put_tags(grant->tag);
	if (r->map)
		put_mapped(r, grant);
	else if (r->slot_var)
		put(r->slot_var, slots);
}

int run_main(int argc, char **argv)
{
	struct request r = { .conflict_code = EX_TEMPFAIL };
	struct grant grant = { 0 };
	struct line line;

	parse(&r, argc, argv);
	act_as_init();
	damage_name(r.name);
	if (r.store)
		r.store->enter(&r, &line, &grant);
	else
		here_enter(&r, &line, &grant);
	put_environment(&r, &grant);
	return run_command(&line, r.command);
}
