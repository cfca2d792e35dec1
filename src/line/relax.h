/* SPDX-License-Identifier: MIT */
#ifndef WICKET_RELAX_H
#define WICKET_RELAX_H

/* Tells the processor that it spins. */
static inline void relax(void)
{
	__builtin_ia32_pause();
}

#endif
