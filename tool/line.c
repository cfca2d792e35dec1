/* SPDX-License-Identifier: MIT */
#include "tool/line.h"

#include <stdio.h>

void line_write_slots(const struct grant *grant, char text[LINE_SLOTS_TEXT])
{
	size_t at = 0;

	*text = 0;
	for (uint32_t i = 0; i < grant->units && at < LINE_SLOTS_TEXT; i++)
		at += (size_t)snprintf(text + at, LINE_SLOTS_TEXT - at, "%s%u",
				       i ? "," : "", grant->slots[i]);
}
