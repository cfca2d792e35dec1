/* SPDX-License-Identifier: MIT */
/*
 * Liveness under weak process fairness: every process that has not crashed and
 * stays outside R, able to do something, does something again and again.
 *
 * An infinite run that breaks such a property ends up in a strongly connected
 * component of the part of the graph in which what is demanded never happens.
 * A component is fair if each process that has not crashed acts in it, or is
 * in R or unable to act (asleep, at rest) somewhere in it; then a cycle through
 * all of it is a fair run.  A crash is unannounced: the process just does
 * nothing any more (Taubenfeld), so each set of crashed processes is a part of
 * the graph in which they do not act.  Where an algorithm is told of a crash it
 * is an event on the way; who has crashed so and who just stops count together.
 *
 * Where memory has buffers each of them is an actor, too, which must act unless it
 * is empty somewhere in the component: what was stored reaches memory in the end,
 * whether its process goes on, stops, is in R, or is dead.
 */
#include "verify/property/property.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

/* What must never happen again for the property to be broken. */
struct search {
	struct graph *g;
	uint32_t claim;
	uint32_t stopped; /* set of processes that just stop */
	uint32_t victim;  /* from 0; who starves, or who aborts */
	/* sets of processes, by state; dead: whose crash was an event */
	const uint16_t *unable, *writing, *dead;
};

static uint32_t in_region(const struct graph *g, uint32_t state,
			  enum wicket_region region)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < g->system.cfg.n; i++)
		set |= (uint32_t)(graph_region(g, state, i) == region) << i;
	return set;
}

static bool starves(const struct search *x)
{
	return x->claim == WICKET_STARVATION_FREEDOM ||
	       x->claim == WICKET_ULTRARELIABILITY;
}

/* How many processes may fail in all, for this property, in this world. */
static uint32_t failures_for(const struct graph *g, uint32_t claim)
{
	if (claim == WICKET_K_DEADLOCK_FREEDOM ||
	    claim == WICKET_WEAK_K_DEADLOCK_FREEDOM)
		return g->system.cfg.k - 1;
	if (claim == WICKET_R_DEADLOCK_FREEDOM)
		return g->system.cfg.r ? g->system.cfg.r - 1 : 0;
	return g->system.world.crashes;
}

/* And how many of them may just stop. */
static uint32_t stops_for(const struct graph *g, uint32_t claim)
{
	const uint32_t numbered = WICKET_K_DEADLOCK_FREEDOM |
				  WICKET_WEAK_K_DEADLOCK_FREEDOM |
				  WICKET_R_DEADLOCK_FREEDOM;

	if (claim == WICKET_EXIT_WAIT_FREEDOM)
		return 0; /* any number: nobody else is obliged to act */
	if (g->system.algo->has_seats && !(claim & numbered))
		return 0; /* where a crash is an event, and seen */
	return failures_for(g, claim);
}

static bool too_many_fail(const struct search *x, uint32_t state)
{
	uint32_t failed = x->stopped | x->dead[state];

	return (uint32_t)__builtin_popcount(failed) >
	       failures_for(x->g, x->claim);
}

/* At least n-k processes, none of them dead, are in R. */
static bool are_few(const struct search *x, uint32_t state)
{
	const struct wicket_cfg *cfg = &x->g->system.cfg;
	uint32_t in = in_region(x->g, state, WICKET_REMAINDER);

	return __builtin_popcount(in & ~(uint32_t)x->dead[state]) >=
	       (int)(cfg->n - cfg->k);
}

static bool is_inside(const void *context, uint32_t state)
{
	const struct search *x = context;

	if (too_many_fail(x, state))
		return false;
	/* who crashes is not in R, nor (unless it may be) in mid-write */
	if (x->stopped & in_region(x->g, state, WICKET_REMAINDER) ||
	    (!x->g->system.world.mid_write && x->stopped & x->writing[state]))
		return false;
	if (x->claim == WICKET_EXIT_WAIT_FREEDOM)
		return graph_region(x->g, state, x->victim) == WICKET_EXIT;
	if (starves(x)) /* in T and E alike: never in C, never back in R */
		return graph_region(x->g, state, x->victim) & 1 &&
		       !(x->dead[state] >> x->victim & 1);
	if (x->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM)
		return are_few(x, state);
	return true;
}

static bool enters(const struct graph *g, uint32_t from, uint64_t edge)
{
	uint32_t i = graph_actor(g, edge);

	return i < g->system.cfg.n &&
	       graph_region(g, from, i) != WICKET_CRITICAL &&
	       graph_region(g, graph_target(g, edge), i) == WICKET_CRITICAL;
}

/* Only these properties let a process fail again and again. */
static bool fails_for_ever(const struct search *x, uint32_t i)
{
	return x->claim == WICKET_ULTRARELIABILITY ? i != x->victim :
	       x->claim == WICKET_ABORT_RESILIENCE ? i == x->victim :
						     false;
}

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct search *x = context;
	uint32_t i = graph_actor(x->g, edge);
	bool fails = deed_kind(graph_label(x->g, edge)) == DEED_FAIL;

	if (x->stopped >> i & 1)
		return false;
	if (fails && !fails_for_ever(x, i))
		return false;
	if (x->claim == WICKET_EXIT_WAIT_FREEDOM || starves(x))
		return true;
	if (x->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM &&
	    i < x->g->system.cfg.n &&
	    graph_region(x->g, from, i) == WICKET_REMAINDER)
		return false;
	return !enters(x->g, from, edge);
}

/* The processes that a fair run may leave out after passing this state. */
static uint32_t excused(const struct search *x, uint32_t state)
{
	return in_region(x->g, state, WICKET_REMAINDER) | x->unable[state];
}

/* Whom a fair run may leave out after passing this state, by the property. */
static uint32_t excused_from(const struct search *x, uint32_t state)
{
	uint32_t empty = graph_drained(x->g, state);

	/* the exit of a process is its own affair: no excuse */
	return x->claim == WICKET_EXIT_WAIT_FREEDOM ? empty :
						      empty | excused(x, state);
}

/* Who must act in a fair cycle, unless it is excused. */
static uint32_t obliged(const struct search *x)
{
	uint32_t buffers = graph_buffers(x->g);

	if (x->claim == WICKET_EXIT_WAIT_FREEDOM)
		return 1u << x->victim | buffers;
	return (((1u << x->g->system.procs) - 1) & ~x->stopped) | buffers;
}

/* Who starves, does not get out or aborts: one process is singled out. */
static bool singles_out(const struct search *x)
{
	return starves(x) || x->claim == WICKET_EXIT_WAIT_FREEDOM ||
	       x->claim == WICKET_ABORT_RESILIENCE;
}

/* Somebody who has not crashed is trying (or is the victim, in its place). */
static bool is_denied(const struct search *x, uint32_t state)
{
	uint32_t failed = x->stopped | x->dead[state];
	uint32_t trying = in_region(x->g, state, WICKET_TRYING) & ~failed;

	if (x->claim == WICKET_ABORT_RESILIENCE)
		trying &= ~(1u << x->victim);
	else if (singles_out(x))
		return true;
	return trying;
}

static bool is_fair(const void *context, uint32_t actors,
		    const uint32_t *states, uint32_t count)
{
	const struct search *x = context;
	uint32_t done = actors;
	bool denied = false;

	for (uint32_t i = 0; i < count; i++) {
		denied |= is_denied(x, states[i]);
		done |= excused_from(x, states[i]);
	}
	return denied && !(obliged(x) & ~done);
}

/* --- a fair cycle -------------------------------------------------------- */

/* The fair components, and what is searched for in them. */
struct fair {
	const struct search *x;
	const uint8_t *mark;
};

static bool is_on_track(const void *context, uint32_t from, uint64_t edge)
{
	const struct fair *p = context;

	return p->mark[graph_target(p->x->g, edge)] & SCC_ON &&
	       is_kept(p->x, from, edge);
}

/* Bits: who of the obliged has acted or been excused on the way. */
static uint32_t excused_at(const void *context, uint32_t state)
{
	const struct search *x = ((const struct fair *)context)->x;

	return obliged(x) & excused_from(x, state);
}

static uint32_t done_by(const void *context, uint32_t from, uint64_t edge)
{
	const struct search *x = ((const struct fair *)context)->x;

	(void)from;
	return (obliged(x) & 1u << graph_actor(x->g, edge)) |
	       excused_at(context, graph_target(x->g, edge));
}

static bool have_all_acted(const void *context, uint32_t state, uint32_t bits)
{
	(void)state;
	return bits == obliged(((const struct fair *)context)->x);
}

/* Stem to the nearest state of a fair component, then the shortest cycle. */
static bool lasso(const struct search *x, const uint8_t *mark,
		  struct finding *f)
{
	struct fair fair = { x, mark };
	struct cycle_query query = {
		.context = &fair,
		.keep = is_on_track,
		.start = excused_at,
		.gain = done_by,
		.enough = have_all_acted,
	};
	struct cycle c = { 0 };
	uint32_t state = 0, length;
	bool done;

	while (!(mark[state] & SCC_ON))
		state++;
	done = cycle_find(&c, x->g, &query, state, 0, &length);
	if (done && (!f->schedule.label ||
		     graph_depth(x->g, state) + length < f->schedule.length)) {
		schedule_free(&f->schedule);
		f->schedule = cycle_lasso(&c, x->g, state, length);
		f->schedule.stopped = x->stopped;
		if (x->claim == WICKET_ABORT_RESILIENCE)
			f->schedule.culprit = x->victim + 1;
		else if (singles_out(x))
			f->schedule.victim = x->victim + 1;
	}
	cycle_free(&c, x->g->budget);
	return done;
}

/* --- the properties ------------------------------------------------------ */

/* Who cannot act, who is in the middle of a write, who is dead, by state. */
struct modes {
	struct store unable, writing, dead; /* uint16_t: sets */
};

static void modes_free(struct modes *m, struct budget *b)
{
	store_free(&m->unable, b);
	store_free(&m->writing, b);
	store_free(&m->dead, b);
}

static void know_state(struct graph *g, uint32_t state, struct modes *m)
{
	uint32_t own = 1 << DEED_STEP | 1 << DEED_TIMEOUT;
	uint32_t cannot = 0, writes = 0, parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	for (uint32_t i = 0; i < g->system.procs; i++) {
		const struct memo *memo = system_memo(&g->system, parts, i);

		cannot |= (uint32_t) !(memo->can & own) << i;
		writes |= (uint32_t) !!(memo->mode & ACTOR_WRITING) << i;
	}
	((uint16_t *)m->unable.base)[state] = (uint16_t)cannot;
	((uint16_t *)m->writing.base)[state] = (uint16_t)writes;
	((uint16_t *)m->dead.base)[state] = (uint16_t)graph_dead(g, state);
}

/* False: no memory; modes_free either way. */
static bool know_modes(struct search *x, struct modes *m)
{
	size_t size = x->g->states * sizeof(uint16_t);

	if (!store_room(&m->unable, x->g->budget, size) ||
	    !store_room(&m->writing, x->g->budget, size) ||
	    !store_room(&m->dead, x->g->budget, size))
		return false;
	for (uint32_t s = 0; s < x->g->states; s++)
		know_state(x->g, s, m);
	x->unable = m->unable.base;
	x->writing = m->writing.base;
	x->dead = m->dead.base;
	return true;
}

static bool seek(struct search *x, struct finding *f)
{
	struct scc_query query = {
		.context = x,
		.inside = is_inside,
		.keep = is_kept,
		.accept = is_fair,
		.what = "fair cycles",
	};
	struct store marks = { NULL, 0 };
	uint32_t found = 0;
	bool done = scc(x->g, &query, &marks, NULL);

	for (uint32_t s = 0; done && s < x->g->states && !found; s++)
		found = ((uint8_t *)marks.base)[s] & SCC_ON;
	if (done && found) {
		f->verdict = FAILS;
		if (singles_out(x) && x->claim != WICKET_ABORT_RESILIENCE)
			f->victims |= 1u << x->victim;
		done = lasso(x, marks.base, f);
	}
	store_free(&marks, x->g->budget);
	return done;
}

static void decide(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct modes modes = { 0 };
	struct search x = { .g = g, .claim = q->property->claim };
	uint32_t n = g->system.cfg.n, victims = 1;
	bool done = g->complete && know_modes(&x, &modes);

	if (singles_out(&x))
		victims = n;
	f->verdict = HOLDS;
	for (x.stopped = 0; done && x.stopped < 1u << n; x.stopped++) {
		if ((uint32_t)__builtin_popcount(x.stopped) >
		    stops_for(g, x.claim))
			continue;
		for (x.victim = 0; done && x.victim < victims; x.victim++) {
			if (victims == 1 || !(x.stopped >> x.victim & 1))
				done = seek(&x, f);
		}
	}
	if (!done)
		f->verdict = UNDECIDED;
	modes_free(&modes, g->budget);
}

static const char *judge_cycle(const struct search *x, const struct schedule *s,
			       const uint32_t *state, const uint64_t *edge)
{
	uint32_t actors = 0;

	/* who is dead remains so: any state of the cycle will do */
	if (too_many_fail(x, state[s->stem]))
		return "too many processes fail: those that crash on the way "
		       "and those that stop count together";
	for (uint32_t t = s->stem; t < s->length; t++) {
		actors |= 1u << graph_actor(x->g, edge[t]);
		if (!is_inside(x, state[t]) || !is_kept(x, state[t], edge[t]))
			return "what it denies happens";
	}
	if (!is_fair(x, actors, state + s->stem, s->length - s->stem))
		return "its cycle is not fair";
	return NULL;
}

static const char *judge(const struct question *q, const struct schedule *s,
			 const uint32_t *state, const uint64_t *edge)
{
	uint32_t claim = q->property->claim;
	uint32_t one = claim == WICKET_ABORT_RESILIENCE ? s->culprit :
							  s->victim;
	struct search x = {
		.g = q->g,
		.claim = claim,
		.stopped = s->stopped,
		.victim = one ? one - 1 : 0,
	};
	struct modes modes = { 0 };
	const char *why = "memory ran out";

	if (!s->infinite)
		return "it is not a stem and a cycle";
	if ((uint32_t)__builtin_popcount(s->stopped) > stops_for(q->g, claim))
		return "too many processes stop";
	if (know_modes(&x, &modes))
		why = judge_cycle(&x, s, state, edge);
	modes_free(&modes, q->g->budget);
	return why;
}

/* --- the rows ------------------------------------------------------------ */

const struct property property_deadlock_freedom = {
	.name = "deadlock-freedom",
	.says = "if somebody is trying, somebody enters C",
	.claim = WICKET_DEADLOCK_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_k_deadlock_freedom = {
	.name = "k-deadlock-freedom",
	.says = "deadlock-freedom if fewer than k processes crash",
	.claim = WICKET_K_DEADLOCK_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_weak_k_deadlock_freedom = {
	.name = "weak-k-deadlock-freedom",
	.says = "deadlock-freedom if fewer than k crash and n-k stay in R",
	.claim = WICKET_WEAK_K_DEADLOCK_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_r_deadlock_freedom = {
	.name = "r-deadlock-freedom",
	.says = "deadlock-freedom if fewer than r processes crash",
	.claim = WICKET_R_DEADLOCK_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_starvation_freedom = {
	.name = "starvation-freedom",
	.says = "whoever is trying enters C, and gets back to R",
	.claim = WICKET_STARVATION_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_exit_wait_freedom = {
	.name = "exit-wait-freedom",
	.says = "whoever leaves C gets back to R by its own steps",
	.claim = WICKET_EXIT_WAIT_FREEDOM,
	.decide = decide,
	.judge = judge,
};

const struct property property_ultrareliability = {
	.name = "ultrareliability",
	.says = "nobody starves although others fail and restart",
	.claim = WICKET_ULTRARELIABILITY,
	.failures = true,
	.decide = decide,
	.judge = judge,
};

const struct property property_abort_resilience = {
	.name = "abort-resilience",
	.says = "no deadlock although one process fails and restarts",
	.claim = WICKET_ABORT_RESILIENCE,
	.failures = true,
	.apart = true,
	.decide = decide,
	.judge = judge,
};
