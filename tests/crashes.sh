#!/bin/sh
# Register algorithms whose processes crash: tests/crashes.tsv, decided anew and
# compared.  All failures count together, those on the way and those that a
# property lets stop; a schedule with more of them is not confirmed.
# usage: crashes.sh WICKET-VERIFY SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table"' EXIT

decide() {
	"$tree/tools/crashes" "$verify" >"$table"
}
check "the table can be decided" decide
check "it is tests/crashes.tsv" diff -u "$tree/tests/crashes.tsv" "$table"

# All but those of one shared variable, and the production protocol.
listed() {
	"$verify" list --json | jq -r '.algorithms[] |
		select(.name | test("^(semaphore|bank|queue|numbered|unbounded-colored|colored|colored-1979|supervised|short-names|eliminate|recoverable|bitmap|cluster|shared-lease|guests)$") | not) |
		.name' |
		while read -r algorithm; do
			cut -f 1 "$tree/tests/crashes.tsv" |
				grep -q "^$algorithm\$" || echo "$algorithm"
		done >"$table.missing"
	cat "$table.missing"
	[ ! -s "$table.missing" ]
	status=$?
	rm -f "$table.missing"
	return "$status"
}
check "every register algorithm is there" listed

refused() {
	"$verify" replay "$1" >"$table"
	status=$?
	tail -n 1 "$table" | grep '^NOT confirmed: too many processes ' &&
		[ "$status" -eq 1 ]
}
for file in "$tree"/tests/replay/refused/*.json; do
	check "$(basename "$file" .json): too many fail" refused "$file"
done
done_testing
