/* SPDX-License-Identifier: MIT */
#include "line/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { OPENING = O_CLOEXEC | O_NOCTTY | O_NONBLOCK };

int file_reopen(int fd, int flags)
{
	char self[32];
	int other;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	other = open(self, flags | OPENING);
	if (other >= 0)
		return other;
	return errno == ENOENT || errno == ENOTDIR ? -ENOSYS : -errno;
}

static int reopen_regular(int fd, int flags)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	return S_ISREG(st.st_mode) ? file_reopen(fd, flags) : -EPROTO;
}

int file_open(const char *path, int flags)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd;

	if (place < 0)
		return -errno;
	fd = reopen_regular(place, flags);
	close(place);
	return fd;
}

void file_directory(const char *path, char dir[PATH_MAX])
{
	char *slash;

	strcpy(dir, path);
	slash = strrchr(dir, '/');
	slash[slash == dir] = 0; /* but the root's is the root */
}

bool file_is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

bool file_has_name(int fd, const char *path)
{
	struct stat mine, theirs;

	return !fstat(fd, &mine) && !lstat(path, &theirs) &&
	       mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

/* Numbers of linux/magic.h and of the file systems' own headers. */
bool file_is_remote(int fd)
{
	static const uint32_t remote[] = {
		0x6969,	    /* NFS */
		0x517b,	    /* SMB */
		0xff534d42, /* CIFS */
		0xfe534d42, /* SMB 2 */
		0x65735546, /* FUSE, virtiofs */
		0x01021997, /* 9p */
		0x786f4256, /* VirtualBox's shared folders */
		0xbacbacbc, /* VMware's */
		0x00c36400, /* Ceph */
		0x5346414f, /* AFS */
		0x6b414653, /* AFS, the other one */
		0x73757245, /* Coda */
		0x01161970, /* GFS2 */
		0x7461636f, /* OCFS2 */
		0x0bd00bd0, /* Lustre */
		0x47504653, /* GPFS */
		0x19830326, /* BeeGFS */
		0x20030528, /* OrangeFS */
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(remote) / sizeof(*remote); i++) {
		if ((uint32_t)fs.f_type == remote[i])
			return true;
	}
	return false;
}

bool file_is_trap(const struct stat *st)
{
	return !geteuid() && (st->st_uid || st->st_mode & (S_IWGRP | S_IWOTH));
}
