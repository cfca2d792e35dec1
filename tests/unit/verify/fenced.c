/* SPDX-License-Identifier: MIT */
/*
 * fenced - algorithms that rely on each store being seen at once lose
 * k-exclusion where stores wait in buffers, in so many steps; with a fence after
 * every store they are as good as where nothing waits.
 */
#include "named.h"
#include "toy.h"

/* --- a fence after every store --------------------------------------------- */

/* The algorithm that is being fenced, which is not itself built from another one:
   outer is 1 between a store and its fence. */
static const struct wicket_algo *inner;

static struct wicket_access fenced_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	return p.outer ? wicket_ask(WICKET_FENCE, 0) : inner->access(c, p);
}

static struct wicket_result fenced_step(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (p.outer) {
		r.proc.outer = 0;
		return r;
	}
	r = inner->step(c, p, seen);
	r.proc.outer = inner->access(c, p).kind == WICKET_STORE;
	return r;
}

static struct wicket_algo fenced(const struct wicket_algo *algo)
{
	struct wicket_algo f = *algo;

	inner = algo;
	f.access = fenced_access;
	f.step = fenced_step;
	return f;
}

/* --- verdicts --------------------------------------------------------------- */

/* The length of a shortest schedule that breaks k-exclusion; 0: it holds. */
static uint32_t steps_to_break(const struct wicket_algo *algo,
			       const struct wicket_cfg *cfg,
			       enum memory_model memory)
{
	static const char *const property = "k-exclusion";
	const struct world world = { .memory = memory };
	struct budget budget;
	struct finding f;
	struct graph g;
	uint32_t length;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore_states(&g, algo, cfg, &world, &budget);
	assert_of(algo->name, g.complete);
	property_decide(&g, &property, &f, 1);
	length = f.verdict == FAILS ? f.schedule.length : 0;
	property_free(&f);
	graph_free(&g);
	return length;
}

static void so_many_steps_lose_exclusion(void **state)
{
	static const struct {
		const char *name;
		uint32_t n, steps;
	} losers[] = {
		/* both store, and neither has seen the other's store */
		{ "one-bit", 2, 4 },
		{ "one-bit", 3, 6 },
		{ "bakery", 2, 12 },
		{ "weak-one-bit", 2, 4 },
		{ "two-bits", 2, 6 },
		{ "lk-exclusion", 2, 4 },
		{ "fast-2", 2, 10 },
		{ "fast", 2, 10 },
		/* atomic actions only: as without buffers */
		{ "bakery-2", 2, 0 },
		{ "colored", 2, 0 },
		{ "semaphore", 2, 0 },
		/* it stores, but each value is waited for */
		{ "central-server", 2, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(losers) / sizeof(*losers); i++) {
		struct named s = named(losers[i].name, losers[i].n, 1);

		assert_of(s.name, !steps_to_break(s.algo, &s.cfg, MEMORY_SC));
		assert_of(s.name, steps_to_break(s.algo, &s.cfg, MEMORY_TSO) ==
					  losers[i].steps);
	}
}

static void compare_fenced(const struct named *s)
{
	struct wicket_algo algo = fenced(s->algo);
	struct named capped = *s;

	if (s->algo->beyond)
		capped.cfg.cap = 2;
	assert_of(s->name,
		  !steps_to_break(&algo, &capped.cfg, MEMORY_TSO) ==
			  !steps_to_break(s->algo, &capped.cfg, MEMORY_SC));
}

static void a_fence_after_every_store_cures(void **state)
{
	static const char *const names[] = {
		"one-bit", "weak-one-bit", "two-bits", "fast-2",
		"fast",	   "fast-outline", "bakery",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		check_mutants(names[i], 2, 1, compare_fenced);
	check_named("one-bit", 3, 1, compare_fenced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(so_many_steps_lose_exclusion),
		cmocka_unit_test(a_fence_after_every_store_cures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
