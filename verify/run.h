/* SPDX-License-Identifier: MIT */
/*
 * run - one run of a system, step by step, on the values themselves.
 *
 * No quotient, no packing, nothing remembered: this is the plain meaning of
 * the contract, which the explorer has to agree with.
 */
#ifndef VERIFY_RUN_H
#define VERIFY_RUN_H

#include "step/step.h"

struct run {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	uint32_t regs, procs;
	struct wicket_value reg[WICKET_REGS_MAX];
	struct wicket_proc proc[WICKET_PROCS_MAX];
};

void run_start(struct run *run, const struct wicket_algo *algo,
	       const struct wicket_cfg *cfg);

/* Process i = 1, 2, ... takes its next step. */
void run_step(struct run *run, uint32_t i);

enum wicket_region run_region(const struct run *run, uint32_t i);

/* What p makes of register value seen, and what is in the register then. */
struct wicket_result run_perform(const struct wicket_algo *algo,
				 const struct wicket_cfg *cfg,
				 struct wicket_proc p,
				 struct wicket_access access,
				 struct wicket_value seen);

#endif
