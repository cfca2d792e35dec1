/* SPDX-License-Identifier: MIT */
/*
 * A line is complete when it appears: it is built as a file without a name and then
 * linked, so a creator that is killed leaves nothing behind.
 */
#include "line/area.h"

#include "line/access.h"
#include "line/file.h"
#include "line/older.h"
#include "line/place.h"
#include "line/remove.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static const char magic[8] = "wicket";

enum {
	LIBC = 0x676c6962, /* glibc's mutexes */
	HOUR = 3600,
	SLOTS_MAX_DEFAULT = 64,
};

/* --- where things lie ------------------------------------------------------------ */

static size_t aligned(size_t n)
{
	return (n + 2 * AREA_APART - 1) / (2 * AREA_APART) * (2 * AREA_APART);
}

static size_t hint_at(uint32_t slots)
{
	return sizeof(struct header) + aligned(8 * (size_t)slots);
}

static size_t seats_at(uint32_t slots, uint32_t seats)
{
	return hint_at(slots) + aligned(2 * (size_t)line_block(seats, slots));
}

size_t area_bytes(uint32_t slots_max, uint32_t seats)
{
	return seats_at(slots_max, seats) + seats * sizeof(struct seat);
}

/* --- a new line ----------------------------------------------------------------------- */

int area_boot(uint64_t id[2])
{
	char text[64], digits[33];
	int n = 0,
	    fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? -ENOSYS : -errno;
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

void area_look_up(struct wicket *h, uint32_t slots_max, uint32_t seats)
{
	char *base = (char *)h->area;

	h->w = &h->area->w;
	h->slots = slots_max;
	h->seat_count = seats;
	h->block = line_block(seats, slots_max);
	h->slot = (_Atomic uint64_t *)(void *)(base + sizeof(struct header));
	h->hint = (_Atomic uint16_t *)(void *)(base + hint_at(slots_max));
	h->seats = (struct seat *)(void *)(base + seats_at(slots_max, seats));
}

uint32_t area_slots(struct wicket *h)
{
	uint32_t closed = line_aim(load(&h->w->high));

	return closed < h->slots ? h->slots - closed : 0;
}

int area_new_bell(pthread_mutex_t *bell)
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
static int format(struct wicket *h, uint32_t slots)
{
	struct header *a = h->area;
	size_t constant = offsetof(struct header, used);
	uint32_t closed = h->slots - slots;
	int error = 0;

	memset((char *)a + constant, 0,
	       area_bytes(h->slots, h->seat_count) - constant);
	atomic_store_explicit(&a->w.high,
			      line_start(h->slots, closed, h->block),
			      memory_order_relaxed);
	for (uint32_t i = 0; i < h->slots; i++)
		atomic_store_explicit(
			&h->slot[i],
			line_start_slot(i, h->slots, closed, h->block),
			memory_order_relaxed);
	for (uint32_t i = 0; i < h->seat_count && !error; i++)
		error = area_new_bell(&h->seats[i].bell);
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

/* A file that is larger than a limit of the process would be the end of it, by
   SIGXFSZ. */
static int allocate(int fd, size_t bytes)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < bytes)
		return -EFBIG;
	return -posix_fallocate(fd, 0, (off_t)bytes);
}

/* The sticky bit keeps it from being aged out of /tmp (XDG Base Directory
   Specification): a line may be held for weeks. */
static int permit(int fd, uint32_t mode)
{
	struct stat st;

	if (fstat(fd, &st) ||
	    fchmod(fd, (mode ? mode : st.st_mode & 0777) | S_ISVTX))
		return -errno;
	return 0;
}

static int build(struct wicket *h, const struct wicket_options *o)
{
	size_t bytes = area_bytes(o->slots_max, o->seats);
	uint64_t boot[2];
	int error = area_boot(boot);

	if (!error)
		error = allocate(h->fd, bytes);
	if (!error)
		error = permit(h->fd, o->mode);
	if (!error)
		error = map(h, bytes, false);
	if (!error) {
		area_look_up(h, o->slots_max, o->seats);
		error = format(h, o->slots);
	}
	if (!error) {
		struct header *a = h->area;

		memcpy(a->magic, magic, sizeof(magic));
		a->version = AREA_VERSION;
		a->libc = LIBC;
		a->bytes = bytes;
		a->slots = o->slots;
		a->seats = o->seats;
		a->block = h->block;
		a->slots_max = o->slots_max;
		a->epoch = new_epoch(0);
		memcpy(a->boot, boot, sizeof(boot));
	}
	return error;
}

/* The open file that the mapping keeps, and with it the life, must have no
   descriptor: a forked child would inherit it. */
static int part_with_fd(struct wicket *h)
{
	int fd = file_reopen(h->fd, ASKING);

	if (fd < 0)
		return fd;
	close(h->fd);
	h->fd = fd;
	return life_know(h);
}

/* Until now the file had no name by which it could be opened again. */
static void know_name(struct wicket *h, const char *path)
{
	struct wicket named = { .fd = open(path, ASKING) };

	if (life_know(&named) || named.device != h->device ||
	    named.inode != h->inode) {
		life_close_fd(&named);
		return;
	}
	close(h->fd);
	h->fd = named.fd;
	life_know(h);
}

/* 0 or -EEXIST: somebody was faster. */
static int create(struct wicket *h, const char *path,
		  const struct wicket_options *o)
{
	char dir[PATH_MAX], self[64];
	int error;

	file_directory(path, dir);
	h->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC,
		     o->mode ? o->mode : 0600);
	if (h->fd < 0)
		return errno == EISDIR || errno == EOPNOTSUPP ? -ENOTSUP :
								-errno;
	error = file_is_remote(h->fd) ? -EREMOTE : build(h, o);
	if (!error)
		error = life_begin(h, h->fd);
	if (!error)
		error = part_with_fd(h);
	if (!error)
		h->area->lifeless = !life_lasts(h);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", h->fd);
	if (!error && linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		error = -errno;
	if (error)
		area_close(h);
	else
		know_name(h, path);
	return error;
}

/* --- an old line ------------------------------------------------------------------------- */

bool area_has_magic(const struct header *a)
{
	return !memcmp(a->magic, magic, sizeof(magic));
}

const char *area_fault(const struct header *a, size_t bytes)
{
	if (!area_has_magic(a))
		return "it does not begin as a line does (magic)";
	if (a->version < AREA_VERSION)
		return "it was made by an older version of wicket, whose "
		       "programs may still use it";
	if (a->version > AREA_VERSION)
		return "it was made by a newer version of wicket";
	if (a->libc != LIBC)
		return "it was made with another libc, whose mutexes differ";
	if (!a->slots || a->slots > a->slots_max ||
	    a->slots_max > LINE_SLOTS_MAX)
		return "no line has that number of slots";
	if (a->seats <= a->slots_max || a->seats > LINE_SEATS_MAX)
		return "no line with these slots has that number of seats";
	if (a->block != line_block(a->seats, a->slots_max))
		return "block, the tickets of a colour, does not go with the "
		       "seats";
	if (a->bytes != area_bytes(a->slots_max, a->seats))
		return "bytes, its size, does not go with the seats and slots";
	return a->bytes == bytes ? 0 : "the file has not the size it says";
}

/*
 * What a former run of the kernel left: k is kept, as it was last changed, nothing
 * else.  But a boot id
 * may differ within one run, in a container that has its own.  So it is not done
 * while anybody has a life in the line, or opens it and is about to have one.
 */
static int start_afresh(struct wicket *h, const uint64_t boot[2])
{
	struct header *a = h->area;
	int error;

	if (life_any(h->fd))
		return 0;
	error = life_gate(h->fd, F_WRLCK);
	/* who was at the gate may live by now, or have removed the line */
	if (error || life_any(h->fd) || remove_is_marked(h))
		return error;
	error = format(h, area_slots(h));
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

	life_gate(h->fd, F_UNLCK);
	error = life_alone(h->fd, F_WRLCK);
	if (error)
		return error;
	if (!is_of_this_boot(h, boot))
		error = start_afresh(h, boot);
	if (!error)
		error = life_gate(h->fd, F_RDLCK);
	life_alone(h->fd, F_UNLCK);
	return error;
}

/* From the gate to a life of its own. */
static int enter(struct wicket *h, const uint64_t boot[2])
{
	int error = life_gate(h->fd, F_RDLCK);

	if (!error && !is_of_this_boot(h, boot))
		error = renew(h, boot);
	if (!error)
		error = life_begin(h, h->fd);
	life_gate(h->fd, F_UNLCK);
	if (!error)
		error = part_with_fd(h);
	/* to the others, by another way to the same file, we would be dead */
	if (!error && !h->area->lifeless && !life_lasts(h))
		error = -ENOTSUP;
	return error;
}

/* Who only looks changes nothing. */
static int look_in(struct wicket *h, const uint64_t boot[2])
{
	if (!is_of_this_boot(h, boot) && !life_any(h->fd))
		return -ESTALE;
	return life_know(h);
}

/* Ages of files count from the last use, for those who remove old ones. */
static void touch(int fd, const struct stat *st)
{
	if (time(0) - st->st_mtime > HOUR)
		futimens(fd, 0);
}

/* The header is judged by a copy: whoever may write the file could change it
   between judging and using. */
static int map_line(struct wicket *h, const struct stat *st, bool view)
{
	size_t bytes = (size_t)st->st_size;
	struct header a;
	int error;

	if (bytes < sizeof(a))
		return -EPROTO;
	error = map(h, bytes, view);
	if (error)
		return error;
	memcpy(&a, h->area, sizeof(a));
	if (area_fault(&a, bytes)) {
		munmap(h->area, bytes);
		h->area = 0;
		return -EPROTO;
	}
	area_look_up(h, a.slots_max, a.seats);
	return 0;
}

static int attach(struct wicket *h, uint32_t flags)
{
	bool view = flags & WICKET_VIEW;
	struct stat st;
	uint64_t boot[2];
	int error = area_boot(boot);

	if (error)
		return error;
	if (fstat(h->fd, &st))
		return -errno;
	if (file_is_remote(h->fd))
		return -EREMOTE;
	if (!view && !(flags & WICKET_TRUST) && file_is_trap(&st))
		return -EPERM;
	error = map_line(h, &st, view);
	if (error)
		return error;
	if (view)
		return look_in(h, boot);
	touch(h->fd, &st);
	return enter(h, boot);
}

void area_close(struct wicket *h)
{
	if (h->area) {
		size_t bytes = area_bytes(h->slots, h->seat_count);

		BEFORE();
		if (h->torn) /* the file goes, its place stays */
			mmap(h->area, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		else
			munmap(h->area, bytes);
		ORDERED_BY(BY_KERNEL);
		AFTER(LEAVE_LIFE, END_LIFE, line_life(h->life), 0, 0, 0, 0, 0);
	}
	life_close_fd(h);
	h->area = 0;
	h->life = 0;
	h->inode = 0;
}

int area_attach(struct wicket *h, const char *path, uint32_t flags)
{
	bool view = flags & WICKET_VIEW;
	int error;

	h->fd = file_open(path, view ? O_RDONLY : O_RDWR);
	if (h->fd < 0)
		return h->fd;
	error = attach(h, flags);
	if (!error && remove_is_marked(h) && !view) {
		error = remove_rest(h, path);
		if (!error)
			error = -ENOENT;
	}
	if (error)
		area_close(h);
	return error;
}

static uint32_t at_least(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t at_most(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static bool is_possible(const struct wicket_options *o)
{
	const uint32_t known = WICKET_CREATE | WICKET_VIEW | WICKET_CLOCK |
			       WICKET_TRUST | WICKET_UNSEATED;
	const uint32_t both = WICKET_CREATE | WICKET_VIEW;

	return !(o->flags & ~known) && (o->flags & both) != both &&
	       !(o->mode & ~(uint32_t)0777) && o->slots <= LINE_SLOTS_MAX &&
	       o->slots_max <= LINE_SLOTS_MAX &&
	       (!o->slots_max || o->slots <= o->slots_max) &&
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
	if (o->slots_max && o->slots > o->slots_max)
		o->slots = o->slots_max; /* of processors */
	if (!o->seats)
		o->seats = at_least(WICKET_SEATS_DEFAULT,
				    2 * at_least(o->slots, o->slots_max));
	if (!o->slots_max)
		o->slots_max = at_least(
			o->slots, at_most(SLOTS_MAX_DEFAULT, o->seats - 1));
	return o->seats > o->slots_max;
}

/* Its file: a link is followed if it leads somewhere, so that what is unlinked and
   created anew is not the link. */
static int find_file(const char *name, char path[PATH_MAX],
		     struct wicket_options *o)
{
	char real[PATH_MAX];
	int error = o->flags & WICKET_CREATE ? place_make(name, path, o) :
					       place_find(name, path);

	if (!error && !(o->flags & WICKET_VIEW) && file_is_link(path)) {
		if (!realpath(path, real))
			return -errno;
		strcpy(path, real);
	}
	return error;
}

/* Somebody may have been faster, in this place or in a better one. */
static int create_here(struct wicket *h, const char *name, const char *path,
		       struct wicket_options *o)
{
	int error = complete(o) ? create(h, path, o) : -EINVAL;

	if (!error && place_has_rival(name, path)) {
		area_close(h);
		error = remove_file(path, o);
		return error && error != -ENOENT ? error : -EAGAIN;
	}
	return error == -EEXIST ? -EAGAIN : error;
}

static int attach_or_create(struct wicket *h, const char *name,
			    const char *path, struct wicket_options *o)
{
	int error = area_attach(h, path, o->flags);

	if (error == -EPROTO && !(o->flags & WICKET_VIEW) &&
	    older_retire(path, o)) {
		o->flags |= WICKET_CREATE;
		error = -ENOENT;
	}
	return error == -ENOENT && o->flags & WICKET_CREATE ?
		       create_here(h, name, path, o) :
		       error;
}

int area_open(struct wicket *h, const char *name,
	      const struct wicket_options *options)
{
	struct wicket_options o = *options;
	char path[PATH_MAX];
	int error = is_possible(options) ? 0 : -EINVAL;

	h->fd = -1;
	if (!error)
		error = find_file(name, path, &o);
	while (!error &&
	       (error = attach_or_create(h, name, path, &o)) == -EAGAIN)
		error = find_file(name, path, &o);
	/* where nobody is let in for now, k is not known */
	if (!error && options->slots && area_slots(h) &&
	    options->slots != area_slots(h)) {
		area_close(h);
		error = -EEXIST;
	}
	return error;
}
