/* SPDX-License-Identifier: MIT */
/*
 * actor - a process in its world: what it can do next, and what comes of it.
 *
 * The world says what the registers are like (atomic, or safe: a write has a
 * beginning and an end, and who reads between them may see anything), what
 * memory and sleep are like, and what the adversary may do.  Runs and the
 * explorer both take every step through actor_do().
 */
#ifndef VERIFY_ACTOR_H
#define VERIFY_ACTOR_H

#include <stdbool.h>

#include "step/step.h"
#include "verify/explore/buffer.h"

enum sleep {
	SLEEP_GENEROUS, /* may wake at any time: sleeping is looking again */
	SLEEP_EXACT,	/* wakes when it is woken */
	SLEEP_TIMED,	/* when it is woken, or when its time is up */
	SLEEPS,
};

extern const char *const sleep_names[SLEEPS];
/* False: none of them. */
bool sleep_find(const char *name, uint32_t *sleep);

enum memory_model {
	MEMORY_SC,  /* sequentially consistent */
	MEMORY_TSO, /* total store order: buffer.h */
	MEMORIES,
};

extern const char *const memory_names[MEMORIES];
/* False: none of them. */
bool memory_find(const char *name, uint32_t *memory);

struct world {
	bool safe;
	bool mid_write; /* a process may stop for ever between the two */
	bool failures;	/* announced: any number, each followed by a restart */
	uint32_t crashes;  /* how many may stop for ever */
	uint32_t abandons; /* how often somebody may give up waiting */
	uint32_t sleep;	   /* enum sleep */
	uint32_t memory;   /* enum memory_model */
	uint32_t buffer;   /* room for so many stores; 0: the default */
};

static inline uint32_t world_buffer(const struct world *w)
{
	return w->buffer ? w->buffer : BUFFER_DEFAULT;
}

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
	ACTOR_DEEDS,		  /* those above are of the process itself */
	DEED_DRAIN = ACTOR_DEEDS, /* what it stored first reaches memory */
	DEEDS,
};

/*
 * Who did what, in 16 bits: who, the deed, and for a read of a register that
 * is being written, 1 + the number that it happened to see.  Processes count
 * from 0; their buffers follow, as actors of their own, which go on when the
 * process does not.
 */
enum {
	DEED_RANGE_MAX = 255, /* of a register of which that can be told */
	DEED_BUFFERS = 16,    /* the buffer of process 0 */
};

_Static_assert((int)WICKET_PROCS_MAX <= (int)DEED_BUFFERS, "labels");

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

/* Process i does this, or its buffer. */
static inline uint16_t deed_of(uint32_t i, enum deed deed)
{
	return deed_label(deed == DEED_DRAIN ? DEED_BUFFERS + i : i, deed, 0);
}

/* The process that does it, or whose buffer does. */
static inline uint32_t deed_process(uint16_t label)
{
	return deed_who(label) % DEED_BUFFERS;
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

/* How it gets to its register, if there is a buffer. */
enum path {
	PATH_MEMORY, /* only while the buffer is empty */
	PATH_BUFFER, /* a store, into the buffer; only while it is not full */
	PATH_VIEW,   /* a look, which finds own stores first */
};

/* wakes: how many it wakes, which takes the kernel. */
enum path access_path(const struct world *world,
		      const struct wicket_access *access, uint32_t wakes);

struct outcome {
	struct wicket_access access; /* by which it came */
	struct actor actor;
	struct wicket_value value; /* what the register holds then */
	uint32_t wake, wakes;
};

/*
 * holds: what the register holds; seen: what the process sees of it.  A store
 * that enters a buffer finds 0, and value is what enters.
 */
struct outcome actor_do(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg, const struct world *world,
			const struct actor *a, enum deed deed,
			struct wicket_value holds, struct wicket_value seen);

#endif
