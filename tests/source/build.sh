#!/bin/sh
# The build: the library needs libc alone; what is missing is told, or refused; what
# was installed is found by pkg-config, works, defines no names but the header's, and
# is taken back; another project has it as a subproject.
# usage: build.sh SOURCE-DIR BUILD-DIR; CC is the compiler
# shellcheck disable=SC2317 # functions are called by check
tree=$1 tests=$2/meson-info/intro-tests.json
. "$tree/tests/tap.sh"
cc=${CC:-cc}

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset DESTDIR PREFIX CFLAGS LDFLAGS
export PKG_CONFIG_LIBDIR="$work/packages" # of which there are none
printf '[binaries]\ncmake = "/none"\n' | tr '"' "'" >"$work/no-cmake"
mkdir "$work/packages"

configure() {
	dir=$1
	shift
	meson setup "$work/$dir" "$tree" --native-file "$work/no-cmake" \
		--prefix="$work/a prefix" "$@"
}
steps() {
	ninja -n -C "$1" | grep -c '^\[[0-9]*/'
}
alone() {
	configure alone -Dtool=disabled -Dverify=disabled -Dtests=disabled \
		-Dman=disabled || return
	[ "$(steps "$work/alone")" -le 26 ] || ! steps "$work/alone" || return
	ninja -C "$work/alone" product
}
check "the library is built from libc alone, in few steps" alone

# says WORDS COMMAND...: what a command prints has the words in it.
says() {
	words=$1
	shift
	"$@" >"$work/said" 2>&1
	cat "$work/said"
	grep -qF "$words" "$work/said"
}
not() {
	! "$@"
}
check "without jansson and cmocka it can be configured" configure auto
check "and says that there is no unit test" \
	says 'left out: unit (cmocka is missing)' configure auto --reconfigure
check "and no tool" \
	grep -q 'wicket  *: left out: jansson is missing' "$work/said"
check "and no verifier" \
	grep -q 'wicket-verify: left out: jansson is missing' "$work/said"
check "which is refused if it was asked for" \
	says 'ERROR: Dependency "jansson" not found' configure tool -Dtool=enabled
check "so are tests without the tool" \
	says 'the tests need wicket' configure tests -Dtests=enabled
check "and tests without cmocka" says 'ERROR: Dependency "cmocka" not found' \
	configure cmocka -Dtests=enabled -Dtool=disabled -Dverify=disabled
check "make shows why the configuration fails" says 'ERROR: prefix value' \
	make -C "$tree" --no-print-directory BUILD="$work/wrong" PREFIX=not-absolute
check "make help lists uninstall" says 'make uninstall' make -C "$tree" help

cat >"$work/program.c" <<'C'
#include <wicket.h>
int main(int argc, char **argv)
{
	struct wicket_options options = { .slots = 1, .flags = WICKET_CREATE };
	struct wicket_grant grant;
	struct wicket *line;

	return argc != 2 || wicket_open(&line, argv[1], &options) < 0 ||
	       wicket_acquire(line, &grant) < 0 || wicket_release(line) < 0 ||
	       wicket_close(line) < 0;
}
C
install() {
	DESTDIR=${1:-} "$tree/tools/install" "$work/alone" >"$work/installed"
}
# A line each for programs, library and the rest; one for what is left to do.
told() {
	cat "$work/installed"
	cut -d' ' -f1 "$work/installed" | paste -sd' ' |
		grep -qx 'programs library rest next'
}
compiles_and_runs() {
	libdir=$(dirname "$(find "$work/a prefix" -name libwicket.so)")
	# shellcheck disable=SC2046,SC2086 # words on purpose; CC may have options
	eval $cc -o "'$work/program'" "'$work/program.c'" \
		$(PKG_CONFIG_LIBDIR="$libdir/pkgconfig" \
			pkg-config --cflags --libs wicket) &&
		LD_LIBRARY_PATH=$libdir "$work/program" "$work/line" &&
		LD_LIBRARY_PATH=$libdir ldd "$work/program" | grep -F "$libdir"
}
# defined FILE: the names that its objects define for others.
defined() {
	nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort
}
declared() {
	# shellcheck disable=SC2086 # CC may have options
	printf '#include <wicket.h>\n' | $cc -E -P -I"$tree/include" - |
		tr '\n' ' ' | grep -oE '\bwicket_[a-z_]+ ?\(' | tr -d ' (' | sort
}
only_declared() {
	declared >"$work/declared"
	[ -s "$work/declared" ] && defined "$work/archive" | diff "$work/declared" -
}
# Whatever internal functions are called, a program may call its own so.
own_names() {
	defined "$work/alone/global.a" | comm -23 - "$work/declared" |
		sed 's/.*/int &(void); int &(void) { return 0; }/' |
		cat "$work/program.c" - >"$work/own.c"
	[ "$(wc -l <"$work/own.c")" -gt "$(wc -l <"$work/program.c")" ]
}
links_with() {
	# shellcheck disable=SC2086 # CC may have options
	$cc -I"$tree/include" -o "$work/own" "$work/own.c" "$1" -pthread
}
links_statically() {
	links_with "$work/archive" && "$work/own" "$work/line"
}
undo() {
	"$tree/tools/install" --undo "$work/alone"
}
check "the library is installed" install
check "it is said where" told
check "a program is compiled by pkg-config, and runs" compiles_and_runs
ln -s "$(find "$work/a prefix" -name libwicket.a)" "$work/archive"
check "the archive defines what the header declares, and nothing else" only_declared
check "internal names are known" own_names
check "a program has functions of these names, and is linked statically" \
	links_statically
check "which would fail if they were global" not links_with "$work/alone/global.a"
check "it is installed again" install
check "and below another root" install "$work/root"
check "there it is" test -e "$work/root$work/a prefix/include/wicket.h"
check "it is taken back" undo
check "and nothing is left" not test -e "$work/a prefix"
check "nor below the other root" not test -e "$work/root"
check "what was never installed is not taken back" not undo

mkdir -p "$work/outer/subprojects"
ln -s "$tree" "$work/outer/subprojects/wicket"
cp "$work/program.c" "$work/outer"
cat >"$work/outer/meson.build" <<'M'
project('outer', 'c')
executable('program', 'program.c', dependencies: dependency('wicket',
  fallback: 'wicket'))
M
subproject() {
	meson setup "$work/outer/build" "$work/outer" &&
		[ "$(steps "$work/outer/build")" -le 26 ] &&
		ninja -C "$work/outer/build" &&
		"$work/outer/build/program" "$work/line"
}
check "a project has the library, and no more, as a subproject" subproject

unique() {
	[ -z "$(jq -r '.[].name' "$tests" | sort | uniq -d | tee /dev/stderr)" ]
}
if command -v jq >/dev/null; then
	check "no two tests have the same name" unique
else
	skip "no two tests have the same name" "jq is missing"
fi
done_testing
