#!/bin/sh
# An algorithm never touches memory: each src/algo/*.c but registry.c, compiled on
# its own, has no undefined symbol, no variable, and includes nothing but the step
# contract.
# The control: files that do are caught.
# usage: purity.sh SOURCE-DIR; CC is the compiler
# shellcheck disable=SC2317 # functions are called by check
tree=$1
. "$tree/tests/tap.sh"
cc=${CC:-cc}

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Without -O2 a compiler may call memcpy and memset to move values about.
compile() {
	# shellcheck disable=SC2086 # CC may have options
	$cc -std=gnu11 -O2 -w -I"$tree/src" -c "$1" -o "$work/object.o"
}

refers_to_nothing() {
	undefined=$(nm -u "$work/object.o")
	[ -z "$undefined" ] || ! echo "$undefined"
}

# Constants with addresses in them are .data.rel.ro: not written once loaded.
has_no_variables() {
	size -A "$work/object.o" | awk '
		$1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ &&
		$1 !~ /^\.data\.rel\.ro(\.|$)/ && $2 > 0 {
			print $1, $2, "bytes"; bad = 1
		}
		$1 ~ /^\.text/ { code = 1 }
		END { exit bad || !code }'
}

includes_only_steps() {
	! grep -nE '^[[:space:]]*#[[:space:]]*include' "$1" | grep -vE \
		'#[[:space:]]*include[[:space:]]+("(step|algo(/[a-z0-9-]+)?)/[a-z0-9-]+\.h"|<std(int|def|bool)\.h>)'
}

pure() {
	compile "$1" && refers_to_nothing && has_no_variables
}

# The registry refers to all of them, and is not one itself.
for file in "$tree"/src/algo/*.c; do
	[ "${file##*/}" != registry.c ] || continue
	check "$(basename "$file") is pure" pure "$file"
done
for file in "$tree"/src/algo/*.[ch] "$tree"/src/algo/*/*.h; do
	[ "${file##*/}" != registry.c ] || continue
	check "${file#"$tree"/src/algo/} includes only what it may" \
		includes_only_steps "$file"
done

# --- the control
# control WHAT COMMAND... <file: it compiles, and the command fails.
caught() {
	name=$1
	shift
	if ! compile "$work/control.c"; then
		echo "the control does not compile"
		return 1
	fi
	! "$@" || ! echo "not caught: $name"
}
control() {
	cat >"$work/control.c"
	check "caught: $1" caught "$@"
}
control "a counter" has_no_variables <<'C'
int next(void) { static int count; return ++count; }
C
control "a variable with a value" has_no_variables <<'C'
int count = 3;
int next(void) { return ++count; }
C
control "a variable with an address" has_no_variables <<'C'
static int a; int *where = &a;
int next(void) { return *where; }
C
control "a variable of a thread" has_no_variables <<'C'
int next(void) { static _Thread_local int count; return ++count; }
C
control "a call" refers_to_nothing <<'C'
int printf(const char *, ...);
int next(int x) { return printf("%d\n", x); }
C
control "a global of somebody else" refers_to_nothing <<'C'
extern int errors;
int next(void) { return errors; }
C
control "a system header" includes_only_steps "$work/control.c" <<'C'
#include <stdint.h>
# include <stdio.h>
int next(void) { return EOF; }
C
control "a header of the verifier" includes_only_steps "$work/control.c" <<'C'
#if 0
#include "verify/explore/graph.h"
#endif
int next(void) { return 0; }
C
echo 'static const int three = 3; int next(void) { return three; }' \
	>"$work/control.c"
check "a constant is not caught" pure "$work/control.c"
done_testing
