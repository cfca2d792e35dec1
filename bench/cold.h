/* SPDX-License-Identifier: MIT */
/* The line of bench/cold.  No file includes both the model's steps and the library:
   they have names in common. */
#ifndef BENCH_COLD_H
#define BENCH_COLD_H

#include "step/step.h"

#include <stdint.h>

enum { SEATS = 16, SLOTS = 1, DRIVER = 0, HOLDER = 1, HEIR_SEAT = 2 };
enum { DEAD_SEQ = 2 }; /* of those two seats */

extern struct wicket_cfg cold_cfg;

/* Makes a line, and takes all its seats.  Not 0: that failed, and it has said why. */
int cold_open(void);

/* Performs the model's steps on the line, until p has no more to do. */
void cold_run(struct wicket_proc p);

/* W, the slot and the seats: model and library must leave the same. */
enum { COLD_WORDS = 3 + 2 * SEATS };
void cold_contents(uint64_t words[COLD_WORDS]);

/* Does scan ask the kernel who lives?  And the life of the process that joins. */
extern int cold_asks;
uint32_t cold_life(void);

/* Set the scene: a seat to join, or a dead process to drive. */
void cold_leave_seat(void);
void cold_dead_holder(void);
void cold_dead_heir(void);
void cold_living_heir(void);

/* The same by the library. */
void cold_join(void);
void cold_introduce(void);
void cold_scan(void);
void cold_drive(void);
void cold_remove(void);

/* What a user calls. */
void cold_open_and_close(void);
void cold_create_and_remove(void);

#endif
