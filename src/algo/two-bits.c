/* SPDX-License-Identifier: MIT */
/*
 * two-bits - k-exclusion with 2n-2 bits that need not even be atomic.
 *
 * Source   Taubenfeld 2013, section 3.1 (after Peterson), as printed;
 *          two-bits:three-valued: section 5.
 * Value    Flag1[1..n-1] "I want", Flag2[2..n] "I may", one writer each;
 *          Flag1[n] and Flag2[1] are the constant 0.  Three-valued: one
 *          register R[i] a process, 0, 1 = Flag1, 2 = both; processes 1 and n
 *          have a bit, 1 = the one flag they have.
 * T1       a process in C shows it: Flag2[i], or Flag1[1] for process 1
 *          (mutant no-flag).
 * Safety   process i has the processes before it that want, and all that may,
 *          ahead of it, and enters if it counts fewer than k after raising its
 *          own flag; the last of k+1 would have counted the other k.
 * Fences   for memory in which stores wait in buffers: one a process, after it
 *          has raised the flag that it shows in C, before it counts (:fenced,
 *          :three-valued-fenced; mutants unfenced-first, unfenced-raise).  What
 *          it stored before, Flag1[i], has left its buffer by then.
 * FIFO     none, and starvation is possible: the lesser numbers come first.
 * Crash    fewer than k crashes stop nobody else, unless one of them happens
 *          in the middle of a write to a safe bit, which then flickers for
 *          ever: Theorem 3.3 needs the bit to settle.  Aborted: the flags are
 *          taken back as by who leaves; any finite number of aborts is
 *          harmless, but one process that aborts for ever can stop all.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum pc {
	READY, /* R: Flag1[i] := 1; process n begins to count at once */
	COUNT, /* who is ahead? until fewer than k */
	RAISE, /* Flag2[i] := 1 */
	AGAIN, /* who is ahead now? */
	LOWER, /* k or more: Flag2[i] := 0, and back to COUNT */
	LEAVE, /* C: Flag2[i] := 0 (process 1: Flag1[1] := 0) */
	CLEAR, /* E: Flag1[i] := 0 */
	ABORT, /* as LEAVE, but not from C */
};

enum local { J, FLAG, COUNTER }; /* looking at Flag1 or Flag2 of process J */
enum variant { THREE_VALUED = 1, FENCED, THREE_VALUED_FENCED };
/* Those without a fence: of FENCED, then of THREE_VALUED_FENCED. */
enum mutant {
	NO_FLAG = 1,
	UNFENCED_FIRST,
	UNFENCED_RAISE,
	UNFENCED_FIRST_OF_THREE,
	UNFENCED_RAISE_OF_THREE,
};

static int is_three_valued(const struct wicket_cfg *c)
{
	return c->variant == THREE_VALUED || c->variant == THREE_VALUED_FENCED;
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return is_three_valued(c) ? c->n : 2 * c->n - 2;
}

static uint32_t flag1(uint64_t i)
{
	return (uint32_t)i - 1;
}

static uint32_t flag2(const struct wicket_cfg *c, uint64_t i)
{
	return is_three_valued(c) ? (uint32_t)i - 1 :
				    c->n - 1 + (uint32_t)i - 2;
}

/* What stands for Flag2[i], in the register that it is in. */
static uint64_t raised(const struct wicket_cfg *c, uint64_t i)
{
	return is_three_valued(c) && i < c->n ? 2 : 1;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	if (is_three_valued(c))
		return (struct wicket_register){
			.range = r == 0 || r == c->n - 1 ? 2 : 3,
			.owner = r + 1,
		};
	return (struct wicket_register){
		.range = 2,
		.owner = r < c->n - 1 ? r + 1 : r - (c->n - 1) + 2,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return p.pc == READY ? WICKET_REMAINDER :
	       p.pc == LEAVE ? WICKET_CRITICAL :
	       p.pc == CLEAR ? WICKET_EXIT :
			       WICKET_TRYING;
}

/* Looks at process j, or at the first one after it that there is to look at. */
static struct wicket_proc look_at(const struct wicket_cfg *c,
				  struct wicket_proc p, uint64_t j)
{
	if (j == p.self)
		j++;
	p.local[J] = j <= c->n ? j : 0;
	p.local[FLAG] = !p.local[J] ? 0 : j < p.self ? 1 : 2;
	return p;
}

static struct wicket_proc count_from(const struct wicket_cfg *c,
				     struct wicket_proc p, enum pc pc)
{
	p.pc = (uint16_t)pc;
	p.local[COUNTER] = 0;
	return look_at(c, p, 1);
}

/* Process n has nothing to announce: it leaves R with its first look. */
static struct wicket_proc begun(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	return p.pc == READY && p.self == c->n ? count_from(c, p, COUNT) : p;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	p = begun(c, p);
	switch (p.pc) {
	case COUNT:
	case AGAIN:
		return wicket_ask(WICKET_LOAD, p.local[FLAG] == 1 ?
						       flag1(p.local[J]) :
						       flag2(c, p.local[J]));
	case READY:
	case CLEAR:
		return wicket_ask(WICKET_STORE, flag1(p.self));
	default:
		return wicket_ask(WICKET_STORE,
				  p.self == 1 ? flag1(1) : flag2(c, p.self));
	}
}

/* All have been looked at: what the count means. */
static struct wicket_proc counted(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	int few = p.local[COUNTER] < c->k, first = p.self == 1;
	enum pc pc = p.pc;

	p.local[COUNTER] = 0;
	if (pc == COUNT && !few)
		return count_from(c, p, COUNT);
	if (pc == COUNT && first)
		return count_from(c, p, AGAIN);
	if (pc == AGAIN && !few && first)
		return count_from(c, p, COUNT);
	p.pc = pc == COUNT ? RAISE : few ? LEAVE : LOWER;
	return p;
}

static struct wicket_proc looked(const struct wicket_cfg *c,
				 struct wicket_proc p, uint64_t seen)
{
	int set = p.local[FLAG] == 1 ? seen != 0 :
				       seen == raised(c, p.local[J]);

	p.local[COUNTER] += set;
	if (!set && p.local[FLAG] == 1 && p.local[J] > 1 &&
	    !is_three_valued(c)) {
		p.local[FLAG] = 2; /* does not want; may it? */
		return p;
	}
	p = look_at(c, p, p.local[J] + 1);
	return p.local[J] ? p : counted(c, p);
}

/* What is left when Flag2[i] is taken back. */
static uint64_t lowered(const struct wicket_cfg *c, struct wicket_proc p)
{
	return is_three_valued(c) && p.self < c->n;
}

static int has_one_register(const struct wicket_cfg *c, struct wicket_proc p)
{
	return is_three_valued(c) || p.self == 1 || p.self == c->n;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = seen };

	p = begun(c, p);
	switch (p.pc) {
	case READY:
		r.put = wicket_number(1);
		p = count_from(c, p, COUNT);
		break;
	case COUNT:
	case AGAIN:
		p = looked(c, p, seen.w[0]);
		break;
	case RAISE:
		r.put = wicket_number(
			c->mutant == NO_FLAG ? 0 : raised(c, p.self)); /* T1 */
		p = count_from(c, p, AGAIN);
		break;
	case LOWER:
		r.put = wicket_number(lowered(c, p));
		p = count_from(c, p, COUNT);
		break;
	case LEAVE:
	case ABORT:
		r.put = wicket_number(0);
		p.pc = has_one_register(c, p) ? READY : CLEAR;
		break;
	case CLEAR:
		r.put = wicket_number(0);
		p.pc = READY;
		break;
	}
	r.proc = p;
	return r;
}

/* An abort is the way out, from wherever it is; in R nothing is set. */
static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	if (event != WICKET_FAIL || p.pc == READY || p.pc == CLEAR)
		return p;
	p = wicket_known(c, p.self);
	p.pc = ABORT;
	return p;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 1; j <= c->n; j++) {
		if (procs[j - 1].pc == LEAVE &&
		    regs[j == 1 ? flag1(1) : flag2(c, j)].w[0] !=
			    (j == 1 ? 1 : raised(c, j)))
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	if (is_three_valued(c))
		return 4 * wicket_power(3, c->n - 2);
	return wicket_power(2, registers(c));
}

/* The same of one register that is both flags. */
static void show_three(const struct wicket_cfg *c, struct wicket_proc p,
		       struct wicket_text *t)
{
	if (p.pc == COUNT || p.pc == AGAIN) {
		wicket_put(t, "R[");
		wicket_put_number(t, (int64_t)p.local[J]);
		wicket_put(t, "]?");
		return;
	}
	wicket_put(t, "R := ");
	wicket_put_number(t, p.pc == READY ? 1 :
			     p.pc == RAISE ? (int64_t)raised(c, p.self) :
			     p.pc == LOWER ? (int64_t)lowered(c, p) :
					     0);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	p = begun(c, p);
	if (is_three_valued(c)) {
		show_three(c, p, t);
		return;
	}
	switch (p.pc) {
	case READY:
		wicket_put(t, "Flag1 := 1");
		return;
	case RAISE:
		wicket_put(t, "Flag2 := 1");
		return;
	case CLEAR:
		wicket_put(t, "Flag1 := 0");
		return;
	case LOWER:
	case LEAVE:
	case ABORT:
		wicket_put(t, p.self == 1 ? "Flag1 := 0" : "Flag2 := 0");
		return;
	}
	wicket_put(t, p.local[FLAG] == 1 ? "Flag1[" : "Flag2[");
	wicket_put_number(t, (int64_t)p.local[J]);
	wicket_put(t, "]?");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	if (is_three_valued(c)) {
		wicket_put(t, "R=");
		for (uint32_t i = 1; i <= c->n; i++)
			wicket_put_number(t, (int64_t)regs[flag1(i)].w[0]);
		return;
	}
	wicket_put(t, "Flag1=");
	for (uint32_t i = 1; i < c->n; i++)
		wicket_put_number(t, (int64_t)regs[flag1(i)].w[0]);
	wicket_put(t, "- Flag2=-");
	for (uint32_t i = 2; i <= c->n; i++)
		wicket_put_number(t, (int64_t)regs[flag2(c, i)].w[0]);
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint32_t left_out = p.self == 1 ? UNFENCED_FIRST : UNFENCED_RAISE;

	if (c->variant != FENCED && c->variant != THREE_VALUED_FENCED)
		return 0;
	if (is_three_valued(c))
		left_out += UNFENCED_FIRST_OF_THREE - UNFENCED_FIRST;
	if (c->mutant == left_out)
		return 0;
	return wicket_after(p.self == 1 ? READY : RAISE);
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "three-valued", "section 5: both flags in one register, 0, 1 or 2" },
	{ "fenced", "a fence after the last flag is raised" },
	{ "three-valued-fenced", "three-valued, with the same fence" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "no-flag", "does not raise Flag2", 0 },
	{ "unfenced-first", "process 1 has no fence", FENCED },
	{ "unfenced-raise", "the others have no fence", FENCED },
	{ "unfenced-first", "process 1 has no fence", THREE_VALUED_FENCED },
	{ "unfenced-raise", "the others have no fence", THREE_VALUED_FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "T1", "a process in C shows it by its last flag" },
	{ 0, 0 },
};

const struct wicket_algo wicket_two_bits = {
	.name = "two-bits",
	.title = "Two-Bits Algorithm",
	.source = "Taubenfeld 2013, 3.1",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_EXIT_WAIT_FREEDOM |
		     WICKET_ABORT_RESILIENCE,
	.solves = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_FREEDOM |
		  WICKET_EXIT_WAIT_FREEDOM,
	.registers = registers,
	.reg = reg,
	.start = wicket_known,
	.region = region,
	.access = access_or_fence,
	.step = step_or_fence,
	.event = on_event,
	.holds = holds,
	.bound = bound,
	.show_step = show_step_or_fence,
	.show = show,
};
