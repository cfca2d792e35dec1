/* SPDX-License-Identifier: MIT */
#include "tool/text.h"

#include <stdbool.h>

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The bytes that a first byte announces; 0: it is none. */
static size_t announced(unsigned char c)
{
	return c < 0x80	      ? 1 :
	       c >> 5 == 0x06 ? 2 :
	       c >> 4 == 0x0e ? 3 :
	       c >> 3 == 0x1e ? 4 :
				0;
}

/* The character that begins here, and its length; 0: none does. */
static size_t character(const char *text, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = announced((unsigned char)*text);

	if (!length)
		return 0;
	*code = (unsigned char)*text &
		(length == 1 ? 0x7f : 0xff >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if (!continues(text[i]))
			return 0;
		*code = *code << 6 | ((unsigned char)text[i] & 0x3f);
	}
	if (*code < least[length] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static void clean(char *text, bool controls)
{
	while (*text) {
		uint32_t code = 0;
		size_t length = character(text, &code);

		if (length && !(controls && is_control(code))) {
			text += length;
			continue;
		}
		/* the second byte of a control character is none of its own,
		   so it becomes one too */
		*text++ = '?';
	}
}

void text_make_valid(char *text)
{
	clean(text, false);
}

void text_make_printable(char *text)
{
	clean(text, true);
}

size_t text_fit(const char *text, size_t columns)
{
	size_t i = 0;

	for (; text[i]; i++) {
		if (continues(text[i]))
			continue;
		if (!columns)
			break;
		columns--;
	}
	return i;
}

const char *text_ordinal(uint32_t n)
{
	static const char *const ends[] = { "th", "st", "nd", "rd" };

	return n % 10 > 3 || n % 100 / 10 == 1 ? ends[0] : ends[n % 10];
}
