/* SPDX-License-Identifier: MIT */
#include "tool/users.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

enum { NAMED = 8 }; /* holders that are named one by one */

static void write_holder(FILE *out, const struct snapshot *s, size_t i)
{
	fprintf(out, "slot %u by %d", s->entries[i].place, s->entries[i].pid);
	if (*s->people[i].comm)
		fprintf(out, " (%s)", s->people[i].comm);
	if (s->abroad)
		fprintf(out, " on %s",
			*s->abroad[i].host ? s->abroad[i].host : "?");
}

/* Of a line here /proc shows who they are; of another the host is all there is. */
static void write_waiters(FILE *out, const struct snapshot *s)
{
	fprintf(out, "%s%u waiting", s->view.holding ? "; " : "",
		s->view.waiting);
	for (size_t i = s->view.holding;
	     s->abroad && i < s->count && i < s->view.holding + NAMED; i++)
		fprintf(out, "%s%d on %s", i == s->view.holding ? ": " : ", ",
			s->entries[i].pid, s->abroad[i].host);
}

static void write_users(FILE *out, const struct snapshot *s)
{
	const char *between = "";

	for (size_t i = 0; i < s->view.holding && i < NAMED; i++) {
		fputs(between, out);
		write_holder(out, s, i);
		between = ", ";
	}
	if (s->view.holding > NAMED)
		fprintf(out, " and %u more", s->view.holding - NAMED);
	if (s->view.waiting)
		write_waiters(out, s);
}

/* To be freed. */
static char *users_in_words(struct snapshot *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		fail(EX_OSERR, "out of memory");
	snapshot_find_people(s);
	write_users(out, s);
	fclose(out);
	return text;
}

bool users_say(const char *name, struct snapshot *s)
{
	char *users;

	if (!s->count)
		return false;
	users = users_in_words(s);
	say("%s: the line is in use: %s", name, users);
	free(users);
	return true;
}

/* --- a file that was deleted ------------------------------------------------------ */

/* What /proc shows for a descriptor of that file, once it is deleted. */
static bool name_deleted(const char *path, char *deleted, size_t size)
{
	char dir[PATH_MAX], real[PATH_MAX];
	const char *name = strrchr(path, '/');

	if (!name)
		return false;
	snprintf(dir, sizeof(dir), "%.*s", (int)(name - path) + 1, path);
	if (!realpath(dir, real))
		return false;
	return snprintf(deleted, size, "%s%s (deleted)",
			strcmp(real, "/") ? real : "", name) < (int)size;
}

/* Takes the line of this descriptor, if it is deleted and in use. */
static bool take_deleted(struct snapshot *s, const char *fd,
			 const char *deleted)
{
	char link[PATH_MAX];
	ssize_t length = readlink(fd, link, sizeof(link) - 1);

	link[length < 0 ? 0 : length] = 0;
	if (strcmp(link, deleted) != 0)
		return false;
	if (!snapshot_take(s, fd) && s->count &&
	    s->view.removed == WICKET_DELETED)
		return true;
	snapshot_free(s);
	return false;
}

static bool seek_in_process(struct snapshot *s, const char *pid,
			    const char *deleted)
{
	char path[PATH_MAX];
	bool found = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	fds = opendir(path);
	for (struct dirent *e; fds && !found && (e = readdir(fds));) {
		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid, e->d_name);
		found = take_deleted(s, path, deleted);
	}
	if (fds)
		closedir(fds);
	return found;
}

static bool find_deleted(struct snapshot *s, const char *name)
{
	char path[PATH_MAX], deleted[2 * PATH_MAX];
	bool found = false;
	DIR *proc;

	if (wicket_path(name, path, sizeof(path)) < 0 ||
	    !name_deleted(path, deleted, sizeof(deleted)))
		return false;
	proc = opendir("/proc");
	for (struct dirent *e; proc && !found && (e = readdir(proc));) {
		if (strspn(e->d_name, "0123456789"))
			found = seek_in_process(s, e->d_name, deleted);
	}
	if (proc)
		closedir(proc);
	return found;
}

bool users_say_deleted(const char *name)
{
	struct snapshot s = { 0 };
	bool found = find_deleted(&s, name);

	if (found) {
		char *users = users_in_words(&s);

		say("%s: the file of a line of this name was deleted while "
		    "in use: %s; newcomers do not see them",
		    name, users);
		free(users);
	}
	snapshot_free(&s);
	return found;
}
