/* SPDX-License-Identifier: MIT */
/*
 * fast-outline, fast-2, fast - two gates: alone, one passes in five accesses,
 * and without waiting.
 *
 * Source   Ben-Ari, 5.4 (outline, said to be wrong), 5.6 (two processes) and
 *          its generalization to n; after Lamport 1987.  5.6 as printed is not
 *          free from deadlock, as exercise 6 would have it (mutant book): who
 *          is turned back at gate 2 comes again at once, and its want, set and
 *          taken back for ever, holds up the process whose gate that is.  The
 *          cure is Lamport's: who turns back waits until gate2 = 0.  It is
 *          enough to do so at p2 (variant one-await).
 * Value    gate1 and gate2, 0 or the last process to write there; want[i].
 * 5.1-5.6  the invariants of the book's lemmas, for two processes p = 1 and
 *          q = 2: (5.2), (5.5), (5.6) are (5.1), (5.3), (5.4) with p and q
 *          exchanged.  The outline breaks (5.1) and (5.2), and so the others.
 * W        want[i] is set while process i is at p2, p3, p4 or in C, and not
 *          elsewhere (mutant no-want).
 * Safety   (5.4): while p is in C, q is not, and has been or will be turned
 *          back at one of the gates.
 * Fences   :fenced, for memory in which stores wait in buffers: one after
 *          want[i] := true, before gate2 is looked at (mutant unfenced-want), and
 *          one after gate2 := i, before gate1 is (mutant unfenced-gate2).  The
 *          first has gate1 := i seen as well; after RESUME there is nothing to
 *          look at, and what is taken back late only makes others wait.
 * FIFO     none, and starvation is possible (exercise 7).
 * Crash    a crash past gate 2 stops everybody.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum pc {
	ENTER,	/* p1, R: gate1 := i */
	AGAIN,	/* p1: the same, from T */
	WANT,	/* want[i] := true */
	LOOK2,	/* p2: gate2 = 0? */
	YIELD2, /* it is not: want[i] := false */
	RETURN, /* await gate2 = 0, then p1 */
	GATE2,	/* p3: gate2 := i */
	LOOK1,	/* p4: gate1 = i? then C */
	YIELD1, /* it is not: want[i] := false */
	OTHERS, /* await not want[J] */
	OWN,	/* p5: gate2 = i? */
	RESUME, /* it is: want[i] := true, then C */
	LEAVE,	/* p6, C: gate2 := 0 */
	CLEAR,	/* E: want[i] := false */
};

enum local { J };
enum variant { FENCED = 1, ONE_AWAIT }; /* fast-2 has the first only */
enum mutant { BOOK = 1, NO_WANT, UNFENCED_WANT, UNFENCED_GATE2 };
enum { GATE_1, GATE_2, WANTS }; /* registers */

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 : "fast is mutual exclusion: k must be 1";
}

static const char *refuse_2(const struct wicket_cfg *c)
{
	return c->k == 1 && c->n == 2 ?
		       0 :
		       "this is mutual exclusion of two: n = 2, k = 1";
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return WANTS + c->n;
}

static uint32_t gates(const struct wicket_cfg *c)
{
	(void)c;
	return WANTS;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.range = r < WANTS ? c->n + 1 : 2,
		.owner = r < WANTS ? 0 : r - WANTS + 1,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return p.pc == ENTER ? WICKET_REMAINDER :
	       p.pc == LEAVE ? WICKET_CRITICAL :
	       p.pc == CLEAR ? WICKET_EXIT :
			       WICKET_TRYING;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case ENTER:
	case AGAIN:
		return wicket_ask(WICKET_STORE, GATE_1);
	case GATE2:
	case LEAVE:
		return wicket_ask(WICKET_STORE, GATE_2);
	case LOOK1:
		return wicket_ask(WICKET_LOAD, GATE_1);
	case LOOK2:
	case OWN:
		return wicket_ask(WICKET_LOAD, GATE_2);
	case RETURN:
		return wicket_ask(WICKET_AWAIT, GATE_2);
	case OTHERS:
		return wicket_ask(WICKET_AWAIT,
				  WANTS + (uint32_t)p.local[J] - 1);
	default:
		return wicket_ask(WICKET_STORE, WANTS + p.self - 1);
	}
}

/* What a write puts. */
static uint64_t written(const struct wicket_cfg *c, struct wicket_proc p)
{
	switch (p.pc) {
	case ENTER:
	case AGAIN:
	case GATE2:
		return p.self;
	case WANT:
	case RESUME:
		return c->mutant != NO_WANT; /* W */
	default:
		return 0;
	}
}

/* The next of the others whose want to wait for; after them, p5. */
static struct wicket_proc next_other(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	if (++p.local[J] == p.self)
		p.local[J]++;
	if (p.local[J] > c->n)
		p.local[J] = 0;
	p.pc = p.local[J] ? OTHERS : OWN;
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = wicket_number(written(c, p)) };
	uint64_t x = seen.w[0];
	enum pc back = c->mutant == BOOK ? AGAIN : RETURN;

	switch (p.pc) {
	case ENTER:
	case AGAIN:
		p.pc = WANT;
		break;
	case WANT:
		p.pc = LOOK2;
		break;
	case LOOK2:
		p.pc = x ? YIELD2 : GATE2;
		break;
	case YIELD2:
		p.pc = (uint16_t)back;
		break;
	case RETURN:
		p.pc = x ? RETURN : AGAIN;
		break;
	case GATE2:
		p.pc = LOOK1;
		break;
	case LOOK1:
		p.pc = x == p.self ? LEAVE : YIELD1;
		break;
	case YIELD1:
		p = next_other(c, p);
		break;
	case OTHERS:
		p = x ? p : next_other(c, p);
		break;
	case OWN:
		if (c->variant == ONE_AWAIT)
			back = AGAIN;
		p.pc = (uint16_t)(x == p.self ? RESUME : back);
		break;
	case RESUME:
		p.pc = LEAVE;
		break;
	case LEAVE:
		p.pc = CLEAR;
		break;
	case CLEAR:
		p.pc = ENTER;
		break;
	}
	r.proc = p;
	return r;
}

/* 5.4: nobody says that it wants, nobody waits for those who do. */
static struct wicket_result outline_step(const struct wicket_cfg *c,
					 struct wicket_proc p,
					 struct wicket_value seen)
{
	struct wicket_result r = { .put = wicket_number(written(c, p)) };
	uint64_t x = seen.w[0];

	switch (p.pc) {
	case ENTER:
	case AGAIN:
		p.pc = LOOK2;
		break;
	case LOOK2:
		p.pc = x ? AGAIN : GATE2;
		break;
	case GATE2:
		p.pc = LOOK1;
		break;
	case LOOK1:
		p.pc = x == p.self ? LEAVE : OWN;
		break;
	case OWN:
		p.pc = x == p.self ? LEAVE : AGAIN;
		break;
	case LEAVE:
		p.pc = ENTER;
		break;
	}
	r.proc = p;
	return r;
}

/* Where the book's control pointer is; a process that has yet to take its
   want back is still there. */
static int is_at_p3_or_p4(struct wicket_proc p)
{
	return p.pc == GATE2 || p.pc == LOOK1 || p.pc == YIELD1;
}

static int is_at_p5(struct wicket_proc p)
{
	return p.pc == OWN || p.pc == RESUME;
}

/* (5.1), (5.3) and (5.4), seen from p; q is the other. */
static int lemma(uint32_t i, uint64_t gate1, uint64_t gate2,
		 struct wicket_proc p, struct wicket_proc q)
{
	switch (i) {
	case 0:
		return !is_at_p5(p) || gate2 != p.self ||
		       !(is_at_p3_or_p4(q) || q.pc == LEAVE);
	case 1:
		return p.pc != LOOK1 || gate1 != p.self || gate2;
	default:
		return p.pc != LEAVE ||
		       (gate2 && q.pc != LEAVE &&
			!(is_at_p3_or_p4(q) && gate1 == q.self));
	}
}

static int wants(const struct wicket_cfg *c, const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t pc = procs[i].pc;
		int set = (pc >= LOOK2 && pc <= YIELD1 && pc != RETURN) ||
			  pc >= LEAVE;

		if (set != (regs[WANTS + i].w[0] == 1))
			return 0;
	}
	return 1;
}

/* In the order of the table: 5.1, 5.2, 5.3, 5.5, 5.4, 5.6, W. */
static int holds_2(const struct wicket_cfg *c, uint32_t i,
		   const struct wicket_value *regs,
		   const struct wicket_proc *procs)
{
	uint32_t other = i % 2;

	if (i == 6)
		return wants(c, regs, procs);
	return lemma(i / 2, regs[GATE_1].w[0], regs[GATE_2].w[0], procs[other],
		     procs[1 - other]);
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	return wants(c, regs, procs);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	uint64_t put = written(c, p);

	switch (p.pc) {
	case ENTER:
	case AGAIN:
		wicket_put(t, "gate1 := ");
		break;
	case GATE2:
	case LEAVE:
		wicket_put(t, "gate2 := ");
		break;
	case LOOK1:
		wicket_put(t, "gate1?");
		return;
	case LOOK2:
	case OWN:
		wicket_put(t, "gate2?");
		return;
	case RETURN:
		wicket_put(t, "await gate2 = 0");
		return;
	case OTHERS:
		wicket_put(t, "await ");
		put = p.local[J];
		break;
	default:
		wicket_put(t, "want := ");
	}
	wicket_put_number(t, (int64_t)put);
}

static void show_gates(const struct wicket_cfg *c,
		       const struct wicket_value *regs, struct wicket_text *t)
{
	(void)c;
	wicket_put(t, "gate1=");
	wicket_put_number(t, (int64_t)regs[GATE_1].w[0]);
	wicket_put(t, " gate2=");
	wicket_put_number(t, (int64_t)regs[GATE_2].w[0]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	show_gates(c, regs, t);
	wicket_put(t, " want=");
	for (uint32_t i = 0; i < c->n; i++)
		wicket_put_number(t, (int64_t)regs[WANTS + i].w[0]);
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { WANT, GATE2 };

	(void)p;
	return c->variant == FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_WANT) :
		       0;
}

WICKET_FENCED;

#define FENCED_VARIANT                                                         \
	{                                                                      \
		"fenced", "a fence after want := 1, and after gate2 := i"      \
	}

static const struct wicket_named variants_2[] = {
	FENCED_VARIANT,
	{ 0, 0 },
};

static const struct wicket_named variants[] = {
	FENCED_VARIANT,
	{ "one-await", "awaits gate2 = 0 at p2 only, not at p5" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "book", "5.6 as printed: does not await gate2 = 0", 0 },
	{ "no-want", "does not say that it wants", 0 },
	{ "unfenced-want", "no fence after want := 1", FENCED },
	{ "unfenced-gate2", "no fence after gate2 := i", FENCED },
	{ 0, 0, 0 },
};

#define LEMMAS                                                                 \
	{ "5.1", "p5 and gate2 = p: q is not at q3, q4, q6" },                 \
		{ "5.2", "q5 and gate2 = q: p is not at p3, p4, p6" },         \
		{ "5.3", "p4 and gate1 = p: gate2 is not 0" },                 \
		{ "5.5", "q4 and gate1 = q: gate2 is not 0" },                 \
		{ "5.4",                                                       \
		  "p6: gate2 is not 0, not q6, at q3, q4 gate1 is not q" },    \
	{                                                                      \
		"5.6", "q6: gate2 is not 0, not p6, at p3, p4 gate1 is not p"  \
	}

static const struct wicket_named outline_invariants[] = {
	LEMMAS,
	{ 0, 0 },
};

static const struct wicket_named invariants_2[] = {
	LEMMAS,
	{ "W", "want[i] is set at p2, p3, p4 and in C, not elsewhere" },
	{ 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "W", "want[i] is set at p2, p3, p4 and in C, not elsewhere" },
	{ 0, 0 },
};

#define FAST                                                                   \
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |            \
		     WICKET_STARVATION_FREEDOM,                                \
	.reg = reg, .start = wicket_known, .region = region

const struct wicket_algo wicket_fast_outline = {
	.name = "fast-outline",
	.title = "Fast Algorithm, its outline (wrong)",
	.source = "Ben-Ari, 5.4",
	.invariants = outline_invariants,
	.refuse = refuse_2,
	.registers = gates,
	.access = access,
	.step = outline_step,
	.show_step = show_step,
	.holds = holds_2,
	.show = show_gates,
	FAST,
};

const struct wicket_algo wicket_fast_2 = {
	.name = "fast-2",
	.title = "Fast Algorithm, two processes",
	.source = "Ben-Ari, 5.6, corrected",
	.variants = variants_2,
	.mutants = mutants,
	.invariants = invariants_2,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM,
	.refuse = refuse_2,
	.registers = registers,
	.access = access_or_fence,
	.step = step_or_fence,
	.show_step = show_step_or_fence,
	.holds = holds_2,
	.show = show,
	FAST,
};

const struct wicket_algo wicket_fast = {
	.name = "fast",
	.title = "Fast Algorithm",
	.source = "Ben-Ari, 5.6 for n processes, corrected",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM,
	.refuse = refuse,
	.registers = registers,
	.access = access_or_fence,
	.step = step_or_fence,
	.show_step = show_step_or_fence,
	.holds = holds,
	.show = show,
	FAST,
};
