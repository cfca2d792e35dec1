/* SPDX-License-Identifier: MIT */
/*
 * central-server - a server lets clients in, one after the other.
 *
 * Source   Ben-Ari, 5.9 (exercise 9; Manna and Pnueli).  The server is a
 *          process of its own, S in schedules.
 * Value    request, 0 or the last client to ask, written by all; respond, 0 or
 *          the client that may enter, written by the server and by whoever
 *          leaves.
 * S1       respond = i if client i is in C (mutant no-wait).
 * S2       the server waits at p6 while somebody is in C (mutant no-wait).
 * Safety   S1: respond names one client.
 * FIFO     none: a request may be overwritten for ever.
 * Crash    a crash of the client that is responded to, or of the server, stops
 *          everybody.
 */
#include "algo/algo.h"
#include "algo/registers.h"

enum pc {
	ENTER,	 /* p1, R: respond = i? then C */
	LOOK,	 /* p1: the same, from T */
	ASK,	 /* p2: request := i */
	LEAVE,	 /* p3, C: respond := 0 */
	IDLE,	 /* p4: await request != 0 */
	READ,	 /* p5: whose request? */
	RESPOND, /* p5: respond := CLIENT */
	SERVING, /* p6: await respond = 0 */
	SERVED,	 /* p7: request := 0 */
};

enum local { CLIENT };
enum mutant { NO_WAIT = 1 };
enum { REQUEST, ANSWER }; /* registers */

static const char *refuse(const struct wicket_cfg *c)
{
	return c->k == 1 ? 0 :
			   "central-server is mutual exclusion: k must be 1";
}

static uint32_t registers(const struct wicket_cfg *c)
{
	(void)c;
	return 2;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	(void)r;
	return (struct wicket_register){ .range = c->n + 1 };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	return (struct wicket_proc){
		.pc = i <= c->n ? ENTER : IDLE,
		.self = i,
	};
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	return wicket_region_without_exit(p.pc == ENTER, p.pc == LEAVE);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case ENTER:
	case LOOK:
		return wicket_ask(WICKET_LOAD, ANSWER);
	case LEAVE:
	case RESPOND:
		return wicket_ask(WICKET_STORE, ANSWER);
	case IDLE:
		return wicket_ask(WICKET_AWAIT, REQUEST);
	case READ:
		return wicket_ask(WICKET_LOAD, REQUEST);
	case SERVING:
		return wicket_ask(WICKET_AWAIT, ANSWER);
	default:
		return wicket_ask(WICKET_STORE, REQUEST);
	}
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .put = wicket_number(0) };
	uint64_t x = seen.w[0];

	switch (p.pc) {
	case ENTER:
	case LOOK:
		p.pc = x == p.self ? LEAVE : ASK;
		break;
	case ASK:
		r.put = wicket_number(p.self);
		p.pc = LOOK;
		break;
	case LEAVE:
		p.pc = ENTER;
		break;
	case IDLE:
		p.pc = x ? READ : IDLE;
		break;
	case READ:
		p.local[CLIENT] = x;
		p.pc = RESPOND;
		break;
	case RESPOND:
		r.put = wicket_number(p.local[CLIENT]);
		p.local[CLIENT] = 0;
		p.pc = c->mutant == NO_WAIT ? SERVED : SERVING;
		break;
	case SERVING:
		p.pc = x ? SERVING : SERVED;
		break;
	case SERVED:
		p.pc = IDLE;
		break;
	}
	r.proc = p;
	return r;
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		if (procs[i].pc != LEAVE)
			continue;
		if (label == 0 ? regs[ANSWER].w[0] != i + 1 : /* S1 */
				 procs[c->n].pc != SERVING)	      /* S2 */
			return 0;
	}
	return 1;
}

static uint64_t bound(const struct wicket_cfg *c)
{
	return (uint64_t)(c->n + 1) * (c->n + 1);
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	switch (p.pc) {
	case ENTER:
	case LOOK:
		wicket_put(t, "respond?");
		return;
	case IDLE:
		wicket_put(t, "await a request");
		return;
	case READ:
		wicket_put(t, "request?");
		return;
	case SERVING:
		wicket_put(t, "await respond = 0");
		return;
	}
	wicket_put(t, p.pc == ASK || p.pc == SERVED ? "request := " :
						      "respond := ");
	wicket_put_number(t, p.pc == ASK     ? (int64_t)p.self :
			     p.pc == RESPOND ? (int64_t)p.local[CLIENT] :
					       0);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	(void)c;
	wicket_put(t, "request=");
	wicket_put_number(t, (int64_t)regs[REQUEST].w[0]);
	wicket_put(t, " respond=");
	wicket_put_number(t, (int64_t)regs[ANSWER].w[0]);
}

static const struct wicket_mutant mutants[] = {
	{ "no-wait", "does not wait until a client has left", 0 },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "S1", "respond = i if client i is in C" },
	{ "S2", "the server waits while somebody is in C" },
	{ 0, 0 },
};

const struct wicket_algo wicket_central_server = {
	.name = "central-server",
	.title = "Central Server Algorithm",
	.source = "Ben-Ari, 5.9",
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM |
		     WICKET_STARVATION_FREEDOM,
	.solves = WICKET_K_EXCLUSION | WICKET_DEADLOCK_FREEDOM,
	.helper = { "S", "the server" },
	.refuse = refuse,
	.processes = wicket_one_helper,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.holds = holds,
	.bound = bound,
	.show_step = show_step,
	.show = show,
};
