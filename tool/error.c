/* SPDX-License-Identifier: MIT */
/* error - error messages of one line, and the exit codes that go with them. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/tool.h"

static void vsay(const char *format, va_list args)
{
	char text[2 * PATH_MAX] = "wicket: ";
	size_t end = strlen(text);

	vsnprintf(text + end, sizeof(text) - end - 1, format, args);
	/* one line, whatever the names in it contain */
	for (char *c = text; *c; c++)
		*c = iscntrl((unsigned char)*c) ? '?' : *c;
	strcat(text, "\n");
	fputs(text, stderr);
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsay(format, args);
	va_end(args);
}

void fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsay(format, args);
	va_end(args);
	exit(code);
}

void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		fail(EX_OSERR, "out of memory");
	return memory;
}

/* What the errors of the library mean to the user of the tool. */
static const struct {
	int error, code;
	const char *words;
} meanings[] = {
	{ EINVAL, EX_USAGE, "not a name for a line" },
	{ ENAMETOOLONG, EX_USAGE, "the name is too long" },
	{ EPROTO, EX_DATAERR,
	  "the file is not a line, or a line of another version" },
	{ EUCLEAN, EX_DATAERR,
	  "the line is damaged; wicket doctor says where" },
	{ ENOENT, EX_NOINPUT, "there is no such line" },
	{ ENOTDIR, EX_NOINPUT, "part of the path is not a directory" },
	{ ELOOP, EX_NOINPUT, "too many symbolic links" },
	{ EACCES, EX_NOPERM, "permission denied" },
	{ EPERM, EX_NOPERM, "permission denied: it belongs to another user" },
	{ EROFS, EX_CANTCREAT, "the file system cannot be written" },
	{ ENOSPC, EX_CANTCREAT, "no space left for the line" },
	{ EDQUOT, EX_CANTCREAT, "no space left for the line within the quota" },
	{ ENOTSUP, EX_CANTCREAT,
	  "a line needs O_TMPFILE, open file description locks and "
	  "set_robust_list(2), which this file system or machine lacks" },
	{ EREMOTE, EX_CANTCREAT,
	  "a line belongs to one machine, and cannot be on a network or FUSE "
	  "file system" },
	{ ENOSYS, EX_OSERR,
	  "/proc is missing, or not complete: wicket needs it" },
	{ EFBIG, EX_CANTCREAT,
	  "the file would be larger than this process may write (ulimit -f)" },
	{ EMFILE, EX_OSERR,
	  "this process has too many files open (ulimit -n)" },
	{ EUSERS, EX_TEMPFAIL, "the line is full: all its seats are taken" },
	{ EBUSY, EX_TEMPFAIL, "the line is in use, or its file is locked" },
	{ ESTALE, EX_TEMPFAIL, "the line was removed" },
};

enum { MEANINGS = sizeof(meanings) / sizeof(*meanings) };

void say_of_line(const char *name, const char *words)
{
	char path[PATH_MAX];

	/* a path already says where it is */
	if (strchr(name, '/') || wicket_path(name, path, sizeof(path)) < 0)
		say("%s: %s", *name ? name : "''", words);
	else
		say("%s: %s (%s)", name, words, path);
}

enum { WHY = 256 + PATH_MAX };

static void keep_first(void *arg, enum wicket_finding kind, const char *text)
{
	char *first = arg;

	if (kind == WICKET_WRONG && !*first)
		snprintf(first, WHY, "not a line that can be used: %s", text);
}

/* Explains -EPERM: the directory is not ours, or root does not trust the line. */
static void explain_refusal(const char *name, char *why)
{
	char path[PATH_MAX] = "";
	struct stat st;
	int error = wicket_directory(0, path, sizeof(path));

	if (error == -EPERM || error == -ENOTDIR)
		snprintf(why, WHY,
			 "%s must be a directory that belongs to you, and that "
			 "nobody else may write",
			 path);
	else if (!geteuid() && wicket_path(name, path, sizeof(path)) >= 0 &&
		 !stat(path, &st) && S_ISREG(st.st_mode) &&
		 (st.st_uid || st.st_mode & 022))
		snprintf(why, WHY,
			 "root does not use a line that others may write "
			 "(owner %u, group %u, mode %o), because they could "
			 "make root do anything; --trust allows it",
			 st.st_uid, st.st_gid, st.st_mode & 0777);
}

int say_error(const char *name, int error)
{
	const char *words = strerror(-error);
	int code = EX_OSERR;
	char why[WHY] = "";

	for (int i = 0; i < MEANINGS; i++) {
		if (meanings[i].error == -error) {
			words = meanings[i].words;
			code = meanings[i].code;
		}
	}
	if (error == -EPROTO)
		wicket_check(name, keep_first, why);
	if (error == -EPERM || error == -ENOTDIR)
		explain_refusal(name, why);
	say_of_line(name, *why ? why : words);
	return code;
}
