/* SPDX-License-Identifier: MIT */
/*
 * fischer - mutual exclusion by waiting long enough.
 *
 * Source   Ben-Ari, 5.7 (exercise 4; Fischer).
 * Value    gate, 0 or the last process to write there.  Beside it, in the same
 *          register, the clocks of the model, which no process can read: how
 *          many ticks process i may still let pass before it must write
 *          (due), and how many it must still let pass (wait).
 * Time     whole ticks, counted by a process of its own, t in schedules.
 *          Assumed: who has read gate = 0 writes before more than LONGEST
 *          ticks have passed; t does not tick until it has.  Assumed: a delay
 *          is at least DELAY ticks.  Nothing is assumed of any other step, nor
 *          of the order of steps within one tick.
 * F1       gate = i if process i is in C (mutant short-delay).
 * F2       nobody is between reading gate = 0 and writing while somebody is in
 *          C (mutant short-delay).
 * Safety   whoever could still write when process i wrote has written before
 *          i looks again, since DELAY > LONGEST.  DELAY = LONGEST does not do:
 *          that is short-delay.  The variant slow is the same with other times.
 * FIFO     none, and starvation is possible.
 * Crash    a crash with the gate written stops everybody; in the model also
 *          one that owes a write, since t waits for it.
 */
#include "algo/algo.h"
#include "algo/registers.h"

enum pc {
	ENTER, /* p1, R: gate = 0? */
	AWAIT, /* p1: the same, from T */
	WRITE, /* p2: gate := i */
	CHECK, /* p3, p4: delay; gate = i? then C, else p1 */
	LEAVE, /* p5, C: gate := 0 */
	TICK,  /* t: nobody is overdue: one tick */
};

enum variant { SLOW = 1 };
enum word { GATE, DUE, DELAYED }; /* the latter two: 4 bits a process */
enum { BITS = 4 };

static uint64_t longest(const struct wicket_cfg *c)
{
	return c->variant == SLOW ? 2 : 1;
}

/* The mutants are short-delay, planted in either variant. */
static uint64_t delay(const struct wicket_cfg *c)
{
	return longest(c) + !c->mutant;
}

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 : "fischer is mutual exclusion: k must be 1";
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ 0 };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	return (struct wicket_proc){
		.pc = i <= c->n ? ENTER : TICK,
		.self = i,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == ENTER, p.pc == LEAVE);
}

static uint64_t clock_of(uint64_t clocks, uint32_t i)
{
	return clocks >> BITS * (i - 1) & 15;
}

static uint64_t with_clock(uint64_t clocks, uint32_t i, uint64_t x)
{
	return clocks ^ (clock_of(clocks, i) ^ x) << BITS * (i - 1);
}

/* Due holds 1 + the ticks that are left, 0 if nothing is due. */
static struct wicket_value ticked(const struct wicket_cfg *c,
				  struct wicket_value v)
{
	struct wicket_value next = v;

	for (uint32_t i = 1; i <= c->n; i++) {
		uint64_t due = clock_of(v.w[DUE], i);
		uint64_t wait = clock_of(v.w[DELAYED], i);

		if (due == 1)
			return v; /* it must write first */
		if (due)
			next.w[DUE] = with_clock(next.w[DUE], i, due - 1);
		if (wait)
			next.w[DELAYED] = with_clock(next.w[DELAYED], i,
						     wait - 1);
	}
	return next;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value v)
{
	struct wicket_result r = { .proc = p, .put = v };
	uint32_t i = p.self;

	switch (p.pc) {
	case ENTER:
	case AWAIT:
		r.proc.pc = v.w[GATE] ? AWAIT : WRITE;
		if (!v.w[GATE])
			r.put.w[DUE] = with_clock(v.w[DUE], i, 1 + longest(c));
		break;
	case WRITE:
		r.put.w[GATE] = i;
		r.put.w[DUE] = with_clock(v.w[DUE], i, 0);
		r.put.w[DELAYED] = with_clock(v.w[DELAYED], i, delay(c));
		r.proc.pc = CHECK;
		break;
	case CHECK:
		if (!clock_of(v.w[DELAYED], i))
			r.proc.pc = v.w[GATE] == i ? LEAVE : AWAIT;
		break;
	case LEAVE:
		r.put.w[GATE] = 0;
		r.proc.pc = ENTER;
		break;
	case TICK:
		r.put = ticked(c, v);
		break;
	}
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint32_t inside = 0, writing = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		inside += procs[i].pc == LEAVE;
		writing += procs[i].pc == WRITE;
		if (label == 0 && procs[i].pc == LEAVE &&
		    regs[0].w[GATE] != i + 1)
			return 0; /* F1 */
	}
	return label == 0 || !inside || !writing; /* F2 */
}

/* The clocks are the model's, not the algorithm's. */
static uint32_t bits(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return wicket_bits(c->n + 1);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case WRITE:
		wicket_put(t, "gate := ");
		wicket_put_number(t, p.self);
		return;
	case LEAVE:
		wicket_put(t, "gate := 0");
		return;
	case TICK:
		wicket_put(t, "tick");
		return;
	}
	wicket_put(t, p.pc == CHECK ? "delay, gate?" : "await gate = 0");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "gate=");
	wicket_put_number(t, (int64_t)regs[0].w[GATE]);
	wicket_put(t, " due=");
	for (uint32_t i = 1; i <= c->n; i++) {
		uint64_t due = clock_of(regs[0].w[DUE], i);

		if (due)
			wicket_put_number(t, (int64_t)due - 1);
		else
			wicket_put_char(t, '-');
	}
	wicket_put(t, " wait=");
	for (uint32_t i = 1; i <= c->n; i++)
		wicket_put_number(t, (int64_t)clock_of(regs[0].w[DELAYED], i));
}

static const struct wicket_named variants[] = {
	{ "slow", "writes within 2 ticks, delays for 3; else 1 and 2" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "short-delay", "delays no longer than a write may take", 0 },
	{ "short-delay", "delays no longer than a write may take", SLOW },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "F1", "gate = i if process i is in C" },
	{ "F2", "nobody is about to write while somebody is in C" },
	{ 0, 0 },
};

const struct wicket_algo wicket_fischer = {
	.name = "fischer",
	.title = "Fischer's Algorithm",
	.source = "Ben-Ari, 5.7",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM,
	.helper = { "t", "the clock" },
	.refuse = refuse,
	.processes = wicket_one_helper,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = region,
	.access = wicket_whole_action,
	.step = step,
	.holds = holds,
	.bits = bits,
	.show_step = show_step,
	.show = show,
};
