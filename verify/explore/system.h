/* SPDX-License-Identifier: MIT */
/*
 * system - an algorithm with n and k, its states as vectors of small numbers.
 *
 * Every distinct content of a register and every distinct state of a process
 * gets a number when it is first met, so that a state of the whole is a short
 * vector of numbers.  A step depends only on the process and on the register
 * that it uses (algorithms are pure), so each pair is computed once and then
 * looked up.  Processes that start equal share their numbering.
 *
 * If memory has buffers, that of each process is a part of the state, too; the
 * empty one is number 0.
 *
 * Processes that start equal never learn who they are, so a state in which two of
 * them have changed places is as good as the other one: system_sort() makes of
 * both the same.
 */
#ifndef VERIFY_SYSTEM_H
#define VERIFY_SYSTEM_H

#include "verify/explore/actor.h"
#include "verify/explore/pool.h"

enum { SYSTEM_PARTS_MAX = WICKET_REGS_MAX + 2 * WICKET_PROCS_MAX };

/* A deed: the actor becomes number actor, the register (or, of a store that
   enters it, the buffer) number value. */
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
	uint8_t enters, views; /* sets of enum deed, by their path */
	uint64_t watch, alive; /* of who sleeps: see struct wicket_access */
	uint32_t reg[ACTOR_DEEDS];
	uint32_t known[ACTOR_DEEDS]; /* entries of next that are initialised */
	/* struct move, by the number of the register or, of what enters it, of
	   the buffer */
	struct store next[ACTOR_DEEDS];
};

/* What is remembered of one buffer that is not empty. */
struct drain {
	uint32_t rest; /* its number without the oldest store */
};

struct system {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	struct world world;
	uint32_t regs, procs;
	uint32_t parts; /* registers, actors, and buffers if there are any */
	bool quotient;
	bool symmetric;	  /* are states sorted? */
	bool buffer_full; /* has anybody had to wait for room in a buffer? */
	uint32_t pools, kinds;		     /* kinds: pools of actors */
	bool helper[SYSTEM_PARTS_MAX];	     /* by pool: who has no region */
	uint32_t first[SYSTEM_PARTS_MAX];    /* by pool: its processes, from */
	uint32_t last[SYSTEM_PARTS_MAX];     /* 1: the first, and the last */
	struct pool pool[SYSTEM_PARTS_MAX];  /* registers, actors, buffers */
	struct store memo[SYSTEM_PARTS_MAX]; /* struct memo, by actor; struct
						drain, by buffer */
	uint32_t pool_of[SYSTEM_PARTS_MAX];  /* by part of the state */
	uint32_t peer[WICKET_PROCS_MAX];     /* by process: 1 + the one of its
						kind before it, or 0 */
	struct budget *budget;
};

/* False: out of memory. */
bool system_start(struct system *s, const struct wicket_algo *algo,
		  const struct wicket_cfg *cfg, const struct world *world,
		  struct budget *budget);
void system_free(struct system *s);

/* The initial state, as numbers; false: out of memory. */
bool system_initial(struct system *s, uint32_t *state);

enum walk_end {
	WALK_DONE,
	WALK_STOPPED,  /* take returned false */
	WALK_UNKNOWN,  /* something is not known yet */
	WALK_UNSORTED, /* who is woken depends on who is which */
};

/*
 * Calls take for every successor of state, in a fixed order, until it returns
 * false or something is not known that system_learn would find out.  Changes
 * nothing: several threads may do it at once.
 */
enum walk_end system_successors(const struct system *s, const uint32_t *state,
				bool (*take)(void *context,
					     const uint32_t *next,
					     uint16_t label),
				void *context);

/* Finds out all that is to be known about the successors of state, in the same
   order, so that numbers do not depend on who asks when.  False: out of memory. */
bool system_learn(struct system *s, const uint32_t *state);

/* Puts the processes of each kind in order. */
void system_sort(const struct system *s, uint32_t *state);

/* How many states become this one, which is sorted, by sorting. */
uint64_t system_orbit(const struct system *s, const uint32_t *state);

/* 2 bits a process: enum wicket_region, process i at bit 2i. */
uint32_t system_regions(const struct system *s, const uint32_t *state);

/* How many of these are in a region. */
static inline uint32_t system_count(const struct system *s, uint32_t regions,
				    enum wicket_region region)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->cfg.n; i++)
		count += (regions >> 2 * i & 3) == region;
	return count;
}

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

/* Has memory buffers, and which part of a state is that of process i? */
static inline bool system_has_buffers(const struct system *s)
{
	return s->world.memory == MEMORY_TSO;
}

static inline uint32_t system_buffer_part(const struct system *s, uint32_t i)
{
	return s->regs + s->procs + i;
}

/* The set of processes whose buffers are empty in a state. */
uint32_t system_drained(const struct system *s, const uint32_t *state);

/* Has any store ever been in a buffer? */
bool system_has_buffered(const struct system *s);

void system_buffers(const struct system *s, const uint32_t *state,
		    struct buffer *buffers);

/* The values behind the numbers. */
void system_values(const struct system *s, const uint32_t *state,
		   struct wicket_value *regs, struct actor *actors);

#endif
