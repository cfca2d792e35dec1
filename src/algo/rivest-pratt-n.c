/* SPDX-License-Identifier: MIT */
/*
 * rivest-pratt-n - mutual exclusion of n processes that die and revive.
 *
 * Source   Rivest & Pratt 1977, Fig. 4, corrected: the first two statements
 *          ask whether process j is racing with us or beyond, R_j != D and
 *          R_j >= i, where the figure asks only R_j != D (mutant printed: fails
 *          already for two processes).  rivest-pratt-n:copies is the scheme
 *          before that, in the text of section III.
 * Value    (S,R)_i in one register, written by process i only: R_i, whom it is
 *          racing with, 0..n-1 or D; S_i as in the two-process algorithm.
 *          The paper's P_i is process i+1 here.  Copies: n-1 values S_ij, one
 *          for each opponent, D, 0, 1 or 2, in one register, which is what makes
 *          them D all at once.
 * N1       a process in C shows it: R_i = n-1 (mutant silent), no copy is D
 *          (mutant forgets: one that were D again would let its opponent by).
 * Safety   each process races with all, itself included (copies: excluded), in
 *          turn, by the two-process algorithm; of two in C each would have
 *          beaten the other.
 * Fences   :fenced and :copies-fenced, for memory in which stores wait in
 *          buffers: as in rivest-pratt-2, one after B and one after D, and one
 *          after R_i := D, by leaving or dying (mutants unfenced-b, -d, -leave,
 *          -fail).
 * Waiting  not bounded: while one works its way up, a higher number may enter
 *          again and again.
 * Crash    announced: R_i becomes D in one step, and it forfeits its race.
 */
#include "algo/algo.h"
#include "algo/fence.h"
#include "algo/race.h"
#include "algo/registers.h"

enum pc {
	A,     /* fetch (S,R)_j; of the first race: R */
	B,     /* (S,R)_i := (racing ? S_j+1 : 0, j) */
	C,     /* fetch again */
	AGREE, /* racing: S_i := S_j+1 */
	E,     /* fetch until the race is won */
	LEAVE, /* C: R_i := D */
	FAIL,  /* R_i := D */
};

/* The race, from 0; S_i (copies: all of them); the next S_i. */
enum local { J, OWN, PUT };
enum variant { COPIES = 1, FENCED, COPIES_FENCED };
/* Those without a fence: of FENCED, then of COPIES_FENCED. */
enum mutant {
	PRINTED = 1,
	SILENT,
	FORGETS,
	UNFENCED_B,
	UNFENCED_D,
	UNFENCED_LEAVE,
	UNFENCED_FAIL,
	UNFENCED_COPIES,
};

static int has_copies(const struct wicket_cfg *c)
{
	return c->variant == COPIES || c->variant == COPIES_FENCED;
}

/* Copies: one digit a process, 0 is D, else 1 + S; the own one stays 0. */
enum { DIGITS = 4 };

static uint64_t power(uint64_t j)
{
	return (uint64_t)1 << 2 * j;
}

static uint64_t copy_of(uint64_t copies, uint64_t j)
{
	return copies / power(j) % DIGITS;
}

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 :
			   "rivest-pratt-n is mutual exclusion: k must be 1";
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	return (struct wicket_register){
		.range = has_copies(c) ? 0 : 3 * c->n + 1,
		.owner = r + 1,
	};
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = { .pc = A, .self = i };

	if (i == 1 && has_copies(c))
		p.local[J] = 1;
	else if (i == 1) /* races with itself first, which takes no fetch */
		p.pc = B;
	return p;
}

/* Before the first step of the first race it is in R. */
static int resting(const struct wicket_cfg *c, struct wicket_proc p)
{
	struct wicket_proc fresh = start(c, p.self);

	return p.pc == fresh.pc && p.local[J] == fresh.local[J];
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	return wicket_region_without_exit(resting(c, p), p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
		return wicket_ask(WICKET_LOAD, (uint32_t)p.local[J]);
	case E:
		return wicket_ask(WICKET_AWAIT, (uint32_t)p.local[J]);
	default:
		return wicket_ask(WICKET_STORE, p.self - 1);
	}
}

/* Of what it fetched: 0 if the other is dead, else 1 + 3 R + S; who has
   copies is always racing with whoever asks. */
static uint64_t shown(const struct wicket_cfg *c, struct wicket_proc p,
		      uint64_t seen)
{
	uint64_t i = p.self - 1, copy = copy_of(seen, i);

	return !has_copies(c) ? seen :
	       copy	      ? wicket_race_shown(i, copy - 1) :
				0;
}

static int is_racing(const struct wicket_cfg *c, struct wicket_proc p,
		     uint64_t seen)
{
	if (c->mutant == PRINTED)
		return seen != 0;
	return wicket_race_on(seen, p.self - 1);
}

/* The own S in the race against J. */
static uint64_t sign(const struct wicket_cfg *c, struct wicket_proc p)
{
	return has_copies(c) ? copy_of(p.local[OWN], p.local[J]) - 1 :
			       p.local[OWN];
}

/* Statements A and C: what follows from a fetch. */
static struct wicket_proc fetched(const struct wicket_cfg *c,
				  struct wicket_proc p, uint64_t seen)
{
	int racing = is_racing(c, p, seen);

	p.local[PUT] = racing ? wicket_race_after(wicket_race_s(seen)) : 0;
	p.pc = p.pc == A ? B : racing ? AGREE : E;
	return p;
}

/* The race against J is won: the next one, or C. */
static struct wicket_proc next_race(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	uint64_t own = wicket_race_shown(p.local[J], p.local[OWN]);
	int copies = has_copies(c);

	p.local[J]++;
	if (copies && p.local[J] == p.self - 1)
		p.local[J]++;
	if (p.local[J] == c->n) {
		p.local[J] = p.local[OWN] = 0;
		p.pc = LEAVE;
		return p;
	}
	p.pc = A;
	if (c->mutant == FORGETS)
		p.local[OWN] = 0;
	/* against itself it knows what a fetch would fetch */
	return !copies && p.local[J] == p.self - 1 ? fetched(c, p, own) : p;
}

/* The own S in the race against J becomes PUT. */
static struct wicket_proc stored(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	uint64_t own = p.local[OWN], j = p.local[J], put = p.local[PUT];

	p.local[OWN] = !has_copies(c) ?
			       put :
			       own + (1 + put - copy_of(own, j)) * power(j);
	p.local[PUT] = 0;
	p.pc = p.pc == B ? C : E;
	return p;
}

static struct wicket_value public(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	uint64_t own = p.local[OWN];

	return wicket_number(
		c->mutant == SILENT ? 0 :
		has_copies(c)	    ? own :
				      wicket_race_shown(p.local[J], own));
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = seen };
	uint64_t x = shown(c, p, seen.w[0]);

	switch (p.pc) {
	case A:
	case C:
		p = fetched(c, p, x);
		break;
	case B:
	case AGREE:
		p = stored(c, p);
		r.put = public(c, p);
		if (p.local[J] != p.self - 1)
			break;
		x = wicket_race_shown(p.local[J], p.local[OWN]);
		p = p.pc == C ? fetched(c, p, x) : next_race(c, p);
		break;
	case E:
		if (wicket_race_won(x, p.self - 1, p.local[J], sign(c, p)))
			p = next_race(c, p);
		break;
	case LEAVE:
	case FAIL:
		r.put = wicket_number(0);
		p = start(c, p.self);
		break;
	}
	r.proc = p;
	return r;
}

/* Dying in R changes nothing: R_i is D there. */
static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	if (event != WICKET_FAIL || resting(c, p))
		return p;
	p = start(c, p.self);
	p.pc = FAIL;
	return p;
}

static int passed(const struct wicket_cfg *c, struct wicket_proc p, uint32_t i)
{
	(void)i;
	if (has_copies(c))
		return p.pc < LEAVE && p.local[OWN];
	return p.pc < LEAVE && (p.local[J] > 0 || p.pc > B);
}

/* What a process in C shows. */
static int shows_it(const struct wicket_cfg *c, uint64_t public, uint32_t i)
{
	uint32_t copies = 1; /* its own, which it has not */

	if (!has_copies(c))
		return public && wicket_race_r(public) == c->n - 1;
	for (uint32_t j = 0; j < c->n; j++)
		copies += j != i && copy_of(public, j);
	return copies == c->n;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	(void)i;
	for (uint32_t j = 0; j < c->n; j++) {
		if (procs[j].pc == LEAVE && !shows_it(c, regs[j].w[0], j))
			return 0;
	}
	return 1;
}

/* Values of one register. */
static uint64_t each(const struct wicket_cfg *c)
{
	return has_copies(c) ? power(c->n - 1) : 3 * c->n + 1;
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

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case A:
	case C:
	case E:
		wicket_put_char(t, p.pc == A ? 'A' : p.pc == C ? 'C' : 'E');
		wicket_put(t, ": fetch from ");
		wicket_put_number(t, (int64_t)p.local[J] + 1);
		return;
	case B:
	case AGREE:
		wicket_put(t, p.pc == B ? "B: := (" : "D: := (");
		wicket_put_number(t, (int64_t)p.local[PUT]);
		wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)p.local[J] + 1);
		wicket_put_char(t, ')');
		return;
	}
	wicket_put(t, "R := D");
}

/* One digit an opponent. */
static void show_copies(const struct wicket_cfg *c,
			const struct wicket_value *regs, struct wicket_text *t)
{
	wicket_put(t, "S=");
	for (uint32_t i = 0; i < c->n; i++) {
		if (i)
			wicket_put_char(t, ' ');
		for (uint32_t j = 0; j < c->n; j++)
			wicket_put_char(
				t, j == i ? '-' :
					    "D012"[copy_of(regs[i].w[0], j)]);
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	if (has_copies(c)) {
		show_copies(c, regs, t);
		return;
	}
	wicket_put(t, "(S,R)=");
	for (uint32_t r = 0; r < c->n; r++) {
		uint64_t x = regs[r].w[0];

		if (r)
			wicket_put_char(t, ' ');
		if (!x) {
			wicket_put_char(t, 'D');
			continue;
		}
		wicket_put_char(t, '(');
		wicket_put_number(t, (int64_t)wicket_race_s(x));
		wicket_put_char(t, ',');
		wicket_put_number(t, (int64_t)wicket_race_r(x) + 1);
		wicket_put_char(t, ')');
	}
}

static uint32_t fences(const struct wicket_cfg *c, struct wicket_proc p)
{
	static const uint8_t pc[] = { B, AGREE, LEAVE, FAIL };

	(void)p;
	return c->variant == FENCED || c->variant == COPIES_FENCED ?
		       wicket_places(c, pc, sizeof(pc),
				     has_copies(c) ? UNFENCED_COPIES :
						     UNFENCED_B) :
		       0;
}

WICKET_FENCED;

#define UNFENCED(variant)                                                      \
	{ "unfenced-b", "no fence after B", variant },                         \
		{ "unfenced-d", "no fence after D", variant },                 \
		{ "unfenced-leave", "no fence after it has left", variant },   \
	{                                                                      \
		"unfenced-fail", "no fence after it has failed", variant       \
	}

static const struct wicket_named variants[] = {
	{ "copies", "section III: n-1 copies of S, one for each opponent" },
	{ "fenced", "a fence after each store" },
	{ "copies-fenced", "copies, with a fence after each store" },
	{ 0, 0 },
};

static const struct wicket_mutant mutants[] = {
	{ "printed", "Fig. 4 as printed: asks R_j != D only", 0 },
	{ "silent", "leaves R_i as it is, dead", 0 },
	{ "forgets", "a copy is D again after its race", COPIES },
	UNFENCED(FENCED),
	UNFENCED(COPIES_FENCED),
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "N1", "a process in C shows it: R_i = n-1, no copy is D" },
	{ 0, 0 },
};

static const struct wicket_named points[] = {
	{ "public", "R_i, or some copy of S_i, is not D" },
	{ 0, 0 },
};

const struct wicket_algo wicket_rivest_pratt_n = {
	.name = "rivest-pratt-n",
	.title = "n processes that die and revive",
	.source = "Rivest & Pratt 1977, Fig. 4",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.points = points,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM | WICKET_ULTRARELIABILITY,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		  WICKET_STARVATION_FREEDOM | WICKET_ULTRARELIABILITY,
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
