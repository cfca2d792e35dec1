/* SPDX-License-Identifier: MIT */
/* table - every algorithm, variant and mutant at every small size. */
#ifndef VERIFY_TABLE_H
#define VERIFY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decides all properties and invariants of everything in the registry for all
 * k < n <= upto.  Returns 0 if all is decided (failing is what mutants are
 * for), else 69 or 75.
 */
int table_run(uint32_t upto, size_t memory, double timeout, bool json);

#endif
