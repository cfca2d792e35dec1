/* SPDX-License-Identifier: MIT */
/*
 * contract - what step.h promises an algorithm, by algorithms made for this
 * test: a probe that shows what each kind of access sees and leaves, a lock in
 * two words that change together, and sleepers.
 */
#include "../verify/sleepers.h"

#include "step/contract.h"

static struct wicket_register zero(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 0 };
}

static struct wicket_proc numbered(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

/* --- no padding --------------------------------------------------------- */

#define MEMBER(type, member) sizeof(((struct type *)0)->member)

static void states_are_equal_iff_their_bytes_are(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct wicket_value), 4 * 8);
	assert_int_equal(sizeof(struct wicket_proc),
			 MEMBER(wicket_proc, pc) + MEMBER(wicket_proc, outer) +
				 MEMBER(wicket_proc, self) +
				 MEMBER(wicket_proc, local));
	assert_int_equal(sizeof(struct wicket_access),
			 MEMBER(wicket_access, kind) +
				 MEMBER(wicket_access, order) +
				 MEMBER(wicket_access, words) +
				 MEMBER(wicket_access, part) +
				 MEMBER(wicket_access, reg) +
				 MEMBER(wicket_access, expect) +
				 MEMBER(wicket_access, watch) +
				 MEMBER(wicket_access, alive));
	assert_int_equal(sizeof(struct wicket_result),
			 MEMBER(wicket_result, proc) +
				 MEMBER(wicket_result, put) +
				 MEMBER(wicket_result, wake) +
				 MEMBER(wicket_result, wakes));
}

static void values_are_equal_in_all_words(void **state)
{
	struct wicket_value v = words(1, 2, 3, 4);

	(void)state;
	assert_true(wicket_value_equal(v, words(1, 2, 3, 4)));
	assert_false(wicket_value_equal(v, words(0, 2, 3, 4)));
	assert_false(wicket_value_equal(v, words(1, 0, 3, 4)));
	assert_false(wicket_value_equal(v, words(1, 2, 0, 4)));
	assert_false(wicket_value_equal(v, words(1, 2, 3, 4ull << 40)));
}

/* --- each kind of access ------------------------------------------------ */

/* The next step is of kind pc; it remembers what it saw, and puts 9s. */
static struct wicket_access probe_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	struct wicket_access a = wicket_ask(p.pc, 0);

	(void)c;
	a.expect = words(5, 6, 7, 8);
	return a;
}

static struct wicket_result probe_step(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = words(9, 9, 9, 9) };

	(void)c;
	r.wake = 3;
	r.wakes = 1;
	r.proc.self = 1;
	for (int i = 0; i < WICKET_WORDS; i++)
		r.proc.local[i] = seen.w[i];
	return r;
}

static const struct wicket_algo probe = {
	.name = "probe",
	.registers = one_register,
	.reg = zero,
	.start = numbered,
	.access = probe_access,
	.step = probe_step,
};

static struct outcome performed_by(const struct wicket_algo *algo,
				   enum wicket_kind kind,
				   struct wicket_value there)
{
	struct wicket_cfg c = { .n = 1 };
	struct actor a = { .proc.pc = (uint16_t)kind };

	return actor_do(algo, &c, &(struct world){ 0 }, &a, DEED_STEP, there,
			there);
}

static struct outcome performed(enum wicket_kind kind,
				struct wicket_value there)
{
	return performed_by(&probe, kind, there);
}

static void assert_saw(struct outcome o, uint64_t a, uint64_t b, uint64_t c,
		       uint64_t d)
{
	assert_int_equal(o.actor.proc.self, 1);
	assert_int_equal(o.actor.mode, 0);
	assert_int_equal(o.wake, 3);
	assert_int_equal(o.wakes, 1);
	assert_value(words(o.actor.proc.local[0], o.actor.proc.local[1],
			   o.actor.proc.local[2], o.actor.proc.local[3]),
		     a, b, c, d);
}

static void reads_ignore_what_is_put(void **state)
{
	struct outcome o = performed(WICKET_LOAD, words(1, 2, 3, 4));

	(void)state;
	assert_saw(o, 1, 2, 3, 4);
	assert_value(o.value, 1, 2, 3, 4);
	o = performed(WICKET_AWAIT, words(1, 2, 3, 4));
	assert_saw(o, 1, 2, 3, 4);
	assert_value(o.value, 1, 2, 3, 4);
}

static void a_store_does_not_see(void **state)
{
	struct outcome o = performed(WICKET_STORE, words(1, 2, 3, 4));

	(void)state;
	assert_saw(o, 0, 0, 0, 0);
	assert_value(o.value, 9, 9, 9, 9);
}

static void an_action_sees_and_puts(void **state)
{
	struct outcome o = performed(WICKET_RMW, words(1, 2, 3, 4));

	(void)state;
	assert_saw(o, 1, 2, 3, 4);
	assert_value(o.value, 9, 9, 9, 9);
}

static void a_swap_puts_if_its_expectation_is_met(void **state)
{
	struct outcome o = performed(WICKET_CAS, words(5, 6, 7, 8));

	(void)state;
	assert_saw(o, 5, 6, 7, 8);
	assert_value(o.value, 9, 9, 9, 9);
}

static void a_lost_swap_leaves_and_sees_what_is_there(void **state)
{
	struct outcome o = performed(WICKET_CAS, words(5, 6, 7, 0));

	(void)state;
	assert_saw(o, 5, 6, 7, 0);
	assert_value(o.value, 5, 6, 7, 0);
	o = performed(WICKET_CAS, words(0, 6, 7, 8));
	assert_saw(o, 0, 6, 7, 8);
	assert_value(o.value, 0, 6, 7, 8);
}

static void a_fence_neither_sees_nor_puts(void **state)
{
	struct outcome o = performed(WICKET_FENCE, words(1, 2, 3, 4));

	(void)state;
	assert_saw(o, 0, 0, 0, 0);
	assert_value(o.value, 1, 2, 3, 4);
}

/* The access touches the second and the fourth word. */
static struct wicket_access probe_part(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	struct wicket_access a = probe_access(c, p);

	a.part = 2 + 8;
	return a;
}

static struct outcome performed_in_part(enum wicket_kind kind,
					struct wicket_value there)
{
	struct wicket_algo part = probe;

	part.access = probe_part;
	return performed_by(&part, kind, there);
}

static void a_part_is_loaded_and_stored(void **state)
{
	struct outcome o = performed_in_part(WICKET_LOAD, words(1, 2, 3, 4));

	(void)state;
	assert_saw(o, 0, 2, 0, 4);
	assert_value(o.value, 1, 2, 3, 4);
	o = performed_in_part(WICKET_STORE, words(1, 2, 3, 4));
	assert_saw(o, 0, 0, 0, 0);
	assert_value(o.value, 1, 9, 3, 9);
}

static void only_some_orders_are_there(void **state)
{
	static const uint32_t allowed[] = {
		[WICKET_REST] = 1 << WICKET_PLAIN,
		[WICKET_LOAD] = 1 << WICKET_PLAIN | 1 << WICKET_RELAXED |
				1 << WICKET_ACQUIRE | 1 << WICKET_SEQ_CST,
		[WICKET_STORE] = 1 << WICKET_PLAIN | 1 << WICKET_RELAXED |
				 1 << WICKET_RELEASE | 1 << WICKET_SEQ_CST,
		[WICKET_RMW] = (1 << (WICKET_LOCKED + 1)) - 1,
		[WICKET_CAS] = (1 << (WICKET_LOCKED + 1)) - 1,
		[WICKET_AWAIT] = 1 << WICKET_PLAIN | 1 << WICKET_RELAXED |
				 1 << WICKET_ACQUIRE | 1 << WICKET_SEQ_CST,
		[WICKET_SLEEP] = 1 << WICKET_PLAIN,
		[WICKET_FENCE] = 1 << WICKET_PLAIN,
	};

	(void)state;
	for (uint32_t kind = 0; kind <= WICKET_FENCE; kind++) {
		for (uint32_t order = 0; order <= WICKET_LOCKED + 1; order++) {
			struct wicket_access a = wicket_ask(kind, 0);

			a.order = (uint8_t)order;
			assert_int_equal(!wicket_wrong_access(&a, 1),
					 allowed[kind] >> order & 1);
		}
	}
}

static void who_rests_changes_nothing(void **state)
{
	struct outcome o = performed(WICKET_REST, words(1, 2, 3, 4));
	struct actor a = { .proc.pc = WICKET_REST };

	(void)state;
	assert_memory_equal(&o.actor, &a, sizeof(a));
	assert_value(o.value, 1, 2, 3, 4);
	assert_int_equal(o.wakes, 0);
}

/* --- a lock in two words ------------------------------------------------ */

/*
 * Register 0 is (owner, generation), changed together.  The generation grows
 * by one, modulo 3, whenever the lock is taken.
 */
enum { OWNER, GENERATION, GENERATIONS = 3 };
enum { LOOK, ENTER, WAIT, LEAVE }; /* one pc, one access */
enum { STORE_IN = 1 };		   /* mutant: takes the lock unseen */

static struct wicket_value lock(uint64_t owner, uint64_t generation)
{
	return words(owner, generation % GENERATIONS, 0, 0);
}

static enum wicket_region lock_region(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	(void)c;
	return p.pc == LOOK  ? WICKET_REMAINDER :
	       p.pc == LEAVE ? WICKET_CRITICAL :
			       WICKET_TRYING;
}

/* local[0]: the generation seen last, or the own one while inside */
static struct wicket_access lock_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	struct wicket_access a;

	switch (p.pc) {
	case LOOK:
		return wicket_ask(WICKET_LOAD, 0);
	case WAIT:
		return wicket_ask(WICKET_AWAIT, 0);
	case ENTER:
		if (c->mutant == STORE_IN)
			return wicket_ask(WICKET_STORE, 0);
	}
	a = wicket_ask(WICKET_CAS, 0);
	a.expect = lock(p.pc == ENTER ? 0 : p.self, p.local[0]);
	return a;
}

static struct wicket_result lock_step(const struct wicket_cfg *c,
				      struct wicket_proc p,
				      struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	struct wicket_access a = lock_access(c, p);

	if (p.pc == LEAVE) {
		r.put = lock(0, p.local[0]);
		r.wakes = 1;
		r.proc.local[0] = 0;
		r.proc.pc = LOOK;
	} else if (a.kind == WICKET_STORE ||
		   (a.kind == WICKET_CAS &&
		    wicket_value_equal(seen, a.expect))) {
		r.put = lock(p.self, p.local[0] + 1);
		r.proc.local[0] = r.put.w[GENERATION];
		r.proc.pc = LEAVE;
	} else {
		r.proc.local[0] = seen.w[OWNER] ? 0 : seen.w[GENERATION];
		r.proc.pc = seen.w[OWNER] ? WAIT : ENTER;
	}
	return r;
}

static const struct wicket_algo lock_algo = {
	.name = "lock",
	.registers = one_register,
	.reg = zero,
	.start = numbered,
	.region = lock_region,
	.access = lock_access,
	.step = lock_step,
};

static void a_run_of_the_lock(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct run run;

	(void)state;
	run_start(&run, &lock_algo, &c, &(struct world){ 0 });
	assert_int_equal(run.regs, 1);
	assert_int_equal(run.procs, 2);
	steps(&run, "12"); /* both see (0,0) */
	assert_value(run.reg[0], 0, 0, 0, 0);
	steps(&run, "1");
	assert_value(run.reg[0], 1, 1, 0, 0);
	assert_int_equal(run_region(&run, 0), WICKET_CRITICAL);
	steps(&run, "2"); /* its swap is lost; it saw who was faster */
	assert_value(run.reg[0], 1, 1, 0, 0);
	assert_int_equal(run.actor[1].proc.pc, WAIT);
	steps(&run, "22");
	assert_int_equal(run.actor[1].proc.pc, WAIT);
	steps(&run, "12");
	assert_value(run.reg[0], 0, 1, 0, 0);
	assert_int_equal(run_region(&run, 0), WICKET_REMAINDER);
	assert_int_equal(run.actor[1].proc.pc, ENTER);
	steps(&run, "2");
	assert_value(run.reg[0], 2, 2, 0, 0);
	assert_int_equal(run_region(&run, 1), WICKET_CRITICAL);
}

/* The owner is the expected one, nobody, but of another generation. */
static void a_swap_compares_both_words(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct run run;

	(void)state;
	run_start(&run, &lock_algo, &c, &(struct world){ 0 });
	steps(&run, "2111"); /* 2 sees (0,0); 1 enters and leaves */
	assert_value(run.reg[0], 0, 1, 0, 0);
	steps(&run, "2");
	assert_value(run.reg[0], 0, 1, 0, 0);
	assert_int_equal(run.actor[1].proc.pc, ENTER);
	steps(&run, "2");
	assert_value(run.reg[0], 2, 2, 0, 0);
}

static void leaving_wakes_a_sleeper(void **state)
{
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct actor a = {
		.proc = { .pc = LEAVE, .self = 1, .local = { 2 } },
	};
	struct outcome o;

	(void)state;
	o = actor_do(&lock_algo, &c, &(struct world){ 0 }, &a, DEED_STEP,
		     lock(1, 2), lock(1, 2));
	assert_value(o.value, 0, 2, 0, 0);
	assert_int_equal(o.wake, 0);
	assert_int_equal(o.wakes, 1);
}

/* n owners or none, each in any generation */
static void the_lock_is_explored_to_the_end(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 4; n++) {
		struct wicket_cfg c = { .n = n, .k = 1 };
		struct decided d = decided(&lock_algo, &c, "k-exclusion");

		assert_true(d.complete);
		assert_int_equal(d.shared, (n + 1) * GENERATIONS);
	}
}

/* Whoever steps while the lock is free gets in, but anybody may be first. */
static void the_lock_excludes_without_deadlock_but_unfairly(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 3; n++) {
		struct wicket_cfg c = { .n = n, .k = 1 };

		assert_decided(&lock_algo, &c, "k-exclusion", HOLDS);
		assert_decided(&lock_algo, &c, "k-deadlock-avoidance", HOLDS);
		assert_decided(&lock_algo, &c, "fifo-enabling", FAILS);
	}
}

/* Two look, two store: no shorter way is possible. */
static void storing_instead_of_swapping_is_refuted(void **state)
{
	struct wicket_cfg c = { .n = 3, .k = 1, .mutant = STORE_IN };
	struct decided d = decided(&lock_algo, &c, "k-exclusion");
	const struct schedule *s = &d.finding.schedule;
	struct run run;

	(void)state;
	assert_int_equal(d.finding.verdict, FAILS);
	assert_int_equal(s->length, 4);
	assert_false(s->infinite);
	run_start(&run, &lock_algo, &c, &(struct world){ 0 });
	for (uint32_t t = 0; t < s->length; t++)
		run_do(&run, s->label[t]);
	assert_int_equal(run_region(&run, deed_who(s->label[0])),
			 WICKET_CRITICAL);
	assert_int_equal(run_region(&run, deed_who(s->label[3])),
			 WICKET_CRITICAL);
	assert_int_not_equal(deed_who(s->label[2]), deed_who(s->label[3]));
	property_free(&d.finding);
}

/* --- the dead ----------------------------------------------------------- */

/* An event turns it into one that leaves. */
static struct wicket_proc lock_event(const struct wicket_cfg *c,
				     struct wicket_proc p,
				     enum wicket_event event)
{
	(void)c, (void)event;
	p.pc = LEAVE;
	return p;
}

/* Of a line's process something is left, which ends by itself. */
static void only_what_is_left_of_a_line_goes_on(void **state)
{
	const struct world world = { .crashes = 2, .abandons = 2 };
	const struct wicket_cfg c = { .n = 2, .k = 1 };
	struct wicket_algo line = lock_algo;
	struct actor a = { .proc = { .pc = LOOK, .self = 1 } };

	(void)state;
	line.has_seats = 1;
	line.event = lock_event;
	for (enum deed deed = DEED_STEP; deed < ACTOR_DEEDS; deed++)
		assert_int_equal(actor_can(&line, &c, &world, &a, deed),
				 deed != DEED_TIMEOUT);
	a.mode = ACTOR_DEAD;
	for (enum deed deed = DEED_STEP; deed < ACTOR_DEEDS; deed++) {
		line.has_seats = 1;
		assert_int_equal(actor_can(&line, &c, &world, &a, deed),
				 deed == DEED_STEP);
		line.has_seats = 0;
		assert_false(actor_can(&line, &c, &world, &a, deed));
	}
	/* and stays dead */
	assert_int_equal(actor_do(&line, &c, &world, &a, DEED_STEP, lock(0, 0),
				  lock(0, 0))
				 .actor.mode,
			 ACTOR_DEAD);
}

/* --- sleep -------------------------------------------------------------- */

/* 1 is about to wake so many of those who sleep on this register; as yet nobody
   does. */
static struct run bedroom(uint32_t n, uint32_t wakes, uint32_t reg)
{
	struct wicket_cfg c = { .n = n, .k = 1, .r = wakes, .variant = reg };
	struct run run;

	run_start(&run, &sleepers, &c, &(struct world){ .sleep = SLEEP_EXACT });
	return run;
}

/* In digits, how each process is: 0 awake, 2 asleep, 4 woken, or u for up. */
static void assert_modes(const struct run *run, const char *modes)
{
	for (uint32_t i = 0; i < run->procs; i++) {
		const struct actor *a = &run->actor[i];
		char mode = a->proc.pc == UP ? 'u' : (char)('0' + a->mode);

		assert_int_equal(mode, modes[i]);
	}
}

static void who_sleeps_waits_until_it_is_woken(void **state)
{
	struct run run = bedroom(2, 1, DOOR);

	(void)state;
	assert_modes(&run, "00");
	steps(&run, "2");
	assert_modes(&run, "02");
	assert_false(run_can(&run, deed_label(1, DEED_STEP, 0)));
	assert_false(run_can(&run, deed_label(1, DEED_TIMEOUT, 0)));
	steps(&run, "1");
	assert_modes(&run, "u4");
	steps(&run, "2"); /* not again, though the door is shut */
	assert_modes(&run, "uu");
}

static void who_finds_another_value_does_not_sleep(void **state)
{
	struct run run = bedroom(2, 1, DOOR);

	(void)state;
	run.reg[DOOR] = wicket_number(OPEN);
	steps(&run, "2");
	assert_modes(&run, "0u");
	/* only as many words are compared as it says */
	run = bedroom(2, 1, DOOR);
	run.reg[DOOR] = words(SHUT, 9, 9, 9);
	steps(&run, "2");
	assert_modes(&run, "02");
}

/* Each of them: it was woken before it slept. */
static void who_watches_what_has_changed_does_not_sleep(void **state)
{
	(void)state;
	for (uint32_t bell = BELL; bell <= OTHER_BELL; bell++) {
		struct run run = bedroom(2, 0, DOOR);

		run.reg[bell] = wicket_number(RUNG);
		steps(&run, "2");
		assert_modes(&run, "04");
		steps(&run, "2");
		assert_modes(&run, "0u");
		/* the first word counts, and no other register */
		run = bedroom(2, 0, DOOR);
		run.reg[bell] = words(QUIET, 9, 9, 9);
		run.reg[ELSEWHERE] = wicket_number(RUNG);
		steps(&run, "2");
		assert_modes(&run, "02");
	}
}

/* Nobody is woken by a change, but only by whoever wakes. */
static void who_watches_is_woken_as_who_sleeps_there(void **state)
{
	(void)state;
	for (uint32_t reg = DOOR; reg <= ELSEWHERE; reg++) {
		struct run run = bedroom(2, 1, reg);

		steps(&run, "21");
		assert_modes(&run, reg == ELSEWHERE ? "u2" : "u4");
		assert_value(run.reg[OTHER_BELL], RUNG, 0, 0, 0);
	}
}

static void only_so_many_are_woken(void **state)
{
	const char *modes[] = { "u2222", "u4222", "u4422",
				"u4442", "u4444", "u4444" };

	(void)state;
	for (uint32_t reg = DOOR; reg <= OTHER_BELL; reg++) {
		for (uint32_t wakes = 0; wakes <= 5; wakes++) {
			struct run run = bedroom(5, wakes, reg);

			steps(&run, "23451");
			assert_modes(&run, modes[wakes]);
		}
	}
}

static void who_does_not_sleep_is_not_counted(void **state)
{
	struct run run = bedroom(5, 1, BELL);

	(void)state;
	run.reg[DOOR] = wicket_number(OPEN);
	steps(&run, "2"); /* it is up */
	run.reg[DOOR] = wicket_number(SHUT);
	steps(&run, "451"); /* 3 is not yet asleep */
	assert_modes(&run, "uu042");
	steps(&run, "3"); /* too late */
	assert_modes(&run, "uu442");
}

static void a_time_may_be_up_of_who_watches(void **state)
{
	struct run run = bedroom(2, 0, DOOR);

	(void)state;
	run.world.sleep = SLEEP_TIMED;
	steps(&run, "2");
	assert_modes(&run, "02");
	assert_true(run_can(&run, deed_label(1, DEED_TIMEOUT, 0)));
	run_do(&run, deed_label(1, DEED_TIMEOUT, 0));
	assert_modes(&run, "0u");
	/* and where sleeping is looking again, nobody sleeps */
	run = bedroom(2, 0, DOOR);
	run.world.sleep = SLEEP_GENEROUS;
	steps(&run, "2");
	assert_modes(&run, "0u");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_are_equal_iff_their_bytes_are),
		cmocka_unit_test(values_are_equal_in_all_words),
		cmocka_unit_test(reads_ignore_what_is_put),
		cmocka_unit_test(a_store_does_not_see),
		cmocka_unit_test(an_action_sees_and_puts),
		cmocka_unit_test(a_swap_puts_if_its_expectation_is_met),
		cmocka_unit_test(a_lost_swap_leaves_and_sees_what_is_there),
		cmocka_unit_test(a_fence_neither_sees_nor_puts),
		cmocka_unit_test(a_part_is_loaded_and_stored),
		cmocka_unit_test(only_some_orders_are_there),
		cmocka_unit_test(who_rests_changes_nothing),
		cmocka_unit_test(a_run_of_the_lock),
		cmocka_unit_test(a_swap_compares_both_words),
		cmocka_unit_test(leaving_wakes_a_sleeper),
		cmocka_unit_test(the_lock_is_explored_to_the_end),
		cmocka_unit_test(
			the_lock_excludes_without_deadlock_but_unfairly),
		cmocka_unit_test(storing_instead_of_swapping_is_refuted),
		cmocka_unit_test(only_what_is_left_of_a_line_goes_on),
		cmocka_unit_test(who_sleeps_waits_until_it_is_woken),
		cmocka_unit_test(who_finds_another_value_does_not_sleep),
		cmocka_unit_test(who_watches_what_has_changed_does_not_sleep),
		cmocka_unit_test(who_watches_is_woken_as_who_sleeps_there),
		cmocka_unit_test(only_so_many_are_woken),
		cmocka_unit_test(who_does_not_sleep_is_not_counted),
		cmocka_unit_test(a_time_may_be_up_of_who_watches),
	};

	return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
