/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/explore/graph.h"
#include "verify/explore/run.h"

void graph_free(struct graph *g)
{
	struct store *stores[] = { &g->packed.states, &g->born,	  &g->regions,
				   &g->first,	      &g->target, &g->label,
				   &g->level };

	team_end(&g->team);
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		store_free(stores[i], g->budget);
	system_free(&g->system);
}

void graph_unpack(const struct graph *g, uint32_t state, uint32_t *parts)
{
	uint64_t words[PACKED_WORDS_MAX];

	packed_get(&g->packed, state, words);
	packed_spread(&g->packed, words, parts);
}

void graph_run_parts(const struct graph *g, const uint32_t *parts,
		     struct run *run)
{
	system_values(&g->system, parts, run->reg, run->actor);
	system_buffers(&g->system, parts, run->buffer);
}

void graph_run(const struct graph *g, uint32_t state, struct run *run)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	graph_run_parts(g, parts, run);
}

/* The registers of a state, packed; the rest is 0. */
static void registers(const struct graph *g, uint32_t state, uint64_t *words)
{
	uint64_t all[PACKED_WORDS_MAX];

	packed_get(&g->packed, state, all);
	memset(words, 0, g->packed.words * sizeof(*words));
	for (uint32_t r = 0; r < g->system.regs; r++) {
		struct field f = g->packed.field[r];

		words[f.word] |= all[f.word] & (((uint64_t)1 << f.width) - 1)
						       << f.shift;
	}
}

/* So many states at a time, piece by piece; the contents met in each, and in all so
   far, in shares by their hash. */
enum { PIECE = 1 << 16, PIECES = 16, SHARES = 8 };

struct contents {
	struct graph *g;
	uint32_t first; /* state of these pieces */
	uint32_t pieces;
	struct pool met[PIECES][SHARES], all[SHARES];
	bool failed[PIECES + SHARES]; /* there was no memory */
};

static void look_at_piece(void *contents, uint32_t piece)
{
	struct contents *c = contents;
	struct pool *met = c->met[piece];
	uint64_t words[PACKED_WORDS_MAX];
	uint32_t state = c->first + piece * PIECE;
	uint32_t left = c->g->states - state;

	for (uint32_t share = 0; share < SHARES; share++)
		pool_clear(&met[share]);
	for (uint32_t i = 0; i < left && i < PIECE; i++) {
		uint64_t share;

		registers(c->g, state + i, words);
		share = pool_hash(words, met->size) >> 32 & (SHARES - 1);
		if (pool_number(&met[share], c->g->budget, words) == POOL_NONE)
			c->failed[piece] = true;
	}
}

static void gather_share(void *contents, uint32_t share)
{
	struct contents *c = contents;

	for (uint32_t piece = 0; piece < c->pieces; piece++) {
		const struct pool *met = &c->met[piece][share];

		for (uint32_t i = 0; i < met->count; i++) {
			if (pool_number(&c->all[share], c->g->budget,
					pool_object(met, i)) == POOL_NONE)
				c->failed[PIECES + share] = true;
		}
	}
}

static bool look_at_contents(struct contents *c)
{
	const struct graph *g = c->g;

	for (uint64_t s = 0; s < g->states; s += PIECE * PIECES) {
		uint64_t left = (g->states - s + PIECE - 1) / PIECE;

		c->first = (uint32_t)s;
		c->pieces = left < PIECES ? (uint32_t)left : PIECES;
		team_run(&c->g->team, look_at_piece, c, c->pieces);
		team_run(&c->g->team, gather_share, c, SHARES);
		for (uint32_t i = 0; i < PIECES + SHARES; i++) {
			if (c->failed[i])
				return false;
		}
	}
	return true;
}

uint64_t graph_shared_values(struct graph *g)
{
	struct contents c = { .g = g };
	struct pool empty = { .size = g->packed.words * sizeof(uint64_t) };
	uint64_t count = 0;

	for (uint32_t share = 0; share < SHARES; share++) {
		for (uint32_t piece = 0; piece < PIECES; piece++)
			c.met[piece][share] = empty;
		c.all[share] = empty;
	}
	if (look_at_contents(&c)) {
		for (uint32_t share = 0; share < SHARES; share++)
			count += c.all[share].count;
	}
	for (uint32_t share = 0; share < SHARES; share++) {
		for (uint32_t piece = 0; piece < PIECES; piece++)
			pool_free(&c.met[piece][share], g->budget);
		pool_free(&c.all[share], g->budget);
	}
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

/* --- parents --------------------------------------------------------------- */

/* Looking for a state among the successors of another. */
struct birth {
	const struct system *s;
	const uint32_t *child;
	bool found;
	uint16_t via;
};

static bool is_child(void *context, const uint32_t *next, uint16_t label)
{
	struct birth *b = context;
	size_t size = b->s->parts * sizeof(*next);
	uint32_t sorted[SYSTEM_PARTS_MAX];

	if (b->s->symmetric) {
		memcpy(sorted, next, size);
		system_sort(b->s, sorted);
		next = sorted;
	}
	b->found = !memcmp(next, b->child, size);
	b->via = label;
	return !b->found;
}

/* Is it a successor of the state, and by which deed first? */
static bool follows(const struct graph *g, uint32_t state, struct birth *b)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	graph_unpack(g, state, parts);
	b->found = false;
	system_successors(&g->system, parts, is_child, b);
	return b->found;
}

uint32_t graph_parent(const struct graph *g, uint32_t state, uint16_t *via)
{
	uint32_t parts[SYSTEM_PARTS_MAX];
	uint32_t parent =
		((const uint32_t *)g->born.base)[state / GRAPH_BORN_EACH];
	struct birth b = { .s = &g->system, .child = parts };

	graph_unpack(g, state, parts);
	while (!follows(g, parent, &b))
		parent++;
	*via = b.via;
	return parent;
}
