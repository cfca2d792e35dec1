/* SPDX-License-Identifier: MIT */
/*
 * growth - numbers that grow: what a cap leaves out, and the shortest way up
 * against brute force over all pairs of states.
 */
#include <stdlib.h>

#include "named.h"
#include "toy.h"

enum { FAR = 1000 };

static void raise_all(struct run *run, uint64_t by)
{
	struct wicket_proc procs[WICKET_PROCS_MAX];

	for (uint32_t i = 0; i < run->procs; i++)
		procs[i] = run->actor[i].proc;
	run->algo->raise(&run->cfg, run->reg, procs, by);
	for (uint32_t i = 0; i < run->procs; i++)
		run->actor[i].proc = procs[i];
	/* of what is stored by nothing but numbers */
	for (uint32_t i = 0; i < run->procs; i++) {
		for (uint32_t t = 0; t < BUFFER_MAX; t++) {
			uint64_t *x = &run->buffer[i].store[t].value.w[0];

			*x += *x > 1 ? by : 0;
		}
	}
}

static bool equal(const struct run *a, const struct run *b)
{
	return !memcmp(a->reg, b->reg, sizeof(a->reg)) &&
	       !memcmp(a->actor, b->actor, sizeof(a->actor)) &&
	       !memcmp(a->buffer, b->buffer, sizeof(a->buffer));
}

static struct run at(const struct graph *g, uint32_t state, uint64_t by)
{
	struct run run;

	run_start(&run, g->system.algo, &g->system.cfg, &g->system.world);
	graph_run(g, state, &run);
	raise_all(&run, by);
	return run;
}

static bool is_above(const struct graph *g, uint32_t low, uint32_t high)
{
	struct run there = at(g, high, 0), here = at(g, low, 0);

	for (uint64_t by = 1; by <= wicket_cap(&g->system.cfg); by++) {
		struct run up = at(g, low, by);

		if (!equal(&here, &up) && equal(&up, &there))
			return true;
	}
	return false;
}

/* The same step from numbers 1, 2 and 3 higher leads as much higher. */
static bool commutes(const struct graph *g, uint32_t state, uint64_t edge)
{
	bool same = !deed_saw(graph_label(g, edge));

	for (uint64_t by = 1; same && by <= 3; by++) {
		struct run run = at(g, state, by);
		struct run to = at(g, graph_target(g, edge), by);

		run_do(&run, graph_label(g, edge));
		same = equal(&run, &to);
	}
	return same;
}

/* Distances from one state along steps that commute. */
static void measure(const struct graph *g, const bool *keep, uint32_t from,
		    uint32_t *distance)
{
	bool changed = true;

	for (uint32_t s = 0; s < g->states; s++)
		distance[s] = s == from ? 0 : FAR;
	while (changed) {
		changed = false;
		for (uint32_t s = 0; s < g->states; s++) {
			for (uint64_t e = graph_first(g, s);
			     e < graph_end(g, s); e++) {
				uint32_t to = graph_target(g, e);

				if (!keep[e] || distance[s] + 1 >= distance[to])
					continue;
				distance[to] = distance[s] + 1;
				changed = true;
			}
		}
	}
}

/* The length of the shortest stem and way up, or FAR. */
static uint32_t brute(const struct graph *g)
{
	uint32_t *distance = calloc(g->states, sizeof(*distance));
	bool *keep = calloc(g->edges, sizeof(*keep));
	uint32_t best = FAR;

	assert_non_null(distance);
	assert_non_null(keep);
	for (uint32_t s = 0; s < g->states; s++) {
		for (uint64_t e = graph_first(g, s); e < graph_end(g, s); e++)
			keep[e] = commutes(g, s, e);
	}
	for (uint32_t s = 0; s < g->states; s++) {
		uint32_t depth = graph_depth(g, s);

		measure(g, keep, s, distance);
		for (uint32_t t = 0; t < g->states; t++) {
			if (depth + distance[t] < best && is_above(g, s, t))
				best = depth + distance[t];
		}
	}
	free(distance);
	free(keep);
	return best;
}

/* What was found can be done again and again, and is higher every time. */
static void repeat(const struct named *s, const struct world *world,
		   const struct schedule *found)
{
	struct wicket_cfg cfg = s->cfg;
	struct run run, before;

	cfg.cap = 254;
	run_start(&run, s->algo, &cfg, world);
	for (uint32_t t = 0; t < found->stem; t++)
		run_do(&run, found->label[t]);
	for (int lap = 0; lap < 20; lap++) {
		uint64_t by = 1;

		before = run;
		for (uint32_t t = found->stem; t < found->length; t++) {
			assert_of(s->name, run_can(&run, found->label[t]));
			run_do(&run, found->label[t]);
		}
		for (; by < 20; by++) {
			struct run up = before;

			raise_all(&up, by);
			if (equal(&up, &run))
				break;
		}
		assert_of(s->name, by < 20);
		assert_of(s->name, !equal(&before, &run));
	}
}

static void compare_in(const struct named *s, const struct world *world)
{
	static const char *const property = "bounded-numbers";
	struct enabled enabled = { 0 };
	struct budget budget;
	struct finding f;
	struct graph g;
	uint32_t best;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s->algo, &s->cfg, world, &budget);
	assert_of(s->name, g.complete);
	property_decide(&g, &property, &f, 1);
	best = brute(&g);
	assert_of(s->name, (f.verdict == HOLDS) == (best == FAR));
	if (f.verdict == FAILS) {
		assert_of(s->name, f.schedule.length == best);
		assert_of(s->name,
			  !property_judge(&g, &enabled, property, &f.schedule));
		repeat(s, world, &f.schedule);
		f.schedule.length--;
		assert_of(s->name,
			  property_judge(&g, &enabled, property, &f.schedule));
	}
	property_free(&f);
	graph_free(&g);
	assert_of(s->name, budget.used == 0);
}

static void compare(const struct named *s)
{
	compare_in(s, &(struct world){ 0 });
}

static void the_shortest_way_up(void **state)
{
	(void)state;
	check_mutants("bakery-2", 2, 1, compare);
	check_mutants("bakery-2:exercise-2", 2, 1, compare);
	check_mutants("bakery-n", 2, 1, compare);
	check_named("bakery-n", 3, 1, compare);
	check_mutants("bakery", 2, 1, compare);
}

/* --- numbers in buffers ---------------------------------------------------- */

/* Whoever climbs loads the register of the next, and stores one more in its own. */
enum { LOOK, STEP_UP };

static uint32_t one_each(const struct wicket_cfg *c)
{
	return c->n;
}

static struct wicket_register rung(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){ .range = wicket_cap(c) + 1,
					 .owner = r + 1 };
}

static struct wicket_proc climber(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

static enum wicket_region on_the_way(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	(void)c;
	return p.pc == STEP_UP ? WICKET_TRYING : WICKET_REMAINDER;
}

static struct wicket_access climb_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	return p.pc == LOOK ? wicket_ask(WICKET_LOAD, p.self % c->n) :
			      wicket_ask(WICKET_STORE, p.self - 1);
}

static struct wicket_result climb_step(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	(void)c;
	r.proc.pc = p.pc == LOOK ? STEP_UP : LOOK;
	r.proc.local[0] = p.pc == LOOK ? seen.w[0] + 1 : 0;
	if (p.pc == STEP_UP)
		r.put = wicket_number(p.local[0]);
	return r;
}

static int above_cap(const struct wicket_cfg *c, struct wicket_value v)
{
	return v.w[0] > wicket_cap(c);
}

static void raise_numbers(const struct wicket_cfg *c, struct wicket_value *regs,
			  struct wicket_proc *procs, uint64_t by)
{
	for (uint32_t i = 0; i < c->n; i++) {
		regs[i].w[0] += regs[i].w[0] > 1 ? by : 0;
		procs[i].local[0] += procs[i].local[0] > 1 ? by : 0;
	}
}

static const struct wicket_algo climbers = {
	.name = "climbers",
	.registers = one_each,
	.reg = rung,
	.start = climber,
	.region = on_the_way,
	.access = climb_access,
	.step = climb_step,
	.beyond = above_cap,
	.raise = raise_numbers,
};

static void numbers_in_buffers_grow(void **state)
{
	const struct world tso = { .memory = MEMORY_TSO };
	struct named s = { .name = "climbers",
			   .algo = &climbers,
			   .cfg = { .n = 1, .k = 1 } };

	(void)state;
	for (s.cfg.cap = 1; s.cfg.cap <= 8; s.cfg.cap++) {
		compare(&s);
		compare_in(&s, &tso);
	}
}

/* --- caps ------------------------------------------------------------------ */

/* With no room above 2 there is no way up, and nothing is said of it. */
static void caps(void **state)
{
	struct named s = named("bakery-2", 2, 1);

	(void)state;
	for (s.cfg.cap = 1; s.cfg.cap <= 7; s.cfg.cap++)
		compare(&s);
}

/* Steps that make a 2 of a 1 do not count: with these, one could come up from
   1 to 2 once, and never again. */
static void a_2_made_of_a_1_is_no_growth(void **state)
{
	static const char *const property = "bounded-numbers";
	struct named s = named("bakery-2", 2, 1);
	struct enabled enabled = { 0 };
	/* 1 takes 1, 2 takes 2, 1 enters and leaves, takes 3; and so on */
	uint16_t label[] = { 0, 1, 0, 0, 0, 1, 1, 1, 0, 0 };
	struct schedule schedule = {
		.length = 8, .label = label, .infinite = true, .stem = 2
	};
	struct budget budget;
	struct graph g;

	(void)state;
	s.cfg.cap = 8;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 }, &budget);
	/* from number=1,2 to number=3,4: 1 is not raised */
	assert_non_null(property_judge(&g, &enabled, property, &schedule));
	/* a stem into number=1,0 and the way to 0,2: a 2 of a 1 */
	schedule.stem = 0;
	assert_non_null(property_judge(&g, &enabled, property, &schedule));
	graph_free(&g);
}

static uint64_t greatest_of(const struct run *run)
{
	uint64_t most = 0;

	for (uint32_t r = 0; r < run->cfg.n; r++)
		most = run->reg[r].w[0] > most ? run->reg[r].w[0] : most;
	return most;
}

/* Every number up to the cap is explored, and none above. */
static void a_cap_is_reached_and_not_passed(void **state)
{
	(void)state;
	for (uint32_t cap = 1; cap <= 5; cap++) {
		struct named s = named("bakery", 2, 1);
		uint64_t most = 0;
		struct budget budget;
		struct graph g;

		s.cfg.cap = cap;
		budget_start(&budget, &(struct limits){ .threads = 1 });
		graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 },
			      &budget);
		assert_true(g.complete);
		for (uint32_t x = 0; x < g.states; x++) {
			struct run run = at(&g, x, 0);

			if (greatest_of(&run) > most)
				most = greatest_of(&run);
		}
		assert_int_equal(most, cap);
		graph_free(&g);
	}
}

static void some_properties_cannot_be_asked(void **state)
{
	const struct wicket_algo *bakery = named("bakery", 2, 1).algo;
	const struct wicket_algo *numbered = named("numbered", 2, 1).algo;

	(void)state;
	assert_non_null(property_unfit(bakery, "fifo-enabling"));
	assert_non_null(property_unfit(bakery, "k-deadlock-avoidance"));
	assert_null(property_unfit(bakery, "bounded-numbers"));
	assert_null(property_unfit(bakery, "starvation-freedom"));
	assert_null(property_unfit(bakery, "B1"));
	assert_null(property_unfit(numbered, "fifo-enabling"));
	assert_non_null(property_unfit(numbered, "bounded-numbers"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shortest_way_up),
		cmocka_unit_test(caps),
		cmocka_unit_test(numbers_in_buffers_grow),
		cmocka_unit_test(a_2_made_of_a_1_is_no_growth),
		cmocka_unit_test(a_cap_is_reached_and_not_passed),
		cmocka_unit_test(some_properties_cannot_be_asked),
	};

	return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
