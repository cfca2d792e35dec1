/* SPDX-License-Identifier: MIT */
/*
 * resize - the number of slots that are to be open, and the opening of those that
 * are missing.  Closing is done by whoever gives a slot back (line_release), and by
 * whoever finds a ticket valid at once while slots are to be closed.
 */
#include "line/line.h"
#include "line/recover.h"
#include "line/seat.h"

#include <errno.h>

static int end(struct wicket *h, int why)
{
	store_state(OPEN_END, h, line_to_phase(h->state, LINE_IDLE));
	return why;
}

/* The next operation of the seat, which is OPENING already, or begins to be. */
static void begin(enum pc at, struct wicket *h)
{
	store_state(at, h, line_begin(h->state, LINE_OPENING));
}

static int settle(struct wicket *h, struct line_w w)
{
	return w.t == LINE_REMOVED  ? -ESTALE :
	       recover_settle(h, w) ? -EUCLEAN :
				      0;
}

/* So many slots shall be closed: w is W then. */
static int aim_at(struct wicket *h, uint32_t closed, struct line_w *w)
{
	struct line_w next;
	int error;

	*w = read_w(h);
	do {
		error = settle(h, *w);
		if (error)
			return error;
		next = (struct line_w){ line_tag(h->state, h->me),
					line_aim_at(w->s, closed) };
	} while (!cas_w(OPEN_AIM, h, w, next));
	*w = next;
	return 0;
}

/* The slot is open: it is put into SLOT, and the heir goes in. */
static int opened(struct wicket *h, uint32_t slot, uint64_t entry, uint64_t s)
{
	uint32_t heir;
	uint64_t seq;

	/* if it fails, somebody has done it */
	cas_slot(OPEN_PUT, h, slot, entry, line_slot_opened(entry, s));
	if (line_has_heir(s) &&
	    recover_hand_over(h, line_valid(s), false, &heir, &seq))
		return recover_drive(h, heir, seq);
	return 0;
}

static int read_settled(struct wicket *h, struct line_w *w)
{
	*w = read_w(h);
	return settle(h, *w);
}

/*
 * Opens this slot, unless none is to be opened any more, or somebody else has opened
 * it.  W was settled and stands still between the look at the slot and the change: so
 * what the look says is true.
 */
static int open_slot(struct wicket *h, uint32_t slot, uint64_t entry,
		     struct line_w *w)
{
	struct line_w next;
	int error = read_settled(h, w);

	for (;;) {
		uint32_t colour = 0;

		if (error || !line_is_opening(w->s) ||
		    load_slot(OPEN_LOOK, h, slot) != entry)
			return error;
		if (line_valid_needs_colour(w->s, h->block))
			colour = new_colour(h);
		next.t = line_tag(h->state, h->me);
		next.s = line_open(w->s, h->block, colour);
		if (cas_w(OPEN_W, h, w, next))
			break;
		error = settle(h, *w);
	}
	error = opened(h, slot, entry, next.s);
	return error ? error : read_settled(h, w);
}

/* W is settled.  Whoever opens or closes slots meanwhile: it is done when no more are
   closed than shall be. */
static int open_slots(struct wicket *h, struct line_w w)
{
	int error = 0;

	while (!error && line_is_opening(w.s)) {
		uint32_t slot;
		uint64_t entry;

		begin(OPEN_NEXT, h);
		if (!recover_find_parked(OPEN_FIND, h, &slot, &entry)) {
			error = read_settled(h, &w);
			continue;
		}
		store_payload(OPEN_SLOT, h,
			      h->life | line_payload(line_slot_ticket(entry),
						     slot + 1, 0));
		error = open_slot(h, slot, entry, &w);
	}
	return error;
}

/* Those that nobody has are closed by taking their tickets, those of the dead by driving
   them; the rest by the holders. */
static int close_vacant(struct wicket *h)
{
	uint64_t s = load(&h->w->high);
	int error = 0;

	if (line_is_closing(s)) {
		error = recover_scan(h, EVERYBODY, 0);
		s = load(&h->w->high);
	}
	while (!error && line_is_closing(s) && line_vacant(s, h->block)) {
		error = wicket_try(h, 0);
		if (!error)
			wicket_release(h);
		s = load(&h->w->high);
	}
	if (error && error != -EAGAIN)
		return error;
	return line_is_closing(s) ? (int)(line_aim(s) - line_closed(s)) : 0;
}

static int resize(struct wicket *h, uint32_t slots)
{
	struct line_w w;
	int error;

	begin(OPEN_SEAT, h);
	h->last = 0;
	error = aim_at(h, h->slots - slots, &w);
	if (!error)
		error = open_slots(h, w);
	end(h, error);
	return error ? error : close_vacant(h);
}

int wicket_resize(struct wicket *h, uint32_t slots)
{
	int error = line_make_ready(h);

	if (error)
		return error;
	return slots > h->slots ? -ERANGE : resize(h, slots);
}
