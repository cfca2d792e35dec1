/* SPDX-License-Identifier: MIT */
/* model - algo/recoverable.c, following what real processes say they did. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { CHILDREN = 3, COMMANDS = 3 };

/* What it tells of itself, besides accesses. */
enum { ACCESS, NO_SEAT_LEFT, CLOSED, COMMAND_ENDED, SEEKING };

struct told {
	uint32_t what, at, kind, order; /* at: which step, it says */
	uint32_t index, met;
	uint64_t a, b, c, d;
};

/* A new line, on which somebody has sat once and left. */
void model_start(uint32_t k, uint32_t seats);

/* Process i is born, dies. */
void model_spawn(uint32_t i);
void model_die(uint32_t i);

/* Process i, just born, removes the line; whether the file can be unlinked will be
   seen. */
void model_remove(uint32_t i);

/* Does it hold on behalf of a command?  If so it may die and leave it running,
   as command j, which ends later. */
bool model_has_command(uint32_t i);
void model_orphan(uint32_t i, uint32_t j);
void model_end(uint32_t j);

/* Of which steps it is checked that they are met: those below this one. */
extern const uint32_t model_steps;

/* It did this: what was predicted otherwise, or null. */
const char *model_follow(uint32_t i, const struct told *told);

/* What is predicted otherwise if it is another step than it says, or if it is
   ordered in another way than the model's. */
extern const char model_other_step[], model_other_order[];

/* A step's name, as the sources have it. */
const char *model_step_name(uint32_t step);

/* Steps of the model that nobody ever took: prints and counts them. */
uint32_t model_unmet(void);

#endif
