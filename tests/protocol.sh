#!/bin/sh
# The production protocol, access by access, with crashes anywhere: the rows of
# tests/protocol.tsv whose first column is WHEN (default ci), decided anew and compared;
# it holds itself, and each mutant breaks something in some row.
# usage: protocol.sh WICKET-VERIFY SOURCE-DIR [WHEN]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 when=${3:-ci}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table" "$table.wanted"' EXIT
awk -F '\t' -v when="$when" 'NR == 1 || $1 == when' "$tree/tests/protocol.tsv" \
	>"$table.wanted"

decide() {
	"$tree/tools/protocol" "$verify" "$when" >"$table"
}
honest() {
	awk -F '\t' 'NR > 1 && $2 !~ /@/ && $12 != "-" { print; bad = 1 }
		END { exit bad }' "$tree/tests/protocol.tsv"
}
# Every mutant of the protocol has a row in which it is found.
mutants() {
	"$verify" list --json | jq -r '.algorithms[] |
		select(.name == "recoverable") | .mutants[].name' |
		while read -r mutant; do
			awk -F '\t' -v m="@$mutant" '
				$2 ~ m "$" && $12 != "-" { hit = 1 }
				END { exit !hit }' "$tree/tests/protocol.tsv" ||
				echo "$mutant"
		done >"$table"
	cat "$table"
	[ ! -s "$table" ]
}
check "the sizes of '$when' can be decided" decide
check "they are those of tests/protocol.tsv" diff -u "$table.wanted" "$table"
check "without a mutant everything holds" honest
check "every mutant is found somewhere" mutants
if [ "$when" = ci ]; then
	# every run ends, or goes on fairly: with the periodic look
	check "nobody starves, two laps of two, two crashes, two abandons" \
		"$verify" check recoverable -n 2 -k 1 --laps 2 --crashes 2 \
		--abandons 2 --sleep timed --property starvation-freedom
	check "nobody starves, three in their seats, two slots, one crash" \
		"$verify" check recoverable:seated -n 3 -k 2 --laps 1 --crashes 1 \
		--sleep timed --property starvation-freedom
fi
done_testing
