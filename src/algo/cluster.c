/* SPDX-License-Identifier: MIT */
/*
 * cluster - a line in a store (etcd): clients that ask for transactions.
 *
 * Source   doc/cluster.md; the tickets are FLBB 1989, Fig. 4 (cluster/rules.h).
 * Grain    one transaction, which changes W, the line and any seats at once.  A client
 *          sends a request; helpers deliver it, early or late, once or twice, answer
 *          it, or have the client wait in vain.
 * Value    cluster/world.h.
 * Failure  the lease of a client ends, whatever the client does: it may be dead, cut
 *          off, paused, or well.  Anybody may then give back what it had.
 * K1       slots are held by one seat each, and W counts them (mutant slot-kept).
 * K2       nobody waits who could be served (mutant nobody-served).
 * K3       a live client that wants nothing has nothing in the store: no ticket of its
 *          and no slot is lost (mutants resolve-by-reading, seat-not-compared).
 * K4       a live client that waits for what it has got is told (mutant watch-from-now).
 * K5       no write is accepted after a later holder of the slot has written (mutant
 *          no-fence): exclusion by fence, always.
 * K6       nobody in line is overtaken (cluster:units@overtake): FIFO enabling.
 * Safety   K1 and K5; cluster:timed also has k-exclusion, exclusion in time, under the
 *          assumption that a client measures time as the store does, and that it leaves
 *          C before its deadline: TTL from the sending of the last keepalive that was
 *          acknowledged (mutants deadline-from-reply, enter-unasked).
 * Crash    a client that stops for ever is one whose lease ends.
 */
#include "algo/algo.h"
#include "algo/cluster/world.h"
#include "algo/lists.h"

/* X(number, name, what it is) */
#define VARIANTS(X)                                                            \
	X(DIRECT, "direct", "nobody announces what it wants")                  \
	X(PATIENT, "patient", "nobody gives up")                               \
	X(SIMPLE, "simple", "nobody announces, nobody gives up")               \
	X(CALM, "calm", "as patient; and no request or reply is lost")         \
	X(TIMED, "timed", "as simple and calm; clients leave by the clock")    \
	X(UNITS, "units", "as simple and calm; the first client asks for two") \
	X(RESIZED, "resized", "as simple and calm; a slot closes and opens")

#define ANY WICKET_ANY_VARIANT

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(RESOLVE_BY_READING, "resolve-by-reading",                            \
	  "what became of a request is read, not resolved by a write", ANY)    \
	X(SEAT_NOT_COMPARED, "seat-not-compared",                              \
	  "requests compare W, but not the own seat", ANY)                     \
	X(NO_FENCE, "no-fence", "what is written is always accepted", ANY)     \
	X(NOBODY_SERVED, "nobody-served",                                      \
	  "who leaves does not let the first in line in", ANY)                 \
	X(SLOT_KEPT, "slot-kept", "who leaves does not give its slots back",   \
	  ANY)                                                                 \
	X(WATCH_FROM_NOW, "watch-from-now",                                    \
	  "a client watches its seat from now, not from the revision", ANY)    \
	X(DEADLINE_FROM_REPLY, "deadline-from-reply",                          \
	  "the deadline is counted from the reply to a keepalive", TIMED)      \
	X(ENTER_UNASKED, "enter-unasked",                                      \
	  "who was told enters, asking neither the store nor the clock",       \
	  TIMED)                                                               \
	X(OVERTAKE, "overtake", "a request that fits now passes the line",     \
	  UNITS)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(K1, "slots are held by one seat each, and W counts them")            \
	X(K2, "nobody waits who could be served")                              \
	X(K3, "a live client that wants nothing has nothing in the store")     \
	X(K4, "a live client that waits for what it has got is told")          \
	X(K5, "no write is accepted after that of a later holder")             \
	X(K6, "nobody in line is overtaken")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

/* A client's are those of client.h; but inside it first writes, then asks to leave. */
enum pc {
	GO = CLIENT_PCS, /* C */
	/* helpers */
	DELIVER_FIRST,
	DELIVER_TWICE,
	DELIVER_SECOND,
	HUSH, /* the reply is lost, or late; or the client's own deadline passes */
	REAP,
	RESIZE,
	TICK,
	KEEPALIVE_SEND,
	KEEPALIVE_COMMIT,
	KEEPALIVE_REPLY,
};

enum local {
	GIVES_UP,
	BEEN_INSIDE,
	ANNOUNCED,
	ENDING, /* this step is the end of its lease */
};

enum { TTL = 1, PER_CLIENT = 4 };

/* --- the store ---------------------------------------------------------------------- */

static int announces(const struct wicket_cfg *c)
{
	return !c->variant || c->variant == PATIENT || c->variant == CALM;
}

static int gives_up(const struct wicket_cfg *c)
{
	return !c->variant || c->variant == DIRECT;
}

static uint32_t units_of(const struct wicket_cfg *c, uint32_t i)
{
	return c->variant == UNITS && i == 0 ? 2 : 1;
}

static uint32_t count_bits(uint8_t set)
{
	uint32_t count = 0;

	for (; set; set &= set - 1)
		count++;
	return count;
}

static void load_rules(const struct wicket_cfg *c, const struct world *x,
		       struct rules_w *w)
{
	w->k = x->k;
	w->m = c->n + c->k + 2;
	w->taken = count_bits(x->held);
	w->issue = (struct ticket){ x->issue_value, x->issue_colour };
	w->valid = (struct ticket){ x->valid_value, x->valid_colour };
	w->held[0] = x->held;
}

static void save_rules(struct world *x, const struct rules_w *w)
{
	x->held = (uint8_t)w->held[0];
	x->issue_value = (uint8_t)w->issue.value;
	x->issue_colour = (uint8_t)w->issue.colour;
	x->valid_value = (uint8_t)w->valid.value;
	x->valid_colour = (uint8_t)w->valid.colour;
}

static struct rules_request request_of(const struct wicket_cfg *c,
				       const struct rules_w *w,
				       const struct world *x, uint32_t i)
{
	struct ticket last = { x->client[i].value, x->client[i].colour };
	uint64_t before = rules_number(w, last) - units_of(c, i);

	return (struct rules_request){
		.before = { (uint32_t)(before % w->m),
			    (uint32_t)(before / w->m) },
		.last = last,
		.units = units_of(c, i),
	};
}

/* Who is first in line, or n. */
static uint32_t first_in_line(const struct wicket_cfg *c,
			      const struct rules_w *w, const struct world *x)
{
	uint32_t first = c->n;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < c->n; i++) {
		struct ticket t = { x->client[i].value, x->client[i].colour };

		if (x->client[i].phase != WAITS || rules_number(w, t) >= least)
			continue;
		least = rules_number(w, t);
		first = i;
	}
	return first;
}

/* A request that is awaited no longer and can change nothing is nothing. */
static void forget_request(struct client *p)
{
	if (p->awaits != FIRST && (!p->first_fresh || p->first == CONFIRM)) {
		p->first = NONE;
		p->first_fresh = 0;
	}
	if (p->awaits != SECOND && (!p->second_fresh || p->second == CONFIRM)) {
		p->second = NONE;
		p->second_fresh = 0;
	}
}

static int compares_w(uint32_t op)
{
	return op == TAKE || op == LEAVE || op == APPLY;
}

static void change_w(const struct wicket_cfg *c, struct world *x)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct client *p = &x->client[i];

		p->knows_w = p->reply_knows_w = 0;
		if (compares_w(p->first))
			p->first_fresh = 0;
		if (compares_w(p->second))
			p->second_fresh = 0;
		forget_request(p);
	}
}

static void change_seat(const struct wicket_cfg *c, struct client *p)
{
	p->knows_seat = p->reply_knows_seat = 0;
	if (c->mutant == SEAT_NOT_COMPARED && compares_w(p->first))
		return;
	p->first_fresh = p->second_fresh = 0;
	forget_request(p);
}

/* The fence is the revision of this transaction: later than all others so far. */
static void grant(const struct wicket_cfg *c, struct world *x, uint32_t i,
		  uint32_t units, const uint32_t *slots)
{
	struct client *p = &x->client[i];

	p->phase = HOLDS;
	p->value = p->colour = p->slots = 0;
	for (uint32_t u = 0; u < units; u++)
		p->slots |= (uint8_t)(1u << slots[u]);
	for (uint32_t j = 0; j < c->n; j++) {
		struct client *q = &x->client[j];

		if (j != i && q->slots & p->slots && q->later < 3 &&
		    c->variant != TIMED)
			q->later++;
	}
	p->later = p->fenced = 0;
}

/* All whose turn it is. */
static void serve(const struct wicket_cfg *c, struct rules_w *w,
		  struct world *x)
{
	uint32_t i, slots[SLOTS_MAX];

	while ((i = first_in_line(c, w, x)) < c->n) {
		struct rules_request r = request_of(c, w, x, i);

		if (!rules_serve(w, &r, slots))
			return;
		grant(c, x, i, r.units, slots);
		x->client[i].mail = 1;
		change_seat(c, &x->client[i]);
	}
	rules_stock(w);
}

static void give_back(const struct wicket_cfg *c, struct rules_w *w,
		      struct client *p)
{
	uint32_t slots[SLOTS_MAX], units = 0;

	for (uint32_t s = 0; s < SLOTS_MAX; s++) {
		if (p->phase == HOLDS && p->slots >> s & 1)
			slots[units++] = s;
	}
	if (c->mutant != SLOT_KEPT)
		rules_let_go(w, units, slots);
	p->phase = OUT;
	p->value = p->colour = 0;
}

/* Colours are only compared and counted up: the least one is 0. */
static void lower_colours(const struct wicket_cfg *c, struct world *x)
{
	uint8_t least = x->issue_colour < x->valid_colour ? x->issue_colour :
							    x->valid_colour;

	for (uint32_t i = 0; i < c->n; i++) {
		/* the first of its tickets may be of the colour before */
		if (x->client[i].phase == WAITS && x->client[i].colour <= least)
			return;
	}
	x->issue_colour = (uint8_t)(x->issue_colour - least);
	x->valid_colour = (uint8_t)(x->valid_colour - least);
	for (uint32_t i = 0; i < c->n; i++) {
		if (x->client[i].phase == WAITS)
			x->client[i].colour =
				(uint8_t)(x->client[i].colour - least);
	}
}

static void take(const struct wicket_cfg *c, struct rules_w *w, struct world *x,
		 uint32_t i)
{
	uint32_t slots[SLOTS_MAX], units = units_of(c, i);
	int somebody_waits = first_in_line(c, w, x) < c->n;
	struct rules_request r;

	if (c->mutant == OVERTAKE && somebody_waits &&
	    w->taken + units <= w->k) {
		rules_hold(w, units, slots);
	} else if (!rules_take(w, units, &r, slots)) {
		x->client[i].phase = WAITS;
		x->client[i].value = (uint8_t)r.last.value;
		x->client[i].colour = (uint8_t)r.last.colour;
		if (!somebody_waits) /* what there is, it gets together */
			serve(c, w, x);
		return;
	}
	x->overtaken |= (uint8_t)somebody_waits;
	grant(c, x, i, units, slots);
}

static void leave(const struct wicket_cfg *c, struct rules_w *w,
		  struct world *x, uint32_t i)
{
	give_back(c, w, &x->client[i]);
	if (c->mutant != NOBODY_SERVED)
		serve(c, w, x);
}

/* What has been announced, in order: here that of their numbers. */
static void apply(const struct wicket_cfg *c, struct rules_w *w,
		  struct world *x)
{
	for (uint32_t i = 0; i < c->n; i++) {
		struct client *p = &x->client[i];
		enum ask ask = p->ask;

		if (ask == NO_ASK)
			continue;
		if (ask == ASKS_TO_TAKE)
			take(c, w, x, i);
		else
			leave(c, w, x, i);
		p->ask = NO_ASK;
		change_seat(c, p);
	}
}

/* A transaction whose comparisons succeed. */
static void commit(const struct wicket_cfg *c, struct world *x, uint32_t i,
		   enum op op)
{
	struct client *p = &x->client[i];
	struct rules_w w;

	switch (op) {
	case ANNOUNCE_TAKE:
	case ANNOUNCE_LEAVE:
		p->ask = op == ANNOUNCE_TAKE ? ASKS_TO_TAKE : ASKS_TO_LEAVE;
		return;
	case RESOLVE: /* its seat, as it is; and what it announced is withdrawn */
		if (c->mutant == RESOLVE_BY_READING)
			return;
		p->ask = NO_ASK;
		change_seat(c, p);
		return;
	case CONFIRM:
		return;
	default:
		break;
	}
	load_rules(c, x, &w);
	if (op == TAKE)
		take(c, &w, x, i);
	else if (op == LEAVE)
		leave(c, &w, x, i);
	apply(c, &w, x);
	save_rules(x, &w);
	change_w(c, x);
	change_seat(c, p);
	lower_colours(c, x);
}

/* --- requests and replies --------------------------------------------------------------- */

static void send(const struct wicket_cfg *c, struct client *p, enum op op)
{
	int knows_seat = p->knows_seat ||
			 (c->mutant == SEAT_NOT_COMPARED && compares_w(op)) ||
			 (c->mutant == RESOLVE_BY_READING && op == RESOLVE);
	uint8_t fresh = p->live && knows_seat &&
			(p->knows_w || !compares_w(op));

	if (p->first == NONE) {
		p->first = (uint8_t)op;
		p->first_fresh = fresh;
		p->awaits = FIRST;
	} else { /* what was there gets lost */
		p->second = (uint8_t)op;
		p->second_fresh = fresh;
		p->awaits = SECOND;
	}
	p->reply = NOTHING;
}

static void deliver(const struct wicket_cfg *c, struct world *x, uint32_t i,
		    enum way way, int again)
{
	struct client *p = &x->client[i];
	enum op op = way == FIRST ? p->first : p->second;
	int fresh = way == FIRST ? p->first_fresh : p->second_fresh;
	int awaited = p->awaits == way;

	if (op == NONE)
		return;
	if (fresh)
		commit(c, x, i, op);
	if (awaited) {
		p->awaits = NOWHERE;
		p->reply = fresh ? DONE : REFUSED;
		p->reply_phase = p->phase;
		p->reply_knows_w = p->reply_knows_seat = 1;
	}
	if (way == FIRST && !again) {
		p->first = NONE;
		p->first_fresh = 0;
	} else if (way == SECOND) {
		p->second = NONE;
		p->second_fresh = 0;
	}
	forget_request(p);
}

/* The client reads its reply. */
static enum reply receive(struct client *p)
{
	enum reply reply = p->reply;

	if (reply == DONE || reply == REFUSED) {
		p->knows_w = p->reply_knows_w;
		p->knows_seat = p->reply_knows_seat;
	}
	p->reply = NOTHING;
	p->reply_knows_w = p->reply_knows_seat = 0;
	return reply;
}

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

	if (c->variant == TIMED)
		return; /* this is about another kind of exclusion */
	if (p->fenced && c->mutant != NO_FENCE)
		return; /* refused */
	x->late_write |= p->fenced;
	for (uint32_t j = 0; j < c->n; j++) {
		struct client *q = &x->client[j];

		if (q->slots & p->slots && q->later > p->later)
			q->fenced = 1;
	}
}

static void wait(const struct wicket_cfg *c, struct client *p, struct mind *m)
{
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
	}
}

static void act(const struct wicket_cfg *c, struct world *x, uint32_t i,
		struct mind *m)
{
	struct client *p = &x->client[i];

	switch (m->pc) {
	case WANT:
		p->impatient = 0;
		if (p->live) {
			m->pc = TAKING;
			send(c, p, TAKE);
		} else if (p->phase == OUT && p->ask == NO_ASK) {
			/* it joins again, under another name */
			p->live = p->knows_w = p->knows_seat = 1;
			p->lease = p->left = c->variant == TIMED ? TTL : 0;
		}
		break;
	case WATCH:
		if (c->mutant == WATCH_FROM_NOW)
			p->mail = 0;
		m->pc = WAITING;
		break;
	case WAITING:
		wait(c, p, m);
		break;
	case INSIDE:
		write_resource(c, x, i);
		m->pc = GO;
		break;
	case GO:
		p->inside = 0;
		m->pc = LEAVING;
		send(c, p, LEAVE);
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

	act(c, x, p.self - 1, &m);
	p.pc = m.pc;
	p.local[GIVES_UP] = m.gives_up;
	p.local[BEEN_INSIDE] = m.been_inside;
	p.local[ANNOUNCED] = m.announced;
	return p;
}

/* --- helpers --------------------------------------------------------------------------------- */

static uint32_t helper_of(const struct wicket_cfg *c, struct wicket_proc me)
{
	uint32_t h = me.self - 1 - c->n;

	return h < PER_CLIENT * c->n ? h / PER_CLIENT : h - PER_CLIENT * c->n;
}

static void reap(const struct wicket_cfg *c, struct world *x)
{
	struct rules_w w;
	uint32_t i = 0;

	while (i < c->n && (x->client[i].live || (x->client[i].phase == OUT &&
						  x->client[i].ask == NO_ASK)))
		i++;
	if (i == c->n)
		return;
	load_rules(c, x, &w);
	x->client[i].ask = NO_ASK;
	leave(c, &w, x, i);
	save_rules(x, &w);
	change_w(c, x);
	change_seat(c, &x->client[i]);
	lower_colours(c, x);
}

static void resize(const struct wicket_cfg *c, struct world *x)
{
	struct rules_w w;

	x->k = (uint8_t)(x->k == c->k ? c->k - 1 : c->k);
	load_rules(c, x, &w);
	serve(c, &w, x);
	save_rules(x, &w);
	change_w(c, x);
	lower_colours(c, x);
}

static uint8_t less_one(uint8_t x)
{
	return (uint8_t)(x ? x - 1 : 0);
}

/* Not while somebody is inside who must be out by then: it leaves in time. */
static void tick(const struct wicket_cfg *c, struct world *x)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (x->client[i].inside && x->client[i].left == 1)
			return;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		struct client *p = &x->client[i];

		p->lease = less_one(p->lease);
		p->left = less_one(p->left);
		p->sent = less_one(p->sent);
	}
}

static uint16_t help(const struct wicket_cfg *c, struct world *x,
		     struct wicket_proc me)
{
	uint32_t i = helper_of(c, me);
	struct client *p = &x->client[i < c->n ? i : 0];

	switch (me.pc) {
	case DELIVER_FIRST:
		deliver(c, x, i, FIRST, 0);
		break;
	case DELIVER_TWICE:
		deliver(c, x, i, FIRST, 1);
		break;
	case DELIVER_SECOND:
		deliver(c, x, i, SECOND, 0);
		break;
	case HUSH:
		if (c->variant > SIMPLE)
			break;
		if (p->awaits) {
			p->awaits = NOWHERE;
			p->reply = SILENCE;
			forget_request(p);
		} else if (gives_up(c) &&
			   (p->reply || p->phase == WAITS || p->mail)) {
			p->impatient = 1;
		}
		break;
	case REAP:
		reap(c, x);
		break;
	case RESIZE:
		resize(c, x);
		break;
	case TICK:
		tick(c, x);
		break;
	case KEEPALIVE_SEND:
		p->sent = TTL;
		return KEEPALIVE_COMMIT;
	case KEEPALIVE_COMMIT:
		if (p->live && p->sent) /* else it is of an earlier lease, or
					   so late that it helps nobody */
			p->lease = TTL;
		return KEEPALIVE_REPLY;
	case KEEPALIVE_REPLY:
		if (c->mutant == DEADLINE_FROM_REPLY)
			p->sent = TTL;
		/* one of a lease that has ended since changes nothing */
		if (p->live && p->sent > p->left)
			p->left = p->sent;
		p->sent = 0;
		return KEEPALIVE_SEND;
	}
	return me.pc;
}

/* Its lease ends: its requests fail from now on. */
static void end_lease(const struct wicket_cfg *c, struct client *p)
{
	if (c->variant == TIMED && p->lease)
		return;
	p->live = p->first_fresh = p->second_fresh = 0;
	p->sent = 0; /* no keepalive of it is under way any more */
	forget_request(p);
}

/* --- the algorithm ----------------------------------------------------------------------------- */

static const char *refuse(const struct wicket_cfg *c)
{
	if (c->n > CLIENTS_MAX)
		return "cluster: n must be at most 3";
	if (c->n > 2 && (c->variant == TIMED || c->variant == RESIZED))
		return "this variant of cluster: n must be 2";
	if (c->k < 2 && c->variant == UNITS)
		return "cluster:units: k must be at least 2";
	return 0;
}

/* One that reaps; one that resizes; or a clock, and keepalives. */
static uint32_t processes(const struct wicket_cfg *c)
{
	uint32_t own = c->variant == TIMED   ? c->n + 2 :
		       c->variant == RESIZED ? 2 :
					       1;

	return c->n + PER_CLIENT * c->n + own;
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

		p->live = p->knows_w = p->knows_seat = 1;
		p->lease = p->left = c->variant == TIMED ? TTL : 0;
	}
	return (struct wicket_register){ .start = world_pack(c, &x) };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	uint32_t h = i - 1 - c->n, own = h - PER_CLIENT * c->n;
	struct wicket_proc p = { .pc = WANT, .self = i };

	if (i <= c->n)
		return p;
	if (h < PER_CLIENT * c->n)
		p.pc = (uint16_t)(DELIVER_FIRST + h % PER_CLIENT);
	else if (c->variant == TIMED)
		p.pc = own < c->n ? KEEPALIVE_SEND : own == c->n ? TICK : REAP;
	else
		p.pc = own ? RESIZE : REAP;
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

static int is_counted(const struct wicket_cfg *c, const struct world *x)
{
	uint8_t held = 0, twice = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		if (x->client[i].phase != HOLDS)
			continue;
		twice |= held & x->client[i].slots;
		held |= x->client[i].slots;
	}
	return !twice && held == x->held;
}

static int is_served(const struct wicket_cfg *c, const struct world *x)
{
	uint32_t first;
	struct rules_w w;
	struct rules_request r;
	int64_t spare;

	load_rules(c, x, &w);
	first = first_in_line(c, &w, x);
	spare = (int64_t)rules_number(&w, w.valid);
	if (first == c->n)
		return spare - (int64_t)rules_number(&w, w.issue) ==
		       (w.taken < w.k ? (int64_t)(w.k - w.taken) : 0);
	r = request_of(c, &w, x, first);
	spare -= (int64_t)rules_number(&w, r.before);
	return spare >= 0 && spare < r.units && w.taken + spare >= w.k;
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct world x;
	int good = 1;

	world_unpack(c, regs[0], &x);
	switch (label) {
	case K1:
		return is_counted(c, &x);
	case K2:
		return is_served(c, &x);
	case K5:
		return !x.late_write;
	case K6:
		return !x.overtaken;
	}
	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *p = &x.client[i];

		if (!p->live)
			continue;
		good &= label == K3 ?
				procs[i].pc != WANT ||
					(p->phase == OUT && p->ask == NO_ASK) :
				(procs[i].pc != WATCH &&
				 procs[i].pc != WAITING) ||
					p->phase != HOLDS || p->mail;
	}
	return good;
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	static const char texts[][24] = {
		[WANT] = "want",
		[TAKING] = "take?",
		[WATCH] = "watch",
		[WAITING] = "wait",
		[CONFIRMING] = "still so?",
		[INSIDE] = "write",
		[GO] = "leave",
		[LEAVING] = "left?",
		[ANNOUNCING] = "announced?",
		[APPLYING] = "applied?",
		[SOLVING] = "resolve",
		[LOST] = "lost",
		[DELIVER_FIRST] = "deliver",
		[DELIVER_TWICE] = "deliver, and again",
		[DELIVER_SECOND] = "deliver the second",
		[HUSH] = "no answer in time",
		[REAP] = "reap",
		[RESIZE] = "resize",
		[TICK] = "tick",
		[KEEPALIVE_SEND] = "keepalive",
		[KEEPALIVE_COMMIT] = "keepalive commits",
		[KEEPALIVE_REPLY] = "keepalive is answered",
	};

	if (p.local[ENDING]) {
		wicket_put(t, "the lease ends");
		return;
	}
	wicket_put(t, texts[p.pc]);
	if (p.pc >= DELIVER_FIRST && p.pc != REAP && p.pc != RESIZE &&
	    p.pc != TICK) {
		wicket_put(t, " for ");
		wicket_put_number(t, helper_of(c, p) + 1);
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	static const char phases[][6] = { "out", "waits", "holds" };
	struct world x;

	world_unpack(c, regs[0], &x);
	ticket_show_pointers(t,
			     (struct ticket){ x.issue_value, x.issue_colour },
			     (struct ticket){ x.valid_value, x.valid_colour });
	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *p = &x.client[i];

		wicket_put_char(t, ' ');
		wicket_put_number(t, i + 1);
		wicket_put_char(t, ':');
		wicket_put(t, phases[p->phase]);
		if (p->slots) {
			wicket_put(t, " slots ");
			wicket_put_number(t, p->slots);
		}
		if (!p->live)
			wicket_put(t, " (expired)");
	}
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
