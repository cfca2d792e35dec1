/* SPDX-License-Identifier: MIT */
/*
 * system - an algorithm with n and k, its states as vectors of small numbers.
 *
 * Every distinct content of a register and every distinct state of a process
 * gets a number when it is first met, so that a state of the whole is a short
 * vector of numbers.  A step depends only on the process and on the register
 * that it uses (algorithms are pure), so each pair is computed once and then
 * looked up.  Processes that start equal share their numbering.
 */
#ifndef VERIFY_SYSTEM_H
#define VERIFY_SYSTEM_H

#include "verify/explore/actor.h"
#include "verify/explore/pool.h"

enum { SYSTEM_PARTS_MAX = WICKET_REGS_MAX + WICKET_PROCS_MAX };

/* A deed: the actor becomes number actor, the register number value. */
struct move {
	uint32_t actor, value;
	uint32_t wake;	/* the register whose sleepers wake */
	uint32_t wakes; /* how many of them */
};

/* What is remembered of one actor. */
struct memo {
	uint8_t can;	/* set of enum deed */
	uint8_t region; /* enum wicket_region */
	uint8_t mode;	/* enum actor_mode */
	uint8_t abandons;
	bool reads;	       /* its step only reads ... */
	uint64_t watch, alive; /* of who sleeps: see struct wicket_access */
	uint32_t reg[DEEDS];
	uint32_t known[DEEDS];	  /* entries of next that are initialised */
	struct store next[DEEDS]; /* by register number: struct move */
};

struct system {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	struct world world;
	uint32_t regs, procs, parts; /* parts = regs + procs */
	bool quotient;
	uint32_t pools;
	bool helper[SYSTEM_PARTS_MAX];	     /* by pool: who has no region */
	uint32_t first[SYSTEM_PARTS_MAX];    /* by pool: its processes, from */
	uint32_t last[SYSTEM_PARTS_MAX];     /* 1: the first, and the last */
	struct pool pool[SYSTEM_PARTS_MAX];  /* registers, then actors */
	struct store memo[SYSTEM_PARTS_MAX]; /* struct memo, by actor */
	uint32_t pool_of[SYSTEM_PARTS_MAX];  /* by part of the state */
	struct budget *budget;
};

/* False: out of memory. */
bool system_start(struct system *s, const struct wicket_algo *algo,
		  const struct wicket_cfg *cfg, const struct world *world,
		  struct budget *budget);
void system_free(struct system *s);

/* The initial state, as numbers; false: out of memory. */
bool system_initial(struct system *s, uint32_t *state);

/*
 * Calls take for every successor of state, in a fixed order; stops when it
 * returns false.  False: it did, or there is no memory.
 */
bool system_successors(struct system *s, const uint32_t *state,
		       bool (*take)(void *context, const uint32_t *next,
				    uint16_t label),
		       void *context);

/* 2 bits a process: enum wicket_region, process i at bit 2i. */
uint32_t system_regions(const struct system *s, const uint32_t *state);

static inline struct memo *system_memo_of(const struct system *s, uint32_t pool,
					  uint32_t number)
{
	return (struct memo *)s->memo[pool].base + number;
}

/* What is known of process i (from 0) in this state. */
static inline const struct memo *system_memo(const struct system *s,
					     const uint32_t *state, uint32_t i)
{
	uint32_t part = s->regs + i;

	return system_memo_of(s, s->pool_of[part], state[part]);
}

/* The values behind the numbers. */
void system_values(const struct system *s, const uint32_t *state,
		   struct wicket_value *regs, struct actor *actors);

#endif
