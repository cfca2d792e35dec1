/* SPDX-License-Identifier: MIT */
/* region - in which of the papers' four regions a process is. */
#ifndef WICKET_RECOVERABLE_REGION_H
#define WICKET_RECOVERABLE_REGION_H

#include "algo/recoverable/process.h"

static inline enum wicket_region region(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case JOIN_LIFE:
	case TAKE_SEAT:
	case OPEN_SEAT:
	case LEAVE_BELL:
	case LEAVE_LOOK:
	case LEAVE_SEAT:
	case LEAVE_LIFE:
	case REMOVE_W:
	case RESTORE_W:
	case DONE:
	case DEAD:
		return WICKET_REMAINDER;
	case DIE:
	case DIE_LIFE: /* the kernel owes it this: in R it might rest */
		return p.local[HAS_COMMAND] ? WICKET_CRITICAL : WICKET_EXIT;
	case KEEP_LOCK:
	case KEEP_MARK:
	case HOLD:
	case COMMAND:
		return WICKET_CRITICAL;
	case RELEASE_FIND:
	case RELEASE_UNIT:
		return !is_returning(p) ? WICKET_CRITICAL :
		       is_giving(p)	? WICKET_EXIT :
					  WICKET_TRYING;
	case RETURN:
		return is_giving(p) ? WICKET_EXIT : WICKET_TRYING;
	case ABANDON_BELL:
	case ABANDON_MARK:
		return WICKET_EXIT;
	default:
		if (after(p) == AFTER_REMOVE)
			return WICKET_REMAINDER;
		return p.local[SLOT] & EXITING ? WICKET_EXIT : WICKET_TRYING;
	}
}

/* How many slots has a process that is in C? */
static inline uint32_t units_inside(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	(void)c;
	return units_left(p) ? units_left(p) : 1;
}

#endif
