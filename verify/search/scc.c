/* SPDX-License-Identifier: MIT */
/*
 * Tarjan's algorithm without recursion.  Components are finished in reverse
 * topological order, so when one is finished it is known of every edge that
 * leaves it whether a wanted cycle can be reached over it.
 */
#include <string.h>

#include "verify/search/scc.h"

enum { FINISHED = 4 }; /* beside the marks of scc.h */

struct frame {
	uint64_t edge;	     /* the next one to follow */
	uint32_t state, low; /* low: least number reachable so far */
};

struct search {
	const struct graph *g;
	const struct scc_query *query;
	struct budget *budget;
	uint8_t *mark;
	uint32_t *component; /* may be null */
	uint32_t components;
	struct store number; /* uint32_t by state: order of discovery, from 1 */
	struct store stack;  /* uint32_t: states of unfinished components */
	struct store path;   /* struct frame */
	struct store actors; /* uint32_t by state: whose edges stay inside */
	uint32_t numbered, stacked, depth;
};

static bool enter(struct search *x, uint32_t state)
{
	if (!store_room(&x->stack, x->budget,
			(x->stacked + (size_t)1) * sizeof(uint32_t)) ||
	    !store_room(&x->path, x->budget,
			(x->depth + (size_t)1) * sizeof(struct frame)))
		return false;
	((uint32_t *)x->number.base)[state] = ++x->numbered;
	((uint32_t *)x->stack.base)[x->stacked++] = state;
	((struct frame *)x->path.base)[x->depth++] = (struct frame){
		.edge = graph_first(x->g, state),
		.state = state,
		.low = x->numbered,
	};
	return true;
}

/* An edge whose target has been visited: what it says about its source. */
static void note(struct search *x, struct frame *f, uint64_t edge)
{
	uint32_t to = graph_target(x->g, edge);
	uint32_t number = ((uint32_t *)x->number.base)[to];

	if (x->mark[to] & FINISHED) {
		x->mark[f->state] |= x->mark[to] & SCC_REACHES;
		return;
	}
	/* an unfinished target is in the same component */
	if (number < f->low)
		f->low = number;
	((uint32_t *)x->actors.base)[f->state] |= 1u << graph_actor(x->g, edge);
}

/* The component whose first state is that of the top frame is complete. */
static void finish(struct search *x, uint32_t first)
{
	uint32_t *stack = x->stack.base;
	uint32_t bottom = x->stacked, actors = 0;
	uint8_t marks = FINISHED;

	do {
		bottom--;
		marks |= x->mark[stack[bottom]];
		actors |= ((uint32_t *)x->actors.base)[stack[bottom]];
	} while (stack[bottom] != first);
	if (actors && x->query->accept(x->query->context, actors,
				       stack + bottom, x->stacked - bottom))
		marks |= SCC_REACHES | SCC_ON;
	x->components++;
	for (uint32_t i = bottom; i < x->stacked; i++) {
		x->mark[stack[i]] = marks;
		if (x->component)
			x->component[stack[i]] = x->components;
	}
	x->stacked = bottom;
}

static bool follow(struct search *x)
{
	while (x->depth) {
		struct frame *f = (struct frame *)x->path.base + x->depth - 1;
		uint64_t edge = f->edge;

		if (edge == graph_end(x->g, f->state)) {
			struct frame done = *f;

			x->depth--;
			if (((uint32_t *)x->number.base)[done.state] ==
			    done.low)
				finish(x, done.state);
			if (x->depth) {
				f--;
				if (done.low < f->low)
					f->low = done.low;
				note(x, f, f->edge++);
			}
			continue;
		}
		if (!x->query->inside(x->query->context,
				      graph_target(x->g, edge)) ||
		    !x->query->keep(x->query->context, f->state, edge)) {
			f->edge++;
		} else if (((uint32_t *)
				    x->number.base)[graph_target(x->g, edge)]) {
			note(x, f, edge);
			f->edge++;
		} else { /* noted when it is done */
			if (x->numbered % 4096 == 0 &&
			    !budget_tick(x->budget, x->query->what, x->numbered,
					 x->g->states))
				return false;
			if (!enter(x, graph_target(x->g, edge)))
				return false;
		}
	}
	return true;
}

static bool search(struct search *x)
{
	size_t numbers = x->g->states * sizeof(uint32_t);

	if (!store_room(&x->number, x->budget, numbers) ||
	    !store_room(&x->actors, x->budget, numbers))
		return false;
	memset(x->number.base, 0, numbers);
	memset(x->actors.base, 0, numbers);
	for (uint32_t s = 0; s < x->g->states; s++) {
		if (((uint32_t *)x->number.base)[s] ||
		    !x->query->inside(x->query->context, s))
			continue;
		if (!enter(x, s) || !follow(x))
			return false;
	}
	return true;
}

bool scc(const struct graph *g, const struct scc_query *query,
	 struct store *marks, struct store *component)
{
	struct search x = { .g = g, .query = query, .budget = g->budget };
	size_t numbers = g->states * sizeof(uint32_t);
	bool done;

	if (!store_room(marks, g->budget, g->states) ||
	    (component && !store_room(component, g->budget, numbers)))
		return false;
	x.mark = marks->base;
	memset(x.mark, 0, g->states);
	if (component) {
		x.component = component->base;
		memset(x.component, 0, numbers);
	}
	done = search(&x);
	store_free(&x.number, g->budget);
	store_free(&x.stack, g->budget);
	store_free(&x.path, g->budget);
	store_free(&x.actors, g->budget);
	return done;
}

bool scc_sort(const struct graph *g, const uint32_t *component,
	      struct store *order, struct store *ends)
{
	size_t size = (g->states + (size_t)2) * sizeof(uint32_t);
	uint32_t *end;

	if (!store_room(order, g->budget, size) ||
	    !store_room(ends, g->budget, size))
		return false;
	end = ends->base;
	memset(end, 0, size);
	for (uint32_t s = 0; s < g->states; s++)
		end[component[s] + 1]++;
	for (uint32_t c = 1; c <= g->states + 1; c++)
		end[c] += end[c - 1];
	for (uint32_t s = 0; s < g->states; s++)
		((uint32_t *)order->base)[end[component[s]]++] = s;
	return true;
}
