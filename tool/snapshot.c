/* SPDX-License-Identifier: MIT */
#include "tool/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/damage.h"
#include "tool/tool.h"

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

double snapshot_seconds(const struct snapshot *s, uint64_t since)
{
	return s->now > since ? (double)(s->now - since) / 1e9 : 0;
}

static void forget_people(struct snapshot *s)
{
	for (size_t i = 0; s->people && i < s->count; i++)
		person_forget(&s->people[i]);
	free(s->people);
	s->people = NULL;
}

void snapshot_free(struct snapshot *s)
{
	forget_people(s);
	free(s->abroad);
	free(s->entries);
	free(s->name);
	*s = (struct snapshot){ 0 };
}

/* --- one line ------------------------------------------------------------------ */

int snapshot_look(struct snapshot *s, struct wicket *line)
{
	int count;

	forget_people(s);
	s->count = 0;
	if (!s->entries) {
		count = wicket_inspect(line, &s->view, NULL, 0);
		if (count < 0)
			return count;
		s->entries = allocate(s->view.seats + s->view.slots,
				      sizeof(*s->entries));
	}
	count = wicket_inspect(line, &s->view, s->entries,
			       s->view.seats + s->view.slots);
	if (count < 0)
		return count;
	s->count = (size_t)count;
	s->now = now();
	return 0;
}

/* 1 + the slot that is held by this process or an ancestor of it; 0: none. */
static uint32_t find_slot_around(const struct snapshot *s, int32_t pid)
{
	for (; pid > 1; pid = person_parent(pid)) {
		for (size_t i = 0; i < s->view.holding && i < s->count; i++) {
			if (s->entries[i].pid == pid && *s->people[i].comm)
				return 1 + s->entries[i].place;
		}
	}
	return 0;
}

/* Most waiters have the same parent. */
static void find_slots_around(struct snapshot *s)
{
	struct person last = { 0 };

	for (size_t i = s->view.holding; i < s->count; i++) {
		struct person *p = &s->people[i];

		p->inside = p->parent == last.parent ?
				    last.inside :
				    find_slot_around(s, p->parent);
		last = *p;
	}
}

void snapshot_find_people(struct snapshot *s)
{
	if (s->abroad)
		return;
	forget_people(s);
	s->people = allocate(s->count, sizeof(*s->people));
	for (size_t i = 0; i < s->count; i++) {
		if (!(s->entries[i].flags & (WICKET_LEFT | WICKET_FOREIGN)))
			person_find(&s->people[i], s->entries[i].pid);
	}
	find_slots_around(s);
}

static int open_view(struct wicket **line, const char *name)
{
	struct wicket_options view = { .flags = WICKET_VIEW };
	int error = wicket_open(line, name, &view);

	if (error != -ESTALE)
		return error;
	/* It is from before the last boot: opening it for use starts it afresh,
	   and then it can be inspected. */
	error = wicket_open(line, name, NULL);
	if (error)
		return error;
	wicket_close(*line);
	return wicket_open(line, name, &view);
}

int snapshot_take(struct snapshot *s, const char *name)
{
	struct wicket *line;
	int error = wicket_path(name, s->path, sizeof(s->path));

	if (error < 0)
		return error;
	damage_name(name);
	error = open_view(&line, name);
	if (error)
		return error;
	error = snapshot_look(s, line);
	wicket_close(line);
	if (!error && s->view.removed == WICKET_REMOVED)
		error = -ENOENT;
	if (!error) {
		free(s->name);
		s->name = strdup(name);
		if (!s->name)
			error = -ENOMEM;
	}
	return error;
}

static uint32_t count_living(const struct snapshot *s, size_t from, size_t to)
{
	uint32_t living = 0;

	for (size_t i = from; i < to; i++)
		living += !(s->entries[i].flags & WICKET_LEFT);
	return living;
}

uint32_t snapshot_held(const struct snapshot *s)
{
	return count_living(s, 0, s->view.holding);
}

uint32_t snapshot_waiting(const struct snapshot *s)
{
	return count_living(s, s->view.holding, s->count);
}

/* Idle seats are not shown, so a change in their number is none. */
static bool are_same_views(struct wicket_view a, struct wicket_view b)
{
	a.seated = b.seated;
	return !memcmp(&a, &b, sizeof(a));
}

static bool are_same_people(const struct snapshot *a, const struct snapshot *b)
{
	for (size_t i = 0; a->people && b->people && i < a->count; i++) {
		if (strcmp(a->people[i].comm, b->people[i].comm) ||
		    a->people[i].inside != b->people[i].inside ||
		    person_is_stopped(&a->people[i]) !=
			    person_is_stopped(&b->people[i]))
			return false;
	}
	return true;
}

static bool are_same_abroad(const struct snapshot *a, const struct snapshot *b)
{
	return !a->abroad || !b->abroad ||
	       !memcmp(a->abroad, b->abroad, a->count * sizeof(*a->abroad));
}

bool snapshot_is_same(const struct snapshot *a, const struct snapshot *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->path, b->path) &&
	       are_same_views(a->view, b->view) && a->count == b->count &&
	       !memcmp(a->entries, b->entries,
		       a->count * sizeof(*a->entries)) &&
	       are_same_people(a, b) && are_same_abroad(a, b);
}

/* --- all lines ------------------------------------------------------------------- */

void snapshots_free(struct snapshots *all)
{
	for (size_t i = 0; i < all->count; i++)
		snapshot_free(&all->lines[i]);
	free(all->lines);
	*all = (struct snapshots){ 0 };
}

int snapshots_directory(uint32_t which, char *path, size_t size)
{
	int length = wicket_directory(which, path, size);

	if (length < 0)
		return length;
	return (size_t)length < size ? 0 : -ENAMETOOLONG;
}

/* Does the error mean that the file is skipped, rather than a failure? */
static bool is_no_line(int error)
{
	return error == -EPROTO || error == -ENOENT || error == -EACCES ||
	       error == -EPERM || error == -ENOTSUP || error == -ESTALE ||
	       error == -EINVAL || error == -ELOOP || error == -EREMOTE;
}

/* With --watch, a damaged line is reported once. */
static bool has_told;

/* Adds a line, unless the name stands for one in another directory. */
static int take_one(struct snapshots *all, const char *directory,
		    const char *name)
{
	struct snapshot *s = &all->lines[all->count];
	int error = snapshot_take(s, name);
	size_t length = strlen(directory);

	if (!error && !strncmp(s->path, directory, length) &&
	    s->path[length] == '/') {
		all->count++;
		return 0;
	}
	snapshot_free(s);
	if (!error || is_no_line(error))
		return 0;
	if (error == -EUCLEAN) { /* the others are shown nevertheless */
		if (!has_told)
			say_error(name, error);
		return 0;
	}
	return say_error(name, error);
}

static int take_named(struct snapshots *all, const char *directory,
		      struct dirent **files, int count)
{
	size_t room = all->count + (size_t)count;
	int code = 0;

	all->lines = realloc(all->lines, (room + 1) * sizeof(*all->lines));
	if (!all->lines)
		fail(EX_OSERR, "out of memory");
	memset(all->lines + all->count, 0, (size_t)count * sizeof(*all->lines));
	for (int i = 0; !code && i < count; i++)
		code = take_one(all, directory, files[i]->d_name);
	return code;
}

static int take_directory(struct snapshots *all, const char *directory)
{
	struct dirent **files;
	int code, count = scandir(*directory ? directory : "/", &files, NULL,
				  alphasort);

	if (count < 0)
		return errno == ENOENT ? 0 : say_error(directory, -errno);
	code = take_named(all, directory, files, count);
	while (count > 0)
		free(files[--count]);
	free(files);
	return code;
}

int snapshots_take(struct snapshots *all)
{
	char directory[PATH_MAX];
	int code = 0, error = 0;

	*all = (struct snapshots){ 0 };
	for (uint32_t i = 0; !code && !error; i++) {
		error = snapshots_directory(i, directory, PATH_MAX);
		if (!error)
			code = take_directory(all, directory);
		else if (error != -ENOENT)
			code = say_error(directory, error);
	}
	has_told = true;
	return code;
}

bool snapshots_are_same(const struct snapshots *a, const struct snapshots *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!snapshot_is_same(&a->lines[i], &b->lines[i]))
			return false;
	}
	return true;
}
