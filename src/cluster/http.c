/* SPDX-License-Identifier: MIT */
#include "cluster/http.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	/* between two rounds through all endpoints; more from one to the next */
	REST_MS = 100,
	REST_MAX_MS = 1000,
	/* what one of several endpoints gets at least, and what the probe for TLS gets
	   at most */
	SHARE_MS = 100,
	PROBE_MS = 500,
	PROBLEM_ROOM = 600,
};

/* Which endpoint of a list requests of this process go to.  It is never freed: handles
   come and go, and there are few lists. */
struct choice {
	struct choice *next;
	size_t endpoint;
	char list[];
};

static pthread_mutex_t choice_lock = PTHREAD_MUTEX_INITIALIZER;

struct http {
	struct choice *choice;
	char **endpoints;
	size_t count,
		current; /* as the choice was when the last request began */
	struct wire *post, *stream;
	bool has_stream;
	size_t stream_from; /* this endpoint */
	long dial_ms;
	char problem[PROBLEM_ROOM];
};

/* --- endpoints ------------------------------------------------------------- */

static int add_endpoint(struct http *h, const char *text, int size, bool tls)
{
	const char *scheme = memmem(text, (size_t)size, "://", 3) ? "" :
			     tls				  ? "https://" :
								    "http://";
	char **longer = realloc(h->endpoints, (h->count + 1) * sizeof(*longer));

	if (!longer)
		return -ENOMEM;
	h->endpoints = longer;
	if (asprintf(&longer[h->count], "%s%.*s", scheme, size, text) < 0)
		return -ENOMEM;
	h->count++;
	return 0;
}

static int add_endpoints(struct http *h, const char *list, bool tls)
{
	static const char outside[] = ", \t\n", slash[] = ", \t\n/";

	while (*(list += strspn(list, outside))) {
		size_t size = strcspn(list, outside), end = size;

		while (end && strchr(slash, list[end - 1]))
			end--;
		if (add_endpoint(h, list, (int)end, tls))
			return -ENOMEM;
		list += size;
	}
	return 0;
}

static struct choice *new_choice(const char *list, struct choice *next)
{
	struct choice *c = calloc(1, sizeof(*c) + strlen(list) + 1);

	if (c) {
		strcpy(c->list, list);
		c->next = next;
	}
	return c;
}

/* Null: no memory. */
static struct choice *choice_of(const char *list)
{
	static struct choice *all;
	struct choice *c;

	pthread_mutex_lock(&choice_lock);
	for (c = all; c && strcmp(c->list, list) != 0;)
		c = c->next;
	if (!c) {
		c = new_choice(list, all);
		all = c ? c : all;
	}
	pthread_mutex_unlock(&choice_lock);
	return c;
}

int http_open(struct http **http, const struct http_settings *settings)
{
	const struct wire_settings *w = &settings->wire;
	struct http *h = calloc(1, sizeof(*h));

	if (!h)
		return -ENOMEM;
	h->dial_ms = w->dial_ms;
	h->post = wire_new(w);
	h->stream = wire_new(w);
	h->choice = choice_of(settings->endpoints);
	if (!h->post || !h->stream || !h->choice ||
	    add_endpoints(h, settings->endpoints,
			  w->cacert || w->cert || w->key)) {
		http_close(h);
		return -ENOMEM;
	}
	if (!h->count) {
		http_close(h);
		return -EINVAL;
	}
	*http = h;
	return 0;
}

void http_close(struct http *h)
{
	wire_free(h->post);
	wire_free(h->stream);
	for (size_t i = 0; i < h->count; i++)
		free(h->endpoints[i]);
	free(h->endpoints);
	free(h);
}

/* Another handle may have moved on from this endpoint before, and further. */
void http_move_on(struct http *h)
{
	size_t from = h->current;

	h->current = (from + 1) % h->count;
	pthread_mutex_lock(&choice_lock);
	if (h->choice->endpoint == from)
		h->choice->endpoint = h->current;
	pthread_mutex_unlock(&choice_lock);
}

void http_blame(struct http *h, const char *format, ...)
{
	int size = snprintf(h->problem, sizeof(h->problem),
			    "%s: ", h->endpoints[h->current]);
	va_list words;

	if (size < 0 || size >= PROBLEM_ROOM)
		return;
	va_start(words, format);
	vsnprintf(h->problem + size, sizeof(h->problem) - (size_t)size, format,
		  words);
	va_end(words);
}

const char *http_problem(const struct http *h)
{
	return h->problem;
}

/* --- requests -------------------------------------------------------------- */

/* A part of the time that is left, but so long at least, or at most, within it. */
static struct timespec part_of(const struct timespec *deadline, size_t parts,
			       int64_t least_ms, int64_t most_ms)
{
	static const int64_t second = 1000000000, ms = 1000000;
	struct timespec now;
	int64_t part;

	clock_gettime(CLOCK_BOOTTIME, &now);
	part = ((deadline->tv_sec - now.tv_sec) * second +
		(deadline->tv_nsec - now.tv_nsec)) /
	       (int64_t)parts;
	if (parts == 1 || part < 0)
		return *deadline;
	if (part < least_ms * ms)
		part = least_ms * ms;
	if (part > most_ms * ms)
		part = most_ms * ms;
	part += now.tv_nsec;
	now.tv_sec += part / second;
	now.tv_nsec = part % second;
	return now;
}

static int start(const struct http *h, struct wire *wire, bool needs_leader,
		 const struct http_request *request)
{
	struct wire_request whole = { .body = request->body,
				      .token = request->token,
				      .needs_leader = needs_leader };
	char *url;
	int result;

	if (asprintf(&url, "%s%s", h->endpoints[h->current], request->path) < 0)
		return -ENOMEM;
	whole.url = url;
	result = wire_start(wire, &whole);
	free(url);
	return result;
}

/*
 * etcd without TLS closes the connection when it is greeted with it, as any server may
 * that is killed just then.  But it answers if it is asked without, and nobody who speaks
 * TLS says 200 to that.  What is asked need not be hidden.
 */
static bool answers_without_tls(const struct http *h, const char *address,
				const struct timespec *deadline)
{
	const struct wire_settings settings = { .dial_ms = h->dial_ms };
	const struct timespec end = part_of(deadline, 3, 0, PROBE_MS);
	struct wire_request request = { .body = "{}" };
	struct wire *wire = wire_new(&settings);
	struct wire_answer answer;
	bool answers = false;
	char *url;

	if (wire &&
	    asprintf(&url, "http://%s/v3/maintenance/status", address) >= 0) {
		request.url = url;
		answers = !wire_start(wire, &request) &&
			  !wire_finish(wire, &end, &end, &answer) &&
			  answer.status == 200;
		free(url);
	}
	wire_free(wire);
	return answers;
}

/* What failed on a wire, in words.  The error, or another that is more exact. */
static int explain(struct http *h, const struct wire *wire, int error,
		   const struct timespec *deadline)
{
	static const char tls[] = "https://";
	const char *address = h->endpoints[h->current];

	if (error == -ECONNREFUSED && wire_failed_in_tls(wire) &&
	    !strncasecmp(address, tls, strlen(tls)) &&
	    answers_without_tls(h, address + strlen(tls), deadline)) {
		http_blame(h, "that server does not speak TLS");
		return -EPROTOTYPE;
	}
	http_blame(h, "%s", wire_problem(wire));
	return error;
}

/* The current endpoint, while there are so many that were not tried. */
static int post_to_one(struct http *h, const struct http_request *request,
		       size_t left, const struct timespec *deadline,
		       struct wire_answer *answer)
{
	const struct timespec share = part_of(deadline, left, SHARE_MS,
					      INT32_MAX);
	int result = start(h, h->post, false, request);

	return result ? result :
			wire_finish(h->post, &share,
				    request->repeatable ? &share : deadline,
				    answer);
}

int http_post(struct http *h, const struct http_request *request,
	      const struct timespec *deadline, struct wire_answer *answer)
{
	int worst = -ECONNREFUSED;

	pthread_mutex_lock(&choice_lock);
	h->current = h->choice->endpoint;
	pthread_mutex_unlock(&choice_lock);
	for (size_t tried = 0; tried < h->count; tried++) {
		int result = post_to_one(h, request, h->count - tried, deadline,
					 answer);
		bool sent;

		if (!result || result == -ENOMEM)
			return result;
		/* Of several that were sent nothing, that a certificate is
		   refused is worth more words than that somebody is away. */
		sent = wire_was_sent(h->post);
		if (sent || worst == -ECONNREFUSED)
			worst = explain(h, h->post, result, deadline);
		http_move_on(h);
		if (sent && !(result == -ETIMEDOUT && request->repeatable))
			break;
		if (wire_is_past(deadline))
			break;
	}
	return worst;
}

/* --- the stream ------------------------------------------------------------ */

int http_stream_open(struct http *h, const struct http_request *request)
{
	int result;

	http_stream_close(h);
	result = start(h, h->stream, true, request);
	h->has_stream = !result;
	h->stream_from = h->current;
	return result;
}

void http_stream_close(struct http *h)
{
	wire_abandon(h->stream);
	h->has_stream = false;
}

bool http_stream_is_open(const struct http *h)
{
	return h->has_stream && h->stream_from == h->current;
}

int http_stream_line(struct http *h, const struct timespec *deadline,
		     int wake_fd, struct wire_answer *answer)
{
	int result = wire_line(h->stream, deadline, wake_fd, answer);

	if (!result || result == -EINTR || result == -ETIMEDOUT)
		return result;
	result = explain(h, h->stream, result, deadline);
	http_stream_close(h);
	http_move_on(h);
	return result;
}

int http_rest(struct http *h, size_t failures, const struct timespec *deadline,
	      int wake_fd)
{
	size_t ms = failures / h->count * REST_MS;

	return wire_pause(h->stream,
			  ms < REST_MAX_MS ? (int)ms : (int)REST_MAX_MS,
			  deadline, wake_fd);
}
