/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/graph.h"
#include "verify/explore/run.h"

/*
 * Successors wait in a ring before they are looked up: when one comes in, the
 * place in the table where it will be looked for is fetched, half a turn later
 * the state found there, and a full turn later they are compared.  So the
 * memory answers while other successors are computed.
 */
enum { RING = 32 };

struct successor {
	uint64_t hash;
	uint32_t parent, regions;
	uint16_t label;
	uint64_t words[GRAPH_WORDS_MAX];
};

struct explorer {
	struct graph *g;
	uint32_t expanding; /* the state whose successors come in ... */
	uint32_t parts[SYSTEM_PARTS_MAX]; /* ... and its parts */
	uint32_t in, out; /* successors that came in, that were looked up */
	struct successor ring[RING];
};

static uint64_t *state_words(const struct graph *g, uint32_t state)
{
	return (uint64_t *)g->packed.base + (size_t)state * g->words;
}

static void pack(const struct graph *g, const uint32_t *parts, uint64_t *words)
{
	memset(words, 0, g->words * sizeof(*words));
	for (uint32_t i = 0; i < g->system.parts; i++)
		words[g->field[i].word] |= (uint64_t)parts[i]
					   << g->field[i].shift;
}

static void unpack(const struct graph *g, const uint64_t *words,
		   uint32_t *parts)
{
	for (uint32_t i = 0; i < g->system.parts; i++) {
		struct field f = g->field[i];

		parts[i] = (uint32_t)(words[f.word] >> f.shift &
				      (((uint64_t)1 << f.width) - 1));
	}
}

void graph_unpack(const struct graph *g, uint32_t state, uint32_t *parts)
{
	unpack(g, state_words(g, state), parts);
}

void graph_run(const struct graph *g, uint32_t state, struct run *run)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	system_values(&g->system, parts, run->reg, run->actor);
	system_buffers(&g->system, parts, run->buffer);
}

/* Bits for numbers below count, with room to double. */
static uint32_t width_for(uint32_t count)
{
	uint32_t width = 1;

	while (width < 32 && count >> width)
		width++;
	return width;
}

/* Fields wide enough for all numbers given out so far; none straddles. */
static void lay_out_with(struct graph *g, uint32_t spare)
{
	uint32_t word = 0, shift = 0;

	for (uint32_t i = 0; i < g->system.parts; i++) {
		uint32_t pool = g->system.pool_of[i];
		uint32_t width = width_for(g->system.pool[pool].count) + spare;

		if (width > 32)
			width = 32;
		if (shift + width > 64) {
			word++;
			shift = 0;
		}
		g->field[i] = (struct field){ (uint8_t)word, (uint8_t)shift,
					      (uint8_t)width };
		shift += width;
	}
	g->words = word + 1;
}

/* Packing anew takes time: as many bits to spare as need no further word. */
static void lay_out(struct graph *g)
{
	uint32_t spare = 8, words;

	lay_out_with(g, 0);
	words = g->words;
	do
		lay_out_with(g, spare);
	while (g->words > words && spare--);
}

/*
 * Packs what a step made of a state: most parts stay what they are.  False: some
 * number does not fit its field.
 */
static bool repack(const struct graph *g, const uint32_t *from,
		   const uint32_t *parts, uint64_t *words)
{
	uint32_t over = 0;

	for (uint32_t i = 0; i < g->system.parts; i++) {
		struct field f = g->field[i];

		if (parts[i] == from[i])
			continue;
		over |= (uint32_t)((uint64_t)parts[i] >> f.width);
		words[f.word] ^= (uint64_t)(parts[i] ^ from[i]) << f.shift;
	}
	return !over;
}

static void copy(const struct graph *g, uint64_t *to, const uint64_t *from)
{
	for (uint32_t i = 0; i < g->words; i++)
		to[i] = from[i];
}

static bool is_equal(const struct graph *g, const uint64_t *a,
		     const uint64_t *b)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < g->words; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

static uint64_t hash_state(const struct graph *g, const uint64_t *words)
{
	return pool_hash(words, g->words * sizeof(*words));
}

static uint64_t tag(uint64_t hash)
{
	return hash >> 32 << 32;
}

static void slot_fill(struct graph *g, uint64_t hash, uint32_t state)
{
	uint64_t *slots = g->slots.base;
	uint64_t i = hash & g->mask;

	while (slots[i])
		i = (i + 1) & g->mask;
	slots[i] = tag(hash) | (state + 1);
}

static void fetch_slot(const struct graph *g, uint64_t hash)
{
	__builtin_prefetch((uint64_t *)g->slots.base + (hash & g->mask));
}

static bool slots_fresh(struct graph *g, uint64_t mask)
{
	uint64_t ahead[RING];

	store_free(&g->slots, g->budget);
	if (!store_room(&g->slots, g->budget, (mask + 1) * sizeof(uint64_t)))
		return false;
	memset(g->slots.base, 0, (mask + 1) * sizeof(uint64_t));
	g->mask = mask;
	for (uint64_t s = 0; s < g->states + (uint64_t)RING; s++) {
		uint64_t *hash = &ahead[s % RING];

		if (s >= RING)
			slot_fill(g, *hash, (uint32_t)(s - RING));
		if (s >= g->states)
			continue;
		*hash = hash_state(g, state_words(g, (uint32_t)s));
		fetch_slot(g, *hash);
	}
	return true;
}

/* Some number no longer fits its field: packs every state anew. */
static bool widen(struct graph *g)
{
	struct graph old = *g;
	struct store fresh = { NULL, 0 };
	uint32_t parts[SYSTEM_PARTS_MAX];

	lay_out(g);
	if (g->words > GRAPH_WORDS_MAX)
		g->budget->end = BUDGET_MEMORY;
	if (g->words > GRAPH_WORDS_MAX ||
	    !store_room(&fresh, g->budget,
			(g->states + (size_t)1) * g->words *
				sizeof(uint64_t))) {
		*g = old; /* the states are packed as they were */
		return false;
	}
	g->packed = fresh;
	for (uint32_t s = 0; s < g->states; s++) {
		unpack(&old, state_words(&old, s), parts);
		pack(g, parts, state_words(g, s));
	}
	store_free(&old.packed, g->budget);
	return slots_fresh(g, g->mask);
}

static bool state_room(struct graph *g)
{
	size_t n = g->states + (size_t)2; /* first[] has one more */

	return g->states < UINT32_MAX - 2 &&
	       store_room(&g->packed, g->budget,
			  n * g->words * sizeof(uint64_t)) &&
	       store_room(&g->parent, g->budget, n * sizeof(uint32_t)) &&
	       store_room(&g->regions, g->budget, n * sizeof(uint32_t)) &&
	       store_room(&g->via, g->budget, n * sizeof(uint16_t)) &&
	       (g->lean ||
		store_room(&g->first, g->budget, n * sizeof(uint64_t))) &&
	       store_room(&g->level, g->budget,
			  (g->depth + (size_t)2) * sizeof(uint32_t)) &&
	       (g->states < g->mask / 4 * 3 || slots_fresh(g, g->mask * 2 + 1));
}

static bool add_state(struct graph *g, const struct successor *n)
{
	uint32_t *level = g->level.base;

	if (!state_room(g))
		return false;
	level = g->level.base;
	if (g->states && n->parent >= level[g->depth])
		level[++g->depth] = g->states;
	copy(g, state_words(g, g->states), n->words);
	((uint32_t *)g->parent.base)[g->states] = n->parent;
	((uint16_t *)g->via.base)[g->states] = n->label;
	((uint32_t *)g->regions.base)[g->states] = n->regions;
	slot_fill(g, n->hash, g->states++);
	return true;
}

/* The state that is this successor, or UINT32_MAX. */
static uint32_t look_up(const struct graph *g, const struct successor *n)
{
	const uint64_t *slots = g->slots.base;
	uint64_t i = n->hash & g->mask;

	for (; slots[i]; i = (i + 1) & g->mask) {
		uint32_t state = (uint32_t)slots[i] - 1;

		if (tag(slots[i]) == tag(n->hash) &&
		    is_equal(g, state_words(g, state), n->words))
			return state;
	}
	return UINT32_MAX;
}

/* Looks up the oldest successor and notes the edge to it. */
static bool settle_one(struct explorer *x)
{
	struct graph *g = x->g;
	const struct successor *n = &x->ring[x->out++ % RING];
	uint32_t state = look_up(g, n);

	if (state == UINT32_MAX) {
		state = g->states;
		if (!add_state(g, n))
			return false;
	}
	if (g->lean) {
		g->edges++;
		return true;
	}
	if (!store_room(&g->target, g->budget,
			(g->edges + 1) * sizeof(uint32_t)) ||
	    !store_room(&g->label, g->budget,
			(g->edges + 1) * sizeof(uint16_t)))
		return false;
	((uint16_t *)g->label.base)[g->edges] = n->label;
	((uint32_t *)g->target.base)[g->edges++] = state;
	return true;
}

static bool settle_all(struct explorer *x)
{
	while (x->out != x->in) {
		if (!settle_one(x))
			return false;
	}
	return true;
}

static void fetch_state(const struct graph *g, const struct successor *n)
{
	uint64_t slot = ((uint64_t *)g->slots.base)[n->hash & g->mask];

	if (slot)
		__builtin_prefetch(state_words(g, (uint32_t)slot - 1));
}

/* A successor of the state that is being expanded. */
static bool take_in(void *context, const uint32_t *parts, uint16_t label)
{
	struct explorer *x = context;
	struct graph *g = x->g;
	struct successor *n = &x->ring[x->in % RING];

	if (x->in - x->out == RING && !settle_one(x))
		return false;
	copy(g, n->words, state_words(g, x->expanding));
	if (!repack(g, x->parts, parts, n->words)) {
		if (!settle_all(x) || !widen(g))
			return false;
		pack(g, parts, n->words);
	}
	x->in++;
	n->parent = x->expanding;
	n->label = label;
	n->regions = system_regions(&g->system, parts);
	n->hash = hash_state(g, n->words);
	fetch_slot(g, n->hash);
	if (x->in - x->out > RING / 2)
		fetch_state(g, &x->ring[(x->in - RING / 2) % RING]);
	return true;
}

static bool expand(struct explorer *x, uint32_t state)
{
	struct graph *g = x->g;

	graph_unpack(g, state, x->parts);
	if (!g->lean)
		((uint64_t *)g->first.base)[state] = g->edges +
						     (x->in - x->out);
	x->expanding = state;
	return system_successors(&g->system, x->parts, take_in, x);
}

static bool explore(struct explorer *x)
{
	struct graph *g = x->g;
	uint32_t parts[SYSTEM_PARTS_MAX];
	struct successor start = { 0 };
	uint32_t state = 0;

	if (!system_initial(&g->system, parts))
		return false;
	lay_out(g);
	if (!slots_fresh(g, 1023) ||
	    !store_room(&g->level, g->budget, sizeof(uint32_t)))
		return false;
	((uint32_t *)g->level.base)[0] = 0;
	start.regions = system_regions(&g->system, parts);
	pack(g, parts, start.words);
	start.hash = hash_state(g, start.words);
	if (!add_state(g, &start))
		return false;
	do {
		for (; state < g->states; state++) {
			if (!expand(x, state))
				return false;
			if (state % 4096)
				continue;
			if (g->budget->most && g->states > g->budget->most)
				g->budget->end = BUDGET_MEMORY;
			if (!budget_tick(g->budget, "exploring", g->states, 0))
				return false;
		}
		if (!settle_all(x))
			return false;
	} while (state < g->states);
	if (!g->lean)
		((uint64_t *)g->first.base)[state] = g->edges;
	return true;
}

void graph_explore(struct graph *g, const struct wicket_algo *algo,
		   const struct wicket_cfg *cfg, const struct world *world,
		   struct budget *budget)
{
	struct explorer x = { .g = g };

	*g = (struct graph){ .budget = budget };
	g->complete = system_start(&g->system, algo, cfg, world, budget) &&
		      explore(&x);
}

void graph_explore_states(struct graph *g, const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg,
			  const struct world *world, struct budget *budget)
{
	struct explorer x = { .g = g };

	*g = (struct graph){ .budget = budget, .lean = true };
	g->complete = system_start(&g->system, algo, cfg, world, budget) &&
		      explore(&x);
}

void graph_free(struct graph *g)
{
	struct store *stores[] = { &g->via,    &g->packed,  &g->slots,
				   &g->parent, &g->regions, &g->first,
				   &g->target, &g->label,   &g->level };

	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		store_free(stores[i], g->budget);
	system_free(&g->system);
}

/* The registers of a state, packed; the rest is 0. */
static void registers(const struct graph *g, uint32_t state, uint64_t *words)
{
	const uint64_t *all = state_words(g, state);

	memset(words, 0, g->words * sizeof(*words));
	for (uint32_t r = 0; r < g->system.regs; r++) {
		struct field f = g->field[r];

		words[f.word] |= all[f.word] & (((uint64_t)1 << f.width) - 1)
						       << f.shift;
	}
}

uint64_t graph_shared_values(struct graph *g)
{
	uint64_t words[GRAPH_WORDS_MAX] = { 0 };
	struct pool seen = { .size = g->words * sizeof(*words) };
	uint64_t count;

	for (uint32_t s = 0; s < g->states; s++) {
		registers(g, s, words);
		if (pool_number(&seen, g->budget, words) == POOL_NONE) {
			seen.count = 0;
			break;
		}
	}
	count = seen.count;
	pool_free(&seen, g->budget);
	return count;
}

uint32_t graph_depth(const struct graph *g, uint32_t state)
{
	const uint32_t *level = g->level.base;
	uint32_t low = 0, high = g->depth;

	while (low < high) {
		uint32_t middle = (low + high + 1) / 2;

		if (level[middle] <= state)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

uint64_t graph_edge_between(const struct graph *g, uint32_t from, uint32_t to)
{
	uint64_t e = graph_first(g, from);

	while (graph_target(g, e) != to)
		e++;
	return e;
}
