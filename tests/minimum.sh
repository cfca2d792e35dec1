#!/bin/sh
# How few shared values would do: each certificate of tests/minimum shows what
# tests/minimum.tsv says, which agrees with tests/space.tsv and with the tables of
# doc/space.md; and a solver, if there is one, still says what rests on its word.
# usage: minimum.sh PRINT-MACHINE SOURCE-DIR
# shellcheck disable=SC2016 # the conditions are for awk
# shellcheck disable=SC2317 # functions are called by check
program=$1 tree=$2
. "$tree/tests/tap.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$tap_log" "$scratch"' EXIT
table=$tree/tests/minimum.tsv

same_table() {
	{
		head -n 1 "$table"
		"$tree/tools/minimum" check "$program" "$tree"/tests/minimum/*
	} >"$scratch/table" && diff -u "$table" "$scratch/table"
}
# Nothing here is outside the range that space finds by itself.
within_space() {
	awk -F '\t' 'FNR == 1 { next }
		NR == FNR { low[$1, $2, $3] = $10; high[$1, $2, $3] = $11; next }
		($1, $2, $3) in low && ($8 < low[$1, $2, $3] ||
			$9 != "-" && $9 > high[$1, $2, $3]) { print; bad = 1 }
		$9 != "-" && $8 > $9 || $8 < $5 { print; bad = 1 }
		END { exit bad }' "$tree/tests/space.tsv" "$table"
}
# The control: a certificate of something else is refused.
# refuses WHAT SED-COMMAND
refuses() {
	sed "$2" "$tree/tests/minimum/queue-3-1" >"$scratch/wrong"
	! "$tree/tools/minimum" check "$program" "$scratch/wrong" \
		2>"$scratch/why" && grep -q "$1" "$scratch/why"
}
weak_weight() {
	sed 's/^\(weight\) [0-9]*/\1 999999/' "$tree/tests/minimum/queue-3-1" \
		>"$scratch/wrong"
	[ "$("$tree/tools/minimum" check "$program" "$scratch/wrong" |
		cut -f 6)" -lt 10 ]
}

# The tables of a document, which is doc/space.md or a changed copy.
documented() {
	awk -f "$tree/tools/space-doc" "$tree/tests/space.tsv" "$table" "$1"
}
# notices SED-COMMAND: a number that is changed in one line, or a line that is gone.
notices() {
	sed "$1" "$tree/doc/space.md" >"$scratch/space.md"
	! cmp -s "$tree/doc/space.md" "$scratch/space.md" &&
		! documented "$scratch/space.md"
}

check "the certificates show what the table says" same_table
check "it lies within tests/space.tsv" within_space
check "doc/space.md says so" documented "$tree/doc/space.md"
check "a changed range is noticed" notices 's/ 54\.\.58 / 54..57 /'
check "a changed minimum is noticed" notices '/^| 4 | 3 |/s/ 317 / 318 /'
check "a changed count is noticed" notices '/^| 3 | 2 |/s/ 63 / 64 /'
check "a changed bound is noticed" notices '/^| 5 | 1 |/s/| 6 |/| 5 |/'
check "a changed reason is noticed" notices 's/(weight: 40)/(weight: 39)/'
check "a missing row is noticed" notices '/^| queue | 5 | 2 |/d'
check "a false clique is refused" refuses "not a clique" \
	's/^clique.*/clique 0 1 2 3 4 5 6 7 8 9 10 11/'
check "a false partition is refused" refuses "not a compatible partition" \
	'/^partition/s/ [0-9]*/ 0/g'
check "a bad weight shows little" weak_weight
for file in "$tree"/tests/minimum/*; do
	grep -q '^unsat' "$file" || continue
	what="no fewer classes for $(basename "$file")"
	if command -v cadical >/dev/null; then
		check "$what" "$tree/tools/minimum" prove "$program" "$file"
	else
		skip "$what" "no cadical"
	fi
done
done_testing
