/* SPDX-License-Identifier: MIT */
#include "verify/exec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "drive/crew.h"
#include "verify/error.h"
#include "verify/report.h"

static const char *const order_names[] = { "relaxed", "acqrel", "seq-cst" };

const struct exec_options exec_defaults = {
	.seconds = 1,
	.order = DRIVE_SEQ_CST,
};

bool exec_order(const char *name, int *order)
{
	for (*order = 0; *order <= DRIVE_SEQ_CST; ++*order) {
		if (!strcmp(order_names[*order], name))
			return true;
	}
	return false;
}

static struct drive_plan plan_of(const struct task *task,
				 const struct exec_options *options)
{
	struct drive_plan plan = {
		.algo = task->algo,
		.cfg = task->cfg,
		.order = (enum drive_order)options->order,
		.processes = options->processes,
		.seconds = options->seconds,
		.kill = options->kill,
	};

	if (task->algo->has_seats) /* everybody comes again and again */
		plan.cfg.laps = UINT32_MAX;
	return plan;
}

static void check_plan(const struct task *task, const struct drive_plan *plan)
{
	enum { KILLS_MAX = 10000 };

	if (!task->world.failures)
		return;
	if (plan->kill < 1 || plan->kill > KILLS_MAX)
		fail(EX_DATAERR,
		     "--kill %" PRIu32 ": expected 1 to %d per second",
		     plan->kill, KILLS_MAX);
	if (!drive_can_kill(plan->algo, &plan->cfg))
		fail(EX_DATAERR,
		     "%s: its failures cannot be announced by the kernel",
		     task->name);
}

static bool is_good(const struct drive_plan *plan,
		    const struct drive_outcome *o)
{
	return o->most_inside <= plan->cfg.k && !o->lost;
}

static void report(const struct task *task, const struct drive_plan *plan,
		   const struct drive_outcome *o)
{
	const struct wicket_algo *algo = task->algo;

	printf("%s, n = %" PRIu32 ", k = %" PRIu32 ": %s (%s)\n", task->name,
	       task->cfg.n, task->cfg.k, algo->title, algo->source);
	if (task->cfg.mutant)
		printf("planted bug: %s\n",
		       algo->mutants[task->cfg.mutant - 1].says);
	printf("%" PRIu32 " %s, %s, %.2f s\n",
	       wicket_processes(algo, &task->cfg),
	       plan->processes ? "processes" : "threads",
	       order_names[plan->order], o->seconds);
	printf("  entries        %" PRIu64 ", %.0f per second\n", o->entries,
	       (double)o->entries / o->seconds);
	printf("  most inside    %" PRIu32 "%s\n", o->most_inside,
	       o->most_inside > task->cfg.k ? ": k-exclusion FAILS" : "");
	if (o->lost)
		printf("  lost updates   %" PRIu64 ": FAILS\n", o->lost);
	printf("  overtakings    %" PRIu64 ", at most %" PRIu64
	       " in one wait\n",
	       o->overtakings, o->most_overtaken);
	printf("  longest wait   %.3f ms\n", o->longest_wait * 1e3);
	if (plan->kill)
		printf("  killed         %" PRIu64 ", %" PRIu64
		       " of them inside\n",
		       o->killed, o->killed_inside);
}

static void report_json(const struct task *task, const struct drive_plan *plan,
			const struct drive_outcome *o)
{
	json_t *each = json_array(), *object;

	for (uint32_t i = 0; i < task->cfg.n; i++)
		json_array_append_new(each, json_integer((json_int_t)o->of[i]));
	object = json_pack(
		"{s:s, s:i, s:i, s:s, s:s, s:f, s:I, s:f, s:o, s:i, s:b, s:I, "
		"s:I, s:I, s:f, s:i, s:I, s:I}",
		"algorithm", task->name, "n", (int)task->cfg.n, "k",
		(int)task->cfg.k, "between",
		plan->processes ? "processes" : "threads", "order",
		order_names[plan->order], "seconds", o->seconds, "entries",
		(json_int_t)o->entries, "entries_per_second",
		(double)o->entries / o->seconds, "entries_of", each,
		"most_inside", (int)o->most_inside, "holds",
		(int)is_good(plan, o), "lost_updates", (json_int_t)o->lost,
		"overtakings", (json_int_t)o->overtakings, "most_overtaken",
		(json_int_t)o->most_overtaken, "longest_wait", o->longest_wait,
		"trying", (int)o->trying, "killed", (json_int_t)o->killed,
		"killed_inside", (json_int_t)o->killed_inside);
	if (!object)
		abort();
	report_print_json(object);
}

int exec_run(const struct task *task, const struct exec_options *options,
	     bool json)
{
	struct drive_plan plan = plan_of(task, options);
	struct drive_outcome outcome;
	int error;

	check_plan(task, &plan);
	error = drive_run(&plan, &outcome);
	if (error)
		fail(EX_OSERR, "%s: %s", task->name, strerror(-error));
	if (outcome.breach_of)
		fail(EX_SOFTWARE,
		     "%s: process %" PRIu32
		     " uses a register that does not exist, %" PRIu32,
		     task->name, outcome.breach_of, outcome.breach_reg);
	if (json)
		report_json(task, &plan, &outcome);
	else
		report(task, &plan, &outcome);
	return is_good(&plan, &outcome) ? 0 : 1;
}
