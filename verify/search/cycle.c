/* SPDX-License-Identifier: MIT */
#include "verify/search/cycle.h"
#include "verify/search/scc.h"

static bool reach(struct cycle *c, struct budget *b, struct place p,
		  uint32_t parent, uint16_t via)
{
	uint32_t count = c->places.count, number;
	size_t n = count + (size_t)1;

	c->places.size = sizeof(p);
	if (!store_room(&c->parent, b, n * sizeof(uint32_t)) ||
	    !store_room(&c->via, b, n * sizeof(uint16_t)))
		return false;
	number = pool_number(&c->places, b, &p);
	if (number == count) { /* a new one */
		((uint32_t *)c->parent.base)[number] = parent;
		((uint16_t *)c->via.base)[number] = via;
	}
	return number != POOL_NONE;
}

/* Breadth first over places. */
bool cycle_find(struct cycle *c, struct graph *g, const struct cycle_query *q,
		uint32_t state, uint32_t limit, uint32_t *length)
{
	struct place start = { state, q->start(q->context, state) };
	uint32_t level = 1, steps = 1; /* the places reached in one step less */

	*length = 0;
	pool_clear(&c->places);
	if (!reach(c, g->budget, start, 0, 0))
		return false;
	for (uint32_t i = 0; i < c->places.count; i++) {
		struct place p = *(struct place *)pool_object(&c->places, i);

		if (i == level) {
			level = c->places.count;
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
	pool_free(&c->places, b);
	store_free(&c->parent, b);
	store_free(&c->via, b);
}

void cycle_put(const struct cycle *c, struct schedule *s, uint32_t stem)
{
	uint32_t end = s->length;
	uint16_t by = c->by;

	for (uint32_t i = c->last;; i = ((uint32_t *)c->parent.base)[i]) {
		s->label[--end] = by;
		if (end == stem)
			return;
		by = ((uint16_t *)c->via.base)[i];
	}
}

struct schedule cycle_lasso(const struct cycle *c, const struct graph *g,
			    uint32_t state, uint32_t length)
{
	uint32_t stem = graph_depth(g, state);
	struct schedule s = schedule_of(stem + length);

	s.infinite = true;
	s.stem = s.from = stem;
	schedule_put_path(&s, g, state, stem);
	cycle_put(c, &s, stem);
	return s;
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
