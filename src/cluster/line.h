/* SPDX-License-Identifier: MIT */
/* line - a participant of a line in a store, for the files that it is made of. */
#ifndef WICKET_CLUSTER_LINE_H
#define WICKET_CLUSTER_LINE_H

#include "cluster/address.h"
#include "cluster/desk.h"
#include "cluster/lease.h"
#include "wicket-etcd.h"

enum {
	LINE_SECOND = 1000000000,
	LINE_ANSWER_WITHIN = 2, /* seconds; then a request is to be resolved */
	LINE_NAP = LINE_SECOND / 5, /* while no server can be reached */
};

struct wicket_etcd {
	struct store *store;
	struct store_options where;
	struct address address;
	struct lease lease; /* without a store: only to inspect */
	struct desk_names names;
	struct desk desk; /* as last read */
	struct desk next; /* what a transaction makes of it */
	struct mind mind;
	int64_t live_revision;
	bool is_fresh; /* the desk is how things were when it was last heard of */
	bool is_calm;	 /* and the last transaction was done, and met nobody */
	int64_t crowded; /* others announced something just before this time: ns */
	size_t before; /* so many did before it who would carry out its request */
	int64_t heard;	    /* of the desk: ns */
	int64_t round_trip; /* of a transaction, about: ns */
	uint32_t units;
	bool never_waits, canceled, is_greedy;
	int64_t until;	/* to open or acquire; INT64_MAX: for ever */
	int64_t enough; /* then it resolves nothing any more; 0: that depends */
	int64_t no_later; /* must any answer come; 0: that depends */
	int wake_fd;
	const char *problem;
	char setting[STORE_PROBLEM]; /* what is wrong with one, if it is that */
};

/* --- transact.c: one transaction, and what is known after it -------------------------- */

/* What it reads if it is done; whoever is refused reads all, then or at once. */
enum reading {
	READ_ALL,
	READ_NEXT, /* what has been announced: the rest desk_write has made of l->next */
	READ_ASKS, /* what has been announced */
	READ_NOTHING,
};

/* Takes the draft.  0 and the answer, or an error that is no silence. */
int line_send(struct wicket_etcd *l, struct draft *d, enum reading reading,
	      enum reply *answer);
/* Reads the desk, and what else is asked for: the last of the reply, which is to be freed. */
int line_read(struct wicket_etcd *l, const struct store_action *more,
	      size_t count, struct store_reply *reply);
int line_refresh(struct wicket_etcd *l);
/* Is the desk likely to be how things are? */
bool line_is_known(const struct wicket_etcd *l);
/* Have others announced something lately? */
bool line_is_crowded(const struct wicket_etcd *l);
void line_nap(void);
/* So soon a request must be answered. */
struct timespec line_answer_by(const struct wicket_etcd *l);
/* What a time of CLOCK_MONOTONIC is by CLOCK_BOOTTIME, unless the machine sleeps. */
int64_t line_until(const struct timespec *deadline);
/* The own seat and the own live key are as they were. */
void line_compare_own(const struct wicket_etcd *l, struct draft *d);
/* What desk_write makes of l->next. */
int line_write_next(struct wicket_etcd *l, enum reply *answer);

/* --- dead.c: who has gone without a word --------------------------------------------- */

bool line_is_first(const struct wicket_etcd *l);
/* Whoever could be in, but was not read by the transaction that made room. */
int line_let_in(struct wicket_etcd *l);
int line_look_after_the_dead(struct wicket_etcd *l);
/* Reads how things are.  The first few in line look for the dead, and so does whoever finds
   that the first one has gone. */
int line_look(struct wicket_etcd *l);

/* --- turn.c ----------------------------------------------------------------------------- */

/* Gives back what the last request may have got, if that is not known, or tries to. */
void line_settle(struct wicket_etcd *l);

/* See lease.h. */
lease_bury line_bury;

/* --- participant.c --------------------------------------------------------------------- */

/* A handle with a store, and nothing else; name may be null.  After an error the caller has
   been told why. */
int line_new(struct wicket_etcd **line, const char *name,
	     const struct wicket_etcd_options *options);
void line_free(struct wicket_etcd *l);
/* Tells the caller what went wrong; gives back error. */
int line_explain(const struct wicket_etcd *l,
		 const struct wicket_etcd_options *options, int error);

#endif
