/* SPDX-License-Identifier: MIT */
/*
 * resource - a toy: what a line's slot stands for.  It is a file, a line for each write
 * that was accepted: the fence that came with it.
 */
#ifndef RESOURCE_H
#define RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* True: it was accepted.  A resource that is heedless accepts everything; another one
   refuses a lesser fence than it has seen. */
bool resource_write(const char *file, int64_t fence, bool heedless);

#endif
