/* SPDX-License-Identifier: MIT */
/* output - files that are there at once and whole, or not at all. */
#ifndef VERIFY_OUTPUT_H
#define VERIFY_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Fails (73) now if it could surely not be written later. */
void output_writable(const char *path);

/*
 * Calls put, which returns false if it could not write, and replaces the file;
 * or fails (73), leaving nothing behind.
 */
void output_write(const char *path, bool (*put)(FILE *out, const void *context),
		  const void *context);

#endif
