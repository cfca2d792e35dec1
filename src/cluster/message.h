/* SPDX-License-Identifier: MIT */
/*
 * message - the gateway's JSON: bytes are base64, 64-bit numbers are strings, and what
 * is zero, false or empty is left out.
 */
#ifndef WICKET_CLUSTER_MESSAGE_H
#define WICKET_CLUSTER_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cluster/store.h"

/* --- building: null if there is no memory */

json_t *message_transaction(const struct store_transaction *t);
json_t *message_watch(const char *key, int64_t revision);
json_t *message_grant(int64_t seconds);
/* For keepalive and revoke. */
json_t *message_lease(int64_t lease);
json_t *message_login(const char *name, const char *password);

/* --- reading: what is not there is null, zero, false */

const char *message_text(const json_t *object, const char *name);
int64_t message_number(const json_t *object, const char *name);
bool message_is_true(const json_t *object, const char *name);
int64_t message_revision(const json_t *answer);

/* -ENOMEM, or -EPROTO: that is not as it should be. */
int message_read_pair(const json_t *pair, bool has_value,
		      struct store_pair *into);
int message_read_reply(const json_t *answer, const struct store_transaction *t,
		       struct store_reply *reply);

#endif
