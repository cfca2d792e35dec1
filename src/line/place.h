/* SPDX-License-Identifier: MIT */
/*
 * place - which file a name stands for.
 *
 * A name is a file in the first of these directories that this user, with its
 * groups, can use: /run/wicket, /run/lock/wicket-UID, /tmp/wicket-UID.  It does not
 * depend on the session, so a shell and a cron job share a line.  A directory that
 * appears later, or becomes usable, must not split a line in two: a line that is in
 * use in one of the further directories stays the one that its name stands for.  When
 * it is no longer used, it moves: it is removed there, and created with the same k in
 * the better place.
 */
#ifndef WICKET_PLACE_H
#define WICKET_PLACE_H

#include "wicket.h"

#include <limits.h>
#include <stdbool.h>

/* The path for inspecting a line, or for using one that exists. */
int place_find(const char *name, char path[PATH_MAX]);

/* To use it, or to create it.  What was idle in a further directory is removed, and
   its slots and seats filled in. */
int place_make(const char *name, char path[PATH_MAX], struct wicket_options *o);

/* Right after a line was created there: is one of this name in use elsewhere, which
   came into being at the same time? */
bool place_has_rival(const char *name, const char *path);

#endif
