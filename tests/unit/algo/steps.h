/* SPDX-License-Identifier: MIT */
/*
 * steps - single steps by hand, for the tests of algorithms on registers that have
 * one number each.  The test includes the algorithm, and says which cfg is meant.
 */
#ifndef STEPS_H
#define STEPS_H

#include "../unit.h"

static const struct wicket_cfg cfg;
static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p);
static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value v);

static inline void assert_access(struct wicket_proc p, uint32_t kind,
				 uint32_t r)
{
	struct wicket_access a = access(&cfg, p);

	assert_int_equal(a.kind, kind);
	assert_int_equal(a.reg, r);
}

/* A read; what it puts is ignored. */
static inline void assert_step_of(const struct wicket_cfg *c,
				  struct wicket_proc p, uint64_t seen,
				  struct wicket_proc next)
{
	struct wicket_result r = step(c, p, wicket_number(seen));

	assert_memory_equal(&r.proc, &next, sizeof(next));
	assert_int_equal(r.wakes, 0);
}

static inline void assert_step(struct wicket_proc p, uint64_t seen,
			       struct wicket_proc next)
{
	assert_step_of(&cfg, p, seen, next);
}

/* A write does not depend on what was there. */
static inline void assert_write_of(const struct wicket_cfg *c,
				   struct wicket_proc p, uint64_t put,
				   struct wicket_proc next)
{
	for (uint64_t seen = 0; seen < 4; seen++) {
		assert_step_of(c, p, seen, next);
		assert_value(step(c, p, wicket_number(seen)).put, put, 0, 0, 0);
	}
}

static inline void assert_write(struct wicket_proc p, uint64_t put,
				struct wicket_proc next)
{
	assert_write_of(&cfg, p, put, next);
}

/* The same, and of which register. */
static inline void assert_load(struct wicket_proc p, uint32_t kind, uint32_t r,
			       uint64_t seen, struct wicket_proc next)
{
	assert_access(p, kind, r);
	assert_step(p, seen, next);
}

static inline void assert_store(struct wicket_proc p, uint32_t r, uint64_t put,
				struct wicket_proc next)
{
	assert_access(p, WICKET_STORE, r);
	assert_write(p, put, next);
}

#endif
