/* SPDX-License-Identifier: MIT */
/*
 * The store against a real etcd, which store.sh starts.
 * usage: store SCENE [ARG...]; what it needs besides is in etcdctl's variables
 * Exits with 0, or says what was wrong.
 */
#include "tests/cluster/scene.h"

/* --- transactions ---------------------------------------------------------- */

static void basic(char **arg)
{
	struct store_compare absent = { "basic/a", STORE_CREATED, 0 };
	struct store_action both[] = {
		{ .kind = STORE_PUT, .key = "basic/a", .value = "1" },
		{ .kind = STORE_GET, .key = "basic/a" },
		{ .kind = STORE_PUT, .key = "basic/b", .value = "" },
		{ .kind = STORE_GET, .key = "basic/", .end = "basic0" },
	};
	struct store_action no[] = {
		{ .kind = STORE_GET, .key = "basic/none" },
		{ .kind = STORE_GET, .key = "basic/a" },
	};
	struct store_transaction t = { &absent,	     1,		both, no,
				       LENGTH(both), LENGTH(no) };
	struct store_reply reply;
	int64_t first;

	(void)arg;
	open_store();
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(reply.succeeded && reply.gets == 2 && reply.revision > 1);
	MUST(reply.got[0].count == 1 && reply.got[1].count == 2);
	MUST(!strcmp(reply.got[0].pair[0].value, "1"));
	MUST(reply.got[0].pair[0].changed == reply.revision);
	MUST(!strcmp(reply.got[1].pair[1].key, "basic/b"));
	MUST(!strcmp(reply.got[1].pair[1].value, ""));
	first = reply.revision;
	store_free_reply(&reply);

	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(!reply.succeeded && reply.gets == 2 && reply.revision == first);
	MUST(reply.got[0].count == 0 && reply.got[1].count == 1);
	store_free_reply(&reply);

	/* both branches by the revision of the last change */
	absent = (struct store_compare){ "basic/a", STORE_CHANGED, first };
	both[0].value = "2";
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(reply.succeeded && reply.revision == first + 1);
	MUST(reply.got[0].pair[0].created == first);
	MUST(reply.got[0].pair[0].changed == first + 1);
	store_free_reply(&reply);
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(!reply.succeeded);
	store_free_reply(&reply);
	absent = (struct store_compare){ "basic/a", STORE_CREATED, first };
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(reply.succeeded);
	store_free_reply(&reply);

	drop("basic/b", NULL);
	must_have("basic/b", NULL);
	must_have("basic/a", "2");
	drop("basic/", "basic0");
	must_have("basic/a", NULL);
}

/* Bytes of all kinds come back; keys of all lengths, for base64. */
static void bytes(char **arg)
{
	char key[40] = "bytes/", value[256];

	(void)arg;
	open_store();
	for (int i = 0; i < 255; i++)
		value[i] = (char)(i + 1);
	value[255] = '\0';
	for (int length = 0; length < 6; length++) {
		key[6 + length] = (char)(200 + length);
		put(key, value + length);
		must_have(key, value + length);
	}
}

static void ranges(char **arg)
{
	static const char *const order[] = { "range/c", "range/a", "range/b" };
	struct store_action gets[] = {
		{ .kind = STORE_GET, .key = "range/", .end = "range0" },
		{ .kind = STORE_GET,
		  .key = "range/",
		  .end = "range0",
		  .by_creation = true },
		{ .kind = STORE_GET,
		  .key = "range/",
		  .end = "range0",
		  .by_creation = true,
		  .limit = 2,
		  .keys_only = true },
		{ .kind = STORE_GET, .key = "range/b", .end = "range/c" },
	};
	struct store_transaction t = { .then = gets, .thens = LENGTH(gets) };
	struct store_reply reply;

	(void)arg;
	open_store();
	for (size_t i = 0; i < 3; i++)
		put(order[i], "x");
	put("range/c", "y"); /* the order of creation is another's */
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	MUST(reply.succeeded && reply.gets == 4);
	MUST(reply.got[0].count == 3 && !reply.got[0].more);
	MUST(!strcmp(reply.got[0].pair[0].key, "range/a"));
	MUST(reply.got[1].count == 3);
	for (size_t i = 0; i < 3; i++)
		MUST(!strcmp(reply.got[1].pair[i].key, order[i]));
	MUST(reply.got[2].count == 2 && reply.got[2].more);
	MUST(!strcmp(reply.got[2].pair[1].key, "range/a"));
	MUST(!strcmp(reply.got[2].pair[1].value, ""));
	MUST(reply.got[3].count == 1);
	store_free_reply(&reply);
}

/* As many actions as are allowed; one more is refused before it is sent. */
static void most(char **arg)
{
	static char keys[STORE_ACTIONS_MAX + 1][20];
	static struct store_action puts[STORE_ACTIONS_MAX + 1];
	struct store_transaction t = { .then = puts,
				       .thens = STORE_ACTIONS_MAX };
	struct store_reply reply;

	(void)arg;
	open_store();
	for (int i = 0; i <= STORE_ACTIONS_MAX; i++) {
		snprintf(keys[i], sizeof(keys[i]), "most/%d", i);
		puts[i] = (struct store_action){ .kind = STORE_PUT,
						 .key = keys[i],
						 .value = "x" };
	}
	MUST_BE(store_transact(store, &t, patience(), &reply), 0);
	store_free_reply(&reply);
	t.thens++;
	MUST_BE(store_transact(store, &t, patience(), &reply), -EINVAL);
}

/* --- leases ---------------------------------------------------------------- */

static void leases(char **arg)
{
	int64_t lease, granted, left, from;

	(void)arg;
	open_store();
	MUST_BE(store_grant(store, 60, patience(), &lease, &granted), 0);
	MUST(lease && granted >= 60);
	MUST_BE(store_keep_alive(store, lease, patience(), &left), 0);
	MUST(left >= 60);
	MUST_BE(try_put("lease/key", "x", lease, patience(), &from), 0);
	must_have("lease/key", "x");
	MUST_BE(store_revoke(store, lease, patience()), 0);
	must_have("lease/key", NULL);
	must_see("lease/key", from + 1, NULL, from + 1);
	MUST_BE(store_keep_alive(store, lease, patience(), &left), -ENOENT);
	must_say("the lease has ended");
	MUST_BE(store_revoke(store, lease, patience()), -ENOENT);
	MUST_BE(try_put("lease/key", "x", lease, patience(), NULL), -ENOENT);
	must_say("lease not found");

	/* one that nobody keeps alive ends by itself */
	MUST_BE(store_grant(store, 1, patience(), &lease, &granted), 0);
	MUST_BE(try_put("lease/key", "x", lease, patience(), &from), 0);
	must_see("lease/key", from + 1, NULL, from + 1);
}

/* --- watches --------------------------------------------------------------- */

static void watches(char **arg)
{
	struct store_pair change;
	int64_t first, second, gone;
	int fds[2];

	(void)arg;
	open_store();
	first = put("watch/key", "1");
	put("watch/other", "x");
	second = put("watch/key", "2");
	gone = drop("watch/key", NULL);
	must_see("watch/key", 1, "1", first); /* the past */
	must_see("watch/key", first + 1, "2", second);
	must_see("watch/key", second + 1, NULL, gone);
	must_see("watch/key", first, "1", first); /* back */
	must_see("watch/key", second, "2", second);
	must_see("watch/key", gone, NULL, gone);
	MUST_BE(store_watch(store, "watch/key", gone + 1, moment(), -1,
			    &change),
		-ETIMEDOUT);
	MUST_BE(store_watch(store, "watch/key", gone + 1,
			    &(struct timespec){ 0 }, -1, &change),
		-ETIMEDOUT);

	/* the stream was open all the time; some are passed over */
	put("watch/key", "3");
	put("watch/key", "4");
	first = put("watch/key", "5");
	must_see("watch/key", first, "5", first);
	second = put("watch/other", "y");
	must_see("watch/other", second, "y", second);

	MUST(!pipe(fds));
	MUST_BE(store_watch(store, "watch/key", first + 1, moment(), fds[0],
			    &change),
		-ETIMEDOUT);
	if (!fork()) {
		usleep(200000);
		_exit(write(fds[1], "x", 1) != 1);
	}
	MUST_BE(store_watch(store, "watch/key", first + 1, patience(), fds[0],
			    &change),
		-EINTR);
	MUST(wait(NULL) > 0);
	second = put("watch/key", "6"); /* and it goes on */
	must_see("watch/key", first + 1, "6", second);
	close(fds[0]);
	close(fds[1]);
}

/* A change that another makes while we wait. */
static void waits(char **arg)
{
	int64_t from;

	(void)arg;
	open_store();
	from = put("waits/key", "1");
	if (!fork()) {
		usleep(200000);
		open_store();
		put("waits/key", "2");
		_exit(0);
	}
	must_see("waits/key", from + 1, "2", from + 1);
	MUST(wait(NULL) > 0);
}

static void compacted(char **arg)
{
	char command[500];
	struct store_pair change;
	int64_t from;

	open_store();
	put("old/key", "1");
	from = put("old/key", "2");
	snprintf(command, sizeof(command), "ETCDCTL_API=3 %s compact %lld",
		 arg[0], (long long)from);
	MUST(system(command) == 0);
	MUST_BE(store_watch(store, "old/key", from - 1, patience(), -1,
			    &change),
		-ESTALE);
	must_say("compacted");
	must_see("old/key", from, "2", from);
}

/* What is in the options counts more than what is in the variables. */
static void options(char **arg)
{
	char problem[STORE_PROBLEM] = "";
	struct store_options o = { .endpoints = arg[0], .problem = problem };
	struct store_options slow = { .endpoints = arg[0], .dial_timeout = -1 };
	struct store_options none = { .endpoints = " , ", .problem = problem };

	setenv("ETCDCTL_ENDPOINTS", "127.0.0.1:1", 1);
	setenv("ETCDCTL_DIAL_TIMEOUT", "1m1.5s", 1);
	MUST_BE(store_open(&store, &o), 0);
	put("options", "x");
	store_close(store);
	store = NULL;
	MUST_BE(store_open(&store, &slow), -EINVAL);
	MUST(!*problem);
	MUST_BE(store_open(&store, &none), -EINVAL);
	MUST(strstr(problem, "ETCDCTL_ENDPOINTS= , : expected HOST:PORT"));
	setenv("ETCDCTL_CACERT", "/nowhere/ca.crt", 1);
	MUST_BE(store_open(&store, &o), -EINVAL);
	MUST(strstr(problem,
		    "ETCDCTL_CACERT=/nowhere/ca.crt: expected a file"));
	unsetenv("ETCDCTL_CACERT");
	setenv("ETCDCTL_DIAL_TIMEOUT", "2", 1);
	MUST_BE(store_open(&store, &o), -EINVAL);
	MUST(strstr(problem, "ETCDCTL_DIAL_TIMEOUT=2: expected a time"));
	setenv("ETCDCTL_DIAL_TIMEOUT", "500ms", 1);
	MUST_BE(store_open(&store, NULL), 0);
	MUST_BE(try_put("key", "x", 0, patience(), NULL), -ECONNREFUSED);
	must_say("http://127.0.0.1:1: ");
}

static const struct {
	const char *name;
	int arguments;
	void (*play)(char **arg);
} scenes[] = {
	{ "basic", 0, basic },
	{ "bytes", 0, bytes },
	{ "ranges", 0, ranges },
	{ "most", 0, most },
	{ "leases", 0, leases },
	{ "watches", 0, watches },
	{ "waits", 0, waits },
	{ "compacted", 1, compacted },
	{ "options", 1, options },
	{ "absent", 0, scene_absent },
	{ "greeted", 0, scene_greeted },
	{ "unencrypted", 0, scene_unencrypted },
	{ "there", 0, scene_there },
	{ "refused", 2, scene_refused },
	{ "forbidden", 1, scene_forbidden },
	{ "expires", 1, scene_expires },
	{ "stopped", 1, scene_stopped },
	{ "follows", 1, scene_follows },
	{ "killed", 1, scene_killed },
	{ "minority", 2, scene_minority },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < LENGTH(scenes); i++) {
		if (argc != 2 + scenes[i].arguments ||
		    strcmp(scenes[i].name, argv[1]) != 0)
			continue;
		scenes[i].play(argv + 2);
		store_close(store);
		return 0;
	}
	fprintf(stderr, "store: there is no such scene\n");
	return 1;
}
