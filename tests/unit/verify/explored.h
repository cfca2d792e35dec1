/* SPDX-License-Identifier: MIT */
/*
 * explored - a system with its graph, who is enabled in it by the verifier and
 * by brute force; and the systems that nobody designed, one a seed.
 */
#ifndef EXPLORED_H
#define EXPLORED_H

#include "automaton.h"
#include "brute.h"
#include "named.h"
#include "toy.h"

enum { SEEDS = 1000 };

struct explored {
	const struct named *s;
	struct budget budget;
	struct graph g;
	struct enabled en;
	struct brute b;
};

static inline void explore_in(struct explored *x, const struct named *s,
			      const struct world *world)
{
	*x = (struct explored){ .s = s };
	budget_start(&x->budget, &(struct limits){ .threads = 1 });
	graph_explore(&x->g, s->algo, &s->cfg, world, &x->budget);
	assert_of(s->name, x->g.complete);
	brute_start(&x->b, &x->g);
}

static inline void explore(struct explored *x, const struct named *s)
{
	explore_in(x, s, &(struct world){ 0 });
}

static inline void forget(struct explored *x)
{
	brute_free(&x->b);
	enabled_free(&x->en, &x->g);
	graph_free(&x->g);
	assert_of(x->s->name, x->budget.used == 0);
}

static inline void check_automata(void (*check)(const struct named *))
{
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct named s = { .algo = &automaton, .cfg = { .r = seed } };

		s.cfg.n = 2 + seed / 36 % 2;
		s.cfg.k = 1 + seed / 72 % (s.cfg.n - 1);
		snprintf(s.name, sizeof(s.name), "automaton, seed %u, %u %u",
			 seed, s.cfg.n, s.cfg.k);
		check(&s);
	}
}

static inline bool is_judged(struct explored *x, const char *property,
			     struct schedule s)
{
	return is_broken_by(&x->g, &x->en, property, &s);
}

/* The one edge that is labelled so. */
static inline uint64_t edge_of(const struct explored *x, uint32_t state,
			       uint16_t label)
{
	uint64_t edge = graph_first(&x->g, state);

	while (edge < graph_end(&x->g, state) &&
	       graph_label(&x->g, edge) != label)
		edge++;
	assert_of(x->s->name, edge < graph_end(&x->g, state));
	return edge;
}

/* Shorter by its last step. */
static inline struct schedule shorter(struct schedule s)
{
	s.length--;
	return s;
}

#endif
