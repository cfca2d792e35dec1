/* SPDX-License-Identifier: MIT */
#include "cluster/base64.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const char *text)
{
	size_t size = strlen(text);
	char *code = malloc((size + 2) / 3 * 4 + 1), *next = code;

	if (!code)
		return NULL;
	for (size_t at = 0; at < size; at += 3) {
		size_t bytes = size - at < 3 ? size - at : 3;
		uint32_t bits = 0;

		for (size_t i = 0; i < bytes; i++)
			bits |= (uint32_t)(unsigned char)text[at + i]
				<< (16 - 8 * i);
		for (size_t i = 0; i < 4; i++)
			*next++ = i <= bytes ?
					  digits[bits >> (18 - 6 * i) & 63] :
					  '=';
	}
	*next = '\0';
	return code;
}

/* Four digits are three bytes, or two if one of them is =, or one if two are. */
static int decode_group(const char *code, char **next)
{
	size_t count = 4;
	uint32_t bits = 0;

	while (count > 2 && code[count - 1] == '=')
		count--;
	for (size_t i = 0; i < count; i++) {
		const char *digit = memchr(digits, code[i], 64);

		if (!digit)
			return -EPROTO;
		bits |= (uint32_t)(digit - digits) << (18 - 6 * i);
	}
	for (size_t i = 0; i + 1 < count; i++)
		*(*next)++ = (char)(unsigned char)(bits >> (16 - 8 * i));
	/* = only at the very end */
	return count < 4 && code[4] ? -EPROTO : 0;
}

char *base64_decode(const char *code)
{
	size_t size = strlen(code);
	char *text = malloc(size / 4 * 3 + 1), *next = text;

	if (!text)
		return NULL;
	for (size_t at = 0; at < size; at += 4) {
		if (size - at < 4 || decode_group(code + at, &next)) {
			free(text);
			errno = EPROTO;
			return NULL;
		}
	}
	*next = '\0';
	return text;
}
