/* SPDX-License-Identifier: MIT */
/* Servers that are not there, or not as they should be. */
#include "tests/cluster/scene.h"

/* A watch tries again until its deadline, which may come while it connects. */
static void must_find_nobody(const char *words)
{
	struct store_pair change;
	int result = store_watch(store, "key", 1, moment(), -1, &change);

	if (result != -ETIMEDOUT)
		MUST_BE(result, -ECONNREFUSED);
	must_say(words);
}

void scene_absent(char **arg)
{
	(void)arg;
	open_store();
	MUST_BE(try_put("key", "x", 0, patience(), NULL), -ECONNREFUSED);
	must_say("no connection: Connection refused");
	must_find_nobody("Connection refused");
}

/* It closes each connection when it is greeted with TLS. */
void scene_greeted(char **arg)
{
	(void)arg;
	open_store();
	MUST_BE(try_put("key", "x", 0, patience(), NULL), -ECONNREFUSED);
	must_say("no connection by TLS: ");
	must_find_nobody("no connection by TLS: ");
}

void scene_there(char **arg)
{
	(void)arg;
	open_store();
	put("there", "x");
	must_have("there", "x");
}

/* expect ERROR WORDS: of everything that can be asked. */
void scene_refused(char **arg)
{
	int error = !strcmp(arg[0], "EACCES")	  ? -EACCES :
		    !strcmp(arg[0], "EPROTOTYPE") ? -EPROTOTYPE :
						    -EPROTO;
	struct store_pair change;
	int64_t lease, granted;

	open_store();
	MUST_BE(try_put("key", "x", 0, patience(), NULL), error);
	must_say(arg[1]);
	MUST_BE(store_grant(store, 9, patience(), &lease, &granted), error);
	must_say(arg[1]);
	MUST_BE(store_watch(store, "key", 1, patience(), -1, &change), error);
	must_say(arg[1]);
}

/* forbidden WORDS: what has to do with keys; 3.4 grants a lease to anybody. */
void scene_forbidden(char **arg)
{
	struct store_pair change;

	open_store();
	MUST_BE(try_put("key", "x", 0, patience(), NULL), -EACCES);
	must_say(arg[0]);
	MUST_BE(store_watch(store, "key", 1, patience(), -1, &change), -EACCES);
	must_say(arg[0]);
}

/* A server with TLS closes the connection when it is asked without: it cannot be told
   from one that was killed, but a hint can be given. */
void scene_unencrypted(char **arg)
{
	(void)arg;
	open_store();
	MUST_BE(try_put("key", "x", 0, patience(), NULL), -ETIMEDOUT);
	must_say("https://");
}

/* A signal takes a while until it has stopped the last thread. */
static void stop(const char *pid)
{
	char path[60], line[500];
	bool running = true;

	MUST(!kill((pid_t)atoi(pid), SIGSTOP));
	snprintf(path, sizeof(path), "cat /proc/%d/task/*/stat", atoi(pid));
	while (running) {
		FILE *threads = popen(path, "r");

		MUST(threads);
		running = false;
		while (fgets(line, sizeof(line), threads))
			running |= !strstr(line, ") T ");
		pclose(threads);
	}
}

static void go_on(const char *pid)
{
	MUST(!kill((pid_t)atoi(pid), SIGCONT));
}

/* While a leader is elected, what is in doubt is repeated. */
static void put_in_the_end(const char *key, const char *value)
{
	int result;

	while ((result = try_put(key, value, 0, patience(), NULL)))
		MUST(result == -ETIMEDOUT || result == -EAGAIN);
}

static void must_see_in_the_end(const char *key, int64_t from,
				const char *value)
{
	struct store_pair change;

	MUST_BE(store_watch(store, key, from, patience(), -1, &change), 0);
	MUST(change.value && !strcmp(change.value, value));
	store_free_pair(&change);
}

/* stopped PID: sent, and never answered. */
void scene_stopped(char **arg)
{
	struct store_pair change;
	int64_t from;

	open_store();
	from = put("stopped", "1");
	must_see("stopped", from, "1", from);
	stop(arg[0]);
	MUST_BE(try_put("stopped", "2", 0, moment(), NULL), -ETIMEDOUT);
	must_say("no answer by the deadline");
	MUST_BE(try_put("stopped", "3", 0, moment(), NULL), -ETIMEDOUT);
	MUST_BE(store_watch(store, "stopped", from + 1, moment(), -1, &change),
		-ETIMEDOUT);
	go_on(arg[0]);
	/* those two happen about now, or never: nothing is said of them */
	put("stopped/other", "4");
	must_have("stopped/other", "4");
}

/* follows PID: the first of several is stopped; the watch goes to the second. */
void scene_follows(char **arg)
{
	struct store_pair change;
	int64_t from;

	open_store();
	from = put("follows", "1");
	MUST_BE(store_watch(store, "follows", from + 1, moment(), -1, &change),
		-ETIMEDOUT);
	stop(arg[0]);
	MUST_BE(try_put("other", "x", 0, moment(), NULL), -ETIMEDOUT);
	put_in_the_end("follows", "2");
	must_see_in_the_end("follows", from + 1, "2");
	go_on(arg[0]);
}

/* killed PID: the server of an open watch goes; another has the change. */
void scene_killed(char **arg)
{
	struct store_pair change;
	int64_t from;

	open_store();
	from = put("killed", "1");
	MUST_BE(store_watch(store, "killed", from + 1, moment(), -1, &change),
		-ETIMEDOUT);
	if (!fork()) {
		usleep(200000);
		open_store();
		kill((pid_t)atoi(arg[0]), SIGKILL);
		put_in_the_end("killed", "2");
		_exit(0);
	}
	must_see_in_the_end("killed", from + 1, "2");
	MUST(wait(NULL) > 0);
}

/* minority PID PID: two of three are stopped; the first says so. */
void scene_minority(char **arg)
{
	struct store_pair change;
	int64_t from;

	open_store();
	from = put("minority", "1");
	stop(arg[0]);
	stop(arg[1]);
	MUST_BE(try_put("minority", "2", 0, patience(), NULL), -EAGAIN);
	must_say("etcdserver: ");
	MUST_BE(store_watch(store, "minority", from + 100, moment(), -1,
			    &change),
		-ETIMEDOUT);
	must_say("no leader");
	go_on(arg[0]);
	go_on(arg[1]);
	put_in_the_end("minority", "3");
}

/* expires SECONDS: the token is good for less. */
void scene_expires(char **arg)
{
	int64_t from;

	open_store();
	from = put("expires", "1");
	sleep((unsigned)atoi(arg[0]));
	must_see("expires", from, "1", from); /* with the old token */
	sleep((unsigned)atoi(arg[0]));
	from = put("expires", "2");
	sleep((unsigned)atoi(arg[0]));
	must_have("expires", "2");
}
