/* SPDX-License-Identifier: MIT */
#include "line/recover.h"

#include "line/sleep.h"

/* For tests that must fail: what the two lines are good for. */
#ifndef WICKET_WITHOUT_SETTLE
#define WICKET_WITHOUT_SETTLE 0
#endif
#ifndef WICKET_WITHOUT_RELEASED
#define WICKET_WITHOUT_RELEASED 0
#endif

static void settle_release(struct wicket *h, struct line_w w,
			   struct line_seat c, bool *again)
{
	uint32_t slot = line_load_slot(c.load) - 1;
	uint64_t entry = load_slot(h, slot);

	*again = false;
	switch (line_put(entry, c, w.s)) {
	case LINE_PUT_PAST:
		return;
	case LINE_PUT:
		if (load_t(h) != w.t) /* whoever changed W has settled this */
			return;
		/* if it fails, somebody did it */
		cas_slot(h, slot, entry,
			 line_slot_next(entry, line_valid(w.s),
					line_load_died(c.load)));
		break;
	case LINE_PUT_DONE:
		break;
	}
	if (WICKET_WITHOUT_RELEASED)
		return;
	/* SLOT first, phase second */
	*again = !cas_seat(h, line_tag_seat(w.t), c, line_given_back(c, w.s));
}

void wicket_settle(struct wicket *h, struct line_w w)
{
	bool again = owes(h, w) && !WICKET_WITHOUT_SETTLE;

	while (again) {
		uint32_t i = line_tag_seat(w.t);
		struct line_seat c = load_seat(h, i);

		switch (line_settle(w.t, c)) {
		case LINE_SETTLED:
			return;
		case LINE_SETTLE_TAKE:
			again = !cas_seat(h, i, c, line_taken(c, w.s));
			break;
		case LINE_SETTLE_RELEASE:
			settle_release(h, w, c, &again);
			break;
		}
	}
}

uint32_t wicket_new_colour(struct wicket *h)
{
	uint64_t used[LINE_COLOUR_WORDS] = { 0 };

	for (uint32_t i = 0; i < h->slots; i++)
		line_use_colour(used, line_slot_ticket(load_slot(h, i)));
	return line_new_colour(used);
}

static uint32_t used_seats(struct wicket *h)
{
	return atomic_load_explicit(&h->area->used, memory_order_acquire);
}

static bool is_heir(struct line_seat c, uint32_t ticket)
{
	return line_phase(c.state) == LINE_HAVE &&
	       line_load_ticket(c.load) == ticket;
}

/* Whoever waits has left its seat there. */
static bool is_hinted(struct wicket *h, uint32_t ticket, uint32_t *heir)
{
	*heir = atomic_load_explicit(&h->hint[line_ticket(ticket).value],
				     memory_order_relaxed);
	return *heir < used_seats(h) && is_heir(snapshot(h, *heir), ticket);
}

static bool seek_heir(struct wicket *h, uint32_t ticket, uint32_t *heir,
		      struct line_seat *c)
{
	uint32_t used = used_seats(h);

	if (is_hinted(h, ticket, heir)) {
		*c = load_seat(h, *heir);
		return is_heir(*c, ticket);
	}
	for (uint32_t i = 0; i < used; i++) {
		*c = load_seat(h, i);
		*heir = i;
		if (is_heir(*c, ticket))
			return true;
	}
	return false;
}

bool wicket_hand_over(struct wicket *h, uint32_t ticket, bool anyway,
		      uint32_t *heir, uint64_t *seq)
{
	struct line_seat c;

	if (!seek_heir(h, ticket, heir, &c))
		return false;
	*seq = line_seq(c.state);
	if (line_dead(c.state))
		return true;
	if (cas_fut(h, *heir, line_armed(c.state), 0) || anyway)
		wicket_wake(h, *heir);
	return false;
}

/* HAVE, valid: -> RELEASING, once its slot is known. */
static void give_back(struct wicket *h, struct line_w w, uint32_t j,
		      struct line_seat c)
{
	uint32_t slot;
	uint64_t entry;

	if (!find_slot(h, line_load_ticket(c.load), &slot, &entry))
		wicket_settle(h, w);
	else if (cas_seat(h, j, c, line_give_back(c, slot, entry)) &&
		 line_load_slot(c.load))
		atomic_fetch_add_explicit(&h->area->recovered, 1,
					  memory_order_relaxed);
}

static void apply_release(struct wicket *h, struct line_w w, uint32_t j,
			  struct line_seat c)
{
	struct line_w next = { .t = line_tag(c.state, j) };
	uint32_t colour = 0;

	wicket_settle(h, w);
	if (w.t == next.t) {
		if (WICKET_WITHOUT_RELEASED)
			cas_seat(h, j, c, line_end(c));
		return;
	}
	if (line_release_needs_colour(w.s, h->block))
		colour = wicket_new_colour(h);
	next.s = line_release(w.s, h->block, colour);
	if (cas_w(h, &w, next))
		wicket_settle(h, next);
}

void wicket_drive(struct wicket *h, uint32_t j, uint64_t d)
{
	for (;;) {
		struct line_w w = read_w(h);
		struct line_seat c = load_seat(h, j);
		uint32_t heir = 0;
		bool passes_on;

		switch (line_drive(w.t, w.s, j, c, d)) {
		case LINE_DRIVEN:
			return;
		case LINE_DRIVE_FREE:
			if (cas_seat(h, j, c, line_end(c)))
				return;
			break;
		case LINE_DRIVE_AGAIN:
			d = line_seq(c.state);
			break;
		case LINE_DRIVE_SETTLE:
			wicket_settle(h, w);
			break;
		case LINE_DRIVE_GIVE:
			give_back(h, w, j, c);
			break;
		case LINE_DRIVE_RELEASE:
			d = line_seq(c.state);
			apply_release(h, w, j, c);
			break;
		case LINE_DRIVE_RELEASED:
			passes_on =
				wicket_hand_over(h, line_load_ticket(c.load),
						 line_dead(c.state), &heir, &d);
			if (!cas_seat(h, j, c, line_end(c)) || !passes_on)
				return;
			j = heir;
			break;
		}
	}
}

/* Has it a slot, or is it giving one back? */
static bool is_ahead(struct wicket *h, struct line_seat c)
{
	switch (line_phase(c.state)) {
	case LINE_HAVE:
		return line_is_valid(load(&h->w->high),
				     line_load_ticket(c.load));
	case LINE_RELEASING:
	case LINE_RELEASED:
		return true;
	default:
		return false;
	}
}

void wicket_scan(struct wicket *h, struct watch *watch)
{
	uint32_t used = used_seats(h);

	for (uint32_t i = 0; i < used; i++) {
		struct line_seat c;

		if (i == h->me)
			continue;
		c = load_seat(h, i);
		if (line_phase(c.state) == LINE_FREE)
			continue;
		if (!line_dead(c.state)) {
			if (!line_left(c, load_live(h, i))) {
				if (watch && watch->count < WATCH_MAX &&
				    is_ahead(h, c))
					watch->seat[watch->count++] = i;
				continue;
			}
			if (line_kept(c) && load_keep(h, i, c.state)) {
				if (watch)
					watch->orphans = true;
				continue;
			}
			/* the death of the owner that the seat had then */
			cas_seat(h, i, c, line_marked(c));
		}
		wicket_drive(h, i, line_seq(c.state));
	}
}

/* Does who has this ticket live and still want it?  If it has not yet said that
   it has it, nobody knows: then seat is NO_SEAT. */
static bool lives(struct wicket *h, uint32_t ticket, uint32_t *seat)
{
	uint32_t i, used = used_seats(h);

	if (!is_hinted(h, ticket, &i)) {
		for (i = 0; i < used && !is_heir(snapshot(h, i), ticket); i++)
			;
	}
	*seat = i < used ? i : NO_SEAT;
	return i == used || (!line_dead(load(&h->seats[i].word.low)) &&
			     peek_live(h, i) == LINE_ALIVE);
}

bool wicket_watch_line(struct wicket *h, uint64_t s, struct watch *watch)
{
	uint32_t most = h->slots < WATCH_LINE ? h->slots : WATCH_LINE;
	struct ticket t = line_ticket(h->ticket),
		      valid = line_pointers(s).valid;
	bool any = false;

	*watch = (struct watch){ .count = 0 };
	for (uint32_t i = line_position(s, h->ticket, h->block);
	     i > 0 && watch->count < most; i--) {
		uint32_t seat;

		t = t.value ? (struct ticket){ t.value - 1, t.colour } :
			      (struct ticket){ h->block - 1, valid.colour };
		if (!lives(h, line_ticket_word(t), &seat))
			continue;
		any = true;
		if (seat != NO_SEAT)
			watch->seat[watch->count++] = seat;
	}
	return any;
}
