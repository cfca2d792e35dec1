/* SPDX-License-Identifier: MIT */
/*
 * The accesses of algo/bitmap.c on memory; its program counters stand at them.  Only
 * the first in line spins, while sections are short and the holder may run; when a slot
 * is granted, the next in line is woken so that it can.
 */
#include "bitmap.h"

#include "algo/bitmap.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE    __attribute__((noinline))

enum {
	MICROSECOND = 1000,
	MILLISECOND = 1000 * MICROSECOND,
	SECOND = 1000 * MILLISECOND,
	SPIN = 50 * MICROSECOND,
	SECTION_MOST = MILLISECOND,
	LOOK_FIRST = 2 * MILLISECOND,
	LOOK = 50 * MILLISECOND,
	LOOK_DOUBLINGS = 7,
	FAR = 8,
	SEATS = 256,
	APART = 128,
};

__extension__ typedef unsigned __int128 both_words;

union pair {
	struct {
		_Atomic uint64_t t, s;
	};
	both_words both;
};

struct seat {
	_Alignas(APART) _Atomic uint64_t state;
	_Atomic uint64_t grants;
	_Atomic uint32_t cpu; /* 1 + that on which its owner last got in */
};

struct area {
	_Atomic uint32_t used; /* seats ever sat in */
	_Alignas(APART) union pair w;
	_Atomic uint64_t section; /* about how long a slot is held, ns */
	_Alignas(APART) _Atomic uint16_t hint[BITMAP_TICKETS]; /* of a ticket,
								  whose */
	struct seat seats[SEATS];
};

static _Thread_local const void *this_thread;

/* Of this process. */
static struct {
	struct area *area;
	struct seat *own;
	const void *thread;
	uint64_t seq, last; /* last: the S of the last operation, or 0 */
	uint64_t entered;   /* when, if it has waited */
	uint32_t me, slots, processors;
	uint32_t held;
	_Atomic uint32_t cancelled;
	bool inside;
} h;

struct w {
	uint64_t t, s;
};

static uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* --- accesses ---------------------------------------------------------------- */

static inline uint64_t load(_Atomic uint64_t *p)
{
	return atomic_load_explicit(p, memory_order_acquire);
}

static inline bool cas(_Atomic uint64_t *p, uint64_t *expect, uint64_t put)
{
	return atomic_compare_exchange_strong_explicit(
		p, expect, put, memory_order_acq_rel, memory_order_acquire);
}

/* On failure w is what was there. */
static inline bool cas_w(struct w *w, struct w put)
{
	bool met;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(met), "+m"(h.area->w.both), "+a"(w->t),
			   "+d"(w->s)
			 : "b"(put.t), "c"(put.s)
			 : "memory");
	return met;
}

static inline struct w read_w(void)
{
	uint64_t t = load(&h.area->w.t); /* READ_T, READ_S */

	return (struct w){ t, load(&h.area->w.s) };
}

static inline void store_own(uint64_t state)
{
	atomic_store_explicit(&h.own->state, state, memory_order_release);
}

static inline uint64_t tag(uint64_t seq)
{
	return bitmap_tag(seq, h.me);
}

/* The lower half of the seat's word. */
static uint32_t *futex_of(uint32_t i)
{
	return (uint32_t *)(void *)&h.area->seats[i].state;
}

static void wake(uint32_t i)
{
	syscall(SYS_futex, futex_of(i), FUTEX_WAKE, 1, 0, 0, 0);
}

/* --- settle, grant ----------------------------------------------------------- */

/* The seat for which W = (t, s) has a slot: hinted, or the first that is found. */
static bool seek_heir(uint64_t s, uint32_t *heir, uint64_t *state)
{
	uint32_t used = atomic_load_explicit(&h.area->used,
					     memory_order_relaxed);

	*heir = atomic_load_explicit(&h.area->hint[bitmap_head(s)],
				     memory_order_relaxed);
	*state = load(&h.area->seats[*heir].state); /* GRANT_SEAT */
	if (bitmap_is_heir(*state, s))
		return true;
	for (uint32_t i = 0; i < used && i < SEATS; i++) {
		*heir = i;
		*state = load(&h.area->seats[i].state);
		if (bitmap_is_heir(*state, s))
			return true;
	}
	return false;
}

/* Puts what W = w has granted into the heir's seat, unless somebody has. */
static NOINLINE void grant(struct w w)
{
	uint64_t state;
	uint32_t heir;

	while (seek_heir(w.s, &heir, &state)) {
		if (load(&h.area->w.t) != w.t) /* GRANT_LOOK */
			return;
		if (!cas(&h.area->seats[heir].state, &state, /* GRANT_PUT */
			 bitmap_granted(state, w.s)))
			continue;
		if (state & BITMAP_ASLEEP)
			wake(heir); /* GRANT_WAKE */
		return;
	}
}

/* W was read as w: writes its operation down. */
static void settle(struct w w)
{
	_Atomic uint64_t *seat;
	uint64_t state;

	if (!w.t || bitmap_tag_seat(w.t) == h.me)
		return;
	seat = &h.area->seats[bitmap_tag_seat(w.t)].state;
	state = load(seat); /* SETTLE_SEAT */
	while (bitmap_is_owed(w.t, state)) {
		if (bitmap_did(w.s) == BITMAP_GRANTED)
			grant(w);
		if (cas(seat, &state, bitmap_written(state, w.s)))
			return; /* SETTLE_PUT */
	}
}

/* --- wait -------------------------------------------------------------------- */

static uint32_t this_cpu(void)
{
	return (uint32_t)(sched_getcpu() + 1);
}

static uint32_t spinners(void)
{
	return h.processors > 2 ? 2 : 1;
}

static bool sections_are_short(void)
{
	return atomic_load_explicit(&h.area->section, memory_order_relaxed) <
	       SPIN;
}

/* How many are before this ticket in the line? */
static uint32_t position(uint64_t s, uint32_t ticket)
{
	return (ticket - bitmap_head(s) - 1) % BITMAP_TICKETS;
}

static bool holder_may_run(uint64_t s)
{
	uint32_t seat = atomic_load_explicit(&h.area->hint[bitmap_head(s)],
					     memory_order_relaxed);

	return (h.slots > 1 && h.processors > 1) ||
	       atomic_load_explicit(&h.area->seats[seat].cpu,
				    memory_order_relaxed) != this_cpu();
}

/* The own seat, or one that waits, seen for a while. */
static uint64_t spin(uint32_t ticket, uint32_t slept)
{
	uint64_t s = load(&h.area->w.s), state = load(&h.own->state), end;

	if (bitmap_phase(state) != BITMAP_WAIT || slept > 1 ||
	    position(s, ticket) >= spinners() || !sections_are_short() ||
	    !holder_may_run(s))
		return state;
	/* so that nobody wakes it */
	if (state & BITMAP_ASLEEP &&
	    cas(&h.own->state, &state, state & ~(uint64_t)BITMAP_ASLEEP))
		state &= ~(uint64_t)BITMAP_ASLEEP;
	end = clock_now() + SPIN;
	do {
		for (int i = 0; i < 16; i++) {
			state = load(&h.own->state); /* WAIT_SPIN */
			if (bitmap_phase(state) == BITMAP_HAVE)
				return state;
			__builtin_ia32_pause();
		}
	} while (clock_now() < end);
	return state;
}

static uint64_t later(uint32_t back)
{
	return (uint64_t)LOOK
	       << (back < LOOK_DOUBLINGS ? back : LOOK_DOUBLINGS);
}

static void fall_asleep(uint64_t state, uint32_t ticket, uint32_t slept)
{
	uint32_t ahead = position(load(&h.area->w.s), ticket);
	uint64_t ns = !slept && ahead < FAR ? LOOK_FIRST :
					      later(ahead / h.slots + 1);
	struct timespec t = { (time_t)(ns / SECOND), (long)(ns % SECOND) };

	syscall(SYS_futex, futex_of(h.me), FUTEX_WAIT, (uint32_t)state, &t, 0,
		0); /* WAIT_SLEEP */
}

static uint32_t wait_for_slot(uint32_t ticket)
{
	uint64_t state;
	uint32_t slept = 0;

	while (bitmap_phase(state = spin(ticket, slept)) != BITMAP_HAVE) {
		if (!(state & BITMAP_ASLEEP)) {
			if (!cas(&h.own->state, &state, /* WAIT_ARM */
				 state | BITMAP_ASLEEP))
				continue;
			state |= BITMAP_ASLEEP;
		}
		fall_asleep(state, ticket, slept++);
	}
	h.entered = clock_now();
	atomic_store_explicit(&h.own->cpu, this_cpu(), memory_order_relaxed);
	return bitmap_slot(state);
}

/* --- take, release ------------------------------------------------------------ */

static inline int hold(struct bitmap_grant *grant, uint32_t slot)
{
	_Atomic uint64_t *grants = &h.own->grants;

	h.held = slot;
	h.inside = true;
	atomic_store_explicit(
		grants, atomic_load_explicit(grants, memory_order_relaxed) + 1,
		memory_order_relaxed);
	if (grant)
		*grant = (struct bitmap_grant){ .slot = slot };
	return 0;
}

static NOINLINE int acquire_from(struct bitmap_grant *grant, struct w w)
{
	uint64_t idle = bitmap_state(h.seq, BITMAP_IDLE);
	uint32_t ticket;
	struct w next;

	do {
		settle(w);
		next.t = tag(h.seq + 1);
		next.s = bitmap_take(w.s, BITMAP_TICKETS);
	} while (!cas_w(&w, next)); /* TAKE_W */
	h.seq++;
	if (bitmap_did(next.s) == BITMAP_ENTERED) {
		h.last = next.s;
		store_own(
			bitmap_has(h.seq, bitmap_moved(next.s))); /* ENTERED */
		return hold(grant, bitmap_moved(next.s));
	}
	h.last = 0;
	ticket = bitmap_tail(next.s);
	/* a wrong one costs a search */
	atomic_store_explicit(&h.area->hint[ticket], (uint16_t)h.me,
			      memory_order_relaxed);
	cas(&h.own->state, &idle, bitmap_waits(h.seq, ticket)); /* QUEUED */
	return hold(grant, wait_for_slot(ticket));
}

static NOINLINE int acquire_after_reading(struct bitmap_grant *grant)
{
	return acquire_from(grant, read_w());
}

int bitmap_acquire(struct bitmap_grant *grant)
{
	uint64_t seq = h.seq + 1, last = h.last;
	struct w w = { tag(seq - 1), last }, next;
	uint32_t slot;

	if (UNLIKELY(h.thread != this_thread || h.inside ||
		     atomic_load_explicit(&h.cancelled, memory_order_relaxed)))
		return -EPERM;
	if (UNLIKELY(!bitmap_free(last)))
		return acquire_after_reading(grant);
	next = (struct w){ tag(seq), bitmap_enter(last) };
	if (UNLIKELY(!cas_w(&w, next))) /* TAKE */
		return acquire_from(grant, w);
	slot = bitmap_moved(next.s);
	store_own(bitmap_has(seq, slot)); /* ENTERED */
	h.seq = seq;
	h.last = next.s;
	return hold(grant, slot);
}

static void note_section(void)
{
	_Atomic uint64_t *section = &h.area->section;
	uint64_t took = clock_now() - h.entered;
	uint64_t average = atomic_load_explicit(section, memory_order_relaxed);

	if (took > SECTION_MOST)
		took = SECTION_MOST;
	atomic_store_explicit(section, average - average / 8 + took / 8,
			      memory_order_relaxed);
}

/* The one after the heir is the first in line now, and should be awake when that
   one leaves. */
static void rouse(uint64_t s)
{
	uint32_t ticket = bitmap_after(bitmap_head(s), BITMAP_TICKETS), seat;
	uint64_t state;

	if (!bitmap_has_waiters(s))
		return;
	seat = atomic_load_explicit(&h.area->hint[ticket],
				    memory_order_relaxed);
	state = load(&h.area->seats[seat].state);
	if (bitmap_phase(state) == BITMAP_WAIT &&
	    bitmap_ticket(state) == ticket && state & BITMAP_ASLEEP)
		wake(seat);
}

static NOINLINE int release_from(struct w w)
{
	struct w next;

	do {
		settle(w);
		next.t = tag(h.seq + 1);
		next.s = bitmap_release(w.s, h.held, BITMAP_TICKETS);
	} while (!cas_w(&w, next)); /* RELEASE_W */
	h.seq++;
	h.last = next.s;
	if (bitmap_did(next.s) == BITMAP_GRANTED)
		grant(next);
	store_own(bitmap_state(h.seq, BITMAP_IDLE)); /* RELEASE_END */
	if (bitmap_did(next.s) == BITMAP_GRANTED && h.slots <= spinners() &&
	    sections_are_short())
		rouse(next.s);
	return 0;
}

static NOINLINE int release_after_reading(void)
{
	if (h.slots <= spinners())
		note_section();
	return release_from(read_w());
}

int bitmap_give_back(void)
{
	uint64_t seq = h.seq + 1, last = h.last;
	struct w w = { tag(seq - 1), last }, next;

	if (UNLIKELY(h.thread != this_thread || !h.inside))
		return -EPERM;
	h.inside = false;
	if (UNLIKELY(!last)) /* it has waited */
		return release_after_reading();
	next = (struct w){ tag(seq), bitmap_set_free(last, h.held) };
	if (UNLIKELY(!cas_w(&w, next))) /* HOLD */
		return release_from(w);
	store_own(bitmap_state(seq, BITMAP_IDLE)); /* RELEASE_END */
	h.seq = seq;
	h.last = next.s;
	return 0;
}

/* --- coming and going ---------------------------------------------------------- */

int bitmap_create(uint32_t k)
{
	void *area;

	if (k < 1 || k > BITMAP_SLOTS_MAX)
		return -EINVAL;
	area = mmap(0, sizeof(*h.area), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return -errno;
	h.area = area;
	h.slots = k;
	h.processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	atomic_store(&h.area->w.s, bitmap_start(k));
	return 0;
}

void bitmap_destroy(void)
{
	if (h.area)
		munmap(h.area, sizeof(*h.area));
	h.area = 0;
}

/* A seat that nobody sits in. */
int bitmap_join(void)
{
	for (uint32_t i = 0; i < SEATS; i++) {
		struct seat *seat = &h.area->seats[i];
		uint64_t state = load(&seat->state); /* JOIN_SEAT */
		uint64_t seq = bitmap_seq(state) + 1;
		uint32_t used = i;

		if (bitmap_phase(state) != BITMAP_NOBODY ||
		    !cas(&seat->state, &state, /* JOIN_CLAIM */
			 bitmap_state(seq, BITMAP_IDLE)))
			continue;
		while (used <= i && !atomic_compare_exchange_weak(&h.area->used,
								  &used, i + 1))
			;
		h.me = i;
		h.own = seat;
		h.seq = seq;
		h.last = 0;
		h.inside = false;
		h.thread = this_thread = &this_thread;
		return 0;
	}
	return -EUSERS;
}

int bitmap_quit(void)
{
	uint64_t idle = bitmap_state(h.seq, BITMAP_IDLE);

	if (!cas(&h.own->state, &idle, /* LEAVE */
		 bitmap_state(h.seq, BITMAP_NOBODY)))
		return -EPERM;
	return 0;
}
