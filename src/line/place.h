/* SPDX-License-Identifier: MIT */
/*
 * place - which file a name stands for.
 *
 * A name is a file in the first of these directories that this user can use:
 * /run/wicket, /run/lock/wicket-UID, /tmp/wicket-UID.  So it depends on user and
 * machine alone, and a shell meets a cron job.  One that comes into being later,
 * or becomes usable, must not split a line in two: a line that is in use in one
 * of the further directories stays the one that its name stands for, until it is
 * used no more.
 */
#ifndef WICKET_PLACE_H
#define WICKET_PLACE_H

#include <limits.h>
#include <stdbool.h>

/* make: the directory, too, if there is none. */
int wicket_place_find(const char *name, char path[PATH_MAX], bool make);

/* The same; and what is left of the line in a further directory is removed, so
   that nobody who has just come across it goes on there. */
int wicket_place_settle(const char *name, char path[PATH_MAX], bool make);

#endif
