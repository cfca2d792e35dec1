/* SPDX-License-Identifier: MIT */
/*
 * text - building short texts without libc, for pure code that shows values.
 * What does not fit is cut off.
 */
#ifndef WICKET_TEXT_H
#define WICKET_TEXT_H

#include "step/step.h"

static inline void wicket_put_char(struct wicket_text *t, char c)
{
	if (t->length + 1 < sizeof(t->s)) {
		t->s[t->length++] = c;
		t->s[t->length] = '\0';
	}
}

static inline void wicket_put(struct wicket_text *t, const char *s)
{
	while (*s)
		wicket_put_char(t, *s++);
}

static inline void wicket_put_number(struct wicket_text *t, int64_t x)
{
	char digit[20];
	int n = 0;
	uint64_t rest = x < 0 ? -(uint64_t)x : (uint64_t)x;

	if (x < 0)
		wicket_put_char(t, '-');
	do
		digit[n++] = (char)('0' + rest % 10);
	while (rest /= 10);
	while (n)
		wicket_put_char(t, digit[--n]);
}

#endif
