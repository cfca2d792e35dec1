/* SPDX-License-Identifier: MIT */
/* invariants - K1 to K6 (lists.h, and the head of cluster.c). */
#ifndef WICKET_CLUSTER_INVARIANTS_H
#define WICKET_CLUSTER_INVARIANTS_H

#include "algo/cluster/store.h"

static inline int is_counted(const struct wicket_cfg *c, const struct world *x)
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

/* Nearsighted: who was not read may wait for the first in line to look. */
static inline int is_served(const struct wicket_cfg *c, const struct world *x)
{
	struct rules_request r;
	struct transaction t;
	struct party *first;
	int64_t spare, open;

	read_store(c, x, c->n, &t);
	first = transaction_first(&t);
	open = (int64_t)t.w.k - t.w.taken;
	spare = (int64_t)rules_number(&t.w, t.w.valid);
	if (!first)
		return spare - (int64_t)rules_number(&t.w, t.w.issue) ==
		       (open > 0 ? open : 0);
	r = rules_request_of(&t.w, first->last, first->units);
	spare -= (int64_t)rules_number(&t.w, r.before);
	if (spare < 0 || spare >= r.units)
		return 0;
	if (c->variant == NEARSIGHTED)
		return spare <= open && (!x->looked || open < r.units);
	return spare >= open;
}

static inline int holds(const struct wicket_cfg *c, uint32_t label,
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

#endif
