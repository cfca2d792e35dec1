/* SPDX-License-Identifier: MIT */
/*
 * force - the definitions of FLBB 1979, sections 2 and 3, by enumeration: of
 * schedules, of groups, of who halts.  Nothing is shared with the verifier but
 * its states and edges, and with brute.h the distance of each state.
 */
#ifndef FORCE_H
#define FORCE_H

#include "brute.h"

enum { ENOUGH = 12 }; /* a bound that no system here has */

struct force {
	const struct graph *g;
	const struct brute *b;
	uint32_t n, k, procs, states;
	uint16_t *ce, *re, *rest; /* CEn, REn; who has no step to take */
	uint8_t *ca, *ra;	  /* C-allocation, R-allocation */
	uint8_t *least; /* scratch, by state, who is to appear, who crossed */
	bool *set, *good;
	uint32_t *queue;
};

static inline bool force_able(const struct force *f, uint32_t s, uint32_t i,
			      enum wicket_region z)
{
	bool any = false, all = true;

	for (uint64_t e = graph_first(f->g, s); e < graph_end(f->g, s); e++) {
		uint16_t label = graph_label(f->g, e);

		if (deed_who(label) != i || deed_kind(label) != DEED_STEP)
			continue;
		any = true;
		all &= brute_in(f->b, graph_target(f->g, e), i, z);
	}
	return any && all;
}

/* In every state that is reached without a step of i. */
static inline bool force_enabled(struct force *f, uint32_t q, uint32_t i,
				 enum wicket_region z)
{
	uint32_t count = 0;
	bool able = true;

	memset(f->set, 0, f->states * sizeof(*f->set));
	f->queue[count++] = q;
	f->set[q] = true;
	for (uint32_t at = 0; able && at < count; at++) {
		uint32_t s = f->queue[at];

		able = force_able(f, s, i, z);
		for (uint64_t e = graph_first(f->g, s); e < graph_end(f->g, s);
		     e++) {
			uint32_t to = graph_target(f->g, e);

			if (graph_actor(f->g, e) == i || f->set[to])
				continue;
			f->set[to] = true;
			f->queue[count++] = to;
		}
	}
	return able;
}

/* How few processes may have crossed when all of a set have appeared. */
static inline uint8_t *force_least(const struct force *f, uint32_t s,
				   uint32_t set, uint32_t crossed)
{
	return &f->least[((size_t)s << 2 * f->n) + (set << f->n) + crossed];
}

static inline bool force_lower(uint8_t *value, uint8_t to)
{
	if (*value <= to)
		return false;
	*value = to;
	return true;
}

static inline bool force_crossing(struct force *f, uint32_t s, uint32_t set,
				  uint32_t crossed, enum wicket_region from,
				  enum wicket_region z)
{
	uint8_t *least = force_least(f, s, set, crossed);
	bool lower = false;

	if (!set)
		return force_lower(least, (uint8_t)__builtin_popcount(crossed));
	for (uint64_t e = graph_first(f->g, s); e < graph_end(f->g, s); e++) {
		uint32_t i = graph_actor(f->g, e), to = graph_target(f->g, e);
		uint32_t bit = i < f->n ? 1u << i : 0;
		bool crosses = bit && brute_in(f->b, s, i, from) &&
			       brute_in(f->b, to, i, z);

		lower |= force_lower(
			least, *force_least(f, to, set & ~bit,
					    crossed | (crosses ? bit : 0)));
	}
	for (uint32_t i = 0; i < f->n; i++) {
		if (f->rest[s] >> i & 1)
			lower |= force_lower(
				least,
				*force_least(f, s, set & ~(1u << i), crossed));
	}
	return lower;
}

static inline void force_allocate(struct force *f, enum wicket_region from,
				  enum wicket_region z, uint8_t *allocation)
{
	uint32_t all = 1u << f->n;
	bool lower = true;

	memset(f->least, 0xff, (size_t)f->states << 2 * f->n);
	while (lower) {
		lower = false;
		for (uint32_t s = f->states; s--;) {
			for (uint32_t x = 0; x < all * all; x++)
				lower |= force_crossing(f, s, x / all, x % all,
							from, z);
		}
	}
	for (uint32_t s = 0; s < f->states; s++) {
		uint32_t in = 0;

		for (uint32_t i = 0; i < f->n; i++)
			in |= (uint32_t)brute_in(f->b, s, i, from) << i;
		allocation[s] = 0;
		for (uint32_t group = 0; group < all; group++) {
			int size = __builtin_popcount(group);

			if (!(group & ~in) && size > allocation[s] &&
			    *force_least(f, s, group, 0) >= size)
				allocation[s] = (uint8_t)size;
		}
	}
}

static inline void force_start(struct force *f, const struct brute *b)
{
	*f = (struct force){
		.g = b->g,
		.b = b,
		.n = b->n,
		.k = b->k,
		.procs = b->g->system.procs,
		.states = b->states,
	};
	f->ce = brute_array(b, sizeof(*f->ce));
	f->re = brute_array(b, sizeof(*f->re));
	f->rest = brute_array(b, sizeof(*f->rest));
	f->ca = brute_array(b, 1);
	f->ra = brute_array(b, 1);
	f->least = brute_array(b, (size_t)1 << 2 * f->n);
	f->set = brute_array(b, sizeof(*f->set));
	f->good = brute_array(b, sizeof(*f->good));
	f->queue = brute_array(b, sizeof(*f->queue));
	for (uint32_t s = 0; s < f->states; s++) {
		uint32_t acts = 0;

		for (uint64_t e = graph_first(f->g, s); e < graph_end(f->g, s);
		     e++)
			acts |= (uint32_t)(deed_kind(graph_label(f->g, e)) <=
					   DEED_TIMEOUT)
				<< graph_actor(f->g, e);
		f->rest[s] = (uint16_t)(((1u << f->procs) - 1) & ~acts);
		for (uint32_t i = 0; i < f->n; i++) {
			f->ce[s] |= (uint16_t)(force_enabled(f, s, i,
							     WICKET_CRITICAL)
					       << i);
			f->re[s] |= (uint16_t)(force_enabled(f, s, i,
							     WICKET_REMAINDER)
					       << i);
		}
	}
	force_allocate(f, WICKET_TRYING, WICKET_CRITICAL, f->ca);
	force_allocate(f, WICKET_EXIT, WICKET_REMAINDER, f->ra);
}

static inline void force_free(struct force *f)
{
	free(f->ce);
	free(f->re);
	free(f->rest);
	free(f->ca);
	free(f->ra);
	free(f->least);
	free(f->set);
	free(f->good);
	free(f->queue);
}

/* --- what a bad schedule may do ------------------------------------------- */

/* (C2), or the waiting of i for j. */
struct bad {
	const struct force *f;
	bool deadlock, enabling;
	uint32_t i, j;
};

static inline bool force_waits(const struct bad *x, uint32_t s)
{
	const struct force *f = x->f;

	if (brute_in(f->b, s, x->i, WICKET_TRYING))
		return !x->enabling || !(f->ce[s] >> x->i & 1);
	return brute_in(f->b, s, x->i, WICKET_EXIT) &&
	       (!x->enabling || !(f->re[s] >> x->i & 1));
}

/* P_i changes regions or becomes enabled. */
static inline bool force_progress(const struct bad *x, uint32_t from,
				  uint32_t to)
{
	const struct force *f = x->f;
	uint32_t before = f->ce[from] | f->re[from];
	uint32_t after = f->ce[to] | f->re[to];

	return graph_region(f->g, from, x->i) != graph_region(f->g, to, x->i) ||
	       (x->enabling && ~before & after & 1u << x->i);
}

static inline bool force_enters(const struct bad *x, uint32_t from, uint32_t to)
{
	return !brute_in(x->f->b, from, x->j, WICKET_CRITICAL) &&
	       brute_in(x->f->b, to, x->j, WICKET_CRITICAL);
}

static inline uint32_t force_in(const struct force *f, uint32_t s,
				enum wicket_region z)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->n; i++)
		count += brute_in(f->b, s, i, z);
	return count;
}

static inline bool force_denied(const struct force *f, uint32_t s)
{
	bool d1 = force_in(f, s, WICKET_TRYING) > f->ca[s] &&
		  f->ca[s] + force_in(f, s, WICKET_CRITICAL) < f->k;
	bool d2 = force_in(f, s, WICKET_EXIT) > f->ra[s];

	return d1 || d2;
}

static inline bool force_may_be(const struct bad *x, uint32_t s)
{
	return x->deadlock ? force_denied(x->f, s) : force_waits(x, s);
}

static inline bool force_may_go(const struct bad *x, uint32_t from, uint32_t to)
{
	const struct force *f = x->f;

	if (!x->deadlock)
		return !force_progress(x, from, to);
	return graph_regions(f->g, from) == graph_regions(f->g, to) &&
	       f->ca[from] == f->ca[to] && f->ra[from] == f->ra[to];
}

/* How many fail in this state and those after it, if just these act. */
static inline uint32_t force_failures(const struct force *f, uint32_t s,
				      uint32_t acts)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->n; i++)
		count += !(acts >> i & 1) &&
			 (brute_in(f->b, s, i, WICKET_TRYING) ||
			  brute_in(f->b, s, i, WICKET_EXIT));
	return count;
}

/* No worker appears infinitely often, or the supervisor does. */
static inline bool force_supervised(const struct force *f, uint32_t acts)
{
	uint32_t workers = (1u << f->n) - 1, all = (1u << f->procs) - 1;

	return !(acts & workers) || (acts & ~workers) == (all & ~workers);
}

/* --- infinite schedules --------------------------------------------------- */

/* What must happen again and again: a step of i, any at all, or j enters. */
enum { ANY_STEP = 30, ENTRY };

static inline bool force_does(const struct bad *x, uint32_t s, uint64_t e,
			      uint32_t duty)
{
	uint32_t to = graph_target(x->f->g, e);

	return duty == ANY_STEP ||
	       (duty == ENTRY ? force_enters(x, s, to) :
				graph_actor(x->f->g, e) == duty);
}

/* Of the set, those that reach inside it, by steps of acts, what is due. */
static inline bool force_shrink(struct force *f, const struct bad *x,
				uint32_t acts, uint32_t duty)
{
	bool changed = true, smaller = false;

	memset(f->good, 0, f->states * sizeof(*f->good));
	while (changed) {
		changed = false;
		for (uint32_t s = f->states; s--;) {
			if (!f->set[s] || f->good[s])
				continue;
			if (duty < ANY_STEP)
				f->good[s] = f->rest[s] >> duty & 1;
			for (uint64_t e = graph_first(f->g, s);
			     e < graph_end(f->g, s); e++) {
				uint32_t to = graph_target(f->g, e);

				if (!f->set[to] ||
				    !(acts >> graph_actor(f->g, e) & 1) ||
				    !force_may_go(x, s, to))
					continue;
				f->good[s] |= f->good[to] ||
					      force_does(x, s, e, duty);
			}
			changed |= f->good[s];
		}
	}
	for (uint32_t s = 0; s < f->states; s++) {
		smaller |= f->set[s] && !f->good[s];
		f->set[s] = f->good[s];
	}
	return smaller;
}

/*
 * The fewest failures of an infinite schedule that is bad in this way; FAR:
 * there is none.  Of each set of processes: can they, and only they, go on?
 */
static inline uint32_t force_fewest(struct force *f, const struct bad *x)
{
	uint32_t fewest = FAR;

	for (uint32_t acts = 1; acts < 1u << f->procs; acts++) {
		bool smaller = true;

		if (!force_supervised(f, acts))
			continue;
		for (uint32_t s = 0; s < f->states; s++)
			f->set[s] = force_may_be(x, s) &&
				    force_failures(f, s, acts) < fewest;
		while (smaller) {
			smaller = force_shrink(f, x, acts, ANY_STEP);
			if (!x->deadlock)
				smaller |= force_shrink(f, x, acts, ENTRY);
			for (uint32_t i = 0; i < f->procs; i++) {
				if (acts >> i & 1)
					smaller |= force_shrink(f, x, acts, i);
			}
		}
		for (uint32_t s = 0; s < f->states; s++) {
			uint32_t failures = force_failures(f, s, acts);

			if (f->set[s] && failures < fewest)
				fewest = failures;
		}
	}
	return fewest;
}

/*
 * The shortest cycle of less than limit steps from a state back to it, bad and
 * with fewer than r failures (any number, and no supervisor, if r is FAR): layer
 * by layer, who has acted by then, and whether j has entered.
 */
static inline uint32_t force_cycle(const struct force *f, const struct bad *x,
				   uint32_t start, uint32_t r, uint32_t limit)
{
	uint32_t masks = 2u << f->procs, entered = 1u << f->procs;
	uint8_t *now = brute_array(f->b, masks), *next, *swap;
	uint32_t steps;

	next = brute_array(f->b, masks);
	now[start * masks + f->rest[start]] = 1;
	for (steps = 1; steps < limit; steps++) {
		memset(next, 0, (size_t)f->states * masks);
		for (uint32_t at = 0; at < f->states * masks; at++) {
			uint32_t s = at / masks, acts;
			uint64_t e = graph_first(f->g, s);

			for (; now[at] && e < graph_end(f->g, s); e++) {
				uint32_t to = graph_target(f->g, e);

				if (!force_may_be(x, to) ||
				    !force_may_go(x, s, to))
					continue;
				acts = at % masks | f->rest[to] |
				       1u << graph_actor(f->g, e);
				if (force_enters(x, s, to))
					acts |= entered;
				next[to * masks + acts] = 1;
			}
		}
		for (uint32_t acts = 0; acts < masks; acts++) {
			if (next[start * masks + acts] &&
			    (x->deadlock || acts & entered) &&
			    (r == FAR ||
			     (force_supervised(f, acts & ~entered) &&
			      force_failures(f, start, acts) < r)))
				goto out;
		}
		swap = now;
		now = next;
		next = swap;
	}
out:
	free(now);
	free(next);
	return steps < limit ? steps : FAR;
}

/* The length of a shortest such schedule, stem and cycle, below best. */
static inline uint32_t force_lasso(const struct force *f, const struct bad *x,
				   uint32_t r, uint32_t best)
{
	for (uint32_t s = 0; s < f->states; s++) {
		uint32_t stem = f->b->depth[s], cycle;

		if (!force_may_be(x, s) || stem + 1 >= best)
			continue;
		cycle = force_cycle(f, x, s, r, best - stem);
		if (stem + cycle < best)
			best = stem + cycle;
	}
	return best;
}

/* Is this schedule, stem and cycle, bad, with fewer than r failures? */
static inline bool force_shows(const struct force *f, const struct bad *x,
			       const struct schedule *schedule, uint32_t r)
{
	uint32_t s = 0, start = 0, acts = 0;
	bool bad = schedule->infinite, entered = false;

	for (uint32_t t = 0; t < schedule->length; t++) {
		uint64_t e = graph_first(f->g, s);
		uint32_t to;

		while (e < graph_end(f->g, s) &&
		       graph_label(f->g, e) != schedule->label[t])
			e++;
		if (e == graph_end(f->g, s))
			return false;
		to = graph_target(f->g, e);
		if (t >= schedule->stem) {
			start = t == schedule->stem ? s : start;
			bad &= force_may_be(x, s) && force_may_go(x, s, to);
			entered |= force_enters(x, s, to);
			acts |= f->rest[s] | 1u << graph_actor(f->g, e);
		}
		s = to;
	}
	return bad && s == start && (x->deadlock || entered) &&
	       (r == FAR ||
		(force_supervised(f, acts) && force_failures(f, s, acts) < r));
}

/* --- finite schedules ----------------------------------------------------- */

/* j was in R since it was in C last. */
static inline bool force_armed(const struct bad *x, uint32_t s, bool armed)
{
	return armed || brute_in(x->f->b, s, x->j, WICKET_REMAINDER);
}

/* How often j can cycle from R to C during one wait of i; at most ENOUGH. */
static inline uint32_t force_count(const struct force *f, const struct bad *x)
{
	uint32_t *most = brute_array(f->b, 2 * sizeof(*most)), best = 0;
	bool more = true;

	while (more && best < ENOUGH) {
		more = false;
		for (uint32_t at = 2 * f->states; at--;) {
			uint32_t s = at / 2;
			uint64_t e = graph_first(f->g, s);
			bool armed = force_armed(x, s, at % 2);

			if (!force_waits(x, s))
				continue;
			for (; e < graph_end(f->g, s); e++) {
				uint32_t to = graph_target(f->g, e);
				bool ends = armed && brute_in(f->b, to, x->j,
							      WICKET_CRITICAL);
				uint32_t cycles = ends;

				if (!force_progress(x, s, to))
					cycles +=
						most[2 * to + (armed && !ends)];
				if (cycles <= most[at])
					continue;
				most[at] = cycles;
				more = true;
			}
			if (most[2 * s] > best)
				best = most[2 * s];
		}
	}
	free(most);
	return best < ENOUGH ? best : ENOUGH;
}

/* The length of a shortest schedule in which j cycles once so, below best. */
static inline uint32_t force_once(const struct force *f, const struct bad *x,
				  uint32_t best)
{
	uint32_t *steps = brute_array(f->b, 2 * sizeof(*steps));
	bool less = true;

	for (uint32_t at = 0; at < 2 * f->states; at++)
		steps[at] = at % 2 || !force_waits(x, at / 2) ?
				    FAR :
				    f->b->depth[at / 2];
	while (less) {
		less = false;
		for (uint32_t at = 0; at < 2 * f->states; at++) {
			uint32_t s = at / 2;
			uint64_t e = graph_first(f->g, s);
			bool armed = force_armed(x, s, at % 2);

			for (; steps[at] < FAR && e < graph_end(f->g, s); e++) {
				uint32_t to = graph_target(f->g, e);

				if (armed && steps[at] + 1 < best &&
				    brute_in(f->b, to, x->j, WICKET_CRITICAL))
					best = steps[at] + 1;
				if (force_progress(x, s, to) ||
				    steps[2 * to + armed] <= steps[at] + 1)
					continue;
				steps[2 * to + armed] = steps[at] + 1;
				less = true;
			}
		}
	}
	free(steps);
	return best;
}

static inline bool force_full(const struct force *f, uint32_t s)
{
	int room = (int)f->k - (int)force_in(f, s, WICKET_CRITICAL);
	int trying = (int)force_in(f, s, WICKET_TRYING);

	return __builtin_popcount(f->ce[s]) == (room < trying ? room : trying);
}

/*
 * The length of a shortest schedule that ends with somebody coming back to R
 * although another entered C earlier and has not: states with the order of those
 * who have entered, in digits.
 */
static inline uint32_t force_order(const struct force *f)
{
	enum { ORDERS = 8 * 8 * 8 };
	uint8_t *seen = brute_array(f->b, ORDERS);
	uint32_t *queue = brute_array(f->b, ORDERS * sizeof(*queue));
	uint32_t *steps = brute_array(f->b, ORDERS * sizeof(*steps));
	uint32_t count = 1, best = FAR;

	seen[0] = 1;
	for (uint32_t at = 0; at < count && best == FAR; at++) {
		uint32_t s = queue[at] / ORDERS, order = queue[at] % ORDERS;

		for (uint64_t e = graph_first(f->g, s); e < graph_end(f->g, s);
		     e++) {
			uint32_t i = graph_actor(f->g, e), then = order;
			uint32_t to = graph_target(f->g, e);
			uint32_t place = 1;

			while (order / place)
				place *= 8;
			if (i < f->n &&
			    brute_in(f->b, to, i, WICKET_CRITICAL) &&
			    !brute_in(f->b, s, i, WICKET_CRITICAL))
				then += place * (i + 1);
			if (i < f->n &&
			    !brute_in(f->b, s, i, WICKET_REMAINDER) &&
			    brute_in(f->b, to, i, WICKET_REMAINDER)) {
				if (order % 8 != i + 1)
					best = steps[at] + 1;
				then = order / 8;
			}
			if (best < FAR || seen[to * ORDERS + then])
				continue;
			seen[to * ORDERS + then] = 1;
			steps[count] = steps[at] + 1;
			queue[count++] = to * ORDERS + then;
		}
	}
	free(seen);
	free(queue);
	free(steps);
	return best;
}

#endif
