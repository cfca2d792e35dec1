/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "wicket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS_MAX = 2, GUESTS_MAX = 6, ROUNDS = 3 };

static const struct scenario *now;
static char dir[PATH_MAX], path[PATH_MAX + 8];
char stage_wrong[ACTOR_TEXT + 100];

bool stage_complain(const char *who, const char *what)
{
	if (!*stage_wrong) /* the first is the cause */
		snprintf(stage_wrong, sizeof(stage_wrong), "%s: %s", who, what);
	return false;
}

static bool hear(const struct actor *a, const char *expected, const char *who)
{
	char text[ACTOR_TEXT];

	actor_hear(a->fd, text, ACTOR_LIMIT + 5);
	return strcmp(text, expected) ? stage_complain(who, text) : true;
}

/* --- what is done on the line ----------------------------------------------------- */

static struct wicket *line;

static int open_line(struct wicket **h)
{
	struct wicket_options options = {
		.slots = now->resized ? 0 : now->slots,
		.slots_max = now->slots,
		.seats = now->seats,
		.flags = now->may_be_gone ? WICKET_CREATE : 0,
	};

	return wicket_open(h, path, &options);
}

static struct timespec soon(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ACTOR_LIMIT;
	return t;
}

/* All that one part waits for is to take no longer: it says so itself before
   anybody gives up listening to it. */
static struct timespec deadline;

static int acquire_of(struct wicket *h, struct wicket_grant *grant)
{
	return wicket_acquire_until(h, &deadline, grant);
}

int nothing(void)
{
	return 0;
}

int join(void)
{
	return open_line(&line);
}

int acquire(void)
{
	return wicket_acquire(line, 0);
}

int release(void)
{
	return wicket_release(line);
}

int keep(void)
{
	int fd = wicket_keep(line);

	return fd < 0 ? fd : 0;
}

int leave(void)
{
	return wicket_close(line);
}

int cancel(void)
{
	wicket_cancel(line);
	return acquire();
}

int time_out(void)
{
	struct timespec past = { 0 };

	return wicket_acquire_until(line, &past, 0);
}

int acquire_two(void)
{
	return wicket_acquire_units(line, 2, 0, 0, 0);
}

int release_one(void)
{
	return wicket_release_units(line, 1);
}

int time_out_two(void)
{
	struct timespec past = { 0 };

	return wicket_acquire_units(line, 2, &past, 0, 0);
}

int remove_line(void)
{
	return wicket_remove(path);
}

int sit(void)
{
	int error = join();

	for (uint32_t i = 0; !error && i < now->laps; i++) {
		error = acquire();
		if (!error)
			error = release();
	}
	return error;
}

int enter(void)
{
	int error = sit();

	return error ? error : acquire();
}

int enter_two(void)
{
	int error = sit();

	return error ? error : acquire_two();
}

int enter_and_keep(void)
{
	int error = enter();

	return error ? error : keep();
}

/* A handle that joins, and the descriptors of both. */
static struct wicket *nested;
static int kept, joined;

int enter_to_be_joined(void)
{
	const struct wicket_options late = { .flags = WICKET_UNSEATED };
	int error = enter();

	kept = error ? -1 : wicket_keep(line);
	if (kept < 0)
		return error ? error : kept;
	fcntl(kept, F_SETFD, 0);
	return wicket_open(&nested, path, &late);
}

int join_slot(void)
{
	joined = wicket_join(nested, 0, 0);
	return joined < 0 ? joined : 0;
}

int enter_and_join(void)
{
	int error = enter_to_be_joined();

	error = error ? error : join_slot();
	close(kept);
	return error;
}

int go(void)
{
	close(joined);
	return wicket_close(nested);
}

static int been_inside(void)
{
	int error = enter();

	return error ? error : release();
}

int shrink(void)
{
	return wicket_resize(line, 1);
}

int drain(void)
{
	return wicket_resize(line, 0);
}

int grow(void)
{
	return wicket_resize(line, now->slots);
}

int sit_closed(void)
{
	int error = sit();

	return error ? error : drain();
}

int sit_narrow(void)
{
	int error = sit();

	return error ? error : shrink();
}

int enter_closing(void)
{
	struct wicket *other;
	int error = enter();

	if (!error)
		error = open_line(&other);
	if (!error && wicket_resize(other, 0) != 1)
		error = -EPROTO;
	return error ? error : wicket_close(other);
}

/* --- parts: each in a process of its own ------------------------------------------- */

/* Is stepped through the operation, or killed in it. */
static void victim(int fd, int (*prepare)(void), int (*operate)(void))
{
	int error = prepare();

	if (error) {
		actor_say(fd, "cannot prepare: %s", strerror(-error));
		return;
	}
	trace_me();
	TRACE_MARK();
	error = operate();
	TRACE_MARK();
	actor_say(fd, "%d", error);
}

static void protagonist(int fd, int which)
{
	(void)which;
	victim(fd, now->prepare, now->operate);
}

static void half(int fd, int what)
{
	if (what == 't')
		victim(fd, been_inside, acquire);
	else if (what == 'o')
		victim(fd, sit_closed, grow);
	else
		victim(fd, enter, release);
}

static int come_and_go(struct wicket *h)
{
	int error = acquire_of(h, 0);

	return error ? error : wicket_release(h);
}

/* Comes, waits, says so, and leaves when asked to. */
static void guest(int fd, int which)
{
	struct wicket *h;
	char text[ACTOR_TEXT];
	int error = open_line(&h);

	deadline = soon();
	if (!error)
		error = strchr("dDqQ", which) ?
				wicket_acquire_units(h, 2, &deadline, 0, 0) :
				acquire_of(h, 0);
	if (!error && which == 'K' && wicket_keep(h) < 0)
		error = -errno;
	if (error) {
		actor_say(fd, "does not get in: %s", strerror(-error));
		return;
	}
	actor_say(fd, "in");
	actor_hear(fd, text, ACTOR_FOR_EVER);
	wicket_release(h);
	wicket_close(h);
	actor_say(fd, "out");
}

static void quitter(int fd, int which)
{
	int error = join();

	(void)which;
	if (!error)
		error = time_out();
	wicket_close(line);
	actor_say(fd, "%s", error == -ETIMEDOUT ? "out" : strerror(-error));
}

/* One slot is free for sure if there are more of them than others. */
static int try_once(struct wicket *h)
{
	size_t others = 1 + strlen(now->before) + strlen(now->after);
	int error = wicket_try(h, 0);

	if (error == -EAGAIN && (now->slots <= others || now->resized))
		return 0;
	return error ? error : wicket_release(h);
}

static void visitor(int fd, int mode)
{
	struct wicket *h[2];
	int count = mode == STOPPED ? 2 : 1, error = 0;

	for (int i = 0; !error && i < count; i++)
		error = open_line(&h[i]);
	if (!error && mode == TRIED)
		error = try_once(h[0]);
	for (int i = 0; !error && mode == STOPPED && i < ROUNDS * count; i++)
		error = come_and_go(h[i % count]);
	for (int i = 0; !error && i < count; i++)
		error = wicket_close(h[i]);
	actor_say(fd, "%s", error ? strerror(-error) : "done");
}

/* All slots, each once, and not one more. */
static const char *take_all(struct wicket **h, struct wicket *more,
			    uint32_t room)
{
	struct wicket_grant grant;
	uint32_t taken = 0;

	for (uint32_t i = 0; i < room; i++) {
		if (acquire_of(h[i], &grant))
			return "a slot is lost";
		if (grant.slot >= now->slots || taken >> grant.slot & 1)
			return "a slot is handed out twice";
		taken |= 1u << grant.slot;
	}
	/* the dead that nobody met so far are looked for now */
	if (room && wicket_remove(path) != -EBUSY)
		return "a line in use can be removed";
	if (wicket_try(more, &grant) != -EAGAIN)
		return "one slot too many";
	for (uint32_t i = 0; i < room; i++) {
		if (wicket_release(h[i]))
			return "cannot release";
	}
	return 0;
}

static void ignore(void *arg, enum wicket_finding kind, const char *text)
{
	(void)arg, (void)kind, (void)text;
}

/* As many as shall be open, and then all. */
static const char *take_resized(struct wicket **h, struct wicket *more)
{
	struct wicket_view view;
	const char *bad;

	if (wicket_inspect(more, &view, 0, 0) < 0 || view.slots > now->slots)
		return "more slots than there can be";
	if (wicket_check(path, ignore, 0))
		return "the line is damaged";
	bad = take_all(h, more, view.slots);
	if (bad)
		return bad;
	if (wicket_resize(more, now->slots))
		return "not all slots are open at once";
	return wicket_check(path, ignore, 0) ? "the line is damaged then" : 0;
}

static void judge(int fd)
{
	struct wicket *h[SLOTS_MAX + 1];
	const char *bad = 0;

	for (uint32_t i = 0; !bad && i <= now->slots; i++)
		bad = open_line(&h[i]) ? "cannot open the line" : 0;
	if (!bad && now->resized)
		bad = take_resized(h, h[now->slots]);
	for (int i = 0; !bad && i < ROUNDS; i++)
		bad = take_all(h, h[now->slots], now->slots);
	for (uint32_t i = 0; !bad && i <= now->slots; i++)
		bad = wicket_close(h[i]) ? "cannot leave" : 0;
	if (!bad && wicket_remove(path))
		bad = "cannot remove the line";
	actor_say(fd, "%s", bad ? bad : "done");
}

/* Plays one part after another: a process for each would cost more than the
   part does. */
enum { JUDGE = 0 }; /* else the mode of a visitor */

static void player(int fd, int which)
{
	char text[ACTOR_TEXT];

	(void)which;
	for (;;) {
		actor_hear(fd, text, ACTOR_FOR_EVER);
		deadline = soon();
		if (atoi(text) == JUDGE)
			judge(fd);
		else
			visitor(fd, atoi(text));
	}
}

/* --- the stage ----------------------------------------------------------------------- */

static struct {
	struct actor actor;
	bool holds; /* from the beginning */
	bool stays; /* alive */
	bool is_in; /* and said so */
} guests[GUESTS_MAX];
static int guest_count;
struct actor stage_victim;

static bool play(int part, const char *who)
{
	static struct actor a;

	if (!a.pid)
		a = actor_start(player, 0);
	actor_say(a.fd, "%d", part);
	if (hear(&a, "done", who))
		return true;
	actor_kill(&a);
	return false;
}

/* Does this process hold a slot, or has it gone to sleep in line? */
static bool is_in_line(pid_t pid)
{
	struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket_entry e[8];
	struct wicket_view view;
	struct wicket *h;
	bool found = false;

	if (wicket_open(&h, path, &options))
		return false;
	for (int i = wicket_inspect(h, &view, e, 8); i-- > 0;) {
		found |= e[i].pid == pid &&
			 (e[i].flags & WICKET_HOLDS || actor_rests(pid));
	}
	wicket_close(h);
	return found;
}

/* Does it wait until the line has been removed? */
static bool is_before_it(pid_t pid)
{
	return stage_victim.pid && now->operate == remove_line &&
	       actor_rests(pid);
}

static bool wait_in_line(pid_t pid)
{
	struct timespec t, end = soon();

	do {
		if (is_in_line(pid) || is_before_it(pid))
			return true;
		actor_nap();
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while (t.tv_sec < end.tv_sec);
	return stage_complain("a guest", "does not come into line");
}

/* Its operation, which is to take or to release, is in W, and that is all. */
static bool go_half_way(struct actor *a, char what)
{
	const struct trace_event into_w = { TRACE_LOCKED, 1 };

	return (trace_start(a->pid) == TRACE_THERE &&
		trace_past(a->pid, into_w) == TRACE_THERE &&
		is_in_line(a->pid) == (what == 't')) ||
	       stage_complain("one that shall die half way",
			      "does not get there");
}

static bool see_kept(const struct actor *a)
{
	return hear(a, "in", "one that holds on behalf of a command");
}

static bool bring(char who)
{
	struct actor *a = &guests[guest_count].actor;

	guests[guest_count].is_in = false;
	guests[guest_count].holds = who == 'h' || who == 'd';
	guests[guest_count++].stays = strchr("hdwq", who) != 0;
	switch (who) {
	case 'g':
		*a = actor_start(quitter, 0);
		return hear(a, "out", "one that gives up");
	case 't':
	case 'r':
	case 'o':
		*a = actor_start(half, who);
		return go_half_way(a, who);
	default:
		*a = actor_start(guest, who);
		return wait_in_line(a->pid) && (who != 'K' || see_kept(a));
	}
}

/* Then those die who shall, the last one first: nobody inherits. */
static bool bring_all(const char *who)
{
	bool good = true;

	for (; good && *who; who++)
		good = bring(*who);
	for (int i = guest_count; i-- > 0;) {
		if (!guests[i].stays)
			actor_kill(&guests[i].actor);
	}
	return good;
}

static bool see_in(int i)
{
	if (!guests[i].actor.pid || guests[i].is_in)
		return true;
	guests[i].is_in = true;
	return hear(&guests[i].actor, "in", "a live one in line");
}

static bool see_out(int i)
{
	struct actor *a = &guests[i].actor;

	if (!a->pid)
		return true;
	if (!see_in(i))
		return false;
	actor_say(a->fd, "go");
	if (!hear(a, "out", "one that leaves"))
		return false;
	actor_kill(a);
	return true;
}

static bool see_all_out(bool waiters_too)
{
	for (int i = 0; i < guest_count; i++) {
		if ((guests[i].holds || waiters_too) && !see_out(i))
			return false;
	}
	return true;
}

bool stage_event(void)
{
	return guest_count ? see_all_out(true) :
			     play(TRIED, "one that comes by");
}

static bool make_line(void)
{
	struct wicket_options options = { .slots = now->slots,
					  .slots_max = now->slots,
					  .seats = now->seats,
					  .flags = WICKET_CREATE };
	struct wicket *h;
	int error = wicket_open(&h, path, &options);

	if (error)
		return stage_complain("cannot create a line", strerror(-error));
	wicket_close(h);
	return true;
}

bool stage_set_up(const struct scenario *s, const char *in)
{
	now = s;
	*stage_wrong = 0;
	snprintf(dir, sizeof(dir), "%s", in);
	snprintf(path, sizeof(path), "%s/line", dir);
	if (!(s->operate == join && s->may_be_gone) && !make_line())
		return false;
	if (!bring_all(s->before))
		return false;
	stage_victim = actor_start(protagonist, 0);
	if (trace_start(stage_victim.pid) != TRACE_THERE)
		return hear(&stage_victim, "", "the victim");
	return bring_all(s->after);
}

/* Removes what is in the directory: true if there was nothing. */
static bool sweep(void)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	bool clean = true;

	while (d && (e = readdir(d))) {
		if (*e->d_name == '.')
			continue;
		unlinkat(dirfd(d), e->d_name, 0);
		clean = false;
	}
	closedir(d);
	return clean;
}

void stage_clear(void)
{
	actor_kill(&stage_victim);
	for (int i = 0; i < guest_count; i++)
		actor_kill(&guests[i].actor);
	guest_count = 0;
	sweep();
}

bool stage_meanwhile(enum mode mode)
{
	switch (mode) {
	case ALONE:
		return true;
	case TRIED:
		return play(TRIED, "one that tries");
	case AWAITED:
		return see_all_out(false) && bring('w');
	case FOLLOWED:
		return bring('w');
	case STOPPED:
		return see_all_out(true) &&
		       play(STOPPED, "one that comes and goes");
	}
	return false;
}

bool stage_result(void)
{
	char result[16];

	snprintf(result, sizeof(result), "%d", now->result);
	return hear(&stage_victim, result, "the operation");
}

bool stage_judge(void)
{
	actor_kill(&stage_victim);
	return see_all_out(true) && play(JUDGE, "afterwards") &&
	       (sweep() || stage_complain("afterwards", "a file is left"));
}
