/* SPDX-License-Identifier: MIT */
/* error - one line on stderr, "wicket-verify: ...", and the end. */
#ifndef VERIFY_ERROR_H
#define VERIFY_ERROR_H

_Noreturn void fail(int code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* If the fault is in a file, it is named too, and the exit code is 66; null:
   as fail. */
_Noreturn void fail_in(const char *file, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
