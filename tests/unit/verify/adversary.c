/* SPDX-License-Identifier: MIT */
/*
 * adversary - the run it shows is one in which nobody enters and fewer than k
 * have stopped; whom it cannot beat, it says why; and algorithms made for this
 * test, which break one lemma after the other.
 */
#include "explored.h"

#include "verify/adversary.h"

static struct task task_of(const struct wicket_algo *algo,
			   struct wicket_cfg cfg)
{
	return (struct task){ .name = algo->name, .algo = algo, .cfg = cfg };
}

/* The run, followed step by step: a cycle, outside which nobody moves. */
static void assert_lasso(const struct task *t, const struct schedule *s)
{
	struct run run, at_stem;
	uint32_t acts = 0;

	run_start(&run, t->algo, &t->cfg, &t->world);
	assert_true(s->infinite);
	assert_true(s->stem < s->length);
	for (uint32_t i = 0; i < s->length; i++) {
		uint32_t who = deed_who(s->label[i]);

		if (i == s->stem)
			at_stem = run;
		assert_true(run_can(&run, s->label[i]));
		run_do(&run, s->label[i]);
		if (i < s->stem)
			continue;
		acts |= 1u << who;
		assert_int_equal(run_region(&run, who), WICKET_TRYING);
	}
	assert_memory_equal(run.reg, at_stem.reg, sizeof(run.reg));
	assert_memory_equal(run.actor, at_stem.actor, sizeof(run.actor));
	for (uint32_t i = 0; i < t->cfg.n; i++)
		assert_true(acts >> i & 1 || s->stopped >> i & 1 ||
			    run_region(&run, i) == WICKET_REMAINDER);
	assert_int_equal(acts & s->stopped, 0);
	assert_true(__builtin_popcount(s->stopped) < (int)t->cfg.k);
}

/* It wins, and the verifier agrees that this run breaks the property. */
static void assert_wins(const struct task *t, uint32_t rounds)
{
	struct adversary a;
	struct enabled en = { 0 };
	struct budget budget;
	struct graph g;

	assert_null(adversary_refuses(t));
	adversary_play(&a, t);
	assert_true(a.wins);
	assert_null(a.why);
	assert_int_equal(a.rounds, rounds);
	assert_int_equal(a.finding.verdict, FAILS);
	assert_string_equal(a.finding.property, "k-deadlock-freedom");
	assert_lasso(t, &a.finding.schedule);
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, t->algo, &t->cfg, &t->world, &budget);
	assert_true(
		is_broken_by(&g, &en, a.finding.property, &a.finding.schedule));
	enabled_free(&en, &g);
	graph_free(&g);
	adversary_free(&a);
}

static void it_beats_weak_one_bit(void **state)
{
	const uint32_t sizes[][2] = { { 3, 2 }, { 4, 2 }, { 4, 3 } };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct named s = named("weak-one-bit", sizes[i][0],
				       sizes[i][1]);
		struct task t = task_of(s.algo, s.cfg);

		assert_wins(&t, 0);
	}
}

/* Lemma 2.14 itself: away, back, and the state is the same. */
static void it_locks_who_yields_to_everybody_again_and_again(void **state)
{
	struct named s = named("weak-one-bit@all-yield", 3, 2);
	struct task t = task_of(s.algo, s.cfg);

	(void)state;
	assert_wins(&t, 1);
	s = named("weak-one-bit@all-yield", 4, 3);
	t = task_of(s.algo, s.cfg);
	assert_wins(&t, 1);
}

static void by_hand_for_three_and_two(void **state)
{
	const uint32_t who[] = { 1, 2, 3, 1, 2, 1, 2, 1, 2, 1, 2 };
	struct named s = named("weak-one-bit", 3, 2);
	struct task t = task_of(s.algo, s.cfg);
	struct adversary a;

	(void)state;
	adversary_play(&a, &t);
	assert_int_equal(a.finding.schedule.stem, 7);
	assert_int_equal(a.finding.schedule.length, 11);
	for (uint32_t i = 0; i < 11; i++)
		assert_int_equal(a.finding.schedule.label[i], who[i] - 1);
	assert_int_equal(a.finding.schedule.stopped, 4);
	assert_int_equal(a.moments, 2);
	assert_int_equal(a.moment[0].step, 3);
	adversary_free(&a);
}

static void assert_gives_up(const struct task *t, const char *lemma)
{
	struct adversary a;

	adversary_play(&a, t);
	assert_false(a.wins);
	assert_int_equal(a.finding.verdict, UNDECIDED);
	assert_null(a.finding.schedule.label);
	assert_non_null(a.why);
	assert_non_null(strstr(a.why, lemma));
	adversary_free(&a);
}

static void who_shows_nothing_excludes_nobody(void **state)
{
	struct named s = named("weak-one-bit@no-flag", 3, 2);
	struct task t = task_of(s.algo, s.cfg);

	(void)state;
	assert_gives_up(&t, "Lemma 2.4");
}

/* --- made for this test --------------------------------------------------- */

/* Raises its flag, and then enters whatever it sees, or never. */
enum kind { ENTERS, NEVER_ENTERS };
enum { RAISE, TRY, LOWER };

static struct wicket_register bit_of(const struct wicket_cfg *c, uint32_t r)
{
	(void)c;
	return (struct wicket_register){ .range = 2, .owner = r + 1 };
}

static uint32_t bits(const struct wicket_cfg *c)
{
	return c->n;
}

static struct wicket_proc fresh(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = RAISE, .self = i };
}

static enum wicket_region where(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	(void)c;
	return p.pc == RAISE ? WICKET_REMAINDER :
	       p.pc == TRY   ? WICKET_TRYING :
			       WICKET_CRITICAL;
}

static struct wicket_access asks(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return p.pc == TRY ? wicket_ask(WICKET_LOAD, p.self - 1) :
			     wicket_ask(WICKET_STORE, p.self - 1);
}

/* r says which kind it is. */
static struct wicket_result does(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (p.pc == TRY && c->r == NEVER_ENTERS)
		return r;
	if (p.pc != TRY)
		r.put = wicket_number(p.pc == RAISE);
	r.proc.pc = p.pc == LOWER ? RAISE : (uint16_t)(p.pc + 1);
	return r;
}

static const struct wicket_algo toy = {
	.name = "toy",
	.registers = bits,
	.reg = bit_of,
	.start = fresh,
	.region = where,
	.access = asks,
	.step = does,
};

static void who_just_enters_is_not_locked(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2, .r = ENTERS };
	struct task t = task_of(&toy, c);

	(void)state;
	assert_gives_up(&t, "Lemma 2.7");
}

static void who_never_enters_is_beaten_alone(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 2, .r = NEVER_ENTERS };
	struct task t = task_of(&toy, c);

	(void)state;
	assert_wins(&t, 0);
	t.cfg.n = 5;
	t.cfg.k = 3;
	assert_wins(&t, 0);
}

static void it_is_about_one_bit_a_process_and_two_slots(void **state)
{
	const char *const others[] = { "two-bits", "two-bits:three-valued",
				       "lk-exclusion", "colored" };
	struct named s;
	struct task t;

	(void)state;
	for (int i = 0; i < 4; i++) {
		s = named(others[i], 3, 2);
		t = task_of(s.algo, s.cfg);
		assert_string_equal(adversary_refuses(&t),
				    "the theorem is about one bit per process");
	}
	s = named("one-bit", 3, 1);
	t = task_of(s.algo, s.cfg);
	assert_string_equal(adversary_refuses(&t),
			    "for k = 1 one bit per process is enough");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_beats_weak_one_bit),
		cmocka_unit_test(
			it_locks_who_yields_to_everybody_again_and_again),
		cmocka_unit_test(by_hand_for_three_and_two),
		cmocka_unit_test(who_shows_nothing_excludes_nobody),
		cmocka_unit_test(who_just_enters_is_not_locked),
		cmocka_unit_test(who_never_enters_is_beaten_alone),
		cmocka_unit_test(it_is_about_one_bit_a_process_and_two_slots),
	};

	return cmocka_run_group_tests_name("adversary", tests, NULL, NULL);
}
