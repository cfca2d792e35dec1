/* SPDX-License-Identifier: MIT */
/*
 * overlay - a line on overlayfs, as in most containers: there a mapping keeps
 * another file open than the one that was mapped, and every life ends at once.
 * Nobody may be taken for dead because of that; the bell tells who is.
 */
#include "ground.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[300];

/* The directory of the line becomes an overlay, for us and our children. */
static int cover(void)
{
	static const char *const parts[] = { "low", "up", "work" };
	char path[400], options[1400];

	snprintf(dir, sizeof(dir), "%s.overlay", line_path());
	if (unshare(CLONE_NEWNS) || mount("", "/", 0, MS_REC | MS_PRIVATE, 0) ||
	    mkdir(dir, 0700) || mount("none", dir, "tmpfs", 0, 0))
		return -errno;
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, parts[i]);
		if (mkdir(path, 0700))
			return -errno;
	}
	snprintf(options, sizeof(options),
		 "lowerdir=%s/low,upperdir=%s/up,workdir=%s/work", dir, dir,
		 dir);
	snprintf(path, sizeof(path), "%s/low", dir);
	return mount("none", path, "overlay", 0, options) ? -errno : 0;
}

static struct wicket *open_there(void)
{
	struct wicket_options options = { .slots = 1, .flags = WICKET_CREATE };
	struct wicket *line;
	char path[400];

	snprintf(path, sizeof(path), "%s/low/line", dir);
	return wicket_open(&line, path, &options) ? 0 : line;
}

static int hold_there(void *arg)
{
	struct wicket *line = open_there();

	if (!line || wicket_acquire(line, 0))
		return 1;
	stay(arg);
	return wicket_release(line) || wicket_close(line);
}

static int try_there(void *arg)
{
	struct wicket *line = open_there();

	(void)arg;
	return !line || wicket_try(line, 0) != -EAGAIN || wicket_close(line);
}

static int wait_there(void *arg)
{
	struct wicket *line = open_there();
	struct timespec end = limit();

	(void)arg;
	return !line || wicket_acquire_until(line, &end, 0) ||
	       wicket_close(line);
}

static void play(void)
{
	struct cue *cue = new_cue();
	pid_t holder = spawn(hold_there, cue);

	await_inside(cue);
	ok(ends_well(spawn(try_there, 0)), "a holder is not taken for dead");
	end(holder);
	ok(ends_well(spawn(wait_there, 0)), "its slot comes back when it is");
}

int main(void)
{
	int error = cover();

	if (error) {
		rmdir(dir);
		return skip_all("no overlay here");
	}
	play();
	umount2(dir, MNT_DETACH);
	rmdir(dir);
	return finish();
}
