/* SPDX-License-Identifier: MIT */
/*
 * r-simulatable (FLBB 1979, section 4): may the supervisor be eliminated?
 *
 *   (R1)  eligibility changes from drone to helper by the step of a worker, from
 *         helper to quitter and from quitter to drone by one of the supervisor
 *   (R2)  a worker can tell its own: elig is a function of what it knows
 *   (R3)  helpers and quitters are in T
 *   (R4)  who is critical-able is a drone
 *   (R5)  the supervisor can tell how many are in T: active
 *   (R6)  if more than c1 are in T, at least 2r - 1 are helpers
 *   (R7)  while at most c1 are, one shared value meets at most c2 states of the
 *         supervisor
 *   (R8)  from one of his states he goes on to at most c3 others
 *
 * c1 is the algorithm's; c2 and c3 are counted.  That they do not grow with n is
 * seen by asking again with another n.
 */
#include <stdlib.h>
#include <string.h>

#include "verify/property/property.h"

struct id {
	struct wicket_value v;
	struct actor actors[WICKET_PROCS_MAX];
	enum wicket_eligibility elig[WICKET_PROCS_MAX];
};

static const struct wicket_simulatable *told(const struct graph *g)
{
	return g->system.algo->simulatable;
}

static struct id id_of(const struct graph *g, uint32_t state)
{
	const struct wicket_cfg *cfg = &g->system.cfg;
	struct wicket_value regs[WICKET_REGS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];
	struct id q;

	graph_unpack(g, state, parts);
	system_values(&g->system, parts, regs, q.actors);
	q.v = regs[0];
	for (uint32_t i = 0; i < cfg->n; i++)
		q.elig[i] = told(g)->elig(cfg, q.actors[i].proc, q.v);
	return q;
}

/* --- in a state, and by a step --------------------------------------------- */

static bool is_critical_able(const struct graph *g, uint32_t state, uint32_t i)
{
	for (uint64_t e = graph_first(g, state); e < graph_end(g, state); e++) {
		if (graph_actor(g, e) == i &&
		    graph_region(g, graph_target(g, e), i) == WICKET_CRITICAL)
			return graph_region(g, state, i) == WICKET_TRYING;
	}
	return false;
}

static uint32_t active(const struct graph *g, const struct id *q)
{
	const struct wicket_cfg *cfg = &g->system.cfg;

	return told(g)->active(cfg, q->actors[cfg->n].proc, q->v);
}

/* The part that fails in a state, or null. */
static const char *wrong_state(const struct graph *g, uint32_t state,
			       const struct id *q)
{
	const struct wicket_cfg *cfg = &g->system.cfg;
	uint32_t trying = graph_count(g, state, WICKET_TRYING), helpers = 0;

	for (uint32_t i = 0; i < cfg->n; i++) {
		if (q->elig[i] != WICKET_DRONE &&
		    graph_region(g, state, i) != WICKET_TRYING)
			return "(R3)";
		if (q->elig[i] != WICKET_DRONE && is_critical_able(g, state, i))
			return "(R4)";
		helpers += q->elig[i] == WICKET_HELPER;
	}
	if (active(g, q) != trying)
		return "(R5)";
	return trying > told(g)->c1(cfg) && helpers < 2 * cfg->r - 1 ? "(R6)" :
								       NULL;
}

static bool may_change(enum wicket_eligibility from, enum wicket_eligibility to,
		       bool by_worker)
{
	if (from == to)
		return true;
	return by_worker ?
		       from == WICKET_DRONE && to == WICKET_HELPER :
		       (from == WICKET_HELPER && to == WICKET_QUITTER) ||
			       (from == WICKET_QUITTER && to == WICKET_DRONE);
}

static bool is_same(struct wicket_proc a, struct wicket_proc b)
{
	return !memcmp(&a, &b, sizeof(a));
}

/* Do number and bits tell the state that the supervisor goes on to?  More than 64
   bits: eliminate will refuse it. */
static bool is_coded(const struct graph *g, struct wicket_proc was,
		     struct wicket_value v, struct wicket_proc is)
{
	const struct wicket_simulatable *t = told(g);
	const struct wicket_cfg *cfg = &g->system.cfg;
	uint32_t number = t->transno(cfg, was, v), length = t->length(cfg);
	uint64_t bits = t->pack(cfg, is);

	if (number >= 256 || !is_same(t->newstate(cfg, was, number), is))
		return false;
	return length > 64 || (is_same(t->unpack(cfg, bits), is) &&
			       (length == 64 || !(bits >> length)));
}

static const char *wrong_step(const struct graph *g, const struct id *q,
			      uint64_t edge)
{
	const struct wicket_cfg *cfg = &g->system.cfg;
	uint32_t n = cfg->n;
	struct id next = id_of(g, graph_target(g, edge));
	struct wicket_proc was = q->actors[n].proc, is = next.actors[n].proc;

	for (uint32_t i = 0; i < n; i++) {
		if (!may_change(q->elig[i], next.elig[i],
				graph_actor(g, edge) < n))
			return "(R1)";
	}
	return graph_actor(g, edge) < n || is_coded(g, was, q->v, is) ? NULL :
									"(R8)";
}

/* --- the constants --------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Pairs of numbers, one above and one below in a word.  There are as many as
   states, but few different ones: what is kept is sorted now and then, and each
   kept once. */
struct pairs {
	struct store store;
	uint64_t count, room;
};

static void tidy(struct pairs *p)
{
	uint64_t *pair = p->store.base, kept = 0;

	if (p->count)
		qsort(pair, p->count, sizeof(*pair), by_number);
	for (uint64_t i = 0; i < p->count; i++) {
		if (!kept || pair[i] != pair[kept - 1])
			pair[kept++] = pair[i];
	}
	p->count = kept;
}

/* False: there is no room. */
static bool note(struct pairs *p, struct budget *b, uint32_t above,
		 uint32_t below)
{
	enum { FEW = 1 << 16 };
	uint64_t room = p->room ? 2 * p->room : FEW, *pair;

	if (p->count == p->room)
		tidy(p);
	if (p->count >= p->room / 2) {
		if (!store_room(&p->store, b, room * sizeof(*pair)))
			return false;
		p->room = room;
	}
	pair = p->store.base;
	pair[p->count++] = (uint64_t)above << 32 | below;
	return true;
}

/* How many different ones below does one above have at most? */
static uint32_t most_partners(struct pairs *p)
{
	const uint64_t *pair;
	uint32_t most = 0, partners = 0;

	tidy(p);
	pair = p->store.base;
	for (uint64_t i = 0; i < p->count; i++) {
		partners = i && pair[i] >> 32 == pair[i - 1] >> 32 ?
				   partners + 1 :
				   1;
		most = partners > most ? partners : most;
	}
	return most;
}

/* The number of the supervisor's state, or of the shared value. */
static uint32_t part(const struct graph *g, uint32_t state, bool supervisor)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	return parts[supervisor ? g->system.regs + g->system.cfg.n : 0];
}

/* (R7), (R8): what was counted is no more than what the algorithm says.  If it is,
   that is all there is to know. */
static const char *wrong_constants(const struct graph *g, struct finding *f)
{
	const struct wicket_cfg *cfg = &g->system.cfg;
	uint32_t claimed[] = { told(g)->c1(cfg), told(g)->c2(cfg),
			       told(g)->c3(cfg) };

	for (uint32_t i = 1; i < 3; i++) {
		if (f->constant[i] <= claimed[i])
			continue;
		f->counted = f->constant[i];
		f->claimed = claimed[i];
		memset(f->constant, 0, sizeof(f->constant));
		return i == 1 ? "(R7)" : "(R8)";
	}
	return NULL;
}

/* (R7): which of his states meet the shared value. */
static bool note_meeting(const struct graph *g, uint32_t s, struct pairs *pairs)
{
	struct id q = id_of(g, s);

	return active(g, &q) > told(g)->c1(&g->system.cfg) ||
	       note(pairs, g->budget, part(g, s, false), part(g, s, true));
}

/* (R8): where he goes on to. */
static bool note_step(const struct graph *g, uint32_t s, struct pairs *pairs)
{
	for (uint64_t e = graph_first(g, s); e < graph_end(g, s); e++) {
		if (graph_actor(g, e) == g->system.cfg.n &&
		    !note(pairs, g->budget, part(g, s, true),
			  part(g, graph_target(g, e), true)))
			return false;
	}
	return true;
}

/* The most partners among what is noted of each state; false: a limit was
   reached. */
static bool count_partners(const struct graph *g,
			   bool (*noted)(const struct graph *g, uint32_t s,
					 struct pairs *pairs),
			   uint32_t *most)
{
	struct pairs pairs = { .count = 0 };
	bool done = true;

	for (uint32_t s = 0; done && s < g->states; s++) {
		if (s % 4096 == 0)
			done = budget_tick(g->budget, "counting partners", s,
					   g->states);
		done = done && noted(g, s, &pairs);
	}
	if (done)
		*most = most_partners(&pairs);
	store_free(&pairs.store, g->budget);
	return done;
}

static bool know_constants(const struct graph *g, struct finding *f)
{
	f->constant[0] = told(g)->c1(&g->system.cfg);
	return count_partners(g, note_meeting, &f->constant[1]) &&
	       count_partners(g, note_step, &f->constant[2]);
}

/* --- the row ----------------------------------------------------------------- */

/* The shortest: states are in the order of their distance. */
static void decide_simulatable(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	uint32_t best = UINT32_MAX;
	bool done = g->complete;

	for (uint32_t s = 0; done && s < g->states && graph_depth(g, s) < best;
	     s++) {
		struct id id = id_of(g, s);
		const char *wrong = wrong_state(g, s, &id);
		uint64_t e = graph_first(g, s);

		if (s % 4096 == 0 &&
		    !budget_tick(g->budget, "looking at states", s,
				 g->states)) {
			done = false;
			break;
		}
		if (wrong) {
			property_fail_in_state(g, s, f);
			f->part = wrong;
			return;
		}
		if (best == graph_depth(g, s) + 1)
			continue;
		for (; !wrong && e < graph_end(g, s); e++) {
			wrong = wrong_step(g, &id, e);
			if (!wrong)
				continue;
			property_fail_by_step(g, s, e, f);
			best = f->schedule.length;
			f->part = wrong;
		}
	}
	if (done && !f->schedule.label) {
		done = know_constants(g, f);
		f->part = done ? wrong_constants(g, f) : NULL;
		if (f->part) /* no schedule shows it: it is counted */
			property_fail_in_state(g, 0, f);
	}
	property_conclude(f, done);
}

static const char *judge_simulatable(const struct question *q,
				     const struct schedule *s,
				     const uint32_t *state,
				     const uint64_t *edge)
{
	struct id last = id_of(q->g, state[s->length]), before;
	struct finding counted;

	if (wrong_state(q->g, state[s->length], &last))
		return NULL;
	if (!s->length)
		return know_constants(q->g, &counted) &&
				       wrong_constants(q->g, &counted) ?
			       NULL :
			       "all is as it should be in the end";
	before = id_of(q->g, state[s->length - 1]);
	return wrong_step(q->g, &before, edge[s->length - 1]) ?
		       NULL :
		       "all is as it should be in the end";
}

const struct property property_simulatable = {
	.name = "simulatable",
	.says = "(R1)-(R8): the supervisor can be eliminated; c1, c2 and c3",
	.claim = WICKET_SIMULATABLE,
	.finite = true,
	.supervised = true,
	.unbuffered = true,
	.decide = decide_simulatable,
	.judge = judge_simulatable,
};
