/* SPDX-License-Identifier: MIT */
/*
 * guests - commands that join a slot in which they already run.
 *
 * Source   ours; doc/protocol.md, "Joined by a nested command".  src/line makes these
 *          accesses: keep and release (line.c), join and go (guest.c), close_guests
 *          (access.h).  The rest of a line, recoverable, is one seat here.
 * Value    SEAT: seq, whose, KEPT, LEFT.  GUESTS: guests/word.h.  LOCKS[seq]: who has a
 *          lock on the byte of the tag: the kernel's word, which ends when the last
 *          process ends that has the descriptor.  LIFE: who lives, the kernel's too.
 * Holder   locks, marks its seat as kept, opens GUESTS, and then has a command.  When
 *          that has ended it closes GUESTS and releases.  If somebody is counted there and
 *          has the lock, it leaves the slot to them instead: LEFT.
 * Guest    is started by the command, so it knows the tag: takes a lock of its own, and then
 *          is counted, if GUESTS is open for that tag.  When its command has ended, it is
 *          no longer counted, and drops the lock.
 * Taker    comes next.  If the holder is dead or has LEFT, it reads GUESTS, asks
 *          for the lock, closes GUESTS, and takes the slot.  Then it is a holder.
 * G1       nobody else has the slot in which a command runs (mutants uncounted,
 *          counted-first, unasked, unclosed, taken-unclosed, asked-first, untied,
 *          open-first, unnumbered).
 * G2       a death is told only of a holder that died (mutant left-untold).
 * Progress starvation-freedom: the slot comes back (mutant count-trusted).
 * Readers  of the file may have a lock, too.  So the holder asks only if somebody is
 *          counted, for which one must be able to write.
 * Number   each join changes GUESTS to what it never was: a guest that is counted may go
 *          before the holder asks for the lock, and another one join after that (mutant
 *          unnumbered).
 * Crash    a holder or a guest may be killed between any two accesses, and its command runs
 *          on.  The kernel ends the life first, and the lock later.
 */
#include "algo/algo.h"
#include "algo/guests/word.h"
#include "algo/lists.h"

#define VARIANTS(X) /* none */

#define ANY WICKET_ANY_VARIANT

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(UNCOUNTED, "uncounted", "a guest only takes the lock", ANY)          \
	X(COUNTED_FIRST, "counted-first",                                      \
	  "a guest is counted before it has the lock", ANY)                    \
	X(UNASKED, "unasked", "the holder releases whoever is counted", ANY)   \
	X(UNCLOSED, "unclosed", "the holder does not close GUESTS", ANY)       \
	X(TAKEN_UNCLOSED, "taken-unclosed", "the taker does not close GUESTS", \
	  ANY)                                                                 \
	X(ASKED_FIRST, "asked-first",                                          \
	  "the taker asks for the lock before it reads GUESTS", ANY)           \
	X(UNTIED, "untied", "GUESTS is not tied to a seq", ANY)                \
	X(OPEN_FIRST, "open-first", "GUESTS is open before the seat is kept",  \
	  ANY)                                                                 \
	X(UNNUMBERED, "unnumbered", "joins have no number", ANY)               \
	X(LEFT_UNTOLD, "left-untold", "the holder just ends its life", ANY)    \
	X(COUNT_TRUSTED, "count-trusted",                                      \
	  "who is counted is taken to be there", ANY)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(G1, "nobody else has the slot in which a command runs")              \
	X(G2, "a death is told only of a holder that died")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

enum cell { SEAT, GUESTS, LOCKS, LIFE, CELLS };

/* X(program counter, kind, cell, region, in schedules) */
#define PCS(X)                                                                 \
	X(COME, LOAD, SEAT, REMAINDER, "read seat")                            \
	/* the taker */                                                        \
	X(SCAN, LOAD, SEAT, TRYING, "read seat")                               \
	X(SCAN_LIFE, LOAD, LIFE, TRYING, "does it live?")                      \
	X(SCAN_GUESTS, LOAD, GUESTS, TRYING, "read guests")                    \
	X(SCAN_LOCK, LOAD, LOCKS, TRYING, "is it locked?")                     \
	X(SCAN_CLOSE, CAS, GUESTS, TRYING, "close guests")                     \
	X(TAKE, CAS, SEAT, TRYING, "take the slot")                            \
	/* the holder */                                                       \
	X(KEEP_LOCK, RMW, LOCKS, TRYING, "lock")                               \
	X(KEEP_MARK, RMW, SEAT, TRYING, "seat := kept")                        \
	X(KEEP_OPEN, STORE, GUESTS, TRYING, "open guests")                     \
	X(HOLD, RMW, LOCKS, CRITICAL, "command ends")                          \
	X(END_GUESTS, LOAD, GUESTS, EXIT, "read guests")                       \
	X(END_LOCK, LOAD, LOCKS, EXIT, "is it locked?")                        \
	X(END_CLOSE, CAS, GUESTS, EXIT, "close guests")                        \
	X(RELEASE, RMW, SEAT, EXIT, "release")                                 \
	X(LEAVE, RMW, SEAT, EXIT, "seat := left")                              \
	X(LEAVE_LIFE, RMW, LIFE, EXIT, "life ends")                            \
	/* the guest */                                                        \
	X(JOIN_LOCK, RMW, LOCKS, TRYING, "lock")                               \
	X(JOIN_GUESTS, LOAD, GUESTS, TRYING, "read guests")                    \
	X(JOIN, CAS, GUESTS, TRYING, "join")                                   \
	X(JOINED, LOAD, GUESTS, CRITICAL, "command ends; read guests")         \
	X(GO_GUESTS, LOAD, GUESTS, EXIT, "read guests")                        \
	X(GO, CAS, GUESTS, EXIT, "go")                                         \
	X(UNLOCK, RMW, LOCKS, EXIT, "unlock")                                  \
	/* the kernel */                                                       \
	X(DIE, RMW, LIFE, EXIT, "dies")                                        \
	X(COMMAND, RMW, LOCKS, EXIT, "command ends")                           \
	X(DIED, RMW, LOCKS, EXIT, "its lock ends")                             \
	X(DONE, REST, SEAT, REMAINDER, "done")                                 \
	X(DEAD, REST, SEAT, REMAINDER, "dead")

#define PC_NUMBER(number, ...) number,
enum pc { PCS(PC_NUMBER) };
#undef PC_NUMBER

enum local { SEQ, SEEN, WORD, TOLD, RUNS };

/* --- SEAT: KEPT in 0, LEFT in 1, whose in 8..15 (0: nobody's), seq in 16.. ------------ */

enum { KEPT = 1, LEFT = 2, WHOSE_SHIFT = 8, SEQ_SHIFT = 16 };

static uint64_t seat_of(uint64_t seq, uint32_t whose)
{
	return seq << SEQ_SHIFT | (uint64_t)whose << WHOSE_SHIFT;
}

static uint32_t whose(uint64_t seat)
{
	return seat >> WHOSE_SHIFT & 0xff;
}

static uint64_t seq_of(uint64_t seat)
{
	return seat >> SEQ_SHIFT;
}

/* --- what each access expects ----------------------------------------------------------- */

static int is_taker(const struct wicket_cfg *c, struct wicket_proc p)
{
	return p.self == c->n;
}

/* GUESTS as the mutant untied has it: of whatever seq. */
static uint64_t tied(const struct wicket_cfg *c, uint64_t word, uint64_t seq)
{
	return c->mutant == UNTIED ? (uint32_t)word | seq << GUESTS_SEQ_SHIFT :
				     word;
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
#define PC_KIND(number, kind, cell, region, text) WICKET_##kind,
	static const uint8_t kinds[] = { PCS(PC_KIND) };
#undef PC_KIND
#define PC_CELL(number, kind, cell, region, text) cell,
	static const uint8_t cells[] = { PCS(PC_CELL) };
#undef PC_CELL
	struct wicket_access a = wicket_ask((enum wicket_kind)kinds[p.pc],
					    cells[p.pc]);

	(void)c;
	if (a.kind == WICKET_CAS)
		a.expect = wicket_number(p.local[p.pc == TAKE ? SEEN : WORD]);
	return a;
}

/* --- steps ------------------------------------------------------------------------------ */

static struct wicket_proc to(struct wicket_proc p, enum pc pc)
{
	p.pc = (uint16_t)pc;
	return p;
}

static struct wicket_proc ends(struct wicket_proc p, enum pc pc)
{
	p.local[SEQ] = p.local[SEEN] = p.local[WORD] = p.local[RUNS] = 0;
	return to(p, pc);
}

static uint64_t bit_of(struct wicket_proc p)
{
	return (uint64_t)1 << p.self;
}

static struct wicket_proc lock(struct wicket_proc p, struct wicket_value *put,
			       enum pc next)
{
	put->w[p.local[SEQ]] |= bit_of(p);
	return to(p, next);
}

static struct wicket_proc unlock(struct wicket_proc p, struct wicket_value *put,
				 enum pc next)
{
	put->w[p.local[SEQ]] &= ~bit_of(p);
	p.local[RUNS] = 0;
	return next >= DONE ? ends(p, next) : to(p, next);
}

/* A slot of a seat that is not kept is taken at once. */
static struct wicket_proc scan(struct wicket_proc p, uint64_t seat)
{
	p.local[SEEN] = seat;
	return to(p, !whose(seat)   ? TAKE :
		     !(seat & LEFT) ? SCAN_LIFE :
				      SCAN_GUESTS);
}

static struct wicket_proc dead(const struct wicket_cfg *c, struct wicket_proc p)
{
	if (!(p.local[SEEN] & KEPT))
		return to(p, TAKE);
	return to(p, c->mutant == ASKED_FIRST ? SCAN_LOCK : SCAN_GUESTS);
}

static struct wicket_proc close(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	return to(p, c->mutant == TAKEN_UNCLOSED ||
				     !guests_are_of(p.local[WORD],
						    seq_of(p.local[SEEN])) ?
			     TAKE :
			     SCAN_CLOSE);
}

static struct wicket_proc take(struct wicket_proc p, struct wicket_value *put)
{
	uint64_t seen = p.local[SEEN];

	p.local[TOLD] = whose(seen) && !(seen & LEFT);
	p.local[SEQ] = seq_of(seen) + 1;
	*put = wicket_number(seat_of(p.local[SEQ], p.self));
	p.local[SEEN] = p.local[WORD] = 0;
	return to(p, KEEP_LOCK);
}

static struct wicket_proc taker(const struct wicket_cfg *c,
				struct wicket_proc p, uint64_t seen,
				struct wicket_value v, struct wicket_value *put,
				int met)
{
	switch (p.pc) {
	case SCAN_LIFE:
		return seen >> whose(p.local[SEEN]) & 1 ? ends(p, SCAN) :
							  dead(c, p);
	case SCAN_GUESTS:
		p.local[WORD] = seen;
		if (c->mutant == COUNT_TRUSTED && guests_count(seen))
			return ends(p, SCAN);
		return c->mutant == ASKED_FIRST ? close(c, p) :
						  to(p, SCAN_LOCK);
	case SCAN_LOCK:
		if (v.w[seq_of(p.local[SEEN])])
			return ends(p, SCAN);
		return c->mutant == ASKED_FIRST ? to(p, SCAN_GUESTS) :
						  close(c, p);
	case SCAN_CLOSE: /* (seq, open, g) -> (seq, closed) */
		if (!met)
			return to(p, c->mutant == ASKED_FIRST ? SCAN_LOCK :
								SCAN_GUESTS);
		*put = wicket_number(guests_close(p.local[WORD]));
		p.local[WORD] = 0;
		return to(p, TAKE);
	default: /* TAKE: anybody's(seq) -> ours(seq+1) */
		return met ? take(p, put) : ends(p, SCAN);
	}
}

static struct wicket_proc read_end(const struct wicket_cfg *c,
				   struct wicket_proc p, uint64_t word)
{
	int asks = guests_count(word) && c->mutant != UNASKED;

	p.local[WORD] = word;
	if (asks && c->mutant == COUNT_TRUSTED)
		return to(p, LEAVE);
	if (!asks && c->mutant == UNCLOSED)
		return to(p, RELEASE);
	return to(p, asks ? END_LOCK : END_CLOSE);
}

static struct wicket_proc holder(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value v,
				 struct wicket_value *put, int met)
{
	int open_first = c->mutant == OPEN_FIRST;

	switch (p.pc) {
	case KEEP_LOCK:
		return lock(p, put, open_first ? KEEP_OPEN : KEEP_MARK);
	case KEEP_MARK: /* HAVE -> HAVE, kept */
		put->w[0] |= KEPT;
		p.local[RUNS] = open_first;
		return to(p, open_first ? HOLD : KEEP_OPEN);
	case KEEP_OPEN: /* anything -> (seq, open, 0) */
		*put = wicket_number(guests_open(p.local[SEQ]));
		p.local[RUNS] = !open_first;
		return to(p, open_first ? KEEP_MARK : HOLD);
	case HOLD:
		return unlock(p, put, END_GUESTS);
	case END_GUESTS:
		return read_end(c, p, v.w[0]);
	case END_LOCK:
		return to(p, v.w[p.local[SEQ]] ? LEAVE : END_CLOSE);
	case END_CLOSE: /* (seq, open, g) -> (seq, closed) */
		if (!met)
			return to(p, END_GUESTS);
		*put = wicket_number(guests_close(p.local[WORD]));
		return to(p, RELEASE);
	case RELEASE: /* ours(seq) -> nobody's(seq) */
		*put = wicket_number(seat_of(p.local[SEQ], 0));
		return ends(p, DONE);
	case LEAVE: /* HAVE, kept -> HAVE, kept, left */
		put->w[0] |= c->mutant == LEFT_UNTOLD ? 0 : LEFT;
		return to(p, LEAVE_LIFE);
	default: /* LEAVE_LIFE */
		put->w[0] &= ~bit_of(p);
		return ends(p, DONE);
	}
}

/* It knows the tag of a seat that is kept: the command has started it. */
static struct wicket_proc come(const struct wicket_cfg *c, struct wicket_proc p,
			       uint64_t seat)
{
	if (is_taker(c, p))
		return scan(p, seat);
	if (!(seat & KEPT) && !(whose(seat) && c->mutant == OPEN_FIRST))
		return p;
	p.local[SEQ] = seq_of(seat);
	return to(p, c->mutant == COUNTED_FIRST ? JOIN_GUESTS : JOIN_LOCK);
}

static struct wicket_proc guest(const struct wicket_cfg *c,
				struct wicket_proc p, uint64_t seen,
				struct wicket_value *put, int met)
{
	uint64_t word = tied(c, seen, p.local[SEQ]);
	int late = c->mutant == COUNTED_FIRST;

	switch (p.pc) {
	case JOIN_LOCK:
		p.local[RUNS] = late || c->mutant == UNCOUNTED;
		return lock(p, put, p.local[RUNS] ? JOINED : JOIN_GUESTS);
	case JOIN_GUESTS:
		if (!guests_may_join(word, p.local[SEQ]))
			return to(p, UNLOCK);
		p.local[WORD] = seen;
		return to(p, JOIN);
	case JOIN: /* (seq, open, g) -> (seq, open, g+1) */
		if (!met)
			return to(p, JOIN_GUESTS);
		*put = wicket_number(c->mutant == UNNUMBERED ?
					     p.local[WORD] + 1 :
					     guests_join(p.local[WORD]));
		p.local[WORD] = 0;
		p.local[RUNS] = !late;
		return to(p, late ? JOIN_LOCK : JOINED);
	case JOINED:
	case GO_GUESTS:
		p.local[RUNS] = 0;
		if (c->mutant == UNCOUNTED ||
		    !guests_may_go(word, p.local[SEQ]))
			return to(p, UNLOCK);
		p.local[WORD] = seen;
		return to(p, GO);
	case GO: /* (seq, open, g) -> (seq, open, g-1) */
		if (met)
			*put = wicket_number(guests_go(p.local[WORD]));
		p.local[WORD] = 0;
		return to(p, met ? UNLOCK : GO_GUESTS);
	default: /* UNLOCK */
		return unlock(p, put, DONE);
	}
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_access a = access(c, p);
	struct wicket_result r = { .proc = p, .put = seen };
	int met = a.kind == WICKET_CAS && wicket_is_expected(&a, seen);

	if (p.pc == COME)
		r.proc = come(c, p, seen.w[0]);
	else if (p.pc == SCAN)
		r.proc = scan(p, seen.w[0]);
	else if (p.pc <= TAKE)
		r.proc = taker(c, p, seen.w[0], seen, &r.put, met);
	else if (p.pc <= LEAVE_LIFE)
		r.proc = holder(c, p, seen, &r.put, met);
	else if (p.pc <= UNLOCK)
		r.proc = guest(c, p, seen.w[0], &r.put, met);
	else if (p.pc == DIE) {
		r.put.w[0] &= ~bit_of(p);
		r.proc = to(p, p.local[RUNS] ? COMMAND : DIED);
	} else if (p.pc < DONE) {
		r.proc = unlock(p, &r.put, DEAD);
	}
	return r;
}

/* Only who has taken part can die of it. */
static struct wicket_proc event(const struct wicket_cfg *c,
				struct wicket_proc p, enum wicket_event e)
{
	(void)c;
	if (e != WICKET_FAIL || p.pc == COME || p.pc >= DIE)
		return p;
	p.local[SEEN] = p.local[WORD] = 0;
	return to(p, DIE);
}

/* --- invariants ---------------------------------------------------------------------------- */

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	uint64_t seat = regs[SEAT].w[0];

	if (label == G2)
		return !procs[c->n - 1].local[TOLD] ||
		       (procs[0].pc >= DIE && procs[0].pc != DONE);
	for (uint32_t i = 0; i < c->n; i++) {
		if (procs[i].local[RUNS] &&
		    (!whose(seat) || seq_of(seat) != procs[i].local[SEQ]))
			return 0;
	}
	return 1;
}

/* --- the system ---------------------------------------------------------------------------- */

enum { LEAST = 3, MOST = 6 };

static const char *refuse(const struct wicket_cfg *c)
{
	return c->n < LEAST || c->n > MOST || c->k != 1 ?
		       "guests: n must be 3 to 6, a holder, guests and a "
		       "taker; and k must be 1" :
		       0;
}

static uint32_t registers(const struct wicket_cfg *c)
{
	(void)c;
	return CELLS;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	uint64_t all = ((uint64_t)2 << c->n) - 2;

	return (struct wicket_register){
		.start = wicket_number(r == SEAT ? seat_of(1, 1) :
				       r == LIFE ? all :
						   0),
	};
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	struct wicket_proc p = { .pc = COME, .self = i };

	(void)c;
	if (i == 1) {
		p.pc = KEEP_LOCK;
		p.local[SEQ] = 1;
	}
	return p;
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
#define PC_REGION(number, kind, cell, region, text) WICKET_##region,
	static const uint8_t regions[] = { PCS(PC_REGION) };
#undef PC_REGION

	(void)c;
	return (enum wicket_region)regions[p.pc];
}

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
#define PC_TEXT(number, kind, cell, region, text) text,
	static const char texts[][32] = { PCS(PC_TEXT) };
#undef PC_TEXT

	(void)c;
	wicket_put(t, texts[p.pc]);
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	uint64_t seat = regs[SEAT].w[0], word = regs[GUESTS].w[0];

	(void)c;
	wicket_put(t, "seat=");
	wicket_put_number(t, (int64_t)seq_of(seat));
	wicket_put(t, " of ");
	wicket_put_number(t, whose(seat));
	wicket_put(t, seat & LEFT ? " left" : seat & KEPT ? " kept" : "");
	wicket_put(t, " guests=");
	wicket_put_number(t, (int64_t)(word >> GUESTS_SEQ_SHIFT));
	wicket_put(t, word & GUESTS_OPEN ? " open " : " closed ");
	wicket_put_number(t, guests_count(word));
	for (uint32_t seq = 1; seq <= 2; seq++) {
		wicket_put(t, seq == 1 ? " locks=" : ",");
		wicket_put_number(t, (int64_t)regs[LOCKS].w[seq]);
	}
}

const struct wicket_algo wicket_guests = {
	.name = "guests",
	.title = "Guests in a Slot",
	.source = "ours; doc/protocol.md",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_STARVATION_FREEDOM,
	.own_table = 1,
	.heavy = 2,
	.refuse = refuse,
	.registers = registers,
	.reg = reg,
	.start = start,
	.region = region,
	.access = access,
	.step = step,
	.event = event,
	.holds = holds,
	.show_step = show_step,
	.show = show,
};
