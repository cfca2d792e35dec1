/* SPDX-License-Identifier: MIT */
/* show - what a schedule says of a step, and of the world. */
#ifndef WICKET_CLUSTER_SHOW_H
#define WICKET_CLUSTER_SHOW_H

#include "algo/cluster/helpers.h"

static inline void show_step(const struct wicket_cfg *c, struct wicket_proc p,
			     struct wicket_text *t)
{
	static const char texts[][24] = {
		[WANT] = "want",
		[TAKING] = "take?",
		[WATCH] = "watch",
		[WAITING] = "wait",
		[CONFIRMING] = "still so?",
		[INSIDE] = "write",
		[GO] = "leave",
		[LEAVING] = "left?",
		[ANNOUNCING] = "announced?",
		[APPLYING] = "applied?",
		[SOLVING] = "resolve",
		[LOST] = "lost",
		[DELIVER_FIRST] = "deliver",
		[DELIVER_TWICE] = "deliver, and again",
		[DELIVER_SECOND] = "deliver the second",
		[HUSH] = "no answer in time",
		[REAP] = "reap",
		[RESIZE] = "resize",
		[CROWD] = "others come or go",
		[TICK] = "tick",
		[KEEPALIVE_SEND] = "keepalive",
		[KEEPALIVE_COMMIT] = "keepalive commits",
		[KEEPALIVE_REPLY] = "keepalive is answered",
	};

	if (p.local[ENDING]) {
		wicket_put(t, "the lease ends");
		return;
	}
	wicket_put(t, texts[p.pc]);
	if (p.pc >= DELIVER_FIRST && (p.pc < REAP || p.pc > TICK)) {
		wicket_put(t, " for ");
		wicket_put_number(t, helper_of(c, p) + 1);
	}
}

static inline void show(const struct wicket_cfg *c,
			const struct wicket_value *regs, struct wicket_text *t)
{
	static const char phases[][6] = { "out", "waits", "holds" };
	struct world x;

	world_unpack(c, regs[0], &x);
	ticket_show_pointers(t,
			     (struct ticket){ x.issue_value, x.issue_colour },
			     (struct ticket){ x.valid_value, x.valid_colour });
	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *p = &x.client[i];

		wicket_put_char(t, ' ');
		wicket_put_number(t, i + 1);
		wicket_put_char(t, ':');
		wicket_put(t, phases[p->phase]);
		if (p->slots) {
			wicket_put(t, " slots ");
			wicket_put_number(t, p->slots);
		}
		if (!p->live)
			wicket_put(t, " (expired)");
	}
}

#endif
