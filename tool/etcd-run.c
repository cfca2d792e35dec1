/* SPDX-License-Identifier: MIT */
/*
 * wicket run on a line in etcd: opens it, as often as it takes, waits, and runs the
 * command under a guard (guard.h).
 *
 * A signal that ends us while we wait lets the handle be closed first: otherwise those
 * behind us would wait until our lease has ended.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tool/etcd.h"
#include "tool/guard.h"
#include "tool/run.h"
#include "tool/text.h"
#include "tool/tool.h"

enum {
	SECOND = 1000000000,
	NAP = SECOND / 2,   /* between attempts to open a line */
	LOOK = SECOND,	    /* between looks at the position in line */
	ANSWERS_WITHIN = 4, /* seconds */
	LOST = 76,	    /* the exit code */
	KILLED = 128,
};

/* There is one line, and one command. */
static struct {
	struct guard guard;
	uint32_t units;
	bool verbose;
	char problem[WICKET_ETCD_PROBLEM];
	/* the descriptors that we were started with, above the standard ones */
	unsigned int *inherited;
	size_t inherited_count;
} run;

static struct wicket_etcd *etcd_of(const struct line *line)
{
	return line->handle;
}

static bool is_over(const struct patience *p)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return p->has_deadline && (t.tv_sec != p->deadline.tv_sec ?
					   t.tv_sec > p->deadline.tv_sec :
					   t.tv_nsec >= p->deadline.tv_nsec);
}

static void nap(const struct patience *p)
{
	struct timespec now, end;

	clock_gettime(CLOCK_MONOTONIC, &now);
	end = (struct timespec){ now.tv_sec, now.tv_nsec + NAP };
	end.tv_sec += end.tv_nsec / SECOND;
	end.tv_nsec %= SECOND;
	if (p->has_deadline && p->deadline.tv_sec < end.tv_sec)
		end = p->deadline;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

/* --- opening ---------------------------------------------------------------------------- */

/* Others are to see the name of the command, and not that of all its wrappers: the
   library tells them what this process is called. */
static void take_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}

/* With -n it waits for nobody, but a server must be given time to answer. */
static struct timespec open_by(const struct request *r)
{
	struct timespec end = r->patience.deadline;

	if (r->patience.never_waits) {
		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_sec += ANSWERS_WITHIN;
	}
	return end;
}

static int open_once(const struct request *r, uint32_t slots, uint32_t flags,
		     struct wicket_etcd **line)
{
	const struct timespec end = open_by(r);
	const bool ends = r->patience.has_deadline || r->patience.never_waits;
	const struct wicket_etcd_options options = { .store = etcd_url(),
						     .slots = slots,
						     .ttl = r->ttl,
						     .flags = flags,
						     .deadline = ends ? &end :
									NULL,
						     .problem = run.problem };

	int error;

	*run.problem = 0;
	take_name(basename(r->command[0]));
	error = wicket_etcd_open(line, r->name, &options);
	take_name("wicket");
	return error;
}

/* A new line has a slot for each value of the map; another process may create it
   meanwhile. */
static int open_for_map(const struct request *r, struct wicket_etcd **line)
{
	int error;

	do {
		error = open_once(r, 0, 0, line);
		if (error == -ENOENT)
			error = open_once(r, r->values, WICKET_CREATE, line);
	} while (error == -EEXIST);
	return error;
}

/* A line of no slots is waited for, if all of its slots are wanted: -EBUSY if there
   were none in time. */
static int count_slots(const struct request *r, uint32_t *slots)
{
	int error;

	for (;;) {
		error = etcd_count_slots(r->name, slots, run.problem);
		if (error || *slots || r->units != RUN_ALL_UNITS)
			return error;
		if (r->patience.never_waits || is_over(&r->patience))
			return -EBUSY;
		nap(&r->patience);
	}
}

/* A new line would have one slot. */
static int open_for_units(const struct request *r, struct wicket_etcd **line)
{
	int error = open_once(r, 0, 0, line);

	if (error == -ENOENT)
		fail(EX_USAGE,
		     "%s: there is no such line; -N %u needs -j to make one",
		     r->name, r->units);
	return error;
}

static int open_line(const struct request *r, struct wicket_etcd **line)
{
	uint32_t slots = r->slots;
	bool many = r->units > 1 && r->units != RUN_ALL_UNITS;
	int error = slots     ? open_once(r, slots, WICKET_CREATE, line) :
		    r->values ? open_for_map(r, line) :
		    many      ? open_for_units(r, line) :
				open_once(r, slots, WICKET_CREATE, line);

	if (error)
		return error;
	if (!slots && (r->values || r->units == RUN_ALL_UNITS))
		error = count_slots(r, &slots);
	run.units = r->units == RUN_ALL_UNITS ? slots : r->units ? r->units : 1;
	if (error || (r->values && slots > r->values))
		wicket_etcd_close(*line);
	if (!error && r->values)
		check_values(r, slots);
	return error;
}

static int say_open_error(const struct request *r, int error)
{
	uint32_t slots;

	if (error == -EEXIST) {
		error = etcd_count_slots(r->name, &slots, run.problem);
		if (!error)
			return say_disagreement(r, slots);
	}
	return etcd_say_error(r->name, error, run.problem);
}

/* Tries until a server answers, or the time is over. */
static struct wicket_etcd *open_patiently(const struct request *r)
{
	struct wicket_etcd *line;
	int error;

	while ((error = open_line(r, &line))) {
		if (error == -EBUSY)
			exit((int)r->conflict_code);
		if (!etcd_is_away(error) || r->patience.never_waits)
			exit(say_open_error(r, error));
		if (is_over(&r->patience)) {
			etcd_say_away(r->name, error, run.problem, false);
			exit((int)r->conflict_code);
		}
		etcd_say_away(r->name, error, run.problem, true);
		nap(&r->patience);
	}
	etcd_say_back();
	return line;
}

/* --- the end of -w ---------------------------------------------------------------------------- */

/*
 * The library may wait for answers of servers that stay silent for longer than -w
 * says.  So an alarm ends us a second later, whatever it does.  What we have is given
 * back by other processes of this host, or when the lease has ended.
 */
static struct {
	timer_t timer;
	struct sigaction before;
	sigset_t mask;
	int code;
	char words[1024];
} alarm_clock;

static void ring(int sig)
{
	(void)sig;
	if (!etcd_has_said_away() && write(STDERR_FILENO, alarm_clock.words,
					   strlen(alarm_clock.words)) < 0)
		_exit(EX_IOERR);
	_exit(alarm_clock.code);
}

static void set_alarm(const struct request *r)
{
	const struct sigaction ours = { .sa_handler = ring };
	struct itimerspec end = { .it_value = r->patience.deadline };
	sigset_t only;

	if (!r->patience.has_deadline)
		return;
	alarm_clock.code = (int)r->conflict_code;
	snprintf(alarm_clock.words, sizeof(alarm_clock.words) - 1,
		 "wicket: %s: no server answers in time (%s)", r->name,
		 etcd_url());
	text_make_printable(alarm_clock.words);
	strcat(alarm_clock.words, "\n");
	end.it_value.tv_sec++;
	sigemptyset(&only);
	sigaddset(&only, SIGALRM);
	sigaction(SIGALRM, &ours, &alarm_clock.before);
	if (timer_create(CLOCK_MONOTONIC, NULL, &alarm_clock.timer) ||
	    timer_settime(alarm_clock.timer, TIMER_ABSTIME, &end, NULL))
		fail(EX_OSERR, "cannot set an alarm: %s", strerror(errno));
	pthread_sigmask(SIG_UNBLOCK, &only, &alarm_clock.mask);
}

static void clear_alarm(const struct request *r)
{
	if (!r->patience.has_deadline)
		return;
	timer_delete(alarm_clock.timer);
	pthread_sigmask(SIG_SETMASK, &alarm_clock.mask, NULL);
	sigaction(SIGALRM, &alarm_clock.before, NULL);
}

/* --- signals while we wait ----------------------------------------------------------------- */

static const int ending[] = {
	SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2
};
enum { ENDING = sizeof(ending) / sizeof(*ending) };

static struct sigaction before[ENDING];
static struct wicket_etcd *volatile waits;
static volatile sig_atomic_t told;

static void die_of(int sig)
{
	for (int i = 0; i < ENDING; i++) {
		if (ending[i] == sig)
			sigaction(sig, &before[i], NULL);
	}
	raise(sig);
}

/* The second time there is no more patience. */
static void handle(int sig)
{
	int saved = errno;

	if (told)
		die_of(sig);
	told = sig;
	wicket_etcd_cancel(waits);
	errno = saved;
}

static void heed_signals(struct wicket_etcd *line)
{
	const struct sigaction ours = { .sa_handler = handle,
					.sa_flags = SA_RESTART };

	waits = line;
	for (int i = 0; i < ENDING; i++) {
		sigaction(ending[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &ours, NULL);
	}
}

/* If one came, it takes effect now.  From here on it has its usual effect at once. */
static void heed_no_longer(struct wicket_etcd *line)
{
	for (int i = 0; i < ENDING; i++)
		sigaction(ending[i], &before[i], NULL);
	if (told) {
		wicket_etcd_close(line);
		die_of(told);
		exit(KILLED + told);
	}
}

/* --- waiting ---------------------------------------------------------------------------------- */

static int hand_over(int error, const struct wicket_etcd_grant *got,
		     struct grant *grant)
{
	if (error)
		return error;
	*grant = (struct grant){ .units = got->units,
				 .value = got->value,
				 .colour = got->colour,
				 .fence = got->fence };
	memcpy(grant->slots, got->slots, sizeof(grant->slots));
	return 0;
}

static int attempt(struct line *line, struct grant *grant)
{
	struct wicket_etcd_grant got;

	return hand_over(wicket_etcd_try(etcd_of(line), run.units, &got), &got,
			 grant);
}

static int acquire(struct line *line, const struct timespec *deadline,
		   struct grant *grant)
{
	struct wicket_etcd_grant got;

	return hand_over(
		wicket_etcd_acquire(etcd_of(line), run.units, deadline, &got),
		&got, grant);
}

static void close_line(struct line *line)
{
	wicket_etcd_close(etcd_of(line));
}

/* --- the position in line ------------------------------------------------------------------------ */

struct view {
	const char *name;
	struct wicket_etcd *line; /* null: it could not be opened yet */
	struct wicket_etcd_entry *entries;
	size_t room;
	char host[sizeof(((struct wicket_etcd_entry *)0)->host)];
	char problem[WICKET_ETCD_PROBLEM];
	/* as last seen */
	time_t looked;
	uint32_t slots;
	int position;
};

static void *open_view(const struct line *line)
{
	struct view *v = calloc(1, sizeof(*v));

	if (v) {
		v->name = line->name;
		gethostname(v->host, sizeof(v->host) - 1);
	}
	return v;
}

/* All entries, however many there are; or an error. */
static int read_entries(struct view *v)
{
	struct wicket_etcd_view seen;
	int count = wicket_etcd_inspect(v->line, &seen, v->entries, v->room);

	while (count > (int)v->room) {
		size_t room = 2 * (size_t)count;
		void *more = realloc(v->entries, room * sizeof(*v->entries));

		if (!more)
			return -ENOMEM;
		v->entries = more;
		v->room = room;
		count = wicket_etcd_inspect(v->line, &seen, v->entries,
					    v->room);
	}
	if (count >= 0)
		v->slots = seen.slots;
	else
		etcd_keep_problem(v->problem, v->line);
	return count;
}

/* Those whose leases have ended do not count. */
static int position_among(const struct view *v, int count)
{
	int position = 0;

	for (int i = 0; i < count; i++) {
		const struct wicket_etcd_entry *e = &v->entries[i];

		if (e->flags & (WICKET_HOLDS | WICKET_LEFT))
			continue;
		position++;
		if (e->pid == getpid() && !strcmp(e->host, v->host))
			return position;
	}
	return 0;
}

/* The row may be drawn more often than a server should be asked. */
static int find_position(void *arg, uint32_t *slots)
{
	struct view *v = arg;
	struct timespec t;
	int result = 0;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (t.tv_sec != v->looked) {
		if (!v->line)
			result = etcd_open(&v->line, v->name, WICKET_VIEW,
					   v->problem);
		if (!result)
			result = read_entries(v);
		if (result < 0)
			return result;
		v->position = position_among(v, result);
		v->looked = t.tv_sec;
	}
	*slots = v->slots;
	return v->position;
}

static void complain(void *arg, int error)
{
	struct view *v = arg;

	if (etcd_is_away(error))
		etcd_say_away(v->name, error, v->problem, true);
}

static void close_view(void *arg)
{
	struct view *v = arg;

	if (v->line)
		wicket_etcd_close(v->line);
	free(v->entries);
	free(v);
}

/* --- the command --------------------------------------------------------------------------------------- */

static struct timespec deadline_of(const void *line)
{
	return wicket_etcd_deadline(line);
}

static int by_number(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

static void note_inherited(DIR *all)
{
	size_t room = 0;

	for (struct dirent *e; (e = readdir(all));) {
		int fd = atoi(e->d_name);

		if (fd <= STDERR_FILENO || fd == dirfd(all))
			continue;
		if (run.inherited_count == room) {
			room = 2 * room + 8;
			run.inherited = reallocarray(run.inherited, room,
						     sizeof(*run.inherited));
			if (!run.inherited)
				fail(EX_OSERR, "out of memory");
		}
		run.inherited[run.inherited_count++] = (unsigned int)fd;
	}
}

/* Whatever libcurl and its libraries open is not for the command; what we were started
   with is.  To be called before they open anything. */
static void find_inherited(void)
{
	DIR *all = opendir("/proc/self/fd");

	if (!all)
		fail(EX_OSERR, "/proc/self/fd: %s", strerror(errno));
	note_inherited(all);
	closedir(all);
	if (run.inherited_count)
		qsort(run.inherited, run.inherited_count,
		      sizeof(*run.inherited), by_number);
}

static void begin(struct line *line, const char *command)
{
	int error;

	run.guard.deadline = deadline_of;
	run.guard.of = etcd_of(line);
	error = guard_start(&run.guard);
	if (!error)
		return;
	close_line(line);
	fail(EX_OSERR, "cannot start a guard for %s: %s%s", command,
	     strerror(-error),
	     error == -ENOSYS ? "; --store needs Linux 5.9" : "");
}

static void close_others(void)
{
	unsigned int first = STDERR_FILENO + 1;

	for (size_t i = 0; i < run.inherited_count; i++) {
		if (run.inherited[i] > first)
			syscall(SYS_close_range, first, run.inherited[i] - 1,
				0);
		first = run.inherited[i] + 1;
	}
	syscall(SYS_close_range, first, ~0U, 0);
}

/* If wicket and the guard are both killed, the kernel at least ends the command, unless
   -o spares it.  If there is no guard any more, wicket will see to it. */
static int prepare(struct line *line)
{
	int error = guard_send(&run.guard, getpid());

	(void)line;
	if (!run.guard.spares)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	close_others();
	return error == EPIPE || error == ECONNRESET ? 0 : error;
}

static void attend(struct line *line, pid_t command, const siginfo_t *news)
{
	int error;

	if (news->si_pid != run.guard.pid)
		return;
	if (news->si_code == CLD_STOPPED) { /* it is of no use */
		kill(run.guard.pid, SIGKILL);
		return;
	}
	error = guard_replace(&run.guard, command);
	if (error) {
		say("%s: cannot guard the command any more: %s", line->name,
		    strerror(-error));
		kill(command, SIGKILL);
	}
}

static bool is_past(struct timespec deadline)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec != deadline.tv_sec ? t.tv_sec > deadline.tv_sec :
					     t.tv_nsec >= deadline.tv_nsec;
}

/* If the command has ended in time, that nobody can be told is not its fault: the slot
   is free when the lease has ended. */
static int leave(struct line *line, pid_t command, const char *what)
{
	const struct timespec end = wicket_etcd_deadline(etcd_of(line));
	bool lost = guard_has_struck(&run.guard) || is_past(end);
	int error;

	(void)command;
	guard_end(&run.guard);
	error = wicket_etcd_release(etcd_of(line));
	if (lost) {
		say("%s: the slot was lost while %s ran: %s", line->name, what,
		    end.tv_sec ? "the lease was not kept alive in time" :
				 "the lease has ended, or was revoked");
		return LOST;
	}
	if (error)
		say("%s: the slot is free only when the lease ends: %s",
		    line->name, wicket_etcd_problem(etcd_of(line)));
	return 0;
}

static const struct line_kind kind = {
	.attempt = attempt,
	.acquire = acquire,
	.close = close_line,
	.open_view = open_view,
	.find_position = find_position,
	.complain = complain,
	.close_view = close_view,
	.begin = begin,
	.prepare = prepare,
	.attend = attend,
	.leave = leave,
};

/* --- all of it -------------------------------------------------------------------------------------------- */

static int wait_heeding_signals(const struct request *r, struct line *line,
				struct grant *grant)
{
	int error;

	heed_signals(etcd_of(line));
	error = wait_for_turn(line, &r->patience, grant);
	heed_no_longer(etcd_of(line));
	if (error)
		etcd_keep_problem(run.problem, etcd_of(line));
	return error;
}

/* -EINVAL: the name was good enough to open it. */
static int say_too_many(const struct request *r)
{
	uint32_t slots;
	int error = etcd_count_slots(r->name, &slots, run.problem);

	if (error)
		return etcd_say_error(r->name, error, run.problem);
	say("%s: the line has %u slot%s, fewer than -N %u", r->name, slots,
	    slots == 1 ? "" : "s", run.units);
	return EX_CONFIG;
}

static const char *reason_of(int error)
{
	return error == -ESTALE ?
		       "the line was removed" :
	       error == -EINVAL ?
		       "the line has another number of slots" :
		       "the lease has ended, and with it the place in "
		       "line";
}

/* Returns if it is worth another try.  Whoever does not wait is told that there is no
   slot by -EAGAIN, and whoever waits for so long by its clock. */
static void judge(const struct request *r, int error)
{
	const bool tries = r->patience.never_waits;
	const bool is_away = etcd_is_away(error) && error != -ENOLCK;

	if ((tries && error == -EAGAIN) ||
	    (etcd_is_away(error) && is_over(&r->patience)))
		exit((int)r->conflict_code);
	if (error == -EINVAL && r->units != RUN_ALL_UNITS)
		exit(say_too_many(r));
	if (is_away && !tries)
		etcd_say_away(r->name, error, run.problem, true);
	else if (error != -ENOLCK && error != -ESTALE && error != -EINVAL)
		exit(etcd_say_error(r->name, error, run.problem));
	if (r->patience.verbose)
		say("%s: %s; waiting anew", r->name, reason_of(error));
}

void etcd_enter(const struct request *r, struct line *line, struct grant *grant)
{
	int error;

	find_inherited();
	run.guard.ttl = r->ttl ? r->ttl : WICKET_ETCD_TTL_DEFAULT;
	run.guard.spares = r->closes;
	*line = (struct line){ .kind = &kind, .name = r->name };
	set_alarm(r);
	for (;;) {
		line->handle = open_patiently(r);
		error = wait_heeding_signals(r, line, grant);
		if (!error)
			break;
		close_line(line);
		judge(r, error);
	}
	clear_alarm(r);
	for (uint32_t i = 0; r->values && i < grant->units; i++) {
		if (grant->slots[i] >= r->values) { /* resized meanwhile */
			close_line(line);
			check_values(r, grant->slots[i] + 1);
		}
	}
}
