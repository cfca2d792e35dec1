/* SPDX-License-Identifier: MIT */
/*
 * adversary - Taubenfeld 2013, section 2: whoever has one bit a process, and
 * k >= 2, can be kept from entering for ever although fewer than k have crashed.
 *
 * Plays the proof of Theorem 2.2 on single runs, with no exploration.  A process
 * is locked if it is trying and alone gets nowhere else; flexible if alone it
 * would change its bit before that.  First (Theorem 2.1) processes 4 .. k+1 enter
 * and stop.  Then the other three are locked (Lemma 2.7), and from then on two
 * flexible ones change their bits, and back, so that all three are locked again
 * (Lemma 2.14), until a state returns.  If fewer than two are flexible (which
 * Lemma 2.13 rules out for a k-deadlock-free algorithm), two that are not can
 * take turns for ever.
 */
#ifndef VERIFY_ADVERSARY_H
#define VERIFY_ADVERSARY_H

#include "verify/check.h"

/* What has been achieved after so many steps. */
struct moment {
	uint32_t step;
	const char *says;
};

enum { MOMENTS_MAX = 32 };

struct adversary {
	bool wins;
	struct finding finding; /* k-deadlock-freedom, and the run if it wins */
	const char *why;	/* if it does not: what the algorithm breaks */
	uint32_t rounds;	/* how often Lemma 2.14 was applied */
	uint32_t moments;
	struct moment moment[MOMENTS_MAX];
};

/* Why the theorem says nothing about this system, or null. */
const char *adversary_refuses(const struct task *task);

void adversary_play(struct adversary *a, const struct task *task);
void adversary_free(struct adversary *a);

#endif
