/* SPDX-License-Identifier: MIT */
/*
 * quotient - an unbounded system and its quotient never part: along long
 * schedules of the plain run, canon(step(x)) = canon(step(canon(x))).
 */
#include <stdbool.h>

#include "named.h"

#include "verify/explore/run.h"

enum { STEPS = 20000 };

/* xorshift64: the same schedule each time */
static uint32_t below(uint64_t *seed, uint32_t limit)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 32) % limit;
}

static struct run canon(const struct named *s, const struct run *x)
{
	struct run y = *x;

	for (uint32_t i = 0; i < x->procs; i++) {
		struct wicket_result r =
			s->algo->quotient(&s->cfg, x->actor[i].proc, x->reg[0]);

		y.actor[i].proc = r.proc;
		/* the value does not depend on the process */
		assert_of(s->name, !i || wicket_value_equal(r.put, y.reg[0]));
		y.reg[0] = r.put;
	}
	return y;
}

static bool equal(const struct run *x, const struct run *y)
{
	return !memcmp(x->reg, y->reg, x->regs * sizeof(*x->reg)) &&
	       !memcmp(x->actor, y->actor, x->procs * sizeof(*x->actor));
}

static void assert_regions(const struct named *s, const struct run *x,
			   const struct run *y)
{
	for (uint32_t i = 0; i < x->procs; i++)
		assert_of(s->name, run_region(x, i) == run_region(y, i));
}

static void run_beside_the_quotient(const struct named *s)
{
	uint64_t seed = 0x9e3779b97f4a7c15;
	struct run plain, small, other;

	assert_of(s->name, wicket_has_quotient(s->algo, &s->cfg));
	run_start(&plain, s->algo, &s->cfg, &(struct world){ 0 });
	small = canon(s, &plain);
	assert_of(s->name, equal(&small, &plain)); /* the start is canonical */
	for (uint32_t t = 0; t < STEPS; t++) {
		uint32_t i = below(&seed, plain.procs);
		uint16_t label = deed_label(i, DEED_STEP, 0);

		assert_of(s->name, run_can(&plain, label));
		assert_of(s->name, run_can(&small, label));
		run_do(&plain, label);
		run_do(&small, label);
		small = canon(s, &small);
		other = canon(s, &plain);
		assert_of(s->name, equal(&small, &other));
		assert_regions(s, &small, &plain);
		other = canon(s, &small);
		assert_of(s->name, equal(&small, &other));
	}
	/* or else the quotient was not needed; a mutant may get stuck */
	assert_of(s->name, s->cfg.mutant || !equal(&plain, &small));
}

static void check_sizes(const char *name)
{
	for (uint32_t n = 2; n <= 6; n++) {
		for (uint32_t k = 1; k < n; k++)
			check_named(name, n, k, run_beside_the_quotient);
	}
}

static void numbered(void **state)
{
	(void)state;
	check_sizes("numbered");
}

static void unbounded_colored(void **state)
{
	(void)state;
	check_sizes("unbounded-colored");
}

static void bank_over_numbered(void **state)
{
	(void)state;
	check_sizes("bank:numbered");
}

static void bank_over_unbounded_colored(void **state)
{
	(void)state;
	check_sizes("bank:unbounded-colored");
}

/* The quotient of a mutant is to be the quotient of that mutant. */
static void mutants_of_numbered(void **state)
{
	(void)state;
	check_sizes("numbered@no-validate");
}

static void mutants_of_unbounded_colored(void **state)
{
	(void)state;
	check_sizes("unbounded-colored@one-colour");
}

static void mutants_of_bank(void **state)
{
	(void)state;
	check_sizes("bank:numbered@no-count");
	check_sizes("bank:numbered@no-line");
	check_sizes("bank:unbounded-colored@no-count");
	check_sizes("bank:unbounded-colored@no-line");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbered),
		cmocka_unit_test(unbounded_colored),
		cmocka_unit_test(bank_over_numbered),
		cmocka_unit_test(bank_over_unbounded_colored),
		cmocka_unit_test(mutants_of_numbered),
		cmocka_unit_test(mutants_of_unbounded_colored),
		cmocka_unit_test(mutants_of_bank),
	};

	return cmocka_run_group_tests_name("quotient", tests, NULL, NULL);
}
