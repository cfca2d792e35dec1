/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/registry.h"
#include "verify/explore/run.h"
#include "verify/report.h"
#include "verify/show.h"

static const char region_letter[] = "RTCE";

void report_regions(const struct run *run, char *text, const char *between)
{
	*text = '\0';
	for (uint32_t i = 0; i < run->cfg.n; i++) {
		char letter[2] = { region_letter[run_region(run, i)] };

		if (i)
			strcat(text, between);
		strcat(text, letter);
	}
}

static const char deed_mark[DEEDS] = { '\0', '~', '!', '?' };

const char *report_helper(const struct task *task)
{
	return task->algo->helper ? task->algo->helper : "S";
}

const char *report_label(const struct task *task, uint16_t label, char text[16])
{
	uint32_t i = deed_who(label) + 1;
	int end = i > task->cfg.n ?
			  snprintf(text, 16, "%s", report_helper(task)) :
			  snprintf(text, 16, "%" PRIu32, i);

	if (deed_saw(label))
		snprintf(text + end, 16 - (size_t)end, "=%" PRIu32,
			 deed_saw(label) - 1);
	else
		text[end] = deed_mark[deed_kind(label)], text[end + 1] = '\0';
	return text;
}

bool report_parse_label(const struct task *task, const char *text,
			uint16_t *label)
{
	uint32_t procs = wicket_processes(task->algo, &task->cfg), saw = 0;
	unsigned long i = task->cfg.n + 1;
	uint32_t deed = 0;
	char *end = (char *)text + 1;

	if (*text != *report_helper(task))
		i = strtoul(text, &end, 10);
	if (i < 1 || i > procs)
		return false;
	if (*end == '=') {
		unsigned long value = strtoul(end + 1, &end, 10);

		if (value > 254)
			return false;
		saw = (uint32_t)value + 1;
	} else if (*end) {
		while (deed < DEEDS && deed_mark[deed] != *end)
			deed++;
		end++;
	}
	*label = deed_label((uint32_t)i - 1, deed, saw);
	return deed < DEEDS && !*end;
}

const char *report_model(const struct world *world)
{
	return world->failures	? "failures" :
	       world->mid_write ? "mid-write" :
	       world->safe	? "safe" :
				  "atomic";
}

json_t *report_world_json(const struct world *world)
{
	return json_pack("{s:s, s:b, s:b, s:i, s:i, s:s}", "registers",
			 world->safe ? "safe" : "atomic", "mid-write",
			 (int)world->mid_write, "failures",
			 (int)world->failures, "crashes", (int)world->crashes,
			 "abandons", (int)world->abandons, "sleep",
			 sleep_names[world->sleep]);
}

/* Of a number that may not be known. */
static void print_known(const char *before, uint64_t number, const char *after)
{
	if (number)
		printf(", %s%" PRIu64 "%s%s", before, number, after,
		       *after ? show_plural(number) : "");
}

static bool is_robustness(const struct finding *f)
{
	const struct property *p = property_find(f->property);

	return p && p->robustness;
}

static void print_holds(const struct task *t, const struct finding *f)
{
	printf("holds");
	if (t->algo->beyond)
		printf(" up to cap %" PRIu64, wicket_cap(&t->cfg));
	if (is_robustness(f) && f->bound == BOUND_UNBOUNDED)
		printf(": whoever fails");
	else if (is_robustness(f))
		printf(": up to r = %" PRId64, f->bound);
	else if (f->bound >= 0)
		printf(": at most %" PRId64, f->bound);
	putchar('\n');
}

static void print_fails(const struct finding *f)
{
	const struct schedule *s = &f->schedule;

	uint32_t steps = s->infinite ? s->stem : s->length;

	printf("FAILS after %" PRIu32 " step%s", steps, show_plural(steps));
	if (s->infinite)
		printf(" and a cycle of %" PRIu32, s->length - s->stem);
	if (f->part)
		printf(": %s", f->part);
	if (is_robustness(f) && f->bound)
		printf("; holds up to r = %" PRId64, f->bound);
	putchar('\n');
}

static void print_world(const struct world *w)
{
	if (w->safe)
		printf("safe registers%s\n",
		       w->mid_write ? ", crashes in mid-write" : "");
	if (w->failures)
		puts("processes fail, announced, and restart");
	if (w->crashes)
		printf("crashes: at most %" PRIu32 "\n", w->crashes);
	if (w->abandons)
		printf("giving up: at most %" PRIu32 "\n", w->abandons);
}

void report_check(const struct check *c)
{
	const struct task *t = c->task;

	printf("%s, n = %" PRIu32 ", k = %" PRIu32, t->name, t->cfg.n,
	       t->cfg.k);
	if (t->cfg.r > 1)
		printf(", r = %" PRIu32, t->cfg.r);
	printf(": %s (%s)\n", t->algo->title, t->algo->source);
	if (t->cfg.mutant)
		printf("planted bug: %s\n",
		       t->algo->mutants[t->cfg.mutant - 1].says);
	print_world(&t->world);
	printf("%" PRIu64 " state%s%s, %" PRIu64 " transition%s", c->states,
	       show_plural(c->states),
	       wicket_has_quotient(t->algo, &t->cfg) ? " (of the quotient)" :
						       "",
	       c->transitions, show_plural(c->transitions));
	print_known("", c->shared_values, " shared value");
	if (!c->complete)
		printf(" so far");
	print_known("upper bound ", c->upper_bound, "");
	print_known("lower bound ", c->lower_bound, "");
	printf(", %.2f s\n", c->seconds);
	for (uint32_t i = 0; i < c->findings; i++) {
		const struct finding *f = &c->finding[i];

		printf("  %-24s ", f->property);
		if (f->verdict == HOLDS) {
			print_holds(t, f);
		} else if (f->verdict == UNDECIDED) {
			printf("not decided: %s\n",
			       c->end == BUDGET_TIME ?
				       "the time limit was reached" :
				       "the memory limit was reached");
		} else {
			print_fails(f);
			show_schedule(t, &f->schedule);
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

json_t *report_verdict_json(enum verdict v)
{
	return must(v == UNDECIDED ? json_null() : json_boolean(v == HOLDS));
}

/* Plain steps are numbers, everything else is a word. */
json_t *report_steps_json(const struct task *task, const struct schedule *s,
			  uint32_t from)
{
	json_t *steps = must(json_array());

	for (uint32_t t = from; t < s->length; t++) {
		char text[16];
		const char *end = report_label(task, s->label[t], text);

		json_array_append_new(steps, end[strspn(end, "0123456789")] ?
						     json_string(text) :
						     json_integer(atoi(text)));
	}
	return steps;
}

static void print_named(const char *what, const char *before,
			const struct wicket_named *named)
{
	for (; named && named->name; named++)
		printf("    %-9s %s%-*s %s\n", what, before,
		       21 - (int)strlen(before), named->name, named->says);
}

/* Is it planted in one variant only? */
static bool is_bound(const struct wicket_mutant *m)
{
	return m->variant && m->variant != WICKET_ANY_VARIANT;
}

static void print_mutant(const struct wicket_algo *a,
			 const struct wicket_mutant *m)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s@%s", is_bound(m) ? ":" : "",
		 is_bound(m) ? a->variants[m->variant - 1].name : "", m->name);
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
	       *discussed = must(json_array());

	for (const struct wicket_named *v = a->variants; v && v->name; v++)
		json_array_append_new(variants, named_json(v->name, v->says));
	for (const struct wicket_mutant *m = a->mutants; m && m->name; m++) {
		json_t *o = named_json(m->name, m->says);

		json_object_set_new(
			o, "variant",
			is_bound(m) ?
				json_string(a->variants[m->variant - 1].name) :
				json_null());
		json_array_append_new(mutants, o);
	}
	for (const struct wicket_named *i = a->invariants; i && i->name; i++)
		json_array_append_new(invariants, named_json(i->name, i->says));
	for (size_t i = 0; properties[i]; i++) {
		if (a->decides & properties[i]->claim)
			json_array_append_new(discussed,
					      json_string(properties[i]->name));
	}
	return must(json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name",
			      a->name, "title", a->title, "source", a->source,
			      "properties", discussed, "variants", variants,
			      "mutants", mutants, "invariants", invariants));
}

static void list_json(void)
{
	json_t *algos = must(json_array()), *rows = must(json_array());

	for (size_t i = 0; wicket_algos[i]; i++)
		json_array_append_new(algos, algo_json(wicket_algos[i]));
	for (size_t i = 0; properties[i]; i++)
		json_array_append_new(rows, named_json(properties[i]->name,
						       properties[i]->says));
	report_print_json(must(json_pack("{s:o, s:o}", "algorithms", algos,
					 "properties", rows)));
}

void report_list(bool json)
{
	if (json) {
		list_json();
		return;
	}
	for (size_t i = 0; wicket_algos[i]; i++) {
		const struct wicket_algo *a = wicket_algos[i];

		printf("%-18s %s (%s)\n", a->name, a->title, a->source);
		print_named("variant", ":", a->variants);
		for (const struct wicket_mutant *m = a->mutants; m && m->name;
		     m++)
			print_mutant(a, m);
		print_named("invariant", "", a->invariants);
	}
	putchar('\n');
	for (size_t i = 0; properties[i]; i++)
		printf("    property  %-23s %s\n", properties[i]->name,
		       properties[i]->says);
}

/* Numbers; but a helper is its letter. */
static json_t *processes_json(const struct task *task, uint32_t set)
{
	json_t *list = must(json_array());

	for (uint32_t i = 0; set >> i; i++) {
		if (set >> i & 1)
			json_array_append_new(
				list, i < task->cfg.n ?
					      json_integer(i + 1) :
					      json_string(report_helper(task)));
	}
	return list;
}

static json_t *finding_json(const struct task *task, const struct finding *f)
{
	const struct schedule *s = &f->schedule;
	json_t *o = must(
		json_pack("{s:o}", "holds", report_verdict_json(f->verdict)));

	if (f->bound == BOUND_UNBOUNDED)
		json_object_set_new(o, "bound", json_string("unbounded"));
	else if (f->bound >= 0)
		json_object_set_new(o, "bound", json_integer(f->bound));
	if (f->verdict != FAILS)
		return o;
	json_object_set_new(o, "schedule", report_steps_json(task, s, 0));
	json_object_set_new(o, "cycle",
			    s->infinite ? report_steps_json(task, s, s->stem) :
					  json_null());
	json_object_set_new(o, "stem",
			    s->infinite ? json_integer(s->stem) : json_null());
	json_object_set_new(o, "length", json_integer(s->length));
	if (f->part)
		json_object_set_new(o, "part", json_string(f->part));
	if (f->victims)
		json_object_set_new(o, "victims",
				    processes_json(task, f->victims));
	if (s->stopped)
		json_object_set_new(o, "stopped",
				    processes_json(task, s->stopped));
	if (s->culprit && !s->victim)
		json_object_set_new(o, "aborter", json_integer(s->culprit));
	if (s->culprit && s->victim) {
		json_object_set_new(o, "overtaken", json_integer(s->victim));
		json_object_set_new(o, "overtaker", json_integer(s->culprit));
	}
	return o;
}

json_t *report_check_json(const struct check *c)
{
	json_t *found = must(json_object());

	for (uint32_t i = 0; i < c->findings; i++)
		json_object_set_new(found, c->finding[i].property,
				    finding_json(c->task, &c->finding[i]));
	return must(json_pack(
		"{s:s, s:i, s:i, s:i, s:o, s:o, s:b, s:I, s:I, s:o, s:o, "
		"s:o, s:f, s:o}",
		"algorithm", c->task->name, "n", (int)c->task->cfg.n, "k",
		(int)c->task->cfg.k, "r", (int)c->task->cfg.r, "cap",
		number_or_null(
			c->task->algo->beyond ? wicket_cap(&c->task->cfg) : 0),
		"world", report_world_json(&c->task->world), "complete",
		(int)c->complete, "states", (json_int_t)c->states,
		"transitions", (json_int_t)c->transitions, "shared_values",
		number_or_null(c->shared_values), "upper_bound",
		number_or_null(c->upper_bound), "lower_bound",
		number_or_null(c->lower_bound), "seconds", c->seconds,
		"properties", found));
}

void report_adversary(const struct adversary *a, const struct task *task)
{
	const struct schedule *s = &a->finding.schedule;

	printf("%s, n = %" PRIu32 ", k = %" PRIu32
	       ": the adversary of Taubenfeld 2013, section 2, %s\n",
	       task->name, task->cfg.n, task->cfg.k,
	       a->wins ? "wins" : "does not win");
	for (uint32_t i = 0; i < a->moments; i++)
		printf("  after %" PRIu32 " step%s: %s\n", a->moment[i].step,
		       show_plural(a->moment[i].step), a->moment[i].says);
	if (!a->wins) {
		printf("  but %s\n", a->why);
		return;
	}
	printf("  nobody ever enters: a stem of %" PRIu32
	       " step%s and a cycle of %" PRIu32 "\n",
	       s->stem, show_plural(s->stem), s->length - s->stem);
	show_schedule(task, s);
}

json_t *report_adversary_json(const struct adversary *a,
			      const struct task *task)
{
	json_t *moments = must(json_array());
	json_t *o = must(json_pack(
		"{s:s, s:i, s:i, s:s, s:b, s:s?, s:i, s:o}", "algorithm",
		task->name, "n", (int)task->cfg.n, "k", (int)task->cfg.k,
		"property", a->finding.property, "wins", (int)a->wins, "why",
		a->why, "rounds", (int)a->rounds, "moments", moments));

	for (uint32_t i = 0; i < a->moments; i++)
		json_array_append_new(
			moments, must(json_pack("{s:i, s:s}", "step",
						(int)a->moment[i].step, "says",
						a->moment[i].says)));
	json_object_update_new(o, finding_json(task, &a->finding));
	return o;
}

json_t *report_equiv_json(const struct equiv *e, const struct task *task)
{
	json_t *steps = json_null(), *length = json_null();

	if (e->verdict == FAILS) {
		steps = report_steps_json(task, &e->schedule, 0);
		length = json_integer(e->schedule.length);
	}
	return must(json_pack("{s:o, s:I, s:o, s:o, s:f}", "equivalent",
			      report_verdict_json(e->verdict), "pairs",
			      (json_int_t)e->pairs, "schedule", steps, "length",
			      length, "seconds", e->seconds));
}

void report_print_json(json_t *object)
{
	json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(object);
}
