/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-n - mutual exclusion of n processes that die and revive.
 *
 * Source   Rivest & Pratt 1977, Fig. 4, corrected: the first two statements
 *          ask whether process j is racing with us or beyond, R_j != D and
 *          R_j >= i, where the figure asks only R_j != D (mutant printed: fails
 *          already for two processes).
 * Value    (S,R)_i in one register, written by process i only: R_i, whom it is
 *          racing with, 0..n-1 or D; S_i as in the two-process algorithm.
 *          The paper's P_i is process i+1 here.
 * N1       a process in C shows it: R_i = n-1 (mutant silent).
 * Safety   each process races with all, itself included, in turn, by the
 *          two-process algorithm; of two in C each would have beaten the other.
 * Waiting  not bounded: while one works its way up, a higher number may enter
 *          again and again.
 * Crash    announced: R_i becomes D in one step, and it forfeits its race.
 */
#include "algo/algo.h"

enum pc {
	A,     /* fetch (S,R)_j; of the first race: R */
	B,     /* (S,R)_i := (racing ? S_j+1 : 0, j) */
	C,     /* fetch again */
	AGREE, /* racing: S_i := S_j+1 */
	E,     /* fetch until the race is won */
	LEAVE, /* C: R_i := D */
	FAIL,  /* R_i := D */
};

enum local { J, OWN, PUT }; /* the race, from 0; S_i; what to put there next */
enum mutant { PRINTED = 1, SILENT };

/* A public variable: 0 is D, else 1 + 3 R + S. */
static struct wicket_value racer(uint64_t r, uint64_t s)
{
	return wicket_number(1 + 3 * r + s);
}

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 :
			   "rivest-pratt-n is mutual exclusion: k must be 1";
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return c->n;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.range = 3 * c->n + 1,
		.owner = r + 1,
	};
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	/* process 1 races with itself first, which takes no fetch */
	(void)c;
	return (struct wicket_proc){ .pc = i == 1 ? B : A, .self = i };
}

/* Before the first step of the first race it is in R. */
static int resting(struct wicket_proc p)
{
	return p.local[J] == 0 && p.pc == (p.self == 1 ? B : A);
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return resting(p)    ? WICKET_REMAINDER :
	       p.pc == LEAVE ? WICKET_CRITICAL :
			       WICKET_TRYING;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
		return wicket_ask(WICKET_LOAD, (uint32_t)p.local[J]);
	case E:
		return wicket_ask(WICKET_AWAIT, (uint32_t)p.local[J]);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

static uint64_t after(uint64_t s)
{
	return (s + 1) % 3;
}

/* seen: the public variable of the other. */
static int is_racing(const struct wicket_cfg *c, struct wicket_proc p,
		     uint64_t seen)
{
	if (!seen)
		return 0;
	return c->mutant == PRINTED || (seen - 1) / 3 >= p.self - 1;
}

/* Statement E: has the race against J been won? */
static int is_won(struct wicket_proc p, uint64_t seen)
{
	uint64_t i = p.self - 1, r = (seen - 1) / 3, s = (seen - 1) % 3;

	return !seen || r < i ||
	       (r == i && (s == after(p.local[OWN]) ||
			   (s == p.local[OWN] && i <= p.local[J])));
}

/* Statements A and C: what follows from a fetch. */
static struct wicket_proc fetched(const struct wicket_cfg *c,
				  struct wicket_proc p, uint64_t seen)
{
	int racing = is_racing(c, p, seen);

	p.local[PUT] = racing ? after((seen - 1) % 3) : 0;
	p.pc = p.pc == A ? B : racing ? AGREE : E;
	return p;
}

/* The race against J is won: the next one, or C. */
static struct wicket_proc next_race(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	uint64_t own = 1 + 3 * p.local[J] + p.local[OWN];

	if (++p.local[J] == c->n) {
		p.local[J] = p.local[OWN] = 0;
		p.pc = LEAVE;
		return p;
	}
	p.pc = A;
	/* against itself it knows what a fetch would fetch */
	return p.local[J] == p.self - 1 ? fetched(c, p, own) : p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = seen };
	uint64_t x = seen.w[0], put = p.local[PUT];

	switch (p.pc) {
	case A:
	case C:
		p = fetched(c, p, x);
		break;
	case B:
	case AGREE:
		r.put = c->mutant == SILENT ? wicket_number(0) :
					      racer(p.local[J], put);
		p.local[OWN] = put;
		p.local[PUT] = 0;
		p.pc = p.pc == B ? C : E;
		if (p.local[J] != p.self - 1)
			break;
		x = 1 + 3 * p.local[J] + put;
		p = p.pc == C ? fetched(c, p, x) : next_race(c, p);
		break;
	case E:
		if (is_won(p, x))
			p = next_race(c, p);
		break;
	case LEAVE:
	case FAIL:
		r.put = wicket_number(0);
		p = start(c, p.self);
		break;
	}
	r.proc = p;
	return r;
}

/* Dying in R changes nothing: R_i is D there. */
static struct wicket_proc turn(const struct wicket_cfg *c, struct wicket_proc p,
			       enum wicket_event event)
{
	if (event != WICKET_FAIL || resting(p))
		return p;
	p = start(c, p.self);
	p.pc = FAIL;
	return p;
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	(void)c, (void)i;
	return p.pc < LEAVE && (p.local[J] > 0 || p.pc > B);
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 0; j < c->n; j++) {
		uint64_t public = regs[j].w[0];

		if (procs[j].pc == LEAVE &&
		    (!public || (public - 1) / 3 != c->n - 1))
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t values = 1;

	for (uint32_t i = 0; i < c->n; i++) {
		if (__builtin_mul_overflow(values, 3 * c->n + 1, &values))
			return 0;
	}
	return values;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
	case E:
		wicket_put_char(t, p.pc == A ? 'A' : p.pc == C ? 'C' : 'E');
		wicket_put(t, ": fetch from ");
		wicket_put_number(t, (int64_t)p.local[J] + 1);
		return;
	case B:
	case AGREE:
		wicket_put(t, p.pc == B ? "B: := (" : "D: := (");
		wicket_put_number(t, (int64_t)p.local[PUT]);
		wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)p.local[J] + 1);
		wicket_put_char(t, ')');
		return;
	}
	wicket_put(t, "R := D");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "(S,R)=");
	for (uint32_t r = 0; r < c->n; r++) {
		uint64_t x = regs[r].w[0];

		if (r)
			wicket_put_char(t, ' ');
		if (!x) {
			wicket_put_char(t, 'D');
			continue;
		}
		wicket_put_char(t, '(');
		wicket_put_number(t, (int64_t)((x - 1) % 3));
		wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)((x - 1) / 3) + 1);
		wicket_put_char(t, ')');
	}
}

static const struct wicket_mutant mutants[] = {
	{ "printed", "Fig. 4 as printed: asks R_j != D only", 0 },
	{ "silent", "leaves R_i as it is, dead", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "N1", "a process in C shows it: R_i = n-1" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "public", "R_i is not D" },
	{ 0, 0 },
};

const struct wicket_algo wicket_rivest_pratt_n = {
	.name = "rivest-pratt-n",
	.title = "n processes that die and revive",
	.source = "Rivest & Pratt 1977, Fig. 4",
	.mutants = mutants,
	.invariants = invariants,
	.points = points,
	.decides = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		   WICKET_STARVATION_FREEDOM | WICKET_ULTRARELIABILITY,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		  WICKET_STARVATION_FREEDOM | WICKET_ULTRARELIABILITY,
	.refuse = refuse,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.turn = turn,
	.passed = passed,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
