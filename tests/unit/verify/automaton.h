/* SPDX-License-Identifier: MIT */
/*
 * automaton - systems that nobody designed: what a process does is drawn from
 * a hash of the seed (cfg.r), its number and state, and the shared value.
 * Unlike the algorithms of the registry they have exit regions, processes that
 * differ, helpers, and every kind of failure.
 */
#ifndef AUTOMATON_H
#define AUTOMATON_H

#include <stdbool.h>

#include "../unit.h"

/* two program counters each in T and E: it can wait there, or not */
enum { AUTOMATON_R, AUTOMATON_T, AUTOMATON_C = 3, AUTOMATON_E };

static inline uint32_t automaton_draw(const struct wicket_cfg *c,
				      struct wicket_proc p, uint64_t v,
				      uint32_t what, uint32_t limit)
{
	uint64_t x = c->r * 1000003u + p.pc * 10007u + v * 101u + what;

	/* in half of the systems the processes are alike */
	x += c->r / 6 % 2 ? p.self * 7919u : p.self / (c->n + 1) * 7919u;
	x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 29) * 0x94d049bb133111eb;
	return (uint32_t)(x >> 33) % limit;
}

/* A third of them have a helper. */
static inline uint32_t automaton_processes(const struct wicket_cfg *c)
{
	return c->n + (c->r / 12 % 3 == 0);
}

static inline uint32_t automaton_registers(const struct wicket_cfg *c)
{
	(void)c;
	return 1;
}

static inline struct wicket_register automaton_reg(const struct wicket_cfg *c,
						   uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .range = 3 };
}

static inline struct wicket_proc automaton_start(const struct wicket_cfg *c,
						 uint32_t i)
{
	(void)c;
	return (struct wicket_proc){ .pc = AUTOMATON_R, .self = i };
}

static inline enum wicket_region automaton_region(const struct wicket_cfg *c,
						  struct wicket_proc p)
{
	(void)c;
	return p.pc >= AUTOMATON_E ? WICKET_EXIT :
	       p.pc == AUTOMATON_C ? WICKET_CRITICAL :
	       p.pc >= AUTOMATON_T ? WICKET_TRYING :
				     WICKET_REMAINDER;
}

static inline struct wicket_access automaton_access(const struct wicket_cfg *c,
						    struct wicket_proc p)
{
	(void)c, (void)p;
	return wicket_ask(WICKET_RMW, 0);
}

/* R -> T, C; T -> T, C; C -> E, R; E -> E, R; some seeds linger, some rush */
static inline struct wicket_result automaton_step(const struct wicket_cfg *c,
						  struct wicket_proc p,
						  struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	bool leaves = p.pc >= AUTOMATON_C;

	if (automaton_draw(c, p, seen.w[0], 0, 6) <= c->r % 6)
		r.proc.pc = leaves ? AUTOMATON_R : AUTOMATON_C;
	else
		r.proc.pc = (uint16_t)((leaves ? AUTOMATON_E : AUTOMATON_T) +
				       automaton_draw(c, p, seen.w[0], 1, 2));
	if (automaton_draw(c, p, seen.w[0], 2, 2))
		r.put = wicket_number(automaton_draw(c, p, seen.w[0], 3, 3));
	return r;
}

static const struct wicket_algo automaton = {
	.name = "automaton",
	.processes = automaton_processes,
	.registers = automaton_registers,
	.reg = automaton_reg,
	.start = automaton_start,
	.region = automaton_region,
	.access = automaton_access,
	.step = automaton_step,
};

#endif
