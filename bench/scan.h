/* SPDX-License-Identifier: MIT */
/* The library's side of bench/scan: model and library have names in common. */
#ifndef BENCH_SCAN_H
#define BENCH_SCAN_H

enum { SEATS = 16 };

/* A line of which all seats are taken; not 0, and says why, if there is none. */
int scan_prepare(void);

void scan_by_library(void);

#endif
