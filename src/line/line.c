/* SPDX-License-Identifier: MIT */
/*
 * line - take, wait, enter, release: the owner's side of the protocol, access
 * by access.  Each names its step of the model (algo/recoverable.c).  What is done
 * for others is in recover.c, how long a waiter stays awake in hope.c.
 */
#include "line/line.h"
#include "line/guest.h"
#include "line/hope.h"
#include "line/recover.h"
#include "line/seat.h"

#include <errno.h>
#include <unistd.h>

#define UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define NOINLINE      __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { SECOND = 1000000000 };

/* A test has it so, and must notice. */
#ifndef WICKET_CANCEL_LATE
#define WICKET_CANCEL_LATE 0
#endif

/* --- misuse -------------------------------------------------------------------- */

static NOINLINE int misuse(const struct wicket *h)
{
	return h->magic != HANDLE_MAGIC ? -ECHILD : -EPERM;
}

/* Somebody else's, without a seat since it gave up, or holding already. */
int line_make_ready(struct wicket *h)
{
	if (h->magic != HANDLE_MAGIC || h->thread != handle_thread ||
	    h->flags & WICKET_VIEW)
		return misuse(h);
	if (line_phase(h->state) == LINE_IDLE)
		return 0;
	return h->me == NO_SEAT && !h->joined ? seat_join(h) : -EDEADLK;
}

static inline bool is_ready(const struct wicket *h, enum line_phase phase)
{
	return h->thread == handle_thread && line_is_single(h->state, phase);
}

/* --- take ----------------------------------------------------------------------- */

/* The ticket has been taken. */
static inline void have(struct wicket *h, uint64_t state, uint64_t s)
{
	uint32_t ticket = line_issue(s);

	h->last = s;
	h->ticket = ticket;
	/* a live owner's seat is changed by others only to these same bits */
	store_payload(TAKE_TICKET, h, h->life | line_payload(ticket, 0, 0));
	store_state(TAKE_HAVE, h, line_pass(state, LINE_TAKING, LINE_HAVE));
}

/*
 * Begins to take a ticket.  Most likely W is as the last operation of this seat
 * left it: a CAS from there succeeds only if nobody has done anything since, so
 * that nothing is owed; then w is the new one.  Else it is what W is.
 */
static inline bool take_at_once(struct wicket *h, struct line_w *w)
{
	uint64_t state = h->state, last = h->last;
	uint32_t me = h->me;
	struct line_w next;

	*w = (struct line_w){ line_tag(state, me), last };
	state = line_pass(state, LINE_IDLE, LINE_TAKING) + LINE_NEXT;
	store_state(TAKE_SEAT, h, state);
	if (UNLIKELY(line_issue_ends_block(last, h->block) |
		     !line_is_steady(last))) {
		*w = read_w(h);
		return false;
	}
	next = (struct line_w){ line_tag(state, me), line_issue_on(last) };
	if (UNLIKELY(!cas_w(TAKE_W, h, w, next)))
		return false;
	*w = next;
	have(h, state, next.s);
	return true;
}

static int take_back(struct wicket *h, int why)
{
	store_state(TAKE_BACK, h, line_idle(h->state));
	return why;
}

/* Without a seat: what it had is taken back, or passed on when its turn comes, for whoever
   comes across it. */
static int give_up(struct wicket *h, int why)
{
	uint32_t seat = h->me;
	uint64_t seq = line_seq(h->state);

	unlock_bell(ABANDON_BELL, h, seat); /* while the seat is still ours */
	store_mark(ABANDON_MARK, h);
	seat_forget(h);
	recover_drive(h, seat, seq);
	return why;
}

/* W was read as w; S once the ticket is in it, or why it is not. */
static int take_from(struct wicket *h, struct line_w w, bool only_if_vacant,
		     uint64_t *s)
{
	uint32_t units = line_left(h->state);
	struct line_w next;

	do {
		uint32_t colour = 0;

		if (w.t == LINE_REMOVED)
			return take_back(h, -ESTALE);
		if (recover_settle(h, w))
			return take_back(h, -EUCLEAN);
		if (units > 1 &&
		    !line_has_room(w.s, h->seat_count, h->slots, units))
			return take_back(h, -EUSERS);
		if (only_if_vacant && line_vacant(w.s, h->block) < units)
			return take_back(h, -EAGAIN);
		if (line_units_need_colour(w.s, h->block, units))
			colour = new_colour(h);
		next.t = line_tag(h->state, h->me);
		next.s = line_take_units(w.s, h->block, units, colour);
		if (units > 1)
			store_range(TAKE_RANGE, h,
				    line_range(w.s, next.s, h->block));
	} while (!cas_w(TAKE_W, h, &w, next));
	have(h, h->state, next.s);
	*s = next.s;
	return 0;
}

/* Since when it waits, or holds; 0: nobody looked at a clock. */
static void stamp(struct wicket *h, uint64_t since)
{
	atomic_store_explicit(&h->own->since, since, memory_order_relaxed);
	h->stamped = since != 0;
}

/* The ticket is valid for this slot. */
static ALWAYS_INLINE int hold(struct wicket *h, struct wicket_grant *grant,
			      uint32_t ticket, uint32_t slot, uint64_t entry)
{
	_Atomic uint64_t *grants = &h->own->grants;

	store_payload(FOUND, h, h->life | line_payload(ticket, slot + 1, 0));
	h->held = slot;
	h->mine = entry;
	atomic_store_explicit(
		grants, atomic_load_explicit(grants, memory_order_relaxed) + 1,
		memory_order_relaxed);
	if (grant) {
		struct ticket t = line_ticket(ticket);

		grant->slot = slot;
		grant->flags = line_slot_died(entry) ? WICKET_DIED : 0;
		grant->value = t.value;
		grant->colour = t.colour;
	}
	return 0;
}

/* Of several: are all in slots?  Then that of the first, its word, and whether
   somebody died in any of them. */
static bool find_slots(struct wicket *h, uint32_t *slot, uint64_t *entry)
{
	uint32_t units = line_units(h->state), found = 0;
	uint64_t died = 0;

	*slot = 0;
	*entry = 0;
	for (uint32_t i = 0; i < h->slots; i++) {
		uint64_t seen = load_slot(FIND, h, i);
		uint32_t place = line_range_place(
			h->range, units, line_slot_ticket(seen), h->block);

		if (!place)
			continue;
		found++;
		died |= (uint64_t)line_slot_died(seen) << LINE_DIED_BIT;
		if (h->room)
			h->room[units - place] = i;
		if (place == units) {
			*slot = i;
			*entry = seen;
		}
	}
	*entry |= died;
	return found == units;
}

static int hold_several(struct wicket *h, struct wicket_grant *grant,
			uint32_t slot, uint64_t entry)
{
	struct ticket t = line_ticket(h->ticket);

	hold(h, grant, own_first(h), slot, entry);
	if (grant) {
		grant->value = t.value;
		grant->colour = t.colour;
	}
	return 0;
}

/*
 * The ticket is valid: for which slot?  For the one into which the last release
 * puts it, once that is settled.  So if W was settled and all slots were looked at
 * while it stood still (T never comes back), one of them has the ticket: R1.
 */
static int find_own_slot(struct wicket *h, uint32_t *slot, uint64_t *entry)
{
	struct line_w w, settled = { LINE_REMOVED, 0 };
	bool several = line_units(h->state);

	while (!(several ? find_slots(h, slot, entry) :
			   find_slot(FIND, h, h->ticket, slot, entry))) {
		w = read_w(h);
		if (is_same_w(w, settled) || recover_settle(h, w))
			return give_up(h, -EUCLEAN);
		settled = w;
	}
	return 0;
}

static NOINLINE int enter(struct wicket *h, struct wicket_grant *grant,
			  bool waited)
{
	uint32_t slot;
	uint64_t entry;
	int error = find_own_slot(h, &slot, &entry);

	if (error)
		return error;
	stamp(h, waited			 ? h->entered :
		 h->flags & WICKET_CLOCK ? sleep_now() :
					   0);
	return line_units(h->state) ? hold_several(h, grant, slot, entry) :
				      hold(h, grant, h->ticket, slot, entry);
}

/* --- wait ----------------------------------------------------------------------- */

/* Whoever has slept arms before the look that counts. */
static bool is_valid_soon(struct wicket *h, uint32_t slept, uint64_t deadline)
{
	hope_for_turn(h, slept, deadline);
	return !slept && line_is_valid(load_s(WAIT_SPIN, h), h->ticket);
}

/* It no longer wants its ticket, which is taken back, or passed on when its turn
   comes. */
static int abandon(struct wicket *h, int why)
{
	atomic_fetch_add_explicit(&h->area->abandoned, 1, memory_order_relaxed);
	return give_up(h, why);
}

/* long_wait: others may have slept as long, and must be told. */
static NOINLINE int wait_until_valid(struct wicket *h, uint64_t s,
				     uint64_t deadline, bool *long_wait)
{
	uint64_t began = sleep_now();
	uint32_t slept = 0;
	int error = 0;

	if (!is_in_line(h, s))
		return give_up(h, -EUCLEAN);
	recover_leave_hint(h);
	atomic_store_explicit(&h->waiting_seat, h->me, memory_order_relaxed);
	atomic_store_explicit(&h->waiting_for, line_armed(h->state),
			      memory_order_release);
	h->last = 0; /* W will not be like that again */
	stamp(h, began);
	while (!is_valid_soon(h, slept, deadline)) {
		struct watch watch;
		uint64_t now, until;

		/* after this, whoever cancels sees what it waits for, or is seen */
		store_fut(WAIT_ARM, h, h->me, line_armed(h->state));
		s = load_s(WAIT_LOOK, h);
		if (line_is_valid(s, h->ticket))
			break;
		if (!is_in_line(h, s))
			return give_up(h, -EUCLEAN);
		until = hope_look_again(h, s, slept, &watch, &error);
		if (error)
			return give_up(h, error);
		now = sleep_now();
		if (atomic_load_explicit(&h->cancelled, memory_order_seq_cst))
			return abandon(h, -ECANCELED);
		if (now >= deadline)
			return abandon(h, -ETIMEDOUT);
		until = until == NEVER ? NEVER : now + until;
		fall_asleep(WAIT_SLEEP, h, &watch,
			    until < deadline ? until : deadline);
		slept++;
	}
	*long_wait = hope_note_wait(h, began);
	return 0;
}

/* --- the calls -------------------------------------------------------------------- */

static NOINLINE int wait_and_enter(struct wicket *h, struct wicket_grant *grant,
				   uint64_t s, uint64_t deadline)
{
	bool waits = !line_issue_is_valid(s), long_wait = false;
	int error = waits ? wait_until_valid(h, s, deadline, &long_wait) : 0;

	atomic_store_explicit(&h->cancelled, 0, memory_order_relaxed);
	if (error)
		return error;
	error = enter(h, grant, waits);
	if (!error && long_wait)
		recover_tell_first(h);
	return error;
}

static int return_tickets(struct wicket *h);

/* The ticket last taken was valid at once, but its slot is to be closed: S says both. */
static bool is_closed_to(uint64_t s)
{
	return line_is_closing(s) && line_issue_is_valid(s);
}

static bool has_room(struct wicket *h, uint32_t units)
{
	return line_vacant(load(&h->w->high), h->block) >= units ||
	       load(&h->w->low) == LINE_REMOVED;
}

/* Takes so many; W is read, and not guessed. */
static int take_several(struct wicket *h, uint32_t units, uint32_t *slots,
			bool only_if_vacant, uint64_t *s)
{
	h->room = slots;
	store_state(TAKE_SEAT, h,
		    line_of_units(line_begin(h->state, LINE_TAKING), units));
	return take_from(h, read_w(h), only_if_vacant, s);
}

/* Gives back what is no way in, and takes the next ticket, or as many again. */
static int take_another(struct wicket *h, bool only_if_vacant, uint64_t *s)
{
	uint32_t units = line_left(h->state);
	struct line_w w;
	int error = return_tickets(h);

	if (!error && only_if_vacant && !has_room(h, units))
		error = -EAGAIN;
	if (error)
		return error;
	if (units > 1)
		return take_several(h, units, h->room, only_if_vacant, s);
	if (!take_at_once(h, &w))
		return take_from(h, w, only_if_vacant, s);
	*s = w.s;
	return 0;
}

static NOINLINE int acquire_from(struct wicket *h, struct wicket_grant *grant,
				 struct line_w w, uint64_t deadline)
{
	uint64_t s = 0;
	int error = take_from(h, w, false, &s);

	while (!error && UNLIKELY(is_closed_to(s)))
		error = take_another(h, false, &s);
	return error ? error : wait_and_enter(h, grant, s, deadline);
}

static NOINLINE int settle_and_enter(struct wicket *h,
				     struct wicket_grant *grant)
{
	int error = recover_settle(h, read_w(h));

	return error ? give_up(h, error) : enter(h, grant, false);
}

/* The usual case in a straight line; whatever else starts from where it is. */
static ALWAYS_INLINE int acquire(struct wicket *h, struct wicket_grant *grant,
				 uint64_t deadline)
{
	struct line_w w;
	uint64_t entry;
	uint32_t slot;

	if (UNLIKELY(!take_at_once(h, &w)))
		return acquire_from(h, grant, w, deadline);
	if (UNLIKELY(!line_issue_is_surely_valid(w.s) ||
		     h->stamped | atomic_load_explicit(&h->cancelled,
						       memory_order_relaxed)))
		return wait_and_enter(h, grant, w.s, deadline);
	if (UNLIKELY(!find_slot(FIND, h, line_issue(w.s), &slot, &entry)))
		return settle_and_enter(h, grant);
	return hold(h, grant, line_issue(w.s), slot, entry);
}

static NOINLINE int acquire_unready(struct wicket *h,
				    struct wicket_grant *grant,
				    uint64_t deadline)
{
	int error = line_make_ready(h);

	return error ? error : acquire(h, grant, deadline);
}

int wicket_acquire(struct wicket *h, struct wicket_grant *grant)
{
	if (UNLIKELY(!is_ready(h, LINE_IDLE)))
		return acquire_unready(h, grant, NEVER);
	return acquire(h, grant, NEVER);
}

/* In nanoseconds; null: never. */
static int end_of(const struct timespec *deadline, uint64_t *end)
{
	*end = NEVER;
	if (!deadline)
		return 0;
	if (deadline->tv_sec < 0 || deadline->tv_nsec < 0 ||
	    deadline->tv_nsec >= SECOND)
		return -EINVAL;
	if ((uint64_t)deadline->tv_sec < UINT64_MAX / SECOND)
		*end = (uint64_t)deadline->tv_sec * SECOND +
		       (uint64_t)deadline->tv_nsec;
	return 0;
}

int wicket_acquire_until(struct wicket *h, const struct timespec *deadline,
			 struct wicket_grant *grant)
{
	uint64_t end;
	int error = end_of(deadline, &end);

	return error ? error : acquire_unready(h, grant, end);
}

/* -EAGAIN: not even when all the dead have been found. */
static int make_room(struct wicket *h, uint32_t units)
{
	int error = 0;

	if (has_room(h, units))
		return 0;
	error = recover_scan(h, AHEAD, 0); /* a holder may be dead */
	if (error || has_room(h, units))
		return error;
	return recover_adds_up(h) ? -EAGAIN : -EUCLEAN;
}

int wicket_try(struct wicket *h, struct wicket_grant *grant)
{
	struct line_w w;
	int error = line_make_ready(h);

	if (!error)
		error = make_room(h, 1);
	if (error)
		return error;
	/* there was room: if W is as remembered, there is */
	if (!take_at_once(h, &w))
		error = take_from(h, w, true, &w.s);
	while (!error && UNLIKELY(is_closed_to(w.s)))
		error = take_another(h, true, &w.s);
	return error ? error : enter(h, grant, false);
}

/* The same until what is taken is a way in, or is waited for. */
static int take_several_to_enter(struct wicket *h, uint32_t units,
				 uint32_t *slots, bool only_if_vacant,
				 uint64_t *s)
{
	int error = take_several(h, units, slots, only_if_vacant, s);

	while (!error && UNLIKELY(is_closed_to(*s)))
		error = take_another(h, only_if_vacant, s);
	return error;
}

static int make_ready_for(struct wicket *h, uint32_t units)
{
	int error = line_make_ready(h);

	return error ? error : units < 1 || units > h->slots ? -EINVAL : 0;
}

static void tell_slot(const struct wicket *h, uint32_t *slots)
{
	if (slots)
		*slots = h->held;
}

int wicket_acquire_units(struct wicket *h, uint32_t units,
			 const struct timespec *deadline, uint32_t *slots,
			 struct wicket_grant *grant)
{
	uint64_t end, s = 0;
	int error = end_of(deadline, &end);

	if (!error)
		error = make_ready_for(h, units);
	if (!error && units == 1) {
		error = acquire(h, grant, end);
		if (!error)
			tell_slot(h, slots);
		return error;
	}
	if (!error)
		error = take_several_to_enter(h, units, slots, false, &s);
	return error ? error : wait_and_enter(h, grant, s, end);
}

int wicket_try_units(struct wicket *h, uint32_t units, uint32_t *slots,
		     struct wicket_grant *grant)
{
	uint64_t s = 0;
	int error = make_ready_for(h, units);

	if (!error && units == 1) {
		error = wicket_try(h, grant);
		if (!error)
			tell_slot(h, slots);
		return error;
	}
	if (!error)
		error = make_room(h, units);
	if (!error)
		error = take_several_to_enter(h, units, slots, true, &s);
	return error ? error : enter(h, grant, false);
}

/* Somebody may wait for the ticket just validated.  If it cannot be helped, that is
   no matter of ours: the slot is given back. */
static NOINLINE int pass_on(struct wicket *h, uint32_t ticket)
{
	uint32_t heir;
	uint64_t seq;
	bool gone = recover_hand_over(h, ticket, false, &heir, &seq);

	store_state(RELEASE_END, h, line_released(h->state));
	if (gone)
		recover_drive(h, heir, seq);
	else
		hope_rouse(h, ticket, heir);
	return 0;
}

static inline int released_to_nobody(struct wicket *h, uint64_t state)
{
	store_state(RELEASE_END, h,
		    line_pass(state, LINE_RELEASING, LINE_IDLE));
	return 0;
}

/* The release is applied, and made S. */
static inline int released(struct wicket *h, uint64_t state, uint64_t s)
{
	h->last = s;
	/* if it fails, somebody has done it */
	cas_slot(RELEASE_SLOT, h, h->held, h->mine,
		 line_slot_released(h->mine, s, 0));
	if (UNLIKELY(!line_has_surely_no_heir(s)) && line_has_heir(s) &&
	    !line_has_moved(s))
		return pass_on(h, line_valid(s));
	return released_to_nobody(h, state);
}

static int apply_release(struct wicket *h, struct line_w w, uint64_t *s)
{
	struct line_w next;

	do {
		uint32_t colour = 0;

		if (recover_settle(h, w))
			return give_up(h, -EUCLEAN);
		if (line_release_needs_colour(w.s, h->block))
			colour = new_colour(h);
		next.t = line_tag(h->state, h->me);
		next.s = line_release(w.s, h->block, colour);
	} while (!cas_w(RELEASE_W, h, &w, next));
	*s = next.s;
	return 0;
}

static NOINLINE int release_from(struct wicket *h, struct line_w w)
{
	uint64_t s = 0;
	int error = apply_release(h, w, &s);

	return error ? error : released(h, h->state, s);
}

/* One of several; at: HOLD, or RETURN. */
static int release_unit(enum pc at, struct wicket *h)
{
	uint32_t ticket = own_first(h);
	uint64_t s = 0;
	int error;

	if (!find_slot(RELEASE_FIND, h, ticket, &h->held, &h->mine))
		return give_up(h, -EUCLEAN);
	/* of the first one it has said so when it found it */
	if (h->state & LINE_INSIDE)
		store_payload(RELEASE_UNIT, h,
			      h->life | line_payload(ticket, h->held + 1, 0));
	store_state(at, h,
		    line_was_inside(line_begin(h->state, LINE_RELEASING)));
	if (h->entered)
		hope_note_section(h);
	error = apply_release(h, read_w(h), &s);
	if (error)
		return error;
	h->last = s;
	/* if it fails, somebody has done it */
	cas_slot(RELEASE_SLOT, h, h->held, h->mine,
		 line_slot_released(h->mine, s, 0));
	if (line_has_heir(s) && !line_has_moved(s))
		return pass_on(h, line_valid(s));
	store_state(RELEASE_END, h, line_released(h->state));
	return 0;
}

static int release_several(enum pc at, struct wicket *h, uint32_t units)
{
	int error = 0;

	while (units-- && !error)
		error = release_unit(at, h);
	return error;
}

static NOINLINE int release_after_reading(struct wicket *h)
{
	return release_from(h, read_w(h));
}

static uint64_t kept_payload(const struct wicket *h)
{
	return line_keep(line_payload(own_first(h), h->held + 1, 0));
}

/* The bell while the seat is still ours: without a life in it, it is anybody's. */
static int leave_to_guests(struct wicket *h)
{
	unlock_bell(ABANDON_BELL, h, h->me);
	store(&h->own->word.high, kept_payload(h));
	seat_forget(h);
	return -EBUSY;
}

static NOINLINE int release_kept(struct wicket *h)
{
	h->kept = false;
	return close_guests(h, h->me, h->state, false) ? wicket_release(h) :
							 leave_to_guests(h);
}

/* One that HAS several, is a guest, or has nothing. */
static NOINLINE int release_unready(struct wicket *h)
{
	if (h->thread != handle_thread || line_phase(h->state) != LINE_HAVE)
		return guest_go(h) ? 0 : misuse(h);
	return h->kept ? release_kept(h) :
			 release_several(HOLD, h, line_units(h->state));
}

/* Of one ticket, or several, that are valid, but no way in. */
static int return_tickets(struct wicket *h)
{
	uint32_t units = line_units(h->state), slot;
	uint64_t entry;
	int error = find_own_slot(h, &slot, &entry);

	if (error)
		return error;
	store_payload(FOUND, h,
		      h->life | line_payload(own_first(h), slot + 1, 0));
	if (units)
		return release_several(RETURN, h, units);
	h->held = slot;
	h->mine = entry;
	store_state(RETURN, h,
		    line_pass(h->state, LINE_HAVE, LINE_RELEASING) + LINE_NEXT);
	return release_after_reading(h);
}

/*
 * Most likely nobody has done anything since the ticket was taken: then it is handed
 * back, unless a death in the slot has been told and must not be told again.
 */
int wicket_release(struct wicket *h)
{
	uint64_t state = h->state, last = h->last;
	uint32_t me = h->me;
	struct line_w w = { line_tag(state, me), last }, next;
	bool back = line_can_hand_back(last) && !line_slot_died(h->mine);

	if (UNLIKELY(!is_ready(h, LINE_HAVE)))
		return release_unready(h);
	if (UNLIKELY(h->kept))
		return release_kept(h);
	state = line_pass(state, LINE_HAVE, LINE_RELEASING) + LINE_NEXT;
	store_state(HOLD, h, state);
	if (UNLIKELY(!last) && h->entered)
		hope_note_section(h);
	if (UNLIKELY(!line_is_steady(last) ||
		     (!back && line_valid_ends_block(last, h->block))))
		return release_after_reading(h);
	next.t = line_tag(state, me);
	next.s = back ? line_hand_back(last) : line_valid_on(last);
	if (UNLIKELY(!cas_w(RELEASE_W, h, &w, next)))
		return release_from(h, w);
	if (!back)
		return released(h, state, next.s);
	h->last = next.s;
	return released_to_nobody(h, state);
}

int wicket_release_units(struct wicket *h, uint32_t units)
{
	uint32_t held = line_left(h->state);

	if (h->thread != handle_thread || line_phase(h->state) != LINE_HAVE)
		return misuse(h);
	if (units < 1 || units > held)
		return -EINVAL;
	if (units == held)
		return wicket_release(h);
	return h->kept ? -EBUSY : release_several(HOLD, h, units);
}

/* The lock first: a seat that is marked as kept has one.  The mark before it is open
   to guests: if not, nobody would ask whether there are any. */
static int keep(struct wicket *h)
{
	int fd = life_open_again(h), error;

	if (fd < 0)
		return fd;
	error = lock_keep(KEEP_LOCK, h, fd);
	if (error) {
		close(fd);
		return error;
	}
	if (!h->kept) {
		/* before anybody can take this for a command's */
		atomic_store_explicit(&h->own->command, 0,
				      memory_order_relaxed);
		store_payload(KEEP_MARK, h, h->life | kept_payload(h));
		store(&h->own->guests, guests_open(line_seq(h->state)));
		h->kept = true;
	}
	return fd;
}

int wicket_keep(struct wicket *h)
{
	int saved = errno, fd;

	if (h->thread != handle_thread || line_phase(h->state) != LINE_HAVE)
		return misuse(h);
	fd = keep(h);
	errno = saved;
	return fd;
}

int wicket_cancel(struct wicket *h)
{
	uint64_t armed;

	if (h->magic != HANDLE_MAGIC)
		return -ECHILD;
	if (!WICKET_CANCEL_LATE)
		atomic_store_explicit(&h->cancelled, 1, memory_order_seq_cst);
	armed = atomic_load_explicit(&h->waiting_for, memory_order_seq_cst);
	/* no step: for the waiter like a wake-up for nothing, it looks and arms
	   anew */
	if (armed) {
		uint32_t seat = atomic_load_explicit(&h->waiting_seat,
						     memory_order_relaxed);

		cas(&h->seats[seat].fut, armed, 0);
		sleep_wake(h, seat);
	}
	if (WICKET_CANCEL_LATE)
		atomic_store_explicit(&h->cancelled, 1, memory_order_seq_cst);
	return 0;
}
