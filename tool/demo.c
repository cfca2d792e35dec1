/* SPDX-License-Identifier: MIT */
/*
 * The demonstration: twelve real commands through a line of three slots, one of
 * them killed in the middle.  What is told at the end is what was seen in the
 * line, looked at every millisecond; the exit code is 0 only if all of it is as
 * it should be.
 *
 * usage: wicket-demo WICKET
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/demo-command.h"
#include "tool/picture.h"
#include "tool/text.h"
#include "tool/tool.h"

static const char line_name[] = "demo-line";

enum {
	COMMANDS = 12,
	SLOTS = 3,
	/* so few that tickets of several colours are seen */
	SEATS = 8,
	VICTIM = 5,
	CAPTIONS = 6, /* shown below the picture, one after the other */
	NEWS = 3,     /* shown to the end */
	ROWS = SLOTS + (SEATS - SLOTS), /* kept for slots and line */
	WIDTH = 76,
};

/* Nanoseconds. */
#define MILLISECOND   UINT64_C(1000000)
#define BETWEEN	      (250 * MILLISECOND) /* one comes, and the next */
#define BEFORE_KILLS  (600 * MILLISECOND)
#define BETWEEN_KILLS (900 * MILLISECOND)
#define REDRAW	      (100 * MILLISECOND)
#define PATIENCE      (120000 * MILLISECOND)

static struct command commands[COMMANDS] = {
	{ .seconds = "1.6" }, { .seconds = "2.3" }, { .seconds = "1.9" },
	{ .seconds = "2.9" }, { .seconds = "2.7" }, { .seconds = "30" },
	{ .seconds = "2.0" }, { .seconds = "1.5" }, { .seconds = "2.4" },
	{ .seconds = "1.8" }, { .seconds = "2.2" }, { .seconds = "1.6" },
};

static struct demo {
	const char *wicket;
	char directory[PATH_MAX / 2], log[PATH_MAX];
	struct wicket *line;
	struct snapshot now;
	uint64_t began, drawn, came;
	size_t started;
	/* what was seen */
	size_t arrivals[COMMANDS], arrived;
	size_t enablings[COMMANDS], enabled;
	uint32_t most_inside;
	uint64_t killed_wicket, killed_command, came_back;
	unsigned wrong;
	/* what is told */
	char captions[CAPTIONS][WIDTH + 1], news[NEWS][WIDTH + 1];
	size_t captioned, announced;
} demo;

/* --- telling ----------------------------------------------------------------------- */

/* Where there is no picture to show it in, it is printed. */
static void write_row(char row[WIDTH + 1], const char *format, va_list args)
{
	double seconds = (double)(demo.now.now - demo.began) / 1e9;
	int length = snprintf(row, WIDTH + 1, "%5.2f s  ", seconds);

	vsnprintf(row + length, (size_t)(WIDTH + 1 - length), format, args);
	if (!screen_measure().is_terminal) {
		puts(row);
		fflush(stdout);
	}
}

/* Shown below the picture until there is something newer. */
static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_row(demo.captions[demo.captioned++ % CAPTIONS], format, args);
	va_end(args);
}

/* Shown to the end. */
static void announce(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static void announce(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_row(demo.news[demo.announced++ % NEWS], format, args);
	va_end(args);
}

/* Something that should not be. */
static void complain(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...)
{
	char text[WIDTH];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	demo.wrong++;
	announce("WRONG: %s", text);
}

static size_t number_of(const struct command *c)
{
	return 1 + (size_t)(c - commands);
}

/* --- processes ---------------------------------------------------------------------- */

static bool is_its_ticket(const struct command *c, const struct wicket_entry *e)
{
	return (c->stage == WAITS || c->stage == INSIDE) &&
	       c->value == e->value && c->colour == e->colour;
}

/* The process that was started, or the command it has become. */
static bool is_its_process(const struct command *c, int32_t pid)
{
	struct person person;

	if (pid == c->wicket)
		return true;
	person_find(&person, pid);
	person_forget(&person);
	return *person.comm && person.parent == c->wicket;
}

/* By its ticket; or it is the one that was started last, and is new. */
static struct command *command_of(const struct wicket_entry *e)
{
	for (size_t i = 0; i < demo.started; i++) {
		if (is_its_ticket(&commands[i], e))
			return &commands[i];
	}
	if (demo.started && commands[demo.started - 1].stage == STARTED &&
	    is_its_process(&commands[demo.started - 1], e->pid))
		return &commands[demo.started - 1];
	return NULL;
}

/* --- the picture -------------------------------------------------------------------- */

/* What it is in this play, instead of how it was started. */
static void label_people(void)
{
	snapshot_find_people(&demo.now);
	for (size_t i = 0; i < demo.now.count; i++) {
		struct command *c = command_of(&demo.now.entries[i]);
		struct person *person = &demo.now.people[i];

		if (!c)
			continue;
		person_forget(person);
		if (asprintf(&person->command, "no. %zu: sleep %s",
			     number_of(c), c->seconds) < 0)
			person->command = NULL;
	}
}

static void draw_captions(FILE *out, const struct screen *screen)
{
	size_t first = demo.captioned > CAPTIONS ? demo.captioned - CAPTIONS :
						   0;

	for (size_t i = first; i < demo.captioned; i++)
		picture_row(out, screen, "%s", demo.captions[i % CAPTIONS]);
}

static void draw(FILE *out, const struct screen *screen)
{
	size_t rows = SLOTS + demo.now.view.waiting;

	picture_row(out, screen,
		    "%d commands through %d slots, first come, first served: "
		    "%zu to come",
		    COMMANDS, SLOTS, COMMANDS - demo.started);
	picture_row(out, screen, "  %-8s %7s  %-8s %8s  %s", "", "pid",
		    "ticket", "since", "command");
	picture_slots(out, &demo.now, screen);
	picture_waiting(out, &demo.now, screen);
	for (; rows < ROWS; rows++)
		fputc('\n', out);
	picture_counters(out, &demo.now, screen);
	for (size_t i = 0; i < NEWS; i++)
		picture_row(out, screen, "%s", demo.news[i]);
	fputc('\n', out);
	draw_captions(out, screen);
}

static void redraw(void)
{
	struct screen screen = screen_measure();
	size_t size;
	char *text;
	FILE *out;

	if (!screen.is_terminal || demo.now.now - demo.drawn < REDRAW)
		return;
	demo.drawn = demo.now.now;
	out = open_memstream(&text, &size);
	if (!out)
		return;
	label_people();
	draw(out, &screen);
	fclose(out);
	screen_show(&screen, text);
	free(text);
}

/* --- looking ------------------------------------------------------------------------- */

static void see_arrival(struct command *c, const struct wicket_entry *e)
{
	c->stage = WAITS;
	c->value = e->value;
	c->colour = e->colour;
	demo.arrivals[demo.arrived++] = number_of(c);
	if (e->flags & WICKET_HOLDS)
		tell("no. %zu comes and takes ticket %u:%u, valid at once",
		     number_of(c), c->value, c->colour);
	else
		tell("no. %zu comes and takes ticket %u:%u: %u%s in line",
		     number_of(c), c->value, c->colour, e->place,
		     text_ordinal(e->place));
}

static void see_enabling(struct command *c)
{
	c->stage = INSIDE;
	c->entered = demo.now.now;
	demo.enablings[demo.enabled++] = number_of(c);
	tell("no. %zu, ticket %u:%u, has slot %u", number_of(c), c->value,
	     c->colour, c->slot);
}

static void see_end(struct command *c)
{
	c->stage = GONE;
	if (!demo.killed_command || number_of(c) != VICTIM + 1) {
		tell("no. %zu is gone from slot %u", number_of(c), c->slot);
		return;
	}
	demo.came_back = demo.now.now;
	announce("slot %u is back, %.1f ms after the kill", c->slot,
		 (double)(demo.came_back - demo.killed_command) / 1e6);
}

/* Notes where it is now; true if a command of ours. */
static bool see_entry(const struct wicket_entry *e, bool inside[COMMANDS],
		      bool present[COMMANDS])
{
	struct command *c = command_of(e);

	if (!c)
		return false;
	if (c->stage == STARTED)
		see_arrival(c, e);
	if (e->pid != c->wicket)
		c->pid = e->pid;
	c->is_orphan = e->flags & WICKET_ORPHAN;
	present[c - commands] = true;
	if (e->flags & WICKET_HOLDS) {
		inside[c - commands] = true;
		c->slot = e->place;
	}
	return true;
}

/* The line is in the order in which they came. */
static void see_line(void)
{
	const struct command *before = NULL;

	for (size_t i = demo.now.view.holding; i < demo.now.count; i++) {
		const struct command *c = command_of(&demo.now.entries[i]);

		if (c && before && c < before)
			complain("no. %zu is before no. %zu in line",
				 number_of(before), number_of(c));
		before = c;
	}
}

static void see_slots(void)
{
	bool taken[SLOTS] = { false };

	for (size_t i = 0; i < demo.now.view.holding; i++) {
		uint32_t slot = demo.now.entries[i].place;

		if (slot >= SLOTS || taken[slot])
			complain("slot %u is held twice, or is none", slot);
		else
			taken[slot] = true;
	}
	if (demo.now.view.holding > demo.most_inside)
		demo.most_inside = demo.now.view.holding;
}

/*
 * Processes that are first seen inside in the same snapshot are reported in the
 * order of their tickets, which is that of the commands: their real order cannot be
 * known.
 */
static void look(void)
{
	bool inside[COMMANDS] = { false }, present[COMMANDS] = { false };
	int error = snapshot_look(&demo.now, demo.line);

	if (error)
		exit(say_error(line_name, error));
	see_slots();
	for (size_t i = 0; i < demo.now.count; i++) {
		if (!see_entry(&demo.now.entries[i], inside, present))
			complain("pid %d is in line, and was not started here",
				 demo.now.entries[i].pid);
	}
	see_line();
	/* first the processes that left: slots come back before they are given */
	for (size_t i = 0; i < demo.started; i++) {
		if (commands[i].stage == INSIDE && !present[i])
			see_end(&commands[i]);
	}
	for (size_t i = 0; i < demo.started; i++) {
		if (commands[i].stage == WAITS && inside[i])
			see_enabling(&commands[i]);
	}
}

/* --- doing ---------------------------------------------------------------------------- */

/* Each is started once the one before is seen in line: so the order in which
   they came is known. */
static void start_next(void)
{
	struct command *c = &commands[demo.started];
	int error;

	if (demo.started == COMMANDS || demo.now.view.seated == SEATS ||
	    (demo.started && commands[demo.started - 1].stage == STARTED) ||
	    demo.now.now - demo.came < BETWEEN)
		return;
	error = command_start(c, demo.wicket, line_name, demo.log);
	if (error)
		fail(EX_OSERR, "%s: %s", demo.wicket, strerror(-error));
	demo.came = demo.now.now;
	demo.started++;
}

/* First the wicket that waits for it, then the command: the slot is kept as long
   as one of them lives. */
static void kill_victim(void)
{
	struct command *c = &commands[VICTIM];

	if (c->stage != INSIDE || !c->pid)
		return;
	if (!demo.killed_wicket && demo.now.now - c->entered > BEFORE_KILLS) {
		kill(c->wicket, SIGKILL);
		demo.killed_wicket = demo.now.now;
		announce(
			"kill -9 %d, the wicket of no. %d: its command runs on "
			"in slot %u",
			c->wicket, VICTIM + 1, c->slot);
	}
	if (demo.killed_wicket && !demo.killed_command && c->is_orphan &&
	    demo.now.now - demo.killed_wicket > BETWEEN_KILLS) {
		kill(c->pid, SIGKILL);
		demo.killed_command = demo.now.now;
		announce(
			"kill -9 %d, the command of no. %d, while it holds slot %u",
			c->pid, VICTIM + 1, c->slot);
	}
}

/* Ended before it was seen in line, or as it should not. */
static void check_ends(void)
{
	commands_reap(commands, COMMANDS);
	for (size_t i = 0; i < demo.started; i++) {
		struct command *c = &commands[i];

		if (c->wicket_ended && c->stage == STARTED) {
			complain("no. %zu never came: see below", i + 1);
			c->stage = GONE;
		}
	}
}

static bool is_over(void)
{
	bool over = demo.started == COMMANDS && !demo.now.count;

	for (size_t i = 0; i < demo.started; i++)
		over = over && commands[i].stage == GONE &&
		       commands[i].wicket_ended;
	if (demo.now.now - demo.began > PATIENCE) {
		complain("not over after two minutes");
		over = true;
	}
	return over || demo.wrong;
}

/* --- the play ------------------------------------------------------------------------- */

static void clean_up(void)
{
	char path[PATH_MAX];

	screen_leave();
	commands_end(commands, COMMANDS);
	if (wicket_path(line_name, path, sizeof(path)) > 0)
		unlink(path);
	unlink(demo.log);
	rmdir(demo.directory);
}

static void set_up(void)
{
	struct wicket_options new = { .slots = SLOTS,
				      .seats = SEATS,
				      .flags = WICKET_CREATE };
	struct wicket_options view = { .flags = WICKET_VIEW };
	const char *temporary = getenv("TMPDIR");
	int error;

	snprintf(demo.directory, sizeof(demo.directory),
		 "%s/wicket-demo-XXXXXX",
		 temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(demo.directory))
		fail(EX_CANTCREAT, "%s: %s", demo.directory, strerror(errno));
	snprintf(demo.log, sizeof(demo.log), "%s/log", demo.directory);
	setenv("WICKET_DIR", demo.directory, 1);
	atexit(clean_up);
	error = wicket_open(&demo.line, line_name, &new);
	if (!error) {
		wicket_close(demo.line);
		error = wicket_open(&demo.line, line_name, &view);
	}
	if (error)
		exit(say_error(line_name, error));
}

static void play(void)
{
	int signal = 0;

	look();
	demo.began = demo.now.now;
	while (!is_over()) {
		start_next();
		kill_victim();
		redraw();
		signal = screen_wait(1);
		if (signal) {
			clean_up();
			screen_die(signal);
		}
		check_ends();
		look();
	}
	demo.drawn = 0;
	redraw();
	screen_leave();
}

/* --- what was seen ---------------------------------------------------------------------- */

static void conclude(const char *what, bool good)
{
	demo.wrong += !good;
	printf("%s%s\n", what, good ? "" : "   <-- WRONG");
}

static void print_order(const char *what, const size_t *order, size_t count)
{
	printf("  %-20s", what);
	for (size_t i = 0; i < count; i++)
		printf(" %zu", order[i]);
	puts("");
}

static void judge_order(void)
{
	bool same = demo.arrived == COMMANDS && demo.enabled == COMMANDS &&
		    !memcmp(demo.arrivals, demo.enablings,
			    sizeof(demo.arrivals));

	print_order("order of arrival", demo.arrivals, demo.arrived);
	print_order("order of enabling", demo.enablings, demo.enabled);
	conclude(same ? "                       the same" :
			"                       not the same",
		 same);
}

static void judge_commands(void)
{
	char text[WIDTH];
	unsigned good = 0;

	for (size_t i = 0; i < COMMANDS; i++)
		good += commands[i].wicket_ended && !commands[i].status;
	snprintf(text, sizeof(text), "  %-20s %u exited 0, 1 was killed",
		 "commands", good);
	conclude(text, good == COMMANDS - 1 && demo.killed_command);
	snprintf(text, sizeof(text), "  %-20s %.1f ms after the kill",
		 "its slot came back",
		 (double)(demo.came_back - demo.killed_command) / 1e6);
	conclude(text, demo.came_back && demo.now.view.recovered == 1);
}

/* Takes all there are: as many as there should be, and no more. */
static uint32_t take_slots(void)
{
	struct wicket *handles[SLOTS + 1] = { NULL };
	bool taken[SLOTS] = { false };
	uint32_t count = 0;

	for (size_t i = 0; i <= SLOTS; i++) {
		struct wicket_grant grant;

		if (wicket_open(&handles[i], line_name, NULL))
			handles[i] = NULL;
		else if (!wicket_try(handles[i], &grant) &&
			 grant.slot < SLOTS && !taken[grant.slot])
			taken[grant.slot] = ++count;
	}
	for (size_t i = 0; i <= SLOTS; i++) {
		if (handles[i])
			wicket_close(handles[i]);
	}
	return count;
}

static void judge_slots(void)
{
	uint32_t available = take_slots();
	char text[WIDTH];

	snprintf(text, sizeof(text), "  %-20s %u", "most ever inside",
		 demo.most_inside);
	conclude(text, demo.most_inside == SLOTS);
	snprintf(text, sizeof(text), "  %-20s %u of %d, each taken once more",
		 "slots at the end", available, SLOTS);
	conclude(text, available == SLOTS);
}

static void print_log(void)
{
	FILE *log = fopen(demo.log, "r");
	char row[256];

	while (log && fgets(row, sizeof(row), log))
		printf("  | %s", row);
	if (log)
		fclose(log);
}

static void print_hint(const char *program, const char *arguments,
		       const char *what)
{
	printf("  %s %-*s%s\n", program,
	       (int)(WIDTH / 2 + 10 - strlen(program)), arguments, what);
}

static void print_next(void)
{
	char verify[PATH_MAX];
	const char *slash = strrchr(demo.wicket, '/');
	int length = slash ? (int)(slash + 1 - demo.wicket) : 0;

	snprintf(verify, sizeof(verify), "%.*swicket-verify", length,
		 demo.wicket);
	puts("\nNext:");
	print_hint(demo.wicket, "run -j 3 NAME COMMAND",
		   "your own command, three at a time");
	print_hint(demo.wicket, "status --watch", "holders and waiters");
	print_hint("make", "", "wicket-verify, too; then:");
	print_hint(verify, "check colored -n 3 -k 1",
		   "all runs of 3 processes, 1 slot");
	print_hint("make", "check", "every test");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		fail(EX_USAGE, "usage: wicket-demo WICKET");
	demo.wicket = argv[1];
	/* it goes on without a reader, or the commands would be left behind */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
	/* we become the parent of the killed wicket's command, and wait for it */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	screen_begin();
	set_up();
	play();
	puts("\nSeen:");
	judge_order();
	judge_slots();
	judge_commands();
	if (demo.wrong) {
		print_log();
		puts("\nThis did not come out as it should.");
	} else {
		print_next();
	}
	return screen_flush() || demo.wrong ? 1 : 0;
}
