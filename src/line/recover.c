/* SPDX-License-Identifier: MIT */
#include "line/recover.h"

/* A test builds the library without one of these, and must notice. */
#ifndef WICKET_WITHOUT_SETTLE
#define WICKET_WITHOUT_SETTLE 0
#endif
#ifndef WICKET_WITHOUT_RELEASED
#define WICKET_WITHOUT_RELEASED 0
#endif
#ifndef WICKET_WITHOUT_SEARCH
#define WICKET_WITHOUT_SEARCH 0
#endif

/* The release is over, but for whoever is to be woken; true: the seat has changed
   since it was read. */
static bool settle_done(struct wicket *h, struct line_w w, struct line_seat c)
{
	return !WICKET_WITHOUT_RELEASED &&
	       !cas_seat(SETTLE_DONE, h, line_tag_seat(w.t), c,
			 line_given_back(c, w.s));
}

static int settle_release(struct wicket *h, struct line_w w, struct line_seat c,
			  bool *again)
{
	uint32_t slot = line_payload_slot(c.payload) - 1;
	uint64_t entry;

	*again = false;
	if (slot >= h->slots)
		return -EUCLEAN;
	entry = load_slot(SETTLE_SLOT, h, slot);
	switch (line_put(entry, c, w.s)) {
	case LINE_PUT_PAST:
		return 0;
	case LINE_PUT:
		/* whoever changed W has settled this */
		if (load_t(SETTLE_LOOK, h) != w.t)
			return 0;
		/* if it fails, somebody did it */
		cas_slot(SETTLE_PUT, h, slot, entry,
			 line_slot_settled(entry, c, w.s));
		break;
	case LINE_PUT_DONE:
		break;
	}
	/* SLOT first, phase second */
	*again = settle_done(h, w, c);
	return 0;
}

/* Seats ever sat in, but never more than there are. */
static uint32_t used_seats(struct wicket *h)
{
	uint32_t used = atomic_load_explicit(&h->area->used,
					     memory_order_acquire);

	return used < h->seat_count ? used : h->seat_count;
}

/* Whoever waits has left its seat there. */
bool recover_is_hinted(struct wicket *h, uint32_t ticket, uint32_t *heir)
{
	uint32_t value = line_ticket(ticket).value;

	if (value >= h->block)
		return false;
	*heir = atomic_load_explicit(&h->hint[value], memory_order_relaxed);
	return *heir < used_seats(h) &&
	       line_is_heir(snapshot(h, *heir), ticket, h->block);
}

/* Seat i, if it still has the ticket that was exchanged, gets the other one; false:
   W has changed, which whoever did it has settled. */
static bool settle_move(struct wicket *h, struct line_w w, uint32_t i,
			uint32_t from, uint32_t to, bool *moved)
{
	struct line_seat c = load_seat(SETTLE_FIND, h, i);

	*moved = false;
	while (!*moved && line_has_last(c, from)) {
		/* the ticket may have been taken back since, and taken anew */
		if (load_t(SETTLE_STILL, h) != w.t)
			return false;
		*moved = cas_seat(SETTLE_MOVE, h, i, c, line_moved(c, to));
		if (!*moved) /* its owner may have died */
			c = load_seat(SETTLE_FIND, h, i);
	}
	return true;
}

/* First the seat that has the ticket after, then this one, which has D.  If none has
   it, somebody has written it there. */
static bool settle_exchange(struct wicket *h, struct line_w w, uint32_t j,
			    struct line_seat c)
{
	uint32_t to = line_payload_ticket(c.payload), i = 0;
	uint32_t from = line_ticket_after(w.s, to, h->block);
	uint32_t end = used_seats(h);
	bool moved = false;

	if (recover_is_hinted(h, from, &i) && i != j)
		end = i + 1;
	else
		i = 0;
	for (; i < end && !moved; i++) {
		if (i != j && !settle_move(h, w, i, from, to, &moved))
			return false;
	}
	return !cas_seat(SETTLE_DONE, h, j, c,
			 line_moved_back(c, w.s, h->block));
}

/* It goes round only if the seat has changed since it was read: that ends, unless
   somebody keeps writing at random. */
int recover_settle(struct wicket *h, struct line_w w)
{
	bool again = owes(h, w) && !WICKET_WITHOUT_SETTLE;
	uint32_t i = line_tag_seat(w.t);
	int error = 0;

	if (again && i >= h->seat_count)
		return -EUCLEAN;
	while (again) {
		struct line_seat c = load_seat(SETTLE_SEAT, h, i);

		switch (line_settle(w.t, w.s, c)) {
		case LINE_SETTLED:
			return 0;
		case LINE_SETTLE_TAKE:
			again = !cas_seat(SETTLE_HAVE, h, i, c,
					  line_taken(c, w.s));
			break;
		case LINE_SETTLE_RELEASE:
		case LINE_SETTLE_PARK:
		case LINE_SETTLE_OPEN:
			error = settle_release(h, w, c, &again);
			break;
		case LINE_SETTLE_BACK:
			again = settle_done(h, w, c);
			break;
		case LINE_SETTLE_RETRACT:
			again = !cas_seat(SETTLE_DONE, h, i, c,
					  line_retracted(c));
			break;
		case LINE_SETTLE_EXCHANGE:
			again = settle_exchange(h, w, i, c);
			break;
		}
	}
	return error;
}

/* Whose seat is sought: whom a ticket concerns that has become valid; or the one whose
   last ticket it is. */
enum whose { HEIRS, LAST };

static bool is_sought(const struct wicket *h, struct line_seat c,
		      uint32_t ticket, enum whose whose)
{
	return whose == HEIRS ? line_is_heir(c, ticket, h->block) :
				line_has_last(c, ticket);
}

static bool seek(struct wicket *h, uint32_t ticket, enum whose whose,
		 uint32_t *heir, struct line_seat *c)
{
	uint32_t used = used_seats(h);

	SEEKS(ticket);
	if (recover_is_hinted(h, ticket, heir)) {
		*c = load_seat(HEIR, h, *heir);
		return is_sought(h, *c, ticket, whose);
	}
	if (WICKET_WITHOUT_SEARCH)
		return false;
	for (uint32_t i = 0; i < used; i++) {
		*c = load_seat(HEIR, h, i);
		*heir = i;
		if (is_sought(h, *c, ticket, whose))
			return true;
	}
	return false;
}

bool recover_hand_over(struct wicket *h, uint32_t ticket, bool anyway,
		       uint32_t *heir, uint64_t *seq)
{
	struct line_seat c;

	if (!seek(h, ticket, HEIRS, heir, &c))
		return false;
	*seq = line_seq(c.state);
	if (line_dead(c.state))
		return true;
	if (cas_fut(WAKE_CLEAR, h, *heir, line_armed(c.state), 0) || anyway)
		wake(WAKE, h, *heir);
	return false;
}

void recover_tell_first(struct wicket *h)
{
	uint64_t s = load_s(TELL_W, h);
	uint32_t ticket = h->ticket, heir;
	struct line_seat c;

	/* ISSUE is at most one block further than the end of the ticket's own */
	for (uint32_t i = 0; ticket != line_issue(s) && i < 2 * h->block; i++) {
		ticket = line_ticket_after(s, ticket, h->block);
		if (!seek(h, ticket, HEIRS, &heir, &c) || line_dead(c.state))
			continue;
		if (cas_fut(WAKE_CLEAR, h, heir, line_armed(c.state), 0))
			wake(WAKE, h, heir);
		return;
	}
}

/* HAVE, valid: -> RELEASING, once its slot is known. */
static int give_back(struct wicket *h, struct line_w w, uint32_t j,
		     struct line_seat c)
{
	uint32_t slot;
	uint64_t entry;

	if (!find_slot(DRIVE_FIND, h, line_first(c, h->block), &slot, &entry))
		return recover_settle(h, w);
	if (cas_seat(DRIVE_GIVE, h, j, c, line_give_back(c, slot, entry)) &&
	    line_died_inside(c) && !line_is_left(c))
		atomic_fetch_add_explicit(&h->area->recovered, 1,
					  memory_order_relaxed);
	return 0;
}

static int apply_release(struct wicket *h, struct line_w w, uint32_t j,
			 struct line_seat c)
{
	struct line_w next = { .t = line_tag(c.state, j) };
	uint32_t colour = 0;
	int error = recover_settle(h, w);

	if (error)
		return error;
	if (w.t == next.t) {
		if (WICKET_WITHOUT_RELEASED)
			cas_seat(DRIVE_END, h, j, c, line_end(c));
		return 0;
	}
	if (line_release_needs_colour(w.s, h->block))
		colour = new_colour(h);
	next.s = line_release(w.s, h->block, colour);
	return cas_w(DRIVE_W, h, &w, next) ? recover_settle(h, next) : 0;
}

/* Only whoever waits with one ticket has one that it would exchange. */
static enum line_drive verdict_on(const struct wicket *h, struct line_w w,
				  uint32_t j, struct line_seat c, uint64_t d)
{
	uint32_t ticket = line_first(c, h->block);

	return line_is_single(h->state, LINE_HAVE) ?
		       line_drive_waiting(w.t, w.s, j, c, ticket, d, h->ticket,
					  h->block) :
		       line_drive(w.t, w.s, j, c, ticket, d, h->block);
}

/* For whoever validates the ticket that we wait with; a wrong one costs a search. */
void recover_leave_hint(struct wicket *h)
{
	atomic_store_explicit(&h->hint[line_ticket(h->ticket).value],
			      (uint16_t)h->me, memory_order_relaxed);
}

/*
 * HAVE, with tickets that are not wanted: if they are the last ones, they are taken
 * back; if it is the one before ours, we exchange them.  Settling may have changed the seat's
 * ticket, so it is read after that; as long as W stands still, nobody changes it.
 * retracted: W is as that has made it.
 */
static int retract(struct wicket *h, struct line_w *w, uint32_t j, uint64_t d,
		   bool *retracted)
{
	struct line_w next;
	struct line_seat c;
	uint32_t ticket;
	int error = recover_settle(h, *w);

	*retracted = false;
	if (error)
		return error;
	c = load_seat(RETRACT_SEAT, h, j);
	ticket = line_first(c, h->block);
	next.t = line_tag_of_next(c.state, j);
	next.s = line_unmoved(w->s);
	switch (verdict_on(h, *w, j, c, d)) {
	case LINE_DRIVE_RETRACT:
		next.s = line_retract(w->s, ticket, h->block);
		*retracted = cas_w(RETRACT_W, h, w, next);
		if (!*retracted)
			return 0;
		break;
	case LINE_DRIVE_EXCHANGE:
		if (!cas_w(EXCHANGE_W, h, w, next))
			return 0;
		h->ticket = ticket;
		recover_leave_hint(h);
		break;
	default:
		return 0;
	}
	*w = next;
	return recover_settle(h, next);
}

/* The last ticket, if it is not valid and whoever had it has gone: where is it? */
static bool seek_unwanted(struct wicket *h, uint64_t s, uint32_t *j,
			  uint64_t *d)
{
	struct line_seat c;
	uint32_t heir;

	if (line_issue_is_valid(s) ||
	    !seek(h, line_issue(s), LAST, &heir, &c) || !line_dead(c.state))
		return false;
	*j = heir;
	*d = line_seq(c.state);
	return true;
}

/*
 * What opens a slot, if it still can.  If not, W is only tagged: else another helper,
 * to whom it looked otherwise, could apply it after the seat was freed.
 */
static int apply_opening(struct wicket *h, struct line_w w, uint32_t j,
			 struct line_seat c)
{
	uint32_t slot = line_payload_slot(c.payload) - 1, colour = 0;
	struct line_w next = { line_tag(c.state, j), line_unmoved(w.s) };
	int error = recover_settle(h, w);

	if (error || w.t == next.t)
		return error;
	if (line_is_opening(w.s) && line_payload_slot(c.payload)) {
		if (slot >= h->slots)
			return -EUCLEAN;
		if (line_can_open(w.s, c, load_slot(DRIVE_LOOK, h, slot))) {
			if (line_valid_needs_colour(w.s, h->block))
				colour = new_colour(h);
			next.s = line_open(w.s, h->block, colour);
		}
	}
	return cas_w(DRIVE_W, h, &w, next) ? recover_settle(h, next) : 0;
}

/* A slot that is closed, and its word; false: none is marked yet. */
bool recover_find_parked(enum pc at, struct wicket *h, uint32_t *slot,
			 uint64_t *entry)
{
	for (uint32_t i = 0; i < h->slots; i++) {
		*entry = load_slot(at, h, i);
		*slot = i;
		if (line_slot_parked(*entry))
			return true;
	}
	return false;
}

/* The heir has been told; are there more slots to be opened?  W is read after the
   seat: whoever wants more of them later sees to it.  True: the seat is free. */
static bool go_on(struct wicket *h, uint32_t j, struct line_seat c)
{
	struct line_w w = read_w(h);
	uint32_t slot, slot1 = 0;
	uint64_t entry;

	if (!line_is_opening(w.s)) {
		cas_seat(DRIVE_END, h, j, c, line_end(c));
		return true;
	}
	if (recover_find_parked(DRIVE_PARKED, h, &slot, &entry))
		slot1 = slot + 1;
	cas_seat(DRIVE_ON, h, j, c,
		 line_go_on(c, slot1 ? line_slot_ticket(entry) : 0, slot1));
	return false;
}

/* One round of drive: what it began with, and how often that was the same. */
struct round {
	struct line_w w;
	struct line_seat c;
	uint32_t j, repeats;
	uint64_t d;
};

/*
 * Whatever drive does in a round it does by a compare-and-swap from what it read,
 * which fails only if that has changed: so W, the seat or d differ in the next.
 * But for two: where settle finds the tag's slot past its release, W or the seat
 * has changed; and where no slot has a valid ticket (GIVE), the release that is to
 * put it there is settled, so that the next round finds it.  T and a seat's state
 * never come back: the same in three rounds, they stood still from the first to
 * the third, and the second searched all slots after the settling.  No process
 * that is slow, stopped or dead is waited for.  So in a line whose words are the
 * protocol's, three such rounds do not happen.
 */
static bool is_stuck(struct round *last, struct line_w w, uint32_t j,
		     struct line_seat c, uint64_t d)
{
	if (is_same_w(last->w, w) && last->j == j && last->d == d &&
	    last->c.state == c.state && last->c.payload == c.payload)
		return ++last->repeats == 2;
	*last = (struct round){ .w = w, .c = c, .j = j, .d = d };
	return false;
}

/* left: a seat with more to give back, or to open, was left for a dead heir's. */
static int drive(struct wicket *h, uint32_t j, uint64_t d, bool *left)
{
	struct round last = { .j = NO_SEAT };
	int error = 0;

	while (!error) {
		struct line_w w = read_w(h);
		struct line_seat c = load_seat(DRIVE_SEAT, h, j);
		uint32_t heir = 0;
		uint64_t its_d = 0;
		bool passes_on, retracted;

		if (is_stuck(&last, w, j, c, d))
			return -EUCLEAN;
		switch (verdict_on(h, w, j, c, d)) {
		case LINE_DRIVEN:
			return 0;
		case LINE_DRIVE_FREE:
			if (cas_seat(DRIVE_FREE, h, j, c, line_end(c)))
				return 0;
			break;
		case LINE_DRIVE_AGAIN:
			d = line_seq(c.state);
			break;
		case LINE_DRIVE_SETTLE:
			error = recover_settle(h, w);
			break;
		case LINE_DRIVE_GIVE:
			error = give_back(h, w, j, c);
			break;
		case LINE_DRIVE_RELEASE:
			d = line_seq(c.state);
			error = apply_release(h, w, j, c);
			break;
		case LINE_DRIVE_RELEASED:
			passes_on = recover_hand_over(
				h, line_payload_ticket(c.payload),
				line_dead(c.state), &heir, &its_d);
			if (!cas_seat(DRIVE_END, h, j, c, line_end(c)) ||
			    !(passes_on || line_has_more(c.state)))
				return 0;
			if (!passes_on)
				break;
			*left |= line_has_more(c.state);
			j = heir;
			d = its_d;
			break;
		case LINE_DRIVE_RETRACT:
		case LINE_DRIVE_EXCHANGE:
			error = retract(h, &w, j, d, &retracted);
			if (retracted && !error &&
			    !seek_unwanted(h, w.s, &j, &d))
				return 0;
			break;
		case LINE_DRIVE_OPEN:
			d = line_seq(c.state);
			error = apply_opening(h, w, j, c);
			break;
		case LINE_DRIVE_ON:
			if (recover_hand_over(h, line_payload_ticket(c.payload),
					      true, &heir, &d)) {
				*left = true;
				j = heir;
			} else if (go_on(h, j, c)) {
				return 0;
			}
			break;
		}
	}
	return error;
}

/* All who have D, until there is nothing left to do for them. */
static int drive_all(struct wicket *h)
{
	uint32_t used = used_seats(h);
	int error = 0;

	for (uint32_t i = 0; i < used && !error; i++) {
		struct line_seat c;
		bool left = false;

		if (i == h->me)
			continue;
		c = load_seat(SCAN_SEAT, h, i);
		if (line_phase(c.state) != LINE_FREE && line_dead(c.state))
			error = drive(h, i, line_seq(c.state), &left);
		if (left)
			i = UINT32_MAX; /* from the first one */
	}
	return error;
}

int recover_drive(struct wicket *h, uint32_t j, uint64_t d)
{
	bool left = false;
	int error = drive(h, j, d, &left);

	return left && !error ? drive_all(h) : error;
}

/* Has it a slot, or is it giving one back? */
static bool is_ahead(struct wicket *h, struct line_seat c)
{
	switch (line_phase(c.state)) {
	case LINE_HAVE:
		return line_is_valid(load(&h->w->high),
				     line_first(c, h->block));
	case LINE_RELEASING:
	case LINE_RELEASED:
	case LINE_OPENING:
		return true;
	default:
		return false;
	}
}

/* How many are asked for at a time, of those ahead. */
enum { ASKS = 16 };

struct inquiry {
	enum whom asked;
	uint32_t left, next;
};

static bool is_asked(struct wicket *h, struct inquiry *q, uint32_t i,
		     struct line_seat c)
{
	if (q->asked == NOBODY || q->asked == EVERYBODY)
		return q->asked == EVERYBODY;
	if (!is_ahead(h, c) ||
	    (q->asked == A_FEW_AHEAD && (i < h->ask_from || !q->left)))
		return false;
	q->left -= q->asked == A_FEW_AHEAD;
	q->next = i + 1;
	return true;
}

static int look_at(struct wicket *h, struct inquiry *q, uint32_t i,
		   struct watch *watch, bool *left)
{
	struct line_seat c;

	do {
		enum line_bell bell;

		c = load_seat(SCAN_SEAT, h, i);
		if (line_phase(c.state) == LINE_FREE)
			return 0;
		if (line_dead(c.state))
			break;
		bell = load_bell(SCAN_BELL, h, i);
		if (!line_is_told(c, bell) &&
		    (!is_asked(h, q, i, c) ||
		     load_life(SCAN_LIFE, h, line_life(c.payload)))) {
			if (watch && bell == LINE_ALIVE &&
			    watch->count < WATCH_MAX && is_ahead(h, c))
				watch->seat[watch->count++] = i;
			return 0;
		}
		if (line_kept(c) && load_keep(SCAN_KEEP, h, i, c.state)) {
			if (watch && watch->orphans < ORPHANS_MAX) {
				watch->orphan[watch->orphans].seat = i;
				watch->orphan[watch->orphans++].state = c.state;
			}
			return 0;
		}
		/* if it has changed, its owner may have died since */
	} while (!cas_seat(SCAN_MARK, h, i, c, line_marked(c)));
	return drive(h, i, line_seq(c.state), left);
}

/* One that cannot be helped does not keep the others from it. */
int recover_scan(struct wicket *h, enum whom asked, struct watch *watch)
{
	struct inquiry q = { asked, ASKS, 0 };
	uint32_t used = used_seats(h);
	int error = 0;

	for (uint32_t i = 0; i < used; i++) {
		bool left = false;
		int wrong = i != h->me ? look_at(h, &q, i, watch, &left) : 0;

		error = error ? error : wrong;
		if (left && !wrong) {
			i = UINT32_MAX; /* from the first one */
			if (watch)
				watch->count = watch->orphans = 0;
		}
	}
	h->ask_from = q.left ? 0 : q.next;
	return error;
}

/*
 * R3, R4.  Whether a ticket is out in a seat changes with W alone, by one CAS; so
 * while T stands still, each seat may be read at another moment.
 */
bool recover_adds_up(struct wicket *h)
{
	struct line_w w = { load(&h->w->low), load(&h->w->high) };
	uint32_t used = used_seats(h), out = 0, ticket;

	for (uint32_t i = 0; i < used; i++)
		out += line_is_out(w.t, w.s, i, snapshot(h, i), &ticket);
	return out == line_out(w.s, h->block, h->slots) ||
	       load(&h->w->low) != w.t;
}

/* Who has this ticket?  NO_SEAT: nobody any more. */
static uint32_t seat_with(struct wicket *h, uint32_t ticket)
{
	uint32_t i, used = used_seats(h);

	if (recover_is_hinted(h, ticket, &i))
		return i;
	for (i = 0; i < used; i++) {
		if (line_has_ticket(snapshot(h, i), ticket, h->block))
			return i;
	}
	return NO_SEAT;
}

int recover_step_forward(struct wicket *h)
{
	struct inquiry q = { NOBODY, 0, 0 };
	bool left = false;
	uint32_t ticket, seat;
	int error = 0;

	do {
		uint64_t s = load(&h->w->high);

		ticket = h->ticket;
		if (line_units(h->state) || line_is_valid(s, ticket))
			break;
		seat = seat_with(h, line_ticket_before(s, ticket, h->block));
		if (seat == NO_SEAT || seat == h->me ||
		    !line_dead(load(&h->seats[seat].word.low)))
			break;
		error = look_at(h, &q, seat, 0, &left);
	} while (!error && h->ticket != ticket);
	return left && !error ? drive_all(h) : error;
}

bool recover_watch_predecessor(struct wicket *h, uint64_t s,
			       struct watch *watch, bool *dead)
{
	uint32_t ticket = own_first(h);

	*dead = false;
	if (line_is_valid(s, ticket)) /* nobody is before the own ones */
		return false;
	for (uint32_t i = line_position(s, ticket, h->block); i > 0; i--) {
		enum line_bell bell;
		uint32_t seat;

		ticket = line_ticket_before(s, ticket, h->block);
		seat = seat_with(h, ticket);
		if (seat == NO_SEAT) /* the line has moved on */
			return true;
		bell = peek_bell(h, seat);
		if (line_dead(load(&h->seats[seat].word.low)))
			continue;
		*dead |= bell == LINE_DIED;
		if (bell == LINE_ALIVE) {
			watch->seat[watch->count++] = seat;
			return true;
		}
	}
	return false;
}
