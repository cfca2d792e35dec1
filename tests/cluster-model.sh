#!/bin/sh
# The line in a store, transaction by transaction, and the file of a lease that is shared,
# access by access: the rows of tests/cluster.tsv whose first column is WHEN (default ci),
# decided anew and compared; both hold themselves, and each mutant breaks something in some
# row.
# usage: cluster-model.sh WICKET-VERIFY SOURCE-DIR [WHEN]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 tree=$2 when=${3:-ci}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"
# shellcheck disable=SC2034 # tests/rows.sh reads them
rows=$tree/tests/cluster.tsv fails=8 algorithm="cluster shared-lease guests"
# shellcheck source=tests/rows.sh
. "$tree/tests/rows.sh"

decide_rows "$tree/tools/cluster-model" "$when"
invariants() {
	"$verify" list --json | jq -r --arg names "$algorithm" '.algorithms[] |
		select(.name | IN($names | splits(" "))) |
		.name as $name | .invariants[] | "\($name) \(.name)"' |
		while read -r name label; do
			grep "	${name}[:@]" "$rows" | cut -f "$fails" |
				grep -q "\<$label " || echo "$name $label"
		done >"$table.missing"
	cat "$table.missing"
	[ ! -s "$table.missing" ]
}
check "every labelled invariant is broken somewhere" invariants
# A schedule with several helpers is found again.
replayed() {
	"$verify" check cluster:simple@watch-from-now -n 2 -k 1 --property K4 \
		--trace "$table.wanted" >/dev/null
	"$verify" replay "$table.wanted"
}
[ "$when" != ci ] || check "a trace with several helpers can be replayed" replayed
done_testing
