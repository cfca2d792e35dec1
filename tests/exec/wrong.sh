#!/bin/sh
# Wrong arguments of exec; tests/cli/wrong-input.sh has what commands share.
# usage: wrong.sh WICKET-VERIFY SOURCE-DIR
verify=$(readlink -f "$1") tree=$2
. "$tree/tests/tap.sh"
. "$tree/tests/cli/refused.sh"

wrong 64 exec
wrong 64 exec -n 3 -k 1
wrong 64 exec one-bit
wrong 64 exec two-bits -n 3
wrong 64 exec one-bit queue -n 3 -k 1
wrong 64 exec one-bi -n 3 -k 1
wrong 65 exec one-bit -n 3 -k 2
wrong 65 exec colored -n 3 -k 3
wrong 65 exec colored -n 17 -k 1
for x in 0 -1 abc '' 1x 0.0 nan inf 1e99; do
	check "64: --seconds '$x'" refused_with 64 --seconds \
		exec one-bit -n 2 -k 1 --seconds "$x"
done
for x in -1 x '' 2.5; do
	check "64: --kill '$x'" refused_with 64 --kill \
		exec rivest-pratt-2 -n 2 -k 1 --kill "$x"
done
for x in 0 10001 99999999999; do
	check "65: --kill $x" refused_with 65 --kill \
		exec rivest-pratt-2 -n 2 -k 1 --kill $x
done
for name in colored one-bit recoverable bank:queue; do
	check "65: --kill of $name" refused_with 65 "$name" \
		exec $name -n 3 -k 1 --kill 5
done
for x in sc SEQ-CST '' seq_cst; do
	check "64: --order '$x'" refused_with 64 --order \
		exec one-bit -n 2 -k 1 --order "$x"
done
for option in '--property k-exclusion' '--trace x' '--memory 1G' '--timeout 1' \
	'--registers safe' '--crashes 1' '--failures announced' --step; do
	# shellcheck disable=SC2086 # words on purpose
	wrong 64 exec one-bit -n 2 -k 1 $option
done
for option in '--seconds 1' --processes '--kill 1' '--order relaxed'; do
	# shellcheck disable=SC2086 # words on purpose
	wrong 64 check one-bit -n 2 -k 1 $option
done
for option in --seconds --kill --order; do
	check "64: $option without a value" \
		refused_with 64 "$option" exec one-bit -n 2 -k 1 $option
done
done_testing
