/* SPDX-License-Identifier: MIT */
/*
 * minimal - merged values: hand-made systems, machines that nobody designed
 * against every partition there is, and the merged system run beside the
 * original.
 */
#include <stdlib.h>

#include "explored.h"

#include "verify/equiv.h"
#include "verify/space/minimal.h"

/* A system, its machine, and its values merged. */
struct merged {
	struct named s;
	struct budget budget;
	struct graph g;
	struct machine m;
	struct minimal x;
};

static void merge_named(struct merged *w, const struct named *s)
{
	*w = (struct merged){ .s = *s };
	budget_start(&w->budget, &(struct limits){ .threads = 1 });
	graph_explore_states(&w->g, s->algo, &s->cfg, &(struct world){ 0 },
			     &w->budget);
	assert_of(s->name, w->g.complete);
	assert_of(s->name, machine_of(&w->m, &w->g));
	assert_of(s->name, minimal_find(&w->x, &w->m));
	assert_of(s->name, w->m.values == graph_shared_values(&w->g));
	assert_of(s->name, 1 <= w->x.at_least);
	assert_of(s->name, w->x.at_least <= w->x.at_most);
	assert_of(s->name, w->x.at_most <= w->x.canonical);
	assert_of(s->name, w->x.canonical <= w->m.values);
}

static void merged_free(struct merged *w)
{
	minimal_free(&w->x, &w->budget);
	machine_free(&w->m);
	graph_free(&w->g);
	assert_of(w->s.name, w->budget.used == 0);
}

static void assert_merged(const char *name, uint32_t n, uint32_t k,
			  uint32_t values, uint32_t at_least, uint32_t at_most,
			  uint32_t canonical)
{
	struct named s = named(name, n, k);
	struct merged w;

	merge_named(&w, &s);
	assert_of(s.name, w.m.values == values);
	assert_of(s.name, w.x.at_least == at_least);
	assert_of(s.name, w.x.at_most == at_most);
	assert_of(s.name, w.x.canonical == canonical);
	merged_free(&w);
}

static void a_counter_needs_all_its_values(void **state)
{
	(void)state;
	/* from COUNT to k there are k - COUNT steps into C */
	assert_merged("semaphore", 2, 1, 2, 2, 2, 2);
	assert_merged("semaphore", 4, 3, 4, 4, 4, 4);
}

/*
 * Of (), (1), (2), (1 2), (2 1): who meets (1) is 1 in T or C, and 2 in R; who
 * meets (2) is 2 in T or C, and 1 in R: nobody meets both.  () is met by both in
 * R, so it differs from either: 1 enters from (), and waits from (2).  Of (1 2)
 * and (2 1), 1 in T enters by one and waits by the other.  (1 2) and () are met
 * by nobody in common, (1 2) and (2) by 2 in T, who waits or enters.
 */
static void a_line_of_two_needs_three(void **state)
{
	(void)state;
	assert_merged("queue", 2, 1, 5, 3, 3, 5);
}

/* --- the merged system, run beside the original ------------------------------- */

static struct {
	struct merged *w;
	struct wicket_proc proc[1024]; /* by local state */
	bool known[1024];
	bool strayed; /* it met what the original never meets */
} beside;

static uint32_t local_number(struct wicket_proc p)
{
	uint32_t x = 0;

	while (x < beside.w->m.locals &&
	       (!beside.known[x] ||
		memcmp(&beside.proc[x], &p, sizeof(p)) != 0))
		x++;
	return x;
}

static struct wicket_register class_reg(const struct wicket_cfg *c, uint32_t r)
{
	const uint32_t *class_of = beside.w->x.class_of.base;

	(void)c, (void)r;
	return (struct wicket_register){ .start = wicket_number(class_of[0]) };
}

static struct wicket_access class_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	(void)c, (void)p;
	return wicket_ask(WICKET_RMW, 0);
}

static struct wicket_result class_step(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       struct wicket_value seen)
{
	const uint32_t *class_of = beside.w->x.class_of.base;
	const struct machine *m = &beside.w->m;
	struct wicket_result r = { .proc = p, .put = seen };
	uint32_t x = local_number(p);

	(void)c;
	for (uint32_t v = 0; v < m->values && x < m->locals; v++) {
		struct transition t = machine_next(m, v, x);

		if (class_of[v] != seen.w[0] || t.value == MACHINE_NEVER)
			continue;
		r.proc = beside.proc[t.local];
		r.put = wicket_number(class_of[t.value]);
		return r;
	}
	beside.strayed = true;
	return r;
}

static uint32_t class_processes(const struct wicket_cfg *c)
{
	return wicket_processes(beside.w->s.algo, c);
}

static struct wicket_algo class_algo(const struct wicket_algo *original)
{
	return (struct wicket_algo){
		.name = "classes",
		.processes = class_processes,
		.registers = one_register,
		.reg = class_reg,
		.start = original->start,
		.region = original->region,
		.access = class_access,
		.step = class_step,
	};
}

static void learn_locals(struct merged *w)
{
	uint32_t parts[SYSTEM_PARTS_MAX];
	struct run run;

	memset(&beside, 0, sizeof(beside));
	beside.w = w;
	assert_of(w->s.name, w->m.locals <= 1024);
	run_start(&run, w->s.algo, &w->s.cfg, &(struct world){ 0 });
	for (uint32_t state = 0; state < w->g.states; state++) {
		graph_unpack(&w->g, state, parts);
		graph_run(&w->g, state, &run);
		for (uint32_t i = 0; i < run.procs; i++) {
			uint32_t x = machine_local(&w->m, &w->g.system, parts,
						   i);

			beside.known[x] = true;
			beside.proc[x] = run.actor[i].proc;
		}
	}
}

/* How the two compare, and how many values the merged one reaches. */
static enum verdict compare(struct merged *w, uint64_t *pairs, uint64_t *values)
{
	struct wicket_algo algo = class_algo(w->s.algo);
	struct task a = { .name = "", .algo = w->s.algo, .cfg = w->s.cfg };
	struct task b = { .name = "", .algo = &algo, .cfg = w->s.cfg };
	struct budget budget;
	struct graph g;
	struct equiv e;

	learn_locals(w);
	equiv_run(&e, &a, &b);
	*pairs = e.pairs;
	equiv_free(&e);
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore_states(&g, &algo, &w->s.cfg, &(struct world){ 0 },
			     &budget);
	*values = graph_shared_values(&g);
	graph_free(&g);
	return e.verdict;
}

static void check_merged(const struct named *s)
{
	uint64_t pairs, values;
	struct merged w;

	/* a quotient is not steps alone, a line's processes rest, and so do
	   those that come to a cap */
	if (s->algo->has_seats || s->algo->beyond ||
	    (s->cfg.inner && s->cfg.inner->has_seats) ||
	    wicket_has_quotient(s->algo, &s->cfg) ||
	    s->algo->reg(&s->cfg, 0).owner)
		return;
	merge_named(&w, s);
	assert_of(s->name, compare(&w, &pairs, &values) == HOLDS);
	assert_of(s->name, !beside.strayed);
	assert_of(s->name, pairs == w.g.states);
	assert_of(s->name, values == w.x.at_most);
	merged_free(&w);
}

static void merged_values_change_nothing(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 3; n++) {
		for (uint32_t k = 1; k < n; k++)
			check_all(n, k, check_merged);
	}
	check_named("queue", 4, 2, check_merged);
	check_named("bank", 4, 2, check_merged);
	check_named("colored", 4, 2, check_merged);
	check_named("colored:tight", 4, 2, check_merged);
}

/* The control: two distinguishable values in one class are noticed. */
static void wrong_classes_show(void **state)
{
	struct named s = named("queue", 3, 1);
	uint64_t pairs, values;
	struct merged w;
	uint32_t *class_of;

	(void)state;
	merge_named(&w, &s);
	class_of = w.x.class_of.base;
	for (uint32_t v = 0; v < w.m.values; v++)
		class_of[v] = class_of[v] == 1 ? 0 : class_of[v];
	assert_true(compare(&w, &pairs, &values) == FAILS || beside.strayed);
	merged_free(&w);
}

/* --- k = n - 1 in 2k + 1 values (doc/space.md) ----------------------------------- */

/* 0..n-1: so many are outside R; n-1+i: all are, and P_i came last.  W_1 is
   written 0: who is in R never meets it, who is not never meets the other. */
static uint64_t waits_for(const struct wicket_cfg *c, uint32_t i)
{
	return i == 1 ? 0 : c->n - 1 + i;
}

static bool is_full(const struct wicket_cfg *c, uint64_t v)
{
	return !v || v >= c->n;
}

static struct wicket_proc last_start(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = WICKET_REMAINDER, .self = i };
}

static enum wicket_region last_region(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	(void)c;
	return p.pc;
}

static struct wicket_result last_step(const struct wicket_cfg *c,
				      struct wicket_proc p,
				      struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint64_t v = seen.w[0];

	if (p.pc == WICKET_CRITICAL) {
		r.proc.pc = WICKET_REMAINDER;
		r.put = wicket_number(is_full(c, v) ? c->n - 1 : v - 1);
	} else if (p.pc == WICKET_REMAINDER && v == c->n - 1) {
		r.proc.pc = WICKET_TRYING;
		r.put = wicket_number(waits_for(c, p.self));
	} else if (p.pc == WICKET_REMAINDER) {
		r.proc.pc = WICKET_CRITICAL;
		r.put = wicket_number(v + 1);
	} else if (v != waits_for(c, p.self)) {
		r.proc.pc = WICKET_CRITICAL;
	}
	return r;
}

static struct wicket_register last_reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 0 };
}

static const struct wicket_algo last_waits = {
	.name = "last-waits",
	.registers = one_register,
	.reg = last_reg,
	.start = last_start,
	.region = last_region,
	.access = class_access,
	.step = last_step,
};

static void one_slot_less_than_processes_is_cheap(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 6; n++) {
		struct named queue = named("queue", n, n - 1);
		struct named last = { .algo = &last_waits, .cfg = queue.cfg };
		struct task a = { .algo = queue.algo, .cfg = queue.cfg };
		struct task b = { .algo = last.algo, .cfg = last.cfg };
		struct merged w;
		struct equiv e;

		equiv_run(&e, &a, &b);
		assert_of(queue.name, e.verdict == HOLDS);
		equiv_free(&e);
		merge_named(&w, &last);
		assert_of(queue.name, w.m.values == 2 * n - 1);
		assert_of(queue.name, w.x.at_least == 2 * n - 1);
		merged_free(&w);
	}
}

/* --- machines that nobody designed --------------------------------------------- */

enum { VALUES = 6, LOCALS = 4 };

struct drawn {
	struct budget budget;
	struct machine m;
	uint64_t seed;
};

static uint32_t draw(struct drawn *d, uint32_t limit)
{
	d->seed = d->seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(d->seed >> 33) % limit;
}

/* Some are full, some nearly empty. */
static void draw_machine(struct drawn *d, uint32_t seed)
{
	uint32_t full = seed % 5;
	struct transition *t;

	*d = (struct drawn){ .seed = seed };
	budget_start(&d->budget, &(struct limits){ .threads = 1 });
	d->m = (struct machine){ .values = VALUES,
				 .locals = LOCALS,
				 .budget = &d->budget };
	assert_true(store_room(&d->m.next, &d->budget,
			       VALUES * LOCALS * sizeof(*t)));
	t = d->m.next.base;
	for (uint32_t i = 0; i < VALUES * LOCALS; i++) {
		t[i] = (struct transition){ MACHINE_NEVER, MACHINE_NEVER };
		if (draw(d, 6) <= full)
			t[i] = (struct transition){ draw(d, VALUES),
						    draw(d, 2) };
	}
}

static bool is_compatible(const struct machine *m, const uint32_t *class_of,
			  bool met_by_the_same)
{
	for (uint32_t v = 0; v < m->values; v++) {
		for (uint32_t x = 0; x < m->locals; x++) {
			for (uint32_t w = 0; w < v; w++) {
				struct transition a = machine_next(m, v, x);
				struct transition b = machine_next(m, w, x);
				bool one = a.value == MACHINE_NEVER;
				bool other = b.value == MACHINE_NEVER;

				if (class_of[v] != class_of[w])
					continue;
				if (met_by_the_same && one != other)
					return false;
				if (one || other)
					continue;
				if (a.local != b.local ||
				    class_of[a.value] != class_of[b.value])
					return false;
			}
		}
	}
	return true;
}

/* The least number of classes, by trying every partition. */
static uint32_t fewest(const struct machine *m, bool met_by_the_same)
{
	uint32_t class_of[VALUES] = { 0 }, best = VALUES;

	for (;;) {
		uint32_t v = VALUES - 1, classes = 0, most = 0;

		for (uint32_t i = 0; i < VALUES; i++)
			classes = class_of[i] >= classes ? class_of[i] + 1 :
							   classes;
		if (classes < best &&
		    is_compatible(m, class_of, met_by_the_same))
			best = classes;
		/* the next one: a class is at most one more than any before */
		for (; v; v--) {
			most = 0;
			for (uint32_t i = 0; i < v; i++)
				most = class_of[i] > most ? class_of[i] : most;
			if (class_of[v] <= most)
				break;
			class_of[v] = 0;
		}
		if (!v)
			return best;
		class_of[v]++;
	}
}

static void every_partition_was_thought_of(void **state)
{
	uint32_t exact = 0, merging = 0;

	(void)state;
	for (uint32_t seed = 0; seed < 500; seed++) {
		struct drawn d;
		struct minimal x;
		char name[32];
		uint32_t best;

		snprintf(name, sizeof(name), "seed %u", seed);
		draw_machine(&d, seed);
		assert_of(name, minimal_find(&x, &d.m));
		best = fewest(&d.m, false);
		assert_of(name, x.at_least <= best);
		assert_of(name, best <= x.at_most);
		assert_of(name, is_compatible(&d.m, x.class_of.base, false));
		assert_of(name, x.canonical == fewest(&d.m, true));
		exact += x.at_least == x.at_most;
		merging += x.at_most < VALUES;
		minimal_free(&x, &d.budget);
		store_free(&d.m.next, &d.budget);
		assert_of(name, d.budget.used == 0);
	}
	/* the bounds would also hold if they said nothing */
	assert_true(exact > 400);
	assert_true(merging > 200);
}

/* Wherever the memory ends, nothing is claimed and nothing is lost. */
static void memory_may_run_out(void **state)
{
	struct named s = named("colored", 3, 2);
	uint32_t limits = 0;
	bool found = false;

	(void)state;
	while (!found) {
		struct budget budget;
		struct machine m = { .budget = &budget };
		struct minimal x = { 0 };
		struct graph g;

		budget_start(&budget, &(struct limits){
					      .memory = 2048 * (size_t)++limits,
					      .threads = 1 });
		graph_explore_states(&g, s.algo, &s.cfg, &(struct world){ 0 },
				     &budget);
		found = g.complete && machine_of(&m, &g) &&
			minimal_find(&x, &m);
		assert_true(found == !budget.end);
		minimal_free(&x, &budget);
		machine_free(&m);
		graph_free(&g);
		assert_int_equal(budget.used, 0);
	}
	assert_true(limits > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_needs_all_its_values),
		cmocka_unit_test(a_line_of_two_needs_three),
		cmocka_unit_test(merged_values_change_nothing),
		cmocka_unit_test(wrong_classes_show),
		cmocka_unit_test(one_slot_less_than_processes_is_cheap),
		cmocka_unit_test(every_partition_was_thought_of),
		cmocka_unit_test(memory_may_run_out),
	};

	return cmocka_run_group_tests_name("minimal", tests, NULL, NULL);
}
