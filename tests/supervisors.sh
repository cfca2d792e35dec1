#!/bin/sh
# The systems of FLBB 1979, section 4, at sizes that take long: the rows of
# tests/supervisors.tsv whose first column is WHEN (default ci), decided anew; and
# long runs at sizes that cannot be explored, exclusion and all invariants checked
# after every step, in which processes enter to the end.
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
# alive ENTRIES GAP ARG...: nothing fails, at least so many processes enter in a
# million steps, and never are there more than GAP steps without an entry.
alive() {
	entries=$1 gap=$2
	shift 2
	"$verify" random "$@" --steps "$steps" --seed 1 --json </dev/null >"$table" || return 1
	jq -c . "$table"
	jq -e --argjson entries "$entries" --argjson gap "$gap" '.holds and
		.entries >= .steps / 1000000 * $entries and
		.longest_without <= $gap' "$table" >/dev/null
}
# A third of the entries that were counted in a million steps with seeds 1 to 3, and
# ten times the longest wait for one: the waits of a hundred times as many steps are
# two or three times as long. Where nobody enters any more, the wait is nearly all of
# the run.
while read -r entries gap schedule system; do
	# shellcheck disable=SC2086 # words on purpose
	check "$system, $steps steps, $schedule" \
		alive "$entries" "$gap" $system --schedule "$schedule"
done <<END
4300 5000 uniform supervised -n 12 -k 2 -r 3
1500 30000 adversarial supervised -n 12 -k 2 -r 3
1200 12000 uniform short-names -n 12 -k 1 -r 3
350 80000 adversarial short-names -n 12 -k 1 -r 3
980 14000 uniform short-names -n 14 -k 2 -r 3
400 80000 adversarial short-names -n 14 -k 2 -r 3
1250 11000 uniform short-names:least -n 9 -k 2 -r 3
480 90000 adversarial short-names:least -n 9 -k 2 -r 3
1790 5500 uniform eliminate:supervised -n 8 -k 2 -r 2
1000 33000 adversarial eliminate:supervised -n 8 -k 2 -r 2
500 12500 uniform eliminate:short-names -n 7 -k 1 -r 2
250 85000 adversarial eliminate:short-names -n 7 -k 1 -r 2
END
# The control: a bug after which nobody enters, though k-exclusion holds. The bounds
# are the most generous ones.
dead() {
	alive 250 90000 supervised@move-uncounted -n 4 -k 1 --property k-exclusion \
		--schedule "$1" && return 1
	jq -e '.holds and .entries > 0' "$table" >/dev/null
}
check "that nobody enters any more is noticed, uniform" dead uniform
check "that nobody enters any more is noticed, adversarial" dead adversarial
# Another: a bug that no size of tests/expect.tsv shows.
fails() {
	"$verify" random short-names:least@no-farewell -n 8 -k 1 -r 3 --steps "$steps" \
		--schedule adversarial --seed 1
	[ $? -eq 1 ]
}
check "a process that is renamed too late is noticed" fails
done_testing
