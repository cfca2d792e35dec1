/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "algo/registry.h"
#include "verify/report.h"
#include "verify/show.h"

const char *report_model(const struct world *world)
{
	return world->failures	? "failures" :
	       world->mid_write ? "mid-write" :
	       world->safe	? "safe" :
				  "atomic";
}

/* Of a number that may not be known. */
static void print_count(uint64_t count, const char *what)
{
	if (count < GRAPH_UNCOUNTED)
		printf("%" PRIu64 " %s%s", count, what, show_plural(count));
	else
		printf("2^63 %ss or more", what);
}

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
		printf(": any number of failures");
	else if (is_robustness(f))
		printf(": up to r = %" PRId64, f->bound);
	else if (f->bound >= 0)
		printf(": at most %" PRId64, f->bound);
	else if (f->constant[0])
		printf(": c1 = %" PRIu32 ", c2 = %" PRIu32 ", c3 = %" PRIu32,
		       f->constant[0], f->constant[1], f->constant[2]);
	putchar('\n');
}

/* What no schedule shows. */
static void print_counted(const struct finding *f)
{
	printf("%s: %s is %" PRIu32 ", which should be at most %" PRIu32 "\n",
	       f->part, !strcmp(f->part, "(R7)") ? "c2" : "c3", f->counted,
	       f->claimed);
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

void report_world(const struct world *w, bool full)
{
	if (w->safe)
		printf("safe registers%s\n",
		       w->mid_write ? ", crashes in mid-write" : "");
	if (w->memory == MEMORY_TSO)
		printf("memory model tso: buffers of %" PRIu32 " store%s, %s\n",
		       world_buffer(w), show_plural(world_buffer(w)),
		       full ? "one of them full at times" : "never full");
	if (w->failures)
		puts("failures: announced, each with a restart");
	if (w->crashes)
		printf("crashes: at most %" PRIu32 "\n", w->crashes);
	if (w->abandons)
		printf("giving up: at most %" PRIu32 "\n", w->abandons);
}

static const char *limit(enum budget_end end)
{
	return end == BUDGET_TIME ? "the time limit was reached" :
				    "the memory limit was reached";
}

static void print_premise(const struct premise *p)
{
	const struct finding *f = &p->finding;

	if (premise_fails(p)) {
		printf("premise FAILS: %s does not satisfy ", p->name);
		if (f->counted) {
			print_counted(f);
		} else {
			printf("%s, after %" PRIu32 " step%s\n", f->part,
			       f->schedule.length,
			       show_plural(f->schedule.length));
			show_schedule(&p->task, &f->schedule);
		}
	} else if (premise_is_undecided(p)) {
		printf("premise undecided: does %s satisfy (R1)-(R8)? %s\n",
		       p->name, limit(p->end));
	} else if (p->there) {
		printf("premise: %s satisfies (R1)-(R8), c1 = %" PRIu32
		       ", c2 = %" PRIu32 ", c3 = %" PRIu32 "\n",
		       p->name, f->constant[0], f->constant[1], f->constant[2]);
	}
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
	report_world(&t->world, c->buffer_full);
	print_premise(&c->premise);
	print_count(c->states, "state");
	printf("%s, ", wicket_has_quotient(t->algo, &t->cfg) ?
			       " (of the quotient)" :
			       "");
	print_count(c->transitions, "transition");
	print_known("", c->shared_values, " shared value");
	if (!c->complete)
		printf(" so far");
	if (!c->complete && c->depth)
		printf(", all those of less than %" PRIu32 " step%s", c->depth,
		       show_plural(c->depth));
	print_known("upper bound ", c->upper_bound, "");
	print_known("lower bound ", c->lower_bound, "");
	printf(", %.2f s\n", c->seconds);
	if (c->representatives)
		printf("symmetry: %" PRIu64
		       " state%s kept, which stand%s for all\n",
		       c->representatives, show_plural(c->representatives),
		       c->representatives == 1 ? "s" : "");
	for (uint32_t i = 0; i < c->findings; i++) {
		const struct finding *f = &c->finding[i];

		printf("  %-24s ", f->property);
		if (f->verdict == HOLDS) {
			print_holds(t, f);
		} else if (f->verdict == UNDECIDED) {
			printf("not decided: %s\n", limit(c->end));
		} else if (f->counted) {
			printf("FAILS: ");
			print_counted(f);
		} else {
			print_fails(f);
			show_schedule(t, &f->schedule);
		}
	}
}

static void print_named(const char *what, const char *before,
			const struct wicket_named *named)
{
	for (; named && named->name; named++)
		printf("    %-9s %s%-*s %s\n", what, before,
		       21 - (int)strlen(before), named->name, named->says);
}

bool report_is_bound(const struct wicket_mutant *m)
{
	return m->variant && m->variant != WICKET_ANY_VARIANT;
}

static void print_mutant(const struct wicket_algo *a,
			 const struct wicket_mutant *m)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s@%s", report_is_bound(m) ? ":" : "",
		 report_is_bound(m) ? a->variants[m->variant - 1].name : "",
		 m->name);
	printf("    %-9s %-21s %s\n", "mutant", name, m->says);
}

void report_list(void)
{
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
	printf("  no process ever enters: a stem of %" PRIu32
	       " step%s and a cycle of %" PRIu32 "\n",
	       s->stem, show_plural(s->stem), s->length - s->stem);
	show_schedule(task, s);
}
