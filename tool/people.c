/* SPDX-License-Identifier: MIT */
#include "tool/people.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/text.h"

/* Reads as much of a file of /proc/PID as there is room for, and adds a 0. */
static size_t read_file(int32_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, size - 1);
	close(fd);
	if (got < 0)
		got = 0;
	text[got] = 0;
	return (size_t)got;
}

/* "PID (COMM) STATE PARENT ...", and COMM may have anything in it. */
static bool read_stat(struct person *person, int32_t pid)
{
	char text[1024], *comm, *end;

	if (!read_file(pid, "stat", text, sizeof(text)))
		return false;
	comm = strchr(text, '(');
	end = strrchr(text, ')');
	if (!comm || !end || end <= comm ||
	    sscanf(end + 1, " %c %d", &person->state, &person->parent) != 2)
		return false;
	*end = 0;
	snprintf(person->comm, sizeof(person->comm), "%s", comm + 1);
	text_make_printable(person->comm);
	return true;
}

/* Each argument ends with a 0; a program that overwrites them leaves more of those. */
static char *read_command(int32_t pid)
{
	char text[4096];
	size_t length = read_file(pid, "cmdline", text, sizeof(text));

	while (length && (!text[length - 1] || text[length - 1] == ' '))
		length--;
	if (!length)
		return NULL;
	for (size_t i = 0; i < length; i++)
		text[i] = text[i] ? text[i] : ' ';
	text[length] = 0;
	text_make_printable(text);
	return strdup(text);
}

void person_find(struct person *person, int32_t pid)
{
	*person = (struct person){ 0 };
	if (read_stat(person, pid))
		person->command = read_command(pid);
}

int32_t person_parent(int32_t pid)
{
	struct person person = { 0 };

	return read_stat(&person, pid) ? person.parent : 0;
}

void person_forget(struct person *person)
{
	free(person->command);
	person->command = NULL;
}

bool person_is_stopped(const struct person *person)
{
	return person->state == 'T' || person->state == 't';
}
