/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/registry.h"
#include "verify/output.h"
#include "verify/report.h"
#include "verify/space.h"
#include "verify/space/bound.h"
#include "verify/space/minimal.h"
#include "verify/space/plot.h"

/* --- measuring ---------------------------------------------------------------- */

/* As many as its range needs, or as the algorithm lays it out. */
static uint32_t register_bits(const struct task *t)
{
	uint32_t bits = 0;

	for (uint32_t r = 0; r < t->algo->registers(&t->cfg); r++)
		bits += t->algo->bits ?
				t->algo->bits(&t->cfg, r) :
				wicket_bits(t->algo->reg(&t->cfg, r).range);
	return bits;
}

/* Of more values it is not asked how few would do: that takes hours. */
enum { MINIMAL_MOST = 2000 };

static void measure_values(struct space *s, struct budget *b)
{
	const struct task *t = &s->task;
	struct minimal minimal = { 0 };
	struct machine m = { .budget = b };
	struct graph g;

	graph_explore_states(&g, t->algo, &t->cfg, &t->world, b);
	if (g.complete && machine_of(&m, &g)) {
		s->reached = m.values;
		s->bits = wicket_bits(m.values);
		graph_free(&g);
		if (m.values <= MINIMAL_MOST && minimal_find(&minimal, &m)) {
			s->at_least = minimal.at_least;
			s->at_most = minimal.at_most;
			s->canonical = minimal.canonical;
		}
		minimal_free(&minimal, b);
	} else {
		graph_free(&g);
	}
	machine_free(&m);
}

/*
 * What takes longer than seconds is not explored.  With a supervisor: at most 0.6
 * million states of the sizes below, 2 to 10 million of the next (supervised, n = 4,
 * k = 2; short-names:least, n = 4, r = 2).  Without him again there may be a hundred
 * times as many states as the original has: 0.2 and 0.9 million of
 * eliminate:short-names and eliminate:supervised, n = 3, k = 1, whose originals have
 * 1628 and 30378; the latter, k = 2, has 358514 before.
 */
enum { ORIGINAL_MOST = 50000 };

static bool is_too_large(const struct task *t, uint64_t original)
{
	const struct wicket_cfg *cfg = &t->cfg;

	if (t->algo->original)
		return !original || original > ORIGINAL_MOST;
	return t->algo->heavy && cfg->n > 3 && cfg->n + cfg->k + cfg->r > 6;
}

/* One variable, or several that are not plain numbers, no single writers and no
   helper. */
static bool is_whole(const struct task *t)
{
	uint32_t registers = t->algo->registers(&t->cfg), plain = 0, owned = 0;

	for (uint32_t r = 0; r < registers; r++) {
		plain += t->algo->reg(&t->cfg, r).range > 0;
		owned += t->algo->reg(&t->cfg, r).owner > 0;
	}
	return !t->algo->has_seats && owned < registers &&
	       wicket_processes(t->algo, &t->cfg) == t->cfg.n &&
	       (registers == 1 || plain < registers);
}

/* With a supervisor there are values, but no schedules of the papers. */
static void measure_supervised(struct space *s, struct budget *b)
{
	const struct task *t = &s->task;
	struct graph g;

	graph_explore_states(&g, t->algo, &t->cfg, &t->world, b);
	if (g.complete)
		s->reached = graph_shared_values(&g);
	if (s->reached)
		s->bits = wicket_bits(s->reached);
	graph_free(&g);
}

/* Returns how many states the original has, 0 if it has many. */
static uint64_t measure_premise(struct space *s, struct budget *b)
{
	enum { PREMISE_MOST = 100000 };
	struct premise p;

	b->most = PREMISE_MOST;
	premise_decide(&p, &s->task, b);
	b->most = 0;
	s->premise = p.there ? p.finding.verdict : UNDECIDED;
	if (premise_fails(&p))
		s->upper = s->sharper = s->lower = 0;
	premise_free(&p);
	return p.states;
}

void space_measure(struct space *s)
{
	struct task *t = &s->task;
	struct budget budget;

	s->whole = is_whole(t);
	s->has_premise = t->algo->original;
	s->premise = UNDECIDED;
	s->unbounded = wicket_has_quotient(t->algo, &t->cfg) || t->algo->beyond;
	s->upper = bound_upper(t);
	s->sharper = bound_sharper(t);
	s->lower = bound_greatest(t, &s->theorem);
	if (!s->whole && !t->algo->simulatable)
		s->bits = s->unbounded ? 0 : register_bits(t);
	if (s->whole) {
		s->pairs = forced_pairs(t);
		s->all = forced_all(t);
	}
	if (s->unbounded || !(s->whole || t->algo->simulatable))
		return;
	budget_start(&budget, &t->limits);
	s->too_large = is_too_large(t, measure_premise(s, &budget)) &&
		       !budget.end;
	if (s->too_large)
		;
	else if (s->whole)
		measure_values(s, &budget);
	else
		measure_supervised(s, &budget);
	budget_quiet(&budget);
	s->end = budget.end;
}

/* --- every algorithm ------------------------------------------------------------ */

struct survey {
	const struct task *limits;
	bool formula; /* the upper bound is all, and n may be too large */
	uint32_t n;   /* the task's, or others */
	void *context;
	void (*take)(void *context, const struct space *s);
};

/* Those that solve the problem of 1989 in bounded space can be compared, and with
   them those that do with less, for a supervisor or in his place. */
static bool is_comparable(const struct space *s)
{
	return (bound_solves_1989(&s->task) || s->task.algo->simulatable ||
		s->task.algo->original) &&
	       !s->unbounded;
}

/* Measures one, if there is such a system. */
static void visit(struct survey *v, const struct wicket_algo *algo,
		  const struct wicket_named *variant)
{
	struct space s = { .task = *v->limits };
	struct wicket_cfg *cfg = &s.task.cfg;

	snprintf(s.name, sizeof(s.name), "%s%s%s", algo->name,
		 variant ? ":" : "", variant ? variant->name : "");
	/* a formula says something if there is a system at all, of any n */
	cfg->n = v->formula ? cfg->k + 1 : v->n;
	s.task.algo = wicket_find(s.name, cfg, NULL);
	s.task.name = s.name;
	if (algo->refuse && algo->refuse(cfg))
		return;
	cfg->n = v->n;
	if (!v->formula)
		space_measure(&s);
	else if (is_comparable(&s))
		s.upper = bound_upper(&s.task);
	v->take(v->context, &s);
}

/* What has no supervisor any more, of each that had one. */
static void visit_eliminated(struct survey *v, const struct wicket_algo *algo)
{
	for (size_t i = 0; wicket_algos[i]; i++) {
		struct wicket_named inner = { wicket_algos[i]->name, NULL };

		if (wicket_algos[i]->simulatable)
			visit(v, algo, &inner);
	}
}

static void survey(struct survey *v)
{
	for (size_t i = 0; wicket_algos[i]; i++) {
		const struct wicket_named *variant = wicket_algos[i]->variants;

		/* a store and a network are no shared variable */
		if (wicket_algos[i]->own_table && !wicket_algos[i]->bits)
			continue;
		if (wicket_algos[i]->composite == WICKET_OF_SUPERVISED) {
			visit_eliminated(v, wicket_algos[i]);
			continue;
		}
		visit(v, wicket_algos[i], NULL);
		/* what its variants add is not space */
		for (; variant && variant->name && !wicket_algos[i]->own_table;
		     variant++)
			visit(v, wicket_algos[i], variant);
	}
}

/* --- for people and for machines -------------------------------------------------- */

/* Of a number that may not be known. */
static const char *number(uint64_t x, char text[24])
{
	if (x > 9999999) /* more than fits the column */
		snprintf(text, 24, "%.1e", (double)x);
	else if (x)
		snprintf(text, 24, "%" PRIu64, x);
	else
		strcpy(text, "-");
	return text;
}

static const char *played(const struct forced *f, char text[24])
{
	if (f->can && f->played)
		snprintf(text, 24, "%" PRIu32 "/%" PRIu32, f->distinct,
			 f->played);
	else
		strcpy(text, "-");
	return text;
}

/* As long as the longest name: rivest-pratt-linear:padded-fenced. */
enum { NAME = 33 };

static void put_size(char text[PLOT_LABEL], const struct wicket_cfg *cfg)
{
	int length = snprintf(text, PLOT_LABEL, "k = %" PRIu32, cfg->k);

	if (cfg->r > 1)
		snprintf(text + length, PLOT_LABEL - (size_t)length,
			 ", r = %" PRIu32, cfg->r);
}

static void print_head(const struct wicket_cfg *cfg)
{
	char size[PLOT_LABEL];

	put_size(size, cfg);
	printf("shared values, n = %" PRIu32 ", %s\n"
	       "%-*s %9s %4s %7s %7s %8s %10s %6s %5s\n",
	       cfg->n, size, NAME, "algorithm", "reached", "bits", "upper",
	       "sharper", "lower", "minimal", "h(i,j)", "5.8");
}

static void print_row(const struct space *s)
{
	char text[8][24], lower[40] = "-", minimal[40] = "-", reached[24];

	if (s->lower)
		snprintf(lower, sizeof(lower), "%" PRIu64 " (%s)", s->lower,
			 strrchr(bound_theorem(s->theorem), ' ') + 1);
	if (s->at_most && s->at_least == s->at_most)
		snprintf(minimal, sizeof(minimal), "%" PRIu32, s->at_most);
	else if (s->at_most)
		snprintf(minimal, sizeof(minimal), "%" PRIu32 "..%" PRIu32,
			 s->at_least, s->at_most);
	snprintf(reached, sizeof(reached), "%s",
		 s->end && !s->reached ? "not known" :
		 s->too_large	       ? "too large" :
		 s->unbounded	       ? "unbounded" :
					 number(s->reached, text[0]));
	printf("%-*s %9s %4s %7s %7s %8s %10s %6s %5s\n", NAME, s->name,
	       reached, number(s->bits, text[1]), number(s->upper, text[2]),
	       number(s->sharper, text[3]), lower,
	       s->end && !s->at_most ? "not known" : minimal,
	       played(&s->pairs, text[4]), played(&s->all, text[5]));
	if (s->has_premise && s->premise == FAILS)
		printf("  no bounds: its premise fails\n");
	fflush(stdout);
}

static json_t *number_or_null(uint64_t x)
{
	return x ? json_integer((json_int_t)x) : json_null();
}

static json_t *forced_json(const struct forced *f)
{
	if (!f->can || !f->played)
		return json_null();
	return json_pack("{s:i, s:i}", "played", (int)f->played, "distinct",
			 (int)f->distinct);
}

static json_t *lowers_json(const struct space *s)
{
	const struct task *t = &s->task;
	json_t *all = json_object();

	for (uint32_t i = 0; i < THEOREMS; i++) {
		uint64_t bound = s->lower ? bound_lower(t, i) : 0;

		if (bound)
			json_object_set_new(all, bound_theorem(i),
					    number_or_null(bound));
	}
	return all;
}

static json_t *row_json(const struct space *s)
{
	json_t *row = json_pack(
		"{s:s, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, "
		"s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
		"algorithm", s->name, "n", (int)s->task.cfg.n, "k",
		(int)s->task.cfg.k, "complete", (int)!s->end, "reached",
		number_or_null(s->reached), "bits", number_or_null(s->bits),
		"upper_bound", number_or_null(s->upper), "sharper_bound",
		number_or_null(s->sharper), "lower_bound",
		number_or_null(s->lower), "lower_bound_of",
		s->lower ? bound_theorem(s->theorem) : NULL, "lower_bounds",
		lowers_json(s), "minimal_at_least", number_or_null(s->at_least),
		"minimal_at_most", number_or_null(s->at_most),
		"minimal_canonical", number_or_null(s->canonical), "h_values",
		forced_json(&s->pairs), "theorem_values", forced_json(&s->all),
		"premise", report_verdict_json(s->premise), "too_large",
		(int)s->too_large);

	if (!row)
		abort();
	return row;
}

/* --- the picture ------------------------------------------------------------------ */

static void draw(struct plot *p, const struct space *s, const char *name,
		 const char *what, enum plot_stroke stroke, uint64_t value)
{
	struct plot_line *line = value ? plot_line(p, name, what, stroke) :
					 NULL;

	if (line)
		line->y[s->task.cfg.n] = (double)value;
}

static void draw_space(struct plot *p, const struct space *s)
{
	if (!is_comparable(s))
		return;
	draw(p, s, s->name, "reached", PLOT_SOLID, s->reached);
	draw(p, s, s->name, "merged", PLOT_DASHED, s->at_most);
	draw(p, s, s->name, "upper bound", PLOT_DOTTED, s->upper);
	for (uint32_t i = 0; i < THEOREMS; i++)
		draw(p, s, "", bound_theorem(i), PLOT_SOLID,
		     bound_lower(&s->task, i));
}

static bool put_plot(FILE *out, const void *plot)
{
	return plot_put(out, plot);
}

/* --- the command ------------------------------------------------------------------- */

struct output {
	struct plot *plot; /* null: none */
	json_t *rows;	   /* null: for people */
	bool quiet;	   /* a smaller size, for the picture only */
	int code;
};

static void take(void *context, const struct space *s)
{
	struct output *o = context;

	if (s->end)
		o->code = budget_exit(s->end);
	if (o->plot)
		draw_space(o->plot, s);
	if (o->quiet)
		return;
	if (o->rows)
		json_array_append_new(o->rows, row_json(s));
	else
		print_row(s);
}

int space_run(const struct task *task, bool json, const char *path)
{
	const struct wicket_cfg *cfg = &task->cfg;
	struct plot plot = { .first = cfg->k + 1, .last = cfg->n };
	char size[PLOT_LABEL];
	struct output o = { .plot = path ? &plot : NULL,
			    .rows = json ? json_array() : NULL };
	struct survey v = { .limits = task, .context = &o, .take = take };

	if (path)
		output_writable(path);
	o.quiet = true;
	for (v.n = cfg->k + 1; path && v.n < cfg->n; v.n++)
		survey(&v);
	o.quiet = false;
	v.n = cfg->n;
	if (!json)
		print_head(cfg);
	survey(&v);
	if (json)
		report_print_json(json_pack("{s:i, s:i, s:i, s:o}", "n",
					    (int)cfg->n, "k", (int)cfg->k, "r",
					    (int)cfg->r, "rows", o.rows));
	if (!path)
		return o.code;
	put_size(size, cfg);
	snprintf(plot.title, sizeof(plot.title), "shared values, %.60s", size);
	plot_join(&plot);
	output_write(path, put_plot, &plot);
	return o.code;
}

/* --- growth ------------------------------------------------------------------------- */

static void take_bound(void *context, const struct space *s)
{
	struct plot_line *line =
		s->upper ? plot_line(context, s->name, "", PLOT_SOLID) : NULL;

	if (line)
		line->y[wicket_bits(s->task.cfg.n)] = (double)s->upper;
}

void space_growth(const struct wicket_cfg *size, const char *path)
{
	struct task task = { .cfg = *size };
	struct plot plot = { .first = wicket_bits(size->k + 1),
			     .last = PLOT_SIZES,
			     .doubling = true };
	struct survey v = { .limits = &task,
			    .formula = true,
			    .context = &plot,
			    .take = take_bound };
	char text[PLOT_LABEL];

	output_writable(path);
	put_size(text, size);
	snprintf(plot.title, sizeof(plot.title),
		 "upper bounds on shared values, relative to n = %u, %.30s",
		 1u << plot.first, text);
	for (v.n = 1u << plot.first; v.n <= 1u << plot.last; v.n *= 2)
		survey(&v);
	plot_relate(&plot);
	plot_join(&plot);
	output_write(path, put_plot, &plot);
}

/* --- bits of a line ----------------------------------------------------------------- */

/* log2 of C(2k,k) ((k+1) M)^2, which soon fits no word. */
static double log2_bound(uint32_t k, uint32_t m)
{
	double bits = 2 * log2((double)(k + 1) * m);

	for (uint32_t j = 1; j <= k; j++)
		bits += log2((double)(k + j) / j);
	return bits;
}

struct line_bits {
	uint32_t n, k;
	uint32_t dense, tight; /* one number for all of it: Theorem 4.1 */
	uint32_t fields;       /* field by field */
	uint32_t w, slot, seat;
	uint64_t line; /* W, all SLOTs, all SEATs and what belongs to them */
};

static struct line_bits bits_of(uint32_t n, uint32_t k)
{
	struct wicket_cfg cfg = { .n = n, .k = k, .r = 1 }, other = cfg;
	const struct wicket_algo *colored, *line;
	uint32_t m = k > n - k ? k : n - k;
	struct line_bits b = {
		.n = n,
		.k = k,
		.dense = (uint32_t)ceil(log2_bound(k, m + 1)),
		.tight = (uint32_t)ceil(log2_bound(k, m)),
	};

	colored = wicket_find("colored", &cfg, NULL);
	b.fields = colored->bits(&cfg, 0);
	line = wicket_find("recoverable", &other, NULL);
	b.w = line->bits(&other, 0);
	b.slot = line->bits(&other, 1);
	b.seat = line->bits(&other, 1 + k);
	for (uint32_t r = 0; r < line->registers(&other); r++)
		b.line += line->bits(&other, r);
	return b;
}

static json_t *bits_json(const struct line_bits *b)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I}", "n",
			 (int)b->n, "k", (int)b->k, "colored", (int)b->dense,
			 "tight", (int)b->tight, "fields", (int)b->fields, "w",
			 (int)b->w, "slot", (int)b->slot, "seat", (int)b->seat,
			 "line", (json_int_t)b->line);
}

void space_bits(bool json)
{
	static const uint32_t sizes[] = { 4, 8, 16, 64, 256, 1024, 8191 };
	static const uint32_t slots[] = { 1, 2, 3, 7, 15, 63, 255, 511 };
	json_t *rows = json_array();

	if (!json)
		printf("bits of a line\n%5s %4s %8s %6s %7s  %4s %5s %5s %8s\n",
		       "n", "k", "colored", "tight", "fields", "W", "SLOT",
		       "SEAT", "line");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t j = 0; j < sizeof(slots) / sizeof(*slots); j++) {
			struct line_bits b;

			if (slots[j] >= sizes[i])
				continue;
			b = bits_of(sizes[i], slots[j]);
			if (json)
				json_array_append_new(rows, bits_json(&b));
			else
				printf("%5" PRIu32 " %4" PRIu32 " %8" PRIu32
				       " %6" PRIu32 " %7" PRIu32 "  %4" PRIu32
				       " %5" PRIu32 " %5" PRIu32 " %8" PRIu64
				       "\n",
				       b.n, b.k, b.dense, b.tight, b.fields,
				       b.w, b.slot, b.seat, b.line);
		}
	}
	if (json)
		report_print_json(json_pack("{s:o}", "rows", rows));
	else
		json_decref(rows);
}
