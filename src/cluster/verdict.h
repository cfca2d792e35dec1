/* SPDX-License-Identifier: MIT */
/* verdict - what it means that a transfer of libcurl ended as it did. */
#ifndef WICKET_CLUSTER_VERDICT_H
#define WICKET_CLUSTER_VERDICT_H

#include <stdbool.h>

enum { VERDICT_ROOM = 400 };

struct verdict {
	int error;		  /* as wire_finish returns it */
	char words[VERDICT_ROOM]; /* one line */
};

struct verdict verdict_of(int error, const char *what, const char *words);

struct ending {
	int code;	  /* a CURLcode other than CURLE_OK */
	const char *said; /* by libcurl about it */
	long number;	  /* the errno behind it, or 0 */
	bool sent, tls;
	bool was_answered; /* an earlier request, as this one was sent */
};

struct verdict verdict_of_curl(const struct ending *ending);

#endif
