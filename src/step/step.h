/* SPDX-License-Identifier: MIT */
/*
 * step - the contract between an algorithm and whoever runs it.
 *
 * An algorithm never touches memory; it asks.  It is pure functions over the
 * values below: access() says which register the process wants to use next
 * and how, step() says what becomes of the process and of the register once
 * the value met there is known.  A driver (verifier, replay, src/drive on shared
 * memory) performs the access.  One program counter = one shared access = one
 * point of interleaving; because step() is pure, a lost race calls it again.
 *
 * Everything here is passed by value and holds no pointer, no padding and no
 * enum, so that two states are equal iff their bytes are.
 */
#ifndef WICKET_STEP_H
#define WICKET_STEP_H

#include <stdint.h>

#include "step/claim.h"

enum {
	WICKET_WORDS = 4,   /* 64-bit words of the widest register */
	WICKET_LOCALS = 19, /* 64-bit words of a process's own memory */
	WICKET_PROCS_MAX =
		16, /* processes, helpers such as a supervisor included */
	WICKET_REGS_MAX = 80,
};

/* What a register holds: one word, two changed together, or a whole queue. */
struct wicket_value {
	uint64_t w[WICKET_WORDS];
};

/*
 * A process between two steps.  self is its number, from 1, or 0 in an
 * algorithm whose processes need not know who they are: processes that start
 * in equal states are the same process to a driver.  outer is the program
 * counter of an algorithm built on this one (bank:NAME).  Memory that can
 * never be read again is cleared, so that counting states means something.
 */
struct wicket_proc {
	uint16_t pc;
	uint16_t outer;
	uint32_t self;
	uint64_t local[WICKET_LOCALS];
};

enum wicket_kind {
	WICKET_REST,  /* nothing, ever again */
	WICKET_LOAD,  /* read the register */
	WICKET_STORE, /* write it unseen */
	WICKET_RMW,   /* one atomic action: read and rewrite it whole */
	WICKET_CAS,   /* write it if it holds what is expected */
	WICKET_AWAIT, /* read it; a step that changes nothing may sleep until
			   the register changes */
	WICKET_SLEEP, /* as futex_waitv: while the register holds what is
			   expected, and those watched hold alive in their first
			   words, sleep until one of them is woken; else go on
			   at once */
	WICKET_FENCE, /* touches no register: what was stored before it reaches
			 memory before what comes after it is done */
};

/*
 * How an access is ordered with the others of its process: what a driver on
 * real memory asks of the compiler and the processor.  Memory that is
 * sequentially consistent keeps all of them in order.  On x86-64 a plain mov
 * does for the first four, and a STORE of it may wait in the processor while
 * what comes after it is done; a SEQ_CST store is an xchg, which waits for
 * memory, and so does whatever is LOCKED: every RMW and CAS, whatever they
 * say.
 */
enum wicket_order {
	WICKET_PLAIN, /* nothing more is said */
	WICKET_RELAXED,
	WICKET_ACQUIRE, /* not of a STORE */
	WICKET_RELEASE, /* not of a LOAD */
	WICKET_SEQ_CST,
	WICKET_LOCKED, /* of RMW and CAS only */
};

/* What can happen to a process, other than that it takes its next step. */
enum wicket_event {
	WICKET_FAIL,	/* it dies, and whoever must know is told */
	WICKET_ABANDON, /* it no longer wants what it is waiting for */
};

struct wicket_access {
	uint8_t kind;  /* enum wicket_kind */
	uint8_t order; /* enum wicket_order */
	uint8_t words; /* how many CAS and SLEEP compare; 0: all */
	uint8_t part;  /* LOAD and STORE only: the set of words that they
			  touch, the others are 0 or remain; 0: all */
	uint32_t reg;
	struct wicket_value expect; /* CAS and SLEEP only */
	uint64_t watch, alive;	    /* SLEEP only: a set of registers */
};

/*
 * What a step leaves behind.  put is stored by STORE and RMW, and by CAS if
 * the value met was the expected one; LOAD, AWAIT and FENCE ignore it.  Then up to
 * wakes processes asleep on register wake, or watching it, are woken: the verifier
 * takes those with the lowest numbers.  (src/drive watches nothing: who dies
 * there is not waited for.)
 */
struct wicket_result {
	struct wicket_proc proc;
	struct wicket_value put;
	uint32_t wake;
	uint32_t wakes;
};

_Static_assert(sizeof(struct wicket_value) == 8 * WICKET_WORDS, "padding");
_Static_assert(sizeof(struct wicket_proc) == 8 + 8 * WICKET_LOCALS, "padding");
_Static_assert(sizeof(struct wicket_access) == 24 + 8 * WICKET_WORDS,
	       "padding");
_Static_assert(sizeof(struct wicket_result) ==
		       16 + 8 * WICKET_LOCALS + 8 * WICKET_WORDS,
	       "padding");

/* The papers' R, T, C, E, in the order in which a process passes through them.  In
   the trying and the exit region (the odd ones) it keeps taking steps; in the
   other two it may stay as long as it likes. */
enum wicket_region {
	WICKET_REMAINDER,
	WICKET_TRYING,
	WICKET_CRITICAL,
	WICKET_EXIT,
};

/* A register as it is before the first step. */
struct wicket_register {
	struct wicket_value start;
	uint64_t range; /* its type is 0..range-1; 0: not a plain number */
	uint32_t owner; /* the one process that may write it; 0: anyone */
};

/*
 * Which system: n processes, k slots, robustness r, the variant and the
 * planted bug (0: none; else 1 + position in the algorithm's tables), and for
 * an algorithm built from another one, which.
 */
struct wicket_cfg {
	uint32_t n, k, r;
	uint32_t variant, mutant;
	uint32_t inner_variant;
	const struct wicket_algo *inner;
	uint32_t seats, laps; /* of a line: its seats; how often each process
				 comes (0: once) */
	uint32_t cap; /* of numbers that grow: the greatest to be explored
			 (0: see wicket_cap) */
};

/* Text for people, without libc: shared values in the paper's notation. */
struct wicket_text {
	uint32_t length;
	char s[252];
};

/* A name and what it stands for; tables of them end with a null name. */
struct wicket_named {
	const char *name;
	const char *says;
};

/* A planted bug, and the variant (1 + position, 0: none) it is planted in. */
#define WICKET_ANY_VARIANT UINT32_MAX

struct wicket_mutant {
	const char *name;
	const char *says;
	uint32_t variant;
};

/* Is it built from another algorithm, cfg.inner, and from which? */
enum wicket_composite {
	WICKET_OF_NONE,
	WICKET_OF_ANY,	      /* NAME:INNER */
	WICKET_OF_SUPERVISED, /* NAME:INNER, where INNER has a supervisor */
	WICKET_OF_ITS_OWN,    /* its paper says which; the registry knows */
};

/*
 * What a system with a supervisor tells of itself, so that he can be eliminated:
 * FLBB 1979, section 4, (R1) to (R8).  A helper may be asked to keep and update his
 * state, a quitter is ceasing to, a drone has nothing to do with it.
 */
enum wicket_eligibility { WICKET_HELPER, WICKET_QUITTER, WICKET_DRONE };

struct wicket_simulatable {
	/* (R2): by what a worker knows, and the shared variable */
	enum wicket_eligibility (*elig)(const struct wicket_cfg *,
					struct wicket_proc worker,
					struct wicket_value);
	/* (R5): how many workers are in T, by what the supervisor knows */
	uint32_t (*active)(const struct wicket_cfg *,
			   struct wicket_proc supervisor, struct wicket_value);
	/* (R6): if more than these are in T, at least 2r-1 are helpers; and
	   what the paper prints for it, may be null: the same */
	uint32_t (*c1)(const struct wicket_cfg *);
	uint32_t (*printed_c1)(const struct wicket_cfg *);
	/* (R7), (R8): c2 and c3 are at most these, whatever n is */
	uint32_t (*c2)(const struct wicket_cfg *);
	uint32_t (*c3)(const struct wicket_cfg *);
	/* (R8): what tells the state that he goes on to, seeing this value, from
	   the others that he may go on to, below 256; and that state */
	uint32_t (*transno)(const struct wicket_cfg *,
			    struct wicket_proc supervisor, struct wicket_value);
	struct wicket_proc (*newstate)(const struct wicket_cfg *,
				       struct wicket_proc supervisor,
				       uint32_t number);
	/* His state in so many bits, at most 64; the rest of the word is 0. */
	uint32_t (*length)(const struct wicket_cfg *);
	uint64_t (*pack)(const struct wicket_cfg *,
			 struct wicket_proc supervisor);
	struct wicket_proc (*unpack)(const struct wicket_cfg *, uint64_t);
};

/*
 * An algorithm.  Every function is pure: the result depends on the arguments
 * and on nothing else.  Those marked "may be null" are optional.
 */
struct wicket_algo {
	const char *name;
	const char *title;
	const char *source;
	const struct wicket_named *variants;   /* may be null */
	const struct wicket_mutant *mutants;   /* may be null */
	const struct wicket_named *invariants; /* may be null */
	uint32_t discusses; /* enum wicket_claim: what its paper discusses */
	uint32_t solves;    /* those of them that it claims to satisfy */
	uint32_t composite; /* enum wicket_composite */
	uint32_t has_seats; /* has seats and laps */
	uint32_t own_table; /* has a table of sizes of its own in tests: the
			       tables of all leave it out */
	uint32_t heavy;	    /* has so many states that tables and tests have
			       this many processes less */
	struct wicket_named helper; /* what schedules call its helper, if it
				       has one, and what that is */

	/* Why there is no such system, or null if there is; may be null.
	   0 < k < n has been seen to already. */
	const char *(*refuse)(const struct wicket_cfg *);
	/* How many processes; may be null: n.  Those after the n-th are
	   helpers (a supervisor, a server), who have no region. */
	uint32_t (*processes)(const struct wicket_cfg *);
	uint32_t (*registers)(const struct wicket_cfg *);
	struct wicket_register (*reg)(const struct wicket_cfg *, uint32_t r);
	/* Process i = 1, 2, ... before its first step. */
	struct wicket_proc (*start)(const struct wicket_cfg *, uint32_t i);
	enum wicket_region (*region)(const struct wicket_cfg *,
				     struct wicket_proc);
	/* How many of the k slots a process in C has; may be null: one, and
	   k < n. */
	uint32_t (*units)(const struct wicket_cfg *, struct wicket_proc);
	struct wicket_access (*access)(const struct wicket_cfg *,
				       struct wicket_proc);
	struct wicket_result (*step)(const struct wicket_cfg *,
				     struct wicket_proc,
				     struct wicket_value seen);
	/*
	 * The process as the event leaves it, about to take the access that
	 * goes with it; unchanged if the event cannot happen.  May be null.
	 */
	struct wicket_proc (*event)(const struct wicket_cfg *,
				    struct wicket_proc, enum wicket_event);
	/* Of a system with a supervisor; may be null. */
	const struct wicket_simulatable *simulatable;
	/* Of one made from such a system, cfg.inner: the shared value and the
	   processes of that, the supervisor last.  May be null. */
	void (*original)(const struct wicket_cfg *,
			 const struct wicket_value *regs,
			 const struct wicket_proc *procs,
			 struct wicket_value *v, struct wicket_proc *originals);
	/*
	 * Points from which on its wait may be counted, other than leaving R:
	 * has the process passed the i-th of the table?  May be null.
	 */
	const struct wicket_named *points;
	int (*passed)(const struct wicket_cfg *, struct wicket_proc,
		      uint32_t i);
	/*
	 * If register 0 grows without bound: the canonical process and value
	 * of an exact quotient (a bisimulation that keeps regions).  The value
	 * must not depend on the process.  May be null; wicket_has_quotient
	 * tells whether to call it.
	 */
	struct wicket_result (*quotient)(const struct wicket_cfg *,
					 struct wicket_proc,
					 struct wicket_value);
	/*
	 * If registers grow without bound and there is no quotient: does this
	 * one hold a number above wicket_cap?  And adds to all numbers above 1
	 * in registers and processes: steps may compare numbers and add 1, so
	 * that raising them all changes nothing, but for the step that makes a
	 * 2 of a 1.  Both may be null.
	 */
	int (*beyond)(const struct wicket_cfg *, struct wicket_value);
	void (*raise)(const struct wicket_cfg *, struct wicket_value *regs,
		      struct wicket_proc *procs, uint64_t by);
	/* Does the i-th labelled invariant hold in this state?  May be null. */
	int (*holds)(const struct wicket_cfg *, uint32_t i,
		     const struct wicket_value *regs,
		     const struct wicket_proc *procs);
	/* Has somebody died whom nobody has noticed yet, though a look would
	   show it?  May be null. */
	int (*unnoticed)(const struct wicket_cfg *,
			 const struct wicket_value *regs,
			 const struct wicket_proc *procs);
	/* How many are to be let in, if all have left?  May be null: k. */
	uint32_t (*room)(const struct wicket_cfg *,
			 const struct wicket_value *regs);
	/* The paper's bound on the number of shared values; 0, or null:
	   unbounded, or more than 2^63. */
	uint64_t (*bound)(const struct wicket_cfg *);
	/* A lesser one, which its invariants give; may be null. */
	uint64_t (*sharper)(const struct wicket_cfg *);
	/* Bits of the fields of register r, for any n and k, as the file lays
	   them out; may be null: as many as its range needs. */
	uint32_t (*bits)(const struct wicket_cfg *, uint32_t r);
	/* The step that p takes next, in a word or two, and its memory. */
	void (*show_step)(const struct wicket_cfg *, struct wicket_proc p,
			  struct wicket_text *);
	/* All registers, in the paper's notation. */
	void (*show)(const struct wicket_cfg *, const struct wicket_value *regs,
		     struct wicket_text *);
};

static inline struct wicket_access wicket_ask(enum wicket_kind kind,
					      uint32_t reg)
{
	return (struct wicket_access){ .kind = (uint8_t)kind, .reg = reg };
}

/* Bits for the numbers 0..count-1. */
static inline uint32_t wicket_bits(uint64_t count)
{
	return count > 1 ? 64 - (uint32_t)__builtin_clzll(count - 1) : 0;
}

/* A plain number in a register. */
static inline struct wicket_value wicket_number(uint64_t x)
{
	return (struct wicket_value){ { x } };
}

/* Does the register hold what the access expects? */
static inline int wicket_is_expected(const struct wicket_access *access,
				     struct wicket_value v)
{
	uint32_t words = access->words ? access->words : WICKET_WORDS;
	uint64_t differ = 0;

	for (uint32_t i = 0; i < words; i++)
		differ |= v.w[i] ^ access->expect.w[i];
	return !differ;
}

/* Does the access touch this word of its register? */
static inline int wicket_touches(const struct wicket_access *access,
				 uint32_t word)
{
	return !access->part || access->part >> word & 1;
}

/* What a LOAD sees of a register that holds v. */
static inline struct wicket_value
wicket_part(const struct wicket_access *access, struct wicket_value v)
{
	for (uint32_t i = 0; i < WICKET_WORDS; i++) {
		if (!wicket_touches(access, i))
			v.w[i] = 0;
	}
	return v;
}

/* What is in a register that held v after a STORE of put. */
static inline struct wicket_value
wicket_merged(const struct wicket_access *access, struct wicket_value v,
	      struct wicket_value put)
{
	for (uint32_t i = 0; i < WICKET_WORDS; i++) {
		if (wicket_touches(access, i))
			v.w[i] = put.w[i];
	}
	return v;
}

static inline int wicket_value_equal(struct wicket_value a,
				     struct wicket_value b)
{
	uint64_t differ = 0;

	for (int i = 0; i < WICKET_WORDS; i++)
		differ |= a.w[i] ^ b.w[i];
	return !differ;
}

/* An algorithm built from another one needs a quotient if that one does. */
static inline int wicket_has_quotient(const struct wicket_algo *algo,
				      const struct wicket_cfg *cfg)
{
	return algo->quotient && (!cfg->inner || cfg->inner->quotient);
}

/* The size of the system from which a supervisor was eliminated. */
static inline struct wicket_cfg wicket_original(const struct wicket_cfg *cfg)
{
	return (struct wicket_cfg){
		.n = cfg->n,
		.k = cfg->k,
		.r = cfg->r,
		.variant = cfg->inner_variant,
	};
}

/* Numbers that grow are explored up to this one. */
static inline uint64_t wicket_cap(const struct wicket_cfg *cfg)
{
	return cfg->cap ? cfg->cap : 2 * cfg->n;
}

static inline int wicket_is_beyond(const struct wicket_algo *algo,
				   const struct wicket_cfg *cfg,
				   struct wicket_value v)
{
	return algo->beyond && algo->beyond(cfg, v);
}

/* The processes of a system, helpers included. */
static inline uint32_t wicket_processes(const struct wicket_algo *algo,
					const struct wicket_cfg *cfg)
{
	return algo->processes ? algo->processes(cfg) : cfg->n;
}

#endif
