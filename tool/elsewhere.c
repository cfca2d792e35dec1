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

/* WICKET_ETCD is where the program is installed; if it is not defined, there is
   none. */
#ifndef WICKET_ETCD
#define WICKET_ETCD ""
#endif

static char **arguments;

void store_keep_arguments(char **argv)
{
	arguments = argv;
}

/* Where both are built, it is beside us; an older one may be installed. */
static void become_neighbour(void)
{
	char path[PATH_MAX + sizeof("wicket-etcd")];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
	char *name;

	if (length <= 0 || length >= PATH_MAX)
		return;
	path[length] = 0;
	name = strrchr(path, '/') + 1;
	strcpy(name, "wicket-etcd");
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
	become_neighbour();
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
