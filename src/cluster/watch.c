/* SPDX-License-Identifier: MIT */
/*
 * The watch.  It is a stream of messages, each a line, that stays open from one call to
 * the next.  It can be opened again at any time, on any endpoint, from the revision
 * that is waited for: nothing is lost by it, and nothing comes that is not wanted,
 * because earlier changes are passed over.
 */
#include "cluster/etcd.h"
#include "cluster/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct wait {
	const char *key;
	int64_t revision;
	const struct timespec *deadline;
	int wake_fd;
};

static void forget_events(struct watch *w)
{
	json_decref(w->events);
	w->events = NULL;
	w->at = 0;
}

void etcd_forget_watch(struct store *s)
{
	http_stream_close(s->http);
	forget_events(&s->watch);
	free(s->watch.key);
	s->watch.key = NULL;
}

/* Does the stream give all that is asked for? */
static bool is_the_same(const struct watch *w, const struct wait *wait)
{
	return w->key && !strcmp(w->key, wait->key) &&
	       w->next <= wait->revision;
}

/* The first change that has come and is not too early: 1, or 0 if there is none. */
static int take_event(struct watch *w, const struct wait *wait,
		      struct store_pair *change)
{
	while (w->at < json_array_size(w->events)) {
		const json_t *event = json_array_get(w->events, w->at++);
		const json_t *pair = json_object_get(event, "kv");
		const char *type = message_text(event, "type");
		int64_t revision = message_number(pair, "mod_revision");
		int result;

		if (revision < wait->revision)
			continue;
		result = message_read_pair(
			pair, !type || strcmp(type, "DELETE") != 0, change);
		if (result)
			return result;
		w->next = revision + 1;
		return 1;
	}
	forget_events(w);
	return 0;
}

static int open_stream(struct store *s, const struct wait *wait)
{
	json_t *message = message_watch(wait->key, wait->revision);
	char *key = strdup(wait->key), *body = NULL;
	struct http_request request = { .path = "/v3/watch" };
	int result = -ENOMEM;

	if (message && key)
		request.body = body = json_dumps(message, JSON_COMPACT);
	etcd_forget_watch(s);
	request.token = etcd_token(s);
	if (body)
		result = http_stream_open(s->http, &request);
	if (result) {
		free(key);
	} else {
		s->watch.key = key;
		s->watch.next = wait->revision;
	}
	json_decref(message);
	free(body);
	return result;
}

/* The server ends the watch: -ESTALE, or what it gives as a reason. */
static int cancelled(struct store *s, const json_t *message)
{
	static const char before[] = " desc = "; /* "rpc error: code = ..." */
	const char *words = message_text(message, "cancel_reason");
	const char *plain = words ? strstr(words, before) : NULL;

	if (message_number(message, "compact_revision"))
		return etcd_judge(s, 0, "the revision has been compacted");
	if (plain)
		words = plain + strlen(before);
	return etcd_judge(s, 0, words ? words : "the watch was cancelled");
}

/* Waits for a message, and keeps the changes that are in it. */
static int next_message(struct store *s, const struct wait *wait)
{
	struct wire_answer line;
	json_t *message;
	int result = http_stream_line(s->http, wait->deadline, wait->wake_fd,
				      &line);

	if (!result)
		result = etcd_read(s, &line, &message);
	if (result)
		return result;
	s->watch.failures = 0;
	if (message_is_true(message, "canceled")) {
		result = cancelled(s, message);
	} else {
		s->watch.events =
			json_incref(json_object_get(message, "events"));
		if (s->watch.events)
			s->watch.refused = false;
	}
	json_decref(message);
	return result;
}

/* The stream is over.  0: it is worth opening it again; else the error stays. */
static int recover(struct store *s, int error, const struct wait *wait)
{
	int rest;

	etcd_forget_watch(s);
	if (error == -EACCES && s->name && !s->watch.refused) {
		s->watch.refused = true;
		etcd_forget_token(s);
		return 0;
	}
	if (error == -EAGAIN)
		http_move_on(s->http);
	else if (error != -EPIPE && error != -ECONNREFUSED)
		return error;
	rest = http_rest(s->http, ++s->watch.failures, wait->deadline,
			 wait->wake_fd);
	return rest == -ETIMEDOUT ? error : rest;
}

/* Opens the stream if there is none, and listens to it. */
static int listen_once(struct store *s, const struct wait *wait)
{
	int result;

	if (http_stream_is_open(s->http))
		return next_message(s, wait);
	result = etcd_log_in(s, wait->deadline);
	if (result == -ETIMEDOUT)
		return -EPIPE;
	return result ? result : open_stream(s, wait);
}

int store_watch(struct store *s, const char *key, int64_t revision,
		const struct timespec *deadline, int wake_fd,
		struct store_pair *change)
{
	const struct wait wait = { key, revision, deadline, wake_fd };

	if (!is_the_same(&s->watch, &wait))
		etcd_forget_watch(s);
	s->watch.refused = false;
	for (;;) {
		int result = take_event(&s->watch, &wait, change);

		if (result)
			return result > 0 ? 0 : result;
		result = listen_once(s, &wait);
		if (!result)
			continue;
		if (result != -EINTR && result != -ETIMEDOUT)
			result = recover(s, result, &wait);
		if (result == -EPIPE || result == -EAGAIN)
			return -ETIMEDOUT;
		if (result)
			return result;
	}
}
