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

#include "step/step.h"
#include "verify/budget.h"

enum { SYSTEM_PARTS_MAX = WICKET_REGS_MAX + WICKET_PROCS_MAX };

/* Objects of one kind, numbered from 0 in the order in which they were met. */
struct pool {
	size_t size;
	uint32_t count;
	struct store objects;
	struct store slots; /* open addressing: 1 + number, or 0 */
	uint32_t mask;
};

/* What is remembered of one process state. */
struct memo {
	uint32_t reg;
	uint32_t region;
	struct store next; /* by register number: struct move */
	uint32_t known;	   /* entries of next that are initialised */
};

/* A step: the process becomes number proc, the register number value. */
struct move {
	uint32_t proc, value;
};

struct system {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	uint32_t regs, procs, parts; /* parts = regs + procs */
	bool quotient;
	uint32_t pools;
	struct pool pool[SYSTEM_PARTS_MAX];  /* registers, then processes */
	struct store memo[SYSTEM_PARTS_MAX]; /* struct memo, by process */
	uint32_t pool_of[SYSTEM_PARTS_MAX];  /* by part of the state */
	struct budget *budget;
};

/* False: out of memory. */
bool system_start(struct system *s, const struct wicket_algo *algo,
		  const struct wicket_cfg *cfg, struct budget *budget);
void system_free(struct system *s);

/* The initial state, as numbers; false: out of memory. */
bool system_initial(struct system *s, uint32_t *state);

/* Turns state into its successor by process i (from 0); false: no memory. */
bool system_step(struct system *s, uint32_t *state, uint32_t i);

/* 2 bits a process: enum wicket_region, process i at bit 2i. */
uint32_t system_regions(const struct system *s, const uint32_t *state);

/* The values behind the numbers. */
void system_values(const struct system *s, const uint32_t *state,
		   struct wicket_value *regs, struct wicket_proc *procs);

/* A well-mixed hash of bytes (a multiple of 8 of them). */
uint64_t system_hash(const void *bytes, size_t size);

#endif
