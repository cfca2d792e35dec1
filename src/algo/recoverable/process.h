/* SPDX-License-Identifier: MIT */
/*
 * process - what a process remembers between its steps, and the values that it
 * expects and puts by that.
 */
#ifndef WICKET_RECOVERABLE_PROCESS_H
#define WICKET_RECOVERABLE_PROCESS_H

#include "algo/recoverable/layout.h"

enum local {
	ME,	/* 1 + own seat; 0: none */
	SEQ,	/* the own seat's */
	TICKET, /* own; its number above */
	SLOT,	/* own; EXITING once it is being given back */
	LAP,	/* how often it has been here; SEVERAL above */
	LAST,	/* the S that its last operation made, if it did not wait */
	WT,
	WS,
	WG, /* W as it was read */
	C0,
	C1,
	CG,   /* a seat as it was read */
	E,    /* see below */
	J,    /* the seat that is driven; above, what it is to open */
	D,    /* the seq at which D was seen on it */
	AT,   /* where a scan or a search for a seat stands */
	I,    /* where a loop over slots or seats stands */
	MASK, /* see below */
	RET,  /* whose part readW or settle is, and drive, and scan */
};

/*
 * Memory that serves for several things, at different times: the fewer words a
 * process has, the more states fit.
 */
enum {
	/* the S by which a waiter last saw that it has to wait: it has no slot
	   yet */
	LOOKED = SLOT,
	/* of each seat, how far ahead of this waiter its owner is; then the
	   bells that it watches: a waiter's last S is of no use any more */
	PLACES = LAST,
	WATCHES = LAST,
	NEXT_S = E,    /* the S to put */
	ENTRY = E,     /* a slot's word */
	BELL_SEEN = E, /* that of the seat in C */
	TOLD = E,      /* the last ticket told of, as if VALID, and ISSUE */
	/* the own slot's word, from finding it to giving it back: then it
	   drives nobody */
	MINE = D,      /* or of one that it is about to open */
	STAYS = D,     /* variant queued: inside for ever */
	AIM = AT,      /* how many slots shall be closed */
	VALIDATED = D, /* mutant no-released: the ticket, once APPLIED */
	SLEPT = I,     /* has it slept? */
	COLOUR_SET = MASK,
	THE_HEIR = MASK,    /* 1 + its seat, its D and its seq; 0: none */
	FIRST = MASK,	    /* of several, that of the driven seat */
	HAS_COMMAND = MASK, /* in C */
	/* settling an exchange: the seat that is found, not the one in C */
	FOUND_STATE = E,
	FOUND_PAYLOAD = MASK,
};

/* SEVERAL: how many of several tickets taken at once are left, 0: it takes one alone;
   the first one's colour; has it begun to give them back; and the set of its slots. */
enum {
	SEVERAL_SHIFT = 32,
	LEFT_BITS = 0x1f,
	FIRST_SHIFT = 5,
	FIRST_BITS = 0x1f,
	GIVING_BIT = 10,
	HELD_SHIFT = 16,
};

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
	AFTER_DRIVE_RETRACT, /* a retraction or an exchange */
	AFTER_RETRACT,	     /* it is applied */
	AFTER_AIM,
	AFTER_OPEN,
	AFTER_DRIVE_OPEN,
	AFTER_ON,
};
enum {
	DRIVE_HEIR = 0 << 4,
	DRIVE_SCAN = 1 << 4,
	DRIVE_ABANDON = 2 << 4,
	DRIVE_OPEN = 3 << 4,
};
enum {
	SCAN_WAIT = 0 << 8,
	SCAN_JOIN = 1 << 8,
	SCAN_TRY = 2 << 8,
	/* what a helper has left behind, or one that opens slots */
	SCAN_LEFT = 3 << 8,
	SCAN_LEFT_OPENING = 4 << 8,
	SCAN_ABANDON = 5 << 8,
};
enum { SETTLE_BITS = 0xf, DRIVE_BITS = 0xf0, SCAN_BITS = 0xf00 };
enum { APPLIED = 1 << 12 }; /* mutant no-released: the ticket is VALIDATED */
/* Variant halves: how much of a seat has been read, where the whole will be put,
   or, of an heir, where W was. */
enum { HAS_STATE = 1 << 13, HAS_PAYLOAD = 1 << 14, HAS = 3 << 13 };

/* A dead seat that has more to give back, or to open, was left for that of a dead
   heir. */
enum { LEFT_BEHIND = 1 << 15 };

/* In SLOT: it is given back; and it has not been inside. */
#define EXITING	  ((uint64_t)1 << 63)
#define RETURNING ((uint64_t)1 << 62)

/* What the third word of W counts: tickets issued and validated.  Between them it has
   the last ticket that was taken and valid when slots were last to be closed. */
#define ONE_ISSUED    ((uint64_t)1)
#define ONE_VALIDATED ((uint64_t)1 << 32)

static inline uint64_t issued(uint64_t count)
{
	return count & 0xffff;
}

static inline uint64_t validated(uint64_t count)
{
	return count >> 32;
}

static inline uint64_t entitled(uint64_t count)
{
	return count >> 16 & 0xffff;
}

static inline uint64_t slot_of(struct wicket_proc p)
{
	return p.local[SLOT] & ~(EXITING | RETURNING);
}

/* Its tickets are no way in. */
static inline int is_returning(struct wicket_proc p)
{
	return (p.local[SLOT] & RETURNING) != 0;
}

/* The seat that is driven; and, if it is OPENING, the ticket and 1 + the number of
   the slot that it is to open. */
static inline uint32_t driven_seat(struct wicket_proc p)
{
	return (uint32_t)p.local[J] & 0xff;
}

static inline uint64_t to_open(struct wicket_proc p)
{
	return p.local[J] >> 8;
}

/* --- the values that are expected and put -------------------------------- */

static inline struct wicket_value seat_value(struct line_seat s,
					     uint64_t number)
{
	return (struct wicket_value){ { s.state, s.payload, number, s.range } };
}

static inline struct line_seat seen_seat(struct wicket_proc p)
{
	return line_cell(p.local[C0], p.local[C1]);
}

static inline struct wicket_value seen_seat_value(struct wicket_proc p)
{
	return seat_value(seen_seat(p), p.local[CG]);
}

static inline struct line_seat found_seat(struct wicket_proc p)
{
	return line_cell(p.local[FOUND_STATE], p.local[FOUND_PAYLOAD]);
}

static inline struct wicket_value seen_w(struct wicket_proc p)
{
	return (struct wicket_value){ { p.local[WT], p.local[WS],
					p.local[WG] } };
}

static inline struct wicket_value removed_w(struct wicket_proc p)
{
	struct wicket_value w = seen_w(p);

	w.w[0] = LINE_REMOVED;
	return w;
}

/* --- several units -------------------------------------------------------- */

static inline uint32_t units_left(struct wicket_proc p)
{
	return (uint32_t)(p.local[LAP] >> SEVERAL_SHIFT) & LEFT_BITS;
}

static inline uint32_t slots_held(struct wicket_proc p)
{
	return (uint32_t)(p.local[LAP] >> SEVERAL_SHIFT) >> HELD_SHIFT;
}

static inline int is_giving(struct wicket_proc p)
{
	return p.local[LAP] >> SEVERAL_SHIFT >> GIVING_BIT & 1;
}

static inline struct wicket_proc with_several(struct wicket_proc p,
					      uint32_t several)
{
	p.local[LAP] = (uint64_t)several << SEVERAL_SHIFT |
		       (uint32_t)p.local[LAP];
	return p;
}

static inline struct wicket_proc with_range(struct wicket_proc p,
					    uint64_t range)
{
	uint32_t first = (uint32_t)(range >> LINE_TICKET_BITS);

	return with_several(p, units_left(p) | first << FIRST_SHIFT);
}

/* How many does it take this time?  0: one, alone. */
static inline uint32_t units_wanted(const struct wicket_cfg *c,
				    struct wicket_proc p)
{
	uint32_t units = c->variant == QUEUED ?
				 TWO :
				 1 + (p.self + (uint32_t)p.local[LAP]) % c->k;

	return takes_several(c) && p.self <= c->n && units > 1 ? units :
								 units_left(p);
}

/* The range of what is left to it. */
static inline uint64_t own_range(struct wicket_proc p)
{
	uint64_t first = p.local[LAP] >> SEVERAL_SHIFT >> FIRST_SHIFT;

	return (uint32_t)p.local[TICKET] | (first & FIRST_BITS)
						   << LINE_TICKET_BITS;
}

/* The ticket that it gives back next. */
static inline uint32_t next_given(const struct wicket_cfg *c,
				  struct wicket_proc p)
{
	return units_left(p) ? line_range_ticket(own_range(p), units_left(p),
						 block(c)) :
			       (uint32_t)p.local[TICKET];
}

/* --- own words ------------------------------------------------------------- */

static inline uint64_t own_state(struct wicket_proc p, enum line_phase phase)
{
	uint64_t state = line_state(p.local[SEQ], phase) |
			 (uint64_t)units_left(p) << LINE_UNITS_SHIFT;

	return is_giving(p) ? line_was_inside(state) : state;
}

/* What the owner stores in its seat, one of these words at a time.  It does not
   see what is there: it remembers it. */
enum {
	STATE_WORD = 1 << 0,
	PAYLOAD_WORD = 1 << 1,
	NUMBER_WORD = 1 << 2,
	RANGE_WORD = 1 << 3
};

static inline struct wicket_value own_phase(struct wicket_proc p,
					    enum line_phase phase)
{
	return wicket_number(own_state(p, phase));
}

/* With the number that is carried along. */
static inline struct wicket_value own_payload(const struct wicket_cfg *c,
					      struct wicket_proc p,
					      uint32_t slot1)
{
	uint32_t ticket = slot1 ? next_given(c, p) : (uint32_t)p.local[TICKET];
	uint64_t payload = line_of_life(life_of(c, p)) |
			   line_payload(ticket, slot1, 0);

	return (struct wicket_value){ { 0, payload, p.local[TICKET] >> 32 } };
}

/* A slot's next word. */
static inline uint64_t stamped(const struct wicket_cfg *c, uint64_t next)
{
	uint64_t stamp = next >> LINE_STAMP_SHIFT;

	if (c->mutant == NO_STAMP)
		stamp = 0;
	if (c->mutant == FEW_STAMPS)
		stamp &= 1;
	return stamp << LINE_STAMP_SHIFT |
	       (next & (((uint64_t)1 << LINE_STAMP_SHIFT) - 1));
}

static inline uint32_t heir_of(struct wicket_proc p)
{
	return (uint32_t)(p.local[THE_HEIR] & 0xff) - 1;
}

static inline int heir_dead(struct wicket_proc p)
{
	return p.local[THE_HEIR] >> 8 & 1;
}

static inline uint64_t heir_seq(struct wicket_proc p)
{
	return p.local[THE_HEIR] >> 16;
}

static inline uint64_t after(struct wicket_proc p)
{
	return p.local[RET] & SETTLE_BITS;
}

#endif
