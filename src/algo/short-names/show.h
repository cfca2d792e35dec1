/* SPDX-License-Identifier: MIT */
/* show - for people: a colour is a letter. */
#ifndef WICKET_SHORT_NAMES_SHOW_H
#define WICKET_SHORT_NAMES_SHOW_H

#include "algo/short-names/process.h"

static inline void put_colour(struct wicket_text *t, uint32_t colour)
{
	wicket_put_char(t, (char)('a' + colour));
}

static inline void put_ticket(struct wicket_text *t, struct ticket ticket)
{
	put_colour(t, ticket.colour);
	wicket_put_number(t, ticket.number);
}

static inline void put_entry(const struct wicket_cfg *c, struct wicket_text *t,
			     struct entry e)
{
	if (e.colour == NONE) {
		wicket_put_char(t, '-');
		return;
	}
	put_colour(t, e.colour);
	if (names_have_bits(c)) {
		wicket_put_number(t, e.position);
		wicket_put_char(t, e.bit ? '+' : '.');
	}
}

static inline void show_step(const struct wicket_cfg *c, struct wicket_proc p,
			     struct wicket_text *t)
{
	static const char *const name[] = {
		[ENTER] = "enter",     [TRY] = "look, ticket ",
		[LEAVE] = "leave",     [ADVANCE] = "advance",
		[FIRST] = "colour 1",  [SECOND] = "colour 2",
		[CONVERSE] = "listen",
	};

	wicket_put(t, name[p.pc]);
	if (p.pc != TRY)
		return;
	put_ticket(t, held(c, p));
	if (p.local[TALK]) {
		wicket_put(t, ", channel ");
		wicket_put_number(t, (int64_t)p.local[TALK]);
	}
}

static inline void show(const struct wicket_cfg *c,
			const struct wicket_value *regs, struct wicket_text *t)
{
	struct office o = unpack(c, regs[0]);

	wicket_put(t, "exposed=");
	for (uint32_t i = 0; i < o.length; i++)
		put_entry(c, t, o.exposed[i]);
	wicket_put(t, o.quitter ? " quitter inside=" : " inside=");
	wicket_put_number(t, o.inside);
	wicket_put(t, " issue=");
	put_ticket(t, (struct ticket){ o.issue, o.issued });
	wicket_put(t, " asked=");
	for (uint32_t i = 0; i < colours(c); i++) {
		if (is_in(o.asked, i))
			put_colour(t, i);
	}
	wicket_put(t, " ch=");
	for (uint32_t i = 0; i < c->r; i++)
		wicket_put_char(t, "-01>)(tx"[o.channel[i]]);
}

#endif
