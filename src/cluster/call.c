/* SPDX-License-Identifier: MIT */
/*
 * A question to the gateway: logging in, asking, and what its errors mean.
 *
 * The kind of an error is the code of gRPC, which the gateway of 3.4 calls code, or, in
 * a stream, grpc_code; the HTTP status says nothing more, and is 404 both for a lease
 * that has ended and for a server that has no gateway.  Where one code means several
 * things, the words decide.  What is known to neither list may have happened: -EAGAIN.
 */
#include "cluster/etcd.h"
#include "cluster/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- what an answer means -------------------------------------------------- */

/* gRPC's */
enum {
	INVALID_ARGUMENT = 3,
	NOT_FOUND = 5,
	PERMISSION_DENIED = 7,
	FAILED_PRECONDITION = 9,
	OUT_OF_RANGE = 11,
	UNIMPLEMENTED = 12,
	UNAUTHENTICATED = 16,
};

static bool has_any(const char *words, const char *const *list)
{
	for (; *list; list++) {
		if (strstr(words, *list))
			return true;
	}
	return false;
}

/* "user name is empty": authentication was enabled after we had found it was not. */
static const char *const of_token[] = { "invalid auth token",
					"auth store is old",
					"user name is empty", NULL };
static const char *const of_user[] = { "authentication failed",
				       "permission denied", NULL };

static int error_of(int64_t code, const char *words)
{
	if (strstr(words, "lease not found"))
		return -ENOENT;
	if (strstr(words, "has been compacted"))
		return -ESTALE;
	if (code == UNAUTHENTICATED || code == PERMISSION_DENIED ||
	    has_any(words, of_token) || has_any(words, of_user))
		return -EACCES;
	switch (code) {
	case INVALID_ARGUMENT:
	case NOT_FOUND:
	case FAILED_PRECONDITION:
	case OUT_OF_RANGE:
	case UNIMPLEMENTED:
		return -EPROTO;
	default:
		return -EAGAIN;
	}
}

int etcd_judge(struct store *s, int64_t code, const char *words)
{
	http_blame(s->http, "%s", words);
	s->token_refused = code == UNAUTHENTICATED || has_any(words, of_token);
	return error_of(code, words);
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* Who it is that answers so can often be told from the first line. */
static int judge_stranger(struct store *s, const struct wire_answer *text)
{
	char line[80];
	size_t size = 0;

	while (size < sizeof(line) - 1 && is_plain(text->body[size])) {
		line[size] = text->body[size];
		size++;
	}
	line[size] = '\0';
	http_blame(s->http,
		   "its gateway is disabled, or it is no etcd: status %ld%s%s",
		   text->status, size ? ", " : "", line);
	return -EPROTO;
}

int etcd_read(struct store *s, const struct wire_answer *text, json_t **answer)
{
	json_t *all = json_loadb(text->body, text->size, 0, NULL);
	json_t *error = json_object_get(all, "error");
	json_t *inner = json_object_get(all, "result");
	const char *words;
	int result = 0;

	if (json_is_object(error)) /* of a stream */
		result = etcd_judge(s, message_number(error, "grpc_code"),
				    (words = message_text(error, "message")) ?
					    words :
					    "an error");
	else if ((words = json_string_value(error)) ||
		 (text->status != 200 &&
		  (words = message_text(all, "message"))))
		result = etcd_judge(s, message_number(all, "code"), words);
	else if (!json_is_object(
			 json_object_get(inner ? inner : all, "header")))
		result = judge_stranger(s, text);
	else
		*answer = json_incref(inner ? inner : all);
	json_decref(all);
	return result;
}

/* --- asking ---------------------------------------------------------------- */

const char *etcd_token(const struct store *s)
{
	return s->token && *s->token ? s->token : NULL;
}

void etcd_forget_token(struct store *s)
{
	free(s->token);
	s->token = NULL;
}

static int ask(struct store *s, struct http_request *request,
	       const struct timespec *deadline, json_t **answer)
{
	struct wire_answer text;
	int result;

	request->token = etcd_token(s);
	result = http_post(s->http, request, deadline, &text);

	s->token_refused = false;
	if (!result)
		result = etcd_read(s, &text, answer);
	/* This server is cut off from the others; they may not be. */
	if (result == -EAGAIN)
		http_move_on(s->http);
	/* Newer gateways break the connection if they do not know a token. */
	if (result == -ETIMEDOUT)
		etcd_forget_token(s);
	return result;
}

int etcd_log_in(struct store *s, const struct timespec *deadline)
{
	struct http_request request = { .path = "/v3/auth/authenticate",
					.repeatable = true };
	json_t *message, *answer = NULL;
	char *body;
	int result = -ENOMEM;

	if (!s->name || s->token)
		return 0;
	message = message_login(s->name, s->password);
	request.body = body = message ? json_dumps(message, JSON_COMPACT) :
					NULL;
	json_decref(message);
	if (body)
		result = ask(s, &request, deadline, &answer);
	free(body);
	if (result == -EPROTO && strstr(store_problem(s), "not enabled")) {
		s->token = strdup("");
		return s->token ? 0 : -ENOMEM;
	}
	if (!result) {
		const char *token = message_text(answer, "token");

		s->token = strdup(token ? token : "");
		result = s->token ? 0 : -ENOMEM;
		json_decref(answer);
	}
	return result;
}

/* A refused token means that nothing was done: it can be asked again. */
static int ask_twice(struct store *s, struct http_request *request,
		     const struct timespec *deadline, json_t **answer)
{
	int result = etcd_log_in(s, deadline);

	if (!result)
		result = ask(s, request, deadline, answer);
	if (result != -EACCES || !s->token_refused || !s->token)
		return result;
	etcd_forget_token(s);
	result = etcd_log_in(s, deadline);
	return result ? result : ask(s, request, deadline, answer);
}

int etcd_call(struct store *s, const struct etcd_question *question,
	      const struct timespec *deadline, json_t **answer)
{
	char *body = question->message ?
			     json_dumps(question->message, JSON_COMPACT) :
			     NULL;
	struct http_request request = { .path = question->path,
					.body = body,
					.repeatable = question->repeatable };
	int result = -ENOMEM;

	json_decref(question->message);
	if (body)
		result = ask_twice(s, &request, deadline, answer);
	free(body);
	return result;
}
