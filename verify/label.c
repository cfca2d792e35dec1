/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/label.h"

static const char region_letter[] = "RTCE";

void label_regions(const struct run *run, char *text, const char *between)
{
	*text = '\0';
	for (uint32_t i = 0; i < run->cfg.n; i++) {
		char letter[2] = { region_letter[run_region(run, i)] };

		if (i)
			strcat(text, between);
		strcat(text, letter);
	}
}

static const char deed_mark[DEEDS] = { '\0', '~', '!', '?', '>' };

const char *label_helper(const struct task *task)
{
	return task->algo->helper.name;
}

/* A number; a helper's letter, with a number if there are several. */
int label_process(const struct task *task, uint32_t i, char text[16])
{
	uint32_t n = task->cfg.n;

	if (i < n)
		return snprintf(text, 16, "%" PRIu32, i + 1);
	if (wicket_processes(task->algo, &task->cfg) == n + 1)
		return snprintf(text, 16, "%s", label_helper(task));
	return snprintf(text, 16, "%s%" PRIu32, label_helper(task), i - n + 1);
}

const char *label_write(const struct task *task, uint16_t label, char text[16])
{
	int end = label_process(task, deed_process(label), text);

	if (deed_saw(label))
		snprintf(text + end, 16 - (size_t)end, "=%" PRIu32,
			 deed_saw(label) - 1);
	else
		text[end] = deed_mark[deed_kind(label)], text[end + 1] = '\0';
	return text;
}

bool label_parse(const struct task *task, const char *text, uint16_t *label)
{
	uint32_t procs = wicket_processes(task->algo, &task->cfg), saw = 0;
	unsigned long i = task->cfg.n + 1;
	uint32_t deed = 0;
	char *end = (char *)text + 1;

	if (!label_helper(task) || *text != *label_helper(task))
		i = strtoul(text, &end, 10);
	else if (procs > i)
		i = task->cfg.n + strtoul(text + 1, &end, 10);
	if (i < 1 || i > procs)
		return false;
	if (*end == '=') {
		unsigned long value = strtoul(end + 1, &end, 10);

		if (value > 254)
			return false;
		saw = (uint32_t)value + 1;
	} else if (*end) {
		while (deed < DEEDS && deed_mark[deed] != *end)
			deed++;
		end++;
	}
	*label = saw ? deed_label((uint32_t)i - 1, DEED_STEP, saw) :
		       deed_of((uint32_t)i - 1, deed);
	return deed < DEEDS && !*end;
}
