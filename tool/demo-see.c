/* SPDX-License-Identifier: MIT */
#include "tool/demo-see.h"

#include <stdio.h>
#include <string.h>

#include "tool/demo-tell.h"
#include "tool/text.h"

size_t play_number(const struct play *p, const struct command *c)
{
	return 1 + (size_t)(c - p->commands);
}

struct command *play_find_ticket(const struct play *p,
				 const struct wicket_entry *e)
{
	for (size_t i = 0; i < p->started; i++) {
		struct command *c = &p->commands[i];

		if ((c->stage == WAITS || c->stage == INSIDE) &&
		    c->value == e->value && c->colour == e->colour)
			return c;
	}
	return NULL;
}

/* --- seeing ----------------------------------------------------------------------- */

static void note(struct order *order, size_t number)
{
	if (order->count < PLAY_MAX)
		order->number[order->count++] = number;
}

static void see_arrival(struct play *p, struct command *c,
			const struct wicket_entry *e)
{
	size_t number = play_number(p, c);

	c->stage = WAITS;
	c->value = e->value;
	c->colour = e->colour;
	note(&p->arrivals, number);
	if (e->flags & WICKET_HOLDS)
		tell("no. %zu comes and takes ticket %u:%u, valid at once",
		     number, c->value, c->colour);
	else
		tell("no. %zu comes and takes ticket %u:%u: %u%s in line",
		     number, c->value, c->colour, e->place,
		     text_ordinal(e->place));
}

static void see_enabling(struct play *p, struct command *c, size_t entry)
{
	c->stage = INSIDE;
	c->entered = tale.now;
	note(&p->enablings, play_number(p, c));
	p->enters(c, entry);
}

static void see_end(struct play *p, struct command *c)
{
	c->stage = GONE;
	p->leaves(c);
}

/* The entry of each command in this snapshot, and of those inside; NOWHERE if none. */
struct places {
	size_t present[PLAY_MAX], inside[PLAY_MAX];
};

#define NOWHERE SIZE_MAX

static void see_entry(struct play *p, size_t entry, struct places *places)
{
	const struct wicket_entry *e = &p->now.entries[entry];
	struct command *c = p->find(e);

	if (!c) {
		complain("pid %d is in line, and was not started here", e->pid);
		return;
	}
	if (c->stage == STARTED)
		see_arrival(p, c, e);
	if (e->pid != c->wicket)
		c->pid = e->pid;
	c->is_orphan = e->flags & WICKET_ORPHAN;
	places->present[c - p->commands] = entry;
	if (e->flags & WICKET_HOLDS) {
		places->inside[c - p->commands] = entry;
		c->slot = e->place;
	}
}

/* The line is in the order in which they came. */
static void see_line(struct play *p)
{
	const struct command *before = NULL;

	for (size_t i = p->now.view.holding; i < p->now.count; i++) {
		const struct command *c = p->find(&p->now.entries[i]);

		if (c && before && c < before)
			complain("no. %zu is before no. %zu in line",
				 play_number(p, before), play_number(p, c));
		before = c;
	}
}

static void see_slots(struct play *p)
{
	bool taken[PLAY_MAX] = { false };

	for (size_t i = 0; i < p->now.view.holding; i++) {
		uint32_t slot = p->now.entries[i].place;

		if (slot >= p->slots || taken[slot])
			complain("slot %u is held twice, or is none", slot);
		else
			taken[slot] = true;
	}
	if (p->now.view.holding > p->most_inside)
		p->most_inside = p->now.view.holding;
}

/*
 * Processes that are first seen inside in the same snapshot are reported in the
 * order of their tickets, which is that of the commands: their real order cannot be
 * known.
 */
void play_see(struct play *p)
{
	struct places places;

	memset(&places, 0xff, sizeof(places));
	see_slots(p);
	for (size_t i = 0; i < p->now.count; i++)
		see_entry(p, i, &places);
	see_line(p);
	/* first the processes that left: slots come back before they are given */
	for (size_t i = 0; i < p->started; i++) {
		if (p->commands[i].stage == INSIDE &&
		    places.present[i] == NOWHERE)
			see_end(p, &p->commands[i]);
	}
	for (size_t i = 0; i < p->started; i++) {
		if (p->commands[i].stage == WAITS &&
		    places.inside[i] != NOWHERE)
			see_enabling(p, &p->commands[i], places.inside[i]);
	}
}

void play_check_ends(struct play *p)
{
	commands_reap(p->commands, p->started);
	for (size_t i = 0; i < p->started; i++) {
		struct command *c = &p->commands[i];

		if (c->wicket_ended && c->stage == STARTED) {
			complain("no. %zu never came: see below", i + 1);
			c->stage = GONE;
		}
	}
}

bool play_has_come(const struct play *p)
{
	return !p->started || p->commands[p->started - 1].stage != STARTED;
}

bool play_is_over(const struct play *p)
{
	bool over = p->started == p->count && !p->now.count;

	for (size_t i = 0; i < p->started; i++)
		over = over && p->commands[i].stage == GONE &&
		       p->commands[i].wicket_ended;
	return over;
}

/* --- what was seen ------------------------------------------------------------------ */

static void print_order(const char *what, const struct order *order)
{
	printf("  %-20s", what);
	for (size_t i = 0; i < order->count; i++)
		printf(" %zu", order->number[i]);
	puts("");
}

void play_judge(const struct play *p)
{
	bool same = p->arrivals.count == p->count &&
		    p->enablings.count == p->count &&
		    !memcmp(&p->arrivals, &p->enablings, sizeof(p->arrivals));

	print_order("order of arrival", &p->arrivals);
	print_order("order of enabling", &p->enablings);
	conclude(same, "", same ? "the same" : "not the same");
	conclude(p->most_inside == p->slots, "most ever inside", "%u",
		 p->most_inside);
}
