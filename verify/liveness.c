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
#include <stdlib.h>
#include <string.h>

#include "verify/property.h"
#include "verify/scc.h"

/* What must never happen again for the property to be broken. */
struct hunt {
	struct graph *g;
	uint32_t claim;
	uint32_t stopped;		  /* set of crashed processes */
	uint32_t victim;		  /* from 0; starvation and exit only */
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

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct hunt *h = context;
	uint32_t i = graph_actor(h->g, edge);
	bool fails = deed_kind(graph_label(h->g, edge)) == DEED_FAIL;

	if (h->stopped >> i & 1)
		return false;
	/* only ultrareliability lets others fail again and again */
	if (fails && (h->claim != WICKET_ULTRARELIABILITY || i == h->victim))
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

/* Somebody who has not crashed is trying (or is the victim, in its place). */
static bool is_denied(const struct hunt *h, uint32_t state)
{
	return h->claim == WICKET_EXIT_WAIT_FREEDOM || starves(h) ||
	       in_region(h->g, state, WICKET_TRYING) & ~h->stopped;
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

/* A state, and who of the obliged has acted or been excused on the way. */
struct place {
	uint32_t state, done;
};

struct cycle {
	struct store place, parent; /* struct place, uint32_t */
	struct store slots;	    /* uint32_t: 1 + place */
	uint32_t count, mask;
};

static uint32_t *cycle_slot(const struct cycle *c, struct place p)
{
	const struct place *place = c->place.base;
	uint32_t *slots = c->slots.base;
	uint32_t i = (uint32_t)system_hash(&p, sizeof(p)) & c->mask;

	while (slots[i] && (place[slots[i] - 1].state != p.state ||
			    place[slots[i] - 1].done != p.done))
		i = (i + 1) & c->mask;
	return &slots[i];
}

static bool cycle_reach(struct cycle *c, struct budget *b, struct place p,
			uint32_t parent)
{
	size_t n = c->count + (size_t)1;
	uint32_t *slot;

	if (!store_room(&c->place, b, n * sizeof(struct place)) ||
	    !store_room(&c->parent, b, n * sizeof(uint32_t)))
		return false;
	if (!c->mask || c->count > c->mask / 2) {
		c->mask = c->mask ? c->mask * 2 + 1 : 1023;
		store_free(&c->slots, b);
		n = (c->mask + (size_t)1) * sizeof(uint32_t);
		if (!store_room(&c->slots, b, n))
			return false;
		memset(c->slots.base, 0, n);
		for (uint32_t i = 0; i < c->count; i++)
			*cycle_slot(c, ((struct place *)c->place.base)[i]) = i +
									     1;
	}
	slot = cycle_slot(c, p);
	if (*slot)
		return true;
	((struct place *)c->place.base)[c->count] = p;
	((uint32_t *)c->parent.base)[c->count] = parent;
	*slot = ++c->count;
	return true;
}

/*
 * Breadth first over (state, who has acted): the shortest cycle through state
 * on which all who are obliged act.  *last: the place before it closes.
 */
static bool cycle_find(struct cycle *c, const struct hunt *h, uint32_t state,
		       const uint8_t *mark, uint32_t *last)
{
	uint32_t all = obliged(h);
	bool excuses = h->claim != WICKET_EXIT_WAIT_FREEDOM;
	struct place start = {
		state,
		excuses ? all & excused(h, state) : 0,
	};

	c->count = 0;
	if (c->slots.base)
		memset(c->slots.base, 0, c->slots.room);
	if (!cycle_reach(c, h->g->budget, start, 0))
		return false;
	for (uint32_t q = 0; q < c->count; q++) {
		struct place p = ((struct place *)c->place.base)[q];

		for (uint64_t e = graph_first(h->g, p.state);
		     e < graph_end(h->g, p.state); e++) {
			uint32_t to = graph_target(h->g, e);
			struct place next = { to, p.done };

			if (!(mark[to] & SCC_ON) || !is_kept(h, p.state, e))
				continue;
			next.done |= all & 1u << graph_actor(h->g, e);
			if (excuses)
				next.done |= all & excused(h, to);
			if (to == state && next.done == all) {
				*last = q;
				return true;
			}
			if (!cycle_reach(c, h->g->budget, next, q))
				return false;
		}
	}
	return false; /* not reached: the component is fair */
}

/* The edge between two places on the cycle: the kept one that did it. */
static uint16_t cycle_label(const struct hunt *h, struct place from,
			    struct place to)
{
	for (uint64_t e = graph_first(h->g, from.state);; e++) {
		uint32_t done = from.done | 1u << graph_actor(h->g, e);

		if (h->claim != WICKET_EXIT_WAIT_FREEDOM)
			done |= excused(h, to.state);
		if (graph_target(h->g, e) == to.state &&
		    is_kept(h, from.state, e) && (done & obliged(h)) == to.done)
			return graph_label(h->g, e);
	}
}

/* Stem to the nearest state of a fair component, then the cycle. */
static bool lasso(const struct hunt *h, const uint8_t *mark, struct finding *f)
{
	struct cycle c = { 0 };
	struct graph *g = h->g;
	uint32_t state = 0, last = 0, length = 1, stem;
	struct place to;
	bool done;

	while (!(mark[state] & SCC_ON))
		state++;
	stem = graph_depth(g, state);
	done = cycle_find(&c, h, state, mark, &last);
	if (done) {
		const struct place *place = c.place.base;
		const uint32_t *parent = c.parent.base;

		for (uint32_t q = last; q; q = parent[q])
			length++;
		if (!f->schedule.label || stem + length < f->schedule.length) {
			schedule_free(&f->schedule);
			f->schedule = schedule_of(stem + length);
			f->schedule.infinite = true;
			f->schedule.stem = f->schedule.from = stem;
			f->schedule.stopped = h->stopped;
			f->schedule.victim =
				starves(h) || h->claim ==
							WICKET_EXIT_WAIT_FREEDOM ?
					h->victim + 1 :
					0;
			schedule_put_path(&f->schedule, g, state, stem);
			to = (struct place){ state, obliged(h) };
			for (uint32_t q = last, end = stem + length;;
			     q = parent[q]) {
				f->schedule.label[--end] =
					cycle_label(h, place[q], to);
				to = place[q];
				if (end == stem)
					break;
			}
		}
	}
	store_free(&c.place, g->budget);
	store_free(&c.parent, g->budget);
	store_free(&c.slots, g->budget);
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
		if (starves(h) || h->claim == WICKET_EXIT_WAIT_FREEDOM)
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
	if (starves(&h) || claim == WICKET_EXIT_WAIT_FREEDOM)
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
	struct hunt h = {
		.g = g,
		.claim = claim,
		.stopped = s->stopped,
		.victim = s->victim ? s->victim - 1 : 0,
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
