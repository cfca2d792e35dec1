/* SPDX-License-Identifier: MIT */
/*
 * guest - a process that joins the slot in which it already runs (algo/guests.c).
 *
 * Proof    that it runs there is the lock on the byte of the tag, by a descriptor that
 *          it has inherited.  One that is close-on-exec is none: it may be the
 *          holder's own.  Or, if descriptors were closed on the way, the tag, and
 *          that the command of that seat is its ancestor.
 */
#ifndef WICKET_GUEST_H
#define WICKET_GUEST_H

#include "line/handle.h"

/* No longer a guest; false: it was none. */
bool guest_go(struct wicket *h);

#endif
