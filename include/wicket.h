/* SPDX-License-Identifier: MIT */
/*
 * wicket - k slots among processes and threads, first come, first served.
 *
 * A line is a file that its users map: k slots, 0..k-1, and one queue of
 * waiters, in which nobody overtakes.  A process that dies, at any instruction,
 * gives back what it had; one that is stopped costs at most its slot.
 *
 *	struct wicket *line;
 *	struct wicket_options options = { .slots = 3, .flags = WICKET_CREATE };
 *	struct wicket_grant grant;
 *
 *	if (wicket_open(&line, "gpu", &options) < 0)
 *		...
 *	if (wicket_acquire(line, &grant) == 0) {
 *		use(grant.slot);
 *		wicket_release(line);
 *	}
 *	wicket_close(line);
 *
 * Functions return 0 or more on success and a negative errno on failure; outputs
 * are written only on success.  They never print, exit, allocate after opening,
 * or touch errno or signal handlers.
 *
 * -EUCLEAN, from any of them: the line is damaged; some word of its file is one
 * that no step can have written.  wicket_check says where.  Every call returns
 * nevertheless.  The handle then has no slot and may have lost its seat: close it.
 *
 * A handle is a seat in the line and belongs to the thread that opened it.  The
 * exit of that thread counts as death, as does execve(2) by any thread.  Other
 * threads get -EPERM (except from wicket_cancel).  In a forked child a handle is
 * dead (-ECHILD): open another.  A thread may have up to 1024 handles, of one line
 * or of several.  Users who may write a line's file trust each other.
 */
#ifndef WICKET_H
#define WICKET_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define WICKET_SLOTS_MAX     511
#define WICKET_SEATS_MAX     8191
#define WICKET_SEATS_DEFAULT 256

struct wicket;
struct timespec; /* strict C99 leaves it out */

enum {
	WICKET_CREATE = 1, /* if there is no such line, create it */
	WICKET_VIEW = 2,   /* only to inspect: takes no seat, writes nothing */
	WICKET_CLOCK = 4,  /* note the time of every grant, for inspect */
	WICKET_TRUST = 8,  /* root too uses a line that others may write */
	WICKET_UNSEATED = 16, /* takes its seat only when it first acquires */
};

struct wicket_options {
	uint32_t slots; /* k; 0: the line's k, or one per CPU if it is new */
	uint32_t seats; /* of a new line; 0: 256, at least 2 k */
	uint32_t mode;	/* permissions of a new line; 0: 0600 less umask */
	uint32_t flags;
	uint32_t
		slots_max; /* of a new line: see wicket_resize; 0: 64, at least k */
};

/*
 * Opens a line by name, or by path if there is a slash in it, and takes a seat.
 * A name stands for a file in $WICKET_DIR, else /run/wicket if this user may
 * write there, else /run/lock/wicket-UID, else /tmp/wicket-UID.  options may be
 * null.  It does not wait for other processes.
 *
 * -ENOENT no such line; -EEXIST the line has another k,
 * which is not 0; -EUSERS all seats are
 * taken; -EPROTO the file is not a line, or of another version; -EINVAL
 * impossible numbers or name; -ENOTSUP the file system or the machine does not
 * allow it: O_TMPFILE, open file description locks or set_robust_list(2) is
 * missing; -EREMOTE the file system is FUSE or one that several machines may
 * share; -EPERM the caller is root, and others may write the line; -ENOSYS there is
 * no /proc; -EFBIG see RLIMIT_FSIZE; -EBUSY another process has been removing the
 * line, or starting it afresh after a boot, for a second, or has locked the file;
 * or any error of open(2).
 */
int wicket_open(struct wicket **line, const char *name,
		const struct wicket_options *options);

/* Gives back the slot, if the handle holds one, then the seat; frees the handle. */
int wicket_close(struct wicket *line);

enum {
	WICKET_DIED = 1, /* the slot's last holder died inside */
};

struct wicket_grant {
	uint32_t slot; /* 0..k-1; nobody else has it */
	uint32_t flags;
	uint32_t value, colour; /* the ticket */
};

/*
 * Takes a ticket, waits until it is valid, and enters.  Processes become enabled
 * in the order in which they took their tickets; taking a ticket never waits for a
 * process that is slow or stopped.  grant may be null.
 *
 * -EDEADLK this handle holds a slot already; -ECANCELED see wicket_cancel;
 * -EUSERS the handle gave up earlier, and no seat is left; -ESTALE the line was
 * removed.
 */
int wicket_acquire(struct wicket *line, struct wicket_grant *grant);

/* The same, but gives up at a time of CLOCK_MONOTONIC: -ETIMEDOUT.  The ticket is
   taken back, or passed on when its turn comes. */
int wicket_acquire_until(struct wicket *line, const struct timespec *deadline,
			 struct wicket_grant *grant);

/* Acquires a slot only if it need not wait: else -EAGAIN.  Overtakes nobody. */
int wicket_try(struct wicket *line, struct wicket_grant *grant);

/* Gives the slot to the first in line.  -EPERM: the handle holds none; -EUCLEAN: the
   slot could not be given back, and is no longer held; -EBUSY: the handle no longer
   holds it, but others that joined it do (wicket_join), and it comes back when they
   have ended. */
int wicket_release(struct wicket *line);

/*
 * Several slots at once, all or nothing, in the same line: units consecutive tickets are
 * taken by one step, and granted when the last of them is valid.  Nobody overtakes
 * them: at the head of the line, slots stand idle until there are enough.  deadline may
 * be null: for ever.  slots may be null; else it has room for units numbers, and gets
 * those of the slots in the order of their tickets.  grant->slot is the first of them;
 * grant->value and colour are those of the last ticket.
 *
 * -EINVAL units is 0, or more than the line has slots; -EUSERS so many tickets are out
 * that there would be none left for a seat that wants one.
 */
int wicket_acquire_units(struct wicket *line, uint32_t units,
			 const struct timespec *deadline, uint32_t *slots,
			 struct wicket_grant *grant);
int wicket_try_units(struct wicket *line, uint32_t units, uint32_t *slots,
		     struct wicket_grant *grant);

/*
 * Gives back so many of them: the first of the slots that the grant named and that are
 * still held.  wicket_release gives back all of them.  -EINVAL: 0, or more than the
 * handle holds; -EPERM: it holds none; -EBUSY: they are held on behalf of a command,
 * all of them.
 */
int wicket_release_units(struct wicket *line, uint32_t units);

/*
 * Holds the slot on behalf of a command.  Returns a descriptor (close-on-exec) for
 * the caller to pass on to the command: if the handle's thread dies, the slot stays
 * taken until the last copy of the descriptor is closed.  The caller closes its own
 * copy before it releases the slot.  -EPERM: the handle holds no slot.
 */
int wicket_keep(struct wicket *line);

/* Makes wicket_inspect show this pid, that of a command, for the handle, until it
   gives up or closes.  0: its own pid.  After wicket_keep: the command, and what it
   starts, may join by the tag. */
int wicket_introduce(struct wicket *line, int32_t pid);

/* The tag of what the handle holds or has joined: a number that names one stay in a
   slot of this line.  It is no secret.  0: none. */
uint64_t wicket_tag(const struct wicket *line);

/*
 * Joins the slot in which the caller already runs, as a part of a command for which
 * it is kept: instead of waiting for itself.  Returns a descriptor as wicket_keep
 * does: the slot stays taken until its last copy is closed, or the handle has
 * released it, and also after the one that acquired it has released it.  grant may
 * be null.
 *
 * The caller is inside if it has inherited the descriptor of wicket_keep, or of
 * another wicket_join; or if tag is that of a slot that is kept for a command of this
 * pid namespace (wicket_introduce) that is the caller or one of its ancestors.  tag 0:
 * by a descriptor alone.
 *
 * -ESRCH it is not; -EDEADLK this handle has a seat (see WICKET_UNSEATED), or has
 * joined a slot; -EUSERS 1023 have joined this one.
 */
int wicket_join(struct wicket *line, uint64_t tag, struct wicket_grant *grant);

/*
 * Makes the acquire that waits, or else the next one that would have to wait,
 * return -ECANCELED.  The request is cleared when an acquire gets a slot or gives
 * up.  May be called from any thread and from signal handlers.
 */
int wicket_cancel(struct wicket *line);

/*
 * Changes k, to 0..slots_max.  A handle that holds a slot cannot do so (-EDEADLK).
 * More slots are open, and the first in line let in, when it returns.  If there are to
 * be fewer, the holders are let finish, and their slots closed, whichever they are;
 * from now on nobody else gets in until there is room.  k = 0 lets nobody in: the
 * waiters keep their places.  Does not wait.  Returns how many holders have to leave
 * before no more than k slots are held; 0: it is done.
 *
 * -ERANGE: k is more than the line was created for (slots_max); -ESTALE the line was
 * removed; -EUSERS as wicket_acquire.
 */
int wicket_resize(struct wicket *line, uint32_t slots);

/* Removes a line in which nobody holds a slot or waits: else -EBUSY.  Handles that
   are open get -ESTALE.  -ELOOP: it is a symbolic link; -EUCLEAN: the damage hides
   whether the line is in use, so unlink the file once no process uses it.  If it
   fails, nothing has changed. */
int wicket_remove(const char *name);

/* Fills in the path that a name stands for; returns its length, as snprintf. */
int wicket_path(const char *name, char *path, size_t size);

/*
 * Fills in a directory of lines: which = 0 is the one in which a new line would be
 * created; 1, 2, ... are the other existing ones, in which lines may still be in use.
 * Returns its length, as snprintf.  -ENOENT: there are no more; -EPERM: it belongs to
 * another user; -ENOTDIR: it is not a directory (path is filled in nevertheless).
 */
int wicket_directory(uint32_t which, char *path, size_t size);

enum {
	WICKET_HOLDS = 1,   /* else it waits */
	WICKET_LEFT = 2,    /* dead, or gave up: will be skipped */
	WICKET_FOREIGN = 4, /* pid is of another pid namespace */
	WICKET_ORPHAN = 8,  /* died, but its command runs: see wicket_keep */
	WICKET_JOINED = 16, /* it has ended; those run that joined its slot */
};

struct wicket_entry {
	int32_t pid;
	uint32_t flags;
	uint32_t place; /* the slot; or the position in line, from 1, where
			   whoever waits for several counts as many */
	uint32_t value, colour;
	uint32_t seat;
	uint32_t units; /* how many slots it holds, or waits for */
	uint32_t
		joined; /* how many have joined its slot, and those who were killed */
	uint64_t since; /* CLOCK_MONOTONIC, nanoseconds; 0: not known */
};

enum {
	WICKET_REMOVED = 1, /* by wicket_remove */
	WICKET_DELETED =
		2, /* its file was, otherwise: others make a new line */
};

struct wicket_view {
	uint32_t slots, seats;	   /* slots: k */
	uint32_t seated;	   /* seats taken, idle or not */
	uint32_t holding, waiting; /* entries of each kind */
	uint32_t removed;	   /* is it?  how */
	uint64_t grants, recovered, abandoned;
	uint64_t longest_wait; /* nanoseconds */
	uint32_t slots_max;    /* most that slots can be: see wicket_resize */
	uint32_t open; /* now; more than slots while holders have to leave */
	uint64_t closed[WICKET_SLOTS_MAX / 64 + 1]; /* a bit per slot */
};

/*
 * Lists the holders and the waiters, as of one moment unless the line changes
 * faster than it can be read.  Fills up to room entries, one for each slot held, by
 * slot, then one for each waiter, in order, and returns how many there are: at most
 * seats + slots.  Never blocks anybody.
 */
int wicket_inspect(struct wicket *line, struct wicket_view *view,
		   struct wicket_entry *entries, size_t room);

/*
 * Looks for damage: checks the file, its header, and everything that must be true
 * of its words at any moment.  Changes nothing, and needs only read permission.
 * Calls tell with a text for each finding: wrong, or worth knowing (such as a
 * process that died inside).  Returns how many findings were wrong, or a negative
 * errno if there is nothing to check (-EPROTO: not a line; tell says why).
 */
enum wicket_finding { WICKET_NOTE, WICKET_WRONG };
int wicket_check(const char *name,
		 void (*tell)(void *arg, enum wicket_finding kind,
			      const char *text),
		 void *arg);

/*
 * The bare word: the Colored Ticket Algorithm of Fischer, Lynch, Burns and
 * Borodin (1989) in 8 bytes of memory that the caller owns, and nothing else.
 * Robust against stopping without notice as the paper says, and no more: a process
 * that dies keeps what it had.  At most n tickets at a time.
 */
typedef struct wicket_word {
	uint64_t bits;
} wicket_word;

/* How a word is divided: the same everywhere for the same k and n. */
struct wicket_shape {
	uint64_t value_mask, valid_mask;
	uint32_t k, n, m;
	uint8_t value_bits, colour_bits, quant, issue;
};

/* -ERANGE: 64 bits do not suffice; shape->n is then the largest n for this k,
   0 if there is none.  -EINVAL: not 0 < k < n. */
int wicket_word_shape(struct wicket_shape *shape, uint32_t k, uint32_t n);

void wicket_word_init(wicket_word *word, const struct wicket_shape *shape);

/* Each of these is one atomic step and never waits. */
uint64_t wicket_word_take(wicket_word *word, const struct wicket_shape *shape);
int wicket_word_is_valid(const wicket_word *word,
			 const struct wicket_shape *shape, uint64_t ticket);
void wicket_word_discard(wicket_word *word, const struct wicket_shape *shape,
			 uint64_t ticket);

/* Takes a ticket and waits until it is valid: spins, then sleeps. */
uint64_t wicket_word_acquire(wicket_word *word,
			     const struct wicket_shape *shape);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
