#!/bin/sh
# queue ~ numbered ~ unbounded-colored ~ colored ~ colored:tight, all k < n <= N
# (default 4): each against queue, which is enough, equivalence being transitive.
# usage: equivalence.sh WICKET-VERIFY [N]
# shellcheck disable=SC2317 # functions are called by check
verify=$1 most=${2:-4}
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

different() {
	"$@"
	[ $? -eq 1 ]
}

n=2
while [ "$n" -le "$most" ]; do
	k=1
	while [ "$k" -lt "$n" ]; do
		for other in numbered unbounded-colored colored colored:tight; do
			check "queue ~ $other, n = $n, k = $k" \
				"$verify" equiv queue $other -n $n -k $k
		done
		for other in semaphore bank queue:1979 colored@quant-zero; do
			check "queue is not $other, n = $n, k = $k" different \
				"$verify" equiv queue $other -n $n -k $k
		done
		k=$((k + 1))
	done
	n=$((n + 1))
done
done_testing
