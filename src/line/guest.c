/* SPDX-License-Identifier: MIT */
#include "line/guest.h"

#include "line/access.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the descriptor ------------------------------------------------------------------- */

/* Reads the beginning of a file; returns a text, empty if it cannot. */
static const char *read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[got < 0 ? 0 : got] = 0;
	return text;
}

/* The byte of the line of which this descriptor has a read lock; or 0.  "lock:\t1:
   OFDLCK ADVISORY  READ -1 00:1b:50 12 12" */
static uint64_t byte_of(int fd)
{
	char path[64], text[1024];
	unsigned long long first = 0, last;
	const char *lock;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	lock = strstr(read_text(path, text, sizeof(text)), "OFDLCK");
	if (!lock || sscanf(lock, "OFDLCK %*s READ %*s %*s %llu %llu", &first,
			    &last) != 2)
		return 0;
	return first == last ? first : 0;
}

static uint64_t byte_of_tag(uint64_t tag)
{
	return tag << 1 >> 1;
}

static bool has_inherited(const struct wicket *h, int fd)
{
	int flags = fcntl(fd, F_GETFD);
	struct stat st;

	return flags >= 0 && !(flags & FD_CLOEXEC) && !fstat(fd, &st) &&
	       st.st_dev == h->device && st.st_ino == h->inode;
}

/* Calls use for each descriptor that the process has, until it returns true. */
static bool any_descriptor(bool (*use)(void *arg, int fd), void *arg)
{
	int all = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char entries[2048] __attribute__((aligned(8)));
	bool found = false;
	ssize_t got = 0;

	while (all >= 0 && !found &&
	       (got = getdents64(all, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < got && !found;) {
			struct dirent64 *e = (void *)(entries + at);

			found = isdigit((unsigned char)*e->d_name) &&
				use(arg, atoi(e->d_name));
			at += e->d_reclen;
		}
	}
	if (all >= 0)
		close(all);
	return found;
}

/* --- the ancestor --------------------------------------------------------------------- */

/* "PID (COMM) STATE PARENT ...", and COMM may have anything in it. */
static int32_t parent_of(int32_t pid)
{
	char path[64], text[1024];
	const char *end;
	int32_t parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	end = strrchr(read_text(path, text, sizeof(text)), ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* Of a process that may have ended meanwhile, so that its number is another's, the
   parent counts only if it is still the parent of its child. */
static bool is_ancestor(int32_t pid)
{
	int32_t child = getpid(), parent = getppid();

	if (child == pid)
		return true;
	while (parent > 0 && parent != pid) {
		int32_t above = parent_of(parent), again = parent_of(child);

		child = again == parent ? parent : child;
		parent = again == parent ? above : again;
	}
	return parent == pid;
}

static bool is_of_command(struct wicket *h, uint32_t i, uint64_t state)
{
	struct seat *seat = &h->seats[i];
	int32_t command = atomic_load_explicit(&seat->command,
					       memory_order_acquire);
	uint32_t ns = atomic_load_explicit(&seat->pidns, memory_order_relaxed);
	struct stat own;

	return command > 0 && !stat("/proc/self/ns/pid", &own) &&
	       ns == (uint32_t)own.st_ino && is_ancestor(command) &&
	       peek_keep(h, i, state);
}

/* --- joining -------------------------------------------------------------------------- */

static bool is_kept(struct line_seat c, uint32_t i, uint64_t tag)
{
	return line_kept(c) && !line_dead(c.state) &&
	       byte_of_tag(line_tag(c.state, i)) == byte_of_tag(tag);
}

static void go(struct wicket *h, uint32_t i, uint64_t state)
{
	_Atomic uint64_t *guests = &h->seats[i].guests;
	uint64_t word;

	do
		word = load(guests);
	while (guests_may_go(word, line_seq(state)) &&
	       !cas(guests, word, guests_go(word)));
}

/* The word has half of seq: so the seat is looked at again. */
static int count_in(struct wicket *h, uint32_t i, uint64_t state)
{
	_Atomic uint64_t *guests = &h->seats[i].guests;
	uint64_t word;

	do {
		word = load(guests);
		if (!guests_may_join(word, line_seq(state)))
			return guests_count(word) == GUESTS_MAX ? -EUSERS :
								  -ESRCH;
	} while (!cas(guests, word, guests_join(word)));
	if (is_kept(snapshot(h, i), i, line_tag(state, i)))
		return 0;
	go(h, i, state);
	return -ESRCH;
}

/* The lock first: who is counted has it. */
static int join(struct wicket *h, uint32_t i, uint64_t state)
{
	struct flock lock = keep_lock(state, i, F_RDLCK);
	int fd = life_open_again(h), error;

	if (fd < 0)
		return fd;
	error = fcntl(fd, F_OFD_SETLK, &lock) ? -errno : count_in(h, i, state);
	if (error)
		close(fd);
	return error ? error : fd;
}

struct wish {
	struct wicket *h;
	uint64_t tag; /* 0: that of any descriptor */
	struct wicket_grant grant;
	int fd;
};

/* Tries to join what has this byte. */
static bool try_byte(struct wish *w, uint64_t byte, bool is_inherited)
{
	uint32_t i = line_tag_seat(byte);
	struct line_seat c;
	struct ticket t;

	if (i >= w->h->seat_count)
		return false;
	c = snapshot(w->h, i);
	if (!is_kept(c, i, byte) ||
	    line_payload_slot(c.payload) - 1 >= w->h->slots ||
	    (!is_inherited && !is_of_command(w->h, i, c.state)))
		return false;
	w->fd = join(w->h, i, c.state);
	if (w->fd < 0)
		return w->fd != -ESRCH;
	t = line_ticket(line_payload_ticket(c.payload));
	w->grant = (struct wicket_grant){
		.slot = line_payload_slot(c.payload) - 1,
		.value = t.value,
		.colour = t.colour,
	};
	w->tag = line_tag(c.state, i);
	return true;
}

static bool try_descriptor(void *arg, int fd)
{
	struct wish *w = arg;
	uint64_t byte = has_inherited(w->h, fd) ? byte_of(fd) : 0;

	return byte && (!w->tag || byte == byte_of_tag(w->tag)) &&
	       try_byte(w, byte, true);
}

int wicket_join(struct wicket *h, uint64_t tag, struct wicket_grant *grant)
{
	struct wish w = { .h = h, .tag = tag, .fd = -ESRCH };
	int saved = errno;

	if (h->magic != HANDLE_MAGIC)
		return -ECHILD;
	if (h->thread != handle_thread || h->flags & WICKET_VIEW)
		return -EPERM;
	if (h->joined || h->me != NO_SEAT)
		return -EDEADLK;
	if (!any_descriptor(try_descriptor, &w) && tag)
		try_byte(&w, byte_of_tag(tag), false);
	errno = saved;
	if (w.fd < 0)
		return w.fd;
	h->joined = w.tag;
	if (grant)
		*grant = w.grant;
	return w.fd;
}

bool guest_go(struct wicket *h)
{
	if (h->magic != HANDLE_MAGIC || h->thread != handle_thread ||
	    !h->joined)
		return false;
	go(h, line_tag_seat(h->joined), h->joined);
	h->joined = 0;
	return true;
}

uint64_t wicket_tag(const struct wicket *h)
{
	if (h->magic != HANDLE_MAGIC)
		return 0;
	return line_phase(h->state) == LINE_HAVE ? line_tag(h->state, h->me) :
						   h->joined;
}
