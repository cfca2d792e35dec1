/* SPDX-License-Identifier: MIT */
/*
 * seat - a participant's place in the line: joining, leaving, and whose it is.
 *
 * A seat's owner is a thread, because the kernel reports the death of threads: the
 * bell is a robust mutex, locked on joining.
 */
#ifndef WICKET_SEAT_H
#define WICKET_SEAT_H

#include "line/access.h"

/* Takes a free seat: 0, -EUSERS, -EUCLEAN, or -ENOTSUP where no bell would ring. */
int seat_join(struct wicket *h);

/* The handle has no seat any more. */
void seat_forget(struct wicket *h);

#endif
