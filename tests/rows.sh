# shellcheck shell=sh
# A table of verdicts: tests/protocol.tsv, tests/cluster.tsv, tests/fences.tsv. To be
# sourced after tests/tap.sh, with
#   rows       the table: when, algorithm, ..., and what fails, or -
#   fails      the number of that column
#   algorithm  whose mutants are to be found: one, or a few
# shellcheck disable=SC2154 # they are assigned by who sources this

table=$(mktemp)
trap 'rm -f "$tap_log" "$table" "$table.wanted" "$table.missing"' EXIT

# anew TOOL WHEN: the rows of WHEN, decided again.
anew() {
	"$1" "$verify" "$2" >"$table"
}
same() {
	awk -F '\t' -v when="$1" 'NR == 1 || $1 == when' "$rows" >"$table.wanted"
	diff -u "$table.wanted" "$table"
}
honest() {
	awk -F '\t' -v fails="$fails" '
		NR > 1 && $2 !~ /@/ && $fails != "-" { print; bad = 1 }
		END { exit bad }' "$rows"
}
# Every mutant has a row in which it is found.
mutants() {
	"$verify" list --json | jq -r --arg names "$algorithm" '.algorithms[] |
		select(.name | IN($names | splits(" "))) |
		.name as $name | .mutants[] | "\($name) \(.name)"' |
		while read -r name mutant; do
			awk -F '\t' -v m="^$name(:[^@]*)?@$mutant\$" -v fails="$fails" '
				$2 ~ m && $fails != "-" { hit = 1 }
				END { exit !hit }' "$rows" || echo "$name@$mutant"
		done >"$table.missing"
	cat "$table.missing"
	[ ! -s "$table.missing" ]
}
decide_rows() {
	check "the sizes of '$2' can be decided" anew "$1" "$2"
	check "they are those of tests/$(basename "$rows")" same "$2"
	check "without a mutant everything holds" honest
	check "every mutant is found somewhere" mutants
}
