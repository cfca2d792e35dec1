/* SPDX-License-Identifier: MIT */
/*
 * explorer - the graph against the plain exploration: counts, depths, parents,
 * every edge; in worlds with sleep, death and giving up, too; and what is left
 * of it when memory or time runs out.
 */
#include <stdbool.h>

#include "compare.h"
#include "sleepers.h"

static void compare(const struct named *s)
{
	compare_in(s, &(struct world){ 0 });
}

/* Those that store plainly and have few enough states, and one that does not. */
static void buffers_are_as_in_a_run(void **state)
{
	static const char *const names[] = {
		"one-bit",	"weak-one-bit",		 "two-bits",
		"lk-exclusion", "two-bits:three-valued", "fast-outline",
		"fast-2",	"central-server",	 "bakery",
		"colored",
	};
	const struct world tso = { .memory = MEMORY_TSO };
	struct named three = named("one-bit", 3, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct named two = named(names[i], 2, 1);

		if (two.algo->beyond)
			two.cfg.cap = 2;
		compare_in(&two, &tso);
	}
	compare_in(&three, &tso);
}

static void two_processes(void **state)
{
	(void)state;
	check_all(2, 1, compare);
}

static void three_processes(void **state)
{
	(void)state;
	check_all(3, 1, compare);
	check_all(3, 2, compare);
}

static void four_processes(void **state)
{
	(void)state;
	check_named("colored", 4, 2, compare);
	check_named("colored:tight", 4, 2, compare);
	check_named("one-bit", 4, 1, compare);
	check_named("bank:one-bit", 4, 2, compare);
}

/* --- other worlds -------------------------------------------------------- */

static uint32_t states_of(const struct named *s, const struct world *world)
{
	struct budget budget;
	struct graph g;
	uint32_t states;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s->algo, &s->cfg, world, &budget);
	assert_of(s->name, g.complete);
	states = g.states;
	graph_free(&g);
	return states;
}

static struct named bedroom(uint32_t n, uint32_t wakes, uint32_t reg)
{
	struct named s = {
		.algo = &sleepers,
		.cfg = { .n = n, .k = 1, .r = wakes, .variant = reg }
	};

	snprintf(s.name, sizeof(s.name), "sleepers %u, %u on %u", n, wakes,
		 reg);
	return s;
}

static void sleepers_are_woken_as_in_a_run(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 4; n++) {
		for (uint32_t wakes = 0; wakes <= n; wakes++) {
			for (uint32_t r = DOOR; r <= ELSEWHERE; r++) {
				struct named s = bedroom(n, wakes, r);

				compare_in(&s, &(struct world){
						       .sleep = SLEEP_EXACT });
				compare_in(&s, &(struct world){
						       .sleep = SLEEP_TIMED });
				compare(&s);
			}
		}
	}
}

/*
 * Before the bell rings, each is awake or asleep; afterwards awake, woken (if
 * it was too late to sleep, too) or up, but for those who were not woken.
 */
static void so_many_states_of_sleepers(void **state)
{
	const struct world exact = { .sleep = SLEEP_EXACT };

	(void)state;
	for (uint32_t r = DOOR; r <= OTHER_BELL; r++) {
		struct named s = bedroom(2, 1, r);

		assert_int_equal(states_of(&s, &exact), 2 + 3);
		s = bedroom(2, 0, r); /* asleep for ever */
		assert_int_equal(states_of(&s, &exact), 2 + 3 + 1);
		s = bedroom(3, 2, r);
		assert_int_equal(states_of(&s, &exact), 4 + 9);
		/* the second sleeps on, while the first is woken and then up */
		s = bedroom(3, 1, r);
		assert_int_equal(states_of(&s, &exact), 4 + 9 + 2);
		s = bedroom(3, 0, r);
		assert_int_equal(states_of(&s, &exact), 4 + 16);
	}
}

/* Death and giving up, where only a wake ends a sleep and where its time may be
   up; one lap, because two have millions of states. */
static void lines_in_worlds_of_their_own(void **state)
{
	static const struct {
		const char *name;
		struct world world;
	} lines[] = {
		{ "recoverable:watched",
		  { .crashes = 1, .abandons = 1, .sleep = SLEEP_EXACT } },
		{ "recoverable:watched",
		  { .crashes = 2, .sleep = SLEEP_EXACT } },
		{ "recoverable:seated",
		  { .crashes = 2, .abandons = 1, .sleep = SLEEP_TIMED } },
		{ "recoverable:silent",
		  { .crashes = 1, .sleep = SLEEP_TIMED } },
		{ "recoverable:kept", { .crashes = 1, .sleep = SLEEP_EXACT } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct named s = named(lines[i].name, 2, 1);

		compare_in(&s, &lines[i].world);
	}
}

/* --- quotients ---------------------------------------------------------- */

static void a_quotient_is_as_good_as_the_whole(void **state)
{
	struct named s = named("numbered", 4, 2);
	struct budget budget;
	struct graph g;
	uint32_t q = 0;
	struct run run;

	(void)state;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 }, &budget);
	assert_true(g.complete);
	run_start(&run, s.algo, &s.cfg, &(struct world){ 0 });
	for (uint32_t t = 0; t < 10000; t++) {
		uint32_t i = t * 7 % 11 % 4;

		run_do(&run, deed_label(i, DEED_STEP, 0));
		assert_int_equal(graph_label(&g, graph_first(&g, q) + i),
				 deed_label(i, DEED_STEP, 0));
		q = graph_target(&g, graph_first(&g, q) + i);
		for (uint32_t j = 0; j < 4; j++)
			assert_int_equal(graph_region(&g, q, j),
					 run_region(&run, j));
	}
	/* the schedule went round: numbers grew, states did not */
	assert_true(run.reg[0].w[0] > 100);
	graph_free(&g);
}

/* --- wide states -------------------------------------------------------- */

/*
 * Each process counts modulo cfg.r in its own register: r^2 states, depth
 * 2r - 2, and numbers that outgrow each width of a field in turn.
 */
static uint32_t one_each(const struct wicket_cfg *c)
{
	return c->n;
}

static struct wicket_register counter(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){ .range = c->r, .owner = r + 1 };
}

static struct wicket_proc counting(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

static enum wicket_region always_remainder(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	(void)c, (void)p;
	return WICKET_REMAINDER;
}

static struct wicket_access own_counter(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	(void)c;
	return wicket_ask(WICKET_RMW, p.self - 1);
}

static struct wicket_result count(const struct wicket_cfg *c,
				  struct wicket_proc p,
				  struct wicket_value seen)
{
	return (struct wicket_result){
		.proc = p, .put = wicket_number((seen.w[0] + 1) % c->r)
	};
}

static const struct wicket_algo counters = {
	.name = "counters",
	.registers = one_each,
	.reg = counter,
	.start = counting,
	.region = always_remainder,
	.access = own_counter,
	.step = count,
};

static void fields_widen_as_numbers_grow(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .r = 256 };
	unsigned char *seen = calloc(256, 256);
	struct budget budget;
	struct graph g;

	(void)state;
	assert_non_null(seen);
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, &counters, &c, &(struct world){ 0 }, &budget);
	assert_true(g.complete);
	assert_int_equal(g.states, 65536);
	assert_int_equal(g.edges, 131072);
	assert_int_equal(g.depth, 510);
	assert_true(g.packed.field[0].width >= 8);
	assert_int_equal(graph_shared_values(&g), 65536);
	for (uint32_t q = 0; q < g.states; q++) {
		uint32_t x, y;
		struct run run;

		values_of(&g, q, &run);
		x = (uint32_t)run.reg[0].w[0];
		y = (uint32_t)run.reg[1].w[0];
		assert_true(x < 256 && y < 256 && !seen[256 * x + y]);
		seen[256 * x + y] = 1;
		assert_int_equal(graph_depth(&g, q), x + y);
		assert_true(q < graph_level_end(&g, x + y));
		assert_true(!(x + y) || q >= graph_level_end(&g, x + y - 1));
	}
	graph_free(&g);
	assert_int_equal(budget.used, 0);
	free(seen);
}

/*
 * Two writers, each with twenty registers, which it fills in turn with 1s, then
 * 2s, then 3s, up to a step number of cfg.r: 42 parts that begin with a bit.
 */
enum { EACH = 20 };

static uint32_t forty(const struct wicket_cfg *c)
{
	(void)c;
	return 2 * EACH;
}

static struct wicket_register own(const struct wicket_cfg *c, uint32_t r)
{
	(void)c;
	return (struct wicket_register){ .owner = 1 + r / EACH };
}

static struct wicket_access next_register(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	uint32_t r = (uint32_t)p.local[0] % EACH + EACH * (p.self - 1);

	return wicket_ask(p.local[0] < c->r ? WICKET_STORE : WICKET_REST, r);
}

static struct wicket_result fill(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p };

	(void)c, (void)seen;
	r.put = wicket_number(1 + p.local[0] / EACH);
	r.proc.local[0]++;
	return r;
}

static const struct wicket_algo writers = {
	.name = "writers",
	.registers = forty,
	.reg = own,
	.start = counting,
	.region = always_remainder,
	.access = next_register,
	.step = fill,
};

static void a_state_may_need_several_words(void **state)
{
	struct named s = { .name = "writers",
			   .algo = &writers,
			   .cfg = { .n = 2, .k = 1, .r = 60 } };
	struct budget budget;
	struct graph g;

	(void)state;
	compare(&s);
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 }, &budget);
	assert_int_equal(g.states, 61 * 61);
	/* 0 to 3 in 40 registers, 0 to 60 in 2 processes: 92 bits */
	assert_true(g.packed.words >= 2);
	graph_free(&g);
}

/* --- limits ------------------------------------------------------------- */

/* What is known of a state is right: it is its parent's child. */
static void assert_sane(const struct named *s, const struct graph *g,
			uint32_t q)
{
	unsigned char parent[sizeof(struct key)], child[sizeof(struct key)];
	bool found = q == 0;
	struct run run;
	uint16_t via;
	size_t size;

	run_start(&run, s->algo, &s->cfg, &(struct world){ 0 });
	values_of(g, q ? graph_parent(g, q, &via) : 0, &run);
	pack(&run, parent);
	values_of(g, q, &run);
	size = pack(&run, child);
	for (uint32_t i = 0; i < s->cfg.n; i++)
		assert_of(s->name,
			  graph_region(g, q, i) == run_region(&run, i));
	/* a quotient would need to be taken of what the parent steps to */
	for (uint32_t i = 0; i < run.procs && !g->system.quotient; i++) {
		unsigned char key[sizeof(struct key)];
		uint16_t label = deed_label(i, DEED_STEP, 0);

		unpack(&run, parent);
		if (!run_can(&run, label))
			continue;
		run_do(&run, label);
		pack(&run, key);
		found |= !memcmp(key, child, size);
	}
	assert_of(s->name, found || g->system.quotient);
}

/*
 * Every limit, so that every allocation fails once; the states known by then
 * can be asked for, and everything is given back.
 */
static void try_limits(const struct named *s, size_t by)
{
	uint32_t limits = 0;
	size_t limit = 0;
	bool complete;

	do {
		struct budget budget;
		struct graph g;

		limit += by;
		limits++;
		budget_start(&budget,
			     &(struct limits){ .memory = limit, .threads = 1 });
		graph_explore(&g, s->algo, &s->cfg, &(struct world){ 0 },
			      &budget);
		complete = g.complete;
		assert_of(s->name, budget.used <= limit);
		assert_of(s->name, budget.end == (complete ? BUDGET_LEFT :
							     BUDGET_MEMORY));
		for (uint32_t q = 0; q < g.states; q++)
			assert_sane(s, &g, q);
		graph_free(&g);
		assert_of(s->name, budget.used == 0);
	} while (!complete);
	assert_of(s->name, limits > 50);
}

static void memory_may_end_anywhere(void **state)
{
	struct named s = named("queue", 3, 2);

	(void)state;
	try_limits(&s, 64);
	s = named("numbered", 3, 1);
	try_limits(&s, 64);
	s = named("colored", 3, 1);
	try_limits(&s, 256);
	s = named("one-bit", 3, 1);
	try_limits(&s, 256);
}

static void memory_may_end_while_fields_widen(void **state)
{
	struct named s = { .name = "counters",
			   .algo = &counters,
			   .cfg = { .n = 2, .k = 1, .r = 20 } };

	(void)state;
	try_limits(&s, 256);
	/* from one word to two */
	s = (struct named){ .name = "writers",
			    .algo = &writers,
			    .cfg = { .n = 2, .k = 1, .r = 12 } };
	try_limits(&s, 512);
}

static void time_may_end(void **state)
{
	struct named s = named("colored", 4, 2);
	struct budget budget;
	struct graph g;

	(void)state;
	budget_start(&budget, &(struct limits){ .timeout = 1, .threads = 1 });
	budget.deadline = budget.started / 2; /* long ago */
	graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 }, &budget);
	assert_false(g.complete);
	assert_int_equal(budget.end, BUDGET_TIME);
	assert_true(g.states < 1000);
	graph_free(&g);
	assert_int_equal(budget.used, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_processes),
		cmocka_unit_test(three_processes),
		cmocka_unit_test(four_processes),
		cmocka_unit_test(buffers_are_as_in_a_run),
		cmocka_unit_test(sleepers_are_woken_as_in_a_run),
		cmocka_unit_test(so_many_states_of_sleepers),
		cmocka_unit_test(lines_in_worlds_of_their_own),
		cmocka_unit_test(a_quotient_is_as_good_as_the_whole),
		cmocka_unit_test(fields_widen_as_numbers_grow),
		cmocka_unit_test(a_state_may_need_several_words),
		cmocka_unit_test(time_may_end),
		cmocka_unit_test(memory_may_end_anywhere),
		cmocka_unit_test(memory_may_end_while_fields_widen),
	};

	return cmocka_run_group_tests_name("explorer", tests, NULL, NULL);
}
