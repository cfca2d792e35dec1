/* SPDX-License-Identifier: MIT */
/*
 * memory - the registers of an algorithm on memory that threads or processes
 * share.
 *
 * Narrow   a register that is a plain number: one atomic word.
 * Wide     any other: the word says which of its copies it is, VERSION:COPY.
 *          A copy is written while it is nobody's business, then made the
 *          current one by a compare-and-swap of the word.  Every process has
 *          two, of which one at most is current: the other is free.  A
 *          reader copies the value and then reads the word again: since the
 *          version only grows, an unchanged word did not change in between.
 *          Lock-free: whoever is killed has changed the register or has not,
 *          and costs nobody anything.
 * Dead     a register may die with its owner: from the moment at which the
 *          kernel marks the owner's robust mutex (FUTEX_OWNER_DIED), others
 *          read there what an announced failure leaves.  The mark is looked at
 *          before the word: a word seen after a look at a live owner was the
 *          register's at that look or later.
 */
#ifndef DRIVE_MEMORY_H
#define DRIVE_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "step/step.h"

enum { DRIVE_APART = 64 }; /* bytes: then two words share no cache line */

/* How accesses to narrow registers are ordered; those to wide ones, which
   would fall apart, at least acquire and release. */
enum drive_order { DRIVE_RELAXED, DRIVE_ACQREL, DRIVE_SEQ_CST };

struct drive_cell {
	_Alignas(DRIVE_APART) _Atomic uint64_t word;
	_Alignas(DRIVE_APART) _Atomic uint64_t
		copy[1 + 2 * WICKET_PROCS_MAX][WICKET_WORDS];
};

/* Held by a process as long as it lives. */
struct drive_life {
	_Alignas(DRIVE_APART) pthread_mutex_t held;
};

/* What a process changes to have a fence: a word that nobody else does. */
struct drive_fence {
	_Alignas(DRIVE_APART) _Atomic uint64_t word;
};

/* What is shared; starts as zeros. */
struct drive_shared {
	struct drive_cell cell[WICKET_REGS_MAX];
	struct drive_life life[WICKET_PROCS_MAX];
	struct drive_fence fence[WICKET_PROCS_MAX];
	/* who wanted what is no access, in the upper half, and to which
	   register; 0: nobody */
	_Atomic uint64_t breach;
};

/* What everybody knows of it. */
struct drive_memory {
	struct drive_shared *shared;
	enum drive_order order;
	bool wide[WICKET_REGS_MAX];
	/* with which process (from 1) the register dies; 0: with none */
	uint32_t dies[WICKET_REGS_MAX];
	struct wicket_value dead[WICKET_REGS_MAX]; /* what it then holds */
};

/* A register as it was seen: its value, and the word that says so. */
struct drive_seen {
	uint64_t word;
	struct wicket_value value;
};

/* Before anybody else sees it. */
void drive_memory_start(struct drive_memory *m, uint32_t reg,
			struct wicket_register as);

/* Processes count from 1. */
struct drive_seen drive_look(const struct drive_memory *m, uint32_t reg);
struct wicket_value drive_load(const struct drive_memory *m, uint32_t who,
			       uint32_t reg);
/* What the access, a STORE, says of it: words and order. */
void drive_store(const struct drive_memory *m, uint32_t who,
		 const struct wicket_access *access, struct wicket_value put);
/* Whatever process who stored before is in memory before what it does next. */
void drive_fence(const struct drive_memory *m, uint32_t who);

/* False: the register is not as it was seen any more; nothing happens.  It was
   seen after who itself changed it last. */
bool drive_swap(const struct drive_memory *m, uint32_t who, uint32_t reg,
		struct drive_seen seen, struct wicket_value put);

/* Sleeps until woken, but not if the register has changed since, and not much
   longer than 50 ms. */
void drive_sleep(const struct drive_memory *m, uint32_t reg,
		 struct drive_seen since);
void drive_wake(const struct drive_memory *m, uint32_t reg, uint32_t wakes);

/* --- life and death ------------------------------------------------------- */

/* Nonzero: an errno. */
int drive_life_start(const struct drive_memory *m, uint32_t who);

/* The caller is process who from now on, until it ends; its predecessor, if it
   had one, is dead and buried. */
int drive_live(const struct drive_memory *m, uint32_t who);
bool drive_is_dead(const struct drive_memory *m, uint32_t who);

/* Somebody who is dead is about to live again: what others see of it by the
   kernel's mark they shall see without. */
void drive_bury(const struct drive_memory *m, uint32_t who);

#endif
