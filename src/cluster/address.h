/* SPDX-License-Identifier: MIT */
/*
 * address - where a line is: etcd://HOST:PORT[,HOST:PORT...][/PREFIX] and its name.
 * With etcds:// the servers speak TLS.
 */
#ifndef WICKET_CLUSTER_ADDRESS_H
#define WICKET_CLUSTER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	ADDRESS_ENDPOINTS_MAX = 4096,
	ADDRESS_PREFIX_MAX = 256,
	ADDRESS_NAME_MAX = 128,
};

struct address {
	char endpoints[ADDRESS_ENDPOINTS_MAX]; /* empty: not said */
	char prefix[ADDRESS_PREFIX_MAX];       /* with a slash at its end */
};

/* 0, or -EINVAL, and why. */
int address_read(const char *url, struct address *address, const char **why);

/* Of the prefix and a name: what all keys of that line begin with.  -EINVAL, and why. */
int address_of_line(const struct address *address, const char *name, char *keys,
		    size_t size, const char **why);

#endif
