/* SPDX-License-Identifier: MIT */
/*
 * explore - breadth first, batch by batch, in as many threads as there are.
 *
 * A batch is a few thousand states of one depth, cut into blocks.
 *
 *   expand   A thread computes the successors of a block.  It changes nothing of
 *            the system: where something is not known yet, it misses the state out.
 *   learn    One thread finds out what was not known, state by state.  Then the
 *            states that were missed are expanded.
 *   look up  A thread looks up the successors of all blocks in one partition of the
 *            index, in order, and enters those that are new.
 *   count    In each block the successors that were new are counted, ...
 *   note     ... so that each of them gets its number, and is packed.
 *
 * If the system is symmetric, a successor is sorted before it is looked up.
 *
 * So states are numbered, and whatever the system meets gets its number, in the
 * same order as if one thread took one state after the other: what is found does not
 * depend on how many threads there are, or which is the faster one.
 */
#include <stdlib.h>
#include <string.h>

#include "verify/explore/graph.h"
#include "verify/explore/index.h"

enum { BLOCK_LEAST = 64, BLOCK = 1024, BLOCKS = 32, BATCH = BLOCK * BLOCKS };

struct successor {
	uint64_t hash;
	uint64_t place;	 /* in the index, if it is new */
	uint32_t number; /* of the state that it is: see is_fresh */
	uint32_t rank;	 /* if it is new: among those of its block */
	uint16_t label;
};

/* States from first on, and their successors. */
struct block {
	uint32_t first, states;
	uint32_t begin[BLOCK], count[BLOCK]; /* successors of each state */
	bool missed[BLOCK];
	uint32_t successors, room; /* ... and how many there is room for */
	struct store successor;	   /* struct successor */
	struct store words;	   /* their states, uint64_t each */
	struct store order; /* uint32_t: successors by partition, in order */
	uint32_t end[INDEX_PARTITIONS]; /* ... and where those of each end */
	uint32_t base;			/* successors in the blocks before */
	uint32_t fresh;			/* how many of them are new ... */
	uint32_t next;		/* ... and the number of the first of those */
	uint64_t orbits, steps; /* what there would be unsorted: states that are
				   new, and steps to them and to others */
	bool failed;		/* there was no memory */
	bool unsorted;		/* see WALK_UNSORTED */
};

struct explorer {
	struct graph *g;
	struct index index;
	uint32_t known; /* states before this batch */
	uint32_t blocks;
	struct block *block;
};

/* Few states are done sooner by one thread than others are woken. */
static void together(struct explorer *x, void (*work)(void *, uint32_t),
		     uint32_t items)
{
	if (x->blocks > 1) {
		team_run(&x->g->team, work, x, items);
		return;
	}
	for (uint32_t i = 0; i < items; i++)
		work(x, i);
}

/* One state is being expanded. */
struct expansion {
	const struct graph *g;
	struct block *b;
	uint32_t parts[SYSTEM_PARTS_MAX];
	uint64_t words[PACKED_WORDS_MAX], hash;
};

static struct successor *successor_of(const struct block *b, uint32_t i)
{
	return (struct successor *)b->successor.base + i;
}

static uint64_t *words_of(const struct graph *g, const struct block *b,
			  uint32_t i)
{
	return (uint64_t *)b->words.base + (size_t)i * g->packed.words;
}

/* --- expand ---------------------------------------------------------------- */

static bool block_room(const struct graph *g, struct block *b)
{
	size_t n = b->successors + (size_t)1;

	if (n <= b->room)
		return true;
	n += BLOCK_LEAST;
	if (!store_room(&b->successor, g->budget,
			n * sizeof(struct successor)) ||
	    !store_room(&b->words, g->budget,
			n * g->packed.words * sizeof(uint64_t)))
		return false;
	b->room = (uint32_t)n;
	return true;
}

static bool take_in(void *context, const uint32_t *parts, uint16_t label)
{
	struct expansion *x = context;
	const struct graph *g = x->g;
	struct block *b = x->b;
	uint64_t *words, hash = x->hash;
	uint32_t sorted[SYSTEM_PARTS_MAX];

	if (g->system.symmetric) {
		memcpy(sorted, parts, g->system.parts * sizeof(*parts));
		system_sort(&g->system, sorted);
		parts = sorted;
	}
	if (!block_room(g, b)) {
		b->failed = true;
		return false;
	}
	words = words_of(g, b, b->successors);
	for (uint32_t i = 0; i < g->packed.words; i++)
		words[i] = x->words[i];
	packed_change(&g->packed, words, &hash, x->parts, parts);
	*successor_of(b, b->successors++) = (struct successor){
		.hash = hash,
		.label = label,
	};
	return true;
}

static uint64_t orbit(const struct graph *g, const uint32_t *parts)
{
	return g->system.symmetric ? system_orbit(&g->system, parts) : 1;
}

static void expand(const struct graph *g, struct block *b, uint32_t i)
{
	struct expansion x = { .g = g, .b = b };
	enum walk_end end;

	packed_get(&g->packed, b->first + i, x.words);
	packed_spread(&g->packed, x.words, x.parts);
	x.hash = packed_hash(&g->packed, x.parts);
	b->begin[i] = b->successors;
	end = system_successors(&g->system, x.parts, take_in, &x);
	b->unsorted |= end == WALK_UNSORTED;
	b->missed[i] = end == WALK_UNKNOWN;
	if (b->missed[i])
		b->successors = b->begin[i];
	b->count[i] = b->successors - b->begin[i];
	b->steps += b->count[i] * orbit(g, x.parts);
}

/* Sorts the successors by partition; those of one partition stay in order. */
static void distribute(const struct graph *g, struct block *b)
{
	uint32_t *order, *end = b->end, sum = 0;

	memset(end, 0, sizeof(b->end));
	if (!store_room(&b->order, g->budget,
			b->successors * sizeof(uint32_t) + 1)) {
		b->failed = true;
		return;
	}
	order = b->order.base;
	for (uint32_t i = 0; i < b->successors; i++)
		end[index_partition(successor_of(b, i)->hash)]++;
	for (uint32_t p = 0; p < INDEX_PARTITIONS; p++) {
		uint32_t count = end[p];

		end[p] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < b->states; i++) {
		for (uint32_t j = b->begin[i]; j < b->begin[i] + b->count[i];
		     j++)
			order[end[index_partition(
				successor_of(b, j)->hash)]++] = j;
	}
}

static void expand_block(void *explorer, uint32_t item)
{
	struct explorer *x = explorer;
	struct block *b = &x->block[item];

	b->successors = 0;
	b->steps = 0;
	b->unsorted = false;
	for (uint32_t i = 0; i < b->states && !b->failed; i++)
		expand(x->g, b, i);
	distribute(x->g, b);
}

/* --- learn ----------------------------------------------------------------- */

static bool learn_block(struct graph *g, const struct block *b, bool *missed)
{
	uint32_t parts[SYSTEM_PARTS_MAX];

	for (uint32_t i = 0; i < b->states; i++) {
		if (!b->missed[i])
			continue;
		*missed = true;
		graph_unpack(g, b->first + i, parts);
		if (!system_learn(&g->system, parts))
			return false;
	}
	return true;
}

/* The successors of these come last, but their places are kept in begin. */
static void expand_missed(void *explorer, uint32_t item)
{
	struct explorer *x = explorer;
	struct block *b = &x->block[item];
	bool missed = false;

	for (uint32_t i = 0; i < b->states && !b->failed; i++) {
		if (!b->missed[i])
			continue;
		missed = true;
		expand(x->g, b, i);
	}
	if (missed)
		distribute(x->g, b);
}

/* --- the index, made anew -------------------------------------------------- */

static void hash_block(void *explorer, uint32_t item)
{
	struct explorer *x = explorer;
	struct block *b = &x->block[item];
	uint32_t parts[SYSTEM_PARTS_MAX];

	b->successors = 0;
	for (uint32_t i = 0; i < b->states; i++) {
		if (!block_room(x->g, b)) {
			b->failed = true;
			return;
		}
		graph_unpack(x->g, b->first + i, parts);
		b->begin[i] = i;
		b->count[i] = 1;
		successor_of(b, b->successors++)->hash =
			packed_hash(&x->g->packed, parts);
	}
	distribute(x->g, b);
}

/* The successors of a block that are in a partition: from <= i < end of order. */
static uint32_t begin_of(const struct block *b, uint32_t partition)
{
	return partition ? b->end[partition - 1] : 0;
}

static void enter_partition(void *explorer, uint32_t partition)
{
	enum { AHEAD = 16 };
	struct explorer *x = explorer;
	uint32_t used = 0;

	for (uint32_t block = 0; block < x->blocks; block++) {
		const struct block *b = &x->block[block];
		const uint32_t *order = b->order.base;
		uint32_t end = b->end[partition];

		for (uint32_t i = begin_of(b, partition); i < end; i++) {
			if (i + AHEAD < end)
				__builtin_prefetch(index_at(
					&x->index,
					index_place(&x->index,
						    successor_of(
							    b, order[i + AHEAD])
							    ->hash)));
			index_add(&x->index, successor_of(b, order[i])->hash,
				  b->first + order[i]);
			used++;
		}
	}
	x->index.used[partition] += used;
}

static void clear_partition(void *explorer, uint32_t partition)
{
	struct explorer *x = explorer;

	index_clear(&x->index, partition);
}

/* Cuts the states from first on into blocks of one length: few states, too, into
   enough of them for all threads. */
static void cut(struct explorer *x, uint32_t first, uint32_t end)
{
	uint32_t length = (end - first + BLOCKS - 1) / BLOCKS;

	if (length < BLOCK_LEAST)
		length = BLOCK_LEAST;
	for (x->blocks = 0; first < end; x->blocks++) {
		struct block *b = &x->block[x->blocks];

		b->first = first;
		b->states = end - first < length ? end - first : length;
		first += b->states;
	}
}

static bool has_failed(const struct explorer *x)
{
	for (uint32_t i = 0; i < x->blocks; i++) {
		if (x->block[i].failed)
			return true;
	}
	return false;
}

/* With so much room. */
static bool index_anew(struct explorer *x, uint32_t capacity)
{
	struct graph *g = x->g;

	if (!index_start(&x->index, g->budget, capacity))
		return false;
	together(x, clear_partition, INDEX_PARTITIONS);
	for (uint32_t first = 0; first < g->states;) {
		uint32_t left = g->states - first;
		uint32_t end = first + (left < BATCH ? left : BATCH);

		cut(x, first, end);
		together(x, hash_block, x->blocks);
		if (has_failed(x))
			return false;
		together(x, enter_partition, INDEX_PARTITIONS);
		first = end;
	}
	return true;
}

/* Some number no longer fits its field.  While there are few states it does not
   matter how long they are. */
static bool pack_anew(struct explorer *x)
{
	enum { FEW = 1 << 20 };
	struct graph *g = x->g;

	for (uint32_t i = 0; i < BLOCKS; i++)
		x->block[i].room = 0; /* a state may take more words now */
	return packed_anew(&g->packed, g->budget, &g->system, g->states < FEW,
			   g->states);
}

/* --- look up --------------------------------------------------------------- */

/* A successor is new if its number is the one that stands for itself; if that of
   another stands there, it is the same state as that one.  Until the batch is done
   the index holds such numbers, too. */
static uint32_t stands_for(const struct explorer *x, const struct block *b,
			   uint32_t i)
{
	return x->known + b->base + i;
}

static bool is_fresh(const struct explorer *x, const struct block *b,
		     uint32_t i)
{
	return successor_of(b, i)->number == stands_for(x, b, i);
}

/* The successor for which a number stands. */
static const struct block *stood_for(const struct explorer *x, uint32_t number,
				     uint32_t *i)
{
	uint32_t low = 0, high = x->blocks - 1;

	number -= x->known;
	while (low < high) {
		uint32_t middle = (low + high + 1) / 2;

		if (x->block[middle].base <= number)
			low = middle;
		else
			high = middle - 1;
	}
	*i = number - x->block[low].base;
	return &x->block[low];
}

static bool is_number(const struct explorer *x, uint32_t number,
		      const uint64_t *words)
{
	const struct packed *p = &x->g->packed;
	const struct block *b;
	uint32_t i;

	if (number < x->known)
		return packed_is(p, number, words);
	b = stood_for(x, number, &i);
	return !memcmp(words_of(x->g, b, i), words, p->words * sizeof(*words));
}

/* From where it is looked for on, the first place that is free or has its tag. */
static uint64_t likely_place(const struct explorer *x, uint64_t hash,
			     uint64_t place)
{
	struct entry e = index_get(&x->index, place);

	while (e.number != INDEX_NONE && e.tag != index_tag(hash)) {
		place = index_next(&x->index, hash, place);
		e = index_get(&x->index, place);
	}
	return place;
}

/* Is it new? */
static bool look_up(struct explorer *x, const struct block *b, uint32_t i)
{
	struct successor *n = successor_of(b, i);
	const uint64_t *words = words_of(x->g, b, i);
	uint32_t number;

	for (;;) {
		n->place = likely_place(x, n->hash, n->place);
		number = index_get(&x->index, n->place).number;
		if (number == INDEX_NONE)
			break;
		if (is_number(x, number - 1, words)) {
			n->number = number - 1;
			return false;
		}
		n->place = index_next(&x->index, n->hash, n->place);
	}
	n->number = stands_for(x, b, i);
	index_put(&x->index, n->place, n->hash, n->number);
	return true;
}

/* What is looked up later is fetched now: first the successor itself, then its entry,
   then the state that it may be.  What comes into the index meanwhile comes to free
   places. */
static void fetch_successor(const struct explorer *x, const struct block *b,
			    uint32_t i)
{
	__builtin_prefetch(successor_of(b, i), 1);
	__builtin_prefetch(words_of(x->g, b, i));
}

static void fetch_entry(const struct explorer *x, const struct block *b,
			uint32_t i)
{
	struct successor *n = successor_of(b, i);

	n->place = index_place(&x->index, n->hash);
	__builtin_prefetch(index_at(&x->index, n->place), 1);
}

static void fetch_state(const struct explorer *x, const struct block *b,
			uint32_t i)
{
	struct successor *n = successor_of(b, i);
	uint32_t number;

	n->place = likely_place(x, n->hash, n->place);
	number = index_get(&x->index, n->place).number;
	if (number != INDEX_NONE && number <= x->known)
		__builtin_prefetch(packed_state(&x->g->packed, number - 1));
}

/* So many steps lie between fetching and use. */
static void look_up_partition(void *explorer, uint32_t partition)
{
	enum { LEAD = 8 };
	struct explorer *x = explorer;
	uint32_t used = 0;

	for (uint32_t block = 0; block < x->blocks; block++) {
		const struct block *b = &x->block[block];
		const uint32_t *order = (uint32_t *)b->order.base +
					begin_of(b, partition);
		uint32_t count = b->end[partition] - begin_of(b, partition);

		for (uint32_t i = 0; i < count + 3 * LEAD; i++) {
			if (i < count)
				fetch_successor(x, b, order[i]);
			if (i - LEAD < count)
				fetch_entry(x, b, order[i - LEAD]);
			if (i - 2 * LEAD < count)
				fetch_state(x, b, order[i - 2 * LEAD]);
			if (i - 3 * LEAD < count)
				used += look_up(x, b, order[i - 3 * LEAD]);
		}
	}
	x->index.used[partition] += used;
}

/* --- count and note -------------------------------------------------------- */

static void count_block(void *explorer, uint32_t item)
{
	struct explorer *x = explorer;
	struct block *b = &x->block[item];

	b->fresh = 0;
	for (uint32_t i = 0; i < b->states; i++) {
		for (uint32_t j = b->begin[i]; j < b->begin[i] + b->count[i];
		     j++) {
			if (is_fresh(x, b, j))
				successor_of(b, j)->rank = b->fresh++;
		}
	}
}

static uint32_t final_number(const struct explorer *x, uint32_t number)
{
	const struct block *b;
	uint32_t i;

	if (number < x->known)
		return number;
	b = stood_for(x, number, &i);
	return b->next + successor_of(b, i)->rank;
}

static void note_state(struct explorer *x, struct block *b, uint32_t i,
		       uint32_t parent)
{
	struct graph *g = x->g;
	const struct successor *n = successor_of(b, i);
	uint32_t state = b->next + n->rank, parts[SYSTEM_PARTS_MAX];

	packed_put(&g->packed, state, words_of(g, b, i));
	index_put(&x->index, n->place, n->hash, state);
	if (state % GRAPH_BORN_EACH == 0)
		((uint32_t *)g->born.base)[state / GRAPH_BORN_EACH] = parent;
	if (g->lean && !g->system.symmetric) {
		b->orbits++;
		return;
	}
	packed_spread(&g->packed, words_of(g, b, i), parts);
	b->orbits += orbit(g, parts);
	if (!g->lean)
		((uint32_t *)g->regions.base)[state] =
			system_regions(&g->system, parts);
}

static void note_edge(struct explorer *x, uint64_t edge,
		      const struct successor *n)
{
	((uint16_t *)x->g->label.base)[edge] = n->label;
	((uint32_t *)x->g->target.base)[edge] = final_number(x, n->number);
}

static void note_block(void *explorer, uint32_t item)
{
	struct explorer *x = explorer;
	struct graph *g = x->g;
	struct block *b = &x->block[item];
	uint64_t edge = g->edges + b->base;

	b->orbits = 0;
	for (uint32_t i = 0; i < b->states; i++) {
		if (!g->lean)
			((uint64_t *)g->first.base)[b->first + i] = edge;
		for (uint32_t j = b->begin[i]; j < b->begin[i] + b->count[i];
		     j++) {
			if (is_fresh(x, b, j))
				note_state(x, b, j, b->first + i);
			if (!g->lean)
				note_edge(x, edge++, successor_of(b, j));
		}
	}
}

static bool graph_room(struct graph *g, uint32_t states, uint64_t edges)
{
	size_t n = states + (size_t)1; /* first[] has one more */

	return packed_room(&g->packed, g->budget, states) &&
	       store_room(&g->born, g->budget,
			  (n / GRAPH_BORN_EACH + 1) * sizeof(uint32_t)) &&
	       (g->lean ||
		(store_room(&g->regions, g->budget, n * sizeof(uint32_t)) &&
		 store_room(&g->first, g->budget, n * sizeof(uint64_t)) &&
		 store_room(&g->target, g->budget,
			    (edges + 1) * sizeof(uint32_t)) &&
		 store_room(&g->label, g->budget,
			    (edges + 1) * sizeof(uint16_t))));
}

/* --- batch by batch -------------------------------------------------------- */

enum batch_end { BATCH_DONE, BATCH_AGAIN, BATCH_FAILED };

/* Expands the states, and what was not known of them.  Again: what was known is not
   where it was, because there was no room for what is new. */
static enum batch_end expand_all(struct explorer *x, uint32_t first,
				 uint32_t end)
{
	struct graph *g = x->g;
	uint32_t more[INDEX_PARTITIONS] = { 0 }, capacity;
	uint64_t successors = 0;
	bool missed = false;

	cut(x, first, end);
	together(x, expand_block, x->blocks);
	for (uint32_t i = 0; i < x->blocks; i++) {
		if (x->block[i].failed ||
		    !learn_block(g, &x->block[i], &missed))
			return BATCH_FAILED;
	}
	if (missed && !packed_fits(&g->packed, &g->system))
		return pack_anew(x) ? BATCH_AGAIN : BATCH_FAILED;
	if (missed)
		together(x, expand_missed, x->blocks);
	for (uint32_t i = 0; i < x->blocks; i++) {
		struct block *b = &x->block[i];

		if (b->failed)
			return BATCH_FAILED;
		if (b->unsorted) {
			g->unsorted = true;
			return BATCH_FAILED;
		}
		b->base = (uint32_t)successors;
		successors += b->successors;
		for (uint32_t p = 0; p < INDEX_PARTITIONS; p++)
			more[p] += b->end[p] - begin_of(b, p);
	}
	/* each successor could be a state, and its number stands for it */
	if (g->states + successors >= UINT32_MAX - 2) {
		g->budget->end = BUDGET_MEMORY;
		return BATCH_FAILED;
	}
	capacity = index_needs(&x->index, more);
	if (capacity == x->index.capacity)
		return BATCH_DONE;
	return index_anew(x, capacity) ? BATCH_AGAIN : BATCH_FAILED;
}

/* Those of a block are always fewer. */
static uint64_t sum(uint64_t a, uint64_t b)
{
	return a < GRAPH_UNCOUNTED - b ? a + b : GRAPH_UNCOUNTED;
}

static bool do_batch(struct explorer *x, uint32_t first, uint32_t end)
{
	struct graph *g = x->g;
	const struct block *last;
	uint32_t next = g->states;
	enum batch_end e;

	do
		e = expand_all(x, first, end);
	while (e == BATCH_AGAIN);
	if (e == BATCH_FAILED)
		return false;
	x->known = g->states;
	together(x, look_up_partition, INDEX_PARTITIONS);
	together(x, count_block, x->blocks);
	for (uint32_t i = 0; i < x->blocks; i++) {
		x->block[i].next = next;
		next += x->block[i].fresh;
	}
	last = &x->block[x->blocks - 1];
	if (!graph_room(g, next, g->edges + last->base + last->successors))
		return false;
	together(x, note_block, x->blocks);
	for (uint32_t i = 0; i < x->blocks; i++) {
		g->all_states = sum(g->all_states, x->block[i].orbits);
		g->all_edges = sum(g->all_edges, x->block[i].steps);
	}
	g->edges += last->base + last->successors;
	g->states = next;
	return true;
}

static bool begin(struct explorer *x)
{
	struct graph *g = x->g;
	uint32_t parts[SYSTEM_PARTS_MAX], none[INDEX_PARTITIONS] = { 0 };
	uint64_t words[PACKED_WORDS_MAX];

	if (!system_initial(&g->system, parts) ||
	    !packed_lay_out(&g->packed, &g->system, true) ||
	    !graph_room(g, 1, 0) ||
	    !store_room(&g->level, g->budget, sizeof(uint32_t)))
		return false;
	((uint32_t *)g->level.base)[0] = 0;
	((uint32_t *)g->born.base)[0] = 0;
	if (!g->lean)
		((uint32_t *)g->regions.base)[0] = system_regions(&g->system,
								  parts);
	packed_join(&g->packed, parts, words);
	packed_put(&g->packed, 0, words);
	g->states = 1;
	g->all_states = 1;
	return index_anew(x, index_needs(&x->index, none));
}

static bool may_go_on(struct graph *g)
{
	if (g->budget->most && g->states > g->budget->most)
		g->budget->end = BUDGET_MEMORY;
	return budget_tick(g->budget, "exploring", g->states, 0);
}

static bool begin_level(struct graph *g, uint32_t state)
{
	if (!store_room(&g->level, g->budget,
			(g->depth + (size_t)2) * sizeof(uint32_t)))
		return false;
	((uint32_t *)g->level.base)[++g->depth] = state;
	return true;
}

static bool explore(struct explorer *x)
{
	struct graph *g = x->g;

	if (!begin(x))
		return false;
	for (uint32_t state = 0, level_end = 1; state < g->states;) {
		uint32_t left = level_end - state, before = g->states;
		uint32_t end = state + (left < BATCH ? left : BATCH);

		if (!may_go_on(g) || !do_batch(x, state, end))
			return false;
		/* at once, so that a search that is stopped knows its levels */
		if (before == level_end && g->states > before &&
		    !begin_level(g, level_end))
			return false;
		state = end;
		if (state == level_end)
			level_end = g->states;
	}
	if (!g->lean)
		((uint64_t *)g->first.base)[g->states] = g->edges;
	return true;
}

static void run(struct graph *g, const struct wicket_algo *algo,
		const struct wicket_cfg *cfg, const struct world *world,
		bool symmetric)
{
	struct explorer x = { .g = g };

	team_start(&g->team, g->budget->threads);
	x.block = calloc(BLOCKS, sizeof(*x.block));
	if (!x.block) {
		g->budget->end = BUDGET_MEMORY;
		return;
	}
	if (system_start(&g->system, algo, cfg, world, g->budget)) {
		g->system.symmetric = symmetric;
		g->complete = explore(&x);
	}
	for (uint32_t i = 0; i < BLOCKS; i++) {
		store_free(&x.block[i].successor, g->budget);
		store_free(&x.block[i].words, g->budget);
		store_free(&x.block[i].order, g->budget);
	}
	store_free(&x.index.entries, g->budget);
	free(x.block);
}

void graph_explore(struct graph *g, const struct wicket_algo *algo,
		   const struct wicket_cfg *cfg, const struct world *world,
		   struct budget *budget)
{
	*g = (struct graph){ .budget = budget };
	run(g, algo, cfg, world, false);
}

void graph_explore_states(struct graph *g, const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg,
			  const struct world *world, struct budget *budget)
{
	*g = (struct graph){ .budget = budget, .lean = true };
	run(g, algo, cfg, world, false);
}

void graph_explore_sorted(struct graph *g, const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg,
			  const struct world *world, struct budget *budget)
{
	*g = (struct graph){ .budget = budget, .lean = true };
	run(g, algo, cfg, world, true);
}
