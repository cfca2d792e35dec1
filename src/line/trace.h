/* SPDX-License-Identifier: MIT */
/* trace - reports every access to tests/conformance. */
#ifndef WICKET_TRACE_H
#define WICKET_TRACE_H

#include "algo/recoverable/pc.h"

#include <stdatomic.h>
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
	STORE_RANGE,
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

/* What orders an access: a C order given to a load or a store, or something that
   lets nothing pass. */
enum trace_order {
	BY_NOTHING, /* nothing was said */
	BY_RELAXED,
	BY_ACQUIRE,
	BY_RELEASE,
	BY_SEQ_CST,
	BY_LOCK, /* an instruction that has, or implies, a lock prefix */
	BY_KERNEL,
};

static inline enum trace_order trace_order_of(memory_order order)
{
	return order == memory_order_relaxed ? BY_RELAXED :
	       order == memory_order_acquire ? BY_ACQUIRE :
	       order == memory_order_release ? BY_RELEASE :
					       BY_SEQ_CST;
}

void trace_before(void);

/* By what the access that is going on is ordered; the last one counts. */
void trace_order(enum trace_order by);

/* at: where the model takes this step, says the library; a, b: what was seen or
   expected; c, d: what was put. */
void trace_after(enum pc at, enum trace_kind kind, uint32_t index, uint64_t a,
		 uint64_t b, uint64_t c, uint64_t d, int met);

/* From now on it looks for who has this ticket. */
void trace_seeks(uint32_t ticket);

#define BEFORE() trace_before()
#define AFTER	 trace_after
#define SEEKS	 trace_seeks

#define ORDERED(order)	 trace_order(trace_order_of(order))
#define ORDERED_BY(whom) trace_order(whom)

#endif
