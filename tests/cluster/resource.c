/* SPDX-License-Identifier: MIT */
#include "tests/cluster/resource.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>

static int64_t greatest(FILE *f)
{
	int64_t most = 0, seen;

	while (fscanf(f, "%" SCNd64, &seen) == 1)
		if (seen > most)
			most = seen;
	return most;
}

bool resource_write(const char *file, int64_t fence, bool heedless)
{
	FILE *f = fopen(file, "a+e");
	bool good;

	/* the file's own lock: comparing and writing are one */
	if (!f || flock(fileno(f), LOCK_EX) < 0)
		abort();
	good = heedless || fence >= greatest(f);
	if (good)
		fprintf(f, "%" PRId64 "\n", fence);
	if (fclose(f) == EOF)
		abort();
	return good;
}
