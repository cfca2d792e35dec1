/* SPDX-License-Identifier: MIT */
#include "line/hope.h"

#include <sched.h>

enum {
	MICROSECOND = 1000,
	MILLISECOND = 1000 * MICROSECOND,
	SECOND = 1000 * MILLISECOND,
	/* How long a waiter hopes before it sleeps, if a section is shorter than SHORT;
	   what passing a slot on takes, about; and how long nobody hopes after one that
	   did has been kept waiting for a processor. */
	HOPE = 200 * MICROSECOND,
	SHORT = 50 * MICROSECOND,
	HAND_OVER = 10 * MICROSECOND,
	KEPT_WAITING = MILLISECOND,
	CROWDED = SECOND,
	LOOKS = 100, /* at W, before it gives up the processor */
	VAIN_MOST = 6,
	/* How soon a sleeper checks for deaths ahead of it: the first time, and
	   later; longer if it is further back, or watches. */
	LOOK_FIRST = 10 * MILLISECOND,
	LOOK_FIRST_FAR = 100 * MILLISECOND,
	LOOK = 50 * MILLISECOND,
	LOOK_DOUBLINGS = 7,
	SCANS = 4, /* looks to one at which those far back scan */
	/* how soon it checks whether a command has ended whose holder died,
	   and how soon after so many sleeps */
	PEEK = 2 * MILLISECOND,
	PEEK_LATER = 8 * MILLISECOND,
	PEEKS = 20,
	FAR = 8, /* from there on no wait is short */
};

/*
 * Nobody looks by time: what the model says needs no look must do without it
 * (tests/timeless).
 */
#ifndef WICKET_WITHOUT_TIMERS
#define WICKET_WITHOUT_TIMERS 0
#endif

static uint32_t this_cpu(void)
{
	return (uint32_t)(sched_getcpu() + 1);
}

/* How long a slot is held by whoever waited for it: an average in which the last
   ones count most.  0: not known. */
static uint64_t section(struct wicket *h)
{
	return atomic_load_explicit(&h->area->section, memory_order_relaxed);
}

/* How many of the first in line look at W all the time. */
static uint32_t lookers(const struct wicket *h)
{
	return h->processors > 2 ? 2 : 1;
}

/* The same, without what a holder waits for a processor, where there are more slots. */
static uint64_t typical_section(struct wicket *h)
{
	return h->slots <= lookers(h) ? section(h) : 0;
}

void hope_note_section(struct wicket *h)
{
	uint64_t now = sleep_now(), took = now - h->entered;
	uint64_t average = section(h);

	if (took > LOOK_FIRST)
		took = LOOK_FIRST;
	atomic_store_explicit(&h->area->section,
			      average - average / 8 + took / 8,
			      memory_order_relaxed);
	atomic_store_explicit(&h->area->released, now, memory_order_relaxed);
	h->entered = 0;
}

/*
 * Can a holder run while we do?  Whoever waited tells on which processor it got in; if
 * that is ours, it does not run.  That of the ticket validated last is asked; where
 * there are several slots and processors, another one may run.
 */
static bool holder_may_run(struct wicket *h, uint64_t s)
{
	uint32_t seat;

	if (h->slots == 1 && recover_is_hinted(h, line_valid(s), &seat))
		return atomic_load_explicit(&h->seats[seat].cpu,
					    memory_order_relaxed) != this_cpu();
	return h->processors > 1;
}

/* Others have work for the processors, too.  (Clocks may differ by more than that.) */
static bool is_crowded(struct wicket *h, uint64_t now)
{
	uint64_t until = atomic_load_explicit(&h->area->crowded_until,
					      memory_order_relaxed);

	return now < until && until - now <= CROWDED;
}

/* Is its turn likely to come soon?  After its first sleep, too: it may have been roused
   (see rouse). */
static bool may_hope(struct wicket *h, uint64_t s, uint32_t slept, uint64_t now)
{
	uint64_t takes = typical_section(h);

	return slept <= !WICKET_WITHOUT_TIMERS && takes < SHORT &&
	       line_position(s, h->ticket, h->block) * (takes + HAND_OVER) <
		       h->slots * (uint64_t)HOPE &&
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
	uint64_t last = atomic_load_explicit(&h->area->released,
					     memory_order_relaxed);

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
			atomic_store_explicit(&h->area->crowded_until,
					      now + CROWDED,
					      memory_order_relaxed);
	}
	h->vain = line_is_valid(s, h->ticket) ? 0 :
		  h->vain < VAIN_MOST	      ? h->vain + 1 :
						h->vain;
	h->discouraged = (1u << h->vain) - 1;
}

/* Do those who enter wait too shortly to tell the first in line that it is? */
static bool may_move_quickly(struct wicket *h)
{
	return h->slots > 1 || (section(h) && section(h) < LOOK_FIRST / FAR);
}

/* How soon to look again, so far back. */
static uint64_t later(uint32_t back)
{
	return (uint64_t)LOOK
	       << (back < LOOK_DOUBLINGS ? back : LOOK_DOUBLINGS);
}

/*
 * Looks for the dead and says how soon to look again.  A waiter that has not slept
 * yet skips that, if most waits are short: to sleep on several words is dear.
 * After that the first in line scans all seats and watches those inside.  One further
 * back watches the one right before it: if that one dies, it is woken; if that one
 * enters, it is told (recover_tell_first).  It scans, too, because the first may be
 * stopped; from far back, one time of four.  A waiter is the first if all before it are
 * dead or have given up.
 */
uint64_t hope_look_again(struct wicket *h, uint64_t s, uint32_t slept,
			 struct watch *watch, int *error)
{
	uint32_t position = line_position(s, h->ticket, h->block);
	uint32_t back = position / h->slots + 1;
	bool dead, first;

	watch->count = watch->orphans = 0;
	watch->peek = slept < PEEKS ? PEEK : PEEK_LATER;
	if (!slept && !WICKET_WITHOUT_TIMERS && position < FAR)
		return LOOK_FIRST;
	if (!slept && !WICKET_WITHOUT_TIMERS && may_move_quickly(h))
		return LOOK_FIRST_FAR;
	first = !recover_watch_predecessor(h, s, watch, &dead);
	back = first ? 0 : back;
	if (back < FAR || dead || (slept && slept % SCANS == 0) ||
	    WICKET_WITHOUT_TIMERS)
		*error = recover_scan(h, first ? A_FEW_AHEAD : NOBODY,
				      first ? watch : 0);
	/* who watches nobody may wait for somebody who does not exist */
	if (slept && !watch->count && !recover_adds_up(h))
		*error = -EUCLEAN;
	if (WICKET_WITHOUT_TIMERS) {
		watch->orphans = 0;
		return NEVER;
	}
	if (!first && !watch->count)
		return LOOK_FIRST;
	if (watch->count && sleep_can_watch())
		back += 2;
	return later(back);
}

bool hope_note_wait(struct wicket *h, uint64_t began)
{
	uint64_t wait;
	uint64_t longest = atomic_load_explicit(&h->area->longest_wait,
						memory_order_relaxed);

	h->entered = sleep_now();
	wait = h->entered - began;
	atomic_store_explicit(&h->own->cpu, this_cpu(), memory_order_relaxed);
	while (wait > longest &&
	       !atomic_compare_exchange_weak_explicit(
		       &h->area->longest_wait, &longest, wait,
		       memory_order_relaxed, memory_order_relaxed))
		;
	return wait > LOOK_FIRST || WICKET_WITHOUT_TIMERS;
}

/*
 * The heir, to whom this ticket belongs, goes in: whoever comes after it is the first in
 * line now, and should be awake when it leaves; unless it would run where the heir does.
 * For the one that is woken this is a wake-up for nothing, after which it hopes.
 */
void hope_rouse(struct wicket *h, uint32_t ticket, uint32_t heir)
{
	uint64_t takes = typical_section(h), s;
	uint32_t seat;

	if (!takes || takes >= SHORT)
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
