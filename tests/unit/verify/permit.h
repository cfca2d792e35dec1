/* SPDX-License-Identifier: MIT */
/* permit - a system with a helper, without whom nobody gets anywhere. */
#ifndef PERMIT_H
#define PERMIT_H

#include "toy.h"

/*
 * A client that leaves gives its permit to the helper, who lays it out for
 * the next one.  Register 0: where the permit is.
 */
enum { WITH_CLIENT, LAID_OUT, WITH_HELPER };
enum { ASK, TAKE, GIVE, SERVE, SERVED }; /* a helper has the last two */
enum { LAZY = 1 };			 /* mutant: serves once */

static inline uint32_t one_more(const struct wicket_cfg *c)
{
	return c->n + 1;
}

static inline struct wicket_register with_helper(const struct wicket_cfg *c,
						 uint32_t r)
{
	(void)c, (void)r;
	return (struct wicket_register){ .start.w[0] = WITH_HELPER,
					 .range = 3 };
}

static inline struct wicket_proc client_or_helper(const struct wicket_cfg *c,
						  uint32_t i)
{
	return (struct wicket_proc){ .pc = i <= c->n ? ASK : SERVE };
}

static inline enum wicket_region client_region(const struct wicket_cfg *c,
					       struct wicket_proc p)
{
	(void)c;
	if (p.pc >= SERVE)
		fail_msg("a helper has no region");
	return p.pc == ASK  ? WICKET_REMAINDER :
	       p.pc == TAKE ? WICKET_TRYING :
			      WICKET_CRITICAL;
}

static inline struct wicket_access permit_access(const struct wicket_cfg *c,
						 struct wicket_proc p)
{
	(void)c;
	return wicket_ask(p.pc == SERVED ? WICKET_REST : WICKET_RMW, 0);
}

static inline struct wicket_result permit_step(const struct wicket_cfg *c,
					       struct wicket_proc p,
					       struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };

	if (p.pc == SERVE && seen.w[0] == WITH_HELPER) {
		r.put = wicket_number(LAID_OUT);
		r.proc.pc = c->mutant == LAZY ? SERVED : SERVE;
	} else if (p.pc == GIVE) {
		r.put = wicket_number(WITH_HELPER);
		r.proc.pc = ASK;
	} else if (p.pc == ASK) {
		r.proc.pc = TAKE;
	} else if (p.pc == TAKE && seen.w[0] == LAID_OUT) {
		r.put = wicket_number(WITH_CLIENT);
		r.proc.pc = GIVE;
	}
	return r;
}

static const struct wicket_algo permit = {
	.name = "permit",
	.processes = one_more,
	.registers = one_register,
	.reg = with_helper,
	.start = client_or_helper,
	.region = client_region,
	.access = permit_access,
	.step = permit_step,
};

#endif
