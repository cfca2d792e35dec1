/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "verify/property/property.h"

#include "verify/explore/task.h"

#define ADDRESS(bit, row) &property_##row,
const struct property *const properties[] = { WICKET_CLAIMS(ADDRESS) NULL };
#undef ADDRESS

static const char bypass_from[] = "bypass-from-";

const struct property *property_find(const char *name)
{
	size_t i = 0;

	while (properties[i] && strcmp(properties[i]->name, name) != 0)
		i++;
	return properties[i];
}

/* 1 + the position of a name in a table, or 0. */
static uint32_t position(const struct wicket_named *table, const char *name)
{
	for (uint32_t i = 0; table && table[i].name; i++) {
		if (!strcmp(table[i].name, name))
			return i + 1;
	}
	return 0;
}

/* bypass-from-POINT: 1 + the position of the point, or 0. */
static uint32_t point_of(const struct wicket_algo *algo, const char *name)
{
	size_t length = strlen(bypass_from);

	return strncmp(name, bypass_from, length) ?
		       0 :
		       position(algo->points, name + length);
}

bool property_known(const struct wicket_algo *algo, const char *name)
{
	return property_find(name) || position(algo->invariants, name) ||
	       point_of(algo, name);
}

const char *property_unfit(const struct wicket_algo *algo, const char *name)
{
	const struct property *p = property_find(name);

	if (p && p->growing && !algo->raise)
		return "is asked only of numbers explored up to a cap";
	if (p && p->supervised && !algo->simulatable)
		return "is asked only of systems with a supervisor";
	if (p && p->eliminated && !algo->original)
		return "is asked only of systems made from one with a supervisor";
	if (p && p->uncapped && algo->beyond)
		return "cannot be decided up to a cap";
	return NULL;
}

const char *property_unfit_graph(const struct graph *g, const char *name)
{
	const struct property *p = property_find(name);

	return p && p->unbuffered && system_has_buffered(&g->system) ?
		       "is not asked where stores wait in buffers" :
		       NULL;
}

/* What a name stands for if it can be decided state by state: a row, or the label
   of an invariant.  Names are looked up once, not in every state. */
struct rule {
	const struct property *row;
	uint32_t label; /* counted from 1 */
};

static struct rule rule_of(const struct wicket_algo *algo, const char *name)
{
	const struct property *p = property_find(name);

	return (struct rule){
		.row = p && p->broken ? p : NULL,
		.label = p ? 0 : position(algo->invariants, name),
	};
}

static bool is_rule(struct rule rule)
{
	return rule.row || rule.label;
}

static bool is_broken(struct rule rule, const struct run *run)
{
	struct wicket_value regs[WICKET_REGS_MAX];
	struct wicket_proc procs[WICKET_PROCS_MAX];

	if (rule.row)
		return rule.row->broken(run);
	for (uint32_t i = 0; i < run->procs; i++)
		procs[i] = run->actor[i].proc;
	run_drained(run, regs);
	return !run->algo->holds(&run->cfg, rule.label - 1, regs, procs);
}

bool property_is_safety(const struct wicket_algo *algo, const char *name)
{
	return is_rule(rule_of(algo, name));
}

bool property_is_broken(const struct run *run, const char *name)
{
	return is_broken(rule_of(run->algo, name), run);
}

void property_conclude(struct finding *f, bool done)
{
	f->verdict = !done ? UNDECIDED : f->schedule.label ? FAILS : HOLDS;
}

void property_fail_in_state(const struct graph *g, uint32_t state,
			    struct finding *f)
{
	f->verdict = FAILS;
	schedule_free(&f->schedule);
	f->schedule = schedule_of(graph_depth(g, state));
	f->schedule.from = f->schedule.length;
	schedule_put_path(&f->schedule, g, state, f->schedule.length);
}

void property_fail_by_step(const struct graph *g, uint32_t state, uint64_t edge,
			   struct finding *f)
{
	uint32_t depth = graph_depth(g, state);

	f->verdict = FAILS;
	schedule_free(&f->schedule);
	f->schedule = schedule_of(depth + 1);
	f->schedule.from = depth;
	schedule_put_path(&f->schedule, g, state, depth);
	f->schedule.label[depth] = graph_label(g, edge);
}

/* --- properties of states -------------------------------------------------- */

/* All of them among the findings, in one pass: so many states at a time, piece by
   piece, as many pieces at once as there are threads. */
enum { PIECE = 4096, PIECES = 32 };

struct pass {
	struct graph *g;
	uint32_t count; /* of findings */
	struct rule rule[FINDINGS_MAX];
	bool open[FINDINGS_MAX];	    /* has no bad state been found? */
	uint32_t first;			    /* state of these pieces */
	uint32_t bad[PIECES][FINDINGS_MAX]; /* the first one in each, or ... */
};

#define NONE UINT32_MAX

/* The run is put into the state if need be. */
static bool is_bad(const struct pass *x, uint32_t i, const uint32_t *parts,
		   struct run *run, bool *there)
{
	const struct property *row = x->rule[i].row;

	if (row && !row->suspect(&x->g->system, parts))
		return false;
	if (!*there)
		graph_run_parts(x->g, parts, run);
	*there = true;
	return is_broken(x->rule[i], run);
}

static void look_at_piece(void *pass, uint32_t piece)
{
	struct pass *x = pass;
	const struct system *s = &x->g->system;
	uint32_t *bad = x->bad[piece], state = x->first + piece * PIECE;
	uint32_t left = x->g->states - state;
	uint32_t end = state + (left < PIECE ? left : PIECE);
	struct run run;

	memset(bad, 0xff, sizeof(x->bad[piece]));
	run_start(&run, s->algo, &s->cfg, &s->world);
	for (; state < end; state++) {
		uint32_t parts[SYSTEM_PARTS_MAX];
		bool there = false;

		graph_unpack(x->g, state, parts);
		for (uint32_t i = 0; i < x->count; i++) {
			if (x->open[i] && bad[i] == NONE &&
			    is_bad(x, i, parts, &run, &there))
				bad[i] = state;
		}
	}
}

/* What these pieces, whose number is given, say of the findings. */
static void note_pieces(struct pass *x, struct finding *f, uint32_t pieces)
{
	for (uint32_t piece = 0; piece < pieces; piece++) {
		for (uint32_t i = 0; i < x->count; i++) {
			if (!x->open[i] || x->bad[piece][i] == NONE)
				continue;
			property_fail_in_state(x->g, x->bad[piece][i], &f[i]);
			x->open[i] = false;
		}
	}
}

static void decide_safety(struct graph *g, struct finding *f, uint32_t count)
{
	struct pass x = { .g = g, .count = count };

	for (uint32_t i = 0; i < count; i++) {
		x.rule[i] = rule_of(g->system.algo, f[i].property);
		x.open[i] = is_rule(x.rule[i]);
	}
	for (uint64_t s = 0; s < g->states; s += PIECE * PIECES) {
		uint32_t pieces = PIECES;

		if (g->complete &&
		    !budget_tick(g->budget, "looking at states", s, g->states))
			return;
		if (g->states - s < PIECE * PIECES)
			pieces = (uint32_t)(g->states - s + PIECE - 1) / PIECE;
		x.first = (uint32_t)s;
		team_run(&g->team, look_at_piece, &x, pieces);
		note_pieces(&x, f, pieces);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (x.open[i] && g->complete)
			f[i].verdict = HOLDS;
	}
}

/*
 * Bypass itself is from the first point that the algorithm names, if it names
 * any.
 */
static struct question question(struct graph *g, struct enabled *en,
				const char *name)
{
	const struct wicket_algo *algo = g->system.algo;
	const struct property *p = property_find(name);

	return (struct question){
		.g = g,
		.en = en,
		.property = p ? p : &property_bypass,
		.point = p ? !!algo->points : point_of(algo, name),
	};
}

void property_decide(struct graph *g, const char *const *name,
		     struct finding *f, uint32_t count)
{
	struct enabled enabled = { 0 };

	for (uint32_t i = 0; i < count; i++)
		f[i] = (struct finding){
			.property = name[i],
			.verdict = UNDECIDED,
			.bound = BOUND_NONE,
		};
	decide_safety(g, f, count);
	for (uint32_t i = 0; i < count; i++) {
		struct question q = question(g, &enabled, name[i]);

		if (!property_is_safety(g->system.algo, name[i]))
			q.property->decide(&q, &f[i]);
	}
	enabled_free(&enabled, g);
}

void property_free(struct finding *finding)
{
	schedule_free(&finding->schedule);
}

const char *property_judge(struct graph *g, struct enabled *en,
			   const char *name, const struct schedule *s)
{
	struct question q = question(g, en, name);
	uint32_t n = g->system.cfg.n, *state;
	uint64_t *edge;
	const char *why;

	if (!schedule_follow(s, g, &state, &edge))
		why = "some step of it is not possible";
	else if (s->infinite && q.property->finite)
		why = "it should end";
	else if (s->from > s->length || s->victim > n || s->culprit > n)
		why = "it does not fit the system";
	else if (s->infinite &&
		 (s->stem >= s->length ||
		  (!q.property->growing && state[s->stem] != state[s->length])))
		why = "its cycle does not close";
	else
		why = q.property->judge(&q, s, state, edge);
	free(state);
	free(edge);
	return why;
}
