/* SPDX-License-Identifier: MIT */
/* A participant comes, and goes; and k is made another. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cluster/line.h"

enum { LEASES_TRIED = 3 };

/* --- a handle ------------------------------------------------------------------------- */

const char *wicket_etcd_problem(const struct wicket_etcd *l)
{
	return l->problem	? l->problem :
	       *l->desk.problem ? l->desk.problem :
	       l->store		? store_problem(l->store) :
				  "";
}

int line_explain(const struct wicket_etcd *l,
		 const struct wicket_etcd_options *options, int error)
{
	const char *words = l ? wicket_etcd_problem(l) : "";

	if (error < 0 && options->problem)
		snprintf(options->problem, WICKET_ETCD_PROBLEM, "%s",
			 *words ? words : strerror(-error));
	return error;
}

static int find_store(struct wicket_etcd *l, const char *name,
		      const struct wicket_etcd_options *options)
{
	int error = address_read(options->store, &l->address, &l->problem);

	if (!error && name)
		error = address_of_line(&l->address, name, l->names.prefix,
					sizeof(l->names.prefix), &l->problem);
	if (error)
		return error;
	l->where = (struct store_options){
		.endpoints = *l->address.endpoints ? l->address.endpoints :
						     NULL,
		.cacert = options->cacert,
		.cert = options->cert,
		.key = options->key,
		.user = options->user,
		.password = options->password,
		.problem = l->setting,
	};
	error = store_open(&l->store, &l->where);
	if (*l->setting)
		l->problem = l->setting;
	return error;
}

int line_new(struct wicket_etcd **line, const char *name,
	     const struct wicket_etcd_options *options)
{
	struct wicket_etcd *l = calloc(1, sizeof(*l));
	int error = l ? 0 : -ENOMEM;

	if (!error) {
		l->until = line_until(options->deadline);
		l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		error = l->wake_fd < 0 ? -errno : find_store(l, name, options);
	}
	line_explain(l, options, error);
	if (error && l) {
		line_free(l);
		l = NULL;
	}
	*line = l;
	return error;
}

void line_free(struct wicket_etcd *l)
{
	if (l->wake_fd >= 0)
		close(l->wake_fd);
	store_close(l->store);
	free(l);
}

/* --- coming --------------------------------------------------------------------------- */

/* Names may be anything; what is written down is text. */
static void make_plain(char *text)
{
	for (; *text; text++) {
		if (!isprint((unsigned char)*text))
			*text = '?';
	}
}

static struct book_person myself(void)
{
	struct book_person p = { .pid = getpid(), .uid = getuid() };
	FILE *f = fopen("/proc/self/comm", "re");

	gethostname(p.host, sizeof(p.host) - 1);
	if (f) {
		if (fgets(p.comm, sizeof(p.comm), f))
			p.comm[strcspn(p.comm, "\n")] = '\0';
		fclose(f);
	}
	make_plain(p.host);
	make_plain(p.comm);
	return p;
}

static void draft_live_key(const struct wicket_etcd *l, struct draft *d)
{
	const struct book_person me = myself();
	char key[BOOK_KEY_MAX];

	desk_key(&l->names, "live/", l->names.id, key);
	draft_compare(d, key, STORE_CREATED, 0);
	draft_put(d, key, book_person_text(&me), l->lease.id);
}

static void draft_w(const struct wicket_etcd *l, uint32_t slots,
		    struct draft *d)
{
	struct book_w w = { .rules = { .k = slots, .m = BOOK_BLOCK } };
	char key[BOOK_KEY_MAX];

	rules_stock(&w.rules);
	desk_key(&l->names, "w", "", key);
	draft_compare(d, key, STORE_CREATED, 0);
	draft_put(d, key, book_w_text(&w), 0);
}

/* Its live key; and W, if it is to be created. */
static int join(struct wicket_etcd *l, uint32_t slots, bool creates)
{
	int64_t end = lease_now() + l->lease.seconds * LINE_SECOND;
	int error = 0;

	if (end > l->until)
		end = l->until;
	while (!error && (!l->desk.lives || (creates && !l->desk.has_w))) {
		struct draft *d = calloc(1, sizeof(*d));
		enum reply answer;

		if (!d)
			return -ENOMEM;
		if (!l->desk.lives)
			draft_live_key(l, d);
		else
			draft_w(l, slots, d);
		error = line_send(l, d, READ_ALL, &answer);
		if (!error && answer == SILENCE && lease_now() >= end)
			error = -ETIMEDOUT;
	}
	l->live_revision = l->desk.live_revision;
	return error ? error : l->desk.has_w ? 0 : -ENOENT;
}

/* What is done stays done, also if the line cannot be read. */
static bool is_done(struct wicket_etcd *l, struct draft *d)
{
	enum reply answer;

	line_send(l, d, READ_NOTHING, &answer);
	return answer == DONE;
}

/*
 * The seat goes together with the live key, which every request compares: none that is
 * still under way can succeed any more.
 */
static bool go(struct wicket_etcd *l)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];

	if (!d)
		return false;
	line_compare_own(l, d);
	desk_key(&l->names, "seat/", l->names.id, key);
	draft_delete(d, key);
	desk_key(&l->names, "ask/", l->names.id, key);
	draft_delete(d, key);
	desk_key(&l->names, "live/", l->names.id, key);
	draft_delete(d, key);
	return is_done(l, d);
}

/* It has not come in: all it may have is its live key. */
static bool withdraw(struct wicket_etcd *l)
{
	struct draft *d = calloc(1, sizeof(*d));
	char key[BOOK_KEY_MAX];

	if (!d)
		return false;
	desk_key(&l->names, "live/", l->names.id, key);
	draft_delete(d, key);
	return is_done(l, d);
}

/* The lease of the file may have ended unnoticed: then with another. */
static int take_part(struct wicket_etcd *l, uint32_t slots, bool creates,
		     int64_t ttl)
{
	int error = -ENOENT;

	for (int i = 0; i < LEASES_TRIED && !l->desk.lives && error == -ENOENT;
	     i++) {
		struct store *store;

		error = store_open(&store, &l->where);
		if (!error)
			error = lease_join(&l->lease, store, &l->where, ttl,
					   l->names.prefix, line_bury);
		if (error && *l->lease.problem)
			l->problem = l->lease.problem;
		if (error)
			return error;
		snprintf(l->names.id, sizeof(l->names.id), "%s", l->lease.name);
		error = join(l, slots, creates);
		if (error == -ENOENT && !l->desk.lives) {
			lease_has_ended(&l->lease);
			lease_leave(&l->lease, true);
		}
	}
	return error;
}

static int start(struct wicket_etcd *l, const struct wicket_etcd_options *o)
{
	int64_t ttl = o->ttl ? o->ttl : WICKET_ETCD_TTL_DEFAULT;
	int error;

	if (o->slots > WICKET_SLOTS_MAX || ttl < WICKET_ETCD_TTL_MIN ||
	    ttl > WICKET_ETCD_TTL_MAX)
		return -EINVAL;
	if (o->flags & WICKET_VIEW) {
		error = line_refresh(l);
		if (error == -EPROTO && l->desk.has_w)
			error = 0; /* a damaged line can be looked at */
	} else {
		error = take_part(l, o->slots ? o->slots : 1,
				  o->flags & WICKET_CREATE, ttl);
	}
	if (!error && !l->desk.has_w)
		error = -ENOENT;
	/* a line of no slots is closed for a while */
	if (!error && o->slots && l->desk.w.rules.k &&
	    o->slots != l->desk.w.rules.k) {
		l->problem = "the line has another number of slots";
		error = -EEXIST;
	}
	if (error == -ENOENT)
		l->problem = "there is no such line";
	return error;
}

int wicket_etcd_open(struct wicket_etcd **line, const char *name,
		     const struct wicket_etcd_options *options)
{
	struct wicket_etcd *l;
	int error = line_new(&l, name, options);

	if (error)
		return error;
	error = line_explain(l, options, start(l, options));
	if (error) {
		wicket_etcd_close(l);
		return error;
	}
	l->problem = NULL;
	l->until = INT64_MAX;
	*line = l;
	return 0;
}

void wicket_etcd_close(struct wicket_etcd *l)
{
	bool gone = false;

	/* what it may have without knowing; if nobody answers, it is found dead */
	if (l->lease.store)
		line_settle(l);
	if (l->mind.been_inside && l->mind.pc == INSIDE)
		wicket_etcd_release(l);
	if (l->lease.store && l->mind.pc == WANT)
		gone = l->live_revision ? go(l) : withdraw(l);
	/* what was tied to a lease has ended with it */
	if (l->lease.store)
		lease_leave(&l->lease, gone || !lease_deadline(&l->lease));
	line_free(l);
}

struct timespec wicket_etcd_deadline(const struct wicket_etcd *l)
{
	return lease_time(l->lease.file ? lease_deadline(&l->lease) : 0);
}

/* --- another k ------------------------------------------------------------------------- */

int wicket_etcd_resize(struct wicket_etcd *l, uint32_t k)
{
	int64_t until = lease_now() +
			(int64_t)WICKET_ETCD_TTL_DEFAULT * LINE_SECOND;
	enum reply answer = REFUSED;
	int error = 0;

	if (k > WICKET_SLOTS_MAX)
		return -EINVAL;
	if (*l->desk.problem) /* it was damaged when it was read */
		error = line_refresh(l);
	if (error)
		return error;
	if (!l->desk.has_w)
		return -ESTALE; /* W must not be compared with none */
	do { /* at least once: it may be another since it was read */
		l->next = l->desk;
		desk_resize(&l->next, k);
		error = line_write_next(l, &answer);
		if (!error && answer == SILENCE && lease_now() >= until)
			error = -ETIMEDOUT;
		if (!error && !l->desk.has_w)
			error = -ESTALE;
	} while (!error && (answer == SILENCE ||
			    (answer == REFUSED && l->desk.w.rules.k != k)));
	return error ? error : line_let_in(l);
}
