/* SPDX-License-Identifier: MIT */
/*
 * book - what is kept in the store about a line, key by key, and as text.
 *
 *   PREFIX/w        the line: k, ISSUE, VALID, the slots that are held, how many
 *                   requests wait (struct rules_w of src/algo/cluster)
 *   PREFIX/live/ID  a participant: who it is.  Tied to its lease.
 *   PREFIX/seat/ID  what it has: nothing, tickets, or slots.  Tied to nothing, so that
 *                   whoever finds it without its live key can give that back.
 *   PREFIX/ask/ID   what it has announced
 *   PREFIX/line/T   who waits with the ticket T, a number with leading zeros, so that
 *                   the order of the keys is the order of the line
 *
 * ID is the lease, which several participants of a host may share, and a number, both in
 * hexadecimal digits.  Every value is a JSON object with the format's
 * number; what has another one is refused.
 */
#ifndef WICKET_CLUSTER_BOOK_H
#define WICKET_CLUSTER_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/cluster/rules.h"

enum {
	BOOK_FORMAT = 1,
	BOOK_KEY_MAX = 512,
	BOOK_ID_MAX = 40,
	BOOK_BLOCK = 1 << 20, /* tickets of a colour: as many may wait */
};

struct book_w {
	struct rules_w rules;
	uint32_t waiting; /* requests in line */
	/* since it was created: granted, given back for the dead, given up */
	int64_t grants, recovered, abandoned;
	int64_t longest_wait; /* seconds */
};

enum book_phase { BOOK_OUT, BOOK_WAITS, BOOK_HOLDS };

struct book_seat {
	enum book_phase phase;
	uint32_t units;
	struct ticket last; /* of its tickets */
	int64_t fence;	    /* 0: the revision of this value is the fence */
	int64_t since;	    /* seconds of the epoch */
	uint32_t slots[RULES_SLOTS_MAX]; /* units of them, if it holds */
};

enum book_ask_kind { BOOK_ASK_TAKE, BOOK_ASK_LEAVE };

/* Who asks to leave says which slots it holds: as long as it asks, it holds them. */
struct book_ask {
	enum book_ask_kind kind;
	uint32_t units;
	uint32_t slots[RULES_SLOTS_MAX];
};

struct book_waiter {
	char id[BOOK_ID_MAX];
	uint32_t units;
	int64_t since; /* seconds of the epoch */
};

struct book_person {
	char host[65], comm[16];
	int64_t pid, uid;
};

/* Texts are to be freed; null: no memory.  Readers return 0, -EPROTO if that is not
   ours, or -EPROTONOSUPPORT if it is of another format. */
char *book_w_text(const struct book_w *w);
int book_read_w(const char *text, struct book_w *w);
char *book_seat_text(const struct book_seat *s);
int book_read_seat(const char *text, struct book_seat *s);
char *book_ask_text(const struct book_ask *a);
int book_read_ask(const char *text, struct book_ask *a);
char *book_waiter_text(const struct book_waiter *w);
int book_read_waiter(const char *text, struct book_waiter *w);
char *book_person_text(const struct book_person *p);
int book_read_person(const char *text, struct book_person *p);

#endif
