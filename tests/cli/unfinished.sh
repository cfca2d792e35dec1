#!/bin/sh
# Whatever an algorithm lacks, every command says so, and none crashes.
# usage: unfinished.sh UNFINISHED-WICKET-VERIFY UNFINISHED-PRINT-MACHINE SOURCE-DIR
# shellcheck disable=SC2317 # functions are called by check
verify=$1 machine=$2 tree=$3
. "$tree/tests/tap.sh"

# refused LACKS COMMAND...
refused() {
	lacks=$1
	shift
	said=$(UNFINISHED=$lacks "$@" 2>&1)
	code=$?
	echo "$code: $said"
	[ "$code" = 70 ] || return 1
	case $said in
	"wicket-verify: "*": the algorithm has no '$lacks'") ;;
	*) return 1 ;;
	esac
}

runs() {
	UNFINISHED=$1
	export UNFINISHED
	shift
	"$@" >/dev/null
}

for lacks in name title source registers reg step; do
	check "list without $lacks" refused $lacks "$verify" list --json
	check "check without $lacks" refused $lacks \
		"$verify" check one-bit -n 2
	check "space without $lacks" refused $lacks "$verify" space -n 2 -k 1
	check "table without $lacks" refused $lacks "$verify" table --upto 2
	check "exec without $lacks" refused $lacks "$verify" exec one-bit -n 2
	check "print-machine without $lacks" refused $lacks \
		"$machine" one-bit 2 1
done
# what may be missing
check "space without bound" runs bound "$verify" space -n 2 -k 1
check "table without bound" runs bound "$verify" table --upto 2
check "list without bound" runs bound "$verify" list --json
check "nothing is missing" runs nothing "$verify" check one-bit -n 2 \
	--property k-exclusion
# What exec would not find in memory.
is_wild() {
	said=$(UNFINISHED=wild "$verify" exec one-bit -n 2 --seconds 0.1 "$@" 2>&1)
	code=$?
	echo "$code: $said"
	[ "$code" = 70 ] && [ "$said" = "wicket-verify: one-bit: process 2 uses \
a register that does not exist, 1073741824" ]
}
check "exec of a wild algorithm" is_wild
check "between processes" is_wild --processes
done_testing
