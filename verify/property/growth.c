/* SPDX-License-Identifier: MIT */
/*
 * Numbers grow without bound if a run returns to a state that is the same but
 * for all numbers above 1, which are greater by the same amount: what was done
 * can be done again from there, and again.  Each step of it must be one that
 * raised numbers do not change (the algorithm's raise says which do: the one
 * that makes a 2 of a 1), and nobody may be misled by a register that is being
 * written, since what it sees then does not grow.
 *
 * So states are compared by their shape: all numbers lowered alike until the
 * least of those above 1 is 2.
 */
#include <string.h>

#include "verify/property/property.h"

/*
 * The first state of the same shape, and how far above the shape it is; of a
 * first one, also the lowest of its shape that was tried.
 */
struct shape {
	uint32_t first, low, tried;
};

enum { KEPT = 1, DROPPED }; /* an edge; 0: not looked at yet */

struct growth {
	struct graph *g;
	struct run blank;	   /* started, to be put into states */
	struct store shape, slots; /* struct shape by state; 1 + state */
	struct store edges;	   /* uint8_t by edge */
	uint32_t from;		   /* the state to come back to, higher */
};

static struct run run_in(const struct growth *x, uint32_t state)
{
	struct run run = x->blank;

	graph_run(x->g, state, &run);
	return run;
}

/* What is stored is raised as it will be in its register. */
static void raise_buffer(const struct run *run, struct buffer *b, uint64_t by)
{
	for (uint32_t i = 0; i < BUFFER_MAX && b->store[i].part; i++) {
		struct buffered *store = &b->store[i];
		struct run in = *run;
		struct wicket_proc procs[WICKET_PROCS_MAX];

		for (uint32_t j = 0; j < run->procs; j++)
			procs[j] = run->actor[j].proc;
		in.reg[store->reg] = store->value;
		run->algo->raise(&in.cfg, in.reg, procs, by);
		store->value = in.reg[store->reg];
	}
}

static struct run raised(const struct run *run, uint64_t by)
{
	struct wicket_proc procs[WICKET_PROCS_MAX];
	struct run high = *run;

	for (uint32_t i = 0; i < run->procs; i++)
		procs[i] = run->actor[i].proc;
	run->algo->raise(&run->cfg, high.reg, procs, by);
	for (uint32_t i = 0; i < run->procs; i++) {
		high.actor[i].proc = procs[i];
		raise_buffer(run, &high.buffer[i], by);
	}
	return high;
}

static bool is_same(const struct run *a, const struct run *b)
{
	return !memcmp(a->reg, b->reg, a->regs * sizeof(*a->reg)) &&
	       !memcmp(a->actor, b->actor, a->procs * sizeof(*a->actor)) &&
	       !memcmp(a->buffer, b->buffer, a->procs * sizeof(*a->buffer));
}

/* As low as it can be and come back; *low is 0 if no number is above 1. */
static struct run lowered(const struct growth *x, uint32_t state, uint32_t *low)
{
	struct run run = run_in(x, state), lowest = run;
	uint64_t cap = wicket_cap(&run.cfg);

	for (*low = 0; *low < cap; ++*low) {
		struct run lower = raised(&run, -(uint64_t)*low - 1);
		struct run back = raised(&lower, *low + (uint64_t)1);

		if (!is_same(&run, &back))
			return lowest;
		lowest = lower;
	}
	*low = 0;
	return run;
}

static uint64_t hash_of(const struct run *run)
{
	return pool_hash(run->reg, run->regs * sizeof(*run->reg)) ^
	       3 * pool_hash(run->actor, run->procs * sizeof(*run->actor)) ^
	       5 * pool_hash(run->buffer, run->procs * sizeof(*run->buffer));
}

static struct shape *shape_of(const struct growth *x, uint32_t state)
{
	return (struct shape *)x->shape.base + state;
}

/* Finds the shapes of all states; false: budget ended. */
static bool know_shapes(struct growth *x)
{
	uint32_t states = x->g->states, mask = 1, *slots;

	while (mask < (uint64_t)states * 2 && mask < UINT32_MAX)
		mask = mask * 2 + 1;
	if (!store_room(&x->shape, x->g->budget,
			states * sizeof(struct shape)) ||
	    !store_room(&x->slots, x->g->budget,
			(mask + (size_t)1) * sizeof(*slots)))
		return false;
	slots = x->slots.base;
	memset(slots, 0, (mask + (size_t)1) * sizeof(*slots));
	for (uint32_t s = 0; s < states; s++) {
		uint32_t low, other_low, i;
		struct run run = lowered(x, s, &low);

		i = (uint32_t)hash_of(&run) & mask;
		for (; slots[i]; i = (i + 1) & mask) {
			struct run other = lowered(x, slots[i] - 1, &other_low);

			if (is_same(&run, &other))
				break;
		}
		if (!slots[i])
			slots[i] = s + 1;
		*shape_of(x, s) = (struct shape){ slots[i] - 1, low,
						  UINT32_MAX };
		if (s % 4096 == 0 &&
		    !budget_tick(x->g->budget, "lowering numbers", s, states))
			return false;
	}
	return true;
}

static bool is_higher(const struct growth *x, uint32_t low, uint32_t high)
{
	return shape_of(x, low)->first == shape_of(x, high)->first &&
	       shape_of(x, low)->low < shape_of(x, high)->low;
}

/* Would the same step, numbers raised, do the same? */
static bool is_like_raised(const struct growth *x, uint32_t from, uint64_t edge)
{
	uint16_t label = graph_label(x->g, edge);
	struct run run, to;

	if (deed_saw(label))
		return false;
	run = run_in(x, from);
	run = raised(&run, 1);
	run_do(&run, label);
	to = run_in(x, graph_target(x->g, edge));
	to = raised(&to, 1);
	return is_same(&run, &to);
}

static bool is_start(const void *context, uint32_t state)
{
	return state == ((const struct growth *)context)->from;
}

static bool is_goal(const void *context, uint32_t state)
{
	const struct growth *x = context;

	return is_higher(x, x->from, state);
}

static bool is_kept(const void *context, uint32_t from, uint64_t edge)
{
	const struct growth *x = context;
	uint8_t *kept = (uint8_t *)x->edges.base + edge;

	if (!*kept)
		*kept = is_like_raised(x, from, edge) ? KEPT : DROPPED;
	return *kept == KEPT;
}

/* The way that was found from x->from to a higher state. */
static void fail_by(const struct growth *x, const struct bfs *sp,
		    struct finding *f)
{
	uint32_t last = sp->count - 1;

	schedule_free(&f->schedule);
	f->verdict = FAILS;
	f->bound = BOUND_UNBOUNDED;
	f->schedule = schedule_of(bfs_distance(sp, last));
	f->schedule.infinite = true;
	f->schedule.stem = graph_depth(x->g, x->from);
	schedule_put_bfs(&f->schedule, x->g, sp, bfs_state(sp, last),
			 f->schedule.length);
}

/*
 * Can the way up be shorter than from those tried before?  Not from a state of
 * the same shape as a nearer one, unless the cap leaves it more room.
 */
static bool is_worth_trying(struct growth *x)
{
	const struct shape *own = shape_of(x, x->from);
	struct shape *first = shape_of(x, own->first);

	if (own->low >= first->tried)
		return false;
	first->tried = own->low;
	return true;
}

/* The shortest stem and way up; false: budget ended. */
static bool search(struct growth *x, struct finding *f)
{
	struct bfs_query query = {
		.context = x,
		.source = is_start,
		.keep = is_kept,
		.goal = is_goal,
	};
	struct bfs sp = { 0 };
	struct graph *g = x->g;
	bool done = true;

	for (; done && x->from < g->states; x->from++) {
		if (query.limit && graph_depth(g, x->from) + 1 >= query.limit)
			break;
		if (!is_worth_trying(x))
			continue;
		done = bfs_run(&sp, g, &query);
		if (done && sp.found) {
			fail_by(x, &sp, f);
			query.limit = f->schedule.length;
		}
	}
	bfs_free(&sp, g->budget);
	return done;
}

static struct growth growth_of(struct graph *g)
{
	struct growth x = { .g = g };

	run_start(&x.blank, g->system.algo, &g->system.cfg, &g->system.world);
	return x;
}

static void growth_free(struct growth *x)
{
	store_free(&x->shape, x->g->budget);
	store_free(&x->slots, x->g->budget);
	store_free(&x->edges, x->g->budget);
}

static void decide(const struct question *q, struct finding *f)
{
	struct graph *g = q->g;
	struct growth x = growth_of(g);
	bool done = g->complete && know_shapes(&x) &&
		    store_room(&x.edges, g->budget, g->edges);

	if (done) {
		memset(x.edges.base, 0, g->edges);
		done = search(&x, f);
	}
	if (!done) {
		f->verdict = UNDECIDED;
		f->bound = BOUND_NONE;
	} else if (f->verdict != FAILS) {
		f->verdict = HOLDS;
	}
	growth_free(&x);
}

static const char *judge(const struct question *q, const struct schedule *s,
			 const uint32_t *state, const uint64_t *edge)
{
	struct growth x = growth_of(q->g);
	const char *why = NULL;

	if (!s->infinite)
		return "it is not a stem and a cycle";
	for (uint32_t t = s->stem; t < s->length && !why; t++) {
		if (!is_like_raised(&x, state[t], edge[t]))
			why = "a step of it depends on how high numbers are";
	}
	if (!why && !know_shapes(&x))
		why = "memory or time ran out";
	if (!why && !is_higher(&x, state[s->stem], state[s->length]))
		why = "it does not come back with higher numbers";
	growth_free(&x);
	return why;
}

const struct property property_bounded_numbers = {
	.name = "bounded-numbers",
	.says = "no run comes back to the same state with greater numbers",
	.claim = WICKET_BOUNDED_NUMBERS,
	.growing = true,
	.decide = decide,
	.judge = judge,
};
