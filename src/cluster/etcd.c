/* SPDX-License-Identifier: MIT */
/*
 * The store is etcd 3.4 or later, through the JSON gateway of its members: POST with a
 * message in JSON, as of gRPC.  Its traps, and how they are met:
 *
 * - A request that is not answered may have been done, may be done later, or never, and
 *   this is also so after "request timed out" and "leader changed": -ETIMEDOUT and
 *   -EAGAIN, which the caller resolves.  Nothing that changes a key is sent twice, which
 *   libcurl has to be kept from doing (wire.c).  What may be done twice is asked of the
 *   next server if one is silent: a transaction that only reads, a keepalive, logging in,
 *   and a grant, of which a lease may be left over that ends by itself.
 * - Numbers of 64 bits are strings, bytes are base64, and what is zero is left out
 *   (message.c).
 * - A lease that has ended: keepalive answers without TTL, all others with an error.
 * - keepalive is a stream of its own on the server for each request; since that stream
 *   ends with the request's body, one request is one renewal.
 * - keepalive does not look at the token: that a lease can be kept alive does not show
 *   that we may use it.
 * - A token ends: after 5 minutes without use, on each member by itself, or with the
 *   member.  The answer is "invalid auth token", after which nothing was done: we log in
 *   again.  A watch is cancelled, by some with "permission denied": the same (watch.c).
 *   Newer gateways break the connection instead: the token is forgotten (call.c).
 * - Certificates cannot be used to log in through the gateway: name and password.
 * - A watch on a member that has lost the others is silent for ever, unless it is asked
 *   for with "hasleader".  On one that is stopped it is silent all the same: a watch
 *   follows the other requests to the next endpoint, so callers that also ask from
 *   time to time are helped.  Progress messages are not used.
 * - Without TLS it closes the connection when it is greeted with it, as if it had been
 *   killed: it is asked without, to tell one from the other (http.c).
 * - Status 404 is a lease that has ended, or a server without gateway (call.c).
 */
#include "cluster/etcd.h"
#include "cluster/message.h"

#include <errno.h>
#include <stdlib.h>

/* --- what is handed out ---------------------------------------------------- */

void store_free_pair(struct store_pair *pair)
{
	free(pair->key);
	free(pair->value);
	pair->key = pair->value = NULL;
}

void store_free_reply(struct store_reply *reply)
{
	for (size_t i = 0; i < reply->gets; i++) {
		for (size_t j = 0; j < reply->got[i].count; j++)
			store_free_pair(&reply->got[i].pair[j]);
		free(reply->got[i].pair);
	}
	reply->gets = 0;
}

/* An answer in which something is missing that every etcd says. */
static int misunderstood(struct store *s, int result)
{
	if (result == -EPROTO)
		http_blame(s->http, "its answer is not understood");
	return result;
}

/* --- operations ------------------------------------------------------------ */

static bool has_too_many(const struct store_action *a, size_t count)
{
	size_t gets = 0;

	for (size_t i = 0; i < count; i++)
		gets += a[i].kind == STORE_GET;
	return count > STORE_ACTIONS_MAX || gets > STORE_GETS_MAX;
}

static bool only_reads(const struct store_action *a, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i].kind != STORE_GET)
			return false;
	}
	return true;
}

int store_transact(struct store *s, const struct store_transaction *t,
		   const struct timespec *deadline, struct store_reply *reply)
{
	struct etcd_question question = { .path = "/v3/kv/txn" };
	json_t *answer;
	int result;

	if (has_too_many(t->then, t->thens) ||
	    has_too_many(t->otherwise, t->otherwises) ||
	    t->compares > STORE_ACTIONS_MAX)
		return -EINVAL;
	question.message = message_transaction(t);
	question.repeatable = only_reads(t->then, t->thens) &&
			      only_reads(t->otherwise, t->otherwises);
	result = etcd_call(s, &question, deadline, &answer);
	if (result)
		return result;
	result = misunderstood(s, message_read_reply(answer, t, reply));
	json_decref(answer);
	return result;
}

int store_grant(struct store *s, int64_t seconds,
		const struct timespec *deadline, int64_t *lease,
		int64_t *granted)
{
	const struct etcd_question question = { "/v3/lease/grant",
						message_grant(seconds), true };
	json_t *answer;
	int result = etcd_call(s, &question, deadline, &answer);

	if (result)
		return result;
	if (message_number(answer, "ID") && message_number(answer, "TTL") > 0) {
		*lease = message_number(answer, "ID");
		*granted = message_number(answer, "TTL");
	} else {
		result = misunderstood(s, -EPROTO);
	}
	json_decref(answer);
	return result;
}

int store_keep_alive(struct store *s, int64_t lease,
		     const struct timespec *deadline, int64_t *left)
{
	const struct etcd_question question = { "/v3/lease/keepalive",
						message_lease(lease), true };
	json_t *answer;
	int result = etcd_call(s, &question, deadline, &answer);

	if (result)
		return result;
	if (message_number(answer, "TTL") > 0) {
		*left = message_number(answer, "TTL");
	} else {
		http_blame(s->http, "the lease has ended");
		result = -ENOENT;
	}
	json_decref(answer);
	return result;
}

int store_revoke(struct store *s, int64_t lease,
		 const struct timespec *deadline)
{
	const struct etcd_question question = { "/v3/lease/revoke",
						message_lease(lease), false };
	json_t *answer;
	int result = etcd_call(s, &question, deadline, &answer);

	if (!result)
		json_decref(answer);
	return result;
}
