/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "verify/error.h"
#include "verify/label.h"
#include "verify/output.h"
#include "verify/report.h"
#include "verify/task.h"
#include "verify/trace.h"

static const char format[] = "wicket-trace 2";

static json_t *to_json(const struct task *task, const struct finding *f)
{
	const struct schedule *s = &f->schedule;
	char text[2 * WICKET_PROCS_MAX];
	json_t *regions = json_array(), *cap = NULL;
	struct run run;

	if (task->algo->beyond)
		cap = json_integer((json_int_t)wicket_cap(&task->cfg));
	run_start(&run, task->algo, &task->cfg, &task->world);
	for (uint32_t t = 0; t < s->length; t++) {
		run_do(&run, s->label[t]);
		label_regions(&run, text, "");
		json_array_append_new(regions, json_string(text));
	}
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o*, s:o, s:s, "
			 "s:o, s:b, s:i, s:i, s:i, s:i, s:i, s:o}",
			 "format", format, "algorithm", task->name, "n",
			 (int)task->cfg.n, "k", (int)task->cfg.k, "r",
			 (int)task->cfg.r, "seats", (int)task->cfg.seats,
			 "laps", (int)task->cfg.laps, "cap", cap, "world",
			 report_world_json(&task->world), "property",
			 f->property, "schedule", report_steps_json(task, s, 0),
			 "infinite", (int)s->infinite, "stem", (int)s->stem,
			 "from", (int)s->from, "victim", (int)s->victim,
			 "culprit", (int)s->culprit, "stopped", (int)s->stopped,
			 "regions", regions);
}

static bool put(FILE *out, const void *trace)
{
	return !json_dumpf(trace, out, JSON_INDENT(1)) &&
	       fputc('\n', out) != EOF;
}

void trace_write(const char *path, const struct task *task,
		 const struct finding *f)
{
	json_t *trace = to_json(task, f);

	if (!trace)
		abort();
	output_write(path, put, trace);
	json_decref(trace);
}

static bool read_world(json_t *from, struct world *world)
{
	int mid_write, failures, crashes, abandons, buffer = 0;
	const char *registers, *sleep;
	const char *memory = memory_names[MEMORY_SC]; /* of older traces */

	if (json_unpack(from, "{s:s, s:b, s:b, s:i, s:i, s:s, s?:s, s?:i}",
			"registers", &registers, "mid-write", &mid_write,
			"failures", &failures, "crashes", &crashes, "abandons",
			&abandons, "sleep", &sleep, "memory", &memory, "buffer",
			&buffer) ||
	    crashes < 0 || abandons < 0 || buffer < 0 || buffer > BUFFER_MAX)
		return false;
	*world = (struct world){
		.safe = !strcmp(registers, "safe"),
		.mid_write = mid_write,
		.failures = failures,
		.crashes = (uint32_t)crashes,
		.abandons = (uint32_t)abandons,
		.buffer = (uint32_t)buffer,
	};
	return (world->safe || !strcmp(registers, "atomic")) &&
	       sleep_find(sleep, &world->sleep) &&
	       memory_find(memory, &world->memory);
}

/* Takes the schedule step by step; each must be possible, and lead to the
   regions that were there when the trace was made. */
static bool read_steps(const json_t *steps, const json_t *regions,
		       const struct task *task, struct schedule *s)
{
	char text[2 * WICKET_PROCS_MAX], number[16];
	struct run run;

	run_start(&run, task->algo, &task->cfg, &task->world);
	for (uint32_t t = 0; t < s->length; t++) {
		const json_t *step = json_array_get(steps, t);
		const char *word = json_string_value(step);
		const char *then =
			json_string_value(json_array_get(regions, t));

		snprintf(number, sizeof(number), "%lld",
			 (long long)json_integer_value(step));
		if (!label_parse(task, word ? word : number, &s->label[t]) ||
		    !run_can(&run, s->label[t]))
			return false;
		run_do(&run, s->label[t]);
		label_regions(&run, text, "");
		if (!then || strcmp(then, text) != 0)
			return false;
	}
	return json_array_size(regions) == s->length && s->stem <= s->length &&
	       s->from <= s->length;
}

/* A directory can be opened, but not read; of that JSON says only that it ends. */
static FILE *open_trace(const char *path)
{
	FILE *in = fopen(path, "re");
	int first = in ? fgetc(in) : EOF;

	if (!in || ferror(in))
		fail(EX_NOINPUT, "cannot read %s: %s", path, strerror(errno));
	ungetc(first, in);
	return in;
}

void trace_read(const char *path, struct trace *trace)
{
	struct schedule *s = &trace->finding.schedule;
	json_int_t n, k, r, seats, laps, stem, from, victim, culprit, stopped;
	json_int_t cap = 0; /* only where numbers grow */
	int infinite;
	const char *name, *property, *kind;
	const struct property *row;
	const json_t *steps, *regions;
	json_t *root, *world;
	json_error_t error;
	FILE *in = open_trace(path);

	root = json_loadf(in, 0, &error);
	fclose(in);
	if (!root)
		fail(EX_NOINPUT, "%s is not a complete trace: %s (line %d)",
		     path, error.text, error.line);
	if (json_unpack(root, "{s:s}", "format", &kind) || strcmp(kind, format))
		fail(EX_NOINPUT, "%s is not a trace: expected format \"%s\"",
		     path, format);
	if (json_unpack_ex(
		    root, &error, 0,
		    "{s:s, s:I, s:I, s:I, s:I, s:I, s?:I, s:o, s:s, s:o, "
		    "s:b, s:I, s:I, s:I, s:I, s:I, s:o}",
		    "algorithm", &name, "n", &n, "k", &k, "r", &r, "seats",
		    &seats, "laps", &laps, "cap", &cap, "world", &world,
		    "property", &property, "schedule", &steps, "infinite",
		    &infinite, "stem", &stem, "from", &from, "victim", &victim,
		    "culprit", &culprit, "stopped", &stopped, "regions",
		    &regions))
		fail(EX_NOINPUT, "%s is not a complete trace: %s", path,
		     error.text);
	/* no number of a trace is negative or that large */
	if ((n | k | r | seats | laps | stem | from | victim | culprit |
	     stopped | cap) &
	    ~(json_int_t)INT32_MAX)
		fail(EX_NOINPUT, "%s has impossible numbers", path);
	*trace = (struct trace){ .root = root };
	task_resolve(&trace->task, name,
		     (struct wicket_cfg){ .n = (uint32_t)n,
					  .k = (uint32_t)k,
					  .r = (uint32_t)r,
					  .seats = (uint32_t)seats,
					  .laps = (uint32_t)laps,
					  .cap = (uint32_t)cap },
		     path);
	task_add_property(&trace->task, property, path);
	trace->finding.property = property;
	if (!read_world(world, &trace->task.world))
		fail(EX_NOINPUT, "%s has an impossible world", path);
	task_check_world(&trace->task, path);
	*s = schedule_of((uint32_t)json_array_size(steps));
	s->infinite = infinite;
	s->stem = (uint32_t)stem;
	s->from = (uint32_t)from;
	s->victim = (uint32_t)victim;
	s->culprit = (uint32_t)culprit;
	s->stopped = (uint32_t)stopped;
	if (!read_steps(steps, regions, &trace->task, s))
		fail(EX_NOINPUT,
		     "%s was made by another %s: its steps or regions differ",
		     path, name);
	row = property_find(property);
	if (row && row->stopped && s->infinite)
		s->stopped = row->stopped(trace->task.algo, &trace->task.cfg,
					  &trace->task.world, s);
}

static const char *judge_safety(const struct trace *trace)
{
	const struct schedule *s = &trace->finding.schedule;
	struct run run;

	run_start(&run, trace->task.algo, &trace->task.cfg, &trace->task.world);
	for (uint32_t t = 0; t < s->length; t++)
		run_do(&run, s->label[t]);
	if (s->infinite)
		return "it should end";
	return property_is_broken(&run, trace->finding.property) ?
		       NULL :
		       "the last state is as it should be";
}

const char *trace_judge(const struct trace *trace, struct budget *budget)
{
	const struct task *task = &trace->task;
	struct enabled enabled = { 0 };
	struct graph g;
	const char *why;

	if (property_is_safety(task->algo, trace->finding.property))
		return judge_safety(trace);
	graph_explore(&g, task->algo, &task->cfg, &task->world, budget);
	why = property_unfit_graph(&g, trace->finding.property);
	if (g.complete && !why)
		why = property_judge(&g, &enabled, trace->finding.property,
				     &trace->finding.schedule);
	if (budget->end)
		why = "memory or time ran out";
	budget_quiet(budget);
	enabled_free(&enabled, &g);
	graph_free(&g);
	return why;
}

void trace_free(struct trace *trace)
{
	property_free(&trace->finding);
	json_decref(trace->root);
}
