/* SPDX-License-Identifier: MIT */
/*
 * count - how often a line takes each step of its protocol.
 *
 * The library is built once more so that it reports its steps (line/trace.h), and
 * here they are counted.  In a build without that there is nothing to count.
 */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include "algo/recoverable/pc.h"

#include <stdint.h>

#ifdef WICKET_TRACED
enum { COUNTED = 1, COUNTS = DEAD + 1 };
#else
enum { COUNTED = 0, COUNTS = 1 };
#endif

struct count {
	double steps;
	double failed; /* compare-and-swaps that met something else */
};

/* What this thread does between the two. */
void count_begin(void);
void count_end(struct count counts[COUNTS]);

void count_add(struct count counts[COUNTS], const struct count more[COUNTS]);
void count_divide(struct count counts[COUNTS], double by);

const char *count_name(uint32_t i);

#endif
