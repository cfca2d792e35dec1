#!/bin/sh
# Replays each counterexample of tests/replay: flaws that were found once stay
# found, with the same steps and the same regions.
# usage: replay.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
. "$tree/tests/tap.sh"

confirmed() {
	"$verify" replay "$1" | tail -n 1 | grep '^confirmed: ' &&
		"$verify" replay --json "$1" | jq -e '.confirmed == true'
}

# As short as the one found today: the files show the shortest there are.
shortest() {
	property=$(jq -r .property "$1")
	length=$(jq '.schedule | length' "$1")
	eval "set -- $(jq -r '.world as $w | [.algorithm, "-n", .n, "-k", .k, "-r", .r,
		"--registers", $w.registers, "--crashes", $w.crashes,
		"--abandons", $w.abandons, "--sleep", $w.sleep,
		"--memory-model", ($w.memory // "sc"),
		"--property", .property] +
		(if .laps > 0 then ["--seats", .seats, "--laps", .laps] else [] end) +
		(if $w.buffer then ["--buffer", $w.buffer] else [] end) +
		(if $w."mid-write" then ["--mid-write"] else [] end) +
		(if $w.failures then ["--failures", "announced"] else [] end) |
		@sh' "$1")"
	"$verify" check "$@" --json |
		jq -e --arg p "$property" --argjson length "$length" \
			'.properties[$p].length == $length'
}

check "there are counterexamples" test -n "$(ls "$tree"/tests/replay/*.json)"
for file in "$tree"/tests/replay/*.json "$tree"/tests/replay/soak/*.json; do
	name=$(basename "$file" .json)
	check "$name is confirmed" confirmed "$file"
	case $file in
	*/soak/*) ;; # that takes minutes
	*) check "$name is a shortest" shortest "$file" ;;
	esac
done
done_testing
