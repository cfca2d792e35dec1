/* SPDX-License-Identifier: MIT */
/*
 * weak-one-bit - k-exclusion with one bit a process, as good as that can be.
 *
 * Source   Taubenfeld 2013, section 4.1, Algorithm 2: the pseudo-code as
 *          printed (the prose below it says 0 where it means 1).
 * Value    Flag[i], one bit, which need not be atomic, written by i only.
 * W1       Flag[i] is set while process i is in C or looks at the processes
 *          after it (mutant no-flag).
 * Safety   process i enters when it has seen, since it raised its flag, fewer
 *          than k others that have not been down once; the last of k+1 to raise
 *          its flag would see the other k up all the time.
 * Fences   :fenced, for memory in which stores wait in buffers: one after each
 *          Flag[i] := 1, before the first look (mutants unfenced-ready,
 *          unfenced-again): the last of k+1 must be seen or see.
 * Waiting  who sees k or more flags before its own takes its own back (mutant
 *          all-yield: who sees k or more anywhere, and then all may raise and
 *          lower for ever).  The lesser numbers come first, and can starve the
 *          others.
 * Crash    while at most k processes compete, fewer than k crashes stop nobody
 *          else: weak k-deadlock-freedom.  Otherwise one is enough to stop all,
 *          and no algorithm with one bit a process does better (Theorem 2.2;
 *          verify/adversary.c).  Aborted: Flag[i] becomes 0 in one step.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum pc {
	READY, /* R: Flag[i] := 1 */
	LOOK,  /* Flag[J], J < i */
	LOWER, /* k or more: Flag[i] := 0 */
	WAIT,  /* Flag[J], J < i, again and again until fewer than k */
	AGAIN, /* Flag[i] := 1, once more */
	REST,  /* Flag[J], J > i */
	WATCH, /* Flag[J] of those who were up: down by now? */
	LEAVE, /* C: Flag[i] := 0 */
	ABORT, /* Flag[i] := 0 */
};

/* Whose flag is next; who was up when last seen (lflag); or how many. */
enum local { J, UP, COUNTER };
enum variant { FENCED = 1 };
enum mutant { NO_FLAG = 1, ALL_YIELD, UNFENCED_READY, UNFENCED_AGAIN };

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == READY, p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case LOOK:
	case WAIT:
	case REST:
	case WATCH:
		return wicket_ask(WICKET_LOAD, (uint32_t)p.local[J] - 1);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

static uint64_t bit(uint64_t j)
{
	return (uint64_t)1 << j;
}

static uint64_t count(uint64_t set)
{
	uint64_t members = 0;

	for (; set; set &= set - 1)
		members++;
	return members;
}

/* At this pc, before its first look; what it knew is of no use any more. */
static struct wicket_proc afresh(struct wicket_proc p, enum pc pc)
{
	return (struct wicket_proc){ .pc = (uint16_t)pc, .self = p.self };
}

/* The while loop: fewer than k are left, or a pass over those who are. */
static struct wicket_proc watch(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	if (count(p.local[UP]) < c->k)
		return afresh(p, LEAVE);
	p.pc = WATCH;
	for (p.local[J] = 1; !(p.local[UP] & bit(p.local[J]));)
		p.local[J]++;
	return p;
}

/* Those it yields to are seen next, after j; 0: there is none left. */
static uint64_t after(const struct wicket_cfg *c, struct wicket_proc p,
		      uint64_t j)
{
	uint64_t last = c->mutant == ALL_YIELD ? c->n : p.self - 1;

	j++;
	j += j == p.self;
	return j <= last ? j : 0;
}

/* They have been seen, the own flag being up: then all the others. */
static struct wicket_proc looked(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	if (count(p.local[UP]) >= c->k)
		return afresh(p, LOWER);
	if (p.self == c->n || c->mutant == ALL_YIELD)
		return watch(c, p);
	p.pc = REST;
	p.local[J] = p.self + 1;
	return p;
}

/* Looks at them from the first on. */
static struct wicket_proc scan(const struct wicket_cfg *c, struct wicket_proc p,
			       enum pc pc)
{
	p = afresh(p, pc);
	p.local[J] = after(c, p, 0);
	return p.local[J] ? p : looked(c, p);
}

/* The flag of J has been seen: the next look of each kind of scan. */
static struct wicket_proc saw(const struct wicket_cfg *c, struct wicket_proc p,
			      int up)
{
	uint64_t j = p.local[J];

	switch (p.pc) {
	case LOOK:
		p.local[UP] |= up ? bit(j) : 0;
		p.local[J] = after(c, p, j);
		return p.local[J] ? p : looked(c, p);
	case WAIT:
		p.local[COUNTER] += (uint64_t)up;
		p.local[J] = after(c, p, j);
		if (p.local[J])
			return p;
		return p.local[COUNTER] < c->k ? afresh(p, AGAIN) :
						 scan(c, p, WAIT);
	case REST:
		p.local[UP] |= up ? bit(j) : 0;
		p.local[J] = j + 1;
		return j < c->n ? p : watch(c, p);
	default:
		p.local[UP] &= up ? p.local[UP] : ~bit(j);
		do
			j++;
		while (j <= c->n && !(p.local[UP] & bit(j)));
		p.local[J] = j;
		return j <= c->n ? p : watch(c, p);
	}
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = seen };

	switch (p.pc) {
	case READY:
	case AGAIN:
		r.put = wicket_number(c->mutant != NO_FLAG); /* W1 */
		p = scan(c, p, LOOK);
		break;
	case LOWER:
		r.put = wicket_number(0);
		p = scan(c, p, WAIT);
		break;
	case LEAVE:
	case ABORT:
		r.put = wicket_number(0);
		p = afresh(p, READY);
		break;
	default:
		p = saw(c, p, seen.w[0] != 0);
		break;
	}
	r.proc = p;
	return r;
}

/* In R its flag is down already. */
static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	(void)c;
	return event == WICKET_FAIL && p.pc != READY ? afresh(p, ABORT) : p;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 0; j < c->n; j++) {
		if (procs[j].pc >= REST && procs[j].pc <= LEAVE &&
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
	case READY:
	case AGAIN:
		wicket_put(t, "Flag := 1");
		return;
	case LOWER:
	case LEAVE:
	case ABORT:
		wicket_put(t, "Flag := 0");
		return;
	}
	wicket_put(t, "Flag[");
	wicket_put_number(t, (int64_t)p.local[J]);
	wicket_put(t, p.pc == WATCH ? "] still?" : "]?");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "Flag=");
	for (uint32_t r = 0; r < c->n; r++)
		wicket_put_number(t, (int64_t)regs[r].w[0]);
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { READY, AGAIN };

	(void)p;
	return c->variant == FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_READY) :
		       0;
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "fenced", "a fence after each Flag := 1" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "no-flag", "does not set its bit", 0 },
	{ "all-yield", "yields to everybody, not only to lesser numbers", 0 },
	{ "unfenced-ready", "no fence after its first Flag := 1", FENCED },
	{ "unfenced-again", "no fence if it comes once more", FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "W1", "Flag[i] is set while i is in C or looks past itself" },
	{ 0, 0 },
};

const struct wicket_algo wicket_weak_one_bit = {
	.name = "weak-one-bit",
	.title = "weak k-exclusion with one bit a process",
	.source = "Taubenfeld 2013, 4.1",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_K_DEADLOCK_FREEDOM |
		     WICKET_WEAK_K_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_EXIT_WAIT_FREEDOM |
		     WICKET_ABORT_RESILIENCE,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		  WICKET_WEAK_K_DEADLOCK_FREEDOM | WICKET_EXIT_WAIT_FREEDOM,
	.registers = wicket_one_each,
	.reg = wicket_own_bit,
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
