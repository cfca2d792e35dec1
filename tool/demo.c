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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/demo-see.h"
#include "tool/demo-tell.h"
#include "tool/picture.h"
#include "tool/tool.h"

static const char line_name[] = "demo-line";

enum {
	COMMANDS = 12,
	SLOTS = 3,
	SEATS = 8,
	/* tickets taken before: so many that those of several colours are seen */
	TAKEN = 24,
	VICTIM = 5,
	CAPTIONS = 6, /* shown below the picture, one after the other */
	NEWS = 3,     /* shown to the end */
	ROWS = SLOTS + (SEATS - SLOTS), /* kept for slots and line */
	LOG_ROWS = 40,
};

/* Nanoseconds. */
#define MILLISECOND   UINT64_C(1000000)
#define BETWEEN	      (250 * MILLISECOND) /* one comes, and the next */
#define BEFORE_KILLS  (600 * MILLISECOND)
#define BETWEEN_KILLS (900 * MILLISECOND)
#define PATIENCE      (120000 * MILLISECOND)

static struct command commands[COMMANDS] = {
	{ .seconds = "1.6" }, { .seconds = "2.3" }, { .seconds = "1.9" },
	{ .seconds = "2.9" }, { .seconds = "2.7" }, { .seconds = "30" },
	{ .seconds = "2.0" }, { .seconds = "1.5" }, { .seconds = "2.4" },
	{ .seconds = "1.8" }, { .seconds = "2.2" }, { .seconds = "1.6" },
};

static struct command *command_of(const struct wicket_entry *e);
static void see_enabling(struct command *c, size_t entry);
static void see_end(struct command *c);

static struct play play = { .commands = commands,
			    .count = COMMANDS,
			    .slots = SLOTS,
			    .find = command_of,
			    .enters = see_enabling,
			    .leaves = see_end };

static struct demo {
	const char *wicket;
	char directory[PATH_MAX / 2], log[PATH_MAX];
	struct wicket *line;
	uint64_t came;
	uint64_t killed_wicket, killed_command, came_back;
} demo;

/* --- processes ---------------------------------------------------------------------- */

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
	struct command *c = play_find_ticket(&play, e);

	if (!c && !play_has_come(&play) &&
	    is_its_process(&commands[play.started - 1], e->pid))
		c = &commands[play.started - 1];
	return c;
}

/* --- the picture -------------------------------------------------------------------- */

/* What it is in this play, instead of how it was started. */
static void label_people(void)
{
	snapshot_find_people(&play.now);
	for (size_t i = 0; i < play.now.count; i++) {
		struct command *c = command_of(&play.now.entries[i]);
		struct person *person = &play.now.people[i];

		if (!c)
			continue;
		person_forget(person);
		if (asprintf(&person->command, "no. %zu: sleep %s",
			     play_number(&play, c), c->seconds) < 0)
			person->command = NULL;
	}
}

static void draw(FILE *out, const struct screen *screen)
{
	size_t rows = SLOTS + play.now.view.waiting;

	label_people();
	picture_row(out, screen,
		    "%d commands through %d slots, first come, first served: "
		    "%zu to come",
		    COMMANDS, SLOTS, COMMANDS - play.started);
	picture_row(out, screen, "  %-8s %7s  %-8s %8s  %s", "", "pid",
		    "ticket", "since", "command");
	picture_slots(out, &play.now, screen);
	picture_waiting(out, &play.now, screen);
	for (; rows < ROWS; rows++)
		fputc('\n', out);
	picture_counters(out, &play.now, screen);
	tale_draw_news(out, screen, NEWS);
	fputc('\n', out);
	tale_draw_captions(out, screen, CAPTIONS);
}

/* --- looking ------------------------------------------------------------------------- */

static void see_enabling(struct command *c, size_t entry)
{
	(void)entry;
	tell("no. %zu, ticket %u:%u, has slot %u", play_number(&play, c),
	     c->value, c->colour, c->slot);
}

static void see_end(struct command *c)
{
	if (!demo.killed_command || c != &commands[VICTIM]) {
		tell("no. %zu is gone from slot %u", play_number(&play, c),
		     c->slot);
		return;
	}
	demo.came_back = tale.now;
	announce("slot %u is back, %.1f ms after the kill", c->slot,
		 (double)(demo.came_back - demo.killed_command) / 1e6);
}

static void look(void)
{
	int error = snapshot_look(&play.now, demo.line);

	if (error)
		exit(say_error(line_name, error));
	tale.now = play.now.now;
	play_see(&play);
}

/* --- doing ---------------------------------------------------------------------------- */

static void start(struct command *c)
{
	const char *argv[] = { demo.wicket, "run",	line_name, "--",
			       "sleep",	    c->seconds, NULL };
	int error = command_start(c, argv, demo.log);

	if (error)
		fail(EX_OSERR, "%s: %s", demo.wicket, strerror(-error));
}

/* Each is started once the one before is seen in line: so the order in which
   they came is known. */
static void start_next(void)
{
	if (play.started == COMMANDS || play.now.view.seated == SEATS ||
	    !play_has_come(&play) || tale.now - demo.came < BETWEEN)
		return;
	start(&commands[play.started++]);
	demo.came = tale.now;
}

/* First the wicket that waits for it, then the command: the slot is kept as long
   as one of them lives. */
static void kill_victim(void)
{
	struct command *c = &commands[VICTIM];

	if (c->stage != INSIDE || !c->pid)
		return;
	if (!demo.killed_wicket && tale.now - c->entered > BEFORE_KILLS) {
		kill(c->wicket, SIGKILL);
		demo.killed_wicket = tale.now;
		announce(
			"kill -9 %d, the wicket of no. %d: its command runs on "
			"in slot %u",
			c->wicket, VICTIM + 1, c->slot);
	}
	if (demo.killed_wicket && !demo.killed_command && c->is_orphan &&
	    tale.now - demo.killed_wicket > BETWEEN_KILLS) {
		kill(c->pid, SIGKILL);
		demo.killed_command = tale.now;
		announce(
			"kill -9 %d, the command of no. %d, while it holds slot %u",
			c->pid, VICTIM + 1, c->slot);
	}
}

static bool is_over(void)
{
	bool over = play_is_over(&play);

	if (tale.now - tale.began > PATIENCE) {
		complain("not over after two minutes");
		over = true;
	}
	return over || tale.wrong;
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

/* Two at a time: a ticket that nobody came after is handed back. */
static int use_tickets(struct wicket *line)
{
	struct wicket *other;
	int error = wicket_open(&other, line_name, NULL);

	if (error)
		return error;
	for (int taken = 0; taken < TAKEN && !error; taken += 2) {
		error = wicket_acquire(line, NULL);
		if (!error)
			error = wicket_acquire(other, NULL);
		if (!error)
			error = wicket_release(line);
		if (!error)
			error = wicket_release(other);
	}
	wicket_close(other);
	return error;
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
		error = use_tickets(demo.line);
		wicket_close(demo.line);
	}
	if (!error) {
		error = wicket_open(&demo.line, line_name, &view);
	}
	if (error)
		exit(say_error(line_name, error));
}

static void perform(void)
{
	look();
	tale.began = tale.now;
	while (!is_over()) {
		start_next();
		kill_victim();
		tale_show(draw);
		tale_wait(1, clean_up);
		play_check_ends(&play);
		look();
	}
	tale_show_end(draw);
}

/* --- what was seen ---------------------------------------------------------------------- */

static void judge_commands(void)
{
	unsigned good = 0;

	for (size_t i = 0; i < COMMANDS; i++)
		good += commands[i].wicket_ended && !commands[i].status;
	conclude(good == COMMANDS - 1 && demo.killed_command, "commands",
		 "%u exited 0, 1 was killed", good);
	conclude(demo.came_back && play.now.view.recovered == 1,
		 "its slot came back", "%.1f ms after the kill",
		 (double)(demo.came_back - demo.killed_command) / 1e6);
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

	conclude(available == SLOTS, "slots at the end",
		 "%u of %d, each taken once more", available, SLOTS);
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
	perform();
	puts("\nSeen:");
	play_judge(&play);
	judge_slots();
	judge_commands();
	if (tale.wrong) {
		print_log(demo.log, LOG_ROWS);
		puts("\nThis did not come out as it should.");
	} else {
		print_next();
	}
	return screen_flush() || tale.wrong ? 1 : 0;
}
