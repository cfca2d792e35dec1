/* SPDX-License-Identifier: MIT */
/*
 * client - what a participant of a line in a store does after each answer.  The model
 * (src/algo/cluster.c) and the library (src/cluster/turn.c) run this very function.
 *
 * A request that is not answered may have been carried out, may be carried out later,
 * or never.  It is resolved by a write to the own seat, which it compares: after that
 * it cannot succeed any more, and the seat tells whether it had.
 */
#ifndef WICKET_CLUSTER_CLIENT_H
#define WICKET_CLUSTER_CLIENT_H

#include <stdint.h>

/* Of a seat, in the store. */
enum phase { OUT, WAITS, HOLDS };

/* Transactions.  All compare the own seat and the own lease; the first three W, too, and
   they carry out what others have announced. */
enum op {
	NONE,
	TAKE,	       /* tickets; the slots at once if the last one is valid */
	LEAVE,	       /* gives back slots or tickets */
	APPLY,	       /* nothing of its own */
	ANNOUNCE_TAKE, /* for whoever wins to carry out */
	ANNOUNCE_LEAVE,
	RESOLVE, /* writes the own seat as it is, and withdraws what it announced */
	CONFIRM, /* writes nothing: does it still hold the slots? */
};

enum reply { NOTHING, DONE, REFUSED, SILENCE };

/* Where it is: in the order in which it gets there. */
enum client_pc {
	WANT,	    /* R */
	TAKING,	    /* T: has sent TAKE */
	WATCH,	    /* T: begins to watch its seat */
	WAITING,    /* T: until it is told */
	CONFIRMING, /* T: has sent CONFIRM */
	INSIDE,	    /* C */
	LEAVING,    /* E, or T if it was never inside: has sent LEAVE */
	ANNOUNCING, /* has sent ANNOUNCE_... */
	APPLYING,   /* has sent APPLY */
	SOLVING,    /* has sent RESOLVE */
	LOST,	    /* its lease has ended */
	CLIENT_PCS
};

/* What a client has announced, for whoever wins to carry out. */
enum ask { NO_ASK, ASKS_TO_TAKE, ASKS_TO_LEAVE };

struct mind {
	uint8_t pc;
	uint8_t gives_up; /* it wants to be rid of what it asked for */
	uint8_t been_inside;
	uint8_t announced; /* enum ask: and has not seen that done */
};

static inline int mind_leaves(const struct mind *m)
{
	return m->gives_up || m->been_inside;
}

static inline enum op mind_send(struct mind *m, enum op op, enum client_pc pc)
{
	m->pc = (uint8_t)pc;
	return op;
}

/*
 * What has not been done is tried again: first directly, then announced.  But tickets
 * are given back directly: whoever waits may be let in before that is carried out.
 */
static inline enum op mind_retry(struct mind *m, enum phase phase)
{
	int leaves = mind_leaves(m);
	enum ask wants = leaves ? ASKS_TO_LEAVE : ASKS_TO_TAKE;

	if (m->pc == APPLYING && m->announced == wants)
		return mind_send(m, APPLY, APPLYING);
	if ((m->pc == TAKING && !leaves) ||
	    (m->pc == LEAVING && phase == HOLDS)) {
		m->announced = (uint8_t)wants;
		return mind_send(m, leaves ? ANNOUNCE_LEAVE : ANNOUNCE_TAKE,
				 ANNOUNCING);
	}
	return leaves ? mind_send(m, LEAVE, LEAVING) :
			mind_send(m, TAKE, TAKING);
}

/* By what the store says of its seat. */
static inline enum op mind_decide(struct mind *m, enum phase phase)
{
	if (m->pc == SOLVING ||
	    (m->announced == ASKS_TO_TAKE) == (phase != OUT))
		m->announced = NO_ASK;
	if (mind_leaves(m) && phase == OUT)
		return m->announced ? mind_send(m, RESOLVE, SOLVING) :
				      mind_send(m, NONE, WANT);
	if (mind_leaves(m) || phase == OUT)
		return mind_retry(m, phase);
	return phase == WAITS ? mind_send(m, NONE, WATCH) :
				mind_send(m, CONFIRM, CONFIRMING);
}

/*
 * After an answer, which says what its seat is and whether its lease lives, or after
 * silence.  The request to send next; NONE: pc is WANT, WATCH, INSIDE or LOST.
 */
static inline enum op mind_next(struct mind *m, enum reply reply,
				enum phase phase, int lives)
{
	if (reply == SILENCE)
		return mind_send(m, RESOLVE, SOLVING);
	if (reply == DONE && m->pc == ANNOUNCING)
		return mind_send(m, APPLY, APPLYING);
	if (reply == DONE && phase == HOLDS && m->pc != SOLVING &&
	    !mind_leaves(m))
		return mind_send(m, NONE, INSIDE);
	if (!lives)
		return mind_send(m, NONE, LOST);
	return mind_decide(m, phase);
}

#endif
