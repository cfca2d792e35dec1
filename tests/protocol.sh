#!/bin/sh
# The production protocol, access by access, with crashes anywhere: the rows of
# tests/protocol.tsv whose first column is WHEN (default ci), decided anew and compared;
# it holds itself, and each mutant breaks something in some row.
# usage: protocol.sh WICKET-VERIFY SOURCE-DIR [WHEN]
verify=$1 tree=$2 when=${3:-ci}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"
# shellcheck disable=SC2034 # tests/rows.sh reads them
rows=$tree/tests/protocol.tsv fails=13 algorithm="recoverable bitmap"
# shellcheck source=tests/rows.sh
. "$tree/tests/rows.sh"

decide_rows "$tree/tools/protocol" "$when"
if [ "$when" = ci ]; then
	# every run ends, or goes on fairly: with the periodic look
	check "nobody starves, two laps of two, two crashes, two abandons" \
		"$verify" check recoverable -n 2 -k 1 --laps 2 --crashes 2 \
		--abandons 2 --sleep timed --property starvation-freedom
	check "nobody starves, three in their seats, two slots, one crash" \
		"$verify" check recoverable:seated -n 3 -k 2 --laps 1 --crashes 1 \
		--sleep timed --property starvation-freedom
	check "nobody starves, some take two slots at once, one crash" \
		"$verify" check recoverable:units -n 2 -k 2 --seats 3 --laps 1 \
		--crashes 1 --sleep timed --property starvation-freedom
fi
done_testing
