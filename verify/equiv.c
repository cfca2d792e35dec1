/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search of the synchronous product: every reachable pair of
 * states is visited once, so the first pair with different regions ends a
 * shortest schedule that tells the systems apart.
 */
#include "verify/equiv.h"

struct pair {
	uint32_t a, b;
};

struct product {
	struct graph a, b;
	struct budget budget;
	struct pool pairs;   /* struct pair */
	struct store parent; /* uint32_t: from which pair */
	struct store actor;  /* uint8_t: by whose step */
};

static bool add(struct product *x, struct pair p, uint32_t parent,
		uint32_t actor)
{
	uint32_t count = x->pairs.count, number;
	size_t n = count + (size_t)1;

	x->pairs.size = sizeof(p);
	if (!store_room(&x->parent, &x->budget, n * sizeof(uint32_t)) ||
	    !store_room(&x->actor, &x->budget, n))
		return false;
	number = pool_number(&x->pairs, &x->budget, &p);
	if (number == count) { /* a new one */
		((uint32_t *)x->parent.base)[number] = parent;
		((uint8_t *)x->actor.base)[number] = (uint8_t)actor;
	}
	return number != POOL_NONE;
}

static bool differ(const struct product *x, struct pair p)
{
	return graph_regions(&x->a, p.a) != graph_regions(&x->b, p.b);
}

static struct schedule schedule_to(const struct product *x, uint32_t pair)
{
	const uint32_t *parent = x->parent.base;
	const uint8_t *actor = x->actor.base;
	struct schedule s;
	uint32_t end = 0;

	for (uint32_t i = pair; i; i = parent[i])
		end++;
	s = schedule_of(end);
	s.from = end;
	for (uint32_t i = pair; i; i = parent[i])
		s.label[--end] = deed_label(actor[i], DEED_STEP, 0);
	return s;
}

static enum verdict search(struct product *x, struct schedule *schedule)
{
	if (!x->a.complete || !x->b.complete ||
	    !add(x, (struct pair){ 0, 0 }, 0, 0))
		return UNDECIDED;
	for (uint32_t i = 0; i < x->pairs.count; i++) {
		struct pair p = *(struct pair *)pool_object(&x->pairs, i);

		if (differ(x, p)) {
			*schedule = schedule_to(x, i);
			return FAILS;
		}
		if (i % 4096 == 0 &&
		    !budget_tick(&x->budget, "comparing", i, 0))
			return UNDECIDED;
		/* both deterministic: edge j of a state is process j's step */
		for (uint32_t j = 0; j < x->a.system.procs; j++) {
			struct pair next = {
				graph_target(&x->a,
					     graph_first(&x->a, p.a) + j),
				graph_target(&x->b,
					     graph_first(&x->b, p.b) + j),
			};

			if (!add(x, next, i, j))
				return UNDECIDED;
		}
	}
	return HOLDS;
}

void equiv_run(struct equiv *e, const struct task *a, const struct task *b)
{
	struct product x = { 0 };

	*e = (struct equiv){ .verdict = UNDECIDED };
	budget_start(&x.budget, &a->limits);
	graph_explore(&x.a, a->algo, &a->cfg, &a->world, &x.budget);
	graph_explore(&x.b, b->algo, &b->cfg, &b->world, &x.budget);
	e->verdict = search(&x, &e->schedule);
	e->pairs = x.pairs.count;
	budget_quiet(&x.budget);
	e->seconds = budget_seconds(&x.budget);
	e->end = x.budget.end;
	pool_free(&x.pairs, &x.budget);
	store_free(&x.parent, &x.budget);
	store_free(&x.actor, &x.budget);
	graph_free(&x.a);
	graph_free(&x.b);
}

void equiv_free(struct equiv *e)
{
	schedule_free(&e->schedule);
}
