/* SPDX-License-Identifier: MIT */
/* show - for people. */
#ifndef WICKET_RECOVERABLE_SHOW_H
#define WICKET_RECOVERABLE_SHOW_H

#include "algo/recoverable/invariants.h"

static inline void show_step(const struct wicket_cfg *c, struct wicket_proc p,
			     struct wicket_text *t)
{
	(void)c;
	wicket_put(t, pc_names[p.pc]);
}

static inline void show(const struct wicket_cfg *c,
			const struct wicket_value *regs, struct wicket_text *t)
{
	struct line_pointers s = line_pointers(regs[0].w[1]);

	wicket_put(t, "T=");
	if (closed(c, regs)) {
		wicket_put_char(t, 'x');
	} else if (regs[0].w[0]) {
		wicket_put_number(t, (int64_t)line_seq(regs[0].w[0]));
		wicket_put_char(t, '@');
		wicket_put_number(t, line_tag_seat(regs[0].w[0]) + 1);
	}
	wicket_put_char(t, ' ');
	ticket_show_pointers(t, s.issue, s.valid);
	wicket_put(t, " SLOT=");
	for (uint32_t i = 0; i < c->k; i++) {
		uint64_t entry = regs[slot_reg(i)].w[0];

		ticket_show(t, line_ticket(line_slot_ticket(entry)));
		if (line_slot_parked(entry))
			wicket_put_char(t, 'p');
	}
	if (line_closed(regs[0].w[1]) || line_aim(regs[0].w[1])) {
		wicket_put(t, " CLOSED=");
		wicket_put_number(t, line_closed(regs[0].w[1]));
		wicket_put_char(t, '/');
		wicket_put_number(t, line_aim(regs[0].w[1]));
	}
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat e = seat_of(c, regs, i);

		wicket_put_char(t, ' ');
		wicket_put_char(t, "FITHRrJO"[line_phase(e.state)]);
		wicket_put_number(t, (int64_t)line_seq(e.state));
		if ((line_phase(e.state) >= LINE_HAVE &&
		     line_phase(e.state) <= LINE_RELEASED) ||
		    line_phase(e.state) == LINE_OPENING)
			ticket_show(
				t, line_ticket(line_payload_ticket(e.payload)));
		if (line_units(e.state)) {
			wicket_put_char(t, '*');
			wicket_put_number(t, line_units(e.state));
			ticket_show(t, line_ticket((uint32_t)e.range));
		}
		if (line_goes_on(e.state))
			wicket_put_char(t, '~');
		if (line_dead(e.state))
			wicket_put_char(t, 'D');
		wicket_put_char(t, "-+x"[regs[bell_reg(c, i)].w[0]]);
		if (line_phase(e.state) != LINE_FREE &&
		    !is_alive(regs[life_reg(c)], line_life(e.payload)))
			wicket_put_char(t, '!');
		if (regs[fut_reg(c, i)].w[0])
			wicket_put_char(t, 'z');
	}
}

#endif
