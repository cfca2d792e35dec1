/* SPDX-License-Identifier: MIT */
/*
 * desk - a line as it was read from the store, what a transaction makes of it, and that
 * transaction.
 *
 * One reading answers everything that a participant may have to know: W, its own seat
 * and live key, what has been announced, and the first of those who wait.  What becomes
 * of them is src/algo/cluster/transaction.h, where they are parties without a name; the
 * desk knows the names.  What has changed is written into a draft, each key once.
 */
#ifndef WICKET_CLUSTER_DESK_H
#define WICKET_CLUSTER_DESK_H

#include "algo/cluster/transaction.h"
#include "cluster/book.h"
#include "cluster/draft.h"

/* The names of a line's keys: PREFIX ends with the line's name and a slash. */
struct desk_names {
	char prefix[BOOK_KEY_MAX / 2];
	char id[BOOK_ID_MAX];
};

struct desk_ask {
	char id[BOOK_ID_MAX];
	struct book_ask ask;
	int64_t revision;
};

struct desk_waiter {
	struct book_waiter waiter;
	struct rules_request request;
};

/* Of a party, what the transaction does not need. */
struct desk_party {
	char id[BOOK_ID_MAX];
	int64_t since; /* it waits */
	bool in_line;  /* was, and has a key there */
	bool deleted;  /* is its seat, for it is dead */
};

enum { DESK_PROBLEM = BOOK_KEY_MAX + 128 };

struct desk {
	char problem[DESK_PROBLEM]; /* what was read cannot be: in words */
	/* as read */
	bool has_w, lives, has_seat;
	struct book_w w; /* and as changed */
	int64_t w_revision, seat_revision, live_revision;
	struct book_seat seat; /* the own */
	struct desk_ask ask[TRANSACTION_ASKS];
	size_t asks;
	struct desk_waiter waiter[TRANSACTION_WAITERS];
	size_t waiters;
	bool more_wait;	  /* than were read */
	int64_t revision; /* of the store */
	/* what has changed */
	struct transaction t;
	struct desk_party party[TRANSACTION_PARTIES];
	size_t changes; /* of seats */
	int64_t now;
};

void desk_key(const struct desk_names *names, const char *what, const char *id,
	      char key[BOOK_KEY_MAX]);
/* Of the beginning of keys, which ends with a slash, makes the first key after them. */
void desk_end(char *key);
/* All of a kind, "line/" or such; or of the line, "": from key on, before end. */
void desk_range(const struct desk_names *names, const char *what,
		char key[BOOK_KEY_MAX], char end[BOOK_KEY_MAX]);

/* Adds the reading to a draft, for when it is done or refused; and reads what it answered.
   0, -EPROTO if the keys are not ours or do not fit together, -EPROTONOSUPPORT if they are
   of another format: the desk's problem names the key. */
typedef void desk_adder(struct draft *d, const struct store_action *get);
void desk_ask_all(const struct desk_names *names, struct draft *d,
		  desk_adder *add);
int desk_read(const struct store_reply *reply, struct desk *desk);

/* The same of no more than what has been announced. */
void desk_ask_asks(const struct desk_names *names, struct draft *d,
		   desk_adder *add);
int desk_read_asks(const struct store_pairs *asks, struct desk *desk);

/* A value was read, or not: the desk's problem says so.  Gives back error. */
int desk_note(struct desk *desk, const char *key, int error);

/* How many have announced something, or that they leave, before id did. */
size_t desk_asks_before(const struct desk *desk, const char *id, bool leaves);

/* One who waits: the ticket, as in its key, and the value. */
int desk_read_waiter(const char *number, const char *value,
		     struct desk_waiter *waiter);

/* The transaction that writes it was done, at a revision, and all who wait had been read:
   what is known now, but for what has been announced. */
void desk_settle(struct desk *desk, const char *id, int64_t revision);

/* A transaction of each: once after a reading.  TAKE, of so many units, LEAVE or APPLY of
   whose desk it is. */
void desk_do(struct desk *desk, enum op op, const char *id, uint32_t units);
/* One is dead, whose seat was read so: gives back what it had, and deletes its seat. */
void desk_reap(struct desk *desk, const char *id, const struct book_seat *seat);
void desk_resize(struct desk *desk, uint32_t k);

/* What has changed; W is compared. */
void desk_write(const struct desk *desk, const struct desk_names *names,
		struct draft *d);

#endif
