/* SPDX-License-Identifier: MIT */
/*
 * bakery - whoever holds the least number is served; nothing need be atomic.
 *
 * Source   Ben-Ari, 5.3 (Lamport 1974).
 * Value    number[i] and choosing[i], written by process i only; safe registers
 *          suffice.
 * B1       number[i] > 0 from when process i has taken a number until it
 *          leaves C, and only then (mutant keep).
 * B2       choosing[i] is set while process i looks and takes (mutant
 *          no-choosing).
 * Safety   a process that sees another not choosing sees the number that it
 *          has chosen, or it will choose a greater one.
 * Fences   :fenced, for memory in which stores wait in buffers: one after
 *          choosing[i] := true, before the numbers are looked at (mutant
 *          unfenced-choosing), and one after number[i] is taken, before the
 *          others are asked (mutant unfenced-number).  A choosing[i] := false
 *          that is late only makes others wait; the second fence may as well
 *          come after it.
 * FIFO     from the moment the number is chosen.
 * Numbers  grow without bound if somebody always has one (exercise 3).  They
 *          are compared, and 1 is added to their maximum, nothing else.
 * Crash    a crash outside R stops everybody.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/registers.h"

enum pc {
	CHOOSE, /* R: choosing[i] := true */
	LOOK,	/* max := max(max, number[J]) */
	TAKE,	/* number[i] := 1 + max */
	CHOSEN, /* choosing[i] := false */
	ASK,	/* await not choosing[J] */
	WAIT,	/* await number[J] = 0 or number[i] << number[J] */
	LEAVE,	/* C: number[i] := 0 */
};

enum local { J, NUMBER }; /* NUMBER is the maximum until it is taken */
enum variant { FENCED = 1 };
enum mutant { NO_CHOOSING = 1, KEEP, UNFENCED_CHOOSING, UNFENCED_NUMBER };

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 : "bakery is mutual exclusion: k must be 1";
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return 2 * c->n;
}

static uint32_t number_of(uint64_t i)
{
	return (uint32_t)i - 1;
}

static uint32_t choosing_of(const struct wicket_cfg *c, uint64_t i)
{
	return c->n + (uint32_t)i - 1;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.range = r < c->n ? wicket_cap(c) + 1 : 2,
		.owner = r % c->n + 1,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == CHOOSE, p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	switch (p.pc) {
	case LOOK:
		return wicket_ask(WICKET_LOAD, number_of(p.local[J]));
	case ASK:
		return wicket_ask(WICKET_AWAIT, choosing_of(c, p.local[J]));
	case WAIT:
		return wicket_ask(WICKET_AWAIT, number_of(p.local[J]));
	case CHOOSE:
	case CHOSEN:
		return wicket_ask(WICKET_STORE, choosing_of(c, p.self));
	default:
		return wicket_ask(WICKET_STORE, number_of(p.self));
	}
}

/* Goes on to the process after J, other than i; if there is none, to then. */
static struct wicket_proc go_on(const struct wicket_cfg *c,
				struct wicket_proc p, enum pc pc, enum pc then)
{
	if (++p.local[J] == p.self)
		p.local[J]++;
	if (p.local[J] > c->n)
		p.local[J] = 0;
	p.pc = (uint16_t)(p.local[J] ? pc : then);
	return p;
}

/* (number[i],i) << (seen,j) */
static int comes_before(struct wicket_proc p, uint64_t seen)
{
	return p.local[NUMBER] < seen ||
	       (p.local[NUMBER] == seen && p.self < p.local[J]);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = seen };
	uint64_t x = seen.w[0];

	switch (p.pc) {
	case CHOOSE:
		r.put = wicket_number(c->mutant != NO_CHOOSING); /* B2 */
		p = go_on(c, p, LOOK, TAKE);
		break;
	case LOOK:
		if (x > p.local[NUMBER])
			p.local[NUMBER] = x;
		p = go_on(c, p, LOOK, TAKE);
		break;
	case TAKE:
		r.put = wicket_number(++p.local[NUMBER]);
		p.pc = CHOSEN;
		break;
	case CHOSEN:
		r.put = wicket_number(0);
		p = go_on(c, p, ASK, LEAVE);
		break;
	case ASK:
		if (!x)
			p.pc = WAIT;
		break;
	case WAIT:
		if (!x || comes_before(p, x))
			p = go_on(c, p, ASK, LEAVE);
		if (p.pc == LEAVE)
			p.local[NUMBER] = c->mutant == KEEP ? p.local[NUMBER] :
							      0;
		break;
	case LEAVE:
		r.put = wicket_number(p.local[NUMBER]); /* B1 */
		p = wicket_known(c, p.self);
		break;
	}
	r.proc = p;
	return r;
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	(void)c, (void)i;
	return p.pc >= CHOSEN && p.pc < LEAVE && !wicket_owes_fence(p);
}

static int beyond(const struct wicket_cfg *c, struct wicket_value v)
{
	return v.w[0] > wicket_cap(c);
}

static void raise(const struct wicket_cfg *c, struct wicket_value *regs,
		  struct wicket_proc *procs, uint64_t by)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (regs[i].w[0] > 1)
			regs[i].w[0] += by;
		if (procs[i].local[NUMBER] > 1)
			procs[i].local[NUMBER] += by;
	}
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t pc = procs[i].pc;

		if (label == 0 && (pc > TAKE) != (regs[i].w[0] > 0)) /* B1 */
			return 0;
		if (label == 1 && (pc == LOOK || pc == TAKE) &&
		    !regs[c->n + i].w[0]) /* B2 */
			return 0;
	}
	return 1;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case CHOOSE:
		wicket_put(t, "choosing := 1");
		return;
	case CHOSEN:
		wicket_put(t, "choosing := 0");
		return;
	case TAKE:
		wicket_put(t, "number := ");
		wicket_put_number(t, (int64_t)p.local[NUMBER] + 1);
		return;
	case LEAVE:
		wicket_put(t, "number := 0");
		return;
	}
	wicket_put(t, p.pc == LOOK ? "look at number " :
		      p.pc == ASK  ? "await choosing " :
				     "await number ");
	wicket_put_number(t, (int64_t)p.local[J]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "number=");
	for (uint32_t i = 0; i < c->n; i++) {
		if (i)
			wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)regs[i].w[0]);
	}
	wicket_put(t, " choosing=");
	for (uint32_t i = c->n; i < 2 * c->n; i++)
		wicket_put_number(t, (int64_t)regs[i].w[0]);
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { CHOOSE, TAKE };

	(void)p;
	return c->variant == FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_CHOOSING) :
		       0;
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "fenced", "a fence after choosing := 1, and after number is taken" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "no-choosing", "does not say that it is choosing", 0 },
	{ "keep", "keeps its number when it leaves", 0 },
	{ "unfenced-choosing", "no fence after choosing := 1", FENCED },
	{ "unfenced-number", "no fence after its number is taken", FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "B1", "number[i] > 0 iff process i has taken a number" },
	{ "B2", "choosing[i] is set while process i looks and takes" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "number", "it has its number" },
	{ 0, 0 },
};

const struct wicket_algo wicket_bakery = {
	.name = "bakery",
	.title = "Bakery Algorithm without atomic assignment",
	.source = "Ben-Ari, 5.3",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_BYPASS |
		     WICKET_BOUNDED_NUMBERS,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		  WICKET_STARVATION_FREEDOM | WICKET_BYPASS,
	.heavy = 1, /* numbers multiply states */
	.refuse = refuse,
	.registers = registers,
	.reg = reg,
	.start = wicket_known,
	.region = region,
	.access = access_or_fence,
	.step = step_or_fence,
	.points = points,
	.passed = passed,
	.beyond = beyond,
	.raise = raise,
	.holds = holds,
	.show_step = show_step_or_fence,
	.show = show,
};
