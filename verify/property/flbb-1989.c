/* SPDX-License-Identifier: MIT */
/*
 * The k-critical section problem of FLBB 1989, section 3.4: avoidance of
 * k-deadlock and FIFO enabling, over every schedule, fair or not.
 */
#include "verify/property/property.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

/* A graph, who is enabled in it, and the processes a question is about. */
struct view {
	struct graph *g;
	struct enabled *en;
	uint32_t i, j;		 /* from 0 */
	enum wicket_region zone; /* where i wants to get */
};

/* --- avoidance of k-deadlock -------------------------------------------- */

/* Somebody waits although the state is not k-full, or waits to leave. */
static bool is_stuck(const void *context, uint32_t state)
{
	const struct view *v = context;
	uint32_t full = 0;
	bool waits = false;

	for (uint32_t i = 0; i < v->g->system.cfg.n; i++) {
		if (e_waiting(v->en, v->g, state, i))
			return true;
		waits |= t_waiting(v->en, v->g, state, i);
		full += c_enabled(v->en, state, i);
	}
	return waits && full < v->g->system.cfg.k;
}

/* Nobody changes region, nobody stops waiting. */
static bool is_idle(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;
	uint32_t to = graph_target(v->g, edge);

	if (graph_regions(v->g, from) != graph_regions(v->g, to))
		return false;
	for (uint32_t i = 0; i < v->g->system.cfg.n; i++) {
		if (t_waiting(v->en, v->g, from, i) !=
			    t_waiting(v->en, v->g, to, i) ||
		    e_waiting(v->en, v->g, from, i) !=
			    e_waiting(v->en, v->g, to, i))
			return false;
	}
	return true;
}

struct stuck {
	struct view view;
	struct bfs stuck; /* what an idle run from a stuck state reaches */
};

static bool is_reached(const void *context, uint32_t state)
{
	const struct stuck *x = context;

	return bfs_has(&x->stuck, state);
}

static bool is_cycle(const void *context, uint32_t actors,
		     const uint32_t *states, uint32_t count)
{
	const struct stuck *x = context;

	return all_drain(x->view.g, actors, states, count);
}

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct stuck *x = context;

	return is_idle(&x->view, from, edge);
}

/* Bits: which buffers have acted or been empty on the cycle. */
static uint32_t drained(const void *context, uint32_t state)
{
	return graph_drained(((const struct view *)context)->g, state);
}

static uint32_t drained_by(const void *context, uint32_t from, uint64_t edge)
{
	const struct graph *g = ((const struct view *)context)->g;

	(void)from;
	return (graph_buffers(g) & 1u << graph_actor(g, edge)) |
	       graph_drained(g, graph_target(g, edge));
}

static bool have_all_drained(const void *context, uint32_t state, uint32_t bits)
{
	(void)state;
	return bits == graph_buffers(((const struct view *)context)->g);
}

/*
 * The shortest stem and cycle: for each state on an idle cycle, nearest
 * first, the shortest way back to itself.
 */
static bool shortest_lasso(struct stuck *x, const uint8_t *mark,
			   struct finding *f)
{
	struct graph *g = x->view.g;
	struct cycle_query idle = {
		.context = &x->view,
		.keep = is_idle,
		.start = drained,
		.gain = drained_by,
		.enough = have_all_drained,
	};
	struct cycle cycle = { 0 };
	uint32_t best = UINT32_MAX;
	bool done = true;

	for (uint32_t q = 0; done && q < x->stuck.count; q++) {
		uint32_t state = bfs_state(&x->stuck, q);
		uint32_t stem = bfs_distance(&x->stuck, q);
		struct schedule s;
		uint32_t length;

		if (stem + 1 >= best)
			break;
		if (!(mark[state] & SCC_ON))
			continue;
		done = cycle_find(&cycle, g, &idle, state, best - stem,
				  &length);
		if (!done || !length)
			continue;
		best = stem + length;
		s = schedule_of(best);
		s.infinite = true;
		s.stem = stem;
		schedule_put_bfs(&s, g, &x->stuck, state, stem);
		cycle_put(&cycle, &s, stem);
		schedule_free(&f->schedule);
		f->schedule = s;
	}
	cycle_free(&cycle, g->budget);
	return done;
}

/* Those in C may stay there as long as they like: they have not stopped. */
static uint32_t stopped(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg, const struct world *world,
			const struct schedule *s)
{
	uint32_t set = 0;
	struct run run;

	run_start(&run, algo, cfg, world);
	for (uint32_t t = 0; t < s->length; t++) {
		if (t == s->stem)
			set = (1u << run.procs) - 1;
		for (uint32_t i = 0; i < run.procs; i++) {
			bool helps = i >= run.cfg.n;

			if (!(helps || run_region(&run, i) & 1) ||
			    !actor_can(run.algo, &run.cfg, &run.world,
				       &run.actor[i], DEED_STEP))
				set &= ~(1u << i);
		}
		set &= ~(1u << deed_who(s->label[t]));
		run_do(&run, s->label[t]);
	}
	return set;
}

static void decide_deadlock(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct enabled *en = q->en;
	struct stuck x = { .view = { .g = g, .en = en } };
	struct bfs_query from_stuck = {
		.context = &x.view,
		.source = is_stuck,
		.keep = is_idle,
	};
	struct scc_query cycles = {
		.context = &x,
		.inside = is_reached,
		.keep = is_kept,
		.accept = is_cycle,
		.what = "cycles without progress",
	};
	struct store marks = { NULL, 0 };

	property_conclude(f, g->complete && enabled_know(en, g) &&
				     bfs_run(&x.stuck, g, &from_stuck) &&
				     scc(g, &cycles, &marks, NULL) &&
				     shortest_lasso(&x, marks.base, f));
	if (f->verdict == FAILS)
		f->schedule.stopped = stopped(g->system.algo, &g->system.cfg,
					      &g->system.world, &f->schedule);
	store_free(&marks, g->budget);
	bfs_free(&x.stuck, g->budget);
}

/* --- FIFO enabling ------------------------------------------------------ */

/* Process i waits to get to the view's zone. */
static bool is_waiting(const struct view *v, uint32_t state)
{
	return v->zone == WICKET_CRITICAL ?
		       t_waiting(v->en, v->g, state, v->i) :
		       e_waiting(v->en, v->g, state, v->i);
}

/* ... while j has not even begun to want that. */
static bool is_ahead(const void *context, uint32_t state)
{
	const struct view *v = context;

	return is_waiting(v, state) &&
	       graph_region(v->g, state, v->j) == (v->zone == WICKET_CRITICAL ?
							   WICKET_REMAINDER :
							   WICKET_CRITICAL);
}

static bool still_waits(const void *context, uint32_t from, uint64_t edge)
{
	const struct view *v = context;

	(void)from;
	return is_waiting(v, graph_target(v->g, edge));
}

static bool is_overtaken(const void *context, uint32_t state)
{
	const struct view *v = context;

	return v->zone == WICKET_CRITICAL ? c_enabled(v->en, state, v->j) :
					    r_enabled(v->en, state, v->j);
}

static void decide_fifo(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct enabled *en = q->en;
	uint32_t n = g->system.cfg.n, best = UINT32_MAX;
	struct bfs sp = { 0 };
	bool done = g->complete && enabled_know(en, g);

	for (uint32_t p = 0; done && p < n * n * (1 + en->exits); p++) {
		struct view v = {
			.g = g,
			.en = en,
			.i = p / n % n,
			.j = p % n,
			.zone = p < n * n ? WICKET_CRITICAL : WICKET_REMAINDER,
		};
		struct bfs_query overtaking = {
			.context = &v,
			.source = is_ahead,
			.keep = still_waits,
			.goal = is_overtaken,
			.limit = best,
		};

		if (v.i == v.j)
			continue;
		done = bfs_run(&sp, g, &overtaking);
		if (!done || !sp.found)
			continue;
		best = bfs_distance(&sp, sp.count - 1);
		schedule_free(&f->schedule);
		f->schedule = schedule_of(best);
		f->schedule.victim = v.i + 1;
		f->schedule.culprit = v.j + 1;
		schedule_put_bfs(&f->schedule, g, &sp,
				 bfs_state(&sp, sp.count - 1), best);
	}
	bfs_free(&sp, g->budget);
	property_conclude(f, done);
}

/* --- judging a schedule from elsewhere ---------------------------------- */

static const char unknown[] = "memory or time ran out";

static const char *judge_deadlock(const struct question *q,
				  const struct schedule *s,
				  const uint32_t *state, const uint64_t *edge)
{
	struct view v = { .g = q->g, .en = q->en };
	uint32_t acts = 0;

	if (!enabled_know(q->en, q->g))
		return unknown;
	if (!s->infinite || s->from > s->stem)
		return "it is not a stem and a cycle";
	if (!is_stuck(&v, state[s->from]))
		return "nobody waits in vain";
	for (uint32_t t = s->from; t < s->length; t++) {
		if (!is_idle(&v, state[t], edge[t]))
			return "somebody makes progress";
		if (t >= s->stem)
			acts |= 1u << graph_actor(q->g, edge[t]);
	}
	return all_drain(q->g, acts, state + s->stem, s->length - s->stem) ?
		       NULL :
		       "what was stored never reaches memory";
}

static const char *judge_fifo(const struct question *q,
			      const struct schedule *s, const uint32_t *state,
			      const uint64_t *edge)
{
	struct view v = { .g = q->g, .en = q->en, .zone = WICKET_CRITICAL };

	(void)edge;
	if (!enabled_know(q->en, q->g))
		return unknown;
	if (!s->victim || !s->culprit || s->victim == s->culprit)
		return "it does not name the overtaken process and the overtaker";
	v.i = s->victim - 1;
	v.j = s->culprit - 1;
	if (!is_ahead(&v, state[s->from]))
		v.zone = WICKET_REMAINDER;
	if (!is_ahead(&v, state[s->from]))
		return "no process waits before the overtaker begins";
	for (uint32_t t = s->from; t <= s->length; t++) {
		if (!is_waiting(&v, state[t]))
			return "the overtaken process does not wait throughout";
	}
	if (!is_overtaken(&v, state[s->length]))
		return "the overtaker is not enabled in the end";
	return NULL;
}

/* --- the rows ----------------------------------------------------------- */

const struct property property_k_deadlock_avoidance = {
	.name = "k-deadlock-avoidance",
	.says = "nobody waits for ever in vain while a slot is to be had",
	.claim = WICKET_K_DEADLOCK_AVOIDANCE,
	.uncapped = true,
	.decide = decide_deadlock,
	.judge = judge_deadlock,
	.stopped = stopped,
};

const struct property property_fifo_enabling = {
	.name = "fifo-enabling",
	.says = "nobody becomes C-enabled before one that waited already",
	.claim = WICKET_FIFO_ENABLING,
	.finite = true,
	.uncapped = true,
	.decide = decide_fifo,
	.judge = judge_fifo,
};
