/* SPDX-License-Identifier: MIT */
/*
 * drive - an algorithm on real memory: performs the accesses it asks for.
 *
 * One step is one access, as for the verifier, but others take theirs at the
 * same time.  An action that leaves the register as it is, is a read.
 */
#ifndef DRIVE_DRIVE_H
#define DRIVE_DRIVE_H

#include "drive/memory.h"

struct drive {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	uint32_t regs;
	struct drive_memory memory;
};

/* Puts the registers as they are before the first step. */
void drive_start(struct drive *d, const struct wicket_algo *algo,
		 const struct wicket_cfg *cfg, struct drive_shared *shared,
		 enum drive_order order);

/*
 * From now on processes may be killed: their registers die with them.  False:
 * the algorithm has no failure that writes its own registers and nothing else.
 */
bool drive_may_die(struct drive *d);

/* Process who (from 1) takes its next step; false: it has none, or it would use
   what is no register, which is noted. */
bool drive_step(const struct drive *d, uint32_t who, struct wicket_proc *p);

#endif
