/* SPDX-License-Identifier: MIT */
/* text - what others have written, made fit to be shown. */
#ifndef WICKET_TEXT_H
#define WICKET_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are not UTF-8 become question marks. */
void text_make_valid(char *text);

/* Control characters too: a terminal would obey them. */
void text_make_printable(char *text);

/* How many bytes of it fit into so many columns; each character takes one. */
size_t text_fit(const char *text, size_t columns);

/* What makes 1, 2, 3 the 1st, 2nd, 3rd. */
const char *text_ordinal(uint32_t n);

#endif
