/* SPDX-License-Identifier: MIT */
/*
 * litmus - what memory lets two to four short programs see: exactly these
 * outcomes where it is sequentially consistent, exactly those where stores wait
 * in buffers.  The classic shapes by their usual names (Alglave, Maranget &
 * Tautschnig 2014; Sewell et al. 2010, for n6).
 */
#include <stdbool.h>

#include "compare.h"
#include "toy.h"

enum { X, Y, Z, LITMUS_REGS }; /* Z: of nobody's interest */
enum { PROCS = 4, STEPS = 6 };

struct instruction {
	uint8_t kind, order, part, reg;
	uint64_t value; /* STORE, RMW: what it puts; CAS: what it expects */
	uint32_t wakes;
};

#define STORE(r, v)                                                            \
	{                                                                      \
		.kind = WICKET_STORE, .reg = (r), .value = (v)                 \
	}
#define LOAD(r)                                                                \
	{                                                                      \
		.kind = WICKET_LOAD, .reg = (r)                                \
	}
/* word 0 or 1 of a register */
#define STORE_WORD(r, w, v)                                                    \
	{                                                                      \
		.kind = WICKET_STORE, .part = 1 << (w), .reg = (r),            \
		.value = (v)                                                   \
	}
#define LOAD_WORD(r, w)                                                        \
	{                                                                      \
		.kind = WICKET_LOAD, .part = 1 << (w), .reg = (r)              \
	}
#define FENCE                                                                  \
	{                                                                      \
		.kind = WICKET_FENCE                                           \
	}
#define XCHG(r, v)                                                             \
	{                                                                      \
		.kind = WICKET_RMW, .reg = (r), .value = (v)                   \
	}
#define SEQ_CST(r, v)                                                          \
	{                                                                      \
		.kind = WICKET_STORE, .order = WICKET_SEQ_CST, .reg = (r),     \
		.value = (v)                                                   \
	}
#define LOST_CAS(r)                                                            \
	{                                                                      \
		.kind = WICKET_CAS, .reg = (r), .value = 9                     \
	}
/* of a register that does not hold what it should: it goes on at once */
#define SLEEP(r)                                                               \
	{                                                                      \
		.kind = WICKET_SLEEP, .reg = (r), .value = 9                   \
	}
#define WAKE(r)                                                                \
	{                                                                      \
		.kind = WICKET_STORE, .reg = (r), .wakes = 1                   \
	}

/* The outcome in digits: what was loaded (twice word 1 plus word 0), by process,
   and then the registers
   whose names are in `finally`. */
struct litmus {
	const char *name;
	struct instruction program[PROCS][STEPS];
	const char *finally;
	const char *sc, *tso; /* in ascending order */
};

static const struct litmus litmus_tests[] = {
	{ "SB",
	  { { STORE(X, 1), LOAD(Y) }, { STORE(Y, 1), LOAD(X) } },
	  "",
	  "01 10 11",
	  "00 01 10 11" },
	{ "MP",
	  { { STORE(X, 1), STORE(Y, 1) }, { LOAD(Y), LOAD(X) } },
	  "",
	  "00 01 11",
	  "00 01 11" },
	{ "LB",
	  { { LOAD(X), STORE(Y, 1) }, { LOAD(Y), STORE(X, 1) } },
	  "",
	  "00 01 10",
	  "00 01 10" },
	{ "R",
	  { { STORE(X, 1), STORE(Y, 1) }, { STORE(Y, 2), LOAD(X) } },
	  "y",
	  "01 11 12",
	  "01 02 11 12" },
	{ "2+2W",
	  { { STORE(X, 1), STORE(Y, 2) }, { STORE(Y, 1), STORE(X, 2) } },
	  "xy",
	  "12 21 22",
	  "12 21 22" },
	{ "IRIW",
	  { { STORE(X, 1) },
	    { STORE(Y, 1) },
	    { LOAD(X), LOAD(Y) },
	    { LOAD(Y), LOAD(X) } },
	  "",
	  "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 "
	  "1110 1111",
	  "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 "
	  "1110 1111" },
	{ "SB+rfi", /* each sees its own store before memory has it */
	  { { STORE(X, 1), LOAD(X), LOAD(Y) },
	    { STORE(Y, 1), LOAD(Y), LOAD(X) } },
	  "",
	  "1011 1110 1111",
	  "1010 1011 1110 1111" },
	{ "n6", /* its own 1 is seen, then drained on top of the 2 */
	  { { STORE(X, 1), LOAD(X), LOAD(Y) }, { STORE(Y, 1), STORE(X, 2) } },
	  "x",
	  "102 111 112 212",
	  "101 102 111 112 212" },
	{ "SB, fences",
	  { { STORE(X, 1), FENCE, LOAD(Y) }, { STORE(Y, 1), FENCE, LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, one fence",
	  { { STORE(X, 1), FENCE, LOAD(Y) }, { STORE(Y, 1), LOAD(X) } },
	  "",
	  "01 10 11",
	  "00 01 10 11" },
	{ "SB, a fence before the stores",
	  { { FENCE, STORE(X, 1), LOAD(Y) }, { FENCE, STORE(Y, 1), LOAD(X) } },
	  "",
	  "01 10 11",
	  "00 01 10 11" },
	{ "SB, exchanges",
	  { { XCHG(X, 1), LOAD(Y) }, { XCHG(Y, 1), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, seq_cst stores",
	  { { SEQ_CST(X, 1), LOAD(Y) }, { SEQ_CST(Y, 1), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, a locked operation elsewhere",
	  { { STORE(X, 1), XCHG(Z, 0), LOAD(Y) },
	    { STORE(Y, 1), XCHG(Z, 0), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, a comparison that fails",
	  { { STORE(X, 1), LOST_CAS(Z), LOAD(Y) },
	    { STORE(Y, 1), LOST_CAS(Z), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, sleep",
	  { { STORE(X, 1), SLEEP(Z), LOAD(Y) },
	    { STORE(Y, 1), SLEEP(Z), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "SB, a store that wakes",
	  { { STORE(X, 1), WAKE(Z), LOAD(Y) },
	    { STORE(Y, 1), WAKE(Z), LOAD(X) } },
	  "",
	  "01 10 11",
	  "01 10 11" },
	{ "MP, in the words of one register",
	  { { STORE_WORD(X, 0, 1), STORE_WORD(X, 1, 1) },
	    { LOAD_WORD(X, 1), LOAD_WORD(X, 0) } },
	  "",
	  "00 01 21",
	  "00 01 21" },
	{ "SB, in the words of one register",
	  { { STORE_WORD(X, 0, 1), LOAD_WORD(X, 1) },
	    { STORE_WORD(X, 1, 1), LOAD_WORD(X, 0) } },
	  "",
	  "01 20 21",
	  "00 01 20 21" },
	{ "SB, each loads both words",
	  { { STORE_WORD(X, 0, 1), LOAD(X) },
	    { STORE_WORD(X, 1, 1), LOAD(X) } },
	  "",
	  "13 32 33",
	  "12 13 32 33" },
	{ "the newest own store",
	  { { STORE(X, 1), STORE(X, 2), LOAD(X) } },
	  "x",
	  "22",
	  "22" },
	{ "the newest own store of each word",
	  { { STORE(X, 1), STORE_WORD(X, 1, 1), LOAD(X) } },
	  "",
	  "3",
	  "3" },
	{ "a store of all over one of a word",
	  { { STORE_WORD(X, 1, 1), STORE(X, 2), LOAD(X) } },
	  "",
	  "2",
	  "2" },
	{ "SB, a store between",
	  { { STORE(X, 1), STORE(Z, 0), LOAD(Y) },
	    { STORE(Y, 1), STORE(Z, 0), LOAD(X) } },
	  "",
	  "01 10 11",
	  "00 01 10 11" },
};

/* --- as an algorithm ------------------------------------------------------ */

static const struct litmus *test_of(const struct wicket_cfg *c)
{
	return &litmus_tests[c->variant];
}

static const struct instruction *next_of(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	return &test_of(c)->program[p.self - 1][p.pc];
}

static uint32_t litmus_registers(const struct wicket_cfg *c)
{
	(void)c;
	return LITMUS_REGS;
}

static struct wicket_register zero(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ 0 };
}

static struct wicket_proc begin(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

static enum wicket_region nowhere(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	(void)c, (void)p;
	return WICKET_REMAINDER;
}

static struct wicket_access litmus_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	const struct instruction *i = next_of(c, p);

	if (p.pc == STEPS || i->kind == WICKET_REST)
		return wicket_ask(WICKET_REST, 0);
	return (struct wicket_access){
		.kind = i->kind,
		.order = i->order,
		.part = i->part,
		.reg = i->reg,
		.expect = wicket_number(i->value),
	};
}

/* local[] gets what is loaded. */
static struct wicket_result litmus_step(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value seen)
{
	const struct instruction *i = next_of(c, p);
	uint64_t second = i->part ? i->value : 0;
	struct wicket_result r = { .proc = p,
				   .put = words(i->value, second, 0, 0) };

	r.wake = i->reg;
	r.wakes = i->wakes;
	if (i->kind == WICKET_LOAD)
		r.proc.local[p.pc] = seen.w[0] + 2 * seen.w[1];
	r.proc.pc++;
	return r;
}

static const struct wicket_algo litmus_algo = {
	.name = "litmus",
	.registers = litmus_registers,
	.reg = zero,
	.start = begin,
	.region = nowhere,
	.access = litmus_access,
	.step = litmus_step,
};

static struct named system_of(uint32_t test)
{
	struct named s = { .algo = &litmus_algo,
			   .cfg = { .k = 1, .variant = test } };

	while (s.cfg.n < PROCS && litmus_tests[test].program[s.cfg.n][0].kind)
		s.cfg.n++;
	snprintf(s.name, sizeof(s.name), "%s", litmus_tests[test].name);
	return s;
}

/* --- outcomes -------------------------------------------------------------- */

static void put_outcome(const struct litmus *test, const struct run *run,
			char *text)
{
	for (uint32_t i = 0; i < run->procs; i++) {
		for (uint32_t t = 0; t < STEPS; t++) {
			if (test->program[i][t].kind == WICKET_LOAD)
				*text++ = (char)('0' +
						 run->actor[i].proc.local[t]);
		}
	}
	for (const char *r = test->finally; *r; r++)
		*text++ = (char)('0' + run->reg[*r - 'x'].w[0]);
	*text = '\0';
}

enum { LENGTH = 8, OUTCOMES = 64 };

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* All outcomes in ascending order: of states in which nothing can happen. */
static void put_outcomes(const struct graph *g, const struct litmus *test,
			 char *text)
{
	char outcome[OUTCOMES][LENGTH] = { "" };
	const char *last = "";
	uint32_t count = 0;
	struct run run;

	run_start(&run, g->system.algo, &g->system.cfg, &g->system.world);
	for (uint32_t s = 0; s < g->states; s++) {
		if (graph_first(g, s) != graph_end(g, s))
			continue;
		assert_of(test->name, count < OUTCOMES);
		graph_run(g, s, &run);
		put_outcome(test, &run, outcome[count++]);
	}
	qsort(outcome, count, LENGTH, by_text);
	*text = '\0';
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(last, outcome[i]) != 0) {
			strcat(text, *text ? " " : "");
			strcat(text, outcome[i]);
		}
		last = outcome[i];
	}
}

static void assert_outcomes(uint32_t number, enum memory_model memory,
			    const char *expected)
{
	const struct world world = { .memory = memory };
	struct named s = system_of(number);
	char found[OUTCOMES * LENGTH];
	struct budget budget;
	struct graph g;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, s.algo, &s.cfg, &world, &budget);
	assert_of(s.name, g.complete);
	put_outcomes(&g, &litmus_tests[number], found);
	if (strcmp(found, expected) != 0)
		fail_msg("%s, %s: %s, but expected %s", s.name,
			 memory_names[memory], found, expected);
	graph_free(&g);
	compare_in(&s, &world); /* with the plain exploration */
}

static void each_shape_has_these_outcomes(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < sizeof(litmus_tests) / sizeof(*litmus_tests);
	     i++) {
		assert_outcomes(i, MEMORY_SC, litmus_tests[i].sc);
		assert_outcomes(i, MEMORY_TSO, litmus_tests[i].tso);
	}
}

/* --- buffers are full, and empty ------------------------------------------ */

static void do_step(struct run *run, uint32_t i, enum deed deed)
{
	uint16_t label = deed_of(i, deed);

	assert_true(run_can(run, label));
	run_do(run, label);
}

static bool can(const struct run *run, uint32_t i, enum deed deed)
{
	return run_can(run, deed_of(i, deed));
}

static const struct world tso = { .memory = MEMORY_TSO };

/* Process 1 counts: it stores its own steps. */
static struct wicket_access counts_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	return wicket_ask(p.pc < c->r ? WICKET_STORE : WICKET_REST, X);
}

static struct wicket_result counts_step(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	(void)c;
	r.proc.pc++;
	r.put = wicket_number(r.proc.pc);
	return r;
}

static struct named counter(uint32_t stores)
{
	static struct wicket_algo counts;
	struct named s = { .name = "counter",
			   .algo = &counts,
			   .cfg = { .n = 1, .k = 1, .r = stores } };

	counts = litmus_algo;
	counts.access = counts_access;
	counts.step = counts_step;
	return s;
}

static void a_full_buffer_makes_wait(void **state)
{
	struct named s = counter(BUFFER_DEFAULT + 2);
	struct run run;

	(void)state;
	run_start(&run, s.algo, &s.cfg, &tso);
	for (uint32_t t = 0; t < BUFFER_DEFAULT; t++)
		do_step(&run, 0, DEED_STEP);
	assert_false(can(&run, 0, DEED_STEP));
	assert_true(run_is_full(&run));
	do_step(&run, 0, DEED_DRAIN);
	assert_false(run_is_full(&run));
	assert_int_equal(run.reg[X].w[0], 1); /* the oldest */
	do_step(&run, 0, DEED_STEP);
	for (uint32_t t = 2; t <= BUFFER_DEFAULT + 1; t++) {
		do_step(&run, 0, DEED_DRAIN);
		assert_int_equal(run.reg[X].w[0], t);
	}
	assert_false(can(&run, 0, DEED_DRAIN));
}

static void assert_full_from(const struct world *world, uint32_t room)
{
	for (uint32_t stores = 1; stores <= BUFFER_MAX + 2; stores++) {
		struct named s = counter(stores);
		struct budget budget;
		struct graph g;

		budget_start(&budget, &(struct limits){ .threads = 1 });
		graph_explore(&g, s.algo, &s.cfg, world, &budget);
		assert_int_equal(g.system.buffer_full, stores > room);
		assert_true(system_has_buffered(&g.system));
		graph_free(&g);
		graph_explore(&g, s.algo, &s.cfg, &(struct world){ 0 },
			      &budget);
		assert_false(g.system.buffer_full);
		assert_false(system_has_buffered(&g.system));
		graph_free(&g);
		compare_in(&s, world);
	}
}

static void whether_one_was_full_is_known(void **state)
{
	(void)state;
	assert_full_from(&tso, BUFFER_DEFAULT);
	for (uint32_t room = 1; room <= BUFFER_MAX; room++)
		assert_full_from(
			&(struct world){ .memory = MEMORY_TSO, .buffer = room },
			room);
}

/* --- who dies, who sleeps -------------------------------------------------- */

enum { DYING = STEPS, GONE };

/* It stores 1 in X, then in Y; if it dies, 2 in X, by an access of this kind. */
static struct wicket_access mortal_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	if (p.pc == DYING)
		return wicket_ask(c->variant, X);
	return wicket_ask(p.pc < 2 ? WICKET_STORE : WICKET_REST, p.pc ? Y : X);
}

static struct wicket_result mortal_step(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	(void)c;
	r.put = wicket_number(p.pc == DYING ? 2 : 1);
	r.proc.pc = p.pc == DYING ? GONE : p.pc + 1;
	return r;
}

static struct wicket_proc mortal_event(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       enum wicket_event event)
{
	(void)c;
	if (event == WICKET_FAIL && p.pc < GONE)
		p.pc = DYING;
	return p;
}

static struct named mortal(enum wicket_kind kind)
{
	static struct wicket_algo algo;
	struct named s = { .name = "mortal",
			   .algo = &algo,
			   .cfg = { .n = 2, .k = 1, .variant = kind } };

	algo = litmus_algo;
	algo.access = mortal_access;
	algo.step = mortal_step;
	algo.event = mortal_event;
	return s;
}

/* The kernel writes its death down after what it stored: it just does nothing
   until then. */
static void a_locked_death_waits_for_the_buffer(void **state)
{
	const struct world world = { .memory = MEMORY_TSO, .crashes = 1 };
	struct named s = mortal(WICKET_RMW);
	struct run run;

	(void)state;
	run_start(&run, s.algo, &s.cfg, &world);
	assert_true(can(&run, 0, DEED_FAIL));
	do_step(&run, 0, DEED_STEP);
	assert_false(can(&run, 0, DEED_FAIL));
	do_step(&run, 0, DEED_DRAIN);
	assert_int_equal(run.reg[X].w[0], 1);
	do_step(&run, 0, DEED_FAIL);
	assert_int_equal(run.reg[X].w[0], 2);
	assert_int_equal(run.actor[0].mode, ACTOR_DEAD);
	compare_in(&s, &world);
}

/* One that is a store like any other; what the dead stored drains in order. */
static void the_buffer_of_the_dead_drains(void **state)
{
	const struct world world = { .memory = MEMORY_TSO, .crashes = 1 };
	struct named s = mortal(WICKET_STORE);
	struct run run;

	(void)state;
	run_start(&run, s.algo, &s.cfg, &world);
	do_step(&run, 0, DEED_STEP);
	do_step(&run, 0, DEED_STEP);
	do_step(&run, 0, DEED_FAIL);
	assert_int_equal(run.actor[0].mode, ACTOR_DEAD);
	assert_int_equal(run.reg[X].w[0], 0);
	do_step(&run, 0, DEED_DRAIN);
	assert_int_equal(run.reg[X].w[0], 1);
	assert_int_equal(run.reg[Y].w[0], 0);
	do_step(&run, 0, DEED_DRAIN);
	assert_int_equal(run.reg[Y].w[0], 1);
	do_step(&run, 0, DEED_DRAIN);
	assert_int_equal(run.reg[X].w[0], 2);
	assert_false(can(&run, 0, DEED_DRAIN));
	compare_in(&s, &world);
	compare_in(&s,
		   &(struct world){ .memory = MEMORY_TSO, .failures = true });
}

/* It stores 1 in X and sleeps on Z until it is woken. */
static struct wicket_access tired_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	(void)c;
	return p.pc == 0 ? wicket_ask(WICKET_STORE, X) :
	       p.pc == 1 ? wicket_ask(WICKET_SLEEP, Z) :
			   wicket_ask(WICKET_REST, X);
}

static void who_stored_sleeps_with_an_empty_buffer(void **state)
{
	const struct world exact = { .memory = MEMORY_TSO,
				     .sleep = SLEEP_EXACT };
	const struct world timed = { .memory = MEMORY_TSO,
				     .sleep = SLEEP_TIMED };
	struct wicket_algo tired = litmus_algo;
	struct named s = { .name = "tired",
			   .algo = &tired,
			   .cfg = { .n = 2, .k = 1 } };
	struct run run;

	(void)state;
	tired.access = tired_access;
	tired.step = counts_step;
	run_start(&run, s.algo, &s.cfg, &exact);
	do_step(&run, 0, DEED_STEP);
	assert_false(can(&run, 0, DEED_STEP));
	do_step(&run, 0, DEED_DRAIN);
	do_step(&run, 0, DEED_STEP);
	assert_int_equal(run.actor[0].mode, ACTOR_ASLEEP);
	compare_in(&s, &exact);
	compare_in(&s, &timed);
}

/* --- the registers as they will be ---------------------------------------- */

static void drained_registers_are_those_of_the_end(void **state)
{
	struct wicket_value regs[WICKET_REGS_MAX];
	struct named s = system_of(0); /* SB */
	struct run run;

	(void)state;
	run_start(&run, s.algo, &s.cfg, &tso);
	do_step(&run, 0, DEED_STEP);
	do_step(&run, 1, DEED_STEP);
	run_drained(&run, regs);
	assert_int_equal(regs[X].w[0], 1);
	assert_int_equal(regs[Y].w[0], 1);
	assert_int_equal(regs[Z].w[0], 0);
	assert_int_equal(run.reg[X].w[0], 0); /* not yet */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_shape_has_these_outcomes),
		cmocka_unit_test(a_full_buffer_makes_wait),
		cmocka_unit_test(whether_one_was_full_is_known),
		cmocka_unit_test(a_locked_death_waits_for_the_buffer),
		cmocka_unit_test(the_buffer_of_the_dead_drains),
		cmocka_unit_test(who_stored_sleeps_with_an_empty_buffer),
		cmocka_unit_test(drained_registers_are_those_of_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
