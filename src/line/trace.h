/* SPDX-License-Identifier: MIT */
/* trace - reports every access to tests/conformance. */
#ifndef WICKET_TRACE_H
#define WICKET_TRACE_H

#include "algo/recoverable/pc.h"

#include <stdint.h>

enum trace_kind {
	LOAD_T,
	LOAD_S,
	CAS_W,
	LOAD_SLOT,
	CAS_SLOT,
	LOAD_SEAT,
	STORE_STATE,
	STORE_PAYLOAD,
	CAS_SEAT,
	STORE_FUT,
	CAS_FUT,
	LOAD_BELL,
	LOCK_BELL,
	UNLOCK_BELL,
	BEGIN_LIFE,
	LOAD_LIFE,
	END_LIFE,
	LOAD_KEEP,
	LOCK_KEEP,
	SLEEP,
	WAKE_UP,
};

void trace_before(void);

/* at: where the model takes this step, says the library; a, b: what was seen or
   expected; c, d: what was put. */
void trace_after(enum pc at, enum trace_kind kind, uint32_t index, uint64_t a,
		 uint64_t b, uint64_t c, uint64_t d, int met);

/* From now on it looks for who has this ticket. */
void trace_seeks(uint32_t ticket);

#define BEFORE() trace_before()
#define AFTER	 trace_after
#define SEEKS	 trace_seeks

#endif
