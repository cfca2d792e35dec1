#!/bin/sh
# The systems of FLBB 1979, section 4, at sizes that take long: the rows of
# tests/supervisors.tsv whose first column is WHEN (default ci), decided anew; and
# long runs at sizes that cannot be explored, exclusion and all invariants checked
# after every step.
# usage: supervisors.sh WICKET-VERIFY SOURCE-DIR [WHEN]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 when=${3:-ci}
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table" "$table.wanted"' EXIT
awk -F '\t' -v when="$when" 'NR == 1 || $1 == when' "$tree/tests/supervisors.tsv" \
	>"$table.wanted"
decide() {
	"$tree/tools/supervisors" "$verify" "$when" >"$table"
}
check "the sizes of '$when' can be decided" decide
check "they are those of tests/supervisors.tsv" diff -u "$table.wanted" "$table"

steps=1000000
[ "$when" = ci ] || steps=100000000
for system in 'supervised -n 12 -k 2 -r 3' 'short-names -n 12 -k 1 -r 3' \
	'short-names -n 14 -k 2 -r 3' 'short-names:least -n 9 -k 2 -r 3' \
	'eliminate:supervised -n 8 -k 2 -r 2' 'eliminate:short-names -n 7 -k 1 -r 2'; do
	for schedule in uniform adversarial; do
		# shellcheck disable=SC2086 # words on purpose
		check "$system, $steps steps, $schedule" "$verify" random $system \
			--steps "$steps" --schedule "$schedule" --seed 1
	done
done
# The control: a bug that no size of tests/expect.tsv shows.
fails() {
	"$verify" random short-names:least@no-farewell -n 8 -k 1 -r 3 --steps "$steps" \
		--schedule adversarial --seed 1
	[ $? -eq 1 ]
}
check "a process that is renamed too late is noticed" fails
done_testing
