/* SPDX-License-Identifier: MIT */
/*
 * sleepers - the first process rings a bell, all others sleep until they are
 * woken.
 */
#ifndef SLEEPERS_H
#define SLEEPERS_H

#include "toy.h"

/*
 * The others sleep on the door while it is shut, and watch two bells.  The
 * first process rings the second of them, and wakes cfg.r of those who sleep on
 * register cfg.variant; on the last register nobody does.
 */
enum { DOOR, BELL, OTHER_BELL, ELSEWHERE, SLEEPERS_REGS };
enum { SHUT, OPEN };
enum { QUIET = 1, RUNG };
enum { IN_BED, UP, RING }; /* the first process begins with the last */

static inline uint32_t door_and_bells(const struct wicket_cfg *c)
{
	(void)c;
	return SLEEPERS_REGS;
}

static inline struct wicket_register door_or_bell(const struct wicket_cfg *c,
						  uint32_t r)
{
	(void)c;
	return (struct wicket_register){ .start.w[0] = r == DOOR ? SHUT :
								   QUIET };
}

static inline struct wicket_proc sleeper_or_ringer(const struct wicket_cfg *c,
						   uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = i == 1 ? RING : IN_BED, .self = i };
}

static inline enum wicket_region sleepers_region(const struct wicket_cfg *c,
						 struct wicket_proc p)
{
	(void)c;
	return p.pc == IN_BED ? WICKET_TRYING : WICKET_REMAINDER;
}

static inline struct wicket_access sleepers_access(const struct wicket_cfg *c,
						   struct wicket_proc p)
{
	struct wicket_access a = wicket_ask(WICKET_SLEEP, DOOR);

	(void)c;
	if (p.pc != IN_BED)
		return wicket_ask(p.pc == RING ? WICKET_RMW : WICKET_REST,
				  OTHER_BELL);
	a.words = 1;
	a.expect = wicket_number(SHUT);
	a.watch = 1 << BELL | 1 << OTHER_BELL;
	a.alive = QUIET;
	return a;
}

static inline struct wicket_result sleepers_step(const struct wicket_cfg *c,
						 struct wicket_proc p,
						 struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	r.proc.pc = UP;
	if (p.pc == RING) {
		r.put = wicket_number(RUNG);
		r.wake = c->variant;
		r.wakes = c->r;
	}
	return r;
}

static const struct wicket_algo sleepers = {
	.name = "sleepers",
	.registers = door_and_bells,
	.reg = door_or_bell,
	.start = sleeper_or_ringer,
	.region = sleepers_region,
	.access = sleepers_access,
	.step = sleepers_step,
};

#endif
