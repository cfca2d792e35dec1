/* SPDX-License-Identifier: MIT */
/*
 * simulate - simulatable and simulates: (R1) to (R8) and (S1) to (S3) of FLBB
 * 1979, each broken by a system that tells of itself what is not so.
 */
#include "../unit.h"

#include "algo/algo.h"
#include "verify/property/property.h"

static const struct wicket_cfg cfg = {
	.n = 2, .k = 1, .r = 1, .inner = &wicket_supervised
};

/* Decides, and has the schedule judged, if it fails; the part that does. */
static struct finding decided(const struct wicket_algo *algo, const char *name)
{
	struct enabled en = { 0 };
	struct budget budget;
	struct finding f;
	struct graph g;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, algo, &cfg, &(struct world){ 0 }, &budget);
	property_decide(&g, &name, &f, 1);
	if (f.verdict == FAILS) {
		assert_null(property_judge(&g, &en, name, &f.schedule));
		if (f.schedule.length) {
			f.schedule.length--;
			assert_non_null(
				property_judge(&g, &en, name, &f.schedule));
			f.schedule.length++;
		}
	}
	enabled_free(&en, &g);
	graph_free(&g);
	assert_int_equal(budget.used, 0);
	return f;
}

/* supervised, but for what it tells. */
static void assert_not(const char *part, uint32_t length,
		       struct wicket_simulatable told)
{
	struct wicket_algo algo = wicket_supervised;
	struct finding f;

	algo.simulatable = &told;
	f = decided(&algo, "simulatable");
	assert_int_equal(f.verdict, FAILS);
	assert_string_equal(f.part, part);
	assert_int_equal(f.schedule.length, length);
	property_free(&f);
}

static struct wicket_simulatable truth(void)
{
	return *wicket_supervised.simulatable;
}

/* 1, then S four times: it is asked to move; 1 does, S sees it, S appends gate to
   the queue, S enables it. */
static void as_it_is(void **state)
{
	struct finding f = decided(&wicket_supervised, "simulatable");

	(void)state;
	assert_int_equal(f.verdict, HOLDS);
	assert_int_equal(f.constant[0], 1);
	assert_int_equal(f.constant[1], 17);
	assert_int_equal(f.constant[2], 4);
	f = decided(&wicket_eliminate, "simulates");
	assert_int_equal(f.verdict, HOLDS);
}

static enum wicket_eligibility never_quits(const struct wicket_cfg *c,
					   struct wicket_proc p,
					   struct wicket_value v)
{
	enum wicket_eligibility e = truth().elig(c, p, v);

	return e == WICKET_QUITTER ? WICKET_HELPER : e;
}

static enum wicket_eligibility all_help(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value v)
{
	(void)c, (void)p, (void)v;
	return WICKET_HELPER;
}

static enum wicket_eligibility all_in_t_help(const struct wicket_cfg *c,
					     struct wicket_proc p,
					     struct wicket_value v)
{
	(void)v;
	return wicket_supervised.region(c, p) == WICKET_TRYING ? WICKET_HELPER :
								 WICKET_DRONE;
}

static void eligibility(void **state)
{
	struct wicket_simulatable told = truth();

	(void)state;
	told.elig = never_quits; /* from helper to drone */
	assert_not("(R1)", 9, told);
	told.elig = all_help; /* in R */
	assert_not("(R3)", 0, told);
	told.elig = all_in_t_help; /* and enabled */
	assert_not("(R4)", 9, told);
}

static uint32_t one_more(const struct wicket_cfg *c, struct wicket_proc p,
			 struct wicket_value v)
{
	return truth().active(c, p, v) + 1;
}

static uint32_t as_printed(const struct wicket_cfg *c)
{
	return truth().printed_c1(c);
}

static void numbers(void **state)
{
	struct wicket_simulatable told = truth();

	(void)state;
	told.active = one_more;
	assert_not("(R5)", 0, told);
	told = truth();
	told.c1 = as_printed; /* one that is alone ceases to be a helper */
	assert_not("(R6)", 8, told);
}

static uint32_t one(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

/* No schedule shows it: it is counted. */
static void constants(void **state)
{
	struct wicket_simulatable told = truth();
	struct wicket_algo algo = wicket_supervised;
	struct finding f;

	(void)state;
	algo.simulatable = &told;
	told.c2 = one;
	f = decided(&algo, "simulatable");
	assert_int_equal(f.verdict, FAILS);
	assert_string_equal(f.part, "(R7)");
	assert_int_equal(f.schedule.length, 0);
	assert_int_equal(f.counted, 17);
	assert_int_equal(f.claimed, 1);
	assert_int_equal(f.constant[0], 0);
	property_free(&f);
	told = truth();
	told.c3 = one;
	f = decided(&algo, "simulatable");
	assert_int_equal(f.verdict, FAILS);
	assert_string_equal(f.part, "(R8)");
	assert_int_equal(f.counted, 4);
	assert_int_equal(f.claimed, 1);
	property_free(&f);
}

/* Time that runs out as soon as the states have all been looked at, each once, and
   the constants are being counted. */
static struct {
	struct budget budget;
	uint32_t left;
} late;

static uint32_t active_for_long(const struct wicket_cfg *c,
				struct wicket_proc p, struct wicket_value v)
{
	if (!late.left--)
		late.budget.deadline = late.budget.started - 1;
	return truth().active(c, p, v);
}

static void counting_takes_time(void **state)
{
	const char *name = "simulatable";
	struct wicket_simulatable told = truth();
	struct wicket_algo algo = wicket_supervised;
	struct finding f;
	struct graph g;

	(void)state;
	told.active = active_for_long;
	algo.simulatable = &told;
	budget_start(&late.budget,
		     &(struct limits){ .timeout = 5000, .threads = 1 });
	graph_explore(&g, &algo, &cfg, &(struct world){ 0 }, &late.budget);
	late.left = g.states;
	property_decide(&g, &name, &f, 1);
	assert_int_equal(f.verdict, UNDECIDED);
	assert_int_equal(late.budget.end, BUDGET_TIME);
	property_free(&f);
	graph_free(&g);
	assert_int_equal(late.budget.used, 0);
}

static uint32_t always_0(const struct wicket_cfg *c, struct wicket_proc p,
			 struct wicket_value v)
{
	(void)c, (void)p, (void)v;
	return 0;
}

static uint64_t forgetful(const struct wicket_cfg *c, struct wicket_proc p)
{
	return truth().pack(c, p) & 7; /* the program counter alone */
}

static uint32_t too_short(const struct wicket_cfg *c)
{
	return truth().length(c) - 1;
}

static void codes(void **state)
{
	struct wicket_simulatable told = truth();

	(void)state;
	told.transno = always_0;
	assert_not("(R8)", 2, told);
	told = truth();
	told.pack = forgetful;
	assert_not("(R8)", 3, told);
	told = truth();
	told.length = too_short;
	assert_not("(R8)", 8, told);
}

/* --- simulates ------------------------------------------------------------- */

static void one_inside(const struct wicket_cfg *c,
		       const struct wicket_value *regs,
		       const struct wicket_proc *procs, struct wicket_value *v,
		       struct wicket_proc *originals)
{
	wicket_eliminate.original(c, regs, procs, v, originals);
	v->w[0] ^= 1;
}

/* The first worker never begins. */
static void one_out(const struct wicket_cfg *c, const struct wicket_value *regs,
		    const struct wicket_proc *procs, struct wicket_value *v,
		    struct wicket_proc *originals)
{
	wicket_eliminate.original(c, regs, procs, v, originals);
	originals[0] = wicket_supervised.start(c, 1);
}

/* The supervisor never does anything. */
static void one_idle(const struct wicket_cfg *c,
		     const struct wicket_value *regs,
		     const struct wicket_proc *procs, struct wicket_value *v,
		     struct wicket_proc *originals)
{
	wicket_eliminate.original(c, regs, procs, v, originals);
	originals[c->n] = wicket_supervised.start(c, c->n + 1);
}

static void assert_differs(const char *part, uint32_t length,
			   void (*original)(const struct wicket_cfg *,
					    const struct wicket_value *,
					    const struct wicket_proc *,
					    struct wicket_value *,
					    struct wicket_proc *))
{
	struct wicket_algo algo = wicket_eliminate;
	struct finding f;

	algo.original = original;
	f = decided(&algo, "simulates");
	assert_int_equal(f.verdict, FAILS);
	assert_string_equal(f.part, part);
	assert_int_equal(f.schedule.length, length);
	property_free(&f);
}

static void another_original(void **state)
{
	(void)state;
	assert_differs("(S1)", 0, one_inside);
	assert_differs("(S2)", 1, one_out);
	assert_differs("(S2)", 3, one_idle);
}

static enum wicket_region never_inside(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	enum wicket_region r = wicket_eliminate.region(c, p);

	return r == WICKET_CRITICAL ? WICKET_TRYING : r;
}

/* 1 enters by its eighth step: with each of the others went one of the seven of
   the supervisor. */
static void other_regions(void **state)
{
	struct wicket_algo algo = wicket_eliminate;
	struct finding f;

	(void)state;
	algo.region = never_inside;
	f = decided(&algo, "simulates");
	assert_int_equal(f.verdict, FAILS);
	assert_string_equal(f.part, "(S1)");
	assert_int_equal(f.schedule.length, 8);
	property_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_it_is),
		cmocka_unit_test(eligibility),
		cmocka_unit_test(numbers),
		cmocka_unit_test(codes),
		cmocka_unit_test(constants),
		cmocka_unit_test(counting_takes_time),
		cmocka_unit_test(another_original),
		cmocka_unit_test(other_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
