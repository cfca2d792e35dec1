/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "algo/registry.h"
#include "verify/label.h"
#include "verify/report.h"

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

static json_t *count_json(uint64_t count)
{
	return must(count < GRAPH_UNCOUNTED ? json_integer((json_int_t)count) :
					      json_null());
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
		const char *end = label_write(task, s->label[t], text);

		json_array_append_new(steps, end[strspn(end, "0123456789")] ?
						     json_string(text) :
						     json_integer(atoi(text)));
	}
	return steps;
}

json_t *report_world_json(const struct world *world)
{
	json_t *o = must(json_pack(
		"{s:s, s:b, s:b, s:i, s:i, s:s, s:s}", "registers",
		world->safe ? "safe" : "atomic", "mid-write",
		(int)world->mid_write, "failures", (int)world->failures,
		"crashes", (int)world->crashes, "abandons",
		(int)world->abandons, "sleep", sleep_names[world->sleep],
		"memory", memory_names[world->memory]));

	if (world->memory == MEMORY_TSO)
		json_object_set_new(o, "buffer",
				    json_integer(world_buffer(world)));
	return o;
}

json_t *report_buffered_world_json(const struct world *world, bool full)
{
	json_t *o = report_world_json(world);

	if (world->memory == MEMORY_TSO)
		json_object_set_new(o, "buffer_full", json_boolean(full));
	return o;
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
			report_is_bound(m) ?
				json_string(a->variants[m->variant - 1].name) :
				json_null());
		json_array_append_new(mutants, o);
	}
	for (const struct wicket_named *i = a->invariants; i && i->name; i++)
		json_array_append_new(invariants, named_json(i->name, i->says));
	for (size_t i = 0; properties[i]; i++) {
		if (a->discusses & properties[i]->claim)
			json_array_append_new(discussed,
					      json_string(properties[i]->name));
	}
	return must(json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name",
			      a->name, "title", a->title, "source", a->source,
			      "properties", discussed, "variants", variants,
			      "mutants", mutants, "invariants", invariants));
}

json_t *report_list_json(void)
{
	json_t *algos = must(json_array()), *rows = must(json_array());

	for (size_t i = 0; wicket_algos[i]; i++)
		json_array_append_new(algos, algo_json(wicket_algos[i]));
	for (size_t i = 0; properties[i]; i++)
		json_array_append_new(rows, named_json(properties[i]->name,
						       properties[i]->says));
	return must(json_pack("{s:o, s:o}", "algorithms", algos, "properties",
			      rows));
}

/* Numbers; but a helper is its letter. */
static json_t *processes_json(const struct task *task, uint32_t set)
{
	json_t *list = must(json_array());
	char text[16];

	for (uint32_t i = 0; set >> i; i++) {
		if (!(set >> i & 1))
			continue;
		label_process(task, i, text);
		json_array_append_new(list, i < task->cfg.n ?
						    json_integer(i + 1) :
						    json_string(text));
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
	for (uint32_t i = 0; f->verdict == HOLDS && f->constant[0] && i < 3;
	     i++)
		json_object_set_new(o, (const char *[]){ "c1", "c2", "c3" }[i],
				    json_integer(f->constant[i]));
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
	if (f->counted) {
		json_object_set_new(o, "counted", json_integer(f->counted));
		json_object_set_new(o, "claimed", json_integer(f->claimed));
	}
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

static json_t *premise_json(const struct premise *p)
{
	json_t *o;

	if (!p->there)
		return json_null();
	o = must(json_pack("{s:s, s:s}", "algorithm", p->name, "property",
			   p->finding.property));
	json_object_update_new(o, finding_json(&p->task, &p->finding));
	return o;
}

json_t *report_check_json(const struct check *c)
{
	json_t *found = must(json_object());

	for (uint32_t i = 0; i < c->findings; i++)
		json_object_set_new(found, c->finding[i].property,
				    finding_json(c->task, &c->finding[i]));
	return must(json_pack(
		"{s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:b, s:o, s:o, s:i, s:o, s:o, "
		"s:o, s:o, s:I, s:f, s:o}",
		"algorithm", c->task->name, "n", (int)c->task->cfg.n, "k",
		(int)c->task->cfg.k, "r", (int)c->task->cfg.r, "cap",
		number_or_null(
			c->task->algo->beyond ? wicket_cap(&c->task->cfg) : 0),
		"world",
		report_buffered_world_json(&c->task->world, c->buffer_full),
		"premise", premise_json(&c->premise), "complete",
		(int)c->complete, "states", count_json(c->states),
		"transitions", count_json(c->transitions), "depth",
		(int)c->depth, "representatives",
		number_or_null(c->representatives), "shared_values",
		number_or_null(c->shared_values), "upper_bound",
		number_or_null(c->upper_bound), "lower_bound",
		number_or_null(c->lower_bound), "bytes", (json_int_t)c->bytes,
		"seconds", c->seconds, "properties", found));
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
