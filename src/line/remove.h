/* SPDX-License-Identifier: MIT */
/*
 * remove - a line is removed in two steps: a mark in W, after which no process can
 * take a ticket, and then unlinking the file.  If it cannot be unlinked, the mark is
 * taken back.  A remover that is killed between the two leaves a file that the next
 * process to open it unlinks.
 */
#ifndef WICKET_REMOVE_H
#define WICKET_REMOVE_H

#include "line/area.h"

bool remove_is_marked(struct wicket *h);

/* Unlinks a line that is marked, if the mark is still there.  0: it is gone;
   -EAGAIN: the mark was taken back. */
int remove_rest(struct wicket *h, const char *path);

/* wicket_remove, by path; fills in the slots and seats that it had. */
int remove_file(const char *path, struct wicket_options *was);

#endif
