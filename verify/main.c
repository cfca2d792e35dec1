/* SPDX-License-Identifier: MIT */
/* wicket-verify(1): the command line. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "algo/registry.h"
#include "verify/adversary.h"
#include "verify/exec.h"
#include "verify/names.h"
#include "verify/output.h"
#include "verify/report.h"
#include "verify/show.h"
#include "verify/space.h"
#include "verify/table.h"
#include "verify/trace.h"
#include "verify/whole.h"

#ifndef WICKET_VERSION
#define WICKET_VERSION "unknown"
#endif

static const char usage[] =
	"usage: wicket-verify list | table [--upto N] | replay FILE [--step]\n"
	"       wicket-verify check ALGO -n N [-k K] [OPTION]...\n"
	"       wicket-verify equiv ALGO ALGO -n N [-k K] | space -n N [-k K] [--plot F]\n"
	"       wicket-verify adversary|exec ALGO -n N [-k K] [--seconds S] [--processes]\n"
	"\n"
	"  -n N, -k K        processes, 2 to 16; slots, 1 to N-1 (implied if k must be 1)\n"
	"  -r R              robustness: fewer than R processes fail (default 1)\n"
	"  --property P      a property, the label of an invariant, or 'invariants'\n"
	"                    for all of them (default: what the paper discusses)\n"
	"  --registers safe  a write is two steps, who reads between sees anything\n"
	"  --crashes C       at most C processes stop for ever, outside R\n"
	"  --mid-write       also in the middle of a safe write\n"
	"  --failures announced  any number of failures, each with a restart\n"
	"  --seats S, --laps L, --abandons A, --sleep timed|exact  for recoverable\n"
	"  --trace FILE      write the first counterexample there\n"
	"  --kill R, --order relaxed|acqrel|seq-cst  exec: kill R a second; memory\n"
	"  --upto N, --cap C, --step  sizes, numbers up to (4, 2N); step by step\n"
	"  --memory SIZE, --timeout SECS  stop undecided beyond (suffix K, M, G)\n"
	"  --json            one object on standard output\n"
	"  -h, -V            this help; the version\n"
	"\n"
	"ALGO is NAME[:VARIANT][@MUTANT]; list shows them. Exit: 0 holds, 1 fails,\n"
	"64 usage, 65 impossible parameters, 66 input file, 69 memory limit, 70 ALGO is\n"
	"wrong, 71 no processes, 73 cannot write, 75 time limit.\n";

struct options {
	uint32_t n, k, r, upto, seats, laps, cap;
	bool n_given, k_given, json, step, bits;
	struct world world;
	const char *property[FINDINGS_MAX];
	size_t properties;
	const char *trace, *plot;
	size_t memory;
	double timeout;
	struct exec_options exec;
};

static uint32_t parse_count(const char *option, const char *text)
{
	char *end;
	unsigned long x;

	errno = 0;
	x = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end)
		fail(EX_USAGE, "%s %s: expected a whole number", option, text);
	if (errno || x > INT32_MAX)
		fail(EX_DATAERR, "%s %s: that is too large", option, text);
	return (uint32_t)x;
}

static size_t parse_size(const char *text)
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
		fail(EX_USAGE,
		     "--memory %s: expected a size such as 512M or 2G", text);
	return (size_t)x << shift;
}

static double parse_seconds(const char *option, const char *text)
{
	char *end;
	double x = strtod(text, &end);

	if (text[strspn(text, "0123456789.")] || *end || !(x > 0) || x > 1e9)
		fail(EX_USAGE, "%s %s: expected seconds above 0", option, text);
	return x;
}

enum {
	PROPERTY = 256,
	TRACE,
	MEMORY,
	TIMEOUT,
	UPTO,
	STEP,
	JSON,
	REGISTERS,
	CRASHES,
	ABANDONS,
	SEATS,
	LAPS,
	SLEEP,
	MID_WRITE,
	FAILURES,
	PLOT,
	BITS,
	SECONDS,
	PROCESSES,
	KILL,
	ORDER,
	CAP,
};

/* Each command lists the options it takes, as far as it takes any. */
struct command {
	const char *name;
	const char *takes; /* letters, and p t m T u s for the long ones */
	int operands;
	int (*run)(const struct options *o, char **operand);
};

static int letter_of(int option)
{
	static const char letters[] = "ptmTusjRCASLZMFPBxcKOQ";

	return option >= PROPERTY ? letters[option - PROPERTY] : option;
}

/* The size must be given; but k may be left out where it can only be 1. */
static void settle_size(struct options *o, const struct command *c,
			char **operand)
{
	bool one = o->n == 2;

	for (int i = 0; i < c->operands; i++)
		one |= names_admits_one_slot_only(
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

static void parse(struct options *o, const struct command *c, int argc,
		  char **argv)
{
	static const struct option longs[] = {
		{ "property", required_argument, NULL, PROPERTY },
		{ "trace", required_argument, NULL, TRACE },
		{ "memory", required_argument, NULL, MEMORY },
		{ "timeout", required_argument, NULL, TIMEOUT },
		{ "upto", required_argument, NULL, UPTO },
		{ "step", no_argument, NULL, STEP },
		{ "json", no_argument, NULL, JSON },
		{ "registers", required_argument, NULL, REGISTERS },
		{ "crashes", required_argument, NULL, CRASHES },
		{ "abandons", required_argument, NULL, ABANDONS },
		{ "seats", required_argument, NULL, SEATS },
		{ "laps", required_argument, NULL, LAPS },
		{ "sleep", required_argument, NULL, SLEEP },
		{ "mid-write", no_argument, NULL, MID_WRITE },
		{ "failures", required_argument, NULL, FAILURES },
		{ "plot", required_argument, NULL, PLOT },
		{ "bits", no_argument, NULL, BITS },
		{ "seconds", required_argument, NULL, SECONDS },
		{ "processes", no_argument, NULL, PROCESSES },
		{ "kill", required_argument, NULL, KILL },
		{ "order", required_argument, NULL, ORDER },
		{ "cap", required_argument, NULL, CAP },
		{ 0 },
	};
	int option;

	*o = (struct options){ .r = 1, .upto = 4, .exec = exec_defaults };
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":n:k:r:", longs, NULL)) !=
	       -1) {
		if (option == ':')
			fail(EX_USAGE, "%s needs a value", argv[optind - 1]);
		if (option == '?' && optopt)
			fail(EX_USAGE,
			     "no option '-%c'; see wicket-verify --help",
			     optopt);
		if (option == '?')
			fail(EX_USAGE,
			     "no option '%s'; see wicket-verify --help",
			     argv[optind - 1]);
		if (!strchr(c->takes, letter_of(option)))
			fail(EX_USAGE, "%s does not take the option '%s%s'",
			     c->name, option < PROPERTY ? "-" : "--",
			     option < PROPERTY ? (char[]){ (char)option, 0 } :
						 longs[option - PROPERTY].name);
		switch (option) {
		case 'n':
			o->n = parse_count("-n", optarg);
			o->n_given = true;
			break;
		case 'k':
			o->k = parse_count("-k", optarg);
			o->k_given = true;
			break;
		case 'r':
			o->r = parse_count("-r", optarg);
			break;
		case PROPERTY:
			if (o->properties == FINDINGS_MAX - 1)
				fail(EX_USAGE, "too many properties");
			o->property[o->properties++] = optarg;
			break;
		case TRACE:
			o->trace = optarg;
			break;
		case MEMORY:
			o->memory = parse_size(optarg);
			break;
		case TIMEOUT:
			o->timeout = parse_seconds("--timeout", optarg);
			break;
		case UPTO:
			o->upto = parse_count("--upto", optarg);
			break;
		case STEP:
			o->step = true;
			break;
		case JSON:
			o->json = true;
			break;
		case REGISTERS:
			o->world.safe = !strcmp(optarg, "safe");
			if (!o->world.safe && strcmp(optarg, "atomic") != 0)
				fail(EX_USAGE,
				     "--registers %s: expected atomic or safe",
				     optarg);
			break;
		case CRASHES:
			o->world.crashes = parse_count("--crashes", optarg);
			break;
		case ABANDONS:
			o->world.abandons = parse_count("--abandons", optarg);
			break;
		case SEATS:
			o->seats = parse_count("--seats", optarg);
			break;
		case LAPS:
			o->laps = parse_count("--laps", optarg);
			break;
		case SLEEP:
			if (!names_sleep(optarg, &o->world.sleep))
				fail(EX_USAGE,
				     "--sleep %s: expected generous, exact or timed",
				     optarg);
			break;
		case MID_WRITE:
			o->world.mid_write = true;
			break;
		case FAILURES:
			if (strcmp(optarg, "announced") != 0)
				fail(EX_USAGE,
				     "--failures %s: expected announced",
				     optarg);
			o->world.failures = true;
			break;
		case PLOT:
			o->plot = optarg;
			break;
		case BITS:
			o->bits = true;
			break;
		case SECONDS:
			o->exec.seconds = parse_seconds("--seconds", optarg);
			break;
		case PROCESSES:
			o->exec.processes = true;
			break;
		case KILL: /* only processes can be */
			o->exec.kill = parse_count("--kill", optarg);
			o->exec.processes = o->world.failures = true;
			break;
		case ORDER:
			if (!exec_order(optarg, &o->exec.order))
				fail(EX_USAGE,
				     "--order %s: expected relaxed, acqrel or seq-cst",
				     optarg);
			break;
		case CAP:
			o->cap = parse_count("--cap", optarg);
			if (!o->cap)
				fail(EX_DATAERR, "--cap 0: expected 1 or more");
			break;
		}
	}
	if (argc - optind != c->operands)
		fail(EX_USAGE,
		     "%s: expected %d operand%s, got %d; see "
		     "wicket-verify --help",
		     c->name, c->operands, c->operands == 1 ? "" : "s",
		     argc - optind);
	if (strchr(c->takes, 'n') && !o->bits)
		settle_size(o, c, argv + optind);
}

/* The system alone, without anything to be decided. */
static struct task system_of(const struct options *o, const char *name)
{
	struct task task = {
		.memory = o->memory,
		.timeout = o->timeout,
		.world = o->world,
	};

	names_resolve(&task, name,
		      (struct wicket_cfg){ .n = o->n,
					   .k = o->k,
					   .r = o->r,
					   .seats = o->seats,
					   .laps = o->laps,
					   .cap = o->cap },
		      NULL);
	names_check_world(&task, NULL);
	return task;
}

static struct task task_of(const struct options *o, const char *name)
{
	struct task task = system_of(o, name);

	for (size_t i = 0; i < o->properties; i++)
		names_add_property(&task, o->property[i], NULL);
	if (!o->properties)
		names_add_default(&task);
	names_check_world(&task, NULL);
	return task;
}

static int run_check(const struct options *o, char **operand)
{
	struct task task = task_of(o, operand[0]);
	const struct finding *first = NULL;
	struct check check;
	int code;

	if (o->trace)
		output_writable(o->trace);
	check_run(&check, &task);
	for (uint32_t i = check.findings; i--;) {
		if (check.finding[i].verdict == FAILS)
			first = &check.finding[i];
	}
	if (o->trace && first)
		trace_write(o->trace, &task, first);
	if (o->json)
		report_print_json(report_check_json(&check));
	else
		report_check(&check);
	code = check_exit(&check);
	if (o->trace && !first)
		fprintf(stderr, "wicket-verify: %s, so %s was not written\n",
			code ? "nothing that fails was found" : "nothing fails",
			o->trace);
	check_free(&check);
	return code;
}

static int run_equiv(const struct options *o, char **operand)
{
	struct task a = task_of(o, operand[0]), b = task_of(o, operand[1]);
	struct equiv e;
	int code;

	if (wicket_processes(a.algo, &a.cfg) !=
	    wicket_processes(b.algo, &b.cfg))
		fail(EX_DATAERR, "%s and %s do not have the same processes",
		     a.name, b.name);
	if (a.algo->beyond || b.algo->beyond)
		fail(EX_DATAERR, "equivalence cannot be decided up to a cap");
	equiv_run(&e, &a, &b);
	code = e.verdict == HOLDS ? 0 :
	       e.verdict == FAILS ? 1 :
				    budget_exit(e.end);
	if (o->json) {
		report_print_json(report_equiv_json(&e, &a));
	} else if (e.verdict == FAILS) {
		printf("%s and %s, n = %" PRIu32 ", k = %" PRIu32
		       ": not equivalent, after %" PRIu32 " step%s\n",
		       a.name, b.name, a.cfg.n, a.cfg.k, e.schedule.length,
		       show_plural(e.schedule.length));
		show_difference(&a, &b, &e.schedule);
	} else {
		printf("%s and %s, n = %" PRIu32 ", k = %" PRIu32
		       ": %s, %" PRIu64 " pair%s of states, %.2f s\n",
		       a.name, b.name, a.cfg.n, a.cfg.k,
		       e.verdict == HOLDS ? "equivalent" : "not decided",
		       e.pairs, show_plural(e.pairs), e.seconds);
	}
	equiv_free(&e);
	return code;
}

/* Exit code 1: it keeps the algorithm from k-deadlock-freedom. */
static int run_adversary(const struct options *o, char **operand)
{
	struct task task = task_of(o, operand[0]);
	const char *why = adversary_refuses(&task);
	struct adversary a;
	int code;

	if (why)
		fail(EX_DATAERR, "%s, n = %" PRIu32 ", k = %" PRIu32 ": %s",
		     task.name, task.cfg.n, task.cfg.k, why);
	if (o->trace)
		output_writable(o->trace);
	adversary_play(&a, &task);
	if (o->trace && a.wins)
		trace_write(o->trace, &task, &a.finding);
	if (o->json)
		report_print_json(report_adversary_json(&a, &task));
	else
		report_adversary(&a, &task);
	if (o->trace && !a.wins)
		fprintf(stderr,
			"wicket-verify: there is no such run, so %s was not "
			"written\n",
			o->trace);
	code = a.wins;
	adversary_free(&a);
	return code;
}

/* Replays the schedule and asks whether it breaks what it claims to break. */
static int run_replay(const struct options *o, char **operand)
{
	enum verdict confirmed = UNDECIDED;
	struct budget budget;
	struct trace trace;
	const char *why;

	trace_read(operand[0], &trace);
	budget_start(&budget, o->memory, o->timeout);
	why = trace_judge(&trace, &budget);
	if (!budget.end)
		confirmed = why ? FAILS : HOLDS;
	if (o->json) {
		report_print_json(json_pack(
			"{s:s, s:i, s:i, s:s, s:o, s:s?}", "algorithm",
			trace.task.name, "n", (int)trace.task.cfg.n, "k",
			(int)trace.task.cfg.k, "property",
			trace.finding.property, "confirmed",
			report_verdict_json(confirmed), "why", why));
	} else {
		printf("%s, n = %" PRIu32 ", k = %" PRIu32 ": %s\n",
		       trace.task.name, trace.task.cfg.n, trace.task.cfg.k,
		       trace.finding.property);
		(o->step ? show_step_by_step :
			   show_schedule)(&trace.task, &trace.finding.schedule);
		printf("%s%s\n",
		       confirmed == HOLDS ?
			       "confirmed: this schedule breaks it" :
		       confirmed == FAILS ? "NOT confirmed: " :
					    "not decided: ",
		       why ? why : "");
	}
	trace_free(&trace);
	return confirmed == HOLDS ? 0 :
	       confirmed == FAILS ? 1 :
				    budget_exit(budget.end);
}

static int run_exec(const struct options *o, char **operand)
{
	struct task task = system_of(o, operand[0]);

	return exec_run(&task, &o->exec, o->json);
}

static int run_table(const struct options *o, char **operand)
{
	(void)operand;
	if (o->upto < 2 || o->upto > WICKET_PROCS_MAX)
		fail(EX_DATAERR, "--upto %" PRIu32 ": expected 2 to %d",
		     o->upto, WICKET_PROCS_MAX);
	return table_run(o->upto, o->memory, o->timeout, o->json);
}

static int run_space(const struct options *o, char **operand)
{
	struct task limits = { .memory = o->memory, .timeout = o->timeout };

	(void)operand;
	if (o->bits && (o->n_given || o->k_given || o->plot))
		fail(EX_USAGE, "space --bits has sizes of its own");
	if (o->bits) {
		space_bits(o->json);
		return 0;
	}
	names_check_size(o->n, o->k);
	return space_run(&limits, o->n, o->k, o->json, o->plot);
}

static int run_list(const struct options *o, char **operand)
{
	(void)operand;
	report_list(o->json);
	return 0;
}

static const struct command commands[] = {
	{ "list", "j", 0, run_list },
	{ "check", "nkrptmTjRCASLZMFQ", 1, run_check },
	{ "equiv", "nkrmTj", 2, run_equiv },
	{ "adversary", "nktj", 1, run_adversary },
	{ "space", "nkmTjPB", 0, run_space },
	{ "exec", "nkrjxcKO", 1, run_exec },
	{ "table", "umTj", 0, run_table },
	{ "replay", "smTj", 1, run_replay },
};

/* What was printed must have arrived. */
static int finish(int code)
{
	if (fflush(stdout) || ferror(stdout))
		fail(EX_CANTCREAT, "cannot write to standard output: %s",
		     strerror(errno));
	return code;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	struct options options;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return finish(0);
		}
	}
	if (!strcmp(name, "-V") || !strcmp(name, "--version")) {
		puts("wicket-verify " WICKET_VERSION);
		return finish(0);
	}
	whole_check_registry();
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(commands[i].name, name) != 0)
			continue;
		parse(&options, &commands[i], argc - 1, argv + 1);
		return finish(commands[i].run(&options, argv + 1 + optind));
	}
	fail(EX_USAGE,
	     *name ? "no command '%s': expected list, check, equiv, "
		     "adversary, exec, space, table or replay" :
		     "expected a command%s; see wicket-verify "
		     "--help",
	     name);
}
