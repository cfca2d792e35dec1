/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "verify/adversary.h"

enum { PLAYERS = 3, NEVER = -1 };

/* The run so far, and what it was like at some of its steps. */
struct past {
	struct run run;
	uint32_t step;
};

struct play {
	struct adversary *a;
	struct run run;
	uint16_t *label;
	uint32_t steps;
	struct past *past;
	uint32_t pasts;
};

static void *grown(void *array, size_t bytes)
{
	array = realloc(array, bytes);
	if (!array)
		abort();
	return array;
}

static void step_of(struct run *run, uint32_t i)
{
	run_do(run, deed_label(i, DEED_STEP, 0));
}

static void take(struct play *p, uint32_t i)
{
	p->label = grown(p->label, (p->steps + 1) * sizeof(*p->label));
	p->label[p->steps++] = deed_label(i, DEED_STEP, 0);
	step_of(&p->run, i);
}

static void say(struct play *p, const char *says)
{
	struct adversary *a = p->a;

	if (a->moments < MOMENTS_MAX)
		a->moment[a->moments++] = (struct moment){ p->steps, says };
}

static bool is_same(const struct run *a, const struct run *b)
{
	return !memcmp(a->reg, b->reg, a->regs * sizeof(*a->reg)) &&
	       !memcmp(a->actor, b->actor, a->procs * sizeof(*a->actor));
}

/* --- what a process alone would do ---------------------------------------- */

static bool is_inside(const struct run *run, uint32_t i)
{
	return run_region(run, i) == WICKET_CRITICAL;
}

/* Its next step gives its bit another value, and it is (or gets) trying. */
static bool changes_its_bit(const struct run *run, uint32_t i)
{
	const struct actor *a = &run->actor[i];

	return run_region(run, i) <= WICKET_TRYING &&
	       run->algo->access(&run->cfg, a->proc).kind == WICKET_STORE &&
	       !wicket_value_equal(
		       run->reg[i],
		       run->algo->step(&run->cfg, a->proc, wicket_number(0))
			       .put);
}

/*
 * After how many steps alone the goal is first reached, staying out of C
 * before; or NEVER: who is alone and comes back to a state will do so for ever.
 */
static int32_t reaches(const struct run *from, uint32_t i,
		       bool (*goal)(const struct run *, uint32_t))
{
	struct run run = *from, seen = *from;
	int32_t steps = 0, mark = 1;

	while (!goal(&run, i)) {
		if (is_inside(&run, i))
			return NEVER;
		step_of(&run, i);
		if (is_same(&run, &seen))
			return NEVER;
		if (++steps ==
		    mark) { /* Brent: a later state to come back to */
			seen = run;
			mark *= 2;
		}
	}
	return steps;
}

static bool is_locked(const struct run *run, uint32_t i)
{
	return run_region(run, i) == WICKET_TRYING &&
	       reaches(run, i, is_inside) == NEVER;
}

static bool all_locked(const struct run *run)
{
	for (uint32_t i = 0; i < PLAYERS; i++) {
		if (!is_locked(run, i))
			return false;
	}
	return true;
}

static bool is_flexible(const struct run *run, uint32_t i)
{
	return reaches(run, i, changes_its_bit) != NEVER;
}

/* --- the infinite run ------------------------------------------------------ */

static void remember(struct play *p)
{
	p->past = grown(p->past, (p->pasts + 1) * sizeof(*p->past));
	p->past[p->pasts++] = (struct past){ p->run, p->steps };
}

/* Has the run been here before?  Then it can do the same again, for ever. */
static bool closes(struct play *p)
{
	struct schedule *s = &p->a->finding.schedule;
	uint32_t acts = 0, t = 0;

	while (t < p->pasts && !is_same(&p->past[t].run, &p->run))
		t++;
	if (t == p->pasts)
		return false;
	*s = schedule_of(p->steps);
	memcpy(s->label, p->label, p->steps * sizeof(*p->label));
	s->infinite = true;
	s->stem = s->from = p->past[t].step;
	for (uint32_t at = s->stem; at < s->length; at++)
		acts |= 1u << deed_who(s->label[at]);
	for (uint32_t i = 0; i < p->run.cfg.n; i++) {
		if (!(acts >> i & 1) &&
		    run_region(&p->run, i) != WICKET_REMAINDER)
			s->stopped |= 1u << i;
	}
	p->a->wins = true;
	p->a->finding.verdict = FAILS;
	return true;
}

/* These two, who only wait for each other, take turns. */
static void take_turns(struct play *p, uint32_t i, uint32_t j)
{
	p->pasts = 0;
	while (!closes(p)) {
		remember(p);
		take(p, i);
		if (j != i)
			take(p, j);
	}
}

/* --- the proof -------------------------------------------------------------- */

/* Theorem 2.1: k-2 of the others enter and stop. */
static bool send_in(struct play *p)
{
	for (uint32_t i = PLAYERS; i < p->run.cfg.k + 1; i++) {
		if (reaches(&p->run, i, is_inside) == NEVER) {
			say(p, "one process alone never enters");
			take_turns(p, i, i);
			return false;
		}
		while (!is_inside(&p->run, i))
			take(p, i);
	}
	if (p->run.cfg.k > 2)
		say(p, "processes 4 to k+1 are in C and stop (Theorem 2.1)");
	return true;
}

/*
 * Lemma 2.7: alone, up to where it changes its bit for the last time before it
 * would enter.
 */
static bool bring_to_the_brink(struct play *p, uint32_t i)
{
	int32_t length = reaches(&p->run, i, is_inside), last = NEVER;
	struct wicket_value before = p->run.reg[i];
	struct run run = p->run;

	if (length == NEVER) {
		say(p, "one process alone never enters");
		take_turns(p, i, i);
		return false;
	}
	for (int32_t t = 0; t < length; t++) {
		if (changes_its_bit(&run, i) &&
		    wicket_value_equal(run.reg[i], before))
			last = t;
		step_of(&run, i);
	}
	if (last == NEVER) {
		p->a->why = "a process enters without changing its bit, so "
			    "k-exclusion fails (Lemma 2.4)";
		return false;
	}
	while (last--)
		take(p, i);
	return true;
}

/* Lemma 2.7: three processes that are locked. */
static bool lock(struct play *p)
{
	for (uint32_t i = 0; i < PLAYERS; i++) {
		if (!bring_to_the_brink(p, i))
			return false;
	}
	for (uint32_t i = 0; i < PLAYERS; i++)
		take(p, i);
	if (!all_locked(&p->run)) {
		p->a->why = "a process is not locked though two others may be "
			    "in C, so k-exclusion fails (Lemma 2.7)";
		return false;
	}
	say(p, "three processes are locked (Lemma 2.7)");
	return true;
}

/* Two flexible processes, each alone up to its change; then both change. */
static void change(struct play *p, uint32_t i, uint32_t j)
{
	while (!changes_its_bit(&p->run, i))
		take(p, i);
	while (!changes_its_bit(&p->run, j))
		take(p, j);
	take(p, i);
	take(p, j);
}

/* Lemma 2.14: away, and back. */
static bool lock_again(struct play *p, uint32_t i, uint32_t j)
{
	change(p, i, j);
	if (is_locked(&p->run, i) || is_locked(&p->run, j)) {
		p->a->why = "a process is locked though another may be in R, "
			    "so it is not k-deadlock-free (Lemma 2.9)";
		return false;
	}
	if (!is_flexible(&p->run, i) || !is_flexible(&p->run, j)) {
		p->a->why = "a process enters with its bit changed, so "
			    "k-exclusion fails (Lemma 2.11)";
		return false;
	}
	say(p, "two of them have changed their bits, and would enter alone");
	change(p, i, j);
	if (!all_locked(&p->run)) {
		p->a->why = "a process is not locked though two others may be "
			    "in C, so k-exclusion fails (Lemma 2.14)";
		return false;
	}
	say(p, "and back: three processes are locked (Lemma 2.14)");
	p->a->rounds++;
	return true;
}

/* The first two of those for whom it is as asked; false: there are not two. */
static bool find_two(const struct run *run, bool flexible, uint32_t *two)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < PLAYERS && found < 2; i++) {
		if (is_flexible(run, i) == flexible)
			two[found++] = i;
	}
	return found == 2;
}

void adversary_play(struct adversary *a, const struct task *task)
{
	struct play p = { .a = a };
	uint32_t two[2];

	*a = (struct adversary){
		.finding = { .property = "k-deadlock-freedom",
			     .verdict = UNDECIDED,
			     .bound = BOUND_NONE },
	};
	run_start(&p.run, task->algo, &task->cfg, &task->world);
	if (send_in(&p) && lock(&p)) {
		while (!closes(&p)) {
			remember(&p);
			if (!find_two(&p.run, true, two)) {
				find_two(&p.run, false, two);
				say(&p, "two of them cannot even change their "
					"bits (Lemma 2.13)");
				take_turns(&p, two[0], two[1]);
				break;
			}
			if (!lock_again(&p, two[0], two[1]))
				break;
		}
	}
	free(p.label);
	free(p.past);
}

void adversary_free(struct adversary *a)
{
	property_free(&a->finding);
}

const char *adversary_refuses(const struct task *task)
{
	const struct wicket_cfg *cfg = &task->cfg;

	if (cfg->k < 2)
		return "for k = 1 one bit per process is enough";
	if (task->algo->registers(cfg) != cfg->n)
		return "the theorem is about one bit per process";
	for (uint32_t r = 0; r < cfg->n; r++) {
		struct wicket_register reg = task->algo->reg(cfg, r);

		if (reg.range != 2 || reg.owner != r + 1)
			return "the theorem is about one bit per process";
	}
	return NULL;
}
