/* SPDX-License-Identifier: MIT */
/*
 * supervisor - what systems with a supervisor share: n workers, of which fewer than r
 * may fail, and after them the supervisor, who never does.
 *
 * Source   FLBB 1979, section 4.
 */
#ifndef WICKET_SUPERVISOR_H
#define WICKET_SUPERVISOR_H

#include "algo/algo.h"

enum { WORKERS_MAX = WICKET_PROCS_MAX - 1 };

/* max(1, r-1): as many as may fail, but at least one. */
static inline uint32_t supervisor_few(const struct wicket_cfg *c)
{
	return c->r > 2 ? c->r - 1 : 1;
}

/* Process i: a worker, or he, at the first of his program counters. */
static inline struct wicket_proc supervisor_start(const struct wicket_cfg *c,
						  uint32_t i, uint16_t first)
{
	return (struct wicket_proc){ .pc = i <= c->n ? WICKET_FROM_R : first };
}

/* His state in one word, for Lemma 4.3: his program counter, in so many bits, and
   what he keeps, which must fit the rest. */
static inline uint64_t supervisor_pack(struct wicket_proc p, uint16_t first,
				       uint32_t pc_bits)
{
	return p.local[0] << pc_bits | (uint64_t)(p.pc - first);
}

static inline struct wicket_proc supervisor_unpack(uint64_t x, uint16_t first,
						   uint32_t pc_bits)
{
	uint64_t pc = x & (((uint64_t)1 << pc_bits) - 1);

	return (struct wicket_proc){ .pc = (uint16_t)(first + pc),
				     .local = { x >> pc_bits } };
}

#endif
