/* SPDX-License-Identifier: MIT */
/*
 * An adversary shows that G is not group-enabled by a schedule in which all of
 * G appear and only a set X of fewer than |G| processes cross.  So for each X,
 * in the graph without the crossings of others: which sets of processes can
 * appear along one path from a state?  All that can be put together from who
 * acts in the state's component and what can appear after it.
 */
#include <string.h>

#include "verify/property/allocation.h"
#include "verify/search/scc.h"

/* The crossing in question, and who may cross. */
struct border {
	const struct graph *g;
	enum wicket_region from, to;
	uint32_t allowed;
};

static bool is_passable(const void *context, uint32_t from, uint64_t edge)
{
	const struct border *b = context;
	uint32_t i = graph_actor(b->g, edge);

	return b->allowed >> i & 1 || i >= b->g->system.cfg.n ||
	       graph_region(b->g, from, i) != b->from ||
	       graph_region(b->g, graph_target(b->g, edge), i) != b->to;
}

static bool any_state(const void *context, uint32_t state)
{
	(void)context, (void)state;
	return true;
}

static bool no_component(const void *context, uint32_t actors,
			 const uint32_t *states, uint32_t count)
{
	(void)context, (void)actors, (void)states, (void)count;
	return false;
}

/* --- families of sets of processes: one bit a set ------------------------ */

static size_t family_words(const struct graph *g)
{
	return (((size_t)1 << g->system.cfg.n) + 63) / 64;
}

static bool family_has(const uint64_t *family, uint32_t set)
{
	return family[set / 64] >> set % 64 & 1;
}

/* family := family and other, and those of other with process i as well */
static void family_join(uint64_t *family, const uint64_t *other, size_t words,
			uint32_t i)
{
	/* sets without process 0, 1, ... among the 64 of a word */
	static const uint64_t without[] = {
		0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
		0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
	};
	size_t block = i < 6 ? 0 : (size_t)1 << (i - 6);

	for (size_t w = 0; w < words; w++) {
		uint64_t sets = other[w];

		family[w] |= sets;
		if (!block)
			family[w] |= (sets & without[i]) << (1u << i);
		else if (!(w & block))
			family[w | block] |= sets;
	}
}

/* --- what can appear ------------------------------------------------------ */

struct appearing {
	struct border border;
	const struct enabled *en;
	size_t words;
	struct store marks, components, order, ends;
	struct store family; /* by component */
	struct store sum;    /* by state: of all X of a size */
};

static uint64_t *family_of(const struct appearing *a, uint32_t component)
{
	return (uint64_t *)a->family.base + component * a->words;
}

static uint64_t *sum_of(const struct appearing *a, uint32_t state)
{
	return (uint64_t *)a->sum.base + state * a->words;
}

/* Adds what can appear after leaving the component; returns who acts in it. */
static uint32_t look_ahead(const struct appearing *a, uint32_t state,
			   uint64_t *family)
{
	const struct graph *g = a->border.g;
	const uint32_t *component = a->components.base;
	uint32_t acts = rests(a->en, state);

	for (uint64_t e = graph_first(g, state); e < graph_end(g, state); e++) {
		uint32_t to = component[graph_target(g, e)];
		uint32_t i = graph_actor(g, e);

		if (!is_passable(&a->border, state, e))
			continue;
		if (to == component[state])
			acts |= 1u << i;
		else if (i < g->system.cfg.n)
			family_join(family, family_of(a, to), a->words, i);
		else
			for (size_t w = 0; w < a->words; w++)
				family[w] |= family_of(a, to)[w];
	}
	return acts;
}

/* The families of all components, for the set that may cross. */
static bool appear(struct appearing *a)
{
	const struct graph *g = a->border.g;
	struct scc_query query = {
		.context = &a->border,
		.inside = any_state,
		.keep = is_passable,
		.accept = no_component,
		.what = "who may appear",
	};
	const uint32_t *order, *end;
	uint32_t at = 0;

	if (!scc(g, &query, &a->marks, &a->components) ||
	    !scc_sort(g, a->components.base, &a->order, &a->ends))
		return false;
	order = a->order.base;
	end = a->ends.base;
	for (uint32_t c = 1; at < g->states; c++) {
		uint64_t *family = family_of(a, c);
		uint32_t acts = 0;

		memset(family, 0, a->words * sizeof(*family));
		family[0] = 1; /* the empty set */
		for (; at < end[c]; at++)
			acts |= look_ahead(a, order[at], family);
		for (uint32_t i = 0; i < g->system.cfg.n; i++) {
			if (acts >> i & 1)
				family_join(family, family, a->words, i);
		}
	}
	return true;
}

/* For groups of a size: the sets that can appear while fewer cross. */
static bool sum_up(struct appearing *a, uint32_t size)
{
	const struct graph *g = a->border.g;
	const uint32_t *component;

	memset(a->sum.base, 0, g->states * a->words * sizeof(uint64_t));
	for (uint32_t x = 0; x < 1u << g->system.cfg.n; x++) {
		if ((uint32_t)__builtin_popcount(x) + 1 != size)
			continue;
		a->border.allowed = x;
		if (!appear(a))
			return false;
		component = a->components.base;
		for (uint32_t s = 0; s < g->states; s++) {
			for (size_t w = 0; w < a->words; w++)
				sum_of(a, s)[w] |= family_of(a,
							     component[s])[w];
		}
	}
	return true;
}

/* Is there a group of a size of which not all can appear so? */
static bool has_group(const struct appearing *a, uint32_t state, uint32_t size)
{
	const struct graph *g = a->border.g;
	uint32_t in = 0;

	for (uint32_t i = 0; i < g->system.cfg.n; i++)
		in |= (uint32_t)(graph_region(g, state, i) == a->border.from)
		      << i;
	for (uint32_t set = in; set; set = (set - 1) & in) {
		if ((uint32_t)__builtin_popcount(set) == size &&
		    !family_has(sum_of(a, state), set))
			return true;
	}
	return false;
}

static bool allocate(struct appearing *a, struct store *allocation)
{
	const struct graph *g = a->border.g;
	size_t size = (g->states + (size_t)1) * a->words * sizeof(uint64_t);
	bool done = store_room(allocation, g->budget, g->states) &&
		    store_room(&a->family, g->budget, size) &&
		    store_room(&a->sum, g->budget, size);

	if (done)
		memset(allocation->base, 0, g->states);
	for (uint32_t m = 1; done && m <= g->system.cfg.n; m++) {
		done = sum_up(a, m);
		for (uint32_t s = 0; done && s < g->states; s++) {
			if (has_group(a, s, m))
				((uint8_t *)allocation->base)[s] = (uint8_t)m;
		}
	}
	store_free(&a->marks, g->budget);
	store_free(&a->components, g->budget);
	store_free(&a->order, g->budget);
	store_free(&a->ends, g->budget);
	store_free(&a->family, g->budget);
	store_free(&a->sum, g->budget);
	return done;
}

static bool know_r_allocation(struct enabled *en, struct graph *g)
{
	struct appearing leaving = {
		.border = { g, WICKET_EXIT, WICKET_REMAINDER, 0 },
		.en = en,
		.words = family_words(g),
	};

	if (en->exits)
		return allocate(&leaving, &en->r_allocation);
	if (!store_room(&en->r_allocation, g->budget, g->states))
		return false;
	memset(en->r_allocation.base, 0, g->states); /* to nobody */
	return true;
}

bool allocation_know(struct enabled *en, struct graph *g)
{
	struct appearing entering = {
		.border = { g, WICKET_TRYING, WICKET_CRITICAL, 0 },
		.en = en,
		.words = family_words(g),
	};

	if (!en->known_allocation)
		en->known_allocation = enabled_know_1979(en, g) &&
				       allocate(&entering, &en->c_allocation) &&
				       know_r_allocation(en, g);
	return en->known_allocation;
}
