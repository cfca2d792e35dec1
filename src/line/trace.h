/* SPDX-License-Identifier: MIT */
/* trace - who wants to know of every access (tests/conformance). */
#ifndef WICKET_TRACE_H
#define WICKET_TRACE_H

#include <stdint.h>

enum trace_kind {
	LOAD_T,
	LOAD_S,
	CAS_W,
	LOAD_SLOT,
	CAS_SLOT,
	LOAD_SEAT,
	STORE_STATE,
	STORE_LOAD,
	CAS_SEAT,
	STORE_FUT,
	CAS_FUT,
	LOAD_LIVE,
	LOCK_LIVE,
	UNLOCK_LIVE,
	LOAD_KEEP,
	LOCK_KEEP,
	SLEEP,
	WAKE_UP,
};

void wicket_trace_before(void);

/* a, b: what was seen or expected; c, d: what was put. */
void wicket_trace_after(enum trace_kind kind, uint32_t index, uint64_t a,
			uint64_t b, uint64_t c, uint64_t d, int met);

#define BEFORE() wicket_trace_before()
#define AFTER	 wicket_trace_after

#endif
