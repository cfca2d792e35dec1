/* SPDX-License-Identifier: MIT */
/*
 * remove - a line goes by a mark in W, after which nobody can take a ticket, and
 * then by unlinking.  If it cannot be unlinked, the mark is taken back.  A remover
 * that is killed between the two leaves a file that the next process to open it
 * unlinks.
 */
#ifndef WICKET_REMOVE_H
#define WICKET_REMOVE_H

#include "line/area.h"

bool remove_is_marked(struct wicket *h);

/* Of a line that is marked: unlinks it, if the mark is still there.  0, and it is
   there no more; -EAGAIN: it was not to be removed after all. */
int remove_rest(struct wicket *h, const char *path);

/* wicket_remove, by path; fills in the slots and seats that it had. */
int remove_file(const char *path, struct wicket_options *was);

#endif
