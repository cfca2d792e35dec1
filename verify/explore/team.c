/* SPDX-License-Identifier: MIT */
#include <sched.h>

#include "verify/explore/team.h"

/* Takes up items until there is none; called and left with the lock held. */
static void take_part(struct team *t)
{
	while (t->next < t->items) {
		uint32_t item = t->next++;

		t->busy++;
		pthread_mutex_unlock(&t->lock);
		t->work(t->context, item);
		pthread_mutex_lock(&t->lock);
		t->busy--;
	}
	if (!t->busy)
		pthread_cond_signal(&t->ended);
}

static void *be_there(void *team)
{
	struct team *t = team;

	pthread_mutex_lock(&t->lock);
	while (!t->over) {
		if (t->next < t->items)
			take_part(t);
		else
			pthread_cond_wait(&t->begun, &t->lock);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* That this process may use. */
static uint32_t processors(void)
{
	cpu_set_t mine;
	int count = 1;

	if (!sched_getaffinity(0, sizeof(mine), &mine))
		count = CPU_COUNT(&mine);
	return (uint32_t)count;
}

void team_start(struct team *t, uint32_t threads)
{
	if (!threads)
		threads = processors();
	*t = (struct team){
		.threads = threads < TEAM_MAX ? threads : TEAM_MAX,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.begun = PTHREAD_COND_INITIALIZER,
		.ended = PTHREAD_COND_INITIALIZER,
	};
}

static void start_others(struct team *t)
{
	while (t->others + 1 < t->threads) {
		if (pthread_create(&t->other[t->others], NULL, be_there, t))
			t->threads = t->others + 1;
		else
			t->others++;
	}
}

void team_run(struct team *t, void (*work)(void *context, uint32_t item),
	      void *context, uint32_t items)
{
	if (t->threads < 2 || items < 2) {
		for (uint32_t i = 0; i < items; i++)
			work(context, i);
		return;
	}
	start_others(t);
	pthread_mutex_lock(&t->lock);
	t->work = work;
	t->context = context;
	t->items = items;
	t->next = 0;
	pthread_cond_broadcast(&t->begun);
	take_part(t);
	while (t->busy)
		pthread_cond_wait(&t->ended, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

void team_end(struct team *t)
{
	pthread_mutex_lock(&t->lock);
	t->over = true;
	pthread_cond_broadcast(&t->begun);
	pthread_mutex_unlock(&t->lock);
	while (t->others)
		pthread_join(t->other[--t->others], NULL);
	pthread_cond_destroy(&t->begun);
	pthread_cond_destroy(&t->ended);
	pthread_mutex_destroy(&t->lock);
}
