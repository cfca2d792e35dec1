/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "verify/error.h"
#include "verify/explore/team.h"
#include "verify/options.h"
#include "verify/task.h"

struct row {
	const char *name;     /* -LETTER or --NAME */
	const char *argument; /* null: none; in lower case: what it may be */
	uint32_t commands;    /* that take it */
	/* Sets the field, and what else there is to set. */
	void (*parse)(struct options *o, const struct row *row,
		      const char *text);
	size_t field; /* of struct options */
	const char *says;
};

/* --- by the type of the field --------------------------------------------- */

static void *field(struct options *o, const struct row *row)
{
	return (char *)o + row->field;
}

static void flag(struct options *o, const struct row *row, const char *text)
{
	(void)text;
	*(bool *)field(o, row) = true;
}

static void name(struct options *o, const struct row *row, const char *text)
{
	*(const char **)field(o, row) = text;
}

static void count(struct options *o, const struct row *row, const char *text)
{
	char *end;
	unsigned long x;

	errno = 0;
	x = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end)
		fail(EX_USAGE, "%s %s: expected a whole number", row->name,
		     text);
	if (errno || x > INT32_MAX)
		fail(EX_DATAERR, "%s %s: that is too large", row->name, text);
	*(uint32_t *)field(o, row) = (uint32_t)x;
}

static void seconds(struct options *o, const struct row *row, const char *text)
{
	char *end;
	double x = strtod(text, &end);

	if (text[strspn(text, "0123456789.")] || *end || !(x > 0) || x > 1e9)
		fail(EX_USAGE, "%s %s: expected seconds above 0", row->name,
		     text);
	*(double *)field(o, row) = x;
}

static void size(struct options *o, const struct row *row, const char *text)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long x;
	const char *unit;
	size_t shift = 0;

	errno = 0;
	x = strtoull(text, &end, 10);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (size_t)(unit - units + 1);
		end += strcasecmp(end + 1, "iB") ? 1 : 3;
	}
	if (!isdigit((unsigned char)*text) || *end || errno || !x ||
	    x > SIZE_MAX >> shift)
		fail(EX_USAGE, "%s %s: expected a size such as 512M or 2G",
		     row->name, text);
	*(size_t *)field(o, row) = (size_t)x << shift;
}

/* --- those that are special ----------------------------------------------- */

static void n(struct options *o, const struct row *row, const char *text)
{
	count(o, row, text);
	o->n_given = true;
}

static void k(struct options *o, const struct row *row, const char *text)
{
	count(o, row, text);
	o->k_given = true;
}

static void cap(struct options *o, const struct row *row, const char *text)
{
	count(o, row, text);
	if (!o->cap)
		fail(EX_DATAERR, "%s 0: expected 1 or more", row->name);
}

static void threads(struct options *o, const struct row *row, const char *text)
{
	count(o, row, text);
	if (o->limits.threads < 1 || o->limits.threads > TEAM_MAX)
		fail(EX_DATAERR, "--threads %" PRIu32 ": expected 1 to %d",
		     o->limits.threads, TEAM_MAX);
}

/* Only processes can be killed. */
static void kills(struct options *o, const struct row *row, const char *text)
{
	enum { KILLS_MAX = 10000 };

	count(o, row, text);
	if (o->exec.kill < 1 || o->exec.kill > KILLS_MAX)
		fail(EX_DATAERR,
		     "--kill %" PRIu32 ": expected 1 to %d per second",
		     o->exec.kill, KILLS_MAX);
	o->exec.processes = true;
}

static void property(struct options *o, const struct row *row, const char *text)
{
	(void)row;
	if (o->properties == FINDINGS_MAX - 1)
		fail(EX_USAGE, "too many properties");
	o->property[o->properties++] = text;
}

/* It is none of those that the row names. */
_Noreturn static void refuse(const struct row *row, const char *text)
{
	fail(EX_USAGE, "%s %s: expected %s", row->name, text, row->argument);
}

static void registers(struct options *o, const struct row *row,
		      const char *text)
{
	o->world.safe = !strcmp(text, "safe");
	if (!o->world.safe && strcmp(text, "atomic") != 0)
		refuse(row, text);
}

static void failures(struct options *o, const struct row *row, const char *text)
{
	if (strcmp(text, row->argument) != 0)
		refuse(row, text);
	o->world.failures = true;
}

static void sleeps(struct options *o, const struct row *row, const char *text)
{
	if (!sleep_find(text, &o->world.sleep))
		refuse(row, text);
}

static void memory_model(struct options *o, const struct row *row,
			 const char *text)
{
	if (!memory_find(text, &o->world.memory))
		refuse(row, text);
}

static void buffer(struct options *o, const struct row *row, const char *text)
{
	count(o, row, text);
	if (o->world.buffer < 1 || o->world.buffer > BUFFER_MAX)
		fail(EX_DATAERR, "--buffer %" PRIu32 ": expected 1 to %d",
		     o->world.buffer, BUFFER_MAX);
}

static void order(struct options *o, const struct row *row, const char *text)
{
	if (!exec_order(text, &o->exec.order))
		refuse(row, text);
}

static void schedule(struct options *o, const struct row *row, const char *text)
{
	if (!random_schedule(text, &o->random.adversarial))
		refuse(row, text);
}

/* --- the rows ------------------------------------------------------------- */

enum {
	SIZED = CHECK | EQUIV | ADVERSARY | SPACE | EXEC | RANDOM,
	EXPLORED = CHECK | EQUIV | SPACE | TABLE | REPLAY,
	LIMITED = CHECK | EQUIV | SPACE | TABLE | REPLAY | RANDOM,
};

#define AT(field) offsetof(struct options, field)

/* In the order of --help. */
static const struct row rows[] = {
	{ "-n", "N", SIZED, n, AT(n), "processes, 2 to 16" },
	{ "-k", "K", SIZED, k, AT(k),
	  "slots, 1 to N-1 (default: 1 if it must be)" },
	{ "-r", "R", CHECK | EQUIV | SPACE | EXEC | RANDOM, count, AT(r),
	  "fewer than R processes fail (default: 1)" },
	{ "--property", "P", CHECK | RANDOM, property, AT(property),
	  "property, label of an invariant, or invariants" },
	{ "--registers", "atomic|safe", CHECK, registers, AT(world.safe),
	  "safe: a read during a write sees anything" },
	{ "--memory-model", "sc|tso", CHECK | RANDOM, memory_model,
	  AT(world.memory), "tso: stores wait in buffers, as on x86-64" },
	{ "--buffer", "N", CHECK | RANDOM, buffer, AT(world.buffer),
	  "tso: so many in each, 1 to 8 (default: 4)" },
	{ "--crashes", "C", CHECK, count, AT(world.crashes),
	  "at most C processes stop forever, outside R" },
	{ "--mid-write", NULL, CHECK, flag, AT(world.mid_write),
	  "they may stop in the middle of a safe write" },
	{ "--failures", "announced", CHECK, failures, AT(world.failures),
	  "any number of failures, each with a restart" },
	{ "--cap", "C", CHECK, cap, AT(cap),
	  "numbers that grow: up to C (default: 2N)" },
	{ "--seats", "S", CHECK, count, AT(seats),
	  "recoverable: seats (default: N)" },
	{ "--laps", "L", CHECK, count, AT(laps),
	  "recoverable: how often each process comes" },
	{ "--abandons", "A", CHECK, count, AT(world.abandons),
	  "recoverable: how often a process gives up" },
	{ "--sleep", "generous|exact|timed", CHECK, sleeps, AT(world.sleep),
	  "recoverable: when a sleeper wakes" },
	{ "--symmetry", NULL, CHECK, flag, AT(symmetry),
	  "of states that differ in who is who, keep one" },
	{ "--trace", "FILE", CHECK | ADVERSARY, name, AT(trace),
	  "write the first counterexample there" },
	{ "--plot", "FILE", SPACE, name, AT(plot),
	  "draw the values over all n up to N" },
	{ "--growth", "FILE", SPACE, name, AT(growth),
	  "draw how the bounds grow, n up to 65536" },
	{ "--bits", NULL, SPACE, flag, AT(bits),
	  "bits of a line as n and k grow" },
	{ "--seconds", "S", EXEC, seconds, AT(exec.seconds),
	  "how long (default: 1)" },
	{ "--processes", NULL, EXEC, flag, AT(exec.processes),
	  "instead of threads" },
	{ "--kill", "R", EXEC, kills, AT(exec.kill),
	  "kill R processes per second" },
	{ "--order", "relaxed|acqrel|seq-cst", EXEC, order, AT(exec.order),
	  "how accesses are ordered" },
	{ "--steps", "S", RANDOM, count, AT(random.steps),
	  "how many (default: 1000000)" },
	{ "--seed", "S", RANDOM, count, AT(random.seed),
	  "another run (default: 1)" },
	{ "--schedule", "uniform|adversarial", RANDOM, schedule,
	  AT(random.adversarial), "who takes steps, how often" },
	{ "--upto", "N", TABLE, count, AT(upto),
	  "largest number of processes (default: 4)" },
	{ "--step", NULL, REPLAY, flag, AT(step),
	  "show each step when Enter is pressed" },
	{ "--memory", "SIZE", LIMITED, size, AT(limits.memory),
	  "stop undecided beyond it (suffix K, M, G, T)" },
	{ "--timeout", "SECS", LIMITED, seconds, AT(limits.timeout),
	  "stop undecided after so many seconds" },
	{ "--threads", "N", EXPLORED, threads, AT(limits.threads),
	  "so many at once (default: one a processor)" },
	{ "--json", NULL, EVERY, flag, AT(json),
	  "one object on standard output" },
};

enum { ROWS = sizeof(rows) / sizeof(*rows), FIRST_LONG = 256 };

static bool is_long(const struct row *row)
{
	return row->name[1] == '-';
}

/* What getopt_long returns for it. */
static int value_of(size_t i)
{
	return is_long(&rows[i]) ? FIRST_LONG + (int)i : rows[i].name[1];
}

static const struct row *next_row(const struct command *c, int argc,
				  char **argv)
{
	struct option longs[ROWS + 1] = { 0 };
	char letters[2 * ROWS + 2] = ":";
	size_t end = 1, count_longs = 0, i = 0;
	int found;

	for (; i < ROWS; i++) {
		if (is_long(&rows[i]))
			longs[count_longs++] = (struct option){
				.name = rows[i].name + 2,
				.has_arg = !!rows[i].argument,
				.val = value_of(i),
			};
		else
			end += (size_t)sprintf(letters + end, "%s%s",
					       rows[i].name + 1,
					       rows[i].argument ? ":" : "");
	}
	opterr = 0;
	found = getopt_long(argc, argv, letters, longs, NULL);
	if (found == -1)
		return NULL;
	if (found == ':')
		fail(EX_USAGE, "%s needs a value", argv[optind - 1]);
	if (found == '?' && optopt >= FIRST_LONG)
		fail(EX_USAGE, "%s: this option takes no value",
		     argv[optind - 1]);
	if (found == '?' && optopt)
		fail(EX_USAGE, "no option '-%c'; see wicket-verify --help",
		     optopt);
	if (found == '?')
		fail(EX_USAGE, "no option '%s'; see wicket-verify --help",
		     argv[optind - 1]);
	for (i = 0; value_of(i) != found;)
		i++;
	if (!(rows[i].commands & c->bit))
		fail(EX_USAGE, "%s does not take the option '%s'", c->name,
		     rows[i].name);
	return &rows[i];
}

/* The size must be given; but k may be left out where it can only be 1. */
static void settle_size(struct options *o, const struct command *c,
			char **operand)
{
	bool one = o->n == 2;

	for (int i = 0; i < c->operands; i++)
		one |= task_admits_one_slot_only(
			operand[i], (struct wicket_cfg){ .n = o->n,
							 .k = 1,
							 .r = o->r,
							 .seats = o->seats,
							 .laps = o->laps });
	if (!o->n_given)
		fail(EX_USAGE, "%s: -n is needed: how many processes", c->name);
	if (!o->k_given && !one)
		fail(EX_USAGE, "%s: -k is needed: how many slots", c->name);
	if (!o->k_given)
		o->k = 1;
}

/* The synopsis begins with their names; the options follow. */
static void check_operands(const struct command *c, int got, char **operand)
{
	size_t length = strcspn(c->synopsis, "-");

	while (length && c->synopsis[length - 1] == ' ')
		length--;
	if (got < c->operands)
		fail(EX_USAGE, "%s: expected %.*s; see wicket-verify --help",
		     c->name, (int)length, c->synopsis);
	if (got > c->operands)
		fail(EX_USAGE,
		     "%s: '%s' is one operand too many; see "
		     "wicket-verify --help",
		     c->name, operand[c->operands]);
}

void options_parse(struct options *o, const struct command *c, int argc,
		   char **argv)
{
	const struct row *row;

	*o = (struct options){ .r = 1,
			       .upto = 4,
			       .exec = exec_defaults,
			       .random = random_defaults };
	while ((row = next_row(c, argc, argv)))
		row->parse(o, row, optarg);
	check_operands(c, argc - optind, argv + optind);
	if (c->bit & SIZED && !o->bits && !o->growth)
		settle_size(o, c, argv + optind);
}

void options_help(const struct command *c)
{
	printf("usage: wicket-verify %s %s%s[OPTION]...\n%s\n", c->name,
	       c->synopsis, *c->synopsis ? " " : "", c->says);
	for (size_t i = 0; i < ROWS; i++) {
		const char *argument = rows[i].argument;

		if (rows[i].commands & c->bit)
			printf("  %s%s%-*s %s\n", rows[i].name,
			       argument ? " " : "",
			       31 - (int)strlen(rows[i].name) - !!argument,
			       argument ? argument : "", rows[i].says);
	}
	printf("  %-31s this help\n", "-h, --help");
}
