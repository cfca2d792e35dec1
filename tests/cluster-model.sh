#!/bin/sh
# The line in a store, transaction by transaction: the rows of tests/cluster.tsv whose
# first column is WHEN (default ci), decided anew and compared; it holds itself, and each
# mutant breaks something in some row.
# usage: cluster-model.sh WICKET-VERIFY SOURCE-DIR [WHEN]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 when=${3:-ci}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table" "$table.wanted"' EXIT
awk -F '\t' -v when="$when" 'NR == 1 || $1 == when' "$tree/tests/cluster.tsv" \
	>"$table.wanted"

decide() {
	"$tree/tools/cluster-model" "$verify" "$when" >"$table"
}
honest() {
	awk -F '\t' 'NR > 1 && $2 !~ /@/ && $8 != "-" { print; bad = 1 }
		END { exit bad }' "$tree/tests/cluster.tsv"
}
mutants() {
	"$verify" list --json | jq -r '.algorithms[] |
		select(.name == "cluster") | .mutants[].name' |
		while read -r mutant; do
			awk -F '\t' -v m="@$mutant" '
				$2 ~ m "$" && $8 != "-" { hit = 1 }
				END { exit !hit }' "$tree/tests/cluster.tsv" ||
				echo "$mutant"
		done >"$table"
	cat "$table"
	[ ! -s "$table" ]
}
invariants() {
	"$verify" list --json | jq -r '.algorithms[] |
		select(.name == "cluster") | .invariants[].name' |
		while read -r label; do
			cut -f 8 "$tree/tests/cluster.tsv" | grep -q "\<$label " ||
				echo "$label"
		done >"$table"
	cat "$table"
	[ ! -s "$table" ]
}
check "the sizes of '$when' can be decided" decide
check "they are those of tests/cluster.tsv" diff -u "$table.wanted" "$table"
check "without a mutant everything holds" honest
check "every mutant is found somewhere" mutants
check "every labelled invariant is broken somewhere" invariants
# A schedule with several helpers is found again.
replayed() {
	"$verify" check cluster:simple@watch-from-now -n 2 -k 1 --property K4 \
		--trace "$table.json" >/dev/null
	"$verify" replay "$table.json"
	status=$?
	rm -f "$table.json"
	return "$status"
}
[ "$when" != ci ] || check "a trace with several helpers can be replayed" replayed
done_testing
