/* SPDX-License-Identifier: MIT */
/*
 * one-bit - mutual exclusion with one bit a process.
 *
 * Source   Ben-Ari, section 5.8 (Burns; Lamport).
 * Value    want[i], one bit, written by process i only.
 * O1       want[i] is set while process i is in C or looks at the bits of the
 *          processes after it (mutant no-want).
 * Safety   of two processes that want, each sets its bit before it looks at
 *          the other's, so the later of them sees the earlier; the one with
 *          the greater number then takes its bit back.
 * Fences   :fenced, for memory in which stores wait in buffers: one after each
 *          want[i] := true, before the first look (mutants unfenced-want,
 *          unfenced-again).  No other: a bit that is taken back late only makes
 *          others wait.
 * FIFO     none: the lesser numbers come first, and can starve the others.
 * Crash    a crash with the bit set stops everybody.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum pc {
	WANT,  /* R: want[i] := true */
	LOOK,  /* is want[J] set, J < i? */
	YIELD, /* it is: want[i] := false */
	WAIT,  /* until it is not; then want again */
	AGAIN, /* want[i] := true, once more */
	PASS,  /* await not want[J], J > i */
	LEAVE, /* C: want[i] := false */
};

enum local { J };
enum variant { FENCED = 1 };
enum mutant { NO_WANT = 1, UNFENCED_WANT, UNFENCED_AGAIN };

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 : "one-bit is mutual exclusion: k must be 1";
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == WANT, p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case LOOK:
		return wicket_ask(WICKET_LOAD, (uint32_t)p.local[J] - 1);
	case WAIT:
	case PASS:
		return wicket_ask(WICKET_AWAIT, (uint32_t)p.local[J] - 1);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

/* Which bit to look at next: 1 .. i-1, then i+1 .. n, then C. */
static struct wicket_proc look_at(const struct wicket_cfg *c,
				  struct wicket_proc p, uint32_t j)
{
	if (j == p.self)
		j++;
	p.pc = j < p.self ? LOOK : j <= c->n ? PASS : LEAVE;
	p.local[J] = p.pc == LEAVE ? 0 : j;
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	switch (p.pc) {
	case WANT:
	case AGAIN:
		r.put = wicket_number(c->mutant != NO_WANT); /* O1 */
		r.proc = look_at(c, p, 1);
		break;
	case YIELD:
		r.put = wicket_number(0);
		r.proc.pc = WAIT;
		break;
	case LEAVE:
		r.put = wicket_number(0);
		r.proc.pc = WANT;
		break;
	case LOOK:
		if (seen.w[0])
			r.proc.pc = YIELD;
		else
			r.proc = look_at(c, p, (uint32_t)p.local[J] + 1);
		break;
	case WAIT:
		if (!seen.w[0]) {
			r.proc.local[J] = 0;
			r.proc.pc = AGAIN;
		}
		break;
	case PASS:
		if (!seen.w[0])
			r.proc = look_at(c, p, (uint32_t)p.local[J] + 1);
		break;
	}
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 0; j < c->n; j++) {
		if ((procs[j].pc == PASS || procs[j].pc == LEAVE) &&
		    !regs[j].w[0])
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	return wicket_power(2, c->n);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case WANT:
	case AGAIN:
		wicket_put(t, "want := 1");
		return;
	case YIELD:
	case LEAVE:
		wicket_put(t, "want := 0");
		return;
	}
	wicket_put(t, p.pc == LOOK ? "look at " : "await ");
	wicket_put_number(t, (int64_t)p.local[J]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "want=");
	for (uint32_t r = 0; r < c->n; r++)
		wicket_put_number(t, (int64_t)regs[r].w[0]);
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { WANT, AGAIN };

	(void)p;
	return c->variant == FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_WANT) :
		       0;
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "fenced", "a fence after each want := 1" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "no-want", "does not set its bit", 0 },
	{ "unfenced-want", "no fence after its first want := 1", FENCED },
	{ "unfenced-again", "no fence if it wants once more", FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "O1", "want[i] is set while i is in C or looks past itself" },
	{ 0, 0 },
};

const struct wicket_algo wicket_one_bit = {
	.name = "one-bit",
	.title = "One-Bit Algorithm",
	.source = "Ben-Ari, 5.8",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM,
	.refuse = refuse,
	.registers = wicket_one_each,
	.reg = wicket_own_bit,
	.start = wicket_known,
	.region = region,
	.access = access_or_fence,
	.step = step_or_fence,
	.holds = holds,
	.bound = bound,
	.show_step = show_step_or_fence,
	.show = show,
};
