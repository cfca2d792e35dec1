#!/bin/sh
# The tree is what it says it is: who may include whom, headers that compile
# alone, a unit test and a place in doc/algorithms.md for every algorithm, an example
# in the README that compiles, a licence in every C file, no white space at the end of
# a line.
# usage: tree.sh SOURCE-DIR; CC is the compiler
# shellcheck disable=SC2317 # functions are called by check
tree=$1
. "$tree/tests/tap.sh"
cc=${CC:-cc}
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # as set for a hook

# includes FILE...: what stands between the quotes or brackets, quotes kept.
includes() {
	sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*(["<][^">]*[">]).*/\1/p' \
		"$@" | sort -u
}

# only PATTERN FILE...: every include of the project's own headers matches.
only() {
	pattern=$1
	shift
	[ -e "$1" ] || ! echo "no such file: $1" || return 1
	! includes "$@" | grep '^"' | grep -vE "^\"($pattern)\"$"
}

# without HEADER FILE...: none of the files includes it.
without() {
	header=$1
	shift
	[ -e "$1" ] || ! echo "no such file: $1" || return 1
	! includes "$@" | grep -xF "\"$header\""
}

# The rooms; what stands in each is a header of it.
name='[a-z0-9-]+\.h'
step="step/$name" algo="algo/$name|algo/[a-z0-9-]+/$name" drive="drive/$name" line="line/$name"
cluster="cluster/$name" tool="tool/$name" public='wicket(-etcd)?\.h' registry='algo/registry\.h'
# Those of the verifier, each with all that it may include.
explore="$step|verify/explore/$name"
search="$explore|verify/search/$name"
property="$search|verify/property/$name"
space="$property|verify/space/$name"
verifier="$space|$registry|$drive|verify/$name"

# brackets FILE...: none of ours in brackets, which would escape the above.
brackets() {
	[ -e "$1" ] || ! echo "no such file: $1" || return 1
	! includes "$@" | sed -n 's/^<\(.*\)>$/\1/p' | while read -r name; do
		for dir in . src verify tool include src/step src/algo src/drive \
			src/line src/cluster verify/explore verify/search verify/property \
			verify/space; do
			[ ! -e "$tree/$dir/$name" ] || echo "<$name> is ours"
		done
	done | grep .
}

check "the contract includes only the contract" \
	only "$step" "$tree"/src/step/*.[ch]
check "algorithms include only the contract and each other" \
	only "$step|$algo" "$tree"/src/algo/*.[ch] "$tree"/src/algo/*/*.h
check "the driver includes only itself and the contract" \
	only "$step|$drive" "$tree"/src/drive/*.[ch]
check "the explorer includes only itself and the contract" \
	only "$explore" "$tree"/verify/explore/*.[ch]
check "searches include only themselves and what was explored" \
	only "$search" "$tree"/verify/search/*.[ch]
check "properties include only themselves and what searches" \
	only "$property" "$tree"/verify/property/*.[ch]
check "what counts values includes only itself and what is before it" \
	only "$space" "$tree"/verify/space/*.[ch]
check "the verifier's commands include only it, the driver and the registry" \
	only "$verifier" "$tree"/verify/*.[ch]
check "the verifier has no other rooms" \
	test "$(cd "$tree/verify" && echo */)" = "explore/ property/ search/ space/"
check "the library includes only itself, its words and its header" \
	only "$line|$algo|$public" "$tree"/src/line/*.[ch]
check "the library does not include the registry" \
	without algo/registry.h "$tree"/src/line/*.[ch]
check "the tool includes only itself, the library's header, and several machines" \
	only "$tool|$public|$cluster" "$tree"/tool/*.[ch]
check "several machines include only themselves, the contract, algorithms and headers" \
	only "$step|$algo|$cluster|$public" "$tree"/src/cluster/*.[ch]
# own_room ROOM FILE...: of the headers of one algorithm, none but those of the room,
# and recoverable's program counters. The line runs that of guests, several machines
# those of cluster and shared-lease.
own_room() {
	room=$1
	shift
	[ -e "$1" ] || ! echo "no such file: $1" || return 1
	! includes "$@" | grep '^"algo/[^/]*/' | grep -vE "^\"algo/($room)/" |
		grep -vxF '"algo/recoverable/pc.h"'
}
for file in "$tree"/src/algo/*.[ch] "$tree"/src/algo/*/*.h "$tree"/src/line/*.[ch] \
	"$tree"/src/cluster/*.[ch]; do
	room=none
	case $file in
	*/algo/*/*) room=$(basename "$(dirname "$file")") ;;
	*/algo/*.c) room=$(basename "$file" .c) ;;
	*/src/line/*) room=guests ;;
	*/src/cluster/*) room='cluster|shared-lease' ;;
	esac
	check "${file#"$tree"/} stays in its room" own_room "$room" "$file"
done
check "nothing of ours is included in brackets" \
	brackets "$tree"/src/*/*.[ch] "$tree"/src/*/*/*.h "$tree"/verify/*.[ch] \
	"$tree"/verify/*/*.[ch] "$tree"/tool/*.[ch] "$tree"/include/*.h

# The control: an arrow the other way is seen.
control=$(mktemp)
trap 'rm -f "$tap_log" "$control"' EXIT
trap 'exit 1' HUP INT TERM
not() {
	! "$@"
}
# seen TEXT COMMAND...: fails for a file of that text.
seen() {
	echo "$1" >"$control"
	shift
	! "$@" "$control"
}
check "the verifier would not be let into src/line" \
	seen ' #  include "line/area.h" /* no */' only "$verifier"
check "nor past the registry" \
	seen '#include "algo/word.h"' only "$verifier"
check "nor to an algorithm itself" \
	seen '#include "algo/colored.c"' only "$verifier"
check "nor the driver into the verifier" \
	seen '#include "verify/explore/run.h"' only "$step|$drive"
check "nor the explorer to a search" \
	seen '#include "verify/search/scc.h"' only "$explore"
check "nor a search to a property" \
	seen '#include "verify/property/enabled.h"' only "$search"
check "nor a property to the bounds" \
	seen '#include "verify/space/bound.h"' only "$property"
check "nor the bounds to a command" \
	seen '#include "verify/check.h"' only "$space"
check "nor the library to the registry" \
	seen '#include "algo/registry.h"' without algo/registry.h
check "nor the tool" seen '#include "line/area.h"' only "$tool|$public|$cluster"
check "nor the library beyond the program counters" \
	seen '#include "algo/recoverable/next.h"' own_room none
check "nor an algorithm into another" \
	seen '#include "algo/recoverable/next.h"' own_room short-names
check "nor several machines into the line of one" \
	seen '#include "line/area.h"' only "$step|$algo|$cluster|$public"
check "nor the line of one into several machines" \
	seen '#include "cluster/store.h"' only "$line|$algo|$public"
check "nor by brackets" seen '#include <step/step.h>' brackets
check "nor by brackets within a room" seen '#include <scc.h>' brackets

# Atomics are the business of the driver, of the library, and of the file in which the
# processes of a host share a lease.
not_atomic() {
	! includes "$@" | grep -x '<stdatomic\.h>'
}
check "algorithms, verifier, tool and store have no atomics" \
	not_atomic "$tree"/src/step/*.[ch] "$tree"/src/algo/*.[ch] \
	"$tree"/src/cluster/[!l]*.[ch] "$tree"/src/cluster/li*.[ch] \
	"$tree"/src/algo/*/*.h "$tree"/verify/*.[ch] "$tree"/verify/*/*.[ch] \
	"$tree"/tool/*.[ch]
check "they would be seen" seen '#include <stdatomic.h>' not_atomic

# alone HEADER: compiles without anything before it, and twice.
alone() {
	# shellcheck disable=SC2086 # CC may have options
	printf '#include "%s"\n#include "%s"\n' "$1" "$1" |
		$cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only \
			-x c -I"$tree/src" -I"$tree/include" -I"$tree" -
}
for header in "$tree"/src/*/*.h "$tree"/src/*/*/*.h "$tree"/verify/*.h \
	"$tree"/verify/*/*.h "$tree"/tool/*.h "$tree"/include/*.h; do
	[ -e "$header" ] || continue
	name=${header#"$tree"/}
	check "$name compiles alone" alone "${name#src/}"
done

# named NAME: a row of a table of algorithms, between quotes for code; or the text
# below them.
named() {
	grep -qE "\`$1[\`:@]" "$tree/doc/algorithms.md"
}
# has_test PATH: as a file, or a folder of them.
has_test() {
	[ -f "$1.c" ] || ls "$1"/*.c
}
for file in "$tree"/src/algo/*.c; do
	name=$(basename "$file" .c)
	[ "$name" != registry ] || continue
	check "$name has a unit test" has_test "$tree/tests/unit/algo/$name"
	check "$name is built, and tested by it" \
		grep -qx "  '$name'," "$tree/src/algo/meson.build"
	check "$name is in doc/algorithms.md" named "$name"
done

# registered ALGO.H MESON.BUILD: the algorithms that the files of the one list
# define are those of the other.
registered() {
	sed -n "s/^  '\\([a-z0-9-]*\\)',\$/\\1/p" "$2" | while read -r name; do
		sed -n 's/^const struct wicket_algo wicket_\([a-z0-9_]*\) =.*/\1/p' \
			"$tree/src/algo/$name.c"
	done | sort >"$control"
	sed -n 's/^\tX(\([a-z0-9_]*\)).*/\1/p' "$1" | sort | diff "$control" -
}
algo_h=$tree/src/algo/algo.h algo_build=$tree/src/algo/meson.build
check "every algorithm that is built is registered, and no other" \
	registered "$algo_h" "$algo_build"
short=$(mktemp)
trap 'rm -f "$tap_log" "$control" "$short"' EXIT
grep -v 'X(queue)' "$algo_h" >"$short"
check "one that is not registered would be seen" \
	not registered "$short" "$algo_build"
grep -v "'queue'" "$algo_build" >"$short"
check "so would one that is not built" not registered "$algo_h" "$short"

# mirrored: a folder of tests for each of the sources, and no other; and for each
# algorithm, or what algorithms share, one file or folder of the same name.
mirrored() {
	for dir in "$tree"/tests/unit/*/; do
		dir=$(basename "$dir")
		[ -d "$tree/src/$dir" ] || [ -d "$tree/$dir" ] ||
			echo "tests/unit/$dir is of no folder"
	done >"$control"
	for file in "$tree"/tests/unit/algo/*.c "$tree"/tests/unit/algo/*/; do
		name=$(basename "$file" .c)
		[ -e "$tree/src/algo/$name.c" ] ||
			[ -e "$tree/src/algo/$name.h" ] ||
			echo "${file#"$tree"/} tests no file"
	done >>"$control"
	cat "$control"
	[ ! -s "$control" ]
}
check "the unit tests mirror the sources" mirrored
# listed: every unit test is one that meson knows of.
listed() {
	for file in "$tree"/tests/unit/*/*.c "$tree"/tests/unit/*/*/*.c; do
		name=${file#"$tree"/tests/unit/}
		dir=${name%%/*}
		name=${name#"$dir"/}
		grep -q "^  '${name%.c}'[:,]" "$tree/tests/unit/$dir/meson.build" \
			"$tree/src/$dir/meson.build" 2>/dev/null ||
			echo "${file#"$tree"/} is never run"
	done >"$control"
	cat "$control"
	[ ! -s "$control" ]
}
check "every unit test is run" listed

# public LANGUAGE STANDARD: the one header, as a user's compiler sees it.
public() {
	printf '#include <wicket.h>\nint main(void) { return 0; }\n' |
		$cc -std="$2" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-x "$1" -I"$tree/include" -
}
for standard in c99 c11 c17; do
	check "wicket.h is clean in $standard" public c $standard
done
if printf 'int main() { return 0; }' | $cc -x c++ -fsyntax-only - 2>/dev/null; then
	for standard in c++11 c++17; do
		check "wicket.h is clean in $standard" public c++ $standard
	done
else
	skip "wicket.h is clean in C++" "there is no C++ compiler"
fi

# example [SED-SCRIPT]: that of the README compiles, edited by the script.
# shellcheck disable=SC2016,SC2086 # quotes of Markdown; CC may have options
example() {
	sed -n '/^```c$/,/^```$/p' "$tree/README.md" | sed "1d;\$d;${1:-}" >"$control"
	[ -s "$control" ] && $cc -std=c99 -Wall -Wextra -Wpedantic -Werror \
		-fsyntax-only -x c -I"$tree/include" "$control"
}
mistaken() {
	! example 's/, &grant//'
}
check "the example of the README compiles" example
check "a wrong call in it would be seen" mistaken

licensed() {
	find "$tree/include" "$tree/src" "$tree/verify" "$tree/tool" \
		"$tree/tests" "$tree/bench" -name '*.[ch]' | sort |
		while read -r file; do
			head -n 1 "$file" |
				grep -qxF '/* SPDX-License-Identifier: MIT */' ||
				echo "${file#"$tree"/}"
		done >"$control"
	cat "$control"
	[ ! -s "$control" ]
}
check "every C file starts with its licence" licensed

repository() {
	git -c safe.directory="$tree" -C "$tree" "$@"
}
# no_match PATTERN: in no text file that git knows.
no_match() {
	repository grep -nIE "$1"
	[ $? -eq 1 ]
}
if repository rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	check "no white space at the end of a line" no_match '[[:blank:]]$'
	check "no carriage returns" no_match "$(printf '\r')"
else
	skip "no white space at the end of a line" "not a git repository"
	skip "no carriage returns" "not a git repository"
fi
done_testing
