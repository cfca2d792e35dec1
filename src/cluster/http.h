/* SPDX-License-Identifier: MIT */
/*
 * http - requests to one of several servers, and a stream from one of them.
 *
 * The endpoints are the members of one cluster: any of them will do.  Requests go to
 * the current one.  If there is no connection to it, so that nothing was sent, they go
 * to the next, which becomes the current one.  If a request was sent, and there is no
 * answer, it is not sent again, unless it is one that may be repeated, but later ones go
 * to the next.  None of several endpoints uses up the time of the others.
 *
 * The current one is the same for all handles of a process that have the same list: what
 * one of them has found out in vain, the others need not.
 */
#ifndef WICKET_CLUSTER_HTTP_H
#define WICKET_CLUSTER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "cluster/wire.h"

struct http;

/* endpoints is a list with commas between.  One without http:// or https:// is taken
   for one with TLS if there are certificates, as etcdctl does. */
struct http_settings {
	const char *endpoints;
	struct wire_settings wire;
};

/* 0, -ENOMEM, or -EINVAL: there are no endpoints. */
int http_open(struct http **http, const struct http_settings *settings);
void http_close(struct http *http);

/* token may be null. */
struct http_request {
	const char *path, *body, *token;
	bool repeatable; /* it does no harm if it is done twice */
};

/* As wire_finish; -ECONNREFUSED, -EACCES, -EPROTO and -EPROTOTYPE
   if no endpoint was better. */
int http_post(struct http *http, const struct http_request *request,
	      const struct timespec *deadline, struct wire_answer *answer);

/* The stream: a request to the current endpoint whose answer goes on. */
int http_stream_open(struct http *http, const struct http_request *request);
void http_stream_close(struct http *http);

/* Is there a stream, from the endpoint to which requests go now? */
bool http_stream_is_open(const struct http *http);

/* As wire_line.  Any error but -EINTR and -ETIMEDOUT is the end of the stream. */
int http_stream_line(struct http *http, const struct timespec *deadline,
		     int wake_fd, struct wire_answer *answer);

/* Sleeps after so many failures one after another, if they are more than the endpoints:
   nobody is helped by being asked without pause.  0, -EINTR or -ETIMEDOUT. */
int http_rest(struct http *http, size_t failures,
	      const struct timespec *deadline, int wake_fd);

/* Later requests go to the next endpoint. */
void http_move_on(struct http *http);

/* What was wrong with the current endpoint, in words. */
__attribute__((format(printf, 2, 3))) void http_blame(struct http *http,
						      const char *format, ...);
const char *http_problem(const struct http *http);

#endif
