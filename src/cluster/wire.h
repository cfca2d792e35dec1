/* SPDX-License-Identifier: MIT */
/*
 * wire - one request to one server, and its answer; by libcurl.
 *
 * A wire keeps its connection for the next request to the same server.  A request is
 * put on a connection once: what libcurl would quietly send again fails instead.
 */
#ifndef WICKET_CLUSTER_WIRE_H
#define WICKET_CLUSTER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct wire;

struct wire_settings {
	const char *cacert, *cert, *key; /* files, or null */
	long dial_ms;			 /* for a connection, TLS included */
};

/* Null: no memory, or no descriptors. */
struct wire *wire_new(const struct wire_settings *settings);
void wire_free(struct wire *wire);

/* token may be null.  A request that is still under way is abandoned. */
struct wire_request {
	const char *url, *body, *token;
	bool needs_leader; /* refuse it, and end it, if there is no leader */
};

int wire_start(struct wire *wire, const struct wire_request *request);
void wire_abandon(struct wire *wire);

/* The body belongs to the wire, and stays until the next call. */
struct wire_answer {
	long status;
	char *body; /* ends in a zero */
	size_t size;
};

/* Waits for a connection until connect_by, and for all of the answer until deadline.
   0, or:
     -ECONNREFUSED  nothing was sent
     -ETIMEDOUT     it was sent, or a part of it, and there is no answer
     -EACCES        TLS: one of the certificates is refused; nothing was accepted
     -EPROTO        that is no such server, or no address
     -EPROTOTYPE    that server does not speak TLS, and should
     -ENOMEM */
int wire_finish(struct wire *wire, const struct timespec *connect_by,
		const struct timespec *deadline, struct wire_answer *answer);

/* Waits for the next line of the answer, or what there is at its end.  As wire_finish,
   and
     -EINTR         wake_fd, unless it is -1, became readable
     -EPIPE         it was sent, and the answer has ended
     -ETIMEDOUT     the deadline has passed; the request is still under way */
int wire_line(struct wire *wire, const struct timespec *deadline, int wake_fd,
	      struct wire_answer *answer);

/* Was it put on a connection? */
bool wire_was_sent(const struct wire *wire);

/* Of one that failed: was there a connection, on which TLS could not be agreed? */
bool wire_failed_in_tls(const struct wire *wire);

/* In words: what the last failure was. */
const char *wire_problem(const struct wire *wire);

/* Of a deadline, which is a time of CLOCK_BOOTTIME. */
bool wire_is_past(const struct timespec *deadline);

/* Sleeps so long.  0, or -EINTR: wake_fd became readable, or -ETIMEDOUT. */
int wire_pause(struct wire *wire, int ms, const struct timespec *deadline,
	       int wake_fd);

#endif
