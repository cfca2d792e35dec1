/* SPDX-License-Identifier: MIT */
#include "conformance/model.h"

#include "algo/recoverable.c"
#include "line/trace.h"
#include "step/contract.h"

#include <stdio.h>

static struct wicket_cfg cfg;
static struct wicket_value regs[WICKET_REGS_MAX];
static struct wicket_proc procs[CHILDREN + COMMANDS];
static struct wicket_proc keeper[CHILDREN]; /* as it locked KEEP */
static struct wicket_proc *remover;
static const char *wrong;
const char model_other_step[] = "program counter";
const char model_other_order[] = "order";
static uint64_t met[DEAD + 1]; /* how often each step was taken */
static int died; /* has anybody?  It is forgotten when it comes anew */
const uint32_t model_steps = RESTORE_W + 1;

const char *model_step_name(uint32_t step)
{
#define NAME(operation, pc, text) #pc,
	static const char names[][16] = { RECOVERABLE_PCS(NAME) };
#undef NAME

	return names[step];
}

/* Which register of the model an access is to. */
static uint32_t reg_of(const struct told *t)
{
	switch (t->kind) {
	case LOAD_T:
	case LOAD_S:
	case CAS_W:
		return 0;
	case LOAD_SLOT:
	case CAS_SLOT:
		return slot_reg(t->index);
	case LOAD_SEAT:
	case STORE_STATE:
	case STORE_PAYLOAD:
	case STORE_RANGE:
	case CAS_SEAT:
		return seat_reg(&cfg, t->index);
	case STORE_FUT:
	case CAS_FUT:
	case SLEEP:
	case WAKE_UP:
		return fut_reg(&cfg, t->index);
	case LOAD_KEEP:
	case LOCK_KEEP:
		return keep_reg(&cfg, t->index);
	case BEGIN_LIFE:
	case LOAD_LIFE:
	case END_LIFE:
		return life_reg(&cfg);
	default:
		return bell_reg(&cfg, t->index);
	}
}

/* Whoever removes looks for the dead first, and is alive meanwhile. */
static void decide_to_remove(struct wicket_proc *p, const struct told *t)
{
	static uint32_t life;

	if (t->kind == BEGIN_LIFE)
		life = t->index;
	else if (t->kind == END_LIFE)
		p->self = life;
	else if (p->pc == JOIN_SEAT && t->kind == LOAD_SEAT)
		*p = scan(&cfg, *p, SCAN_JOIN);
	else if (p->pc == JOIN_SEAT && t->kind == LOAD_T)
		*p = read_w(&cfg, *p, AFTER_REMOVE);
}

/* What the environment has decided shows in the first access of it. */
static void decide(struct wicket_proc *p, const struct told *t)
{
	int stores = t->kind == STORE_STATE;

	if (p == remover)
		decide_to_remove(p, t);
	if (p->pc == TAKE_SEAT && stores)
		*p = with_several(*p, line_units(t->c));
	if (t->kind == BEGIN_LIFE) {
		p->self = t->index;
	} else if (t->kind == END_LIFE && !p->local[ME]) {
		p->pc = LEAVE_LIFE;
	} else if (p->pc == TAKE_SEAT && stores &&
		   line_phase(t->c) == LINE_OPENING) {
		p->pc = OPEN_SEAT;
	} else if (p->pc == OPEN_AIM && t->kind == CAS_W) {
		p->local[AIM] = line_aim(t->d);
		p->local[NEXT_S] = line_aim_at(p->local[WS],
					       (uint32_t)p->local[AIM]);
	} else if (p->pc == TAKE_SEAT && t->kind == LOAD_SEAT) {
		*p = on_event(&cfg, *p, WICKET_ABANDON);
	} else if (p->pc == TAKE_SEAT && t->kind == UNLOCK_BELL) {
		p->pc = LEAVE_BELL;
		p->local[LAP] = p->local[LAST] = 0;
	} else if (p->pc == KEEP_LOCK && t->kind == LOAD_S) {
		p->pc = TELL_W;
	} else if (p->pc == WAIT_SLEEP && t->kind == LOAD_SEAT) {
		*p = scan(&cfg, *p, SCAN_WAIT); /* also before it sleeps */
	} else if ((p->pc == WAIT_SLEEP && t->kind == UNLOCK_BELL) ||
		   (p->pc == KEEP_LOCK && t->kind == LOAD_SLOT) ||
		   (stores && (p->pc == TAKE_W || p->pc == TAKE_RANGE ||
			       p->pc == COLOURS || p->pc == KEEP_LOCK))) {
		*p = on_event(&cfg, *p, WICKET_ABANDON);
	}
}

/* Looks that the library spares itself find an empty seat, so to speak, or
   somebody who lives. */
static void skip_looks(struct wicket_proc *p, const struct told *t)
{
	const struct wicket_value empty = { { 0 } },
				  all = { { ~0ul, ~0ul, ~0ul, ~0ul } };

	while ((p->pc == HEIR || p->pc == SCAN_SEAT || p->pc == SCAN_LIFE ||
		p->pc == SETTLE_FIND) &&
	       !(t->what == ACCESS &&
		 (t->kind == LOAD_SEAT || t->kind == LOAD_LIFE) &&
		 access(&cfg, *p).reg == reg_of(t)))
		*p = step(&cfg, *p, p->pc == SCAN_LIFE ? all : empty).proc;
}

static bool is_predicted_kind(uint16_t asked, uint32_t kind)
{
	switch (kind) {
	case LOAD_T:
	case LOAD_S:
	case LOAD_SLOT:
	case LOAD_SEAT:
	case LOAD_BELL:
	case LOAD_LIFE:
	case LOAD_KEEP:
	case WAKE_UP:
		return asked == WICKET_LOAD;
	case STORE_FUT:
	case UNLOCK_BELL:
	case STORE_STATE:
	case STORE_PAYLOAD:
	case STORE_RANGE:
		return asked == WICKET_STORE;
	case LOCK_BELL:
	case LOCK_KEEP:
	case BEGIN_LIFE:
	case END_LIFE:
		return asked == WICKET_RMW;
	case SLEEP:
		return asked == WICKET_SLEEP;
	case CAS_SEAT: /* leaving: nobody else can change it */
		return asked == WICKET_CAS || asked == WICKET_RMW;
	default:
		return asked == WICKET_CAS;
	}
}

/* Is it ordered as the model says?  What the kernel does lets nothing pass. */
static bool is_predicted_order(const struct wicket_access *asked,
			       uint32_t order)
{
	if (asked->kind == WICKET_SLEEP)
		return order == BY_KERNEL;
	switch (asked->order) {
	case WICKET_RELAXED:
		return order == BY_RELAXED;
	case WICKET_ACQUIRE:
		return order == BY_ACQUIRE;
	case WICKET_RELEASE:
		return order == BY_RELEASE;
	case WICKET_SEQ_CST:
		return order == BY_SEQ_CST ||
		       (order == BY_KERNEL && asked->kind == WICKET_LOAD);
	case WICKET_LOCKED:
		return order == BY_LOCK ||
		       (order == BY_KERNEL && asked->kind == WICKET_RMW);
	default: /* the model must say it */
		return false;
	}
}

/* The words that are stored, or looked at alone. */
static bool is_predicted_part(uint8_t part, uint32_t kind)
{
	switch (kind) {
	case LOAD_T:
		return part == 1 << 0;
	case LOAD_S:
		return part == (1 << 1 | 1 << 2);
	case STORE_STATE:
		return part == STATE_WORD;
	case STORE_PAYLOAD:
		return part == (PAYLOAD_WORD | NUMBER_WORD);
	case STORE_RANGE:
		return part == RANGE_WORD;
	default:
		return !part;
	}
}

/* Is what was found there what the model has there? */
static bool is_seen(const struct told *t, struct wicket_value v)
{
	switch (t->kind) {
	case LOAD_S:
		return v.w[1] == t->a;
	case LOAD_SEAT:
		return v.w[0] == t->a && v.w[1] == t->b;
	case LOAD_T:
	case LOAD_SLOT:
	case LOAD_BELL:
		return v.w[0] == t->a;
	case LOAD_LIFE:
		return is_alive(v, t->index) == (int)t->met;
	case LOAD_KEEP:
		return (v.w[0] == t->a) == t->met;
	case CAS_W:
	case CAS_SEAT:
		return (v.w[0] == t->a && v.w[1] == t->b) == t->met;
	case CAS_SLOT:
	case CAS_FUT:
		return (v.w[0] == t->a) == t->met;
	default:
		return true;
	}
}

static bool is_expected(const struct told *t, const struct wicket_access *a)
{
	if (a->kind != WICKET_CAS && a->kind != WICKET_SLEEP)
		return true;
	return a->expect.w[0] == t->a &&
	       (a->words == 1 || a->expect.w[1] == t->b);
}

/* Was it the life that the seat names, or the own one? */
static bool is_its_life(const struct told *t, struct wicket_proc p)
{
	return t->kind == LOAD_LIFE  ? t->index == line_life(p.local[C1]) :
	       t->kind == BEGIN_LIFE ? t->index == p.self :
	       t->kind == END_LIFE   ? t->index == p.self :
				       true;
}

static bool is_put(const struct told *t, struct wicket_value before,
		   struct wicket_value after)
{
	switch (t->kind) {
	case STORE_STATE:
		return after.w[0] == t->c && after.w[1] == before.w[1];
	case STORE_PAYLOAD:
		return after.w[1] == t->c && after.w[0] == before.w[0];
	case STORE_RANGE:
		return after.w[3] == t->c && after.w[0] == before.w[0];
	case STORE_FUT:
	case LOCK_KEEP:
		return after.w[0] == t->c;
	case CAS_W:
	case CAS_SEAT:
		return !t->met || (after.w[0] == t->c && after.w[1] == t->d);
	case CAS_SLOT:
	case CAS_FUT:
		return !t->met || after.w[0] == t->c;
	default:
		return true;
	}
}

/* A store does not see what is there. */
static struct wicket_result perform_on(struct wicket_proc p,
				       const struct wicket_access *a)
{
	return step(&cfg, p,
		    a->kind == WICKET_STORE ? wicket_number(0) :
					      wicket_part(a, regs[a->reg]));
}

static void follow_access(struct wicket_proc *p, const struct told *t)
{
	struct wicket_access a;
	struct wicket_value before;
	struct wicket_result r;

	skip_looks(p, t);
	decide(p, t);
	skip_looks(p, t);
	if (t->kind ==
	    LOCK_KEEP) /* not before: it may have had looks to skip */
		keeper[p - procs] = *p;
	met[p->pc]++;
	a = access(&cfg, *p);
	before = regs[a.reg];
	r = perform_on(*p, &a);
	wrong = t->at != p->pc			    ? model_other_step :
		a.reg != reg_of(t)		    ? "register" :
		!is_predicted_kind(a.kind, t->kind) ? "kind" :
		!is_predicted_part(a.part, t->kind) ? "part" :
		!is_predicted_order(&a, t->order)   ? model_other_order :
		!is_seen(t, before)		    ? "found" :
		!is_expected(t, &a)		    ? "expected" :
		!is_its_life(t, *p)		    ? "life" :
						      0;
	if (wrong)
		return;
	if (wicket_writes(&a, before))
		regs[a.reg] = wicket_merged(&a, before, r.put);
	if (!is_put(t, before, regs[a.reg]))
		wrong = "put";
	else
		*p = r.proc;
	for (uint32_t i = 0; invariants[i].name && !wrong; i++) {
		/* R7 is of lines in which nobody has died */
		if (!(i == R7 && died) && !holds(&cfg, i, regs, procs))
			wrong = invariants[i].name;
	}
}

static void perform(struct wicket_proc *p)
{
	uint32_t r = access(&cfg, *p).reg;
	struct wicket_result result = step(&cfg, *p, regs[r]);

	regs[r] = result.put;
	*p = result.proc;
}

/* Its command ends, if it had one. */
static void end(struct wicket_proc *command)
{
	if (command->pc != KEEP_LOCK)
		return;
	command->pc = COMMAND;
	perform(command);
}

/* Where a search ended early, because of a hint, the model is on with the next
   ticket, too. */
static void seek(struct wicket_proc *p, uint32_t ticket)
{
	const struct wicket_value empty = { { 0 } };

	while (p->pc == HEIR && (inherited(*p) != ticket || p->local[I]))
		*p = step(&cfg, *p, empty).proc;
}

static void follow(struct wicket_proc *p, const struct told *t)
{
	wrong = 0;
	if (t->what == ACCESS) {
		follow_access(p, t);
		return;
	}
	if (t->what == SEEKING) {
		seek(p, (uint32_t)t->a);
		return;
	}
	if (t->what == COMMAND_ENDED) {
		end(&keeper[p - procs]);
		return;
	}
	skip_looks(p, t);
	if (t->what == CLOSED && p->pc != READ_T && p->pc != JOIN_SEAT)
		wrong = "closed";
	if (t->what == NO_SEAT_LEFT && p->pc != JOIN_SEAT && p->pc != READ_T)
		wrong = "no seat";
	*p = start(&cfg, p->self);
	if (p->self) /* it only gave up */
		p->pc = JOIN_SEAT;
}

static void report(uint32_t i, const struct told *t)
{
	struct wicket_text text = { .length = 0 };
	struct wicket_access a = access(&cfg, procs[i]);

	show(&cfg, regs, &text);
	printf("# process %u: the model is at %s (register %u, kind %u, "
	       "order %u)\n",
	       i, model_step_name(procs[i].pc), a.reg, a.kind, a.order);
	if (t->what == ACCESS)
		printf("# the library is at %s and did %u, ordered by %u, at %u "
		       "(register %u): %lx %lx -> %lx %lx, %u\n",
		       model_step_name(t->at), t->kind, t->order, t->index,
		       reg_of(t), t->a, t->b, t->c, t->d, t->met);
	printf("# model: %.*s\n# wrong: %s\n", (int)text.length, text.s, wrong);
}

const char *model_follow(uint32_t i, const struct told *t)
{
	follow(&procs[i], t);
	if (wrong)
		report(i, t);
	return wrong;
}

void model_start(uint32_t k, uint32_t seat_count)
{
	cfg = (struct wicket_cfg){ .n = CHILDREN + COMMANDS,
				   .k = k,
				   .seats = seat_count,
				   .laps = UINT32_MAX,
				   .variant = KEPT };
	for (uint32_t r = 0; r < registers(&cfg); r++)
		regs[r] = reg(&cfg, r).start;
	regs[seat_reg(&cfg, 0)].w[0] = line_state(1, LINE_FREE);
	remover = 0;
	died = 0;
	for (uint32_t j = 0; j < COMMANDS; j++)
		procs[CHILDREN + j] = start(&cfg, 0);
	for (uint32_t i = 0; i < CHILDREN; i++)
		keeper[i] = start(&cfg, 0);
}

void model_spawn(uint32_t i)
{
	procs[i] = start(&cfg, 0);
}

void model_remove(uint32_t i)
{
	remover = &procs[i];
	cfg.variant = RESTORING; /* it may, and then REMOVE_W is remembered */
}

/* The kernel here always rings. */
static void die(struct wicket_proc *p)
{
	died = 1;
	*p = on_event(&cfg, *p, WICKET_FAIL);
	if (p->pc == DIE_LIFE && p->local[ME])
		p->pc = DIE;
	while (p->pc == DIE || p->pc == DIE_LIFE)
		perform(p);
}

void model_die(uint32_t i)
{
	die(&procs[i]);
	if (procs[i].pc == COMMAND)
		perform(&procs[i]);
	end(&keeper[i]);
}

bool model_has_command(uint32_t i)
{
	return (procs[i].pc == HOLD || procs[i].pc == RELEASE_FIND) &&
	       procs[i].local[HAS_COMMAND];
}

void model_orphan(uint32_t i, uint32_t j)
{
	die(&procs[i]);
	procs[CHILDREN + j] = procs[i];
	procs[i] = keeper[i] = start(&cfg, 0);
}

void model_end(uint32_t j)
{
	perform(&procs[CHILDREN + j]);
}

uint32_t model_unmet(void)
{
	uint32_t unmet = 0;

	for (uint32_t pc = 0; pc < model_steps; pc++) {
		if (!met[pc])
			printf("# never: %s\n", model_step_name(pc));
		unmet += !met[pc];
	}
	return unmet;
}
