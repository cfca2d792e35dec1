/* SPDX-License-Identifier: MIT */
/* users - the users of a line, in words; also of one whose file was deleted. */
#ifndef TOOL_USERS_H
#define TOOL_USERS_H

#include "tool/snapshot.h"

/* Reports who uses the line: "slot 0 by 123 (sleep); 2 waiting".  False: nobody does. */
bool users_say(const char *name, struct snapshot *s);

/* Reports a line of this name that is in use although its file was deleted. */
bool users_say_deleted(const char *name);

#endif
