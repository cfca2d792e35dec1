/* SPDX-License-Identifier: MIT */
/* inspect - lists holders and waiters; only reads. */
#include "line/access.h"

#include <errno.h>
#include <sys/stat.h>

enum { TRIES = 8 };

/* The slot of a valid ticket: its holder's, SLOT's, or about to be put.  Maybe one
   that there is not: see is_possible. */
static uint32_t slot_of(struct wicket *h, struct line_w w, struct line_seat c,
			uint32_t ticket)
{
	uint32_t slot = line_payload_slot(c.payload);

	if (slot && line_phase(c.state) >= LINE_HAVE && !line_units(c.state))
		return slot - 1;
	for (uint32_t i = 0; i < h->slots; i++) {
		if (line_slot_ticket(load(&h->slot[i])) == ticket)
			return i;
	}
	if (line_has_tag(w.t) && line_tag_seat(w.t) < h->seat_count) {
		slot = line_payload_slot(
			snapshot(h, line_tag_seat(w.t)).payload);
		if (slot && slot <= h->slots)
			return slot - 1;
	}
	return 0;
}

/* Of holders it is also asked whether they live: each costs a system call. */
static uint32_t fate_of(struct wicket *h, uint32_t i, struct line_seat c,
			bool holds)
{
	if (line_dead(c.state))
		return WICKET_LEFT;
	if (!line_is_told(c, peek_bell(h, i)) &&
	    (!holds || peek_life(h, line_life(c.payload))))
		return 0;
	if (!line_kept(c) || !peek_keep(h, i, c.state))
		return WICKET_LEFT;
	return WICKET_ORPHAN | (line_is_left(c) ? WICKET_JOINED : 0);
}

/* The tickets before it that are not valid yet, and one more. */
static uint32_t place_of(struct wicket *h, struct line_w w, struct line_seat c,
			 uint32_t ticket, uint32_t units)
{
	uint32_t first = line_nth_out(c, ticket, units, h->block);

	return line_is_valid(w.s, first) ?
		       1 :
		       1 + line_position(w.s, first, h->block);
}

/* Of one of its tickets, if it holds, else of all. */
static struct wicket_entry entry_of(struct wicket *h, struct line_w w,
				    uint32_t i, struct line_seat c,
				    uint32_t ticket, uint32_t units,
				    uint32_t pidns)
{
	struct seat *seat = &h->seats[i];
	struct ticket t = line_ticket(ticket);
	bool holds = line_is_valid(w.s, ticket);
	uint32_t ns = atomic_load_explicit(&seat->pidns, memory_order_relaxed);
	uint64_t guests = load(&seat->guests);

	return (struct wicket_entry){
		.pid = atomic_load_explicit(&seat->pid, memory_order_relaxed),
		.flags = (holds ? WICKET_HOLDS : 0) | fate_of(h, i, c, holds) |
			 (ns != pidns ? WICKET_FOREIGN : 0),
		.place = holds ? slot_of(h, w, c, ticket) :
				 place_of(h, w, c, ticket, units),
		.value = t.value,
		.colour = t.colour,
		.seat = i,
		.units = units,
		.joined = line_kept(c) && guests_are_of(guests,
							line_seq(c.state)) ?
				  guests_count(guests) :
				  0,
		.since = atomic_load_explicit(&seat->since,
					      memory_order_relaxed),
	};
}

static bool is_before(const struct wicket_entry *a,
		      const struct wicket_entry *b)
{
	uint32_t a_waits = !(a->flags & WICKET_HOLDS);
	uint32_t b_waits = !(b->flags & WICKET_HOLDS);

	return a_waits != b_waits ? a_waits < b_waits : a->place < b->place;
}

/* Keeps the first of them, in order. */
static void insert(struct wicket_entry *entries, size_t room, size_t count,
		   struct wicket_entry e)
{
	size_t i = count < room ? count : room;

	if (i == room && (!room || !is_before(&e, &entries[i - 1])))
		return;
	for (i -= i == room; i > 0 && is_before(&e, &entries[i - 1]); i--)
		entries[i] = entries[i - 1];
	entries[i] = e;
}

/* No step writes the number of a slot that there is not; but a position is that
   of a ticket and a W which may not go together: only if W stands still is it
   wrong. */
static bool is_possible(struct wicket *h, struct line_w w,
			const struct wicket_entry *e)
{
	if (e->flags & WICKET_HOLDS)
		return e->place < h->slots;
	return e->place <= h->block || load(&h->w->low) != w.t;
}

static struct line_w peek_w(struct wicket *h)
{
	struct line_w w;

	do {
		w.t = load(&h->w->low);
		w.s = load(&h->w->high);
	} while (load(&h->w->low) != w.t);
	return w;
}

/* By hand: nobody else finds this line, but another of its name. */
static uint32_t removal_of(struct wicket *h, struct line_w w)
{
	int fd = life_fd(h);
	struct stat st;

	if (w.t == LINE_REMOVED)
		return WICKET_REMOVED;
	return fd >= 0 && !fstat(fd, &st) && !st.st_nlink ? WICKET_DELETED : 0;
}

static int look(struct wicket *h, struct line_w w, struct wicket_view *v,
		struct wicket_entry *entries, size_t room)
{
	uint32_t used = atomic_load_explicit(&h->area->used,
					     memory_order_acquire);
	struct stat ns;
	uint32_t pidns = stat("/proc/self/ns/pid", &ns) ? 0 :
							  (uint32_t)ns.st_ino;

	if (used > h->seat_count)
		return -EUCLEAN;
	*v = (struct wicket_view){
		.slots = area_slots(h),
		.slots_max = h->slots,
		.open = h->slots - line_closed(w.s),
		.seats = h->seat_count,
		.removed = removal_of(h, w),
		.recovered = atomic_load_explicit(&h->area->recovered,
						  memory_order_relaxed),
		.abandoned = atomic_load_explicit(&h->area->abandoned,
						  memory_order_relaxed),
		.longest_wait = atomic_load_explicit(&h->area->longest_wait,
						     memory_order_relaxed),
	};
	for (uint32_t i = 0; i < h->slots; i++)
		v->closed[i / 64] |=
			(uint64_t)line_slot_parked(load(&h->slot[i])) << i % 64;
	for (uint32_t i = 0; i < used; i++) {
		struct line_seat c = snapshot(h, i);
		uint32_t ticket, units;
		bool holds;

		v->grants += atomic_load_explicit(&h->seats[i].grants,
						  memory_order_relaxed);
		v->seated += line_phase(c.state) != LINE_FREE;
		units = line_is_out(w.t, w.s, i, c, &ticket);
		holds = units && line_is_valid(w.s, ticket);
		for (uint32_t j = 1; j <= (holds ? units : units != 0); j++) {
			struct wicket_entry e =
				entry_of(h, w, i, c,
					 line_nth_out(c, ticket, j, h->block),
					 units, pidns);

			if (!is_possible(h, w, &e))
				return -EUCLEAN;
			insert(entries, room, v->holding + v->waiting, e);
			if (e.flags & WICKET_HOLDS)
				v->holding++;
			else
				v->waiting++;
		}
	}
	return 0;
}

int wicket_inspect(struct wicket *h, struct wicket_view *view,
		   struct wicket_entry *entries, size_t room)
{
	struct wicket_view v = { 0 };
	int saved = errno, error = 0;

	if (h->magic != HANDLE_MAGIC)
		return -ECHILD;
	if (h->thread != handle_thread)
		return -EPERM;
	for (int i = 0; i < TRIES && !error; i++) {
		struct line_w w = peek_w(h);

		error = look(h, w, &v, entries, room);
		if (load(&h->w->low) == w.t)
			break;
	}
	errno = saved;
	if (error)
		return error;
	*view = v;
	return (int)(v.holding + v.waiting);
}
