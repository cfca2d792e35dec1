/* SPDX-License-Identifier: MIT */
#include "line/life.h"

#include "line/access.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DRAWS = 64, TRIES = 1000, GATE = 0, ALONE = 1, REST = 2 };

/* Where there are no such locks, there can be no line. */
static int lock(int fd, struct flock lock)
{
	if (!fcntl(fd, F_OFD_SETLK, &lock))
		return 0;
	return errno == EACCES			      ? -EAGAIN :
	       errno == EINVAL || errno == EOPNOTSUPP ? -ENOTSUP :
							-errno;
}

static uint32_t draw(struct wicket *h)
{
	uint64_t drawn = atomic_fetch_add_explicit(&h->area->lives, 1,
						   memory_order_relaxed);

	return 1 + (uint32_t)(drawn % LINE_LIFE_MAX);
}

/* Where numbers have come round, one may be that of somebody who lives. */
int life_begin(struct wicket *h, int fd)
{
	int error = -EAGAIN;

	for (int i = 0; i < DRAWS && error == -EAGAIN; i++) {
		uint32_t life = draw(h);

		BEFORE();
		error = lock(fd, life_lock(life, F_WRLCK));
		if (!error) {
			h->life = line_of_life(life);
			ORDERED_BY(BY_KERNEL);
			AFTER(JOIN_LIFE, BEGIN_LIFE, life, 0, 0, 0, 0, 0);
		}
	}
	return error == -EAGAIN ? -EBUSY : error;
}

/* Gives up after a while, in case the process that has the lock is stopped. */
static int lock_byte(int fd, off_t byte, short type)
{
	const struct flock wanted = { .l_type = type,
				      .l_whence = SEEK_SET,
				      .l_start = byte,
				      .l_len = 1 };
	const struct timespec a_while = { .tv_nsec = 1000000 };
	int error = lock(fd, wanted);

	for (int i = 0; i < TRIES && error == -EAGAIN; i++) {
		nanosleep(&a_while, 0);
		error = lock(fd, wanted);
	}
	return error == -EAGAIN ? -EBUSY : error;
}

int life_gate(int fd, short type)
{
	return lock_byte(fd, GATE, type);
}

int life_alone(int fd, short type)
{
	return lock_byte(fd, ALONE, type);
}

bool life_any(int fd)
{
	struct flock all = { .l_type = F_WRLCK,
			     .l_whence = SEEK_SET,
			     .l_start = REST };

	return fcntl(fd, F_OFD_GETLK, &all) || all.l_type != F_UNLCK;
}

/* --- the descriptor for asking ------------------------------------------------------ */

static void leave_to_children(struct wicket *h)
{
	if (!h->inherited)
		return;
	h->inherited->fd = h->fd;
	h->inherited->device = h->device;
	h->inherited->inode = h->inode;
}

int life_know(struct wicket *h)
{
	char self[32], *path = h->inherited ? h->inherited->path : 0;
	struct stat st;
	ssize_t room = PAGE - sizeof(struct inherited), length;

	if (fstat(h->fd, &st))
		return -errno;
	h->device = st.st_dev;
	h->inode = st.st_ino;
	leave_to_children(h);
	if (!path)
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", h->fd);
	length = readlink(self, path, (size_t)room);
	path[length < 0 || length == room ? 0 : length] = 0;
	return 0;
}

static bool is_of(int fd, dev_t device, ino_t inode)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && st.st_dev == device &&
	       st.st_ino == inode && fcntl(fd, F_GETFL) & O_NONBLOCK;
}

static bool is_line(const struct wicket *h, int fd)
{
	return is_of(fd, h->device, h->inode);
}

int life_fd(struct wicket *h)
{
	int fd;

	if (is_line(h, h->fd))
		return h->fd;
	fd = h->inherited ? open(h->inherited->path, ASKING) : -1;
	if (fd < 0)
		return -EBADF;
	if (!is_line(h, fd)) {
		close(fd);
		return -EBADF;
	}
	h->fd = fd;
	leave_to_children(h);
	return fd;
}

int life_open_again(struct wicket *h)
{
	char self[32];
	int fd = life_fd(h);

	if (fd < 0)
		return fd;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	fd = open(self, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void life_close_fd(struct wicket *h)
{
	if (h->fd >= 0 && (!h->inode || is_line(h, h->fd)))
		close(h->fd);
	h->fd = -1;
}

void life_close_inherited(const struct inherited *i)
{
	if (is_of(i->fd, i->device, i->inode))
		close(i->fd);
}

bool life_is_unlocked(struct wicket *h, struct flock lock)
{
	int saved = errno, asked, error, fd;
	struct flock answer;

	do {
		answer = lock;
		asked = h->fd;
		error = fcntl(asked, F_OFD_GETLK, &answer) ? errno : 0;
		if (!error && answer.l_type != F_UNLCK)
			fd = -EBUSY;
		else
			fd = life_fd(h);
		/* opened again, it may well have the same number */
	} while (fd >= 0 && (fd != asked || error == EBADF));
	errno = saved;
	return fd >= 0 && !error;
}

bool life_lasts(struct wicket *h)
{
	return !life_is_unlocked(h, life_lock(line_life(h->life), F_RDLCK));
}
