/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "verify/error.h"

_Noreturn static void vfail(int code, const char *file, const char *format,
			    va_list args)
{
	char text[1024];
	int end = snprintf(text, sizeof(text), "wicket-verify: %s%s",
			   file ? file : "", file ? ": " : "");

	if (end < (int)sizeof(text))
		vsnprintf(text + end, sizeof(text) - (size_t)end, format, args);
	/* one line, whatever names it has to repeat */
	for (char *c = text; *c; c++)
		*c = iscntrl((unsigned char)*c) ? '?' : *c;
	fprintf(stderr, "%s\n", text);
	exit(file ? EX_NOINPUT : code);
}

void fail(int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(code, NULL, format, args);
}

void fail_in(const char *file, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(code, file, format, args);
}
