/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "step/contract.h"
#include "verify/explore/actor.h"

const char *const sleep_names[SLEEPS] = {
	[SLEEP_GENEROUS] = "generous",
	[SLEEP_EXACT] = "exact",
	[SLEEP_TIMED] = "timed",
};

const char *const memory_names[MEMORIES] = {
	[MEMORY_SC] = "sc",
	[MEMORY_TSO] = "tso",
};

/* Its position among the names, if it is one of them. */
static bool find(const char *const *names, uint32_t count, const char *name,
		 uint32_t *position)
{
	for (*position = 0; *position < count; ++*position) {
		if (!strcmp(names[*position], name))
			return true;
	}
	return false;
}

bool sleep_find(const char *name, uint32_t *sleep)
{
	return find(sleep_names, SLEEPS, name, sleep);
}

bool memory_find(const char *name, uint32_t *memory)
{
	return find(memory_names, MEMORIES, name, memory);
}

/* The process as the deed finds it: an event moves it first. */
static struct wicket_proc turned(const struct wicket_algo *algo,
				 const struct wicket_cfg *cfg,
				 const struct actor *a, enum deed deed)
{
	if (deed == DEED_FAIL)
		return algo->event(cfg, a->proc, WICKET_FAIL);
	if (deed == DEED_ABANDON)
		return algo->event(cfg, a->proc, WICKET_ABANDON);
	return a->proc;
}

bool actor_can(const struct wicket_algo *algo, const struct wicket_cfg *cfg,
	       const struct world *world, const struct actor *a, enum deed deed)
{
	struct wicket_proc p;

	/* what is left of a line's process ends by itself, in its own time */
	if (a->mode & ACTOR_DEAD && (deed != DEED_STEP || !algo->has_seats))
		return false;
	switch (deed) {
	case DEED_STEP:
		return !(a->mode & ACTOR_ASLEEP) &&
		       algo->access(cfg, a->proc).kind != WICKET_REST;
	case DEED_TIMEOUT:
		return a->mode & ACTOR_ASLEEP && world->sleep == SLEEP_TIMED;
	case DEED_FAIL:
		if (!algo->event || !(world->failures || world->crashes))
			return false;
		break;
	case DEED_DRAIN: /* its buffer does that */
		return false;
	default:
		if (!algo->event || a->abandons >= world->abandons)
			return false;
		break;
	}
	p = turned(algo, cfg, a, deed);
	return memcmp(&p, &a->proc, sizeof(p)) != 0;
}

enum wicket_region actor_region(const struct wicket_algo *algo,
				const struct wicket_cfg *cfg,
				const struct actor *a)
{
	enum wicket_region region = algo->region(cfg, a->proc);

	if (!(a->mode & ACTOR_WRITING))
		return region;
	return region == WICKET_REMAINDER ? WICKET_TRYING :
	       region == WICKET_CRITICAL  ? WICKET_EXIT :
					    region;
}

struct wicket_access actor_access(const struct wicket_algo *algo,
				  const struct wicket_cfg *cfg,
				  const struct actor *a, enum deed deed)
{
	return algo->access(cfg, turned(algo, cfg, a, deed));
}

enum path access_path(const struct world *world,
		      const struct wicket_access *access, uint32_t wakes)
{
	if (access_reads(access))
		return PATH_VIEW;
	return world->memory == MEMORY_TSO && access->kind == WICKET_STORE &&
			       access->order != WICKET_SEQ_CST && !wakes ?
		       PATH_BUFFER :
		       PATH_MEMORY;
}

struct outcome actor_do(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg, const struct world *world,
			const struct actor *a, enum deed deed,
			struct wicket_value holds, struct wicket_value seen)
{
	struct wicket_proc p = turned(algo, cfg, a, deed);
	struct wicket_access access = algo->access(cfg, p);
	struct outcome o = { .access = access, .actor = *a, .value = holds };
	struct wicket_result r;

	if (access.kind == WICKET_REST)
		return o;
	/* a safe write, but not that of a failure, which is one event */
	if (world->safe && access.kind == WICKET_STORE && deed == DEED_STEP &&
	    !(a->mode & ACTOR_WRITING)) {
		o.actor.mode |= ACTOR_WRITING;
		return o;
	}
	if (access.kind == WICKET_SLEEP && world->sleep != SLEEP_GENEROUS &&
	    deed == DEED_STEP && !(a->mode & ACTOR_WOKEN) &&
	    wicket_is_expected(&access, holds)) {
		o.actor.mode |= ACTOR_ASLEEP;
		return o;
	}
	if (access.kind == WICKET_STORE || access.kind == WICKET_FENCE)
		seen = wicket_number(0); /* who stores does not see */
	else
		seen = wicket_part(&access, seen);
	r = algo->step(cfg, p, seen);
	o.actor.proc = r.proc;
	o.actor.mode = a->mode & ACTOR_DEAD;
	if (deed == DEED_FAIL && !world->failures)
		o.actor.mode = ACTOR_DEAD;
	o.actor.abandons += deed == DEED_ABANDON;
	o.wake = r.wake;
	o.wakes = r.wakes;
	if (wicket_writes(&access, holds))
		o.value = wicket_merged(&access, holds, r.put);
	return o;
}
