/* SPDX-License-Identifier: MIT */
/*
 * conditions - (C2) to (C6) of FLBB 1979: by hand on toys with exit regions and
 * with a supervisor, and against the definitions by enumeration (force.h), in
 * every system of the registry up to n = 3 and in systems that nobody designed.
 */
#include "explored.h"
#include "force.h"
#include "permit.h"
#include "verify/property/allocation.h"

static const char *const waiting[] = { "c3", "c3-enabling", "c4", "c4-enabling",
				       "c5", "c5-enabling" };

/* --- toys ----------------------------------------------------------------- */

/*
 * A lock with an exit region, register 0: 1 if it is taken.  Who is in E gives
 * it back with its last step.  Mutants: who leaves C gives it back at once; and
 * then waits in E until nobody has it.
 */
enum { WANT, TRY, LEAVE, GIVE_BACK };
enum { EARLY = 1, POLITE };

static struct wicket_register free_lock(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 2 };
}

static struct wicket_proc wants(const struct wicket_cfg *c, uint32_t i)
{
	(void)c, (void)i;
	return (struct wicket_proc){ .pc = WANT };
}

static enum wicket_region pc_is_region(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	(void)c;
	return (enum wicket_region)p.pc;
}

static struct wicket_access whole(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	(void)c, (void)p;
	return wicket_ask(WICKET_RMW, 0);
}

static struct wicket_result lock_step(const struct wicket_cfg *c,
				      struct wicket_proc p,
				      struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (p.pc == WANT) {
		r.proc.pc = TRY;
	} else if (p.pc == TRY && !seen.w[0]) {
		r.put = wicket_number(1);
		r.proc.pc = LEAVE;
	} else if (p.pc == LEAVE) {
		if (c->mutant)
			r.put = wicket_number(0);
		r.proc.pc = GIVE_BACK;
	} else if (p.pc == GIVE_BACK && !(c->mutant == POLITE && seen.w[0])) {
		if (!c->mutant)
			r.put = wicket_number(0);
		r.proc.pc = WANT;
	}
	return r;
}

static const struct wicket_algo lock = {
	.name = "lock",
	.registers = one_register,
	.reg = free_lock,
	.start = wants,
	.region = pc_is_region,
	.access = whole,
	.step = lock_step,
};

/*
 * Process 2 goes from R to C and back as it likes, and leaves a sign; process 1
 * waits in T for the sign.
 */
static struct wicket_proc numbered_from_1(const struct wicket_cfg *c,
					  uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = WANT, .self = i };
}

static struct wicket_result sign_step(const struct wicket_cfg *c,
				      struct wicket_proc p,
				      struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	(void)c;
	if (p.pc == LEAVE) {
		r.proc.pc = WANT;
	} else if (p.self == 2) {
		r.put = wicket_number(1);
		r.proc.pc = LEAVE;
	} else {
		r.proc.pc = p.pc == TRY && seen.w[0] ? LEAVE : TRY;
	}
	return r;
}

static const struct wicket_algo sign = {
	.name = "sign",
	.registers = one_register,
	.reg = free_lock,
	.start = numbered_from_1,
	.region = pc_is_region,
	.access = whole,
	.step = sign_step,
};

/*
 * Register 0: who has the slot, and in its higher digits who waits for it, the
 * newest last; the newest gets it.  All but the order is as in a queue.
 */
static uint64_t newest_first(uint64_t line)
{
	uint64_t place = 1;

	line /= 10;
	while (line / place >= 10)
		place *= 10;
	return line < 10 ? line : line / place + line % place * 10;
}

static struct wicket_register nobody(const struct wicket_cfg *c, uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 0 };
}

static struct wicket_result stack_step(const struct wicket_cfg *c,
				       struct wicket_proc p,
				       struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint64_t place = 1;

	(void)c;
	while (seen.w[0] / place)
		place *= 10;
	if (p.pc == WANT) {
		r.put = wicket_number(seen.w[0] + place * p.self);
		r.proc.pc = TRY;
	} else if (p.pc == TRY && seen.w[0] % 10 == p.self) {
		r.proc.pc = LEAVE;
	} else if (p.pc == LEAVE) {
		r.put = wicket_number(newest_first(seen.w[0]));
		r.proc.pc = WANT;
	}
	return r;
}

static const struct wicket_algo stack = {
	.name = "stack",
	.registers = one_register,
	.reg = nobody,
	.start = numbered_from_1,
	.region = pc_is_region,
	.access = whole,
	.step = stack_step,
};

/* Two processes, one slot; what is said of the schedule, if it fails. */
struct saying {
	const struct wicket_algo *algo;
	uint32_t mutant, r;
	const char *property;
	enum verdict verdict;
	int64_t bound;
	uint32_t length, stem, stopped, victims;
};

static void assert_said(const struct saying *x)
{
	struct wicket_cfg c = { .n = 2, .k = 1, .r = x->r };
	struct decided d;

	c.mutant = x->mutant;
	d = decided(x->algo, &c, x->property);
	assert_of(x->property, d.finding.verdict == x->verdict);
	assert_int_equal(d.finding.bound, x->bound);
	assert_int_equal(d.finding.schedule.length, x->length);
	assert_int_equal(d.finding.schedule.stem, x->stem);
	assert_int_equal(d.finding.schedule.stopped, x->stopped);
	assert_int_equal(d.finding.victims, x->victims);
	property_free(&d.finding);
}

static void deadlocks_by_hand(void **state)
{
	enum { NONE = BOUND_UNBOUNDED };
	const struct saying sayings[] = {
		/* 1 stops in E with the lock, 2 tries: 1 1 1 2, then 2 */
		{ &lock, 0, 1, "c2", HOLDS, 1, 0, 0, 0, 0 },
		{ &lock, 0, 2, "c2", FAILS, 1, 5, 4, 1, 0 },
		{ &lock, EARLY, 9, "c2", HOLDS, NONE, 0, 0, 0, 0 },
		/* 1 waits in E for 2, which halts in C: nobody fails */
		{ &lock, POLITE, 1, "c2", FAILS, 0, 6, 5, 0, 0 },
		/* with nothing to do, the supervisor goes on for ever */
		{ &permit, 0, 9, "c2", HOLDS, NONE, 0, 0, 0, 0 },
		/* it rests before it has given out the permit again */
		{ &permit, LAZY, 1, "c2", FAILS, 0, 6, 5, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sayings) / sizeof(*sayings); i++)
		assert_said(&sayings[i]);
}

static void waiting_by_hand(void **state)
{
	enum { NONE = BOUND_NONE, MANY = BOUND_UNBOUNDED };
	const struct saying sayings[] = {
		/* 1 tries when 2 has it: 1 2, then 2 1 2 2; if 1 may stop,
		   2 2 2 2 */
		{ &lock, 0, 1, "c3", FAILS, NONE, 6, 1, 0, 3 },
		{ &lock, 0, 2, "c3", FAILS, NONE, 5, 1, 1, 3 },
		{ &lock, 0, 1, "c4", FAILS, MANY, 5, 1, 0, 3 },
		{ &lock, 0, 1, "c5", FAILS, NONE, 3, 0, 0, 3 },
		{ &lock, 0, 1, "c5-enabling", FAILS, NONE, 3, 0, 0, 3 },
		/* the entry of 2 is what enables 1; 1 need not go in, ... */
		{ &sign, 0, 1, "c5-enabling", FAILS, NONE, 2, 0, 0, 1 },
		{ &sign, 0, 1, "c4-enabling", HOLDS, 1, 0, 0, 0, 0 },
		{ &sign, 0, 1, "c4", FAILS, MANY, 4, 2, 0, 1 },
		{ &sign, 0, 2, "c3", FAILS, NONE, 4, 2, 1, 1 },
		/* ... unless it must not stop */
		{ &sign, 0, 1, "c3", HOLDS, NONE, 0, 0, 0, 0 },
		{ &sign, 0, 9, "c3-enabling", HOLDS, NONE, 0, 0, 0, 0 },
		/* 1, then S 2 2 2 2; 1 looks once if it must not stop */
		{ &permit, 0, 2, "c3", FAILS, NONE, 5, 1, 1, 3 },
		{ &permit, 0, 1, "c3", FAILS, NONE, 6, 1, 0, 3 },
		{ &permit, LAZY, 9, "c3", HOLDS, NONE, 0, 0, 0, 0 },
		{ &permit, LAZY, 1, "c4", HOLDS, 1, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sayings) / sizeof(*sayings); i++)
		assert_said(&sayings[i]);
}

static void order_by_hand(void **state)
{
	const struct saying sayings[] = {
		{ &lock, 0, 1, "order-preserving", HOLDS, -1, 0, 0, 0, 0 },
		/* 1 1 1, then 2 2 2 2 while 1 is in E */
		{ &lock, EARLY, 1, "order-preserving", FAILS, -1, 7, 0, 0, 0 },
		{ &lock, POLITE, 1, "order-preserving", FAILS, -1, 7, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sayings) / sizeof(*sayings); i++)
		assert_said(&sayings[i]);
}

/* The regions of the states at the end of schedules, and what is there. */
static void groups_by_hand(void **state)
{
	const struct {
		const struct wicket_algo *algo;
		const char *steps;
		uint32_t critical, remainder, c, r;
	} at[] = {
		{ &lock, "", 0, 0, 0, 0 },
		{ &lock, "1", 0, 0, 1, 0 },   /* 2 may take its place */
		{ &lock, "12", 0, 0, 1, 0 },  /* for both together */
		{ &lock, "112", 0, 0, 0, 0 }, /* 1 is in C */
		{ &lock, "1112", 0, 1, 0, 1 },
		{ &permit, "1", 0, 0, 0, 0 }, /* nothing is laid out */
		{ &permit, "13", 0, 0, 1, 0 },
		{ &permit, "131", 0, 1, 0, 0 }, /* from C, without E */
		{ &sign, "", 2, 0, 0, 0 },	/* in R, and enabled */
		{ &sign, "12", 1, 2, 1, 0 },
	};

	(void)state;
	for (size_t x = 0; x < sizeof(at) / sizeof(*at); x++) {
		struct named s = { .algo = at[x].algo,
				   .cfg = { .n = 2, .k = 1 } };
		uint32_t q = 0;
		struct explored e;

		snprintf(s.name, sizeof(s.name), "%s after %s",
			 at[x].algo->name, at[x].steps);
		explore(&e, &s);
		assert_of(s.name, allocation_know(&e.en, &e.g));
		for (const char *step = at[x].steps; *step; step++)
			q = graph_target(
				&e.g,
				edge_of(&e, q,
					deed_label((uint32_t)(*step - '1'),
						   DEED_STEP, 0)));
		assert_of(s.name, critical_enabled(&e.en, q) == at[x].critical);
		assert_of(s.name,
			  remainder_enabled(&e.en, q) == at[x].remainder);
		assert_of(s.name, c_allocation(&e.en, q) == at[x].c);
		assert_of(s.name, r_allocation(&e.en, q) == at[x].r);
		forget(&e);
	}
}

static void parts_by_hand(void **state)
{
	const struct {
		const char *name, *part;
		uint32_t length;
	} systems[] = {
		{ "queue:1979", NULL, 0 },
		{ "semaphore@no-test", "k-full", 0 }, /* in R, and enabled */
		{ "queue@no-remove", "k-full", 2 },   /* the same */
		{ "bank", "k-full", 1 },
	};
	struct wicket_cfg c = { .n = 2, .k = 1 };
	struct decided d;

	(void)state;
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++) {
		struct named s = named(systems[i].name, 2, 1);

		d = decided(s.algo, &s.cfg, "c6-queuelike");
		assert_int_equal(d.finding.verdict,
				 systems[i].part ? FAILS : HOLDS);
		assert_int_equal(d.finding.schedule.length, systems[i].length);
		if (systems[i].part)
			assert_string_equal(d.finding.part, systems[i].part);
		property_free(&d.finding);
	}
	/* lock: in T alone it is not enabled, long before it is in E */
	d = decided(&lock, &c, "c6-queuelike");
	assert_string_equal(d.finding.part, "k-full");
	assert_int_equal(d.finding.schedule.length, 1);
	property_free(&d.finding);
	/* 1 2 3, 1 1, 3: that is before 2, which is not enabled yet */
	c.n = 3;
	d = decided(&stack, &c, "c6-queuelike");
	assert_string_equal(d.finding.part, "c5-enabling");
	assert_int_equal(d.finding.schedule.length, 6);
	property_free(&d.finding);
}

/* --- by enumeration ------------------------------------------------------- */

enum { TOO_MANY = 6000, MANY_STATES = 400 };

struct forced {
	struct explored x;
	struct force f;
};

static bool force_explore(struct forced *y, const struct named *s)
{
	explore(&y->x, s);
	if (y->x.g.states > TOO_MANY) {
		forget(&y->x);
		return false;
	}
	force_start(&y->f, &y->x.b);
	return true;
}

static void force_forget(struct forced *y)
{
	force_free(&y->f);
	forget(&y->x);
}

static void compare_sets(struct forced *y)
{
	const char *name = y->x.s->name;

	assert_of(name, allocation_know(&y->x.en, &y->x.g));
	for (uint32_t q = 0; q < y->x.g.states; q++) {
		assert_of(name, critical_enabled(&y->x.en, q) == y->f.ce[q]);
		assert_of(name, remainder_enabled(&y->x.en, q) == y->f.re[q]);
		assert_of(name, rests(&y->x.en, q) == y->f.rest[q]);
		assert_of(name, c_allocation(&y->x.en, q) == y->f.ca[q]);
		assert_of(name, r_allocation(&y->x.en, q) == y->f.ra[q]);
	}
}

/* How often each was found to hold, and to fail. */
static struct {
	uint32_t c2[4], waiting[6][2], part[4], order[2];
} met;

static struct finding decide(struct forced *y, const char *property)
{
	struct finding f;

	property_decide(&y->x.g, &property, &f, 1);
	assert_of(y->x.s->name, f.verdict != UNDECIDED);
	if (f.verdict == FAILS)
		assert_of(y->x.s->name, is_judged(&y->x, property, f.schedule));
	return f;
}

static uint32_t turn; /* of systems */

/* Schedules that are shorter are sought where that is soon done. */
static bool is_small(const struct forced *y)
{
	return y->x.g.states <= MANY_STATES && turn % 4 == 0;
}

/* Of an algorithm that is made for its r, another r is another system. */
static uint32_t largest_r(const struct named *s)
{
	struct wicket_cfg cfg = s->cfg;

	cfg.r = cfg.n + 1;
	return s->algo->refuse && s->algo->refuse(&cfg) ? 1 : cfg.r;
}

static void compare_deadlock(struct forced *y)
{
	struct bad bad = { .f = &y->f, .deadlock = true };
	uint32_t fewest = force_fewest(&y->f, &bad);
	const char *name = y->x.s->name;

	for (uint32_t r = 1; r <= largest_r(y->x.s); r++) {
		struct finding f;

		y->x.g.system.cfg.r = r;
		f = decide(y, "c2");
		assert_of(name, f.verdict == (fewest < r ? FAILS : HOLDS));
		assert_of(name, f.bound == (fewest == FAR ? BOUND_UNBOUNDED :
							    (int64_t)fewest));
		assert_of(name,
			  f.verdict == HOLDS ||
				  force_shows(&y->f, &bad, &f.schedule, r));
		if (f.verdict == FAILS && is_small(y))
			assert_of(name, force_lasso(&y->f, &bad, r,
						    f.schedule.length) ==
						f.schedule.length);
		property_free(&f);
	}
	met.c2[fewest < 2 ? fewest : fewest == FAR ? 3 : 2]++;
}

/* Of all i and j: who waits how badly. */
struct waits {
	uint32_t endless;   /* set of those who may wait for ever */
	uint32_t count;	    /* the most cycles during one wait */
	uint32_t overtaken; /* set */
	uint32_t once;	    /* the length of a shortest overtaking */
};

static void force_pairs(struct forced *y, bool enabling, uint32_t r,
			struct waits *w)
{
	struct bad bad = { .f = &y->f, .enabling = enabling };

	*w = (struct waits){ .once = FAR };
	for (uint32_t p = 0; p < y->f.n * y->f.n; p++) {
		uint32_t count;

		bad.i = p / y->f.n;
		bad.j = p % y->f.n;
		if (bad.i == bad.j)
			continue;
		count = force_count(&y->f, &bad);
		w->count = count > w->count ? count : w->count;
		w->overtaken |= (uint32_t) !!count << bad.i;
		w->once = force_once(&y->f, &bad, w->once);
		/* nobody is overtaken for ever who is not again and again */
		if (count == ENOUGH && force_fewest(&y->f, &bad) < r)
			w->endless |= 1u << bad.i;
	}
}

/* It shows what it should, and nothing shorter does. */
static bool is_right(struct forced *y, bool enabling, uint32_t r,
		     const struct finding *f)
{
	struct bad bad = {
		.f = &y->f,
		.enabling = enabling,
	};
	uint32_t best = f->schedule.length;

	bad.i = f->schedule.victim - 1;
	bad.j = f->schedule.culprit - 1;
	if (!force_shows(&y->f, &bad, &f->schedule, r))
		return false;
	for (uint32_t p = 0; is_small(y) && p < y->f.n * y->f.n; p++) {
		bad.i = p / y->f.n;
		bad.j = p % y->f.n;
		if (bad.i != bad.j)
			best = force_lasso(&y->f, &bad, r, best);
	}
	return best == f->schedule.length;
}

/* Returns the length of a shortest overtaking. */
static uint32_t compare_waiting(struct forced *y, bool enabling, uint32_t r)
{
	const char *name = y->x.s->name;
	struct finding c3, c4, c5;
	struct waits w;

	y->x.g.system.cfg.r = r;
	force_pairs(y, enabling, r, &w);
	c3 = decide(y, waiting[0 + enabling]);
	c4 = decide(y, waiting[2 + enabling]);
	c5 = decide(y, waiting[4 + enabling]);
	assert_of(name, c3.verdict == (w.endless ? FAILS : HOLDS));
	assert_of(name, c3.victims == w.endless);
	assert_of(name, c3.verdict == HOLDS || is_right(y, enabling, r, &c3));
	assert_of(name, c4.verdict == (w.count == ENOUGH ? FAILS : HOLDS));
	assert_of(name, c4.bound == (w.count == ENOUGH ? BOUND_UNBOUNDED :
							 (int64_t)w.count));
	assert_of(name, c4.verdict == HOLDS || is_right(y, enabling, FAR, &c4));
	assert_of(name, c5.verdict == (w.overtaken ? FAILS : HOLDS));
	assert_of(name, c5.victims == w.overtaken);
	assert_of(name, c5.verdict == HOLDS || c5.schedule.length == w.once);
	met.waiting[0 + enabling][c3.verdict == HOLDS]++;
	met.waiting[2 + enabling][c4.verdict == HOLDS]++;
	met.waiting[4 + enabling][c5.verdict == HOLDS]++;
	property_free(&c3);
	property_free(&c4);
	property_free(&c5);
	return w.once;
}

/* The nearest state with a crowd, somebody in E, or not full; else overtaking. */
static void compare_queuelike(struct forced *y, uint32_t once)
{
	struct finding f = decide(y, "c6-queuelike");
	const char *name = y->x.s->name;
	bool crowd = false, exits = false;
	uint32_t best = FAR;

	for (uint32_t q = 0; q < y->f.states; q++) {
		bool crowded = force_in(&y->f, q, WICKET_CRITICAL) > y->f.k;
		bool leaves = force_in(&y->f, q, WICKET_EXIT);

		if ((crowded || leaves || !force_full(&y->f, q)) &&
		    y->x.b.depth[q] < best) {
			best = y->x.b.depth[q];
			crowd = crowded;
			exits = leaves;
		}
	}
	assert_of(name, f.schedule.length == (best < once ? best :
					      once < FAR  ? once :
							    0));
	assert_of(name, (f.verdict == HOLDS) == (best == FAR && once == FAR));
	if (f.verdict == FAILS) {
		int part = best > once ? 3 : crowd ? 0 : exits ? 1 : 2;
		static const char *const parts[] = { "k-exclusion",
						     "null-exit-regions",
						     "k-full", "c5-enabling" };

		/* another state may be as near */
		if (best > once)
			assert_string_equal(f.part, parts[part]);
		met.part[part]++;
	}
	property_free(&f);
}

static void compare_order(struct forced *y)
{
	struct finding f = decide(y, "order-preserving");
	uint32_t shortest = force_order(&y->f);

	assert_of(y->x.s->name, f.verdict == (shortest == FAR ? HOLDS : FAILS));
	assert_of(y->x.s->name,
		  f.verdict == HOLDS || f.schedule.length == shortest);
	met.order[f.verdict == HOLDS]++;
	property_free(&f);
}

/* Section 2, (a) to (d): from R and T to T and C, from C and E to E and R. */
static bool obeys(const struct graph *g)
{
	for (uint32_t s = 0; s < g->states; s++) {
		for (uint64_t e = graph_first(g, s); e < graph_end(g, s); e++) {
			uint32_t i = graph_actor(g, e);
			uint32_t from = graph_region(g, s, i);
			uint32_t to = graph_region(g, graph_target(g, e), i);
			bool leaves = from >= WICKET_CRITICAL;

			if (i < g->system.cfg.n && from != to &&
			    (leaves ? to == WICKET_TRYING :
				      to == WICKET_EXIT ||
					      to == WICKET_REMAINDER))
				return false;
		}
	}
	return true;
}

static void compare_all(const struct named *s)
{
	struct forced y;
	uint32_t r;

	/* whose processes come a number of times, and then rest */
	if (s->algo->has_seats || (s->cfg.inner && s->cfg.inner->has_seats))
		return;
	if (!force_explore(&y, s))
		return;
	if (!obeys(&y.x.g)) {
		assert_of(s->name, s->cfg.mutant);
		force_forget(&y);
		return;
	}
	compare_sets(&y);
	compare_deadlock(&y);
	/* what some are built from depends on how robust they shall be */
	r = s->algo->composite == WICKET_OF_ITS_OWN ? 1 : 1 + turn % 3;
	compare_waiting(&y, false, r);
	compare_queuelike(&y, compare_waiting(&y, true, r));
	compare_order(&y);
	turn++;
	force_forget(&y);
}

static void the_registry(void **state)
{
	(void)state;
	check_all(2, 1, compare_all);
	check_all(3, 1, compare_all);
	check_all(3, 2, compare_all);
}

static void the_toys(void **state)
{
	const struct wicket_algo *toys[] = { &lock, &sign, &permit, &stack };

	(void)state;
	for (uint32_t t = 0; t < 4 * 3 * 2; t++) {
		struct named s = {
			.algo = toys[t % 4],
			.cfg = { .n = 2 + t / 12, .k = 1, .mutant = t / 4 % 3 },
		};

		snprintf(s.name, sizeof(s.name), "%s, mutant %u, n = %u",
			 s.algo->name, s.cfg.mutant, s.cfg.n);
		compare_all(&s);
	}
}

static void systems_that_nobody_designed(void **state)
{
	(void)state;
	memset(&met, 0, sizeof(met));
	check_automata(compare_all);
	assert_true(met.c2[0] > 10 && met.c2[1] > 10 && met.c2[2] > 1 &&
		    met.c2[3] > 10);
	for (int i = 0; i < 6; i++)
		assert_true(met.waiting[i][0] > 10 && met.waiting[i][1] > 10);
	assert_true(met.part[0] > 10 && met.part[1] > 10 && met.part[2] > 10);
	assert_true(met.order[0] > 10 && met.order[1] > 10);
}

/* --- Lemma 4.1 ------------------------------------------------------------ */

static struct finding decide_named(const struct named *s, const char *property)
{
	struct wicket_cfg c = s->cfg;
	struct decided d;

	c.r = 1;
	d = decided(s->algo, &c, property);
	assert_of(s->name, d.complete);
	return d.finding;
}

static bool holds(const struct named *s, const char *property)
{
	struct finding f = decide_named(s, property);

	property_free(&f);
	return f.verdict == HOLDS;
}

static uint32_t banks;

/*
 * If a lock is (1,1)-deadlock-free and order preserving, then the bank that
 * stands in line by it has k-exclusion and no (1,k)-deadlock, and waits no
 * longer than the lock.
 */
static void compare_bank(const char *name, uint32_t n, uint32_t k)
{
	struct named inner = named(name, n, 1), bank;
	char whole_name[96];
	struct finding f, of;

	if ((inner.algo->refuse && inner.algo->refuse(&inner.cfg)) ||
	    !holds(&inner, "c2") || !holds(&inner, "order-preserving"))
		return;
	snprintf(whole_name, sizeof(whole_name), "bank:%s", name);
	bank = named(whole_name, n, k);
	assert_of(bank.name, holds(&bank, "k-exclusion"));
	assert_of(bank.name, holds(&bank, "c2"));
	assert_of(bank.name, !holds(&inner, "c3") || holds(&bank, "c3"));
	f = decide_named(&inner, "c4");
	of = decide_named(&bank, "c4");
	assert_of(bank.name, f.verdict == FAILS || (of.verdict == HOLDS &&
						    of.bound <= f.bound));
	property_free(&f);
	property_free(&of);
	banks++;
}

static void a_bank_is_as_fair_as_its_line(void **state)
{
	static const char *const names[] = {
		"semaphore",	  "queue",   "queue:1979", "numbered",
		"colored",	  "one-bit", "two-bits",   "unbounded-colored",
		"rivest-pratt-2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		compare_bank(names[i], 2, 1);
		if (strcmp(names[i], "rivest-pratt-2") != 0) {
			compare_bank(names[i], 3, 1);
			compare_bank(names[i], 3, 2);
		}
	}
	assert_true(banks > 15);
}

/* --- limits --------------------------------------------------------------- */

/* Whatever cannot be had fails once; the answer is none, or the right one. */
static void try_limits(const char *name, const char *property)
{
	struct named s = named(name, 3, 2);
	struct finding truth, f;
	struct explored x;
	size_t left = 0;

	explore(&x, &s);
	x.g.system.cfg.r = 2;
	property_decide(&x.g, &property, &truth, 1);
	do {
		size_t used = x.budget.used;

		x.budget.end = BUDGET_LEFT;
		x.budget.limit = used + left;
		property_decide(&x.g, &property, &f, 1);
		assert_of(property,
			  f.verdict == truth.verdict || f.verdict == UNDECIDED);
		assert_of(property, (f.verdict == UNDECIDED) ==
					    (x.budget.end == BUDGET_MEMORY));
		property_free(&f);
		assert_of(property, x.budget.used == used);
		left += 64;
	} while (f.verdict == UNDECIDED);
	assert_of(property, left > 2 * 64);
	property_free(&truth);
	forget(&x);
}

static void memory_may_end(void **state)
{
	static const char *const systems[] = { "bank", "queue:1979",
					       "semaphore" };
	(void)state;
	for (int i = 0; i < 3; i++) {
		for (int p = 0; p < 6; p++)
			try_limits(systems[i], waiting[p]);
		try_limits(systems[i], "c2");
		try_limits(systems[i], "c6-queuelike");
		try_limits(systems[i], "order-preserving");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_by_hand),
		cmocka_unit_test(deadlocks_by_hand),
		cmocka_unit_test(waiting_by_hand),
		cmocka_unit_test(order_by_hand),
		cmocka_unit_test(parts_by_hand),
		cmocka_unit_test(the_toys),
		cmocka_unit_test(the_registry),
		cmocka_unit_test(systems_that_nobody_designed),
		cmocka_unit_test(a_bank_is_as_fair_as_its_line),
		cmocka_unit_test(memory_may_end),
	};

	return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
