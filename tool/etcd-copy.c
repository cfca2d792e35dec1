/* SPDX-License-Identifier: MIT */
/* etcd-copy - what the library tells of a line in etcd, as a snapshot like any other. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/etcd.h"
#include "tool/snapshot.h"
#include "tool/text.h"
#include "tool/tool.h"

enum { SECOND = 1000000000 };

static void copy_entry(struct snapshot *s, size_t i,
		       const struct wicket_etcd_entry *e)
{
	s->entries[i] = (struct wicket_entry){
		.pid = (int32_t)e->pid,
		.flags = e->flags,
		.place = e->place,
		.value = e->value,
		.colour = e->colour,
		.units = e->units,
		.since = (uint64_t)(e->since > 0 ? e->since : 0) * SECOND,
	};
	s->abroad[i] = (struct abroad){ .uid = e->uid, .fence = e->fence };
	memcpy(s->abroad[i].host, e->host, sizeof(e->host));
	text_make_printable(s->abroad[i].host);
	memcpy(s->people[i].comm, e->comm, sizeof(e->comm));
	text_make_printable(s->people[i].comm);
}

void etcd_copy(struct snapshot *s, const struct wicket_etcd_view *view,
	       const struct wicket_etcd_entry *entries, size_t count)
{
	struct timespec now;

	s->view = (struct wicket_view){
		.slots = view->slots,
		.slots_max = view->slots,
		.open = view->slots,
		.holding = view->holding,
		.waiting = view->waiting,
		.grants = view->grants,
		.recovered = view->recovered,
		.abandoned = view->abandoned,
		.longest_wait = (uint64_t)view->longest_wait * SECOND,
	};
	clock_gettime(CLOCK_REALTIME, &now);
	s->now = (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
	s->count = count;
	s->entries = allocate(count, sizeof(*s->entries));
	s->abroad = allocate(count, sizeof(*s->abroad));
	s->people = allocate(count, sizeof(*s->people));
	for (size_t i = 0; i < count; i++)
		copy_entry(s, i, &entries[i]);
}
