/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "verify/error.h"
#include "verify/output.h"

/* A device or a pipe is written to; a file is replaced when all is there. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

void output_writable(const char *path)
{
	char *copy = strdup(path);
	bool ok = copy &&
		  !access(is_special(path) ? path : dirname(copy), W_OK);

	free(copy);
	if (!ok)
		fail(EX_CANTCREAT, "cannot write %s: %s", path,
		     strerror(errno));
}

void output_write(const char *path, bool (*put)(FILE *out, const void *context),
		  const void *context)
{
	bool special = is_special(path), ok;
	char *temporary;
	FILE *out;
	int fd, error;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		abort();
	fd = special ? open(path, O_WRONLY | O_CLOEXEC) : mkstemp(temporary);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	ok = out && put(out, context);
	error = errno;
	if (out && fclose(out)) {
		error = ok ? errno : error;
		ok = false;
	}
	if (ok && !special) {
		mode_t mask = umask(0);

		umask(mask);
		ok = !chmod(temporary, 0666 & ~mask) &&
		     !rename(temporary, path);
		error = errno;
	}
	if (!ok && !special && fd >= 0)
		unlink(temporary);
	free(temporary);
	if (!ok)
		fail(EX_CANTCREAT, "cannot write %s: %s", path,
		     strerror(error));
}
