/* SPDX-License-Identifier: MIT */
/*
 * run - one run of a system, deed by deed, on the values themselves.
 *
 * No quotient, no packing, nothing remembered: this is the plain meaning of
 * the contract, which the explorer has to agree with.
 */
#ifndef VERIFY_RUN_H
#define VERIFY_RUN_H

#include "verify/explore/actor.h"

struct run {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	struct world world;
	uint32_t regs, procs;
	struct wicket_value reg[WICKET_REGS_MAX];
	struct actor actor[WICKET_PROCS_MAX];
	struct buffer buffer[WICKET_PROCS_MAX];
};

void run_start(struct run *run, const struct wicket_algo *algo,
	       const struct wicket_cfg *cfg, const struct world *world);

/* Can it happen now?  Of a read, whether what it says was seen can be. */
bool run_can(const struct run *run, uint16_t label);

/* What the label says happens; it must be possible. */
void run_do(struct run *run, uint16_t label);

/* Is there a step that only waits until its process's buffer has room? */
bool run_is_full(const struct run *run);

/* The registers as they are when all buffers have drained, that of process 1
   first. */
void run_drained(const struct run *run, struct wicket_value *regs);

/* Is the register being written by somebody other than process i? */
bool run_overlapped(const struct run *run, uint32_t reg, uint32_t i);

/* Processes from 0, as in labels. */
enum wicket_region run_region(const struct run *run, uint32_t i);

#endif
