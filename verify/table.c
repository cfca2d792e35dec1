/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "algo/registry.h"
#include "verify/report.h"
#include "verify/table.h"
#include "verify/task.h"

enum { POINTS_MAX = 4 };

struct table {
	struct task task; /* the limits */
	uint32_t upto;
	json_t *rows; /* null: print for people */
	int code;
};

static void print_failure(const struct finding *f)
{
	const struct schedule *s = &f->schedule;

	printf(" %s", f->property);
	if (f->verdict == UNDECIDED)
		printf(" not decided");
	else if (s->infinite)
		printf(" %" PRIu32 "+%" PRIu32, s->stem, s->length - s->stem);
	else
		printf(" %" PRIu32, s->length);
}

static void print_row(const struct check *c)
{
	const struct task *t = c->task;
	uint32_t bad = 0;
	char model[32];

	snprintf(model, sizeof(model), "%s", report_model(&t->world));
	if (t->cfg.r > 1)
		snprintf(model, sizeof(model), "%s,r=%" PRIu32,
			 report_model(&t->world), t->cfg.r);
	printf("%-28s %2" PRIu32 " %2" PRIu32 " %-13s %9" PRIu64 " %6" PRIu64
	       " ",
	       t->name, t->cfg.n, t->cfg.k, model, c->states, c->shared_values);
	for (uint32_t i = 0; i < c->findings; i++) {
		if (c->finding[i].verdict == HOLDS)
			continue;
		if (bad++)
			putchar(',');
		print_failure(&c->finding[i]);
	}
	puts(bad ? "" : " -");
	fflush(stdout);
}

/*
 * The wait may be counted from any of the points that the algorithm names; from
 * the first if bypass is asked for anyway.
 */
static void add_points(struct task *task, char name[][48])
{
	const struct wicket_named *point = task->algo->points;
	uint32_t first = !!(task->algo->discusses & WICKET_BYPASS);

	for (uint32_t i = first; point && point[i].name && i < POINTS_MAX;
	     i++) {
		snprintf(name[i], sizeof(name[i]), "bypass-from-%s",
			 point[i].name);
		task_add_property(task, name[i], NULL);
	}
}

static void row(struct table *t, const char *name, const struct wicket_cfg *cfg,
		struct world world)
{
	struct wicket_cfg size = { .n = cfg->n, .k = cfg->k, .r = cfg->r };
	char points[POINTS_MAX][48];
	struct task task = t->task;
	struct check c;
	int code;

	task.world = world;
	task_resolve(&task, name, size, NULL);
	task_add_default(&task);
	add_points(&task, points);
	task_add_property(&task, "invariants", NULL);
	check_run(&c, &task);
	code = check_exit(&c);
	if (code > 1)
		t->code = code;
	if (t->rows)
		json_array_append_new(t->rows, report_check_json(&c));
	else
		print_row(&c);
	check_free(&c);
}

/*
 * One system in every world that its paper speaks of.  Failures multiply
 * states, and are a matter of atomic registers: one process less.
 */
static void worlds(struct table *t, const struct wicket_algo *algo,
		   const char *name, const struct wicket_cfg *cfg)
{
	struct task task = { .algo = algo, .cfg = *cfg };
	bool fails = algo->event && (cfg->n < t->upto || cfg->n == 2);

	if (algo->discusses & WICKET_ULTRARELIABILITY) {
		if (fails)
			row(t, name, cfg, (struct world){ .failures = true });
		return;
	}
	row(t, name, cfg, (struct world){ 0 });
	if (task_may_be_safe(&task) && !(algo->beyond && cfg->n > 2)) {
		row(t, name, cfg, (struct world){ .safe = true });
		if (algo->discusses & WICKET_K_DEADLOCK_FREEDOM)
			row(t, name, cfg,
			    (struct world){ .safe = true, .mid_write = true });
	}
	if (fails)
		row(t, name, cfg, (struct world){ .failures = true });
}

/* How many processes are not too many for a table. */
static uint32_t most_processes(const struct wicket_algo *algo, uint32_t upto)
{
	return upto > algo->heavy + 1 ? upto - algo->heavy : 2;
}

/* How robust it may be asked to be: 1 if that is no question. */
static uint32_t most_robust(const struct wicket_algo *algo, uint32_t k)
{
	return algo->discusses & WICKET_R_DEADLOCK_FREEDOM ? k :
	       algo->simulatable || algo->original	   ? 2 :
							     1;
}

/*
 * All sizes of one system that exist.  A mutant's counters may drift, and its
 * states multiply with k: two slots are enough to show what it breaks.
 */
static void rows(struct table *t, const char *name)
{
	struct wicket_cfg cfg = { .r = 1 };
	const struct wicket_algo *algo;

	algo = wicket_find(name, &cfg, NULL);
	for (cfg.n = 2; algo && cfg.n <= most_processes(algo, t->upto);
	     cfg.n++) {
		uint32_t most = cfg.mutant && cfg.n > 2 ? 2 : cfg.n - 1;

		for (cfg.k = 1; cfg.k <= most; cfg.k++) {
			uint32_t robust = most_robust(algo, cfg.k);

			for (cfg.r = 1; cfg.r <= robust; cfg.r++) {
				/* what it is built from may depend on r */
				wicket_find(name, &cfg, NULL);
				if (!algo->refuse || !algo->refuse(&cfg))
					worlds(t, algo, name, &cfg);
			}
		}
	}
}

/* NAME[:VARIANT], then the same with each of its mutants. */
static void family(struct table *t, const struct wicket_algo *algo,
		   uint32_t variant)
{
	char base[64], name[128];

	snprintf(base, sizeof(base), "%s%s%s", algo->name, variant ? ":" : "",
		 variant ? algo->variants[variant - 1].name : "");
	rows(t, base);
	for (const struct wicket_mutant *m = algo->mutants; m && m->name; m++) {
		if (m->variant != variant)
			continue;
		snprintf(name, sizeof(name), "%s@%s", base, m->name);
		rows(t, name);
	}
}

int table_run(uint32_t upto, const struct limits *limits, bool json)
{
	struct table t = {
		.task = { .limits = *limits },
		.upto = upto,
		.rows = json ? json_array() : NULL,
	};

	if (!json)
		printf("%-28s %2s %2s %-13s %9s %6s  %s\n", "algorithm", "n",
		       "k", "model", "states", "values",
		       "what fails, after how many steps (+ cycle)");
	for (size_t i = 0; wicket_algos[i]; i++) {
		if (wicket_algos[i]->own_table)
			continue;
		const struct wicket_named *v = wicket_algos[i]->variants;
		uint32_t variant = 0;

		do
			family(&t, wicket_algos[i], variant);
		while (v && v[variant++].name);
	}
	if (json)
		report_print_json(json_pack("{s:o}", "rows", t.rows));
	return t.code;
}
