/* SPDX-License-Identifier: MIT */
/*
 * Of the states that differ only in which process is which one is enough: counted
 * with those for which it stands it is the same graph, and the same is found.
 */
#include "named.h"
#include "sleepers.h"

#include "verify/check.h"
#include "verify/explore/graph.h"

static void explore_both(struct graph *g, struct budget *b,
			 const struct named *s, const struct world *world)
{
	for (uint32_t i = 0; i < 2; i++)
		budget_start(&b[i], &(struct limits){ .threads = 1 + i });
	graph_explore_states(&g[0], s->algo, &s->cfg, world, &b[0]);
	graph_explore_sorted(&g[1], s->algo, &s->cfg, world, &b[1]);
	assert_of(s->name, g[0].complete && g[1].complete);
}

static void free_both(struct graph *g, const struct budget *b)
{
	for (uint32_t i = 0; i < 2; i++) {
		graph_free(&g[i]);
		assert_int_equal(b[i].used, 0);
	}
}

/* The states of a level that are sorted, whatever their numbers, with how many each
   stands for. */
static uint64_t of_level(const struct graph *g, uint32_t depth)
{
	uint32_t state = depth ? graph_level_end(g, depth - 1) : 0;
	uint32_t parts[SYSTEM_PARTS_MAX];
	uint64_t count = 0;

	for (; state < graph_level_end(g, depth); state++) {
		graph_unpack(g, state, parts);
		count += g->system.symmetric ? system_orbit(&g->system, parts) :
					       1;
	}
	return count;
}

static void compare_in(const struct named *s, const struct world *world)
{
	struct budget b[2];
	struct graph g[2];

	explore_both(g, b, s, world);
	assert_of(s->name, g[0].all_states == g[0].states);
	assert_of(s->name, g[0].all_edges == g[0].edges);
	assert_of(s->name, g[1].all_states == g[0].states);
	assert_of(s->name, g[1].all_edges == g[0].edges);
	assert_of(s->name, g[1].depth == g[0].depth);
	for (uint32_t d = 0; d <= g[0].depth; d++)
		assert_of(s->name, of_level(&g[0], d) == of_level(&g[1], d));
	assert_of(s->name,
		  graph_shared_values(&g[0]) == graph_shared_values(&g[1]));
	assert_of(s->name, g[1].states < g[0].states);
	free_both(g, b);
}

static uint32_t compared;

static void compare(const struct named *s)
{
	static const struct world worlds[] = { { 0 },
					       { .crashes = 1 },
					       { .memory = MEMORY_TSO } };
	struct wicket_proc first = s->algo->start(&s->cfg, 1);
	struct wicket_proc second = s->algo->start(&s->cfg, 2);

	if (memcmp(&first, &second, sizeof(first)))
		return;
	compared++;
	for (size_t i = 0; i < sizeof(worlds) / sizeof(*worlds); i++) {
		if (!worlds[i].memory || !wicket_has_quotient(s->algo, &s->cfg))
			compare_in(s, &worlds[i]);
	}
}

static void every_system_that_has_peers(void **state)
{
	(void)state;
	check_all(2, 1, compare);
	check_all(3, 1, compare);
	check_all(3, 2, compare);
	assert_true(compared > 20);
}

static void larger_systems(void **state)
{
	struct named s = named("colored", 5, 2);

	(void)state;
	compare_in(&s, &(struct world){ 0 });
	s = named("colored:tight", 4, 2);
	compare_in(&s, &(struct world){ .crashes = 2 });
}

/* Equal processes that store here and there, and look: what one of them sees tells
   whose store came first. */
enum { HERE, THERE, CELLS };

static uint32_t two_cells(const struct wicket_cfg *c)
{
	(void)c;
	return CELLS;
}

static struct wicket_proc anybody(const struct wicket_cfg *c, uint32_t i)
{
	(void)c, (void)i;
	return (struct wicket_proc){ .pc = 0 };
}

static enum wicket_region outside(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	(void)c, (void)p;
	return WICKET_REMAINDER;
}

static struct wicket_access store_or_look(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	(void)c;
	return wicket_ask(p.pc < CELLS	   ? WICKET_STORE :
			  p.pc < 2 * CELLS ? WICKET_LOAD :
					     WICKET_REST,
			  p.pc % CELLS);
}

static struct wicket_result stored_or_seen(const struct wicket_cfg *c,
					   struct wicket_proc p,
					   struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	(void)c;
	if (p.pc < CELLS)
		r.put = wicket_number(1);
	else
		r.proc.local[p.pc % CELLS] = 1 + seen.w[0];
	r.proc.pc++;
	return r;
}

static struct wicket_register empty_cell(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .owner = 0 };
}

static void buffers_are_not_alike(void **state)
{
	static const struct wicket_algo algo = {
		.name = "cells",
		.registers = two_cells,
		.reg = empty_cell,
		.start = anybody,
		.region = outside,
		.access = store_or_look,
		.step = stored_or_seen,
	};
	struct named s = { .name = "cells",
			   .algo = &algo,
			   .cfg = { .n = 3, .k = 1, .r = 1 } };

	(void)state;
	compare_in(&s, &(struct world){ .memory = MEMORY_TSO });
}

/* --- what is found ---------------------------------------------------------- */

/* The schedule is one of the system itself, as short as any. */
static void same_verdict(const struct named *s, const char *property)
{
	struct finding f[2];
	struct budget b[2];
	struct graph g[2];

	explore_both(g, b, s, &(struct world){ 0 });
	for (uint32_t i = 0; i < 2; i++)
		property_decide(&g[i], &property, &f[i], 1);
	assert_of(s->name, f[0].verdict == f[1].verdict);
	assert_of(s->name, f[0].schedule.length == f[1].schedule.length);
	if (f[1].verdict == FAILS)
		assert_of(s->name,
			  is_broken_by(&g[1], NULL, property, &f[1].schedule));
	for (uint32_t i = 0; i < 2; i++)
		property_free(&f[i]);
	free_both(g, b);
}

static void verdicts_and_schedules(void **state)
{
	static const struct {
		const char *name, *property;
		uint32_t n, k;
	} rows[] = {
		{ "colored", "k-exclusion", 4, 2 },
		{ "colored@leads-strict", "k-exclusion", 4, 2 },
		{ "colored@quant-zero", "k-exclusion", 4, 3 },
		{ "colored@discard-first", "k-exclusion", 3, 2 },
		{ "colored:tight@symmetric-tie", "k-exclusion", 3, 2 },
		{ "semaphore", "k-exclusion", 4, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct named s = named(rows[i].name, rows[i].n, rows[i].k);

		same_verdict(&s, rows[i].property);
	}
}

/* --- sorting ---------------------------------------------------------------- */

/* Processes 1, 3 and 4 are of one kind, 2 is of another. */
static const struct system kinds = {
	.regs = 1,
	.procs = 4,
	.parts = 5,
	.pool_of = { 0, 1, 2, 1, 1 },
	.peer = { 0, 0, 1, 3 },
};

static void sorts_within_kinds(void **state)
{
	uint32_t parts[] = { 7, 5, 9, 2, 3 };

	(void)state;
	system_sort(&kinds, parts);
	assert_memory_equal(parts, ((uint32_t[]){ 7, 2, 9, 3, 5 }),
			    sizeof(parts));
	assert_int_equal(system_orbit(&kinds, parts), 6);
	assert_int_equal(system_orbit(&kinds, (uint32_t[]){ 7, 2, 9, 2, 5 }),
			 3);
	assert_int_equal(system_orbit(&kinds, (uint32_t[]){ 7, 2, 9, 5, 5 }),
			 3);
	assert_int_equal(system_orbit(&kinds, (uint32_t[]){ 7, 5, 2, 5, 5 }),
			 1);
}

/* Equal processes with different buffers are different. */
static void sorts_buffers_with_their_processes(void **state)
{
	struct system s = {
		.regs = 0, .procs = 2, .parts = 4, .peer = { 0, 1 }
	};
	uint32_t parts[] = { 4, 4, 8, 3 };

	(void)state;
	s.world.memory = MEMORY_TSO;
	system_sort(&s, parts);
	assert_memory_equal(parts, ((uint32_t[]){ 4, 4, 3, 8 }), sizeof(parts));
	assert_int_equal(system_orbit(&s, parts), 2);
}

/* --- where it does not fit --------------------------------------------------- */

/* Sleepers that start equal; with numbers they first draw one each. */
enum { DRAW = RING + 1 };

static struct wicket_proc in_bed(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = sleeper_or_ringer(c, i);

	p.self = 0;
	return p;
}

static struct wicket_proc at_the_draw(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = in_bed(c, i);

	if (p.pc == IN_BED)
		p.pc = DRAW;
	return p;
}

static struct wicket_access draw_or_sleep(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	return p.pc == DRAW ? wicket_ask(WICKET_RMW, ELSEWHERE) :
			      sleepers_access(c, p);
}

static struct wicket_result drawn_or_woken(const struct wicket_cfg *c,
					   struct wicket_proc p,
					   struct wicket_value seen)
{
	struct wicket_result r = sleepers_step(c, p, seen);

	if (p.pc == DRAW) {
		r.proc.pc = IN_BED;
		r.proc.local[0] = r.put.w[0] = seen.w[0] + 1;
	}
	return r;
}

static bool fits(bool numbers, uint32_t wakes)
{
	struct wicket_algo algo = sleepers;
	struct wicket_cfg cfg = { .n = 4, .k = 1, .r = wakes, .variant = DOOR };
	struct budget budget;
	struct graph g;
	bool unsorted;

	algo.start = numbers ? at_the_draw : in_bed;
	algo.access = draw_or_sleep;
	algo.step = drawn_or_woken;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore_sorted(&g, &algo, &cfg,
			     &(struct world){ .sleep = SLEEP_EXACT }, &budget);
	unsorted = g.unsorted;
	assert_true(unsorted != g.complete);
	graph_free(&g);
	return !unsorted;
}

/* Who of them wakes matters only if they are not alike, and not all do. */
static void some_of_several_sleepers(void **state)
{
	(void)state;
	assert_true(fits(false, 1));
	assert_true(fits(true, 3));
	assert_false(fits(true, 1));
	assert_false(fits(true, 2));
}

/* Sleepers that are alike: whichever of them wakes, the schedule says so. */
static void who_woke_goes_on(void **state)
{
	static const char *const property = "nobody-left-behind";
	struct wicket_algo algo = sleepers;
	struct wicket_cfg cfg = { .n = 4, .k = 1, .r = 1, .variant = DOOR };
	struct world world = { .sleep = SLEEP_EXACT };
	struct budget budget;
	struct finding f;
	struct graph g;
	struct run run;

	(void)state;
	algo.start = in_bed;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore_sorted(&g, &algo, &cfg, &world, &budget);
	assert_true(g.complete);
	property_decide(&g, &property, &f, 1);
	assert_int_equal(f.verdict, FAILS);
	run_start(&run, &algo, &cfg, &world);
	for (uint32_t t = 0; t < f.schedule.length; t++) {
		assert_true(run_can(&run, f.schedule.label[t]));
		run_do(&run, f.schedule.label[t]);
	}
	assert_true(property_is_broken(&run, property));
	property_free(&f);
	graph_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_system_that_has_peers),
		cmocka_unit_test(larger_systems),
		cmocka_unit_test(buffers_are_not_alike),
		cmocka_unit_test(verdicts_and_schedules),
		cmocka_unit_test(sorts_within_kinds),
		cmocka_unit_test(sorts_buffers_with_their_processes),
		cmocka_unit_test(some_of_several_sleepers),
		cmocka_unit_test(who_woke_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
