/* SPDX-License-Identifier: MIT */
/*
 * supervised - buckets of processes, moved along by a supervisor who never fails.
 *
 * Source   FLBB 1979, Lemma 4.4; its l is our k, its k our r.  The supervisor
 *          is a process of its own, S in schedules.  As printed it asks
 *          maincount < r-1, and loses one degree of robustness (mutant
 *          gate-less-than).
 * Value    buf, main, gate: distinct ones of k+3 colours; bufcount; move, a
 *          bit; cscount; and for each colour enb, how many of its bucket may
 *          enter, and elig, what those in it are to Lemma 4.3.
 *          The supervisor's own: queue, at most k buckets; of each its count,
 *          less enb; maincount; gatecount.
 * V1       cscount processes are in C; with enb of all buckets they are at
 *          most k (mutant enable-more).
 * V2       each bucket holds as many processes as are counted (mutant
 *          move-uncounted).
 * V3       past main a bucket holds at most max(1, r-1) (mutant gate-all).
 * V4       no two buckets have the same colour (mutant colour-in-use).
 * FIFO     none within a bucket: whoever looks first goes first.  Buckets keep
 *          their order, so that the wait for enabling is bounded (C4').
 * Crash    r or more in main: one of them is asked to move to gate, and one
 *          will.  Fewer: all of them move at once, unasked.  So fewer than r
 *          workers may stop, anywhere; the supervisor may not.
 */
#include "algo/bits.h"
#include "algo/supervisor.h"

enum pc {
	ENTER = WICKET_FROM_R,
	LOOK = WICKET_FROM_T,
	LEAVE = WICKET_FROM_C,
	DELETE, /* S0, the supervisor: the empty buckets of the queue */
	COUNT,	/* S1: those in buf, one at a time; then buf becomes main */
	FILL,	/* S2: gate, from main */
	MOVING, /* S3: until somebody has moved from main to gate */
	APPEND, /* S4: gate to the queue */
	ENABLE, /* S5: one more, of the first bucket that has one */
};

enum local { COLOUR = 0, OWN = 0 }; /* of a worker; of the supervisor */

enum mutant {
	GATE_LESS_THAN = 1,
	ENABLE_MORE,
	MOVE_UNCOUNTED,
	GATE_ALL,
	COLOUR_IN_USE,
};

enum {
	SLOTS_MAX = 5,
	COLOURS_MAX = SLOTS_MAX + 3,
};

/* --- the shared variable, and what the supervisor keeps to itself --------- */

struct office {
	uint32_t buf, main, gate;
	uint32_t bufcount, move, cscount;
	uint32_t enb[COLOURS_MAX];
	uint32_t elig[COLOURS_MAX]; /* enum wicket_eligibility */
};

static struct wicket_value pack(const struct office *o)
{
	struct bits b = { 0 };

	bits_put(&b, o->buf, 3);
	bits_put(&b, o->main, 3);
	bits_put(&b, o->gate, 3);
	bits_put(&b, o->bufcount, 4);
	bits_put(&b, o->move, 1);
	bits_put(&b, o->cscount, 4);
	for (uint32_t i = 0; i < COLOURS_MAX; i++) {
		bits_put(&b, o->enb[i], 3);
		bits_put(&b, o->elig[i], 2);
	}
	return wicket_number(b.word);
}

static struct office unpack(struct wicket_value v)
{
	struct bits b = { .word = v.w[0] };
	struct office o;

	o.buf = bits_take(&b, 3);
	o.main = bits_take(&b, 3);
	o.gate = bits_take(&b, 3);
	o.bufcount = bits_take(&b, 4);
	o.move = bits_take(&b, 1);
	o.cscount = bits_take(&b, 4);
	for (uint32_t i = 0; i < COLOURS_MAX; i++) {
		o.enb[i] = bits_take(&b, 3);
		o.elig[i] = bits_take(&b, 2);
	}
	return o;
}

struct own {
	uint32_t maincount, gatecount;
	uint32_t length; /* of the queue */
	uint32_t queue[SLOTS_MAX], count[SLOTS_MAX];
};

/* A bucket past main holds so many at most: V3. */
static uint32_t few(const struct wicket_cfg *c)
{
	return c->mutant == GATE_ALL ? c->n : supervisor_few(c);
}

static uint32_t colours(const struct wicket_cfg *c)
{
	return c->k + 3;
}

/* As short as the sizes allow: it may have to be sent bit by bit (Lemma 4.3). */
static struct bits own_bits(const struct wicket_cfg *c, struct own o)
{
	uint32_t count = wicket_bits(few(c) + 1);
	struct bits b = { 0 };

	bits_put(&b, o.maincount, wicket_bits(c->n + 1));
	bits_put(&b, o.gatecount, count);
	bits_put(&b, o.length, wicket_bits(c->k + 1));
	for (uint32_t i = 0; i < c->k; i++) {
		bits_put(&b, o.queue[i], wicket_bits(colours(c)));
		bits_put(&b, o.count[i], count);
	}
	return b;
}

static struct own own_of(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint32_t count = wicket_bits(few(c) + 1);
	struct bits b = { .word = p.local[OWN] };
	struct own o = { 0 };

	o.maincount = bits_take(&b, wicket_bits(c->n + 1));
	o.gatecount = bits_take(&b, count);
	o.length = bits_take(&b, wicket_bits(c->k + 1));
	for (uint32_t i = 0; i < c->k; i++) {
		o.queue[i] = bits_take(&b, wicket_bits(colours(c)));
		o.count[i] = bits_take(&b, count);
	}
	return o;
}

/* --- the workers ----------------------------------------------------------- */

static void enter(struct office *o, struct wicket_proc *p)
{
	p->local[COLOUR] = o->buf;
	o->bufcount++;
	p->pc = LOOK;
}

static void look(struct office *o, struct wicket_proc *p)
{
	uint64_t colour = p->local[COLOUR];

	if (o->enb[colour]) {
		o->enb[colour]--;
		o->cscount++;
		p->local[COLOUR] = 0;
		p->pc = LEAVE;
	} else if (o->move && colour == o->main) {
		o->move = 0;
		p->local[COLOUR] = o->gate;
	}
}

/* --- the supervisor ----------------------------------------------------------- */

static int is_queued(const struct own *own, uint32_t colour)
{
	for (uint32_t i = 0; i < own->length; i++) {
		if (own->queue[i] == colour)
			return 1;
	}
	return 0;
}

/* The least colour that is no bucket's. */
static uint32_t new_colour(const struct wicket_cfg *c, struct office *o,
			   const struct own *own)
{
	uint32_t new = 0;

	while (new == o->buf || new == o->main || new == o->gate ||
	       (c->mutant != COLOUR_IN_USE && is_queued(own, new)))
		new ++;
	o->enb[new] = 0;
	o->elig[new] = WICKET_HELPER;
	return new;
}

static void delete_empty(const struct office *o, struct own *own)
{
	struct own left = { own->maincount, own->gatecount, 0, { 0 }, { 0 } };

	for (uint32_t i = 0; i < own->length; i++) {
		if (!(own->count[i] + o->enb[own->queue[i]]))
			continue;
		left.queue[left.length] = own->queue[i];
		left.count[left.length++] = own->count[i];
	}
	*own = left;
}

/* What is in buf is counted one at a time, so that its state changes little: (R8). */
static int count(const struct wicket_cfg *c, struct office *o, struct own *own)
{
	if (o->bufcount != own->maincount) {
		own->maincount++;
		return 0;
	}
	o->main = o->buf;
	o->buf = new_colour(c, o, own);
	o->bufcount = 0;
	return 1;
}

static int fill(const struct wicket_cfg *c, struct office *o, struct own *own)
{
	uint32_t most = c->mutant == GATE_ALL ? c->n : c->r - 1;

	if (own->maincount > most ||
	    (own->maincount == most && c->mutant == GATE_LESS_THAN)) {
		o->move = 1;
		return 0;
	}
	o->gate = o->main;
	own->gatecount = own->maincount;
	o->main = new_colour(c, o, own);
	own->maincount = 0;
	return 1;
}

static void append(const struct wicket_cfg *c, struct office *o,
		   struct own *own)
{
	own->queue[own->length] = o->gate;
	own->count[own->length++] = own->gatecount;
	o->enb[o->gate] = 0;
	o->elig[o->gate] = WICKET_QUITTER;
	o->gate = new_colour(c, o, own);
	own->gatecount = 0;
}

static void enable(const struct wicket_cfg *c, struct office *o,
		   struct own *own)
{
	uint32_t granted = o->cscount, first = own->length;

	for (uint32_t i = own->length; i--;) {
		if (c->mutant != ENABLE_MORE)
			granted += o->enb[own->queue[i]];
		if (own->count[i])
			first = i;
	}
	if (granted >= c->k || first == own->length)
		return;
	o->elig[own->queue[first]] = WICKET_DRONE;
	o->enb[own->queue[first]]++;
	own->count[first]--;
}

/* Where the program comes to after a step, up to the next LOCK. */
static uint16_t after(const struct wicket_cfg *c, enum pc done, struct own own)
{
	switch (done) {
	case DELETE:
		if (!own.maincount)
			return COUNT;
		/* fall through */
	case COUNT:
		if (!own.gatecount)
			return FILL;
		/* fall through */
	case FILL:
	case MOVING:
		if (own.length < c->k)
			return APPEND;
		/* fall through */
	case APPEND:
		return ENABLE;
	default:
		return DELETE;
	}
}

static void supervise(const struct wicket_cfg *c, struct office *o,
		      struct wicket_proc *p)
{
	enum pc now = p->pc;
	struct own own = own_of(c, *p);

	p->pc = 0;
	switch (now) {
	case DELETE:
		delete_empty(o, &own);
		break;
	case COUNT:
		if (!count(c, o, &own))
			p->pc = COUNT;
		break;
	case FILL:
		if (!fill(c, o, &own))
			p->pc = MOVING;
		break;
	case MOVING:
		if (o->move) {
			p->pc = MOVING;
		} else {
			own.maincount -= c->mutant != MOVE_UNCOUNTED;
			own.gatecount = 1;
		}
		break;
	case APPEND:
		append(c, o, &own);
		break;
	default:
		enable(c, o, &own);
		break;
	}
	if (!p->pc)
		p->pc = after(c, now, own);
	p->local[OWN] = own_bits(c, own).word;
}

/* --- the contract ------------------------------------------------------------ */

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k > SLOTS_MAX	  ? "supervised has room for 5 slots" :
	       c->r > COLOURS_MAX ? "supervised has room for r up to 8" :
	       c->n > WORKERS_MAX ? "supervised has room for 15 workers" :
				    0;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct office o = { .main = 1, .gate = 2 };

	(void)c, (void)r;
	return (struct wicket_register){ .start = pack(&o) };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	return supervisor_start(c, i, DELETE);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct office o = unpack(seen);

	switch (p.pc) {
	case ENTER:
		enter(&o, &p);
		break;
	case LOOK:
		look(&o, &p);
		break;
	case LEAVE:
		o.cscount--;
		p.pc = ENTER;
		break;
	default:
		supervise(c, &o, &p);
		break;
	}
	return (struct wicket_result){ .proc = p, .put = pack(&o) };
}

/* --- invariants -------------------------------------------------------------- */

/* So many workers hold that colour. */
static uint32_t holders(const struct wicket_cfg *c,
			const struct wicket_proc *procs, uint32_t colour)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < c->n; i++)
		sum += procs[i].pc == LOOK && procs[i].local[COLOUR] == colour;
	return sum;
}

static int is_within_k(const struct wicket_cfg *c, const struct office *o,
		       const struct wicket_proc *procs) /* V1 */
{
	uint32_t inside = 0, granted = o->cscount;

	for (uint32_t i = 0; i < c->n; i++)
		inside += procs[i].pc == LEAVE;
	for (uint32_t i = 0; i < colours(c); i++)
		granted += o->enb[i];
	return inside == o->cscount && granted <= c->k;
}

static int is_counted(const struct wicket_cfg *c, const struct office *o,
		      const struct wicket_proc *procs, struct own own) /* V2 */
{
	uint32_t now = procs[c->n].pc;
	/* it has moved, and the supervisor has not seen it yet */
	uint32_t moved = now == MOVING && !o->move;
	uint32_t in_main = now == COUNT ? 0 : own.maincount - moved;

	for (uint32_t i = 0; i < own.length; i++) {
		if (holders(c, procs, own.queue[i]) !=
		    own.count[i] + o->enb[own.queue[i]])
			return 0;
	}
	return holders(c, procs, o->buf) == o->bufcount &&
	       holders(c, procs, o->main) == in_main &&
	       holders(c, procs, o->gate) == own.gatecount + moved;
}

static int is_small(const struct wicket_cfg *c, const struct office *o,
		    struct own own) /* V3 */
{
	uint32_t most = supervisor_few(c);
	int small = own.gatecount <= most;

	for (uint32_t i = 0; i < own.length; i++)
		small &= own.count[i] + o->enb[own.queue[i]] <= most;
	return small;
}

static int is_distinct(const struct office *o, struct own own) /* V4 */
{
	int distinct = o->buf != o->main && o->main != o->gate &&
		       o->gate != o->buf && !is_queued(&own, o->buf) &&
		       !is_queued(&own, o->main) && !is_queued(&own, o->gate);

	while (own.length--)
		distinct &= !is_queued(&own, own.queue[own.length]);
	return distinct;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct office o = unpack(regs[0]);
	struct own own = own_of(c, procs[c->n]);

	return i == 0 ? is_within_k(c, &o, procs) :
	       i == 1 ? is_counted(c, &o, procs, own) :
	       i == 2 ? is_small(c, &o, own) :
			is_distinct(&o, own);
}

/* --- without the supervisor: Lemma 4.3 ----------------------------------------- */

static enum wicket_eligibility elig(const struct wicket_cfg *c,
				    struct wicket_proc p, struct wicket_value v)
{
	struct office o = unpack(v);

	(void)c;
	return p.pc == LOOK ? o.elig[p.local[COLOUR]] : WICKET_DRONE;
}

static uint32_t active(const struct wicket_cfg *c, struct wicket_proc p,
		       struct wicket_value v)
{
	struct office o = unpack(v);
	struct own own = own_of(c, p);
	uint32_t sum = o.bufcount + own.gatecount;

	if (p.pc != COUNT) /* else these are counted in buf */
		sum += own.maincount;
	for (uint32_t i = 0; i < own.length; i++)
		sum += own.count[i] + o.enb[own.queue[i]];
	return sum;
}

static uint32_t c1(const struct wicket_cfg *c)
{
	return c->k * supervisor_few(c) + 2 * c->r - 2;
}

static uint32_t printed_c1(const struct wicket_cfg *c)
{
	return c->k * (c->r - 1) + 2 * c->r - 2;
}

/* At most c1 are in main; k buckets at most are queued, in any order. */
static uint32_t c2(const struct wicket_cfg *c)
{
	uint32_t queues = 1, longer = 1, counts = 1;

	for (uint32_t i = 0; i < c->k; i++) {
		longer *= colours(c) - i;
		queues += longer;
		counts *= few(c) + 1;
	}
	return (ENABLE - DELETE + 1) * (c1(c) + 1) * (few(c) + 1) * queues *
	       counts;
}

/* By which buckets are empty, or by the colour of gate. */
static uint32_t c3(const struct wicket_cfg *c)
{
	return 1u << c->k > colours(c) ? 1u << c->k : colours(c);
}

/* What a step does to his state can be told by: which buckets of the queue are
   empty; whether buf is counted, or somebody has moved; the colour of gate; whether
   a process is enabled. */
static uint32_t transno(const struct wicket_cfg *c, struct wicket_proc p,
			struct wicket_value v)
{
	struct office o = unpack(v);
	struct own own = own_of(c, p), then = own;
	uint32_t empty = 0;

	switch (p.pc) {
	case DELETE:
		for (uint32_t i = 0; i < own.length; i++)
			empty |=
				(uint32_t) !(own.count[i] + o.enb[own.queue[i]])
				<< i;
		return empty;
	case COUNT:
		return o.bufcount == own.maincount;
	case MOVING:
		return !o.move;
	case APPEND:
		return o.gate;
	case ENABLE:
		enable(c, &o, &then);
		return own_bits(c, own).word != own_bits(c, then).word;
	default:
		return 0;
	}
}

/* A value that makes him take that step. */
static struct office cause(struct own own, enum pc now, uint32_t number)
{
	struct office o = { 0 };

	switch (now) {
	case DELETE:
		for (uint32_t i = 0; i < own.length; i++)
			o.enb[own.queue[i]] = !(number >> i & 1);
		break;
	case COUNT:
		o.bufcount = own.maincount + !number;
		break;
	case MOVING:
		o.move = !number;
		break;
	case APPEND:
		o.gate = number;
		break;
	default:
		break;
	}
	return o;
}

static struct wicket_proc newstate(const struct wicket_cfg *c,
				   struct wicket_proc p, uint32_t number)
{
	struct office o = cause(own_of(c, p), p.pc, number);

	if (p.pc == ENABLE && !number)
		o.cscount = c->k;
	supervise(c, &o, &p);
	return p;
}

enum { PC_BITS = 3 };

static uint32_t length(const struct wicket_cfg *c)
{
	return PC_BITS + own_bits(c, (struct own){ 0 }).used;
}

static uint64_t pack_state(const struct wicket_cfg *c, struct wicket_proc p)
{
	(void)c;
	return supervisor_pack(p, DELETE, PC_BITS);
}

static struct wicket_proc unpack_state(const struct wicket_cfg *c, uint64_t x)
{
	(void)c;
	return supervisor_unpack(x, DELETE, PC_BITS);
}

/* --- space and text ---------------------------------------------------------- */

/* O(n) for fixed k: bufcount; three colours; move; cscount and enb, which add up to
   at most k; elig. */
static uint64_t bound(const struct wicket_cfg *c)
{
	uint64_t k = c->k,
		 values = (c->n + 1) * (k + 3) * (k + 2) * (k + 1) * 2;
	uint64_t sums = 1;

	for (uint64_t i = 1; i <= k; i++) /* C(2k+4, k) */
		sums = sums * (k + 4 + i) / i;
	for (uint64_t i = 0; i < k + 3; i++)
		values *= 3;
	return values * sums;
}

static uint32_t bits(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return 3 * wicket_bits(colours(c)) + wicket_bits(c->n + 1) + 1 +
	       wicket_bits(c->k + 1) + colours(c) * (wicket_bits(c->k + 1) + 2);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	static const char *const name[] = {
		[ENTER] = "enter buf",	   [LOOK] = "look, colour ",
		[LEAVE] = "leave",	   [DELETE] = "delete empty",
		[COUNT] = "count buf",	   [FILL] = "fill gate",
		[MOVING] = "await a move", [APPEND] = "append gate",
		[ENABLE] = "enable",
	};

	(void)c;
	wicket_put(t, name[p.pc]);
	if (p.pc == LOOK)
		wicket_put_number(t, (int64_t)p.local[COLOUR]);
}

static void put_named(struct wicket_text *t, const char *name, uint32_t x)
{
	wicket_put(t, name);
	wicket_put_number(t, x);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct office o = unpack(regs[0]);

	put_named(t, "buf=", o.buf);
	put_named(t, " main=", o.main);
	put_named(t, " gate=", o.gate);
	put_named(t, " bufcount=", o.bufcount);
	put_named(t, " move=", o.move);
	put_named(t, " cscount=", o.cscount);
	wicket_put(t, " enb=");
	for (uint32_t i = 0; i < colours(c); i++)
		wicket_put_number(t, o.enb[i]);
	wicket_put(t, " elig=");
	for (uint32_t i = 0; i < colours(c); i++)
		wicket_put_char(t, "HQD"[o.elig[i]]);
}

static const struct wicket_mutant mutants[] = {
	{ "gate-less-than", "as printed: maincount < r-1", 0 },
	{ "enable-more", "forgets who is enabled and not inside yet", 0 },
	{ "move-uncounted", "who has moved to gate is still counted in main",
	  0 },
	{ "gate-all", "all of main move to gate, however many", 0 },
	{ "colour-in-use", "a new colour may be one of the queue", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "V1", "cscount are in C, and with enb they are at most k" },
	{ "V2", "each bucket holds as many as are counted" },
	{ "V3", "a bucket past main holds at most max(1, r-1)" },
	{ "V4", "no two buckets have the same colour" },
	{ 0, 0 },
};

static const struct wicket_simulatable simulatable = {
	.elig = elig,
	.active = active,
	.c1 = c1,
	.printed_c1 = printed_c1,
	.c2 = c2,
	.c3 = c3,
	.transno = transno,
	.newstate = newstate,
	.length = length,
	.pack = pack_state,
	.unpack = unpack_state,
};

const struct wicket_algo wicket_supervised = {
	.name = "supervised",
	.title = "buckets and a supervisor",
	.source = "FLBB 1979, Lemma 4.4",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		     WICKET_C5_ENABLING | WICKET_SIMULATABLE,
	.solves = WICKET_K_EXCLUSION | WICKET_C2 | WICKET_C4_ENABLING |
		  WICKET_SIMULATABLE,
	.heavy = 1,
	.helper = { "S", "the supervisor" },
	.refuse = refuse,
	.processes = wicket_one_helper,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = wicket_pc_is_region,
	.access = wicket_whole_action,
	.step = step,
	.simulatable = &simulatable,
	.holds = holds,
	.bound = bound,
	.bits = bits,
	.show_step = show_step,
	.show = show,
};
