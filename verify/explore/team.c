/* SPDX-License-Identifier: MIT */
#include <sched.h>

#include "verify/explore/team.h"

/* The next item of its own share; else the last one of whoever has most. */
static uint32_t take(struct team *t, uint32_t thread)
{
	struct share *own = &t->share[thread], *most = own;

	t->left--;
	if (own->next < own->end)
		return own->next++;
	for (uint32_t i = 0; i < t->threads; i++) {
		struct share *s = &t->share[i];

		if (s->end - s->next > most->end - most->next)
			most = s;
	}
	return --most->end;
}

/* Takes up items until there is none; called and left with the lock held. */
static void take_part(struct team *t, uint32_t thread)
{
	while (t->left) {
		uint32_t item = take(t, thread);

		t->busy++;
		pthread_mutex_unlock(&t->lock);
		t->work(t->context, item);
		pthread_mutex_lock(&t->lock);
		t->busy--;
	}
	if (!t->busy)
		pthread_cond_signal(&t->ended);
}

static bool has_begun(const struct team *t)
{
	return t->left || t->over;
}

static bool has_ended(const struct team *t)
{
	return !t->busy;
}

/* Most waits are shorter than it takes to fall asleep and to be woken, so one looks
   for a while before; whoever else wants the processor has it between two looks. */
static void wait_for(struct team *t, bool (*is_so)(const struct team *),
		     pthread_cond_t *signal)
{
	for (uint32_t i = 0; i < t->looks && !is_so(t); i++) {
		pthread_mutex_unlock(&t->lock);
		sched_yield();
		pthread_mutex_lock(&t->lock);
	}
	while (!is_so(t))
		pthread_cond_wait(signal, &t->lock);
}

static void *be_there(void *team)
{
	struct team *t = team;
	uint32_t thread;

	pthread_mutex_lock(&t->lock);
	thread = ++t->ready;
	while (!t->over) {
		wait_for(t, has_begun, &t->begun);
		take_part(t, thread);
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

/* Who looks while there are more threads than processors keeps others from work. */
void team_start(struct team *t, uint32_t threads)
{
	enum { LOOKS = 200 };
	uint32_t most = processors();

	if (!threads)
		threads = most;
	*t = (struct team){
		.threads = threads < TEAM_MAX ? threads : TEAM_MAX,
		.looks = threads <= most ? LOOKS : 0,
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

static void cut(struct team *t, uint32_t items)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < t->threads; i++) {
		uint64_t end = (uint64_t)items * (i + 1) / t->threads;

		t->share[i] = (struct share){ (uint32_t)next, (uint32_t)end };
		next = end;
	}
	t->left = items;
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
	cut(t, items);
	pthread_cond_broadcast(&t->begun);
	take_part(t, 0);
	wait_for(t, has_ended, &t->ended);
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
