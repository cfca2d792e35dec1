/* SPDX-License-Identifier: MIT */
/* table - every algorithm, variant and mutant at every small size. */
#ifndef VERIFY_TABLE_H
#define VERIFY_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/explore/budget.h"

/*
 * Decides all properties and invariants of everything in the registry for all
 * k < n <= upto.  Returns 0 if all is decided (failing is what mutants are
 * for), else 69 or 75.
 */
int table_run(uint32_t upto, const struct limits *limits, bool json);

#endif
