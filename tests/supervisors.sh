#!/bin/sh
# The systems of FLBB 1979, section 4, at sizes that take long: the rows of
# tests/supervisors.tsv whose first column is WHEN (default ci), decided anew.
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
done_testing
