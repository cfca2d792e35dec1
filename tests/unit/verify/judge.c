/* SPDX-License-Identifier: MIT */
/*
 * judge - schedules that come from elsewhere: each is a counterexample or is
 * not, as the definitions of FLBB 1989, 3.3 and 3.4, say of its own states.
 */
#include "explored.h"

enum { WALKS = 60, WALK = 14 };

/* xorshift64: the same walks each time */
static uint32_t below(uint32_t limit)
{
	static uint64_t seed = 0x9e3779b97f4a7c15;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % limit;
}

struct walk {
	uint16_t label[WALK];
	uint32_t state[WALK + 1];
	struct schedule s;
};

/* Any schedule; if it comes back to a state, mostly as a lasso. */
static void draw_walk(const struct explored *x, struct walk *w)
{
	*w = (struct walk){ .s = { .label = w->label } };
	w->s.length = 1 + below(WALK);
	for (uint32_t t = 0; t < w->s.length; t++) {
		w->label[t] = deed_label(below(x->g.system.procs), DEED_STEP,
					 0);
		w->state[t + 1] = graph_target(
			&x->g, edge_of(x, w->state[t], w->label[t]));
	}
	w->s.from = below(w->s.length + 1);
	w->s.infinite = below(8);
	w->s.stem = w->s.length - 1;
	while (w->s.stem && below(8) &&
	       w->state[w->s.stem] != w->state[w->s.length])
		w->s.stem--;
	w->s.victim = 1 + below(x->b.n);
	w->s.culprit = 1 + below(x->b.n);
}

static bool exhibits_deadlock(const struct explored *x, const struct walk *w)
{
	bool idle = true;

	for (uint32_t t = w->s.from; t <= w->s.length; t++)
		idle &= brute_idle(&x->b, w->state[w->s.from], w->state[t], 0);
	return w->s.infinite && w->s.from <= w->s.stem &&
	       w->state[w->s.stem] == w->state[w->s.length] && idle &&
	       brute_stuck(&x->b, w->state[w->s.from]);
}

static bool overtakes(const struct explored *x, const struct walk *w,
		      bool leaving)
{
	const uint16_t *waits = leaving ? x->b.ew : x->b.tw;
	const uint16_t *enabled = leaving ? x->b.r : x->b.c;
	uint32_t i = w->s.victim - 1, j = w->s.culprit - 1;
	bool all = i != j;

	for (uint32_t t = w->s.from; t <= w->s.length; t++)
		all &= waits[w->state[t]] >> i & 1;
	return all && enabled[w->state[w->s.length]] >> j & 1 &&
	       brute_in(&x->b, w->state[w->s.from], j,
			leaving ? WICKET_CRITICAL : WICKET_REMAINDER);
}

static bool is_crowded(const struct explored *x, uint32_t state)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < x->b.n; i++)
		inside += brute_in(&x->b, state, i, WICKET_CRITICAL);
	return inside > x->b.k;
}

static uint32_t judged[3];

static void compare_judgements(const struct named *s)
{
	struct explored x;
	struct walk w;

	explore(&x, s);
	for (int t = 0; t < WALKS; t++) {
		bool crowded, deadlock, overtaking;

		draw_walk(&x, &w);
		crowded = is_crowded(&x, w.state[w.s.length]);
		deadlock = exhibits_deadlock(&x, &w);
		overtaking = overtakes(&x, &w, false) ||
			     overtakes(&x, &w, true);
		assert_of(s->name,
			  is_judged(&x, "k-exclusion", w.s) == crowded);
		assert_of(s->name, is_judged(&x, "k-deadlock-avoidance", w.s) ==
					   deadlock);
		/* who overtakes does so at some point: it must end */
		assert_of(s->name,
			  !w.s.infinite ||
				  !is_judged(&x, "fifo-enabling", w.s));
		w.s.infinite = false;
		assert_of(s->name,
			  is_judged(&x, "fifo-enabling", w.s) == overtaking);
		judged[0] += crowded;
		judged[1] += deadlock;
		judged[2] += overtaking;
	}
	forget(&x);
}

static void any_schedule_is_judged_by_the_definitions(void **state)
{
	(void)state;
	check_automata(compare_judgements);
	for (int p = 0; p < 3; p++)
		assert_true(judged[p] > 100);
}

/* A lasso whose cycle has no step is no infinite schedule. */
static void an_empty_cycle_is_none(void **state)
{
	struct named s = named("semaphore@no-count", 2, 1);
	const char *property = "k-deadlock-avoidance";
	struct finding f;
	struct explored x;

	(void)state;
	explore(&x, &s);
	property_decide(&x.g, &property, &f, 1);
	assert_int_equal(f.verdict, FAILS);
	assert_int_equal(f.schedule.stem, f.schedule.length - 1);
	assert_false(is_judged(&x, property, shorter(f.schedule)));
	property_free(&f);
	forget(&x);
}

/* A schedule in digits, processes from 1, and what it is said to show. */
struct claim {
	const char *steps;
	uint32_t from, stem, victim, culprit;
	const char *reason; /* null: it is right */
};

/* With stem = FINITE the schedule ends. */
enum { FINITE = 99 };

static void assert_judged(const char *name, const char *property,
			  const struct claim *claims)
{
	struct named s = named(name, 2, 1);
	struct explored x;

	explore(&x, &s);
	for (; claims->steps; claims++) {
		uint16_t label[8];
		struct schedule schedule = {
			.length = (uint32_t)strlen(claims->steps),
			.label = label,
			.infinite = claims->stem != FINITE,
			.stem = claims->stem != FINITE ? claims->stem : 0,
			.from = claims->from,
			.victim = claims->victim,
			.culprit = claims->culprit,
		};
		const char *why;

		for (uint32_t t = 0; t < schedule.length; t++)
			label[t] =
				deed_label((uint32_t)(claims->steps[t] - '1'),
					   DEED_STEP, 0);
		why = property_judge(&x.g, &x.en, property, &schedule);
		if (claims->reason) {
			assert_non_null(why);
			assert_string_equal(why, claims->reason);
		} else {
			assert_null(why);
		}
	}
	forget(&x);
}

/* 1 enters, 2 waits, 1 leaves and is inside again. */
static void why_it_is_no_overtaking(void **state)
{
	const char *who =
		"it does not name the overtaken process and the overtaker";
	const char *misfit = "it does not fit the system";
	const struct claim claims[] = {
		{ "1211", 3, FINITE, 2, 1, NULL },
		{ "1211", 3, FINITE, 0, 1, who },
		{ "1211", 3, FINITE, 2, 0, who },
		{ "1211", 3, FINITE, 2, 2, who },
		{ "1211", 3, FINITE, 3, 1, misfit },
		{ "1211", 3, FINITE, 2, 3, misfit },
		{ "1211", 5, FINITE, 2, 1, misfit },
		{ "1311", 3, FINITE, 2, 1, "some step of it is not possible" },
		{ "1211", 3, 3, 2, 1, "it should end" },
		{ "1211", 2, FINITE, 2, 1,
		  "no process waits before the overtaker begins" },
		{ "1212", 3, FINITE, 2, 1,
		  "the overtaken process does not wait throughout" },
		{ "121", 3, FINITE, 2, 1,
		  "the overtaker is not enabled in the end" },
		{ 0 },
	};

	(void)state;
	assert_judged("semaphore", "fifo-enabling", claims);
}

/* 1 enters and leaves, but is counted as inside: now it waits for ever. */
static void why_it_is_no_deadlock(void **state)
{
	const char *form = "it is not a stem and a cycle";
	const struct claim claims[] = {
		{ "1111", 3, 3, 0, 0, NULL },
		{ "11111", 3, 3, 0, 0, NULL },
		{ "1111", 4, 3, 0, 0, form },
		{ "1111", 3, FINITE, 0, 0, form },
		{ "1111", 2, 2, 0, 0, "its cycle does not close" },
		{ "111", 3, 3, 0, 0, "its cycle does not close" },
		{ "1111", 2, 3, 0, 0, "nobody waits in vain" },
		{ "11121", 3, 4, 0, 0, "somebody makes progress" },
		{ 0 },
	};
	const struct claim full[] = {
		{ "122", 2, 2, 0, 0, "nobody waits in vain" },
		{ 0 },
	};

	(void)state;
	assert_judged("semaphore@no-count", "k-deadlock-avoidance", claims);
	/* 2 waits, but for one who has the only slot */
	assert_judged("semaphore", "k-deadlock-avoidance", full);
}

/*
 * Process 1 has left, but its store of that is still in its buffer; process 2 waits
 * for it.  Going round so for ever is no k-deadlock: what is stored reaches memory.
 */
static void a_buffer_that_never_drains_is_no_excuse(void **state)
{
	const uint16_t drain_1 = deed_of(0, DEED_DRAIN);
	const uint16_t drain_2 = deed_of(1, DEED_DRAIN);
	uint16_t label[] = {
		0,	 drain_1, 0, 0, /* 1 comes and goes */
		1,	 1,	  1,	/* 2 looks, and gives way, ... */
		drain_2, drain_2, 1,	/* ... and waits */
	};
	struct schedule s = {
		.length = 10, .label = label, .infinite = true, .stem = 9
	};
	struct named one_bit = named("one-bit", 2, 1);
	struct explored x;

	(void)state;
	s.from = s.stem;
	explore_in(&x, &one_bit, &(struct world){ .memory = MEMORY_TSO });
	assert_string_equal(
		property_judge(&x.g, &x.en, "k-deadlock-avoidance", &s),
		"what was stored never reaches memory");
	forget(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_buffer_that_never_drains_is_no_excuse),
		cmocka_unit_test(any_schedule_is_judged_by_the_definitions),
		cmocka_unit_test(why_it_is_no_overtaking),
		cmocka_unit_test(why_it_is_no_deadlock),
		cmocka_unit_test(an_empty_cycle_is_none),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
