/* SPDX-License-Identifier: MIT */
/*
 * bakery-2, bakery-n - whoever holds the least number is served.
 *
 * Source   Ben-Ari, 5.1 (two processes, p is 1 and q is 2) and 5.2; bakery-2's
 *          mutant split is exercise 1, its variant exercise-2 exercise 2.
 * Value    number[1..n] in one register, 16 bits each: taking a number, which
 *          is 1 + the maximum of all, is one atomic action, as 5.1 and 5.2
 *          assume.  Every other step uses one number only.
 * B1       number[i] = 0 iff process i has taken none: the first two formulas
 *          of the lemma on 5.1 (mutant keep).
 * B2       whoever is in C comes before all who have a number and wait: the
 *          other two (mutants split, split-max: to look and then to take).
 * Safety   of two in C each would come before the other.
 * FIFO     from the moment a number is taken.
 * Numbers  grow without bound if somebody always has one (exercise 3).  They
 *          are compared, and 1 is added to their maximum, nothing else.
 * Crash    a crash with a number stops everybody.
 */
#include "algo/algo.h"
#include "algo/registers.h"

enum pc {
	TAKE,  /* R: number[i] := 1 + max(number) */
	ONE,   /* R of exercise-2: number[i] := 1 */
	LOOK,  /* temp := max(temp, number[J]) */
	PUT,   /* number[i] := 1 + temp */
	WAIT,  /* await number[J] = 0 or number[i] << number[J] */
	LEAVE, /* C: number[i] := 0 */
};

enum local { J, TEMP };
enum variant { EXERCISE_2 = 1 };
enum mutant { SPLIT = 1, KEEP };

enum { PER_WORD = 4, BITS = 16 };

static uint64_t number(struct wicket_value v, uint64_t i)
{
	return v.w[(i - 1) / PER_WORD] >> BITS * ((i - 1) % PER_WORD) & 0xffff;
}

static struct wicket_value with_number(struct wicket_value v, uint64_t i,
				       uint64_t x)
{
	v.w[(i - 1) / PER_WORD] ^= (number(v, i) ^ x)
				   << BITS * ((i - 1) % PER_WORD);
	return v;
}

static const char *refuse_n(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 : "bakery-n is mutual exclusion: k must be 1";
}

static const char *refuse_2(const struct wicket_cfg *c)
{
	return c->k == 1 && c->n == 2 ?
		       0 :
		       "bakery-2 is mutual exclusion of two: n = 2, k = 1";
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ 0 };
}

/* The process after j, other than i; 0: none. */
static uint64_t other_after(const struct wicket_cfg *c, struct wicket_proc p,
			    uint64_t j)
{
	if (++j == p.self)
		j++;
	return j <= c->n ? j : 0;
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = { .pc = TAKE, .self = i };

	if (c->variant == EXERCISE_2) {
		p.pc = ONE;
	} else if (c->mutant == SPLIT) {
		p.pc = LOOK;
		p.local[J] = other_after(c, p, 0);
	}
	return p;
}

/* With the mutant a look leaves R; with exercise-2 it comes later. */
static int is_resting(const struct wicket_cfg *c, struct wicket_proc p)
{
	return p.pc == TAKE || p.pc == ONE ||
	       (p.pc == LOOK && c->variant != EXERCISE_2 &&
		p.local[J] == other_after(c, p, 0));
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	return wicket_region_without_exit(is_resting(c, p), p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	return wicket_ask(p.pc == LOOK ? WICKET_LOAD :
			  p.pc == WAIT ? WICKET_AWAIT :
					 WICKET_RMW,
			  0);
}

/* a << b: the lesser number, of equal ones the lesser process. */
static int comes_before(struct wicket_value v, uint64_t i, uint64_t j)
{
	return number(v, i) < number(v, j) ||
	       (number(v, i) == number(v, j) && i < j);
}

static uint64_t greatest(const struct wicket_cfg *c, struct wicket_value v)
{
	uint64_t max = 0;

	for (uint64_t j = 1; j <= c->n; j++)
		max = number(v, j) > max ? number(v, j) : max;
	return max;
}

/* It has its number: the others are waited for in turn. */
static struct wicket_proc numbered(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	p.pc = WAIT;
	p.local[J] = other_after(c, p, 0);
	p.local[TEMP] = 0;
	return p;
}

static struct wicket_proc looked(const struct wicket_cfg *c,
				 struct wicket_proc p, uint64_t seen)
{
	if (seen > p.local[TEMP])
		p.local[TEMP] = seen;
	p.local[J] = other_after(c, p, p.local[J]);
	if (!p.local[J])
		p.pc = PUT;
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value v)
{
	struct wicket_result r = { .proc = p, .put = v };
	uint64_t j = p.local[J];

	switch (p.pc) {
	case TAKE:
		r.put = with_number(v, p.self, 1 + greatest(c, v));
		r.proc = numbered(c, p);
		break;
	case ONE:
		r.put = with_number(v, p.self, 1);
		r.proc.pc = LOOK;
		r.proc.local[J] = other_after(c, p, 0);
		break;
	case LOOK:
		r.proc = looked(c, p, number(v, j));
		break;
	case PUT:
		r.put = with_number(v, p.self, 1 + p.local[TEMP]);
		r.proc = numbered(c, p);
		break;
	case WAIT:
		if (number(v, j) && !comes_before(v, p.self, j))
			break;
		r.proc.local[J] = other_after(c, p, j);
		if (!r.proc.local[J])
			r.proc.pc = LEAVE;
		break;
	case LEAVE:
		if (c->mutant != KEEP)
			r.put = with_number(v, p.self, 0);
		r.proc = start(c, p.self);
		break;
	}
	return r;
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	(void)c, (void)i;
	return p.pc == WAIT;
}

static int beyond(const struct wicket_cfg *c, struct wicket_value v)
{
	return greatest(c, v) > wicket_cap(c);
}

static void raise(const struct wicket_cfg *c, struct wicket_value *regs,
		  struct wicket_proc *procs, uint64_t by)
{
	for (uint32_t i = 1; i <= c->n; i++) {
		uint64_t x = number(regs[0], i);

		if (x > 1)
			regs[0] = with_number(regs[0], i, x + by);
		if (procs[i - 1].local[TEMP] > 1)
			procs[i - 1].local[TEMP] += by;
	}
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	for (uint32_t i = 1; i <= c->n; i++) {
		uint32_t pc = procs[i - 1].pc;
		int has = pc >= WAIT || (c->variant == EXERCISE_2 && pc != ONE);

		if (label == 0 && has != (number(regs[0], i) > 0)) /* B1 */
			return 0;
		for (uint32_t j = 1; label == 1 && j <= c->n; j++) {
			if (pc == LEAVE && procs[j - 1].pc == WAIT &&
			    !comes_before(regs[0], i, j)) /* B2 */
				return 0;
		}
	}
	return 1;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case TAKE:
		wicket_put(t, "take a number");
		return;
	case ONE:
		wicket_put(t, "number := 1");
		return;
	case PUT:
		wicket_put(t, "number := ");
		wicket_put_number(t, (int64_t)p.local[TEMP] + 1);
		return;
	case LEAVE:
		wicket_put(t, "number := 0");
		return;
	}
	wicket_put(t, p.pc == LOOK ? "look at " : "await ");
	wicket_put_number(t, (int64_t)p.local[J]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "number=");
	for (uint32_t i = 1; i <= c->n; i++) {
		if (i > 1)
			wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)number(regs[0], i));
	}
}

static const struct wicket_named variants_2[] = {
	{ "exercise-2", "looks and takes in two steps, after number := 1" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants_2[] = {
	{ "split", "looks and takes in two steps (exercise 1)", 0 },
	{ "keep", "keeps its number when it leaves", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_mutant mutants_n[] = {
	{ "split-max", "the maximum is not computed in one step", 0 },
	{ "keep", "keeps its number when it leaves", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "B1", "number[i] = 0 iff process i has taken none" },
	{ "B2", "whoever is in C comes before all who have a number" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "number", "it has its number" },
	{ 0, 0 },
};

/* heavy: numbers multiply states */
#define BAKERY                                                                 \
	.invariants = invariants,                                              \
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |            \
		     WICKET_STARVATION_FREEDOM | WICKET_BYPASS |               \
		     WICKET_BOUNDED_NUMBERS,                                   \
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |               \
		  WICKET_STARVATION_FREEDOM | WICKET_BYPASS,                   \
	.heavy = 1, .registers = wicket_one_register, .reg = reg,              \
	.start = start, .region = region, .access = access, .step = step,      \
	.points = points, .passed = passed, .beyond = beyond, .raise = raise,  \
	.holds = holds, .show_step = show_step, .show = show

const struct wicket_algo wicket_bakery_2 = {
	.name = "bakery-2",
	.title = "Bakery Algorithm, two processes",
	.source = "Ben-Ari, 5.1",
	.variants = variants_2,
	.mutants = mutants_2,
	.refuse = refuse_2,
	BAKERY,
};

const struct wicket_algo wicket_bakery_n = {
	.name = "bakery-n",
	.title = "Bakery Algorithm, n processes",
	.source = "Ben-Ari, 5.2",
	.mutants = mutants_n,
	.refuse = refuse_n,
	BAKERY,
};
