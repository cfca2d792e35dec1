/* SPDX-License-Identifier: MIT */
#include "verify/whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "algo/registry.h"

void whole_check_registry(void)
{
	for (size_t i = 0; wicket_algos[i]; i++) {
		const char *name = wicket_algos[i]->name;
		const char *missing = wicket_missing(wicket_algos[i]);

		if (!missing)
			continue;
		fprintf(stderr,
			"wicket-verify: %s: the algorithm has no '%s'\n",
			name ? name : "(without a name)", missing);
		exit(EX_SOFTWARE);
	}
}
