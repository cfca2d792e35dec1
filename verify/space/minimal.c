/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "verify/space/minimal.h"

/* Orders in which values are merged, after the one in which they were met; and
   values from which a clique is started, about. */
enum { ORDERS = 64, STARTS = 256 };

struct search {
	const struct machine *m;
	struct budget *budget;
	uint32_t words;	      /* of a row of bits */
	struct store apart;   /* uint64_t[words], by value: who is
				 distinguishable from it */
	struct store order;   /* uint32_t: the values */
	struct store parent;  /* uint32_t, by value: a forest of classes */
	struct store size;    /* uint32_t, by value, if a root */
	struct store row;     /* struct transition, by root, local */
	struct store undo;    /* struct change */
	struct store pending; /* uint32_t, two a pair */
	uint32_t undos, pendings, classes;
};

/* One cell of a row that was empty (local), or a union (local NEVER). */
struct change {
	uint32_t value, local;
};

static uint64_t *apart_row(const struct search *s, uint32_t value)
{
	return (uint64_t *)s->apart.base + (size_t)value * s->words;
}

static bool is_apart(const struct search *s, uint32_t v, uint32_t w)
{
	return apart_row(s, v)[w / 64] >> w % 64 & 1;
}

static void set_apart(struct search *s, uint32_t v, uint32_t w)
{
	apart_row(s, v)[w / 64] |= (uint64_t)1 << w % 64;
	apart_row(s, w)[v / 64] |= (uint64_t)1 << v % 64;
}

/* Does some process tell them apart, by what is known so far? */
static bool tells(const struct search *s, uint32_t v, uint32_t w)
{
	for (uint32_t x = 0; x < s->m->locals; x++) {
		struct transition a = machine_next(s->m, v, x);
		struct transition b = machine_next(s->m, w, x);

		if (a.value == MACHINE_NEVER || b.value == MACHINE_NEVER)
			continue;
		if (a.local != b.local || is_apart(s, a.value, b.value))
			return true;
	}
	return false;
}

/* The least relation of which the above is true. */
static bool find_apart(struct search *s)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t v = 0; v < s->m->values; v++) {
			if (!budget_tick(s->budget, "comparing values of", v,
					 s->m->values))
				return false;
			for (uint32_t w = 0; w < v; w++) {
				if (is_apart(s, v, w) || !tells(s, v, w))
					continue;
				set_apart(s, v, w);
				changed = true;
			}
		}
	}
	return true;
}

/* --- a clique --------------------------------------------------------------- */

/* The candidates that are left, each with how many others leave it one. */
struct candidates {
	uint64_t *left;	  /* set of values */
	uint32_t *degree; /* by value */
};

static bool is_left(const struct candidates *c, uint32_t v)
{
	return c->left[v / 64] >> v % 64 & 1;
}

static void count_degrees(const struct search *s, struct candidates *c)
{
	for (uint32_t v = 0; v < s->m->values; v++) {
		const uint64_t *row = apart_row(s, v);

		c->degree[v] = 0;
		for (uint32_t i = 0; i < s->words; i++)
			c->degree[v] += (uint32_t)__builtin_popcountll(
				row[i] & c->left[i]);
	}
}

/* Takes out whoever is not distinguishable from v, and v. */
static void restrict_to(const struct search *s, struct candidates *c,
			uint32_t v)
{
	for (uint32_t w = 0; w < s->m->values; w++) {
		if (!is_left(c, w) || is_apart(s, v, w))
			continue;
		c->left[w / 64] &= ~((uint64_t)1 << w % 64);
		for (uint32_t u = 0; u < s->m->values; u++)
			c->degree[u] -= is_apart(s, w, u);
	}
}

/* From one value on, always whoever leaves most candidates, of those the
   first. */
static uint32_t clique_from(const struct search *s, uint32_t start,
			    struct candidates *c)
{
	uint32_t size = 1;

	memcpy(c->left, apart_row(s, start), s->words * sizeof(*c->left));
	count_degrees(s, c);
	for (;; size++) {
		uint32_t best = MACHINE_NEVER;

		for (uint32_t v = 0; v < s->m->values; v++) {
			if (is_left(c, v) && (best == MACHINE_NEVER ||
					      c->degree[v] > c->degree[best]))
				best = v;
		}
		if (best == MACHINE_NEVER)
			return size;
		restrict_to(s, c, best);
	}
}

static bool find_clique(struct search *s, struct minimal *x)
{
	struct store left = { NULL, 0 };
	uint32_t step = s->m->values / STARTS + 1;
	struct candidates c;

	if (!store_room(&left, s->budget, s->words * sizeof(uint64_t)))
		return false;
	c = (struct candidates){ left.base, s->order.base };
	for (uint32_t v = 0; v < s->m->values; v += step) {
		uint32_t size = clique_from(s, v, &c);

		if (size > x->at_least)
			x->at_least = size;
		if (!budget_tick(s->budget, "looking for a clique of", v,
				 s->m->values))
			break;
	}
	store_free(&left, s->budget);
	return !s->budget->end;
}

/* --- a compatible partition --------------------------------------------------- */

static uint32_t *parent_of(const struct search *s, uint32_t value)
{
	return (uint32_t *)s->parent.base + value;
}

static uint32_t *size_of(const struct search *s, uint32_t root)
{
	return (uint32_t *)s->size.base + root;
}

static struct transition *row_of(const struct search *s, uint32_t root)
{
	return (struct transition *)s->row.base + (size_t)root * s->m->locals;
}

static uint32_t root_of(const struct search *s, uint32_t value)
{
	while (*parent_of(s, value) != value)
		value = *parent_of(s, value);
	return value;
}

/* Every value a class of its own. */
static void take_apart(struct search *s)
{
	s->classes = s->m->values;
	for (uint32_t v = 0; v < s->m->values; v++) {
		*parent_of(s, v) = v;
		*size_of(s, v) = 1;
	}
	memcpy(s->row.base, s->m->next.base,
	       (size_t)s->m->values * s->m->locals * sizeof(struct transition));
}

static bool remember(struct search *s, uint32_t value, uint32_t local)
{
	if (!store_room(&s->undo, s->budget,
			(s->undos + (size_t)1) * sizeof(struct change)))
		return false;
	((struct change *)s->undo.base)[s->undos++] = (struct change){ value,
								       local };
	return true;
}

static bool expect(struct search *s, uint32_t v, uint32_t w)
{
	uint32_t *pair;

	if (!store_room(&s->pending, s->budget,
			(s->pendings + (size_t)1) * 2 * sizeof(*pair)))
		return false;
	pair = (uint32_t *)s->pending.base + 2 * (size_t)s->pendings++;
	pair[0] = v;
	pair[1] = w;
	return true;
}

/* Makes one class of two roots; what follows from it is expected next. */
static bool unite(struct search *s, uint32_t a, uint32_t b)
{
	struct transition *into, *from;

	if (*size_of(s, a) < *size_of(s, b)) {
		uint32_t swap = a;

		a = b;
		b = swap;
	}
	into = row_of(s, a);
	from = row_of(s, b);
	for (uint32_t x = 0; x < s->m->locals; x++) {
		if (from[x].value == MACHINE_NEVER)
			continue;
		if (into[x].value == MACHINE_NEVER) {
			if (!remember(s, a, x))
				return false;
			into[x] = from[x];
		} else if (into[x].local != from[x].local ||
			   !expect(s, into[x].value, from[x].value)) {
			return false;
		}
	}
	if (!remember(s, b, MACHINE_NEVER))
		return false;
	*parent_of(s, b) = a;
	*size_of(s, a) += *size_of(s, b);
	s->classes--;
	return true;
}

static void undo_all(struct search *s)
{
	while (s->undos) {
		struct change c = ((struct change *)s->undo.base)[--s->undos];
		uint32_t *up = parent_of(s, c.value);

		if (c.local != MACHINE_NEVER) {
			row_of(s, c.value)[c.local].value = MACHINE_NEVER;
			continue;
		}
		*size_of(s, *up) -= *size_of(s, c.value);
		*up = c.value;
		s->classes++;
	}
}

/* Merges two values and all that has to be merged then, or nothing. */
static void merge(struct search *s, uint32_t v, uint32_t w)
{
	bool can = true;

	s->undos = s->pendings = 0;
	can = expect(s, v, w);
	while (can && s->pendings) {
		const uint32_t *pair = (uint32_t *)s->pending.base +
				       2 * (size_t)--s->pendings;
		uint32_t a = root_of(s, pair[0]), b = root_of(s, pair[1]);

		can = a == b || (!is_apart(s, a, b) && unite(s, a, b));
	}
	if (!can)
		undo_all(s);
}

/* Each value into the first class, in this order, that it can go to. */
static bool merge_in_order(struct search *s)
{
	const uint32_t *order = s->order.base;

	take_apart(s);
	for (uint32_t i = 0; i < s->m->values; i++) {
		if (!budget_tick(s->budget, "merging values of", i,
				 s->m->values))
			return false;
		for (uint32_t j = 0; j < i; j++) {
			if (root_of(s, order[i]) != root_of(s, order[j]) &&
			    !is_apart(s, order[i], order[j]))
				merge(s, order[i], order[j]);
			if (s->budget->end)
				return false;
		}
	}
	return true;
}

/* Another order, the same one every time (Fisher and Yates; Lehmer). */
static void shuffle(struct search *s, uint64_t *seed)
{
	uint32_t *order = s->order.base;

	for (uint32_t i = s->m->values; i > 1; i--) {
		uint32_t j, swap;

		*seed = *seed * 48271 % 2147483647;
		j = (uint32_t)(*seed % i);
		swap = order[i - 1];
		order[i - 1] = order[j];
		order[j] = swap;
	}
}

/* Notes the classes, numbered by their first value. */
static void keep(struct search *s, struct minimal *x)
{
	uint32_t *class_of = x->class_of.base, *number = s->size.base;
	uint32_t count = 0;

	x->at_most = s->classes;
	memset(number, 0xff, s->m->values * sizeof(*number));
	for (uint32_t v = 0; v < s->m->values; v++) {
		uint32_t root = root_of(s, v);

		if (number[root] == MACHINE_NEVER)
			number[root] = count++;
		class_of[v] = number[root];
	}
}

static bool find_partition(struct search *s, struct minimal *x)
{
	uint64_t seed = 1;

	for (uint32_t v = 0; v < s->m->values; v++)
		((uint32_t *)s->order.base)[v] = v;
	for (uint32_t i = 0; i <= ORDERS; i++) {
		if (!merge_in_order(s))
			return false;
		if (!x->at_most || s->classes < x->at_most)
			keep(s, x);
		if (x->at_most == x->at_least)
			break;
		shuffle(s, &seed);
	}
	return true;
}

/* --- the canonical partition -------------------------------------------------- */

/* Met by the same local states, with the same consequences, as far as the
   classes so far tell? */
static bool is_alike(const struct machine *m, const uint32_t *class_of,
		     uint32_t v, uint32_t w)
{
	for (uint32_t x = 0; x < m->locals; x++) {
		struct transition a = machine_next(m, v, x);
		struct transition b = machine_next(m, w, x);

		if (a.local != b.local ||
		    (a.value == MACHINE_NEVER) != (b.value == MACHINE_NEVER))
			return false;
		if (a.value != MACHINE_NEVER &&
		    class_of[a.value] != class_of[b.value])
			return false;
	}
	return class_of[v] == class_of[w];
}

/* One round of refinement; the number of classes. */
static uint32_t refine(const struct machine *m, const uint32_t *class_of,
		       uint32_t *finer, uint32_t *first)
{
	uint32_t count = 0;

	for (uint32_t v = 0; v < m->values; v++) {
		uint32_t c = 0;

		while (c < count && !is_alike(m, class_of, v, first[c]))
			c++;
		if (c == count)
			first[count++] = v;
		finer[v] = c;
	}
	return count;
}

static bool find_canonical(struct search *s, struct minimal *x)
{
	uint32_t *old = s->order.base, *fresh = s->size.base;
	uint32_t count = 0;

	memset(old, 0, s->m->values * sizeof(*old));
	do {
		uint32_t *swap = old;

		x->canonical = count;
		count = refine(s->m, old, fresh, s->parent.base);
		old = fresh;
		fresh = swap;
		if (!budget_tick(s->budget, "refining", count, s->m->values))
			return false;
	} while (count > x->canonical);
	return true;
}

static bool make_room(struct search *s, struct minimal *x)
{
	size_t numbers = s->m->values * sizeof(uint32_t);
	size_t bits = (size_t)s->m->values * s->words * sizeof(uint64_t);

	if (!store_room(&s->apart, s->budget, bits) ||
	    !store_room(&s->order, s->budget, numbers) ||
	    !store_room(&s->parent, s->budget, numbers) ||
	    !store_room(&s->size, s->budget, numbers) ||
	    !store_room(&x->class_of, s->budget, numbers) ||
	    !store_room(&s->row, s->budget,
			(size_t)s->m->values * s->m->locals *
				sizeof(struct transition)))
		return false;
	memset(s->apart.base, 0, bits);
	return true;
}

bool minimal_find(struct minimal *x, const struct machine *m)
{
	struct search s = {
		.m = m,
		.budget = m->budget,
		.words = (m->values + 63) / 64,
	};
	struct store *stores[] = { &s.apart, &s.order, &s.parent, &s.size,
				   &s.row,   &s.undo,  &s.pending };
	bool found;

	*x = (struct minimal){ 0 };
	found = make_room(&s, x) && find_apart(&s) && find_clique(&s, x) &&
		find_partition(&s, x) && find_canonical(&s, x);
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		store_free(stores[i], m->budget);
	return found;
}

void minimal_free(struct minimal *x, struct budget *b)
{
	store_free(&x->class_of, b);
}
