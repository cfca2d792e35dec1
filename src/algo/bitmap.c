/* SPDX-License-Identifier: MIT */
/*
 * bitmap - first come, first served, with the free slots as a set in one word and
 * the grant in the seat of whoever waits; survives the death of anybody anywhere.
 *
 * Source   Ours: beside recoverable, to be measured with it.  Its rule is that of
 *          recoverable: nobody changes W before the operation named in its tag
 *          has been written down.
 * Value    W, SEAT[], LIFE as in algo/bitmap.h, whose functions make every change;
 *          bench/bitmap.c performs the same accesses on memory.
 * Tickets  live only while somebody waits.  Who finds a free slot takes it out of
 *          the set, by one CAS on W; who finds none takes a ticket.  Who leaves
 *          gives its slot to the next ticket, or back to the set if there is none.
 * Tag      An operation is seen in W's tag, one ahead of its seat, until the seat
 *          has been written; S says what it did.  So nothing has to be stored
 *          before the CAS: an entry that meets nobody is two CAS and two stores.
 * Owner    stores HAVE and IDLE: helpers write the same bits, and nobody else
 *          changes them.  WAIT it may not store: it may have been granted before
 *          (mutant queue-plain).  A grant, ASLEEP and giving up are a CAS each on
 *          one word, so that none of them misses another.
 * B1       slot numbers of live holders are distinct.
 * B2       tickets are granted in the order in which they were taken.
 * B3       nobody waits while a slot is free.
 * B4       every slot is free, in one seat, or on its way into one.
 * B5       every ticket between head and tail is in one seat, or about to be.
 * B6       nobody loses its seat, or is marked dead in it, who lives and has not
 *          given up.
 * FIFO     a ticket is taken by one CAS, and granted by its number (B2); who takes
 *          none enters at once, which nobody who waits could (B3).
 * Crash    the kernel tells by LIFE, in one step; whoever scans sets D, and
 *          drives the seat to its end.  Bells, commands that outlive a holder,
 *          removal and the news that a holder died inside are left out.
 *
 * Tied     drive reads W anew if the seat's seq is not the one at which D was seen, and
 *          joining begins a new seq, as in recoverable.  Without either everything
 *          holds in every world of three processes that was explored to its end;
 *          recoverable needs a later start to show why, so neither is a mutant.
 *
 * Numbers that no process looks at are carried along for B2 and B5: the third word
 * of W counts tickets taken and granted, that of SEAT is the number of its ticket.
 */
#include "algo/bitmap.h"
#include "algo/algo.h"
#include "algo/lists.h"

/* X(program counter, for people) */
#define PCS(X)                                                                 \
	X(JOIN_SEAT, "join: seat?")                                            \
	X(JOIN_CLAIM, "join: claim")                                           \
	/* in R; from what its last operation left, if that is known */        \
	X(TAKE, "take")                                                        \
	X(TAKE_W, "take: W")                                                   \
	X(ENTERED, "entered")                                                  \
	X(QUEUED, "queued")                                                    \
	X(READ_T, "read T")                                                    \
	X(READ_S, "read S")                                                    \
	X(SETTLE_SEAT, "settle: seat")                                         \
	X(SETTLE_PUT, "settle: put")                                           \
	X(GRANT_SEAT, "grant: seat?")                                          \
	X(GRANT_LOOK, "grant: look")                                           \
	X(GRANT_PUT, "grant: put")                                             \
	X(GRANT_WAKE, "grant: wake")                                           \
	X(WAIT_SPIN, "spin")                                                   \
	X(WAIT_ARM, "wait: arm")                                               \
	X(WAIT_SLEEP, "sleep")                                                 \
	X(WAIT_LOOK, "wait: look")                                             \
	X(SCAN_SEAT, "scan: seat")                                             \
	X(SCAN_LIFE, "scan: alive?")                                           \
	X(SCAN_MARK, "scan: mark D")                                           \
	/* in C; the step out of it begins the release */                      \
	X(HOLD, "release")                                                     \
	X(RELEASE_W, "release: W")                                             \
	X(RELEASE_END, "release: end")                                         \
	X(DRIVE_SEAT, "drive: seat")                                           \
	X(DRIVE_FREE, "drive: free")                                           \
	X(DRIVE_W, "drive: W")                                                 \
	X(ABANDON, "abandon")                                                  \
	X(LEAVE, "leave")                                                      \
	X(DONE, "done")                                                        \
	X(DIE, "dies")                                                         \
	X(DEAD, "dead")

#define NUMBER(pc, text) pc,
enum pc { PCS(NUMBER) };
#undef NUMBER
#define TEXT(pc, text) text,
static const char pc_names[][16] = { PCS(TEXT) };
#undef TEXT

#define VARIANTS(X)
#define ANY WICKET_ANY_VARIANT
#define MUTANTS(X)                                                             \
	X(NO_SETTLE, "no-settle", "settle does nothing", ANY)                  \
	X(NO_LOOK, "no-look", "a slot is granted without a look at W", ANY)    \
	X(END_FIRST, "end-first",                                              \
	  "the seat of a release is written before the heir's", ANY)           \
	X(FREE_FIRST, "free-first", "a slot becomes free though others wait",  \
	  ANY)                                                                 \
	X(LAST_FIRST, "last-first", "the slot is for the ticket last taken",   \
	  ANY)                                                                 \
	X(QUEUE_PLAIN, "queue-plain", "WAIT is stored plainly", ANY)           \
	X(ARM_PLAIN, "arm-plain", "ASLEEP is set by a plain store", ANY)       \
	X(GIVE_UP_PLAIN, "give-up-plain",                                      \
	  "who gives up sets D by a plain store", ANY)                         \
	X(HEIR_IGNORED, "heir-ignored", "a dead heir keeps what it got", ANY)  \
	X(SEAT_FIRST, "seat-first", "drive reads the seat before W", ANY)
#define INVARIANTS(X)                                                          \
	X(B1, "slot numbers of live holders are distinct")                     \
	X(B2, "tickets are granted in the order in which they were taken")     \
	X(B3, "nobody waits while a slot is free")                             \
	X(B4, "every slot is free, in one seat, or on its way into one")       \
	X(B5, "every ticket that is waited for is in one seat")                \
	X(B6, "nobody loses its seat who lives and has not given up")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

/* --- registers ------------------------------------------------------------- */

static uint32_t seats(const struct wicket_cfg *c)
{
	return c->seats ? c->seats : c->n;
}

/* So many tickets that head and tail tell how many wait: as few as that needs. */
static uint32_t tickets(const struct wicket_cfg *c)
{
	return seats(c) - c->k + 1;
}

static uint32_t seat_reg(uint64_t i)
{
	return 1 + (uint32_t)i;
}

static uint32_t life_reg(const struct wicket_cfg *c)
{
	return 1 + seats(c);
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return life_reg(c) + 1;
}

static const char *refuse(const struct wicket_cfg *c)
{
	if (seats(c) < c->n || seats(c) > 16 || seats(c) <= c->k)
		return "bitmap needs a seat for everybody, at most 16";
	return 0;
}

/* All are in their seats; they live, and so will newcomers. */
static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_register x = { .range = 0 };

	if (r == 0) {
		x.start.w[1] = bitmap_start(c->k);
	} else if (r == life_reg(c)) {
		x.start.w[0] = ((uint64_t)4 << c->n) - 2;
	} else if (r <= c->n) {
		x.start.w[0] = bitmap_state(0, BITMAP_IDLE);
		x.start.w[1] = r;
	}
	return x;
}

/* --- processes ------------------------------------------------------------- */

enum local {
	ME,	/* 1 + own seat; 0: none */
	SEQ,	/* the own seat's, as it was last written */
	TICKET, /* own; its number above */
	SLOT,	/* own; EXITING once it is being given back */
	LAP,	/* how often it has been here */
	LAST, /* the S that its last operation made, if nobody had a part in it */
	WT,
	WS,
	WG, /* W as it was read */
	C0,
	C1,   /* a seat as it was read: of the tag, or driven, or looked at */
	E0,   /* the heir's as it was read */
	J,    /* the seat that is driven; its slot above */
	D,    /* the seq at which D was seen on it */
	AT,   /* where a scan or a search for a seat stands */
	I,    /* where the search for the heir stands */
	HEIR, /* 1 + its seat if it has D, its seq above; 0: none */
	RET,  /* what goes on after settle, drive and scan */
};

enum {
	AFTER_TAKE,
	AFTER_RELEASE,
	AFTER_DRIVE,
	AFTER_DRIVE_RELEASE,
	AFTER_OWN,    /* the own release is being granted */
	AFTER_DRIVEN, /* that of the driven seat */
};
enum { DRIVE_SCAN = 0 << 4, DRIVE_HEIR = 1 << 4 };
enum { SCAN_WAIT = 0 << 8, SCAN_JOIN = 1 << 8 };
enum { SETTLE_BITS = 0xf, DRIVE_BITS = 0xf0, SCAN_BITS = 0xf00 };
/* W has moved on: whoever did that has granted the slot. */
enum { PAST = 1 << 12 };

/* In SLOT: it is given back. */
#define EXITING ((uint64_t)1 << 63)

/* What the third word of W counts. */
#define ONE_TAKEN   ((uint64_t)1)
#define ONE_GRANTED ((uint64_t)1 << 32)

enum { STATE_WORD = 1 << 0, NUMBER_WORD = 1 << 2 };

/* One access: what was met in the register, and what is left there. */
struct meeting {
	struct wicket_value seen, put;
	int met;       /* by a CAS: is it what was expected? */
	uint32_t wake; /* one of those asleep on this register; 0: nobody */
};

static struct wicket_proc forget(struct wicket_proc p, enum local from,
				 enum local to)
{
	for (enum local i = from; i <= to; i++)
		p.local[i] = 0;
	return p;
}

static uint64_t after(struct wicket_proc p)
{
	return p.local[RET] & SETTLE_BITS;
}

static struct wicket_proc with_ret(struct wicket_proc p, uint64_t bits,
				   uint64_t value)
{
	p.local[RET] = (p.local[RET] & ~bits) | value;
	return p;
}

static uint32_t own(struct wicket_proc p)
{
	return seat_reg(p.local[ME] - 1);
}

static uint64_t own_waits(struct wicket_proc p)
{
	return bitmap_waits(p.local[SEQ], (uint32_t)p.local[TICKET]);
}

static uint64_t own_tag(struct wicket_proc p)
{
	return bitmap_tag(p.local[SEQ], (uint32_t)p.local[ME] - 1);
}

static uint64_t driven_seat(struct wicket_proc p)
{
	return p.local[J] & 0xff;
}

/* Its release is an operation of that seat; what it makes of this S. */
static uint64_t release_of(const struct wicket_cfg *c, uint64_t s,
			   uint64_t slot)
{
	if (c->mutant == FREE_FIRST)
		return bitmap_set_free(s, (uint32_t)slot);
	return bitmap_release(s, (uint32_t)slot, tickets(c));
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = { .pc = JOIN_SEAT, .self = i };

	if (i && i <= c->n) {
		p.pc = TAKE;
		p.local[ME] = i;
	}
	return p;
}

static struct wicket_proc stop(uint16_t pc)
{
	return (struct wicket_proc){ .pc = pc };
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case TAKE:
	case LEAVE:
	case DONE:
	case DEAD:
		return WICKET_REMAINDER;
	case DIE: /* the kernel owes it this: in R it might rest */
	case ABANDON:
		return WICKET_EXIT;
	case HOLD:
		return WICKET_CRITICAL;
	default:
		return p.local[SLOT] & EXITING ? WICKET_EXIT : WICKET_TRYING;
	}
}

/* --- what comes next ------------------------------------------------------- */

static struct wicket_proc read_w(const struct wicket_cfg *c,
				 struct wicket_proc p, uint64_t then)
{
	p = forget(p, WT, E0);
	p.local[I] = 0;
	p = with_ret(p, SETTLE_BITS | PAST, then);
	p.pc = c->mutant == SEAT_FIRST && then == AFTER_DRIVE ? DRIVE_SEAT :
								READ_T;
	return p;
}

static struct wicket_proc drive(const struct wicket_cfg *c,
				struct wicket_proc p, uint64_t j, uint64_t d)
{
	p.local[J] = j;
	p.local[D] = d;
	return read_w(c, p, AFTER_DRIVE);
}

/* Looks at the next seat that is not its own, from AT on. */
static struct wicket_proc scan_on(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	uint64_t at = p.local[AT], ret = p.local[RET] & SCAN_BITS;

	p = forget(p, WT, RET);
	if (at + 1 == p.local[ME])
		at++;
	if (at < seats(c)) {
		p.local[AT] = at;
		p.local[RET] = ret;
		p.pc = SCAN_SEAT;
	} else {
		p.pc = ret == SCAN_JOIN ? JOIN_SEAT : WAIT_SLEEP;
	}
	return p;
}

static struct wicket_proc scan(const struct wicket_cfg *c, struct wicket_proc p,
			       uint64_t then)
{
	p = forget(p, WT, RET);
	p.local[RET] = then | DRIVE_SCAN;
	return scan_on(c, p);
}

/* Once more, or no more; with or without a seat. */
static struct wicket_proc next_lap(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	p = forget(p, WT, RET);
	p.local[TICKET] = p.local[SLOT] = 0;
	if (++p.local[LAP] < (c->laps ? c->laps : 1)) {
		p.pc = p.local[ME] ? TAKE : JOIN_SEAT;
		return p;
	}
	if (!p.local[ME])
		return stop(DONE);
	p.local[LAP] = p.local[LAST] = 0;
	p.pc = LEAVE;
	return p;
}

static struct wicket_proc driven(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	uint64_t heir = p.local[HEIR];

	p.local[HEIR] = 0;
	if (heir && c->mutant != HEIR_IGNORED)
		return drive(c, p, (heir & 0xff) - 1, heir >> 8);
	if ((p.local[RET] & DRIVE_BITS) == DRIVE_HEIR)
		return next_lap(c, p);
	p.local[AT]++;
	return scan_on(c, p);
}

/* The slot is its own. */
static struct wicket_proc hold(struct wicket_proc p, uint64_t slot)
{
	p = forget(p, WT, RET);
	p.local[TICKET] = 0;
	p.local[SLOT] = slot;
	p.pc = HOLD;
	return p;
}

/* --- settle ------------------------------------------------------------------ */

/* W's operation is written down: on with whatever needed it. */
static struct wicket_proc settled(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	uint64_t then = after(p);

	p = forget(p, C0, E0);
	p.local[I] = 0;
	p.pc = then == AFTER_TAKE    ? TAKE_W :
	       then == AFTER_RELEASE ? RELEASE_W :
				       DRIVE_W;
	if (then == AFTER_DRIVE || then == AFTER_DRIVEN)
		return read_w(c, p, AFTER_DRIVE);
	return p;
}

/* W has been read. */
static struct wicket_proc settle(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	/* what its own seat did, it has written down itself */
	if (!p.local[WT] || c->mutant == NO_SETTLE ||
	    bitmap_tag_seat(p.local[WT]) + 1 == p.local[ME])
		return settled(c, p);
	p = forget(p, C0, E0);
	p.pc = SETTLE_SEAT;
	return p;
}

static struct wicket_proc settle_seat(const struct wicket_cfg *c,
				      struct wicket_proc p, uint64_t state)
{
	if (!bitmap_is_owed(p.local[WT], state))
		return settled(c, p);
	p.local[C0] = state;
	p.local[I] = 0;
	p.pc = bitmap_did(p.local[WS]) == BITMAP_GRANTED &&
			       c->mutant != END_FIRST ?
		       GRANT_SEAT :
		       SETTLE_PUT;
	return p;
}

/* The heir has what was granted; the releaser's own seat comes after that. */
static struct wicket_proc granted(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	p.local[E0] = p.local[I] = 0;
	if (after(p) == AFTER_OWN) {
		p = forget(p, WT, C1);
		p.pc = RELEASE_END;
		return p;
	}
	p.pc = SETTLE_PUT;
	return c->mutant == END_FIRST ? settled(c, p) : p;
}

/* Of an heir who is dead, its driver must know. */
static struct wicket_proc note_heir(struct wicket_proc p, uint64_t state)
{
	if (state & BITMAP_DEAD &&
	    (after(p) == AFTER_OWN || after(p) == AFTER_DRIVEN))
		p.local[HEIR] = (p.local[I] + 1) | bitmap_seq(state) << 8;
	return p;
}

static int is_heir(const struct wicket_cfg *c, struct wicket_proc p,
		   uint64_t state)
{
	if (c->mutant == LAST_FIRST)
		return bitmap_phase(state) == BITMAP_WAIT &&
		       bitmap_ticket(state) == bitmap_tail(p.local[WS]);
	return bitmap_is_heir(state, p.local[WS]);
}

static struct wicket_proc grant_seat(const struct wicket_cfg *c,
				     struct wicket_proc p, uint64_t state)
{
	uint64_t s = p.local[WS];

	if (is_heir(c, p, state) && !(p.local[RET] & PAST)) {
		p.local[E0] = state;
		p.pc = c->mutant == NO_LOOK ? GRANT_PUT : GRANT_LOOK;
		return p;
	}
	/* somebody has granted it already */
	if (bitmap_phase(state) == BITMAP_HAVE &&
	    bitmap_slot(state) == bitmap_moved(s) &&
	    p.local[I] != bitmap_tag_seat(p.local[WT]))
		return granted(c, note_heir(p, state));
	return ++p.local[I] < seats(c) ? p : granted(c, p);
}

/* Whoever changed W has seen to it; but is the heir dead? */
static struct wicket_proc grant_look(const struct wicket_cfg *c,
				     struct wicket_proc p, uint64_t t)
{
	p.pc = GRANT_PUT;
	if (t == p.local[WT])
		return p;
	if (after(p) != AFTER_OWN && after(p) != AFTER_DRIVEN)
		return settled(c, p);
	p.local[E0] = p.local[I] = 0;
	p = with_ret(p, PAST, PAST);
	p.pc = GRANT_SEAT;
	return p;
}

static struct wicket_proc grant_put(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	uint64_t state = p.local[E0];

	p.local[E0] = 0;
	p.pc = GRANT_SEAT;
	if (!m->met)
		return p;
	m->put.w[0] = bitmap_granted(state, p.local[WS]);
	p = note_heir(p, state);
	p.pc = GRANT_WAKE;
	return state & BITMAP_ASLEEP && !(state & BITMAP_DEAD) ? p :
								 granted(c, p);
}

static struct wicket_access cas(uint32_t r, uint8_t words, uint64_t w0,
				uint64_t w1)
{
	return (struct wicket_access){ .kind = WICKET_CAS,
				       .order = WICKET_LOCKED,
				       .words = words,
				       .reg = r,
				       .expect = { { w0, w1 } } };
}

static struct wicket_access cas_w(struct wicket_proc p)
{
	return cas(0, 2, p.local[WT], p.local[WS]);
}

static struct wicket_access load(uint32_t r, uint8_t part)
{
	return (struct wicket_access){ .kind = WICKET_LOAD,
				       .order = WICKET_ACQUIRE,
				       .part = part,
				       .reg = r };
}

/* A system call. */
static struct wicket_access ask_kernel(uint32_t r)
{
	struct wicket_access a = load(r, 0);

	a.order = WICKET_SEQ_CST;
	return a;
}

static struct wicket_access store_own(struct wicket_proc p)
{
	return (struct wicket_access){ .kind = WICKET_STORE,
				       .order = WICKET_RELEASE,
				       .part = STATE_WORD | NUMBER_WORD,
				       .reg = own(p) };
}

/* --- W has been read --------------------------------------------------------- */

/* The driven seat has been read, after W. */
static struct wicket_proc drive_seat(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	uint64_t state = p.local[C0], seq = bitmap_seq(state);

	if (!(state & BITMAP_DEAD) || bitmap_phase(state) == BITMAP_WAIT)
		return driven(c, p);
	if (seq != p.local[D]) {
		p.local[D] = seq;
		return read_w(c, p, AFTER_DRIVE);
	}
	if (p.local[WT] == bitmap_tag(seq + 1, (uint32_t)driven_seat(p)))
		return settle(c, p);
	if (bitmap_phase(state) == BITMAP_IDLE) {
		p.pc = DRIVE_FREE;
		return p;
	}
	p.local[J] = driven_seat(p) | (uint64_t)bitmap_slot(state) << 8;
	return settle(c, with_ret(p, SETTLE_BITS, AFTER_DRIVE_RELEASE));
}

static struct wicket_proc have_w(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	if (after(p) != AFTER_DRIVE)
		return settle(c, p);
	if (c->mutant == SEAT_FIRST)
		return drive_seat(c, p);
	p.pc = DRIVE_SEAT;
	return p;
}

static struct wicket_proc with_w(struct wicket_proc p, struct wicket_value w)
{
	p.local[WT] = w.w[0];
	p.local[WS] = w.w[1];
	p.local[WG] = w.w[2];
	return p;
}

/* A CAS on W was made: by an operation of this seat, which makes S. */
static struct wicket_value next_w(uint64_t tag, uint64_t s, uint64_t numbers)
{
	uint64_t one = bitmap_did(s) == BITMAP_QUEUED  ? ONE_TAKEN :
		       bitmap_did(s) == BITMAP_GRANTED ? ONE_GRANTED :
							 0;

	return (struct wicket_value){ { tag, s, numbers + one } };
}

/* --- take ------------------------------------------------------------------ */

/* From this S, or W is another. */
static struct wicket_proc take_w(const struct wicket_cfg *c,
				 struct wicket_proc p, struct meeting *m,
				 uint64_t s)
{
	if (!m->met) {
		p = with_ret(forget(p, WT, E0), SETTLE_BITS, AFTER_TAKE);
		return have_w(c, with_w(p, m->seen));
	}
	p.local[SEQ]++;
	s = bitmap_take(s, tickets(c));
	m->put = next_w(own_tag(p), s, m->seen.w[2]);
	p = forget(p, WT, RET);
	p.local[LAST] = 0;
	if (bitmap_did(s) == BITMAP_QUEUED) {
		p.local[TICKET] = m->put.w[2] << 32 | bitmap_tail(s);
		p.pc = QUEUED;
		return p;
	}
	p.local[LAST] = s;
	p.local[SLOT] = bitmap_moved(s);
	p.pc = ENTERED;
	return p;
}

/* W's first half was read. */
static struct wicket_proc read_t(struct wicket_proc p, uint64_t t,
				 uint64_t then)
{
	p = with_ret(forget(p, WT, E0), SETTLE_BITS, then);
	p.local[WT] = t;
	p.pc = READ_S;
	return p;
}

/* --- release --------------------------------------------------------------- */

static struct wicket_proc release_w(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m,
				    uint64_t s)
{
	if (!m->met) {
		p = with_ret(forget(p, WT, E0), SETTLE_BITS, AFTER_RELEASE);
		return have_w(c, with_w(p, m->seen));
	}
	p.local[SEQ]++;
	s = release_of(c, s, p.local[SLOT] & ~EXITING);
	m->put = next_w(own_tag(p), s, m->seen.w[2]);
	p = forget(p, WT, RET);
	p.local[SLOT] = EXITING;
	p.local[LAST] = s;
	p.local[RET] = AFTER_OWN | DRIVE_HEIR;
	p.pc = RELEASE_END;
	if (bitmap_did(s) != BITMAP_GRANTED)
		return p;
	p.pc = GRANT_SEAT;
	return with_w(p, m->put);
}

static struct wicket_proc drive_w(const struct wicket_cfg *c,
				  struct wicket_proc p, struct meeting *m)
{
	uint64_t s;

	if (!m->met)
		return read_w(c, p, AFTER_DRIVE);
	s = release_of(c, p.local[WS], p.local[J] >> 8);
	m->put = next_w(bitmap_tag(p.local[D] + 1, (uint32_t)driven_seat(p)), s,
			m->seen.w[2]);
	p.local[J] = driven_seat(p);
	p = with_ret(p, SETTLE_BITS | PAST, AFTER_DRIVEN);
	return settle(c, with_w(p, m->put));
}

/* --- the contract ---------------------------------------------------------- */

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	uint64_t at = p.local[AT], state = p.local[C0];
	uint64_t tagged = bitmap_tag_seat(p.local[WT]);

	switch ((enum pc)p.pc) {
	case JOIN_SEAT:
	case SCAN_SEAT:
		return load(seat_reg(at), 0);
	case JOIN_CLAIM:
	case SCAN_MARK:
		return cas(seat_reg(at), 1, state, 0);
	case TAKE:
	case HOLD:
		if (!p.local[LAST])
			return load(0, 1 << 0);
		return cas(0, 2, own_tag(p), p.local[LAST]);
	case TAKE_W:
	case RELEASE_W:
	case DRIVE_W:
		return cas_w(p);
	case ENTERED:
	case RELEASE_END:
		return store_own(p);
	case QUEUED:
		if (c->mutant == QUEUE_PLAIN)
			return store_own(p);
		return cas(own(p), 1,
			   bitmap_state(p.local[SEQ] - 1, BITMAP_IDLE), 0);
	case READ_T:
	case GRANT_LOOK:
		return load(0, 1 << 0);
	case READ_S:
		return load(0, 1 << 1 | 1 << 2);
	case SETTLE_SEAT:
		return load(seat_reg(tagged), 0);
	case SETTLE_PUT:
		return cas(seat_reg(tagged), 1, state, 0);
	case GRANT_SEAT:
		return load(seat_reg(p.local[I]), 0);
	case GRANT_PUT:
		return cas(seat_reg(p.local[I]), 1, p.local[E0], 0);
	case GRANT_WAKE:
		return ask_kernel(seat_reg(p.local[I]));
	case WAIT_SPIN:
	case WAIT_LOOK:
		return load(own(p), 0);
	case WAIT_ARM:
		if (c->mutant == ARM_PLAIN)
			return store_own(p);
		return cas(own(p), 1, own_waits(p), 0);
	case WAIT_SLEEP:
		return (struct wicket_access){
			.kind = WICKET_SLEEP,
			.words = 1,
			.reg = own(p),
			.expect = wicket_number(own_waits(p) | BITMAP_ASLEEP),
		};
	case SCAN_LIFE:
		return ask_kernel(life_reg(c));
	case DRIVE_SEAT:
		return load(seat_reg(driven_seat(p)), 0);
	case DRIVE_FREE:
		return cas(seat_reg(driven_seat(p)), 1, state, 0);
	case ABANDON:
		if (c->mutant == GIVE_UP_PLAIN)
			return store_own(p);
		return cas(own(p), 1, own_waits(p) | BITMAP_ASLEEP, 0);
	case LEAVE:
		return cas(own(p), 1, bitmap_state(p.local[SEQ], BITMAP_IDLE),
			   0);
	case DIE:
		return (struct wicket_access){ .kind = WICKET_RMW,
					       .order = WICKET_LOCKED,
					       .reg = life_reg(c) };
	case DONE:
	case DEAD:
		break;
	}
	return wicket_ask(WICKET_REST, 0);
}

/* --- steps: join, wait, scan, give up --------------------------------------- */

static struct wicket_proc join_on(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	p.local[C0] = 0;
	p.pc = JOIN_SEAT;
	return ++p.local[AT] < seats(c) ? p : scan(c, p, SCAN_JOIN);
}

/* FREE(s) -> IDLE(s+1), and whose it is */
static struct wicket_proc join_claim(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	uint64_t seq = bitmap_seq(p.local[C0]) + 1;

	if (!m->met)
		return join_on(c, p);
	m->put = (struct wicket_value){ { bitmap_state(seq, BITMAP_IDLE),
					  p.self } };
	p.local[ME] = p.local[AT] + 1;
	p.local[SEQ] = seq;
	p.local[LAST] = 0;
	p = forget(p, WT, RET);
	p.pc = TAKE;
	return p;
}

/* IDLE(s-1) -> WAIT(s, ticket); if somebody has done it, it may be granted */
static struct wicket_proc queued(const struct wicket_cfg *c,
				 struct wicket_proc p, struct meeting *m)
{
	if (m->met || c->mutant == QUEUE_PLAIN) {
		m->put.w[0] = own_waits(p);
		m->put.w[2] = p.local[TICKET] >> 32 & 0xffffffff;
	}
	p.pc = WAIT_SPIN;
	return p;
}

/* The own seat was read: is there a slot in it?  Else what comes next. */
static struct wicket_proc look(struct wicket_proc p, uint64_t state,
			       uint16_t pc)
{
	if (bitmap_phase(state) == BITMAP_HAVE)
		return hold(p, bitmap_slot(state));
	p.pc = pc;
	return p;
}

static struct wicket_proc wait_arm(const struct wicket_cfg *c,
				   struct wicket_proc p, struct meeting *m)
{
	int plain = c->mutant == ARM_PLAIN;

	if (!m->met && !plain)
		return look(p, m->seen.w[0], WAIT_ARM);
	m->put.w[0] = own_waits(p) | BITMAP_ASLEEP;
	if (plain)
		m->put.w[2] = p.local[TICKET] >> 32;
	p.pc = WAIT_SLEEP;
	return p;
}

static struct wicket_proc scan_seat(const struct wicket_cfg *c,
				    struct wicket_proc p,
				    struct wicket_value seat)
{
	uint64_t state = seat.w[0];
	enum bitmap_phase phase = bitmap_phase(state);

	if (phase == BITMAP_NOBODY ||
	    (state & BITMAP_DEAD && phase == BITMAP_WAIT)) {
		p.local[AT]++;
		return scan_on(c, p);
	}
	if (state & BITMAP_DEAD)
		return drive(c, p, p.local[AT], bitmap_seq(state));
	p.local[C0] = state;
	p.local[C1] = seat.w[1];
	p.pc = SCAN_LIFE;
	return p;
}

static struct wicket_proc scan_life(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t lives)
{
	p.pc = SCAN_MARK;
	if (lives >> p.local[C1] & 1) {
		p.local[AT]++;
		return scan_on(c, p);
	}
	p.local[C1] = 0;
	return p;
}

static struct wicket_proc scan_mark(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	uint64_t state = p.local[C0];

	if (!m->met)
		return scan_on(c, p);
	m->put.w[0] |= BITMAP_DEAD;
	return drive(c, p, p.local[AT], bitmap_seq(state));
}

/* It has a slot by now: that is given back. */
static struct wicket_proc abandon(const struct wicket_cfg *c,
				  struct wicket_proc p, struct meeting *m)
{
	if (!m->met && c->mutant != GIVE_UP_PLAIN) {
		p.local[TICKET] = 0;
		p.local[SLOT] = bitmap_slot(m->seen.w[0]) | EXITING;
		return read_w(c, p, AFTER_RELEASE);
	}
	m->put.w[0] = own_waits(p) | BITMAP_DEAD;
	if (c->mutant == GIVE_UP_PLAIN)
		m->put.w[2] = p.local[TICKET] >> 32;
	p.local[ME] = p.local[SEQ] = 0;
	return next_lap(c, p);
}

static struct wicket_proc begins(const struct wicket_cfg *c,
				 struct wicket_proc p, struct meeting *m)
{
	int take = p.pc == TAKE;

	if (!take)
		p.local[SLOT] |= EXITING;
	if (!p.local[LAST])
		return read_t(p, m->seen.w[0],
			      take ? AFTER_TAKE : AFTER_RELEASE);
	return take ? take_w(c, p, m, p.local[LAST]) :
		      release_w(c, p, m, p.local[LAST]);
}

static struct wicket_proc move_on(const struct wicket_cfg *c,
				  struct wicket_proc p, struct meeting *m)
{
	uint64_t seen = m->seen.w[0];

	switch ((enum pc)p.pc) {
	case JOIN_SEAT:
		p.local[C0] = seen;
		p.pc = JOIN_CLAIM;
		return bitmap_phase(seen) == BITMAP_NOBODY ? p : join_on(c, p);
	case JOIN_CLAIM:
		return join_claim(c, p, m);
	case TAKE:
	case HOLD:
		return begins(c, p, m);
	case TAKE_W:
		return take_w(c, p, m, p.local[WS]);
	case RELEASE_W:
		return release_w(c, p, m, p.local[WS]);
	case ENTERED: /* IDLE(s-1) -> HAVE(s, slot) */
		m->put = wicket_number(
			bitmap_has(p.local[SEQ], (uint32_t)p.local[SLOT]));
		p.pc = HOLD;
		return p;
	case QUEUED:
		return queued(c, p, m);
	case READ_T:
		p.local[WT] = seen;
		p.pc = READ_S;
		return p;
	case READ_S:
		p.local[WS] = m->seen.w[1];
		p.local[WG] = m->seen.w[2];
		return have_w(c, p);
	case SETTLE_SEAT:
		return settle_seat(c, p, seen);
	case SETTLE_PUT: /* (s-1) -> (s) */
		if (!m->met) {
			p.local[C0] = 0;
			p.pc = SETTLE_SEAT;
			return p;
		}
		m->put.w[0] = bitmap_written(p.local[C0], p.local[WS]);
		m->put.w[2] = bitmap_did(p.local[WS]) == BITMAP_QUEUED ?
				      p.local[WG] & 0xffffffff :
				      0;
		if (c->mutant == END_FIRST &&
		    bitmap_did(p.local[WS]) == BITMAP_GRANTED) {
			p.pc = GRANT_SEAT;
			return p;
		}
		return settled(c, p);
	case GRANT_SEAT:
		return grant_seat(c, p, seen);
	case GRANT_LOOK:
		return grant_look(c, p, seen);
	case GRANT_PUT: /* WAIT(s, ticket) -> HAVE(s, slot) */
		return grant_put(c, p, m);
	case GRANT_WAKE:
		m->wake = seat_reg(p.local[I]);
		return granted(c, p);
	case WAIT_SPIN: /* for as long as it likes: it changes nothing */
		return look(p, seen, WAIT_ARM);
	case WAIT_ARM: /* WAIT(s) -> WAIT(s, ASLEEP) */
		return wait_arm(c, p, m);
	case WAIT_SLEEP:
		p.pc = WAIT_LOOK;
		return p;
	case WAIT_LOOK:
		p = look(p, seen, WAIT_LOOK);
		return p.pc == WAIT_LOOK ? scan(c, p, SCAN_WAIT) : p;
	case SCAN_SEAT:
		return scan_seat(c, p, m->seen);
	case SCAN_LIFE:
		return scan_life(c, p, seen);
	case SCAN_MARK: /* (s) -> (s, D) */
		return scan_mark(c, p, m);
	case RELEASE_END: /* HAVE(s-1) -> IDLE(s) */
		m->put = wicket_number(bitmap_state(p.local[SEQ], BITMAP_IDLE));
		return p.local[HEIR] ? driven(c, p) : next_lap(c, p);
	case DRIVE_SEAT:
		p.local[C0] = seen;
		p.pc = READ_T;
		return c->mutant == SEAT_FIRST ? p : drive_seat(c, p);
	case DRIVE_FREE: /* IDLE(s, D) -> FREE(s) */
		if (!m->met)
			return read_w(c, p, AFTER_DRIVE);
		m->put = wicket_number(bitmap_state(p.local[D], BITMAP_NOBODY));
		return driven(c, p);
	case DRIVE_W:
		return drive_w(c, p, m);
	case ABANDON: /* WAIT(s, ASLEEP) -> WAIT(s, D) */
		return abandon(c, p, m);
	case LEAVE: /* IDLE(s) -> FREE(s) */
		if (m->met)
			m->put = wicket_number(
				bitmap_state(p.local[SEQ], BITMAP_NOBODY));
		return stop(DONE);
	case DIE:
		m->put.w[0] &= ~((uint64_t)1 << p.self);
		return stop(DEAD);
	case DONE:
	case DEAD:
		break;
	}
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_access a = access(c, p);
	struct meeting m = { .seen = seen, .put = seen };

	m.met = a.kind == WICKET_CAS && wicket_is_expected(&a, seen);
	p = move_on(c, p, &m);
	return (struct wicket_result){
		.proc = p, .put = m.put, .wake = m.wake, .wakes = m.wake != 0
	};
}

static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	struct wicket_proc dying = { .pc = DIE, .self = p.self };

	(void)c;
	if (event == WICKET_FAIL)
		return p.pc >= DONE ? p : dying;
	if (p.pc == WAIT_SLEEP)
		p.pc = ABANDON;
	return p;
}

/* --- invariants ------------------------------------------------------------ */

/* Is W's operation one of this seat, and not written down? */
static int is_owed(const struct wicket_value *regs, uint32_t i)
{
	return regs[0].w[0] && bitmap_tag_seat(regs[0].w[0]) == i &&
	       bitmap_is_owed(regs[0].w[0], regs[seat_reg(i)].w[0]);
}

static enum bitmap_did owes(const struct wicket_value *regs, uint32_t i)
{
	return is_owed(regs, i) ? bitmap_did(regs[0].w[1]) : BITMAP_FREED;
}

/* The seat has this slot; if its release is in the tag, it has not. */
static int has_slot(const struct wicket_value *regs, uint32_t i, uint32_t slot)
{
	uint64_t state = regs[seat_reg(i)].w[0];

	if (is_owed(regs, i))
		state = bitmap_written(state, regs[0].w[1]);
	return bitmap_phase(state) == BITMAP_HAVE && bitmap_slot(state) == slot;
}

/* Somebody has released it, and nobody has put it into the heir's seat. */
static int is_on_its_way(const struct wicket_cfg *c,
			 const struct wicket_value *regs, uint32_t slot)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		if (is_owed(regs, i) && owes(regs, i) == BITMAP_GRANTED &&
		    bitmap_moved(regs[0].w[1]) == slot)
			return 1;
	}
	return 0;
}

static int slots_are_somewhere(const struct wicket_cfg *c,
			       const struct wicket_value *regs)
{
	for (uint32_t b = 0; b < c->k; b++) {
		uint32_t places = regs[0].w[1] >> b & 1;

		for (uint32_t i = 0; i < seats(c); i++)
			places += has_slot(regs, i, b);
		if (!places && is_on_its_way(c, regs, b))
			places = 1;
		if (places != 1)
			return 0;
	}
	return 1;
}

static int slots_distinct(const struct wicket_cfg *c,
			  const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (procs[i].pc == HOLD && procs[j].pc == HOLD &&
			    procs[i].local[SLOT] == procs[j].local[SLOT])
				return 0;
		}
	}
	return 1;
}

/* The number of its ticket, if it waits or has waited; the last one granted may
   be on its way. */
static int in_order(const struct wicket_cfg *c, const struct wicket_value *regs)
{
	uint64_t granted = regs[0].w[2] >> 32;
	uint64_t way = is_on_its_way(c, regs, bitmap_moved(regs[0].w[1]));

	for (uint32_t i = 0; i < seats(c); i++) {
		const struct wicket_value *v = &regs[seat_reg(i)];

		if (bitmap_phase(v->w[0]) == BITMAP_WAIT &&
		    v->w[2] + way <= granted)
			return 0;
		if (bitmap_phase(v->w[0]) == BITMAP_HAVE && v->w[2] > granted)
			return 0;
	}
	return 1;
}

static int each_ticket_once(const struct wicket_cfg *c,
			    const struct wicket_value *regs)
{
	uint64_t taken = regs[0].w[2] & 0xffffffff;
	uint64_t granted = regs[0].w[2] >> 32, waiting = 0;

	for (uint32_t i = 0; i < seats(c); i++) {
		const struct wicket_value *v = &regs[seat_reg(i)];

		waiting += (bitmap_phase(v->w[0]) == BITMAP_WAIT &&
			    v->w[2] > granted) ||
			   owes(regs, i) == BITMAP_QUEUED;
	}
	return taken - granted == waiting;
}

static int living_seated(const struct wicket_cfg *c,
			 const struct wicket_value *regs,
			 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t me = procs[i].local[ME];
		const struct wicket_value *v = &regs[seat_reg(me - 1)];

		if (me && (v->w[0] & BITMAP_DEAD || v->w[1] != procs[i].self ||
			   bitmap_phase(v->w[0]) == BITMAP_NOBODY))
			return 0;
	}
	return 1;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint64_t s = regs[0].w[1];

	switch ((enum invariant)i) {
	case B1:
		return slots_distinct(c, procs);
	case B2:
		return in_order(c, regs);
	case B3:
		return !bitmap_free(s) || !bitmap_has_waiters(s);
	case B4:
		return slots_are_somewhere(c, regs);
	case B5:
		return each_ticket_once(c, regs);
	default:
		return living_seated(c, regs, procs);
	}
}

/* --- for people ------------------------------------------------------------- */

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	wicket_put(t, pc_names[p.pc]);
}

static void show_seat(struct wicket_text *t, uint64_t state)
{
	wicket_put_char(t, ' ');
	wicket_put_char(t, "FIWH"[bitmap_phase(state)]);
	wicket_put_number(t, (int64_t)bitmap_seq(state));
	if (bitmap_phase(state) == BITMAP_WAIT) {
		wicket_put_char(t, '#');
		wicket_put_number(t, bitmap_ticket(state));
	}
	if (bitmap_phase(state) == BITMAP_HAVE) {
		wicket_put_char(t, '/');
		wicket_put_number(t, bitmap_slot(state));
	}
	if (state & BITMAP_DEAD)
		wicket_put_char(t, 'D');
	if (state & BITMAP_ASLEEP)
		wicket_put_char(t, 'z');
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	uint64_t s = regs[0].w[1];

	wicket_put(t, "T=");
	if (regs[0].w[0]) {
		wicket_put_number(t, (int64_t)bitmap_seq(regs[0].w[0]));
		wicket_put_char(t, '@');
		wicket_put_number(t, bitmap_tag_seat(regs[0].w[0]) + 1);
		wicket_put_char(t, "feqg"[bitmap_did(s)]);
		wicket_put_number(t, bitmap_moved(s));
	}
	wicket_put(t, " FREE=");
	for (uint32_t i = 0; i < c->k; i++)
		wicket_put_char(t, s >> i & 1 ? '1' : '0');
	wicket_put(t, " #");
	wicket_put_number(t, bitmap_head(s));
	wicket_put(t, "..");
	wicket_put_number(t, bitmap_tail(s));
	for (uint32_t i = 0; i < seats(c); i++)
		show_seat(t, regs[seat_reg(i)].w[0]);
}

const struct wicket_algo wicket_bitmap = {
	.name = "bitmap",
	.title = "free slots in one word, grants in the seats",
	.source = "ours; a candidate for the layout of the line",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.has_seats = 1,
	.own_table = 1,
	.discusses = WICKET_K_EXCLUSION | WICKET_NOTHING_LOST |
		     WICKET_NOBODY_LEFT_BEHIND,
	.solves = WICKET_K_EXCLUSION | WICKET_NOTHING_LOST |
		  WICKET_NOBODY_LEFT_BEHIND,
	.refuse = refuse,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.event = on_event,
	.holds = holds,
	.show_step = show_step,
	.show = show,
};
