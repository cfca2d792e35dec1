/* SPDX-License-Identifier: MIT */
/*
 * life - whether a process lives, as the kernel tells it.
 *
 * Each handle has a life: a number that no other handle of this line ever has,
 * and a write lock on the byte of that number.  The lock belongs to an open file
 * that only the handle's mapping of the line keeps open: its descriptor is
 * closed at once.  So the lock ends when the mapping ends, and not before: at
 * wicket_close, or when the kernel tears down the memory of the process, because
 * it died or because one of its threads called execve(2).  A forked child does
 * not inherit the mapping, and pid namespaces play no part.
 *
 * Asked with F_RDLCK, the kernel reports only write locks: a process that may only
 * read the file cannot fake a life.
 *
 * On some file systems (overlayfs, that of most containers) a mapping keeps another
 * file open than the one that was mapped, and the lock ends at once.  A process
 * that creates a line there sees that its own life has ended, and marks the line as
 * lifeless in the header: then only the bell reports deaths.
 *
 * The gate is a lock on byte 0: shared while a process opens the line and has no
 * life yet, exclusive while the line is started afresh.  Byte 1 is locked by the
 * process that starts it afresh or unlinks it.
 *
 * A program that closes every descriptor also closes the one for asking, and its
 * number may since belong to another file.  So the answer "dead" is believed only if
 * the descriptor is still the line's.  If not, the file is opened again by its path;
 * where that fails, the answer is "alive".
 */
#ifndef WICKET_LIFE_H
#define WICKET_LIFE_H

#include "line/handle.h"

#include <fcntl.h>

/* Bytes far behind the end of the file.  Those of lives are multiples of 2^16,
   those of commands (access.h) are not. */
static inline struct flock life_lock(uint64_t life, short type)
{
	return (struct flock){ .l_type = type,
			       .l_whence = SEEK_SET,
			       .l_start = (off_t)(life << LINE_SEQ_SHIFT),
			       .l_len = 1 };
}

/* Begins a life, with a descriptor by whose open file the line is mapped. */
int life_begin(struct wicket *h, int fd);

/* Does the own life last without a descriptor? */
bool life_lasts(struct wicket *h);

/* How the descriptor for asking is opened; by that it is told from one that was
   handed out by wicket_keep. */
enum { ASKING = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

/* Remembers which file the descriptor is of: 0 or -errno. */
int life_know(struct wicket *h);

/* The descriptor, opened again if the program has closed it; or -EBADF. */
int life_fd(struct wicket *h);

/* Another open file, so that its locks are its own, for a command; only to read, so
   that a command cannot write the line through it: a descriptor or -errno. */
int life_open_again(struct wicket *h);

/* Closes it, unless its number is another file's by now. */
void life_close_fd(struct wicket *h);

/* The same in a forked child. */
void life_close_inherited(const struct inherited *i);

/* Would nobody's lock be in the way of this one? */
bool life_is_unlocked(struct wicket *h, struct flock lock);

/* Does anybody use the file, or does a command on somebody's behalf? */
bool life_any(int fd);

/* F_RDLCK, F_WRLCK or F_UNLCK; -EBUSY: somebody has been in the way for a second.
   The gate, and the lock of the one process that starts the line afresh or unlinks
   it. */
int life_gate(int fd, short type);
int life_alone(int fd, short type);

#endif
