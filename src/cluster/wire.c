/* SPDX-License-Identifier: MIT */
/*
 * A request goes out once.  libcurl keeps connections.  When it puts a request on one
 * that it has used before, and the server closes it without a byte of answer, libcurl
 * takes it for a connection that had been dead all the time, opens another, and sends
 * the request again, POST or not.  But a server that was killed after it had read a
 * transaction looks just like that: the transaction would happen twice, and nobody would
 * know.  Before each sending, the first and any other, libcurl calls
 * CURLOPT_PREREQFUNCTION (7.80), when there is a connection and nothing was sent yet:
 * ours lets it pass once in a request, and so also knows whether anything was sent.
 * tests/cluster/retry.c shows both: libcurl doing it, and us not.
 *
 * HTTP/1.1 alone, because with HTTP/2 there is another reason to send again (a stream
 * that was refused).  No "Expect: 100-continue", after which a refusal is a reason too.
 * No redirection.  No proxy, which makes an answer of what is none.
 */
#include "cluster/wire.h"
#include "cluster/verdict.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* No answer of ours is nearly as long. */
enum { BODY_MAX = 64 << 20 };

struct wire {
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	int alarm; /* rings at the deadline, even if the machine slept meanwhile */
	bool started, sent, ended;
	bool was_answered; /* by a server, at some time */
	CURLcode result;
	char error[CURL_ERROR_SIZE];
	char *body;
	size_t size, room;
	size_t taken; /* of body, by wire_line */
	struct verdict verdict;
};

/* --- what libcurl calls ---------------------------------------------------- */

static size_t receive(char *data, size_t one, size_t size, void *of)
{
	struct wire *w = of;

	(void)one;
	if (size > BODY_MAX - w->size)
		return 0;
	if (w->size + size >= w->room) {
		size_t room = 2 * (w->size + size);
		char *body = realloc(w->body, room);

		if (!body)
			return 0;
		w->body = body;
		w->room = room;
	}
	memcpy(w->body + w->size, data, size);
	w->size += size;
	return size;
}

static int before_sending(void *of, char *to, char *from, int to_port,
			  int from_port)
{
	struct wire *w = of;

	(void)to, (void)from, (void)to_port, (void)from_port;
	if (w->sent)
		return CURL_PREREQFUNC_ABORT;
	w->sent = true;
	return CURL_PREREQFUNC_OK;
}

/* A command that is started meanwhile does not inherit the connection. */
static curl_socket_t open_socket(void *of, curlsocktype purpose,
				 struct curl_sockaddr *address)
{
	(void)of, (void)purpose;
	return socket(address->family, address->socktype | SOCK_CLOEXEC,
		      address->protocol);
}

/* --- a wire ---------------------------------------------------------------- */

static void initialise_curl(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* libcurl gives up an option only for want of memory, or if it is too old for it,
   which meson has seen to: the first refusal is remembered. */
#define SET(option, value)                                                     \
	(refused = refused ? refused :                                         \
			     curl_easy_setopt(w->easy, (option), (value)))

static CURLcode set_up(struct wire *w, const struct wire_settings *settings)
{
	CURLcode refused = CURLE_OK;

	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_PROXY, "");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_CONNECTTIMEOUT_MS, settings->dial_ms);
	SET(CURLOPT_QUICK_EXIT, 1L);	/* do not wait for a slow name server */
	SET(CURLOPT_TCP_KEEPALIVE, 1L); /* a watch sends nothing by itself */
	SET(CURLOPT_TCP_KEEPIDLE, 10L);
	SET(CURLOPT_TCP_KEEPINTVL, 5L);
	SET(CURLOPT_ERRORBUFFER, w->error);
	SET(CURLOPT_WRITEFUNCTION, receive);
	SET(CURLOPT_WRITEDATA, w);
	SET(CURLOPT_PREREQFUNCTION, before_sending);
	SET(CURLOPT_PREREQDATA, w);
	SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
	if (settings->cacert)
		SET(CURLOPT_CAINFO, settings->cacert);
	if (settings->cert)
		SET(CURLOPT_SSLCERT, settings->cert);
	if (settings->key)
		SET(CURLOPT_SSLKEY, settings->key);
	return refused;
}

struct wire *wire_new(const struct wire_settings *settings)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct wire *w = calloc(1, sizeof(*w));

	pthread_once(&once, initialise_curl);
	if (!w)
		return NULL;
	w->alarm = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	w->multi = curl_multi_init();
	w->easy = curl_easy_init();
	w->room = 1000;
	w->body = malloc(w->room);
	if (w->alarm < 0 || !w->body || !w->multi || !w->easy ||
	    set_up(w, settings)) {
		wire_free(w);
		return NULL;
	}
	return w;
}

void wire_abandon(struct wire *w)
{
	if (w->started)
		curl_multi_remove_handle(w->multi, w->easy);
	w->started = false;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	wire_abandon(w);
	curl_easy_cleanup(w->easy);
	curl_multi_cleanup(w->multi);
	curl_slist_free_all(w->headers);
	if (w->alarm >= 0)
		close(w->alarm);
	free(w->body);
	free(w);
}

/* --- a request ------------------------------------------------------------- */

static int add_header(struct wire *w, const char *header)
{
	struct curl_slist *longer = curl_slist_append(w->headers, header);

	if (!longer)
		return -ENOMEM;
	w->headers = longer;
	return 0;
}

static int set_headers(struct wire *w, const struct wire_request *request)
{
	char *token = NULL;
	int result;

	curl_slist_free_all(w->headers);
	w->headers = NULL;
	result = add_header(w, "Content-Type: application/json");
	if (!result)
		result = add_header(w, "Expect:");
	if (!result && request->needs_leader)
		result = add_header(w, "Grpc-Metadata-hasleader: true");
	if (!result && request->token) {
		result = -ENOMEM;
		if (asprintf(&token, "Authorization: %s", request->token) > 0)
			result = add_header(w, token);
		free(token);
	}
	return result;
}

int wire_start(struct wire *w, const struct wire_request *request)
{
	CURLcode refused = CURLE_OK;
	int result;

	wire_abandon(w);
	w->sent = w->ended = false;
	w->size = w->taken = 0;
	w->result = CURLE_OK;
	w->error[0] = '\0';
	result = set_headers(w, request);
	if (result)
		return result;
	SET(CURLOPT_URL, request->url);
	SET(CURLOPT_HTTPHEADER, w->headers);
	SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(request->body));
	SET(CURLOPT_COPYPOSTFIELDS, request->body);
	if (refused || curl_multi_add_handle(w->multi, w->easy))
		return -ENOMEM;
	w->started = true;
	return 0;
}

bool wire_was_sent(const struct wire *w)
{
	return w->sent;
}

bool wire_failed_in_tls(const struct wire *w)
{
	return w->result == CURLE_SSL_CONNECT_ERROR;
}

/* --- how it ended ---------------------------------------------------------- */

const char *wire_problem(const struct wire *w)
{
	return w->verdict.words;
}

static int problem(struct wire *w, int error, const char *words)
{
	w->verdict = verdict_of(error, words, "");
	return error;
}

static bool has_tls(const struct wire *w)
{
	char *scheme = NULL;

	curl_easy_getinfo(w->easy, CURLINFO_SCHEME, &scheme);
	return scheme && !strcasecmp(scheme, "https");
}

/* Of a transfer that has ended: 0 if there is an answer. */
static int verdict(struct wire *w)
{
	struct ending ending = { .code = (int)w->result,
				 .sent = w->sent,
				 .tls = has_tls(w),
				 .was_answered = w->was_answered };

	if (w->result == CURLE_OK) {
		w->was_answered = true;
		return 0;
	}
	if (w->result == CURLE_ABORTED_BY_CALLBACK) /* by before_sending */
		ending.said = "";
	else if (w->error[0])
		ending.said = w->error;
	else
		ending.said = curl_easy_strerror(w->result);
	curl_easy_getinfo(w->easy, CURLINFO_OS_ERRNO, &ending.number);
	w->verdict = verdict_of_curl(&ending);
	return w->verdict.error;
}

/* --- waiting --------------------------------------------------------------- */

bool wire_is_past(const struct timespec *deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec != deadline->tv_sec ?
		       now.tv_sec > deadline->tv_sec :
		       now.tv_nsec >= deadline->tv_nsec;
}

static void set_alarm(struct wire *w, const struct timespec *deadline)
{
	struct itimerspec when = { .it_value = *deadline };

	timerfd_settime(w->alarm, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Or closed at its other end: either way, the caller is to look. */
static bool is_readable(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&one, 1, 0) > 0;
}

static int is_over(const struct timespec *deadline, int wake_fd)
{
	if (is_readable(wake_fd))
		return -EINTR;
	return wire_is_past(deadline) ? -ETIMEDOUT : 0;
}

int wire_pause(struct wire *w, int ms, const struct timespec *deadline,
	       int wake_fd)
{
	struct pollfd either[] = { { .fd = w->alarm, .events = POLLIN },
				   { .fd = wake_fd, .events = POLLIN } };

	if (wire_is_past(deadline))
		return -ETIMEDOUT;
	set_alarm(w, deadline);
	poll(either, 2, ms);
	return is_over(deadline, wake_fd);
}

/* Sleeps until something happens; the alarm needs no time limit beside it. */
static void sleep_until_something(struct wire *w, int wake_fd)
{
	struct curl_waitfd either[] = {
		{ .fd = w->alarm, .events = CURL_WAIT_POLLIN },
		{ .fd = wake_fd, .events = CURL_WAIT_POLLIN },
	};

	curl_multi_poll(w->multi, either, wake_fd < 0 ? 1 : 2, INT_MAX, NULL);
}

static char *end_of_line(const struct wire *w)
{
	return memchr(w->body + w->taken, '\n', w->size - w->taken);
}

static void move_on(struct wire *w)
{
	CURLMsg *message;
	int count;

	curl_multi_perform(w->multi, &count);
	while ((message = curl_multi_info_read(w->multi, &count))) {
		if (message->msg == CURLMSG_DONE) {
			w->ended = true;
			w->result = message->data.result;
		}
	}
}

enum goal { SENT, LINE, WHOLE };

static bool has_reached(const struct wire *w, enum goal goal)
{
	return w->ended || (goal == SENT && w->sent) ||
	       (goal == LINE && end_of_line(w));
}

/* Until it is sent, or all of the answer, or a line of it, is there: 0; or time is
   over. */
static int drive(struct wire *w, const struct timespec *deadline, int wake_fd,
		 enum goal goal)
{
	int over = 0;

	set_alarm(w, deadline);
	for (;;) {
		if (!w->ended)
			move_on(w);
		if (has_reached(w, goal))
			return 0;
		over = is_over(deadline, wake_fd);
		if (over)
			return over;
		sleep_until_something(w, wake_fd);
	}
}

static int hand_out(struct wire *w, size_t size, struct wire_answer *answer)
{
	answer->status = 0;
	curl_easy_getinfo(w->easy, CURLINFO_RESPONSE_CODE, &answer->status);
	answer->body = w->body + w->taken;
	answer->size = size;
	answer->body[size] = '\0';
	return 0;
}

int wire_finish(struct wire *w, const struct timespec *connect_by,
		const struct timespec *deadline, struct wire_answer *answer)
{
	int result = drive(w, connect_by, -1, SENT);

	if (!result)
		result = drive(w, deadline, -1, WHOLE);
	if (result)
		result = w->sent ? problem(w, -ETIMEDOUT,
					   "no answer by the deadline") :
				   problem(w, -ECONNREFUSED,
					   "no connection by the deadline");
	else
		result = verdict(w);
	wire_abandon(w);
	return result ? result : hand_out(w, w->size, answer);
}

int wire_line(struct wire *w, const struct timespec *deadline, int wake_fd,
	      struct wire_answer *answer)
{
	int result;
	char *end;

	if (w->taken && w->taken < w->size)
		memmove(w->body, w->body + w->taken, w->size - w->taken);
	w->size -= w->taken;
	w->taken = 0;
	result = drive(w, deadline, wake_fd, LINE);
	if (result)
		return result;
	end = end_of_line(w);
	if (!end && w->ended) {
		result = verdict(w);
		if (result == -ETIMEDOUT || (!result && !w->size))
			return problem(w, -EPIPE, "the connection broke");
		if (result)
			return result;
	}
	hand_out(w, end ? (size_t)(end - w->body) : w->size, answer);
	w->taken = answer->size + (end != NULL);
	return 0;
}
