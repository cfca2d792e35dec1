/* SPDX-License-Identifier: MIT */
#include "drive/watch.h"

#include <time.h>

/*
 * Noting that one tries, is inside or is not, that somebody was overtaken: what
 * was done before stays before, what comes after stays after.  For
 * ThreadSanitizer (tests/exec), which is to see the algorithm's order and no
 * other, there is none.
 */
#ifdef DRIVE_WATCH_RELAXED
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

/* An attempt: its number, how often it was overtaken, and is it on? */
enum { TRYING = 1, OVERTAKEN = 2, NUMBER_SHIFT = 20 };

static const uint64_t number_one = (uint64_t)1 << NUMBER_SHIFT;

static uint64_t number_of(uint64_t attempt)
{
	return attempt >> NUMBER_SHIFT;
}

static uint64_t count_of(uint64_t attempt)
{
	return (attempt & (number_one - 1)) / OVERTAKEN;
}

uint64_t drive_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Records have one writer, and are read when all is over. */
static uint64_t get(_Atomic uint64_t *x)
{
	return atomic_load_explicit(x, memory_order_relaxed);
}

static void set(_Atomic uint64_t *x, uint64_t to)
{
	atomic_store_explicit(x, to, memory_order_relaxed);
}

static void raise_to(_Atomic uint64_t *x, uint64_t to)
{
	if (get(x) < to)
		set(x, to);
}

static struct drive_record *mine(struct drive_watch *w)
{
	return &w->scene->of[w->who - 1];
}

static void comes(struct drive_watch *w)
{
	w->overtaken = 0;
	for (uint32_t i = 0; i < w->n; i++) /* its partner is tries() */
		w->met[i] = atomic_load_explicit(&w->scene->of[i].attempt,
						 ACQUIRE);
	set(&mine(w)->since, drive_now());
}

/* Seen by others only after the step that was taken before. */
static void tries(struct drive_watch *w)
{
	uint64_t last = number_of(get(&mine(w)->attempt));

	atomic_store_explicit(&mine(w)->attempt,
			      (last + 1) << NUMBER_SHIFT | TRYING, RELEASE);
}

static void stops_trying(struct drive_record *r)
{
	set(&r->attempt, number_of(get(&r->attempt)) << NUMBER_SHIFT);
	set(&r->since, 0);
}

/* Tells process i that it was overtaken, if it still tries as it did. */
static void overtakes(struct drive_watch *w, uint32_t i)
{
	_Atomic uint64_t *attempt = &w->scene->of[i].attempt;
	uint64_t met = w->met[i], is = get(attempt);

	while (met & TRYING && is & TRYING && number_of(is) == number_of(met) &&
	       count_of(is) < number_one / OVERTAKEN - 1) {
		/* its partner is the look before every step */
		if (atomic_compare_exchange_weak_explicit(
			    attempt, &is, is + OVERTAKEN, RELEASE,
			    memory_order_relaxed))
			return;
	}
}

/*
 * Of those whose bit is set, a dead one is not inside.  One that lives again
 * lost its bit before that: if it is seen alive first, and then its bit, it is.
 */
static bool is_inside(struct drive_watch *w, uint32_t i, uint32_t inside)
{
	if (!(inside >> i & 1) || !w->deaths || i + 1 == w->who)
		return inside >> i & 1;
	return !drive_is_dead(w->deaths, i + 1) &&
	       atomic_load_explicit(&w->scene->inside, ACQUIRE) >> i & 1;
}

static void is_in(struct drive_watch *w)
{
	uint32_t bit = (uint32_t)1 << (w->who - 1);
	uint32_t inside = bit | atomic_fetch_or_explicit(&w->scene->inside, bit,
							 RELEASE);
	uint64_t count = 0;

	for (uint32_t i = 0; i < w->n; i++)
		count += is_inside(w, i, inside);
	raise_to(&mine(w)->most_inside, count);
}

static void enters(struct drive_watch *w)
{
	struct drive_record *r = mine(w);
	uint64_t since = get(&r->since);

	is_in(w);
	raise_to(&r->longest, drive_now() - since);
	stops_trying(r);
	set(&r->overtaken, get(&r->overtaken) + w->overtaken);
	raise_to(&r->most_overtaken, w->overtaken);
	for (uint32_t i = 0; i < w->n; i++) {
		if (i + 1 != w->who)
			overtakes(w, i);
	}
	if (w->alone)
		w->scene->ledger++;
	set(&r->entries, get(&r->entries) + 1);
}

static bool is_out(struct drive_scene *scene, uint32_t who)
{
	uint32_t bit = (uint32_t)1 << (who - 1);

	return atomic_fetch_and_explicit(&scene->inside, ~bit, ACQUIRE) & bit;
}

void drive_watch_before(struct drive_watch *w, enum wicket_region was)
{
	switch (was) {
	case WICKET_REMAINDER:
		comes(w);
		break;
	case WICKET_TRYING:
		w->overtaken = count_of(
			atomic_load_explicit(&mine(w)->attempt, ACQUIRE));
		break;
	case WICKET_CRITICAL: /* perhaps this is the step that leaves */
		is_out(w->scene, w->who);
		break;
	case WICKET_EXIT:
		break;
	}
}

void drive_watch_after(struct drive_watch *w, enum wicket_region was,
		       enum wicket_region is)
{
	if (is == WICKET_CRITICAL) {
		if (was == WICKET_CRITICAL)
			is_in(w);
		else
			enters(w);
	} else if (is == WICKET_TRYING && was != WICKET_TRYING) {
		tries(w);
	} else if (is != WICKET_TRYING && was == WICKET_TRYING) {
		stops_trying(mine(w));
	}
}

bool drive_watch_stopped(struct drive_scene *scene, uint32_t who)
{
	stops_trying(&scene->of[who - 1]);
	return atomic_load_explicit(&scene->inside, ACQUIRE) >> (who - 1) & 1;
}

bool drive_watch_died(struct drive_scene *scene, uint32_t who)
{
	stops_trying(&scene->of[who - 1]);
	return is_out(scene, who);
}
