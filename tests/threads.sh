#!/bin/sh
# Two threads report the same as one, but for seconds and bytes: of each row of
# tests/protocol.tsv and tests/fences.tsv whose first column is WHEN (default ci) and
# which has at most MOST states (default: all).
# usage: threads.sh WICKET-VERIFY SOURCE-DIR [WHEN [MOST]]
# shellcheck disable=SC2317 # functions are called by check
verify=$(readlink -f "$1") tree=$2 when=${3:-ci} most=${4:-}
# shellcheck source=tests/tap.sh
. "$tree/tests/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$tap_log" "$work"' EXIT
trap 'exit 1' HUP INT TERM

# as_one TABLE STATES: each row is there, and the same.
as_one() {
	"$tree/tools/$1" "$verify" "$when" --as-one "$most" >"$work/said"
	awk -F '\t' -v when="$when" -v most="$most" -v states="$2" '
		$1 == when && (most == "" || ($states != "-" && $states <= most)) {
			print "same\t" $0 }' "$tree/tests/$1.tsv" >"$work/wanted"
	[ -s "$work/wanted" ] && diff "$work/wanted" "$work/said"
}
check "the production protocol" as_one protocol 11
check "the papers' algorithms where stores wait in buffers" as_one fences 8

# The control: with two threads one transition more is counted, or another system
# explored, or nothing.
differs() { # COMMANDS, which see the arguments
	printf '#!/bin/sh\nverify=%s\n%s\n' "$verify" "case \$* in
		*'--threads 2'*) $1;; *) exec \"\$verify\" \"\$@\";; esac" >"$work/other"
	chmod +x "$work/other"
	"$tree/tools/fences" "$work/other" ci --as-one 100 >"$work/said"
	cat "$work/said"
	grep -q ^differs "$work/said" && ! grep -q ^same "$work/said"
}
check "one transition more is noticed" differs \
	"\"\$verify\" \"\$@\" | sed '/transitions/s/: ./&0/'"
check "another row is noticed" differs "\"\$verify\" check one-bit -n 2 --json"
check "that nothing is said is noticed" differs "exit 1"
done_testing
