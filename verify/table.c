/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/registry.h"
#include "verify/names.h"
#include "verify/report.h"
#include "verify/table.h"

struct table {
	struct task task; /* the limits */
	uint32_t upto;
	json_t *rows; /* null: print for people */
	int code;
};

static void cell(const struct finding *f)
{
	const struct schedule *s = &f->schedule;
	char text[32];

	if (f->verdict == HOLDS)
		snprintf(text, sizeof(text), "holds");
	else if (f->verdict == UNDECIDED)
		snprintf(text, sizeof(text), "not decided");
	else if (s->infinite)
		snprintf(text, sizeof(text), "FAILS %" PRIu32 "+%" PRIu32,
			 s->stem, s->length - s->stem);
	else
		snprintf(text, sizeof(text), "FAILS %" PRIu32, s->length);
	printf(" %-12s", text);
}

static void print_row(const struct check *c)
{
	uint32_t i = 0;

	printf("%-28s %2" PRIu32 " %2" PRIu32 " %9" PRIu64 " %6" PRIu64,
	       c->task->name, c->task->cfg.n, c->task->cfg.k, c->states,
	       c->shared_values);
	for (size_t p = 0; property_names[p]; p++) {
		if (i < c->findings &&
		    !strcmp(c->finding[i].property, property_names[p]))
			cell(&c->finding[i++]);
		else
			printf(" %-12s", "-");
	}
	for (; i < c->findings; i++) {
		if (c->finding[i].verdict != HOLDS)
			printf(" %s", c->finding[i].property);
	}
	putchar('\n');
	fflush(stdout);
}

static void row(struct table *t, const char *name, uint32_t n, uint32_t k)
{
	struct task task = t->task;
	struct check c;
	int code;

	names_resolve(&task, name, n, k, 1, NULL);
	names_add_default(&task);
	names_add_property(&task, "invariants", NULL);
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
 * All sizes of one system that exist.  A mutant's counters may drift, and its
 * states multiply with k: two slots are enough to show what it breaks.
 */
static void rows(struct table *t, const char *name)
{
	struct wicket_cfg cfg = { .r = 1 };
	const struct wicket_algo *algo, *known;
	const char *part;
	size_t length;

	algo = wicket_find(name, &cfg, &part, &length, &known);
	for (cfg.n = 2; algo && cfg.n <= t->upto; cfg.n++) {
		uint32_t most = cfg.mutant && cfg.n > 2 ? 2 : cfg.n - 1;

		for (cfg.k = 1; cfg.k <= most; cfg.k++) {
			if (!algo->refuse || !algo->refuse(&cfg))
				row(t, name, cfg.n, cfg.k);
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

int table_run(uint32_t upto, size_t memory, double timeout, bool json)
{
	struct table t = {
		.task = { .memory = memory, .timeout = timeout },
		.upto = upto,
		.rows = json ? json_array() : NULL,
	};

	if (!json)
		printf("%-28s %2s %2s %9s %6s %-12s %-12s %-12s %s\n",
		       "algorithm", "n", "k", "states", "values", "exclusion",
		       "k-deadlock", "fifo", "broken invariants");
	for (size_t i = 0; wicket_algos[i]; i++) {
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
