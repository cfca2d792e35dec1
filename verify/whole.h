/* SPDX-License-Identifier: MIT */
/* whole - is every algorithm of the registry finished? */
#ifndef VERIFY_WHOLE_H
#define VERIFY_WHOLE_H

/* One that lacks a function is not called: says which, and exits. */
void whole_check_registry(void);

#endif
