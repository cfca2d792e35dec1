/* SPDX-License-Identifier: MIT */
/*
 * cluster - a line in a store (etcd): clients that ask for transactions.
 *
 * Source   doc/cluster.md; the tickets are FLBB 1989, Fig. 4 (cluster/rules.h).
 * Grain    one transaction, which changes W, the line and any seats at once; what it
 *          makes of them is cluster/transaction.h.  A client sends a request; helpers
 *          deliver it, early or late, once or twice, answer it, or have the client wait
 *          in vain.
 * Value    cluster/world.h.
 * Failure  the lease of a client ends, whatever the client does: it may be dead, cut
 *          off, paused, or well.  Anybody may then give back what it had.
 * K1       slots are held by one seat each, and W counts them (mutants slot-kept,
 *          leave-as-read).
 * K2       nobody waits who could be served (mutant nobody-served); where not all are
 *          read, not after the first in line has looked (mutant nobody-looks).
 * K3       a live client that wants nothing has nothing in the store: no ticket of its
 *          and no slot is lost (mutants resolve-by-reading, seat-not-compared).
 * K4       a live client that waits for what it has got is told (mutant watch-from-now).
 * K5       no write is accepted after a later holder of the slot has written (mutant
 *          no-fence): exclusion by fence, always.
 * K6       nobody in line is overtaken (mutants overtake, rest-forgotten): FIFO
 *          enabling.
 * Safety   K1 and K5; cluster:timed also has k-exclusion, exclusion in time, under the
 *          assumption that a client measures time as the store does, and that it leaves
 *          C before its deadline: TTL from the sending of the last keepalive that was
 *          acknowledged (mutants deadline-from-reply, enter-unasked).
 * Sight    cluster:nearsighted reads one in line and one announcement where the library
 *          reads the first 24 and 16.  Its clients announce or not, as in a crowd or not;
 *          their requests are answered at once, since the other variants are about what
 *          is late or lost.
 * Crash    a client that stops for ever is one whose lease ends.
 */
#include "algo/cluster/helpers.h"
#include "algo/cluster/invariants.h"
#include "algo/cluster/show.h"

/* --- the client --------------------------------------------------------------------------- */

/* Back in R: what it believed is forgotten. */
static void forget(struct client *p, struct mind *m)
{
	p->mail = p->reply_phase = p->inside = p->impatient = 0;
	p->later = p->fenced = 0;
	if (p->phase != HOLDS)
		p->slots = 0;
	*m = (struct mind){ .pc = WANT };
}

static void go_in(const struct wicket_cfg *c, struct client *p, struct mind *m)
{
	p->mail = 0;
	if (c->variant == TIMED && !p->left && c->mutant != ENTER_UNASKED) {
		m->gives_up = 1; /* too late */
		m->pc = LEAVING;
		send(c, p, LEAVE);
		return;
	}
	p->inside = c->variant == TIMED;
	m->been_inside = 1;
	m->pc = INSIDE;
}

static void go_on(const struct wicket_cfg *c, struct client *p, struct mind *m,
		  enum op op)
{
	if (!announces(c) && m->pc == ANNOUNCING) {
		op = op == ANNOUNCE_TAKE ? TAKE : LEAVE;
		m->pc = op == TAKE ? TAKING : LEAVING;
		m->announced = 0;
	}
	if (op != NONE)
		send(c, p, op);
	else if (m->pc == INSIDE)
		go_in(c, p, m);
	else if (m->pc == WANT)
		forget(p, m);
}

static int lose_patience(struct client *p, struct mind *m)
{
	m->gives_up |= p->impatient;
	p->impatient = 0;
	return m->gives_up;
}

static void be_answered(const struct wicket_cfg *c, struct client *p,
			struct mind *m)
{
	enum reply reply = receive(p);
	enum phase phase = p->reply_phase;

	if (reply == NOTHING)
		return;
	p->reply_phase = 0;
	if (!m->been_inside)
		lose_patience(p, m);
	go_on(c, p, m, mind_next(m, reply, phase, p->live));
}

static void write_resource(const struct wicket_cfg *c, struct world *x,
			   uint32_t i)
{
	struct client *p = &x->client[i];

	if (!has_fences(c))
		return;
	if (p->fenced && c->mutant != NO_FENCE)
		return; /* refused */
	x->late_write |= p->fenced;
	for (uint32_t j = 0; j < c->n; j++) {
		struct client *q = &x->client[j];

		if (q->slots & p->slots && q->later > p->later)
			q->fenced = 1;
	}
}

static void wait(const struct wicket_cfg *c, struct world *x, uint32_t i,
		 struct mind *m)
{
	struct client *p = &x->client[i];

	if (lose_patience(p, m)) {
		m->pc = SOLVING; /* of no request: as if one had been resolved */
		go_on(c, p, m, mind_next(m, REFUSED, WAITS, p->live));
	} else if (p->mail && c->mutant == ENTER_UNASKED) {
		go_in(c, p, m);
	} else if (p->mail) {
		p->mail = 0;
		p->knows_seat = p->phase == HOLDS;
		m->pc = CONFIRMING;
		send(c, p, CONFIRM);
	} else if (!p->live) {
		m->pc = LOST;
	} else if (c->variant == NEARSIGHTED) {
		look(c, x, i);
	}
}

/* In a crowd a direct transaction is likely to lose: as if it had. */
static void begin(const struct wicket_cfg *c, const struct world *x,
		  struct client *p, struct mind *m, enum op op)
{
	m->pc = op == TAKE ? TAKING : LEAVING;
	if (x->crowded)
		go_on(c, p, m, mind_next(m, REFUSED, p->phase, p->live));
	else
		send(c, p, op);
}

static void act(const struct wicket_cfg *c, struct world *x, uint32_t i,
		struct mind *m)
{
	struct client *p = &x->client[i];

	switch (m->pc) {
	case WANT:
		p->impatient = 0;
		if (p->live) {
			begin(c, x, p, m, TAKE);
		} else if (p->phase == OUT && p->ask == NO_ASK) {
			/* it joins again, under another name */
			p->live = 1;
			p->knows_w = p->knows_seat = c->variant != NEARSIGHTED;
			p->lease = p->left = c->variant == TIMED ? TTL : 0;
		}
		break;
	case WATCH:
		if (c->mutant == WATCH_FROM_NOW)
			p->mail = 0;
		m->pc = WAITING;
		break;
	case WAITING:
		wait(c, x, i, m);
		break;
	case INSIDE:
		write_resource(c, x, i);
		m->pc = GO;
		break;
	case GO:
		p->inside = 0;
		begin(c, x, p, m, LEAVE);
		break;
	case LOST:
		forget(p, m);
		break;
	default:
		be_answered(c, p, m);
	}
}

static struct wicket_proc act_as(const struct wicket_cfg *c, struct world *x,
				 struct wicket_proc p)
{
	struct mind m = { (uint8_t)p.pc, (uint8_t)p.local[GIVES_UP],
			  (uint8_t)p.local[BEEN_INSIDE],
			  (uint8_t)p.local[ANNOUNCED] };

	if (c->variant == NEARSIGHTED)
		deliver_at_once(c, x, p.self - 1);
	act(c, x, p.self - 1, &m);
	p.pc = m.pc;
	p.local[GIVES_UP] = m.gives_up;
	p.local[BEEN_INSIDE] = m.been_inside;
	p.local[ANNOUNCED] = m.announced;
	return p;
}

/* --- the algorithm ----------------------------------------------------------------------------- */

static const char *refuse(const struct wicket_cfg *c)
{
	if (c->n > 3 && c->variant != NEARSIGHTED)
		return "cluster: n must be at most 3";
	if (c->n > CLIENTS_MAX)
		return "cluster:nearsighted: n must be at most 4";
	if (c->n > 2 && (c->variant == TIMED || c->variant == RESIZED))
		return "this variant of cluster: n must be 2";
	if (c->k < units_of(c, 0))
		return "this variant of cluster: k must be at least 2";
	return 0;
}

/* One that reaps; one that resizes or makes a crowd; or a clock, and keepalives. */
static uint32_t processes(const struct wicket_cfg *c)
{
	uint32_t own = c->variant == TIMED   ? c->n + 2 :
		       c->variant >= RESIZED ? 2 :
					       1;

	return c->n + per_client(c) * c->n + own;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct world x = { 0 };
	struct rules_w w;

	(void)r;
	x.k = (uint8_t)c->k;
	load_rules(c, &x, &w);
	rules_stock(&w);
	save_rules(&x, &w);
	for (uint32_t i = 0; i < c->n; i++) {
		struct client *p = &x.client[i];

		p->live = 1;
		p->knows_w = p->knows_seat = c->variant != NEARSIGHTED;
		p->lease = p->left = c->variant == TIMED ? TTL : 0;
	}
	return (struct wicket_register){ .start = world_pack(c, &x) };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	uint32_t h = i - 1 - c->n, own = h - per_client(c) * c->n;
	struct wicket_proc p = { .pc = WANT, .self = i };

	if (i <= c->n)
		return p;
	if (h < per_client(c) * c->n)
		p.pc = (uint16_t)(HUSH + 1 - per_client(c) + h % per_client(c));
	else if (c->variant == TIMED)
		p.pc = own < c->n ? KEEPALIVE_SEND : own == c->n ? TICK : REAP;
	else
		p.pc = !own ? REAP : c->variant == RESIZED ? RESIZE : CROWD;
	return p;
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	if (p.pc == WANT)
		return WICKET_REMAINDER;
	if (p.pc == INSIDE || p.pc == GO)
		return WICKET_CRITICAL;
	return p.local[BEEN_INSIDE] ? WICKET_EXIT : WICKET_TRYING;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	(void)p;
	return wicket_ask(WICKET_RMW, 0);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p };
	struct world x;

	world_unpack(c, seen, &x);
	if (p.local[ENDING]) {
		r.proc.local[ENDING] = 0;
		end_lease(c, &x.client[p.self - 1]);
	} else if (p.pc < DELIVER_FIRST) {
		r.proc = act_as(c, &x, p);
	} else {
		r.proc.pc = help(c, &x, p);
	}
	r.put = world_pack(c, &x);
	return r;
}

static struct wicket_proc event(const struct wicket_cfg *c,
				struct wicket_proc p, enum wicket_event e)
{
	(void)c;
	if (p.pc < DELIVER_FIRST && e == WICKET_FAIL)
		p.local[ENDING] = 1;
	return p;
}

const struct wicket_algo wicket_cluster = {
	.name = "cluster",
	.title = "A Line in a Store",
	.source = "doc/cluster.md",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION,
	.own_table = 1,
	.heavy = 2,
	.helper = { "S", "the store, the network and the clock" },
	.refuse = refuse,
	.processes = processes,
	.registers = wicket_one_register,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.event = event,
	.holds = holds,
	.show_step = show_step,
	.show = show,
};
