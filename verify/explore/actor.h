/* SPDX-License-Identifier: MIT */
/*
 * actor - a process in its world: what it can do next, and what comes of it.
 *
 * The world says what the registers are like (atomic, or safe: a write has a
 * beginning and an end, and who reads between them may see anything), what
 * sleep is like, and what the adversary may do.  Runs and the explorer both
 * take every step through actor_do().
 */
#ifndef VERIFY_ACTOR_H
#define VERIFY_ACTOR_H

#include <stdbool.h>

#include "step/step.h"

enum sleep {
	SLEEP_GENEROUS, /* may wake at any time: sleeping is looking again */
	SLEEP_EXACT,	/* wakes when it is woken */
	SLEEP_TIMED,	/* when it is woken, or when its time is up */
	SLEEPS,
};

extern const char *const sleep_names[SLEEPS];
/* False: none of them. */
bool sleep_find(const char *name, uint32_t *sleep);

struct world {
	bool safe;
	bool mid_write; /* a process may stop for ever between the two */
	bool failures;	/* announced: any number, each followed by a restart */
	uint32_t crashes;  /* how many may stop for ever */
	uint32_t abandons; /* how often somebody may give up waiting */
	uint32_t sleep;	   /* enum sleep */
};

/* Beside the process: how it is, and how often it has given up. */
enum actor_mode {
	ACTOR_WRITING = 1, /* between beginning and end of a safe write */
	ACTOR_ASLEEP = 2,
	ACTOR_WOKEN = 4, /* its sleep is over, it has not yet gone on */
	ACTOR_DEAD = 8,
};

struct actor {
	struct wicket_proc proc;
	uint32_t mode;
	uint32_t abandons;
};

_Static_assert(sizeof(struct actor) == sizeof(struct wicket_proc) + 8,
	       "padding");

/* The kinds of things that happen, one edge of the graph each. */
enum deed {
	DEED_STEP,
	DEED_TIMEOUT,
	DEED_FAIL,
	DEED_ABANDON,
	DEEDS,
};

/*
 * Who did what, in 16 bits: the process (from 0), the deed, and for a read of
 * a register that is being written, 1 + the number that it happened to see.
 */
enum { DEED_RANGE_MAX = 255 }; /* of a register of which that can be told */

static inline uint16_t deed_label(uint32_t who, enum deed deed, uint32_t saw)
{
	return (uint16_t)(who | (uint32_t)deed << 5 | saw << 8);
}

static inline uint32_t deed_who(uint16_t label)
{
	return label & 31;
}

static inline enum deed deed_kind(uint16_t label)
{
	return label >> 5 & 7;
}

static inline uint32_t deed_saw(uint16_t label)
{
	return label >> 8;
}

/* Is this deed open to the actor, as far as it alone is concerned? */
bool actor_can(const struct wicket_algo *algo, const struct wicket_cfg *cfg,
	       const struct world *world, const struct actor *a,
	       enum deed deed);

/* Where it is: who has begun to write has left R or C. */
enum wicket_region actor_region(const struct wicket_algo *algo,
				const struct wicket_cfg *cfg,
				const struct actor *a);

/* The access that goes with the deed. */
struct wicket_access actor_access(const struct wicket_algo *algo,
				  const struct wicket_cfg *cfg,
				  const struct actor *a, enum deed deed);

/* Does the access only look, so that an overlapping write can mislead it? */
static inline bool access_reads(const struct wicket_access *access)
{
	return access->kind == WICKET_LOAD || access->kind == WICKET_AWAIT;
}

/* Does it sleep on the register, or watch it? */
static inline bool access_sleeps_on(const struct wicket_access *access,
				    uint32_t reg)
{
	return access->reg == reg || access->watch >> reg & 1;
}

struct outcome {
	struct wicket_access access; /* by which it came */
	struct actor actor;
	struct wicket_value value; /* what the register holds then */
	uint32_t wake, wakes;
};

/* holds: what the register holds; seen: what the process sees of it. */
struct outcome actor_do(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg, const struct world *world,
			const struct actor *a, enum deed deed,
			struct wicket_value holds, struct wicket_value seen);

#endif
