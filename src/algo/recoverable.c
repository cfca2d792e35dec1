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
 *          k - (tickets out) - (slots closed) ahead of ISSUE.
 * R4       a line that was removed has no tickets out.
 * R5       nobody loses its seat, or is marked dead in it, who lives and has not
 *          given up.
 * R6       no death is forgotten: a seat that is taken is marked, or its owner is
 *          there, or a look shows that it is not.
 * R7       a ticket that was given up is not the last one, where nobody has died
 *          and nobody is in the middle of an operation: then it was taken back.
 * R8       no two have the same ticket, but while an exchange is written down.
 * R9       while more slots are closed than shall be, somebody is there to open
 *          them: a seat is OPENING, or goes on.
 * R10      of the tickets that became valid after slots were to be closed, no more
 *          are inside than slots shall be open: none, if none.
 * R11      a slot is parked iff it is closed, but for the operation in W's tag.
 * FIFO     as colored: the ticket decides, and it is taken by one CAS.
 * Crash    known to the kernel alone: the bell rings, later the life ends; of
 *          some (variant silent) only the life.  The bell that rings is that
 *          of the seat in which the dying was, whoever is there by now: all
 *          processes have the same thread number here.  Whoever finds a death
 *          sets D in the seat and drives the seat's operation to its end; any
 *          number of helpers, themselves dying, do so exactly once.
 *
 * Steps    one function per operation of doc/protocol.md, in its order.  In
 *          recoverable/ are their names (pc.h), variants, mutants and
 *          invariants (lists.h), the registers (layout.h), what a process
 *          remembers (process.h), what comes after a step (next.h, watch.h),
 *          R1 to R11 (invariants.h, region.h) and texts (show.h).
 *
 * Loops over seats and slots that only look may look elsewhere first, or skip
 * seats nobody ever sat in: a look that finds nothing changes nothing.
 *
 * Numbers that no process looks at are carried along for R2 and R3: the third
 * word of W counts tickets issued and validated, that of SLOT and SEAT is the
 * number of their ticket.
 */
#include "algo/recoverable/invariants.h"
#include "algo/recoverable/next.h"
#include "algo/recoverable/show.h"

/* One access: what was met in the register, and what is left there. */
struct meeting {
	struct wicket_value seen, put;
	int met;       /* by a CAS: is it what was expected? */
	uint32_t wake; /* one of those asleep on this register; 0: nobody */
};

/* The seat that was read. */
static struct line_seat met_seat(const struct meeting *m)
{
	return (struct line_seat){ m->seen.w[0], m->seen.w[1], m->seen.w[3] };
}

/* The numbers carried along are not compared. */
static struct wicket_access cas(uint32_t r, uint8_t words,
				struct wicket_value expect)
{
	return (struct wicket_access){ .kind = WICKET_CAS,
				       .order = WICKET_LOCKED,
				       .words = words,
				       .reg = r,
				       .expect = expect };
}

/* By a locked instruction, or by the kernel. */
static struct wicket_access rewrite(uint32_t r)
{
	return (struct wicket_access){ .kind = WICKET_RMW,
				       .order = WICKET_LOCKED,
				       .reg = r };
}

static struct wicket_access load(uint32_t r)
{
	return (struct wicket_access){ .kind = WICKET_LOAD,
				       .order = WICKET_ACQUIRE,
				       .reg = r };
}

/* What only the kernel can tell, or do: a system call. */
static struct wicket_access ask_kernel(uint32_t r)
{
	struct wicket_access a = load(r);

	a.order = WICKET_SEQ_CST;
	return a;
}

static struct wicket_access store(uint32_t r, enum wicket_order order,
				  uint8_t part)
{
	return (struct wicket_access){ .kind = WICKET_STORE,
				       .order = (uint8_t)order,
				       .part = part,
				       .reg = r };
}

/* The halves of W: T, and S with the numbers carried along. */
static struct wicket_access load_t(void)
{
	struct wicket_access a = load(0);

	a.part = 1 << 0;
	return a;
}

static struct wicket_access load_s(void)
{
	struct wicket_access a = load(0);

	a.part = 1 << 1 | 1 << 2;
	return a;
}

/* One word of the own seat is stored. */
static struct wicket_access store_state(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	return store(seat_reg(c, p.local[ME] - 1), WICKET_RELEASE, STATE_WORD);
}

static struct wicket_access store_payload(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	return store(seat_reg(c, p.local[ME] - 1), WICKET_RELEASE,
		     PAYLOAD_WORD | NUMBER_WORD);
}

static struct wicket_access store_range(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	return store(seat_reg(c, p.local[ME] - 1), WICKET_RELEASE, RANGE_WORD);
}

/* libc unlocks a mutex by an xchg, and calls the kernel if somebody is to be
   woken. */
static struct wicket_access store_bell(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	return store(bell_reg(c, p.local[ME] - 1),
		     c->variant == TORN ? WICKET_RELEASE : WICKET_SEQ_CST, 0);
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

/* The next S, made by the operation of this seat. */
static struct wicket_value next_w(struct wicket_proc p, uint64_t state,
				  uint64_t seat, uint64_t number)
{
	return (struct wicket_value){ { line_tag(state, (uint32_t)seat),
					p.local[NEXT_S], number } };
}

/* What the third word counts after a release, or an opening: VALID has moved, unless a
   slot was closed. */
static uint64_t count_validated(uint64_t from, uint64_t to, uint64_t count)
{
	return count +
	       (line_closed(to) > line_closed(from) ? 0 : ONE_VALIDATED);
}

/* The own bell is nobody's; it wakes as the unlocking of any mutex does. */
static void unlock_bell(const struct wicket_cfg *c, struct wicket_proc p,
			struct meeting *m)
{
	m->put = wicket_number(LINE_NOBODY);
	if (c->variant != TORN)
		m->wake = bell_reg(c, p.local[ME] - 1);
}

/* --- open, join ----------------------------------------------------------- */

static struct wicket_access join_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	uint64_t at = p.local[AT];

	switch (p.pc) {
	case JOIN_LIFE:
		return rewrite(life_reg(c));
	case JOIN_SEAT:
		return load(seat_reg(c, at));
	case JOIN_CLAIM:
		return cas(seat_reg(c, at), 2, seen_seat_value(p));
	case JOIN_BELL:
		return rewrite(bell_reg(c, at));
	case JOIN_UNLOCK:
		return store_bell(c, p);
	default: /* JOIN_SIT */
		return store_state(c, p);
	}
}

static struct wicket_proc join_claim(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	if (!m->met) {
		p.pc = JOIN_UNLOCK;
		return c->mutant == BELL_FIRST ? p : join_on(c, p);
	}
	m->put = seat_value(line_claim(seen_seat(p), life_of(c, p)), 0);
	p.local[ME] = p.local[AT] + 1;
	p.local[SEQ] = line_seq(m->put.w[0]);
	p = forget(p, C0, CG);
	p.pc = c->mutant == LIFE_LATE  ? JOIN_LIFE :
	       c->mutant == BELL_FIRST ? JOIN_SIT :
					 JOIN_BELL;
	return p;
}

/* Whatever it says is of the owner before. */
static struct wicket_proc join_bell(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	if (c->mutant == BELL_FIRST) {
		if (m->seen.w[0] == LINE_ALIVE)
			return join_on(c, p);
		p.local[ME] = p.local[AT] + 1;
	}
	m->put = wicket_number(LINE_ALIVE);
	p.pc = c->mutant == BELL_FIRST ? JOIN_CLAIM : JOIN_SIT;
	return p;
}

static struct wicket_proc join_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case JOIN_LIFE:
		if (c->mutant != LIFE_LATE || p.local[ME])
			m->put = with_life(m->seen, life_of(c, p));
		p.pc = p.local[ME] ? JOIN_BELL : JOIN_SEAT;
		return p;
	case JOIN_SEAT:
		p = with_seat(p, m->seen);
		p.pc = c->mutant == BELL_FIRST ? JOIN_BELL : JOIN_CLAIM;
		return line_phase(m->seen.w[0]) == LINE_FREE ? p :
							       join_on(c, p);
	case JOIN_CLAIM: /* FREE(s) -> JOINING(s+1, life) */
		return join_claim(c, p, m);
	case JOIN_BELL:
		return join_bell(c, p, m);
	case JOIN_UNLOCK:
		m->put = wicket_number(LINE_NOBODY);
		return join_on(c, p);
	default: /* JOIN_SIT: JOINING(s) -> IDLE(s) */
		m->put = own_phase(p, LINE_IDLE);
		p = forget(p, WT, RET);
		p.pc = first_step(c, p);
		return p;
	}
}

/* --- take, try ------------------------------------------------------------ */

static struct wicket_access take_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	return p.pc == TAKE_W	   ? cas(0, 2, seen_w(p)) :
	       p.pc == TAKE_RANGE  ? store_range(c, p) :
	       p.pc == TAKE_TICKET ? store_payload(c, p) :
				     store_state(c, p);
}

static struct wicket_proc take_w(const struct wicket_cfg *c,
				 struct wicket_proc p, struct meeting *m)
{
	if (!m->met)
		return other_w(c, p, m->seen);
	m->put = next_w(p, own_state(p, LINE_TAKING), p.local[ME] - 1,
			m->seen.w[2] + units_inside(c, p) * ONE_ISSUED);
	p.local[TICKET] = issued(m->put.w[2]) << 32 |
			  line_issue(p.local[NEXT_S]);
	p.local[LAST] = p.local[NEXT_S];
	if (units_left(p))
		p = with_range(p,
			       line_range(m->seen.w[1], m->put.w[1], block(c)));
	if (c->mutant == SETTLE_LATE)
		return settle(c, p, AFTER_LATE);
	p = forget(p, WT, RET);
	p.local[WS] = m->put.w[1];
	p.pc = c->mutant == HAVE_FIRST			? TAKE_HAVE :
	       c->mutant == RANGE_LATE && units_left(p) ? TAKE_RANGE :
							  TAKE_TICKET;
	return p;
}

/* Before the CAS on W: who settles it, or finds its owner dead, reads it. */
static struct wicket_proc take_range(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	int late = c->mutant == RANGE_LATE;

	m->put.w[3] = late ? own_range(p) :
			     line_range(p.local[WS], p.local[NEXT_S], block(c));
	p.pc = late ? TAKE_TICKET : TAKE_W;
	return p;
}

/* The ticket with which it goes in: of several the last. */
static uint32_t awaited(const struct wicket_cfg *c, struct wicket_proc p)
{
	return c->mutant == UNITS_FIRST ? next_given(c, p) :
					  (uint32_t)p.local[TICKET];
}

/* The ticket is in the seat, and HAVE is. */
static struct wicket_proc taken(const struct wicket_cfg *c,
				struct wicket_proc p)
{
	if (line_is_valid(p.local[WS], awaited(c, p)) &&
	    c->mutant != SETTLE_LATE)
		return find(p);
	p = forget(p, LAST, RET);
	p.pc = WAIT_SPIN;
	return p;
}

static struct wicket_proc take_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case TAKE_SEAT: /* IDLE(s) -> TAKING(s+1) */
		p = guess_w(c, p, AFTER_TAKE);
		m->put = own_phase(p, LINE_TAKING);
		return p;
	case TAKE_RANGE:
		return take_range(c, p, m);
	case TAKE_W: /* (i,v) -> (next i,v), tagged */
		return take_w(c, p, m);
	case TAKE_TICKET: /* TAKING(s) -> TAKING(s, t) */
		m->put = own_payload(c, p, 0);
		if (c->mutant == HAVE_FIRST)
			return taken(c, p);
		p.pc = TAKE_HAVE;
		return p;
	case TAKE_HAVE: /* -> HAVE(s, t), or somebody has done it already */
		m->put = own_phase(p, LINE_HAVE);
		if (c->mutant != HAVE_FIRST)
			return taken(c, p);
		p.pc = TAKE_TICKET;
		return p;
	default: /* TAKE_BACK: TAKING(s) -> IDLE(s), nothing was begun */
		p = with_several(p, 0);
		m->put = own_phase(p, LINE_IDLE);
		return next_lap(c, p);
	}
}

/* --- readW, and the colours in use ----------------------------------------- */

static struct wicket_access read_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	(void)c;
	return p.pc == COLOURS ? load(slot_reg(p.local[I])) :
	       p.pc == READ_T  ? load_t() :
				 load_s();
}

static struct wicket_proc read_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case READ_T:
		p.local[WT] = m->seen.w[0];
		p.pc = READ_S;
		return p;
	case READ_S:
		p.local[WS] = m->seen.w[1];
		p.local[WG] = m->seen.w[2];
		return have_w(c, p);
	default: /* COLOURS */
		line_use_colour(&p.local[COLOUR_SET],
				line_slot_ticket(m->seen.w[0]));
		if (++p.local[I] < c->k)
			return p;
		return put_pointers(c, p,
				    line_new_colour(&p.local[COLOUR_SET]));
	}
}

/* --- settle --------------------------------------------------------------- */

static struct wicket_access settle_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	uint64_t at = p.local[I];
	uint32_t slot1 = line_payload_slot(p.local[C1]);
	uint32_t slot = slot1 ? slot1 - 1 : 0; /* 0: mutant slot-late */
	uint32_t seat = seat_reg(c, line_tag_seat(p.local[WT]));

	switch (p.pc) {
	case SETTLE_SEAT:
		return load(seat);
	case SETTLE_FIND:
		return load(seat_reg(c, at));
	case SETTLE_MOVE: /* its owner may have died meanwhile */
		return cas(seat_reg(c, at), 2, seat_value(found_seat(p), 0));
	case SETTLE_SLOT:
		return load(slot_reg(slot));
	case SETTLE_STILL:
	case SETTLE_LOOK:
		return load_t();
	case SETTLE_PUT:
		return cas(slot_reg(slot), 1, wicket_number(p.local[ENTRY]));
	default: /* SETTLE_HAVE, SETTLE_DONE */
		return cas(seat, 2, seen_seat_value(p));
	}
}

/* It is written down; or the seat has changed, and is read again. */
static struct wicket_proc settle_end(const struct wicket_cfg *c,
				     struct wicket_proc p, int met)
{
	p = forget(p, C0, CG);
	p.pc = SETTLE_SEAT;
	return met ? settled(c, p) : p;
}

/* Its result is ignored: if it fails, somebody did it. */
static struct wicket_proc settle_put(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	if (m->met) {
		m->put.w[0] = stamped(c, line_slot_settled(m->seen.w[0],
							   seen_seat(p),
							   p.local[WS]));
		if (!line_slot_parked(m->put.w[0]))
			m->put.w[1] = validated(p.local[WG]);
	}
	p.local[ENTRY] = 0;
	p.pc = SETTLE_DONE;
	if (c->mutant == PHASE_FIRST || c->mutant == NO_RELEASED)
		return settled(c, p);
	return p;
}

/* What the seat that W's tag names is at last, but for a take. */
static struct wicket_value settled_seat(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	struct line_seat s = seen_seat(p);

	switch (line_settle(p.local[WT], p.local[WS], s)) {
	case LINE_SETTLE_RETRACT:
		return seat_value(line_retracted(s), 0);
	case LINE_SETTLE_EXCHANGE:
		return seat_value(line_moved_back(s, p.local[WS], block(c)),
				  p.local[CG] + 1);
	default:
		return seat_value(line_given_back(s, p.local[WS]),
				  line_units(s.state) ? p.local[CG] :
							validated(p.local[WG]));
	}
}

/* The seat that had the other ticket of an exchange; or it has changed. */
static struct wicket_proc settle_move(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	if (m->met)
		m->put =
			seat_value(line_moved(found_seat(p),
					      line_payload_ticket(p.local[C1])),
				   p.local[CG]);
	p.local[FOUND_STATE] = p.local[FOUND_PAYLOAD] = 0;
	p.pc = SETTLE_FIND;
	if (!m->met)
		return p;
	p.local[I] = 0;
	p.pc = SETTLE_DONE;
	return c->mutant == EXCHANGE_FIRST ? settled(c, p) : p;
}

static struct wicket_proc settle_done(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	if (m->met)
		m->put = settled_seat(c, p);
	if (m->met && c->mutant == EXCHANGE_FIRST &&
	    line_settle(p.local[WT], p.local[WS], seen_seat(p)) ==
		    LINE_SETTLE_EXCHANGE) {
		p.pc = SETTLE_FIND;
		return p;
	}
	p.local[ENTRY] = 0;
	if (m->met && c->mutant == PHASE_FIRST) {
		p.pc = SETTLE_SLOT;
		return p;
	}
	return settle_end(c, p, m->met);
}

static struct wicket_proc settle_step(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case SETTLE_SEAT:
		return settle_seat(c, with_seat(p, m->seen));
	case SETTLE_HAVE: /* TAKING(s) -> HAVE(s, t) */
		if (m->met)
			m->put = seat_value(
				line_taken(seen_seat(p), p.local[WS]),
				issued(p.local[WG]));
		return settle_end(c, p, m->met);
	case SETTLE_FIND:
		return settle_found(c, p, met_seat(m));
	case SETTLE_STILL: /* as SETTLE_LOOK: it is the one that exchanged */
		p.pc = SETTLE_MOVE;
		return m->seen.w[0] == p.local[WT] ? p : settled(c, p);
	case SETTLE_MOVE: /* HAVE(r, u) -> HAVE(r, t) */
		return settle_move(c, p, m);
	case SETTLE_SLOT:
		p.local[ENTRY] = m->seen.w[0];
		return settle_slot(c, p);
	case SETTLE_LOOK: /* whoever changed W has settled this */
		p.pc = SETTLE_PUT;
		return m->seen.w[0] == p.local[WT] ? p : settled(c, p);
	case SETTLE_PUT: /* (t, stamp) -> (u, stamp+1), or parked */
		return settle_put(c, p, m);
	default: /* SETTLE_DONE: RELEASING(s, t) -> RELEASED(s, u), OPENING too; or
		    HAVE(s, t, D) -> FREE(s+1), or HAVE(s+1, u, D) */
		return settle_done(c, p, m);
	}
}

/* --- find ----------------------------------------------------------------- */

static struct wicket_access enter_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	return p.pc == FIND ? load(slot_reg(p.local[I])) : store_payload(c, p);
}

static struct wicket_proc find_slot(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t entry)
{
	if (line_slot_ticket(entry) != (uint32_t)p.local[TICKET])
		return ++p.local[I] < c->k ? p : read_w(c, p, AFTER_FIND);
	p.local[SLOT] = p.local[I];
	p = forget(p, WT, RET);
	p.local[MINE] = entry;
	p.pc = c->mutant == SLOT_LATE ? HOLD : FOUND;
	return p;
}

static uint32_t size_of(uint32_t set)
{
	uint32_t size = 0;

	for (; set; set &= set - 1)
		size++;
	return size;
}

/* Of several tickets: are all of them in slots? */
static struct wicket_proc find_slots(const struct wicket_cfg *c,
				     struct wicket_proc p, uint64_t entry)
{
	uint32_t ticket = line_slot_ticket(entry), left = units_left(p), held;

	if (line_range_place(own_range(p), left, ticket, block(c)))
		p.local[LAP] |= (uint64_t)1 << p.local[I]
					    << (SEVERAL_SHIFT + HELD_SHIFT);
	if (ticket == next_given(c, p))
		p.local[SLOT] = p.local[I];
	if (++p.local[I] < c->k)
		return p;
	held = slots_held(p);
	if (size_of(held) == left || (held && c->mutant == UNITS_FIRST)) {
		p = forget(p, WT, RET);
		p.pc = FOUND;
		return p;
	}
	p.local[SLOT] = 0;
	p.local[LAP] ^= (uint64_t)held << (SEVERAL_SHIFT + HELD_SHIFT);
	return read_w(c, p, AFTER_FIND);
}

static struct wicket_proc enter_step(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	if (p.pc == FIND)
		return units_left(p) ? find_slots(c, p, m->seen.w[0]) :
				       find_slot(c, p, m->seen.w[0]);
	/* FOUND: HAVE(s, t) -> HAVE(s, t, slot) */
	m->put = own_payload(c, p, 1 + (uint32_t)p.local[SLOT]);
	if (c->mutant == SLOT_LATE) { /* it is RELEASING already */
		p.local[TICKET] = 0;
		p.pc = p.local[NEXT_S] ? RELEASE_W : READ_T;
		return p;
	}
	if (line_is_closing(p.local[LAST]) && c->mutant != VACANT_ENTERS)
		return to_return(p); /* it was valid at once, but is to go */
	p = go_in(p);
	if (c->variant == KEPT)
		p.pc = KEEP_LOCK;
	/* who has waited, and so was told of what is ahead of it */
	if (is_watched(c) && !p.local[LAST] && c->mutant != NOT_TOLD)
		p.pc = TELL_W;
	return p;
}

/* --- keep ----------------------------------------------------------------- */

static struct wicket_access keep_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	return p.pc == KEEP_MARK ? store_payload(c, p) :
				   rewrite(keep_reg(c, p.local[ME] - 1));
}

static struct wicket_proc keep_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	/* what earlier commands left running does not matter */
	if (p.pc == KEEP_LOCK) {
		m->put = wicket_number(p.local[SEQ]);
		m->put.w[1] = c->mutant == KEEP_UNTIED && m->seen.w[0];
		p.pc = KEEP_MARK;
		return p;
	}
	/* KEEP_MARK: HAVE(s, t, slot) -> HAVE(s, t, slot, kept) */
	m->put = own_payload(c, p, 1 + (uint32_t)p.local[SLOT]);
	m->put.w[1] = line_keep(m->put.w[1]);
	p.local[HAS_COMMAND] = 1; /* from now on the command may run */
	return go_in(p);
}

/* --- wait ----------------------------------------------------------------- */

static struct wicket_access wait_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	uint32_t fut = fut_reg(c, p.local[ME] - 1);

	switch (p.pc) {
	case WAIT_ARM:
		return store(fut,
			     c->mutant == ARM_PLAIN ? WICKET_RELEASE :
						      WICKET_SEQ_CST,
			     0);
	case WAIT_SLEEP:
		return (struct wicket_access){
			.kind = WICKET_SLEEP,
			.words = 1,
			.reg = fut,
			.expect = wicket_number(armed(c, p.local[SEQ])),
			.watch = p.local[WATCHES],
			.alive = LINE_ALIVE,
		};
	default: /* WAIT_SPIN, WAIT_LOOK */
		return load_s();
	}
}

/* Who has slept in vain looks after the dead. */
static struct wicket_proc wait_look(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t s)
{
	if (line_is_valid(s, awaited(c, p)))
		return find(p);
	if (is_watched(c))
		p.local[LOOKED] = s;
	if (is_watched(c) || p.local[SLEPT])
		return scan(c, p, SCAN_WAIT);
	p.pc = WAIT_SLEEP;
	return p;
}

static struct wicket_proc wait_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case WAIT_SPIN: /* for as long as it likes: it changes nothing */
		if (line_is_valid(m->seen.w[1], awaited(c, p)))
			return find(p);
		p.pc = WAIT_ARM;
		return p;
	case WAIT_ARM:
		m->put = wicket_number(armed(c, p.local[SEQ]));
		p.pc = WAIT_LOOK;
		return p;
	case WAIT_LOOK:
		return wait_look(c, p, m->seen.w[1]);
	default: /* WAIT_SLEEP */
		p.local[WATCHES] = 0;
		p.local[SLEPT] = !is_watched(c);
		p.pc = WAIT_ARM;
		return p;
	}
}

/* --- scan: who has died? --------------------------------------------------- */

static struct wicket_access scan_access(const struct wicket_cfg *c,
					struct wicket_proc p)
{
	uint64_t at = p.local[AT];

	switch (p.pc) {
	case SCAN_SEAT:
		return load(seat_reg(c, at));
	case SCAN_BELL:
		return load(bell_reg(c, at));
	case SCAN_LIFE:
		return ask_kernel(life_reg(c));
	case SCAN_KEEP:
		return ask_kernel(keep_reg(c, at));
	default: /* SCAN_MARK: both words, it may be kept by now */
		return cas(seat_reg(c, at), c->mutant == MARK_STATE ? 1 : 2,
			   seen_seat_value(p));
	}
}

static struct wicket_proc scan_seat(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t state)
{
	if (line_phase(state) == LINE_FREE) {
		p.local[AT]++;
		return scan_on(c, p);
	}
	if (line_dead(state))
		return drive(c, p, p.local[AT], line_seq(state), DRIVE_SCAN);
	if ((p.local[RET] & SCAN_BITS) >= SCAN_LEFT) {
		p.local[AT]++;
		return scan_on(c, p);
	}
	p.pc = SCAN_BELL;
	return p;
}

/* Of the owner that the seat had when it was read. */
static struct wicket_proc scan_bell(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t bell)
{
	int told = line_is_told(seen_seat(p), (enum line_bell)bell) ||
		   (c->mutant == BELL_TRUSTED && bell == LINE_DIED);

	if (is_watched(c))
		p.local[BELL_SEEN] = bell;
	if (told)
		return scan_kept(c, p);
	p.pc = SCAN_LIFE;
	return c->mutant == BELL_ONLY ? scan_alive(c, p) : p;
}

/* If it has changed, its owner may have died since. */
static struct wicket_proc scan_mark(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	if (m->met)
		m->put.w[0] = line_mark(m->seen.w[0]);
	if (!m->met && c->mutant != MARK_ONCE)
		return scan_on(c, p);
	return drive(c, p, p.local[AT], line_seq(p.local[C0]), DRIVE_SCAN);
}

static struct wicket_proc scan_step(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case SCAN_SEAT:
		return scan_seat(c, with_seat(p, m->seen), m->seen.w[0]);
	case SCAN_BELL:
		return scan_bell(c, p, m->seen.w[0]);
	case SCAN_LIFE:
		return is_alive(m->seen, line_life(p.local[C1])) ?
			       scan_alive(c, p) :
			       scan_kept(c, p);
	case SCAN_KEEP: /* as long as the command runs */
		if (m->seen.w[0] == line_seq(p.local[C0]) || m->seen.w[1])
			return scan_alive(c, p);
		p.pc = SCAN_MARK;
		return p;
	default: /* SCAN_MARK: (s) -> (s, D) */
		return scan_mark(c, p, m);
	}
}

/* --- release, by the owner ------------------------------------------------- */

/* Does it stay inside for ever? */
static int stays(const struct wicket_cfg *c, struct wicket_proc p)
{
	return (c->variant == INSIDE && c->k > 1 && p.self == c->k + 1) ||
	       (c->variant == QUEUED && p.local[STAYS]);
}

static struct wicket_access release_access(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	switch (p.pc) {
	case RELEASE_FIND:
		return stays(c, p) ? wicket_ask(WICKET_REST, 0) :
				     load(slot_reg(p.local[I]));
	case RELEASE_UNIT:
		return store_payload(c, p);
	case HOLD:
		return stays(c, p) && c->variant == INSIDE ?
			       wicket_ask(WICKET_REST, 0) :
			       store_state(c, p);
	case RETURN:
		return store_state(c, p);
	case RELEASE_W:
		return cas(0, 2, seen_w(p));
	case RELEASE_SLOT:
		return cas(slot_reg(slot_of(p)), 1,
			   wicket_number(p.local[MINE]));
	default: /* RELEASE_END */
		return store_state(c, p);
	}
}

static struct wicket_proc release_w(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	int back = line_issue(p.local[NEXT_S]) != line_issue(m->seen.w[1]);

	if (!m->met)
		return other_w(c, p, m->seen);
	m->put = next_w(p, own_state(p, LINE_RELEASING), p.local[ME] - 1,
			back ? m->seen.w[2] - ONE_ISSUED :
			       count_validated(m->seen.w[1], p.local[NEXT_S],
					       m->seen.w[2]));
	p.local[WG] = m->put.w[2];
	p.local[LAST] = p.local[NEXT_S];
	if (back)
		return release_end(slot_given_back(p));
	p.pc = RELEASE_SLOT;
	return p;
}

/* If it fails, somebody did it. */
static struct wicket_proc release_slot(const struct wicket_cfg *c,
				       struct wicket_proc p, struct meeting *m)
{
	uint64_t s = p.local[NEXT_S];

	if (m->met) {
		m->put.w[0] = stamped(c,
				      line_slot_released(m->seen.w[0], s, 0));
		if (!line_has_moved(s))
			m->put.w[1] = validated(p.local[WG]);
	}
	p = slot_given_back(p);
	return !line_has_moved(s) && line_has_heir(s) &&
			       c->mutant != WAKE_EARLY ?
		       seek_heir(p) :
		       release_end(p);
}

/* The slot of that one of several which is given back next: SLOT has its ticket. */
static struct wicket_proc release_find(const struct wicket_cfg *c,
				       struct wicket_proc p, uint64_t entry)
{
	if (line_slot_ticket(entry) != next_given(c, p)) {
		p.local[I] = (p.local[I] + 1) % c->k;
		return p;
	}
	p.local[SLOT] = p.local[I] | (p.local[SLOT] & RETURNING);
	p.local[MINE] = entry;
	p.local[I] = 0;
	/* where it found the first one, it has said so */
	p.pc = is_giving(p) ? RELEASE_UNIT : is_returning(p) ? RETURN : HOLD;
	return p;
}

/* HAVE(s) -> RELEASING(s+1) */
static struct wicket_proc hold(const struct wicket_cfg *c, struct wicket_proc p,
			       struct meeting *m)
{
	p = guess_w(c, p, AFTER_RELEASE);
	if (units_left(p))
		p.local[LAP] = (p.local[LAP] |
				(uint64_t)1 << (SEVERAL_SHIFT + GIVING_BIT)) &
			       ~((uint64_t)1 << slot_of(p)
					     << (SEVERAL_SHIFT + HELD_SHIFT));
	m->put = own_phase(p, LINE_RELEASING);
	p.local[SLOT] |= EXITING;
	if (c->mutant == SLOT_LATE)
		p.pc = FOUND;
	else if (!units_left(p))
		p.local[TICKET] = 0;
	return p;
}

/* RELEASING(s) or RELEASED(s) -> IDLE(s), or HAVE(s) of what is left of several */
static struct wicket_proc end_release(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	uint32_t left = units_left(p);

	if (left > 1) {
		p.local[LAP] -= (uint64_t)1 << SEVERAL_SHIFT;
		m->put = own_phase(p, LINE_HAVE);
	} else {
		p = with_several(p, 0);
		m->put = own_phase(p, LINE_IDLE);
	}
	return released(c, with_ret(p, DRIVE_BITS, DRIVE_HEIR), 0);
}

static struct wicket_proc release_step(const struct wicket_cfg *c,
				       struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case RELEASE_FIND:
		return release_find(c, p, m->seen.w[0]);
	case RELEASE_UNIT: /* HAVE(s) -> HAVE(s, t, slot) */
		m->put = own_payload(c, p, 1 + (uint32_t)slot_of(p));
		p.pc = is_returning(p) ? RETURN : HOLD;
		return p;
	case RETURN:
		p.local[SLOT] |= RETURNING;
		/* fall through */
	case HOLD:
		return hold(c, p, m);
	case RELEASE_W: /* (i,v) -> (i,next v), or (i before,v), or one slot
			   more is closed, tagged */
		return release_w(c, p, m);
	case RELEASE_SLOT: /* (t, stamp) -> (u, stamp+1), or parked */
		return release_slot(c, p, m);
	default: /* RELEASE_END */
		return end_release(c, p, m);
	}
}

/* --- resize: as many slots shall be closed ---------------------------------- */

static struct wicket_access resize_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	switch (p.pc) {
	case OPEN_AIM:
	case OPEN_W:
		return cas(0, 2, seen_w(p));
	case OPEN_FIND:
		return load(slot_reg(p.local[I]));
	case OPEN_SLOT:
		return store_payload(c, p);
	case OPEN_LOOK:
		return load(slot_reg(slot_of(p)));
	case OPEN_PUT:
		return cas(slot_reg(slot_of(p)), 1,
			   wicket_number(p.local[MINE]));
	default: /* OPEN_SEAT, OPEN_NEXT, OPEN_END */
		return store_state(c, p);
	}
}

static struct wicket_proc open_aim(const struct wicket_cfg *c,
				   struct wicket_proc p, struct meeting *m)
{
	uint64_t count = m->seen.w[2];
	uint64_t last = issued(count) < validated(count) ? issued(count) :
							   validated(count);

	if (!m->met)
		return other_w(c, p, m->seen);
	if (line_aim(p.local[NEXT_S]) > line_aim(m->seen.w[1]))
		count = (count & ~(uint64_t)0xffff0000) | last << 16;
	m->put = next_w(p, own_state(p, LINE_OPENING), p.local[ME] - 1, count);
	p.local[WT] = m->put.w[0];
	p.local[WS] = m->put.w[1];
	p.local[AIM] = p.local[NEXT_S] = 0;
	return open_next(c, with_ret(p, SETTLE_BITS, AFTER_OPEN));
}

static struct wicket_proc open_find(const struct wicket_cfg *c,
				    struct wicket_proc p, uint64_t entry)
{
	if (!line_slot_parked(entry))
		return ++p.local[I] < c->k ? p : read_w(c, p, AFTER_OPEN);
	p.local[SLOT] = EXITING | p.local[I];
	p.local[MINE] = entry;
	p.local[I] = 0;
	p.pc = OPEN_SLOT;
	return p;
}

static struct wicket_proc open_w(const struct wicket_cfg *c,
				 struct wicket_proc p, struct meeting *m)
{
	if (!m->met)
		return other_w(c, p, m->seen);
	m->put = next_w(p, own_state(p, LINE_OPENING), p.local[ME] - 1,
			m->seen.w[2] + ONE_VALIDATED);
	p.local[WG] = m->put.w[2];
	p.pc = OPEN_PUT;
	return p;
}

/* If it fails, somebody did it. */
static struct wicket_proc open_put(const struct wicket_cfg *c,
				   struct wicket_proc p, struct meeting *m)
{
	uint64_t s = p.local[NEXT_S];

	if (m->met) {
		m->put.w[0] = stamped(c, line_slot_opened(m->seen.w[0], s));
		m->put.w[1] = validated(p.local[WG]);
	}
	p = open_none(p);
	return line_has_heir(s) && c->mutant != OPENED_ASLEEP ?
		       seek_heir(p) :
		       read_w(c, p, AFTER_OPEN);
}

static struct wicket_proc resize_step(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	uint64_t payload;

	switch (p.pc) {
	case OPEN_SEAT: /* IDLE(s) -> OPENING(s+1) */
		p.local[SEQ]++;
		p.local[LAST] = 0;
		p.local[SLOT] = EXITING;
		if (resizes(c, p))
			p.local[AIM] = aim_of(c, p);
		m->put = own_phase(p, LINE_OPENING);
		return read_w(c, p, AFTER_AIM);
	case OPEN_AIM: /* so many shall be closed, tagged */
		return open_aim(c, p, m);
	case OPEN_NEXT: /* OPENING(s) -> OPENING(s+1) */
		p.local[SEQ]++;
		m->put = own_phase(p, LINE_OPENING);
		p = forget(p, WT, WG);
		p.pc = OPEN_FIND;
		return p;
	case OPEN_FIND:
		return open_find(c, p, m->seen.w[0]);
	case OPEN_SLOT: /* OPENING(s) -> OPENING(s, t, slot) */
		payload = line_payload(line_slot_ticket(p.local[MINE]),
				       (uint32_t)slot_of(p) + 1, 0);
		m->put.w[1] = line_of_life(life_of(c, p)) | payload;
		m->put.w[2] = 0;
		return read_w(c, p, AFTER_OPEN);
	case OPEN_LOOK: /* nobody has opened it before W was read */
		return m->seen.w[0] == p.local[MINE] ?
			       advance(c, p) :
			       open_next(c, open_none(p));
	case OPEN_W: /* (i,v) -> (i,next v), one slot less is closed, tagged */
		return open_w(c, p, m);
	case OPEN_PUT: /* (t, stamp, parked) -> (u, stamp+1) */
		return open_put(c, p, m);
	default: /* OPEN_END: OPENING(s) or RELEASED(s) -> IDLE(s) */
		m->put = own_phase(p, LINE_IDLE);
		return next_lap(c, p);
	}
}

/* --- drive: bring a dead seat's operation to its end ------------------------- */

static struct wicket_access drive_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint32_t seat = seat_reg(c, driven_seat(p));

	switch (p.pc) {
	case DRIVE_SEAT:
		return load(seat);
	case DRIVE_FIND:
	case DRIVE_PARKED:
		return load(slot_reg(p.local[I]));
	case DRIVE_LOOK:
		return load(slot_reg(line_payload_slot(to_open(p)) - 1));
	case DRIVE_W:
		return cas(0, 2, seen_w(p));
	default: /* DRIVE_FREE, DRIVE_GIVE, DRIVE_ON, DRIVE_END */
		return cas(seat, 2, seen_seat_value(p));
	}
}

static struct wicket_proc drive_find(const struct wicket_cfg *c,
				     struct wicket_proc p, uint64_t entry)
{
	if (line_slot_ticket(entry) != driven_ticket(p))
		return ++p.local[I] < c->k ? p : settle(c, p, AFTER_DRIVE);
	p.local[ENTRY] = entry;
	p.pc = DRIVE_GIVE;
	return p;
}

static struct wicket_proc drive_w(const struct wicket_cfg *c,
				  struct wicket_proc p, struct meeting *m)
{
	if (!m->met) {
		p.local[J] = driven_seat(p);
		return read_w(c, p, AFTER_DRIVE);
	}
	m->put = next_w(p, line_state(p.local[D], LINE_FREE), driven_seat(p),
			after(p) == AFTER_DRIVE_OPEN && !to_open(p) ?
				m->seen.w[2] :
				count_validated(m->seen.w[1], p.local[NEXT_S],
						m->seen.w[2]));
	p.local[J] = driven_seat(p);
	if (c->mutant == NO_RELEASED) {
		p.local[RET] |= APPLIED;
		p.local[VALIDATED] = line_valid(p.local[NEXT_S]);
	}
	if (c->mutant != SETTLE_LATE) {
		p.local[WT] = m->put.w[0];
		p.local[WS] = m->put.w[1];
		p.local[WG] = m->put.w[2];
	}
	return settle(c, p, AFTER_DRIVE);
}

/* The slot that is to be opened was read. */
static struct wicket_proc drive_look(const struct wicket_cfg *c,
				     struct wicket_proc p, uint64_t entry)
{
	struct line_seat s = line_cell(line_state(p.local[D], LINE_OPENING),
				       to_open(p));

	if (!line_can_open(p.local[WS], s, entry))
		p.local[J] = driven_seat(p);
	return advance(c, p);
}

static struct wicket_proc drive_parked(const struct wicket_cfg *c,
				       struct wicket_proc p, uint64_t entry)
{
	if (line_slot_parked(entry))
		p.local[ENTRY] = entry;
	else if (++p.local[I] < c->k)
		return p;
	p.pc = DRIVE_ON;
	return p;
}

/* The driven seat was read.  Of several tickets, the first. */
static struct wicket_proc with_driven_seat(const struct wicket_cfg *c,
					   struct wicket_proc p,
					   const struct meeting *m)
{
	p = with_seat(p, m->seen);
	if (line_units(p.local[C0]))
		p.local[FIRST] = line_first(met_seat(m), block(c));
	return p;
}

static struct wicket_proc drive_step(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	struct line_seat s = seen_seat(p);
	int several;

	switch (p.pc) {
	case DRIVE_SEAT:
		p = with_driven_seat(c, p, m);
		p.pc = READ_T;
		return c->mutant == SEAT_FIRST ? p : drive_seat(c, p);
	case DRIVE_FREE: /* IDLE(s, D) or TAKING(s, D) -> FREE(s) */
		if (!m->met)
			return read_w(c, p, AFTER_DRIVE);
		m->put = seat_value(line_end(s), 0);
		return driven(c, p);
	case DRIVE_FIND:
		return drive_find(c, p, m->seen.w[0]);
	case DRIVE_GIVE: /* HAVE(s, t, D) -> RELEASING(s+1, t, slot, D) */
		if (m->met)
			m->put = seat_value(line_give_back(s,
							   (uint32_t)p.local[I],
							   p.local[ENTRY]),
					    p.local[CG]);
		return read_w(c, p, AFTER_DRIVE);
	case DRIVE_W: /* (i,v) -> (i,next v), or as RELEASE_W or OPEN_W, or
			 nothing but tagged */
		return drive_w(c, p, m);
	case DRIVE_LOOK:
		return drive_look(c, p, m->seen.w[0]);
	case DRIVE_PARKED:
		return drive_parked(c, p, m->seen.w[0]);
	case DRIVE_ON: /* RELEASED(s, u, goes on, D) -> OPENING(s+1, t, slot, D) */
		if (m->met)
			m->put = seat_value(
				line_go_on(s, line_slot_ticket(p.local[ENTRY]),
					   p.local[ENTRY] ?
						   (uint32_t)p.local[I] + 1 :
						   0),
				0);
		return read_w(c, p, AFTER_DRIVE);
	default: /* DRIVE_END: RELEASED(s, u, D) -> FREE(s), or HAVE(s, D) */
		if (!m->met)
			return driven(c, p);
		several = line_has_more(s.state) && c->mutant != UNITS_EARLY;
		if (!several)
			s.state &= ~(uint64_t)LINE_UNITS_MASK;
		m->put = seat_value(line_end(s), several ? p.local[CG] : 0);
		return released(c, p, several);
	}
}

/* --- retract: take a ticket back that nobody wants ----------------------------- */

static struct wicket_access retract_access(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	return p.pc == RETRACT_SEAT ? load(seat_reg(c, driven_seat(p))) :
				      cas(0, 2, seen_w(p));
}

/* W is as it was read, so that it is still settled, and the seat as it was read. */
static struct wicket_proc retract_w(const struct wicket_cfg *c,
				    struct wicket_proc p, struct meeting *m)
{
	uint32_t ticket = line_payload_ticket(p.local[C1]);
	uint32_t units = line_left(p.local[C0]);
	int back = p.pc == RETRACT_W;

	if (!m->met)
		return read_w(c, p, AFTER_DRIVE);
	m->put = next_w(p, p.local[C0] + LINE_NEXT, driven_seat(p),
			m->seen.w[2] - (back ? units * ONE_ISSUED : 0));
	if (!back)
		p.local[TICKET] = ((p.local[TICKET] >> 32) - 1) << 32 | ticket;
	p.local[WT] = m->put.w[0];
	p.local[WS] = m->put.w[1];
	p.local[WG] = m->put.w[2];
	return settle(c, p, back ? AFTER_RETRACT : AFTER_DRIVE);
}

static struct wicket_proc retract_step(const struct wicket_cfg *c,
				       struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case RETRACT_SEAT:
		return retract(c, with_driven_seat(c, p, m));
	default: /* RETRACT_W: (i,v) -> (i before,v), tagged; EXCHANGE_W: tagged */
		return retract_w(c, p, m);
	}
}

/* --- wake the heir, tell the first in line ----------------------------------- */

static struct wicket_access wake_heir_access(const struct wicket_cfg *c,
					     struct wicket_proc p)
{
	switch (p.pc) {
	case HEIR:
		return load(seat_reg(c, p.local[I]));
	case WAKE_CLEAR:
		return c->mutant == CLEAR_PLAIN ?
			       load(fut_reg(c, heir_of(p))) :
			       cas(fut_reg(c, heir_of(p)), 1,
				   wicket_number(armed(c, heir_seq(p))));
	case WAKE_STORE:
		return store(fut_reg(c, heir_of(p)), WICKET_RELEASE, 0);
	case WAKE:
		return ask_kernel(fut_reg(c, heir_of(p)));
	default: /* TELL_W */
		return load_s();
	}
}

static int is_its_heir(const struct wicket_cfg *c, struct wicket_proc p,
		       struct line_seat s)
{
	uint32_t ticket = inherited(p);

	if (after(p) == AFTER_RETRACT)
		return line_has_last(s, ticket);
	if (c->mutant == HEIR_BY_FIRST)
		return line_phase(s.state) == LINE_HAVE &&
		       line_first(s, block(c)) == ticket;
	return line_is_heir(s, ticket, block(c));
}

static struct wicket_proc look_for_heir(const struct wicket_cfg *c,
					struct wicket_proc p,
					struct line_seat s)
{
	if (is_its_heir(c, p, s)) {
		p.local[THE_HEIR] = (p.local[I] + 1) |
				    (uint64_t)line_dead(s.state) << 8 |
				    line_seq(s.state) << 16;
		return heir_known(c, p);
	}
	return ++p.local[I] < seats(c) ? p : heir_known(c, p);
}

static struct wicket_proc wake_clear(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	int plain = c->mutant == CLEAR_PLAIN;
	int met = plain ? m->seen.w[0] == armed(c, heir_seq(p)) : m->met;

	if (m->met)
		m->put = wicket_number(0);
	/* the owner may have died between this and the call */
	if (!met && !line_dead(p.local[C0]))
		return heir_told(c, p);
	p.pc = met && plain ? WAKE_STORE : WAKE;
	return p;
}

static struct wicket_proc wake_heir_step(const struct wicket_cfg *c,
					 struct wicket_proc p,
					 struct meeting *m)
{
	switch (p.pc) {
	case HEIR:
		return look_for_heir(c, p, met_seat(m));
	case WAKE_CLEAR: /* armed(s) -> 0 */
		return wake_clear(c, p, m);
	case WAKE_STORE:
		p.pc = WAKE;
		return p;
	case WAKE:
		m->wake = fut_reg(c, heir_of(p));
		return heir_told(c, p);
	default: /* TELL_W: who is the first in line now? */
		p = with_ret(p, SETTLE_BITS, AFTER_TELL);
		p.local[TOLD] = (uint64_t)(uint32_t)p.local[TICKET] << 32 |
				line_issue(m->seen.w[1]);
		return tell(c, p);
	}
}

/* --- abandon -------------------------------------------------------------- */

static struct wicket_access abandon_access(const struct wicket_cfg *c,
					   struct wicket_proc p)
{
	struct wicket_access a = store_state(c, p);

	/* before the look at W by which it is driven: whoever makes the ticket
	   valid looks for D after that, so one of the two sees the other */
	if (c->mutant != MARK_PLAIN)
		a.order = WICKET_SEQ_CST;
	return p.pc == ABANDON_BELL ? store_bell(c, p) : a;
}

static struct wicket_proc abandon_step(const struct wicket_cfg *c,
				       struct wicket_proc p, struct meeting *m)
{
	if (p.pc == ABANDON_BELL) { /* while the seat is still its own */
		unlock_bell(c, p, m);
		p.pc = ABANDON_MARK;
		return p;
	}
	/* ABANDON_MARK: HAVE(s, t) -> HAVE(s, t, D) */
	m->put = wicket_number(line_mark(own_state(p, LINE_HAVE)));
	p = with_several(p, 0);
	p.local[TICKET] = 0;
	p.local[SLOT] = EXITING;
	p = drive(c, p, p.local[ME] - 1, p.local[SEQ], DRIVE_ABANDON);
	p.local[ME] = p.local[SEQ] = 0;
	return p;
}

/* --- leave, close ----------------------------------------------------------- */

static struct wicket_access leave_access(const struct wicket_cfg *c,
					 struct wicket_proc p)
{
	uint32_t seat = seat_reg(c, p.local[ME] - 1);
	struct wicket_access look = load(seat);

	switch (p.pc) {
	case LEAVE_BELL:
		return store_bell(c, p);
	case LEAVE_LOOK:
		look.part = PAYLOAD_WORD;
		return look;
	case LEAVE_SEAT: /* a look at the payload, and a CAS from there, until
			    it succeeds; the looks change nothing */
		return c->mutant == LEAVE_ONCE ?
			       cas(seat, 2, seen_seat_value(p)) :
			       rewrite(seat);
	default: /* LEAVE_LIFE */
		return rewrite(life_reg(c));
	}
}

static struct wicket_proc leave_seat(const struct wicket_cfg *c,
				     struct wicket_proc p)
{
	if (c->mutant == BELL_LAST) {
		p.pc = LEAVE_BELL;
		return p;
	}
	if (c->mutant == LIFE_EARLY)
		return gone(c);
	p.local[ME] = p.local[SEQ] = 0;
	p.pc = LEAVE_LIFE;
	return p;
}

static struct wicket_proc leave_step(const struct wicket_cfg *c,
				     struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case LEAVE_BELL: /* while the seat is still its own */
		unlock_bell(c, p, m);
		p.pc = c->mutant == BELL_LAST  ? LEAVE_LIFE :
		       c->mutant == LEAVE_ONCE ? LEAVE_LOOK :
						 LEAVE_SEAT;
		return p;
	case LEAVE_LOOK:
		p.local[C0] = own_state(p, LINE_IDLE);
		p.local[C1] = m->seen.w[1];
		p.pc = LEAVE_SEAT;
		return p;
	case LEAVE_SEAT: /* IDLE(s) -> FREE(s) */
		if (m->met || c->mutant != LEAVE_ONCE)
			m->put = wicket_number(own_state(p, LINE_FREE));
		return leave_seat(c, forget(p, C0, C1));
	default: /* LEAVE_LIFE */
		m->put = without_life(m->seen, life_of(c, p));
		p.pc = LEAVE_BELL;
		return c->mutant == LIFE_EARLY && p.local[ME] ? p : gone(c);
	}
}

/* --- remove --------------------------------------------------------------- */

static struct wicket_access remove_access(const struct wicket_cfg *c,
					  struct wicket_proc p)
{
	(void)c;
	return cas(0, 2, p.pc == REMOVE_W ? seen_w(p) : removed_w(p));
}

static struct wicket_proc remove_step(const struct wicket_cfg *c,
				      struct wicket_proc p, struct meeting *m)
{
	if (p.pc == RESTORE_W) { /* nobody else changes W meanwhile */
		if (m->met)
			m->put.w[0] = p.local[WT];
		return stop(c, DONE);
	}
	/* REMOVE_W: nobody is there, and nobody comes */
	if (!m->met)
		return other_w(c, p, m->seen);
	m->put.w[0] = LINE_REMOVED;
	p.pc = RESTORE_W;
	return c->variant == RESTORING ? p : stop(c, DONE);
}

/* --- the end of a life: the kernel's steps ------------------------------------ */

static struct wicket_access end_access(const struct wicket_cfg *c,
				       struct wicket_proc p)
{
	uint64_t me = p.local[ME] - 1;

	switch (p.pc) {
	case DIE:
		return p.local[ME] ? rewrite(bell_reg(c, me)) : ask_kernel(0);
	case DIE_LIFE:
		return rewrite(life_reg(c));
	case COMMAND:
		return rewrite(keep_reg(c, me));
	default: /* DONE, DEAD */
		return wicket_ask(WICKET_REST, 0);
	}
}

static struct wicket_proc end_step(const struct wicket_cfg *c,
				   struct wicket_proc p, struct meeting *m)
{
	switch (p.pc) {
	case DIE: /* the thread number is right, whoever sits there */
		if (p.local[ME] && m->seen.w[0] == LINE_ALIVE) {
			m->put = wicket_number(LINE_DIED);
			m->wake = bell_reg(c, p.local[ME] - 1);
		}
		p.pc = p.self ? DIE_LIFE : DEAD;
		return p;
	case DIE_LIFE: /* its memory is torn down, as late as it may be */
		m->put = without_life(m->seen, life_of(c, p));
		p.pc = COMMAND;
		return p.local[HAS_COMMAND] ? p : stop(c, DEAD);
	case COMMAND: /* it ends in its own time, and its lock with it */
		if (m->seen.w[0] == p.local[SEQ])
			m->put.w[0] = 0;
		return stop(c, DEAD);
	default: /* DONE, DEAD */
		return p;
	}
}

/* --- seats by halves, in variant halves ---------------------------------------- */

/* Not where both words are compared with what they are before it changes anything:
   there is no room for the halves then. */
static int is_halved(const struct wicket_cfg *c, uint16_t pc,
		     const struct wicket_access *a)
{
	return c->variant == HALVES && a->kind == WICKET_LOAD && !a->part &&
	       pc != SETTLE_FIND && a->reg >= seat_reg(c, 0) &&
	       a->reg < fut_reg(c, 0);
}

/* The half that comes next. */
static uint8_t half(struct wicket_proc p)
{
	return (p.local[RET] & HAS) == HAS_STATE ? PAYLOAD_WORD | NUMBER_WORD :
						   STATE_WORD;
}

static struct wicket_proc has_read(struct wicket_proc p, enum local to,
				   uint64_t has, struct wicket_value v)
{
	for (uint32_t i = 0; i < 3; i++)
		p.local[to + i] = v.w[i];
	return with_ret(p, HAS, has);
}

/* A half was seen; then all of it if that was the last, else false. */
static int read_half(struct wicket_proc *p, struct wicket_value *seen)
{
	enum local to = p->pc == HEIR ? WT : C0;
	uint64_t *read = &p->local[to];
	struct wicket_value all = { { read[0], read[1], read[2] } };
	const struct wicket_value nothing = { { 0 } };

	switch (p->local[RET] & HAS) {
	case 0:
		*p = has_read(*p, to, HAS_STATE, *seen);
		return 0;
	case HAS_STATE:
		all.w[1] = seen->w[1];
		all.w[2] = seen->w[2];
		*p = has_read(*p, to, HAS_PAYLOAD, all);
		return 0;
	default: /* the state again: if it is another, from the beginning */
		*p = has_read(*p, to, 0, nothing);
		if (seen->w[0] != all.w[0])
			return 0;
		*seen = all;
		return 1;
	}
}

/* --- the contract ----------------------------------------------------------- */

static struct wicket_access access_of(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	switch ((enum operation)operation_of[p.pc]) {
#define ACCESS_OF(number, name)                                                \
	case number:                                                           \
		return name##_access(c, p);
		OPERATIONS(ACCESS_OF)
#undef ACCESS_OF
	}
	return wicket_ask(WICKET_REST, 0);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
	struct wicket_access a = access_of(c, p);

	if (is_halved(c, p.pc, &a))
		a.part = half(p);
	return a;
}

static struct wicket_proc move_on(const struct wicket_cfg *c,
				  struct wicket_proc p, struct meeting *m)
{
	switch ((enum operation)operation_of[p.pc]) {
#define STEP_OF(number, name)                                                  \
	case number:                                                           \
		return name##_step(c, p, m);
		OPERATIONS(STEP_OF)
#undef STEP_OF
	}
	return p;
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_access a = access_of(c, p);
	struct meeting m = { .seen = seen, .put = seen };

	if (is_halved(c, p.pc, &a) && !read_half(&p, &m.seen))
		return (struct wicket_result){ .proc = p, .put = seen };
	m.met = a.kind == WICKET_CAS && wicket_is_expected(&a, seen);
	p = move_on(c, p, &m);
	/* but for its owner, nobody changes RANGE */
	if (a.kind != WICKET_STORE && a.reg >= seat_reg(c, 0) &&
	    a.reg < fut_reg(c, 0))
		m.put.w[3] = seen.w[3];
	return (struct wicket_result){
		.proc = p, .put = m.put, .wake = m.wake, .wakes = m.wake != 0
	};
}

/* --- events --------------------------------------------------------------- */

static struct wicket_proc give_up(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	if (p.pc == WAIT_SLEEP) {
		p.local[WATCHES] = 0;
		p.pc = ABANDON_BELL;
		/* it may have been woken to look after a death */
		if (is_watched(c))
			p = scan(c, p, SCAN_ABANDON);
	} else if (p.pc == TAKE_SEAT && is_removing(c)) {
		p = scan(c, p, SCAN_TRY); /* no room: the dead? */
	} else if (p.pc == KEEP_LOCK) {
		p = go_in(p); /* without a command */
	} else if (p.pc == TAKE_W || p.pc == TAKE_RANGE ||
		   (p.pc == COLOURS && after(p) == AFTER_TAKE)) {
		p = forget(p, WT, RET); /* it only tried */
		p.pc = TAKE_BACK;
	}
	return p;
}

static struct wicket_proc begin_dying(const struct wicket_cfg *c,
				      struct wicket_proc p)
{
	struct wicket_proc dying = start(c, 0);

	if (p.pc >= DONE || (p.pc == JOIN_LIFE && !p.local[ME]))
		return p;
	dying.pc = p.self && (!p.local[ME] || is_silent(c, p)) ? DIE_LIFE : DIE;
	dying.self = p.self;
	dying.local[ME] = p.local[ME];
	if ((p.pc == HOLD || p.pc == RELEASE_FIND) && p.local[HAS_COMMAND]) {
		dying.local[SEQ] = p.local[SEQ];
		dying.local[SLOT] = p.local[SLOT];
		dying.local[LAP] = p.local[LAP] >> SEVERAL_SHIFT
							   << SEVERAL_SHIFT;
		dying.local[HAS_COMMAND] = p.local[HAS_COMMAND];
	}
	return dying;
}

static struct wicket_proc on_event(const struct wicket_cfg *c,
				   struct wicket_proc p,
				   enum wicket_event event)
{
	return event == WICKET_ABANDON ? give_up(c, p) : begin_dying(c, p);
}

const struct wicket_algo wicket_recoverable = {
	.name = "recoverable",
	.title = "recoverable colored tickets",
	.source = "ours; doc/protocol.md",
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
	.units = units_inside,
	.access = access,
	.step = step,
	.event = on_event,
	.holds = holds,
	.unnoticed = unnoticed,
	.room = room,
	.bits = field_bits,
	.show_step = show_step,
	.show = show,
};
