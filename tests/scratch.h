/* SPDX-License-Identifier: MIT */
/*
 * scratch - a directory of a test's own, where the user wants such things.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_DIR = PATH_MAX - NAME_MAX - 2 }; /* with a file: a path */

static inline bool scratch_make(char dir[SCRATCH_DIR], const char *name)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, SCRATCH_DIR, "%s/%s-XXXXXX", tmp && *tmp ? tmp : "/tmp",
		 name);
	return mkdtemp(dir);
}

#endif
