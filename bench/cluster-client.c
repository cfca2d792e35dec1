/* SPDX-License-Identifier: MIT */
/*
 * cluster-client - one of the clients that bench/cluster starts.  ETCDCTL_ENDPOINTS says
 * where the server is.
 *
 *   alone ROUNDS      a line of one slot: an acquire and a release, then the same two
 *                     transactions bare; for each round their nanoseconds
 *   line NAME K       acquires and releases
 *   lock NAME COUNT   the same by etcd's own lock: one of so many, by turns
 *   locks NAME COUNT  one at random
 *   bare NAME COUNT   so many bare transactions, of keys of its own, and nothing more
 *
 * But for the first, it says "ready", and obeys the lines of its input: "for SECONDS" or
 * "rounds COUNT" is answered by a line, the nanoseconds that each acquisition has waited;
 * "acquire" and "release" by an empty line; and the end of the input is the end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cluster/base64.h"
#include "cluster/http.h"
#include "cluster/store.h"
#include "wicket-etcd.h"

enum {
	SECOND = 1000000000,
	PATIENCE = 60,
	LEASE = 600, /* seconds: longer than any trial */
	WARM = 20,   /* rounds, before those that count */
	NAME_MAX_ = 64,
	ANSWER = 4096,
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static const struct timespec *patience(void)
{
	static struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	t.tv_sec += PATIENCE;
	return &t;
}

static void must(int result, const char *what, const char *problem)
{
	if (result >= 0)
		return;
	fprintf(stderr, "cluster-client: %s: %s (%s)\n", what,
		strerror(-result), problem);
	exit(1);
}

/* --- contestants ------------------------------------------------------------- */

struct contestant {
	void (*acquire)(void);
	void (*release)(void);
};

static struct wicket_etcd *line;

static void open_line(const char *name, uint32_t k)
{
	char problem[WICKET_ETCD_PROBLEM] = "";
	const struct wicket_etcd_options options = { .store = "etcd://",
						     .slots = k,
						     .flags = WICKET_CREATE,
						     .problem = problem };

	must(wicket_etcd_open(&line, name, &options), "open", problem);
}

static void line_acquire(void)
{
	struct wicket_etcd_grant grant;

	must(wicket_etcd_acquire(line, 1, NULL, &grant), "acquire",
	     wicket_etcd_problem(line));
}

static void line_release(void)
{
	must(wicket_etcd_release(line), "release", wicket_etcd_problem(line));
}

static struct {
	struct http *http;
	struct store *store; /* of the lease */
	int64_t lease;
	const char *name;
	unsigned count, turn;
	bool by_chance;
	char key[ANSWER]; /* as the server writes it */
} lock;

static void open_lock(const char *name, unsigned count, bool by_chance)
{
	const char *endpoints = getenv("ETCDCTL_ENDPOINTS");
	const struct http_settings settings = {
		.endpoints = endpoints, .wire.dial_ms = 1000 * PATIENCE
	};
	int64_t granted;

	must(store_open(&lock.store, NULL), "open", "");
	must(store_grant(lock.store, LEASE, patience(), &lock.lease, &granted),
	     "lease", store_problem(lock.store));
	must(http_open(&lock.http, &settings), "open", endpoints);
	lock.name = name;
	lock.count = count;
	lock.by_chance = by_chance;
	lock.turn = (unsigned)getpid();
	srandom(lock.turn);
}

static void close_lock(void)
{
	must(store_revoke(lock.store, lock.lease, patience()), "revoke",
	     store_problem(lock.store));
	store_close(lock.store);
	http_close(lock.http);
}

/* The answer's text. */
static const char *post(const char *path, const char *body)
{
	const struct http_request request = { .path = path, .body = body };
	struct wire_answer answer;

	must(http_post(lock.http, &request, patience(), &answer), path,
	     http_problem(lock.http));
	must(answer.status == 200 ? 0 : -EPROTO, path, answer.body);
	return answer.body;
}

static void lock_acquire(void)
{
	static const char before[] = "\"key\":\"";
	unsigned which = lock.by_chance ? (unsigned)random() : lock.turn++;
	char name[NAME_MAX_], body[2 * NAME_MAX_ + ANSWER], *text;
	const char *key, *end;

	snprintf(name, sizeof(name), "%s/%u", lock.name, which % lock.count);
	text = base64_encode(name);
	snprintf(body, sizeof(body),
		 "{\"name\":\"%s\",\"lease\":\"%" PRId64 "\"}", text,
		 lock.lease);
	free(text);
	key = strstr(post("/v3/lock/lock", body), before);
	must(key ? 0 : -EPROTO, "lock", "no key");
	key += strlen(before);
	end = strchr(key, '"');
	snprintf(lock.key, sizeof(lock.key), "%.*s", (int)(end - key), key);
}

static void lock_release(void)
{
	char body[ANSWER + NAME_MAX_];

	snprintf(body, sizeof(body), "{\"key\":\"%s\"}", lock.key);
	post("/v3/lock/unlock", body);
}

/* --- trials ------------------------------------------------------------------ */

static void visit(const struct contestant *c)
{
	int64_t began = now(), in;

	c->acquire();
	in = now();
	c->release();
	printf("%" PRId64 " ", in - began);
}

static void obey(const struct contestant *c)
{
	char order[NAME_MAX_];
	long count;

	puts("ready");
	fflush(stdout);
	while (fgets(order, sizeof(order), stdin)) {
		if (sscanf(order, "rounds %ld", &count) == 1) {
			while (count-- > 0)
				visit(c);
		} else if (sscanf(order, "for %ld", &count) == 1) {
			int64_t end = now() + count * SECOND;

			while (now() < end)
				visit(c);
		} else if (!strcmp(order, "acquire\n")) {
			c->acquire();
		} else if (!strcmp(order, "release\n")) {
			c->release();
		}
		putchar('\n');
		fflush(stdout);
	}
}

/* --- one alone, and what it cannot do without --------------------------------- */

/* The three keys of a client that is alone, as they are: see doc/cluster.md. */
struct bare {
	struct store *store;
	char *key[3], *value[3]; /* w, seat, live */
	int64_t changed[2], lives;
};

static const struct store_pair *find(const struct store_pairs *pairs,
				     const char *what)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (strstr(pairs->pair[i].key, what))
			return &pairs->pair[i];
	must(-ENOENT, what, "no such key");
	return NULL;
}

static void transact(struct bare *b, const struct store_transaction *t,
		     struct store_reply *reply)
{
	must(store_transact(b->store, t, patience(), reply), "transaction",
	     store_problem(b->store));
	must(reply->succeeded ? 0 : -EAGAIN, "transaction", "refused");
}

/* Copies of the line's keys, under another name of the same length. */
static void copy(struct bare *b, const char *from, const char *to)
{
	static const char *const what[] = { "/w", "/seat/", "/live/" };
	char key[NAME_MAX_], end[NAME_MAX_];
	const struct store_action get = { .kind = STORE_GET,
					  .key = key,
					  .end = end };
	const struct store_transaction read = { .then = &get, .thens = 1 };
	struct store_action put[3] = { 0 };
	const struct store_transaction write = { .then = put, .thens = 3 };
	struct store_reply reply;

	snprintf(key, sizeof(key), "wicket/%s/", from);
	snprintf(end, sizeof(end), "wicket/%s0", from);
	transact(b, &read, &reply);
	for (int i = 0; i < 3; i++) {
		const struct store_pair *pair = find(&reply.got[0], what[i]);

		b->key[i] = strdup(pair->key);
		memcpy(strstr(b->key[i], from), to, strlen(to));
		b->value[i] = strdup(pair->value);
		put[i] = (struct store_action){ .kind = STORE_PUT,
						.key = b->key[i],
						.value = b->value[i] };
	}
	store_free_reply(&reply);
	transact(b, &write, &reply);
	b->changed[0] = b->changed[1] = b->lives = reply.revision;
	store_free_reply(&reply);
}

static void bare_transaction(struct bare *b)
{
	const struct store_compare compare[] = {
		{ b->key[0], STORE_CHANGED, b->changed[0] },
		{ b->key[1], STORE_CHANGED, b->changed[1] },
		{ b->key[2], STORE_CREATED, b->lives },
	};
	const struct store_action put[] = {
		{ .kind = STORE_PUT, .key = b->key[0], .value = b->value[0] },
		{ .kind = STORE_PUT, .key = b->key[1], .value = b->value[1] },
	};
	const struct store_transaction t = {
		.compare = compare, .compares = 3, .then = put, .thens = 2
	};
	struct store_reply reply;

	transact(b, &t, &reply);
	b->changed[0] = b->changed[1] = reply.revision;
	store_free_reply(&reply);
}

static int64_t ours(void)
{
	int64_t began = now();

	line_acquire();
	line_release();
	return now() - began;
}

static int64_t bares(struct bare *b)
{
	int64_t began = now();

	bare_transaction(b);
	bare_transaction(b);
	return now() - began;
}

static struct bare bare;

/* Of a line of its own that is held. */
static void open_bare(const char *name, const char *other)
{
	open_line(name, 1);
	must(store_open(&bare.store, NULL), "open", "");
	line_acquire();
	copy(&bare, name, other);
	line_release();
}

static int bares_each;

static void bare_acquire(void)
{
	for (int i = 0; i < bares_each; i++)
		bare_transaction(&bare);
}

static void bare_release(void)
{
}

/* By turns, and each of them first by turns. */
static void alone(int rounds)
{
	open_bare("alone", "plain");
	for (int i = -WARM; i < rounds; i++) {
		int64_t one = i % 2 ? ours() : bares(&bare);
		int64_t other = i % 2 ? bares(&bare) : ours();

		if (i >= 0)
			printf("%" PRId64 " %" PRId64 "\n", i % 2 ? one : other,
			       i % 2 ? other : one);
	}
}

int main(int argc, char **argv)
{
	const struct contestant by_line = { line_acquire, line_release };
	const struct contestant by_lock = { lock_acquire, lock_release };
	const struct contestant by_bare = { bare_acquire, bare_release };
	char name[NAME_MAX_], other[NAME_MAX_];
	const char *mode = argc > 1 ? argv[1] : "";

	if (argc == 3 && !strcmp(mode, "alone")) {
		alone(atoi(argv[2]));
	} else if (argc == 4 && !strcmp(mode, "line")) {
		open_line(argv[2], (uint32_t)atoi(argv[3]));
		obey(&by_line);
	} else if (argc == 4 && !strcmp(mode, "bare")) {
		snprintf(name, sizeof(name), "%.20s-of-%d", argv[2], getpid());
		snprintf(other, sizeof(other), "%.20s-by-%d", argv[2],
			 getpid());
		bares_each = atoi(argv[3]);
		open_bare(name, other);
		obey(&by_bare);
	} else if (argc == 4 && !strncmp(mode, "lock", 4)) {
		open_lock(argv[2], (unsigned)atoi(argv[3]),
			  !strcmp(mode, "locks"));
		obey(&by_lock);
	} else {
		fputs("usage: cluster-client alone ROUNDS | line NAME K |"
		      " lock|locks|bare NAME COUNT\n",
		      stderr);
		return 2;
	}
	if (line)
		wicket_etcd_close(line);
	if (bare.store)
		store_close(bare.store);
	if (lock.http)
		close_lock();
	return 0;
}
