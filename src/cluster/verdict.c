/* SPDX-License-Identifier: MIT */
#include "cluster/verdict.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct verdict verdict_of(int error, const char *what, const char *words)
{
	struct verdict v = { .error = error };

	snprintf(v.words, sizeof(v.words), "%s%s%s", what, *words ? ": " : "",
		 words);
	for (char *c = v.words; *c; c++) {
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	return v;
}

/* Does the server refuse our certificate, or that we have none?  With TLS 1.3 it says
   so when we have already sent the request, which it has then not looked at. */
static bool is_refusal(const char *said)
{
	return strstr(said, "alert") &&
	       (strstr(said, "certificate") || strstr(said, "unknown ca") ||
		strstr(said, "handshake failure"));
}

/* error is 0 if it has nothing to do with certificates. */
static struct verdict of_tls(CURLcode code, const char *said)
{
	if (is_refusal(said))
		return verdict_of(-EACCES, "the server refuses our certificate",
				  said);
	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_ISSUER_ERROR:
		return verdict_of(
			-EACCES,
			"the server's certificate is not to be trusted", said);
	case CURLE_SSL_CACERT_BADFILE:
		return verdict_of(-EACCES,
				  "the authority's certificate cannot be read",
				  said);
	case CURLE_SSL_CERTPROBLEM:
		return verdict_of(-EACCES,
				  "our certificate or its key cannot be used",
				  said);
	case CURLE_SSL_CONNECT_ERROR:
		if (strstr(said, "wrong version number"))
			return verdict_of(-EPROTOTYPE,
					  "that server does not speak TLS", "");
		break;
	default:
		break;
	}
	return verdict_of(0, "", "");
}

static struct verdict of_connection(const struct ending *e)
{
	const char *words = NULL;

	if (e->sent)
		return verdict_of(-ETIMEDOUT,
				  "the connection broke before the answer",
				  e->said);
	/* libcurl's words are of ports, tries and milliseconds */
	if (e->number > 0 && e->number < INT_MAX)
		words = strerrordesc_np((int)e->number);
	return verdict_of(-ECONNREFUSED, "no connection",
			  words ? words : e->said);
}

struct verdict verdict_of_curl(const struct ending *e)
{
	CURLcode code = (CURLcode)e->code;
	struct verdict v = of_tls(code, e->said);

	if (v.error)
		return v;
	switch (code) {
	case CURLE_OUT_OF_MEMORY:
		return verdict_of(-ENOMEM, "no memory", "");
	case CURLE_WRITE_ERROR: /* we took no more of it */
		return verdict_of(-EPROTO, "the answer is too long", "");
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL: /* of an address, or of an answer */
	case CURLE_WEIRD_SERVER_REPLY:
		return verdict_of(-EPROTO,
				  e->sent ? "that is no HTTP" :
					    "that is no address of a server",
				  e->said);
	case CURLE_SSL_CONNECT_ERROR:
		return verdict_of(-ECONNREFUSED, "no connection by TLS",
				  e->said);
	case CURLE_GOT_NOTHING:
		return verdict_of(-ETIMEDOUT, "closed without an answer",
				  e->tls || e->was_answered ?
					  "" :
					  "does it want https://?");
	default:
		return of_connection(e);
	}
}
