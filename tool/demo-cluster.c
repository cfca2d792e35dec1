/* SPDX-License-Identifier: MIT */
/*
 * The demonstration of several machines, on this one: three servers of etcd, and six
 * real commands through a line of two slots in it.  The server that leads is killed, and
 * later a wicket whose command is in a slot.  What is told at the end is what was seen;
 * the exit code is 0 only if all of it is as it should be.
 *
 * Each wicket has a directory of its own, and so a lease of its own, as if it were on a
 * host of its own.  The wickets of one host share a lease, and would find a dead one
 * sooner.
 *
 * usage: wicket-demo-cluster WICKET [ETCD]
 */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/demo-eye.h"
#include "tool/demo-node.h"
#include "tool/demo-see.h"
#include "tool/demo-tell.h"
#include "tool/picture.h"
#include "tool/tool.h"
#include "wicket-etcd.h"

static const char line_name[] = "demo-line";

enum {
	CLIENTS = 6,
	SLOTS = 2,
	FIRST = 0, /* ends while there is no leader */
	VICTIM = 1,
	CAPTIONS = 5, /* shown below the picture, one after the other */
	NEWS = 5,     /* shown to the end */
	LOG_ROWS = 20,
	FENCES = 64, /* bytes */
};

/* So long that a command never loses its slot while a leader is elected, also on a busy
   machine; and so short that the end of one can be waited for. */
#define TTL	   8
#define IN_TEXT(x) AS_TEXT(x)
#define AS_TEXT(x) #x

/* Nanoseconds. */
#define SECOND	     UINT64_C(1000000000)
#define BETWEEN	     (SECOND / 2)	/* one comes, and the next */
#define UNTIL_LEADER (46 * SECOND / 10) /* after the first has entered */
#define UNTIL_CLIENT (3 * SECOND / 2)	/* after the servers answer again */
#define START_WITHIN (60 * SECOND)
#define PATIENCE     (180 * SECOND)

/* No. 4 stays until the victim's slot is back, so that somebody waits for it: a lease
   that has ended is noticed by the first in line, within half its time. */
static struct command clients[CLIENTS] = {
	{ .seconds = "5" },  { .seconds = "60" }, { .seconds = "4" },
	{ .seconds = "11" }, { .seconds = "3" },  { .seconds = "2.5" },
};

static struct command *client_of(const struct wicket_entry *e);
static void see_enabling(struct command *c, size_t entry);
static void see_end(struct command *c);

static struct play play = { .commands = clients,
			    .count = CLIENTS,
			    .slots = SLOTS,
			    .find = client_of,
			    .enters = see_enabling,
			    .leaves = see_end };

static struct demo {
	const char *wicket, *etcd;
	char directory[PATH_MAX / 2], log[PATH_MAX], store[256];
	uint64_t came;
	/* what was seen */
	int old_leader, new_leader; /* -1: not yet */
	uint64_t killed_leader, answered, moved;
	uint64_t killed_client, command_ended, came_back;
	int64_t greatest_fence;
	char fences[SLOTS][FENCES];
} demo = { .old_leader = -1, .new_leader = -1 };

static double seconds_between(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / 1e9 : 0;
}

/* By its ticket, since nothing else is known of one whose lease has ended; one that is
   new by its pid, which in a store is that of its wicket. */
static struct command *client_of(const struct wicket_entry *e)
{
	struct command *c = play_find_ticket(&play, e);

	if (c)
		return c;
	for (size_t i = 0; i < play.started; i++) {
		if (clients[i].wicket == e->pid)
			return &clients[i];
	}
	return NULL;
}

/* --- the picture -------------------------------------------------------------------- */

/* What it is in this play; to be freed. */
static char *label(const struct command *c)
{
	size_t number = play_number(&play, c);
	char *text;
	int length = demo.killed_client && c == &clients[VICTIM] ?
			     asprintf(&text, "no. %zu, killed,", number) :
			     asprintf(&text, "no. %zu: sleep %s", number,
				      c->seconds);

	return length < 0 ? NULL : text;
}

static void label_people(void)
{
	for (size_t i = 0; i < play.now.count; i++) {
		struct command *c = client_of(&play.now.entries[i]);
		struct abroad *abroad = &play.now.abroad[i];

		if (!c)
			continue;
		person_forget(&play.now.people[i]);
		play.now.people[i].command = label(c);
		snprintf(abroad->host, sizeof(abroad->host), "host %zu",
			 play_number(&play, c));
	}
}

static void describe_node(const struct node *nodes, int i, char *text,
			  size_t size)
{
	const struct node *n = &nodes[i];

	if (n->killed)
		snprintf(text, size, "killed");
	else if (!n->answers)
		snprintf(text, size, "no answer");
	else if (n->leader == i)
		snprintf(text, size, "leader");
	else if (n->leader >= 0)
		snprintf(text, size, "follows node %d", n->leader + 1);
	else
		snprintf(text, size, "has no leader");
}

static void draw_nodes(FILE *out, const struct screen *screen)
{
	struct node nodes[NODES];
	char text[32];

	nodes_look(nodes);
	for (int i = 0; i < NODES; i++) {
		describe_node(nodes, i, text, sizeof(text));
		picture_row(out, screen, "  node %d   %7d  %-18s  etcd at %s",
			    i + 1, nodes[i].pid, text, nodes[i].endpoint);
	}
}

/* A picture that is old is called so. */
static void draw_title(FILE *out, const struct screen *screen)
{
	double age = seconds_between(eye_answered(), tale.now);

	if (age > 0.5)
		picture_row(
			out, screen,
			"No server has answered for %.1f s; this is how it was:",
			age);
	else
		picture_row(out, screen,
			    "%d commands through %d slots in etcd, first come, "
			    "first served: %zu to come",
			    CLIENTS, SLOTS, CLIENTS - play.started);
}

static void draw(FILE *out, const struct screen *screen)
{
	size_t rows = play.now.view.waiting;

	label_people();
	draw_title(out, screen);
	draw_nodes(out, screen);
	picture_row(out, screen, "  %-8s %7s  %-8s %8s  %s", "", "pid",
		    "ticket", "since", "command");
	picture_slots(out, &play.now, screen);
	picture_waiting(out, &play.now, screen);
	for (; rows < CLIENTS - SLOTS; rows++)
		fputc('\n', out);
	picture_counters(out, &play.now, screen);
	tale_draw_news(out, screen, NEWS);
	fputc('\n', out);
	tale_draw_captions(out, screen, CAPTIONS);
}

/* --- looking ------------------------------------------------------------------------- */

static void see_fence(uint32_t slot, int64_t fence)
{
	size_t length = strlen(demo.fences[slot]);

	snprintf(demo.fences[slot] + length, FENCES - length, " %jd",
		 (intmax_t)fence);
	if (fence <= demo.greatest_fence)
		complain("fence %jd in slot %u comes after fence %jd",
			 (intmax_t)fence, slot, (intmax_t)demo.greatest_fence);
	else
		demo.greatest_fence = fence;
}

static void see_enabling(struct command *c, size_t entry)
{
	int64_t fence = play.now.abroad[entry].fence;

	tell("no. %zu, ticket %u:%u, has slot %u, fence %jd",
	     play_number(&play, c), c->value, c->colour, c->slot,
	     (intmax_t)fence);
	if (c->slot < SLOTS)
		see_fence(c->slot, fence);
	if (demo.killed_leader && !demo.moved)
		demo.moved = tale.now;
}

static void see_end(struct command *c)
{
	if (!demo.killed_client || c != &clients[VICTIM]) {
		tell("no. %zu is gone from slot %u", play_number(&play, c),
		     c->slot);
		return;
	}
	demo.came_back = tale.now;
	announce("its lease has ended: slot %u is back, %.2f s after the kill",
		 c->slot, seconds_between(demo.killed_client, tale.now));
}

/* What was asked before the kill may still be the old leader's answer. */
static void see_answer(uint64_t asked)
{
	if (!demo.killed_leader || demo.answered || asked < demo.killed_leader)
		return;
	demo.answered = tale.now;
	announce("the other two answer again, %.2f s after the kill",
		 seconds_between(demo.killed_leader, tale.now));
}

static void look(void)
{
	uint64_t asked = eye_take(&play.now);

	tale.now = eye_clock();
	if (!asked)
		return;
	see_answer(asked);
	play_see(&play);
}

static void look_at_nodes(void)
{
	int ended = nodes_find_ended();

	if (ended >= 0)
		complain("node %d has ended: see below", ended + 1);
	if (!demo.killed_leader || demo.new_leader >= 0)
		return;
	demo.new_leader = nodes_leader();
	if (demo.new_leader >= 0)
		announce("node %d is the new leader", demo.new_leader + 1);
}

/* Its guard ends the command, since wicket cannot any more. */
static void look_at_victim(void)
{
	if (!demo.killed_client || demo.command_ended ||
	    !clients[VICTIM].all_ended)
		return;
	demo.command_ended = tale.now;
	tell("the command of no. %d has ended, too, %.2f s later", VICTIM + 1,
	     seconds_between(demo.killed_client, tale.now));
}

/* --- doing ---------------------------------------------------------------------------- */

static void start(struct command *c)
{
	char directory[PATH_MAX];
	const char *argv[] = { "env",	  directory,  demo.wicket, "run",
			       "--store", demo.store, "--ttl",	   IN_TEXT(TTL),
			       line_name, "--",	      "sleep",	   c->seconds,
			       NULL };
	int error;

	snprintf(directory, sizeof(directory), "WICKET_DIR=%s/host%zu",
		 demo.directory, play_number(&play, c));
	error = command_start(c, argv, demo.log);
	if (error)
		fail(EX_OSERR, "env: %s", strerror(-error));
}

/* Each is started once the one before is seen in line: so the order in which
   they came is known. */
static void start_next(void)
{
	if (play.started == CLIENTS || !play_has_come(&play) ||
	    tale.now - demo.came < BETWEEN)
		return;
	start(&clients[play.started++]);
	demo.came = tale.now;
}

/* Shortly before the first command ends: so its slot is to be passed on while there is
   no leader. */
static void kill_leader(void)
{
	int leader = nodes_leader();
	pid_t pid;

	if (demo.killed_leader || leader < 0 || play.started < CLIENTS ||
	    !play_has_come(&play) ||
	    tale.now - clients[FIRST].entered < UNTIL_LEADER)
		return;
	pid = node_kill(leader);
	demo.old_leader = leader;
	demo.killed_leader = tale.now = eye_clock();
	announce("kill -9 %d, node %d, which is the leader", pid, leader + 1);
}

static void kill_client(void)
{
	struct command *c = &clients[VICTIM];

	if (demo.killed_client || c->stage != INSIDE || c->wicket_ended ||
	    demo.new_leader < 0 || !demo.answered ||
	    tale.now - demo.answered < UNTIL_CLIENT)
		return;
	kill(c->wicket, SIGKILL);
	demo.killed_client = tale.now;
	announce("kill -9 %d, the wicket of no. %d, while it holds slot %u",
		 c->wicket, VICTIM + 1, c->slot);
}

static bool is_over(void)
{
	bool over = play_is_over(&play);

	if (tale.now - tale.began > PATIENCE) {
		complain("not over after three minutes");
		over = true;
	}
	return over || tale.wrong;
}

/* --- the play ------------------------------------------------------------------------- */

static int remove_file(const char *path, const struct stat *status, int kind,
		       struct FTW *where)
{
	(void)status, (void)kind, (void)where;
	remove(path);
	return 0;
}

/* The servers end first: then nobody waits for their answer any more. */
static void clean_up(void)
{
	screen_leave();
	nodes_end();
	eye_close();
	commands_end(clients, CLIENTS);
	nftw(demo.directory, remove_file, 16, FTW_DEPTH | FTW_PHYS);
}

/* etcd waits for the disk at every step, unless there is none below its files. */
static const char *temporary_directory(void)
{
	const char *chosen = getenv("TMPDIR");

	if (chosen && *chosen)
		return chosen;
	return access("/dev/shm", W_OK | X_OK) ? "/tmp" : "/dev/shm";
}

static void make_directory(void)
{
	char own[PATH_MAX];

	snprintf(demo.directory, sizeof(demo.directory),
		 "%s/wicket-demo-XXXXXX", temporary_directory());
	if (!mkdtemp(demo.directory))
		fail(EX_CANTCREAT, "%s: %s", demo.directory, strerror(errno));
	/* at exit, what was registered last comes first: our threads must end before
	   the libraries that they use are cleaned up */
	nodes_load_libraries();
	atexit(clean_up);
	snprintf(demo.log, sizeof(demo.log), "%s/log", demo.directory);
	snprintf(own, sizeof(own), "%s/host0", demo.directory);
	setenv("WICKET_DIR", own, 1);
}

/* etcd refuses what is said both by a variable and by an argument; and its clients are
   to find these servers, and no others. */
static void forget_variables(void)
{
	for (char **v = environ; *v;) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*v, "="), *v);
		if (!strncmp(*v, "ETCD", 4) && !unsetenv(name))
			v = environ;
		else
			v++;
	}
}

static _Noreturn void give_up(const char *words)
{
	struct node nodes[NODES];

	nodes_look(nodes);
	for (int i = 0; i < NODES; i++)
		print_log(nodes[i].log, LOG_ROWS);
	fail(EX_UNAVAILABLE, "%s: %s", demo.etcd, words);
}

static void start_nodes(void)
{
	char list[sizeof(demo.store) - sizeof("etcd://")];
	uint64_t began = eye_clock();
	int error = nodes_start(demo.etcd, demo.directory);

	if (error == -ENOENT)
		fail(EX_UNAVAILABLE,
		     "%s is missing; tools/setup demo-cluster installs it",
		     demo.etcd);
	if (!error)
		error = nodes_watch();
	if (error)
		fail(EX_UNAVAILABLE, "%s: %s", demo.etcd, strerror(-error));
	while (nodes_leader() < 0) {
		if (nodes_find_ended() >= 0)
			give_up("a server has ended, before there was a leader");
		if (eye_clock() - began > START_WITHIN)
			give_up("the servers have no leader after a minute");
		tale_wait(20, clean_up);
	}
	nodes_list(list, sizeof(list));
	snprintf(demo.store, sizeof(demo.store), "etcd://%s", list);
}

static void create_line(void)
{
	char problem[WICKET_ETCD_PROBLEM] = "";
	struct wicket_etcd_options new = { .store = demo.store,
					   .slots = SLOTS,
					   .flags = WICKET_CREATE,
					   .problem = problem };
	struct wicket_etcd *line;
	int error = wicket_etcd_open(&line, line_name, &new);

	if (error)
		fail(EX_UNAVAILABLE, "%s: %s (%s)", line_name, strerror(-error),
		     problem);
	wicket_etcd_close(line);
	error = eye_open(demo.store, line_name);
	if (error)
		fail(EX_OSERR, "%s", strerror(-error));
}

static void set_up(void)
{
	make_directory();
	forget_variables();
	puts("Starting three servers of etcd...");
	fflush(stdout);
	start_nodes();
	create_line();
	while (!eye_answered())
		tale_wait(20, clean_up);
	tale.began = tale.now = eye_clock();
	tell("three servers run, and node %d is their leader",
	     nodes_leader() + 1);
}

static void perform(void)
{
	look();
	while (!is_over()) {
		start_next();
		kill_leader();
		kill_client();
		tale_show(draw);
		tale_wait(10, clean_up);
		play_check_ends(&play);
		look_at_victim();
		look_at_nodes();
		look();
	}
	tale_show_end(draw);
	eye_close();
}

/* --- what was seen ---------------------------------------------------------------------- */

static void judge_clients(void)
{
	int status = clients[VICTIM].status;
	unsigned good = 0;

	for (size_t i = 0; i < CLIENTS; i++)
		good += clients[i].wicket_ended && !clients[i].status;
	conclude(good == CLIENTS - 1 && demo.killed_client &&
			 WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		 "commands", "%u exited 0, 1 was killed with its wicket", good);
	conclude(demo.command_ended, "it ended", "%.2f s after its wicket",
		 seconds_between(demo.killed_client, demo.command_ended));
	conclude(demo.came_back && demo.command_ended &&
			 demo.came_back >= demo.command_ended &&
			 play.now.view.recovered == 1,
		 "its slot came back",
		 "%.2f s after the kill; its lease was of %d s",
		 seconds_between(demo.killed_client, demo.came_back), TTL);
}

static void judge_leader(void)
{
	conclude(demo.new_leader >= 0 && demo.new_leader != demo.old_leader,
		 "leaders", "node %d, killed, and then node %d",
		 demo.old_leader + 1, demo.new_leader + 1);
	conclude(demo.answered, "the line stood still",
		 "%.2f s without an answer; the next entered after %.2f s",
		 seconds_between(demo.killed_leader, demo.answered),
		 seconds_between(demo.killed_leader, demo.moved));
}

static void judge_fences(void)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		char what[32];

		snprintf(what, sizeof(what), "fences of slot %u", i);
		/* one that is not greater was complained of */
		conclude(*demo.fences[i], what, "%s",
			 *demo.fences[i] ? demo.fences[i] + 1 : "none");
	}
}

/* Takes all there are: as many as there should be, and no more. */
static uint32_t take_slots(void)
{
	const struct wicket_etcd_options options = { .store = demo.store };
	struct wicket_etcd *handles[SLOTS + 1] = { NULL };
	bool taken[SLOTS] = { false };
	static struct wicket_etcd_grant grant;
	uint32_t count = 0;

	for (size_t i = 0; i <= SLOTS; i++) {
		if (wicket_etcd_open(&handles[i], line_name, &options))
			handles[i] = NULL;
		else if (!wicket_etcd_try(handles[i], 1, &grant) &&
			 grant.slots[0] < SLOTS && !taken[grant.slots[0]])
			taken[grant.slots[0]] = ++count;
	}
	for (size_t i = 0; i <= SLOTS; i++) {
		if (handles[i])
			wicket_etcd_close(handles[i]);
	}
	return count;
}

static void ignore(void *arg, enum wicket_finding kind, const char *text)
{
	(void)arg, (void)kind, (void)text;
}

/* As wicket doctor. */
static int count_damage(void)
{
	const struct wicket_etcd_options options = { .store = demo.store,
						     .flags = WICKET_VIEW };
	struct wicket_etcd *line;
	int wrong = wicket_etcd_open(&line, line_name, &options);

	if (!wrong) {
		wrong = wicket_etcd_check(line, ignore, NULL);
		wicket_etcd_close(line);
	}
	return wrong;
}

static void judge_slots(void)
{
	uint32_t available = take_slots();
	int damage = count_damage();

	conclude(available == SLOTS, "slots at the end",
		 "%u of %d, each taken once more", available, SLOTS);
	conclude(!damage, "damage in etcd", "%s", damage ? "some" : "none");
}

static void print_logs(void)
{
	struct node nodes[NODES];

	print_log(demo.log, LOG_ROWS);
	nodes_look(nodes);
	for (int i = 0; i < NODES; i++)
		print_log(nodes[i].log, LOG_ROWS);
}

static void print_next(void)
{
	puts("\nNext, with servers of your own:");
	printf("  %s run --store etcd://HOST:PORT -j 2 NAME COMMAND\n",
	       demo.wicket);
	printf("  %s status --store etcd://HOST:PORT --watch\n", demo.wicket);
}

static void judge(void)
{
	puts("\nSeen:");
	play_judge(&play);
	judge_fences();
	judge_leader();
	judge_clients();
	judge_slots();
	if (tale.wrong) {
		print_logs();
		puts("\nThis did not come out as it should.");
	} else {
		print_next();
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 && argc != 3)
		fail(EX_USAGE, "usage: wicket-demo-cluster WICKET [ETCD]");
	demo.wicket = argv[1];
	demo.etcd = argc == 3 ? argv[2] : "etcd";
	/* it goes on without a reader, or the processes would be left behind */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTSTP, SIG_IGN);
	/* we become the parent of the killed wicket's command and guard */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	screen_begin();
	set_up();
	perform();
	judge();
	return screen_flush() || tale.wrong ? 1 : 0;
}
