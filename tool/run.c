/* SPDX-License-Identifier: MIT */
/* wicket run: its options, the line, and the environment of the command. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/command.h"
#include "tool/damage.h"
#include "tool/tool.h"
#include "tool/turn.h"

enum {
	SEATS = 4096, /* thousands can wait */
	OWNER = 0600,
	MODE_MAX = 0777,
	SECONDS_MAX = 1000000000,
	SECOND = 1000000000,
};

struct request {
	const char *name;
	char **command;
	char *shell[4]; /* the command, if it is a string */
	uint32_t slots; /* 0: not said */
	uint32_t mode;
	uint32_t conflict_code;
	const char *slot_var, *map;
	bool is_string, closes, has_timeout, trusts;
	struct patience patience;
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

enum { SLOT_VAR = 256, MAP, MODE, TRUST };

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
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:j:nw:E:ocvhV", longs,
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

static void check_map(const struct request *r)
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
}

static void parse(struct request *r, int argc, char **argv)
{
	parse_options(r, argc, argv);
	if (r->patience.never_waits && r->has_timeout)
		fail(EX_USAGE, "-n and -w: expected one of them");
	if (r->has_timeout && !r->patience.has_deadline)
		r->patience.never_waits = true;
	if (r->map)
		check_map(r);
	if (optind == argc)
		fail(EX_USAGE,
		     "run: expected the name of a line and a command");
	r->name = argv[optind];
	parse_command(r, argv + optind + 1);
	if (r->is_string)
		use_shell(r);
}

/* --- the line ------------------------------------------------------------------ */

static uint32_t slots_of(struct wicket *line)
{
	struct wicket_view view = { 0 };

	wicket_inspect(line, &view, NULL, 0);
	return view.slots;
}

/* The line has another k than -j says: names both. */
static int say_disagreement(const struct request *r)
{
	const struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket *line;
	int error = wicket_open(&line, r->name, &options);
	uint32_t slots;

	if (error)
		return say_error(r->name, error);
	slots = slots_of(line);
	wicket_close(line);
	say("%s: the line has %u slot%s, not %u as -j says", r->name, slots,
	    slots == 1 ? "" : "s", r->slots);
	return EX_CONFIG;
}

static int say_open_error(const struct request *r, int error)
{
	int code;

	if (error == -EEXIST)
		return say_disagreement(r);
	if (error == -ENOENT) {
		say_of_line(r->name,
			    "cannot create the line: no such directory");
		return EX_CANTCREAT;
	}
	code = say_error(r->name, error);
	if (error == -EUSERS)
		return (int)r->conflict_code;
	return code == EX_NOINPUT ? EX_CANTCREAT : code;
}

/* Opens the line as it is, or creates it with one slot for each value. */
static int open_for_map(struct wicket **line, const char *name,
			struct wicket_options options, uint32_t values)
{
	int error;

	do {
		options.slots = 0;
		options.flags &= ~(uint32_t)WICKET_CREATE;
		error = wicket_open(line, name, &options);
		if (error != -ENOENT)
			return error;
		options.slots = values;
		options.flags |= WICKET_CREATE;
		error = wicket_open(line, name, &options);
	} while (error == -EEXIST); /* another process created it first */
	return error;
}

static struct wicket *open_line(const struct request *r)
{
	const uint32_t trust = r->trusts ? WICKET_TRUST : 0;
	const struct wicket_options options = { .slots = r->slots,
						.seats = SEATS,
						.mode = r->mode,
						.flags = WICKET_CREATE |
							 WICKET_CLOCK | trust };
	uint32_t values = r->map ? count_values(r->map) : 0;
	struct wicket *line;
	int error = values && !r->slots ?
			    open_for_map(&line, r->name, options, values) :
			    wicket_open(&line, r->name, &options);

	if (error)
		exit(say_open_error(r, error));
	if (values && slots_of(line) > values)
		fail(EX_CONFIG,
		     "%s: the line has %u slots, more than --map has values "
		     "(%u)",
		     r->name, slots_of(line), values);
	return line;
}

/* --- the turn -------------------------------------------------------------------- */

/* A line in use stays where it is when a better directory appears. */
static void say_where(const struct request *r)
{
	char dir[PATH_MAX], path[PATH_MAX];
	int length = wicket_directory(0, dir, sizeof(dir));

	if (length < 0 || length >= PATH_MAX || strchr(r->name, '/') ||
	    wicket_path(r->name, path, sizeof(path)) < 0 ||
	    (!strncmp(path, dir, (size_t)length) && path[length] == '/'))
		return;
	say("%s: in use in %s; the line moves to %s when it is no longer used",
	    r->name, path, dir);
}

static struct wicket *enter(const struct request *r, struct wicket_grant *grant)
{
	struct wicket *line;
	int error;

	for (;;) {
		line = open_line(r);
		say_where(r);
		error = wait_for_turn(line, r->name, &r->patience, grant);
		if (!error)
			return line;
		wicket_close(line);
		/* removed since it was opened: open or create another */
		if (error != -ESTALE)
			break;
	}
	if (error != -EAGAIN && error != -ETIMEDOUT)
		exit(say_open_error(r, error));
	exit((int)r->conflict_code);
}

static void put(const char *variable, const char *value)
{
	if (setenv(variable, value, 1))
		fail(EX_OSERR, "cannot set %s: %s", variable, strerror(errno));
}

static void put_mapped(const struct request *r, uint32_t slot)
{
	const char *value = r->map;
	char *copy;

	while (slot--)
		value = strchr(value, ',') + 1;
	copy = strndup(value, strcspn(value, ","));
	put(r->slot_var, copy ? copy : "");
	free(copy);
}

static void put_environment(const struct request *r,
			    const struct wicket_grant *grant)
{
	char slot[16], ticket[32];

	snprintf(slot, sizeof(slot), "%u", grant->slot);
	snprintf(ticket, sizeof(ticket), "%u:%u", grant->value, grant->colour);
	put("WICKET_LINE", r->name);
	put("WICKET_SLOT", slot);
	put("WICKET_TICKET", ticket);
	if (r->map)
		put_mapped(r, grant->slot);
	else if (r->slot_var)
		put(r->slot_var, slot);
}

int run_main(int argc, char **argv)
{
	struct request r = { .mode = OWNER, .conflict_code = EX_TEMPFAIL };
	struct wicket_grant grant;
	struct wicket *line;

	parse(&r, argc, argv);
	act_as_init();
	damage_name(r.name);
	line = enter(&r, &grant);
	put_environment(&r, &grant);
	return run_command(line, r.name, r.command, !r.closes);
}
