#!/bin/sh
# The lists of CONTRIBUTING.md are complete: in a copy of the tree an algorithm, a
# property and an option are added at the places that they name, and nowhere else;
# the copy is built, and knows all three.
# usage: add.sh SOURCE-DIR; CC is the compiler
# shellcheck disable=SC2016 # quotes of Markdown
# shellcheck disable=SC2317 # functions are called by check
tree=$1
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/copy"
for entry in "$tree"/*; do # but what is built
	[ -e "$entry/meson-info" ] || cp -R "$entry" "$work/copy"
done
cd "$work/copy" || exit 1

# places SECTION MOST: those that its list names, at most so many.
places() {
	sed -n "/^## $1\$/,/^## /s/^[0-9]*\\. \`\\([^\`]*\\)\`.*/\\1/p" \
		CONTRIBUTING.md >"$work/places"
	cat "$work/places"
	[ -s "$work/places" ] && [ "$(wc -l <"$work/places")" -le "$2" ]
}
# add FILE SED-SCRIPT: changes it, if it is one of the places.
add() {
	sed "$2" "$1" >"$work/new" && ! cmp "$work/new" "$1" >/dev/null &&
		cp "$work/new" "$1" && grep -xF "$1" "$work/places"
}
# create FILE PLACE SED-SCRIPT FROM: the same from another file.
create() {
	sed "$3" "$4" >"$1" && grep -xF "$2" "$work/places"
}

# --- an option: check --greet says hello
check "the places of an option" places 'Adding an option of wicket-verify' 4
check "its field" add verify/options.h 's/^struct options {$/&\n\tbool greet;/'
check "its row" add verify/options.c 's/^static const struct row rows\[\] = {$/&\
	{ "--greet", NULL, CHECK, flag, AT(greet), "says hello" },/'
check "what it does" add verify/main.c '/^static int run_check(/,/^}/{
	/check_run(/s/^/\tif (o->greet)\n\t\tputs("hello");\n/
}'
check "its paragraph" add man/wicket-verify.1.scd \
	's/^# OPTIONS$/&\n\n*--greet*\n\tSays hello./'

# --- a property: lonely, nobody shares the critical region
check "the places of a property" places 'Adding a property' 4
check "its claim" add src/step/claim.h \
	's/^\tX(WICKET_ABORT_RESILIENCE/\tX(WICKET_LONELY, lonely) \\\n&/'
check "its row" create verify/property/lonely.c verify/property/FILE.c '' - <<'C'
/* SPDX-License-Identifier: MIT */
#include "verify/property/property.h"

static bool has_two(const struct system *s, const uint32_t *parts)
{
	return system_count(s, system_regions(s, parts), WICKET_CRITICAL) > 1;
}

static bool is_shared(const struct run *run)
{
	uint32_t inside = 0;

	for (uint32_t i = 0; i < run->cfg.n; i++)
		inside += run_region(run, i) == WICKET_CRITICAL;
	return inside > 1;
}

const struct property property_lonely = {
	.name = "lonely",
	.says = "nobody shares C",
	.claim = WICKET_LONELY,
	.suspect = has_two,
	.broken = is_shared,
};
C
check "its file" add verify/property/meson.build "s/^    'liveness.c',$/&\n    'lonely.c',/"
check "its paragraph" add man/wicket-verify.1.scd \
	's/^# PROPERTIES$/&\n\n*lonely*\n\tNobody shares C./'

# --- an algorithm: counter, which is a semaphore whose paper discusses it
counter='s/semaphore/counter/g; s/WICKET_PROBLEM_1989/& | WICKET_LONELY/'
check "the places of an algorithm" places 'Adding an algorithm' 7
check "its file" create src/algo/counter.c src/algo/NAME.c "$counter" \
	src/algo/semaphore.c
check "its declaration" add src/algo/algo.h 's/^\tX(semaphore) .*/&\n\tX(counter) \\/'
check "its source" add src/algo/meson.build "s/^  'semaphore',$/&\n  'counter',/"
check "its unit test" create tests/unit/algo/counter.c tests/unit/algo/NAME.c \
	"$counter" tests/unit/algo/semaphore.c
check "its row in the table" add "$(sed -n '$p' "$work/places")" \
	's/^| `semaphore` .*/&\n| `counter` |/'

# --- all of them
build() {
	meson setup build -Dbuildtype=plain -Dwerror=true -Dtool=disabled \
		-Dman=disabled && ninja -C build wicket-verify
}
# says PATTERN ARG...: what wicket-verify prints; that something fails is no error.
says() {
	pattern=$1
	shift
	build/wicket-verify "$@" >"$work/said"
	[ $? -le 1 ] && cat "$work/said" && grep -E "$pattern" "$work/said"
}
passes() {
	ninja -C build tests/unit/unit-"$1" && build/tests/unit/unit-"$1"
}
check "the copy is built" build
check "the algorithm is listed" says '^counter +generalised' list
check "so is the property" says '^ +property +lonely +nobody shares C' list
check "the option is in the help" says '^  --greet +says hello' check --help
check "the algorithm is decided" says '^  k-exclusion +holds' \
	check counter -n 3 -k 2
check "the property is asked, and fails" says '^  lonely +FAILS after 2 steps' \
	check counter -n 3 -k 2
check "or holds" says '^  lonely +holds' check counter -n 3 -k 1
check "others can be asked for it" says '^  lonely +FAILS' \
	check queue -n 3 -k 2 --property lonely
check "the option is accepted" says '^hello$' check counter -n 3 -k 1 --greet
if [ -d build/tests/unit ]; then
	check "the unit test of the algorithm is run" passes counter
	check "the table of properties is whole" passes property
else
	skip "the unit tests" "cmocka is missing"
fi
check "nothing else is missed by the tree" tests/source/tree.sh .
done_testing
