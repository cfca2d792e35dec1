/* SPDX-License-Identifier: MIT */
/*
 * queue - the whole line in the shared variable.
 *
 * Source   FLBB 1989, Fig. 1; queue:1979 is the grain of FLBB 1979, where
 *          entering the line and looking at one's place are two steps.
 * Value    QUEUE, one byte a place: the numbers of the processes in arrival
 *          order, 0 behind the last.
 * Q1       QUEUE holds exactly the processes outside R, each once (mutant
 *          no-remove).
 * Q2       a process in C stands in one of the first k places (mutant lifo).
 * FIFO     by construction: new processes stand behind all others, and a
 *          place only ever gets better.
 * Crash    a crashed process keeps its place: among the first k it costs a
 *          slot, behind them it will.
 */
#include "algo/algo.h"

enum pc {
	ENQUEUE = WICKET_FROM_R,
	LOOK = WICKET_FROM_T,
	REMOVE = WICKET_FROM_C
};
enum variant { FLBB_1979 = 1 };
enum mutant { LIFO = 1, NO_REMOVE };

enum { PLACES = 8 * WICKET_WORDS };

static uint32_t at(struct wicket_value q, uint32_t place)
{
	return q.w[place / 8] >> place % 8 * 8 & 0xff;
}

static struct wicket_value with(struct wicket_value q, uint32_t place,
				uint32_t i)
{
	q.w[place / 8] &= ~((uint64_t)0xff << place % 8 * 8);
	q.w[place / 8] |= (uint64_t)i << place % 8 * 8;
	return q;
}

static uint32_t length(struct wicket_value q)
{
	uint32_t n = 0;

	while (n < PLACES && at(q, n))
		n++;
	return n;
}

/* The place of i, or the length of the line if i does not stand in it. */
static uint32_t place_of(struct wicket_value q, uint32_t i)
{
	uint32_t place = 0, end = length(q);

	while (place < end && at(q, place) != i)
		place++;
	return place;
}

/* (a,b,...) -> (a,b,...,i) */
static struct wicket_value enqueue(const struct wicket_cfg *c,
				   struct wicket_value q, uint32_t i)
{
	uint32_t end = length(q);

	if (end == c->n)
		return q; /* a line that cannot be: mutants only */
	if (c->mutant == LIFO) {
		for (; end; end--)
			q = with(q, end, at(q, end - 1));
	}
	return with(q, end, i);
}

/* (a,i,b,...) -> (a,b,...) */
static struct wicket_value without(struct wicket_value q, uint32_t i)
{
	uint32_t end = length(q);

	for (uint32_t place = place_of(q, i); place < end; place++)
		q = with(q, place, place + 1 < end ? at(q, place + 1) : 0);
	return q;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 0 };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = ENQUEUE, .self = i };
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	switch (p.pc) {
	case ENQUEUE:
		r.put = enqueue(c, seen, p.self);
		r.proc.pc = LOOK;
		if (c->variant == FLBB_1979)
			return r;
		break;
	case REMOVE:
		if (c->mutant != NO_REMOVE)
			r.put = without(seen, p.self);
		r.proc.pc = ENQUEUE;
		return r;
	}
	if (place_of(r.put, p.self) < c->k) /* Q2 */
		r.proc.pc = REMOVE;
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct wicket_value q = regs[0];
	uint32_t outside = 0;

	for (uint32_t j = 0; j < c->n; j++) {
		uint32_t place = place_of(q, j + 1);

		if (i == 1 && procs[j].pc == REMOVE && place >= c->k)
			return 0; /* Q2 */
		if (procs[j].pc == ENQUEUE)
			continue;
		outside++;
		if (i == 0 && place == length(q))
			return 0; /* Q1 */
	}
	return i == 1 || outside == length(q);
}

/* Ordered selections of at most n of n processes: sum of n!/(n-j)!. */
static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t sum = 1, term = 1;

	for (uint32_t j = 0; j < c->n && term; j++) {
		term = wicket_times(term, c->n - j);
		sum += term;
	}
	return term && !(sum >> 63) ? sum : 0;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	wicket_put(t, p.pc == ENQUEUE ? "enqueue" :
		      p.pc == LOOK    ? "look" :
					"remove");
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c;
	wicket_put(t, "QUEUE=(");
	for (uint32_t place = 0; place < length(regs[0]); place++) {
		if (place)
			wicket_put_char(t, ' ');
		wicket_put_number(t, at(regs[0], place));
	}
	wicket_put_char(t, ')');
}

static const struct wicket_named variants[] = {
	{ "1979",
	  "entering the line and looking at one's place are two steps" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "lifo", "newcomers stand in front of the line", 0 },
	{ "no-remove", "who leaves C stays in the line", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "Q1", "QUEUE holds exactly the processes outside R, each once" },
	{ "Q2", "a process in C stands in one of the first k places" },
	{ 0, 0 },
};

const struct wicket_algo wicket_queue = {
	.name = "queue",
	.title = "Queue Algorithm",
	.source = "FLBB 1989, Fig. 1",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_PROBLEM_1989 | WICKET_C2 | WICKET_C6_QUEUELIKE,
	.solves = WICKET_PROBLEM_1989 | WICKET_C2 | WICKET_C6_QUEUELIKE,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
