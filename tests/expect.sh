#!/bin/sh
# The whole expectation table, decided anew and compared line by line; and
# every mutant is found, every labelled invariant broken by some mutant.
# usage: expect.sh WICKET-VERIFY SOURCE-DIR
verify=$1 tree=$2
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table"' EXIT

check "the table can be decided" sh -c '"$1" "$2" 4 > "$3"' - \
	"$tree/tools/expect" "$verify" "$table"
check "it is tests/expect.tsv" diff -u "$tree/tests/expect.tsv" "$table"

# Mutants that break nothing at any size, invariants that no mutant breaks.
surviving() {
	awk -F '\t' '$1 ~ /@/ { all[$1] } $1 ~ /@/ && $8 == "fails" { found[$1] }
		END { for (m in all) if (!(m in found)) { print m; bad = 1 }
		exit bad }' "$table"
}
unbroken() {
	"$verify" list --json |
		jq -r '.algorithms[] | .name as $a | .invariants[] | $a + " " + .name' |
		while read -r algorithm label; do
			awk -F '\t' -v a="$algorithm" -v l="$label" '
				$1 ~ "^" a "[:@]" && $7 == l && $8 == "fails" { hit = 1 }
				END { exit !hit }' "$table" || echo "$algorithm $label"
		done >"$table.unbroken"
	cat "$table.unbroken"
	[ ! -s "$table.unbroken" ]
	status=$?
	rm -f "$table.unbroken"
	return $status
}
honest() {
	awk -F '\t' '$1 !~ /@/ && $8 == "fails" { print $1, $7 }' "$table" | sort -u
}
check "every mutant is found" surviving
check "every labelled invariant is broken by some mutant" unbroken
check "what fails without a mutant is what the paper says" test \
	"$(honest)" = "bank k-deadlock-avoidance
semaphore fifo-enabling"
done_testing
