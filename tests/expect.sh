#!/bin/sh
# The whole expectation table, decided anew and compared line by line; and
# every mutant is found, every labelled invariant broken by some mutant. Up to fewer
# than 4 processes, as with the sanitizers, only the comparison.
# usage: expect.sh WICKET-VERIFY SOURCE-DIR [UPTO]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 upto=${3:-4}
. "$tree/tests/tap.sh"

table=$(mktemp)
trap 'rm -f "$tap_log" "$table"' EXIT

decide() {
	"$tree/tools/expect" "$verify" "$upto" >"$table"
}
# With fewer processes some worlds are left out: no line differs from the table's.
same() {
	if [ "$upto" = 4 ]; then
		diff -u "$tree/tests/expect.tsv" "$table"
	else
		! grep -vxFf "$tree/tests/expect.tsv" "$table" &&
			grep -q "$(printf '\t%s\t' "$upto")" "$table"
	fi
}
check "the table can be decided" decide
check "it is tests/expect.tsv" same
[ "$upto" = 4 ] || done_testing

# Mutants that break nothing, at any size, that holds without them; invariants that no
# mutant breaks (nor the algorithm itself: an outline that is said to be wrong).  What a
# mutant of the table breaks only beyond its sizes is in tests/replay/soak, which
# cli/replay confirms.  eliminate@one-holder needs a failure while four and more are in
# T, and a cycle to show it: tests/unit/algo/eliminate.c; short-names@one-colour-less
# needs n = 5: tests/cli/random.sh.  A fence less breaks something where stores wait in
# buffers: tests/fences.tsv.
surviving() {
	{
		printf '%s\n' eliminate@one-holder short-names:least@one-colour-less
		jq -r .algorithm "$tree"/tests/replay/soak/*.json
		awk -F '\t' '$2 ~ /@/ && $11 != "-" { print $2 }' "$tree/tests/fences.tsv"
	} | awk -F '\t' 'NR == FNR { found[$1]; next }
		{ key = $1; sub(/@.*/, "", key); key = key FS $2 FS $3 FS $4 FS $8 }
		$1 ~ /@/ { all[$1] }
		$9 != "fails" { next }
		$1 ~ /@/ { if (!(key in without)) found[$1]; next }
		{ without[key] }
		END { for (m in all) if (!(m in found)) { print m; bad = 1 }
		exit bad }' - "$table"
}
unbroken() {
	"$verify" list --json |
		jq -r '.algorithms[] | select(.name | test("^(recoverable|bitmap|cluster|shared-lease|guests)$") | not) | .name as $a |
			.invariants[] | $a + " " + .name' |
		while read -r algorithm label; do
			jq -r '[.algorithm, .property] | @tsv' "$tree"/tests/replay/soak/*.json |
				awk -F '\t' -v a="$algorithm" -v l="$label" '
				NR == FNR { $8 = $2; $9 = "fails" }
				$1 ~ "^" a "([:@]|$)" && $8 == l && $9 == "fails" { hit = 1 }
				END { exit !hit }' - "$table" || echo "$algorithm $label"
		done >"$table.unbroken"
	cat "$table.unbroken"
	[ ! -s "$table.unbroken" ]
	status=$?
	rm -f "$table.unbroken"
	return "$status"
}
# With fences the same fails as without them.
honest() {
	awk -F '\t' '$1 !~ /@/ && $9 == "fails" {
		sub(/[:-]fenced$/, "", $1); print $1, $4, $8 }' "$table" |
		sort -u
}
check "every mutant is found" surviving
check "every labelled invariant is broken somewhere" unbroken
check "what fails without a mutant is what the papers say" test \
	"$(honest)" = "bakery atomic bounded-numbers
bakery safe bounded-numbers
bakery-2 atomic bounded-numbers
bakery-2:exercise-2 atomic bounded-numbers
bakery-n atomic bounded-numbers
bank atomic k-deadlock-avoidance
central-server atomic starvation-freedom
eliminate atomic c5-enabling
eliminate atomic,r=2 c5-enabling
fast atomic starvation-freedom
fast-2 atomic starvation-freedom
fast-outline atomic 5.1
fast-outline atomic 5.2
fast-outline atomic 5.3
fast-outline atomic 5.4
fast-outline atomic 5.5
fast-outline atomic 5.6
fast-outline atomic k-exclusion
fast-outline atomic starvation-freedom
fast:one-await atomic starvation-freedom
fischer atomic starvation-freedom
fischer:slow atomic starvation-freedom
lk-exclusion atomic k-deadlock-freedom
lk-exclusion atomic starvation-freedom
lk-exclusion atomic,r=2 k-deadlock-freedom
lk-exclusion atomic,r=2 starvation-freedom
lk-exclusion atomic,r=3 starvation-freedom
lk-exclusion mid-write k-deadlock-freedom
lk-exclusion mid-write starvation-freedom
lk-exclusion mid-write,r=2 k-deadlock-freedom
lk-exclusion mid-write,r=2 r-deadlock-freedom
lk-exclusion mid-write,r=2 starvation-freedom
lk-exclusion mid-write,r=3 k-deadlock-freedom
lk-exclusion mid-write,r=3 r-deadlock-freedom
lk-exclusion mid-write,r=3 starvation-freedom
lk-exclusion safe k-deadlock-freedom
lk-exclusion safe starvation-freedom
lk-exclusion safe,r=2 k-deadlock-freedom
lk-exclusion safe,r=2 starvation-freedom
lk-exclusion safe,r=3 starvation-freedom
one-bit atomic starvation-freedom
one-bit safe starvation-freedom
rivest-pratt-linear failures bypass
rivest-pratt-linear failures bypass-from-Q
rivest-pratt-linear failures k-exclusion
rivest-pratt-n failures bypass-from-public
rivest-pratt-n:copies failures bypass-from-public
semaphore atomic fifo-enabling
short-names:least atomic simulatable
short-names:least atomic,r=2 simulatable
supervised atomic c5-enabling
supervised atomic,r=2 c5-enabling
two-bits atomic starvation-freedom
two-bits failures abort-resilience
two-bits failures starvation-freedom
two-bits mid-write k-deadlock-freedom
two-bits mid-write starvation-freedom
two-bits safe starvation-freedom
two-bits:three-valued atomic starvation-freedom
two-bits:three-valued failures abort-resilience
two-bits:three-valued failures starvation-freedom
two-bits:three-valued mid-write k-deadlock-freedom
two-bits:three-valued mid-write starvation-freedom
two-bits:three-valued safe k-deadlock-freedom
two-bits:three-valued safe starvation-freedom
weak-one-bit atomic k-deadlock-freedom
weak-one-bit atomic starvation-freedom
weak-one-bit failures abort-resilience
weak-one-bit failures k-deadlock-freedom
weak-one-bit failures starvation-freedom
weak-one-bit mid-write k-deadlock-freedom
weak-one-bit mid-write starvation-freedom
weak-one-bit safe k-deadlock-freedom
weak-one-bit safe starvation-freedom"
done_testing
