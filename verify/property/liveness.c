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
 */
#include "verify/property/property.h"
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

/* What must never happen again for the property to be broken. */
struct hunt {
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

static bool starves(const struct hunt *h)
{
	return h->claim == WICKET_STARVATION_FREEDOM ||
	       h->claim == WICKET_ULTRARELIABILITY;
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

static bool too_many_fail(const struct hunt *h, uint32_t state)
{
	uint32_t failed = h->stopped | h->dead[state];

	return (uint32_t)__builtin_popcount(failed) >
	       failures_for(h->g, h->claim);
}

/* At least n-k processes, none of them dead, are in R. */
static bool are_few(const struct hunt *h, uint32_t state)
{
	const struct wicket_cfg *cfg = &h->g->system.cfg;
	uint32_t in = in_region(h->g, state, WICKET_REMAINDER);

	return __builtin_popcount(in & ~(uint32_t)h->dead[state]) >=
	       (int)(cfg->n - cfg->k);
}

static bool is_inside(const void *context, uint32_t state)
{
	const struct hunt *h = context;

	if (too_many_fail(h, state))
		return false;
	/* who crashes is not in R, nor (unless it may be) in mid-write */
	if (h->stopped & in_region(h->g, state, WICKET_REMAINDER) ||
	    (!h->g->system.world.mid_write && h->stopped & h->writing[state]))
		return false;
	if (h->claim == WICKET_EXIT_WAIT_FREEDOM)
		return graph_region(h->g, state, h->victim) == WICKET_EXIT;
	if (starves(h)) /* in T and E alike: never in C, never back in R */
		return graph_region(h->g, state, h->victim) & 1 &&
		       !(h->dead[state] >> h->victim & 1);
	if (h->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM)
		return are_few(h, state);
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
static bool fails_for_ever(const struct hunt *h, uint32_t i)
{
	return h->claim == WICKET_ULTRARELIABILITY ? i != h->victim :
	       h->claim == WICKET_ABORT_RESILIENCE ? i == h->victim :
						     false;
}

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct hunt *h = context;
	uint32_t i = graph_actor(h->g, edge);
	bool fails = deed_kind(graph_label(h->g, edge)) == DEED_FAIL;

	if (h->stopped >> i & 1)
		return false;
	if (fails && !fails_for_ever(h, i))
		return false;
	if (h->claim == WICKET_EXIT_WAIT_FREEDOM || starves(h))
		return true;
	if (h->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM &&
	    i < h->g->system.cfg.n &&
	    graph_region(h->g, from, i) == WICKET_REMAINDER)
		return false;
	return !enters(h->g, from, edge);
}

/* Whom a fair run may leave out after passing this state. */
static uint32_t excused(const struct hunt *h, uint32_t state)
{
	return in_region(h->g, state, WICKET_REMAINDER) | h->unable[state];
}

/* Who must act in a fair cycle, unless it is excused. */
static uint32_t obliged(const struct hunt *h)
{
	if (h->claim == WICKET_EXIT_WAIT_FREEDOM)
		return 1u << h->victim;
	return ((1u << h->g->system.procs) - 1) & ~h->stopped;
}

/* Who starves, does not get out or aborts: one process is singled out. */
static bool singles_out(const struct hunt *h)
{
	return starves(h) || h->claim == WICKET_EXIT_WAIT_FREEDOM ||
	       h->claim == WICKET_ABORT_RESILIENCE;
}

/* Somebody who has not crashed is trying (or is the victim, in its place). */
static bool is_denied(const struct hunt *h, uint32_t state)
{
	uint32_t failed = h->stopped | h->dead[state];
	uint32_t trying = in_region(h->g, state, WICKET_TRYING) & ~failed;

	if (h->claim == WICKET_ABORT_RESILIENCE)
		trying &= ~(1u << h->victim);
	else if (singles_out(h))
		return true;
	return trying;
}

static bool is_fair(const void *context, uint32_t actors,
		    const uint32_t *states, uint32_t count)
{
	const struct hunt *h = context;
	uint32_t done = actors;
	bool denied = false;

	for (uint32_t i = 0; i < count; i++) {
		denied |= is_denied(h, states[i]);
		/* the exit of a process is its own affair: no excuse */
		if (h->claim != WICKET_EXIT_WAIT_FREEDOM)
			done |= excused(h, states[i]);
	}
	return denied && !(obliged(h) & ~done);
}

/* --- a fair cycle -------------------------------------------------------- */

/* The fair components, and what is hunted in them. */
struct prey {
	const struct hunt *h;
	const uint8_t *mark;
};

static bool is_on_track(const void *context, uint32_t from, uint64_t edge)
{
	const struct prey *p = context;

	return p->mark[graph_target(p->h->g, edge)] & SCC_ON &&
	       is_kept(p->h, from, edge);
}

/* Bits: who of the obliged has acted or been excused on the way. */
static uint32_t excused_at(const void *context, uint32_t state)
{
	const struct hunt *h = ((const struct prey *)context)->h;

	return h->claim == WICKET_EXIT_WAIT_FREEDOM ?
		       0 :
		       obliged(h) & excused(h, state);
}

static uint32_t done_by(const void *context, uint32_t from, uint64_t edge)
{
	const struct hunt *h = ((const struct prey *)context)->h;

	(void)from;
	return (obliged(h) & 1u << graph_actor(h->g, edge)) |
	       excused_at(context, graph_target(h->g, edge));
}

static bool have_all_acted(const void *context, uint32_t state, uint32_t bits)
{
	(void)state;
	return bits == obliged(((const struct prey *)context)->h);
}

/* Stem to the nearest state of a fair component, then the shortest cycle. */
static bool lasso(const struct hunt *h, const uint8_t *mark, struct finding *f)
{
	struct prey prey = { h, mark };
	struct cycle_query query = {
		.context = &prey,
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
	done = cycle_find(&c, h->g, &query, state, 0, &length);
	if (done && (!f->schedule.label ||
		     graph_depth(h->g, state) + length < f->schedule.length)) {
		schedule_free(&f->schedule);
		f->schedule = cycle_lasso(&c, h->g, state, length);
		f->schedule.stopped = h->stopped;
		if (h->claim == WICKET_ABORT_RESILIENCE)
			f->schedule.culprit = h->victim + 1;
		else if (singles_out(h))
			f->schedule.victim = h->victim + 1;
	}
	cycle_free(&c, h->g->budget);
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
static bool know_modes(struct hunt *h, struct modes *m)
{
	size_t size = h->g->states * sizeof(uint16_t);

	if (!store_room(&m->unable, h->g->budget, size) ||
	    !store_room(&m->writing, h->g->budget, size) ||
	    !store_room(&m->dead, h->g->budget, size))
		return false;
	for (uint32_t s = 0; s < h->g->states; s++)
		know_state(h->g, s, m);
	h->unable = m->unable.base;
	h->writing = m->writing.base;
	h->dead = m->dead.base;
	return true;
}

static bool hunt(struct hunt *h, struct finding *f)
{
	struct scc_query query = {
		.context = h,
		.inside = is_inside,
		.keep = is_kept,
		.accept = is_fair,
		.what = "fair cycles",
	};
	struct store marks = { NULL, 0 };
	uint32_t found = 0;
	bool done = scc(h->g, &query, &marks, NULL);

	for (uint32_t s = 0; done && s < h->g->states && !found; s++)
		found = ((uint8_t *)marks.base)[s] & SCC_ON;
	if (done && found) {
		f->verdict = FAILS;
		if (singles_out(h) && h->claim != WICKET_ABORT_RESILIENCE)
			f->victims |= 1u << h->victim;
		done = lasso(h, marks.base, f);
	}
	store_free(&marks, h->g->budget);
	return done;
}

static void decide(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct modes modes = { 0 };
	struct hunt h = { .g = g, .claim = q->property->claim };
	uint32_t n = g->system.cfg.n, victims = 1;
	bool done = g->complete && know_modes(&h, &modes);

	if (singles_out(&h))
		victims = n;
	f->verdict = HOLDS;
	for (h.stopped = 0; done && h.stopped < 1u << n; h.stopped++) {
		if ((uint32_t)__builtin_popcount(h.stopped) >
		    stops_for(g, h.claim))
			continue;
		for (h.victim = 0; done && h.victim < victims; h.victim++) {
			if (victims == 1 || !(h.stopped >> h.victim & 1))
				done = hunt(&h, f);
		}
	}
	if (!done)
		f->verdict = UNDECIDED;
	modes_free(&modes, g->budget);
}

static const char *judge_cycle(const struct hunt *h, const struct schedule *s,
			       const uint32_t *state, const uint64_t *edge)
{
	uint32_t actors = 0;

	/* who is dead remains so: any state of the cycle will do */
	if (too_many_fail(h, state[s->stem]))
		return "too many processes fail: those that crash on the way "
		       "and those that stop count together";
	for (uint32_t t = s->stem; t < s->length; t++) {
		actors |= 1u << graph_actor(h->g, edge[t]);
		if (!is_inside(h, state[t]) || !is_kept(h, state[t], edge[t]))
			return "what it denies happens";
	}
	if (!is_fair(h, actors, state + s->stem, s->length - s->stem))
		return "its cycle is not fair";
	return NULL;
}

static const char *judge(const struct question *q, const struct schedule *s,
			 const uint32_t *state, const uint64_t *edge)
{
	uint32_t claim = q->property->claim;
	uint32_t one = claim == WICKET_ABORT_RESILIENCE ? s->culprit :
							  s->victim;
	struct hunt h = {
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
	if (know_modes(&h, &modes))
		why = judge_cycle(&h, s, state, edge);
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
