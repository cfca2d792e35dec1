/* SPDX-License-Identifier: MIT */
/* elsewhere - wicket has met --store, and becomes wicket-etcd: see store.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

const struct store *store_at(const char *url)
{
	(void)url;
	if (!*WICKET_ETCD)
		fail(EX_UNAVAILABLE,
		     "--store: this wicket was built without etcd; meson says "
		     "what is missing for it");
	become_neighbour();
	execv(WICKET_ETCD, arguments);
	fail(EX_UNAVAILABLE, "--store: cannot run %s: %s", WICKET_ETCD,
	     strerror(errno));
}
