/* SPDX-License-Identifier: MIT */
/*
 * (S1) to (S3) of FLBB 1979, section 4: does a system simulate the one that it was
 * made from, step by step?  The original runs beside it: it is in the state that
 * original() says, tau in the paper.  A step of worker j must take it by a step of
 * j, or by one of j and one of the supervisor, to where tau says it is then.
 * Regions and the start are the same.
 */
#include <string.h>

#include "verify/property/property.h"
#include "verify/property/simulates.h"

struct original original_of(const struct wicket_algo *algo,
			    const struct wicket_cfg *cfg,
			    const struct wicket_value *regs,
			    const struct actor *actors)
{
	struct wicket_proc procs[WICKET_PROCS_MAX];
	struct original q = { .v = { { 0 } } };

	for (uint32_t i = 0; i < cfg->n; i++)
		procs[i] = actors[i].proc;
	algo->original(cfg, regs, procs, &q.v, q.procs);
	return q;
}

struct original original_start(const struct wicket_cfg *cfg)
{
	struct wicket_cfg in = wicket_original(cfg);
	struct original q = { .v = cfg->inner->reg(&in, 0).start };

	for (uint32_t i = 0; i <= cfg->n; i++)
		q.procs[i] = cfg->inner->start(&in, i + 1);
	return q;
}

static struct original stepped(const struct wicket_cfg *cfg, struct original q,
			       uint32_t i)
{
	struct wicket_cfg in = wicket_original(cfg);
	struct wicket_result r = cfg->inner->step(&in, q.procs[i], q.v);

	q.procs[i] = r.proc;
	q.v = r.put;
	return q;
}

static bool is_like(const struct original *a, const struct original *b)
{
	return !memcmp(a, b, sizeof(*a));
}

bool original_leads(const struct wicket_cfg *cfg, const struct original *q,
		    uint32_t i, const struct original *then)
{
	struct original alone = stepped(cfg, *q, i);
	struct original both = stepped(cfg, alone, cfg->n);

	return is_like(then, &alone) || is_like(then, &both);
}

/* --- on the graph ------------------------------------------------------------ */

static struct original tau(const struct graph *g, uint32_t state)
{
	struct wicket_value regs[WICKET_REGS_MAX];
	struct actor actors[WICKET_PROCS_MAX];
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	system_values(&g->system, parts, regs, actors);
	return original_of(g->system.algo, &g->system.cfg, regs, actors);
}

static const char *wrong_start(const struct graph *g)
{
	struct original first = original_start(&g->system.cfg), q = tau(g, 0);

	return is_like(&first, &q) ? NULL : "(S1)";
}

static const char *wrong_state(const struct graph *g, uint32_t state,
			       const struct original *q)
{
	struct wicket_cfg cfg = wicket_original(&g->system.cfg);

	for (uint32_t i = 0; i < cfg.n; i++) {
		if (g->system.cfg.inner->region(&cfg, q->procs[i]) !=
		    graph_region(g, state, i))
			return "(S1)";
	}
	return NULL;
}

static const char *wrong_step(const struct graph *g, const struct original *q,
			      uint64_t edge)
{
	struct original next = tau(g, graph_target(g, edge));

	return original_leads(&g->system.cfg, q, graph_actor(g, edge), &next) ?
		       NULL :
		       "(S2)";
}

static void decide_simulates(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	const char *wrong = NULL;

	if (!g->complete)
		return;
	wrong = wrong_start(g);
	if (wrong)
		property_fail_in_state(g, 0, f);
	for (uint32_t s = 0; s < g->states && !wrong; s++) {
		struct original id = tau(g, s);

		if (s % 4096 == 0 &&
		    !budget_tick(g->budget, "looking at steps", s, g->states))
			return;
		wrong = wrong_state(g, s, &id);
		if (wrong)
			property_fail_in_state(g, s, f);
		for (uint64_t e = graph_first(g, s);
		     !wrong && e < graph_end(g, s); e++) {
			wrong = wrong_step(g, &id, e);
			if (wrong)
				property_fail_by_step(g, s, e, f);
		}
	}
	f->part = wrong;
	property_conclude(f, true);
}

static const char *judge_simulates(const struct question *q,
				   const struct schedule *s,
				   const uint32_t *state, const uint64_t *edge)
{
	struct original last = tau(q->g, state[s->length]), before;

	if (wrong_start(q->g) || wrong_state(q->g, state[s->length], &last))
		return NULL;
	if (s->length) {
		before = tau(q->g, state[s->length - 1]);
		if (wrong_step(q->g, &before, edge[s->length - 1]))
			return NULL;
	}
	return "the last step is one of the original";
}

const struct property property_simulates = {
	.name = "simulates",
	.says = "(S1)-(S3): each step is one or two of the original's",
	.claim = WICKET_SIMULATES,
	.finite = true,
	.eliminated = true,
	.unbuffered = true,
	.decide = decide_simulates,
	.judge = judge_simulates,
};
