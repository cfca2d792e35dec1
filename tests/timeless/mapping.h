/* SPDX-License-Identifier: MIT */
/* mapping - the line as it lies in memory, for a test that meddles with it. */
#ifndef WICKET_MAPPING_H
#define WICKET_MAPPING_H

#include "line/handle.h"

/* Fills in what lies where; it is no handle. */
void map_line(struct wicket *mapping);
void unmap_line(struct wicket *mapping);

#endif
