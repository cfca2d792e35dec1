/* SPDX-License-Identifier: MIT */
/*
 * older - lines that an older version made.
 *
 * A line in use is refused, because the two versions would not notice each other's
 * deaths, or not understand each other's releases.  A line that is not in use is retired, and a new one can be created in its
 * place.
 */
#ifndef WICKET_OLDER_H
#define WICKET_OLDER_H

#include "wicket.h"

#include <stdbool.h>

/* Removes the line at the path if it is an older one that nobody uses, and tells
   what a new one is to be like; false: it was not, or could not be. */
bool older_retire(const char *path, struct wicket_options *was);

#endif
