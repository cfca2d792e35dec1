/* SPDX-License-Identifier: MIT */
/*
 * check - looks for damage.  Here the file and its header are checked, the line is
 * copied, and what is worth knowing of it is told.  It only reads, and maps nothing:
 * truncating the file must not kill the process that checks it.
 */
#include "line/check.h"

#include "line/file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	TRIES = 200,
	NAP = 50000, /* nanoseconds between two of them */
	TOLD = 32,   /* things wrong are told, the rest is counted */
};

/* --- telling --------------------------------------------------------------- */

static void tell(struct exam *x, enum wicket_finding kind, const char *format,
		 va_list args)
{
	char text[256];

	vsnprintf(text, sizeof(text), format, args);
	x->tell(x->arg, kind, text);
}

void check_wrong(struct exam *x, const char *format, ...)
{
	va_list args;

	if (++x->wrong > TOLD)
		return;
	va_start(args, format);
	tell(x, WICKET_WRONG, format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void note(struct exam *x,
						       const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(x, WICKET_NOTE, format, args);
	va_end(args);
}

/* --- the file -------------------------------------------------------------- */

static const char *kind_of(mode_t mode)
{
	return S_ISDIR(mode)  ? "a directory" :
	       S_ISFIFO(mode) ? "a fifo" :
	       S_ISSOCK(mode) ? "a socket" :
				"a device";
}

/* As much as there is, up to bytes; or why not. */
static ssize_t read_all(int fd, void *copy, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t got = pread(fd, (char *)copy + done, bytes - done,
				    (off_t)done);

		if (got < 0 && errno != EINTR)
			return -errno;
		if (got == 0)
			break;
		if (got > 0)
			done += (size_t)got;
	}
	return (ssize_t)done;
}

static void check_file(struct exam *x, int fd, const struct stat *st)
{
	if (file_is_remote(fd))
		check_wrong(x,
			    "it is on a file system that several machines may "
			    "share: a line is of one machine");
	if (st->st_mode & S_IWOTH)
		note(x, "everybody may write it (mode %o)",
		     (unsigned int)st->st_mode & 07777);
	if (!st->st_nlink)
		note(x,
		     "its file has no name any more: no other process can open it");
}

/* Is it a header by which the rest can be understood? */
static bool check_header(struct exam *x, const struct header *a, size_t bytes)
{
	const char *fault = area_fault(a, bytes);

	if (bytes < sizeof(*a)) {
		check_wrong(x, "header: cut off, the file has only %zu bytes",
			    bytes);
		return false;
	}
	if (fault) {
		check_wrong(x, "header: %s", fault);
		note(x,
		     "header: version %u, libc %#x, bytes %llu, slots %u, "
		     "seats %u, block %u; the file has %zu bytes",
		     a->version, a->libc, (unsigned long long)a->bytes,
		     a->slots, a->seats, a->block, bytes);
		return false;
	}
	if (a->lifeless)
		note(x, "its file system does not keep locks for a mapping: a "
			"death of which the kernel does not tell is not "
			"noticed");
	if (a->map_at || a->map_bytes)
		check_wrong(
			x,
			"header: map is %u, %u, expected 0: it has no use yet",
			a->map_at, a->map_bytes);
	return true;
}

/* --- worth knowing ------------------------------------------------------------ */

static void note_gone(struct exam *x, uint32_t i, struct line_seat c)
{
	int32_t pid = atomic_load_explicit(&x->first.seats[i].pid,
					   memory_order_relaxed);
	uint32_t slot = line_payload_slot(c.payload), ticket;
	bool out = line_is_out(x->w.t, x->w.s, i, c, &ticket);

	if (!line_dead(c.state) && line_kept(c) &&
	    peek_keep(&x->first, i, c.state))
		note(x, "pid %d in slot %u: %s", pid, slot - 1,
		     line_is_left(c) ? "ended, what joined it runs on" :
				       "wicket died, its command runs on");
	else if (out && line_is_left(c))
		note(x,
		     "pid %d ended in slot %u, and so did what joined it: it "
		     "comes back when it is needed",
		     pid, slot - 1);
	else if (out && !line_is_valid(x->w.s, ticket))
		note(x,
		     "pid %d has left the line: its ticket is taken back, or "
		     "passed on when its turn comes",
		     pid);
	else if (out && slot)
		note(x,
		     "pid %d died in slot %u: it comes back when it is needed",
		     pid, slot - 1);
	else if (line_phase(c.state) != LINE_IDLE &&
		 line_phase(c.state) != LINE_JOINING)
		note(x,
		     "pid %d died half-way: whoever comes across it finishes",
		     pid);
	else
		note(x, "pid %d died in seat %u, without a ticket", pid, i);
}

static void note_seats(struct exam *x)
{
	uint32_t seated = 0;

	for (uint32_t i = 0; i < x->second.seat_count; i++) {
		struct line_seat c = seat_of(&x->first, i);

		seated += line_phase(c.state) != LINE_FREE;
		if (line_phase(c.state) != LINE_FREE && is_same_seat(x, i) &&
		    (line_dead(c.state) ||
		     line_is_told(c, peek_bell(&x->first, i)) ||
		     !peek_life(&x->first, line_life(c.payload))))
			note_gone(x, i, c);
	}
	if (seated == x->second.seat_count)
		note(x, "the line is full: all %u seats are taken", seated);
}

/* --- the line ------------------------------------------------------------------- */

static bool stands_still(struct exam *x)
{
	bool same = is_same_w(x) && used_of(&x->first) == used_of(&x->second);

	for (uint32_t i = 0; same && i < x->second.slots; i++)
		same = is_same_slot(x, i);
	for (uint32_t i = 0; same && i < x->second.seat_count; i++)
		same = is_same_seat(x, i);
	return same;
}

static int copy(struct exam *x, size_t bytes)
{
	struct wicket *both[] = { &x->first, &x->second };

	for (int i = 0; i < 2; i++) {
		ssize_t got = read_all(both[i]->fd, both[i]->area, bytes);

		if (got < 0)
			return (int)got;
		if ((size_t)got < bytes)
			return -ENODATA;
	}
	return 0;
}

/* Copies until the line stands still, but not for ever. */
static int catch_a_moment(struct exam *x, size_t bytes)
{
	const struct timespec nap = { .tv_nsec = NAP };
	int error = copy(x, bytes);

	for (int i = 0; i < TRIES && !error && !stands_still(x); i++) {
		nanosleep(&nap, 0);
		error = copy(x, bytes);
	}
	x->still = !error && stands_still(x);
	x->w = error ? (struct line_w){ 0, 0 } : w_of(&x->second);
	return error;
}

static int check_line(struct exam *x, size_t bytes)
{
	int error = catch_a_moment(x, bytes), before = x->wrong;

	if (error == -ENODATA) {
		check_wrong(x, "the file became shorter while it was read");
		return 0;
	}
	if (error)
		return error;
	check_words(x);
	if (x->wrong > before) /* what is between them means nothing */
		return 0;
	if (x->still)
		check_relations(x);
	else
		note(x, "the line is too busy to be judged as a whole: its "
			"words were, one by one");
	if (x->w.t == LINE_REMOVED)
		note(x, "the line was removed: the next to open it unlinks it");
	note_seats(x);
	return 0;
}

static int check_copies(struct exam *x, int fd, const struct header *a)
{
	struct wicket *both[] = { &x->first, &x->second };
	pthread_mutex_t bell;
	int error = area_new_bell(&bell);

	x->bell_kind = (uint32_t)bell.__data.__kind;
	for (int i = 0; i < 2 && !error; i++) {
		both[i]->fd = fd;
		both[i]->inherited = 0;
		life_know(both[i]);
		both[i]->area = aligned_alloc(2 * AREA_APART, a->bytes);
		if (both[i]->area)
			area_look_up(both[i], a->slots_max, a->seats);
		else
			error = -ENOMEM;
	}
	if (!error)
		error = check_line(x, a->bytes);
	free(x->first.area);
	free(x->second.area);
	return error;
}

static int check_open(struct exam *x, int fd)
{
	struct header a = { .version = 0 };
	uint64_t boot[2];
	struct stat st;
	ssize_t got;
	int error = fstat(fd, &st) ? -errno : area_boot(boot);

	if (error)
		return error;
	got = read_all(fd, &a, sizeof(a));
	if (got < 0)
		return (int)got;
	if (!area_has_magic(&a)) {
		check_wrong(x, "header: %s", area_fault(&a, (size_t)got));
		return -EPROTO;
	}
	check_file(x, fd, &st);
	if (!check_header(x, &a, (size_t)st.st_size))
		return 0;
	if (memcmp(a.boot, boot, sizeof(boot)) && !life_any(fd)) {
		note(x, "boot: of a former run of the kernel, the next to open "
			"it starts it afresh");
		return 0;
	}
	return check_copies(x, fd, &a);
}

/* Not even the time of the last access, if that is ours to spare. */
static int open_to_read(struct exam *x, const char *name)
{
	char path[PATH_MAX];
	int length = wicket_path(name, path, sizeof(path)), fd;
	struct stat st;

	if (length < 0)
		return length;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		check_wrong(x, "it is %s, not a file", kind_of(st.st_mode));
		return -EPROTO;
	}
	fd = file_open(path, O_RDONLY | O_NOATIME);
	return fd == -EPERM ? file_open(path, O_RDONLY) : fd;
}

int wicket_check(const char *name,
		 void (*told)(void *arg, enum wicket_finding kind,
			      const char *text),
		 void *arg)
{
	struct exam x = { .tell = told, .arg = arg };
	int saved = errno, fd = open_to_read(&x, name), error = fd;

	if (fd >= 0) {
		error = check_open(&x, fd);
		close(fd);
	}
	if (x.wrong > TOLD)
		note(&x, "%d more things are wrong", x.wrong - TOLD);
	errno = saved;
	return error < 0 ? error : x.wrong;
}
