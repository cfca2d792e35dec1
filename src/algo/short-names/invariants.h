/* SPDX-License-Identifier: MIT */
/* invariants - N1 to N5 (lists.h, and doc/short-names.md). */
#ifndef WICKET_SHORT_NAMES_INVARIANTS_H
#define WICKET_SHORT_NAMES_INVARIANTS_H

#include "algo/short-names/process.h"

struct world {
	const struct wicket_cfg *c;
	struct office o;
	struct own own;
	const struct wicket_proc *procs; /* the supervisor is the last */
};

static inline int has_ticket(const struct world *w, uint32_t i)
{
	return w->procs[i].pc != ENTER;
}

/* How many processes an entry is the name of. */
static inline uint32_t owners_of(const struct world *w, struct entry e)
{
	uint32_t owners = 0;

	for (uint32_t i = 0; i < w->c->n; i++)
		owners += has_ticket(w, i) &&
			  names(w->c, e, held(w->c, w->procs[i]));
	return owners;
}

static inline int is_named(const struct world *w) /* N1 */
{
	uint32_t inside = 0;

	for (uint32_t e = 0; e < w->o.length; e++) {
		uint32_t owners = w->o.exposed[e].colour != NONE;

		if (owners_of(w, w->o.exposed[e]) != owners)
			return 0;
	}
	for (uint32_t i = 0; i < w->c->n; i++) {
		if (w->procs[i].pc != LEAVE)
			continue;
		inside++;
		if (place(w->c, &w->o, w->procs[i]) >= w->c->k)
			return 0;
	}
	return inside == w->o.inside;
}

/* Who has just been renamed may not be in hidden yet by the new name. */
static inline int is_known(const struct world *w, struct ticket t)
{
	int in_round = w->procs[w->c->n].pc == CONVERSE;
	int renamed = in_round &&
		      (t.colour == w->own.one || t.colour == w->own.two);
	int uncounted = t.colour == w->o.issue && t.number >= w->own.counted &&
			t.number < w->o.issued;

	return renamed || uncounted ||
	       (w->own.length &&
		is_same(w->own.hidden[index_of(&w->own, t)], t));
}

static inline int are_known(const struct world *w) /* N2 */
{
	uint32_t hidden = 0;

	for (uint32_t i = 0; i < w->c->n; i++) {
		if (!has_ticket(w, i) ||
		    place(w->c, &w->o, w->procs[i]) < w->o.length)
			continue;
		hidden++;
		if (!is_known(w, held(w->c, w->procs[i])))
			return 0;
	}
	return hidden == all_hidden(&w->o, &w->own);
}

static inline int is_full(const struct world *w) /* N3 */
{
	return !all_hidden(&w->o, &w->own) || w->o.length == exposed_max(w->c);
}

static inline uint32_t holders_of(const struct world *w, uint32_t colour)
{
	uint32_t holders = 0;

	for (uint32_t i = 0; i < w->c->n; i++)
		holders += has_ticket(w, i) &&
			   held(w->c, w->procs[i]).colour == colour;
	return holders;
}

static inline int are_few(const struct world *w) /* N4 */
{
	uint32_t exposed = exposed_colours(&w->o);

	for (uint32_t colour = 0; colour < colours(w->c); colour++) {
		if (is_in(exposed, colour) &&
		    (holders_of(w, colour) > few(w->c) || colour == w->o.issue))
			return 0;
	}
	return 1;
}

/* Who holds the issue colour got it when it was issued. */
static inline int is_issue_new(const struct world *w)
{
	for (uint32_t i = 0; i < w->c->n; i++) {
		struct ticket t = held(w->c, w->procs[i]);

		if (has_ticket(w, i) && t.colour == w->o.issue &&
		    t.number >= w->o.issued)
			return 0;
	}
	return 1;
}

/* Nobody has one yet when he is about to choose two; and neither is among the colours
   that were in use when the others were asked: all hidden ones but those exposed and
   issue are. */
static inline int are_new(const struct world *w) /* N5 */
{
	uint32_t pc = w->procs[w->c->n].pc;
	uint32_t others = exposed_colours(&w->o) | w->o.asked |
			  just(w->o.issue);

	if (pc == SECOND &&
	    (w->own.one == w->o.issue || holders_of(w, w->own.one)))
		return 0;
	if (pc == CONVERSE && (w->own.one == w->own.two ||
			       others & (just(w->own.one) | just(w->own.two))))
		return 0;
	return is_issue_new(w);
}

static inline int holds(const struct wicket_cfg *c, uint32_t i,
			const struct wicket_value *regs,
			const struct wicket_proc *procs)
{
	struct world w = { c, unpack(c, regs[0]), own_of(c, procs[c->n]),
			   procs };

	switch (i) {
	case N1:
		return is_named(&w);
	case N2:
		return are_known(&w);
	case N3:
		return is_full(&w);
	case N4:
		return are_few(&w);
	default: /* N5 */
		return are_new(&w);
	}
}

#endif
