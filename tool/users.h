/* SPDX-License-Identifier: MIT */
/* users - who uses a line, in words; also one whose file is there no more. */
#ifndef WICKET_USERS_H
#define WICKET_USERS_H

#include "tool/snapshot.h"

/* "slot 0 by 123 (sleep); 2 waiting"; to be freed. */
char *users_in_words(struct snapshot *s);

/* Says so if a line of this name is in use though its file was deleted by hand. */
bool users_say_deleted(const char *name);

#endif
