/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/property/property.h"
#include "verify/property/simulates.h"
#include "verify/random.h"
#include "verify/report.h"
#include "verify/show.h"

const struct random_options random_defaults = { .steps = 1000000, .seed = 1 };

bool random_schedule(const char *name, bool *adversarial)
{
	*adversarial = !strcmp(name, "adversarial");
	return *adversarial || !strcmp(name, "uniform");
}

/* --- who takes the next step ------------------------------------------------- */

/*
 * Uniform: everybody is as likely as anybody else.  Adversarial: for a thousand
 * steps at a time some are 8 or 64 times as likely as others, and up to r - 1
 * workers, but never all of them, stand still, wherever they are.  The supervisor
 * never stands still, and no buffer does.
 */
enum { STAGE = 1000 };

struct dice {
	uint64_t state;
};

/* xorshift64* */
static uint32_t draw(struct dice *d, uint32_t below)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return (uint32_t)((d->state * 0x2545f4914f6cdd1d >> 32) % below);
}

/* The processes, and then their buffers if there are any. */
struct lots {
	struct dice dice;
	uint32_t weight[2 * WICKET_PROCS_MAX], sum;
};

static uint32_t actors(const struct run *run)
{
	return run->world.memory == MEMORY_TSO ? 2 * run->procs : run->procs;
}

static void deal(struct lots *l, const struct run *run, bool adversarial)
{
	uint32_t stopped = 0;

	l->sum = 0;
	for (uint32_t i = 0; i < actors(run); i++) {
		l->weight[i] = 1;
		if (adversarial)
			l->weight[i] <<= 3 * draw(&l->dice, 3); /* 1, 8, 64 */
	}
	for (uint32_t i = 0; adversarial && i + 1 < run->cfg.r; i++)
		stopped |= 1u << draw(&l->dice, run->cfg.n);
	stopped &= ~(1u << draw(&l->dice, run->cfg.n));
	for (uint32_t i = 0; i < actors(run); i++) {
		if (stopped >> i & 1)
			l->weight[i] = 0;
		l->sum += l->weight[i];
	}
}

static uint32_t next(struct lots *l)
{
	uint32_t lot = draw(&l->dice, l->sum), i = 0;

	while (lot >= l->weight[i])
		lot -= l->weight[i++];
	return i;
}

static uint16_t deed_by(const struct run *run, uint32_t actor)
{
	return actor < run->procs ? deed_of(actor, DEED_STEP) :
				    deed_of(actor - run->procs, DEED_DRAIN);
}

/* --- what is seen ------------------------------------------------------------- */

struct sight {
	const char *broken; /* null: all is well */
	uint64_t steps, entries;
	uint64_t longest; /* steps without an entry */
	bool at_end;	  /* they were the last ones */
	uint32_t values;  /* distinct ones */
	bool full;	  /* a process waited for room in its buffer */
	enum budget_end end;
	double seconds;
};

/* The first property that is broken now. */
static const char *broken(const struct run *run, const struct task *task)
{
	for (uint32_t i = 0; task->property[i]; i++) {
		if (property_is_safety(task->algo, task->property[i]) &&
		    property_is_broken(run, task->property[i]))
			return task->property[i];
	}
	return NULL;
}

/* The original that runs beside a system without its supervisor. */
static bool is_simulated(const struct run *run, uint32_t i,
			 struct original *was)
{
	struct original now = original_of(run->algo, &run->cfg, run->reg,
					  run->actor);
	bool good = original_leads(&run->cfg, was, i, &now);

	*was = now;
	return good;
}

struct player {
	const struct task *task;
	struct run run;
	struct lots lots;
	struct original original;
	struct pool values;
	struct budget budget;
	uint64_t entered; /* at this step somebody did */
};

/* A wait for an entry is over; true: there was none as long. */
static bool end_wait(const struct player *p, struct sight *s)
{
	uint64_t wait = s->steps - p->entered;
	bool longest = wait > s->longest;

	if (longest)
		s->longest = wait;
	return longest;
}

static void take_step(struct player *p, struct sight *s)
{
	uint16_t label = deed_by(&p->run, next(&p->lots));
	uint32_t i = deed_process(label);
	enum wicket_region before = run_region(&p->run, i);

	s->steps++;
	s->full |= actors(&p->run) > p->run.procs && run_is_full(&p->run);
	if (!run_can(&p->run, label))
		return;
	run_do(&p->run, label);
	pool_number(&p->values, &p->budget, p->run.reg);
	if (before != WICKET_CRITICAL &&
	    run_region(&p->run, i) == WICKET_CRITICAL) {
		s->entries++;
		end_wait(p, s);
		p->entered = s->steps;
	}
	s->broken = broken(&p->run, p->task);
	if (!s->broken && p->task->algo->original &&
	    !is_simulated(&p->run, i, &p->original))
		s->broken = property_simulates.name;
}

static void play(const struct task *task, const struct random_options *o,
		 struct sight *s)
{
	struct player p = {
		.task = task,
		.lots = { .dice = { o->seed * 0x9e3779b97f4a7c15 | 1 } },
	};

	budget_start(&p.budget, &task->limits);
	run_start(&p.run, task->algo, &task->cfg, &task->world);
	p.values.size = p.run.regs * sizeof(*p.run.reg);
	if (task->algo->original)
		p.original = original_start(&task->cfg);
	while (s->steps < o->steps && !s->broken && !s->end) {
		if (s->steps % STAGE == 0)
			deal(&p.lots, &p.run, o->adversarial);
		if (s->steps % 65536 == 0)
			budget_tick(&p.budget, "random steps", s->steps,
				    o->steps);
		take_step(&p, s);
		s->end = p.budget.end;
	}
	s->at_end = end_wait(&p, s);
	s->values = p.values.count;
	s->seconds = budget_seconds(&p.budget);
	pool_free(&p.values, &p.budget);
	budget_quiet(&p.budget);
}

/* --- the command -------------------------------------------------------------- */

static const char *schedule_name(const struct random_options *o)
{
	return o->adversarial ? "adversarial" : "uniform";
}

static void report(const struct task *t, const struct random_options *o,
		   const struct sight *s)
{
	printf("%s, n = %" PRIu32 ", k = %" PRIu32, t->name, t->cfg.n,
	       t->cfg.k);
	if (t->cfg.r > 1)
		printf(", r = %" PRIu32, t->cfg.r);
	printf(": %s (%s)\n", t->algo->title, t->algo->source);
	report_world(&t->world, s->full);
	printf("%" PRIu64 " steps, %s, seed %" PRIu32 ", %.2f s\n", s->steps,
	       schedule_name(o), o->seed, s->seconds);
	printf("  entries        %" PRIu64 ", at most %" PRIu64
	       " step%s without one%s\n",
	       s->entries, s->longest, show_plural(s->longest),
	       s->at_end ? ", the last ones" : "");
	printf("  shared values  %" PRIu32 "\n", s->values);
	if (s->broken)
		printf("  %-14s FAILS after %" PRIu64 " steps\n", s->broken,
		       s->steps);
	else if (s->end)
		puts("  not finished");
	else
		puts("  nothing fails on the way");
}

static void report_json(const struct task *t, const struct random_options *o,
			const struct sight *s)
{
	json_t *object = json_pack(
		"{s:s, s:i, s:i, s:i, s:o, s:s, s:i, s:I, s:b, s:I, s:I, s:i, "
		"s:f, s:o, s:s?}",
		"algorithm", t->name, "n", (int)t->cfg.n, "k", (int)t->cfg.k,
		"r", (int)t->cfg.r, "world",
		report_buffered_world_json(&t->world, s->full), "schedule",
		schedule_name(o), "seed", (int)o->seed, "steps",
		(json_int_t)s->steps, "complete", (int)!s->end, "entries",
		(json_int_t)s->entries, "longest_without",
		(json_int_t)s->longest, "shared_values", (int)s->values,
		"seconds", s->seconds, "holds",
		s->broken ? json_false() :
		s->end	  ? json_null() :
			    json_true(),
		"broken", s->broken);

	if (!object)
		abort();
	report_print_json(object);
}

int random_run(const struct task *task, const struct random_options *o,
	       bool json)
{
	struct sight s = { 0 };

	play(task, o, &s);
	(json ? report_json : report)(task, o, &s);
	return s.broken ? 1 : s.end ? budget_exit(s.end) : 0;
}
