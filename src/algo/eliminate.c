/* SPDX-License-Identifier: MIT */
/*
 * eliminate - a system without its supervisor: the workers do his work.
 *
 * Source   FLBB 1979, Lemma 4.3, for any system with a supervisor that satisfies
 *          (R1) to (R8); eliminate is eliminate:supervised, Theorem 4.3.  As
 *          printed, v := newval(v,xx) comes before step := transno(v,xx), which
 *          then looks at a value that the supervisor never saw (mutant
 *          transno-late), and c1 is too small for r = 1 (mutant printed-c1).
 *          Who takes slot t must remember it: s := t is missing there.
 * Value    v, the simulated variable; xs, the supervisor's state while few are
 *          in T (loccur = SHARE), or the one before; step, how he went on from
 *          there; stateholders, how many helpers have his current state; of
 *          each of 3r-1 slots its status; a channel from each slot to each.
 *          xs, step and the channels are cleared once nobody can read them.
 * Own      w, the worker that it simulates; s, its slot; x, the supervisor's
 *          state, current or previous; n(t), the next bit for slot t; rbuf(t),
 *          the bits received from slot t; prevhelper.
 * E1       all copies of the current state are equal, and so are those of the
 *          previous one, from which step leads to it; there is always one
 *          (mutants count-all, keep-channels).
 * E2       stateholders counts helpers with the current state, and at most r
 *          (mutant count-all).
 * E3       what has been received is the beginning of the current state
 *          (mutant keep-channels).
 * Faithful each step is one of the worker, and then possibly one of the
 *          supervisor: (S1) to (S3), the property simulates (mutant
 *          transno-late).  So what the original promises holds here too: (C1),
 *          (C2), (C4') and (C5') by Lemma 4.2.
 * Crash    as the original: fewer than r workers may stop, anywhere.  That rests
 *          on (S4), he goes on: of r stateholders one is left (mutant
 *          one-holder); stopped workers keep at most r-1 slots, quitters at most r,
 *          and r helpers find one (mutant few-slots); any slot may have to send
 *          to any other (mutants send-first, receive-first).  Where one step of
 *          his makes at most q stateholders quitters, 2r-1+q slots are enough: q
 *          is max(1, r-1) in supervised and 1 in short-names, so for r = 2 one of
 *          the five is to spare.
 */
#include "algo/algo.h"
#include "algo/bits.h"

enum { ROBUSTNESS_MAX = 2, SLOTS_MAX = 3 * ROBUSTNESS_MAX - 1 };

enum local {
	INNER,		   /* the worker's own, so many words */
	HOLDS = INNER + 4, /* s and prevhelper */
	STATE,		   /* x */
	SENT, /* n(t), 8 bits each: how many bits have been sent to slot t */
	GOT,  /* how many have come from slot t */
	RBUF, /* a word for each slot */
	END = RBUF + SLOTS_MAX,
};
_Static_assert((int)END <= (int)WICKET_LOCALS, "too many locals");

enum mutant {
	TRANSNO_LATE = 1,
	PRINTED_C1,
	COUNT_ALL,
	KEEP_CHANNELS,
	ONE_HOLDER,
	FEW_SLOTS,
	SEND_FIRST,
	RECEIVE_FIRST,
};

enum status { FREE, RECEIVE, CURRENT, PREVIOUS, DEAD };
enum channel { READY, BIT_0, BIT_1, DONE };
enum place { SHARE, DIST };

/* --- the shared variable, and a worker ------------------------------------- */

struct office {
	struct wicket_value v; /* one word */
	uint64_t xs;
	uint32_t loccur, locprev; /* enum place */
	uint32_t stateholders, step;
	uint8_t status[SLOTS_MAX];	       /* enum status */
	uint8_t channel[SLOTS_MAX][SLOTS_MAX]; /* enum channel: from, to */
};

static uint32_t slots(const struct wicket_cfg *c)
{
	return 3 * c->r - 1;
}

static struct wicket_value pack(const struct office *o)
{
	struct bits rest = { 0 }, channels = { 0 };

	bits_put(&rest, o->loccur, 1);
	bits_put(&rest, o->locprev, 1);
	bits_put(&rest, o->stateholders, 4);
	bits_put(&rest, o->step, 8);
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		bits_put(&rest, o->status[t], 3);
		for (uint32_t u = 0; u < SLOTS_MAX; u++)
			bits_put(&channels, o->channel[t][u], 2);
	}
	return (struct wicket_value){ { o->v.w[0], o->xs, rest.word,
					channels.word } };
}

static struct office unpack(struct wicket_value v)
{
	struct bits rest = { .word = v.w[2] }, channels = { .word = v.w[3] };
	struct office o = { .v = { { v.w[0] } }, .xs = v.w[1] };

	o.loccur = bits_take(&rest, 1);
	o.locprev = bits_take(&rest, 1);
	o.stateholders = bits_take(&rest, 4);
	o.step = bits_take(&rest, 8);
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		o.status[t] = (uint8_t)bits_take(&rest, 3);
		for (uint32_t u = 0; u < SLOTS_MAX; u++)
			o.channel[t][u] = (uint8_t)bits_take(&channels, 2);
	}
	return o;
}

struct worker {
	struct wicket_proc w;
	uint32_t s; /* 1 + its slot; 0: none */
	int prevhelper;
	uint64_t x;
	uint8_t sent[SLOTS_MAX], got[SLOTS_MAX];
	uint64_t rbuf[SLOTS_MAX];
};

static struct worker worker_of(struct wicket_proc p)
{
	struct bits sent = { .word = p.local[SENT] };
	struct bits got = { .word = p.local[GOT] };
	struct worker me;

	me.s = (uint32_t)(p.local[HOLDS] >> 1);
	me.prevhelper = p.local[HOLDS] & 1;
	me.x = p.local[STATE];
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		me.sent[t] = (uint8_t)bits_take(&sent, 8);
		me.got[t] = (uint8_t)bits_take(&got, 8);
		me.rbuf[t] = p.local[RBUF + t];
	}
	for (uint32_t i = HOLDS; i < END; i++)
		p.local[i] = 0;
	me.w = p;
	return me;
}

/* All that it knows of the supervisor's state. */
static void forget(struct worker *me)
{
	me->x = 0;
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		me->sent[t] = me->got[t] = 0;
		me->rbuf[t] = 0;
	}
}

static struct wicket_proc proc_of(const struct worker *me)
{
	struct bits sent = { 0 }, got = { 0 };
	struct wicket_proc p = me->w;

	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		bits_put(&sent, me->sent[t], 8);
		bits_put(&got, me->got[t], 8);
		p.local[RBUF + t] = me->rbuf[t];
	}
	p.local[HOLDS] = (uint64_t)me->s << 1 | (uint64_t)me->prevhelper;
	p.local[STATE] = me->x;
	p.local[SENT] = sent.word;
	p.local[GOT] = got.word;
	return p;
}

/* --- the original ------------------------------------------------------------ */

static const struct wicket_simulatable *told(const struct wicket_cfg *c)
{
	return c->inner->simulatable;
}

static enum wicket_eligibility elig(const struct wicket_cfg *c,
				    const struct worker *me,
				    const struct office *o)
{
	struct wicket_cfg in = wicket_original(c);

	return told(c)->elig(&in, me->w, o->v);
}

/* Do so few remain in T that his state can be shared? */
static int are_few(const struct wicket_cfg *c, const struct office *o,
		   struct wicket_proc supervisor)
{
	struct wicket_cfg in = wicket_original(c);
	uint32_t c1 = c->mutant == PRINTED_C1 && told(c)->printed_c1 ?
			      told(c)->printed_c1(&in) :
			      told(c)->c1(&in);

	return told(c)->active(&in, supervisor, o->v) <= c1;
}

static uint64_t newstate(const struct wicket_cfg *c, uint64_t x, uint32_t step)
{
	struct wicket_cfg in = wicket_original(c);

	return told(c)->pack(
		&in, told(c)->newstate(&in, told(c)->unpack(&in, x), step));
}

/* --- one step ------------------------------------------------------------------ */

static void clear_channels(struct office *o)
{
	for (uint32_t t = 0; t < SLOTS_MAX; t++) {
		for (uint32_t u = 0; u < SLOTS_MAX; u++)
			o->channel[t][u] = READY;
	}
}

static void distribute(const struct wicket_cfg *c, struct office *o)
{
	for (uint32_t t = 0; t < slots(c); t++) {
		if (o->status[t] == CURRENT)
			o->status[t] = PREVIOUS;
		else if (o->status[t] != FREE)
			o->status[t] = DEAD;
	}
	if (c->mutant != KEEP_CHANNELS)
		clear_channels(o);
	if (o->loccur == DIST)
		o->xs = 0;
	o->loccur = DIST;
}

static void share(const struct wicket_cfg *c, struct office *o, uint64_t xs)
{
	for (uint32_t t = 0; t < slots(c); t++) {
		if (o->status[t] != FREE)
			o->status[t] = DEAD;
	}
	clear_channels(o); /* nobody reads them any more */
	o->loccur = SHARE;
	o->xs = xs;
	o->step = 0;
}

/* So many that one is left when fewer than r stop. */
static uint32_t holders_needed(const struct wicket_cfg *c)
{
	return c->mutant == ONE_HOLDER ? 1 : c->r;
}

/* A step of the supervisor, if there is a current state at hand. */
static void simulate(const struct wicket_cfg *c, struct office *o,
		     const struct worker *me)
{
	struct wicket_cfg in = wicket_original(c);
	struct wicket_proc x;
	struct wicket_value seen = o->v;
	uint64_t next;

	if (o->loccur == DIST && !(me->s && o->status[me->s - 1] == CURRENT &&
				   o->stateholders >= holders_needed(c)))
		return;
	x = told(c)->unpack(&in, o->loccur == SHARE ? o->xs : me->x);
	o->v = c->inner->step(&in, x, seen).put;
	o->step = told(c)->transno(&in, x,
				   c->mutant == TRANSNO_LATE ? o->v : seen);
	next = told(c)->pack(&in, told(c)->newstate(&in, x, o->step));
	o->locprev = o->loccur;
	o->stateholders = 0;
	if (are_few(c, o, told(c)->unpack(&in, next)))
		share(c, o, next);
	else
		distribute(c, o);
}

static void release_slot(const struct wicket_cfg *c, struct office *o,
			 struct worker *me)
{
	uint32_t status = me->s ? o->status[me->s - 1] : FREE;

	if (!me->s || !(status == DEAD || elig(c, me, o) == WICKET_DRONE ||
			(status == PREVIOUS && !me->prevhelper)))
		return;
	o->status[me->s - 1] = FREE;
	me->s = 0;
	forget(me);
}

static uint32_t slots_to_take(const struct wicket_cfg *c)
{
	return c->mutant == FEW_SLOTS ? 2 * c->r - 1 : slots(c);
}

static void take_slot(const struct wicket_cfg *c, struct office *o,
		      struct worker *me)
{
	if (o->loccur != DIST || me->s || elig(c, me, o) != WICKET_HELPER)
		return;
	for (uint32_t t = 0; t < slots_to_take(c) && !me->s; t++) {
		if (o->status[t] == FREE)
			me->s = t + 1;
	}
	if (me->s)
		o->status[me->s - 1] = RECEIVE;
}

static void hold_current(const struct wicket_cfg *c, struct office *o,
			 struct worker *me, uint64_t x)
{
	o->status[me->s - 1] = CURRENT;
	if (c->mutant == COUNT_ALL || elig(c, me, o) == WICKET_HELPER)
		o->stateholders++;
	forget(me);
	me->x = x;
}

static void send(const struct wicket_cfg *c, struct office *o,
		 struct worker *me)
{
	struct wicket_cfg in = wicket_original(c);
	uint32_t others = c->mutant == SEND_FIRST ? 1 : slots(c);

	for (uint32_t t = 0; t < others; t++) {
		uint8_t *channel = &o->channel[me->s - 1][t];

		if (*channel != READY)
			continue;
		*channel = me->sent[t] == told(c)->length(&in) ? DONE :
			   me->x >> me->sent[t]++ & 1	       ? BIT_1 :
								 BIT_0;
	}
}

static void receive(const struct wicket_cfg *c, struct office *o,
		    struct worker *me)
{
	uint32_t others = c->mutant == RECEIVE_FIRST ? 1 : slots(c);

	for (uint32_t t = 0; t < others; t++) {
		uint8_t *channel = &o->channel[t][me->s - 1];

		if (*channel == DONE) {
			hold_current(c, o, me, me->rbuf[t]);
			return;
		}
		if (*channel == READY)
			continue;
		me->rbuf[t] |= (uint64_t)(*channel == BIT_1) << me->got[t]++;
		*channel = READY;
	}
}

static void service_slot(const struct wicket_cfg *c, struct office *o,
			 struct worker *me)
{
	uint32_t status = me->s ? o->status[me->s - 1] : FREE;

	if (o->stateholders >= c->r)
		return;
	if (status == CURRENT) {
		send(c, o, me);
	} else if (status == PREVIOUS) {
		hold_current(c, o, me, newstate(c, me->x, o->step));
	} else if (status == RECEIVE && o->locprev == SHARE) {
		me->x = o->xs;
		o->status[me->s - 1] = PREVIOUS;
	} else if (status == RECEIVE) {
		receive(c, o, me);
	}
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_cfg in = wicket_original(c);
	struct office o = unpack(seen);
	struct worker me = worker_of(p);
	struct wicket_result r = c->inner->step(&in, me.w, o.v);

	me.w = r.proc;
	o.v = r.put;
	simulate(c, &o, &me);
	release_slot(c, &o, &me);
	take_slot(c, &o, &me);
	service_slot(c, &o, &me);
	me.prevhelper = elig(c, &me, &o) == WICKET_HELPER;
	return (struct wicket_result){ .proc = proc_of(&me), .put = pack(&o) };
}

/* --- the contract ------------------------------------------------------------ */

static const char *refuse(const struct wicket_cfg *c)
{
	struct wicket_cfg in = wicket_original(c);

	if (!told(c))
		return "only a system with a supervisor can do without him";
	if (c->r > ROBUSTNESS_MAX)
		return "eliminate has room for r up to 2";
	if (c->inner->refuse && c->inner->refuse(&in))
		return c->inner->refuse(&in);
	if (told(c)->length(&in) > 64)
		return "eliminate has room for a supervisor of 64 bits";
	return c->inner->bits && c->inner->bits(&in, 0) > 64 ?
		       "eliminate has room for a shared variable of 64 bits" :
		       0;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_cfg in = wicket_original(c);
	struct office o = {
		.v = c->inner->reg(&in, r).start,
		.xs = told(c)->pack(&in, c->inner->start(&in, c->n + 1)),
	};

	return (struct wicket_register){ .start = pack(&o) };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_cfg in = wicket_original(c);

	return c->inner->start(&in, i);
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	struct wicket_cfg in = wicket_original(c);

	return c->inner->region(&in, p);
}

/* --- the original, as this system shows it: tau ------------------------------- */

struct copies {
	uint64_t current;
	uint32_t count;
	int agree;
};

static void add_copy(struct copies *all, uint64_t x)
{
	if (!all->count++)
		all->current = x;
	all->agree &= x == all->current;
}

/* All that is known of the supervisor's current state. */
static struct copies copies_of(const struct wicket_cfg *c,
			       const struct office *o,
			       const struct wicket_proc *procs)
{
	struct copies all = { .agree = 1 };

	if (o->loccur == SHARE)
		add_copy(&all, o->xs);
	else if (o->locprev == SHARE)
		add_copy(&all, newstate(c, o->xs, o->step));
	for (uint32_t i = 0; i < c->n; i++) {
		struct worker me = worker_of(procs[i]);
		uint32_t status = me.s ? o->status[me.s - 1] : FREE;

		if (status == CURRENT)
			add_copy(&all, me.x);
		else if (status == PREVIOUS)
			add_copy(&all, newstate(c, me.x, o->step));
	}
	return all;
}

static void original(const struct wicket_cfg *c,
		     const struct wicket_value *regs,
		     const struct wicket_proc *procs, struct wicket_value *v,
		     struct wicket_proc *originals)
{
	struct wicket_cfg in = wicket_original(c);
	struct office o = unpack(regs[0]);

	*v = o.v;
	for (uint32_t i = 0; i < c->n; i++)
		originals[i] = worker_of(procs[i]).w;
	originals[c->n] = told(c)->unpack(&in, copies_of(c, &o, procs).current);
}

static int is_counted(const struct wicket_cfg *c, const struct office *o,
		      const struct wicket_proc *procs) /* E2 */
{
	uint32_t helpers = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		struct worker me = worker_of(procs[i]);

		helpers += me.s && o->status[me.s - 1] == CURRENT &&
			   elig(c, &me, o) == WICKET_HELPER;
	}
	return o->stateholders == helpers && helpers <= c->r;
}

/* (All 64 bits are no shift.) */
static uint64_t beginning(uint64_t x, uint32_t length)
{
	return length < 64 ? x & (((uint64_t)1 << length) - 1) : x;
}

static int is_received(const struct wicket_cfg *c, const struct office *o,
		       const struct wicket_proc *procs) /* E3 */
{
	uint64_t current = copies_of(c, o, procs).current;
	uint64_t differ = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		struct worker me = worker_of(procs[i]);

		for (uint32_t t = 0;
		     me.s && o->status[me.s - 1] == RECEIVE && t < slots(c);
		     t++)
			differ |= me.rbuf[t] ^ beginning(current, me.got[t]);
	}
	return !differ;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct office o = unpack(regs[0]);
	struct copies all = copies_of(c, &o, procs);

	return i == 0 ? all.agree && all.count : /* E1 */
		       i == 1 ? is_counted(c, &o, procs) :
				is_received(c, &o, procs);
}

/* --- space --------------------------------------------------------------------- */

/* d |V|, where d depends on k and r alone: xs, step, loccur and locprev,
   stateholders, status, channels. */
static uint64_t bound(const struct wicket_cfg *c)
{
	struct wicket_cfg in = wicket_original(c);
	uint64_t values = wicket_times(c->inner->bound(&in), told(c)->c2(&in));

	values = wicket_times(values, told(c)->c3(&in));
	values = wicket_times(values, 4 * (c->r + 1));
	for (uint32_t t = 0; t < slots(c); t++) {
		values = wicket_times(values, 5);
		for (uint32_t u = 0; u < slots(c); u++)
			values = wicket_times(values, 4);
	}
	return values;
}

/* --- text ---------------------------------------------------------------------- */

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	struct wicket_cfg in = wicket_original(c);

	c->inner->show_step(&in, worker_of(p).w, t);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct wicket_cfg in = wicket_original(c);
	struct office o = unpack(regs[0]);

	c->inner->show(&in, &o.v, t);
	if (o.loccur == SHARE) {
		wicket_put(t, " xs=");
		wicket_put_number(t, (int64_t)o.xs);
		return;
	}
	wicket_put(t, " step=");
	wicket_put_number(t, o.step);
	wicket_put(t, " stateholders=");
	wicket_put_number(t, o.stateholders);
	wicket_put(t, " status=");
	for (uint32_t i = 0; i < slots(c); i++)
		wicket_put_char(t, "FRCPD"[o.status[i]]);
	wicket_put(t, " ch=");
	for (uint32_t i = 0; i < slots(c) * slots(c); i++)
		wicket_put_char(t,
				"-01!"[o.channel[i / slots(c)][i % slots(c)]]);
}

static const struct wicket_mutant mutants[] = {
	{ "transno-late", "as printed: transno looks at the new value", 0 },
	{ "printed-c1", "as printed: c1 as in the proof of Lemma 4.4", 0 },
	{ "count-all", "quitters count as stateholders, too", 0 },
	{ "keep-channels", "channels are not cleared for a new state", 0 },
	{ "one-holder", "one stateholder is enough for the next step", 0 },
	{ "few-slots", "helpers take the first 2r-1 slots only", 0 },
	{ "send-first", "his state is sent to the first slot only", 0 },
	{ "receive-first", "his state is received from the first slot only",
	  0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "E1",
	  "all copies of the supervisor's state agree, and there is one" },
	{ "E2", "stateholders are the helpers with the current state" },
	{ "E3", "what has been received begins the current state" },
	{ 0, 0 },
};

const struct wicket_algo wicket_eliminate = {
	.name = "eliminate",
	.title = "supervisor elimination",
	.source = "FLBB 1979, Lemma 4.3, Theorem 4.3",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		     WICKET_C5_ENABLING | WICKET_SIMULATES,
	.solves = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		  WICKET_SIMULATES,
	.composite = WICKET_OF_SUPERVISED,
	.heavy = 2,
	.refuse = refuse,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = region,
	.access = wicket_whole_action,
	.step = step,
	.original = original,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
