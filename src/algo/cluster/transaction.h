/* SPDX-License-Identifier: MIT */
/*
 * transaction - what one transaction makes of a line in a store, as far as it was read.
 * The model (src/algo/cluster.c) and the library (src/cluster/desk.c) run these very
 * functions: each fills in what it has read, and writes down what has changed.
 *
 * Party    whoever was read: the first in line, those who have announced something, and
 *          who sends it.  It is one thing, whatever it was read as, so that what becomes
 *          of it first is known to what comes next: who gives up may just have been let
 *          in by what it carries out, and then gives back slots (mutant leave-as-read).
 * Order    first what was announced, in the order of its announcement, then the own
 *          request.
 * Far      there is room for the first in line only.  Who was read for another reason
 *          may have somebody before it who was not read, and so may who joins the line
 *          now.  It is far, and not let in (mutant rest-forgotten): those who are next
 *          let it in, or the first in line does (mutant nobody-looks).
 */
#ifndef WICKET_CLUSTER_TRANSACTION_H
#define WICKET_CLUSTER_TRANSACTION_H

#include "algo/cluster/client.h"
#include "algo/cluster/rules.h"

enum {
	TRANSACTION_ASKS = 16,	  /* are carried out at once */
	TRANSACTION_WAITERS = 24, /* can be let in at once */
	/* and who sends it, and a dead one */
	TRANSACTION_PARTIES = TRANSACTION_ASKS + TRANSACTION_WAITERS + 2,
};

struct party {
	uint8_t phase; /* enum phase */
	uint8_t ask;   /* enum ask: has announced it */
	uint8_t is_far;
	uint8_t is_new;	    /* in line, and was not before */
	uint8_t was_let_in; /* from the line */
	uint8_t has_changed;
	uint32_t units;	    /* that it holds, waits for or asks for */
	struct ticket last; /* of its tickets, unless it is out */
	uint64_t slots[RULES_SET];
};

struct transaction {
	/* W */
	struct rules_w w;
	uint32_t waiting; /* requests in line */
	uint8_t more_wait;
	/* who was read; in no order, but for those who ask */
	uint32_t parties, asks;
	struct party party[TRANSACTION_PARTIES];
	uint8_t asks_nth[TRANSACTION_ASKS]; /* a party */
	/* what has happened */
	uint32_t grants, abandoned, recovered;
};

/* The arrays are filled in as they are needed. */
static inline void transaction_begin(struct transaction *t,
				     const struct rules_w *w, uint32_t waiting,
				     int more_wait)
{
	t->w = *w;
	t->waiting = waiting;
	t->more_wait = (uint8_t)more_wait;
	t->parties = t->asks = 0;
	t->grants = t->abandoned = t->recovered = 0;
}

/* Somebody who was read. */
static inline struct party *transaction_read(struct transaction *t,
					     enum phase phase, uint32_t units,
					     struct ticket last)
{
	struct party *p = &t->party[t->parties++];

	*p = (struct party){ .phase = (uint8_t)phase,
			     .units = units,
			     .last = last };
	return p;
}

/* It has announced that; after all who were read so far. */
static inline void transaction_asks(struct transaction *t, uint32_t i,
				    enum ask ask)
{
	t->party[i].ask = (uint8_t)ask;
	t->asks_nth[t->asks++] = (uint8_t)i;
}

/* --- the line ------------------------------------------------------------------------ */

static inline struct party *transaction_first(struct transaction *t)
{
	struct party *first = 0;

	for (uint32_t i = 0; i < t->parties; i++) {
		struct party *p = &t->party[i];

		if (p->phase == WAITS && !p->is_far &&
		    (!first || rules_number(&t->w, p->last) <
				       rules_number(&t->w, first->last)))
			first = p;
	}
	return first;
}

static inline void transaction_grant(struct transaction *t, struct party *p)
{
	p->phase = HOLDS;
	p->is_new = 0;
	p->has_changed = 1;
	t->grants++;
}

/* All whose turn it is, and who were read. */
static inline void transaction_serve(struct transaction *t)
{
	struct party *p;

	while ((p = transaction_first(t))) {
		struct rules_request r = rules_request_of(&t->w, p->last,
							  p->units);

		if (!rules_serve(&t->w, &r, p->slots))
			return;
		transaction_grant(t, p);
		p->was_let_in = 1;
		t->waiting--;
	}
	if (!t->waiting)
		rules_stock(&t->w);
}

/* --- what is asked for ----------------------------------------------------------------- */

/* If it is alone, what is free was ahead of ISSUE: those of its tickets are valid. */
static inline void transaction_take(struct transaction *t, uint32_t i)
{
	struct party *p = &t->party[i];
	struct rules_request r;

	if (rules_take(&t->w, p->units, &r, p->slots)) {
		p->last = r.last;
		transaction_grant(t, p);
		return;
	}
	p->last = r.last;
	p->phase = WAITS;
	p->is_new = p->has_changed = 1;
	p->is_far = t->more_wait;
	t->waiting++;
}

/* The first half of leaving. */
static inline void transaction_give_back(struct transaction *t, uint32_t i)
{
	struct party *p = &t->party[i];

	if (p->phase == HOLDS) {
		rules_let_go(&t->w, p->units, p->slots);
	} else if (p->phase == WAITS) {
		t->waiting--;
		t->abandoned++;
	}
	p->phase = OUT;
	p->is_new = p->was_let_in = 0;
	p->has_changed = 1;
}

static inline void transaction_leave(struct transaction *t, uint32_t i)
{
	transaction_give_back(t, i);
	transaction_serve(t);
}

/* All that was announced, and read. */
static inline void transaction_apply(struct transaction *t)
{
	for (uint32_t n = 0; n < t->asks; n++) {
		uint32_t i = t->asks_nth[n];
		enum ask ask = (enum ask)t->party[i].ask;

		t->party[i].ask = NO_ASK;
		if (ask == ASKS_TO_TAKE)
			transaction_take(t, i);
		else if (ask == ASKS_TO_LEAVE)
			transaction_leave(t, i);
	}
}

/* --- whole transactions ------------------------------------------------------------------ */

/* TAKE, LEAVE or APPLY of a party. */
static inline void transaction_do(struct transaction *t, enum op op, uint32_t i)
{
	transaction_apply(t);
	if (op == TAKE)
		transaction_take(t, i);
	else if (op == LEAVE)
		transaction_leave(t, i);
}

/* One is dead: what it has is given back; what it announced comes to nothing. */
static inline void transaction_reap(struct transaction *t, uint32_t i)
{
	t->recovered += t->party[i].phase == HOLDS;
	t->party[i].ask = NO_ASK;
	transaction_leave(t, i);
}

/* Another k; or the same: whoever could be in, and was not read before. */
static inline void transaction_resize(struct transaction *t, uint32_t k)
{
	t->w.k = k;
	transaction_serve(t);
}

#endif
