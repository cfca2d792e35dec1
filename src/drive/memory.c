/* SPDX-License-Identifier: MIT */
#include "drive/memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- words ------------------------------------------------------------------ */

static uint64_t load(_Atomic uint64_t *word, enum drive_order order)
{
	switch (order) {
	case DRIVE_RELAXED:
		return atomic_load_explicit(word, memory_order_relaxed);
	case DRIVE_ACQREL:
		return atomic_load_explicit(word, memory_order_acquire);
	default:
		return atomic_load_explicit(word, memory_order_seq_cst);
	}
}

static void store(_Atomic uint64_t *word, enum drive_order order, uint64_t put)
{
	switch (order) {
	case DRIVE_RELAXED:
		atomic_store_explicit(word, put, memory_order_relaxed);
		break;
	case DRIVE_ACQREL:
		atomic_store_explicit(word, put, memory_order_release);
		break;
	default:
		atomic_store_explicit(word, put, memory_order_seq_cst);
		break;
	}
}

static bool cas(_Atomic uint64_t *word, enum drive_order order, uint64_t expect,
		uint64_t put)
{
	switch (order) {
	case DRIVE_RELAXED:
		return atomic_compare_exchange_strong_explicit(
			word, &expect, put, memory_order_relaxed,
			memory_order_relaxed);
	case DRIVE_ACQREL:
		return atomic_compare_exchange_strong_explicit(
			word, &expect, put, memory_order_acq_rel,
			memory_order_acquire);
	default:
		return atomic_compare_exchange_strong_explicit(
			word, &expect, put, memory_order_seq_cst,
			memory_order_seq_cst);
	}
}

static struct drive_cell *cell(const struct drive_memory *m, uint32_t reg)
{
	return &m->shared->cell[reg];
}

/* The word of a wide register leads to a copy: never relaxed. */
static enum drive_order order_of(const struct drive_memory *m, uint32_t reg)
{
	return m->wide[reg] && m->order == DRIVE_RELAXED ? DRIVE_ACQREL :
							   m->order;
}

/* --- copies ------------------------------------------------------------------ */

enum { COPY_BITS = 6, COPY_MASK = (1 << COPY_BITS) - 1 };

_Static_assert(2 * WICKET_PROCS_MAX <= COPY_MASK, "copies have numbers");

/*
 * Released, each word: its partner is the acquire of whoever reads it although
 * the copy was current only before.  That reader's next look at the register's
 * word finds what the writer found there, or later: a change.
 */
static void write_copy(struct drive_cell *c, uint64_t copy,
		       struct wicket_value v)
{
	for (uint32_t i = 0; i < WICKET_WORDS; i++)
		atomic_store_explicit(&c->copy[copy][i], v.w[i],
				      memory_order_release);
}

static struct wicket_value read_copy(struct drive_cell *c, uint64_t copy)
{
	struct wicket_value v;

	for (uint32_t i = 0; i < WICKET_WORDS; i++)
		v.w[i] = atomic_load_explicit(&c->copy[copy][i],
					      memory_order_acquire);
	return v;
}

/* That of the two copies of a process which is not current: nobody else makes
   them so. */
static uint64_t free_copy(uint32_t who, uint64_t word)
{
	uint64_t first = 2 * (uint64_t)who - 1;

	return (word & COPY_MASK) == first ? first + 1 : first;
}

/* --- registers --------------------------------------------------------------- */

void drive_memory_start(struct drive_memory *m, uint32_t reg,
			struct wicket_register as)
{
	m->wide[reg] = !as.range;
	if (m->wide[reg])
		write_copy(cell(m, reg), 0, as.start);
	store(&cell(m, reg)->word, DRIVE_SEQ_CST,
	      m->wide[reg] ? 0 : as.start.w[0]);
}

struct drive_seen drive_look(const struct drive_memory *m, uint32_t reg)
{
	struct drive_cell *c = cell(m, reg);
	enum drive_order order = order_of(m, reg);
	struct drive_seen seen = { .word = load(&c->word, order) };
	uint64_t again = seen.word;

	if (!m->wide[reg]) {
		seen.value = wicket_number(seen.word);
		return seen;
	}
	do {
		seen.word = again;
		seen.value = read_copy(c, seen.word & COPY_MASK);
		again = load(&c->word, order);
	} while (again != seen.word);
	return seen;
}

struct wicket_value drive_load(const struct drive_memory *m, uint32_t who,
			       uint32_t reg)
{
	uint32_t owner = m->dies[reg];

	if (owner && owner != who && drive_is_dead(m, owner))
		return m->dead[reg];
	return drive_look(m, reg).value;
}

bool drive_swap(const struct drive_memory *m, uint32_t who, uint32_t reg,
		struct drive_seen seen, struct wicket_value put)
{
	struct drive_cell *c = cell(m, reg);
	uint64_t word = put.w[0];

	if (m->wide[reg]) {
		uint64_t copy = free_copy(who, seen.word);

		write_copy(c, copy, put);
		word = ((seen.word >> COPY_BITS) + 1) << COPY_BITS | copy;
	}
	return cas(&c->word, order_of(m, reg), seen.word, word);
}

void drive_store(const struct drive_memory *m, uint32_t who,
		 const struct wicket_access *access, struct wicket_value put)
{
	uint32_t reg = access->reg;
	struct drive_seen seen;

	if (!m->wide[reg]) {
		store(&cell(m, reg)->word,
		      access->order == WICKET_SEQ_CST ? DRIVE_SEQ_CST :
							m->order,
		      put.w[0]);
		return;
	}
	do
		seen = drive_look(m, reg);
	while (!drive_swap(m, who, reg, seen,
			   wicket_merged(access, seen.value, put)));
}

/*
 * Seq_cst: an instruction with a lock prefix, before which the processor's buffer
 * empties; and no access of the program moves across it.  A standalone fence
 * would do the same, but the thread sanitizer does not know of those.
 */
void drive_fence(const struct drive_memory *m, uint32_t who)
{
	atomic_fetch_add_explicit(&m->shared->fence[who - 1].word, 1,
				  memory_order_seq_cst);
}

/* --- sleep --------------------------------------------------------------------- */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "lower half first");

/* The half of the word that changes whenever a wide register does. */
static uint32_t *futex_of(const struct drive_memory *m, uint32_t reg)
{
	return (uint32_t *)(void *)&cell(m, reg)->word;
}

void drive_sleep(const struct drive_memory *m, uint32_t reg,
		 struct drive_seen since)
{
	struct timespec longest = { 0, 50 * 1000 * 1000 };

	syscall(SYS_futex, futex_of(m, reg), FUTEX_WAIT, (uint32_t)since.word,
		&longest, 0, 0);
}

void drive_wake(const struct drive_memory *m, uint32_t reg, uint32_t wakes)
{
	syscall(SYS_futex, futex_of(m, reg), FUTEX_WAKE,
		wakes > INT_MAX ? INT_MAX : (int)wakes, 0, 0, 0);
}

/* --- life and death ------------------------------------------------------------ */

static pthread_mutex_t *held(const struct drive_memory *m, uint32_t who)
{
	return &m->shared->life[who - 1].held;
}

int drive_life_start(const struct drive_memory *m, uint32_t who)
{
	pthread_mutexattr_t how;
	int error = pthread_mutexattr_init(&how);

	if (error)
		return error;
	error = pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
	if (!error)
		error = pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
	if (!error)
		error = pthread_mutex_init(held(m, who), &how);
	pthread_mutexattr_destroy(&how);
	return error;
}

int drive_live(const struct drive_memory *m, uint32_t who)
{
	int error = pthread_mutex_lock(held(m, who));

	return error == EOWNERDEAD ? pthread_mutex_consistent(held(m, who)) :
				     error;
}

/* The futex inside glibc's mutex, which the kernel marks. */
bool drive_is_dead(const struct drive_memory *m, uint32_t who)
{
	_Atomic uint32_t *word =
		(_Atomic uint32_t *)(void *)&held(m, who)->__data.__lock;

	return atomic_load_explicit(word, memory_order_seq_cst) &
	       FUTEX_OWNER_DIED;
}

void drive_bury(const struct drive_memory *m, uint32_t who)
{
	for (uint32_t reg = 0; reg < WICKET_REGS_MAX; reg++) {
		struct wicket_access a = wicket_ask(WICKET_STORE, reg);

		if (m->dies[reg] == who)
			drive_store(m, who, &a, m->dead[reg]);
	}
}
