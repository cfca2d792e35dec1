/* SPDX-License-Identifier: MIT */
/* etcd-look - looks at lines in etcd, changes them, and removes them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/etcd.h"
#include "tool/snapshot.h"
#include "tool/store.h"
#include "tool/tool.h"
#include "tool/users.h"

/* Where the keys of a line are: the store, the prefix of all lines, and the name. */
void etcd_path(const char *name, char *path, size_t size)
{
	const char *url = etcd_url(), *hosts = strstr(url, "://");
	size_t length = strlen(url);
	bool has_prefix;

	while (length && url[length - 1] == '/' && url + length > hosts + 3)
		length--;
	has_prefix = hosts &&
		     memchr(hosts + 3, '/', length - (size_t)(hosts + 3 - url));
	snprintf(path, size, "%.*s%s/%s", (int)length, url,
		 has_prefix ? "" : "/wicket", name);
}

/* --- a line at one moment ------------------------------------------------------------ */

/* The line that is looked at is kept open: --watch looks again and again. */
static struct {
	char *name;
	struct wicket_etcd *line;
	char problem[WICKET_ETCD_PROBLEM];
} eye;

static void close_eye(void)
{
	if (eye.line)
		wicket_etcd_close(eye.line);
	free(eye.name);
	eye.line = NULL;
	eye.name = NULL;
}

static int open_eye(const char *name)
{
	if (eye.line && !strcmp(eye.name, name))
		return 0;
	close_eye();
	eye.name = strdup(name);
	return eye.name ? etcd_open(&eye.line, name, WICKET_VIEW, eye.problem) :
			  -ENOMEM;
}

static int inspect(struct wicket_etcd_view *view,
		   struct wicket_etcd_entry **entries)
{
	int room = 64, count;

	*entries = allocate((size_t)room, sizeof(**entries));
	while ((count = wicket_etcd_inspect(eye.line, view, *entries,
					    (size_t)room)) > room) {
		free(*entries);
		room = 2 * count;
		*entries = allocate((size_t)room, sizeof(**entries));
	}
	if (count < 0) {
		etcd_keep_problem(eye.problem, eye.line);
		free(*entries);
	}
	return count;
}

/* 0, or what the library says. */
static int look(struct snapshot *s, const char *name)
{
	struct wicket_etcd_view view;
	struct wicket_etcd_entry *entries = NULL;
	int count = open_eye(name);

	if (!count)
		count = inspect(&view, &entries);
	if (count < 0) {
		if (!etcd_is_away(count))
			close_eye();
		return count == -ESTALE ? -ENOENT : count;
	}
	etcd_copy(s, &view, entries, (size_t)count);
	free(entries);
	s->name = strdup(name);
	if (!s->name)
		fail(EX_OSERR, "out of memory");
	etcd_path(name, s->path, sizeof(s->path));
	return 0;
}

static int explain(const char *name, int error, const char *problem, char *away)
{
	if (!away || !etcd_is_away(error))
		return etcd_say_error(name, error, problem);
	etcd_tell_away(away, error, problem);
	return -EAGAIN;
}

int etcd_take(struct snapshot *s, const char *name, char *away)
{
	int error = look(s, name);

	return !error || error == -ENOENT ?
		       error :
		       explain(name, error, eye.problem, away);
}

/* --- all lines -------------------------------------------------------------------------- */

struct names {
	char **name;
	size_t count;
};

static void add_name(void *arg, const char *name)
{
	struct names *all = arg;

	all->name = reallocarray(all->name, all->count + 1, sizeof(*all->name));
	if (!all->name || !(all->name[all->count++] = strdup(name)))
		fail(EX_OSERR, "out of memory");
}

/* One that was removed meanwhile is skipped; one that cannot be read is named, and the
   others are shown nevertheless. */
static int take_named(struct snapshots *all, const struct names *names,
		      char *away)
{
	for (size_t i = 0; i < names->count; i++) {
		int error = look(&all->lines[all->count], names->name[i]);

		if (!error)
			all->count++;
		else if (etcd_is_away(error))
			return explain(NULL, error, eye.problem, away);
		else if (error != -ENOENT)
			etcd_say_error(names->name[i], error, eye.problem);
	}
	return 0;
}

int etcd_take_all(struct snapshots *all, char *away)
{
	char problem[WICKET_ETCD_PROBLEM] = "";
	const struct wicket_etcd_options options = { .store = etcd_url(),
						     .problem = problem };
	struct names names = { 0 };
	int error = wicket_etcd_list(&options, add_name, &names), code;

	*all = (struct snapshots){ 0 };
	if (error < 0) {
		code = explain(NULL, error, problem, away);
	} else {
		all->lines = allocate(names.count, sizeof(*all->lines));
		code = take_named(all, &names, away);
	}
	while (names.count)
		free(names.name[--names.count]);
	free(names.name);
	return code;
}

/* --- changes ------------------------------------------------------------------------------ */

/* Names the users of the line; false if there are none by now. */
static bool say_who(const char *name)
{
	struct snapshot s = { 0 };
	bool used = !look(&s, name) && users_say(name, &s);

	snapshot_free(&s);
	return used;
}

int etcd_remove(const char *name)
{
	char problem[WICKET_ETCD_PROBLEM] = "";
	const struct wicket_etcd_options options = { .store = etcd_url(),
						     .problem = problem };
	int error = wicket_etcd_remove(name, &options);

	if (error == -EBUSY && say_who(name))
		return EX_TEMPFAIL;
	return error ? etcd_say_error(name, error, problem) : 0;
}

int etcd_resize(const char *name, uint32_t slots)
{
	char problem[WICKET_ETCD_PROBLEM];
	struct wicket_etcd *line;
	int error = etcd_open(&line, name, WICKET_VIEW, problem);

	if (!error) {
		error = wicket_etcd_resize(line, slots);
		if (error)
			etcd_keep_problem(problem, line);
		wicket_etcd_close(line);
	}
	return error ? etcd_say_error(name, error, problem) : 0;
}

/* --- damage --------------------------------------------------------------------------------- */

int etcd_check(const char *name,
	       void (*tell)(void *arg, enum wicket_finding kind,
			    const char *text),
	       void *arg)
{
	char problem[WICKET_ETCD_PROBLEM];
	struct wicket_etcd *line;
	int wrong = etcd_open(&line, name, WICKET_VIEW, problem);

	if (!wrong) {
		wrong = wicket_etcd_check(line, tell, arg);
		if (wrong < 0)
			etcd_keep_problem(problem, line);
		wicket_etcd_close(line);
	}
	return wrong < 0 ? -etcd_say_error(name, wrong, problem) : wrong;
}
