/* SPDX-License-Identifier: MIT */
/*
 * two-bits - k-exclusion with 2n-2 bits that need not even be atomic.
 *
 * Source   Taubenfeld 2013, section 3.1 (after Peterson), as printed.
 * Value    Flag1[1..n-1] "I want", Flag2[2..n] "I may", one writer each;
 *          Flag1[n] and Flag2[1] are the constant 0.
 * T1       a process in C shows it: Flag2[i], or Flag1[1] for process 1
 *          (mutant no-flag).
 * Safety   process i has the processes before it that want, and all that may,
 *          ahead of it, and enters if it counts fewer than k after raising its
 *          own flag; the last of k+1 would have counted the other k.
 * FIFO     none, and starvation is possible: the lesser numbers come first.
 * Crash    fewer than k crashes stop nobody else, unless one of them happens
 *          in the middle of a write to a safe bit, which then flickers for
 *          ever: Theorem 3.3 needs the bit to settle.
 */
#include "algo/algo.h"

enum pc {
	READY, /* R: Flag1[i] := 1; process n begins to count at once */
	COUNT, /* who is ahead? until fewer than k */
	RAISE, /* Flag2[i] := 1 */
	AGAIN, /* who is ahead now? */
	LOWER, /* k or more: Flag2[i] := 0, and back to COUNT */
	LEAVE, /* C: Flag2[i] := 0 (process 1: Flag1[1] := 0) */
	CLEAR, /* E: Flag1[i] := 0 */
};

enum local { J, FLAG, COUNTER }; /* looking at Flag1 or Flag2 of process J */
enum mutant { NO_FLAG = 1 };

static uint32_t registers(const struct wicket_cfg *c)
{
	return 2 * c->n - 2;
}

static uint32_t flag1(uint64_t i)
{
	return (uint32_t)i - 1;
}

static uint32_t flag2(const struct wicket_cfg *c, uint64_t i)
{
	return c->n - 1 + (uint32_t)i - 2;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.range = 2,
		.owner = r < c->n - 1 ? r + 1 : r - (c->n - 1) + 2,
	};
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = READY, .self = i };
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
				 struct wicket_proc p, int set)
{
	p.local[COUNTER] += set;
	if (!set && p.local[FLAG] == 1 && p.local[J] > 1) {
		p.local[FLAG] = 2; /* does not want; may it? */
		return p;
	}
	p = look_at(c, p, p.local[J] + 1);
	return p.local[J] ? p : counted(c, p);
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
		p = looked(c, p, seen.w[0] != 0);
		break;
	case RAISE:
		r.put = wicket_number(c->mutant != NO_FLAG); /* T1 */
		p = count_from(c, p, AGAIN);
		break;
	case LOWER:
		r.put = wicket_number(0);
		p = count_from(c, p, COUNT);
		break;
	case LEAVE:
		r.put = wicket_number(0);
		p.pc = p.self == 1 || p.self == c->n ? READY : CLEAR;
		break;
	case CLEAR:
		r.put = wicket_number(0);
		p.pc = READY;
		break;
	}
	r.proc = p;
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 1; j <= c->n; j++) {
		if (procs[j - 1].pc == LEAVE &&
		    !regs[j == 1 ? flag1(1) : flag2(c, j)].w[0])
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	return (uint64_t)1 << registers(c);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	p = begun(c, p);
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
	wicket_put(t, "Flag1=");
	for (uint32_t i = 1; i < c->n; i++)
		wicket_put_number(t, (int64_t)regs[flag1(i)].w[0]);
	wicket_put(t, "- Flag2=-");
	for (uint32_t i = 2; i <= c->n; i++)
		wicket_put_number(t, (int64_t)regs[flag2(c, i)].w[0]);
}

static const struct wicket_mutant mutants[] = {
	{ "no-flag", "does not raise Flag2", 0 },
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
	.mutants = mutants,
	.invariants = invariants,
	.decides = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_FREEDOM |
		   WICKET_STARVATION_FREEDOM | WICKET_EXIT_WAIT_FREEDOM,
	.solves = WICKET_K_EXCLUSION | WICKET_K_DEADLOCK_FREEDOM |
		  WICKET_EXIT_WAIT_FREEDOM,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
