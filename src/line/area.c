/* SPDX-License-Identifier: MIT */
/*
 * A line comes into being complete: it is built as a file without a name and
 * then linked, so that a creator that is killed leaves nothing.  It goes by a
 * mark in W, after which nobody can take a ticket, and then by unlinking: a
 * remover that is killed between the two leaves a file that the next one who
 * opens it unlinks.
 */
#include "line/area.h"

#include "line/life.h"
#include "line/older.h"
#include "line/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static const char magic[8] = "wicket";

enum {
	LIBC = 0x676c6962, /* glibc's mutexes */
	NFS = 0x6969,
	LOCK_TRIES = 1000,
};

/* --- where things lie ------------------------------------------------------------ */

static size_t aligned(size_t n)
{
	return (n + 2 * AREA_LINE - 1) / (2 * AREA_LINE) * (2 * AREA_LINE);
}

static size_t hint_at(uint32_t slots)
{
	return sizeof(struct header) + aligned(8 * (size_t)slots);
}

static size_t seats_at(uint32_t slots, uint32_t seats)
{
	return hint_at(slots) + aligned(2 * (size_t)line_block(seats, slots));
}

size_t wicket_area_bytes(uint32_t slots, uint32_t seats)
{
	return seats_at(slots, seats) + seats * sizeof(struct seat);
}

/* --- names ------------------------------------------------------------------------- */

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

/* The directory for names: depends on user and machine alone. */
static int name_dir(char *dir, size_t size, bool make)
{
	static const char *const parents[] = { "/run/lock", "/tmp" };
	const char *set = secure_getenv("WICKET_DIR");
	int error = 0;

	if (set && *set)
		return snprintf(dir, size, "%s", set) < (int)size ?
			       0 :
			       -ENAMETOOLONG;
	snprintf(dir, size, "/run/wicket");
	if (is_usable(dir))
		return 0;
	for (int i = 0; i < 2; i++) {
		snprintf(dir, size, "%s/wicket-%u", parents[i], geteuid());
		error = own_dir(parents[i], dir, make);
		/* somebody else's: no way round it */
		if (!error || error == -EPERM || error == -ENOTDIR)
			break;
	}
	return error;
}

static int path_of(const char *name, char *path, bool make)
{
	char dir[PATH_MAX - NAME_MAX - 2] = "";
	int error;

	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return -EINVAL;
	if (strchr(name, '/')) {
		if (strlen(name) >= PATH_MAX)
			return -ENAMETOOLONG;
		strcpy(path, name);
		return 0;
	}
	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	error = name_dir(dir, sizeof(dir), make);
	if (!error)
		sprintf(path, "%s/%s", dir, name);
	return error;
}

int wicket_path(const char *name, char *path, size_t size)
{
	char whole[PATH_MAX];
	int saved = errno, error = path_of(name, whole, false);

	errno = saved;
	return error ? error : snprintf(path, size, "%s", whole);
}

/* --- a new line ----------------------------------------------------------------------- */

int wicket_area_boot(uint64_t id[2])
{
	char text[64], digits[33];
	int n = 0,
	    fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return errno == ENOENT ? -ENOTSUP : -errno;
	got = read(fd, text, sizeof(text));
	close(fd);
	for (ssize_t i = 0; i < got && n < 32; i++) {
		if (text[i] != '-')
			digits[n++] = text[i];
	}
	if (n < 32)
		return -ENOTSUP;
	digits[32] = 0;
	id[1] = strtoull(digits + 16, 0, 16);
	digits[16] = 0;
	id[0] = strtoull(digits, 0, 16);
	return 0;
}

void wicket_area_look_up(struct wicket *h, uint32_t slots, uint32_t seats)
{
	char *base = (char *)h->area;

	h->w = &h->area->w;
	h->slots = slots;
	h->seat_count = seats;
	h->block = line_block(seats, slots);
	h->slot = (_Atomic uint64_t *)(void *)(base + sizeof(struct header));
	h->hint = (_Atomic uint16_t *)(void *)(base + hint_at(slots));
	h->seats = (struct seat *)(void *)(base + seats_at(slots, seats));
}

int wicket_area_new_bell(pthread_mutex_t *bell)
{
	pthread_mutexattr_t attr;
	bool made;

	if (pthread_mutexattr_init(&attr))
		return -ENOTSUP;
	made = !pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) &&
	       !pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) &&
	       !pthread_mutex_init(bell, &attr);
	pthread_mutexattr_destroy(&attr);
	return made ? 0 : -ENOTSUP;
}

/* All that changes as a line is used; not the boot id, by which others tell that
   this is done, nor what they look at before it. */
static int format(struct wicket *h, uint32_t slots, uint32_t seats)
{
	struct header *a = h->area;
	size_t constant = offsetof(struct header, used);
	int error = 0;

	wicket_area_look_up(h, slots, seats);
	memset((char *)a + constant, 0,
	       wicket_area_bytes(slots, seats) - constant);
	atomic_store_explicit(&a->w.high, line_start(slots, h->block),
			      memory_order_relaxed);
	for (uint32_t i = 0; i < slots; i++)
		atomic_store_explicit(&h->slot[i], line_start_slot(i, h->block),
				      memory_order_relaxed);
	for (uint32_t i = 0; i < seats && !error; i++)
		error = wicket_area_new_bell(&h->seats[i].bell);
	return error;
}

static int map(struct wicket *h, size_t bytes, bool view)
{
	void *p = mmap(0, bytes, view ? PROT_READ : PROT_READ | PROT_WRITE,
		       MAP_SHARED, h->fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	/* a child would keep our life */
	if (madvise(p, bytes, MADV_DONTFORK)) {
		munmap(p, bytes);
		return -ENOTSUP;
	}
	h->area = p;
	return 0;
}

/* Greater than that of any line of this name before, if the clock is right. */
static uint64_t new_epoch(uint64_t last)
{
	struct timespec t;
	uint64_t now;

	clock_gettime(CLOCK_REALTIME, &t);
	now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return now > last ? now : last + 1;
}

static int build(struct wicket *h, uint32_t slots, uint32_t seats,
		 uint32_t mode)
{
	size_t bytes = wicket_area_bytes(slots, seats);
	uint64_t boot[2];
	int error = wicket_area_boot(boot);

	if (!error)
		error = -posix_fallocate(h->fd, 0, (off_t)bytes);
	if (!error && mode && fchmod(h->fd, mode))
		error = -errno;
	if (!error)
		error = map(h, bytes, false);
	if (!error)
		error = format(h, slots, seats);
	if (!error) {
		struct header *a = h->area;

		memcpy(a->magic, magic, sizeof(magic));
		a->version = AREA_VERSION;
		a->libc = LIBC;
		a->bytes = bytes;
		a->slots = slots;
		a->seats = seats;
		a->block = h->block;
		a->slots_max = slots;
		a->epoch = new_epoch(0);
		memcpy(a->boot, boot, sizeof(boot));
	}
	return error;
}

/* The open file that the mapping keeps, and with it the life, must have no
   descriptor: a forked child would inherit it. */
static int part_with_fd(struct wicket *h)
{
	char self[32];
	int fd;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", h->fd);
	fd = open(self, ASKING);
	if (fd < 0)
		return -errno;
	close(h->fd);
	h->fd = fd;
	return wicket_life_know(h);
}

/* Until now the file had no name by which it could be opened again. */
static void know_name(struct wicket *h, const char *path)
{
	struct wicket named = { .fd = open(path, ASKING) };

	if (wicket_life_know(&named) || named.device != h->device ||
	    named.inode != h->inode) {
		wicket_life_close_fd(&named);
		return;
	}
	close(h->fd);
	h->fd = named.fd;
	wicket_life_know(h);
}

/* 0 or -EEXIST: somebody was faster. */
static int create(struct wicket *h, const char *path, uint32_t slots,
		  uint32_t seats, uint32_t mode)
{
	char dir[PATH_MAX], self[64];
	char *slash;
	int error;

	strcpy(dir, path);
	slash = strrchr(dir, '/');
	slash[slash == dir] = 0;
	h->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, mode ? mode : 0600);
	if (h->fd < 0)
		return errno == EISDIR || errno == EOPNOTSUPP ? -ENOTSUP :
								-errno;
	error = build(h, slots, seats, mode);
	if (!error)
		error = wicket_life_begin(h, h->fd);
	if (!error)
		error = part_with_fd(h);
	if (!error)
		h->area->lifeless = !wicket_life_lasts(h);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", h->fd);
	if (!error && linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		error = -errno;
	if (error)
		wicket_area_close(h);
	else
		know_name(h, path);
	return error;
}

/* --- an old line ------------------------------------------------------------------------- */

bool wicket_area_has_magic(const struct header *a)
{
	return !memcmp(a->magic, magic, sizeof(magic));
}

const char *wicket_area_fault(const struct header *a, size_t bytes)
{
	if (!wicket_area_has_magic(a))
		return "it does not begin as a line does (magic)";
	if (a->version < AREA_VERSION)
		return "it was made by an older version of wicket, whose "
		       "programs may still use it";
	if (a->version > AREA_VERSION)
		return "it was made by a newer version of wicket";
	if (a->libc != LIBC)
		return "it was made with another libc, whose mutexes differ";
	if (!a->slots || a->slots > LINE_SLOTS_MAX)
		return "no line has that number of slots";
	if (a->seats <= a->slots || a->seats > LINE_SEATS_MAX)
		return "no line with these slots has that number of seats";
	if (a->block != line_block(a->seats, a->slots))
		return "block, the tickets of a colour, does not go with the "
		       "seats and slots";
	if (a->slots_max != a->slots)
		return "slots_max differs from slots, which this library "
		       "does not know";
	if (a->bytes != wicket_area_bytes(a->slots, a->seats))
		return "bytes, its size, does not go with the seats and slots";
	return a->bytes == bytes ? 0 : "the file has not the size it says";
}

/* Of a lock that dies with its owner; but one who is stopped is not waited for. */
static int keep_trying(int (*lock)(int fd, short type), int fd, short type,
		       int tries)
{
	const struct timespec a_while = { .tv_nsec = 1000000 };
	int error = lock(fd, type);

	while (error == -EAGAIN && --tries > 0) {
		nanosleep(&a_while, 0);
		error = lock(fd, type);
	}
	return error == -EAGAIN ? -EBUSY : error;
}

static int lock_whole(int fd, short type)
{
	(void)type;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	return errno == EINTR ? -EAGAIN : -errno;
}

/* One process at a time. */
static int lock_file(int fd)
{
	return keep_trying(lock_whole, fd, 0, LOCK_TRIES);
}

static bool is_removed(struct wicket *h)
{
	return load(&h->w->low) == LINE_REMOVED;
}

/*
 * What a former run of the kernel left: k is kept, nothing else.  But a boot id
 * may differ within one run, in a container that has its own.  So it is not done
 * while anybody has a life in the line, or opens it and is about to have one.
 */
static int start_afresh(struct wicket *h, const uint64_t boot[2])
{
	struct header *a = h->area;
	int error;

	if (wicket_life_any(h->fd))
		return 0;
	error = keep_trying(wicket_life_gate, h->fd, F_WRLCK, LOCK_TRIES);
	/* who was at the gate may live by now, or have removed the line */
	if (error || wicket_life_any(h->fd) || is_removed(h))
		return error;
	error = format(h, a->slots, a->seats);
	a->epoch = new_epoch(a->epoch);
	if (!error)
		memcpy(a->boot, boot, sizeof(a->boot));
	return error;
}

static bool is_of_this_boot(const struct wicket *h, const uint64_t boot[2])
{
	return !memcmp(h->area->boot, boot, sizeof(h->area->boot));
}

/* One at a time: else each would see the other at the gate. */
static int renew(struct wicket *h, const uint64_t boot[2])
{
	int error;

	wicket_life_gate(h->fd, F_UNLCK);
	error = lock_file(h->fd);
	if (error)
		return error;
	if (!is_of_this_boot(h, boot))
		error = start_afresh(h, boot);
	if (!error)
		error = keep_trying(wicket_life_gate, h->fd, F_RDLCK,
				    LOCK_TRIES);
	flock(h->fd, LOCK_UN);
	return error;
}

/* From the gate to a life of its own. */
static int enter(struct wicket *h, const uint64_t boot[2])
{
	int error = keep_trying(wicket_life_gate, h->fd, F_RDLCK, LOCK_TRIES);

	if (!error && !is_of_this_boot(h, boot))
		error = renew(h, boot);
	if (!error)
		error = wicket_life_begin(h, h->fd);
	wicket_life_gate(h->fd, F_UNLCK);
	if (!error)
		error = part_with_fd(h);
	/* to the others, by another way to the same file, we would be dead */
	if (!error && !h->area->lifeless && !wicket_life_lasts(h))
		error = -ENOTSUP;
	return error;
}

/* Who only looks changes nothing. */
static int look_in(struct wicket *h, const uint64_t boot[2])
{
	if (!is_of_this_boot(h, boot) && !wicket_life_any(h->fd))
		return -ESTALE;
	return wicket_life_know(h);
}

bool wicket_area_is_remote(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == NFS;
}

static int attach(struct wicket *h, bool view)
{
	struct stat st;
	uint64_t boot[2];
	int error = wicket_area_boot(boot);

	if (error)
		return error;
	if (fstat(h->fd, &st))
		return -errno;
	if (wicket_area_is_remote(h->fd))
		return -ENOTSUP;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct header))
		return -EPROTO;
	error = map(h, (size_t)st.st_size, view);
	if (error)
		return error;
	if (wicket_area_fault(h->area, (size_t)st.st_size)) {
		munmap(h->area, (size_t)st.st_size);
		h->area = 0;
		return -EPROTO;
	}
	wicket_area_look_up(h, h->area->slots, h->area->seats);
	return view ? look_in(h, boot) : enter(h, boot);
}

/* Under the lock of the file itself: the name may be another's by now. */
static int unlink_removed(struct wicket *h, const char *path)
{
	struct stat mine, theirs;
	int error = lock_file(h->fd);

	if (error)
		return error;
	if (!fstat(h->fd, &mine) && !lstat(path, &theirs) &&
	    mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino &&
	    unlink(path))
		error = -errno;
	flock(h->fd, LOCK_UN);
	return error;
}

void wicket_area_close(struct wicket *h)
{
	if (h->area) {
		BEFORE();
		munmap(h->area, wicket_area_bytes(h->slots, h->seat_count));
		AFTER(END_LIFE, line_life(h->life), 0, 0, 0, 0, 0);
	}
	wicket_life_close_fd(h);
	h->area = 0;
	h->life = 0;
	h->inode = 0;
}

int wicket_area_open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd >= 0)
		return fd;
	return errno == ENXIO || errno == EISDIR ? -EPROTO : -errno;
}

static int open_existing(struct wicket *h, const char *path, bool view)
{
	int error;

	h->fd = wicket_area_open_file(path, view ? O_RDONLY : O_RDWR);
	if (h->fd < 0)
		return h->fd;
	error = attach(h, view);
	if (!error && is_removed(h) && !view) {
		error = unlink_removed(h, path);
		if (!error)
			error = -ENOENT;
	}
	if (error)
		wicket_area_close(h);
	return error;
}

static uint32_t at_least(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static bool is_possible(const struct wicket_options *o)
{
	const uint32_t known = WICKET_CREATE | WICKET_VIEW | WICKET_CLOCK;
	const uint32_t both = WICKET_CREATE | WICKET_VIEW;

	return !(o->flags & ~known) && (o->flags & both) != both &&
	       !(o->mode & ~(uint32_t)0777) && o->slots <= LINE_SLOTS_MAX &&
	       o->seats <= LINE_SEATS_MAX;
}

/* Fills in what is not said of a new line; false: it cannot be. */
static bool complete(struct wicket_options *o)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!o->slots)
		o->slots = cpus > LINE_SLOTS_MAX ? LINE_SLOTS_MAX :
			   cpus < 1		 ? 1 :
						   (uint32_t)cpus;
	if (!o->seats)
		o->seats = at_least(WICKET_SEATS_DEFAULT, 2 * o->slots);
	return o->seats > o->slots;
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

static int open_or_create(struct wicket *h, const char *path,
			  const struct wicket_options *options)
{
	struct wicket_options o = *options;
	int error;

	do {
		error = open_existing(h, path, o.flags & WICKET_VIEW);
		if (error == -EPROTO && !(o.flags & WICKET_VIEW) &&
		    wicket_older_retire(path, &o)) {
			o.flags |= WICKET_CREATE;
			error = -ENOENT;
		}
		if (error != -ENOENT || !(o.flags & WICKET_CREATE))
			break;
		if (!complete(&o))
			return -EINVAL;
		error = create(h, path, o.slots, o.seats, o.mode);
		if (error == -EEXIST && is_link(path))
			return -ENOENT; /* to nowhere */
	} while (error == -EEXIST);
	return error;
}

int wicket_area_open(struct wicket *h, const char *name,
		     const struct wicket_options *options)
{
	char path[PATH_MAX];
	int error = is_possible(options) ? 0 : -EINVAL;

	h->fd = -1;
	if (!error)
		error = path_of(name, path, options->flags & WICKET_CREATE);
	if (!error)
		error = open_or_create(h, path, options);
	if (!error && options->slots && options->slots != h->slots) {
		wicket_area_close(h);
		error = -EEXIST;
	}
	return error;
}

/* --- no line any more ------------------------------------------------------------------------ */

static int remove_line(struct wicket *h)
{
	struct line_w w = read_w(h);

	for (;;) {
		struct line_w gone = { LINE_REMOVED, w.s };

		if (w.t == LINE_REMOVED)
			return 0;
		wicket_settle(h, w);
		if (line_vacant(w.s, h->block) != h->slots)
			return -EBUSY;
		if (cas_w(h, &w, gone))
			return 0;
	}
}

int wicket_remove(const char *name)
{
	struct wicket h = { .fd = -1, .me = NO_SEAT };
	struct wicket_options was;
	char path[PATH_MAX];
	int saved = errno, error = path_of(name, path, false);

	if (!error)
		error = open_existing(&h, path, false);
	if (error == -EPROTO && wicket_older_retire(path, &was))
		return 0;
	if (!error) {
		wicket_scan(&h, EVERYBODY, 0); /* the dead do not count */
		error = remove_line(&h);
		if (!error)
			error = unlink_removed(&h, path);
		wicket_area_close(&h);
	}
	errno = saved;
	return error;
}
