/* SPDX-License-Identifier: MIT */
/*
 * breach - algorithms that break their own declarations are refused, by a line
 * that names process, step and what is wrong; one that keeps them is not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "toy.h"

#include "algo/registry.h"

/*
 * Each process raises its own flag, looks whether the other's is up, and if not
 * goes in, and out again.  What cfg.variant says goes wrong when it raises it.
 */
enum { READY, LOOK, INSIDE };

enum wrong {
	NOTHING,
	OTHERS_REGISTER,
	TOO_LARGE,
	SECOND_WORD,
	NO_SUCH_REGISTER,
	NO_SUCH_KIND,
	TOO_MANY_WORDS,
	NO_SUCH_WAKE,
	NO_SUCH_WATCH,
	BAD_START,
	BAD_OWNER,
	NO_REGISTERS,
	NO_SUCH_REGION,
	NO_SUCH_FIRST_REGION,
	WIDE,
	TOO_WIDE,
	OTHERS_BEYOND,
	NO_SUCH_ORDER,
	NO_SUCH_PART,
	PART_OF_ACTION,
	FENCE_SOMEWHERE,
};

/* The worlds that each is looked at in. */
static const struct world atomic, safe = { .safe = true };
static const struct world buffered = { .memory = MEMORY_TSO };
static const struct world *const worlds[] = { &atomic, &safe, &buffered };

static uint32_t flags(const struct wicket_cfg *c)
{
	return c->variant == NO_REGISTERS ? 0 : c->n;
}

static struct wicket_register flag(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.start = wicket_number(c->variant == BAD_START ? 2 : 0),
		.range = c->variant == WIDE	? 255 :
			 c->variant == TOO_WIDE ? 256 :
						  2,
		.owner = c->variant == BAD_OWNER ? 77 : r + 1,
	};
}

static struct wicket_proc process(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .self = i };
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	/* seven is three, if only two bits of it are kept */
	if (p.self == 2 && c->variant == NO_SUCH_REGION && p.pc == LOOK)
		return 7;
	if (p.self == 2 && c->variant == NO_SUCH_FIRST_REGION)
		return 4;
	return p.pc == INSIDE ? WICKET_CRITICAL :
	       p.pc == LOOK   ? WICKET_TRYING :
				WICKET_REMAINDER;
}

static struct wicket_access access_of(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	struct wicket_access a = wicket_ask(WICKET_STORE, p.self - 1);

	if (p.pc == LOOK)
		return wicket_ask(WICKET_LOAD, 2 - p.self);
	if (p.pc == INSIDE || p.self == 1)
		return a;
	if (c->variant == OTHERS_REGISTER || c->variant == OTHERS_BEYOND)
		a.reg = 0;
	if (c->variant == NO_SUCH_REGISTER)
		a.reg = 1000;
	if (c->variant == NO_SUCH_KIND)
		a.kind = WICKET_FENCE + 1;
	if (c->variant == TOO_MANY_WORDS)
		a.words = WICKET_WORDS + 1;
	if (c->variant == NO_SUCH_WATCH)
		a.watch = 1 << 2;
	if (c->variant == NO_SUCH_ORDER)
		a.order = WICKET_ACQUIRE;
	if (c->variant == NO_SUCH_PART)
		a.part = 1 << WICKET_WORDS;
	if (c->variant == PART_OF_ACTION || c->variant == FENCE_SOMEWHERE) {
		a.kind = c->variant == FENCE_SOMEWHERE ? WICKET_FENCE :
							 WICKET_RMW;
		a.part = c->variant == PART_OF_ACTION;
	}
	return a;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	bool wrong = p.self == 2;

	switch (p.pc) {
	case READY:
		r.proc.pc = LOOK;
		r.put = wicket_number(1);
		if (wrong &&
		    (c->variant == TOO_LARGE || c->variant == OTHERS_BEYOND))
			r.put = wicket_number(2);
		if (wrong && c->variant == SECOND_WORD)
			r.put.w[1] = 1;
		if (wrong && c->variant == NO_SUCH_WAKE) {
			r.wake = 2;
			r.wakes = 1;
		}
		break;
	case LOOK:
		r.proc.pc = seen.w[0] ? LOOK : INSIDE;
		break;
	default:
		r.proc.pc = READY;
		r.put = wicket_number(0);
		break;
	}
	return r;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	t->length = (uint32_t)snprintf(t->s, sizeof(t->s), "%s",
				       p.pc == READY ? "raise" : "go on");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c, (void)regs, (void)t;
}

/* Numbers above 1 are not explored. */
static int beyond(const struct wicket_cfg *c, struct wicket_value v)
{
	return c->variant == OTHERS_BEYOND && v.w[0] > 1;
}

static void raise_all(const struct wicket_cfg *c, struct wicket_value *regs,
		      struct wicket_proc *procs, uint64_t by)
{
	(void)c, (void)regs, (void)procs, (void)by;
}

static const struct wicket_algo toy = {
	.name = "toy",
	.title = "two flags",
	.source = "none",
	.registers = flags,
	.reg = flag,
	.start = process,
	.region = region,
	.access = access_of,
	.step = step,
	.show_step = show_step,
	.show = show,
	.beyond = beyond,
	.raise = raise_all,
};

/* --- in a child, who may end ----------------------------------------------- */

static void explore(enum wrong wrong, const struct world *world)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .r = 1, .variant = wrong };
	struct budget budget;
	struct graph g;

	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, &toy, &c, world, &budget);
	graph_free(&g);
}

/* Process 2 takes the first step of a run. */
static void walk(enum wrong wrong, const struct world *world)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .r = 1, .variant = wrong };
	struct run run;

	run_start(&run, &toy, &c, world);
	run_do(&run, deed_label(1, DEED_STEP, 0));
	if (world->safe) /* the end of the write */
		run_do(&run, deed_label(1, DEED_STEP, 0));
}

/* Its exit code, and what it said. */
static int in_child(void (*what)(enum wrong, const struct world *),
		    enum wrong wrong, const struct world *world, char *said,
		    size_t size)
{
	int ends[2], status;
	ssize_t got;
	size_t length = 0;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		what(wrong, world);
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], said + length, size - 1 - length)) > 0)
		length += (size_t)got;
	said[length] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_of(said, WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void assert_refused(enum wrong wrong, const char *line)
{
	static void (*const ways[])(enum wrong,
				    const struct world *) = { explore, walk };

	for (int w = 0; w < 6; w++) {
		char said[512];
		int code = in_child(ways[w % 2], wrong, worlds[w / 2], said,
				    sizeof(said));

		assert_string_equal(said, line);
		assert_int_equal(code, EX_SOFTWARE);
	}
}

static void accepts_what_keeps_its_word(void **state)
{
	(void)state;
	for (int w = 0; w < 6; w++) {
		char said[512];
		int code = in_child(w % 2 ? explore : walk, NOTHING,
				    worlds[w / 2], said, sizeof(said));

		assert_string_equal(said, "");
		assert_int_equal(code, 0);
	}
}

static void refuses_writes(void **state)
{
	(void)state;
	assert_refused(OTHERS_REGISTER,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "writes what belongs to another process, register 0\n");
	assert_refused(OTHERS_BEYOND,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "writes what belongs to another process, register 0\n");
	assert_refused(TOO_LARGE,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "writes a value outside the range of register 1\n");
	assert_refused(SECOND_WORD,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "writes a value outside the range of register 1\n");
}

static void refuses_accesses(void **state)
{
	(void)state;
	assert_refused(NO_SUCH_REGISTER,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "uses a register that does not exist, register 1000\n");
	assert_refused(NO_SUCH_KIND,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "does what is no access, to register 1\n");
	assert_refused(TOO_MANY_WORDS,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "compares more words than there are in register 1\n");
	assert_refused(
		NO_SUCH_WAKE,
		"wicket-verify: toy: process 2, step 'raise' (pc 0): "
		"wakes sleepers on a register that does not exist, register 2\n");
	assert_refused(NO_SUCH_WATCH,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "watches registers that do not exist, beside register "
		       "1\n");
}

static void refuses_orders_parts_and_fences(void **state)
{
	(void)state;
	assert_refused(NO_SUCH_ORDER,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "orders an access as there is none, to register 1\n");
	assert_refused(NO_SUCH_PART,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "touches words that are not in register 1\n");
	assert_refused(PART_OF_ACTION,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "touches a part only, though it neither loads nor "
		       "stores, of register 1\n");
	assert_refused(FENCE_SOMEWHERE,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "has a fence, which touches no register, but names "
		       "register 1\n");
}

/* What waits in a buffer is not what a quotient makes of it. */
static struct wicket_result itself(const struct wicket_cfg *c,
				   struct wicket_proc p, struct wicket_value v)
{
	(void)c;
	return (struct wicket_result){ .proc = p, .put = v };
}

static void explore_quotient(enum wrong wrong, const struct world *world)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .r = 1, .variant = wrong };
	struct wicket_algo quotient = toy;
	struct budget budget;
	struct graph g;

	quotient.quotient = itself;
	budget_start(&budget, &(struct limits){ .threads = 1 });
	graph_explore(&g, &quotient, &c, world, &budget);
	graph_free(&g);
}

static void refuses_a_quotient_with_buffers(void **state)
{
	char said[512];

	(void)state;
	assert_int_equal(in_child(explore_quotient, NOTHING, &atomic, said,
				  sizeof(said)),
			 0);
	assert_string_equal(said, "");
	assert_int_equal(in_child(explore_quotient, NOTHING, &buffered, said,
				  sizeof(said)),
			 EX_SOFTWARE);
	assert_string_equal(said, "wicket-verify: toy: process 1, step "
				  "'raise' (pc 0): has a quotient, but would "
				  "keep in a buffer what it stores in "
				  "register 0\n");
}

static void refuses_regions(void **state)
{
	(void)state;
	assert_refused(NO_SUCH_REGION,
		       "wicket-verify: toy: process 2, step 'go on' (pc 1): "
		       "is in what is no region, 7\n");
	assert_refused(NO_SUCH_FIRST_REGION,
		       "wicket-verify: toy: process 2, step 'raise' (pc 0): "
		       "is in what is no region, 4\n");
}

static void refuses_declarations(void **state)
{
	(void)state;
	assert_refused(BAD_START, "wicket-verify: toy: starts outside the "
				  "range of register 0\n");
	assert_refused(BAD_OWNER,
		       "wicket-verify: toy: no process owns register 0\n");
	assert_refused(NO_REGISTERS, "wicket-verify: toy: declares too few or "
				     "too many registers, 0\n");
}

/* What is seen of a write under way must fit a label. */
static void refuses_safe_registers_that_are_too_wide(void **state)
{
	char said[512];

	(void)state;
	assert_int_equal(in_child(explore, WIDE, &safe, said, sizeof(said)), 0);
	assert_int_equal(
		in_child(explore, TOO_WIDE, &atomic, said, sizeof(said)), 0);
	assert_string_equal(said, "");
	assert_int_equal(in_child(walk, TOO_WIDE, &safe, said, sizeof(said)),
			 EX_SOFTWARE);
	assert_int_equal(in_child(explore, TOO_WIDE, &safe, said, sizeof(said)),
			 EX_SOFTWARE);
	assert_string_equal(said, "wicket-verify: toy: has too many values to "
				  "be safe, register 0\n");
}

/* --- functions that are not there ------------------------------------------ */

#define assert_missing(what, function)                                         \
	do {                                                                   \
		struct wicket_algo without = toy;                              \
		without.function = NULL;                                       \
		assert_string_equal(wicket_missing(&without), what);           \
	} while (0)

static void misses_functions(void **state)
{
	static const struct wicket_named names[] = { { "X", "x" }, { 0 } };
	struct wicket_algo more = toy;

	(void)state;
	assert_null(wicket_missing(&toy));
	for (size_t i = 0; wicket_algos[i]; i++)
		assert_of(wicket_algos[i]->name,
			  !wicket_missing(wicket_algos[i]));
	assert_missing("name", name);
	assert_missing("title", title);
	assert_missing("source", source);
	assert_missing("registers", registers);
	assert_missing("reg", reg);
	assert_missing("start", start);
	assert_missing("region", region);
	assert_missing("access", access);
	assert_missing("step", step);
	assert_missing("show_step", show_step);
	assert_missing("show", show);
	more.points = names;
	assert_string_equal(wicket_missing(&more), "passed");
	assert_missing("raise", raise);
	more = toy;
	more.invariants = names;
	assert_string_equal(wicket_missing(&more), "holds");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_what_keeps_its_word),
		cmocka_unit_test(refuses_writes),
		cmocka_unit_test(refuses_accesses),
		cmocka_unit_test(refuses_orders_parts_and_fences),
		cmocka_unit_test(refuses_a_quotient_with_buffers),
		cmocka_unit_test(refuses_regions),
		cmocka_unit_test(refuses_declarations),
		cmocka_unit_test(refuses_safe_registers_that_are_too_wide),
		cmocka_unit_test(misses_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
