/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-2 - mutual exclusion of two processes that die and revive.
 *
 * Source   Rivest & Pratt 1977, Figs. 1 and 2, as printed.
 * Value    S_i in {0, 1, 2, D}, written by process i only (the paper's P_0 is
 *          process 1 here); arithmetic modulo 3; D: dead, or not interested.
 * P1       a process in C shows it: S_i is not D (mutant silent).
 * Safety   S_i := S_j + 1 says "after you"; whoever is one behind the other
 *          goes first.  It is said twice, because once is not enough (mutant
 *          one-look).
 * Waiting  once at E, the other enters at most once; from S_i != D on, twice.
 * Fences   :fenced, for memory in which stores wait in buffers: one after B and
 *          one after D, before the other is looked at (mutants unfenced-b,
 *          unfenced-d); and one after S_i := D, by leaving or dying, before it
 *          looks at S_j again (mutants unfenced-leave, unfenced-fail): else it
 *          may answer to what the other said to its former self.
 * Crash    announced: S_i becomes D in one step, whatever the process was
 *          doing; whoever waits for it goes on.  It may do so for ever.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum { D = 3 };

/* The labels of Fig. 2. */
enum pc {
	A,     /* R: U := S_j */
	B,     /* S_i := U = D ? 0 : U+1 */
	C,     /* U := S_j */
	AGREE, /* the paper's D: S_i := U = D ? S_i : U+1 */
	E,     /* until S_j = D or S_j = S_i+1 or (i = 0 and S_j = S_i) */
	LEAVE, /* C: S_i := D */
	FAIL,  /* S_i := D */
};

enum local { OWN, PUT }; /* the own S_i; what to put there next */
enum variant { FENCED = 1 };
enum mutant {
	SILENT = 1,
	ONE_LOOK,
	UNFENCED_B,
	UNFENCED_D,
	UNFENCED_LEAVE,
	UNFENCED_FAIL,
};

static const char *refuse(const struct wicket_cfg *c)
{
	return c->n == 2 ? 0 : "rivest-pratt-2 is for n = 2, k = 1";
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c;
	return (struct wicket_register){
		.start = { { D } },
		.range = 4,
		.owner = r + 1,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == A, p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
		return wicket_ask(WICKET_LOAD, 2 - p.self);
	case E:
		return wicket_ask(WICKET_AWAIT, 2 - p.self);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

static uint64_t after(uint64_t s)
{
	return (s + 1) % 3;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint64_t u = seen.w[0], own = p.local[OWN];

	switch (p.pc) {
	case A:
		r.proc.local[PUT] = u == D ? 0 : after(u);
		r.proc.pc = B;
		break;
	case B:
		r.put = wicket_number(c->mutant == SILENT ? D : p.local[PUT]);
		r.proc.local[OWN] = p.local[PUT];
		r.proc.local[PUT] = 0;
		r.proc.pc = c->mutant == ONE_LOOK ? E : C;
		break;
	case C:
		r.proc.local[PUT] = u == D ? own : after(u);
		r.proc.pc = AGREE;
		break;
	case AGREE:
		r.put = wicket_number(c->mutant == SILENT ? D : p.local[PUT]);
		r.proc.local[OWN] = p.local[PUT];
		r.proc.local[PUT] = 0;
		r.proc.pc = E;
		break;
	case E:
		if (u == D || u == after(own) || (p.self == 1 && u == own)) {
			r.proc.local[OWN] = 0;
			r.proc.pc = LEAVE;
		}
		break;
	case LEAVE:
	case FAIL:
		r.put = wicket_number(D);
		r.proc = wicket_known(c, p.self);
		break;
	}
	return r;
}

/* Dying in R changes nothing: S_i is D there. */
static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	if (event != WICKET_FAIL || p.pc == A)
		return p;
	p = wicket_known(c, p.self);
	p.pc = FAIL;
	return p;
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	/* not while it is still to wait until memory has what it stored at B, or
	   at D */
	int waits = wicket_owes_fence(p) && (i || p.pc == C);

	(void)c;
	return p.pc >= (i ? E : C) && p.pc <= E && !waits;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 0; j < c->n; j++) {
		if (procs[j].pc == LEAVE && regs[j].w[0] == D)
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	(void)c;
	return 16; /* 4 values each */
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
		wicket_put(t, p.pc == A ? "A: U := S" : "C: U := S");
		wicket_put_number(t, 3 - p.self);
		return;
	case B:
	case AGREE:
		wicket_put(t, p.pc == B ? "B: S := " : "D: S := ");
		wicket_put_number(t, (int64_t)p.local[PUT]);
		return;
	case E:
		wicket_put(t, "E: own S is ");
		wicket_put_number(t, (int64_t)p.local[OWN]);
		return;
	}
	wicket_put(t, "S := D");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "S=");
	for (uint32_t r = 0; r < c->n; r++)
		wicket_put_char(t, regs[r].w[0] == D ?
					   'D' :
					   (char)('0' + regs[r].w[0]));
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { B, AGREE, LEAVE, FAIL };

	(void)p;
	return c->variant == FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_B) :
		       0;
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "fenced", "a fence after each store" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "silent", "leaves S_i as it is, dead", 0 },
	{ "one-look", "statements C and D are left out", 0 },
	{ "unfenced-b", "no fence after B", FENCED },
	{ "unfenced-d", "no fence after D", FENCED },
	{ "unfenced-leave", "no fence after it has left", FENCED },
	{ "unfenced-fail", "no fence after it has failed", FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "P1", "a process in C shows it: S_i is not D" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "public", "S_i is not D" },
	{ "E", "at statement E" },
	{ 0, 0 },
};

const struct wicket_algo wicket_rivest_pratt_2 = {
	.name = "rivest-pratt-2",
	.title = "two processes that die and revive",
	.source = "Rivest & Pratt 1977, Figs. 1, 2",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.points = points,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_BYPASS |
		     WICKET_ULTRARELIABILITY,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		  WICKET_STARVATION_FREEDOM | WICKET_BYPASS |
		  WICKET_ULTRARELIABILITY,
	.refuse = refuse,
	.registers = wicket_one_each,
	.reg = reg,
	.start = wicket_known,
	.region = region,
	.access = access_or_fence,
	.step = step_or_fence,
	.event = on_event,
	.passed = passed,
	.holds = holds,
	.bound = bound,
	.show_step = show_step_or_fence,
	.show = show,
};
