/* SPDX-License-Identifier: MIT */
/*
 * asleep - who sleeps in the library for good?  The kernel says so
 * (/proc/THREAD/syscall): a thread is off its processor, in a futex call of the
 * library's kind, without a timeout.  Only somebody else can end that.  So nobody
 * has to guess how long a sleeper takes to fall asleep, or to wake up.
 */
#ifndef WICKET_ASLEEP_H
#define WICKET_ASLEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* May this process look at its children? */
bool can_see_sleepers(void);

bool sleeps_for_good(pid_t thread);

/* How often it has left its processor: whoever sleeps before and after, and
   whose number is the same, has not woken up between. */
uint64_t switches(pid_t thread);

#endif
