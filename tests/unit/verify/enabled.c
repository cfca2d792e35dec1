/* SPDX-License-Identifier: MIT */
/*
 * enabled - who is enabled and which properties hold, against the definitions
 * computed by brute force (brute.h): in every state, of every system of the
 * registry up to n = 3, and of systems that nobody designed (automaton.h).
 * Counterexamples are right and shortest, and cease to be if they are changed.
 */
#include "explored.h"
#include "verify/explore/run.h"

static void check_registry(void (*check)(const struct named *))
{
	check_all(2, 1, check);
	check_all(3, 1, check);
	check_all(3, 2, check);
	check_named("semaphore", 4, 2, check);
	check_named("semaphore@no-count", 4, 1, check);
	check_named("bank", 4, 2, check);
	check_named("queue", 4, 2, check);
	check_named("queue:1979", 4, 3, check);
	check_named("numbered", 4, 2, check);
	check_named("numbered@no-validate", 4, 2, check);
	check_named("colored@quant-zero", 4, 2, check);
}

/* --- who is enabled ----------------------------------------------------- */

static void compare_enabled_in(const struct named *s, const struct world *world)
{
	struct explored x;

	explore_in(&x, s, world);
	assert_of(s->name, enabled_know(&x.en, &x.g));
	assert_of(s->name, x.en.known);
	assert_of(s->name, x.en.exits == x.b.exits);
	for (uint32_t q = 0; q < x.g.states; q++) {
		assert_of(s->name, ((uint16_t *)x.en.c.base)[q] == x.b.c[q]);
		assert_of(s->name, !x.b.exits || ((uint16_t *)x.en.r.base)[q] ==
							 x.b.r[q]);
		for (uint32_t i = 0; i < x.b.n; i++) {
			assert_of(s->name, t_waiting(&x.en, &x.g, q, i) ==
						   (x.b.tw[q] >> i & 1));
			assert_of(s->name, e_waiting(&x.en, &x.g, q, i) ==
						   (x.b.ew[q] >> i & 1));
		}
	}
	forget(&x);
}

static void compare_enabled(const struct named *s)
{
	compare_enabled_in(s, &(struct world){ 0 });
}

static void enabled_in_every_state_of_the_registry(void **state)
{
	(void)state;
	check_registry(compare_enabled);
}

static void enabled_in_every_state_of_automata(void **state)
{
	(void)state;
	check_automata(compare_enabled);
}

/* --- verdicts and counterexamples --------------------------------------- */

/* The regions along a schedule are those of the plain run. */
static void replay(const struct explored *x, const struct schedule *s)
{
	uint32_t q = 0;
	struct run run;

	run_start(&run, x->s->algo, &x->s->cfg, &x->g.system.world);
	for (uint32_t t = 0; t < s->length; t++) {
		assert_of(x->s->name, deed_process(s->label[t]) < run.procs);
		assert_of(x->s->name, run_can(&run, s->label[t]));
		run_do(&run, s->label[t]);
		q = graph_target(&x->g, edge_of(x, q, s->label[t]));
		for (uint32_t j = 0; j < x->b.n; j++)
			assert_of(x->s->name, graph_region(&x->g, q, j) ==
						      run_region(&run, j));
	}
}

static void perturb_exclusion(struct explored *x, struct schedule s)
{
	s = shorter(s);
	s.from = s.length;
	assert_of(x->s->name, !is_judged(x, "k-exclusion", s));
}

static void perturb_fifo(struct explored *x, struct schedule s)
{
	struct schedule other = s;

	assert_of(x->s->name, !is_judged(x, "fifo-enabling", shorter(s)));
	other.victim = s.culprit; /* the other way round */
	other.culprit = s.victim;
	assert_of(x->s->name, !is_judged(x, "fifo-enabling", other));
	other.culprit = s.culprit;
	assert_of(x->s->name, !is_judged(x, "fifo-enabling", other));
	other.victim = 0;
	assert_of(x->s->name, !is_judged(x, "fifo-enabling", other));
	other.victim = x->b.n + 1;
	assert_of(x->s->name, !is_judged(x, "fifo-enabling", other));
	other = s;
	other.from = s.length + 1;
	assert_of(x->s->name, !is_judged(x, "fifo-enabling", other));
}

static void perturb_deadlock(struct explored *x, struct schedule s)
{
	struct schedule other = s;

	other.infinite = false;
	assert_of(x->s->name, !is_judged(x, "k-deadlock-avoidance", other));
	other = s;
	other.from = s.stem + 1;
	assert_of(x->s->name, !is_judged(x, "k-deadlock-avoidance", other));
	if (s.length - s.stem > 1) /* the cycle is a shortest one */
		assert_of(x->s->name,
			  !is_judged(x, "k-deadlock-avoidance", shorter(s)));
	if (s.stem && s.from) { /* it begins with all in R: nobody waits */
		other = s;
		other.from = 0;
		assert_of(x->s->name,
			  !is_judged(x, "k-deadlock-avoidance", other));
	}
}

static void compare_verdict(struct explored *x, const char *property,
			    uint32_t shortest,
			    void (*perturb)(struct explored *, struct schedule))
{
	struct finding f;

	assert_of(x->s->name, property_known(x->s->algo, property));
	property_decide(&x->g, &property, &f, 1);
	assert_of(x->s->name, f.property == property);
	assert_of(x->s->name, f.verdict == (shortest == FAR ? HOLDS : FAILS));
	if (f.verdict == FAILS) {
		assert_of(x->s->name, f.schedule.length == shortest);
		assert_of(x->s->name, is_judged(x, property, f.schedule));
		replay(x, &f.schedule);
		perturb(x, f.schedule);
	}
	property_free(&f);
}

static void compare_verdicts_in(const struct named *s,
				const struct world *world)
{
	struct explored x;

	explore_in(&x, s, world);
	compare_verdict(&x, "k-exclusion", brute_exclusion(&x.b),
			perturb_exclusion);
	compare_verdict(&x, "fifo-enabling", brute_fifo(&x.b), perturb_fifo);
	compare_verdict(&x, "k-deadlock-avoidance", brute_deadlock(&x.b),
			perturb_deadlock);
	forget(&x);
}

static void compare_verdicts(const struct named *s)
{
	compare_verdicts_in(s, &(struct world){ 0 });
}

static void verdicts_of_the_registry(void **state)
{
	(void)state;
	check_registry(compare_verdicts);
}

static void verdicts_of_automata(void **state)
{
	(void)state;
	check_automata(compare_verdicts);
}

/* What the automata are for: all that may happen happens in some of them. */
static struct {
	uint32_t exclusion[2], fifo[2], deadlock[2], waits_to_leave, helped;
} seen;

static void note_kinds(const struct named *s)
{
	struct explored x;

	explore(&x, s);
	seen.exclusion[brute_exclusion(&x.b) == FAR]++;
	seen.fifo[brute_fifo(&x.b) == FAR]++;
	seen.deadlock[brute_deadlock(&x.b) == FAR]++;
	for (uint32_t q = 0; q < x.g.states; q++)
		seen.waits_to_leave += x.b.ew[q] != 0;
	seen.helped += x.g.system.procs > s->cfg.n;
	forget(&x);
}

static void automata_are_of_all_kinds(void **state)
{
	(void)state;
	check_automata(note_kinds);
	for (int holds = 0; holds <= 1; holds++) {
		assert_true(seen.exclusion[holds] > 10);
		assert_true(seen.fifo[holds] > 10);
		assert_true(seen.deadlock[holds] > 10);
	}
	assert_true(seen.waits_to_leave > 100);
	assert_true(seen.helped > 100);
}

/* --- stores in buffers ---------------------------------------------------- */

static void with_buffers(const struct named *s)
{
	const struct world tso = { .memory = MEMORY_TSO };

	compare_enabled_in(s, &tso);
	compare_verdicts_in(s, &tso);
}

/* Algorithms with registers, which do not discuss these properties, have them or
   not like any other. */
static void all_that_is_stored_reaches_memory(void **state)
{
	(void)state;
	check_mutants("one-bit", 2, 1, with_buffers);
	check_mutants("weak-one-bit", 2, 1, with_buffers);
	check_mutants("two-bits", 2, 1, with_buffers);
	check_named("fast-outline", 2, 1, with_buffers);
	check_mutants("colored", 2, 1, with_buffers);
}

/* --- limits ------------------------------------------------------------- */

/*
 * The graph is there, but so much memory is left for deciding: every
 * allocation fails once, and the answer is none or the right one.
 */
static void try_limits(const char *name, uint32_t n, uint32_t k,
		       const char *property)
{
	struct named s = named(name, n, k);
	uint32_t limits = 0;
	struct explored x;
	struct finding truth, f;
	size_t left = 0;

	explore(&x, &s);
	property_decide(&x.g, &property, &truth, 1);
	do {
		size_t used = x.budget.used;

		x.budget.end = BUDGET_LEFT;
		x.budget.limit = used + left;
		property_decide(&x.g, &property, &f, 1);
		assert_of(s.name,
			  f.verdict == UNDECIDED || f.verdict == truth.verdict);
		assert_of(s.name, (f.verdict == UNDECIDED) ==
					  (x.budget.end == BUDGET_MEMORY));
		property_free(&f);
		assert_of(s.name, x.budget.used == used);
		left += 64;
		limits++;
	} while (f.verdict == UNDECIDED);
	assert_of(s.name, limits > 5);
	property_free(&truth);
	forget(&x);
}

static void memory_may_end_while_deciding(void **state)
{
	(void)state;
	try_limits("semaphore", 3, 1, "fifo-enabling");
	try_limits("queue", 3, 2, "fifo-enabling");
	try_limits("queue", 3, 2, "k-deadlock-avoidance");
	try_limits("bank", 3, 2, "k-deadlock-avoidance");
	try_limits("numbered@no-validate", 3, 1, "k-deadlock-avoidance");
}

/* --- invariants --------------------------------------------------------- */

/* A labelled invariant fails where holds() says so, and nowhere before. */
static void compare_invariants_in(const struct named *s,
				  const struct world *world)
{
	struct explored x;

	explore_in(&x, s, world);
	for (uint32_t l = 0; s->algo->invariants && s->algo->invariants[l].name;
	     l++) {
		const char *label = s->algo->invariants[l].name;
		uint32_t shortest = FAR;
		struct finding f;

		for (uint32_t q = 0; q < x.g.states; q++) {
			struct wicket_proc proc[WICKET_PROCS_MAX];
			struct run run;

			run_start(&run, s->algo, &s->cfg, world);
			graph_run(&x.g, q, &run);
			for (uint32_t i = 0; i < run.procs; i++) {
				proc[i] = run.actor[i].proc;
				while (run_can(&run, deed_of(i, DEED_DRAIN)))
					run_do(&run, deed_of(i, DEED_DRAIN));
			}
			if (!s->algo->holds(&s->cfg, l, run.reg, proc) &&
			    x.b.depth[q] < shortest)
				shortest = x.b.depth[q];
		}
		assert_of(s->name, property_known(s->algo, label));
		assert_of(s->name, property_is_safety(s->algo, label));
		property_decide(&x.g, &label, &f, 1);
		assert_of(s->name,
			  f.verdict == (shortest == FAR ? HOLDS : FAILS));
		if (f.verdict == FAILS) {
			assert_of(s->name, f.schedule.length == shortest);
			assert_of(s->name, is_judged(&x, label, f.schedule));
			assert_of(s->name,
				  !shortest || !is_judged(&x, label,
							  shorter(f.schedule)));
		}
		property_free(&f);
	}
	forget(&x);
}

static void compare_invariants(const struct named *s)
{
	compare_invariants_in(s, &(struct world){ 0 });
}

static void invariants_when_all_have_drained(void **state)
{
	static const char *const names[] = { "one-bit", "weak-one-bit",
					     "two-bits", "fast-outline" };
	const struct world tso = { .memory = MEMORY_TSO };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct named s = named(names[i], 2, 1);

		compare_invariants_in(&s, &tso);
	}
}

static void invariants_of_the_registry(void **state)
{
	(void)state;
	check_registry(compare_invariants);
}

static void unknown_properties(void **state)
{
	struct named s = named("queue", 2, 1);

	(void)state;
	assert_false(property_known(s.algo, ""));
	assert_false(property_known(s.algo, "Q3"));
	assert_false(property_known(s.algo, "k"));
	assert_true(property_known(s.algo, "Q2"));
	assert_true(property_known(s.algo, "k-exclusion"));
	assert_true(property_known(s.algo, "k-deadlock-avoidance"));
	assert_true(property_known(s.algo, "fifo-enabling"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enabled_in_every_state_of_the_registry),
		cmocka_unit_test(enabled_in_every_state_of_automata),
		cmocka_unit_test(verdicts_of_the_registry),
		cmocka_unit_test(verdicts_of_automata),
		cmocka_unit_test(automata_are_of_all_kinds),
		cmocka_unit_test(all_that_is_stored_reaches_memory),
		cmocka_unit_test(memory_may_end_while_deciding),
		cmocka_unit_test(invariants_of_the_registry),
		cmocka_unit_test(invariants_when_all_have_drained),
		cmocka_unit_test(unknown_properties),
	};

	return cmocka_run_group_tests_name("enabled", tests, NULL, NULL);
}
