/* SPDX-License-Identifier: MIT */
/* elsewhere - wicket has met --store, and becomes wicket-etcd: see store.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cluster/address.h"
#include "tool/store.h"
#include "tool/tool.h"

/* WICKET_ETCD is where the program is installed, and WICKET_ETCD_FROM_HERE the same,
   seen from where wicket is; if they are not defined, there is none. */
#ifndef WICKET_ETCD
#define WICKET_ETCD	      ""
#define WICKET_ETCD_FROM_HERE ""
#endif

static char **arguments;

void store_keep_arguments(char **argv)
{
	arguments = argv;
}

/* From the directory that wicket itself is in; returns if there is no such program. */
static void become_neighbour(const char *where)
{
	char path[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);

	if (length <= 0 || length >= PATH_MAX)
		return;
	path[length] = 0;
	snprintf(strrchr(path, '/') + 1, PATH_MAX, "%s", where);
	execv(path, arguments);
}

/* What is wrong with the URL is wrong whether or not there is the other program. */
static void check_url(const char *url)
{
	struct address address;
	const char *why;

	if (address_read(url, &address, &why))
		fail(EX_USAGE, "--store %s: %s", *url ? url : "''", why);
}

const struct store *store_at(const char *url)
{
	check_url(url);
	if (!*WICKET_ETCD)
		fail(EX_UNAVAILABLE,
		     "--store: this wicket was built without wicket-etcd, the "
		     "program for several machines, which needs libcurl 7.87");
	/* where both are built it is beside us, while an older one may be installed;
	   and what was installed may have been moved */
	become_neighbour("wicket-etcd");
	become_neighbour(WICKET_ETCD_FROM_HERE);
	execv(WICKET_ETCD, arguments);
	if (errno == ENOENT)
		fail(EX_UNAVAILABLE,
		     "--store: wicket-etcd, the program for several machines, "
		     "is neither beside wicket nor in %.*s; in the sources of "
		     "wicket, make builds it",
		     (int)(strrchr(WICKET_ETCD, '/') - WICKET_ETCD),
		     WICKET_ETCD);
	fail(EX_UNAVAILABLE, "--store: cannot run %s: %s", WICKET_ETCD,
	     strerror(errno));
}
