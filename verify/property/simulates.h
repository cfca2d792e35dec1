/* SPDX-License-Identifier: MIT */
/*
 * simulates - the system from which a supervisor was eliminated, as the one
 * without him shows it: tau of FLBB 1979, section 4.
 */
#ifndef VERIFY_SIMULATES_H
#define VERIFY_SIMULATES_H

#include "verify/explore/run.h"

/* A state of the original; unused processes are 0. */
struct original {
	struct wicket_value v;
	struct wicket_proc procs[WICKET_PROCS_MAX];
};

struct original original_of(const struct wicket_algo *algo,
			    const struct wicket_cfg *cfg,
			    const struct wicket_value *regs,
			    const struct actor *actors);
struct original original_start(const struct wicket_cfg *cfg);

/* (S2), (S3): is then what comes of a step of process i (from 0), or of that and
   one of the supervisor? */
bool original_leads(const struct wicket_cfg *cfg, const struct original *q,
		    uint32_t i, const struct original *then);

#endif
