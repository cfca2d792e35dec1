/* SPDX-License-Identifier: MIT */
/*
 * store - the store of the world: what a transaction reads of it, what becomes of that
 * (transaction.h), and what is written; and that whoever had known it otherwise is refused.
 */
#ifndef WICKET_CLUSTER_STORE_H
#define WICKET_CLUSTER_STORE_H

#include "algo/cluster/lists.h"
#include "algo/cluster/world.h"

static inline int announces(const struct wicket_cfg *c)
{
	return !c->variant || c->variant == PATIENT || c->variant == CALM ||
	       c->variant == NEARSIGHTED;
}

static inline int gives_up(const struct wicket_cfg *c)
{
	return !c->variant || c->variant == DIRECT || c->variant == NEARSIGHTED;
}

/* Elsewhere nobody writes to a resource. */
static inline int has_fences(const struct wicket_cfg *c)
{
	return c->variant != TIMED && c->variant != NEARSIGHTED;
}

static inline uint32_t units_of(const struct wicket_cfg *c, uint32_t i)
{
	return i == 0 && (c->variant == UNITS || c->variant == NEARSIGHTED) ?
		       2 :
		       1;
}

static inline struct ticket ticket_of(const struct client *p)
{
	return (struct ticket){ p->value, p->colour };
}

static inline void set_ticket(struct client *p, struct ticket t)
{
	p->value = (uint8_t)t.value;
	p->colour = (uint8_t)t.colour;
}

/* --- what a change makes stale ---------------------------------------------------------- */

/* A request that is awaited no longer and can change nothing is nothing. */
static inline void forget_request(struct client *p)
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

static inline int compares_w(uint32_t op)
{
	return op == TAKE || op == LEAVE || op == APPLY;
}

static inline void change_w(const struct wicket_cfg *c, struct world *x)
{
	x->looked = 0;
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

static inline void change_seat(const struct wicket_cfg *c, struct client *p)
{
	p->knows_seat = p->reply_knows_seat = 0;
	if (c->mutant == SEAT_NOT_COMPARED && compares_w(p->first))
		return;
	p->first_fresh = p->second_fresh = 0;
	forget_request(p);
}

/* --- what is announced --------------------------------------------------------------- */

/* To announce it again changes nothing. */
static inline void announce(const struct wicket_cfg *c, struct world *x,
			    struct client *p, enum ask ask)
{
	for (uint32_t i = 0; i < c->n && p->ask == NO_ASK; i++)
		p->asked = (uint8_t)(p->asked + (x->client[i].ask != NO_ASK));
	p->ask = (uint8_t)ask;
}

/* It was carried out, or is withdrawn. */
static inline void forget_ask(const struct wicket_cfg *c, struct world *x,
			      struct client *p)
{
	for (uint32_t i = 0; i < c->n && p->ask != NO_ASK; i++) {
		struct client *q = &x->client[i];

		if (q->asked > p->asked)
			q->asked--;
	}
	p->ask = NO_ASK;
	p->asked = 0;
}

/* --- reading -------------------------------------------------------------------------- */

static inline uint32_t count_bits(uint8_t set)
{
	uint32_t count = 0;

	for (; set; set &= set - 1)
		count++;
	return count;
}

static inline void load_rules(const struct wicket_cfg *c, const struct world *x,
			      struct rules_w *w)
{
	w->k = x->k;
	w->m = c->n + c->k + 2;
	w->taken = count_bits(x->held);
	w->issue = (struct ticket){ x->issue_value, x->issue_colour };
	w->valid = (struct ticket){ x->valid_value, x->valid_colour };
	for (uint32_t i = 0; i < RULES_SET; i++)
		w->held[i] = i ? 0 : x->held;
}

/* No more than the first in line, the first announcement, and whoever sends it. */
static inline void be_nearsighted(const struct wicket_cfg *c,
				  struct transaction *t, uint32_t own)
{
	const struct party *first = transaction_first(t);

	for (uint32_t i = 0; i < c->n; i++) {
		struct party *p = &t->party[i];

		if (p->phase != WAITS || p == first)
			continue;
		t->more_wait = 1;
		p->is_far = i == own;
		if (i != own) /* as if it were not there */
			p->phase = OUT;
	}
	if (c->mutant == REST_FORGOTTEN)
		t->more_wait = 0;
	if (t->asks > 1)
		t->asks = 1;
}

/* The i-th party is the i-th client; its own transaction, unless that is c->n. */
static inline void read_store(const struct wicket_cfg *c, const struct world *x,
			      uint32_t own, struct transaction *t)
{
	struct rules_w w;

	load_rules(c, x, &w);
	transaction_begin(t, &w, 0, 0);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *p = &x->client[i];
		struct party *q = transaction_read(
			t, (enum phase)p->phase, units_of(c, i), ticket_of(p));

		q->ask = p->ask;
		q->slots[0] = p->phase == HOLDS ? p->slots : 0;
		t->waiting += p->phase == WAITS;
	}
	for (uint32_t asked = 0; asked < c->n; asked++) {
		for (uint32_t i = 0; i < c->n; i++) {
			const struct client *p = &x->client[i];

			if (p->ask != NO_ASK && p->asked == asked)
				transaction_asks(t, i, (enum ask)p->ask);
		}
	}
	if (c->variant == NEARSIGHTED)
		be_nearsighted(c, t, own);
}

/* --- writing -------------------------------------------------------------------------- */

static inline void save_rules(struct world *x, const struct rules_w *w)
{
	x->held = (uint8_t)w->held[0];
	x->issue_value = (uint8_t)w->issue.value;
	x->issue_colour = (uint8_t)w->issue.colour;
	x->valid_value = (uint8_t)w->valid.value;
	x->valid_colour = (uint8_t)w->valid.colour;
}

/* The fence is the revision of this transaction: later than all others so far. */
static inline void fence(const struct wicket_cfg *c, struct world *x,
			 struct client *p)
{
	for (uint32_t i = 0; i < c->n && has_fences(c); i++) {
		struct client *q = &x->client[i];

		if (q != p && q->slots & p->slots && q->later < 3)
			q->later++;
	}
	p->later = p->fenced = 0;
}

static inline void write_seat(const struct wicket_cfg *c, struct world *x,
			      uint32_t i, const struct party *q)
{
	struct client *p = &x->client[i];

	p->phase = q->phase;
	p->value = p->colour = 0;
	if (q->phase == WAITS)
		set_ticket(p, q->last);
	if (q->phase == HOLDS) {
		p->slots = (uint8_t)q->slots[0];
		fence(c, x, p);
	}
	p->mail |= q->was_let_in;
	change_seat(c, p);
}

/* Has the i-th got in while somebody waits who was before it?  x is as it was read. */
static inline int overtakes(const struct wicket_cfg *c, const struct world *x,
			    const struct transaction *t, uint32_t i)
{
	const struct client *p = &x->client[i];

	if (!t->party[i].has_changed || t->party[i].phase != HOLDS)
		return 0;
	for (uint32_t j = 0; j < c->n; j++) {
		const struct client *q = &x->client[j];

		if (q->phase == WAITS && !t->party[j].has_changed &&
		    (p->phase != WAITS ||
		     rules_number(&t->w, ticket_of(p)) >
			     rules_number(&t->w, ticket_of(q))))
			return 1;
	}
	return 0;
}

/* Colours are only compared and counted up: the least one is 0. */
static inline void lower_colours(const struct wicket_cfg *c, struct world *x)
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

/*
 * While one waits, others can give up behind it without end, and leave gaps.  A gap is
 * discarded at once when its turn comes, so it may as well not be: the tickets of those
 * who wait follow each other, from 1 on.  Behind them is ISSUE; what the first has got
 * together of its own is valid.
 */
static inline void close_gaps(const struct wicket_cfg *c, struct world *x,
			      struct rules_w *w)
{
	uint64_t valid = rules_number(w, w->valid), before = 0, issue = 0;
	struct transaction t;
	struct party *p;

	transaction_begin(&t, w, 0, 0);
	for (uint32_t i = 0; i < c->n; i++)
		transaction_read(&t, (enum phase)x->client[i].phase,
				 units_of(c, i), ticket_of(&x->client[i]));
	before = rules_number(w, w->issue);
	while ((p = transaction_first(&t))) {
		if (!issue)
			before = rules_number(w, p->last) - p->units;
		issue += p->units;
		set_ticket(&x->client[p - t.party], rules_ticket(w, issue));
		p->phase = OUT;
	}
	w->issue = rules_ticket(w, issue);
	w->valid = rules_ticket(w, valid > before ? valid - before : 0);
}

static inline void write_store(const struct wicket_cfg *c, struct world *x,
			       struct transaction *t)
{
	for (uint32_t i = 0; i < c->n; i++)
		x->overtaken |= (uint8_t)overtakes(c, x, t, i);
	change_w(c, x);
	for (uint32_t i = 0; i < c->n; i++) {
		if (t->party[i].has_changed)
			write_seat(c, x, i, &t->party[i]);
		if (t->party[i].ask == NO_ASK)
			forget_ask(c, x, &x->client[i]);
	}
	if (c->variant == NEARSIGHTED)
		close_gaps(c, x, &t->w);
	save_rules(x, &t->w);
	lower_colours(c, x);
}

/* --- transactions --------------------------------------------------------------------------- */

static inline void leave(const struct wicket_cfg *c, struct transaction *t,
			 uint32_t i)
{
	const struct rules_w w = t->w;

	if (c->mutant != NOBODY_SERVED && c->mutant != SLOT_KEPT) {
		transaction_leave(t, i);
		return;
	}
	transaction_give_back(t, i);
	if (c->mutant == NOBODY_SERVED)
		return;
	t->w = w;
	transaction_serve(t);
}

static inline void carry_out(const struct wicket_cfg *c, struct transaction *t,
			     enum op op, uint32_t i)
{
	const struct party as_read = t->party[i];
	struct party *p = &t->party[i];

	if (c->mutant == OVERTAKE && op == TAKE && t->waiting &&
	    t->w.taken + p->units <= t->w.k) {
		rules_hold(&t->w, p->units, p->slots);
		transaction_grant(t, p);
	} else if (c->mutant == FAITHFUL || op != LEAVE) {
		transaction_do(t, op, i);
	} else {
		transaction_apply(t);
		if (c->mutant == LEAVE_AS_READ)
			*p = as_read;
		leave(c, t, i);
	}
}

/* One whose comparisons succeed. */
static inline void commit(const struct wicket_cfg *c, struct world *x,
			  uint32_t i, enum op op)
{
	struct client *p = &x->client[i];
	struct transaction t;

	switch (op) {
	case ANNOUNCE_TAKE:
	case ANNOUNCE_LEAVE:
		announce(c, x, p,
			 op == ANNOUNCE_TAKE ? ASKS_TO_TAKE : ASKS_TO_LEAVE);
		return;
	case RESOLVE: /* its seat, as it is; and what it announced is withdrawn */
		if (c->mutant == RESOLVE_BY_READING)
			return;
		forget_ask(c, x, p);
		change_seat(c, p);
		return;
	case CONFIRM:
		return;
	default:
		break;
	}
	read_store(c, x, i, &t);
	carry_out(c, &t, op, i);
	write_store(c, x, &t);
}

/* Of somebody whose lease has ended, and who has something. */
static inline void reap(const struct wicket_cfg *c, struct world *x)
{
	struct transaction t;
	uint32_t i = 0;

	while (i < c->n && (x->client[i].live || (x->client[i].phase == OUT &&
						  x->client[i].ask == NO_ASK)))
		i++;
	if (i == c->n)
		return;
	read_store(c, x, i, &t);
	if (c->mutant == FAITHFUL) {
		transaction_reap(&t, i);
	} else {
		t.party[i].ask = NO_ASK;
		leave(c, &t, i);
	}
	write_store(c, x, &t);
}

static inline void resize(const struct wicket_cfg *c, struct world *x)
{
	struct transaction t;

	x->k = (uint8_t)(x->k == c->k ? c->k - 1 : c->k);
	read_store(c, x, c->n, &t);
	transaction_resize(&t, x->k);
	write_store(c, x, &t);
}

/* The first in line lets in itself, and who is behind it, if nobody else has. */
static inline void look(const struct wicket_cfg *c, struct world *x, uint32_t i)
{
	struct transaction t;

	read_store(c, x, c->n, &t);
	if (transaction_first(&t) != &t.party[i])
		return;
	x->looked = 1;
	if (c->mutant != NOBODY_LOOKS)
		transaction_resize(&t, x->k);
	if (t.party[i].has_changed)
		write_store(c, x, &t);
}

#endif
