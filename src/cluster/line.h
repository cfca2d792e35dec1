/* SPDX-License-Identifier: MIT */
/*
 * line - a participant of a line in a store: takes, waits, enters, leaves.
 *
 * What it does after each answer is src/algo/cluster/client.h; doc/cluster.md says why.
 * A handle belongs to the thread that opened it; cluster_cancel may be called by others
 * and by signal handlers.  Functions return 0 or a negative errno, those of store.h
 * among them; cluster_problem says more in words.
 */
#ifndef WICKET_CLUSTER_LINE_H
#define WICKET_CLUSTER_LINE_H

#include "cluster/book.h"
#include "cluster/store.h"

struct cluster_line;

struct cluster_options {
	struct store_options store;
	const char *prefix; /* of all lines; null: "wicket/" */
	uint32_t slots;	    /* 0: those that the line has */
	bool creates;	    /* if there is no such line; it needs slots */
	int64_t ttl;	    /* seconds of the lease; 0: 10 */
};

struct cluster_grant {
	uint32_t units;
	uint32_t slots[RULES_SLOTS_MAX];
	struct ticket ticket; /* the last of its tickets */
	int64_t fence;
};

/* -ENOENT there is no such line; -EEXIST it has another number of slots; -EPROTO its
   keys are not ours; -EPROTONOSUPPORT they are of another format. */
int cluster_open(struct cluster_line **line, const char *name,
		 const struct cluster_options *options);
/* Gives back what it has. */
void cluster_close(struct cluster_line *line);

/* deadline, of CLOCK_BOOTTIME, may be null.  -ETIMEDOUT; -ECANCELED; -EINVAL more units
   than the line has slots; -ENOLCK the lease has ended: open the line again. */
int cluster_acquire(struct cluster_line *line, uint32_t units,
		    const struct timespec *deadline,
		    struct cluster_grant *grant);
/* Only if it need not wait: else -EAGAIN. */
int cluster_try(struct cluster_line *line, uint32_t units,
		struct cluster_grant *grant);
/* -ENOLCK: the slots were lost before. */
int cluster_release(struct cluster_line *line);
void cluster_cancel(struct cluster_line *line);

/* When it must be out; all 0: at once, the lease has ended. */
struct timespec cluster_deadline(const struct cluster_line *line);

/* k may be 0: nobody is let in any more. */
int cluster_resize(struct cluster_line *line, uint32_t k);

const char *cluster_problem(const struct cluster_line *line);

#endif
