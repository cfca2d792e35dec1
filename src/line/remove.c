/* SPDX-License-Identifier: MIT */
#include "line/remove.h"

#include "line/file.h"
#include "line/older.h"
#include "line/place.h"
#include "line/recover.h"

#include <unistd.h>

bool remove_is_marked(struct wicket *h)
{
	return load(&h->w->low) == LINE_REMOVED;
}

/* A descriptor that has the lock under which lines are unlinked: else the name
   might be another line's by the time of unlinking.  h's own can only read. */
static int lock_out_others(struct wicket *h)
{
	int fd = file_reopen(h->fd, O_RDWR), error;

	if (fd < 0)
		return fd;
	error = life_alone(fd, F_WRLCK);
	if (!error)
		return fd;
	close(fd);
	return error;
}

/* What has the name now is left alone, unless it is this line. */
static int unlink_own(struct wicket *h, const char *path)
{
	return file_has_name(h->fd, path) && unlink(path) ? -errno : 0;
}

int remove_rest(struct wicket *h, const char *path)
{
	int lock = lock_out_others(h), error;

	if (lock < 0)
		return lock;
	error = remove_is_marked(h) ? unlink_own(h, path) : -EAGAIN;
	close(lock);
	return error;
}

/* Before anything is changed: may this file be unlinked there?  In a sticky directory
   only by its owner, the directory's, and root. */
static int ask_directory(struct wicket *h, const char *path)
{
	char dir[PATH_MAX];
	struct stat place, file;

	file_directory(path, dir);
	if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) ||
	    stat(dir, &place) || fstat(h->fd, &file))
		return -errno;
	if (place.st_mode & S_ISVTX && geteuid() && geteuid() != place.st_uid &&
	    geteuid() != file.st_uid)
		return -EPERM;
	return 0;
}

/* w: what W was. */
static int mark(struct wicket *h, struct line_w *w)
{
	*w = read_w(h);
	for (;;) {
		struct line_w gone = { LINE_REMOVED, w->s };

		if (w->t == LINE_REMOVED)
			return 0;
		if (recover_settle(h, *w))
			return -EUCLEAN;
		if (!line_is_empty(w->s, h->slots, h->block))
			return recover_adds_up(h) ? -EBUSY : -EUCLEAN;
		if (cas_w(REMOVE_W, h, w, gone))
			return 0;
	}
}

/* Nobody else changes W meanwhile, and whoever saw the mark has changed nothing:
   it is as if there had been none. */
static void take_mark_back(struct wicket *h, struct line_w was)
{
	struct line_w gone = { LINE_REMOVED, was.s };

	cas_w(RESTORE_W, h, &gone, was);
}

static int mark_and_unlink(struct wicket *h, const char *path)
{
	struct line_w was;
	int error = mark(h, &was);

	if (error)
		return error;
	error = unlink_own(h, path);
	if (error && was.t != LINE_REMOVED)
		take_mark_back(h, was);
	return error;
}

static int remove_line(struct wicket *h, const char *path)
{
	int error = ask_directory(h, path), lock;

	if (!error)
		error = recover_scan(h, EVERYBODY,
				     0); /* the dead do not count */
	if (error)
		return error;
	lock = lock_out_others(h);
	if (lock < 0)
		return lock;
	error = mark_and_unlink(h, path);
	close(lock);
	return error;
}

int remove_file(const char *path, struct wicket_options *was)
{
	struct wicket h = { .fd = -1, .me = NO_SEAT };
	struct wicket_options line = { 0 };
	int error;

	if (file_is_link(path))
		return -ELOOP;
	do
		error = area_attach(&h, path, WICKET_TRUST);
	while (error == -EAGAIN);
	if (error == -EPROTO && older_retire(path, &line)) {
		error = 0;
	} else if (!error) {
		line.slots = area_slots(&h);
		line.slots_max = h.slots;
		line.seats = h.seat_count;
		error = remove_line(&h, path);
		area_close(&h);
	}
	if (!error) {
		was->slots = line.slots;
		was->slots_max = line.slots_max;
		was->seats = line.seats;
	}
	return error;
}

int wicket_remove(const char *name)
{
	struct wicket_options was = { 0 };
	char path[PATH_MAX];
	int saved = errno, error = place_find(name, path);

	if (!error)
		error = remove_file(path, &was);
	errno = saved;
	return error;
}
