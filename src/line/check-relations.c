/* SPDX-License-Identifier: MIT */
/*
 * check-relations - checks the words of a line that stands still against each other:
 * every ticket that is out is in its place, and as many are out as W says (R1 to R4, R9
 * and R11 of algo/recoverable.c).
 */
#include "line/check.h"

enum { NOT_OWNED = UINT16_MAX };

/* Is t after low, and not after high, which leads it? */
static bool is_between(struct ticket t, struct ticket low, struct ticket high)
{
	if (low.colour == high.colour)
		return t.colour == low.colour && t.value > low.value &&
		       t.value <= high.value;
	return (t.colour == low.colour && t.value > low.value) ||
	       (t.colour == high.colour && t.value <= high.value);
}

/* Tickets taken and not valid yet. */
static uint32_t waiting(const struct exam *x)
{
	struct line_pointers p = line_pointers(x->w.s);

	return ticket_leads(p.valid, p.issue) ?
		       0 :
		       line_distance(p.issue, p.valid, x->second.block);
}

/* Is there a release, or an opening, that is applied but not written down? */
static bool is_owed(struct exam *x, struct line_seat *c)
{
	if (!line_has_tag(x->w.t))
		return false;
	*c = seat_of(&x->second, line_tag_seat(x->w.t));
	switch (line_settle(x->w.t, x->w.s, *c)) {
	case LINE_SETTLE_RELEASE:
	case LINE_SETTLE_PARK:
	case LINE_SETTLE_OPEN:
		return true;
	default:
		return false;
	}
}

/* SLOT; if what changes it is applied but not put, as it will be. */
static uint64_t entry_of(struct exam *x, uint32_t slot)
{
	uint64_t entry = load(&x->second.slot[slot]);
	struct line_seat c;

	return is_owed(x, &c) && line_payload_slot(c.payload) == slot + 1 &&
			       line_put(entry, c, x->w.s) == LINE_PUT ?
		       line_slot_settled(entry, c, x->w.s) :
		       entry;
}

static uint32_t ticket_of(struct exam *x, uint32_t slot)
{
	return line_slot_ticket(entry_of(x, slot));
}

/* What W's tag names has left its traces where it was written down. */
static void check_last(struct exam *x)
{
	uint32_t i = line_tag_seat(x->w.t), ticket, slot;
	struct line_seat c;

	if (!line_has_tag(x->w.t))
		return;
	c = seat_of(&x->second, i);
	if (line_tag(c.state, i) != x->w.t)
		return;
	ticket = line_payload_ticket(c.payload);
	slot = line_payload_slot(c.payload);
	/* with D, it may have been moved back to that one; of several that one HAS,
	   the last operation may have given one back */
	if (line_phase(c.state) == LINE_HAVE && !line_dead(c.state) &&
	    !line_units(c.state) && ticket != line_issue(x->w.s))
		check_wrong(x, "SEAT %u: took the last ticket, but has another",
			    i);
	if (line_phase(c.state) == LINE_RELEASED &&
	    ticket != line_valid(x->w.s))
		check_wrong(
			x,
			"SEAT %u: validated the last ticket, but says another",
			i);
	if (is_owed(x, &c) && slot &&
	    line_put(load(&x->second.slot[slot - 1]), c, x->w.s) ==
		    LINE_PUT_PAST)
		check_wrong(
			x,
			"SLOT %u: neither the ticket that seat %u gives back, "
			"nor the one that follows",
			slot - 1, i);
}

/* R2: the tickets of the waiting follow VALID, each once. */
static void check_waiter(struct exam *x, uint32_t i, uint32_t word,
			 uint32_t slot)
{
	struct line_pointers p = line_pointers(x->w.s);
	struct ticket t = line_ticket(word);
	uint32_t at = line_position(x->w.s, word, x->second.block);

	if (!is_between(t, p.valid, p.issue))
		check_wrong(
			x,
			"SEAT %u: its ticket (%u,%u) is neither valid nor in "
			"line",
			i, t.value, t.colour);
	else if (slot)
		check_wrong(x,
			    "SEAT %u: in slot %u, but (%u,%u) is not valid yet",
			    i, slot - 1, t.value, t.colour);
	else if (x->waits[at / 64] >> at % 64 & 1)
		check_wrong(x,
			    "SEAT %u: another one has its ticket (%u,%u) too",
			    i, t.value, t.colour);
	else
		x->waits[at / 64] |= (uint64_t)1 << at % 64;
}

/* R1: a valid ticket is that of one slot, and of one seat. */
static void check_holder(struct exam *x, uint32_t i, uint32_t word,
			 uint32_t slot)
{
	struct ticket t = line_ticket(word);
	uint32_t found = 0;

	while (found < x->second.slots && ticket_of(x, found) != word)
		found++;
	if (found == x->second.slots)
		check_wrong(x, "SEAT %u: no slot has its valid ticket (%u,%u)",
			    i, t.value, t.colour);
	else if (slot && slot != found + 1)
		check_wrong(x, "SEAT %u: in slot %u, but (%u,%u) is slot %u's",
			    i, slot - 1, t.value, t.colour, found);
	else if (x->owner[found] != NOT_OWNED)
		check_wrong(x, "SEAT %u: seat %u has its ticket (%u,%u) too", i,
			    x->owner[found], t.value, t.colour);
	else
		x->owner[found] = (uint16_t)i;
}

/* An exchange that W's tag names: has the other seat got the ticket of this one? */
static bool is_moved(struct exam *x, uint32_t i, uint32_t ticket)
{
	for (uint32_t j = 0; j < x->second.seat_count; j++) {
		if (j != i && line_has_last(seat_of(&x->second, j), ticket))
			return true;
	}
	return false;
}

/* How many tickets are out in seat i, and the last of them; where an exchange is half
   written down, that to be written. */
static uint32_t count_out(struct exam *x, uint32_t i, struct line_seat c,
			  uint32_t *last)
{
	uint32_t units = line_is_out(x->w.t, x->w.s, i, c, last);

	if (units && line_is_ahead(x->w.t, i, c) && is_moved(x, i, *last))
		*last = line_ticket_after(x->w.s, *last, x->second.block);
	return units;
}

/* One that is out.  Of several, the payload tells of one at most. */
static void check_ticket(struct exam *x, uint32_t i, struct line_seat c,
			 uint32_t word)
{
	bool told = line_phase(c.state) != LINE_TAKING &&
		    line_payload_ticket(c.payload) == word;
	uint32_t slot = told ? line_payload_slot(c.payload) : 0;

	if (line_is_valid(x->w.s, word))
		check_holder(x, i, word, slot);
	else
		check_waiter(x, i, word, slot);
}

/* R3, R4: as many tickets are out as ISSUE and VALID say. */
static void check_out(struct exam *x)
{
	uint32_t k = x->second.slots - line_closed(x->w.s), out = 0;
	uint32_t vacant = line_vacant(x->w.s, x->second.block);
	uint32_t expected = k + waiting(x) - vacant;

	for (uint32_t i = 0; i < x->second.seat_count; i++) {
		struct line_seat c = seat_of(&x->second, i);
		uint32_t last, units = count_out(x, i, c, &last);

		out += units;
		for (uint32_t j = 1; j <= units; j++)
			check_ticket(x, i, c,
				     line_nth_out(c, last, j, x->second.block));
	}
	if (vacant > k)
		check_wrong(x, "W: VALID is %u ahead of ISSUE, with %u slots",
			    vacant, k);
	else if (out != expected)
		check_wrong(x,
			    "W: by ISSUE and VALID %u tickets are out, not %u",
			    expected, out);
	if (x->w.t == LINE_REMOVED && out)
		check_wrong(x, "W: removed, though %u tickets are out", out);
}

/* A slot nobody has is that of a ticket that is valid and not yet taken. */
static void check_vacant(struct exam *x)
{
	struct line_pointers p = line_pointers(x->w.s);

	for (uint32_t i = 0; i < x->second.slots; i++) {
		struct ticket t = line_ticket(ticket_of(x, i));

		if (x->owner[i] == NOT_OWNED &&
		    !line_slot_parked(entry_of(x, i)) &&
		    (!line_vacant(x->w.s, x->second.block) ||
		     !is_between(t, p.issue, p.valid)))
			check_wrong(
				x,
				"SLOT %u: nobody has its ticket (%u,%u), and "
				"nobody will",
				i, t.value, t.colour);
		for (uint32_t j = 0; j < i; j++) {
			if (ticket_of(x, i) == ticket_of(x, j))
				check_wrong(
					x, "SLOT %u: has the ticket of slot %u",
					i, j);
		}
	}
}

/* R11, R9: a slot that is closed is marked, and if one is closed that shall be open,
   somebody opens it. */
static void check_closed(struct exam *x)
{
	uint32_t marked = 0, closed = line_closed(x->w.s);
	bool opened = !line_is_opening(x->w.s) || x->w.t == LINE_REMOVED;

	for (uint32_t i = 0; i < x->second.slots; i++) {
		bool parked = line_slot_parked(entry_of(x, i));

		marked += parked;
		if (parked && x->owner[i] != NOT_OWNED)
			check_wrong(x, "SLOT %u: closed, but seat %u has it", i,
				    x->owner[i]);
	}
	if (marked != closed)
		check_wrong(x, "W: %u slots are closed, but %u are marked so",
			    closed, marked);
	for (uint32_t i = 0; i < x->second.seat_count && !opened; i++) {
		uint64_t state = seat_of(&x->second, i).state;

		opened = line_phase(state) == LINE_OPENING ||
			 line_goes_on(state);
	}
	if (!opened)
		check_wrong(x,
			    "W: %u slots are closed, %u shall be, and nobody "
			    "opens the others",
			    closed, line_aim(x->w.s));
}

void check_relations(struct exam *x)
{
	for (uint32_t i = 0; i < x->second.slots; i++)
		x->owner[i] = NOT_OWNED;
	check_last(x);
	check_out(x);
	check_vacant(x);
	check_closed(x);
}
