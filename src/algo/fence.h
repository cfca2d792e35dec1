/* SPDX-License-Identifier: MIT */
/*
 * fence - register algorithms with fences, for memory in which stores wait in
 * buffers: NAME:fenced is NAME, but some of its stores are followed by a fence.
 *
 * A process that has done such a store owes the fence: it takes it before
 * whatever comes next, as a step of its own.  Its program counter is already that
 * of what comes next, so that regions and invariants are those of NAME.
 */
#ifndef WICKET_FENCE_H
#define WICKET_FENCE_H

#include "step/step.h"

/* Of the locals: the last, which no algorithm on registers uses. */
enum { WICKET_OWES_FENCE = WICKET_LOCALS - 1 };

static inline int wicket_owes_fence(struct wicket_proc p)
{
	return p.local[WICKET_OWES_FENCE] != 0;
}

/* A place for a fence: after the store of this program counter. */
static inline uint32_t wicket_after(uint32_t pc)
{
	return (uint32_t)1 << pc;
}

/* All of these places but the one that a mutant leaves out: the i-th, if it is the
   mutant first + i. */
static inline uint32_t wicket_places(const struct wicket_cfg *c,
				     const uint8_t *pc, uint32_t count,
				     uint32_t first)
{
	uint32_t places = 0;

	for (uint32_t i = 0; i < count; i++)
		places |= c->mutant == first + i ? 0 : wicket_after(pc[i]);
	return places;
}

/* The step of p by the plain algorithm, or the fence that it owes. */
static inline struct wicket_result wicket_fenced_step(
	struct wicket_result (*plain)(const struct wicket_cfg *,
				      struct wicket_proc, struct wicket_value),
	const struct wicket_cfg *c, struct wicket_proc p,
	struct wicket_value seen, uint32_t places)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (wicket_owes_fence(p)) {
		r.proc.local[WICKET_OWES_FENCE] = 0;
		return r;
	}
	r = plain(c, p, seen);
	r.proc.local[WICKET_OWES_FENCE] = (places & wicket_after(p.pc)) != 0;
	return r;
}

/*
 * What an algorithm with fences registers, made of its own access(), step() and
 * show_step(), and of fences(): the places of a process, none but in the variant.
 */
#define WICKET_FENCED                                                          \
	static struct wicket_access access_or_fence(                           \
		const struct wicket_cfg *c, struct wicket_proc p)              \
	{                                                                      \
		return wicket_owes_fence(p) ? wicket_ask(WICKET_FENCE, 0) :    \
					      access(c, p);                    \
	}                                                                      \
	static struct wicket_result step_or_fence(const struct wicket_cfg *c,  \
						  struct wicket_proc p,        \
						  struct wicket_value seen)    \
	{                                                                      \
		return wicket_fenced_step(step, c, p, seen, fences(c, p));     \
	}                                                                      \
	static void show_step_or_fence(const struct wicket_cfg *c,             \
				       struct wicket_proc p,                   \
				       struct wicket_text *t)                  \
	{                                                                      \
		if (wicket_owes_fence(p))                                      \
			wicket_put(t, "fence");                                \
		else                                                           \
			show_step(c, p, t);                                    \
	}                                                                      \
	_Static_assert(1, "ends with a semicolon")

#endif
