/* SPDX-License-Identifier: MIT */
/*
 * store - what the line needs of a store: seven operations.
 *
 * A store keeps values under keys.  Every change has a revision, a number that only
 * grows.  A transaction compares revisions of keys, and then does one of two lists of
 * things, all at once.  A lease ends unless it is kept alive, and takes the keys that
 * are tied to it with it.
 *
 * A handle belongs to one thread at a time.  Functions return 0 or a negative errno:
 *   -ECONNREFUSED  no server could be reached, and nothing was sent to one
 *   -ETIMEDOUT     it was sent, and no answer came by the deadline, or the connection
 *                  broke: it may have happened, may happen later, or never
 *   -EAGAIN        a server answered that it has no leader or no quorum, or is
 *                  overloaded: as -ETIMEDOUT, it may have happened
 *   -EACCES        the user, the password, the token or the certificate is refused
 *   -EPROTO        that is no etcd gateway, or one that we do not understand
 *   -EPROTOTYPE    the server does not speak TLS, and should
 *   -ENOENT        there is no such lease
 *   -ESTALE        the revision has been compacted
 *   -EINTR         wake_fd became readable
 *   -EINVAL        more actions than there may be; of store_open, no endpoint, no time, or a
 *                  file that cannot be read
 *   -ENOMEM
 * store_problem says in a line of words what the last one was.
 */
#ifndef WICKET_CLUSTER_STORE_H
#define WICKET_CLUSTER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct store;

/* Null: not said.  Whatever is null is taken from etcdctl's variable of that name. */
struct store_options {
	const char *
		endpoints; /* HOST:PORT[,HOST:PORT...]; with https:// for TLS */
	const char *cacert, *cert, *key; /* files */
	const char *user;		 /* NAME:PASSWORD, or NAME */
	const char *password;
	double dial_timeout; /* seconds; 0: 2 */
	char *problem; /* STORE_PROBLEM bytes, or null: why store_open says -EINVAL */
};

enum { STORE_PROBLEM = 200 };

int store_open(struct store **store, const struct store_options *options);
void store_close(struct store *store);

/* In words, without a newline: what was wrong, and with which server. */
const char *store_problem(const struct store *store);

/* A key, its value, and the revisions at which it was last changed and created. */
struct store_pair {
	char *key, *value;
	int64_t changed, created;
};

struct store_pairs {
	struct store_pair *pair;
	size_t count;
	bool more; /* than the limit */
};

/* Is this the revision at which the key was last changed, or created?  0: is there no
   such key? */
enum store_what { STORE_CHANGED, STORE_CREATED };

struct store_compare {
	const char *key;
	enum store_what what;
	int64_t revision;
};

enum store_kind { STORE_PUT, STORE_DELETE, STORE_GET };

/* end is null: this key alone.  Else all keys from key on that are before end.  GET
   answers in the order of the keys, or of their creation. */
struct store_action {
	enum store_kind kind;
	const char *key, *end;
	const char *value; /* PUT */
	int64_t lease;	   /* PUT; 0: none */
	int64_t limit;	   /* GET; 0: none */
	bool by_creation;  /* GET */
	bool keys_only;	   /* GET */
};

enum { STORE_ACTIONS_MAX = 128, STORE_GETS_MAX = 8 };

struct store_transaction {
	const struct store_compare *compare;
	size_t compares;
	const struct store_action *then, *otherwise;
	size_t thens, otherwises;
};

struct store_reply {
	bool succeeded;	  /* all comparisons held */
	int64_t revision; /* of the store, after it */
	struct store_pairs
		got[STORE_GETS_MAX]; /* one for each GET that was done */
	size_t gets;
};

/* A transaction without comparisons does what is in then.  deadline is a time of
   CLOCK_BOOTTIME.  The reply is to be freed if and only if 0 is returned. */
int store_transact(struct store *store, const struct store_transaction *t,
		   const struct timespec *deadline, struct store_reply *reply);
void store_free_reply(struct store_reply *reply);

/* Waits for the first change of a key at or after a revision.  value is null if the key
   was deleted.  -ETIMEDOUT: there was none.  -ECONNREFUSED: nor was there a server, until
   the deadline.  wake_fd may be -1.  The watch stays open between calls with the same
   key and a later revision. */
int store_watch(struct store *store, const char *key, int64_t revision,
		const struct timespec *deadline, int wake_fd,
		struct store_pair *change);
void store_free_pair(struct store_pair *pair);

/* A lease of so many seconds; the store may grant more. */
int store_grant(struct store *store, int64_t seconds,
		const struct timespec *deadline, int64_t *lease,
		int64_t *granted);
/* -ENOENT: it has ended. */
int store_keep_alive(struct store *store, int64_t lease,
		     const struct timespec *deadline, int64_t *left);
int store_revoke(struct store *store, int64_t lease,
		 const struct timespec *deadline);

#endif
