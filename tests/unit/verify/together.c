/* SPDX-License-Identifier: MIT */
/*
 * However many threads explore, it is the same graph to the last number: states,
 * parts, regions, levels, edges, labels, and so every schedule.
 */
#include "named.h"

#include "verify/check.h"
#include "verify/explore/graph.h"

enum { MOST = 5 };

static void assert_same(const char *name, const struct graph *a,
			const struct graph *b)
{
	uint32_t parts[2][SYSTEM_PARTS_MAX];
	uint16_t via[2];

	assert_of(name, a->complete == b->complete);
	assert_of(name, a->states == b->states && a->edges == b->edges);
	assert_of(name, a->depth == b->depth);
	for (uint32_t d = 0; d <= a->depth; d++)
		assert_of(name, graph_level_end(a, d) == graph_level_end(b, d));
	for (uint32_t q = 0; q < a->states; q++) {
		graph_unpack(a, q, parts[0]);
		graph_unpack(b, q, parts[1]);
		assert_of(name, !memcmp(parts[0], parts[1],
					a->system.parts * sizeof(*parts[0])));
		assert_of(name, graph_regions(a, q) == graph_regions(b, q));
		assert_of(name, !q || graph_parent(a, q, &via[0]) ==
						graph_parent(b, q, &via[1]));
		assert_of(name, !q || via[0] == via[1]);
		assert_of(name,
			  a->lean || graph_first(a, q) == graph_first(b, q));
	}
	for (uint64_t e = 0; e < a->edges && !a->lean; e++) {
		assert_of(name, graph_target(a, e) == graph_target(b, e));
		assert_of(name, graph_label(a, e) == graph_label(b, e));
	}
}

static void explore_with(struct graph *g, struct budget *b,
			 const struct named *s, const struct world *world,
			 const struct limits *limits, bool lean)
{
	budget_start(b, limits);
	(lean ? graph_explore_states : graph_explore)(g, s->algo, &s->cfg,
						      world, b);
}

static void compare_in(const struct named *s, const struct world *world,
		       bool lean)
{
	struct limits alone = { .threads = 1 };
	struct budget budget[2];
	struct graph g[2];

	explore_with(&g[0], &budget[0], s, world, &alone, lean);
	assert_of(s->name, g[0].complete);
	for (uint32_t threads = 2; threads <= MOST; threads += 3) {
		struct limits together = { .threads = threads };

		explore_with(&g[1], &budget[1], s, world, &together, lean);
		assert_same(s->name, &g[0], &g[1]);
		assert_of(s->name, graph_shared_values(&g[0]) ==
					   graph_shared_values(&g[1]));
		assert_of(s->name, budget[0].used == budget[1].used);
		graph_free(&g[1]);
		assert_of(s->name, !budget[1].used);
	}
	graph_free(&g[0]);
}

static void compare(const struct named *s)
{
	compare_in(s, &(struct world){ 0 }, false);
}

static void every_system_of_two(void **state)
{
	(void)state;
	check_all(2, 1, compare);
}

static const struct {
	const char *name;
	uint32_t n, k;
	struct world world;
} larger[] = {
	{ "colored", 4, 2, { 0 } },
	{ "colored@leads-strict", 4, 2, { 0 } },
	{ "numbered", 4, 3, { 0 } },
	{ "one-bit", 3, 1, { .memory = MEMORY_TSO } },
	{ "two-bits", 3, 2, { .safe = true, .crashes = 1, .mid_write = true } },
	{ "rivest-pratt-2", 2, 1, { .failures = true } },
	{ "fischer", 3, 1, { 0 } },
	{ "recoverable:watched", 2, 1, { .crashes = 1, .sleep = SLEEP_EXACT } },
	{ "recoverable:silent", 2, 1, { .crashes = 1, .sleep = SLEEP_TIMED } },
	{ "recoverable",
	  2,
	  1,
	  { .abandons = 1, .sleep = SLEEP_TIMED, .memory = MEMORY_TSO } },
};

enum { LARGER = sizeof(larger) / sizeof(*larger) };

static void larger_systems_and_other_worlds(void **state)
{
	(void)state;
	for (size_t i = 0; i < LARGER; i++) {
		struct named s = named(larger[i].name, larger[i].n,
				       larger[i].k);

		compare_in(&s, &larger[i].world, false);
		compare_in(&s, &larger[i].world, true);
	}
}

/* --- verdicts -------------------------------------------------------------- */

static struct task task_for(const char *name, uint32_t n, uint32_t k,
			    uint32_t threads)
{
	struct named s = named(name, n, k);

	return (struct task){
		.name = name,
		.algo = s.algo,
		.cfg = s.cfg,
		.limits = { .threads = threads },
		.property = { "k-exclusion", "k-deadlock-avoidance",
			      "fifo-enabling" },
	};
}

/* Of a mutant the shortest schedules, too. */
static void verdicts_and_schedules(void **state)
{
	static const char *const names[] = { "colored", "colored@leads-strict",
					     "colored@discard-first",
					     "colored@k-colours", "bank" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct task one = task_for(names[i], 4, 2, 1);
		struct task two = task_for(names[i], 4, 2, 2);
		struct check a, b;

		check_run(&a, &one);
		check_run(&b, &two);
		assert_int_equal(a.findings, b.findings);
		assert_int_equal(a.shared_values, b.shared_values);
		for (uint32_t f = 0; f < a.findings; f++) {
			const struct schedule *s = &a.finding[f].schedule;
			const struct schedule *t = &b.finding[f].schedule;

			assert_of(names[i],
				  a.finding[f].verdict == b.finding[f].verdict);
			assert_of(names[i],
				  s->length == t->length && s->stem == t->stem);
			assert_of(
				names[i],
				!s->length ||
					!memcmp(s->label, t->label,
						s->length * sizeof(*s->label)));
		}
		check_free(&a);
		check_free(&b);
	}
}

/* --- limits ---------------------------------------------------------------- */

/* Whatever the memory, one ends where the other does, and nothing is leaked. */
static void memory_ends_for_all(void **state)
{
	struct named s = named("colored", 4, 2);
	struct world world = { 0 };
	uint32_t cut = 0;

	(void)state;
	for (size_t memory = 1 << 16; memory < 4 << 20; memory += 300000) {
		struct budget budget[2];
		struct graph g[2];

		for (uint32_t i = 0; i < 2; i++)
			explore_with(&g[i], &budget[i], &s, &world,
				     &(struct limits){ .memory = memory,
						       .threads = 1 + i },
				     false);
		assert_int_equal(g[0].complete, g[1].complete);
		assert_int_equal(g[0].states, g[1].states);
		assert_int_equal(g[0].depth, g[1].depth);
		if (g[0].complete)
			assert_same(s.name, &g[0], &g[1]);
		cut += !g[1].complete;
		for (uint32_t i = 0; i < 2; i++) {
			assert_true(g[i].complete ||
				    budget[i].end == BUDGET_MEMORY);
			graph_free(&g[i]);
			assert_int_equal(budget[i].used, 0);
		}
	}
	assert_true(cut > 3);
}

/* A search that is stopped in the middle of a wide level still knows how deep its
   states are. */
static void who_is_stopped_knows_the_levels(void **state)
{
	struct named s = named("fast@no-want", 5, 1);
	uint32_t inside = 0;

	(void)state;
	for (uint32_t most = 50000; most < 350000; most += 100000) {
		struct budget budget;
		struct graph g;
		uint32_t depth = 0;
		uint16_t via;

		budget_start(&budget, &(struct limits){ .threads = 1 });
		budget.most = most;
		graph_explore_states(&g, s.algo, &s.cfg, &(struct world){ 0 },
				     &budget);
		inside += !g.complete;
		for (uint32_t q = g.states - 1; q; depth++)
			q = graph_parent(&g, q, &via);
		assert_int_equal(graph_depth(&g, g.states - 1), depth);
		assert_int_equal(g.depth, depth);
		graph_free(&g);
	}
	assert_true(inside > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_system_of_two),
		cmocka_unit_test(larger_systems_and_other_worlds),
		cmocka_unit_test(verdicts_and_schedules),
		cmocka_unit_test(memory_ends_for_all),
		cmocka_unit_test(who_is_stopped_knows_the_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
