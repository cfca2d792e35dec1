/* SPDX-License-Identifier: MIT */
#include "bench/scan.h"

#include "line/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wicket *handles[SEATS];

int scan_prepare(void)
{
	struct wicket_options options = { .slots = 1,
					  .seats = SEATS,
					  .flags = WICKET_CREATE };
	char path[] = "/tmp/wicket-bench-XXXXXX/line";
	char *name = strrchr(path, '/');
	int error = 0;

	*name = '\0';
	if (!mkdtemp(path)) {
		perror(path);
		return 1;
	}
	*name = '/';
	for (int i = 0; i < SEATS && !error; i++)
		error = wicket_open(&handles[i], path, &options);
	if (error)
		fprintf(stderr, "%s: %s\n", path, strerror(-error));
	unlink(path);
	*name = '\0';
	rmdir(path);
	return error;
}

void scan_by_library(void)
{
	recover_scan(handles[0], NOBODY, NULL);
}
