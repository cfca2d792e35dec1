/* SPDX-License-Identifier: MIT */
/* wicket-verify(1): the command line. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "algo/registry.h"
#include "verify/adversary.h"
#include "verify/error.h"
#include "verify/options.h"
#include "verify/output.h"
#include "verify/report.h"
#include "verify/show.h"
#include "verify/space.h"
#include "verify/table.h"
#include "verify/task.h"
#include "verify/trace.h"
#include "verify/whole.h"

#ifndef WICKET_VERSION
#define WICKET_VERSION "unknown"
#endif

/* The system alone, without anything to be decided. */
static struct task system_of(const struct options *o, const char *name)
{
	struct task task = {
		.limits = o->limits,
		.world = o->world,
	};

	task_resolve(&task, name,
		     (struct wicket_cfg){ .n = o->n,
					  .k = o->k,
					  .r = o->r,
					  .seats = o->seats,
					  .laps = o->laps,
					  .cap = o->cap },
		     NULL);
	task_check_world(&task, NULL);
	return task;
}

static struct task task_of(const struct options *o, const char *name)
{
	struct task task = system_of(o, name);

	for (size_t i = 0; i < o->properties; i++)
		task_add_property(&task, o->property[i], NULL);
	if (!o->properties)
		task_add_default(&task);
	task_check_world(&task, NULL);
	return task;
}

static int run_check(const struct options *o, char **operand)
{
	struct task task = task_of(o, operand[0]);
	const struct task *broken = &task;
	const struct finding *first = NULL;
	struct check check;
	int code;

	task.symmetry = o->symmetry;
	if (check_refuses(&task))
		fail(EX_DATAERR, "%s: %s", task.name, check_refuses(&task));
	if (o->trace)
		output_writable(o->trace);
	check_run(&check, &task);
	if (check.why)
		fail(EX_DATAERR, "%s: %s %s", task.name, check.unfit,
		     check.why);
	for (uint32_t i = check.findings; i--;) {
		if (check.finding[i].verdict == FAILS)
			first = &check.finding[i];
	}
	if (!first && premise_fails(&check.premise)) {
		broken = &check.premise.task;
		first = &check.premise.finding;
	}
	if (o->trace && first)
		trace_write(o->trace, broken, first);
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
	budget_start(&budget, &o->limits);
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

/* By default what can be told of a state. */
static int run_random(const struct options *o, char **operand)
{
	struct task task = system_of(o, operand[0]);

	for (size_t i = 0; i < o->properties; i++)
		task_add_property(&task, o->property[i], NULL);
	for (uint32_t i = 0; task.property[i]; i++) {
		if (!property_is_safety(task.algo, task.property[i]))
			fail(EX_DATAERR,
			     "random: one run cannot show whether %s holds",
			     task.property[i]);
	}
	if (!o->properties) {
		task_add_property(&task, property_k_exclusion.name, NULL);
		if (o->world.memory == MEMORY_SC)
			task_add_property(&task, "invariants", NULL);
	}
	return random_run(&task, &o->random, o->json);
}

static int run_table(const struct options *o, char **operand)
{
	(void)operand;
	if (o->upto < 2 || o->upto > WICKET_PROCS_MAX)
		fail(EX_DATAERR, "--upto %" PRIu32 ": expected 2 to %d",
		     o->upto, WICKET_PROCS_MAX);
	return table_run(o->upto, &o->limits, o->json);
}

static int run_growth(const struct options *o)
{
	struct wicket_cfg size = { .n = WICKET_PROCS_MAX,
				   .k = o->k_given ? o->k : 1,
				   .r = o->r };

	if (o->n_given || o->plot || o->json)
		fail(EX_USAGE,
		     "space --growth has sizes of its own, and draws them; "
		     "expected at most -k and -r");
	task_check_size(&size);
	space_growth(&size, o->growth);
	return 0;
}

static int run_space(const struct options *o, char **operand)
{
	struct task limits = { .limits = o->limits,
			       .cfg = { .n = o->n, .k = o->k, .r = o->r } };

	(void)operand;
	if (o->bits && (o->n_given || o->k_given || o->plot || o->growth))
		fail(EX_USAGE, "space --bits has sizes of its own");
	if (o->bits) {
		space_bits(o->json);
		return 0;
	}
	if (o->growth)
		return run_growth(o);
	task_check_size(&limits.cfg);
	return space_run(&limits, o->json, o->plot);
}

static int run_list(const struct options *o, char **operand)
{
	(void)operand;
	if (o->json)
		report_print_json(report_list_json());
	else
		report_list();
	return 0;
}

static const struct command commands[] = {
	{ "list", LIST, 0, "", "every algorithm, variant, mutant and property",
	  run_list },
	{ "check", CHECK, 1, "ALGO -n N [-k K]",
	  "decide properties, with counterexamples", run_check },
	{ "equiv", EQUIV, 2, "ALGO ALGO -n N [-k K]",
	  "the same regions under every schedule?", run_equiv },
	{ "adversary", ADVERSARY, 1, "ALGO -n N [-k K]",
	  "one bit per process is not enough", run_adversary },
	{ "space", SPACE, 0, "-n N [-k K]",
	  "how many shared values, how few would do", run_space },
	{ "exec", EXEC, 1, "ALGO -n N [-k K]",
	  "on real memory, threads or processes", run_exec },
	{ "random", RANDOM, 1, "ALGO -n N [-k K]",
	  "one long run, checked after every step", run_random },
	{ "table", TABLE, 0, "", "everything at every small size", run_table },
	{ "replay", REPLAY, 1, "FILE", "a counterexample, step by step",
	  run_replay },
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

/* Null: there is none of that name. */
static const struct command *command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

static void help(void)
{
	puts("usage: wicket-verify COMMAND [OPERAND]... [OPTION]...\n");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-9s %-22s %s\n", commands[i].name,
		       commands[i].synopsis, commands[i].says);
	puts("\n"
	     "  COMMAND -h, --help               the options of the command\n"
	     "  -V, --version                    the version\n"
	     "\n"
	     "ALGO is NAME[:VARIANT][@MUTANT]; list shows them. Exit: 0 holds, 1 fails,\n"
	     "64 usage, 65 impossible parameters, 66 input file, 69 memory limit, 70 ALGO is\n"
	     "wrong, 71 no processes, 73 cannot write, 75 time limit.");
}

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
	const struct command *c = command(name);
	struct options options;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
			c ? options_help(c) : help();
			return finish(0);
		}
	}
	if (!strcmp(name, "-V") || !strcmp(name, "--version")) {
		puts("wicket-verify " WICKET_VERSION);
		return finish(0);
	}
	whole_check_registry();
	if (!c)
		fail(EX_USAGE,
		     *name ? "no command '%s'; see wicket-verify --help" :
			     "expected a command%s; see wicket-verify --help",
		     name);
	options_parse(&options, c, argc - 1, argv + 1);
	return finish(c->run(&options, argv + 1 + optind));
}
