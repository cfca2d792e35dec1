/* SPDX-License-Identifier: MIT */
/*
 * fewest - after which stores a register algorithm needs a fence, if stores wait in
 * buffers: of all sets of program counters that store, those that cure it if each
 * of these is followed by a fence, and no smaller set does.  A fence that comes
 * later, after a load, orders less than one right after the store, so that no
 * other places need be tried.
 *
 * A fence less only adds schedules.  So what is lost although all other stores have
 * a fence is lost whichever have: only sets with these stores need be tried.
 *
 * The variants :fenced have these fences; tests/fences.tsv says what they are good for.
 *
 * With --large: what takes too long for make check.
 */
#include "algo/fence.h"
#include "named.h"

#include "verify/explore/graph.h"
#include "verify/property/property.h"

enum { TEXT = 256 };

/* --- the algorithm, with fences -------------------------------------------- */

/* An algorithm's functions are given nothing but values: which one it is. */
static struct {
	const struct wicket_algo *algo;
	uint32_t places;
	uint32_t
		stores; /* the places that there are, as far as they were met */
} plain;

static struct wicket_access access_or_fence(const struct wicket_cfg *c,
					    struct wicket_proc p)
{
	struct wicket_access a = plain.algo->access(c, p);

	if (wicket_owes_fence(p))
		return wicket_ask(WICKET_FENCE, 0);
	if (a.kind == WICKET_STORE)
		plain.stores |= wicket_after(p.pc);
	return a;
}

static struct wicket_result step_or_fence(const struct wicket_cfg *c,
					  struct wicket_proc p,
					  struct wicket_value seen)
{
	return wicket_fenced_step(plain.algo->step, c, p, seen, plain.places);
}

/* Buffers have room for so many stores; 0: as many as usual. */
static uint32_t room;

/* --- sets of places --------------------------------------------------------- */

/* Is the property kept with fences at these places? */
static bool is_cured(const struct named *s, bool failures, const char *property,
		     uint32_t places)
{
	const struct world world = { .memory = MEMORY_TSO,
				     .failures = failures,
				     .buffer = room };
	struct wicket_algo algo = *s->algo;
	struct finding f;
	struct budget budget;
	struct graph g;

	plain.algo = s->algo;
	plain.places = places;
	algo.access = access_or_fence;
	algo.step = step_or_fence;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	(property_is_safety(&algo, property) ?
		 graph_explore_states :
		 graph_explore)(&g, &algo, &s->cfg, &world, &budget);
	assert_of(s->name, g.complete);
	property_decide(&g, &property, &f, 1);
	assert_of(s->name, f.verdict != UNDECIDED);
	property_free(&f);
	graph_free(&g);
	return f.verdict == HOLDS;
}

/* " 0+4": the program counters; or " none". */
static void put_set(char *text, uint32_t places)
{
	char before = ' ';

	if (!places)
		strcat(text, " none");
	for (uint32_t pc = 0; pc < 32; pc++) {
		if (!(places & wicket_after(pc)))
			continue;
		sprintf(text + strlen(text), "%c%u", before, pc);
		before = '+';
	}
}

/* Of the places tried, those without which it is lost though all the others have a
   fence, and those of always. */
static uint32_t needed(const struct named *s, bool failures,
		       const char *property, uint32_t always, uint32_t tried)
{
	uint32_t places = 0;

	for (uint32_t pc = 0; pc < 32; pc++) {
		uint32_t it = wicket_after(pc);

		if (tried & it &&
		    !is_cured(s, failures, property, always | (tried & ~it)))
			places |= it;
	}
	return places;
}

/* All sets of so many places, these among them, that cure it, the least number
   first. */
static void put_sets(const struct named *s, bool failures, uint32_t all,
		     uint32_t these, int size, char *text)
{
	for (uint32_t set = these; set <= all; set++) {
		if (!(set & ~all) && !(these & ~set) &&
		    __builtin_popcount(set) == size &&
		    is_cured(s, failures, "k-exclusion", set))
			put_set(text, set);
	}
}

static void assert_found(const struct named *s, const char *found,
			 const char *expected)
{
	if (strcmp(found, expected) != 0)
		fail_msg("%s:%s, but expected%s", s->name, found, expected);
}

static void fewest(const char *name, uint32_t n, uint32_t k, bool failures,
		   const char *expected)
{
	struct named s = named(name, n, k);
	char found[TEXT] = "";
	uint32_t all, these;

	plain.stores = 0;
	is_cured(&s, failures, "k-exclusion", ~(uint32_t)0);
	all = plain.stores;
	these = needed(&s, failures, "k-exclusion", 0, all);
	for (int size = __builtin_popcount(these);
	     !*found && size <= __builtin_popcount(all); size++)
		put_sets(&s, failures, all, these, size, found);
	assert_found(&s, found, expected);
}

/* The numbers are those of enum pc in the algorithm's file. */
static void one_bit_needs_two(void **state)
{
	(void)state;
	fewest("one-bit", 2, 1, false, " 0+4"); /* WANT, AGAIN */
	fewest("one-bit", 3, 1, false, " 0+4");
	fewest("weak-one-bit", 2, 1, false, " 0+4"); /* READY, AGAIN */
	fewest("weak-one-bit", 3, 1, false, " 0+4");
	fewest("weak-one-bit", 3, 2, false, " 0+4");
	fewest("weak-one-bit", 2, 1, true, " 0+4");
}

/* READY, RAISE; each process needs only one of the two (two-bits.c). */
static void two_bits_needs_two(void **state)
{
	(void)state;
	fewest("two-bits", 2, 1, false, " 0+2");
	fewest("two-bits", 2, 1, true, " 0+2");
	fewest("two-bits", 3, 1, false, " 0+2");
	fewest("two-bits", 3, 2, false, " 0+2");
	fewest("two-bits:three-valued", 2, 1, false, " 0+2");
	fewest("two-bits:three-valued", 3, 2, false, " 0+2");
}

/* CHOOSE, and TAKE or CHOSEN. */
static void bakery_needs_two(void **state)
{
	(void)state;
	fewest("bakery", 2, 1, false, " 0+2 0+3");
	if (N_MAX > 2)
		fewest("bakery", 3, 1, false, " 0+2 0+3");
}

/* WANT, GATE2 */
static void fast_needs_two(void **state)
{
	(void)state;
	fewest("fast-2", 2, 1, false, " 2+6");
	fewest("fast", 2, 1, false, " 2+6");
	fewest("fast:one-await", 2, 1, false, " 2+6");
}

/* B, AGREE, LEAVE; and FAIL, if processes fail. */
static void rivest_pratt_needs_all(void **state)
{
	(void)state;
	fewest("rivest-pratt-2", 2, 1, false, " 1+3+5");
	fewest("rivest-pratt-2", 2, 1, true, " 1+3+5+6");
	fewest("rivest-pratt-n", 2, 1, false, " 1+3+5");
	fewest("rivest-pratt-n", 2, 1, true, " 1+3+5+6");
	fewest("rivest-pratt-n:copies", 2, 1, false, " 1+3+5");
	fewest("rivest-pratt-n:copies", 2, 1, true, " 1+3+5+6");
	if (N_MAX > 2) {
		fewest("rivest-pratt-n", 3, 1, false, " 1+3+5");
		fewest("rivest-pratt-n:copies", 3, 1, false, " 1+3+5");
	}
}

/* B, AGREE, SET and TICK; not JOIN, nor LEAVE.  FAIL has one all the while: without
   it there are 100 million states. */
static void the_linear_one_needs_four(void **state)
{
	const uint32_t others = wicket_after(2) | wicket_after(4) |
				wicket_after(7) | wicket_after(9) |
				wicket_after(11) | wicket_after(12);

	struct named s = named("rivest-pratt-linear:padded", 2, 1);
	char found[TEXT] = "";

	(void)state;
	put_set(found,
		needed(&s, true, "deadlock-freedom", wicket_after(13), others));
	assert_found(&s, found, " 2+4+7+11");
}

static bool linear_is_cured(uint32_t places, uint32_t stores)
{
	struct named s = named("rivest-pratt-linear:padded", 2, 1);
	bool cured;

	room = stores;
	cured = is_cured(&s, false, "k-exclusion", places);
	room = 0;
	return cured;
}

/* SET and one of B and AGREE seem to keep exclusion, as long as four stores fill a
   buffer. */
static void a_full_buffer_deceives(void **state)
{
	const uint32_t b = wicket_after(2), agree = wicket_after(4);
	const uint32_t set = wicket_after(7);

	(void)state;
	assert_true(linear_is_cured(b | set, BUFFER_DEFAULT));
	assert_true(linear_is_cured(agree | set, BUFFER_DEFAULT));
	assert_false(linear_is_cured(b | set, BUFFER_MAX));
	assert_false(linear_is_cured(agree | set, BUFFER_MAX));
}

/* So does JOIN; TICK alone does keep it. */
static void one_fence_keeps_exclusion(void **state)
{
	(void)state;
	assert_true(linear_is_cured(wicket_after(9), BUFFER_DEFAULT));
	assert_false(linear_is_cured(wicket_after(9), BUFFER_MAX));
	assert_true(linear_is_cured(wicket_after(11), BUFFER_MAX));
}

/* Stores that are late do no harm there, or all are locked. */
static void some_need_none(void **state)
{
	(void)state;
	fewest("central-server", 2, 1, false, " none");
	fewest("central-server", 3, 1, false, " none");
	fewest("fischer", 2, 1, false, " none");
	fewest("bakery-2:exercise-2", 2, 1, false, " none");
}

/* No set of fences cures what is wrong anyway. */
static void none_cures_the_outline(void **state)
{
	(void)state;
	fewest("fast-outline", 2, 1, false, "");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest large[] = {
		cmocka_unit_test(one_fence_keeps_exclusion),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_bit_needs_two),
		cmocka_unit_test(two_bits_needs_two),
		cmocka_unit_test(bakery_needs_two),
		cmocka_unit_test(fast_needs_two),
		cmocka_unit_test(rivest_pratt_needs_all),
		cmocka_unit_test(the_linear_one_needs_four),
		cmocka_unit_test(a_full_buffer_deceives),
		cmocka_unit_test(some_need_none),
		cmocka_unit_test(none_cures_the_outline),
	};

	if (argc == 2 && !strcmp(argv[1], "--large"))
		return cmocka_run_group_tests(large, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
