#!/bin/sh
# queue ~ numbered ~ unbounded-colored ~ colored ~ colored:tight ~ colored:stack,
# all k < n <= N (default 4): each against queue, which is enough, equivalence
# being transitive.  queue:1979 ~ colored-1979, and these are not those: whoever
# steps first is in C, or has yet to test.
# usage: equivalence.sh WICKET-VERIFY [N]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 most=${2:-4}
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

different() {
	"$@"
	[ $? -eq 1 ]
}
# parted SCHEDULE ALGO ALGO ...: told apart by that one, and none is shorter.
parted() {
	schedule=$1
	shift
	"$verify" equiv "$@" --json |
		jq -e --argjson s "$schedule" '.equivalent == false and
			.schedule == $s and .length == ($s | length)'
}

n=2
while [ "$n" -le "$most" ]; do
	k=1
	while [ "$k" -lt "$n" ]; do
		for other in numbered unbounded-colored colored colored:tight \
			colored:stack; do
			check "queue ~ $other, n = $n, k = $k" \
				"$verify" equiv queue $other -n $n -k $k
		done
		check "queue:1979 ~ colored-1979, n = $n, k = $k" \
			"$verify" equiv queue:1979 colored-1979 -n $n -k $k
		check "colored and colored-1979 part in one step, n = $n, k = $k" \
			parted '[1]' colored colored-1979 -n $n -k $k
		for other in semaphore bank queue:1979 colored@quant-zero; do
			check "queue is not $other, n = $n, k = $k" different \
				"$verify" equiv queue $other -n $n -k $k
		done
		k=$((k + 1))
	done
	n=$((n + 1))
done
done_testing
