/* SPDX-License-Identifier: MIT */
/*
 * check-words - checks the words of a line one by one: each has only values that
 * it can have in some line.  A word that is being changed is not judged.
 */
#include "line/check.h"

static bool is_ticket(const struct exam *x, uint32_t ticket)
{
	struct ticket t = line_ticket(ticket);

	return t.value < x->second.block && t.colour <= x->second.slots;
}

static void check_slots(struct exam *x)
{
	uint32_t closed = line_closed(x->w.s), aim = line_aim(x->w.s);

	if (x->w.s >> 63)
		check_wrong(x, "W: S has a bit that means nothing (%#llx)",
			    (unsigned long long)x->w.s);
	else if (closed > x->second.slots || aim > x->second.slots)
		check_wrong(x, "W: %u slots are closed and %u shall be, of %u",
			    closed, aim, x->second.slots);
}

static void check_pointer(struct exam *x, const char *name, uint32_t word)
{
	struct ticket t = line_ticket(word);

	if (!is_ticket(x, word))
		check_wrong(x,
			    "W: %s (%u,%u) is no ticket: values are below %u, "
			    "colours at most %u",
			    name, t.value, t.colour, x->second.block,
			    x->second.slots);
}

/* May its ticket have been taken back, or exchanged for the next one, by what W's tag
   names? */
static bool is_given_up(struct line_w w, struct line_seat c)
{
	uint32_t ticket = line_payload_ticket(c.payload);

	return line_is_ahead(w.t, line_tag_seat(w.t), c) &&
	       (line_took_back(w.s, c) ||
		(!line_is_valid(w.s, ticket) && ticket != line_issue(w.s)));
}

/*
 * Between an operation that W's tag names and the seat's next one that is
 * applied, the seat may begin and take back, leave and be joined; but if it has
 * a ticket, or has given one back, that was applied later.
 */
static bool can_follow(struct line_w w, struct line_seat c)
{
	uint64_t named = w.t >> LINE_SEQ_SHIFT, seq = line_seq(c.state);

	switch (line_phase(c.state)) {
	case LINE_HAVE:
		return seq == named || is_given_up(w, c);
	case LINE_RELEASED:
		return seq == named;
	case LINE_RELEASING:
		return seq == named || seq == named + 1;
	default:
		return seq >= named;
	}
}

static void check_tag(struct exam *x)
{
	uint32_t seat = line_tag_seat(x->w.t);
	struct line_seat c;

	if (!x->w.t && x->w.s != line_start(x->second.slots, line_aim(x->w.s),
					    x->second.block))
		check_wrong(
			x,
			"W: the tag says that nobody has come yet, ISSUE and "
			"VALID that somebody has");
	if (!line_has_tag(x->w.t))
		return;
	if (seat >= used_of(&x->second)) {
		check_wrong(x,
			    "W: the tag names seat %u, where nobody ever sat",
			    seat);
		return;
	}
	c = seat_of(&x->second, seat);
	if (is_same_seat(x, seat) && !can_follow(x->w, c))
		check_wrong(
			x,
			"W: the tag names operation %llu of seat %u, whose last "
			"is %llu",
			(unsigned long long)(x->w.t >> LINE_SEQ_SHIFT), seat,
			(unsigned long long)line_seq(c.state));
}

static void check_slot(struct exam *x, uint32_t i)
{
	uint32_t word = line_slot_ticket(load(&x->second.slot[i]));
	struct ticket t = line_ticket(word);

	if (is_same_slot(x, i) && !is_ticket(x, word))
		check_wrong(x, "SLOT %u: (%u,%u) is no ticket", i, t.value,
			    t.colour);
}

static void check_hint(struct exam *x, uint32_t i)
{
	uint32_t seat = atomic_load_explicit(&x->first.hint[i],
					     memory_order_relaxed);

	if (seat && seat >= used_of(&x->second))
		check_wrong(x, "HINT %u: names seat %u, where nobody ever sat",
			    i, seat);
}

/* May it have several units? */
static bool takes_part(struct line_seat c)
{
	return line_phase(c.state) >= LINE_TAKING &&
	       line_phase(c.state) <= LINE_RELEASED;
}

/* That of what it takes is written before they are taken. */
static void check_range(struct exam *x, uint32_t i, struct line_seat c)
{
	uint32_t units = line_units(c.state);

	if (c.range >> (LINE_TICKET_BITS + 9) ||
	    (units && line_phase(c.state) > LINE_TAKING &&
	     !(is_ticket(x, line_last(c)) &&
	       is_ticket(x, line_first(c, x->second.block)))))
		check_wrong(x, "RANGE %u: %#llx is none of tickets", i,
			    (unsigned long long)c.range);
}

static void check_state(struct exam *x, uint32_t i, struct line_seat c)
{
	/* below the seq; goes on only if it is RELEASED */
	uint64_t known = line_mark(7) | LINE_UNITS_MASK | LINE_INSIDE |
			 (uint64_t)line_goes_on(c.state) << LINE_GOES_ON_BIT;
	uint32_t units = line_units(c.state);

	if (c.state & (LINE_NEXT - 1) & ~known)
		check_wrong(x,
			    "SEAT %u: state has bits that mean nothing (%#llx)",
			    i, (unsigned long long)c.state);
	else if (units > x->second.slots ||
		 (units ? !takes_part(c) || line_goes_on(c.state) :
			  (c.state & LINE_INSIDE) != 0))
		check_wrong(x, "SEAT %u: phase %u does not go with %u units", i,
			    line_phase(c.state), units);
	else if (line_phase(c.state) == LINE_FREE &&
		 (line_dead(c.state) || c.payload))
		check_wrong(x, "SEAT %u: free, but not empty", i);
}

/* What each phase has in its payload, besides what the last one left there. */
static bool goes_with_phase(struct line_seat c)
{
	uint32_t slot = line_payload_slot(c.payload);
	bool died = line_payload_died(c.payload);

	switch (line_phase(c.state)) {
	case LINE_HAVE:
		return !died && (slot || !line_kept(c));
	case LINE_RELEASING:
		return slot && (!died || line_dead(c.state));
	case LINE_RELEASED:
		return !slot && !died;
	default:
		return !died;
	}
}

static void check_payload(struct exam *x, uint32_t i, struct line_seat c)
{
	uint32_t word = line_payload_ticket(c.payload),
		 slot = line_payload_slot(c.payload);
	struct ticket t = line_ticket(word);

	if (!is_ticket(x, word))
		check_wrong(x, "SEAT %u: (%u,%u) is no ticket", i, t.value,
			    t.colour);
	else if (slot > x->second.slots)
		check_wrong(x, "SEAT %u: there is no slot %u", i, slot - 1);
	else if (!goes_with_phase(c))
		check_wrong(
			x, "SEAT %u: payload %#llx does not go with phase %u",
			i, (unsigned long long)c.payload, line_phase(c.state));
}

static uint64_t lives_of(struct wicket *copy)
{
	return atomic_load_explicit(&copy->area->lives, memory_order_relaxed);
}

/* The kernel's part: would a death be noticed? (R6) */
static void check_bell(struct exam *x, uint32_t i, struct line_seat c)
{
	struct seat *seat = &x->first.seats[i];

	if ((uint32_t)seat->bell.__data.__kind != x->bell_kind)
		check_wrong(x, "BELL %u: not a mutex that tells of a death", i);
	else if (line_phase(c.state) != LINE_FREE && !line_life(c.payload) &&
		 !line_is_left(c) && !line_dead(c.state))
		check_wrong(
			x,
			"SEAT %u: taken, but by nobody whose death would be "
			"noticed",
			i);
	else if (line_life(c.payload) > lives_of(&x->second))
		check_wrong(x, "SEAT %u: of a life that nobody has begun", i);
}

static void check_fut(struct exam *x, uint32_t i, struct line_seat c)
{
	uint64_t fut = load(&x->first.seats[i].fut);

	if (fut && (!(fut & 1) || fut > line_armed(c.state)))
		check_wrong(x, "FUT %u: armed for an operation that never was",
			    i);
}

static void check_seat(struct exam *x, uint32_t i)
{
	struct line_seat c = seat_of(&x->first, i);

	if (!is_same_seat(x, i))
		return;
	if (i >= used_of(&x->second) && (c.state || c.payload || c.range)) {
		check_wrong(
			x,
			"SEAT %u: taken or left, though nobody ever sat there",
			i);
		return;
	}
	check_state(x, i, c);
	check_range(x, i, c);
	check_payload(x, i, c);
	check_bell(x, i, c);
	check_fut(x, i, c);
}

void check_words(struct exam *x)
{
	if (used_of(&x->second) > x->second.seat_count) {
		check_wrong(x,
			    "header: used, the seats ever sat in, is %u of %u",
			    used_of(&x->second), x->second.seat_count);
		return;
	}
	if (is_same_w(x)) {
		check_slots(x);
		check_pointer(x, "ISSUE", line_issue(x->w.s));
		check_pointer(x, "VALID", line_valid(x->w.s));
		check_tag(x);
	}
	for (uint32_t i = 0; i < x->second.slots; i++)
		check_slot(x, i);
	for (uint32_t i = 0; i < x->second.block; i++)
		check_hint(x, i);
	for (uint32_t i = 0; i < x->second.seat_count; i++)
		check_seat(x, i);
}
