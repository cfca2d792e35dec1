#!/bin/sh
# The papers' algorithms where stores wait in buffers: the rows of tests/fences.tsv whose
# first column is WHEN (default ci), decided anew and compared. With its fences an
# algorithm is as good as without buffers; with one fence less it is not.
# usage: fences.sh WICKET-VERIFY SOURCE-DIR [WHEN]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 when=${3:-ci}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"
# shellcheck disable=SC2034 # tests/rows.sh reads it
rows=$tree/tests/fences.tsv
# shellcheck source=tests/rows.sh
. "$tree/tests/rows.sh"

check "the rows of '$when' can be decided" anew "$tree/tools/fences" "$when"
check "they are those of tests/fences.tsv" same "$when"

# What fails with the fences: no more than tests/expect.tsv says of the same system
# without buffers.
as_good() {
	awk -F '\t' 'NR == FNR {
			sub(/,r=.*/, "", $4)
			if ($9 == "fails") fails[$1, $2, $3, $8]
			next }
		$2 ~ /[:-]fenced$/ && $11 != "-" {
			rows++
			count = split($11, what, ", ")
			for (i = 1; i <= count; i++) {
				sub(/ .*/, "", what[i])
				if (!(($2, $3, $4, what[i]) in fails)) {
					print $2, $3, $4, what[i]; bad = 1 } } }
		END { exit bad || !rows }' "$tree/tests/expect.tsv" "$rows"
}
check "with fences nothing fails that does not fail anyway" as_good

# What fails with a fence less holds of the same system without buffers.
unfenced() {
	"$verify" list --json | jq -r '.algorithms[] | .name as $a | .variants[].name as $v |
		.mutants[] | select(.name | startswith("unfenced-")) |
		select(.variant == $v) | "\($a):\($v)@\(.name)"' >"$table.missing"
	[ -s "$table.missing" ] || return 1
	while read -r name; do
		awk -F '\t' -v m="$name" '
			NR == FNR {
				if ($1 == m && $9 ~ /^holds/) holds[$8]
				else if ($1 == m) fails[$8]
				next }
			$2 == m && $11 != "-" {
				count = split($11, what, ", ")
				for (i = 1; i <= count; i++) {
					sub(/ .*/, "", what[i])
					hit += what[i] in holds
					bad += what[i] in fails } }
			END { exit bad || !hit }' "$tree/tests/expect.tsv" "$rows" ||
			echo "$name"
	done <"$table.missing" >"$table.wanted"
	cat "$table.wanted"
	[ ! -s "$table.wanted" ]
}
check "each fence is needed, and only where stores wait" unfenced
done_testing
