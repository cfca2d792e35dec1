/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/registry.h"
#include "verify/report.h"
#include "verify/run.h"

static const char region_letter[] = "RTCE";

void report_regions(const struct run *run, char *text, const char *between)
{
	*text = '\0';
	for (uint32_t i = 1; i <= run->cfg.n; i++) {
		char letter[2] = { region_letter[run_region(run, i)] };

		if (i > 1)
			strcat(text, between);
		strcat(text, letter);
	}
}

/* "2", or "S" for a supervisor. */
static const char *process_name(const struct wicket_cfg *cfg, uint32_t i,
				char text[12])
{
	if (i > cfg->n)
		return "S";
	snprintf(text, 12, "%" PRIu32, i);
	return text;
}

static void print_state(const struct run *run)
{
	char regions[4 * WICKET_PROCS_MAX];
	struct wicket_text value = { 0 };

	report_regions(run, regions, " ");
	run->algo->show(&run->cfg, run->reg, &value);
	printf("%s  %s\n", regions, value.s);
}

static void wait_for_return(void)
{
	int c;

	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);
}

void report_schedule(const struct task *task, const struct schedule *s,
		     bool slowly)
{
	enum { DOES = 18 };
	char number[12];
	struct run run;

	run_start(&run, task->algo, &task->cfg);
	printf("    step  process  %-*s ", DOES, "does");
	for (uint32_t i = 1; i <= task->cfg.n; i++)
		printf("%-2" PRIu32, i % 10);
	printf(" shared value\n    %4d  %7s  %-*s ", 0, "", DOES, "(start)");
	print_state(&run);
	for (uint32_t t = 0; t < s->length; t++) {
		struct wicket_text does = { 0 };
		uint32_t i = s->step[t];

		if (slowly)
			wait_for_return();
		if (s->infinite && t == s->stem)
			printf("    and then for ever:\n");
		task->algo->show_step(&task->cfg, run.proc[i - 1], &does);
		run_step(&run, i);
		printf("    %4" PRIu32 "  %7s  %-*s ", t + 1,
		       process_name(&task->cfg, i, number), DOES, does.s);
		print_state(&run);
	}
	if (s->victim)
		printf("    process %" PRIu32 " waits from step %" PRIu32
		       " on and is overtaken by process %" PRIu32 "\n",
		       s->victim, s->from, s->culprit);
}

void report_difference(const struct task *a, const struct task *b,
		       const struct schedule *s)
{
	char left[4 * WICKET_PROCS_MAX], right[4 * WICKET_PROCS_MAX];
	char number[12];
	struct run ra, rb;

	run_start(&ra, a->algo, &a->cfg);
	run_start(&rb, b->algo, &b->cfg);
	printf("    step  process  %-*s  %s\n", (int)(2 * a->cfg.n + 8),
	       a->name, b->name);
	for (uint32_t t = 0; t <= s->length; t++) {
		uint32_t i = t ? s->step[t - 1] : 0;

		if (i) {
			run_step(&ra, i);
			run_step(&rb, i);
		}
		report_regions(&ra, left, " ");
		report_regions(&rb, right, " ");
		printf("    %4" PRIu32 "  %7s  %-*s  %s\n", t,
		       i ? process_name(&a->cfg, i, number) : "",
		       (int)(2 * a->cfg.n + 8), left, right);
	}
}

static void print_bound(const char *what, uint64_t bound)
{
	if (bound)
		printf(", %s %" PRIu64, what, bound);
}

void report_check(const struct check *c)
{
	const struct task *t = c->task;

	printf("%s, n = %" PRIu32 ", k = %" PRIu32 ": %s (%s)\n", t->name,
	       t->cfg.n, t->cfg.k, t->algo->title, t->algo->source);
	if (t->cfg.mutant)
		printf("planted bug: %s\n",
		       t->algo->mutants[t->cfg.mutant - 1].says);
	printf("%" PRIu64 " states%s, %" PRIu64 " transitions, %" PRIu64
	       " shared values%s",
	       c->states,
	       wicket_has_quotient(t->algo, &t->cfg) ? " (of the quotient)" :
						       "",
	       c->transitions, c->shared_values, c->complete ? "" : " so far");
	print_bound("upper bound", c->upper_bound);
	print_bound("lower bound", c->lower_bound);
	printf(", %.2f s\n", c->seconds);
	for (uint32_t i = 0; i < c->findings; i++) {
		const struct finding *f = &c->finding[i];
		const struct schedule *s = &f->schedule;

		printf("  %-22s ", f->property);
		if (f->verdict == HOLDS) {
			puts("holds");
		} else if (f->verdict == UNDECIDED) {
			printf("not decided: %s\n",
			       c->end == BUDGET_TIME ?
				       "the time limit was reached" :
				       "the memory limit was reached");
		} else {
			if (s->infinite)
				printf("FAILS after %" PRIu32 " steps and a "
				       "cycle of %" PRIu32 "\n",
				       s->stem, s->length - s->stem);
			else
				printf("FAILS after %" PRIu32 " steps\n",
				       s->length);
			report_schedule(t, s, false);
		}
	}
}

/* A pack format that cannot fail but for want of memory. */
static json_t *must(json_t *j)
{
	if (!j)
		abort();
	return j;
}

static json_t *number_or_null(uint64_t x)
{
	return must(x ? json_integer((json_int_t)x) : json_null());
}

static json_t *verdict_json(enum verdict v)
{
	return must(v == UNDECIDED ? json_null() : json_boolean(v == HOLDS));
}

json_t *report_steps_json(const struct task *task, const struct schedule *s,
			  uint32_t from)
{
	json_t *steps = must(json_array());

	for (uint32_t t = from; t < s->length; t++)
		json_array_append_new(steps, s->step[t] > task->cfg.n ?
						     json_string("S") :
						     json_integer(s->step[t]));
	return steps;
}

static void print_named(const char *what, const char *before,
			const struct wicket_named *named)
{
	for (; named && named->name; named++)
		printf("    %-9s %s%-*s %s\n", what, before,
		       21 - (int)strlen(before), named->name, named->says);
}

static void print_mutant(const struct wicket_algo *a,
			 const struct wicket_mutant *m)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s@%s", m->variant ? ":" : "",
		 m->variant ? a->variants[m->variant - 1].name : "", m->name);
	printf("    %-9s %-21s %s\n", "mutant", name, m->says);
}

static json_t *named_json(const char *name, const char *says)
{
	return must(json_pack("{s:s, s:s}", "name", name, "says", says));
}

static json_t *algo_json(const struct wicket_algo *a)
{
	json_t *variants = must(json_array()), *mutants = must(json_array());
	json_t *invariants = must(json_array()),
	       *properties = must(json_array());

	for (const struct wicket_named *v = a->variants; v && v->name; v++)
		json_array_append_new(variants, named_json(v->name, v->says));
	for (const struct wicket_mutant *m = a->mutants; m && m->name; m++)
		json_array_append_new(mutants, named_json(m->name, m->says));
	for (const struct wicket_named *i = a->invariants; i && i->name; i++)
		json_array_append_new(invariants, named_json(i->name, i->says));
	for (size_t i = 0; property_names[i]; i++) {
		if (a->decides >> i & 1)
			json_array_append_new(properties,
					      json_string(property_names[i]));
	}
	return must(json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name",
			      a->name, "title", a->title, "source", a->source,
			      "properties", properties, "variants", variants,
			      "mutants", mutants, "invariants", invariants));
}

void report_list(bool json)
{
	json_t *all = must(json_array());

	for (size_t i = 0; wicket_algos[i]; i++) {
		const struct wicket_algo *a = wicket_algos[i];

		if (json) {
			json_array_append_new(all, algo_json(a));
			continue;
		}
		printf("%-18s %s (%s)\n", a->name, a->title, a->source);
		print_named("variant", ":", a->variants);
		for (const struct wicket_mutant *m = a->mutants; m && m->name;
		     m++)
			print_mutant(a, m);
		print_named("invariant", "", a->invariants);
	}
	if (json)
		report_print_json(must(json_pack("{s:o}", "algorithms", all)));
	else
		json_decref(all);
}

static json_t *finding_json(const struct task *task, const struct finding *f)
{
	const struct schedule *s = &f->schedule;
	json_t *o = must(json_pack("{s:o}", "holds", verdict_json(f->verdict)));

	if (f->verdict != FAILS)
		return o;
	json_object_set_new(o, "schedule", report_steps_json(task, s, 0));
	json_object_set_new(o, "cycle",
			    s->infinite ? report_steps_json(task, s, s->stem) :
					  json_null());
	json_object_set_new(o, "stem",
			    s->infinite ? json_integer(s->stem) : json_null());
	json_object_set_new(o, "length", json_integer(s->length));
	if (s->victim) {
		json_object_set_new(o, "overtaken", json_integer(s->victim));
		json_object_set_new(o, "overtaker", json_integer(s->culprit));
	}
	return o;
}

json_t *report_check_json(const struct check *c)
{
	json_t *properties = must(json_object());

	for (uint32_t i = 0; i < c->findings; i++)
		json_object_set_new(properties, c->finding[i].property,
				    finding_json(c->task, &c->finding[i]));
	return must(json_pack("{s:s, s:i, s:i, s:b, s:I, s:I, s:I, s:o, s:o, "
			      "s:f, s:o}",
			      "algorithm", c->task->name, "n",
			      (int)c->task->cfg.n, "k", (int)c->task->cfg.k,
			      "complete", (int)c->complete, "states",
			      (json_int_t)c->states, "transitions",
			      (json_int_t)c->transitions, "shared_values",
			      (json_int_t)c->shared_values, "upper_bound",
			      number_or_null(c->upper_bound), "lower_bound",
			      number_or_null(c->lower_bound), "seconds",
			      c->seconds, "properties", properties));
}

json_t *report_equiv_json(const struct equiv *e)
{
	json_t *steps = json_null(), *length = json_null();

	if (e->verdict == FAILS) {
		steps = json_array();
		for (uint32_t t = 0; t < e->schedule.length; t++)
			json_array_append_new(
				steps, json_integer(e->schedule.step[t]));
		length = json_integer(e->schedule.length);
	}
	return must(json_pack("{s:o, s:I, s:o, s:o, s:f}", "equivalent",
			      verdict_json(e->verdict), "pairs",
			      (json_int_t)e->pairs, "schedule", steps, "length",
			      length, "seconds", e->seconds));
}

void report_print_json(json_t *object)
{
	json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(object);
}
