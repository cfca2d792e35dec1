/* SPDX-License-Identifier: MIT */
#include "line/place.h"

#include "line/access.h"
#include "line/file.h"
#include "line/remove.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 3, DIR_MAX = PATH_MAX - NAME_MAX - 2 };

struct place {
	char dir[DIR_MAX];
	int rank; /* of the directories; PLACES: $WICKET_DIR */
};

/* --- directories -------------------------------------------------------------- */

static bool is_usable(const char *dir)
{
	return !access(dir, W_OK | X_OK);
}

/* A directory of this user's alone, which there is or could be. */
static int own_dir(const char *parent, const char *dir, bool make)
{
	struct stat st;

	if (lstat(dir, &st)) {
		if (errno != ENOENT || !is_usable(parent))
			return -errno;
		if (!make)
			return 0;
		if ((mkdir(dir, 0700) && errno != EEXIST) || lstat(dir, &st))
			return -errno;
	}
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return st.st_uid == geteuid() && !(st.st_mode & 022) ? 0 : -EPERM;
}

static int try_place(struct place *p, int rank, bool make)
{
	static const char *const parents[PLACES] = { 0, "/run/lock", "/tmp" };
	const char *parent = parents[rank];

	p->rank = rank;
	if (parent) {
		snprintf(p->dir, DIR_MAX, "%s/wicket-%u", parent, geteuid());
		return own_dir(parent, p->dir, make);
	}
	snprintf(p->dir, DIR_MAX, "/run/wicket");
	return is_usable(p->dir) ? 0 : -EACCES;
}

static int find_place(struct place *p, bool make)
{
	const char *set = secure_getenv("WICKET_DIR");
	int error = -EACCES;

	if (set && *set) {
		p->rank = PLACES;
		return snprintf(p->dir, DIR_MAX, "%s", set) < DIR_MAX ?
			       0 :
			       -ENAMETOOLONG;
	}
	/* somebody else's: no way round it */
	for (int i = 0;
	     i < PLACES && error && error != -EPERM && error != -ENOTDIR; i++)
		error = try_place(p, i, make);
	return error;
}

/* The next one that there is. */
static bool next_place(struct place *p)
{
	while (++p->rank < PLACES) {
		if (!try_place(p, p->rank, false) && !access(p->dir, F_OK))
			return true;
	}
	return false;
}

int wicket_directory(uint32_t which, char *path, size_t size)
{
	struct place p = { .dir = "" };
	int saved = errno, error = find_place(&p, false), length;

	while (which-- && !error)
		error = next_place(&p) ? 0 : -ENOENT;
	length = snprintf(path, size, "%s", error == -ENOENT ? "" : p.dir);
	errno = saved;
	return error ? error : length;
}

/* --- names ----------------------------------------------------------------------- */

/* Where lives do not last (life.h), by its seats.  And a line that lets nobody in is
   waited for, or will be. */
static bool has_seated(const char *path)
{
	struct wicket h = { .fd = -1, .me = NO_SEAT };
	bool seated = false;

	if (area_attach(&h, path, WICKET_VIEW))
		return false;
	seated = !area_slots(&h);
	for (uint32_t i = 0; h.area->lifeless && i < h.seat_count; i++)
		seated |= line_phase(load(&h.seats[i].word.low)) != LINE_FREE;
	area_close(&h);
	return seated;
}

static bool is_used(const char *path)
{
	int fd = file_open(path, O_RDONLY);
	bool used = fd >= 0 && life_any(fd);

	if (fd >= 0)
		close(fd);
	return used || (fd >= 0 && has_seated(path));
}

/* What this place and name would be. */
static void put_path(const struct place *p, const char *name,
		     char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", p->dir, name);
}

/* A file of that name in a further place, of this user's alone. */
static bool find_further(struct place *p, const char *name, char path[PATH_MAX])
{
	while (next_place(p)) {
		put_path(p, name, path);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

/* o: it is to be created if there is none; or null. */
static int path_of_name(const char *name, char path[PATH_MAX],
			struct wicket_options *o)
{
	struct place p;
	char further[PATH_MAX];
	int error = find_place(&p, o);

	if (error)
		return error;
	put_path(&p, name, path);
	while (find_further(&p, name, further)) {
		if (is_used(further) || (o ? remove_file(further, o) == -EBUSY :
					     access(path, F_OK))) {
			strcpy(path, further);
			break;
		}
	}
	return 0;
}

static int path_of(const char *name, char path[PATH_MAX],
		   struct wicket_options *o)
{
	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return -EINVAL;
	if (!strchr(name, '/'))
		return strlen(name) > NAME_MAX ? -ENAMETOOLONG :
						 path_of_name(name, path, o);
	if (strlen(name) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(path, name);
	return 0;
}

int place_find(const char *name, char path[PATH_MAX])
{
	return path_of(name, path, 0);
}

int place_make(const char *name, char path[PATH_MAX], struct wicket_options *o)
{
	return path_of(name, path, o);
}

bool place_has_rival(const char *name, const char *path)
{
	struct place p;
	char other[PATH_MAX];
	bool more = !strchr(name, '/') && !find_place(&p, false);

	for (; more; more = next_place(&p)) {
		put_path(&p, name, other);
		if (strcmp(other, path) != 0 && is_used(other))
			return true;
	}
	return false;
}

int wicket_path(const char *name, char *path, size_t size)
{
	char whole[PATH_MAX];
	int saved = errno, error = place_find(name, whole);

	errno = saved;
	return error ? error : snprintf(path, size, "%s", whole);
}
