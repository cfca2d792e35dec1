/* SPDX-License-Identifier: MIT */
/*
 * lists - what there is one of each of: variants, mutants and invariants, as text and as
 * numbers, and where a process is.
 */
#ifndef WICKET_CLUSTER_LISTS_H
#define WICKET_CLUSTER_LISTS_H

#include "algo/cluster/client.h"
#include "algo/lists.h"

/* X(number, name, what it is) */
#define VARIANTS(X)                                                            \
	X(DIRECT, "direct", "nobody announces what it wants")                  \
	X(PATIENT, "patient", "nobody gives up")                               \
	X(SIMPLE, "simple", "nobody announces, nobody gives up")               \
	X(CALM, "calm", "as patient; and no request or reply is lost")         \
	X(TIMED, "timed", "as simple and calm; clients leave by the clock")    \
	X(UNITS, "units", "as simple and calm; the first client asks for two") \
	X(RESIZED, "resized", "as simple and calm; a slot closes and opens")   \
	X(NEARSIGHTED, "nearsighted",                                          \
	  "a transaction reads one in line and one who asks; as units")

#define ANY WICKET_ANY_VARIANT

/* X(number, name, what it does wrong, in which variant) */
#define MUTANTS(X)                                                             \
	X(RESOLVE_BY_READING, "resolve-by-reading",                            \
	  "what became of a request is read, not resolved by a write", ANY)    \
	X(SEAT_NOT_COMPARED, "seat-not-compared",                              \
	  "requests compare W, but not the own seat", ANY)                     \
	X(NO_FENCE, "no-fence", "what is written is always accepted", ANY)     \
	X(NOBODY_SERVED, "nobody-served",                                      \
	  "who leaves does not let the first in line in", ANY)                 \
	X(SLOT_KEPT, "slot-kept", "who leaves does not give its slots back",   \
	  ANY)                                                                 \
	X(WATCH_FROM_NOW, "watch-from-now",                                    \
	  "a client watches its seat from now, not from the revision", ANY)    \
	X(DEADLINE_FROM_REPLY, "deadline-from-reply",                          \
	  "the deadline is counted from the reply to a keepalive", TIMED)      \
	X(ENTER_UNASKED, "enter-unasked",                                      \
	  "who was told enters, asking neither the store nor the clock",       \
	  TIMED)                                                               \
	X(OVERTAKE, "overtake", "a request that fits now passes the line",     \
	  UNITS)                                                               \
	X(LEAVE_AS_READ, "leave-as-read",                                      \
	  "who leaves gives back what it had before others were seen to", ANY) \
	X(REST_FORGOTTEN, "rest-forgotten",                                    \
	  "nobody waits but those who were read", NEARSIGHTED)                 \
	X(NOBODY_LOOKS, "nobody-looks", "the first in line lets nobody in",    \
	  NEARSIGHTED)

/* X(number, what it says) */
#define INVARIANTS(X)                                                          \
	X(K1, "slots are held by one seat each, and W counts them")            \
	X(K2, "nobody waits who could be served")                              \
	X(K3, "a live client that wants nothing has nothing in the store")     \
	X(K4, "a live client that waits for what it has got is told")          \
	X(K5, "no write is accepted after that of a later holder")             \
	X(K6, "nobody in line is overtaken")

MAKE_OF_LISTS(VARIANTS, MUTANTS, INVARIANTS);

/* A client's are those of client.h; but inside it first writes, then asks to leave. */
enum pc {
	GO = CLIENT_PCS, /* C */
	/* helpers */
	DELIVER_FIRST,
	DELIVER_TWICE,
	DELIVER_SECOND,
	HUSH, /* the reply is lost, or late; or the client's own deadline passes */
	REAP,
	RESIZE,
	CROWD, /* others have announced something; or not */
	TICK,
	KEEPALIVE_SEND,
	KEEPALIVE_COMMIT,
	KEEPALIVE_REPLY,
};

enum local {
	GIVES_UP,
	BEEN_INSIDE,
	ANNOUNCED,
	ENDING, /* this step is the end of its lease */
};

enum { TTL = 1 };

#endif
