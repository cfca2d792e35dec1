/* SPDX-License-Identifier: MIT */
/* etcd - what the files of the store share: a handle, and how it asks the gateway. */
#ifndef WICKET_CLUSTER_ETCD_H
#define WICKET_CLUSTER_ETCD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cluster/http.h"
#include "cluster/store.h"

/* A stream of changes, and those that have come and were not asked for yet. */
struct watch {
	char *key;
	int64_t next;	 /* every change from this revision on will come */
	json_t *events;	 /* null: none */
	size_t at;	 /* of events: the first that was not looked at */
	size_t failures; /* one after another */
	bool refused; /* with this token, by a server that does not say why */
};

struct store {
	struct http *http;
	char *name, *password; /* name is null: nobody logs in */
	char *token;	    /* null: not logged in; "": there is no need to */
	bool token_refused; /* the last answer says so */
	struct watch watch;
};

/* To be sent; null: none. */
const char *etcd_token(const struct store *store);
int etcd_log_in(struct store *store, const struct timespec *deadline);
void etcd_forget_token(struct store *store);

struct etcd_question {
	const char *path;
	json_t *message;
	bool repeatable; /* as of http_request */
};

/* Asks, and logs in before, and again if the token is no longer good.  Takes over the
   message, null being -ENOMEM.  0 or the error of store.h; the answer, which is to be
   decref'ed, has a header. */
int etcd_call(struct store *store, const struct etcd_question *question,
	      const struct timespec *deadline, json_t **answer);

/* What an answer says: 0, or an error of which store_problem tells the words. */
int etcd_read(struct store *store, const struct wire_answer *text,
	      json_t **answer);
/* The same of the gateway's words for an error, and the number of its kind. */
int etcd_judge(struct store *store, int64_t code, const char *words);

void etcd_forget_watch(struct store *store);

#endif
