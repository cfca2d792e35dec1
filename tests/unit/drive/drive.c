/* SPDX-License-Identifier: MIT */
/*
 * drive - the registers on real memory by hand, the driver against the model
 * step by step, the mark of the dead by real deaths, and what is counted of a
 * run.
 */
#include "../unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "algo/registry.h"
#include "drive/crew.h"
#include "drive/drive.h"
#include "drive/watch.h"
#include "verify/explore/run.h"

/* All of a register. */
static void store(const struct drive_memory *m, uint32_t who, uint32_t reg,
		  struct wicket_value put)
{
	struct wicket_access a = wicket_ask(WICKET_STORE, reg);

	drive_store(m, who, &a, put);
}

static void *shared(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	return at;
}

static struct wicket_cfg found(const char *name, uint32_t n, uint32_t k,
			       const struct wicket_algo **algo)
{
	struct wicket_cfg cfg = { .n = n, .k = k, .r = 1 };

	*algo = wicket_find(name, &cfg, NULL);
	assert_non_null(*algo);
	return cfg;
}

static struct drive driving(const char *name, uint32_t n, uint32_t k)
{
	const struct wicket_algo *algo;
	struct wicket_cfg cfg = found(name, n, k, &algo);
	struct drive d;

	drive_start(&d, algo, &cfg, shared(sizeof(struct drive_shared)),
		    DRIVE_SEQ_CST);
	return d;
}

static void end(struct drive *d)
{
	munmap(d->memory.shared, sizeof(struct drive_shared));
}

/* --- registers -------------------------------------------------------------- */

enum { NARROW, WIDE };

static struct drive_memory two_registers(enum drive_order order)
{
	struct drive_memory m = {
		.shared = shared(sizeof(struct drive_shared)),
		.order = order,
	};
	struct wicket_register wide = { .start = words(1, 2, 3, 4) };

	drive_memory_start(
		&m, NARROW,
		(struct wicket_register){ .start = { { 7 } }, .range = 8 });
	drive_memory_start(&m, WIDE, wide);
	return m;
}

static void registers_hold_what_was_put(void **state)
{
	(void)state;
	for (int order = DRIVE_RELAXED; order <= DRIVE_SEQ_CST; order++) {
		struct drive_memory m = two_registers(order);

		assert_value(drive_load(&m, 1, NARROW), 7, 0, 0, 0);
		assert_value(drive_load(&m, 1, WIDE), 1, 2, 3, 4);
		store(&m, 1, NARROW, wicket_number(5));
		store(&m, 16, WIDE, words(5, 6, 7, 8));
		assert_value(drive_load(&m, 2, NARROW), 5, 0, 0, 0);
		assert_value(drive_load(&m, 2, WIDE), 5, 6, 7, 8);
		munmap(m.shared, sizeof(*m.shared));
	}
}

static void words_are_stored_one_by_one(void **state)
{
	struct wicket_access second = { .kind = WICKET_STORE,
					.part = 2,
					.reg = WIDE };

	(void)state;
	for (int order = DRIVE_RELAXED; order <= DRIVE_SEQ_CST; order++) {
		struct drive_memory m = two_registers(order);

		second.order = WICKET_PLAIN;
		drive_store(&m, 1, &second, words(5, 6, 7, 8));
		assert_value(drive_load(&m, 2, WIDE), 1, 6, 3, 4);
		second.order = WICKET_SEQ_CST;
		drive_store(&m, 1, &second, words(0, 9, 0, 0));
		assert_value(drive_load(&m, 2, WIDE), 1, 9, 3, 4);
		munmap(m.shared, sizeof(*m.shared));
	}
}

/* It has a fence, loads the second and the third word, and stores the third. */
static struct wicket_access word_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	struct wicket_access a = wicket_ask(p.pc == 0 ? WICKET_FENCE :
					    p.pc == 1 ? WICKET_LOAD :
							WICKET_STORE,
					    0);

	(void)c;
	a.part = p.pc == 0 ? 0 : p.pc == 1 ? 2 + 4 : 4;
	return a;
}

static struct wicket_result word_step(const struct wicket_cfg *c,
				      struct wicket_proc p,
				      struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = words(8, 8, 8, 8) };

	(void)c;
	r.proc.pc++;
	memcpy(r.proc.local, seen.w, sizeof(seen.w));
	return r;
}

static uint32_t one(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

static struct wicket_register of_four_words(const struct wicket_cfg *c,
					    uint32_t reg)
{
	(void)c, (void)reg;
	return (struct wicket_register){ .start = words(1, 2, 3, 4) };
}

static void steps_touch_the_words_they_name(void **state)
{
	const struct wicket_algo algo = { .registers = one,
					  .reg = of_four_words,
					  .access = word_access,
					  .step = word_step };
	const struct wicket_cfg c = { .n = 1 };
	struct drive_shared *at = shared(sizeof(*at));
	struct wicket_proc p = { .pc = 0 };
	struct drive d;

	(void)state;
	drive_start(&d, &algo, &c, at, DRIVE_RELAXED);
	assert_true(drive_step(&d, 1, &p)); /* the fence sees nothing */
	assert_value(words(p.local[0], p.local[1], p.local[2], p.local[3]), 0,
		     0, 0, 0);
	assert_value(drive_load(&d.memory, 1, 0), 1, 2, 3, 4);
	/* it was one: a word that nobody else uses has changed */
	assert_int_equal(at->fence[0].word, 1);
	assert_int_equal(at->fence[1].word, 0);
	assert_true(drive_step(&d, 1, &p));
	assert_value(words(p.local[0], p.local[1], p.local[2], p.local[3]), 0,
		     2, 3, 0);
	assert_true(drive_step(&d, 1, &p));
	assert_value(drive_load(&d.memory, 1, 0), 1, 2, 8, 4);
	end(&d);
}

static void who_is_late_does_not_swap(void **state)
{
	(void)state;
	for (int order = DRIVE_RELAXED; order <= DRIVE_SEQ_CST; order++) {
		struct drive_memory m = two_registers(order);

		for (uint32_t reg = NARROW; reg <= WIDE; reg++) {
			struct drive_seen seen = drive_look(&m, reg);

			assert_true(
				drive_swap(&m, 1, reg, seen, wicket_number(3)));
			assert_false(
				drive_swap(&m, 2, reg, seen, wicket_number(4)));
			assert_value(drive_load(&m, 2, reg), 3, 0, 0, 0);
		}
		munmap(m.shared, sizeof(*m.shared));
	}
}

/* Back to an old value, by the same two copies: still not as it was seen. */
static void a_wide_word_does_not_come_back(void **state)
{
	struct drive_memory m = two_registers(DRIVE_SEQ_CST);
	struct drive_seen seen;

	(void)state;
	store(&m, 3, WIDE, wicket_number(1));
	seen = drive_look(&m, WIDE);
	for (uint64_t i = 2; i < 6; i++) {
		store(&m, 3, WIDE, wicket_number(i));
		assert_value(drive_load(&m, 1, WIDE), i, 0, 0, 0);
	}
	store(&m, 3, WIDE, wicket_number(1));
	assert_int_not_equal(drive_look(&m, WIDE).word, seen.word);
	assert_false(drive_swap(&m, 1, WIDE, seen, wicket_number(9)));
	assert_value(drive_load(&m, 1, WIDE), 1, 0, 0, 0);
	munmap(m.shared, sizeof(*m.shared));
}

/* If it did, this would take ten minutes. */
static void nobody_sleeps_on_what_has_changed(void **state)
{
	struct drive_memory m = two_registers(DRIVE_SEQ_CST);

	(void)state;
	for (uint32_t reg = NARROW; reg <= WIDE; reg++) {
		for (uint64_t i = 0; i < 6000; i++) {
			struct drive_seen seen = drive_look(&m, reg);

			store(&m, 1, reg, wicket_number(i));
			if (i != seen.value.w[0])
				drive_sleep(&m, reg, seen);
		}
	}
	munmap(m.shared, sizeof(*m.shared));
}

/* --- the model --------------------------------------------------------------- */

static void same_registers(const char *name, const struct drive *d,
			   const struct run *run)
{
	for (uint32_t r = 0; r < run->regs; r++) {
		struct wicket_value v = drive_load(&d->memory, 1, r);

		assert_of(name, wicket_value_equal(v, run->reg[r]));
	}
}

/* Would it sleep? */
static bool is_sleepy(const struct run *run, uint32_t i)
{
	struct wicket_access a = run->algo->access(&run->cfg,
						   run->actor[i].proc);

	return a.kind == WICKET_SLEEP &&
	       wicket_is_expected(&a, run->reg[a.reg]);
}

/* The same steps on memory and on the verifier's vector; how many. */
static uint32_t follow(const char *name, uint32_t n, uint32_t k)
{
	enum { STEPS = 3000 };
	struct drive d = driving(name, n, k);
	struct wicket_proc p[WICKET_PROCS_MAX];
	uint32_t taken = 0;
	struct run run;

	if (d.algo->has_seats)
		d.cfg.laps = STEPS;
	run_start(&run, d.algo, &d.cfg, &(struct world){ 0 });
	for (uint32_t i = 0; i < run.procs; i++)
		p[i] = d.algo->start(&d.cfg, i + 1);
	for (uint32_t t = 0; t < STEPS; t++) {
		uint32_t i = (uint32_t)rand() % run.procs;
		uint16_t label = deed_label(i, DEED_STEP, 0);

		if (is_sleepy(&run, i))
			continue;
		/* memory goes on where the verifier stops, at a cap */
		if (d.algo->beyond && !run_can(&run, label))
			continue;
		assert_of(name,
			  drive_step(&d, i + 1, &p[i]) == run_can(&run, label));
		if (run_can(&run, label)) {
			run_do(&run, label);
			taken++;
		}
		assert_of(name,
			  !memcmp(&p[i], &run.actor[i].proc, sizeof(p[i])));
		same_registers(name, &d, &run);
	}
	end(&d);
	return taken;
}

static bool is_refused(const char *name, uint32_t n, uint32_t k)
{
	const struct wicket_algo *algo;
	struct wicket_cfg cfg = found(name, n, k, &algo);

	return algo->refuse && algo->refuse(&cfg);
}

static uint32_t follow_at_all_sizes(const char *name)
{
	uint32_t taken = 0;

	for (uint32_t n = 2; n <= 5; n++) {
		for (uint32_t k = 1; k < n; k++) {
			if (!is_refused(name, n, k))
				taken += follow(name, n, k);
		}
	}
	return taken;
}

/* Some are soon at their end, and are followed more often. */
static void follow_far(const char *name)
{
	enum { ENOUGH = 1000, ROUNDS = 100 };
	uint32_t taken = 0;

	for (int i = 0; i < ROUNDS && taken <= ENOUGH; i++)
		taken += follow_at_all_sizes(name);
	assert_of(name, taken > ENOUGH);
}

static void memory_does_what_the_model_says(void **state)
{
	(void)state;
	for (uint32_t i = 0; wicket_algos[i]; i++) {
		const struct wicket_named *v = wicket_algos[i]->variants;
		char name[128];

		follow_far(wicket_algos[i]->name);
		for (; v && v->name; v++) {
			snprintf(name, sizeof(name), "%s:%s",
				 wicket_algos[i]->name, v->name);
			follow_far(name);
		}
	}
	follow_far("bank:one-bit");
	follow_far("recoverable@wake-early");
}

/* --- the dead ---------------------------------------------------------------- */

static void what_a_death_leaves(void **state)
{
	struct drive d = driving("rivest-pratt-2", 2, 1);

	(void)state;
	assert_true(drive_may_die(&d));
	for (uint32_t r = 0; r < 2; r++) {
		assert_int_equal(d.memory.dies[r], r + 1);
		assert_value(d.memory.dead[r], 3, 0, 0, 0); /* D */
	}
	assert_int_equal(d.memory.dies[2], 0);
	end(&d);
	d = driving("rivest-pratt-n", 3, 1);
	assert_true(drive_may_die(&d));
	for (uint32_t r = 0; r < 3; r++) {
		assert_int_equal(d.memory.dies[r], r + 1);
		assert_value(d.memory.dead[r], 0, 0, 0, 0);
	}
	end(&d);
}

static void not_everybody_may_die(void **state)
{
	static const char *const names[] = { "semaphore", "colored", "one-bit",
					     "recoverable" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct drive d = driving(names[i], 3, 1);

		assert_of(names[i], !drive_may_die(&d));
		end(&d);
	}
}

static void enter(const struct drive *d, uint32_t who)
{
	struct wicket_proc p = d->algo->start(&d->cfg, who);

	while (d->algo->region(&d->cfg, p) != WICKET_CRITICAL)
		drive_step(d, who, &p);
}

/* A child that lives as process 1, enters, and is killed inside. */
static void die_inside(const struct drive *d)
{
	int inside[2], status;
	char told;
	pid_t child;

	assert_int_equal(pipe(inside), 0);
	child = fork();
	if (!child) {
		if (drive_live(&d->memory, 1))
			_exit(1);
		enter(d, 1);
		if (write(inside[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(inside[0], &told, 1), 1);
	assert_false(drive_is_dead(&d->memory, 1));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	close(inside[0]);
	close(inside[1]);
}

/* How many steps process 2 needs; 0: more than any that is let in. */
static uint32_t steps_to_enter(const struct drive *d)
{
	enum { MANY = 10000 };
	struct wicket_proc p = d->algo->start(&d->cfg, 2);

	for (uint32_t steps = 1; steps < MANY; steps++) {
		drive_step(d, 2, &p);
		if (d->algo->region(&d->cfg, p) == WICKET_CRITICAL)
			return steps;
	}
	return 0;
}

static void one_dies_inside(const char *name, uint32_t steps, uint64_t dead)
{
	struct drive d = driving(name, 2, 1), blind;

	assert_true(drive_may_die(&d));
	for (uint32_t who = 1; who <= 2; who++)
		assert_int_equal(drive_life_start(&d.memory, who), 0);
	die_inside(&d);
	assert_true(drive_is_dead(&d.memory, 1));
	assert_false(drive_is_dead(&d.memory, 2));

	/* without the mark everybody would wait for the dead */
	blind = d;
	memset(blind.memory.dies, 0, sizeof(blind.memory.dies));
	assert_int_equal(steps_to_enter(&blind), 0);
	drive_bury(&d.memory, 2);

	assert_value(drive_load(&d.memory, 2, 0), dead, 0, 0, 0);
	assert_int_not_equal(drive_look(&d.memory, 0).value.w[0], dead);
	assert_int_equal(steps_to_enter(&d), steps);

	/* buried it is dead without the mark, and may live again */
	drive_bury(&d.memory, 1);
	assert_value(drive_look(&d.memory, 0).value, dead, 0, 0, 0);
	assert_int_equal(drive_live(&d.memory, 1), 0);
	assert_false(drive_is_dead(&d.memory, 1));
	assert_value(drive_load(&d.memory, 2, 0), dead, 0, 0, 0);
	end(&d);
}

static void the_dead_let_others_in(void **state)
{
	(void)state;
	one_dies_inside("rivest-pratt-2", 5, 3); /* A B C D E */
	/* A B C E against 1; against itself B and D, all else is local */
	one_dies_inside("rivest-pratt-n", 6, 0);
}

/* --- what is seen of a run ----------------------------------------------------- */

static struct drive_watch watching(struct drive_scene *scene, uint32_t who)
{
	return (struct drive_watch){ .scene = scene, .who = who, .n = 3 };
}

static void go(struct drive_watch *w, enum wicket_region was,
	       enum wicket_region is)
{
	drive_watch_before(w, was);
	drive_watch_after(w, was, is);
}

#define R WICKET_REMAINDER
#define T WICKET_TRYING
#define C WICKET_CRITICAL
#define E WICKET_EXIT

static void those_inside_together_are_counted(void **state)
{
	struct drive_scene scene = { 0 };
	struct drive_watch a = watching(&scene, 1), b = watching(&scene, 2),
			   c = watching(&scene, 3);

	(void)state;
	go(&a, R, C);
	assert_int_equal(scene.of[0].most_inside, 1);
	go(&b, R, T);
	go(&b, T, C);
	assert_int_equal(scene.of[1].most_inside, 2);
	go(&a, C, E);
	go(&a, E, R);
	go(&c, R, C);
	assert_int_equal(scene.of[2].most_inside, 2);
	go(&c, C, C); /* a step inside */
	assert_int_equal(scene.inside, 6);
	go(&c, C, R);
	go(&b, C, R);
	assert_int_equal(scene.inside, 0);
	assert_int_equal(scene.of[0].most_inside, 1);
	assert_int_equal(scene.of[0].entries, 1);
	assert_int_equal(scene.of[2].entries, 1);
}

static void whoever_came_later_and_entered_earlier_overtakes(void **state)
{
	struct drive_scene scene = { 0 };
	struct drive_watch a = watching(&scene, 1), b = watching(&scene, 2),
			   c = watching(&scene, 3);

	(void)state;
	go(&a, R, T);
	go(&b, R, T); /* a was there */
	go(&b, T, C); /* one */
	go(&b, C, R);
	go(&b, R, C); /* two */
	go(&a, T, T);
	assert_int_equal(a.overtaken, 2);
	go(&c, R, T);
	go(&a, T, C);
	go(&c, T, C); /* a is in */
	assert_int_equal(scene.of[0].overtaken, 2);
	assert_int_equal(scene.of[0].most_overtaken, 2);
	assert_int_equal(scene.of[1].overtaken, 0);
	assert_int_equal(scene.of[2].overtaken, 0);
	go(&a, C, R);

	go(&a, R, T); /* the next wait: once */
	go(&b, C, R);
	go(&b, R, C);
	go(&a, T, C);
	assert_int_equal(scene.of[0].overtaken, 3);
	assert_int_equal(scene.of[0].most_overtaken, 2);
}

static void whoever_came_at_the_same_time_does_not(void **state)
{
	struct drive_scene scene = { 0 };
	struct drive_watch a = watching(&scene, 1), b = watching(&scene, 2);

	(void)state;
	drive_watch_before(&b, R); /* before a's first step is seen */
	go(&a, R, T);
	drive_watch_after(&b, R, C);
	go(&a, T, C);
	assert_int_equal(scene.of[0].overtaken, 0);
	go(&b, C, R);
	go(&a, C, R);

	/* nor who enters while a takes the step that lets it in */
	go(&a, R, T);
	go(&b, R, T);
	drive_watch_before(&a, T);
	go(&b, T, C);
	drive_watch_after(&a, T, C);
	assert_int_equal(scene.of[0].overtaken, 0);
	go(&b, C, R);
	go(&a, C, R);

	/* nor who met an earlier attempt */
	go(&a, R, T);
	drive_watch_before(&b, R);
	go(&a, T, C);
	go(&a, C, R);
	go(&a, R, T);
	drive_watch_after(&b, R, C);
	go(&a, T, C);
	assert_int_equal(scene.of[0].overtaken, 0);
}

/* Its bit is left, but the mark says that it is not inside. */
static void the_dead_are_not_inside(void **state)
{
	struct drive d = driving("rivest-pratt-2", 2, 1);
	struct drive_scene scene = { .inside = 1 };
	struct drive_watch b = watching(&scene, 2);

	(void)state;
	b.deaths = &d.memory;
	assert_int_equal(drive_life_start(&d.memory, 1), 0);
	die_inside(&d);
	go(&b, R, C);
	assert_int_equal(scene.of[1].most_inside, 1);
	go(&b, C, R);
	assert_int_equal(drive_live(&d.memory, 1), 0);
	go(&b, R, C); /* the control: alive, it is */
	assert_int_equal(scene.of[1].most_inside, 2);
	assert_true(drive_watch_died(&scene, 1));
	assert_false(drive_watch_died(&scene, 1));
	end(&d);
}

static void an_update_that_is_overwritten_is_noticed(void **state)
{
	struct drive_scene scene = { 0 };
	struct drive_watch a = watching(&scene, 1);

	(void)state;
	go(&a, R, C);
	assert_int_equal(scene.ledger, 0); /* k > 1 */
	a.alone = true;
	go(&a, C, R);
	go(&a, R, C);
	assert_int_equal(scene.ledger, 1);
}

/* --- runs ------------------------------------------------------------------------ */

static void impossible_plans_are_refused(void **state)
{
	struct drive_plan plan = { .seconds = 0.1,
				   .order = DRIVE_SEQ_CST,
				   .processes = true,
				   .kill = 1 };
	struct drive_outcome outcome;

	(void)state;
	plan.cfg = found("one-bit", 2, 1, &plan.algo);
	assert_false(drive_can_kill(plan.algo, &plan.cfg));
	assert_int_equal(drive_run(&plan, &outcome), -EINVAL);
	plan.cfg = found("rivest-pratt-2", 2, 1, &plan.algo);
	assert_true(drive_can_kill(plan.algo, &plan.cfg));
	plan.processes = false;
	assert_int_equal(drive_run(&plan, &outcome), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_hold_what_was_put),
		cmocka_unit_test(words_are_stored_one_by_one),
		cmocka_unit_test(steps_touch_the_words_they_name),
		cmocka_unit_test(who_is_late_does_not_swap),
		cmocka_unit_test(a_wide_word_does_not_come_back),
		cmocka_unit_test(nobody_sleeps_on_what_has_changed),
		cmocka_unit_test(memory_does_what_the_model_says),
		cmocka_unit_test(what_a_death_leaves),
		cmocka_unit_test(not_everybody_may_die),
		cmocka_unit_test(the_dead_let_others_in),
		cmocka_unit_test(those_inside_together_are_counted),
		cmocka_unit_test(
			whoever_came_later_and_entered_earlier_overtakes),
		cmocka_unit_test(whoever_came_at_the_same_time_does_not),
		cmocka_unit_test(the_dead_are_not_inside),
		cmocka_unit_test(an_update_that_is_overwritten_is_noticed),
		cmocka_unit_test(impossible_plans_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
