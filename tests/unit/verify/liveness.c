/* SPDX-License-Identifier: MIT */
/*
 * Fair liveness against brute force: not components, but the greatest set of
 * states from which everything that fairness demands can be reached for ever
 * (Emerson and Lei), computed by passing over all edges until nothing changes.
 */
#include <stdlib.h>

#include "explored.h"

struct demand {
	const struct graph *g;
	uint32_t claim, stopped, victim;
	/* by state: sets of processes, and of those with an empty buffer */
	const uint32_t *unable, *empty;
};

static bool is_in(const struct demand *d, uint32_t s, uint32_t i,
		  enum wicket_region region)
{
	return i < d->g->system.cfg.n && graph_region(d->g, s, i) == region;
}

static bool starving(const struct demand *d)
{
	return d->claim == WICKET_STARVATION_FREEDOM;
}

/* The victim is then who aborts. */
static bool aborting(const struct demand *d)
{
	return d->claim == WICKET_ABORT_RESILIENCE;
}

static uint32_t resting(const struct demand *d, uint32_t s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < d->g->system.cfg.n; i++)
		count += is_in(d, s, i, WICKET_REMAINDER);
	return count;
}

/* May a run that breaks the property be in this state for ever? */
static bool allowed_state(const struct demand *d, uint32_t s)
{
	for (uint32_t i = 0; i < d->g->system.cfg.n; i++) {
		if (d->stopped >> i & 1 && is_in(d, s, i, WICKET_REMAINDER))
			return false;
	}
	if (d->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM &&
	    resting(d, s) < d->g->system.cfg.n - d->g->system.cfg.k)
		return false;
	return !starving(d) || is_in(d, s, d->victim, WICKET_TRYING) ||
	       is_in(d, s, d->victim, WICKET_EXIT);
}

static bool allowed_edge(const struct demand *d, uint32_t s, uint64_t e)
{
	uint32_t i = graph_actor(d->g, e), to = graph_target(d->g, e);

	if (d->stopped >> i & 1)
		return false;
	if (deed_kind(graph_label(d->g, e)) == DEED_FAIL &&
	    !(aborting(d) && i == d->victim))
		return false;
	if (d->claim == WICKET_WEAK_K_DEADLOCK_FREEDOM &&
	    is_in(d, s, i, WICKET_REMAINDER))
		return false;
	return starving(d) || is_in(d, s, i, WICKET_CRITICAL) ||
	       !is_in(d, to, i, WICKET_CRITICAL);
}

static bool satisfied_at(const struct demand *d, uint32_t s, uint32_t i)
{
	if (i >= DEED_BUFFERS)
		return d->empty[s] >> (i - DEED_BUFFERS) & 1;
	return is_in(d, s, i, WICKET_REMAINDER) || d->unable[s] >> i & 1;
}

/* Keeps of set those that reach, inside it, what process or buffer i owes. */
static bool shrink(const struct demand *d, bool *set, uint32_t i)
{
	uint32_t n = d->g->states;
	bool *good = calloc(n, sizeof(*good)), changed = true, smaller = false;

	while (changed) {
		changed = false;
		for (uint32_t s = 0; s < n; s++) {
			if (!set[s] || good[s])
				continue;
			for (uint64_t e = graph_first(d->g, s);
			     e < graph_end(d->g, s); e++) {
				uint32_t to = graph_target(d->g, e);

				if (!set[to] || !allowed_edge(d, s, e))
					continue;
				good[s] |= good[to] ||
					   graph_actor(d->g, e) == i ||
					   satisfied_at(d, s, i);
			}
			changed |= good[s];
		}
	}
	for (uint32_t s = 0; s < n; s++) {
		smaller |= set[s] && !good[s];
		set[s] = set[s] && good[s];
	}
	free(good);
	return smaller;
}

/* Is somebody there whom such a run denies what it wants? */
static bool is_denied(const struct demand *d, uint32_t s)
{
	for (uint32_t i = 0; i < d->g->system.cfg.n; i++) {
		if (!(d->stopped >> i & 1) &&
		    !(aborting(d) && i == d->victim) &&
		    is_in(d, s, i, WICKET_TRYING))
			return true;
	}
	return starving(d);
}

static bool has_bad_run(const struct demand *d)
{
	bool *set = calloc(d->g->states, sizeof(*set)), found = false;
	bool smaller = true;

	for (uint32_t s = 0; s < d->g->states; s++)
		set[s] = allowed_state(d, s);
	while (smaller) {
		smaller = false;
		for (uint32_t i = 0; i < d->g->system.procs; i++) {
			if (!(d->stopped >> i & 1))
				smaller |= shrink(d, set, i);
			if (d->g->system.world.memory == MEMORY_TSO)
				smaller |= shrink(d, set, DEED_BUFFERS + i);
		}
	}
	for (uint32_t s = 0; s < d->g->states; s++)
		found |= set[s] && is_denied(d, s);
	free(set);
	return found;
}

/* Who is unable to act, and whose buffers are empty. */
static void look_at_states(const struct graph *g, uint32_t *unable,
			   uint32_t *empty)
{
	struct run run;

	run_start(&run, g->system.algo, &g->system.cfg, &g->system.world);
	for (uint32_t s = 0; s < g->states; s++) {
		graph_run(g, s, &run);
		for (uint32_t i = 0; i < run.procs; i++) {
			unable[s] |= (uint32_t)!actor_can(
					     run.algo, &run.cfg, &run.world,
					     &run.actor[i], DEED_STEP)
				     << i;
			empty[s] |= (uint32_t)buffer_is_empty(&run.buffer[i])
				    << i;
		}
	}
}

/* The verdict by brute force; for starvation also who starves. */
static bool holds_by_force(const struct graph *g, uint32_t claim,
			   uint32_t crashes, uint32_t *victims)
{
	struct demand d = { .g = g, .claim = claim };
	uint32_t *unable = calloc(g->states, sizeof(*unable));
	uint32_t *empty = calloc(g->states, sizeof(*empty));
	uint32_t n = g->system.cfg.n;
	bool holds = true;

	look_at_states(g, unable, empty);
	d.unable = unable;
	d.empty = empty;
	*victims = 0;
	for (; d.stopped < 1u << n; d.stopped++) {
		if ((uint32_t)__builtin_popcount(d.stopped) > crashes)
			continue;
		for (d.victim = 0;
		     d.victim < (starving(&d) || aborting(&d) ? n : 1);
		     d.victim++) {
			if (starving(&d) && d.stopped >> d.victim & 1)
				continue;
			if (!has_bad_run(&d))
				continue;
			holds = false;
			*victims |= starving(&d) ? 1u << d.victim : 0;
		}
	}
	free(unable);
	free(empty);
	return holds;
}

static void decide_both(const struct named *s, const struct world *world)
{
	enum { COUNT = 6 };
	static const char *const names[COUNT] = {
		"deadlock-freedom",	   "k-deadlock-freedom",
		"starvation-freedom",	   "r-deadlock-freedom",
		"weak-k-deadlock-freedom", "abort-resilience",
	};
	static const uint32_t claims[COUNT] = {
		WICKET_DEADLOCK_FREEDOM,	WICKET_K_DEADLOCK_FREEDOM,
		WICKET_STARVATION_FREEDOM,	WICKET_R_DEADLOCK_FREEDOM,
		WICKET_WEAK_K_DEADLOCK_FREEDOM, WICKET_ABORT_RESILIENCE,
	};
	const uint32_t k = s->cfg.k, r = s->cfg.r;
	const uint32_t most[COUNT] = { 0, k - 1, 0, r ? r - 1 : 0, k - 1, 0 };
	struct finding f[COUNT];
	struct enabled en = { 0 };
	struct budget budget;
	struct graph g;
	uint32_t victims;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s->algo, &s->cfg, world, &budget);
	property_decide(&g, names, f, COUNT);
	for (int i = 0; i < COUNT; i++) {
		bool holds = holds_by_force(&g, claims[i], most[i], &victims);

		assert_of(s->name, (f[i].verdict == HOLDS) == holds);
		assert_of(s->name, f[i].victims == victims);
		if (!holds)
			assert_of(s->name, !property_judge(&g, &en, names[i],
							   &f[i].schedule));
		property_free(&f[i]);
	}
	enabled_free(&en, &g);
	graph_free(&g);
	assert_of(s->name, budget.used == 0);
}

static void in_a_plain_world(const struct named *s)
{
	decide_both(s, &(struct world){ 0 });
}

static void with_safe_registers(const struct named *s)
{
	decide_both(s, &(struct world){ .safe = true, .mid_write = true });
}

static void with_aborts(const struct named *s)
{
	decide_both(s, &(struct world){ .failures = true });
}

static void with_buffers(const struct named *s)
{
	decide_both(s, &(struct world){ .memory = MEMORY_TSO });
}

static void with_buffers_and_aborts(const struct named *s)
{
	decide_both(s,
		    &(struct world){ .memory = MEMORY_TSO, .failures = true });
}

/* The robustness is a number of its own. */
static void as_robust_as_two(const struct named *s)
{
	struct named robust = *s;

	robust.cfg.r = 2;
	in_a_plain_world(&robust);
}

static void systems_that_nobody_designed(void **state)
{
	(void)state;
	check_automata(in_a_plain_world);
}

static void the_ticket_family(void **state)
{
	static const char *const names[] = { "semaphore", "bank", "queue",
					     "colored" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		check_mutants(names[i], 2, 1, in_a_plain_world);
		check_mutants(names[i], 3, 2, in_a_plain_world);
	}
}

static void register_algorithms(void **state)
{
	(void)state;
	check_mutants("one-bit", 2, 1, in_a_plain_world);
	check_mutants("one-bit", 3, 1, in_a_plain_world);
	check_mutants("rivest-pratt-2", 2, 1, in_a_plain_world);
	check_mutants("rivest-pratt-n", 2, 1, in_a_plain_world);
	check_mutants("two-bits", 2, 1, in_a_plain_world);
	check_mutants("two-bits", 3, 2, in_a_plain_world);
	check_mutants("two-bits:three-valued", 3, 2, in_a_plain_world);
	check_mutants("weak-one-bit", 3, 1, in_a_plain_world);
	check_mutants("weak-one-bit", 3, 2, in_a_plain_world);
	check_mutants("lk-exclusion", 3, 2, in_a_plain_world);
	check_mutants("weak-one-bit", 3, 2, as_robust_as_two);
	check_mutants("two-bits", 3, 2, as_robust_as_two);
}

static void aborts(void **state)
{
	(void)state;
	check_mutants("two-bits", 2, 1, with_aborts);
	check_mutants("two-bits", 3, 2, with_aborts);
	check_mutants("two-bits:three-valued", 3, 2, with_aborts);
	check_mutants("weak-one-bit", 2, 1, with_aborts);
	check_mutants("weak-one-bit", 3, 2, with_aborts);
}

static void safe_registers(void **state)
{
	(void)state;
	check_mutants("one-bit", 2, 1, with_safe_registers);
	check_mutants("one-bit", 3, 1, with_safe_registers);
	check_mutants("two-bits", 2, 1, with_safe_registers);
	check_mutants("two-bits", 3, 2, with_safe_registers);
	check_mutants("two-bits:three-valued", 3, 2, with_safe_registers);
	check_mutants("weak-one-bit", 3, 2, with_safe_registers);
}

static void buffers(void **state)
{
	(void)state;
	check_mutants("one-bit", 2, 1, with_buffers);
	check_mutants("two-bits", 2, 1, with_buffers);
	check_mutants("weak-one-bit", 2, 1, with_buffers);
	check_mutants("lk-exclusion", 2, 1, with_buffers);
	check_named("fast-outline", 2, 1, with_buffers);
	check_mutants("colored", 2, 1, with_buffers);
	check_named("two-bits", 2, 1, with_buffers_and_aborts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(systems_that_nobody_designed),
		cmocka_unit_test(the_ticket_family),
		cmocka_unit_test(register_algorithms),
		cmocka_unit_test(safe_registers),
		cmocka_unit_test(aborts),
		cmocka_unit_test(buffers),
	};

	return cmocka_run_group_tests_name("liveness", tests, NULL, NULL);
}
