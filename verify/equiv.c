/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search of the synchronous product: every reachable pair of
 * states is visited once, so the first pair with different regions ends a
 * shortest schedule that tells the systems apart.
 */
#include <string.h>

#include "verify/equiv.h"

struct pair {
	uint32_t a, b;
};

struct product {
	struct graph a, b;
	struct budget budget;
	struct store pair;   /* struct pair, in the order of discovery */
	struct store parent; /* uint32_t: from which pair */
	struct store actor;  /* uint8_t: by whose step */
	struct store slots;  /* uint32_t: 1 + pair */
	uint32_t count, mask;
};

static struct pair pair_at(const struct product *x, uint32_t i)
{
	return ((struct pair *)x->pair.base)[i];
}

static uint32_t *slot_of(const struct product *x, struct pair p)
{
	uint32_t *slots = x->slots.base;
	uint32_t i = (uint32_t)system_hash(&p, sizeof(p)) & x->mask;

	while (slots[i] && (pair_at(x, slots[i] - 1).a != p.a ||
			    pair_at(x, slots[i] - 1).b != p.b))
		i = (i + 1) & x->mask;
	return &slots[i];
}

static bool room(struct product *x)
{
	size_t n = x->count + (size_t)1;

	if (!store_room(&x->pair, &x->budget, n * sizeof(struct pair)) ||
	    !store_room(&x->parent, &x->budget, n * sizeof(uint32_t)) ||
	    !store_room(&x->actor, &x->budget, n))
		return false;
	if (x->mask && x->count < x->mask / 2)
		return true;
	x->mask = x->mask ? x->mask * 2 + 1 : 1023;
	store_free(&x->slots, &x->budget);
	n = (x->mask + (size_t)1) * sizeof(uint32_t);
	if (!store_room(&x->slots, &x->budget, n))
		return false;
	memset(x->slots.base, 0, n);
	for (uint32_t i = 0; i < x->count; i++)
		*slot_of(x, pair_at(x, i)) = i + 1;
	return true;
}

static bool add(struct product *x, struct pair p, uint32_t parent,
		uint32_t actor)
{
	uint32_t *slot;

	if (!room(x))
		return false;
	slot = slot_of(x, p);
	if (*slot)
		return true;
	((struct pair *)x->pair.base)[x->count] = p;
	((uint32_t *)x->parent.base)[x->count] = parent;
	((uint8_t *)x->actor.base)[x->count] = (uint8_t)actor;
	*slot = ++x->count;
	return true;
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
	for (uint32_t i = 0; i < x->count; i++) {
		struct pair p = pair_at(x, i);

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
	budget_start(&x.budget, a->memory, a->timeout);
	graph_explore(&x.a, a->algo, &a->cfg, &a->world, &x.budget);
	graph_explore(&x.b, b->algo, &b->cfg, &b->world, &x.budget);
	e->verdict = search(&x, &e->schedule);
	e->pairs = x.count;
	budget_quiet(&x.budget);
	e->seconds = budget_seconds(&x.budget);
	e->end = x.budget.end;
	store_free(&x.pair, &x.budget);
	store_free(&x.parent, &x.budget);
	store_free(&x.actor, &x.budget);
	store_free(&x.slots, &x.budget);
	graph_free(&x.a);
	graph_free(&x.b);
}

void equiv_free(struct equiv *e)
{
	schedule_free(&e->schedule);
}
