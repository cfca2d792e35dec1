/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-linear - n processes that die and revive, served in turn.
 *
 * Source   Rivest & Pratt 1977, Figs. 5 and 6, whose comparisons are garbled:
 *          sysclock passes over clocks one behind the last it saw, and step 4
 *          over one that is behind its own.
 * Value    (S,R,c)_i in one register, written by process i only: R_i is D, whom
 *          it is racing with (0..n-1), or Q, in the system; S_i as in
 *          rivest-pratt-n; c_i, a clock modulo n, which nobody looks at while
 *          R_i is D.  Padded: process i has number 5i, and clocks go round
 *          modulo 5n, as if four dead processes stood between any two.
 * WH       the Window Hypothesis: all system clocks (those with R = Q) are in
 *          some [t, t+1] (mutants no-wait, no-middle; step-back, which takes
 *          three processes to show it).
 * WS       strengthened: whatever system clock process i has passed in step 5,
 *          up to its next tick, is in [c_i, c_i+1] (the same mutants).
 * Q1       a process in C shows it: R_i = Q and c_i is its number (mutant
 *          silent).
 * Safety   by WS nobody else's clock is behind the clock of a process in C, nor
 *          is any other process's number its value.  With a clock of less than
 *          7 hours WH fails, and exclusion with it: hence the padding.
 * Fences   :padded-fenced, for memory in which stores wait in buffers: one after B
 *          and one after D, as in rivest-pratt-n, and one after step 3 and after
 *          step 6, before the clocks are looked at again (mutants unfenced-b, -d,
 *          -set, -tick).
 * Waiting  the clock points to everybody in turn; who has just been in C must
 *          let it go round once (mutant no-ok).
 * Crash    announced: R_i becomes D in one step; its clock is gone with it.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/race.h"
#include "algo/registers.h"

enum pc {
	SCAN1, /* 1: c_i := sysclock, fetch by fetch; before the first: R */
	A,     /* 2: the races */
	B,
	C,
	AGREE,
	E,
	SCAN3, /* 3: sysclock again */
	SET,   /* c_i := what it said */
	SCAN4, /* 4: and again */
	JOIN,  /* (R,c)_i := (Q, what it said), or Q alone */
	WAIT,  /* 5: until J is dead or its clock in [c_i, c_i+1] */
	TICK,  /* 6: c_i := c_i + 1 */
	LEAVE, /* C: R_i := D */
	FAIL,  /* R_i := D */
};

/*
 * Whom it races with or looks at, from 0; S_i and the next one; c_i; what
 * sysclock has found, plus 1 (0: nothing); whether it has ticked since it joined.
 */
enum local { J, OWN, PUT, CLOCK, FOUND, TICKED };
enum word { R, S, CLOCKS }; /* of a register */
enum variant { PADDED = 1, PADDED_FENCED };
enum mutant {
	NO_WAIT = 1,
	NO_MIDDLE,
	STEP_BACK,
	NO_OK,
	SILENT,
	UNFENCED_B,
	UNFENCED_D,
	UNFENCED_SET,
	UNFENCED_TICK,
};
enum { APART = 5, DEAD = 0 };

/* R: DEAD, 1 + the opponent, or 1 + n for Q. */
static uint64_t q(const struct wicket_cfg *c)
{
	return 1 + c->n;
}

static uint64_t apart(const struct wicket_cfg *c)
{
	return c->variant ? APART : 1;
}

static uint64_t hours(const struct wicket_cfg *c)
{
	return apart(c) * c->n;
}

/* Process i's (from 0) own hour. */
static uint64_t number(const struct wicket_cfg *c, uint64_t i)
{
	return apart(c) * i;
}

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ?
		       0 :
		       "rivest-pratt-linear is mutual exclusion: k must be 1";
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)c;
	return (struct wicket_register){ .owner = r + 1 };
}

/* The first to look at after j, from 0, other than oneself; n: nobody. */
static uint64_t next(struct wicket_proc p, uint64_t j)
{
	return j == p.self - 1 ? j + 1 : j;
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = { .pc = SCAN1, .self = i };

	(void)c;
	p.local[J] = next(p, 0);
	return p;
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(
		p.pc == SCAN1 && p.local[J] == next(p, 0), p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case SCAN1:
	case A:
	case C:
	case SCAN3:
	case SCAN4:
		return wicket_ask(WICKET_LOAD, (uint32_t)p.local[J]);
	case E:
	case WAIT:
		return wicket_ask(WICKET_AWAIT, (uint32_t)p.local[J]);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

static struct wicket_value public(uint64_t r, uint64_t s, uint64_t clock)
{
	return (struct wicket_value){ { r, s, clock } };
}

/* In the races who is in the system is as good as dead. */
static uint64_t shown(const struct wicket_cfg *c, struct wicket_value v)
{
	return v.w[R] == DEAD || v.w[R] == q(c) ?
		       0 :
		       wicket_race_shown(v.w[R] - 1, v.w[S]);
}

/* --- 1, 3 and 4: sysclock -------------------------------------------------- */

static struct wicket_proc scan(struct wicket_proc p, enum pc pc)
{
	p.pc = (uint16_t)pc;
	p.local[J] = next(p, 0);
	p.local[FOUND] = 0;
	return p;
}

static uint64_t found(struct wicket_proc p)
{
	return p.local[FOUND] ? p.local[FOUND] - 1 : 0;
}

/* What is found so far, J having been looked at. */
static uint64_t sysclock(const struct wicket_cfg *c, struct wicket_proc p,
			 struct wicket_value v)
{
	uint64_t clock = v.w[CLOCKS], last = p.local[FOUND];

	if (v.w[R] == q(c) && (!last || (clock + 1) % hours(c) != last - 1))
		return clock + 1;
	return last;
}

/* --- 2: the races ---------------------------------------------------------- */

/* Statements A and C: what follows from a fetch. */
static struct wicket_proc fetched(struct wicket_proc p, uint64_t seen)
{
	int racing = wicket_race_on(seen, p.self - 1);

	p.local[PUT] = racing ? wicket_race_after(wicket_race_s(seen)) : 0;
	p.pc = p.pc == A ? B : racing ? AGREE : E;
	return p;
}

static struct wicket_proc race(struct wicket_proc p, uint64_t j, uint64_t own)
{
	p.pc = A;
	p.local[J] = j;
	/* against itself it knows what a fetch would fetch */
	return j == p.self - 1 ? fetched(p, own) : p;
}

/* The race against J is won. */
static struct wicket_proc next_race(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	uint64_t j = p.local[J];

	if (j + 1 < c->n)
		return race(p, j + 1, wicket_race_shown(j, p.local[OWN]));
	if (c->mutant == NO_MIDDLE)
		return scan(p, SCAN4);
	p.local[CLOCK] = 0;
	return scan(p, SCAN3);
}

/* Statements B and D: what to store, and what follows. */
static struct wicket_result store(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	struct wicket_result r = { .put = public(p.local[J] + 1, p.local[PUT],
						 p.local[CLOCK]) };

	p.local[OWN] = p.local[PUT];
	p.local[PUT] = 0;
	p.pc = p.pc == B ? C : E;
	if (p.local[J] == p.self - 1)
		p = p.pc == C ? fetched(p, wicket_race_shown(p.local[J],
							     p.local[OWN])) :
				next_race(c, p);
	r.proc = p;
	return r;
}

/* --- 5 and 6: in the system ------------------------------------------------- */

static struct wicket_proc in_system(struct wicket_proc p, uint64_t clock,
				    uint64_t ticked)
{
	struct wicket_proc now = { .pc = WAIT, .self = p.self };

	now.local[J] = next(p, 0);
	now.local[CLOCK] = clock;
	now.local[TICKED] = ticked;
	return now;
}

static int is_passed(const struct wicket_cfg *c, struct wicket_proc p,
		     struct wicket_value v)
{
	uint64_t clock = v.w[CLOCKS], own = p.local[CLOCK];

	return v.w[R] == DEAD || clock == own ||
	       clock == (own + 1) % hours(c) || c->mutant == NO_WAIT;
}

static struct wicket_proc wait(const struct wicket_cfg *c, struct wicket_proc p,
			       struct wicket_value v)
{
	int ok = p.local[TICKED] || c->mutant == NO_OK;

	if (!is_passed(c, p, v))
		return p;
	p.local[J] = next(p, p.local[J] + 1);
	if (p.local[J] < c->n)
		return p;
	p.local[J] = 0;
	if (p.local[CLOCK] != number(c, p.self - 1) || !ok) {
		p.local[TICKED] = 0; /* it is about to */
		p.pc = TICK;
		return p;
	}
	return (struct wicket_proc){ .pc = LEAVE, .self = p.self };
}

/* --- all of it --------------------------------------------------------------- */

/* A fetch by sysclock, and what follows the last one. */
static struct wicket_proc scanned(const struct wicket_cfg *c,
				  struct wicket_proc p, struct wicket_value v)
{
	uint64_t clock, behind;

	p.local[FOUND] = sysclock(c, p, v);
	p.local[J] = next(p, p.local[J] + 1);
	if (p.local[J] < c->n)
		return p;
	clock = found(p);
	p.local[FOUND] = p.local[J] = 0;
	behind = (p.local[CLOCK] + hours(c) - 1) % hours(c);
	if (p.pc == SCAN4 && clock == behind && c->mutant != STEP_BACK)
		clock = p.local[CLOCK];
	p.local[CLOCK] = clock;
	if (p.pc == SCAN1)
		return race(p, 0, 0);
	p.pc = p.pc == SCAN3 ? SET : JOIN;
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint64_t clock = p.local[CLOCK];

	switch (p.pc) {
	case SCAN1:
	case SCAN3:
	case SCAN4:
		r.proc = scanned(c, p, seen);
		break;
	case A:
	case C:
		r.proc = fetched(p, shown(c, seen));
		break;
	case B:
	case AGREE:
		return store(c, p);
	case E:
		if (wicket_race_won(shown(c, seen), p.self - 1, p.local[J],
				    p.local[OWN]))
			r.proc = next_race(c, p);
		break;
	case SET:
		r.put = public(c->n, p.local[OWN], clock);
		r.proc = scan(p, SCAN4);
		break;
	case JOIN:
		r.put = public(c->mutant == SILENT ? DEAD : q(c), 0, clock);
		r.proc = in_system(p, clock, 0);
		break;
	case WAIT:
		r.proc = wait(c, p, seen);
		break;
	case TICK:
		clock = (clock + 1) % hours(c);
		r.put = public(c->mutant == SILENT ? DEAD : q(c), 0, clock);
		r.proc = in_system(p, clock, 1);
		break;
	default:
		r.put = public(DEAD, 0, 0);
		r.proc = start(c, p.self);
		break;
	}
	return r;
}

/* Dying in R changes nothing: R_i is D there. */
static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	if (event != WICKET_FAIL || region(c, p) == WICKET_REMAINDER)
		return p;
	return (struct wicket_proc){ .pc = FAIL, .self = p.self };
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	/* nor while it is still to wait until memory has what it stored at B */
	uint32_t hidden = wicket_owes_fence(p) ? AGREE : B;
	int unseen = p.pc == SCAN1 || (p.pc <= hidden && p.local[J] == 0);

	(void)c;
	return i == 0 ? p.pc < LEAVE && !unseen : p.pc == WAIT || p.pc == TICK;
}

/* --- invariants --------------------------------------------------------------- */

/* Is the clock in [from, from+1]? */
static int is_within(const struct wicket_cfg *c, uint64_t clock, uint64_t from)
{
	return clock == from || clock == (from + 1) % hours(c);
}

/* Are the clocks of all in the system in [from, from+1]? */
static int is_window(const struct wicket_cfg *c,
		     const struct wicket_value *regs, uint64_t from)
{
	for (uint32_t j = 0; j < c->n; j++) {
		if (regs[j].w[R] == q(c) &&
		    !is_within(c, regs[j].w[CLOCKS], from))
			return 0;
	}
	return 1;
}

static int has_window(const struct wicket_cfg *c,
		      const struct wicket_value *regs)
{
	for (uint64_t from = 0; from < hours(c); from++) {
		if (is_window(c, regs, from))
			return 1;
	}
	return 0;
}

/* Whom has it passed in step 5?  Those before J, or all. */
static uint64_t passed_up_to(const struct wicket_cfg *c, struct wicket_proc p)
{
	return p.pc == WAIT		     ? p.local[J] :
	       p.pc == TICK || p.pc == LEAVE ? c->n :
					       0;
}

static int is_strong(const struct wicket_cfg *c,
		     const struct wicket_value *regs,
		     const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < passed_up_to(c, procs[i]); j++) {
			if (regs[j].w[R] == q(c) &&
			    !is_within(c, regs[j].w[CLOCKS], regs[i].w[CLOCKS]))
				return 0;
		}
	}
	return 1;
}

static int is_shown(const struct wicket_cfg *c, const struct wicket_value *regs,
		    const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (procs[i].pc == LEAVE &&
		    (regs[i].w[R] != q(c) || regs[i].w[CLOCKS] != number(c, i)))
			return 0;
	}
	return 1;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	return i == 0 ? has_window(c, regs) :
	       i == 1 ? is_strong(c, regs, procs) :
			is_shown(c, regs, procs);
}

/* Values of one register: racing, or Q, at any hour; or D. */
static uint64_t each(const struct wicket_cfg *c)
{
	return (3 * c->n + 1) * hours(c) + 1;
}

static uint32_t bits(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return wicket_bits(each(c));
}

static uint64_t bound(const struct wicket_cfg *c)
{
	return wicket_power(each(c), c->n);
}

/* --- texts ---------------------------------------------------------------------- */

static void put_pair(struct wicket_text *t, const char *before, uint64_t a,
		     uint64_t b)
{
	wicket_put(t, before);
	wicket_put_number(t, (int64_t)a);
	wicket_put_char(t, ',');
	wicket_put_number(t, (int64_t)b);
	wicket_put_char(t, ')');
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	static const char *const looks[] = {
		[SCAN1] = "1: clock of ", [A] = "A: fetch from ",
		[C] = "C: fetch from ",	  [E] = "E: fetch from ",
		[SCAN3] = "3: clock of ", [SCAN4] = "4: clock of ",
		[WAIT] = "5: clock of ",
	};

	switch (p.pc) {
	case B:
	case AGREE:
		put_pair(t, p.pc == B ? "B: := (" : "D: := (", p.local[PUT],
			 p.local[J] + 1);
		return;
	case SET:
	case JOIN:
	case TICK:
		wicket_put(t, p.pc == SET  ? "3: c := " :
			      p.pc == JOIN ? "4: := Q, " :
					     "6: c := ");
		wicket_put_number(t,
				  (int64_t)((p.local[CLOCK] + (p.pc == TICK)) %
					    hours(c)));
		return;
	case LEAVE:
	case FAIL:
		wicket_put(t, "R := D");
		return;
	}
	wicket_put(t, looks[p.pc]);
	wicket_put_number(t, (int64_t)p.local[J] + 1);
}

/* D, Qc, or S.R@c */
static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	wicket_put(t, "(S,R)@c=");
	for (uint32_t i = 0; i < c->n; i++) {
		struct wicket_value v = regs[i];

		if (i)
			wicket_put_char(t, ' ');
		if (v.w[R] == DEAD) {
			wicket_put_char(t, 'D');
			continue;
		}
		if (v.w[R] == q(c))
			wicket_put_char(t, 'Q');
		else
			put_pair(t, "(", v.w[S], v.w[R]);
		wicket_put_char(t, '@');
		wicket_put_number(t, (int64_t)v.w[CLOCKS]);
	}
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { B, AGREE, SET, TICK };

	(void)p;
	return c->variant == PADDED_FENCED ?
		       wicket_places(c, pc, sizeof(pc), UNFENCED_B) :
		       0;
}

WICKET_FENCED;

static const struct wicket_named variants[] = {
	{ "padded", "processes are five hours apart" },
	{ "padded-fenced", "padded, with a fence after B, D and steps 3, 6" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "no-wait", "step 5 does not wait", PADDED },
	{ "no-middle", "step 3 is left out", PADDED },
	{ "step-back", "step 4 takes also a clock behind its own", PADDED },
	{ "no-ok", "enters though its clock has not gone on", PADDED },
	{ "silent", "leaves R_i as it is, dead, instead of Q", PADDED },
	{ "unfenced-b", "no fence after B", PADDED_FENCED },
	{ "unfenced-d", "no fence after D", PADDED_FENCED },
	{ "unfenced-set", "no fence after step 3", PADDED_FENCED },
	{ "unfenced-tick", "no fence after step 6", PADDED_FENCED },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "WH", "all system clocks are in some [t, t+1]" },
	{ "WS", "those that i has passed are in [c_i, c_i+1]" },
	{ "Q1", "a process in C shows it: R_i = Q, c_i is its number" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "public", "R_i is not D" },
	{ "Q", "R_i is Q" },
	{ 0, 0 },
};

const struct wicket_algo wicket_rivest_pratt_linear = {
	.name = "rivest-pratt-linear",
	.title = "n processes that die and revive, in turn",
	.source = "Rivest & Pratt 1977, Figs. 5, 6",
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
	.heavy = 2, /* three clocks and three races: 20 million states */
	.refuse = refuse,
	.registers = wicket_one_each,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access_or_fence,
	.step = step_or_fence,
	.event = on_event,
	.passed = passed,
	.holds = holds,
	.bound = bound,
	.bits = bits,
	.show_step = show_step_or_fence,
	.show = show,
};
