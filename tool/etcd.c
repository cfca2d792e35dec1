/* SPDX-License-Identifier: MIT */
#include "tool/etcd.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tool/store.h"
#include "tool/tool.h"

/* --- the store --------------------------------------------------------------------- */

static struct store store = {
	.enter = etcd_enter,
	.take = etcd_take,
	.take_all = etcd_take_all,
	.remove = etcd_remove,
	.resize = etcd_resize,
	.check = etcd_check,
	.path = etcd_path,
};

const struct store *store_at(const char *url)
{
	store.url = url;
	return &store;
}

/* There is no other program to go to. */
void store_keep_arguments(char **argv)
{
	(void)argv;
}

const char *etcd_url(void)
{
	return store.url;
}

int etcd_open(struct wicket_etcd **line, const char *name, uint32_t flags,
	      char *problem)
{
	const struct wicket_etcd_options options = { .store = store.url,
						     .flags = flags,
						     .problem = problem };

	*problem = 0;
	return wicket_etcd_open(line, name, &options);
}

void etcd_keep_problem(char *problem, const struct wicket_etcd *line)
{
	snprintf(problem, WICKET_ETCD_PROBLEM, "%s", wicket_etcd_problem(line));
}

int etcd_count_slots(const char *name, uint32_t *slots, char *problem)
{
	struct wicket_etcd_view view;
	struct wicket_etcd *line;
	int error = etcd_open(&line, name, WICKET_VIEW, problem);

	if (error)
		return error;
	error = wicket_etcd_inspect(line, &view, NULL, 0);
	if (error < 0)
		etcd_keep_problem(problem, line);
	else
		*slots = view.slots;
	wicket_etcd_close(line);
	return error < 0 ? error : 0;
}

/* --- errors -------------------------------------------------------------------------- */

/* What the errors of the library mean to the user of the tool; what it says itself
   follows in brackets. */
static const struct {
	int error, code;
	const char *words;
} meanings[] = {
	{ ECONNREFUSED, EX_UNAVAILABLE, "no server can be reached" },
	{ ETIMEDOUT, EX_UNAVAILABLE, "no server answers" },
	{ EAGAIN, EX_UNAVAILABLE, "the servers have no quorum" },
	{ ENOLCK, EX_UNAVAILABLE, "the lease has ended" },
	{ EACCES, EX_NOPERM, "the store refuses us" },
	{ EPROTO, EX_DATAERR, "that is no line in etcd" },
	{ EPROTOTYPE, EX_DATAERR, "there is no TLS" },
	{ EPROTONOSUPPORT, EX_DATAERR,
	  "the line is one of another version of wicket" },
	{ ENOENT, EX_NOINPUT, "there is no such line" },
	{ EBUSY, EX_TEMPFAIL, "the line is in use" },
	{ ESTALE, EX_TEMPFAIL, "the line was removed" },
	{ ENOMEM, EX_OSERR, "out of memory" },
};

enum { MEANINGS = sizeof(meanings) / sizeof(*meanings) };

bool etcd_is_away(int error)
{
	return error == -ECONNREFUSED || error == -ETIMEDOUT ||
	       error == -EAGAIN || error == -ENOLCK;
}

static const char *words_of(int error, int *code)
{
	for (int i = 0; i < MEANINGS; i++) {
		if (meanings[i].error == -error) {
			*code = meanings[i].code;
			return meanings[i].words;
		}
	}
	*code = EX_OSERR;
	return strerror(-error);
}

/* Of a missing line the library has nothing to add. */
static bool adds_words(int error, const char *problem)
{
	return *problem && error != -ENOENT && error != -ESTALE &&
	       error != -EBUSY;
}

int etcd_say_error(const char *name, int error, const char *problem)
{
	const char *whose = name ? name : etcd_url(), *words;
	int code;

	if (!*whose)
		whose = "''";
	if (error == -EINVAL) { /* the name, or the store */
		say("%s: %s (--store %s)", whose, problem, etcd_url());
		return EX_USAGE;
	}
	words = words_of(error, &code);
	if (adds_words(error, problem))
		say("%s: %s (%s)", whose, words, problem);
	else
		say("%s: %s (%s)", whose, words, etcd_url());
	return code;
}

void etcd_tell_away(char *text, int error, const char *problem)
{
	int code;

	snprintf(text, STORE_AWAY, "%s (%s)", words_of(error, &code),
		 *problem ? problem : etcd_url());
}

/* Two threads look: the one that waits, and the one that reports. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool has_said;

bool etcd_has_said_away(void)
{
	return has_said;
}

void etcd_say_away(const char *name, int error, const char *problem,
		   bool tries_on)
{
	char text[STORE_AWAY];

	etcd_tell_away(text, error, problem);
	pthread_mutex_lock(&lock);
	if (!has_said)
		say("%s: %s%s", name, text, tries_on ? "; still trying" : "");
	has_said = true;
	pthread_mutex_unlock(&lock);
}

void etcd_say_back(void)
{
	pthread_mutex_lock(&lock);
	has_said = false;
	pthread_mutex_unlock(&lock);
}
