/* SPDX-License-Identifier: MIT */
/*
 * bitmap - a line of the layout of algo/bitmap.h, built far enough to be measured:
 * its accesses are those of algo/bitmap.c.  Nobody looks for the dead (seats have no
 * mutex); what helps a stopped process, and the settling, is there.
 */
#ifndef BENCH_BITMAP_H
#define BENCH_BITMAP_H

#include <stdint.h>

/* In memory of the process that calls it; forked ones join.  At most 31 slots and
   256 seats.  0 or an error. */
int bitmap_create(uint32_t k);
void bitmap_destroy(void);

/* 0 or an error; a handle belongs to the thread that joined. */
int bitmap_join(void);
int bitmap_quit(void);

struct bitmap_grant {
	uint32_t slot, flags;
	uint64_t fence;
};

/* 0, or what kind of misuse it was. */
int bitmap_acquire(struct bitmap_grant *grant);
int bitmap_give_back(void);

#endif
