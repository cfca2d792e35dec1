#!/bin/sh
# The table of shared values, counted anew and compared line by line; and what
# the papers say of it is true of every line.
# usage: space.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2016 # the conditions are for awk
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table"' EXIT

count() {
	"$tree/tools/space" "$verify" 4 >"$table"
}
# true_of CONDITION: of every line; fields as in the table, - is unknown.
true_of() {
	awk -F '\t' 'NR > 1 { lines++ } NR > 1 && !('"$1"') { print; bad = 1 }
		END { exit bad || !lines }' "$table"
}
check "the table can be counted" count
check "it is tests/space.tsv" diff -u "$tree/tests/space.tsv" "$table"
check "the bits are those of the number" \
	true_of '$4 !~ /^[0-9]+$/ || (2 ^ $5 >= $4 && 2 ^ ($5 - 1) < $4)'
check "what is too large was not counted" \
	true_of '$4 != "too large" || ($5 == "-" && $10 == "-" && $11 == "-" && $12 == "-")'
check "nobody reaches more than its bound" \
	true_of '$4 == "-" || $4 + 0 <= $6 + 0'
check "nor than the sharper one" \
	true_of '$4 == "-" || $7 == "-" || $4 + 0 <= $7 + 0'
check "nobody does with less than the lower bound" \
	true_of '$11 == "-" || $8 == "-" || $8 + 0 <= $10 + 0'
check "merging never adds" \
	true_of '$4 == "-" || ($10 + 0 <= $11 + 0 && $11 + 0 <= $12 + 0 &&
		$12 + 0 <= $4 + 0)'
check "who solves the problem has a value for each schedule" \
	true_of '$1 ~ /^(semaphore|bank)$/ || ($13 == $14 && $15 == $16)'
check "and who does not, need not" \
	awk -F '\t' '$1 == "semaphore" && $14 + 0 < $13 + 0 { found = 1 }
		END { exit !found }' "$table"
done_testing
