/* SPDX-License-Identifier: MIT */
/*
 * line-trial - one contestant in one situation, once: processes are forked,
 * join, enter and leave once to warm up, and start together.
 */
#ifndef BENCH_LINE_TRIAL_H
#define BENCH_LINE_TRIAL_H

#include "count.h"
#include "peer.h"

#include <stdbool.h>

enum kind {
	RUNS,	/* sections one after the other */
	SLEEPS, /* one slot, held by the parent while n sleep */
	KILLED, /* one slot, n in order; the last but one is killed inside */
};

#define BIT(x) (1u << (x))

enum metric {
	THROUGHPUT, /* sections a second */
	CPU,	    /* ns a section, or a waiter */
	WAIT,	    /* ns, the 99.9th percentile */
	LONGEST,    /* ns */
	ASLEEP,	    /* ns of CPU a waiter, between falling asleep and waking */
	RESCUE,	    /* ns from kill(2) to being inside */
	SWITCHES,   /* by sleeping, a section */
	METRICS,
};

/* Where the processes run. */
enum where {
	ANYWHERE,
	PINNED, /* each on a processor of its own, as far as there are some */
	IN_THREAD, /* in the second thread of each process */
};

struct trial {
	const char *words;
	enum kind kind;
	uint32_t n, k;
	uint32_t section; /* ns */
	uint32_t millis;  /* how long */
	uint32_t shows;	  /* bits: metrics */
	uint32_t rounds;  /* in the default time */
	enum where where;
};

/* Not everybody can do everything. */
bool takes_part(const struct trial *trial, uint32_t peer);

/* Once, before the others: finds out how much work a nanosecond is. */
void trial_prepare(void);

/* Starts so many processes that never stop computing; and ends them. */
enum { TRIAL_BUSY_MOST = 64 };
void trial_disturb(uint32_t loops);
void trial_calm(void);

/* With the contestants created; the round varies what is to be varied.  Into
   counts, of a section, if the build counts (count.h). */
void trial_run(const struct trial *trial, const struct peer *peer,
	       uint32_t round, double value[METRICS],
	       struct count counts[COUNTS]);

#endif
