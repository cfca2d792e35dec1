/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algo/registry.h"
#include "step/text.h"
#include "verify/label.h"
#include "verify/show.h"

const char *show_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* --- the table ----------------------------------------------------------- */

enum { DOES = 18 };

static size_t word_length(const char *text)
{
	return strcspn(text, " ");
}

/* The words of a text that differ from those of another, of as many. */
static void put_changes(const char *from, const char *to, struct wicket_text *t)
{
	const char *between = "";

	while (*to) {
		size_t was = word_length(from), is = word_length(to);

		if (was != is || memcmp(from, to, is) != 0) {
			wicket_put(t, between);
			for (size_t i = 0; i < is; i++)
				wicket_put_char(t, to[i]);
			between = " ";
		}
		from += was + (from[was] == ' ');
		to += is + (to[is] == ' ');
	}
	if (!*between)
		wicket_put(t, "no change");
}

/* What the oldest store of a buffer changes when it reaches the registers, where
   it is then. */
static void put_drain(const struct run *run, struct buffer *b,
		      struct wicket_value *regs, struct wicket_text *t)
{
	struct wicket_text before = { 0 }, after = { 0 };
	struct buffered store = buffer_take(b);

	run->algo->show(&run->cfg, regs, &before);
	regs[store.reg] = buffered_on(&store, regs[store.reg]);
	run->algo->show(&run->cfg, regs, &after);
	put_changes(before.s, after.s, t);
}

/* What process i has stored and memory does not hold yet: " [1: want=10]". */
static void put_buffer(const struct task *task, const struct run *run,
		       uint32_t i, struct wicket_text *t)
{
	char who[16];
	struct wicket_value regs[WICKET_REGS_MAX];
	struct buffer b = run->buffer[i];
	const char *between = ": ";

	if (buffer_is_empty(&b))
		return;
	memcpy(regs, run->reg, run->regs * sizeof(*regs));
	wicket_put(t, " [");
	label_process(task, i, who);
	wicket_put(t, who);
	while (!buffer_is_empty(&b)) {
		wicket_put(t, between);
		put_drain(run, &b, regs, t);
		between = ", ";
	}
	wicket_put(t, "]");
}

/* What a deed is, in words. */
static void put_deed(const struct run *run, uint16_t label,
		     struct wicket_text *t)
{
	const struct actor *a = &run->actor[deed_process(label)];
	bool store = run->algo->access(&run->cfg, a->proc).kind == WICKET_STORE;

	if (deed_kind(label) == DEED_DRAIN) {
		struct run next = *run;

		wicket_put(t, "drain ");
		put_drain(run, &next.buffer[deed_process(label)], next.reg, t);
	} else if (deed_kind(label) == DEED_FAIL) {
		wicket_put(t, "fails");
	} else if (deed_kind(label) == DEED_ABANDON) {
		wicket_put(t, "gives up");
	} else {
		if (run->world.safe && store)
			wicket_put(t,
				   a->mode & ACTOR_WRITING ? "end " : "begin ");
		run->algo->show_step(&run->cfg, a->proc, t);
	}
}

static void print_state(const struct task *task, const struct run *run)
{
	char regions[4 * WICKET_PROCS_MAX];
	struct wicket_text value = { 0 };

	label_regions(run, regions, " ");
	run->algo->show(&run->cfg, run->reg, &value);
	for (uint32_t i = 0; i < run->procs; i++)
		put_buffer(task, run, i, &value);
	printf("%s  %s\n", regions, value.s);
}

static void print_head(const struct task *task)
{
	printf("    step  process  %-*s ", DOES, "does");
	for (uint32_t i = 1; i <= task->cfg.n; i++)
		printf("%-2" PRIu32, i % 10);
	puts(" shared value");
}

/* What is after so many steps. */
static void run_until(struct run *run, const struct task *task,
		      const struct schedule *s, uint32_t steps)
{
	run_start(run, task->algo, &task->cfg, &task->world);
	for (uint32_t t = 0; t < steps; t++)
		run_do(run, s->label[t]);
}

/* The step of that number, by which the run goes on; 0: the start. */
static void print_step(struct run *run, const struct task *task,
		       const struct schedule *s, uint32_t step)
{
	struct wicket_text does = { 0 };
	char who[16] = "";

	if (step) {
		uint16_t label = s->label[step - 1];

		if (s->infinite && step == s->stem + 1)
			puts("    and then for ever:");
		put_deed(run, label, &does);
		run_do(run, label);
		label_write(task, label, who);
	} else {
		wicket_put(&does, "(start)");
	}
	printf("    %4" PRIu32 "  %7s  %-*s ", step, who, DOES, does.s);
	print_state(task, run);
}

/* --- what it means ------------------------------------------------------- */

static const char region_letter[] = "RTCE";

/* "process 2", "processes 1, 2 and 4": a set that is not empty. */
static void print_processes(uint32_t set)
{
	int left = __builtin_popcount(set);

	printf("process%s", left == 1 ? "" : "es");
	for (uint32_t i = 0; set >> i; i++) {
		if (!(set >> i & 1))
			continue;
		printf(" %" PRIu32 "%s", i + 1,
		       left > 2	 ? "," :
		       left == 2 ? " and" :
				   "");
		left--;
	}
}

static uint32_t in_region(const struct run *run, enum wicket_region region)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < run->cfg.n; i++)
		set |= (uint32_t)(run_region(run, i) == region) << i;
	return set;
}

/* A cycle: who stays in C throughout, whether anybody enters, and whether it
   leaves other values, which are then greater ones: numbers that grow. */
struct round {
	uint32_t stay, enter;
	bool grows;
};

static struct round go_round(struct run run, const struct schedule *s)
{
	struct wicket_value start[WICKET_REGS_MAX], end[WICKET_REGS_MAX];
	struct round r = { .stay = in_region(&run, WICKET_CRITICAL) };

	run_drained(&run, start);
	for (uint32_t t = s->stem; t < s->length; t++) {
		uint32_t before = in_region(&run, WICKET_CRITICAL);

		run_do(&run, s->label[t]);
		r.stay &= in_region(&run, WICKET_CRITICAL);
		r.enter |= in_region(&run, WICKET_CRITICAL) & ~before;
	}
	run_drained(&run, end);
	for (uint32_t i = 0; i < run.regs; i++)
		r.grows |= !wicket_value_equal(end[i], start[i]);
	return r;
}

static void print_stopped(const struct run *run, uint32_t stopped)
{
	for (enum wicket_region z = 0; region_letter[z]; z++) {
		uint32_t set = stopped & in_region(run, z);

		if (!set)
			continue;
		printf("    ");
		print_processes(set);
		printf(" %s stopped in %c\n", set & (set - 1) ? "have" : "has",
		       region_letter[z]);
	}
	if (stopped >> run->cfg.n)
		printf("    %s has stopped\n", run->algo->helper.says);
}

/* ... and has not failed there: it may, as long as it likes. */
static void print_staying(uint32_t set)
{
	if (!set)
		return;
	printf("    ");
	print_processes(set);
	printf(" stay%s in C\n", set & (set - 1) ? "" : "s");
}

/* Nobody enters any more: for whom that is bad, and how many slots are free. */
static void print_in_vain(const struct run *run, uint32_t stopped)
{
	uint32_t trying = in_region(run, WICKET_TRYING) & ~stopped;
	uint32_t exiting = in_region(run, WICKET_EXIT) & ~stopped;
	uint32_t set = trying ? trying : exiting, k = run->cfg.k;
	uint32_t inside =
		(uint32_t)__builtin_popcount(in_region(run, WICKET_CRITICAL));

	if (!set)
		return;
	printf("    ");
	print_processes(set);
	printf(" wait%s in %c for ever", set & (set - 1) ? "" : "s",
	       trying ? 'T' : 'E');
	if (trying && inside < k)
		printf(", although %" PRIu32 " of %" PRIu32 " slot%s %s free",
		       k - inside, k, show_plural(k),
		       k - inside == 1 ? "is" : "are");
	putchar('\n');
}

/* Of an infinite schedule; the run is where the cycle begins. */
static void print_for_ever(const struct run *run, const struct schedule *s)
{
	struct round r = go_round(*run, s);

	if (r.grows &&
	    (run->algo->beyond || wicket_has_quotient(run->algo, &run->cfg)))
		puts("    in every cycle the numbers are greater: they grow without bound");
	print_stopped(run, s->stopped);
	print_staying(r.stay & ~s->stopped);
	if (!s->victim && !r.enter)
		print_in_vain(run, s->stopped);
}

static void print_meaning(const struct task *task, const struct schedule *s)
{
	uint32_t inside;
	struct run run;

	run_until(&run, task, s, s->infinite ? s->stem : s->length);
	inside = in_region(&run, WICKET_CRITICAL);
	if (s->infinite) {
		print_for_ever(&run, s);
	} else if (__builtin_popcount(inside) > (int)task->cfg.k) {
		printf("    ");
		print_processes(inside);
		printf(" are in C, but there %s %" PRIu32 " slot%s\n",
		       task->cfg.k == 1 ? "is" : "are", task->cfg.k,
		       show_plural(task->cfg.k));
	}
	if (s->victim && s->culprit)
		printf("    process %" PRIu32 " waits from step %" PRIu32
		       " on and is overtaken by process %" PRIu32 "\n",
		       s->victim, s->from, s->culprit);
	else if (s->victim)
		printf("    process %" PRIu32 " never gets out of %c\n",
		       s->victim,
		       region_letter[run_region(&run, s->victim - 1)]);
	else if (s->culprit)
		printf("    process %" PRIu32 " keeps failing and restarting\n",
		       s->culprit);
}

/* --- the legend ---------------------------------------------------------- */

static bool has_deed(const struct schedule *s, enum deed kind)
{
	for (uint32_t t = 0; t < s->length; t++) {
		if (deed_kind(s->label[t]) == kind)
			return true;
	}
	return false;
}

static bool has_sight(const struct schedule *s)
{
	for (uint32_t t = 0; t < s->length; t++) {
		if (deed_saw(s->label[t]))
			return true;
	}
	return false;
}

static bool has_helper(const struct task *task, const struct schedule *s)
{
	for (uint32_t t = 0; t < s->length; t++) {
		if (deed_process(s->label[t]) >= task->cfg.n)
			return true;
	}
	return false;
}

/* One line: the regions, and what else of the notation is in the table. */
static void print_legend(const struct task *task, const struct schedule *s)
{
	printf("    R remainder, T trying, C critical, E exit");
	if (task->world.memory == MEMORY_TSO)
		printf("; [1: ]: the buffer of 1");
	if (has_helper(task, s))
		printf("; %s %s", label_helper(task), task->algo->helper.says);
	printf("%s%s%s%s%s\n",
	       has_sight(s) ? "; 1=0: 1 sees 0 while it is written" : "",
	       has_deed(s, DEED_FAIL) ? "; 1!: 1 fails" : "",
	       has_deed(s, DEED_ABANDON) ? "; 1?: 1 gives up" : "",
	       has_deed(s, DEED_TIMEOUT) ? "; 1~: its sleep times out" : "",
	       has_deed(s, DEED_DRAIN) ? "; 1>: a store of 1 reaches memory" :
					 "");
}

void show_schedule(const struct task *task, const struct schedule *s)
{
	struct run run;

	print_head(task);
	run_start(&run, task->algo, &task->cfg, &task->world);
	for (uint32_t t = 0; t <= s->length; t++)
		print_step(&run, task, s, t);
	print_meaning(task, s);
	print_legend(task, s);
}

void show_difference(const struct task *a, const struct task *b,
		     const struct schedule *s)
{
	char left[4 * WICKET_PROCS_MAX], right[4 * WICKET_PROCS_MAX];
	char who[16] = "";
	struct run ra, rb;

	run_start(&ra, a->algo, &a->cfg, &a->world);
	run_start(&rb, b->algo, &b->cfg, &b->world);
	printf("    step  process  %-*s  %s\n", (int)(2 * a->cfg.n + 8),
	       a->name, b->name);
	for (uint32_t t = 0; t <= s->length; t++) {
		if (t) {
			run_do(&ra, s->label[t - 1]);
			run_do(&rb, s->label[t - 1]);
			label_write(a, s->label[t - 1], who);
		}
		label_regions(&ra, left, " ");
		label_regions(&rb, right, " ");
		printf("    %4" PRIu32 "  %7s  %-*s  %s\n", t, who,
		       (int)(2 * a->cfg.n + 8), left, right);
	}
	print_legend(a, s);
}

/* --- step by step -------------------------------------------------------- */

/* What the reader asks for: a step, the end of it all, or nothing. */
enum wish { WISH_STEP, WISH_REST, WISH_QUIT, WISH_UNCLEAR };

/* Where the reader is, and how lines come in. */
struct walk {
	uint32_t at, length;
	char *line;
	size_t room;
};

/* Only somebody at a terminal is asked; the answered question goes away. */
static bool ask(struct walk *w)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	ssize_t got;

	if (terminal)
		printf("step %" PRIu32 " of %" PRIu32
		       ": n(ext), p(revious), a number, q(uit) ",
		       w->at, w->length);
	fflush(stdout);
	got = getline(&w->line, &w->room, stdin);
	if (terminal)
		printf(got < 0 ? "\r\033[K" : "\033[A\r\033[K");
	return got >= 0;
}

static enum wish wish(struct walk *w)
{
	unsigned long step;

	if (!ask(w))
		return WISH_REST;
	w->line[strcspn(w->line, "\r\n")] = '\0';
	if (!strcmp(w->line, "q"))
		return WISH_QUIT;
	if (!*w->line || !strcmp(w->line, "n")) {
		w->at++;
		return w->at > w->length ? WISH_REST : WISH_STEP;
	}
	if (!strcmp(w->line, "p")) {
		w->at -= w->at > 0;
		return WISH_STEP;
	}
	step = strtoul(w->line, NULL, 10);
	if (w->line[strspn(w->line, "0123456789")] || step > w->length)
		return WISH_UNCLEAR;
	w->at = (uint32_t)step;
	return WISH_STEP;
}

static void print_at(const struct task *task, const struct schedule *s,
		     uint32_t step)
{
	struct run run;

	run_until(&run, task, s, step ? step - 1 : 0);
	print_step(&run, task, s, step);
}

void show_step_by_step(const struct task *task, const struct schedule *s)
{
	struct walk w = { .length = s->length };
	enum wish what;

	print_head(task);
	print_at(task, s, 0);
	while ((what = wish(&w)) == WISH_STEP || what == WISH_UNCLEAR) {
		if (what == WISH_STEP)
			print_at(task, s, w.at);
		else
			printf("    n or Enter: next step, p: previous one, 0 to %" PRIu32
			       ": that one, q: quit\n",
			       s->length);
	}
	free(w.line);
	if (what == WISH_QUIT)
		return;
	while (w.at < s->length)
		print_at(task, s, ++w.at);
	print_meaning(task, s);
	print_legend(task, s);
}
