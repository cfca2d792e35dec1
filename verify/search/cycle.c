/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/search/cycle.h"
#include "verify/search/scc.h"

static uint32_t *slot_of(const struct cycle *c, struct place p)
{
	const struct place *place = c->place.base;
	uint32_t *slots = c->slots.base;
	uint32_t i = (uint32_t)system_hash(&p, sizeof(p)) & c->mask;

	while (slots[i] && (place[slots[i] - 1].state != p.state ||
			    place[slots[i] - 1].bits != p.bits))
		i = (i + 1) & c->mask;
	return &slots[i];
}

/* Room for one more, in slots at most half full. */
static bool make_room(struct cycle *c, struct budget *b)
{
	size_t n = c->count + (size_t)1;

	if (!store_room(&c->place, b, n * sizeof(struct place)) ||
	    !store_room(&c->parent, b, n * sizeof(uint32_t)) ||
	    !store_room(&c->via, b, n * sizeof(uint16_t)))
		return false;
	if (c->mask && c->count <= c->mask / 2)
		return true;
	n = c->mask ? c->mask * (size_t)2 + 2 : 1024;
	store_free(&c->slots, b);
	c->mask = 0;
	if (!store_room(&c->slots, b, n * sizeof(uint32_t)))
		return false;
	c->mask = (uint32_t)(n - 1);
	memset(c->slots.base, 0, n * sizeof(uint32_t));
	for (uint32_t i = 0; i < c->count; i++)
		*slot_of(c, ((struct place *)c->place.base)[i]) = i + 1;
	return true;
}

static bool reach(struct cycle *c, struct budget *b, struct place p,
		  uint32_t parent, uint16_t via)
{
	uint32_t *slot;

	if (!make_room(c, b))
		return false;
	slot = slot_of(c, p);
	if (*slot)
		return true;
	((struct place *)c->place.base)[c->count] = p;
	((uint32_t *)c->parent.base)[c->count] = parent;
	((uint16_t *)c->via.base)[c->count] = via;
	*slot = ++c->count;
	return true;
}

/* Forgets the places of the cycle that was asked for before. */
static void clear(struct cycle *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct place p = ((struct place *)c->place.base)[i];
		uint32_t at = (uint32_t)system_hash(&p, sizeof(p)) & c->mask;

		/* all of them go, so none is looked for behind a gap */
		for (; ((uint32_t *)c->slots.base)[at]; at = (at + 1) & c->mask)
			((uint32_t *)c->slots.base)[at] = 0;
	}
	c->count = 0;
}

/* Breadth first over places. */
bool cycle_find(struct cycle *c, struct graph *g, const struct cycle_query *q,
		uint32_t state, uint32_t limit, uint32_t *length)
{
	struct place start = { state, q->start(q->context, state) };
	uint32_t level = 1, steps = 1; /* the places reached in one step less */

	*length = 0;
	clear(c);
	if (!reach(c, g->budget, start, 0, 0))
		return false;
	for (uint32_t i = 0; i < c->count; i++) {
		struct place p = ((struct place *)c->place.base)[i];

		if (i == level) {
			level = c->count;
			steps++;
		}
		if (limit && steps >= limit)
			return true;
		if (i % 4096 == 0 && !budget_tick(g->budget, "cycles", i, 0))
			return false;
		for (uint64_t e = graph_first(g, p.state);
		     e < graph_end(g, p.state); e++) {
			uint32_t to = graph_target(g, e);
			struct place next = { to, p.bits };

			if (!q->keep(q->context, p.state, e))
				continue;
			next.bits |= q->gain(q->context, p.state, e);
			if (to == state &&
			    q->enough(q->context, state, next.bits)) {
				c->last = i;
				c->by = graph_label(g, e);
				c->bits = next.bits;
				*length = steps;
				return true;
			}
			if (!reach(c, g->budget, next, i, graph_label(g, e)))
				return false;
		}
	}
	return true;
}

void cycle_free(struct cycle *c, struct budget *b)
{
	store_free(&c->place, b);
	store_free(&c->parent, b);
	store_free(&c->via, b);
	store_free(&c->slots, b);
}

struct schedule cycle_lasso(const struct cycle *c, const struct graph *g,
			    uint32_t state, uint32_t length)
{
	uint32_t stem = graph_depth(g, state), end = stem + length;
	struct schedule s = schedule_of(end);
	uint16_t by = c->by;

	s.infinite = true;
	s.stem = s.from = stem;
	schedule_put_path(&s, g, state, stem);
	for (uint32_t i = c->last;; i = ((uint32_t *)c->parent.base)[i]) {
		s.label[--end] = by;
		if (end == stem)
			return s;
		by = ((uint16_t *)c->via.base)[i];
	}
}

bool cycle_shortest(struct graph *g, const struct cycle_query *q,
		    const uint8_t *mark, struct schedule *s,
		    struct place *place)
{
	struct cycle c = { 0 };
	bool done = true;

	for (uint32_t state = 0; done && state < g->states; state++) {
		uint32_t stem, length, limit = 0;

		if (!(mark[state] & SCC_ON))
			continue;
		stem = graph_depth(g, state);
		if (s->label) {
			if (stem + 1 >= s->length)
				break;
			limit = s->length - stem;
		}
		done = cycle_find(&c, g, q, state, limit, &length);
		if (!done || !length)
			continue;
		schedule_free(s);
		*s = cycle_lasso(&c, g, state, length);
		*place = (struct place){ state, c.bits };
	}
	cycle_free(&c, g->budget);
	return done;
}
