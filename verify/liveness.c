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
 * the graph in which they do not act.
 */
#include "verify/cycle.h"
#include "verify/property.h"
#include "verify/scc.h"

/* What must never happen again for the property to be broken. */
struct hunt {
	struct graph *g;
	uint32_t claim;
	uint32_t stopped; /* set of crashed processes */
	uint32_t victim;  /* from 0; who starves, or who aborts */
	const uint16_t *unable, *writing; /* sets of processes, by state */
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

static bool is_inside(const void *context, uint32_t state)
{
	const struct hunt *h = context;
	const struct wicket_cfg *cfg = &h->g->system.cfg;

	/* who crashes is not in R, nor (unless it may be) in mid-write */
	if (h->stopped & in_region(h->g, state, WICKET_REMAINDER) ||
	    (!h->g->system.world.mid_write && h->stopped & h->writing[state]))
		return false;
	if (h->claim == WICKET_EXIT_WAIT_FREEDOM)
		return graph_region(h->g, state, h->victim) == WICKET_EXIT;
	if (starves(h)) /* in T and E alike: never in C, never back in R */
		return graph_region(h->g, state, h->victim) & 1;
	if (h->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM)
		return __builtin_popcount(
			       in_region(h->g, state, WICKET_REMAINDER)) >=
		       (int)(cfg->n - cfg->k);
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
	uint32_t trying = in_region(h->g, state, WICKET_TRYING) & ~h->stopped;

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

/* Who cannot act, who is in the middle of a write: sets, by state. */
static bool know_modes(struct graph *g, struct store *unable,
		       struct store *writing)
{
	size_t size = g->states * sizeof(uint16_t);
	uint32_t parts[SYSTEM_PARTS_MAX];

	if (!store_room(unable, g->budget, size) ||
	    !store_room(writing, g->budget, size))
		return false;
	for (uint32_t s = 0; s < g->states; s++) {
		uint32_t cannot = 0, writes = 0;

		graph_unpack(g, s, parts);
		for (uint32_t i = 0; i < g->system.procs; i++) {
			const struct memo *m = system_memo(&g->system, parts,
							   i);
			uint32_t own = 1 << DEED_STEP | 1 << DEED_TIMEOUT;

			cannot |= (uint32_t) !(m->can & own) << i;
			writes |= (uint32_t) !!(m->mode & ACTOR_WRITING) << i;
		}
		((uint16_t *)unable->base)[s] = (uint16_t)cannot;
		((uint16_t *)writing->base)[s] = (uint16_t)writes;
	}
	return true;
}

/* How many processes may crash, for this property, in this world. */
static int crashes_for(const struct graph *g, uint32_t claim)
{
	if (claim == WICKET_K_DEADLOCK_FREEDOM ||
	    claim == WICKET_WEAK_K_DEADLOCK_FREEDOM)
		return (int)g->system.cfg.k - 1;
	if (claim == WICKET_R_DEADLOCK_FREEDOM)
		return g->system.cfg.r ? (int)g->system.cfg.r - 1 : 0;
	if (claim == WICKET_EXIT_WAIT_FREEDOM)
		return 0; /* any number: nobody else is obliged to act */
	if (g->system.algo->line)
		return 0; /* where a crash is an event, and seen */
	return (int)g->system.world.crashes;
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

void liveness_decide(struct graph *g, uint32_t claim, struct finding *f)
{
	struct store unable = { NULL, 0 }, writing = { NULL, 0 };
	struct hunt h = { .g = g, .claim = claim };
	uint32_t n = g->system.cfg.n, victims = 1;
	bool done = g->complete && know_modes(g, &unable, &writing);

	h.unable = unable.base;
	h.writing = writing.base;
	if (singles_out(&h))
		victims = n;
	f->verdict = HOLDS;
	for (h.stopped = 0; done && h.stopped < 1u << n; h.stopped++) {
		if (__builtin_popcount(h.stopped) > crashes_for(g, claim))
			continue;
		for (h.victim = 0; done && h.victim < victims; h.victim++) {
			if (victims == 1 || !(h.stopped >> h.victim & 1))
				done = hunt(&h, f);
		}
	}
	if (!done)
		f->verdict = UNDECIDED;
	store_free(&unable, g->budget);
	store_free(&writing, g->budget);
}

const char *liveness_judge(struct graph *g, uint32_t claim,
			   const struct schedule *s, const uint32_t *state,
			   const uint64_t *edge)
{
	struct store unable = { NULL, 0 }, writing = { NULL, 0 };
	uint32_t one = claim == WICKET_ABORT_RESILIENCE ? s->culprit :
							  s->victim;
	struct hunt h = {
		.g = g,
		.claim = claim,
		.stopped = s->stopped,
		.victim = one ? one - 1 : 0,
	};
	const char *why = NULL;
	uint32_t actors = 0;

	if (!s->infinite)
		return "it is not a stem and a cycle";
	if (__builtin_popcount(s->stopped) > crashes_for(g, claim))
		return "too many processes stop";
	if (!know_modes(g, &unable, &writing))
		return "memory ran out";
	h.unable = unable.base;
	h.writing = writing.base;
	for (uint32_t t = s->stem; t < s->length && !why; t++) {
		actors |= 1u << graph_actor(g, edge[t]);
		if (!is_inside(&h, state[t]) || !is_kept(&h, state[t], edge[t]))
			why = "what it denies happens";
	}
	if (!why && !is_fair(&h, actors, state + s->stem, s->length - s->stem))
		why = "its cycle is not fair";
	store_free(&unable, g->budget);
	store_free(&writing, g->budget);
	return why;
}
