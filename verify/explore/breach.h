/* SPDX-License-Identifier: MIT */
/*
 * breach - an algorithm that breaks its own declarations is refused.
 *
 * Whoever performs an access asks here first.  There is no verdict about such an
 * algorithm: one line says which process broke what by which step, and the
 * program ends with exit code 70.
 */
#ifndef VERIFY_BREACH_H
#define VERIFY_BREACH_H

#include "verify/explore/actor.h"

/* The registers as they are declared: how many, what they start with, and
   whether what is seen of them can be told. */
void breach_check_start(const struct wicket_algo *algo,
			const struct wicket_cfg *cfg,
			const struct world *world);

/* The access that process who (from 1) wants to take. */
void breach_check_access(const struct wicket_algo *algo,
			 const struct wicket_cfg *cfg, const struct actor *a,
			 uint32_t who, const struct wicket_access *access);

/* A process of an exact quotient stores where a buffer would keep it: what is in
   buffers has none. */
_Noreturn void breach_no_buffer(const struct wicket_algo *algo,
				const struct wicket_cfg *cfg,
				const struct actor *a, uint32_t who,
				uint32_t reg);

/* The region in which process who is; a helper has none. */
void breach_check_region(const struct wicket_algo *algo,
			 const struct wicket_cfg *cfg, const struct actor *a,
			 uint32_t who);

/* What comes of it, if the register held this value. */
void breach_check_outcome(const struct wicket_algo *algo,
			  const struct wicket_cfg *cfg, const struct actor *a,
			  uint32_t who, struct wicket_value held,
			  const struct outcome *o);

#endif
