/* SPDX-License-Identifier: MIT */
/*
 * shared-lease - the file by which the processes of a host share one lease of a store.
 *
 * Source   doc/cluster.md; src/cluster/lease.c runs the same functions (shared-lease/beat.h).
 * Grain    one access to the file, one lock of the kernel, or one request, sent or answered.
 *          A process may be killed between any two; the kernel then drops its locks.  The
 *          store and the network answer early, late or never, and what was given up may
 *          still be done later.
 * Value    shared-lease/world.h: a beat (generation, when the last acknowledged keepalive
 *          was sent), the id of the lease of the present generation, the number last given,
 *          and places: number, generation, keys.
 * Part     who comes takes the file's lock or has a lease of its own; takes the lock of
 *          a free place; joins the generation that there is, if its lease lives, or begins
 *          the next one; gets a number, writes it to its place, and unlocks the file.  Then
 *          it puts its live key, keeps the lease alive, looks for the dead, asks for the slot
 *          until it has it, and goes.  Whose turn it is to do the first two (claim) is not in
 *          the model: it is everybody's, always.
 * Death    a place that has a number while nobody has its lock is of one who is dead: whoever
 *          has a part in the same generation deletes its live key, as if its lease had ended,
 *          and then makes the number 0, if it is still that one.
 * L1       nobody believes in a deadline that is later than the end of its lease (mutants
 *          any-generation, deadline-from-reply, beat-first).  Not if a lease is revoked.
 * L2       who has a part in the same generation has the same lease (mutants begin-unlocked,
 *          acknowledge-late).
 * L3       nobody is buried alive: as long as its lease lives, its live key is there, and
 *          its number in its place (mutants buried-unseen, free-unseen).
 * L4       no two share a place (mutant place-unlocked).
 * L5       nobody dead is forgotten: if its live key is there, so is its number, until it is
 *          buried (mutants free-first, generation-ignored, silence-is-the-end).  But for
 *          one thing: a live key whose request is delivered when its sender has been buried
 *          stays until the lease ends.  Its sender cannot have asked for anything more.
 * L6       no number is given twice (mutant number-of-place).
 * Records  one is enough: it is read and written under the file's lock alone.
 * Looks    once is enough: between reading a number and the keys the place may become
 *          another's.  Then the number is of nobody with those keys, and is not freed.
 * Progress shared-lease:calm has starvation-freedom: while anybody keeps the lease alive,
 *          what a dead one had is given back (mutant nobody-buries).
 * Bounds   three joins in all, each with a number, an id and two generations at most; two
 *          ticks of the clock; two places, and who finds none has a lease of its own.
 * Crash    see Death.
 */
#include "algo/algo.h"
#include "algo/lists.h"
#include "algo/shared-lease/world.h"

/* X(number, name, what it is) */
#define VARIANTS(X)                                                            \
	X(CALM, "calm", "every request is answered")                           \
	X(REVOKED, "revoked", "a lease may also end before its time, by hand") \
	X(BRIEF, "brief", "two joins instead of three")

#define ANY WICKET_ANY_VARIANT

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(ANY_GENERATION, "any-generation",                                    \
	  "the deadline is that of whatever generation is present", ANY)       \
	X(DEADLINE_FROM_REPLY, "deadline-from-reply",                          \
	  "the deadline is counted from the reply to a keepalive", ANY)        \
	X(BEAT_FIRST, "beat-first",                                            \
	  "a generation begins before the id of its lease is written", ANY)    \
	X(BEGIN_UNLOCKED, "begin-unlocked",                                    \
	  "who does not get the lock of the file goes on without", BRIEF)      \
	X(ACKNOWLEDGE_LATE, "acknowledge-late",                                \
	  "the beat is written, whatever it has become since", ANY)            \
	X(PLACE_UNLOCKED, "place-unlocked", "a place is taken without a lock", \
	  ANY)                                                                 \
	X(BURIED_UNSEEN, "buried-unseen",                                      \
	  "whoever has a place is taken for dead", ANY)                        \
	X(FREE_UNSEEN, "free-unseen",                                          \
	  "who has buried makes the number 0, whatever it is", ANY)            \
	X(FREE_FIRST, "free-first",                                            \
	  "a place is free before its owner is buried", ANY)                   \
	X(GENERATION_IGNORED, "generation-ignored",                            \
	  "every dead one is taken for one of an earlier generation", ANY)     \
	X(SILENCE_IS_THE_END, "silence-is-the-end",                            \
	  "a keepalive without an answer ends the generation", ANY)            \
	X(NUMBER_OF_PLACE, "number-of-place",                                  \
	  "the number is that of the place", ANY)                              \
	X(NOBODY_BURIES, "nobody-buries", "nobody looks for the dead", CALM)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(L1, "nobody's deadline is later than the end of its lease")          \
	X(L2, "who is of the same generation has the same lease")              \
	X(L3, "nobody is buried alive")                                        \
	X(L4, "no two share a place")                                          \
	X(L5, "nobody dead is forgotten")                                      \
	X(L6, "no number is given twice")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

/* X(program counter, in schedules): in the order in which it gets there. */
#define PCS(X)                                                                 \
	X(LOCK, RMW, LOCKS, "lock the file") /* R */                           \
	X(ALONE, RMW, LOCKS, "go")	     /* C, with a lease of its own */  \
	/* T, or C if it holds the slot */                                     \
	X(LOOK, LOAD, NUMBER_AT, "look for a place")                           \
	X(LOCK_PLACE, RMW, LOCKS, "lock it")                                   \
	X(NO_PLACE, RMW, LOCKS, "close the file: no place")                    \
	X(READ_BEAT, LOAD, BEAT, "read beat")                                  \
	X(READ_RECORD, LOAD, RECORD, "read record")                            \
	X(READ_CLOCK, LOAD, NET, "read the clock")                             \
	X(ASK, RMW, NET, "keepalive")                                          \
	X(ASKED, RMW, NET, "alive?")                                           \
	X(ASKED_GOOD, RMW, BEAT, "acknowledge")                                \
	X(ASKED_BAD, RMW, BEAT, "end the generation")                          \
	X(READ_NEXT, LOAD, BEAT, "read beat, to begin")                        \
	X(BEGIN, RMW, NET, "ask for a lease")                                  \
	X(BEGUN, RMW, NET, "granted?")                                         \
	X(WRITE_RECORD, STORE, RECORD, "record := id")                         \
	X(WRITE_BEAT, STORE, BEAT, "beat := next generation")                  \
	X(COUNT, RMW, LAST, "take a number")                                   \
	X(WRITE_GENERATION, STORE, GENERATION_OWN, "generation := ")           \
	X(WRITE_KEYS, STORE, KEYS_OWN, "keys := ")                             \
	X(WRITE_NUMBER, STORE, NUMBER_OWN, "number := ")                       \
	X(UNLOCK, RMW, LOCKS, "unlock the file")                               \
	X(COME, RMW, NET, "put live key")                                      \
	X(CAME, RMW, NET, "put?")                                              \
	X(CAME_BAD, RMW, BEAT, "end the generation")                           \
	X(MEMBER, LOAD, BEAT, "read beat")                                     \
	X(BREATHE, RMW, NET, "keepalive")                                      \
	X(BREATHED, RMW, NET, "alive?")                                        \
	X(GOOD, RMW, BEAT, "acknowledge")                                      \
	X(BAD, RMW, BEAT, "end the generation")                                \
	X(SEE_NUMBER, LOAD, NUMBER_AT, "read number")                          \
	X(SEE_GENERATION, LOAD, GENERATION_AT, "read generation")              \
	X(SEE_LOCK, LOAD, LOCKS, "is it locked?")                              \
	X(SEE_KEYS, LOAD, KEYS_AT, "read keys")                                \
	X(DIG, RMW, NET, "bury")                                               \
	X(DUG, RMW, NET, "buried?")                                            \
	X(FREE, RMW, NUMBER_AT, "free, if it is still that number")            \
	X(WANT, RMW, NET, "take the slot")                                     \
	X(WANTED, RMW, NET, "taken?")                                          \
	/* E */                                                                \
	X(LEAVE, RMW, NET, "leave")                                            \
	X(LEFT, RMW, NET, "left?")                                             \
	X(WRITE_FREE, STORE, NUMBER_OWN, "number := 0")                        \
	X(CLOSE, RMW, LOCKS, "close the file")                                 \
	X(DIE, RMW, NET, "die")                                                \
	X(DEAD, RMW, LOCKS, "dead: the kernel drops its locks")                \
	/* helpers */                                                          \
	X(DELIVER, RMW, NET, "deliver for ")                                   \
	X(HUSH, RMW, NET, "no answer in time for ")                            \
	X(DELIVER_LATE, RMW, NET, "deliver late for ")                         \
	X(TICK, RMW, NET, "tick")                                              \
	X(EXPIRE, RMW, NET, "leases end")                                      \
	X(REAP, RMW, NET, "reap")

#define PC_NUMBER(number, ...) number,
enum pc { PCS(PC_NUMBER) };
#undef PC_NUMBER

/* What it uses.  Of a place, there are three: its own, or that at which it looks. */
enum cell {
	NET,
	LOCKS,
	BEAT,
	RECORD,
	LAST,
	CELLS,
	NUMBER_AT,
	GENERATION_AT,
	KEYS_AT,
	PER_PLACE = 3,
	NUMBER_OWN = NUMBER_AT + PER_PLACE,
	GENERATION_OWN,
	KEYS_OWN,
};

enum local {
	PLACE, /* from 1; 0: it has none */
	GENERATION,
	ID,
	SENT, /* when its keepalive was: ticks */
	SEEN_BEAT,
	OWN,   /* its number */
	LIVES, /* its live key was put */
	HOLDS,
	AT, /* the place that it looks at, and what was there */
	SEEN,
	SEEN_KEYS,
	FATE, /* enum beat_fate */
};

enum { PER_PERSON = 3, SERVERS = 3 };

/* --- the store, and the network ----------------------------------------------------- */

static void delete_live(struct person *a)
{
	a->live = a->owner = a->lease = 0;
}

static void end_lease(struct net *x, uint32_t id)
{
	x->lease[id].end = 0;
	for (uint32_t n = 1; n <= JOINS_MAX; n++) {
		if (x->person[n].live && x->person[n].lease == id)
			delete_live(&x->person[n]);
	}
}

static int put_live(struct net *x, uint32_t number, uint32_t keys, uint32_t id)
{
	struct person *a = &x->person[number];

	if (!x->lease[id].end)
		return 0;
	a->live = 1;
	a->owner = (uint8_t)keys;
	a->lease = (uint8_t)id;
	return 1;
}

static int take_slot(struct net *x, uint32_t number)
{
	for (uint32_t n = 1; n <= JOINS_MAX; n++) {
		if (n != number && x->person[n].holds)
			return 0;
	}
	x->person[number].holds |= x->person[number].live;
	return x->person[number].holds;
}

static void bury(struct net *x, uint32_t number, uint32_t keys)
{
	if (x->person[number].live && x->person[number].owner != keys)
		return; /* nobody of that line */
	delete_live(&x->person[number]);
	x->person[number].buried = 1;
}

/* What the store does; 0: it refuses. */
static int serve(struct net *x, enum op op, uint32_t number, uint32_t keys,
		 uint8_t *id)
{
	switch (op) {
	case KEEP:
		if (x->lease[*id].end)
			x->lease[*id].end = (uint8_t)(x->now + TTL);
		return x->lease[*id].end;
	case GRANT:
		*id = ++x->granted;
		x->lease[*id].end = (uint8_t)(x->now + TTL);
		return 1;
	case PUT_LIVE:
		return put_live(x, number, keys, *id);
	case TAKE:
		return take_slot(x, number);
	case GO:
		x->person[number].holds = 0;
		/* fall through */
	default:
		bury(x, number, keys);
		return 1;
	}
}

static void forget_request(struct mail *m)
{
	m->op = m->number = m->keys = m->id = 0;
}

static void deliver(struct net *x, struct mail *m)
{
	uint8_t id = m->id;
	int granted = m->op == GRANT;

	if (m->op == NONE)
		return;
	m->reply = serve(x, m->op, m->number, m->keys, &id) ? DONE : REFUSED;
	forget_request(m);
	if (granted)
		m->id = id;
}

/* Nobody waits for an answer any more.  What can still change something may still be done
   later; a keepalive that comes late does no harm. */
static void give_up(struct mail *m)
{
	if ((m->op == PUT_LIVE || m->op == BURY) && m->late_op == NONE) {
		m->late_op = m->op;
		m->late_number = m->number;
		m->late_keys = m->keys;
		m->late_id = m->id;
	}
	forget_request(m);
	m->reply = NOTHING;
}

static void deliver_late(struct net *x, struct mail *m)
{
	if (m->late_op == NONE)
		return;
	serve(x, m->late_op, m->late_number, m->late_keys, &m->late_id);
	m->late_op = m->late_number = m->late_keys = m->late_id = 0;
}

static void expire(const struct wicket_cfg *c, struct net *x)
{
	for (uint32_t id = 1; id <= JOINS_MAX; id++) {
		if (x->lease[id].end &&
		    (x->lease[id].end <= x->now || c->variant == REVOKED))
			end_lease(x, id);
	}
}

/* Gives back what those have whose live key is gone: see src/algo/cluster.c. */
static void reap(struct net *x)
{
	for (uint32_t n = 1; n <= JOINS_MAX; n++)
		x->person[n].holds &= x->person[n].live;
}

static uint32_t person_of(const struct wicket_cfg *c, struct wicket_proc me)
{
	return (me.self - 1 - c->n) / PER_PERSON;
}

static void help(const struct wicket_cfg *c, struct net *x,
		 struct wicket_proc me)
{
	struct mail *m = &x->mail[me.pc < TICK ? person_of(c, me) : 0];

	switch (me.pc) {
	case DELIVER:
		deliver(x, m);
		break;
	case HUSH:
		if (c->variant == CALM || (m->op == NONE && !m->reply))
			break;
		give_up(m);
		m->reply = SILENCE;
		break;
	case DELIVER_LATE:
		if (c->variant != CALM)
			deliver_late(x, m);
		break;
	case TICK:
		x->now = (uint8_t)(x->now + (x->now < HORIZON));
		break;
	case EXPIRE:
		expire(c, x);
		break;
	case REAP:
		reap(x);
		break;
	}
}

/* --- a participant: the kernel's locks ------------------------------------------------- */

static struct wicket_proc back_in_r(struct wicket_proc p)
{
	return (struct wicket_proc){ .pc = LOCK, .self = p.self };
}

static void drop_locks(struct locks *x, uint32_t self)
{
	if (x->file == self)
		x->file = 0;
	for (uint32_t i = 0; i < PLACES; i++) {
		if (x->place[i] == self)
			x->place[i] = 0;
	}
}

static void lock_file(const struct wicket_cfg *c, struct locks *x,
		      struct wicket_proc *p)
{
	if (x->joins == JOINS_MAX - (c->variant == BRIEF))
		return; /* for ever in R */
	if (x->file && c->mutant != BEGIN_UNLOCKED) {
		p->pc = ALONE;
		return;
	}
	if (!x->file)
		x->file = (uint8_t)p->self;
	x->joins++;
	p->pc = LOOK;
}

static void look_for_next(struct wicket_proc *p)
{
	p->local[AT]++;
	p->pc = p->local[AT] == PLACES ? NO_PLACE : LOOK;
}

static void lock_place(const struct wicket_cfg *c, struct locks *x,
		       struct wicket_proc *p)
{
	uint64_t at = p->local[AT];

	if (c->mutant != PLACE_UNLOCKED && x->place[at]) {
		look_for_next(p);
		return;
	}
	if (c->mutant != PLACE_UNLOCKED)
		x->place[at] = (uint8_t)p->self;
	p->local[PLACE] = at + 1;
	p->local[AT] = 0;
	p->pc = READ_BEAT;
}

/* It has looked at all places. */
static void look_no_more(const struct wicket_cfg *c, struct wicket_proc *p)
{
	p->local[AT] = 0;
	p->pc = c->variant == CALM && !p->local[HOLDS] ? WANT : LEAVE;
}

/* The next place to be looked at, but its own. */
static void look_on(const struct wicket_cfg *c, struct wicket_proc *p)
{
	p->local[SEEN] = p->local[SEEN_KEYS] = p->local[FATE] = 0;
	p->local[AT] += 1 + (p->local[AT] + 2 == p->local[PLACE]);
	p->pc = SEE_NUMBER;
	if (p->local[AT] >= PLACES)
		look_no_more(c, p);
}

static void look_around(const struct wicket_cfg *c, struct wicket_proc *p)
{
	p->local[SENT] = 0;
	p->local[AT] = p->local[PLACE] == 1;
	p->pc = SEE_NUMBER;
	if (c->mutant == NOBODY_BURIES)
		look_no_more(c, p);
}

static void see_lock(const struct wicket_cfg *c, const struct locks *x,
		     struct wicket_proc *p)
{
	p->pc = p->local[FATE] == BEAT_FREE ? FREE : SEE_KEYS;
	if (x->place[p->local[AT]] && c->mutant != BURIED_UNSEEN)
		look_on(c, p);
}

static void use_locks(const struct wicket_cfg *c, struct locks *x,
		      struct wicket_proc *p)
{
	switch (p->pc) {
	case LOCK:
		lock_file(c, x, p);
		break;
	case LOCK_PLACE:
		lock_place(c, x, p);
		break;
	case UNLOCK:
		if (x->file == p->self)
			x->file = 0;
		p->pc = COME;
		break;
	case SEE_LOCK:
		see_lock(c, x, p);
		break;
	case NO_PLACE:
		drop_locks(x, p->self);
		*p = back_in_r(*p);
		p->pc = ALONE;
		break;
	default: /* ALONE, CLOSE, DEAD */
		drop_locks(x, p->self);
		*p = back_in_r(*p);
	}
}

/* --- the beat --------------------------------------------------------------------------- */

static int64_t deadline_of(const struct wicket_cfg *c, uint64_t beat,
			   struct wicket_proc p)
{
	return beat_deadline(beat,
			     c->mutant == ANY_GENERATION ?
				     beat_generation(beat) :
				     p.local[GENERATION],
			     TTL);
}

static uint64_t use_beat(const struct wicket_cfg *c, uint64_t beat,
			 struct wicket_proc *p)
{
	uint64_t generation = p->local[GENERATION];
	int64_t sent = time_of(p->local[SENT]);

	switch (p->pc) {
	case READ_BEAT:
		p->local[GENERATION] = beat_generation(beat);
		p->local[SEEN_BEAT] = beat;
		p->pc = READ_RECORD;
		return beat;
	case READ_NEXT:
		p->local[GENERATION] = beat_generation(beat) + 1;
		p->local[ID] = 0;
		p->pc = BEGIN;
		return beat;
	case MEMBER:
		p->pc = deadline_of(c, beat, *p) ? BREATHE : CLOSE;
		return beat;
	case WRITE_BEAT:
		p->local[SENT] = 0;
		p->pc = c->mutant == BEAT_FIRST ? WRITE_RECORD : COUNT;
		return beat_make(generation, sent);
	case ASKED_GOOD:
	case GOOD:
		if (p->pc == GOOD)
			look_around(c, p);
		else
			p->pc = COUNT;
		p->local[SENT] = 0;
		return c->mutant == ACKNOWLEDGE_LATE ?
			       beat_make(generation, sent) :
			       beat_acknowledge(beat, generation, sent);
	default: /* the generation has ended */
		p->pc = p->pc == ASKED_BAD ? READ_NEXT :
			p->pc == CAME_BAD  ? WRITE_FREE :
					     CLOSE;
		return beat_end(beat, generation);
	}
}

/* --- requests ----------------------------------------------------------------------------- */

static void send(struct net *x, struct wicket_proc *p, enum op op,
		 uint64_t number, uint64_t keys)
{
	struct mail *m = &x->mail[p->self - 1];

	m->op = (uint8_t)op;
	m->number = (uint8_t)number;
	m->keys = (uint8_t)keys;
	if (op == KEEP || op == PUT_LIVE)
		m->id = (uint8_t)p->local[ID];
	if (op == KEEP || op == GRANT)
		p->local[SENT] = x->now;
	p->pc++;
}

/* After an answer it goes on there. */
static enum reply be_answered(const struct wicket_cfg *c, struct net *x,
			      struct wicket_proc *p, enum pc done,
			      enum pc refused, enum pc silence)
{
	struct mail *m = &x->mail[p->self - 1];
	enum reply reply = m->reply;

	if (reply == NOTHING)
		return reply;
	if (reply != DONE)
		p->local[SENT] = 0;
	else if (c->mutant == DEADLINE_FROM_REPLY && p->local[SENT])
		p->local[SENT] = x->now;
	if (p->pc == BEGUN)
		p->local[ID] = m->id;
	p->pc = (uint16_t)(reply == DONE    ? done :
			   reply == REFUSED ? refused :
					      silence);
	m->reply = NOTHING;
	m->id = 0;
	return reply;
}

static void read_clock(const struct net *x, struct wicket_proc *p)
{
	enum beat_welcome welcome = beat_welcome(p->local[SEEN_BEAT], TTL,
						 time_of(x->now));

	p->local[SEEN_BEAT] = 0;
	p->pc = welcome == BEAT_BEGIN ? READ_NEXT :
		welcome == BEAT_ASK   ? ASK :
					COUNT;
}

static void use_net(const struct wicket_cfg *c, struct net *x,
		    struct wicket_proc *p)
{
	uint64_t own = p->local[OWN];

	switch (p->pc) {
	case READ_CLOCK:
		read_clock(x, p);
		break;
	case ASK:
	case BREATHE:
		send(x, p, KEEP, 0, 0);
		break;
	case ASKED:
		be_answered(c, x, p, ASKED_GOOD, ASKED_BAD, CLOSE);
		break;
	case BEGIN:
		send(x, p, GRANT, 0, 0);
		break;
	case BEGUN:
		be_answered(c, x, p,
			    c->mutant == BEAT_FIRST ? WRITE_BEAT : WRITE_RECORD,
			    CLOSE, CLOSE);
		break;
	case COME:
		send(x, p, PUT_LIVE, own, p->self);
		break;
	case CAME:
		p->local[LIVES] = be_answered(c, x, p, MEMBER, CAME_BAD,
					      CLOSE) == DONE;
		p->local[HOLDS] = p->local[LIVES] && c->variant != CALM;
		break;
	case BREATHED:
		be_answered(c, x, p, GOOD, BAD,
			    c->mutant == SILENCE_IS_THE_END ? BAD : WANT);
		if (p->pc == WANT)
			look_around(c, p);
		break;
	case DIG:
		send(x, p, BURY, p->local[SEEN], p->local[SEEN_KEYS]);
		p->local[SEEN_KEYS] = 0;
		break;
	case DUG:
		be_answered(c, x, p, FREE, FREE, WANT);
		if (p->pc == WANT || (p->pc == FREE && c->mutant == FREE_FIRST))
			look_on(c, p);
		break;
	case WANT:
		send(x, p, TAKE, own, 0);
		break;
	case WANTED:
		p->local[HOLDS] = be_answered(c, x, p, MEMBER, MEMBER,
					      MEMBER) == DONE;
		break;
	case LEAVE:
		p->local[LIVES] = 0;
		send(x, p, GO, own, p->self);
		break;
	case LEFT:
		be_answered(c, x, p, WRITE_FREE, WRITE_FREE, CLOSE);
		break;
	case DIE:
		give_up(&x->mail[p->self - 1]);
		p->pc = DEAD;
		break;
	default:
		help(c, x, *p);
	}
}

/* --- the rest of the file --------------------------------------------------------------- */

static uint64_t use_record(const struct wicket_cfg *c, uint64_t record,
			   struct wicket_proc *p)
{
	if (p->pc == WRITE_RECORD) {
		p->pc = c->mutant == BEAT_FIRST ? COUNT : WRITE_BEAT;
		return p->local[ID];
	}
	p->local[ID] = record;
	p->pc = READ_CLOCK;
	return record;
}

/* The number last given, and whether one was given twice. */
enum { TWICE = 8 };

static uint64_t take_number(const struct wicket_cfg *c, uint64_t last,
			    struct wicket_proc *p)
{
	uint64_t number = c->mutant == NUMBER_OF_PLACE ? p->local[PLACE] :
							 last % TWICE + 1;

	p->local[OWN] = number;
	p->pc = WRITE_GENERATION;
	return number <= last % TWICE ? last | TWICE : number | (last & TWICE);
}

static uint64_t free_place(const struct wicket_cfg *c, uint64_t number,
			   struct wicket_proc *p)
{
	int is_same = number == p->local[SEEN];

	if (c->mutant == FREE_FIRST && p->local[FATE] == BEAT_BURY)
		p->pc = DIG;
	else
		look_on(c, p);
	return is_same || c->mutant == FREE_UNSEEN ? 0 : number;
}

static void see_generation(const struct wicket_cfg *c, uint64_t taken_in,
			   struct wicket_proc *p)
{
	p->local[FATE] = c->mutant == GENERATION_IGNORED ?
				 BEAT_FREE :
				 beat_fate(taken_in, p->local[GENERATION]);
	p->pc = SEE_LOCK;
	if (p->local[FATE] == BEAT_LEAVE)
		look_on(c, p);
}

/* Something of a place: what it is then. */
static uint64_t use_place(const struct wicket_cfg *c, uint64_t seen,
			  struct wicket_proc *p)
{
	switch (p->pc++) {
	case LOOK:
		if (seen)
			look_for_next(p);
		return seen;
	case WRITE_GENERATION:
		return p->local[GENERATION];
	case WRITE_KEYS:
		return p->self;
	case WRITE_NUMBER:
		return p->local[OWN];
	case SEE_NUMBER:
		p->local[SEEN] = seen;
		if (!seen)
			look_on(c, p);
		return seen;
	case SEE_GENERATION:
		see_generation(c, seen, p);
		return seen;
	case SEE_KEYS:
		p->local[SEEN_KEYS] = seen;
		if (c->mutant == FREE_FIRST)
			p->pc = FREE;
		return seen;
	case FREE:
		return free_place(c, seen, p);
	default: /* WRITE_FREE */
		return 0;
	}
}

/* --- the algorithm --------------------------------------------------------------------- */

static const char *refuse(const struct wicket_cfg *c)
{
	if (c->n > PEOPLE_MAX)
		return "shared-lease: n must be at most 3";
	return c->k > 1 ? "shared-lease: there is one slot: k must be 1" : 0;
}

static uint32_t processes(const struct wicket_cfg *c)
{
	return c->n + PER_PERSON * c->n + SERVERS;
}

static uint32_t registers(const struct wicket_cfg *c)
{
	(void)c;
	return CELLS + PER_PLACE * PLACES;
}

static struct wicket_register reg(const struct wicket_cfg *c, uint32_t r)
{
	struct net x = { .now = 1 };

	(void)c;
	return (struct wicket_register){ .start = r == NET ? net_pack(&x) :
							     wicket_number(0) };
}

static struct wicket_proc start(const struct wicket_cfg *c, uint32_t i)
{
	uint32_t h = i - 1 - c->n, servers = PER_PERSON * c->n;
	struct wicket_proc p = { .pc = LOCK, .self = i };

	if (i > c->n)
		p.pc = (uint16_t)(h < servers ? DELIVER + h % PER_PERSON :
						TICK + h - servers);
	return p;
}

static enum wicket_region region(const struct wicket_cfg *c,
				 struct wicket_proc p)
{
	(void)c;
	if (p.pc == LOCK)
		return WICKET_REMAINDER;
	if (p.pc >= LEAVE)
		return WICKET_EXIT;
	return p.pc == ALONE || p.local[HOLDS] ? WICKET_CRITICAL :
						 WICKET_TRYING;
}

static uint32_t place_register(uint64_t place, uint32_t what)
{
	return (uint32_t)(CELLS + PER_PLACE * place + what);
}

static struct wicket_access access(const struct wicket_cfg *c,
				   struct wicket_proc p)
{
#define PC_USE(number, kind, cell, text) [number] = { WICKET_##kind, cell },
	static const struct {
		uint8_t kind, cell;
	} uses[] = { PCS(PC_USE) };
#undef PC_USE
	uint32_t cell = uses[p.pc].cell;

	(void)c;
	if (cell >= NUMBER_OWN)
		cell = place_register(p.local[PLACE] - 1, cell - NUMBER_OWN);
	else if (cell >= NUMBER_AT)
		cell = place_register(p.local[AT], cell - NUMBER_AT);
	return wicket_ask(uses[p.pc].kind, cell);
}

static struct wicket_result step(const struct wicket_cfg *c,
				 struct wicket_proc p, struct wicket_value seen)
{
	struct wicket_result r = { .proc = p, .put = seen };
	uint32_t cell = access(c, p).reg;
	struct locks locks;
	struct net net;

	switch (cell) {
	case NET:
		net = net_unpack(seen);
		use_net(c, &net, &r.proc);
		r.put = net_pack(&net);
		break;
	case LOCKS:
		locks = locks_unpack(seen.w[0]);
		use_locks(c, &locks, &r.proc);
		r.put.w[0] = locks_pack(&locks);
		break;
	case BEAT:
		r.put.w[0] = use_beat(c, seen.w[0], &r.proc);
		break;
	case RECORD:
		r.put.w[0] = use_record(c, seen.w[0], &r.proc);
		break;
	case LAST:
		r.put.w[0] = take_number(c, seen.w[0], &r.proc);
		break;
	default:
		r.put.w[0] = use_place(c, seen.w[0], &r.proc);
	}
	return r;
}

/* It is killed. */
static struct wicket_proc event(const struct wicket_cfg *c,
				struct wicket_proc p, enum wicket_event e)
{
	(void)c;
	if (e != WICKET_FAIL || p.pc == LOCK || p.pc == ALONE || p.pc >= DIE)
		return p;
	return (struct wicket_proc){ .pc = DIE, .self = p.self };
}

/* --- invariants ------------------------------------------------------------------------- */

static int has_part(struct wicket_proc p)
{
	return p.pc >= COUNT && p.pc <= WRITE_FREE;
}

static int is_in_time(const struct wicket_cfg *c, uint64_t beat,
		      const struct net *x, struct wicket_proc p)
{
	int64_t deadline = deadline_of(c, beat, p);

	return c->variant == REVOKED || !has_part(p) ||
	       deadline <= time_of(x->now) ||
	       deadline <= time_of(x->lease[p.local[ID]].end);
}

static int is_let_live(const struct net *x, const struct wicket_value *regs,
		       struct wicket_proc p)
{
	if (p.pc < UNLOCK || p.pc > WRITE_FREE)
		return 1;
	if (regs[place_register(p.local[PLACE] - 1, 0)].w[0] != p.local[OWN])
		return 0;
	return !p.local[LIVES] || !x->lease[p.local[ID]].end ||
	       x->person[p.local[OWN]].live;
}

/* Two processes with the same generation, or place. */
static int are_at_odds(uint32_t label, struct wicket_proc p,
		       struct wicket_proc q)
{
	if (label == L4)
		return p.local[PLACE] && p.local[PLACE] == q.local[PLACE];
	return has_part(p) && has_part(q) &&
	       p.local[GENERATION] == q.local[GENERATION] &&
	       p.local[ID] != q.local[ID];
}

static int is_in_file(const struct wicket_value *regs, uint32_t number,
		      uint32_t keys)
{
	for (uint32_t i = 0; i < PLACES; i++) {
		if (regs[place_register(i, 0)].w[0] == number &&
		    regs[place_register(i, 2)].w[0] == keys)
			return 1;
	}
	return 0;
}

static int is_remembered(const struct wicket_cfg *c, const struct net *x,
			 const struct wicket_value *regs, uint32_t number,
			 const struct wicket_proc *procs)
{
	const struct person *a = &x->person[number];

	if (!a->live || a->buried || is_in_file(regs, number, a->owner))
		return 1;
	for (uint32_t i = 0; i < c->n; i++) {
		if (procs[i].local[OWN] == number)
			return 1;
	}
	return 0;
}

static int holds(const struct wicket_cfg *c, uint32_t label,
		 const struct wicket_value *regs,
		 const struct wicket_proc *procs)
{
	struct net x = net_unpack(regs[NET]);
	int good = 1;

	for (uint32_t n = 1; label == L5 && n <= JOINS_MAX; n++)
		good &= is_remembered(c, &x, regs, n, procs);
	for (uint32_t i = 0; i < c->n; i++) {
		good &= label != L1 ||
			is_in_time(c, regs[BEAT].w[0], &x, procs[i]);
		good &= label != L3 || is_let_live(&x, regs, procs[i]);
		for (uint32_t j = 0; (label == L2 || label == L4) && j < i; j++)
			good &= !are_at_odds(label, procs[i], procs[j]);
	}
	return good && (label != L6 || regs[LAST].w[0] < TWICE);
}

/* --- for people --------------------------------------------------------------------------- */

static void show_step(const struct wicket_cfg *c, struct wicket_proc p,
		      struct wicket_text *t)
{
#define PC_TEXT(number, kind, cell, text) [number] = text,
	static const char texts[][40] = { PCS(PC_TEXT) };
#undef PC_TEXT

	wicket_put(t, texts[p.pc]);
	if (p.pc >= DELIVER && p.pc < TICK)
		wicket_put_number(t, person_of(c, p) + 1);
	else if (p.pc == WRITE_GENERATION)
		wicket_put_number(t, (int64_t)p.local[GENERATION]);
	else if (p.pc == WRITE_KEYS)
		wicket_put_number(t, p.self);
	else if (p.pc == WRITE_NUMBER)
		wicket_put_number(t, (int64_t)p.local[OWN]);
}

static void put_field(struct wicket_text *t, const char *name, uint64_t value)
{
	wicket_put(t, name);
	wicket_put_number(t, (int64_t)value);
}

static void show_file(const struct wicket_value *regs, struct wicket_text *t)
{
	struct locks locks = locks_unpack(regs[LOCKS].w[0]);
	uint64_t beat = regs[BEAT].w[0];

	put_field(t, "beat=", beat_generation(beat));
	if (beat_sent(beat))
		put_field(t, "@", (uint64_t)(beat_sent(beat) / BEAT_SECOND));
	put_field(t, " id=", regs[RECORD].w[0]);
	if (locks.file)
		put_field(t, " locked by ", locks.file);
	for (uint32_t i = 0; i < PLACES; i++) {
		put_field(t, " [", regs[place_register(i, 0)].w[0]);
		if (locks.place[i])
			put_field(t, " by ", locks.place[i]);
		wicket_put_char(t, ']');
	}
}

static void show(const struct wicket_cfg *c, const struct wicket_value *regs,
		 struct wicket_text *t)
{
	struct net x = net_unpack(regs[NET]);

	(void)c;
	show_file(regs, t);
	put_field(t, " t=", x.now);
	for (uint32_t id = 1; id <= JOINS_MAX; id++) {
		if (x.lease[id].end) {
			put_field(t, " lease ", id);
			put_field(t, " until ", x.lease[id].end);
		}
	}
	for (uint32_t n = 1; n <= JOINS_MAX; n++) {
		if (x.person[n].live)
			put_field(t, x.person[n].holds ? " holds " : " live ",
				  n);
	}
}

const struct wicket_algo wicket_shared_lease = {
	.name = "shared-lease",
	.title = "One Lease for a Host",
	.source = "doc/cluster.md",
	.variants = variants,
	.mutants = mutants,
	.invariants = invariants,
	.discusses = WICKET_STARVATION_FREEDOM,
	.own_table = 1,
	.heavy = 2,
	.helper = { "S", "the store, the network and the clock" },
	.refuse = refuse,
	.processes = processes,
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
