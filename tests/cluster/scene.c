/* SPDX-License-Identifier: MIT */
#include "tests/cluster/scene.h"

struct store *store;

void must_say(const char *words)
{
	const char *said = store_problem(store);

	printf("%s\n", said);
	MUST(strstr(said, words) && strstr(said, "://") && !strchr(said, '\n'));
}

static struct timespec in(int seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	t.tv_sec += seconds;
	return t;
}

const struct timespec *patience(void)
{
	static struct timespec t;

	t = in(60);
	return &t;
}

const struct timespec *moment(void)
{
	static struct timespec t;

	t = in(1);
	return &t;
}

void open_store(void)
{
	MUST_BE(store_open(&store, NULL), 0);
}

/* --- single things --------------------------------------------------------- */

static int do_one(struct store_action action, const struct timespec *deadline,
		  struct store_reply *reply)
{
	struct store_transaction t = { .then = &action, .thens = 1 };

	return store_transact(store, &t, deadline, reply);
}

int try_put(const char *key, const char *value, int64_t lease,
	    const struct timespec *deadline, int64_t *revision)
{
	struct store_action put = {
		.kind = STORE_PUT, .key = key, .value = value, .lease = lease
	};
	struct store_reply reply;
	int result = do_one(put, deadline, &reply);

	if (!result) {
		if (revision)
			*revision = reply.revision;
		store_free_reply(&reply);
	}
	return result;
}

int64_t put(const char *key, const char *value)
{
	int64_t revision;

	MUST_BE(try_put(key, value, 0, patience(), &revision), 0);
	return revision;
}

int64_t drop(const char *key, const char *end)
{
	struct store_action drop = { .kind = STORE_DELETE,
				     .key = key,
				     .end = end };
	struct store_reply reply;

	MUST_BE(do_one(drop, patience(), &reply), 0);
	store_free_reply(&reply);
	return reply.revision;
}

/* Its value, to be freed, or null. */
static char *get(const char *key)
{
	struct store_action get = { .kind = STORE_GET, .key = key };
	struct store_reply reply;
	char *value = NULL;

	MUST_BE(do_one(get, patience(), &reply), 0);
	MUST(reply.gets == 1 && reply.got[0].count <= 1);
	if (reply.got[0].count)
		value = strdup(reply.got[0].pair[0].value);
	store_free_reply(&reply);
	return value;
}

void must_have(const char *key, const char *value)
{
	char *got = get(key);

	MUST(value ? got && !strcmp(got, value) : !got);
	free(got);
}

void must_see(const char *key, int64_t from, const char *value, int64_t changed)
{
	struct store_pair change;

	MUST_BE(store_watch(store, key, from, patience(), -1, &change), 0);
	MUST(!strcmp(change.key, key) && change.changed == changed);
	MUST(value ? change.value && !strcmp(change.value, value) :
		     !change.value);
	store_free_pair(&change);
}
