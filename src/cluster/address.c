/* SPDX-License-Identifier: MIT */
#include "cluster/address.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_MAX = 65535 };

/* Letters, digits and other signs that need no thought in a key, a shell or a message. */
static bool is_plain(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= ' ' || c == 0x7f || c == '/')
			return false;
	}
	return size > 0;
}

/* HOST:PORT, or [ADDRESS]:PORT. */
static bool is_endpoint(const char *text, size_t size)
{
	const char *colon = memrchr(text, ':', size);
	size_t host = colon ? (size_t)(colon - text) : 0, digits = 0;

	if (!host || !is_plain(text, size))
		return false;
	if (memchr(text, ':', host) && (*text != '[' || text[host - 1] != ']'))
		return false;
	while (host + 1 + digits < size &&
	       isdigit((unsigned char)colon[1 + digits]))
		digits++;
	return digits && digits <= 5 && host + 1 + digits == size &&
	       atoi(colon + 1) > 0 && atoi(colon + 1) <= PORT_MAX;
}

static int read_endpoints(const char *list, size_t size, bool tls,
			  struct address *a)
{
	size_t at = 0;

	while (size) {
		const char *comma = memchr(list, ',', size);
		size_t one = comma ? (size_t)(comma - list) : size;

		if (!is_endpoint(list, one))
			return -EINVAL;
		at += (size_t)snprintf(a->endpoints + at,
				       sizeof(a->endpoints) - at, "%s%s%.*s",
				       at ? "," : "", tls ? "https://" : "",
				       (int)one, list);
		if (at >= sizeof(a->endpoints))
			return -EINVAL;
		list += one + !!comma;
		size -= one + !!comma;
		if (comma && !size)
			return -EINVAL;
	}
	return 0;
}

static bool read_prefix(const char *text, struct address *a)
{
	size_t size = strlen(text);

	while (size && text[size - 1] == '/')
		size--;
	if (!size) {
		strcpy(a->prefix, "wicket/");
		return true;
	}
	for (const char *part = text; part < text + size;) {
		const char *slash = memchr(part, '/',
					   (size_t)(text + size - part));
		size_t one = (size_t)((slash ? slash : text + size) - part);

		if (!is_plain(part, one))
			return false;
		part += one + 1;
	}
	return (size_t)snprintf(a->prefix, sizeof(a->prefix), "%.*s/",
				(int)size, text) < sizeof(a->prefix);
}

int address_read(const char *url, struct address *a, const char **why)
{
	bool tls = url && !strncmp(url, "etcds://", 8);
	const char *rest;

	memset(a, 0, sizeof(*a));
	if (!url || (!tls && strncmp(url, "etcd://", 7) != 0)) {
		*why = "expected a store: etcd://HOST:PORT[,HOST:PORT...]";
		return -EINVAL;
	}
	rest = url + (tls ? 8 : 7);
	if (read_endpoints(rest, strcspn(rest, "/"), tls, a)) {
		*why = "expected servers, HOST:PORT with commas between, such as "
		       "etcd://db1:2379,db2:2379";
		return -EINVAL;
	}
	rest += strcspn(rest, "/");
	if (!read_prefix(rest + (*rest == '/'), a)) {
		*why = "the prefix of keys after the servers is too long, or has "
		       "an empty part, a space or a control character";
		return -EINVAL;
	}
	return 0;
}

/* What the keys of a line go on with: another line's prefix may be this line's name. */
static bool is_reserved(const char *name)
{
	static const char *const words[] = { "ask", "line", "live", "seat",
					     "w" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i], name))
			return true;
	}
	return false;
}

int address_of_line(const struct address *a, const char *name, char *keys,
		    size_t size, const char **why)
{
	size_t length = strlen(name);

	if (is_reserved(name)) {
		*why = "ask, line, live, seat and w are not names for a line";
		return -EINVAL;
	}
	if (!is_plain(name, length) || length > ADDRESS_NAME_MAX) {
		*why = "expected the name of a line: up to 128 bytes, without "
		       "spaces, slashes and control characters";
		return -EINVAL;
	}
	if ((size_t)snprintf(keys, size, "%s%s/", a->prefix, name) >= size) {
		*why = "the prefix and the name are too long";
		return -EINVAL;
	}
	return 0;
}
