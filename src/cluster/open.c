/* SPDX-License-Identifier: MIT */
/* Opening a store: what the options say, or else etcdctl's variables. */
#include "cluster/etcd.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIAL_SECONDS = 2, DIAL_SECONDS_MAX = 24 * 3600 };

/* Null: neither says anything. */
static const char *setting(const char *option, const char *variable)
{
	const char *value = option ? option : getenv(variable);

	return value && *value ? value : NULL;
}

/* Digits, and a fraction after a point: whatever the locale is. */
static double read_decimal(const char **text)
{
	double value = 0, place = 1;

	for (; isdigit((unsigned char)**text); (*text)++)
		value = 10 * value + (**text - '0');
	if (**text == '.')
		(*text)++;
	for (; isdigit((unsigned char)**text); (*text)++)
		value += (place /= 10) * (**text - '0');
	return value;
}

/* Longer names before those that they begin with. */
static const struct unit {
	const char *name;
	double seconds;
} units[] = {
	{ "ns", 1e-9 }, { "us", 1e-6 }, { "\302\265s", 1e-6 }, { "ms", 1e-3 },
	{ "s", 1 },	{ "m", 60 },	{ "h", 3600 },
};

/* As Go writes a duration: 2s, 500ms, 1m30s.  Negative: that is none. */
static double read_duration(const char *text)
{
	double seconds = 0;

	do {
		const struct unit *unit = units, *end = units + 7;
		double value;

		if (!isdigit((unsigned char)*text))
			return -1;
		value = read_decimal(&text);
		while (unit < end &&
		       strncmp(text, unit->name, strlen(unit->name)) != 0)
			unit++;
		if (unit == end)
			return -1;
		seconds += value * unit->seconds;
		text += strlen(unit->name);
	} while (*text);
	return seconds;
}

static int complain(const struct store_options *o, const char *name,
		    const char *value, const char *expected)
{
	if (o->problem)
		snprintf(o->problem, STORE_PROBLEM, "%s=%.60s: expected %s",
			 name, value, expected);
	return -EINVAL;
}

/* A file that is missing would pass for one that the server refuses. */
static int look_for_files(const struct store_options *o,
			  const struct wire_settings *w)
{
	const struct {
		const char *name, *path;
	} file[] = { { "ETCDCTL_CACERT", w->cacert },
		     { "ETCDCTL_CERT", w->cert },
		     { "ETCDCTL_KEY", w->key } };

	for (size_t i = 0; i < sizeof(file) / sizeof(*file); i++) {
		if (file[i].path && access(file[i].path, R_OK))
			return complain(o, file[i].name, file[i].path,
					"a file that can be read");
	}
	return 0;
}

static int read_dial_time(const struct store_options *o, long *ms)
{
	static const char name[] = "ETCDCTL_DIAL_TIMEOUT";
	const char *variable = o->dial_timeout == 0 ? setting(NULL, name) :
						      NULL;
	double seconds = variable	      ? read_duration(variable) :
			 o->dial_timeout != 0 ? o->dial_timeout :
						DIAL_SECONDS;

	if (!(seconds >= 0.001 && seconds <= DIAL_SECONDS_MAX))
		return complain(o, name, variable ? variable : "",
				"a time from 1ms to 24h, such as 2s or 500ms");
	*ms = (long)(seconds * 1000);
	return 0;
}

/* A password of its own means that the user is a name, whatever is in it; but the
   variable's is not meant for a user with a password. */
static int take_user(struct store *s, const struct store_options *o)
{
	const char *user = setting(o->user, "ETCDCTL_USER");
	const char *colon = user ? strchr(user, ':') : NULL;
	const char *password = o->user && colon ?
				       o->password :
				       setting(o->password, "ETCDCTL_PASSWORD");

	if (!user)
		return 0;
	if (colon && !password) {
		s->name = strndup(user, (size_t)(colon - user));
		s->password = strdup(colon + 1);
	} else {
		s->name = strdup(user);
		s->password = strdup(password ? password : "");
	}
	return s->name && s->password ? 0 : -ENOMEM;
}

int store_open(struct store **store, const struct store_options *options)
{
	static const struct store_options none;
	const struct store_options *o = options ? options : &none;
	const char *endpoints = setting(o->endpoints, "ETCDCTL_ENDPOINTS");
	struct http_settings settings = {
		.endpoints = endpoints ? endpoints : "127.0.0.1:2379",
		.wire = { .cacert = setting(o->cacert, "ETCDCTL_CACERT"),
			  .cert = setting(o->cert, "ETCDCTL_CERT"),
			  .key = setting(o->key, "ETCDCTL_KEY") },
	};
	int result = read_dial_time(o, &settings.wire.dial_ms);
	struct store *s;

	if (!result)
		result = look_for_files(o, &settings.wire);
	if (result)
		return result;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	result = take_user(s, o);
	if (!result)
		result = http_open(&s->http, &settings);
	if (result == -EINVAL)
		complain(o, "ETCDCTL_ENDPOINTS", settings.endpoints,
			 "HOST:PORT[,HOST:PORT...]");
	if (result) {
		store_close(s);
		return result;
	}
	*store = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->http) {
		etcd_forget_watch(s);
		http_close(s->http);
	}
	free(s->name);
	free(s->password);
	free(s->token);
	free(s);
}

const char *store_problem(const struct store *s)
{
	return http_problem(s->http);
}
