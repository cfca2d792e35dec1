/* SPDX-License-Identifier: MIT */
/*
 * step - kills a process after every single instruction of an operation, and
 * looks whether all k slots can still be taken, and never k + 1.  An instruction
 * that leaves nothing new (trace.h) is passed over, unless every one is asked for.
 *
 * usage: step [--every] [--expect-bad] [NAME...]
 * Only scenarios whose name begins so.  --expect-bad is for a library with a
 * bug in it: to exit 0 as soon as a bad point is found.  addr2line -fie FILE OFFSET
 * shows where that is.
 */
#include "stage.h"

#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TIMES = 3,
	BAD_MAX = 3,
	AT_ONCE = 4, /* scenarios; they sleep a lot */
	FEW = 4,     /* if more than a quarter go elsewhere, it tests little */
	LOST_MAX = 20, /* tries, of seconds each: it was recorded badly */
};

/* --- scenarios ----------------------------------------------------------------- */

enum { MOST = ALONE | TRIED | AWAITED };

static const struct scenario scenarios[] = {
	/* first what takes longest: those behind look every 50 ms */
	{ "acquire that sleeps, before another", 1, 4, sit, acquire,
	  .modes = FOLLOWED, .before = "h", .event = { TRACE_SLEEP, 1 } },
	{ "remove", 1, 3, nothing, remove_line, .modes = ALONE | AWAITED,
	  .may_be_gone = true },
	/* the tag is another's or its own, a block ends: each goes another way */
	{ "acquire at once", 1, 3, sit, acquire, .modes = MOST },
	{ "acquire at once, second lap", 1, 3, sit, acquire, .modes = MOST,
	  .laps = 1 },
	{ "acquire at once, third lap", 1, 3, sit, acquire, .modes = MOST,
	  .laps = 2 },
	{ "acquire at once, k = 2", 2, 3, sit, acquire,
	  .modes = MOST | STOPPED },
	{ "acquire at once, overtaken", 2, 4, sit, acquire,
	  .modes = MOST | STOPPED, .laps = 1, .event = { TRACE_LOCKED, 1 } },
	{ "release", 1, 3, enter, release, .modes = MOST },
	{ "release, second lap", 1, 3, enter, release, .modes = MOST,
	  .laps = 1 },
	{ "release, third lap", 1, 3, enter, release, .modes = MOST,
	  .laps = 2 },
	{ "release, k = 2", 2, 3, enter, release, .modes = MOST | STOPPED },
	{ "release, overtaken", 2, 4, enter, release, .modes = MOST | STOPPED,
	  .event = { TRACE_LOCKED, 1 } },
	{ "release with a sleeper", 1, 4, enter, release, .modes = MOST,
	  .after = "w" },
	{ "release with a sleeper, k = 2", 2, 6, enter, release,
	  .modes = MOST | STOPPED, .before = "h", .after = "w" },
	{ "release to one who gave up", 1, 4, enter, release,
	  .modes = ALONE | TRIED, .after = "g" },
	{ "acquire that sleeps", 1, 4, sit, acquire, .modes = MOST,
	  .before = "h", .event = { TRACE_SLEEP, 1 } },
	{ "acquire that sleeps twice", 1, 4, sit, acquire, .modes = ALONE,
	  .before = "h", .event = { TRACE_SLEEP, 2 } },
	{ "acquire that sleeps, k = 2", 2, 5, sit, acquire, .modes = STOPPED,
	  .before = "hh", .event = { TRACE_SLEEP, 1 } },
	{ "acquire that sleeps, behind another", 1, 5, sit, acquire,
	  .modes = ALONE, .before = "hw", .event = { TRACE_SLEEP, 1 } },
	{ "cancel", 1, 4, sit, cancel, .modes = MOST, .before = "h",
	  .result = -ECANCELED },
	{ "cancel, k = 2", 2, 5, sit, cancel, .modes = STOPPED, .before = "hh",
	  .result = -ECANCELED },
	{ "cancel as its turn comes", 1, 4, sit, cancel,
	  .modes = ALONE | AWAITED, .before = "h", .event = { TRACE_CLOCK, 3 },
	  .result = -ECANCELED },
	{ "timeout", 1, 4, sit, time_out, .modes = ALONE | AWAITED,
	  .before = "h", .result = -ETIMEDOUT },
	{ "timeout, k = 2", 2, 5, sit, time_out, .modes = STOPPED,
	  .before = "hh", .result = -ETIMEDOUT },
	{ "timeout as its turn comes", 1, 4, sit, time_out, .modes = ALONE,
	  .before = "h", .event = { TRACE_CLOCK, 3 }, .result = -ETIMEDOUT },
	/* the dead before it have no D yet: nobody has looked */
	{ "timeout behind the dead", 1, 5, sit, time_out,
	  .modes = ALONE | AWAITED, .before = "hWW", .result = -ETIMEDOUT },
	/* when it wakes, it exchanges its ticket with that before it, and takes that
	   back; when it wakes again, the other one's */
	{ "acquire that steps forward", 1, 5, sit, acquire,
	  .modes = ALONE | AWAITED, .before = "hWW",
	  .event = { TRACE_SLEEP, 3 } },
	/* the last one's ticket, and then that before it */
	{ "recover a waiter by joining", 1, 3, nothing, join, .modes = ALONE,
	  .before = "hWW", .from_lock = true },
	/* so few seats that the next one to come has to look for the dead */
	{ "recover a holder", 1, 3, sit, acquire, .modes = ALONE,
	  .before = "H" },
	{ "recover two holders", 2, 4, sit, acquire, .modes = STOPPED,
	  .before = "HH" },
	{ "recover half a take", 1, 3, sit, acquire, .modes = ALONE,
	  .before = "t" },
	{ "recover half a release", 1, 3, sit, acquire, .modes = ALONE | TRIED,
	  .before = "r" },
	{ "recover by joining", 2, 4, nothing, join, .modes = ALONE,
	  .before = "HHWW", .from_lock = true },
	{ "recover by removing", 1, 3, nothing, remove_line, .modes = ALONE,
	  .before = "HW", .may_be_gone = true, .from_lock = true },
	{ "keep", 1, 3, enter, keep, .modes = ALONE | TRIED },
	{ "release, kept", 1, 4, enter_and_keep, release, .modes = MOST,
	  .after = "w" },
	{ "join a slot", 1, 4, enter_to_be_joined, join_slot, .modes = MOST,
	  .after = "w", .from_lock = true },
	{ "leave a slot to who has joined", 1, 4, enter_and_join, release,
	  .modes = MOST, .after = "w", .result = -EBUSY },
	{ "go", 1, 4, enter_and_join, go, .modes = MOST, .after = "w" },
	{ "recover a kept slot", 1, 3, sit, acquire, .modes = ALONE,
	  .before = "K" },
	{ "recover two kept slots", 2, 4, sit, acquire, .modes = STOPPED,
	  .before = "KK" },
	{ "recover a kept slot by joining", 1, 2, nothing, join, .modes = ALONE,
	  .before = "KW", .from_lock = true },
	{ "acquire two at once", 2, 4, sit, acquire_two,
	  .modes = ALONE | AWAITED },
	{ "acquire two that sleeps", 2, 5, sit, acquire_two, .modes = MOST,
	  .before = "h", .event = { TRACE_SLEEP, 1 } },
	{ "release two", 2, 4, enter_two, release, .modes = ALONE | AWAITED },
	{ "release two to one who waits for two", 2, 5, enter_two, release,
	  .modes = ALONE | AWAITED, .after = "q" },
	{ "release two to sleepers", 2, 6, enter_two, release, .modes = ALONE,
	  .after = "ww" },
	{ "release one of two", 2, 5, enter_two, release_one, .modes = ALONE,
	  .after = "w" },
	{ "timeout of two", 2, 5, sit, time_out_two, .modes = ALONE | AWAITED,
	  .before = "h", .result = -ETIMEDOUT },
	{ "recover a holder of two", 2, 4, sit, acquire, .modes = ALONE,
	  .before = "D" },
	{ "recover one who waited for two", 2, 5, sit, acquire, .modes = ALONE,
	  .before = "hQ" },
	{ "recover one who waited for two by joining", 2, 3, nothing, join,
	  .modes = ALONE, .before = "DQW", .from_lock = true },
	{ "release to a dead one who waited for two", 2, 6, enter, release,
	  .modes = ALONE, .before = "h", .after = "Qw" },
	{ "resize to fewer", 2, 5, sit, shrink, .modes = MOST,
	  .resized = true },
	{ "resize to fewer than are held", 2, 6, sit, shrink,
	  .modes = ALONE | AWAITED, .before = "hh", .result = 1,
	  .resized = true },
	{ "resize to none", 2, 4, sit, drain, .modes = ALONE | TRIED,
	  .resized = true },
	{ "resize to more", 2, 4, sit_closed, grow, .modes = ALONE | TRIED,
	  .resized = true },
	{ "resize to more, with a sleeper", 2, 6, sit_narrow, grow,
	  .modes = ALONE | TRIED, .after = "hw", .resized = true },
	{ "release that closes", 2, 5, enter_closing, release,
	  .modes = ALONE | TRIED, .resized = true },
	{ "recover half a resize", 2, 4, sit, acquire, .modes = ALONE,
	  .before = "o", .resized = true },
	{ "leave", 1, 3, sit, leave, .modes = ALONE | TRIED },
	{ "leave, holding, with a sleeper", 1, 4, enter, leave, .modes = MOST,
	  .after = "w" },
	{ "create", 1, 3, nothing, join, .modes = ALONE, .may_be_gone = true },
	{ "join", 2, 4, nothing, join, .modes = ALONE },
};

enum { SCENARIOS = sizeof(scenarios) / sizeof(*scenarios) };

/* --- one scenario, in a process of its own ---------------------------------------- */

static const char *const mode_names[] = {
	[ALONE] = "alone",
	[TRIED] = "another tries",
	[AWAITED] = "another waits",
	[FOLLOWED] = "another is behind",
	[STOPPED] = "others come and go",
};

static const struct scenario *now;
static bool expect_bad, every;
static char root[PATH_MAX - 16], place[PATH_MAX];
static struct trace trace;

static bool record_from(int32_t from)
{
	bool good = stage_set_up(now, place);

	if (good && from)
		good = trace_go(stage_victim.pid, &trace, from) ==
			       TRACE_THERE ||
		       stage_complain("the victim",
				      "does not get to the event");
	if (good)
		good = trace_record(stage_victim.pid, &trace, from) ==
			       TRACE_THERE ||
		       stage_complain("the victim", "does not get to the end");
	if (good) {
		trace_let_go(stage_victim.pid);
		good = stage_result();
	}
	stage_clear();
	return good;
}

/* Stepping to the event may have taken too long for what comes after it: that
   is recorded by one that runs there. */
static bool record(void)
{
	trace.event = now->event;
	trace.happen = stage_event;
	if (!record_from(0))
		return false;
	if (!now->event.nth)
		return true;
	if (trace.event_at == TRACE_MAX)
		return stage_complain("the event", "does not happen");
	for (int i = 0; i < TIMES; i++) {
		if (record_from(trace.event_at + 1))
			return true;
	}
	return false;
}

/* What was recorded was not the usual way. */
static void record_again(void)
{
	for (int i = 0; i < TIMES && !record(); i++)
		;
}

/* Is nothing lost if it dies at point p? */
static bool is_good(int32_t p, enum mode mode, enum trace_way *way)
{
	bool good = stage_set_up(now, place);

	if (good) {
		*way = trace_go(stage_victim.pid, &trace, p);
		good = *way == TRACE_LOST ?
			       stage_complain("the victim",
					      "does not get there") :
			       stage_meanwhile(mode) && stage_judge();
	}
	stage_clear();
	return good;
}

static void report(int fd, int32_t p)
{
	Dl_info info = { 0 };
	uint64_t at = trace.at[p <= trace.end ? p : trace.event_at];

	dladdr((void *)at, &info);
	actor_say(fd, "# %s: point %d of %d%s, %s+0x%lx %s: %s", now->name, p,
		  trace.end, p > trace.end ? " (asleep)" : "",
		  info.dli_fname ? info.dli_fname : "?",
		  (unsigned long)(at - (uint64_t)info.dli_fbase),
		  info.dli_sname ? info.dli_sname : "", stage_wrong);
}

/* The clock's code is not the same at all times: where that leads elsewhere, it
   is tried again.  False: it was what was recorded that went another way. */
static bool run_mode(int fd, enum mode mode, bool insists)
{
	int bad = 0, bad_max = expect_bad ? 1 : BAD_MAX, killed = 0,
	    elsewhere = 0, lost = 0;
	int32_t first = now->from_lock ? trace.lock_at : 0;
	int32_t p = first;

	for (; p < trace_points(&trace) && bad < bad_max; p++) {
		enum trace_way way = TRACE_ASTRAY;
		bool good = true;

		if (!every && p != first && p <= trace.end && !trace.leaves[p])
			continue;
		killed++;
		/* who goes another way, in the clock of the vdso, say, may
		   even sleep before the one who would wake it is told to */
		for (int i = 0; i < TIMES && way != TRACE_THERE &&
				(good || way == TRACE_LOST);
		     i++) {
			good = is_good(p, mode, &way);
			lost += way == TRACE_LOST;
		}
		elsewhere += way == TRACE_ASTRAY;
		if (((!good && way == TRACE_LOST) || lost > LOST_MAX) &&
		    !insists)
			return false;
		if (!good) {
			bad++;
			report(fd, p);
		}
	}
	if (!insists && !bad && elsewhere > killed / FEW)
		return false;
	actor_say(fd, "%d %d %d %d %s, %s", bad, killed, p - first, elsewhere,
		  now->name, mode_names[mode]);
	return true;
}

/* On one processor: no spinning, and the same way every time. */
static void settle_down(int which)
{
	cpu_set_t all, one;
	int cpu = 0;

	sched_getaffinity(0, sizeof(all), &all);
	for (which %= CPU_COUNT(&all); !CPU_ISSET(cpu, &all) || which--;)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void perform(int fd, int which)
{
	now = &scenarios[which];
	settle_down(which);
	snprintf(place, sizeof(place), "%s/%02d", root, which);
	mkdir(place, 0700);
	if (!record()) {
		actor_say(fd, "# %s: %s", now->name, stage_wrong);
		actor_say(fd, "0 0 0 0 %s, recorded", now->name);
	} else {
		for (unsigned mode = ALONE; mode <= STOPPED; mode *= 2) {
			if (!(now->modes & mode))
				continue;
			for (int i = 1; !run_mode(fd, mode, i == TIMES); i++)
				record_again();
		}
	}
	actor_say(fd, "end");
}

/* --- all of them ----------------------------------------------------------------------- */

static int tests, failed, kills, points, bad_points, astray;

/* Prints what a scenario says next; false: it is over. */
static bool listen_to(const struct actor *a)
{
	char text[ACTOR_TEXT];
	int bad = 0, killed = 0, all = 0, elsewhere = 0, name = 0;
	bool good;

	actor_hear(a->fd, text, ACTOR_FOR_EVER);
	if (!strcmp(text, "end"))
		return false;
	if (*text == '#') {
		puts(text);
		return true;
	}
	sscanf(text, "%d %d %d %d %n", &bad, &killed, &all, &elsewhere, &name);
	good = !bad && killed && elsewhere <= killed / FEW;
	if (elsewhere)
		printf("# %d of the next went another way\n", elsewhere);
	printf("%s%sok %d - %s: killed at %d of %d points\n",
	       expect_bad ? "# " : "", good ? "" : "not ", ++tests, text + name,
	       killed, all);
	failed += !good;
	kills += killed;
	points += all;
	bad_points += bad;
	astray += elsewhere;
	return name; /* else it is gone */
}

/* A name that is misspelt would test nothing. */
static bool all_name_one(char **names)
{
	for (; *names; names++) {
		bool known = false;

		for (int i = 0; i < SCENARIOS; i++)
			known |= !strncmp(scenarios[i].name, *names,
					  strlen(*names));
		if (!known) {
			fprintf(stderr, "step: no scenario '%s'\n", *names);
			return false;
		}
	}
	return true;
}

static bool is_chosen(const struct scenario *s, char **names)
{
	bool chosen = !*names;

	for (; *names; names++)
		chosen |= !strncmp(s->name, *names, strlen(*names));
	return chosen;
}

/* The next one that is chosen. */
static struct actor start_next(int *next, char **names)
{
	while (*next < SCENARIOS && !is_chosen(&scenarios[*next], names))
		++*next;
	if (*next == SCENARIOS)
		return (struct actor){ 0, -1 };
	return actor_start(perform, (*next)++);
}

static void run_all(char **names)
{
	struct actor actors[AT_ONCE];
	struct pollfd fds[AT_ONCE];
	int next = 0, running = 0;

	for (int i = 0; i < AT_ONCE; i++) {
		actors[i] = start_next(&next, names);
		fds[i] = (struct pollfd){ actors[i].fd, POLLIN, 0 };
		running += actors[i].pid != 0;
	}
	while (running && !(expect_bad && bad_points)) {
		poll(fds, AT_ONCE, -1);
		for (int i = 0; i < AT_ONCE; i++) {
			if (!fds[i].revents || listen_to(&actors[i]))
				continue;
			actor_kill(&actors[i]);
			actors[i] = start_next(&next, names);
			fds[i].fd = actors[i].fd;
			running -= !actors[i].pid;
		}
	}
	for (int i = 0; i < AT_ONCE; i++)
		actor_kill(&actors[i]);
}

static int discard(const char *name, const struct stat *st, int type,
		   struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(name);
}

/* A process that outlives all others, however they end, and tidies up: they
   hold the other end of its pipe. */
static pid_t start_janitor(int *end)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		close(ends[1]);
		while (read(ends[0], &c, 1) < 0)
			;
		nftw(root, discard, 4, FTW_DEPTH | FTW_PHYS);
		_exit(0);
	}
	close(ends[0]);
	*end = ends[1];
	return pid;
}

int main(int argc, char **argv)
{
	const char *tmp = getenv("TMPDIR"), *memory = "/dev/shm";
	char **names;
	pid_t janitor;
	int end;

	if (!getenv("LD_BIND_NOW")) { /* else the linker is stepped through */
		setenv("LD_BIND_NOW", "1", 1);
		execv("/proc/self/exe", argv);
	}
	(void)argc;
	for (names = argv + 1; *names && **names == '-'; names++) {
		every |= !strcmp(*names, "--every");
		expect_bad |= !strcmp(*names, "--expect-bad");
	}
	setvbuf(stdout, 0, _IOLBF, 0);
	if (!all_name_one(names))
		return 64;
	if (!trace_works()) {
		puts("1..0 # SKIP no ptrace here");
		return 77;
	}
	/* every point makes a line and removes it: that is quicker in memory */
	if (!tmp)
		tmp = access(memory, W_OK) ? "/tmp" : memory;
	snprintf(root, sizeof(root), "%s/wicket-step.XXXXXX", tmp);
	if (!mkdtemp(root) || (janitor = start_janitor(&end)) < 0) {
		perror(root);
		return 1;
	}
	run_all(names);
	printf("# killed at %d of %d points, %d bad, %d another way\n", kills,
	       points, bad_points, astray);
	if (expect_bad)
		printf("%sok 1 - a bad point is found\n",
		       bad_points ? "" : "not ");
	printf("1..%d\n", expect_bad ? 1 : tests);
	close(end);
	waitpid(janitor, 0, 0);
	return expect_bad ? !bad_points : !!failed;
}
