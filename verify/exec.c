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

/* With a supervisor, or in his place, the robustness is chosen. */
static bool has_r(const struct drive_plan *plan)
{
	return plan->algo->simulatable || plan->algo->original;
}

/* Unannounced failures: fewer than this many, by the algorithm's paper. */
static uint32_t robustness(const struct drive_plan *plan)
{
	return has_r(plan)					? plan->cfg.r :
	       plan->algo->solves & WICKET_K_DEADLOCK_AVOIDANCE ? plan->cfg.k :
								  0;
}

static char robustness_name(const struct drive_plan *plan)
{
	return has_r(plan) ? 'r' : 'k';
}

/* Whose failures can be announced is killed as often as one likes. */
static void plan_kills(const struct task *task, struct drive_plan *plan)
{
	if (!plan->kill || drive_can_kill(plan->algo, &plan->cfg))
		return;
	if (plan->algo->has_seats || !robustness(plan))
		fail(EX_DATAERR, "%s: exec cannot show how it takes failures",
		     task->name);
	if (robustness(plan) == 1)
		fail(EX_DATAERR,
		     "%s: fewer than %c = 1 processes may fail, so none can be "
		     "killed; expected -%c 2 or more",
		     task->name, robustness_name(plan), robustness_name(plan));
	plan->deaths = robustness(plan) - 1;
	if (plan->deaths > plan->cfg.n)
		plan->deaths = plan->cfg.n;
}

static bool is_good(const struct drive_plan *plan,
		    const struct drive_outcome *o)
{
	return o->most_inside <= plan->cfg.k && !o->lost;
}

/* Some died for good, and fewer than there are slots: even if each of them has one,
   or would have got it, one is left, and the algorithm promises that somebody gets
   it.  It is not promised when. */
static bool is_promised(const struct drive_plan *plan,
			const struct drive_outcome *o)
{
	return plan->deaths && o->killed && o->killed < plan->cfg.k;
}

static bool has_stopped(const struct drive_plan *plan,
			const struct drive_outcome *o)
{
	return is_promised(plan, o) && !o->after;
}

static void report_deaths(const struct drive_plan *plan,
			  const struct drive_outcome *o)
{
	printf("  after that     %" PRIu64 " %s in %.2f s; fewer than %c = "
	       "%" PRIu32 " may fail, so no more were killed\n",
	       o->after, o->after == 1 ? "entry" : "entries", o->since,
	       robustness_name(plan), robustness(plan));
	if (has_stopped(plan, o))
		printf("  WARNING        nobody entered, though fewer died than "
		       "there are slots: a deadlock, or too little time\n");
	else if (o->killed && !o->after)
		printf("  %14s those who died may have had all slots: then "
		       "nobody can enter\n",
		       "");
}

static void report(const struct task *task, const struct drive_plan *plan,
		   const struct drive_outcome *o)
{
	const struct wicket_algo *algo = task->algo;

	printf("%s, n = %" PRIu32 ", k = %" PRIu32, task->name, task->cfg.n,
	       task->cfg.k);
	if (task->cfg.r > 1)
		printf(", r = %" PRIu32, task->cfg.r);
	printf(": %s (%s)\n", algo->title, algo->source);
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
	if (plan->deaths)
		report_deaths(plan, o);
}

static void report_json(const struct task *task, const struct drive_plan *plan,
			const struct drive_outcome *o)
{
	json_t *each = json_array(), *object;

	for (uint32_t i = 0; i < task->cfg.n; i++)
		json_array_append_new(each, json_integer((json_int_t)o->of[i]));
	object = json_pack(
		"{s:s, s:i, s:i, s:i, s:s, s:s, s:f, s:I, s:f, s:o, s:i, s:b, "
		"s:I, s:I, s:I, s:f, s:i, s:I, s:I, s:I, s:f, s:o}",
		"algorithm", task->name, "n", (int)task->cfg.n, "k",
		(int)task->cfg.k, "r", (int)task->cfg.r, "between",
		plan->processes ? "processes" : "threads", "order",
		order_names[plan->order], "seconds", o->seconds, "entries",
		(json_int_t)o->entries, "entries_per_second",
		(double)o->entries / o->seconds, "entries_of", each,
		"most_inside", (int)o->most_inside, "holds",
		(int)is_good(plan, o), "lost_updates", (json_int_t)o->lost,
		"overtakings", (json_int_t)o->overtakings, "most_overtaken",
		(json_int_t)o->most_overtaken, "longest_wait", o->longest_wait,
		"trying", (int)o->trying, "killed", (json_int_t)o->killed,
		"killed_inside", (json_int_t)o->killed_inside,
		"entries_after_kill", (json_int_t)o->after,
		"seconds_after_kill", o->since, "stopped",
		is_promised(plan, o) ? json_boolean(has_stopped(plan, o)) :
				       json_null());
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

	plan_kills(task, &plan);
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
