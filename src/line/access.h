/* SPDX-License-Identifier: MIT */
/*
 * access - every access to the shared words of a line, each one step of the
 * model (algo/recoverable.c).
 *
 * Names    the first argument is the program counter at which the model takes
 *          this step (algo/recoverable/pc.h).  It costs nothing: only a traced
 *          build passes it on, and tests/conformance compares it with the
 *          model's.  Looks without a name (load, snapshot, peek_...) change
 *          nothing and are no steps.
 * Order    the CAS on W is a full barrier, and every store of an owner is
 *          followed by one before anything depends on its being seen; so
 *          stores release and loads acquire.  Two need more, because a look at
 *          W follows that must not come first: FUT, armed before the last
 *          look, and D, set by who gives up before it looks whether its turn
 *          has come.  The model has the same orders (doc/protocol.md).
 *
 * A traced build (WICKET_TRACED, tests/conformance) is asked before each access
 * and told after it, and told how each is ordered by what orders it.
 */
#ifndef WICKET_ACCESS_H
#define WICKET_ACCESS_H

#include "algo/guests/word.h"
#include "algo/recoverable/pc.h"
#include "line/life.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>

#ifdef WICKET_TRACED
#include "line/trace.h"
#else
#define BEFORE()
#define AFTER(at, ...) (void)(at)
#define SEEKS(ticket)
#define ORDERED(order)	 (void)0
#define ORDERED_BY(whom) (void)0
#endif

/* ThreadSanitizer does not see through assembler, and has no such instruction
   of its own that goes together with those on one word. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define TSAN(calls) calls
#else
#define TSAN(calls)
#endif

struct line_w {
	uint64_t t, s;
};

/* Is this, which the thread has locked, as libc left it? (seat.c) */
bool seat_has_bell(pthread_mutex_t *bell);

/* An order is written once, for the processor and for the trace. */
#define LOAD(p, order)	   (ORDERED(order), atomic_load_explicit(p, order))
#define STORE(p, v, order) (ORDERED(order), atomic_store_explicit(p, v, order))

static inline uint64_t load(_Atomic uint64_t *p)
{
	return LOAD(p, memory_order_acquire);
}

static inline void store(_Atomic uint64_t *p, uint64_t v)
{
	STORE(p, v, memory_order_release);
}

static inline bool cas(_Atomic uint64_t *p, uint64_t expect, uint64_t put)
{
	ORDERED_BY(BY_LOCK);
	return atomic_compare_exchange_strong_explicit(
		p, &expect, put, memory_order_acq_rel, memory_order_acquire);
}

/* A full barrier; on failure low and high are what was there. */
static inline bool cas_pair(union pair *p, uint64_t *low, uint64_t *high,
			    uint64_t put_low, uint64_t put_high)
{
	bool met;

	ORDERED_BY(BY_LOCK);
	TSAN(__tsan_release(&p->low); __tsan_release(&p->high));
	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(met), "+m"(p->both), "+a"(*low), "+d"(*high)
			 : "b"(put_low), "c"(put_high)
			 : "memory");
	TSAN(__tsan_acquire(&p->low); __tsan_acquire(&p->high));
	return met;
}

/* --- W ----------------------------------------------------------------------- */

static inline uint64_t load_t(enum pc at, struct wicket *h)
{
	BEFORE();
	uint64_t t = load(&h->w->low);
	AFTER(at, LOAD_T, 0, t, 0, 0, 0, 0);
	return t;
}

static inline uint64_t load_s(enum pc at, struct wicket *h)
{
	BEFORE();
	uint64_t s = load(&h->w->high);
	AFTER(at, LOAD_S, 0, s, 0, 0, 0, 0);
	return s;
}

/* T, then S: a torn pair is harmless, because an overwritten tag was settled
   and its CAS fails. */
static inline struct line_w read_w(struct wicket *h)
{
	uint64_t t = load_t(READ_T, h);

	return (struct line_w){ t, load_s(READ_S, h) };
}

/* On failure w is what was there. */
static inline bool cas_w(enum pc at, struct wicket *h, struct line_w *w,
			 struct line_w put)
{
	BEFORE();
	struct line_w expect = *w;
	bool met = cas_pair(h->w, &w->t, &w->s, put.t, put.s);
	AFTER(at, CAS_W, 0, expect.t, expect.s, put.t, put.s, met);
	(void)expect;
	return met;
}

/* --- SLOT ---------------------------------------------------------------------- */

static inline uint64_t load_slot(enum pc at, struct wicket *h, uint32_t s)
{
	BEFORE();
	uint64_t entry = load(&h->slot[s]);
	AFTER(at, LOAD_SLOT, s, entry, 0, 0, 0, 0);
	return entry;
}

static inline bool cas_slot(enum pc at, struct wicket *h, uint32_t s,
			    uint64_t expect, uint64_t put)
{
	BEFORE();
	bool met = cas(&h->slot[s], expect, put);
	AFTER(at, CAS_SLOT, s, expect, 0, put, 0, met);
	return met;
}

/* The slot for which a ticket is valid, and its word; false: not put yet. */
static inline bool find_slot(enum pc at, struct wicket *h, uint32_t ticket,
			     uint32_t *slot, uint64_t *entry)
{
	for (uint32_t i = 0; i < h->slots; i++) {
		*entry = load_slot(at, h, i);
		*slot = i;
		if (line_slot_ticket(*entry) == ticket)
			return true;
	}
	return false;
}

/* A colour that no valid ticket has. */
static inline uint32_t new_colour(struct wicket *h)
{
	uint64_t used[LINE_COLOUR_WORDS] = { 0 };

	for (uint32_t i = 0; i < h->slots; i++)
		line_use_colour(used,
				line_slot_ticket(load_slot(COLOURS, h, i)));
	return line_new_colour(used);
}

/* The ticket that is given back first. */
static inline uint32_t own_first(const struct wicket *h)
{
	return line_units(h->state) ?
		       line_range_ticket(h->range, line_units(h->state),
					 h->block) :
		       h->ticket;
}

/* --- SEAT ---------------------------------------------------------------------- */

/* The state never comes back: if it has not changed, they belong together.  RANGE is
   looked at only if there is one. */
static inline struct line_seat snapshot(struct wicket *h, uint32_t i)
{
	union pair *p = &h->seats[i].word;
	struct line_seat c;

	do {
		c.state = load(&p->low);
		c.payload = load(&p->high);
		c.range = line_units(c.state) ? LOAD(&h->seats[i].range,
						     memory_order_acquire) :
						0;
	} while (load(&p->low) != c.state);
	return c;
}

static inline struct line_seat load_seat(enum pc at, struct wicket *h,
					 uint32_t i)
{
	BEFORE();
	struct line_seat c = snapshot(h, i);
	AFTER(at, LOAD_SEAT, i, c.state, c.payload, 0, 0, 0);
	return c;
}

/* By the owner, who remembers it. */
static inline uint64_t store_state(enum pc at, struct wicket *h, uint64_t state)
{
	BEFORE();
	store(&h->own->word.low, state);
	AFTER(at, STORE_STATE, h->me, 0, 0, state, 0, 0);
	return h->state = state;
}

/* A test has it weaker, and must notice. */
#ifndef WICKET_MARK_ORDER
#define WICKET_MARK_ORDER memory_order_seq_cst
#endif

/* The same with D, before the look at W that tells whether the ticket is valid; its
   partner is the CAS on W before looking at the seat: one of the two sees the
   other, and passes the slot on. */
static inline void store_mark(enum pc at, struct wicket *h)
{
	BEFORE();
	h->state = line_mark(h->state);
	STORE(&h->own->word.low, h->state, WICKET_MARK_ORDER);
	AFTER(at, STORE_STATE, h->me, 0, 0, h->state, 0, 0);
}

static inline void store_payload(enum pc at, struct wicket *h, uint64_t v)
{
	BEFORE();
	store(&h->own->word.high, v);
	AFTER(at, STORE_PAYLOAD, h->me, 0, 0, v, 0, 0);
}

/* By the owner, before the CAS on W that takes them: whoever finds that one applied
   finds this. */
static inline void store_range(enum pc at, struct wicket *h, uint64_t v)
{
	BEFORE();
	STORE(&h->own->range, (uint32_t)v, memory_order_release);
	AFTER(at, STORE_RANGE, h->me, 0, 0, v, 0, 0);
	h->range = v;
}

static inline bool cas_seat(enum pc at, struct wicket *h, uint32_t i,
			    struct line_seat expect, struct line_seat put)
{
	BEFORE();
	struct line_seat seen = expect;
	bool met = cas_pair(&h->seats[i].word, &seen.state, &seen.payload,
			    put.state, put.payload);
	AFTER(at, CAS_SEAT, i, expect.state, expect.payload, put.state,
	      put.payload, met);
	return met;
}

/* A test has it weaker, and must notice. */
#ifndef WICKET_FUT_ORDER
#define WICKET_FUT_ORDER memory_order_seq_cst
#endif

/* --- FUT ----------------------------------------------------------------------- */

/* Before the last look at W; its partner is the CAS on W before looking at FUT:
   one of the two sees the other. */
static inline void store_fut(enum pc at, struct wicket *h, uint32_t i,
			     uint64_t v)
{
	BEFORE();
	STORE(&h->seats[i].fut, v, WICKET_FUT_ORDER);
	AFTER(at, STORE_FUT, i, 0, 0, v, 0, 0);
}

static inline bool cas_fut(enum pc at, struct wicket *h, uint32_t i,
			   uint64_t expect, uint64_t put)
{
	BEFORE();
	bool met = cas(&h->seats[i].fut, expect, put);
	AFTER(at, CAS_FUT, i, expect, 0, put, 0, met);
	return met;
}

/* --- BELL, LIFE and KEEP: the kernel's words ---------------------------------------- */

/* The futex inside glibc's mutex: the owner's thread, and two flags. */
static inline _Atomic uint32_t *bell_word(struct wicket *h, uint32_t i)
{
	return (_Atomic uint32_t *)(void *)&h->seats[i].bell.__data.__lock;
}

static inline enum line_bell peek_bell(struct wicket *h, uint32_t i)
{
	uint32_t word = LOAD(bell_word(h, i), memory_order_acquire);

	return word & FUTEX_OWNER_DIED ? LINE_DIED :
	       word & FUTEX_TID_MASK   ? LINE_ALIVE :
					 LINE_NOBODY;
}

static inline enum line_bell load_bell(enum pc at, struct wicket *h, uint32_t i)
{
	BEFORE();
	enum line_bell bell = peek_bell(h, i);
	AFTER(at, LOAD_BELL, i, bell, 0, 0, 0, 0);
	return bell;
}

/* Of the own seat, so that nobody else touches it; made anew, because it may be as
   somebody left it of whose death it was not told, or anything at all. */
static inline void lock_bell(enum pc at, struct wicket *h, uint32_t i)
{
	pthread_mutex_t *bell = &h->seats[i].bell, fresh;
	size_t rest = offsetof(pthread_mutex_t, __data.__lock) +
		      sizeof(bell->__data.__lock);

	BEFORE();
	if (!area_new_bell(&fresh)) {
		/* others look at the lock's word meanwhile, and at no other */
		memcpy((char *)bell + rest, (char *)&fresh + rest,
		       sizeof(fresh) - rest);
		STORE(bell_word(h, i), 0, memory_order_release);
		pthread_mutex_trylock(bell);
		ORDERED_BY(BY_LOCK); /* cmpxchg */
	}
	AFTER(at, LOCK_BELL, i, 0, 0, 0, 0, 0);
}

/*
 * libc would write where the bell's links point, and they are in the file: only if
 * what they point to points back.  If not, the bell stays in libc's list, and the
 * memory is never given up (area_close).
 *
 * What remains: somebody who may write the file can change the links between this
 * look and libc's, or make false neighbours inside the file; then the list of the
 * thread's robust mutexes is damaged, and the process may crash.
 */
static inline void unlock_bell(enum pc at, struct wicket *h, uint32_t i)
{
	pthread_mutex_t *bell = &h->seats[i].bell;

	BEFORE();
	if (seat_has_bell(bell)) {
		pthread_mutex_unlock(bell);
		ORDERED(memory_order_seq_cst); /* xchg */
	} else {
		h->torn = true;
		STORE(bell_word(h, i), 0, memory_order_release);
	}
	AFTER(at, UNLOCK_BELL, i, 0, 0, 0, 0, 0);
}

static inline bool peek_life(struct wicket *h, uint32_t life)
{
	return h->area->lifeless ||
	       !life_is_unlocked(h, life_lock(life, F_RDLCK));
}

static inline bool load_life(enum pc at, struct wicket *h, uint32_t life)
{
	BEFORE();
	bool lives = peek_life(h, life);
	ORDERED_BY(BY_KERNEL);
	AFTER(at, LOAD_LIFE, life, 0, 0, 0, 0, lives);
	return lives;
}

/* A lock on one byte of the file, far behind its end, of its own for every
   operation: one that is left from an earlier operation means nothing. */
static inline struct flock keep_lock(uint64_t state, uint32_t i, short type)
{
	return (struct flock){ .l_type = type,
			       .l_whence = SEEK_SET,
			       .l_start = (off_t)(line_tag(state, i) << 1 >> 1),
			       .l_len = 1 };
}

static inline bool peek_keep(struct wicket *h, uint32_t i, uint64_t state)
{
	return !life_is_unlocked(h, keep_lock(state, i, F_WRLCK));
}

/*
 * Closes what seat i HAS to guests; false: somebody is still in it.  Those who are
 * counted have the lock, unless they were killed.  asks: whether or not anybody is
 * counted, since the command may still run.
 */
static inline bool close_guests(struct wicket *h, uint32_t i, uint64_t state,
				bool asks)
{
	_Atomic uint64_t *guests = &h->seats[i].guests;
	uint64_t word;

	do {
		word = load(guests);
		if ((asks || guests_count(word)) && peek_keep(h, i, state))
			return false;
	} while (guests_are_of(word, line_seq(state)) &&
		 !cas(guests, word, guests_close(word)));
	return true;
}

/* Does the command run for which seat i, at this state, is kept; or a guest? */
static inline bool load_keep(enum pc at, struct wicket *h, uint32_t i,
			     uint64_t state)
{
	BEFORE();
	bool runs = !close_guests(h, i, state, true);
	ORDERED_BY(BY_KERNEL);
	AFTER(at, LOAD_KEEP, i, line_seq(state), 0, 0, 0, runs);
	return runs;
}

static inline int lock_keep(enum pc at, struct wicket *h, int fd)
{
	struct flock lock = keep_lock(h->state, h->me, F_RDLCK);

	BEFORE();
	int error = fcntl(fd, F_OFD_SETLK, &lock) ? -errno : 0;
	ORDERED_BY(BY_KERNEL);
	AFTER(at, LOCK_KEEP, h->me, 0, 0, line_seq(h->state), 0, 0);
	return error;
}

#endif
