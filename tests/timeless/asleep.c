/* SPDX-License-Identifier: MIT */
#include "asleep.h"

#include "../stress/stress.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads /proc/THREAD/NAME as a string; false: it cannot be read. */
static bool read_proc(pid_t thread, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", thread, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

static int wait_for_end(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return 0;
}

bool can_see_sleepers(void)
{
	pid_t child = spawn(wait_for_end, 0);
	char text[256];
	bool can = read_proc(child, "syscall", text, sizeof(text));

	end(child);
	return can;
}

/* Who is being woken, and is not yet back in a run queue, counts as running here,
   though /proc/THREAD/syscall still shows the call that it sleeps in. */
static bool is_asleep(pid_t thread)
{
	char text[512];
	const char *name_ends;

	if (!read_proc(thread, "stat", text, sizeof(text)))
		return false;
	name_ends = strrchr(text, ')');
	return name_ends && name_ends[1] == ' ' && name_ends[2] == 'S';
}

/* The futexes of libc are private ones, or have a timeout. */
bool sleeps_for_good(pid_t thread)
{
	unsigned long a[4];
	char text[256];
	long call;

	if (!read_proc(thread, "syscall", text, sizeof(text)) ||
	    sscanf(text, "%ld %lx %lx %lx %lx", &call, &a[0], &a[1], &a[2],
		   &a[3]) != 5 ||
	    a[3])
		return false;
	return (call == SYS_futex_waitv ||
		(call == SYS_futex && a[1] == FUTEX_WAIT_BITSET)) &&
	       is_asleep(thread);
}

static uint64_t number_after(const char *text, const char *key)
{
	const char *found = strstr(text, key);

	return found ? strtoull(found + strlen(key), 0, 10) : 0;
}

uint64_t switches(pid_t thread)
{
	char text[4096];

	if (!read_proc(thread, "status", text, sizeof(text)))
		return 0;
	return number_after(text, "\nvoluntary_ctxt_switches:") +
	       number_after(text, "\nnonvoluntary_ctxt_switches:");
}
