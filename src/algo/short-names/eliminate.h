/* SPDX-License-Identifier: MIT */
/*
 * eliminate - what Lemma 4.3 asks of a system that is to do without its supervisor:
 * (R1) to (R7), and the length of his state.  (R8) is how his steps are written.
 */
#ifndef WICKET_SHORT_NAMES_ELIMINATE_H
#define WICKET_SHORT_NAMES_ELIMINATE_H

#include "algo/short-names/process.h"

/* (R1), (R2): who is a quitter is so by the mark, not by its place, to which it may
   have come by its own step. */
static inline enum wicket_eligibility elig(const struct wicket_cfg *c,
					   struct wicket_proc p,
					   struct wicket_value v)
{
	struct office o = unpack(c, v);
	uint32_t at = place(c, &o, p);

	if (p.pc != TRY || at < c->k)
		return WICKET_DRONE;
	return at == c->k && o.quitter ? WICKET_QUITTER : WICKET_HELPER;
}

/* (R5) */
static inline uint32_t active(const struct wicket_cfg *c, struct wicket_proc p,
			      struct wicket_value v)
{
	struct office o = unpack(c, v);
	struct own own = own_of(c, p);
	uint32_t sum = all_hidden(&o, &own) - o.inside;

	for (uint32_t i = 0; i < o.length; i++)
		sum += o.exposed[i].colour != NONE;
	return sum;
}

/* (R6): of more, k are drones, and one is a quitter. */
static inline uint32_t c1(const struct wicket_cfg *c)
{
	return c->k + 2 * c->r - 1;
}

/* (R7): while so few are in T, nobody is hidden: N3. */
static inline uint32_t c2(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

enum { PC_BITS = 2 };

static inline uint32_t length(const struct wicket_cfg *c)
{
	struct own own = { 0 };

	return PC_BITS + own_bits(c, &own).used;
}

static inline uint64_t pack_state(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	(void)c;
	return supervisor_pack(p, ADVANCE, PC_BITS);
}

static inline struct wicket_proc unpack_state(const struct wicket_cfg *c,
					      uint64_t x)
{
	(void)c;
	return supervisor_unpack(x, ADVANCE, PC_BITS);
}

#endif
