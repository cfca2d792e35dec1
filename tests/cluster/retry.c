/* SPDX-License-Identifier: MIT */
/*
 * A request is sent once.  A server that answers the first request on a connection,
 * reads the second, and closes without an answer, as one does that is killed when it
 * has done what it was asked: libcurl by itself sends the second request again, on a
 * new connection; the store does not, and says that it does not know what happened.
 */
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cluster/store.h"

static int count, failed;

static void ok(bool good, const char *what)
{
	failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", ++count, what);
}

/* --- the server ------------------------------------------------------------ */

enum how { CLOSE, RESET, HALF };

static struct server {
	int listener;
	char address[40];
	pthread_t thread;
	enum how how; /* it ends a connection without an answer */
	int requests; /* that it has read, whole */
	int answered; /* of those on one connection, the first so many */
} server;

/* Reads a request to its end: false if there is none. */
static bool read_request(int fd)
{
	char text[10000];
	size_t size = 0;

	for (;;) {
		const char *body, *length;
		ssize_t more = recv(fd, text + size, sizeof(text) - 1 - size,
				    0);

		if (more <= 0)
			return false;
		size += (size_t)more;
		text[size] = '\0';
		body = strstr(text, "\r\n\r\n");
		length = strcasestr(text, "Content-Length: ");
		if (body && length &&
		    strlen(body + 4) >= strtoul(length + 16, NULL, 10))
			return true;
	}
}

static void end(int fd)
{
	struct linger at_once = { .l_onoff = 1 };

	if (server.how == RESET)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once,
			   sizeof(at_once));
	if (server.how == HALF) /* a piece of an answer */
		send(fd, "HTTP/1.1 2", 10, MSG_NOSIGNAL);
	close(fd);
}

static void *serve(void *unused)
{
	static const char answer[] =
		"HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\n"
		"{\"header\":{\"revision\":\"7\"}}\r\n";
	int fd;

	while ((fd = accept(server.listener, NULL, NULL)) >= 0) {
		int here = 0;

		while (read_request(fd)) {
			server.requests++;
			if (here++ == server.answered)
				break;
			send(fd, answer, strlen(answer), MSG_NOSIGNAL);
		}
		end(fd);
	}
	return unused;
}

static void start_server(enum how how, int answered)
{
	struct sockaddr_in here = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(here);

	server.how = how;
	server.answered = answered;
	server.requests = 0;
	server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(server.listener, (struct sockaddr *)&here, size) ||
	    listen(server.listener, 9) ||
	    getsockname(server.listener, (struct sockaddr *)&here, &size) ||
	    pthread_create(&server.thread, NULL, serve, NULL)) {
		perror("retry");
		exit(1);
	}
	snprintf(server.address, sizeof(server.address), "127.0.0.1:%d",
		 ntohs(here.sin_port));
}

/* How many requests it has read. */
static int stop_server(void)
{
	shutdown(server.listener, SHUT_RDWR);
	pthread_join(server.thread, NULL);
	close(server.listener);
	return server.requests;
}

/* --- who asks -------------------------------------------------------------- */

static size_t ignore(char *data, size_t one, size_t size, void *unused)
{
	(void)data, (void)one, (void)unused;
	return size;
}

static CURLcode post(CURL *easy)
{
	char url[60];

	snprintf(url, sizeof(url), "http://%s/v3/kv/txn", server.address);
	curl_easy_setopt(easy, CURLOPT_URL, url);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "{}");
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
	return curl_easy_perform(easy);
}

/* The control: what libcurl does, left to itself. */
static void by_curl(enum how how, const char *what)
{
	CURL *easy = curl_easy_init();
	CURLcode first, second;

	start_server(how, 1);
	first = post(easy);
	second = post(easy);
	curl_easy_cleanup(easy);
	/* on the new connection it is answered: nobody can know of the other */
	ok(stop_server() == 3 && first == CURLE_OK && second == CURLE_OK, what);
}

static int put(struct store *store)
{
	struct store_transaction nothing = { 0 };
	struct store_reply reply;
	struct timespec deadline;
	int result;

	clock_gettime(CLOCK_BOOTTIME, &deadline);
	deadline.tv_sec += 60;
	result = store_transact(store, &nothing, &deadline, &reply);
	if (!result)
		store_free_reply(&reply);
	return result;
}

static void by_store(enum how how, const char *what)
{
	struct store_options options = { .endpoints = server.address };
	struct store *store;
	int first, second, third, requests;

	start_server(how, 1);
	if (store_open(&store, &options))
		exit(1);
	first = put(store);
	second = put(store);
	printf("# %s\n", store_problem(store));
	third = put(store); /* on a new connection */
	store_close(store);
	requests = stop_server();
	if (first || second != -ETIMEDOUT || third || requests != 3)
		printf("# %d %d %d: %d requests\n", first, second, third,
		       requests);
	ok(!first && second == -ETIMEDOUT && !third && requests == 3, what);
}

/* Not even the first request on a connection is answered. */
static void by_store_at_once(enum how how, const char *what)
{
	struct store_options options = { .endpoints = server.address };
	struct store *store;
	int first, requests;

	start_server(how, 0);
	if (store_open(&store, &options))
		exit(1);
	first = put(store);
	store_close(store);
	requests = stop_server();
	ok(first == -ETIMEDOUT && requests == 1, what);
}

int main(void)
{
	alarm(100);
	by_curl(CLOSE, "libcurl sends again after a close, and says nothing");
	by_curl(RESET, "or after a reset");
	by_curl(HALF, "or after a piece of an answer");
	by_store(CLOSE, "the store does not after a close, and says so");
	by_store(RESET, "nor after a reset");
	by_store(HALF, "nor after a piece of an answer");
	by_store_at_once(CLOSE, "nor on a new connection that is closed");
	by_store_at_once(RESET, "nor if that is reset");
	printf("1..%d\n", count);
	return failed > 0;
}
