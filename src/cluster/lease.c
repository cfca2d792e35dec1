/* SPDX-License-Identifier: MIT */
/*
 * The model of the file is src/algo/shared-lease.c; what is decided by its word, the beat,
 * is in algo/shared-lease/beat.h, which both use.
 *
 * The file has the lease of a generation: one after the other, as they end.  The beat says
 * which generation is the present one, and when its last acknowledged keepalive was sent,
 * so that the time of one lease is never taken for that of another.  The beat and the places
 * of the dead are changed without a lock: a process that is stopped in the middle delays
 * nobody.  The lock of the file is needed only to come; whoever does not get it soon has a
 * lease of its own.
 *
 * A participant has a place, and a lock on a byte of the file that stands for it.  A
 * place that is taken while nobody has its lock belongs to one that is dead.  Numbers of
 * participants do not come back, so a dead one may be buried twice.
 */
#include "cluster/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "algo/shared-lease/beat.h"
#include "wicket-etcd.h"
#include "wicket.h"

enum {
	SECOND = BEAT_SECOND,
	MILLISECOND = BEAT_MILLISECOND,
	SOON = 6, /* a keepalive is answered in this part of the lease's time */
	ANSWER_WITHIN = 2, /* seconds */
	LOCK_TRIES = 200,  /* of a lock, ten milliseconds apart */
	PLACES = 512,
	FORMAT = 2,
	BOOT_MAX = 128,
	/* nobody comes that far: its number would not fit into a beat */
	LAST_GENERATION = (1 << (64 - BEAT_SENT_BITS)) - 2,
};

/* Locks of places are on bytes far behind the contents. */
static const off_t FIRST_LOCK = 1 << 30;

struct place {
	_Atomic uint64_t number; /* of the participant; 0: nobody's */
	_Atomic uint64_t generation;
	char keys[LEASE_KEYS_MAX];
};

struct lease_file {
	uint32_t format; /* 0: it is new */
	_Atomic uint64_t beat;
	/* the lease of the present generation; only under the lock of the file */
	int64_t id, seconds;
	/* when somebody last sent one, and looked for the dead: ns */
	_Atomic int64_t tried, looked;
	_Atomic uint64_t last; /* participant's number */
	struct place place[PLACES];
};

int64_t lease_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

struct timespec lease_time(int64_t ns)
{
	return (struct timespec){ ns / SECOND, ns % SECOND };
}

/* --- the beat ---------------------------------------------------------------------- */

/* A keepalive of its generation that was sent then is acknowledged. */
static void acknowledge(const struct lease *l, int64_t sent)
{
	uint64_t beat = l->file->beat;

	while (!atomic_compare_exchange_weak(
		&l->file->beat, &beat,
		beat_acknowledge(beat, l->generation, sent)))
		;
}

void lease_has_ended(struct lease *l)
{
	uint64_t beat = l->file->beat;

	while (!atomic_compare_exchange_weak(&l->file->beat, &beat,
					     beat_end(beat, l->generation)))
		;
}

int64_t lease_deadline(const struct lease *l)
{
	return beat_deadline(l->file->beat, l->generation, l->seconds);
}

/* --- the dead ------------------------------------------------------------------------ */

static bool lock_place(int fd, uint32_t place, int command, short *type)
{
	struct flock lock = { .l_type = *type,
			      .l_start = FIRST_LOCK + place,
			      .l_len = 1 };
	bool good = !fcntl(fd, command, &lock);

	*type = lock.l_type;
	return good;
}

static bool is_dead(const struct lease *l, uint32_t place)
{
	short type = F_WRLCK;

	return place != l->place &&
	       lock_place(l->fd, place, F_OFD_GETLK, &type) && type == F_UNLCK;
}

static void name_of(const struct lease *l, uint64_t number,
		    char name[BOOK_ID_MAX])
{
	snprintf(name, BOOK_ID_MAX, "%016" PRIx64 "-%" PRIx64, (uint64_t)l->id,
		 number);
}

/* One that is dead.  What it had is given back before its place is free. */
static void bury_one(const struct lease *l, struct place *p, uint64_t number,
		     int64_t until)
{
	char keys[LEASE_KEYS_MAX], name[BOOK_ID_MAX];

	memcpy(keys, p->keys, sizeof(keys));
	keys[LEASE_KEYS_MAX - 1] = '\0';
	name_of(l, number, name);
	/* if the place is another's by now, these are not its keys: nobody has that name
	   there, and the place is not freed */
	if (!l->bury(l->store, keys, name, until))
		atomic_compare_exchange_strong(&p->number, &number, 0);
}

static void look_at(const struct lease *l, uint32_t i, int64_t until)
{
	struct place *p = &l->file->place[i];
	uint64_t number = p->number;
	enum beat_fate fate = beat_fate(p->generation, l->generation);

	if (!number || fate == BEAT_LEAVE || !is_dead(l, i))
		return;
	if (fate == BEAT_BURY)
		bury_one(l, p, number, until);
	else
		atomic_compare_exchange_strong(&p->number, &number, 0);
}

/* For a while, and so that the next keepalive need not wait for the answer to anything
   else. */
static void bury_the_dead(const struct lease *l, int64_t pause)
{
	int64_t until = beat_next_try(l->file->beat, l->file->tried,
				      l->seconds);
	int64_t enough = lease_earlier(lease_now() + pause, until);

	for (uint32_t i = 0; i < PLACES && lease_now() < enough; i++)
		look_at(l, i, until);
}

/* --- the thread ---------------------------------------------------------------------- */

/* Is it our turn?  One process at a time, unless it takes long. */
static bool claim(_Atomic int64_t *last, int64_t pause)
{
	int64_t now = lease_now(), then = *last;

	return now - then >= pause &&
	       atomic_compare_exchange_strong(last, &then, now);
}

static int keep_alive(struct lease *l)
{
	int64_t sent = lease_now(), left;
	struct timespec end = lease_time(
		sent + lease_earlier(l->seconds * SECOND / SOON,
				     (int64_t)ANSWER_WITHIN * SECOND));
	int error = store_keep_alive(l->store, l->id, &end, &left);

	if (!error)
		acknowledge(l, sent);
	else if (error == -ENOENT)
		lease_has_ended(l);
	return error;
}

/* Waits so long; true: it is to stop. */
static bool rest(const struct lease *l, int64_t ns)
{
	struct pollfd fd = { .fd = l->stop_fd, .events = POLLIN };

	return poll(&fd, 1, (int)(ns / MILLISECOND) + 1) > 0;
}

static void *keep(void *context)
{
	struct lease *l = context;
	const int64_t time = l->seconds * SECOND, haste = time / BEAT_HASTE;
	const int64_t pause = lease_earlier(haste, SECOND);

	while (!rest(l, pause) && lease_deadline(l)) {
		int64_t due = beat_due(l->file->beat, l->seconds);

		if (due <= lease_now() && claim(&l->file->tried, haste))
			keep_alive(l);
		if (l->fd >= 0 && lease_deadline(l) &&
		    claim(&l->file->looked, pause))
			bury_the_dead(l, pause);
	}
	return NULL;
}

/*
 * A program may exit without closing anything.  What libcurl and its libraries have is
 * cleaned up then, and the threads would stumble over it.  So they end before: this was
 * registered later than that.
 */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct lease *all;

static void end_thread(struct lease *l)
{
	const uint64_t one = 1;

	if (l->keeper == getpid() &&
	    write(l->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(l->thread, NULL);
	l->keeper = 0;
}

static void end_threads(void)
{
	pthread_mutex_lock(&all_lock);
	for (struct lease *l = all; l; l = l->next)
		end_thread(l);
	pthread_mutex_unlock(&all_lock);
}

static void register_end(void)
{
	atexit(end_threads);
}

static void enlist(struct lease *l)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_end);
	pthread_mutex_lock(&all_lock);
	l->next = all;
	all = l;
	pthread_mutex_unlock(&all_lock);
}

static void strike_off(const struct lease *l)
{
	struct lease **at = &all;

	pthread_mutex_lock(&all_lock);
	while (*at && *at != l)
		at = &(*at)->next;
	if (*at)
		*at = l->next;
	pthread_mutex_unlock(&all_lock);
}

/* Signals are for the caller's threads. */
static int start_thread(struct lease *l)
{
	sigset_t all_signals, old;
	int error;

	l->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (l->stop_fd < 0)
		return -errno;
	sigfillset(&all_signals);
	pthread_sigmask(SIG_SETMASK, &all_signals, &old);
	error = pthread_create(&l->thread, NULL, keep, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error)
		return -error;
	l->keeper = getpid();
	enlist(l);
	return 0;
}

/* --- the file ------------------------------------------------------------------------ */

static ssize_t read_link(const char *path, char *text, ssize_t room)
{
	ssize_t size = readlink(path, text, (size_t)room - 1);

	return size < 0 ? 0 : size;
}

/* Which machine, since when, by which clock; and what its addresses mean. */
static void read_boot(char boot[static BOOT_MAX])
{
	ssize_t size = 0;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(boot, 0, BOOT_MAX);
	if (fd >= 0) {
		size = read(fd, boot, BOOT_MAX / 2);
		close(fd);
	}
	if (size < 0)
		size = 0;
	size += read_link("/proc/self/ns/time", boot + size, BOOT_MAX - size);
	read_link("/proc/self/ns/net", boot + size, BOOT_MAX - size);
}

static uint64_t hash(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return (h ^ 0xff) * 0x100000001b3;
}

/* Others may have other servers, users, times or clocks: they have another file. */
static bool find_path(const struct store_options *where, int64_t seconds,
		      char *path, size_t size)
{
	char directory[BOOK_KEY_MAX], boot[BOOT_MAX];
	uint64_t h = 0xcbf29ce484222325;
	int length = wicket_directory(0, directory, sizeof(directory));

	if (length < 0 || (size_t)length >= sizeof(directory))
		return false;
	mkdir(directory, S_IRWXU);
	read_boot(boot);
	h = hash(h, boot);
	h = hash(h, where->endpoints ? where->endpoints :
				       getenv("ETCDCTL_ENDPOINTS"));
	h = hash(h, where->user ? where->user : getenv("ETCDCTL_USER"));
	h = hash(h, where->cert ? where->cert : getenv("ETCDCTL_CERT"));
	return (size_t)snprintf(
		       path, size, "%s/.etcd%d-%u-%" PRId64 "-%016" PRIx64,
		       directory, FORMAT, geteuid(), seconds, h) < size;
}

static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && !(st.st_mode & (S_IRWXG | S_IRWXO));
}

static bool lock_file(int fd)
{
	const struct timespec moment = { .tv_nsec = 10 * MILLISECOND };

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

static bool is_time(int64_t seconds)
{
	return seconds >= WICKET_ETCD_TTL_MIN && seconds <= WICKET_ETCD_TTL_MAX;
}

/* Both are of this boot, by a clock that does not go back. */
static bool is_past(int64_t ns, int64_t now)
{
	return ns >= 0 && ns <= now;
}

/* The places of those who came. */
static bool are_places_sane(const struct lease_file *file)
{
	uint64_t generation = beat_generation(file->beat), last = file->last;

	for (uint32_t i = 0; i < PLACES; i++) {
		const struct place *p = &file->place[i];
		uint64_t number = p->number;

		if (number && (number > last || p->generation > generation))
			return false;
	}
	return true;
}

/* Have we written that?  Under the lock of the file; what changes without that is
   looked at before the clock is. */
static bool is_sane(const struct lease_file *file)
{
	uint64_t beat = file->beat;
	int64_t sent = beat_sent(beat), tried = file->tried;
	int64_t looked = file->looked, now = lease_now();

	return file->format == FORMAT && is_past(sent, now) &&
	       is_past(tried, now) && is_past(looked, now) &&
	       (!sent || (file->id > 0 && is_time(file->seconds))) &&
	       beat_generation(beat) < LAST_GENERATION &&
	       file->last < INT64_MAX && are_places_sane(file);
}

/* Who takes part has the lock of its place. */
static bool has_users(int fd)
{
	struct flock lock = { .l_type = F_WRLCK,
			      .l_start = FIRST_LOCK,
			      .l_len = PLACES };

	return fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type != F_UNLCK;
}

/* New, or from one that is broken; not while somebody uses it. */
static bool make_sane(struct lease *l)
{
	if (is_sane(l->file))
		return true;
	if (has_users(l->fd))
		return false;
	memset(l->file, 0, sizeof(*l->file));
	l->file->format = FORMAT;
	return true;
}

static void close_file(struct lease *l)
{
	munmap(l->file, sizeof(*l->file));
	if (l->fd >= 0)
		close(l->fd);
	l->file = NULL;
	l->fd = -1;
}

/* The file, mapped and locked; false: there is none to be had. */
static bool open_shared(struct lease *l, const struct store_options *where,
			int64_t seconds)
{
	char path[2 * BOOK_KEY_MAX];
	struct stat st;
	void *map = MAP_FAILED;

	if (!find_path(where, seconds, path, sizeof(path)))
		return false;
	l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		     S_IRUSR | S_IWUSR);
	if (l->fd < 0)
		return false;
	if (is_ours(l->fd) && lock_file(l->fd) && !fstat(l->fd, &st) &&
	    (st.st_size == (off_t)sizeof(*l->file) ||
	     !posix_fallocate(l->fd, 0, (off_t)sizeof(*l->file))))
		map = mmap(NULL, sizeof(*l->file), PROT_READ | PROT_WRITE,
			   MAP_SHARED, l->fd, 0);
	if (map == MAP_FAILED) {
		close(l->fd);
		l->fd = -1;
		return false;
	}
	l->file = map;
	if (make_sane(l))
		return true;
	close_file(l);
	return false;
}

static int open_own(struct lease *l)
{
	void *map = mmap(NULL, sizeof(*l->file), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -errno;
	l->file = map;
	return 0;
}

/* --- taking part --------------------------------------------------------------------- */

static bool find_place(struct lease *l)
{
	for (uint32_t i = 0; i < PLACES; i++) {
		short type = F_WRLCK;

		if (l->file->place[i].number)
			continue;
		if (l->fd >= 0 && !lock_place(l->fd, i, F_OFD_SETLK, &type))
			continue;
		l->place = i;
		return true;
	}
	return false;
}

/* Nobody else begins one: the file is locked, or ours alone. */
static int begin_generation(struct lease *l, int64_t seconds)
{
	int64_t sent = lease_now();
	struct timespec end =
		lease_time(sent + (int64_t)ANSWER_WITHIN * SECOND);
	uint64_t next = beat_generation(l->file->beat) + 1;
	int error = store_grant(l->store, seconds, &end, &l->id, &l->seconds);

	if (error)
		return error;
	if (!is_time(l->seconds))
		return -EPROTO;
	l->file->id = l->id;
	l->file->seconds = l->seconds;
	l->generation = next;
	l->file->tried = sent;
	l->file->beat = beat_make(next, sent);
	return 0;
}

/* The lease that there is, if it lives. */
static int use_present(struct lease *l)
{
	uint64_t beat = l->file->beat;

	l->generation = beat_generation(beat);
	l->id = l->file->id;
	l->seconds = l->file->seconds;
	switch (beat_welcome(beat, l->seconds, lease_now())) {
	case BEAT_TAKE_PART:
		return 0;
	case BEAT_ASK:
		return keep_alive(l);
	default:
		return -ENOENT;
	}
}

static void take_place(struct lease *l, const char *keys)
{
	struct place *p = &l->file->place[l->place];
	uint64_t number = ++l->file->last;

	p->generation = l->generation;
	snprintf(p->keys, sizeof(p->keys), "%s", keys);
	p->number = number;
	name_of(l, number, l->name);
}

static int take_part(struct lease *l, int64_t seconds, const char *keys)
{
	int error = use_present(l);

	if (error == -ENOENT)
		error = begin_generation(l, seconds);
	if (!error)
		take_place(l, keys);
	if (l->fd >= 0)
		flock(l->fd, LOCK_UN);
	return error ? error : start_thread(l);
}

int lease_join(struct lease *l, struct store *store,
	       const struct store_options *where, int64_t seconds,
	       const char *keys, lease_bury *bury)
{
	int error = 0;

	*l = (struct lease){
		.store = store, .bury = bury, .fd = -1, .stop_fd = -1
	};
	if (open_shared(l, where, seconds) && !find_place(l))
		close_file(l);
	if (!l->file)
		error = open_own(l);
	if (!error)
		error = take_part(l, seconds, keys);
	if (error) {
		snprintf(l->problem, sizeof(l->problem), "%s",
			 store_problem(store));
		lease_leave(l, true);
	}
	return error;
}

static void end_own(struct lease *l)
{
	struct timespec end = lease_time(lease_now() + SECOND);

	store_revoke(l->store, l->id, &end);
}

void lease_leave(struct lease *l, bool gone)
{
	strike_off(l);
	end_thread(l);
	if (l->fd < 0 && *l->name)
		end_own(l);
	if (l->file && gone && *l->name)
		l->file->place[l->place].number = 0;
	if (l->file)
		close_file(l);
	if (l->stop_fd >= 0)
		close(l->stop_fd);
	store_close(l->store);
	l->store = NULL;
}
