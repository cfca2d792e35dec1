/* SPDX-License-Identifier: MIT */
/* here - a line in a file of this machine, as `wicket run` uses it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/run.h"
#include "tool/tool.h"

enum {
	SEATS = 4096, /* thousands can wait */
	OWNER = 0600,
	OUT_OF_THE_WAY = 64, /* scripts use low descriptors as they like */
};

/* The descriptor of wicket_keep or wicket_join, or negative; is it not passed on? */
static int kept = -1;
static bool closes;

/* How many slots to take. */
static uint32_t units;

static struct wicket *wicket_of(const struct line *line)
{
	return line->handle;
}

/* --- opening -------------------------------------------------------------------- */

static uint32_t slots_of(struct wicket *line)
{
	struct wicket_view view = { 0 };

	wicket_inspect(line, &view, NULL, 0);
	return view.slots;
}

static int find_disagreement(const struct request *r)
{
	const struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket *line;
	int error = wicket_open(&line, r->name, &options);
	uint32_t slots;

	if (error)
		return say_error(r->name, error);
	slots = slots_of(line);
	wicket_close(line);
	return say_disagreement(r, slots);
}

static int say_open_error(const struct request *r, int error)
{
	int code;

	if (error == -EEXIST)
		return find_disagreement(r);
	if (error == -ENOENT) {
		say_of_line(r->name,
			    "cannot create the line: no such directory");
		return EX_CANTCREAT;
	}
	code = say_error(r->name, error);
	if (error == -EUSERS)
		return (int)r->conflict_code;
	return code == EX_NOINPUT ? EX_CANTCREAT : code;
}

/* Opens the line as it is, or creates it with one slot for each value. */
static int open_for_map(struct wicket **line, const struct request *r,
			struct wicket_options options)
{
	int error;

	do {
		options.slots = 0;
		options.flags &= ~(uint32_t)WICKET_CREATE;
		error = wicket_open(line, r->name, &options);
		if (error != -ENOENT)
			return error;
		options.slots = r->values;
		options.flags |= WICKET_CREATE;
		error = wicket_open(line, r->name, &options);
	} while (error == -EEXIST); /* another process created it first */
	return error;
}

/* Does it want several, but not simply all that there are? */
static bool is_exact(const struct request *r)
{
	return r->units > 1 && r->units != RUN_ALL_UNITS;
}

/* A new line would have as many slots as the machine has processors. */
static int open_for_units(struct wicket **line, const struct request *r,
			  struct wicket_options options)
{
	int error;

	options.flags &= ~(uint32_t)WICKET_CREATE;
	error = wicket_open(line, r->name, &options);
	if (error == -ENOENT)
		fail(EX_USAGE,
		     "%s: there is no such line; -N %u needs -j to make one",
		     r->name, r->units);
	return error;
}

static void count_units(const struct request *r, struct wicket *line)
{
	uint32_t slots = slots_of(line);

	units = r->units == RUN_ALL_UNITS ? slots : r->units ? r->units : 1;
	if (units <= slots)
		return;
	wicket_close(line);
	fail(EX_CONFIG, "%s: the line has %u slot%s, fewer than -N %u", r->name,
	     slots, slots == 1 ? "" : "s", units);
}

static struct wicket *open_line(const struct request *r)
{
	const uint32_t trust = r->trusts ? WICKET_TRUST : 0;
	const struct wicket_options options = {
		.slots = r->slots,
		.slots_max = WICKET_SLOTS_MAX,
		.seats = SEATS,
		.mode = r->mode ? r->mode : OWNER,
		.flags = WICKET_CREATE | WICKET_CLOCK | WICKET_UNSEATED | trust
	};
	struct wicket *line;
	int error = r->slots	? wicket_open(&line, r->name, &options) :
		    r->values	? open_for_map(&line, r, options) :
		    is_exact(r) ? open_for_units(&line, r, options) :
				  wicket_open(&line, r->name, &options);

	if (error)
		exit(say_open_error(r, error));
	if (r->values)
		check_values(r, slots_of(line));
	count_units(r, line);
	return line;
}

/* A line in use stays where it is when a better directory appears. */
static void say_where(const struct request *r)
{
	char dir[PATH_MAX], path[PATH_MAX];
	int length = wicket_directory(0, dir, sizeof(dir));

	if (length < 0 || length >= PATH_MAX || strchr(r->name, '/') ||
	    wicket_path(r->name, path, sizeof(path)) < 0 ||
	    (!strncmp(path, dir, (size_t)length) && path[length] == '/'))
		return;
	say("%s: in use in %s; the line moves to %s when it is no longer used",
	    r->name, path, dir);
}

/* --- waiting --------------------------------------------------------------------- */

static int is_greater(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x > *y ? 1 : *x < *y ? -1 : 0;
}

/* All but its slots. */
static void tell_grant(const struct line *line, const struct wicket_grant *got,
		       struct grant *grant)
{
	grant->tag = wicket_tag(wicket_of(line));
	grant->flags = got->flags;
	grant->value = got->value;
	grant->colour = got->colour;
	grant->fence = 0;
}

/* The library has the slots in the order of their tickets. */
static int hand_over(const struct line *line, int error,
		     const struct wicket_grant *got, struct grant *grant)
{
	if (error)
		return error;
	tell_grant(line, got, grant);
	grant->units = units;
	qsort(grant->slots, units, sizeof(*grant->slots), is_greater);
	return 0;
}

static int attempt(struct line *line, struct grant *grant)
{
	struct wicket_grant got;

	return hand_over(
		line,
		wicket_try_units(wicket_of(line), units, grant->slots, &got),
		&got, grant);
}

static int acquire(struct line *line, const struct timespec *deadline,
		   struct grant *grant)
{
	struct wicket_grant got;

	return hand_over(line,
			 wicket_acquire_units(wicket_of(line), units, deadline,
					      grant->slots, &got),
			 &got, grant);
}

static void close_line(struct line *line)
{
	wicket_close(wicket_of(line));
}

/* --- the position in line ---------------------------------------------------------- */

struct view {
	struct wicket *line;
	size_t room;
	struct wicket_entry entries[];
};

static void *open_view(const struct line *line)
{
	const struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket_view seen;
	struct view *view = NULL;
	struct wicket *wicket;

	if (wicket_open(&wicket, line->name, &options) < 0)
		return NULL;
	if (wicket_inspect(wicket, &seen, NULL, 0) >= 0)
		view = calloc(1,
			      sizeof(*view) + (seen.seats + seen.slots) *
						      sizeof(*view->entries));
	if (!view) {
		wicket_close(wicket);
		return NULL;
	}
	view->line = wicket;
	view->room = seen.seats + seen.slots;
	return view;
}

/* Waiters that gave up do not count. */
static int find_position(void *arg, uint32_t *slots)
{
	struct view *v = arg;
	struct wicket_view seen = { 0 };
	int count = wicket_inspect(v->line, &seen, v->entries, v->room);
	int position = 0;

	*slots = seen.slots;
	for (int i = 0; i < count && i < (int)v->room; i++) {
		const struct wicket_entry *e = &v->entries[i];

		if (e->flags & (WICKET_HOLDS | WICKET_LEFT))
			continue;
		position++;
		if (e->pid == getpid() && !(e->flags & WICKET_FOREIGN))
			return position;
	}
	return 0;
}

static void close_view(void *arg)
{
	struct view *v = arg;

	wicket_close(v->line);
	free(v);
}

/* --- the command -------------------------------------------------------------------- */

static void begin(struct line *line, const char *command)
{
	if (kept >= 0) /* joined */
		return;
	kept = wicket_keep(wicket_of(line));
	if (kept < 0)
		fail(EX_OSERR, "cannot keep the slot for %s: %s", command,
		     strerror(-kept));
}

/* The copy is not close-on-exec.  The command is known before it can join its slot. */
static int prepare(struct line *line)
{
	wicket_introduce(wicket_of(line), getpid());
	if (!closes && fcntl(kept, F_DUPFD, OUT_OF_THE_WAY) < 0)
		fcntl(kept, F_SETFD, 0);
	return 0;
}

/* The command was alone in its slot of this line; but there may be a second line. */
static void say_if_replaced(const char *name, const char *command)
{
	char path[PATH_MAX];
	struct stat ours, named;

	if (fstat(kept, &ours) || wicket_path(name, path, sizeof(path)) < 0)
		return;
	if (stat(path, &named) || named.st_dev != ours.st_dev ||
	    named.st_ino != ours.st_ino)
		say("%s: the file of the line was deleted or renamed while %s "
		    "was in a slot: newcomers make a line of their own (%s)",
		    name, command, path);
}

static int leave(struct line *line, pid_t command, const char *what)
{
	int error;

	say_if_replaced(line->name, what);
	close(kept);
	error = wicket_release(wicket_of(line));
	if (error == -EBUSY)
		say("%s: %s has ended, but what it started by wicket run runs "
		    "on in its slot, which comes back when that has ended",
		    line->name, what);
	if (error == -EUCLEAN)
		say("the slot of pid %d could not be given back: the line is "
		    "damaged",
		    command);
	return 0;
}

static const struct line_kind kind = {
	.tries_first = true,
	.attempt = attempt,
	.acquire = acquire,
	.close = close_line,
	.open_view = open_view,
	.find_position = find_position,
	.close_view = close_view,
	.begin = begin,
	.prepare = prepare,
	.leave = leave,
};

/* --- inside already -------------------------------------------------------------------- */

/* All slots of the holder that has this one; there are more if it took several. */
static void find_slots(struct wicket *line, uint32_t slot, struct grant *grant)
{
	static struct wicket_entry entries[WICKET_SLOTS_MAX];
	struct wicket_view view;
	int count = wicket_inspect(line, &view, entries, WICKET_SLOTS_MAX);
	uint32_t seat = 0;

	grant->units = 0;
	count = count > WICKET_SLOTS_MAX ? WICKET_SLOTS_MAX : count;
	for (int i = 0; i < count; i++) {
		if (entries[i].flags & WICKET_HOLDS && entries[i].place == slot)
			seat = entries[i].seat + 1;
	}
	for (int i = 0; i < count; i++) {
		if (entries[i].flags & WICKET_HOLDS &&
		    entries[i].seat + 1 == seat)
			grant->slots[grant->units++] = entries[i].place;
	}
	if (!grant->units) /* the line changes too fast, or is damaged */
		grant->slots[grant->units++] = slot;
}

/* By what was inherited: the tags of the slots around us, the innermost first; or by a
   descriptor alone.  Negative errno: see wicket_join. */
static int join(struct line *line, struct grant *grant)
{
	const char *tags = getenv("WICKET_TAG");
	struct wicket_grant got;
	int fd = -ESRCH;

	while (fd == -ESRCH && tags && *tags) {
		char *end;

		fd = wicket_join(wicket_of(line), strtoull(tags, &end, 10),
				 &got);
		tags = *end == ',' ? end + 1 : NULL;
	}
	if (fd == -ESRCH)
		fd = wicket_join(wicket_of(line), 0, &got);
	if (fd < 0)
		return fd;
	tell_grant(line, &got, grant);
	find_slots(wicket_of(line), got.slot, grant);
	return fd;
}

static bool is_inside(const struct request *r, struct line *line,
		      struct grant *grant)
{
	if (r->nested == NESTED_TAKE)
		return false;
	kept = join(line, grant);
	if (kept == -ESRCH)
		return false;
	if (kept == -EUSERS)
		fail((int)r->conflict_code,
		     "%s: too many nested commands run in its slot", r->name);
	if (kept < 0)
		exit(say_open_error(r, kept));
	if (r->nested == NESTED_REFUSE) {
		close_line(line);
		fail(EX_CONFIG,
		     "%s: this runs in slot %u of the line already, which "
		     "--nested refuse forbids",
		     r->name, grant->slots[0]);
	}
	if (units > grant->units) {
		close_line(line);
		fail(EX_CONFIG,
		     "%s: this runs in %u slot%s of the line already, fewer "
		     "than -N %u (--nested take waits for others)",
		     r->name, grant->units, grant->units == 1 ? "" : "s",
		     units);
	}
	if (r->patience.verbose)
		say("%s: already in slot %u", r->name, grant->slots[0]);
	return true;
}

void here_enter(const struct request *r, struct line *line, struct grant *grant)
{
	int error;

	closes = r->closes;
	*line = (struct line){ .kind = &kind, .name = r->name };
	do {
		line->handle = open_line(r);
		say_where(r);
		if (is_inside(r, line, grant))
			return;
		error = wait_for_turn(line, &r->patience, grant);
		if (!error && r->values && grant->slots[0] >= r->values) {
			close_line(line); /* resized */
			fail(EX_CONFIG,
			     "%s: slot %u of the line, which was resized, is "
			     "none of the %u that --map has values for; to "
			     "have the first ones again: wicket resize %s 0, "
			     "and back when it is idle",
			     r->name, grant->slots[0], r->values, r->name);
		}
		if (!error)
			return;
		close_line(line);
		/* removed since it was opened: open or create another */
	} while (error == -ESTALE);
	if (error != -EAGAIN && error != -ETIMEDOUT)
		exit(say_open_error(r, error));
	exit((int)r->conflict_code);
}
