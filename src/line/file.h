/* SPDX-License-Identifier: MIT */
/* file - opens the file of a line safely. */
#ifndef WICKET_FILE_H
#define WICKET_FILE_H

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * A descriptor of a regular file; -EPROTO if it is anything else.  Its type is
 * checked before it is opened: opening a device can have effects, and opening a fifo
 * waits.  -ENOSYS: there is no /proc.
 */
int file_open(const char *path, int flags);

/* Another open file of the same file, so that its locks are its own. */
int file_reopen(int fd, int flags);

/* Of a path with a slash. */
void file_directory(const char *path, char dir[PATH_MAX]);

bool file_is_link(const char *path);

/* Is it this file that has the name? */
bool file_has_name(int fd, const char *path);

/* On a file system that several machines may share, or that a process of whatever
   kind serves: then neither mappings nor locks need be shared. */
bool file_is_remote(int fd);

/* Could somebody who is not root have put there what root would act upon? */
bool file_is_trap(const struct stat *st);

#endif
