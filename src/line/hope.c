/* SPDX-License-Identifier: MIT */
#include "line/hope.h"

#include <sched.h>

/* Tests have them longer, and must notice what rests on them. */
#ifndef WICKET_LOOK_FAR_MS
#define WICKET_LOOK_FAR_MS 100
#endif
#ifndef WICKET_LOOK_MS
#define WICKET_LOOK_MS 50
#endif

enum {
	MICROSECOND = 1000,
	MILLISECOND = 1000 * MICROSECOND,
	SECOND = 1000 * MILLISECOND,
	/* How long a waiter stays awake before it sleeps, if sections are shorter than
	   SHORT; and how long it takes to pass a slot on, about. */
	HOPE = 200 * MICROSECOND,
	SHORT = 50 * MICROSECOND,
	HAND_OVER = 10 * MICROSECOND,
	LOOKS = 100, /* at W, before it gives up the processor */
	VAIN_MOST = 6,
	/* How long nobody stays awake, once a waiter that did had to wait so long for a
	   processor. */
	KEPT_WAITING = MILLISECOND,
	CROWDED = SECOND,
	/* A line moves quickly while sections and the pauses between them are shorter. */
	QUICK = 1250 * MICROSECOND,
	/* How soon a sleeper looks for deaths ahead of it, if it watches nobody in its
	   first sleep; look_far(), if FAR are ahead. */
	LOOK_FIRST = 10 * MILLISECOND,
	FAR = 8,
	/* How soon it looks later: after look(), or twice as long for each place
	   further back; and as often as that by how long it has waited. */
	LOOK_DOUBLINGS = 7,
	LOOK_LONGER = 4,
	/* Those far back scan if nobody has done so for so long. */
	UNSCANNED = 2 * SECOND,
	/* How often it asks for a command whose holder died: at this part of the time
	   that it has waited for it. */
	PEEK_PART = 64,
	PEEK_LEAST = 2 * MILLISECOND,
	PEEK_MOST = SECOND,
};

/*
 * Nobody looks by time: what the model says needs no look must do without it
 * (tests/timeless).
 */
#ifndef WICKET_WITHOUT_TIMERS
#define WICKET_WITHOUT_TIMERS 0
#endif

static uint64_t look_far(void)
{
	return (uint64_t)WICKET_LOOK_FAR_MS * MILLISECOND;
}

static uint64_t look(uint32_t doublings)
{
	return (uint64_t)WICKET_LOOK_MS * MILLISECOND << doublings;
}

static uint32_t this_cpu(void)
{
	return (uint32_t)(sched_getcpu() + 1);
}

static uint64_t shared(_Atomic uint64_t *time)
{
	return atomic_load_explicit(time, memory_order_relaxed);
}

static void share(_Atomic uint64_t *time, uint64_t value)
{
	atomic_store_explicit(time, value, memory_order_relaxed);
}

/* How long a slot is held by a process that waited for it, about; 0: not known. */
static uint64_t section(struct wicket *h)
{
	return shared(&h->area->section);
}

/*
 * It tends to the median: up if a section was longer, down if it was not.  In a mean the
 * few count most that lost their processor inside, and where there are more slots than
 * processors some always do.
 */
void hope_note_section(struct wicket *h)
{
	uint64_t now = sleep_now(), took = now - h->entered;
	uint64_t middle = section(h);
	uint64_t step = middle / 8 + MICROSECOND / 8;

	if (took > LOOK_FIRST)
		took = LOOK_FIRST;
	if (!middle)
		middle = took + 1;
	else if (took > middle)
		middle += step;
	else
		middle = middle > step ? middle - step : 1;
	share(&h->area->section, middle);
	share(&h->area->released, now);
	h->entered = 0;
}

/* How many of the first in line look at W all the time. */
static uint32_t lookers(const struct wicket *h)
{
	return h->processors > 2 ? 2 : 1;
}

/* Slots by which the line moves on: at least one, or nothing could be said. */
static uint32_t moving_slots(struct wicket *h)
{
	uint32_t slots = area_slots(h);

	return slots ? slots : 1;
}

/*
 * Can a holder run while we do?  Whoever waited tells on which processor it got in; if
 * that is ours, it does not run.  That of the ticket validated last is asked; where
 * there are several slots and processors, another one may run.
 */
static bool holder_may_run(struct wicket *h, uint64_t s)
{
	uint32_t seat;

	if (area_slots(h) == 1 && recover_is_hinted(h, line_valid(s), &seat))
		return atomic_load_explicit(&h->seats[seat].cpu,
					    memory_order_relaxed) != this_cpu();
	return h->processors > 1;
}

/* Others have work for the processors, too.  (Clocks may differ by more than that.) */
static bool is_crowded(struct wicket *h, uint64_t now)
{
	uint64_t until = shared(&h->area->crowded_until);

	return now < until && until - now <= CROWDED;
}

/* Is its turn likely to come soon?  After its first sleep, too: it may have been roused
   (see rouse). */
static bool may_hope(struct wicket *h, uint64_t s, uint32_t slept, uint64_t now)
{
	uint64_t takes = section(h);

	return slept <= !WICKET_WITHOUT_TIMERS && takes < SHORT &&
	       line_position(s, h->ticket, h->block) * (takes + HAND_OVER) <
		       area_slots(h) * (uint64_t)HOPE &&
	       !is_crowded(h, now) &&
	       (h->processors > 1 || holder_may_run(h, s));
}

/* Looks at W for a moment, if a holder may leave meanwhile, and gives up the
   processor. */
static void pass_time(struct wicket *h, uint64_t s)
{
	bool looks = line_position(s, h->ticket, h->block) < lookers(h) &&
		     holder_may_run(h, s);

	for (int i = 0; looks && i < LOOKS; i++) {
		looks = !line_is_valid(load(&h->w->high), h->ticket);
		relax();
	}
	if (!line_is_valid(load(&h->w->high), h->ticket))
		sched_yield();
}

/* Has nobody who had waited released a slot for most of this time? */
static bool stood_still(struct wicket *h, uint64_t since, uint64_t now)
{
	uint64_t last = shared(&h->area->released);

	return last < since + (now - since) / 2;
}

/*
 * Who sleeps has to be woken: two calls of the kernel, and where a processor has gone
 * idle meanwhile, some 10 us more on either side.  So a waiter whose turn is likely to
 * come soon gives up the processor instead, again and again, for a while.  If that was in
 * vain, it does so the more seldom.  And if meanwhile somebody who has nothing to do with
 * the line had the processor for long, nobody does so for a second: the kernel prefers
 * who has slept to who has given up the processor.
 */
void hope_for_turn(struct wicket *h, uint32_t slept, uint64_t deadline)
{
	uint64_t s = load(&h->w->high), now = sleep_now();
	uint64_t end = deadline < now + HOPE ? deadline : now + HOPE;
	bool hopes = !line_is_valid(s, h->ticket) && is_in_line(h, s) &&
		     now < end && may_hope(h, s, slept, now);

	if (!hopes || h->discouraged) {
		h->discouraged -= hopes && !slept;
		return;
	}
	while (!line_is_valid(s, h->ticket) && is_in_line(h, s) && now < end &&
	       !atomic_load_explicit(&h->cancelled, memory_order_relaxed)) {
		uint64_t before = now;

		pass_time(h, s);
		s = load(&h->w->high);
		now = sleep_now();
		if (now - before > KEPT_WAITING && stood_still(h, before, now))
			share(&h->area->crowded_until, now + CROWDED);
	}
	h->vain = line_is_valid(s, h->ticket) ? 0 :
		  h->vain < VAIN_MOST	      ? h->vain + 1 :
						h->vain;
	h->discouraged = (1u << h->vain) - 1;
}

/* Do holders leave soon? */
static bool is_quick(struct wicket *h)
{
	return section(h) && section(h) < QUICK;
}

/* And does the line move at all?  (A time of which nobody knows was long ago.) */
static bool moves_quickly(struct wicket *h, uint64_t now)
{
	return is_quick(h) && now - shared(&h->area->released) < QUICK;
}

/*
 * May it just sleep, and look for the dead only then?  To sleep on several words is dear,
 * and most waits are short.  How long may that be?  0: it should watch at once, because
 * it is going to take long: a sleep that ends in between costs more than to watch.  Where
 * there is one slot, it then need not even be told that it has become the first in line:
 * it watches the one before it, which is the holder by then.
 */
static uint64_t plain_sleep(struct wicket *h, uint32_t position, uint64_t now)
{
	if (position && area_slots(h) == 1 && !moves_quickly(h, now))
		return 0;
	return position < FAR ? LOOK_FIRST : look_far();
}

/* How long it has waited, or waited for what began then. */
static uint64_t waited(struct wicket *h, uint64_t since, uint64_t now)
{
	uint64_t began = shared(&h->own->since);

	since = since > began && since <= now ? since : began;
	return since <= now ? now - since : 0;
}

/* How soon to look again: so far back, having waited for so long. */
static uint64_t later(uint32_t back, uint64_t ns)
{
	uint64_t least = look(back < LOOK_DOUBLINGS ? back : LOOK_DOUBLINGS);
	uint64_t most = look(LOOK_LONGER);

	ns = ns / 2 < most ? ns / 2 : most;
	return ns > least ? ns : least;
}

/* How often to ask whether those commands run: the newest of them may end first. */
static uint64_t peek(struct wicket *h, const struct watch *watch, uint64_t now)
{
	uint64_t least = PEEK_MOST;

	for (uint32_t i = 0; i < watch->orphans; i++) {
		struct seat *seat = &h->seats[watch->orphan[i].seat];
		uint64_t part = waited(h, shared(&seat->since), now) /
				PEEK_PART;

		least = part < least ? part : least;
	}
	return least > PEEK_LEAST ? least : PEEK_LEAST;
}

/* Has nobody looked at all seats for long?  The first in line may be stopped. */
static bool is_unscanned(struct wicket *h, uint64_t now)
{
	return now - shared(&h->area->scanned) > UNSCANNED;
}

/*
 * Looks for the dead and says how soon to look again.  The first in line scans all seats
 * and watches those inside.  One further back watches the one right before it: if that
 * one dies, it is woken; if that one enters, it is told (recover_tell_first).  It scans,
 * too, because the first may be stopped; from far back, only if nobody else does.  A
 * waiter is the first if all before it are dead or have given up.
 */
uint64_t hope_look_again(struct wicket *h, uint64_t s, uint32_t slept,
			 struct watch *watch, int *error)
{
	uint32_t position = line_position(s, h->ticket, h->block), back;
	uint64_t now = sleep_now(), ns;
	bool dead, first, scans;

	watch->count = watch->orphans = 0;
	if (!slept && !WICKET_WITHOUT_TIMERS) {
		ns = plain_sleep(h, position, now);
		if (ns)
			return ns;
	}
	*error = recover_step_forward(h);
	if (*error)
		return NEVER;
	position = line_position(s, h->ticket, h->block);
	first = !recover_watch_predecessor(h, s, watch, &dead);
	back = first ? 0 : position / moving_slots(h) + 1;
	scans = first || dead || WICKET_WITHOUT_TIMERS ||
		(slept && (back < FAR || is_unscanned(h, now)));
	if (scans) {
		share(&h->area->scanned, now);
		*error = recover_scan(h, first ? A_FEW_AHEAD : NOBODY,
				      first ? watch : 0);
	}
	/* who watches nobody may wait for somebody who does not exist */
	if (slept && !watch->count && !recover_adds_up(h))
		*error = -EUCLEAN;
	if (WICKET_WITHOUT_TIMERS) {
		watch->orphans = 0;
		return NEVER;
	}
	if (!first && !watch->count)
		return LOOK_FIRST;
	watch->peek = peek(h, watch, now);
	if (!watch->count && !watch->orphans)
		return later(back, 0);
	if (!sleep_can_watch())
		return later(back, 0);
	return later(watch->count ? back + 2 : back, waited(h, 0, now));
}

bool hope_note_wait(struct wicket *h, uint64_t began)
{
	uint64_t wait;
	uint64_t longest = shared(&h->area->longest_wait);

	h->entered = sleep_now();
	wait = h->entered - began;
	atomic_store_explicit(&h->own->cpu, this_cpu(), memory_order_relaxed);
	while (wait > longest &&
	       !atomic_compare_exchange_weak_explicit(
		       &h->area->longest_wait, &longest, wait,
		       memory_order_relaxed, memory_order_relaxed))
		;
	/* with one slot the next one watches us (plain_sleep): what it gains by being told
	   is that it polls more often */
	if (area_slots(h) == 1 && sleep_can_watch() &&
	    (is_quick(h) || WICKET_WITHOUT_TIMERS))
		return false;
	return wait > LOOK_FIRST || WICKET_WITHOUT_TIMERS;
}

/*
 * The heir, to whom this ticket belongs, goes in: whoever comes after it is the first in
 * line now, and should be awake when it leaves; unless it would run where the heir does.
 * For the one that is woken this is a wake-up for nothing, after which it hopes.
 */
void hope_rouse(struct wicket *h, uint32_t ticket, uint32_t heir)
{
	uint64_t s;
	uint32_t seat;

	if (area_slots(h) > lookers(h) || !section(h) || section(h) >= SHORT)
		return;
	s = load(&h->w->high);
	if (ticket != line_valid(s) || ticket == line_issue(s) ||
	    line_issue_is_valid(s))
		return;
	if (recover_is_hinted(h, line_ticket_after(s, ticket, h->block),
			      &seat) &&
	    load(&h->seats[seat].fut) &&
	    atomic_load_explicit(&h->seats[seat].cpu, memory_order_relaxed) !=
		    atomic_load_explicit(&h->seats[heir].cpu,
					 memory_order_relaxed))
		sleep_wake(h, seat);
}
