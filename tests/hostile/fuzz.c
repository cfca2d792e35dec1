/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer: the input is the content of a file; open, inspect and check it.  What
 * would have it refused at once is put right: magic, version, size, boot id.
 */
#include "line/handle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS_MAX = 8, SEATS_MAX = 16, BYTES_MAX = 16384 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];
static unsigned char model[sizeof(struct header)];

static void delete_line(void)
{
	unlink(path);
}

/* The header of a real line. */
static void learn(void)
{
	struct wicket_options o = {
		.slots = 2, .slots_max = 2, .seats = 5, .flags = WICKET_CREATE
	};
	struct wicket *line;
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/wicket-fuzz-%d", getpid());
	atexit(delete_line);
	if (wicket_open(&line, path, &o))
		abort();
	fd = open(path, O_RDONLY);
	if (pread(fd, model, sizeof(model), 0) != sizeof(model))
		abort();
	close(fd);
	wicket_close(line);
}

/* Returns the bytes that such a line has. */
static size_t mend(unsigned char *copy)
{
	struct header *a = (struct header *)(void *)copy;
	uint32_t slots = 1 + a->slots % SLOTS_MAX;
	uint32_t seats = slots + 1 + a->seats % (SEATS_MAX - SLOTS_MAX);

	memcpy(copy, model, offsetof(struct header, used));
	a->slots = 1 + a->slots_max % slots;
	a->slots_max = slots;
	a->seats = seats;
	a->block = line_block(seats);
	a->bytes = area_bytes(slots, seats);
	return a->bytes;
}

static void ignore(void *arg, enum wicket_finding kind, const char *text)
{
	(void)arg, (void)kind, (void)text;
}

static void look(void)
{
	struct wicket_options view = { .flags = WICKET_VIEW };
	struct wicket_entry entries[SEATS_MAX];
	struct wicket_view v;
	struct wicket *line;

	wicket_check(path, ignore, 0);
	if (!wicket_open(&line, path, &view)) {
		wicket_inspect(line, &v, entries, SEATS_MAX);
		wicket_close(line);
	}
	if (!wicket_open(&line, path, 0)) {
		wicket_inspect(line, &v, entries, SEATS_MAX);
		if (!wicket_try(line, 0))
			wicket_release(line);
		wicket_close(line);
	}
	wicket_remove(path);
}

/* The first byte says whether the header is left as it is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static _Alignas(128) unsigned char copy[BYTES_MAX];
	bool mends = size && data[0] & 1;
	size_t bytes;
	int fd;

	if (!*path)
		learn();
	if (!size)
		return 0;
	bytes = size - 1 < BYTES_MAX ? size - 1 : BYTES_MAX;
	memset(copy, 0, sizeof(copy));
	memcpy(copy, data + 1, bytes);
	if (mends)
		bytes = mend(copy);
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || pwrite(fd, copy, bytes, 0) != (ssize_t)bytes)
		abort();
	close(fd);
	look();
	return 0;
}
