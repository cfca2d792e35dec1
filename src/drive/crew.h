/* SPDX-License-Identifier: MIT */
/*
 * crew - runs an algorithm between threads or processes for a while, and tells
 * what was seen.
 *
 * Everybody comes again and again, stays inside and outside for a moment (of
 * random length, below a microsecond, now and then long enough for others to
 * get the processor), and spins while it waits, giving way now and then.
 */
#ifndef DRIVE_CREW_H
#define DRIVE_CREW_H

#include "drive/memory.h"

struct drive_plan {
	const struct wicket_algo *algo;
	struct wicket_cfg cfg;
	enum drive_order order;
	bool processes; /* else threads */
	double seconds;
	uint32_t kill;	 /* how many processes a second; 0: none */
	uint32_t deaths; /* so many at most, n or fewer, and for good; 0: any
			    number, and each is started again */
};

struct drive_outcome {
	double seconds;
	uint64_t entries, of[WICKET_PROCS_MAX]; /* in all; of each */
	uint32_t most_inside;
	uint64_t lost; /* k = 1: updates inside that somebody overwrote */
	uint64_t overtakings, most_overtaken; /* in all; in one wait */
	double longest_wait; /* seconds; those at the end count too */
	uint32_t trying;     /* how many there were at the end */
	uint64_t killed, killed_inside;
	uint64_t after; /* entries since the last kill */
	double since;	/* seconds since then; 0: nobody was killed */
	/* who (from 1) wanted to use what is no register; 0: nobody, or else
	   nothing of all this was seen */
	uint32_t breach_of, breach_reg;
};

/* Can this algorithm's processes be killed, and others know it by the mark of
   the dead? */
bool drive_can_kill(const struct wicket_algo *algo,
		    const struct wicket_cfg *cfg);

/*
 * Returns 0 or a negative errno: no memory, no threads or processes to be had;
 * -ECHILD: a process ended that nobody had killed.
 */
int drive_run(const struct drive_plan *plan, struct drive_outcome *outcome);

#endif
