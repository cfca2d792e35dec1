/* SPDX-License-Identifier: MIT */
/*
 * boot - a line and processes that have another boot id than who made it: as
 * after a boot, where what is left must be started afresh, and as in a
 * container that has a boot id of its own, where it must not, because others
 * are in it.
 */
#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 3, SEATS = 17, CROWD = 8, TURNS = 200 };

/* --- a line in use -------------------------------------------------------- */

static int sees_holder(void *arg)
{
	struct wicket_options options = { .flags = WICKET_VIEW };
	struct wicket *view;
	int error = wicket_open(&view, line_path(), &options);

	(void)arg;
	if (error)
		note("view: %s", strerror(-error));
	return error || look(view).holding != 1 || wicket_close(view);
}

static int cannot_remove(void *arg)
{
	(void)arg;
	return wicket_remove(line_path()) != -EBUSY;
}

static void in_use(const char *what, int (*body)(void *))
{
	struct cue *cue = new_cue();
	pid_t holder;

	new_line(1, 0);
	holder = start_holder(cue);
	ok(ends_well(spawn_elsewhere(body, 0)), "in use: %s", what);
	cue->go = 1;
	ok(ends_well(holder) && all_are_back(1), "in use: %s, no harm done",
	   what);
}

/* Who has a seat and no slot is not to be forgotten, either: it does not get
   the slot of who came later from elsewhere until that one leaves, ... */
static int enters_after(struct wicket *line, struct cue *cue)
{
	struct timespec deadline = limit();
	int tried = wicket_try(line, 0), waited;

	cue->go = 1;
	waited = wicket_acquire_until(line, &deadline, 0);
	if (tried != -EAGAIN || waited)
		note("the slot of another: try %d; and then: acquire %d", tried,
		     waited);
	return tried != -EAGAIN || waited;
}

static int sits_and_enters(void *arg)
{
	struct wicket *line = open_line(0);
	struct cue *cue = arg;

	cue->other = 1;
	await_inside(cue);
	return enters_after(line, cue) || wicket_close(line);
}

/* ... and it can leave. */
static int sits_and_leaves(void *arg)
{
	struct wicket *line = open_line(0);
	struct cue *cue = arg;

	cue->other = 1;
	await_inside(cue);
	return wicket_close(line);
}

static bool has_sat_down(void *arg)
{
	return ((struct cue *)arg)->other;
}

static void seated(const char *what, int (*body)(void *))
{
	struct cue *cue = new_cue();
	pid_t holder, sitter;
	bool good;

	new_line(1, 0);
	sitter = spawn(body, cue);
	if (!eventually(has_sat_down, cue))
		bail_out("nobody sits down");
	holder = spawn_elsewhere(hold, cue);
	good = ends_well(sitter);
	cue->go = 1;
	good &= ends_well(holder);
	ok(good && all_are_back(1), "seated: %s", what);
}

/* --- a line that is left -------------------------------------------------- */

static int finds_it_fresh(void *arg)
{
	struct wicket *line = open_line(0);
	struct wicket_view view = look(line);

	(void)arg;
	wicket_close(line);
	if (view.slots == SLOTS && view.seats == SEATS && !view.grants &&
	    view.seated == 1 && all_are_back(SLOTS))
		return 0;
	note("%u slots, %u seats, %llu grants, %u seated", view.slots,
	     view.seats, (unsigned long long)view.grants, view.seated);
	return 1;
}

static void left_idle(void)
{
	new_line(SLOTS, SEATS);
	all_are_back(SLOTS);
	ok(ends_well(spawn_elsewhere(finds_it_fresh, 0)),
	   "left: it is started afresh");
}

/* The line as it is at this moment, under its own name but another file: all
   are inside as before, and none of them is there. */
static void cut_power(void)
{
	int from = open(line_path(), O_RDONLY | O_CLOEXEC), to;
	off_t bytes = lseek(from, 0, SEEK_END);
	char *copy = malloc((size_t)bytes);

	if (!copy || pread(from, copy, (size_t)bytes, 0) != bytes)
		bail_out("cannot read the line");
	unlink(line_path());
	to = open(line_path(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (write(to, copy, (size_t)bytes) != bytes)
		bail_out("cannot write the line");
	free(copy);
	close(from);
	close(to);
}

static void left_by_power_cut(void)
{
	struct cue *cue = new_cue();
	pid_t holder;

	new_line(SLOTS, SEATS);
	holder = start_holder(cue);
	cut_power();
	end(holder);
	ok(ends_well(spawn_elsewhere(finds_it_fresh, 0)),
	   "left by a power cut: it is started afresh");
}

/* --- a crowd -------------------------------------------------------------- */

struct crowd {
	_Atomic int32_t ready, inside, wrong;
};

static bool is_ready(void *arg)
{
	return ((struct crowd *)arg)->ready == CROWD;
}

static void take_turn(struct crowd *crowd)
{
	struct timespec deadline = limit();
	struct wicket *line;
	int error = wicket_open(&line, line_path(), 0);

	if (!error)
		error = wicket_acquire_until(line, &deadline, 0);
	if (error) {
		note("in a crowd: %s", strerror(-error));
		crowd->wrong = 1;
		return;
	}
	if (atomic_fetch_add(&crowd->inside, 1)) {
		note("in a crowd: two inside");
		crowd->wrong = 1;
	}
	sched_yield();
	atomic_fetch_sub(&crowd->inside, 1);
	wicket_close(line);
}

static int take_turns(void *arg)
{
	struct crowd *crowd = arg;

	crowd->ready++;
	eventually(is_ready, crowd);
	for (int i = 0; i < TURNS && !crowd->wrong; i++)
		take_turn(crowd);
	return crowd->wrong;
}

/* It is in use most of the time, and now and then it is not: then whoever comes
   next and is from elsewhere starts it afresh. */
static void crowd(const char *name, uint32_t from_elsewhere)
{
	struct crowd *c = share(sizeof(*c));
	pid_t pid[CROWD];
	bool good = true;

	new_line(1, SEATS);
	for (uint32_t i = 0; i < CROWD; i++)
		pid[i] = (i < from_elsewhere ? spawn_elsewhere :
					       spawn)(take_turns, c);
	for (uint32_t i = 0; i < CROWD; i++)
		good &= ends_well(pid[i]);
	ok(good && all_are_back(1), "%s: one at a time", name);
}

int main(void)
{
	line_path();
	if (!can_boot())
		return skip_all("boot ids cannot be changed here");
	in_use("no slot for another", is_refused);
	in_use("it can be looked at", sees_holder);
	in_use("it cannot be removed", cannot_remove);
	seated("it waits for who came later", sits_and_enters);
	seated("it leaves", sits_and_leaves);
	left_idle();
	left_by_power_cut();
	crowd("a crowd after a boot", CROWD);
	crowd("a crowd of two boots", CROWD / 2);
	return finish();
}
