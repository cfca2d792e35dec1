/* SPDX-License-Identifier: MIT */
/*
 * registry - what a name means, and which part of it means nothing.
 */
#include "../unit.h"

#include "algo/algo.h"
#include "algo/registry.h"

static const struct wicket_cfg before = {
	.n = 4,
	.k = 2,
	.r = 1,
	.variant = 77,
	.mutant = 77,
	.inner_variant = 77,
	.inner = &wicket_semaphore,
};

static void assert_means(const char *name, const struct wicket_algo *algo,
			 uint32_t variant, uint32_t mutant,
			 const struct wicket_algo *inner,
			 uint32_t inner_variant)
{
	struct wicket_cfg cfg = before;
	assert_of(name, wicket_find(name, &cfg, NULL) == algo);
	assert_int_equal(cfg.variant, variant);
	assert_int_equal(cfg.mutant, mutant);
	assert_ptr_equal(cfg.inner, inner);
	assert_int_equal(cfg.inner_variant, inner_variant);
	/* the rest is not the name's business */
	assert_int_equal(cfg.n, 4);
	assert_int_equal(cfg.k, 2);
	assert_int_equal(cfg.r, 1);
}

/* at: where in the name the unknown part is. */
static void assert_unknown(const char *name, size_t at, const char *unknown,
			   const struct wicket_algo *of)
{
	struct wicket_cfg cfg = before;
	struct wicket_unknown u = { NULL, 99, &wicket_semaphore };

	assert_of(name, !wicket_find(name, &cfg, &u));
	assert_of(name, u.part == name + at);
	assert_of(name, u.length == strlen(unknown));
	assert_memory_equal(u.part, unknown, u.length);
	assert_of(name, u.known == of);
	assert_memory_equal(&cfg, &before, sizeof(cfg));
}

static void algorithms(void **state)
{
	(void)state;
	assert_means("semaphore", &wicket_semaphore, 0, 0, NULL, 0);
	assert_means("queue", &wicket_queue, 0, 0, NULL, 0);
	assert_means("numbered", &wicket_numbered, 0, 0, NULL, 0);
	assert_means("unbounded-colored", &wicket_unbounded_colored, 0, 0, NULL,
		     0);
	assert_means("colored", &wicket_colored, 0, 0, NULL, 0);
	assert_means("colored-1979", &wicket_colored_1979, 0, 0, NULL, 0);
	assert_means("one-bit", &wicket_one_bit, 0, 0, NULL, 0);
	assert_means("bakery", &wicket_bakery, 0, 0, NULL, 0);
	assert_means("fast", &wicket_fast, 0, 0, NULL, 0);
}

static void unknown_algorithms(void **state)
{
	(void)state;
	assert_unknown("nonsense", 0, "nonsense", NULL);
	assert_unknown("colore", 0, "colore", NULL);
	assert_unknown("coloredx", 0, "coloredx", NULL);
	assert_unknown("Colored", 0, "Colored", NULL);
	assert_unknown(" queue", 0, " queue", NULL);
	assert_unknown("nonsense:tight", 0, "nonsense", NULL);
	assert_unknown("nonsense@lifo", 0, "nonsense", NULL);
}

static void empty_names(void **state)
{
	(void)state;
	assert_unknown("", 0, "", NULL);
	assert_unknown(":", 0, "", NULL);
	assert_unknown("@", 0, "", NULL);
	assert_unknown(":tight", 0, "", NULL);
	assert_unknown("@lifo", 0, "", NULL);
}

static void variants(void **state)
{
	(void)state;
	assert_means("queue:1979", &wicket_queue, 1, 0, NULL, 0);
	assert_means("colored:tight", &wicket_colored, 1, 0, NULL, 0);
	assert_means("colored:stack", &wicket_colored, 2, 0, NULL, 0);
	assert_unknown("colored:1979", 8, "1979", &wicket_colored);
	assert_means("bakery-2:exercise-2", &wicket_bakery_2, 1, 0, NULL, 0);
	assert_means("fast:one-await", &wicket_fast, 2, 0, NULL, 0);
	assert_unknown("bakery-n:exercise-2", 9, "exercise-2",
		       &wicket_bakery_n);
	assert_unknown("queue:1989", 6, "1989", &wicket_queue);
	assert_unknown("queue:1979x", 6, "1979x", &wicket_queue);
	assert_unknown("queue:197", 6, "197", &wicket_queue);
	assert_unknown("queue:1979:1979", 6, "1979:1979", &wicket_queue);
	assert_unknown("queue:", 6, "", &wicket_queue);
	assert_unknown("queue:@lifo", 6, "", &wicket_queue);
	/* semaphore has none at all */
	assert_unknown("semaphore:tight", 10, "tight", &wicket_semaphore);
}

static void mutants(void **state)
{
	(void)state;
	assert_means("semaphore@no-count", &wicket_semaphore, 0, 2, NULL, 0);
	assert_means("queue@lifo", &wicket_queue, 0, 1, NULL, 0);
	assert_means("colored@k-colours", &wicket_colored, 0, 4, NULL, 0);
	assert_means("one-bit@no-want", &wicket_one_bit, 0, 1, NULL, 0);
	assert_unknown("queue@fifo", 6, "fifo", &wicket_queue);
	assert_unknown("queue@", 6, "", &wicket_queue);
	assert_unknown("queue@lifo@lifo", 6, "lifo@lifo", &wicket_queue);
	assert_unknown("queue@lifo:1979", 6, "lifo:1979", &wicket_queue);
	assert_unknown("queue@no-test", 6, "no-test", &wicket_queue);
}

/* A bug is planted in one variant, and there is no other with it. */
static void mutants_belong_to_a_variant(void **state)
{
	(void)state;
	assert_means("colored:tight@symmetric-tie", &wicket_colored, 1, 5, NULL,
		     0);
	/* one name, planted in two of them */
	assert_means("fischer@short-delay", &wicket_fischer, 0, 1, NULL, 0);
	assert_means("fischer:slow@short-delay", &wicket_fischer, 1, 2, NULL,
		     0);
	assert_unknown("colored@symmetric-tie", 8, "symmetric-tie",
		       &wicket_colored);
	assert_unknown("colored:tight@leads-strict", 14, "leads-strict",
		       &wicket_colored);
	assert_means("colored:stack@no-pop", &wicket_colored, 2, 7, NULL, 0);
	assert_unknown("colored@no-pop", 8, "no-pop", &wicket_colored);
	assert_unknown("colored:stack@symmetric-tie", 14, "symmetric-tie",
		       &wicket_colored);
	assert_unknown("queue:1979@lifo", 11, "lifo", &wicket_queue);
	assert_unknown("colored:tight@", 14, "", &wicket_colored);
}

static void composites(void **state)
{
	(void)state;
	assert_means("bank", &wicket_bank, 0, 0, &wicket_queue, 0);
	assert_means("bank:queue", &wicket_bank, 0, 0, &wicket_queue, 0);
	assert_means("bank:queue:1979", &wicket_bank, 0, 0, &wicket_queue, 1);
	assert_means("bank:colored:tight", &wicket_bank, 0, 0, &wicket_colored,
		     1);
	assert_means("bank:one-bit", &wicket_bank, 0, 0, &wicket_one_bit, 0);
	assert_means("bank@no-line", &wicket_bank, 0, 2, &wicket_queue, 0);
	assert_means("bank:numbered@no-count", &wicket_bank, 0, 1,
		     &wicket_numbered, 0);
	assert_means("bank:queue:1979@no-line", &wicket_bank, 0, 2,
		     &wicket_queue, 1);
}

static void unknown_composites(void **state)
{
	(void)state;
	assert_unknown("bank:nonsense", 5, "nonsense", NULL);
	assert_unknown("bank:", 5, "", NULL);
	assert_unknown("bank:@no-line", 5, "", NULL);
	assert_unknown("bank:bank", 5, "bank", NULL);
	assert_unknown("bank:bank:queue", 5, "bank", NULL);
	assert_unknown("bank:1979", 5, "1979", NULL);
	assert_unknown("bank:queue:1989", 11, "1989", &wicket_queue);
	assert_unknown("bank:queue:", 11, "", &wicket_queue);
	assert_unknown("bank:queue:1979:", 11, "1979:", &wicket_queue);
	assert_unknown("bank@nonsense", 5, "nonsense", &wicket_bank);
	assert_unknown("bank@", 5, "", &wicket_bank);
	/* planted bugs are the outer algorithm's */
	assert_unknown("bank:queue@lifo", 11, "lifo", &wicket_bank);
}

/* What it is built from is not for the name to say. */
static void some_know_what_they_are_built_from(void **state)
{
	struct wicket_cfg cfg = before;

	(void)state;
	assert_means("lk-exclusion", &wicket_lk_exclusion, 0, 0,
		     &wicket_one_bit, 0);
	assert_means("lk-exclusion@one-more-free", &wicket_lk_exclusion, 0, 1,
		     &wicket_one_bit, 0);
	cfg.r = 2;
	assert_ptr_equal(wicket_find("lk-exclusion", &cfg, NULL),
			 &wicket_lk_exclusion);
	assert_ptr_equal(cfg.inner, &wicket_two_bits);
	assert_means("lk-exclusion:fenced", &wicket_lk_exclusion, 1, 0,
		     &wicket_one_bit, 1);
	assert_non_null(wicket_find("lk-exclusion:fenced", &cfg, NULL));
	assert_int_equal(cfg.inner_variant, 2); /* two-bits:fenced */
	assert_unknown("lk-exclusion:queue", 13, "queue", &wicket_lk_exclusion);
	assert_unknown("bank:lk-exclusion", 5, "lk-exclusion", NULL);
}

/* What the contract does not call optional is there. */
static void entries_are_whole(void **state)
{
	(void)state;
	for (int i = 0; wicket_algos[i]; i++) {
		const struct wicket_algo *a = wicket_algos[i];

		assert_of(a->name, a->title && a->source);
		assert_of(a->name, a->registers && a->reg && a->start);
		assert_of(a->name, a->region && a->access && a->step);
		assert_of(a->name, a->show && a->show_step);
		assert_of(a->name, !a->invariants == !a->holds);
		assert_of(a->name, !a->beyond == !a->raise);
		assert_of(a->name, !(a->quotient && a->beyond));
		assert_of(a->name, !(a->solves & ~a->discusses));
		assert_of(a->name, strcspn(a->name, ":@ ") == strlen(a->name));
		for (int j = 0; j < i; j++)
			assert_of(a->name,
				  strcmp(a->name, wicket_algos[j]->name) != 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(algorithms),
		cmocka_unit_test(unknown_algorithms),
		cmocka_unit_test(empty_names),
		cmocka_unit_test(variants),
		cmocka_unit_test(mutants),
		cmocka_unit_test(mutants_belong_to_a_variant),
		cmocka_unit_test(composites),
		cmocka_unit_test(unknown_composites),
		cmocka_unit_test(some_know_what_they_are_built_from),
		cmocka_unit_test(entries_are_whole),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
