/* SPDX-License-Identifier: MIT */
/* label - steps, processes and regions, each in a word or a letter. */
#ifndef VERIFY_LABEL_H
#define VERIFY_LABEL_H

#include "verify/explore/run.h"
#include "verify/explore/task.h"

/* One letter, which schedules have for a helper. */
const char *label_helper(const struct task *task);

/* Process i (from 0): "2", a supervisor "S", one of several helpers "S3".  Returns the
   length. */
int label_process(const struct task *task, uint32_t i, char text[16]);

/*
 * A deed as one word: "2" process 2 takes a step (a supervisor is "S"), "2=1"
 * it reads 1 from a register that is being written, "2!" it fails, "2?" it
 * gives up waiting, "2~" its sleep times out, "2>" what it stored first reaches
 * memory.
 */
const char *label_write(const struct task *task, uint16_t label, char text[16]);
/* The same backwards; false: no such deed. */
bool label_parse(const struct task *task, const char *text, uint16_t *label);

/* "R T C": the regions of all processes of a run. */
void label_regions(const struct run *run, char *text, const char *between);

#endif
