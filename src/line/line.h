/* SPDX-License-Identifier: MIT */
/* line - what the owner's side of the protocol offers to the other files. */
#ifndef WICKET_LINE_LINE_H
#define WICKET_LINE_LINE_H

#include "line/handle.h"

/* A call that needs a seat and no slot begins: 0, or why it cannot. */
int line_make_ready(struct wicket *h);

#endif
