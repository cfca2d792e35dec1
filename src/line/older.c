/* SPDX-License-Identifier: MIT */
/*
 * Version 1: only the mutex of a seat, locked for life, said which process owned it.
 * Version 2: there are lives; whoever settles a release does not know that a ticket
 * may be handed back.
 * Version 3: a seat takes one ticket at a time, and one that was given up is neither
 * taken back nor exchanged; whoever settles a release does not know that it may close a
 * slot; there are fewer tickets of a colour.
 *
 * A line is in use if there is the lock of a command or a life, or a seat with a
 * living owner.  The mark in W keeps out processes that are just opening the line.
 */
#include "line/older.h"

#include "line/access.h"
#include "line/file.h"

#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GLIBC = 0x676c6962, SEAT = 128, LIVE_AT = 64 };

/* What all versions begin with. */
struct older {
	char magic[8];
	uint32_t version, libc;
	uint64_t bytes;
	uint32_t slots, seats;
};

/* Where they differ. */
static const struct layout {
	uint32_t header, w_at, boot_at;
} layouts[AREA_VERSION] = {
	[1] = { 256, 128, 40 },
	[2] = { 384, 256, 48 },
	[3] = { 384, 256, 48 },
};

/* Null: it is none of them. */
static const struct layout *layout_of(const struct older *a,
				      const struct stat *st)
{
	const struct layout *l = &layouts[a->version % AREA_VERSION];

	return !memcmp(a->magic, "wicket\0", 8) && a->version &&
			       a->version < AREA_VERSION && a->libc == GLIBC &&
			       a->bytes == (uint64_t)st->st_size && a->slots &&
			       a->slots <= LINE_SLOTS_MAX &&
			       a->seats > a->slots &&
			       a->seats <= LINE_SEATS_MAX &&
			       a->bytes >
				       l->header + (uint64_t)a->seats * SEAT ?
		       l :
		       0;
}

/* The seats are at the end. */
static bool is_taken(char *base, const struct older *a, uint32_t i)
{
	char *seat = base + a->bytes - (a->seats - i) * (uint64_t)SEAT;
	uint64_t state = load((_Atomic uint64_t *)(void *)seat);
	uint32_t live =
		atomic_load((_Atomic uint32_t *)(void *)(seat + LIVE_AT));

	return line_phase(state) != LINE_FREE && live & FUTEX_TID_MASK &&
	       !(live & FUTEX_OWNER_DIED);
}

static bool is_used(int fd, char *base, const struct older *a,
		    const struct layout *l)
{
	uint64_t boot[2];
	bool used = area_boot(boot) || life_any(fd);

	if (used || memcmp(base + l->boot_at, boot, sizeof(boot)))
		return used;
	for (uint32_t i = 0; i < a->seats && !used; i++)
		used = is_taken(base, a, i);
	return used;
}

/* If anything has changed since W was read, somebody has come. */
static bool remove_unused(int fd, const char *path, char *base,
			  const struct older *a, const struct layout *l)
{
	union pair *w = (union pair *)(void *)(base + l->w_at);
	uint64_t t = load(&w->low), s = load(&w->high), mark = LINE_REMOVED;
	uint64_t t0 = t;

	if (is_used(fd, base, a, l) || !cas_pair(w, &t, &s, LINE_REMOVED, s))
		return false;
	if (!unlink(path))
		return true;
	cas_pair(w, &mark, &s, t0, s);
	return false;
}

static bool retire(int fd, const char *path, struct wicket_options *was)
{
	const struct older *a;
	const struct layout *l;
	struct stat st;
	bool retired = false;
	char *base;

	/* is it by this name that it can be unlinked, and is it ours? */
	if (flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st) ||
	    st.st_size < (off_t)layouts[1].header || st.st_uid != geteuid() ||
	    !file_has_name(fd, path))
		return false;
	base = mmap(0, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (base == MAP_FAILED)
		return false;
	a = (const struct older *)(void *)base;
	l = layout_of(a, &st);
	if (l) {
		was->slots = a->slots;
		was->seats = a->seats;
		was->mode = st.st_mode & 0777;
		retired = remove_unused(fd, path, base, a, l);
	}
	munmap(base, (size_t)st.st_size);
	return retired;
}

bool older_retire(const char *path, struct wicket_options *was)
{
	int fd = file_open(path, O_RDWR);
	bool retired = fd >= 0 && retire(fd, path, was);

	if (fd >= 0)
		close(fd);
	return retired;
}
