/* SPDX-License-Identifier: MIT */
/* text - text from elsewhere, made fit to be printed. */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are not UTF-8 become question marks. */
void text_make_valid(char *text);

/* Control characters too: a terminal would obey them. */
void text_make_printable(char *text);

/* How many bytes of the text fit into the columns; each character takes one. */
size_t text_fit(const char *text, size_t columns);

/* The suffix of an ordinal: st, nd, rd, th. */
const char *text_ordinal(uint32_t n);

#endif
