/* SPDX-License-Identifier: MIT */
/*
 * wicket-etcd - a line in etcd: k slots among processes of several machines, first come,
 * first served.  The words are those of wicket.h.
 *
 *	struct wicket_etcd *line;
 *	struct wicket_etcd_options options = { .store = "etcd://db1:2379,db2:2379",
 *					       .slots = 3, .flags = WICKET_CREATE };
 *	struct wicket_etcd_grant grant;
 *
 *	if (wicket_etcd_open(&line, "gpu", &options) < 0)
 *		...
 *	if (wicket_etcd_acquire(line, 1, NULL, &grant) == 0) {
 *		use(grant.slots[0], grant.fence);	until wicket_etcd_deadline
 *		wicket_etcd_release(line);
 *	}
 *	wicket_etcd_close(line);
 *
 * Who is dead is judged by a lease: after its time to live without a word, a host has
 * lost what its processes had, also if they merely could not be reached.  So a holder
 * must stop by wicket_etcd_deadline, which moves on as long as the lease is kept alive;
 * and it should hand its fence to what it uses: a resource that refuses a lesser fence
 * than it has seen is never written by an old holder after a new one.
 *
 * Functions return 0 or more on success and a negative errno on failure:
 *   -ECONNREFUSED  no server could be reached
 *   -ETIMEDOUT     the time was up; or no server answered in time
 *   -EAGAIN        the servers have no leader, or no quorum
 *   -EACCES        the user, the password or the certificate is refused
 *   -EPROTO        that is no etcd gateway, or the keys are not those of a line
 *   -EPROTONOSUPPORT  the line is of another format
 *   -ENOLCK        the lease has ended, and with it what the handle had: open another
 *   -ESTALE        the line was removed
 *   -EINVAL        impossible numbers or name, or a store that is none
 * wicket_etcd_problem says more, in words.  While no server answers, acquire and release
 * try again until their deadline, or that of the lease.
 *
 * A handle belongs to the thread that opened it; only wicket_etcd_cancel and
 * wicket_etcd_deadline may be called by others, and the former by signal handlers.  Each
 * process that has a handle has a thread that keeps the lease alive, which all processes
 * of a host and a user share.  In a forked child a handle must not be used, except for
 * its deadline.
 */
#ifndef WICKET_ETCD_H
#define WICKET_ETCD_H

#include <stdint.h>

#include "wicket.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define WICKET_ETCD_TTL_DEFAULT 10
#define WICKET_ETCD_TTL_MIN	2
#define WICKET_ETCD_TTL_MAX	86400
#define WICKET_ETCD_PROBLEM	640

struct wicket_etcd;

/* What is null is taken from etcdctl's variables: ETCDCTL_CACERT, ETCDCTL_CERT,
   ETCDCTL_KEY, ETCDCTL_USER, ETCDCTL_PASSWORD, ETCDCTL_DIAL_TIMEOUT. */
struct wicket_etcd_options {
	/* etcd://HOST:PORT[,HOST:PORT...][/PREFIX]; etcds:// for TLS.  Without a
	   host: ETCDCTL_ENDPOINTS, or 127.0.0.1:2379.  PREFIX is of all lines:
	   "wicket" unless it is given. */
	const char *store;
	const char *cacert, *cert, *key; /* files */
	const char *user, *password;	 /* NAME:PASSWORD, or apart */
	uint32_t slots; /* k; 0: the line's k, or 1 if it is new */
	uint32_t ttl;	/* seconds of the lease; 0: 10 */
	uint32_t
		flags; /* WICKET_CREATE; WICKET_VIEW: to inspect, check and resize */
	/* By CLOCK_MONOTONIC: when to give up opening.  Null: after the time of a lease,
	   or sooner. */
	const struct timespec *deadline;
	char *problem; /* null, or WICKET_ETCD_PROBLEM bytes: what went wrong */
};

/* -ENOENT no such line; -EEXIST the line has another k. */
int wicket_etcd_open(struct wicket_etcd **line, const char *name,
		     const struct wicket_etcd_options *options);

/* Gives back what the handle has. */
void wicket_etcd_close(struct wicket_etcd *line);

struct wicket_etcd_grant {
	uint32_t units;
	uint32_t value, colour; /* the last of its tickets */
	int64_t fence;		/* greater than that of any holder before */
	uint32_t slots[WICKET_SLOTS_MAX + 1]; /* units of them */
};

/*
 * Takes tickets for so many slots, waits until all of them are valid, and enters: all or
 * nothing, and nobody overtakes.  deadline is of CLOCK_MONOTONIC, or null.
 *
 * -EINVAL more units than the line has slots; but a line of no slots is waited for: see
 * resize.  -EDEADLK the handle has slots already; -ECANCELED see wicket_etcd_cancel;
 * -ETIMEDOUT.
 */
int wicket_etcd_acquire(struct wicket_etcd *line, uint32_t units,
			const struct timespec *deadline,
			struct wicket_etcd_grant *grant);

/* Only if it need not wait: else -EAGAIN. */
int wicket_etcd_try(struct wicket_etcd *line, uint32_t units,
		    struct wicket_etcd_grant *grant);

/* -EPERM the handle has no slots; -ENOLCK they were lost before. */
int wicket_etcd_release(struct wicket_etcd *line);

/* Makes the acquire that waits, or the next one, return -ECANCELED. */
void wicket_etcd_cancel(struct wicket_etcd *line);

/* When a holder must be out, by CLOCK_BOOTTIME.  It moves on; all zeros: the lease has
   ended. */
struct timespec wicket_etcd_deadline(const struct wicket_etcd *line);

/* Changes k.  Who holds a slot keeps it.  0: nobody is let in any more. */
int wicket_etcd_resize(struct wicket_etcd *line, uint32_t slots);

/* In words, without a newline: what the last error was. */
const char *wicket_etcd_problem(const struct wicket_etcd *line);

struct wicket_etcd_entry {
	char host[65], comm[16];
	int64_t pid, uid;
	uint32_t flags; /* WICKET_HOLDS; WICKET_LEFT: its lease has ended */
	uint32_t place; /* the slot; or the position in line, from 1 */
	uint32_t units; /* of the request that it belongs to */
	uint32_t value, colour; /* the last of its tickets */
	int64_t fence;		/* of a holder */
	int64_t since; /* seconds of the epoch, by a clock of some host */
};

struct wicket_etcd_view {
	uint32_t slots;
	uint32_t holding, waiting; /* entries of each kind */
	uint64_t grants, recovered, abandoned;
	int64_t longest_wait; /* seconds */
	int64_t revision;     /* of the store */
};

/* Lists the holders, an entry for each slot, by slot, and then the waiters in order, all
   as of one moment.  Fills up to room entries, and returns how many there are. */
int wicket_etcd_inspect(struct wicket_etcd *line, struct wicket_etcd_view *view,
			struct wicket_etcd_entry *entries, size_t room);

/* As wicket_check: changes nothing, and returns how many findings were wrong. */
int wicket_etcd_check(struct wicket_etcd *line,
		      void (*tell)(void *arg, enum wicket_finding kind,
				   const char *text),
		      void *arg);

/* Removes a line in which nobody holds a slot or waits: else -EBUSY.  -ENOENT.  Handles
   that are open get -ESTALE or -ENOLCK. */
int wicket_etcd_remove(const char *name,
		       const struct wicket_etcd_options *options);

/* Calls tell with the name of each line, by name. */
int wicket_etcd_list(const struct wicket_etcd_options *options,
		     void (*tell)(void *arg, const char *name), void *arg);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
