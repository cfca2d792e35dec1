/* SPDX-License-Identifier: MIT */
/*
 * recoverable - colored tickets that survive the death of anybody anywhere.
 *
 * Source   Ours: FLBB 1989 (tickets, colours), Rivest & Pratt 1977 (the public
 *          mark of the dead), with helping.  doc/protocol.md is its paper.
 * Value    W, SLOT[k], SEAT[], FUT[], BELL[], LIFE, KEEP[] as in algo/line.h,
 *          whose functions make every change; src/line performs the same
 *          accesses on memory.
 * Rule     nobody changes W before the operation named in its tag has been
 *          written down: settle() does so, and is called between reading W and
 *          changing it.  So an applied operation is visible in W's tag or in
 *          its seat, one that is not applied in neither.
 * Owner    a live owner's seat is changed by itself, and by helpers that write
 *          its applied operation down: the same bits.  So it needs no CAS.
 * R1       slot numbers of live holders are distinct; a command that outlives
 *          its holder is one.
 * R2       a ticket is valid iff its number is at most VALID's: tickets are
 *          enabled in the order in which they were taken.
 * R3       every take and every release is applied exactly once: VALID is
 *          k - (tickets out) ahead of ISSUE.
 * R4       a line that was removed has no tickets out.
 * R5       nobody loses its seat, or is marked dead in it, who lives and has not
 *          given up.
 * R6       no death is forgotten: a seat that is taken is marked, or its owner is
 *          there, or a look shows that it is not.
 * FIFO     as colored: the ticket decides, and it is taken by one CAS.
 * Crash    known to the kernel alone: the bell rings, later the life ends; of
 *          some (variant silent) only the life.  The bell that rings is that
 *          of the seat in which the dying was, whoever is there by now: all
 *          processes have the same thread number here.  Whoever finds a death
 *          sets D in the seat and drives the seat's operation to its end; any
 *          number of helpers, themselves dying, do so exactly once.
 *
 * Loops over seats and slots that only look may look elsewhere first, or skip
 * seats nobody ever sat in: a look that finds nothing changes nothing.
 *
 * Numbers that no process looks at are carried along for R2 and R3: the third
 * word of W counts tickets issued and validated, that of SLOT and SEAT is the
 * number of their ticket.
 */
#include "algo/line.h"

/* clang-format off */
enum pc {
	/* join: life first, then the seat, then its bell */
	JOIN_LIFE, JOIN_SEAT, JOIN_CLAIM, JOIN_BELL, JOIN_SIT,
	/* take */
	TAKE_SEAT, TAKE_W, TAKE_TICKET, TAKE_HAVE, TAKE_BACK,
	/* readW, the colours in use, settle: parts of several */
	READ_T, READ_S, COLOURS,
	SETTLE_SEAT, SETTLE_HAVE, SETTLE_SLOT, SETTLE_LOOK, SETTLE_PUT,
	SETTLE_DONE,
	/* find, wait */
	FIND, FOUND, KEEP_LOCK, KEEP_MARK, WAIT_SPIN, WAIT_ARM, WAIT_LOOK, WAIT_SLEEP,
	/* scan: who has died? */
	SCAN_SEAT, SCAN_BELL, SCAN_LIFE, SCAN_KEEP, SCAN_MARK,
	/* in C; the step out of it is the beginning of release */
	HOLD,
	/* release, by the owner */
	RELEASE_W, RELEASE_SLOT, RELEASE_END,
	/* drive: bring a dead seat's operation to its end */
	DRIVE_SEAT, DRIVE_FREE, DRIVE_FIND, DRIVE_GIVE, DRIVE_W, DRIVE_END,
	/* the heir, of either */
	HEIR, WAKE_CLEAR, WAKE,
	/* tell the next in line that it is the first (variant watched) */
	TELL_W,
	/* abandon, leave, remove */
	ABANDON_BELL, ABANDON_MARK, LEAVE_BELL, LEAVE_SEAT, LEAVE_LIFE, REMOVE_W,
	RESTORE_W,
	/* mutant bell-first */
	JOIN_UNLOCK,
	/* the end */
	DONE, DIE, DIE_LIFE, COMMAND, DEAD,
};

static const char pc_names[][16] = {
	"join: life", "join: seat?", "join: claim", "join: bell", "join: sit",
	"take: seat", "take: W", "take: ticket", "take: have", "take: back",
	"read T", "read S", "colours",
	"settle: seat", "settle: have", "settle: slot", "settle: look",
	"settle: put", "settle: done",
	"find", "found", "keep: lock", "keep: mark", "spin", "wait: arm", "wait: look", "sleep",
	"scan: seat", "scan: bell?", "scan: alive?", "scan: kept?", "scan: mark D",
	"release",
	"release: W", "release: slot", "release: end",
	"drive: seat", "drive: free", "drive: find", "drive: give",
	"drive: W", "drive: end",
	"heir?", "wake: clear", "wake", "tell: W",
	"abandon: bell", "abandon", "leave: bell", "leave", "leave: life", "remove: W",
	"remove: back",
	"join: unlock",
	"done", "dies", "life ends", "command ends", "dead",
};
/* clang-format on */

enum local {
	ME,	/* 1 + own seat; 0: none */
	SEQ,	/* the own seat's */
	TICKET, /* own; its number above */
	SLOT,	/* own; EXITING once it is being given back */
	LAP,	/* how often it has been here */
	LAST,	/* the S that its last operation made, if it did not wait; else
		   whom it watches */
	WT,
	WS,
	WG, /* W as it was read */
	C0,
	C1,
	CG, /* a seat as it was read */
	E,  /* a slot's word, or the S to put */
	J,
	D,    /* the seat that is driven; the seq at which D was seen on it */
	AT,   /* where a scan or a search for a seat stands */
	I,    /* where a loop over slots or seats stands; has it slept? */
	MASK, /* set of colours; or 1 + heir, its D and its seq; in C: is there
		 a command? */
	RET,  /* whose part readW or settle is, and drive, and scan */
};

/* The own slot's word, from finding it to giving it back: then it drives
   nobody. */
#define MINE D

/* The S by which a waiter last saw that it has to wait: it has no slot yet. */
#define LOOKED SLOT

/* RET: what goes on after settle, drive and scan. */
enum {
	AFTER_TAKE,
	AFTER_FIND,
	AFTER_RELEASE,
	AFTER_DRIVE,
	AFTER_DRIVE_RELEASE,
	AFTER_REMOVE,
	AFTER_LATE,
	AFTER_TELL,
};
enum { DRIVE_HEIR = 0 << 4, DRIVE_SCAN = 1 << 4, DRIVE_ABANDON = 2 << 4 };
enum { SCAN_WAIT = 0 << 8, SCAN_JOIN = 1 << 8, SCAN_TRY = 2 << 8 };
enum { SETTLE_BITS = 0xf, DRIVE_BITS = 0xf0, SCAN_BITS = 0xf00 };
enum { APPLIED = 1 << 12 }; /* mutant no-released: D is the ticket validated */

/* In SLOT: it is given back. */
#define EXITING ((uint64_t)1 << 63)

enum variant {
	SEATED = 1, /* all are in their seats from the beginning */
	REMOVING,   /* whoever has left removes the line if it can, and who
		       only tries may look for the dead first */
	KEPT,	    /* so; and whoever is inside has a command, which may
		       outlive it; and silent */
	SILENT,	    /* the bell of those with even numbers never rings */
	WATCHED,    /* seated; nobody looks by time, but all watch the bells of
		       those ahead */
	INSIDE,	    /* so; the first k are inside from the beginning, in their
		       last lap, and with k > 1 the next one to come stays
		       inside for ever */
	RESTORING, /* as removing; but then the line cannot be unlinked, and the
		       mark is taken back */
	SHIPPED,   /* seated; as many tickets a colour as are shipped */
	GIVEN_UP,  /* one slot; the first, in its last lap, has just given up
		       waiting for a ticket that another, who has left, has
		       made valid */
};
enum mutant {
	NO_SETTLE = 1,
	SETTLE_LATE,
	NO_SECOND_LOOK,
	NO_STAMP,
	FEW_STAMPS,
	PHASE_FIRST,
	NO_RELEASED,
	SEAT_FIRST,
	D_UNTIED,
	FLAG_FUTEX,
	HEIR_IGNORED,
	WAKE_EARLY,
	REMOVE_BUSY,
	MARK_ONCE,
	KEEP_UNASKED,
	KEEP_UNTIED,
	MARK_STATE,
	BELL_FIRST,
	BELL_LAST,
	BELL_TRUSTED,
	BELL_ONLY,
	LIFE_LATE,
	LIFE_EARLY,
	LIFE_SHARED,
	NOT_TOLD,
};

/* --- where things are --------------------------------------------------- */

static uint32_t seats(const struct wicket_cfg *c)
{
	return c->seats ? c->seats : c->n;
}

static int is_removing(const struct wicket_cfg *c)
{
	return c->variant == REMOVING || c->variant == KEPT ||
	       c->variant == RESTORING;
}

/* Explored with one ticket a colour less than what is shipped (FLBB's footnote
   2), so that tickets come back sooner; but then an empty line cannot be told
   from a full one. */
static uint32_t block(const struct wicket_cfg *c)
{
	return line_block(seats(c), c->k) -
	       !(is_removing(c) || c->variant == SHIPPED);
}

static uint32_t slot_reg(uint64_t s)
{
	return 1 + (uint32_t)s;
}

static uint32_t seat_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + (uint32_t)i;
}

static uint32_t fut_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + seats(c) + (uint32_t)i;
}

static uint32_t bell_reg(const struct wicket_cfg *c, uint64_t i)
{
	return 1 + c->k + 2 * seats(c) + (uint32_t)i;
}

static uint32_t life_reg(const struct wicket_cfg *c)
{
	return 1 + c->k + 3 * seats(c);
}

static uint32_t keep_reg(const struct wicket_cfg *c, uint64_t i)
{
	return life_reg(c) + 1 + (uint32_t)i;
}

static uint32_t registers(const struct wicket_cfg *c)
{
	return keep_reg(c, c->variant == KEPT ? seats(c) : 0);
}

/* A process's number is that of its life. */
static uint32_t life_of(const struct wicket_cfg *c, struct wicket_proc p)
{
	return c->mutant == LIFE_SHARED ? 1 : p.self;
}

static int is_alive(struct wicket_value lives, uint32_t life)
{
	return lives.w[life / 64] >> life % 64 & 1;
}

static struct wicket_value with_life(struct wicket_value lives, uint32_t life)
{
	lives.w[life / 64] |= (uint64_t)1 << life % 64;
	return lives;
}

static struct wicket_value without_life(struct wicket_value lives,
					uint32_t life)
{
	lives.w[life / 64] &= ~((uint64_t)1 << life % 64);
	return lives;
}

static int is_watched(const struct wicket_cfg *c)
{
	return c->variant == WATCHED || c->variant == INSIDE;
}

static int is_seated(const struct wicket_cfg *c)
{
	return c->variant == SEATED || c->variant == SHIPPED || is_watched(c);
}

/* Does the kernel fail to ring the bell when this one dies? */
static int is_silent(const struct wicket_cfg *c, struct wicket_proc p)
{
	return (c->variant == SILENT || c->variant == KEPT) && !(p.self & 1);
}

static const char *refuse(const struct wicket_cfg *c)
{
	if (seats(c) <= c->k || seats(c) > 16 || registers(c) > WICKET_REGS_MAX)
		return "recoverable needs more seats than slots, at most 16";
	if (c->variant == GIVEN_UP && c->k > 1)
		return "recoverable:given-up has one slot";
	return is_seated(c) && seats(c) < c->n ? "not everybody has a seat" : 0;
}

/* That of slot i - 1 in the beginning. */
static uint32_t first_ticket(const struct wicket_cfg *c, uint32_t i)
{
	return (uint32_t)line_start_slot(i - 1, block(c));
}

/* The first k have taken their tickets and are inside. */
static struct wicket_value past_inside(const struct wicket_cfg *c, uint32_t r,
				       struct wicket_value v)
{
	uint32_t i = r - seat_reg(c, 0) + 1;

	if (r == 0) {
		v.w[0] = line_tag(line_state(1, LINE_HAVE), c->k - 1);
		v.w[1] |= line_valid(v.w[1]);
		v.w[2] |= c->k;
	} else if (r >= seat_reg(c, 0) && i <= c->k) {
		v.w[0] = line_state(1, LINE_HAVE);
		v.w[1] = line_of_life(i) | line_load(first_ticket(c, i), i, 0);
		v.w[2] = i;
	}
	return v;
}

/* In the past of variant given-up, the seq of the second seat when it was left,
   and that of the first, which process 1 has joined and has a ticket in. */
enum { LEFT_SEQ = 3, GIVEN_UP_SEQ = 2 };

/* S after two takes and a release; of the two colours one is in the slot. */
static uint64_t past_pointers(const struct wicket_cfg *c)
{
	uint32_t m = block(c);
	uint32_t other = !line_ticket(first_ticket(c, 1)).colour;
	uint64_t s = line_take(line_start(c->k, m), m, other);

	return line_release(line_take(s, m, other), m, other);
}

/*
 * Somebody took the first ticket in the second seat and was inside; process 1
 * took the second one, waited and gave up; the other released, which made that
 * ticket valid, and has left.
 */
static struct wicket_value past_given_up(const struct wicket_cfg *c, uint32_t r,
					 struct wicket_value v)
{
	uint64_t s = past_pointers(c);

	if (r == 0) {
		v.w[0] = line_tag(line_state(LEFT_SEQ, LINE_RELEASING), 1);
		v.w[1] = s;
		v.w[2] = (uint64_t)2 << 32 | 2;
	} else if (r == slot_reg(0)) {
		v.w[0] = line_slot_next(v.w[0], line_issue(s), 0);
		v.w[1] = 2;
	} else if (r == seat_reg(c, 0)) {
		v.w[0] = line_mark(line_state(GIVEN_UP_SEQ, LINE_HAVE));
		v.w[1] = line_of_life(1) | line_load(line_issue(s), 0, 0);
		v.w[2] = 2;
	} else if (r == seat_reg(c, 1)) {
		v.w[0] = line_state(LEFT_SEQ, LINE_FREE);
	} else if (r == life_reg(c)) {
		v.w[0] = 1 << 1;
	}
	return v;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct wicket_register x = { .range = 0 };

	if (r == 0) {
		x.start.w[1] = line_start(c->k, block(c));
		x.start.w[2] = (uint64_t)c->k << 32;
	} else if (is_seated(c) && r >= seat_reg(c, 0) &&
		   r < seat_reg(c, c->n)) {
		x.start.w[0] = line_state(0, LINE_IDLE);
		x.start.w[1] = line_of_life(r - seat_reg(c, 0) + 1);
	} else if (is_seated(c) && r >= bell_reg(c, 0) &&
		   r < bell_reg(c, c->n)) {
		x.start.w[0] = LINE_ALIVE;
	} else if (is_seated(c) && r == life_reg(c)) {
		x.start.w[0] = ((uint64_t)2 << c->n) - 2;
	} else if (r <= c->k) {
		x.start.w[0] = line_start_slot(r - 1, block(c));
		x.start.w[1] = r;
	}
	if (c->variant == INSIDE)
		x.start = past_inside(c, r, x.start);
	if (c->variant == GIVEN_UP)
		x.start = past_given_up(c, r, x.start);
	return x;
}

/* The fields of algo/line.h, each as wide as this n and this k need; of seq and
   stamp, which only have to be large, as wide as there. */
static uint32_t field_bits(const struct wicket_cfg *c, uint32_t r)
{
	enum { SEQ_BITS = 64 - LINE_SEQ_SHIFT, PHASE = 3, FLAG = 1, BELL = 2 };
	enum { LIFE_BITS = 64 - LINE_LIFE_SHIFT };
	uint32_t slot = wicket_bits(c->k + 1); /* so many colours, too */
	uint32_t ticket = wicket_bits(line_block(seats(c), c->k)) + slot;

	if (r < slot_reg(0))
		return wicket_bits(seats(c) + 1) + SEQ_BITS + 2 * ticket;
	if (r < seat_reg(c, 0))
		return ticket + FLAG + LINE_STAMP_BITS;
	if (r < fut_reg(c, 0))
		return PHASE + FLAG + SEQ_BITS + ticket + slot + 2 * FLAG +
		       LIFE_BITS;
	if (r < bell_reg(c, 0))
		return SEQ_BITS + FLAG;
	return r < life_reg(c) ? BELL : r == life_reg(c) ? c->n : SEQ_BITS;
}

static struct wicket_proc drive(const struct wicket_cfg *c,
				struct wicket_proc p, uint64_t j, uint64_t d,
				uint64_t driver);

/* After ABANDON_MARK. */
static struct wicket_proc start_given_up(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = {
		.self = i,
		.local = { [LAP] = c->laps ? c->laps - 1 : 0,
			   [SLOT] = EXITING },
	};

	return drive(c, p, i - 1, GIVEN_UP_SEQ, DRIVE_ABANDON);
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	if (c->variant == GIVEN_UP && i && i <= c->k)
		return start_given_up(c, i);
	if (c->variant == INSIDE && i && i <= c->k)
		return (struct wicket_proc){
			.pc = HOLD,
			.self = i,
			.local = { [ME] = i,
				   [LAP] = c->laps ? c->laps - 1 : 0,
				   [SEQ] = 1,
				   [TICKET] = (uint64_t)i << 32 |
					      first_ticket(c, i),
				   [SLOT] = i - 1,
				   [MINE] = first_ticket(c, i) },
		};
	if (is_seated(c) && i && i <= c->n)
		return (struct wicket_proc){ .pc = TAKE_SEAT,
					     .self = i,
					     .local[ME] = i };
	return (struct wicket_proc){ .pc = JOIN_LIFE, .self = i };
}

/* --- the values that are expected and put -------------------------------- */

static struct wicket_value seat_value(struct line_seat s, uint64_t number)
{
	return (struct wicket_value){ { s.state, s.load, number } };
}

static struct line_seat seen_seat(struct wicket_proc p)
{
	return (struct line_seat){ p.local[C0], p.local[C1] };
}

static struct wicket_value seen_seat_value(struct wicket_proc p)
{
	return seat_value(seen_seat(p), p.local[CG]);
}

static struct wicket_value seen_w(struct wicket_proc p)
{
	return (struct wicket_value){ { p.local[WT], p.local[WS],
					p.local[WG] } };
}

static struct wicket_value removed_w(struct wicket_proc p)
{
	struct wicket_value w = seen_w(p);

	w.w[0] = LINE_REMOVED;
	return w;
}

static uint64_t own_state(struct wicket_proc p, enum line_phase phase)
{
	return line_state(p.local[SEQ], phase);
}

/* What the owner stores: one word of its seat, the other as it is. */
static struct wicket_value with_state(struct wicket_value v, uint64_t state)
{
	v.w[0] = state;
	return v;
}

static struct wicket_value with_load(struct wicket_proc p,
				     struct wicket_value v, uint32_t slot1)
{
	v.w[1] = line_reload((struct line_seat){ v.w[0], v.w[1] },
			     (uint32_t)p.local[TICKET], slot1, 0);
	v.w[2] = p.local[TICKET] >> 32;
	return v;
}

static uint64_t armed(const struct wicket_cfg *c, uint64_t seq)
{
	return c->mutant == FLAG_FUTEX ? 1 :
					 line_armed(line_state(seq, LINE_FREE));
}

static uint64_t slot_next(const struct wicket_cfg *c, uint64_t entry,
			  uint32_t ticket, int died)
{
	uint64_t next = line_slot_next(entry, ticket, died);
	uint64_t stamp = next >> LINE_STAMP_SHIFT;

	if (c->mutant == NO_STAMP)
		stamp = 0;
	if (c->mutant == FEW_STAMPS)
		stamp &= 1;
	return stamp << LINE_STAMP_SHIFT |
	       (next & (((uint64_t)1 << LINE_STAMP_SHIFT) - 1));
}

static uint32_t heir_of(struct wicket_proc p)
{
	return (uint32_t)(p.local[MASK] & 0xff) - 1;
}

static int heir_dead(struct wicket_proc p)
{
	return p.local[MASK] >> 8 & 1;
}

static uint64_t heir_seq(struct wicket_proc p)
{
	return p.local[MASK] >> 16;
}

static uint64_t after(struct wicket_proc p)
{
	return p.local[RET] & SETTLE_BITS;
}

/* --- what comes next ----------------------------------------------------- */

static struct wicket_proc forget(struct wicket_proc p, enum local from,
				 enum local to)
{
	for (enum local i = from; i <= to; i++)
		p.local[i] = 0;
	return p;
}

static struct wicket_proc with_ret(struct wicket_proc p, uint64_t bits,
				   uint64_t value)
{
	p.local[RET] = (p.local[RET] & ~bits) | value;
	return p;
}

static struct wicket_proc read_w(const struct wicket_cfg *c,
				 struct wicket_proc p, uint64_t then)
{
	p = forget(p, WT, E);
	p.local[I] = p.local[MASK] = 0;
	p = with_ret(p, SETTLE_BITS, then);
	p.pc = c->mutant == SEAT_FIRST && then == AFTER_DRIVE ? DRIVE_SEAT :
								READ_T;
	return p;
}

/*
 * The next operation of the own seat begins.  Most likely W is as the last one
 * left it: a CAS from there succeeds only if nobody has done anything since, so
 * that nothing is owed; if it fails, it shows what W is.
 */
static struct wicket_proc guess_w(const struct wicket_cfg *c,
				  struct wicket_proc p, uint64_t then)
{
	uint64_t last = p.local[LAST], m = block(c);
	uint64_t tag = line_tag(own_state(p, LINE_FREE),
				(uint32_t)p.local[ME] - 1);
	int take = then == AFTER_TAKE;

	p.local[SEQ]++;
	p = read_w(c, p, then);
	if (c->mutant == WAKE_EARLY ||
	    (take ? line_issue_ends_block(last, (uint32_t)m) :
		    line_valid_ends_block(last, (uint32_t)m)))
		return p;
	p.local[WT] = tag;
	p.local[WS] = last;
	p.local[E] = take ? line_issue_on(last) : line_valid_on(last);
	p.pc = take ? TAKE_W : RELEASE_W;
	return p;
}

static struct wicket_proc find(struct wicket_proc p)
{
	p = forget(p, WT, RET);
	p.pc = FIND;
	return p;
}

static struct wicket_proc drive(const struct wicket_cfg *c,
				struct wicket_proc p, uint64_t j, uint64_t d,
				uint64_t driver)
{
	p.local[J] = j;
	p.local[D] = d;
	p = with_ret(p, DRIVE_BITS | APPLIED, driver);
	return read_w(c, p, AFTER_DRIVE);
}

/*
 * Whom a sleeper watches (variant watched).  During a scan LAST says of each seat,
 * in four bits, how far ahead its living owner is: 0 not at all, HOLDS inside,
 * else so many places in line.  The first in line watches all who are inside, the
 * others the one right before them.
 */
enum { HOLDS = 15 };

static uint64_t place_of(uint64_t places, uint32_t i)
{
	return places >> 4 * i & 15;
}

/* Seat s, whose owner lives, was read: how far ahead is it? */
static uint64_t place_ahead(const struct wicket_cfg *c, struct wicket_proc p,
			    struct line_seat s)
{
	uint32_t ticket = line_load_ticket(s.load), m = block(c);
	uint64_t w = p.local[LOOKED];
	uint32_t mine = line_position(w, (uint32_t)p.local[TICKET], m);

	switch (line_phase(s.state)) {
	case LINE_RELEASING:
	case LINE_RELEASED:
		return HOLDS;
	case LINE_HAVE:
		if (line_is_valid(w, ticket))
			return HOLDS;
		return line_position(w, ticket, m) < mine ?
			       mine - line_position(w, ticket, m) :
			       0;
	default:
		return 0;
	}
}

static uint64_t watched(const struct wicket_cfg *c, uint64_t places)
{
	uint64_t set = 0, nearest = HOLDS;

	for (uint32_t i = 0; i < seats(c); i++) {
		uint64_t place = place_of(places, i);

		if (!place || place > nearest)
			continue;
		if (place < nearest)
			set = 0;
		nearest = place;
		set |= (uint64_t)1 << bell_reg(c, i);
	}
	return set;
}

/* Looks at the next seat that is not its own, from AT on. */
static struct wicket_proc scan_on(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	uint64_t at = p.local[AT], ret = p.local[RET] & SCAN_BITS;

	p = forget(p, WT, RET);
	p.local[RET] = ret;
	if (at + 1 == p.local[ME])
		at++;
	p.local[AT] = at;
	p.pc = SCAN_SEAT;
	if (at < seats(c))
		return p;
	p.local[AT] = p.local[RET] = 0;
	p.pc = ret == SCAN_JOIN ? JOIN_SEAT :
	       ret == SCAN_TRY	? TAKE_SEAT :
				  WAIT_SLEEP;
	if (p.pc == WAIT_SLEEP) {
		p.local[LAST] = watched(c, p.local[LAST]);
		p.local[LOOKED] = 0;
	}
	return p;
}

static struct wicket_proc scan(const struct wicket_cfg *c, struct wicket_proc p,
			       uint64_t then)
{
	p.local[AT] = 0;
	p = with_ret(p, SCAN_BITS, then);
	return scan_on(c, p);
}

/* The owner of the seat that was read into C lives. */
static struct wicket_proc scan_alive(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	uint64_t at = p.local[AT]++;

	if (p.local[E] == LINE_ALIVE) /* who gives up is not waited for */
		p.local[LAST] |= place_ahead(c, p, seen_seat(p)) << 4 * at;
	return scan_on(c, p);
}

/* It does not; but if the seat is kept, does a command? */
static struct wicket_proc scan_kept(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	p.pc = line_kept(seen_seat(p)) && c->mutant != KEEP_UNASKED ?
		       SCAN_KEEP :
		       SCAN_MARK;
	return p;
}

/* Not this seat: the next one, and when all were looked at, the dead. */
static struct wicket_proc join_on(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	uint64_t at = p.local[AT] + 1;

	p = forget(p, WT, RET);
	p.local[ME] = p.local[SEQ] = 0;
	p.local[AT] = at;
	p.pc = JOIN_SEAT;
	return at < seats(c) ? p : scan(c, p, SCAN_JOIN);
}

/* It has no life any more, and will not come again. */
static struct wicket_proc gone(const struct wicket_cfg *c)
{
	struct wicket_proc p = start(c, 0);

	if (is_removing(c))
		return read_w(c, p, AFTER_REMOVE);
	p.pc = DONE;
	return p;
}

/* Once more, or no more; with or without a seat. */
static struct wicket_proc next_lap(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	uint32_t laps = c->laps ? c->laps : 1;

	p = forget(p, WT, RET);
	p.local[TICKET] = p.local[SLOT] = 0;
	if (++p.local[LAP] < laps) {
		p.pc = p.local[ME] ? TAKE_SEAT : JOIN_SEAT;
		return p;
	}
	p.local[LAP] = p.local[LAST] = 0;
	p.pc = p.local[ME] ? LEAVE_BELL : LEAVE_LIFE;
	if (c->mutant == BELL_LAST && p.local[ME])
		p.pc = LEAVE_SEAT;
	if (c->mutant == LIFE_EARLY && p.local[ME])
		p.pc = LEAVE_LIFE;
	return p;
}

static struct wicket_proc driven(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	if ((p.local[RET] & DRIVE_BITS) != DRIVE_SCAN)
		return next_lap(c, p);
	p.local[AT]++;
	return scan_on(c, p);
}

/* The S after w's, for a take or for a release; colour: if one was needed. */
static struct wicket_proc put_pointers(const struct wicket_cfg *c,
				       struct wicket_proc p, uint32_t colour)
{
	int take = after(p) == AFTER_TAKE;

	p.local[E] = take ? line_take(p.local[WS], block(c), colour) :
			    line_release(p.local[WS], block(c), colour);
	p.local[I] = p.local[MASK] = 0;
	p.pc = take			 ? TAKE_W :
	       c->mutant == WAKE_EARLY	 ? HEIR :
	       after(p) == AFTER_RELEASE ? RELEASE_W :
					   DRIVE_W;
	return p;
}

static struct wicket_proc advance(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	int take = after(p) == AFTER_TAKE;

	p = forget(p, C0, E);
	p.local[I] = p.local[MASK] = 0;
	if (!(take ? line_take_needs_colour(p.local[WS], block(c)) :
		     line_release_needs_colour(p.local[WS], block(c))))
		return put_pointers(c, p, 0);
	p.pc = COLOURS;
	return p;
}

/* The dead seat's release: if the tag says that it is applied, look again. */
static struct wicket_proc drive_release(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	uint64_t state = line_state(p.local[D], LINE_FREE);

	if (p.local[WT] == line_tag(state, (uint32_t)p.local[J]))
		return read_w(c, p, AFTER_DRIVE);
	return advance(c, p);
}

static struct wicket_proc remove_line(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	if (p.local[WT] != LINE_REMOVED &&
	    (line_vacant(p.local[WS], block(c)) == c->k ||
	     c->mutant == REMOVE_BUSY)) {
		p = forget(p, C0, E);
		p.pc = REMOVE_W;
		return p;
	}
	p = start(c, 0);
	p.pc = DONE;
	return p;
}

/* W's last operation is written down: on with whatever needed it. */
static struct wicket_proc settled(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	switch (after(p)) {
	case AFTER_TAKE:
	case AFTER_RELEASE:
		return advance(c, p);
	case AFTER_FIND:
		return find(p);
	case AFTER_DRIVE_RELEASE:
		return drive_release(c, p);
	case AFTER_REMOVE:
		return remove_line(c, p);
	case AFTER_LATE:
		p = forget(p, WT, RET);
		p.pc = TAKE_TICKET;
		return p;
	default:
		return read_w(c, p, AFTER_DRIVE);
	}
}

static struct wicket_proc settle(const struct wicket_cfg *c,
				 struct wicket_proc p, uint64_t then)
{
	p = with_ret(p, SETTLE_BITS, then);
	p = forget(p, C0, E);
	p.local[I] = p.local[MASK] = 0;
	/* what its own seat did before, it has written down itself */
	if (!line_has_tag(p.local[WT]) || c->mutant == NO_SETTLE ||
	    (line_tag_seat(p.local[WT]) + 1 == p.local[ME] &&
	     then != AFTER_LATE))
		return settled(c, p);
	p.pc = SETTLE_SEAT;
	return p;
}

/* The seat that W's tag names has been read into C. */
static struct wicket_proc settle_seat(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	switch (line_settle(p.local[WT], seen_seat(p))) {
	case LINE_SETTLE_TAKE:
		p.pc = SETTLE_HAVE;
		return p;
	case LINE_SETTLE_RELEASE:
		p.pc = c->mutant == PHASE_FIRST ? SETTLE_DONE : SETTLE_SLOT;
		return p;
	default:
		return settled(c, p);
	}
}

/* The slot of a release that is applied has been read into E. */
static struct wicket_proc settle_slot(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	switch (line_put(p.local[E], seen_seat(p), p.local[WS])) {
	case LINE_PUT:
		p.pc = c->mutant == NO_SECOND_LOOK ? SETTLE_PUT : SETTLE_LOOK;
		return p;
	case LINE_PUT_DONE:
		p.pc = SETTLE_DONE;
		if (c->mutant != PHASE_FIRST && c->mutant != NO_RELEASED)
			return p;
		break;
	case LINE_PUT_PAST:
		break;
	}
	return settled(c, p);
}

static struct wicket_proc seek_heir(struct wicket_proc p)
{
	p = forget(p, WT, WG);
	p.local[I] = p.local[MASK] = 0;
	p.pc = HEIR;
	return p;
}

static struct wicket_proc release_end(struct wicket_proc p)
{
	p = forget(p, WT, I);
	p.pc = RELEASE_END;
	return p;
}

/* The ticket that was validated: its holder is the heir. */
static uint32_t inherited(struct wicket_proc p)
{
	if (!p.local[C0]) /* the owner's release, or mutant wake-early */
		return line_valid(p.local[E]);
	return p.local[RET] & APPLIED ? (uint32_t)p.local[D] :
					line_load_ticket(p.local[C1]);
}

/* The driven seat has been read into C, after W. */
static struct wicket_proc drive_seat(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	struct line_seat s = seen_seat(p);
	uint64_t d = c->mutant == D_UNTIED ? line_seq(s.state) : p.local[D];

	switch (line_drive(p.local[WT], p.local[WS], (uint32_t)p.local[J], s,
			   d)) {
	case LINE_DRIVE_FREE:
		p.pc = DRIVE_FREE;
		return p;
	case LINE_DRIVE_AGAIN:
		p.local[D] = line_seq(s.state);
		return read_w(c, p, AFTER_DRIVE);
	case LINE_DRIVE_SETTLE:
		return settle(c, p, AFTER_DRIVE);
	case LINE_DRIVE_GIVE:
		p.local[I] = 0;
		p.pc = DRIVE_FIND;
		return p;
	case LINE_DRIVE_RELEASE:
		if (p.local[RET] & APPLIED)
			return seek_heir(p);
		p.local[D] = line_seq(s.state);
		if (c->mutant == SETTLE_LATE)
			return drive_release(c, with_ret(p, SETTLE_BITS,
							 AFTER_DRIVE_RELEASE));
		return settle(c, p, AFTER_DRIVE_RELEASE);
	case LINE_DRIVE_RELEASED:
		return seek_heir(p);
	default:
		return driven(c, p);
	}
}

/* W has been read. */
static struct wicket_proc have_w(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	uint64_t then = after(p);

	if (then == AFTER_TAKE && p.local[WT] == LINE_REMOVED) {
		p = forget(p, WT, RET);
		p.pc = TAKE_BACK;
		return p;
	}
	if (c->mutant == SETTLE_LATE &&
	    (then == AFTER_TAKE || then == AFTER_RELEASE))
		return advance(c, p);
	if (then != AFTER_DRIVE)
		return settle(c, p, then);
	if (c->mutant == SEAT_FIRST)
		return drive_seat(c, p);
	p.pc = DRIVE_SEAT;
	return p;
}

/* A CAS on W has failed, and shows what W is. */
static struct wicket_proc other_w(const struct wicket_cfg *c,
				  struct wicket_proc p,
				  struct wicket_value seen)
{
	p = forget(p, C0, E);
	p.local[I] = p.local[MASK] = 0;
	p.local[WT] = seen.w[0];
	p.local[WS] = seen.w[1];
	p.local[WG] = seen.w[2];
	return have_w(c, p);
}

/* It goes in; in E is the last ticket that it has told of, as if VALID, and the
   last one that is taken. */
static struct wicket_proc tell(const struct wicket_cfg *c, struct wicket_proc p)
{
	uint64_t s = p.local[E];
	uint32_t ticket = line_valid(s);
	int told = p.local[MASK] && !heir_dead(p);

	if (told || ticket == line_issue(s)) {
		p = forget(p, WT, E);
		p.local[I] = p.local[MASK] = p.local[RET] = 0;
		p.pc = c->variant == KEPT ? KEEP_LOCK : HOLD;
		return p;
	}
	p.local[E] = (uint64_t)line_ticket_after(s, ticket, block(c)) << 32 |
		     line_issue(s);
	return seek_heir(p);
}

/* Done with the heir: free the seat, or (mutant wake-early) apply it now. */
static struct wicket_proc heir_told(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	int own = after(p) == AFTER_RELEASE;

	if (after(p) == AFTER_TELL)
		return tell(c, p);
	if (c->mutant == WAKE_EARLY && !p.local[C0]) {
		p.pc = own ? RELEASE_W : DRIVE_W;
		return p;
	}
	if (own)
		return release_end(p);
	p.pc = DRIVE_END;
	return p;
}

/* All seats have been looked at for the heir, or it has been found. */
static struct wicket_proc heir_known(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	p.local[I] = 0;
	if (!p.local[MASK] || heir_dead(p) ||
	    (c->mutant == WAKE_EARLY && p.local[C0]))
		return heir_told(c, p);
	p.pc = WAKE_CLEAR;
	return p;
}

/* The release has come to its end; a dead heir passes its slot on. */
static struct wicket_proc released(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	if (p.local[MASK] && heir_dead(p) && c->mutant != HEIR_IGNORED) {
		uint64_t driver = p.local[RET] & DRIVE_BITS;

		return drive(c, p, heir_of(p), heir_seq(p), driver);
	}
	return driven(c, p);
}

/* --- the contract -------------------------------------------------------- */

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	switch (p.pc) {
	case JOIN_LIFE:
	case TAKE_SEAT:
	case LEAVE_BELL:
	case LEAVE_SEAT:
	case LEAVE_LIFE:
	case REMOVE_W:
	case RESTORE_W:
	case DONE:
	case DEAD:
		return WICKET_REMAINDER;
	case DIE:
	case DIE_LIFE: /* the kernel owes it this: in R it might rest */
		return p.local[MASK] ? WICKET_CRITICAL : WICKET_EXIT;
	case KEEP_LOCK:
	case KEEP_MARK:
	case HOLD:
	case COMMAND:
		return WICKET_CRITICAL;
	case ABANDON_BELL:
	case ABANDON_MARK:
		return WICKET_EXIT;
	default:
		if (after(p) == AFTER_REMOVE)
			return WICKET_REMAINDER;
		return p.local[SLOT] & EXITING ? WICKET_EXIT : WICKET_TRYING;
	}
}

/* The numbers carried along are not compared. */
static struct wicket_access cas(uint32_t r, uint16_t words,
				struct wicket_value expect)
{
	return (struct wicket_access){
		.kind = WICKET_CAS, .words = words, .reg = r, .expect = expect
	};
}

/* Does it stay inside for ever? */
static int stays(const struct wicket_cfg *c, struct wicket_proc p)
{
	return c->variant == INSIDE && c->k > 1 && p.self == c->k + 1;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	uint64_t me = p.local[ME] - 1, at = p.local[AT], j = p.local[J];
	uint64_t slot = line_load_slot(p.local[C1]) - 1;

	switch (p.pc) {
	case JOIN_SEAT:
	case SCAN_SEAT:
		return wicket_ask(WICKET_LOAD, seat_reg(c, at));
	case JOIN_LIFE:
	case LEAVE_LIFE:
	case DIE_LIFE:
		return wicket_ask(WICKET_RMW, life_reg(c));
	case JOIN_CLAIM:
		return cas(seat_reg(c, at), 2, seen_seat_value(p));
	case JOIN_BELL:
		return wicket_ask(WICKET_RMW, bell_reg(c, at));
	case SCAN_BELL:
		return wicket_ask(WICKET_LOAD, bell_reg(c, at));
	case SCAN_LIFE:
		return wicket_ask(WICKET_LOAD, life_reg(c));
	case SCAN_KEEP:
		return wicket_ask(WICKET_LOAD, keep_reg(c, at));
	case KEEP_LOCK:
	case COMMAND:
		return wicket_ask(WICKET_RMW, keep_reg(c, me));
	case SCAN_MARK: /* both words: it may be kept by now */
		return cas(seat_reg(c, at), c->mutant == MARK_STATE ? 1 : 2,
			   seen_seat_value(p));
	case JOIN_SIT:
	case TAKE_SEAT:
	case TAKE_TICKET:
	case TAKE_HAVE:
	case TAKE_BACK:
	case FOUND:
	case KEEP_MARK:
	case RELEASE_END:
	case ABANDON_MARK:
	case LEAVE_SEAT: /* one word of the own seat is stored */
		return wicket_ask(WICKET_RMW, seat_reg(c, me));
	case HOLD:
		return stays(c, p) ? wicket_ask(WICKET_REST, 0) :
				     wicket_ask(WICKET_RMW, seat_reg(c, me));
	case TAKE_W:
	case RELEASE_W:
	case DRIVE_W:
	case REMOVE_W:
		return cas(0, 2, seen_w(p));
	case RESTORE_W:
		return cas(0, 2, removed_w(p));
	case READ_T:
	case READ_S:
	case WAIT_SPIN:
	case WAIT_LOOK:
	case SETTLE_LOOK:
	case TELL_W:
		return wicket_ask(WICKET_LOAD, 0);
	case COLOURS:
	case FIND:
	case DRIVE_FIND:
		return wicket_ask(WICKET_LOAD, slot_reg(p.local[I]));
	case SETTLE_SEAT:
		return wicket_ask(WICKET_LOAD,
				  seat_reg(c, line_tag_seat(p.local[WT])));
	case SETTLE_HAVE:
	case SETTLE_DONE:
		return cas(seat_reg(c, line_tag_seat(p.local[WT])), 2,
			   seen_seat_value(p));
	case SETTLE_SLOT:
		return wicket_ask(WICKET_LOAD, slot_reg(slot));
	case SETTLE_PUT:
		return cas(slot_reg(slot), 1, wicket_number(p.local[E]));
	case RELEASE_SLOT:
		return cas(slot_reg(p.local[SLOT] & ~EXITING), 1,
			   wicket_number(p.local[MINE]));
	case WAIT_ARM:
		return wicket_ask(WICKET_STORE, fut_reg(c, me));
	case WAIT_SLEEP:
		return (struct wicket_access){
			.kind = WICKET_SLEEP,
			.words = 1,
			.reg = fut_reg(c, me),
			.expect = wicket_number(armed(c, p.local[SEQ])),
			.watch = p.local[LAST],
			.alive = LINE_ALIVE,
		};
	case DRIVE_SEAT:
		return wicket_ask(WICKET_LOAD, seat_reg(c, j));
	case DRIVE_FREE:
	case DRIVE_GIVE:
	case DRIVE_END:
		return cas(seat_reg(c, j), 2, seen_seat_value(p));
	case HEIR:
		return wicket_ask(WICKET_LOAD, seat_reg(c, p.local[I]));
	case WAKE_CLEAR:
		return cas(fut_reg(c, heir_of(p)), 1,
			   wicket_number(armed(c, heir_seq(p))));
	case WAKE:
		return wicket_ask(WICKET_LOAD, fut_reg(c, heir_of(p)));
	case ABANDON_BELL:
	case LEAVE_BELL:
	case JOIN_UNLOCK:
		return wicket_ask(WICKET_STORE, bell_reg(c, me));
	case DIE:
		return p.local[ME] ? wicket_ask(WICKET_RMW, bell_reg(c, me)) :
				     wicket_ask(WICKET_LOAD, 0);
	default:
		return wicket_ask(WICKET_REST, 0);
	}
}

/* A seat was read: C is what it holds. */
static struct wicket_proc with_seat(struct wicket_proc p,
				    struct wicket_value seen)
{
	p.local[C0] = seen.w[0];
	p.local[C1] = seen.w[1];
	p.local[CG] = seen.w[2];
	return p;
}

/* What a CAS puts into a seat that is still as it was seen. */
static struct wicket_value seat_put(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	struct line_seat s = seen_seat(p);

	switch (p.pc) {
	case JOIN_CLAIM:
		return seat_value(line_claim(s, life_of(c, p)), 0);
	case SETTLE_HAVE:
		return seat_value(line_taken(s, p.local[WS]),
				  p.local[WG] & 0xffffffff);
	case SETTLE_DONE:
		return seat_value(line_given_back(s, p.local[WS]),
				  p.local[WG] >> 32);
	case DRIVE_GIVE:
		return seat_value(
			line_give_back(s, (uint32_t)p.local[I], p.local[E]),
			p.local[CG]);
	default: /* DRIVE_FREE, DRIVE_END */
		return seat_value(line_end(s), 0);
	}
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_access a = access(c, p);
	struct wicket_result r = { .put = seen };
	int met = a.kind == WICKET_CAS && wicket_is_expected(&a, seen);
	struct line_seat s = { seen.w[0], seen.w[1] };

	switch (p.pc) {
	case JOIN_LIFE:
		if (c->mutant != LIFE_LATE || p.local[ME])
			r.put = with_life(seen, life_of(c, p));
		p.pc = p.local[ME] ? JOIN_BELL : JOIN_SEAT;
		break;
	case JOIN_SEAT:
		p = with_seat(p, seen);
		p.pc = c->mutant == BELL_FIRST ? JOIN_BELL : JOIN_CLAIM;
		if (line_phase(s.state) != LINE_FREE)
			p = join_on(c, p);
		break;
	case JOIN_CLAIM: /* FREE(s) -> JOINING(s+1, life) */
		if (!met) {
			p.pc = JOIN_UNLOCK;
			if (c->mutant != BELL_FIRST)
				p = join_on(c, p);
			break;
		}
		r.put = seat_put(c, p);
		p.local[ME] = p.local[AT] + 1;
		p.local[SEQ] = line_seq(r.put.w[0]);
		p = forget(p, C0, CG);
		p.pc = c->mutant == LIFE_LATE  ? JOIN_LIFE :
		       c->mutant == BELL_FIRST ? JOIN_SIT :
						 JOIN_BELL;
		break;
	case JOIN_BELL: /* whatever it says is of the owner before */
		if (c->mutant == BELL_FIRST) {
			if (seen.w[0] == LINE_ALIVE) {
				p = join_on(c, p);
				break;
			}
			p.local[ME] = p.local[AT] + 1;
		}
		r.put = wicket_number(LINE_ALIVE);
		p.pc = c->mutant == BELL_FIRST ? JOIN_CLAIM : JOIN_SIT;
		break;
	case JOIN_UNLOCK:
		r.put = wicket_number(LINE_NOBODY);
		p = join_on(c, p);
		break;
	case JOIN_SIT: /* JOINING(s) -> IDLE(s) */
		r.put = with_state(seen, own_state(p, LINE_IDLE));
		p = forget(p, WT, RET);
		p.pc = TAKE_SEAT;
		break;
	case TAKE_SEAT: /* IDLE(s) -> TAKING(s+1) */
		p = guess_w(c, p, AFTER_TAKE);
		r.put = with_state(seen, own_state(p, LINE_TAKING));
		break;
	case TAKE_BACK: /* TAKING(s) -> IDLE(s): nothing was begun */
		r.put = with_state(seen, own_state(p, LINE_IDLE));
		p = next_lap(c, p);
		break;
	case READ_T:
		p.local[WT] = seen.w[0];
		p.pc = READ_S;
		break;
	case READ_S:
		p.local[WS] = seen.w[1];
		p.local[WG] = seen.w[2];
		p = have_w(c, p);
		break;
	case COLOURS:
		line_use_colour(&p.local[MASK], line_slot_ticket(seen.w[0]));
		if (++p.local[I] == c->k)
			p = put_pointers(c, p, line_new_colour(&p.local[MASK]));
		break;
	case TAKE_W: /* (i,v) -> (next i,v), tagged */
		if (!met) {
			p = other_w(c, p, seen);
			break;
		}
		r.put.w[0] = line_tag(own_state(p, LINE_TAKING),
				      (uint32_t)p.local[ME] - 1);
		r.put.w[1] = p.local[E];
		r.put.w[2] = seen.w[2] + 1;
		p.local[TICKET] = r.put.w[2] << 32 | line_issue(p.local[E]);
		p.local[LAST] = p.local[E];
		if (c->mutant == SETTLE_LATE) {
			p = settle(c, p, AFTER_LATE);
			break;
		}
		p = forget(p, WT, RET);
		p.local[WS] = r.put.w[1];
		p.pc = TAKE_TICKET;
		break;
	case TAKE_TICKET: /* TAKING(s) -> TAKING(s, t) */
		r.put = with_load(p, seen, 0);
		p.pc = TAKE_HAVE;
		break;
	case TAKE_HAVE: /* -> HAVE(s, t), or somebody has done it already */
		r.put = with_state(seen, own_state(p, LINE_HAVE));
		if (line_is_valid(p.local[WS], (uint32_t)p.local[TICKET]) &&
		    c->mutant != SETTLE_LATE) {
			p = find(p);
			break;
		}
		p = forget(p, LAST, RET);
		p.pc = WAIT_SPIN;
		break;
	case SETTLE_SEAT:
		p = settle_seat(c, with_seat(p, seen));
		break;
	case SETTLE_HAVE:
		if (met)
			r.put = seat_put(c, p);
		p = forget(p, C0, CG);
		if (met)
			p = settled(c, p);
		else
			p.pc = SETTLE_SEAT;
		break;
	case SETTLE_SLOT:
		p.local[E] = seen.w[0];
		p = settle_slot(c, p);
		break;
	case SETTLE_LOOK: /* whoever changed W has settled this */
		p.pc = SETTLE_PUT;
		if (seen.w[0] != p.local[WT])
			p = settled(c, p);
		break;
	case SETTLE_PUT: /* its result is ignored: somebody did it */
		if (met) {
			r.put.w[0] = slot_next(c, seen.w[0],
					       line_valid(p.local[WS]),
					       line_load_died(p.local[C1]));
			r.put.w[1] = p.local[WG] >> 32;
		}
		p.local[E] = 0;
		p.pc = SETTLE_DONE;
		if (c->mutant == PHASE_FIRST || c->mutant == NO_RELEASED)
			p = settled(c, p);
		break;
	case SETTLE_DONE:
		if (met)
			r.put = seat_put(c, p);
		p.local[E] = 0;
		if (met && c->mutant == PHASE_FIRST) {
			p.pc = SETTLE_SLOT;
			break;
		}
		p = forget(p, C0, CG);
		if (met)
			p = settled(c, p);
		else
			p.pc = SETTLE_SEAT;
		break;
	case FIND:
		if (line_slot_ticket(seen.w[0]) == (uint32_t)p.local[TICKET]) {
			p.local[SLOT] = p.local[I];
			p = forget(p, WT, RET);
			p.local[MINE] = seen.w[0];
			p.pc = FOUND;
		} else if (++p.local[I] == c->k) {
			p = read_w(c, p, AFTER_FIND);
		}
		break;
	case FOUND: /* HAVE(s, t) -> HAVE(s, t, slot) */
		r.put = with_load(p, seen, 1 + (uint32_t)p.local[SLOT]);
		p.pc = c->variant == KEPT ? KEEP_LOCK : HOLD;
		/* who has waited, and so was told of what is ahead of it */
		if (is_watched(c) && !p.local[LAST] && c->mutant != NOT_TOLD)
			p.pc = TELL_W;
		break;
	case TELL_W: /* who is the first in line now? */
		p = with_ret(p, SETTLE_BITS, AFTER_TELL);
		p.local[E] = (uint64_t)(uint32_t)p.local[TICKET] << 32 |
			     line_issue(seen.w[1]);
		p = tell(c, p);
		break;
	case KEEP_LOCK: /* what earlier commands left running does not matter */
		r.put = wicket_number(p.local[SEQ]);
		r.put.w[1] = c->mutant == KEEP_UNTIED && seen.w[0];
		p.pc = KEEP_MARK;
		break;
	case KEEP_MARK: /* HAVE(s, t, slot) -> HAVE(s, t, slot, kept) */
		r.put.w[1] = line_keep(seen.w[1]);
		p.local[MASK] = 1; /* from now on the command may run */
		p.pc = HOLD;
		break;
	case WAIT_SPIN: /* for as long as it likes: it changes nothing */
		if (line_is_valid(seen.w[1], (uint32_t)p.local[TICKET]))
			p = find(p);
		else
			p.pc = WAIT_ARM;
		break;
	case WAIT_ARM:
		r.put = wicket_number(armed(c, p.local[SEQ]));
		p.pc = WAIT_LOOK;
		break;
	case WAIT_LOOK: /* who has slept in vain looks after the dead */
		if (line_is_valid(seen.w[1], (uint32_t)p.local[TICKET])) {
			p = find(p);
		} else if (is_watched(c)) {
			p.local[LOOKED] = seen.w[1];
			p = scan(c, p, SCAN_WAIT);
		} else if (p.local[I]) {
			p = scan(c, p, SCAN_WAIT);
		} else {
			p.pc = WAIT_SLEEP;
		}
		break;
	case WAIT_SLEEP:
		p.local[LAST] = 0;
		p.local[I] = !is_watched(c);
		p.pc = WAIT_ARM;
		break;
	case SCAN_SEAT:
		p = with_seat(p, seen);
		if (line_phase(s.state) == LINE_FREE) {
			p.local[AT]++;
			p = scan_on(c, p);
		} else if (line_dead(s.state)) {
			p = drive(c, p, p.local[AT], line_seq(s.state),
				  DRIVE_SCAN);
		} else {
			p.pc = SCAN_BELL;
		}
		break;
	case SCAN_BELL: /* of the owner that the seat had when it was read */
		p.pc = line_is_told(seen_seat(p), (enum line_bell)seen.w[0]) ||
				       (c->mutant == BELL_TRUSTED &&
					seen.w[0] == LINE_DIED) ?
			       SCAN_KEEP :
			       SCAN_LIFE;
		if (is_watched(c))
			p.local[E] = seen.w[0];
		if (p.pc == SCAN_KEEP)
			p = scan_kept(c, p);
		else if (c->mutant == BELL_ONLY)
			p = scan_alive(c, p);
		break;
	case SCAN_LIFE:
		if (is_alive(seen, line_life(p.local[C1])))
			p = scan_alive(c, p);
		else
			p = scan_kept(c, p);
		break;
	case SCAN_KEEP: /* as long as the command runs */
		p.pc = SCAN_MARK;
		if (seen.w[0] == line_seq(p.local[C0]) || seen.w[1])
			p = scan_alive(c, p);
		break;
	case SCAN_MARK:
		if (met)
			r.put.w[0] = line_mark(s.state);
		/* if it has changed, its owner may have died since */
		p = met || c->mutant == MARK_ONCE ?
			    drive(c, p, p.local[AT], line_seq(p.local[C0]),
				  DRIVE_SCAN) :
			    scan_on(c, p);
		break;
	case HOLD: /* HAVE(s) -> RELEASING(s+1) */
		p = guess_w(c, p, AFTER_RELEASE);
		r.put = with_state(seen, own_state(p, LINE_RELEASING));
		p.local[TICKET] = 0;
		p.local[SLOT] |= EXITING;
		break;
	case RELEASE_W: /* (i,v) -> (i,next v), tagged */
		if (!met) {
			p = other_w(c, p, seen);
			break;
		}
		r.put.w[0] = line_tag(own_state(p, LINE_RELEASING),
				      (uint32_t)p.local[ME] - 1);
		r.put.w[1] = p.local[E];
		r.put.w[2] = seen.w[2] + ((uint64_t)1 << 32);
		p.local[WG] = r.put.w[2];
		p.local[LAST] = p.local[E];
		p.pc = RELEASE_SLOT;
		break;
	case RELEASE_SLOT: /* (t, stamp) -> (u, stamp+1), or somebody did it */
		if (met) {
			r.put.w[0] = slot_next(c, seen.w[0],
					       line_valid(p.local[E]), 0);
			r.put.w[1] = p.local[WG] >> 32;
		}
		p.local[MINE] = 0;
		p.local[SLOT] = EXITING;
		if (!line_has_heir(p.local[E]) || c->mutant == WAKE_EARLY)
			p = release_end(p);
		else
			p = seek_heir(p);
		break;
	case RELEASE_END: /* RELEASING(s) or RELEASED(s) -> IDLE(s) */
		r.put = with_state(seen, own_state(p, LINE_IDLE));
		p = released(c, with_ret(p, DRIVE_BITS, DRIVE_HEIR));
		break;
	case DRIVE_SEAT:
		p = with_seat(p, seen);
		if (c->mutant == SEAT_FIRST)
			p.pc = READ_T;
		else
			p = drive_seat(c, p);
		break;
	case DRIVE_FREE:
		if (met)
			r.put = seat_put(c, p);
		p = met ? driven(c, p) : read_w(c, p, AFTER_DRIVE);
		break;
	case DRIVE_FIND:
		if (line_slot_ticket(seen.w[0]) ==
		    line_load_ticket(p.local[C1])) {
			p.local[E] = seen.w[0];
			p.pc = DRIVE_GIVE;
		} else if (++p.local[I] == c->k) {
			p = settle(c, p, AFTER_DRIVE);
		}
		break;
	case DRIVE_GIVE:
		if (met)
			r.put = seat_put(c, p);
		p = read_w(c, p, AFTER_DRIVE);
		break;
	case DRIVE_W: /* (i,v) -> (i,next v), tagged */
		if (!met) {
			p = read_w(c, p, AFTER_DRIVE);
			break;
		}
		r.put.w[0] = line_tag(line_state(p.local[D], LINE_FREE),
				      (uint32_t)p.local[J]);
		r.put.w[1] = p.local[E];
		r.put.w[2] = seen.w[2] + ((uint64_t)1 << 32);
		if (c->mutant == NO_RELEASED) {
			p.local[RET] |= APPLIED;
			p.local[D] = line_valid(p.local[E]);
		}
		if (c->mutant != SETTLE_LATE) {
			p.local[WT] = r.put.w[0];
			p.local[WS] = r.put.w[1];
			p.local[WG] = r.put.w[2];
		}
		p = settle(c, p, AFTER_DRIVE);
		break;
	case HEIR:
		if (line_phase(s.state) == LINE_HAVE &&
		    line_load_ticket(s.load) == inherited(p)) {
			p.local[MASK] = (p.local[I] + 1) |
					(uint64_t)line_dead(s.state) << 8 |
					line_seq(s.state) << 16;
			p = heir_known(c, p);
		} else if (++p.local[I] == seats(c)) {
			p = heir_known(c, p);
		}
		break;
	case WAKE_CLEAR:
		if (met)
			r.put = wicket_number(0);
		/* the owner may have died between this and the call */
		if (met || (p.local[C0] && line_dead(p.local[C0])))
			p.pc = WAKE;
		else
			p = heir_told(c, p);
		break;
	case WAKE:
		r.wake = fut_reg(c, heir_of(p));
		r.wakes = 1;
		p = heir_told(c, p);
		break;
	case DRIVE_END:
		if (met)
			r.put = seat_put(c, p);
		p = met ? released(c, p) : driven(c, p);
		break;
	case ABANDON_BELL: /* while the seat is still its own */
		r.put = wicket_number(LINE_NOBODY);
		r.wake = a.reg; /* as the unlocking of any mutex does */
		r.wakes = 1;
		p.pc = ABANDON_MARK;
		break;
	case ABANDON_MARK: /* HAVE(s, t) -> HAVE(s, t, D) */
		r.put = with_state(seen, line_mark(own_state(p, LINE_HAVE)));
		p.local[TICKET] = 0;
		p.local[SLOT] = EXITING;
		p = drive(c, p, p.local[ME] - 1, p.local[SEQ], DRIVE_ABANDON);
		p.local[ME] = p.local[SEQ] = 0;
		break;
	case LEAVE_BELL:
		r.put = wicket_number(LINE_NOBODY);
		r.wake = a.reg;
		r.wakes = 1;
		p.pc = c->mutant == BELL_LAST ? LEAVE_LIFE : LEAVE_SEAT;
		break;
	case LEAVE_SEAT: /* IDLE(s) -> FREE(s) */
		r.put = seat_value(
			(struct line_seat){ own_state(p, LINE_FREE), 0 }, 0);
		p.pc = LEAVE_BELL;
		if (c->mutant != BELL_LAST) {
			p.local[ME] = p.local[SEQ] = 0;
			p.pc = LEAVE_LIFE;
			if (c->mutant == LIFE_EARLY)
				p = gone(c);
		}
		break;
	case LEAVE_LIFE:
		r.put = without_life(seen, life_of(c, p));
		if (c->mutant == LIFE_EARLY && p.local[ME])
			p.pc = LEAVE_BELL;
		else
			p = gone(c);
		break;
	case REMOVE_W: /* nobody is there, and nobody comes */
		if (!met) {
			p = other_w(c, p, seen);
			break;
		}
		r.put.w[0] = LINE_REMOVED;
		if (c->variant == RESTORING) {
			p.pc = RESTORE_W;
			break;
		}
		p = start(c, 0);
		p.pc = DONE;
		break;
	case RESTORE_W: /* nobody else changes W meanwhile */
		if (met)
			r.put.w[0] = p.local[WT];
		p = start(c, 0);
		p.pc = DONE;
		break;
	case DIE: /* the thread number is right, whoever sits there */
		if (p.local[ME] && seen.w[0] == LINE_ALIVE) {
			r.put = wicket_number(LINE_DIED);
			r.wake = bell_reg(c, p.local[ME] - 1);
			r.wakes = 1;
		}
		p.pc = p.self ? DIE_LIFE : DEAD;
		break;
	case DIE_LIFE: /* its memory is torn down, as late as it may be */
		r.put = without_life(seen, life_of(c, p));
		if (p.local[MASK]) {
			p.pc = COMMAND;
			break;
		}
		p = start(c, 0);
		p.pc = DEAD;
		break;
	case COMMAND: /* it ends in its own time, and its lock with it */
		if (seen.w[0] == p.local[SEQ])
			r.put.w[0] = 0;
		p = start(c, 0);
		p.pc = DEAD;
		break;
	}
	r.proc = p;
	return r;
}

/* --- events --------------------------------------------------------------- */

static struct wicket_proc turn(const struct wicket_cfg *c, struct wicket_proc p,
			       enum wicket_event event)
{
	struct wicket_proc dying = start(c, 0);

	if (event == WICKET_ABANDON) {
		if (p.pc == WAIT_SLEEP) {
			p.local[LAST] = 0;
			p.pc = ABANDON_BELL;
		} else if (p.pc == TAKE_SEAT && is_removing(c)) {
			p = scan(c, p, SCAN_TRY); /* no room: the dead? */
		} else if (p.pc == KEEP_LOCK) {
			p.pc = HOLD; /* without a command */
		} else if (p.pc == TAKE_W ||
			   (p.pc == COLOURS && after(p) == AFTER_TAKE)) {
			p = forget(p, WT, RET); /* it only tried */
			p.pc = TAKE_BACK;
		}
		return p;
	}
	if (p.pc >= DONE || (p.pc == JOIN_LIFE && !p.local[ME]))
		return p;
	dying.pc = p.self && (!p.local[ME] || is_silent(c, p)) ? DIE_LIFE : DIE;
	dying.self = p.self;
	dying.local[ME] = p.local[ME];
	if (p.pc == HOLD && p.local[MASK]) {
		dying.local[SEQ] = p.local[SEQ];
		dying.local[SLOT] = p.local[SLOT];
		dying.local[MASK] = p.local[MASK];
	}
	return dying;
}

/* --- invariants ------------------------------------------------------------ */

static struct line_seat seat_of(const struct wicket_cfg *c,
				const struct wicket_value *regs, uint32_t i)
{
	const struct wicket_value *v = &regs[seat_reg(c, i)];

	return (struct line_seat){ v->w[0], v->w[1] };
}

/* Tickets out: taken, and their release not applied. */
static uint64_t tickets_out(const struct wicket_cfg *c,
			    const struct wicket_value *regs)
{
	uint64_t out = 0;

	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		enum line_phase phase = line_phase(s.state);
		int applied = regs[0].w[0] == line_tag(s.state, i);

		out += phase == LINE_HAVE ||
		       (phase == LINE_TAKING && applied) ||
		       (phase == LINE_RELEASING && !applied);
	}
	return out;
}

static int slots_distinct(const struct wicket_cfg *c,
			  const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (region(c, procs[i]) == WICKET_CRITICAL &&
			    region(c, procs[j]) == WICKET_CRITICAL &&
			    procs[i].local[SLOT] == procs[j].local[SLOT])
				return 0;
		}
	}
	return 1;
}

static int in_order(const struct wicket_cfg *c, const struct wicket_value *regs)
{
	uint64_t validated = regs[0].w[2] >> 32;

	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);

		if (line_phase(s.state) == LINE_HAVE &&
		    line_is_valid(regs[0].w[1], line_load_ticket(s.load)) !=
			    (regs[seat_reg(c, i)].w[2] <= validated))
			return 0;
	}
	return 1;
}

/* Would a look say that the owner of a seat is dead? */
static int is_gone(const struct wicket_cfg *c, const struct wicket_value *regs,
		   uint32_t i)
{
	struct line_seat s = seat_of(c, regs, i);

	return (line_is_told(s, (enum line_bell)regs[bell_reg(c, i)].w[0]) ||
		!is_alive(regs[life_reg(c)], line_life(s.load))) &&
	       !(line_kept(s) &&
		 regs[keep_reg(c, i)].w[0] == line_seq(s.state));
}

/*
 * Is there a death that only another look can show, and that explains why this
 * process sleeps?  If its ticket is valid, only that of whoever validated it;
 * else that of anybody with something left to do.
 */
static int is_explained(const struct wicket_cfg *c,
			const struct wicket_value *regs, struct wicket_proc p)
{
	uint32_t ticket = (uint32_t)p.local[TICKET];
	int valid = line_is_valid(regs[0].w[1], ticket);

	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		uint32_t its = line_load_ticket(s.load);
		enum line_phase phase = line_phase(s.state);
		int died = is_gone(c, regs, i);
		int half = line_dead(s.state) &&
			   (phase != LINE_HAVE ||
			    line_is_valid(regs[0].w[1], its));
		int waker = (phase == LINE_RELEASED && its == ticket) ||
			    (phase == LINE_RELEASING &&
			     regs[0].w[0] == line_tag(s.state, i));

		if (phase != LINE_FREE && (died || half) && (waker || !valid))
			return 1;
	}
	return 0;
}

/*
 * In variant watched: is there a death that a sleeper is not told of?  The bell
 * wakes one of those who watch it, and that one may die, too; or somebody died in
 * the middle of giving up, when its bell was nobody's already.
 */
static int is_unwatched(const struct wicket_cfg *c,
			const struct wicket_value *regs)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);

		if (line_phase(s.state) != LINE_FREE &&
		    regs[bell_reg(c, i)].w[0] == LINE_NOBODY &&
		    !is_alive(regs[life_reg(c)], line_life(s.load)))
			return 1;
	}
	return 0;
}

static int unnoticed(const struct wicket_cfg *c,
		     const struct wicket_value *regs,
		     const struct wicket_proc *procs)
{
	int dead = 0, asleep = 0, explained = 1;

	for (uint32_t i = 0; i < c->n; i++) {
		dead += procs[i].pc == DEAD;
		asleep += procs[i].pc == WAIT_SLEEP;
		if (procs[i].pc == WAIT_SLEEP)
			explained &= is_explained(c, regs, procs[i]);
	}
	if (c->variant == INSIDE && !asleep) /* who is left stays for ever */
		return 1;
	return dead && explained &&
	       (!is_watched(c) || dead > 1 || is_unwatched(c, regs));
}

static int closed(const struct wicket_cfg *c, const struct wicket_value *regs)
{
	(void)c;
	return regs[0].w[0] == LINE_REMOVED;
}

/* Dying, and without a command to live on in its seat. */
static int is_dying(struct wicket_proc p)
{
	return (p.pc == DIE || p.pc == DIE_LIFE) && !p.local[MASK];
}

/* A mutant touches the bell of a seat that is not its own yet, or any more: what
   comes of it is what counts. */
static int is_mistaken(const struct wicket_cfg *c, struct wicket_proc p)
{
	return (c->mutant == BELL_FIRST &&
		(p.pc == JOIN_CLAIM || p.pc == JOIN_UNLOCK)) ||
	       (c->mutant == BELL_LAST && p.pc == LEAVE_BELL);
}

static int living_seated(const struct wicket_cfg *c,
			 const struct wicket_value *regs,
			 const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t me = procs[i].local[ME];
		struct line_seat s;

		if (!me || is_dying(procs[i]) || is_mistaken(c, procs[i]))
			continue;
		s = seat_of(c, regs, (uint32_t)me - 1);
		if (line_dead(s.state) ||
		    line_life(s.load) != life_of(c, procs[i]))
			return 0;
	}
	return 1;
}

static int none_forgotten(const struct wicket_cfg *c,
			  const struct wicket_value *regs,
			  const struct wicket_proc *procs)
{
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat s = seat_of(c, regs, i);
		int owned = line_phase(s.state) == LINE_FREE ||
			    line_dead(s.state) || is_gone(c, regs, i);

		for (uint32_t j = 0; j < c->n; j++)
			owned |= procs[j].local[ME] == i + 1;
		if (!owned)
			return 0;
	}
	return 1;
}

static int holds(const struct wicket_cfg *c, uint32_t i,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	switch (i) {
	case 0:
		return slots_distinct(c, procs); /* R1 */
	case 1:
		return in_order(c, regs); /* R2 */
	case 2:
		return (regs[0].w[2] >> 32) + tickets_out(c, regs) ==
		       (regs[0].w[2] & 0xffffffff) + c->k; /* R3 */
	case 3:
		return !closed(c, regs) || !tickets_out(c, regs); /* R4 */
	case 4:
		return living_seated(c, regs, procs); /* R5 */
	default:
		return none_forgotten(c, regs, procs); /* R6 */
	}
}

/* --- for people -------------------------------------------------------------- */

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
	(void)c;
	wicket_put(t, pc_names[p.pc]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct line_pointers s = line_pointers(regs[0].w[1]);

	wicket_put(t, "T=");
	if (closed(c, regs)) {
		wicket_put_char(t, 'x');
	} else if (regs[0].w[0]) {
		wicket_put_number(t, (int64_t)line_seq(regs[0].w[0]));
		wicket_put_char(t, '@');
		wicket_put_number(t, line_tag_seat(regs[0].w[0]) + 1);
	}
	wicket_put_char(t, ' ');
	ticket_show_pointers(t, s.issue, s.valid);
	wicket_put(t, " SLOT=");
	for (uint32_t i = 0; i < c->k; i++)
		ticket_show(t, line_ticket(line_slot_ticket(
				       regs[slot_reg(i)].w[0])));
	for (uint32_t i = 0; i < seats(c); i++) {
		struct line_seat e = seat_of(c, regs, i);

		wicket_put_char(t, ' ');
		wicket_put_char(t, "FITHRrJ"[line_phase(e.state)]);
		wicket_put_number(t, (int64_t)line_seq(e.state));
		if (line_phase(e.state) >= LINE_HAVE &&
		    line_phase(e.state) <= LINE_RELEASED)
			ticket_show(t, line_ticket(line_load_ticket(e.load)));
		if (line_dead(e.state))
			wicket_put_char(t, 'D');
		wicket_put_char(t, "-+x"[regs[bell_reg(c, i)].w[0]]);
		if (line_phase(e.state) != LINE_FREE &&
		    !is_alive(regs[life_reg(c)], line_life(e.load)))
			wicket_put_char(t, '!');
		if (regs[fut_reg(c, i)].w[0])
			wicket_put_char(t, 'z');
	}
}

static const struct wicket_named variants[] = {
	{ "seated", "all are in their seats from the beginning" },
	{ "removing", "whoever has left removes the line, if it is empty" },
	{ "kept", "so; and a command holds on though its holder dies" },
	{ "silent", "the kernel tells of every second death late" },
	{ "watched", "seated; nobody looks by time, all watch who is ahead" },
	{ "inside",
	  "so; k are inside from the beginning, the next stays there" },
	{ "restoring", "as removing, but every removal is taken back" },
	{ "shipped", "seated; with the M that is shipped" },
	{ "given-up", "one slot; one has just given up, with a valid ticket" },
	{ 0, 0 },
};

#define ANY WICKET_ANY_VARIANT

static const struct wicket_mutant mutants[] = {
	{ "no-settle", "settle does nothing", ANY },
	{ "settle-late", "settle comes after the CAS on W", ANY },
	{ "no-second-look", "SLOT is changed without a look at W", ANY },
	{ "no-stamp", "SLOT has no stamp", ANY },
	{ "few-stamps", "the stamp has one bit", ANY },
	{ "phase-first", "the seat's phase is changed before SLOT", ANY },
	{ "no-released", "RELEASED is left out", ANY },
	{ "seat-first", "drive reads the seat before W", ANY },
	{ "d-untied", "D is not tied to the seq at which it was seen", ANY },
	{ "flag-futex", "the futex word is 0 or 1", ANY },
	{ "heir-ignored", "a dead heir keeps what it inherits", ANY },
	{ "wake-early", "the heir is woken before the change", ANY },
	{ "remove-busy", "a line is removed though tickets are out", REMOVING },
	{ "mark-once", "a seat that could not be marked is left alone",
	  WATCHED },
	{ "keep-unasked", "nobody asks whether a command still runs", KEPT },
	{ "keep-untied", "nor which operation's command that is", KEPT },
	{ "mark-state", "D is set though the seat may be kept by now", KEPT },
	{ "bell-first", "a joiner locks the bell before the seat is its", ANY },
	{ "bell-last", "who leaves unlocks the bell of a free seat", ANY },
	{ "bell-trusted", "the bell is believed of a joiner, too", ANY },
	{ "bell-only", "nobody asks who lives", ANY },
	{ "life-late", "a joiner claims a seat before it lives", ANY },
	{ "life-early", "who leaves ends its life before its seat is free",
	  ANY },
	{ "life-shared", "all have the same life", ANY },
	{ "not-told", "nobody is told that it is the first in line", INSIDE },
	{ 0, 0, 0 },
};

static const struct wicket_named invariants[] = {
	{ "R1", "slot numbers of live holders are distinct" },
	{ "R2", "a ticket is valid iff its number is at most VALID's" },
	{ "R3", "every take and every release is applied exactly once" },
	{ "R4", "a line that was removed has no tickets out" },
	{ "R5", "nobody loses its seat who lives and has not given up" },
	{ "R6", "no death is forgotten" },
	{ 0, 0 },
};

const struct wicket_algo wicket_recoverable = {
	.name = "recoverable",
	.title = "recoverable colored tickets",
	.source = "ours; doc/protocol.md",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.line = 1,
	.decides = WICKET_K_EXCLUSION | WICKET_NOTHING_LOST |
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
	.turn = turn,
	.holds = holds,
	.unnoticed = unnoticed,
	.closed = closed,
	.bits = field_bits,
	.show_step = show_step,
	.show = show,
};
